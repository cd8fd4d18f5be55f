from functools import partial

import numpy as np

from attnlib import unit_rows
from grader.exercises.inputs import arrays, example, integers, tenths
from grader.exercises.kinds import Case, Property, function
from grader.exercises.p1_context_vectors.n4_context_vectors import shared
from grader.exercises.stages import SOME, mix, score, slip, softmax, weigh


def whole_numbers(rng):
    """Whole numbers, and contexts that are none: of one that is, rounding decides what is left without decimals."""
    draw = arrays(integers(-1, 2), Q=(2, 3), K=(integers(-2, 3), 5, 3), V=(integers(-9, 10), 5, 7))
    while True:
        inputs = draw(rng)
        contexts = context_vectors(**inputs)
        if np.abs(contexts - contexts.round()).min() > 1e-6:
            return inputs


def queries_shuffled(call, rng):
    Q, K, V = shared.some_inputs(rng, 2)
    order = np.roll(np.arange(7), int(rng.integers(1, 7)))
    gap = np.abs(call(Q[order], K, V) - call(Q, K, V)[order]).max()
    return None if gap < 1e-3 else f"the context of a query changes by {gap:.3g} when it asks in another place"


#: Which scores are hidden from a query, by the slip.
HIDDEN = {
    "causal": lambda scores: np.triu(np.ones_like(scores), 1),
    "own-key-left-out": lambda scores: np.eye(*scores.shape),
}


@function(
    points=4,
    returns="context",
    cases=(
        Case(
            "two queries, three keys of two numbers, values of five", arrays(tenths, Q=(2, 2), K=(3, 2), V=(3, 5)), 0.2
        ),
        Case("seven queries, five keys of three numbers, values of two", arrays(Q=(7, 3), K=(5, 3), V=(5, 2)), 0.1),
        Case(
            "five queries, five keys and values of five numbers",
            arrays(Q=(shared.small, 5, 5), K=(5, 5), V=(5, 5)),
            0.1,
        ),
        Case(
            "whole numbers",
            whole_numbers,
            0.05,
            telling=(
                *shared.WEIGHT_SLIPS,
                "columns",
                "whole-matrix",
                "first-query-repeated",
                "whole-numbers",
                "weights-rounded",
            ),
        ),
        Case("scores above 1000 for one query, below -1000 for the other", partial(shared.large_scores, axes=2), 0.05),
        Case("scores above 1000 and below -1000 for the same query", partial(shared.distant_scores, axes=2), 0.05),
        Case("the example of the task", example(Q=np.array([[1.0, 0.0], [0.0, 0.0]]), **shared.EXAMPLE), 0.05),
    ),
    properties=(
        Property("where all values are equal, every context is that value", partial(shared.equal_values, axes=2), 0.1),
        Property("shuffling keys and values together changes nothing", shared.shuffled(2), 0.1),
        Property("shuffling the queries shuffles the contexts", queries_shuffled, 0.1),
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
    sum-of-all
    not-normalised
    powers-not-divided
    last-left-out
    first-left-out
    last-term: only the last key has a part in your context -> `=` in a loop overwrites what was there; `+=` adds to it.
        -> Add up the weighted values in the loop.
    value-by-query: you take the value in the place of the query, not that of the key -> The weights of a query sum to
        1: each context is then one value as it is, and with more queries than keys there is none. -> Weight j belongs
        to value j: the row of V is counted as the keys are.
    softmax-on-queries: you take the softmax of the queries, before they meet the keys -> Softmax makes weights out of
        scores; a query holds coordinates. -> Score first, then softmax along the keys.
    negative-as-zero: you divide the scores by their sum, and a negative score counts as 0 -> Half of all keys have no
        share at all then, and a query may find none. -> Take softmax of the scores: its powers are all positive.
    keys-of-length-one: you give the keys the length 1 before they are scored -> That is half a cosine: how long a key
        is has a say here. -> Take Q and K as they are.
    small-weights-cut: weights below a hundredth are set to 0 -> Then the rest sums to less than 1, and what many small
        ones say together is lost. -> Use all the weights.
    weights-rounded: you round the weights to two decimals -> Rounded weights need not sum to 1, and each context is off
        by a little. -> Round what is shown, not what is computed with.
    worst-only: you return the value whose key scores lowest -> `argmin` finds the worst, and it would be a look-up even
        with the best: all values have a share. -> Use all the weights.
    uniform
    best-only
    scaled: you divide the scores by the square root of d -> Part 3 will do that, for a good reason. Here the scores go
        into softmax as they are; dividing them makes the weights flatter. -> Leave the division out.
    by-sqrt-d_v: you divide the scores by the square root of d_v -> Part 3 will divide by a root, but not by that one,
        and here the scores go into softmax as they are. -> Leave the division out.
    distance: you score with the negative squared distance instead of the dot product -> The two agree only where all
        keys are equally long. The task scores with dot products. -> Compute the scores with a matrix product.
    half-distance: you score with minus half the squared distance instead of the dot product -> The two agree only where
        all keys are equally long. The task scores with dot products. -> Compute the scores with a matrix product.
    distance-as-score: you score with the squared distance instead of the dot product -> Then the farthest key gets the
        most weight. -> Compute the scores with a matrix product.
    cosine
    causal: each query sees only the keys up to its own place -> That is a mask, which Part 3 brings. Here every query
        sees every key. -> Leave it out.
    own-weight-left-out: the value in a query's own place is left out, and its weight is missing -> The weights then sum
        to less than 1. A token may attend to itself; and queries and keys need not be the same tokens. -> Add up all
        the weighted values.
    own-key-left-out: no query sees the key at its own place -> A token may attend to itself; and queries and keys need
        not be the same tokens. -> Leave all scores as they are.
    whole-numbers: decimals are lost when the values are whole numbers -> An array made like one of whole numbers holds
        whole numbers only, and cuts off what does not fit. -> Let `np.zeros` make its array of floats, as it does by
        itself.
    keys-mixed
    values-scored
    keys-values-swapped
    one-query-formula: you treat all queries like a single one, as `context_vector(Q, K, V)` or `K @ Q` does -> There a
        query is a flat row. A matrix in its place meets the keys with its columns: that fails unless the sizes happen
        to fit, and then it is silently wrong. -> Hand over one row of Q at a time, or turn to the right-hand column of
        the table.
    keys-not-transposed
    weights-returned
    averaged-again
    columns: your weights sum to 1 over the queries, not over the keys -> Softmax ran down the columns of the scores (or
        along the rows of the transposed scores): there different queries compete with each other. -> Row i of the
        scores belongs to query i. Give softmax the scores as they are, `(n_queries, n_keys)`: it goes along the rows.
    whole-matrix
    weights-transposed: you multiply the transposed weights by V -> Weight (i, j) says how much query i takes of value
        j. Transposed, the queries and the keys change places; where they are equal in number nothing complains. -> The
        weights have shape (n_queries, n_keys) and V has n_keys rows: they fit as they are.
    keys-ask: the keys ask and the queries answer -> Your score matrix has one row for each key. Then softmax divides
        the weight among the queries. -> One row of scores for each query: shape (n_queries, n_keys).
    queries-mixed: you average the queries instead of the values -> A query decides the weights and then has done its
        work. What is mixed is the values. -> Use Q for the scores only.
    queries-with-queries: you score the queries against each other, and not with the keys -> Where Q and K are the same
        matrix nobody notices; elsewhere it is wrong, or the shapes do not fit. -> Compute the scores from Q and K.
    values-first: you multiply the values by the weights, in this order -> A matrix product depends on the order: each
        row of the left factor says how to mix the rows of the right one. -> The weights have a row for each query: they
        come first.
    shaped-like-values: your result has as many rows as V -> V has a row for each key, the result one for each query.
        With more keys than queries, rows of zeros are left over; with fewer, there is no room. -> Take the number of
        rows from Q, and only the number of columns from V.
    first-query-repeated: every row holds the context of the first query -> All queries get the answer of the first one:
        the loop, or the score, uses `Q[0]` each time. -> Row i of the result comes from row i of Q.
    no-maximum
    other-shift
    global-maximum
    clipped
    """,
)
def context_vectors(Q, K, V, wrong=frozenset()):
    """The context vectors of several queries, with the mistakes that people make as switches."""
    truncates = "whole-numbers" in wrong and np.asarray(V).dtype.kind in "iu"
    Q, K, V = (np.asarray(a, dtype=float) for a in (Q, K, V))
    if "values-scored" in wrong:
        K = V
    if "keys-values-swapped" in wrong:
        K, V = V, K
    if "keys-of-length-one" in wrong:
        K = unit_rows(K)
    if "softmax-on-queries" in wrong:
        return softmax(Q) @ K.T @ V
    if "one-query-formula" in wrong:
        return softmax(K @ Q) @ V
    asked = Q if "queries-with-queries" in wrong else K
    distances = {"half-distance": 0.5, "distance-as-score": -1.0}
    times = slip(wrong, distances, 1.0)
    scores = times * score(Q, asked, wrong | {"distance"} if wrong & {*distances} else wrong)
    hidden = slip(wrong, HIDDEN, np.zeros_like)(scores)
    scores = np.where(hidden, -np.inf, np.clip(scores, -500, 500) if "clipped" in wrong else scores)
    weights = weigh(scores, wrong - {"clipped"}, np.sqrt(V.shape[-1]) if "by-sqrt-d_v" in wrong else 1.0)
    if "worst-only" in wrong:
        weights = np.eye(len(K))[scores.argmin(axis=-1)]
    if "negative-as-zero" in wrong:
        weights = np.maximum(scores, 0) / np.maximum(scores, 0).sum(axis=-1, keepdims=True)
    if "small-weights-cut" in wrong:
        weights = np.where(weights > 0.01, weights, 0.0)
    if "weights-rounded" in wrong:
        weights = weights.round(2)
    if "own-weight-left-out" in wrong:
        weights = weights * (1 - np.eye(*weights.shape))
    if "value-by-query" in wrong:
        return weights.sum(axis=-1, keepdims=True) * V[np.arange(len(weights))]
    if "weights-returned" in wrong:
        return weights
    if kept := slip(wrong, SOME, None):
        return weights[:, kept] @ V[kept]
    if "values-first" in wrong:
        return V @ weights
    context = mix(weights, K, Q if "queries-mixed" in wrong else V, wrong)
    if truncates:
        context = np.trunc(context)
    if "shaped-like-values" in wrong:
        result = np.zeros(V.shape)
        for i, row in enumerate(context):  # not at once: without room the last rows fail, as a learner's loop does
            result[i] = row
        return result
    return np.repeat(context[:1], len(context), axis=0) if "first-query-repeated" in wrong else context
