"""`check` in a real kernel: what the learner sees, and what nbgrader reads."""

import time
from html import unescape

import nbformat
import numpy as np
import pytest
from courseware import execute, text_of
from nbformat.v4 import new_code_cell, new_markdown_cell, new_notebook

import attnlib
from grader.desk import lab
from grader.judging.cells import LONGEST, Cells, given_twice, names_changed, names_given, names_needed, names_used
from grader.notebook import points_shown

pytestmark = pytest.mark.execution

SETUP = "import numpy as np\nfrom grader import check"
RIGHT = (
    "def softmax(x):\n    powers = np.exp(x - x.max(axis=-1, keepdims=True))\n"
    "    return powers / powers.sum(axis=-1, keepdims=True)"
)
WRONG = "def softmax(x):\n    powers = np.exp(x - x.max(axis=0))\n    return powers / powers.sum(axis=0)"


def run(*sources, folder):
    cells = [new_code_cell(source, id=f"cell-{i}") for i, source in enumerate(sources)]
    return execute(nbformat.from_dict(new_notebook(cells=cells)), folder).cells


def test_a_failing_check_shows_its_words_and_gives_nbgrader_a_number(tmp_path):
    *_, cell = run(SETUP, WRONG, 'check("softmax", softmax)', folder=tmp_path)
    assert points_shown(cell) == 0
    assert "you normalised down the columns" in text_of(cell)
    shown = [output for output in cell.outputs if output.output_type == "display_data"]
    assert "text/html" in shown[0].data
    assert "Looks like" in shown[0].data["text/plain"]


@pytest.mark.parametrize("stub", ['def softmax(x):\n    """Weights."""\n    # YOUR CODE HERE', "softmax = None"])
def test_an_answer_that_is_undone_in_its_own_cell_is_told(stub, tmp_path):
    check = 'check("softmax", softmax)'
    first, _, second = run(SETUP, stub, check, f"{RIGHT}\n\n{stub}", check, folder=tmp_path)[2:]
    assert "more than once" not in text_of(first)
    assert "gives `softmax` a value more than once, and the last one counts" in text_of(second)


def test_the_words_are_shown_even_if_the_check_is_not_the_last_line(tmp_path):
    *_, cell = run(SETUP, WRONG, 'check("softmax", softmax); x = 1', folder=tmp_path)
    assert "you normalised down the columns" in text_of(cell)


def test_a_name_that_is_not_defined_is_explained_and_still_counts_as_failed(tmp_path):
    *_, cell = run(SETUP, "def softmax(x)\n    return x", 'check("softmax", softmax)', folder=tmp_path)
    assert [output.output_type for output in cell.outputs] == ["error"]
    said = "\n".join(cell.outputs[0].traceback)
    assert "not attempted yet: `softmax` is not defined yet" in said
    assert "ended with a SyntaxError (line 1: expected ':'): mend it" in said
    assert "Traceback" not in said


def test_a_name_of_which_nothing_is_known_is_sought_in_the_cell_above(tmp_path):
    above = "predict_softmax = 1\nfrom attnlib import softmax as softmax_with_temperature"
    *_, cell = run(SETUP, above, 'check("softmax", softmax)', folder=tmp_path)
    assert "Run the cell above this one first" in "\n".join(cell.outputs[0].traceback)


def test_what_keeps_an_answer_from_its_name_is_told(tmp_path):
    check = 'check("softmax", softmax)'
    own = {
        RIGHT.replace("softmax", "my_softmax"): "Your cell defines `my_softmax`; the task asks for `softmax`.",
        "%%timeit -n 1 -r 1\n" + RIGHT: "`%%timeit`, which keeps nothing of what it runs: take that line away",
        RIGHT.replace("\n", "\n# ").replace("def", "# def", 1): "holds your answer in comments only",
        "def main():\n"
        + RIGHT.replace("\n", "\n    ").replace("def", "    def", 1): "within something else, and outside",
        "return 3": "ended with a SyntaxError (line 1: 'return' outside function): mend it",
        "```python\ny = 1\n```": "the lines with ``` belong to a text cell: delete them): mend it",
    }
    for source, words in own.items():
        said = "\n".join(run(SETUP, source, check, folder=tmp_path)[-1].outputs[0].traceback)
        assert words in said
        assert "not attempted" not in said


def test_other_name_errors_keep_their_traceback(tmp_path):
    *_, cell = run(SETUP, "undefined_thing + 1", folder=tmp_path)
    assert "Traceback" in "\n".join(cell.outputs[0].traceback)
    assert "undefined_thing + " in "\n".join(cell.outputs[0].traceback)


def test_nothing_reaches_stderr_from_a_noisy_answer(tmp_path):
    noisy = (
        "import os, sys, warnings\n"
        "def softmax(x):\n"
        "    warnings.warn('careful'); sys.stderr.write('loud\\n'); os.write(2, b'louder\\n'); print('x')\n"
        "    powers = np.exp(x - x.max(axis=-1, keepdims=True))\n"
        "    return powers / powers.sum(axis=-1, keepdims=True)"
    )
    *_, cell = run(SETUP, noisy, 'check("softmax", softmax)', folder=tmp_path)
    assert points_shown(cell) == 4
    assert not [output for output in cell.outputs if output.output_type == "stream"]


def test_a_check_that_never_ends_is_stopped_in_the_kernel(tmp_path):
    endless = "def softmax(x):\n    while True:\n        pass"
    *_, cell = run(SETUP, endless, 'check("softmax", softmax)', folder=tmp_path)
    assert points_shown(cell) == 0
    assert "takes longer than the check waits" in text_of(cell)


# ---- an answer that is older than its cell


@pytest.mark.parametrize(
    ("later", "words"),
    [
        ("def softmax(x)\n    return x", "a SyntaxError (line 1: expected ':')"),
        ("y = nothing\n" + WRONG, "a NameError (name 'nothing' is not defined)"),
        ("def softmax(x):\nreturn x", "an IndentationError (line 2: "),
    ],
)
def test_a_check_says_that_it_judges_the_version_before_one_that_failed(later, words, tmp_path):
    check = 'check("softmax", softmax)'
    *_, old, _, new = run(SETUP, RIGHT, check, later, check, folder=tmp_path)
    assert "The last run" not in text_of(old)
    said = unescape(text_of(new)).replace("<code>", "`").replace("</code>", "`")
    assert f"The last run of the cell that defines `softmax` ended with {words}" in said
    assert points_shown(new) == 4


def test_an_answer_that_was_mended_is_new(tmp_path):
    *_, mended = run(SETUP, RIGHT, "def softmax(x)\n    return x", RIGHT, 'check("softmax", softmax)', folder=tmp_path)
    assert "The last run" not in text_of(mended)


def test_what_a_cell_has_defined_before_it_failed_is_new(tmp_path):
    *_, cell = run(SETUP, RIGHT, WRONG + "\nnothing", 'check("softmax", softmax)', folder=tmp_path)
    assert points_shown(cell) == 0
    assert "The last run" not in text_of(cell)


def test_an_answer_may_be_older_under_the_name_that_the_check_uses(tmp_path):
    later = "mine = lambda x: x\nmine = = 1"
    *_, cell = run(SETUP, RIGHT + "\nmine = softmax", later, 'check("softmax", mine)', folder=tmp_path)
    assert "the cell that defines <code>mine</code> ended with a SyntaxError" in text_of(cell)


def test_cells_are_followed_by_the_names_that_they_would_define():
    class Info:
        raw_cell = "a, b = 1, 2\nimport numpy.linalg\nfrom x import (y as z)\nif"

    class Result:
        error_before_exec, error_in_exec = SyntaxError("bad"), None

    cells = Cells({"In": ["", "running"]})
    assert cells.source == "running"
    cells.begin(Info)
    cells.end(Result)
    assert set(cells.failed) == {"a", "b", "numpy", "z"} == names_given(Info.raw_cell)
    assert "`b` ended with a SyntaxError (bad), " in cells.older(["c", "b"])
    assert cells.older(["c"]) == ""


def test_a_cell_that_was_stopped_has_imported_all_the_same():
    class Info:
        raw_cell = "import numpy as np\nfrom attnlib import softmax\ntries = slow()"

    class Result:
        error_before_exec, error_in_exec = None, KeyboardInterrupt()

    cells = Cells({"np": np, "softmax": attnlib.softmax, "tries": 3})
    cells.begin(Info)
    cells.end(Result)
    assert set(cells.failed) == {"tries"}


# ---- cells that were not run


def saved(*cells, folder):
    """The cells that were run of a notebook that lies where its kernel works: pairs of source and whether to run it."""
    new = {"#": new_markdown_cell}
    whole = [new.get(source[0], new_code_cell)(source, id=f"cell-{i}") for i, (source, _) in enumerate(cells)]
    nbformat.write(nbformat.from_dict(new_notebook(cells=whole)), folder / "a.ipynb")
    return run(*[source for source, is_run in cells if is_run], folder=folder)


@pytest.fixture
def course_kernel(monkeypatch, tmp_path):
    """The kernel that `make lab` starts."""
    monkeypatch.setenv("JUPYTER_PATH", lab.environment("learner", "token", tmp_path)["JUPYTER_PATH"])


@pytest.mark.parametrize(
    "source", ['check("softmax", softmax)', "plots.arrows(1)", "def f():\n    return plots.x\nf()"]
)
def test_before_the_first_cell_was_run_each_name_of_it_leads_there(source, tmp_path, course_kernel):
    first = SETUP + "\nfrom attnlib import plots"
    (cell,) = saved(("# Softmax", False), (first, False), (WRONG, False), (source, True), folder=tmp_path)
    assert [output.output_type for output in cell.outputs] == ["error"]
    said = "\n".join(cell.outputs[0].traceback)
    assert "Run the first code cell of this notebook, which begins with `import numpy as np`, and then this" in said
    assert "Run > Run All Above Selected Cell" in said
    assert "Traceback" not in said


def test_without_the_saved_notebook_the_first_cell_is_not_known_and_the_error_stays(tmp_path, course_kernel):
    (cell,) = run("plots.arrows(1)", folder=tmp_path)
    assert "Traceback" in "\n".join(cell.outputs[0].traceback)


@pytest.mark.parametrize("source", ['check("softmax", softmax)', "softmax(1)"])
def test_a_name_of_another_cell_leads_to_that_cell(source, tmp_path):
    above = [(SETUP, True), ("## 3. Softmax · easy", False), ("#: none", False)]
    *_, cell = saved(*above, (WRONG, False), (source, True), folder=tmp_path)
    said = "\n".join(cell.outputs[0].traceback)
    assert "`softmax` is not defined yet." in said
    assert ("not attempted yet" in said) == source.startswith("check")
    assert "Run the cell that begins with `def softmax(x):`, in the section “3. Softmax”, first." in said
    assert "Traceback" not in said


def test_inside_a_function_the_line_says_more_than_a_cell(tmp_path):
    source = "def f():\n    return softmax(1)\nf()"
    *_, cell = saved((SETUP, True), (WRONG, False), (source, True), folder=tmp_path)
    assert "Traceback" in "\n".join(cell.outputs[0].traceback)


def test_a_name_that_only_its_own_cell_defines_keeps_its_traceback(tmp_path):
    *_, cell = saved((SETUP, True), ("total = total + 1", True), folder=tmp_path)
    assert "Traceback" in "\n".join(cell.outputs[0].traceback)


@pytest.mark.parametrize(
    "below",
    [
        "y = " + "-" * 5_000 + "1",
        "y = " + "-" * 50_000 + "1",
        "y = " + "1 + " * 20_000 + "1",
        "if 0: pass\n" + "elif 0: pass\n" * 5_000,
        "y = 1 #" + "#" * LONGEST,
        "import " + "y." * LONGEST + "z",
        "y y\nimport z" + " " * LONGEST + "as y",
    ],
    ids=["minus", "more minus", "plus", "elif", "long", "dots", "blanks"],
)
def test_a_cell_that_pythons_parser_cannot_hold_is_read_by_its_lines(below):
    source = f"def f(x):\n    return x\n\n{below}"
    began = time.thread_time()
    assert "f" in names_given(source)
    assert names_given(source) <= names_changed(source) <= {"f", "y", "z"}
    assert not names_used(source) | names_needed(source)
    assert given_twice(f"{source}\nf = None", "f") == ""
    assert time.thread_time() - began < 2
