"""A loss, the way back from it, and a step against the gradient."""

import numpy as np
import pytest

from attnlib import (
    attention_backward,
    cross_entropy,
    numerical_gradient,
    recall_accuracy,
    recall_episodes,
    scaled_dot_product_attention,
    self_attention,
    self_attention_backward,
    sgd_step,
    softmax,
    softmax_backward,
    softmax_jacobian,
    teach_recall,
    wrong_backward,
)

RNG = np.random.default_rng(7)


def normal(*shape):
    return RNG.normal(size=shape)


def test_cross_entropy_of_known_chances_is_minus_their_logarithm():
    chances = np.array([[0.5, 0.25, 0.25], [0.1, 0.1, 0.8]])
    expected = -(np.log(0.25) + np.log(0.8)) / 2
    assert cross_entropy(np.log(chances), [1, 2]) == pytest.approx(expected)


def test_cross_entropy_adds_nothing_where_all_logits_rise_alike_and_stays_finite():
    logits, targets = normal(7, 5), RNG.integers(5, size=7)
    assert cross_entropy(logits + 800, targets) == pytest.approx(cross_entropy(logits, targets))
    assert cross_entropy([[-1000.0, 0.0, 1000.0]], [0]) == 2000


@pytest.mark.parametrize("targets", [[0], [0, 3], [-1, 0], [[0, 1]]])
def test_targets_must_fit_the_logits(targets):
    with pytest.raises(ValueError, match="targets"):
        cross_entropy(np.zeros((2, 3)), targets)
    with pytest.raises(TypeError, match="targets"):
        cross_entropy(np.zeros((2, 3)), [0.0, 1.0])


def test_a_measured_gradient_is_exact_for_a_cubic_but_for_the_square_of_the_step():
    x = normal(3, 2)
    gradient = numerical_gradient(lambda x: float((x**3).sum()), x, 1e-3)
    np.testing.assert_allclose(gradient, 3 * x**2 + 1e-6, atol=1e-9)


def test_a_measured_gradient_leaves_its_argument_alone_and_takes_whole_numbers():
    x = np.array([1, 2])
    np.testing.assert_allclose(numerical_gradient(lambda x: float(x @ x), x), [2, 4])
    assert x.tolist() == [1, 2]


def test_the_way_back_through_a_softmax_is_its_jacobian():
    weights, d_weights = softmax(normal(2, 3, 5)), normal(2, 3, 5)
    expected = (softmax_jacobian(weights) @ d_weights[..., None])[..., 0]
    np.testing.assert_allclose(softmax_backward(weights, d_weights), expected, atol=1e-12)


def test_the_way_back_through_attention_is_the_measured_gradient():
    Q, K, V, direction = normal(3, 5), normal(7, 5), normal(7, 2), normal(3, 2)

    def loss(**changed):
        given = {"Q": Q, "K": K, "V": V} | changed
        return float((scaled_dot_product_attention(**given)[0] * direction).sum())

    for name, gradient in zip("QKV", attention_backward(Q, K, V, direction), strict=True):
        measured = numerical_gradient(lambda x, name=name: loss(**{name: x}), {"Q": Q, "K": K, "V": V}[name])
        np.testing.assert_allclose(gradient, measured, atol=1e-8)


def test_the_way_back_takes_batches():
    Q, K, V, direction = normal(2, 3, 5), normal(2, 7, 5), normal(2, 7, 2), normal(2, 3, 2)
    together = attention_backward(Q, K, V, direction)
    for i in range(2):
        for whole, one in zip(together, attention_backward(Q[i], K[i], V[i], direction[i]), strict=True):
            np.testing.assert_allclose(whole[i], one)


def test_the_way_back_through_self_attention_is_the_measured_gradient():
    names = ("X", "W_q", "W_k", "W_v")
    given = dict(zip(names, (normal(5, 3), normal(3, 2), normal(3, 2), normal(3, 7)), strict=True))
    direction = normal(5, 7)
    for name, gradient in zip(names, self_attention_backward(*given.values(), direction), strict=True):

        def loss(value, name=name):
            return float((self_attention(*(given | {name: value}).values())[0] * direction).sum())

        np.testing.assert_allclose(gradient, numerical_gradient(loss, given[name]), atol=1e-7)


def test_a_step_goes_against_the_gradient_and_changes_nothing():
    parameters, gradients = {"a": normal(2, 3), "b": normal(5)}, {"b": normal(5), "a": normal(2, 3)}
    before = {name: array.copy() for name, array in parameters.items()}
    moved = sgd_step(parameters, gradients, 0.5)
    assert list(moved) == ["a", "b"]
    for name in parameters:
        np.testing.assert_array_equal(parameters[name], before[name])
        np.testing.assert_allclose(moved[name], before[name] - gradients[name] / 2)


@pytest.mark.parametrize(
    ("call", "words"),
    [
        (lambda: sgd_step({"W": [1.0]}, {"V": [1.0]}, 0.1), "same names; got W and V"),
        (lambda: sgd_step({"W": [1.0]}, {"W": [1.0, 2.0]}, 0.1), r"\(1,\); got shape \(2,\)"),
        (lambda: softmax_backward([0.5, 0.5], [1.0]), r"\(2,\); got d_weights of shape \(1,\)"),
        (lambda: attention_backward(np.eye(3), np.eye(3), np.eye(3), np.eye(2)), r"\(3, 3\); got shape \(2, 2\)"),
        (lambda: self_attention_backward(*np.zeros((4, 1, 3, 3)), np.eye(3)), "X must have shape"),
        (lambda: recall_episodes(RNG, 3, pairs=9), "pairs"),
    ],
)
def test_what_does_not_fit_is_refused_with_both_sides_named(call, words):
    with pytest.raises(ValueError, match=words):
        call()


def test_an_episode_has_each_letter_once_and_asks_for_one_of_them():
    X, x, targets = recall_episodes(np.random.default_rng(3), 200, pairs=3, letters=5, digits=2)
    letters, digits = X[..., :5], X[..., 5:]
    assert (letters.sum(axis=-1) == 1).all()
    assert (digits.sum(axis=-1) == 1).all()
    assert letters.sum(axis=1).max() == 1
    assert not x[:, 5:].any()
    found = (letters @ x[:, :5, None])[..., 0]  # 1 where the letter is the one asked for
    assert (found.sum(axis=-1) == 1).all()
    np.testing.assert_array_equal(digits[found == 1].argmax(axis=-1), targets)
    assert set(targets.tolist()) == {0, 1}


def test_a_head_learns_the_game_from_the_right_gradient():
    losses, heads = teach_recall(attention_backward, seed=5, steps=200)
    assert losses[0] == pytest.approx(np.log(4), abs=0.1)
    assert losses[-20:].max() < 0.05
    assert recall_accuracy(heads[0]) < 0.4
    assert recall_accuracy(heads[-1]) > 0.99


@pytest.mark.parametrize("kind", ["no Jacobian", "diagonal only", "no root", "keys stay", "values stay", "sign turned"])
def test_a_wrong_backward_pass_is_wrong_in_one_place(kind):
    given = normal(2, 3, 5), normal(2, 7, 5), normal(2, 7, 3), normal(2, 3, 3)
    pairs = list(zip(wrong_backward(kind, attention_backward)(*given), attention_backward(*given), strict=True))
    assert all(wrong.shape == right.shape for wrong, right in pairs)
    off = [not np.allclose(wrong, right) for wrong, right in pairs]
    assert off == {"keys stay": [False, True, False], "values stay": [False, False, True]}.get(
        kind, [True, True, False]
    )


def test_an_unknown_fault_is_refused_with_those_that_there_are():
    with pytest.raises(ValueError, match="no root, sign turned, keys stay, values stay; got 'luck'"):
        wrong_backward("luck", attention_backward)
    with pytest.raises(ValueError, match="W_q must have one row per column of the question"):
        recall_accuracy({"W_q": np.eye(3), "W_k": np.eye(3), "W_v": np.eye(3), "W_o": np.eye(3)})
