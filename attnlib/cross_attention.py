"""Attention between two sequences: the queries from one, the keys and values from the other."""

from __future__ import annotations

import numpy as np
from numpy.typing import ArrayLike, NDArray

from attnlib import _check
from attnlib.scaling import scaled_dot_product_attention


def cross_attention(
    X_target: ArrayLike,
    X_source: ArrayLike,
    W_q: ArrayLike,
    W_k: ArrayLike,
    W_v: ArrayLike,
    source_mask: ArrayLike | None = None,
) -> tuple[NDArray, NDArray]:
    """Let every token of one sequence attend to the tokens of another.

    Parameters
    ----------
    X_target : ndarray of shape (..., n_queries, d_target)
        Where the queries come from.
    X_source : ndarray of shape (..., n_keys, d_source)
        Where the keys and values come from.
    W_q : ndarray of shape (d_target, d_k)
    W_k : ndarray of shape (d_source, d_k)
    W_v : ndarray of shape (d_source, d_v)
    source_mask : bool ndarray of shape (..., n_keys), optional
        True for the source tokens that may be attended to.

    Returns
    -------
    context : ndarray of shape (..., n_queries, d_v)
    weights : ndarray of shape (..., n_queries, n_keys)
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
    X_target = _check.numbers(X_target, "X_target", ("n_queries", "d_target"))
    X_source = _check.numbers(X_source, "X_source", ("n_keys", "d_source"))
    _check.same_batch(X_target=(X_target, 2), X_source=(X_source, 2))
    W_q, W_k, W_v = _check.projections(X_target, "X_target", X_source, "X_source", W_q, W_k, W_v)
    mask = None
    if source_mask is not None:
        leading = np.broadcast_shapes(X_target.shape[:-2], X_source.shape[:-2])
        source_mask = _check.boolean_mask(source_mask, (*leading, X_source.shape[-2]), "source_mask")
        mask = source_mask[..., None, :]  # (..., n_keys) -> (..., 1, n_keys): the same for every query
    return scaled_dot_product_attention(X_target @ W_q, X_source @ W_k, X_source @ W_v, mask)


def additive_scores(Q: ArrayLike, K: ArrayLike, W_1: ArrayLike, W_2: ArrayLike, u: ArrayLike) -> NDArray:
    r"""Score every query against every key by a small neural network instead of a dot product.

    .. math:: s_{ij} = u \cdot \tanh(q_i W_1 + k_j W_2)

    Parameters
    ----------
    Q : ndarray of shape (..., n_queries, d_q)
    K : ndarray of shape (..., n_keys, d_k)
        d_q and d_k may differ.
    W_1 : ndarray of shape (d_q, d_hidden)
    W_2 : ndarray of shape (d_k, d_hidden)
    u : ndarray of shape (d_hidden,)

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
    u = _check.numbers(u, "u", ("d_hidden",))
    if u.shape != W_1.shape[1:]:
        raise ValueError(
            f"u must have one entry per column of W_1 ({W_1.shape[1]}, from shape {W_1.shape}); "
            f"got u of shape {u.shape}"
        )
    # (..., n_queries, 1, d_hidden) + (..., 1, n_keys, d_hidden) -> (..., n_queries, n_keys, d_hidden)
    hidden = np.tanh((Q @ W_1)[..., :, None, :] + (K @ W_2)[..., None, :, :])
    return hidden @ u


def monotone_alignment(weights: ArrayLike) -> NDArray[np.intp]:
    r"""Give each token that asks one that answers, never going back, with the largest sum of logarithms.

    .. math:: \arg\max_{p_1 \le p_2 \le \dots} \sum_i \ln a_{i p_i}

    Parameters
    ----------
    weights : ndarray of shape (..., n_queries, n_keys)
        All above 0.

    Returns
    -------
    places : int ndarray of shape (..., n_queries)
        They never fall. Of equally good ones the last place is the lowest, then the one before it, and so on.

    Raises
    ------
    ValueError
        If there is nobody who asks or answers, or a weight is not above 0.
    TypeError
        If the weights hold anything but real numbers.

    References
    ----------
    Kim et al. (2020), "Glow-TTS: A Generative Flow for Text-to-Speech via Monotonic Alignment Search", section 3.2;
    there a step is 0 or 1.

    Examples
    --------
    >>> monotone_alignment([[0.2, 0.2, 0.6], [0.7, 0.2, 0.1], [0.2, 0.3, 0.5]])
    array([0, 0, 2])
    """
    weights = _check.numbers(weights, "weights", ("n_queries", "n_keys"))
    if not (weights > 0).all():
        raise ValueError(f"weights must be above 0; the smallest is {weights.min():.3g}")
    logs, places = np.log(weights), np.arange(weights.shape[-1])
    total, came_from = logs[..., 0, :], []
    for i in range(1, weights.shape[-2]):
        best = np.maximum.accumulate(total, axis=-1)  # of all beginnings that end here or before
        risen = np.diff(best, axis=-1, prepend=-np.inf) > 0
        came_from.append(np.maximum.accumulate(np.where(risen, places, 0), axis=-1))
        total = best + logs[..., i, :]
    found = [total.argmax(axis=-1)]
    for before in reversed(came_from):
        found.append(np.take_along_axis(before, found[-1][..., None], axis=-1)[..., 0])
    return np.stack(found[::-1], axis=-1)
