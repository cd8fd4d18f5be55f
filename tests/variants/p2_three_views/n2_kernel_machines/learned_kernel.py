import math

import numpy as np

import attnlib


def learned_at(X, Y, W_q, W_k):
    return np.exp(X @ W_q @ (Y @ W_k).T)


def learned_one_matrix(X, Y, W_q, W_k):
    return np.exp(X @ (W_q @ W_k.T) @ Y.T)


def learned_by_einsum(X, Y, W_q, W_k):
    return np.exp(np.einsum("nd,dh,eh,me->nm", X, W_q, W_k, Y))


def learned_by_loops(X, Y, W_q, W_k):
    return [[math.exp((x @ W_q) @ (y @ W_k)) for y in Y] for x in X]


def learned_float32(X, Y, W_q, W_k, base=np.e):
    Q, K = np.float32(X) @ np.float32(W_q), np.float32(Y) @ np.float32(W_k)
    return np.power(np.float32(base), Q @ K.T)


def learned_with_library(X, Y, W_q, W_k):
    return attnlib.exponential_kernel(X @ W_q, Y @ W_k)


def learned_swapped(X, Y, W_q, W_k):
    return np.exp((X @ W_k) @ (Y @ W_q).T)


def learned_one_projection(X, Y, W_q, W_k):
    return np.exp((X @ W_q) @ (Y @ W_q).T)


def learned_y_forgotten(X, Y, W_q, W_k):
    return np.exp((X @ W_q) @ (X @ W_k).T)


def learned_softmax(X, Y, W_q, W_k):
    return attnlib.softmax((X @ W_q) @ (Y @ W_k).T)


def learned_scaled(X, Y, W_q, W_k):
    return np.exp((X @ W_q) @ (Y @ W_k).T / np.sqrt(W_q.shape[1]))


def learned_asked_by_y(X, Y, W_q, W_k):
    return np.exp((Y @ W_q) @ (X @ W_k).T)


VARIANTS = [
    learned_at,
    learned_one_matrix,
    learned_by_einsum,
    learned_by_loops,
    learned_float32,
    learned_with_library,
]


def without_projections(X, Y, W_q, W_k):
    return np.exp(X @ Y.T)


def learned_keys_as_they_are(X, Y, W_q, W_k):
    return attnlib.exponential_kernel(X @ W_q, Y)


def learned_queries_as_they_are(X, Y, W_q, W_k):
    return np.exp(X @ (Y @ W_k).T)


def one_projection_of_two(X, Y, W_q, W_k):
    W = W_q + W_k
    return np.exp(X @ W @ (Y @ W).T)


WRONG = [
    (one_projection_of_two, "projections-added"),
    (without_projections, "no-projection"),
    (learned_swapped, "projections-swapped"),
    (learned_one_projection, "same-matrix"),
    (learned_y_forgotten, "keys-from-target"),
    (learned_softmax, "normalised"),
    (learned_scaled, "scaled"),
    (learned_asked_by_y, None),
    (learned_keys_as_they_are, "keys-not-projected"),
    (learned_queries_as_they_are, "queries-not-projected"),
]
