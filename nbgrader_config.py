"""nbgrader's configuration of the course; nbgrader reads it from the current directory, so work in the repository.

solutions/ is its source, notebooks/ its release; submissions and everything that grading makes stay in grading/,
which git ignores.
"""

import contextlib
import re
from pathlib import Path

from jupyter_core.paths import jupyter_config_path

from grader.places import alembic_on_path

ROOT = Path(__file__).resolve().parent

# nbgrader calls alembic by its name, and blames the gradebook where only the folder for it is missing.
alembic_on_path()
with contextlib.suppress(OSError):
    (ROOT / "grading").mkdir(exist_ok=True)

c = get_config()  # noqa: F821 - defined by whoever loads this file

c.CourseDirectory.course_id = "attention-course"
c.CourseDirectory.root = str(ROOT)
c.CourseDirectory.source_directory = "solutions"
c.CourseDirectory.release_directory = "notebooks"
# With slashes on every platform: nbgrader puts these into regular expressions.
c.CourseDirectory.submitted_directory = "grading/submitted"
c.CourseDirectory.autograded_directory = "grading/autograded"
c.CourseDirectory.feedback_directory = "grading/feedback"
c.CourseDirectory.solution_directory = "grading/solution"
c.CourseDirectory.source_with_tests_directory = "grading/source_with_tests"
c.CourseDirectory.db_url = f"sqlite:///{(ROOT / 'grading' / 'gradebook.db').as_posix()}"
c.CourseDirectory.ignore = [
    ".ipynb_checkpoints",
    ".DS_Store",
    "*.pyc",
    "__pycache__",
    "feedback",
    "*.part",
]

# A stub does not raise: Run All reaches the end, and the check says "not attempted yet".
c.ClearSolutions.code_stub = {"python": "# YOUR CODE HERE"}
c.ClearSolutions.text_stub = "*Your answer here.*"

# `nbgrader autograde` and formgrader's button grade as `python -m grader grade` does: repair, then the sandbox, and a
# judge outside it. `Judge` stores what came out, and hands on the graded notebooks; nbgrader has nothing left to run.
# `c.Judge.sandboxed = False` is for a class that you trust, where there is no bubblewrap.
c.Autograde.exporter_class = "grader.classroom.autograde.Plain"
c.Autograde.pre_convert_hook = "grader.classroom.autograde.before"
c.Autograde.sanitize_preprocessors = ["grader.classroom.autograde.Judge", "nbgrader.preprocessors.CheckCellMetadata"]
c.Autograde.autograde_preprocessors = []

# `nbgrader validate` runs a notebook in a kernel: a cell that never ends is interrupted, and the next one goes on.
c.Execute.timeout = 30
c.Execute.interrupt_on_timeout = True
c.Execute.raise_on_iopub_timeout = False
c.Execute.error_on_timeout = {
    "ename": "StillRunning",
    "evalue": "",
    "traceback": ["This cell was still running at its time limit, so it was stopped: does it ever end?"],
}
# A kernel's own notices are not for learners, and its history is not for later.
c.Execute.extra_arguments = ["--HistoryManager.hist_file=:memory:", "--Application.log_level=40"]

# Feedback pages begin with a table of the exercises and what each check says.
c.GenerateFeedback.preprocessors = [
    "nbgrader.preprocessors.GetGrades",
    "grader.classroom.feedback.pages.Summary",
    "nbconvert.preprocessors.CSSHTMLHeaderPreprocessor",
]

c.GenerateFeedback.exporter_class = "grader.classroom.feedback.pages.FeedbackPage"
# Formgrader shows submissions in Jupyter's own origin: nothing in one may act there.
c.HTMLExporter.preprocessors = ["grader.classroom.feedback.pages.Harmless"]
c.HTMLExporter.filters = {"markdown2html": "grader.classroom.feedback.pages.markdown2html"}

# A hub says in its own configuration where its exchange is; on a single machine it is a folder of the course's.
_HUBS = [path for folder in jupyter_config_path() for path in Path(folder).glob("nbgrader_config.*")]
if not any(re.search(r"Exchange\W+root", path.read_text(encoding="utf-8", errors="replace")) for path in _HUBS):
    c.Exchange.root = str(ROOT / "grading" / "exchange")

# Before nbgrader takes the old release away, the gradebook has to know the part.
c.GenerateAssignment.exporter_class = "grader.classroom.gradebook.cells.Registered"
# The last stage gives `nbgrader generate_assignment` the same bytes as `python -m grader release`.
c.GenerateAssignment.preprocessors = [
    "nbgrader.preprocessors.IncludeHeaderFooter",
    "nbgrader.preprocessors.LockCells",
    "nbgrader.preprocessors.ClearSolutions",
    "nbgrader.preprocessors.ClearOutput",
    "nbgrader.preprocessors.CheckCellMetadata",
    "nbgrader.preprocessors.ComputeChecksums",
    "nbgrader.preprocessors.SaveCells",
    "nbgrader.preprocessors.ClearHiddenTests",
    "nbgrader.preprocessors.ClearMarkScheme",
    "nbgrader.preprocessors.ComputeChecksums",
    "nbgrader.preprocessors.CheckCellMetadata",
    "grader.classroom.release.NormalForm",
]
