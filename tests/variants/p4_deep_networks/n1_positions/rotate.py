import math

import numpy as np

from variants.p4_deep_networks.n1_positions.shared import turn


def in_loops(X, positions, base=10000.0):
    result = np.zeros(X.shape)
    d = X.shape[-1]
    for index in np.ndindex(X.shape[:-1]):
        for i in range(0, d, 2):
            angle = positions[index[-1]] / base ** (i / d)
            x, y = X[index][i], X[index][i + 1]
            result[index][i] = x * math.cos(angle) - y * math.sin(angle)
            result[index][i + 1] = x * math.sin(angle) + y * math.cos(angle)
    return result


def with_complex_numbers(X, positions, base=10000.0):
    d = X.shape[-1]
    hands = np.exp(1j * np.multiply.outer(positions, base ** (-np.arange(0, d, 2) / d)))
    turned = (X[..., ::2] + 1j * X[..., 1::2]) * hands
    return np.stack([turned.real, turned.imag], -1).reshape(X.shape)


def with_einsum(X, positions, base=10000.0):
    d = X.shape[-1]
    angles = positions[:, None] * base ** (-np.arange(0, d, 2) / d)
    c, s = np.cos(angles), np.sin(angles)
    blocks = np.array([[c, -s], [s, c]])  # (2, 2, n, d / 2)
    pairs = X.reshape(*X.shape[:-1], d // 2, 2)
    return np.einsum("abni,...nib->...nia", blocks, pairs).reshape(X.shape)


def by_a_matrix_a_row(X, positions, base=10000.0):
    d = X.shape[-1]
    if X.ndim > 2:
        return np.array([by_a_matrix_a_row(x, positions, base) for x in X])
    rows = []
    for x, place in zip(X, positions, strict=True):
        R = np.zeros((d, d))
        for i in range(0, d, 2):
            a = place / base ** (i / d)
            R[i : i + 2, i : i + 2] = [[math.cos(a), -math.sin(a)], [math.sin(a), math.cos(a)]]
        rows.append(R @ x)
    return np.array(rows)


def across(X, positions, base=10000.0):
    d = X.shape[-1]
    angles = np.repeat(np.array(positions)[:, None] * base ** (-np.arange(0, d, 2) / d), 2, axis=1)
    other = np.empty(X.shape)
    other[..., ::2], other[..., 1::2] = -X[..., 1::2], X[..., ::2]
    return X * np.cos(angles) + other * np.sin(angles)


def in_single_precision(X, positions, base=10000.0):
    return turn(X.astype(np.float32), positions, base).astype(np.float32)


def as_a_list(X, positions, base=10000.0, *, verbose=False):
    return turn(X, positions, base).tolist()


VARIANTS = [
    turn,
    in_loops,
    with_complex_numbers,
    with_einsum,
    by_a_matrix_a_row,
    across,
    in_single_precision,
    as_a_list,
]


def half_and_half(X, positions, base=10000.0):
    d = X.shape[-1]
    angles = positions[:, None] / base ** (np.arange(0, d, 2) / d)
    c, s = np.cos(angles), np.sin(angles)
    x, y = X[..., : d // 2], X[..., d // 2 :]
    return np.concatenate([x * c - y * s, x * s + y * c], axis=-1)


def in_place(X, positions, base=10000.0):
    d = X.shape[-1]
    angles = positions[:, None] / base ** (np.arange(0, d, 2) / d)
    result = X.astype(float)
    result[..., 0::2] = result[..., 0::2] * np.cos(angles) - result[..., 1::2] * np.sin(angles)
    result[..., 1::2] = result[..., 0::2] * np.sin(angles) + result[..., 1::2] * np.cos(angles)
    return result


def copied(X, positions, base=10000.0):
    d = X.shape[-1]
    angles = positions[:, None] / base ** (np.arange(0, d, 2) / d)
    c, s = np.cos(angles), np.sin(angles)
    x, y, Y = X[..., 0::2], X[..., 1::2], X.copy()
    Y[..., 0::2] = x * c - y * s
    Y[..., 1::2] = Y[..., 0::2] * s + y * c
    return Y


def parts_of(X, positions, base):
    angles = np.asarray(positions)[:, None] / base ** (np.arange(0, X.shape[-1], 2) / X.shape[-1])
    return np.cos(angles), np.sin(angles), X[..., 0::2], X[..., 1::2]


def copied_as_floats(X, positions, base=10000.0):
    c, s, x, y = parts_of(X, positions, base)
    Y = X.astype(float)
    Y[..., 0::2] = x * c - y * s
    Y[..., 1::2] = Y[..., 0::2] * s + y * c
    return Y


def views_second_first(X, positions, base=10000.0):
    Y = X.astype(float)
    c, s, x, y = parts_of(Y, positions, base)
    Y[..., 1::2] = x * s + y * c
    Y[..., 0::2] = x * c - y * s
    return Y


def pairs(first, second):
    return np.stack([first, second], axis=-1).reshape(*first.shape[:-1], -1)


def exchanged(X, positions, base=10000.0):
    s, c, x, y = parts_of(X, positions, base)
    return pairs(x * c - y * s, x * s + y * c)


def first_exchanged(X, positions, base=10000.0):
    c, s, x, y = parts_of(X, positions, base)
    return pairs(x * s - y * c, x * s + y * c)


def second_exchanged(X, positions, base=10000.0):
    c, s, x, y = parts_of(X, positions, base)
    return pairs(x * c - y * s, x * c + y * s)


def odd_before_even(X, positions, base=10000.0):
    c, s, x, y = parts_of(X, positions, base)
    return pairs(x * s + y * c, x * c - y * s)


def side_by_side(X, positions, base=10000.0):
    c, s, x, y = parts_of(X, positions, base)
    return np.concatenate([x * c - y * s, x * s + y * c], axis=-1)


def from_halves(X, positions, base=10000.0):
    c, s, _, _ = parts_of(X, positions, base)
    x, y = np.split(X, 2, axis=-1)
    return pairs(x * c - y * s, x * s + y * c)


def turned_back(X, positions, base=10000.0):
    return turn(X, -np.asarray(positions), base)


def numbered(X, positions, base=10000.0):
    return turn(X, np.arange(X.shape[-2]), base)


def one_speed(X, positions, base=10000.0):
    c, s = np.cos(positions)[:, None], np.sin(positions)[:, None]
    result = np.empty(X.shape)
    result[..., 0::2] = X[..., 0::2] * c - X[..., 1::2] * s
    result[..., 1::2] = X[..., 0::2] * s + X[..., 1::2] * c
    return result


def whole_stays_whole(X, positions, base=10000.0):
    result = np.empty_like(X)
    result[:] = turn(X, positions, base)
    return result


def for_a_matrix(X, positions, base=10000.0):
    n, d = X.shape
    return turn(X.reshape(n, d), positions, base)


def the_even_alone(X, positions, base=10000.0):
    result = np.array(X, dtype=float)
    result[..., 0::2] = turn(X, positions, base)[..., 0::2]
    return result


def the_odd_alone(X, positions, base=10000.0):
    result = np.array(X, dtype=float)
    result[..., 1::2] = turn(X, positions, base)[..., 1::2]
    return result


def cosine_and_sine(X, positions, base=10000.0):
    c, s, x, y = parts_of(X, positions, base)
    return pairs(x * c, y * s)


def cosines_only(X, positions, base=10000.0):
    c, _, x, y = parts_of(X, positions, base)
    return pairs(x * c, y * c)


def times_sinusoids(X, positions, base=10000.0):
    c, s, x, y = parts_of(X, positions, base)
    return pairs(x * s, y * c)


def as_seen_from_the_first(X, positions, base=10000.0):
    places = np.asarray(positions)
    return turn(X, places - places[0], base)


def with_d_of_the_rows(X, positions, base=10000.0):
    rows, half = X.shape[-2], X.shape[-1] // 2
    angles = np.asarray(positions)[:, None] * float(base) ** (-2 * np.arange(half) / rows)
    x, y = X[..., ::2], X[..., 1::2]
    return pairs(x * np.cos(angles) - y * np.sin(angles), x * np.sin(angles) + y * np.cos(angles))


def in_degrees(X, positions, base=10000.0):
    return turn(X, np.deg2rad(positions), base)


def in_turns(X, positions, base=10000.0):
    return turn(X, 2 * np.pi * np.asarray(positions), base)


def one_pair_further(X, positions, base=10000.0):
    return turn(X, np.asarray(positions) * float(base) ** (-2 / X.shape[-1]), base)


def a_base_of_its_own(X, positions, base=10000.0):
    a = np.outer(positions, 500.0 ** (-np.arange(0, X.shape[-1], 2) / X.shape[-1]))
    R, x, y = np.array(X, dtype=float), X[..., 0::2], X[..., 1::2]
    R[..., 0::2], R[..., 1::2] = x * np.cos(a) - y * np.sin(a), x * np.sin(a) + y * np.cos(a)
    return R


def turned_by(X, positions, speeds):
    angles = np.asarray(positions)[:, None] * speeds
    x, y, result = X[..., 0::2], X[..., 1::2], np.zeros(X.shape)
    result[..., 0::2] = x * np.cos(angles) - y * np.sin(angles)
    result[..., 1::2] = x * np.sin(angles) + y * np.cos(angles)
    return result


def no_parentheses(X, positions, base=10000.0):
    i, d = np.arange(X.shape[-1] // 2), X.shape[-1]
    return turned_by(X, positions, base**-2 * i / d)


def too_few_parentheses(X, positions, base=10000.0):
    i, d = np.arange(X.shape[-1] // 2), X.shape[-1]
    return turned_by(X, positions, 1 / base ** (2 * i) / d)


def a_minus_in_both(X, positions, base=10000.0):
    d = X.shape[-1]
    angles = np.asarray(positions)[:, None] * base ** (-np.arange(0, d, 2) / d)
    x, y, result = X[..., 0::2], X[..., 1::2], np.zeros(X.shape)
    result[..., 0::2] = x * np.cos(angles) - y * np.sin(angles)
    result[..., 1::2] = x * np.sin(angles) - y * np.cos(angles)
    return result


def slow_hands_first(X, positions, base=10000.0):
    d = X.shape[-1]
    return turned_by(X, positions, base ** (-np.arange(0, d, 2) / d)[::-1])


def _angles(X, positions, base):
    d = X.shape[-1]
    return np.asarray(positions)[:, None] * base ** (-np.arange(0, d, 2) / d)


def second_read_back_too_early(X, positions, base=10000.0):
    angles, Y = _angles(X, positions, base), np.zeros(X.shape)
    x, y = X[..., 0::2], X[..., 1::2]
    Y[..., 0::2] = x * np.cos(angles) - y * np.sin(angles)
    Y[..., 1::2] = x * np.sin(angles) + Y[..., 1::2] * np.cos(angles)
    return Y


def first_reads_the_empty_second(X, positions, base=10000.0):
    angles, Y = _angles(X, positions, base), np.zeros(X.shape)
    x, y = X[..., 0::2], X[..., 1::2]
    Y[..., 0::2] = x * np.cos(angles) - Y[..., 1::2] * np.sin(angles)
    Y[..., 1::2] = x * np.sin(angles) + y * np.cos(angles)
    return Y


def places_for_the_first_axis(X, positions, base=10000.0):
    angles, Y = _angles(X, positions, base), np.zeros(X.shape)
    for r in range(len(X)):
        x, y = X[r, ..., 0::2], X[r, ..., 1::2]
        Y[r, ..., 0::2] = x * np.cos(angles[r]) - y * np.sin(angles[r])
        Y[r, ..., 1::2] = x * np.sin(angles[r]) + y * np.cos(angles[r])
    return Y


def e_with_the_logarithm_of_10(X, positions, base=10000.0):
    return places_kept(X, positions, np.exp(np.log10(base)))


def places_kept(X, positions, base):
    angles, Y = _angles(X, positions, base), np.zeros(X.shape)
    x, y = X[..., 0::2], X[..., 1::2]
    Y[..., 0::2], Y[..., 1::2] = x * np.cos(angles) - y * np.sin(angles), x * np.sin(angles) + y * np.cos(angles)
    return Y


# Each with the mistake that the judge should name, or None.
def tiled_for_neighbours(X, positions, base=10000.0):
    d = X.shape[-1]
    angles = np.tile(np.asarray(positions)[:, None] * base ** (-np.arange(0, d, 2) / d), 2)
    across = np.empty(X.shape)
    across[..., ::2], across[..., 1::2] = -X[..., 1::2], X[..., ::2]
    return X * np.cos(angles) + across * np.sin(angles)


def a_speed_for_each_column(X, positions, base=10000.0):
    d = X.shape[-1]
    angles = np.asarray(positions)[:, None] * base ** (-np.arange(d) / d)
    across = np.empty(X.shape)
    across[..., ::2], across[..., 1::2] = -X[..., 1::2], X[..., ::2]
    return X * np.cos(angles) + across * np.sin(angles)


WRONG = [
    (a_speed_for_each_column, "angle-for-each-column"),
    (tiled_for_neighbours, "laid-for-halves"),
    (second_read_back_too_early, "second-read-when-empty"),
    (first_reads_the_empty_second, "first-read-when-empty"),
    (places_for_the_first_axis, "places-along-the-first-axis"),
    (e_with_the_logarithm_of_10, "log10-for-log"),
    (no_parentheses, "power-first"),
    (too_few_parentheses, "divided-last"),
    (a_minus_in_both, "both-minus"),
    (slow_hands_first, "slowest-first"),
    (a_base_of_its_own, "base-ignored"),
    (the_even_alone, "even-only"),
    (the_odd_alone, "odd-only"),
    (cosine_and_sine, "each-alone"),
    (cosines_only, "cosines-alone"),
    (times_sinusoids, "sinusoids-multiplied"),
    (as_seen_from_the_first, "from-the-first"),
    (with_d_of_the_rows, "over-rows"),
    (in_degrees, "degrees"),
    (in_turns, "turns"),
    (one_pair_further, "pairs-from-one"),
    (half_and_half, "halves"),
    (in_place, "overwritten"),
    (copied, "overwritten-in-a-copy"),
    (copied_as_floats, "overwritten"),
    (views_second_first, "second-overwritten"),
    (exchanged, "sin-cos-exchanged"),
    (first_exchanged, "first-column-exchanged"),
    (second_exchanged, "second-column-exchanged"),
    (odd_before_even, "columns-exchanged"),
    (side_by_side, "laid-in-halves"),
    (from_halves, "halves-laid-out"),
    (turned_back, "backwards"),
    (numbered, "places-ignored"),
    (one_speed, "same-angle"),
    (whole_stays_whole, "truncated"),
    (for_a_matrix, None),
]
