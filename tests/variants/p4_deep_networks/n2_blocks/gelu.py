import math

import numpy as np

from attnlib import erf


def by_erf(x):
    return x * (1 + erf(x / np.sqrt(2))) / 2


def by_share(x):
    share = 0.5 + 0.5 * erf(np.asarray(x) / 2**0.5)
    return share * x


def by_math(x):
    return np.vectorize(lambda one: one * (1 + math.erf(one / math.sqrt(2))) / 2, otypes=[float])(x)


def in_loops(x):
    result = np.zeros(np.shape(x))
    for place in np.ndindex(result.shape):
        result[place] = x[place] * (1 + math.erf(x[place] / 2**0.5)) / 2
    return result


def by_complement(x):
    return np.array([z * math.erfc(-z / math.sqrt(2)) / 2 for z in np.ravel(x)]).reshape(np.shape(x))


def as_lists(x):
    return by_math(x).tolist()


def in_single_precision(x):
    return by_erf(np.asarray(x, dtype=np.float32))


VARIANTS = [by_erf, by_share, by_math, in_loops, by_complement, as_lists, in_single_precision]


def formula_of_gpt_2(x):
    return 0.5 * x * (1 + np.tanh(math.sqrt(2 / math.pi) * (x + 0.044715 * x * x * x)))


def swish(x):
    with np.errstate(over="ignore"):
        return x / (1 + np.exp(-x))


def quick(x):
    with np.errstate(over="ignore"):
        return x / (1 + np.exp(-1.702 * x))


def where_positive(x):
    return np.where(x > 0, x, 0)


def without_the_root(x):
    return 0.5 * x * (1 + erf(x))


def without_the_half(x):
    return x * (1 + erf(x / np.sqrt(2)))


def without_the_one(x):
    return 0.5 * x * erf(x / np.sqrt(2))


def only_the_share(x):
    return 0.5 * (1 + erf(x / np.sqrt(2)))


def with_the_bell(x):
    return x * np.exp(-0.5 * x * x) / np.sqrt(2 * np.pi)


def half_of_erf(x):
    return x * (1 + erf(x / np.sqrt(2)) / 2)


def root_by_two_stars(x):
    return x * (1 + erf(x / 2**2)) / 2


def without_parentheses(x):
    return x * 0.5 * 1 + erf(x / np.sqrt(2))


def with_a_tanh(x):
    return 0.5 * x * (1 + np.tanh(x))


def smooth_relu(x):
    return np.log1p(np.exp(-np.abs(x))) + np.maximum(x, 0)


def into_an_array_like_x(x):
    result = np.zeros_like(x)
    result[...] = x * (1 + erf(x / np.sqrt(2))) / 2
    return result


def as_elu(x):
    return np.where(x > 0, x, np.exp(x) - 1)


def as_a_leaky_relu(x):
    return np.where(x > 0, x, 0.01 * x)


def leaks_more(x, slope=0.2):
    return np.maximum(x, slope * x)


def half_of_the_one(x):
    return x * (1 / 2 + erf(x / np.sqrt(2)))


def x_on_the_one(x):
    return x * 1 + erf(x / np.sqrt(2)) / 2


def divided_outside(x):
    return x * (1 + erf(x) / np.sqrt(2)) / 2


def x_stays_divided(x):
    t = x / np.sqrt(2)
    return t * (1 + erf(t)) / 2


def root_of_the_bell(x):
    return x * (1 + erf(x / np.sqrt(2 * np.pi))) / 2


def formula_of_gpt_2_in_single_precision(x):
    return formula_of_gpt_2(x).astype(np.float32)


def asleep_below_minus_three(x):
    return np.where(x < -3, 0, x * (1 + erf(x / np.sqrt(2))) / 2)


def whole_above_three(x):
    return np.where(x > 3, x, x * (1 + erf(x / np.sqrt(2))) / 2)


def straight_outside_of_four(x):
    x = np.asarray(x, dtype=float)
    return np.where(x >= 4, x, np.where(x <= -4, 0, x * (1 + erf(x / np.sqrt(2))) / 2))


def with_the_other_sign(x):
    return -x * (1 + erf(-x / np.sqrt(2))) / 2


WRONG = [
    (asleep_below_minus_three, "cut-off-below"),
    (whole_above_three, "cut-off-above"),
    (straight_outside_of_four, "cut-off"),
    (with_the_other_sign, "sign-turned"),
    (formula_of_gpt_2_in_single_precision, "tanh-formula"),
    (divided_outside, "root-outside"),
    (x_stays_divided, "root-stays"),
    (root_of_the_bell, "root-of-2-pi"),
    (half_of_the_one, "erf-not-halved"),
    (x_on_the_one, "x-on-one-only"),
    (as_elu, "elu"),
    (as_a_leaky_relu, "leaky"),
    (leaks_more, "leaky"),
    (root_by_two_stars, "quarter"),
    (without_parentheses, "parentheses"),
    (with_a_tanh, "tanh-alone"),
    (smooth_relu, "softplus"),
    (into_an_array_like_x, "truncated"),
    (formula_of_gpt_2, "tanh-formula"),
    (swish, "silu"),
    (quick, "quick-formula"),
    (where_positive, "relu"),
    (without_the_root, "no-root"),
    (without_the_half, "no-half"),
    (without_the_one, "no-one"),
    (only_the_share, "share-only"),
    (with_the_bell, "density"),
    (half_of_erf, "half-of-erf"),
]
