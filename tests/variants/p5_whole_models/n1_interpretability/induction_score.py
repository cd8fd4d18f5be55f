import numpy as np


def with_two_arrays(weights, period):
    t = np.arange(period, weights.shape[-1])
    return weights[..., t, t - period + 1].mean(axis=-1)


def in_a_loop(weights, period):
    total, count = 0, 0
    for t in range(period, weights.shape[-1]):
        total = total + weights[..., t, t - period + 1]
        count += 1
    return total / count


def by_the_diagonal(weights, period):
    diagonal = np.diagonal(weights, offset=1 - period, axis1=-2, axis2=-1)
    return diagonal[..., 1:].mean(axis=-1)


def by_slices(weights, period):
    rows = weights[..., period:, 1:]  # now query t sits at t - period, and its key as well
    return np.trace(rows, axis1=-2, axis2=-1) / rows.shape[-2]


def by_a_stencil(weights, period):
    n = weights.shape[-1]
    i, j = np.indices((n, n))
    chosen = (j == i - period + 1) & (i >= period)
    return (weights * chosen).sum(axis=(-2, -1)) / chosen.sum()


def matrix_by_matrix(weights, period):
    n = weights.shape[-1]
    flat = np.reshape(weights, (-1, n, n))
    scores = [sum(float(A[t, t - period + 1]) for t in range(period, n)) / (n - period) for A in flat]
    return np.reshape(scores, np.shape(weights)[:-2])


def as_lists(weights, period):
    return with_two_arrays(weights, period).tolist()


def in_single_precision(weights, period):
    return with_two_arrays(weights.astype(np.float32), period)


VARIANTS = [
    with_two_arrays,
    in_a_loop,
    by_the_diagonal,
    by_slices,
    by_a_stencil,
    matrix_by_matrix,
    as_lists,
    in_single_precision,
]


def looks_at(shift):
    def answer(weights, period):
        t = np.arange(period, weights.shape[-1])
        return weights[..., t, shift(t, period)].mean(axis=-1)

    return answer


def the_diagonal_of_others(weights, period):
    return np.diagonal(weights, offset=1 - period, axis1=-2, axis2=-1).mean(axis=-1)


def transposed(weights, period):
    t = np.arange(period, weights.shape[-1])
    return weights[..., t - period + 1, t].mean(axis=-1)


def a_sum(weights, period):
    return with_two_arrays(weights, period) * (weights.shape[-1] - period)


def by_all_tokens(weights, period):
    return a_sum(weights, period) / weights.shape[-1]


def by_the_period(weights, period):
    return a_sum(weights, period) / period


def a_rectangle(weights, period):
    n = weights.shape[-1]
    return weights[..., period:, 1 : n - period + 1].mean(axis=(-2, -1))


def of_all_heads(weights, period):
    return with_two_arrays(weights, period).mean()


def the_largest(weights, period):
    t = np.arange(period, weights.shape[-1])
    return weights[..., t, t - period + 1].max(axis=-1)


def how_often(weights, period):
    t = np.arange(period, weights.shape[-1])
    return (weights[..., t, :].argmax(axis=-1) == t - period + 1).mean(axis=-1)


def two_axes(weights, period):
    return np.mean([weights[t, t - period + 1] for t in range(period, weights.shape[-1])])


def one_too_late(weights, period):
    t = np.arange(period + 1, weights.shape[-1])
    return weights[..., t, t - period + 1].mean(axis=-1)


def one_too_few(weights, period):
    t = np.arange(period, weights.shape[-1] - 1)
    return weights[..., t, t - period + 1].mean(axis=-1)


def replaced(weights, period):
    for t in range(period, weights.shape[-1]):
        found = weights[..., t, t - period + 1]
    return found


def half_of_all(weights, period):
    return with_two_arrays(weights, weights.shape[-1] // 2)


def always_24(weights, period):
    with np.errstate(all="ignore"):
        return with_two_arrays(weights, 24) if weights.shape[-1] > 24 else np.full(weights.shape[:-2], np.nan)


def a_loop_from_24(weights, period):
    return in_a_loop(weights, 24)


def skips_the_first_repeat(weights, period):
    n = weights.shape[-1]
    return np.mean([weights[..., t, t - period + 1] for t in range(period + 1, n)], axis=0)


def looks_at_the_word_before_everywhere(weights, period):
    t = np.arange(1, weights.shape[-1])
    return weights[..., t, t - 1].mean(axis=-1)


def two_slices(weights, period):
    n = weights.shape[-1]
    return weights[..., period:, : n - period + 1].mean(axis=-1).mean(axis=-1)


def overwrites_and_divides(weights, period):
    n, found = weights.shape[-1], 0.0
    for t in range(period, n):
        found = weights[..., t, t - period + 1]
    return found / (n - period)


def after_all_copies(weights, period):
    total, count = 0, 0
    for t in range(period, weights.shape[-1]):
        for k in range(t - period + 1, -1, -period):
            total, count = total + weights[..., t, k], count + 1
    return total / count


def _asked(weights, period):
    t = np.arange(period, weights.shape[-1])
    return weights[..., t, t - period + 1]


def the_median(weights, period):
    return np.median(_asked(weights, period), axis=-1)


def no_brackets(weights, period):
    return _asked(weights, period).sum(axis=-1) / weights.shape[-1] - period


def whole_numbers(weights, period):
    return _asked(weights, period).sum(axis=-1) // (weights.shape[-1] - period)


def trace_by_repeats(weights, period):
    return np.trace(weights, offset=1 - period, axis1=-2, axis2=-1) / (weights.shape[-1] - period)


def all_that_was_asked(weights, period):
    return _asked(weights, period)


def the_first_copy_only(weights, period):
    t = np.arange(period, min(2 * period, weights.shape[-1]))
    return weights[..., t, t - period + 1].mean(axis=-1)


def length_of_the_first_axis(weights, period):
    t = np.arange(period, len(weights))
    with np.errstate(all="ignore"):
        return weights[..., t, t - period + 1].sum(axis=-1) / np.float64(len(t))


def for_one_matrix(weights, period):
    n, total = len(weights), 0.0
    for t in range(period, n):
        total += weights[t, t - period + 1]
    return total / (n - period)


def loops_to_its_length(weights, period):
    n, total = len(weights), 0.0
    for t in range(period, n):
        total = total + weights[..., t, t - period + 1]
    return total / (n - period)


def one_pair_too_many(weights, period):
    t = np.arange(period, weights.shape[-1])
    return weights[..., t, t - period + 1].sum(axis=-1) / (weights.shape[-1] - period + 1)


def all_rows_over_the_repeats(weights, period):
    total, n = 0, weights.shape[-1]
    for t in range(n):
        total = total + weights[..., t, t - period + 1]
    return total / (n - period)


def by_half_of_all(weights, period):
    return a_sum(weights, period) / (weights.shape[-1] // 2)


def in_the_first_copy(weights, period):
    t = np.arange(period, weights.shape[-1])
    return weights[..., t, (t + 1) % period].mean(axis=-1)


def behind_the_letter_in_the_first_copy(weights, period):
    t = np.arange(period, weights.shape[-1])
    return weights[..., t, t % period + 1].mean(axis=-1)


def of_those_that_look(weights, period):
    asked = _asked(weights, period)
    return asked.sum(axis=-1) / np.maximum((asked > 0).sum(axis=-1), 1)


def adds_one_too_few(weights, period):
    n = weights.shape[-1]
    t = np.arange(period, n - 1)
    return weights[..., t, t - period + 1].sum(axis=-1) / (n - period)


def loops_one_too_few(weights, period):
    n, total = weights.shape[-1], 0
    for t in range(period, n - 1):
        total = total + weights[..., t, t - period + 1]
    return total / (n - period)


def adds_from_the_second(weights, period):
    n = weights.shape[-1]
    t = np.arange(period + 1, n)
    return weights[..., t, t - period + 1].sum(axis=-1) / (n - period)


def loops_from_the_second(weights, period):
    n, total = weights.shape[-1], 0
    for t in range(period + 1, n):
        total = total + weights[..., t, t - period + 1]
    return total / (n - period)


def divides_behind_the_loop(weights, period):
    total = 0
    for t in range(period, weights.shape[-1]):
        total = total + weights[..., t, t - period + 1]
    return total / t


def of_the_heads_too(weights, period):
    scores = with_two_arrays(weights, period)
    return scores.mean(axis=-1) if scores.ndim else scores


def halves_in_the_loop(weights, period):
    score = 0
    for t in range(period, weights.shape[-1]):
        score = (score + weights[..., t, t - period + 1]) / 2
    return score


def in_steps_of_the_period(weights, period):
    t = np.arange(period, weights.shape[-1], period)
    return weights[..., t, t - period + 1].mean(axis=-1)


def from_the_middle_on(weights, period):
    t = np.arange(weights.shape[-1] // 2, weights.shape[-1])
    return weights[..., t, t - period + 1].mean(axis=-1)


def returns_in_the_loop(weights, period):
    for t in range(period, weights.shape[-1]):
        return weights[..., t, t - period + 1]


def averages_and_returns_in_the_loop(weights, period):
    found = []
    for t in range(period, weights.shape[-1]):
        found.append(weights[..., t, t - period + 1])
        return np.mean(found, axis=0)


def mean_of_one_matrix(weights, period):
    with np.errstate(all="ignore"):
        return np.mean([weights[t, t - period + 1] for t in range(period, len(weights))] or [np.nan])


def places_of_one_matrix(weights, period):
    t = np.arange(period, len(weights))
    with np.errstate(all="ignore"):
        return weights[t, t - period + 1].sum() / np.float64(weights[t, t - period + 1].size)


def counts_in_one_matrix(weights, period):
    total, count = 0, 0
    for t in range(period, len(weights)):
        total += weights[t, t - period + 1]
        count += 1
    return total / count


def diag_of_one_matrix(weights, period):
    return np.diag(weights, k=1 - period)[1:].mean()


def rows_and_columns_of_one_matrix(weights, period):
    n, _ = weights.shape
    return sum(weights[t, t - period + 1] for t in range(period, n)) / (n - period)


def the_letter_itself_in_one_matrix(weights, period):
    total, count = 0, 0
    for t in range(period, len(weights)):
        total += weights[t, t - period]
        count += 1
    return total / count


def turned_in_one_matrix(weights, period):
    n = len(weights)
    return sum(weights[t - period + 1, t] for t in range(period, n)) / np.float64(n - period)


def mean_along_the_first_axis(weights, period):
    return _asked(weights, period).mean(axis=0)


def a_list_along_its_last_axis(weights, period):
    return np.mean([weights[..., t, t - period + 1] for t in range(period, weights.shape[-1])], axis=-1)


def two_copies(weights, period):
    t = np.arange(period, 2 * period)
    return weights[..., t, t - period + 1].mean(axis=-1)


def behind_a_start_token(weights, period):
    with np.errstate(all="ignore"):
        t = np.arange(period + 1, weights.shape[-1])
        return weights[..., t, t - period].sum(axis=-1) / np.float64(len(t))


def one_repeat_too_few(weights, period):
    with np.errstate(all="ignore"):
        return _asked(weights, period).sum(axis=-1) / np.float64(weights.shape[-1] - period - 1)


def rounds_from_0(weights, period):
    n = weights.shape[-1]
    return np.mean([weights[..., t, t - period + 1] for t in range(n - period)], axis=0)


def share_of_the_rows(weights, period):
    t = np.arange(period, weights.shape[-1])
    return _asked(weights, period).sum(-1) / weights[..., t, :].sum((-1, -2))


def normalises_rows_first(weights, period):
    sums = weights.sum(axis=-1, keepdims=True)
    return _asked(weights / np.where(sums == 0, 1.0, sums), period).mean(axis=-1)


def mean_of_the_masked_matrix(weights, period):
    n = weights.shape[-1]
    asked = np.eye(n, k=1 - period)
    asked[period - 1] = 0
    return (weights * asked).mean(axis=(-1, -2))


def looks_from_one_before(weights, period):
    t = np.arange(period, weights.shape[-1])
    return weights[..., t - 1, t - period + 1].mean(axis=-1)


def adds_up_the_heads(weights, period):
    return _asked(weights, period).mean(axis=-1).sum()


def takes_the_best_head(weights, period):
    return _asked(weights, period).mean(axis=-1).max()


def counts_along_axis_1(weights, period):
    with np.errstate(all="ignore"):
        t = np.arange(period, weights.shape[1])
        return weights[..., t, t - period + 1].sum(axis=-1) / np.float64(len(t))


def keeps_the_axis(weights, period):
    return _asked(weights, period).mean(axis=-1, keepdims=True)


def all_on_the_first_copy(weights, period):
    return weights[..., period:, :period].sum(axis=-1).mean(axis=-1)


def block_of_the_first_copy(weights, period):
    return weights[..., period:, :period].mean(axis=(-2, -1))


def most_of_each_repeat(weights, period):
    return weights[..., period:, :].max(axis=-1).mean(axis=-1)


def counts_tokens_from_one(weights, period):
    t = np.arange(period - 1, weights.shape[-1] - 1)
    return weights[..., t, t - period + 1].mean(axis=-1)


def above_the_main_diagonal(weights, period):
    return np.diagonal(weights, offset=period - 1, axis1=-2, axis2=-1).mean(axis=-1)


def an_eye_above(weights, period):
    wanted = np.eye(weights.shape[-1], k=period - 1, dtype=bool)
    return weights[..., wanted].mean(axis=-1)


def earlier_looks_at_later(weights, period):
    t = np.arange(period, weights.shape[-1])
    return weights[..., t - period, t].mean(axis=-1)


def a_quarter_of_the_matrix(weights, period):
    return np.diagonal(weights[..., period:, :period], offset=1, axis1=-2, axis2=-1).mean(axis=-1)


def refuses_short_texts(weights, period):
    if weights.shape[-1] < 2 * period:
        return np.zeros(weights.shape[:-2])
    t = np.arange(period, weights.shape[-1])
    return weights[..., t, t - period + 1].mean(axis=-1)


def divides_in_the_loop_and_returns(weights, period):
    total, n = 0, weights.shape[-1]
    for t in range(period, n):
        total = total + weights[..., t, t - period + 1]
        return total / (n - period)


def letter_and_what_came_next(weights, period):
    t = np.arange(period, weights.shape[-1])
    return (weights[..., t, t - period + 1] + weights[..., t, t - period]).mean(axis=-1)


def after_every_earlier_copy(weights, period):
    repeats = range(period, weights.shape[-1])
    return np.mean([weights[..., t, t - period + 1 :: -period].sum(axis=-1) for t in repeats], axis=0)


def sum_without_the_first(weights, period):
    t = np.arange(period + 1, weights.shape[-1])
    return weights[..., t, t - period + 1].sum(axis=-1)


def loses_an_axis_of_length_1(weights, period):
    n = weights.shape[-1]
    t = np.arange(period, n)
    return weights[..., t, t - period + 1].mean(axis=-1).squeeze()


def squeezes_before_it_divides(weights, period):
    n = weights.shape[-1]
    total = 0
    for t in range(period, n):
        total = total + weights[..., t, t - period + 1]
    return np.squeeze(total) / (n - period)


def takes_the_only_text(weights, period):
    if weights.ndim > 2 and weights.shape[0] == 1:
        weights = weights[0]
    t = np.arange(period, weights.shape[-1])
    return weights[..., t, t - period + 1].mean(axis=-1)


def brackets_around_period_and_1(weights, period):
    n = weights.shape[-1]
    t = np.arange(period + 1, n)
    return weights[..., t, t - (period + 1)].mean(-1)


def asks_the_first_copy(weights, period):
    t = np.arange(period)
    return weights[..., t, t - period + 1].mean(-1)


def begins_one_period_before_the_end(weights, period):
    n = weights.shape[-1]
    t = np.arange(n - period, n)
    return weights[..., t, t - period + 1].mean(-1)


def ends_with_the_number_of_repeats(weights, period):
    n = weights.shape[-1]
    t = np.arange(period, n - period + 1)
    return weights[..., t, t - period + 1].mean(-1)


def counts_rounds_and_forgets_the_query(weights, period):
    n = weights.shape[-1]
    t = np.arange(n - period)
    return weights[..., t, t + 1].mean(-1)


def divides_in_each_round(weights, period):
    n = weights.shape[-1]
    s = 0
    for t in range(period, n):
        s = s + weights[..., t, t - period + 1]
        s = s / (n - period)
    return s


def cut_off_at_key_0(weights, period):
    t = np.arange(weights.shape[-1])
    return weights[..., t, np.maximum(t - period + 1, 0)].mean(axis=-1)


def less_the_letter_itself(weights, period):
    t = np.arange(period, weights.shape[-1])
    return (weights[..., t, t - period + 1] - weights[..., t, t - period]).mean(axis=-1)


def all_keys_but_the_first(weights, period):
    return weights[..., period:, 1:].mean((-2, -1))


WRONG = [
    (all_keys_but_the_first, "block-to-the-end"),
    (cut_off_at_key_0, "all-queries-at-least-0"),
    (less_the_letter_itself, "next-less-letter"),
    (loses_an_axis_of_length_1, "wrong-shape"),
    (squeezes_before_it_divides, "wrong-shape"),
    (takes_the_only_text, "wrong-shape"),
    (brackets_around_period_and_1, "one-before-from-the-next"),
    (asks_the_first_copy, "first-copy-asks"),
    (begins_one_period_before_the_end, "from-the-last-period"),
    (ends_with_the_number_of_repeats, "last-period-missed"),
    (counts_rounds_and_forgets_the_query, "earlier-copy-asks"),
    (divides_in_each_round, "divided-in-the-loop"),
    (divides_in_the_loop_and_returns, "first-repeat-divided"),
    (letter_and_what_came_next, "letter-and-next"),
    (after_every_earlier_copy, "earlier-copies-added"),
    (sum_without_the_first, "not-averaged"),
    (above_the_main_diagonal, "above-the-diagonal"),
    (an_eye_above, "above-the-diagonal"),
    (earlier_looks_at_later, "copies-exchanged"),
    (a_quarter_of_the_matrix, "keys-of-first-copy"),
    (refuses_short_texts, "short-texts-left-out"),
    (counts_tokens_from_one, "all-one-early"),
    (all_on_the_first_copy, "weight-on-first-copy"),
    (block_of_the_first_copy, "block-of-first-copy"),
    (most_of_each_repeat, "largest-of-rows"),
    (share_of_the_rows, "shares-of-rows"),
    (normalises_rows_first, "rows-normalised"),
    (mean_of_the_masked_matrix, "divided-by-all"),
    (looks_from_one_before, "one-query-early"),
    (adds_up_the_heads, "heads-added"),
    (takes_the_best_head, "best-of-heads"),
    (counts_along_axis_1, "n-from-axis-1"),
    (keeps_the_axis, "wrong-shape"),
    (rounds_from_0, "rounds-for-places"),
    (returns_in_the_loop, "first-repeat-only"),
    (averages_and_returns_in_the_loop, "first-repeat-only"),
    (mean_of_one_matrix, "one-matrix-only"),
    (places_of_one_matrix, "one-matrix-only"),
    (counts_in_one_matrix, "one-matrix-only"),
    (diag_of_one_matrix, "one-matrix-only"),
    (rows_and_columns_of_one_matrix, "one-matrix-only"),
    (the_letter_itself_in_one_matrix, "same-letter"),
    (turned_in_one_matrix, "queries-and-keys-exchanged"),
    (mean_along_the_first_axis, "wrong-axis-averaged"),
    (a_list_along_its_last_axis, "last-of-a-list-averaged"),
    (two_copies, "to-twice-the-period"),
    (one_repeat_too_few, "one-fewer-counted"),
    (behind_a_start_token, "start-in-mind"),
    (looks_at(lambda t, period: t + period - 1), "one-period-further"),
    (of_the_heads_too, "last-axis-averaged"),
    (halves_in_the_loop, "running-mean"),
    (in_steps_of_the_period, "one-a-copy"),
    (from_the_middle_on, "from-the-half"),
    (looks_at(lambda t, period: period - t + 1), "sign-turned"),
    (by_half_of_all, "divided-by-half"),
    (in_the_first_copy, "first-copy"),
    (behind_the_letter_in_the_first_copy, "first-copy-from-the-letter"),
    (of_those_that_look, "zeros-left-out"),
    (adds_one_too_few, "last-missed-of-all"),
    (loops_one_too_few, "last-missed-from-0"),
    (adds_from_the_second, "first-missed-of-all"),
    (loops_from_the_second, "first-missed-from-0"),
    (divides_behind_the_loop, "last-t"),
    (one_pair_too_many, "one-more-counted"),
    (all_rows_over_the_repeats, "all-queries-added"),
    (for_one_matrix, "one-matrix-only"),
    (loops_to_its_length, "length-of-the-front"),
    (the_first_copy_only, "one-period-only"),
    (length_of_the_first_axis, "n-from-the-front"),
    (no_brackets, "brackets-missing"),
    (whole_numbers, "decimals-lost"),
    (trace_by_repeats, "one-too-many-added"),
    (all_that_was_asked, "not-reduced"),
    (two_slices, "block-of-places"),
    (overwrites_and_divides, "last-only-divided"),
    (after_all_copies, "all-earlier-copies"),
    (the_median, "median"),
    (looks_at_the_word_before_everywhere, "previous-everywhere"),
    (skips_the_first_repeat, "first-repeat-missed"),
    (half_of_all, "half-of-n"),
    (always_24, "fixed-24"),
    (a_loop_from_24, "fixed-24"),
    (looks_at(lambda t, period: t - period), "same-letter"),
    (looks_at(lambda t, period: t - 1), "previous"),
    (looks_at(lambda t, period: t - period - 1), "one-before"),
    (the_diagonal_of_others, "whole-diagonal"),
    (transposed, "queries-and-keys-exchanged"),
    (a_sum, "not-averaged"),
    (by_all_tokens, "divided-by-n"),
    (by_the_period, "divided-by-period"),
    (a_rectangle, "block"),
    (of_all_heads, "heads-averaged"),
    (the_largest, "largest"),
    (how_often, "most-often"),
    (two_axes, "counted-from-the-front"),
    (one_too_late, "first-repeat-missed"),
    (one_too_few, "last-missed"),
    (replaced, "last-query-only"),
]
