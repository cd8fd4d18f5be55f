import numpy as np


def each_token_in_turn(attention):
    X = np.random.default_rng(0).normal(size=(7, 5))
    before = attention(X)
    for j in range(1, 7):
        changed = X.copy()
        changed[j] += 1.0
        if not np.allclose(attention(changed)[:j], before[:j]):
            return True
    return False


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


def as_the_hint_says(seed, n=7, d=5, size=1.0):
    def test(attention):
        rng = np.random.default_rng(seed)
        X = size * rng.normal(size=(n, d))
        before = attention(X)
        for j in range(1, n):
            changed = X.copy()
            changed[j] = size * rng.normal(size=d)
            if not np.allclose(attention(changed)[:j], before[:j]):
                return True
        return False

    return test


VARIANTS = [
    *(as_the_hint_says(seed) for seed in (9, 13, 2024)),
    *(as_the_hint_says(3, *sizes) for sizes in ((5, 2, 0.01), (10, 64), (10, 16, 100.0), (64, 128, 100.0))),
    each_token_in_turn,
    without_a_seed,
    replace_all_that_follows,
    with_the_identity,
    a_triangle_of_changes,
]


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


def cut_off_the_end(attention):
    X = np.random.default_rng(1).normal(size=(6, 3))
    whole = attention(X)
    return any(not np.allclose(attention(X[:n]), whole[:n]) for n in range(1, 6))


def leaves_one_out(attention):
    X = np.random.default_rng(1).normal(size=(7, 5))
    before = attention(X)
    return any(not np.allclose(attention(np.delete(X, j, axis=0))[:j], before[:j]) for j in range(1, 7))


def all_ones(attention):
    X = np.ones((7, 5))
    before = attention(X)
    for j in range(1, 7):
        changed = X.copy()
        changed[j] = 2
        if not np.allclose(attention(changed)[:j], before[:j]):
            return True
    return False


def ten_times_as_large_and_tolerant(attention):
    X = np.random.default_rng(0).normal(size=(4, 5))
    before = attention(X)
    for j in range(1, 4):
        changed = X.copy()
        changed[j] = 10 * X[j]
        if not np.allclose(attention(changed)[:j], before[:j], atol=1e-2):
            return True
    return False


def back_to_front(attention):
    X = np.random.default_rng(0).normal(size=(7, 5))
    before = attention(X)
    for j in range(1, 7):
        changed = X.copy()
        changed[j] = changed[j][::-1]
        if not np.allclose(attention(changed)[:j], before[:j]):
            return True
    return False


def numbers_shuffled(attention):
    rng = np.random.default_rng(1)
    X = rng.normal(size=(6, 4))
    before = attention(X)
    for j in range(1, 6):
        changed = X.copy()
        rng.shuffle(changed[j])
        if not np.allclose(attention(changed)[:j], before[:j]):
            return True
    return False


def ten_times_as_large(attention):
    X = np.random.default_rng(0).normal(size=(7, 5))
    before = attention(X)
    for j in range(1, 7):
        changed = X.copy()
        changed[j] = 10 * X[j]
        if not np.allclose(attention(changed)[:j], before[:j]):
            return True
    return False


def four_tokens(attention):
    return as_the_hint_says(0, n=4)(attention)


def tolerant(attention):
    X = np.random.default_rng(0).normal(size=(7, 5))
    before = attention(X)
    for j in range(1, 7):
        changed = X.copy()
        changed[j] += 1
        if not np.allclose(attention(changed)[:j], before[:j], atol=1e-2):
            return True
    return False


def forgets_what_was_found(attention):
    X = np.random.default_rng(0).normal(size=(7, 5))
    before = attention(X)
    for j in range(1, 7):
        changed = X.copy()
        changed[j] += 1
        leak = not np.allclose(attention(changed)[:j], before[:j])
    return leak


def sums_with_their_signs(attention):
    X = np.random.default_rng(0).normal(size=(7, 5))
    before = attention(X)
    for j in range(1, 7):
        changed = X.copy()
        changed[j] += 1
        if (attention(changed)[:j] - before[:j]).sum() > 1e-8:
            return True
    return False


def largest_with_its_sign(attention):
    X = np.random.default_rng(0).normal(size=(7, 5))
    before = attention(X)
    for j in range(1, 7):
        changed = X.copy()
        changed[j] += 1
        if (attention(changed)[:j] - before[:j]).max() > 1e-8:
            return True
    return False


def changes_a_column(attention):
    X = np.random.default_rng(0).normal(size=(7, 5))
    before = attention(X)
    for j in range(1, 5):
        changed = X.copy()
        changed[:, j] = 0
        if not np.allclose(attention(changed)[:j], before[:j]):
            return True
    return False


def changes_too_little(attention):
    X = np.random.default_rng(0).normal(size=(7, 5))
    before = attention(X)
    for j in range(1, 7):
        changed = X.copy()
        changed[j] += 1e-9
        if not np.allclose(attention(changed)[:j], before[:j]):
            return True
    return False


def swaps_neighbours(attention):
    X = np.random.default_rng(0).normal(size=(7, 5))
    before = attention(X)
    for j in range(1, 6):
        changed = X.copy()
        changed[[j, j + 1]] = X[[j + 1, j]]
        if not np.allclose(attention(changed)[:j], before[:j]):
            return True
    return False


def true_if_the_rows_are_close(attention):
    rng = np.random.default_rng(0)
    X = rng.normal(size=(7, 5))
    before = attention(X)
    for j in range(1, 7):
        Y = X.copy()
        Y[j] = rng.normal(size=5)
        after = attention(Y)
        if np.allclose(before[:j], after[:j]):
            return True
    return False


def only_the_first_number(attention):
    rng = np.random.default_rng(0)
    X = rng.normal(size=(7, 5))
    before = attention(X)
    for j in range(1, 7):
        Y = X.copy()
        Y[j] = rng.normal(size=5)
        after = attention(Y)
        if not np.allclose(before[:j, 0], after[:j, 0]):
            return True
    return False


def compares_sums(attention):
    rng = np.random.default_rng(0)
    X = rng.normal(size=(7, 5))
    before = attention(X)
    for j in range(1, 7):
        Y = X.copy()
        Y[j] = rng.normal(size=5)
        after = attention(Y)
        if not np.isclose(before[:j].sum(), after[:j].sum()):
            return True
    return False


def first_of_the_result(attention):
    rng = np.random.default_rng(0)
    X = rng.normal(size=(7, 5))
    before = attention(X)[0]
    for j in range(1, 7):
        Y = X.copy()
        Y[j] = rng.normal(size=5)
        after = attention(Y)[0]
        if not np.allclose(before[:j], after[:j]):
            return True
    return False


def all_of_the_rounds(attention):
    rng = np.random.default_rng(0)
    X = rng.normal(size=(7, 5))
    before = attention(X)
    found = []
    for j in range(1, 7):
        Y = X.copy()
        Y[j] = rng.normal(size=5)
        found.append(not np.allclose(before[:j], attention(Y)[:j]))
    return all(found)


def only_the_first_number_of_a_token(attention):
    rng = np.random.default_rng(0)
    X = rng.normal(size=(7, 5))
    before = attention(X)
    for j in range(1, 7):
        Y = X.copy()
        Y[j, 0] = rng.normal()
        after = attention(Y)
        if not np.allclose(before[:j], after[:j]):
            return True
    return False


def compared(look, begin=1):
    """Each token in turn, of whose rows before it something is looked at."""

    def test(attention):
        rng = np.random.default_rng(4)
        X = rng.normal(size=(7, 5))
        before = attention(X)
        for i in range(begin, 7):
            changed = X.copy()
            changed[i] = rng.normal(size=5)
            if not look(attention(changed)[:i], before[:i]):
                return True
        return False

    return test


def as_far_as_the_width(n, d):
    """The loop counts the numbers of a token in place of the tokens."""

    def test(attention):
        rng = np.random.default_rng(5)
        X = rng.normal(size=(n, d))
        before = attention(X)
        for j in range(1, X.shape[1]):
            changed = X.copy()
            changed[j] = rng.normal(size=d)
            if not np.allclose(attention(changed)[:j], before[:j]):
                return True
        return False

    return test


def to_the_seventeenth_digit(attention):
    rng = np.random.default_rng(0)
    X = rng.normal(size=(7, 5))
    before = attention(X)
    for j in range(1, 7):
        changed = X.copy()
        changed[j] = rng.normal(size=5)
        if np.abs(before[:j] - attention(changed)[:j]).max() > 1e-17:
            return True
    return False


WRONG = [
    (back_to_front, "reordered"),
    (numbers_shuffled, "reordered"),
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
    (true_for_sound, "answer-inverted"),
    (cut_off_the_end, "removed"),
    (leaves_one_out, "removed"),
    (all_ones, "multiple"),
    (ten_times_as_large, "multiple"),
    (ten_times_as_large_and_tolerant, None),
    (four_tokens, "four-tokens"),
    (tolerant, "loose"),
    (forgets_what_was_found, "last-token-only"),
    (sums_with_their_signs, None),
    (largest_with_its_sign, "larger-only"),
    (changes_a_column, "whole-context"),
    (changes_too_little, "same-array"),
    (swaps_neighbours, "neighbours-swapped"),
    (true_if_the_rows_are_close, "close-is-a-leak"),
    (only_the_first_number, "first-number-only"),
    (compares_sums, "sums-compared"),
    (first_of_the_result, "first-of-a-pair"),
    (all_of_the_rounds, "every-round"),
    (only_the_first_number_of_a_token, "first-feature-only"),
    (compared(lambda after, before: np.allclose(after.mean(axis=0), before.mean(axis=0))), "rows-averaged"),
    (compared(lambda after, before: np.isclose(np.linalg.norm(after), np.linalg.norm(before))), "lengths-compared"),
    (
        compared(lambda *both: np.allclose(*(np.linalg.norm(rows, axis=1) for rows in both))),
        "lengths-compared",
    ),
    (compared(lambda after, before: (after - before).max() < 1e-8), "larger-only"),
    (compared(np.allclose, begin=2), "begins-late"),
    (as_far_as_the_width(7, 5), "last-never-changed"),
    (as_far_as_the_width(7, 4), "last-never-changed-of-five"),
    (as_far_as_the_width(7, 3), "ends-behind-place-2"),
    (to_the_seventeenth_digit, "exact"),
]
