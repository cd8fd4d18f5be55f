import numpy as np
import pytest

from attnlib import (
    causal_mask,
    masked_attention,
    rotary_scores,
    rotate,
    scaled_dot_product_attention,
    sees_order,
    shift_matrix,
    sinusoidal_positions,
)


def plain(X):
    return scaled_dot_product_attention(X, X, X)[0]


def test_attention_without_a_mask_does_not_see_the_order_and_with_a_causal_one_it_does():
    assert sees_order(plain) is False
    assert sees_order(lambda X: masked_attention(X, X, X, causal_mask(len(X)))[0]) is True
    assert sees_order(lambda X: plain(X + sinusoidal_positions(len(X), 6)), d=6)


@pytest.mark.parametrize(
    ("function", "sees"),
    [
        (lambda X: X + np.eye(len(X), X.shape[1], k=-3), True),
        (lambda X: X + np.roll(X, 1, axis=0), True),
        (lambda X: X + np.vstack([X[1:], 0 * X[:1]]) + np.vstack([0 * X[:1], X[:-1]]), True),
        (lambda X: np.sort(X, axis=0), True),
        (lambda X: np.cumsum(X, axis=0), True),
        (lambda X: X * 0 + X.mean(axis=0), False),
        (np.tanh, False),
        (lambda X: X + np.sort(X, axis=0)[0], False),
    ],
    ids=["one row marked", "a circle", "both neighbours", "sorted", "prefixes", "the mean", "alone", "the smallest"],
)
def test_what_sees_the_order(function, sees):
    assert sees_order(function) is sees


def test_seeing_order_says_what_it_needs():
    with pytest.raises(TypeError, match="attention must be a function; got ndarray"):
        sees_order(np.ones((3, 3)))
    with pytest.raises(TypeError, match="must return the context alone; got a tuple"):
        sees_order(lambda X: (X, X))
    with pytest.raises(ValueError, match=r"must have one row per token \(7\); got shape \(5,\)"):
        sees_order(lambda X: X.mean(axis=0))


def test_identical_tokens_stay_identical_under_a_causal_mask():
    X = np.tile(np.random.default_rng(0).normal(size=(1, 3)), (5, 1))
    assert np.ptp(masked_attention(X, X, X, causal_mask(5))[0], axis=0).max() < 1e-15


def test_sinusoids_by_hand():
    assert np.allclose(
        sinusoidal_positions(3, 4),
        [[0, 1, 0, 1], [0.8415, 0.5403, 0.01, 1], [0.9093, -0.4161, 0.02, 0.9998]],
        atol=5e-5,
    )


def test_products_of_sinusoids_depend_on_the_distance_alone():
    P = sinusoidal_positions(50, 16)
    S = P @ P.T
    for k in range(-49, 50):
        assert np.ptp(np.diag(S, k)) < 1e-13
    assert S[0, 0] == pytest.approx(8)
    assert (np.diff(S[0, :8]) > 0).any(), "it does not fall all the way"


def test_turning_by_hand_and_back():
    X = np.array([[1.0, 0.0], [1.0, 0.0], [1.0, 0.0]])
    turned = rotate(X, [0, 1, 2])
    assert np.allclose(turned, [[1, 0], [0.5403, 0.8415], [-0.4161, 0.9093]], atol=5e-5)
    assert np.allclose(rotate(turned, [0, -1, -2]), X)


def test_turning_is_a_product_with_a_complex_number():
    rng = np.random.default_rng(1)
    X, positions = rng.normal(size=(2, 5, 6)), np.array([3, 0, 11, 7, -2])
    pairs = X[..., 0::2] + 1j * X[..., 1::2]
    pairs = pairs * np.exp(1j * positions[:, None] * 100.0 ** (-np.arange(3) / 3))
    turned = rotate(X, positions, base=100.0)
    assert np.allclose(turned[..., 0::2], pairs.real)
    assert np.allclose(turned[..., 1::2], pairs.imag)
    assert np.allclose(np.linalg.norm(turned, axis=-1), np.linalg.norm(X, axis=-1))
    assert rotate(X.astype(np.float32), positions).dtype == np.float32


def test_rotary_scores_depend_on_the_distance_alone():
    rng = np.random.default_rng(2)
    Q, K = rng.normal(size=(3, 6)), rng.normal(size=(5, 6))
    m, n = np.array([0, 4, 2]), np.array([1, 0, 3, 9, 5])
    assert np.allclose(rotary_scores(Q, K, m, n), rotary_scores(Q, K, m + 100, n + 100))
    assert not np.allclose(rotary_scores(Q, K, m, n), rotary_scores(Q, K, m, n + 1))
    assert np.allclose(rotary_scores(Q, K, 0 * m, 0 * n), Q @ K.T / np.sqrt(6))


@pytest.mark.parametrize("distance", [0, 1, -3, 40])
def test_one_matrix_moves_every_place(distance):
    P = sinusoidal_positions(100, 10, base=50.0)
    places = np.arange(40, 60)
    assert np.allclose(P[places] @ shift_matrix(distance, 10, base=50.0), P[places + distance])


def test_errors_name_what_came():
    with pytest.raises(ValueError, match="d_model must be even, one clock for each pair of columns; got 5"):
        sinusoidal_positions(3, 5)
    with pytest.raises(ValueError, match="the last axis of X must be even"):
        rotate(np.ones((2, 3)), [0, 1])
    with pytest.raises(ValueError, match=r"positions must have shape \(n,\) = \(2,\); got shape \(3,\)"):
        rotate(np.ones((2, 4)), [0, 1, 2])
    with pytest.raises(TypeError, match="positions must hold integers"):
        rotate(np.ones((2, 4)), [0.5, 1.0])
    with pytest.raises(ValueError, match="base must be positive"):
        sinusoidal_positions(3, 4, base=0)
    with pytest.raises(TypeError, match="distance must hold integers"):
        shift_matrix(0.5, 4)
