"""Who may attend to whom. One convention everywhere: True = may attend.

`attnlib.masked_softmax` stands beside its sibling in `softmax.py`, because `scaling.py`, which comes before this file,
builds on it.
"""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
from numpy.typing import ArrayLike, NDArray

from attnlib import _check
from attnlib.scaling import scaled_dot_product_attention


def causal_mask(n: int) -> NDArray[np.bool_]:
    """Allow each token to attend to itself and to what came before it.

    Parameters
    ----------
    n : int
        The number of tokens.

    Returns
    -------
    mask : bool ndarray of shape (n, n)
        True on and below the diagonal.

    Raises
    ------
    ValueError
        If n is smaller than 1.
    TypeError
        If n is not an integer.

    Examples
    --------
    >>> causal_mask(3)
    array([[ True, False, False],
           [ True,  True, False],
           [ True,  True,  True]])
    """
    n = _check.count(n, "n")
    return np.tril(np.ones((n, n), dtype=bool))


def padding_mask(lengths: ArrayLike, n: int) -> NDArray[np.bool_]:
    """Allow attention to the real tokens of sequences that were padded to one length.

    Parameters
    ----------
    lengths : integer array_like of shape (batch,)
        How many tokens of each sequence are real; they come first.
    n : int
        The padded length.

    Returns
    -------
    mask : bool ndarray of shape (batch, 1, n)
        True for real tokens, on the axis of the keys; the axis of length 1 says that every query sees the same.

    Raises
    ------
    ValueError
        If a length is negative or greater than n.
    TypeError
        If the lengths or n are not integers.

    Examples
    --------
    >>> padding_mask([2, 3], 3)
    array([[[ True,  True, False]],
    <BLANKLINE>
           [[ True,  True,  True]]])
    """
    lengths = _check.integers(lengths, "lengths")
    n = _check.count(n, "n")
    if lengths.size and not (lengths.min() >= 0 and lengths.max() <= n):
        raise ValueError(f"lengths must lie between 0 and n={n}; got {lengths.min()} to {lengths.max()}")
    return np.arange(n) < lengths[..., None, None]  # (batch, 1, 1) against (n,) -> (batch, 1, n)


def masked_attention(Q: ArrayLike, K: ArrayLike, V: ArrayLike, mask: ArrayLike) -> tuple[NDArray, NDArray]:
    r"""Average the values of the keys that each query may attend to.

    .. math:: \mathrm{softmax}\left(Q K^\top / \sqrt{d_k} \text{ where allowed}\right) V

    Parameters
    ----------
    Q : ndarray of shape (..., n_queries, d_k)
    K : ndarray of shape (..., n_keys, d_k)
    V : ndarray of shape (..., n_keys, d_v)
    mask : bool ndarray broadcastable to (..., n_queries, n_keys)
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

    Examples
    --------
    >>> X = [[1.0, 0.0], [0.0, 1.0]]
    >>> context, weights = masked_attention(X, X, X, causal_mask(2))
    >>> weights.round(4)
    array([[1.    , 0.    ],
           [0.3302, 0.6698]])
    """
    if mask is None:
        raise TypeError("mask must be boolean, True = may attend; got None")
    return scaled_dot_product_attention(Q, K, V, mask)


def leaks_future(attention: Callable[..., ArrayLike], n: int = 7, d: int = 5, seed: int = 0) -> bool:
    """Find out whether a later token changes what an earlier one gets.

    Parameters
    ----------
    attention : callable
        Takes X of shape (n, d), returns the context, of shape (n, d_v).
    n, d : int, optional
        The size of the X to try it on; d has to fit where `attention` holds weights.
    seed : int, optional
        Of the random numbers in X.

    Returns
    -------
    leaks : bool
        True if replacing some token changes an earlier row of the context.

    Raises
    ------
    ValueError
        If the context has not one row per token.
    TypeError
        If attention is not a function, or returns a pair instead of the context alone.

    Examples
    --------
    >>> leaks_future(lambda X: scaled_dot_product_attention(X, X, X)[0])
    True
    >>> leaks_future(lambda X: masked_attention(X, X, X, causal_mask(len(X)))[0])
    False
    """
    _check.function(attention, "attention")
    n = _check.count(n, "n", least=2)
    d = _check.count(d, "d")
    rng = np.random.default_rng(seed)
    X = rng.standard_normal((n, d))
    before = _context_of(attention, X)
    for later in range(1, n):
        changed = X.copy()
        changed[later] = rng.standard_normal(d)
        after = _context_of(attention, changed)
        if not np.allclose(before[:later], after[:later], rtol=1e-6, atol=1e-9, equal_nan=True):
            return True
    return False


def _context_of(attention, X):
    context = attention(X.copy())
    if isinstance(context, tuple):
        raise TypeError("attention must return the context alone; got a tuple (add [0])")
    context = _check.numbers(context, "attention(X)")
    if context.ndim < 1 or context.shape[0] != X.shape[0]:
        raise ValueError(f"attention(X) must have one row per token ({X.shape[0]}); got shape {context.shape}")
    return context


def reach(mask: ArrayLike, num_layers: int) -> NDArray[np.bool_]:
    r"""Say which tokens a row can have heard after some layers of attention with one mask.

    .. math:: \mathrm{reached}_L = M^L \quad \text{(and, or in the place of times, plus)}

    Each layer makes a row of the rows that the mask allows, and of nothing else: where a token is to keep what it is
    (by its own key, or a residual connection), the mask's diagonal is True.

    Parameters
    ----------
    mask : bool ndarray of shape (n, n)
        True where a query (row) may attend to a key (column).
    num_layers : int
        0 or more.

    Returns
    -------
    reached : bool ndarray of shape (n, n)
        True where row i of the last layer can depend on token j.

    Raises
    ------
    ValueError
        If the mask is not square, or the number of layers is negative.

    References
    ----------
    Jiang et al. (2023), "Mistral 7B", section 2: windows of attention in layers on top of each other.

    Examples
    --------
    >>> window = np.array([[1, 0, 0], [1, 1, 0], [0, 1, 1]], dtype=bool)
    >>> reach(window, 2)[2]
    array([ True,  True,  True])
    """
    mask = np.asarray(mask, dtype=bool)
    if mask.ndim != 2 or mask.shape[0] != mask.shape[1]:
        raise ValueError(f"mask must have shape (n, n); got shape {mask.shape}")
    if num_layers < 0:
        raise ValueError(f"num_layers must be 0 or more; got {num_layers}")
    reached = np.eye(len(mask), dtype=bool)
    for _ in range(num_layers):
        reached = mask @ reached  # of booleans: is there a way?
    return reached
