import math

import numpy as np

from attnlib import scaled_dot_product_attention, softmax
from variants.p3_multi_head.n3_masks.shared import (
    large_number_then_zero,
    minus_infinity_and_repair,
    nan_to_zero,
    three_lines,
)


def einsum_throughout(Q, K, V, mask):
    scores = np.einsum("...qd,...kd->...qk", Q, K) * Q.shape[-1] ** -0.5
    weights = large_number_then_zero(scores, mask)
    return np.einsum("...qk,...kv->...qv", weights, V), weights


def additive_inside(Q, K, V, mask, dropout=0.0):
    bias = np.zeros(mask.shape)
    bias[~mask] = -1e9
    weights = softmax(np.matmul(Q, K.mT) / math.sqrt(K.shape[-1]) + bias)
    weights = weights * mask
    return weights @ V, weights


def with_the_library_keyword(Q, K, V, mask):
    return scaled_dot_product_attention(Q, K, V, mask=mask)


def one_query_at_a_time(Q, K, V, mask):
    if Q.ndim == 3:
        masks = np.broadcast_to(mask, (len(Q), mask.shape[-2], mask.shape[-1]))
        pairs = [one_query_at_a_time(*inputs) for inputs in zip(Q, K, V, masks, strict=True)]
        return [context for context, _ in pairs], [weights for _, weights in pairs]
    mask = np.broadcast_to(mask, (len(Q), len(K)))
    weights = np.zeros((len(Q), len(K)))
    for i, q in enumerate(Q):
        seen = mask[i]
        if seen.any():
            weights[i, seen] = softmax(K[seen] @ q / np.sqrt(len(q)))
    return weights @ V, weights


def half_the_digits(Q, K, V, mask):
    Q, K, V = (a.astype("float32") for a in (Q, K, V))
    return three_lines(Q, K, V, mask)


def transposed_by_name(queries, keys, values, mask, /):
    scores = queries @ keys.transpose(*range(keys.ndim - 2), -1, -2) / np.sqrt(keys.shape[-1])
    weights = nan_to_zero(scores, mask)
    return [weights @ values, weights]


VARIANTS = [
    three_lines,
    einsum_throughout,
    additive_inside,
    with_the_library_keyword,
    one_query_at_a_time,
    half_the_digits,
    transposed_by_name,
]


def forgets_the_scale(Q, K, V, mask):
    weights = minus_infinity_and_repair(Q @ np.swapaxes(K, -1, -2), mask)
    return weights @ V, weights


def plain_transpose(Q, K, V, mask):
    weights = minus_infinity_and_repair(Q @ K.T / np.sqrt(Q.shape[-1]), mask)
    return weights @ V, weights


def forgets_the_mask(Q, K, V, mask):
    return scaled_dot_product_attention(Q, K, V)


def attention_zeroed_after_softmax(Q, K, V, mask):
    weights = softmax(Q @ np.swapaxes(K, -1, -2) / np.sqrt(Q.shape[-1])) * mask
    return weights @ V, weights


def root_of_len(Q, K, V, mask):
    weights = minus_infinity_and_repair(Q @ np.swapaxes(K, -1, -2) / np.sqrt(len(Q)), mask)
    return weights @ V, weights


def root_of_axis_one(Q, K, V, mask):
    weights = minus_infinity_and_repair(Q @ np.swapaxes(K, -1, -2) / np.sqrt(Q.shape[1]), mask)
    return weights @ V, weights


def root_of_axis_one_of_keys(Q, K, V, mask):
    weights = minus_infinity_and_repair(Q @ np.swapaxes(K, -1, -2) / np.sqrt(K.shape[1]), mask)
    return weights @ V, weights


def weights_come_first(Q, K, V, mask):
    return three_lines(Q, K, V, mask)[::-1]


def softmax_of_a_softmax(Q, K, V, mask):
    weights = large_number_then_zero(softmax(Q @ np.swapaxes(K, -1, -2) / np.sqrt(Q.shape[-1])), mask)
    return weights @ V, weights


def first_two_axes(Q, K, V, mask):
    scores = Q @ (K.T if K.ndim == 2 else K.swapaxes(0, 1)) / np.sqrt(Q.shape[-1])
    weights = minus_infinity_and_repair(scores, mask)
    return weights @ V, weights


def keys_in_the_end(Q, K, V, mask):
    weights = large_number_then_zero(Q @ np.swapaxes(K, -1, -2) / np.sqrt(Q.shape[-1]), mask)
    return weights @ K, weights


def power_of_a_half(Q, K, V, mask):
    weights = large_number_then_zero(Q @ np.swapaxes(K, -1, -2) / Q.shape[-1] ** 1 / 2, mask)
    return weights @ V, weights


def as_multihead_attention_adds_it(Q, K, V, mask):
    weights = softmax(Q @ np.swapaxes(K, -1, -2) / np.sqrt(Q.shape[-1]) + mask * -1e9)
    return weights @ V, weights


def along_axis_one(Q, K, V, mask):
    scores = np.where(mask, Q @ np.swapaxes(K, -1, -2) / np.sqrt(Q.shape[-1]), -1e9)
    powers = np.exp(scores - scores.max(axis=1, keepdims=True))
    weights = np.where(mask, powers / powers.sum(axis=1, keepdims=True), 0)
    return weights @ V, weights


def always_a_triangle(Q, K, V, mask):
    scores = Q @ np.swapaxes(K, -1, -2) / np.sqrt(Q.shape[-1])
    weights = large_number_then_zero(scores, np.tril(np.ones(scores.shape[-2:], dtype=bool)))
    return weights @ V, weights


def zeros_are_forbidden(Q, K, V, mask):
    scores = Q @ np.swapaxes(K, -1, -2) / np.sqrt(Q.shape[-1]) * mask
    weights = np.where(mask, softmax(np.where(scores == 0, -1e9, scores)), 0)
    return weights @ V, weights


def minus_a_hundred(Q, K, V, mask):
    scores = Q @ np.swapaxes(K, -1, -2) / np.sqrt(Q.shape[-1])
    weights = np.where(mask, softmax(np.where(mask, scores, -100)), 0)
    return weights @ V, weights


def additive_all_the_way(Q, K, V, mask):
    weights = softmax(Q @ np.swapaxes(K, -1, -2) / np.sqrt(Q.shape[-1]) + np.where(mask, 0, -1e9))
    return weights @ V, weights


def context_repaired_alone(Q, K, V, mask):
    scores = Q @ np.swapaxes(K, -1, -2) / np.sqrt(Q.shape[-1])
    weights = softmax(np.where(mask, scores, -1e9))
    context = np.where(np.any(mask, axis=-1, keepdims=True), weights @ V, 0)
    return context, weights


def a_mask_for_each_sentence(Q, K, V, mask):
    if Q.ndim == 2:
        return three_lines(Q, K, V, mask)
    pairs = [three_lines(Q[b], K[b], V[b], mask[b]) for b in range(len(Q))]
    return np.array([context for context, _ in pairs]), np.array([weights for _, weights in pairs])


def two_axes_lifted(Q, K, V, mask):
    return three_lines(Q, K, V, mask[:, None] if Q.ndim == 3 and mask.ndim == 2 else mask)


def mask_of_the_first(Q, K, V, mask):
    return three_lines(Q, K, V, mask[0] if mask.ndim == 3 else mask)


def first_of_the_mask(Q, K, V, mask):
    return three_lines(Q, K, V, mask[0] if Q.ndim == 3 else mask)


def the_future_besides(Q, K, V, mask):
    return large_number_then_zero_of(Q, K, V, mask & np.tri(Q.shape[-2], K.shape[-2], dtype=bool))


def large_number_then_zero_of(Q, K, V, mask):
    weights = large_number_then_zero(Q @ K.mT / math.sqrt(K.shape[-1]), mask)
    return weights @ V, weights


WRONG = [
    (a_mask_for_each_sentence, "mask-by-sentences"),
    (two_axes_lifted, "mask-by-sentences-lifted"),
    (mask_of_the_first, "first-mask-only"),
    (first_of_the_mask, "first-mask-always"),
    (forgets_the_scale, "no-scale"),
    (plain_transpose, "reversed-axes"),
    (forgets_the_mask, "mask-ignored"),
    (attention_zeroed_after_softmax, "mask-after"),
    (root_of_len, "by-sqrt-len"),
    (root_of_axis_one, "by-sqrt-axis-1"),
    (root_of_axis_one_of_keys, "by-sqrt-axis-1-of-K"),
    (weights_come_first, "swapped-results"),
    (softmax_of_a_softmax, "softmax-twice"),
    (first_two_axes, "front-axes"),
    (keys_in_the_end, None),
    (power_of_a_half, "by-twice-d_k"),
    (as_multihead_attention_adds_it, "mask-inverted-added"),
    (along_axis_one, "axis-from-front"),
    (always_a_triangle, "always-causal"),
    (zeros_are_forbidden, "zero-means-masked"),
    (minus_a_hundred, "hundred-fill-zeroed"),
    (additive_all_the_way, "empty-unmasked"),
    (context_repaired_alone, "empty-weights-uniform"),
    (the_future_besides, "causal-too"),
]
