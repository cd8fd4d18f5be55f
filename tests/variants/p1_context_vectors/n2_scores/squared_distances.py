import numpy as np

import attnlib
from variants.p1_context_vectors.n2_scores.shared import distance_broadcast


def distance_loop(Q, K):
    return [[sum((a - b) ** 2 for a, b in zip(q, k, strict=True)) for k in K] for q in Q]


def distance_expanded(Q, K):
    return (Q**2).sum(1, keepdims=True) - 2 * Q @ K.T + (K**2).sum(1)


def distance_norm(Q, K):
    return np.linalg.norm(Q[:, None] - K[None], axis=-1) ** 2


def distance_einsum(Q, K):
    differences = Q[:, np.newaxis, :] - K
    return np.einsum("qkd,qkd->qk", differences, differences)


def distance_single_precision(Q, K):
    return distance_expanded(Q.astype("float32"), K.astype("float32"))


def distance_key_by_key(Q, K, metric="euclidean"):
    return np.array([np.square(Q - k).sum(axis=1) for k in K]).T


def distance_turned(Q, K):
    return np.maximum(distance_expanded(K, Q).T, 0)


def sums_of_differences(Q, K):
    return [[np.sum(q - k) for k in K] for q in Q]


def only_products(Q, K):
    return Q @ K.T


def without_an_axis(Q, K):
    return np.sum((Q[:, None] - K[None]) ** 2)


VARIANTS = [
    distance_loop,
    distance_expanded,
    distance_broadcast,
    distance_norm,
    distance_einsum,
    distance_single_precision,
    distance_key_by_key,
    distance_turned,
]


def with_root(Q, K):
    return np.linalg.norm(Q[:, None] - K[None], axis=-1)


def wrong_sign(Q, K):
    return (Q**2).sum(1, keepdims=True) + 2 * Q @ K.T + (K**2).sum(1)


def one_product(Q, K):
    return (Q**2).sum(1, keepdims=True) - Q @ K.T + (K**2).sum(1)


def no_product(Q, K):
    return (Q**2).sum(1)[:, None] + (K**2).sum(1)[None]


def lengths_not_squared(Q, K):
    return np.linalg.norm(Q, axis=1, keepdims=True) - 2 * Q @ K.T + np.linalg.norm(K, axis=1)


def two_columns(Q, K):
    return (Q**2).sum(1, keepdims=True) - 2 * Q @ K.T + (K**2).sum(1, keepdims=True)


def whole_sums(Q, K):
    return (Q**2).sum() - 2 * Q @ K.T + (K**2).sum()


def no_query_length(Q, K):
    return (K**2).sum(1) - 2 * Q @ K.T


def no_key_length(Q, K):
    return (Q**2).sum(1, keepdims=True) - 2 * Q @ K.T


def as_score(Q, K):
    return -distance_broadcast(Q, K)


def averaged(Q, K):
    return ((Q[:, None] - K[None]) ** 2).mean(axis=-1)


def city_blocks(Q, K):
    return np.abs(Q[:, None] - K[None]).sum(-1)


def squares_the_sum(Q, K):
    return (Q[:, None] - K[None]).sum(-1) ** 2


def rows_only(Q, K):
    return ((Q - K) ** 2).sum(axis=1)


def flat_lengths(Q, K):
    return (Q**2).sum(axis=1) - 2 * Q @ K.T + (K**2).sum(axis=1)


def distances_over_keys(Q, K):
    return ((Q[:, None] - K[None]) ** 2).sum(axis=1)


def distances_over_queries(Q, K):
    return ((Q[:, None] - K[None]) ** 2).sum(axis=0)


def keys_count_rows(Q, K):
    return ((K[:, None] - Q[None]) ** 2).sum(axis=-1)


def subtracts_in_place(Q, K):
    result = np.zeros((len(Q), len(K)))
    for j in range(len(K)):
        K[j] -= Q[0]
        result[0, j] = (K[j] ** 2).sum()
    return result


def squared_sums(Q, K):
    return (Q.sum(axis=1) ** 2)[:, None] - 2 * Q @ K.T + K.sum(axis=1) ** 2


def of_unit_vectors(Q, K):
    return 2 - 2 * Q @ K.T


def only_the_middle_term(Q, K):
    return -2 * (Q @ K.T)


def a_gaussian(Q, K):
    return np.exp(-((Q[:, None] - K) ** 2).sum(-1))


def a_gaussian_of_halves(Q, K):
    return np.exp(-((Q[:, None] - K) ** 2).sum(-1) / 2)


def one_sum_for_all_keys(Q, K):
    return (Q**2).sum(1, keepdims=True) - 2 * Q @ K.T + (K**2).sum()


def one_norm_for_all_queries(Q, K):
    return np.linalg.norm(Q) ** 2 - 2 * Q @ K.T + (K**2).sum(axis=1)


WRONG = [
    (only_the_middle_term, "no-lengths"),
    (a_gaussian, "exponential"),
    (a_gaussian_of_halves, "exponential-times"),
    (one_sum_for_all_keys, "whole-keys"),
    (one_norm_for_all_queries, "whole-queries"),
    (squared_sums, "sums-squared"),
    (of_unit_vectors, "lengths-as-one"),
    (sums_of_differences, "not-squared"),
    (only_products, "dot-product"),
    (without_an_axis, "result-summed-whole"),
    (with_root, "root"),
    (wrong_sign, "plus-sign"),
    (one_product, "no-two"),
    (no_product, "no-product"),
    (lengths_not_squared, "length-not-squared"),
    (two_columns, "keys-as-column"),
    (whole_sums, "whole-matrix"),
    (no_query_length, "no-query-length"),
    (no_key_length, "no-key-length"),
    (as_score, "negated"),
    (averaged, "mean-not-sum"),
    (city_blocks, "absolute"),
    (squares_the_sum, "sum-first"),
    (rows_only, "row-pairs"),
    (flat_lengths, "no-keepdims"),
    (distances_over_keys, "sum-over-keys"),
    (distances_over_queries, "sum-over-queries"),
    (keys_count_rows, "transposed-result"),
    (subtracts_in_place, "changes-input"),
    (attnlib.squared_distances, "library-function"),
]
