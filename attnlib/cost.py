"""What attention costs, and three ways to pay less: in pieces, with a state of fixed size, with a cache."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from attnlib import _check
from attnlib.masks import masked_attention
from attnlib.multi_head import merge_heads, split_heads
from attnlib.positions import rotate
from attnlib.softmax import softmax_with_temperature

Partial = tuple[NDArray, NDArray, NDArray]


def merge_partial(a: tuple[ArrayLike, ...], b: tuple[ArrayLike, ...]) -> Partial:
    r"""Make one partial result of two: what softmax attention knows of some keys, and of some others.

    A partial result is (m, l, o). For the scores :math:`s_j` of the keys that it has seen, and their values
    :math:`v_j`,

    .. math:: m = \max_j s_j, \qquad l = \sum_j e^{s_j - m}, \qquad o = \sum_j e^{s_j - m} v_j

    for each query, and ``o / l`` is the context of these keys.

    Parameters
    ----------
    a, b : (m, l, o)
        m and l of shape (n,), o of shape (n, d_v). One that has seen no key has m = -inf, l = 0 and o = 0.

    Returns
    -------
    (m, l, o)
        Of the keys of both, with shapes as before.

    Raises
    ------
    ValueError
        If one of the two is not three arrays, or the shapes disagree.
    TypeError
        If an array holds anything but real numbers.

    References
    ----------
    Milakov and Gimelshein (2018), "Online normalizer calculation for softmax"; Rabe and Staats (2021), "Self-attention
    Does Not Need O(n^2) Memory".

    Examples
    --------
    Scores 1, and 3 and 2, for values 10, 20 and 30:

    >>> m, l, o = merge_partial(([1.0], [1.0], [[10.0]]), ([3.0], [1.3679], [[31.0364]]))
    >>> m, l.round(4), o.round(3), (o / l[:, None]).round(3)
    (array([3.]), array([1.5032]), array([[32.39]]), array([[21.547]]))
    """
    (m_a, l_a, o_a), (m_b, l_b, o_b) = _partial(a, "a"), _partial(b, "b")
    if m_a.shape != m_b.shape or o_a.shape != o_b.shape:
        raise ValueError(f"a and b must have the same shapes; got o of shapes {o_a.shape} and {o_b.shape}")
    m = np.maximum(m_a, m_b)
    # Where nothing has been seen, -inf less -inf would not be a number.
    top = np.where(np.isfinite(m), m, 0)
    shrink_a, shrink_b = np.exp(m_a - top), np.exp(m_b - top)  # (n,)
    return m, l_a * shrink_a + l_b * shrink_b, o_a * shrink_a[:, None] + o_b * shrink_b[:, None]


def chunked_attention(Q: ArrayLike, K: ArrayLike, V: ArrayLike, chunk_size: int) -> NDArray:
    r"""Compute scaled attention from a few keys at a time; the whole matrix of scores is never there.

    .. math:: \mathrm{softmax}\left(Q K^\top / \sqrt{d_k}\right) V

    Parameters
    ----------
    Q : ndarray of shape (n_queries, d_k)
    K : ndarray of shape (n_keys, d_k)
    V : ndarray of shape (n_keys, d_v)
    chunk_size : int
        How many keys make a piece; the last piece may be smaller.

    Returns
    -------
    context : ndarray of shape (n_queries, d_v)
        The same for every `chunk_size`, but for rounding.

    Raises
    ------
    ValueError
        If the shapes disagree, or chunk_size is below 1.
    TypeError
        If chunk_size is not an integer, or a matrix holds anything but real numbers.

    References
    ----------
    Dao et al. (2022), "FlashAttention: Fast and Memory-Efficient Exact Attention with IO-Awareness".

    Examples
    --------
    >>> chunked_attention([[1]], [[1], [3], [2]], [[10], [20], [30]], 2).round(3)
    array([[21.547]])
    """
    Q, K, V = _check.queries_keys_values(Q, K, V)
    chunk_size = _check.count(chunk_size, "chunk_size")
    n, dtype = Q.shape[0], np.result_type(Q, K, V)
    Q = Q / Q.dtype.type(np.sqrt(Q.shape[-1]))
    seen: Partial = np.full(n, -np.inf, dtype), np.zeros(n, dtype), np.zeros((n, V.shape[-1]), dtype)
    for first in range(0, K.shape[0], chunk_size):
        scores = Q @ K[first : first + chunk_size].T  # (n_queries, chunk_size)
        m = scores.max(axis=-1)
        powers = np.exp(scores - m[:, None])
        seen = merge_partial(seen, (m, powers.sum(axis=-1), powers @ V[first : first + chunk_size]))
    _, l, o = seen
    return o / l[:, None]


def causal_linear_attention(Q: ArrayLike, K: ArrayLike, V: ArrayLike) -> NDArray:
    r"""Compute causal attention without a softmax, from a state that stays as large as it is.

    .. math:: c_i = \frac{\sum_{j \le i} \phi(q_i) \cdot \phi(k_j) \, v_j}{\sum_{j \le i} \phi(q_i) \cdot \phi(k_j)},
        \qquad \phi(x) = x + 1 \text{ for } x > 0, \text{ else } e^x

    Parameters
    ----------
    Q : ndarray of shape (n, d_k)
    K : ndarray of shape (n, d_k)
    V : ndarray of shape (n, d_v)

    Returns
    -------
    context : ndarray of shape (n, d_v)
        It is another function than softmax attention, not an approximation of it.

    Raises
    ------
    ValueError
        If the shapes disagree.
    TypeError
        If a matrix holds anything but real numbers.

    References
    ----------
    Katharopoulos et al. (2020), "Transformers are RNNs: Fast Autoregressive Transformers with Linear Attention".

    Examples
    --------
    >>> causal_linear_attention([[1], [0]], [[0], [1]], [[10], [40]])
    array([[10.],
           [30.]])
    """
    Q, K, V = _check.queries_keys_values(Q, K, V)
    if Q.shape != K.shape:
        raise ValueError(f"Q and K must have the same shape, one query for each key; got {Q.shape} and {K.shape}")
    n, d_k = K.shape
    S, z = np.zeros((d_k, V.shape[-1]), V.dtype), np.zeros(d_k, K.dtype)
    context = np.empty((n, V.shape[-1]), np.result_type(Q, K, V))
    for i, (q, k, v) in enumerate(zip(_positive(Q), _positive(K), V, strict=True)):
        S, z = S + np.outer(k, v), z + k  # all that is kept: (d_k, d_v) and (d_k,)
        context[i] = (q @ S) / (q @ z)
    return context


def corrected_memory(keys: ArrayLike, values: ArrayLike) -> NDArray:
    r"""Store pairs in one matrix, one after the other, each time only what it does not say already.

    .. math:: M \leftarrow M + (v - M k) \, k^\top

    Parameters
    ----------
    keys : ndarray of shape (n, d)
        Rows of length 1.
    values : ndarray of shape (n, d_v)

    Returns
    -------
    M : ndarray of shape (d_v, d)
        ``M @ key`` is read; the last pair comes back exactly.

    Raises
    ------
    ValueError
        If there is not one value for each key.
    TypeError
        If keys or values hold anything but real numbers.

    References
    ----------
    Schlag et al. (2021), "Linear Transformers Are Secretly Fast Weight Programmers": the delta rule.

    Examples
    --------
    A key that comes again gets its new value:

    >>> corrected_memory([[1, 0], [0, 1], [1, 0]], [[10], [20], [30]])
    array([[30., 20.]])
    """
    keys, values = _check.numbers(keys, "keys", ("n", "d")), _check.numbers(values, "values", ("n", "d_v"))
    _check.one_value_per_key(keys, values, "keys", "values")
    M = np.zeros((values.shape[-1], keys.shape[-1]))
    for key, value in zip(keys, values, strict=True):
        M = M + np.outer(value - M @ key, key)
    return M


def cached_heads(
    X_new: ArrayLike,
    cache: tuple[ArrayLike, ArrayLike] | None,
    layer: Mapping[str, Any],
    num_heads: int,
    base: float = 10000.0,
) -> tuple[NDArray, NDArray, NDArray]:
    r"""Run the causal attention of a layer for new tokens only; keys and values of the old ones are kept.

    Parameters
    ----------
    X_new : ndarray of shape (n_new, d_model)
        The tokens at the places t to t + n_new - 1.
    cache : (K, V) or None
        Keys and values of the t tokens before, each of shape (num_heads, t, d_k); the keys are rotated already. None
        if there are none.
    layer : dict
        "W_q", "W_k", "W_v", "W_o" of shape (d_model, d_model) and their biases "b_q", "b_k", "b_v", "b_o" (d_model,).
    num_heads : int
        d_model / num_heads, which is d_k, is even.
    base : float, optional
        Of the rotation.

    Returns
    -------
    added : ndarray of shape (n_new, d_model)
        What the attention of the layer adds to each new token.
    K, V : ndarray of shape (num_heads, t + n_new, d_k)
        The cache for the next call: the new tokens behind the old ones.

    Raises
    ------
    ValueError
        If the shapes disagree.
    TypeError
        If an array holds anything but real numbers.

    References
    ----------
    Pope et al. (2023), "Efficiently Scaling Transformer Inference".

    Examples
    --------
    >>> one, zero = np.eye(2), np.zeros(2)
    >>> layer = dict.fromkeys(["W_q", "W_k", "W_v", "W_o"], one) | dict.fromkeys(["b_q", "b_k", "b_v", "b_o"], zero)
    >>> first, *cache = cached_heads([[1, 0]], None, layer, num_heads=1)
    >>> second, K, V = cached_heads([[0, 1]], cache, layer, num_heads=1)
    >>> first, second.round(3), K.round(3)
    (array([[1., 0.]]), array([[0.214, 0.786]]), array([[[ 1.   ,  0.   ],
            [-0.841,  0.54 ]]]))
    """
    X_new = _check.numbers(X_new, "X_new", ("n_new", "d_model"))
    Q, K, V = (split_heads(X_new @ layer[f"W_{role}"] + layer[f"b_{role}"], num_heads) for role in "qkv")
    t = 0 if cache is None else np.shape(cache[0])[-2]
    places = np.arange(t, t + X_new.shape[0])
    Q, K = rotate(Q, places, base), rotate(K, places, base)
    if cache is not None:
        old_K, old_V = (_check.numbers(old, "cache") for old in cache)
        for name, old in (("keys", old_K), ("values", old_V)):
            wanted = (num_heads, t, K.shape[-1])
            if old.shape != wanted:
                raise ValueError(f"the {name} of cache must have shape (num_heads, t, d_k) = {wanted}; got {old.shape}")
        K, V = np.concatenate([old_K, K], axis=-2), np.concatenate([old_V, V], axis=-2)
    context, _ = masked_attention(Q, K, V, np.arange(K.shape[-2]) <= places[:, None])  # (num_heads, n_new, d_k)
    return merge_heads(context) @ layer["W_o"] + layer["b_o"], K, V


def generate(
    next_logits: Callable[[NDArray], ArrayLike], ids: ArrayLike, uniforms: ArrayLike, temperature: float
) -> NDArray:
    r"""Write: draw one token after the other, each from what the model says of all before it.

    Parameters
    ----------
    next_logits : callable
        Takes the ids so far, (t,), returns a score for each token that may come next, (n_tokens,).
    ids : integer array_like of shape (t,)
        How the text begins.
    uniforms : ndarray of shape (steps,)
        A number from 0 to below 1 for each token that is to be drawn: the first token is taken with which the
        probabilities, ``softmax(logits / temperature)`` added up in their order, exceed it; the last one where rounding
        leaves none.
    temperature : float

    Returns
    -------
    ids : ndarray of shape (t + steps,)

    Raises
    ------
    ValueError
        If temperature is not positive, or a number of uniforms is below 0, or 1 or more.
    TypeError
        If next_logits cannot be called, or ids are not integers.

    References
    ----------
    Holtzman et al. (2020), "The Curious Case of Neural Text Degeneration".

    Examples
    --------
    A model that holds each token for likely which is one more than the last:

    >>> def counts(ids):
    ...     return np.where(np.arange(5) == (ids[-1] + 1) % 5, 2.0, 0.0)
    >>> generate(counts, [0], [0.5, 0.5, 0.05, 0.5], temperature=1.0)
    array([0, 1, 2, 0, 1])
    """
    _check.function(next_logits, "next_logits")
    ids, uniforms = _check.integers(ids, "ids"), _check.numbers(uniforms, "uniforms", ("steps",)[: np.size(uniforms)])
    temperature = _check.positive(temperature, "temperature")
    if uniforms.size and (uniforms.min() < 0 or uniforms.max() >= 1):
        raise ValueError(f"uniforms must lie from 0 to below 1; got {uniforms.min()} to {uniforms.max()}")
    for u in uniforms:
        logits = _check.numbers(next_logits(ids), "next_logits(ids)", ("n_tokens",))
        so_far = np.cumsum(softmax_with_temperature(logits, temperature))
        drawn = min(np.searchsorted(so_far, u, side="right"), logits.size - 1)
        ids = np.append(ids, drawn)
    return ids


def _partial(part: tuple[ArrayLike, ...], name: str) -> Partial:
    """A partial result as three arrays whose shapes fit."""
    if len(part) != 3:
        raise ValueError(f"{name} must be three arrays (m, l, o); got {len(part)}")
    m, l, o = (_check.numbers(array, f"{letter} of {name}") for letter, array in zip("mlo", part, strict=True))
    if m.ndim != 1 or l.shape != m.shape or o.ndim != 2 or o.shape[:1] != m.shape:
        shapes = f"{m.shape}, {l.shape} and {o.shape}"
        raise ValueError(f"m, l and o of {name} must have shapes (n,), (n,) and (n, d_v); got {shapes}")
    return m, l, o


def _positive(X: NDArray) -> NDArray:
    """Phi: a positive number for each number; exp of what is large is never asked for."""
    return np.where(X > 0, X + 1, np.exp(np.minimum(X, 0)))
