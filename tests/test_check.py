"""`check` in a real kernel: what the learner sees, and what nbgrader reads."""

import nbformat
import pytest
from courseware import execute, text_of
from nbformat.v4 import new_code_cell, new_notebook

from grader.notebook import points_shown

pytestmark = pytest.mark.execution

SETUP = "import numpy as np\nfrom grader import check"
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


def test_the_words_are_shown_even_if_the_check_is_not_the_last_line(tmp_path):
    *_, cell = run(SETUP, WRONG, 'check("softmax", softmax); x = 1', folder=tmp_path)
    assert "you normalised down the columns" in text_of(cell)


def test_a_name_that_is_not_defined_is_explained_and_still_counts_as_failed(tmp_path):
    *_, cell = run(SETUP, "def softmax(x)\n    return x", 'check("softmax", softmax)', folder=tmp_path)
    assert [output.output_type for output in cell.outputs] == ["error"]
    said = "\n".join(cell.outputs[0].traceback)
    assert "`softmax` is not defined" in said
    assert "Run the cell above" in said
    assert "Traceback" not in said


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
    assert "does not come to an end" in text_of(cell)
