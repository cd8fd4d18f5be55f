import numpy as np

from grader.exercises.inputs import example, matrix, tenths
from grader.exercises.kinds import Case, function
from grader.exercises.stages import slip


def parts_of(n, d, draw=matrix):
    """Weights that sum to 1, none near another, and vectors; the largest weight is neither first nor last."""

    def make(rng):
        weights = rng.permutation(np.arange(1.0, n + 1))
        largest, middle = weights.argmax(), n // 2
        weights[[largest, middle]] = weights[[middle, largest]]
        return {"weights": weights / weights.sum(), "X": draw(rng, n, d)}

    return make


@function(
    points=2,
    returns="context",
    cases=(
        Case("three tokens, two numbers each", parts_of(3, 2, tenths), 0.35),
        Case("seven tokens, five numbers each", parts_of(7, 5), 0.3),
        Case("five tokens, five numbers each", parts_of(5, 5), 0.2),
        Case(
            "the example of the task",
            example(weights=np.array([0.25, 0.75]), X=np.array([[4.0, 0.0, 8.0], [0.0, 4.0, 4.0]])),
            0.05,
        ),
    ),
    mistakes="""
    plain-sum: you add the vectors up without the weights -> Then every token counts fully. -> Multiply each vector by
        its weight before you add.
    uniform: you take the plain mean of the vectors -> Then the weights say nothing, and every token that asks gets the
        same. -> Multiply each vector by its weight, and add.
    averaged-again: you divide by the number of tokens as well -> The weights sum to 1 already: the weighted sum is an
        average. A `mean` divides once more. -> Add up, and leave it at that.
    not-summed: you weight the vectors, but do not add them up -> The blend is one vector: the sum of the weighted ones.
        -> Add them up over the tokens.
    summed-across: you add up along the wrong axis -> That adds the numbers inside each vector, and leaves one number
        for each token. -> The tokens should disappear: `axis=0`.
    all-summed: you add up everything into one number -> The blend has as many numbers as a token. -> Add up over the
        tokens only: `axis=0`.
    across-columns: the weights are spread over the columns instead of the rows -> `weights * X` lines the weights up
        with the last axis. That fails unless X has as many rows as columns, and then it is silently wrong. -> Weight j
        belongs to row j: give the weights a second axis, `weights[:, None]`, or take one row at a time.
    vectors-first: you multiply by the weights from the wrong side -> `X @ weights` needs as many weights as X has
        columns. That fails unless X is square, and then weight j meets column j. -> Weight j belongs to row j: put the
        weights on the side of the rows.
    best-only: you return the vector with the largest weight -> The others have their share too. -> Add up all the
        weighted vectors.
    largest-term: you return the vector with the largest weight, times that weight -> The others have their share too.
        -> Add up all the weighted vectors.
    first-term: you return the first weighted vector only -> A `return` inside a loop ends the function in its first
        round. -> Return after the loop.
    first-twice: your sum begins with the first vector, unweighted -> It is then added once more than its weight says.
        -> Begin with zeros, or with the first vector times its weight.
    first-unweighted: the first vector is added without its weight -> Each comes with its own share: without it the
        first one counts in full. -> Begin with zeros, or with the first vector times its weight.
    sum-weighted-again: each weight multiplies all that is added up so far -> The first vectors are multiplied by all
        the later weights as well. -> Multiply the new vector only, and add it to the sum.
    last-term: you return the last weighted vector only -> `=` in a loop overwrites what was there; `+=` adds to it. ->
        Add up in the loop.
    last-left-out: the last token is missing -> `range(n - 1)` and `[:-1]` end before the last. -> Let the loop run over
        all tokens.
    first-left-out: the first token is missing -> Places are counted from 0. -> Let the loop begin with the first row.
    reversed: weights and vectors are in opposite order -> Weight j belongs to row j. -> Match the first weight with the
        first row.
    """,
)
def blend(weights, X, wrong=frozenset()):
    """The weighted average of the tokens, with the mistakes that people make as switches."""
    weights, X = np.asarray(weights, dtype=float), np.asarray(X, dtype=float)
    weighted = weights[:, None] * X
    slips = {
        "plain-sum": lambda: X.sum(axis=0),
        "uniform": lambda: X.mean(axis=0),
        "averaged-again": lambda: weighted.mean(axis=0),
        "not-summed": lambda: weighted,
        "summed-across": lambda: weighted.sum(axis=1),
        "all-summed": lambda: weighted.sum(),
        "across-columns": lambda: (weights * X).sum(axis=0),
        "vectors-first": lambda: X @ weights,
        "best-only": lambda: X[weights.argmax()],
        "largest-term": lambda: weighted[weights.argmax()],
        "first-term": lambda: weighted[0],
        "first-twice": lambda: X[0] + weights @ X,
        "first-unweighted": lambda: X[0] + weights[1:] @ X[1:],
        "sum-weighted-again": lambda: np.cumprod(weights[::-1])[::-1] @ X,
        "last-term": lambda: weighted[-1],
        "last-left-out": lambda: weighted[:-1].sum(axis=0),
        "first-left-out": lambda: weighted[1:].sum(axis=0),
        "reversed": lambda: weights[::-1] @ X,
    }
    return slip(wrong, slips, lambda: weights @ X)()
