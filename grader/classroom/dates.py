"""grading/course.toml: when parts are due, what being late costs, extensions of students, which attempt counts, and
which exercises do not.

Without the file nothing is late, the last attempt counts, and so do all exercises.
"""

from __future__ import annotations

import contextlib
import difflib
import math
import re
import tomllib
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field, replace
from datetime import UTC, date, datetime, time, timedelta, tzinfo
from pathlib import Path
from typing import Any, NoReturn, Protocol
from zoneinfo import ZoneInfo, available_timezones

from grader.errors import CourseError, UnknownName
from grader.files import read_regular
from grader.words import plural, points_of, shown

NAME = "course.toml"
LARGEST = 2**20
ATTEMPTS = ("last", "best")
#: What can be said for all parts, and again for one.
RULES = ("late_days", "penalty_per_day", "penalty_at_most", "attempts")
OF_A_PART = ("due", *RULES, "extensions", "handed_in", "dropped")
DAY = timedelta(days=1)
#: So much do two names have in common of which one may be meant for the other.
ALIKE, VERY_ALIKE = 0.6, 0.8


class Parts(Protocol):
    """What is asked of a course here."""

    grading: Path
    parts: list[str]

    def find_part(self, name: str) -> str:
        """The part that is meant."""

    def graded_ids(self, part: str) -> list[str]:
        """The ids of a part's exercises and written questions."""


@dataclass(frozen=True)
class Lateness:
    """How late a submission is, and what that costs.

    Attributes
    ----------
    due : datetime
        With the extension, if there is one.
    handed_in : datetime or None
        None if it is not known: then it is not late.
    extended : datetime or None
        Without the extension; None if there is none.
    days : int
        Days late; a day that has begun counts.
    free : int
        Those that cost nothing.
    percent : float
        Taken off what was earned.
    points : float
        What was taken off, as the gradebook has it.
    """

    due: datetime
    handed_in: datetime | None
    extended: datetime | None = None
    days: int = 0
    free: int = 0
    percent: float = 0.0
    points: float = 0.0

    @property
    def words(self) -> str:
        """In words, for whoever handed in; "" where there is nothing to say."""
        if self.handed_in is None or self.handed_in <= (self.extended or self.due):
            return ""
        when = f"due {_said(self.due)}, handed in {_said(self.handed_in)}"
        if not self.days:
            return f"Handed in within your extension ({when})."
        words = f"Handed in {plural(self.days, 'day')} late ({when}{', with your extension' if self.extended else ''})."
        if self.free:
            words += f" {plural(self.free, 'late day')} of these {'is' if self.free == 1 else 'are'} free."
        if self.points:
            share = f", {self.percent:g} % of what was earned" if self.percent else ""
            words += f" That costs {points_of(round(self.points, 2))} of this part{share}."
        return words


@dataclass(frozen=True)
class Rule:
    """What holds for a part.

    Attributes
    ----------
    due : datetime or None
    late_days : int or None
        So many late days are free here; None where only the course's number counts.
    penalty_per_day, penalty_at_most : float
        Per cent of what was earned.
    attempts : str or None
        Which attempt counts: "last" or "best"; None where nobody has said so (then it is the last).
    extensions : dict of str to (int or datetime)
        Days more, or until when, by student.
    handed_in : dict of str to datetime
        When a student handed in, where the files do not say it.
    dropped : tuple of str
        Ids of exercises and written questions that count for nobody.
    """

    due: datetime | None = None
    late_days: int | None = None
    penalty_per_day: float = 0.0
    penalty_at_most: float = 100.0
    attempts: str | None = None
    extensions: Mapping[str, float | datetime] = field(default_factory=dict)
    handed_in: Mapping[str, datetime] = field(default_factory=dict)
    dropped: tuple[str, ...] = ()

    def due_of(self, student: str) -> datetime | None:
        """When a student has to hand in."""
        more = self.extensions.get(student, 0)
        if self.due is None or isinstance(more, datetime):
            return more if isinstance(more, datetime) else None
        return self.due + more * DAY  # by the clock: a day in which the clock is changed is one day too


@dataclass(frozen=True)
class Dates:
    """What the file says; without a file, nothing.

    Attributes
    ----------
    zone : tzinfo or None
        In which times are meant that do not say it themselves.
    late_days : int or None
        So many days, over all parts of the course, cost a student nothing.
    parts : dict of str to Rule
        The parts that are named; `rule` gives that of any part.
    """

    zone: tzinfo | None = None
    late_days: int | None = None
    parts: Mapping[str, Rule] = field(default_factory=dict)
    usual: Rule = field(default_factory=Rule)
    lines: Mapping[str, str] = field(default_factory=dict)

    def rule(self, part: str) -> Rule:
        """What holds for a part."""
        return self.parts.get(part, self.usual)

    def said(self, moment: datetime) -> str:
        """A moment (in UTC, as nbgrader keeps times) in words, in the time zone of the course."""
        return _said(moment.replace(tzinfo=UTC).astimezone(self.zone or UTC))

    def lateness(self, part: str, student: str, times: Mapping[str, datetime | None]) -> Lateness | None:
        """How late a student is in a part; None where nothing is due.

        Parameters
        ----------
        part, student : str
        times : dict of str to (datetime or None)
            When the student handed in each part (in UTC, as nbgrader keeps times).
        """
        if self.rule(part).due is None:
            return None
        left = math.inf if self.late_days is None else self.late_days
        # The free days of a course are used up in the order in which its parts are due.
        for name, rule in sorted(self.parts.items(), key=lambda one: one[1].due or datetime.max.replace(tzinfo=UTC)):
            if rule.due is None or (name != part and self.late_days is None):
                continue
            lateness = self._alone(rule, student, times.get(name), left)
            left -= lateness.free
            if name == part:
                return lateness
        return None

    def _alone(self, rule: Rule, student: str, handed_in: datetime | None, left: float) -> Lateness:
        due, when = rule.due_of(student), rule.handed_in.get(student)
        assert due is not None
        assert rule.due is not None
        if when is None and handed_in is not None:
            when = handed_in.replace(tzinfo=UTC)
        # Of the same zone, times are compared by the clock.
        when = when.astimezone(due.tzinfo) if when else None
        lateness = Lateness(due, when, None if due == rule.due else rule.due)
        if when is None or when <= due:
            return lateness
        days = math.ceil((when - due) / DAY)
        allowed = rule.late_days if rule.late_days is not None else 0 if math.isinf(left) else left
        free = int(min(days, allowed, left))
        percent = min((days - free) * rule.penalty_per_day, rule.penalty_at_most, 100.0)
        return replace(lateness, days=days, free=free, percent=percent)

    def strangers(self, known: Iterable[str]) -> list[str]:
        """What to tell about students whom nobody knows.

        Parameters
        ----------
        known : iterable of str
            All who have handed in something, or are in the gradebook.

        Raises
        ------
        CourseError
            If one is likely to be mistyped.
        """
        known, told = set(known), []
        for student, where in self.lines.items():
            if student in known:
                continue
            near = _nearest(student, known, ALIKE)
            # Numbers of students are alike, and still not mistyped.
            if near and _alike(student, near) and re.findall(r"\d+", student) == re.findall(r"\d+", near):
                raise CourseError(
                    f"{where}: there is no student {shown(student)}; did you mean {shown(near)}? (If it is somebody "
                    f"else, who has not handed in yet, say so: nbgrader db student add {shown(student)})"
                )
            hint = f"; did you mean {shown(near)}?" if near else ""
            told.append(f"{where}: {shown(student)} has not handed in anything yet{hint}")
        return told


def read_dates(course: Parts) -> Dates:
    """What grading/course.toml says.

    Raises
    ------
    CourseError
        If the file cannot be read, or has a mistake in it: the message names the line.
    """
    path = course.grading / NAME
    try:
        text = read_regular(path, LARGEST).decode("utf-8-sig")
        return _Reader(course, text).dates(tomllib.loads(text))
    except (FileNotFoundError, NotADirectoryError):
        return Dates()
    except OSError as problem:
        raise CourseError(f"{path} cannot be read: {problem.strerror or problem}") from None
    except UnicodeDecodeError:
        raise CourseError(f"{path} cannot be read: save it as UTF-8") from None
    except RecursionError:
        raise CourseError(f"{path} cannot be read: brackets stand too deep within others") from None
    except tomllib.TOMLDecodeError as problem:
        raise CourseError(
            f"{path}: {problem}. A line is a name, =, and a value; a name with other signs than letters, digits, "
            '- and _ and a date stand in quotation marks, as in "ada@example.org" = 3'
        ) from None


class _Reader:
    """Makes `Dates` of what the file holds, or says in which line it cannot."""

    def __init__(self, course: Parts, text: str):
        self.course, self.path, self.text = course, course.grading / NAME, text
        self.zone: tzinfo | None = None
        self.lines: dict[str, str] = {}

    def dates(self, table: dict[str, Any]) -> Dates:
        if "timezone" in table:
            self.zone = self._zone(table["timezone"])
        known = ("timezone", "extensions", *RULES)
        usual = self._rule((), {name: table[name] for name in RULES if name in table}, Rule())
        everywhere = self._extensions(("extensions",), table.get("extensions", {}), None)
        parts: dict[str, Rule] = {}
        for name, about in table.items():
            if name in known:
                continue
            if not isinstance(about, dict):
                self._unknown((), name, known)
            part = self._part(name)
            if part in parts:
                self._fail((name,), None, f"{part} is here for the second time; join the two")
            parts[part] = self._rule((name,), about, replace(usual, late_days=None))
        parts = {name: replace(rule, extensions={**everywhere, **rule.extensions}) for name, rule in parts.items()}
        return Dates(self.zone, usual.late_days, parts, usual, self.lines)

    def _part(self, name: str) -> str:
        try:
            return self.course.find_part(name)
        except UnknownName as problem:
            near = _nearest(name, (*self.course.parts, "extensions"), ALIKE)
            self._fail((name,), None, f"{problem}{f'; did you mean {near}?' if near else ''}")

    def _rule(self, where: tuple[str, ...], about: dict[str, Any], usual: Rule) -> Rule:
        rule = usual
        due = self._moment(where, "due", about["due"]) if "due" in about else None
        for name, value in about.items():
            if name not in OF_A_PART:
                self._unknown(where, name, OF_A_PART)
            if name == "due":
                rule = replace(rule, due=due)
            elif name == "late_days":
                rule = replace(rule, late_days=int(self._number(where, name, value, whole=True)))
            elif name == "penalty_per_day":
                rule = replace(rule, penalty_per_day=self._number(where, name, value, 100))
            elif name == "penalty_at_most":
                rule = replace(rule, penalty_at_most=self._number(where, name, value, 100))
            elif name == "attempts":
                if value not in ATTEMPTS:
                    self._fail(where, name, f'{value!r} is neither "last" nor "best"')
                rule = replace(rule, attempts=value)
            elif name == "extensions":
                if due is None:
                    self._fail((*where, name), None, "there is nothing to extend: say when the part is due, first")
                rule = replace(rule, extensions=self._extensions((*where, name), value, due))
            elif name == "dropped":
                rule = replace(rule, dropped=self._exercises(where, value))
            else:
                inside = (*where, name)
                moments = {one: self._moment(inside, one, when) for one, when in self._students(inside, value)}
                rule = replace(rule, handed_in=moments)
        return rule

    def _extensions(self, where: tuple[str, ...], value: Any, due: datetime | None) -> dict[str, float | datetime]:
        found: dict[str, float | datetime] = {}
        for student, more in self._students(where, value):
            if isinstance(more, (int, float)):
                found[student] = self._number(where, student, more)
                continue
            if due is None:
                self._fail(where, student, "an extension for every part is a number of days; a date belongs to a part")
            found[student] = until = self._moment(where, student, more)
            if until < due:
                self._fail(where, student, f"this extension ends before the part is due ({_said(due)})")
        return found

    def _exercises(self, where: tuple[str, ...], value: Any) -> tuple[str, ...]:
        """Ids of what is graded in a part."""
        if not isinstance(value, list) or not all(isinstance(one, str) for one in value):
            self._fail(where, "dropped", 'dropped is a list of ids, as in dropped = ["softmax"]')
        part = self._part(where[0])
        there = self.course.graded_ids(part)
        for one in value:
            if one not in there:
                near = _nearest(one, there, ALIKE)
                hint = f"did you mean {near}?" if near else f"there are: {', '.join(there)}"
                self._fail(where, "dropped", f"there is no exercise {one!r} in {part}; {hint}")
        return tuple(dict.fromkeys(value))

    def _students(self, where: tuple[str, ...], value: Any, before: str = "") -> list[tuple[str, Any]]:
        """Who is named in a table, and what is said of each."""
        if not isinstance(value, dict):
            words = f"{where[-1]} is a table: below [{'.'.join(where)}] comes a line for each student"
            self._fail(where[:-1], where[-1], words)
        found = []
        for name, about in value.items():
            if isinstance(about, dict):  # ada.lovelace = 3, without quotation marks
                found += self._students(where, about, f"{before}{name}.")
            else:
                found.append((before + name, about))
                self.lines.setdefault(before + name, self._where(where, before + name))
        return found

    def _zone(self, name: Any) -> tzinfo:
        if isinstance(name, str) and name in available_timezones():
            return ZoneInfo(name)
        near = _nearest(str(name), available_timezones(), ALIKE)
        hint = f"did you mean {near}?" if near else "one is Europe/Berlin"
        self._fail((), "timezone", f"there is no time zone {name!r}; {hint}")

    def _number(self, where: tuple[str, ...], name: str, value: Any, most: float = 1000, whole: bool = False) -> float:
        fits = isinstance(value, (int, float)) and not isinstance(value, bool) and 0 <= value <= most
        if not fits or (whole and not isinstance(value, int)):
            kind = "whole number" if whole else "number"
            self._fail(where, name, f"{name} is {value!r}; it has to be a {kind} from 0 to {most:g}")
        return value

    def _moment(self, where: tuple[str, ...], name: str, value: Any) -> datetime:
        """A moment: a date alone stands for its end."""
        moment = value
        if isinstance(value, str):
            moment = None
            for kind in (datetime, date):  # what a date can be read from is one alone
                with contextlib.suppress(ValueError):
                    moment = kind.fromisoformat(value.strip())
        if isinstance(moment, date) and not isinstance(moment, datetime):
            moment = datetime.combine(moment, time(23, 59, 59))
        if not isinstance(moment, datetime) or not 2000 <= moment.year < 2100:
            self._fail(where, name, f'{str(value)[:60]!r} is no date; write it as "2026-11-20" or "2026-11-20 18:00"')
        if moment.tzinfo is None:
            if self.zone is None:
                self._fail(where, name, 'in which time zone? Put a line such as timezone = "Europe/Berlin" at the top')
            moment = moment.replace(tzinfo=self.zone)
        return moment

    def _unknown(self, where: tuple[str, ...], name: str, known: Iterable[str]) -> NoReturn:
        known = (*known, *(() if where else self.course.parts))
        near = _nearest(name, known, ALIKE)
        hint = f"did you mean {near}?" if near else f"there are: {', '.join(known)}"
        if not where and name in OF_A_PART:
            hint = f"put it below a line that names its part, such as [{self.course.parts[-1]}]"
        self._fail(where, name, f"{name} means nothing here; {hint}")

    def _fail(self, where: tuple[str, ...], name: str | None, words: str) -> NoReturn:
        raise CourseError(f"{self._where(where, name)}: {words}")

    def _where(self, section: tuple[str, ...], name: str | None) -> str:
        """The file and the line in which something stands."""
        here: tuple[str, ...] = ()
        for number, line in enumerate(self.text.splitlines(), 1):
            head = re.match(r"\s*\[([^]]*)\]", line)
            if head:
                here = tuple(one.strip().strip("\"'") for one in head[1].split("."))
            if here == section and (name is None if head else name == re.sub(r"[\s\"']", "", line.partition("=")[0])):
                return f"{self.path}, line {number}"
        inside = name or section[-1]
        lines = [number for number, line in enumerate(self.text.splitlines(), 1) if inside in line]
        return f"{self.path}, line {lines[0]}" if lines else str(self.path)


def _nearest(name: str, known: Iterable[str], cutoff: float) -> str:
    small = {one.casefold(): one for one in known}
    found = difflib.get_close_matches(name.casefold(), small, 1, cutoff)
    return small[found[0]] if found else ""


def _alike(one: str, other: str) -> bool:
    """True for names of which one is likely to be the other, mistyped."""
    one, other = one.casefold(), other.casefold()
    return sorted(one) == sorted(other) or difflib.SequenceMatcher(None, one, other).ratio() >= VERY_ALIKE


def _said(moment: datetime) -> str:
    """A moment as a sentence has it."""
    return f"{moment.day} {moment:%b %Y, %H:%M} {moment.tzname() or ''}".rstrip()
