"""The bank is itself tested: mistakes fail and are named, unusual right answers pass, constants earn nothing."""

import importlib
import itertools
from collections import Counter
from dataclasses import replace
from functools import cache
from pathlib import Path

import numpy as np
import pytest
import variants
from judged import verdict_on, with_mistakes

import attnlib
from grader.desk.trying import Known
from grader.exercises import BANK, MODULES
from grader.exercises.kinds import ChoiceExercise, Entry, FunctionExercise, SearchExercise, ValueExercise
from grader.exercises.mistakes import Misconception, read_letters, read_mistakes
from grader.exercises.slips import SLIPS
from grader.judging.judge import judge
from grader.judging.typed import seen_in

FUNCTIONS = [exercise for exercise in BANK.values() if isinstance(exercise, FunctionExercise)]
VALUES = [exercise for exercise in BANK.values() if isinstance(exercise, ValueExercise)]
CHOICES = [exercise for exercise in BANK.values() if isinstance(exercise, ChoiceExercise)]
SEARCHES = [exercise for exercise in BANK.values() if isinstance(exercise, SearchExercise)]
#: The draw of the tests here; test_marks.py holds that every other draw gives each answer the same mark.
FIRST = 0
#: One seed in the tests of every day, another where every answer is judged.
with_seeds = pytest.mark.parametrize(
    "seeds", [pytest.param((0,), id="one-seed"), pytest.param((1,), id="another-seed", marks=pytest.mark.thorough)]
)


def by_id(exercise):
    return exercise.id


def cases_of(exercises):
    return [pytest.param(e, m, id=f"{e.id}-{m.id}") for e in exercises for m in e.misconceptions]


#: Exercises whose answers take longest to judge: a whole model runs, or hundreds of mistakes are tried on much.
LONG = {
    "cached_heads",
    "causal_linear_attention",
    "chunked_attention",
    "corrected_memory",
    "diagnose",
    "generate",
    "leaks_future",
    "masked_softmax",
    "merge_partial",
    "multi_head_attention",
    "safe_beta",
    "search_sentences",
    "sees_order",
    "sentence_vector",
    "sentence_vectors",
    "shift_matrix",
    "word_in_context",
}


def sampled(exercise_id, number):
    """True for the answers to an exercise that `make test` judges, of those that `make thorough` does."""
    return number % (48 if exercise_id in LONG else 16) == 0


def some(parameters):
    """The same parameters, of which `make test` has a sample of each exercise, and the everyday tests every 160th:
    a search for names takes its time."""
    found, numbers = [], Counter()
    for i, one in enumerate(parameters):
        exercise_id = getattr(one.values[0], "id", one.values[0])
        left_out = [] if sampled(exercise_id, numbers[exercise_id]) else [pytest.mark.thorough]
        found.append(pytest.param(*one.values, id=one.id, marks=[pytest.mark.more, *left_out] if i % 160 else []))
        numbers[exercise_id] += 1
    return found


def handwritten(kind):
    """All (exercise id, answer, ...) of tests/variants."""
    found = []
    for exercise_id in BANK:
        for i, entry in enumerate(variants.handwritten(exercise_id, kind)):
            answer, *expected = entry if isinstance(entry, tuple) and kind == "WRONG" else (entry,)
            label = getattr(answer, "__name__", str(i))
            found.append(pytest.param(exercise_id, answer, *expected, id=f"{exercise_id}-{i}-{label}"))
    return found


@pytest.mark.parametrize("exercise", FUNCTIONS, ids=by_id)
@with_seeds
def test_the_model_without_mistakes_gets_full_marks(exercise, seeds):
    for seed in seeds:
        verdict = verdict_on(exercise.id, with_mistakes(exercise.id), seed)
        assert not Known("the model", None, True).flaw(verdict), verdict.text
        assert verdict.points == exercise.points


@pytest.mark.more
@pytest.mark.parametrize("exercise", [e for e in FUNCTIONS if hasattr(attnlib, e.id)], ids=by_id)
@with_seeds
def test_the_reference_is_the_library_function(exercise, seeds):
    hidden = {"function": getattr(attnlib, exercise.id)}  # the judge would know the function itself by its name

    def through_library(*args, **kwargs):
        return hidden["function"](*args, **kwargs)

    for seed in seeds:
        verdict = judge(exercise, through_library, seed)
        assert verdict.passed, verdict.text


@pytest.mark.parametrize(("exercise", "misconception"), some(cases_of(FUNCTIONS)))
def test_every_misconception_fails_and_is_named(exercise, misconception):
    verdict = verdict_on(exercise.id, with_mistakes(exercise.id, misconception.id), FIRST)
    assert not Known(misconception.id, None, False, misconception.id, first=True).flaw(verdict), verdict.text
    assert verdict.points < exercise.points
    assert misconception.looks_like in " ".join(verdict.text.split())


NUMBERED = [
    pytest.param(e, m, id=f"{e.id}-{m.id}", marks=[pytest.mark.thorough] * (e.id in LONG))
    for e in FUNCTIONS
    for m in e.misconceptions
    if m.numbered
]


@pytest.mark.more
@pytest.mark.parametrize(("exercise", "misconception"), NUMBERED)
def test_a_mistake_made_with_another_number_is_another(exercise, misconception):
    made = [with_mistakes(exercise.id, f"{misconception.id}={number}") for number in (0.3, 40.0, 1e9)]
    assert len({judge(exercise, one, FIRST, diagnosing=False).text for one in made}) > 1


@pytest.mark.more
@pytest.mark.parametrize("exercise", [e for e in FUNCTIONS if e.within], ids=by_id)
def test_a_mistake_in_an_exercise_that_is_done_once_more_on_the_way_is_made_and_named(exercise):
    for words, inner in exercise.within:
        made = {m.id: with_mistakes(exercise.id, f"{inner.id}/{m.id}") for m in inner.misconceptions[:9]}
        shown = [name for name, one in made.items() if not judge(exercise, one, FIRST, diagnosing=False).passed]
        assert len(shown) >= 3  # where only pairs of turned rows are compared, say, their layout does not show
        for name in shown[:3]:
            verdict = verdict_on(exercise.id, made[name], FIRST)
            told = verdict.diagnoses[0]  # two that come to the same here have one name
            same = verdict_on(exercise.id, with_mistakes(exercise.id, f"{inner.id}/{told}"), FIRST)
            assert told == name or same.text == verdict.text, verdict.text
            assert f"Looks like: {words}: " in " ".join(verdict.text.split())


def says_one_word(exercise):
    inputs = exercise.cases[0].make(np.random.default_rng(0))
    return isinstance(exercise.model(**inputs), bool | str)


@pytest.mark.more
@pytest.mark.parametrize(
    "exercise",
    [pytest.param(e, marks=[pytest.mark.thorough] * (i % 3 > 0)) for i, e in enumerate(FUNCTIONS)],
    ids=by_id,
)
def test_two_mistakes_at_once_name_at_least_one_of_them(exercise):
    pairs = list(itertools.combinations([m.id for m in exercise.misconceptions], 2))
    # Evenly spread, and few: a search for two takes its time.
    for first, second in pairs[:: len(pairs) // (1 if exercise.id in LONG else 2) + 1]:
        verdict = verdict_on(exercise.id, with_mistakes(exercise.id, first, second), seed=1)
        assert not verdict.passed, f"{first} and {second} together pass"
        if set(verdict.diagnoses) & {first, second} or len(verdict.diagnoses) == 1:
            continue
        own = {m.id for m in exercise.misconceptions}
        if (verdict.unnamed and says_one_word(exercise)) or (exercise.effort >= 2 and not own & {*verdict.diagnoses}):
            continue  # that is too little for two mistakes at once, or a whole model runs each time that one is tried
        # Two others may come to the same: -|q|^2 - 2 q.k - |k|^2 has two wrong signs, or one and then all turned round.
        same = verdict_on(exercise.id, with_mistakes(exercise.id, *verdict.diagnoses), seed=1)
        assert same.text == verdict.text, f"{first}, {second}: {verdict.text}"


@pytest.mark.parametrize("exercise", FUNCTIONS, ids=by_id)
def test_an_exercise_knows_enough_mistakes(exercise):
    assert len(exercise.misconceptions) >= 3
    assert len({m.id for m in exercise.misconceptions}) == len(exercise.misconceptions)
    assert exercise.in_front in {"", *(m.id for m in exercise.misconceptions)}
    for m in exercise.misconceptions:
        assert m.looks_like[0] == m.looks_like[0].lower() or m.looks_like.startswith("`"), (
            "it completes 'Looks like: ...'"
        )
        assert not m.looks_like.endswith(".")
        assert m.cause.endswith((".", "!", "?"))
        assert m.cure.endswith((".", "!", "?"))


@pytest.mark.more
@pytest.mark.parametrize("exercise", FUNCTIONS, ids=by_id)
@with_seeds
def test_constants_zeros_and_the_input_itself_earn_nothing(exercise, seeds, monkeypatch):
    monkeypatch.setattr("grader.judging.judge.diagnose", lambda *_: [])  # it earns nothing, and takes its time
    for seed in seeds:
        inputs = exercise.cases[0].make(np.random.default_rng(99))
        plain = {k: v for k, v in inputs.items() if k not in exercise.keywords}
        keyed = {k: v for k, v in inputs.items() if k in exercise.keywords}
        right = exercise.model(*plain.values(), **keyed)

        def zeros(*args, _exercise=exercise, **kwargs):
            return blank(_exercise.model(*args, **kwargs), 0.0)

        def uniform(*args, _exercise=exercise, **kwargs):
            return blank(_exercise.model(*args, **kwargs), None)

        def same(*args, _right=right, **kwargs):
            return _right

        def identity(first, *args, **kwargs):
            return first

        for answer in (zeros, uniform, same, identity):
            if answer is uniform and isinstance(right, (bool, str)):
                continue
            verdict = judge(exercise, answer, seed)
            allowed = 0.5 * exercise.points if isinstance(right, bool) else 0.0
            assert verdict.points <= allowed, f"{answer.__name__}: {verdict.text}"


def blank(result, fill):
    """A result of the same kind and shape that holds nothing: zeros, or equal shares."""
    if isinstance(result, tuple):
        return tuple(blank(item, fill) for item in result)
    if isinstance(result, np.ndarray):
        share = 1.0 / max(result.shape[-1], 1) if result.ndim else 0.0
        return np.full(result.shape, share if fill is None else fill)
    if isinstance(result, list):
        return [type(item)() for item in result]
    return type(result)()


@pytest.mark.parametrize(("exercise_id", "answer"), some(handwritten("VARIANTS")))
def test_a_legitimate_variant_gets_full_marks(exercise_id, answer):
    verdict = verdict_on(exercise_id, answer, FIRST)
    assert not Known("a variant", answer, True).flaw(verdict), verdict.text


@pytest.mark.parametrize(("exercise_id", "answer", "diagnosis"), some(handwritten("WRONG")))
def test_a_wrong_answer_written_by_hand_fails(exercise_id, answer, diagnosis):
    verdict = verdict_on(exercise_id, answer, FIRST)
    assert not Known("a wrong answer", answer, False, diagnosis).flaw(verdict), verdict.text
    assert "broke down" not in verdict.text


@pytest.mark.parametrize("exercise", VALUES, ids=by_id)
def test_the_expected_values_get_full_marks(exercise):
    verdict = judge(exercise, exercise())
    assert verdict.passed, verdict.text
    assert not judge(exercise, None).attempted


@pytest.mark.parametrize(("exercise", "misconception"), cases_of(VALUES))
def test_every_wrong_value_that_is_known_fails_and_is_named(exercise, misconception):
    verdict = judge(exercise, exercise(wrong=frozenset([misconception.id])))
    assert not Known(misconception.id, None, False, misconception.id, first=True).flaw(verdict), verdict.text


@cache
def numbers():
    """What the exercises ask for that is one number large enough to tell something: the entry, and what is right."""
    found = []
    for exercise in VALUES:
        right = exercise.model()
        right = right if isinstance(right, dict) else {"": right}
        for entry in exercise.entries:
            value = right[entry.name]
            least = 20 if isinstance(value, int) else 100 * 10.0**-entry.decimals
            if isinstance(value, (int, float)) and not isinstance(value, bool) and abs(value) >= least and value != 1:
                found.append((entry, value))
    assert len(found) > 10
    return found


def facts(entry, given, right):
    return [name for name, _ in seen_in([entry], {entry.name: given}, {entry.name: right})]


def test_a_number_is_told_to_be_changed_where_it_is_exactly_that_and_nowhere_else():
    changes = {"sign": -1, "decimal-point": 10, "percent": 100, "doubled": 2, "halved": 0.5}
    for entry, right in numbers():
        whole = isinstance(right, int)
        beside = 1 if whole else 2 * 10.0**-entry.decimals
        for name, factor in changes.items():
            exact = right * factor
            if whole and exact == int(exact):
                exact = int(exact)
            assert facts(entry, exact, right)[:1] == [f"value-{name}"], (entry.name, exact)
            for other in (exact + beside, exact - beside):
                assert f"value-{name}" not in facts(entry, other, right), (entry.name, other)


def test_a_count_that_is_just_any_is_not_taken_for_a_changed_one():
    for entry, right in numbers():
        if isinstance(right, int):
            root = round(right**0.5)
            anything = {1, 7, 100, 5000, 0, -5, root - 1, root + 1, right + 1, right - 1}
            explained = {-right, right * 10, right // 10, right * 100, right // 100, right * 2, right // 2}
            for given in anything - explained - {right, root, 1 - right, right * right}:
                told = facts(entry, given, right)
                assert not any(name.startswith("value-") for name in told), (entry.name, given, told)


def test_a_count_is_never_nearly_right_even_where_it_is_kept_as_a_float():
    pair = Entry("kept", "numbers kept", 1.0, decimals=0)
    assert facts(pair, [32, 6432], np.array([32.0, 6400.0])) == []
    assert facts(pair, [32.5, 6432], np.array([32.5, 6400.0])) == ["nearly-right"]


def test_near_1_a_root_proves_nothing_and_a_share_that_is_counted_is_never_nearly_right():
    share = Entry("share", "the share", 1.0, decimals=2)
    for given in (0.98, 0.985, 0.94, 1.03):  # nearly the root, the square and the inverse of 0.97
        assert facts(share, given, 0.97) in (["nearly-right"], [])
        assert facts(replace(share, counted=True), given, 0.97) == []
    assert facts(share, 0.6, 0.36) == ["value-root"]


@pytest.mark.parametrize("exercise", CHOICES, ids=by_id)
def test_a_choice_has_one_right_letter_and_every_letter_is_explained(exercise):
    assert exercise.right in exercise.because
    assert len(exercise.because) >= 3
    for letter, because in exercise.because.items():
        verdict = judge(exercise, f" {letter.upper()} ")
        assert verdict.passed == (letter == exercise.right)
        assert because in verdict.findings[0].words
        if letter != exercise.right:
            assert verdict.diagnosis == f"chose-{letter}"
            assert f"({exercise.right})" not in because
    for nonsense in ("z", 3, ["a", "b"], "", "the first"):
        verdict = judge(exercise, nonsense)
        assert verdict.points == 0
        assert "letter" in verdict.text
    assert not judge(exercise, None).attempted


@pytest.mark.parametrize("exercise", SEARCHES, ids=by_id)
def test_a_search_is_polite_about_nonsense(exercise):
    assert not judge(exercise, None).attempted
    for nonsense in ("abc", [[1, 2], [3]], float("nan"), object()):
        verdict = judge(exercise, nonsense)
        assert not verdict.passed
        assert verdict.points == 0


def test_every_function_has_legitimate_variants():
    written = {parameter.values[0] for parameter in handwritten("VARIANTS")}
    assert {exercise.id for exercise in FUNCTIONS} <= written


@pytest.mark.parametrize("package", ["", *sorted({module.rpartition(".")[0] for module in MODULES.values()})])
def test_words_that_are_shared_are_those_of_several_exercises(package):
    """In slips.py (here ""), or in the package of a notebook."""
    block = getattr(importlib.import_module(package), "SLIPS", "") if package else SLIPS
    near = [BANK[name] for name, module in MODULES.items() if module.startswith(package)]
    for slip in read_mistakes(block, package or "slips.py"):
        users = [exercise.id for exercise in near if slip in getattr(exercise, "misconceptions", ())]
        assert len(users) > 1, f"{slip.id}: only {users} uses its words"


def test_answers_written_by_hand_lie_where_their_exercise_lies():
    folder = Path(variants.__file__).parent
    known = {variants.module_of(exercise_id) for exercise_id in BANK}
    for path in folder.rglob("*.py"):
        name = ".".join(["variants", *path.relative_to(folder).with_suffix("").parts])
        assert path.stem in ("__init__", "prose", "shared") or name in known, f"{path} belongs to no exercise"


def test_words_of_mistakes_are_read_from_a_block():
    block = """
    plus: you added the products
        instead of taking them off -> A row must sum to 0,
        because weights sum to 1. -> Subtract.

    columns
    """
    columns = Misconception("columns", "you went down", "Rows are queries.", "Go along.")
    first, second = read_mistakes(block, "softmax_jacobian", {"columns": columns})
    assert not first.numbered
    assert first.looks_like == "you added the products instead of taking them off"
    assert (first.cause, first.cure) == ("A row must sum to 0, because weights sum to 1.", "Subtract.")
    assert second is columns
    (clipped,) = read_mistakes("clipped=: you cut off -> It hides. -> Do not.", "cross_entropy")
    assert clipped == Misconception("clipped", "you cut off", "It hides.", "Do not.", numbered=True)
    (few,) = read_mistakes('few="": you list marks -> There are others. -> Ask each.', "tokenize")
    assert few == Misconception("few", "you list marks", "There are others.", "Ask each.", marked=True)


@pytest.mark.parametrize(
    ("block", "line", "words"),
    [
        ("\nplus: you added -> Rows sum to 0. Subtract.\n", 1, "arrows"),
        ("\nplus: you added -> Rows sum to 0. -> Subtract. -> Twice.\n", 1, "arrows"),
        ("\nplus: you added\n", 1, "a cause"),
        ("\nplus: -> Rows sum to 0. -> Subtract.\n", 1, "what it looks like"),
        ("\nplus:\n    Rows sum to 0. -> Subtract.\n", 1, "no entry"),
        ("\nplus\n    you added -> Rows sum to 0. -> Subtract.\n", 2, "continues none"),
        ("\nplus\n", 1, "has no words"),
        ("\nplus: a -> b. -> c.\nplus: a -> b. -> c.\n", 2, "already"),
        ("\nyou added the products\n", 1, "no entry"),
        ("\nplus: you added\n  -> Rows sum to 0. -> Subtract.\n", 2, "continues none"),
        ("\nplus: you added\n    -> Rows sum to 0.\n        -> Subtract.\n", 3, "continues none"),
    ],
)
def test_a_malformed_block_is_refused_with_the_exercise_and_the_line(block, line, words):
    with pytest.raises(ValueError, match=rf"softmax_jacobian: line {line} .*{words}"):
        read_mistakes(block, "softmax_jacobian")


def test_an_option_without_words_is_refused():
    assert read_letters("a: one\n    more\nb: two", "predict") == {"a": "one more", "b": "two"}
    with pytest.raises(ValueError, match="predict: an option has no words"):
        read_letters("a: one\nb", "predict")


def test_ids_are_unique_and_points_are_whole_numbers():
    for exercise in BANK.values():
        assert exercise.points == int(exercise.points) > 0
        assert exercise.task
