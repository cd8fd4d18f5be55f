"""What the two kinds of block have in common: inputs, and sublayers with the slips that people make in them."""

import numpy as np

import attnlib
from attnlib import masked_attention
from grader.exercises.inputs import matrix
from grader.exercises.p3_multi_head.n5_multi_head.multi_head_attention import multi_head_attention
from grader.exercises.p4_deep_networks.n2_blocks.feed_forward import feed_forward
from grader.exercises.p4_deep_networks.n2_blocks.layer_norm import layer_norm
from grader.exercises.stages import inside
from grader.exercises.stages import number as made_with

#: What a block does once more, and where.
WITHIN = (("in the norms", layer_norm), ("in the feed-forward layer", feed_forward))

SQUARE = ("W_q", "W_k", "W_v", "W_o")
WIDE = ("b_q", "b_k", "b_v", "b_o", "b_2", "norm_1_bias", "norm_2_bias")


def block(rng, n, num_heads, d_k, d_ff, *, batch=(), mask="", dtype=float, spread=0.2):
    """Inputs of a block with d_model = num_heads * d_k; a mask is never all or nothing.

    What is normed first is small, of this spread: there another epsilon than 1e-12 shows, from a millionth on.
    """
    d = num_heads * d_k
    layer = {name: matrix(rng, d, d, scale=1.5 / np.sqrt(d)) for name in SQUARE}
    layer |= {name: matrix(rng, d) for name in WIDE}
    layer |= {"W_1": matrix(rng, d, d_ff), "b_1": matrix(rng, d_ff), "W_2": matrix(rng, d_ff, d)}
    layer |= {f"norm_{i}_weight": rng.permutation(np.linspace(0.5, 2, d)) for i in (1, 2)}
    layer["W_o"], layer["b_o"] = 0.1 * layer["W_o"], 0.1 * layer["b_o"]
    layer = {name: value.round(2).astype(dtype) for name, value in layer.items()}
    X = matrix(rng, *batch, n, d)
    X *= spread / X.std(axis=-1, keepdims=True)
    inputs = {"X": X.astype(dtype), "layer": layer, "num_heads": num_heads}
    if mask == "causal":
        inputs["mask"] = np.tri(n, dtype=bool)
    if mask == "padding":
        lengths = rng.permutation(np.arange(2, n))[: batch[0]]
        inputs["mask"] = np.arange(n) < lengths[:, None, None]  # (batch, 1, n)
    return inputs


def of_zeros(d, d_ff, **more):
    """A layer in which nothing happens: matrices and biases of zeros, norms that leave their rows as they are."""
    layer = {name: np.zeros((d, d)) for name in SQUARE} | {"W_1": np.zeros((d, d_ff)), "W_2": np.zeros((d_ff, d))}
    layer |= {name: np.zeros(d) for name in WIDE} | {"b_1": np.zeros(d_ff)}
    return layer | {f"norm_{i}_weight": np.ones(d) for i in (1, 2)} | more


def tokens_may_move(call, rng):
    """In another order, the same tokens get the same: no mask, no positions."""
    inputs = block(rng, 5, 3, 2, 7)
    order = np.roll(np.arange(5), int(rng.integers(1, 5)))
    one = call(*inputs.values())[order]
    other = call(*(inputs | {"X": inputs["X"][order]}).values())
    gap = np.abs(one - other).max()
    return None if gap < 1e-3 * (1 + np.abs(one).max()) else f"in another order, a token's result differs by {gap:.3g}"


def norm(X, layer, number, wrong):
    """The first norm of a layer or the second."""
    if "norms-exchanged" in wrong:
        number = 3 - number
    if "first-norm-twice" in wrong:
        number = 1
    if "second-norm-twice" in wrong:
        number = 2
    if f"no-norm-{number}" in wrong:
        return X
    weight, bias = layer[f"norm_{number}_weight"], layer[f"norm_{number}_bias"]
    if "weight-and-bias-exchanged" in wrong or (f"weight-and-bias-{number}-exchanged" in wrong):
        weight, bias = bias, weight
    if "norms-plain" in wrong:
        weight, bias = np.ones_like(weight), np.zeros_like(bias)
    epsilon = made_with(wrong, "other-epsilon", 1e-5) or 1e-12
    return layer_norm(X, weight, bias, epsilon, wrong=inside(wrong, "layer_norm"))


def attend(asks, answers, layer, num_heads, mask, wrong):
    """What the attention of a layer gives."""
    if "no-attention" in wrong:
        return np.zeros_like(asks)
    if "biases-by-position" in wrong:
        masked_attention(asks, asks, asks, np.asarray(layer["b_q"], dtype=float))  # refuses what is not boolean
    biases = {name: None if f"no-{name}" in wrong else layer[name] for name in ("b_q", "b_k", "b_v", "b_o")}
    if "b_q-and-b_k-exchanged" in wrong:
        biases["b_q"], biases["b_k"] = biases["b_k"], biases["b_q"]
    if "b_k-and-b_v-exchanged" in wrong:
        biases["b_k"], biases["b_v"] = biases["b_v"], biases["b_k"]
    if "biases-ignored" in wrong:
        biases = {}
    causal = {"always-causal", "causal-without-mask" if mask is None else "causal-where-masked"}
    if wrong & causal:
        mask = np.tri(asks.shape[-2], dtype=bool)
    elif "causal-besides" in wrong:
        mask = np.tri(asks.shape[-2], dtype=bool) & (True if mask is None else np.asarray(mask))
    if "mask-ignored" in wrong:
        mask = None
    elif mask is not None and wrong & {"mask-turned", "mask-transposed"}:
        mask = np.asarray(mask)
        mask = ~mask if "mask-turned" in wrong else np.broadcast_to(mask, (*mask.shape[:-2], *mask.shape[-1:] * 2)).mT
    matrices = [np.asarray(layer[name], dtype=float) for name in SQUARE]
    if "W_q-and-W_k-exchanged" in wrong:
        matrices[:2] = matrices[1::-1]
    if "projections-transposed" in wrong:
        matrices = [W.T for W in matrices]
    heads = 1 if "one-head" in wrong else num_heads
    # Where a wrong mask leaves nobody to be heard, the course's function says what comes of it.
    course_s = wrong & {"mask-turned", "mask-transposed"}
    run = attnlib.multi_head_attention if course_s else multi_head_attention
    both = run(asks, answers, *matrices, heads, mask, **biases)
    return both if "pair-added" in wrong else both[0]


def forward(X, layer, wrong):
    """What the feed-forward layer of a layer gives."""
    if "no-ffn" in wrong:
        return np.zeros_like(X)
    return feed_forward(X, *(layer[name] for name in ("W_1", "b_1", "W_2", "b_2")), wrong=inside(wrong, "feed_forward"))
