"""nbgrader's own `autograde`, and formgrader's button for it, the way that `python -m grader grade` does it.

nbgrader_config.py names these. `Plain` hands on nothing of what was handed in, `before` says which notebooks there are
to grade, and `Judge` grades a submission when it is asked for the first of them: it stores what came out, and gives
nbgrader the graded notebooks. So nbgrader opens, lists and copies nothing of a learner's, and whatever has come into a
folder costs there what it costs here. Only a folder in which nothing is called `*.ipynb` nbgrader does not visit.
"""

import copy
import functools
from pathlib import Path

import nbformat
from nbconvert.exporters import NotebookExporter
from nbgrader.converters import Autograde
from nbgrader.preprocessors import NbGraderPreprocessor
from traitlets import Bool
from traitlets.log import get_logger

from grader.classroom.course import Course, can_be_kept
from grader.classroom.gradebook.cells import register
from grader.classroom.gradebook.late import settle
from grader.classroom.gradebook.part_book import PartBook
from grader.classroom.marking import workers
from grader.classroom.marking.attempts import Attempts
from grader.classroom.marking.grade import make_plan
from grader.classroom.marking.storing import alone, log_of, save
from grader.classroom.marking.submission import assemble, grade_notebooks, read_timestamp
from grader.errors import CourseError
from grader.words import shown

#: What waits for nbgrader to take it, one submission at a time: by gradebook, part and student, the `Graded`, and the
#: names of the notebooks that are still to be handed on.
_waiting = {}


class Plain(NotebookExporter):
    """Notebooks as notebooks; those that were handed in, as empty ones: `Judge` has something better."""

    def __init__(self, *args, **kwargs):
        super().__init__(*args, **kwargs)
        if isinstance(self.parent, Autograde):
            # nbgrader fails a submission if it cannot read its time, or copy whatever else lies there (links, pipes).
            folders = copy.copy(self.parent.coursedir)
            folders.ignore = ["*", ".*"]
            folders.get_existing_timestamp = lambda folder: read_timestamp(Path(folder))[0]
            self.parent.coursedir = folders

    def from_filename(self, filename, resources=None, **kwargs):
        """Export a notebook; one that was handed in is not even opened."""
        if any(isinstance(stage, Judge) for stage in self._preprocessors):
            return self.from_notebook_node(nbformat.v4.new_notebook(), resources, **kwargs)
        return super().from_filename(filename, resources, **kwargs)


def before(assignment, student, notebooks):
    """Let nbgrader ask for each notebook of the part, whatever the files are called; a `pre_convert_hook` of nbgrader.

    Parameters
    ----------
    assignment : str
    student : str
        What nbgrader was asked for, which may be a pattern.
    notebooks : list of str
        Paths of the files that nbgrader found; changed in place.
    """
    _waiting.clear()
    try:
        course = Course.at(Path.cwd())  # nbgrader works in the course's folder
        released = course.released(assignment)
        register(course, assignment, released)
        folder = Path(notebooks[0]).parent
        notebooks[:] = [str(folder / f"{name}.ipynb") for name in released]
    except Exception as problem:
        # nbgrader itself would hardly mention it; what it found it grades.
        get_logger().error("%s: %s", assignment, problem)
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
            _waiting.clear()
            graded = _graded(Course(self.config), about["assignment"], about["student"], self.sandboxed)
            _waiting[key] = graded, set(graded.record.notebooks)
        graded, names = _waiting[key]
        names.discard(name)
        found = graded.record.notebooks[name]
        if found.status == "failed":
            raise CourseError(f"{name}: {'; '.join(found.failures)}\n{graded.trouble}".rstrip())
        unread = [found.exercises[0].reason] if found.status != "graded" and found.exercises else []
        for words in (*found.repairs, *found.failures, *unread):
            self.log.warning("%s/%s: %s", about["student"], name, words)
        return nbformat.reads(graded.files[f"{name}.ipynb"].decode(), as_version=4), resources


def _graded(course, part, student, sandboxed):
    """Grade a submission and store all that came out, as `grade` does."""
    if not can_be_kept(student):
        raise CourseError(f"nbgrader cannot keep such a name as {shown(student)}; rename the folder")
    # Without a sandbox nothing can be graded: then the old marks stay.
    workers.ready(sandboxed)
    log = get_logger()
    with alone(course, part), log_of(course, part) as lines:
        plan = make_plan(course, part, course.released(part), sandboxed)
        if len(Attempts(course, plan).folders(student)) > 1:
            log.warning(
                "%s/%s: the best attempt is found by `python -m grader grade`; this grades the last", student, part
            )
        piece = grade_notebooks(
            plan, course.submitted(part, student), plan.released, functools.partial(workers.own_runner, sandboxed)
        )
        graded = assemble(plan, student, [piece])
        with PartBook(course, part, plan.released, log.warning) as book:
            save(course, book, graded, lines)
        settle(course, part, [student], log.warning)
    for path in course.autograded(part, student).iterdir():
        path.chmod(0o644)  # nbgrader writes them once more
    for words in piece.notes:
        log.warning("%s/%s: %s", student, part, words)
    return graded
