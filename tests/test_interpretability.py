import numpy as np
import pytest

from attnlib import (
    causal_mask,
    cut_heads,
    encoder_input,
    head_contributions,
    induction_score,
    load_encoder,
    masking_effect,
    multi_head_attention,
    post_norm_block,
    rollout,
    softmax,
    split_heads,
)
from attnlib.plots.interpretability import agreements, stored, unpacked


def layer(seed=0, n=5, num_heads=3, d_k=2):
    rng = np.random.default_rng(seed)
    d_model = num_heads * d_k
    return rng.normal(size=(n, d_model)), *rng.normal(size=(4, d_model, d_model)), num_heads


def attending(seed=0, heads=3, n_queries=5, n_keys=7, d_v=2, d_model=11):
    rng = np.random.default_rng(seed)
    weights = softmax(rng.normal(size=(heads, n_queries, n_keys)))
    return weights, rng.normal(size=(heads, n_keys, d_v)), rng.normal(size=(heads * d_v, d_model))


def test_contributions_agree_with_a_loop_over_heads_keys_and_queries():
    weights, V, W_o = attending()
    found = head_contributions(weights, V, W_o)
    for i in range(5):
        for j in range(7):
            added = sum(weights[h, i, j] * V[h, j] @ W_o[2 * h : 2 * h + 2] for h in range(3))
            assert found[i, j] == pytest.approx(np.linalg.norm(added))


def test_two_heads_that_say_the_opposite_contribute_nothing_together():
    weights, V = np.full((2, 1, 1), 0.5), np.ones((2, 1, 1))
    assert head_contributions(weights, V, [[1.0], [-1.0]]) == 0


def test_one_key_that_has_all_the_weight_contributes_the_whole_context():
    X, W_q, W_k, W_v, W_o, num_heads = layer(n=1)
    context, weights = multi_head_attention(X, X, W_q, W_k, W_v, W_o, num_heads)
    V = (X @ W_v).reshape(1, num_heads, -1).swapaxes(0, 1)
    assert head_contributions(weights, V, W_o)[0, 0] == pytest.approx(np.linalg.norm(context))


def test_rollout_of_one_layer_is_half_of_the_mean_weights_and_half_of_oneself():
    weights = softmax(np.random.default_rng(0).normal(size=(1, 3, 5, 5)))
    assert np.allclose(rollout(weights), (weights[0].mean(axis=0) + np.eye(5)) / 2)


def test_the_rows_of_a_rollout_sum_to_1_and_its_later_layers_stand_on_the_left():
    weights = softmax(np.random.default_rng(1).normal(size=(2, 3, 5, 5)))
    assert np.allclose(rollout(weights).sum(axis=-1), 1)
    assert np.allclose(rollout(weights), rollout(weights[1:]) @ rollout(weights[:1]))


def test_the_induction_score_is_1_for_whoever_looks_at_what_came_next():
    weights = np.zeros((2, 11, 11))
    weights[0, np.arange(5, 11), np.arange(1, 7)] = 1  # period 5
    weights[1, np.arange(5, 11), np.arange(0, 6)] = 1  # the same token, not the next
    assert induction_score(weights, 5).tolist() == [1, 0]


def test_with_all_heads_kept_nothing_is_cut_and_with_none_all_is():
    given = layer()
    whole = multi_head_attention(given[0], *given)[0]
    assert np.allclose(cut_heads(*given, np.ones(3, dtype=bool)), whole)
    assert not cut_heads(*given, np.zeros(3, dtype=bool)).any()


def test_what_heads_say_adds_up():
    given = layer(1)
    mask = causal_mask(5)
    each = [cut_heads(*given, np.arange(3) == h, mask) for h in range(3)]
    assert np.allclose(sum(each), multi_head_attention(given[0], *given, mask)[0])


def test_a_word_that_is_hidden_in_every_layer_moves_the_others_as_far_as_measured_one_by_one():
    encoder, tokens = load_encoder(), ["the", "cat", "sat"]

    def run(X, mask=None):
        for one in encoder["layers"]:
            X = post_norm_block(X, one, 12, mask)
        return X

    whole = run(encoder_input(tokens))
    mask = np.ones((5, 5), dtype=bool)
    mask[:, 2] = False
    effect = masking_effect(tokens)
    np.testing.assert_allclose(
        effect[:, 2], np.linalg.norm(run(encoder_input(tokens), mask) - whole, axis=-1), atol=1e-4
    )
    unknown = masking_effect(tokens, unknown=True)
    other = run(encoder_input(["the", "cat", "[UNK]"]))
    np.testing.assert_allclose(unknown[:, 3], np.linalg.norm(other - whole, axis=-1), atol=1e-4)
    assert not effect[:, [0, -1]].any()
    assert effect[1:-1, 1:-1].all()


@pytest.mark.parametrize(
    ("call", "message"),
    [
        (lambda: head_contributions(np.ones((2, 3, 5)), np.ones((2, 3, 2)), np.eye(4)), "weights and V must have"),
        (lambda: head_contributions(np.ones((2, 3, 5)), np.ones((2, 5, 2)), np.eye(3)), "num_heads \\* d_v = 4 rows"),
        (lambda: rollout(np.ones((2, 3, 3))), "must have shape"),
        (lambda: rollout(np.ones((1, 2, 3, 5))), "n_layers, num_heads, n, n"),
        (lambda: induction_score(np.ones((3, 5)), 2), "must have shape"),
        (lambda: induction_score(np.ones((5, 5)), 5), "period must be between 1 and 4"),
        (lambda: cut_heads(*layer(), np.ones(2, dtype=bool)), "one entry for each of 3 heads"),
    ],
)
def test_what_does_not_fit_is_said(call, message):
    with pytest.raises(ValueError, match=message):
        call()


def test_keep_holds_booleans():
    with pytest.raises(TypeError, match="keep must be boolean"):
        cut_heads(*layer(), [1, 0, 1])


def effects(words):
    """After each layer, how far each token has moved when a word is masked up to there: (6, n, n)."""

    def after(mask=None):
        X, found = encoder_input(words), []
        for one in load_encoder()["layers"]:
            X = post_norm_block(X, one, 12, mask)
            found.append(X)
        return np.array(found)

    n, whole = len(words) + 2, after()
    effect = np.zeros((6, n, n))
    for j in range(1, n - 1):
        effect[:, :, j] = np.linalg.norm(after(np.broadcast_to(np.arange(n) != j, (n, n))) - whole, axis=-1)
    return effect


def rank_correlation(a, b):
    """As in the notebook."""
    ranks = [np.argsort(np.argsort(row)) for row in (a, b)]
    return np.corrcoef(*ranks)[0, 1]


def assert_rounded_alike(shown, exact, decimals):
    """The explorer prints what the notebook does; a number half-way between two may go either way."""
    exact = exact.astype(float)
    half_way = np.abs(exact * 10**decimals % 1 - 0.5) < 0.01
    assert np.array_equal(np.round(shown, decimals)[~half_way], np.round(exact, decimals)[~half_way])


def test_what_the_explorer_shows_is_what_the_functions_give():
    encoder = load_encoder()
    names = ("W_q", "W_k", "W_v", "W_o", "b_q", "b_k", "b_v", "b_o")
    for sentence in stored():
        words = sentence["tokens"][1:-1]
        X, weights, shares = encoder_input(words), [], []
        for one in encoder["layers"]:
            A = multi_head_attention(X, X, num_heads=12, **{name: one[name] for name in names})[1]
            C = head_contributions(A, split_heads(X @ one["W_v"] + one["b_v"], 12), one["W_o"])
            weights.append(A)
            shares.append(C / C.sum(axis=-1, keepdims=True))
            X = post_norm_block(X, one, 12)
        right = {
            "weights": np.mean(weights, axis=1),
            "shares": np.array(shares),
            "rolled": np.array([rollout(np.array(weights[: last + 1])) for last in range(6)]),
        }
        for kind, numbers in right.items():
            assert_rounded_alike(unpacked(sentence, kind), numbers, 2)
        assert_rounded_alike(unpacked(sentence, "effect")[-1], masking_effect(words), 1)
        effect = effects(words)
        assert np.allclose(effect[-1], masking_effect(words), atol=1e-4)
        so_far = np.arange(1, 7)[:, None, None]
        means = [np.cumsum(right[kind], axis=0) / so_far for kind in ("weights", "shares")]
        shown = agreements(sentence)
        for kind, numbers in enumerate([*right.values(), *means]):
            for layer, i in np.ndindex(numbers.shape[:2]):
                others = [j for j in range(1, len(words) + 1) if j != i]
                exact = rank_correlation(numbers[layer, i, others], effect[layer, i, others])
                assert abs(shown[kind, layer, i] - exact) < 0.00501, (kind, layer, i)
