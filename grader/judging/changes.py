"""What can be done to a value: each by its name, in words, and the doing of it."""

from collections.abc import Callable
from typing import Any

import numpy as np

#: What can be done to a value: its name, its words, and the doing.
Table = dict[str, tuple[str, Callable[..., Any]]]


class Unfit(Exception):
    """A change that cannot be made to this value."""


def _softmax(a: np.ndarray, axis: int | None = -1) -> np.ndarray:
    powers = np.exp(a - a.max(axis=axis, keepdims=True))
    return powers / powers.sum(axis=axis, keepdims=True)


def _number(a: np.ndarray) -> np.ndarray:
    if a.dtype.kind == "b":
        raise Unfit
    return a.astype(float)


def two_axes(a: np.ndarray) -> np.ndarray:
    if a.ndim < 2:
        raise Unfit
    return a


def _norm(a: np.ndarray, axis: int | None = -1) -> np.ndarray:
    return np.sqrt((a * a).sum(axis=axis, keepdims=True))


def _all_of(a: np.ndarray, which: Any) -> np.ndarray:
    return np.broadcast_to(a[which], a.shape).copy()


#: How a change that speaks of rows is said of a single row of numbers.
_OF_ONE_ROW = (
    ("each row added to all rows before", "each number added to all those before"),
    ("with each row divided", "divided"),
    ("each row's", "its"),
    (" within each row", ""),
    (" along each row", ""),
    (" of each row", ""),
    (" in each row", ""),
    ("row", "number"),
)
#: How one that is done along the first axis is said where what lies there are no rows, but matrices and more.
_OF_MANY = (
    ("each row added to all rows", "each part along axis 0 added to all those"),
    ("the place of every row", "the place of every other"),
    ("its first row", "its first part along axis 0"),
    ("its last row", "its last part along axis 0"),
    ("by one place", "by one place along axis 0"),
)


def said_of(value: np.ndarray, words: str) -> str:
    """The words for a change of an array: a single row of numbers has no rows, and of many matrices the first is none.

    Examples
    --------
    >>> said_of(np.ones(3), "with each row divided by its sum"), said_of(np.ones(3), "only its first row")
    ('divided by its sum', 'only its first number')
    >>> said_of(np.ones((2, 3, 3)), "without its last row")
    'without its last part along axis 0'
    """
    for of_rows, other in _OF_ONE_ROW if value.ndim == 1 else _OF_MANY if value.ndim > 2 else ():
        words = words.replace(of_rows, other)
    return words


#: Done to numbers one by one.
ELEMENTWISE: Table = {
    "negated": ("with the sign turned round", lambda a: -_number(a)),
    "squared": ("squared", lambda a: _number(a) ** 2),
    "root": ("under a square root", lambda a: np.sqrt(_number(a))),
    "absolute": ("without the signs", lambda a: np.abs(_number(a))),
    "exponentiated": ("in the exponent of e", lambda a: np.exp(_number(a))),
    "logarithm": ("as logarithms", lambda a: np.log(_number(a))),
    "inverted": ("as one divided by it", lambda a: 1 / _number(a)),
    "one-minus": ("as 1 minus it", lambda a: 1 - _number(a)),
    "plus-one": ("one too large", lambda a: _number(a) + 1),
    "minus-one": ("one too small", lambda a: _number(a) - 1),
    "doubled": ("times 2", lambda a: _number(a) * 2),
    "halved": ("divided by 2", lambda a: _number(a) / 2),
    "truncated": ("without the decimals", lambda a: np.trunc(_number(a))),
    "signs": ("reduced to the signs", lambda a: np.sign(_number(a))),
    "not-negative": ("with 0 in the place of what is negative", lambda a: np.maximum(_number(a), 0)),
    "capped": ("cut off at 1", lambda a: np.minimum(_number(a), 1)),
    "clipped": ("cut off at 0 and 1", lambda a: np.clip(_number(a), 0, 1)),
}
#: Done to rows, columns or all the numbers together.
TOGETHER: Table = {
    "normalised": ("with each row divided by its length", lambda a: a / _norm(_number(a))),
    "normalised-columns": ("with each column divided by its length", lambda a: a / _norm(_number(two_axes(a)), -2)),
    "normalised-whole": ("divided by the length of all of it", lambda a: a / _norm(_number(two_axes(a)), None)),
    "to-sum-one": ("with each row divided by its sum", lambda a: a / _number(a).sum(axis=-1, keepdims=True)),
    "columns-to-sum-one": (
        "with each column divided by its sum",
        lambda a: a / _number(two_axes(a)).sum(axis=-2, keepdims=True),
    ),
    "whole-to-sum-one": ("divided by the sum of all of it", lambda a: a / _number(two_axes(a)).sum()),
    "by-largest": ("divided by the largest", lambda a: a / _number(a).max()),
    "centred": ("with each row's mean taken off", lambda a: a - _number(a).mean(axis=-1, keepdims=True)),
    "centred-columns": (
        "with each column's mean taken off",
        lambda a: a - _number(two_axes(a)).mean(axis=-2)[..., None, :],
    ),
    "less-largest": ("with each row's largest taken off", lambda a: a - _number(a).max(axis=-1, keepdims=True)),
    "softmaxed": ("after a softmax along each row", lambda a: _softmax(_number(a))),
    "softmaxed-columns": ("after a softmax down each column", lambda a: _softmax(_number(two_axes(a)), -2)),
    "sorted": ("sorted within each row", lambda a: np.sort(a, axis=-1)),
    "sorted-columns": ("sorted within each column", lambda a: np.sort(two_axes(a), axis=-2)),
    "descending": ("sorted within each row, the largest first", lambda a: -np.sort(-_number(a), axis=-1)),
    "reversed": ("with the last axis back to front", lambda a: a[..., ::-1]),
    "reversed-rows": ("with the rows in reverse order", lambda a: two_axes(a)[..., ::-1, :]),
    "transposed": ("transposed", lambda a: two_axes(a).T),
    "axes-swapped": ("with its last two axes exchanged", lambda a: _three(a).swapaxes(-1, -2)),
    "first-axes-swapped": ("with its first two axes exchanged", lambda a: _three(a).swapaxes(0, 1)),
    "shifted": ("moved on by one place", lambda a: np.roll(a, 1, axis=0)),
    "shifted-back": ("moved back by one place", lambda a: np.roll(a, -1, axis=0)),
    "first-for-all": ("with its first row in the place of every row", lambda a: _all_of(a, slice(0, 1))),
    "last-for-all": ("with its last row in the place of every row", lambda a: _all_of(a, slice(-1, None))),
    "mean-for-all": (
        "with the mean of its rows in the place of every row",
        lambda a: np.broadcast_to(_number(two_axes(a)).mean(axis=-2, keepdims=True), a.shape),
    ),
}


def _three(a: np.ndarray) -> np.ndarray:
    if a.ndim < 3:
        raise Unfit
    return a


def _rows_left(a: np.ndarray, kept: Any) -> np.ndarray:
    left = np.zeros_like(a)
    left[kept] = a[kept]
    return left


def _over(a: np.ndarray, axis: Any, how: str, keepdims: bool = False) -> np.ndarray:
    axes = axis if isinstance(axis, tuple) else (axis,)
    if axis is not None and any(not -a.ndim <= one < a.ndim for one in axes):
        raise Unfit
    return getattr(_number(a), how)(axis=axis, keepdims=keepdims)


#: Done to a result only: parts of it, and shapes that it should not have.
AT_THE_END: Table = {
    "first-row-only": ("only its first row", lambda a: a[0]),
    "last-row-only": ("only its last row", lambda a: a[-1]),
    "one-row-left": ("cut off behind its first row", lambda a: a[:1]),
    "first-column-only": ("only its first column", lambda a: two_axes(a)[..., 0]),
    "last-column-only": ("only its last column", lambda a: two_axes(a)[..., -1]),
    "last-row-lost": ("without its last row", lambda a: a[:-1]),
    "first-row-lost": ("without its first row", lambda a: a[1:]),
    "last-column-lost": ("without its last column", lambda a: two_axes(a)[..., :-1]),
    "first-column-lost": ("without its first column", lambda a: two_axes(a)[..., 1:]),
    "first-row-filled": ("filled in its first row only", lambda a: _rows_left(a, slice(0, 1))),
    "last-row-filled": ("filled in its last row only", lambda a: _rows_left(a, slice(-1, None))),
    "last-row-empty": ("not filled in its last row", lambda a: _rows_left(a, slice(0, -1))),
    "first-row-empty": ("not filled in its first row", lambda a: _rows_left(a, slice(1, None))),
    "first-column-filled": ("filled in its first column only", lambda a: _rows_left(two_axes(a), (..., slice(0, 1)))),
    "last-column-filled": ("filled in its last column only", lambda a: _rows_left(two_axes(a), (..., slice(-1, None)))),
    "last-column-empty": ("not filled in its last column", lambda a: _rows_left(two_axes(a), (..., slice(0, -1)))),
    "first-column-empty": ("not filled in its first column", lambda a: _rows_left(two_axes(a), (..., slice(1, None)))),
    "first-entry-filled": (
        "filled in its very first entry only",
        lambda a: _rows_left(a, tuple([slice(0, 1)] * a.ndim)),
    ),
    "diagonal-only": ("only its diagonal", lambda a: np.diagonal(two_axes(a), axis1=-2, axis2=-1)),
    "diagonal-filled": ("filled on its diagonal only", lambda a: two_axes(a) * np.eye(*a.shape[-2:])),
    "diagonal-empty": ("not filled on its diagonal", lambda a: two_axes(a) * (1 - np.eye(*a.shape[-2:]))),
    "upper-triangle": ("filled on and above its diagonal only", lambda a: np.triu(two_axes(a))),
    "lower-triangle": ("filled on and below its diagonal only", lambda a: np.tril(two_axes(a))),
    "accumulated": ("with each row added to all rows before it", lambda a: np.cumsum(_number(a), axis=0)),
    "accumulated-columns": (
        "with each column added to all columns before it",
        lambda a: np.cumsum(_number(two_axes(a)), axis=-1),
    ),
    "summed": ("added up along its last axis", lambda a: _over(a, -1, "sum")),
    "summed-rows": ("added up over its rows", lambda a: _over(two_axes(a), -2, "sum")),
    "summed-first": ("added up over its first axis", lambda a: _over(_three(a), 0, "sum")),
    "summed-whole": ("added up over all its numbers", lambda a: _over(a, None, "sum")),
    "summed-kept": ("added up along its last axis, which stays with length 1", lambda a: _over(a, -1, "sum", True)),
    "averaged": ("averaged along its last axis", lambda a: _over(a, -1, "mean")),
    "averaged-rows": ("averaged over its rows", lambda a: _over(two_axes(a), -2, "mean")),
    "averaged-first": ("averaged over its first axis", lambda a: _over(_three(a), 0, "mean")),
    "averaged-whole": ("averaged over all its numbers", lambda a: _over(a, None, "mean")),
    "largest-only": ("reduced to the largest of each row", lambda a: _over(a, -1, "max")),
    "place-of-largest": ("reduced to the place of the largest in each row", lambda a: _over(a, -1, "argmax")),
    "order-of": ("replaced by the order of its numbers (`argsort`)", lambda a: np.argsort(_number(a), axis=-1)),
    "rounded-up": ("rounded up", lambda a: np.ceil(_number(a))),
    "rounded-down": ("rounded down", lambda a: np.floor(_number(a))),
    "flattened": ("flattened to one axis", lambda a: two_axes(a).ravel()),
    "flattened-columns": ("flattened column by column", lambda a: two_axes(a).T.ravel()),
    "axis-in-front": ("with one axis too many, in front", lambda a: a[np.newaxis]),
    "axis-behind": ("with one axis too many, at the end", lambda a: a[..., np.newaxis]),
    "reshaped-turned": ("in the shape of its transpose, by `reshape`", lambda a: two_axes(a).reshape(a.T.shape)),
    "doubled-axis": ("there twice, side by side", lambda a: np.concatenate([a, a], axis=-1)),
    "turned-round": ("with True and False exchanged", lambda a: ~_boolean(a)),
    "as-minus-infinity": ("as 0 and minus infinity", lambda a: np.where(_boolean(a), 0.0, -np.inf)),
    "reversed-both": ("with rows and columns in reverse order", lambda a: two_axes(a)[..., ::-1, ::-1]),
}
#: Sharings of one total, done last.
AT_THE_END["whole-softmaxed"] = (
    "put through one softmax over all of it",
    lambda a: _softmax(_number(two_axes(a)), None),
)


def _boolean(a: np.ndarray) -> np.ndarray:
    if a.dtype.kind != "b":
        raise Unfit
    return a


#: Done to a list.
LISTS: Table = {
    "reversed": ("back to front", lambda a: a[::-1]),
    "sorted": ("sorted", sorted),
    "each-once": ("with each item only once", lambda a: list(dict.fromkeys(a))),
    "first-row-only": ("only its first item", lambda a: a[0]),
    "one-row-left": ("only its first item, in a list", lambda a: a[:1]),
    "last-row-only": ("only its last item", lambda a: a[-1]),
    "last-row-lost": ("without its last item", lambda a: a[:-1]),
    "first-row-lost": ("without its first item", lambda a: a[1:]),
    "plus-one": ("one too large in each place", lambda a: [item + 1 for item in a]),
    "minus-one": ("one too small in each place", lambda a: [item - 1 for item in a]),
    "joined": ("joined to one text", lambda a: " ".join(a)),
    "glued": ("glued to one text", lambda a: "".join(a)),
    "as-texts": ("as texts", lambda a: [str(item) for item in a]),
    "capitals": ("in capital letters", lambda a: [item.upper() for item in a]),
    "counted": ("replaced by its length", len),
    "each-in-a-list": ("with each item in a list of its own", lambda a: [[item] for item in a]),
    "twice": ("there twice", lambda a: a + a),
    "each-twice": ("with each item twice", lambda a: [item for item in a for _ in range(2)]),
    "empty": ("empty", lambda a: []),
}
#: Done to one number.
NUMBERS: Table = {
    "negated": ("with the sign turned round", lambda a: -a),
    "squared": ("squared", lambda a: a * a),
    "root": ("under a square root", lambda a: float(np.sqrt(a))),
    "absolute": ("without its sign", abs),
    "inverted": ("as one divided by it", lambda a: 1 / a),
    "one-minus": ("as 1 minus it", lambda a: 1 - a),
    "doubled": ("times 2", lambda a: a * 2),
    "halved": ("divided by 2", lambda a: a / 2),
    "plus-one": ("one too large", lambda a: a + 1),
    "minus-one": ("one too small", lambda a: a - 1),
    "exponentiated": ("in the exponent of e", lambda a: float(np.exp(a))),
    "logarithm": ("as its logarithm", lambda a: float(np.log(a))),
    "truncated": ("without its decimals", int),
    "times-100": ("times 100", lambda a: a * 100),
    "as-percent": ("divided by 100", lambda a: a / 100),
}
