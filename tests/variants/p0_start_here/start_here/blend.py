import numpy as np


def product(weights, X):
    return weights @ X


def transposed(weights, X):
    return X.T @ weights


def loops(weights, X):
    context = [0.0] * X.shape[1]
    for weight, row in zip(weights, X, strict=True):
        for i in range(len(row)):
            context[i] += weight * row[i]
    return context


def running_total(weights, X):
    context = np.zeros(X.shape[1])
    for j in range(len(X)):
        context = context + weights[j] * X[j]
    return context


def a_second_axis(parts, tokens):
    return (parts[:, np.newaxis] * tokens).sum(axis=0)


def with_einsum(weights, X):
    return np.einsum("n,nd->d", weights, X)


def numpy_average(weights, X):
    return np.average(X, axis=0, weights=weights)


def summed_rows(weights, X):
    return sum(weight * row for weight, row in zip(weights, X, strict=True))


def single_precision(weights, X):
    return np.dot(weights.astype(np.float32), X.astype(np.float32))


VARIANTS = [
    product,
    transposed,
    loops,
    running_total,
    a_second_axis,
    with_einsum,
    numpy_average,
    summed_rows,
    single_precision,
]


def no_weights(weights, X):
    return X.sum(axis=0)


def plain_mean(weights, X):
    return X.mean(axis=0)


def mean_of_weighted(weights, X):
    return (weights[:, None] * X).mean(axis=0)


def weighted_only(weights, X):
    return weights[:, None] * X


def sums_across(weights, X):
    return (weights[:, None] * X).sum(axis=1)


def sums_all(weights, X):
    return np.sum(weights[:, None] * X)


def lines_up_with_columns(weights, X):
    return (weights * X).sum(axis=0)


def wrong_side(weights, X):
    return X @ weights


def takes_the_largest(weights, X):
    return X[np.argmax(weights)]


def returns_in_the_loop(weights, X):
    for weight, row in zip(weights, X, strict=True):
        return weight * row


def overwrites(weights, X):
    for weight, row in zip(weights, X, strict=True):
        context = weight * row
    return context


def stops_early(weights, X):
    context = np.zeros(X.shape[1])
    for j in range(len(X) - 1):
        context += weights[j] * X[j]
    return context


def begins_late(weights, X):
    context = np.zeros(X.shape[1])
    for j in range(1, len(X)):
        context += weights[j] * X[j]
    return context


def backwards(weights, X):
    return weights @ X[::-1]


def keeps_the_row(weights, X):
    return weights[None] @ X


def prints_it(weights, X):
    print(weights @ X)


def the_example(weights, X):
    return np.array([1.0, 3.0, 5.0])


def changes_the_tokens(weights, X):
    X *= weights[:, None]
    return X.sum(axis=0)


def begins_with_the_first(weights, X):
    total = X[0]
    for weight, x in zip(weights, X, strict=True):
        total = total + weight * x
    return total


def weighs_all_so_far(weights, X):
    total = np.zeros(X.shape[1])
    for weight, x in zip(weights, X, strict=True):
        total = weight * (total + x)
    return total


def winner_times_its_weight(weights, X):
    return weights.max() * X[weights.argmax()]


def all_by_the_largest_weight(weights, X):
    return weights.max() * X.sum(axis=0)


def begins_with_the_first_vector(weights, X):
    total = X[0].copy()
    for i in range(1, len(X)):
        total = total + weights[i] * X[i]
    return total


WRONG = [
    (begins_with_the_first_vector, "first-unweighted"),
    (all_by_the_largest_weight, None),
    (winner_times_its_weight, "largest-term"),
    (begins_with_the_first, "first-twice"),
    (weighs_all_so_far, "sum-weighted-again"),
    (no_weights, "plain-sum"),
    (plain_mean, "uniform"),
    (mean_of_weighted, "averaged-again"),
    (weighted_only, "not-summed"),
    (sums_across, "summed-across"),
    (sums_all, "all-summed"),
    (lines_up_with_columns, "across-columns"),
    (wrong_side, "vectors-first"),
    (takes_the_largest, "best-only"),
    (returns_in_the_loop, "first-term"),
    (overwrites, "last-term"),
    (stops_early, "last-left-out"),
    (begins_late, "first-left-out"),
    (backwards, "reversed"),
    (keeps_the_row, "result-axis-in-front"),
    (prints_it, "prints-result"),
    (the_example, "same-for-every-input"),
    (changes_the_tokens, None),
]
