import numpy as np
import pytest

from attnlib import (
    causal_mask,
    leaks_future,
    masked_attention,
    masked_softmax,
    padding_mask,
    reach,
    scaled_dot_product_attention,
    softmax,
)


def test_the_causal_mask_allows_the_diagonal_and_the_past():
    assert np.array_equal(causal_mask(3), [[1, 0, 0], [1, 1, 0], [1, 1, 1]])
    assert causal_mask(7).dtype == bool


def test_the_padding_mask_lies_on_the_axis_of_the_keys():
    mask = padding_mask([2, 3, 0], 5)
    assert mask.shape == (3, 1, 5)
    assert np.array_equal(mask[:, 0], [[1, 1, 0, 0, 0], [1, 1, 1, 0, 0], [0, 0, 0, 0, 0]])


def test_padding_masks_take_more_batch_axes():
    assert padding_mask(np.ones((2, 3), dtype=int), 5).shape == (2, 3, 1, 5)


def test_masked_weights_by_hand():
    weights = masked_softmax(np.log([[1.0, 3.0, 9.0], [1.0, 3.0, 4.0]]), [[True, True, False], [True, True, True]])
    assert np.allclose(weights, [[0.25, 0.75, 0], [0.125, 0.375, 0.5]])
    assert weights[0, 2] == 0


def test_a_row_with_nothing_to_attend_to_has_zero_weights():
    weights = masked_softmax(np.ones((2, 3)), [[False] * 3, [True] * 3])
    assert np.array_equal(weights[0], [0, 0, 0])
    assert np.allclose(weights[1], 1 / 3)


def test_a_mask_that_allows_everything_changes_nothing():
    scores = np.random.default_rng(0).standard_normal((2, 5, 7))
    assert np.array_equal(masked_softmax(scores, np.ones((5, 7), dtype=bool)), softmax(scores))


def test_forbidden_scores_may_be_anything():
    scores = np.array([[0.0, 0.0, 1e308], [0.0, 0.0, np.inf], [0.0, 0.0, np.nan]])
    assert np.array_equal(masked_softmax(scores, [True, True, False]), [[0.5, 0.5, 0]] * 3)


def test_masked_softmax_is_the_softmax_of_what_is_allowed():
    rng = np.random.default_rng(1)
    scores, mask = 100 * rng.standard_normal((2, 5, 7)), rng.random((2, 5, 7)) < 0.5
    weights = masked_softmax(scores, mask)
    assert (weights[~mask] == 0).all()
    for index in np.ndindex(2, 5):
        allowed = mask[index]
        assert np.allclose(weights[index][allowed], softmax(scores[index][allowed]) if allowed.any() else 0)


@pytest.mark.parametrize("dtype", [np.float32, np.float64])
def test_masked_softmax_is_stable_for_any_finite_input(dtype):
    largest = np.finfo(dtype).max
    weights = masked_softmax(np.array([[largest, -largest, -largest]], dtype=dtype), [[False, True, True]])
    assert np.array_equal(weights, [[0, 0.5, 0.5]])
    assert weights.dtype == dtype


def test_masked_attention_agrees_with_leaving_the_forbidden_keys_out():
    rng = np.random.default_rng(2)
    Q, K, V = rng.standard_normal((2, 5, 3)), rng.standard_normal((2, 7, 3)), rng.standard_normal((2, 7, 11))
    context, weights = masked_attention(Q, K, V, padding_mask([3, 7], 7))
    short, _ = scaled_dot_product_attention(Q[0], K[0, :3], V[0, :3])
    assert np.allclose(context[0], short)
    assert np.allclose(context[1], scaled_dot_product_attention(Q[1], K[1], V[1])[0])
    assert np.allclose(weights.sum(axis=-1), 1)


def test_a_query_with_nothing_to_attend_to_has_a_zero_context():
    rng = np.random.default_rng(3)
    Q, K, V = rng.standard_normal((5, 3)), rng.standard_normal((7, 3)), rng.standard_normal((7, 11))
    mask = np.ones((5, 7), dtype=bool)
    mask[2] = False
    context, weights = masked_attention(Q, K, V, mask)
    assert (context[2] == 0).all()
    assert (weights[2] == 0).all()
    assert context[[0, 1, 3, 4]].all()


def test_causal_attention_leaks_nothing_and_other_attention_does():
    assert not leaks_future(lambda X: masked_attention(X, X, X, causal_mask(len(X)))[0])
    assert leaks_future(lambda X: scaled_dot_product_attention(X, X, X)[0])


@pytest.mark.parametrize(
    ("mask", "leaks"),
    [
        (causal_mask(7).T, True),
        (~causal_mask(7), True),
        (np.tril(np.ones((7, 7), dtype=bool), k=1), True),
        (causal_mask(7) | np.eye(7, k=6, dtype=bool), True),
        (np.tril(np.ones((7, 7), dtype=bool), k=-1), False),
    ],
    ids=["transposed", "inverted", "one too far", "one entry too many", "without the diagonal"],
)
def test_a_mask_leaks_if_it_allows_anything_above_the_diagonal(mask, leaks):
    assert leaks_future(lambda X: masked_attention(X, X, X, mask)[0]) is leaks


def test_masking_after_the_softmax_without_renormalising_leaks():
    def after(X):
        weights = scaled_dot_product_attention(X, X, X)[1]
        return (weights * causal_mask(len(X))) @ X

    assert leaks_future(after)


def test_a_running_mean_does_not_leak_and_a_mean_of_all_does():
    assert leaks_future(lambda X: np.cumsum(X, axis=0) / np.arange(1, len(X) + 1)[:, None]) is False
    assert leaks_future(lambda X: X * 0 + X.mean(axis=0)) is True


def test_a_leak_from_the_next_token_alone_is_found():
    assert leaks_future(lambda X: X + np.vstack([X[1:], X[-1:]]))


def test_the_leak_test_fits_its_input_to_weights_and_survives_changes_in_place():
    W = np.random.default_rng(4).standard_normal((11, 3))

    def attention(X):
        X *= 2
        return masked_attention(X @ W, X @ W, X @ W, causal_mask(len(X)))[0]

    assert not leaks_future(attention, n=5, d=11)


def test_errors_say_which_convention_holds():
    with pytest.raises(TypeError, match="mask must be boolean, True = may attend; got float64 values"):
        masked_softmax(np.ones((2, 3)), np.ones((2, 3)))
    with pytest.raises(TypeError, match="mask must be boolean"):
        masked_attention(np.ones((2, 3)), np.ones((2, 3)), np.ones((2, 3)), None)


@pytest.mark.parametrize(
    ("mask", "words"),
    [
        (np.eye(3, dtype=int), r"int64 values \(try mask.astype\(bool\)\)$"),
        (
            np.where(causal_mask(3), 0, -1e9),
            r"float64 values \(made to be added to scores\? Then mask == 0",
        ),
        (np.where(causal_mask(3), 0, -np.inf), r"Then mask == 0 says"),
        (np.zeros((3, 3)), "float64 values$"),  # all may attend, or none
        (12, "int64 values$"),
    ],
    ids=["zeros and ones", "added", "added infinity", "zeros alone", "a number of heads"],
)
def test_a_mask_of_numbers_is_told_how_to_become_one_of_booleans_where_that_is_clear(mask, words):
    with pytest.raises(TypeError, match=words):
        masked_softmax(np.ones((3, 3)), mask)


def test_errors_name_both_shapes():
    with pytest.raises(ValueError, match=r"mask must broadcast to the scores of shape \(5, 7\); .*\(7, 5\)"):
        masked_softmax(np.ones((5, 7)), np.ones((7, 5), dtype=bool))
    with pytest.raises(ValueError, match=r"lengths must lie between 0 and n=3; got 2 to 4"):
        padding_mask([2, 4], 3)
    with pytest.raises(TypeError, match="lengths must hold integers; got float64"):
        padding_mask([2.0], 3)
    with pytest.raises(ValueError, match="n must be at least 1; got 0"):
        causal_mask(0)


def test_the_leak_test_says_what_it_needs():
    with pytest.raises(TypeError, match="attention must be a function; got ndarray"):
        leaks_future(np.ones((3, 3)))
    with pytest.raises(TypeError, match="must return the context alone; got a tuple"):
        leaks_future(lambda X: (X, X))
    with pytest.raises(ValueError, match=r"must have one row per token \(7\); got shape \(5,\)"):
        leaks_future(lambda X: X.mean(axis=0))


def test_what_is_reached_by_hand_through_a_window_of_two():
    window = np.tri(5, dtype=bool) & ~np.tri(5, k=-2, dtype=bool)
    assert reach(window, 0).tolist() == np.eye(5, dtype=bool).tolist()
    assert reach(window, 1).tolist() == window.tolist()
    # Three layers of a window of two reach three tokens back.
    assert reach(window, 3)[4].tolist() == [False, True, True, True, True]


def test_depths_add_up_and_a_causal_mask_never_reaches_the_future():
    rng = np.random.default_rng(3)
    mask = rng.random((7, 7)) < 0.3
    assert (reach(mask, 5) == (reach(mask, 2) @ reach(mask, 3))).all()
    assert (reach(causal_mask(7), 6) == causal_mask(7)).all()


def test_what_attention_reaches_is_what_really_changes():
    rng = np.random.default_rng(3)
    mask = (rng.random((6, 6)) < 0.4) | np.eye(6, dtype=bool)
    X = rng.normal(size=(6, 4))

    def deep(X):
        for _ in range(2):
            X = masked_attention(X, X, X, mask)[0]
        return X

    for j in range(6):
        changed = X.copy()
        changed[j] += 1
        moved = np.abs(deep(changed) - deep(X)).max(axis=1) > 1e-12
        assert moved.tolist() == reach(mask, 2)[:, j].tolist()


def test_reach_says_what_it_needs():
    with pytest.raises(ValueError, match=r"mask must have shape \(n, n\); got shape \(2, 3\)"):
        reach(np.ones((2, 3)), 1)
    with pytest.raises(ValueError, match=r"num_layers must be 0 or more; got -1"):
        reach(np.eye(2), -1)
