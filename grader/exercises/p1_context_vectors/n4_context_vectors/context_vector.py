from functools import partial

import numpy as np

from grader.exercises.inputs import arrays, example, integers, tenths
from grader.exercises.kinds import Case, Property, function
from grader.exercises.p1_context_vectors.n4_context_vectors import shared
from grader.exercises.stages import SOME, mix, score, slip, softmax, weigh

OUT_OF_RANGE = ("raw-scores", "ratio", "not-normalised")


def leaving(rng):
    """Inputs whose values lie close together: weights that do not sum to 1, or are negative, leave their range.

    So do sums from which a term is missing; the right context lies well inside, so that a rounding does not leave.
    """
    while True:
        Q, K, V = shared.some_inputs(rng, axes=1)
        V = 5 + rng.uniform(size=V.shape)
        scores = score(np.atleast_2d(Q), K, set())
        weights = weigh(scores, set())
        slips = [weigh(scores, {slip}) @ V for slip in OUT_OF_RANGE]
        slips += [weights[:, kept] @ V[kept] for kept in SOME.values()]
        outside = [(context < V.min(axis=0) - 0.1) | (context > V.max(axis=0) + 0.1) for context in slips]
        right = weights @ V
        inside = (right > V.min(axis=0) + 0.02) & (right < V.max(axis=0) - 0.02)
        if inside.all() and all(out.any() for out in outside):
            return Q, K, V


def bounded(call, rng):
    Q, K, V = leaving(rng)
    context = call(Q, K, V)
    if ((context > V.min(axis=0) - 1e-3) & (context < V.max(axis=0) + 1e-3)).all():
        return None
    return "a number of the context is smaller or larger than that number in all values"


@function(
    points=2,
    returns="context",
    library_names=("context_vectors", "soft_lookup"),
    cases=(
        Case("three keys of two numbers, values of five", arrays(tenths, q=(2,), K=(3, 2), V=(3, 5)), 0.2),
        Case("seven keys of five numbers, values of three", arrays(q=(shared.small, 5), K=(7, 5), V=(7, 3)), 0.1),
        Case("five keys and values of five numbers", arrays(q=(shared.small, 5), K=(5, 5), V=(5, 5)), 0.1),
        Case(
            "whole numbers",
            arrays(integers(-1, 2), q=(3,), K=(integers(-2, 3), 5, 3), V=(integers(-9, 10), 5, 2)),
            0.05,
            telling=(*shared.WEIGHT_SLIPS, "distance"),
        ),
        Case("scores above 1000, two keys alike", partial(shared.large_scores, axes=1), 0.05),
        Case("scores above 1000 and below -1000 at once", partial(shared.distant_scores, axes=1), 0.05),
        Case("the example of the task", example(q=np.array([1.0, 0.0]), **shared.EXAMPLE), 0.05),
    ),
    properties=(
        Property("where all values are equal, the context is that value", partial(shared.equal_values, axes=1), 0.1),
        Property("the context stays between the smallest and the largest values", bounded, 0.1),
        Property("shuffling keys and values together changes nothing", shared.shuffled(1), 0.1),
    ),
    mistakes="""
    raw-scores
    softmax-late
    softmax-twice
    softmax-again
    ratio
    shifted-ratio
    squares
    raw-denominator
    not-normalised
    powers-not-divided
    first-term: you return the first weighted value only -> A `return` inside a loop ends the function in its first
        round. -> Add up all rounds, and return after the loop.
    last-term: you return the last weighted value only -> Each round of the loop replaces what the one before it had
        found. -> Start at 0 and add, with `+=`.
    begun-with-first: your sum begins with the first value -> Then it is there once without a weight, and once more with
        its own. -> Begin with zeros.
    last-left-out
    first-left-out
    uniform
    best-only
    scaled: you divide the scores by the square root of d -> Part 3 will do that, for a good reason. Here the scores go
        into softmax as they are; dividing them makes the weights flatter. -> Leave the division out.
    cosine
    distance: you score by distance instead of by the dot product -> Both agree only if all keys are equally long. ->
        Use the dot product of the query with each key.
    keys-mixed
    values-scored
    keys-values-swapped
    keys-not-transposed
    weights-returned
    averaged-again
    not-summed: you weight the values, but do not add them up -> The weighted values are the n terms of the average. The
        context is one vector, their sum. -> Sum over the keys.
    summed-across: you sum along the wrong axis -> You add up the numbers inside each value. The sum has to run over the
        keys, so that a vector of d_v numbers is left. -> Sum the weighted values over the rows: `axis=0`.
    values-first: you multiply V by the weights from the wrong side -> `V @ w` needs as many weights as V has columns.
        That fails unless V is square, and then weight j multiplies column j instead of value j. -> V has a row for each
        key. Put the weights on the side where their number meets the number of rows.
    columns: every value has the weight 1: you add up plain values -> Either the weights are missing, or softmax took
        each score by itself: down the columns of a score matrix with a single row, or along the rows of a single
        column. A score that is alone gets the weight 1. -> The weights of the one query must sum to 1 over the keys:
        softmax along the last axis.
    powers-into-softmax: you give softmax the powers of the scores -> It takes the exponential itself: then there are
        two, one of the other, and the best key gets nearly everything. -> Give it the scores as they are.
    softmax-of-keys: you give softmax the keys, and multiply by the query afterwards -> Then numbers *within* a key
        compete; your weights are mixtures of the query's numbers, and no shares of one whole. -> Scores first, `K @ q`:
        softmax turns these into weights.
    softmax-of-query: you give softmax the query, and multiply by the keys afterwards -> Then the query's own numbers
        compete; your weights are averages of each key's numbers, and no shares of one whole. -> Scores first, `K @ q`:
        softmax turns these into weights.
    across-columns: the weights are spread over the columns of V instead of its rows -> `weights * V` lines the weights
        up with the last axis. That fails unless V is square, and then weight j multiplies column j instead of value j.
        -> Give the weights a second axis, `weights[:, None]`, or use a matrix product.
    no-maximum
    other-shift
    clipped
    """,
)
def context_vector(q, K, V, wrong=frozenset()):
    """The context vector of one query, with the mistakes that people make as switches."""
    q, K, V = (np.asarray(a, dtype=float) for a in (q, K, V))
    if "values-scored" in wrong:
        K = V
    if "keys-values-swapped" in wrong:
        K, V = V, K
    scores = score(q[None], K, wrong)
    if "powers-into-softmax" in wrong:
        scores = np.exp(scores)
    weights = weigh(np.clip(scores, -500, 500) if "clipped" in wrong else scores, wrong - {"clipped"})[0]
    if wrong & {"softmax-of-keys", "softmax-of-query"}:
        weights = softmax(K) @ q if "softmax-of-keys" in wrong else K @ softmax(q)
    if "weights-returned" in wrong:
        return weights
    weighted = weights[:, None] * V
    slips = {
        "not-summed": lambda: weighted,
        "begun-with-first": lambda: V[0] + weights @ V,
        "across-columns": lambda: (weights * V).sum(axis=0),
        "summed-across": lambda: weighted.sum(axis=1),
        "values-first": lambda: V @ weights,
    }
    if made := slip(wrong, slips, None):
        return made()
    if wrong & set(SOME):
        return weighted[slip(wrong, SOME, None)].sum(axis=0)
    return mix(weights, K, V, wrong)
