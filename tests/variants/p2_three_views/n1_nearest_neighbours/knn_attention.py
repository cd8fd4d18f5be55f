import math

import numpy as np

from attnlib import context_vectors, cosine_scores, dot_scores, knn_indices, softmax


def indices_then_softmax(Q, K, V, k):
    best = knn_indices(Q, K, k, "dot")
    weights = softmax(np.take_along_axis(Q @ K.T, best, axis=1))
    return (weights[:, :, None] * V[best]).sum(axis=1)


def minus_infinity_elsewhere(Q, K, V, k):
    scores = Q @ K.T
    best = np.argsort(-scores, axis=1, kind="stable")[:, :k]
    cut = np.full_like(scores, -np.inf)
    np.put_along_axis(cut, best, np.take_along_axis(scores, best, axis=1), axis=1)
    return softmax(cut) @ V


def minus_a_billion_elsewhere(Q, K, V, k):
    scores = Q @ K.T
    best = np.argsort(-scores, kind="stable")[:, :k]
    mask = np.zeros(scores.shape)
    mask[np.arange(len(Q))[:, None], best] = 1
    return softmax(scores - 1e9 * (1 - mask)) @ V


def renormalised_afterwards(Q, K, V, k):
    scores = Q @ K.T
    keep = np.zeros(scores.shape, dtype=bool)
    for row, best in zip(keep, knn_indices(Q, K, k, "dot"), strict=True):
        row[best] = True
    weights = softmax(scores) * keep
    return weights / weights.sum(axis=1, keepdims=True) @ V


def one_query_at_a_time(Q, K, V, k):
    context = []
    for q in Q:
        best = sorted(range(len(K)), key=lambda j: -sum(q * K[j]))[:k]
        top = max(sum(q * K[j]) for j in best)
        powers = [math.exp(sum(q * K[j]) - top) for j in best]
        context.append(
            [sum(p * V[j][c] for p, j in zip(powers, best, strict=True)) / sum(powers) for c in range(V.shape[1])]
        )
    return context


def small_attention_for_each_query(Q, K, V, k):
    return np.stack(
        [context_vectors(q[None], K[best], V[best])[0] for q, best in zip(Q, knn_indices(Q, K, k, "dot"), strict=True)]
    )


def einsum_in_single_precision(queries, keys, values, k, temperature=1.0):
    scores = np.einsum("qd,kd->qk", queries, keys).astype("float32") / np.float32(temperature)
    best = np.argsort(-scores, axis=-1, kind="stable")[..., :k]
    weights = softmax(np.take_along_axis(scores, best, axis=-1))
    return np.einsum("qk,qkv->qv", weights, values[best].astype("float32"))


VARIANTS = [
    indices_then_softmax,
    minus_infinity_elsewhere,
    minus_a_billion_elsewhere,
    renormalised_afterwards,
    one_query_at_a_time,
    small_attention_for_each_query,
    einsum_in_single_precision,
]


def plain_knn_average(Q, K, V, k):
    return V[knn_indices(Q, K, k, "dot")].mean(axis=1)


def forgets_to_cut(Q, K, V, k):
    return softmax(Q @ K.T) @ V


def multiplies_by_the_mask(Q, K, V, k):
    scores = Q @ K.T
    mask = np.zeros(scores.shape)
    np.put_along_axis(mask, knn_indices(Q, K, k, "dot"), 1.0, axis=1)
    return softmax(scores * mask) @ V


def cuts_the_weights(Q, K, V, k):
    mask = np.zeros((len(Q), len(K)))
    np.put_along_axis(mask, knn_indices(Q, K, k, "dot"), 1.0, axis=1)
    return (softmax(Q @ K.T) * mask) @ V


def compares_with_the_kth_score(Q, K, V, k):
    scores = Q @ K.T
    lowest = np.sort(scores, axis=1)[:, [-k]]
    return softmax(np.where(scores >= lowest, scores, -np.inf)) @ V


def cuts_by_partition(Q, K, V, k):
    scores = Q @ K.T
    best = np.argpartition(scores, -k, axis=1)[:, -k:]
    weights = softmax(np.take_along_axis(scores, best, axis=1))
    return (weights[:, :, None] * V[best]).sum(axis=1)


def cuts_by_a_plain_sort(Q, K, V, k):
    scores = Q @ K.T
    best = np.argsort(-scores, axis=1)[:, :k]
    weights = softmax(np.take_along_axis(scores, best, axis=1))
    return (weights[:, :, None] * V[best]).sum(axis=1)


def searches_by_distance(Q, K, V, k):
    best = knn_indices(Q, K, k, "euclidean")
    weights = softmax(np.take_along_axis(Q @ K.T, best, axis=1))
    return (weights[:, :, None] * V[best]).sum(axis=1)


def indices_of_the_first_query(Q, K, V, k):
    best = knn_indices(Q, K, k, "dot")[0]
    return softmax((Q @ K.T)[:, best]) @ V[best]


def searches_by_cosine(Q, K, V, k):
    best = knn_indices(Q, K, k, "cosine")
    weights = softmax(np.take_along_axis(Q @ K.T, best, axis=1))
    return (weights[:, :, None] * V[best]).sum(axis=1)


def one_more(Q, K, V, k):
    return indices_then_softmax(Q, K, V, min(k + 1, len(K)))


def one_less(Q, K, V, k):
    return indices_then_softmax(Q, K, V, max(k - 1, 1))


def first_k_values(Q, K, V, k):
    return softmax(np.take_along_axis(Q @ K.T, knn_indices(Q, K, k, "dot"), axis=1)) @ V[:k]


def softmax_down_the_columns(Q, K, V, k):
    best = knn_indices(Q, K, k, "dot")
    scores = np.take_along_axis(Q @ K.T, best, axis=1)
    weights = softmax(scores.T).T
    return (weights[:, :, None] * V[best]).sum(axis=1)


def powers_without_a_shift(Q, K, V, k):
    best = knn_indices(Q, K, k, "dot")
    powers = np.exp(np.take_along_axis(Q @ K.T, best, axis=1))
    return ((powers / powers.sum(axis=1, keepdims=True))[:, :, None] * V[best]).sum(axis=1)


def ratio_of_the_scores(Q, K, V, k):
    best = knn_indices(Q, K, k, "dot")
    scores = np.take_along_axis(Q @ K.T, best, axis=1)
    return ((scores / scores.sum(axis=1, keepdims=True))[:, :, None] * V[best]).sum(axis=1)


def one_neighbour_so_far(Q, K, V, k):
    if k == 1:
        return V[(Q @ K.T).argmax(1)]
    return None


def fills_with_minus_100(Q, K, V, k):
    scores = Q @ K.T
    top = np.argsort(-scores, axis=1, kind="stable")[:, :k]
    table = np.full(scores.shape, -100.0)
    np.put_along_axis(table, top, np.take_along_axis(scores, top, axis=1), axis=1)
    return softmax(table) @ V


def fills_with_minus_1000(Q, K, V, k):
    scores = Q @ K.T
    kept = np.full(scores.shape, -1000.0)
    for i, best in enumerate(knn_indices(Q, K, k, "dot")):
        kept[i, best] = scores[i, best]
    return softmax(kept) @ V


def weighs_by_cosines(Q, K, V, k):
    best = knn_indices(Q, K, k, "dot")
    weights = softmax(np.take_along_axis(cosine_scores(Q, K), best, axis=1))
    return (weights[:, :, None] * V[best]).sum(axis=1)


def in_a_table_of_whole_numbers(Q, K, V, k):
    scores, best = dot_scores(Q, K), knn_indices(Q, K, k, "dot")
    table = np.full(scores.shape, -(10**9), dtype=int)
    np.put_along_axis(table, best, np.take_along_axis(scores, best, axis=1).astype(int), axis=1)
    return softmax(table) @ V


def the_sign_stays(Q, K, V, k):
    s = -dot_scores(Q, K)
    i = np.argsort(s, axis=1, kind="stable")[:, :k]
    return np.einsum("qk,qkd->qd", softmax(np.take_along_axis(s, i, axis=1)), V[i])


def weights_in_rising_order(Q, K, V, k):
    s = dot_scores(Q, K)
    i = np.argsort(-s, axis=1, kind="stable")[:, :k]
    return np.einsum("qk,qkd->qd", softmax(np.sort(s, axis=1)[:, -k:]), V[i])


def scores_of_the_first_keys(Q, K, V, k):
    s, i = dot_scores(Q, K), knn_indices(Q, K, k, "dot")
    t = np.full(s.shape, -np.inf)
    np.put_along_axis(t, i, s[:, :k], axis=1)
    return softmax(t) @ V


def the_first_keys(Q, K, V, k):
    return softmax(dot_scores(Q, K[:k])) @ V[:k]


def weighs_the_indices(Q, K, V, k):
    i = knn_indices(Q, K, k, "dot")
    return np.einsum("qk,qkd->qd", softmax(i.astype(float)), V[i])


def masks_the_best(Q, K, V, k):
    s, i = dot_scores(Q, K), knn_indices(Q, K, k, "dot")
    np.put_along_axis(s, i, -np.inf, axis=1)
    return softmax(s) @ V


def above_the_kth_score(Q, K, V, k):
    s = dot_scores(Q, K)
    edge = np.sort(s, axis=1)[:, -k][:, None]
    return softmax(np.where(s > edge, s, -np.inf)) @ V


def above_the_next_best(Q, K, V, k):
    scores = Q @ K.T
    if k < scores.shape[1]:
        edge = np.sort(scores, axis=1)[:, -k - 1][:, None]
        scores = np.where(scores > edge, scores, -np.inf)
    return softmax(scores) @ V


def softmax_before_and_after(Q, K, V, k):
    weights = softmax(Q @ K.T)
    best = np.argsort(-weights, axis=1, kind="stable")[:, :k]
    return (softmax(np.take_along_axis(weights, best, axis=1))[..., None] * V[best]).sum(axis=1)


def leaves_the_best_out(Q, K, V, k):
    scores = Q @ K.T
    best = np.argsort(-scores, axis=1, kind="stable")[:, 1 : k + 1]
    return (softmax(np.take_along_axis(scores, best, axis=1))[..., None] * V[best]).sum(axis=1)


def values_in_order_of_their_indices(Q, K, V, k):
    best = knn_indices(Q, K, k, "dot")
    weights = softmax(np.take_along_axis(Q @ K.T, best, axis=1))
    return (weights[..., None] * V[np.sort(best, axis=1)]).sum(axis=1)


def softmax_of_the_best_weights(Q, K, V, k):
    best = np.argsort(-Q @ K.T, axis=1, kind="stable")[:, :k]
    weights = softmax(np.take_along_axis(softmax(Q @ K.T), best, axis=1))
    return np.einsum("qk,qkd->qd", weights, V[best])


def weighs_by_rank(Q, K, V, k):
    best = np.argsort(-Q @ K.T, axis=1, kind="stable")[:, :k]
    weights = np.arange(k, 0, -1) / (k * (k + 1) / 2)
    return np.einsum("k,qkd->qd", weights, V[best])


WRONG = [
    (softmax_of_the_best_weights, "softmax-of-weights"),
    (weighs_by_rank, "by-rank"),
    (the_sign_stays, "sign-left"),
    (weights_in_rising_order, "weights-reversed"),
    (scores_of_the_first_keys, "first-scores"),
    (the_first_keys, "first-keys"),
    (weighs_the_indices, "indices-weighed"),
    (masks_the_best, "best-left-out"),
    (above_the_kth_score, "edge-left-out"),
    (fills_with_minus_100, "fill-too-near"),
    (fills_with_minus_1000, "far-fill"),
    (powers_without_a_shift, "no-maximum"),
    (ratio_of_the_scores, "ratio"),
    (one_neighbour_so_far, None),
    (indices_of_the_first_query, "first-query-repeated"),
    (searches_by_cosine, "cosine-neighbours"),
    (one_more, "one-too-many"),
    (one_less, "one-too-few"),
    (first_k_values, "first-values"),
    (softmax_down_the_columns, "columns"),
    (plain_knn_average, "uniform"),
    (forgets_to_cut, "k-ignored"),
    (multiplies_by_the_mask, "zero-filled"),
    (cuts_the_weights, "not-renormalised"),
    (compares_with_the_kth_score, "ties-kept"),
    (searches_by_distance, "distance"),
    (cuts_by_partition, "partition"),
    (cuts_by_a_plain_sort, "unstable"),
    (weighs_by_cosines, "cosine-weights"),
    (in_a_table_of_whole_numbers, "whole-scores"),
    (above_the_next_best, "edge-ties-left-out"),
    (softmax_before_and_after, "softmax-twice"),
    (leaves_the_best_out, "skips-the-first"),
    (values_in_order_of_their_indices, "values-by-index"),
]
