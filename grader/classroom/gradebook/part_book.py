"""A part in nbgrader's gradebook while a class is graded: all marks of a submission in one transaction."""

import time

from nbgrader.api import (
    Assignment,
    Comment,
    Grade,
    Gradebook,
    GradeCell,
    Notebook,
    SolutionCell,
    Student,
    SubmittedAssignment,
    SubmittedNotebook,
    TaskCell,
)
from sqlalchemy import bindparam, create_engine, insert, select, update

from grader.classroom.gradebook.cells import register
from grader.classroom.gradebook.faults import FAULTS, unusable
from grader.classroom.gradebook.late import Late, times_of
from grader.classroom.records import AGAIN
from grader.errors import CourseError

#: Seconds to wait for another program that is writing to the gradebook.
PATIENCE = 15
#: A task that no person has marked yet.
UNMARKED = {"auto_score": None, "needs_manual_grade": True}


class PartBook:
    """A part in the gradebook, kept open while a class is graded; a context manager.

    It writes what nbgrader's own `SaveAutoGrades` and `AssignLatePenalties` write, all of a submission in one
    transaction.

    Parameters
    ----------
    course : Course
    part : str
    released : dict of str to NotebookNode
        The part's notebooks as handed out.
    say : callable
        Tells a person something; called when another program keeps the gradebook locked.

    Raises
    ------
    CourseError
        If the gradebook cannot be used.
    """

    def __init__(self, course, part, released, say=print):
        self.part, self._say = part, say
        self._where, self._grading = course.db_url, course.grading
        self._late = Late(course, part)
        # A lock is met here, where it is quiet, and not in the middle of what nbgrader itself does.
        self._patiently(self._try_lock)
        kept = self._patiently(lambda: register(course, part, released))
        if kept:
            raise CourseError(
                f"{part}/{next(iter(kept))} has other graded cells now than when it was first graded, and its marks "
                f"hang on the old ones. Bring the old cells back into the source notebook, or forget the marks with "
                f"`nbgrader db assignment remove {part} --force` and grade the part anew."
            )
        self._book = self._patiently(lambda: Gradebook(course.db_url, course.name))
        self._patiently(lambda: self._read_part(course))

    def __enter__(self):
        return self

    def __exit__(self, *problem):
        self._book.close()

    def _read_part(self, course):
        """Read once what all submissions share."""
        with self._book.engine.connect() as db:
            self._late.strangers(course, db)  # a mistake is told before anybody is graded
            row = db.execute(select(Assignment.id, Assignment.duedate).where(Assignment.name == self.part)).one()
            self._assignment, self._due = row
            notebooks = select(Notebook.name, Notebook.id).where(Notebook.assignment_id == self._assignment)
            self._notebooks = {row.name: row.id for row in db.execute(notebooks.order_by(Notebook.name))}
            self._cells = {kind: self._by_notebook(db, kind) for kind in (GradeCell, SolutionCell, TaskCell)}

    def _by_notebook(self, db, kind):
        cells = select(kind.notebook_id, kind.id, kind.name).where(kind.notebook_id.in_(self._notebooks.values()))
        found = {identity: {} for identity in self._notebooks.values()}
        for cell in db.execute(cells):
            found[cell.notebook_id][cell.id] = cell.name
        return found

    def graded(self):
        """Names of the students of whom the gradebook has a submission."""
        query = select(SubmittedAssignment.student_id).where(SubmittedAssignment.assignment_id == self._assignment)

        def read():
            with self._book.engine.connect() as db:
                return set(db.execute(query).scalars())

        return self._patiently(read)

    def times(self):
        """When each student handed in each part, by student and part."""

        def read():
            with self._book.engine.connect() as db:
                return times_of(db)

        return self._patiently(read)

    def save(self, student, marks, timestamp=None, same=frozenset()):
        """Store what a submission earned, in one transaction; what a person entered stays.

        Whoever marked by hand is asked to look once more, but at answers that are the same as they were.

        Parameters
        ----------
        student : str
        marks : dict of str to CellMarks
            By notebook; a notebook of the part that is not there earns nothing.
        timestamp : datetime, optional
            When it was handed in.
        same : collection of (str, str)
            The notebooks and cells of written answers that have not changed since they were stored.
        """
        self._patiently(lambda: self._save(student, marks, timestamp, same))

    def rescore(self, student, scores):
        """Store new automatic scores of some cells (by notebook and cell), and nothing else, in one transaction."""
        self._patiently(lambda: self._rescore(student, scores))

    def _try_lock(self):
        self._grading.mkdir(parents=True, exist_ok=True)
        engine = create_engine(self._where)
        try:
            self._transaction(engine).close()
        finally:
            engine.dispose()

    def _transaction(self, engine=None):
        """A connection that may write; what another program writes meanwhile waits."""
        db = (engine or self._book.engine).connect()
        try:
            if db.dialect.name == "sqlite":
                # The lock from the beginning: SQLite refuses at once where a reader wants to write after a writer.
                db.exec_driver_sql("PRAGMA busy_timeout = 1000")
                db.exec_driver_sql("BEGIN IMMEDIATE")
        except BaseException:
            db.close()
            raise
        return db

    def _save(self, student, marks, timestamp, same):
        with self._transaction() as db:
            submission = self._submission(db, student, timestamp)
            there = self._submitted_notebooks(db, submission.id)
            grades = self._rows(db, Grade, there, (Grade.auto_score, Grade.manual_score, Grade.extra_credit))
            comments = self._rows(db, Comment, there, (Comment.auto_comment,))
            changes = {table: {"new": [], "changed": []} for table in (Grade, Comment)}
            penalties = []
            times = times_of(db, student).get(student, {}) | {self.part: submission.timestamp}
            lateness = self._late.lateness(student, times, self._due, submission.extension)
            for name, identity in self._notebooks.items():
                mine, earned = there[identity], marks.get(name)
                score = 0.0
                for cell, grade_id in self._cells[GradeCell][identity].items():
                    auto = earned.scores.get(grade_id, 0.0) if earned else 0.0
                    old = grades.get((mine.id, cell))
                    by_hand = old.manual_score if old else None
                    # What a person entered counts, and grading again does not take it away.
                    counts = auto if by_hand is None else by_hand
                    score += 0.0 if counts is None else counts + ((old.extra_credit if old else None) or 0.0)
                    # As SaveAutoGrades does: whoever marked by hand is asked to look at it once more.
                    looked = by_hand is not None and (name, grade_id) in same and not old.needs_manual_grade
                    waits = not looked and (by_hand is not None or auto is None)
                    new = {"auto_score": auto, "needs_manual_grade": waits}
                    self._note(changes[Grade], old, mine.id, cell, new)
                for cell, grade_id in self._cells[SolutionCell][identity].items():
                    comment = earned.comments.get(grade_id) if earned else None
                    old = comments.get((mine.id, cell))
                    self._note(changes[Comment], old, mine.id, cell, {"auto_comment": comment})
                for cell in self._cells[TaskCell][identity]:
                    old = grades.get((mine.id, cell))
                    if old is None:
                        changes[Grade]["new"].append({"notebook_id": mine.id, "cell_id": cell, **UNMARKED})
                    elif old.manual_score is not None:
                        score += old.manual_score + (old.extra_credit or 0.0)
                    self._note(changes[Comment], comments.get((mine.id, cell)), mine.id, cell, {"auto_comment": None})
                # Of the points with those by hand, as nbgrader counts it; written only where it differs.
                penalty = self._late.penalty(student, score, lateness)
                if penalty != mine.late_submission_penalty:
                    penalties.append({"row": mine.id, "penalty": penalty})
            for table, rows in changes.items():
                self._write(db, table, **rows)
            if penalties:
                statement = update(SubmittedNotebook.__table__).where(SubmittedNotebook.id == bindparam("row"))
                db.execute(statement.values(late_submission_penalty=bindparam("penalty")), penalties)
            db.commit()

    def _rescore(self, student, scores):
        with self._transaction() as db:
            there = self._submitted_notebooks(db, self._submission(db, student, None).id)
            for name, cells in scores.items():
                identity = self._notebooks[name]
                for cell, grade_id in self._cells[GradeCell][identity].items():
                    if grade_id in cells:
                        rows = update(Grade.__table__).where(
                            Grade.notebook_id == there[identity].id, Grade.cell_id == cell
                        )
                        # Whoever marked it by hand is asked to look at it once more.
                        looked = Grade.manual_score.is_not(None)
                        db.execute(rows.values(auto_score=cells[grade_id], needs_manual_grade=looked))
            db.commit()

    def _submission(self, db, student, timestamp):
        if db.execute(select(Student.id).where(Student.id == student)).first() is None:
            db.execute(insert(Student.__table__), {"id": student})
        query = select(SubmittedAssignment.id, SubmittedAssignment.timestamp, SubmittedAssignment.extension).where(
            SubmittedAssignment.assignment_id == self._assignment, SubmittedAssignment.student_id == student
        )
        found = db.execute(query).first()
        if found is None:
            row = {"assignment_id": self._assignment, "student_id": student, "timestamp": timestamp}
            db.execute(insert(SubmittedAssignment.__table__), row)
        elif timestamp is not None and timestamp != found.timestamp:
            rows = update(SubmittedAssignment.__table__).where(SubmittedAssignment.id == found.id)
            db.execute(rows.values(timestamp=timestamp))
        else:
            return found
        return db.execute(query).one()

    def _submitted_notebooks(self, db, submission):
        """The submission's notebooks by the notebook they are of; made where they are missing."""
        query = select(
            SubmittedNotebook.id, SubmittedNotebook.notebook_id, SubmittedNotebook.late_submission_penalty
        ).where(SubmittedNotebook.assignment_id == submission)
        there = {row.notebook_id: row for row in db.execute(query)}
        missing = [identity for identity in self._notebooks.values() if identity not in there]
        if missing:
            rows = [{"assignment_id": submission, "notebook_id": identity} for identity in missing]
            db.execute(insert(SubmittedNotebook.__table__), rows)
            there = {row.notebook_id: row for row in db.execute(query)}
        return there

    @staticmethod
    def _rows(db, table, there, columns):
        mine = [row.id for row in there.values()]
        extra = (Grade.needs_manual_grade,) if table is Grade else ()
        query = select(table.id, table.notebook_id, table.cell_id, *columns, *extra)
        return {(row.notebook_id, row.cell_id): row for row in db.execute(query.where(table.notebook_id.in_(mine)))}

    @staticmethod
    def _note(changes, old, notebook, cell, new):
        """Remember a row that has to be made or changed."""
        if old is None:
            changes["new"].append({"notebook_id": notebook, "cell_id": cell, **new})
        elif any(getattr(old, name) != value for name, value in new.items()):
            changes["changed"].append({"row": old.id, **{f"new_{name}": value for name, value in new.items()}})

    @staticmethod
    def _write(db, table, new, changed):
        if new:
            db.execute(insert(table.__table__), new)
        if changed:
            # A bound value may not have the name of its column, so the new values have names of their own.
            names = [name.removeprefix("new_") for name in changed[0] if name != "row"]
            values = {name: bindparam(f"new_{name}") for name in names}
            db.execute(update(table.__table__).where(table.id == bindparam("row")).values(values), changed)

    def _patiently(self, action):
        """Do something with the gradebook, waiting a while for a program that has locked it."""
        began, told = time.monotonic(), False
        while True:
            try:
                return action()
            except FAULTS as problem:
                if "locked" not in str(getattr(problem, "orig", problem)):
                    raise unusable(self._where, problem, AGAIN) from problem
            if not told:
                self._say(f"Waiting: another program is writing to the gradebook ({self._where}).")
                told = True
            if time.monotonic() - began > PATIENCE:
                raise CourseError(
                    f"another program has kept the gradebook locked for {PATIENCE} seconds ({self._where}). Close what "
                    f"uses it (formgrader, nbgrader autograde, a database browser), then {AGAIN}."
                )
            time.sleep(0.1)
