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


WRONG = [
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
