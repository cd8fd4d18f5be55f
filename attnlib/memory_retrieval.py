"""Attention as a memory that is read by content: a dictionary whose lookup is soft."""

from __future__ import annotations

import math

import numpy as np
from numpy.typing import ArrayLike, NDArray

from attnlib import _check
from attnlib.scores import dot_scores
from attnlib.softmax import softmax


def soft_lookup(query: ArrayLike, keys: ArrayLike, values: ArrayLike, beta: float) -> NDArray:
    r"""Read a memory: every stored value answers, the better its key matches the louder.

    .. math:: \mathrm{softmax}(\beta \, K q) \, V

    Parameters
    ----------
    query : ndarray of shape (..., d)
    keys : ndarray of shape (..., n, d)
        The addresses.
    values : ndarray of shape (..., n, d_v)
        The contents.
    beta : float
        How decided the lookup is: 0 gives the mean of all values, a large beta the value of the best key. It is
        one over a temperature.

    Returns
    -------
    value : ndarray of shape (..., d_v)

    Raises
    ------
    ValueError
        If the shapes disagree.
    TypeError
        If an argument holds anything but real numbers.

    Examples
    --------
    >>> keys, values = [[1, 0], [0, 1]], [[10], [20]]
    >>> soft_lookup([1, 0], keys, values, beta=1).round(3)
    array([12.689])
    >>> soft_lookup([1, 0], keys, values, beta=50).round(3)
    array([10.])
    """
    query, keys, values = _check.query_keys_values(query, keys, values, ("query", "keys", "values"))
    beta = _check.real(beta, "beta")
    scores = (keys @ query[..., None])[..., 0]  # (..., n, d) @ (..., d, 1) -> (..., n)
    weights = softmax(beta * scores)
    return (weights[..., None, :] @ values)[..., 0, :]  # (..., 1, n) @ (..., n, d_v) -> (..., d_v)


def hopfield_update(state: ArrayLike, patterns: ArrayLike, beta: float) -> NDArray:
    r"""Move a state one step towards the stored patterns that it resembles.

    .. math:: \xi \leftarrow X^\top \mathrm{softmax}(\beta \, X \xi)

    with the patterns as the rows of X. It is attention whose keys and values are both the patterns.

    Parameters
    ----------
    state : ndarray of shape (..., d)
    patterns : ndarray of shape (..., n, d)
    beta : float
        Too small, and the memories blend into one; large, and one step recalls the nearest.

    Returns
    -------
    state : ndarray of shape (..., d)

    Raises
    ------
    ValueError
        If the shapes disagree.
    TypeError
        If an argument holds anything but real numbers.

    References
    ----------
    Ramsauer et al. (2021), "Hopfield Networks is All You Need", eq. 3.

    Examples
    --------
    >>> patterns = [[1, 1, -1, -1], [1, -1, 1, -1]]
    >>> hopfield_update([1, 1, -1, 1], patterns, beta=4).round(2)
    array([ 1.,  1., -1., -1.])
    """
    state, patterns, _ = _check.query_keys_values(state, patterns, patterns, ("state", "patterns", "patterns"))
    return soft_lookup(state, patterns, patterns, beta)


def hopfield_energy(state: ArrayLike, patterns: ArrayLike, beta: float) -> NDArray:
    r"""Measure how far a state is from being a memory; no update raises it.

    .. math:: E = -\mathrm{lse}(\beta, X \xi) + \tfrac{1}{2} \xi \cdot \xi + \tfrac{1}{\beta} \ln N + \tfrac{1}{2} M^2

    with :math:`\mathrm{lse}(\beta, z) = \tfrac{1}{\beta} \ln \sum_i e^{\beta z_i}`, the N patterns as the rows of X
    and M the length of the longest.

    Parameters
    ----------
    state : ndarray of shape (..., d)
    patterns : ndarray of shape (..., n, d)
    beta : float
        Positive.

    Returns
    -------
    energy : ndarray of shape (...)
        Between 0 and 2 M^2 for a state in the convex hull of the patterns, as every updated state is.

    Raises
    ------
    ValueError
        If the shapes disagree or beta is not positive.
    TypeError
        If an argument holds anything but real numbers.

    References
    ----------
    Ramsauer et al. (2021), "Hopfield Networks is All You Need", eq. 2.

    Examples
    --------
    >>> patterns = [[1, 1, -1, -1], [1, -1, 1, -1]]
    >>> float(hopfield_energy([1, 1, -1, 1], patterns, beta=4).round(3))
    2.173
    >>> float(hopfield_energy([1, 1, -1, -1], patterns, beta=4).round(3))
    0.173
    """
    state, patterns, _ = _check.query_keys_values(state, patterns, patterns, ("state", "patterns", "patterns"))
    beta = _check.positive(beta, "beta")
    scores = (patterns @ state[..., None])[..., 0]  # (..., n, d) @ (..., d, 1) -> (..., n)
    top = scores.max(axis=-1)
    lse = top + np.log(np.exp(beta * (scores - top[..., None])).sum(axis=-1)) / beta
    longest_squared = (patterns**2).sum(axis=-1).max(axis=-1)
    return -lse + (state**2).sum(axis=-1) / 2 + math.log(patterns.shape[-2]) / beta + longest_squared / 2


def memory_context(X: ArrayLike, memory_keys: ArrayLike, memory_values: ArrayLike) -> NDArray:
    r"""Let each token read an external memory: queries from the sentence, keys and values from elsewhere.

    .. math:: C = \mathrm{softmax}(X K^\top) V

    Parameters
    ----------
    X : ndarray of shape (..., n, d)
    memory_keys : ndarray of shape (..., n_memories, d)
    memory_values : ndarray of shape (..., n_memories, d_v)

    Returns
    -------
    context : ndarray of shape (..., n, d_v)

    Raises
    ------
    ValueError
        If the shapes disagree.
    TypeError
        If an argument holds anything but real numbers.

    References
    ----------
    Sukhbaatar et al. (2015), "End-To-End Memory Networks".

    Examples
    --------
    >>> memory_context([[9, 0], [0, 9]], [[1, 0], [0, 1]], [[10], [20]]).round(2)
    array([[10.],
           [20.]])
    """
    X, memory_keys, memory_values = _check.queries_keys_values(
        X, memory_keys, memory_values, names=("X", "memory_keys", "memory_values")
    )
    return softmax(dot_scores(X, memory_keys)) @ memory_values
