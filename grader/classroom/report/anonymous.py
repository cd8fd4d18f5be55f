"""Made names in place of students': the same for a student in every part, and nothing that says whose they are."""

import base64
import csv
import hashlib
import hmac
import io
import secrets
from collections import Counter
from dataclasses import replace

from grader.classroom.report.table import harmless
from grader.errors import CourseError
from grader.files import read_regular, write_whole

KEY, TABLE = "names.key", "names.csv"
BYTES = 32
TOLD = "what it says is in the report with names"


def made_names(course):
    """A made name for everybody who has handed in or is graded.

    They come from a secret of the course, so neither the order of names nor that of handing in shows in them. The table
    that says who is who is written beside the secret, for its owner alone.

    Parameters
    ----------
    course : Course

    Returns
    -------
    dict of str to str
        By student.

    Raises
    ------
    CourseError
        If the secret is damaged.
    """
    key = _key(course.grading / KEY)
    students = {student for part in course.parts for student in course.students(part)}
    students |= {path.stem for path in (course.grading / "records").glob("*/*.json")}
    digests = {
        student: base64.b32encode(hmac.digest(key, student.encode("utf-8", "surrogateescape"), hashlib.sha256)).decode()
        for student in sorted(students)
    }
    names = {}
    for student, digest in digests.items():
        # As short as nobody else's begins alike; one that has been said may so become longer, never another's.
        length = next(
            length for length in range(5, 53) if Counter(one[:length] for one in digests.values())[digest[:length]] == 1
        )
        names[student] = f"student-{digest[:length].lower()}"
    table = io.StringIO(newline="")
    csv.writer(table).writerows([("student", "made name"), *((harmless(who), name) for who, name in names.items())])
    write_whole(course.grading / TABLE, b"\xef\xbb\xbf" + table.getvalue().encode("utf-8", "replace"), precious=True)
    return names


def _key(path):
    write_whole(path, secrets.token_hex(BYTES) + "\n", precious=True, replace=False)
    try:
        key = bytes.fromhex(read_regular(path, 1000).decode("ascii").strip())
    except (OSError, ValueError) as problem:
        raise CourseError(f"{path} cannot be read ({problem}); bring it back from a backup, or remove it") from None
    if len(key) != BYTES:
        raise CourseError(f"{path} is damaged; bring it back from a backup, or remove it and get other made names")
    return key


def without_names(record, name):
    """A record under a made name, without any words that a student may have written: names of files, errors, code."""
    notebooks = {
        title: replace(
            notebook,
            file="",
            repairs=(TOLD,) * bool(notebook.repairs),
            failures=(TOLD,) * bool(notebook.failures),
            exercises=tuple(
                replace(
                    one,
                    reason=TOLD if one.reason else "",
                    unnamed=one.unnamed and replace(one.unnamed, source=""),
                )
                for one in notebook.exercises
            ),
        )
        for title, notebook in record.notebooks.items()
    }
    return replace(record, student=name, notes=(TOLD,) * bool(record.notes), notebooks=notebooks)
