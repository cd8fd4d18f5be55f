"""Three learned roles for each token: what it asks, what it offers to be found by, what it says."""

from __future__ import annotations

import numpy as np
from numpy.typing import ArrayLike, NDArray

from attnlib import _check
from attnlib.scaling import scaled_dot_product_attention


def project_qkv(X: ArrayLike, W_q: ArrayLike, W_k: ArrayLike, W_v: ArrayLike) -> tuple[NDArray, NDArray, NDArray]:
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
    W_q, W_k, W_v = _check.projections(X, "X", X, "X", W_q, W_k, W_v)
    return X @ W_q, X @ W_k, X @ W_v


def self_attention(
    X: ArrayLike, W_q: ArrayLike, W_k: ArrayLike, W_v: ArrayLike, mask: ArrayLike | None = None
) -> tuple[NDArray, NDArray]:
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
    >>> context, weights = self_attention([[1, 0], [0, 1]], [[1, 0], [0, 2]], [[1, 1], [0, 1]], [[1, 2], [3, 4]])
    >>> weights.round(4)
    array([[0.6698, 0.3302],
           [0.5   , 0.5   ]])
    >>> context.round(4)
    array([[1.6605, 2.6605],
           [2.    , 3.    ]])
    """
    Q, K, V = project_qkv(X, W_q, W_k, W_v)
    return scaled_dot_product_attention(Q, K, V, mask)


def best_factors(M: ArrayLike, d_k: int) -> tuple[NDArray, NDArray]:
    r"""Find two projections whose scores are as near as can be to those that a table asks for.

    .. math:: \min_{W_q, W_k} \sum_{ij} \bigl(M - W_q W_k^\top\bigr)_{ij}^2

    Any table of that size may be asked for; a product of two factors with `d_k` columns has at most the rank `d_k`.

    Parameters
    ----------
    M : ndarray of shape (d_model, d_model)
        Entry (a, b): what coordinate a of the asking token is to give for coordinate b of the answering one.
    d_k : int
        From 1 to d_model.

    Returns
    -------
    W_q, W_k : ndarray of shape (d_model, d_k)
        One pair of many: turned by the same rotation they have the same product.

    Raises
    ------
    ValueError
        If M is not square, or d_k is not from 1 to d_model.
    TypeError
        If M holds anything but real numbers.

    References
    ----------
    Eckart and Young (1936), "The approximation of one matrix by another of lower rank", Psychometrika 1, 211-218.

    Examples
    --------
    >>> W_q, W_k = best_factors([[0, 0, 4], [0, 2, 0], [1, 0, 0]], 2)
    >>> W_q.shape
    (3, 2)
    >>> (W_q @ W_k.T).round(9) + 0.0
    array([[0., 0., 4.],
           [0., 2., 0.],
           [0., 0., 0.]])
    """
    M = _check.numbers(M, "M", ("d_model", "d_model"))
    if M.shape[0] != M.shape[1] or not 1 <= d_k <= len(M):
        raise ValueError(f"M must be square, and d_k from 1 to its width; got shape {M.shape} and d_k={d_k}")
    left, strengths, right = np.linalg.svd(M)
    roots = np.sqrt(strengths[:d_k])
    return left[:, :d_k] * roots, right[:d_k].T * roots
