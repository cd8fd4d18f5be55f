"""Who is who: the students of a course, and the rows of a platform's table."""

import re
from collections import Counter, defaultdict

from grader.classroom.collect.lms_names import safe_name
from grader.classroom.export.platforms import PLATFORMS, part_of_origin

#: The head of a column that an instructor adds to a table, for those whom nothing else in it identifies.
OWN = "known here as"


def matched(platform, sheet, origins):
    """Which row is whose: by the platform's number first, then by a login or an address, then by the name.

    A row is a student's only if nothing else can be meant: of two students for one row, and of two rows for one
    student, nobody gets it. A name is not enough where the platform's numbers differ.

    Parameters
    ----------
    platform : Platform
    sheet : Sheet
    origins : dict of str to Origin
        By student.

    Returns
    -------
    rows : dict of str to int
        By student.
    unclear : dict of str to str
        The students without one, and why.
    doubtful : set of int
        The rows that may be theirs.
    """
    found, unclear, doubtful = {}, {}, set()
    numbers = [_number_of_row(platform, sheet, row) for row in sheet.rows]
    for of_row, of_student in (
        (_number_of_row, _number_of_student),
        (_keys_of_row, _keys_of_student),
        (_names_of_row, _names_of_student),
    ):
        free = [number for number in range(len(sheet.rows)) if number not in found.values()]
        rows = defaultdict(set)
        for number in free:
            for key in of_row(platform, sheet, sheet.rows[number]):
                rows[key].add(number)
        wanted = {}
        for student, origin in origins.items():
            if student in found:
                continue
            fits = set().union(*(rows[key] for key in of_student(platform, student, origin) if key in rows))
            if of_row is _names_of_row and (own := _number_of_student(platform, student, origin)):
                fits = {number for number in fits if not numbers[number] or numbers[number] & own}
            if len(fits) == 1:
                (wanted[student],) = fits
            elif fits:
                unclear[student] = f"{len(fits)} rows fit"
                doubtful |= fits
        several = Counter(wanted.values())
        for student, number in wanted.items():
            if several[number] == 1:
                found[student] = number
            else:
                unclear[student] = "several students fit its row"
                doubtful.add(number)
    unclear = {student: unclear.get(student, "no row fits") for student in origins if student not in found}
    return found, unclear, doubtful


def is_student(platform, sheet, row):
    """Whether a row is a student's, and none of those with which a platform says something else."""
    if platform is PLATFORMS["canvas"] and row[0].strip().casefold() in ("points possible", "student, test", ""):
        return False
    columns = [sheet.column(head) for head in (*platform.number, *platform.keys)]
    return any(row[column].strip() for column in columns if column is not None)


def said(platform, sheet, row):
    """A row's student, for a person."""
    full, first, last = _cells(sheet, row, platform.names), *_first_and_last(platform, sheet, row)
    return next(iter(full), "") or f"{first} {last}".strip() or next(iter(_keys_of_row(platform, sheet, row)), "?")


def _cells(sheet, row, heads):
    columns = [sheet.column(head) for head in heads]
    return [row[column].strip() for column in columns if column is not None and row[column].strip()]


def _first_and_last(platform, sheet, row):
    return [next(iter(_cells(sheet, row, heads)), "") for heads in (platform.first, platform.last)]


def _number_of_row(platform, sheet, row):
    # "Participant 123" in Moodle, in whatever language.
    return {digits[0] for cell in _cells(sheet, row, platform.number) if (digits := re.search(r"\d+$", cell))}


def _number_of_student(platform, student, origin):
    found = [part_of_origin(platform, path) for path in origin.files.values()]
    return {one[0]["number"] for one in found if one and "number" in one[0].groupdict()}


def _keys_of_row(platform, sheet, row):
    # Brightspace puts a # before what a spreadsheet would take for a number.
    keys = {cell.lstrip("#").casefold() for cell in _cells(sheet, row, (*platform.keys, OWN))}
    keys |= {key.partition("@")[0] for key in keys if "@" in key}
    return keys | {safe_name(key, lower=True) for key in keys}


def _keys_of_student(platform, student, origin):
    return {student.casefold(), safe_name(student, lower=True), origin.identity.casefold()} - {""}


def _names_of_row(platform, sheet, row):
    first, last = _first_and_last(platform, sheet, row)
    names = {f"{first} {last}"} if first and last else set()
    for cell in _cells(sheet, row, platform.names):
        before, comma, after = cell.partition(",")
        names.add(f"{after} {before}" if comma else cell)
    return {safe_name(name.strip(), lower=True) for name in names} - {""}


def _names_of_student(platform, student, origin):
    names = {student}
    for path in origin.files.values():
        for other in PLATFORMS.values():
            if one := part_of_origin(other, path):
                names.add(one[0]["name"])
    return {safe_name(name, lower=True) for name in names} - {""}
