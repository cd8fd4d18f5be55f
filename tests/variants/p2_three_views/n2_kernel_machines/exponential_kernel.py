import math

import numpy as np

import attnlib


def exponential_at(Q, K):
    return np.exp(Q @ K.T)


def exponential_by_loops(Q, K):
    return [[math.exp(sum(a * b for a, b in zip(q, k, strict=True))) for k in K] for q in Q]


def exponential_by_einsum(Q, K):
    return np.exp(np.einsum("qd,kd->qk", Q, K))


def exponential_power_of_e(Q, K, base=np.e):
    return base ** np.dot(Q, K.T)


def exponential_float32(Q, K):
    return np.exp(np.float32(Q) @ np.float32(K).T)


def exponential_by_inner(Q, K):
    return np.exp(np.inner(Q, K))


def exponential_by_rows(Q, K):
    return np.stack([np.exp(K @ q) for q in Q])


def exponential_is_softmax(Q, K):
    return attnlib.softmax(Q @ K.T)


def exponential_with_maximum_off(Q, K):
    scores = Q @ K.T
    return np.exp(scores - scores.max(axis=-1, keepdims=True))


def exponential_inside(Q, K):
    return np.exp(Q) @ np.exp(K).T


def exponential_forgotten(Q, K):
    return Q @ K.T


def exponential_transposed(Q, K):
    return np.exp(K @ Q.T)


VARIANTS = [
    exponential_at,
    exponential_by_loops,
    exponential_by_einsum,
    exponential_power_of_e,
    exponential_float32,
    exponential_by_inner,
    exponential_by_rows,
]


def clipped_against_overflow(Q, K):
    return np.exp(np.clip(Q @ K.T, -10, 10))


def exponential_of_the_queries(Q, K):
    return np.exp(Q) @ K.T


def cut_off_at_zero(Q, K):
    return np.exp(np.maximum(Q @ K.T, 0))


def times_e(Q, K):
    return np.e * (Q @ K.T)


def wrong_exponential_of_the_distance(Q, K):
    return np.exp(-attnlib.squared_distances(Q, K) / 2)


def powers_of_e_the_other_way(Q, K):
    return (Q @ K.T) ** np.e


def logarithms(Q, K):
    return np.log(Q @ K.T)


def half_dot_products(Q, K):
    return np.exp(Q @ K.T / 2)


WRONG = [
    (exponential_of_the_queries, "queries-only"),
    (cut_off_at_zero, "cut-at-zero"),
    (times_e, "times-e"),
    (exponential_is_softmax, "normalised"),
    (exponential_with_maximum_off, "maximum-off"),
    (exponential_inside, "product-of-powers"),
    (exponential_forgotten, "linear"),
    (exponential_transposed, "transposed-result"),
    (clipped_against_overflow, "clipped"),
    (wrong_exponential_of_the_distance, "gaussian"),
    (powers_of_e_the_other_way, "power-of-e"),
    (logarithms, "logarithm"),
    (half_dot_products, "halved"),
]
