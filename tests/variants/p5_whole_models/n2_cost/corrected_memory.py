import numpy as np

from attnlib import softmax


def asks_first(keys, values):
    M = np.zeros((values.shape[1], keys.shape[1]))
    for k, v in zip(keys, values, strict=True):
        M = M + np.outer(v - M @ k, k)
    return M


def wipes_then_writes(keys, values):
    M = np.zeros((values.shape[1], keys.shape[1]))
    for k, v in zip(keys, values, strict=True):
        M = M @ (np.eye(len(k)) - np.outer(k, k)) + np.outer(v, k)
    return M


def in_place(keys, values):
    M = np.zeros((len(values[0]), len(keys[0])))
    for i in range(len(keys)):
        M += (values[i] - M @ keys[i])[:, None] * keys[i]
    return M


def turned_inside(keys, values):
    S = np.zeros((keys.shape[1], values.shape[1]))
    for k, v in zip(keys, values, strict=True):
        S = S + np.outer(k, v - k @ S)
    return S.T


def as_lists(keys, values):
    keys, values = keys.tolist(), values.tolist()
    M = [[0.0] * len(keys[0]) for _ in values[0]]
    for k, v in zip(keys, values, strict=True):
        for row, wanted in zip(M, v, strict=True):
            missing = wanted - sum(x * y for x, y in zip(row, k, strict=True))
            for j, x in enumerate(k):
                row[j] += missing * x
    return M


def in_single_precision(keys, values):
    return np.float32(in_place(np.float32(keys), np.float32(values)))


def recursion(keys, values):
    if len(keys) == 0:
        return np.zeros((values.shape[1], keys.shape[1]))
    M = recursion(keys[:-1], values[:-1])
    return M + np.einsum("v,k->vk", values[-1] - M @ keys[-1], keys[-1])


def leaves_out_what_is_known(keys, values):
    M = np.zeros((values.shape[1], keys.shape[1]))
    for k, v in zip(keys, values, strict=True):
        if np.allclose(M @ k, v):
            continue
        M = M + np.outer(v - M @ k, k)
    return M


VARIANTS = [
    asks_first,
    wipes_then_writes,
    in_place,
    turned_inside,
    as_lists,
    in_single_precision,
    recursion,
    leaves_out_what_is_known,
]


def plain_sum(keys, values):
    return values.T @ keys


def asks_an_empty_one(keys, values):
    M = np.zeros((values.shape[1], keys.shape[1]))
    return M + sum(np.outer(v - M @ k, k) for k, v in zip(keys, values, strict=True))


def plus(keys, values):
    M = np.zeros((values.shape[1], keys.shape[1]))
    for k, v in zip(keys, values, strict=True):
        M = M + np.outer(v + M @ k, k)
    return M


def the_wrong_way_round(keys, values):
    M = np.zeros((values.shape[1], keys.shape[1]))
    for k, v in zip(keys, values, strict=True):
        M = M + np.outer(M @ k - v, k)
    return M


def forgets_to_write(keys, values):
    M = np.outer(values[0], keys[0])
    for k in keys[1:]:
        M = M - np.outer(M @ k, k)
    return M


def other_way_round(keys, values):
    return asks_first(keys, values).T


def inverse(keys, values):
    return np.linalg.lstsq(keys, values, rcond=None)[0].T


def backwards(keys, values):
    return asks_first(keys[::-1], values[::-1])


def returns_at_once(keys, values):
    return asks_first(keys[:1], values[:1])


def anew_each_time(keys, values):
    return np.outer(values[-1], keys[-1])


def half_a_step(keys, values):
    M = np.zeros((values.shape[1], keys.shape[1]))
    for k, v in zip(keys, values, strict=True):
        M = M + 0.5 * np.outer(v - M @ k, k)
    return M


def a_softmax(keys, values):
    return np.exp(values.T @ keys)


def made_anew_each_round(keys, values):
    M = np.zeros((values.shape[1], keys.shape[1]))
    for k, v in zip(keys, values, strict=True):
        M = np.outer(v - M @ k, k)
    return M


def begins_with_all(keys, values):
    M = values.T @ keys
    for k, v in zip(keys, values, strict=True):
        M = M + np.outer(v - M @ k, k)
    return M


def two_rounds(keys, values):
    M = np.zeros((values.shape[1], keys.shape[1]))
    for _ in range(2):
        for k, v in zip(keys, values, strict=True):
            M = M + np.outer(v - M @ k, k)
    return M


def one_correction(keys, values):
    M = sum(np.outer(v, k) for k, v in zip(keys, values, strict=True))
    return M + sum(np.outer(v - M @ k, k) for k, v in zip(keys, values, strict=True))


def takes_off_what_it_stored_under_that_key(keys, values):
    M = np.zeros((values.shape[1], keys.shape[1]))
    for j, (key, value) in enumerate(zip(keys, values, strict=True)):
        earlier = [i for i in range(j) if np.array_equal(keys[i], key)]
        old = values[earlier[-1]] if earlier else 0
        M = M + np.outer(value - old, key)
    return M


def only_if_it_is_news(keys, values):
    M = np.zeros((values.shape[1], keys.shape[1]))
    for key, value in zip(keys, values, strict=True):
        if not np.allclose(M @ key, value):
            M = M + np.outer(value, key)
    return M


def a_column_for_each_key(keys, values):
    M = np.zeros((values.shape[1], keys.shape[1]))
    for key, value in zip(keys, values, strict=True):
        M[:, key.argmax()] = value
    return M


def the_first_pair_each_round(keys, values):
    M = np.zeros((values.shape[1], keys.shape[1]))
    for _ in range(len(keys)):
        M = M + np.outer(values[0] - M @ keys[0], keys[0])
    return M


def asks_what_the_plain_memory_says(keys, values):
    plain = values.T @ keys
    M = np.zeros(plain.shape)
    for key, value in zip(keys, values, strict=True):
        M += np.outer(value - plain @ key, key)
    return M


# Each with the mistake that the judge should name, or None.
def _by_a_factor(factor):
    def answer(keys, values):
        M = np.zeros((values.shape[1], keys.shape[1]))
        for k, v in zip(keys, values, strict=True):
            M = M + np.outer(v - M @ k, k) * factor(k)
        return M

    return answer


def learns_slowly(keys, values):
    rate = 0.9
    return _by_a_factor(lambda k: rate)(keys, values)


def learns_by_width(keys, values):
    return _by_a_factor(lambda k: 1 / len(k))(keys, values)


def divides_by_length(keys, values):
    return _by_a_factor(lambda k: 1 / (k @ k + 1e-6))(keys, values)


def makes_unit_rows(keys, values):
    return asks_first(keys / (np.linalg.norm(keys, axis=1, keepdims=True) + 1e-6), values)


def of_the_kind_of_values(keys, values):
    return asks_first(keys, values).astype(values.dtype)


def holds_the_kind_of_values(keys, values):
    M = np.zeros((values.shape[1], keys.shape[1]), dtype=values.dtype)
    for k, v in zip(keys, values, strict=True):
        M[:] = M + np.outer(v - M @ k, k)
    return M


def asks_the_key_before(keys, values):
    M = np.zeros((values.shape[1], keys.shape[1]))
    for i in range(len(keys)):
        M = M + np.outer(values[i] - M @ keys[i - 1], keys[i])
    return M


def from_the_identity(keys, values):
    M = np.eye(values.shape[1], keys.shape[1])
    for key, value in zip(keys, values, strict=True):
        M = M + np.outer(value - M @ key, key)
    return M


def corrects_the_last(keys, values):
    M = values.T @ keys
    return M + np.outer(values[-1] - M @ keys[-1], keys[-1])


def erases_and_corrects(keys, values):
    M = np.zeros((values.shape[1], keys.shape[1]))
    for key, value in zip(keys, values, strict=True):
        M = M - np.outer(M @ key, key) + np.outer(value - M @ key, key)
    return M


def only_what_is_new(keys, values):
    M = np.zeros((values.shape[1], keys.shape[1]))
    for key, value in zip(keys, values, strict=True):
        if np.allclose(M @ key, 0):
            M = M + np.outer(value, key)
    return M


def stores_and_then_erases(keys, values):
    M = np.zeros((values.shape[1], keys.shape[1]))
    for k, v in zip(keys, values, strict=True):
        M = M + np.outer(v, k)
        M = M - np.outer(M @ k, k)
    return M


def takes_off_earlier_values(keys, values):
    missing = values - np.tril(keys @ keys.T, -1) @ values
    return missing.T @ keys


def leaves_out_what_is_near(keys, values):
    M = np.zeros((values.shape[1], keys.shape[1]))
    for k, v in zip(keys, values, strict=True):
        if np.allclose(M @ k, v, atol=0.5):
            continue
        M = M + np.outer(v - M @ k, k)
    return M


def leaves_out_a_small_gap(keys, values):
    M = np.zeros((values.shape[1], keys.shape[1]))
    for k, v in zip(keys, values, strict=True):
        if np.linalg.norm(M @ k - v) > 0.01:
            M = M + np.outer(v - M @ k, k)
    return M


def leaves_out_half_known(keys, values):
    M = np.zeros((values.shape[1], keys.shape[1]))
    for k, v in zip(keys, values, strict=True):
        if np.linalg.norm(v - M @ k) > np.linalg.norm(v) / 2:
            M = M + np.outer(v - M @ k, k)
    return M


def leaves_out_if_any_is_near(keys, values):
    M = np.zeros((values.shape[1], keys.shape[1]))
    for k, v in zip(keys, values, strict=True):
        if not np.any(np.abs(M @ k - v) < 0.1):
            M = M + np.outer(v - M @ k, k)
    return M


def leaves_out_if_any_is_known(keys, values):
    M = np.zeros((values.shape[1], keys.shape[1]))
    for k, v in zip(keys, values, strict=True):
        if not np.isclose(M @ k, v).any():
            M = M + np.outer(v - M @ k, k)
    return M


def leaves_out_the_same_signs(keys, values):
    M = np.zeros((values.shape[1], keys.shape[1]))
    for k, v in zip(keys, values, strict=True):
        if not np.array_equal(np.sign(M @ k), np.sign(v)):
            M = M + np.outer(v - M @ k, k)
    return M


def forgets_a_tenth(keys, values):
    M = np.zeros((values.shape[1], keys.shape[1]))
    for k, v in zip(keys, values, strict=True):
        M = 0.9 * M + np.outer(v - M @ k, k)
    return M


def forgets_a_twentieth_first(keys, values):
    M = np.zeros((values.shape[1], keys.shape[1]))
    for k, v in zip(keys, values, strict=True):
        M = 0.95 * M
        M = M + np.outer(v - M @ k, k)
    return M


def learns_less_and_less(keys, values):
    M = np.zeros((values.shape[1], keys.shape[1]))
    for i, (k, v) in enumerate(zip(keys, values, strict=True), 1):
        M = M + np.outer(v - M @ k, k) / i
    return M


def shares_among_pairs(keys, values):
    return _by_a_factor(lambda k: 1 / len(keys))(keys, values)


def scales_what_m_says(keys, values):
    M = np.zeros((values.shape[1], keys.shape[1]))
    for k, v in zip(keys, values, strict=True):
        M = M + np.outer(v - M @ k / np.sqrt(len(k)), k)
    return M


def _phi(x):
    return np.where(x > 0, x + 1, np.exp(np.minimum(x, 0)))


def with_features(keys, values):
    return asks_first(_phi(keys), values)


def with_features_and_their_sum(keys, values):
    M, z = np.zeros((values.shape[1], keys.shape[1])), np.zeros(keys.shape[1])
    for k, v in zip(_phi(keys), values, strict=True):
        n = z @ k
        said = M @ k / n if n != 0 else M @ k
        M = M + np.outer(v - said, k)
        z = z + k
    return M


def with_features_by_half(keys, values):
    return half_a_step(_phi(keys), values)


def asks_attention(keys, values):
    M = np.zeros((values.shape[1], keys.shape[1]))
    for i, (k, v) in enumerate(zip(keys, values, strict=True)):
        said = softmax(keys[:i] @ k) @ values[:i] if i else 0
        M = M + np.outer(v - said, k)
    return M


def trains_ten_times(keys, values):
    M = np.zeros((values.shape[1], keys.shape[1]))
    for _ in range(10):
        for k, v in zip(keys, values, strict=True):
            M = M + np.outer(v - M @ k, k)
    return M


def corrects_all_each_round(keys, values):
    M = np.zeros((values.shape[1], keys.shape[1]))
    for _ in range(len(keys)):
        M = M + (values - keys @ M.T).T @ keys
    return M


def only_what_is_above_zero(keys, values):
    M = np.zeros((values.shape[1], keys.shape[1]))
    for k, v in zip(keys, values, strict=True):
        M = M + np.outer(np.maximum(v - M @ k, 0), k)
    return M


def only_if_more_is_missing(keys, values):
    M = np.zeros((values.shape[1], keys.shape[1]))
    for k, v in zip(keys, values, strict=True):
        if np.sum(v - M @ k) > 0:
            M = M + np.outer(v - M @ k, k)
    return M


def in_whole_numbers(keys, values):
    M = np.zeros((values.shape[1], keys.shape[1]), dtype=int)
    for k, v in zip(keys, values, strict=True):
        M = (M + np.outer(v - M @ k, k)).astype(int)
    return M


def in_half_precision(keys, values):
    M = np.zeros((values.shape[1], keys.shape[1]), dtype=np.float16)
    for k, v in zip(keys, values, strict=True):
        M = (M + np.outer(v - M @ k, k)).astype(np.float16)
    return M


def erases_number_by_number(keys, values):
    M = np.zeros((values.shape[1], keys.shape[1]))
    for k, v in zip(keys, values, strict=True):
        M = M * (1 - k**2) + np.outer(v, k)
    return M


def takes_one_number_off(keys, values):
    M = np.zeros((values.shape[1], keys.shape[1]))
    for k, v in zip(keys, values, strict=True):
        said = np.sum(M * k)
        M = M + np.outer(v - said, k)
    return M


def knows_the_pair_before(keys, values):
    M = np.outer(values[0], keys[0])
    for i in range(1, len(keys)):
        said = values[i - 1] * (keys[i - 1] @ keys[i])
        M = M + np.outer(values[i] - said, keys[i])
    return M


def asks_the_key_after(keys, values):
    M = np.zeros((values.shape[1], keys.shape[1]))
    for i in range(len(keys) - 1):
        M = M + np.outer(values[i] - M @ keys[i + 1], keys[i])
    return M + np.outer(values[-1] - M @ keys[-1], keys[-1])


def begins_with_one_and_goes_on_at_two(keys, values):
    M = values[:1].T @ keys[:1]
    for i in range(2, len(keys)):
        M = M + np.outer(values[i] - M @ keys[i], keys[i])
    return M


def begins_at_one(keys, values):
    return asks_first(keys[1:], values[1:])


def ends_before_the_last(keys, values):
    return asks_first(keys[:-1], values[:-1])


def backwards_without_the_first(keys, values):
    M = np.zeros((values.shape[1], keys.shape[1]))
    for i in range(len(keys) - 1, 0, -1):
        M = M + np.outer(values[i] - M @ keys[i], keys[i])
    return M


def above_zero_from_one(keys, values):
    return only_what_is_above_zero(keys[1:], values[1:])


def softmax_of_what_it_says(keys, values):
    M = np.zeros((values.shape[1], keys.shape[1]))
    for k, v in zip(keys, values, strict=True):
        M = M + np.outer(v - softmax(M @ k), k)
    return M


def empties_columns(keys, values):
    M = np.zeros((values.shape[1], keys.shape[1]))
    for k, v in zip(keys, values, strict=True):
        M[:, k != 0] = 0
        M = M + np.outer(v, k)
    return M


def takes_off_in_place(keys, values):
    M = np.zeros((values.shape[1], keys.shape[1]))
    for k, v in zip(keys, values, strict=True):
        v -= M @ k
        M = M + np.outer(v, k)
    return M


def asks_all_keys(keys, values):
    M = np.zeros((values.shape[1], keys.shape[1]))
    for k, v in zip(keys, values, strict=True):
        M = M + np.outer(v - (M @ keys.T).sum(axis=1), k)
    return M


def adds_whole_numbers(keys, values):
    M = np.zeros((values.shape[1], keys.shape[1]), dtype=int)
    for k, v in zip(keys, values, strict=True):
        M += np.outer(v - M @ k, k).astype(int)
    return M


def whole_in_the_end(keys, values):
    return asks_first(keys, values).astype(int)


WRONG = [
    (asks_all_keys, "asks-with-all-keys"),
    (adds_whole_numbers, "whole-corrections"),
    (whole_in_the_end, "whole-numbers-at-the-end"),
    (asks_what_the_plain_memory_says, "asks-the-plain-memory"),
    (softmax_of_what_it_says, "said-through-softmax"),
    (empties_columns, "erased-where-touched"),
    (takes_off_in_place, "changes-input"),
    (leaves_out_what_is_near, "skipped-if-near"),
    (leaves_out_a_small_gap, "skipped-if-near"),
    (leaves_out_half_known, "skipped-if-near"),
    (leaves_out_if_any_is_near, "known-in-part"),
    (leaves_out_if_any_is_known, "known-in-part"),
    (leaves_out_the_same_signs, "skipped-if-same-signs"),
    (forgets_a_tenth, "faded"),
    (forgets_a_twentieth_first, "faded-first"),
    (learns_less_and_less, "falling-rate"),
    (shares_among_pairs, "divided-by-pairs"),
    (scales_what_m_says, "said-by-root-d"),
    (with_features, "features-of-keys"),
    (with_features_and_their_sum, "features-of-keys"),
    (with_features_and_their_sum, "said-by-sum-of-keys"),
    (with_features_by_half, "features-of-keys"),
    (with_features_by_half, "shared-correction"),
    (asks_attention, "asked-by-softmax"),
    (trains_ten_times, "passes"),
    (corrects_all_each_round, "all-in-each-round"),
    (only_what_is_above_zero, "never-below-zero"),
    (only_if_more_is_missing, "stored-if-positive"),
    (in_whole_numbers, "whole-numbers-always"),
    (in_half_precision, "half-precision"),
    (erases_number_by_number, "erased-by-squares"),
    (takes_one_number_off, "one-number-said"),
    (knows_the_pair_before, "pair-before-only"),
    (asks_the_key_after, "asks-with-the-key-after"),
    (begins_with_one_and_goes_on_at_two, "second-pair-lost"),
    (begins_at_one, "first-pair-lost"),
    (ends_before_the_last, "last-pair-lost"),
    (backwards_without_the_first, "first-pair-lost"),
    (backwards_without_the_first, "from-the-end"),
    (above_zero_from_one, "first-pair-lost"),
    (above_zero_from_one, "never-below-zero"),
    (stores_and_then_erases, "all-zeros"),
    (takes_off_earlier_values, "corrected-by-values"),
    (corrects_the_last, "last-corrected-only"),
    (erases_and_corrects, "taken-off-twice"),
    (only_what_is_new, "stored-if-unknown"),
    (from_the_identity, "begins-with-identity"),
    (learns_slowly, "shared-correction"),
    (learns_by_width, "divided-by-d"),
    (divides_by_length, "divided-by-more"),
    (makes_unit_rows, "shortened"),
    (of_the_kind_of_values, "whole-numbers"),
    (holds_the_kind_of_values, "whole-numbers-each-round"),
    (asks_the_key_before, "asks-with-the-key-before"),
    (the_first_pair_each_round, "first-only"),
    (only_if_it_is_news, "stored-if-missing"),
    (a_column_for_each_key, "largest-number-only"),
    (takes_off_what_it_stored_under_that_key, "same-key-replaced"),
    (one_correction, "corrected-at-the-end"),
    (made_anew_each_round, "replaced-each-round"),
    (begins_with_all, "starts-full"),
    (two_rounds, "twice-through"),
    (plain_sum, "plain"),
    (asks_an_empty_one, "plain"),
    (plus, "added"),
    (the_wrong_way_round, "difference-turned"),
    (forgets_to_write, "wiped-only"),
    (other_way_round, "turned"),
    (inverse, "best-fit"),
    (backwards, "from-the-end"),
    (returns_at_once, "first-only"),
    (anew_each_time, "last-only"),
    (half_a_step, "shared-correction"),
    (a_softmax, None),
]
