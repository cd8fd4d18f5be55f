"""Attention as transformers use it: scores divided by sqrt(d_k), and three learned roles for each token."""

import math

import numpy as np

from attnlib import _check
from attnlib.softmax import softmax


def softmax_jacobian(p):
    r"""Tell how each softmax weight answers a small change of each score.

    .. math:: J = \mathrm{diag}(p) - p p^\top, \qquad J_{ij} = \partial p_i / \partial x_j

    Where one weight is nearly 1 all entries are nearly 0: a saturated softmax no longer learns.

    Parameters
    ----------
    p : ndarray of shape (..., n)
        Weights that came out of a softmax.

    Returns
    -------
    jacobian : ndarray of shape (..., n, n)
        Symmetric; its rows sum to 0.

    Raises
    ------
    ValueError
        If p is empty.
    TypeError
        If p holds anything but real numbers.

    Examples
    --------
    >>> softmax_jacobian([0.25, 0.75])
    array([[ 0.1875, -0.1875],
           [-0.1875,  0.1875]])
    """
    p = _check.numbers(p, "p", ("n",))
    diagonal = p[..., :, None] * np.eye(p.shape[-1], dtype=p.dtype)
    return diagonal - p[..., :, None] * p[..., None, :]


def scaled_dot_product_attention(Q, K, V, mask=None):
    r"""Average the values, weighted by how well each query matches each key.

    .. math:: \mathrm{softmax}\left(Q K^\top / \sqrt{d_k}\right) V

    Parameters
    ----------
    Q : ndarray of shape (..., n_queries, d_k)
    K : ndarray of shape (..., n_keys, d_k)
    V : ndarray of shape (..., n_keys, d_v)
    mask : bool ndarray broadcastable to (..., n_queries, n_keys), optional
        True where a query may attend to a key.

    Returns
    -------
    context : ndarray of shape (..., n_queries, d_v)
    weights : ndarray of shape (..., n_queries, n_keys)
        Each row sums to 1; a row with nothing to attend to is all zeros, and so is its context.

    Raises
    ------
    ValueError
        If the shapes disagree.
    TypeError
        If Q, K or V holds anything but real numbers, or the mask anything but booleans.

    References
    ----------
    Vaswani et al. (2017), "Attention Is All You Need", section 3.2.1.

    Examples
    --------
    >>> Q = [[1.0, 0.0]]
    >>> K = [[1.0, 0.0], [0.0, 1.0]]
    >>> context, weights = scaled_dot_product_attention(Q, K, [[10.0], [20.0]])
    >>> weights.round(4)
    array([[0.6698, 0.3302]])
    >>> context.round(3)
    array([[13.302]])
    """
    Q, K, V = _check.queries_keys_values(Q, K, V, letter="d_k")
    scores = Q @ K.mT / math.sqrt(Q.shape[-1])  # (..., n_queries, d_k), (..., n_keys, d_k) -> (..., n_queries, n_keys)
    if mask is None:
        weights = softmax(scores)
    else:
        from attnlib.masks import masked_softmax  # here, because attnlib.masks builds on this module

        weights = masked_softmax(scores, mask)
    return weights @ V, weights


def project_qkv(X, W_q, W_k, W_v):
    r"""Give every token its three roles: what it asks, what it offers to be found by, what it says.

    .. math:: Q = X W_q, \qquad K = X W_k, \qquad V = X W_v

    Parameters
    ----------
    X : ndarray of shape (..., n, d_model)
    W_q, W_k : ndarray of shape (d_model, d_k)
    W_v : ndarray of shape (d_model, d_v)

    Returns
    -------
    Q, K : ndarray of shape (..., n, d_k)
    V : ndarray of shape (..., n, d_v)

    Raises
    ------
    ValueError
        If the shapes disagree.
    TypeError
        If an argument holds anything but real numbers.

    Examples
    --------
    >>> Q, K, V = project_qkv([[1, 2]], [[1], [0]], [[0], [1]], [[1, 0, 1], [0, 1, 1]])
    >>> Q, K, V
    (array([[1.]]), array([[2.]]), array([[1., 2., 3.]]))
    """
    X = _check.numbers(X, "X", ("n", "d_model"))
    W_q, W_k, W_v = _projections(X, "X", X, "X", W_q, W_k, W_v)
    return X @ W_q, X @ W_k, X @ W_v


def self_attention(X, W_q, W_k, W_v, mask=None):
    """Let every token of a sequence attend to the tokens of the same sequence.

    Parameters
    ----------
    X : ndarray of shape (..., n, d_model)
    W_q, W_k : ndarray of shape (d_model, d_k)
    W_v : ndarray of shape (d_model, d_v)
    mask : bool ndarray broadcastable to (..., n, n), optional
        True where a token may attend to a token.

    Returns
    -------
    context : ndarray of shape (..., n, d_v)
    weights : ndarray of shape (..., n, n)
        Each row sums to 1; a row with nothing to attend to is all zeros.

    Raises
    ------
    ValueError
        If the shapes disagree.
    TypeError
        If an array holds anything but real numbers, or the mask anything but booleans.

    References
    ----------
    Vaswani et al. (2017), "Attention Is All You Need", section 3.2.3.

    Examples
    --------
    >>> context, weights = self_attention([[1, 0], [0, 1]], [[1], [0]], [[1], [0]], [[1, 2], [3, 4]])
    >>> weights.round(4)
    array([[0.7311, 0.2689],
           [0.5   , 0.5   ]])
    >>> context.round(4)
    array([[1.5379, 2.5379],
           [2.    , 3.    ]])
    """
    Q, K, V = project_qkv(X, W_q, W_k, W_v)
    return scaled_dot_product_attention(Q, K, V, mask)


def cross_attention(X_target, X_source, W_q, W_k, W_v, source_mask=None):
    """Let every token of one sequence attend to the tokens of another.

    Parameters
    ----------
    X_target : ndarray of shape (..., n_target, d_target)
        Where the queries come from.
    X_source : ndarray of shape (..., n_source, d_source)
        Where the keys and values come from.
    W_q : ndarray of shape (d_target, d_k)
    W_k : ndarray of shape (d_source, d_k)
    W_v : ndarray of shape (d_source, d_v)
    source_mask : bool ndarray of shape (..., n_source), optional
        True for the source tokens that may be attended to.

    Returns
    -------
    context : ndarray of shape (..., n_target, d_v)
    weights : ndarray of shape (..., n_target, n_source)
        Each row sums to 1; all zeros if no source token may be attended to.

    Raises
    ------
    ValueError
        If the shapes disagree.
    TypeError
        If an array holds anything but real numbers, or the mask anything but booleans.

    References
    ----------
    Vaswani et al. (2017), "Attention Is All You Need", section 3.2.3.

    Examples
    --------
    >>> identity = [[1, 0], [0, 1]]
    >>> context, weights = cross_attention([[2, 0]], [[1, 0], [0, 1], [5, 5]], identity, identity, identity,
    ...                                    source_mask=[True, True, False])
    >>> weights.round(4)
    array([[0.8044, 0.1956, 0.    ]])
    """
    X_target = _check.numbers(X_target, "X_target", ("n_target", "d_target"))
    X_source = _check.numbers(X_source, "X_source", ("n_source", "d_source"))
    _check.same_batch(X_target=(X_target, 2), X_source=(X_source, 2))
    W_q, W_k, W_v = _projections(X_target, "X_target", X_source, "X_source", W_q, W_k, W_v)
    mask = None
    if source_mask is not None:
        leading = np.broadcast_shapes(X_target.shape[:-2], X_source.shape[:-2])
        source_mask = _check.boolean_mask(source_mask, (*leading, X_source.shape[-2]), "source_mask")
        mask = source_mask[..., None, :]  # (..., n_source) -> (..., 1, n_source): the same for every query
    return scaled_dot_product_attention(X_target @ W_q, X_source @ W_k, X_source @ W_v, mask)


def additive_scores(Q, K, W_1, W_2, v):
    r"""Score every query against every key by a small neural network instead of a dot product.

    .. math:: s_{ij} = v \cdot \tanh(q_i W_1 + k_j W_2)

    Parameters
    ----------
    Q : ndarray of shape (..., n_queries, d_q)
    K : ndarray of shape (..., n_keys, d_k)
        d_q and d_k may differ.
    W_1 : ndarray of shape (d_q, d_hidden)
    W_2 : ndarray of shape (d_k, d_hidden)
    v : ndarray of shape (d_hidden,)

    Returns
    -------
    scores : ndarray of shape (..., n_queries, n_keys)

    Raises
    ------
    ValueError
        If the shapes disagree.
    TypeError
        If an argument holds anything but real numbers.

    References
    ----------
    Bahdanau et al. (2015), "Neural Machine Translation by Jointly Learning to Align and Translate", section A.1.2.

    Examples
    --------
    >>> additive_scores([[1.0]], [[0.0], [1.0]], [[1.0]], [[1.0]], [2.0]).round(4)
    array([[1.5232, 1.9281]])
    """
    Q = _check.numbers(Q, "Q", ("n_queries", "d_q"))
    K = _check.numbers(K, "K", ("n_keys", "d_k"))
    _check.same_batch(Q=(Q, 2), K=(K, 2))
    W_1 = _check.projection(W_1, "W_1", Q, "Q")
    W_2 = _check.projection(W_2, "W_2", K, "K")
    _check.same_columns(W_2, "W_2", W_1, "W_1")
    v = _check.numbers(v, "v", ("d_hidden",))
    if v.shape != W_1.shape[1:]:
        raise ValueError(
            f"v must have one entry per column of W_1 ({W_1.shape[1]}, from shape {W_1.shape}); "
            f"got v of shape {v.shape}"
        )
    # (..., n_queries, 1, d_hidden) + (..., 1, n_keys, d_hidden) -> (..., n_queries, n_keys, d_hidden)
    hidden = np.tanh((Q @ W_1)[..., :, None, :] + (K @ W_2)[..., None, :, :])
    return hidden @ v


def _projections(X_q, X_q_name, X_kv, X_kv_name, W_q, W_k, W_v):
    W_q = _check.projection(W_q, "W_q", X_q, X_q_name)
    W_k = _check.projection(W_k, "W_k", X_kv, X_kv_name)
    W_v = _check.projection(W_v, "W_v", X_kv, X_kv_name)
    _check.same_columns(W_k, "W_k", W_q, "W_q")
    return W_q, W_k, W_v
