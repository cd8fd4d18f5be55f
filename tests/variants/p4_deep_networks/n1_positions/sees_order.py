import numpy as np


def as_the_hint_says(attention):
    rng = np.random.default_rng(0)
    X = rng.normal(size=(7, 5))
    for _ in range(10):
        order = rng.permutation(7)
        if not np.allclose(attention(X[order]), attention(X)[order]):
            return True
    return False


def by_undoing(attention):
    X = np.random.default_rng(1).normal(size=(8, 3))
    order = np.array([3, 7, 0, 5, 1, 6, 2, 4])
    back = np.argsort(order)
    return bool(np.abs(attention(X[order])[back] - attention(X)).max() > 1e-8)


def many_shuffles(attention, n=6, d=4):
    for seed in range(5):
        rng = np.random.default_rng(seed)
        X, order = rng.normal(size=(n, d)), rng.permutation(n)
        if not np.allclose(attention(X)[order], attention(X[order]), atol=1e-7):
            return True
    return False


def each_pair_exchanged(attention):
    X = np.random.normal(size=(6, 2))  # noqa: NPY002 - as people write it
    for i in range(6):
        for j in range(i):
            order = list(range(6))
            order[i], order[j] = j, i
            if not np.allclose(attention(X[order]), attention(X)[order]):
                return True
    return False


def by_a_matrix(attention):
    rng = np.random.default_rng(5)
    X, shuffle = rng.normal(size=(9, 5)), np.eye(9)[[5, 3, 8, 0, 7, 2, 1, 4, 6]]
    return np.linalg.norm(attention(shuffle @ X) - shuffle @ attention(X)) > 1e-7


def row_by_row(attention):
    rng = np.random.default_rng(11)
    X = rng.normal(size=(7, 6))
    order = [4, 2, 6, 0, 5, 1, 3]
    shuffled, plain = attention(X[order]), attention(X)
    seen = False
    for new, old in enumerate(order):
        for a, b in zip(shuffled[new], plain[old], strict=True):
            seen = seen or abs(a - b) > 1e-8
    return seen


def large_and_wide(attention):
    rng = np.random.default_rng(8)
    X, order = 20 * rng.normal(size=(10, 64)), [7, 4, 0, 9, 2, 8, 3, 1, 5, 6]
    return not np.allclose(attention(X[order]), attention(X)[order])


VARIANTS = [as_the_hint_says, by_undoing, many_shuffles, each_pair_exchanged, by_a_matrix, row_by_row, large_and_wide]


def compared_as_it_comes(attention):
    rng = np.random.default_rng(0)
    X = rng.normal(size=(7, 5))
    return not np.allclose(attention(X[rng.permutation(7)]), attention(X))


def undone_the_wrong_way(attention):
    X = np.random.default_rng(0).normal(size=(7, 5))
    order = np.roll(np.arange(7), 2)
    return not np.allclose(attention(X[order])[order], attention(X))


def turned_round(attention):
    X = np.random.default_rng(0).normal(size=(7, 5))
    return not np.allclose(attention(X[::-1]), attention(X)[::-1])


def five_turned_round(attention):
    X = np.random.default_rng(0).normal(size=(5, 4))
    return not np.allclose(attention(X[::-1])[::-1], attention(X))


def six_turned_round(attention):
    X = np.random.default_rng(3).normal(size=(6, 3))
    order = np.arange(6)[::-1]
    return not np.allclose(attention(X[order])[order], attention(X))


def rolled(attention):
    X = np.random.default_rng(0).normal(size=(7, 5))
    return not np.allclose(attention(np.roll(X, 1, axis=0)), np.roll(attention(X), 1, axis=0))


def first_pair(attention):
    X = np.random.default_rng(0).normal(size=(7, 5))
    order = [1, 0, 2, 3, 4, 5, 6]
    return not np.allclose(attention(X[order]), attention(X)[order])


def one_token_stays(attention):
    X = np.random.default_rng(0).normal(size=(7, 5))
    order = [4, 2, 5, 0, 3, 1, 6]
    return not np.allclose(attention(X[order]), attention(X)[order])


def all_have_to_show_it(attention):
    X = np.random.default_rng(0).normal(size=(7, 5))
    for order in ([1, 0, 2, 3, 4, 5, 6], [6, 0, 1, 2, 3, 4, 5], [4, 2, 6, 0, 5, 1, 3]):
        if np.allclose(attention(X[order]), attention(X)[order]):
            return False
    return True


def to_the_last_bit(attention):
    X, order = np.random.default_rng(0).normal(size=(7, 5)), [4, 2, 6, 0, 5, 1, 3]
    return not np.array_equal(attention(X[order]), attention(X)[order])


def sums(attention):
    X, order = np.random.default_rng(0).normal(size=(7, 5)), [4, 2, 6, 0, 5, 1, 3]
    return not np.allclose(attention(X[order]).sum(axis=0), attention(X).sum(axis=0))


def rows_alike(attention):
    X, order = np.ones((7, 5)), np.random.default_rng(0).permutation(7)
    return not np.allclose(attention(X[order]), attention(X)[order])


def the_context_of_a_pair(attention):
    rng = np.random.default_rng(0)
    X, order = rng.normal(size=(7, 5)), np.array([1, 0, 2, 3, 4, 6, 5])
    rng.shuffle(order)
    return not np.allclose(attention(X[order])[0], attention(X)[order][0])


def says_when_it_does_not(attention):
    return not as_the_hint_says(attention)


def shows(differ):
    """A test by ten shuffles and a way to say of two results that they differ."""

    def answer(attention):
        rng = np.random.default_rng(0)
        X = rng.normal(size=(7, 5))
        orders = [rng.permutation(7) for _ in range(10)]
        return bool(any(differ(attention(X[order]), attention(X)[order]) for order in orders))

    return answer


none_is_close = shows(lambda one, other: not np.isclose(one, other).any())
all_are_different = shows(lambda one, other: (~np.isclose(one, other)).all())
sorted_columns = shows(lambda one, other: not np.allclose(np.sort(one, 0), np.sort(other, 0)))
one_length = shows(lambda one, other: not np.isclose(np.linalg.norm(one), np.linalg.norm(other)))


def changes_what_comes_later(attention):
    rng = np.random.default_rng(0)
    X = rng.normal(size=(6, 4))
    out = attention(X)
    for t in range(5):
        Y = X.copy()
        Y[t + 1 :] = rng.normal(size=(5 - t, 4))
        if not np.allclose(attention(Y)[: t + 1], out[: t + 1]):
            return True
    return False


def ends_exchanged(attention):
    X = np.random.default_rng(0).normal(size=(6, 4))
    Y = X.copy()
    Y[[0, -1]] = Y[[-1, 0]]
    return not np.allclose(attention(Y)[1:-1], attention(X)[1:-1])


def shuffled_on_and_on(attention):
    rng = np.random.default_rng(0)
    X = rng.normal(size=(7, 4))
    out = attention(X)
    for _ in range(5):
        order = rng.permutation(7)
        X = X[order]
        if not np.allclose(attention(X), out[order]):
            return True
    return False


def fifteen_have_to_show_it(attention):
    rng = np.random.default_rng(0)
    X = rng.normal(size=(7, 5))
    orders = [rng.permutation(7) for _ in range(15)]
    return all(not np.allclose(attention(X[order]), attention(X)[order]) for order in orders)


def rolled_without_an_axis(attention):
    X = np.random.default_rng(0).normal(size=(7, 4))
    return not np.allclose(attention(np.roll(X, 1)), np.roll(attention(X), 1))


def rolled_on_and_on_without_an_axis(attention):
    X = np.random.default_rng(0).normal(size=(7, 5))
    return any(not np.allclose(attention(np.roll(X, steps)), np.roll(attention(X), steps)) for steps in range(1, 7))


def each_column_by_itself(attention):
    rng = np.random.default_rng(0)
    X = rng.normal(size=(7, 5))
    for _ in range(10):
        Y = rng.permuted(X, axis=0)
        if not np.allclose(attention(Y), attention(X)):
            return True
    return False


def each_column_by_itself_in_both(attention):
    X = np.random.default_rng(0).normal(size=(7, 5))
    one = attention(np.random.default_rng(5).permuted(X, axis=0))
    return not np.allclose(one, np.random.default_rng(5).permuted(attention(X), axis=0))


# Each with the mistake that the judge should name, or None.
def shuffles_by_another_name(attention):
    rng = np.random.default_rng(0)
    X = rng.normal(size=(7, 3))
    for _ in range(20):
        order = rng.permutation(7)
        shuffled = X
        shuffled[:] = X[order]
        if not np.allclose(attention(shuffled), attention(X)[order]):
            return True
    return False


WRONG = [
    (shuffles_by_another_name, "undone-the-wrong-way"),
    (rolled_without_an_axis, "flat-roll"),
    (rolled_on_and_on_without_an_axis, "flat-roll"),
    (each_column_by_itself, "columns-apart"),
    (each_column_by_itself_in_both, "columns-apart-alike"),
    (fifteen_have_to_show_it, "every-shuffle"),
    (changes_what_comes_later, "asks-about-the-future"),
    (ends_exchanged, "unmoved-compared"),
    (shuffled_on_and_on, None),
    (none_is_close, "every-number"),
    (all_are_different, "every-number"),
    (sorted_columns, "without-places"),
    (one_length, "without-places"),
    (compared_as_it_comes, "not-undone"),
    (undone_the_wrong_way, "undone-the-wrong-way"),
    (turned_round, "reversed-only"),
    (five_turned_round, "reversed-of-five"),
    (six_turned_round, "reversed-of-six"),
    (rolled, "circle-only"),
    (first_pair, "first-two-only"),
    (one_token_stays, "last-stays"),
    (all_have_to_show_it, "every-shuffle"),
    (to_the_last_bit, "exact"),
    (sums, "rows-summed"),
    (rows_alike, None),
    (the_context_of_a_pair, None),
    (says_when_it_does_not, "answer-inverted"),
]
