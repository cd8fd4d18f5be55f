import math

import numpy as np


def norm_as_a_column(K):
    return K / np.linalg.norm(K, axis=1, keepdims=True)


def root_of_squares(K):
    return K / np.sqrt((K**2).sum(axis=-1))[:, np.newaxis]


def plain_python(K):
    return [[x / math.hypot(*key) for x in key] for key in K]


def row_by_row(K):
    unit = np.empty_like(K)
    for j, key in enumerate(K):
        unit[j] = key / np.sqrt(key @ key)
    return unit


def einsum_squares(keys, epsilon=0.0):
    return keys / (np.sqrt(np.einsum("kd,kd->k", keys, keys)) + epsilon)[:, None]


def diagonal_matrix(K):
    return np.diag(1 / np.linalg.norm(K, axis=1)) @ K


def float32_lengths(K):
    K = K.astype(np.float32)
    return K / np.linalg.norm(K, axis=-1, keepdims=True)


VARIANTS = [
    norm_as_a_column,
    root_of_squares,
    plain_python,
    row_by_row,
    einsum_squares,
    diagonal_matrix,
    float32_lengths,
]


def one_length_for_all(K):
    return K / np.linalg.norm(K)


def lengths_of_columns(K):
    return K / np.linalg.norm(K, axis=0)


def forgets_the_root(K):
    return K / (K**2).sum(axis=1, keepdims=True)


def flat_lengths(K):
    return K / np.linalg.norm(K, axis=1)


WRONG = [
    (one_length_for_all, "whole-matrix"),
    (lengths_of_columns, "columns"),
    (forgets_the_root, "squared"),
    (flat_lengths, "no-keepdims"),
]
