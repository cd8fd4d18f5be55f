import math

import numpy as np
import pytest
from arrays import random_qkv

from attnlib import (
    bandwidth_gradient,
    context_vectors,
    exponential_kernel,
    gaussian_kernel,
    kernel_attention,
    learned_kernel,
    leave_one_out_bandwidth,
    load_nile,
    scaled_dot_product_attention,
    unit_rows,
)
from grader.exercises.p2_three_views.n2_kernel_machines import leave_one_out_bandwidth as bank


def gaussian(bandwidth):
    return lambda Q, K: gaussian_kernel(Q, K, bandwidth)


def test_a_gaussian_of_bandwidth_one_prefers_the_nearest_of_two_tied_keys():
    kernel = gaussian_kernel([[1, 2]], [[1, 2], [2, 0], [-1, 3]], 1)
    assert np.allclose(kernel, [[1, math.exp(-2.5), math.exp(-2.5)]])
    assert np.allclose(kernel / kernel.sum(), [[0.859, 0.0705, 0.0705]], rtol=0, atol=5e-4)


def test_the_bandwidth_is_squared_and_doubled():
    assert np.isclose(gaussian_kernel([[0]], [[3]], 2)[0, 0], math.exp(-9 / 8))


def test_the_exponential_kernel_is_the_exponential_of_the_dot_product():
    assert np.isclose(exponential_kernel([[1, 2]], [[2, 3]])[0, 0], math.exp(8))


@pytest.mark.parametrize("kernel", [gaussian(0.7), exponential_kernel])
def test_kernels_agree_with_the_loop_in_every_batch(kernel):
    Q, K, _ = random_qkv(2)
    assert kernel(Q, K).shape == (2, 5, 7)
    one_by_one = [[kernel(q[None], k[None])[0, 0] for k in K[1]] for q in Q[1]]
    assert np.allclose(kernel(Q, K)[1], one_by_one)


def test_a_tiny_bandwidth_leaves_only_the_spot_itself():
    assert np.array_equal(gaussian_kernel([[1.0]], [[1.0], [1.1]], 1e-200), [[1, 0]])


def test_kernel_attention_with_the_exponential_kernel_is_softmax_attention():
    Q, K, V = random_qkv()
    assert np.allclose(kernel_attention(Q, K, V, exponential_kernel), context_vectors(Q, K, V))


@pytest.mark.parametrize("bandwidth", [0.5, 1, 3])
def test_gaussian_weights_are_softmax_weights_when_all_keys_have_the_same_length(bandwidth):
    Q, K, V = random_qkv()
    K = 1.7 * unit_rows(K)
    assert np.allclose(kernel_attention(Q, K, V, gaussian(bandwidth)), context_vectors(Q / bandwidth**2, K, V))


def test_a_squared_bandwidth_of_sqrt_d_k_gives_scaled_attention():
    Q, K, V = random_qkv()
    K = unit_rows(K)
    context = kernel_attention(Q, K, V, gaussian(3 ** (1 / 4)))
    assert np.allclose(context, scaled_dot_product_attention(Q, K, V)[0])


def test_gaussian_weights_differ_from_softmax_weights_when_lengths_differ():
    Q, K, V = random_qkv()
    assert not np.allclose(kernel_attention(Q, K, V, gaussian(1)), context_vectors(Q, K, V), atol=0.05)


def test_kernel_attention_agrees_with_the_loop_in_every_batch():
    Q, K, V = random_qkv(2)
    q, K_1, V_1 = Q[1, 3], K[1], V[1]
    kernel = [math.exp(-sum((q - k) ** 2) / 2) for k in K_1]
    expected = sum(w / sum(kernel) * v for w, v in zip(kernel, V_1, strict=True))
    assert np.allclose(kernel_attention(Q, K, V, gaussian(1))[1, 3], expected)


def test_equal_values_come_back():
    Q, K, _ = random_qkv()
    assert np.allclose(kernel_attention(Q, K, np.full((7, 2), 4.0), gaussian(0.5)), 4)


def test_a_query_out_of_reach_has_a_zero_context():
    context = kernel_attention([[0.0], [99.0]], [[0.0], [1.0]], [[10.0], [20.0]], gaussian(0.1))
    assert np.array_equal(context, [[10], [0]])


def test_a_kernel_may_return_lists_or_integers():
    context = kernel_attention([[0.0]], [[0.0], [1.0]], [[10.0], [20.0]], lambda Q, K: [[1, 3]])
    assert np.array_equal(context, [[17.5]])


def test_the_learned_kernel_is_the_exponential_kernel_of_the_projections():
    rng = np.random.default_rng(1)
    X, Y = rng.standard_normal((2, 5, 3)), rng.standard_normal((2, 7, 3))
    W_q, W_k = rng.standard_normal((3, 2)), rng.standard_normal((3, 2))
    kernel = learned_kernel(X, Y, W_q, W_k)
    assert kernel.shape == (2, 5, 7)
    assert np.isclose(kernel[1, 4, 6], math.exp((X[1, 4] @ W_q) @ (Y[1, 6] @ W_k)))


def test_the_learned_kernel_is_neither_symmetric_nor_positive_semi_definite():
    rng = np.random.default_rng(2)
    X = rng.standard_normal((5, 3))
    kernel = learned_kernel(X, X, rng.standard_normal((3, 2)), rng.standard_normal((3, 2)))
    assert not np.allclose(kernel, kernel.T)
    assert np.linalg.eigvalsh((kernel + kernel.T) / 2).min() < -0.1


def test_with_equal_projections_the_learned_kernel_is_symmetric_and_positive_semi_definite():
    rng = np.random.default_rng(3)
    X, W = rng.standard_normal((5, 3)), rng.standard_normal((3, 2))
    kernel = learned_kernel(X, X, W, W)
    assert np.allclose(kernel, kernel.T)
    assert np.linalg.eigvalsh(kernel).min() > -1e-9 * kernel.max()


def test_leaving_one_out_agrees_with_the_loop_on_the_nile():
    year, flow = load_nile()
    bandwidths = [0.5, 1, 1.5, 2, 3, 5, 8, 16]

    def squared_error(bandwidth):
        error = 0
        for i in range(100):
            weights = np.exp(-((year - year[i]) ** 2) / (2 * bandwidth**2))
            weights[i] = 0
            error += (flow[i] - weights @ flow / weights.sum()) ** 2
        return error

    assert leave_one_out_bandwidth(year, flow, bandwidths) == min(bandwidths, key=squared_error) == 1.5


def test_leaving_one_out_prefers_the_first_of_equal_candidates():
    assert leave_one_out_bandwidth([0, 1], [5, 5], [3, 2, 7]) == 3


def test_a_bandwidth_that_reaches_no_neighbour_predicts_zero_and_loses():
    assert leave_one_out_bandwidth([0, 1, 2], [5, 5, 5], [1e-3, 1]) == 1


def test_leaving_one_out_takes_batches():
    rng = np.random.default_rng(4)
    x = np.sort(rng.random((3, 11)))
    y = np.sin(7 * x) + rng.standard_normal((3, 11)) * [[0], [0.5], [3]]
    bandwidths = [0.03, 0.1, 0.3]
    chosen = leave_one_out_bandwidth(x, y, bandwidths)
    assert np.array_equal(chosen, [leave_one_out_bandwidth(*pair, bandwidths) for pair in zip(x, y, strict=True)])


def test_float32_stays():
    Q, K, V = (x.astype(np.float32) for x in random_qkv())
    assert gaussian_kernel(Q, K, np.float64(1)).dtype == np.float32
    assert kernel_attention(Q, K, V, exponential_kernel).dtype == np.float32


def test_errors_say_what_is_wrong_with_the_kernel():
    Q, K, V = random_qkv()
    with pytest.raises(ValueError, match="bandwidth must be positive; got 0"):
        gaussian_kernel(Q, K, 0)
    with pytest.raises(TypeError, match="kernel must be a function; got float"):
        kernel_attention(Q, K, V, 0.5)
    with pytest.raises(ValueError, match=r"kernel\(Q, K\) must have shape .* = \(5, 7\); got \(7, 5\)"):
        kernel_attention(Q, K, V, lambda Q, K: gaussian_kernel(K, Q, 1))
    with pytest.raises(ValueError, match=r"kernel\(Q, K\) must be finite"):
        kernel_attention(Q, K, V, lambda Q, K: np.full((5, 7), np.nan))
    with pytest.raises(ValueError, match=r"overflows float64: the largest q \. k is 1000\.0; use softmax"):
        exponential_kernel([[1000.0]], [[1.0]])


def test_errors_name_both_shapes():
    with pytest.raises(
        ValueError, match=r"W_q must have one row per column of X .*\(5, 3\).* got W_q of shape \(2, 3\)"
    ):
        learned_kernel(np.ones((5, 3)), np.ones((7, 3)), np.ones((2, 3)), np.ones((3, 2)))
    with pytest.raises(ValueError, match=r"W_k must have as many columns as W_q \(2, .*\(3, 2\)\); .* \(3, 5\)"):
        learned_kernel(np.ones((5, 3)), np.ones((7, 3)), np.ones((3, 2)), np.ones((3, 5)))
    with pytest.raises(ValueError, match=r"x and y must have the same shape.*got \(5,\) and \(7,\)"):
        leave_one_out_bandwidth(np.ones(5), np.ones(7), [1])
    with pytest.raises(ValueError, match="bandwidths must be a row of positive numbers"):
        leave_one_out_bandwidth(np.ones(5), np.ones(5), [1, 0])


def test_the_gradient_is_the_slope_of_the_leave_one_out_error():
    year, flow = load_nile()

    def error(h):
        kernel = gaussian_kernel(year[:, None], year[:, None], h) * (1 - np.eye(len(year)))
        return ((kernel @ flow / kernel.sum(axis=1) - flow) ** 2).sum()

    for h in (1.2, 1.7, 5.0):
        assert np.isclose(bandwidth_gradient(year, flow, h), (error(h + 1e-4) - error(h - 1e-4)) / 2e-4, rtol=1e-4)


def test_where_nobody_is_within_reach_the_error_is_level():
    assert bandwidth_gradient([0, 1000], [1, 2], 1.0) == 0


def test_the_gradient_takes_two_rows_of_the_same_size():
    with pytest.raises(ValueError, match="x and y must be rows of the same size"):
        bandwidth_gradient([0, 1], [0, 1, 2], 1.0)


@pytest.mark.parametrize("points", [5, 13, 17])
def test_the_curves_of_the_leave_one_out_exercise_tell_mistakes_apart(points):
    seeds = {5: bank.FIVE, 13: bank.THIRTEEN, 17: bank.SEVENTEEN}[points]
    assert len(set(seeds.split())) == len(seeds.split()) > 40
    for seed in seeds.split():
        sizes = {5: (5, 7, False), 13: (13, 17, True), 17: (17, 17, True)}[points]
        make = bank.large_curve if points == 17 else bank.some_curve
        assert bank.tell_apart(make(np.random.default_rng(int(seed)), *sizes), *bank.TOLD[seeds]), seed
