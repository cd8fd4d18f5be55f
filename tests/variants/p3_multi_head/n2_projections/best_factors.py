import numpy as np


def all_strengths_in_one_factor(M, d_k):
    U, s, Vt = np.linalg.svd(M)
    return U[:, :d_k] * s[:d_k], Vt[:d_k].T


def roots_in_both(M, d_k):
    U, s, Vt = np.linalg.svd(M)
    root = np.sqrt(s[:d_k])
    return U[:, :d_k] * root, (Vt[:d_k].T) * root


def with_diagonal_matrices(M, d_k):
    U, s, Vt = np.linalg.svd(np.array(M, dtype=float), full_matrices=False)
    return [U[:, :d_k], (np.diag(s[:d_k]) @ Vt[:d_k, :]).T]


def from_the_eigenvectors_of_the_square(M, d_k):
    _, vectors = np.linalg.eigh(M.T @ M)
    W_k = vectors[:, ::-1][:, :d_k]
    return M @ W_k, W_k


def from_the_other_square(M, d_k):
    values, vectors = np.linalg.eigh(M @ M.T)
    W_q = vectors[:, np.argsort(-values)[:d_k]]
    return W_q, M.T @ W_q


def turned_otherwise_each_time(M, d_k):
    W_q, W_k = all_strengths_in_one_factor(M, d_k)
    turn = np.linalg.qr(np.random.default_rng().normal(size=(d_k, d_k)))[0]
    return W_q @ turn, W_k @ turn


def turned_by_a_rotation(M, d_k):
    W_q, W_k = all_strengths_in_one_factor(M, d_k)
    turn = np.linalg.qr(np.arange(d_k * d_k).reshape(d_k, d_k) + 3 * np.eye(d_k))[0]
    return W_q @ turn, W_k @ turn


def other_signs(M, d_k):
    W_q, W_k = roots_in_both(M, d_k)
    return -W_q, -W_k


def by_turns(M, d_k):
    """Each factor is the best one for the other, again and again."""
    n = len(M)
    W_k = np.cos(np.outer(np.arange(1, n + 1), np.arange(1, d_k + 1)) ** 1.5)
    for _ in range(100):
        W_q = M @ np.linalg.pinv(W_k.T, rcond=1e-9)
        W_k = (np.linalg.pinv(W_q, rcond=1e-9) @ M).T
    return W_q, W_k


VARIANTS = [
    all_strengths_in_one_factor,
    roots_in_both,
    with_diagonal_matrices,
    from_the_eigenvectors_of_the_square,
    from_the_other_square,
    turned_otherwise_each_time,
    turned_by_a_rotation,
    other_signs,
    by_turns,
]


def columns_of_vt(M, d_k):
    U, s, Vt = np.linalg.svd(M)
    return U[:, :d_k] * s[:d_k], Vt[:, :d_k]


def strengths_in_both(M, d_k):
    U, s, Vt = np.linalg.svd(M)
    return U[:, :d_k] * s[:d_k], Vt[:d_k].T * s[:d_k]


def all_columns(M, d_k):
    U, s, Vt = np.linalg.svd(M)
    return U * s, Vt.T


def not_turned_back(M, d_k):
    U, s, Vt = np.linalg.svd(M)
    return U[:, :d_k] * s[:d_k], Vt[:d_k]


def nearest_table(M, d_k):
    U, s, Vt = np.linalg.svd(M)
    return (U[:, :d_k] * s[:d_k]) @ Vt[:d_k]


def of_the_symmetric_part(M, d_k):
    values, vectors = np.linalg.eigh((M + M.T) / 2)
    best = np.argsort(-np.abs(values))[:d_k]
    return vectors[:, best] * values[best], vectors[:, best]


def exchanged(M, d_k):
    U, s, Vt = np.linalg.svd(M)
    return Vt[:d_k].T, U[:, :d_k] * s[:d_k]


def rounded(M, d_k):
    U, s, Vt = np.linalg.svd(M)
    return np.round(U[:, :d_k] * s[:d_k], 2), np.round(Vt[:d_k].T, 2)


def writes_into_the_table(M, d_k):
    M -= M.mean()
    return all_strengths_in_one_factor(M, d_k)


def as_if_symmetric(M, d_k):
    values, vectors = np.linalg.eigh(M)
    order = np.argsort(-np.abs(values))[:d_k]
    return vectors[:, order] * values[order], vectors[:, order]


def eigenvalues(M, d_k):
    values, vectors = np.linalg.eig(M)
    order = np.argsort(values)[::-1][:d_k]
    E = vectors[:, order]
    return E * values[order], E


def first_of_qr(M, d_k):
    Q, R = np.linalg.qr(M)
    return Q[:, :d_k], R[:d_k].T


def strongest_rows(M, d_k):
    strongest = np.argsort(-(M**2).sum(axis=1))[:d_k]
    W_q = np.zeros((len(M), d_k))
    W_q[strongest, np.arange(d_k)] = 1
    return W_q, M[strongest].T


def too_large_by_the_root(M, d_k):
    U, s, Vt = np.linalg.svd(M)
    root = np.sqrt(s[:d_k])
    return U[:, :d_k] * root * np.sqrt(d_k), Vt[:d_k].T * root


def as_many_as_the_rank(M, d_k):
    U, s, Vt = np.linalg.svd(M)
    r = min(d_k, np.linalg.matrix_rank(M))
    return U[:, :r] * s[:r], Vt[:r].T


def divides_by_zero(M, d_k):
    values, V = np.linalg.eigh(M.T @ M)
    top = np.argsort(values)[::-1][:d_k]
    s = np.sqrt(values[top])
    U = M @ V[:, top] / s
    return U * s, V[:, top]


def roots_in_both_not_turned_back(M, d_k):
    U, s, Vt = np.linalg.svd(M)
    root = np.sqrt(s[:d_k])
    return U[:, :d_k] * root, root[:, None] * Vt[:d_k]


def last_of_eigh(M, d_k):
    w, U = np.linalg.eigh(M)
    return U[:, -d_k:] * w[-d_k:], U[:, -d_k:]


def diagonal_on_the_other_side(M, d_k):
    U, s, Vt = np.linalg.svd(M)
    return (np.diag(s) @ U)[:, :d_k], Vt[:d_k].T


def weak_ones_set_to_zero(M, d_k):
    U, s, V = np.linalg.svd(M)
    s[d_k:] = 0
    return U * s, V.T


def always_two_columns(M, d_k):
    U, s, V = np.linalg.svd(M)
    return U[:, :2] * s[:2], V.T[:, :2]


def one_column_fewer(M, d_k):
    U, s, V = np.linalg.svd(M)
    return U[:, : d_k - 1] * s[: d_k - 1], V.T[:, : d_k - 1]


def multiplied_together(M, d_k):
    U, s, V = np.linalg.svd(M)
    return U[:, :d_k] @ s[:d_k], V.T[:, :d_k]


def two_decompositions(M, d_k):
    squares, U = np.linalg.eigh(M @ M.T)
    _, V = np.linalg.eigh(M.T @ M)
    strengths = np.sqrt(np.maximum(squares[::-1][:d_k], 0))
    return U[:, ::-1][:, :d_k] * strengths, V[:, ::-1][:, :d_k]


def rows_of_u(M, d_k):
    U, s, Vt = np.linalg.svd(M)
    return U[:d_k].T * s[:d_k], Vt[:d_k].T


def not_transposed_for_the_keys(M, d_k):
    _, vectors = np.linalg.eigh(M @ M.T)
    return vectors[:, -d_k:], M @ vectors[:, -d_k:]


def single_entries(M, d_k):
    W_q, W_k = np.zeros((len(M), d_k)), np.zeros((len(M), d_k))
    for column, place in enumerate(np.argsort(-np.abs(M).ravel(), kind="stable")[:d_k]):
        i, j = divmod(int(place), len(M))
        W_q[i, column], W_k[j, column] = M[i, j], 1.0
    return W_q, W_k


WRONG = [
    (weak_ones_set_to_zero, "wrong-shape"),
    (always_two_columns, "argument-ignored"),
    (one_column_fewer, "result-last-column-lost"),
    (multiplied_together, "result-summed"),
    (diagonal_on_the_other_side, "rows-scaled"),
    (columns_of_vt, "vectors-not-transposed"),
    (strengths_in_both, "strengths-twice"),
    (all_columns, "wide"),
    (not_turned_back, "second-transposed"),
    (nearest_table, "product-returned"),
    (of_the_symmetric_part, "symmetric-part"),
    (exchanged, "factors-exchanged"),
    (rounded, None),
    (writes_into_the_table, None),
    (as_if_symmetric, "triangle-only"),
    (eigenvalues, "eigenvectors"),
    (first_of_qr, "first-of-qr"),
    (strongest_rows, "strongest-rows"),
    (too_large_by_the_root, "scaled-by-root-d_k"),
    (as_many_as_the_rank, "fewer-columns"),
    (divides_by_zero, "divides-by-zero"),
    (roots_in_both_not_turned_back, "second-transposed-with-roots"),
    (last_of_eigh, "triangle-only-largest"),
    (two_decompositions, "signs-do-not-fit"),
    (rows_of_u, "left-rows"),
    (not_transposed_for_the_keys, "left-for-both"),
    (single_entries, "largest-entries"),
]
