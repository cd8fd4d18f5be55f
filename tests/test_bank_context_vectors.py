"""What the audit and the prediction of the notebook on context vectors claim is true."""

import numpy as np
import pytest

from attnlib import softmax_with_temperature
from attnlib.plots.context_vectors import inside_hull
from grader.exercises.p1_context_vectors.n4_context_vectors.audit_pattern import audit_pattern
from grader.exercises.p1_context_vectors.n4_context_vectors.audit_which import audit_which, right_weights
from grader.exercises.p1_context_vectors.n4_context_vectors.context_vectors import context_vectors
from grader.exercises.p1_context_vectors.n4_context_vectors.play_context import (
    PLAY_VALUES,
    PLAY_WEIGHTS,
    PLAY_WORDS,
    play_context,
)
from grader.exercises.p1_context_vectors.n4_context_vectors.shared import (
    AUDIT_X,
    PUBLISHED_CONTEXTS,
    PUBLISHED_SCORES,
    PUBLISHED_WEIGHTS,
    distant_scores,
    large_scores,
)
from grader.judging.judge import judge


def with_another_shift(shift):
    """A context_vectors whose softmax subtracts something else than the maximum."""

    def answer(Q, K, V):
        scores = Q @ K.T
        powers = np.exp(scores - shift(scores, axis=1, keepdims=True))
        return powers / powers.sum(axis=1, keepdims=True) @ V

    return answer


def published_rows_that_fit(temperature):
    weights = softmax_with_temperature(PUBLISHED_SCORES, temperature)
    return np.isclose(weights.round(2), PUBLISHED_WEIGHTS).all(axis=1).tolist()


def test_two_published_rows_are_softmax_at_temperature_0_4():
    assert published_rows_that_fit(0.4) == [True, False, True]


def test_no_other_temperature_of_one_decimal_gives_two_published_rows():
    assert all(sum(published_rows_that_fit(t / 10)) < 2 for t in range(1, 51) if t != 4)


def test_the_published_row_of_cat_fits_no_temperature():
    assert not any(published_rows_that_fit(t)[1] for t in np.arange(0.1, 3.0, 0.001))


def test_the_published_numbers_look_sound():
    np.testing.assert_allclose(PUBLISHED_WEIGHTS.sum(axis=1), 1)
    assert all(inside_hull(context, AUDIT_X) for context in PUBLISHED_CONTEXTS)


def test_the_predicted_point_lies_outside_the_triangle_and_the_others_inside():
    triangle = [[0, 0], [4, 0], [4, 3]]
    assert not inside_hull([1, 2.5], triangle)
    assert inside_hull([2, 1], triangle)
    assert inside_hull([3.9, 2.8], triangle)


def test_play_contributes_less_than_going_although_its_weight_is_higher():
    lengths = np.linalg.norm(PLAY_WEIGHTS[:, None] * PLAY_VALUES, axis=1)
    assert PLAY_WORDS[lengths.argmax()] == "going"
    assert PLAY_WORDS[PLAY_WEIGHTS.argmax()] == "play"


@pytest.mark.parametrize(
    "answer",
    [
        {"context": [0.9, 1.5], "largest": "going"},
        {"context": np.float32([0.9, 1.5]), "largest": " Going "},
        {"context": (0.9, 1.5), "largest": "going", "notes": "by hand"},
    ],
)
def test_values_may_be_typed_in_any_usual_form(answer):
    assert judge(play_context, answer).passed


def test_the_audit_accepts_rounded_numbers_and_numpy_counts():
    off = {"weights_off": 0.17, "contexts_off": np.array(0.1)}
    assert judge(audit_which, {"scores": np.int64(0), "weights": 9.0, "contexts": np.array(6)} | off).passed
    for temperature in (np.float32(0.4), 0.393, 0.397, 0.403, np.array([0.4])[0]):
        assert judge(audit_pattern, {"temperature": temperature, "odd": "Cat", "most": "sat"}).passed


def test_a_temperature_at_which_the_printed_rows_do_not_come_out_is_told_to_be_near():
    for temperature in (0.35, 0.38, 0.407, 0.42):
        assert (
            judge(audit_pattern, {"temperature": temperature, "odd": "cat", "most": "sat"}).diagnosis == "not-rounded"
        )


def test_a_context_for_every_query_is_asked_for():
    verdict = judge(context_vectors, lambda Q, K, V: context_vectors(Q, K, V).mean(axis=0), 3)
    assert verdict.points == 0


@pytest.mark.parametrize("answer", [with_another_shift(shift) for shift in (np.mean, np.min)])
def test_another_shift_than_the_maximum_costs_a_little(answer):
    for seed in range(10):
        verdict = judge(context_vectors, answer, seed)
        assert 3.5 < verdict.points < 4, verdict.text
        assert verdict.diagnosis == "other-shift"


@pytest.mark.parametrize("seed", range(10))
@pytest.mark.parametrize("axes", [1, 2])
def test_large_scores_are_as_large_as_their_titles_say(axes, seed):
    rng = np.random.default_rng(seed)
    near, far = (make(rng, axes) for make in (large_scores, distant_scores))
    scores = [np.atleast_2d(inputs["Q" if axes == 2 else "q"]) @ inputs["K"].T for inputs in (near, far)]
    assert (scores[0][0] > 1000).all()
    assert (scores[0][1:] < -1000).all()
    assert (scores[1].max(axis=1) > 1000).all()
    assert (scores[1].min(axis=1) < -1000).all()


def test_counting_everything_as_wrong_earns_half_and_is_not_called_scaling_as_a_fact():
    verdict = judge(audit_which, {"scores": 9, "weights": 9, "contexts": 6, "weights_off": 0.17, "contexts_off": 0.1})
    assert verdict.points == 1.2
    assert verdict.diagnosis == "all-scores"


@pytest.mark.parametrize(
    ("weights", "used", "name"),
    [
        (softmax_with_temperature(AUDIT_X @ AUDIT_X.T, np.sqrt(2)), None, "scaled"),
        (right_weights(), PUBLISHED_WEIGHTS, "printed-weights"),
    ],
)
def test_another_recomputation_counts_the_same_and_is_not_as_far_off(weights, used, name):
    contexts = (weights if used is None else used) @ AUDIT_X
    answer = audit_which() | {
        "weights": int((weights.round(2) != PUBLISHED_WEIGHTS).sum()),
        "contexts": int((contexts.round(2) != PUBLISHED_CONTEXTS).sum()),
        "weights_off": np.abs(weights - PUBLISHED_WEIGHTS).max(),
        "contexts_off": np.abs(contexts - PUBLISHED_CONTEXTS).max().round(2),
    }
    verdict = judge(audit_which, answer)
    assert (answer["weights"], answer["contexts"]) == (9, 6)
    assert not verdict.passed
    assert verdict.diagnosis == name


def test_a_temperature_that_is_wrong_is_not_called_close():
    verdict = judge(audit_pattern, {"temperature": 0.6, "odd": "cat", "most": "sat"})
    assert not verdict.passed
    assert verdict.diagnosis == "too-high"
    assert "close" not in verdict.text


def test_a_comparison_before_rounding_is_named():
    right = right_weights()
    answer = {
        "scores": sum(
            float(a[0] * b[0] + a[1] * b[1]) != printed
            for a, row in zip(AUDIT_X, PUBLISHED_SCORES, strict=True)
            for b, printed in zip(AUDIT_X, row, strict=True)
        ),
        "weights": int((right != PUBLISHED_WEIGHTS).sum()),
        "contexts": int((right @ AUDIT_X != PUBLISHED_CONTEXTS).sum()),
        "weights_off": 0.17,
        "contexts_off": 0.1,
    }
    assert judge(audit_which, answer).diagnosis == "unrounded"


def test_a_doubtful_score_or_only_the_largest_weights_are_named():
    assert judge(audit_which, audit_which() | {"scores": 2}).diagnosis == "two-scores"
    assert judge(audit_which, audit_which() | {"weights": 3}).diagnosis == "largest-only"
    assert judge(audit_pattern, {"temperature": 0.4, "odd": "cat", "most": "The"}).diagnosis == "itself"


def test_the_published_contexts_follow_from_no_weights_of_the_example():
    for weights in (right_weights(), PUBLISHED_WEIGHTS):
        assert not np.isclose((weights @ AUDIT_X).round(2), PUBLISHED_CONTEXTS).all(axis=1).any()
