"""What comes first: attention does not know it by itself, and what is done so that it does."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
from numpy.typing import ArrayLike, NDArray

from attnlib import _check


def sees_order(attention: Callable[..., ArrayLike], n: int = 7, d: int = 5, seed: int = 0) -> bool:
    """Find out whether a function of tokens knows in which order they stand.

    A function that does not is *permutation-equivariant*: shuffle what goes in, and what comes out is shuffled in the
    same way, and otherwise the same. Two shuffles are tried, an exchange of the first two tokens and a step of all of
    them round a circle, because every other shuffle is made of these; and one at random.

    Parameters
    ----------
    attention : callable
        Takes X of shape (n, d), returns one row for each token, (n, d_v).
    n, d : int, optional
        The size of the X to try it on; d has to fit where `attention` holds weights.
    seed : int, optional
        Of the random numbers in X.

    Returns
    -------
    sees : bool
        True if shuffling the rows of X does anything but shuffle the rows of the result.

    Raises
    ------
    ValueError
        If the result has not one row per token.
    TypeError
        If attention is not a function, or returns a pair instead of the context alone.

    References
    ----------
    Zaheer et al. (2017), "Deep Sets": what all such functions have in common.

    Examples
    --------
    >>> from attnlib import causal_mask, masked_attention, scaled_dot_product_attention
    >>> sees_order(lambda X: scaled_dot_product_attention(X, X, X)[0])
    False
    >>> sees_order(lambda X: masked_attention(X, X, X, causal_mask(len(X)))[0])
    True
    """
    _check.function(attention, "attention")
    n = _check.count(n, "n", least=2)
    d = _check.count(d, "d")
    rng = np.random.default_rng(seed)
    X = rng.standard_normal((n, d))
    plain = _rows(attention, X)
    for order in ([1, 0, *range(2, n)], [*range(1, n), 0], rng.permutation(n)):
        if not np.allclose(_rows(attention, X[order]), plain[order], rtol=1e-6, atol=1e-9, equal_nan=True):
            return True
    return False


def _rows(attention, X):
    context = attention(X.copy())
    if isinstance(context, tuple):
        raise TypeError("attention must return the context alone; got a tuple (add [0])")
    context = _check.numbers(context, "attention(X)")
    if context.ndim < 1 or context.shape[0] != X.shape[0]:
        raise ValueError(f"attention(X) must have one row per token ({X.shape[0]}); got shape {context.shape}")
    return context


def sinusoidal_positions(n: int, d_model: int, base: float = 10000.0) -> NDArray:
    r"""Make a vector for each place: hands of clocks that turn at different speeds.

    .. math:: P_{m, 2i} = \sin(m \theta_i), \quad P_{m, 2i + 1} = \cos(m \theta_i), \quad
        \theta_i = \mathrm{base}^{-2i / d_{\mathrm{model}}}

    Parameters
    ----------
    n : int
        The number of places; they count from 0.
    d_model : int
        Even.
    base : float, optional
        How far the speeds lie apart.

    Returns
    -------
    P : ndarray of shape (n, d_model)
        The dot product of two rows depends on the distance of their places alone.

    Raises
    ------
    ValueError
        If d_model is odd, or base is not positive.
    TypeError
        If n or d_model is not an integer.

    References
    ----------
    Vaswani et al. (2017), "Attention Is All You Need", section 3.5.

    Examples
    --------
    >>> sinusoidal_positions(3, 4).round(4)
    array([[ 0.    ,  1.    ,  0.    ,  1.    ],
           [ 0.8415,  0.5403,  0.01  ,  1.    ],
           [ 0.9093, -0.4161,  0.02  ,  0.9998]])
    """
    n = _check.count(n, "n")
    angles = np.arange(n)[:, None] * _speeds(d_model, base)  # (n, d_model / 2)
    P = np.empty((n, d_model))
    P[:, 0::2], P[:, 1::2] = np.sin(angles), np.cos(angles)
    return P


def rotate(X: ArrayLike, positions: ArrayLike, base: float = 10000.0) -> NDArray:
    r"""Turn each pair of columns of each row by an angle that grows with the row's place.

    .. math:: (x, y) \mapsto (x \cos\alpha - y \sin\alpha, \; x \sin\alpha + y \cos\alpha), \quad
        \alpha = m \cdot \mathrm{base}^{-2i / d}

    for the columns 2i and 2i + 1 of a row at place m: neighbours are a pair.

    Parameters
    ----------
    X : ndarray of shape (..., n, d)
        Queries or keys; d is even.
    positions : integer array_like of shape (n,)
        Where each row stands.
    base : float, optional
        How far the speeds lie apart.

    Returns
    -------
    rotated : ndarray of shape (..., n, d)
        Each row as long as before. The dot product of a rotated query and a rotated key depends on their vectors and
        on the distance of their places alone.

    Raises
    ------
    ValueError
        If d is odd, there is not one position per row, or base is not positive.
    TypeError
        If X holds anything but real numbers, or positions anything but integers.

    References
    ----------
    Su et al. (2024), "RoFormer: Enhanced transformer with rotary position embedding".

    Examples
    --------
    >>> rotate([[1, 0], [1, 0], [1, 0]], [0, 1, 2]).round(3)
    array([[ 1.   ,  0.   ],
           [ 0.54 ,  0.841],
           [-0.416,  0.909]])
    """
    X = _check.numbers(X, "X", ("n", "d"))
    positions = _check.integers(positions, "positions")
    if positions.shape != X.shape[-2:-1]:
        raise ValueError(f"positions must have shape (n,) = {X.shape[-2:-1]}; got shape {positions.shape}")
    angles = positions[:, None] * _speeds(X.shape[-1], base, "the last axis of X")  # (n, d / 2)
    cos, sin = (of(angles).astype(X.dtype, copy=False) for of in (np.cos, np.sin))
    x, y = X[..., 0::2], X[..., 1::2]
    rotated = np.empty_like(X)
    rotated[..., 0::2], rotated[..., 1::2] = x * cos - y * sin, x * sin + y * cos
    return rotated


def rotary_scores(
    Q: ArrayLike, K: ArrayLike, query_positions: ArrayLike, key_positions: ArrayLike, base: float = 10000.0
) -> NDArray:
    r"""Score rotated queries against rotated keys, divided by the square root of d_k.

    .. math:: s_{ij} = q_i \cdot R(n_j - m_i) \, k_j \, / \sqrt{d_k}

    Parameters
    ----------
    Q : ndarray of shape (n_queries, d_k)
    K : ndarray of shape (n_keys, d_k)
        d_k is even.
    query_positions : integer array_like of shape (n_queries,)
    key_positions : integer array_like of shape (n_keys,)
    base : float, optional

    Returns
    -------
    scores : ndarray of shape (n_queries, n_keys)
        They stay the same if all positions grow by the same number.

    Raises
    ------
    ValueError
        If the shapes disagree or d_k is odd.
    TypeError
        If Q or K holds anything but real numbers, or the positions anything but integers.

    Examples
    --------
    >>> rotary_scores([[1, 0]], [[1, 0], [1, 0]], [5], [5, 6]).round(3)
    array([[0.707, 0.382]])
    """
    Q, K = _check.queries_and_keys(Q, K, "d_k")
    turned = rotate(Q, query_positions, base) @ rotate(K, key_positions, base).T
    return turned / np.sqrt(Q.shape[-1])


def shift_matrix(distance: int, d_model: int, base: float = 10000.0) -> NDArray:
    r"""Make the one matrix that moves every sinusoidal position by the same distance.

    .. math:: P_m M = P_{m + \mathrm{distance}} \quad \text{for every place } m

    Parameters
    ----------
    distance : int
        May be negative: back.
    d_model : int
        Even.
    base : float, optional
        That of the positions.

    Returns
    -------
    M : ndarray of shape (d_model, d_model)

    Raises
    ------
    ValueError
        If d_model is odd, or base is not positive.
    TypeError
        If distance or d_model is not an integer.

    References
    ----------
    Vaswani et al. (2017), "Attention Is All You Need", section 3.5: a fixed offset is a linear function.

    Examples
    --------
    >>> P = sinusoidal_positions(9, 6)
    >>> bool(np.allclose(P[:5] @ shift_matrix(4, 6), P[4:]))
    True
    """
    d_model, distance = _check.count(d_model, "d_model"), int(_check.integers(distance, "distance"))
    # A pair is (sin, cos): as the place grows, it turns the other way round than (cos, sin) would.
    return rotate(np.eye(d_model), np.full(d_model, -distance), base)


def _speeds(d_model, base, name="d_model"):
    """The speeds of the clocks, in radians a place, the fastest first; (d_model / 2,)."""
    d_model, base = _check.count(d_model, name), _check.positive(base, "base")
    if d_model % 2:
        raise ValueError(f"{name} must be even, one clock for each pair of columns; got {d_model}")
    return base ** (-np.arange(0, d_model, 2) / d_model)
