"""What grading found in a submission, in a file that the report, the feedback pages and the next run read."""

from __future__ import annotations

import contextlib
import json
import math
import sys
from collections.abc import Iterable, Mapping
from dataclasses import MISSING, asdict, dataclass, fields
from enum import Enum
from types import UnionType
from typing import TYPE_CHECKING, Any, Literal, get_args, get_origin, get_type_hints

from grader.files import write_whole
from grader.judging.verdict import State, Verdict
from grader.notebook import grade_id, is_written, marks

if TYPE_CHECKING:
    from grader.classroom.course import Course

#: How grading that was stopped goes on: what has a good record is left out.
AGAIN = "run the same command again with --resume"

Status = Literal["graded", "missing", "unreadable", "failed"]
#: How an exercise without a verdict stands, by the status of its notebook.
WITHOUT_VERDICT = {"missing": State.NOT_HANDED_IN, "unreadable": State.NOT_READABLE}


@dataclass(frozen=True)
class Unnamed:
    """A function that failed and that nothing explains.

    Attributes
    ----------
    outputs : str
        See `grader.judging.unnamed.fingerprint`: equal for answers that do the same.
    source : str
        Its cell, as it was handed in; "" if it is not known.
    """

    outputs: str
    source: str


@dataclass(frozen=True)
class ExerciseRecord:
    """An exercise as it was judged.

    Attributes
    ----------
    id : str
    points, max_points : float
    state : State
    mistakes : dict of str to str
        Ids of the recognised mistakes, with what each looks like in the words of the check; "" for a wrong choice.
    reason : str
        Why there is no verdict; "" where there is one.
    unnamed : Unnamed or None
        What failed without a name.
    """

    id: str
    points: float
    max_points: float
    state: State
    mistakes: dict[str, str]
    reason: str
    unnamed: Unnamed | None = None

    @classmethod
    def of(cls, verdict: Verdict, max_points: float, unnamed: Unnamed | None = None) -> ExerciseRecord:
        """What a verdict says."""
        words = [advice.looks_like for advice in verdict.advice] or [""] * len(verdict.diagnoses)
        mistakes = dict(zip(verdict.diagnoses, words, strict=True))
        return cls(verdict.exercise, float(verdict.points), max_points, verdict.state, mistakes, "", unnamed)

    @classmethod
    def without_verdict(cls, exercise: str, max_points: float, status: Status, reason: str) -> ExerciseRecord:
        """Nothing earned, for a reason."""
        return cls(exercise, 0.0, max_points, WITHOUT_VERDICT.get(status, State.NO_VERDICT), {}, reason)

    @property
    def unjudged(self) -> bool:
        """True where something was handed in and nobody could judge it."""
        return self.state in (State.NO_VERDICT, State.NOT_READABLE)


@dataclass(frozen=True)
class NotebookRecord:
    """A notebook as it was graded.

    Attributes
    ----------
    status : str
    file : str
        The name of the student's file; "" if there is none.
    repairs, failures : tuple of str
        What was mended before it ran, and what went wrong when it ran.
    stopped : bool
        True if something was stopped at a time limit.
    exercises : tuple of ExerciseRecord
    """

    status: Status
    file: str
    repairs: tuple[str, ...]
    failures: tuple[str, ...]
    stopped: bool
    exercises: tuple[ExerciseRecord, ...]

    @property
    def points(self) -> float:
        """Automatic points."""
        return _sum(exercise.points for exercise in self.exercises)

    @property
    def max_points(self) -> float:
        """Full marks of the exercises that are checked."""
        return _sum(exercise.max_points for exercise in self.exercises)


@dataclass(frozen=True)
class Record:
    """A graded submission.

    Attributes
    ----------
    student, part : str
    digest : str
        Of all that its grades depend on; "" if it has to be graded again.
    sandboxed : bool
    written_points : float
        Full marks of the questions that a person marks.
    notes : tuple of str
        About the submission's files.
    seconds : dict of str to float
        By stage.
    notebooks : dict of str to NotebookRecord
    attempt : str
        The folder of the attempt that counts; "" for the one in the folder of submissions.
    attempts : tuple of str
        What each attempt is worth, where the best of several counts; empty otherwise.
    """

    student: str
    part: str
    digest: str
    sandboxed: bool
    written_points: float
    notes: tuple[str, ...]
    seconds: dict[str, float]
    notebooks: dict[str, NotebookRecord]
    attempt: str = ""
    attempts: tuple[str, ...] = ()

    @property
    def points(self) -> float:
        """Automatic points."""
        return _sum(notebook.points for notebook in self.notebooks.values())

    @property
    def max_points(self) -> float:
        """Full marks of the exercises that are checked."""
        return _sum(notebook.max_points for notebook in self.notebooks.values())

    @property
    def stopped(self) -> bool:
        """True if something was stopped at a time limit."""
        return any(notebook.stopped for notebook in self.notebooks.values())

    @property
    def repaired(self) -> bool:
        """True if something was put right or set aside before grading."""
        return bool(self.notes) or any(notebook.repairs for notebook in self.notebooks.values())

    @property
    def troubled(self) -> bool:
        """True if something failed: a file was unreadable, did not run to its end, or has no verdict."""
        return any(
            notebook.failures
            or notebook.status not in ("graded", "missing")
            or any(exercise.unjudged for exercise in notebook.exercises)
            for notebook in self.notebooks.values()
        )


def _sum(points: Iterable[float]) -> float:
    return round(sum(points), 2)


# ---- files


def write_record(course: Course, record: Record) -> None:
    """Write a student's record in place of the old one, at once."""
    write_whole(course.record(record.part, record.student), json.dumps(asdict(record), indent=1) + "\n")


def written_points(released: Any) -> float:
    """Full marks of a notebook's questions that a person marks."""
    return float(sum(marks(cell)["points"] for cell in released.cells if is_written(cell)))


def others_dropped(records: Iterable[Record], notebooks: Mapping[str, Any]) -> bool:
    """True if exercises have been dropped, or brought back, since somebody's notebooks were graded."""
    worth = {grade_id(cell): marks(cell).get("points") for one in notebooks.values() for cell in one.cells}
    written = sum(map(written_points, notebooks.values()))
    return any(
        record.written_points != written
        or any(
            bool(result.max_points) != bool(worth[result.id])
            for one in record.notebooks.values()
            for result in one.exercises
            if result.id in worth
        )
        for record in records
    )


def came_since(course: Course, records: Iterable[Record]) -> list[str]:
    """Of these students, those of whom a file came after they were graded: their marks are of what was there before."""
    found = []
    for record in records:
        with contextlib.suppress(OSError):
            graded = course.record(record.part, record.student).stat().st_mtime
            folder = course.submitted(record.part, record.student)
            if any(path.lstat().st_mtime > graded for path in folder.glob("*.ipynb")):
                found.append(record.student)
    return found


def read_record(course: Course, part: str, student: str) -> Record | None:
    """A student's record; None if there is none, or none that is sound, which standard error is told."""
    path = course.record(part, student)
    try:
        record: Record = _made(Record, json.loads(path.read_text(encoding="utf-8")), "it")
        if (record.part, record.student) != (part, student):
            raise ValueError("it is of another student or part")
    except FileNotFoundError:
        return None
    except (OSError, ValueError, RecursionError) as problem:
        flaw = str(problem).split("\n")[0][:100] or type(problem).__name__
        print(f"{path} is damaged ({flaw}), so it is left out; grade that submission again", file=sys.stderr)
        return None
    return record


def read_records(course: Course, part: str) -> list[Record]:
    """What grading found in each submission of a part, by student; those that are not sound are left out."""
    paths = sorted(course.record(part, "any").parent.glob("*.json"))
    records = (read_record(course, part, path.stem) for path in paths)
    return [record for record in records if record is not None]


def _made(kind: Any, value: Any, where: str) -> Any:
    """A value of a file as what a record holds in its place; a `ValueError` says, in a few words, why it is not."""
    origin, inner = get_origin(kind), get_args(kind)
    if hasattr(kind, "__dataclass_fields__"):
        hints = get_type_hints(kind)
        if not isinstance(value, dict):
            raise ValueError(f"{where} is no table")
        # What an older version of the course did not know is as it was then.
        value = {one.name: one.default for one in fields(kind) if one.default is not MISSING} | value
        if missing := [name for name in hints if name not in value]:
            raise ValueError(f"{where} lacks {', '.join(missing)}")
        return kind(**{name: _made(hint, value[name], name) for name, hint in hints.items()})
    if origin is UnionType:
        return None if value is None else _made(inner[0], value, where)
    if origin is dict:
        if not isinstance(value, dict):
            raise ValueError(f"{where} is no table")
        return {name: _made(inner[1], one, name[:40]) for name, one in value.items()}
    if origin is tuple:
        if not isinstance(value, (list, tuple)):
            raise ValueError(f"{where} is no list")
        return tuple(_made(inner[0], one, f"an entry of {where}") for one in value)
    if origin is Literal:
        fits = value in inner
    elif issubclass(kind, Enum):
        fits = value in list(kind)
    elif kind is float:
        fits = isinstance(value, (int, float)) and not isinstance(value, bool) and math.isfinite(value)
    else:
        fits = isinstance(value, kind)
    if not fits:
        raise ValueError(f"{where} is {str(value)[:40]!r}")
    return kind(value) if origin is None else value
