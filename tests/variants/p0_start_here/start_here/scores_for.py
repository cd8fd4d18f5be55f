import math

import numpy as np


def matrix_product(q, X):
    return X @ q


def from_the_left(q, X):
    return q @ X.T


def loops(q, X):
    scores = []
    for row in X:
        score = 0
        for a, b in zip(q, row, strict=True):
            score += a * b
        scores.append(score)
    return scores


def filled_in(query, tokens):
    scores = np.zeros(len(tokens))
    for j in range(tokens.shape[0]):
        for i in range(tokens.shape[1]):
            scores[j] += query[i] * tokens[j, i]
    return scores


def products_summed(q, X):
    return (X * q).sum(axis=1)


def with_einsum(q, X):
    return np.einsum("d,nd->n", q, X)


def row_by_row(q, X):
    return tuple(np.dot(row, q) for row in X)


def exact_sums(q, X):
    return np.array([math.fsum(q * row) for row in X])


def single_precision(q, X):
    return X.astype(np.float32) @ q.astype(np.float32)


VARIANTS = [
    matrix_product,
    from_the_left,
    loops,
    filled_in,
    products_summed,
    with_einsum,
    row_by_row,
    exact_sums,
    single_precision,
]


def other_side(q, X):
    return q @ X


def products_only(q, X):
    return X * q


def sums_down(q, X):
    return np.sum(X * q, axis=0)


def sums_all(q, X):
    return np.sum(X * q)


def as_shown_by_hand(q, X):
    return [q[0] * row[0] + q[1] * row[1] for row in X]


def returns_in_the_loop(q, X):
    for row in X:
        score = 0
        for a, b in zip(q, row, strict=True):
            score += a * b
        return score


def overwrites(q, X):
    scores = []
    for row in X:
        for a, b in zip(q, row, strict=True):
            score = a * b
        scores.append(score)
    return scores


def never_starts_again(q, X):
    scores, score = [], 0
    for row in X:
        for a, b in zip(q, row, strict=True):
            score += a * b
        scores.append(score)
    return scores


def adds(q, X):
    return (X + q).sum(axis=1)


def takes_the_mean(q, X):
    return (X * q).mean(axis=1)


def cosines(q, X):
    return X @ q / (np.linalg.norm(X, axis=1) * np.linalg.norm(q))


def distances(q, X):
    return np.sqrt(((X - q) ** 2).sum(axis=1))


def forgets_q(q, X):
    return X.sum(axis=1)


def a_column(q, X):
    return X @ q[:, None]


def prints_it(q, X):
    print(X @ q)


def changes_the_tokens(q, X):
    X *= q
    return X.sum(axis=1)


def squared_differences(q, X):
    return ((X - q) ** 2).sum(axis=1)


def loops_over_the_columns(q, X):
    n, d = X.shape
    scores = np.zeros(n)
    for j in range(min(n, d)):
        scores[j] = q @ X[j]
    return scores


def one_product(q, X):
    return (X * q).prod(axis=1)


def both_ends(q, X):
    return [row[0] * q[0] + row[-1] * q[-1] for row in X]


def product_of_sums(q, X):
    return q.sum() * X.sum(axis=1)


WRONG = [
    (product_of_sums, "sums-multiplied"),
    (one_product, "products-multiplied"),
    (both_ends, "ends-only"),
    (squared_differences, "squared-distance"),
    (loops_over_the_columns, "loop-over-width"),
    (other_side, "columns-scored"),
    (products_only, "not-summed"),
    (sums_down, "summed-down"),
    (sums_all, "all-summed"),
    (as_shown_by_hand, "first-two"),
    (returns_in_the_loop, None),
    (overwrites, "last-only"),
    (never_starts_again, "running-total"),
    (adds, "added"),
    (takes_the_mean, "averaged"),
    (cosines, "cosine"),
    (distances, "distance"),
    (forgets_q, "q-forgotten"),
    (a_column, "result-axis-behind"),
    (prints_it, "prints-result"),
    (changes_the_tokens, None),
]
