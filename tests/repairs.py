"""Notebooks on their way to a repair, and what is true of every repair."""

import copy
import json
import re
from functools import cache

import nbformat
from courseware import RELEASED, ROOT, read

from grader.classroom.repair import repair
from grader.desk.sample_class import CLASS, submission
from grader.notebook import as_json, marks

ADA = CLASS[0]
SOFTMAX = next(path for path in RELEASED if path.stem == "3-softmax")
WRITTEN = next(path for path in RELEASED if path.stem == "4-context-vectors")


@cache
def text_of_solved(path):
    """A solved notebook as the text of its file."""
    solution = read(ROOT / "solutions" / path.parent.name / path.name)
    return as_json(submission(ADA, copy.deepcopy(read(path)), solution))


def solved(path):
    """A solved notebook as JSON has it, sources in lines."""
    return json.loads(text_of_solved(path))


@cache
def expected(path):
    """A solved notebook as it comes out of a repair; shared, so not to be changed."""
    return nbformat.reads(text_of_solved(path), as_version=4)


@cache
def pristine(path):
    """A second copy of a released notebook, to see that nobody changes the first."""
    return copy.deepcopy(read(path))


def blank(path):
    """A notebook as handed out, as JSON has it."""
    return json.loads(as_json(read(path)))


def repaired(document, path):
    """Repair a notebook and check what is true of every repair; returns it and what was said."""
    released = read(path)
    data = document if isinstance(document, bytes) else json.dumps(document, ensure_ascii=False).encode("utf-8")
    result = repair(data, released)
    assert released == pristine(path)
    nbformat.validate(result.notebook)
    ids = [cell.id for cell in released.cells]
    assert [cell.id for cell in result.notebook.cells if cell.id in ids] == ids
    assert all(cell.source.strip() and not cell.metadata for cell in result.notebook.cells if cell.id not in ids)
    assert not any(cell.get("outputs") for cell in result.notebook.cells)
    assert len(result.repairs) <= 20
    assert all(re.fullmatch(r"[^\n]{10,300}\.", words) for words in result.repairs)
    return result.notebook, result.repairs


def of_release(notebook, path, graded_only=False):
    """The cells of the release in a repaired notebook."""
    ids = {cell.id for cell in read(path).cells if marks(cell) or not graded_only}
    return [cell for cell in notebook.cells if cell.id in ids]


def own(notebook, path):
    """The learner's own cells in a repaired notebook."""
    ids = {cell.id for cell in read(path).cells}
    return [cell for cell in notebook.cells if cell.id not in ids]


def source(cell):
    return "".join(cell["source"])


def cell_of(document, name):
    return next(cell for cell in document["cells"] if cell["id"] == name)


def code(text, **more):
    cell = {"cell_type": "code", "execution_count": None, "metadata": {}, "outputs": [], "source": text}
    return cell | more


def markdown(text, **more):
    return {"cell_type": "markdown", "metadata": {}, "source": text} | more


def text_in(notebook, name):
    return next(cell.source for cell in notebook.cells if cell.id == name)


def strip(cells, ids=True):
    for cell in cells:
        cell["metadata"] = {}
        if ids:
            cell.pop("id", None)
