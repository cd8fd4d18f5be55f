import numpy as np

from grader.exercises.inputs import arrays, example, matrix, tenths
from grader.exercises.kinds import Case, Property, function
from grader.exercises.p3_multi_head.n1_scaling.shared import measured
from grader.exercises.p3_multi_head.n1_scaling.softmax_jacobian import softmax_jacobian
from grader.exercises.stages import slip, softmax, weigh

#: What a small change of the query is to show in every draw.
BY_CHANGES = ("mean-left-in", "softmax-twice", "by-sqrt-keys", "by-sqrt-d_v", "by-half-d_k", "equal-weights")
BY_CHANGES += ("inner-scale-missing", "means-without-weights", "mean-without-weights", "step-of-a-tenth")
BY_CHANGES += ("mean-part-only", "weights-in-twice", "outer-by-sqrt-keys", "outer-by-sqrt-d_v", "outer-times-root")


def small_change(rng):
    """An attention, and a small step of its query by which each of those mistakes is found out."""
    while True:
        q, K, V = matrix(rng, 5), matrix(rng, 7, 5), matrix(rng, 7, 3, scale=2.0)
        step = 1e-5 * matrix(rng, 5)
        right = context_jacobian(q, K, V)
        gaps = [(context_jacobian(q, K, V, wrong={name}) - right) @ (2 * step) for name in BY_CHANGES]
        if np.abs(gaps).max(axis=1).min() > 2e-7:
            return q, K, V, step


def tells_small_changes(call, rng):
    q, K, V, step = small_change(rng)
    before, after = (softmax(K @ query / np.sqrt(5)) @ V for query in (q - step, q + step))
    told = call(q, K, V) @ (2 * step)
    return (
        None
        if np.abs(told - (after - before)).max() < 1e-7
        else "a small step of the query moves the context otherwise"
    )


def shift_is_free(call, rng):
    q, K, V = matrix(rng, 5), matrix(rng, 7, 5), matrix(rng, 7, 3, scale=2.0)
    moved = call(q, K + 3.0 * matrix(rng, 5), V + 5.0)
    return None if np.abs(moved - call(q, K, V)).max() < 1e-4 else "the same added to all keys, or values, changes it"


def high_scores(rng):
    """Scores whose exponentials overflow, with the differences of any others; `float32` holds them without rounding."""
    q, K, V = 0.75 * rng.integers(-4, 5, size=9), rng.integers(-4, 5, size=(5, 9)) / 4, matrix(rng, 5, 3, scale=2.0)
    high = int(rng.integers(9))
    q[high], K[:, high] = 2250.0, 1.0
    return {"q": q, "K": K, "V": V}


#: Mistakes of the exercise before, made on the way.
IN_THE_SOFTMAX = {
    "inner-product", "row-broadcast", "row-broadcast-down", "rest-everywhere", "rest-everywhere-by-columns",
}  # fmt: skip
SCALES = ("no-scale", "outer-times-root", "inner-scale-missing", "outer-scale-missing", "by-d_k", "by-half-d_k")
UNLIKE = (*SCALES, "by-sqrt-keys", "by-sqrt-d_v", "outer-by-sqrt-keys", "outer-by-sqrt-d_v")


#: Steps of a query that is not set back: the sizes that people take.
PILED_UP = {f"steps-pile-up-{place}": 10.0**-place for place in range(1, 7)}


def _measured(q, K, V, wrong):
    """The derivatives by finite steps; None without such a switch."""

    def context(query):
        return softmax(K @ query / np.sqrt(K.shape[-1])) @ V

    for name, step in PILED_UP.items():
        if name in wrong:
            moved = q + step * np.tri(len(q))  # in row j, all numbers up to j have been moved
            return np.array([(context(query) - context(q)) / step for query in moved]).T
    return measured(context, q, wrong)


@function(
    points=4,
    returns="jacobian",
    cases=(
        Case(
            "three keys of two numbers, values of five",
            arrays(tenths, q=(2,), K=(3, 2), V=(3, 5)),
            0.25,
            telling=(*UNLIKE, "mean-left-in", "mean-part-only", "diagonal-only", "equal-weights", "sample-covariance"),
        ),
        Case("seven keys of five numbers, values of three", arrays(q=(5,), K=(7, 5), V=(7, 3)), 0.15, telling=UNLIKE),
        Case("as many keys as numbers in keys and values", arrays(q=(5,), K=(5, 5), V=(5, 5)), 0.15, telling=SCALES),
        Case("scores near 750", high_scores, 0.05, telling=UNLIKE),
        Case("the example of the task", example(q=np.zeros(2), K=np.eye(2), V=np.array([[10.0], [20.0]])), 0.05),
    ),
    properties=(
        Property("it tells what a small change of the query does", tells_small_changes, 0.15),
        Property("the same added to all keys, and to all values, changes nothing", shift_is_free, 0.1),
    ),
    mistakes="""
    no-scale: the root of d_k is missing everywhere -> The context of this notebook comes from scores that were divided
        before the softmax. -> Find both places where the root belongs: the scores, and what a query does to a score.
    inner-scale-missing: your weights come from scores that were not divided -> They are the weights of another
        attention, a more decided one. -> Compute the weights as your own attention does.
    outer-scale-missing: the weights are right, but the last factor is missing -> A query moves a *divided* score: a
        step of the query counts only by its share. -> Ask how one score answers the query, and compare with the key.
    outer-by-sqrt-keys: the weights are right, but the last factor is of the number of keys -> A query moves a score by
        a share that d_k decides; how many keys there are plays no part in it. -> Ask how one score answers the query.
    outer-by-sqrt-d_v: the weights are right, but the last factor is of the width of the values -> A query moves a score
        by a share that d_k decides; the values play no part in it. -> Ask how one score answers the query.
    outer-times-root: the weights are right, but at the end you multiply by the root instead of dividing -> A query
        moves a *divided* score: a step of the query counts only by its share. -> Divide.
    by-d_k: you divided by d_k, not by its root -> The scores were divided by the root before the softmax, and what the
        query does to a score is divided by the root as well: by d_k neither. -> Take the root in both places.
    scaled-twice: the result is divided by the root once too often -> The scores were divided once: a step of the query
        loses that factor once. -> Go along the chain: query, score, weight, context.
    mean-left-in: nothing was taken off: you have the weighted mean of the products of values and keys -> When one
        weight grows, the others shrink; this part is missing. -> Look at what `softmax_jacobian` takes off its
        diagonal.
    row-as-matrix: you gave `softmax_jacobian` the weights as a matrix of one row -> An attention of one query has
        weights of shape (1, n). `np.diag` takes the diagonal of a matrix instead of making one, so that a single number
        is left of it. -> `softmax_jacobian` takes a flat row: `weights[0]`.
    inner-product
    row-broadcast
    row-broadcast-down
    rest-everywhere
    rest-everywhere-by-columns
    mean-of-rows-off: you take off each value the mean of its own numbers -> What is taken off the values is the
        context: for each number of a value, the mean of that number over all keys. -> Along which axis are the keys?
        And does each count by its weight?
    weights-on-both: the weights are in both factors, on the values and on the keys -> Each product of a value and a key
        counts by its weight, once; so it counts by the square. -> Leave the weights in one of the two factors.
    last-key-missing: the last key is missing from your sum, though the means are right -> The end of a `range` is not
        included. -> Let your loop go over all keys.
    last-key-missing-centred: the last key is missing from your sum, though the means are right -> The end of a `range`
        is not included. -> Let your loop go over all keys.
    last-key-only: only the last key's product is left -> `=` in a loop overwrites what was there; `+=` adds to it. ->
        Add up in the loop.
    last-key-only-centred: only the last key's product is left -> `=` in a loop overwrites what was there; `+=` adds to
        it. -> Add up in the loop.
    half-divided: only what you take off is divided by the root -> In `a - b / c` the division comes before the
        subtraction. -> Put the difference into parentheses before you divide.
    weights-of-a-column: your softmax runs along an axis of length 1: each weight is 1 -> A softmax of a single score is
        1, whatever the score; a column `scores[:, None]` has one in each row. -> Take the softmax of a row:
        `scores[None]`.
    diagonal-only: you used p (1 - p) alone -> A higher score of one key takes weight from all others, and their values
        lose. -> Use the whole matrix of `softmax_jacobian`.
    of-scores: you gave the scores to the Jacobian -> `softmax_jacobian` expects a row of weights: positive numbers that
        sum to 1. -> Take the softmax of the scores first.
    no-maximum
    softmax-twice: a softmax is taken twice -> `softmax_jacobian` takes weights as they are; a second softmax flattens
        them. -> Take one softmax, of the scores.
    transposed: rows and columns have changed places -> Row i is for number i of the context, column j for number j of
        the query. -> Look at the shape that the task names.
    of-weights: you stopped at the weights: how each of *them* answers the query -> The context is a mixture of values;
        one step of the chain is missing. -> Which number of the context does a weight move, and how much?
    of-score: you stopped before the query: how the context answers each *score* -> A score is a product of query and
        key; one step of the chain is missing. -> How does a score answer the query?
    of-score-divided: you stopped before the query: how the context answers each *score*, divided by the root -> A score
        is a product of query and key, divided by the root; the keys are still missing. -> How does a score answer the
        query?
    by-sqrt-keys
    by-sqrt-d_v
    by-half-d_k
    means-without-weights: you take off plain means of values and keys -> What is taken off counts each of them by its
        weight, as the context does. -> Replace the plain means by weighted ones.
    sum-without-weights: the weights of the query are missing in your sum -> A key without weight has no say in it. ->
        Each product counts by its weight.
    mean-without-weights: the weights of the query are missing in your mean -> A key without weight has no say in it. ->
        Each product counts by its weight.
    step-of-a-tenth
    step-of-a-thousandth
    step-of-a-ten-thousandth
    both-sides-a-hundredth
    mean-part-only: you have only what is taken off, the product of the two means -> Taken off from what? When a key's
        weight grows, its own value gains. -> Look at what stands on the diagonal of `softmax_jacobian`.
    weights-in-twice: the weights are in your product once too often -> `softmax_jacobian` knows them already: it says
        how much of each weight a score moves. -> Multiply it by the values as they are.
    equal-weights: all keys weigh the same in your result -> The weights decide which values and keys count. -> Let the
        weights of this query in.
    sample-covariance: all numbers are too large by the same factor -> `np.cov` divides by less than the sum of the
        weights unless told otherwise, as for a sample of a larger population. -> Here the weights are all there is:
        `ddof=0`.
    keys-mixed: keys stand where the values belong -> The context is a mixture of values. -> Let V in.
    sign: all signs are turned round -> Where a query comes closer to a key, that key's value gains. -> Look for the
        minus that went astray.
    steps-pile-up-1: you measure with a step of 0.1, and the numbers that you moved stay moved -> From the second number
        on, the query of the rounds before is still in it. -> Copy the query afresh for each number; or better, use the
        formula.
    steps-pile-up-2: you measure with a step of 0.01, and the numbers that you moved stay moved -> From the second
        number on, the query of the rounds before is still in it. -> Copy the query afresh for each number; or better,
        use the formula.
    steps-pile-up-3: you measure with a step of 0.001, and the numbers that you moved stay moved -> From the second
        number on, the query of the rounds before is still in it. -> Copy the query afresh for each number; or better,
        use the formula.
    steps-pile-up-4: you measure with a step of 0.0001, and the numbers that you moved stay moved -> From the second
        number on, the query of the rounds before is still in it. -> Copy the query afresh for each number; or better,
        use the formula.
    steps-pile-up-5: you measure with a step of 0.00001, and the numbers that you moved stay moved -> From the second
        number on, the query of the rounds before is still in it. -> Copy the query afresh for each number; or better,
        use the formula.
    steps-pile-up-6: you measure with a step of 0.000001, and the numbers that you moved stay moved -> From the second
        number on, the query of the rounds before is still in it. -> Copy the query afresh for each number; or better,
        use the formula.
    """,
)
def context_jacobian(q, K, V, wrong=frozenset()):
    """How the context answers its query, with the mistakes that people make as switches."""
    q, K, V = (np.asarray(array, dtype=float) for array in (q, K, V))
    n, d_k = K.shape
    root = np.sqrt(d_k)
    by_steps = _measured(q, K, V, wrong)
    if by_steps is not None:
        return by_steps
    others = {"by-sqrt-keys": np.sqrt(n), "by-sqrt-d_v": np.sqrt(V.shape[-1]), "by-half-d_k": d_k / 2}
    inner = slip(wrong, {"no-scale": 1.0, "inner-scale-missing": 1.0, "by-d_k": d_k} | others, root)
    slips = {"no-scale": 1.0, "outer-scale-missing": 1.0, "by-d_k": d_k, "scaled-twice": d_k} | others
    slips |= {"outer-by-sqrt-keys": np.sqrt(n), "outer-by-sqrt-d_v": np.sqrt(V.shape[-1]), "outer-times-root": 1 / root}
    outer = slip(wrong, slips, root)
    scores = K @ q / inner
    slips = {"of-scores": scores, "equal-weights": np.full(n, 1 / n), "weights-of-a-column": np.ones(n)}
    p = slip(wrong, slips, weigh(scores, wrong & {"no-maximum"}))
    if "softmax-twice" in wrong:
        p = softmax(p)
    slips = {"mean-left-in": np.diag(p), "row-as-matrix": p[0] - np.outer(p, p), "diagonal-only": np.diag(p * (1 - p))}
    slips |= {"half-divided": outer * np.diag(p) - np.outer(p, p)}
    moves = slip(wrong, slips, softmax_jacobian(p, wrong & IN_THE_SOFTMAX)) / outer  # of each weight for each score
    if "of-weights" in wrong:
        return moves @ K
    if wrong & {"of-score", "of-score-divided"}:
        return V.T @ moves * (outer if "of-score" in wrong else 1.0)
    centred = (V - V.mean(axis=0), K - K.mean(axis=0)), (V - p @ V, K - p @ K)
    slips = {
        "means-without-weights": (p[:, None] * centred[0][0]).T @ centred[0][1] / outer,
        "sum-without-weights": centred[1][0].T @ centred[1][1] / outer,
        "mean-without-weights": centred[1][0].T @ centred[1][1] / outer / n,
        "mean-of-rows-off": (p[:, None] * (V - V.mean(axis=1, keepdims=True))).T @ K / outer,
        "weights-on-both": (p[:, None] * centred[1][0]).T @ (p[:, None] * centred[1][1]) / outer,
        "last-key-missing": (p[:-1, None] * centred[1][0][:-1]).T @ K[:-1] / outer,
        "last-key-missing-centred": (p[:-1, None] * centred[1][0][:-1]).T @ centred[1][1][:-1] / outer,
        "last-key-only": p[-1] * np.outer(centred[1][0][-1], K[-1]) / outer,
        "last-key-only-centred": p[-1] * np.outer(centred[1][0][-1], centred[1][1][-1]) / outer,
    }
    if found := wrong & set(slips):
        return slips[next(iter(found))]
    if "mean-part-only" in wrong:
        return -np.outer(p @ V, p @ K) / outer
    mixed = slip(wrong, {"keys-mixed": K, "weights-in-twice": V * p[:, None]}, V)
    jacobian = mixed.T @ moves @ K
    if "sample-covariance" in wrong:
        jacobian = jacobian / (1 - p @ p)
    if "sign" in wrong:
        jacobian = -jacobian
    return jacobian.T if "transposed" in wrong else jacobian
