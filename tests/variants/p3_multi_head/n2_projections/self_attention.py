import math

import numpy as np

import attnlib
from attnlib import scaled_dot_product_attention, softmax
from variants.p3_multi_head.n2_projections.shared import three_steps


def through_the_library(X, W_q, W_k, W_v):
    return scaled_dot_product_attention(X @ W_q, X @ W_k, X @ W_v)


def queries_scaled_beforehand(X, W_q, W_k, W_v):
    Q = X @ W_q / math.sqrt(W_q.shape[-1])
    weights = softmax(Q @ (X @ W_k).T)
    return [weights @ (X @ W_v), weights]


def one_bilinear_form(X, W_q, W_k, W_v):
    weights = softmax(X @ (W_q @ W_k.T) @ X.T / W_k.shape[1] ** 0.5)
    return weights @ X @ W_v, weights


def loops(X, W_q, W_k, W_v):
    Q, K, V = X @ W_q, X @ W_k, X @ W_v
    context, weights = [], []
    for q in Q:
        scores = [sum(a * b for a, b in zip(q, k, strict=True)) / math.sqrt(len(q)) for k in K]
        top = max(scores)
        powers = [math.exp(s - top) for s in scores]
        row = [p / sum(powers) for p in powers]
        weights.append(row)
        context.append([sum(w * v[j] for w, v in zip(row, V, strict=True)) for j in range(V.shape[1])])
    return context, weights


def einsum_throughout(X, W_q, W_k, W_v):
    scores = np.einsum("nd,dk,me,ek->nm", X, W_q, X, W_k) / np.sqrt(W_q.shape[1])
    weights = softmax(scores)
    return np.einsum("nm,md,dv->nv", weights, X, W_v), weights


def half_the_digits(X, W_q, W_k, W_v, scale=None):
    X, W_q, W_k, W_v = (np.asarray(a, dtype=np.float32) for a in (X, W_q, W_k, W_v))
    scale = np.float32(W_q.shape[1] ** -0.5) if scale is None else scale
    scores = (X @ W_q) @ (X @ W_k).T * scale
    powers = np.exp(scores - scores.max(axis=1, keepdims=True))
    weights = powers / powers.sum(axis=1, keepdims=True)
    return weights @ (X @ W_v), weights


VARIANTS = [
    through_the_library,
    three_steps,
    queries_scaled_beforehand,
    one_bilinear_form,
    loops,
    einsum_throughout,
    half_the_digits,
]


def part_one_attention(X, W_q, W_k, W_v):
    weights = softmax(X @ W_q @ (X @ W_k).T)
    return weights @ (X @ W_v), weights


def scaled_by_the_embedding(X, W_q, W_k, W_v):
    weights = softmax(X @ W_q @ (X @ W_k).T / np.sqrt(X.shape[1]))
    return weights @ (X @ W_v), weights


def scaled_by_the_visible_example(X, W_q, W_k, W_v):
    weights = softmax(X @ W_q @ (X @ W_k).T / np.sqrt(2))
    return weights @ (X @ W_v), weights


def half_of_d_k(X, W_q, W_k, W_v):
    weights = softmax(X @ W_q @ (X @ W_k).T / (W_q.shape[1] / 2))
    return weights @ (X @ W_v), weights


def the_root_of_the_tokens(X, W_q, W_k, W_v):
    weights = softmax(X @ W_q @ (X @ W_k).T / np.sqrt(len(X)))
    return weights @ (X @ W_v), weights


def the_other_way_round(X, W_q, W_k, W_v):
    context, weights = three_steps(X, W_q, W_k, W_v)
    return weights, context


def context_alone(X, W_q, W_k, W_v):
    return three_steps(X, W_q, W_k, W_v)[0]


def operator_precedence(X, W_q, W_k, W_v):
    Q, K, V = X @ W_q, X @ W_k, X @ W_v
    weights = softmax(Q @ K.T) / np.sqrt(K.shape[-1])
    return weights @ V, weights


def keys_ask(X, W_q, W_k, W_v):
    Q, K, V = X @ W_q, X @ W_k, X @ W_v
    weights = softmax(K @ Q.T / np.sqrt(K.shape[-1]))
    return weights @ V, weights


def bare_powers(X, W_q, W_k, W_v):
    powers = np.exp(X @ W_q @ (X @ W_k).T / np.sqrt(W_q.shape[1]))
    weights = powers / powers.sum(axis=-1, keepdims=True)
    return weights @ (X @ W_v), weights


def power_of_a_half(X, W_q, W_k, W_v):
    weights = softmax(X @ W_q @ (X @ W_k).T / W_q.shape[1] ** 1 / 2)
    return weights @ (X @ W_v), weights


def power_of_a_half_in_parentheses(X, W_q, W_k, W_v):
    weights = softmax(X @ W_q @ (X @ W_k).T / (W_q.shape[1] ** 1 / 2))
    return weights @ (X @ W_v), weights


def sum_of_everything(X, W_q, W_k, W_v):
    scores = X @ W_q @ (X @ W_k).T / np.sqrt(W_q.shape[1])
    powers = np.exp(scores - scores.max(axis=-1, keepdims=True))
    weights = powers / powers.sum()
    return weights @ (X @ W_v), weights


def unpacked_nowhere(X, W_q, W_k, W_v):
    context = three_steps(X, W_q, W_k, W_v)
    return context, context[1]


def columns_by_one_maximum(X, W_q, W_k, W_v):
    scores = X @ W_q @ (X @ W_k).T / np.sqrt(W_q.shape[1])
    powers = np.exp(scores - scores.max())
    weights = powers / powers.sum(axis=0)
    return weights @ (X @ W_v), weights


def clips_the_scores(X, W_q, W_k, W_v):
    Q, K, V = attnlib.project_qkv(X, W_q, W_k, W_v)
    scores = np.clip(Q @ K.T / np.sqrt(Q.shape[1]), -50, 50)
    weights = softmax(scores)
    return weights @ V, weights


def wrong_attention_of_embeddings(X, W_q, W_k, W_v):
    _, _, V = attnlib.project_qkv(X, W_q, W_k, W_v)
    return scaled_dot_product_attention(X, X, V)


def without_a_softmax(X, W_q, W_k, W_v):
    Q, K, V = X @ W_q, X @ W_k, X @ W_v
    scores = Q @ K.T / np.sqrt(K.shape[-1])
    return scores @ V, scores


def softmax_for_the_return_only(X, W_q, W_k, W_v):
    Q, K, V = X @ W_q, X @ W_k, X @ W_v
    scores = Q @ K.T / np.sqrt(K.shape[-1])
    return scores @ V, softmax(scores)


def with_a_residual_path(X, W_q, W_k, W_v):
    context, weights = three_steps(X, W_q, W_k, W_v)
    return context + X @ W_v, weights


def as_if_writing(X, W_q, W_k, W_v):
    scores = X @ W_q @ (X @ W_k).T / np.sqrt(W_q.shape[1])
    weights = softmax(np.where(np.tri(len(X), dtype=bool), scores, -np.inf))
    return weights @ (X @ W_v), weights


def weighed(weigh):
    """Self-attention whose weights are made of queries and keys in another way."""

    def attention(X, W_q, W_k, W_v):
        weights = weigh(X @ W_q, X @ W_k)
        return weights @ (X @ W_v), weights

    return attention


def mixed(mix):
    """Self-attention whose contexts are made of weights and values in another way."""

    def attention(X, W_q, W_k, W_v):
        weights = softmax(X @ W_q @ (X @ W_k).T / math.sqrt(W_k.shape[1]))
        return mix(weights, X @ W_v), weights

    return attention


def overwritten(weights, V):
    context = np.zeros(V.shape)
    for i in range(len(V)):
        for j in range(len(V)):
            context[i] = weights[i, j] * V[j]
    return context


def of_the_one_who_asks(weights, V):
    context = np.zeros(V.shape)
    for i in range(len(V)):
        for j in range(len(V)):
            context[i] += weights[i, j] * V[i]
    return context


def one_array(weights, V):
    contexts, context = [], np.zeros(V.shape[1])
    for row in weights:
        for weight, value in zip(row, V, strict=True):
            context += weight * value
        contexts.append(context)
    return np.array(contexts)


def not_itself(Q, K):
    scores = Q @ K.T / np.sqrt(K.shape[1])
    np.fill_diagonal(scores, -1e9)
    return softmax(scores)


def bells(Q, K):
    return softmax(-((Q[:, None] - K) ** 2).sum(axis=-1) / np.sqrt(K.shape[1]))


def bells_of_part_2(Q, K):
    return softmax(-((Q[:, None] - K) ** 2).sum(axis=-1) / 2)


WRONG = [
    (without_a_softmax, "raw-scores"),
    (softmax_for_the_return_only, "scores-mixed"),
    (with_a_residual_path, "values-added"),
    (as_if_writing, "always-causal"),
    (unpacked_nowhere, "pair-in-pair"),
    (columns_by_one_maximum, "columns"),
    (part_one_attention, "no-scale"),
    (scaled_by_the_embedding, "by-sqrt-d_model"),
    (scaled_by_the_visible_example, "by-sqrt-2"),
    (bare_powers, "no-maximum"),
    (power_of_a_half, "by-twice-d_k"),
    (power_of_a_half_in_parentheses, "by-half-d_k"),
    (sum_of_everything, "sum-of-all"),
    (half_of_d_k, "by-half-d_k"),
    (the_root_of_the_tokens, "by-sqrt-keys"),
    (the_other_way_round, "swapped-results"),
    (context_alone, "first-result-only"),
    (operator_precedence, "scaled-weights"),
    (keys_ask, "keys-ask"),
    (clips_the_scores, "clipped"),
    (wrong_attention_of_embeddings, "embeddings-attend"),
    (weighed(not_itself), "diagonal-masked"),
    (weighed(bells), "distance"),
    (weighed(lambda Q, K: softmax(Q @ K.T // np.sqrt(K.shape[1]))), "floored"),
    (weighed(lambda Q, K: softmax(Q @ K.T / int(np.sqrt(K.shape[1])))), "by-whole-root"),
    (weighed(lambda Q, K: softmax(Q @ K.T / np.sqrt(2 * K.shape[1]))), "by-sqrt-twice-d_k"),
    (mixed(overwritten), "last-term"),
    (mixed(of_the_one_who_asks), "own-value"),
    (mixed(one_array), "one-sum-for-all"),
    (weighed(bells_of_part_2), "distance-halved"),
]
