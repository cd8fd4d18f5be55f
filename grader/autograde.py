"""nbgrader's own `autograde`, and formgrader's button for it, the way that `python -m grader grade` does it.

nbgrader_config.py names these: `before` and `after` a submission, `Repair` in place of nbgrader's sanitising, `Judge`
in place of its execution. nbgrader's own `SaveAutoGrades` then reads what the judge put into the check cells. What
nbgrader itself cannot list or read never gets here: `before` has taken back the old marks by then, so it earns nothing.
"""

import contextlib
import functools
from dataclasses import dataclass, field, replace
from pathlib import Path

from nbgrader.preprocessors import NbGraderPreprocessor
from traitlets import Bool
from traitlets.log import get_logger

from grader.course import Course
from grader.grading import make_plan, read_record, submission, workers, write_record
from grader.grading.part_book import PartBook
from grader.notebook_format import NotebookError

NOT_THROUGH = "nbgrader autograde did not come to its end; see its log"


@dataclass
class _Passing:
    """A submission on its way through nbgrader."""

    course: Course
    plan: submission.Plan
    found: object
    notes: list
    timestamp: object
    record: dict
    prepared: dict = field(default_factory=dict)
    done: dict = field(default_factory=dict)


_passing = {}


def before(assignment, student, notebooks):
    """Take back a submission's old automatic marks; a `pre_convert_hook` of nbgrader.

    Parameters
    ----------
    assignment : str
    student : str
        What nbgrader was asked for; the student is read from the paths, because this may be a pattern.
    notebooks : list of str
        Paths of the files that nbgrader is going to grade.
    """
    try:
        # nbgrader works in the course's folder.
        course = Course.at(Path.cwd())
        _begin(course, assignment, _student(course, assignment, notebooks), [Path(path).stem for path in notebooks])
    except Exception as problem:
        # nbgrader itself would hardly mention it. `Repair` tries again, and fails the submission if it must.
        get_logger().error("%s: %s", assignment, problem)
        raise


def after(assignment, student, notebooks):
    """Record what was graded, and leave nothing but notebooks; a `post_convert_hook` of nbgrader."""
    try:
        course = Course.at(Path.cwd())
        _end(_passing.pop((course.db_url, assignment, _student(course, assignment, notebooks))))
    except Exception as problem:
        get_logger().error("%s: the report will lack this submission: %s", assignment, problem)
        raise


class Repair(NbGraderPreprocessor):
    """Bring a notebook back to the form of its release, as `python -m grader grade` does."""

    def preprocess(self, nb, resources):
        """Return the repaired notebook; whatever nbgrader read is not looked at."""
        about = resources["nbgrader"]
        key, name = (about["db_url"], about["assignment"], about["student"]), about["notebook"]
        if key not in _passing or name in _passing[key].done:
            course = Course(self.config)
            _begin(course, about["assignment"], about["student"], [name])
        passing = _passing[key]
        prepared = submission.prepare(passing.plan.released[name], passing.found.files.get(name))
        if prepared.status != "graded":
            raise NotebookError(_refused(passing, name, prepared))
        for words in prepared.repairs:
            self.log.warning("%s: %s", name, words)
        passing.prepared[name] = prepared
        return prepared.notebook, resources


class Judge(NbGraderPreprocessor):
    """Run a repaired notebook in the sandbox, and show in its check cells what the judge outside says."""

    sandboxed = Bool(
        True, help="Set it to False only for a class that you trust: then the learners' code runs with your rights."
    ).tag(config=True)

    def preprocess(self, nb, resources):
        """Return the executed notebook."""
        about = resources["nbgrader"]
        passing, name = _passing[about["db_url"], about["assignment"], about["student"]], about["notebook"]
        prepared = replace(passing.prepared[name], notebook=nb)
        graded = submission.judged(name, prepared, passing.plan, functools.partial(workers.runner, self.sandboxed))
        if graded.entry["status"] != "graded":
            raise RuntimeError(graded.trouble)
        for words in graded.entry["failures"]:
            self.log.warning("%s: %s", name, words)
        passing.done[name] = graded
        return graded.notebook, resources


def _begin(course, part, student, names):
    """Take back the old marks of the notebooks that are about to be graded, and of those that are not there."""
    from grader.repair import find_files

    sandboxed = course.config.Judge.get("sandboxed", True)
    # Without a sandbox nothing can be graded: then the old marks stay.
    workers.ready(sandboxed)
    plan = make_plan(course, part, course.released(part), sandboxed)
    folder = course.submitted(part, student)
    found = find_files(folder, plan.released)
    timestamp, _, note = submission.read_timestamp(folder)
    notes = [*found.notes, *([note] if note else [])]
    stale = [name for name in plan.released if name in names or not (folder / f"{name}.ipynb").is_file()]
    with PartBook(course, part, plan.released, get_logger().warning) as book:
        book.clear(student, stale)
    old = read_record(course, part, student).get("notebooks", {})
    record = submission.failed(plan, student, NotThrough(NOT_THROUGH)).record
    record["notes"] = notes
    record["notebooks"] |= {name: old[name] for name in plan.released if name in old and name not in stale}
    write_record(course, _added_up(record))
    for words in notes:
        get_logger().warning("%s/%s: %s", student, part, words)
    passing = _Passing(course, plan, found, notes, timestamp, record)
    for name in plan.released:
        if name in stale and name not in names:
            get_logger().warning("%s/%s", student, _elsewhere(passing, name, student))
    _passing[course.db_url, part, student] = passing


class NotThrough(Exception):
    """nbgrader has not finished yet."""


def _end(passing):
    """Write the record of a submission that nbgrader has graded, and remove what it copied beside the notebooks."""
    plan, record = passing.plan, passing.record
    student, part = record["student"], plan.part
    for name in plan.released:
        if name in passing.done:
            graded = passing.done[name]
            record["notebooks"][name] = graded.entry
            for stage, spent in graded.seconds.items():
                record["seconds"][stage] = round(record["seconds"].get(stage, 0.0) + spent, 4)
        elif name not in passing.found.files:
            prepared = submission.prepare(plan.released[name], None)
            record["notebooks"][name] = submission.judged(name, prepared, plan, None).entry
    states = {entry["status"] for entry in record["notebooks"].values()}
    if "failed" not in states:
        record["digest"] = submission.submission_digest(plan, passing.course.submitted(part, student))
    write_record(passing.course, _added_up(record))
    folder = passing.course.autograded(part, student)
    kept = {f"{name}.ipynb" for name in plan.released} | {"timestamp.txt"}
    for path in sorted(folder.rglob("*"), reverse=True):
        if path.relative_to(folder).as_posix() not in kept or path.is_symlink():
            with contextlib.suppress(OSError):
                path.rmdir() if path.is_dir() and not path.is_symlink() else path.unlink()


def _added_up(record):
    notebooks = record["notebooks"].values()
    record["points"] = round(sum(entry["points"] for entry in notebooks), 2)
    record["max_points"] = sum(entry["max_points"] for entry in notebooks)
    return record


def _student(course, part, notebooks):
    """Whose notebooks these are."""
    folders = {course.submitted(part, name): name for name in course.students(part)}
    return folders[Path(notebooks[0]).parent]


def _refused(passing, name, prepared):
    """Why a file that nbgrader did read is not graded."""
    notes = "; ".join(words for words in passing.notes if name in words)
    return f"{name}: {notes or prepared.why}; it earns nothing"


def _elsewhere(passing, name, student):
    """What to say of a notebook that nbgrader does not find under its name."""
    path = passing.found.files.get(name)
    if path is None:
        return f"{name} was not handed in; it earns nothing"
    return (
        f"{name} was handed in as {path.name}, which nbgrader does not take; it earns nothing here. Grade it with "
        f"`python -m grader grade {passing.plan.part} --only {student}`."
    )
