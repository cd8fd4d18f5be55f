"""Shapes in words: their lengths as those of the arguments of a call."""

import itertools
import re
from collections.abc import Iterable
from typing import Any

import numpy as np

from grader.judging.answer import Outcome

#: A shape in each call, with the call's arguments by name.
Shapes = list[tuple[tuple[int, ...], dict[str, Any]]]
#: Where the words of NumPy name shapes, or lengths.
_NAMED = re.compile(r"\((\d+,(?:\s?\d+,?)*)\)|\bsize (\d+) is different from (\d+)|\bwith size (\d+)")


def refused(line: str, calls: list[tuple[Outcome, dict[str, Any]]]) -> str:
    """A sentence on the shapes that a line of the learner's could not bring together: as lengths of the arguments.

    Parameters
    ----------
    line : str
    calls : list of (Outcome, dict)
        All that were made, each with its arguments by name.

    Returns
    -------
    str
        "" where a shape is no argument's, or the same in all calls, or where two come to the same.
    """
    found = [(_shapes(outcome.message), names) for outcome, names in calls if outcome.error and outcome.line == line]
    count = len(found[0][0]) if found else 0
    alike = [(shapes, names) for shapes, names in found if len(shapes) == count]
    said = [f"`{shape_said([(shapes[i], names) for shapes, names in alike], any_axis=True)}`" for i in range(count)]
    if not said or len(set(said)) < count or not all("." in one for one in said):
        return ""
    return f" Measured by your arguments, {'these are' if count > 1 else 'that is'} {' and '.join(said)}."


def axes_wanted(message: str) -> str:
    """A sentence on where one of two arrays that do not fit needs another axis; "" unless there is one such place."""
    shapes, ways = _shapes(message), set()
    if len(shapes) == 2 and shapes[0] == shapes[1][::-1]:
        return "One would fit if the other were turned round (`.T`); of `np.outer(a, b)`, the first makes the rows."
    if len(shapes) == 2 and all(len(one) == 1 for one in shapes):
        return (
            "If each of one is to meet each of the other, that is a table: `np.outer(a, b)`, or `a[:, None]` with `b`."
        )
    for short, long in itertools.permutations(shapes, 2):
        for places in itertools.combinations(range(len(long)), len(short)) if len(short) < len(long) else ():
            put = [short[places.index(axis)] if axis in places else 1 for axis in range(len(long))]
            if all(one == other or 1 in (one, other) for one, other in zip(put, long, strict=True)):
                ways.add((short, long, ", ".join(":" if axis in places else "None" for axis in range(len(long)))))
    if len(ways) != 1:
        return ""
    ((short, long, index),) = ways
    return f"With `[{index}]` behind it, {_said(short)} would fit {_said(long)}, each length under the same one."


def in_pieces(sizes: Iterable[str]) -> str:
    """A question, where one of two lengths is several times the other, which is more than 1; else ""."""
    lengths = sorted(int(size) for size in sizes if size.isdigit())
    if len(lengths) != 2 or lengths[0] < 2 or lengths[1] % lengths[0]:
        return ""
    small, large = lengths
    times = f"{large} is {large // small} times {small}"
    return f" ({times}: is one whole, and the other in pieces? Join these first, or cut both.)"


def too_short(message: str) -> str:
    """A question, where what is put into a place fits but for one axis, along which it is longer; else ""."""
    shapes = _shapes(message)
    if len(shapes) != 2 or len(shapes[0]) != len(shapes[1]):
        return ""
    apart = [(put, place) for put, place in zip(*shapes, strict=True) if put != place]
    if len(apart) != 1 or apart[0][0] < apart[0][1]:
        return ""
    return " The place is too short: is its length a fixed number, or that of another one (of the first of several)?"


def _said(shape: tuple[int, ...]) -> str:
    return str(shape).replace(" ", "")


def _shapes(message: str) -> list[tuple[int, ...]]:
    shapes = list[tuple[int, ...]]()
    # What `einsum` and `@` make of an array's own shape, and what they make of all together, are no arrays.
    message = re.sub(r"->\(.*?\)|and requested shape .*", "", message)
    for shape, *lengths in _NAMED.findall(message):
        shapes += [tuple(map(int, re.findall(r"\d+", shape)))] if shape else [(int(one),) for one in lengths if one]
    return shapes


def regular(seen: Shapes) -> bool:
    """True if each length is an argument's, or the same number, in every call: where it is right, that is by chance."""
    said = shape_said(seen).strip("(,)").split(", ")
    return len({len(shape) for shape, _ in seen}) == 1 and all(
        not part.isdigit() or len({shape[place] for shape, _ in seen}) == 1 for place, part in enumerate(said)
    )


def shape_said(seen: Shapes, any_axis: bool = False) -> str:
    """A shape in words: each length as the axis of an argument that has it in every call, else as a number.

    Parameters
    ----------
    seen : list of (tuple of int, dict)
        The shape in each call, with the call's arguments.
    any_axis : bool
        Take an axis of several that have the length in every call, too, though they are different ones.
    """
    (first, names), *others = [one for one in seen if len(one[0]) == len(seen[0][0])]
    said = []
    for place, size in enumerate(first):
        fits = [
            (name, axis)
            for name, value in names.items()
            for axis in range(-value.ndim if isinstance(value, np.ndarray) else 0, 0)
            if value.shape[axis] == size
            and all(_length(more.get(name), axis) == shape[place] for shape, more in others)
        ]
        # A length that never changes is no argument's.
        varied = {shape[place] for shape, _ in seen if len(shape) > place}
        known = len(varied) > 1 and (bool(fits) if any_axis else len({axis for _, axis in fits}) == 1)
        both = [] if fits or len(varied) < 3 else _products(place, [one for one in seen if len(one[0]) == len(first)])
        said.append(_axis(names, *fits[0]) if known else both[0] if len(both) == 1 else str(size))
    return f"({', '.join(said)}{',' * (len(first) == 1)})"


def _products(place: int, seen: Shapes) -> list[str]:
    """The two axes of arguments whose lengths, multiplied, are the length at a place in every call, in words."""
    names = seen[0][1]
    axes = [
        (name, axis)
        for name, value in names.items()
        for axis in range(-value.ndim if isinstance(value, np.ndarray) else 0, 0)
    ]
    return [
        f"{_axis(names, *one)} * {_axis(names, *other)}"
        for one, other in itertools.combinations(axes, 2)
        if all(_length(more.get(one[0]), one[1]) for _, more in seen)
        and all(
            (_length(more.get(one[0]), one[1]) or 0) * (_length(more.get(other[0]), other[1]) or 0) == shape[place]
            for shape, more in seen
        )
    ]


def _length(value: Any, axis: int) -> int | None:
    return value.shape[axis] if isinstance(value, np.ndarray) and value.ndim >= -axis else None


def _axis(names: dict[str, Any], name: str, axis: int) -> str:
    """An axis of an argument; where there may be axes in front, counted from the end."""
    return f"{name}.shape[{axis if names[name].ndim > 2 else axis + names[name].ndim}]"
