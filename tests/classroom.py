"""A small course in a folder of its own, whom to let hand in, and what grading left behind."""

import ast
import contextlib
import copy
import hashlib
import json
import os
import random
import shutil
import warnings
from concurrent.futures import FIRST_COMPLETED, Executor, Future, wait
from unittest.mock import patch

import nbformat
from courseware import ROOT, full_marks, read, written_marks
from nbgrader.api import Comment, Grade, Gradebook, Student, SubmittedAssignment, SubmittedNotebook
from sqlalchemy.exc import SAWarning

from grader.classroom.course import Course
from grader.classroom.gradebook.cells import register
from grader.classroom.marking import grade, judge_again, seeds, workers
from grader.classroom.records import read_record
from grader.classroom.running.checks import checks
from grader.classroom.running.runner import Run
from grader.desk.sample_class import CLASS, submission
from grader.judging.judge import judge
from grader.judging.verdict import cell_outputs
from grader.notebook import as_json

PART = "1-context-vectors"
NOTEBOOKS = ("3-softmax", "4-context-vectors")  # the second has a question that a person marks
SOURCES = {name: read(ROOT / "solutions" / PART / f"{name}.ipynb") for name in NOTEBOOKS}
FULL = {name: full_marks(notebook) for name, notebook in SOURCES.items()}
EXERCISES = [check.exercise for source in SOURCES.values() for _, check in checks(source) if check]
WRITTEN = sum(map(written_marks, SOURCES.values()))
GARBAGE = '{"cells": [{"cell_ty'
#: An answer to softmax of which little is right.
ROUNDED = (
    "import numpy as np\n\n\ndef softmax(x):\n    e = np.exp(x - np.max(x))\n    return np.round(e / e.sum(), 3)\n"
)
KINDS = {student.name: student for student in CLASS}


def make_course(folder, register_it=True):
    """A course with one part of two notebooks, known to its gradebook and with the same seeds in every run."""
    source = folder / "solutions" / PART
    source.mkdir(parents=True)
    for name in NOTEBOOKS:
        shutil.copy(ROOT / "solutions" / PART / f"{name}.ipynb", source)
    shutil.copy(ROOT / "nbgrader_config.py", folder)
    course = Course.at(folder)
    if register_it:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            register(course, PART, course.released(PART))
        drawn = random.Random(0)
        with patch.object(seeds.secrets, "token_hex", lambda size: drawn.randbytes(size).hex()):
            seeds.stored_seeds(course, EXERCISES)
    return course


def hand_in(course, student, kind="ada", change=None):
    """Let a student hand in what one of the made class would; `change` takes each notebook's name and the notebook."""
    for name in NOTEBOOKS:
        released = copy.deepcopy(read(ROOT / "notebooks" / PART / f"{name}.ipynb"))
        answered = submission(KINDS[kind], released, read(ROOT / "solutions" / PART / f"{name}.ipynb"))
        if change:
            change(name, answered)
        write(course, student, f"{name}.ipynb", as_json(answered))


def write(course, student, name, text):
    """Put a file into what a student hands in."""
    path = course.submitted(PART, student) / name
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(text, encoding="utf-8", newline="\n")
    return path


def answering(exercise, source):
    """A change for `hand_in`: an answer of one's own."""

    def change(name, notebook):
        for cell in notebook.cells:
            if cell.id == f"{exercise}-answer":
                cell.source = source

    return change


class Inline(Executor):
    """Does everything at once, in this process."""

    def submit(self, function, *args):
        """Return a future that is done."""
        future = Future()
        try:
            future.set_result(function(*args))
        except Exception as problem:
            future.set_exception(problem)
        return future


class Given:
    """An executor in the clothes of local workers; each of its own workers has its own sandbox."""

    def __init__(self, executor, jobs=1, sandboxed=True):
        self.room, self._executor, self._jobs, self._sandboxed = 2 * jobs, executor, jobs, sandboxed
        self.submit = executor.submit

    def wait(self, limits):
        """Return when the first worker has a sandbox."""
        waking = [self._executor.submit(workers.ready, self._sandboxed, limits) for _ in range(self._jobs)]
        waking[0].result()

    def landed(self, flying):
        """As of local workers."""
        return wait(flying, return_when=FIRST_COMPLETED)[0]

    def finish(self):
        """Leave the executor as it is."""

    def restart(self):
        """Do nothing: whoever made the executor knows what it does next."""

    def __enter__(self):
        return self

    def __exit__(self, *problem):
        workers.close_runners()  # of an executor that works in this process


def grade_by(executor, course, *args, part=PART, jobs=1, **kwargs):
    """Grade with an executor in place of local workers."""
    with patch.object(workers, "local_workers", lambda jobs, sandboxed: Given(executor, jobs, sandboxed)):
        return grade(course, part, *args, jobs=jobs, **kwargs)


def grade_here(course, *args, **kwargs):
    """Grade in this process."""
    return grade_by(Inline(), course, *args, **kwargs)


def judge_again_here(course, *args, **kwargs):
    """Judge again in this process."""
    with patch.object(workers, "local_workers", lambda *about: Given(Inline())):
        return judge_again(course, PART, *args, **kwargs)


class FakeRunner:
    """A Runner that runs answers in this process, and judges them with the real judge."""

    def __init__(self):
        self.ran = []

    def draw(self, released):
        """Do nothing: pictures take long."""

    def run(self, name, notebook, seed_of, released=None):
        """Run everything but pictures."""
        notebook, names, verdicts = copy.deepcopy(notebook), {"print": lambda *words: None}, {}
        self.ran.append(name)
        for cell in notebook.cells:
            with contextlib.suppress(Exception):
                for statement in ast.parse(cell.source).body if cell.cell_type == "code" else ():
                    if not isinstance(statement, ast.Expr):
                        exec(ast.unparse(statement), names)
        for number, (cell, check) in enumerate(checks(notebook), 1):
            if check.expression not in names:
                continue
            value = names[check.expression]
            verdict = verdicts[check.exercise] = judge(check.exercise, value, seed_of(check.exercise))
            cell.execution_count = number
            cell.outputs = nbformat.from_dict(cell_outputs(verdict, number))
        return Run(notebook, verdicts, (), {}, False, {"learner": 0.01})


# ---- what is left behind


def rows(course):
    """What the gradebook has of each submission, without the ids that are drawn anew: four tables."""
    with warnings.catch_warnings(), Gradebook(course.db_url, course.name) as book:
        warnings.simplefilter("ignore", SAWarning)
        return {
            "student": sorted(one.id for one in book.db.query(Student)),
            "submission": sorted(
                (one.student_id, one.name, str(one.timestamp), str(one.extension))
                for one in book.db.query(SubmittedAssignment)
            ),
            "notebook": sorted(
                (one.student.id, one.name, one.flagged, str(one.late_submission_penalty), one.failed_tests, one.score)
                for one in book.db.query(SubmittedNotebook)
            ),
            "grade": sorted(
                (
                    one.student.id,
                    one.notebook.name,
                    one.name,
                    str(one.auto_score),
                    str(one.manual_score),
                    str(one.extra_credit),
                    one.needs_manual_grade,
                    bool(one.failed_tests),
                )
                for one in book.db.query(Grade)
            ),
            "comment": sorted(
                (one.student.id, one.notebook.name, one.name, str(one.auto_comment), str(one.manual_comment))
                for one in book.db.query(Comment)
            ),
        }


def grades(course, student):
    """A student's automatic scores in the gradebook, by cell."""
    with Gradebook(course.db_url, course.name) as book:
        submission = book.find_submission(PART, student)
        return {grade.name: grade.auto_score for notebook in submission.notebooks for grade in notebook.grades}


def record(course, student):
    """A student's record."""
    return read_record(course, PART, student)


def content(path):
    """What a file says: a notebook as it is read, since nbgrader lays out in many lines what grading writes in one."""
    return nbformat.read(path, as_version=4) if path.suffix == ".ipynb" else path.read_bytes()


def lasting(course):
    """The content of all that grading keeps, by path, and the records without what time alone changes."""
    kept = {}
    for path in sorted((course.grading / "autograded").rglob("*")):
        kept[str(path.relative_to(course.grading))] = content(path) if path.is_file() else None
    for path in sorted(course.record(PART, "any").parent.glob("*.json")):
        one = json.loads(path.read_text(encoding="utf-8"))
        assert one.pop("seconds")
        kept[path.name] = one
    return kept


def tree(folder):
    """Each file of a folder with its content, its times and its mode."""
    found = {}
    for top, folders, files in os.walk(folder):
        for name in [".", *folders, *files]:
            path = os.path.join(top, name)
            about = os.lstat(path)
            content = b""
            if os.path.isfile(path) and not os.path.islink(path):
                with open(path, "rb") as file:
                    content = hashlib.sha256(file.read()).digest()
            found[path] = (about.st_mode, about.st_size, about.st_mtime_ns, about.st_ctime_ns, content)
    return found
