import math

import numpy as np

from attnlib import masked_softmax, scaled_dot_product_attention, softmax


def by_hand(scores):
    e = np.exp(scores - scores.max(axis=-1, keepdims=True))
    return e / e.sum(axis=-1, keepdims=True)


def cross_from_earlier_functions(X_target, X_source, W_q, W_k, W_v, source_mask=None):
    mask = None if source_mask is None else source_mask[np.newaxis, :]
    return scaled_dot_product_attention(X_target @ W_q, X_source @ W_k, X_source @ W_v, mask)


def cross_with_minus_infinity(X_target, X_source, W_q, W_k, W_v, source_mask=None):
    Q, K, V = X_target @ W_q, X_source @ W_k, X_source @ W_v
    scores = Q @ K.T / np.sqrt(K.shape[1])
    if source_mask is not None:
        scores = np.where(source_mask, scores, -np.inf)
    weights = by_hand(scores)
    return weights @ V, weights


def cross_with_a_billion(X_target, X_source, W_q, W_k, W_v, source_mask=None):
    scores = (X_target @ W_q) @ (X_source @ W_k).T / math.sqrt(W_k.shape[1])
    if source_mask is not None:
        scores[:, ~source_mask] = -1e9
    weights = softmax(scores)
    return weights @ (X_source @ W_v), weights


def cross_additive_mask(X_target, X_source, W_q, W_k, W_v, source_mask=None):
    bias = 0.0 if source_mask is None else np.where(source_mask, 0.0, -1e9)
    scores = np.einsum("ia,ab,jc,cb->ij", X_target, W_q, X_source, W_k) / W_q.shape[1] ** 0.5 + bias
    weights = by_hand(scores)
    return np.einsum("ij,jc,cv->iv", weights, X_source, W_v), weights


def cross_by_loops(X_target, X_source, W_q, W_k, W_v, source_mask=None):
    context, all_weights = [], []
    for x in X_target:
        q = x @ W_q
        scores = [q @ (y @ W_k) / math.sqrt(len(q)) for y in X_source]
        heard = [source_mask is None or source_mask[j] for j in range(len(X_source))]
        top = max(score for score, allowed in zip(scores, heard, strict=True) if allowed)
        powers = [math.exp(s - top) if allowed else 0.0 for s, allowed in zip(scores, heard, strict=True)]
        weights = [p / sum(powers) for p in powers]
        context.append(sum(w * (y @ W_v) for w, y in zip(weights, X_source, strict=True)))
        all_weights.append(weights)
    return np.array(context), np.array(all_weights)


def cross_leaves_masked_tokens_out(X_target, X_source, W_q, W_k, W_v, source_mask=None):
    keep = np.ones(len(X_source), dtype=bool) if source_mask is None else source_mask
    kept = X_source[keep]
    some = by_hand((X_target @ W_q) @ (kept @ W_k).T / np.sqrt(W_q.shape[1]))
    weights = np.zeros((len(X_target), len(X_source)))
    weights[:, keep] = some
    return some @ kept @ W_v, weights


def cross_float32(X_target, X_source, W_q, W_k, W_v, source_mask=None):
    X_target, X_source, W_q, W_k, W_v = (a.astype(np.float32) for a in (X_target, X_source, W_q, W_k, W_v))
    return cross_with_minus_infinity(X_target, X_source, W_q, W_k, W_v, source_mask)


def cross_as_lists(X_target, X_source, W_q, W_k, W_v, source_mask=None, temperature=1.0):
    context, weights = cross_with_minus_infinity(X_target, X_source, W_q / temperature, W_k, W_v, source_mask)
    return [context.tolist(), weights.tolist()]


def wrong_renormalised(X_target, X_source, W_q, W_k, W_v, source_mask=None):
    weights = by_hand(X_target @ W_q @ (X_source @ W_k).T / np.sqrt(W_q.shape[-1]))
    if source_mask is not None:
        weights = weights * source_mask
        weights = weights / weights.sum(axis=1, keepdims=True)
    return weights @ X_source @ W_v, weights


def wrong_way_round(X_target, X_source, W_q, W_k, W_v, source_mask=None):
    Q, K, V = X_source @ W_q, X_target @ W_k, X_target @ W_v
    return scaled_dot_product_attention(Q, K, V, source_mask)


def wrong_self_attention_on_the_source(X_target, X_source, W_q, W_k, W_v, source_mask=None):
    Q, K, V = (X_source @ W for W in (W_q, W_k, W_v))
    return scaled_dot_product_attention(Q, K, V, source_mask)


def wrong_mask_as_a_column(X_target, X_source, W_q, W_k, W_v, source_mask=None):
    scores = (X_target @ W_q) @ (X_source @ W_k).T / np.sqrt(W_q.shape[1])
    if source_mask is not None:
        scores = np.where(source_mask.reshape(-1, 1), scores, -np.inf)
    weights = by_hand(scores)
    return weights @ (X_source @ W_v), weights


def wrong_mask_as_a_column_with_the_library(X_target, X_source, W_q, W_k, W_v, source_mask=None):
    scores = (X_target @ W_q) @ (X_source @ W_k).T / np.sqrt(W_q.shape[1])
    weights = by_hand(scores) if source_mask is None else masked_softmax(scores, source_mask[:, None])
    return weights @ (X_source @ W_v), weights


def wrong_true_means_masked(X_target, X_source, W_q, W_k, W_v, source_mask=None):
    scores = (X_target @ W_q) @ (X_source @ W_k).T / np.sqrt(W_q.shape[1])
    if source_mask is not None:
        scores = np.where(source_mask, -1e9, scores)
    weights = by_hand(scores)
    return weights @ (X_source @ W_v), weights


def wrong_no_scale(X_target, X_source, W_q, W_k, W_v, source_mask=None):
    scores = (X_target @ W_q) @ (X_source @ W_k).T
    weights = softmax(scores) if source_mask is None else masked_softmax(scores, source_mask)
    return weights @ (X_source @ W_v), weights


def wrong_pair(X_target, X_source, W_q, W_k, W_v, source_mask=None):
    context, weights = cross_with_minus_infinity(X_target, X_source, W_q, W_k, W_v, source_mask)
    return weights, context


def wrong_matrices_exchanged(X_target, X_source, W_q, W_k, W_v, source_mask=None):
    return scaled_dot_product_attention(X_target @ W_k, X_source @ W_q, X_source @ W_v, source_mask)


def wrong_source_without_masked_rows(X_target, X_source, W_q, W_k, W_v, source_mask=None):
    if source_mask is not None:
        X_source = X_source[source_mask]
    return scaled_dot_product_attention(X_target @ W_q, X_source @ W_k, X_source @ W_v)


def wrong_truth_of_a_mask(X_target, X_source, W_q, W_k, W_v, source_mask=None):
    scores = (X_target @ W_q) @ (X_source @ W_k).T / np.sqrt(W_q.shape[1])
    if source_mask:
        scores = np.where(source_mask, scores, -np.inf)
    weights = softmax(scores)
    return weights @ (X_source @ W_v), weights


def wrong_values_are_the_source_itself(X_target, X_source, W_q, W_k, W_v, source_mask=None):
    _, weights = cross_with_minus_infinity(X_target, X_source, W_q, W_k, W_v, source_mask)
    return weights @ X_source, weights


def wrong_bare_powers(X_target, X_source, W_q, W_k, W_v, source_mask=None):
    powers = np.exp(X_target @ W_q @ (X_source @ W_k).T / np.sqrt(W_q.shape[-1]))
    if source_mask is not None:
        powers = powers * source_mask
    weights = powers / powers.sum(axis=-1, keepdims=True)
    return weights @ X_source @ W_v, weights


def wrong_minus_a_hundred(X_target, X_source, W_q, W_k, W_v, source_mask=None):
    S = X_target @ W_q @ (X_source @ W_k).T / np.sqrt(W_q.shape[-1])
    weights = by_hand(S if source_mask is None else np.where(source_mask, S, -100))
    return weights @ X_source @ W_v, weights


def wrong_zeros_in_columns(X_target, X_source, W_q, W_k, W_v, source_mask=None):
    S = X_target @ W_q @ (X_source @ W_k).T / np.sqrt(W_q.shape[-1])
    if source_mask is not None:
        S[:, ~source_mask] = 0
    weights = by_hand(S)
    return weights @ X_source @ W_v, weights


def wrong_mask_with_a_new_axis(X_target, X_source, W_q, W_k, W_v, source_mask=None):
    mask = None if source_mask is None else source_mask[:, None]
    return scaled_dot_product_attention(X_target @ W_q, X_source @ W_k, X_source @ W_v, mask)


def wrong_keys_mixed(X_target, X_source, W_q, W_k, W_v, source_mask=None):
    _, weights = cross_with_minus_infinity(X_target, X_source, W_q, W_k, W_v, source_mask)
    return weights @ (X_source @ W_k), weights


def wrong_rounded(X_target, X_source, W_q, W_k, W_v, source_mask=None):
    context, weights = cross_with_minus_infinity(X_target, X_source, W_q, W_k, W_v, source_mask)
    return context.round(1), weights.round(1)


def wrong_width_of_the_source(X_target, X_source, W_q, W_k, W_v, source_mask=None):
    scores = X_target @ W_q @ (X_source @ W_k).T / np.sqrt(X_source.shape[-1])
    weights = by_hand(scores if source_mask is None else np.where(source_mask, scores, -np.inf))
    return weights @ X_source @ W_v, weights


def wrong_power_of_a_half(X_target, X_source, W_q, W_k, W_v, source_mask=None):
    scores = X_target @ W_q @ (X_source @ W_k).T / W_q.shape[-1] ** 1 / 2
    weights = by_hand(scores if source_mask is None else np.where(source_mask, scores, -np.inf))
    return weights @ X_source @ W_v, weights


VARIANTS = [
    cross_from_earlier_functions,
    cross_with_minus_infinity,
    cross_with_a_billion,
    cross_additive_mask,
    cross_by_loops,
    cross_leaves_masked_tokens_out,
    cross_float32,
    cross_as_lists,
]


def divided_without_a_mask_only(X_target, X_source, W_q, W_k, W_v, source_mask=None):
    Q, K, V = X_target @ W_q, X_source @ W_k, X_source @ W_v
    if source_mask is None:
        return scaled_dot_product_attention(Q, K, V)
    weights = masked_softmax(Q @ K.T, source_mask)
    return weights @ V, weights


def a_thousand_off(X_target, X_source, W_q, W_k, W_v, source_mask=None):
    Q, K, V = X_target @ W_q, X_source @ W_k, X_source @ W_v
    scores = Q @ K.T / np.sqrt(K.shape[-1])
    if source_mask is not None:
        scores = scores + (1 - source_mask.astype(float)) * -1000
    weights = softmax(scores)
    return weights @ V, weights


def wrong_cross_without_the_mask(X_target, X_source, W_q, W_k, W_v, source_mask=None):
    return scaled_dot_product_attention(X_target @ W_q, X_source @ W_k, X_source @ W_v)


def wrong_cross_by_the_width_of_the_target(X_target, X_source, W_q, W_k, W_v, source_mask=None):
    Q, K, V = X_target @ W_q, X_source @ W_k, X_source @ W_v
    if source_mask is None:
        source_mask = np.ones(len(X_source), dtype=bool)
    weights = masked_softmax(Q @ K.T / np.sqrt(X_target.shape[-1]), source_mask)
    return weights @ V, weights


def divided_with_a_mask_only(X_target, X_source, W_q, W_k, W_v, source_mask=None):
    Q, K, V = X_target @ W_q, X_source @ W_k, X_source @ W_v
    scores = Q @ K.T
    weights = softmax(scores) if source_mask is None else masked_softmax(scores / np.sqrt(Q.shape[-1]), source_mask)
    return weights @ V, weights


def weights_masked_by_another_softmax(X_target, X_source, W_q, W_k, W_v, source_mask=None):
    V = X_source @ W_v
    context, weights = scaled_dot_product_attention(X_target @ W_q, X_source @ W_k, V)
    if source_mask is not None:
        weights = masked_softmax(weights, source_mask)
        context = weights @ V
    return context, weights


def softmax_of_a_softmax(X_target, X_source, W_q, W_k, W_v, source_mask=None):
    _, weights = scaled_dot_product_attention(X_target @ W_q, X_source @ W_k, X_source @ W_v)
    weights = masked_softmax(weights, np.ones(len(X_source), dtype=bool) if source_mask is None else source_mask)
    return weights @ X_source @ W_v, weights


def wrong_keys_far_below(X_target, X_source, W_q, W_k, W_v, source_mask=None):
    Q, K, V = X_target @ W_q, X_source @ W_k, X_source @ W_v
    if source_mask is not None:
        K = np.where(source_mask[:, None], K, -1e9)
    return scaled_dot_product_attention(Q, K, V)


def as_if_still_being_written(X_target, X_source, W_q, W_k, W_v, source_mask=None):
    scores = X_target @ W_q @ (X_source @ W_k).T / math.sqrt(W_k.shape[1])
    scores = np.where(np.tri(*scores.shape, dtype=bool), scores, -1e9)
    weights = softmax(scores if source_mask is None else np.where(source_mask, scores, -1e9))
    return weights @ X_source @ W_v, weights


def filled_before_the_division(X_target, X_source, W_q, W_k, W_v, source_mask=None):
    scores = (X_target @ W_q) @ (X_source @ W_k).T
    if source_mask is not None:
        scores = np.where(source_mask, scores, -1e6)
    weights = softmax(scores / np.sqrt(W_q.shape[1]))
    return weights @ (X_source @ W_v), weights


def by_scores(weigh, mix=False, fill=None):
    """Cross-attention by what makes weights of scores, the root and a mask; `mix`: the scores are mixed."""

    def attention(X_target, X_source, W_q, W_k, W_v, source_mask=None):
        root = np.sqrt(W_q.shape[1])
        scores = (X_target @ W_q) @ (X_source @ W_k).T / root
        weights = weigh(scores, root, source_mask)
        if fill is not None and source_mask is not None:
            scores = np.where(source_mask, scores, fill)
        return (scores if mix else weights) @ (X_source @ W_v), weights

    return attention


def usual(scores, root, mask):
    return softmax(scores) if mask is None else masked_softmax(scores, mask)


def divided_once_more(scores, root, mask):
    return softmax(scores) if mask is None else masked_softmax(scores / root, mask)


def causal_and_filled(scores, root, mask):
    causal = np.tri(*scores.shape, dtype=bool)
    return softmax(np.where(causal if mask is None else causal & mask, scores, -1e9))


def causal_beside_a_mask(scores, root, mask):
    return usual(scores, root, None if mask is None else np.tri(*scores.shape, dtype=bool) & mask)


def causal_beside_a_mask_and_filled(scores, root, mask):
    return softmax(scores) if mask is None else causal_and_filled(scores, root, mask)


def own_mask_of_the_target(scores, root, mask):
    return masked_softmax(scores, np.ones(len(scores), dtype=bool) if mask is None else mask)


WRONG = [
    (wrong_keys_far_below, "keys-filled"),
    (divided_with_a_mask_only, "no-scale-unmasked"),
    (weights_masked_by_another_softmax, "softmax-twice-masked"),
    (softmax_of_a_softmax, "softmax-twice"),
    (wrong_way_round, "swapped-sequences"),
    (wrong_self_attention_on_the_source, "queries-from-source"),
    (wrong_mask_as_a_column, "mask-on-queries"),
    (wrong_mask_as_a_column_with_the_library, "mask-blanks-queries"),
    (wrong_true_means_masked, "mask-inverted"),
    (wrong_no_scale, "no-scale"),
    (wrong_pair, "swapped-results"),
    (wrong_values_are_the_source_itself, None),
    (wrong_matrices_exchanged, "projections-swapped"),
    (wrong_source_without_masked_rows, "mask-drops-rows"),
    (wrong_truth_of_a_mask, "array-truth"),
    (wrong_renormalised, "renormalised"),
    (wrong_bare_powers, "no-maximum"),
    (wrong_minus_a_hundred, "hundred-fill"),
    (wrong_zeros_in_columns, "zero-fill"),
    (wrong_mask_with_a_new_axis, "mask-blanks-queries"),
    (wrong_keys_mixed, None),
    (wrong_rounded, None),
    (wrong_width_of_the_source, "by-sqrt-d_source"),
    (wrong_power_of_a_half, "by-twice-d_k"),
    (divided_without_a_mask_only, "no-scale-masked"),
    (a_thousand_off, "small-number-added"),
    (wrong_cross_without_the_mask, "mask-ignored"),
    (wrong_cross_by_the_width_of_the_target, "by-sqrt-d_model"),
    (as_if_still_being_written, "always-causal"),
    (filled_before_the_division, "hundred-fill"),
    (by_scores(usual, mix=True), "scores-mixed"),
    (by_scores(usual, mix=True, fill=-1e9), "scores-mixed-filled"),
    (by_scores(divided_once_more), "scaled-twice-masked"),
    (by_scores(causal_and_filled), "always-causal"),
    (by_scores(causal_beside_a_mask), "causal-and-masked-emptied"),
    (by_scores(causal_beside_a_mask_and_filled), "causal-and-masked"),
    (by_scores(own_mask_of_the_target), "own-mask-of-queries"),
]
