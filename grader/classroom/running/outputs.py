"""What the cells of a notebook show, within limits: what a process claims to show is cleaned, never believed."""

import json
from typing import Any

from grader.classroom.sandbox.limits import MEGABYTE
from grader.judging.answer import clean

LONGEST_TEXT = 100_000
LONGEST_LINE = 5_000
#: Letters of what a process calls an output.
LONGEST_NAME = 100
#: Of these, no part is shown. Pictures of the course are text/html, with words for those who do not see them.
LARGEST_WHOLE = {
    "text/html": MEGABYTE,
    "image/png": 3 * MEGABYTE,
    "image/jpeg": 3 * MEGABYTE,
    "image/svg+xml": 3 * MEGABYTE,
}
MOST_OUTPUTS = 200
#: Kinds of output that are kept; a widget's view, say, shows nothing without its kernel.
MIMES = (
    "text/plain",
    "text/html",
    "text/markdown",
    "text/latex",
    "image/png",
    "image/jpeg",
    "image/svg+xml",
)


class Outputs:
    """Collects a cell's outputs, within limits.

    Parameters
    ----------
    cell : NotebookNode
        Its outputs grow.
    room : int
        Bytes that they may take.

    Attributes
    ----------
    size : int
        Bytes that they have taken.
    failed : bool
        True once the cell has shown an error.
    """

    def __init__(self, cell: Any, room: int) -> None:
        self._cell, self._room, self._text = cell, room, 0
        self._shown: dict[str, Any] = {}
        self._clear, self._cut = False, False
        self.size, self.failed = 0, False

    def take(self, output: Any) -> None:
        """Take one output as the process sent it."""
        if not isinstance(output, dict) or self.size > self._room:
            self._cut = True
            return
        kind = output.get("output_type")
        if not isinstance(kind, str):
            return
        if kind == "clear":
            self._clear = True
            if output.get("wait") is not True:
                self._wipe()
            return
        if self._clear:
            self._wipe()
        if kind == "stream":
            name = output.get("name")
            self._stream("stderr" if isinstance(name, str) and name == "stderr" else "stdout", output.get("text"))
        elif kind == "error":
            self.failed = True
            trace = output.get("traceback")
            lines = [text(line, 4_000) for line in trace[:60]] if isinstance(trace, list) else []
            self._add(error(word(output.get("ename")), text(output.get("evalue"), 1_000), lines))
        elif kind in ("display_data", "execute_result", "update_display_data"):
            self._display(kind, output)

    def _wipe(self) -> None:
        self._clear = False
        self._cell.outputs.clear()
        self._shown.clear()

    def _stream(self, name: str, said: Any) -> None:
        room = LONGEST_TEXT - self._text
        words = text(said, LONGEST_TEXT)
        lines = words.splitlines(keepends=True)
        kept = "".join(line if len(line) <= LONGEST_LINE else line[:LONGEST_LINE] + " ...\n" for line in lines)[:room]
        self._cut |= len(kept) < (len(said) if isinstance(said, str) else 0)
        self._text += len(kept)
        if not kept:
            return
        last = self._cell.outputs[-1] if self._cell.outputs else None
        if last is not None and last["output_type"] == "stream" and last["name"] == name:
            last["text"] += kept
            self.size += len(kept)
        else:
            self._add(stream(kept, name))

    def _display(self, kind: str, output: dict[str, Any]) -> None:
        data = output.get("data")
        data = data if isinstance(data, dict) else {}
        kept = {}
        for mime in MIMES:
            content = data.get(mime)
            if not isinstance(content, str):
                continue
            # Of a long text the beginning is shown; half a picture, or half a page, is none.
            whole = LARGEST_WHOLE.get(mime)
            self._cut |= len(content) > (whole or LONGEST_TEXT)
            if whole is None or len(content) <= whole:
                kept[mime] = clean(content[: whole or LONGEST_TEXT])
        if not kept:
            return
        identity = output.get("display_id")
        identity = identity if isinstance(identity, str) and len(identity) <= LONGEST_NAME else ""
        if kind == "update_display_data":
            if identity in self._shown:
                self._shown[identity]["data"] = node(kept)
                self.size += _size(kept)
            return
        extra = {"execution_count": self._cell.execution_count} if kind == "execute_result" else {}
        made = shown(kind, kept, **extra)
        if self._add(made) and identity:
            self._shown[identity] = made

    def _add(self, output: Any) -> bool:
        """Take an output if there is room; returns whether there was."""
        if len(self._cell.outputs) >= MOST_OUTPUTS:
            self._cut = True
            return False
        self._cell.outputs.append(output)
        self.size += _size(output)
        return True

    def say(self, words: str) -> None:
        """Add a message of the course's own."""
        self.failed = True
        self._cell.outputs.append(error("Stopped", words, [words]))

    def close(self) -> None:
        """Say if something was left out."""
        if self._cut:
            words = "(Some of this cell's output was too long and was left out.)\n"
            self._cell.outputs.append(stream(words))


def node(value: Any) -> Any:
    """A dict as nbformat has it."""
    import nbformat

    return nbformat.from_dict(value)


def shown(kind: str, data: dict[str, Any], **extra: Any) -> Any:
    """An output that shows data by their kinds."""
    return node({"output_type": kind, "data": data, "metadata": {}, **extra})


def stream(words: str, name: str = "stdout") -> Any:
    """An output that is printed text."""
    return node({"output_type": "stream", "name": name, "text": words})


def error(name: str, message: str, trace: list[str]) -> Any:
    """An output that is an exception."""
    return node({"output_type": "error", "ename": name, "evalue": message, "traceback": trace})


def _size(value: Any) -> int:
    return len(json.dumps(value))


def text(said: Any, longest: int) -> str:
    """The beginning of a text, clean."""
    return clean(said[:longest]) if isinstance(said, str) else ""


def word(name: Any) -> str:
    """A name that a process gave; nothing else than a name comes through."""
    name = text(name, 60)
    return name if name.replace(".", "_").isidentifier() else ("Exception" if name else "")
