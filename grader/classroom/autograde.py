"""nbgrader's own `autograde`, and formgrader's button for it, the way that `python -m grader grade` does it.

nbgrader_config.py names these: `before` a submission takes back its old marks and grades it, `Judge` hands the graded
notebooks on in place of what nbgrader read, and `after` writes the record. nbgrader's own `SaveAutoGrades` then reads
what the judge put into the check cells. What nbgrader itself cannot list or read never gets that far: it earns nothing.
"""

import contextlib
import functools
from pathlib import Path

import nbformat
from nbgrader.preprocessors import NbGraderPreprocessor
from traitlets import Bool
from traitlets.log import get_logger

from grader.classroom.course import Course
from grader.classroom.gradebook.late import settle
from grader.classroom.gradebook.part_book import PartBook
from grader.classroom.marking import workers
from grader.classroom.marking.attempts import Attempts
from grader.classroom.marking.grade import make_plan
from grader.classroom.marking.submission import (
    CellMarks,
    GradedNotebook,
    Piece,
    assemble,
    fail_notebooks,
    grade_notebooks,
)
from grader.classroom.records import read_record, write_record
from grader.errors import CourseError

#: What waits for nbgrader to take it, one submission at a time: by gradebook, part and student, the `Graded`, and the
#: names of the notebooks that are still to be handed on.
_waiting = {}


class NotThrough(Exception):
    """nbgrader has not finished yet, or does not take the file."""


def before(assignment, student, notebooks):
    """Grade a submission, its old automatic marks taken back; a `pre_convert_hook` of nbgrader.

    Parameters
    ----------
    assignment : str
    student : str
        What nbgrader was asked for; the student is read from the paths, because this may be a pattern.
    notebooks : list of str
        Paths of the files that nbgrader is going to grade.
    """
    _waiting.clear()
    try:
        # nbgrader works in the course's folder.
        course = Course.at(Path.cwd())
        _grade(course, assignment, _student(course, assignment, notebooks), [Path(path).stem for path in notebooks])
    except Exception as problem:
        # nbgrader itself would hardly mention it. `Judge` tries again, and fails the submission if it must.
        get_logger().error("%s: %s", assignment, problem)
        raise


def after(assignment, student, notebooks):
    """Record what was graded, and leave nothing but notebooks; a `post_convert_hook` of nbgrader."""
    try:
        course = Course.at(Path.cwd())
        graded, _ = _waiting.pop((course.db_url, assignment, _student(course, assignment, notebooks)))
        write_record(course, graded.record)
        _tidy(course.autograded(assignment, graded.record.student), graded.files)
        settle(course, assignment, [graded.record.student], get_logger().warning)
    except Exception as problem:
        get_logger().error("%s: the report will lack this submission: %s", assignment, problem)
        raise


class Judge(NbGraderPreprocessor):
    """Put the notebook that was repaired, run in the sandbox and judged outside it in place of the submitted one."""

    sandboxed = Bool(
        True, help="Set it to False only for a class that you trust: then the learners' code runs with your rights."
    ).tag(config=True)

    def preprocess(self, nb, resources):
        """Return the graded notebook; whatever nbgrader read is not looked at."""
        about = resources["nbgrader"]
        key, name = (about["db_url"], about["assignment"], about["student"]), about["notebook"]
        if key not in _waiting or name not in _waiting[key][1]:
            _grade(Course(self.config), about["assignment"], about["student"], [name])
        graded, names = _waiting[key]
        names.remove(name)
        found = graded.record.notebooks[name]
        if found.status != "graded":
            notes = "; ".join(words for words in graded.record.notes if name in words)
            why = notes or next(iter((*found.failures, *(one.reason for one in found.exercises))), "")
            raise CourseError(f"{name}: {why}; it earns nothing\n{graded.trouble}".rstrip())
        for words in (*found.repairs, *found.failures):
            self.log.warning("%s: %s", name, words)
        return nbformat.reads(graded.files[f"{name}.ipynb"].decode(), as_version=4), resources


def _grade(course, part, student, names):
    """Grade the notebooks that nbgrader takes; those that it does not find keep no marks either."""
    sandboxed = course.config.Judge.get("sandboxed", True)
    # Without a sandbox nothing can be graded: then the old marks stay.
    workers.ready(sandboxed)
    plan = make_plan(course, part, course.released(part), sandboxed)
    folder, log = course.submitted(part, student), get_logger()
    stale = [name for name in plan.released if name in names or not (folder / f"{name}.ipynb").is_file()]
    with PartBook(course, part, plan.released, log.warning) as book:
        book.clear(student, stale)
    problem = NotThrough("nbgrader autograde did not come to its end; see its log")
    kept = _kept(plan, read_record(course, part, student), set(plan.released) - set(stale), problem)
    write_record(course, assemble(plan, student, [*kept, fail_notebooks(plan, stale, problem)]).record)

    if len(Attempts(course, plan).folders(student)) > 1:
        log.warning("%s/%s: the best attempt is found by `python -m grader grade`; this grades the last", student, part)
    piece = grade_notebooks(plan, folder, stale, functools.partial(workers.own_runner, sandboxed))
    for words in piece.notes:
        log.warning("%s/%s: %s", student, part, words)
    for name in [name for name in stale if name not in names]:
        if piece.notebooks[name].record.status == "missing":
            log.warning("%s/%s was not handed in; it earns nothing", student, name)
            continue
        words = (
            f"{name} was handed in as {piece.notebooks[name].record.file}, which nbgrader does not take; it earns "
            f"nothing here. Grade it with `python -m grader grade {part} --only {student}`."
        )
        log.warning("%s/%s", student, words)
        piece.notebooks |= fail_notebooks(plan, [name], NotThrough(words)).notebooks
    graded = assemble(plan, student, [*kept, piece])
    _waiting[course.db_url, part, student] = graded, [name for name in stale if name in names]


def _kept(plan, record, names, problem):
    """What the old record has of the notebooks that are not graded now, if there are any: a list of one piece."""
    there = record.notebooks if record else {}
    notebooks = fail_notebooks(plan, [name for name in names if name not in there], problem).notebooks
    notebooks |= {name: GradedNotebook(b"", there[name], CellMarks(), {}) for name in names if name in there}
    return [Piece(notebooks, record.digest if record else "")] if notebooks else []


def _tidy(folder, files):
    """Remove what nbgrader copied beside the graded notebooks."""
    for path in sorted(folder.rglob("*"), reverse=True):
        if path.relative_to(folder).as_posix() not in files or path.is_symlink():
            with contextlib.suppress(OSError):
                path.rmdir() if path.is_dir() and not path.is_symlink() else path.unlink()


def _student(course, part, notebooks):
    """Whose notebooks these are."""
    folders = {course.submitted(part, name): name for name in course.students(part)}
    return folders[Path(notebooks[0]).parent]
