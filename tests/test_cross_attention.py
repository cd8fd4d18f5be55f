import itertools
import math

import numpy as np
import pytest
from arrays import random_weights

from attnlib import additive_scores, cross_attention, monotone_alignment, scaled_dot_product_attention, self_attention


def test_cross_attention_asks_from_the_target_and_reads_the_source():
    rng = np.random.default_rng(11)
    X_target, X_source = rng.standard_normal((2, 5, 5)), rng.standard_normal((2, 7, 13))
    W_q, W_k, W_v = random_weights(d_source=13)
    context, weights = cross_attention(X_target, X_source, W_q, W_k, W_v)
    assert context.shape == (2, 5, 11)
    expected = scaled_dot_product_attention(X_target @ W_q, X_source @ W_k, X_source @ W_v)
    assert np.allclose(context, expected[0])
    assert np.allclose(weights, expected[1])


def test_cross_attention_of_a_sequence_with_itself_is_self_attention():
    X, W = np.random.default_rng(12).standard_normal((7, 5)), list(random_weights())
    assert np.array_equal(cross_attention(X, X, *W)[0], self_attention(X, *W)[0])


def test_masked_source_tokens_are_as_if_they_were_not_there():
    rng = np.random.default_rng(13)
    X_target, X_source = rng.standard_normal((2, 5, 5)), rng.standard_normal((2, 7, 5))
    W = list(random_weights())
    source_mask = np.array([[True] * 3 + [False] * 4, [False] * 7])
    context, weights = cross_attention(X_target, X_source, *W, source_mask)
    assert np.allclose(context[0], cross_attention(X_target[0], X_source[0, :3], *W)[0])
    assert (weights[0, :, 3:] == 0).all()
    assert (context[1] == 0).all()


def test_additive_scores_by_hand():
    scores = additive_scores([[1.0, 0.0]], [[2.0], [-1.0]], [[1.0, 0.5], [9.0, 9.0]], [[0.0, 1.0]], [2.0, -3.0])
    assert np.allclose(scores, [[2 * math.tanh(1) - 3 * math.tanh(2.5), 2 * math.tanh(1) - 3 * math.tanh(-0.5)]])


def test_additive_scores_agree_with_the_loop_in_every_batch():
    rng = np.random.default_rng(14)
    Q, K = rng.standard_normal((2, 5, 3)), rng.standard_normal((2, 7, 11))
    W_1, W_2, u = rng.standard_normal((3, 13)), rng.standard_normal((11, 13)), rng.standard_normal(13)
    scores = additive_scores(Q, K, W_1, W_2, u)
    assert scores.shape == (2, 5, 7)
    assert np.allclose(scores[1], [[u @ np.tanh(q @ W_1 + k @ W_2) for k in K[1]] for q in Q[1]])


def test_float32_stays():
    X = np.ones((7, 5), dtype=np.float32)
    outputs = cross_attention(X, X, *(W.astype(np.float32) for W in random_weights()))
    assert {output.dtype for output in outputs} == {np.dtype(np.float32)}


def test_errors_name_both_shapes():
    with pytest.raises(ValueError, match=r"source_mask must broadcast to the scores of shape \(7,\); .*\(5,\)"):
        cross_attention(np.ones((5, 3)), np.ones((7, 3)), *[np.ones((3, 2))] * 3, np.ones(5, dtype=bool))
    with pytest.raises(ValueError, match=r"u must have one entry per column of W_1 \(2, .*\(3, 2\)\); .*\(5,\)"):
        additive_scores(np.ones((5, 3)), np.ones((7, 3)), np.ones((3, 2)), np.ones((3, 2)), np.ones(5))
    with pytest.raises(ValueError, match=r"leading .*X_target of shape \(2, 5, 3\), X_source of shape \(3, 7, 3\)"):
        cross_attention(np.ones((2, 5, 3)), np.ones((3, 7, 3)), *[np.ones((3, 2))] * 3)


def test_an_alignment_that_never_goes_back_is_the_best_of_all():
    rng = np.random.default_rng(15)
    weights = rng.dirichlet(np.ones(5), size=(2, 3, 7))
    places = monotone_alignment(weights)
    assert places.shape == (2, 3, 7)
    tried = np.array(list(itertools.combinations_with_replacement(range(5), 7)))  # all that never go back
    for rows, found in zip(weights.reshape(6, 7, 5), places.reshape(6, 7), strict=True):
        assert found.tolist() == tried[np.log(rows[np.arange(7), tried]).sum(axis=-1).argmax()].tolist()


def test_an_alignment_of_tiny_weights_is_found_and_zeros_are_refused():
    weights = np.full((200, 3), 1e-6)
    weights[:150, 1] = weights[150:, 2] = 0.9
    assert monotone_alignment(weights).tolist() == [1] * 150 + [2] * 50
    assert monotone_alignment([[0.5, 0.5], [0.5, 0.5]]).tolist() == [0, 0]
    with pytest.raises(ValueError, match="weights must be above 0; the smallest is 0"):
        monotone_alignment([[1.0, 0.0]])
