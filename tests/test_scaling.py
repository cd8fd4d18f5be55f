import math

import numpy as np
import pytest
from frozen import TORCH, torch_case

from attnlib import (
    causal_mask,
    context_jacobian,
    context_vectors,
    entropy,
    scaled_dot_product_attention,
    softmax,
    softmax_jacobian,
)

PLAYING_OUTSIDE = {
    "Q": np.array([[0.212, 0.04, 0.63, 0.36], [0.1, 0.14, 0.86, 0.77]]),
    "K": np.array([[0.31, 0.84, 0.963, 0.57], [0.45, 0.94, 0.73, 0.58]]),
    "V": np.array([[0.36, 0.83, 0.1, 0.38], [0.31, 0.36, 0.19, 0.72]]),
}


def test_playing_outside_in_full():
    context, weights = scaled_dot_product_attention(**PLAYING_OUTSIDE)
    scores = PLAYING_OUTSIDE["Q"] @ PLAYING_OUTSIDE["K"].T
    assert np.allclose(scores, [[0.9112, 0.8017], [1.4157, 1.2510]], rtol=0, atol=5.1e-5)
    assert np.allclose(weights, [[0.5137, 0.4863], [0.5206, 0.4794]], rtol=0, atol=5e-5)
    expected = [[0.3357, 0.6014, 0.1438, 0.5453], [0.3360, 0.6047, 0.1431, 0.5430]]
    assert np.allclose(context, expected, rtol=0, atol=5e-5)


def test_the_cat_sat_scaled_by_sqrt_2():
    X = np.array([[0.2, 0.5], [0.8, 0.1], [0.3, 0.9]])
    expected = [[0.4196, 0.5287], [0.4687, 0.4680], [0.4064, 0.5547]]
    assert np.allclose(scaled_dot_product_attention(X, X, X)[0], expected, rtol=0, atol=5e-5)


def test_scaled_attention_agrees_with_the_loop_in_every_batch():
    rng = np.random.default_rng(0)
    Q, K, V = rng.standard_normal((2, 5, 3)), rng.standard_normal((2, 7, 3)), rng.standard_normal((2, 7, 11))
    context, weights = scaled_dot_product_attention(Q, K, V)
    for i in range(5):
        e = [math.exp(sum(Q[1, i] * k) / math.sqrt(3)) for k in K[1]]
        assert np.allclose(weights[1, i], np.array(e) / sum(e))
        assert np.allclose(context[1, i], sum(w * v for w, v in zip(weights[1, i], V[1], strict=True)))


def test_scaled_attention_agrees_with_torch():
    case = torch_case("sdpa_")
    Q, K, V = case["Q"], case["K"], case["V"]
    assert np.allclose(scaled_dot_product_attention(Q, K, V)[0], case["context"], rtol=1e-10)
    masked, weights = scaled_dot_product_attention(Q, K, V, case["mask"])
    assert np.allclose(masked, case["masked_context"], rtol=1e-10)
    assert (weights[~np.broadcast_to(case["mask"], weights.shape)] == 0).all()
    causal, _ = scaled_dot_product_attention(Q, K[:, :, :5], V[:, :, :5], causal_mask(5))
    assert np.allclose(causal, case["causal_context"], rtol=1e-10)


def test_dividing_by_sqrt_d_k_keeps_the_entropy_at_large_d_k():
    rng = np.random.default_rng(1)
    Q, K = rng.standard_normal((11, 1031)), rng.standard_normal((13, 1031))
    scaled = entropy(scaled_dot_product_attention(Q, K, K)[1]).mean()
    unscaled = entropy(softmax(Q @ K.T)).mean()
    assert scaled > 1.8
    assert unscaled < 0.2


def test_the_scale_is_that_of_the_keys_not_of_the_values():
    rng = np.random.default_rng(2)
    Q, K, V = rng.standard_normal((5, 3)), rng.standard_normal((7, 3)), rng.standard_normal((7, 11))
    assert np.allclose(scaled_dot_product_attention(Q, K, V)[0], context_vectors(Q / math.sqrt(3), K, V))


def test_the_jacobian_by_hand():
    assert np.allclose(softmax_jacobian([0.25, 0.75]), [[0.1875, -0.1875], [-0.1875, 0.1875]])


def test_the_jacobian_agrees_with_torch():
    assert np.allclose(softmax_jacobian(softmax(TORCH["jacobian_x"])), TORCH["jacobian"], atol=1e-14)


def test_the_jacobian_agrees_with_small_differences_in_every_batch():
    x, step = np.random.default_rng(3).standard_normal((2, 5)), 1e-6
    jacobian = softmax_jacobian(softmax(x))
    for j in range(5):
        nudge = step * np.eye(5)[j]
        assert np.allclose(jacobian[..., j], (softmax(x + nudge) - softmax(x - nudge)) / (2 * step), atol=1e-9)


def test_rows_of_the_jacobian_sum_to_zero_and_a_saturated_softmax_has_none():
    p = softmax(np.random.default_rng(4).standard_normal(7))
    assert np.allclose(softmax_jacobian(p).sum(axis=1), 0)
    assert (softmax_jacobian([1, 0, 0]) == 0).all()


def test_float32_stays_and_integers_become_float64():
    X = np.ones((7, 5), dtype=np.float32)
    outputs = [*scaled_dot_product_attention(X, X, X, causal_mask(7)), softmax_jacobian(X[0])]
    assert {output.dtype for output in outputs} == {np.dtype(np.float32)}
    assert scaled_dot_product_attention([[1, 2]], [[1, 2]], [[1]])[0].dtype == np.float64


def test_errors_name_both_shapes():
    with pytest.raises(ValueError, match=r"K must have the same last axis as Q \(d_k=5\); got K of shape \(7, 3\)"):
        scaled_dot_product_attention(np.ones((2, 5)), np.ones((7, 3)), np.ones((7, 2)))


def test_the_jacobian_of_a_context_agrees_with_small_differences_in_every_batch():
    rng, step = np.random.default_rng(5), 1e-6
    q, K, V = rng.standard_normal((2, 5)), rng.standard_normal((2, 7, 5)), rng.standard_normal((2, 7, 3))
    jacobian = context_jacobian(q, K, V)
    assert jacobian.shape == (2, 3, 5)
    for j in range(5):
        nudge = step * np.eye(5)[j]
        after, before = (scaled_dot_product_attention(x[:, None], K, V)[0][:, 0] for x in (q + nudge, q - nudge))
        assert np.allclose(jacobian[..., j], (after - before) / (2 * step), atol=1e-8)


def test_the_jacobian_of_a_context_is_the_covariance_of_values_and_keys():
    rng = np.random.default_rng(6)
    q, K, V = rng.standard_normal(5), rng.standard_normal((7, 5)), rng.standard_normal((7, 3))
    weights = softmax(K @ q / math.sqrt(5))
    both = np.cov(np.hstack([V, K]), rowvar=False, aweights=weights, ddof=0)
    assert np.allclose(context_jacobian(q, K, V), both[:3, 3:] / math.sqrt(5))


def test_a_query_that_has_decided_moves_nothing():
    K = 1000 * np.eye(3)
    assert (context_jacobian(K[0], K, np.ones((3, 2)) * [[1], [2], [3]]) == 0).all()
