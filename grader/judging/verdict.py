"""What the judge says: points, findings and a diagnosis, as text for a terminal and as HTML for a notebook."""

import functools
import re
import textwrap
from collections.abc import Iterable
from dataclasses import dataclass, replace
from enum import StrEnum
from html import escape
from typing import Any

from grader.judging.showing import WIDTH, as_html, as_text
from grader.words import plural, points_of, shown, stressed

LONGEST_PRINTED = 2_000
MOST_PRINTED_LINES = 4  # in text; on a page they are folded


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
    tried : bool
        False where nothing was tested: there is nothing yet, or a call before it did not come to an end.
    """

    tested: str
    passed: bool
    words: str = ""
    points: float = 0.0
    max_points: float = 0.0
    arrays: tuple[tuple[str, Any], ...] = ()
    tried: bool = True


@dataclass(frozen=True)
class Advice:
    """A named mistake, with cause and cure."""

    looks_like: str
    cause: str
    cure: str


@dataclass(frozen=True)
class Printed:
    """What a function printed while it was checked.

    Attributes
    ----------
    text : str
        What the first call printed that printed anything, cut where it is long.
    calls, of : int
        How many calls printed something, and how many calls there were.
    """

    text: str
    calls: int
    of: int

    @classmethod
    def by(cls, calls: Iterable[str]) -> "Printed | None":
        """From what each call printed; None if that was nothing."""
        calls = list(calls)
        texts = [text for text in calls if text.strip()]
        if not texts:
            return None
        text, more = texts[0][:LONGEST_PRINTED], len(texts[0]) - LONGEST_PRINTED
        # A terminal would obey some of what can be printed.
        lines = [shown(line.expandtabs(), LONGEST_PRINTED) for line in text.strip("\n").splitlines()]
        if more > 0:
            lines.append(f"... ({more:,} more characters)")
        return cls("\n".join(lines), len(texts), len(calls))

    @property
    def headline(self) -> str:
        """How often, in one line."""
        if self.of == 1:
            return "What your function printed"
        return f"Your function printed something in {self.calls} of {self.of} calls; the first time"


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
    notice : str
        What to know before all else: that this is not the answer that the learner thinks it is, say.
    printed : Printed or None
        What the answer printed.
    unnamed : bool
        True where a function is wrong and nothing explains how.
    onward : tuple of str or None
        Where its learner is on the road: how far, what a link to go on says, and where it leads.
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
    notice: str = ""
    printed: Printed | None = None
    unnamed: bool = False
    onward: tuple[str, str, str] | None = None

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
        if self.notice:
            lines += _wrap(self.notice, "    ", first="  ! ")
        for advice in self.advice:
            lines += ["", *_wrap(f"Looks like: {advice.looks_like}.", "  ")]
            lines += _wrap(f"Why it matters: {advice.cause}", "  ")
            lines += _wrap(f"What to do: {advice.cure}", "  ")
        if self.advice:
            lines.append("")
        with_values = self._with_values
        before = set[str]()
        for finding in self.findings:
            words = _unrepeated(finding.words, before)
            said = finding.tested + (f": {words}" if words else "")
            lines += _wrap(said, "    ", first=f"  {_SIGNS[_result(finding)]} ")
            if finding is with_values:
                lines += as_text(finding.arrays)
                with_values = None
        lines += [line for note in self.notes for line in _wrap(note, "    ", first="  . ")]
        if self.printed:
            lines += _printed_as_text(self.printed)
        if self.onward:
            lines.append("  . {} {}: {}".format(*self.onward))
        return "\n".join(lines)

    @property
    def _with_values(self) -> Finding | None:
        """The first finding that failed with values to show: the smallest failing example."""
        return next((finding for finding in self.findings if finding.arrays and not finding.passed), None)

    def _repr_html_(self) -> str:
        colour = "#009E73" if self.passed else ("#E69F00" if self.points > 0 else "#D55E00")
        if not self.attempted:
            colour = "#56B4E9"
        parts = [
            f'<div class="verdict" style="border-left:5px solid {colour};padding:6px 14px;margin:6px 0;'
            'line-height:1.45;max-width:62em">',
            f"<div><b>{escape(self.headline)}</b></div>",
        ]
        if self.notice:
            parts.append(f'<div style="{_BOX};border:2px solid #E69F00"><b>Note:</b> {_inline(self.notice)}</div>')
        for advice in self.advice:
            parts.append(
                f'<div style="{_BOX}">'
                f"<b>Looks like:</b> {_inline(advice.looks_like)}.<br>"
                f"<b>Why it matters:</b> {_inline(advice.cause)}<br>"
                f"<b>What to do:</b> {_inline(advice.cure)}</div>"
            )
        parts.append('<ul style="list-style:none;margin:4px 0;padding-left:0">')
        with_values = self._with_values
        before = set[str]()
        for finding in self.findings:
            words = _unrepeated(finding.words, before)
            words = f": {_inline(words)}" if words else ""
            parts.append(f"<li>{_sign_as_html(finding)} {_inline(finding.tested)}{words}")
            if finding is with_values:
                parts.append(as_html(finding.arrays))
                with_values = None
            parts.append("</li>")
        parts += [f"<li>· <small>{_inline(note)}</small></li>" for note in self.notes]
        parts.append("</ul>")
        if self.printed:
            parts.append(
                f'<details style="margin:4px 0"><summary><small>{escape(self.printed.headline)}</small></summary>'
                f'<pre style="margin:4px 0 0 18px;white-space:pre-wrap">{escape(self.printed.text)}</pre></details>'
            )
        if self.onward:
            how_far, link, target = map(escape, self.onward)
            parts.append(f'<div><small>{how_far} <a href="{target}">{link}</a></small></div>')
        return "".join([*parts, "</div>"])

    def __repr__(self) -> str:
        return self.text


def no_verdict(exercise: str, max_points: float, words: str, state: State = State.NO_VERDICT) -> Verdict:
    """What is shown, and earned, where nobody could judge; `words` say why."""
    return Verdict(
        exercise, 0.0, max_points, (Finding(words, False, "", 0.0, max_points, tried=False),), unjudged=state
    )


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
        # The verdict above it has said the points; a page of feedback shows an output without any text as plain text.
        return f'<span class="attnlib-points" title="{self.verdict.score}">&nbsp;</span>'


def as_data(verdict: Verdict | Score) -> dict[str, str]:
    """What a notebook shows of a verdict or its points, by MIME type."""
    return {
        "text/plain": verdict.text if isinstance(verdict, Verdict) else repr(verdict),
        "text/html": verdict._repr_html_(),
    }


def cell_outputs(
    verdict: Verdict, execution_count: int | None = None, points: float | None = None
) -> list[dict[str, Any]]:
    """The outputs of a check cell with this verdict: what people read, and the points, which nbgrader reads.

    `points` are those that count, where they are not the verdict's.
    """
    counted = verdict if points is None else replace(verdict, points=points)
    return [
        {"output_type": "display_data", "data": as_data(verdict), "metadata": {}},
        {
            "output_type": "execute_result",
            "data": as_data(Score(counted)),
            "metadata": {},
            "execution_count": execution_count,
        },
    ]


#: A number, or a shape.
_NUMBER = re.compile(r"\([\d, ]+\)|\d+")


def _unrepeated(words: str, before: set[str]) -> str:
    """The words, or "the same" where a long message was the last that was said, but for its numbers."""
    told = _NUMBER.sub("#", words)
    if len(words) > 50 and told in before:
        return "the same" if words in before else "the same, with other numbers"
    before.clear()
    before.update((told, words))
    return words


_BOX = "margin:6px 0;padding:6px 10px;background:rgba(128,128,128,0.12);border-radius:4px"

# In text; on a page each has a form and a colour of its own, and says its result and its points when pointed at.
_SIGNS = {"passed": "+", "failed": "-", "not tried": "o"}
_SIGNS_AS_HTML = {"passed": ("✓", "color:#009E73"), "failed": ("✗", "color:#D55E00"), "not tried": ("○", "opacity:0.7")}


def _result(finding: Finding) -> str:
    if finding.passed:
        return "passed"
    return "failed" if finding.tried else "not tried"


def _sign_as_html(finding: Finding) -> str:
    result = _result(finding)
    sign, style = _SIGNS_AS_HTML[result]
    worth = f", {finding.points:g} of {points_of(finding.max_points)}" if finding.max_points else ""
    return f'<span style="{style}" title="{result}{worth}">{sign}</span>'


def _printed_as_text(printed: Printed) -> list[str]:
    lines = printed.text.split("\n")
    kept = [f"      | {shown(line, WIDTH - 8)}" for line in lines[:MOST_PRINTED_LINES]]
    if len(lines) > MOST_PRINTED_LINES:
        kept.append(f"      | ... ({plural(len(lines) - MOST_PRINTED_LINES, 'more line')})")
    return [f"  . {printed.headline}:", *kept]


@functools.lru_cache(4096)  # most of what is said to one student is said to others
def _inline(words: str) -> str:
    """Escape words for HTML; `code` between backticks is set as code, and *what is stressed* as such."""
    pieces = escape(words).replace("\n", "<br>").split("`")
    if len(pieces) % 2 == 0:
        return "`".join(pieces)
    return "".join(f"<code>{piece}</code>" if i % 2 else stressed(piece) for i, piece in enumerate(pieces))


@functools.lru_cache(4096)
def _wrap(words: str, indent: str, first: str | None = None) -> tuple[str, ...]:
    return tuple(
        textwrap.wrap(
            words,
            WIDTH,
            initial_indent=indent if first is None else first,
            subsequent_indent=indent,
            break_on_hyphens=False,
        )
    )
