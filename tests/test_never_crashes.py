"""Whatever a learner's function or value is, a check ends in a verdict: never in a traceback of ours."""

import copy
import decimal
import fractions
import itertools
import json
from dataclasses import replace

import hypothesis.extra.numpy as hnp
import numpy as np
import pytest
from hostile import BEHAVIOURS, VALUES, answer_to, objects
from hypothesis import HealthCheck, Phase, given, settings
from hypothesis import strategies as st

from grader.classroom.sandbox.inside.wire import encode
from grader.exercises import BANK
from grader.exercises.kinds import (
    Case,
    ChoiceExercise,
    Entry,
    FunctionExercise,
    Property,
    SearchExercise,
    ValueExercise,
    function,
    values,
)
from grader.judging.answer import LocalAnswer, Outcome
from grader.judging.compare import array_of, not_finite
from grader.judging.hypotheses import on_arguments
from grader.judging.judge import Calls, judge
from grader.judging.models import Models, Spent
from grader.judging.plain import NotPlain, identical, plain
from grader.judging.verdict import as_data

pytestmark = pytest.mark.more


def survives(exercise, answer, seed=1):
    """Return the verdict on an answer, after a look at all that is made of it."""
    verdict = judge(exercise, answer, seed)
    assert 0 <= verdict.points <= verdict.max_points
    shown = json.dumps(as_data(verdict)).encode()
    assert b"broke down" not in shown, verdict.text
    verdict.text.encode()
    verdict._repr_html_().encode()
    return verdict


# ---- any mixture, for every exercise


class Named(str):
    """The name of a hostile value while examples are drawn and shown: many of these cannot be."""


class Does(str):
    """The name of a hostile behaviour."""


def made(drawn):
    """Return what was drawn, with the values that are named in it."""
    if isinstance(drawn, Named):
        return VALUES[drawn]()
    if isinstance(drawn, (list, tuple)):
        return type(drawn)(map(made, drawn))
    return {key: made(value) for key, value in drawn.items()} if isinstance(drawn, dict) else drawn


WHOLES = st.one_of(st.integers(), st.integers(-3, 3))
ARRAYS = hnp.arrays(
    st.one_of(hnp.scalar_dtypes(), hnp.array_dtypes(), hnp.unicode_string_dtypes()),
    hnp.array_shapes(min_dims=0, max_dims=4, min_side=0, max_side=4),
)
KEYS = st.one_of(st.none(), st.text(max_size=3), WHOLES, st.floats(), st.tuples(st.integers()))
LEAVES = st.one_of(
    st.sampled_from(sorted(VALUES)).map(Named), WHOLES, st.floats(), st.text(max_size=5), ARRAYS, st.fractions()
)
VALUE = st.recursive(
    LEAVES,
    lambda inner: st.one_of(
        st.lists(inner, max_size=4),
        st.lists(inner, max_size=3).map(tuple),
        st.dictionaries(KEYS, inner, max_size=3),
    ),
    max_leaves=6,
)
BEHAVIOUR = st.one_of(st.sampled_from(sorted(BEHAVIOURS)).map(Does), VALUE)
KINDS = {
    kind: [exercise for exercise in BANK.values() if isinstance(exercise, kind)]
    for kind in (FunctionExercise, ValueExercise, ChoiceExercise, SearchExercise)
}


def examples(test, strategy, number):
    """Try a test on so many examples, the same in every run."""
    quiet = settings(
        max_examples=number,
        database=None,
        deadline=None,
        derandomize=True,
        phases=[Phase.generate],  # to look for a smaller example would take minutes
        suppress_health_check=list(HealthCheck),
    )
    quiet(given(strategy)(test))()


def behaviour(drawn):
    """Return what a call does: a behaviour that is named, or giving a value back."""
    if isinstance(drawn, Does):
        return BEHAVIOURS[drawn]
    return lambda right, args: made(drawn)


@pytest.mark.parametrize("exercise", KINDS[FunctionExercise], ids=lambda exercise: exercise.id)
def test_a_function_may_do_anything(exercise):
    def test(mixture):
        survives(exercise, answer_to(exercise, list(map(behaviour, mixture))))

    mixtures = st.lists(BEHAVIOUR, min_size=1, max_size=4)
    some_right = mixtures.map(lambda mixture: [Does("right"), *mixture])
    examples(test, st.one_of(mixtures, some_right), 1)


def bent(change):
    """A behaviour that changes each array of the right result, turns lists round and gives the other truth."""

    def of(value):
        if isinstance(value, (tuple, dict)):
            inside = map(of, value.values() if isinstance(value, dict) else value)
            return dict(zip(value, inside, strict=True)) if isinstance(value, dict) else tuple(inside)
        if isinstance(value, np.ndarray):
            return change(value) if value.ndim else value + 1
        return not value if isinstance(value, bool) else value[::-1] if isinstance(value, (list, str)) else value

    return lambda right, args: of(right)


BENT = {
    "one entry": lambda array: np.where(
        np.arange(array.size).reshape(array.shape), array, ~array if array.dtype.kind == "b" else array + 1
    ),
    "rows in another order": lambda array: np.roll(array, 1, axis=0),
    "read from behind": lambda array: array[..., ::-1],
    "more": lambda array: np.maximum(array, np.eye(*np.atleast_2d(array).shape[-2:], dtype=array.dtype)),
    "sorted": lambda array: np.sort(array, axis=-1),
    "numbers": lambda array: array.astype(float) * 1.001,
    "cut off": lambda array: array[:-1],
}


def no_floats(exercise):
    """True if an exercise asks for texts, whole numbers or truth: of most of what is computed with, they have none."""
    arguments = exercise.cases[0].make(np.random.default_rng(1)).values()
    right = exercise.model(*copy.deepcopy(list(arguments)))
    return all(np.asarray(part).dtype.kind in "biU" for part in (right if isinstance(right, tuple) else (right,)))


def bends():
    """Return each of these exercises with each change; most for `make thorough` only."""
    for i, exercise in enumerate(filter(no_floats, KINDS[FunctionExercise])):
        for j, bend in enumerate(BENT):
            now = ((i + j) % 3 == 0 or bend == "one entry") and exercise.id != "generate"
            yield pytest.param(exercise, bend, marks=[] if now else pytest.mark.thorough, id=f"{exercise.id}-{bend}")


@pytest.mark.parametrize(("exercise", "bend"), [*bends()])
def test_what_is_right_but_for_one_thing_is_compared_to_the_end(exercise, bend):
    for behaviours in ([bent(BENT[bend])], [bent(BENT[bend]), BEHAVIOURS["right"]]):
        survives(exercise, answer_to(exercise, behaviours))


def values_for(exercise):
    """Return a strategy for what a learner may give as the answer to an exercise that asks for no function."""
    if not isinstance(exercise, ValueExercise) or exercise.entries[0].name == "":
        return VALUE
    names = [entry.name for entry in exercise.entries]
    right = exercise.model()
    entry = st.one_of(VALUE, st.sampled_from(names).map(right.get))
    keys = st.one_of(st.sampled_from([*names, *map(str.upper, names)]), KEYS)
    return st.one_of(VALUE, st.fixed_dictionaries(dict.fromkeys(names, entry)), st.dictionaries(keys, entry))


@pytest.mark.parametrize(
    "exercise",
    [exercise for kind, those in KINDS.items() if kind is not FunctionExercise for exercise in those],
    ids=lambda exercise: exercise.id,
)
def test_a_value_may_be_anything(exercise):
    def test(value):
        survives(exercise, made(value))

    examples(test, values_for(exercise), 12)


# ---- each thing by itself, for an exercise of each kind of result


@pytest.mark.parametrize("name", [*BEHAVIOURS, *VALUES])
def test_nothing_that_a_call_can_do_or_give_ends_in_a_traceback(name):
    drawn = Does(name) if name in BEHAVIOURS else Named(name)
    for exercise, mixture in (("row_means", [drawn]), ("tokenize", [Does("right"), drawn])):
        survives(BANK[exercise], answer_to(BANK[exercise], list(map(behaviour, mixture))))
    survives(BANK["tied-far-key"], made(Named(name)) if name in VALUES else name)


@pytest.mark.parametrize("name", VALUES)
def test_a_value_is_read_as_plain_data_or_refused_in_words(name):
    outcome = LocalAnswer(VALUES[name]()).value()
    if outcome.ok:
        assert identical(plain(outcome.value), outcome.value)
        encode(outcome.value)
    else:
        assert outcome.error == "NotPlain"
        assert outcome.message


@pytest.mark.parametrize(
    ("value", "read"),
    [
        (fractions.Fraction(1, 4), 0.25),
        (fractions.Fraction(8, 4), 2),
        (decimal.Decimal("0.25"), 0.25),
        (np.float64(0.25), 0.25),
        (range(3), [0, 1, 2]),
        ({2, 1}, [1, 2]),
        ({np.int64(3): 1, (np.int64(4),): 2}, {3: 1, (4,): 2}),
        (objects(1.5, 2, fractions.Fraction(1, 2)), np.array([1.5, 2, 0.5])),
        (objects(1, True), np.array([1, 1])),
        (objects(True, False), np.array([True, False])),
        (objects(10**30), np.array([1e30])),
        (objects("a", "b"), ["a", "b"]),
        (np.ones(2, ">f8"), np.ones(2)),
        (np.ones(2, np.longdouble), np.ones(2)),
        (np.ones((1, 2)).view(np.matrix), np.ones((1, 2))),
        *(
            (VALUES[name](), read)
            for name, read in {
                "odd-text": "b",
                "odd-whole": 7,
                "odd-number": 0.5,
                "odd-list": [1.0, 2.0],
                "odd-tuple": (np.ones((2, 2)), 2.0),
                "odd-dict": {"a": 1},
                "odd-array": np.ones((2, 3)),
                "gives-odd-array": np.ones(2),
            }.items()
        ),
    ],
    ids=itertools.count(),
)
def test_numbers_are_read_as_the_numbers_that_they_are(value, read):
    got = plain(value)
    assert type(got) is type(read)
    assert identical(got, read)


@pytest.mark.parametrize(
    ("name", "words"),
    [
        ("too-much", "more than 200,000 numbers"),
        ("long-texts", "an array of 1,000,000 numbers"),
        ("many-axes", "an array of 40 axes"),
        ("too-large-whole", "a whole number of 16,610 binary digits"),
        ("list-in-itself", "lists nested too deeply"),
        ("long-range", "a list of 100,001 items"),
        ("generator", r"a generator \(`list\(...\)` makes a list of it\)"),
        ("class", r"a class \(are the parentheses of a call missing\?\)"),
        ("decimal-nan", "a number of type Decimal that is too large, or none"),
        ("dict-of-odd-keys", "a dict of which a key is neither a text nor a number"),
        ("gives-object", "an array of objects instead of numbers"),
        ("of-an-odd-class", "an object of type Odd$"),
        ("refuses", "an object of type Refuses that gives no array"),
    ],
)
def test_what_is_refused_is_named(name, words):
    with pytest.raises(NotPlain, match=words):
        plain(VALUES[name]())


@pytest.mark.parametrize("value", ["25", objects("1", 2), objects(1.0, None), ["1", "2"], b"25", [[1.0], [1.0, 2.0]]])
def test_what_is_no_number_is_not_taken_for_one(value):
    verdict = judge("tied-far-key", value)
    assert verdict.points == 0
    assert "rows of different lengths" in verdict.text or "this is" in verdict.text
    assert array_of(value) is None


def test_a_whole_number_that_is_too_large_for_numpy_is_compared_like_any_other():
    assert judge("nile", {"bandwidth": 10**30}).findings[0].words == f"`{10**30}` is not right"
    assert array_of([10**30, 1]).tolist() == [1e30, 1.0]
    assert array_of([None, 10**30]) is None


def test_one_row_is_as_good_as_its_numbers():
    for pair in ([-1.0, 3.0], (-1, 3), np.array([[-1.0, 3.0]]), objects(-1, fractions.Fraction(3))):
        assert judge("tied-far-key", pair).findings[0].passed, pair
    right = BANK["read-the-atlas"].model()
    answer = dict(zip(right, (right["japan"][None], tuple(right["egypt"]), list(right["europe"])), strict=True))
    assert judge("read-the-atlas", answer).passed
    said = judge("read-the-atlas", answer | {"japan": [1.0, 2.0, 3.0], "egypt": np.eye(2)}).findings
    assert [finding.passed for finding in said] == [False, False, True]
    assert said[0].words == "2 numbers are asked for; yours has the shape (3,)"
    assert said[1].words == "2 numbers are asked for; yours has the shape (2, 2)"
    said = judge("read-the-atlas", answer | {"japan": "1, 2"}).findings
    assert said[0].words == "2 numbers are asked for, in a list or an array"


def test_rows_that_were_typed_as_one_are_asked_for_as_rows():
    @values(points=1, task="give a matrix", entries=(Entry("", "a matrix"),), mistakes="")
    def a_matrix(wrong=frozenset()):
        return np.arange(9.0).reshape(3, 3)

    said = [judge(a_matrix, typed).findings[0].words for typed in (np.ones(9), "nine")]
    assert said[0] == "3 rows of 3 numbers are asked for; yours has the shape (9,)"
    assert said[1] == "3 rows of 3 numbers are asked for, in an array or a list with a list for each row"


def test_a_text_in_the_place_of_several_numbers_is_told_that_a_list_is_asked_for():
    said = judge("play-context", {"context": "[0.9, 1.5]", "largest": "going"}).text
    assert "for the context vector of play 2 numbers are asked for" in " ".join(said.split())
    assert "as a list, without quotation marks" in said


def test_a_key_is_offered_only_if_it_is_nearly_right_and_once():
    right = BANK["nile"].model()
    as_numbers = {int(key) if key.isdigit() else key: value for key, value in right.items()}
    assert judge("nile", as_numbers).passed
    said = [finding.words for finding in judge("nile", {"BANDWIDTH": 1, "1985": 1}).findings]
    assert said == [
        "there is no key 'bandwidth'; is it 'BANDWIDTH'?",
        "there is no key '1885'; is it '1985'?",
        "there is no key '1935'",
    ]
    assert "is it" not in judge("nile", {"flow": 1, 7: 2, None: 3, (1,): 4}).text


# ---- exceptions by their kind


class Refusal(ValueError):
    """A learner's own exception."""


@pytest.mark.parametrize(("kind", "right"), [(Refusal, True), (UnicodeError, True), (TypeError, False)])
def test_an_exception_that_is_made_from_value_error_is_one(kind, right):
    def answer(x, temperature):
        if temperature <= 0:
            raise kind("no")
        return BANK["softmax_with_temperature"].model(x, temperature)

    assert judge("softmax_with_temperature", answer, 1).passed is right
    outcome = LocalAnswer(answer).call((np.ones((2, 2)), 0.0), {})
    assert outcome.raised("ValueError") is right
    assert outcome.raised(kind.__name__)
    assert outcome.kinds[-2:] == ("Exception", "BaseException")


# ---- what takes for ever when it is looked at


class Slow(ValueError):
    """An object, and an exception, that does not come to an end."""

    def _slow(self, *args, **kwargs):
        while True:
            pass

    __array__ = __str__ = __getattr__ = _slow


def test_what_does_not_come_to_an_end_when_it_is_looked_at_is_left_alone():
    assert LocalAnswer(Slow(), 0.2).value().error == "NotPlain"

    def answer(x):
        x[0] = Slow()
        raise Slow

    outcome = LocalAnswer(answer, 0.2).call(([1.0],), {})
    assert (outcome.error, outcome.message, outcome.changed) == ("Slow", "(its message cannot be shown)", (0,))


# ---- faults of the judge's own

OURS = "here the check itself broke down (ZeroDivisionError). That is a fault of the course, not yours"


def exercise_of(test, model=lambda x, wrong=frozenset(): x + 1):
    @function(
        points=10,
        cases=(Case("a number", lambda rng: {"x": rng.normal(size=3)}, 0.6),),
        properties=(Property("a property", test, 0.3),),
        mistakes="",
    )
    def add_one(x, wrong=frozenset()):
        return model(x)

    return add_one


def break_down(*args, **kwargs):
    return 1 / 0


def test_a_property_that_breaks_down_costs_nothing_and_says_so():
    exercise = exercise_of(break_down)
    verdict = judge(exercise, lambda x: x + 1)
    assert verdict.passed
    assert OURS in verdict.findings[1].tested
    assert judge(exercise, lambda x: x + 2).points == 0  # nothing counts until the first comparison passes


def test_a_comparison_or_a_diagnosis_that_breaks_down_takes_nothing_from_the_rest(monkeypatch):
    exercise = exercise_of(lambda call, rng: "it does not hold")
    monkeypatch.setattr("grader.judging.judge.diagnose", break_down)
    verdict = judge(exercise, lambda x: x + 1)
    assert (verdict.points, verdict.diagnosis) == (7, None)
    assert OURS in verdict.notes[-1]
    monkeypatch.setattr("grader.judging.judge.agree", break_down)
    verdict = judge(exercise, lambda x: x + 1)
    assert OURS in verdict.findings[0].words
    assert not verdict.findings[0].passed


def test_a_value_or_a_search_that_breaks_down_is_told_in_words(monkeypatch):
    searched = BANK["tied-far-key"]
    for broken in (
        replace(searched, reads=break_down),
        replace(searched, properties=tuple(replace(one, test=break_down) for one in searched.properties)),
    ):
        verdict = judge(broken, [-1.0, 3.0])
        assert verdict.points == 0
        assert OURS in verdict.findings[0].words
    shows = dict.fromkeys(searched.shows, break_down)
    assert judge(replace(searched, shows=shows), [1.0, 2.0]).points == 1
    monkeypatch.setattr("grader.judging.values.rounded_same", break_down)
    assert OURS in judge("nile", {"bandwidth": 1.5}).findings[0].words


# ---- what the tests of properties are given


def test_what_a_property_does_with_a_result_does_not_change_what_was_returned():
    def in_place(call, rng):
        result = call(np.ones(3))
        result *= 0
        return None if result.dtype == float else "it got something else than decimals"

    given = np.full(3, 2)
    exercise = exercise_of(in_place)
    calls = Calls(exercise, LocalAnswer(lambda x: given))
    assert in_place(calls, None) is None
    assert calls.record[0][2].value.tolist() == [2, 2, 2]


@pytest.mark.parametrize("exercise", KINDS[FunctionExercise], ids=lambda exercise: exercise.id)
def test_no_property_holds_for_a_result_that_is_nan(exercise):
    def not_a_number(result):
        if isinstance(result, tuple):
            return tuple(map(not_a_number, result))
        return np.full(np.shape(result), np.nan) if np.asarray(result).dtype.kind == "f" else result

    def answer(*args, **kwargs):
        return not_a_number(exercise.model(*args, **kwargs))

    calls = Calls(exercise, LocalAnswer(answer))
    with np.errstate(all="ignore"):
        for one in exercise.properties:
            before = len(calls.record)
            said = one.test(calls, np.random.default_rng(1))
            for _, _, outcome, expected in calls.record[before:]:
                assert said or not not_finite(outcome) or not_finite(expected), one.text


def test_a_diagnosis_tries_no_sizes_that_would_fill_the_memory():
    tried = []

    def model(lengths, n, wrong=frozenset()):
        tried.append(max(np.max(np.abs(n)), *np.abs(lengths)))
        return np.ones(1)

    models = Models(replace(BANK["padding_mask"], model=model))
    arguments = {"lengths": np.array([9, 5, 11]), "n": 11}
    record = (tuple(arguments.values()), {}, Outcome(), Outcome())
    for hypothesis in on_arguments(arguments):
        models.outcome(hypothesis, record)
    assert 1000 < max(tried) < 2000  # twice, or a hundred times as much, but not e to the 11


def test_the_reference_is_there_even_when_the_budget_of_a_diagnosis_is_used_up():
    models = Models(replace(BANK["row_means"], budget=0))
    assert models.right((np.ones((2, 3)),), {}).value.tolist() == [1, 1]
    with pytest.raises(Spent):
        models.outcome(next(on_arguments({"X": np.ones((2, 3))})), ((np.ones((2, 3)),), {}, Outcome(), Outcome()))
