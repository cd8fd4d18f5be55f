from functools import partial

import numpy as np

from attnlib import softmax, softmax_with_temperature
from grader.exercises.inputs import arrays, example
from grader.exercises.kinds import Case, Property, function
from grader.exercises.stages import number, slip


def scores_with_ties(rng, n, m, ties):
    """Whole numbers, of which the best of the first `ties` rows are shared by 2, 3, ... keys; no two rows share it.

    In one row the best is 0.
    """
    down = rng.permutation([m - 1, *rng.permutation(np.delete(np.arange(2 * m), m - 1))[: n - 1]])
    scores = rng.permuted(np.tile(np.arange(m), (n, 1)), axis=1).astype(float) - down[:, None]
    for i in range(ties):
        order = np.argsort(scores[i])
        scores[i, order[-2 - i % (m - 2) :]] = scores[i].max()
    return scores


def lowest_first(rng):
    """Three rows without ties, of which the first has the lowest maximum.

    It is a number in the other rows, too, and each row has the largest number of some column: whoever compares with
    another maximum than the row's own always finds something.
    """
    while True:
        scores = rng.permuted(np.tile(np.arange(5), (3, 1)), axis=1) + np.array([0, *rng.permutation([1, 2])])[:, None]
        highest = scores == scores.max(axis=0)
        own = scores == scores.max(axis=1, keepdims=True)
        if highest.any(axis=1).all() and (highest != own).any(axis=1).all():
            return {"scores": (scores - int(rng.choice([3, 7, 8]))) / 10, "limit": "cold"}


def high_with_ties(rng):
    """Scores near 5000: a difference of 2 is small beside them, and as large as ever to a softmax."""
    return {"scores": scores_with_ties(rng, 5, 7, 4) + 5000, "limit": "cold"}


def hardly_apart(rng):
    """The two best of each row differ by 0.0000001: to a softmax that is hardly anything, in the limit it is all."""
    scores = rng.permuted(np.tile(np.arange(5.0), (3, 1)), axis=1) / 1000 + 0.01
    scores[scores == scores.max()] = np.sort(scores[0])[-2] + 1e-7
    return {"scores": scores, "limit": "cold"}


def whole_numbers(rng, limit):
    return {"scores": scores_with_ties(rng, 2, 7, 1).astype(int), "limit": limit}


EXAMPLE = np.array([[5.0, 2.0, 5.0]])


def agrees_with_temperature(limit, temperature):
    """A test that the limit is what softmax_with_temperature comes to."""

    def test(call, rng):
        scores = scores_with_ties(rng, 5, 7, 2)
        gap = np.abs(call(scores, limit) - softmax_with_temperature(scores, temperature)).max()
        return None if gap < 1e-3 else f"softmax at temperature {temperature:g} differs by {gap:.3g}"

    return test


#: Shows where a row's best key does not come first.
SO_FAR = ("best-not-emptied",)


@function(
    points=3,
    returns="weights",
    cases=(
        Case("cold, 3 queries, 5 keys", lowest_first, 0.15, SO_FAR),
        Case("cold, with ties, scores near 5000", high_with_ties, 0.1, SO_FAR),
        Case("cold, the two best scores a ten-millionth apart", hardly_apart, 0.1, SO_FAR),
        Case("hot, 2 queries, 7 keys, whole numbers", partial(whole_numbers, limit="hot"), 0.15),
        Case("cold, 2 queries, 7 keys, whole numbers", partial(whole_numbers, limit="cold"), 0.1, SO_FAR),
        Case("cold, as many queries as keys", arrays(scores=(scores_with_ties, 5, 5, 1), limit="cold"), 0.05, SO_FAR),
        Case("the example of the task, cold", example(scores=EXAMPLE, limit="cold"), 0.05),
        Case("the example of the task, hot", example(scores=EXAMPLE, limit="hot"), 0.05),
    ),
    properties=(
        Property("equal to softmax at temperature 0.0001", agrees_with_temperature("cold", 1e-4), 0.05),
        Property("equal to softmax at temperature 100,000", agrees_with_temperature("hot", 1e5), 0.1),
    ),
    mistakes="""
    tie-lost: a tie gives all weight to the first of the best keys -> `argmax` names only one. Softmax gives equal
        scores equal weights at every temperature, and in the limit. -> Mark every key whose score equals the best of
        its row, and let them share.
    absolute-scores: in the cold you take the scores without their sign -> A score far below 0 is a bad one, however
        large its size. -> Leave out `np.abs`.
    first-and-last-tied: in the cold only the first and the last of several best keys share the weight -> `argmax` from
        both ends names two at most. -> Mark every key whose score equals the best of its row, and let all share.
    powers-of-scores=: in the cold you raise the scores to a high power, and divide by the sum -> Such powers tell
        scores apart by their ratio, not by their difference, and lose the sign. -> In the limit only the best are left:
        mark them.
    tie-halved: each of several best keys gets one half, however many there are -> Three best keys have a third each. ->
        Divide by the number of best keys in the row.
    ties-of-all: you divide by the number of best keys of all rows together -> The weights of each row sum to 1. ->
        Count the best keys along the last axis, with `keepdims=True`.
    tie-not-divided: each of several best keys gets the whole weight -> Weights sum to 1; two best keys have one half
        each. -> Divide by the number of best keys in the row.
    best-not-emptied: keys that were best only so far share the weight as well -> A list of the best has to begin anew
        when a better key comes. -> Empty it then; or take the largest score first, and mark afterwards.
    softmax-of-marks: you put marks of 0 and 1 through a softmax -> e to the power of 0 is 1: every key that is not
        among the best keeps some weight. -> The marks are shares already: divide them by their sum.
    nearly-tied: scores that are nearly equal share the weight in your function -> However small the difference of two
        scores, in the limit the better one takes all. -> Only equal scores tie.
    close-tied: scores that are nearly equal share the weight in your function -> However small the difference of two
        scores, in the limit the better one takes all. -> Only equal scores tie: `==` asks for that, `np.isclose` does
        not.
    tied-to-a-thousandth: scores that are nearly equal share the weight in your function -> However small the difference
        of two scores, in the limit the better one takes all. -> Only equal scores tie.
    best-scores-kept: you share the best scores out, not marks for them -> Equal scores have equal shares, but where the
        best score is 0, that is 0/0. -> Mark each of the best with a 1, whatever its score is.
    floor-division: where several keys tie for the best, they get weight 0 -> `//` drops what is behind the point: one
        divided by two becomes 0. -> Divide with `/`.
    cold-over-all: in the cold you divide by the number of keys -> Only the best keys share the weight. -> Divide by how
        many of them there are in the row.
    always-hot: you return the hot limit for both names -> `limit` is the text "cold" or "hot". -> Look at the
        comparison by which your function tells them apart.
    smallest: in the cold all weight goes to the lowest score -> Cold sharpens the preference for high scores. -> Look
        for the largest score of each row.
    cold-hot-swapped: cold and hot have changed places -> Dividing by a small temperature blows differences up; dividing
        by a large one makes them vanish. -> Try scores 0 and 1 at temperature 0.01: what do they become?
    columns: you worked down the columns (axis 0) -> Each row belongs to one query, and its weights sum to 1. -> Take
        maximum, sum and number of keys along the last axis.
    whole-matrix: you compare with the largest score of the whole matrix -> A query whose scores are all low still has a
        best key of its own. -> Take the maximum of each row, with `keepdims=True`.
    whole-matrix-guarded: you compare with the largest score of the whole matrix; most rows are all zero -> A query
        whose scores are all low still has a best key of its own. -> Take the maximum of each row, with `keepdims=True`.
    one-for-all: you look for one best key in the whole matrix, and only its row gets weight -> Every query has a best
        key of its own, and the weights of every row sum to 1. -> Take the maximum and the number of best keys of each
        row, with `keepdims=True`.
    first-row-maximum: you compare every row with the largest score of the first row -> Each query has a best key of its
        own. -> Take the maximum of each row, with `keepdims=True`.
    column-maximum: you compare with the largest score of each column -> Down a column, different queries compete for a
        key. Each query looks along its own row. -> Take the maximum along the last axis, with `keepdims=True`.
    cold-is-plain: for cold you return the softmax at temperature 1 -> Temperature 1 is where nothing has been cooled
        yet. -> Divide the scores by a tiny number in your mind: what is left of the lower ones?
    cold-is-near=: for cold you return the softmax at a low temperature -> That is near the limit, but not the limit:
        keys that are nearly as good as the best still get some weight there. -> In the limit only the best are left:
        mark them.
    counts-all: in the heat you divide by the number of all entries -> The keys of one row share its weight. -> How many
        columns are there?
    hot-is-ratio: in the heat you divide the scores by their sum -> In the limit the scores play no part any more. ->
        How much is each of n_keys equal shares?
    hot-is-mean: in the heat every key gets the mean of the scores -> In the limit the scores play no part any more. ->
        How much is each of n_keys equal shares?
    hot-is-zero: in the heat every key gets weight 0 -> The weights of a row sum to 1 at every temperature. -> How much
        is each of n_keys equal shares?
    hot-one-row: in the heat you return a single row -> Every query has a row of weights, also where all are alike. ->
        Give the result the shape of the scores.
    hot-one-column: in the heat you return a single column -> Every query has a weight for each key, also where all are
        alike. -> Give the result the shape of the scores.
    hot-in-whole-numbers: where the scores are whole numbers, all your hot weights are 0 -> A table that is made like
        another (`full_like`, `zeros_like`) holds the same kind of numbers: whole ones cut 1/n down to 0. -> Make the
        table from the shape, or name its dtype.
    cold-in-whole-numbers: where the scores are whole numbers, several best keys get weight 0 -> A table that is made
        like another (`full_like`, `zeros_like`) holds the same kind of numbers: whole ones cut 1/2 down to 0. -> Make
        the table from the shape, or name its dtype.
    in-whole-numbers: where the scores are whole numbers, every weight below 1 is cut down to 0 -> A table that is made
        like another (`zeros_like`, `empty_like`, `copy`) holds the same kind of numbers: whole ones. -> Make the table
        from the shape, or name its dtype.
    hot-thirds: in the heat every key gets a third -> That suits the example, which has three keys. -> Divide by the
        number of columns.
    hot-rounded-thirds: in the heat every key gets 0.333 -> That suits the example, which has three keys. -> Divide by
        the number of columns.
    counts-queries: in the heat you divide by the number of queries -> The keys of a row share the weight, and the
        number of rows has no part in it. -> How many columns are there?
    hot-is-near=: for hot you return the softmax at a high temperature -> That is near the limit, but not the limit: the
        better keys still get a little more there. -> Where nothing is left of the differences, what are the weights?
    hot-not-divided: in the heat every key gets weight 1 -> Weights sum to 1; they are equal, but they share. -> How
        much is left for each of n_keys equal shares?
    hot-is-plain: for hot you return the softmax at temperature 1 -> Temperature 1 is where nothing has been heated yet.
        -> Divide the scores by a huge number in your mind: what is left of them?
    """,
)
def limit_weights(scores, limit, wrong=frozenset()):
    """Softmax weights at the two ends of the temperature, with mistakes as switches."""
    whole = np.asarray(scores).dtype.kind in "iu"
    scores = np.asarray(scores, dtype=float)
    if "always-hot" in wrong:
        limit = "hot"
    if "cold-hot-swapped" in wrong:
        limit = "hot" if limit == "cold" else "cold"
    axis = 0 if "columns" in wrong else -1
    if limit == "hot":
        uniform = np.full(scores.shape, 1.0 / scores.shape[axis])
        slips = {
            "hot-not-divided": np.ones(scores.shape),
            "hot-is-plain": softmax(scores),
            "counts-all": np.full(scores.shape, 1.0 / scores.size),
            "hot-is-mean": np.broadcast_to(scores.mean(axis=-1, keepdims=True), scores.shape),
            "hot-is-zero": np.zeros(scores.shape),
            "hot-in-whole-numbers": np.zeros(scores.shape) if whole else uniform,
            "hot-one-row": uniform[0],
            "hot-one-column": uniform[:, :1],
            "in-whole-numbers": np.zeros(scores.shape) if whole else uniform,
            "hot-thirds": np.full(scores.shape, 1 / 3),
            "hot-rounded-thirds": np.full(scores.shape, 0.333),
            "counts-queries": np.full(scores.shape, 1.0 / len(scores)),
        }
        if temperature := number(wrong, "hot-is-near", 1000.0):
            return softmax_with_temperature(scores, temperature)
        if "hot-is-ratio" in wrong:
            return scores / scores.sum(axis=-1, keepdims=True)
        return slip(wrong, slips, uniform)
    if temperature := 1.0 if "cold-is-plain" in wrong else number(wrong, "cold-is-near", 0.01):
        return softmax_with_temperature(scores, temperature)
    if "smallest" in wrong:
        scores = -scores
    if "absolute-scores" in wrong:
        scores = np.abs(scores)
    if power := number(wrong, "powers-of-scores", 100):
        with np.errstate(all="ignore"):
            powers = scores**power
            return powers / powers.sum(axis=-1, keepdims=True)
    if "first-and-last-tied" in wrong:
        one = np.eye(scores.shape[1])
        return (one[scores.argmax(axis=1)] + one[::-1][scores[:, ::-1].argmax(axis=1)]) / 2
    if "tie-lost" in wrong:
        best = np.zeros(scores.shape)
        np.put_along_axis(best, np.expand_dims(scores.argmax(axis=axis), axis), 1.0, axis=axis)
        return best
    if "one-for-all" in wrong:
        return (scores == scores.max()) / (scores == scores.max()).sum()
    tops = {
        "whole-matrix": scores.max(),
        "whole-matrix-guarded": scores.max(),
        "first-row-maximum": scores[0].max(),
        "column-maximum": scores.max(axis=0, keepdims=True),
    }
    top = slip(wrong, tops, scores.max(axis=axis, keepdims=True))
    near = {"nearly-tied": scores >= top - 0.01 * np.abs(top), "close-tied": np.isclose(scores, top)}
    near["best-not-emptied"] = scores == np.maximum.accumulate(scores, axis=axis)
    near["tied-to-a-thousandth"] = np.isclose(scores, top, rtol=1e-3)
    best = slip(wrong, near, scores == top).astype(float)
    if "best-scores-kept" in wrong:
        best = best * scores
    if "softmax-of-marks" in wrong:
        best = np.exp(best)
    ties = best.sum(axis=axis, keepdims=True)
    if "floor-division" in wrong:
        return best // ties
    divisors = {
        "tie-not-divided": 1.0,
        "tie-halved": np.minimum(ties, 2),
        "ties-of-all": ties.sum(),
        "whole-matrix-guarded": np.maximum(ties, 1),
        "cold-over-all": scores.shape[1],
    }
    weights = best / slip(wrong, divisors, ties)
    return np.trunc(weights) if whole and wrong & {"cold-in-whole-numbers", "in-whole-numbers"} else weights
