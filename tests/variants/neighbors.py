"""Right and wrong answers on nearest neighbours, as people write them; and the numbers in its prose."""

import heapq
import math

import numpy as np

from attnlib import (
    context_vectors,
    cosine_scores,
    dot_scores,
    gaussian_kernel,
    knn_attention,
    knn_indices,
    load_word_vectors,
    softmax,
    softmax_with_temperature,
    squared_distances,
    unit_rows,
)

# ---------------------------------------------------------------- right, knn_indices


def with_library_scores(Q, K, k, metric):
    if metric == "dot":
        far = -dot_scores(Q, K)
    elif metric == "cosine":
        far = -cosine_scores(Q, K)
    else:
        far = squared_distances(Q, K)
    return np.argsort(far, axis=-1, kind="stable")[:, :k]


def table_of_measures(Q, K, k, metric):
    measures = {
        "dot": lambda: -Q @ K.T,
        "cosine": lambda: -(Q / np.linalg.norm(Q, axis=1)[:, None]) @ (K / np.linalg.norm(K, axis=1)[:, None]).T,
        "euclidean": lambda: np.linalg.norm(Q[:, None] - K[None], axis=-1),
    }
    return measures[metric]().argsort(kind="stable")[:, :k]


def python_sort(queries, keys, count, measure):
    def far(q, key):
        dot = sum(a * b for a, b in zip(q, key, strict=True))
        if measure == "dot":
            return -dot
        if measure == "cosine":
            return -dot / math.hypot(*q) / math.hypot(*key)
        return math.dist(q, key)

    return [sorted(range(len(keys)), key=lambda j: far(q, keys[j]))[:count] for q in queries]


def pairs_in_a_heap(Q, K, k, metric):
    scores = {"dot": dot_scores, "cosine": cosine_scores, "euclidean": lambda Q, K: -squared_distances(Q, K)}[metric]
    return [[j for _, j in heapq.nsmallest(k, [(-s, j) for j, s in enumerate(row)])] for row in scores(Q, K)]


def repeated_argmax(Q, K, k, metric, verbose=False):
    if metric == "euclidean":
        scores = -((Q[:, None, :] - K[None, :, :]) ** 2).sum(-1)
    else:
        scores = np.einsum("qd,kd->qk", Q, K)
        if metric == "cosine":
            scores = scores / np.sqrt((K**2).sum(axis=1))  # the query's length does not change the order
    found = np.zeros((len(Q), k), dtype=int)
    for i in range(len(Q)):
        row = scores[i].copy()
        for r in range(k):
            found[i, r] = np.argmax(row)
            row[found[i, r]] = -np.inf
    return found


def single_precision(Q, K, k, metric):
    return with_library_scores(np.float32(Q), np.float32(K), k, metric)


def expanded_square(Q, K, k, metric):
    dots = Q @ K.T
    if metric == "euclidean":
        scores = 2 * dots - (K**2).sum(axis=1)
    elif metric == "cosine":
        scores = dots / np.linalg.norm(K, axis=1) / np.linalg.norm(Q, axis=1, keepdims=True)
    else:
        scores = dots
    return np.argsort(-scores, axis=1, kind="mergesort")[:, 0:k].astype(float)


# ---------------------------------------------------------------- right, knn_attention


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
        powers = [math.exp(sum(q * K[j])) for j in best]
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


# ---------------------------------------------------------------- right, limit_weights


def best_marked_and_shared(scores, limit):
    if limit == "hot":
        return np.ones(scores.shape) / scores.shape[1]
    best = scores == scores.max(axis=1, keepdims=True)
    return best / best.sum(axis=1, keepdims=True)


def very_cold_and_very_hot(scores, limit):
    return softmax_with_temperature(scores, 1e-9 if limit == "cold" else 1e9)


def loop_over_rows(scores, limit):
    rows = []
    for row in scores:
        ties = [float(s == max(row)) if limit == "cold" else 1.0 for s in row]
        rows.append([t / sum(ties) for t in ties])
    return rows


def softmax_of_infinities(scores, limit):
    if limit == "cold":
        return softmax(np.where(scores == scores.max(-1, keepdims=True), 0.0, -np.inf))
    return softmax(np.zeros_like(scores))


def mean_of_ones(scores, limit, keys=None):
    n = scores.shape[-1]
    if limit == "hot":
        return np.full_like(scores, 1 / n)
    weights = np.zeros_like(scores)
    for i, row in enumerate(scores):
        winners = np.flatnonzero(row == row.max())
        weights[i, winners] = 1 / len(winners)
    return weights


def in_single_precision(scores, limit):
    return best_marked_and_shared(scores, limit).astype(np.float32)


# ---------------------------------------------------------------- right, normalise_keys


def norm_as_a_column(K):
    return K / np.linalg.norm(K, axis=1, keepdims=True)


def root_of_squares(K):
    return K / np.sqrt((K**2).sum(axis=-1))[:, np.newaxis]


def plain_python(K):
    return [[x / math.hypot(*key) for x in key] for key in K]


def row_by_row(K):
    unit = np.empty_like(K)
    for j, key in enumerate(K):
        unit[j] = key / np.sqrt(key @ key)
    return unit


def einsum_squares(keys, epsilon=0.0):
    return keys / (np.sqrt(np.einsum("kd,kd->k", keys, keys)) + epsilon)[:, None]


def diagonal_matrix(K):
    return np.diag(1 / np.linalg.norm(K, axis=1)) @ K


def float32_lengths(K):
    K = K.astype(np.float32)
    return K / np.linalg.norm(K, axis=-1, keepdims=True)


VARIANTS = {
    "knn_indices": [
        with_library_scores,
        table_of_measures,
        python_sort,
        pairs_in_a_heap,
        repeated_argmax,
        single_precision,
        expanded_square,
    ],
    "knn_attention": [
        indices_then_softmax,
        minus_infinity_elsewhere,
        minus_a_billion_elsewhere,
        renormalised_afterwards,
        one_query_at_a_time,
        small_attention_for_each_query,
        einsum_in_single_precision,
    ],
    "limit_weights": [
        best_marked_and_shared,
        very_cold_and_very_hot,
        loop_over_rows,
        softmax_of_infinities,
        mean_of_ones,
        in_single_precision,
    ],
    "normalise_keys": [
        norm_as_a_column,
        root_of_squares,
        plain_python,
        row_by_row,
        einsum_squares,
        diagonal_matrix,
        float32_lengths,
    ],
}


# ---------------------------------------------------------------- wrong


def sorts_everything_upwards(Q, K, k, metric):
    scores = {"dot": dot_scores, "cosine": cosine_scores, "euclidean": squared_distances}[metric](Q, K)
    return np.argsort(scores, axis=-1, kind="stable")[:, :k]


def sorts_everything_downwards(Q, K, k, metric):
    scores = {"dot": dot_scores, "cosine": cosine_scores, "euclidean": squared_distances}[metric](Q, K)
    return np.argsort(-scores, axis=-1, kind="stable")[:, :k]


def reverses_the_order(Q, K, k, metric):
    scores = {"dot": dot_scores, "cosine": cosine_scores, "euclidean": lambda Q, K: -squared_distances(Q, K)}[metric]
    return np.argsort(scores(Q, K), axis=1, kind="stable")[:, ::-1][:, :k]


def last_k_of_the_order(Q, K, k, metric):
    scores = {"dot": dot_scores, "cosine": cosine_scores, "euclidean": lambda Q, K: -squared_distances(Q, K)}[metric]
    return np.argsort(scores(Q, K), axis=1, kind="stable")[:, -k:]


def forgets_the_kind(Q, K, k, metric):
    scores = {"dot": dot_scores, "cosine": cosine_scores, "euclidean": lambda Q, K: -squared_distances(Q, K)}[metric]
    return np.argsort(-scores(Q, K), axis=1)[:, :k]


def partitions(Q, K, k, metric):
    scores = {"dot": dot_scores, "cosine": cosine_scores, "euclidean": lambda Q, K: -squared_distances(Q, K)}[metric]
    far = -scores(Q, K)
    best = np.argpartition(far, k - 1, axis=1)[:, :k]
    return np.take_along_axis(best, np.argsort(np.take_along_axis(far, best, axis=1), axis=1), axis=1)


def reverses_similarities(Q, K, k, metric):
    if metric == "euclidean":
        return np.argsort(squared_distances(Q, K), axis=1, kind="stable")[:, :k]
    scores = dot_scores(Q, K) if metric == "dot" else cosine_scores(Q, K)
    return np.argsort(scores, axis=1, kind="stable")[:, ::-1][:, :k]


def reverses_a_plain_sort(Q, K, k, metric):
    if metric == "euclidean":
        return np.argsort(squared_distances(Q, K), axis=1)[:, :k]
    scores = dot_scores(Q, K) if metric == "dot" else cosine_scores(Q, K)
    return np.argsort(scores, axis=1)[:, ::-1][:, :k]


def sorts_the_numbers(Q, K, k, metric):
    far = {"dot": -dot_scores(Q, K), "cosine": -cosine_scores(Q, K), "euclidean": squared_distances(Q, K)}[metric]
    return np.sort(far, axis=1)[:, :k]


def always_the_dot_product(Q, K, k, metric):
    return np.argsort(-Q @ K.T, kind="stable")[:, :k]


def forgets_the_keys_length(Q, K, k, metric):
    if metric == "cosine":
        Q = Q / np.linalg.norm(Q, axis=1, keepdims=True)
    return with_library_scores(Q, K, k, "dot" if metric == "cosine" else metric)


def finds_one_only(Q, K, k, metric):
    return with_library_scores(Q, K, 1, metric)[:, 0]


def misspells_the_metric(Q, K, k, metric):
    return np.argsort(squared_distances(Q, K) if metric == "Euclid" else -Q @ K.T, kind="stable")[:, :k]


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


def first_of_the_best(scores, limit):
    if limit == "hot":
        return np.full(scores.shape, 1 / scores.shape[1])
    return np.eye(scores.shape[1])[scores.argmax(axis=1)]


def ones_for_the_best(scores, limit):
    best = (scores == scores.max(axis=1, keepdims=True)) * 1.0
    return best if limit == "cold" else np.ones_like(scores) / scores.shape[1]


def one_maximum_for_all(scores, limit):
    if limit == "hot":
        return np.full(scores.shape, 1 / scores.shape[1])
    best = scores == scores.max()
    return best / best.sum()


def not_cold_enough(scores, limit):
    return softmax_with_temperature(scores, 0.5 if limit == "cold" else 1e6)


def one_length_for_all(K):
    return K / np.linalg.norm(K)


def lengths_of_columns(K):
    return K / np.linalg.norm(K, axis=0)


def forgets_the_root(K):
    return K / (K**2).sum(axis=1, keepdims=True)


def flat_lengths(K):
    return K / np.linalg.norm(K, axis=1)


WRONG = {
    "knn_indices": [
        (sorts_everything_upwards, "ascending-similarity"),
        (sorts_everything_downwards, "largest-distance"),
        (reverses_the_order, "ties-to-the-higher"),
        (last_k_of_the_order, "nearest-last"),
        (forgets_the_kind, "unstable"),
        (partitions, None),
        (reverses_similarities, "turned-around"),
        (reverses_a_plain_sort, "turned-around-unstable"),
        (sorts_the_numbers, "sorted-instead"),
        (always_the_dot_product, "metric-ignored"),
        (forgets_the_keys_length, "cosine-is-dot"),
        (finds_one_only, None),
        (misspells_the_metric, "metric-ignored"),
    ],
    "knn_attention": [
        (plain_knn_average, "plain-mean"),
        (forgets_to_cut, "k-ignored"),
        (multiplies_by_the_mask, "zero-filled"),
        (cuts_the_weights, "not-renormalised"),
        (compares_with_the_kth_score, "ties-kept"),
        (searches_by_distance, "distance"),
        (cuts_by_partition, "partition"),
        (cuts_by_a_plain_sort, "unstable"),
    ],
    "limit_weights": [
        (first_of_the_best, "tie-lost"),
        (ones_for_the_best, "tie-not-divided"),
        (not_cold_enough, None),
        (one_maximum_for_all, "one-for-all"),
    ],
    "normalise_keys": [
        (one_length_for_all, "whole-matrix"),
        (lengths_of_columns, "columns"),
        (forgets_the_root, "squared"),
        (flat_lengths, "no-keepdims"),
    ],
    "tied-far-key": [
        ([1.0, 2.0], "the-copy"),
        ([-1.0, 3.0], "still-near"),
        ([4.0, -2.0], "right-angle-only"),
        ([10.0, 10.0], "far-and-different"),
        ([1.0, 1.0], None),
        ([[5.0, 0.0]], None),
    ],
}


# ---------------------------------------------------------------- numbers in the prose

QUERY, KEYS = np.array([[1.0, 2.0]]), np.array([[1.0, 2.0], [2.0, 0.0], [-1.0, 3.0]])
TEN_TWENTY_SIXTY = np.array([[10.0], [20.0], [60.0]])


def row_of_k2():
    cosine, distance = cosine_scores(QUERY, KEYS)[0, 1], squared_distances(QUERY, KEYS)[0, 1] ** 0.5
    return f"| 1·2 + 2·0 = {dot_scores(QUERY, KEYS)[0, 1]:.0f} | {cosine:.3f} | {distance:.3f} |"


def row_of_k3():
    cosine, distance = cosine_scores(QUERY, KEYS)[0, 2], squared_distances(QUERY, KEYS)[0, 2] ** 0.5
    return f"| 1·(−1) + 2·3 = {dot_scores(QUERY, KEYS)[0, 2]:.0f} | {cosine:.3f} | {distance:.3f} |"


def words_whose_nearest_differ():
    _, E = load_word_vectors()
    itself = np.arange(len(E))
    nearest = []
    for scores in (E @ E.T, unit_rows(E) @ unit_rows(E).T):
        scores[itself, itself] = -np.inf
        nearest.append(scores.argmax(axis=1))
    return f"{(nearest[0] != nearest[1]).sum()} of the {len(E):,} words"


def mix_of_all():
    weights = softmax(dot_scores(QUERY, KEYS))[0]
    answer = context_vectors(QUERY, KEYS, TEN_TWENTY_SIXTY)[0, 0]
    return f"| {', '.join(f'{w:.3f}' for w in weights)} | {answer:.2f} |"


def mix_of_two():
    return f"| 0.5, 0.5 | {knn_attention(QUERY, KEYS, TEN_TWENTY_SIXTY, 2)[0, 0]:.0f} |"


def gaussian_pair():
    weights = gaussian_kernel(QUERY, KEYS, 1.0)[0]
    weights = weights / weights.sum()
    return f"(bandwidth 1) are {weights[0]:.3f} and {weights[2]:.4f}"


def unit_key(j):
    unit = unit_rows(KEYS)
    place = ", ".join(f"{x:.3g}".replace("-", "−") for x in unit[j].round(3) + 0.0)
    return f"| [{place}] | {dot_scores(QUERY, unit)[0, j]:.3f} | {squared_distances(QUERY, unit)[0, j]:.3f} |"


NUMBERS = [
    ("| 1·2 + 2·0 = 2 | 0.447 | 2.236 |", row_of_k2),
    ("| 1·(−1) + 2·3 = 5 | 0.707 | 2.236 |", row_of_k3),
    ("462 of the 3,600 words", words_whose_nearest_differ),
    ("| 0.5, 0.5 | 35 |", mix_of_two),
    ("| 0.488, 0.024, 0.488 | 34.64 |", mix_of_all),
    ("the same weight 0.488", lambda: f"the same weight {softmax(dot_scores(QUERY, KEYS))[0, 2]:.3f}"),
    ("(bandwidth 1) are 0.859 and 0.0705", gaussian_pair),
    ("| [0.447, 0.894] | 2.236 | 1.528 |", lambda: unit_key(0)),
    ("| [1, 0] | 1.000 | 4.000 |", lambda: unit_key(1)),
    ("| [−0.316, 0.949] | 1.581 | 2.838 |", lambda: unit_key(2)),
]
