import math

import numpy as np

import attnlib
from variants.p1_context_vectors.n2_scores.shared import cosine_outer


def cosine_loop(Q, K):
    result = []
    for q in Q:
        row = []
        for k in K:
            size = math.sqrt(sum(a * a for a in q)) * math.sqrt(sum(b * b for b in k))
            row.append(sum(a * b for a, b in zip(q, k, strict=True)) / size if size > 0 else 0.0)
        result.append(row)
    return result


def cosine_nan_to_num(Q, K):
    Q = Q / np.linalg.norm(Q, axis=-1, keepdims=True)
    K = K / np.linalg.norm(K, axis=-1, keepdims=True)
    return np.nan_to_num(Q @ K.T)


def cosine_epsilon(Q, K, eps=1e-12):
    lengths = (np.linalg.norm(Q, axis=1)[:, None] + eps) * (np.linalg.norm(K, axis=1)[None, :] + eps)
    return (Q @ K.T) / lengths


def cosine_einsum(Q, K):
    q_length = np.sqrt(np.einsum("qd,qd->q", Q, Q))
    k_length = np.sqrt(np.einsum("kd,kd->k", K, K))
    q_length, k_length = np.where(q_length == 0, 1, q_length), np.where(k_length == 0, 1, k_length)
    return np.einsum("qd,kd,q,k->qk", Q, K, 1 / q_length, 1 / k_length)


def cosine_single_precision(Q, K):
    return np.float32(cosine_epsilon(np.float32(Q), np.float32(K), np.float32(1e-9)))


def cosine_from_distances(Q, K):
    def unit(X):
        length = np.linalg.norm(X, axis=1, keepdims=True)
        return X / np.where(length > 0, length, 1)

    q, k = unit(Q), unit(K)
    squares = ((q[:, None] - k[None]) ** 2).sum(-1)
    return ((q**2).sum(1)[:, None] + (k**2).sum(1)[None] - squares) / 2


def lengths_both_columns(Q, K):
    of_queries, of_keys = np.linalg.norm(Q, axis=1, keepdims=True), np.linalg.norm(K, axis=1, keepdims=True)
    return (Q @ K.T) / (of_queries * of_keys)


def elementwise_units(Q, K):
    return (Q / np.linalg.norm(Q, axis=1, keepdims=True)) * (K / np.linalg.norm(K, axis=1, keepdims=True))


def from_left_to_right(Q, K):
    scores = np.zeros((len(Q), len(K)))
    for i, q in enumerate(Q):
        for j, k in enumerate(K):
            scores[i, j] = q @ k / np.linalg.norm(q) * np.linalg.norm(k)
    return scores


VARIANTS = [
    cosine_loop,
    cosine_outer,
    cosine_nan_to_num,
    cosine_epsilon,
    cosine_einsum,
    cosine_single_precision,
    cosine_from_distances,
]


def only_keys(Q, K):
    return Q @ (K / np.linalg.norm(K, axis=1, keepdims=True)).T


def only_keys_with_care(Q, K):
    length = np.linalg.norm(K, axis=1, keepdims=True)
    return Q @ (K / np.where(length > 0, length, 1)).T


def only_queries(Q, K):
    return Q / np.linalg.norm(Q, axis=1, keepdims=True) @ K.T


def plain_dot(Q, K):
    return Q @ K.T


def down_the_columns(Q, K):
    return (Q / np.linalg.norm(Q, axis=0)) @ (K / np.linalg.norm(K, axis=0)).T


def whole_norm(Q, K):
    return Q @ K.T / (np.linalg.norm(Q) * np.linalg.norm(K))


def product_of_lengths_raised(Q, K):
    length_q, length_k = np.linalg.norm(Q, axis=1, keepdims=True), np.linalg.norm(K, axis=1, keepdims=True)
    return Q @ K.T / np.maximum(length_q * length_k.T, 1)


def lengths_raised(Q, K):
    length_q, length_k = np.linalg.norm(Q, axis=1, keepdims=True), np.linalg.norm(K, axis=1, keepdims=True)
    return (Q / np.maximum(length_q, 1)) @ (K / np.maximum(length_k, 1)).T


def no_zero_rule(Q, K):
    Q = Q / np.linalg.norm(Q, axis=-1, keepdims=True)
    return Q @ (K / np.linalg.norm(K, axis=-1, keepdims=True)).T


def forgot_keepdims(Q, K):
    return (Q / np.linalg.norm(Q, axis=-1)) @ (K / np.linalg.norm(K, axis=-1)).T


def flat_product_of_lengths(Q, K):
    return Q @ K.T / (np.linalg.norm(Q, axis=1) * np.linalg.norm(K, axis=1))


def no_root(Q, K):
    return Q @ K.T / np.outer((Q**2).sum(1), (K**2).sum(1))


def shares(Q, K):
    return (Q / Q.sum(1, keepdims=True)) @ (K / K.sum(1, keepdims=True)).T


def distance_of_scipy(Q, K):
    return 1 - cosine_outer(Q, K)


def whole_number_rows(Q, K):
    def unit(X):
        rows = np.zeros_like(X)
        for i, row in enumerate(X):
            length = np.linalg.norm(row)
            rows[i] = row / length if length else row
        return rows

    return unit(Q) @ unit(K).T


def a_little_below_the_line(Q, K):
    return Q @ K.T / (np.outer(np.linalg.norm(Q, axis=1), np.linalg.norm(K, axis=1)) + 0.01)


def power_before_division(Q, K):
    of_queries, of_keys = ((X**2).sum(axis=1, keepdims=True) ** 1 / 2 for X in (Q, K))
    return Q / np.where(of_queries, of_queries, 1) @ (K / np.where(of_keys, of_keys, 1)).T


def wrong_cosine_cares_for_keys_only(Q, K):
    lq = np.linalg.norm(Q, axis=1)
    S = np.zeros((len(Q), len(K)))
    for i, q in enumerate(Q):
        for j, k in enumerate(K):
            lk = np.linalg.norm(k)
            if lk > 0:
                S[i, j] = q @ k / (lq[i] * lk)
    return S


def breaks_at_zeros(Q, K):
    out = np.zeros((len(Q), len(K)))
    for i, q in enumerate(Q):
        for j, k in enumerate(K):
            n = np.linalg.norm(q) * np.linalg.norm(k)
            if n == 0:
                break
            out[i, j] = q @ k / n
    return out


def breaks_at_a_query_of_zeros(Q, K):
    out = np.zeros((len(Q), len(K)))
    for i, q in enumerate(Q):
        if not q.any():
            break
        for j, k in enumerate(K):
            if k.any():
                out[i, j] = q @ k / (np.linalg.norm(q) * np.linalg.norm(k))
    return out


def returns_at_zeros(Q, K):
    out = np.zeros((len(Q), len(K)))
    for i, q in enumerate(Q):
        for j, k in enumerate(K):
            n = np.linalg.norm(q) * np.linalg.norm(k)
            if n == 0:
                return out
            out[i, j] = q @ k / n
    return out


def rows_of_scores_to_length_one(Q, K):
    S = Q @ K.T
    n = np.linalg.norm(S, axis=1, keepdims=True)
    n[n == 0] = 1
    return S / n


def rows_of_scores_to_sum_one(Q, K):
    S = Q @ K.T
    n = S.sum(axis=1, keepdims=True)
    n[n == 0] = 1
    return S / n


def len_of_vectors(Q, K):
    return np.array([[q @ k / (len(q) * len(k)) for k in K] for q in Q])


def norm_with_a_one(Q, K):
    return Q @ K.T / (np.linalg.norm(Q, 1) * np.linalg.norm(K, 1))


def one_length_for_all_keys(Q, K):
    n = np.linalg.norm(Q, axis=1, keepdims=True) * np.linalg.norm(K)
    return Q @ K.T / np.where(n == 0, 1, n)


def zeros_are_ones(Q, K):
    Q, K = np.where(Q == 0, 1, Q), np.where(K == 0, 1, K)
    return Q / np.linalg.norm(Q, axis=1, keepdims=True) @ (K / np.linalg.norm(K, axis=1, keepdims=True)).T


def the_whole_table_to_length_one(Q, K):
    S = Q @ K.T
    return S / np.linalg.norm(S)


def unless(zero):
    """Cosines in two loops; 0 where one of the two is held for a vector of zeros."""

    def cosines(Q, K):
        found = np.zeros((len(Q), len(K)))
        for i, q in enumerate(Q):
            for j, k in enumerate(K):
                if not zero(q) and not zero(k):
                    found[i, j] = q @ k / (np.linalg.norm(q) * np.linalg.norm(k))
        return found

    return cosines


def sums_of_zero(Q, K):
    of_queries, of_keys = (np.linalg.norm(X, axis=1, keepdims=True) for X in (Q, K))
    of_queries[Q.sum(1) == 0] = 1
    of_keys[K.sum(1) == 0] = 1
    return Q / of_queries @ (K / of_keys).T


def below_a_hundredth(Q, K):
    of_queries, of_keys = (np.linalg.norm(X, axis=1, keepdims=True) for X in (Q, K))
    return (Q / np.where(of_queries < 1e-2, 1, of_queries)) @ (K / np.where(of_keys < 1e-2, 1, of_keys)).T


def at_least_a_hundredth(Q, K):
    return (Q / np.maximum(np.linalg.norm(Q, axis=1, keepdims=True), 1e-2)) @ (
        K / np.maximum(np.linalg.norm(K, axis=1, keepdims=True), 1e-2)
    ).T


def product_at_least_a_thousandth(Q, K):
    return Q @ K.T / np.maximum(np.outer(np.linalg.norm(Q, axis=1), np.linalg.norm(K, axis=1)), 1e-3)


def product_below_a_thousandth(Q, K):
    product = np.outer(np.linalg.norm(Q, axis=1), np.linalg.norm(K, axis=1))
    return np.where(product < 1e-3, 0, Q @ K.T / np.where(product < 1e-3, 1, product))


def hundred_millionth_added_product(Q, K):
    return Q @ K.T / (np.outer(np.linalg.norm(Q, axis=1), np.linalg.norm(K, axis=1)) + 1e-8)


def millionth_added(Q, K):
    return (Q / (np.linalg.norm(Q, axis=1, keepdims=True) + 1e-6)) @ (
        K / (np.linalg.norm(K, axis=1, keepdims=True) + 1e-6)
    ).T


def filled_like_the_product(Q, K):
    S = np.zeros_like(Q @ K.T)
    for i, q in enumerate(Q):
        for j, k in enumerate(K):
            bottom = np.linalg.norm(q) * np.linalg.norm(k)
            S[i, j] = q @ k / bottom if bottom else 0
    return S


def squares_forgotten(Q, K):
    of_queries, of_keys = (np.sqrt(X.sum(axis=1, keepdims=True)) for X in (Q, K))
    of_queries[of_queries == 0] = 1
    of_keys[of_keys == 0] = 1
    return (Q / of_queries) @ (K / of_keys).T


def between_zero_and_one(Q, K):
    of_queries, of_keys = (np.linalg.norm(X, axis=1, keepdims=True) for X in (Q, K))
    of_queries[of_queries == 0] = 1
    of_keys[of_keys == 0] = 1
    return (1 + (Q / of_queries) @ (K / of_keys).T) / 2


WRONG = [
    (filled_like_the_product, "whole-numbers"),
    (squares_forgotten, "root-of-numbers"),
    (between_zero_and_one, "half-way-up"),
    (unless(lambda vector: vector.sum() == 0), "zero-by-sum"),
    (unless(lambda vector: not vector.all()), "zero-if-any"),
    (sums_of_zero, "zero-by-sum-undivided"),
    (below_a_hundredth, "taken-for-zero"),
    (at_least_a_hundredth, "raised"),
    (product_at_least_a_thousandth, "raised-product"),
    (product_below_a_thousandth, "taken-for-zero-product"),
    (hundred_millionth_added_product, "added-product"),
    (millionth_added, "added"),
    (the_whole_table_to_length_one, "scores-by-one-length"),
    (breaks_at_zeros, "stops-at-zero"),
    (breaks_at_a_query_of_zeros, "stops-at-zero-query"),
    (returns_at_zeros, "ends-at-zero"),
    (rows_of_scores_to_length_one, "scores-by-length"),
    (rows_of_scores_to_sum_one, "scores-by-sum"),
    (len_of_vectors, "number-of-entries"),
    (norm_with_a_one, "columns-added"),
    (one_length_for_all_keys, "lengths-of-all-keys"),
    (zeros_are_ones, "zeros-replaced"),
    (a_little_below_the_line, "hundredth-added-product"),
    (power_before_division, "half-squared"),
    (lengths_both_columns, "column-lengths"),
    (elementwise_units, "elementwise"),
    (from_left_to_right, "multiplied-back"),
    (only_keys, "keys-only"),
    (only_keys_with_care, "keys-only"),
    (only_queries, "queries-only"),
    (plain_dot, "dot-product"),
    (down_the_columns, "columns"),
    (whole_norm, "whole-matrix"),
    (no_zero_rule, "zero-vector"),
    (product_of_lengths_raised, "product-as-one"),
    (lengths_raised, "short-as-one"),
    (forgot_keepdims, "no-keepdims"),
    (flat_product_of_lengths, "flat-lengths"),
    (no_root, "squared-length"),
    (shares, "sum-as-length"),
    (distance_of_scipy, "one-minus"),
    (whole_number_rows, "whole-numbers"),
    (attnlib.cosine_scores, "library-function"),
    (wrong_cosine_cares_for_keys_only, "zero-query"),
]
