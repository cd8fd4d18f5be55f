"""From scores to weights: positive, each row sums to 1, and a higher score never gets a smaller weight."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
from numpy.typing import ArrayLike, NDArray

from attnlib import _check


def softmax(x: ArrayLike) -> NDArray:
    r"""Turn each row of scores into weights that sum to 1.

    .. math:: \mathrm{softmax}(x)_j = \frac{e^{x_j}}{\sum_m e^{x_m}}

    Parameters
    ----------
    x : ndarray of shape (..., n)
        Scores; any finite numbers.

    Returns
    -------
    weights : ndarray of shape (..., n)
        Between 0 and 1; the last axis sums to 1.

    Raises
    ------
    ValueError
        If x has no axis or nothing along its last axis.
    TypeError
        If x holds anything but real numbers.

    Notes
    -----
    Adding a constant to a row does not change its weights. Subtracting the row's own maximum is such a change; after
    it the largest exponential is 1, so that nothing overflows and no row sums to 0.

    References
    ----------
    Bridle (1990), "Probabilistic Interpretation of Feedforward Classification Network Outputs".

    Examples
    --------
    >>> softmax([[0.0, 0.0], [1000.0, 0.0]])
    array([[0.5, 0.5],
           [1. , 0. ]])
    """
    x = _check.numbers(x, "x", ("n",))
    with np.errstate(over="ignore"):  # a gap too wide for the dtype becomes -inf, whose exponential is rightly 0
        e = np.exp(x - x.max(axis=-1, keepdims=True))
    return e / e.sum(axis=-1, keepdims=True)


def softmax_with_temperature(x: ArrayLike, temperature: float) -> NDArray:
    r"""Turn scores into weights, sharper when cold and flatter when hot.

    .. math:: \mathrm{softmax}(x / T)

    Towards temperature 0 all weight goes to the largest score (ties share it); towards infinity all weights become
    equal.

    Parameters
    ----------
    x : ndarray of shape (..., n)
    temperature : float
        Positive, in the units of the scores.

    Returns
    -------
    weights : ndarray of shape (..., n)
        The last axis sums to 1.

    Raises
    ------
    ValueError
        If the temperature is not positive, or x is empty.
    TypeError
        If an argument holds anything but real numbers.

    Examples
    --------
    >>> softmax_with_temperature([[0.0, 1.0]], 0.5).round(3)
    array([[0.119, 0.881]])
    >>> softmax_with_temperature([[0.0, 1.0]], 100).round(3)
    array([[0.498, 0.502]])
    """
    x = _check.numbers(x, "x", ("n",))
    temperature = _check.positive(temperature, "temperature")
    with np.errstate(over="ignore"):
        below_the_top = x - x.max(axis=-1, keepdims=True)  # subtracted first: a tiny temperature then overflows to -inf
        return softmax(below_the_top / temperature)


def entropy(p: ArrayLike) -> NDArray:
    r"""Measure how spread out each row of probabilities is.

    .. math:: H(p) = -\sum_j p_j \ln p_j, \qquad 0 \ln 0 = 0

    Parameters
    ----------
    p : ndarray of shape (..., n)
        Probabilities; a row of zeros (nothing to attend to) has entropy 0.

    Returns
    -------
    entropy : ndarray of shape (...)
        In nats: 0 for all weight in one place, ln n for equal weights.

    Raises
    ------
    ValueError
        If p has negative entries.
    TypeError
        If p holds anything but real numbers.

    References
    ----------
    Shannon (1948), "A Mathematical Theory of Communication", section 6.

    Examples
    --------
    >>> entropy([[1.0, 0.0], [0.5, 0.5]]).round(4)
    array([0.    , 0.6931])
    """
    p = _check.numbers(p, "p", ("n",))
    if (p < 0).any():
        raise ValueError(f"p must hold probabilities; got a negative entry, {p.min()}")
    log_p = np.log(np.where(p > 0, p, 1))
    return 0.0 - (p * log_p).sum(axis=-1)  # written as a difference because -0.0 would print as "-0."


def masked_softmax(scores: ArrayLike, mask: ArrayLike) -> NDArray:
    r"""Turn scores into weights as if the forbidden keys were not there.

    .. math:: \mathrm{softmax}(s'), \qquad s'_{ij} = s_{ij} \text{ where allowed, } -\infty \text{ elsewhere}

    Parameters
    ----------
    scores : ndarray of shape (..., n_queries, n_keys)
    mask : bool ndarray broadcastable to the scores
        True where a query may attend to a key.

    Returns
    -------
    weights : ndarray of shape (..., n_queries, n_keys)
        Exactly 0 where forbidden. Each row sums to 1; a row with nothing to attend to is all zeros.

    Raises
    ------
    ValueError
        If the mask does not broadcast to the scores.
    TypeError
        If the scores hold anything but real numbers, or the mask anything but booleans.

    Examples
    --------
    >>> masked_softmax([[0.0, 0.0, 9.0], [1.0, 2.0, 3.0]], [[True, True, False], [False, False, False]])
    array([[0.5, 0.5, 0. ],
           [0. , 0. , 0. ]])
    """
    scores = _check.numbers(scores, "scores", ("n_keys",))
    mask = _check.boolean_mask(mask, scores.shape)
    allowed = np.where(mask, scores, -np.inf)
    top = allowed.max(axis=-1, keepdims=True)
    top = np.where(top == -np.inf, 0, top)  # nothing allowed: -inf - 0 is still -inf, where -inf - -inf is NaN
    with np.errstate(over="ignore"):
        e = np.exp(allowed - top)
    total = e.sum(axis=-1, keepdims=True)
    return e / np.where(total > 0, total, 1)


def temperature_of(weigh: Callable[[NDArray], ArrayLike]) -> float:
    r"""Find the temperature of a softmax that can only be called.

    .. math:: \frac{w_2}{w_1} = e^{(s_2 - s_1) / T} \quad\Rightarrow\quad T = \frac{s_2 - s_1}{\ln (w_2 / w_1)}

    Parameters
    ----------
    weigh : callable
        Takes scores of shape (n_queries, n_keys) and returns weights of the same shape, which are positive, sum to 1
        in each row and do not change when all scores of a row are shifted; a larger score gets a larger weight.

    Returns
    -------
    temperature : float
        In the units of the scores; between about 0.001 and 1000 all digits but the last few are right.

    Raises
    ------
    ValueError
        If the larger of two scores does not get the larger weight.

    Examples
    --------
    >>> round(temperature_of(lambda x: softmax_with_temperature(x, 8.0)), 6)
    8.0
    """
    step = 0.02  # so wide that a hot softmax shows a difference, so narrow that a cold one leaves something of both
    low, high = _check.numbers(weigh(np.array([[0.0, step]])), "weigh(x)", ("n_queries", "n_keys"))[0]
    if not 0 < low < high:
        raise ValueError(f"weigh must give the larger score the larger weight; got {low} and {high}")
    return float(step / np.log(high / low))
