"""What counts as equal, and what a value is read as."""

import numpy as np
import pytest

from grader.judging.answer import Outcome
from grader.judging.compare import Wrong, agree, kind_of, read
from grader.judging.evidence import agrees

EXPECTED = np.array([[2.0, -3.0], [5.0, 7.0]])


@pytest.mark.parametrize(("kind", "near", "far"), [(np.float64, 1e-7, 1e-5), (np.float32, 1e-4, 1e-3)])
def test_a_result_may_differ_by_what_its_precision_costs_and_no_more(kind, near, far):
    agree((EXPECTED * (1 + near)).astype(kind), EXPECTED)
    with pytest.raises(Wrong, match="wrong values"):
        agree((EXPECTED * (1 + far)).astype(kind), EXPECTED)


def test_half_precision_is_not_enough():
    with pytest.raises(Wrong, match="wrong values"):
        agree(EXPECTED.astype(np.float16) / np.float16(3), EXPECTED / 3)


def test_the_largest_entry_says_how_far_a_small_one_may_be_off():
    expected = np.array([1000.0, 0.0])
    agree(np.array([1000.0, 5e-4]), expected)
    with pytest.raises(Wrong, match="wrong values"):
        agree(np.array([1000.0, 5e-3]), expected)


@pytest.mark.parametrize(("names", "words"), [(("a", "b"), "a pair (a, b)"), (("a", "b", "c"), "3 results (a, b, c)")])
def test_results_are_counted_when_another_number_of_them_comes(names, words):
    assert kind_of(tuple(range(len(names))), names) == words


@pytest.mark.parametrize("value", [True, False, np.True_, np.array(True), [True]])
@pytest.mark.parametrize("expected", [1.0, 1, 0.5])
def test_true_and_false_are_no_numbers(value, expected):
    with pytest.raises(Wrong, match="it returns True or False; expected a"):
        read(value, expected)


@pytest.mark.parametrize("value", [1, 1.0, 0, "True", None, np.array([True, False])])
def test_a_number_is_neither_true_nor_false(value):
    with pytest.raises(Wrong, match="expected True or False"):
        read(value, True)


@pytest.mark.parametrize("value", [2, 2.0, np.float32(2), np.array([[2.0]]), [2], (2.0,)])
def test_a_number_may_come_in_a_box_of_its_own(value):
    assert read(value, 2.5) == 2


@pytest.mark.parametrize("value", [np.inf, np.nan, (EXPECTED, np.array([np.nan]))])
@pytest.mark.parametrize("error", ["ZeroDivisionError", "OverflowError", "FloatingPointError"])
def test_where_numpy_gives_infinity_plain_python_raises_and_both_are_agrees(value, error):
    assert agrees(Outcome(error=error), Outcome(value=value, warned=("overflow encountered in exp",)))
    assert agrees(Outcome(error="ValueError", message="math domain error"), Outcome(value=value))
    assert not agrees(Outcome(error="ValueError", message="not today"), Outcome(value=value))
    assert not agrees(Outcome(error=error), Outcome(value=EXPECTED))


def test_two_that_break_down_are_alike_in_the_same_way_only():
    assert agrees(Outcome(error="IndexError"), Outcome(error="IndexError"))
    assert not agrees(Outcome(error="IndexError"), Outcome(error="ValueError"))
    assert not agrees(Outcome(value=EXPECTED), Outcome(error="ValueError"))
    assert agrees(Outcome(error="Own", kinds=("ValueError", "Exception")), Outcome(error="ValueError"))
    assert not agrees(Outcome(error="ValueError", kinds=("ValueError", "Exception")), Outcome(error="Own"))


@pytest.mark.parametrize("value", ["ab", 5, {"a": 1}, np.ones((2, 2))])
def test_what_is_no_list_is_not_taken_for_one(value):
    with pytest.raises(Wrong, match=r"it returns .*; expected a list of texts"):
        read(value, ["a", "b"])


@pytest.mark.parametrize("value", [["a", None], ["a", 1], [1.5, "a"], np.array([1.0, 2.0])])
def test_a_list_of_texts_holds_texts_alone(value):
    with pytest.raises(Wrong, match=r"it returns a list with .* in it .*; expected a list of texts"):
        read(value, ["a", "b"])


def test_a_list_of_whole_numbers_holds_neither_true_nor_decimals():
    assert read([np.array(3), 5], [2]) == [3, 5]
    for odd in (True, 1.5, None):
        with pytest.raises(Wrong, match="it returns a list with"):
            read([2, odd], [2])


@pytest.mark.parametrize("kind", [np.int64, np.uint8, bool])
def test_whole_numbers_are_compared_exactly(kind):
    expected = np.array([1, 0, 1]).astype(kind)
    agree(expected.copy(), expected)
    with pytest.raises(Wrong, match="wrong values"):
        agree(np.array([1, 0, 0]).astype(kind), expected)
    with pytest.raises(Wrong, match="wrong values"):
        agree(np.array([10_000_001]), np.array([10_000_000]))
    agree(np.array([10_000_001.0]), np.array([10_000_000]))


def test_what_is_missing_is_named_as_the_task_names_it():
    for name, words in (
        ("weights", "expected weights, an array"),
        ("result", "expected an array"),
        ("", "expected an ar"),
    ):
        with pytest.raises(Wrong, match=words):
            read(None, EXPECTED, name)


def test_nan_and_infinity_are_right_where_they_are_expected():
    expected = np.array([np.nan, np.inf, 1.0])
    agree(expected.copy(), expected)
    with pytest.raises(Wrong, match="wrong values"):
        agree(np.array([1.0, np.inf, np.nan]), expected)


def test_none_among_numbers_is_said_and_not_where_there_is_none():
    with pytest.raises(Wrong, match="it returns a list with None in it; expected an array"):
        read([[1.0, 2.0], None], EXPECTED)
    with pytest.raises(Wrong, match="it returns a list of texts; expected an array"):
        read(["a", "b"], EXPECTED)


def test_a_dict_is_compared_name_by_name_in_any_order():
    expected = {"a": EXPECTED, "b": 2.0}
    agree(read({"b": 2, "a": EXPECTED.tolist()}, expected), expected)
    assert agrees(Outcome(value={"b": 2, "a": EXPECTED}), Outcome(value=expected))
    with pytest.raises(Wrong, match=r"a: wrong shape: expected \(2, 2\), got \(2,\)"):
        read({"a": EXPECTED[0], "b": 2.0}, expected)
    with pytest.raises(Wrong, match="a: wrong values"):
        agree({"a": 2 * EXPECTED, "b": 2.0}, expected)
    assert not agrees(Outcome(value={"a": 2 * EXPECTED, "b": 2.0}), Outcome(value=expected))


@pytest.mark.parametrize(
    ("value", "words"),
    [
        ([1.0], "a list; expected a dict"),
        ({"a": 1}, "other names than expected: a instead of a, b"),
        ({}, "none instead"),
    ],
)
def test_a_dict_has_the_expected_names(value, words):
    with pytest.raises(Wrong, match=words):
        read(value, {"a": 1, "b": 2})
