"""Reading what an answer returned as the kind of thing that is expected, and comparing the two."""

import contextlib
import math
from collections.abc import Iterable, Iterator
from typing import Any

import numpy as np

from grader.judging.answer import Outcome
from grader.judging.plain import NotPlain, identical, plain

#: Relative to the largest expected entry: usually, and of single precision. Half precision is for nobody to go on with.
TOLERANCE, SHORT = 1e-6, 5e-5

#: Where NumPy gives infinity or NaN, plain Python raises one of these.
ARITHMETIC = {"OverflowError", "ZeroDivisionError", "FloatingPointError"}


class Wrong(Exception):
    """An answer that fails a test, in words; `arrays` are the labelled values to show."""

    def __init__(self, words: str, arrays: Iterable[tuple[str, Any]] = ()) -> None:
        super().__init__(words)
        self.words, self.arrays = words, tuple(arrays)


def result_of(outcome: Outcome, expected: Any, returns: str | tuple[str, ...] = "result") -> Any:
    """The value of an outcome, read as the kind of thing that is expected; raises `Wrong` in words."""
    if outcome.stopped:
        raise Wrong("it did not come to an end in the time allowed")
    if outcome.error == "NotPlain":
        raise Wrong(f"it returns {outcome.message}; expected {kind_of(expected, returns)}")
    if outcome.error:
        where = f", at the line `{outcome.line}`" if outcome.line else ""
        said = f" ({outcome.message})" if outcome.message else ""
        raise Wrong(f"{outcome.did}{said}{where}")
    return read(outcome.value, expected, returns)


def read(value: Any, expected: Any, returns: str | tuple[str, ...] = "result") -> Any:
    """`value` as the kind of thing that `expected` is; raises `Wrong` in words if it cannot be."""
    wanted = kind_of(expected, returns)
    if value is None and expected is not None:
        raise Wrong(f"it returns None; expected {wanted} (is the `return` line missing?)")
    if isinstance(expected, tuple):
        if isinstance(value, np.ndarray) and value.ndim == 1 and not any(isinstance(e, np.ndarray) for e in expected):
            value = tuple(value)
        laid = isinstance(value, np.ndarray) and value.shape == (len(expected), *np.shape(expected[0]))
        if laid and not any(np.asarray(part).dtype.kind in "iu" and value.dtype.kind == "f" for part in expected):
            value = tuple(value)  # results of one shape and kind, laid on each other
        if not isinstance(value, (tuple, list)) or len(value) != len(expected):
            got = f"{len(value)} things" if isinstance(value, (tuple, list)) else kind_of(value)
            raise Wrong(f"it returns {got}; expected {wanted}")
        parts = []
        for part, right, name in zip(value, expected, returns, strict=True):
            with _of_part(name):
                parts.append(read(part, right, name))
        return tuple(parts)
    if isinstance(expected, np.ndarray):
        return _read_array(value, expected, returns, wanted)
    if isinstance(expected, dict):
        return _read_dict(value, expected, wanted)
    if isinstance(expected, bool):
        if isinstance(value, np.ndarray) and value.size == 1:
            value = value.reshape(()).item()
        if not isinstance(value, bool):
            raise Wrong(f"it returns {kind_of(value)}; expected True or False")
        return value
    if isinstance(expected, (int, float)):
        if isinstance(value, (np.ndarray, np.generic)) and value.size == 1:
            value = value.reshape(()).item()
        if isinstance(value, (list, tuple)) and len(value) == 1:
            value = value[0]
        if isinstance(value, bool) or not isinstance(value, (int, float)):
            raise Wrong(f"it returns {kind_of(value)}; expected {wanted}")
        return value
    if isinstance(expected, list):
        if isinstance(value, np.ndarray) and value.ndim == 1:
            value = value.tolist()
        if not isinstance(value, (list, tuple)):
            raise Wrong(f"it returns {kind_of(value)}; expected {wanted}")
        value = [item.item() if isinstance(item, np.ndarray) and item.ndim == 0 else item for item in value]
        kind = type(expected[0]) if expected else object
        strange = [item for item in value if item is None or isinstance(item, bool) or not isinstance(item, kind)]
        if strange:
            odd = strange[0]
            raise Wrong(f"it returns a list with {kind_of(odd)} in it ({odd!r:.40}); expected {wanted}")
        return value
    if type(value) is not type(expected):
        raise Wrong(f"it returns {kind_of(value)}; expected {wanted}")
    return value


def _read_dict(value: Any, expected: dict, wanted: str) -> dict:
    if not isinstance(value, dict):
        raise Wrong(f"it returns {kind_of(value)}; expected {wanted}")
    if set(value) != set(expected):
        names, right = (", ".join(sorted(map(str, keys))) or "none" for keys in (value, expected))
        raise Wrong(f"it returns a dict with other names than expected: {names} instead of {right}")
    parts = {}
    for name, right in expected.items():
        with _of_part(str(name)):
            parts[name] = read(value[name], right)
    return parts


def _read_array(value: Any, expected: np.ndarray, returns: str | tuple[str, ...], wanted: str) -> np.ndarray:
    array = array_of(value)
    if array is None:
        what = kind_of(value)
        if isinstance(value, (list, tuple)) and any(item is None for item in value):
            what += " with None in it"
        elif isinstance(value, tuple):
            what = f"{len(value)} things"
        raise Wrong(f"it returns {what}; expected {wanted}")
    if array.shape != expected.shape and isinstance(value, tuple):
        raise Wrong(f"it returns {len(value)} things; expected {wanted}")
    if array.shape != expected.shape:
        raise Wrong(
            f"wrong shape: expected {expected.shape}, got {array.shape}",
            (("expected", expected), ("you returned", array)),
        )
    return array


def array_of(value: Any) -> np.ndarray | None:
    """Plain numbers, in lists or not, as an array; None if they are no numbers, or rows of different lengths."""
    try:
        array = np.asarray(value)
        if array.dtype.kind == "O":  # to NumPy, whole numbers that are too large for it are objects
            array = plain(array)
    except (NotPlain, ValueError):
        return None
    return array if isinstance(array, np.ndarray) and array.dtype.kind in "biuf" else None


def kind_of(value: Any, name: str | tuple[str, ...] = "") -> str:
    """A plain value's kind in words."""
    if value is None:
        return "None"
    if isinstance(value, np.ndarray):
        called = f"{name}, " if name and name != "result" else ""
        return f"{called}an array of shape {value.shape}"
    if isinstance(value, tuple) and isinstance(name, tuple):
        named = f" ({', '.join(name)})" if any(name) else ""
        return ("a pair" if len(name) == 2 else f"{len(name)} results") + named
    if isinstance(value, bool):
        return "True or False"
    if isinstance(value, str):
        return "a text"
    if isinstance(value, int):
        return "a whole number"
    if isinstance(value, float):
        return "a number with decimals"
    if isinstance(value, list):
        if value and isinstance(value[0], list) and value[0] and isinstance(value[0][0], str):
            return "rows of texts"  # in lists, or in an array: what is plain has lists for both
        inside = {"str": " of texts", "int": " of whole numbers"}.get(type(value[0]).__name__ if value else "", "")
        return f"a list{inside}"
    kind = type(value).__name__
    return f"a {kind}" if kind in ("tuple", "dict") else kind


@contextlib.contextmanager
def _of_part(name: str) -> Iterator[None]:
    """What is wrong with one of several results says with which."""
    try:
        yield
    except Wrong as wrong:
        raise Wrong(f"{name}: {wrong.words}" if name else wrong.words, wrong.arrays) from None


def agree(
    got: Any, expected: Any, shown: tuple[tuple[str, Any], ...] = (), returns: str | tuple[str, ...] = "result"
) -> None:
    """Raise `Wrong` with expected and got side by side unless they agree."""
    if isinstance(expected, tuple):
        names = returns if isinstance(returns, tuple) else ("",) * len(expected)
        for one, other, name in zip(got, expected, names, strict=True):
            with _of_part(name):
                agree(one, other, shown)
        return
    if isinstance(expected, dict):
        for key, right in expected.items():
            with _of_part(str(key)):
                agree(got[key], right, shown)
        return
    if same(got, expected):
        return
    arrays = (*shown, ("expected", expected), ("you returned", got))
    if isinstance(expected, np.ndarray):
        finite = np.isfinite(got.astype(float))
        if not finite.all() and np.isfinite(expected.astype(float)).all():
            raise Wrong(f"{int((~finite).sum())} of {finite.size} numbers are NaN or infinite", arrays)
        raise Wrong("wrong values (the shape is right)", arrays)
    raise Wrong("wrong result", arrays)


def close(got: Any, expected: Any) -> bool:
    return bool(np.all(near(np.asarray(got), np.asarray(expected))))


def near(got: np.ndarray, expected: np.ndarray) -> np.ndarray:
    """Where two arrays of one shape agree, entry by entry."""
    if expected.dtype.kind in "biu" and got.dtype.kind in "biu":
        return got == expected
    tolerance = SHORT if got.dtype.kind == "f" and got.itemsize == 4 else TOLERANCE
    got, wanted = got.astype(float, copy=False), expected.astype(float, copy=False)
    sizes = np.abs(wanted)
    scale = float(sizes.max(initial=0.0))
    if math.isfinite(scale):  # what `isclose` does then, in a fifth of its time
        return np.abs(got - wanted) <= tolerance * (scale + sizes) + 1e-12
    scale = float(sizes[np.isfinite(wanted)].max(initial=0.0))
    return np.isclose(got, wanted, rtol=tolerance, atol=tolerance * scale + 1e-12, equal_nan=True)


def same(got: Any, expected: Any) -> bool:
    if isinstance(expected, tuple):
        if not isinstance(got, (tuple, list)) or len(got) != len(expected):
            return False
        return all(same(a, b) for a, b in zip(got, expected, strict=True))
    if isinstance(expected, dict):
        return isinstance(got, dict) and set(got) == set(expected) and all(same(got[key], expected[key]) for key in got)
    if isinstance(expected, np.ndarray):
        array = array_of(got)
        return array is not None and array.shape == expected.shape and bool(close(array, expected))
    if isinstance(expected, float):
        return isinstance(got, (int, float)) and bool(close(float(got), expected))
    if isinstance(expected, list) and isinstance(got, (list, tuple)):
        return len(got) == len(expected) and all(same(a, b) for a, b in zip(got, expected, strict=True))
    return type(got) is type(expected) and identical(got, expected)


def not_finite(outcome: Outcome) -> bool:
    values = outcome.value if isinstance(outcome.value, tuple) else (outcome.value,)
    for value in values:
        if value is None:
            continue
        array = array_of(value)
        if array is not None and not np.isfinite(array).all():
            return True
    return False
