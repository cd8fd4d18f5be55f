"""Feedback pages in zips: a student's with a page that lists them, and the class's with a folder a student."""

import io
import zipfile
import zlib
from html import escape

from grader.classroom.feedback.safe_html import policy
from grader.errors import CourseError

DAY = (1980, 1, 1, 0, 0, 0)  # zips hold a time for each file; the same pages are to make the same zip
STYLE = (
    "body{font:16px/1.5 sans-serif;max-width:46em;margin:2em auto;padding:0 1em}"
    "h1{font-size:1.5em}table{border-collapse:collapse}"
    "th,td{padding:.3em 1.2em .3em 0;text-align:left;border-bottom:1px solid #ddd}"
    "td.points,th.points{text-align:right;white-space:nowrap;padding-right:0}"
)


def zip_of_student(part, student, notebooks, pages, marks):
    """A student's zip.

    Parameters
    ----------
    part, student : str
    notebooks : list of str
        All notebooks of the part, in order.
    pages : dict of str to bytes
        The page of each graded notebook.
    marks : MarksOf

    Returns
    -------
    bytes
    """
    index = _index(part, student, notebooks, pages, marks).encode()
    return zipped([("index.html", index), *((f"{name}.html", page) for name, page in pages.items())])


def zip_of_all(zips):
    """The class's zip, with what is in each student's.

    Parameters
    ----------
    zips : dict of str to Path
        The students' zips.

    Returns
    -------
    bytes
    """

    def entries():
        for student, path in zips.items():
            yield from ((f"{student}/{name}", page) for name, page in unpacked(path).items())

    return zipped(entries())


def unpacked(path):
    """What is in a student's zip, by name.

    Raises
    ------
    CourseError
        If it is damaged.
    """
    try:
        with zipfile.ZipFile(path) as own:
            return {name: own.read(name) for name in own.namelist()}
    except (zipfile.BadZipFile, zlib.error, EOFError) as problem:
        raise CourseError(f"{path} is damaged ({problem}); remove it, then run: python -m grader return") from None


def zipped(entries):
    """A zip without anything that differs from day to day or machine to machine."""
    data = io.BytesIO()
    with zipfile.ZipFile(data, "w") as packed:
        for name, content in entries:
            entry = zipfile.ZipInfo(name, DAY)
            entry.compress_type, entry.create_system, entry.external_attr = zipfile.ZIP_DEFLATED, 3, 0o644 << 16
            packed.writestr(entry, content)
    return data.getvalue()


def _index(part, student, notebooks, pages, marks):
    """The page that lists the pages, with the marks."""
    rows = []
    for name in notebooks:
        points, full = marks.notebooks.get(name, (0.0, 0.0))
        shown = f'<a href="{escape(name)}.html">{escape(name)}</a>' if name in pages else f"{escape(name)} (not graded)"
        rows.append((shown, f"{points:g} of {full:g}"))
    if marks.late_penalty:
        rows.append(("handed in late", f"−{marks.late_penalty:g}"))
    points = sum(one[0] for one in marks.notebooks.values()) - marks.late_penalty
    rows.append(("<b>all</b>", f"<b>{round(points, 2):g} of {sum(one[1] for one in marks.notebooks.values()):g}</b>"))
    table = "".join(f'<tr><td>{shown}</td><td class="points">{worth}</td></tr>' for shown, worth in rows)
    unread = "<p>Your written answers are still to be marked by a person.</p>" if marks.unread else ""
    unread += f"<p>{escape(marks.late_words)}</p>" if marks.late_words else ""
    title = f"{escape(part)}: feedback for {escape(student)}"
    return (
        f'<!DOCTYPE html>\n<html lang="en"><head>{policy()}<meta charset="utf-8">'
        '<meta name="viewport" content="width=device-width, initial-scale=1">'
        f"<title>{title}</title><style>{STYLE}</style></head>\n<body><h1>{title}</h1>{unread}"
        f'<table><tr><th>notebook</th><th class="points">points</th></tr>{table}</table></body></html>\n'
    )
