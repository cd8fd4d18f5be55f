"""What an instructor gets of a graded part: one HTML page to read, and the marks as CSV for an LMS."""

import json
import math
import os
import sys
import unicodedata
from pathlib import Path
from urllib.parse import quote

from grader.notebook_format import NotebookError
from grader.report.page import page
from grader.report.summary import outline, summarise

#: What a record must hold for the report. A type stands for a value, a list for a list of such, `str` as a key for
#: any key.
RECORD = {
    "student": str,
    "part": str,
    "sandboxed": bool,
    "points": float,
    "max_points": float,
    "written_points": float,
    "notes": [str],
    "seconds": {str: float},
    "notebooks": {
        str: {
            "status": str,
            "repairs": [str],
            "failures": [str],
            "time_limit": bool,
            "points": float,
            "max_points": float,
            "exercises": [
                {
                    "id": str,
                    "points": float,
                    "max_points": float,
                    "passed": bool,
                    "attempted": bool,
                    "diagnoses": [str],
                    "looks_like": [str],
                    "reason": str,
                }
            ],
        }
    },
}


def read_records(course, part):
    """What grading found in each submission of a part.

    A damaged record is left out, and standard error says so; the report then lists the student as not graded.

    Parameters
    ----------
    course : Course
    part : str

    Returns
    -------
    list of dict
        By student.
    """
    records = []
    for path in sorted(course.record(part, "any").parent.glob("*.json")):
        try:
            record = json.loads(path.read_text(encoding="utf-8"))
            flaw = _flaw(record, RECORD)
            if not flaw and (record["part"], record["student"]) != (part, path.stem):
                flaw = "it is of another student or part"
        except (OSError, ValueError, RecursionError) as problem:
            flaw = str(problem).split("\n")[0][:100] or type(problem).__name__
        if flaw:
            print(
                f"{path} is damaged ({flaw}), so {path.stem!r} is left out of the report; grade that submission again",
                file=sys.stderr,
            )
        else:
            records.append(record)
    return records


def write_report(course, part, records, by_hand=None):
    """Write the instructor's page of a part, and its marks as CSV, in place of earlier ones.

    The same records give the same bytes, in whatever order they come.

    Parameters
    ----------
    course : Course
    part : str
    records : sequence of dict
        As `read_records` returns them.
    by_hand : dict of str to float, optional
        The points that a person gave for the written questions, by student; students who are not in it are still to
        be marked.

    Returns
    -------
    page, csv : Path

    Raises
    ------
    NotebookError
        If there is nothing of such a part, or a file cannot be written.
    """
    plan = outline(course, part)
    if not records and not plan.checks:
        raise NotebookError(f"there is no part {part!r}; there are: {', '.join(course.parts) or 'none'}")
    summary = summarise(part, records, plan)
    by_hand = {student: points for student, points in (by_hand or {}).items() if points is not None}
    target = course.report(part)
    csv = target.with_suffix(".csv") if target.suffix == ".html" else target.parent / f"{part}.csv"
    graded = {record["student"] for record in records}
    without_record = [student for student in course.students(part) if student not in graded]
    text = page(summary, by_hand, _links(course, part, target.parent), quote(csv.name), without_record)
    # A BOM, because Excel takes a file without one for something else than UTF-8.
    _write({target: text.encode(), csv: b"\xef\xbb\xbf" + marks_csv(summary, by_hand).encode()})
    return target, csv


def marks_csv(summary, by_hand):
    """The marks as CSV: a line for each student, with what a notebook earned, what a person gave, and the total.

    Texts are in quotation marks, and an id that a spreadsheet would take for a formula starts with an apostrophe.
    Points by hand are empty until a person has given them; the total is then what there is so far.
    """
    notebooks = list(summary.outline.checks)
    full = summary.full_marks + summary.written_points
    heads = ["automatic total", "automatic full marks", "by hand", "by hand full marks", "total", "full marks"]
    lines = [["student", *notebooks, *heads]]
    for record in summary.records:
        given = by_hand.get(record["student"])
        points = [record["notebooks"].get(name, {}).get("points") for name in notebooks]
        automatic = [record["points"], summary.full_marks]
        hand = [given, summary.written_points]
        lines.append([record["student"], *points, *automatic, *hand, record["points"] + (given or 0.0), full])
    return "".join(",".join(map(_field, line)) + "\r\n" for line in lines)


def _field(value):
    if value is None:
        return ""
    if not isinstance(value, str):
        return f"{round(value, 4) + 0.0:.4f}".rstrip("0").rstrip(".")
    # A line break in a name would be a line more for most importers; half a character is none in UTF-8.
    value = "".join(f"⟨U+{ord(c):04X}⟩" if unicodedata.category(c) in ("Cc", "Cs", "Zl", "Zp") else c for c in value)
    # Spreadsheets take a full-width sign for the plain one, and look past spaces before it.
    if unicodedata.normalize("NFKC", value).lstrip()[:1] in ("=", "+", "-", "@"):
        value = "'" + value
    return '"' + value.replace('"', '""') + '"'


def _flaw(value, shape, where="it"):
    """What keeps a value of a record from having its shape, in a few words; "" if nothing does."""
    if isinstance(shape, dict):
        if not isinstance(value, dict):
            return f"{where} is no table"
        if str in shape:
            pairs = [(key, shape[str]) for key in value]
        else:
            missing = [key for key in shape if key not in value]
            if missing:
                return f"{where} lacks {', '.join(missing)}"
            pairs = shape.items()
        return next((flaw for key, inner in pairs if (flaw := _flaw(value[key], inner, str(key)[:40]))), "")
    if isinstance(shape, list):
        if not isinstance(value, list):
            return f"{where} is no list"
        return next((flaw for one in value if (flaw := _flaw(one, shape[0], f"an entry of {where}"))), "")
    if shape is float:
        fits = isinstance(value, (int, float)) and not isinstance(value, bool) and math.isfinite(value)
    else:
        fits = isinstance(value, shape)
    return "" if fits else f"{where} is {str(value)[:40]!r}"


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


def _write(files):
    """Put all files in place of their predecessors, each at once and whole."""
    fresh = {path: path.with_name(f".{path.name}.{os.getpid()}.part") for path in files}
    try:
        for path, content in files.items():
            path.parent.mkdir(parents=True, exist_ok=True)
            fresh[path].write_bytes(content)
        for path in files:
            fresh[path].replace(path)
    except OSError as problem:
        raise NotebookError(
            f"{problem.filename or path} cannot be written: {problem.strerror}; "
            "free some space, or close the program that has it open, and try again"
        ) from None
    finally:
        for path in fresh.values():
            path.unlink(missing_ok=True)
