"""The bytes of a file that should be a notebook -> its cells, whatever has happened to it.

Nothing here runs or compiles a learner's code: Python's own parser can be brought down by text.
"""

import functools
import itertools
import json
import re
from dataclasses import dataclass, field

from grader.classroom.repair.align import trimmed
from grader.errors import NotebookError
from grader.files import LARGEST_NOTEBOOK
from grader.words import plural, shown

MOST_CELLS = 20_000
LONGEST_SOURCE = 1_000_000
LARGEST_ATTACHMENTS = 5_000_000
#: Commas, colons and brackets: what a file takes up in memory goes with them, and no notebook has as many.
MOST_PIECES = 5_000_000

KINDS = {"code": "code", "markdown": "markdown", "raw": "raw", "heading": "markdown", "html": "markdown"}
PICTURES = {"image/png", "image/jpeg", "image/gif", "image/webp"}
FLAGS = ("grade", "solution", "locked", "task", "points")

CONTROLS = bytes({*range(27)} - set(b"\t\n\v\f\r"))
BLANK = " \t\r\n\0\ufeff"
AGAIN = "save the notebook in JupyterLab and hand in the .ipynb file again"
MAGIC = {
    b"PK\x03\x04": "a zip archive or an Office document",
    b"%PDF": "a PDF",
    b"\x89PNG": "a picture",
    b"\xff\xd8\xff": "a picture",
    b"GIF8": "a picture",
    b"\x1f\x8b": "a compressed archive",
    b"7z\xbc\xaf": "a compressed archive",
    b"Rar!": "a compressed archive",
    b"\x7fELF": "a program",
    b"MZ": "a program",
    b"SQLite format 3": "a database",
    b"{\\rtf": "a text document (RTF)",
}
_KEYS = "attachments|cell_type|collapsed|execution_count|id|input|language|level|metadata|outputs|prompt_number|source"
CELL_BEGINS = re.compile(r'\{\s*"(?:' + _KEYS + r')"\s*:')
PYTHON = re.compile(r"^(?:def|import|from|class|print\()\b", re.MULTILINE)
BASE64 = re.compile(r"[A-Za-z0-9+/=\s]*")


class Unreadable(NotebookError):
    """A file from which no notebook can be read; the message says what it is and what to do."""


@dataclass
class Cell:
    """A cell as it was handed in.

    Attributes
    ----------
    kind : str
        "code", "markdown" or "raw".
    source : str
    id : str
        "" if it has none.
    marks : dict
        What is left of nbgrader's metadata.
    attachments : dict
        The pictures of a text cell.
    """

    kind: str
    source: str
    id: str = ""
    marks: dict = field(default_factory=dict)
    attachments: dict = field(default_factory=dict)

    @functools.cached_property
    def text(self):
        """The source without what does not count."""
        return trimmed(self.source)

    @property
    def grade_id(self):
        """nbgrader's name of the cell; "" if it has none."""
        return self.marks.get("grade_id", "")


@dataclass
class Contents:
    """What a file holds.

    Attributes
    ----------
    cells : list of Cell
    repairs : list of str
        What had to be done to read them, each in a sentence.
    old_format : bool
        True if it was saved in a format whose cells have no ids.
    """

    cells: list
    repairs: list
    old_format: bool = False


#: Conflicts of git up to which each may be decided by itself; every one doubles the ways to read a file.
MOST_CONFLICTS = 4


def readings(data):
    """All the ways to read a file: one, but for a file that git has left with two sides.

    Parameters
    ----------
    data : bytes

    Returns
    -------
    list of Contents
        Never empty.

    Raises
    ------
    Unreadable
        If there is no notebook in it.

    Examples
    --------
    >>> [contents] = readings(b'{"cells": [{"cell_type": "code", "source": ["x = 1"]}], "nbformat": 4}')
    >>> contents.cells[0].source
    'x = 1'
    """
    text, repairs = _decoded(data)
    sides = _sides(text)
    found, reason = [], None
    for side, words in sides:
        try:
            found.append(_contents(side, [*repairs, *words]))
        except Unreadable as problem:
            reason = problem
    if not found:
        raise reason
    return found


# ---- bytes -> text


def _decoded(data):
    """The text of a file, and what had to be done for it."""
    if len(data) > LARGEST_NOTEBOOK:
        limit = f"{LARGEST_NOTEBOOK // 2**20} MB"
        raise Unreadable(f"the file is larger than {limit}; clear all outputs, then {AGAIN}")
    if not data.strip(b"\0 \t\r\n"):
        raise Unreadable(f"the file is empty; {AGAIN}")
    for magic, what in MAGIC.items():
        if data.startswith(magic):
            raise Unreadable(f"the file is {what}, not a notebook; {AGAIN}")
    wide = _wide(data)
    if wide:
        words = [f"The file was in {wide[:6].upper()} in place of UTF-8; it was read all the same."]
        text = data.decode(wide, "replace")
    else:
        text, words = _narrow(data.rstrip(b"\0"))
    start = text[:4096].encode("latin-1", "ignore")
    if len(start.translate(None, CONTROLS)) < len(start) * 0.95 and '"cell_type"' not in text:
        raise Unreadable(f"the file holds binary data, not a notebook; {AGAIN}")
    return text, words


def _wide(data):
    """The encoding of a file with several bytes a letter; "" for all others."""
    if data.startswith((b"\xff\xfe\0\0", b"\0\0\xfe\xff")):
        return "utf-32"
    if data.startswith((b"\xff\xfe", b"\xfe\xff")):
        return "utf-16"
    starts = [letter.encode("utf-16-le") for letter in "{[< \r\n"]
    if data[:2] in starts:
        return "utf-16-le"
    return "utf-16-be" if data[1::-1] in starts else ""


def _narrow(data):
    """The text of any other file, and what had to be done for it."""
    try:
        return data.decode("utf-8"), []
    except UnicodeDecodeError:
        pass
    text = data.decode("utf-8", "replace")
    damaged = text.count("\ufffd")
    if damaged * 2 < len(text) - len(text.encode("ascii", "ignore")):
        return text, [f"{plural(damaged, 'character')} of the file could not be read."]
    try:
        text = data.decode("cp1252")
    except UnicodeDecodeError:
        text = data.decode("latin-1")
    return text, ["The file was in the encoding of Windows in place of UTF-8; it was read all the same."]


def _sides(text):
    """What git's conflict markers leave open, as texts with words: all upper sides, all lower ones, and where there are
    few conflicts, all ways between; else the one text."""
    if not re.search(r"^<{7}(?: |$)", text, re.MULTILINE) or not re.search(r"^>{7}(?: |$)", text, re.MULTILINE):
        return [(text, [])]
    pieces, inside = [([], [])], None  # in turn what both have, and a conflict; inside: which sides a line belongs to
    for line in text.splitlines(keepends=True):
        if line.startswith("<<<<<<<"):
            pieces.append(([], []))
            inside = (0,)
        elif inside and line.startswith("|||||||"):
            inside = ()
        elif inside is not None and line.startswith("======="):
            inside = (1,)
        elif inside is not None and line.startswith(">>>>>>>"):
            pieces.append(([], []))
            inside = None
        else:
            for side in (0, 1) if inside is None else inside:
                pieces[-1][side].append(line)
    pieces = [tuple("".join(side) for side in piece) for piece in pieces]
    conflicts = [i for i, (upper, lower) in enumerate(pieces) if upper != lower]
    all_ways = itertools.product((0, 1), repeat=len(conflicts)) if len(conflicts) <= MOST_CONFLICTS else ()
    ways = dict.fromkeys([(0,) * len(conflicts), (1,) * len(conflicts), *all_ways])
    return [(_with_sides(pieces, dict(zip(conflicts, way, strict=True))), _told_of(way)) for way in ways]


def _with_sides(pieces, way):
    return "".join(piece[way.get(i, 0)] for i, piece in enumerate(pieces))


def _told_of(way):
    which = " and ".join(name for side, name in enumerate(("upper", "lower")) if side in way) or "upper"
    ones = "ones were taken" if len({*way}) < 2 else "ones were taken, of each what has an answer"
    return [f"Git had left the file with two versions of some cells; the {which} {ones}."]


# ---- text -> cells


def _integer(digits):
    try:
        return int(digits)
    except ValueError:  # more digits than Python converts
        return 0


_DECODER = json.JSONDecoder(strict=False, parse_int=_integer)


def _contents(text, repairs):
    start = len(text) - len(text.lstrip(BLANK))
    if sum(map(text.count, ",:[{")) > MOST_PIECES:
        raise Unreadable(f"the file holds more than any notebook does; clear all outputs, then {AGAIN}")
    document = items = None
    if text.startswith(("{", "["), start):
        try:
            document, end = _DECODER.raw_decode(text, start)
        except (ValueError, RecursionError):
            pass
        else:
            items = _items(document)
            if items is not None and text[end:].strip(BLANK):
                repairs = [*repairs, "What stood after the end of the notebook was left out."]
    if items is None and not text.startswith("<", start):
        items = _salvaged(text) or None
        if items:
            whole = plural(len(items), "whole cell")
            repairs = [*repairs, f"The file was cut off or damaged; {whole} could be read, and nothing else."]
    if items is None:
        raise Unreadable(f"the file is {_what_it_is(text[start:], document)}; {AGAIN}")
    contents = _read(items, repairs)
    if isinstance(document, dict):
        _about(document, contents)
    return contents


def _items(document):
    """The cells of a whole notebook, as they are in the file; None if it is none."""
    if isinstance(document, dict) and isinstance(document.get("cells"), list):
        return document["cells"]
    if isinstance(document, dict) and isinstance(document.get("worksheets"), list):  # before nbformat 4
        sheets = [sheet.get("cells") for sheet in document["worksheets"] if isinstance(sheet, dict)]
        return [item for cells in sheets if isinstance(cells, list) for item in cells]
    if isinstance(document, list) and any(isinstance(item, dict) and "cell_type" in item for item in document):
        return document
    return None


def _salvaged(text):
    """The whole cells in text that is not whole itself."""
    found, place = [], 0
    # A try that fails has to be paid for, else a file made for it would take forever.
    budget = 4 * len(text) + 1_000_000
    while budget > 0 and (begin := CELL_BEGINS.search(text, place)):
        place = begin.end()
        try:
            item, end = _DECODER.raw_decode(text, begin.start())
        except RecursionError:
            budget -= len(text) // 4 + 1
            continue
        except json.JSONDecodeError as problem:
            budget -= problem.pos - begin.start() + 1
            continue
        budget -= end - begin.start()
        # nbgrader's metadata has a cell_type as well.
        if "cell_type" in item and ("source" in item or "input" in item):
            found.append(item)
            place = end
    return found


def _what_it_is(text, document):
    start = text[:4096].lower()
    if start.startswith("<"):
        return "a web page, not a notebook" if "html" in start else "XML, not a notebook"
    if document is not None:
        return "JSON, but not a notebook: it has no list of cells"
    if '"cells"' in text or '"nbformat"' in text:
        return "a notebook that is cut off or damaged, and no whole cell is left in it"
    if "```" in text:
        return "text with code in it, not a notebook"
    return "a Python program, not a notebook" if PYTHON.search(text) else "some other text, not a notebook"


def _about(document, contents):
    """Tell of an older format and of another language's kernel."""
    version = [document.get(name) for name in ("nbformat", "nbformat_minor")]
    if all(isinstance(number, int) and 0 <= number < 100 for number in version) and version < [4, 5]:
        contents.old_format = True
        contents.repairs.append(
            f"The notebook was in an older format ({version[0]}.{version[1]}), in which cells have no ids; "
            "it was brought up to date."
        )
    spec, info = (_dict(_dict(document.get("metadata")).get(name)) for name in ("kernelspec", "language_info"))
    language, name = spec.get("language") or info.get("name") or spec.get("name"), spec.get("name")
    if isinstance(language, str) and language and "python" not in language.lower():
        other = shown(str(name or language).replace("`", ""), longest=40)
        contents.repairs.append(f"The notebook named another kernel (`{other}`); it was run with the course's own.")


def _dict(value):
    return value if isinstance(value, dict) else {}


# ---- cells


def _read(items, repairs):
    """The cells of a notebook, in forms that can be relied on."""
    cells, strange, unknown, cut, dropped, room = [], 0, 0, 0, 0, LARGEST_ATTACHMENTS
    for item in items[:MOST_CELLS]:
        if not isinstance(item, dict):
            strange += 1
            continue
        source, whole = _source(item)
        cut += not whole
        kind = item.get("cell_type")
        known = isinstance(kind, str) and kind in KINDS
        unknown += not known
        if kind == "heading":
            level = item.get("level")
            source = "#" * (level if isinstance(level, int) and 0 < level < 7 else 1) + " " + source
        marks = _dict(_dict(item.get("metadata")).get("nbgrader"))
        marks = {name: marks[name] for name in FLAGS if name in marks} | {"grade_id": _text(marks.get("grade_id"))}
        cell = Cell(KINDS[kind] if known else "raw", source, _text(item.get("id")), marks)
        attached = _dict(item.get("attachments"))
        cell.attachments, size = _attachments(attached, room)
        room -= size
        dropped += len(cell.attachments) < len(attached)
        cells.append(cell)
    repairs = list(repairs)
    if len(items) > MOST_CELLS:
        repairs.append(f"There were {len(items):,} cells; only the first {MOST_CELLS:,} were read.")
    if strange:
        said = plural(strange, "entry that is no cell was", "entries that are no cells were")
        repairs.append(f"{said} left out.")
    if unknown:
        repairs.append(
            f"{plural(unknown, 'cell of an unknown kind was', 'cells of an unknown kind were')} taken as text."
        )
    if cut:
        repairs.append(
            f"{plural(cut, 'cell was', 'cells were')} longer than {LONGEST_SOURCE:,} characters; the rest was left out."
        )
    if dropped:
        repairs.append(f"Attachments of {plural(dropped, 'cell')} were left out: too large, or no pictures.")
    return Contents(cells, repairs)


def _source(item):
    """A cell's source, and whether it is the whole of it."""
    value = item["source"] if "source" in item else item.get("input")
    if isinstance(value, list):
        lines = [line for line in value if isinstance(line, str)]
        ended = any(line.endswith(("\n", "\r")) for line in lines)
        value = ("" if ended else "\n").join(lines)
    source = _text(value)
    if len(source) <= LONGEST_SOURCE:
        return source, True
    return source[:LONGEST_SOURCE].rpartition("\n")[0] or source[:LONGEST_SOURCE], False


def _text(value):
    """A string that can be written to any file; "" for anything else."""
    if not isinstance(value, str):
        return ""
    value = value.replace("\r\n", "\n").replace("\r", "\n").replace("\0", "")
    # JSON can spell half of a surrogate pair, which no file can hold.
    return value if value.isascii() else value.encode("utf-8", "replace").decode("utf-8")


def _attachments(value, room):
    """The pictures among a cell's attachments, as far as there is room, and their size."""
    kept, size = {}, 0
    for name, bundle in value.items():
        pictures = {}
        for mime, content in _dict(bundle).items():
            content = (
                "".join(line for line in content if isinstance(line, str)) if isinstance(content, list) else content
            )
            if mime in PICTURES and isinstance(content, str) and BASE64.fullmatch(content):
                pictures[mime] = content
        length = sum(map(len, pictures.values()))
        if pictures and size + length <= room:
            kept[_text(name)[:200]] = pictures
            size += length
    return kept, size
