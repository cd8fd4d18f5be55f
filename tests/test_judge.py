"""The judge: whatever an answer does becomes a finding in plain words, and never a crash."""

import functools
import logging
import os
import subprocess
import sys
import threading
import time
import warnings
from dataclasses import replace

import numpy as np
import pytest

from grader import check, judge
from grader.classroom.running.checks import not_there
from grader.exercises import BANK
from grader.exercises.kinds import Case, Entry, FunctionExercise, Property, SearchExercise, function, values
from grader.exercises.p1_context_vectors.n3_softmax.softmax import softmax as softmax_model
from grader.judging import plain as border
from grader.judging.answer import LocalAnswer
from grader.judging.diagnose import GENERAL
from grader.judging.plain import NotPlain, plain
from grader.judging.verdict import Score


def right(x):
    return softmax_model(x)


def test_an_unknown_id_names_those_that_are_near():
    with pytest.raises(KeyError, match="softmax"):
        judge("sofmax", right)
    with pytest.raises(KeyError, match="no exercise"):
        judge("zzzzzz", right)


def test_the_verdict_of_a_right_answer():
    verdict = judge("softmax", right)
    assert verdict.passed
    assert verdict.points == verdict.max_points == 4
    assert type(verdict.points) is float
    assert verdict.diagnosis is None
    assert all(finding.passed for finding in verdict.findings)
    assert "correct" in verdict.text


def test_a_seed_repeats_a_verdict_and_inputs_are_fresh_without_one():
    seen = []

    def spy(x):
        seen.append(x.copy())
        return right(x)

    for seed in (7, 7, None, None):
        judge("softmax", spy, seed)
    calls = len(seen) // 4
    assert all(np.array_equal(a, b) for a, b in zip(seen[:calls], seen[calls : 2 * calls], strict=True))
    assert not np.array_equal(seen[0], seen[2 * calls])
    assert not np.array_equal(seen[2 * calls], seen[3 * calls])


def test_the_text_does_not_show_the_seed():
    verdict = judge("softmax", lambda x: x, seed=123456)
    assert "123456" not in verdict.text + verdict._repr_html_()


def test_the_smallest_failing_case_is_shown_with_expected_and_got_side_by_side():
    text = judge("softmax", lambda x: x * 2.0, seed=1).text
    assert text.index("x =") < text.index("expected =") < text.index("you returned =")
    assert text.count("expected =") == 1


def boom(x):
    raise RuntimeError("boom <b>here</b>")


def deep(x):
    return deep(x)


def says_so(x):
    warnings.warn("look out", stacklevel=1)
    print("a line")
    sys.stderr.write("a line on stderr\n")
    os.write(2, b"from the descriptor\n")
    logging.getLogger("learner").warning("logged")
    subprocess.run([sys.executable, "-c", "import sys; sys.stderr.write('child')"], check=True)
    return right(x)


@pytest.mark.parametrize(
    ("answer", "words"),
    [
        (boom, "RuntimeError"),
        (deep, "RecursionError"),
        (lambda: 1, "TypeError"),
        (lambda x: sys.exit(3), "SystemExit"),
        (lambda x: x.sort(), "returns None"),
        (lambda x: np.append(right(x).astype(object), None), "an array with None among its numbers"),
        (lambda x: "0.5", "a text"),
        (lambda x: {"weights": right(x)}, "a dict"),
        (lambda x: [[0.5, 0.5], [1.0]], "a list"),
        (lambda x: [[None, 1.0]], "a list"),
        (lambda x: right(x) + 0j, "complex"),
        (lambda x: np.zeros((3000, 3000)), "9,000,000 numbers"),
        (lambda x: right, "a function"),
        (lambda x: (right(x), x), "2 things"),
        (lambda x: right(x)[0], "wrong shape: expected (2, 3), got (3,)"),
        (lambda x: right(x) * np.nan, "NaN"),
        (lambda x: iter(right(x)), "an iterator"),
        (lambda x: functools.lru_cache(right), "it returns a function"),
        (lambda x: dict(enumerate(right(x))).values(), "a part of a dict"),
        (lambda x: ValueError("x"), "an error that was not raised"),
        (lambda x: np._NoValue, "an object without a value"),
        (lambda x: np, "a module"),
        (np.exp, ""),
        ("softmax", "a function is expected"),
        (np.ones((2, 3)), "a function is expected"),
    ],
)
def test_a_strange_answer_becomes_a_finding_in_words(answer, words):
    verdict = judge("softmax", answer)
    assert not verdict.passed
    assert verdict.points == 0
    assert words in " ".join(verdict.text.split())
    assert "<b>here</b>" not in verdict._repr_html_()
    assert "Traceback" not in verdict.text


def test_an_object_that_lies_about_itself_is_no_crash():
    class Liar:
        def __array__(self, dtype=None, copy=None):
            raise ZeroDivisionError("no array for you")

        def __repr__(self):
            raise ZeroDivisionError("no repr for you")

    assert judge("softmax", lambda x: Liar()).points == 0
    assert judge("predict-softmax", Liar()).points == 0


def test_an_exception_names_the_learners_line():
    assert 'raise RuntimeError("boom' in judge("softmax", boom).text


def test_printing_warning_and_stderr_change_no_score_and_reach_nobody(capfd):
    # An own process would be needed to see what escapes between calls; capfd sees all that reaches the descriptors.
    verdict = judge("softmax", says_so)
    assert verdict.passed, verdict.text
    out, err = capfd.readouterr()
    assert out == ""
    assert err == ""


def test_an_argument_changed_in_place_is_told_and_costs_a_small_share():
    def in_place(x):
        weights = right(x)
        x[...] = 0
        return weights

    verdict = judge("softmax", in_place)
    assert verdict.diagnosis == "changes-input"
    assert verdict.points == pytest.approx(3.6)
    assert "`x`" in verdict.text


def endless(x):
    while True:
        pass


def endless_that_swallows(x):
    while True:
        try:
            while True:
                pass
        except Exception:
            pass


@pytest.mark.parametrize("answer", [endless, endless_that_swallows])
def test_a_call_that_never_ends_is_stopped_and_named(answer):
    started = time.monotonic()
    verdict = judge("softmax", LocalAnswer(answer, seconds=0.3))
    assert time.monotonic() - started < 5
    assert verdict.diagnosis == "never-ends"
    assert verdict.points == 0


def test_a_call_that_never_ends_is_stopped_outside_the_main_thread_too():
    verdicts = []
    thread = threading.Thread(
        target=lambda: verdicts.append(judge("softmax", LocalAnswer(endless, seconds=0.3))), daemon=True
    )
    thread.start()
    thread.join(20)
    assert verdicts
    assert verdicts[0].diagnosis == "never-ends"


def test_an_empty_body_is_not_attempted_yet():
    def only_docstring(x):
        """What it will do."""

    def only_pass(x):
        pass

    def not_implemented(x):
        raise NotImplementedError

    for answer in (only_docstring, only_pass, not_implemented, None):
        verdict = judge("softmax", answer)
        assert not verdict.attempted
        assert verdict.points == 0
        assert "not attempted yet" in verdict.text
        assert "not attempted yet" in verdict._repr_html_()


def test_numpy_settings_of_the_learner_do_not_disturb_the_judge():
    before = np.seterr(all="raise")
    try:
        assert judge("softmax", right).passed
    finally:
        np.seterr(**before)


def test_the_librarys_function_is_no_answer_but_earlier_ones_may_be_used():
    import attnlib

    def wrapper(x):
        return attnlib.softmax(x)

    for answer in (attnlib.softmax, wrapper):
        verdict = judge("softmax", answer)
        assert verdict.diagnosis == "library-function"
        assert verdict.points == 0

    def under_another_name(q, K, V):
        return attnlib.context_vectors(q[None], K, V)[0][0]

    assert "context_vectors" in BANK["context_vector"].library_names
    assert judge("context_vector", under_another_name).diagnosis == "library-function"

    def uses_earlier(x, temperature):
        if temperature <= 0:
            raise ValueError
        return attnlib.softmax(x / temperature)

    assert judge("softmax_with_temperature", uses_earlier).passed


def test_what_passes_after_a_wrong_beginning_counts_nothing_and_that_is_said():
    said = "Nothing counts until the first comparison passes."
    verdict = judge("softmax", lambda x: np.full_like(x, 1 / x.shape[-1]), seed=1)
    assert verdict.points == 0
    assert any(finding.passed for finding in verdict.findings)
    assert said in verdict.notes
    assert said not in judge("softmax", lambda x: None).notes + judge("softmax", right).notes


def test_two_mistakes_at_once_are_both_named():
    def answer(x, temperature):
        powers = np.exp(x * temperature)
        return powers / powers.sum(axis=0)

    def both(x, temperature):
        if temperature <= 0:
            raise ValueError
        return answer(x, temperature)

    exercise = BANK["softmax_with_temperature"]
    assert not judge(exercise, both).passed

    def pair(p):
        return (p * np.log2(np.where(p > 0, p, 1))).sum(axis=-1)

    assert set(judge("entropy", pair).diagnoses) == {"log-base-two", "sign"}


def test_general_mistakes_are_named_for_every_function():
    assert judge("softmax", lambda x: x).diagnosis == "returns-argument"
    assert judge("softmax", lambda x: right(x).round(3)).diagnosis == "rounded"
    assert judge("dot_scores", lambda Q, K: K @ Q.T).diagnosis is not None
    assert judge("softmax", lambda x: np.ones((2, 3))).diagnosis == "same-for-every-input"


def test_slips_of_python_are_named():
    def asks_the_array(x):
        if x:
            return right(x)

    def divides(x):
        return np.zeros((x.size / x.shape[1], x.shape[1]))

    assert judge("softmax", asks_the_array).diagnosis == "array-truth"
    assert judge("softmax", divides).diagnosis == "float-size"


def test_the_first_of_a_pair_alone_is_named():
    import attnlib

    def context_alone(X, W_q, W_k, W_v):
        return attnlib.scaled_dot_product_attention(X @ W_q, X @ W_k, X @ W_v)[0]

    verdict = judge("self_attention", context_alone)
    assert verdict.points == 0
    assert "pair" in verdict.text or "alone" in verdict.text


def test_numbers_that_look_alike_are_shown_with_more_digits():
    text = judge("softmax", lambda x: right(x).round(5), seed=3).text
    expected, got = text.split("expected =")[1].split("you returned =")
    assert expected.strip() != got.split("  - ")[0].strip()


def test_an_exception_is_named_by_itself_and_not_by_a_mistake_that_it_has_nothing_to_do_with():
    def undefined(p):
        return not_defined(p)  # noqa: F821 - what happens when a cell above was not run

    verdict = judge("entropy", undefined)
    assert verdict.diagnoses == ("name-unknown",)
    assert "not_defined" in verdict.text


def test_check_returns_the_points_as_a_plain_number_and_shows_the_words(capsys):
    score = check("softmax", lambda x: softmax_model(x, wrong={"no-maximum"}))
    assert isinstance(score, Score)
    assert float(repr(score)) == pytest.approx(2.6)
    assert "Looks like" in capsys.readouterr().out
    assert "2.6 of 4" in score._repr_html_()


def test_under_validate_a_failing_check_speaks_on_stderr_and_a_passing_one_does_not(capsys, monkeypatch):
    monkeypatch.setenv("NBGRADER_EXECUTION", "validate")
    check("softmax", lambda x: x)
    assert "not yet right" in capsys.readouterr().err
    check("softmax", right)
    assert capsys.readouterr().err == ""


@pytest.mark.more
def test_lines_are_short_enough_for_validate():
    for exercise in [*BANK.values()][::5]:
        answer = (lambda *args, **kwargs: "x") if isinstance(exercise, FunctionExercise) else "zzz"
        assert max(map(len, judge(exercise, answer).text.split("\n"))) <= 87


def test_everything_in_the_html_is_escaped():
    def hostile(x):
        raise ValueError("<script>alert(1)</script>")

    html = judge("softmax", hostile)._repr_html_()
    assert "<script" not in html
    assert "&lt;script&gt;" in html


def test_a_large_difference_is_cut_to_where_it_begins():
    exercise = FunctionExercise(
        id="large",
        points=1,
        task="double",
        model=lambda x, wrong=frozenset(): x * 2,
        misconceptions=(),
        cases=(Case("large", lambda rng: {"x": rng.normal(size=(11, 13))}, 0.9),),
    )
    html = judge(exercise, lambda x: x * 3)._repr_html_()
    assert html.count("rows 0 to 7 of 11, columns 0 to 7 of 13") == 3


def test_shares_that_do_not_add_up_are_refused():
    with pytest.raises(ValueError, match="add up to 1"):
        function(points=1, cases=(Case("one", lambda rng: {"x": np.ones((2, 2))}, 0.6),), mistakes="")(right)
    with pytest.raises(ValueError, match="add up to 1"):
        values(points=1, task="", entries=(Entry("", "one", 0.5),), mistakes="")(lambda wrong=frozenset(): 1.0)


def test_values_give_partial_credit_by_part_and_name_a_known_wrong_one():
    @values(
        points=2,
        task="type the values",
        entries=(Entry("mean", "the mean", 0.5), Entry("words", "the words", 0.5)),
        mistakes="""
        sum: you added up -> No division. -> Divide.
        """,
    )
    def exercise(wrong=frozenset()):
        return {"mean": 12.0 if "sum" in wrong else 4.0, "words": ["cat", "sat"]}

    assert judge(exercise, {"mean": 4, "words": [" Sat", "cat"]}).passed
    half = judge(exercise, {"mean": 12.0, "words": ["cat", "sat"]})
    assert half.points == 1
    assert half.diagnosis == "sum"
    assert judge(exercise, {"mean": 12.0, "words": ["dog"]}).diagnosis == "sum"
    assert judge(exercise, {"mean": 4.0004, "words": []}).points == 1
    assert "there is no key 'mean'" in judge(exercise, {"average": 4}).text
    assert "is it 'Words'?" in judge(exercise, {"mean": 4, "Words": ["cat"]}).text
    assert (
        "is close: give 3 decimals"
        in judge(replace(exercise, model=lambda wrong: {"mean": 0.1234, "words": []}), {"mean": 0.12}).text
    )
    assert "if you round" in judge(exercise, {"mean": 4.004, "words": []}).text
    assert judge(exercise, {"mean": None, "words": None}).attempted is False
    for nonsense in (3, "a", [1], {"mean": "four", "words": 3}, {"other": 1}, float("nan")):
        assert judge(exercise, nonsense).points == 0


def test_what_a_named_mistake_explains_is_not_called_close_as_well_and_numbers_are_shown_as_numbers():
    @values(
        points=2,
        task="type the values",
        entries=(Entry("head", "the head's weight", 0.5, decimals=2), Entry("rest", "the rest", 0.5, decimals=2)),
        mistakes="""
        one-too-many: you count one too many -> It is no word. -> Leave it out.
        """,
    )
    def exercise(wrong=frozenset()):
        return {"head": 0.081 if "one-too-many" in wrong else 0.0905, "rest": 0.2}

    named = judge(exercise, {"head": np.array(0.0810000001), "rest": 0.21}).text
    assert "you count one too many" in named
    assert "`0.081` is not right" in named
    assert "`0.21` is close" in named, "the mistake does not explain this one"
    assert "`0.098` is close" in judge(exercise, {"head": np.float64(0.098), "rest": 0.2}).text
    assert "`0.04` is not right" in judge(exercise, {"head": np.float64(0.04), "rest": 0.2}).text, "not half of it"
    swapped = judge(replace(exercise, model=lambda wrong: {"head": 0.23, "rest": 0.27}), {"head": 0.27, "rest": 0.23})
    assert swapped.diagnoses == ("entries-swapped",)
    assert "close" not in swapped.text


def test_what_would_give_an_answer_away_is_not_shown():
    verdict = judge("shift_matrix", lambda distance, d_model, base=10000.0: np.eye(d_model))
    labels = [label for finding in verdict.findings for label, _ in finding.arrays]
    assert "you returned" in labels
    assert "expected" not in labels
    assert "expected" in judge("rotate", lambda X, positions, base=10000.0: X).text


def test_a_table_in_the_place_of_a_number_is_told_what_to_make_of_it():
    @values(points=1, task="type it", entries=(Entry("mean", "the mean", 1.0),), mistakes="")
    def exercise(wrong=frozenset()):
        return {"mean": 4.0}

    for table in ([3.0, 5.0], np.full((2, 3), 4.0)):
        verdict = judge(exercise, {"mean": table})
        assert verdict.diagnoses == ("form",)
        assert "one number is asked for" in verdict.text
        assert "(a mean, a sum)" in " ".join(verdict.text.split())
    assert "Which of its values" in judge(exercise, {"mean": {"dog": [4.0]}}).text


def test_a_mistake_in_one_of_several_vectors_is_told_and_whole_numbers_may_be_chance():
    @values(
        points=1,
        task="give both",
        entries=(Entry("one", "the first", 0.5), Entry("other", "the second", 0.5)),
        mistakes="""
        halved: you halved it -> No division. -> Leave it out.
        ones: you count -> No count. -> Compute.
        """,
    )
    def exercise(wrong=frozenset()):
        right = np.array([0.25, 1.5])
        made = right / 2 if "halved" in wrong else np.array([1.0, 2.0]) if "ones" in wrong else right
        return {"one": made, "other": made + 1}

    assert judge(exercise, {"one": [0.125, 0.75], "other": [1.25, 2.5]}).diagnoses == ("halved",)
    assert judge(exercise, {"one": [0.125, 0.8], "other": [1.25, 2.5]}).diagnoses == ()
    assert judge(exercise, {"one": [1.0, 2.0], "other": [1.25, 2.5]}).diagnoses == ()


def test_a_right_value_in_another_place_is_told_only_if_that_can_be_no_chance():
    @values(
        points=2,
        task="type the values",
        entries=(
            Entry("far", "the largest error", 0.4, decimals=2),
            Entry("off", "the other error", 0.3, decimals=2),
            Entry("large", "the sum", 0.3, decimals=2),
        ),
        mistakes="""
        sum: you added up -> No division. -> Divide.
        """,
    )
    def exercise(wrong=frozenset()):
        return {"far": 0.12, "off": 0.07, "large": 123.45 if "sum" in wrong else 34.56}

    assert judge(exercise, {"far": 0.07, "off": 0.07, "large": 34.56}).diagnoses == ()
    assert judge(exercise, {"far": 34.56, "off": 0.07, "large": 34.56}).diagnoses == ("entry-of-another",)
    assert judge(exercise, {"far": 34.56, "off": 0.05, "large": 34.56}).diagnoses != ("entry-of-another",)
    assert judge(exercise, {"far": 5, "off": 5, "large": 34.56}).diagnoses == ("same-for-every-input",)
    assert judge(exercise, {"far": None, "off": None, "large": 34.56}).diagnoses == ()


def test_a_dict_in_the_place_of_a_list_of_names_is_told_as_a_dict():
    @values(
        points=1,
        task="name them",
        entries=(Entry("", "the leaks", 1.0, among=("causal", "none")),),
        mistakes="""
        all: you name all -> One is right. -> Test each.
        """,
    )
    def exercise(wrong=frozenset()):
        return ["causal", "none"] if "all" in wrong else ["none"]

    (advice,) = judge(exercise, {"causal": False, "none": True}).advice
    assert "a list of texts is asked for, and you give a dict" in advice.looks_like


def test_a_value_may_be_a_tuple():
    @values(points=1, task="type the shape", entries=(Entry("", "shape"),), mistakes="")
    def exercise(wrong=frozenset()):
        return 2, 5

    for right_one in ((2, 5), [2, 5], np.array([2, 5])):
        assert judge(exercise, right_one).passed, right_one
    for wrong_one in ((5, 2), (2,), 2, "25", ("2", 5), [[2, 5]]):
        assert judge(exercise, wrong_one).points == 0


@pytest.mark.parametrize(
    "value",
    [np.array([1, 2, 3]), [1.0, "a", None], {"a": (1, 2)}, True, 2.5, np.float32(1), np.array(["a", "b"])],
)
def test_plain_values_pass_the_border(value):
    assert plain(value) is not None or value is None


@pytest.mark.parametrize(
    "value", [object(), np.array([object()]), 1j, b"bytes", lambda: 1, np.array(["2020"], "M8[Y]")]
)
def test_other_values_do_not(value):
    with pytest.raises(NotPlain):
        plain(value)


def test_a_list_or_array_may_be_as_long_as_the_limit_and_no_longer(monkeypatch):
    monkeypatch.setattr(border, "LARGEST_ARRAY", 5)
    monkeypatch.setattr(border, "LONGEST_TEXT", 3)
    for most, more in ((np.zeros(5), np.zeros(6)), ([0] * 5, [0] * 6), ("abc", "abcd")):
        plain(most)
        with pytest.raises(NotPlain):
            plain(more)


def test_every_general_mistake_has_cause_and_cure():
    for advice in GENERAL.values():
        assert advice.cause.endswith(".")
        assert advice.cure.endswith((".", "?"))


def test_a_function_that_remembers_is_named_and_earns_nothing():
    calls = []

    def on_the_first_call_only(x):
        calls.append(1)
        return softmax_model(x) if len(calls) == 1 else np.zeros(np.shape(x))

    verdict = judge("softmax", on_the_first_call_only, 1)
    assert verdict.diagnosis == "remembers"
    assert verdict.points == 0
    assert "another result than the first time" in verdict.text


def test_a_function_that_goes_by_numbers_which_do_not_matter_is_told_so():
    known, leaks = {}, BANK["leaks_future"].model

    def number(attention):
        return attention(np.random.default_rng(1).normal(size=(7, 5))).round(5).tobytes()

    def learns(attention):
        return known.setdefault(number(attention), leaks(attention))

    assert judge("leaks_future", learns, 3).passed
    verdict = judge("leaks_future", lambda attention: known.get(number(attention), True), 4)
    assert verdict.diagnosis == "depends-on-numbers"
    assert verdict.points == 0
    drawn = np.random.default_rng(0)
    assert (
        judge("leaks_future", lambda attention: leaks(attention) ^ (drawn.random() < 0.1), 3).diagnosis == "remembers"
    )


def test_a_search_pays_for_what_holds_once_the_first_thing_holds():
    odd = Property("odd", lambda value: None if value % 2 else "it is even", 0.5)
    positive = Property("positive", lambda value: None if value > 0 else "it is negative", 0.5)
    exercise = SearchExercise("some-number", 4, "find one", float, (), (positive, odd), {})
    assert [judge(exercise, value).points for value in (3.0, 2.0, -1.0, -2.0)] == [4.0, 2.0, 0.0, 0.0]


# ---- what was not tried, and what was printed


def test_what_a_call_without_end_leaves_untried_is_not_failed():
    def endless(x):
        while True:
            pass

    verdict = judge("softmax", LocalAnswer(endless, 0.05), 1)
    first, second, *_, last = verdict.findings
    assert (first.tried, second.tried, second.words, last.tried) == (True, False, "not tried", True)
    assert "  o a larger matrix, 7 x 5: not tried" in verdict.text


@pytest.mark.parametrize(
    "verdict",
    [
        lambda: judge("softmax", None),
        lambda: judge("predict-softmax", None),
        lambda: not_there(BANK["softmax"], "name 'softmax' is not defined"),
    ],
    ids=["function", "choice", "name"],
)
def test_what_is_not_there_is_not_failed(verdict):
    assert [finding.tried for finding in verdict().findings] == [False]


def test_of_several_values_those_without_an_answer_are_not_failed():
    @values(
        points=1,
        task="two numbers",
        entries=(Entry("a", "one", 0.4), Entry("b", "two", 0.3), Entry("c", "three", 0.3)),
        mistakes="",
    )
    def numbers(wrong=frozenset()):
        return {"a": 1.0, "b": 2.0, "c": 3.0}

    verdict = judge(numbers, {"a": 5.0, "b": None})
    assert [finding.tried for finding in verdict.findings] == [True, False, True]


def test_what_an_answer_printed_is_kept_right_or_wrong():
    def talking(x):
        if x.shape == (5, 5):
            print("square", x.shape)
        return right(x)

    verdict = judge("softmax", talking, 1)
    assert verdict.passed
    assert verdict.printed.text == "square (5, 5)"
    assert 1 <= verdict.printed.calls < verdict.printed.of
    assert judge("softmax", right, 1).printed is None


def test_functions_in_the_place_of_names_are_told_so():
    verdict = judge("leaky-suspects", [lambda X: X, lambda X: 2 * X])
    assert "give the names, as texts" in verdict.findings[0].words
    assert "give the names" not in judge("vanishing-gradient", lambda X: X).findings[0].words


def test_nobody_hears_of_what_a_model_with_a_mistake_warns():
    """The mistakes of `layer_norm` take the variance of one row with `ddof=1`, and NumPy warns of that."""

    def over_the_tokens(X, weight, bias, epsilon=1e-12):
        with np.errstate(all="ignore"):
            return (X - X.mean(axis=0)) / np.sqrt(X.var(axis=0) + epsilon) * weight - bias

    with warnings.catch_warnings(record=True) as heard:
        warnings.simplefilter("always")
        judge("layer_norm", over_the_tokens, 0)
    assert [str(one.message) for one in heard] == []


@pytest.mark.parametrize(
    ("said", "letter"),
    [
        ("c) both give the same weights", "c"),
        ("(C) both", "c"),
        ("c: both", "c"),
        ("c.", "c"),
        ("a) or c)", ""),
        ("both, as in c)", ""),
        ("a bit of both", ""),
        ("z) none", ""),
    ],
)
def test_a_letter_may_stand_before_its_words(said, letter):
    from grader.judging.judge import _letter

    assert _letter(said.lower(), ("a", "b", "c")) == letter
    verdict = judge("predict-softmax", said)
    assert ("type one of the letters" in verdict.text) == (letter == "")


@pytest.mark.parametrize("said", ["'c'", '"c"', "Answer c", "option C)", "\uff43", ["c"], ("c)",), np.array(["c"])])
def test_a_letter_is_read_with_what_people_write_around_it(said):
    assert "your answer c" in judge("predict-softmax", said).text


def test_of_several_letters_each_may_have_its_parenthesis():
    right = BANK["true-claims"]()
    assert judge("true-claims", [f"{letter.upper()})" for letter in right]).passed


@pytest.mark.more
def test_of_the_values_in_a_dict_each_is_read_by_itself():
    from decimal import Decimal
    from fractions import Fraction

    from grader.exercises import BANK
    from grader.exercises.kinds import ValueExercise

    exercises = [one for one in BANK.values() if isinstance(one, ValueExercise) and len(one.entries) > 1]
    tried = 0
    for exercise in exercises:
        right = exercise.model()
        numbers = [name for name, value in right.items() if isinstance(value, float)]
        if len(numbers) < 2:
            continue
        tried += 1
        whole = judge(
            exercise.id, right | {numbers[0]: Fraction(right[numbers[0]]), numbers[1]: Decimal(right[numbers[1]])}
        )
        assert whole.passed, exercise.id
        for far in (right | {numbers[0]: len}, right | {numbers[0]: 1j}):
            verdict = judge(exercise.id, far, diagnosing=False)
            assert 0 < verdict.points < exercise.points
            assert [finding.passed for finding in verdict.findings].count(False) == 1
    assert tried > 2
    only = judge(exercises[0].id, {exercises[0].entries[0].name: len})
    assert "a function (are the parentheses of a call missing?)" in " ".join(only.text.split())


@pytest.mark.parametrize("exercise", ["leaks_future", "sees_order"])
def test_true_and_false_in_the_order_of_the_questions_earn_nothing(exercise):
    from grader.exercises import BANK

    def noting(seed):
        said = []

        def answer(attention):
            said.append(bool(BANK[exercise].model(attention)))
            return said[-1]

        assert judge(exercise, answer, seed).passed
        return said

    def by_heart(said):
        left = iter(said + said)
        return lambda attention: next(left, False)

    heard = noting(1)
    assert heard != noting(2), "the order is drawn anew"
    for seed in range(2, 8):
        assert judge(exercise, by_heart(heard), seed).points < BANK[exercise].points
    # Even with the very order of the draw, and whatever comes when it is asked once more.
    for known in (heard[: len(heard) // 2], heard[: len(heard) // 2] + [True] * 99, [True] + [False] * 99):
        assert judge(exercise, by_heart(known), 1).points == 0


def test_a_query_that_nearly_breaks_does_not():
    for query in ([1e-310, 0], [5e-324, 0], [1e-300, 1e-300], [1e300, -1e299]):
        assert judge("breaking-query", query).points == 0, query
    for query in ([2.0, -2.0], [1e-310, -1e-310], [1e90, -1e90]):
        assert judge("breaking-query", query).passed, query


@pytest.mark.parametrize(
    ("exercise", "turned", "said"),
    [
        ("softmax", lambda found: found.tolist(), "returns a list"),
        ("merge_partial", lambda found: (found[0], found[1].tolist(), found[2]), "returns a list"),
        ("knn_indices", lambda found: found.astype(float), "whole numbers with a point"),
        ("softmax", lambda found: found, ""),
        ("softmax", lambda found: found.astype(np.float32), ""),
        ("tokenize", list, ""),
    ],
)
def test_a_right_answer_is_told_what_cells_below_will_stumble_over(exercise, turned, said):
    model = BANK[exercise].model
    verdict = judge(exercise, lambda *args: turned(model(*args)), 1)
    assert verdict.passed
    assert len(verdict.notes) == bool(said)
    assert said in "".join(verdict.notes)


@pytest.mark.parametrize("exercise_id", ["diagnose", "real_layer", "softmax_with_temperature"])
@pytest.mark.parametrize(
    "answer",
    [
        lambda *given: functools.lru_cache(len),
        lambda *given: ValueError("no"),
        lambda first, *given: first[0][0] if isinstance(first, np.ndarray) else first + 1,
        lambda first, *given: first,
        lambda *given: np._NoValue,
    ],
)
def test_no_name_of_a_class_of_ours_is_said_to_a_learner(exercise_id, answer):
    verdict = judge(exercise_id, answer, 0)
    assert not verdict.passed
    for name in ("NotPlain", "_lru_cache_wrapper", "_NoValue", "builtin_function", "object of type object"):
        assert name not in verdict.text.replace("\n  ", " ")


def test_what_is_returned_and_no_data_is_no_error_that_was_raised():
    outcome = LocalAnswer(lambda: len).call((), {})
    assert (outcome.error, outcome.raised("TypeError"), outcome.did[:21]) == (
        "NotPlain",
        False,
        "it returned a functio",
    )
