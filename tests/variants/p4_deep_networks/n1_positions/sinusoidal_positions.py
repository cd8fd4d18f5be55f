import math

import numpy as np

from variants.p4_deep_networks.n1_positions.shared import sinusoids


def in_loops(n, d_model, base=10000.0):
    P = np.zeros((n, d_model))
    for place in range(n):
        for i in range(d_model // 2):
            angle = place / base ** (2 * i / d_model)
            P[place, 2 * i] = math.sin(angle)
            P[place, 2 * i + 1] = math.cos(angle)
    return P


def in_one_line(n, d_model, base=10000.0):
    return np.array(
        [[(math.sin, math.cos)[c % 2](p * base ** -((c - c % 2) / d_model)) for c in range(d_model)] for p in range(n)]
    )


def by_a_logarithm(n, d_model, base=10000.0):
    rates = np.exp(-np.log(base) * np.arange(0, d_model, 2) / d_model)
    angles = np.outer(np.arange(n), rates)
    return np.stack([np.sin(angles), np.cos(angles)], axis=-1).reshape(n, d_model)


def in_plain_python(n, d_model, base=10000):
    rows = []
    for place in range(n):
        row = []
        for column in range(0, d_model, 2):
            angle = place / pow(base, column / d_model)
            row += [math.sin(angle), math.cos(angle)]
        rows.append(row)
    return rows


def in_single_precision(n, d_model, base=10000.0):
    return sinusoids(n, d_model, base).astype(np.float32)


def from_complex_numbers(n, d_model, base=10000.0):
    hands = np.exp(1j * np.arange(n)[:, None] * base ** (-2 * np.arange(d_model // 2) / d_model))
    return np.ascontiguousarray(np.stack([hands.imag, hands.real], axis=2)).reshape(n, -1)


def with_where(n, d_model, base=1e4):
    column = np.arange(d_model)
    angles = np.arange(n)[:, None] / base ** (2 * (column // 2) / d_model)
    return np.where(column % 2 == 0, np.sin(angles), np.cos(angles))


VARIANTS = [
    sinusoids,
    in_loops,
    in_one_line,
    by_a_logarithm,
    in_plain_python,
    in_single_precision,
    from_complex_numbers,
    with_where,
]


def pairs_counted(n, d_model, base=10000.0):
    column = np.arange(d_model)
    angles = np.arange(n)[:, None] / base ** ((column // 2) / d_model)
    return np.where(column % 2 == 0, np.sin(angles), np.cos(angles))


def two_times_an_even_column(n, d_model, base=10000.0):
    angles = np.arange(n)[:, None] / base ** (2 * np.arange(0, d_model, 2) / d_model)
    return np.stack([np.sin(angles), np.cos(angles)], axis=-1).reshape(n, d_model)


def each_column_its_own(n, d_model, base=10000.0):
    column = np.arange(d_model)
    angles = np.arange(n)[:, None] / base ** (column / d_model)
    return np.where(column % 2 == 0, np.sin(angles), np.cos(angles))


def side_by_side(n, d_model, base=10000.0):
    P = sinusoids(n, d_model, base)
    return np.hstack([P[:, 0::2], P[:, 1::2]])


def beginning_at_one(n, d_model, base=10000.0):
    return sinusoids(n + 1, d_model, base)[1:]


def no_base(n, d_model, base=10000.0):
    return sinusoids(n, d_model)


def whole(n, d_model, base=10000.0):
    P = np.zeros((n, d_model), dtype=int)
    P[:, 0::2] = sinusoids(n, d_model, base)[:, 0::2]
    P[:, 1::2] = sinusoids(n, d_model, base)[:, 1::2]
    return P


def a_speed_for_each_column(n, d_model, base=10000.0):
    angles = np.arange(n)[:, None] * base ** (-2 * np.arange(d_model) / d_model)
    P = np.zeros((n, d_model))
    P[:, 0::2], P[:, 1::2] = np.sin(angles[:, 0::2]), np.cos(angles[:, 1::2])
    return P


def clocks(n, d_model, base=10000.0, first=0):
    return np.arange(n)[:, None] * float(base) ** -(2 * np.arange(first, first + d_model // 2) / d_model)


def laid_out(sines, cosines):
    return np.stack(np.broadcast_arrays(sines, cosines), axis=-1).reshape(len(sines), -1)


def in_degrees(n, d_model, base=10000.0):
    angles = np.deg2rad(clocks(n, d_model, base))
    return laid_out(np.sin(angles), np.cos(angles))


def in_turns(n, d_model, base=10000.0):
    angles = 2 * np.pi * clocks(n, d_model, base)
    return laid_out(np.sin(angles), np.cos(angles))


def first_pair_is_one(n, d_model, base=10000.0):
    angles = clocks(n, d_model, base, first=1)
    return laid_out(np.sin(angles), np.cos(angles))


def without_cosines(n, d_model, base=10000.0):
    P = np.zeros((n, d_model))
    P[:, ::2] = np.sin(clocks(n, d_model, base))
    return P


def without_sines(n, d_model, base=10000.0):
    angles = clocks(n, d_model, base)
    return laid_out(np.cos(angles), np.cos(angles))


def a_sine_a_column(n, d_model, base=10000.0):
    return np.sin(np.outer(np.arange(n), float(base) ** (-np.arange(d_model) / d_model)))


def counted_down(n, d_model, base=10000.0):
    angles = -clocks(n, d_model, base)
    return laid_out(np.sin(angles), np.cos(angles))


def by_the_places(n, d_model, base=10000.0):
    angles = np.arange(n)[:, None] / base ** (np.arange(0, d_model, 2) / n)
    return laid_out(np.sin(angles), np.cos(angles))


def another_base(n, d_model, base=10000.0):
    angles = np.outer(np.arange(n), 1000.0 ** (-np.arange(0, d_model, 2) / d_model))
    P = np.zeros((n, d_model))
    P[:, 0::2], P[:, 1::2] = np.sin(angles), np.cos(angles)
    return P


def returns_after_the_first_row(n, d_model, base=10000.0):
    P = np.zeros((n, d_model))
    for place in range(n):
        for i in range(d_model // 2):
            P[place, 2 * i] = np.sin(place / base ** (2 * i / d_model))
            P[place, 2 * i + 1] = np.cos(place / base ** (2 * i / d_model))
        return P


def one_column_on(n, d_model, base=10000.0):
    P = np.zeros((n, d_model))
    for m in range(n):
        for i in range(d_model // 2):
            angle = m / base ** (2 * i / d_model)
            P[m, i], P[m, i + 1] = np.sin(angle), np.cos(angle)
    return P


def floors_the_exponent(n, d_model, base=10000.0):
    P = np.zeros((n, d_model))
    for i in range(d_model // 2):
        angles = np.arange(n) * base ** (-2 * i // d_model)
        P[:, 2 * i], P[:, 2 * i + 1] = np.sin(angles), np.cos(angles)
    return P


def slow_clocks_first(n, d_model, base=10000.0):
    P = np.zeros((n, d_model))
    angles = (np.arange(n)[:, None] * base ** (-np.arange(0, d_model, 2) / d_model))[:, ::-1]
    P[:, 0::2], P[:, 1::2] = np.sin(angles), np.cos(angles)
    return P


def speeds_alone(n, d_model, base=10000.0):
    P = np.zeros((n, d_model))
    angles = base ** (-np.arange(0, d_model, 2) / d_model)
    P[:, 0::2], P[:, 1::2] = np.sin(angles), np.cos(angles)
    return P


def no_parentheses(n, d_model, base=10000.0):
    P = np.zeros((n, d_model))
    for m in range(n):
        for i in range(d_model // 2):
            angle = m * base**-2 * i / d_model
            P[m, 2 * i], P[m, 2 * i + 1] = np.sin(angle), np.cos(angle)
    return P


def too_few_parentheses(n, d_model, base=10000.0):
    P = np.zeros((n, d_model))
    for m in range(n):
        for i in range(d_model // 2):
            angle = m / base ** (2 * i) / d_model
            P[m, 2 * i], P[m, 2 * i + 1] = np.sin(angle), np.cos(angle)
    return P


def _filled(n, d_model, sines, cosines):
    P = np.zeros((n, d_model))
    P[:, 0::2], P[:, 1::2] = sines, cosines
    return P


def array_overwritten(n, d_model, base=10000.0):
    angles = np.arange(n)[:, None] * base ** (-np.arange(0, d_model, 2) / d_model)
    P = _filled(n, d_model, angles, angles)
    P[:, 0::2] = np.sin(P[:, 0::2])
    P[:, 1::2] = np.cos(P[:, 0::2])
    return P


def speed_outside(n, d_model, base=10000.0):
    speeds, m = base ** (-np.arange(0, d_model, 2) / d_model), np.arange(n)[:, None]
    return _filled(n, d_model, np.sin(m) * speeds, np.cos(m) * speeds)


def cosine_of_the_next(n, d_model, base=10000.0):
    i, m = np.arange(0, d_model, 2), np.arange(n)[:, None]
    return _filled(n, d_model, np.sin(m / base ** (i / d_model)), np.cos(m / base ** ((i + 2) / d_model)))


def half_way(n, d_model, base=10000.0):
    P = np.zeros((n, d_model))
    for m in range(n):
        for i in range(0, d_model // 2, 2):
            angle = m / base ** (i / d_model)
            P[m, i], P[m, i + 1] = np.sin(angle), np.cos(angle)
    return P


def steps_of_two_twice(n, d_model, base=10000.0):
    P = np.zeros((n, d_model))
    for m in range(n):
        for i in range(0, d_model // 2, 2):
            angle = m / base ** (2 * i / d_model)
            P[m, 2 * i], P[m, 2 * i + 1] = np.sin(angle), np.cos(angle)
    return P


def logarithm_to_base_ten(n, d_model, base=10000.0):
    angles = np.arange(n)[:, None] * np.exp(-np.log10(base) * np.arange(0, d_model, 2) / d_model)
    return _filled(n, d_model, np.sin(angles), np.cos(angles))


def places_as_shares(n, d_model, base=10000.0):
    angles = np.arange(n)[:, None] / n * base ** (-np.arange(0, d_model, 2) / d_model)
    return _filled(n, d_model, np.sin(angles), np.cos(angles))


def places_by_linspace(n, d_model, base=10000.0):
    angles = np.linspace(0, 1, n)[:, None] * base ** (-np.arange(0, d_model, 2) / d_model)
    return _filled(n, d_model, np.sin(angles), np.cos(angles))


# Each with the mistake that the judge should name, or None.
WRONG = [
    (array_overwritten, "cos-of-the-sines"),
    (speed_outside, "speed-behind"),
    (cosine_of_the_next, "cos-of-the-next-pair"),
    (half_way, "half-of-the-pairs"),
    (steps_of_two_twice, "every-other-pair"),
    (logarithm_to_base_ten, "log10-for-log"),
    (places_as_shares, "places-by-n"),
    (places_by_linspace, "places-to-one"),
    (slow_clocks_first, "slowest-first"),
    (speeds_alone, "place-missing"),
    (no_parentheses, "power-first"),
    (too_few_parentheses, "divided-last"),
    (one_column_on, "overlapping"),
    (floors_the_exponent, "floored"),
    (returns_after_the_first_row, "truncated"),
    (another_base, "base-ignored"),
    (in_degrees, "degrees"),
    (in_turns, "turns"),
    (first_pair_is_one, "pairs-from-one"),
    (without_cosines, "no-cosines"),
    (without_sines, "only-cosines"),
    (a_sine_a_column, "sine-of-each-column"),
    (counted_down, "backwards"),
    (by_the_places, "over-places"),
    (a_speed_for_each_column, "speed-for-each-column"),
    (pairs_counted, "exponent-i"),
    (two_times_an_even_column, "doubled-exponent"),
    (each_column_its_own, "cos-own-speed"),
    (side_by_side, "halves"),
    (beginning_at_one, "from-one"),
    (no_base, "base-ignored"),
    (whole, "truncated"),
]
