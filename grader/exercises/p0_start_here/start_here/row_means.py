import numpy as np

from grader.exercises.inputs import arrays, example, tenths
from grader.exercises.kinds import Case, function
from grader.exercises.stages import averaged, slip


@function(
    points=2,
    task="mend `row_means(X)`",
    returns="means",
    cases=(
        Case(
            "a small matrix, 2 x 3",
            arrays(tenths, X=(2, 3)),
            0.35,
            telling=("sum", "wrong-count", "median", "last-divided", "last-overwrites"),
        ),
        Case("a larger matrix, 7 x 5", arrays(X=(7, 5)), 0.3),
        Case("a square matrix, 5 x 5", arrays(X=(5, 5)), 0.2),
        Case("the example of the task", example(X=np.array([[1.0, 2, 3, 6], [4, 0, 4, 0], [5, 5, 5, 5]])), 0.05),
    ),
    mistakes="""
    columns: you averaged down the columns of X -> Axis 0 runs down, from row to row, so it is the rows that disappear:
        you get one mean for each column. Each token is a row, and a mean for each token is asked. -> Name the axis that
        should disappear. The shape goes from (n, d) to (n,), so it is the second one; NumPy counts axes from 0.
    columns-by-width: you add down the columns, and divide by their number -> Axis 0 runs down, from row to row: you get
        one number for each column, mixed from all tokens. -> Add along each row: name the axis that should disappear,
        the second one. NumPy counts axes from 0.
    whole-matrix: you averaged over the whole matrix at once -> Without an axis, `mean` mixes all rows into a single
        number. -> Give `mean` the axis that should disappear.
    sum: you added each row up, but did not divide -> A sum grows with the number of columns; a mean does not. -> Divide
        by the number of entries in a row, or let `mean` do both.
    wrong-count: you divide by the number of rows -> A row of shape (d,) has d entries; how many rows there are makes no
        difference to its mean. -> Divide by `X.shape[1]`, the number of columns.
    median: you took the median of each row -> The median is the middle entry; the mean weighs every entry equally. ->
        Use `mean`.
    first-twice
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
    """,
)
def row_means(X, wrong=frozenset()):
    """The mean of each row, with the mistakes that people make as switches."""
    X = np.asarray(X, dtype=float)
    slips = {
        "columns": lambda: X.mean(axis=0),
        "columns-by-width": lambda: X.sum(axis=0) / X.shape[1],
        "whole-matrix": lambda: X.mean(),
        "sum": lambda: X.sum(axis=1),
        "wrong-count": lambda: X.sum(axis=1) / len(X),
        "median": lambda: np.median(X, axis=1),
    }
    return slip(wrong, slips, lambda: averaged(X.T, wrong))()
