"""The marks of a graded part as CSV, for a spreadsheet or an LMS."""

import unicodedata

from grader.words import points_of


def marks_csv(summary, by_hand, late=None, people=None):
    """The marks as CSV: a line for each student, with what a notebook earned, what a person gave, and the total.

    Texts are in quotation marks, and an id that a spreadsheet would take for a formula starts with an apostrophe.
    Points by hand are empty until a person has given them; the total is then what there is so far, and the last column
    says what it lacks. Where something is due, there are also the days late (empty if it is not known), the total
    before the penalty, and the penalty. Where names are known (`people`), name and address follow the id.
    """
    notebooks = list(summary.outline.checks)
    full = summary.full_marks + summary.written_points
    heads = ["automatic total", "automatic full marks", "by hand", "by hand full marks"]
    heads += ["days late", "total before penalty", "late penalty"] if late else []
    heads += ["total", "full marks"]
    lines = [["student", *(("name", "email") if people else ()), *notebooks, *heads, "total lacks"]]
    for record in summary.records:
        given = by_hand.get(record.student)
        points = [record.notebooks[name].points if name in record.notebooks else None for name in notebooks]
        automatic = [record.points, summary.full_marks]
        hand = [given, summary.written_points]
        total, lateness = record.points + (given or 0.0), (late or {}).get(record.student)
        of_time = [lateness and lateness.days, total, lateness and lateness.points] if late else []
        if lateness:
            of_time[0] = None if lateness.handed_in is None else lateness.days
            total -= lateness.points
        lacks = f"written answers ({points_of(summary.written_points)})" if given is None and hand[1] else ""
        person = (people or {}).get(record.student)
        called = [person and person.name, person and person.email] if people else []
        lines.append([record.student, *called, *points, *automatic, *hand, *of_time, total, full, lacks])
    return "".join(",".join(map(_field, line)) + "\r\n" for line in lines)


def _field(value):
    if value is None:
        return ""
    if not isinstance(value, str):
        return f"{round(value, 4) + 0.0:.4f}".rstrip("0").rstrip(".")
    return '"' + harmless(value).replace('"', '""') + '"'


def harmless(value):
    """A text as one line, and no formula for a spreadsheet.

    Examples
    --------
    >>> harmless("=1+1"), harmless("Ada\\n"), harmless("-")
    ("'=1+1", 'Ada⟨U+000A⟩', "'-")
    """
    # A line break in a name would be a line more for most importers; half a character is none in UTF-8.
    value = "".join(f"⟨U+{ord(c):04X}⟩" if unicodedata.category(c) in ("Cc", "Cs", "Zl", "Zp") else c for c in value)
    # Spreadsheets take a full-width sign for the plain one, and look past spaces before it.
    if unicodedata.normalize("NFKC", value).lstrip()[:1] in ("=", "+", "-", "@"):
        value = "'" + value
    return value
