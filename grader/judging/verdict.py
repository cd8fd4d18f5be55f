"""What the judge says: points, findings and a diagnosis, as text for a terminal and as HTML for a notebook."""

import textwrap
from collections.abc import Iterable
from dataclasses import dataclass
from enum import StrEnum
from html import escape
from typing import Any

import numpy as np

from grader.words import points_of

WIDTH = 84  # nbgrader's Validate cuts lines at 87 characters
LARGEST_TABLE = 8


class State(StrEnum):
    """How an answer stands, each in the words that people read."""

    CORRECT = "correct"
    PARTLY_RIGHT = "partly right"
    NOT_YET_RIGHT = "not yet right"
    NOT_ATTEMPTED = "not attempted yet"
    NOT_HANDED_IN = "not handed in"
    NOT_READABLE = "could not be read"
    NO_VERDICT = "no verdict"


@dataclass(frozen=True)
class Finding:
    """One thing that was tested.

    Attributes
    ----------
    tested : str
        What was tested, in words.
    passed : bool
    words : str
        What happened, in words; "" where there is nothing to add.
    points, max_points : float
        What it earned, and what it could.
    arrays : tuple of (str, plain value)
        Labelled values to show: the arguments, what was expected, what came.
    """

    tested: str
    passed: bool
    words: str = ""
    points: float = 0.0
    max_points: float = 0.0
    arrays: tuple[tuple[str, Any], ...] = ()


@dataclass(frozen=True)
class Advice:
    """A named mistake, with cause and cure."""

    looks_like: str
    cause: str
    cure: str


@dataclass(frozen=True)
class Verdict:
    """The result of checking one answer.

    Attributes
    ----------
    exercise : str
        The exercise's id.
    points, max_points : float
        Points earned, and full marks.
    findings : tuple of Finding
        What was tested; the first that failed carries the smallest failing example.
    diagnosis : str or None
        Id of the misconception that explains the answer, if one does.
    diagnoses : tuple of str
        Ids of all mistakes that were recognised (two where a pair explains the answer).
    advice : tuple of Advice
        For each of `diagnoses`: what it looks like, its cause and its cure.
    attempted : bool
        False where the learner has not begun.
    notes : tuple of str
        Things worth knowing that cost nothing (a print, a warning).
    unjudged : State or None
        Where nobody could judge: why not.
    unnamed : bool
        True where a function is wrong and nothing explains how.
    """

    exercise: str
    points: float
    max_points: float
    findings: tuple[Finding, ...]
    diagnoses: tuple[str, ...] = ()
    advice: tuple[Advice, ...] = ()
    attempted: bool = True
    notes: tuple[str, ...] = ()
    unjudged: State | None = None
    unnamed: bool = False

    @property
    def passed(self) -> bool:
        """True for full marks."""
        return self.points >= self.max_points

    @property
    def state(self) -> State:
        """How the answer stands."""
        if self.unjudged:
            return self.unjudged
        if self.passed:
            return State.CORRECT
        if not self.attempted:
            return State.NOT_ATTEMPTED
        return State.PARTLY_RIGHT if self.points > 0 else State.NOT_YET_RIGHT

    @property
    def diagnosis(self) -> str | None:
        """Id of the first recognised misconception, or None."""
        return self.diagnoses[0] if self.diagnoses else None

    @property
    def score(self) -> str:
        """The points in words."""
        return f"{self.points:g} of {points_of(self.max_points)}"

    @property
    def headline(self) -> str:
        """One line: the state and the points."""
        return f"{self.exercise}: {self.state}, {self.score}"

    @property
    def text(self) -> str:
        """The whole verdict for a terminal."""
        lines: list[str] = [self.headline]
        for advice in self.advice:
            lines += ["", *_wrap(f"Looks like: {advice.looks_like}.", "  ")]
            lines += _wrap(f"Why it matters: {advice.cause}", "  ")
            lines += _wrap(f"What to do: {advice.cure}", "  ")
        if self.advice:
            lines.append("")
        shown, before = False, set[str]()
        for finding in self.findings:
            words = _unrepeated(finding.words, before)
            said = finding.tested + (f": {words}" if words else "")
            lines += _wrap(said, "    ", first="  + " if finding.passed else "  - ")
            if finding.arrays and not finding.passed and not shown:
                shown = True
                digits = _digits(finding.arrays)
                for label, value in finding.arrays:
                    lines += _labelled(label, value, digits)
        lines += [line for note in self.notes for line in _wrap(note, "    ", first="  . ")]
        return "\n".join(lines)

    def _repr_html_(self) -> str:
        colour = "#009E73" if self.passed else ("#E69F00" if self.points > 0 else "#D55E00")
        if not self.attempted:
            colour = "#56B4E9"
        parts = [
            f'<div class="verdict" style="border-left:5px solid {colour};padding:6px 14px;margin:6px 0;'
            'line-height:1.45;max-width:62em">',
            f"<div><b>{escape(self.headline)}</b></div>",
        ]
        for advice in self.advice:
            parts.append(
                '<div style="margin:6px 0;padding:6px 10px;background:rgba(128,128,128,0.12);border-radius:4px">'
                f"<b>Looks like:</b> {_inline(advice.looks_like)}.<br>"
                f"<b>Why it matters:</b> {_inline(advice.cause)}<br>"
                f"<b>What to do:</b> {_inline(advice.cure)}</div>"
            )
        parts.append('<ul style="list-style:none;margin:4px 0;padding-left:0">')
        shown, before = False, set[str]()
        for finding in self.findings:
            mark = (
                '<span style="color:#009E73" title="passed">✓</span>'
                if finding.passed
                else '<span style="color:#D55E00" title="failed">✗</span>'
            )
            worth = f" <small>({finding.points:g}/{finding.max_points:g})</small>" if finding.max_points else ""
            words = _unrepeated(finding.words, before)
            words = f": {_inline(words)}" if words else ""
            parts.append(f"<li>{mark} {_inline(finding.tested)}{worth}{words}")
            if finding.arrays and not finding.passed and not shown:
                shown = True
                parts.append(_tables(finding.arrays))
            parts.append("</li>")
        parts += [f"<li>· <small>{_inline(note)}</small></li>" for note in self.notes]
        parts.append("</ul></div>")
        return "".join(parts)

    def __repr__(self) -> str:
        return self.text


def no_verdict(exercise: str, max_points: float, words: str, state: State = State.NO_VERDICT) -> Verdict:
    """What is shown, and earned, where nobody could judge; `words` say why."""
    return Verdict(exercise, 0.0, max_points, (Finding(words, False, "", 0.0, max_points),), unjudged=state)


class Score(float):
    """The points of a verdict as a number, which is what nbgrader reads from a check cell's output."""

    verdict: Verdict

    def __new__(cls, verdict: Verdict) -> "Score":
        score = super().__new__(cls, verdict.points)
        score.verdict = verdict
        return score

    def __repr__(self) -> str:
        return repr(float(self))

    def _repr_html_(self) -> str:
        return f'<span style="opacity:0.7">{self.verdict.score}</span>'


def as_data(verdict: Verdict | Score) -> dict[str, str]:
    """What a notebook shows of a verdict or its points, by MIME type."""
    return {
        "text/plain": verdict.text if isinstance(verdict, Verdict) else repr(verdict),
        "text/html": verdict._repr_html_(),
    }


def cell_outputs(verdict: Verdict, execution_count: int | None = None) -> list[dict[str, Any]]:
    """The outputs of a check cell with this verdict: what people read, and the points, which nbgrader reads."""
    return [
        {"output_type": "display_data", "data": as_data(verdict), "metadata": {}},
        {
            "output_type": "execute_result",
            "data": as_data(Score(verdict)),
            "metadata": {},
            "execution_count": execution_count,
        },
    ]


def _unrepeated(words: str, before: set[str]) -> str:
    """The words, or "the same" where a long message has been said already."""
    if len(words) > 50 and words in before:
        return "the same"
    before.add(words)
    return words


def _digits(arrays: Iterable[tuple[str, Any]]) -> int:
    """Four digits, or more where that many would show no difference between expected and got."""
    named = dict(arrays)
    pair = [named[label] for label in ("expected", "you returned") if label in named]
    alike = len(pair) == 2 and show_value(pair[0]) == show_value(pair[1])
    return 9 if alike else 4


def _inline(words: str) -> str:
    """Escape words for HTML; `code` between backticks is set as code."""
    pieces = escape(words).replace("\n", "<br>").split("`")
    if len(pieces) % 2 == 0:
        return "`".join(pieces)
    return "".join(f"<code>{piece}</code>" if i % 2 else piece for i, piece in enumerate(pieces))


def _wrap(words: str, indent: str, first: str | None = None) -> list[str]:
    return textwrap.wrap(
        words,
        WIDTH,
        initial_indent=indent if first is None else first,
        subsequent_indent=indent,
        break_on_hyphens=False,
    )


def show_value(value: Any, digits: int = 4) -> str:
    """A plain value as short text."""
    if isinstance(value, np.ndarray):
        if value.dtype.kind == "b":
            value = value.astype(int)
        return np.array2string(
            value,
            max_line_width=WIDTH - 8,
            precision=digits,
            suppress_small=_readable_as_decimals(value),
            separator=" ",
            threshold=60,
            edgeitems=3,
        )
    if isinstance(value, (list, tuple)) and value and all(isinstance(item, np.ndarray) for item in value):
        return "\n".join(show_value(item, digits) for item in value)
    if isinstance(value, float):
        return f"{value:.{digits + 2}g}"
    said = repr(value)
    return said if len(said) <= 300 else said[:297] + "..."


def _readable_as_decimals(array: np.ndarray) -> bool:
    finite = array[np.isfinite(array)] if array.dtype.kind == "f" else array
    return bool(finite.size == 0 or np.abs(finite).max() < 1e5)


def _labelled(label: str, value: Any, digits: int) -> list[str]:
    lines = [piece for line in show_value(value, digits).split("\n") for piece in _fold(line)]
    head = f"      {label} = "
    if len(lines) == 1 and len(head) + len(lines[0]) <= WIDTH + 3:
        return [head + lines[0]]
    return [f"      {label} ="] + ["        " + line for line in lines]


def _fold(line: str) -> list[str]:
    """Break a line that is too long for Validate."""
    return (
        textwrap.wrap(line, WIDTH - 8, subsequent_indent=" ", break_on_hyphens=False) if len(line) > WIDTH else [line]
    )


def _tables(arrays: Iterable[tuple[str, Any]]) -> str:
    """Labelled values side by side; large pairs of matrices as one heat table of their difference."""
    named: dict[str, Any] = dict(arrays)
    got: Any = named.get("you returned")
    expected: Any = named.get("expected")
    cells, digits = [], _digits(arrays)
    both = isinstance(got, np.ndarray) and isinstance(expected, np.ndarray) and got.shape == expected.shape
    large = both and got.ndim == 2 and max(got.shape) > LARGEST_TABLE and max(got.shape) <= 40
    for label, value in arrays:
        if large and label in ("expected", "you returned"):
            continue
        cells.append(_cell(label, value, digits))
    if large:
        difference = np.abs(got.astype(float) - expected.astype(float))
        cells.append(_cell("difference from the expected result (darker = larger)", difference, digits, heat=True))
    return f'<div style="display:flex;flex-wrap:wrap;gap:18px;margin:6px 0 8px 18px">{"".join(cells)}</div>'


def _cell(label: str, value: Any, digits: int, heat: bool = False) -> str:
    body = (
        _matrix(value, digits, heat)
        if _is_table(value, heat)
        else f"<pre style='margin:0'>{escape(show_value(value, digits))}</pre>"
    )
    return f"<div><div><small>{escape(label)}</small></div>{body}</div>"


def _is_table(value: Any, heat: bool) -> bool:
    if not isinstance(value, np.ndarray) or value.ndim not in (1, 2) or value.size == 0:
        return False
    return heat or max(value.shape) <= LARGEST_TABLE


def _matrix(array: np.ndarray, digits: int, heat: bool = False) -> str:
    rows = np.atleast_2d(array)
    top = float(np.nanmax(rows)) if heat and np.isfinite(rows).any() else 0.0
    out = ['<table style="border-collapse:collapse;margin:0;font-variant-numeric:tabular-nums">']
    for row in rows:
        out.append('<tr style="background:none">')
        for number in row:
            style = "padding:1px 6px;text-align:right;border:1px solid rgba(128,128,128,0.35)"
            shown = _number(number, digits)
            if heat:
                share = float(number) / top if top > 0 and np.isfinite(number) else 1.0
                style += f";width:10px;height:12px;background:rgba(213,94,0,{share:.2f})"
                out.append(f'<td style="{style}" title="{shown}"></td>')
            else:
                out.append(f'<td style="{style}">{shown}</td>')
        out.append("</tr>")
    return "".join([*out, "</table>"])


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
