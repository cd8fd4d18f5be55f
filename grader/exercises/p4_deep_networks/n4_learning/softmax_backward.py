import numpy as np

from grader.exercises.inputs import example, matrix
from grader.exercises.kinds import Case, Property, function
from grader.exercises.p4_deep_networks.n4_learning.shared import single
from grader.exercises.stages import slip, softmax


def rows(*shape):
    def make(rng):
        return {"weights": softmax(matrix(rng, *shape)), "d_weights": matrix(rng, *shape)}

    return make


def rows_in_single_precision(rng):
    weights = (1 + rng.multinomial(53, np.full(11, 1 / 11), size=3)) / 64
    return {"weights": weights.astype(np.float32), "d_weights": single(rng, 3, 11)}


def rows_sum_to_zero(call, rng):
    total = call(*rows(7, 5)(rng).values()).sum(axis=-1)
    worst = total[np.abs(total).argmax()]
    return None if abs(worst) < 1e-4 else f"a row of the result sums to {worst:.4g}"


def the_same_for_all_moves_nothing(call, rng):
    weights = softmax(matrix(rng, 3, 7))
    moved = np.abs(call(weights, np.full((3, 7), float(rng.uniform(1, 2))))).max()
    words = f"where the loss minds all weights of a row alike, a score still moves it by {moved:.3g}"
    return None if moved < 1e-6 else words


@function(
    points=3,
    returns="d_scores",
    cases=(
        Case("one row of three weights", rows(3), 0.2),
        Case("two rows of five", rows(2, 5), 0.2),
        Case("a square of five by five", rows(5, 5), 0.1),
        Case("three axes, 2 by 3 by 7", rows(2, 3, 7), 0.1),
        Case("in single precision", rows_in_single_precision, 0.05),
        Case("the example of the task", example(weights=np.array([0.5, 0.5]), d_weights=np.array([0.0, -0.5])), 0.05),
    ),
    properties=(
        Property("each row sums to 0: the same added to all scores moves no weight", rows_sum_to_zero, 0.1),
        Property("where all weights matter alike, nothing moves", the_same_for_all_moves_nothing, 0.1),
    ),
    mistakes="""
    jacobian-forgotten: you hand the gradient of the weights on as that of the scores -> Between the two stands a
        softmax: a score that rises takes weight from all the others. A head trains with this all the same, and that is
        why only a check tells. -> Take it back through the softmax's Jacobian first.
    first-term-only: you multiply weights and gradient, and take nothing off -> A score that rises takes weight from all
        the others, and that is missing: a row of the result must sum to 0. -> Take off each weight's own share of the
        weighted mean of the row.
    diagonal-only: of the softmax's Jacobian you take the diagonal alone, w (1 - w) -> That is what a score does to its
        own weight. What it takes from the others is missing, and the rows no longer sum to 0. -> Take off the weighted
        mean of the row, too.
    sign-turned
    plus: the two terms are added -> What one score gains for its own weight it takes from the others: a row of the
        result sums to 0. -> Subtract.
    column-sums: you sum over the first axis, which holds a row's numbers only where there is a single row -> `x[j]` is
        a number of a vector, and a whole row of a matrix; with `axis=0`, too, a sum runs down the columns. Each row is
        a softmax of its own. -> Sum along the last axis: `axis=-1, keepdims=True`.
    first-axis-looped: you take what the first axis holds for a row, each by itself: a single number, where there is one
        row only, and a whole matrix, where there are three axes -> A loop over an array goes over its first axis. A row
        lies along the last one, whatever comes before it. -> Without a loop, `axis=-1, keepdims=True` does for all.
    numbers-for-rows: where there is one row only, you take each of its numbers for a row -> A loop over an array goes
        over its first axis, and a single row has no other. -> Without a loop, `axis=-1, keepdims=True` does for one row
        as for many.
    whole-sum: you sum over the whole array -> Each row is a softmax of its own; rows know nothing of each other. ->
        Give the sum an axis: `axis=-1, keepdims=True`.
    no-keepdims: the sum has lost its axis -> A sum of shape (n,) is spread over the columns, not over the rows; where
        n fits by chance NumPy says nothing. -> `keepdims=True`.
    plain-sum: you take off the sum of the gradient, not weighted -> What matters is what the weights make of it: a
        weight of 0 has no say. -> Multiply by the weights before you add up.
    weights-alone-summed: what you take off is the sum of the weights, which is 1 in every row -> A score that rises
        takes from the others what *their gradients* are worth: the gradient has to be in that sum. -> Multiply weights
        and gradient before you add up.
    plain-mean: you take off the plain mean of the gradient -> What matters is the mean that the weights make: a weight
        of 0 has no say. -> Multiply by the weights, then add up.
    weighted-mean-again: you take the mean of the products where their sum belongs -> The weights sum to 1, so the
        weighted mean is the sum of the products. -> `sum`, not `mean`.
    largest-off: you take off the largest gradient of the row -> A score gains or loses against what
        the row has anyway, and that is the mean that the weights make. -> Multiply by the weights, then add up.
    columns-of-matrices: you sum over the last axis but one -> In a matrix, and in each matrix of a batch, that runs
        down the columns. Each row is a softmax of its own. -> Sum along the last axis: `axis=-1, keepdims=True`.
    factor-missing: the weights in front of the bracket are missing -> A weight near 0 hardly moves, whatever its score
        does. -> Multiply by the weights at the end.
    mean-not-weighted: the weights stand before the gradient, but not before the mean that is taken off -> What is taken
        off a weight is its own share of the mean: a row of the result sums to 0. -> First take the mean off the
        gradient, then multiply the difference by the weights.
    weights-squared: the weights come in once too often -> In the sum each weight stands once, and once in front of the
        bracket. -> Count them.
    identity-for-diagonal: in the softmax's Jacobian you have ones on the diagonal, where the weights belong -> A weight
        near 0 hardly moves, whatever its score does. -> The first of the two terms has the weights on its diagonal.
    log-softmax: you take off the weights times the sum of the gradient -> That is the way back through the *logarithm*
        of a softmax. -> Take the weighted mean off, and multiply by the weights.
    squares-summed: what you take off is the sum of the squares of the weights -> A score that rises takes from the
        others what *their gradients* are worth. -> Multiply weights and gradient before you add up.
    squares-times-sum: what you take off is the square of each weight, times the sum of the gradient -> What it takes
        from another weight is the product of *two* weights. -> Multiply weights and gradient before you add up.
    two-derivatives: you multiply by w (1 - w), and take the weighted mean off besides -> Both say what a score does to
        the others: it is taken off twice. -> Multiply by the weights alone.
    itself-left-out: what you take off is the sum over the other places -> Each weight has its own share in the mean as
        well. -> Sum over the whole row.
    first-place-left-out: the first place is missing in your sum -> It has its share in the mean as every other. ->
        Begin with 0.
    running-mean: what you take off is a sum that has not come to its end -> In a loop that adds up, the sum is there
        only after the last round. -> First the whole sum, then the differences.
    divided-by-places: you divide by the number of places -> The weights sum to 1: the sum of the products is the mean
        already. -> Leave it out.
    softmax-again: you take the softmax of the weights -> They came out of a softmax already. -> Use them as they come.
    """,
)
def softmax_backward(weights, d_weights, wrong=frozenset()):
    """The way back through a softmax, with mistakes as switches."""
    weights, d_weights = np.asarray(weights, dtype=float), np.asarray(d_weights, dtype=float)
    if "softmax-again" in wrong:
        weights = softmax(weights)
    told = weights * d_weights
    forgotten = {
        "jacobian-forgotten": d_weights,
        "first-term-only": told,
        "diagonal-only": weights * (1 - weights) * d_weights,
    }
    mean = slip(
        wrong,
        {
            "column-sums": lambda: told.sum(axis=0, keepdims=True) if told.ndim > 1 else told.sum(),
            "first-axis-looped": lambda: told.sum(axis=tuple(range(1, told.ndim)), keepdims=True),
            "numbers-for-rows": lambda: told if told.ndim == 1 else told.sum(axis=-1, keepdims=True),
            "whole-sum": lambda: told.sum(),
            "no-keepdims": lambda: told.sum(axis=-1),
            "plain-sum": lambda: d_weights.sum(axis=-1, keepdims=True),
            "weights-alone-summed": lambda: weights.sum(axis=-1, keepdims=True),
            "plain-mean": lambda: d_weights.mean(axis=-1, keepdims=True),
            "weighted-mean-again": lambda: told.mean(axis=-1, keepdims=True),
            "largest-off": lambda: d_weights.max(axis=-1, keepdims=True),
            "columns-of-matrices": lambda: told.sum(axis=-2, keepdims=True) if told.ndim > 1 else told.sum(),
            "squares-summed": lambda: (weights**2).sum(axis=-1, keepdims=True),
            "itself-left-out": lambda: told.sum(axis=-1, keepdims=True) - told,
            "first-place-left-out": lambda: told[..., 1:].sum(axis=-1, keepdims=True),
            "running-mean": lambda: told.cumsum(axis=-1),
            "weights-squared": lambda: (weights * told).sum(axis=-1, keepdims=True),
        },
        lambda: told.sum(axis=-1, keepdims=True),
    )()
    if "mean-not-weighted" in wrong:
        return told - mean
    inside = d_weights + mean if "plus" in wrong else d_weights - mean
    total = d_weights.sum(axis=-1, keepdims=True)
    forgotten |= {
        "identity-for-diagonal": d_weights - weights * mean,
        "log-softmax": d_weights - weights * total,
        "squares-times-sum": told - weights**2 * total,
        "two-derivatives": weights * (1 - weights) * inside,
        "divided-by-places": weights * inside / weights.shape[-1],
    }
    d_scores = slip(wrong, forgotten, inside if "factor-missing" in wrong else weights * inside)
    return -d_scores if "sign-turned" in wrong else d_scores
