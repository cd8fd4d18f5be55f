"""A graded part for a learning platform: its own table with the marks filled in, and the feedback under its names."""

import contextlib
import re
from dataclasses import dataclass, field
from pathlib import Path

from grader.classroom.collect.origins import read_origin
from grader.classroom.export.bundle import bundle
from grader.classroom.export.platforms import PLATFORMS, part_of_origin
from grader.classroom.export.roster import NAME
from grader.classroom.export.sheet import Sheet
from grader.classroom.export.who import OWN, is_student, matched, said
from grader.classroom.feedback.student import are_up_to_date
from grader.classroom.gradebook.cells import marks_of, must_have_gradebook, points_by_hand
from grader.classroom.gradebook.late import settle
from grader.classroom.records import came_since, others_dropped, read_records
from grader.classroom.report.markup import number_text, part_title
from grader.errors import CourseError, UnknownName
from grader.files import cannot_write, write_whole
from grader.words import plural, shown


@dataclass
class Exported:
    """What was exported.

    Attributes
    ----------
    files : list of (str, Path, str)
        What it is, where, and what to do with it.
    told : list of str
        What the instructor has to know: who has no mark in it, and why.
    """

    files: list = field(default_factory=list)
    told: list = field(default_factory=list)

    @property
    def summary(self):
        """All of it in words."""
        width = max(len(what) for what, _, _ in self.files) + 1
        lines = [f"{what + ':':{width}} {path}\n{'':{width}} -> {then}" for what, path, then in self.files]
        return "\n".join([*lines, *self.told])


def export(course, part, to, roster=None, column=None, scale=False):
    """Write the marks of a part, and the feedback there is, in the form that a learning platform takes.

    A mark goes out only when it is final: somebody with a written answer that nobody has marked yet is left as the
    platform has it, and is named; so is everybody on the roster of whom nothing is graded.

    Parameters
    ----------
    course : Course
    part : str
    to : str
        One of `PLATFORMS`.
    roster : Path, optional
        The platform's own table of the class. Without it, grading/roster.csv is taken if it is one; else the students
        are those whose files came from there.
    column : str, optional
        The head of the column for the marks, or as much of it as no other has.
    scale : bool
        Turn the marks into shares of what the column is out of there.

    Returns
    -------
    Exported

    Raises
    ------
    UnknownName
        If there is no such part, platform or column.
    CourseError
        If nothing is graded, the roster cannot be read, or the full marks differ.
    """
    part = course.find_part(part)
    if to not in PLATFORMS:
        raise UnknownName(f"there is no platform {to!r}; there are: {', '.join(PLATFORMS)}")
    must_have_gradebook(course, part)
    records = read_records(course, part)
    if not records:
        raise CourseError(f"{part} has not been graded yet; do that with: python -m grader grade {part}")
    settle(course, part)  # grading/course.toml may have changed since
    platform, result = PLATFORMS[to], Exported()
    if others_dropped(records, course.notebooks(part)):
        result.told.append(
            "Exercises have been dropped, or brought back, since, so these are old marks "
            f"(python -m grader grade {part} --resume)."
        )
    students = [record.student for record in records]
    marked = points_by_hand(course, part)
    marks, old, full = {}, [], max(record.max_points + record.written_points for record in records)
    for student in students:
        if student in marked:
            earned = marks_of(course, part, student)
            marks[student] = max(sum(points for points, _ in earned.notebooks.values()) - earned.late_penalty, 0.0)
            if course.returned(part, student).is_file() and not are_up_to_date(course, part, student, earned):
                old.append(student)
    origins = {student: read_origin(course, part, student) for student in students}
    title = part_title(part)
    roster = roster or _usual_roster(course, platform)
    sheet = Sheet.read(roster) if roster else _own_sheet(platform, origins, title, full)
    if all(sheet.column(name) is None for name in platform.needs):
        raise CourseError(
            f"{roster} has no column {' or '.join(platform.needs)}, so it is no table of {platform.title}; "
            f"download it there, with English as your language: {platform.sheet}"
        )
    place = _column(platform, sheet, part, title, full, column, result)
    factor = _factor(platform, sheet, place, full, scale, result)
    sheet.exact |= {place, *_exact(platform, sheet)}
    sheet.left_out |= {sheet.column(OWN)} - {None}
    rows, unclear, doubtful = matched(platform, sheet, origins)
    locked = [student for student, number in rows.items() if platform.is_locked(sheet, sheet.rows[number])]
    for student in locked:
        marks.pop(student, None)
    for student, number in rows.items():
        if student in marks:
            sheet.rows[number][place] = number_text(marks[student] * factor)
    ungraded, newer = set(course.students(part)) - set(students), came_since(course, records)
    given = plural(sum(student in marks for student in rows), "student")
    result.told.append(f"Marks of {given}, in the column {shown(sheet.heads[place])}.")
    absent = [
        said(platform, sheet, row)
        for number, row in enumerate(sheet.rows)
        if roster and number not in {*rows.values(), *doubtful} and is_student(platform, sheet, row)
    ]
    without = {student for student in rows if student not in {*marks, *locked}}
    lost = {student for student in without if not _has_marks(course, part, student)}
    above = [student for student in rows if marks.get(student, 0.0) > full]
    groups = (
        (
            sorted(without - lost),
            "A written answer is still to be marked (make teach, formgrader), so no mark goes out yet",
        ),
        (sorted(lost), f"Graded, and without marks in the gradebook (python -m grader grade {part})"),
        (above, f"Above the full marks of {number_text(full)}, which {platform.title} may not take"),
        (locked, f"Locked, or set by hand, in the gradebook of {platform.title}, which takes no mark for them"),
        (sorted(ungraded), "Handed in and not graded"),
        (newer, f"Handed in again since, so these are old marks (python -m grader grade {part} --resume)"),
        (old, f"Feedback is of what was before a change (python -m grader return {part}, then export again)"),
        (absent, "On the roster, and nothing of theirs is graded"),
    )
    _tell(platform, groups, unclear, result)
    _write(course, part, to, roster, sheet, origins, result)
    return result


def _has_marks(course, part, student):
    with contextlib.suppress(CourseError):
        return bool(marks_of(course, part, student).notebooks)
    return False


def _usual_roster(course, platform):
    """grading/roster.csv, where it is a table of the platform's; None where it is not, or not there."""
    path = course.grading / NAME
    if path.exists() and any(Sheet.read(path).column(name) is not None for name in platform.needs):
        return path
    return None


def _own_sheet(platform, origins, title, full):
    """A table of those whose files came from the platform, with as much as their names say."""
    rows = []
    for student, origin in origins.items():
        found = next(filter(None, (part_of_origin(platform, path) for path in origin.files.values())), None)
        if platform is PLATFORMS["blackboard"]:
            rows.append(["", "", student, ""])
        elif found and platform is PLATFORMS["canvas"]:
            rows.append([found[0]["name"], found[0]["number"], "", ""])
        elif found and platform is PLATFORMS["moodle"]:
            rows.append([f"Participant {found[0]['number']}", found[0]["name"], "", number_text(full), "-"])
    if platform is PLATFORMS["blackboard"]:
        return Sheet(["Last Name", "First Name", "Username", title], rows, "utf-16-le", "\t", True)
    if not rows:
        why = "its downloads do not say who is who in its gradebook"
        if platform is not PLATFORMS["brightspace"]:
            why = "no graded file was collected under one of its names"
        raise CourseError(
            f"{platform.title} needs its own table of the class, as {why}; "
            f"download it ({platform.sheet}) and name it with --roster"
        )
    if platform is PLATFORMS["canvas"]:
        points = ["    Points Possible", "", "", number_text(full)]
        return Sheet(["Student", "ID", "Section", title], [points, *rows])
    return Sheet(["Identifier", "Full name", "Grade", "Maximum Grade", "Last modified (grade)"], rows)


def _column(platform, sheet, part, title, full, wanted, result):
    """The number of the column for the marks; one is added where the platform has none yet."""
    known = (*platform.number, *platform.keys, *platform.names, *platform.first, *platform.last)
    columns = {number for number, head in enumerate(sheet.heads) if head} - {sheet.column(name) for name in known}
    columns -= platform.read_only(sheet)
    heads = {number: sheet.heads[number] for number in sorted(columns)}
    if wanted is not None:
        same = [number for number, head in heads.items() if head.casefold() == wanted.casefold()]
        found = same or [number for number, head in heads.items() if wanted.casefold() in head.casefold()]
        if len(found) != 1:
            there = ", ".join(shown(head, 60) for head in heads.values())
            raise UnknownName(f"{len(found) or 'no'} columns are called {wanted!r}; there are: {there}")
        return found[0]
    if platform is PLATFORMS["moodle"]:
        if (place := sheet.column("Grade")) is None:
            raise CourseError("no column is called Grade; say with --column what it is called in your language")
        return place
    wishes = {title, title.partition(":")[0], part, part.partition("-")[2].replace("-", " ") or part}
    wish = re.compile("|".join(rf"\b{re.escape(one)}\b" for one in wishes), re.IGNORECASE)
    found = [number for number, head in heads.items() if wish.search(platform.called(head))]
    if len(found) > 1:
        there = ", ".join(shown(sheet.heads[number], 60) for number in found)
        raise CourseError(f"several columns may be meant ({there}); say with --column which one")
    if found:
        return found[0]
    place = sheet.add(platform.new_head(title, full), sheet.column("End-of-Line Indicator"))
    if platform is PLATFORMS["canvas"]:
        for row in sheet.rows:
            if row[0].strip() == "Points Possible":
                row[place] = number_text(full)
    result.told.append(
        f"The table had no column for this part, so {platform.title} will be asked to make one, "
        f"{shown(sheet.heads[place])}. If there is one under another name, say with --column which."
    )
    return place


def _factor(platform, sheet, place, full, scale, result):
    there, head = platform.full_marks(sheet, place), shown(sheet.heads[place])
    if there is None and scale:
        raise CourseError(
            f"the table does not say in English what {head} is out of in {platform.title}, so that marks cannot be "
            f"made shares of it; download it in English, or leave --scale out: this part is out of {number_text(full)}"
        )
    if there is None:
        result.told.append(
            f"The table does not say what {head} is out of in {platform.title}: this part is out of "
            f"{number_text(full)}."
        )
    if there is None or there == round(full, 2):
        return 1.0
    if not scale:
        raise CourseError(
            f"{head} is out of {number_text(there)} in {platform.title}, and this part out of "
            f"{number_text(full)}: change it there and download the table again, or turn marks into shares with --scale"
        )
    return there / full if full else 1.0


def _exact(platform, sheet):
    """The columns that the platform goes by, or takes in as they are."""
    names = (*platform.number, *platform.keys, "Feedback comments", "End-of-Line Indicator")
    return {place for name in names if (place := sheet.column(name)) is not None}


def _tell(platform, groups, unclear, result):
    unlisted = [f"{student} ({why})" for student, why in unclear.items()]
    for names, words in (*groups, (unlisted, f"NOT in the table for {platform.title}")):
        if names:
            result.told.append(f"{words} ({len(names)}): {', '.join(map(shown, names))}")
    if unclear:
        result.told.append(
            f"They have another name there: write the one that they have here into a column of your own in the roster, "
            f"called {OWN!r}, and export again. It is left out of what you upload."
        )


def _write(course, part, to, roster, sheet, origins, result):
    platform, folder = PLATFORMS[to], course.grading / "exports"
    ending = Path(roster).suffix.lower() if roster else ".txt" if to == "blackboard" else ".csv"
    table, feedback = folder / f"{part}-{to}{ending}", folder / f"{part}-{to}-feedback.zip"
    data, without = bundle(course, part, platform, origins)
    try:
        write_whole(table, sheet.bytes())
        result.files.append(("Marks", table, platform.upload))
        if data:
            write_whole(feedback, data)
            result.files.append(("Feedback", feedback, platform.feedback))
        else:
            feedback.unlink(missing_ok=True)
    except OSError as problem:
        raise cannot_write(problem, "run the command again") from None
    if not data:
        result.told.append(f"No feedback to send: make it with python -m grader return {part}, then export again.")
    elif without:
        result.told.append(
            f"No feedback in the zip for {plural(len(without), 'student')}, who got none yet or whose files did not "
            f"come from {platform.title}: {', '.join(map(shown, without))}"
        )
