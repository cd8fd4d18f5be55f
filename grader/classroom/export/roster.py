"""grading/roster.csv: what the students of a course are called, where an instructor has said so."""

from collections import Counter
from dataclasses import dataclass

from nbgrader.api import Gradebook, Student
from sqlalchemy import select, update

from grader.classroom.collect.origins import read_origin
from grader.classroom.export.platforms import PLATFORMS
from grader.classroom.export.sheet import Sheet
from grader.classroom.export.who import matched
from grader.classroom.gradebook.faults import FAULTS, unusable
from grader.errors import CourseError
from grader.words import shown

NAME = "roster.csv"
EMAIL = ("email", "email address")


@dataclass(frozen=True)
class Person:
    """What a student is called; "" for what is not known."""

    first: str = ""
    last: str = ""
    email: str = ""

    @property
    def name(self):
        """In the order of speech."""
        return f"{self.first} {self.last}".strip()


def read_roster(course, part, students):
    """What grading/roster.csv says of students: a table with the columns student and name, or a platform's own.

    Parameters
    ----------
    course : Course
    part : str
        Whose files say under which names a platform knows the students.
    students : iterable of str

    Returns
    -------
    dict of str to Person
        By student; empty without the file.

    Raises
    ------
    CourseError
        If the file cannot be read, has other columns, or names a student twice.
    """
    path = course.grading / NAME
    if not path.exists():
        return {}
    sheet, students = Sheet.read(path), list(students)
    own = sheet.column("student")
    if own is not None and sheet.column("name") is not None:
        rows = [(row[own].strip(), number) for number, row in enumerate(sheet.rows)]
        twice = [student for student, count in Counter(student for student, _ in rows).items() if student and count > 1]
        if twice:
            raise CourseError(f"{path} names {shown(twice[0])} twice; remove a row")
        names, first, last, rows = ("name",), (), (), dict(rows)
    else:
        fits = (one for one in PLATFORMS.values() if any(sheet.column(head) is not None for head in one.needs))
        platform = next(fits, None)
        if platform is None:
            raise CourseError(
                f"{path} needs the columns student and name (and email, if you like), or a platform's own"
            )
        names, first, last = platform.names, platform.first, platform.last
        rows, _, _ = matched(platform, sheet, {student: read_origin(course, part, student) for student in students})

    def cell(number, heads):
        place = sheet.column(*heads) if heads else None
        return "" if place is None else sheet.rows[number][place].strip()

    people = {}
    for student in students:
        if student in rows:
            number = rows[student]
            halves = cell(number, first), cell(number, last)
            people[student] = Person(*(halves if any(halves) else _halves(cell(number, names))), cell(number, EMAIL))
    return people


def name_in_gradebook(course, people):
    """Give the gradebook, and with it formgrader, the names of these people; what is not known stays as it is there."""
    try:
        with Gradebook(course.db_url, course.name) as book:
            own = select(Student.id, Student.first_name, Student.last_name, Student.email)
            for row in book.db.execute(own.where(Student.id.in_(people))).all():
                person = people[row.id]
                said = {"first_name": person.first, "last_name": person.last, "email": person.email}
                new = {key: value for key, value in said.items() if value and value != getattr(row, key)}
                if new:
                    book.db.execute(update(Student).where(Student.id == row.id).values(**new))
            book.db.commit()
    except FAULTS as problem:
        raise unusable(course.db_url, problem, "run the command again") from problem


def _halves(name):
    """First and last name of one written in full."""
    before, comma, after = name.partition(",")
    if comma:
        return after.strip(), before.strip()
    first, _, last = name.rpartition(" ")
    return first.strip(), last
