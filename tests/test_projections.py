import numpy as np
import pytest
from arrays import random_weights

from attnlib import best_factors, causal_mask, project_qkv, scaled_dot_product_attention, self_attention


def test_projections_are_matrix_products():
    X = np.random.default_rng(6).standard_normal((2, 7, 5))
    W_q, W_k, W_v = random_weights()
    Q, K, V = project_qkv(X, W_q, W_k, W_v)
    assert (Q.shape, K.shape, V.shape) == ((2, 7, 3), (2, 7, 3), (2, 7, 11))
    assert np.allclose(Q[1, 6], [sum(X[1, 6] * column) for column in W_q.T])
    assert np.allclose(K, np.einsum("bnd,dk->bnk", X, W_k))
    assert np.allclose(V, np.einsum("bnd,dk->bnk", X, W_v))


def test_self_attention_is_attention_of_the_projections():
    X = np.random.default_rng(7).standard_normal((2, 7, 5))
    W = list(random_weights())
    context, weights = self_attention(X, *W)
    expected = scaled_dot_product_attention(X @ W[0], X @ W[1], X @ W[2])
    assert np.allclose(context, expected[0])
    assert np.allclose(weights, expected[1])


def test_self_attention_without_a_mask_ignores_the_order_of_the_tokens():
    X, order = np.random.default_rng(8).standard_normal((7, 5)), np.random.default_rng(9).permutation(7)
    W = list(random_weights())
    assert np.allclose(self_attention(X[order], *W)[0], self_attention(X, *W)[0][order])


def test_self_attention_takes_a_mask():
    X = np.random.default_rng(10).standard_normal((7, 5))
    W = list(random_weights())
    context, weights = self_attention(X, *W, mask=causal_mask(7))
    assert (weights[~causal_mask(7)] == 0).all()
    assert np.allclose(context[0], X[0] @ W[2])


def test_float32_stays_and_integers_become_float64():
    X = np.ones((7, 5), dtype=np.float32)
    outputs = self_attention(X, *(W.astype(np.float32) for W in random_weights()), causal_mask(7))
    assert {output.dtype for output in outputs} == {np.dtype(np.float32)}
    assert self_attention([[1, 2]], [[1], [0]], [[1], [0]], [[1], [0]])[0].dtype == np.float64


def test_errors_name_both_shapes():
    with pytest.raises(
        ValueError, match=r"W_v must have one row per column of X \(5, from shape \(7, 5\)\); .*\(3, 2\)"
    ):
        self_attention(np.ones((7, 5)), np.ones((5, 2)), np.ones((5, 2)), np.ones((3, 2)))
    with pytest.raises(ValueError, match=r"W_k must have as many columns as W_q \(2, .*\(5, 2\)\); .*\(5, 3\)"):
        project_qkv(np.ones((7, 5)), np.ones((5, 2)), np.ones((5, 3)), np.ones((5, 2)))
    with pytest.raises(ValueError, match=r"W_q must have shape \(d_in, d_out\); got shape \(2, 5, 3\)"):
        project_qkv(np.ones((7, 5)), np.ones((2, 5, 3)), np.ones((5, 3)), np.ones((5, 2)))


def test_the_best_factors_leave_out_the_smallest_singular_values_and_nothing_else():
    M = np.random.default_rng(11).standard_normal((7, 7))
    strengths = np.linalg.svd(M)[1]
    for d_k in (1, 3, 7):
        W_q, W_k = best_factors(M, d_k)
        assert W_q.shape == W_k.shape == (7, d_k)
        assert np.isclose(((M - W_q @ W_k.T) ** 2).sum(), (strengths[d_k:] ** 2).sum())


def test_no_other_factors_are_nearer_than_the_best():
    rng = np.random.default_rng(12)
    M = rng.standard_normal((5, 5))
    W_q, W_k = best_factors(M, 2)
    least = ((M - W_q @ W_k.T) ** 2).sum()
    for _ in range(20):
        near_q, near_k = (W + 0.05 * rng.standard_normal(W.shape) for W in (W_q, W_k))
        assert ((M - near_q @ near_k.T) ** 2).sum() > least


def test_best_factors_refuses_what_no_head_can_have():
    for M, d_k in ((np.ones((2, 3)), 1), (np.eye(3), 0), (np.eye(3), 4)):
        with pytest.raises(ValueError, match=f"got shape .* and d_k={d_k}"):
            best_factors(M, d_k)
