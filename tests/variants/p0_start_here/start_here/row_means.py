import numpy as np


def loop(X):
    means = []
    for row in X:
        total = 0.0
        for number in row:
            total += number
        means.append(total / len(row))
    return np.array(means)


def list_result(X):
    return [float(row.mean()) for row in X]


def tuple_result(X):
    return tuple(sum(row) / len(row) for row in X.tolist())


def with_einsum(X, axis=1):
    return np.einsum("nd->n", X) / X.shape[axis]


def transposed_first(X):
    return X.T.mean(axis=0)


def in_single_precision(X):
    return X.astype(np.float32).mean(axis=-1)


def product_with_ones(X, dtype=float):
    d = X.shape[1]
    return X @ np.full(d, 1 / d, dtype=dtype)


def keeps_then_squeezes(X):
    return X.mean(axis=1, keepdims=True)[:, 0]


def as_objects(X):
    return np.array([row.mean() for row in X], dtype=object)


VARIANTS = [
    as_objects,
    loop,
    list_result,
    tuple_result,
    with_einsum,
    transposed_first,
    in_single_precision,
    product_with_ones,
    keeps_then_squeezes,
]


def as_handed_out(X):
    means = X.mean(axis=0)  # wrong on purpose
    return means


def forgets_the_axis(X):
    return np.mean(X)


def only_adds(X):
    return np.array([sum(row) for row in X])


def divides_by_the_rows(X):
    return np.array([sum(row) / len(X) for row in X])


def a_column(X):
    return X.mean(1, keepdims=True)


def takes_the_middle(X):
    return np.median(X, axis=1)


def prints_it(X):
    print(X.mean(axis=1))


def first_row_only(X):
    return np.full(len(X), X[0].mean())


def begins_with_the_first_number(X):
    means = []
    for row in X:
        total = row[0]
        for number in row:
            total = total + number
        means.append(total / len(row))
    return np.array(means)


def into_whole_numbers(X):
    means = np.zeros(len(X), dtype=int)
    for i, row in enumerate(X):
        means[i] = sum(row) / len(row)
    return means


def turned_first(X):
    means = X.T.mean(axis=1)
    return means


def down_and_by_the_width(X):
    return [sum(X[i][j] for i in range(len(X))) / len(X[0]) for j in range(len(X[0]))]


WRONG = [
    (down_and_by_the_width, "columns-by-width"),
    (begins_with_the_first_number, "first-twice"),
    (as_handed_out, "columns"),
    (forgets_the_axis, "whole-matrix"),
    (only_adds, "sum"),
    (divides_by_the_rows, "wrong-count"),
    (a_column, "result-axis-behind"),
    (takes_the_middle, "median"),
    (prints_it, "prints-result"),
    (first_row_only, None),
    (into_whole_numbers, "result-truncated"),
    (turned_first, "columns"),
]
