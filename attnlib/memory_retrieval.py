"""Attention as a memory that is read by content: a dictionary whose lookup is soft."""

from __future__ import annotations

import math

import numpy as np
from numpy.typing import ArrayLike, NDArray

from attnlib import _check
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

    .. math:: \xi \leftarrow P^\top \mathrm{softmax}(\beta \, P \xi)

    with the patterns as the rows of P. It is attention whose keys and values are both the patterns.

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

    .. math::

        \mathcal{E} = -\mathrm{lse}(\beta, P \xi) + \tfrac{1}{2} \xi \cdot \xi + \tfrac{1}{\beta} \ln n
        + \tfrac{1}{2} R^2

    with :math:`\mathrm{lse}(\beta, z) = \tfrac{1}{\beta} \ln \sum_i e^{\beta z_i}`, the n patterns as the rows of P
    and R the length of the longest.

    Parameters
    ----------
    state : ndarray of shape (..., d)
    patterns : ndarray of shape (..., n, d)
    beta : float
        Positive.

    Returns
    -------
    energy : ndarray of shape (...)
        Between 0 and 2 R^2 for a state in the convex hull of the patterns, as every updated state is.

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


def linear_memory(keys: ArrayLike, values: ArrayLike) -> NDArray:
    r"""Put a whole memory into one matrix: the sum of each value times its key.

    .. math:: M = \sum_j v_j k_j^\top = V^\top K

    Read by :math:`M q`, it mixes the values by their raw scores :math:`k_j \cdot q`: attention without softmax, "linear
    attention". M is as large as before, however much is stored.

    Parameters
    ----------
    keys : ndarray of shape (..., n, d)
    values : ndarray of shape (..., n, d_v)

    Returns
    -------
    M : ndarray of shape (..., d_v, d)

    Raises
    ------
    ValueError
        If the shapes disagree.
    TypeError
        If an argument holds anything but real numbers.

    References
    ----------
    Kohonen (1972), "Correlation Matrix Memories"; Schlag et al. (2021), "Linear Transformers Are Secretly Fast Weight
    Programmers".

    Examples
    --------
    >>> M = linear_memory([[1, 0], [0, 1]], [[10], [20]])
    >>> M @ [1, 0]
    array([10.])
    """
    keys = _check.numbers(keys, "keys", ("n", "d"))
    values = _check.numbers(values, "values", ("n", "d_v"))
    _check.one_value_per_key(keys, values, "keys", "values")
    _check.same_batch(keys=(keys, 2), values=(values, 2))
    return values.mT @ keys


def safe_beta(patterns: ArrayLike, tolerance: float) -> float:
    r"""Find the smallest beta at which one update moves no stored pattern farther than a tolerance.

    By halving an interval: what is safe is taken to stay safe when beta grows.

    Parameters
    ----------
    patterns : ndarray of shape (n, d)
    tolerance : float
        A distance, positive.

    Returns
    -------
    beta : float
        0 if every beta will do, infinity if none up to 1000 will.

    Raises
    ------
    ValueError
        If the tolerance is not positive, or patterns is no matrix.
    TypeError
        If an argument holds anything but real numbers.

    Examples
    --------
    >>> round(safe_beta([[1, 1, -1, -1], [1, -1, 1, -1]], 0.1), 3)
    0.827
    >>> safe_beta([[1, 0], [3, 0]], 0.1)
    inf
    """
    patterns = _check.numbers(patterns, "patterns", ("n", "d"))
    if patterns.ndim != 2:
        raise ValueError(f"patterns must have shape (n, d); got shape {patterns.shape}")
    tolerance = _check.positive(tolerance, "tolerance")
    scores = patterns @ patterns.T

    def safe(beta: float) -> bool:
        moves = softmax(beta * scores) @ patterns - patterns
        return bool(np.linalg.norm(moves, axis=1).max() <= tolerance)

    low, high = 0.0, 1000.0
    if safe(low):
        return low
    if not safe(high):
        return math.inf
    for _ in range(60):
        middle = (low + high) / 2
        low, high = (low, middle) if safe(middle) else (middle, high)
    return high
