"""What formgrader's buttons run, in a process of its own."""

import sys

from grader import pace
from grader.classroom.course import Course
from grader.classroom.marking import grade
from grader.errors import CourseError


def main(folder, part, *students):
    """Grade a part of the course in a folder: these students, or everybody.

    Returns
    -------
    int
        The exit status, as of `python -m grader grade`.
    """
    pace.EVERY = 1.0
    course = Course.at(folder)
    try:
        return grade(course, part, students or None, sandboxed=course.config.Judge.get("sandboxed", True))
    except CourseError as problem:
        print(problem, file=sys.stderr)
        return 1
