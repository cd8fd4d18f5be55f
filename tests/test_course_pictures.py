"""The course's own pictures in graded copies: which cells have them, that they are right, and whose they are."""

import copy

import nbformat
import pytest
from courseware import RELEASED, ROOT, check_cells, name_of, read

from grader.classroom.feedback.course_cells import course_cells
from grader.classroom.running.runner import Runner

PART = ROOT / "notebooks" / "1-context-vectors"
SOFTMAX = read(PART / "3-softmax.ipynb")


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


# ---- and nothing is drawn


@pytest.fixture(scope="module")
def sandbox(require):
    require("bwrap")
    with Runner() as running:
        yield running


def seed(exercise):
    return 7


def shown(run, cell_id):
    """A cell's outputs, without the numbers of the cells."""
    [cell] = [cell for cell in run.notebook.cells if cell.id == cell_id]
    return [{name: value for name, value in output.items() if name != "execution_count"} for output in cell.outputs]


INSTEAD = "(A picture: your own copy of the notebook shows it.)"


#: All its pictures show what the learner's own functions made.
OF_OWN_VECTORS = ("3-a-whole-transformer",)


@pytest.mark.grading
@pytest.mark.parametrize("path", RELEASED, ids=name_of)
def test_a_solved_notebook_gets_full_marks_and_its_copy_says_where_its_pictures_are(sandbox, path):
    released, solved = read(path), read(ROOT / "solutions" / path.parent.name / path.name)
    graded = sandbox.run(path.stem, solved, seed)
    assert not graded.failures
    assert not graded.unjudged
    checks = check_cells(solved)
    assert [graded.verdicts[cell.id].points for cell in checks] == [cell.metadata.nbgrader.points for cell in checks]
    for cell in graded.notebook.cells:
        for output in cell.get("outputs", []):
            assert output.output_type != "error", output
            assert output.get("name") != "stderr", output
    cells = course_cells(released)
    for cell in cells:
        outputs = shown(graded, cell.id)
        if cell.picture:
            assert outputs[-1]["data"] == {"text/plain": INSTEAD}, cell.id
    if path.stem not in OF_OWN_VECTORS:
        assert any(cell.picture for cell in cells)
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


ANY_PICTURE = """
from attnlib.plots import softmax_steps
import attnlib.widgets as live
import matplotlib
import matplotlib.pyplot as plt

matplotlib.use("TkAgg")
plt.switch_backend("nbagg")
%matplotlib notebook
picture = plots.softmax_at(scores[0], title="mine")
picture.svg(), softmax_steps(scores), live.explore_softmax(scores[0]), plots.of_no_such_name
for part in picture:
    pass
%autosave 60
get_ipython().kernel.banner
from attnlib.plots.matrices import heat_map
from attnlib.widgets.explorer import Explorer
(wide, high), *rest, last = heat_map(scores).get_size_inches(), 2, 3
assert rest == [2] and last == 3
a, *_, b = picture.axes
assert round(wide * 2 + 1 / high, 1) > 3
for ax in picture.axes[0].twins, *picture.axes:
    ax.set_title(f"{len(picture.axes)} of {float(wide):.1f}")
with picture as held:
    held.axes[0] = scores @ held + scores[0] * wide
colours = np.asarray(picture.canvas.buffer_rgba())[..., :3].mean()
figure, axes = plt.subplots(figsize=(wide, high))
np.asarray(figure.canvas.buffer_rgba()).shape
axes.plot([1, 2], label="mine")
figure.tight_layout()
plt.legend()
figure.add_axes((0, 0, wide / 2, np.array([high, 3]).mean()))
plt.show()
reached = True
"""


@pytest.mark.grading
def test_pictures_in_a_learner_s_own_cell_draw_nothing_and_keep_nothing_from_running(sandbox):
    run = sandbox.run("3-softmax", changed(SOFTMAX, own=ANY_PICTURE + "reached"), seed)
    [said, value] = shown(run, "own-1")
    assert said["text"].splitlines() == [
        "%matplotlib notebook: pictures are not drawn while a notebook is graded.",
        "%autosave is not there while a notebook is graded.",
    ]
    assert value["data"] == {"text/plain": "True"}


@pytest.mark.grading
def test_a_magic_that_is_misused_is_an_error_of_its_cell(sandbox):
    for own, said in (
        ("%timeit -z 1", "option -z not recognized"),
        ("%%timeit -z 1\n1", "option -z not recognized"),
    ):
        run = sandbox.run("3-softmax", changed(SOFTMAX, own=own), seed)
        [error] = shown(run, "own-1")
        assert (error["output_type"], error["ename"]) == ("error", "UsageError")
        assert said in error["evalue"]


COMPARES = """
from attnlib import entropy as theirs
from attnlib.softmax import softmax_with_temperature
from attnlib.mine import temperature_of
import attnlib

def entropy(weights):
    return -(weights * np.log(weights)).sum(axis=-1)

print(attnlib.softmax.__name__)
theirs(entropy)
"""


@pytest.mark.grading
def test_names_that_are_absent_can_be_imported_and_say_so_when_they_are_called(sandbox):
    run = sandbox.run("3-softmax", changed(SOFTMAX, own=COMPARES), seed)
    [said] = shown(run, "own-1")
    assert said["text"].startswith("softmax\nThis needs attnlib.entropy, which is not there while a notebook is graded")
    assert said["text"].count("\n") == 2
