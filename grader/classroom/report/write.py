"""The files that an instructor gets of a graded part: one HTML page to read, and the marks as CSV for an LMS."""

import os
from pathlib import Path
from urllib.parse import quote

from grader.classroom.report.anonymous import without_names
from grader.classroom.report.page import page
from grader.classroom.report.summary import outline, summarise
from grader.classroom.report.table import marks_csv
from grader.errors import CourseError
from grader.files import write_whole


def write_report(course, part, records, by_hand=None, late=None, alias=None, people=None):
    """Write the instructor's page of a part, and its marks as CSV, in place of earlier ones.

    The same records give the same bytes, in whatever order they come.

    Parameters
    ----------
    course : Course
    part : str
    records : sequence of Record
    by_hand : dict of str to float, optional
        The points that a person gave for the written questions, by student; students who are not in it are still to
        be marked.
    late : dict of str to Lateness, optional
        How late each student is, where something is due.
    alias : dict of str to str, optional
        A made name for each student: the files are then without anything by which somebody could be known, and lie
        beside the others.
    people : dict of str to Person, optional
        What students are called, where it is known; never beside made names.

    Returns
    -------
    page, csv : Path

    Raises
    ------
    CourseError
        If there is nothing of such a part, or a file cannot be written.
    """
    plan = outline(course, part)
    if not records and not plan.checks:
        raise CourseError(f"there is no part {part!r}; there are: {', '.join(course.parts) or 'none'}")
    summary = summarise(part, records, plan)
    by_hand = {student: points for student, points in (by_hand or {}).items() if points is not None}
    links = _links(course, part, course.report(part).parent)
    people = (people or {}) if alias is None else {}
    target, students, late = course.report(part), course.students(part), late or {}
    if alias is not None:
        summary = summarise(part, [without_names(record, alias[record.student]) for record in records], plan)
        by_hand, late = (
            {alias[student]: about for student, about in some.items() if student in alias} for some in (by_hand, late)
        )
        students = [alias[student] for student in students]
        target, links = target.with_name(f"{part}-anonymous.html"), lambda *about: ""
    csv = target.with_suffix(".csv") if target.suffix == ".html" else target.parent / f"{target.stem}.csv"
    graded = {record.student for record in summary.records}
    without_record = [student for student in students if student not in graded]
    text = page(summary, by_hand, links, quote(csv.name), without_record, late, people)
    # A BOM, because Excel takes a file without one for something else than UTF-8.
    marks = b"\xef\xbb\xbf" + marks_csv(summary, by_hand, late, people).encode()
    for path, content in ((target, text), (csv, marks)):
        try:
            write_whole(path, content)
        except OSError as problem:
            raise CourseError(
                f"{problem.filename or path} cannot be written: {problem.strerror}; "
                "free some space, or close the program that has it open, and try again"
            ) from None
    return target, csv


def _links(course, part, here):
    """A function that gives the address of what there is to read of a student's notebook, seen from `here`."""
    folders = {}

    def link(student, notebook, exercise):
        if student not in folders:
            folders[student] = (course.feedback(part, student), course.autograded(part, student))
        for folder, name, anchor in zip(
            folders[student], (f"{notebook}.html", f"{notebook}.ipynb"), (exercise, ""), strict=True
        ):
            # os.path says no to names that no file can have, where pathlib raises.
            if notebook and os.path.isfile(folder / name):
                address = Path(os.path.relpath(folder / name, here)).as_posix()
                return quote(os.fsencode(address)) + (f"#{quote(anchor)}" if anchor else "")
        return ""

    return link
