"""A student's feedback pages: made where there are none, or where something that they show has changed."""

import contextlib
import hashlib
import json
import logging
import os
import warnings
from copy import deepcopy
from importlib.metadata import version
from pathlib import Path

from nbgrader.converters import GenerateFeedback
from nbgrader.coursedir import CourseDirectory

from grader.classroom.staging import staging
from grader.errors import CourseError
from grader.files import replace_folder

#: What pages are made by: a page is made anew when one of these has changed.
MAKERS = Path(__file__).parent
#: Beside the pages: what they were made from.
MADE_FROM = ".made-from.json"
#: What nbgrader's `release_feedback` asks for beside the pages, where the exchange has brought it.
OF_THE_EXCHANGE = ("timestamp.txt", "submission_secret.txt")


def graded_notebooks(course, part, student):
    """Names of the notebooks of a part that are graded of a student, in order."""
    names = [path.stem for path in sorted(course.source(part).glob("*.ipynb"))]
    return [name for name in names if (course.autograded(part, student) / f"{name}.ipynb").is_file()]


def are_up_to_date(course, part, student, marks):
    """Whether a student's pages say what the gradebook and the record say now."""
    with contextlib.suppress(OSError):
        names = graded_notebooks(course, part, student)
        made_from = json.dumps(_digest(course, part, student, names, marks))
        return _are_fresh(course.feedback(part, student), made_from, names)
    return False


def make_pages(course, part, student, names, marks):
    """Make the pages of a student's graded notebooks, unless they are up to date.

    Parameters
    ----------
    course : Course
    part, student : str
    names : list of str
        The graded notebooks.
    marks : MarksOf

    Returns
    -------
    bool
        True if they were made, False if they were up to date.

    Raises
    ------
    CourseError
        If a page cannot be made.
    """
    folder = course.feedback(part, student)
    made_from = json.dumps(_digest(course, part, student, names, marks))
    if _are_fresh(folder, made_from, names):
        return False
    # Made elsewhere, and put in place at once.
    with staging(course.feedback(part, "STUDENT").parents[1]) as top:
        with _quiet():
            _generate(course, part, student, names, top)
        pages = {f"{name}.html": (top / student / part / f"{name}.html").read_bytes() for name in names}
    files = pages | _of_the_exchange(course, part, student) | {MADE_FROM: made_from.encode()}
    replace_folder(folder, files, mode=0o644)
    return True


def _digest(course, part, student, names, marks):
    """What pages are made from, as a short text that differs when any of it does."""
    parts = [path.read_bytes() for path in sorted(MAKERS.glob("*.py"))]
    parts += [version(name).encode() for name in ("nbgrader", "nbconvert")]
    parts += [(course.autograded(part, student) / f"{name}.ipynb").read_bytes() for name in names]
    parts += _of_the_exchange(course, part, student).values()
    with contextlib.suppress(OSError):
        parts.append(course.record(part, student).read_bytes())
    parts.append(repr(marks.details).encode())
    return hashlib.sha256(b"".join(hashlib.sha256(one).digest() for one in parts)).hexdigest()


def _of_the_exchange(course, part, student):
    paths = (course.autograded(part, student) / name for name in OF_THE_EXCHANGE)
    return {path.name: path.read_bytes() for path in paths if path.is_file()}


def _are_fresh(folder, made_from, names):
    try:
        return (folder / MADE_FROM).read_text(encoding="utf-8") == made_from and all(
            (folder / f"{name}.html").is_file() for name in names
        )
    except (OSError, UnicodeDecodeError):
        return False


@contextlib.contextmanager
def _quiet():
    """Keep nbgrader's log off the terminal; what fails is told."""
    before = logging.root.manager.disable
    logging.disable(logging.ERROR)
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            yield
    finally:
        logging.disable(before)


class _Pages(GenerateFeedback):
    """nbgrader's own feedback pages, of the part's notebooks only, and nothing beside them."""

    def __init__(self, names, **kwargs):
        super().__init__(**kwargs)
        self._names, self.problem = names, None

    def init_notebooks(self):
        """Take this student's notebooks by their paths: nbgrader takes a path, and a student's name, for a pattern."""
        folder = self._format_source(self.coursedir.assignment_id, self.coursedir.student_id)
        self.assignments, self.notebooks = {folder: [os.path.join(folder, f"{name}.ipynb") for name in self._names]}, []

    def convert_single_notebook(self, notebook_filename):
        """Remember which notebook has no page, and why."""
        try:
            super().convert_single_notebook(notebook_filename)
        except Exception as problem:
            self.problem = Path(notebook_filename).stem, problem
            raise

    def init_assignment(self, assignment_id, student_id):
        """Copy no other files: what lies beside a submission is not feedback."""


def _generate(course, part, student, names, top):
    config = deepcopy(course.config)
    config.GenerateFeedback.exporter_class = "grader.classroom.feedback.pages.FeedbackPage"
    config.HTMLExporter.template_name = "feedback"
    folders = CourseDirectory(config=config)
    folders.assignment_id, folders.student_id, folders.notebook_id = part, student, "*"
    folders.feedback_directory = str(top)
    pages = _Pages(names, coursedir=folders, config=config)
    pages.force = True
    try:
        pages.start()
    # nbgrader logs what happened and raises something general.
    except Exception as problem:
        name, problem = pages.problem or ("", problem)
        if isinstance(problem, OSError):
            raise problem from None
        reason = str(problem).strip().split("\n")[0][:300] or type(problem).__name__
        raise CourseError(f"no pages could be made{f' of {name}' if name else ''}: {reason}") from None
