"""What the course writes to and reads from nbgrader's gradebook."""

import os
import sys
from dataclasses import dataclass
from pathlib import Path

from nbgrader.api import Gradebook
from nbgrader.preprocessors import SaveCells

from grader.notebook_format import NotebookError, read_notebook
from grader.release import course_config, released


def alembic_on_path():
    """Put this environment's programs on PATH: nbgrader calls `alembic` by its name for a fresh gradebook."""
    programs = str(Path(sys.executable).parent)
    path = os.environ.get("PATH", "")
    if programs not in path.split(os.pathsep):
        os.environ["PATH"] = os.pathsep.join([programs, path])


def register_all(root):
    """Make every part of solutions/ known to the gradebook, so that formgrader and autograde find it.

    A part that has been graded already and whose cells have changed since stays as it was, and is told.

    Parameters
    ----------
    root : Path
        The repository.
    """
    alembic_on_path()
    root = Path(root)
    config = course_config(root)
    # nbgrader blames the database where only the folder is missing.
    (root / "grading").mkdir(exist_ok=True)
    course, url = config.CourseDirectory.course_id, config.CourseDirectory.db_url
    for part in sorted({path.parent for path in (root / "solutions").glob("*/*.ipynb")}):
        with Gradebook(url, course) as book:
            book.update_or_create_assignment(part.name)
        for path in sorted(part.glob("*.ipynb")):
            about = {"notebook": path.stem, "assignment": part.name, "db_url": url}
            try:
                SaveCells(config=config).preprocess(released(read_notebook(path), config), {"nbgrader": about})
            except RuntimeError as problem:  # submissions hang on the cells as they were
                print(f"{part.name}/{path.stem} stays as it was in the gradebook: {problem}", file=sys.stderr)
            except (NotebookError, ValueError, KeyError) as problem:
                raise NotebookError(f"{path.relative_to(root)}: {problem}") from problem


@dataclass(frozen=True)
class Marks:
    """A class's marks in one part.

    Attributes
    ----------
    notebooks : tuple of str
    full : dict of str to float
        Full marks of each notebook, without the questions that a person marks.
    points : dict of str to dict of str to float
        For each student, the points in each notebook.
    unread : float
        Points of the questions that a person marks.
    """

    notebooks: tuple
    full: dict
    points: dict
    unread: float

    def total(self, student):
        """A student's points in all notebooks."""
        return round(sum(self.points[student].values()), 2)

    @property
    def total_full(self):
        """Full marks of all notebooks."""
        return sum(self.full.values())


def read_marks(url, course, part):
    """The automatic marks of a part, from a gradebook.

    Parameters
    ----------
    url, course : str
        The gradebook's address, and the course's id in it.
    part : str

    Returns
    -------
    Marks
        A submission that was not graded has zero in each notebook.
    """
    with Gradebook(url, course) as book:
        assignment = book.find_assignment(part)
        full, by_hand, unread = {}, {}, 0.0
        for notebook in sorted(assignment.notebooks, key=lambda one: one.name):
            by_hand[notebook.name] = {cell.name for cell in notebook.solution_cells}
            automatic = [cell for cell in notebook.grade_cells if cell.name not in by_hand[notebook.name]]
            full[notebook.name] = sum(cell.max_score for cell in automatic)
            unread += sum(cell.max_score for cell in notebook.grade_cells) - full[notebook.name]
        points = {}
        for submission in sorted(book.assignment_submissions(part), key=lambda one: one.student.id):
            row = points[submission.student.id] = dict.fromkeys(full, 0.0)
            for notebook in submission.notebooks:
                row[notebook.name] = round(
                    sum(
                        grade.auto_score or 0.0 for grade in notebook.grades if grade.name not in by_hand[notebook.name]
                    ),
                    2,
                )
    return Marks(tuple(full), full, points, unread)
