import math

import numpy as np

import attnlib


def attention_plain(Q, K, V):
    weights = attnlib.softmax(Q @ K.T / np.sqrt(Q.shape[1]))
    return weights @ V, weights


def attention_scales_queries(Q, K, V):
    weights = attnlib.softmax(attnlib.dot_scores(Q / K.shape[-1] ** 0.5, K))
    return [weights @ V, weights]


def attention_scales_both(Q, K, V):
    root = Q.shape[-1] ** 0.25
    weights = attnlib.softmax((Q / root) @ (K / root).T)
    return np.matmul(weights, V), weights


def attention_as_temperature(Q, K, V):
    weights = attnlib.softmax_with_temperature(np.einsum("qd,kd->qk", Q, K), math.sqrt(len(Q[0])))
    return np.einsum("qk,kv->qv", weights, V), weights


def attention_by_loops(Q, K, V, mask=None):
    context, weights = [], []
    for q in Q:
        scores = [sum(a * b for a, b in zip(q, k, strict=True)) / math.sqrt(len(q)) for k in K]
        powers = [math.exp(s - max(scores)) for s in scores]
        row = [power / sum(powers) for power in powers]
        weights.append(row)
        context.append([sum(w * v[j] for w, v in zip(row, V, strict=True)) for j in range(len(V[0]))])
    return context, weights


def attention_float32(Q, K, V):
    Q, K, V = (array.astype(np.float32) for array in (Q, K, V))
    weights = attnlib.softmax(Q @ K.T / np.float32(np.sqrt(Q.shape[-1])))
    return weights @ V, weights


def attention_not_scaled(Q, K, V):
    weights = attnlib.softmax(Q @ K.T)
    return weights @ V, weights


def attention_divided_by_d(Q, K, V):
    weights = attnlib.softmax(Q @ K.T / Q.shape[-1])
    return weights @ V, weights


def attention_length_of_keys(Q, K, V):
    weights = attnlib.softmax(Q @ K.T / np.sqrt(len(K)))
    return weights @ V, weights


def attention_length_of_queries(Q, K, V):
    weights = attnlib.softmax(Q @ K.T / np.sqrt(Q.shape[0]))
    return weights @ V, weights


def attention_width_of_values(Q, K, V):
    weights = attnlib.softmax(Q @ K.T / np.sqrt(V.shape[-1]))
    return weights @ V, weights


d_k = 2048


def attention_outer_d(Q, K, V):
    weights = attnlib.softmax(Q @ K.T / np.sqrt(d_k))
    return weights @ V, weights


def attention_weights_first(Q, K, V):
    context, weights = attention_plain(Q, K, V)
    return weights, context


def attention_context_only(Q, K, V):
    return attention_plain(Q, K, V)[0]


def attention_own_softmax(Q, K, V):
    powers = np.exp(Q @ K.T / np.sqrt(Q.shape[-1]))
    weights = powers / powers.sum(axis=-1, keepdims=True)
    return weights @ V, weights


def attention_scaled_afterwards(Q, K, V):
    weights = attnlib.softmax(Q @ K.T) / np.sqrt(Q.shape[-1])
    return weights @ V, weights


def attention_prints(Q, K, V):
    print(*attention_plain(Q, K, V))


def attention_half(Q, K, V):
    weights = attnlib.softmax(Q @ K.T / (Q.shape[-1] / 2))
    return weights @ V, weights


def attention_power_of_a_half(Q, K, V):
    weights = attnlib.softmax(Q @ K.T / Q.shape[-1] ** 1 / 2)
    return weights @ V, weights


def attention_whole_matrix(Q, K, V):
    scores = Q @ K.T / np.sqrt(Q.shape[-1])
    powers = np.exp(scores - scores.max())
    weights = powers / powers.sum()
    return weights @ V, weights


def attention_sum_of_everything(Q, K, V):
    scores = Q @ K.T / np.sqrt(Q.shape[-1])
    powers = np.exp(scores - scores.max(axis=-1, keepdims=True))
    weights = powers / np.sum(powers)
    return weights @ V, weights


def attention_global_maximum(Q, K, V):
    scores = Q @ K.T / np.sqrt(Q.shape[-1])
    powers = np.exp(scores - np.max(scores))
    weights = powers / powers.sum(axis=-1, keepdims=True)
    return weights @ V, weights


def attention_keys_mixed(Q, K, V):
    _, weights = attention_plain(Q, K, V)
    return weights @ K, weights


def attention_rounded(Q, K, V):
    context, weights = attention_plain(Q, K, V)
    return context.round(4), weights.round(4)


def attention_no_transpose(Q, K, V):
    weights = attnlib.softmax(np.dot(Q, K) / np.sqrt(Q.shape[-1]))
    return weights @ V, weights


def attention_scores_in_float32(Q, K, V):
    weights = attnlib.softmax((Q @ K.T / np.sqrt(Q.shape[-1])).astype(np.float32))
    return weights @ V, weights


def attention_all_in_float32(Q, K, V):
    Q, K, V = (a.astype(np.float32) for a in (Q, K, V))
    weights = attnlib.softmax(Q @ K.T / np.sqrt(np.float32(Q.shape[-1])))
    return weights @ V, weights


VARIANTS = [
    attention_scores_in_float32,
    attention_all_in_float32,
    attention_plain,
    attention_scales_queries,
    attention_scales_both,
    attention_as_temperature,
    attention_by_loops,
    attention_float32,
]


def of_one_width(width):
    """Attention for which each vector is this wide."""

    def attention(Q, K, V):
        weights = attnlib.softmax(Q @ K.T / np.sqrt(width))
        return weights @ V, weights

    attention.__name__ = f"attention_always_{width}"
    return attention


def attention_other_weights_returned(Q, K, V):
    scores = Q @ K.T
    return attnlib.softmax(scores / np.sqrt(Q.shape[-1])) @ V, attnlib.softmax(scores)


def attention_of(weigh):
    """Attention whose weights come from the products of queries and keys, and the width, in another way."""

    def attention(Q, K, V):
        weights = weigh(Q @ K.T, Q.shape[-1])
        return weights @ V, weights

    return attention


def attention_by_angles(Q, K, V):
    angles = attnlib.unit_rows(Q) @ attnlib.unit_rows(K).T
    weights = attnlib.softmax(angles / np.sqrt(Q.shape[-1]))
    return weights @ V, weights


def attention_of_the_best(Q, K, V):
    weights = np.eye(len(K))[(Q @ K.T / np.sqrt(Q.shape[-1])).argmax(axis=-1)]
    return weights @ V, weights


WRONG = [
    (attention_other_weights_returned, "no-scale"),
    (of_one_width(512), "always-512"),
    (of_one_width(64), "always-64"),
    (of_one_width(2), "always-2"),
    (attention_not_scaled, "no-scale"),
    (attention_divided_by_d, "by-d_k"),
    (attention_length_of_keys, "by-sqrt-keys"),
    (attention_length_of_queries, "by-sqrt-queries"),
    (attention_width_of_values, "by-sqrt-d_v"),
    (attention_outer_d, "left-over-d"),
    (attention_weights_first, "swapped-results"),
    (attention_context_only, "first-result-only"),
    (attention_own_softmax, "no-maximum"),
    (attention_scaled_afterwards, "scaled-weights"),
    (attention_prints, "prints-result"),
    (attention_half, "by-half-d_k"),
    (attention_power_of_a_half, "by-twice-d_k"),
    (attention_whole_matrix, "whole-matrix"),
    (attention_sum_of_everything, "sum-of-all"),
    (attention_global_maximum, "global-maximum"),
    (attention_keys_mixed, None),
    (attention_rounded, None),
    (attention_no_transpose, None),
    (attention_of(lambda S, d: attnlib.softmax(S / np.sqrt(2 * d))), "by-sqrt-twice-d_k"),
    (attention_of(lambda S, d: attnlib.softmax(S / int(np.sqrt(d)))), "by-whole-root"),
    (attention_of(lambda S, d: attnlib.softmax(S // np.sqrt(d))), "floored"),
    (attention_of(lambda S, d: attnlib.softmax(S / S.std(axis=1, keepdims=True))), "row-deviation"),
    (attention_of(lambda S, d: attnlib.softmax(np.clip(S / np.sqrt(d), -50, 50))), "clipped"),
    (attention_by_angles, "cosine"),
    (attention_of_the_best, "best-only"),
]
