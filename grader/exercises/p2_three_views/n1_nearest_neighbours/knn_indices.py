import itertools
from functools import partial

import numpy as np

from attnlib import softmax
from grader.exercises.inputs import example, tells, tenths
from grader.exercises.kinds import Case, Property, function
from grader.exercises.p2_three_views.n1_nearest_neighbours import shared
from grader.exercises.stages import number, slip

#: By which metric one ranks where another is asked for, by the slip.
CONFUSED = {f"{asked}-as-{used}": (asked, used) for asked, used in itertools.permutations(shared.METRICS, 2)}


#: For which metrics the farthest come first, by the slip.
UPSIDE_DOWN = {
    "ascending-similarity": ("dot", "cosine"),
    "ascending-dot": ("dot",),
    "ascending-cosine": ("cosine",),
    "farthest": ("euclidean",),
}
#: For which metrics a sorted row is reversed, and its ties with it, by the slip.
TURNED_AROUND = {
    "turned-around": ("dot", "cosine"),
    "turned-around-dot": ("dot",),
    "turned-around-cosine": ("cosine",),
    "ties-to-the-higher": shared.METRICS,
    "nearest-last": shared.METRICS,
}


#: What stands in the place of the squared distance, by the slip.
NO_DISTANCES = {
    "sum-of-sizes": lambda Q, K: np.abs(Q[:, None, :] - K).sum(axis=-1),
    "sum-squared": lambda Q, K: (Q[:, None, :] - K).sum(axis=-1) ** 2,
    "largest-difference": lambda Q, K: np.abs(Q[:, None, :] - K).max(axis=-1),
    "difference-of-lengths": lambda Q, K: np.abs(np.linalg.norm(Q, axis=1)[:, None] - np.linalg.norm(K, axis=1)),
    "no-two": lambda Q, K: (K**2).sum(axis=1) - Q @ K.T,
    "length-taken-off": lambda Q, K: -(K**2).sum(axis=1) - 2 * Q @ K.T,
}
#: What stands in the place of the cosine, by the slip.
NO_COSINES = {
    "by-squared-length": lambda Q, K: Q @ K.T / (K**2).sum(axis=1),
    "lengths-of-columns": lambda Q, K: (Q / np.linalg.norm(Q, axis=0)) @ (K / np.linalg.norm(K, axis=0)).T,
}
#: Show in all distances, and in all cosines.
DISTANCES, COSINES = tuple(NO_DISTANCES), tuple(NO_COSINES)
#: Shows where the first key is found, and not last.
LOOP = ("zero-comes-again",)
#: Show where scores or distances are large.
POWERS = ("by-weights", "by-powers")
#: Shows where few scores are positive.
CROSSED_OUT = ("crossed-out-with-zero",)
#: Shows where some scores of a row are positive, and some negative.
SIGNS = ("turned-upside-down",)


def far_apart(rng, n_queries, n_keys, d, k, metric):
    """Scores, or squared distances, in the thousands: most of their powers of e are 0 or infinity, and so tie."""
    inputs = shared.sought(rng, n_queries, n_keys, d, k, metric)
    return inputs | {"Q": 40 * inputs["Q"], "K": 40 * inputs["K"]}


def few_decimals(rng):
    """Queries and keys for the first comparison: rounding to hundredths does no harm yet."""
    while True:
        inputs = shared.sought(rng, 2, 7, 3, 5, "dot", tenths)
        if not tells(knn_indices.model, inputs, "rounded=2"):
            return inputs


def many_equal_cosines(rng):
    """Forty keys, of which so many are near each query that no score of 0 is among its nearest."""
    while True:
        inputs = shared.many_ties(rng, metric="cosine")
        if not tells(knn_indices.model, inputs, *CROSSED_OUT):
            return inputs


def hardly_apart(rng, metric):
    """Two of the nearest keys of a query are a ten-thousandth apart, and the better one comes later."""
    others = [one for one, (asked, _) in CONFUSED.items() if asked == metric]
    others += {"euclidean": DISTANCES, "cosine": COSINES}.get(metric, ())
    while True:
        inputs = shared.sought(rng, 2, 7, 3, 5, metric)
        Q, K = inputs["Q"], inputs["K"]
        worse, better = np.sort(rng.choice(7, size=2, replace=False))
        way = Q[0] - K[worse] if metric == "euclidean" else Q[0]
        step = 1e-5 * way
        nearer = shared.farness(Q, K[[worse]], metric) - shared.farness(Q, K[[worse]] + step, metric)
        K[better] = K[worse] + step * 1e-4 / nearer[0, 0]
        apart = np.diff(np.sort(shared.farness(Q, K, metric), axis=-1), axis=-1).min()
        if apart > 3e-5 and tells(knn_indices.model, inputs, "rounded=1", "rounded=2", "rounded=3", *others):
            return inputs


def close_keys_keep_their_order(call, rng):
    for metric in shared.METRICS:
        inputs = hardly_apart(rng, metric)
        if not np.array_equal(call(*inputs.values()), knn_indices.model(**inputs)):
            return f'with metric "{metric}" keys that differ by 0.0001 come in another order'
    return None


def all_keys_once(call, rng):
    for metric in shared.METRICS:
        inputs = shared.sought(rng, 3, 7, 5, 7, metric)
        found = np.sort(call(*inputs.values()), axis=1)
        if not np.array_equal(found, np.tile(np.arange(7), (3, 1))):
            return (
                f'with k = 7 of 7 keys and metric "{metric}", a row holds {found[0].astype(int).tolist()} when sorted'
            )
    return None


@function(
    points=4,
    returns="indices",
    cases=(
        Case(
            "the dot product, 2 queries, 7 keys",
            few_decimals,
            0.1,
            (*LOOP, *CROSSED_OUT, *SIGNS, "absolute-dot", "rounded=1", "whole-scores"),
        ),
        Case(
            "the cosine, 5 queries, 7 keys",
            lambda rng: shared.sought(rng, 5, 7, 3, 4, "cosine"),
            0.1,
            (*LOOP, *CROSSED_OUT, *SIGNS, *COSINES, "rounded=1", "rounded=2"),
        ),
        Case(
            "large distances, 3 queries, 7 keys",
            lambda rng: far_apart(rng, 3, 7, 2, 5, "euclidean"),
            0.1,
            (*DISTANCES, *LOOP, *POWERS),
        ),
        Case(
            "as many queries as keys, large dot products",
            lambda rng: far_apart(rng, 5, 5, 5, 4, "dot"),
            0.1,
            (*LOOP, *CROSSED_OUT, *SIGNS, *POWERS, "absolute-dot"),
        ),
        Case("equal dot products", lambda rng: shared.tied_search(rng, 5, 7, 2, 4, "dot"), 0.05, (*LOOP, *CROSSED_OUT)),
        Case(
            "equal distances",
            lambda rng: shared.tied_search(rng, 5, 7, 2, 4, "euclidean"),
            0.05,
            (*DISTANCES, *LOOP),
        ),
        Case("40 keys, many equal dot products", partial(shared.many_ties, metric="dot"), 0.05, (*LOOP, *CROSSED_OUT)),
        Case("40 keys, many equal cosines", many_equal_cosines, 0.05, (*LOOP, *COSINES)),
        Case(
            "40 keys, many equal distances",
            partial(shared.many_ties, metric="euclidean"),
            0.05,
            (*DISTANCES, *LOOP),
        ),
        Case("the example of the task", example(Q=shared.EXAMPLE_Q, K=shared.EXAMPLE_K, k=2, metric="dot"), 0.05),
        Case(
            "the example of the task, by distance",
            example(Q=shared.EXAMPLE_Q, K=shared.EXAMPLE_K, k=2, metric="euclidean"),
            0.05,
        ),
    ),
    properties=(
        Property("with k = n_keys, every key is found once", all_keys_once, 0.1),
        Property("keys that are nearly equally near keep their order", close_keys_keep_their_order, 0.05),
    ),
    mistakes="""
    absolute-cosine: with "cosine" you take the size of a cosine, without its sign -> A key that points away from the
        query has a cosine near -1: it is not near. -> Leave out `np.abs`.
    ascending-similarity: you sort the dot products and cosines upwards, so that the farthest keys come first ->
        `argsort` puts the smallest first. For a distance that is right; the smallest similarity is the worst. -> Turn
        the sign of a similarity around before you sort.
    turned-upside-down: you turn a similarity into a distance by dividing 1 by it -> For positive numbers that turns the
        order round; but negative ones stay below them, and come first. -> Turn the sign round instead.
    absolute-dot: with "dot" you take the size of a score, without its sign -> A key that points away from the query has
        a score far below 0: it is not near. -> Leave out `np.abs`.
    ascending-dot: with "dot" you sort upwards, so that the farthest keys come first -> `argsort` puts the smallest
        first. For a distance that is right; the smallest dot product is the worst. -> Turn its sign around before you
        sort.
    ascending-cosine: with "cosine" you sort upwards, so that the farthest keys come first -> `argsort` puts the
        smallest first. For a distance that is right; the smallest cosine is the worst. -> Turn its sign around before
        you sort.
    farthest: with "euclidean" you take the keys with the largest distance -> A large distance means far away. Dot
        product and cosine want the largest number, a distance the smallest. -> Sort distances upwards, similarities
        downwards.
    ties-to-the-higher: of equally near keys you take the later one -> Reversing a sorted row also reverses the order of
        keys that tie; and in a loop that compares with `>=` or `<=`, the last of them wins. -> Sort a table in which
        smaller is nearer with `kind="stable"`, and reverse nothing; in a loop, let only a better key replace the best
        so far.
    unstable: keys that tie come in any order: you sort without `kind="stable"`, or take what a partition leaves ->
        Neither of them heeds the order of ties: it is right by luck, often among few keys, hardly ever among 40. ->
        Sort all keys of a row, and say which kind of sort you want.
    partition: you choose with `argpartition`, which leaves to chance which of several keys that tie are kept -> It is
        fast because it does not sort; so it cannot keep the order of ties either. -> Sort all keys of a row, with the
        stable kind.
    first-of-the-tied: where keys tie, the same index comes twice -> `index` finds the first place that holds a number,
        and all that tie hold the same. -> Sort the places, not the numbers.
    last-of-the-tied: where keys tie, the same index comes twice -> A dict has one place for each number: the last of
        the keys that tie takes it, and the others are lost. -> Sort the places, not the numbers.
    zero-comes-again: once key 0 is found, it comes again and again -> The search begins with key 0 as the best so far,
        even where that is crossed out: no other that is left beats it. -> Begin with a key that is still left.
    by-index: you return the k nearest keys in the order of their indices -> A comparison marks keys, and forgets which
        of them is nearer. -> The first column must hold the nearest key: sort the places by the scores.
    all-returned: you return all keys, and not only k of them -> `argsort` gives a place to every key, and so does a
        loop that has a round for each: `k` says how many are wanted. -> Keep the first k columns, or make k rounds.
    by-weights: you rank the keys by softmax weights -> Weights have the order of the scores, until those are large:
        then all but the best are rounded to 0, and tie. -> Sort the scores or distances themselves.
    by-powers: you rank the keys by powers of e -> They have the order of the scores, until those are large: then some
        become infinity and others 0, and tie. -> Sort the scores or distances themselves.
    places-move-up: after the first, your indices are places among the keys that are left -> What is deleted leaves a
        gap, and all behind it move up by one place. -> Sort the places of a whole row at once; or keep the places
        beside the numbers.
    crossed-out-with-zero: you put 0 in the place of a score whose key is found -> That is an ordinary score: where the
        others are negative, it is the best, and the same key comes again. -> Put something there that never wins, or
        sort the places of a whole row at once.
    zero-always-crosses: you put 0 in the place of a score or a distance whose key is found -> A score of 0 beats all
        that are negative, and a distance of 0 is the nearest of all: the same key comes again. -> Put something there
        that never wins, or sort the places of a whole row at once.
    ranks: you sort the places once more -> `argsort` of an `argsort` says which rank each key has, not which key has
        each rank. -> Once is enough.
    turned-around: you reverse the order of dot products and cosines after sorting, and with it their ties -> Reversing
        a sorted row puts the higher index first where keys tie. The distances, which you do not reverse, are right. ->
        Sort the negated similarity instead of reversing the result.
    turned-around-dot: with "dot" you reverse the order after sorting, and with it the ties -> Reversing a sorted row
        puts the higher index first where keys tie. -> Sort the negated dot products instead of reversing the result.
    turned-around-cosine: with "cosine" you reverse the order after sorting, and with it the ties -> Reversing a sorted
        row puts the higher index first where keys tie. -> Sort the negated cosines instead of reversing the result.
    turned-around-unstable: you sort without `kind="stable"` and reverse the order of dot products and cosines -> Both
        disturb keys that tie: a plain sort leaves them in any order, and reversing turns them around. -> Sort the
        negated similarity, with the stable kind, and do not reverse.
    nearest-last: you return the right kind of keys, but the nearest comes last -> The last k of an upward sort hold the
        best ones in rising order. -> The first column must hold the nearest key. Mind what reversing does to ties.
    metric-ignored: you use the dot product whatever the metric -> The three measures agree only for keys of equal
        length. -> Ask what `metric` is before you compute. A condition such as `metric == "dot" or "cosine"` is always
        true: each side of `or` has to be a comparison.
    always-euclidean: you use the distance whatever the metric -> The three measures agree only for keys of equal
        length. -> Ask what `metric` is before you compute.
    euclidean-as-dot: with "euclidean" your order is that of the dot product -> Perhaps nothing belongs to "euclidean"
        in your function, or it is never reached (a misspelt name is not equal to it); or the squared length of each key
        is missing in your squared distance. -> Compare how you spell the three metrics with the task. In |q|² - 2 q·k +
        |k|² the last part differs from key to key.
    dot-as-euclidean: with "dot" you rank by the distance -> Another branch has the last word: an `else` belongs to the
        `if` right above it, and is run for "dot" as well. -> One of three is wanted: `if`, `elif`, `else`.
    dot-as-cosine: with "dot" you rank by the cosine -> Dividing by the lengths of the keys changes the order. -> Take
        the dot products as they are; and see to it that no other branch is run for "dot" as well.
    cosine-as-euclidean: with "cosine" you rank by the distance -> Perhaps nothing belongs to "cosine" in your function,
        or another branch has the last word, or the wrong measure stands there. -> Compare how you spell the three
        metrics with the task; one of three is wanted: `if`, `elif`, `else`.
    euclidean-as-cosine: with "euclidean" you rank by the cosine -> Perhaps nothing belongs to "euclidean" in your
        function, or another branch has the last word, or the wrong measure stands there. -> Compare how you spell the
        three metrics with the task; one of three is wanted: `if`, `elif`, `else`.
    sum-of-sizes: with "euclidean" you add up the sizes of the differences -> That is the way along the streets of a
        town. The distance is the straight line: it squares each difference. -> Use `squared_distances`.
    sum-squared: with "euclidean" you add up the differences before you square -> Then they cancel where their signs
        differ. -> Square each difference, then add up.
    largest-difference: with "euclidean" you take the largest of the differences -> The distance counts all of them. ->
        Square each difference, and add up.
    difference-of-lengths: with "euclidean" you compare the lengths of query and key -> Two vectors of one length can
        lie on opposite sides. -> The distance is the length of the difference, not the difference of the lengths.
    no-two: with "euclidean" the 2 before the dot product is missing -> |q - k|² is |q|² - 2 q·k + |k|². -> Take the dot
        product off twice, or use `squared_distances`.
    length-taken-off: with "euclidean" you take the squared length of the key off -> |q - k|² is |q|² - 2 q·k + |k|²:
        both squares have a plus. -> Look at the sign of that term, or use `squared_distances`.
    by-squared-length: with "cosine" you divide by the squared length of a key -> Then a long key loses more than it
        has gained by its length. -> A length is the root of the sum of squares.
    lengths-of-columns: with "cosine" you took the lengths of the columns (axis 0) -> Queries and keys are rows. -> Sum
        the squares along axis 1.
    rounded=: you round before you sort -> Keys that differ by less than that then tie, and the lower index comes first,
        though the other is nearer. -> Sort the numbers as they are.
    whole-scores: you cut the numbers down to whole ones before you sort -> Keys that differ by less than that then tie,
        and the lower index comes first, though the other is nearer. -> Sort the numbers as they are.
    first-keys: you search among the first k keys only -> `[:k]` of the keys, or `[:, :k]` of an unsorted table, keeps
        what stands in front, and the nearest can be anywhere. -> Sort whole rows first, and then keep k.
    last-columns: you take the last k places of a sort in which the nearest come first -> At the end of such a row are
        the farthest. -> Where smaller is nearer, keep the first k.
    last-columns-turned: you turn round a sort in which the nearest come first -> Then the farthest come first. -> Where
        smaller is nearer, an upward sort is the right way round.
    first-rows: you cut off rows instead of columns -> `[:k]` keeps the first k queries, with all their keys. -> Keep
        all rows, and of each the first k columns: the second axis is cut.
    cosine-as-dot: with "cosine" you still rank by the dot product -> Dividing a whole row by one number (the length of
        the query, say, or of all keys together) changes no order; only the length of each key does. -> Divide each
        score by the length of its own key, or use `cosine_scores`.
    columns: you sorted down the columns (axis 0) -> Down a column the queries compete for a key. Each query looks for
        its own keys, along its row. -> Sort along the last axis.
    keys-ask: queries and keys have changed places -> Each key then looks for its nearest queries, and the result has a
        row for each key. -> One row for each query: the queries are the rows of the scores.
    scores-not-indices: you return the scores of the nearest keys instead of their indices -> A score does not tell
        which value to fetch. -> `argsort` gives the places where `sort` gives the numbers.
    sorted-instead: you return sorted numbers instead of places -> `sort` gives the numbers themselves. Which keys they
        belong to is lost. -> `argsort` gives the places where `sort` gives the numbers.
    nearest-repeated: you return the nearest key k times -> `argmax` and `argmin` find one place in each row. -> Sort
        the places, and keep the first k.
    skips-the-first: you leave the nearest key out -> That is a habit from data in which every point finds itself first.
        Here queries and keys differ. -> Take the first k of each row.
    in-order: every query gets 0, 1, 2, ..., whatever the scores are -> You sort the places, or cut them off unsorted.
        `np.lexsort` sorts by its *last* key first. -> Sort by the scores: they decide, and only then the places.
    counts-from-one: you count the keys from 1 -> `K[j]` counts from 0, so each number fetches the next key. -> Return
        what `argsort` gives, without adding 1.
    """,
)
def knn_indices(Q, K, k, metric, wrong=frozenset()):
    """The k nearest keys of each query, with mistakes as switches."""
    Q, K = np.asarray(Q, dtype=float), np.asarray(K, dtype=float)
    if "keys-ask" in wrong:
        Q, K = K, Q
    if "metric-ignored" in wrong:
        metric = "dot"
    metric = next((used for slip, (asked, used) in CONFUSED.items() if slip in wrong and asked == metric), metric)
    if "always-euclidean" in wrong:
        metric = "euclidean"
    far = shared.farness(Q, K, metric)
    if metric == "euclidean":
        far = slip(wrong, NO_DISTANCES, lambda Q, K: far)(Q, K)
    if metric == "cosine":
        far = -slip(wrong, NO_COSINES, lambda Q, K: -far)(Q, K)
    if "first-keys" in wrong:
        far = far[:, :k]
    if "whole-scores" in wrong:
        far = np.trunc(far)
    if digits := number(wrong, "rounded", 2):
        far = far.round(int(min(digits, 20)))
    if "turned-upside-down" in wrong and metric != "euclidean":
        with np.errstate(divide="ignore"):
            far = 1 / np.where(far == 0, 0.0, -far)
    if f"absolute-{metric}" in wrong:
        far = -np.abs(far)
    for name in wrong & UPSIDE_DOWN.keys():
        if metric in UPSIDE_DOWN[name]:
            far = -far
    if "by-weights" in wrong:
        far = -softmax(-far)
    if "by-powers" in wrong:
        with np.errstate(over="ignore"):
            far = -np.exp(-far)
    if "partition" in wrong:
        best = np.sort(np.argpartition(far, k - 1, axis=-1)[:, :k], axis=-1)
        return np.take_along_axis(best, shared.nearest_first(np.take_along_axis(far, best, axis=-1)), axis=-1)
    if "columns" in wrong:
        order = np.argsort(far, axis=0, kind="stable")
    elif {"unstable", "ties-to-the-higher"} <= wrong:
        order = np.argsort(-far, axis=-1)[:, ::-1]
    elif "unstable" in wrong or (
        "turned-around-unstable" in wrong and metric == "euclidean" and "farthest" not in wrong
    ):
        order = np.argsort(far, axis=-1)
    elif "turned-around-unstable" in wrong:
        order = np.argsort(-far, axis=-1)[:, ::-1]
    elif "first-of-the-tied" in wrong:
        order = np.argmax(np.sort(far, axis=1)[:, :, None] == far[:, None, :], axis=2)
    elif "last-of-the-tied" in wrong:
        tied = np.sort(far, axis=1)[:, :, None] == far[:, None, :]
        order = far.shape[1] - 1 - np.argmax(tied[:, :, ::-1], axis=2)
    elif "zero-always-crosses" in wrong or ("crossed-out-with-zero" in wrong and metric != "euclidean"):
        order, left = np.zeros((len(far), k), dtype=int), far.copy()
        for place in range(k):
            order[:, place] = left.argmin(axis=1)
            left[np.arange(len(far)), order[:, place]] = 0.0
    elif "in-order" in wrong:
        order = np.tile(np.arange(far.shape[1]), (len(far), 1))
    elif "ranks" in wrong:
        order = np.argsort(shared.nearest_first(far), axis=-1)
    elif "nearest-repeated" in wrong:
        order = np.repeat(shared.nearest_first(far)[:, :1], far.shape[1], axis=1)
    elif "by-index" in wrong:
        order = shared.nearest_first(far > np.sort(far, axis=1)[:, k - 1 : k])
    elif any(metric in TURNED_AROUND[name] for name in wrong & TURNED_AROUND.keys()):
        order = shared.nearest_first(-far)[:, ::-1]
    else:
        order = shared.nearest_first(far)
    if "zero-comes-again" in wrong:
        order = np.where((order == 0).cumsum(axis=1) > 0, 0, order)
    if "places-move-up" in wrong:
        found_before = np.tri(order.shape[1], k=-1, dtype=bool)
        order = order - ((order[:, None, :] < order[:, :, None]) & found_before).sum(axis=-1)
    if "all-returned" in wrong:
        k = order.shape[1]
    if "last-columns" in wrong:
        return order[:, -k:]
    if "last-columns-turned" in wrong:
        return order[:, ::-1][:, :k]
    order = order[:, 1 : k + 1] if "skips-the-first" in wrong else order[:k] if "first-rows" in wrong else order[:, :k]
    if "nearest-last" in wrong:
        order = order[:, ::-1]
    if "scores-not-indices" in wrong and "columns" not in wrong:
        values = far if metric == "euclidean" else -far
        return np.take_along_axis(values, order, axis=-1)
    if "sorted-instead" in wrong and "columns" not in wrong:
        return np.take_along_axis(far, order, axis=-1)
    return order + 1 if "counts-from-one" in wrong else order
