"""Attention as search: the nearest keys, chosen hard, or weighted softly."""

from __future__ import annotations

import numpy as np
from numpy.typing import ArrayLike, NDArray

from attnlib import _check
from attnlib.scores import cosine_scores, dot_scores, squared_distances
from attnlib.softmax import softmax

METRICS = ("dot", "cosine", "euclidean")


def knn_indices(Q: ArrayLike, K: ArrayLike, k: int, metric: str) -> NDArray[np.intp]:
    """Find the k nearest keys of every query.

    Parameters
    ----------
    Q : ndarray of shape (..., n_queries, d)
    K : ndarray of shape (..., n_keys, d)
    k : int
        Between 1 and n_keys.
    metric : {"dot", "cosine", "euclidean"}
        Nearest means the largest dot product, the largest cosine or the smallest distance.

    Returns
    -------
    indices : integer ndarray of shape (..., n_queries, k)
        Rows of K, nearest first; of equally near keys the one with the lower index comes first.

    Raises
    ------
    ValueError
        If the shapes disagree, k is out of range or the metric has another name.
    TypeError
        If Q or K holds anything but real numbers, or k is not an integer.

    References
    ----------
    Cover and Hart (1967), "Nearest Neighbor Pattern Classification".

    Examples
    --------
    The first and the last key have the same dot product with the query, but not the same distance:

    >>> q, K = [[1, 2]], [[-1, 3], [2, 0], [1, 2]]
    >>> knn_indices(q, K, 1, "dot")
    array([[0]])
    >>> knn_indices(q, K, 1, "euclidean")
    array([[2]])
    """
    if metric not in METRICS:
        raise ValueError(f"metric must be one of {', '.join(METRICS)}; got {metric!r}")
    Q, K = _check.queries_and_keys(Q, K)
    k = _check.count(k, "k", most=K.shape[-2])
    if metric == "euclidean":
        farness = squared_distances(Q, K)
    else:
        farness = -(dot_scores(Q, K) if metric == "dot" else cosine_scores(Q, K))
    return np.argsort(farness, axis=-1, kind="stable")[..., :k]  # stable: a tie keeps the order of the keys


def knn_attention(Q: ArrayLike, K: ArrayLike, V: ArrayLike, k: int) -> NDArray:
    r"""Average the values of the k keys with the highest dot scores, by softmax over these scores.

    With k = n_keys this is `context_vectors`, with k = 1 it returns the best key's value.

    Parameters
    ----------
    Q : ndarray of shape (..., n_queries, d)
    K : ndarray of shape (..., n_keys, d)
    V : ndarray of shape (..., n_keys, d_v)
    k : int
        Between 1 and n_keys. Ties go to the lower index, as in `knn_indices`.

    Returns
    -------
    context : ndarray of shape (..., n_queries, d_v)

    Raises
    ------
    ValueError
        If the shapes disagree or k is out of range.
    TypeError
        If an array holds anything but real numbers, or k is not an integer.

    Examples
    --------
    >>> K = [[1, 2], [2, 0], [-1, 3]]
    >>> knn_attention([[1, 2]], K, [[10], [20], [30]], k=1)
    array([[10.]])
    >>> knn_attention([[1, 2]], K, [[10], [20], [30]], k=2)
    array([[20.]])
    """
    Q, K, V = _check.queries_keys_values(Q, K, V)
    nearest = knn_indices(Q, K, k, "dot")
    scores = dot_scores(Q, K)
    weights = np.zeros_like(scores)
    np.put_along_axis(weights, nearest, softmax(np.take_along_axis(scores, nearest, axis=-1)), axis=-1)
    return weights @ V


def equal_length_keys(K: ArrayLike) -> NDArray:
    r"""Give all keys the length of the longest, by one more coordinate that no score sees.

    .. math:: k_j \mapsto \left(k_j, \sqrt{M^2 - \lVert k_j \rVert^2}\right), \qquad M = \max_j \lVert k_j \rVert

    A query gets a zero there, so its dot products stay as they were; and among keys of equal length the highest dot
    product is the smallest distance.

    Parameters
    ----------
    K : ndarray of shape (..., n_keys, d)

    Returns
    -------
    keys : ndarray of shape (..., n_keys, d + 1)
        The last coordinate is new, and not negative; that of the longest key is 0.

    Raises
    ------
    TypeError
        If K holds anything but real numbers.

    References
    ----------
    Bachrach et al. (2014), "Speeding up the Xbox recommender system using a Euclidean transformation for inner-product
    spaces", section 3.

    Examples
    --------
    >>> equal_length_keys([[3, 4], [0, 0]])
    array([[3., 4., 0.],
           [0., 0., 5.]])
    """
    K = _check.numbers(K, "K", ("n_keys", "d"))
    squared = (K**2).sum(axis=-1, keepdims=True)  # (..., n_keys, 1)
    return np.concatenate([K, np.sqrt(squared.max(axis=-2, keepdims=True) - squared)], axis=-1)


def enough_neighbors(Q: ArrayLike, K: ArrayLike, share: float) -> NDArray[np.intp]:
    """Count how many of its best keys each query needs for a share of its softmax weight.

    Parameters
    ----------
    Q : ndarray of shape (..., n_queries, d)
    K : ndarray of shape (..., n_keys, d)
    share : float
        Above 0, and below 1.

    Returns
    -------
    counts : integer ndarray of shape (..., n_queries)
        For each query the least k whose k largest weights sum to at least `share`.

    Raises
    ------
    ValueError
        If the shapes disagree or `share` is out of range.
    TypeError
        If an array holds anything but real numbers.

    References
    ----------
    Holtzman et al. (2020), "The Curious Case of Neural Text Degeneration", section 3.1: the same rule, for choosing
    words.

    Examples
    --------
    The weights are 0.488, 0.024 and 0.488:

    >>> enough_neighbors([[1, 2]], [[1, 2], [2, 0], [-1, 3]], 0.9)
    array([2])
    """
    if not 0 < share < 1:
        raise ValueError(f"share must lie between 0 and 1; got {share!r}")
    weights = softmax(dot_scores(Q, K))
    reached = np.cumsum(np.sort(weights, axis=-1)[..., ::-1], axis=-1) >= share
    return np.where(reached.any(axis=-1), reached.argmax(axis=-1) + 1, weights.shape[-1])
