"""A learner's own library: what is kept, what later notebooks get, and what stands in where that fails."""

import errno
import inspect
import itertools
import linecache
import os
import re
import threading
import time

import numpy as np
import pytest
from courseware import ROOT, execute, text_of
from nbformat.v4 import new_code_cell, new_notebook

import attnlib
from attnlib import mine
from grader import __main__ as commands
from grader import check
from grader.classroom.sandbox import library
from grader.exercises import BANK
from grader.exercises.kinds import FunctionExercise
from grader.judging import keeping
from grader.judging.judge import judge
from grader.judging.keeping import library_tree
from grader.progress import progress_picture

PART = "3-multi-head"
SOFTMAX = """
def softmax(x):
    powers = np.exp(x - x.max(axis=1, keepdims=True))
    return powers / powers.sum(axis=1, keepdims=True)
"""
ATTENTION = """
def masked_attention(Q, K, V, mask):
    weights = masked_softmax(Q @ np.swapaxes(K, -1, -2) / np.sqrt(K.shape[-1]), mask)
    return weights @ V, weights
"""
MASKED = """
def masked_softmax(scores, mask):
    scores = np.where(mask, scores, -np.inf)
    top = scores.max(axis=-1, keepdims=True)
    powers = np.where(mask, np.exp(scores - np.where(np.isfinite(top), top, 0.0)), 0.0)
    total = powers.sum(axis=-1, keepdims=True)
    return np.divide(powers, total, out=np.zeros_like(powers), where=total > 0)
"""
_numbers = itertools.count()


def cell(source, **names):
    """What a cell of a notebook defines."""
    name = f"<cell {next(_numbers)}>"
    linecache.cache[name] = (len(source), None, source.splitlines(keepends=True), name)
    scope = {"__name__": "__main__", "np": np, **names}
    exec(compile(source, name, "exec"), scope)
    return scope


@pytest.fixture
def home(tmp_path, monkeypatch):
    """A learner's library, who works in a part of the course."""
    (tmp_path / PART).mkdir()
    monkeypatch.chdir(tmp_path / PART)
    monkeypatch.setattr(mine, "_said", mine._Said())
    return tmp_path / "mine"


@pytest.fixture
def rng():
    """Make numbers."""
    return np.random.default_rng(3)


def put(home, name, text):
    """Put a file into the library as it is."""
    home.mkdir(exist_ok=True)
    (home / f"{name}.py").write_text(f"import numpy as np\n{text}", encoding="utf-8")


def lines():
    """What the end of this cell would say."""
    return list(mine._said.lines)


def notes(exercise, answer, capsys):
    """The lines below a check."""
    capsys.readouterr()
    check(exercise, answer)
    return " ".join(re.sub(r"^ +", "", line) for line in capsys.readouterr().out.splitlines())


# ---------------------------------------------------------------- keeping


def test_a_function_is_kept_with_all_that_it_stands_on_and_found_by_later_notebooks(home, capsys):
    scope = cell(
        "from numpy import exp\nLEAST = -np.inf\nQ = np.ones(3)\n"
        "def shifted(x, to=0.0):\n    Q = np.maximum(x, LEAST)\n    return Q - Q.max(axis=1, keepdims=True) + to\n"
        "def softmax(x):\n    # mine\n    powers = exp(shifted(x))\n    return powers / powers.sum(axis=1)[:, None]\n"
    )
    assert "`softmax` is in your own library: `attnlib.mine` has it from now on." in notes(
        "softmax", scope["softmax"], capsys
    )
    assert [path.name for path in home.glob("*.py*")] == ["softmax.py"], "beside the parts, never in one"
    text = (home / "softmax.py").read_text(encoding="utf-8")
    assert "LEAST = float('-inf')" in text.replace('"', "'")
    assert "Q = np.ones" not in text
    assert "from numpy import exp" in text
    assert "# mine" in inspect.getsource(mine.softmax)
    np.testing.assert_allclose(mine.softmax(np.zeros((2, 5, 4))), 0.25)


def test_later_passes_replace_it_and_later_failures_leave_it(home, capsys):
    first, second = (cell(f"def causal_mask(n):\n    return {body}")["causal_mask"] for body in (
        "np.tri(n, dtype=bool)", "np.tri(n) > 0"))  # fmt: skip
    assert "in your own library:" in notes("causal_mask", first, capsys)
    assert "your own library" not in notes("causal_mask", first, capsys), "nothing new"
    assert "has this version" in notes("causal_mask", second, capsys)
    kept = (home / "causal_mask.py").read_text(encoding="utf-8")
    assert "np.tri(n) > 0" in kept
    wrong = cell("def causal_mask(n):\n    return np.ones((n, n), dtype=bool)")["causal_mask"]
    assert "your own library" not in notes("causal_mask", wrong, capsys)
    assert (home / "causal_mask.py").read_text(encoding="utf-8") == kept


def test_what_has_too_few_digits_for_later_notebooks_is_not_kept(home, capsys):
    text = """
def softmax(x):
    powers = np.exp((x - np.max(x, axis=-1, keepdims=True)){short})
    return powers / powers.sum(axis=-1, keepdims=True)
"""
    short = cell(text.format(short=".astype(np.float32)"))["softmax"]
    assert judge("softmax", short).passed
    assert "single precision" in notes("softmax", short, capsys)
    assert not (home / "softmax.py").exists()
    assert "is in your own library" in notes("softmax", cell(text.format(short=""))["softmax"], capsys)


def test_what_is_partly_right_is_not_kept(home, capsys):
    scope = cell(
        MASKED.replace("out=np.zeros_like(powers), where=total > 0", "out=np.ones_like(powers), where=total > 0")
    )
    assert 0 < float(check("masked_softmax", scope["masked_softmax"])) < 4
    assert not list(home.glob("*.py*"))


def test_an_exercise_that_is_no_function_keeps_nothing(home):
    assert keeping.keep("predict-softmax", "b") == ""
    assert not list(home.glob("*.py*"))


def test_functions_that_are_kept_already_are_called_and_not_copied(home):
    scope = cell(MASKED + ATTENTION)
    check("masked_attention", scope["masked_attention"])
    assert "def masked_softmax" in (home / "masked_attention.py").read_text(encoding="utf-8")
    check("masked_softmax", scope["masked_softmax"])
    check("masked_attention", scope["masked_attention"])
    text = (home / "masked_attention.py").read_text(encoding="utf-8")
    assert "def masked_softmax" not in text
    assert "from attnlib.mine import masked_softmax\n" in text
    assert mine.kept()["masked_attention"].uses == ("masked_softmax",)
    with mine.watched() as ran:
        mine.masked_attention(np.ones((2, 3)), np.ones((2, 3)), np.ones((2, 3)), np.tri(2, dtype=bool))
    assert ran.mine == ["masked_attention", "masked_softmax"]


def test_a_function_that_needs_another_version_than_the_one_that_is_kept_brings_its_own(home):
    check("masked_softmax", cell(MASKED)["masked_softmax"])
    scope = cell(
        MASKED.replace("(scores, mask)", "(scores, mask, factor)").replace("scores, -np", "factor * scores, -np")
        + ATTENTION.replace(" / np.sqrt(K.shape[-1]), mask)", ", mask, K.shape[-1] ** -0.5)")
    )
    assert "in your own library" in keeping.keep("masked_attention", scope["masked_attention"])
    assert "def masked_softmax(scores, mask, factor)" in (home / "masked_attention.py").read_text(encoding="utf-8")


def test_a_lambda_and_another_name_are_kept_under_the_name_of_the_exercise(home):
    mask_of = cell("mask_of = lambda n: np.tri(n, dtype=bool)")["mask_of"]
    assert "in your own library:" in keeping.keep("causal_mask", mask_of)
    assert mine.causal_mask(2).tolist() == [[True, False], [True, True]]
    assert "in your own" in keeping.keep("dot_scores", cell("def product(A, B):\n    return A @ B.T")["product"])
    assert mine.dot_scores(np.eye(2), np.eye(2)).tolist() == [[1, 0], [0, 1]]


def test_what_a_function_took_from_the_course_it_takes_from_mine_from_then_on(home):
    scope = cell("from attnlib import softmax as soft, dot_scores\nfrom attnlib import mine\n"
                 "def context_vectors(Q, K, V):\n    return soft(mine.dot_scores(Q, K)) @ V")  # fmt: skip
    assert "in your own library:" in keeping.keep("context_vectors", scope["context_vectors"])
    assert set(mine.kept()["context_vectors"].uses) == {"softmax", "dot_scores"}
    put(home, "softmax", SOFTMAX)
    with mine.watched() as ran:
        mine.context_vectors(np.eye(2), np.eye(2), np.eye(2))
    assert ran.mine == ["context_vectors", "softmax"]
    assert ran.calls == [("context_vectors", "dot_scores"), ("context_vectors", "softmax")]


def made_inside():
    rows = 3
    return cell("def make(rows):\n    def causal_mask(n):\n        return np.tri(n, dtype=bool)[:, :max(n, rows)]\n"
                "    return causal_mask")["make"](rows)  # fmt: skip


@pytest.mark.parametrize(
    ("answer", "why"),
    [
        (lambda: cell("def causal_mask(n):\n    return TABLE[:n, :n]", TABLE=np.tri(500, dtype=bool))["causal_mask"],
         "it uses `TABLE`, which only this notebook has"),
        (made_inside, "it was made inside another function"),
        (lambda: np.vectorize(lambda n: n), "it is no plain function"),
        (lambda: eval("lambda n: np.tri(n, dtype=bool)", {"np": np}), "the lines of `<lambda>` are not known"),
    ],
    ids=["data", "closure", "object", "no lines"],
)  # fmt: skip
def test_what_cannot_be_kept_is_told_and_changes_no_verdict(home, answer, why):
    assert why in keeping.keep("causal_mask", answer())
    assert not list(home.glob("*.py*"))


def test_nothing_is_said_of_a_function_that_no_later_notebook_asks_for(home):
    for name in ("recall", "sentence_vector"):  # the library has one of them; its notebook is the last
        assert name in BANK
        assert keeping.keep(name, np.vectorize(lambda x: x)) == ""


def test_what_passes_in_its_notebook_only_is_not_kept(home):
    scope = cell("HIDDEN = {'n': 1}\ndef causal_mask(n):\n    return np.tri(n, dtype=bool)")
    linecache.cache[scope["causal_mask"].__code__.co_filename][2][-1] = "    return np.ones((n, n), dtype=bool)\n"
    assert "passes in this notebook only" in keeping.keep("causal_mask", scope["causal_mask"])
    assert not list(home.glob("*.py*"))


@pytest.mark.parametrize(
    ("number", "said"),
    [(errno.ENOSPC, "the disk is full"), (errno.EACCES, "Permission denied"), (errno.EROFS, "ead-only")],
)
def test_a_library_that_cannot_be_written_costs_nothing(home, capsys, monkeypatch, number, said):
    def fails(*_):
        raise OSError(number, os.strerror(number))

    answer = cell("def causal_mask(n):\n    return np.tri(n, dtype=bool)")["causal_mask"]
    put(home, "causal_mask", "old = 1")
    monkeypatch.setattr(keeping, "write_whole", fails)
    shown = notes("causal_mask", answer, capsys)
    assert "causal_mask: correct" in shown
    assert said in shown
    assert "old = 1" in (home / "causal_mask.py").read_text(encoding="utf-8")


def test_whatever_goes_wrong_in_keeping_the_verdict_stands(home, capsys, monkeypatch):
    monkeypatch.setattr(keeping, "source_of", lambda *_: 1 / 0)
    answer = cell("def causal_mask(n):\n    return np.tri(n, dtype=bool)")["causal_mask"]
    shown = notes("causal_mask", answer, capsys)
    assert "causal_mask: correct" in shown
    assert "reading it ended with ZeroDivisionError" in shown


# ---------------------------------------------------------------- whose functions serve


@pytest.mark.parametrize("where", ["notebooks", "solutions"])
def test_in_the_courses_own_folders_nothing_is_kept(where, monkeypatch):
    monkeypatch.chdir(ROOT / where / PART)
    assert mine.folder() is None


@pytest.mark.parametrize("mode", ["autograde", "validate"])
def test_what_is_graded_or_validated_has_the_courses_functions_and_keeps_none(home, monkeypatch, mode, capsys):
    put(home, "softmax", SOFTMAX)
    assert mine.softmax is not attnlib.softmax
    monkeypatch.setenv("NBGRADER_EXECUTION", mode)
    assert mine.softmax is attnlib.softmax
    check("causal_mask", cell("def causal_mask(n):\n    return np.tri(n, dtype=bool)")["causal_mask"])
    assert [path.name for path in home.glob("*.py*")] == ["softmax.py"]


def test_work_has_its_library_and_a_folder_that_is_no_part_has_none(tmp_path, monkeypatch):
    monkeypatch.setattr(mine, "_COURSE", tmp_path)
    (tmp_path / "notebooks" / PART).mkdir(parents=True)
    for name in (f"work/{PART}", "work"):
        (tmp_path / name).mkdir(parents=True, exist_ok=True)
        monkeypatch.chdir(tmp_path / name)
        assert mine.folder() == tmp_path / "work" / "mine"
    monkeypatch.chdir(tmp_path.parent)
    assert mine.folder() is None
    assert mine.softmax is attnlib.softmax


def test_everything_of_the_library_is_seen_through_it_and_nothing_else(home):
    assert mine.load_nile is attnlib.load_nile
    assert all(getattr(mine, name) is thing for name, thing in vars(attnlib).items() if callable(thing))
    with pytest.raises(AttributeError, match="none of yours that has passed its check"):
        getattr(mine, "nothing_of_that_name")  # noqa: B009
    with pytest.raises(ImportError):
        from attnlib.mine import nothing_of_that_name  # noqa: F401
    put(home, "recall", "def recall(q):\n    return q + 1")
    assert mine.recall(1) == 2


DAMAGED = {
    "empty": b"",
    "half": b"def softmax(x):\n    return (x",
    "raises": b"1 / 0",
    "no text": b"\xff\xfe\x00",
    "nul": b"\x00",
    "other name": b"def other(x): return x",
    "no function": b"softmax = 3",
    "import": b"import nothing_of_that_name\ndef softmax(x): return x",
}


@pytest.mark.parametrize("content", DAMAGED.values(), ids=DAMAGED)
def test_a_damaged_file_is_told_in_one_line_and_the_courses_stands_in(home, content):
    home.mkdir()
    (home / "softmax.py").write_bytes(content)
    assert mine.softmax is attnlib.softmax
    assert mine.softmax is attnlib.softmax
    assert len(lines()) == 1
    assert lines()[0].startswith("Your softmax cannot be used (")
    assert "\n" not in lines()[0]
    assert mine.kept()["softmax"].on


def test_a_function_that_was_changed_is_read_anew(home):
    for number in (1, 2):
        put(home, "dot_scores", f"def dot_scores(Q, K):\n    return np.full((1, 1), {number})" + "\n" * number)
        assert mine.dot_scores(1, 1) == number


def test_two_functions_that_call_each_other_come_to_an_end(home):
    put(home, "softmax", "from attnlib.mine import masked_softmax\n"
        "def softmax(x):\n    return masked_softmax(x, np.ones(x.shape, dtype=bool))")  # fmt: skip
    put(home, "masked_softmax", "from attnlib.mine import softmax\n"
        "def masked_softmax(s, m):\n    return softmax(np.where(m, s, -1e30))")  # fmt: skip
    np.testing.assert_allclose(mine.softmax(np.zeros((1, 2))), [[0.5, 0.5]])
    np.testing.assert_allclose(mine.masked_softmax(np.zeros((1, 2)), [[True, False]]), [[1, 0]])
    assert lines() == [], "neither waits for the other"
    assert [row[1] for row in mine.tree(mine.kept())] == ["masked_softmax", "softmax", "masked_softmax"]


# ---------------------------------------------------------------- calling it


def test_where_only_the_learners_function_raises_the_courses_stands_in_and_says_so_once(home):
    put(home, "dot_scores", "calls = []\ndef dot_scores(Q, K):\n    calls.append(1)\n    raise IndexError('no')")
    dot_scores = mine.dot_scores
    assert dot_scores(np.eye(2), np.eye(2)).tolist() == np.eye(2).tolist()
    assert dot_scores(np.eye(2), np.eye(2)).tolist() == np.eye(2).tolist()
    assert inspect.unwrap(dot_scores).__globals__["calls"] == [1]
    assert len(lines()) == 1
    assert lines()[0].startswith("Your dot_scores raised IndexError where the course's does not; the course's stands")


def test_where_both_raise_it_is_the_learners_error(home):
    put(home, "dot_scores", "def dot_scores(Q, K):\n    raise IndexError('mine')")
    with pytest.raises(IndexError, match="mine"):
        mine.dot_scores(np.ones((2, 3)), np.ones((2, 4)))
    assert lines() == []


def test_an_argument_that_the_exercise_did_not_ask_for_is_the_courses_work_in_that_call(home):
    name = "scaled_dot_product_attention"
    put(home, name, f"def {name}(Q, K, V):\n    return 'context', 'weights'")
    Q = np.eye(2)
    attention = getattr(mine, name)
    for _ in range(2):
        assert attention(Q, Q, Q, mask=np.tri(2, dtype=bool))[1][0, 1] == 0
    assert attention(Q, Q, Q)[0] == "context"
    assert len(lines()) == 1
    assert "does not take all" in lines()[0]
    mine._said.lines.clear()
    attention(Q, Q, Q, mask=np.tri(2, dtype=bool))
    assert lines() == [], "once is enough"


ENDLESS = "def {}:\n    while True:\n        pass"


def test_a_call_that_takes_far_longer_than_the_courses_falls_back(home, monkeypatch):
    monkeypatch.setattr(mine, "PATIENCE", 0.3)
    put(home, "dot_scores", ENDLESS.format("dot_scores(Q, K)"))
    began = time.monotonic()
    for _ in range(50):
        assert mine.dot_scores(np.eye(2), np.eye(2)).tolist() == np.eye(2).tolist()
    assert time.monotonic() - began < 3
    assert len(lines()) == 1
    assert lines()[0].startswith("Your dot_scores took more than")


def test_the_function_that_takes_the_time_is_the_one_that_is_replaced(home, monkeypatch):
    monkeypatch.setattr(mine, "PATIENCE", 0.3)
    put(home, "dot_scores", ENDLESS.format("dot_scores(Q, K)"))
    put(home, "context_vectors", "from attnlib.mine import dot_scores\ndef context_vectors(Q, K, V):\n"
        "    return 2 * dot_scores(Q, K)")  # fmt: skip
    assert mine.context_vectors(np.eye(2), np.eye(2), np.eye(2)).tolist() == [[2, 0], [0, 2]]
    assert [line.split()[1] for line in lines()] == ["dot_scores"]


def test_where_no_timer_can_stop_it_a_slow_call_is_the_last(home, monkeypatch):
    monkeypatch.setattr(mine, "PATIENCE", 0.1)
    put(home, "dot_scores", "import time\ndef dot_scores(Q, K):\n    time.sleep(0.3)\n    return 7 + Q @ K.T")
    found = []
    thread = threading.Thread(target=lambda: [found.append(mine.dot_scores(np.eye(1), np.eye(1))) for _ in range(2)])
    thread.start()
    thread.join()
    assert [int(each[0, 0]) for each in found] == [8, 1]
    assert lines()[0].startswith("Your dot_scores took 0 s for what takes the course's")


def test_a_call_that_takes_the_course_as_long_is_left_to_itself(home, monkeypatch):
    monkeypatch.setattr(mine, "PATIENCE", 0.1)
    put(home, "kernel_attention", "def kernel_attention(Q, K, V, kernel):\n    return kernel(Q, K) @ V * 0 + 7")

    def kernel(Q, K):
        time.sleep(0.25)
        return np.ones((len(Q), len(K)))

    assert (mine.kernel_attention(np.eye(2), np.eye(2), np.eye(2), kernel) == 7).all()
    assert lines() == []


def test_another_timer_is_left_alone(home):
    signal = pytest.importorskip("signal")
    if not hasattr(signal, "setitimer"):
        pytest.skip("no timers here")
    put(home, "dot_scores", "def dot_scores(Q, K):\n    return Q @ K.T")
    signal.setitimer(signal.ITIMER_REAL, 100)
    try:
        mine.dot_scores(np.eye(2), np.eye(2))
        assert signal.getitimer(signal.ITIMER_REAL)[0] > 50
    finally:
        signal.setitimer(signal.ITIMER_REAL, 0)


SIZES = {"n_queries": 3, "n_keys": 5, "n": 5, "n_memories": 7, "d": 4, "d_v": 2, "d_k": 4, "d_q": 4, "d_model": 6,
         "n_candidates": 3, "d_target": 6, "d_source": 6, "d_hidden": 3, "num_heads": 2,
         "vocab_size": 9, "n_q": 3, "n_kv": 5}  # fmt: skip
PLAIN = {"k": 2, "metric": "dot", "bandwidth": 1.5, "temperature": 0.5, "beta": 2.0, "num_heads": 2, "vocab_size": 9,
         "share": 0.8, "kernel": lambda Q, K: np.exp(Q @ np.swapaxes(K, -1, -2))}  # fmt: skip


def arguments(name, rng, leading):
    """Arguments of a function of the library as its documentation has them, with these axes in front."""
    function = getattr(attnlib, name)
    text = inspect.getdoc(function).partition("Returns\n")[0]
    shapes = {}
    for names, shape in re.findall(r"^(\w+(?:, \w+)*) : .*?\((.*?)\)", text, re.MULTILINE):
        shapes |= dict.fromkeys(names.split(", "), shape)
    given = {}
    for key in inspect.signature(function).parameters:
        if key in PLAIN:
            given[key] = PLAIN[key]
        elif key == "mask":
            given[key] = rng.random((*leading, 3 if "X_q" in given or "Q" in given else 5, 5)) < 0.7
            if name == "masked_softmax":
                given[key] = rng.random((*leading, 3, 5)) < 0.7
        elif key in shapes:
            letters = [each.strip() for each in shapes[key].split(",")]
            front = leading if "..." in letters else ()
            size = [6 if "*" in each else SIZES[each] for each in letters if each not in ("...", "")]
            given[key] = rng.normal(size=(*front, *size))
            if key == "token_ids":
                given[key] = rng.integers(0, 9, given[key].shape)
            elif key == "source_mask":
                given[key] = given[key] < 0.5
            elif key in ("p", "bandwidths", "weights"):
                given[key] = abs(given[key]) / abs(given[key]).sum(axis=-1, keepdims=True)
    return given


BATCHED = sorted({*mine._AXES, *mine._BY_ROWS})


@pytest.mark.parametrize("name", BATCHED)
@pytest.mark.parametrize("leading", [(2,), (2, 3)], ids=str)
def test_leading_axes_are_spread_for_a_function_that_takes_none(home, monkeypatch, name, leading, rng):
    """The learner's function is the course's, made to refuse whatever has an axis more than in the exercise."""
    course = getattr(attnlib, name)
    given = arguments(name, rng, leading)
    axes = {next(iter(given)): 2} if name in mine._BY_ROWS else mine._AXES[name]

    def strict(*args):
        for key, value in zip(given, args, strict=True):
            assert key not in axes or np.ndim(value) == axes[key], (key, np.shape(value))
        result = course(*args)
        return tuple(each.tolist() for each in result) if isinstance(result, tuple) else np.asarray(result).tolist()

    spread = mine._spread(name, strict, course)
    got, expected = spread(*given.values()), course(**given)
    if not isinstance(expected, tuple):
        got, expected = (got,), (expected,)
    for one, other in zip(got, expected, strict=True):
        np.testing.assert_allclose(one, other, atol=1e-12)
        assert np.asarray(one).dtype.kind == np.asarray(other).dtype.kind


@pytest.mark.parametrize("name", sorted(mine._BY_ROWS))
def test_a_vector_is_a_matrix_of_one_row(name, rng):
    given = arguments(name, rng, ())
    course = getattr(attnlib, name)

    def strict(x, *more):
        assert x.ndim == 2
        return course(x, *more)

    got = mine._spread(name, strict, course)(*given.values())
    np.testing.assert_allclose(got, course(**given))
    assert np.shape(got) == np.shape(course(**given))


#: Their exercises take leading axes themselves.
ASKED_IN_BATCHES = {
    "rotate",
    "layer_norm",
    "feed_forward",
    "post_norm_block",
    "pre_norm_block",
    "softmax_backward",
    "attention_backward",
    "induction_score",
}


def test_each_function_that_takes_leading_axes_and_is_asked_for_is_spread():
    for name, exercise in BANK.items():
        if isinstance(exercise, FunctionExercise) and hasattr(attnlib, name):
            parameters = inspect.getdoc(getattr(attnlib, name)).partition("Returns\n")[0]
            assert ("(...," in parameters) == (name in BATCHED or name in ASKED_IN_BATCHES), name


def test_one_mask_serves_all_heads(home):
    put(home, "masked_attention", "from attnlib import masked_attention as right\n"
        "def masked_attention(Q, K, V, mask):\n    assert Q.ndim == 2\n    return right(Q, K, V, mask)")  # fmt: skip
    Q = np.random.default_rng(1).normal(size=(2, 3, 5, 4))
    mask = np.tri(5, dtype=bool)
    for one, other in zip(
        mine.masked_attention(Q, Q[0], Q, mask), attnlib.masked_attention(Q, Q[0], Q, mask), strict=True
    ):
        np.testing.assert_allclose(one, other)
    assert lines() == []


def test_results_are_of_the_courses_kind(home):
    put(home, "causal_mask", "def causal_mask(n):\n    return [[int(j <= i) for j in range(n)] for i in range(n)]")
    assert mine.causal_mask(2).dtype == bool
    put(home, "tokenize", "def tokenize(text):\n    return text.split()")
    assert mine.tokenize("a b") == ["a", "b"]


# ---------------------------------------------------------------- what is said


def test_nothing_is_printed_where_there_are_no_cells(home, capsys):
    put(home, "softmax", SOFTMAX)
    assert mine.softmax is not mine.entropy
    assert capsys.readouterr().out == ""


@pytest.mark.execution
def test_a_cell_says_in_one_line_which_is_whose(tmp_path):
    (tmp_path / PART).mkdir()
    put(tmp_path / "mine", "softmax", SOFTMAX)
    put(tmp_path / "mine", "dot_scores", "def dot_scores(Q, K):\n    raise IndexError")
    sources = [
        "import numpy as np\nfrom attnlib.mine import dot_scores, entropy, load_nile, softmax",
        "weights = softmax(dot_scores(np.eye(2), np.eye(2)))",
        "weights.shape",
        "from attnlib.mine import entropy",
        "from attnlib import mine\ndef masked_attention(Q):\n    return softmax(Q)\n"
        "with mine.watched() as ran:\n    masked_attention(np.eye(2))\nprint(ran)",
        f"from grader import check\n{MASKED}\ncheck('masked_softmax', masked_softmax)",
        "from attnlib.mine import masked_softmax",
    ]
    cells = execute(new_notebook(cells=[new_code_cell(source) for source in sources]), tmp_path / PART).cells
    said = [text_of(one).strip() for one in cells]
    assert said[0] == "Yours: dot_scores, softmax. The course's: entropy."
    assert re.fullmatch("Your dot_scores raised IndexError .*", said[1])
    assert said[2] == "(2, 2)"
    assert said[3] == "The course's: entropy. Your own take their place once their checks are green."
    assert said[4] == "masked_attention\nsoftmax"
    assert "in your own library:" in said[5]
    assert said[6] == "Yours: masked_softmax."


# ---------------------------------------------------------------- the list, the switch, the tree


def test_a_function_is_switched_off_and_on(home, capsys):
    put(home, "softmax", SOFTMAX)
    assert commands.main(["mine", "--off", "softmax"]) == 0
    assert "gives the course's" in capsys.readouterr().out
    assert mine.softmax is attnlib.softmax
    assert commands.main(["mine"]) == 0
    assert "softmax  (off)\n" in capsys.readouterr().out
    assert commands.main(["mine", "--on", "softmax", "--folder", str(home.parent)]) == 0
    assert mine.softmax is not attnlib.softmax
    assert commands.main(["mine", "--on", "softmx"]) == 2
    assert "did you mean softmax?" in capsys.readouterr().err


def test_a_function_that_is_off_stays_off_until_there_is_another(home):
    one, other = (
        "def causal_mask(n):\n    return np.tri(n, dtype=bool)",
        "def causal_mask(n):\n    return np.tri(n) > 0",
    )
    keeping.keep("causal_mask", cell(one)["causal_mask"])
    commands.main(["mine", "--off", "causal_mask"])
    assert keeping.keep("causal_mask", cell(one)["causal_mask"]) == ""
    assert mine.causal_mask is attnlib.causal_mask
    assert "has this version" in keeping.keep("causal_mask", cell(other)["causal_mask"])
    assert mine.causal_mask is not attnlib.causal_mask
    assert [path.name for path in home.glob("*.py*")] == ["causal_mask.py"]


def test_a_file_that_is_on_counts_where_there_is_one_that_is_off_too(home):
    put(home, "softmax", SOFTMAX)
    (home / "softmax.py.off").write_text("")
    assert mine.kept()["softmax"].on


def test_an_empty_library_says_how_it_grows(home, capsys):
    assert commands.main(["mine"]) == 0
    assert "Your library is empty" in capsys.readouterr().out


def test_the_tree_of_what_calls_what_is_in_the_list_and_below_the_progress(home, capsys):
    put(home, "softmax", SOFTMAX)
    put(home, "recall", "from attnlib.mine import softmax\ndef recall(q):\n    return softmax(q)")
    put(
        home,
        "knn_attention",
        "from attnlib import mine\ndef knn_attention(Q):\n    return mine.softmax(mine.knn_indices(Q))",
    )
    (home / ".hidden").write_text("x")
    (home / "__pycache__").mkdir()
    rows = [
        (0, "recall", "mine"),
        (1, "softmax", "mine"),
        (0, "knn_attention", "mine"),
        (1, "softmax", "mine"),
        (1, "knn_indices", "course"),
    ]
    assert library_tree(home) == rows
    commands.main(["mine"])
    shown = capsys.readouterr().out
    assert "recall\n  softmax\nknn_attention\n  softmax\n  knn_indices  (the course's)\n" in shown
    assert "knn_attention calls softmax, knn_indices (the course's)" in progress_picture().alt


# ---------------------------------------------------------------- while a class is graded


def test_in_the_sandbox_it_is_a_stub_of_the_same_names(home, tmp_path):
    put(home, "softmax", SOFTMAX)
    folder = tmp_path / "course"
    library.write_library(folder, frozenset())
    stub = {"__name__": "attnlib.mine"}
    exec((folder / "attnlib" / "mine.py").read_text(encoding="utf-8"), stub)
    assert stub["__getattr__"]("softmax") is attnlib.softmax
    assert stub["folder"]() is None
    assert stub["kept"]() == {}
    with stub["watched"]() as ran:
        pass
    assert ran.mine == ran.calls == []
    assert str(ran)
