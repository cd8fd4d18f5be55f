import math

import numpy as np


def in_plain_python(weigh):
    low, high = weigh([[0.0, 0.125]])[0]
    return 0.125 / math.log(high / low)


def in_one_line(weigh):
    return -0.01 / np.subtract(*np.log(weigh(np.array([[0, 0.01]])))[0])


def over_many_keys(weigh):
    scores = np.linspace(-0.05, 0.05, 11)
    slope = np.polyfit(scores, np.log(weigh(scores[np.newaxis])[0]), 1)[0]
    return 1 / slope


def far_from_zero(weigh):
    weights = weigh(np.array([[100.0, 100.25], [3.0, 3.5]]))
    return np.array(0.25 / (np.log(weights[0, 1]) - np.log(weights[0, 0])))


def wider_until_it_shows(weigh):
    gap = 1e-3
    while True:
        low, high = weigh(np.array([[0.0, gap]]))[0]
        if high > 1.5 * low:
            return gap / np.log(high / low)
        gap *= 2


def by_halving(weigh):
    cold, hot = 1e-4, 1e4
    wanted = weigh(np.array([[0.0, 0.02]]))[0, 1]
    for _ in range(200):
        middle = math.sqrt(cold * hot)
        if 1 / (1 + math.exp(-min(0.02 / middle, 700))) > wanted:
            cold = middle
        else:
            hot = middle
    return middle


def with_more_arguments(weigh, *, scores=(0.0, 0.05)):
    weights = weigh(np.array([scores]))[0]
    return (scores[1] - scores[0]) / np.log(weights[1] / weights[0])


VARIANTS = [
    in_plain_python,
    in_one_line,
    over_many_keys,
    far_from_zero,
    wider_until_it_shows,
    by_halving,
    with_more_arguments,
]


def one_point_apart(weigh):
    low, high = weigh(np.array([[0.0, 1.0]]))[0]
    return 1 / np.log(high / low)


def ten_apart(weigh):
    w = weigh(np.array([[0.0, 10.0]]))[0]
    return 10 / np.log(w[1] / w[0])


def hardly_apart(weigh):
    h = 1e-8
    w = weigh(np.array([[0.0, h]]))[0]
    return h / np.log(w[1] / w[0])


def of_the_first_weight(weigh):
    w = weigh(np.array([[0.0, 0.02]]))[0]
    return -0.02 / np.log(w[0])


def gap_left_out(weigh):
    w = weigh(np.array([[0.0, 0.02]]))[0]
    return 1 / np.log(w[1] / w[0])


def turned_round(weigh):
    w = weigh(np.array([[0.0, 0.02]]))[0]
    return 0.02 / np.log(w[0] / w[1])


def steepness(weigh):
    w = weigh(np.array([[0.0, 0.02]]))[0]
    return np.log(w[1] / w[0]) / 0.02


def closest_of_a_hundred(weigh):
    x = np.array([[0.0, 1.0, 2.0]])
    best = None
    for temperature in np.arange(0.1, 10, 0.1):
        powers = np.exp(x / temperature)
        off = np.abs(powers / powers.sum() - weigh(x)).sum()
        if best is None or off < best[0]:
            best = off, temperature
    return best[1]


def of_the_larger_weight(weigh):
    w = weigh(np.array([[0.1, 0.0]]))[0]
    return 0.1 / np.log(w[0])


def of_the_smaller_weight(weigh):
    return 0.5 / np.log(weigh(np.array([[0.0, 0.5]]))[0, 0])


def of_the_larger_with_a_minus(weigh):
    return -0.1 / np.log(weigh(np.array([[0.1, 0.0]])).max())


def by_a_difference(weigh):
    low, high = weigh(np.array([[1.0, 1.3]]))[0]
    return 0.3 / (high - low)


def barely_apart(weigh):
    w = weigh(np.array([[1e-9, 0.0]]))[0]
    return 1e-9 / (np.log(w[0]) - np.log(w[1]))


def two_queries(weigh):
    w = weigh(np.array([[0.0], [0.1]]))
    return 0.1 / np.log(w[1, 0] / w[0, 0])


def a_tenth_at_least(weigh):
    low, high = weigh(np.array([[0.0, 0.02]]))[0]
    return max(0.02 / (np.log(high) - np.log(low)), 0.1)


def by_halving_between(coldest, hottest):
    def by_halving(weigh):
        cold, hot = coldest, hottest
        wanted = weigh(np.array([[0.0, 0.02]]))[0, 1]
        for _ in range(200):
            middle = (cold + hot) / 2
            if 1 / (1 + math.exp(-0.02 / middle)) > wanted:
                cold = middle
            else:
                hot = middle
        return middle

    return by_halving


def gives_the_weights(weigh):
    return weigh(np.array([[0.0, 1.0]]))[0]


def one_over_it(weigh):
    a = weigh(np.array([[0.0, 1.0]]))[0]
    return np.log(a[1] / a[0])


def best_of_a_grid(weigh):
    x = np.array([[0.0, 0.001, 0.002]])
    a = weigh(x)
    best, best_error = None, np.inf
    for t in np.logspace(-3, 3, 2000):
        z = np.exp(x / t)
        error = np.abs(z / z.sum() - a).sum()
        if error < best_error:
            best, best_error = t, error
    return best


def of_first_order(weigh):
    low, high = weigh(np.array([[0.0, 0.001]]))[0]
    return 0.001 / (high / low - 1)


def returns_the_quotient(weigh):
    a = weigh(np.array([0.0, 1.0]))
    return a[1] / a[0]


WRONG = [
    (returns_the_quotient, "quotient-returned"),
    (of_first_order, "first-order"),
    (one_point_apart, "gap-too-wide"),
    (ten_apart, "gap-too-wide"),
    (hardly_apart, "gap-too-narrow"),
    (of_the_first_weight, "one-weight"),
    (gap_left_out, "gap-forgotten"),
    (turned_round, "upside-down"),
    (steepness, "inverse"),
    (of_the_larger_weight, "larger-weight"),
    (of_the_smaller_weight, "one-weight-negative"),
    (of_the_larger_with_a_minus, "larger-weight-positive"),
    (by_a_difference, "weights-subtracted"),
    (barely_apart, "logarithms-too-near"),
    (two_queries, "one-key"),
    (by_halving_between(0.0001, 100), "at-most"),
    (by_halving_between(0.01, 1000), "at-least"),
    (a_tenth_at_least, "at-least"),
    (closest_of_a_hundred, None),
    (gives_the_weights, None),
    (one_over_it, "inverse"),
    (best_of_a_grid, "nearly-right"),
]
