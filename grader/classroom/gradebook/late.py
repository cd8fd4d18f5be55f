"""What is taken off for being late: by grading/course.toml, or by the course's own plugin of nbgrader."""

import contextlib
import sys
from dataclasses import replace
from datetime import UTC
from types import SimpleNamespace

from nbgrader.api import Assignment, Gradebook, Student, SubmittedAssignment, SubmittedNotebook
from nbgrader.preprocessors import AssignLatePenalties
from sqlalchemy import select, update
from sqlalchemy.exc import DBAPIError

from grader.classroom.dates import Lateness, read_dates
from grader.classroom.gradebook.faults import FAULTS, unusable
from grader.errors import CourseError


class Late:
    """What being late costs in a part.

    Where grading/course.toml says when the part is due, it decides; else the due date and the extensions in the
    gradebook do, and the plugin that nbgrader_config.py names.

    Parameters
    ----------
    course : Course
    part : str
    """

    def __init__(self, course, part):
        self.part, self.dates = part, read_dates(course)
        self._penalties = AssignLatePenalties(config=course.config)
        self._penalties.init_plugin()

    @property
    def ours(self):
        """True where grading/course.toml decides."""
        return self.dates.rule(self.part).due is not None

    def strangers(self, course, db):
        """What to tell of students whom grading/course.toml names and nobody knows; see `Dates.strangers`."""
        handed_in = (student for part in course.parts for student in course.students(part))
        return self.dates.strangers({*db.execute(select(Student.id)).scalars(), *handed_in})

    def lateness(self, student, times, due, extension):
        """How late a student is, or None where nothing is due.

        Parameters
        ----------
        student : str
        times : dict of str to (datetime or None)
            When the student handed in each part.
        due, extension : datetime, timedelta or None
            As the gradebook has them.
        """
        if self.ours:
            return self.dates.lateness(self.part, student, times)
        if due is None:
            return None
        due, original = ((due + (extension or type(due - due)())).replace(tzinfo=UTC), due.replace(tzinfo=UTC))
        when = times.get(self.part)
        when = when.replace(tzinfo=UTC) if when else None
        days = -((due - when).total_seconds() // 86400) if when and when > due else 0
        return Lateness(due, when, None if due == original else original, int(days))

    def penalty(self, student, score, lateness):
        """What a notebook that earned `score` loses, as nbgrader bounds it; None for nothing."""
        if lateness is None or lateness.handed_in is None or lateness.handed_in <= lateness.due:
            return None
        if self.ours:
            return round(score * lateness.percent / 100, 4) if lateness.percent else None
        late = (lateness.handed_in - lateness.due).total_seconds()
        try:
            penalty = self._penalties.plugin_inst.late_submission_penalty(student, score, late)
            scored = SimpleNamespace(score=score)
            return None if penalty is None else self._penalties._check_late_penalty(scored, penalty)
        except Exception as problem:
            plugin = type(self._penalties.plugin_inst).__name__
            raise CourseError(f"the course's {plugin} for late submissions failed: {problem!r}; mend it") from problem


def times_of(db, student=None):
    """When each student handed in each part, as the gradebook has it: by student, by part."""
    query = select(SubmittedAssignment.student_id, Assignment.name, SubmittedAssignment.timestamp).join(Assignment)
    times = {}
    for row in db.execute(query if student is None else query.where(SubmittedAssignment.student_id == student)):
        times.setdefault(row.student_id, {})[row.name] = row.timestamp
    return times


def settle(course, part, students=None, say=None):
    """Bring what is taken off for being late up to date in the gradebook: dates and points by hand may have changed.

    Parameters
    ----------
    course : Course
    part : str
    students : iterable of str, optional
        Only these; by default all who have been graded.
    say : callable, optional
        Tells a person something about grading/course.toml; by default on standard error.

    Returns
    -------
    dict of str to Lateness
        By student, with the points that were taken off; empty where nothing is due.

    Raises
    ------
    CourseError
        If grading/course.toml has a mistake in it, or the gradebook cannot be used.
    """
    late, found = Late(course, part), {}
    try:
        with Gradebook(course.db_url, course.name) as book:
            for words in late.strangers(course, book.db):
                (say or (lambda words: print(words, file=sys.stderr)))(words)
            assignment = book.db.execute(
                select(Assignment.id, Assignment.duedate).where(Assignment.name == part)
            ).first()
            if assignment is None or not (late.ours or assignment.duedate):
                return {}
            due = assignment.duedate
            if late.ours:
                due = _naive(late.dates.rule(part).due)
                if due != assignment.duedate:
                    book.db.execute(update(Assignment).where(Assignment.id == assignment.id).values(duedate=due))
            times = times_of(book.db)
            mine = select(SubmittedAssignment.id, SubmittedAssignment.student_id, SubmittedAssignment.extension)
            for row in book.db.execute(mine.where(SubmittedAssignment.assignment_id == assignment.id)).all():
                if students is not None and row.student_id not in students:
                    continue
                lateness = late.lateness(row.student_id, times[row.student_id], due, row.extension)
                if late.ours:
                    extension = _naive(lateness.due) - due if lateness.extended else None
                    if extension != row.extension:
                        change = update(SubmittedAssignment).where(SubmittedAssignment.id == row.id)
                        book.db.execute(change.values(extension=extension))
                found[row.student_id] = replace(lateness, points=_penalise(book.db, late, row, lateness))
            book.db.commit()
    except FAULTS as problem:
        raise unusable(course.db_url, problem, "run the command again") from problem
    return found


def _penalise(db, late, submission, lateness):
    """Write what a submission's notebooks lose; returns the sum."""
    own = select(SubmittedNotebook.id, SubmittedNotebook.score, SubmittedNotebook.late_submission_penalty)
    total = 0.0
    for notebook in db.execute(own.where(SubmittedNotebook.assignment_id == submission.id)).all():
        penalty = late.penalty(submission.student_id, notebook.score, lateness)
        total += penalty or 0.0
        if penalty != notebook.late_submission_penalty:
            change = update(SubmittedNotebook).where(SubmittedNotebook.id == notebook.id)
            db.execute(change.values(late_submission_penalty=penalty))
    return round(total, 4)


def lateness_of(course, part, student):
    """How late a student is, with what the gradebook has taken off for it; None where nothing is due."""
    late = Late(course, part)
    with contextlib.suppress(DBAPIError), Gradebook(course.db_url, course.name) as book:
        query = select(Assignment.duedate, SubmittedAssignment.extension, SubmittedAssignment.late_submission_penalty)
        query = query.join(Assignment, Assignment.id == SubmittedAssignment.assignment_id)
        row = book.db.execute(query.where(Assignment.name == part, SubmittedAssignment.student_id == student)).first()
        if row is not None:
            lateness = late.lateness(student, times_of(book.db, student)[student], row.duedate, row.extension)
            return lateness and replace(lateness, points=float(row.late_submission_penalty or 0))
    return None


def _naive(moment):
    """A moment as nbgrader keeps it."""
    return moment.astimezone(UTC).replace(tzinfo=None)
