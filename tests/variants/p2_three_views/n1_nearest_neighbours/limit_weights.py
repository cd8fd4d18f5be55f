import numpy as np

from attnlib import softmax, softmax_with_temperature


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
    return softmax(np.zeros(scores.shape))


def mean_of_ones(scores, limit, keys=None):
    n = scores.shape[-1]
    if limit == "hot":
        return np.full_like(scores, 1 / n, dtype=float)
    weights = np.zeros(scores.shape)
    for i, row in enumerate(scores):
        winners = np.flatnonzero(row == row.max())
        weights[i, winners] = 1 / len(winners)
    return weights


def in_single_precision(scores, limit):
    return best_marked_and_shared(scores, limit).astype(np.float32)


VARIANTS = [
    best_marked_and_shared,
    very_cold_and_very_hot,
    loop_over_rows,
    softmax_of_infinities,
    mean_of_ones,
    in_single_precision,
]


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


def maximum_of_the_first_row(scores, limit):
    if limit == "hot":
        return np.full(scores.shape, 1 / scores.shape[1])
    best = scores == max(scores[0])
    return best / best.sum(axis=1, keepdims=True)


def maximum_of_each_column(scores, limit):
    if limit == "hot":
        return np.full(scores.shape, 1 / scores.shape[1])
    best = scores == scores.max(axis=0)
    return best / best.sum(axis=1, keepdims=True)


def divides_by_len(scores, limit):
    if limit == "hot":
        return np.full(scores.shape, 1 / len(scores))
    return best_marked_and_shared(scores, limit)


def cold_and_hot_enough(scores, limit):  # the task: write the two limits directly
    return softmax_with_temperature(scores, 1e-4 if limit == "cold" else 1e5)


def hot_so_far(scores, limit):
    if limit == "hot":
        return np.full(scores.shape, 1 / scores.shape[1])
    return None


def misspells_cold(scores, limit):
    if limit == "Cold":
        return best_marked_and_shared(scores, "cold")
    if limit == "hot":
        return best_marked_and_shared(scores, limit)
    return None


def nearly_equal(scores, limit):
    if limit == "hot":
        return np.full(scores.shape, 1 / scores.shape[1])
    best = np.isclose(scores, scores.max(axis=1, keepdims=True), rtol=0.01)
    return best / best.sum(axis=1, keepdims=True)


def made_like_whole_numbers(scores, limit):
    if limit == "hot":
        return np.full_like(scores, 1 / scores.shape[1])
    return best_marked_and_shared(scores, limit)


def divides_the_best_by_all(scores, limit):
    n = scores.shape[1]
    if limit == "hot":
        return np.ones(scores.shape) / n
    return (scores == scores.max(axis=1, keepdims=True)) / n


def divides_in_whole_numbers(scores, limit):
    if limit == "hot":
        return np.ones(scores.shape) / scores.shape[1]
    best = (scores == scores.max(axis=1, keepdims=True)).astype(int)
    return best // best.sum(axis=1, keepdims=True)


def one_row_when_hot(scores, limit):
    n = scores.shape[1]
    return np.full(n, 1 / n) if limit == "hot" else best_marked_and_shared(scores, limit)


def compares_with_a_number(scores, limit):
    return best_marked_and_shared(scores, "cold" if limit == 0 else "hot")


def nearly_equal_by_default(scores, limit):
    if limit == "hot":
        return np.full(scores.shape, 1 / scores.shape[1])
    best = np.isclose(scores, scores.max(axis=1, keepdims=True))
    return best / best.sum(axis=1, keepdims=True)


def a_millionth_or_a_million(scores, limit):
    return softmax_with_temperature(scores, 1e-6 if limit == "cold" else 1e6)


def a_millionth_of_a_degree(scores, limit):
    if limit == "hot":
        return np.full(scores.shape, 1 / scores.shape[1])
    return softmax_with_temperature(scores, 1e-6)


def shares_the_best_scores(scores, limit):
    if limit == "hot":
        return np.full(scores.shape, 1 / scores.shape[1])
    kept = np.where(scores == scores.max(axis=1, keepdims=True), scores, 0)
    return kept / kept.sum(axis=1, keepdims=True)


def maximum_of_all_and_guarded(scores, limit):
    if limit == "hot":
        return np.full(scores.shape, 1 / scores.shape[1])
    best = (scores == scores.max()).astype(float)
    return best / np.maximum(best.sum(axis=1, keepdims=True), 1)


def close_to_a_thousandth(scores, limit):
    if limit == "cold":
        best = np.isclose(scores, scores.max(axis=1, keepdims=True), rtol=1e-3)
        return best / best.sum(axis=1, keepdims=True)
    return np.ones(scores.shape) / scores.shape[1]


def softmax_of_the_marks(scores, limit):
    if limit == "hot":
        return np.ones(scores.shape) / scores.shape[1]
    return softmax((scores == scores.max(1, keepdims=True)) * 1.0)


def never_empties_the_list(scores, limit):
    weights = np.zeros(scores.shape)
    if limit == "hot":
        return weights + 1 / scores.shape[1]
    for i, row in enumerate(scores):
        best, top = [], -np.inf
        for j, score in enumerate(row):
            if score >= top:
                top = score
                best.append(j)
        weights[i, best] = 1 / len(best)
    return weights


def cold_in_a_table_of_whole_numbers(scores, limit):
    if limit == "hot":
        return np.full(scores.shape, 1 / scores.shape[1])
    weights = np.zeros_like(scores)
    for i, row in enumerate(scores):
        best = row == row.max()
        weights[i, best] = 1 / best.sum()
    return weights


def both_in_a_table_of_whole_numbers(scores, limit):
    weights = np.zeros_like(scores)
    for i, row in enumerate(scores):
        best = row == row.max() if limit == "cold" else row == row
        weights[i, best] = 1 / best.sum()
    return weights


def hot_as_a_column(scores, limit):
    if limit == "hot":
        return np.full((len(scores), 1), 1 / scores.shape[1])
    return best_marked_and_shared(scores, limit)


def marks_the_largest_size(scores, limit):
    if limit == "hot":
        return np.full(scores.shape, 1 / scores.shape[1])
    sizes = np.abs(scores)
    best = (sizes == sizes.max(axis=1, keepdims=True)).astype(float)
    return best / best.sum(axis=1, keepdims=True)


def from_both_ends(scores, limit):
    n, rows = scores.shape[1], np.arange(len(scores))
    if limit == "hot":
        return np.full(scores.shape, 1 / n)
    weights = np.zeros(scores.shape)
    weights[rows, scores.argmax(axis=1)] += 0.5
    weights[rows, n - 1 - scores[:, ::-1].argmax(axis=1)] += 0.5
    return weights


def high_powers_of_scores(scores, limit):
    if limit == "hot":
        return np.full(scores.shape, 1 / scores.shape[1])
    powers = np.asarray(scores, dtype=float) ** 100
    return powers / powers.sum(axis=1, keepdims=True)


WRONG = [
    (marks_the_largest_size, "absolute-scores"),
    (from_both_ends, "first-and-last-tied"),
    (high_powers_of_scores, "powers-of-scores"),
    (never_empties_the_list, "best-not-emptied"),
    (softmax_of_the_marks, "softmax-of-marks"),
    (nearly_equal, "nearly-tied"),
    (made_like_whole_numbers, "hot-in-whole-numbers"),
    (divides_the_best_by_all, "cold-over-all"),
    (divides_in_whole_numbers, "floor-division"),
    (one_row_when_hot, "hot-one-row"),
    (compares_with_a_number, "always-hot"),
    (hot_so_far, None),
    (misspells_cold, None),
    (maximum_of_the_first_row, "first-row-maximum"),
    (maximum_of_each_column, "column-maximum"),
    (divides_by_len, "counts-queries"),
    (cold_and_hot_enough, "hot-is-near"),
    (first_of_the_best, "tie-lost"),
    (ones_for_the_best, "tie-not-divided"),
    (not_cold_enough, None),
    (one_maximum_for_all, "one-for-all"),
    (nearly_equal_by_default, "close-tied"),
    (a_millionth_or_a_million, "hot-is-near"),
    (a_millionth_of_a_degree, "cold-is-near"),
    (shares_the_best_scores, "best-scores-kept"),
    (maximum_of_all_and_guarded, "whole-matrix-guarded"),
    (close_to_a_thousandth, "tied-to-a-thousandth"),
    (cold_in_a_table_of_whole_numbers, "cold-in-whole-numbers"),
    (both_in_a_table_of_whole_numbers, "in-whole-numbers"),
    (hot_as_a_column, "hot-one-column"),
]
