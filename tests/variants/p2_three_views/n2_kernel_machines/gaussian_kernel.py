import math

import numpy as np

import attnlib
from variants.p2_three_views.n2_kernel_machines.shared import gaussian_by_product


def gaussian_by_loops(Q, K, bandwidth):
    kernel = np.zeros((len(Q), len(K)))
    for i, q in enumerate(Q):
        for j, k in enumerate(K):
            kernel[i, j] = math.exp(-sum((a - b) ** 2 for a, b in zip(q, k, strict=True)) / (2 * bandwidth**2))
    return kernel


def gaussian_by_einsum(Q, K, bandwidth):
    gap = Q[:, None] - K
    return np.exp(-0.5 * np.einsum("qkd,qkd->qk", gap, gap) / bandwidth**2)


def gaussian_by_norm(Q, K, bandwidth):
    distance = np.linalg.norm(Q[:, None, :] - K[None, :, :], axis=-1)
    return np.exp(-0.5 * (distance / bandwidth) ** 2)


def gaussian_from_library_distances(Q, K, bandwidth):
    return np.exp(-attnlib.squared_distances(Q, K) / bandwidth**2 / 2)


def gaussian_float32_with_option(Q, K, bandwidth=1.0, factor=2.0):
    Q, K = Q.astype(np.float32), K.astype(np.float32)
    squared = ((Q[:, None] - K) ** 2).sum(-1)
    return np.exp(-squared / np.float32(factor * bandwidth**2))


def gaussian_as_lists(Q, K, bandwidth):
    return [[float(np.exp(-((q - k) ** 2).sum() / (2 * bandwidth * bandwidth))) for k in K] for q in Q]


def gaussian_precedence(Q, K, bandwidth):
    squared = ((Q[:, None, :] - K[None, :, :]) ** 2).sum(axis=-1)
    return np.exp(-squared / 2 * bandwidth**2)


def gaussian_plain_bandwidth(Q, K, bandwidth):
    return np.exp(-attnlib.squared_distances(Q, K) / (2 * bandwidth))


def gaussian_without_two(Q, K, bandwidth):
    return np.exp(-attnlib.squared_distances(Q, K) / bandwidth**2)


def gaussian_growing(Q, K, bandwidth):
    z = np.linalg.norm(Q[:, None] - K, axis=-1) / bandwidth
    return np.exp(z**2 / 2)


def gaussian_of_norm(Q, K, bandwidth):
    return np.exp(-np.linalg.norm(Q[:, None] - K, axis=-1) / (2 * bandwidth**2))


def gaussian_weights(Q, K, bandwidth):
    kernel = gaussian_by_product(Q, K, bandwidth)
    return kernel / kernel.sum(axis=1, keepdims=True)


def gaussian_pairs_only(Q, K, bandwidth):
    return np.exp(-((Q - K) ** 2).sum(axis=-1) / (2 * bandwidth**2))


def gaussian_keys_first(Q, K, bandwidth):
    return gaussian_by_product(K, Q, bandwidth)


def gaussian_two_squared(Q, K, bandwidth):
    return np.exp(-attnlib.squared_distances(Q, K) / (2 * bandwidth) ** 2)


def gaussian_of_means(Q, K, bandwidth):
    return np.exp(-((Q[:, None] - K[None]) ** 2).mean(axis=-1) / (2 * bandwidth**2))


VARIANTS = [
    gaussian_by_loops,
    gaussian_by_product,
    gaussian_by_einsum,
    gaussian_by_norm,
    gaussian_from_library_distances,
    gaussian_float32_with_option,
    gaussian_as_lists,
]


def gaussian_of_coordinates(Q, K, bandwidth):
    return np.exp(-((Q[:, None, :] - K[None, :, :]) ** 2) / (2 * bandwidth**2))


def gaussian_with_its_area(Q, K, bandwidth):
    z = np.linalg.norm(Q[:, None] - K[None], axis=-1) / bandwidth
    return np.exp(-(z**2) / 2) / np.sqrt(2 * np.pi)


def gaussian_divided_late(Q, K, bandwidth):
    return np.exp(-attnlib.squared_distances(Q, K)) / (2 * bandwidth**2)


def mean_of_bells(Q, K, bandwidth):
    return np.exp(-((Q[:, None] - K) ** 2) / (2 * bandwidth**2)).mean(axis=-1)


def two_to_the_power(Q, K, bandwidth):
    return np.exp(-attnlib.squared_distances(Q, K) / (2 * 2**bandwidth))


def peak_of_laplace(Q, K, bandwidth):
    return np.exp(-np.sqrt(attnlib.squared_distances(Q, K)) / bandwidth)


WRONG = [
    (gaussian_of_coordinates, "not-summed"),
    (gaussian_with_its_area, None),
    (gaussian_precedence, "half-outside"),
    (gaussian_plain_bandwidth, "bandwidth-not-squared"),
    (gaussian_without_two, "missing-two"),
    (gaussian_growing, "no-minus"),
    (gaussian_of_norm, "root"),
    (gaussian_weights, "normalised"),
    (gaussian_two_squared, "two-squared"),
    (gaussian_of_means, "mean-not-sum"),
    (gaussian_pairs_only, None),
    (gaussian_keys_first, "transposed-result"),
    (attnlib.gaussian_kernel, "library-function"),
    (gaussian_divided_late, "divided-outside"),
    (mean_of_bells, "bells-averaged"),
    (two_to_the_power, "two-to-the-bandwidth"),
    (peak_of_laplace, "laplace"),
]
