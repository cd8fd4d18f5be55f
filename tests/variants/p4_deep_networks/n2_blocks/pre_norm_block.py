import numpy as np

from attnlib import feed_forward, layer_norm, multi_head_attention
from variants.p4_deep_networks.n2_blocks.shared import attention_of, first_norm, second_norm, units_of


def by_parts(X, layer, num_heads, mask=None):
    middle = X + attention_of(first_norm(X, layer), layer, num_heads, mask)
    return middle + units_of(second_norm(middle, layer), layer)


def with_unpacked_names(X, layer, num_heads, mask=None):
    attention = {name: layer[name] for name in ["W_q", "W_k", "W_v", "W_o", "b_q", "b_k", "b_v", "b_o"]}
    normed = layer_norm(X, layer["norm_1_weight"], layer["norm_1_bias"])
    X = X + multi_head_attention(normed, normed, num_heads=num_heads, mask=mask, **attention)[0]
    normed = layer_norm(X, layer["norm_2_weight"], layer["norm_2_bias"])
    return X + feed_forward(normed, layer["W_1"], layer["b_1"], layer["W_2"], layer["b_2"])


def as_one_sum(X, layer, num_heads, mask=None):
    heard = attention_of(first_norm(X, layer), layer, num_heads, mask)
    return X + heard + units_of(second_norm(X + heard, layer), layer)


def by_a_loop_over_the_norms(X, layer, num_heads, mask=None):
    sublayers = [lambda A: attention_of(A, layer, num_heads, mask), lambda A: units_of(A, layer)]
    for i, sublayer in enumerate(sublayers, start=1):
        X = X + sublayer(layer_norm(X, layer[f"norm_{i}_weight"], layer[f"norm_{i}_bias"]))
    return X


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
    as_one_sum,
    by_a_loop_over_the_norms,
    sentence_by_sentence,
    as_lists,
    in_single_precision,
]


def copy_goes_on(X, layer, num_heads, mask=None):
    X = first_norm(X, layer)
    X = X + attention_of(X, layer, num_heads, mask)
    X = second_norm(X, layer)
    return X + units_of(X, layer)


def as_bert_does(X, layer, num_heads, mask=None):
    middle = first_norm(X + attention_of(X, layer, num_heads, mask), layer)
    return second_norm(middle + units_of(middle, layer), layer)


def half_normed(X, layer, num_heads, mask=None):
    biases = {name: layer[name] for name in ("b_q", "b_k", "b_v", "b_o")}
    matrices = [layer[name] for name in ("W_q", "W_k", "W_v", "W_o")]
    middle = X + multi_head_attention(first_norm(X, layer), X, *matrices, num_heads, mask, **biases)[0]
    return middle + units_of(second_norm(middle, layer), layer)


def one_norm_for_both(X, layer, num_heads, mask=None):
    middle = X + attention_of(first_norm(X, layer), layer, num_heads, mask)
    return middle + units_of(first_norm(middle, layer), layer)


def side_by_side(X, layer, num_heads, mask=None):
    return X + attention_of(first_norm(X, layer), layer, num_heads, mask) + units_of(second_norm(X, layer), layer)


def deaf_to_the_mask(X, layer, num_heads, mask=None):
    return by_parts(X, layer, num_heads)


def units_read_it_raw(X, layer, num_heads, mask=None):
    middle = X + attention_of(first_norm(X, layer), layer, num_heads, mask)
    return middle + units_of(middle, layer)


def half_of_each(X, layer, num_heads, mask=None):
    middle = X + attention_of(first_norm(X, layer), layer, num_heads, mask)
    return second_norm(middle + units_of(middle, layer), layer)


def queries_bias_to_the_keys(X, layer, num_heads, mask=None):
    return by_parts(X, layer | {"b_q": layer["b_k"], "b_k": layer["b_q"]}, num_heads, mask)


def first_sum_from_the_copy(X, layer, num_heads, mask=None):
    normed = first_norm(X, layer)
    X = normed + attention_of(normed, layer, num_heads, mask)
    return X + units_of(second_norm(X, layer), layer)


def second_sum_from_the_copy(X, layer, num_heads, mask=None):
    X = X + attention_of(first_norm(X, layer), layer, num_heads, mask)
    normed = second_norm(X, layer)
    return normed + units_of(normed, layer)


def asks_with_X(X, layer, num_heads, mask=None):
    normed = first_norm(X, layer)
    biases = {name: layer[name] for name in ("b_q", "b_k", "b_v", "b_o")}
    matrices = [layer[name] for name in ("W_q", "W_k", "W_v", "W_o")]
    X = X + multi_head_attention(X, normed, *matrices, num_heads, mask, **biases)[0]
    return X + units_of(second_norm(X, layer), layer)


def first_half_of_bert(X, layer, num_heads, mask=None):
    X = first_norm(X + attention_of(X, layer, num_heads, mask), layer)
    return X + units_of(second_norm(X, layer), layer)


def attention_reads_it_raw(X, layer, num_heads, mask=None):
    X = X + attention_of(X, layer, num_heads, mask)
    return X + units_of(second_norm(X, layer), layer)


def units_read_the_first_copy(X, layer, num_heads, mask=None):
    normed = first_norm(X, layer)
    X = X + attention_of(normed, layer, num_heads, mask)
    return X + units_of(normed, layer)


def norms_what_is_said(X, layer, num_heads, mask=None):
    X = X + first_norm(attention_of(X, layer, num_heads, mask), layer)
    return X + second_norm(units_of(X, layer), layer)


def norms_at_the_end_as_well(X, layer, num_heads, mask=None):
    return second_norm(by_parts(X, layer, num_heads, mask), layer)


def without_norms(X, layer, num_heads, mask=None):
    X = X + attention_of(X, layer, num_heads, mask)
    return X + units_of(X, layer)


def nothing_added(X, layer, num_heads, mask=None):
    X = attention_of(first_norm(X, layer), layer, num_heads, mask)
    return units_of(second_norm(X, layer), layer)


def first_not_added(X, layer, num_heads, mask=None):
    X = attention_of(first_norm(X, layer), layer, num_heads, mask)
    return X + units_of(second_norm(X, layer), layer)


def second_not_added(X, layer, num_heads, mask=None):
    X = X + attention_of(first_norm(X, layer), layer, num_heads, mask)
    return units_of(second_norm(X, layer), layer)


def second_added_to_X(X, layer, num_heads, mask=None):
    middle = X + attention_of(first_norm(X, layer), layer, num_heads, mask)
    return X + units_of(second_norm(middle, layer), layer)


def norms_the_other_way(X, layer, num_heads, mask=None):
    X = X + attention_of(second_norm(X, layer), layer, num_heads, mask)
    return X + units_of(first_norm(X, layer), layer)


def bias_first(X, layer, num_heads, mask=None):
    X = X + attention_of(layer_norm(X, layer["norm_1_bias"], layer["norm_1_weight"]), layer, num_heads, mask)
    return X + units_of(layer_norm(X, layer["norm_2_bias"], layer["norm_2_weight"]), layer)


def attention_alone(X, layer, num_heads, mask=None):
    return X + attention_of(first_norm(X, layer), layer, num_heads, mask)


def units_alone(X, layer, num_heads, mask=None):
    return X + units_of(second_norm(X, layer), layer)


def units_first(X, layer, num_heads, mask=None):
    X = X + units_of(second_norm(X, layer), layer)
    return X + attention_of(first_norm(X, layer), layer, num_heads, mask)


def units_without_a_bend(X, layer, num_heads, mask=None):
    X = X + attention_of(first_norm(X, layer), layer, num_heads, mask)
    return X + (second_norm(X, layer) @ layer["W_1"] + layer["b_1"]) @ layer["W_2"] + layer["b_2"]


def mask_turned_round(X, layer, num_heads, mask=None):
    return by_parts(X, layer, num_heads, None if mask is None else ~mask)


def mask_on_its_side(X, layer, num_heads, mask=None):
    return by_parts(X, layer, num_heads, None if mask is None else np.swapaxes(mask, -1, -2))


def X_once_more(X, layer, num_heads, mask=None):
    middle = X + attention_of(first_norm(X, layer), layer, num_heads, mask)
    return X + middle + units_of(second_norm(middle, layer), layer)


def keys_ask(X, layer, num_heads, mask=None):
    return by_parts(X, layer | {"W_q": layer["W_k"], "W_k": layer["W_q"]}, num_heads, mask)


def a_single_head(X, layer, num_heads, mask=None):
    return by_parts(X, layer, 1, mask)


def without_biases(X, layer, num_heads, mask=None):
    normed = first_norm(X, layer)
    matrices = [layer[name] for name in ("W_q", "W_k", "W_v", "W_o")]
    X = X + multi_head_attention(normed, normed, *matrices, num_heads, mask)[0]
    return X + units_of(second_norm(X, layer), layer)


def some_biases(X, layer, num_heads, mask=None):
    normed = first_norm(X, layer)
    matrices = [layer[name] for name in ("W_q", "W_k", "W_v", "W_o")]
    X = (
        X
        + multi_head_attention(
            normed, normed, *matrices, num_heads, mask, b_q=layer["b_q"], b_k=layer["b_k"], b_v=layer["b_v"]
        )[0]
    )
    return X + units_of(second_norm(X, layer), layer)


def adds_the_pair(X, layer, num_heads, mask=None):
    normed = first_norm(X, layer)
    biases = {name: layer[name] for name in ("b_q", "b_k", "b_v", "b_o")}
    matrices = [layer[name] for name in ("W_q", "W_k", "W_v", "W_o")]
    X = X + multi_head_attention(normed, normed, *matrices, num_heads, mask, **biases)
    return X + units_of(second_norm(X, layer), layer)


def biases_in_their_order(X, layer, num_heads, mask=None):
    normed = first_norm(X, layer)
    arrays = [layer[name] for name in ("W_q", "W_k", "W_v", "W_o", "b_q", "b_k", "b_v", "b_o")]
    X = X + multi_head_attention(normed, normed, *arrays[:4], num_heads, *arrays[4:])[0]
    return X + units_of(second_norm(X, layer), layer)


def transposed(X, layer, num_heads, mask=None):
    return by_parts(X, layer | {name: layer[name].T for name in ("W_q", "W_k", "W_v", "W_o")}, num_heads, mask)


def epsilon_of_pytorch(X, layer, num_heads, mask=None, eps=1e-5):
    def norm(x, weight, bias):
        return (x - x.mean(-1, keepdims=True)) / np.sqrt(x.var(-1, keepdims=True) + eps) * weight + bias

    X = X + attention_of(norm(X, layer["norm_1_weight"], layer["norm_1_bias"]), layer, num_heads, mask)
    return X + units_of(norm(X, layer["norm_2_weight"], layer["norm_2_bias"]), layer)


def reads_what_was_heard(X, layer, num_heads, mask=None):
    A = attention_of(first_norm(X, layer), layer, num_heads, mask)
    return X + A + units_of(second_norm(A, layer), layer)


def reads_the_normed_sum(X, layer, num_heads, mask=None):
    N = first_norm(X, layer)
    A = attention_of(N, layer, num_heads, mask)
    return X + A + units_of(second_norm(N + A, layer), layer)


def always_causal(X, layer, num_heads, mask=None):
    return by_parts(X, layer, num_heads, np.tri(X.shape[-2], dtype=bool))


def causal_where_there_is_no_mask(X, layer, num_heads, mask=None):
    return by_parts(X, layer, num_heads, np.tri(X.shape[-2], dtype=bool) if mask is None else mask)


WRONG = [
    (always_causal, "always-causal"),
    (causal_where_there_is_no_mask, "causal-without-mask"),
    (reads_what_was_heard, "ffn-reads-what-was-heard"),
    (reads_the_normed_sum, "ffn-reads-the-normed-sum"),
    (first_sum_from_the_copy, "first-from-normalised"),
    (second_sum_from_the_copy, "second-from-normalised"),
    (asks_with_X, "queries-from-X"),
    (first_half_of_bert, "first-half-post-norm"),
    (attention_reads_it_raw, "attention-not-normed"),
    (units_read_the_first_copy, "ffn-reads-the-first-norm"),
    (norms_what_is_said, "norm-of-sublayer"),
    (norms_at_the_end_as_well, "final-norm"),
    (without_norms, "no-norms"),
    (nothing_added, "no-residual"),
    (first_not_added, "no-first-residual"),
    (second_not_added, "no-second-residual"),
    (second_added_to_X, "ffn-residual-from-X"),
    (norms_the_other_way, "norms-exchanged"),
    (bias_first, "weight-and-bias-exchanged"),
    (attention_alone, "no-ffn"),
    (units_alone, "no-attention"),
    (units_first, "ffn-first"),
    (units_without_a_bend, "no-bend"),
    (mask_turned_round, "mask-turned"),
    (mask_on_its_side, "mask-transposed"),
    (X_once_more, "input-added-again"),
    (keys_ask, "W_q-and-W_k-exchanged"),
    (a_single_head, "one-head"),
    (without_biases, "biases-ignored"),
    (some_biases, "no-b_o"),
    (adds_the_pair, "pair-added"),
    (biases_in_their_order, "biases-by-position"),
    (transposed, "projections-transposed"),
    (epsilon_of_pytorch, "other-epsilon"),
    (half_of_each, "second-half-post-norm"),
    (copy_goes_on, "residual-from-normalised"),
    (as_bert_does, "post-norm"),
    (half_normed, "keys-from-X"),
    (one_norm_for_both, "first-norm-twice"),
    (side_by_side, "parallel"),
    (deaf_to_the_mask, "mask-ignored"),
    (units_read_it_raw, "ffn-not-normed"),
    (queries_bias_to_the_keys, "b_q-and-b_k-exchanged"),
]
