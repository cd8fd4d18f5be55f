import numpy as np
import pytest
from frozen import TORCH

from attnlib import entropy, softmax, softmax_with_temperature, temperature_of

CAT_SAT = np.array([[0.29, 0.21, 0.51], [0.21, 0.65, 0.33], [0.51, 0.33, 0.90]])


def test_the_weights_of_the_cat_sat():
    expected = [[0.3155, 0.2913, 0.3932], [0.2717, 0.4219, 0.3064], [0.3019, 0.2522, 0.4459]]
    assert np.allclose(softmax(CAT_SAT), expected, rtol=0, atol=5e-5)


def test_the_published_weights_resemble_a_temperature_of_0_4_in_two_rows_of_three():
    published = np.array([[0.28, 0.23, 0.49], [0.18, 0.59, 0.23], [0.23, 0.15, 0.62]])
    off_by = np.abs(softmax_with_temperature(CAT_SAT, 0.4) - published).max(axis=1)
    assert (off_by[[0, 2]] < 0.0035).all()
    assert off_by[1] > 0.02


def test_the_tie_of_scores_5_2_5_shares_the_weight():
    assert np.allclose(softmax([[5, 2, 5]]), [[0.488, 0.024, 0.488]], rtol=0, atol=5e-4)


def test_logarithms_come_back_as_their_proportions():
    assert np.allclose(softmax(np.log([[1.0, 2.0, 5.0]])), [[0.125, 0.25, 0.625]])


def test_rows_are_independent_and_sum_to_one():
    x = np.random.default_rng(0).standard_normal((2, 5, 7))
    weights = softmax(x)
    assert np.allclose(weights.sum(axis=-1), 1)
    assert np.allclose(weights, [[[np.exp(s) / sum(np.exp(row)) for s in row] for row in matrix] for matrix in x])
    assert np.array_equal(softmax(x[1, 3]), weights[1, 3])


def test_adding_a_constant_to_a_row_changes_nothing():
    x = np.random.default_rng(1).standard_normal((5, 7))
    assert np.allclose(softmax(x + np.arange(5)[:, None]), softmax(x))


def test_softmax_agrees_with_torch():
    assert np.allclose(softmax(TORCH["softmax_x"]), TORCH["softmax_weights"], rtol=1e-12, atol=1e-300)


@pytest.mark.parametrize("dtype", [np.float32, np.float64])
def test_softmax_is_stable_for_any_finite_input(dtype):
    largest = np.finfo(dtype).max
    x = np.array([[1000, 0, 0], [-largest, largest, 0], [-largest, -largest, -largest], [0, -1e9, -1e9]], dtype=dtype)
    third = 1 / 3
    assert np.allclose(softmax(x), [[1, 0, 0], [0, 1, 0], [third, third, third], [1, 0, 0]])


def test_a_row_far_below_the_others_keeps_its_weights():
    assert np.allclose(softmax([[2000, 2000], [0, 0]]), 0.5)


@pytest.mark.parametrize("function", [softmax, lambda x: softmax_with_temperature(x, np.float64(2)), entropy])
def test_float32_stays_and_integers_become_float64(function):
    assert function(np.ones((2, 3), dtype=np.float32)).dtype == np.float32
    assert function(np.ones((2, 3), dtype=int)).dtype == np.float64


def test_half_precision_becomes_float32():
    assert softmax(np.ones((2, 3), dtype=np.float16)).dtype == np.float32


def test_inputs_are_left_alone():
    x = np.array([[1.0, 2.0, 4.0]])
    softmax(x), softmax_with_temperature(x, 0.5), entropy(x / 7)
    assert np.array_equal(x, [[1, 2, 4]])


def test_temperature_divides_the_scores():
    x = np.random.default_rng(2).standard_normal((5, 7))
    assert np.allclose(softmax_with_temperature(x, 0.3), softmax(x / 0.3))
    assert np.array_equal(softmax_with_temperature(x, 1), softmax(x))


@pytest.mark.parametrize("temperature", [1e-3, 1e-308])
def test_a_cold_softmax_is_the_argmax_with_ties_shared(temperature):
    cold = softmax_with_temperature([[5, 2, 5], [-7, 0, 1]], temperature)
    assert np.allclose(cold, [[0.5, 0, 0.5], [0, 0, 1]])


def test_a_hot_softmax_is_uniform():
    assert np.allclose(softmax_with_temperature([[5, 2, 5]], 1e9), 1 / 3)


@pytest.mark.parametrize("temperature", [0, -1, float("nan")])
def test_a_temperature_that_is_not_positive_is_refused(temperature):
    with pytest.raises(ValueError, match="temperature must be positive; got"):
        softmax_with_temperature([[1, 2]], temperature)


def test_one_temperature_at_a_time():
    with pytest.raises(ValueError, match=r"temperature must be one number; got shape \(2,\)"):
        softmax_with_temperature([[1, 2]], [1, 2])


def test_entropy_is_zero_for_certainty_and_ln_n_for_equal_weights():
    assert np.array_equal(entropy([[0, 1, 0], [0, 0, 0]]), [0, 0])
    assert np.allclose(entropy(np.full((2, 7), 1 / 7)), np.log(7))
    assert np.isclose(entropy([0.5, 0.25, 0.25]), 1.5 * np.log(2))


def test_certainty_prints_without_a_minus_sign():
    assert not np.signbit(entropy([[0.0, 1.0]])).any()


def test_entropy_rises_with_temperature():
    x = np.random.default_rng(3).standard_normal((5, 7))
    rising = [entropy(softmax_with_temperature(x, t)) for t in (0.1, 0.5, 1, 2, 10)]
    assert (np.diff(rising, axis=0) > 0).all()


def test_entropy_takes_batches():
    p = softmax(np.random.default_rng(4).standard_normal((2, 3, 5)))
    assert entropy(p).shape == (2, 3)
    assert np.allclose(entropy(p), [[-sum(w * np.log(w) for w in row) for row in matrix] for matrix in p])


def test_entropy_refuses_what_is_not_a_probability():
    with pytest.raises(ValueError, match=r"p must hold probabilities; got a negative entry, -0\.5"):
        entropy([[1.5, -0.5]])


def test_softmax_refuses_text_and_emptiness():
    with pytest.raises(TypeError, match="x must hold real numbers"):
        softmax([["a"]])
    with pytest.raises(ValueError, match=r"x must not be empty: its axis n has length 0 in shape \(3, 0\)"):
        softmax(np.ones((3, 0)))


@pytest.mark.parametrize("temperature", [0.001, 0.1, 1.0, 30.0, 1000.0])
def test_the_temperature_of_a_softmax_is_found_by_asking_it(temperature):
    found = temperature_of(lambda x: softmax_with_temperature(x, temperature))
    assert np.isclose(found, temperature, rtol=1e-9, atol=0)


def test_powers_of_another_number_than_e_are_a_softmax_at_another_temperature():
    assert np.isclose(temperature_of(lambda x: 2.0**x / (2.0**x).sum(axis=-1, keepdims=True)), 1 / np.log(2))


def test_who_prefers_the_lower_score_has_no_temperature():
    with pytest.raises(ValueError, match=r"weigh must give the larger score the larger weight; got 0\.505 and 0\.495"):
        temperature_of(lambda x: softmax(-x).round(3))
    with pytest.raises(ValueError, match="must give the larger score"):
        temperature_of(lambda x: softmax(0 * x))
