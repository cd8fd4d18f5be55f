from functools import cache

import numpy as np

from grader.exercises.kinds import Entry, values
from grader.exercises.p3_multi_head.n1_scaling.shared import draw
from grader.exercises.stages import LEFT_OVER, slip, weigh

GRADIENT_DIMENSION, GRADIENT_QUERIES, GRADIENT_KEYS = 512, 100, 8


@cache
def drawn():
    return draw(GRADIENT_DIMENSION)


def mean_gradient(scaled, wrong=frozenset()):
    """Mean over the queries of the largest entry of the Jacobian, with mistakes as switches."""
    Q, K = drawn()
    scores = Q[: None if "all-queries" in wrong else GRADIENT_QUERIES] @ K[:GRADIENT_KEYS].T
    divisors = {
        "no-scale": 1.0,
        "by-d_k": GRADIENT_DIMENSION,
        "by-half-d_k": GRADIENT_DIMENSION / 2,
        "by-twice-d_k": GRADIENT_DIMENSION * 2,
        "by-sqrt-keys": np.sqrt(GRADIENT_KEYS),
        "by-sqrt-queries": np.sqrt(GRADIENT_QUERIES),
        "left-over-d": np.sqrt(LEFT_OVER),
    }
    divisor = slip(wrong, divisors, np.sqrt(GRADIENT_DIMENSION)) if scaled else 1.0
    early, late = (1.0, divisor) if "scaled-jacobian" in wrong else (divisor, 1.0)
    weights = scores / divisor if "no-softmax" in wrong else weigh(scores, wrong, early)
    if "weights-only" in wrong:
        return float(weights.max(axis=-1).mean())
    if "jacobian-of-mean" in wrong:
        weights = weights.mean(axis=0, keepdims=True)
    jacobians = weights[:, :, None] * (np.eye(GRADIENT_KEYS) - weights[:, None, :]) / late
    if "mean-jacobian" in wrong:
        jacobians = jacobians.mean(axis=0, keepdims=True)
    largest = jacobians.max(axis=(-2, -1))
    slips = {
        "mean-entry": np.abs(jacobians).mean(),
        "mean-of-all": jacobians.mean(),
        "trace": np.trace(jacobians, axis1=1, axis2=2).mean(),
        "mean-of-diagonals": np.trace(jacobians, axis1=1, axis2=2).mean() / GRADIENT_KEYS,
        "over-queries": jacobians.max(axis=0).mean(),
        "smallest": jacobians.min(axis=(-2, -1)).mean(),
        "smallest-without-sign": -jacobians.min(axis=(-2, -1)).mean(),
        "nearest-to-zero": np.abs(jacobians).min(axis=(-2, -1)).mean(),
        "sum-of-sizes": np.abs(jacobians).sum(axis=(-2, -1)).mean(),
        "length": np.sqrt((jacobians**2).sum(axis=(-2, -1))).mean(),
        "largest-of-all": largest.max(),
        "median": np.median(largest),
        "sum-of-largest": largest.sum(),
        "sum-by-keys": largest.sum() / GRADIENT_KEYS,
        "columns-for-rows": (weights * (1 - weights)).max(axis=0).mean(),
        "first-query-only": largest[0],
        "last-query-only": largest[-1],
    }
    if scaled and "per-dot-product" in wrong:
        return float(largest.mean() / divisor)
    if scaled and "not-emptied" in wrong:
        return (mean_gradient(False) + mean_gradient(True)) / 2
    return float(slip(wrong, slips, largest.mean()))


@values(
    points=2,
    task='fill the dict with the two means, "unscaled" and "scaled"',
    entries=(Entry("unscaled", "the mean without scaling", 0.5), Entry("scaled", "the mean with scaling", 0.5)),
    mistakes="""
    example-left: those are the numbers of the example -> They show the form, and are made up. -> Let your
        `softmax_jacobian` give one number for each query, and take the mean of them.
    example-left-alike: those are the numbers of the example in an older copy of this notebook -> They show the form,
        and are made up. -> Let your `softmax_jacobian` give one number for each query, and take the mean of them.
    numbers-swapped: the two numbers have changed places -> Scaling is what keeps the gradient alive. -> Give each
        number its own key.
    all-queries: you took all 500 queries, not the 100 of `wide_scores` -> The task asks for the mean over 100 queries.
        -> Begin with `wide_scores`, of shape (100, 8).
    no-scale: both numbers are those of the plain scores -> The second number needs scores that were divided before the
        softmax. -> Divide the scores by the square root of d_k.
    by-d_k
    by-half-d_k
    by-twice-d_k
    by-sqrt-keys
    by-sqrt-queries
    left-over-d: you divided by the square root of 2048 -> `d_k` still holds the last value of an earlier loop. ->
        These vectors have 512 numbers.
    scaled-weights
    scaled-jacobian: you divided the Jacobian, or its largest entry, by the square root of d_k, or multiplied the scores
        by it -> The weights stay as sharp as before, or get sharper, and the gradient gets smaller still. -> Divide the
        scores, before the softmax.
    no-softmax: you made the Jacobians of the scores -> `softmax_jacobian` expects a row of weights: positive numbers
        that sum to 1. -> Take the softmax of the scores first.
    softmax-twice
    whole-matrix
    columns: you normalised down the columns -> The 100 queries then compete for each key, instead of the 8 keys for
        each query. -> Use `softmax`, which works row by row, on scores of shape (100, 8).
    weights-only: you averaged the largest weights, not the largest entries of the Jacobians -> A weight says who is
        listened to; the Jacobian says how much that can still change. -> Make a Jacobian of each row of weights, and
        take its largest entry.
    mean-entry: you averaged all entries instead of the largest one of each query -> Most entries are small in any case,
        so the mean hides what happens. -> One number for each query first: the largest entry. Then the mean of these.
    largest-of-all: you took the largest entry of all queries together -> Among 100 queries there is always one that is
        still undecided. -> One number for each query first, then their mean.
    mean-of-all: you averaged all entries instead of the largest one of each query -> All entries of a Jacobian
        add up to 0: what one weight gains, others lose, and nothing is left of the mean. -> One number for each query
        first: the largest entry. Then the mean of these.
    trace: you added up the diagonal of each Jacobian -> One number for each query is asked for, its largest entry. ->
        Use `.max()` on each Jacobian.
    median: you took the median over the queries, not the mean -> Without scaling most queries have hardly any gradient
        left, and the median sees only those. -> Use the mean.
    sum-of-largest: you added the largest entries up and did not divide -> A mean is the sum divided by how many there
        are. -> Divide by the number of queries.
    sum-by-keys: you divided the sum of the largest entries by the number of keys -> There is one largest entry for each
        query: the mean divides by how many queries there are. -> Divide by 100, or use `np.mean`.
    columns-for-rows: your Jacobians are of the columns of the weights -> A column holds what one key gets from all
        queries, and does not sum to 1. -> Go through the rows: the weights of one query each.
    not-emptied: the numbers without scaling are still among those that you average for the second mean -> A list that
        is made before both loops is not empty when the second begins. -> Begin with a fresh list for each mean.
    first-query-only: you give the number of the first query alone -> Queries differ; the mean is over all 100. -> Make
        a Jacobian of each row of weights.
    last-query-only: you give the number of the last query alone -> In a loop each round forgets the round before,
        unless you collect. -> Put each query's number in a list, and take the mean after the loop.
    smallest: you took the smallest entry of each Jacobian -> That is the most negative one: how much one key can take
        from another. -> Use `.max()`.
    smallest-without-sign: you took the smallest entry of each Jacobian, and its sign away -> That is the most negative
        one: how much one key can take from another. -> Use `.max()`.
    nearest-to-zero: you took of each Jacobian the entry that is nearest to 0 -> That one says where hardly anything
        changes. -> Use `.max()`.
    mean-jacobian: you averaged the Jacobians of all queries first, and took the largest entry of that mean -> Where one
        query has its large entry, another has a small one, and in the mean they blur. -> One number for each query
        first: the largest entry. Then the mean of these.
    jacobian-of-mean: you averaged the weights of all queries first, and made one Jacobian of that mean -> The mean of
        many sharp rows is not sharp: it hides that each single query is stuck. -> Make a Jacobian of each row of
        weights.
    mean-of-diagonals: you averaged all the numbers on the diagonals -> Most weights are near 0 and hardly change, so
        the mean hides what happens. -> One number for each query first: the largest entry. Then the mean of these.
    over-queries: you took the largest over the queries at each place of the Jacobians, and the mean over the places ->
        Among 100 queries there is always one that is still undecided. -> One number for each query first: the largest
        entry of its own Jacobian. Then the mean of these.
    sum-of-sizes: you added up the sizes of all entries of a Jacobian -> One number for each query is asked for, its
        largest entry. -> Use `.max()` on each Jacobian.
    length: you took the length of each Jacobian, by `np.linalg.norm` -> That adds up all entries. -> One number for
        each query: the largest entry, by `.max()`.
    per-dot-product: your second number is divided by the root once more -> Counted for each point of the *dot product*
        that is right, and the text comes to it; here the Jacobian itself is asked for, which counts points of the
        score. -> Take the largest entries as they are.
    """,
)
def vanishing_gradient(wrong=frozenset()):
    if "example-left" in wrong:
        return {"unscaled": 0.1, "scaled": 0.2}
    if "example-left-alike" in wrong:
        return {"unscaled": 0.125, "scaled": 0.125}
    first = "numbers-swapped" in wrong
    return {"unscaled": mean_gradient(first, wrong), "scaled": mean_gradient(not first, wrong)}
