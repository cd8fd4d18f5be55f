"""The context vector: an average of the values, weighted by how well their keys match the query.

Nothing is scaled here; `attnlib.scaling` divides the scores by the square root of d_k.
"""

from __future__ import annotations

from numpy.typing import ArrayLike, NDArray

from attnlib import _check
from attnlib.scores import dot_scores
from attnlib.softmax import softmax


def context_vector(q: ArrayLike, K: ArrayLike, V: ArrayLike) -> NDArray:
    r"""Average the values for one query.

    .. math:: c = \sum_j w_j v_j, \qquad w = \mathrm{softmax}(K q)

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
