"""The context vector: an average of the values, weighted by how well their keys match the query.

Nothing is scaled here; `attnlib.scaling` divides the scores by the square root of d_k.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import ArrayLike, NDArray

from attnlib import _check
from attnlib.scores import dot_scores
from attnlib.softmax import softmax


def context_vector(q: ArrayLike, K: ArrayLike, V: ArrayLike) -> NDArray:
    r"""Average the values for one query.

    .. math:: c = \sum_j a_j v_j, \qquad a = \mathrm{softmax}(K q)

    Parameters
    ----------
    q : ndarray of shape (..., d)
    K : ndarray of shape (..., n, d)
    V : ndarray of shape (..., n, d_v)

    Returns
    -------
    context : ndarray of shape (..., d_v)

    Raises
    ------
    ValueError
        If the shapes disagree.
    TypeError
        If an argument holds anything but real numbers.

    Examples
    --------
    "The cat sat" asks on behalf of "The", with the embeddings as queries, keys and values:

    >>> X = [[0.2, 0.5], [0.8, 0.1], [0.3, 0.9]]
    >>> context_vector(X[0], X, X).round(4)
    array([0.4141, 0.5408])
    """
    q, K, V = _check.query_keys_values(q, K, V)
    scores = (K @ q[..., None])[..., 0]  # (..., n, d) @ (..., d, 1) -> (..., n)
    weights = softmax(scores)
    return (weights[..., None, :] @ V)[..., 0, :]  # (..., 1, n) @ (..., n, d_v) -> (..., d_v)


def context_vectors(Q: ArrayLike, K: ArrayLike, V: ArrayLike) -> NDArray:
    r"""Average the values for every query at once.

    .. math:: C = \mathrm{softmax}(Q K^\top) V

    Parameters
    ----------
    Q : ndarray of shape (..., n_queries, d)
    K : ndarray of shape (..., n_keys, d)
    V : ndarray of shape (..., n_keys, d_v)

    Returns
    -------
    context : ndarray of shape (..., n_queries, d_v)
        Row i lies inside the convex hull of the rows of V.

    Raises
    ------
    ValueError
        If the shapes disagree.
    TypeError
        If an argument holds anything but real numbers.

    Examples
    --------
    >>> X = [[0.2, 0.5], [0.8, 0.1], [0.3, 0.9]]  # The, cat, sat
    >>> context_vectors(X, X, X).round(4)
    array([[0.4141, 0.5408],
           [0.4838, 0.4538],
           [0.3959, 0.5775]])
    """
    Q, K, V = _check.queries_keys_values(Q, K, V)
    scores = dot_scores(Q, K)
    weights = softmax(scores)
    return weights @ V


def query_for(weights: ArrayLike, K: ArrayLike) -> NDArray:
    r"""Find the one query that gives these weights to these keys.

    With one key more than coordinates there is exactly one, whatever the weights:

    .. math:: (k_j - k_1) \cdot q = \log a_j - \log a_1, \qquad j = 2, \dots, d + 1

    Parameters
    ----------
    weights : ndarray of shape (..., n_keys)
        All positive, with the sum 1.
    K : ndarray of shape (..., n_keys, d)
        One key more than coordinates, n_keys = d + 1. The differences between the keys must be independent:
        no three keys of the plane on one line.

    Returns
    -------
    q : ndarray of shape (..., d)

    Raises
    ------
    ValueError
        If the shapes disagree, a weight is not positive, the weights do not sum to 1, or the differences between the
        keys are not independent.
    TypeError
        If an argument holds anything but real numbers.

    Examples
    --------
    >>> K = [[1.0, 2.0], [2.0, 2.0], [1.0, 3.0]]
    >>> q = query_for([1 / 6, 2 / 6, 3 / 6], K)
    >>> q.round(4)  # the logarithms of 2 and of 3
    array([0.6931, 1.0986])
    >>> softmax(K @ q).round(4)
    array([0.1667, 0.3333, 0.5   ])
    """
    weights, K = _check.numbers(weights, "weights", ("n_keys",)), _check.numbers(K, "K", ("n_keys", "d"))
    _check.same_batch(weights=(weights, 1), K=(K, 2))
    if K.shape[-2] != K.shape[-1] + 1 or weights.shape[-1] != K.shape[-2]:
        raise ValueError(
            "K must have one row more than columns, and one row for each weight; "
            f"got weights of shape {weights.shape} and K of shape {K.shape}"
        )
    if not (weights > 0).all() or not np.allclose(weights.sum(axis=-1), 1, atol=1e-6):
        raise ValueError("weights must be positive and sum to 1 along the last axis; softmax gives no others")
    logs = np.log(weights)
    try:
        q = np.linalg.solve(K[..., 1:, :] - K[..., :1, :], (logs[..., 1:] - logs[..., :1])[..., None])
    except np.linalg.LinAlgError:
        raise ValueError(
            "the differences between the rows of K must be independent: no three keys of the plane on one line"
        ) from None
    return q[..., 0]
