"""What the course writes to and reads from nbgrader's gradebook."""

import sys
import warnings
from dataclasses import dataclass
from pathlib import Path

from nbconvert.exporters import NotebookExporter
from nbgrader.api import (
    Assignment,
    Base,
    Grade,
    Gradebook,
    GradeCell,
    InvalidEntry,
    MissingEntry,
    Notebook,
    SolutionCell,
    SourceCell,
    SubmittedAssignment,
    SubmittedNotebook,
)
from nbgrader.converters.base import NbGraderException
from nbgrader.dbutil import ALEMBIC_DIR
from nbgrader.preprocessors import SaveCells
from nbgrader.utils import is_grade, is_locked, is_solution, is_task
from sqlalchemy import create_engine, inspect, make_url, select
from sqlalchemy.exc import SAWarning, SQLAlchemyError

from grader.classroom.course import Course
from grader.classroom.gradebook.faults import FAULTS, unusable
from grader.classroom.gradebook.late import lateness_of
from grader.classroom.release import course_config
from grader.errors import CourseError, NotebookError

# ---- the cells of a part


def register_all(root):
    """Make every part of solutions/ known to the gradebook, so that formgrader and autograde find it.

    A part that has been graded already and whose cells have changed since stays as it was, and is told.

    Parameters
    ----------
    root : Path
        The repository.
    """
    course = Course(course_config(Path(root)))
    for part in course.parts:
        for name, problem in register(course, part, course.released(part)).items():
            print(f"{part}/{name} stays as it was in the gradebook: {problem}", file=sys.stderr)


def register(course, part, released):
    """Make a part known to the gradebook.

    Parameters
    ----------
    course : Course
    part : str
    released : dict of str to NotebookNode
        The part's notebooks as handed out.

    Returns
    -------
    dict of str to str
        The notebooks that stay as they were because submissions hang on their cells, each with nbgrader's reason.
    """
    # nbgrader blames the database where only the folder is missing.
    course.grading.mkdir(parents=True, exist_ok=True)
    prepare_gradebook(course.db_url)
    with Gradebook(course.db_url, course.name) as book:
        if _known_cells(book.db, part) == {name: _cells(notebook) for name, notebook in released.items()}:
            return {}
        book.update_or_create_assignment(part)
    kept = {}
    for name, notebook in released.items():
        about = {"notebook": name, "assignment": part, "db_url": course.db_url}
        try:
            with warnings.catch_warnings():
                warnings.simplefilter("ignore", SAWarning)  # about relations between nbgrader's own tables
                SaveCells(config=course.config).preprocess(notebook, {"nbgrader": about})
        except RuntimeError as problem:
            kept[name] = str(problem)
        except InvalidEntry:
            raise
        except (ValueError, KeyError) as problem:
            raise NotebookError(f"{part}/{name}: {problem}") from problem
    return kept


class Registered(NotebookExporter):
    """What `nbgrader generate_assignment` writes with; made before it takes the old release away.

    If the gradebook cannot take the part, or a notebook cannot be released, it says so now, and nothing is lost.
    """

    def __init__(self, *args, **kwargs):
        super().__init__(*args, **kwargs)
        if self.parent.no_database:
            return
        course = Course(self.config)
        for folder in self.parent.assignments:
            part = Path(folder).name
            try:
                kept = register(course, part, course.released(part))
                problem = "; ".join(f"{name}: {why}" for name, why in kept.items())
            except (CourseError, SQLAlchemyError, InvalidEntry, RuntimeError, OSError) as error:
                problem = str(getattr(error, "orig", error))
            if problem:
                self.log.error("%s stays as it was released: %s", part, problem)
                raise NbGraderException(problem)


def prepare_gradebook(db_url):
    """Make the tables of a fresh gradebook, for which nbgrader would start a program that takes seconds."""
    engine = create_engine(db_url)
    try:
        if inspect(engine).get_table_names():
            return
        with engine.connect() as db:
            if db.dialect.name == "sqlite":
                db.exec_driver_sql("BEGIN IMMEDIATE")  # all of it or nothing, and by one program only
            if not inspect(db).get_table_names():
                from alembic.migration import MigrationContext  # they take a while, and are needed once in a course
                from alembic.script import ScriptDirectory

                Base.metadata.create_all(db)
                MigrationContext.configure(db).stamp(ScriptDirectory(ALEMBIC_DIR), "head")
            db.commit()
    finally:
        engine.dispose()


def _cells(notebook):
    """What the gradebook keeps of a notebook's cells, by grade_id."""
    found = {}
    for cell in notebook.cells:
        if is_grade(cell) or is_solution(cell) or is_locked(cell) or is_task(cell):
            about = cell.metadata.nbgrader
            found[about.grade_id] = (
                cell.source,
                about.get("checksum"),
                is_locked(cell),
                float(about["points"]) if is_grade(cell) else None,
                is_solution(cell),
            )
    return found


def _known_cells(db, part):
    """The same as the gradebook has it, by notebook."""
    found = {}
    of_part = select(Notebook.id).join(Assignment).where(Assignment.name == part)
    points, answers = {}, set()
    for cell in db.execute(select(GradeCell.notebook_id, GradeCell.name, GradeCell.max_score)):
        points[cell.notebook_id, cell.name] = cell.max_score
    for cell in db.execute(select(SolutionCell.notebook_id, SolutionCell.name)):
        answers.add((cell.notebook_id, cell.name))
    for notebook in db.execute(select(Notebook.id, Notebook.name).where(Notebook.id.in_(of_part))):
        cells = select(SourceCell.name, SourceCell.source, SourceCell.checksum, SourceCell.locked)
        found[notebook.name] = {
            cell.name: (
                cell.source,
                cell.checksum,
                cell.locked,
                points.get((notebook.id, cell.name)),
                (notebook.id, cell.name) in answers,
            )
            for cell in db.execute(cells.where(SourceCell.notebook_id == notebook.id))
        }
    return found


# ---- reading marks


def points_by_hand(course, part):
    """What persons have added to the automatic points of a part, by student.

    Points for written questions, scores that were changed by hand and extra credit, less what is taken off for being
    late; a student with something that is still to be marked is not there.
    """
    try:
        with Gradebook(course.db_url, course.name) as book:
            return _points_by_hand(book.db, part)
    except FAULTS as problem:
        raise unusable(course.db_url, problem, "run the command again") from problem


def _points_by_hand(db, part):
    points, unmarked = {}, set()
    answers = select(SolutionCell.notebook_id, SolutionCell.name)
    written = {tuple(cell) for cell in db.execute(answers)}
    submissions = select(
        SubmittedNotebook.id,
        SubmittedNotebook.notebook_id,
        SubmittedNotebook.late_submission_penalty,
        SubmittedAssignment.student_id,
    )
    submissions = submissions.join(SubmittedAssignment, SubmittedAssignment.id == SubmittedNotebook.assignment_id)
    submissions = submissions.join(Assignment, Assignment.id == SubmittedAssignment.assignment_id)
    notebooks = {row.id: row for row in db.execute(submissions.where(Assignment.name == part))}
    for row in notebooks.values():
        points[row.student_id] = points.get(row.student_id, 0.0) - (row.late_submission_penalty or 0.0)
    grades = select(
        Grade.notebook_id,
        GradeCell.name,
        Grade.auto_score,
        Grade.manual_score,
        Grade.extra_credit,
        Grade.needs_manual_grade,
    ).join(GradeCell, GradeCell.id == Grade.cell_id)
    for grade in db.execute(grades):
        row = notebooks.get(grade.notebook_id)
        if row is None:
            continue
        score = grade.auto_score if grade.manual_score is None else grade.manual_score
        if score is None or (grade.needs_manual_grade and (row.notebook_id, grade.name) in written):
            unmarked.add(row.student_id)  # not marked, or marked before another answer came
        elif (row.notebook_id, grade.name) in written:
            points[row.student_id] += score + (grade.extra_credit or 0.0)
        else:
            points[row.student_id] += score + (grade.extra_credit or 0.0) - (grade.auto_score or 0.0)
    return {student: round(given, 4) for student, given in points.items() if student not in unmarked}


@dataclass(frozen=True)
class MarksOf:
    """What the gradebook has of a student's submission.

    Attributes
    ----------
    notebooks : dict of str to (float, float)
        Points and full marks of each notebook.
    late_penalty : float
        What is taken off.
    unread : bool
        True if something is still to be marked by a person.
    details : tuple
        Every score and comment: two that are equal make the same pages.
    late_words : str
        How late it is; "" if it is not.
    """

    notebooks: dict
    late_penalty: float
    unread: bool
    details: tuple
    late_words: str = ""


def marks_of(course, part, student):
    """What the gradebook has of a student's submission.

    Returns
    -------
    MarksOf

    Raises
    ------
    CourseError
        If it has nothing, or cannot be read.
    """
    try:
        with Gradebook(course.db_url, course.name) as book:
            submission = book.find_submission(part, student)
            notebooks = sorted(submission.notebooks, key=lambda one: one.name)
            penalty = float(submission.late_submission_penalty or 0)
            details = [penalty]
            for one in notebooks:
                for grade in sorted(one.grades, key=lambda grade: grade.name):
                    details.append((one.name, grade.name, grade.score, grade.max_score, grade.needs_manual_grade))
                for comment in sorted(one.comments, key=lambda comment: comment.name):
                    details.append((one.name, comment.name, comment.comment))
            points = {one.name: (one.score, one.max_score) for one in notebooks}
            unread = submission.needs_manual_grade
        lateness = lateness_of(course, part, student)
        words = lateness.words if lateness else ""
        return MarksOf(points, penalty, unread, tuple(details + [words] * bool(words)), words)
    except MissingEntry:
        raise CourseError(f"has no marks in the gradebook; run: python -m grader grade {part}") from None
    except SQLAlchemyError as problem:
        reason = str(problem.args[0]).strip().split("\n")[0][:300]
        raise CourseError(f"the gradebook cannot be read ({reason}); is it in use?") from problem


def must_have_gradebook(course, part):
    """Raise `CourseError` if there is no gradebook: nbgrader would make an empty one."""
    url = make_url(course.db_url)
    if url.get_backend_name() == "sqlite" and not Path(url.database or "").is_file():
        raise CourseError(f"there is no gradebook {url.database}; grade first: python -m grader grade {part}")
