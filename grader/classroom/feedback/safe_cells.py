"""What of a graded notebook goes on a feedback page: only known kinds of content, each made harmless and kept short."""

import base64
import binascii
import math
import re

import nbformat

from grader.classroom.feedback.safe_html import clean

LONGEST_TEXT = 20_000  # characters of one output or cell
LONGEST_HTML = 2_000_000  # pictures are part of it
LONGEST_PAGE = 12_000_000
MOST_OUTPUTS = 60

PICTURES = {"image/png": b"\x89PNG\r\n\x1a\n", "image/jpeg": b"\xff\xd8\xff"}
# All but tabs, line ends and the escape character, which begins a colour.
CONTROL = re.compile(r"[\x00-\x08\x0b-\x0d\x0e-\x1a\x1c-\x1f\x7f-\x9f\ud800-\udfff\ue000-\uf8ff]")
COLOUR = re.compile(r"\x1b\[[0-9;]*m")
ESCAPE = re.compile(r"\x1b(?!\[[0-9;]*m)(?:\[[0-9;?]*[ -/]*[@-~]|\][^\x07\x1b]*(?:\x07|\x1b\\)?|.)?", re.DOTALL)
# Where an environment keeps its packages is nobody's business.
PATH = re.compile(r"(?:/[\w.+@-]+)+/?")
PLACE = re.compile(r"^.+/(site-packages|dist-packages|ipykernel_\d+)/")
IDENTIFIER = re.compile(r"[\w.-]{1,100}")


def harmless(notebook):
    """A copy of a graded notebook in which only known kinds of content are left.

    Everything is taken for hostile, what the checks left as well: in nbgrader's own grading it comes from the learner's
    process.

    Parameters
    ----------
    notebook : NotebookNode

    Returns
    -------
    NotebookNode
        Of the metadata, only nbgrader's are left.
    """
    room = [LONGEST_PAGE]
    cells = [_cell(cell, room) for cell in notebook.cells]
    return nbformat.from_dict(
        {"cells": cells, "metadata": dict(METADATA), "nbformat": 4, "nbformat_minor": notebook.nbformat_minor}
    )


#: The notebook's metadata choose how code is coloured.
METADATA = {"language_info": {"name": "python", "pygments_lexer": "ipython3"}}


def _cell(cell, room):
    kind = cell.get("cell_type")
    source = readable(cell.get("source", ""), LONGEST_TEXT)
    new = {"cell_type": "markdown" if kind == "markdown" else "code", "metadata": {}, "source": source}
    room[0] -= len(source)
    marks = _marks(cell)
    if marks:
        new["metadata"]["nbgrader"] = marks
    name = cell.get("id")
    if isinstance(name, str) and IDENTIFIER.fullmatch(name):
        new["id"] = name
    if kind == "markdown":
        new["attachments"] = _attachments(cell.get("attachments"), room)
    else:
        outputs = cell.get("outputs", []) if kind == "code" else []
        count = cell.get("execution_count")
        new |= {"execution_count": count if isinstance(count, int) else None, "outputs": _outputs(outputs, room)}
    return new


def _marks(cell):
    """nbgrader's metadata of a cell, each of its type."""
    given = cell.get("metadata", {}).get("nbgrader")
    if not isinstance(given, dict) or not IDENTIFIER.fullmatch(str(given.get("grade_id", ""))):
        return {}
    marks = {"grade_id": str(given["grade_id"])}
    marks |= {name: bool(given.get(name)) for name in ("grade", "solution", "locked", "task")}
    for name in ("points", "score"):
        number = given.get(name)
        marks[name] = float(number) if isinstance(number, (int, float)) and math.isfinite(number) else 0.0
    if isinstance(given.get("comment"), str):
        marks["comment"] = readable(given["comment"], LONGEST_TEXT)
    return marks


def _attachments(given, room):
    kept = {}
    for name, kinds in given.items() if isinstance(given, dict) else ():
        for kind in PICTURES:
            data = _picture(kind, kinds.get(kind) if isinstance(kinds, dict) else None, room)
            if data:
                kept[str(name)] = {kind: data}
                break
    return kept


def _outputs(given, room):
    kept = []
    for output in given[:MOST_OUTPUTS]:
        if room[0] < 0:
            kept.append(_note("what follows is left out: the page would be too long"))
            break
        new = _output(output, room)
        if new:
            kept.append(new)
    if len(given) > MOST_OUTPUTS:
        kept.append(_note(f"{len(given) - MOST_OUTPUTS} more outputs are left out"))
    return kept


def _note(words):
    return {"output_type": "stream", "name": "stdout", "text": f"({words})\n"}


def _output(output, room):
    kind = output.get("output_type")
    if kind == "stream":
        text = _without_places(readable(output.get("text", ""), LONGEST_TEXT))
        room[0] -= len(text)
        return {"output_type": "stream", "name": "stderr" if output.get("name") == "stderr" else "stdout", "text": text}
    if kind == "error":
        trace = output.get("traceback")
        lines = _trace([str(line) for line in trace] if isinstance(trace, list) else [])
        said = [readable(output.get(name, ""), LONGEST_TEXT) for name in ("ename", "evalue")]
        room[0] -= sum(map(len, lines))
        return {"output_type": "error", "ename": said[0], "evalue": said[1], "traceback": lines or [": ".join(said)]}
    if kind not in ("display_data", "execute_result"):
        return None
    new = {"output_type": kind, "data": _data(output.get("data"), room), "metadata": {}}
    if kind == "execute_result":
        count = output.get("execution_count")
        new["execution_count"] = count if isinstance(count, int) else None
    return new


def _data(data, room):
    """The best of an output's forms that can be shown, and its text."""
    data = data if isinstance(data, dict) else {}
    text = readable(data.get("text/plain", ""), LONGEST_TEXT)
    room[0] -= len(text)
    kept = {"text/plain": text} if text else {}
    html = data.get("text/html")
    if isinstance(html, str) and len(html) <= min(LONGEST_HTML, room[0]):
        html = clean(html)
        if re.search(r"<img|[^\s<>](?![^<]*>)", html):
            room[0] -= len(html)
            return {"text/html": html, **kept}
    if isinstance(data.get("text/markdown"), str):
        return {"text/markdown": readable(data["text/markdown"], LONGEST_TEXT), **kept}
    svg = data.get("image/svg+xml")
    if isinstance(svg, str) and len(svg) <= min(LONGEST_HTML, room[0]):
        room[0] -= len(svg)
        # As an image it can neither run a script nor ask for anything.
        source = base64.b64encode(svg.encode("utf-8", "replace")).decode()
        return {"text/html": f'<img alt="a picture" src="data:image/svg+xml;base64,{source}">', **kept}
    for kind in PICTURES:
        picture = _picture(kind, data.get(kind), room)
        if picture:
            return {kind: picture, **kept}
    if isinstance(data.get("text/latex"), str):
        return {"text/plain": readable(data["text/latex"], LONGEST_TEXT)}
    return kept or {"text/plain": "(an output of a kind that is not shown here)"}


def _picture(kind, data, room):
    """A picture's data in base64, or "" where they are none of its kind."""
    if not isinstance(data, str) or len(data) > min(LONGEST_HTML, room[0]):
        return ""
    try:
        picture = base64.b64decode(data, validate=False)
    except (binascii.Error, ValueError):
        return ""
    if not picture.startswith(PICTURES[kind]):
        return ""
    room[0] -= len(data)
    return base64.b64encode(picture).decode()


def readable(text, longest):
    """Text without control characters other than colours, and not longer than `longest`."""
    text = "".join(map(str, text)) if isinstance(text, list) else str(text)
    more = len(text) - longest
    if more > 0:
        text = text[:longest]
    text = CONTROL.sub("", ESCAPE.sub("", text.replace("\r\n", "\n").replace("\r", "\n")))
    return f"{text}\n... ({more:,} more characters are left out)" if more > 0 else text


def _trace(entries):
    """A traceback without the frames of anything but the notebook's own cells."""
    kept, left_out = [], False
    for entry in entries:
        entry = readable(entry, LONGEST_TEXT)
        words = COLOUR.sub("", entry).lstrip()
        if re.match(r'File (?!"?<)(?!Cell In)\S*[/\\]', words):
            left_out = True
            continue
        if left_out:
            kept.append("(inside a library)\n")
            left_out = False
        kept.append(_without_frames(entry))
    return kept


def _without_frames(entry):
    """The same for a traceback in Python's own form: the lines of a frame are indented more than its head."""
    lines, inside = [], None
    for line in entry.split("\n"):
        words = COLOUR.sub("", line)
        indent = len(words) - len(words.lstrip())
        if inside is not None and words.strip() and indent > inside:
            continue
        inside = None
        if re.match(r'\s*File "?(?!<)[^"]*[/\\]', words):
            inside = indent
            continue
        lines.append(line)
    return _without_places("\n".join(lines))


def _without_places(text):
    # Path by path: to look from each of its slashes takes the square of a path's length.
    return PATH.sub(lambda path: PLACE.sub(r"…/\1/", path[0]), text)
