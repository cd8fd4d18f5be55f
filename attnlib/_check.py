"""Checks on arguments, kept apart so that the bodies of the library read like their formulas.

Each check returns the argument as an array of floating-point numbers (or of what it asks for), or raises an
error that names the argument, what was expected and what came.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import ArrayLike, NDArray


def numbers(x: ArrayLike, name: str, axes: tuple[str, ...] = ()) -> NDArray:
    """Return x as a float array with at least as many axes as `axes` names.

    float32 and float64 stay as they are; integers and booleans become float64, half precision float32.
    """
    x = _rectangular(x, name)
    if x.dtype.kind not in "biuf":
        raise TypeError(f"{name} must hold real numbers; got {x.dtype} values")
    if x.dtype.kind != "f":
        x = x.astype(np.float64)
    elif x.dtype.itemsize < 4:
        x = x.astype(np.float32)
    if x.ndim < len(axes):
        raise ValueError(f"{name} must have shape (..., {', '.join(axes)}); got shape {x.shape}")
    for axis, letter in enumerate(reversed(axes), start=1):
        if x.shape[-axis] == 0:
            raise ValueError(f"{name} must not be empty: its axis {letter} has length 0 in shape {x.shape}")
    return x


def integers(x: ArrayLike, name: str) -> NDArray:
    """Return x as an integer array."""
    x = _rectangular(x, name)
    if x.size == 0:
        return x.astype(np.intp)
    if x.dtype.kind not in "iu":
        raise TypeError(f"{name} must hold integers; got {x.dtype} values")
    return x


def count(n: int, name: str, least: int = 1, most: int | None = None) -> int:
    """Return n as an int between `least` and `most`."""
    if isinstance(n, bool | np.bool_) or not isinstance(n, int | np.integer):
        raise TypeError(f"{name} must be an integer; got {n!r}")
    if n < least or (most is not None and n > most):
        bounds = f"at least {least}" if most is None else f"between {least} and {most}"
        raise ValueError(f"{name} must be {bounds}; got {n}")
    return int(n)


def positive(x: ArrayLike, name: str) -> float:
    """Return x as a positive float."""
    number = real(x, name)
    if not number > 0:
        raise ValueError(f"{name} must be positive; got {number}")
    return number


def real(x: ArrayLike, name: str) -> float:
    """Return x, one real number, as a float (a Python float leaves the dtype of an array alone)."""
    x = numbers(x, name)
    if x.ndim:
        raise ValueError(f"{name} must be one number; got shape {x.shape}")
    return float(x)


def same_last_axis(X: NDArray, name: str, like: NDArray, like_name: str, letter: str) -> None:
    """X must have the last axis of `like`."""
    if X.shape[-1] != like.shape[-1]:
        raise ValueError(
            f"{name} must have the same last axis as {like_name} ({letter}={like.shape[-1]}); "
            f"got {name} of shape {X.shape}"
        )


def projection(W: ArrayLike, W_name: str, X: NDArray, X_name: str) -> NDArray:
    """Return W (d_in, d_out), checked for the product X @ W: one row per column of X."""
    W = numbers(W, W_name, ("d_in", "d_out"))
    if W.ndim != 2:
        raise ValueError(f"{W_name} must have shape (d_in, d_out); got shape {W.shape}")
    if W.shape[0] != X.shape[-1]:
        raise ValueError(
            f"{W_name} must have one row per column of {X_name} ({X.shape[-1]}, from shape {X.shape}); "
            f"got {W_name} of shape {W.shape}"
        )
    return W


def bias(b: ArrayLike | None, b_name: str, W: NDArray, W_name: str) -> NDArray | float:
    """Return b (d_out,), checked for the sum X @ W + b; None is a bias of zero."""
    if b is None:
        return 0.0
    b = numbers(b, b_name, ("d_out",))
    if b.shape != W.shape[1:]:
        raise ValueError(
            f"{b_name} must have one entry per column of {W_name} ({W.shape[1]}, from shape {W.shape}); "
            f"got {b_name} of shape {b.shape}"
        )
    return b


def same_columns(W: NDArray, W_name: str, like: NDArray, like_name: str) -> None:
    """W must have as many columns as `like`."""
    if W.shape[1] != like.shape[1]:
        raise ValueError(
            f"{W_name} must have as many columns as {like_name} ({like.shape[1]}, from shape {like.shape}); "
            f"got {W_name} of shape {W.shape}"
        )


def projections(
    X_q: NDArray, X_q_name: str, X_kv: NDArray, X_kv_name: str, W_q: ArrayLike, W_k: ArrayLike, W_v: ArrayLike
) -> tuple[NDArray, NDArray, NDArray]:
    """Return W_q, W_k and W_v, checked against the inputs of queries and of keys and values, and with each other."""
    W_q = projection(W_q, "W_q", X_q, X_q_name)
    W_k = projection(W_k, "W_k", X_kv, X_kv_name)
    W_v = projection(W_v, "W_v", X_kv, X_kv_name)
    same_columns(W_k, "W_k", W_q, "W_q")
    return W_q, W_k, W_v


def one_value_per_key(K: NDArray, V: NDArray, K_name: str = "K", V_name: str = "V") -> None:
    """V must have as many rows as K."""
    if K.shape[-2] != V.shape[-2]:
        raise ValueError(
            f"{V_name} must have one row per row of {K_name} (n_keys={K.shape[-2]}, from shape {K.shape}); "
            f"got {V_name} of shape {V.shape}"
        )


def same_batch(**arrays_and_core: tuple[NDArray, int]) -> None:
    """The leading axes, those before the last `core`, must broadcast; each argument is a pair (array, core)."""
    leading = [array.shape[: array.ndim - core] for array, core in arrays_and_core.values()]
    try:
        np.broadcast_shapes(*leading)
    except ValueError:
        shapes = ", ".join(f"{name} of shape {array.shape}" for name, (array, _) in arrays_and_core.items())
        raise ValueError(f"the leading (batch) axes must agree; got {shapes}") from None


def queries_and_keys(
    Q: ArrayLike, K: ArrayLike, letter: str = "d", names: tuple[str, str] = ("Q", "K")
) -> tuple[NDArray, NDArray]:
    """Return Q (..., n_queries, d) and K (..., n_keys, d), checked against each other."""
    Q_name, K_name = names
    Q = numbers(Q, Q_name, ("n_queries", letter))
    K = numbers(K, K_name, ("n_keys", letter))
    same_last_axis(K, K_name, Q, Q_name, letter)
    same_batch(**{Q_name: (Q, 2), K_name: (K, 2)})
    return Q, K


def queries_keys_values(
    Q: ArrayLike, K: ArrayLike, V: ArrayLike, letter: str = "d", names: tuple[str, str, str] = ("Q", "K", "V")
) -> tuple[NDArray, NDArray, NDArray]:
    """Return Q, K and V (..., n_keys, d_v), checked against each other."""
    Q_name, K_name, V_name = names
    Q, K = queries_and_keys(Q, K, letter, (Q_name, K_name))
    V = numbers(V, V_name, ("n_keys", "d_v"))
    one_value_per_key(K, V, K_name, V_name)
    same_batch(**{Q_name: (Q, 2), K_name: (K, 2), V_name: (V, 2)})
    return Q, K, V


def query_keys_values(
    q: ArrayLike, K: ArrayLike, V: ArrayLike, names: tuple[str, str, str] = ("q", "K", "V")
) -> tuple[NDArray, NDArray, NDArray]:
    """Return one query (..., d), keys (..., n, d) and values (..., n, d_v), checked against each other."""
    q_name, K_name, V_name = names
    q = numbers(q, q_name, ("d",))
    K = numbers(K, K_name, ("n", "d"))
    V = numbers(V, V_name, ("n", "d_v"))
    same_last_axis(K, K_name, q, q_name, "d")
    one_value_per_key(K, V, K_name, V_name)
    same_batch(**{q_name: (q, 1), K_name: (K, 2), V_name: (V, 2)})
    return q, K, V


def function(f: object, name: str) -> None:
    """f must be callable."""
    if not callable(f):
        raise TypeError(f"{name} must be a function; got {type(f).__name__}")


def boolean_mask(mask: ArrayLike, shape: tuple[int, ...], name: str = "mask") -> NDArray[np.bool_]:
    """Return the mask broadcast to the shape of the scores; True = may attend."""
    mask = _rectangular(mask, name)
    if mask.dtype.kind != "b":
        raise TypeError(f"{name} must be boolean, True = may attend; got {mask.dtype} values{_as_booleans(mask, name)}")
    try:
        return np.broadcast_to(mask, shape)
    except ValueError:
        raise ValueError(
            f"{name} must broadcast to the scores of shape {shape}; got {name} of shape {mask.shape}"
        ) from None


def _as_booleans(mask: NDArray, name: str) -> str:
    """How a mask of numbers is made one of booleans; nothing is said where they may mean this or that."""
    if mask.ndim == 0 or mask.size == 0 or mask.dtype.kind not in "iuf":
        return ""
    if mask.max() == 1 and np.isin(mask, (0, 1)).all():
        return f" (try {name}.astype(bool))"
    if mask.min() < 0 and mask.max() == 0:
        return f" (made to be added to scores? Then {name} == 0 says the same)"
    return ""


def _rectangular(x: ArrayLike, name: str) -> NDArray:
    try:
        return np.asarray(x)
    except ValueError:
        raise ValueError(f"{name} must be rectangular: all its rows need the same length") from None
