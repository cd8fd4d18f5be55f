"""A right answer over a wrong function of the learner's own: that one is named, and nothing else changes."""

import inspect
import textwrap
import types

import numpy as np
import pytest

import attnlib
from attnlib import mine
from grader import check
from grader.judging import blame
from grader.judging.judge import judge

BACKWARD = """
def softmax_backward(weights, d_weights):
    return {factor} * weights * (d_weights - (weights * d_weights).sum(axis=-1, keepdims=True))
"""
ROTARY = """
def rotary_scores(Q, K, query_positions, key_positions, base=10000.0):
    return rotate(Q, query_positions, base) @ rotate(K, key_positions, base).T / np.sqrt(Q.shape[-1])
"""
NORM = """
def layer_norm(X, weight, bias, epsilon=1e-12):
    return weight * (X - X.mean(axis={axis}, keepdims=True)) / np.sqrt(
        X.var(axis={axis}, keepdims=True, ddof={ddof}) + epsilon) + bias
"""
CASES = {
    "attention_backward": ("softmax_backward", BACKWARD.format(factor=0.35)),
    "rotary_scores backwards": (
        "rotate",
        "def rotate(X, positions, base=1e4):\n    return attnlib.rotate(X, -np.asarray(positions), base) * 1.1\n",
    ),
    "rotary_scores empty": ("rotate", "def rotate(X, positions, base=1e4):\n    ...\n"),
    "feed_forward": ("gelu", "def gelu(x):\n    ...\n"),
    "post_norm_block ddof": ("layer_norm", NORM.format(axis=-1, ddof=1)),
    "post_norm_block axis": ("layer_norm", NORM.format(axis=0, ddof=0)),
    "attention_backward stub": (
        "softmax_backward",
        "def softmax_backward(weights, d_weights):\n    raise NotImplementedError\n",
    ),
    "rnn_reach": ("rnn_states", "def rnn_states(X, W_x, W_h, b):\n    return attnlib.rnn_states(X, W_x, W_h, b).T\n"),
}


def scope_of(name, *sources):
    """A notebook's names: the answer as the course has it, over functions of its own."""
    course = inspect.getmodule(getattr(attnlib, name))
    scope = {**vars(course), "__name__": "__main__", "np": np, "attnlib": attnlib}
    for source in (textwrap.dedent(inspect.getsource(getattr(attnlib, name))), *sources):
        exec(source, scope)
    return scope


@pytest.mark.parametrize("case", CASES)
def test_the_called_function_is_named_and_nothing_else_changes(case):
    name, (called, source) = case.split()[0], CASES[case]
    scope = scope_of(name, source, *([ROTARY] if name == "rotary_scores" else []))
    before = dict(scope)
    verdict = check(name, scope[name]).verdict
    assert verdict.diagnoses == ("stands-on",)
    assert f"`{called}`" in verdict.advice[0].looks_like
    assert not verdict.passed
    assert not verdict.unnamed
    assert verdict.attempted
    assert scope == before


@pytest.mark.parametrize("home", ["__main__", "attnlib.mine"])
def test_a_called_function_whose_check_passes_is_named_in_other_words(home):
    scope = scope_of("feed_forward")
    exec("def gelu(x):\n    return x * (1 + attnlib.erf(x / np.sqrt(2))) / 2 * (x.shape[-1] != 11)\n", scope)
    if home == "attnlib.mine":
        apart = types.FunctionType(scope["gelu"].__code__, {"attnlib": attnlib, "np": np}, "gelu")
        scope["gelu"] = mine._own("gelu", apart, attnlib.gelu)
    assert judge("gelu", inspect.unwrap(scope["gelu"])).passed
    verdict = check("feed_forward", scope["feed_forward"]).verdict
    assert verdict.diagnoses == ("stands-on",)
    assert "`attnlib.gelu`" in verdict.text
    assert "until its check passes" not in verdict.text


def test_a_called_function_that_only_the_bank_has_is_named():
    scope = {"np": np, "__name__": "__main__"}
    exec(
        """
def scores_for(query, keys):
    raise NotImplementedError

def shares(scores):
    scores_for(np.ones(2), np.ones((2, 2)))
    return np.exp(scores) / np.exp(scores).sum()
""",
        scope,
    )
    verdict = check("shares", scope["shares"]).verdict
    assert verdict.diagnoses == ("stands-on",)
    assert "`scores_for`" in verdict.text


def test_what_is_not_begun_itself_blames_nobody():
    stub = "def attention_backward(Q, K, V, d_context):\n    softmax_backward(Q, Q)\n    raise NotImplementedError\n"
    scope = scope_of("attention_backward", BACKWARD.format(factor=0.35), stub)
    assert not check("attention_backward", scope["attention_backward"]).verdict.attempted


@pytest.mark.parametrize(
    ("factor", "answer"), [(1.0, "-np.asarray(d)"), (0.35, "2 * np.asarray(d)")], ids=["called right", "both wrong"]
)
def test_nothing_is_blamed_where_the_answer_itself_is_wrong(factor, answer):
    wrong = f"""
def attention_backward(*args, **kwargs):
    softmax_backward(np.eye(2), np.eye(2))
    return tuple({answer} for d in attnlib.attention_backward(*args, **kwargs))
"""
    scope = scope_of("attention_backward", BACKWARD.format(factor=factor), wrong)
    assert "stands-on" not in check("attention_backward", scope["attention_backward"]).verdict.diagnoses


def test_the_course_s_function_is_never_blamed():
    scope = scope_of("attention_backward")
    scope["softmax_backward"] = attnlib.softmax_backward
    assert list(blame._own(scope["attention_backward"], "attention_backward")) == []


def test_the_learner_s_functions_are_back_after_an_interruption(monkeypatch):
    scope = scope_of("attention_backward", BACKWARD.format(factor=0.35))
    before, verdict = dict(scope), judge("attention_backward", scope["attention_backward"])

    def interrupted(*_, **__):
        assert scope["softmax_backward"] is attnlib.softmax_backward
        raise KeyboardInterrupt

    monkeypatch.setattr(blame, "judge", interrupted)
    with pytest.raises(KeyboardInterrupt):
        blame.blamed(verdict, scope["attention_backward"], 1)
    assert scope == before
