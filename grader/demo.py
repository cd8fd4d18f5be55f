"""Grade a made class of eight with stock nbgrader, from the release to the marks."""

import contextlib
import csv
import logging
import os
import shutil
import sys
import time
import warnings
from concurrent.futures import ProcessPoolExecutor, as_completed
from pathlib import Path

from nbgrader.apps import NbGraderAPI
from tqdm import tqdm

from grader.gradebook import alembic_on_path, read_marks
from grader.notebook_format import NotebookError, as_json, read_notebook
from grader.release import course_config
from grader.reset import ROOT
from grader.sample_class import CLASS, submission

PART = "1-context-vectors"
FOLDER = ROOT / "grading" / "demo"
#: A folder is emptied only if a demonstration made it.
MARK = ".made-by-the-demo"
SECONDS_PER_CELL = 15


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
    NotebookError
        If the folder holds something else, or the part cannot be handed out.
    """
    began = time.monotonic()
    folder = _fresh(FOLDER if folder is None else Path(folder).resolve())
    alembic_on_path()
    shutil.copytree(ROOT / "solutions" / part, folder / "source" / part, ignore=shutil.ignore_patterns(".*"))
    api = NbGraderAPI(config=_configuration(folder))
    with _quiet():
        print(f"Handing out {part}, with nbgrader generate_assignment", flush=True)
        _must(api.generate_assignment(part), f"{part} cannot be handed out")
        for student in students:
            _hand_in(folder, part, student)
    print(f"{len(students)} students hand in; nbgrader autograde and generate_feedback:", flush=True)
    failed = _grade(folder, part, students)
    marks = read_marks(api.coursedir.db_url, api.coursedir.course_id, part)
    _write_csv(folder / "marks.csv", marks, students)
    print("\n" + table(marks, students))
    if marks.unread:
        print(f"\nA person marks {marks.unread:g} more points (a written question), in formgrader.")
    print(f"\nMarks:    {folder / 'marks.csv'}\nFeedback: {folder / 'feedback'}; try")
    worth_reading = folder / "feedback" / "dora" / part
    print("\n".join(f"          {page}" for page in sorted(worth_reading.glob("*softmax*.html"))))
    print(f"\nDone in {time.monotonic() - began:.0f} seconds.")
    for name, why in failed.items():
        print(f"{name} was not graded:\n{why}", file=sys.stderr)
    return 1 if failed else 0


def _fresh(folder):
    """An empty folder; what is there goes only if an earlier demonstration made it."""
    if folder.exists():
        if not folder.is_dir() or (any(folder.iterdir()) and not (folder / MARK).exists()):
            raise NotebookError(f"{folder} holds something else; name a folder that is empty or not there yet")
        # Emptied, not removed: somebody's terminal may be in it.
        for path in folder.iterdir():
            if path.is_dir() and not path.is_symlink():
                shutil.rmtree(path)
            else:
                path.unlink()
    folder.mkdir(parents=True, exist_ok=True)
    (folder / MARK).touch()
    return folder


def _configuration(folder):
    """The course's own configuration, in another folder."""
    config = course_config(ROOT)
    course = config.CourseDirectory
    course.root, course.source_directory, course.release_directory = str(folder), "source", "release"
    for step in ("submitted", "autograded", "feedback"):
        course[f"{step}_directory"] = step
    # Several students are graded at a time, so a writer may have to wait for another.
    course.db_url = f"sqlite:///{(folder / 'gradebook.db').as_posix()}?timeout=60"
    config.Exchange.root = str(folder / "exchange")
    # So that the loop that never ends is not what everybody waits for.
    config.Execute.timeout = SECONDS_PER_CELL
    return config


def _hand_in(folder, part, student):
    for path in sorted((folder / "release" / part).glob("*.ipynb")):
        answered = submission(student, read_notebook(path), read_notebook(folder / "source" / part / path.name))
        target = folder / "submitted" / student.name / part / path.name
        target.parent.mkdir(parents=True, exist_ok=True)
        target.write_text(as_json(answered), encoding="utf-8", newline="\n")


def _grade(folder, part, students):
    """Grade everybody; returns the log of those that could not be, by name."""
    failed = {}
    kinds = {student.name: student.kind for student in students}
    workers = min(len(students), os.cpu_count() or 1)
    with (
        ProcessPoolExecutor(workers) as pool,
        tqdm(total=len(students), unit="student", file=sys.stdout) as bar,
    ):
        waiting = {pool.submit(_grade_one, folder, part, name): name for name in kinds}
        for done in as_completed(waiting):
            name, log = waiting[done], done.result()
            if log:
                failed[name] = log
            bar.set_description(f"{name}: {kinds[name]}"[:40].ljust(40), refresh=False)
            bar.update()
    return failed


def _grade_one(folder, part, name):
    """Grade one student with nbgrader; returns "" if that went well, else its log."""
    alembic_on_path()
    with _quiet():
        api = NbGraderAPI(config=_configuration(folder))
        for step in (api.autograde, api.generate_feedback):
            result = step(part, name)
            if not result["success"]:
                return (result.get("error") or result.get("log") or "no reason was given").strip()
    return ""


def _must(result, words):
    if not result["success"]:
        raise NotebookError(f"{words}:\n{(result.get('error') or result.get('log') or '').strip()}")


@contextlib.contextmanager
def _quiet():
    """Keep nbgrader's log off the terminal, which has a progress bar; what fails is told in the end."""
    before = logging.root.manager.disable
    logging.disable(logging.WARNING)
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            yield
    finally:
        logging.disable(before)


def _write_csv(path, marks, students):
    kinds = {student.name: student.kind for student in students}
    with path.open("w", encoding="utf-8", newline="") as file:
        writer = csv.writer(file)
        writer.writerow(["student", "submission", *marks.notebooks, "total", "full marks"])
        for name, row in marks.points.items():
            writer.writerow([name, kinds.get(name, ""), *row.values(), marks.total(name), marks.total_full])


def table(marks, students):
    """Marks as text for a terminal: students down, notebooks across."""
    kinds = {student.name: student.kind for student in students}
    rows = [["student", *marks.notebooks, "total", "submission"]]
    for name, row in marks.points.items():
        rows.append([name, *(f"{points:g}" for points in row.values()), f"{marks.total(name):g}", kinds.get(name, "")])
    rows.append(["(full)", *(f"{points:g}" for points in marks.full.values()), f"{marks.total_full:g}", ""])
    widths = [max(len(row[i]) for row in rows) for i in range(len(rows[0]))]
    last = len(widths) - 1
    return "\n".join(
        "  ".join(
            cell.ljust(width) if i in (0, last) else cell.rjust(width)
            for i, (cell, width) in enumerate(zip(row, widths, strict=True))
        ).rstrip()
        for row in rows
    )
