import numpy as np


def mean_by_method(X):
    return X.mean(axis=0)


def mean_by_function(X):
    return np.mean(X, axis=-2)


def mean_by_sum(X):
    return X.sum(axis=0) / len(X)


def mean_by_loop(X):
    total = np.zeros(X.shape[1])
    for row in X:
        total += row
    return total / X.shape[0]


def mean_by_product(X):
    return np.ones(len(X)) @ X / len(X)


def mean_by_einsum(X):
    return np.einsum("nd->d", X) / X.shape[0]


def mean_as_list(X):
    return [float(sum(column)) / len(column) for column in zip(*X, strict=True)]


def mean_float32(X, axis=0):
    return np.average(np.asarray(X, dtype=np.float32), axis=axis)


def mean_over_numbers(X):
    return np.mean(X, axis=1)


def mean_of_everything(X):
    return np.mean(X)


def mean_is_sum(X):
    return np.sum(X, axis=0)


def mean_keepdims(X):
    return X.mean(axis=0, keepdims=True)


def mean_divides_by_width(X):
    return sum(X) / len(X[0])


def mean_in_place(X):
    for i in range(1, len(X)):
        X[0] += X[i]
    return X[0] / len(X)


VARIANTS = [
    mean_by_method,
    mean_by_function,
    mean_by_sum,
    mean_by_loop,
    mean_by_product,
    mean_by_einsum,
    mean_as_list,
    mean_float32,
]


def mean_divides_in_every_round(X):
    total = np.zeros(X.shape[1])
    for row in X:
        total += row
        total /= len(X)
    return total


def mean_returns_in_the_loop(X):
    total = 0
    for row in X:
        total = total + row
        return total / len(X)


def mean_of_mean_and_row(X):
    mean = X[0]
    for row in X[1:]:
        mean = (mean + row) / 2
    return mean


def mean_begins_with_the_first_row(X):
    total = X[0].copy()
    for row in X:
        total += row
    return total / len(X)


def mean_of_different_rows(X):
    return np.unique(X, axis=0).mean(axis=0)


def brackets_forgotten(X):
    return X[0] + sum(X[1:]) / len(X)


def mean_taken_off(X):
    return X - X.mean(axis=0)


WRONG = [
    (mean_taken_off, "centred"),
    (brackets_forgotten, "first-undivided"),
    (mean_of_different_rows, "equal-once"),
    (mean_begins_with_the_first_row, "first-twice"),
    (mean_divides_in_every_round, "divided-each-round"),
    (mean_returns_in_the_loop, "first-round-only"),
    (mean_of_mean_and_row, "halving"),
    (mean_over_numbers, "other-axis"),
    (mean_of_everything, "whole-matrix"),
    (mean_is_sum, "sum"),
    (mean_keepdims, "result-axis-in-front"),
    (mean_divides_by_width, "divided-by-width"),
    (mean_in_place, "changes-input"),
]
