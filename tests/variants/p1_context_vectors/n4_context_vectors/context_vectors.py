import numpy as np

from attnlib import softmax
from variants.p1_context_vectors.n4_context_vectors.shared import plain_python_loops, with_library_stages


def three_lines(Q, K, V):
    scores = Q @ K.T
    weights = softmax(scores)
    return weights @ V


def one_query_at_a_time(Q, K, V):
    return np.array([with_library_stages(q, K, V) for q in Q])


def lists_of_lists(Q, K, V):
    return [plain_python_loops(q, K, V) for q in Q]


def einsum_throughout(Q, K, V):
    return np.einsum("qk,kv->qv", softmax(np.einsum("qd,kd->qk", Q, K)), V)


def half_the_digits(Q, K, V):
    Q, K, V = (a.astype("float32") for a in (Q, K, V))
    return softmax(np.matmul(Q, np.transpose(K))) @ V


def divided_at_the_end(queries, keys, values, /, *, shift=True):
    scores = np.inner(queries, keys)
    powers = np.exp(scores - scores.max(axis=1, keepdims=True) * shift)
    return powers @ values / powers.sum(axis=1)[:, None]


def broadcast_and_sum(Q, K, V, scale=1.0):
    scores = scale * (Q[:, None, :] * K[None, :, :]).sum(axis=-1)
    return (softmax(scores)[:, :, None] * V).sum(axis=1)


def keys_as_columns(Q, K, V):
    scores = (K @ Q.T).T
    return (V.T @ softmax(scores).T).T


def filled_in_place(Q, K, V):
    context = np.zeros((len(Q), V.shape[1]))
    for i in range(len(Q)):
        weights = softmax(K @ Q[i])
        for j in range(len(K)):
            context[i] += weights[j] * V[j]
    return context


VARIANTS = [
    three_lines,
    one_query_at_a_time,
    lists_of_lists,
    einsum_throughout,
    half_the_digits,
    divided_at_the_end,
    broadcast_and_sum,
    keys_as_columns,
    filled_in_place,
]


def softmax_down_the_columns(Q, K, V):
    e = np.exp(Q @ K.T)
    e = e / e.sum(axis=0)
    return e @ V


def weights_on_their_side(Q, K, V):
    return softmax(Q @ K.T).T @ V


def keys_first(Q, K, V):
    return softmax(K @ Q.T) @ V


def compares_with_values(Q, K, V):
    return softmax(Q @ V.T) @ V


def self_attention_habit(Q, K, V):
    return softmax(Q @ K.T) @ Q


def returns_too_soon(Q, K, V):
    contexts = []
    for q in Q:
        contexts.append(softmax(K @ q) @ V)
        return contexts[0]
    return contexts


def returns_a_list_too_soon(Q, K, V):
    contexts = []
    for q in Q:
        contexts.append(softmax(K @ q) @ V)
        return np.array(contexts)
    return contexts


def asks_the_first_again_and_again(Q, K, V):
    return np.array([softmax(K @ Q[0]) @ V for _ in Q])


def lays_them_end_to_end(Q, K, V):
    return np.concatenate([softmax(K @ q) @ V for q in Q])


def takes_the_mean_over_the_keys(Q, K, V):
    return (softmax(Q @ K.T)[:, :, None] * V).mean(axis=1)


def softmax_of_the_result(Q, K, V):
    return softmax(softmax(Q @ K.T) @ V)


def softmax_after_the_mix(Q, K, V):
    return softmax(Q @ K.T @ V)


def shifts_by_the_row_mean(Q, K, V):
    scores = Q @ K.T
    powers = np.exp(scores - scores.mean(axis=1, keepdims=True))
    return powers / powers.sum(axis=1, keepdims=True) @ V


def shifts_by_the_row_minimum(Q, K, V):
    scores = Q @ K.T
    powers = np.exp(scores - scores.min(axis=1, keepdims=True))
    return powers / powers.sum(axis=1, keepdims=True) @ V


def shifts_by_one_maximum(Q, K, V):
    scores = Q @ K.T
    powers = np.exp(scores - np.max(scores))
    return powers / powers.sum(axis=1, keepdims=True) @ V


def shifts_by_nothing(Q, K, V):
    powers = np.exp(Q @ K.T)
    return powers / powers.sum(axis=1, keepdims=True) @ V


def transposed_at_the_end(Q, K, V):
    return (softmax(Q @ K.T) @ V).T


def two_at_once(Q, K, V):
    return softmax(Q @ K.T / np.sqrt(K.shape[1])) @ K


def values_first(Q, K, V):
    return V.T @ softmax(Q @ K.T)


def turned_twice(Q, K, V):
    return softmax(K @ Q.T).T @ V


def one_query_s_formula(Q, K, V):
    return softmax(K @ Q) @ V


def room_like_the_values(Q, K, V):
    contexts = np.zeros(V.shape)
    for i in range(len(Q)):
        contexts[i] = softmax(K @ Q[i]) @ V
    return contexts


def queries_only(Q, K, V):
    return softmax(Q @ Q.T) @ V


def values_times_weights(Q, K, V):
    return V @ softmax(Q @ K.T)


def cuts_the_scores_off(Q, K, V):
    return softmax(np.clip(Q @ K.T, -100, 100)) @ V


def softmax_of_softmax(Q, K, V):
    A = softmax(softmax(Q @ K.T))
    return A @ V


def never_divided(Q, K, V):
    scores = Q @ K.T
    return np.exp(scores - scores.max(axis=1, keepdims=True)) @ V


def root_of_the_values(Q, K, V):
    return softmax(Q @ K.T / np.sqrt(V.shape[1])) @ V


def sees_no_later_key(Q, K, V):
    scores = Q @ K.T
    return softmax(np.where(np.tril(np.ones(scores.shape)) == 1, scores, -1e30)) @ V


def sees_all_but_itself(Q, K, V):
    scores = (Q @ K.T).astype(float)
    np.fill_diagonal(scores, -np.inf)
    return softmax(scores) @ V


def array_like_the_values(Q, K, V):
    contexts = np.zeros((len(Q), V.shape[1]), V.dtype)
    for i, q in enumerate(Q):
        contexts[i] = softmax(K @ q) @ V
    return contexts


def weights_of(scores):
    powers = np.exp(scores - scores.max(axis=-1, keepdims=True))
    return powers / powers.sum(axis=-1, keepdims=True)


def scored_by_distance(Q, K, V):
    return weights_of(-((Q[:, None] - K) ** 2).sum(-1)) @ V


def scored_by_half_the_distance(Q, K, V):
    return weights_of(-((Q[:, None] - K) ** 2).sum(-1) / 2) @ V


def the_farthest_first(Q, K, V):
    return weights_of(((Q[:, None] - K) ** 2).sum(-1)) @ V


def overwrites_in_the_loop(Q, K, V):
    A, C = weights_of(Q @ K.T), np.zeros((len(Q), V.shape[1]))
    for i in range(len(Q)):
        for j in range(len(K)):
            C[i] = A[i, j] * V[j]
    return C


def takes_the_value_of_the_query(Q, K, V):
    A, C = weights_of(Q @ K.T), np.zeros((len(Q), V.shape[1]))
    for i in range(len(Q)):
        for j in range(len(K)):
            C[i] += A[i, j] * V[i]
    return C


def weights_of_queries(Q, K, V):
    return weights_of(Q) @ K.T @ V


def not_its_own(Q, K, V):
    A, C = weights_of(Q @ K.T), np.zeros((len(Q), V.shape[1]))
    for i in range(len(Q)):
        for j in range(len(K)):
            if i != j:
                C[i] += A[i, j] * V[j]
    return C


def looks_up_the_worst(Q, K, V):
    return V[(Q @ K.T).argmin(axis=1)]


def rounds_the_weights(Q, K, V):
    return weights_of(Q @ K.T).round(2) @ V


def positive_scores_only(Q, K, V):
    scores = np.maximum(Q @ K.T, 0)
    return scores / scores.sum(axis=1, keepdims=True) @ V


def half_a_cosine(Q, K, V):
    return softmax(Q @ (K / np.linalg.norm(K, axis=1, keepdims=True)).T) @ V


def without_small_weights(Q, K, V):
    weights = softmax(Q @ K.T)
    weights[weights < 0.01] = 0
    return weights @ V


WRONG = [
    (positive_scores_only, "negative-as-zero"),
    (half_a_cosine, "keys-of-length-one"),
    (without_small_weights, "small-weights-cut"),
    (rounds_the_weights, "weights-rounded"),
    (scored_by_distance, "distance"),
    (scored_by_half_the_distance, "half-distance"),
    (the_farthest_first, "distance-as-score"),
    (overwrites_in_the_loop, "last-term"),
    (takes_the_value_of_the_query, "value-by-query"),
    (weights_of_queries, "softmax-on-queries"),
    (not_its_own, "own-weight-left-out"),
    (looks_up_the_worst, "worst-only"),
    (never_divided, "powers-not-divided"),
    (root_of_the_values, "by-sqrt-d_v"),
    (sees_no_later_key, "causal"),
    (sees_all_but_itself, "own-key-left-out"),
    (array_like_the_values, "whole-numbers"),
    (cuts_the_scores_off, "clipped"),
    (queries_only, "queries-with-queries"),
    (values_times_weights, "values-first"),
    (softmax_down_the_columns, "columns"),
    (turned_twice, "columns"),
    (one_query_s_formula, "one-query-formula"),
    (room_like_the_values, "shaped-like-values"),
    (weights_on_their_side, "weights-transposed"),
    (keys_first, "keys-ask"),
    (compares_with_values, "values-scored"),
    (self_attention_habit, "queries-mixed"),
    (returns_too_soon, "result-first-row-only"),
    (returns_a_list_too_soon, "result-one-row-left"),
    (asks_the_first_again_and_again, "first-query-repeated"),
    (lays_them_end_to_end, "result-flattened"),
    (takes_the_mean_over_the_keys, "averaged-again"),
    (softmax_of_the_result, "softmax-again"),
    (softmax_after_the_mix, "softmax-late"),
    (shifts_by_the_row_mean, "other-shift"),
    (shifts_by_the_row_minimum, "other-shift"),
    (shifts_by_one_maximum, "global-maximum"),
    (shifts_by_nothing, "no-maximum"),
    (transposed_at_the_end, "transposed-result"),
    (two_at_once, "scaled"),
    (values_first, None),
    (softmax_of_softmax, "softmax-twice"),
]
