import numpy as np

from attnlib import cosine_scores, softmax, squared_distances
from grader.exercises.inputs import example, matrix, square, tells, tenths
from grader.exercises.kinds import Case, Property, function
from grader.exercises.p2_three_views.n1_nearest_neighbours import shared
from grader.exercises.stages import number, slip

#: What every larger case tells apart.
TELLING = (
    *("one-less", "best-only", "counts-above", "counts-heavy", "part-of-the-keys", "whole-matrix", "scaled"),
    *("first-query-for-all", "cosine", "distance", "lightest-first", "columns", "in-their-order", "ratio"),
    *("share-of-the-best", "sums-run-on", "nearest-to-share", "distance-halved", "quantile", "share-of-scores"),
    *("sign-left", "minus"),
)


def clear(Q, K, share):
    """True if no sum of weights lies near the share, and no two scores of a row are close."""
    scores = Q @ K.T
    sums = np.cumsum(np.sort(softmax(scores), axis=1)[:, ::-1], axis=1)
    apart = np.diff(np.sort(scores, axis=1)).min() if K.shape[0] > 1 else 1
    return np.abs(sums - share).min() > 0.02 and apart > 1e-3


def crowd(n_queries, n_keys, d, make=matrix, telling=TELLING, scale=1.0):
    """Queries of which each needs another number of keys, where there is room for it."""

    def draw(rng):
        while True:
            Q = make(rng, n_queries, d) * scale
            K = square(rng, n_keys) if make is square else make(rng, n_keys, d)
            share = float(rng.integers(11, 19)) / 20
            if not clear(Q, K, share):
                continue
            counts = enough_neighbors(Q, K, share)
            different = len(set(counts.tolist())) >= min(3, n_queries)  # whole numbers: no mistake hides in all rows
            inputs = {"Q": Q, "K": K, "share": share}
            if (
                different
                and counts.min() < n_keys - 1
                and counts.max() < n_keys
                and harmless(inputs)
                and tells(enough_neighbors, inputs, *telling)
            ):
                return inputs

    return draw


#: What shows where the sum of some keys is the share but for a hair.
ROUNDED = ("weights-rounded=2", "weights-rounded=3", "sums-rounded=2", "sums-rounded=3", "share-lowered=0.001")
#: Two best keys of equal score whose weights are exactly one half each.
HALVES = np.array([[-1000.0, 0.0], [2.0, 0.0], [-1500.0, 1.0], [2.0, 0.0], [-2000.0, 1.0]])


def large_scores(rng):
    """Scores near 1200: a last coordinate lifts them all. More than one key is needed, and not all.

    Whoever gets NaN may count one key, or all.
    """
    while True:
        inputs = crowd(3, 7, 3)(rng)
        Q, K = np.hstack([inputs["Q"], np.ones((3, 1))]), np.hstack([inputs["K"], np.full((7, 1), 1200.0)])
        if set(enough_neighbors(Q, K, inputs["share"]).tolist()) == {2, 3, 4}:
            return {"Q": Q, "K": K, "share": inputs["share"]}


def keys_twice(rng):
    """Each key occurs twice: whoever counts what weighs the same once finds another number, and has not run out."""
    while True:
        Q, K = matrix(rng, 3, 3), np.repeat(matrix(rng, 4, 3), 2, axis=0)[rng.permutation(8)]
        weights = np.sort(softmax(Q @ K.T), axis=1)[:, ::-1]
        share = float(rng.integers(6, 10)) / 20
        once = weights[:, ::2].cumsum(axis=1)
        apart = np.abs(np.stack([weights.cumsum(axis=1)[:, :4], once]) - share).min()
        counts = enough_neighbors(Q, K, share)
        other = enough_neighbors(Q, K, share, wrong={"ties-counted-once"})
        if (
            apart > 0.02
            and harmless({"Q": Q, "K": K, "share": share})
            and once[:, -1].min() > share
            and (counts != other).any()
        ):
            return {"Q": Q, "K": K, "share": share}


def a_hair_decides(call, rng):
    while True:
        asked, counts = [], {one: [] for one in ((), *((one,) for one in ROUNDED))}
        for _ in range(4):
            Q, K = matrix(rng, 1, 3), matrix(rng, 7, 3)
            at = np.sort(softmax(Q @ K.T), axis=1)[0, ::-1].cumsum()[int(rng.integers(1, 4))]
            asked += [{"Q": Q, "K": K, "share": at + hair} for hair in (1e-5, -1e-5)]  # single precision can tell
            for wrong, found in counts.items():
                found += [int(enough_neighbors(**inputs, wrong=frozenset(wrong))[0]) for inputs in asked[-2:]]
        if len(set(map(tuple, counts.values()))) == len(counts):  # each kind of rounding shows, as itself
            break
    found = [np.ravel(call(*inputs.values())).tolist() for inputs in asked]  # all, to know which kind it is
    for inputs, got, count in zip(asked, found, counts[()], strict=True):
        if got != [count]:
            return f"{count} keys have a share of {inputs['share']:.6f}, and no fewer; you find {got[0]:g}"
    return None


def harmless(inputs):
    """True if rounding and the like make no difference."""
    right = enough_neighbors(**inputs)
    return all(np.array_equal(enough_neighbors(**inputs, wrong=frozenset([one])), right) for one in ROUNDED)


def one_less_is_not_enough(call, rng):
    while True:
        inputs = crowd(5, 7, 3)(rng)
        weights = np.sort(softmax(inputs["Q"] @ inputs["K"].T), axis=1)[:, ::-1]
        nearly_all = 1 - weights[:, -1].max() / 2  # for some query it takes all keys
        if harmless(inputs | {"share": nearly_all}):
            break
    for share in (inputs["share"], nearly_all):
        counts = np.asarray(call(inputs["Q"], inputs["K"], share)).astype(int)
        for i, k in enumerate(counts):
            if not 1 <= k <= 7:
                return f"of 7 keys, query {i} is said to need {k}"
            if weights[i, :k].sum() < share - 1e-6:
                return f"the {k} best keys of query {i} have only {weights[i, :k].sum():.3f} of the weight"
            if weights[i, : k - 1].sum() >= share:
                return f"query {i} has {weights[i, : k - 1].sum():.3f} of the weight with one key less"
    return None


def grows_with_the_share(call, rng):
    while True:
        inputs = crowd(5, 11, 3, scale=0.4)(rng)
        all_but_nothing = inputs | {"share": 0.999999}
        if all((enough_neighbors(**all_but_nothing, wrong=frozenset([one])) >= 6).all() for one in ROUNDED):
            break
    counts = [np.asarray(call(inputs["Q"], inputs["K"], share)) for share in (0.05, 0.999999)]
    if (counts[0] > counts[1]).any():
        return "a larger share takes fewer keys"
    return None if (counts[1] >= 6).all() else f"0.999999 of the weight takes only {counts[1].min():g} of 11 keys"


@function(
    points=4,
    returns="counts",
    cases=(
        Case("3 queries, 5 keys of two numbers", crowd(3, 5, 2, tenths, (*TELLING, "k-up-to-columns")), 0.1),
        Case("7 queries, 11 keys of five numbers", crowd(7, 11, 5, scale=0.6), 0.15),
        Case("5 queries, 5 keys of five numbers", crowd(5, 5, 5, scale=0.4), 0.1),
        Case("exactly enough", example(Q=np.array([[1.0, 0.0], [2.0, 0.0]]), K=HALVES, share=0.5), 0.1),
        Case("each key twice", keys_twice, 0.05),
        Case("scores above 1000", large_scores, 0.1, telling=TELLING),
        Case("the example of the task", example(Q=shared.EXAMPLE_Q, K=shared.EXAMPLE_K, share=0.9), 0.05),
    ),
    properties=(
        Property("with one key less it is not enough", one_less_is_not_enough, 0.1),
        Property("a larger share takes more keys", grows_with_the_share, 0.1),
        Property("nothing is rounded", a_hair_decides, 0.05),
    ),
    mistakes="""
    one-less: you return one key too few -> Places are counted from 0: the sum at place 0 already holds one key. -> How
        many keys are in the first sum that is large enough?
    one-more: you return one key too many -> k is the number of keys whose sum reaches the share, not the next one. ->
        Count once more for the example, by hand.
    more-than: where the sum is exactly the share, you take one more key -> *At least* the share: equal is enough. ->
        Compare with `>=`, or with `<` the other way round.
    in-their-order: you add up the weights in the order of the keys -> The *least* number of keys is reached with the
        largest weights. -> Sort each row of the weights first.
    lightest-first: you begin with the smallest weights -> `sort` puts the smallest first. -> Turn each sorted row
        around.
    scores-not-weights: you add up the scores -> Scores can be negative, and do not sum to 1. -> Put them through your
        softmax.
    ratio: you divide the scores by their sum, without the exponential -> Scores can be negative or sum to zero. -> Put
        them through your softmax.
    columns: softmax runs down the columns -> Each row belongs to one query. -> Softmax goes along the last axis, over
        the keys.
    no-maximum: your softmax overflows for large scores -> exp(1000) is infinity, and infinity / infinity is NaN. -> Use
        your `softmax`, which takes each row's maximum off first.
    no-maximum-counted: your softmax overflows for large scores -> exp(1000) is infinity, and infinity / infinity is
        NaN. -> Use your `softmax`, which takes each row's maximum off first.
    scores-counted: you add up the scores -> Scores can be negative, and do not sum to 1. -> Put them through your
        softmax.
    always-all: you always return the number of keys -> Perhaps the loop goes on after the share is reached, and each
        later k takes the place of the first. -> Stop at the first k whose sum is large enough: `break`, or `return`
        from a function of its own.
    counts-after: you count the sums that reach the share, which are those of k keys and of all larger numbers -> How
        many sums are large enough says nothing by itself: the first of them is wanted. -> Find its place; or count the
        sums that are too small.
    never-all: a query that needs all keys gets one less -> `range(1, n)` ends at n - 1, and the last key is never
        reached. -> Let your loop go on to n keys.
    nearest-to-share: you take the sum that is nearest to the share -> It can be too small: *at least* the share is
        asked for. -> Take the first sum that reaches it.
    best-only: you always return 1 -> One key is enough only if its weight alone reaches the share. -> Add the next best
        ones, until it is reached.
    counts-above: you count the keys whose own weight is at least the share -> No single key need have so much; the
        *sum* counts. -> Add up the largest weights, one after the other.
    counts-heavy: you count the keys that weigh more than 1 - share -> What is left out must not weigh more *together*.
        -> Add up the largest weights, one after the other.
    share-of-the-best: you count the keys that have the share of the best key's weight -> The share is one of the whole
        weight, which is 1, and the keys hold it together. -> Add up the weights, the largest first, until there is
        enough.
    part-of-the-keys: you take this share of the *number* of keys -> Weights are not equal: few keys can hold most of
        it. -> Add up the largest weights, one after the other.
    whole-matrix: you return one number for all queries -> Each query has weights of its own, and needs a number of its
        own. -> Count along the last axis.
    first-query-only: you return one number, that of the first query -> Either a `return` or an index keeps one query
        only, or the sum runs on: without an axis, `np.cumsum` makes one long row of the whole table. -> Add up along
        each row, and return a number for each.
    first-query-for-all: every query gets the number of the first -> Each query has weights of its own. -> Count along
        each row.
    neediest-for-all: every query gets the number of the one that needs most keys -> With one k for all queries, the
        loop goes on until the last of them has enough. -> Each query stops by itself: count along each row.
    easiest-for-all: every query gets the number of the one that needs fewest keys -> With one k for all queries, the
        loop ends as soon as any of them has enough. -> Each query stops by itself: count along each row.
    total-kept: all queries but the first get 0 -> A total that is not set back to 0 has reached the share before the
        second query begins. -> Begin each query with a total and a count of its own.
    count-kept: each query's number comes on top of those before it -> The count is not set back to 0 for each query. ->
        Begin each query with a total and a count of its own.
    sums-down-the-columns: you add up down the columns (axis 0) -> That adds weights of different queries. -> Add up
        along the last axis, over the keys.
    sums-run-on: the sums run on from each query to the next -> Without an axis, `np.cumsum` makes one long row of the
        whole table. -> Add up along each row: `axis=1`.
    cosine: you weigh by cosines instead of dot products -> A long key gets more weight than the cosine gives it. -> Use
        `dot_scores`.
    distance: you weigh by the negative squared distance instead of the dot product -> A long key can be far away and
        still have a high score. -> Use `dot_scores`.
    ties-counted-once: keys of equal weight count as one -> Each of them is a key, and has its own weight. -> Take one
        key away at a time; `np.unique` and `row != row.max()` take all that are equal.
    ties-and-one-more: keys of equal weight count as one -> Each of them is a key, and has its own weight. -> Take one
        key away at a time; `np.unique` and `row != row.max()` take all that are equal.
    weights-rounded=: you round the weights -> The errors add up, and a sum may reach the share by rounding alone. ->
        Round nothing.
    sums-rounded=: you round the sums -> Then a sum may reach the share by rounding alone, or miss it. -> Round nothing.
    share-lowered=: you ask for a little less than the share -> A sum that is just below it then counts as enough. ->
        Compare with the share itself.
    quantile: you count the keys above a quantile of the weights -> A quantile is a share of the *number* of keys; few
        keys can hold most of the weight. -> Add up the largest weights, one after the other.
    sign-left: you put the scores through the softmax with their sign turned -> What is turned for sorting is turned for
        the softmax as well: then the best key gets the least weight. -> Softmax of the scores first; then sort.
    minus: you put the scores through the softmax with their sign turned -> Then the best key gets the least weight. ->
        Leave the sign as it is, and sort the weights downwards.
    share-of-scores: you add up scores until they reach the share of their sum -> Scores can be negative, and say
        nothing by their sum. -> Put them through your softmax.
    counts-heavy-too: you count the keys that weigh at least 1 - share -> What is left out must not weigh more
        *together*. -> Add up the largest weights, one after the other.
    distance-halved: you weigh by half the negative squared distance instead of the dot product -> A long key can be far
        away and still have a high score. -> Use `dot_scores`.
    exponent-capped=: exponents beyond a limit are cut off before the exponential -> All beyond the limit count alike
        then. -> Use your `softmax`, which takes each row's maximum off first.
    k-up-to-columns: your k ends at the number of columns -> That is how many numbers a vector has. -> How many keys
        there are is the number of *rows* of K.
    weight-returned: you return the sum that is reached -> The question is how many keys it takes. -> Count them.
    scaled
    """,
)
def enough_neighbors(Q, K, share, wrong=frozenset()):
    """How many keys hold a share of the weight, with mistakes as switches."""
    Q, K = np.asarray(Q, dtype=float), np.asarray(K, dtype=float)
    scores = Q @ K.T
    if "scaled" in wrong:
        scores = scores / np.sqrt(K.shape[1])
    if "cosine" in wrong:
        scores = cosine_scores(Q, K)
    if "distance" in wrong:
        scores = -squared_distances(Q, K)
    if "distance-halved" in wrong:
        scores = -squared_distances(Q, K) / 2
    if wrong & {"sign-left", "minus"}:
        scores = -scores
    if limit := number(wrong, "exponent-capped", 700):
        scores = np.minimum(scores, limit)
    n_keys = scores.shape[1]
    if wrong & {"no-maximum", "no-maximum-counted"}:
        with np.errstate(all="ignore"):
            powers = np.exp(scores)
            weights = powers / powers.sum(axis=1, keepdims=True)
    elif "columns" in wrong:
        weights = softmax(scores.T).T
    elif wrong & {"scores-not-weights", "scores-counted"}:
        weights = scores
    elif "ratio" in wrong:
        weights = scores / scores.sum(axis=1, keepdims=True)
    else:
        weights = softmax(scores)
    ones = np.ones(len(weights), dtype=int)
    if "best-only" in wrong:
        return ones
    if "always-all" in wrong:
        return ones * n_keys
    if "counts-above" in wrong:
        return (weights >= share).sum(axis=1)
    if "counts-heavy" in wrong:
        return (weights > 1 - share).sum(axis=1)
    if "counts-heavy-too" in wrong:
        return (weights >= 1 - share).sum(axis=1)
    if "quantile" in wrong:
        return (weights >= np.quantile(weights, 1 - share, axis=1, keepdims=True)).sum(axis=1)
    if "share-of-scores" in wrong:
        sums = np.cumsum(np.sort(scores, axis=1)[:, ::-1], axis=1)
        return np.minimum((sums < share * scores.sum(axis=1, keepdims=True)).sum(axis=1) + 1, n_keys)
    if "share-of-the-best" in wrong:
        return (weights >= share * weights.max(axis=1, keepdims=True)).sum(axis=1)
    if "part-of-the-keys" in wrong:
        return ones * int(np.ceil(share * n_keys))
    upwards = np.sort(weights, axis=1)
    order = slip(
        wrong,
        {"in-their-order": weights, "lightest-first": upwards, "sign-left": upwards},
        upwards[:, ::-1],
    )
    if wrong & {"ties-counted-once", "ties-and-one-more"}:  # the others come last, and weigh nothing
        again = np.diff(order, axis=1, prepend=np.inf) == 0
        order = np.take_along_axis(np.where(again, 0.0, order), np.argsort(again, axis=1, kind="stable"), axis=1)
        n_keys = n_keys - again.sum(axis=1) + ("ties-and-one-more" in wrong)
    if digits := number(wrong, "weights-rounded", 2):
        order = order.round(int(min(digits, 20)))
    share = share - (number(wrong, "share-lowered", 1e-3) or 0.0)
    sums = np.cumsum(order, axis=0 if "sums-down-the-columns" in wrong else 1)
    if digits := number(wrong, "sums-rounded", 2):
        sums = sums.round(int(min(digits, 20)))
    if "sums-run-on" in wrong:
        sums = np.cumsum(order).reshape(order.shape)
    if wrong & {"no-maximum-counted", "sums-down-the-columns", "sums-run-on"}:
        return (sums < share).sum(axis=1) + 1
    if "counts-after" in wrong:
        return (sums >= share).sum(axis=1)
    if "nearest-to-share" in wrong:
        return np.abs(sums - share).argmin(axis=1) + 1
    if "scores-counted" in wrong:
        return (sums >= share).argmax(axis=1) + 1
    short = sums <= share if "more-than" in wrong else ~(sums >= share)
    counts = np.where(short.all(axis=1), n_keys, (~short).argmax(axis=1) + 1)
    if "never-all" in wrong:
        return np.minimum(counts, n_keys - 1)
    if "k-up-to-columns" in wrong:
        return np.minimum(counts, K.shape[1])
    if "weight-returned" in wrong:
        return np.take_along_axis(sums, counts[:, None] - 1, axis=1)[:, 0]
    if "whole-matrix" in wrong:
        return counts.max()
    for_all = {"first-query-for-all": counts[0], "neediest-for-all": counts.max(), "easiest-for-all": counts.min()}
    if one := slip(wrong, for_all, None):
        return np.full_like(counts, one)
    if "first-query-only" in wrong:
        return counts[0]
    if "total-kept" in wrong:
        return counts * (np.arange(len(counts)) == 0)
    if "count-kept" in wrong:
        return np.cumsum(counts)
    return counts + slip(wrong, {"one-less": -1, "one-more": 1}, 0)
