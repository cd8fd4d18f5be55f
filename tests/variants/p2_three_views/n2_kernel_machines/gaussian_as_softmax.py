import numpy as np

import attnlib
from variants.p2_three_views.n2_kernel_machines.shared import gaussian_by_product


def as_softmax_of_exponents(Q, K, bandwidth):
    return attnlib.softmax(-attnlib.squared_distances(Q, K) / (2 * bandwidth**2))


def as_softmax_with_lengths(Q, K, bandwidth):
    lengths = np.array([k @ k for k in K])
    return attnlib.softmax((2 * Q @ K.T - lengths) / (2 * bandwidth**2))


def as_softmax_by_einsum(Q, K, bandwidth):
    scores = np.einsum("qd,kd->qk", Q, K) - 0.5 * np.einsum("kd,kd->k", K, K)
    return attnlib.softmax_with_temperature(scores, bandwidth**2)


def as_softmax_by_rows(Q, K, bandwidth):
    return [attnlib.softmax((K @ q - (K**2).sum(axis=1) / 2) / bandwidth**2) for q in Q]


def as_softmax_by_hand(Q, K, bandwidth, axis=-1):
    scores = (Q @ K.T - np.linalg.norm(K, axis=-1) ** 2 / 2) / bandwidth**2
    powers = np.exp(scores - scores.max(axis=axis, keepdims=True))
    return powers / powers.sum(axis=axis, keepdims=True)


def as_softmax_float32(Q, K, bandwidth):
    gap = np.float32(Q)[:, None] - np.float32(K)
    return attnlib.softmax(-np.einsum("qkd,qkd->qk", gap, gap) / np.float32(2 * bandwidth**2))


def as_softmax_equal_lengths(Q, K, bandwidth):
    return attnlib.softmax(Q @ K.T / bandwidth**2)


def as_softmax_divided_kernel(Q, K, bandwidth):
    kernel = gaussian_by_product(Q, K, bandwidth)
    return kernel / kernel.sum(axis=-1, keepdims=True)


def as_softmax_of_the_logarithm(Q, K, bandwidth):
    return attnlib.softmax(np.log(attnlib.gaussian_kernel(Q, K, bandwidth)))


def as_softmax_with_the_query(Q, K, bandwidth):
    return attnlib.softmax((Q @ K.T - (Q**2).sum(axis=1, keepdims=True) / 2) / bandwidth**2)


def as_softmax_full_length(Q, K, bandwidth):
    return attnlib.softmax((Q @ K.T - (K**2).sum(axis=-1)) / bandwidth**2)


def as_softmax_plain_bandwidth(Q, K, bandwidth):
    return attnlib.softmax((Q @ K.T - (K**2).sum(axis=-1) / 2) / bandwidth)


def as_softmax_plain_exponentials(Q, K, bandwidth):
    e = np.exp((attnlib.dot_scores(Q, K) - (K**2).sum(1) / 2) / bandwidth**2)
    return e / e.sum(1, keepdims=True)


def as_softmax_guarded_kernel(Q, K, bandwidth):
    kernel = attnlib.gaussian_kernel(Q, K, bandwidth)
    total = kernel.sum(axis=1, keepdims=True)
    return kernel / np.where(total == 0, 1, total)


def as_softmax_all_by_two(Q, K, bandwidth):
    return attnlib.softmax((Q @ K.T - (K**2).sum(axis=-1) / 2) / (2 * bandwidth**2))


VARIANTS = [
    as_softmax_of_exponents,
    as_softmax_with_lengths,
    as_softmax_by_einsum,
    as_softmax_by_rows,
    as_softmax_by_hand,
    as_softmax_float32,
]


def wrong_softmax_divided_afterwards(Q, K, bandwidth):
    return attnlib.softmax(attnlib.dot_scores(Q, K) - (K**2).sum(axis=-1) / 2) / bandwidth**2


def softmax_times_a_bell(Q, K, bandwidth):
    weights = attnlib.softmax(Q @ K.T / bandwidth**2) * np.exp(-(K**2).sum(axis=1) / (2 * bandwidth**2))
    return weights / weights.sum(axis=1, keepdims=True)


def power_times_a_bell(Q, K, bandwidth):
    powers = np.exp(Q @ K.T / bandwidth**2) * np.exp(-(K**2).sum(axis=1) / (2 * bandwidth**2))
    return powers / powers.sum(axis=1, keepdims=True)


def halves_the_length_once_more(Q, K, bandwidth):
    return attnlib.softmax((2 * Q @ K.T - (K**2).sum(axis=1) / 2) / (2 * bandwidth**2))


def length_from_left_to_right(Q, K, bandwidth):
    return attnlib.softmax(Q @ K.T / bandwidth**2 - (K**2).sum(axis=1) / 2 * bandwidth**2)


def _gaps(Q, K):
    return ((Q[:, None] - K) ** 2).sum(axis=-1)


def _or_for_nothing(Q, K, bandwidth, otherwise):
    kernel = np.exp(-_gaps(Q, K) / (2 * bandwidth**2))
    total = kernel.sum(axis=1, keepdims=True)
    return np.where(total == 0, otherwise, kernel / np.where(total == 0, 1, total))


def equal_weights_for_nothing(Q, K, bandwidth):
    return _or_for_nothing(Q, K, bandwidth, 1 / len(K))


def the_nearest_for_nothing(Q, K, bandwidth):
    return _or_for_nothing(Q, K, bandwidth, np.eye(len(K))[_gaps(Q, K).argmin(axis=1)])


def squares_a_squared_distance(Q, K, bandwidth):
    return attnlib.softmax(-(_gaps(Q, K) ** 2) / (2 * bandwidth**2))


def half_of_the_length_in_whole_numbers(Q, K, bandwidth):
    return attnlib.softmax((Q @ K.T - (K**2).sum(axis=1) // 2) / bandwidth**2)


def exponents_in_whole_numbers(Q, K, bandwidth):
    return attnlib.softmax(-_gaps(Q, K) // (2 * bandwidth**2))


def two_softmaxes_multiplied(Q, K, bandwidth):
    weights = attnlib.softmax(Q @ K.T / bandwidth**2) * attnlib.softmax(-(K**2).sum(axis=1) / (2 * bandwidth**2))
    return weights / weights.sum(axis=1, keepdims=True)


def cuts_exponents_off(Q, K, bandwidth):
    powers = np.exp(np.minimum((Q @ K.T - (K**2).sum(axis=1) / 2) / bandwidth**2, 700))
    return powers / powers.sum(axis=1, keepdims=True)


WRONG = [
    (equal_weights_for_nothing, "uniform-for-far"),
    (the_nearest_for_nothing, "nearest-for-far"),
    (squares_a_squared_distance, "squared-again"),
    (half_of_the_length_in_whole_numbers, "length-floored"),
    (exponents_in_whole_numbers, "floored"),
    (two_softmaxes_multiplied, "factors-vanish"),
    (cuts_exponents_off, "exponent-capped"),
    (as_softmax_plain_exponentials, "no-maximum"),
    (as_softmax_guarded_kernel, "zero-for-far"),
    (as_softmax_all_by_two, "two-again"),
    (as_softmax_equal_lengths, "lengths-ignored"),
    (as_softmax_divided_kernel, "zero-over-zero"),
    (as_softmax_of_the_logarithm, "zero-over-zero"),
    (as_softmax_with_the_query, "lengths-ignored"),
    (as_softmax_full_length, "half-missing"),
    (as_softmax_plain_bandwidth, "bandwidth-not-squared"),
    (wrong_softmax_divided_afterwards, "rows-do-not-sum-to-one"),
    (softmax_times_a_bell, "factors-vanish"),
    (power_times_a_bell, "factors-vanish"),
    (halves_the_length_once_more, "length-quartered"),
    (length_from_left_to_right, "length-times-width"),
]
