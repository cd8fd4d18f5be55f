"""Values as people read them: an array cut to the part that differs, what differs marked, as text and as a table."""

import re
import textwrap
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from html import escape
from typing import Any

import numpy as np

from grader.judging.compare import near
from grader.judging.plain import identical
from grader.words import plural

WIDTH = 84  # nbgrader's Validate cuts lines at 87 characters
LARGEST = 8  # rows, and columns, that are shown
MOST_ITEMS = 16  # of a list
MOST_ENTRIES = 150  # of all arguments together: beyond that, of large ones only the shape
LONGEST_TEXT = 300

EXPECTED, RETURNED = "expected", "you returned"
MARK = "*"


@dataclass(frozen=True)
class Shown:
    """What is shown of a value.

    Attributes
    ----------
    label : str
        What the value is.
    value : plain value
        The part of it that is shown; of an array at most two axes.
    where : str
        Which part that is, in words; "" for the whole.
    starts : tuple of int
        The index of the first entry that is shown, along each axis.
    marked : bool ndarray or None
        Which entries differ from what is expected; None where nothing is compared.
    other : ndarray or None
        What is expected in their places.
    """

    label: str
    value: Any
    where: str = ""
    starts: tuple[int, ...] = ()
    marked: np.ndarray | None = None
    other: np.ndarray | None = None

    @property
    def head(self) -> str:
        """The label, with the part where it is not the whole."""
        return f"{self.label} ({self.where})" if self.where else self.label


def as_text(arrays: Iterable[tuple[str, Any]]) -> list[str]:
    """Labelled values as lines for a terminal."""
    arrays = tuple(arrays)
    parts, explained = _parts(arrays)
    digits = _digits(parts)
    lines = [line for part in parts for line in _labelled(part, digits)]
    return lines + ["      " + explained] * bool(explained)


def as_html(arrays: Iterable[tuple[str, Any]]) -> str:
    """Labelled values side by side, arrays as tables."""
    parts, explained = _parts(tuple(arrays))
    digits = _digits(parts)
    cells = "".join(f"<div>{_shown_in_html(part, digits)}</div>" for part in parts)
    below = f'<div style="margin:0 0 8px 18px"><small>{escape(explained)}</small></div>' if explained else ""
    return f'<div style="display:flex;flex-wrap:wrap;gap:18px;margin:6px 0 8px 18px">{cells}</div>{below}'


# ---------------------------------------------------------------- which part


class _Words(str):
    """What is said in the place of a value."""

    __repr__ = str.__str__


def _short(arrays: tuple[tuple[str, Any], ...]) -> tuple[tuple[str, Any], ...]:
    """The values, with only the shapes of large arguments where there is much to show."""
    large = {
        label: min(value.size, LARGEST**2)
        for label, value in arrays
        if isinstance(value, np.ndarray) and label not in (EXPECTED, RETURNED)
    }
    if sum(large.values()) <= MOST_ENTRIES:
        return arrays
    return tuple(
        (label, _Words(f"an array of shape {value.shape}") if large.get(label, 0) > MOST_ITEMS else value)
        for label, value in arrays
    )


def _parts(arrays: tuple[tuple[str, Any], ...]) -> tuple[list[Shown], str]:
    """What is shown of each value, and a line on what differs; "" where there is nothing to say."""
    arrays = _short(arrays)
    named = dict(arrays)
    expected, got = named.get(EXPECTED), named.get(RETURNED)
    if isinstance(expected, np.ndarray) and isinstance(got, np.ndarray) and expected.shape == got.shape:
        return _around_difference(arrays, expected, got)
    parts, explained = [], ""
    first = _first_difference(expected, got)
    if first is not None and (first or not isinstance(expected, str)):  # other words differ from the first letter on
        what = "character" if isinstance(expected, str) else "item"
        explained = f"They differ first at {what} {first}, counted from 0."
    for label, value in arrays:
        if first is not None and label in (EXPECTED, RETURNED):
            parts.append(_cut_sequence(label, value, first))
        else:
            parts.append(_cut(label, value))
    return parts, explained


def _around_difference(
    arrays: tuple[tuple[str, Any], ...], expected: np.ndarray, got: np.ndarray
) -> tuple[list[Shown], str]:
    """The parts where two arrays of one shape differ first; others of this shape show the same places."""
    differs = ~near(got, expected)
    first = tuple(map(int, np.unravel_index(int(differs.argmax()), differs.shape))) if differs.any() else None
    parts = []
    for label, value in arrays:
        if isinstance(value, np.ndarray) and value.shape == got.shape:
            marks = (differs, expected) if label == RETURNED and first is not None and got.ndim else (None, None)
            parts.append(_cut(label, value, first, *marks))
        else:
            parts.append(_cut(label, value))
    if first is None or not got.ndim:
        return parts, ""
    many = "all" if differs.all() else f"{int(differs.sum()):,} of"
    return parts, f"{MARK} differs from what is expected: {many} {plural(differs.size, 'entry', 'entries')}"


def _cut(
    label: str,
    value: Any,
    first: tuple[int, ...] | None = None,
    marked: np.ndarray | None = None,
    other: np.ndarray | None = None,
) -> Shown:
    """The part of a value around the place `first`, or its beginning."""
    if isinstance(value, list) and len(value) > MOST_ITEMS and not any(isinstance(item, np.ndarray) for item in value):
        return _cut_sequence(label, value, 0)
    if not isinstance(value, np.ndarray) or value.size == 0:
        return Shown(label, value)
    first = first or (0,) * value.ndim
    starts = tuple(_start(place, size) for place, size in zip(first, value.shape, strict=True))[-2:]
    slices = tuple(slice(start, start + LARGEST) for start in starts)
    place: Any = (*first[:-2], *slices)
    names = ("rows", "columns") if value.ndim > 1 else ("numbers",)
    said = [
        f"{name} {_span(start, size)}"
        for name, start, size in zip(names, starts, value.shape[-2:], strict=False)
        if size > LARGEST
    ]
    if value.ndim > 2:
        said.insert(0, f"slice [{', '.join(map(str, first[:-2]))}] of shape {value.shape}")
    return Shown(
        label,
        value[place],
        ", ".join(said),
        starts,
        None if marked is None else marked[place],
        None if other is None else other[place],
    )


def _cut_sequence(label: str, value: Any, first: int) -> Shown:
    """The part of a list or a text around an item."""
    if isinstance(value, str):
        start = max(first - 40, 0) if len(value) > LONGEST_TEXT else 0
        part = value[start : start + 200] if start or len(value) > LONGEST_TEXT else value
        where = f"characters {start} to {start + len(part) - 1} of {len(value)}" if len(part) < len(value) else ""
        return Shown(label, part, where)
    if len(value) <= MOST_ITEMS:
        return Shown(label, value)
    start = _start(first, len(value), MOST_ITEMS)
    return Shown(label, value[start : start + MOST_ITEMS], f"items {_span(start, len(value), MOST_ITEMS)}")


def _start(place: int, size: int, most: int = LARGEST) -> int:
    """Where a part begins that shows a place, and one before it."""
    return max(min(place - 1, size - most), 0)


def _span(start: int, size: int, most: int = LARGEST) -> str:
    return f"{start} to {start + most - 1} of {size}"


def _first_difference(expected: Any, got: Any) -> int | None:
    """Where two lists or two texts differ first; None if they do not, or are neither."""
    if isinstance(expected, list) and isinstance(got, (list, tuple)):
        pairs: Iterator[tuple[Any, Any]] = zip(expected, got, strict=False)
    elif isinstance(expected, str) and isinstance(got, str):
        pairs = zip(expected, got, strict=False)
    else:
        return None
    for i, (one, other) in enumerate(pairs):
        if type(one) is not type(other) or not identical(one, other):
            return i
    return min(len(expected), len(got)) if len(expected) != len(got) else None


def _digits(parts: Iterable[Shown]) -> int:
    """Four digits, or more where that many would show no difference between expected and got."""
    named = {part.label: part for part in parts}
    if EXPECTED not in named or RETURNED not in named:
        return 4
    got = named[RETURNED]
    if np.shape(got.value) != np.shape(named[EXPECTED].value) or got.where != named[EXPECTED].where:
        return 4
    if got.marked is not None and got.other is not None:
        pairs = zip(got.value[got.marked], got.other[got.marked], strict=True)
        return 9 if any(_number(one, 4) == _number(other, 4) for one, other in pairs) else 4
    return 9 if show_value(named[EXPECTED].value) == show_value(got.value) else 4


# ---------------------------------------------------------------- text


def show_value(value: Any, digits: int = 4, width: int = WIDTH - 8) -> str:
    """A plain value as short text."""
    if isinstance(value, np.ndarray):
        if value.dtype.kind == "b":
            if value.ndim == 1:
                return f"[{' '.join(map(str, value))}]"
            value = value.astype(int)  # a mask would be too wide in words
        return np.array2string(
            value,
            max_line_width=width,
            precision=digits,
            suppress_small=_readable_as_decimals(value),
            separator=" ",
            threshold=LARGEST**2,
            edgeitems=3,
        )
    if isinstance(value, (list, tuple)) and value and all(isinstance(item, np.ndarray) for item in value):
        return "\n".join(show_value(item, digits) for item in value)
    if isinstance(value, float):
        return f"{value:.{digits + 2}g}"
    said = repr(value)
    return said if len(said) <= LONGEST_TEXT else said[: LONGEST_TEXT - 3] + "..."


def _readable_as_decimals(array: np.ndarray) -> bool:
    finite = array[np.isfinite(array)] if array.dtype.kind == "f" else array
    return finite.size == 0 or float(np.abs(finite).max()) < 1e5


def _labelled(part: Shown, digits: int) -> list[str]:
    said = show_value(part.value, digits) if part.marked is None else _marked_text(part.value, part.marked, digits)
    lines = [piece.rstrip() for line in said.split("\n") for piece in _fold(line)]
    head = f"      {part.head} = "
    if len(lines) == 1 and len(head) + len(lines[0]) <= WIDTH + 3:
        return [head + lines[0]]
    return [head.rstrip()] + ["        " + line for line in lines]


def _marked_text(array: np.ndarray, marked: np.ndarray, digits: int) -> str:
    """An array as text with a mark behind each number that differs; rows are broken where the marks do not fit."""
    said = ""
    for width in (WIDTH - 8, (WIDTH - 8) * 2 // 3):
        pieces = re.split(r"([^\s\[\]]+)", show_value(array, digits, width))
        pieces[1::2] = [
            number + (MARK if differs else " ") for number, differs in zip(pieces[1::2], marked.flat, strict=True)
        ]
        said = "".join(pieces)
        if max(map(len, said.split("\n"))) <= WIDTH - 8:
            break
    return said


def _fold(line: str) -> list[str]:
    """Break a line that is too long for Validate."""
    return (
        textwrap.wrap(line, WIDTH - 8, subsequent_indent=" ", break_on_hyphens=False)
        if len(line) > WIDTH - 8
        else [line]
    )


# ---------------------------------------------------------------- HTML

_LINE = "1px solid rgba(128,128,128,0.35)"
_NUMBER = f"padding:1px 10px 1px 6px;text-align:right;border:{_LINE}"
_MARKED = f"padding:1px 3px 1px 6px;text-align:right;border:{_LINE};font-weight:bold;background:rgba(213,94,0,0.22)"
_INDEX = "padding:1px 6px;text-align:right;border:none;font-weight:normal;opacity:0.65"
_CAPTION = "text-align:left;padding:0 0 2px 0;font-style:normal;white-space:nowrap"


def _shown_in_html(part: Shown, digits: int) -> str:
    where = f"<br><small>{escape(part.where)}</small>" if part.where else ""
    head = f"<small><b>{escape(part.label)}</b></small>{where}"
    if isinstance(part.value, np.ndarray) and part.value.ndim and part.value.size:
        return _table(part, head, digits)
    value = escape(show_value(part.value, digits))
    return f'<div>{head}</div><pre style="margin:0;white-space:pre-wrap">{value}</pre>'


def _table(part: Shown, caption: str, digits: int) -> str:
    """An array of one or two axes as a table whose rows and columns bear their index."""
    rows = np.atleast_2d(part.value)
    marked = np.zeros(rows.shape, bool) if part.marked is None else np.atleast_2d(part.marked)
    other = rows if part.other is None else np.atleast_2d(part.other)
    matrix = part.value.ndim == 2
    corner = f'<td style="{_INDEX}"></td>' if matrix else ""
    columns = range(part.starts[-1], part.starts[-1] + rows.shape[1])
    out = [
        '<table style="border-collapse:collapse;margin:0;font-variant-numeric:tabular-nums">',
        f'<caption style="{_CAPTION}">{caption}</caption>',
        f'<thead style="border:none"><tr style="background:none">{corner}',
        *(f'<th scope="col" style="{_INDEX}">{column}</th>' for column in columns),
        "</tr></thead><tbody>",
    ]
    for i, row in enumerate(rows):
        out.append('<tr style="background:none">')
        if matrix:
            out.append(f'<th scope="row" style="{_INDEX}">{part.starts[0] + i}</th>')
        for number, differs, right in zip(row, marked[i], other[i], strict=True):
            said = _number(number, digits)
            if differs:
                out.append(
                    f'<td style="{_MARKED}" title="differs: expected {_number(right, digits)}">{said}{MARK}</td>'
                )
            else:
                out.append(f'<td style="{_NUMBER}">{said}</td>')
        out.append("</tr>")
    return "".join([*out, "</tbody></table>"])


def _number(number: Any, digits: int) -> str:
    if isinstance(number, (bool, np.bool_)):
        return str(bool(number))
    if isinstance(number, (int, np.integer)):
        return str(int(number))
    number = float(number)
    if not np.isfinite(number):
        return str(number)
    if number == 0 or 1e-4 <= abs(number) < 1e5:
        return f"{number:.{digits}f}".rstrip("0").rstrip(".")
    return f"{number:.1e}"
