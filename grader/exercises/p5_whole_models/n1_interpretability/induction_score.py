import numpy as np

from grader.exercises.inputs import example
from grader.exercises.kinds import Case, Property, function
from grader.exercises.p5_whole_models.n1_interpretability.shared import weights_of
from grader.exercises.stages import slip


def repeating(*shape, period, dtype=float):
    return lambda rng: {"weights": weights_of(rng, *shape, dtype=dtype), "period": period}


def behind_a_start(*shape, period, dtype=float):
    """Weights of which the row and the column of a start token have been cut off: rows sum to less than 1."""
    longer = (*shape[:-2], shape[-2] + 1, shape[-1] + 1)
    return lambda rng: {"weights": weights_of(rng, *longer, dtype=dtype)[..., 1:, 1:].copy(), "period": period}


def missing_one(*shape, period):
    """Weights of which, in each matrix, one repeat gives nothing at all to what it should look at."""

    def drawn(rng):
        weights = weights_of(rng, *shape)
        for one in weights.reshape(-1, *shape[-2:]):
            t = int(rng.integers(period, shape[-1]))
            one[t, t - period + 1] = 0
            one[t] /= one[t].sum()
        return {"weights": weights, "period": period}

    return drawn


BY_HAND = np.zeros((5, 5))
BY_HAND[3, 1], BY_HAND[3, 0], BY_HAND[4, 2], BY_HAND[4, 1] = 0.9, 0.1, 0.5, 0.5


def looks_at_what_came_next(call, rng):
    n, period = 11, int(rng.choice([3, 4]))  # 2 would be one back, 5 half of the tokens, 6 too long for a third copy
    weights = np.zeros((2, n, n))
    queries = np.arange(period, n)
    weights[0, queries, queries - period + 1] = 1
    weights[1, queries, queries - period] = 1
    ahead, behind = call(weights, period)
    if abs(ahead - 1) > 1e-6:
        return f"with all weight on what came next after the last time, the score is {ahead:.4g}"
    return None if abs(behind) < 1e-6 else f"with all weight on the same letter itself, the score is {behind:.4g}"


TELLING = (
    "same-letter", "previous", "one-before", "two-after", "whole-diagonal", "first-repeat-missed", "last-missed",
    "queries-and-keys-exchanged", "not-averaged", "divided-by-n", "divided-by-period", "block", "largest",
    "all-queries", "most-often", "last-query-only", "half-of-n", "last-missed-of-all", "first-missed-of-all",
    "first-repeat-only", "one-fewer-counted", "start-in-mind", "rounds-for-places", "divided-by-all", "one-query-early",
    "one-before-from-the-next", "first-copy-asks", "from-the-last-period", "earlier-copy-asks",
)  # fmt: skip
#: Where no letter comes a third time, or all is more than 0, or half of the tokens are repeats, these cannot show.
LATER = (
    "divided-in-the-loop",
    "last-period-missed",
    "first-copy",
    "divided-by-half",
    "zeros-left-out",
    "from-the-half",
)


@function(
    points=3,
    returns="scores",
    in_front="one-matrix-only",
    budget=8_000,
    cases=(
        Case("one head, seven tokens, period 4", behind_a_start(7, 7, period=4), 0.2,
             telling=(*TELLING, "shares-of-rows", "rows-normalised", "divided-in-the-loop")),
        Case("two heads, eleven tokens, period 3", missing_one(2, 11, 11, period=3), 0.25,
             telling=(*TELLING, *LATER)),
        Case("one layer of three heads, period 5", repeating(1, 3, 7, 7, period=5), 0.05),
        Case("a batch of three texts, one layer, two heads", repeating(3, 1, 2, 7, 7, period=4), 0.05),
        Case("31 tokens, period 24", behind_a_start(31, 31, period=24), 0.05),
        Case("every token repeats the one before", repeating(2, 5, 5, period=1), 0.05),
        Case("only the last token is a repeat", repeating(3, 5, 5, period=4), 0.05),
        Case("two layers of three heads, single precision", repeating(2, 3, 7, 7, period=5, dtype=np.float32), 0.05),
        Case("the example of the task", example(weights=BY_HAND, period=3), 0.05),
    ),
    properties=(Property("1 for all weight on what came next, 0 for all on the same letter",
                         looks_at_what_came_next, 0.1),),
    mistakes="""
    half-of-n: `period` has no effect: yours is half of the number of tokens -> A text need not hold its letters exactly
        twice. -> Take the period that is given.
    fixed-24: `period` has no effect: yours is always 24 -> That is the toy's; other texts repeat at other distances. ->
        Take the period that is given.
    same-letter: you look at the earlier copy of the letter itself, at t − period -> That finds heads that look for the
        same letter. What helps to guess is what came *after* it. -> One place further on: t − period + 1.
    previous: you look at the token just before, at t − 1 -> That finds previous-word heads. -> Go one period back, then
        one place on: t − period + 1.
    previous-everywhere: you look at the token just before, at t − 1, in all rows -> That finds previous-word heads. ->
        Of the repeats only, from t = period on: the place t − period + 1.
    one-before: you look at what stood *before* the earlier copy, at t − period − 1 -> What helps to guess is what came
        after it. -> One place on, not back: t − period + 1.
    one-before-from-the-next: you look at what stood *before* the earlier copy, at t − period − 1 -> `t - (period + 1)`
        takes the 1 away as well; what helps to guess is what came after the copy. -> One place on, not back:
        `t - period + 1`, which is `t - (period - 1)`; and begin with t = period.
    two-after: you look two places behind the earlier copy, at t − period + 2 -> The next letter is one place behind it.
        -> t − period + 1.
    whole-diagonal: the query at t = period − 1 is in your mean -> It stands before the first repeat: a diagonal of the
        matrix has one entry too many. -> Begin with the first token that is a repeat, t = period.
    all-queries: queries before the first repeat are in your mean -> They have nothing to look back at; a negative place
        counts from the end. -> Begin with t = period.
    first-repeat-missed: the first repeated token is missing -> Token `period` repeats token 0: a start token, if there
        was one, has been cut off before the call. -> Begin with t = period, in all of `weights`.
    rounds-for-places: you count your rounds from 0, and take their numbers for t -> There are n − period rounds, but
        their places are period to n − 1; before these, t − period + 1 is negative, and counts from the end. ->
        `range(period, n)`.
    start-in-mind: all is as if `period` were one larger: t from period + 1 on, and its key at t − period -> So it would
        be behind a start token; but that has been cut off before the call. -> Token `period` repeats token 0: begin
        with t = period, and look at t − period + 1.
    first-copy-asks: your t runs through the first copy, from 0 to period − 1 -> These tokens repeat nothing: they have
        nothing to look back at, and a negative place counts from the end. -> Begin where the first copy ends: t from
        `period` to n − 1.
    from-the-last-period: your t begins with n − period, one period before the end -> That is the first repeat in a text
        of two copies alone; others hold more of them, or end within one. -> Begin with t = period.
    last-period-missed: your t ends with n − period -> There are n − period repeats, but they stand at the places from
        `period` to n − 1. -> Let t run to n − 1: `range(period, n)`.
    one-more-counted: you divide by one more than there are repeats -> From t = period to n − 1 there are n − period of
        them. -> `/ (n - period)`, or take the mean.
    one-fewer-counted: you divide by one fewer than there are repeats -> From t = period to n − 1 there are n − period
        of them. -> `/ (n - period)`, or take the mean.
    all-queries-at-least-0: queries before the first repeat are in your mean, with key 0 where there is none -> They
        have nothing to look back at. -> Begin with t = period.
    all-queries-added: you add up queries before the first repeat as well, and divide by the number of repeats -> They
        have nothing to look back at; a negative place counts from the end. -> Begin with t = period.
    last-missed: the last token is missing -> It is a repeat as well. -> Let t run to n − 1.
    last-missed-of-all: the last token is missing from what you add up, and you divide by the number of all repeats ->
        It is a repeat as well; the end of a `range` is not included. -> Let t run to n − 1: `range(period, n)`.
    last-missed-from-0: the last token is missing from what you add up, and you divide by the number of all repeats ->
        It is a repeat as well; the end of a `range` is not included. -> Let t run to n − 1: `range(period, n)`.
    first-missed-of-all: the first repeat is missing from what you add up, and you divide by the number of all repeats
        -> Token `period` repeats token 0. -> Begin with t = period.
    first-missed-from-0: the first repeat is missing from what you add up, and you divide by the number of all repeats
        -> Token `period` repeats token 0. -> Begin with t = period.
    first-copy: you look at what came next in the *first* copy of all -> In a text that repeats several times, the score
        asks for the copy before: one period back, and one place on. -> `t - period + 1`; no `%` is needed.
    first-copy-from-the-letter: you look at what came next in the *first* copy of all -> In a text that repeats several
        times, the score asks for the copy before: one period back, and one place on. -> `t - period + 1`; no `%` is
        needed.
    zeros-left-out: weights of 0 are left out of your mean -> A repeat that gives nothing to the right place counts as
        well, as a 0. -> Divide by the number of repeats, n − period.
    divided-by-half: you divide by half of the number of tokens -> A text need not hold its letters exactly twice: there
        are n − period repeats. -> Take the mean of their weights.
    last-t: you divide by the last t -> How far the last token stands from the start says nothing of how many repeats
        there are: n − period. -> `/ (n - period)`, or take the mean.
    one-period-only: only the first copy counts: t ends at 2 · period -> A text may repeat more than once. -> Let t run
        to n − 1.
    to-twice-the-period: your t goes on to 2 · period − 1, whatever the length of the text is -> A text may end before
        that, or repeat more than once. -> Let t run to n − 1.
    first-repeat-divided: only the first repeated token counts, divided by the number of repeats -> A `return` inside a
        loop ends it in its first round. -> The `return` stands behind the loop, in the same column as the `for`.
    next-less-letter: you take off the weight on the earlier copy of the letter itself -> Asked is what came after it
        alone. -> The mean weight at t − period + 1, as it is.
    letter-and-next: you add up the weights on the earlier copy of the letter and on what came after it -> Asked is what
        came after it alone. -> One place: t − period + 1.
    earlier-copies-added: you add up what came after *every* earlier copy -> In a text that repeats several times, the
        score asks for the last one. -> For each t one place: t − period + 1.
    first-repeat-only: only the first repeated token counts -> Each token from `period` on repeats one. And a `return`
        inside a loop ends it in its first round. -> Average over all of them; the `return` stands behind the loop, in
        the same column as the `for`.
    one-period-further: you look one period further on, at t + period − 1 -> What came next the last time lies behind
        you. -> From t go one period *back*, then one place on: t − period + 1.
    n-from-the-front: you take the number of tokens from the first axis -> Heads, layers or texts may stand there. ->
        `weights.shape[-1]`.
    one-matrix-only: your function is made for one matrix: it is right there, and in no call in which axes stand in
        front -> Heads, layers or texts stand before the last two. -> `weights.shape[-1]` for n,
        `weights[..., t, t - period + 1]`, and a mean over the repeats alone: what stands before the last two stays.
    length-of-the-front: your t ends with the length of the first axis, as `len(weights)` is -> Heads, layers or texts
        may stand there. -> `weights.shape[-1]`.
    last-query-only: only the last token counts -> In the loop each token replaces the one before. -> Collect the
        weights of all repeats, and average them.
    queries-and-keys-exchanged: you read the weights the wrong way round -> Rows are queries: the token that looks comes
        first. -> Index as `weights[..., query, key]`.
    shares-of-rows: you divide by what the asked rows add up to -> Where a start token has been cut off, rows add up to
        less than 1; what a token gives to the start is lost to the score, and is to be. -> Divide by the number of
        repeats, n − period.
    rows-normalised: you bring each row to a sum of 1 first -> Where a start token has been cut off, rows add up to less
        than 1; what a token gives to the start is lost to the score, and is to be. -> Take the weights as they are.
    divided-by-all: you divide by the number of all entries, as the mean of a whole matrix does -> Only the repeats are
        asked, n − period of them. -> Take the mean of their weights alone.
    all-one-early: your t begins and ends one too early, at period − 1 and at n − 2 -> Counted from 0, the first token
        that is a repeat is `period`, and the last token is n − 1. -> `range(period, n)`.
    one-query-early: the query is one too early, its key is the right one -> The token that looks is t itself. ->
        `weights[..., t, t - period + 1]`.
    earlier-copy-asks: the query is a period too early, at the earlier copy; its key is the right one -> The token that
        looks is the repeat itself. If your rounds are counted from 0, their numbers are those of the earlier copies. ->
        `weights[..., t, t - period + 1]` for t from `period` on.
    heads-added: you add up the scores of the heads as well -> One head among many would not be found. -> A mean along
        the last axis only: what stands before it stays.
    best-of-heads: you return the largest score of all heads -> Which head it was cannot be seen any more. -> A mean
        along the last axis only: what stands before it stays.
    n-from-axis-1: you take the number of tokens from axis 1 -> Heads or layers may stand there. ->
        `weights.shape[-1]`.
    not-averaged: you add up the weights -> Then a longer text has a higher score. -> Take their mean over the repeats.
    divided-by-n: you divide by the number of all tokens -> Only the repeats are asked, n − period of them. -> Take the
        mean of their weights.
    divided-by-period: you divide by the period -> There are n − period repeats, which need not be as many. -> Take the
        mean of their weights.
    block: you average over a whole block: all repeats with all keys -> Two slices cut a rectangle; each query has one
        key of its own. -> Give two arrays of places of the same length, or loop over t.
    block-to-the-end: you average over a whole block: all repeats with all keys but the first -> Two slices cut a
        rectangle; each query has one key of its own. -> Give two arrays of places of the same length, or loop over t.
    block-of-places: you average over a whole block: all repeats with all keys that one of them should look at -> Two
        slices cut a rectangle; each query has one key of its own. -> Give two arrays of places of the same length, or
        loop over t.
    last-only-divided: only the last token is left, divided by the number of repeats -> In the loop each token replaces
        the one before. -> Add each weight to what is there already.
    all-earlier-copies: you average over what came after *every* earlier copy -> In a text that repeats several times,
        the score asks for the last one. -> For each t one place: t − period + 1.
    median: you take the median -> A few letters that are found do not show in it, or a few that are missed. -> Take the
        mean.
    brackets-missing: your number of repeats lacks its brackets: the sum is divided by n, and `period` taken off -> `/`
        comes before `-`. -> `/ (n - period)`, or take the mean.
    decimals-lost: the decimals are lost, of the weights or of the score -> `//` divides to whole numbers, and so does
        `int`. -> `/`, and floats.
    one-too-many-added: you add the query at t = period − 1 as well, and divide by the number of repeats -> It stands
        before the first repeat: a diagonal of the matrix has one entry too many. -> Begin with t = period.
    not-reduced: you return the weights of all repeats, not their mean -> Asked is one number for a head. -> Take the
        mean along the last axis.
    above-the-diagonal: your diagonal lies above the main one, where keys come behind the query -> Its `offset`, and the
        `k` of `np.eye`, is column less row: above the main diagonal it is positive. -> The key is `period - 1` places
        *before* the query: `1 - period`.
    copies-exchanged: query and key are the earlier copy and the letter itself, the wrong way round -> The token that
        looks is t, and it should look at what came *after* its earlier copy. -> `weights[..., t, t - period + 1]`.
    keys-of-first-copy: keys behind the first copy are missing -> A slice of keys that ends at `period` has no room for
        what the last repeat of a copy, and every one of a third copy, should look at. -> For each t the key
        t − period + 1.
    short-texts-left-out: where the second copy is not complete, your score is 0 -> Its repeats are repeats all the
        same. -> Every t from `period` on; no condition is needed.
    weight-on-first-copy: you take all weight on the first copy -> Each repeat has one place that it should look at. ->
        For each t the key t − period + 1 alone.
    block-of-first-copy: you average over a whole block: all repeats with all letters of the first copy -> Each repeat
        has one place that it should look at. -> For each t the key t − period + 1 alone.
    largest-of-rows: of each repeat you take the largest weight -> That may lie on any place. -> For each t the weight
        on the key t − period + 1.
    largest: you take the largest weight -> One lucky token would make an induction head. -> Take the mean.
    most-often: you count how often the right key has the most weight -> That is a share of tokens; asked is the mean
        weight. -> Average the weights themselves.
    heads-averaged: you average over the heads as well -> One head among many would not be found. -> Average along the
        last axis only: what stands before it stays.
    wrong-axis-averaged: your mean runs along another axis than that of the repeats -> What comes out has a number for
        each repeat; asked is one for each matrix. -> With `weights[..., t, t - period + 1]` the repeats are the last
        axis: `axis=-1`. In a list of what a loop found they are the first: `axis=0`.
    last-of-a-list-averaged: your mean runs along another axis than that of the repeats -> What comes out has a number
        for each repeat; asked is one for each matrix. -> In a list of what a loop found the repeats are the first axis:
        `axis=0`.
    last-axis-averaged: you average over the heads as well -> One head among many would not be found. -> Average once,
        over the repeats: what stands before them stays.
    running-mean: in your loop what is there already and the new weight are added and halved -> So the last token counts
        for half, and the first for next to nothing. -> Add up in the loop, divide behind it.
    divided-in-the-loop: you divide by the number of repeats in each round of your loop -> What is there already is
        divided again and again: next to nothing but the last tokens is left. -> Add up in the loop, divide behind it.
    one-a-copy: only every period-th token is asked -> Each token from `period` on repeats one. -> Let t run in steps of
        1.
    from-the-half: your mean begins with the half of the tokens -> A text need not hold its letters exactly twice. ->
        Begin with t = period.
    sign-turned: you look at period − t + 1 -> From the third repeat on that is negative, and counts from the end. ->
        From t go one period back, then one place on: t − period + 1.
    first-head-only: you return the score of the first head alone -> Every matrix of weights has one. -> Keep the axes
        before the last two: `weights[..., query, key]`.
    counted-from-the-front: your function knows two axes only -> Heads and layers stand before the last two. -> Index
        from the end: `weights[..., query, key]`.
    """,
)  # fmt: skip
def induction_score(weights, period, wrong=frozenset()):
    """The mean weight on what came next, with mistakes as switches."""
    weights = np.asarray(weights, dtype=float)
    n = weights.shape[-1]
    period = slip(wrong, {"half-of-n": n // 2, "fixed-24": 24, "start-in-mind": period + 1}, period)
    first = {
        "previous-everywhere": 1,
        "whole-diagonal": period - 1,
        "first-repeat-missed": period + 1,
        "all-queries": 0,
        "all-queries-added": 0,
        "all-queries-at-least-0": 0,
        "from-the-half": n // 2,
        "from-the-last-period": n - period,
        "first-copy-asks": 0,
        "one-before-from-the-next": period + 1,
    }
    if wrong & {"one-matrix-only", "length-of-the-front"}:
        n, total = len(weights), 0.0
        for t in range(period, n):
            total = (
                total
                + (weights if "one-matrix-only" in wrong else np.moveaxis(weights, (-2, -1), (0, 1)))[t, t - period + 1]
            )
        return total / (n - period)
    ends = {"first-copy-asks": period, "last-period-missed": n - period + 1, "to-twice-the-period": 2 * period}
    queries = np.arange(slip(wrong, first, period), slip(wrong, ends, n))
    if wrong & {"n-from-the-front", "n-from-axis-1"}:
        queries = np.arange(period, weights.shape[int("n-from-axis-1" in wrong)])
        if queries.size == 0:
            return np.full(weights.shape[:-2], np.nan)
    if wrong & {"last-missed-from-0", "first-missed-from-0"} and len(queries) == 1:
        return 0.0  # a loop that was never entered
    if "rows-normalised" in wrong:
        sums = weights.sum(axis=-1, keepdims=True)
        weights = weights / np.where(sums == 0, 1, sums)
    if "rounds-for-places" in wrong:
        queries = np.arange(n - period)
    if "first-repeat-only" in wrong:
        queries = queries[:1]
    if "one-period-only" in wrong:
        queries = queries[:period]
    if "last-missed" in wrong:
        queries = queries[:-1]
    if "one-a-copy" in wrong:
        queries = queries[::period]
    if "last-query-only" in wrong:
        queries = queries[-1:]
    if "all-one-early" in wrong:
        queries = queries - 1
    places = {
        "same-letter": queries - period,
        "previous": queries - 1,
        "previous-everywhere": queries - 1,
        "one-before": queries - period - 1,
        "one-before-from-the-next": queries - period - 1,
        "all-queries-at-least-0": np.maximum(queries - period + 1, 0),
        "two-after": np.minimum(queries - period + 2, n - 1),
        "one-period-further": queries + period - 1,
        "sign-turned": period - queries + 1,
        "first-copy": (queries + 1) % period,
        "first-copy-from-the-letter": np.minimum(queries % period + 1, n - 1),
    }
    keys = slip(wrong, places, queries - period + 1)
    if "counted-from-the-front" in wrong:
        return np.mean([weights[t, k] for t, k in zip(queries, keys, strict=True)])
    if "first-head-only" in wrong and weights.ndim > 2:
        weights = weights.reshape(-1, n, n)[0]
    if "most-often" in wrong:
        return (weights[..., queries, :].argmax(axis=-1) == keys).mean(axis=-1)
    queries = queries - slip(wrong, {"one-query-early": 1, "earlier-copy-asks": period}, 0)
    if "block" in wrong:
        return weights[..., queries, :][..., keys].mean(axis=(-2, -1))
    if "block-to-the-end" in wrong:
        return weights[..., queries, 1:].mean(axis=(-2, -1))
    if "one-too-many-added" in wrong:
        t = np.arange(period - 1, n)
        return weights[..., t, t - period + 1].sum(axis=-1) / (n - period)
    if "block-of-places" in wrong:
        return weights[..., queries, :][..., : len(queries) + 1].mean(axis=(-2, -1))
    if "all-earlier-copies" in wrong:
        pairs = [(t, k) for t in queries for k in range(t - period + 1, -1, -period)]
        queries, keys = np.array(pairs, dtype=int).reshape(-1, 2).T
    found = weights[..., keys, queries] if "queries-and-keys-exchanged" in wrong else weights[..., queries, keys]
    rounds = np.arange(found.shape[-1], 0.0, -1)  # how often it is divided whoever divides in each
    with np.errstate(all="ignore"):
        ways = {
            "not-averaged": lambda: found.sum(axis=-1),
            "all-queries-added": lambda: found.sum(axis=-1) / (n - period),
            "one-more-counted": lambda: found.sum(axis=-1) / (n - period + 1),
            "one-fewer-counted": lambda: found.sum(axis=-1) / (n - period - 1),
            "divided-by-n": lambda: found.sum(axis=-1) / n,
            "divided-by-period": lambda: found.sum(axis=-1) / period,
            "divided-by-all": lambda: found.sum(axis=-1) / n**2,
            "shares-of-rows": lambda: found.sum(axis=-1) / weights[..., queries, :].sum(axis=(-1, -2)),
            "heads-added": lambda: found.mean(axis=-1).sum(),
            "best-of-heads": lambda: found.mean(axis=-1).max(),
            "above-the-diagonal": lambda: np.diagonal(weights, period - 1, -2, -1).mean(axis=-1),
            "copies-exchanged": lambda: weights[..., queries - period, queries].mean(axis=-1),
            "keys-of-first-copy": lambda: np.diagonal(weights[..., period:, :period], 1, -2, -1).mean(axis=-1),
            "short-texts-left-out": lambda: found.mean(axis=-1) * (n >= 2 * period),
            "weight-on-first-copy": lambda: weights[..., queries, :period].sum(axis=-1).mean(axis=-1),
            "block-of-first-copy": lambda: weights[..., queries, :period].mean(axis=(-1, -2)),
            "largest-of-rows": lambda: weights[..., queries, :].max(axis=-1).mean(axis=-1),
            "first-repeat-divided": lambda: found[..., 0] / (n - period),
            "next-less-letter": lambda: (found - weights[..., queries, queries - period]).mean(axis=-1),
            "letter-and-next": lambda: (found + weights[..., queries, queries - period]).mean(axis=-1),
            "earlier-copies-added": lambda: (
                sum(weights[..., t, t - period + 1 :: -period].sum(axis=-1) for t in queries.tolist()) / len(queries)
            ),
            "largest": lambda: found.max(axis=-1),
            "brackets-missing": lambda: found.sum(axis=-1) / n - period,
            "decimals-lost": lambda: np.floor(found.mean(axis=-1) + 1e-9),
            "not-reduced": lambda: found,
            "median": lambda: np.median(found, axis=-1),
            "last-missed-of-all": lambda: found[..., :-1].sum(axis=-1) / (n - period),
            "last-missed-from-0": lambda: found[..., :-1].sum(axis=-1) / (n - period),
            "first-missed-of-all": lambda: found[..., 1:].sum(axis=-1) / (n - period),
            "first-missed-from-0": lambda: found[..., 1:].sum(axis=-1) / (n - period),
            "divided-by-half": lambda: found.sum(axis=-1) / (n // 2),
            "last-t": lambda: found.sum(axis=-1) / (n - 1),
            "zeros-left-out": lambda: found.sum(axis=-1) / np.maximum((found > 0).sum(axis=-1), 1),
            "last-only-divided": lambda: found[..., -1] / found.shape[-1],
            "heads-averaged": lambda: found.mean(),
            "wrong-axis-averaged": lambda: found.mean(axis=0),
            "last-of-a-list-averaged": lambda: np.moveaxis(found, -1, 0).mean(axis=-1),
            "last-axis-averaged": lambda: found.mean(axis=-1).mean(axis=-1) if found.ndim > 1 else found.mean(),
            "running-mean": lambda: (found * 0.5**rounds).sum(axis=-1),
            "divided-in-the-loop": lambda: (found / (n - period) ** rounds).sum(axis=-1),
        }
        if not found.size and "not-averaged" not in wrong:  # a sum of nothing is 0
            return np.full(found.shape[:-1], np.nan)
        return slip(wrong, ways, lambda: found.mean(axis=-1))()
