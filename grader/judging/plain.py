"""Plain values: arrays, texts, numbers, booleans, None, and lists, tuples and dicts of these. Whatever a learner's
value claims to be, it is read by its true type."""

import math
import sys
import types
from collections.abc import Sequence
from decimal import Decimal
from fractions import Fraction
from typing import Any

import numpy as np

# A learner may replace these in NumPy; how a result is read must not change with that.
_array, _asarray, _array_equal, _errstate = np.array, np.asarray, np.array_equal, np.errstate
_ndarray, _generic, _float = np.ndarray, np.generic, np.dtype(np.float64)

# A class may say that its name is another than it is.
_NAME_OF = type.__dict__["__name__"].__get__
_DICT_OF, _MRO_OF = type.__dict__["__dict__"].__get__, type.__dict__["__mro__"].__get__

LARGEST_ARRAY = 100_000
MOST_TOGETHER = 200_000
#: How many numbers an array takes the room of, beside its own: so many of them could be made.
ARRAY = 10
#: How many letters take the room of a number.
LETTERS = 8
LONGEST_TEXT = 20_000
MOST_AXES = 32
#: What an array without numbers may seem to have: of ten million rows of no width, a list has ten million lists.
MOST_EMPTY = 10_000
#: Keys of dicts that are no texts. Whoever chooses numbers can let all of them meet in one place of the dict, which
#: then takes their square in time; for texts, Python draws anew where they go.
MOST_NUMBERED = 1_000
LONGEST_NAME = 100
_COLLECTIONS: tuple[Any, ...] = (list, tuple, set, frozenset, dict, range)
LARGEST_WHOLE = 1023  # binary digits

#: What is no data, in words.
REFUSED: tuple[tuple[Any, str], ...] = (
    (
        (types.FunctionType, types.BuiltinFunctionType, types.MethodType),
        "a function (are the parentheses of a call missing?)",
    ),
    (BaseException, "an error that was not raised (`raise` in the place of `return`?)"),
    (types.ModuleType, "a module"),
    ((type({}.keys()), type({}.values()), type({}.items())), "a part of a dict (`list(...)` makes a list of it)"),
    (type, "a class (are the parentheses of a call missing?)"),
    (types.GeneratorType, "a generator (`list(...)` makes a list of it)"),
    (zip, "a `zip` (`list(...)` makes a list of it)"),
    (map, "a `map` (`list(...)` makes a list of it)"),
    (filter, "a `filter` (`list(...)` makes a list of it)"),
    (reversed, "a `reversed` (`list(...)` makes a list of it)"),
    (enumerate, "an `enumerate` (`list(...)` makes a list of it)"),
    (complex, "a complex number"),
    ((bytes, bytearray), "bytes"),
)


class NotPlain(TypeError):
    """A value that is not made of arrays, text, numbers, booleans and None: by its size, or by its kind."""

    def __init__(self, words: str, by_kind: bool = False) -> None:
        super().__init__(words)
        self.by_kind = by_kind


def extent(shape: Sequence[int]) -> int:
    """How many numbers a shape has, where an axis of length 0 counts as one of length 1: no less than it can become.

    Examples
    --------
    >>> extent((2, 3)), extent((9000, 0)), extent(())
    (6, 9000, 1)
    """
    return math.prod(max(length, 1) for length in shape)


def plain(value: Any, left: list[int] | None = None) -> Any:
    """Copy `value` as plain data, or raise `NotPlain` with the reason in words.

    What `value` says of itself is not asked: its true type decides, and nothing of its own is called but `__array__`.

    Parameters
    ----------
    value : object
    left : list of int, optional
        One number: how many numbers may still come in this and further values; it grows smaller.
    """
    given = MOST_TOGETHER if left is None else min(left[0], MOST_TOGETHER)
    room = [given]
    try:
        return _plain(value, 0, room)
    finally:
        if left is not None:
            left[0] -= given - room[0]


def plain_parts(value: Any) -> tuple[Any, dict[str, str]]:
    """As `plain`, but what is no data in a dict costs only that part: returns the rest, and by name why it was no data.

    Examples
    --------
    >>> plain_parts({"a": 1, "b": len})
    ({'a': 1}, {'b': 'a function (are the parentheses of a call missing?)'})
    """
    try:
        return plain(value), {}
    except NotPlain:
        if not issubclass(type(value), dict):
            raise
        read, unread, left = dict[Any, Any](), dict[str, str](), [MOST_TOGETHER]
        for key, item in list(dict.items(value))[:MOST_NUMBERED]:
            try:
                read |= plain({key: item}, left)
            except NotPlain as problem:
                if type(key) is str and len(key) <= LONGEST_NAME:
                    unread[key] = str(problem)
        if not read:
            raise
        return read, unread


def _plain(value: Any, depth: int, room: list[int]) -> Any:
    kind = type(value)
    if value is None or kind is bool:
        return value
    if issubclass(kind, (int, float, str)):
        said = _scalar(value, kind)
        if isinstance(said, str) and len(said) >= LETTERS:
            _make_room(len(said) // LETTERS, room, "{:,}")
        return said
    if kind is Fraction or kind is Decimal:
        return _decimal(value)
    if issubclass(kind, _generic) and not issubclass(kind, (bytes, complex)):
        value = _asarray(value)
    if issubclass(type(value), _ndarray):
        return _plain_array(value, depth, room)
    for refused, words in REFUSED:
        if issubclass(kind, refused):
            raise NotPlain(words, by_kind=True)
    if depth > 6:
        raise NotPlain("lists nested too deeply")
    if kind is range:
        value = value[: LARGEST_ARRAY + 1]
    for base in _COLLECTIONS:
        if issubclass(kind, base):
            _make_room(base.__len__(value), room, "a list of {:,} items")
            return _plain_items(value, base, depth, room)
    if _has_array(kind):  # tensors and data frames of other libraries
        try:
            array = _asarray(value)
        except Exception:
            raise NotPlain(f"an object of type {class_name(kind)} that gives no array") from None
        return _plain_array(array, depth + 1, room)
    raise NotPlain(_no_data(kind), by_kind=True)


def _no_data(kind: type) -> str:
    """What is said of a thing whose class is not in `REFUSED`: what can be done with it, or else its class's name."""
    if _defines(kind, "__next__"):
        return "an iterator (`list(...)` makes a list of it)"
    if _defines(kind, "__call__"):  # a partial, a ufunc, a function that keeps its results
        return REFUSED[0][1]
    name = class_name(kind)
    return "an object without a value" if name.startswith("_") else f"an object of type {name}"


def _defines(kind: type, name: str) -> bool:
    """True if a class, or one that it is made from, has a method; asked past whatever the class says of itself."""
    return any(name in _DICT_OF(base) for base in _MRO_OF(kind))


def _scalar(value: Any, kind: type) -> int | float | str:
    """A number or a text without whatever a class of its own adds."""
    if issubclass(kind, str):
        said = str.__str__(value)
        if len(said) > LONGEST_TEXT:
            raise NotPlain(f"a text of {len(said):,} characters")
        return said
    if issubclass(kind, float):
        return float.__float__(value)
    number = int.__int__(value)
    if number.bit_length() > LARGEST_WHOLE:  # no float could hold it
        raise NotPlain(f"a whole number of {number.bit_length():,} binary digits")
    return number


def _decimal(value: Fraction | Decimal) -> int | float | str:
    """A number of Python's own that is neither an int nor a float."""
    try:
        whole = isinstance(value, Fraction) and value.denominator == 1
        return _scalar(int(value), int) if whole else float(value)
    except (ArithmeticError, ValueError):
        raise NotPlain(f"a number of type {type(value).__name__} that is too large, or none") from None


def _make_room(size: int, room: list[int], words: str, beside: int = 0) -> None:
    room[0] -= size + beside
    if size > LARGEST_ARRAY:
        raise NotPlain(words.format(size))
    if room[0] < 0:
        raise NotPlain(f"more than {MOST_TOGETHER:,} numbers")


def _plain_items(value: Any, base: Any, depth: int, room: list[int]) -> Any:
    if base is dict:
        pairs = list(dict.items(value))
        if sum(type(key) is not str for key, _ in pairs) > MOST_NUMBERED:
            raise NotPlain(f"a dict with more than {MOST_NUMBERED:,} keys that are no texts")
        return {_key(_plain(key, depth + 1, room)): _plain(item, depth + 1, room) for key, item in pairs}
    try:
        items = [_plain(item, depth + 1, room) for item in list(base.__iter__(value))]
    except NotPlain as problem:
        if not problem.by_kind:
            raise
        raise NotPlain(f"a {base.__name__} with {problem} in it") from None
    if base is tuple:
        return tuple(items)
    return sorted(items, key=repr) if base in (set, frozenset) else items


def _key(key: Any) -> Any:
    """A plain value as the key of a dict."""
    if isinstance(key, _ndarray) and key.ndim == 0:
        return key.item()
    if isinstance(key, tuple):
        return tuple(map(_key, key))
    if isinstance(key, (_ndarray, list, dict)):
        raise NotPlain("a dict of which a key is neither a text nor a number")
    return key


def _has_array(kind: type) -> bool:
    try:
        return hasattr(kind, "__array__")  # asked of the class: an object that makes up its attributes has them all
    except Exception:
        return False


def _hides_numbers(value: np.ndarray) -> bool:
    """True of a masked array in which something is masked; whoever has none has not loaded that module."""
    module = sys.modules.get("numpy.ma")
    return module is not None and type(value) is module.MaskedArray and bool(np.any(module.getmaskarray(value)))


def _plain_array(value: np.ndarray, depth: int, room: list[int]) -> Any:
    if _hides_numbers(value):
        raise NotPlain("a masked array that hides some of its numbers (`.filled(0)` puts zeros in their places)")
    array = _ndarray.view(value, _ndarray)
    _make_room(array.size, room, "an array of {:,} numbers" + f" (shape {array.shape})", ARRAY)
    if extent(array.shape) > max(array.size, MOST_EMPTY):
        raise NotPlain(f"an empty array of shape {array.shape}")
    if array.ndim > MOST_AXES:
        raise NotPlain(f"an array of {array.ndim} axes")
    kind = array.dtype.kind
    if kind in "UT":
        if array.nbytes > 4 * LARGEST_ARRAY:
            raise NotPlain("an array of texts that is too large")
        return _plain(array.tolist(), depth, room)
    if kind == "c":
        raise NotPlain("an array of complex numbers")
    if kind == "O":
        return _plain_objects(array, depth, room)
    if kind not in "biuf":
        raise NotPlain(f"an array of type {str(array.dtype)[:60]} instead of numbers")
    # What crosses the border to another process arrives like this, so it is like this everywhere.
    if array.itemsize <= 8:
        return array.copy(order="K") if array.dtype.isnative else array.astype(array.dtype.newbyteorder("="), order="K")
    with _errstate(all="ignore"):
        return array.astype(_float, order="K")


def _plain_objects(array: np.ndarray, depth: int, room: list[int]) -> Any:
    """An array of objects as the numbers, or the list of texts, that it holds."""
    words = "an array of objects instead of numbers (do its rows have different lengths?)"
    items = array.ravel().tolist()
    # Not after all that is in them was read: this is asked again for every explanation that is tried.
    if any(issubclass(type(item), _COLLECTIONS) for item in items):
        raise NotPlain(words)
    try:
        items = [_plain(item, depth + 1, room) for item in items]
    except NotPlain:
        raise NotPlain(words) from None
    if any(item is None for item in items):
        raise NotPlain("an array with None among its numbers")
    items = [item.item() if isinstance(item, _ndarray) and item.ndim == 0 else item for item in items]
    if items and all(isinstance(item, str) for item in items):
        return _array(items, object).reshape(array.shape).tolist()
    if not all(isinstance(item, (int, float)) for item in items):
        raise NotPlain(words)
    exact = items and not any(isinstance(item, float) or item.bit_length() > 63 for item in items)
    kind = bool if exact and all(isinstance(item, bool) for item in items) else int if exact else float
    return _array(items, kind).reshape(array.shape)


def class_name(kind: type) -> str:
    """A class's name, or "Exception" where that is none."""
    name = _NAME_OF(kind)[:60]
    return name if name.isidentifier() else "Exception"


def seen(value: Any) -> Any:
    """An argument after a call, to be compared with what it was before; functions cannot be changed."""
    if callable(value) and not issubclass(type(value), _ndarray):
        return None
    try:
        return plain(value)
    except Exception:
        return "something else"


def is_array(value: Any) -> bool:
    """True of an array that is nothing else besides."""
    return type(value) is _ndarray


def copied(value: Any) -> Any:
    """A copy of a plain input; functions pass through, because they cannot be changed in place."""
    if isinstance(value, _ndarray):
        return value.copy()
    if isinstance(value, (list, tuple)):
        return type(value)(copied(item) for item in value)
    if isinstance(value, dict):
        return {key: copied(item) for key, item in value.items()}
    return value


def identical(first: Any, second: Any) -> bool:
    """True if two plain values are the same in type, shape and every entry (NaN equals NaN)."""
    if isinstance(first, _ndarray) or isinstance(second, _ndarray):  # an array compared with anything is an array
        return (
            isinstance(first, _ndarray)
            and isinstance(second, _ndarray)
            and first.shape == second.shape
            and first.dtype == second.dtype
            and (first.tobytes() == second.tobytes() or _array_equal(first, second, equal_nan=first.dtype.kind == "f"))
        )
    if isinstance(first, (list, tuple)):
        return (
            type(first) is type(second)
            and len(first) == len(second)
            and all(identical(a, b) for a, b in zip(first, second, strict=True))
        )
    if isinstance(first, dict):
        return (
            isinstance(second, dict)
            and list(first) == list(second)
            and all(identical(first[key], second[key]) for key in first)
        )
    if isinstance(first, float) and first != first:
        return isinstance(second, float) and second != second
    return first is second or (type(first) is type(second) and bool(first == second))
