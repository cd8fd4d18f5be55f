"""nbgrader's configuration of the course; nbgrader reads it from the current directory, so work in the repository.

solutions/ is its source, notebooks/ its release; submissions and everything that grading makes stay in grading/,
which git ignores.
"""

from pathlib import Path

ROOT = Path(__file__).resolve().parent

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
# judge outside it; `Judge` hands on what came out. All else is nbgrader's own, and reads the points that it shows.
# `c.Judge.sandboxed = False` is for a class that you trust, where there is no bubblewrap.
c.Autograde.sanitize_preprocessors = ["grader.classroom.autograde.Judge", "nbgrader.preprocessors.CheckCellMetadata"]
c.Autograde.autograde_preprocessors = [
    "nbgrader.preprocessors.SaveAutoGrades",
    "nbgrader.preprocessors.AssignLatePenalties",
    "nbgrader.preprocessors.CheckCellMetadata",
]
# The first grades; what nbgrader cannot read keeps no old marks. The second leaves nothing but the notebooks.
c.Autograde.pre_convert_hook = "grader.classroom.autograde.before"
c.Autograde.post_convert_hook = "grader.classroom.autograde.after"

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

# Notebooks are handed out and collected as files (git, an LMS), not through nbgrader's exchange.
c.Exchange.root = str(ROOT / "grading" / "exchange")

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
