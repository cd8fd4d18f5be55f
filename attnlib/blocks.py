"""A transformer block: attention, then a feed-forward layer, each added to what was there, and norms beside them."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from attnlib import _check
from attnlib.encoder import erf
from attnlib.multi_head import multi_head_attention


def layer_norm(X: ArrayLike, weight: ArrayLike, bias: ArrayLike, epsilon: float = 1e-12) -> NDArray:
    r"""Shift and stretch every row to mean 0 and variance 1, then scale and shift each column as learned.

    .. math:: \frac{x - \bar{x}}{\sqrt{\mathrm{var}(x) + \epsilon}} \odot \gamma + \beta

    Parameters
    ----------
    X : ndarray of shape (..., n, d)
    weight, bias : ndarray of shape (d,)
        Gamma and beta above.
    epsilon : float, optional
        Keeps a row of equal numbers from a division by zero. The default is that of BERT.

    Returns
    -------
    normalised : ndarray of shape (..., n, d)

    Raises
    ------
    ValueError
        If the shapes disagree.
    TypeError
        If an argument holds anything but real numbers.

    References
    ----------
    Ba et al. (2016), "Layer Normalization".

    Examples
    --------
    >>> layer_norm([[1, 2, 3]], [1, 1, 1], [0, 0, 10]).round(3)
    array([[-1.225,  0.   , 11.225]])
    """
    X = _check.numbers(X, "X", ("n", "d"))
    weight, bias = _check.numbers(weight, "weight"), _check.numbers(bias, "bias")
    for name, array in [("weight", weight), ("bias", bias)]:
        if array.shape != X.shape[-1:]:
            raise ValueError(f"{name} must have shape (d,) = {X.shape[-1:]}; got {name} of shape {array.shape}")
    epsilon = _check.positive(epsilon, "epsilon")
    centred = X - X.mean(axis=-1, keepdims=True)
    variance = (centred * centred).mean(axis=-1, keepdims=True)
    return centred / np.sqrt(variance + epsilon) * weight + bias


def gelu(x: ArrayLike) -> NDArray:
    r"""Let large numbers through and keep small ones back: the bend of a feed-forward layer.

    .. math:: x \, \Phi(x), \qquad \Phi(x) = \tfrac{1}{2} \left(1 + \mathrm{erf}(x / \sqrt{2})\right)

    :math:`\Phi(x)` is the chance that a standard normal number is below x.

    Parameters
    ----------
    x : ndarray of any shape

    Returns
    -------
    bent : ndarray of the same shape

    Raises
    ------
    TypeError
        If x holds anything but real numbers.

    References
    ----------
    Hendrycks and Gimpel (2016), "Gaussian Error Linear Units (GELUs)".

    Examples
    --------
    >>> gelu([-3, -1, 0, 1, 3]).round(3)
    array([-0.004, -0.159,  0.   ,  0.841,  2.996])
    """
    x = _check.numbers(x, "x")
    return x * (1 + erf(x / np.sqrt(x.dtype.type(2)))) / 2


def feed_forward(X: ArrayLike, W_1: ArrayLike, b_1: ArrayLike, W_2: ArrayLike, b_2: ArrayLike) -> NDArray:
    r"""Ask every unit how well its key matches the token, and add up the units' values, each as far as it woke.

    .. math:: \mathrm{gelu}(X W_1 + b_1) \, W_2 + b_2

    Column i of :math:`W_1` is the key of unit i, row i of :math:`W_2` its value. No token sees another.

    Parameters
    ----------
    X : ndarray of shape (..., n, d_model)
    W_1 : ndarray of shape (d_model, d_ff)
    b_1 : ndarray of shape (d_ff,)
    W_2 : ndarray of shape (d_ff, d_model)
    b_2 : ndarray of shape (d_model,)

    Returns
    -------
    added : ndarray of shape (..., n, d_model)

    Raises
    ------
    ValueError
        If the shapes disagree.
    TypeError
        If an argument holds anything but real numbers.

    References
    ----------
    Vaswani et al. (2017), "Attention Is All You Need", section 3.3; Geva et al. (2021), "Transformer Feed-Forward
    Layers Are Key-Value Memories".

    Examples
    --------
    >>> feed_forward([[1, 2], [0, -3]], [[1], [1]], [0], [[10, 20]], [1, 1]).round(2)
    array([[30.96, 60.92],
           [ 0.96,  0.92]])
    """
    X = _check.numbers(X, "X", ("n", "d_model"))
    W_1 = _check.projection(W_1, "W_1", X, "X")
    b_1 = _check.bias(_check.numbers(b_1, "b_1"), "b_1", W_1, "W_1")
    W_2 = _check.projection(W_2, "W_2", W_1, "W_1")
    b_2 = _check.bias(_check.numbers(b_2, "b_2"), "b_2", W_2, "W_2")
    return gelu(X @ W_1 + b_1) @ W_2 + b_2


def post_norm_block(X: ArrayLike, layer: Mapping[str, Any], num_heads: int, mask: ArrayLike | None = None) -> NDArray:
    r"""Run one block of an encoder such as BERT: each sublayer is added to its input, and a norm follows.

    .. math:: M = \mathrm{norm}_1(X + \mathrm{attention}(X)), \qquad \mathrm{norm}_2(M + \mathrm{feed\_forward}(M))

    Parameters
    ----------
    X : ndarray of shape (..., n, d_model)
    layer : dict
        "W_q", "W_k", "W_v", "W_o" of shape (d_model, d_model) and their biases "b_q", "b_k", "b_v", "b_o"; "W_1"
        (d_model, d_ff), "b_1", "W_2" (d_ff, d_model), "b_2"; "norm_1_weight", "norm_1_bias", "norm_2_weight",
        "norm_2_bias" (d_model,). Such are the layers of `attnlib.load_encoder`.
    num_heads : int
    mask : bool ndarray broadcastable to (..., n, n), optional
        True where a token may attend to another.

    Returns
    -------
    Y : ndarray of shape (..., n, d_model)

    Raises
    ------
    ValueError
        If the shapes disagree.
    TypeError
        If an argument holds anything but real numbers.

    References
    ----------
    Vaswani et al. (2017), "Attention Is All You Need", section 3.1.

    Examples
    --------
    >>> Z, b = np.zeros((2, 2)), np.zeros(2)
    >>> layer = dict.fromkeys(["W_q", "W_k", "W_v", "W_o", "W_1", "W_2"], Z)
    >>> layer |= dict.fromkeys(["b_q", "b_k", "b_v", "b_o", "b_1", "b_2", "norm_1_bias", "norm_2_bias"], b)
    >>> layer |= dict.fromkeys(["norm_1_weight", "norm_2_weight"], b + 1)
    >>> post_norm_block([[1, 5], [2, 0]], layer, num_heads=1).round(3)
    array([[-1.,  1.],
           [ 1., -1.]])
    """
    X = _check.numbers(X, "X", ("n", "d_model"))
    middle = layer_norm(X + _attention(X, layer, num_heads, mask), layer["norm_1_weight"], layer["norm_1_bias"])
    return layer_norm(middle + _feed_forward(middle, layer), layer["norm_2_weight"], layer["norm_2_bias"])


def pre_norm_block(X: ArrayLike, layer: Mapping[str, Any], num_heads: int, mask: ArrayLike | None = None) -> NDArray:
    r"""Run one block of a decoder such as GPT-2: each sublayer reads a normed copy, and is added to what was there.

    .. math:: M = X + \mathrm{attention}(\mathrm{norm}_1(X)), \qquad M + \mathrm{feed\_forward}(\mathrm{norm}_2(M))

    Parameters
    ----------
    X : ndarray of shape (..., n, d_model)
    layer : dict
        As of `post_norm_block`.
    num_heads : int
    mask : bool ndarray broadcastable to (..., n, n), optional
        True where a token may attend to another.

    Returns
    -------
    Y : ndarray of shape (..., n, d_model)

    Raises
    ------
    ValueError
        If the shapes disagree.
    TypeError
        If an argument holds anything but real numbers.

    References
    ----------
    Xiong et al. (2020), "On Layer Normalization in the Transformer Architecture".

    Examples
    --------
    >>> Z, b = np.zeros((2, 2)), np.zeros(2)
    >>> layer = dict.fromkeys(["W_q", "W_k", "W_v", "W_o", "W_1", "W_2"], Z)
    >>> layer |= dict.fromkeys(["b_q", "b_k", "b_v", "b_1", "b_2", "norm_1_bias", "norm_2_bias"], b)
    >>> layer |= dict.fromkeys(["b_o", "norm_1_weight", "norm_2_weight"], b + 1)
    >>> pre_norm_block([[1, 5], [2, 0]], layer, num_heads=1).round(3)
    array([[2., 6.],
           [3., 1.]])
    """
    X = _check.numbers(X, "X", ("n", "d_model"))
    normed = layer_norm(X, layer["norm_1_weight"], layer["norm_1_bias"])
    middle = X + _attention(normed, layer, num_heads, mask)
    return middle + _feed_forward(layer_norm(middle, layer["norm_2_weight"], layer["norm_2_bias"]), layer)


def _attention(X: NDArray, layer: Mapping[str, Any], num_heads: int, mask: ArrayLike | None) -> NDArray:
    """What the attention of a layer adds."""
    parts = {name: layer[name] for name in ("W_q", "W_k", "W_v", "W_o", "b_q", "b_k", "b_v", "b_o")}
    return multi_head_attention(X, X, num_heads=num_heads, mask=mask, **parts)[0]


def _feed_forward(X: NDArray, layer: Mapping[str, Any]) -> NDArray:
    """What the feed-forward layer of a layer adds."""
    return feed_forward(X, layer["W_1"], layer["b_1"], layer["W_2"], layer["b_2"])
