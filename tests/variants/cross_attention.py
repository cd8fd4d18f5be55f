"""Answers to the exercises of notebook 4-cross-attention, as learners write them."""

import math

import numpy as np

from attnlib import cross_attention, masked_softmax, scaled_dot_product_attention, softmax


def by_hand(scores):
    e = np.exp(scores - scores.max(axis=-1, keepdims=True))
    return e / e.sum(axis=-1, keepdims=True)


# ---------------------------------------------------------------- cross_attention


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
        powers = []
        for j, y in enumerate(X_source):
            allowed = source_mask is None or source_mask[j]
            powers.append(math.exp(q @ (y @ W_k) / math.sqrt(len(q))) if allowed else 0.0)
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


def cross_renormalised(X_target, X_source, W_q, W_k, W_v, source_mask=None):
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


# ---------------------------------------------------------------- additive_scores


def additive_by_broadcasting(Q, K, W_1, W_2, v):
    return np.tanh((Q @ W_1)[:, None] + (K @ W_2)[None]) @ v


def additive_by_two_loops(Q, K, W_1, W_2, v):
    scores = np.zeros((len(Q), len(K)))
    for i in range(len(Q)):
        for j in range(len(K)):
            scores[i, j] = v @ np.tanh(Q[i] @ W_1 + K[j] @ W_2)
    return scores


def additive_as_a_list(Q, K, W_1, W_2, v):
    return [[float(np.dot(v, np.tanh(q @ W_1 + k @ W_2))) for k in K] for q in Q]


def additive_by_einsum(Q, K, W_1, W_2, v):
    hidden = np.einsum("ia,ah->ih", Q, W_1)[:, np.newaxis, :] + np.einsum("ja,ah->jh", K, W_2)
    return np.einsum("ijh,h->ij", np.tanh(hidden), v)


def additive_float32(Q, K, W_1, W_2, v):
    return additive_by_broadcasting(*(array.astype("float32") for array in (Q, K, W_1, W_2, v)))


def additive_by_one_matrix(Q, K, W_1, W_2, v, bias=0.0):
    n, m = len(Q), len(K)
    pairs = np.hstack([np.repeat(Q, m, axis=0), np.tile(K, (n, 1))])  # (n * m, d_q + d_k)
    return (np.tanh(pairs @ np.vstack([W_1, W_2]) + bias) @ v).reshape(n, m)


def additive_by_exponentials(Q, K, W_1, W_2, v):
    z = (Q @ W_1)[:, None, :] + (K @ W_2)[None, :, :]
    return ((2 / (1 + np.exp(-2 * z)) - 1) * v).sum(axis=2)


def wrong_without_tanh(Q, K, W_1, W_2, v):
    return ((Q @ W_1)[:, None] + (K @ W_2)[None]) @ v


def wrong_keys_in_the_rows(Q, K, W_1, W_2, v):
    return np.tanh((K @ W_2)[:, None] + (Q @ W_1)[None]) @ v


def wrong_row_by_row(Q, K, W_1, W_2, v):
    return np.tanh(Q @ W_1 + K @ W_2) @ v


def wrong_with_softmax(Q, K, W_1, W_2, v):
    return softmax(additive_by_broadcasting(Q, K, W_1, W_2, v))


VARIANTS = {
    "cross_attention": [
        cross_from_earlier_functions,
        cross_with_minus_infinity,
        cross_with_a_billion,
        cross_additive_mask,
        cross_by_loops,
        cross_leaves_masked_tokens_out,
        cross_float32,
        cross_as_lists,
        cross_renormalised,
    ],
    "additive_scores": [
        additive_by_broadcasting,
        additive_by_two_loops,
        additive_as_a_list,
        additive_by_einsum,
        additive_float32,
        additive_by_one_matrix,
        additive_by_exponentials,
    ],
}

WRONG = {
    "cross_attention": [
        (wrong_way_round, "swapped-sequences"),
        (wrong_self_attention_on_the_source, "queries-from-source"),
        (wrong_mask_as_a_column, "mask-on-queries"),
        (wrong_mask_as_a_column_with_the_library, "mask-blanks-queries"),
        (wrong_true_means_masked, "mask-inverted"),
        (wrong_no_scale, "no-scale"),
        (wrong_pair, "swapped-results"),
        (wrong_values_are_the_source_itself, None),
        (wrong_matrices_exchanged, "matrices-swapped"),
        (wrong_source_without_masked_rows, "mask-drops-rows"),
        (wrong_truth_of_a_mask, "array-truth"),
    ],
    "additive_scores": [
        (wrong_without_tanh, "no-tanh"),
        (wrong_keys_in_the_rows, "transposed-result"),
        (wrong_row_by_row, "one-to-one"),
        (wrong_with_softmax, "softmaxed"),
    ],
    "read-alignment": [({"car": "automobile", "struck": "hit", "stone": "rock", "street": "road"}, None)],
    "encoder-decoder": [
        (
            {"queries": "decoder", "keys": "encoder", "values": "encoder", "weights": (5, 7), "context": (5, 3)},
            "width-of-keys",
        ),
    ],
}


# ---------------------------------------------------------------- numbers in the prose

_Q = np.array([[0.0, 1.5], [1.5, 0.0]])
_K = np.array([[0.0, 0.0], [2.0, 0.0], [0.0, 2.0]])
_V = np.array([[1.0, 0.0], [0.0, 2.0], [4.0, 4.0]])
_CONTEXT, _WEIGHTS = scaled_dot_product_attention(_Q, _K, _V)


def table_row(word, j):
    score = _Q[0] @ _K[j]
    scaled = score / math.sqrt(2)
    return f"| {word} | {score:.2f} | {scaled:.2f} | {math.exp(scaled):.2f} | {_WEIGHTS[0, j]:.3f} |"


def masked_example():
    identity = np.eye(2)
    mask = np.array([True, True, False])
    weights = cross_attention([[2, 0]], [[1, 0], [0, 1], [5, 5]], identity, identity, identity, mask)[1]
    return f"[[{weights[0, 0]:.4f}, {weights[0, 1]:.4f}, {weights[0, 2]}]]"


NUMBERS = [
    ("| the | 0.00 | 0.00 | 1.00 | 0.097 |", lambda: table_row("the", 0)),
    ("| black | 0.00 | 0.00 | 1.00 | 0.097 |", lambda: table_row("black", 1)),
    ("| cat | 3.00 | 2.12 | 8.34 | 0.807 |", lambda: table_row("cat", 2)),
    ("[3.323, 3.420]", lambda: f"[{_CONTEXT[0, 0]:.3f}, {_CONTEXT[0, 1]:.3f}]"),
    ("[[0.8044, 0.1956, 0.0]]", masked_example),
    ("2 · tanh(1 + 0) = 1.5232", lambda: f"2 · tanh(1 + 0) = {2 * math.tanh(1):.4f}"),
    ("2 · tanh(1 + 1) = 1.9281", lambda: f"2 · tanh(1 + 1) = {2 * math.tanh(2):.4f}"),
]
