"""Grade a made class of eight, from the release to the marks and the feedback pages."""

import copy
import shutil
import time
from pathlib import Path

from grader.classroom.course import Course
from grader.classroom.marking import grade
from grader.classroom.records import read_records
from grader.classroom.sandbox.bubblewrap import NoSandbox
from grader.classroom.sandbox.limits import Limits
from grader.desk.sample_class import CLASS, submission
from grader.errors import CourseError
from grader.files import write_whole
from grader.notebook import as_json, read_notebook
from grader.places import GRADING, SOLUTIONS

PART = "1-context-vectors"
FOLDER = GRADING / "demo"
#: So that nbgrader, started in the folder, works there and nowhere else.
CONFIG = """# The settings of the course, on the files of the demonstration.
from pathlib import Path

from grader.classroom.course import Course

c = get_config()  # noqa: F821
c.merge(Course.apart(Path(__file__).resolve().parent).config)
"""
#: A folder is emptied only if a demonstration made it.
MARK = ".made-by-the-demo"
#: What that file says once everything is there.
WHOLE = "graded and returned\n"
#: So that the loop that never ends is not what everybody waits for.
LIMITS = Limits(cell=10.0, call=3.0)


def demo(folder=None, part=PART, students=CLASS):
    """Hand out a part, let the made class hand in, grade it, and show the marks.

    Parameters
    ----------
    folder : Path, optional
        A course folder of its own, made anew; by default `grading/demo/`.
    part : str
    students : sequence of Student

    Returns
    -------
    status : int
        0 if every submission was graded.

    Raises
    ------
    CourseError
        If the folder holds something else, or the class cannot be graded.
    """
    began = time.monotonic()
    folder = _fresh(FOLDER if folder is None else Path(folder).resolve())
    write_whole(folder / "nbgrader_config.py", CONFIG)
    (folder / "exchange").mkdir()  # or formgrader complains
    course = Course.apart(folder)
    shutil.copytree(SOLUTIONS / part, course.source(part), ignore=shutil.ignore_patterns(".*"))
    print(f"{len(students)} students hand in {part}; python -m grader grade:", flush=True)
    released = course.released(part)
    for student in students:
        _hand_in(course, part, student, released)
    try:
        status = grade(course, part, limits=LIMITS)
    except NoSandbox as problem:
        print(
            f"Nobody in the made class means any harm, so it is graded without a sandbox here:\n{problem}", flush=True
        )
        status = grade(course, part, sandboxed=False, limits=LIMITS)
        write_whole(folder / "nbgrader_config.py", CONFIG + "c.Judge.sandboxed = False\n")
    print("\n" + table(read_records(course, part), students) + "\n\npython -m grader return:", flush=True)
    from grader.classroom.feedback.handback import hand_back

    hand_back(course, part)
    print(f"Feedback: {folder / 'feedback'}; try")
    worth_reading = course.feedback(part, "dora")
    print("\n".join(f"          {page}" for page in sorted(worth_reading.glob("*softmax*.html"))))
    print(f"\nDone in {time.monotonic() - began:.0f} seconds.", end=" ")
    print("To look at it in formgrader: make teach DEMO=1" if folder == FOLDER else "")
    (folder / MARK).write_text(WHOLE, encoding="utf-8")
    return status


def prepare(folder=FOLDER):
    """See to it that the made class is there to be looked at: graded now, unless it has been."""
    try:
        there = (folder / MARK).read_text(encoding="utf-8") == WHOLE
    except OSError:
        there = False
    if not there:
        print("The demonstration is made first; that takes a minute.", flush=True)
        demo(folder)


def _fresh(folder):
    """An empty folder; what is there goes only if an earlier demonstration made it."""
    if folder.exists():
        if not folder.is_dir() or (any(folder.iterdir()) and not (folder / MARK).exists()):
            raise CourseError(f"{folder} holds something else; name a folder that is empty or not there yet")
        # Emptied, not removed: somebody's terminal may be in it.
        for path in folder.iterdir():
            if path.is_dir() and not path.is_symlink():
                shutil.rmtree(path)
            else:
                path.unlink()
    folder.mkdir(parents=True, exist_ok=True)
    (folder / MARK).touch()
    return folder


def _hand_in(course, part, student, released):
    for name, notebook in released.items():
        source = read_notebook(course.source(part) / f"{name}.ipynb")
        answered = submission(student, copy.deepcopy(notebook), source)
        write_whole(course.submitted(part, student.name) / f"{name}.ipynb", as_json(answered))


def table(records, students):
    """Automatic marks as text for a terminal: students down, notebooks across."""
    kinds = {student.name: student.kind for student in students}
    notebooks = list(records[0].notebooks) if records else []
    rows = [["student", *notebooks, "total", "submission"]]
    for record in records:
        points = [record.notebooks[name].points for name in notebooks]
        rows.append([record.student, *map(_short, [*points, record.points]), kinds.get(record.student, "")])
    if records:
        full = [records[0].notebooks[name].max_points for name in notebooks]
        rows.append(["(full)", *map(_short, [*full, records[0].max_points]), ""])
    widths = [max(len(row[i]) for row in rows) for i in range(len(rows[0]))]
    last = len(widths) - 1
    return "\n".join(
        "  ".join(
            cell.ljust(width) if i in (0, last) else cell.rjust(width)
            for i, (cell, width) in enumerate(zip(row, widths, strict=True))
        ).rstrip()
        for row in rows
    )


def _short(points):
    return f"{points:g}"
