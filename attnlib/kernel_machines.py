"""Attention as kernel regression: weights proportional to a kernel between query and key."""

from __future__ import annotations

import os
from collections.abc import Callable

import numpy as np
from numpy.typing import ArrayLike, NDArray

from attnlib import _check
from attnlib.scores import dot_scores, squared_distances

DATA = os.path.join(os.path.dirname(__file__), "data")


def gaussian_kernel(Q: ArrayLike, K: ArrayLike, bandwidth: float) -> NDArray:
    r"""Weigh a key by its distance from the query: 1 on the spot, falling as a bell.

    .. math:: \kappa(q, k) = \exp\left(-\frac{\lVert q - k \rVert^2}{2 h^2}\right)

    Parameters
    ----------
    Q : ndarray of shape (..., n_queries, d)
    K : ndarray of shape (..., n_keys, d)
    bandwidth : float
        The h above: positive, in the units of Q and K.

    Returns
    -------
    kernel : ndarray of shape (..., n_queries, n_keys)
        Between 0 and 1; exactly 0 where the distance is beyond about 38 bandwidths (13 in float32).

    Raises
    ------
    ValueError
        If the shapes disagree or the bandwidth is not positive.
    TypeError
        If an argument holds anything but real numbers.

    Examples
    --------
    >>> gaussian_kernel([[1, 2]], [[1, 2], [2, 0], [-1, 3]], bandwidth=1).round(4)
    array([[1.    , 0.0821, 0.0821]])
    """
    bandwidth = _check.positive(bandwidth, "bandwidth")
    with np.errstate(over="ignore"):  # divided twice, not by the square: that of a tiny bandwidth would be 0
        return np.exp(-squared_distances(Q, K) / bandwidth / bandwidth / 2)


def exponential_kernel(Q: ArrayLike, K: ArrayLike) -> NDArray:
    r"""Weigh a key by the exponential of its dot product with the query.

    .. math:: \kappa(q, k) = \exp(q \cdot k)

    Normalised by rows these are softmax weights.

    Parameters
    ----------
    Q : ndarray of shape (..., n_queries, d)
    K : ndarray of shape (..., n_keys, d)

    Returns
    -------
    kernel : ndarray of shape (..., n_queries, n_keys)

    Raises
    ------
    ValueError
        If the shapes disagree, or a dot product is so large that its exponential overflows
        (beyond about 709, in float32 88).
    TypeError
        If Q or K holds anything but real numbers.

    Examples
    --------
    >>> exponential_kernel([[0, 1]], [[5, 0], [0, 1]]).round(4)
    array([[1.    , 2.7183]])
    """
    scores = dot_scores(Q, K)
    with np.errstate(over="ignore"):
        kernel = np.exp(scores)
    if np.isinf(kernel).any():
        raise ValueError(
            f"exp(q . k) overflows {kernel.dtype}: the largest q . k is {scores.max()}; use softmax instead"
        )
    return kernel


def kernel_attention(Q: ArrayLike, K: ArrayLike, V: ArrayLike, kernel: Callable[..., ArrayLike]) -> NDArray:
    r"""Average the values, weighted by a kernel between query and key (Nadaraya-Watson regression).

    .. math:: c_i = \frac{\sum_j \kappa(q_i, k_j) \, v_j}{\sum_j \kappa(q_i, k_j)}

    Parameters
    ----------
    Q : ndarray of shape (..., n_queries, d)
    K : ndarray of shape (..., n_keys, d)
    V : ndarray of shape (..., n_keys, d_v)
    kernel : callable
        Takes Q and K, returns an ndarray of shape (..., n_queries, n_keys).

    Returns
    -------
    context : ndarray of shape (..., n_queries, d_v)
        A row whose kernel values sum to 0 (no key within reach) has nothing to attend to: its context is zero.

    Raises
    ------
    ValueError
        If the shapes disagree, or the kernel returns another shape or anything infinite or NaN.
    TypeError
        If an array holds anything but real numbers, or kernel is not a function.

    References
    ----------
    Nadaraya (1964), "On Estimating Regression"; Watson (1964), "Smooth Regression Analysis".

    Examples
    --------
    >>> x, y = [[0], [1], [3]], [[10], [20], [30]]
    >>> kernel_attention([[0.5], [99]], x, y, lambda Q, K: gaussian_kernel(Q, K, bandwidth=0.2)).round(3)
    array([[15.],
           [ 0.]])
    """
    _check.function(kernel, "kernel")
    Q, K, V = _check.queries_keys_values(Q, K, V)
    similarity = _check.numbers(kernel(Q, K), "kernel(Q, K)")
    shape = (*np.broadcast_shapes(Q.shape[:-2], K.shape[:-2]), Q.shape[-2], K.shape[-2])
    if similarity.shape != shape:
        raise ValueError(f"kernel(Q, K) must have shape (..., n_queries, n_keys) = {shape}; got {similarity.shape}")
    if not np.isfinite(similarity).all():
        raise ValueError("kernel(Q, K) must be finite; got infinity or NaN")
    total = similarity.sum(axis=-1, keepdims=True)
    weights = np.divide(similarity, total, out=np.zeros_like(similarity), where=total != 0)
    return weights @ V


def leave_one_out_bandwidth(x: ArrayLike, y: ArrayLike, bandwidths: ArrayLike) -> float | NDArray:
    """Choose the bandwidth that predicts each point best from the others, by Gaussian kernel regression.

    Parameters
    ----------
    x : ndarray of shape (..., n)
        Where the points are; at least two.
    y : ndarray of shape (..., n)
        Their values.
    bandwidths : ndarray of shape (n_candidates,)
        Positive, in the units of x.

    Returns
    -------
    bandwidth : float or ndarray of shape (...)
        The candidate with the least sum of squared errors; of equals the first. A point that no other reaches is
        predicted as 0, as in `kernel_attention`.

    Raises
    ------
    ValueError
        If x and y differ in shape, or a bandwidth is not positive.
    TypeError
        If an argument holds anything but real numbers.

    References
    ----------
    Stone (1974), "Cross-Validatory Choice and Assessment of Statistical Predictions".

    Examples
    --------
    >>> year, flow = load_nile()
    >>> float(leave_one_out_bandwidth(year, flow, [1, 2, 4, 8, 16]))
    2.0
    """
    x = _check.numbers(x, "x", ("n",))
    y = _check.numbers(y, "y", ("n",))
    bandwidths = _check.numbers(bandwidths, "bandwidths", ("n_candidates",))
    if x.shape != y.shape or x.shape[-1] < 2:
        raise ValueError(f"x and y must have the same shape, with 2 points or more; got {x.shape} and {y.shape}")
    if bandwidths.ndim != 1 or not (bandwidths > 0).all():
        raise ValueError(f"bandwidths must be a row of positive numbers; got {bandwidths}")
    points, values = x[..., None], y[..., None]  # (..., n) -> (..., n, 1): n keys with one coordinate each
    others = 1 - np.eye(x.shape[-1])
    errors = []
    for bandwidth in bandwidths:
        predicted = kernel_attention(
            points, points, values, lambda Q, K, h=bandwidth: gaussian_kernel(Q, K, h) * others
        )
        errors.append(((predicted - values) ** 2).sum(axis=(-2, -1)))
    return bandwidths[np.argmin(errors, axis=0)]


def learned_kernel(X: ArrayLike, Y: ArrayLike, W_q: ArrayLike, W_k: ArrayLike) -> NDArray:
    r"""Weigh y by x with the kernel that two projections learn.

    .. math:: \kappa(x, y) = \exp\left((x W_q) \cdot (y W_k)\right)

    Unless W_q and W_k agree it is in general neither symmetric nor positive semi-definite.

    Parameters
    ----------
    X : ndarray of shape (..., n_queries, d_model)
    Y : ndarray of shape (..., n_keys, d_model)
    W_q, W_k : ndarray of shape (d_model, d_k)

    Returns
    -------
    kernel : ndarray of shape (..., n_queries, n_keys)

    Raises
    ------
    ValueError
        If the shapes disagree or an exponential overflows.
    TypeError
        If an argument holds anything but real numbers.

    References
    ----------
    Tsai et al. (2019), "Transformer Dissection: An Unified Understanding for Transformer's Attention via the Lens
    of Kernel".

    Examples
    --------
    >>> x, y = [[1, 0]], [[0, 1]]
    >>> W_q, W_k = [[1], [0]], [[0], [1]]
    >>> learned_kernel(x, y, W_q, W_k).round(4), learned_kernel(y, x, W_q, W_k)
    (array([[2.7183]]), array([[1.]]))
    """
    X = _check.numbers(X, "X", ("n_queries", "d_model"))
    Y = _check.numbers(Y, "Y", ("n_keys", "d_model"))
    W_q = _check.projection(W_q, "W_q", X, "X")
    W_k = _check.projection(W_k, "W_k", Y, "Y")
    _check.same_columns(W_k, "W_k", W_q, "W_q")
    _check.same_batch(X=(X, 2), Y=(Y, 2))
    return exponential_kernel(X @ W_q, Y @ W_k)


def load_nile() -> tuple[NDArray, NDArray]:
    """Load the annual flow of the Nile at Aswan from 1871 to 1970.

    Returns
    -------
    year : ndarray of shape (100,)
    flow : ndarray of shape (100,)
        In units of 100 million cubic metres.

    Notes
    -----
    Source and licence are in ``attnlib/data/README.md``.

    Examples
    --------
    >>> year, flow = load_nile()
    >>> year[0], flow[0], flow.mean()
    (np.float64(1871.0), np.float64(1120.0), np.float64(919.35))
    """
    year, flow = np.loadtxt(os.path.join(DATA, "nile.csv"), delimiter=",", skiprows=1, unpack=True)
    return year, flow


def bandwidth_gradient(x: ArrayLike, y: ArrayLike, bandwidth: float) -> float:
    r"""Slope of the leave-one-out error as the bandwidth grows.

    .. math:: \frac{dE}{dh} = \sum_i 2 (\hat y_i - y_i) \frac{d\hat y_i}{dh}, \qquad
        \frac{d\hat y_i}{dh} = \sum_j a_{ij} \Big(g_{ij} - \sum_m a_{im} g_{im}\Big) y_j, \qquad
        g_{ij} = \frac{(x_i - x_j)^2}{h^3}

    Parameters
    ----------
    x : ndarray of shape (n,)
        Where the points are; at least two.
    y : ndarray of shape (n,)
        Their values.
    bandwidth : float
        Positive; a point that no other reaches adds nothing to the slope.

    Returns
    -------
    slope : float
        Of the sum of squared errors, in squared units of y per unit of x.

    Raises
    ------
    ValueError
        If x and y differ in shape, or the bandwidth is not positive.
    TypeError
        If an argument holds anything but real numbers.

    References
    ----------
    Stone (1974), "Cross-Validatory Choice and Assessment of Statistical Predictions": the error.

    Examples
    --------
    On a line every prediction from the neighbours gets worse as the bell grows wider:

    >>> round(bandwidth_gradient([0, 1, 2, 3], [0, 1, 2, 3], 1.0), 3)
    3.52
    """
    x, y = _check.numbers(x, "x", ("n",)), _check.numbers(y, "y", ("n",))
    if x.ndim != 1 or x.shape != y.shape or len(x) < 2:
        raise ValueError(f"x and y must be rows of the same size, with 2 points or more; got {x.shape} and {y.shape}")
    kernel = gaussian_kernel(x[:, None], x[:, None], bandwidth) * (1 - np.eye(len(x)))
    total = kernel.sum(axis=-1, keepdims=True)
    weights = kernel / np.where(total == 0, 1.0, total)
    growth = (x[:, None] - x) ** 2 / bandwidth**3  # of the logarithm of each kernel value
    mean_growth = (weights * growth).sum(axis=-1, keepdims=True)
    change = (weights * (growth - mean_growth)) @ y  # (n,)
    return float((2 * (weights @ y - y) * change).sum())
