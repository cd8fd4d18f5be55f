"""A learner's answer in the notebook's own process: what a call tells, and where its words are cut."""

import warnings

import numpy as np
import pytest

from grader.judging.answer import LocalAnswer, Outcome, changed_places
from grader.judging.plain import NotPlain, identical, plain


def call(function, *args, **kwargs):
    return LocalAnswer(function, 20).call(args, kwargs)


def test_an_outcome_is_nothing_unless_it_is_told():
    assert Outcome() == Outcome(None, "", "", "", (), "", (), False)
    assert [Outcome().ok, Outcome(error="E").ok, Outcome(stopped=True).ok] == [True, False, False]


def test_what_a_call_said_is_cut():
    def answer():
        print("p" * 20_001, end="")
        for _ in range(2):
            warnings.warn("w" * 201, stacklevel=1)
        raise ValueError("m" * 501)

    outcome = call(answer)
    assert (outcome.error, outcome.message) == ("ValueError", "m" * 500)
    assert outcome.line == 'raise ValueError("m" * 501)'
    assert (outcome.printed, outcome.warned) == ("p" * 20_000, ("w" * 200,))


def test_a_message_that_cannot_be_shown_is_none_of_ours():
    class Odd(Exception):
        def __str__(self):
            raise ValueError

    def answer():
        raise Odd

    assert call(answer).message == "(its message cannot be shown)"


@pytest.mark.parametrize(
    ("largest", "larger", "words"),
    [
        ("x" * 20_000, "x" * 20_001, "a text of 20,001 characters"),
        (np.zeros(100_000, bool), np.zeros(100_001, bool), r"an array of 100,001 numbers \(shape \(100001,\)\)"),
        ([None] * 100_000, [None] * 100_001, "a list of 100,001 items"),
        ([[[[[[[]]]]]]], [[[[[[[[]]]]]]]], "lists nested too deeply"),
    ],
    ids=range(4),
)
def test_a_value_is_plain_up_to_its_limit(largest, larger, words):
    assert identical(plain(largest), largest)
    with pytest.raises(NotPlain, match=words):
        plain(larger)


@pytest.mark.parametrize(
    ("first", "second", "same"),
    [
        (np.array([np.nan]), np.array([np.nan]), True),
        (np.ones(2), np.ones((1, 2)), False),
        (np.ones(2), np.ones(2, int), False),
        (np.ones(2), [1.0, 1.0], False),
        ([1], (1,), False),
        ([1], [1, 2], False),
        ([1, 2], [1, 3], False),
        ({"a": 1}, {"a": 1}, True),
        ({"a": 1}, {"a": 2}, False),
        ({"a": 1, "b": 2}, {"b": 2, "a": 1}, False),
        ({"a": 1}, [("a", 1)], False),
        (1, 1, True),
        (1, 2, False),
        (1, np.ones(2), False),
        (None, np.ones(2), False),
        ("a", np.ones(2), False),
        ([None], [np.ones(2)], False),
        (float("nan"), float("nan"), True),
        (1.0, float("nan"), False),
    ],
)
def test_values_are_identical_in_type_shape_and_every_entry(first, second, same):
    assert identical(first, second) is same


def test_changed_arguments_are_known_by_place_and_name():
    assert changed_places([1, 2], {"a": 3, "b": 4}, [1, 5], {"a": 6, "b": 4}) == (1, "a")


def test_nothing_is_empty_and_a_value_is_told_as_it_is():
    about = LocalAnswer(None).describe("f")
    assert about == {"callable": False, "type": "NoneType", "empty": True, "library": ""}
    assert LocalAnswer(0).describe("f")["empty"] is False
    assert LocalAnswer({1}).value() == Outcome([1])
    unplain = LocalAnswer(object()).value()
    assert (unplain.error, unplain.message) == ("NotPlain", "an object of type object")
