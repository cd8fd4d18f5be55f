import numpy as np

import attnlib


def jacobian_by_loops(p):
    n = len(p)
    J = np.zeros((n, n))
    for i in range(n):
        for j in range(n):
            J[i, j] = p[i] * ((i == j) - p[j])
    return J


def jacobian_column_times_row(p):
    return np.diag(p) - p[:, None] * p[None, :]


def jacobian_by_einsum(p):
    return np.diag(p) - np.einsum("i,j->ij", p, p)


def jacobian_factored(p):
    return p[:, None] * (np.eye(len(p)) - p)


def jacobian_fill_diagonal(p):
    J = -np.outer(p, p)
    np.fill_diagonal(J, p * (1 - p))
    return J


def jacobian_as_lists(p):
    return [[float(a * (1 - a)) if i == j else float(-a * b) for j, b in enumerate(p)] for i, a in enumerate(p)]


def jacobian_float32(p, dtype=np.float32):
    p = p.astype(dtype)
    column = p.reshape(-1, 1)
    return np.diagflat(column) - column @ column.T


def jacobian_sigmoid(p):
    return np.diag(p * (1 - p))


def jacobian_flat_product(p):
    return np.diag(p) - p.T @ p


def jacobian_squares(p):
    return np.diag(p) - p * p.T


def jacobian_of_scores(p):
    weights = attnlib.softmax(p)
    return np.diag(weights) - np.outer(weights, weights)


def jacobian_with_eye(p):
    return np.eye(len(p)) - np.outer(p, p)


def jacobian_row(p):
    return p * (1 - p)


def jacobian_in_place(p):
    J = np.diag(p) - np.outer(p, p)
    p -= p
    return J


VARIANTS = [
    jacobian_by_loops,
    jacobian_column_times_row,
    jacobian_by_einsum,
    jacobian_factored,
    jacobian_fill_diagonal,
    jacobian_as_lists,
    jacobian_float32,
]


def jacobian_upper_triangle(p):
    J = np.zeros((len(p), len(p)))
    for i in range(len(p)):
        for j in range(i, len(p)):
            J[i, j] = p[i] * ((i == j) - p[j])
    return J


def jacobian_square_twice(p):
    J = -np.outer(p, p)
    for i in range(len(p)):
        J[i, i] += p[i] - p[i] ** 2
    return J


def jacobian_of_three(p):
    J = np.zeros((3, 3))
    for i in range(3):
        for j in range(3):
            J[i, j] = p[i] * ((i == j) - p[j])
    return J


def last_ones_left_out(p):
    n = len(p)
    J = np.zeros((n, n))
    for i in range(n - 1):
        for j in range(n - 1):
            J[i, j] = p[i] * (i == j) - p[i] * p[j]
    return J


def squares_down(p):
    J = np.diag(p)
    return J - (p * p)[:, None]


def wrong_jacobian_above_the_diagonal(p):
    n = len(p)
    J = np.zeros((n, n))
    for i in range(n):
        J[i, i] = p[i] - p[i] ** 2
        for j in range(i + 1, n):
            J[i, j] = -p[i] * p[j]
    return J


def weights_off_the_rows(p):
    return np.diag(p) - p


def weights_off_the_columns(p):
    return np.diag(p) - p[:, None]


def largest_entry_of_all(p):
    return (np.diag(p) - np.outer(p, p)).max()


def squares_on_the_diagonal(p):
    return np.diag(p**2) - np.outer(p, p)


WRONG = [
    (jacobian_of_three, "always-three"),
    (jacobian_square_twice, "square-taken-twice"),
    (jacobian_sigmoid, "sigmoid"),
    (jacobian_flat_product, "inner-product"),
    (jacobian_squares, "row-broadcast"),
    (jacobian_of_scores, "softmax-again"),
    (jacobian_with_eye, "ones-on-diagonal"),
    (jacobian_row, "one-row"),
    (jacobian_in_place, "changes-input"),
    (attnlib.softmax_jacobian, "library-function"),
    (jacobian_upper_triangle, "result-upper-triangle"),
    (last_ones_left_out, "last-not-filled"),
    (squares_down, "row-broadcast-down"),
    (wrong_jacobian_above_the_diagonal, "result-upper-triangle"),
    (weights_off_the_rows, "weights-taken-off"),
    (weights_off_the_columns, "weights-taken-off-down"),
    (largest_entry_of_all, "largest-entry"),
    (squares_on_the_diagonal, "zeros-on-diagonal"),
]
