import heapq
import math

import numpy as np

from attnlib import cosine_scores, dot_scores, softmax, squared_distances


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


VARIANTS = [
    with_library_scores,
    table_of_measures,
    python_sort,
    pairs_in_a_heap,
    repeated_argmax,
    single_precision,
    expanded_square,
]


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


def reverses_all_plain_sorts(Q, K, k, metric):
    near = {"dot": dot_scores(Q, K), "cosine": cosine_scores(Q, K), "euclidean": -squared_distances(Q, K)}[metric]
    return np.argsort(near, axis=1)[:, ::-1][:, :k]


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


def partitions_then_sorts(Q, K, k, metric):
    far = {"dot": -dot_scores(Q, K), "cosine": -cosine_scores(Q, K), "euclidean": squared_distances(Q, K)}[metric]
    rows = []
    for row in far:
        best = np.sort(np.argpartition(row, k - 1)[:k])
        rows.append(best[np.argsort(row[best], kind="stable")])
    return np.array(rows)


def partitions_only(Q, K, k, metric):
    far = {"dot": -dot_scores(Q, K), "cosine": -cosine_scores(Q, K), "euclidean": squared_distances(Q, K)}[metric]
    return np.argpartition(far, k - 1, axis=1)[:, :k]


def cuts_the_rows(Q, K, k, metric):
    far = {"dot": -dot_scores(Q, K), "cosine": -cosine_scores(Q, K), "euclidean": squared_distances(Q, K)}[metric]
    return np.argsort(far, axis=1, kind="stable")[:k]


def misspells_euclidean(Q, K, k, metric):
    far = -dot_scores(Q, K)
    if metric == "cosine":
        far = -cosine_scores(Q, K)
    elif metric == "euclidian":
        far = squared_distances(Q, K)
    return np.argsort(far, axis=1, kind="stable")[:, :k]


def always_the_distance(Q, K, k, metric):
    return np.argsort(squared_distances(Q, K), axis=1, kind="stable")[:, :k]


def distances_so_far(Q, K, k, metric):
    if metric == "euclidean":
        return np.argsort(squared_distances(Q, K), axis=1, kind="stable")[:, :k]
    return None


def looks_the_number_up(Q, K, k, metric):
    far = {"dot": -dot_scores(Q, K), "cosine": -cosine_scores(Q, K), "euclidean": squared_distances(Q, K)}[metric]
    return np.array([[list(row).index(number) for number in sorted(row)[:k]] for row in far])


def sorts_twice(Q, K, k, metric):
    far = {"dot": -dot_scores(Q, K), "cosine": -cosine_scores(Q, K), "euclidean": squared_distances(Q, K)}[metric]
    return np.argsort(np.argsort(far, axis=1, kind="stable"), axis=1)[:, :k]


def asks_twice_without_elif(Q, K, k, metric):
    if metric == "dot":
        far = -dot_scores(Q, K)
    far = -cosine_scores(Q, K) if metric == "cosine" else squared_distances(Q, K)  # what "dot" gave is gone
    return np.argsort(far, axis=1, kind="stable")[:, :k]


def walks_along_the_streets(Q, K, k, metric):
    if metric == "euclidean":
        return np.argsort(np.abs(Q[:, None] - K).sum(axis=2), axis=1, kind="stable")[:, :k]
    return np.argsort(-(dot_scores if metric == "dot" else cosine_scores)(Q, K), axis=1, kind="stable")[:, :k]


def lets_an_equal_one_replace_the_best(Q, K, k, metric):
    scores = {"dot": dot_scores, "cosine": cosine_scores}.get(metric, lambda Q, K: -squared_distances(Q, K))(Q, K)
    found = []
    for row in scores:
        places = []
        for _ in range(k):
            best, most = None, -np.inf
            for j, score in enumerate(row):
                if j not in places and score >= most:
                    best, most = j, score
            places.append(best)
        found.append(places)
    return np.array(found)


def sorts_by_the_places_first(Q, K, k, metric):
    far = {"dot": lambda: -Q @ K.T, "cosine": lambda: -Q @ K.T, "euclidean": lambda: -Q @ K.T}[metric]()
    return np.array([np.lexsort((row, np.arange(len(K))))[:k] for row in far])


def forgets_the_squared_keys(Q, K, k, metric):
    far = -Q @ K.T
    if metric == "cosine":
        far = far / np.linalg.norm(K, axis=1)
    if metric == "euclidean":
        far = (Q**2).sum(axis=1, keepdims=True) - 2 * Q @ K.T
    return np.argsort(far, axis=1, kind="stable")[:, :k]


def wrong_neighbours_by_one_length_for_all(Q, K, k, metric):
    if metric == "dot":
        distance = -(Q @ K.T)
    elif metric == "cosine":
        distance = -(Q @ K.T) / (np.linalg.norm(Q) * np.linalg.norm(K))
    elif metric == "euclidean":
        distance = np.linalg.norm(Q[:, None, :] - K[None, :, :], axis=-1)
    return distance.argsort(axis=1, kind="stable")[:, :k]


def wrong_neighbours_by_deleting(Q, K, k, metric):
    if metric == "dot":
        table = -dot_scores(Q, K)
    elif metric == "cosine":
        table = -cosine_scores(Q, K)
    elif metric == "euclidean":
        table = squared_distances(Q, K)
    result = []
    for row in table:
        found = []
        for _ in range(k):
            best = int(np.argmin(row))
            found.append(best)
            row = np.delete(row, best)
        result.append(found)
    return np.array(result)


def found_ones_set_to_zero(Q, K, k, metric):
    table = {"dot": dot_scores, "cosine": cosine_scores, "euclidean": squared_distances}[metric](Q, K)
    out = np.zeros((len(Q), k), dtype=int)
    for i, row in enumerate(table):
        for n in range(k):
            if metric == "euclidean":
                out[i, n] = row.argmin()
                row[out[i, n]] = np.inf
            else:
                out[i, n] = row.argmax()
                row[out[i, n]] = 0
    return out


def crosses_out_with_zero_always(Q, K, k, metric):
    measures = {"dot": dot_scores, "cosine": cosine_scores, "euclidean": squared_distances}
    table = measures[metric](Q, K)
    found = np.zeros((len(Q), k), dtype=int)
    for i, row in enumerate(table):
        for j in range(k):
            found[i, j] = row.argmin() if metric == "euclidean" else row.argmax()
            row[found[i, j]] = 0
    return found


def one_divided_by_a_similarity(Q, K, k, metric):
    if metric == "euclidean":
        far = squared_distances(Q, K)
    else:
        with np.errstate(divide="ignore"):
            far = 1 / (dot_scores(Q, K) if metric == "dot" else cosine_scores(Q, K))
    return np.argsort(far, axis=-1, kind="stable")[:, :k]


def sizes_of_dot_products(Q, K, k, metric):
    near = {"dot": np.abs(dot_scores(Q, K)), "cosine": cosine_scores(Q, K), "euclidean": -squared_distances(Q, K)}
    return np.argsort(-near[metric], axis=-1, kind="stable")[:, :k]


def forgets_to_cut(Q, K, k, metric):
    far = {"dot": -dot_scores(Q, K), "cosine": -cosine_scores(Q, K), "euclidean": squared_distances(Q, K)}[metric]
    return np.argsort(far, axis=1, kind="stable")


def a_round_for_each_key(Q, K, k, metric):
    far = {"dot": -dot_scores(Q, K), "cosine": -cosine_scores(Q, K), "euclidean": squared_distances(Q, K)}[metric]
    result = []
    for row in far:
        places = []
        for _ in K:
            left = [j for j in range(len(K)) if j not in places]
            best = left[0]
            for j in left:
                if row[j] < row[best]:
                    best = j
            places.append(best)
        result.append(places)
    return np.array(result)


def begins_with_key_zero(Q, K, k, metric):
    far = {"dot": -dot_scores(Q, K), "cosine": -cosine_scores(Q, K), "euclidean": squared_distances(Q, K)}[metric]
    result = []
    for row in far:
        places = []
        for _ in range(k):
            best = 0
            for j in range(len(K)):
                if j not in places and row[j] < row[best]:
                    best = j
            places.append(best)
        result.append(places)
    return np.array(result)


def does_not_negate_the_cosine(Q, K, k, metric):
    far = {"dot": -dot_scores(Q, K), "cosine": cosine_scores(Q, K), "euclidean": squared_distances(Q, K)}[metric]
    return np.argsort(far, axis=1, kind="stable")[:, :k]


def does_not_negate_the_dot_product(Q, K, k, metric):
    far = {"dot": dot_scores(Q, K), "cosine": -cosine_scores(Q, K), "euclidean": squared_distances(Q, K)}[metric]
    return np.argsort(far, axis=1, kind="stable")[:, :k]


def reverses_dot_products(Q, K, k, metric):
    if metric == "dot":
        return np.argsort(Q @ K.T, axis=1, kind="stable")[:, ::-1][:, :k]
    far = -cosine_scores(Q, K) if metric == "cosine" else squared_distances(Q, K)
    return np.argsort(far, axis=1, kind="stable")[:, :k]


def reverses_cosines(Q, K, k, metric):
    if metric == "cosine":
        return np.argsort(cosine_scores(Q, K), axis=1, kind="stable")[:, ::-1][:, :k]
    far = -dot_scores(Q, K) if metric == "dot" else squared_distances(Q, K)
    return np.argsort(far, axis=1, kind="stable")[:, :k]


def places_in_a_dict(Q, K, k, metric):
    far = {"dot": -dot_scores(Q, K), "cosine": -cosine_scores(Q, K), "euclidean": squared_distances(Q, K)}[metric]
    result = []
    for row in far:
        places = {number: j for j, number in enumerate(row)}
        result.append([places[number] for number in sorted(row)[:k]])
    return np.array(result)


def marks_the_nearest(Q, K, k, metric):
    far = {"dot": -dot_scores(Q, K), "cosine": -cosine_scores(Q, K), "euclidean": squared_distances(Q, K)}[metric]
    return np.array([np.where(row <= sorted(row)[k - 1])[0][:k] for row in far])


def sizes_of_cosines(Q, K, k, metric):
    near = {"dot": dot_scores(Q, K), "cosine": np.abs(cosine_scores(Q, K)), "euclidean": -squared_distances(Q, K)}
    return np.argsort(-near[metric], axis=-1, kind="stable")[:, :k]


def ranks_by_weights(Q, K, k, metric):
    far = {"dot": -dot_scores(Q, K), "cosine": -cosine_scores(Q, K), "euclidean": squared_distances(Q, K)}[metric]
    return np.argsort(-softmax(-far), axis=1, kind="stable")[:, :k]


def ranks_by_powers(Q, K, k, metric):
    far = {"dot": -dot_scores(Q, K), "cosine": -cosine_scores(Q, K), "euclidean": squared_distances(Q, K)}[metric]
    with np.errstate(over="ignore"):
        return np.argsort(-np.exp(-far), axis=1, kind="stable")[:, :k]


def _far(Q, K, metric):
    if metric == "euclidean":
        return squared_distances(Q, K)
    return -(dot_scores if metric == "dot" else cosine_scores)(Q, K)


def _nearest(far, k):
    return np.argsort(far, axis=1, kind="stable")[:, :k]


def _by_another_distance(distance):
    def answer(Q, K, k, metric):
        return _nearest(distance(Q, K) if metric == "euclidean" else _far(Q, K, metric), k)

    return answer


def _by_another_cosine(cosine):
    def answer(Q, K, k, metric):
        return _nearest(-cosine(Q, K) if metric == "cosine" else _far(Q, K, metric), k)

    return answer


adds_up_before_squaring = _by_another_distance(lambda Q, K: (Q[:, None] - K).sum(axis=-1) ** 2)
takes_the_largest_difference = _by_another_distance(lambda Q, K: np.abs(Q[:, None] - K).max(axis=-1))
compares_lengths = _by_another_distance(
    lambda Q, K: np.abs(np.linalg.norm(Q, axis=1, keepdims=True) - np.linalg.norm(K, axis=1))
)
forgets_the_two = _by_another_distance(lambda Q, K: (Q**2).sum(axis=1, keepdims=True) + (K**2).sum(axis=1) - Q @ K.T)
takes_the_keys_length_off = _by_another_distance(
    lambda Q, K: (Q**2).sum(axis=1, keepdims=True) - (K**2).sum(axis=1) - 2 * Q @ K.T
)
divides_by_squared_lengths = _by_another_cosine(
    lambda Q, K: Q @ K.T / (K**2).sum(axis=1) / np.linalg.norm(Q, axis=1, keepdims=True)
)
takes_the_lengths_of_columns = _by_another_cosine(
    lambda Q, K: (Q / np.linalg.norm(Q, axis=0)) @ (K / np.linalg.norm(K, axis=0)).T
)


def rounds_to_hundredths(Q, K, k, metric):
    return _nearest(_far(Q, K, metric).round(2), k)


def rounds_to_tenths(Q, K, k, metric):
    return _nearest(np.round(_far(Q, K, metric), 1), k)


def cuts_to_whole_numbers(Q, K, k, metric):
    return _nearest(_far(Q, K, metric).astype(int), k)


def searches_the_first_k(Q, K, k, metric):
    return np.argsort(_far(Q, K, metric)[:, :k], axis=1, kind="stable")


def keeps_the_first_k_keys(Q, K, k, metric):
    return np.argsort(_far(Q, K[:k], metric), axis=1, kind="stable")


def changes_the_sign_and_takes_the_last(Q, K, k, metric):
    return np.argsort(_far(Q, K, metric), axis=1, kind="stable")[:, -k:]


def changes_the_sign_and_reverses(Q, K, k, metric):
    return np.argsort(_far(Q, K, metric), axis=1, kind="stable")[:, ::-1][:, :k]


WRONG = [
    (adds_up_before_squaring, "sum-squared"),
    (takes_the_largest_difference, "largest-difference"),
    (compares_lengths, "difference-of-lengths"),
    (forgets_the_two, "no-two"),
    (takes_the_keys_length_off, "length-taken-off"),
    (divides_by_squared_lengths, "by-squared-length"),
    (takes_the_lengths_of_columns, "lengths-of-columns"),
    (rounds_to_hundredths, "rounded"),
    (rounds_to_tenths, "rounded"),
    (cuts_to_whole_numbers, "whole-scores"),
    (searches_the_first_k, "first-keys"),
    (keeps_the_first_k_keys, "first-keys"),
    (changes_the_sign_and_takes_the_last, "last-columns"),
    (changes_the_sign_and_reverses, "last-columns-turned"),
    (one_divided_by_a_similarity, "turned-upside-down"),
    (sizes_of_dot_products, "absolute-dot"),
    (crosses_out_with_zero_always, "zero-always-crosses"),
    (found_ones_set_to_zero, "crossed-out-with-zero"),
    (looks_the_number_up, "first-of-the-tied"),
    (sorts_twice, "ranks"),
    (distances_so_far, None),
    (partitions_then_sorts, "partition"),
    (partitions_only, None),
    (cuts_the_rows, "first-rows"),
    (misspells_euclidean, "euclidean-as-dot"),
    (always_the_distance, "always-euclidean"),
    (sorts_everything_upwards, "ascending-similarity"),
    (sorts_everything_downwards, "farthest"),
    (reverses_the_order, "ties-to-the-higher"),
    (last_k_of_the_order, "nearest-last"),
    (forgets_the_kind, "unstable"),
    (partitions, None),
    (reverses_similarities, "turned-around"),
    (reverses_a_plain_sort, "turned-around-unstable"),
    (reverses_all_plain_sorts, "ties-to-the-higher"),
    (sorts_the_numbers, "sorted-instead"),
    (always_the_dot_product, "metric-ignored"),
    (forgets_the_keys_length, "cosine-as-dot"),
    (finds_one_only, None),
    (misspells_the_metric, "metric-ignored"),
    (asks_twice_without_elif, "dot-as-euclidean"),
    (walks_along_the_streets, "sum-of-sizes"),
    (lets_an_equal_one_replace_the_best, "ties-to-the-higher"),
    (sorts_by_the_places_first, "in-order"),
    (forgets_the_squared_keys, None),
    (wrong_neighbours_by_one_length_for_all, "cosine-as-dot"),
    (wrong_neighbours_by_deleting, "places-move-up"),
    (forgets_to_cut, "all-returned"),
    (a_round_for_each_key, "all-returned"),
    (begins_with_key_zero, "zero-comes-again"),
    (does_not_negate_the_cosine, "ascending-cosine"),
    (does_not_negate_the_dot_product, "ascending-dot"),
    (reverses_dot_products, "turned-around-dot"),
    (reverses_cosines, "turned-around-cosine"),
    (places_in_a_dict, "last-of-the-tied"),
    (marks_the_nearest, "by-index"),
    (sizes_of_cosines, "absolute-cosine"),
    (ranks_by_weights, "by-weights"),
    (ranks_by_powers, "by-powers"),
]
