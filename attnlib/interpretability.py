"""Who really contributed: explanations of a context vector, what doing without shows, and circuits that one can cut."""

from __future__ import annotations

import numpy as np
from numpy.typing import ArrayLike, NDArray

from attnlib import _check, blocks
from attnlib.encoder import encoder_input, load_encoder
from attnlib.multi_head import merge_heads, split_heads
from attnlib.scaling import scaled_dot_product_attention


def head_contributions(weights: ArrayLike, V: ArrayLike, W_o: ArrayLike) -> NDArray:
    r"""Measure how much each key adds to each query's context vector, all heads of a layer together.

    .. math:: \left\| \sum_h w^h_{ij} \, v^h_j \, W_o^h \right\|

    where :math:`W_o^h` are the rows of W_o that belong to head h.

    Parameters
    ----------
    weights : ndarray of shape (num_heads, n_queries, n_keys)
    V : ndarray of shape (num_heads, n_keys, d_v)
        The values, as each head sees them.
    W_o : ndarray of shape (num_heads * d_v, d_model)

    Returns
    -------
    contributions : ndarray of shape (n_queries, n_keys)
        Lengths of vectors: what key j adds, heads added up first, then measured. Rows do not sum to 1.

    Raises
    ------
    ValueError
        If the shapes disagree.
    TypeError
        If an argument holds anything but real numbers.

    References
    ----------
    Kobayashi, Kuribayashi, Yokoi and Inui (2020), "Attention is not only a weight: analyzing transformers with vector
    norms", section 3.

    Examples
    --------
    >>> weights = [[[0.6, 0.4]]]  # one head, one query, two keys
    >>> V = [[[0.1, 0.0], [0.0, 3.0]]]
    >>> head_contributions(weights, V, np.eye(2)).round(3)
    array([[0.06, 1.2 ]])
    """
    weights = _check.numbers(weights, "weights", ("num_heads", "n_queries", "n_keys"))
    V = _check.numbers(V, "V", ("num_heads", "n_keys", "d_v"))
    W_o = _check.numbers(W_o, "W_o", ("num_heads * d_v", "d_model"))
    if weights.ndim != 3 or V.ndim != 3 or (V.shape[0], V.shape[1]) != (weights.shape[0], weights.shape[2]):
        raise ValueError(
            "weights and V must have shapes (num_heads, n_queries, n_keys) and (num_heads, n_keys, d_v); "
            f"got shapes {weights.shape} and {V.shape}"
        )
    num_heads, _, d_v = V.shape
    if W_o.ndim != 2 or W_o.shape[0] != num_heads * d_v:
        raise ValueError(
            f"W_o must have num_heads * d_v = {num_heads * d_v} rows, for V of shape {V.shape}; got shape {W_o.shape}"
        )
    said = V @ W_o.reshape(num_heads, d_v, -1)  # (h, n_keys, d_v) @ (h, d_v, d_model): what a key would add at weight 1
    added = np.einsum("hqk,hkd->qkd", weights, said)  # heads summed up: (n_queries, n_keys, d_model)
    return np.linalg.norm(added, axis=-1)


def rollout(weights: ArrayLike) -> NDArray:
    r"""Follow the weights through all layers, as if nothing but averaging happened between them.

    .. math:: R = \bar{A}_L \cdots \bar{A}_2 \bar{A}_1, \qquad \bar{A}_l = \tfrac{1}{2} \left(A_l + I\right)

    where :math:`A_l` is the mean of the weights of layer l's heads, and I stands for the residual connection.

    Parameters
    ----------
    weights : ndarray of shape (n_layers, num_heads, n, n)
        The first layer first; each row sums to 1.

    Returns
    -------
    rolled : ndarray of shape (n, n)
        In row i what token i has, after the last layer, from each token before the first. Each row sums to 1.

    Raises
    ------
    ValueError
        If the shape is another.
    TypeError
        If weights holds anything but real numbers.

    References
    ----------
    Abnar and Zuidema (2020), "Quantifying attention flow in transformers", section 3.

    Examples
    --------
    >>> first = [[[1, 0, 0], [0.5, 0.5, 0], [0.2, 0.6, 0.2]]]  # one head
    >>> second = [[[1, 0, 0], [0.9, 0.1, 0], [0.1, 0.8, 0.1]]]
    >>> rollout([first, second])[-1].round(3)
    array([0.205, 0.465, 0.33 ])
    """
    weights = _check.numbers(weights, "weights", ("n_layers", "num_heads", "n", "n"))
    if weights.ndim != 4 or weights.shape[-1] != weights.shape[-2]:
        raise ValueError(f"weights must have shape (n_layers, num_heads, n, n); got shape {weights.shape}")
    rolled = identity = np.eye(weights.shape[-1], dtype=weights.dtype)
    for A in weights.mean(axis=1):  # heads averaged: (n_layers, n, n)
        rolled = (A + identity) / 2 @ rolled
    return rolled


def induction_score(weights: ArrayLike, period: int) -> NDArray:
    """Measure how far a head looks at what came after the last time, in a text that repeats itself.

    Parameters
    ----------
    weights : ndarray of shape (..., n, n)
        Rows are queries. From token `period` on, each token repeats the one `period` places before.
    period : int
        From 1 to n - 1.

    Returns
    -------
    scores : ndarray of shape (...,)
        For queries t = period, ..., n - 1 the mean weight on key t - period + 1: the token after the earlier copy.

    Raises
    ------
    ValueError
        If the weights are not square, or the period leaves no repeated token.
    TypeError
        If weights holds anything but real numbers, or period is not an integer.

    References
    ----------
    Olsson et al. (2022), "In-context learning and induction heads", Transformer Circuits Thread.

    Examples
    --------
    >>> weights = np.zeros((5, 5))
    >>> weights[3, 1], weights[4, 2] = 1.0, 0.5  # tokens a b c a b: the second a looks at b, the second b at c
    >>> float(induction_score(weights, 3))
    0.75
    """
    weights = _check.numbers(weights, "weights", ("n", "n"))
    n = weights.shape[-1]
    if weights.shape[-2] != n:
        raise ValueError(f"weights must have shape (..., n, n); got shape {weights.shape}")
    period = _check.count(period, "period", most=n - 1)
    queries = np.arange(period, n)
    return weights[..., queries, queries - period + 1].mean(axis=-1)


def cut_heads(
    X: ArrayLike,
    W_q: ArrayLike,
    W_k: ArrayLike,
    W_v: ArrayLike,
    W_o: ArrayLike,
    num_heads: int,
    keep: ArrayLike,
    mask: ArrayLike | None = None,
) -> NDArray:
    r"""Run multi-head self-attention with some of its heads silenced: their contexts are replaced by zeros.

    .. math:: \sum_{h \in keep} C_h \, W_o^h

    Parameters
    ----------
    X : ndarray of shape (n, d_model)
    W_q, W_k : ndarray of shape (d_model, num_heads * d_k)
    W_v : ndarray of shape (d_model, num_heads * d_v)
    W_o : ndarray of shape (num_heads * d_v, d_model)
    num_heads : int
    keep : bool array of shape (num_heads,)
        False for each head that is cut.
    mask : bool ndarray broadcastable to (n, n), optional
        True where a query may attend to a key.

    Returns
    -------
    context : ndarray of shape (n, d_model)
        With all heads kept that of `attnlib.multi_head_attention` without biases, with none all zeros.

    Raises
    ------
    ValueError
        If the shapes disagree.
    TypeError
        If an array holds anything but real numbers, or keep and mask anything but booleans.

    Examples
    --------
    >>> X = identity = np.eye(2)
    >>> cut_heads(X, identity, identity, identity, identity, 2, [True, False]).round(3)
    array([[0.731, 0.   ],
           [0.5  , 0.   ]])
    """
    X = _check.numbers(X, "X", ("n", "d_model"))
    W_q, W_k, W_v = _check.projections(X, "X", X, "X", W_q, W_k, W_v)
    W_o = _check.projection(W_o, "W_o", W_v, "W_v")
    num_heads = _check.count(num_heads, "num_heads")
    keep = np.asarray(keep)
    if keep.dtype.kind != "b":
        raise TypeError(f"keep must be boolean, False for a head that is cut; got {keep.dtype} values")
    if keep.shape != (num_heads,):
        raise ValueError(f"keep must have one entry for each of {num_heads} heads; got shape {keep.shape}")
    if mask is not None:
        mask = _check.boolean_mask(mask, (X.shape[-2], X.shape[-2]))
    Q, K, V = (split_heads(X @ W, num_heads) for W in (W_q, W_k, W_v))
    context, _ = scaled_dot_product_attention(Q, K, V, mask)  # (h, n, d_v)
    return merge_heads(context * keep[:, None, None]) @ W_o


def masking_effect(tokens: list[str], unknown: bool = False) -> NDArray:
    """Measure how far each token of a sentence moves when a word is taken away, in the encoder of `load_encoder`.

    Parameters
    ----------
    tokens : list of str
        The n words of a sentence, as `attnlib.tokenize` cuts it.
    unknown : bool, optional
        How a word is taken away. False: no token may attend to it, in any layer. True: "[UNK]", the token for a word
        that nobody knows, stands in its place.

    Returns
    -------
    effect : ndarray of shape (n + 2, n + 2)
        Row i, column j: how far, as a length, the vector of token i after the last layer moves when token j is taken
        away. "[CLS]" is token 0 and "[SEP]" the last; they are never taken away, so their columns are zeros.

    Raises
    ------
    ValueError
        If a token is not among the encoder's words, or there is none.
    TypeError
        If tokens is one string.

    Examples
    --------
    >>> effect = masking_effect(["the", "cat", "sat"])
    >>> effect.shape
    (5, 5)
    >>> bool(effect[2, 3] > 0)  # cat moves when sat is taken away
    True
    """
    X = encoder_input(tokens)
    n, words = len(X), list(tokens)
    allowed = np.ones((n - 2, n, n), dtype=bool)  # a mask for each word that is taken away
    if unknown:
        without = [encoder_input([*words[:j], "[UNK]", *words[j + 1 :]]) for j in range(n - 2)]
    else:
        without = [X] * (n - 2)
        allowed[np.arange(n - 2), :, np.arange(1, n - 1)] = False
    # All these sentences as one long one, in which each attends to itself alone: two axes multiply faster than three.
    mask = np.zeros((n - 2, n, n - 2, n), dtype=bool)
    mask[np.arange(n - 2), :, np.arange(n - 2)] = allowed
    after = _last_layer(np.concatenate(without), mask.reshape((n - 2) * n, -1)).reshape(n - 2, n, -1)
    effect = np.zeros((n, n), dtype=after.dtype)
    effect[:, 1:-1] = np.linalg.norm(after - _last_layer(X), axis=-1).T
    return effect


def _last_layer(X, mask=None):
    """What the encoder's six layers make of their input."""
    # The block is looked up when it is needed: where notebooks that ask for it are graded, it is not there.
    encoder = load_encoder()
    for layer in encoder["layers"]:
        X = blocks.post_norm_block(X, layer, encoder["num_heads"], mask)
    return X
