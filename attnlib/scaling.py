"""Attention as transformers use it: scores divided by sqrt(d_k), so that the softmax can still learn."""

from __future__ import annotations

import math

import numpy as np
from numpy.typing import ArrayLike, NDArray

from attnlib import _check
from attnlib.softmax import masked_softmax, softmax


def softmax_jacobian(p: ArrayLike) -> NDArray:
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


def scaled_dot_product_attention(
    Q: ArrayLike, K: ArrayLike, V: ArrayLike, mask: ArrayLike | None = None
) -> tuple[NDArray, NDArray]:
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
    weights = softmax(scores) if mask is None else masked_softmax(scores, mask)
    return weights @ V, weights


def context_jacobian(q: ArrayLike, K: ArrayLike, V: ArrayLike) -> NDArray:
    r"""Tell how the context of scaled attention answers a small change of its query.

    .. math:: J = \frac{1}{\sqrt{d_k}} \sum_j a_j (v_j - c)(k_j - \bar k)^\top, \qquad
              a = \mathrm{softmax}(K q / \sqrt{d_k}), \quad c = \sum_j a_j v_j, \quad \bar k = \sum_j a_j k_j

    This is the covariance of values and keys under the weights: attention learns where it is undecided.

    Parameters
    ----------
    q : ndarray of shape (..., d_k)
    K : ndarray of shape (..., n, d_k)
    V : ndarray of shape (..., n, d_v)

    Returns
    -------
    jacobian : ndarray of shape (..., d_v, d_k)
        Entry (i, j): change of number i of the context per change of number j of the query.

    Raises
    ------
    ValueError
        If the shapes disagree.
    TypeError
        If an argument holds anything but real numbers.

    Examples
    --------
    >>> context_jacobian([0, 0], [[1, 0], [0, 1]], [[10], [20]]).round(4)
    array([[-1.7678,  1.7678]])
    """
    q, K, V = _check.query_keys_values(q, K, V)
    root = math.sqrt(q.shape[-1])
    weights = softmax((K @ q[..., None])[..., 0] / root)  # (..., n)
    return V.mT @ softmax_jacobian(weights) @ K / root  # (..., d_v, n) @ (..., n, n) @ (..., n, d_k)
