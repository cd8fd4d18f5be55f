"""Right and wrong answers to the exercises on masks, as people write them; and the numbers in its prose."""

import math

import numpy as np

from attnlib import scaled_dot_product_attention, softmax
from grader.exercises import masks as bank

# ---------------------------------------------------------------- right, causal_mask


def lower_triangle(n):
    return np.tril(np.ones((n, n), dtype=bool))


def compared_places(n):
    return np.arange(n)[:, None] >= np.arange(n)


def not_the_upper_triangle(n):
    return ~np.triu(np.ones((n, n)), k=1).astype(bool)


def two_loops(n):
    mask = np.zeros((n, n), dtype=bool)
    for i in range(n):
        for j in range(n):
            mask[i, j] = j <= i
    return mask


def lists_of_booleans(n):
    return [[j <= i for j in range(n)] for i in range(n)]


def tri_with_an_option(n, dtype=bool):
    return np.tri(n, dtype=dtype)


def from_an_additive_mask(size, /):
    additive = np.triu(np.full((size, size), -np.inf), 1)
    return additive == 0


# ---------------------------------------------------------------- right, padding_mask


def places_below_lengths(lengths, n):
    return np.arange(n)[None, None, :] < lengths[:, None, None]


def filled_row_by_row(lengths, n):
    mask = np.zeros((len(lengths), 1, n), dtype=bool)
    for b, length in enumerate(lengths):
        mask[b, 0, :length] = True
    return mask


def nested_lists(lengths, n):
    return [[[place < length for place in range(n)]] for length in lengths]


def axis_put_in_later(lengths, n):
    return np.expand_dims(np.arange(n) < np.reshape(lengths, (-1, 1)), axis=1)


def rows_of_a_triangle(lengths, n):
    return np.tri(n + 1, n, k=-1, dtype=bool)[lengths][:, np.newaxis]


def outer_comparison(lengths, n, *, axis=1):
    return np.expand_dims(np.greater.outer(np.asarray(lengths), np.arange(n)), axis)


# ---------------------------------------------------------------- right, masked_softmax


def minus_infinity_and_repair(scores, mask):
    scores = np.where(mask, scores, -np.inf)
    top = scores.max(axis=-1, keepdims=True)
    powers = np.exp(scores - np.where(np.isinf(top), 0, top))
    total = powers.sum(axis=-1, keepdims=True)
    return np.divide(powers, total, out=np.zeros_like(powers), where=total > 0)


def large_number_then_zero(scores, mask):
    return softmax(np.where(mask, scores, -1e9)) * mask


def large_number_added(scores, mask):
    return np.where(mask, softmax(scores + np.where(mask, 0.0, -1e9)), 0.0)


def nan_to_zero(scores, mask):
    filled = np.where(mask, scores, -np.inf)
    with np.errstate(invalid="ignore"):
        shifted = filled - filled.max(axis=-1, keepdims=True)
        powers = np.exp(shifted)
        return np.nan_to_num(powers / powers.sum(axis=-1, keepdims=True))


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


# ---------------------------------------------------------------- right, masked_attention


def three_lines(Q, K, V, mask):
    scores = Q @ np.swapaxes(K, -1, -2) / np.sqrt(Q.shape[-1])
    weights = minus_infinity_and_repair(scores, mask)
    return weights @ V, weights


def einsum_throughout(Q, K, V, mask):
    scores = np.einsum("...qd,...kd->...qk", Q, K) * Q.shape[-1] ** -0.5
    weights = large_number_then_zero(scores, mask)
    return np.einsum("...qk,...kv->...qv", weights, V), weights


def additive_inside(Q, K, V, mask, dropout=0.0):
    bias = np.zeros(mask.shape)
    bias[~mask] = -1e9
    weights = softmax(np.matmul(Q, K.mT) / math.sqrt(K.shape[-1]) + bias)
    weights = weights * mask
    return weights @ V, weights


def with_the_library_keyword(Q, K, V, mask):
    return scaled_dot_product_attention(Q, K, V, mask=mask)


def one_query_at_a_time(Q, K, V, mask):
    if Q.ndim == 3:
        masks = np.broadcast_to(mask, (len(Q), mask.shape[-2], mask.shape[-1]))
        pairs = [one_query_at_a_time(*inputs) for inputs in zip(Q, K, V, masks, strict=True)]
        return [context for context, _ in pairs], [weights for _, weights in pairs]
    mask = np.broadcast_to(mask, (len(Q), len(K)))
    weights = np.zeros((len(Q), len(K)))
    for i, q in enumerate(Q):
        seen = mask[i]
        if seen.any():
            weights[i, seen] = softmax(K[seen] @ q / np.sqrt(len(q)))
    return weights @ V, weights


def half_the_digits(Q, K, V, mask):
    Q, K, V = (a.astype("float32") for a in (Q, K, V))
    return three_lines(Q, K, V, mask)


def transposed_by_name(queries, keys, values, mask, /):
    scores = queries @ keys.transpose(*range(keys.ndim - 2), -1, -2) / np.sqrt(keys.shape[-1])
    weights = nan_to_zero(scores, mask)
    return [weights @ values, weights]


# ---------------------------------------------------------------- right, leaks_future


def each_token_in_turn(attention):
    X = np.random.default_rng(0).normal(size=(7, 5))
    before = attention(X)
    for j in range(1, 7):
        changed = X.copy()
        changed[j] += 1.0
        if not np.allclose(attention(changed)[:j], before[:j]):
            return True
    return False


def cut_off_the_end(attention):
    X = np.random.default_rng(1).normal(size=(6, 3))
    whole = attention(X)
    return any(not np.allclose(attention(X[:n]), whole[:n]) for n in range(1, 6))


def without_a_seed(attention, n=9, d=2):
    X = np.random.normal(size=(n, d))  # noqa: NPY002 - as people write it
    leak = False
    for j in range(n):
        other = X.copy()
        other[j] = np.random.normal(size=d)  # noqa: NPY002
        leak = leak or np.abs(attention(other)[:j] - attention(X)[:j]).max(initial=0.0) > 1e-8
    return leak


def replace_all_that_follows(attention):
    rng = np.random.default_rng(2)
    X = rng.normal(size=(8, 5))
    found = []
    for i in range(7):
        future = X.copy()
        future[i + 1 :] = rng.normal(size=(7 - i, 5))
        found.append(np.allclose(attention(X)[i], attention(future)[i], atol=1e-6))
    return not all(found)


def with_the_identity(attention):
    X = np.eye(6)
    context = attention(X)
    for i in range(6):
        for j in range(i + 1, 6):
            changed = X.copy()
            changed[j] = 0.5
            if np.linalg.norm(attention(changed)[i] - context[i]) > 1e-7:
                return True
    return False


def a_triangle_of_changes(attention, n=5, seed=3):
    X = np.random.default_rng(seed).normal(size=(n, 7))
    moved = np.zeros((n, n))
    for j in range(n):
        changed = X.copy()
        changed[j] = -changed[j]
        moved[:, j] = np.abs(attention(changed) - attention(X)).max(axis=1)
    return np.any(np.triu(moved, k=1) > 1e-9)


VARIANTS = {
    "causal_mask": [
        lower_triangle,
        compared_places,
        not_the_upper_triangle,
        two_loops,
        lists_of_booleans,
        tri_with_an_option,
        from_an_additive_mask,
    ],
    "padding_mask": [
        places_below_lengths,
        filled_row_by_row,
        nested_lists,
        axis_put_in_later,
        rows_of_a_triangle,
        outer_comparison,
    ],
    "masked_softmax": [
        minus_infinity_and_repair,
        large_number_then_zero,
        large_number_added,
        nan_to_zero,
        allowed_keys_only,
        plain_python,
        single_precision,
        masked_array,
    ],
    "masked_attention": [
        three_lines,
        einsum_throughout,
        additive_inside,
        with_the_library_keyword,
        one_query_at_a_time,
        half_the_digits,
        transposed_by_name,
    ],
    "leaks_future": [
        each_token_in_turn,
        cut_off_the_end,
        without_a_seed,
        replace_all_that_follows,
        with_the_identity,
        a_triangle_of_changes,
    ],
}


# ---------------------------------------------------------------- wrong


def as_multihead_attention_reads_it(n):
    return np.triu(np.ones((n, n), dtype=bool), k=1)


def strictly_before(n):
    return np.tril(np.ones((n, n), dtype=bool), k=-1)


def upper_triangle(n):
    return np.triu(np.ones((n, n), dtype=bool))


def zeros_and_minus_infinities(n):
    return np.triu(np.full((n, n), -np.inf), k=1)


def ones_and_zeros(n):
    return np.tril(np.ones((n, n)))


def only_three(n):
    return np.tril(np.ones((3, 3), dtype=bool))


def a_matrix(lengths, n):
    return np.arange(n) < lengths[:, None]


def forgets_n(lengths, n):
    return np.arange(max(lengths)) < lengths[:, None, None]


def ones_for_real_tokens(lengths, n):
    return (np.arange(n) < lengths[:, None, None]).astype(int)


def on_the_queries(lengths, n):
    return (np.arange(n) < lengths[:, None])[:, :, None]


def length_included(lengths, n):
    return np.arange(n) <= lengths[:, None, None]


def true_is_padding(lengths, n):
    return np.arange(n) >= lengths[:, None, None]


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


def writes_into_the_scores(scores, mask):
    scores[~np.broadcast_to(mask, scores.shape)] = -1e9
    return softmax(scores) * mask


def forgets_the_scale(Q, K, V, mask):
    weights = minus_infinity_and_repair(Q @ np.swapaxes(K, -1, -2), mask)
    return weights @ V, weights


def plain_transpose(Q, K, V, mask):
    weights = minus_infinity_and_repair(Q @ K.T / np.sqrt(Q.shape[-1]), mask)
    return weights @ V, weights


def forgets_the_mask(Q, K, V, mask):
    return scaled_dot_product_attention(Q, K, V)


def attention_zeroed_after_softmax(Q, K, V, mask):
    weights = softmax(Q @ np.swapaxes(K, -1, -2) / np.sqrt(Q.shape[-1])) * mask
    return weights @ V, weights


def root_of_len(Q, K, V, mask):
    weights = minus_infinity_and_repair(Q @ np.swapaxes(K, -1, -2) / np.sqrt(len(Q)), mask)
    return weights @ V, weights


def root_of_axis_one(Q, K, V, mask):
    weights = minus_infinity_and_repair(Q @ np.swapaxes(K, -1, -2) / np.sqrt(Q.shape[1]), mask)
    return weights @ V, weights


def weights_come_first(Q, K, V, mask):
    return three_lines(Q, K, V, mask)[::-1]


def an_alias_and_no_copy(attention):
    X = np.random.default_rng(0).normal(size=(5, 5))
    changed = X
    changed[-1] += 1
    return not np.allclose(attention(X)[:-1], attention(changed)[:-1])


def only_the_last_token(attention):
    X = np.random.default_rng(0).normal(size=(6, 5))
    changed = X.copy()
    changed[-1] += 1
    return not np.allclose(attention(X)[:-1], attention(changed)[:-1])


def every_row_counts(attention):
    X = np.random.default_rng(0).normal(size=(6, 5))
    changed = X.copy()
    changed[-1] += 1
    return not np.allclose(attention(X), attention(changed))


def to_the_last_bit(attention):
    X = np.random.default_rng(0).normal(size=(7, 5))
    for j in range(1, 7):
        changed = X.copy()
        changed[j] += 1
        if not np.array_equal(attention(X)[:j], attention(changed)[:j]):
            return True
    return False


def returns_in_the_loop(attention):
    X = np.random.default_rng(0).normal(size=(7, 5))
    before = attention(X)
    for j in range(1, 7):
        changed = X.copy()
        changed[j] += 1
        return not np.allclose(attention(changed)[:j], before[:j])


def returns_at_row_zero(attention):
    X = np.random.default_rng(0).normal(size=(7, 5))
    before = attention(X)
    for j in range(7):
        changed = X.copy()
        changed[j] += 1
        return not np.allclose(attention(changed)[:j], before[:j])


def one_row_before(attention):
    X = np.random.default_rng(0).normal(size=(7, 5))
    before = attention(X)
    for j in range(1, 7):
        changed = X.copy()
        changed[j] += 1
        if not np.allclose(attention(changed)[j - 1], before[j - 1]):
            return True
    return False


def slice_ends_early(attention):
    X = np.random.default_rng(0).normal(size=(7, 5))
    before = attention(X)
    for j in range(1, 7):
        changed = X.copy()
        changed[j] += 1
        if not np.allclose(attention(changed)[: j - 1], before[: j - 1]):
            return True
    return False


def range_ends_early(attention):
    X = np.random.default_rng(0).normal(size=(7, 5))
    before = attention(X)
    for j in range(1, 6):
        changed = X.copy()
        changed[j] += 1
        if not np.allclose(attention(changed)[:j], before[:j]):
            return True
    return False


def no_copy_in_the_loop(attention):
    X = np.random.default_rng(0).normal(size=(7, 5))
    before = attention(X)
    for j in range(1, 7):
        changed = X
        changed[j] += 1
        if not np.allclose(attention(changed)[:j], before[:j]):
            return True
    return False


def always_true(attention):
    return True


def upper_triangle_of_the_context(attention):
    X = np.random.default_rng(0).normal(size=(5, 5))
    return bool(np.any(np.triu(attention(X), 1) != 0))


def three_tokens(attention):
    X = np.random.default_rng(0).normal(size=(3, 5))
    before = attention(X)
    for j in range(1, 3):
        changed = X.copy()
        changed[j] += 1
        if not np.allclose(attention(changed)[:j], before[:j]):
            return True
    return False


def true_for_sound(attention):
    return not each_token_in_turn(attention)


WRONG = {
    "predict-masks": [("a", "chose-a"), ("c", "chose-c"), ("d", "chose-d")],
    "causal_mask": [
        (as_multihead_attention_reads_it, "inverted"),
        (strictly_before, "no-diagonal"),
        (upper_triangle, "transposed"),
        (zeros_and_minus_infinities, "additive"),
        (ones_and_zeros, None),
        (only_three, None),
    ],
    "padding_mask": [
        (forgets_n, "n-ignored"),
        (ones_for_real_tokens, None),
        (a_matrix, "no-query-axis"),
        (on_the_queries, "query-axis"),
        (length_included, "one-too-many"),
        (true_is_padding, "inverted"),
    ],
    "masked_softmax": [
        (zero_after_softmax, "after"),
        (multiplied_scores, "zero-fill"),
        (zero_fill, "zero-fill"),
        (slip_of_the_exponent_alone, "zero-fill"),
        (zero_fill_then_where, "zero-fill-zeroed"),
        (product_then_where, "zero-fill-zeroed"),
        (slip_then_where, "zero-fill-zeroed"),
        (where_swapped, "inverted-nan"),
        (where_swapped_large_number, "inverted-uniform"),
        (where_swapped_then_zeroed, "inverted-all-zero"),
        (ten_is_not_enough, "small-fill"),
        (ten_then_where, "small-fill-zeroed"),
        (a_hundred_then_where, "hundred-fill-zeroed"),
        (a_thousand, "hundred-fill-zeroed"),
        (a_hundred_thousand, "far-fill-zeroed"),
        (no_maximum, "no-maximum"),
        (no_maximum_nor_empty_rows, "no-maximum"),
        (no_mask, "mask-ignored"),
        (rows_by_index, "indexes-rows"),
        (loop_over_mask_rows, "mask-by-rows"),
        (down_the_columns, "columns"),
        (down_the_columns_alone, "columns"),
        (maximum_of_everything, "renormalised"),
        (true_means_masked, "inverted"),
        (zero_times_infinity, "infinity-times"),
        (minus_infinity_alone, "empty-nan"),
        (large_number_alone, "empty-uniform"),
        (large_number_added_alone, "empty-unmasked"),
        (slip_of_the_exponent, "zero-fill-empty-zero"),
        (masked_then_renormalised, "renormalised"),
        (index_with_the_mask, "same-shape-only"),
        (writes_into_the_scores, "changes-input"),
    ],
    "masked_attention": [
        (forgets_the_scale, "no-scale"),
        (plain_transpose, "all-axes-reversed"),
        (forgets_the_mask, "mask-ignored"),
        (attention_zeroed_after_softmax, "after"),
        (root_of_len, "by-sqrt-len"),
        (root_of_axis_one, "axis-1"),
        (weights_come_first, "swapped-results"),
    ],
    "leaks_future": [
        (an_alias_and_no_copy, "same-array"),
        (only_the_last_token, "last-token-only"),
        (every_row_counts, "own-row"),
        (to_the_last_bit, "exact"),
        (returns_in_the_loop, "first-round-only"),
        (returns_at_row_zero, "same-array"),
        (one_row_before, "row-before-only"),
        (slice_ends_early, "slice-too-short"),
        (range_ends_early, "last-never-changed"),
        (no_copy_in_the_loop, "whole-context"),
        (always_true, "whole-context"),
        (upper_triangle_of_the_context, "whole-context"),
        (three_tokens, "three-tokens"),
        (true_for_sound, "inverted"),
    ],
    "leaky-suspects": [
        (["no mask", "one ahead"], "mask-is-enough"),
        (["causal", "not itself"], "the-sound-ones"),
        (["no mask", "one ahead", "centred"], "misses-afterwards"),
        (list(bank.SUSPECTS), None),
    ],
}


# ---------------------------------------------------------------- the numbers in the prose

ALL = softmax(np.array([2.0, 1.0, 9.0]))
TWO = softmax(np.array([2.0, 1.0]))
FILLED = softmax(np.array([-2.0, -1.0, 0.0]))
POWERS = np.exp([2.0, 1.0, 9.0])


def rounded(array):
    return str(np.round(array, 4).tolist())


def masked(scores, mask):
    return large_number_then_zero(np.array(scores), np.array(mask))


def triangle_example():
    A = np.eye(2)
    return rounded(three_lines(A, A, A, np.array([[True, False], [True, True]]))[0])


NUMBERS = [
    ("about 0.73 and 0.27", lambda: f"about {TWO[0]:.2f} and {TWO[1]:.2f}"),
    ("about 0.001 and 0.0003", lambda: f"about {ALL[0]:.3f} and {ALL[1]:.4f}"),
    (
        "| 2 | 7.389 | 0.0009 | 0.0009 | 0.7311 |",
        lambda: f"| 2 | {POWERS[0]:.3f} | {ALL[0]:.4f} | {ALL[0]:.4f} | {TWO[0]:.4f} |",
    ),
    (
        "| 1 | 2.718 | 0.0003 | 0.0003 | 0.2689 |",
        lambda: f"| 1 | {POWERS[1]:.3f} | {ALL[1]:.4f} | {ALL[1]:.4f} | {TWO[1]:.4f} |",
    ),
    ("| 9 | 8103.084 | 0.9988 | 0 |", lambda: f"| 9 | {POWERS[2]:.3f} | {ALL[2]:.4f} | 0 |"),
    ("| 8113.191 | 1 | 0.0012 | 1 |", lambda: f"| {POWERS.sum():.3f} | 1 | {ALL[:2].sum():.4f} | 1 |"),
    ("wins with 0.6652", lambda: f"wins with {FILLED[2]:.4f}"),
    (
        "[[0.5, 0.5, 0.0], [0.0, 0.0, 0.0]]",
        lambda: rounded(masked([[0.0, 0.0, 9.0], [1.0, 2.0, 3.0]], [[True, True, False], [False, False, False]])),
    ),
    ("[[1.0, 0.0], [0.3302, 0.6698]]", triangle_example),
]
