"""What properties say of an answer that is wrong."""

import numpy as np
import pytest
from variants.p1_context_vectors.n1_embeddings.one_hot import one_hot_without_the_last
from variants.p1_context_vectors.n3_softmax.entropy import sum_never_reset
from variants.p1_context_vectors.n3_softmax.softmax import total_never_reset
from variants.p5_whole_models.n2_cost.causal_linear_attention import numbers_of_python

from grader.exercises import BANK
from grader.exercises.inputs import point
from grader.exercises.p5_whole_models.n2_cost.causal_linear_attention import long_texts
from grader.exercises.properties import told, worst_row
from grader.judging.answer import LocalAnswer
from grader.judging.judge import Calls, judge


@pytest.mark.parametrize(
    ("value", "right", "words"),
    [(0.5, 1, "0.5"), (1.00004, 1, "1.00004"), (2.397895272, 2.397895273, "2.397895272"), (float("nan"), 1, "nan")],
)
def test_a_wrong_number_is_told_with_digits_that_tell_it_from_the_right_one(value, right, words):
    assert told(value, right) == words


def test_the_worst_row_is_the_farthest_and_nan_is_farther_than_any():
    assert worst_row([1.0, 0.9, 1.3], 1) == 2
    assert worst_row([9.0, np.nan, -9.0], 1) == 1


@pytest.mark.parametrize(
    ("exercise", "answer", "tested", "quoted", "first"),
    [
        ("one_hot", one_hot_without_the_last, "each row holds a single 1", "row 6 (counted from 0) sums to 0", "to 1"),
        ("softmax", total_never_reset, "each row sums to 1", "(counted from 0) sums to 0.", "to 1"),
        ("entropy", sum_never_reset, "equal weights on m keys give ln m", "row 1 (counted from 0)", "row 0"),
    ],
)
def test_a_finding_quotes_the_row_that_is_wrong(exercise, answer, tested, quoted, first):
    for seed in range(5):
        words = next(finding.words for finding in judge(exercise, answer, seed).findings if finding.tested == tested)
        assert quoted in words
        assert first not in words


def test_a_point_is_as_far_as_one_likes_and_may_be_a_row_of_a_matrix():
    np.testing.assert_array_equal(point([[2e9, -1.0]], 2, wanted="two numbers"), [2e9, -1])
    for value, words in (([1e101, 0], "below 1e100"), ([[1, 2], [3, 4]], "two numbers"), ([np.inf, 0], "finite")):
        with pytest.raises(ValueError, match=words):
            point(value, 2, wanted="two numbers")


def test_lists_of_a_state_are_not_taken_for_a_matrix_of_all_pairs():
    calls = Calls(BANK["causal_linear_attention"], LocalAnswer(numbers_of_python, 60))
    assert long_texts(calls, np.random.default_rng(0)) is None
