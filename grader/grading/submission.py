"""One student's submission, from the files to the graded notebooks: what a worker does, with nothing but reading.

Whatever is in the submission, `grade_notebooks` returns a `Piece`; only what would fail for everybody (no sandbox, a
full disk) is raised. Writing is left to the process that grades the class.
"""

import contextlib
import copy
import datetime
import errno
import hashlib
import os
import stat
import time
import traceback
import warnings
from dataclasses import dataclass, field, replace
from pathlib import Path

from nbformat import from_dict
from nbformat.v4.nbjson import writes

from grader.grading.seeds import seed_of
from grader.notebook_format import NotebookError

LARGEST_NOTEBOOK = 50 * 2**20
#: Of a file with another name, whose size and time say that it has changed if it is larger.
LARGEST_OTHER = 2**20
DEEPEST = 3
LARGEST_TIMESTAMP = 200
FULL = {errno.ENOSPC, getattr(errno, "EDQUOT", errno.ENOSPC)}
#: How a check cell without a verdict is headed, by the state of its notebook.
NO_VERDICT = {"missing": "not handed in", "unreadable": "could not be read"}


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
    limits : grader.sandbox.limits.Limits or None
        What a notebook may use; None for the usual.
    """

    part: str
    released: dict
    seeds: dict
    sandboxed: bool
    version: str
    limits: object = None


@dataclass
class Graded:
    """What came out for one student.

    Attributes
    ----------
    student : str
    record : dict
        As it is stored, but for the seconds that storing takes.
    files : dict of str to bytes
        What belongs into the folder of graded notebooks, by file name.
    marks : dict of str to Marks
        For each notebook, what goes into the gradebook.
    timestamp : datetime or None
        When it was handed in, if that is known.
    late : bool
        True if a time limit was reached.
    trouble : str
        The traceback of a fault of the machinery; for the log only.
    """

    student: str
    record: dict
    files: dict
    marks: dict
    timestamp: datetime.datetime | None = None
    late: bool = False
    trouble: str = ""


@dataclass
class CellMarks:
    """What a notebook gives to the gradebook: automatic scores (None: a person marks it) and comments, by cell."""

    scores: dict = field(default_factory=dict)
    comments: dict = field(default_factory=dict)


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

    status: str
    notebook: dict
    file: str = ""
    repairs: tuple = ()
    digest: str = ""
    why: str = ""
    trouble: str = ""
    seconds: float = 0.0


@dataclass
class GradedNotebook:
    """A graded notebook: as text and as a notebook, its entry in the record, its marks, and what it took."""

    text: bytes
    notebook: dict
    entry: dict
    marks: CellMarks
    seconds: dict
    late: bool = False
    trouble: str = ""


@dataclass
class Piece:
    """What came out for some of a student's notebooks.

    Attributes
    ----------
    notebooks : dict of str to GradedNotebook
        By name, without the notebooks themselves: their text will do.
    digest : str
        Of the submission as it was found; "" if it could not be read.
    notes : list of str
    timestamp : datetime or None
    stamp : bytes or None
        What timestamp.txt says.
    found_in : float
        Seconds that it took to find the files.
    trouble : str
        The traceback of a fault of the machinery.
    """

    notebooks: dict
    digest: str = ""
    notes: list = field(default_factory=list)
    timestamp: datetime.datetime | None = None
    stamp: bytes | None = None
    found_in: float = 0.0
    trouble: str = ""


def grade_notebooks(plan, folder, names, runner):
    """Find, repair and run some of a student's notebooks, and collect what they earn.

    Parameters
    ----------
    plan : Plan
    folder : Path
        What the student handed in; only read.
    names : iterable of str
        The notebooks.
    runner : callable
        Returns the `grader.running.runner.Runner` of this worker.

    Returns
    -------
    Piece

    Raises
    ------
    NotebookError
        If nothing can be graded here: no sandbox, a full disk.
    """
    from grader.repair import find_files

    digest, began = "", time.perf_counter()
    try:
        digest = submission_digest(plan, folder)
        found = find_files(folder, plan.released)
        timestamp, stamp, note = read_timestamp(folder)
    except Exception as problem:
        return failed_piece(plan, names, problem)
    found_in = time.perf_counter() - began
    notebooks = {}
    for name in names:
        graded = judged(name, prepare(plan.released[name], found.files.get(name)), plan, runner)
        notebooks[name] = replace(graded, notebook=None)
    notes = [*found.notes, *([note] if note else [])]
    return Piece(notebooks, digest, notes, timestamp, stamp, found_in)


def failed_piece(plan, names, problem):
    """The result where the machinery could not grade some notebooks: nothing earned, with the reason."""
    notebooks = {}
    for name in names:
        prepared = Prepared("failed", copy.deepcopy(plan.released[name]), why=f"grading failed: {_told(problem)}")
        notebooks[name] = replace(judged(name, prepared, plan, None), notebook=None)
    return Piece(notebooks, trouble="".join(traceback.format_exception(problem)))


def failed(plan, student, problem):
    """The result for a student whose submission the machinery could not grade."""
    return assembled(plan, student, [failed_piece(plan, plan.released, problem)])


def assembled(plan, student, pieces):
    """Put a student's pieces together.

    Parameters
    ----------
    plan : Plan
    student : str
    pieces : list of Piece
        Every notebook of the part is in one of them.

    Returns
    -------
    Graded
    """
    by_name = {name: graded for piece in pieces for name, graded in piece.notebooks.items()}
    notebooks = {name: by_name[name] for name in plan.released}
    entries = {name: notebook.entry for name, notebook in notebooks.items()}
    digests = {piece.digest for piece in pieces}
    # Whatever was not graded, or changed meanwhile, is tried again by the next run.
    again = len(digests) > 1 or any(entry["status"] == "failed" for entry in entries.values())
    seconds = {"repair": sum(piece.found_in for piece in pieces)}
    for notebook in notebooks.values():
        for stage, spent in notebook.seconds.items():
            seconds[stage] = seconds.get(stage, 0.0) + spent
    last = pieces[-1]
    record = {
        "student": student,
        "part": plan.part,
        "digest": "" if again else last.digest,
        "sandboxed": plan.sandboxed,
        "points": round(sum(entry["points"] for entry in entries.values()), 2),
        "max_points": sum(entry["max_points"] for entry in entries.values()),
        "written_points": sum(map(written_points, plan.released.values())),
        "notes": last.notes,
        "seconds": {stage: round(spent, 4) for stage, spent in seconds.items()},
        "notebooks": entries,
    }
    files = {f"{name}.ipynb": notebook.text for name, notebook in notebooks.items()}
    if last.stamp is not None:
        files["timestamp.txt"] = last.stamp
    marks = {name: notebook.marks for name, notebook in notebooks.items()}
    trouble = "\n".join(one.trouble for one in (*pieces, *notebooks.values()) if one.trouble)
    late = any(notebook.late for notebook in notebooks.values())
    return Graded(student, record, files, marks, last.timestamp, late, trouble)


def prepare(released, path):
    """Read and repair one notebook.

    Parameters
    ----------
    released : NotebookNode
        The notebook as handed out.
    path : Path or None
        The student's file; None if there is none.

    Returns
    -------
    Prepared
    """
    from grader.repair import Unreadable, repair, untouched

    began = time.perf_counter()
    if path is None:
        return Prepared("missing", untouched(released).notebook, why="the notebook was not handed in")
    try:
        data = _read(path, LARGEST_NOTEBOOK)
        repaired = repair(data, released)
        _must_match(repaired.notebook, released)
    except Unreadable as problem:
        return Prepared("unreadable", untouched(released).notebook, path.name, why=str(problem))
    except OSError as problem:
        if problem.errno in FULL:
            raise disk_full(problem) from problem
        return Prepared("unreadable", untouched(released).notebook, path.name, why=f"{path.name}: {problem.strerror}")
    except Exception as problem:
        trouble = "".join(traceback.format_exception(problem))
        blank = copy.deepcopy(released)
        return Prepared("failed", blank, path.name, why=f"grading failed: {_told(problem)}", trouble=trouble)
    seconds = time.perf_counter() - began
    digest = hashlib.sha256(data).hexdigest()
    return Prepared("graded", repaired.notebook, path.name, tuple(repaired.repairs), digest, seconds=seconds)


def judged(name, prepared, plan, runner):
    """Run a prepared notebook and collect its verdicts; whatever has none earns nothing.

    Parameters
    ----------
    name : str
        The notebook's name.
    prepared : Prepared
    plan : Plan
    runner : callable
        Returns the Runner; not called for a notebook that is not there.

    Returns
    -------
    GradedNotebook
    """
    released = plan.released[name]
    status, notebook, why, trouble = prepared.status, prepared.notebook, prepared.why, prepared.trouble
    failures, verdicts, unjudged = [why] if status == "failed" else [], {}, {}
    late, seconds = False, {"repair": prepared.seconds}
    if status == "graded":
        try:
            seeds = {exercise: seed_of(seed, prepared.digest) for exercise, seed in plan.seeds.items()}
            run = runner().run(name, notebook, seeds.__getitem__, released)
            _must_match(run.notebook, released)
            notebook, verdicts, unjudged, failures = run.notebook, run.verdicts, run.unjudged, list(run.failures)
            late = run.late
            seconds |= {stage: spent for stage, spent in run.seconds.items() if stage != "total"}
        except NotebookError:
            raise
        except Exception as problem:
            if getattr(problem, "errno", None) in FULL:
                raise disk_full(problem) from problem
            status, why, trouble = "failed", f"grading failed: {_told(problem)}", traceback.format_exc()
            failures = [why]
    began = time.perf_counter()
    exercises, marks = settle(notebook, released, verdicts, unjudged, status, why or "; ".join(failures))
    entry = {
        "status": status,
        "file": prepared.file,
        "repairs": list(prepared.repairs),
        "failures": failures,
        "time_limit": late,
        "points": round(sum(exercise["points"] for exercise in exercises), 2),
        "max_points": sum(exercise["max_points"] for exercise in exercises),
        "exercises": exercises,
    }
    try:
        text = _as_file(notebook)
    except Exception:
        # Something that was shown is of a kind that no file can hold; it is not what is graded.
        failures.append("What the cells show could not be saved, so it was left out.")
        _without_outputs(notebook)
        text = _as_file(notebook)
    seconds["build"] = time.perf_counter() - began
    return GradedNotebook(text, notebook, entry, marks, seconds, late, trouble)


def _as_file(notebook):
    # A learner can print what no file can hold (half of a surrogate pair).
    return (writes(notebook) + "\n").encode("utf-8", "replace")


def _without_outputs(notebook):
    """Take the outputs off all cells but the checks, whose outputs are ours."""
    for cell in notebook.cells:
        if cell.cell_type == "code" and not cell.metadata.get("nbgrader", {}).get("grade"):
            cell.outputs = []


def _must_match(notebook, released):
    """Fail on a notebook that has not exactly the graded cells of its release."""
    there, expected = ([*map(_grade_id, one.cells)] for one in (notebook, released))
    if [one for one in there if one] != [one for one in expected if one]:
        raise RuntimeError("the graded cells are not those of the release")


def _grade_id(cell):
    return cell.metadata.get("nbgrader", {}).get("grade_id")


def settle(notebook, released, verdicts, unjudged=(), status="graded", why=""):
    """Make a notebook say what its verdicts say, in a way that nbgrader reads the same.

    Parameters
    ----------
    notebook : NotebookNode
        With the cells of the release; the outputs of check cells are put right in place.
    released : NotebookNode
    verdicts : dict of str to Verdict
        By exercise.
    unjudged : dict of str to str
        Why an exercise has no verdict.
    status, why : str
        The notebook's state, and the reason where `unjudged` has none.

    Returns
    -------
    exercises : list of dict
        Their entries in the record.
    marks : CellMarks
    """
    sources = {_grade_id(cell): cell.source for cell in released.cells}
    unjudged = dict(unjudged)
    exercises, marks = [], CellMarks()
    for cell in notebook.cells:
        about, grade_id = cell.metadata.get("nbgrader", {}), _grade_id(cell)
        if about.get("solution") or about.get("task"):
            untouched = cell.source == sources[grade_id]
            marks.comments[grade_id] = "No response." if untouched and not about.get("task") else None
            if about.get("grade"):
                marks.scores[grade_id] = 0.0 if untouched else None
        elif about.get("grade"):
            full = float(about["points"])
            verdict = verdicts.get(grade_id)
            if verdict is None or not 0 <= verdict.points <= full:
                reason = unjudged.get(grade_id) or why or "the check gave no result"
                exercise = _without_verdict(grade_id, full, status, reason)
                if points_read(cell) != 0.0:
                    told = "grading failed; your instructor can see why" if status == "failed" else reason
                    _show(cell, f"{grade_id}: {exercise['headline']}, 0 of {full:g} points\n  - {told}", 0.0)
            else:
                exercise = _with_verdict(verdict, full)
                if points_read(cell) != exercise["points"]:
                    _show(cell, verdict.text, exercise["points"], verdict._repr_html_())
            exercises.append(exercise)
            marks.scores[grade_id] = exercise["points"]
    return exercises, marks


def points_read(cell):
    """The points that nbgrader reads from a check cell; None where it would guess."""
    for output in cell.outputs:
        if output.output_type == "error" or (output.output_type == "stream" and output.name == "stderr"):
            return 0.0
        if output.output_type == "execute_result":
            try:
                return float(output.data["text/plain"])
            except (KeyError, TypeError, ValueError):
                return None
    return None


def _show(cell, text, points, html=None):
    """Put a verdict and its points into a check cell, in place of all that is there."""
    said = {"text/plain": text} | ({"text/html": html} if html else {})
    cell.outputs = from_dict(
        [
            {"output_type": "display_data", "data": said, "metadata": {}},
            {
                "output_type": "execute_result",
                "data": {"text/plain": repr(points)},
                "metadata": {},
                "execution_count": cell.get("execution_count"),
            },
        ]
    )


def _with_verdict(verdict, full):
    return {
        "id": verdict.exercise,
        "points": float(verdict.points),
        "max_points": full,
        "passed": bool(verdict.points >= full),
        "attempted": bool(verdict.attempted),
        "headline": verdict.headline.partition(": ")[2].rpartition(", ")[0],
        "diagnoses": list(verdict.diagnoses),
        "looks_like": [advice.looks_like for advice in verdict.advice],
        "reason": "",
    }


def _without_verdict(exercise, full, status, reason):
    return {
        "id": exercise,
        "points": 0.0,
        "max_points": full,
        "passed": False,
        "attempted": status != "missing",
        "headline": NO_VERDICT.get(status, "no verdict"),
        "diagnoses": [],
        "looks_like": [],
        "reason": reason,
    }


def written_points(released):
    """Full marks of a notebook's questions that a person marks."""
    found = [cell.metadata.get("nbgrader", {}) for cell in released.cells]
    return float(sum(one["points"] for one in found if one.get("grade") and one.get("solution")))


def read_timestamp(folder):
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
        text = _read(Path(folder) / "timestamp.txt", LARGEST_TIMESTAMP)
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


def submission_digest(plan, folder):
    """The digest of all that a student's grades depend on: what lies in the folder, and the plan's version."""
    digest = hashlib.sha256(plan.version.encode())
    folder = Path(folder)
    paths, level = [folder], [folder]
    for _ in range(DEEPEST):  # no notebook is looked for further down
        level = [
            path for above in level if above.is_dir() and not above.is_symlink() for path in sorted(above.iterdir())
        ]
        paths += level
    for path in paths:
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


def disk_full(problem):
    """The error that stops a command where nothing can be written any more."""
    where = f" ({problem.filename})" if getattr(problem, "filename", None) else ""
    return NotebookError(f"the disk is full{where}; free some space, then run the same command again with --resume")


def _read(path, largest):
    """The bytes of a regular file that is not too large; never those that a symlink or a device leads to."""
    flags = os.O_RDONLY | getattr(os, "O_NOFOLLOW", 0) | getattr(os, "O_NONBLOCK", 0) | getattr(os, "O_BINARY", 0)
    with open(os.open(path, flags), "rb") as file:
        about = os.fstat(file.fileno())
        if not stat.S_ISREG(about.st_mode):
            raise OSError(errno.EINVAL, "it is no regular file", str(path))
        if about.st_size > largest:
            raise OSError(errno.EFBIG, f"it is larger than {largest:,} bytes", str(path))
        return file.read(largest)


def _told(problem):
    """An exception on one line."""
    words = str(problem).strip().split("\n")[0][:200]
    return f"{type(problem).__name__}: {words}" if words else type(problem).__name__
