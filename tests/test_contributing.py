"""The path of a contributor: what CONTRIBUTING says, done in a copy of the repository."""

import ast
import os
import re
import shutil
import subprocess
import sys

import nbformat
import pytest
from courseware import ROOT

from grader.__main__ import main
from grader.desk.new import new_exercise, new_notebook
from grader.errors import CourseError

CONTRIBUTING = (ROOT / "CONTRIBUTING.md").read_text(encoding="utf-8")
FOLDER = "p1_context_vectors/n4_context_vectors"
NOTEBOOK = "1-context-vectors/4-context-vectors.ipynb"
BANK = '''import numpy as np

from grader.exercises.inputs import matrix
from grader.exercises.kinds import Case, function


def inputs(n_queries, n_keys, d):
    return lambda rng: {
        "Q": matrix(rng, n_queries, d),
        "K": matrix(rng, n_keys, d),
        "V": matrix(rng, n_keys, 3),
    }


@function(
    points=3,
    returns="context",
    cases=(
        Case("2 queries, 5 keys", inputs(2, 5, 3), 0.4),
        Case("7 queries, 3 keys", inputs(7, 3, 11), 0.3),
        Case("as many queries as keys", inputs(5, 5, 2), 0.2),
    ),
    mistakes="""
    natural: you used e for the base, not 2 ->
        Then the weights are those of softmax, which are sharper. -> Raise 2 to the scores.
    not-normalised: your weights do not sum to 1 ->
        A context is an average of the values. -> Divide each row by its sum.
    columns: you normalised down the columns ->
        Down a column, the weights belong to different queries. -> Take the sums along the last axis.
    """,
)
def binary_attention(Q, K, V, wrong=frozenset()):
    """Weights with base 2, and the mistakes that people make with them."""
    powers = (np.e if "natural" in wrong else 2.0) ** (np.asarray(Q) @ np.asarray(K).T)
    if "not-normalised" in wrong:
        return powers @ V
    return powers / powers.sum(axis=0 if "columns" in wrong else 1, keepdims=True) @ V
'''
ANSWERS = """import numpy as np

from attnlib import softmax


def in_loops(Q, K, V):
    rows = []
    for q in Q:
        powers = [2 ** (q @ k) for k in K]
        rows.append(sum(power * v for power, v in zip(powers, V, strict=True)) / sum(powers))
    return np.array(rows)


def in_one_line(Q, K, V):
    return (np.exp2(Q @ K.T) / np.exp2(Q @ K.T).sum(axis=1, keepdims=True)) @ V


def with_einsum(Q, K, V):
    powers = np.exp2(np.einsum("qd,kd->qk", Q, K))
    return np.einsum("qk,kv->qv", powers, V) / powers.sum(axis=1)[:, None]


def by_softmax(Q, K, V):
    return softmax(np.log(2) * Q @ K.T) @ V


def in_single_precision(Q, K, V):
    powers = np.exp2((Q @ K.T).astype(np.float32))
    return powers / powers.sum(axis=-1, keepdims=True) @ V


def with_more_arguments(Q, K, V, *, base=2.0):
    powers = base ** (Q @ K.T)
    return powers / powers.sum(axis=-1, keepdims=True) @ V


VARIANTS = [in_loops, in_one_line, with_einsum, by_softmax, in_single_precision, with_more_arguments]


def plain_softmax(Q, K, V):
    return softmax(Q @ K.T) @ V


WRONG = [(plain_softmax, "natural")]
"""
LIBRARY = '''def binary_attention(Q, K, V):
    """Average the values with powers of 2 of the scores as weights.

    Parameters
    ----------
    Q : ndarray of shape (n_queries, d)
    K : ndarray of shape (n_keys, d)
    V : ndarray of shape (n_keys, d_v)

    Returns
    -------
    context : ndarray of shape (n_queries, d_v)

    Raises
    ------
    ValueError
        If the shapes disagree.

    Examples
    --------
    >>> binary_attention([[1.0]], [[1.0], [0.0]], [[3.0], [0.0]])
    array([[2.]])
    """
    Q, K, V = _check.queries_keys_values(Q, K, V)
    powers = 2.0 ** dot_scores(Q, K)
    return powers / powers.sum(axis=-1, keepdims=True) @ V
'''
TESTS = """def test_powers_of_2_weigh_the_values():
    assert np.allclose(binary_attention([[1.0]], [[1.0], [0.0]], [[3.0], [0.0]]), 2)
"""
SOLUTION = """    powers = 2.0 ** dot_scores(Q, K)  # (n_queries, n_keys)
    return powers / powers.sum(axis=1, keepdims=True) @ V  # (n_queries, d_v)"""


def files(root):
    return {path: path.read_bytes() for path in root.rglob("*") if path.is_file() and "__pycache__" not in path.parts}


def copied(folder):
    """Copy what the commands touch into a folder."""
    for name in ("attnlib", "grader", "notebooks", "solutions", "tests"):
        shutil.copytree(ROOT / name, folder / name, ignore=shutil.ignore_patterns("__pycache__"))
    for name in ("README.md", "CONTRIBUTING.md", "Makefile", "nbgrader_config.py", "pyproject.toml", "docs"):
        (shutil.copytree if (ROOT / name).is_dir() else shutil.copy)(ROOT / name, folder / name)
    return folder


@pytest.fixture
def copy(tmp_path):
    """Return a copy to change."""
    return copied(tmp_path)


@pytest.fixture(scope="module")
def untouched(tmp_path_factory):
    """Return a copy that no test changes, and what is in it."""
    folder = copied(tmp_path_factory.mktemp("untouched"))
    return folder, files(folder)


def run(folder, *command):
    return subprocess.run(
        [sys.executable, "-m", *command],
        cwd=folder,
        env={**os.environ, "PYTHONPATH": str(folder), "PYTHONIOENCODING": "utf-8"},
        capture_output=True,
        text=True,
        encoding="utf-8",
        check=False,
    )


def put(path, old, new):
    text = path.read_text(encoding="utf-8")
    replaced = re.sub(old, lambda _: new, text, count=1, flags=re.DOTALL)
    assert replaced != text
    path.write_text(replaced, encoding="utf-8")


def fill_in(copy):
    """Write what `new exercise` asked for."""
    (copy / f"grader/exercises/{FOLDER}/binary_attention.py").write_text(BANK, encoding="utf-8")
    (copy / f"tests/variants/{FOLDER}/binary_attention.py").write_text(ANSWERS, encoding="utf-8")
    put(copy / "attnlib/context_vectors.py", r"def binary_attention.*", LIBRARY)
    put(copy / "tests/test_context_vectors.py", r"def test_TODO.*", TESTS)
    path = copy / "solutions" / NOTEBOOK
    notebook = nbformat.read(path, as_version=4)
    for cell in notebook.cells:
        cell.source = cell.source.replace('    raise NotImplementedError("TODO: the model answer")', SOLUTION)
        cell.source = cell.source.replace("TODO minutes", "8 minutes").replace("TODO", "Powers of 2 weigh the values")
    nbformat.write(notebook, path)


@pytest.mark.execution
@pytest.mark.thorough
def test_a_newcomer_adds_an_exercise(copy):
    laid_out = run(
        copy, "grader", "new", "exercise", "binary_attention", "--notebook", "4-context-vectors",
        "--after", "context_vectors", "--signature", "binary_attention(Q, K, V)",
    )  # fmt: skip
    assert laid_out.returncode == 0, laid_out.stderr
    assert "python -m grader try binary_attention" in laid_out.stdout
    tried = run(copy, "grader", "try", "binary_attention", "--seeds", "2")
    assert tried.returncode == 1
    for left in (
        f"grader/exercises/{FOLDER}/binary_attention.py: there are TODOs left",
        f"tests/variants/{FOLDER}/binary_attention.py: there are TODOs left",
        "tests/test_context_vectors.py: there are TODOs left",
        f"solutions/{NOTEBOOK}: there are TODOs left in its cells",
        "attnlib/context_vectors.py: the docstring of binary_attention lacks",
        f"notebooks/{NOTEBOOK} is stale",
        "1 mistake; think of at least 3",
    ):
        assert left in tried.stdout

    fill_in(copy)
    for command in (["normalize"], ["release"], ["try", "binary_attention", "--seeds", "5"]):
        done = run(copy, "grader", *command)
        assert done.returncode == 0, done.stdout + done.stderr
    assert "Everything is there." in done.stdout
    chosen = "binary_attention or 4-context-vectors or road_map or fresh_release or its_cells_once"
    tests = [f"tests/test_{name}.py" for name in ("bank", "context_vectors", "notebooks", "readme", "structure")]
    tested = run(copy, "pytest", "-q", "-p", "no:cacheprovider", *tests, "-k", chosen)
    assert tested.returncode == 0, tested.stdout
    assert not re.search(r"\b0 passed", tested.stdout)
    assert run(copy, "ruff", "check", ".").returncode == 0


@pytest.mark.execution
def test_a_newcomer_adds_a_notebook_and_exercises_of_every_kind(copy):
    new_notebook(copy, "6-beyond/1-images", "Images")
    new_exercise(copy, "merged_parts", "1-images", signature="merged_parts(n, d)", points=2)
    for kind in ("value", "choice", "search"):
        new_exercise(copy, f"some-{kind}", "1-images", kind=kind, points=1)
    assert run(copy, "ruff", "format", "--check", ".").returncode == 0
    ids = ["predict-images", "merged_parts", "some-value", "some-choice", "some-search"]
    tree = ast.parse((copy / "grader/exercises/p6_beyond/n1_images/__init__.py").read_text(encoding="utf-8"))
    assert ast.literal_eval(tree.body[1].value).split() == ids
    assert run(copy, "grader", "release").returncode == 0
    chosen = "1-images and (normal_form or anatomy or numbered or in_its_order or short)"
    tested = run(copy, "pytest", "-q", "-p", "no:cacheprovider", "tests/test_notebooks.py", "-k", chosen)
    assert tested.returncode == 0, tested.stdout
    assert "5 passed" in tested.stdout


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        (("softmax", "3-softmax"), "already"),
        (("the_tie", "3-softmax"), "already"),
        (("context_vector", "4-context-vectors"), "already"),
        (("Bad", "3-softmax"), "no id"),
        (("bad-name", "3-softmax"), "no id"),
        (("fine", "9-nowhere"), "no notebook"),
        (("fine", "3-softmax", "dot_scores"), "has no exercise dot_scores"),
        (("fine", "3-softmax"), "needs its signature"),
        (("fine", "3-softmax", None, "function", "other(x)"), "no signature"),
        (("fine", "3-softmax", None, "function", "fine(x"), "no signature"),
        (("fine", "3-softmax", None, "function", "fine()"), "no signature"),
        (("fine_one", "3-softmax", None, "value"), "no id"),
        (("fine", "3-softmax", None, "function", None, 0), "at least 1"),
        (("unit_rows", "2-scores", None, "function", "unit_rows(X)"), "has a function unit_rows already"),
    ],
)
def test_what_cannot_be_added_is_refused_and_nothing_written(untouched, arguments, words):
    copy, before = untouched
    with pytest.raises(CourseError, match=words):
        new_exercise(copy, *arguments)
    assert files(copy) == before


@pytest.mark.parametrize("name", ["1-context-vectors/5-softmax", "positions", "4-Deep/1-x", "../4-a/1-b"])
def test_a_notebook_that_cannot_be_added_is_refused_and_nothing_written(untouched, name):
    copy, before = untouched
    with pytest.raises(CourseError, match=r"already|no name"):
        new_notebook(copy, name, "Title")
    assert files(copy) == before


def test_an_exercise_of_the_bank_passes_its_examination(capsys):
    assert main(["try", "row_means", "--seeds", "2"]) == 0
    assert "Everything is there." in capsys.readouterr().out
    assert main(["try", "nothing"]) == 2


def test_contributing_names_the_commands():
    for command in ("new exercise", "new notebook", "try"):
        assert f"python -m grader {command}" in CONTRIBUTING
