import numpy as np

import attnlib


def attention_with_where(Q, K, V, kernel):
    similarity = kernel(Q, K)
    total = similarity.sum(axis=1, keepdims=True)
    return similarity / np.where(total == 0, 1, total) @ V


def attention_by_loop(Q, K, V, kernel):
    context = np.zeros((len(Q), V.shape[1]))
    for i, row in enumerate(kernel(Q, K)):
        if row.sum() > 0:
            context[i] = sum(w * v for w, v in zip(row, V, strict=True)) / row.sum()
    return context


def attention_with_nan_to_num(Q, K, V, kernel):
    similarity = kernel(Q, K)
    with np.errstate(invalid="ignore"):
        return np.nan_to_num(similarity / similarity.sum(axis=-1, keepdims=True)) @ V


def attention_with_tiny_number(Q, K, V, kernel, epsilon=1e-300):
    similarity = kernel(Q, K)
    return (similarity @ V) / (similarity.sum(axis=-1, keepdims=True) + epsilon)


def attention_by_einsum_as_list(Q, K, V, kernel):
    similarity = np.asarray(kernel(Q, K))
    total = np.einsum("qk->q", similarity.astype(float))
    total[total == 0] = 1
    return np.einsum("qk,kv,q->qv", similarity, V, 1 / total).tolist()


def attention_float32(Q, K, V, kernel):
    similarity = np.float32(kernel(Q, K))
    return similarity @ np.float32(V) / np.maximum(similarity.sum(-1, keepdims=True), np.float32(1e-30))


def attention_with_divide(Q, K, V, kernel):
    similarity = kernel(Q, K)
    total = similarity.sum(axis=-1)[:, None]
    return np.divide(similarity, total, out=np.zeros(similarity.shape), where=total > 0) @ V


def attention_without_rule(Q, K, V, kernel):
    similarity = kernel(Q, K)
    return similarity / similarity.sum(axis=-1, keepdims=True) @ V


def attention_sum(Q, K, V, kernel):
    return kernel(Q, K) @ V


def attention_with_softmax(Q, K, V, kernel):
    return attnlib.softmax(kernel(Q, K)) @ V


def attention_ignores_kernel(Q, K, V, kernel):
    return attnlib.softmax(Q @ K.T) @ V


def attention_columns(Q, K, V, kernel):
    similarity = kernel(Q, K)
    total = similarity.sum(axis=0)
    return similarity / np.where(total == 0, 1, total) @ V


def attention_keys_ask(Q, K, V, kernel):
    similarity = kernel(K, Q).T
    total = similarity.sum(axis=-1, keepdims=True)
    return similarity / np.where(total == 0, 1, total) @ V


def attention_weights_only(Q, K, V, kernel):
    similarity = kernel(Q, K)
    total = similarity.sum(axis=-1, keepdims=True)
    return similarity / np.where(total == 0, 1, total)


def attention_mean_of_values(Q, K, V, kernel):
    similarity = kernel(Q, K)
    return similarity @ V / len(K)


def attention_with_threshold(Q, K, V, kernel):
    similarity = kernel(Q, K)
    total = similarity.sum(axis=-1, keepdims=True)
    return np.where(total < 1e-2, 0.0, similarity / np.where(total < 1e-2, 1.0, total)) @ V


def attention_with_small_number(Q, K, V, kernel):
    similarity = kernel(Q, K)
    return similarity / (similarity.sum(axis=-1, keepdims=True) + 1e-9) @ V


def attention_flat_sums(Q, K, V, kernel):
    similarity = kernel(Q, K)
    total = similarity.sum(1)
    return similarity / np.where(total == 0, 1, total) @ V


VARIANTS = [
    attention_with_where,
    attention_by_loop,
    attention_with_nan_to_num,
    attention_with_tiny_number,
    attention_by_einsum_as_list,
    attention_float32,
    attention_with_divide,
]


def attention_gives_up_at_any_zero(Q, K, V, kernel):
    similarity = kernel(Q, K)
    total = similarity.sum(axis=1, keepdims=True)
    context = similarity / np.where(total == 0, 1, total) @ V
    context[(similarity == 0).any(axis=1)] = 0
    return context


def attention_stops_at_nothing(Q, K, V, kernel):
    similarity = kernel(Q, K)
    context = np.zeros((len(Q), V.shape[1]))
    for i, row in enumerate(similarity):
        if row.sum() == 0:
            return context
        context[i] = row @ V / row.sum()
    return context


def attention_row_by_row(Q, K, V, kernel):
    context = []
    for q in Q:
        similarity = kernel(q[None], K)[0]
        context.append(similarity @ V / similarity.sum() if similarity.sum() else np.zeros(V.shape[1]))
    return np.array(context)


def attention_pair_by_pair(Q, K, V, kernel):
    similarity = np.array([[kernel(q[None], k[None])[0, 0] for k in K] for q in Q])
    total = similarity.sum(axis=1, keepdims=True)
    return similarity / np.where(total == 0, 1, total) @ V


def attention_pair_by_vectors(Q, K, V, kernel):
    similarity = np.array([[kernel(q, k) for k in K] for q in Q])
    total = similarity.sum(axis=1, keepdims=True)
    return similarity / np.where(total == 0, 1, total) @ V


def attention_of_those_in_reach(Q, K, V, kernel):
    similarity = kernel(Q, K)
    similarity = similarity[similarity.sum(axis=-1) > 0]
    return similarity / similarity.sum(axis=-1, keepdims=True) @ V


def attention_in_place(Q, K, V, kernel):
    similarity = kernel(Q, K)
    total = similarity.sum(axis=-1, keepdims=True)
    total[total == 0] = 1
    similarity /= total
    return similarity @ V


def attention_with_a_smaller_number(Q, K, V, kernel):
    similarity = kernel(Q, K)
    return similarity / (similarity.sum(axis=-1, keepdims=True) + 1e-12) @ V


def attention_with_a_least_sum(Q, K, V, kernel):
    similarity = kernel(Q, K)
    return similarity / np.maximum(similarity.sum(axis=-1, keepdims=True), 1e-12) @ V


def wrong_attention_by_softmax_of_the_kernel(Q, K, V, kernel):
    return attnlib.softmax(kernel(Q, K)) @ V


def asks_the_kernel_twice(Q, K, V, kernel):
    total = kernel(Q, K).sum(axis=1, keepdims=True)
    return kernel(Q, K) @ V / np.where(total == 0, 1, total)


def zeros_are_ones(Q, K, V, kernel):
    G = kernel(Q, K)
    G = np.where(G == 0, 1, G)
    return G / G.sum(axis=1, keepdims=True) @ V


def a_least_sum(Q, K, V, kernel):
    similarity = kernel(Q, K) * 1.0
    return similarity @ V / np.maximum(similarity.sum(axis=1, keepdims=True), 1e-20)


def softmax_and_zero(Q, K, V, kernel):
    similarity = kernel(Q, K) * 1.0
    weights = attnlib.softmax(similarity)
    weights[similarity.sum(axis=1) == 0] = 0
    return weights @ V


def one_zero_for_a_row(Q, K, V, kernel):
    contexts = []
    for row in kernel(Q, K):
        contexts.append(0 if row.sum() == 0 else row @ V / row.sum())
    return contexts


def one_zero_for_a_row_of_an_array(Q, K, V, kernel):
    return np.array(one_zero_for_a_row(Q, K, V, kernel))


def _divided(table, V):
    total = table.sum(axis=1, keepdims=True)
    return table / np.where(total == 0, 1, total) @ V


def stacks_a_call_for_each_query(Q, K, V, kernel):
    return _divided(np.vstack([kernel(Q[i : i + 1], K) for i in range(len(Q))]).astype(float), V)


def keeps_the_last_context(Q, K, V, kernel):
    contexts, context = [], np.zeros(V.shape[1])
    for row in kernel(Q, K):
        if row.sum() != 0:
            context = row / row.sum() @ V
        contexts.append(context)
    return np.array(contexts)


def weighs_all_within_reach_alike(Q, K, V, kernel):
    return _divided((kernel(Q, K) > 0).astype(float), V)


def divides_by_those_within_reach(Q, K, V, kernel):
    table = kernel(Q, K)
    return table / np.maximum((table > 0).sum(axis=1, keepdims=True), 1) @ V


def makes_whole_numbers_of_it(Q, K, V, kernel):
    return _divided(kernel(Q, K).astype(int), V)


def takes_the_nearest_for_nothing(Q, K, V, kernel):
    table = kernel(Q, K)
    context = _divided(table, V)
    for i in np.flatnonzero(table.sum(axis=1) == 0):
        context[i] = V[((K - Q[i]) ** 2).sum(axis=1).argmin()]
    return context


WRONG = [
    (stacks_a_call_for_each_query, "row-by-row-stacked"),
    (keeps_the_last_context, "last-for-nothing"),
    (weighs_all_within_reach_alike, "reach-only"),
    (divides_by_those_within_reach, "divided-by-reach"),
    (makes_whole_numbers_of_it, "whole-kernel"),
    (takes_the_nearest_for_nothing, "nearest-for-nothing"),
    (asks_the_kernel_twice, "called-again"),
    (zeros_are_ones, "zeros-replaced"),
    (attention_without_rule, "zero-over-zero"),
    (attention_sum, "not-normalised"),
    (attention_with_softmax, "softmax-again"),
    (attention_ignores_kernel, "own-exponential"),
    (attention_columns, "columns"),
    (attention_keys_ask, "keys-ask"),
    (attention_weights_only, "weights-returned"),
    (attention_mean_of_values, "divided-by-count"),
    (attention_with_threshold, "tiny-is-zero"),
    (attention_with_small_number, "tiny-is-zero"),
    (attention_flat_sums, "no-keepdims"),
    (attention_gives_up_at_any_zero, "any-zero"),
    (attention_stops_at_nothing, "stops-at-nothing"),
    (attention_row_by_row, "row-by-row"),
    (attention_pair_by_pair, "pair-by-pair"),
    (attention_pair_by_vectors, "pair-by-vectors"),
    (attention_of_those_in_reach, "rows-dropped"),
    (attention_in_place, "in-place-whole-numbers"),
    (attention_with_a_smaller_number, "tiny-is-zero"),
    (attention_with_a_least_sum, "tiny-is-zero"),
    (wrong_attention_by_softmax_of_the_kernel, "softmax-again"),
    (a_least_sum, "tiny-is-zero"),
    (softmax_and_zero, "softmax-or-zero"),
    (one_zero_for_a_row, "ragged-result"),
    (one_zero_for_a_row_of_an_array, None),
]
