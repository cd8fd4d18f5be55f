"""Mistakes that any function can show, by what its calls did."""

from types import SimpleNamespace

import numpy as np
import pytest

from grader.judging.answer import Outcome
from grader.judging.diagnose import diagnose

EXERCISE = SimpleNamespace(misconceptions=())
RIGHT = [np.array([[0.123456, 2.345678]]), np.array([[3.141592], [2.718281]]), np.array([[-1.414213]])]


def named(outcomes, expected=RIGHT):
    """What is said of calls that came out like this, one an expected result."""
    record = [
        (
            (np.ones((5, 7)),),
            {},
            outcome if isinstance(outcome, Outcome) else Outcome(value=outcome),
            Outcome(value=right),
        )
        for outcome, right in zip(outcomes, expected, strict=True)
    ]
    calls = SimpleNamespace(record=record, explains=lambda wrong, records: False)
    return diagnose(EXERCISE, calls, len(record))


def test_the_same_for_every_input_takes_more_than_one_or_two_to_say():
    same = np.array([[9.0, 9.0]])
    assert named([same] * 3) == ["same-for-every-input"]
    for few in (1, 2):
        assert named([same] * few, RIGHT[:few]) == []


def test_the_same_for_every_input_is_no_mistake_where_the_same_is_expected():
    assert named([np.array([[9.0, 9.0]])] * 3, [RIGHT[0]] * 3) == []


def test_who_prints_at_every_call_prints_in_place_of_returning():
    silent, loud = Outcome(), Outcome(printed="0.5\n")
    assert named([loud, loud, loud]) == ["prints-result"]
    assert named([silent, loud, silent]) == ["returns-none"]
    assert named([loud, Outcome(printed=" \n"), loud]) == ["returns-none"]
    assert named([loud, loud, RIGHT[2]]) == []


@pytest.mark.parametrize("digits", range(1, 7))
def test_a_result_may_be_rounded_to_few_digits_or_many(digits):
    small = [right * 1e-3 for right in RIGHT]
    expected = RIGHT if digits < 4 else small
    assert named([right.round(digits) for right in expected], expected) == ["rounded"]


def test_a_result_that_is_rounded_to_different_digits_is_not_called_rounded():
    assert named([RIGHT[0].round(1), RIGHT[1].round(2), RIGHT[2].round(1)]) == []


def test_pairs_may_come_in_the_wrong_order_or_alone():
    pairs = [(right, right + 1) for right in RIGHT]
    assert named([pair[::-1] for pair in pairs], pairs) == ["swapped-results"]
    assert named([pair[0] for pair in pairs], pairs) == ["first-result-only"]
    assert named([pairs[0][::-1], *pairs[1:]], pairs) == []


def test_all_results_have_to_be_transposed_to_be_called_so():
    square = [np.array([[1.0, 2.0, 3.0], [4.0, 5.0, 6.0]]), np.array([[1.0, 2.0], [3.0, 4.0]])]
    assert named([one.T for one in square], square) == ["transposed-result"]
    assert named([square[0].T, square[1]], square) == []
    # What has one row is no matrix to turn round.
    assert named([np.array([[1.0], [2.0]])], [np.array([[1.0, 2.0]])]) == []


def test_a_changed_argument_is_named_when_nothing_else_explains_the_result():
    assert named([Outcome(value=right + 1, changed=(0,)) for right in RIGHT]) == ["changes-input"]
