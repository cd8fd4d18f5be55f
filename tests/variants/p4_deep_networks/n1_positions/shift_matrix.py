import math

import numpy as np

from variants.p4_deep_networks.n1_positions.shared import sinusoids, turn


def in_loops(distance, d_model, base=10000.0):
    M = np.zeros((d_model, d_model))
    for i in range(0, d_model, 2):
        a = distance / base ** (i / d_model)
        M[i, i] = M[i + 1, i + 1] = math.cos(a)
        M[i + 1, i] = math.sin(a)
        M[i, i + 1] = -math.sin(a)
    return M


def by_turning_unit_vectors(distance, d_model, base=10000.0):
    return turn(np.eye(d_model), np.full(d_model, -distance), base)


def with_slices(distance, d_model, base=10000.0):
    angles = distance * base ** (-np.arange(0, d_model, 2) / d_model)
    even = np.arange(0, d_model, 2)
    M = np.zeros((d_model, d_model))
    M[even, even] = M[even + 1, even + 1] = np.cos(angles)
    M[even + 1, even], M[even, even + 1] = np.sin(angles), -np.sin(angles)
    return M


def fitted_to_many(distance, d_model, base=10000.0):
    start = max(0, -distance)
    P = sinusoids(20000 + start + abs(distance), d_model, base)
    return np.linalg.lstsq(P[start : start + 20000], P[start + distance : start + distance + 20000], rcond=None)[0]


def as_lists(distance, d_model, base=10000):
    M = [[0.0] * d_model for _ in range(d_model)]
    for i in range(d_model // 2):
        a = distance * base ** (-2 * i / d_model)
        M[2 * i][2 * i : 2 * i + 2] = [math.cos(a), -math.sin(a)]
        M[2 * i + 1][2 * i : 2 * i + 2] = [math.sin(a), math.cos(a)]
    return M


def by_a_kronecker_product(distance, d_model, base=10000.0):
    M = np.zeros((d_model, d_model))
    for i in range(d_model // 2):
        a, one = distance / base ** (2 * i / d_model), np.zeros((d_model // 2, d_model // 2))
        one[i, i] = 1
        M += np.kron(one, [[np.cos(a), -np.sin(a)], [np.sin(a), np.cos(a)]])
    return M


def a_power_of_one_step(distance, d_model, base=10000.0):
    return np.linalg.matrix_power(in_loops(1, d_model, base), distance)


VARIANTS = [
    in_loops,
    by_turning_unit_vectors,
    with_slices,
    fitted_to_many,
    as_lists,
    by_a_kronecker_product,
    a_power_of_one_step,
]


def transposed(distance, d_model, base=10000.0):
    return in_loops(distance, d_model, base).T


def in_halves(distance, d_model, base=10000.0):
    angles = distance * base ** (-np.arange(0, d_model, 2) / d_model)
    c, s = np.diag(np.cos(angles)), np.diag(np.sin(angles))
    return np.block([[c, -s], [s, c]])


def one_step(distance, d_model, base=10000.0):
    return in_loops(1, d_model, base)


def fitted_to_three(distance, d_model, base=10000.0):
    start = max(0, -distance)
    P = sinusoids(3 + start + abs(distance), d_model, base)
    return np.linalg.lstsq(P[start : start + 3], P[start + distance : start + distance + 3], rcond=None)[0]


def fitted_to_one(distance, d_model, base=10000.0):
    start = max(0, -distance)
    P = sinusoids(1 + start + abs(distance), d_model, base)
    return np.linalg.pinv(P[start : start + 1]) @ P[start + distance : start + distance + 1]


def from_one_far_row(distance, d_model, base=10000.0):
    P = sinusoids(60, d_model, base)
    return np.outer(P[20], P[20 + distance]) / (P[20] @ P[20])


def without_a_minus(distance, d_model, base=10000.0):
    return np.abs(in_loops(distance, d_model, base)) * np.sign(in_loops(distance, d_model, base).T + 1e-12)


def whole_turns(distance, d_model, base=10000.0):
    M = np.zeros((d_model, d_model))
    for i in range(0, d_model, 2):
        a = 2 * np.pi * distance / base ** (i / d_model)
        M[i : i + 2, i : i + 2] = [[np.cos(a), -np.sin(a)], [np.sin(a), np.cos(a)]]
    return M


def in_degrees(distance, d_model, base=10000.0):
    M = np.zeros((d_model, d_model))
    for i in range(0, d_model, 2):
        a = np.deg2rad(distance / base ** (i / d_model))
        M[i : i + 2, i : i + 2] = [[np.cos(a), -np.sin(a)], [np.sin(a), np.cos(a)]]
    return M


def shifted_columns(distance, d_model, base=10000.0):
    return np.eye(d_model, k=distance)


def so_many_times(distance, d_model, base=10000.0):
    return distance * in_loops(1, d_model, base)


def each_to_the_power(distance, d_model, base=10000.0):
    return in_loops(1, d_model, base) ** distance


def _blocks(distance, d_model, base, block):
    M = np.zeros((d_model, d_model))
    for i in range(0, d_model, 2):
        angle = distance * base ** (-i / d_model)
        M[i : i + 2, i : i + 2] = block(np.cos(angle), np.sin(angle))
    return M


def no_minus_at_all(distance, d_model, base=10000.0):
    return _blocks(distance, d_model, base, lambda c, s: [[c, s], [s, c]])


def minus_on_the_diagonal(distance, d_model, base=10000.0):
    return _blocks(distance, d_model, base, lambda c, s: [[c, s], [s, -c]])


def columns_in_a_circle(distance, d_model, base=10000.0):
    return np.roll(np.eye(d_model), distance, axis=1)


def fitted_to_fifty(distance, d_model, base=10000.0):
    P = sinusoids(50 + abs(distance), d_model, base)
    A, B = P[:50], P[abs(distance) :]
    if distance < 0:
        A, B = B, A
    return np.linalg.lstsq(A, B, rcond=None)[0]


def solved_from_the_first_places(distance, d_model, base=10000.0):
    P = sinusoids(d_model + abs(distance), d_model, base)
    A, B = P[:d_model], P[abs(distance) :]
    if distance < 0:
        A, B = B, A
    return np.linalg.solve(A, B)


def positions_as_they_are(distance, d_model, base=10000.0):
    return sinusoids(d_model, d_model, base)


def sines_on_the_diagonal(distance, d_model, base=10000.0):
    return _blocks(distance, d_model, base, lambda c, s: [[s, -c], [c, s]])


def sines_on_the_diagonal_and_a_sign(distance, d_model, base=10000.0):
    return _blocks(distance, d_model, base, lambda c, s: [[s, c], [-c, s]])


def added_to_the_old_place(distance, d_model, base=10000.0):
    return np.eye(d_model) + in_loops(distance, d_model, base)


def one_pair_too_few(distance, d_model, base=10000.0):
    M = in_loops(distance, d_model, base)
    M[-2:] = 0
    return M


# Each with the mistake that the judge should name, or None.
WRONG = [
    (fitted_to_fifty, "fitted-to-places"),
    (solved_from_the_first_places, "fitted-to-places"),
    (positions_as_they_are, "places"),
    (sines_on_the_diagonal, "sin-cos-exchanged"),
    (sines_on_the_diagonal_and_a_sign, "sin-cos-exchanged-back"),
    (added_to_the_old_place, "identity-added"),
    (one_pair_too_few, "last-pair-left-out"),
    (columns_in_a_circle, "columns-rolled"),
    (no_minus_at_all, "both-plus"),
    (minus_on_the_diagonal, "mirror"),
    (whole_turns, "turns"),
    (in_degrees, "degrees"),
    (shifted_columns, "columns-moved"),
    (so_many_times, "multiplied-by-distance"),
    (each_to_the_power, "power-of-numbers"),
    (transposed, "backwards"),
    (in_halves, "halves"),
    (one_step, "distance-ignored"),
    (fitted_to_three, "fitted-to-a-few"),
    (fitted_to_one, "fitted-to-one"),
    (from_one_far_row, None),
    (without_a_minus, None),
]
