import numpy as np

from grader.exercises.inputs import point
from grader.exercises.kinds import Property, search

RATIO_KEYS = np.array([[1.0, 0.0], [0.0, 1.0], [1.0, 1.0]])


def sum_is_zero(query):
    total = (RATIO_KEYS @ query).sum()
    # As far from zero as the query is: of one as faint as 1e-310, everything would be near.
    size = np.abs(query).max()
    if not size or abs((RATIO_KEYS @ (query / size)).sum()) <= 1e-9:
        return None
    return f"the scores are {RATIO_KEYS @ query}, their sum is {total:g}"


def not_all_zero(query):
    return None if np.abs(query).max() > 0 else "all scores are zero: this query asks nothing"


@search(
    points=2,
    task="find a query whose scores sum to zero but are not all zero",
    properties=(
        Property("the query is not zero", not_all_zero, 0.0),
        Property("the scores sum to zero", sum_is_zero, 1.0),
    ),
    shows={
        "zero-query": lambda query: not query.any(),
        "along-the-sum": lambda query: bool(np.isclose(*query)),
        "one-score": lambda query: bool(np.isclose(RATIO_KEYS @ query, 0).any()),
        "same-sign": lambda query: bool(query[0] * query[1] > 0),
        "out-of-balance": lambda query: bool(query[0] * query[1] < 0) and sum_is_zero(query) is not None,
    },
    mistakes="""
    zero-query: you chose the zero vector -> Its scores are all zero, and the task asks for scores that are not: who
        asks nothing may get any answer. -> Look for two numbers that are not zero, but balance each other.
    along-the-sum: your two numbers are equal, so that the query points along the sum of the keys, or straight away from
        it -> In that direction the sum of the scores is as far from zero as it gets. -> Turn the query by a right
        angle.
    one-score: you made one score zero instead of their sum -> The ratio divides by the sum of all three scores; a
        single zero does no harm. -> Add the three scores, and make that sum zero.
    same-sign: both numbers of your query have the same sign -> Then all three scores have that sign, and nothing
        cancels. -> One number must outweigh the other.
    out-of-balance: your two numbers have opposite signs, but do not balance each other -> The scores are the first
        number, the second, and their sum: add up these three. -> How often is each number in that total?
    """,
)
def breaking_query(value):
    """The learner's query as an array of shape (2,); raises ValueError in words."""
    return point(value, 2, wanted="two numbers, such as [1.0, 1.0]")
