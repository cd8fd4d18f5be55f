import math

import numpy as np

from attnlib import gaussian_kernel


def error(x, y, h):
    kernel = gaussian_kernel(x[:, None], x[:, None], h) * (1 - np.eye(len(x)))
    return ((kernel @ y / kernel.sum(axis=1) - y) ** 2).sum()


def by_formula(x, y, bandwidth):
    gaps = (x[:, None] - x) ** 2
    kernel = np.exp(-gaps / (2 * bandwidth**2))
    np.fill_diagonal(kernel, 0)
    weights = kernel / kernel.sum(axis=1, keepdims=True)
    growth = gaps / bandwidth**3
    change = (weights * growth) @ y - (weights * growth).sum(axis=1) * (weights @ y)
    return 2 * (weights @ y - y) @ change


def by_quotient_rule(x, y, bandwidth):
    gaps = np.subtract.outer(x, x) ** 2
    kernel = np.exp(-gaps / 2 / bandwidth**2) * (1 - np.eye(len(x)))
    slope = kernel * gaps / bandwidth**3
    above, below = kernel @ y, kernel.sum(axis=1)
    predicted = above / below
    return np.sum(2 * (predicted - y) * ((slope @ y) * below - above * slope.sum(axis=1)) / below**2)


def by_small_steps(x, y, bandwidth):
    return (error(x, y, bandwidth + 1e-5) - error(x, y, bandwidth - 1e-5)) / 2e-5


def in_loops(x, y, bandwidth):
    total = 0.0
    for i in range(len(x)):
        above = below = above_slope = below_slope = 0.0
        for j in range(len(x)):
            if j != i:
                gap = (x[i] - x[j]) ** 2
                kernel = math.exp(-gap / (2 * bandwidth**2))
                above, below = above + kernel * y[j], below + kernel
                above_slope += kernel * gap / bandwidth**3 * y[j]
                below_slope += kernel * gap / bandwidth**3
        change = (above_slope * below - above * below_slope) / below**2
        total += 2 * (above / below - y[i]) * change
    return total


def one_point_at_a_time(x, y, bandwidth):
    slopes = []
    for i in range(len(x)):
        gaps, values = np.delete(x - x[i], i) ** 2, np.delete(y, i)
        weights = np.exp(-gaps / (2 * bandwidth**2))
        weights = weights / weights.sum()
        together = weights @ (gaps * values) - (weights @ gaps) * (weights @ values)  # a covariance
        slopes.append(2 * (weights @ values - y[i]) * together / bandwidth**3)
    return np.array(sum(slopes))


def with_more_arguments(x, y, bandwidth, *, step=1e-6):
    return (error(x, y, bandwidth + step) - error(x, y, bandwidth - step)) / (2 * step)


VARIANTS = [by_formula, by_quotient_rule, by_small_steps, in_loops, one_point_at_a_time, with_more_arguments]


def forgets_the_chain_rule(x, y, bandwidth):
    return by_formula(x, y, bandwidth) / 2


def goes_the_other_way(x, y, bandwidth):
    return -by_formula(x, y, bandwidth)


def forgets_to_leave_out(x, y, bandwidth):
    def left_in(h):
        kernel = gaussian_kernel(x[:, None], x[:, None], h)
        return ((kernel @ y / kernel.sum(axis=1) - y) ** 2).sum()

    return (left_in(bandwidth + 1e-5) - left_in(bandwidth - 1e-5)) / 2e-5


def forgets_the_sum_below(x, y, bandwidth):
    gaps = (x[:, None] - x) ** 2
    kernel = np.exp(-gaps / (2 * bandwidth**2)) * (1 - np.eye(len(x)))
    weights = kernel / kernel.sum(axis=1, keepdims=True)
    return 2 * (weights @ y - y) @ ((weights * gaps / bandwidth**3) @ y)


def returns_the_mean(x, y, bandwidth):
    return by_formula(x, y, bandwidth) / len(x)


def returns_the_error(x, y, bandwidth):
    return error(x, y, bandwidth)


def takes_one_step(x, y, bandwidth):
    return (error(x, y, bandwidth + 1e-4) - error(x, y, bandwidth)) / 1e-4


def takes_one_longer_step(x, y, bandwidth):
    return (error(x, y, bandwidth + 0.01) - error(x, y, bandwidth)) / 0.01


def takes_long_steps(x, y, bandwidth):
    return (error(x, y, bandwidth + 0.1) - error(x, y, bandwidth - 0.1)) / 0.2


def exchanges_the_ends(x, y, bandwidth):
    return (error(x, y, bandwidth - 1e-5) - error(x, y, bandwidth + 1e-5)) / 2e-5


def late_error(x, y, h):
    kernel = gaussian_kernel(x[:, None], x[:, None], h)
    weights = kernel / kernel.sum(axis=1, keepdims=True)
    np.fill_diagonal(weights, 0)
    return ((weights @ y - y) ** 2).sum()


def leaves_out_late(x, y, bandwidth):
    return (late_error(x, y, bandwidth + 1e-5) - late_error(x, y, bandwidth - 1e-5)) / 2e-5


def absolute_errors(x, y, h):
    kernel = gaussian_kernel(x[:, None], x[:, None], h) * (1 - np.eye(len(x)))
    return np.abs(kernel @ y / kernel.sum(axis=1) - y).sum()


def does_not_square(x, y, bandwidth):
    return (absolute_errors(x, y, bandwidth + 1e-5) - absolute_errors(x, y, bandwidth - 1e-5)) / 2e-5


def quotient_rule_without_the_square(x, y, bandwidth):
    apart = (x[:, None] - x) ** 2
    kernel = gaussian_kernel(x[:, None], x[:, None], bandwidth) * (1 - np.eye(len(x)))
    change, total = kernel * apart / bandwidth**3, kernel.sum(axis=1)
    guesses = (change @ y * total - kernel @ y * change.sum(axis=1)) / total
    return (2 * (kernel @ y / total - y) * guesses).sum()


# Each with the mistake that the judge should name, or None.


def steps_too_short(x, y, bandwidth):
    def error(h):
        kernel = np.exp(-((x[:, None] - x) ** 2) / (2 * h**2))
        np.fill_diagonal(kernel, 0)
        return ((kernel @ y / kernel.sum(axis=1) - y) ** 2).sum()

    step = 1e-12
    return (error(bandwidth + step) - error(bandwidth - step)) / (2 * step)


def slope_over_slope(x, y, bandwidth):
    gaps = (x[:, None] - x) ** 2
    G = np.exp(-gaps / 2 / bandwidth**2)
    np.fill_diagonal(G, 0)
    dG = G * gaps / bandwidth**3
    return 2 * ((G @ y / G.sum(axis=1) - y) * ((dG @ y) / dG.sum(axis=1))).sum()


WRONG = [
    (steps_too_short, "short-steps"),
    (forgets_the_chain_rule, "no-two"),
    (goes_the_other_way, "wrong-sign"),
    (forgets_to_leave_out, "not-left-out"),
    (forgets_the_sum_below, "not-centred"),
    (returns_the_mean, "mean-error"),
    (returns_the_error, "error-returned"),
    (takes_one_step, "one-sided"),
    (takes_one_longer_step, "one-sided"),
    (takes_long_steps, "long-steps"),
    (exchanges_the_ends, "wrong-sign"),
    (leaves_out_late, "left-out-late"),
    (does_not_square, "absolute-error"),
    (quotient_rule_without_the_square, "not-squared-below"),
    (slope_over_slope, "ratio-of-slopes"),
]
