import math

import numpy as np

from attnlib import erf, feed_forward, gelu, layer_norm, multi_head_attention
from variants.p4_deep_networks.n2_blocks.shared import attention_of, first_norm, second_norm, units_of


def by_parts(X, layer, num_heads, mask=None):
    middle = first_norm(X + attention_of(X, layer, num_heads, mask), layer)
    return second_norm(middle + units_of(middle, layer), layer)


def with_unpacked_names(X, layer, num_heads, mask=None):
    attention = {name: layer[name] for name in ["W_q", "W_k", "W_v", "W_o", "b_q", "b_k", "b_v", "b_o"]}
    X = X + multi_head_attention(X, X, num_heads=num_heads, mask=mask, **attention)[0]
    X = layer_norm(X, layer["norm_1_weight"], layer["norm_1_bias"])
    X = X + feed_forward(X, *[layer[name] for name in ["W_1", "b_1", "W_2", "b_2"]])
    return layer_norm(X, layer["norm_2_weight"], layer["norm_2_bias"])


def by_a_loop_over_the_norms(X, layer, num_heads, mask=None):
    sublayers = [lambda A: attention_of(A, layer, num_heads, mask), lambda A: units_of(A, layer)]
    for i, sublayer in enumerate(sublayers, start=1):
        X = layer_norm(sublayer(X) + X, layer[f"norm_{i}_weight"], layer[f"norm_{i}_bias"])
    return X


def all_by_itself(X, layer, num_heads, mask=None):
    def norm(A, i):
        root = np.sqrt(A.var(axis=-1, keepdims=True) + 1e-12)
        return (A - A.mean(axis=-1, keepdims=True)) / root * layer[f"norm_{i}_weight"] + layer[f"norm_{i}_bias"]

    Q, K, V = (X @ layer[f"W_{x}"] + layer[f"b_{x}"] for x in "qkv")
    d = X.shape[-1] // num_heads
    heads = []
    for h in range(num_heads):
        part = slice(h * d, (h + 1) * d)
        scores = Q[..., part] @ K[..., part].swapaxes(-1, -2) / math.sqrt(d)
        if mask is not None:
            scores = np.where(mask, scores, -1e30)
        powers = np.exp(scores - scores.max(axis=-1, keepdims=True))
        heads.append(powers / powers.sum(axis=-1, keepdims=True) @ V[..., part])
    middle = norm(X + np.concatenate(heads, axis=-1) @ layer["W_o"] + layer["b_o"], 1)
    awake = gelu(middle @ layer["W_1"] + layer["b_1"])
    return norm(middle + awake @ layer["W_2"] + layer["b_2"], 2)


def sentence_by_sentence(X, layer, num_heads, mask=None):
    if X.ndim > 2:
        masks = [None] * len(X) if mask is None else mask
        return np.array([by_parts(one, layer, num_heads, m) for one, m in zip(X, masks, strict=True)])
    return by_parts(X, layer, num_heads, mask)


def as_lists(X, layer, num_heads, mask=None):
    return by_parts(X, layer, num_heads, mask).tolist()


def in_single_precision(X, layer, num_heads, mask=None):
    single = {name: value.astype(np.float32) for name, value in layer.items()}
    return by_parts(X.astype(np.float32), single, num_heads, mask)


VARIANTS = [
    by_parts,
    with_unpacked_names,
    by_a_loop_over_the_norms,
    all_by_itself,
    sentence_by_sentence,
    as_lists,
    in_single_precision,
]


def nothing_kept(X, layer, num_heads, mask=None):
    middle = first_norm(attention_of(X, layer, num_heads, mask), layer)
    return second_norm(units_of(middle, layer), layer)


def second_from_the_input(X, layer, num_heads, mask=None):
    middle = first_norm(X + attention_of(X, layer, num_heads, mask), layer)
    return second_norm(X + units_of(middle, layer), layer)


def normed_too_early(X, layer, num_heads, mask=None):
    middle = X + first_norm(attention_of(X, layer, num_heads, mask), layer)
    return middle + second_norm(units_of(middle, layer), layer)


def as_the_source_says(X, layer, num_heads, mask=None):
    return first_norm(X + attention_of(X, layer, num_heads, mask), layer)


def as_gpt_does(X, layer, num_heads, mask=None):
    X = X + attention_of(first_norm(X, layer), layer, num_heads, mask)
    return X + units_of(second_norm(X, layer), layer)


def other_norm_first(X, layer, num_heads, mask=None):
    middle = second_norm(X + attention_of(X, layer, num_heads, mask), layer)
    return first_norm(middle + units_of(middle, layer), layer)


def deaf_to_the_mask(X, layer, num_heads, mask=None):
    return by_parts(X, layer, num_heads)


def both_results(X, layer, num_heads, mask=None):
    matrices = [layer[name] for name in ("W_q", "W_k", "W_v", "W_o")]
    biases = {name: layer[name] for name in ("b_q", "b_k", "b_v", "b_o")}
    middle = first_norm(X + multi_head_attention(X, X, *matrices, num_heads, mask, **biases), layer)
    return second_norm(middle + units_of(middle, layer), layer)


def bare_matrices(X, layer, num_heads, mask=None):
    matrices = [layer[name] for name in ("W_q", "W_k", "W_v", "W_o")]
    middle = first_norm(X + multi_head_attention(X, X, *matrices, num_heads, mask)[0], layer)
    return second_norm(middle + units_of(middle, layer), layer)


def never_normed(X, layer, num_heads, mask=None):
    middle = X + attention_of(X, layer, num_heads, mask)
    return middle + units_of(middle, layer)


def half_of_each(X, layer, num_heads, mask=None):
    middle = first_norm(X + attention_of(X, layer, num_heads, mask), layer)
    return middle + units_of(second_norm(middle, layer), layer)


def bias_first(X, layer, num_heads, mask=None):
    middle = layer_norm(X + attention_of(X, layer, num_heads, mask), layer["norm_1_bias"], layer["norm_1_weight"])
    return layer_norm(middle + units_of(middle, layer), layer["norm_2_bias"], layer["norm_2_weight"])


def second_path_from_the_sum(X, layer, num_heads, mask=None):
    total = X + attention_of(X, layer, num_heads, mask)
    return second_norm(total + units_of(first_norm(total, layer), layer), layer)


def queries_bias_to_the_keys(X, layer, num_heads, mask=None):
    return by_parts(X, layer | {"b_q": layer["b_k"], "b_k": layer["b_q"]}, num_heads, mask)


def both_hear_the_input(X, layer, num_heads, mask=None):
    middle = first_norm(X + attention_of(X, layer, num_heads, mask), layer)
    return second_norm(middle + units_of(X, layer), layer)


def sees_what_it_may_not(X, layer, num_heads, mask=None):
    return by_parts(X, layer, num_heads, None if mask is None else ~mask)


def heard_by_whom_it_asks(X, layer, num_heads, mask=None):
    if mask is not None:
        mask = np.swapaxes(np.broadcast_to(mask, (*mask.shape[:-2], *X.shape[-2:-1] * 2)), -1, -2)
    return by_parts(X, layer, num_heads, mask)


def keys_ask(X, layer, num_heads, mask=None):
    return by_parts(X, layer | {"W_q": layer["W_k"], "W_k": layer["W_q"]}, num_heads, mask)


def input_twice(X, layer, num_heads, mask=None):
    middle = first_norm(X + attention_of(X, layer, num_heads, mask), layer)
    return second_norm(X + middle + units_of(middle, layer), layer)


def epsilon_of_its_own(X, layer, num_heads, mask=None):
    def norm(x, i):
        mean, var = x.mean(axis=-1, keepdims=True), x.var(axis=-1, keepdims=True)
        return (x - mean) / (var + 1e-3) ** 0.5 * layer[f"norm_{i}_weight"] + layer[f"norm_{i}_bias"]

    X = norm(X + attention_of(X, layer, num_heads, mask), 1)
    return norm(X + units_of(X, layer), 2)


def sample_variance_in_its_norms(X, layer, num_heads, mask=None):
    def norm(x, i):
        c = x - x.mean(-1, keepdims=True)
        return (
            c / np.sqrt(x.var(-1, ddof=1, keepdims=True) + 1e-12) * layer[f"norm_{i}_weight"] + layer[f"norm_{i}_bias"]
        )

    X = norm(X + attention_of(X, layer, num_heads, mask), 1)
    return norm(X + units_of(X, layer), 2)


def a_relu_inside(X, layer, num_heads, mask=None):
    X = first_norm(X + attention_of(X, layer, num_heads, mask), layer)
    h = np.maximum(X @ layer["W_1"] + layer["b_1"], 0)
    return second_norm(X + h @ layer["W_2"] + layer["b_2"], layer)


def no_bias_inside(X, layer, num_heads, mask=None):
    X = first_norm(X + attention_of(X, layer, num_heads, mask), layer)
    h = X @ layer["W_1"]
    return second_norm(X + h * (1 + erf(h / np.sqrt(2))) / 2 @ layer["W_2"] + layer["b_2"], layer)


def tanh_formula_inside(X, layer, num_heads, mask=None):
    X = first_norm(X + attention_of(X, layer, num_heads, mask), layer)
    h = X @ layer["W_1"] + layer["b_1"]
    g = 0.5 * h * (1 + np.tanh(np.sqrt(2 / np.pi) * (h + 0.044715 * h**3)))
    return second_norm(X + g @ layer["W_2"] + layer["b_2"], layer)


def passes_on_what_was_heard(X, layer, num_heads, mask=None):
    A = attention_of(X, layer, num_heads, mask)
    middle = first_norm(X + A, layer)
    return second_norm(middle + units_of(A, layer), layer)


def attends_to_a_norm(X, layer, num_heads, mask=None):
    middle = first_norm(X + attention_of(first_norm(X, layer), layer, num_heads, mask), layer)
    return second_norm(middle + units_of(middle, layer), layer)


def hides_a_name(X, layer, num_heads, mask=None):
    first_norm = first_norm(X, layer)  # noqa: F823 - the slip
    return first_norm + units_of(X, layer)


def num_heads_behind_the_biases(X, layer, num_heads, mask=None):
    names = ["W_q", "W_k", "W_v", "W_o", "b_q", "b_k", "b_v", "b_o"]
    return multi_head_attention(X, X, *(layer[name] for name in names), num_heads, mask)[0]


def always_causal(X, layer, num_heads, mask=None):
    return by_parts(X, layer, num_heads, np.tri(X.shape[-2], dtype=bool))


def causal_where_there_is_no_mask(X, layer, num_heads, mask=None):
    return by_parts(X, layer, num_heads, np.tri(X.shape[-2], dtype=bool) if mask is None else mask)


def causal_where_there_is_a_mask(X, layer, num_heads, mask=None):
    return by_parts(X, layer, num_heads, None if mask is None else np.tri(X.shape[-2], dtype=bool))


def causal_besides_the_mask(X, layer, num_heads, mask=None):
    causal = np.tri(X.shape[-2], dtype=bool)
    return by_parts(X, layer, num_heads, causal if mask is None else causal & mask)


def hears_twice(X, layer, num_heads, mask=None):
    for _ in range(2):
        X = first_norm(X + attention_of(X, layer, num_heads, mask), layer)
    return second_norm(X + units_of(X, layer), layer)


WRONG = [
    (always_causal, "always-causal"),
    (causal_where_there_is_no_mask, "causal-without-mask"),
    (causal_where_there_is_a_mask, "causal-where-masked"),
    (causal_besides_the_mask, "causal-besides"),
    (hears_twice, "attention-twice"),
    (passes_on_what_was_heard, "ffn-reads-what-was-heard"),
    (attends_to_a_norm, "attention-reads-a-norm"),
    (hides_a_name, "name-too-early"),
    (num_heads_behind_the_biases, None),
    (sample_variance_in_its_norms, "sample-variance"),
    (a_relu_inside, "relu"),
    (no_bias_inside, "no-b_1"),
    (tanh_formula_inside, "tanh-formula"),
    (epsilon_of_its_own, "other-epsilon"),
    (sees_what_it_may_not, "mask-turned"),
    (heard_by_whom_it_asks, "mask-transposed"),
    (keys_ask, "W_q-and-W_k-exchanged"),
    (input_twice, "input-added-again"),
    (half_of_each, "second-half-pre-norm"),
    (bias_first, "weight-and-bias-exchanged"),
    (nothing_kept, "no-residual"),
    (second_from_the_input, "ffn-residual-from-X"),
    (normed_too_early, "norm-of-sublayer"),
    (as_the_source_says, "no-ffn"),
    (as_gpt_does, "pre-norm"),
    (other_norm_first, "norms-exchanged"),
    (deaf_to_the_mask, "mask-ignored"),
    (both_results, "pair-added"),
    (bare_matrices, "biases-ignored"),
    (never_normed, "no-norms"),
    (second_path_from_the_sum, "second-residual-unnormed"),
    (queries_bias_to_the_keys, "b_q-and-b_k-exchanged"),
    (both_hear_the_input, "ffn-from-X"),
]
