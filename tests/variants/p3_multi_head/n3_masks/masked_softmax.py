import math

import numpy as np

from attnlib import softmax
from variants.p3_multi_head.n3_masks.shared import large_number_then_zero, minus_infinity_and_repair, nan_to_zero


def large_number_added(scores, mask):
    return np.where(mask, softmax(scores + np.where(mask, 0.0, -1e9)), 0.0)


def allowed_keys_only(scores, mask):
    mask = np.broadcast_to(mask, scores.shape)
    weights = np.zeros(scores.shape)
    for row in np.ndindex(scores.shape[:-1]):
        keys = np.flatnonzero(mask[row])
        if len(keys):
            weights[row][keys] = softmax(scores[row][keys])
    return weights


def plain_python(scores, mask):
    if scores.ndim == 3:
        return [plain_python(s, m) for s, m in zip(scores, np.broadcast_to(mask, scores.shape), strict=True)]
    rows = []
    for row, allowed in zip(scores.tolist(), np.broadcast_to(mask, scores.shape).tolist(), strict=True):
        top = max((s for s, yes in zip(row, allowed, strict=True) if yes), default=0.0)
        powers = [math.exp(s - top) if yes else 0.0 for s, yes in zip(row, allowed, strict=True)]
        total = sum(powers)
        rows.append([p / total if total else 0.0 for p in powers])
    return rows


def single_precision(scores, mask):
    filled = np.where(mask, scores.astype(np.float32), np.float32(-1e9))
    return softmax(filled) * mask.astype(np.float32)


def masked_array(scores, mask, axis=-1):
    closed = np.ma.array(scores, mask=~np.broadcast_to(mask, scores.shape))
    powers = np.ma.exp(closed - closed.max(axis=axis, keepdims=True))
    return (powers / powers.sum(axis=axis, keepdims=True)).filled(0.0)


VARIANTS = [
    minus_infinity_and_repair,
    large_number_then_zero,
    large_number_added,
    nan_to_zero,
    allowed_keys_only,
    plain_python,
    single_precision,
    masked_array,
]


def zero_after_softmax(scores, mask):
    return softmax(scores) * mask


def multiplied_scores(scores, mask):
    return softmax(scores * mask)


def true_means_masked(scores, mask):
    return large_number_then_zero(scores, ~mask)


def zero_times_infinity(scores, mask):
    return softmax(scores + (1 - mask) * -np.inf)


def minus_infinity_alone(scores, mask):
    filled = np.where(mask, scores, -np.inf)
    powers = np.exp(filled - filled.max(axis=-1, keepdims=True))
    return powers / powers.sum(axis=-1, keepdims=True)


def large_number_alone(scores, mask):
    return softmax(np.where(mask, scores, -1e9))


def large_number_added_alone(scores, mask):
    return softmax(scores + np.where(mask, 0, -1e9))


def slip_of_the_exponent(scores, mask):
    return softmax(np.where(mask, scores, -1e-9)) * mask.any(axis=-1, keepdims=True)


def masked_then_renormalised(scores, mask):
    weights = softmax(scores) * mask
    total = weights.sum(axis=-1, keepdims=True)
    return np.divide(weights, total, out=np.zeros_like(weights), where=total > 0)


def index_with_the_mask(scores, mask):
    scores = scores.copy()
    scores[~mask] = -1e9
    return softmax(scores) * mask


def zero_fill_then_where(scores, mask):
    return np.where(mask, softmax(np.where(mask, scores, 0)), 0)


def zero_fill(scores, mask):
    return softmax(np.where(mask, scores, 0))


def product_then_where(scores, mask):
    return np.where(mask, softmax(scores * mask), 0)


def slip_of_the_exponent_alone(scores, mask):
    return softmax(np.where(mask, scores, -1e-9))


def slip_then_where(scores, mask):
    return np.where(mask, softmax(np.where(mask, scores, -1e-9)), 0)


def where_swapped(scores, mask):
    filled = np.where(mask, -np.inf, scores)
    powers = np.exp(filled - filled.max(axis=-1, keepdims=True))
    return powers / powers.sum(axis=-1, keepdims=True)


def where_swapped_large_number(scores, mask):
    return softmax(np.where(mask, -1e9, scores))


def where_swapped_then_zeroed(scores, mask):
    return np.where(mask, softmax(np.where(mask, -1e9, scores)), 0)


def ten_is_not_enough(scores, mask):
    return softmax(np.where(mask, scores, -10))


def ten_then_where(scores, mask):
    return np.where(mask, softmax(np.where(mask, scores, -10)), 0)


def a_hundred_then_where(scores, mask):
    return np.where(mask, softmax(np.where(mask, scores, -100)), 0)


def a_thousand(scores, mask):
    return softmax(np.where(mask, scores, -1000)) * mask


def ten_thousand_alone(scores, mask):
    return softmax(np.where(mask, scores, -1e4))


def a_hundred_thousand(scores, mask):
    return softmax(np.where(mask, scores, -1e5)) * mask


def no_maximum(scores, mask):
    powers = np.exp(np.where(mask, scores, -np.inf))
    total = powers.sum(axis=-1, keepdims=True)
    return powers / np.where(total > 0, total, 1)


def no_maximum_nor_empty_rows(scores, mask):
    powers = np.exp(np.where(mask, scores, -np.inf))
    return powers / powers.sum(axis=-1, keepdims=True)


def no_mask(scores, mask):
    return softmax(scores)


def rows_by_index(scores, mask):
    weights = softmax(np.where(mask, scores, -1e9))
    weights[~mask.any(axis=-1)] = 0
    return weights


def loop_over_mask_rows(scores, mask):
    weights = np.zeros(scores.shape)
    for i in range(len(scores)):
        weights[i] = softmax(np.where(mask[i], scores[i], -1e9)) * mask[i]
    return weights


def down_the_columns(scores, mask):
    filled = np.where(mask, scores, -1e9)
    powers = np.exp(filled - filled.max(axis=0))
    return np.where(mask, powers / powers.sum(axis=0), 0)


def down_the_columns_alone(scores, mask):
    filled = np.where(mask, scores, -1e9)
    powers = np.exp(filled - filled.max(axis=0))
    return powers / powers.sum(axis=0)


def maximum_of_everything(scores, mask):
    powers = np.exp(scores - scores.max(axis=-1, keepdims=True)) * mask
    total = powers.sum(axis=-1, keepdims=True)
    return powers / np.where(total > 0, total, 1)


def renormalised_by_zero(scores, mask):
    weights = softmax(scores) * mask
    return weights / weights.sum(axis=-1, keepdims=True)


def powers_times_mask(scores, mask):
    powers = np.exp(scores) * mask
    return powers / powers.sum(axis=-1, keepdims=True)


def writes_into_the_scores(scores, mask):
    scores[~np.broadcast_to(mask, scores.shape)] = -1e9
    return softmax(scores) * mask


def a_million_then_where(scores, mask):
    return np.where(mask, softmax(np.where(mask, scores, -1e6)), 0)


def a_million(scores, mask):
    return softmax(np.where(mask, scores, -1e6))


def equal_shares_are_no_shares(scores, mask):
    weights = np.where(mask, softmax(np.where(mask, scores, -1e9)), 0)
    weights[weights == 1 / scores.shape[-1]] = 0
    return weights


def zeros_are_forbidden(scores, mask):
    scores = scores * mask
    scores = np.where(scores == 0, -1e9, scores)
    return np.where(mask, softmax(scores), 0)


def product_with_infinity_repaired(scores, mask):
    with np.errstate(invalid="ignore"):
        return np.nan_to_num(softmax(scores + (1 - mask) * -np.inf))


def inverted_and_added(scores, mask):
    return softmax(scores + mask * -1e9)


def along_axis_one(scores, mask):
    filled = np.where(mask, scores, -1e9)
    powers = np.exp(filled - filled.max(axis=1, keepdims=True))
    return np.where(mask, powers / powers.sum(axis=1, keepdims=True), 0)


def softmax_of_a_softmax(scores, mask):
    return large_number_then_zero(softmax(scores), mask)


def two_axes_only(scores, mask):
    n, m = scores.shape
    mask = np.broadcast_to(mask, (n, m))
    weights = np.zeros((n, m))
    for i in range(n):
        weights[i] = large_number_then_zero(scores[i], mask[i])
    return weights


def softmax_forgotten(scores, mask):
    return np.where(mask, scores, -np.inf)


def wrong_sign(scores, mask):
    with np.errstate(invalid="ignore"):
        return softmax(np.where(mask, scores, np.inf))


def filled_with_nan(scores, mask):
    with np.errstate(invalid="ignore"):
        return softmax(np.where(mask, scores, np.nan))


def divided_by_the_mask(scores, mask):
    with np.errstate(invalid="ignore", divide="ignore"):
        return softmax(scores / mask)


def empty_columns(scores, mask):
    weights = softmax(np.where(mask, scores, -1e9))
    return weights * mask.any(axis=0)


def reverse_times_infinity(scores, mask):
    weights = softmax(scores + ~mask * -np.inf)
    return np.where(mask, weights, 0.0)


def clips(scores, mask):
    e = np.exp(np.clip(scores, -50, 50)) * mask
    total = e.sum(axis=-1, keepdims=True)
    return e / np.where(total == 0, 1, total)


def a_masked_array_as_it_is(scores, mask):
    hidden = np.ma.masked_array(scores, mask=~np.broadcast_to(mask, scores.shape))
    powers = np.ma.exp(hidden - hidden.max(axis=-1, keepdims=True))
    return powers / powers.sum(axis=-1, keepdims=True)


def a_mask_for_each_sentence(scores, mask):
    if scores.ndim == 3:
        return np.array([large_number_then_zero(scores[b], mask[b]) for b in range(len(scores))])
    return large_number_then_zero(scores, mask)


def pairs_of_scores_and_mask(scores, mask):
    if scores.ndim == 3:
        return np.stack([large_number_added(s, m) for s, m in zip(scores, mask, strict=False)])
    return large_number_added(scores, mask)


def strict_pairs_of_scores_and_mask(scores, mask):
    if scores.ndim == 3:
        return np.stack([large_number_added(s, m) for s, m in zip(scores, mask, strict=True)])
    return large_number_added(scores, mask)


def a_row_for_each_sentence(scores, mask):
    if scores.ndim == 3:
        mask = mask.reshape(len(scores), 1, -1)
    return large_number_then_zero(scores, mask)


def two_axes_lifted(scores, mask):
    if scores.ndim == 3 and mask.ndim == 2:
        mask = mask[:, None]
    return large_number_then_zero(scores, mask)


def mask_of_the_first(scores, mask):
    return large_number_then_zero(scores, mask[0] if mask.ndim == 3 else mask)


def first_of_the_mask(scores, mask):
    return large_number_then_zero(scores, mask[0] if scores.ndim == 3 else mask)


def chooses_between_one(scores, mask):
    return softmax(np.where(mask, scores))


def not_a_power(scores, mask):
    return softmax(np.where(mask, scores, -10 ^ 9))


def not_a_power_and_zeroed(scores, mask):
    return softmax(np.where(mask, scores, -10 ^ 9)) * mask


def first_row_for_all(scores, mask):
    if scores.ndim == 2 and mask.ndim == 2:
        mask = mask[0]
    return np.where(mask, softmax(np.where(mask, scores, -1e9)), 0.0)


def empty_by_entry(scores, mask):
    weights = softmax(np.where(mask, scores, -1e9))
    for i in range(len(weights)):
        if not mask[i].any():
            weights[i] = 0
    return weights


def below_the_smallest(scores, mask):
    return softmax(np.where(mask, scores, scores.min() - 1))


def below_the_smallest_and_zeroed(scores, mask):
    return np.where(mask, below_the_smallest(scores, mask), 0.0)


def below_the_smallest_of_the_row(scores, mask):
    return softmax(np.where(mask, scores, scores.min(axis=-1, keepdims=True) - 1))


def below_the_smallest_of_the_row_and_zeroed(scores, mask):
    return np.where(mask, below_the_smallest_of_the_row(scores, mask), 0.0)


WRONG = [
    (chooses_between_one, "where-of-two"),
    (a_mask_for_each_sentence, "mask-by-sentences"),
    (pairs_of_scores_and_mask, "mask-by-sentences"),
    (strict_pairs_of_scores_and_mask, "mask-by-sentences-strict"),
    (a_row_for_each_sentence, "mask-by-sentences-strict"),
    (two_axes_lifted, "mask-by-sentences-lifted"),
    (mask_of_the_first, "first-mask-only"),
    (first_of_the_mask, "first-mask-always"),
    (a_masked_array_as_it_is, None),
    (zero_after_softmax, "mask-after"),
    (multiplied_scores, "zero-fill"),
    (zero_fill, "zero-fill"),
    (slip_of_the_exponent_alone, "zero-fill"),
    (zero_fill_then_where, "zero-fill-zeroed"),
    (product_then_where, "zero-fill-zeroed"),
    (slip_then_where, "zero-fill-zeroed"),
    (where_swapped, "mask-inverted-nan"),
    (where_swapped_large_number, "mask-inverted-uniform"),
    (where_swapped_then_zeroed, "mask-inverted-all-zero"),
    (ten_is_not_enough, "small-fill"),
    (ten_then_where, "small-fill-zeroed"),
    (a_hundred_then_where, "hundred-fill-zeroed"),
    (a_thousand, "hundred-fill-zeroed"),
    (ten_thousand_alone, "hundred-fill"),
    (a_hundred_thousand, "far-fill-zeroed"),
    (no_maximum, "no-maximum-to-zero"),
    (no_maximum_nor_empty_rows, "no-maximum"),
    (no_mask, "mask-ignored"),
    (rows_by_index, "indexes-rows"),
    (loop_over_mask_rows, "mask-by-rows"),
    (down_the_columns, "columns"),
    (down_the_columns_alone, "columns"),
    (maximum_of_everything, "renormalised"),
    (renormalised_by_zero, "maximum-of-all-nan"),
    (powers_times_mask, "no-maximum-times-nan"),
    (true_means_masked, "mask-inverted"),
    (zero_times_infinity, "infinity-times"),
    (minus_infinity_alone, "empty-nan"),
    (large_number_alone, "empty-uniform"),
    (large_number_added_alone, "empty-unmasked"),
    (slip_of_the_exponent, "zero-fill-empty-zero"),
    (masked_then_renormalised, "renormalised"),
    (index_with_the_mask, "same-shape-only"),
    (writes_into_the_scores, "changes-input"),
    (a_million_then_where, "million-fill-zeroed"),
    (a_million, "million-fill"),
    (softmax_forgotten, "no-softmax"),
    (wrong_sign, "plus-infinity"),
    (filled_with_nan, "plus-infinity"),
    (divided_by_the_mask, None),
    (equal_shares_are_no_shares, None),
    (zeros_are_forbidden, "zero-means-masked"),
    (product_with_infinity_repaired, "nan-hidden"),
    (inverted_and_added, "mask-inverted-added"),
    (along_axis_one, "axis-from-front"),
    (softmax_of_a_softmax, "softmax-twice"),
    (two_axes_only, None),
    (empty_columns, "empty-by-columns"),
    (reverse_times_infinity, "infinity-times-zeroed"),
    (clips, "clipped"),
    (not_a_power, "xor-fill"),
    (not_a_power_and_zeroed, "xor-fill-zeroed"),
    (first_row_for_all, "first-row-of-the-mask"),
    (empty_by_entry, "empty-by-entry"),
    (below_the_smallest, "minimum-fill"),
    (below_the_smallest_and_zeroed, "minimum-fill-zeroed"),
    (below_the_smallest_of_the_row, "row-minimum-fill"),
    (below_the_smallest_of_the_row_and_zeroed, "row-minimum-fill-zeroed"),
]
