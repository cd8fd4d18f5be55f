"""What the diagnosis understands in general (arguments, results, stages, exceptions, facts), and when it is silent."""

import builtins
import functools
import linecache
import math
import operator
from dataclasses import replace
from fractions import Fraction
from functools import partial

import numpy as np
import pytest

import attnlib
from grader.exercises import BANK
from grader.exercises.kinds import Case, FunctionExercise, Property, function
from grader.judging import changes, exceptions, hypotheses
from grader.judging import diagnose as engine
from grader.judging.changes import Unfit
from grader.judging.hypotheses import on_arguments
from grader.judging.judge import judge
from grader.judging.shapes import axes_wanted, too_short


def tables(rng, n, m, d):
    return {"Q": rng.normal(size=(n, d)), "K": rng.normal(size=(m, d)), "bandwidth": float(rng.uniform(0.5, 2))}


def case(n, m, d, share):
    return Case(f"{n} by {m}", lambda rng: tables(rng, n, m, d), share)


CASES = (case(5, 7, 3, 0.3), case(7, 3, 2, 0.3), case(5, 5, 5, 0.3))
MISTAKES = """
no-bandwidth: the bandwidth is not used -> It says how wide. -> Divide by it.
rooted: you take a root -> There is none. -> Leave it out.
"""


@function(points=1, cases=CASES, mistakes=MISTAKES)
def bumps(Q, K, bandwidth, wrong=frozenset()):
    """A function whose every step shows: odd, not symmetric in Q and K, and never zero."""
    scores = np.tanh(Q @ K.T + 0.3 * K.sum(axis=1)) + 0.1 * Q.sum(axis=1)[:, None]
    scores = scores if "no-bandwidth" in wrong else scores / bandwidth
    scores = np.sqrt(np.abs(scores)) if "rooted" in wrong else scores
    return 1.5 + scores + 0.01 * scores**2


@function(points=1, cases=CASES, mistakes=MISTAKES, returns=("near", "far"))
def both(Q, K, bandwidth, wrong=frozenset()):
    near = bumps(Q, K, bandwidth, wrong)
    return near, near**2 + Q.sum(axis=1)[:, None]


def named(answer, exercise=bumps, seed=0):
    verdict = judge(exercise, answer, seed)
    assert not verdict.passed
    assert len(verdict.advice) == len(verdict.diagnoses)
    return list(verdict.diagnoses)


def words(answer, exercise=bumps, seed=0):
    return " ".join(advice.looks_like for advice in judge(exercise, answer, seed).advice)


# ---- to the result last

LAST = {**changes.ELEMENTWISE, **changes.TOGETHER, **changes.AT_THE_END}
#: Those that do nothing to a matrix of floats, or the same as another.
ELSEWHERE = {
    "axes-swapped", "first-axes-swapped", "turned-round", "as-minus-infinity", "summed-first", "averaged-first",
}  # fmt: skip


@pytest.mark.parametrize("slip", [slip for slip in LAST if slip not in ELSEWHERE])
def test_what_is_done_to_a_result_last_is_named(slip):
    change = LAST[slip][1]
    found = named(lambda Q, K, bandwidth: change(bumps(Q, K, bandwidth)))
    same_function = {
        "transposed": ["transposed-result"],
        "absolute": None,  # nothing here is negative: these are right, or all ones
        "not-negative": None,
        "signs": ["same-for-every-input"],
    }.get(slip, [f"result-{slip}"])
    if same_function:
        assert found == same_function or slip == "signs"


def test_a_pair_may_be_changed_in_one_part_turned_round_or_cut():
    def squared_far(Q, K, bandwidth):
        near, far = both(Q, K, bandwidth)
        return near, far**2

    assert named(squared_far, both) == ["result-squared"]
    assert "the far in your pair" in words(squared_far, both)
    assert named(lambda *a: both(*a)[::-1], both) == ["swapped-results"]
    assert named(lambda *a: both(*a)[0], both) == ["first-result-only"]
    assert named(lambda *a: both(*a)[1], both) == ["one-result-only"]
    assert named(lambda *a: tuple(part.round(2) for part in both(*a)), both) == ["rounded"]


@pytest.mark.parametrize("digits", range(6))
def test_a_result_may_be_rounded_to_few_digits_or_many(digits):
    assert named(lambda *a: bumps(*a).round(digits)) == ["rounded"]


def test_a_result_can_be_multiplied_by_a_size_of_an_argument_or_joined_with_one():
    assert named(lambda Q, K, b: bumps(Q, K, b) / np.sqrt(len(K))) == ["result-scaled"]
    assert "square root of `K.shape[0]`" in words(lambda Q, K, b: bumps(Q, K, b) / np.sqrt(len(K)))
    assert named(lambda Q, K, b: bumps(Q, K, b) * b) == ["result-scaled"]


# ---- to an argument first


@pytest.mark.parametrize(
    ("change", "name"),
    [
        (lambda Q, K, b: (Q**2, K, b), "argument-squared"),
        (lambda Q, K, b: (Q, -K, b), "argument-negated"),
        (lambda Q, K, b: (np.abs(Q), K, b), "argument-absolute"),
        (lambda Q, K, b: (Q, np.sort(K, axis=-1), b), "argument-sorted"),
        (lambda Q, K, b: (Q, K[:, ::-1], b), "argument-reversed"),
        (lambda Q, K, b: (Q / np.sqrt(Q.shape[-1]), K, b), "argument-scaled"),
        (lambda Q, K, b: (Q / np.linalg.norm(Q, axis=-1, keepdims=True), K, b), "argument-normalised"),
        (lambda Q, K, b: (Q, K - K.mean(axis=0), b), "argument-centred-columns"),
        (lambda Q, K, b: (Q, K, b**2), "argument-squared"),
        (lambda Q, K, b: (Q, K, 1 / b), "argument-inverted"),
        (lambda Q, K, b: (Q, K, 2.0), "argument-ignored"),
        (lambda Q, K, b: (Q[:, :-1], K[:, :-1], b), "argument-last-left-out"),
        (lambda Q, K, b: (Q[:, :2], K[:, :2], b), "argument-two-only"),
        (lambda Q, K, b: (Q, K.astype(int), b), "argument-truncated"),
    ],
)
def test_what_is_done_to_an_argument_first_is_named(change, name):
    assert named(lambda Q, K, b: bumps(*change(Q, K, b))) == [name]


def test_an_argument_that_stands_for_another_is_named():
    def keys_for_queries(Q, K, bandwidth):
        return bumps(K, K, bandwidth)[: len(Q)] if len(K) >= len(Q) else bumps(K, K, bandwidth)

    square = replace(bumps, cases=(case(5, 5, 3, 0.5), case(7, 7, 2, 0.4)))
    assert named(keys_for_queries, square) == ["argument-for-another"]
    assert "`K` stood in the place of `Q`" in words(keys_for_queries, square)
    assert named(lambda Q, K, b: bumps(K, Q, b), square) == ["arguments-swapped"]


def test_two_mistakes_of_the_exercise_are_named_together_and_of_a_general_one_only_that_there_is_more():
    together = named(lambda Q, K, b: -bumps(Q, K, b, wrong={"no-bandwidth"}))
    assert together == ["no-bandwidth"]  # what was done besides may have any cause: it is not accused
    assert named(lambda Q, K, b: bumps(Q, K, 1.0)) == ["no-bandwidth"]
    assert named(lambda Q, K, b: bumps(Q, K, b, wrong={"no-bandwidth", "rooted"})) == ["no-bandwidth", "rooted"]


def test_a_stage_on_the_way_is_recognised_by_the_name_it_has():
    def scores_only(Q, K, bandwidth):
        return (np.tanh(Q @ K.T + 0.3 * K.sum(axis=1)) + 0.1 * Q.sum(axis=1)[:, None]) / bandwidth

    staged = replace(bumps, model=_in_the_bank(bumps.model))
    assert named(scores_only, staged) == ["stopped-early"]
    assert "you return the scores" in words(scores_only, staged)


def test_a_stage_that_stands_in_the_place_of_its_own_last_step_is_said_to_be_an_earlier_one():
    @function(points=1, cases=CASES, mistakes=MISTAKES, returns=("weights", "sum"))
    def weighed(Q, K, bandwidth, wrong=frozenset()):
        weights = bumps(Q, K, bandwidth, wrong)
        return np.where(weights > 1.5, weights, 0.0), weights.sum()

    weighed = replace(weighed, model=_in_the_bank(weighed.model))
    answer = lambda *inputs: (bumps(*inputs), weighed(*inputs)[1])  # noqa: E731
    assert named(answer, weighed) == ["stopped-early"]
    assert words(answer, weighed) == "the weights that you return are those of an earlier step"


def _in_the_bank(model):
    """The same model as if it stood in a file of the bank: variables of others are nobody's business."""
    code = model.__code__.replace(co_filename="/grader/exercises/somewhere.py")
    return type(model)(code, model.__globals__, model.__name__, model.__defaults__, model.__closure__)


# ---- when nothing is said


def test_an_explanation_has_to_foretell_inputs_that_nobody_has_seen():
    """Right but in what was seen at first: the calls are remembered, and others come out otherwise."""
    seen = []

    def squared_at_first(Q, K, bandwidth):
        seen.append(1)
        result = bumps(Q, K, bandwidth)
        return result**2 if len(seen) <= len(CASES) + 1 else np.cos(result * 7)

    assert "result-squared" not in named(squared_at_first)


@function(
    points=1,
    cases=tuple(Case(f"case {i}", lambda rng: {"x": rng.normal(size=3)}, 0.3) for i in range(3)),
    mistakes="always: you always say True -> It depends. -> Compare.\n",
)
def positive(x, wrong=frozenset()):
    return True if "always" in wrong else bool(x.sum() > 0)


def test_where_results_say_little_only_what_the_exercise_knows_is_believed():
    """A mistake of the bank may be believed on little; a general one among hundreds may not."""
    assert all(judge(positive, lambda x: bool(x.max() > 0.7), seed).diagnoses == () for seed in range(6))
    assert all(named(lambda x: not positive(x), positive, seed=seed) == ["result-turned-round"] for seed in range(3))


def test_two_explanations_are_told_apart_by_inputs_on_which_they_differ():
    """`first` and `second` agree wherever the cases look at first; the answer decides on a later draw."""

    def rare(rng):
        x = np.abs(rng.normal(size=3)) + 1
        return {"x": x * (1 if rng.uniform() < 0.85 else -1)}

    @function(
        points=1,
        cases=(Case("a", rare, 0.5), Case("b", rare, 0.4)),
        mistakes="first: one -> w. -> c.\nsecond: other -> w. -> c.\n",
    )
    def summed(x, wrong=frozenset()):
        if "first" in wrong:
            return float(x.sum() * 3.25)
        if "second" in wrong:
            return float(abs(x.sum()) * 3.25)
        return float(x.sum())

    assert named(lambda x: summed.model(x, wrong={"second"}), summed, seed=1) == ["second"]
    assert named(lambda x: summed.model(x, wrong={"first"}), summed, seed=1) == ["first"]


def test_a_model_that_raises_at_every_call_explains_nothing():
    @function(points=1, cases=CASES, mistakes="broken: you break it -> w. -> c.\nbroken-too: also -> w. -> c.\n")
    def product(Q, K, bandwidth, wrong=frozenset()):
        if wrong:
            raise ValueError("never")
        return Q @ K.T

    def refuses(Q, K, bandwidth):
        raise ValueError("something of my own")

    assert named(refuses, product) == ["refuses-allowed"]


def test_the_search_is_counted_in_calls_of_the_model():
    calls = []

    def counted(Q, K, bandwidth, wrong=frozenset()):
        calls.append(1)
        return bumps.model(Q, K, bandwidth, wrong)

    counted.__name__ = "bumps"
    lone = FunctionExercise("bumps", 1, "", counted, bumps.misconceptions, CASES, budget=60)

    def odd(Q, K, bandwidth):
        return np.cos(9 * bumps(Q, K, bandwidth))

    first = named(odd, lone)
    spent = len(calls)
    assert spent <= 60 + 100  # what is right is asked for besides, and facts have a budget of their own
    assert named(odd, lone) == first
    assert len(calls) == 2 * spent
    assert named(odd, replace(lone, budget=0)) == first == []


def test_a_model_that_costs_more_is_called_less_often():
    def calls_at(effort):
        calls = []

        def counted(Q, K, bandwidth, wrong=frozenset()):
            calls.append(1)
            return bumps.model(Q, K, bandwidth, wrong)

        counted.__name__ = "bumps"
        named(lambda Q, K, bandwidth: np.cos(9 * bumps(Q, K, bandwidth)), replace(bumps, model=counted, effort=effort))
        return len(calls)

    assert calls_at(effort=50.0) <= 2500 / 50 + 100 < calls_at(effort=1.0)  # what is right is asked for besides


def test_the_likely_pairs_are_tried_first():
    """The budget does not do for all pairs; those of which no part shows in the call come last."""
    silent = "".join(f"silent-{number}: you hum {number} -> It is heard. -> Hush.\n" for number in range(40))

    def model(Q, K, bandwidth, wrong=frozenset()):
        return bumps.model(Q, K, bandwidth, wrong)

    model.__name__ = "bumps"
    humming = function(points=1, cases=CASES, mistakes=silent + MISTAKES, budget=900)(model)
    answer = partial(bumps.model, wrong=frozenset(["no-bandwidth", "rooted"]))
    assert set(named(answer, humming)) == {"no-bandwidth", "rooted"}


def test_where_fresh_inputs_say_nothing_no_more_are_drawn():
    calls = []

    def seen_by(call, rng):
        return None if call(np.ones((3, 2)), np.ones((3, 2)), 50.0) else "it is nothing"

    @function(
        points=1,
        cases=(case(5, 7, 3, 0.3), case(7, 3, 2, 0.3)),
        properties=(Property("something", seen_by, 0.3),),
        mistakes="wide: yours vanishes where it is wide -> Too wide. -> Narrow it.\n",
    )
    def narrow(Q, K, bandwidth, wrong=frozenset()):
        return 0.0 if "wide" in wrong and bandwidth > 10 else float(bumps.model(Q, K, bandwidth).sum())

    def answer(Q, K, bandwidth):
        calls.append(1)
        return narrow.model(Q, K, bandwidth, frozenset(["wide"]))

    assert named(answer, narrow) == ["wide"]
    assert len(calls) <= 3 + 1 + engine.ENOUGH_IN_VAIN  # those of the cases and the property, one once more


def test_a_mistake_beside_what_makes_nan_is_named_as_not_all():
    def sometimes_broken(Q, K, bandwidth):
        result = bumps.model(Q, K, bandwidth, frozenset(["no-bandwidth"]))
        return result * np.nan if len(Q) == len(K) else result

    verdict = judge(bumps, sometimes_broken, seed=1)
    assert verdict.diagnoses == ("no-bandwidth",)
    assert verdict.advice[0].cure.endswith(engine.NOT_ALL)
    # Where nothing else is wrong, there is nothing beside it.
    right_or_broken = judge(bumps, lambda Q, K, b: bumps(Q, K, b) * (np.nan if len(Q) == len(K) else 1), seed=1)
    assert "no-bandwidth" not in right_or_broken.diagnoses


def test_not_a_number_is_compared_by_where_it_comes_from():
    def underflows(x):
        powers = np.exp(x - x.max())
        return powers / powers.sum(axis=-1, keepdims=True)

    def overflows(x):
        powers = np.exp(x)
        return powers / powers.sum(axis=-1, keepdims=True)

    assert named(underflows, "softmax") == ["global-maximum"]
    assert named(overflows, "softmax") == ["no-maximum"]


# ---- slips of Python and NumPy, by the exception

X, LIST = np.ones((2, 3)), [1, 2]


def grows():
    made = {1: 2}
    for key in made:
        made[key + 1] = 2


def late():
    if not X.size:
        value = 1
    return value


def unpacks():
    n, d = np.ones((2, 3, 4)).shape
    return n, d


def swallows():
    whole = np.ones(3, dtype=int)
    whole -= np.array([0.5, 0.5, 0.5])


def put():
    place = np.zeros((2, 3))
    place[0] = np.ones(2)


PAIR = (1, 2)
RAISES = {
    "array-truth": lambda: bool(X > 0),
    "float-size": lambda: np.zeros((X.shape[1] / 2, 2)),
    "float-index": lambda: X[0.0],
    "unpacking": unpacks,
    "power-sign": lambda: X ^ 2,
    "bits-of-decimals": lambda: ~np.ones(3),
    "minus-of-booleans": lambda: -(X > 0),
    "where-of-two": lambda: np.where(X > 0, X),
    "inner-sizes": lambda: X @ X,
    "matmul-number": lambda: X @ np.float64(2),
    "broadcast": lambda: X / X.sum(axis=1),
    "broadcast-into": put,
    "in-place-whole-numbers": swallows,
    "whole-number-power": lambda: np.array([2, 3]) ** -1,
    "reshape-size": lambda: X.reshape(4, 2),
    "transpose-axes": lambda: X.transpose(-1, -2, 0),
    "axis-missing": lambda: X.sum(axis=2),
    "shape-index": lambda: X.shape[2],
    "too-many-indices": lambda: X[0, 0, 0],
    "past-the-end": lambda: X[2],
    "mask-shape": lambda: X[np.array([True, False, True])],
    "ragged": lambda: np.array([[1, 2], [3]]),
    "joined-shapes": lambda: np.concatenate([X, np.ones((2, 2))]),
    "name-lookalike": lambda: scоre,  # noqa: F821
    "name-unknown": lambda: not_there,  # noqa: F821
    "name-too-early": late,
    "keyword-unknown": lambda: np.sum(X, axes=1),
    "argument-count": lambda: unpacks(1),
    "given-twice": lambda: (lambda x: x)(1, x=2),
    "einsum-axes": lambda: np.einsum("...id,...jd->ij", np.ones((2, 3, 4)), np.ones((2, 3, 4))),
    "axis-needed": lambda: np.diagonal(np.ones(3)),
    "no-such-attribute": lambda: X.length,
    "no-such-function": lambda: np.normalise(X),
    "called-a-number": lambda: X.ndim(0),
    "indexed-a-number": lambda: X.size[0],
    "looped-a-number": lambda: list(X.size),
    "tuple-changed": lambda: operator.setitem(PAIR, 0, X),
    "product-of-numbers": lambda: [row @ row for row in np.ones(3)],
    "list-arithmetic": lambda: [1, 2] - [1, 1],
    "list-index": lambda: LIST[0, 1],
    "key-missing": lambda: {}["cat"],
    "not-found": lambda: LIST.index("cat"),
    "unhashable": lambda: {X: 1},
    "size-as-type": lambda: np.zeros(2, 3),
    "no-length": lambda: len(X.size),
    "one-number-wanted": lambda: math.exp(X),
    "list-by-array": lambda: LIST[np.array([0, 1])],
    "heads-of-columns": lambda: attnlib.split_heads(np.ones((3, 5)), 2),
    "not-called": lambda: X - X.mean,
    "several-for-a-count": lambda: np.zeros((X.shape, 2)),
    "text-changed": lambda: operator.setitem("cat", 0, "b"),
    "changed-in-its-loop": lambda: grows(),
    "not-installed": lambda: __import__("no_such_package"),
    "list-too-short": lambda: operator.setitem([], 0, X),
    "axes-in-front": lambda: np.ones((3, 2, 2)) @ np.ones((2, 2, 2)),
    "places-together": lambda: X[np.array([0, 1, 0]), np.array([0, 1])],
    "einsum-lengths": lambda: np.einsum("ij,jk->ik", np.ones((2, 3)), np.ones((4, 5))),
    "several-for-one": lambda: attnlib.merge_heads((np.ones((2, 3, 4)), np.ones((2, 3, 3)))),
    "library-refuses": lambda: __import__("attnlib").softmax(np.array(["a"])),
    "largest-of-nothing": lambda: X[2:1].max(axis=0),
    "next-of-nothing": lambda: next(one for one in LIST if one == "cat"),
    "endless-recursion": lambda: (lambda again: again(again))(lambda again: again(again)),
    "overflow": lambda: math.exp(1e4),
    "division-by-zero": lambda: 1 / 0,
    "not-a-method-result": lambda: len(LIST.append(1)),
    "unfinished": None,
}


def test_a_product_of_stacks_is_no_einsum_and_norm_is_not_pytorchs():
    def of_stacks(Q, K, bandwidth):
        return np.ones((3, *Q.shape)) @ np.ones((2, *K.T.shape))

    def norm(Q, K, bandwidth):
        return np.norm(Q)

    said = words(of_stacks)
    assert "einsum" not in said
    assert "their shapes are (3,5,3) (2,3,7), at the line" in said
    assert judge(bumps, of_stacks).advice[0].cause.count("` and `") == 1  # not what comes of both as well
    assert "`np.linalg`" in words(norm)
    assert "Is it" not in judge(bumps, norm).advice[0].cure

    def of_objects(Q, K, bandwidth):
        return np.exp(np.array([Fraction(1, 2)]))

    assert "you calculate with a function" not in words(of_objects)
    assert "PyTorch" not in words(norm)


def test_what_was_meant_is_asked_where_a_name_is_nearly_right_or_a_dict_is_gone_through():
    def misspelt(Q, K, bandwidth):
        return np.tahn(Q)

    def bare(Q, K, bandwidth):
        return tanh(Q)  # noqa: F821

    def pairs(Q, K, bandwidth):
        parameters = {"a": Q}
        return {name: value for name, value in parameters}  # noqa: C416

    def another_signature(Q, K):
        return Q

    assert "`np.tanh`" in judge(bumps, misspelt).advice[0].cure
    assert "`np.tanh`" in judge(bumps, bare).advice[0].cure
    assert "`.items()`" in judge(bumps, pairs).advice[0].cure
    by_name = replace(bumps, keywords=("bandwidth",))
    assert "takes other arguments than the task's function" in judge(by_name, another_signature).text.replace("\n ", "")


def test_an_axis_that_was_kept_is_asked_about_where_none_was_lost():
    def kept(Q, K, bandwidth):
        return (Q - Q.mean(axis=1, keepdims=True)) * Q.sum(axis=1, keepdims=True)[:3]

    def lost(Q, K, bandwidth):
        return (Q - Q.mean(axis=1, keepdims=True)) * Q.sum(axis=1)

    assert "`keepdims=True` has kept" in judge(bumps, kept).advice[0].cure
    assert "`keepdims=True` has kept" not in judge(bumps, lost).advice[0].cure


def test_where_one_array_needs_another_axis_it_is_said_where():
    def told(*shapes):
        return axes_wanted(f"operands could not be broadcast together with shapes {' '.join(shapes)} ")

    assert "`[:, None, None]` behind it, (3,) would fit (3,2,2)" in told("(3,2,2)", "(3,)")
    assert "`[:, None, :, :]` behind it, (3,7,11) would fit (3,5,7,1)" in told("(3,5,7,1)", "(3,7,11)")
    assert "`[:, None]` behind it, (4,) would fit (4,3)" in told("(4,)", "(4,3)")
    assert "`np.outer(a, b)`" in told("(2,)", "(3,)")
    assert "turned round (`.T`)" in told("(2,4)", "(4,2)")
    assert told("(2,6)", "(3,)") == told("(2,4)", "(3,5)") == told("(3,2,2)", "(2,2,2,3,3)") == ""


def test_a_name_hides_the_notebooks_only_where_its_first_line_needs_it():
    def begun_in_a_branch(Q, K, bandwidth):
        for i in range(0):
            total = Q if i == 0 else total + Q  # noqa: F821
        return total

    def needs_its_own(Q, K, bandwidth):
        LIST = [*LIST, 1]  # noqa: F823
        return LIST

    assert "in a branch or a loop that was not run" in judge(bumps, begun_in_a_branch).advice[0].cause
    assert "`LIST` has no value yet at the line that is to give it one" in words(needs_its_own)


def test_a_place_that_is_too_short_and_an_array_to_begin_with_are_asked_about():
    def into(put, place):
        return too_short(f"could not broadcast input array from shape {put} into shape {place}")

    assert "is its length a fixed number" in into("(14,384)", "(10,384)")
    assert into("(10,384)", "(14,384)") == into("(14,384)", "(14,)") == into("(3,4)", "(2,3)") == ""

    def adds_to_another_shape(Q, K, bandwidth):
        M = np.zeros((2, 9))
        return M + np.ones((3, 9))

    def adds_none(Q, K, bandwidth):
        M = np.zeros((2, 9))
        added = np.ones((2, 9)) + np.ones((3, 9))
        return M + added

    assert "made to begin with (`np.zeros`)" in judge(bumps, adds_to_another_shape).advice[0].cure
    assert "to begin with" not in judge(bumps, adds_none).advice[0].cure


def test_a_list_is_chosen_from_by_an_array_only_where_it_stands_in_brackets():
    def slices(Q, K, bandwidth):
        return Q[: np.array([1, 2])]

    def counts(Q, K, bandwidth):
        return [K[i] for i in range(np.array([1, 2]))]

    for one in (slices, counts):
        assert "one-number-wanted" in judge(bumps, one).diagnoses


def test_pieces_that_are_not_joined_are_asked_about_where_one_length_is_several_times_another():
    def not_joined(Q, K, bandwidth):
        return np.ones((2, 3, 4)) @ np.ones((8, 8))

    def other_sizes(Q, K, bandwidth):
        return np.ones((3, 5)) @ np.ones((8, 8))

    assert "8 is 2 times 4: is one whole, and the other in pieces" in judge(bumps, not_joined).advice[0].cure
    assert "times" not in judge(bumps, other_sizes).advice[0].cure


def test_a_tuple_in_the_place_of_an_array_is_taken_apart():
    def forgets_that_there_are_two(Q, K, bandwidth):
        return attnlib.scaled_dot_product_attention(Q, K, np.ones((len(K), 4))) @ K

    (advice,) = judge(bumps, forgets_that_there_are_two).advice
    assert "several things of different shapes stand where one array is wanted" in advice.looks_like
    assert "Take them apart" in advice.cure


def test_arrays_that_are_joined_one_by_one_lack_their_brackets():
    def two(Q, K, bandwidth):
        return np.concatenate(Q, Q)

    def with_an_axis(Q, K, bandwidth):
        return np.concatenate(Q[..., 0], Q[..., 1], axis=-1)

    def starred(Q, K, bandwidth):
        return np.stack(*[Q, Q])

    def in_a_list(Q, K, bandwidth):
        return np.concatenate([Q, Q], -1) @ np.zeros(Q)

    for answer in (two, with_an_axis, starred):
        assert named(answer) == ["joined-one-by-one"]
    assert "brackets" not in words(in_a_list)


def test_rows_of_a_list_that_differ_in_length_are_told():
    def stairs(Q, K, bandwidth):
        return [[1.0] * (i + 1) for i in range(len(Q))]

    def vectors(Q, K, bandwidth):
        return [np.ones(i + 1) for i in range(len(Q))]

    assert named(stairs) == named(vectors) == ["ragged-result"]


def test_numbers_among_the_rows_of_a_list_are_told():
    def now_and_then(Q, K, bandwidth):
        return [0 if i else np.ones(len(K)) for i in range(len(Q))]

    assert named(now_and_then) == ["ragged-result"]
    assert "single numbers among its rows" in words(now_and_then)


def test_a_call_that_makes_one_number_of_an_array_is_named():
    def its_length(Q, K, bandwidth):
        return np.linalg.norm(bumps(Q, K, bandwidth))

    def one_of_its_sums(Q, K, bandwidth):
        return float(bumps(Q, K, bandwidth).sum(axis=0)[0])

    def along_an_axis(Q, K, bandwidth):
        return float(np.squeeze(bumps(Q, K, bandwidth)).mean(-1)[0])

    assert "without `axis`" not in judge(bumps, along_an_axis).text
    (advice,) = judge(bumps, its_length).advice
    assert advice.cause == "`np.linalg.norm` without `axis` makes one number of a whole array."
    (advice,) = judge(bumps, one_of_its_sums).advice
    assert "without `axis`" not in advice.cause


def test_a_cache_is_told_where_an_array_is_no_key():
    @functools.lru_cache
    def softmax(x):
        return np.exp(x) / np.exp(x).sum(axis=-1, keepdims=True)

    verdict = judge("softmax", softmax, seed=1)
    assert verdict.diagnoses == ("unhashable",)
    assert "Take the line `@lru_cache` away." in verdict.text


def test_a_function_that_is_not_written_yet_is_named_where_its_none_is_returned():
    def softmax(x):
        """Weights."""

    def softmax_with_temperature(x, temperature):
        return softmax(x / temperature)

    verdict = judge("softmax_with_temperature", softmax_with_temperature, seed=1)
    assert "you return what `softmax` gives, and that is None" in verdict.text
    assert "does not return" not in verdict.text


def test_every_slip_has_an_example():
    assert {slip for slip, *_ in exceptions._SLIPS} == set(RAISES)


@pytest.mark.parametrize(
    ("wrong", "meant"),
    [
        (lambda a: a.unsqueeze(0), "x[..., None]"),
        (lambda a: np.topk(a, 2), "np.argsort"),
        (lambda a: a.sum(dim=-1), "axis"),
        (lambda a: a.size(-1), "x.shape[-1]"),
    ],
)
def test_what_is_called_otherwise_in_pytorch_is_told_in_numpys_words(wrong, meant):
    def answer(Q, K, bandwidth):
        return wrong(Q) if meant != "x.shape[-1]" else Q.size(-1)

    assert named(answer) == ["from-pytorch"]
    (advice,) = judge(bumps, answer).advice
    assert meant in advice.cure


@pytest.mark.parametrize("slip", [slip for slip, raises in RAISES.items() if raises])
@pytest.mark.filterwarnings("ignore::SyntaxWarning")
def test_a_slip_is_told_by_the_exception_that_it_raises(slip):
    def answer(Q, K, bandwidth):
        return RAISES[slip]()

    assert named(answer) == [slip]
    assert "{" not in words(answer).split(", at the line")[0]


def adds_a_column(x):
    return x + np.ones((len(x) + 1, 1))


def test_an_axis_that_was_kept_may_be_the_one_that_does_not_fit():
    def kept(Q, K, bandwidth):
        return Q.sum(axis=1, keepdims=True) + np.ones((len(Q) + 1, 1))

    def lost(Q, K, bandwidth):
        return Q.sum(axis=1) + np.ones(len(Q) + 1)

    def kept_for_another(Q, K, bandwidth):
        return adds_a_column(Q.sum(axis=1, keepdims=True))

    for answer in (kept, kept_for_another):
        (advice,) = judge(bumps, answer).advice
        assert "an axis that `keepdims=True` has kept too many" in advice.cure
    (of_lost,) = judge(bumps, lost).advice
    assert "too many" not in of_lost.cure


def test_what_is_still_to_be_written_in_one_branch_is_named():
    def half(Q, K, bandwidth):
        if len(Q) > 5:
            raise NotImplementedError
        return bumps(Q, K, bandwidth)

    assert named(half) == ["unfinished"]


@pytest.mark.parametrize(
    "line", ['if len(Q): raise ValueError("Q must be square")', 'assert not len(Q), "Q must be empty"']
)
def test_what_a_line_of_the_learners_own_refuses_is_told_as_that(line):
    made = {}
    linecache.cache["own.py"] = (
        0,
        None,
        ["def answer(Q, K, bandwidth):\n", f"    {line}\n", "    return Q\n"],
        "own.py",
    )
    exec(compile("".join(linecache.cache["own.py"][2]), "own.py", "exec"), made)
    assert named(made["answer"]) == ["refuses-allowed"]
    assert line in words(made["answer"])


def test_a_refusal_of_the_learners_own_is_no_slip():
    """The task asks for this ValueError: that it came is no reason for another mistake."""

    def refuses(x, temperature):
        if temperature <= 0:
            raise ValueError("temperature must be positive")
        return np.cos(x / temperature)

    assert "library-refuses" not in named(refuses, "softmax_with_temperature")


def test_a_refusal_of_numpys_is_not_taken_for_one_of_the_courses():
    def answer(Q, K, bandwidth):
        return np.diag(bandwidth)

    assert named(answer) == ["refused-inside"]
    assert "of the course" not in words(answer)


# ---- facts


def test_facts_that_are_seen_from_outside_are_told():
    def notebook_variable(Q, K, bandwidth):
        return np.cos(5 * bumps(Q, K, 1.7))

    def running(Q, K, bandwidth):
        return np.cos(5 * np.cumsum(bumps(Q, K, bandwidth), axis=0))

    def sometimes(Q, K, bandwidth):
        if len(Q) > 5:
            return np.cos(5 * bumps(Q, K, bandwidth))
        return None

    def anew(Q, K, bandwidth):
        for i in range(len(Q)):
            found = np.zeros((len(Q), len(K)))
            found[i] = np.cos(5 * bumps(Q, K, bandwidth)[i] + i)
        return found

    def tries(Q, K, bandwidth):
        while True:
            found = []
            found.extend(np.cos(5 * bumps(Q, K, bandwidth) + Q[0, 0]))
            if len(found):
                return found

    def first_round(Q, K, bandwidth):
        for row in Q:
            return np.cos(5 * bumps(Q, K, bandwidth) + row[0])

    assert named(lambda Q, K, b: np.zeros((len(Q), len(K)))) == ["all-zeros"]
    assert named(lambda Q, K, b: np.ones((5, 7))) == ["same-for-every-input"]
    assert named(notebook_variable) == ["argument-unused"]
    assert "`bandwidth`" in words(notebook_variable)
    assert named(running) == ["rows-mix"]
    assert named(sometimes) == ["none-sometimes"]
    assert named(first_round) == ["return-in-loop"]
    assert named(anew) == ["made-anew"]
    assert "made-anew" not in named(tries)
    assert named(lambda Q, K, b: bumps(Q, K, b).astype(np.float16)) == ["half-precision"]
    assert named(lambda Q, K, b: bumps(Q, K, b)[len(Q) :]) == ["empty-result"]
    assert named(lambda Q, K, b: bumps(Q, K, b) * 1.004) == ["constant-factor"]
    assert named(lambda Q, K, b: bumps(Q, K, b) * (1 + 1e-5)) == ["nearly-right"]
    assert named(lambda Q, K, b: bumps(Q, K, b) + 17) == ["constant-offset"]
    assert named(lambda Q, K, b: bumps(Q, K, b) + 1e-3 * np.cos(Q.sum() * bumps(Q, K, b))) == ["nearly-right"]
    assert named(lambda Q, K, b: (bumps(Q, K, b), "besides")) == ["one-result-too-many"]
    assert named(lambda Q, K, b: {"result": bumps(Q, K, b)}) == ["wrong-kind"]
    assert named(lambda Q, K, b: (*both(Q, K, b), 1), both) == ["wrong-kind"]
    assert "3 results instead of 2 results" in words(lambda Q, K, b: (*both(Q, K, b), 1), both)
    assert named(lambda Q, K, b: (bumps(Q, K, b)[0] ** 3, Q), both) == ["wrong-shape"]
    assert named(lambda Q, K, b: np.cos(bumps(Q, K, b)).prod(axis=0)) == ["wrong-shape"]


def test_what_is_never_cut_off_is_not_told_of_a_square():
    @function(
        points=1,
        cases=tuple(Case(f"{n}", lambda rng, n=n: {"x": rng.normal(size=9), "k": n}, 0.45) for n in (3, 5)),
        mistakes="unsorted: you leave them as they are -> The smallest were asked for. -> Sort.\n",
    )
    def smallest(x, k, wrong=frozenset()):
        return (x if "unsorted" in wrong else np.sort(x))[:k]

    assert named(lambda x, k: np.sort(x), smallest) == ["argument-ignored"]
    assert "`k` were much larger than it is" in words(lambda x, k: np.sort(x), smallest)


def test_no_argument_is_said_to_stand_under_a_root_that_it_has_none_of():
    given = {"x": np.array([4.0, -9.0])}
    of_a_root = [one for one in on_arguments(given) if one.id == "argument-root"]
    assert of_a_root
    for one in of_a_root:
        with np.errstate(invalid="ignore"), pytest.raises(Unfit):
            one.before(given)


def test_a_text_that_is_looked_at_makes_a_difference():
    turned_round = '"".join(" " if c.isalnum() else c for c in text.lower()).split()'
    assert named(eval(f"lambda text: {turned_round}"), BANK["tokenize"]) == []


def test_an_odd_item_of_a_list_is_told():
    @function(
        points=1,
        cases=tuple(Case(f"{n} items", lambda rng, n=n: {"x": rng.permutation(9)[:n]}, 0.45) for n in (3, 5)),
        mistakes="sorted: you sort -> It was asked as it is. -> Leave the order.\n",
    )
    def listed(x, wrong=frozenset()):
        return sorted(int(one) for one in x) if "sorted" in wrong else [int(one) for one in x]

    assert named(lambda x: [*listed(x)[:-1], "?"], listed) == ["wrong-kind"]
    assert "there is a text in your list" in words(lambda x: [*listed(x)[:-1], "?"], listed)


def test_a_changed_argument_is_named_when_nothing_of_the_exercise_explains_the_result():
    def in_place(Q, K, bandwidth):
        Q *= 2
        return bumps(Q, K, bandwidth)

    assert named(in_place) == ["changes-input"]


def test_who_prints_at_every_call_prints_in_place_of_returning():
    def prints(Q, K, bandwidth):
        print(bumps(Q, K, bandwidth))

    def forgets(Q, K, bandwidth):
        bumps(Q, K, bandwidth)

    def looks_at_the_way(Q, K, bandwidth):
        print(Q.shape, len(K))
        bumps(Q, K, bandwidth)

    def rounded(Q, K, bandwidth):
        print("result:", bumps(Q, K, bandwidth).round(2).tolist())

    assert named(prints) == ["prints-result"]
    assert named(rounded) == ["prints-result"]
    assert named(looks_at_the_way) == ["returns-none"]
    assert named(forgets) == ["returns-none"]


def test_a_return_of_none_in_so_many_words_is_no_search_that_found_nothing():
    def gives_up(Q, K, bandwidth):
        if len(Q) > 5:
            return None
        return np.cos(5 * bumps(Q, K, bandwidth))

    def finds_nothing(Q, K, bandwidth):
        found = None
        if len(Q) < 6:
            found = np.cos(5 * bumps(Q, K, bandwidth))
        return found

    told = [judge(bumps, answer, 0).advice[0] for answer in (gives_up, finds_nothing)]
    assert "`return None` stands in your lines" in told[0].cause
    assert "nothing has replaced that" in told[1].cause


def test_an_error_of_another_kind_than_the_one_that_is_asked_for_is_named():
    class ValueError(Exception):
        pass

    @function(points=1, cases=(*CASES[:2], Case("a bandwidth of 0", zero_bandwidth, 0.3)), mistakes=MISTAKES)
    def refusing(Q, K, bandwidth, wrong=frozenset()):
        if not bandwidth:
            raise builtins.ValueError("bandwidth must not be 0")
        return bumps(Q, K, bandwidth, wrong)

    def wrong_kind(Q, K, bandwidth):
        if not bandwidth:
            raise RuntimeError("0")
        return bumps(Q, K, bandwidth)

    def own_kind(Q, K, bandwidth):
        if not bandwidth:
            raise ValueError("0")
        return bumps(Q, K, bandwidth)

    assert named(wrong_kind, refusing) == ["not-refused"]
    assert "you raise `RuntimeError` where the task asks for `ValueError`" in words(wrong_kind, refusing)
    assert not judge(refusing, own_kind, 0).passed


def zero_bandwidth(rng):
    return tables(rng, 3, 5, 2) | {"bandwidth": 0.0}


def test_rows_that_are_gathered_in_another_order_are_not_called_reshaped():
    def sorted_twice(Q, K, bandwidth):
        right = bumps(Q, K, bandwidth)
        return right[np.random.default_rng(len(Q)).permutation(len(right))]

    assert named(sorted_twice) == ["rows-in-another-order"]


def test_somebody_who_measures_the_process_is_not_disturbed():
    import cProfile

    profile = cProfile.Profile()
    profile.enable()
    try:
        assert named(lambda *a: -bumps(*a)) == ["result-negated"]
    finally:
        profile.disable()


def test_every_advice_of_a_hypothesis_can_be_read_as_a_sentence():
    drawn = tables(np.random.default_rng(0), 5, 5, 5) | {"mask": np.eye(5, dtype=bool), "words": ["b", "a"], "n": 3}
    some = [
        *hypotheses.on_arguments(drawn),
        *(
            one
            for example in (np.ones((2, 3)), ["a"], 3, 2.5, True)
            for one in hypotheses.on_results(example, drawn, "")
        ),
    ]
    assert len(some) > 300
    for one in some:
        assert one.advice.looks_like[0].islower() or one.advice.looks_like[0] == "`"
        assert not one.advice.looks_like.endswith(".")
        assert one.advice.cause.endswith(".")
        assert one.advice.cure.endswith((".", "?"))


def test_the_margin_of_evidence_is_ten_bits():
    assert engine.MARGIN == 10


def test_repetitions_and_an_order_that_a_set_has_lost_are_told():
    words = ("banana", "mississippi", "abracadabra")

    @function(
        points=1,
        cases=tuple(Case(word, lambda rng, word=word: {"x": list(rng.permuted(list(word)))}, 0.3) for word in words),
        mistakes="doubled: each comes twice -> It was asked as it is. -> Leave it.\n",
    )
    def letters(x, wrong=frozenset()):
        return [one + one if "doubled" in wrong else str(one) for one in x]

    # The order of a set of texts differs from process to process: any may come.
    def shuffled(x):
        return [str(one) for one in np.random.default_rng(len(x)).permuted(sorted(set(x)))]

    assert named(shuffled, letters) == ["each-once"]
    assert "each-once" not in named(lambda x: [*shuffled(x), "?"], letters)


def test_what_stands_for_infinity_is_told_where_nothing_else_is_wrong():
    @function(points=1, cases=CASES, mistakes=MISTAKES)
    def masked(Q, K, bandwidth, wrong=frozenset()):
        scores = bumps(Q, K, bandwidth, wrong)
        return np.where(scores > np.median(scores), scores, -np.inf)

    def instead(number, also=0.0):
        return lambda *a: np.where(np.isinf(masked(*a)), number, masked(*a) + also)

    for number in (-1e9, 7.0, np.nan, np.inf, np.finfo(float).min):
        assert named(instead(number), masked) == ["not-infinite"]
    assert "not-infinite" not in named(instead(-1e9, also=0.1), masked)
    assert "not-infinite" not in named(lambda *a: np.where(np.isinf(masked(*a)), 0, -np.inf), masked)


def test_right_numbers_in_wrong_places_and_sums_that_are_not_1_are_told():
    @function(points=1, cases=CASES, mistakes=MISTAKES)
    def shares(Q, K, bandwidth, wrong=frozenset()):
        powers = np.abs(bumps(Q, K, bandwidth, wrong))
        return powers / powers.sum(axis=1, keepdims=True)

    def shuffled(Q, K, bandwidth):
        right = shares(Q, K, bandwidth)
        return np.random.default_rng(right.size).permuted(right.ravel()).reshape(right.shape)

    def by_columns(Q, K, bandwidth):
        powers = np.exp(3 * np.cos(7 * bumps(Q, K, bandwidth)))
        return powers / powers.sum(axis=0)

    assert named(shuffled, shares) == ["same-numbers-elsewhere"]
    assert named(by_columns, shares) == ["columns-sum-to-one"]

    @function(points=1, cases=(case(3, 3, 3, 0.4), case(5, 5, 5, 0.5)), mistakes=MISTAKES)
    def square(Q, K, bandwidth, wrong=frozenset()):
        return shares(Q, K, bandwidth, wrong)

    def both_ways(Q, K, bandwidth):
        return 0.5 * np.eye(len(Q)) + 0.5 / len(K) + 0.0 * bandwidth

    assert named(by_columns, square) == ["columns-sum-to-one"]
    assert "columns-sum-to-one" not in named(both_ways, square)
    assert named(lambda *a: by_columns(*a) / 3, shares) == ["rows-do-not-sum-to-one"]


def test_a_single_row_of_shares_is_not_told_of_rows():
    @function(
        points=1,
        cases=tuple(Case(f"{n} numbers", lambda rng, n=n: {"x": rng.normal(size=n)}, 0.3) for n in (3, 5, 7)),
        mistakes="raw: you leave them as they are -> They should be shares. -> Divide.\n",
    )
    def portions(x, wrong=frozenset()):
        return np.abs(x) if "raw" in wrong else np.abs(x) / np.abs(x).sum()

    assert named(lambda x: np.cos(x) ** 2 / (1 + x[0] ** 2), portions) == ["do-not-sum-to-one"]
    # A list is as good as an array: what is wrong with it is its length.
    assert named(lambda x: [*np.cos(x), 0.5, 0.5], portions) == ["wrong-shape"]


def test_overflow_is_the_cause_only_of_what_is_not_finite():
    @function(points=1, cases=CASES, mistakes=MISTAKES)
    def powers(Q, K, bandwidth, wrong=frozenset()):
        scores = bumps(Q, K, bandwidth, wrong)
        return scores / (1 + scores)

    def large(Q, K, bandwidth):
        powers_of = np.exp(1000 * bumps(Q, K, bandwidth))
        return powers_of / powers_of

    def also_wrong(Q, K, bandwidth):
        return large(Q, K, bandwidth) if len(Q) == 7 else np.cos(Q.sum() * bumps(Q, K, bandwidth))

    assert named(large, powers) == ["overflow"]
    assert named(also_wrong, powers) == ["rows-mix"]


# ---- where an exception comes from


def elsewhere(filename, text, name):
    """A function of another cell."""
    space = {"np": np, "__name__": "__main__"}
    linecache.cache[filename] = (len(text), None, text.splitlines(keepends=True), filename)
    exec(compile(text, filename, "exec"), space)
    return space[name]


def test_a_line_is_quoted_only_if_it_is_one_of_the_answers_own():
    helper = elsewhere("<cell 3>", "def helper(rows):\n    return rows[0, 0, 0]\n", "helper")

    def answer(Q, K, bandwidth):
        return helper(Q)

    assert named(answer) == ["refused-inside"]
    assert "the function `helper` cannot work" in words(answer)
    assert "at the line `return helper(Q)`" in words(answer)
    assert "rows[0, 0, 0]" not in judge(bumps, answer).text


def test_shapes_that_do_not_fit_are_said_by_the_arguments():
    @function(points=1, cases=CASES, mistakes=MISTAKES)
    def mixed(Q, K, bandwidth, wrong=frozenset()):
        return bumps(Q, K, bandwidth, wrong) @ K

    def causes(answer):
        return [advice.cause for advice in judge(mixed, answer, 0).advice]

    def put_into(Q, K, bandwidth):
        out = np.zeros(len(Q))
        out[:] = K[:, 0]
        return out

    (inner,) = causes(lambda Q, K, bandwidth: Q @ K)
    assert "Measured by your arguments, these are `(K.shape[0],)` and `(Q.shape[1],)`." in inner
    (into,) = causes(put_into)
    assert "these are `(K.shape[0],)` and `(Q.shape[0],)`." in into
    (past,) = causes(lambda Q, K, bandwidth: Q[len(Q)])
    assert past.endswith("that is `(Q.shape[0],)`.")
    # A length that is the same in every call is no argument's.
    (fixed,) = causes(lambda Q, K, bandwidth: Q @ np.ones(7))
    assert "Measured" not in fixed


def test_a_call_without_end_is_told_of_what_calls_itself_wherever_the_stack_was_full():
    def answer(Q, K, bandwidth):
        S = attnlib.softmax(Q @ K.T)
        return answer(S @ K, K, bandwidth)

    assert named(answer) == ["endless-recursion"]
    assert "at the line `return answer(S @ K, K, bandwidth)`" in words(answer)
    assert "softmax" not in words(answer)


def test_what_numpy_raises_inside_is_no_slip_of_the_call():
    def of_a_number(Q, K, bandwidth):
        return np.tril(3)

    def beyond(Q, K, bandwidth):
        return np.expand_dims(Q, 5)

    assert named(of_a_number) == ["refused-inside"]
    assert "`tril`" in words(of_a_number)
    assert named(beyond) == ["axis-missing"]


def test_what_takes_none_apart_is_told_as_none():
    def answer(Q, K, bandwidth, cache=None):
        keys, values = cache
        return keys + values

    assert named(answer) == ["not-a-method-result"]


def test_what_a_call_in_place_gives_is_told_as_none():
    def answer(Q, K, bandwidth):
        kernel = np.fill_diagonal(Q @ Q.T, 0)
        return kernel @ K

    assert named(answer) == ["not-a-method-result"]
    assert "`np.fill_diagonal(Q @ Q.T, 0)` gives None" in words(answer)


def test_an_error_in_some_calls_is_told_after_what_is_wrong_where_there_is_none():
    def answer(Q, K, bandwidth):
        if len(Q) > 5:
            return Q @ Q
        return bumps(Q, K, bandwidth) ** 2

    assert named(answer) == ["result-squared", "inner-sizes"]
    assert "some calls end with an error: you multiply" in words(answer)

    def the_first_head_is_left_out(weights, V, W_o):
        rows, total = np.split(W_o, len(V)), 0
        for head in range(1, len(V)):
            total = total + weights[head][:, :, None] * (V[head] @ rows[head])
        return np.linalg.norm(total, axis=-1)  # of one head, there is nothing

    # To explain all calls has taken all that a search may take, and leaves enough for the others.
    assert named(the_first_head_is_left_out, "head_contributions") == ["first-head-lost", "axis-missing"]


def test_a_length_is_called_after_an_argument_only_where_that_holds_in_every_call():
    square = replace(bumps, cases=(case(5, 7, 4, 0.3), case(4, 3, 3, 0.3), case(5, 5, 2, 0.3)))

    def one_less(Q, K, bandwidth):
        result = np.cos(7 * bumps(Q, K, bandwidth))
        return result[:-1] if len(K) != 5 else result

    assert "(4, K.shape[0]) instead of (Q.shape[0], K.shape[0])" in words(one_less, square)


def test_numbers_that_are_not_finite_are_told_by_where_they_begin():
    def infinite(Q, K, bandwidth):
        with np.errstate(all="warn"):
            return bumps(Q, K, bandwidth) + np.zeros(len(K)) * np.inf

    assert named(infinite) == ["not-finite"]
    assert "0 times infinity" in judge(bumps, infinite).advice[0].cause


def test_an_argument_that_comes_back_is_told_of_the_calls_in_which_it_does():
    square = replace(bumps, cases=(case(5, 5, 5, 0.3), case(3, 3, 3, 0.3), case(7, 4, 3, 0.3)))

    def unchanged(Q, K, bandwidth):
        return Q if len(Q) == len(K) else bumps(Q, K, bandwidth)

    assert "wherever your result is wrong, it is `Q` as it came" in words(unchanged, square)
    assert words(lambda Q, K, b: Q, square) == "you return the argument as it came"


def test_a_shape_that_is_right_in_other_calls_is_not_put_down_to_an_axis():
    def short(Q, K, bandwidth):
        result = np.cos(7 * bumps(Q, K, bandwidth))
        return result[:2] if Q[0, 0] > 0 else result

    def one_axis_more(Q, K, bandwidth):
        return np.cos(7 * bumps(Q, K, bandwidth))[:, None]

    assert "in some calls, (2, K.shape[0])" in words(short)
    assert "There is an axis too many" in judge(bumps, one_axis_more).advice[0].cause
    assert "in some calls" not in words(one_axis_more)


def test_a_shape_that_is_right_by_chance_is_not_put_down_to_special_inputs():
    square = replace(bumps, cases=(case(5, 7, 3, 0.3), case(7, 3, 2, 0.3), case(1, 4, 3, 0.3)))

    def special(Q, K, bandwidth):
        return bumps(Q, K, bandwidth)[:2] if len(K) == 7 else bumps(Q, K, bandwidth)

    def by_chance(Q, K, bandwidth):
        return np.cos(7 * bumps(Q, K, bandwidth))[: 1 + (len(K) == 7)]

    assert "In most calls your result is right" in judge(square, special).advice[0].cause
    assert "in some calls" in words(by_chance, square)
    assert "may be because two lengths are equal there" in judge(square, by_chance).advice[0].cause


def test_a_length_that_is_two_lengths_multiplied_is_told_as_such():
    def run_together(Q, K, bandwidth):
        return np.cos(7 * np.tile(bumps(Q, K, bandwidth), len(Q)))

    assert "(Q.shape[0], Q.shape[0] * K.shape[0]) instead of (Q.shape[0], K.shape[0])" in words(run_together)
    assert "two lengths multiplied" in judge(bumps, run_together).advice[0].cause


def test_rows_of_zeros_and_ones_are_not_told_of_shares():
    @function(points=1, cases=CASES, mistakes=MISTAKES)
    def marks(Q, K, bandwidth, wrong=frozenset()):
        return np.eye(len(K))[bumps(Q, K, bandwidth, wrong).argmax(axis=1)]

    answer = lambda *inputs: np.cos(7 * bumps(*inputs))  # noqa: E731
    assert "rows-do-not-sum-to-one" not in named(answer, marks)


def test_a_number_too_large_is_told_to_come_of_powers_only_where_it_does():
    def squared(Q, K, bandwidth):
        with np.errstate(all="warn"):
            return (bumps(Q, K, bandwidth) * 1e200) ** 2

    assert named(squared) == ["not-finite"]
    assert "larger than any float" in judge(bumps, squared).advice[0].cause


def test_none_from_a_call_in_place_is_told_before_a_missing_return():
    def filled(Q, K, bandwidth):
        return np.fill_diagonal(Q @ K[:, : Q.shape[1]].T, 0)

    assert named(filled) == ["not-a-method-result"]


def test_one_result_is_named_by_what_it_is():
    one = replace(both, model=lambda Q, K, bandwidth, wrong=frozenset(): (bumps(Q, K, bandwidth, wrong),))
    one = replace(one, returns=("near",))
    assert words(lambda *inputs: both(*inputs), one).partition(": ")[2] == "2 results instead of an array"


@pytest.mark.parametrize(
    ("slip", "raises", "said"),
    [
        ("joined-shapes", lambda: np.hstack([X, np.ones(2)]), "different numbers of axes: 2 and 1"),
        ("joined-shapes", lambda: np.concatenate([]), "there are none"),
        ("overflow", lambda: float(10**400), "a whole number gets larger"),
        ("overflow", lambda: 10.0**400, "a power overflows"),
        ("indexed-a-number", lambda: set(LIST)[0], "something that has no places"),
        ("float-index", lambda: X["a"], "no whole number"),
    ],
)
@pytest.mark.filterwarnings("ignore::SyntaxWarning")
def test_one_slip_has_the_words_of_what_happened(slip, raises, said):
    assert named(lambda Q, K, b: raises()) == [slip]
    assert said in words(lambda Q, K, b: raises()).partition(", at the line")[0]


def test_rows_that_depend_on_one_another_only_sometimes_are_not_told_to_stand_alone():
    @function(points=1, cases=CASES, mistakes=MISTAKES)
    def up_to_the_longest(Q, K, bandwidth, wrong=frozenset()):
        return np.tanh(Q) + np.linalg.norm(Q, axis=1).max()

    def all_of_them(Q, K, bandwidth):
        return np.cos(5 * Q) + (Q**3).sum()

    assert "rows-mix" not in judge(up_to_the_longest, all_of_them).diagnoses


def test_rows_that_all_results_follow_are_not_told_to_stand_alone_where_one_example_hides_it():
    """In an example with a 0, a row of a matrix may have no say in one row of what is right."""

    def some(*shape):
        return lambda rng: {"X": rng.normal(size=shape), "W": rng.normal(size=(3, 4))}

    def example(rng):
        return {"X": np.array([[1.0, 2.0], [0.0, -3.0]]), "W": np.ones((2, 1))}

    @function(points=1, cases=(Case("some", some(2, 3), 0.5), Case("example", example, 0.4)), mistakes=MISTAKES)
    def product(X, W, wrong=frozenset()):
        return X @ W

    assert "rows-mix" not in judge(product, lambda X, W: (X + np.sin(W.sum())) @ W).diagnoses
    assert "`X`" in judge(product, lambda X, W: np.cumsum(np.cos(X), axis=0) @ W).text


def test_no_model_is_asked_for_what_cost_the_answer_too_much():
    exercise = BANK["causal_linear_attention"]
    sizes = []

    def model(Q, K, V, wrong=frozenset()):
        sizes.append(len(Q) if wrong else 0)
        if max(sizes) > 1000:
            raise ValueError("a table of all pairs would fill the machine")
        return exercise.model(Q, K, V, wrong=wrong)

    def answer(Q, K, V):
        if len(Q) > 1000:
            raise MemoryError("no room for that")
        return exercise.model(Q, K, V)

    verdict = judge(replace(exercise, model=model), answer, 0)
    assert 0 < verdict.points < exercise.points
    assert "no room for that" in verdict.text
    assert max(sizes) < 1000
