"""Repair: whatever happens to a notebook on its way, the answers in it are found and the rest is the release's."""

import contextlib
import copy
import io
import json
import random
import time
import zipfile

import pytest
from courseware import RELEASED, name_of, read
from damages import DAMAGES, ONLY_GRADED, SILENT
from repairs import SOFTMAX, blank, code, expected, of_release, pristine, repaired, solved, strip, text_of_solved

from grader.classroom.repair import Unreadable, repair, salvage, untouched
from grader.notebook import NotebookError, as_json, marks

pytestmark = pytest.mark.more

# ---- nothing to repair


@pytest.mark.parametrize("path", RELEASED, ids=name_of)
def test_a_solved_notebook_stays_as_it_is_and_nothing_is_said(path):
    notebook, repairs = repaired(solved(path), path)
    assert repairs == ()
    assert notebook == expected(path)


@pytest.mark.parametrize("path", RELEASED, ids=name_of)
def test_a_notebook_that_nobody_touched_stays_as_it_is_and_nothing_is_said(path):
    notebook, repairs = repaired(blank(path), path)
    assert repairs == ()
    assert notebook == read(path)


@pytest.mark.parametrize("path", RELEASED, ids=name_of)
def test_what_jupyterlab_saves_needs_no_repair(path):
    document = solved(path)
    document["metadata"] |= {
        "kernelspec": {"display_name": "My Python", "language": "python", "name": "conda-env-course-py"},
        "language_info": {"name": "python", "version": "3.12.1"},
        "widgets": {"application/vnd.jupyter.widget-state+json": {"state": {}}},
    }
    for i, cell in enumerate(document["cells"]):
        cell["metadata"] |= {"collapsed": False, "tags": ["mine"], "trusted": True, "scrolled": "auto"}
        if cell["cell_type"] == "code":
            cell["execution_count"] = i
            cell["outputs"] = [{"output_type": "stream", "name": "stdout", "text": ["hello\n"]}]
            cell["metadata"]["execution"] = {"iopub.execute_input": "2024-01-01T00:00:00.000000Z"}
    document["cells"].append(code([], id="0a1b2c3d"))
    notebook, repairs = repaired(document, path)
    assert repairs == ()
    assert notebook == expected(path)


@pytest.mark.parametrize("path", RELEASED, ids=name_of)
def test_what_is_stripped_but_there_is_not_called_missing(path):
    for document in (blank(path), solved(path)):
        cells = len(document["cells"])
        graded = sum(bool(marks(cell)) for cell in document["cells"])
        strip(document["cells"])
        assert repaired(document, path)[1] == (
            f"The marks of nbgrader were missing from {graded} cells; they were matched by their text.",
            f"The ids of {cells} cells were missing or had changed; they were put back.",
        )


def test_a_change_of_the_repaired_notebook_does_not_reach_the_release():
    notebook, _ = repaired(solved(SOFTMAX), SOFTMAX)
    notebook.metadata.kernelspec.name = "changed"
    for cell in notebook.cells:
        cell.metadata.setdefault("nbgrader", {})["points"] = 1000
    assert read(SOFTMAX) == pristine(SOFTMAX)


def test_a_missing_notebook_is_graded_as_handed_out():
    released = read(SOFTMAX)
    blank = untouched(released)
    assert blank.repairs == ()
    assert blank.notebook == released
    blank.notebook.cells[0].metadata["changed"] = True
    assert not released.cells[0].metadata


# ---- each damage is done to every notebook, and the answers must come out as if it had not been


@pytest.mark.parametrize("name", DAMAGES)
def test_a_damaged_notebook_is_repaired_to_the_undamaged_one(name):
    rng = random.Random(name)
    for path in RELEASED:
        document = solved(path)
        data = DAMAGES[name](document, rng, path)
        undamaged = data is None and document == solved(path)
        notebook, repairs = repaired(data or document, path)
        only_graded = name in ONLY_GRADED
        assert of_release(notebook, path, only_graded) == of_release(expected(path), path, only_graded), name_of(path)
        assert bool(repairs) != (undamaged or name in SILENT), (name_of(path), repairs)


def test_a_notebook_without_a_single_cell_gets_all_of_them_back():
    document = blank(SOFTMAX) | {"cells": []}
    notebook, repairs = repaired(document, SOFTMAX)
    assert notebook == read(SOFTMAX)
    assert len(repairs) == 3


# ---- what cannot be read


def zipped():
    buffer = io.BytesIO()
    with zipfile.ZipFile(buffer, "w") as archive:
        archive.writestr("3-softmax.ipynb", "{}")
    return buffer.getvalue()


UNREADABLE = {
    "is empty": [b"", b" \n", bytes(1000)],
    "a web page": [b"<!DOCTYPE html><html>", b"\n <HTML><body>" + b'{"cell_type": "code"}'],
    "XML": [b"<?xml version='1.0'?>"],
    "Python program": [b"import numpy as np\n\ndef softmax(x):\n    return x\n"],
    "zip archive": [zipped()],
    "a PDF": [b"%PDF-1.7 ..."],
    "a picture": [b"\x89PNG\r\n\x1a\n", b"\xff\xd8\xff\xe0"],
    "binary data": [bytes(range(256)) * 50, b"\x01\x02\x03" * 100, b"{" + bytes(10_000)],
    "other text": [b"hello", b"\xff", "größer".encode("latin-1"), b"]"],
    "no list of cells": [
        b"{}",
        b"[]",
        b'{"cells": {}}',
        b'{"cells": null, "nbformat": 4}',
        b"[1, 2]",
        b'{"a": "cell"}',
    ],
    "no whole cell": [text_of_solved(SOFTMAX)[:100].encode(), b'{"cells": [{"cell_type": "code"'],
    "larger than": [b" " * (50 * 2**20 + 1)],
    "more than any notebook": [b'{"cells": [' + b"[]," * 3_000_000],
}


@pytest.mark.parametrize("words", UNREADABLE)
def test_what_is_no_notebook_is_called_by_its_name(words):
    for data in UNREADABLE[words]:
        with pytest.raises(Unreadable, match=words) as caught:
            repair(data, read(SOFTMAX))
        assert "; " in str(caught.value)
        assert "\n" not in str(caught.value)
    assert issubclass(Unreadable, NotebookError)


STRANGE = [
    None,
    True,
    -1,
    1e999,
    float("nan"),
    "",
    "nan",
    "\ud800",
    "\0",
    "x" * 5_000,
    [],
    [[]],
    {},
    {"a": [{}]},
    10**30,
]


def mutated(document, rng):
    """A notebook in whose JSON some values have been exchanged for others."""
    for _ in range(rng.randrange(1, 6)):
        node = document
        for _ in range(rng.randrange(1, 8)):
            inner = list(node.values()) if isinstance(node, dict) else node
            inner = [one for one in inner if isinstance(one, (dict, list)) and one]
            if not inner:
                break
            node = rng.choice(inner)
        key = rng.choice(list(node)) if isinstance(node, dict) else rng.randrange(len(node))
        node[key] = copy.deepcopy(rng.choice([*STRANGE, document["cells"] if isinstance(document, dict) else 0]))
        if not isinstance(document.get("cells"), list):
            break
    return json.dumps(document).encode("utf-8")


def scrambled(data, rng):
    """A file some of whose bytes have been exchanged, deleted, doubled or moved."""
    for _ in range(rng.randrange(1, 8)):
        start = rng.randrange(len(data) + 1)
        end = min(start + int(10 ** rng.uniform(0, 4)), len(data))
        piece = data[start:end]
        middle = rng.choice(
            [b"", piece * 3, rng.randbytes(len(piece)), piece[::-1], b'"', b"[{", b"}]", b"\\", b"\n<<<<<<< a\n"]
        )
        data = data[:start] + middle + data[end:]
    return data


def test_no_file_brings_the_repair_down():
    rng = random.Random(2024)
    read_well = 0
    for number in range(150):
        path = rng.choice(RELEASED)
        text = text_of_solved(path)
        data = mutated(json.loads(text), rng) if number % 2 else scrambled(text.encode("utf-8"), rng)
        try:
            notebook, _ = repaired(data, path)
        except Unreadable:
            continue
        read_well += 1
        as_json(notebook).encode("utf-8")
    assert read_well > 90


@pytest.mark.parametrize(
    "data",
    [
        b'{"id": ' * 200_000,
        b'{"id": {"source": ' * 5_000 + b"}}" * 5_000,
        b'{"cell_type": ' + b"[" * 100_000,
        b"{" * 1_000_000,
        b"<<<<<<< a\n" * 50_000 + b">>>>>>> b\n{",
        b'{"cells": [{"cell_type": "code", "source": "check(' + b") " * 400_000 + b'x"}]}',
        b'{"cells": [{"cell_type": "code", "source": "' + b"softmax " * 100_000 + b'"}]}',
        b'{"cells": [{"cell_type": "code", "source": "' + b"\\n" * 400_000 + b'=("}]}',
        b'{"cells": [{"cell_type": "code", "source": "' + b"a:" * 400_000 + b'"}]}',
        b'{"nbformat": ' + b"9" * 10_000 + b', "cells": []}',
    ],
    ids=range(10),
)
def test_a_file_made_to_take_forever_does_not(data):
    began = time.process_time()
    with contextlib.suppress(Unreadable):
        repaired(data, SOFTMAX)
    assert time.process_time() - began < 2


def test_whoever_reads_a_damaged_file_gives_up_after_some_times_its_length(monkeypatch):
    read = []

    class Counting(json.JSONDecoder):
        def raw_decode(self, text, begin):
            item, end = super().raw_decode(text, begin)
            read.append(end - begin)
            return item, end

    monkeypatch.setattr(salvage, "_DECODER", Counting())
    # Whole, so that no try fails, and no cells, so that every layer is tried by itself.
    text = "[" + ('{"id":' * 300 + "1" + "}" * 300) * 40
    with pytest.raises(Unreadable):
        salvage.readings(text.encode())
    assert len(read) > 300
    assert sum(read) < 4 * len(text) + 1_000_000 + len(text)
