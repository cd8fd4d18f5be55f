import numpy as np

from grader.exercises.kinds import Case, Property, Sign, function
from grader.exercises.p3_multi_head.n3_masks.shared import (
    attending,
    causal_attention,
    open_attention,
    without_itself,
)
from grader.exercises.stages import slip

hides_itself = attending(lambda i, j: i != j)
window = attending(lambda i, j: np.abs(i - j) <= 1)
circle = attending(lambda i, j: np.isin((i - j) % len(i), [0, 1, len(i) - 1]))


def _marked(place, numbers=slice(None), size=1.0):
    """Attention that does not see the order, and on top something that depends on the place."""

    def attention(X):
        context = open_attention(X)
        context[:, numbers] += size * np.array([[place(i, len(X))] for i in range(len(X))])
        return context

    return attention


first_marked = _marked(lambda i, n: i == 0)
last_marked = _marked(lambda i, n: i == n - 1)
second_marked = _marked(lambda i, n: i == 1)
third_marked = _marked(lambda i, n: i == 2)
fourth_marked = _marked(lambda i, n: i == 3)
first_two_alike = _marked(lambda i, n: max(i, 1))
last_two_alike = _marked(lambda i, n: min(i, n - 2))
ends_marked = _marked(lambda i, n: min(i, n - 1 - i))  # the same from either end
numbered = _marked(lambda i, n: i)
faintly = _marked(lambda i, n: i, size=1e-4)
in_the_first_number = _marked(lambda i, n: i, slice(1))
in_the_last_number = _marked(lambda i, n: i, slice(4, None))


def cancels_in_a_sum(X):
    context = numbered(X)
    return np.concatenate([context, -context], axis=-1)


def positions_added(X):
    return open_attention(X + np.sin(np.arange(len(X))[:, None] + np.arange(X.shape[-1])))


def averages_so_far(X):
    return np.cumsum(X, axis=0) / np.arange(1, len(X) + 1)[:, None]


def hears_the_first(X):
    return X + np.linspace(-1, 1, len(X))[:, None] * X[0]


def sorted_numbers(X):
    return np.sort(X, axis=0)


def tokens_alone(X):
    return np.tanh(X)


def mean_for_all(X):
    return np.zeros_like(X) + X.mean(axis=0)


def products_for_all(X):
    """In every order the same, as long as a token keeps its numbers together."""
    return np.zeros_like(X) + (X * np.roll(X, 1, axis=1)).mean(axis=0)


def columns_stretched(X):
    return X * np.linspace(1, 2, X.shape[1])


def smallest_added(X):
    return X + X.min(axis=0)


def total_by_steps(X):
    """The same sum for all, added up from the first on: another order rounds otherwise."""
    return X + np.cumsum(X / 3, axis=0)[-1]


STORIES = {
    causal_attention: "a causal mask",
    without_itself: "each token sees only those before it",
    window: "each token sees its two neighbours",
    circle: "each token sees its two neighbours, as if they stood in a circle",
    first_marked: "something is added to the first row only",
    last_marked: "something is added to the last row only",
    second_marked: "something is added to the second row only",
    third_marked: "something is added to the third row only",
    fourth_marked: "something is added to the fourth row only",
    first_two_alike: "each place has a number, but the first two have the same",
    last_two_alike: "each place has a number, but the last two have the same",
    ends_marked: "each place is numbered from the nearer end",
    numbered: "the number of the place is added to each row",
    faintly: "a ten thousandth of the number of the place is added to each row",
    in_the_first_number: "the place is added to the first number of each row only",
    in_the_last_number: "the place is added to the last number of each row only",
    cancels_in_a_sum: "the place is added to some numbers of a row and taken off others",
    positions_added: "positions are added to X",
    averages_so_far: "the mean of the tokens so far",
    hears_the_first: "the first token is added to each row, by shares of its place that add up to 0",
    sorted_numbers: "each column is sorted: the rows do not follow their tokens",
    open_attention: "attention without a mask",
    hides_itself: "each token sees all but itself",
    tokens_alone: "each token sees only itself",
    mean_for_all: "every row is the mean of all tokens",
    products_for_all: "every row is the mean of what each token's neighbouring numbers give, multiplied",
    columns_stretched: "each token sees only itself, and each column is multiplied by a factor of its own",
    smallest_added: "the smallest number of each column is added",
    total_by_steps: "the sum of all tokens is added (orders differ by rounding only)",
}


# A single shuffle moves any one token in six draws of seven: whoever draws it anew in each call is asked several times.
MARKED = first_marked, second_marked, third_marked, fourth_marked, last_marked


def larger(attention, rng):
    """The same attention of tokens whose numbers are all multiplied by one factor: also to somebody who takes the rows
    apart it is the same, and what it gives is known to nobody beforehand."""
    factor = rng.uniform(0.6, 1.6)

    def scaled(X):
        if isinstance(X, np.ndarray) and X.ndim == 2 and X.dtype.kind in "iuf":
            X = X * factor
        return attention(X)

    return scaled


def compares(one, other):
    """Attention that only asks which of two places has the larger number: half of all shuffles do not change that."""

    def attention(X):
        return X + (X[one % len(X), 0] > X[other % len(X), 0])

    return attention


def wants_all_shuffles(call):
    """Whether it looks as if every one of several shuffles had to show the order.

    There are two places whose comparison any single shuffle changes.
    """
    # The last two are asked about first: who exchanges only these has an answer of its own.
    pairs = [(one, other) for one in reversed(range(7)) for other in reversed(range(one))]
    return call(averages_so_far) and not any(call(compares(*pair)) for pair in pairs)


def tells_apart(seeing, blind):
    """A test that functions which see the order are told from those that do not."""

    def test(call, rng):
        # All, so that the mistake can be named; in an order of this draw, so that nobody knows it by heart.
        asked = seeing + blind
        said = {place: call(asked[place]) for place in rng.permutation(len(asked)).tolist()}
        found = [(attention, said[place]) for place, attention in enumerate(asked)]
        missed = [attention for attention, sees in found if sees is not (attention in seeing)]
        if not missed:
            return None
        what = "order is missed" if missed[0] in seeing else "order is seen where nobody sees it"
        words = f"{what}: {STORIES[missed[0]]}"
        of_one_row = len(set(missed)) > 3 and set(missed) <= set(MARKED)
        return Sign(words, "every-shuffle") if of_one_row and wants_all_shuffles(call) else words

    return test


def case(text, attention, share):
    return Case(text, lambda rng: {"attention": attention}, share)


STAYS = {"first": 0, "second": 1, "third": 2, "fourth": 3, "last": 6}


def _keeping(place, order):
    """The same shuffle, but for one token that stays where it was."""
    order = order.copy()
    at = int(np.flatnonzero(order == place)[0])
    order[[at, place]] = order[[place, at]]
    return order


def _torn(rows):
    """The same numbers in each column, each column in an order of its own."""
    orders = np.random.default_rng(7).random(rows.shape).argsort(axis=0)
    return np.take_along_axis(rows, orders, axis=0)


def _flat_roll(rows):
    return np.roll(rows, 1)


def _orders(wrong, n):
    """The shuffles that are tried."""
    here = np.arange(n)
    swapped = {"first-two-only": here.copy(), "last-two-only": here.copy()}
    swapped["first-two-only"][:2] = [1, 0]
    swapped["last-two-only"][-2:] = [n - 1, n - 2]
    if "nothing-moves" in wrong:
        return [here]
    if "unmoved-compared" in wrong:
        return [np.array([n - 1, *here[1:-1], 0])]
    by_chance = np.array([4, 2, 6, 0, 5, 1, 3]) if n == 7 else here[::-1]
    all_of_them = [swapped["first-two-only"], np.roll(here, 1), by_chance]
    slips = {name: [order] for name, order in swapped.items()}
    slips |= {f"{name}-stays": [_keeping(place, by_chance)] for name, place in STAYS.items() if n == 7}
    # No token stays as near to an end as it was.
    slips["every-number"] = [*all_of_them, np.array([2, 0, 5, 1, 6, 3, 4])]
    for name in ("reversed-only", "reversed-of-five", "reversed-of-six"):
        slips[name] = [here[::-1]]
    return slip(wrong, slips | {"circle-only": [np.roll(here, 1)]}, all_of_them)


@function(
    points=3,
    returns="True or False",
    changes_input=False,
    disguised=larger,
    # A constant earns nothing: the first case wants True and is worth nothing, the others want False, and each
    # property wants both.
    cases=(
        case("attention with a causal mask sees the order", causal_attention, 0.0),
        case("attention without a mask does not", open_attention, 0.3),
        case("the mean of all tokens, the same for each, does not", mean_for_all, 0.1),
        case("a mask that hides a token from itself does not", hides_itself, 0.1),
    ),
    properties=(
        Property(
            "positions and masks are seen",
            tells_apart(
                (numbered, positions_added, averages_so_far, without_itself),
                (tokens_alone, open_attention, products_for_all, columns_stretched),
            ),
            0.1,
        ),
        Property(
            "what one row or one number alone tells is seen",
            tells_apart(
                (*MARKED * 5, in_the_first_number, in_the_last_number, cancels_in_a_sum),
                (tokens_alone, mean_for_all, open_attention) * 5,
            ),
            0.1,
        ),
        Property(
            "order is seen that not every shuffle shows",
            tells_apart(
                (window, circle, ends_marked, first_two_alike, last_two_alike, hears_the_first), (open_attention,)
            ),
            0.1,
        ),
        Property("faint order is seen, and rounding is none", tells_apart((faintly,), (total_by_steps,)), 0.1),
        Property(
            "rows that do not follow their tokens are seen", tells_apart((sorted_numbers,), (smallest_added,)), 0.1
        ),
    ),
    mistakes="""
    answer-inverted: your answer is the wrong way round -> True means that the order is seen: then a shuffle does more
        than to shuffle the result. -> Turn the result round.
    not-undone: you compare rows that belong to different tokens: the shuffle is not undone, or the wrong way round ->
        What was row 3 now stands where the shuffle put it. `result[order]` shuffles once more; that undoes only an
        exchange of two. -> Shuffle the result of the unshuffled X by the same `order`: `attention(X)[order]`.
    undone-the-wrong-way: you compare rows that belong to different tokens: the shuffle is undone the wrong way round,
        or X itself is shuffled as well -> `result[order]` shuffles once more; that undoes only an exchange of two. And
        `S = X` is no copy: what is written into S, or shuffled in place, is X. -> Shuffle the result of an X that stays
        as it was by the same `order`: `attention(X[order])` goes with `attention(X)[order]`.
    asks-about-the-future: you change later tokens, and look whether earlier results change -> That asks who hears the
        future, as `leaks_future` did. Order is another question: it is asked with the same tokens in another order. ->
        Shuffle the rows of X, and change none of them.
    unmoved-compared: you exchange the first token and the last, and compare only the rows between -> They stay where
        they were, whatever is done to the two that moved. -> Compare all rows, with the first result shuffled alike.
    columns-shuffled: your test always says True: you shuffle the columns, the numbers of each token, or you compare
        what is meant to differ (X is shuffled on and on, say, and the first result once only), or you never call the
        function that you are given -> A token with other numbers is another token, and other random tokens have another
        result. -> Draw X once, and shuffle its rows: `X[order]`.
    flat-roll: you shift the numbers of X, not its rows: `np.roll` without an axis takes X for one long row -> The last
        number of a token then becomes the first one of the next: tokens are torn apart. -> `axis=0`, for X and for the
        result; then other shuffles besides.
    columns-apart: each column is shuffled by itself (as `rng.permuted` does, or a `shuffle` in a loop over columns),
        and the result is compared as it comes -> Then a token's numbers no longer belong together: these are other
        tokens. -> Draw one order of the rows, `X[order]`, and put the first result into the same order.
    columns-apart-alike: each column is shuffled by itself (as `rng.permuted` does, or a `shuffle` in a loop over
        columns) -> Then a token's numbers no longer belong together: these are other tokens. -> Draw one order of the
        rows: `X[order]`.
    nothing-moves: your test always says False: nothing is shuffled, or nothing can show, or you
        never call the function that you are given -> Equal rows, a single token,
        or `X[np.arange(n)]` leave all as it was, and so does comparing a result with itself. -> Take random numbers and
        an order in which every row moves.
    first-of-a-pair: you take the first thing of the result, as if it were the pair of context and weights -> Here an
        attention returns the context alone, so that `[0]` is its first row. -> Take the result as it is.
    last-row-only: you compare the last row only -> Order may show in any of them. -> Compare all rows.
    first-number-only: you compare the first number of each row only -> Order may show in any of them. -> Compare whole
        rows.
    last-number-only: you compare the last number of each row only -> Order may show in any of them. -> Compare whole
        rows.
    rows-summed: you compare sums or means over the rows -> What is added to the row of one place and not to another has
        the same sum in any order. -> Compare row with row: `np.allclose(one, other)`.
    numbers-summed: you compare the sum of each row -> One number may rise by what another one falls. -> Compare the
        rows
        number by number: `np.allclose` does.
    every-row: you see order only if every row shows it -> It may show in a single row, that of the last token, say. ->
        Order is seen as soon as *one* number differs: look at `np.allclose`.
    every-number: you see order only if every single number differs -> It may show in one row, or in one column. ->
        Order is seen as soon as *one* number differs: `not np.allclose(one, other)`.
    without-places: you compare what is the same in any order of the rows: sorted columns, or a length of all -> Then
        rows that no longer belong to their tokens escape you. -> Compare row with row: `np.allclose(one, other)`.
    first-stays: what depends on the first place alone escapes you -> Your shuffle leaves that token where it was, or
        its row is not compared, or a later round overwrites what was found. -> Try several shuffles, or one that moves
        every token; compare all rows, and keep every round's answer.
    second-stays: what depends on the second place alone escapes you -> Your shuffle leaves that token where it was, or
        its row is not compared, or a later round overwrites what was found. -> Try several shuffles, or one that moves
        every token; compare all rows, and keep every round's answer.
    third-stays: what depends on the third place alone escapes you -> Your shuffle leaves that token where it was, or
        its row is not compared, or a later round overwrites what was found. -> Try several shuffles, or one that moves
        every token; compare all rows, and keep every round's answer.
    fourth-stays: what depends on the fourth place alone escapes you -> Your shuffle leaves that token where it was, or
        its row is not compared, or a later round overwrites what was found. -> Try several shuffles, or one that moves
        every token; compare all rows, and keep every round's answer.
    last-stays: what depends on the last place alone escapes you -> Your shuffle leaves that token where it was, or
        its row is not compared, or a later round overwrites what was found. -> Try several shuffles, or one that moves
        every token; compare all rows, and keep every round's answer.
    every-shuffle: you see order only if every single shuffle shows it -> One that shows it is enough; many orders are
        blind to some shuffle. -> Return True at the first difference. That there is none is known after the loop.
    first-two-only: you exchange the first two tokens only -> Order among the others is missed. -> Shuffle all of them.
    last-two-only: you exchange the last two tokens only -> Order among the others is missed. -> Shuffle all of them.
    reversed-only: you turn the order round, and try no other -> Who stands beside whom stays the same, and so does the
        distance from the nearer end. -> Try a shuffle without a pattern, or several.
    reversed-of-five: you turn the order of five tokens round, and try no other -> The one in the middle stays where it
        was; and who stands beside whom stays the same, as does the distance from the nearer end. -> Try a shuffle
        without a pattern, or several.
    reversed-of-six: you turn the order round, and try no other -> Who stands beside whom stays the same, and so does
        the distance from the nearer end. -> Try a shuffle without a pattern, or several.
    circle-only: you move all tokens on by the same number of places, and try nothing else -> As in a circle, neighbours
        stay neighbours. -> Try a shuffle without a pattern, or several.
    two-tokens: you test with two tokens only -> What shows from the third place on is missed. -> Take a few more
        tokens:
        seven will do.
    three-tokens: you test with three tokens only -> Three tokens in a circle are all neighbours of each other. -> Take
        a
        few more tokens: seven will do.
    loose: your tolerance is too wide -> Order may be faint, and still be far more than rounding. -> Use `np.allclose`
        as it is.
    exact: you compare with `==` or `np.array_equal` -> Adding the same numbers in another order can change the last
        digit. That is rounding, and nobody has seen the order. -> Use `np.allclose`.
    """,
)
def sees_order(attention, wrong=frozenset()):
    """The order test, with mistakes as switches."""
    sizes = {"two-tokens": 2, "three-tokens": 3, "reversed-of-five": 5, "reversed-of-six": 6}
    n, d = slip(wrong, sizes, 7), 5
    X = np.random.default_rng(12345).normal(size=(n, d))
    plain = np.asarray(attention(X.copy()), dtype=float)
    seen = []
    if "asks-about-the-future" in wrong:
        other = X.copy()
        other[3:] += 1.0
        return bool(np.abs(np.asarray(attention(other))[:3] - plain[:3]).max() > 1e-7)
    for order in _orders(wrong, n):

        def shuffle(rows, order=order):
            return rows[order]

        def as_it_is(rows):
            return rows

        moves = {
            "columns-shuffled": lambda rows: np.roll(rows, 1, axis=1),
            "flat-roll": _flat_roll,
            "columns-apart": _torn,
            "columns-apart-alike": _torn,
        }
        moves_of_result = {
            "flat-roll": _flat_roll,
            "columns-apart-alike": _torn,
            "columns-apart": as_it_is,
            "not-undone": as_it_is,
            "undone-the-wrong-way": as_it_is,
            "columns-shuffled": as_it_is,
        }
        one = np.asarray(attention(slip(wrong, moves, shuffle)(X).copy()), dtype=float)
        other = slip(wrong, moves_of_result, shuffle)(plain)
        if "undone-the-wrong-way" in wrong:
            one = one[order]
        if "unmoved-compared" in wrong:
            one, other = one[1:-1], plain[1:-1]
        if "first-of-a-pair" in wrong:
            one, other = one[:1], other[:1]
        if "last-row-only" in wrong:
            one, other = one[-1:], other[-1:]
        slips = {"first-number-only": slice(1), "last-number-only": slice(-1, None)}
        one, other = (rows[:, slip(wrong, slips, slice(None))] for rows in (one, other))
        if wrong & {"rows-summed", "numbers-summed"}:
            axis = 0 if "rows-summed" in wrong else 1
            one, other = one.sum(axis=axis), other.sum(axis=axis)
        if "without-places" in wrong:
            one, other = np.sort(one, axis=0), np.sort(other, axis=0)
        gaps = np.abs(one - other)
        tolerance = slip(wrong, {"exact": 0.0, "loose": 1e-2}, 1e-7)
        shows = slip(wrong, {"every-row": gaps.max(axis=-1).min(), "every-number": gaps.min()}, gaps.max())
        seen.append(bool(shows > tolerance))
    sees = all(seen) if "every-shuffle" in wrong else any(seen)
    return not sees if "answer-inverted" in wrong else sees
