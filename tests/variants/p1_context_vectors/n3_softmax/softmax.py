import math

import numpy as np

import attnlib
from variants.p1_context_vectors.n3_softmax.shared import (
    in_single_precision,
    loop,
    naive,
    through_logarithms,
    transposes,
)


def list_result(x):
    return loop(x).tolist()


def list_of_arrays(x):
    return [np.exp(row - row.max()) / np.exp(row - row.max()).sum() for row in x]


def shifted_in_single_precision(x):
    return transposes(np.float32(x - x.max(axis=-1, keepdims=True)))


def with_einsum(x, axis=-1, eps=0.0):
    powers = np.exp(x - np.max(x, axis=axis, keepdims=True))
    return np.einsum("ij,i->ij", powers, 1.0 / (np.einsum("ij->i", powers) + eps))


def along_axis(x):
    return np.apply_along_axis(
        lambda row: np.exp(row - row.max()) / np.exp(row - row.max()).sum(), 1, np.asarray(x, float)
    )


def prints_and_warns(x):
    print("shape", x.shape)
    with np.errstate(all="warn"):
        np.log(np.zeros(1))
    return loop(x)


def subclass(x):
    return np.ma.masked_array(loop(x))


def log_sum_exp(x):
    return np.exp(x - np.logaddexp.reduce(x, axis=-1)[:, None])


def objects(x):
    return loop(x).astype(object)


def large_only(x):
    if x.max() > 700:
        x = x - x.max(axis=1, keepdims=True)
    e = np.exp(x)
    return e / e.sum(axis=1, keepdims=True)


def in_long_doubles(x):
    e = np.exp(x.astype(np.longdouble))
    return e / e.sum(-1, keepdims=True)


def one_maximum_no_keepdims(X):
    Z = np.exp(X - np.max(X))
    return Z / np.sum(Z, axis=1)


def total_never_reset(x):
    weights, total = np.zeros(x.shape), 0.0
    for i, row in enumerate(x):
        powers = np.exp(row - row.max())
        total += powers.sum()
        weights[i] = powers / total
    return weights


def zeros_like_whole_numbers(x):
    weights = np.zeros_like(x)
    for i, row in enumerate(x):
        powers = np.exp(row - row.max())
        weights[i] = powers / powers.sum()
    return weights


def clipped(x):
    e = np.exp(np.clip(x, -700, 700))
    return e / e.sum(axis=-1, keepdims=True)


def nan_made_zero(x):
    e = np.exp(x)
    return np.nan_to_num(e / e.sum(axis=-1, keepdims=True))


def shifts_in_place(x):
    if x.dtype.kind in "iu":
        x = x.astype(float)
    x -= x.max(axis=1, keepdims=True)
    e = np.exp(x)
    return e / e.sum(axis=1, keepdims=True)


def maximum_minus_scores(x):
    e = np.exp(x.max(axis=-1, keepdims=True) - x)
    return e / e.sum(axis=-1, keepdims=True)


VARIANTS = [
    loop,
    list_result,
    list_of_arrays,
    transposes,
    shifted_in_single_precision,
    with_einsum,
    through_logarithms,
    along_axis,
    prints_and_warns,
    subclass,
    objects,
    log_sum_exp,
]


def columns(x):
    powers = np.exp(x - x.max(axis=0))
    return powers / powers.sum(axis=0)


def forgot_keepdims(x):
    powers = np.exp(x - x.max(axis=-1, keepdims=True))
    return powers / powers.sum(axis=-1)


def naive_loop(x):
    return [[math.exp(value) / sum(map(math.exp, row)) for value in row] for row in x]


def one_maximum(x):
    powers = np.exp(x - np.max(x))
    return powers / powers.sum(axis=1, keepdims=True)


def whole(x):
    powers = np.exp(x - np.max(x))
    return powers / powers.sum()


def numerator_only(x):
    return np.exp(x - x.max(axis=1, keepdims=True)) / np.exp(x).sum(axis=1, keepdims=True)


def no_return(x):
    powers = np.exp(x)
    powers / powers.sum(axis=-1, keepdims=True)


def prints(x):
    print(loop(x))


def in_place(x):
    x -= x.max(axis=-1, keepdims=True)
    np.exp(x, out=x)
    x /= x.sum(axis=-1, keepdims=True)
    return x


def mean_shift(x):
    powers = np.exp(x - x.mean(axis=-1, keepdims=True))
    return powers / powers.sum(axis=-1, keepdims=True)


def minimum_shift(x):
    powers = np.exp(x - x.min(axis=-1, keepdims=True))
    return powers / powers.sum(axis=-1, keepdims=True)


def maximum_without_keepdims(x):
    powers = np.exp(x - x.max(axis=-1))
    return powers / powers.sum(axis=-1, keepdims=True)


def naive_without_keepdims(x):
    powers = np.exp(x)
    return powers / powers.sum(axis=1)


def first_step_only(x):
    return x - x.max(axis=-1, keepdims=True)


def takes_nothing():
    return 1


def example_only(x):
    return np.array([[0.5, 0.5], [0.25, 0.75]])


def keeps_integers(x):
    result = np.zeros_like(x)
    for i, row in enumerate(x):
        result[i] = np.exp(row - row.max()) / np.exp(row - row.max()).sum()
    return result


def rounded(x):
    return loop(x).round(2)


def a_pair(x):
    return loop(x), x


def sum_of_all_powers(x):
    powers = np.exp(x - x.max(axis=-1, keepdims=True))
    return powers / powers.sum()


def sum_down_the_columns(x):
    powers = np.exp(x - x.max(axis=1, keepdims=True))
    return powers / powers.sum(axis=0, keepdims=True)


def maximum_of_the_first_row(x):
    return [np.exp(row - x[0].max()) / np.exp(row - x[0].max()).sum() for row in x]


def largest_size_taken_off(x):
    powers = np.exp(x - np.abs(x).max(axis=-1, keepdims=True))
    return powers / powers.sum(axis=-1, keepdims=True)


def powers_of_two(x):
    powers = 2 ** (x - x.max(axis=-1, keepdims=True))
    return powers / powers.sum(axis=-1, keepdims=True)


def divides_in_place(x):
    weights = np.array(x, dtype=float)
    for i in range(weights.shape[0]):
        weights[i] = np.exp(weights[i] - weights[i].max())
        for j in range(weights.shape[1]):
            weights[i, j] = weights[i, j] / weights[i].sum()
    return weights


def text(x):
    return str(loop(x))


def generator(x):
    return (row for row in loop(x))


def leaves(x):
    raise SystemExit(0)


def first_call_only(x, calls=[]):  # noqa: B006 - the trick that this answer tries
    calls.append(1)
    return loop(x) if len(calls) % 8 == 1 else np.zeros(x.shape)


def seven_hundred_always(x):
    powers = np.exp(np.clip(x, -700, 700) - 700)
    return powers / powers.sum(axis=-1, keepdims=True)


def fixed_number_taken_off(x):
    powers = np.exp(x - 700)
    return powers / powers.sum(axis=-1, keepdims=True)


def maximum_from_zero(x):
    A = []
    for row in x:
        top = 0
        for s in row:
            top = max(top, s)
        powers = [np.exp(s - top) for s in row]
        A.append([p / sum(powers) for p in powers])
    return np.array(A)


def largest_power_taken_off(x):
    e = np.exp(x)
    e = e - e.max(axis=1, keepdims=True)
    return e / e.sum(axis=1, keepdims=True)


def divides_by_shifted_scores(x):
    x = x - x.max(axis=-1, keepdims=True)
    return np.exp(x) / x.sum(axis=-1, keepdims=True)


def divides_by_the_power_of_the_sum(x):
    x = x - x.max(axis=-1, keepdims=True)
    return np.exp(x) / np.exp(x.sum(axis=-1, keepdims=True))


def adds_the_maximum(x):
    p = np.exp(x + x.max(axis=-1, keepdims=True))
    return p / p.sum(axis=-1, keepdims=True)


def clips_what_is_shifted(x):
    p = np.exp(np.clip(x - x.max(axis=-1, keepdims=True), -5, 0))
    return p / p.sum(axis=-1, keepdims=True)


def a_thousand_taken_off(x):
    p = np.exp(x - 1000)
    return p / p.sum(axis=-1, keepdims=True)


def overflows_in_single_precision(x):
    p = np.exp(np.float32(x))
    return p / p.sum(axis=-1, keepdims=True)


def in_half_precision(x):
    x = np.asarray(x).astype(np.float16)
    powers = np.exp(x - x.max(axis=-1, keepdims=True))
    return powers / powers.sum(axis=-1, keepdims=True)


def half_the_digits_on_the_way(x):
    x = np.asarray(x).astype(np.float16).astype(float)
    powers = np.exp(x - x.max(axis=-1, keepdims=True))
    return powers / powers.sum(axis=-1, keepdims=True)


def place_of_the_maximum(x):
    powers = np.exp(x - x.argmax(axis=1)[:, None])
    return powers / powers.sum(axis=1, keepdims=True)


def denominator_only(x):
    return np.exp(x) / np.exp(x - x.max(axis=1, keepdims=True)).sum(axis=1, keepdims=True)


def divides_while_adding(x):
    weights = np.zeros(x.shape)
    for i, row in enumerate(x):
        total = 0
        for j, score in enumerate(row - row.max()):
            total += np.exp(score)
            weights[i, j] = np.exp(score) / total
    return weights


def by_the_others(x):
    powers = np.exp(x - x.max(axis=1, keepdims=True))
    return powers / (powers.sum(axis=1, keepdims=True) - powers)


def infinity_made_large(x):
    powers = np.nan_to_num(np.exp(x))
    return powers / powers.sum(axis=1, keepdims=True)


def all_for_the_best(x):
    return np.eye(x.shape[1])[x.argmax(axis=1)]


def from_the_minimum(x):
    shifted = x - x.min(axis=1, keepdims=True)
    return shifted / shifted.sum(axis=1, keepdims=True)


def logarithm_of_the_raw_sum(x):
    return np.exp(x - np.log(np.sum(np.exp(x), axis=1, keepdims=True)))


def logarithm_of_the_raw_sum_row_by_row(x):
    return np.array([np.exp(row - np.log(np.exp(row).sum())) for row in x])


def quotients_first(x):
    return np.exp(x / x.sum(axis=-1, keepdims=True))


def shares_of_sigmoids(x):
    p = 1 / (1 + np.exp(-x))
    return p / p.sum(axis=-1, keepdims=True)


def by_the_largest_size(x):
    x = x / np.abs(x).max(axis=-1, keepdims=True)
    e = np.exp(x - x.max(axis=-1, keepdims=True))
    return e / e.sum(axis=-1, keepdims=True)


def compares_with_the_best(x):
    return (x == x.max(-1, keepdims=True)) * 1.0


def best_of_all_rows_so_far(x):
    top, weights = -np.inf, np.zeros(x.shape)
    for i, row in enumerate(x):
        top = max(top, row.max())
        powers = np.exp(row - top)
        weights[i] = powers / powers.sum()
    return weights


def standard_scores(x):
    z = (x - x.mean(axis=1, keepdims=True)) / x.std(axis=1, keepdims=True)
    e = np.exp(z)
    return e / e.sum(axis=1, keepdims=True)


def positive_parts(x):
    p = np.maximum(x, 0)
    return p / p.sum(axis=1, keepdims=True)


def sum_taken_off(x):
    powers = np.exp(x - x.sum(axis=1, keepdims=True))
    return powers / powers.sum(axis=1, keepdims=True)


WRONG = [
    (sum_taken_off, "maximum-added"),
    (logarithm_of_the_raw_sum, "logarithm-overflows"),
    (logarithm_of_the_raw_sum_row_by_row, "logarithm-overflows"),
    (quotients_first, "exponential-late"),
    (shares_of_sigmoids, "sigmoid-divided"),
    (by_the_largest_size, "divided-by-largest-size"),
    (compares_with_the_best, "best-with-ties"),
    (best_of_all_rows_so_far, "maximum-not-reset"),
    (standard_scores, "standardised"),
    (positive_parts, "negative-as-zero"),
    (place_of_the_maximum, "no-maximum"),
    (denominator_only, "raw-numerator"),
    (divides_while_adding, "partial-sums"),
    (by_the_others, "own-power-left-out"),
    (infinity_made_large, "infinity-replaced"),
    (all_for_the_best, "best-only"),
    (from_the_minimum, "minimum-ratio"),
    (in_half_precision, "half-precision"),
    (half_the_digits_on_the_way, "half-precision"),
    (overflows_in_single_precision, "single-precision"),
    (adds_the_maximum, "maximum-added"),
    (clips_what_is_shifted, "differences-cut"),
    (a_thousand_taken_off, "fixed-shift"),
    (divides_by_shifted_scores, "sum-of-shifted-scores"),
    (divides_by_the_power_of_the_sum, "power-of-the-sum"),
    (in_single_precision, "single-precision"),
    (largest_power_taken_off, "largest-power-taken-off"),
    (seven_hundred_always, "clipped"),
    (fixed_number_taken_off, "fixed-shift"),
    (maximum_minus_scores, "sign-turned"),
    (large_only, "only-when-large"),
    (in_long_doubles, None),
    (one_maximum_no_keepdims, "global-maximum"),
    (sum_of_all_powers, "sum-of-all"),
    (sum_down_the_columns, "sum-of-columns"),
    (maximum_of_the_first_row, "maximum-of-first-row"),
    (largest_size_taken_off, "absolute-maximum"),
    (powers_of_two, "two-to-whole-numbers"),
    (divides_in_place, "sum-moves"),
    (total_never_reset, "total-not-reset"),
    (zeros_like_whole_numbers, "whole-numbers"),
    (clipped, "clipped"),
    (nan_made_zero, "nan-replaced"),
    (shifts_in_place, "changes-input"),
    (columns, "columns"),
    (forgot_keepdims, "no-keepdims"),
    (naive, "no-maximum"),
    (naive_loop, "no-maximum"),
    (one_maximum, "global-maximum"),
    (whole, "whole-matrix"),
    (numerator_only, "raw-denominator"),
    (no_return, "returns-none"),
    (prints, "prints-result"),
    (in_place, None),
    (example_only, "same-for-every-input"),
    (keeps_integers, None),
    (rounded, "rounded"),
    (mean_shift, "other-shift"),
    (minimum_shift, "other-shift"),
    (maximum_without_keepdims, "maximum-no-keepdims"),
    (naive_without_keepdims, "no-keepdims"),
    (naive_without_keepdims, "no-maximum"),
    (first_step_only, "shifted-scores"),
    (takes_nothing, None),
    (a_pair, None),
    (text, None),
    (generator, None),
    (leaves, None),
    (first_call_only, None),
    (attnlib.softmax, "library-function"),
    (3, None),
    (maximum_from_zero, "maximum-from-zero"),
]
