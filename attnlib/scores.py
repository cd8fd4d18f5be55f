"""How well does each query match each key? Three answers, all of shape (n_queries, n_keys)."""

from __future__ import annotations

import numpy as np
from numpy.typing import ArrayLike, NDArray

from attnlib import _check


def dot_scores(Q: ArrayLike, K: ArrayLike) -> NDArray:
    r"""Score every query against every key by their dot product.

    .. math:: S = Q K^\top, \qquad s_{ij} = q_i \cdot k_j

    Row i belongs to the query that asks, column j to the key that answers. A dot product grows with the length of
    the key as well as with the agreement in direction.

    Parameters
    ----------
    Q : ndarray of shape (..., n_queries, d)
    K : ndarray of shape (..., n_keys, d)

    Returns
    -------
    scores : ndarray of shape (..., n_queries, n_keys)

    Raises
    ------
    ValueError
        If the shapes disagree.
    TypeError
        If Q or K holds anything but real numbers.

    Examples
    --------
    >>> dot_scores([[1, 2]], [[1, 2], [2, 0], [-1, 3]])
    array([[5., 2., 5.]])
    """
    Q, K = _check.queries_and_keys(Q, K)
    return Q @ K.mT  # (..., n_queries, d) @ (..., d, n_keys) -> (..., n_queries, n_keys)


def cosine_scores(Q: ArrayLike, K: ArrayLike) -> NDArray:
    r"""Score every query against every key by the cosine of the angle between them.

    .. math:: c_{ij} = \frac{q_i \cdot k_j}{\lVert q_i \rVert \, \lVert k_j \rVert}

    Parameters
    ----------
    Q : ndarray of shape (..., n_queries, d)
    K : ndarray of shape (..., n_keys, d)

    Returns
    -------
    scores : ndarray of shape (..., n_queries, n_keys)
        Between -1 and 1. A zero vector has no direction; its cosine with anything is defined as 0.

    Raises
    ------
    ValueError
        If the shapes disagree.
    TypeError
        If Q or K holds anything but real numbers.

    Examples
    --------
    >>> cosine_scores([[1, 0]], [[3, 0], [0, 2], [-1, 0]])
    array([[ 1.,  0., -1.]])
    """
    Q, K = _check.queries_and_keys(Q, K)
    # A cosine does not change with a vector's length, so each is scaled first: the square of 1e200 would overflow.
    Q_scaled, K_scaled = (X / np.maximum(np.abs(X).max(axis=-1, keepdims=True), np.finfo(X.dtype).tiny) for X in (Q, K))
    lengths = np.linalg.norm(Q_scaled, axis=-1)[..., :, None] * np.linalg.norm(K_scaled, axis=-1)[..., None, :]
    return Q_scaled @ K_scaled.mT / np.where(lengths > 0, lengths, 1)  # (..., n_queries, n_keys)


def squared_distances(Q: ArrayLike, K: ArrayLike) -> NDArray:
    r"""Measure the squared Euclidean distance from every query to every key.

    .. math:: d_{ij} = \lVert q_i - k_j \rVert^2
              = \lVert q_i \rVert^2 - 2 \, q_i \cdot k_j + \lVert k_j \rVert^2

    Parameters
    ----------
    Q : ndarray of shape (..., n_queries, d)
    K : ndarray of shape (..., n_keys, d)

    Returns
    -------
    distances : ndarray of shape (..., n_queries, n_keys)
        In squared units of Q and K; small means alike. Never negative, and exactly 0 between equal vectors.

    Raises
    ------
    ValueError
        If the shapes disagree.
    TypeError
        If Q or K holds anything but real numbers.

    Notes
    -----
    The right-hand form is one matrix product and therefore faster, but it subtracts large numbers from each other:
    vectors that lie far from the origin and close together lose their digits. This function takes the differences.

    Examples
    --------
    >>> squared_distances([[1, 2]], [[1, 2], [2, 0], [-1, 3]])
    array([[0., 5., 5.]])
    """
    Q, K = _check.queries_and_keys(Q, K)
    one_query_at_a_time = np.moveaxis(Q[..., None, :], -3, 0)  # keeps memory at n_keys * d, whatever n_queries is
    return np.stack([((q - K) ** 2).sum(axis=-1) for q in one_query_at_a_time], axis=-2)


def unit_rows(X: ArrayLike) -> NDArray:
    r"""Divide every row by its length, so that only its direction is left.

    Parameters
    ----------
    X : ndarray of shape (..., n, d)

    Returns
    -------
    directions : ndarray of shape (..., n, d)
        Rows of length 1; a row of zeros stays a row of zeros.

    Raises
    ------
    TypeError
        If X holds anything but real numbers.

    Examples
    --------
    >>> unit_rows([[3, 4], [0, 0]])
    array([[0.6, 0.8],
           [0. , 0. ]])
    """
    X = _check.numbers(X, "X", ("n", "d"))
    largest = np.abs(X).max(axis=-1, keepdims=True)  # divided out first: the square of 1e200 would overflow
    X = X / np.where(largest > 0, largest, 1)
    length = np.linalg.norm(X, axis=-1, keepdims=True)
    return X / np.where(length > 0, length, 1)
