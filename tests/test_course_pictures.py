"""The course's own pictures in graded copies: which cells have them, that they are right, and whose they are."""

import copy
import json
import os
import re

import nbformat
import pytest
from courseware import RELEASED, ROOT, name_of, read

from grader.classroom.running import drawings
from grader.classroom.running.pictures import course_cells
from grader.classroom.running.runner import Runner
from grader.classroom.sandbox.limits import Limits

PART = ROOT / "notebooks" / "1-context-vectors"
SOFTMAX = read(PART / "3-softmax.ipynb")
SCORES = read(PART / "2-scores.ipynb")


# ---- which cells they are


def notebook(*sources, answers=()):
    """A released notebook; the cells at the places in `answers` are the learner's."""
    cells = [nbformat.v4.new_code_cell(source, id=f"cell-{i}") for i, source in enumerate(sources)]
    for i in answers:
        cells[i].metadata["nbgrader"] = {"solution": True, "grade": False}
    return nbformat.v4.new_notebook(cells=cells)


def drawing(*sources, answers=()):
    """What of these cells is a picture of the course: by place, what comes before it and the picture."""
    cells = course_cells(notebook(*sources, answers=answers))
    return {int(cell.id[5:]): (cell.begins, cell.picture) for cell in cells if cell.picture}


SETUP = "from attnlib import plots, widgets\nimport numpy as np\nX = np.eye(2)"


def test_a_cell_is_a_picture_if_it_ends_in_a_call_that_draws():
    assert drawing(SETUP, "plots.bars(X)") == {1: ("", "plots.bars(X)")}
    assert drawing(SETUP, "# two\nY = 2 * X\n\nplots.bars(\n    Y,\n)  # so") == {
        1: ("# two\nY = 2 * X\n", "plots.bars(\n    Y,\n)  # so")
    }
    for source in (
        *("", "X", "plots.bars", "picture = plots.bars(X)", "print(plots.bars(X))", "!plots.bars(X)"),
        *("plots.bars(X)\nprint(1)", "Y = X; plots.bars(Y)", "for x in X:\n    plots.bars(x)"),
    ):
        assert drawing(SETUP, source) == {}, source


THEIRS = "def softmax(x):\n    # YOUR CODE HERE"


@pytest.mark.parametrize(
    "sources",
    [
        ("plots.bars(softmax(X))",),
        ("weights = softmax(X)\nplots.bars(weights)",),
        ("weights = softmax(X)", "twice = [2 * w for w in weights]", "plots.bars(twice)"),
        ("plots.bars(X, label=lambda x: softmax(x))",),
        ("def both(x):\n    def inner():\n        return softmax(x)\n    return inner()", "plots.bars(both(X))"),
        ("class Layer:\n    weights = softmax", "plots.bars(Layer.weights)"),
        ("for row in X:\n    last = softmax(row)", "plots.bars(last)"),
        ("if (found := softmax(X)) is not None:\n    pass", "plots.bars(found)"),
        ("from other import it as softmax", "plots.bars(softmax)"),
    ],
)
def test_a_picture_that_stands_on_an_answer_is_the_learner_s(sources):
    assert drawing(SETUP, THEIRS, *sources, answers=[1]) == {}


@pytest.mark.parametrize(
    "sources",
    [
        ("plots.bars(X)",),
        ("weights = softmax(X)", "weights = X\nplots.bars(weights)"),  # a name that is the course's again
        ("print(softmax(X))\nmine = 1", "plots.bars(X)"),
        ("def f(softmax):\n    return softmax\nplots.bars(f(X))",),
        ("plots.bars([softmax for softmax in X])",),
    ],
)
def test_a_picture_that_stands_on_nothing_of_the_learner_s_is_the_course_s(sources):
    assert list(drawing(SETUP, THEIRS, *sources, answers=[1])) == [1 + len(sources)]


def test_most_cells_that_draw_are_pictures_of_the_course():
    found = {name_of(path): course_cells(read(path)) for path in RELEASED}
    pictures = [cell for cells in found.values() for cell in cells if cell.picture]
    assert len([cell for cell in pictures if not cell.live]) > 50
    assert len([cell for cell in pictures if cell.live]) > 10


# ---- what they show


@pytest.fixture(scope="module")
def sandbox(require):
    require("bwrap")
    with Runner() as running:
        yield running


def seed(exercise):
    return 7


def shown(run, cell_id):
    """A cell's outputs, without the numbers of the cells, and without the seconds that something took."""
    [cell] = [cell for cell in run.notebook.cells if cell.id == cell_id]
    outputs = [{name: value for name, value in output.items() if name != "execution_count"} for output in cell.outputs]
    return [one | {"text": re.sub(r"[\d.]+ s\b", "", one["text"])} if "text" in one else one for one in outputs]


@pytest.mark.grading
@pytest.mark.parametrize("path", RELEASED, ids=name_of)
def test_a_graded_copy_shows_what_the_learner_s_own_copy_shows(sandbox, path, monkeypatch):
    released, solved = read(path), read(ROOT / "solutions" / path.parent.name / path.name)
    graded = sandbox.run(path.stem, solved, seed, released)
    # As at home: everything is run, with all of the library.
    fork = sandbox._sandbox.fork
    monkeypatch.setattr(sandbox._sandbox, "fork", lambda exercises: fork(None))
    at_home = sandbox.run(path.stem, solved, seed)
    drawn = 0
    for cell in course_cells(released):
        if cell.live:
            assert [output["text"] for output in shown(graded, cell.id)][-1:] == [drawings.LIVE]
        else:
            assert shown(graded, cell.id) == shown(at_home, cell.id), cell.id
            drawn += bool(cell.picture)
    assert drawn
    nbformat.validate(graded.notebook)


def changed(released, **sources):
    """A submission with other sources in some cells; `own` is a cell of the learner's before all others."""
    notebook = copy.deepcopy(released)
    for cell in notebook.cells:
        cell.source = sources.get(cell.id.replace("-", "_"), cell.source)
    if "own" in sources:
        place = 1 + next(i for i, cell in enumerate(notebook.cells) if cell.id == "setup")
        notebook.cells.insert(place, nbformat.v4.new_code_cell(sources["own"], id="own-1"))
    return notebook


@pytest.fixture(scope="module")
def as_it_is(sandbox):
    return sandbox.run("2-scores", SCORES, seed, SCORES)


@pytest.mark.grading
def test_a_changed_copy_shows_what_it_draws_itself(sandbox, as_it_is):
    mine = 'plots.arrows(X, words, "token", title="mine")'
    run = sandbox.run("2-scores", changed(SCORES, picture_tokens=mine), seed, SCORES)
    [picture] = shown(run, "picture-tokens")
    assert "mine" in picture["data"]["text/plain"]
    assert "<img" in picture["data"]["text/html"]
    for other in ("picture-asking", "picture-tie"):
        assert shown(run, other) == shown(as_it_is, other)


@pytest.mark.grading
def test_a_picture_of_what_the_learner_has_changed_is_the_learner_s(sandbox, as_it_is):
    run = sandbox.run("2-scores", changed(SCORES, own='words = ["Der", "Hund", "bellt"]'), seed, SCORES)
    assert "Hund" in shown(run, "picture-tokens")[0]["data"]["text/plain"]
    assert "Hund" in shown(run, "picture-asking")[0]["data"]["text/plain"], "it stands on more than its own cell"
    assert shown(run, "picture-tie") == shown(as_it_is, "picture-tie")


@pytest.mark.grading
def test_a_picture_of_the_learner_s_that_needs_what_is_not_there_says_so(sandbox):
    run = sandbox.run("3-softmax", changed(SOFTMAX, own="scores = scores[:, ::-1]"), seed, SOFTMAX)
    [said] = shown(run, "picture-temperature")
    assert "which is not there while a notebook is graded" in said["text"]


@pytest.mark.grading
def test_a_cell_that_fails_before_its_picture_has_none(sandbox, as_it_is):
    broken = changed(SCORES, own="np.vstack = None")
    run = sandbox.run("2-scores", broken, seed, SCORES)
    assert [output["output_type"] for output in shown(run, "picture-asking")] == ["error"]
    assert shown(run, "picture-tokens") == shown(as_it_is, "picture-tokens")


@pytest.mark.grading
def test_answers_find_what_cells_with_pictures_define(sandbox):
    uses = "print(keys_and_query.shape, sentence_scores.shape)"
    run = sandbox.run("2-scores", changed(SCORES, picture_tie=uses), seed, SCORES)
    assert shown(run, "picture-tie")[0]["text"] == "(4, 2) (3, 3)\n"


# ---- drawn once


@pytest.mark.grading
def test_each_notebook_is_drawn_once_by_all_who_share_a_warm_process(require, monkeypatch, as_it_is):
    require("bwrap")
    drawn, draw = [], drawings.Drawings._drawn
    monkeypatch.setattr(drawings.Drawings, "_drawn", lambda self, cells: drawn.append(1) or draw(self, cells))
    with Runner() as first:
        first.draw(SCORES)
        with Runner(warm=first._sandbox._warm.shared()) as second:
            for runner in (first, second, second):
                run = runner.run("2-scores", SCORES, seed, SCORES)
                assert shown(run, "picture-tie") == shown(as_it_is, "picture-tie")
        assert drawn == [1]
        first.draw(SOFTMAX)
        assert drawn == [1, 1]


@pytest.mark.grading
@pytest.mark.parametrize("trouble", ["no process", "a damaged file", "no time"])
def test_a_picture_that_cannot_be_drawn_costs_nothing_else(require, monkeypatch, trouble):
    require("bwrap")
    with Runner(limits=Limits(cell=0.02) if trouble == "no time" else None) as runner:
        if trouble == "no process":
            monkeypatch.setattr(runner._sandbox, "fork", lambda exercises: os.open("/no/such", os.O_RDONLY))
        elif trouble == "a damaged file":
            monkeypatch.setattr(json, "dumps", lambda value: "{")
        runner.draw(SCORES)
        monkeypatch.undo()
        runner.limits = runner._sandbox.limits = Limits()
        run = runner.run("2-scores", SCORES, seed, SCORES)
    assert shown(run, "picture-tie") == [{"output_type": "stream", "name": "stdout", "text": drawings.NOT_DRAWN}]
    assert not run.failures
    assert not run.unjudged
