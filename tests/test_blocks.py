import math

import numpy as np
import pytest
from frozen import torch_case

from attnlib import (
    causal_mask,
    feed_forward,
    gelu,
    layer_norm,
    load_encoder,
    load_encoder_outputs,
    multi_head_attention,
    plots,
    post_norm_block,
    pre_norm_block,
)

ATTENTION = ["W_q", "W_k", "W_v", "W_o", "b_q", "b_k", "b_v", "b_o"]


def random_layer(d=15, d_ff=7, seed=0):
    rng = np.random.default_rng(seed)
    layer = {name: rng.standard_normal((d, d)) / 3 for name in ATTENTION[:4]}
    layer |= {name: rng.standard_normal(d) for name in (*ATTENTION[4:], "b_2", "norm_1_bias", "norm_2_bias")}
    layer |= {"W_1": rng.standard_normal((d, d_ff)), "b_1": rng.standard_normal(d_ff)}
    layer |= {"W_2": rng.standard_normal((d_ff, d)), "norm_1_weight": rng.uniform(0.5, 2, d)}
    return layer | {"norm_2_weight": rng.uniform(0.5, 2, d)}


def heard(X, layer, mask=None):
    return multi_head_attention(X, X, num_heads=3, mask=mask, **{name: layer[name] for name in ATTENTION})[0]


def said(X, layer):
    return feed_forward(X, layer["W_1"], layer["b_1"], layer["W_2"], layer["b_2"])


def normed(X, layer, number):
    return layer_norm(X, layer[f"norm_{number}_weight"], layer[f"norm_{number}_bias"])


def test_layer_norm_by_hand():
    assert np.allclose(layer_norm([[1, 2, 3], [5, 5, 5]], [1, 1, 2], [0, 0, 10])[0], [-(1.5**0.5), 0, 10 + 6**0.5])
    assert np.allclose(layer_norm([[5, 5, 5]], [1, 1, 2], [0, 0, 10]), [[0, 0, 10]])


def test_layer_norm_agrees_with_torch():
    case = torch_case("norm_")
    assert np.allclose(layer_norm(case["X"], case["weight"], case["bias"]), case["out"], rtol=1e-10)


def test_a_normed_row_forgets_its_mean_and_its_length():
    X, ones, zeros = np.random.default_rng(1).standard_normal((2, 7, 11)), np.ones(11), np.zeros(11)
    rows = layer_norm(X, ones, zeros)
    assert np.allclose(rows, layer_norm(5 * X - 3, ones, zeros))
    assert np.allclose(np.linalg.norm(rows, axis=-1), math.sqrt(11))
    assert np.allclose(rows.sum(axis=-1), 0)


def test_epsilon_stands_inside_the_root():
    assert np.allclose(layer_norm([[1, 3]], [1, 1], [0, 0], epsilon=3), [[-0.5, 0.5]])


def test_gelu_by_the_exact_error_function():
    x = np.linspace(-6, 6, 121)
    assert np.allclose(gelu(x), [one * (1 + math.erf(one / math.sqrt(2))) / 2 for one in x], atol=1e-6)
    assert np.allclose(gelu(x) - gelu(-x), x)


def test_gelu_keeps_single_precision_and_the_shape():
    bent = gelu(np.ones((2, 3, 5), dtype=np.float32))
    assert bent.dtype == np.float32
    assert bent.shape == (2, 3, 5)


def test_a_feed_forward_layer_is_a_sum_of_units_for_each_token_by_itself():
    layer, X = random_layer(), np.random.default_rng(2).standard_normal((5, 15))
    for token, row in zip(X, said(X, layer), strict=True):
        units = [gelu(token @ layer["W_1"][:, i] + layer["b_1"][i]) * layer["W_2"][i] for i in range(7)]
        assert np.allclose(row, np.sum(units, axis=0) + layer["b_2"])


def test_norms_come_after_the_sums_or_before_the_sublayers():
    layer, X, mask = random_layer(), np.random.default_rng(3).standard_normal((5, 15)), causal_mask(5)
    middle = normed(X + heard(X, layer, mask), layer, 1)
    assert np.allclose(post_norm_block(X, layer, 3, mask), normed(middle + said(middle, layer), layer, 2))
    middle = X + heard(normed(X, layer, 1), layer, mask)
    assert np.allclose(pre_norm_block(X, layer, 3, mask), middle + said(normed(middle, layer, 2), layer))


@pytest.mark.parametrize("block", [post_norm_block, pre_norm_block])
def test_each_sentence_of_a_batch_goes_through_a_block_by_itself(block):
    layer, X = random_layer(), np.random.default_rng(4).standard_normal((2, 5, 15))
    mask = np.arange(5) < np.array([3, 5])[:, None, None]
    together = block(X, layer, 3, mask)
    for one, own, row in zip(X, mask, together, strict=True):
        assert np.allclose(block(one, layer, 3, own), row)


def test_six_blocks_agree_with_what_transformers_makes_of_the_same_weights_layer_by_layer():
    outputs = load_encoder_outputs()
    for states in outputs["states"]:
        X = states[0]
        for layer, state in zip(load_encoder()["layers"], states[1:], strict=True):
            X = post_norm_block(X, layer, 12)
            assert np.abs(X - state).max() < 1e-3


def test_tokens_run_together_without_the_path_round_the_attention_and_not_with_it():
    alt = plots.cut_model(load_encoder_outputs()["texts"][0]).alt
    as_it_is, cut = (
        alt.split(f"{name}: ")[1].split(".  ")[0].split(". ")[0] for name in ("as it is", "both paths cut")
    )
    assert float(as_it_is.split(", ")[-1]) < 0.5
    assert float(cut.split(", ")[-1]) == 1


@pytest.mark.parametrize(
    ("call", "words"),
    [
        (lambda: layer_norm([[1, 2]], [1, 1, 1], [0, 0]), "weight must have shape"),
        (lambda: layer_norm([[1, 2]], [1, 1], [0, 0], epsilon=0), "epsilon must be positive"),
        (lambda: feed_forward([[1, 2]], [[1]], [0], [[1, 1]], [0, 0]), "W_1 must have one row per column of X"),
        (lambda: feed_forward([[1, 2]], [[1], [1]], [0], [[1, 1], [1, 1]], [0, 0]), "W_2 must have one row per column"),
        (lambda: feed_forward([[1, 2]], [[1], [1]], [0, 0], [[1, 1]], [0, 0]), "b_1 must have one entry per column"),
        (lambda: plots.curves({}), "values must hold one to 5 curves"),
        (lambda: plots.curves({"a": [1, 2]}, [1, 2, 3]), "a must have a value for each of the 3 places"),
        (lambda: plots.depth_at(norm="beside"), "norm must be one of none, after, before"),
        (lambda: plots.depth_at(33), "depth must be between 0 and 32"),
    ],
)
def test_errors_name_the_argument(call, words):
    with pytest.raises(ValueError, match=words):
        call()
