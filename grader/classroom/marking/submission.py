"""One student's submission, from the files to the graded notebooks: what a worker does, with nothing but reading.

Whatever is in the submission, `grade_notebooks` returns a `Piece`; only what would fail for everybody (no sandbox, a
full disk) is raised, as a `CourseError`. Writing is left to the process that grades the class.
"""

from __future__ import annotations

import contextlib
import copy
import datetime
import hashlib
import os
import re
import stat
import time
import traceback
import warnings
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

from nbformat import from_dict

from grader.classroom.marking.seeds import seed_of
from grader.classroom.records import (
    AGAIN,
    ExerciseRecord,
    NotebookRecord,
    Record,
    Status,
    Unnamed,
    written_points,
)
from grader.errors import CourseError
from grader.files import LARGEST_NOTEBOOK, disk_full, is_full, read_regular
from grader.judging.verdict import Verdict, cell_outputs, no_verdict
from grader.notebook import as_bytes, grade_id, is_answer, is_check, is_written, marks, points_shown

if TYPE_CHECKING:
    from grader.classroom.repair import Found
    from grader.classroom.running.runner import Runner
    from grader.classroom.sandbox.limits import Limits

Notebook = Any  # nbformat's NotebookNode
#: Of a file with another name, whose size and time say that it has changed if it is larger.
LARGEST_OTHER = 2**20
DEEPEST = 3
LARGEST_TIMESTAMP = 200
#: Said of an exercise that is worth nothing, whatever its check says.
DROPPED = "Your instructor has dropped this exercise: it counts for nobody."
#: What nbgrader's exchange writes beside a submission, to find the way back to whoever handed it in.
SECRET, SECRET_FORM = "submission_secret.txt", re.compile(rb"[0-9a-f]{16,200}\s*")


@dataclass(frozen=True)
class Plan:
    """What all submissions of a part share.

    Attributes
    ----------
    part : str
    released : dict of str to NotebookNode
        The notebooks as handed out.
    seeds : dict of str to str
        The class's seed of each exercise.
    sandboxed : bool
    version : str
        Digest of everything but the submission that a grade depends on.
    limits : grader.classroom.sandbox.limits.Limits or None
        What a notebook may use; None for the usual.
    """

    part: str
    released: dict[str, Notebook]
    seeds: dict[str, str]
    sandboxed: bool
    version: str
    limits: Limits | None = None


@dataclass
class Graded:
    """What came out for one student.

    Attributes
    ----------
    record : Record
        As it is stored, but for the seconds that storing takes.
    files : dict of str to bytes
        What belongs into the folder of graded notebooks, by file name.
    marks : dict of str to CellMarks
        For each notebook, what goes into the gradebook.
    timestamp : datetime or None
        When it was handed in, if that is known.
    trouble : str
        The traceback of a fault of the machinery; for the log only.
    """

    record: Record
    files: dict[str, bytes]
    marks: dict[str, CellMarks]
    timestamp: datetime.datetime | None = None
    trouble: str = ""


@dataclass
class CellMarks:
    """What a notebook gives to the gradebook: automatic scores (None: a person marks it) and comments, by cell."""

    scores: dict[str, float | None] = field(default_factory=dict)
    comments: dict[str, str | None] = field(default_factory=dict)


@dataclass
class Prepared:
    """A notebook that is ready to run.

    Attributes
    ----------
    status : str
        "graded", or why it cannot be run: "missing", "unreadable" or "failed".
    notebook : NotebookNode
        With all cells of the release; as handed out where it cannot be run.
    file : str
        The name of the student's file.
    repairs : tuple of str
    digest : str
        Of the file's bytes.
    why : str
        Why it cannot be run.
    trouble : str
        The traceback of a fault of the machinery.
    seconds : float
    """

    status: Status
    notebook: Notebook
    file: str = ""
    repairs: tuple[str, ...] = ()
    digest: str = ""
    why: str = ""
    trouble: str = ""
    seconds: float = 0.0


@dataclass
class GradedNotebook:
    """A graded notebook: its text, its record and marks, and what it took."""

    text: bytes
    record: NotebookRecord
    marks: CellMarks
    seconds: dict[str, float]
    trouble: str = ""


@dataclass
class Piece:
    """What came out for some of a student's notebooks.

    Attributes
    ----------
    notebooks : dict of str to GradedNotebook
        By name.
    digest : str
        Of the submission as it was found; "" if it could not be read.
    notes : tuple of str
    timestamp : datetime or None
    stamp : bytes or None
        What timestamp.txt says.
    found_in : float
        Seconds that it took to find the files.
    trouble : str
        The traceback of a fault of the machinery.
    secret : bytes or None
        What submission_secret.txt says, where nbgrader's exchange has written one.
    """

    notebooks: dict[str, GradedNotebook]
    digest: str = ""
    notes: tuple[str, ...] = ()
    timestamp: datetime.datetime | None = None
    stamp: bytes | None = None
    found_in: float = 0.0
    trouble: str = ""
    secret: bytes | None = None


def grade_notebooks(plan: Plan, folder: Path, names: Iterable[str], own_runner: Callable[[], Runner]) -> Piece:
    """Find, repair and run some of a student's notebooks, and collect what they earn.

    Parameters
    ----------
    plan : Plan
    folder : Path
        What the student handed in; only read.
    names : iterable of str
        The notebooks.
    own_runner : callable
        Returns the `grader.classroom.running.runner.Runner` of this worker.

    Returns
    -------
    Piece

    Raises
    ------
    CourseError
        If nothing can be graded here: no sandbox, a full disk.
    """
    from grader.classroom.repair import find_files

    digest, began = "", time.perf_counter()
    try:
        digest = submission_digest(plan, folder)
        found = find_files(folder, plan.released)
        timestamp, stamp, note = read_timestamp(folder)
    except Exception as problem:
        return fail_notebooks(plan, names, problem)
    found_in = time.perf_counter() - began
    notebooks = {
        name: grade_notebook(name, prepare(plan.released[name], name, found), plan, own_runner) for name in names
    }
    notes = (*found.notes, *([note] if note else []))
    return Piece(notebooks, digest, notes, timestamp, stamp, found_in, secret=_read_secret(folder))


def fail_notebooks(plan: Plan, names: Iterable[str], problem: Exception) -> Piece:
    """The result where the machinery could not grade some notebooks: nothing earned, with the reason."""
    notebooks = {}
    for name in names:
        prepared = Prepared("failed", copy.deepcopy(plan.released[name]), why=_failure(problem))
        notebooks[name] = grade_notebook(name, prepared, plan)
    return Piece(notebooks, trouble="".join(traceback.format_exception(problem)))


def fail(plan: Plan, student: str, problem: Exception) -> Graded:
    """The result for a student whose submission the machinery could not grade."""
    return assemble(plan, student, [fail_notebooks(plan, plan.released, problem)])


def assemble(plan: Plan, student: str, pieces: Sequence[Piece]) -> Graded:
    """Put a student's pieces together.

    Parameters
    ----------
    plan : Plan
    student : str
    pieces : list of Piece
        With all notebooks of the part, or with those that were asked for.

    Returns
    -------
    Graded
    """
    by_name = {name: graded for piece in pieces for name, graded in piece.notebooks.items()}
    notebooks = {name: by_name[name] for name in plan.released if name in by_name}
    records = {name: notebook.record for name, notebook in notebooks.items()}
    digests = {piece.digest for piece in pieces}
    # Whatever was not graded, or changed meanwhile, is tried again by the next run.
    again = len(digests) > 1 or any(one.status == "failed" for one in records.values())
    seconds = {"repair": sum(piece.found_in for piece in pieces)}
    for notebook in notebooks.values():
        for stage, spent in notebook.seconds.items():
            seconds[stage] = seconds.get(stage, 0.0) + spent
    last = pieces[-1]
    record = Record(
        student=student,
        part=plan.part,
        digest="" if again else last.digest,
        sandboxed=plan.sandboxed,
        written_points=sum(map(written_points, plan.released.values())),
        notes=last.notes,
        seconds={stage: round(spent, 4) for stage, spent in seconds.items()},
        notebooks=records,
    )
    files = {f"{name}.ipynb": notebook.text for name, notebook in notebooks.items()}
    if last.stamp is not None:
        files["timestamp.txt"] = last.stamp
    if last.secret is not None:
        files[SECRET] = last.secret
    marks = {name: notebook.marks for name, notebook in notebooks.items()}
    troubles = [*(piece.trouble for piece in pieces), *(notebook.trouble for notebook in notebooks.values())]
    return Graded(record, files, marks, last.timestamp, "\n".join(filter(None, troubles)))


def prepare(released: Notebook, name: str, found: Found) -> Prepared:
    """Read and repair one notebook.

    Parameters
    ----------
    released : NotebookNode
        The notebook as handed out.
    name : str
        The notebook's name.
    found : Found
        What the student handed in.

    Returns
    -------
    Prepared
    """
    from grader.classroom.repair import Unreadable, repair, untouched

    began, path = time.perf_counter(), found.files.get(name)
    if path is None:
        return Prepared("missing", untouched(released).notebook, why="the notebook was not handed in")
    try:
        data = read_regular(path)
        digest = hashlib.sha256(data)
        read, ways = found.read.get(name, (b"", None))
        repaired = repair(data, released, found.beside.get(name), ways if read == digest.digest() else None)
        _must_match(repaired.notebook, released)
    except Unreadable as problem:
        return Prepared("unreadable", untouched(released).notebook, path.name, why=str(problem))
    except OSError as problem:
        if is_full(problem):
            raise disk_full(problem, AGAIN) from problem
        return Prepared("unreadable", untouched(released).notebook, path.name, why=f"{path.name}: {problem.strerror}")
    except Exception as problem:
        trouble = "".join(traceback.format_exception(problem))
        blank = copy.deepcopy(released)
        return Prepared("failed", blank, path.name, why=_failure(problem), trouble=trouble)
    seconds = time.perf_counter() - began
    repairs = tuple(repaired.repairs)
    return Prepared("graded", repaired.notebook, path.name, repairs, digest.hexdigest(), seconds=seconds)


def grade_notebook(
    name: str, prepared: Prepared, plan: Plan, own_runner: Callable[[], Runner] | None = None
) -> GradedNotebook:
    """Run a prepared notebook and collect its verdicts; whatever has none earns nothing.

    Parameters
    ----------
    name : str
        The notebook's name.
    prepared : Prepared
    plan : Plan
    own_runner : callable, optional
        Returns the Runner; only a notebook that can run needs one.

    Returns
    -------
    GradedNotebook
    """
    released = plan.released[name]
    status, notebook, why, trouble = prepared.status, prepared.notebook, prepared.why, prepared.trouble
    failures, verdicts, unjudged, unnamed = [why] if status == "failed" else [], {}, {}, {}
    stopped, seconds = False, {"repair": prepared.seconds}
    if status == "graded" and own_runner:
        try:
            seeds = {exercise: seed_of(seed, prepared.digest) for exercise, seed in plan.seeds.items()}
            run = own_runner().run(name, notebook, seeds.__getitem__, released)
            _must_match(run.notebook, released)
            notebook, verdicts, unjudged, failures = run.notebook, run.verdicts, run.unjudged, list(run.failures)
            stopped, unnamed = run.late, run.unnamed
            seconds |= {stage: spent for stage, spent in run.seconds.items() if stage != "total"}
        except CourseError:
            raise
        except Exception as problem:
            if is_full(problem):
                raise disk_full(problem, AGAIN) from problem
            status, why, trouble = "failed", _failure(problem), traceback.format_exc()
            failures = [why]
    began = time.perf_counter()
    exercises, marks = settle(notebook, released, verdicts, unjudged, status, why or "; ".join(failures), unnamed)
    try:
        text = as_bytes(notebook)
    except Exception:
        # Something that was shown is of a kind that no file can hold; it is not what is graded.
        failures.append("What the cells show could not be saved, so it was left out.")
        _without_outputs(notebook)
        text = as_bytes(notebook)
    seconds["build"] = time.perf_counter() - began
    record = NotebookRecord(status, prepared.file, prepared.repairs, tuple(failures), stopped, exercises)
    return GradedNotebook(text, record, marks, seconds, trouble)


def _without_outputs(notebook: Notebook) -> None:
    """Take the outputs off all cells but the checks, whose outputs are ours."""
    for cell in notebook.cells:
        if cell.cell_type == "code" and not is_check(cell):
            cell.outputs = []


def _must_match(notebook: Notebook, released: Notebook) -> None:
    """Fail on a notebook that has not exactly the graded cells of its release."""
    there, expected = ([*map(grade_id, one.cells)] for one in (notebook, released))
    if [one for one in there if one] != [one for one in expected if one]:
        raise RuntimeError("the graded cells are not those of the release")


def settle(
    notebook: Notebook,
    released: Notebook,
    verdicts: Mapping[str, Verdict],
    unjudged: Mapping[str, str] | None = None,
    status: Status = "graded",
    why: str = "",
    unnamed: Mapping[str, Unnamed] | None = None,
) -> tuple[tuple[ExerciseRecord, ...], CellMarks]:
    """Make a notebook say what its verdicts say, in a way that nbgrader reads the same.

    Parameters
    ----------
    notebook : NotebookNode
        With the cells of the release; the outputs of check cells are put right in place.
    released : NotebookNode
    verdicts : dict of str to Verdict
        By exercise.
    unjudged : dict of str to str, optional
        Why an exercise has no verdict.
    status, why : str
        The notebook's state, and the reason where `unjudged` has none.
    unnamed : dict of str to Unnamed, optional
        What failed without a name, by exercise.

    Returns
    -------
    exercises : tuple of ExerciseRecord
    marks : CellMarks
    """
    sources = {grade_id(cell): cell.source for cell in released.cells}
    exercises, earned = [], CellMarks()
    for cell in notebook.cells:
        name = grade_id(cell)
        if is_answer(cell):
            untouched = cell.source == sources[name]
            earned.comments[name] = "No response." if untouched and not marks(cell).get("task") else None
            if is_written(cell):
                earned.scores[name] = 0.0 if untouched or not marks(cell)["points"] else None
        elif is_check(cell):
            full = float(marks(cell)["points"])
            verdict = verdicts.get(name)
            dropped = not full
            if verdict is None or not (dropped or 0 <= verdict.points <= full):
                reason = (unjudged or {}).get(name) or why or "the check gave no result"
                exercise = ExerciseRecord.without_verdict(name, full, status, reason)
                told = "grading failed; your instructor can see why" if status == "failed" else reason
                verdict = no_verdict(name, full, told, exercise.state)
            else:
                exercise = ExerciseRecord.of(verdict, full, (unnamed or {}).get(name))
                if dropped:
                    exercise, verdict = replace(exercise, points=0.0), replace(verdict, notice=DROPPED)
            if dropped or points_shown(cell) != exercise.points:
                cell.outputs = from_dict(cell_outputs(verdict, cell.get("execution_count"), exercise.points))
            exercises.append(exercise)
            earned.scores[name] = exercise.points
    return tuple(exercises), earned


def read_timestamp(folder: Path) -> tuple[datetime.datetime | None, bytes | None, str]:
    """When a submission was handed in, from its timestamp.txt.

    Returns
    -------
    timestamp : datetime or None
    text : bytes or None
        What the file says, where it says a time.
    note : str
        In words, why the file was ignored; "" if it was not, or if there is none.
    """
    ignored = "timestamp.txt was ignored: "
    try:
        text = read_regular(Path(folder) / "timestamp.txt", LARGEST_TIMESTAMP)
    except (FileNotFoundError, NotADirectoryError):
        return None, None, ""
    except OSError:
        return None, None, ignored + "it is no short text file"
    from nbgrader.utils import parse_utc

    try:
        with warnings.catch_warnings():
            warnings.simplefilter("error")
            timestamp = parse_utc(text.decode("utf-8").strip() or None)
        if not isinstance(timestamp, datetime.datetime):
            raise ValueError
    except Exception:
        return None, None, ignored + "it does not say a time"
    return timestamp, text, ""


def _read_secret(folder: Path) -> bytes | None:
    """What nbgrader's exchange releases a student's feedback by; None where the submission did not come that way."""
    with contextlib.suppress(OSError):
        text = read_regular(Path(folder) / SECRET, LARGEST_TIMESTAMP)
        return text if SECRET_FORM.fullmatch(text) else None
    return None


def looked_at(folder: Path) -> list[Path]:
    """A submission's folder and all in it that grading looks at; raises `OSError` where it cannot be listed."""
    paths, level = [folder], [folder]
    for _ in range(DEEPEST):  # no notebook is looked for further down
        level = [
            path for above in level if above.is_dir() and not above.is_symlink() for path in sorted(above.iterdir())
        ]
        paths += level
    return paths


def submission_digest(plan: Plan, folder: Path) -> str:
    """The digest of all that a student's grades depend on: what lies in the folder, and the plan's version."""
    digest = hashlib.sha256(plan.version.encode())
    folder = Path(folder)
    for path in looked_at(folder):
        about = path.lstat()
        kind, content = stat.S_IFMT(about.st_mode), b""
        if stat.S_ISLNK(about.st_mode):
            content = os.fsencode(os.readlink(path))
        elif stat.S_ISREG(about.st_mode):
            content = f"{about.st_size} {about.st_mtime_ns}".encode()
            if about.st_size <= (LARGEST_NOTEBOOK if ".ipynb" in path.name.lower() else LARGEST_OTHER):
                with contextlib.suppress(OSError):
                    content = hashlib.sha256(path.read_bytes()).digest()
        name = os.fsencode(path.relative_to(folder))
        digest.update(b"%d %d %d " % (kind, len(name), len(content)) + name + content)
    return digest.hexdigest()


def _failure(problem: Exception) -> str:
    """A fault of the machinery on one line."""
    words = str(problem).strip().split("\n")[0][:200]
    return f"grading failed: {type(problem).__name__}" + (f": {words}" if words else "")
