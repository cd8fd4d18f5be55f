import numpy as np

from grader.exercises.inputs import arrays, example, integers, tenths
from grader.exercises.kinds import Case, Property, function
from grader.exercises.properties import order_is_free
from grader.exercises.stages import averaged, slip

MEAN_SLIPS = ("sum", "divided-by-width", "divided-by-n-less-one", "median", "largest", "unit-length")


def a_token_again(rng):
    """Two tokens of which each comes more than once: their rows are equal, and each of them counts."""
    X = rng.normal(size=(11, 5))
    X[4] = X[1]
    X[[6, 9]] = X[2]
    return {"X": X}


@function(
    points=2,
    returns="mean",
    cases=(
        Case("three tokens, 3 x 2", arrays(tenths, X=(3, 2)), 0.3, telling=MEAN_SLIPS),
        Case("a longer sentence, 11 x 5, in which tokens come again", a_token_again, 0.15, telling=("equal-once",)),
        Case("as many tokens as numbers, 5 x 5", arrays(X=(5, 5)), 0.2),
        Case("whole numbers", arrays(integers(-4, 5), X=(7, 3)), 0.1, telling=MEAN_SLIPS),
        Case("the example of the task", example(X=np.array([[0.0, 2.0], [1.0, 4.0], [2.0, 9.0]])), 0.05),
    ),
    properties=(
        Property(
            "the order of the tokens does not matter",
            order_is_free(arrays(X=(7, 3)), "X", "in another order a number moves by {gap}"),
            0.1,
        ),
    ),
    mistakes="""
    other-axis: you average along each row -> That gives one number for each token: the mean of numbers that have
        nothing to do with each other. -> Average over the tokens, which are the rows: the axis that has to vanish is
        axis 0.
    whole-matrix: you average all numbers of the matrix -> `np.mean` without an axis gives a single number. The mean of
        vectors is a vector. -> Say which axis to average over.
    sum: you return the sum, not the mean -> A longer sentence would get a longer vector, whatever it says. -> Divide by
        the number of tokens.
    divided-by-width: you divide by the length of a vector instead of the number of tokens -> `X.shape` is (n, d): n
        tokens are averaged, so n divides. -> The number of tokens is the number of rows.
    median: you take the median instead of the mean -> The median is the number in the middle; most of the others have
        no say in it. -> Add up and divide.
    equal-once: you count equal rows only once -> A token that comes three times has three rows, and weighs three
        times as much. -> Average all rows, equal or not.
    unit-length: you scale the mean to length 1 -> The direction is right, but the length is part of the mean. -> Leave
        the mean as it is.
    for-every-token: you return the mean once for each token -> All rows are equal, which is just what an average can
        say: the same to everyone. One copy is asked for. -> Return the vector itself, of shape (d,).
    centred: you take the mean off each row, and return the rows -> That moves the sentence to the origin; the mean
        itself is asked for. -> Return what you took off.
    first-twice
    first-undivided: you divide all rows but the first -> In `a + b / n` the division comes before the sum. -> Put the
        whole sum in brackets before you divide.
    first-missed
    last-missed
    last-divided
    middle-of-extremes
    ends-only
    halving
    halving-from-zero
    first-round-only
    last-overwrites
    divided-each-round
    divided-by-n-less-one
    divided-by-n-plus-one
    largest
    smallest
    root-mean-square
    always-three
    always-four
    three-by-hand: you add up three rows, and divide only the last of them by 3 -> A sentence can have any number of
        tokens, and in `a + b / 3` the division comes before the sum. -> Add up all the rows there are, and divide the
        whole sum by their number.
    """,
)
def mean_embedding(X, wrong=frozenset()):
    """The mean of the rows, with the mistakes that people make as switches."""
    X = np.asarray(X, dtype=float)
    n, d = X.shape
    sums = X.sum(axis=0)
    mean = slip(
        wrong,
        {"sum": sums, "divided-by-width": sums / d, "first-undivided": X[0] + (sums - X[0]) / n},
        averaged(X, wrong),
    )
    slips = {
        "other-axis": lambda: X.mean(axis=1),
        "whole-matrix": lambda: X.mean(),
        "median": lambda: np.median(X, axis=0),
        "equal-once": lambda: np.unique(X, axis=0).mean(axis=0),
        "unit-length": lambda: mean / np.linalg.norm(mean),
        "centred": lambda: X - mean,
        "for-every-token": lambda: np.tile(mean, (n, 1)),
    }
    return slip(wrong, slips, lambda: mean)()
