import math

import numpy as np


def in_loops(X, weight, bias, epsilon=1e-12):
    X = np.asarray(X, dtype=float)
    result = np.zeros(X.shape)
    for place in np.ndindex(X.shape[:-1]):
        row = X[place]
        mean = sum(row) / len(row)
        variance = sum((x - mean) ** 2 for x in row) / len(row)
        for j, x in enumerate(row):
            result[(*place, j)] = (x - mean) / math.sqrt(variance + epsilon) * weight[j] + bias[j]
    return result


def in_one_line(X, weight, bias, epsilon=1e-12):
    return (X - X.mean(-1, keepdims=True)) / (X.var(-1, keepdims=True) + epsilon) ** 0.5 * weight + bias


def with_new_axes(X, weight, bias, epsilon=1e-12):
    mean, variance = X.mean(axis=-1)[..., None], X.var(axis=-1)[..., None]
    return weight * ((X - mean) / np.sqrt(variance + epsilon)) + bias


def with_einsum(X, weight, bias, epsilon=1e-12):
    d = X.shape[-1]
    centred = X - np.einsum("...d->...", X)[..., None] / d
    variance = np.einsum("...d,...d->...", centred, centred) / d
    return np.einsum("...d,...,d->...d", centred, 1 / np.sqrt(variance + epsilon), weight) + bias


def by_a_projection(X, weight, bias, epsilon=1e-12):
    d = X.shape[-1]
    centred = X @ (np.eye(d) - np.ones((d, d)) / d)
    lengths = np.linalg.norm(centred, axis=-1, keepdims=True)
    return centred / np.sqrt(lengths**2 / d + epsilon) * weight + bias


def as_lists(X, weight, bias, epsilon=1e-12):
    def rows(part):
        if part.ndim > 1:
            return [rows(one) for one in part]
        mean = float(part.mean())
        root = math.sqrt(float(((part - mean) ** 2).mean()) + epsilon)
        return [float((x - mean) / root * w + b) for x, w, b in zip(part, weight, bias, strict=True)]

    return rows(np.asarray(X, dtype=float))


def in_single_precision(X, weight, bias, epsilon=1e-12):
    X = X.astype(np.float32)
    return in_one_line(X, weight.astype(np.float32), bias.astype(np.float32), np.float32(epsilon))


VARIANTS = [in_loops, in_one_line, with_new_axes, with_einsum, by_a_projection, as_lists, in_single_precision]


def down_the_columns(X, weight, bias, epsilon=1e-12):
    return (X - X.mean(axis=-2, keepdims=True)) / np.sqrt(X.var(axis=-2, keepdims=True) + epsilon) * weight + bias


def no_axis(X, weight, bias, epsilon=1e-12):
    return (X - np.mean(X)) / np.sqrt(np.var(X) + epsilon) * weight + bias


def epsilon_outside(X, weight, bias, epsilon=1e-12):
    return (X - X.mean(-1, keepdims=True)) / (X.std(-1, keepdims=True) + epsilon) * weight + bias


def ddof_of_one(X, weight, bias, epsilon=1e-12):
    mean, variance = X.mean(-1, keepdims=True), X.var(-1, keepdims=True, ddof=1)
    return weight * (X - mean) / np.sqrt(variance + epsilon) + bias


def torch_default(X, weight, bias, epsilon=1e-12):
    return in_one_line(X, weight, bias, 1e-12)


def plain_norm(X, weight, bias, epsilon=1e-12):
    return (X - X.mean(-1, keepdims=True)) / np.sqrt(X.var(-1, keepdims=True) + epsilon)


def flat_means(X, weight, bias, epsilon=1e-12):
    return (X - X.mean(axis=-1)) / np.sqrt(X.var(axis=-1) + epsilon) * weight + bias


def unit_rows(X, weight, bias, epsilon=1e-12):
    centred = X - X.mean(-1, keepdims=True)
    return centred / np.sqrt((centred**2).sum(-1, keepdims=True) + epsilon) * weight + bias


def squared(X, weight, bias, epsilon=1e-12):
    return (X - X.mean(-1, keepdims=True)) / (X.var(-1, keepdims=True) + epsilon) ** 2 * weight + bias


def root_mean_square(X, weight, bias, epsilon=1e-12):
    return X / np.sqrt((X**2).mean(-1, keepdims=True) + epsilon) * weight + bias


def on_axis_zero(X, weight, bias, epsilon=1e-12):
    return (X - X.mean(axis=0)) / np.sqrt(X.var(axis=0) + epsilon) * weight + bias


def deviation_on_axis_zero(X, weight, bias, epsilon=1e-12):
    mean, variance = np.mean(X, axis=0, keepdims=True), np.var(X, axis=0, keepdims=True)
    return weight * (X - mean) / (variance + epsilon) ** 0.5 + bias


def mean_left_on(X, weight, bias, epsilon=1e-12):
    return X / np.sqrt(X.var(-1, keepdims=True) + epsilon) * weight + bias


def by_std(X, weight, bias, epsilon=1e-12):
    return weight * X / X.std(axis=-1, keepdims=True) + bias


def no_parentheses(X, weight, bias, epsilon=1e-12):
    return (X - X.mean(-1, keepdims=True) / np.sqrt(X.var(-1, keepdims=True) + epsilon)) * weight + bias


def as_in_pytorch(X, weight, bias, epsilon=1e-12):
    X = np.asarray(X, dtype=float)
    root = np.sqrt(X.var(axis=-1, keepdims=True) + 1e-5)
    return (X - X.mean(axis=-1, keepdims=True)) / root * weight + bias


def root_of_std(X, weight, bias, epsilon=1e-12):
    X = np.asarray(X, dtype=float)
    root = np.sqrt(X.std(axis=-1, keepdims=True) + epsilon)
    return (X - X.mean(axis=-1, keepdims=True)) / root * weight + bias


def row_by_row(X, weight, bias, epsilon=1e-12):
    rows = []
    for row in X:
        rows.append((row - row.mean()) / np.sqrt(row.var() + epsilon) * weight + bias)
    return np.array(rows)


def as_pytorch_has_it(X, weight, bias, epsilon=1e-5):
    return in_one_line(X, weight, bias, epsilon)


def over_the_range(X, weight, bias, epsilon=1e-12):
    return (X - X.mean(-1, keepdims=True)) / (np.ptp(X, axis=-1, keepdims=True) + epsilon) * weight + bias


def from_nought_to_one(X, weight, bias, epsilon=1e-12):
    low = X.min(axis=-1, keepdims=True)
    return (X - low) / (X.max(axis=-1, keepdims=True) - low + epsilon) * weight + bias


def weight_and_bias_multiply(X, weight, bias, epsilon=1e-12):
    return (X - X.mean(-1, keepdims=True)) / np.sqrt(X.var(-1, keepdims=True) + epsilon) * (weight + bias)


def as_in_keras(X, weight, bias, epsilon=1e-3):
    return (X - X.mean(-1, keepdims=True)) / np.sqrt(X.var(-1, keepdims=True) + epsilon) * weight + bias


def a_millionth_by_default(X, weight, bias, epsilon=1e-6):
    return (X - X.mean(-1, keepdims=True)) / np.sqrt(X.var(-1, keepdims=True) + epsilon) * weight + bias


def never_below_epsilon(X, weight, bias, epsilon=1e-12):
    variance = np.maximum(X.var(-1, keepdims=True), epsilon)
    return (X - X.mean(-1, keepdims=True)) / np.sqrt(variance) * weight + bias


def brackets_forgotten(X, weight, bias, epsilon=1e-12):
    return X - X.mean(-1, keepdims=True) / np.sqrt(X.var(-1, keepdims=True) + epsilon) * weight + bias


ABOVE = 3e-4


def a_number_above(X, weight, bias, epsilon=1e-12):
    centred = X - X.mean(axis=-1, keepdims=True)
    return centred / np.sqrt((centred**2).mean(axis=-1, keepdims=True) + ABOVE) * weight + bias


def into_zeros_like_it(X, weight, bias, epsilon=1e-12):
    result = np.zeros_like(X)
    for place in np.ndindex(X.shape[:-1]):
        row = X[place]
        result[place] = (row - row.mean()) / np.sqrt(row.var() + epsilon) * weight + bias
    return result


def stretched_and_shifted_first(X, weight, bias, epsilon=1e-12):
    X = X * weight + bias
    return (X - X.mean(axis=-1, keepdims=True)) / np.sqrt(X.var(axis=-1, keepdims=True) + epsilon)


def as_for_a_cosine(X, weight, bias, epsilon=1e-12):
    return X / np.linalg.norm(X, axis=-1, keepdims=True) * weight + bias


def two_roots(X, weight, bias, epsilon=1e-12):
    centred = X - X.mean(axis=-1, keepdims=True)
    return centred / (X.std(axis=-1, keepdims=True) + np.sqrt(epsilon)) * weight + bias


def epsilon_without_parentheses(X, weight, bias, epsilon=1e-12):
    return (X - X.mean(-1, keepdims=True)) / X.std(-1, keepdims=True) + epsilon * weight + bias


def a_weight_for_each_row(X, weight, bias, epsilon=1e-12):
    out = np.zeros(X.shape)
    for i, row in enumerate(X):
        out[i] = (row - row.mean()) / np.sqrt(row.var() + epsilon) * weight[i] + bias[i]
    return out


def bias_before_the_root(X, weight, bias, epsilon=1e-12):
    return (X - X.mean(-1, keepdims=True) + bias) / np.sqrt(X.var(-1, keepdims=True) + epsilon) * weight


def in_two_rounds(X, weight, bias, epsilon=1e-12):
    for _ in range(2):
        X = (X - X.mean(-1, keepdims=True)) / np.sqrt(X.var(-1, keepdims=True) + epsilon) * weight + bias
    return X


def square_of_the_mean(X, weight, bias, epsilon=1e-12):
    mean = X.mean(-1, keepdims=True)
    variance = (X - mean).mean(-1, keepdims=True) ** 2
    return (X - mean) / np.sqrt(variance + epsilon) * weight + bias


def over_the_number_of_tokens(X, weight, bias, epsilon=1e-12):
    C = X - X.mean(-1, keepdims=True)
    return C / np.sqrt((C**2).sum(-1, keepdims=True) / len(X) + epsilon) * weight + bias


WRONG = [
    (over_the_number_of_tokens, "divided-by-rows"),
    (bias_before_the_root, "bias-in-the-fraction"),
    (in_two_rounds, "normed-twice"),
    (square_of_the_mean, "averaged-before-squared"),
    (epsilon_without_parentheses, "epsilon-multiplied"),
    (a_weight_for_each_row, "weight-by-row"),
    (stretched_and_shifted_first, "both-first"),
    (as_for_a_cosine, "length-only"),
    (two_roots, "root-of-epsilon-outside"),
    (into_zeros_like_it, "truncated"),
    (a_number_above, "fixed-epsilon"),
    (never_below_epsilon, "floor"),
    (brackets_forgotten, "mean-divided-and-stretched"),
    (weight_and_bias_multiply, "bias-multiplied"),
    (as_in_keras, "other-default"),
    (a_millionth_by_default, "other-default"),
    (row_by_row, "loop-over-first"),
    (as_pytorch_has_it, "other-default"),
    (over_the_range, "by-range"),
    (from_nought_to_one, "from-the-smallest"),
    (down_the_columns, "over-tokens"),
    (no_axis, "over-everything"),
    (epsilon_outside, "epsilon-outside"),
    (ddof_of_one, "sample-variance"),
    (torch_default, "epsilon-ignored"),
    (plain_norm, "no-weight-no-bias"),
    (flat_means, "no-keepdims"),
    (unit_rows, "unit-length"),
    (root_mean_square, "no-mean"),
    (squared, "by-squared-variance"),
    (on_axis_zero, "over-first"),
    (deviation_on_axis_zero, "over-first"),
    (mean_left_on, "stretched-only"),
    (by_std, "stretched-only"),
    (no_parentheses, "mean-divided"),
    (as_in_pytorch, "fixed-epsilon"),
    (root_of_std, "root-of-deviation"),
]
