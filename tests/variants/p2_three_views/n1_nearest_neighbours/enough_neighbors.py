import numpy as np

from attnlib import dot_scores, softmax, squared_distances


def in_loops(Q, K, share):
    counts = []
    for row in softmax(dot_scores(Q, K)):
        total, count = 0.0, 0
        for weight in sorted(row, reverse=True):
            if total >= share:
                break
            total += weight
            count += 1
        counts.append(count)
    return counts


def in_one_line(Q, K, share):
    return (np.cumsum(-np.sort(-softmax(Q @ K.T), axis=1), axis=1) < share).sum(axis=1) + 1


def with_argmax(Q, K, share):
    weights = np.sort(softmax(dot_scores(Q, K)), axis=1)[:, ::-1]
    return (weights.cumsum(axis=1) >= share).argmax(axis=1) + 1


def with_einsum(Q, K, share):
    scores = np.einsum("qd,kd->qk", Q, K)
    weights = np.exp(scores - scores.max(axis=1, keepdims=True))
    weights = weights / weights.sum(axis=1, keepdims=True)
    counts = np.zeros(len(Q))
    for k in range(1, K.shape[0] + 1):
        enough = np.sort(weights, axis=1)[:, -k:].sum(axis=1) >= share
        counts = np.where((counts == 0) & enough, k, counts)
    return counts


def with_searchsorted(Q, K, share):
    weights = np.sort(softmax(dot_scores(Q, K)), axis=1)[:, ::-1]
    return np.array([np.searchsorted(row.cumsum(), share) + 1 for row in weights])


def in_single_precision(Q, K, share):
    return in_one_line(Q.astype(np.float32), K.astype(np.float32), share)


def with_more_arguments(Q, K, share, *, verbose=False):
    weights = softmax(dot_scores(Q, K))
    order = np.argsort(-weights, axis=1, kind="stable")
    sums = np.cumsum(np.take_along_axis(weights, order, axis=1), axis=1)
    return [int(np.flatnonzero(row >= share)[0]) + 1 for row in sums]


def other_names(queries, keys, part):
    return in_loops(queries, keys, part)


VARIANTS = [
    other_names,
    in_loops,
    in_one_line,
    with_argmax,
    with_einsum,
    with_searchsorted,
    in_single_precision,
    with_more_arguments,
]


def counts_from_zero(Q, K, share):
    return with_argmax(Q, K, share) - 1


def takes_them_as_they_come(Q, K, share):
    return (softmax(dot_scores(Q, K)).cumsum(axis=1) >= share).argmax(axis=1) + 1


def sorts_upwards(Q, K, share):
    return (np.sort(softmax(dot_scores(Q, K)), axis=1).cumsum(axis=1) >= share).argmax(axis=1) + 1


def counts_the_heavy_ones(Q, K, share):
    return (softmax(dot_scores(Q, K)) >= share).sum(axis=1)


def wants_more_than_the_share(Q, K, share):
    weights = np.sort(softmax(dot_scores(Q, K)), axis=1)[:, ::-1]
    return (weights.cumsum(axis=1) > share).argmax(axis=1) + 1


def one_for_all(Q, K, share):
    return with_argmax(Q, K, share).max()


def overflows(Q, K, share):
    powers = np.exp(dot_scores(Q, K))
    weights = np.sort(powers / powers.sum(axis=1, keepdims=True), axis=1)[:, ::-1]
    return (weights.cumsum(axis=1) < share).sum(axis=1) + 1


def forgets_the_axis_of_the_sums(Q, K, share):
    weights = np.sort(softmax(dot_scores(Q, K)), axis=1)[:, ::-1]
    return (np.cumsum(weights) < share).sum() + 1


def keeps_the_total(Q, K, share):
    counts, total = [], 0.0
    for row in np.sort(softmax(dot_scores(Q, K)), axis=1)[:, ::-1]:
        count = 0
        for weight in row:
            if total >= share:
                break
            total += weight
            count += 1
        counts.append(count)
    return np.array(counts)


def keeps_the_count(Q, K, share):
    counts, count = [], 0
    for row in np.sort(softmax(dot_scores(Q, K)), axis=1)[:, ::-1]:
        total = 0.0
        for weight in row:
            if total >= share:
                break
            total += weight
            count += 1
        counts.append(count)
    return np.array(counts)


def adds_up_the_queries(Q, K, share):
    weights = np.sort(softmax(dot_scores(Q, K)), axis=1)[:, ::-1]
    return (np.cumsum(weights, axis=0) < share).sum(axis=1) + 1


# Each with the mistake that the judge should name, or None.


def sums_of_the_whole_table(Q, K, share):
    w = np.sort(softmax(dot_scores(Q, K)), axis=1)[:, ::-1]
    sums = np.cumsum(w).reshape(w.shape)
    return 1 + (sums < share).sum(axis=1)


def share_of_the_best_one(Q, K, share):
    w = softmax(dot_scores(Q, K))
    return (w >= share * w.max(axis=1, keepdims=True)).sum(axis=1)


def one_k_for_all(Q, K, share):
    W, k = softmax(Q @ K.T), 1
    while (np.sort(W, 1)[:, -k:].sum(1) < share).any():
        k += 1
    return np.full(len(Q), k)


def one_k_until_any_has_enough(Q, K, share):
    W, k = softmax(Q @ K.T), 1
    while (np.sort(W, 1)[:, -k:].sum(1) < share).all():
        k += 1
    return np.full(len(Q), k)


def goes_on_after_it_is_reached(Q, K, share):
    counts = []
    for row in softmax(Q @ K.T):
        total = 0
        for k, weight in enumerate(sorted(row, reverse=True), 1):
            total += weight
            if total >= share:
                count = k
        counts.append(count)
    return np.array(counts)


def counts_the_sums_that_are_enough(Q, K, share):
    sums = np.sort(softmax(Q @ K.T), axis=1)[:, ::-1].cumsum(axis=1)
    return (sums >= share).sum(axis=1)


def takes_the_nearest_sum(Q, K, share):
    sums = np.sort(softmax(Q @ K.T), axis=1)[:, ::-1].cumsum(axis=1)
    return np.abs(sums - share).argmin(axis=1) + 1


def adds_up_raw_scores(Q, K, share):
    sums = np.sort(Q @ K.T, axis=1)[:, ::-1].cumsum(axis=1)
    return (sums >= share).argmax(axis=1) + 1


def all_but_the_last(Q, K, share):
    counts = []
    for weights in np.sort(softmax(Q @ K.T), axis=1)[:, ::-1]:
        for k in range(1, len(K)):
            if weights[:k].sum() >= share:
                break
        counts.append(k)
    return counts


def _sorted_weights(Q, K):
    return np.sort(softmax(Q @ K.T), axis=1)[:, ::-1]


def _first_enough(sums, share, most):
    return np.minimum((sums < share).sum(axis=1) + 1, most)


def takes_all_equal_ones_away(Q, K, share):
    counts = []
    for row in softmax(Q @ K.T):
        total, count = 0, 0
        while total < share and len(row):
            total, count = total + row.max(), count + 1
            row = row[row != row.max()]
        counts.append(count)
    return np.array(counts)


def sums_of_different_weights(Q, K, share):
    sums = [np.cumsum(np.unique(row)[::-1]) for row in softmax(Q @ K.T)]
    return np.array([min((of_row < share).sum() + 1, len(K)) for of_row in sums])


def rounds_the_weights(Q, K, share):
    return _first_enough(np.cumsum(_sorted_weights(Q, K).round(2), axis=1), share, len(K))


def rounds_the_sums(Q, K, share):
    return _first_enough(np.cumsum(_sorted_weights(Q, K), axis=1).round(3), share, len(K))


def asks_for_a_little_less(Q, K, share):
    return _first_enough(np.cumsum(_sorted_weights(Q, K), axis=1), share - 1e-3, len(K))


def counts_above_a_quantile(Q, K, share):
    return np.array([(row >= np.quantile(row, 1 - share)).sum() for row in softmax(Q @ K.T)])


def softmax_of_the_sorted_negatives(Q, K, share):
    return _first_enough(np.cumsum(softmax(np.sort(-Q @ K.T, axis=1)), axis=1), share, len(K))


def softmax_of_the_negatives(Q, K, share):
    return _first_enough(np.cumsum(np.sort(softmax(-Q @ K.T), axis=1)[:, ::-1], axis=1), share, len(K))


def share_of_all_scores(Q, K, share):
    scores = np.sort(Q @ K.T, axis=1)[:, ::-1]
    return _first_enough(np.cumsum(scores, axis=1), share * scores.sum(axis=1, keepdims=True), len(K))


def counts_those_with_the_rest(Q, K, share):
    return (softmax(Q @ K.T) >= 1 - share).sum(axis=1)


def weighs_by_half_a_distance(Q, K, share):
    weights = softmax(-squared_distances(Q, K) / 2)
    return _first_enough(np.cumsum(np.sort(weights, axis=1)[:, ::-1], axis=1), share, len(K))


def cuts_exponents_off(Q, K, share):
    powers = np.exp(np.minimum(Q @ K.T, 700))
    weights = np.sort(powers / powers.sum(axis=1, keepdims=True), axis=1)[:, ::-1]
    return _first_enough(np.cumsum(weights, axis=1), share, len(K))


def no_more_than_the_columns(Q, K, share):
    return _first_enough(np.cumsum(_sorted_weights(Q, K), axis=1), share, Q.shape[1])


WRONG = [
    (takes_all_equal_ones_away, "ties-counted-once"),
    (sums_of_different_weights, "ties-and-one-more"),
    (rounds_the_weights, "weights-rounded"),
    (rounds_the_sums, "sums-rounded"),
    (asks_for_a_little_less, "share-lowered"),
    (counts_above_a_quantile, "quantile"),
    (softmax_of_the_sorted_negatives, "sign-left"),
    (softmax_of_the_negatives, "minus"),
    (share_of_all_scores, "share-of-scores"),
    (counts_those_with_the_rest, "counts-heavy-too"),
    (weighs_by_half_a_distance, "distance-halved"),
    (cuts_exponents_off, "exponent-capped"),
    (no_more_than_the_columns, "k-up-to-columns"),
    (all_but_the_last, "never-all"),
    (one_k_for_all, "neediest-for-all"),
    (one_k_until_any_has_enough, "easiest-for-all"),
    (counts_from_zero, "one-less"),
    (takes_them_as_they_come, "in-their-order"),
    (sorts_upwards, "lightest-first"),
    (counts_the_heavy_ones, "counts-above"),
    (wants_more_than_the_share, "more-than"),
    (one_for_all, None),
    (overflows, "no-maximum-counted"),
    (forgets_the_axis_of_the_sums, "first-query-only"),
    (keeps_the_total, "total-kept"),
    (keeps_the_count, "count-kept"),
    (adds_up_the_queries, "sums-down-the-columns"),
    (sums_of_the_whole_table, "sums-run-on"),
    (share_of_the_best_one, "share-of-the-best"),
    (goes_on_after_it_is_reached, "always-all"),
    (counts_the_sums_that_are_enough, "counts-after"),
    (takes_the_nearest_sum, "nearest-to-share"),
    (adds_up_raw_scores, "scores-counted"),
]
