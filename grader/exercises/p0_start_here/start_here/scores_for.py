import numpy as np

from grader.exercises.inputs import arrays, example, tenths
from grader.exercises.kinds import Case, function
from grader.exercises.stages import slip


@function(
    points=2,
    returns="scores",
    cases=(
        Case("three tokens, two numbers each", arrays(tenths, q=(2,), X=(3, 2)), 0.35),
        Case("seven tokens, five numbers each", arrays(q=(5,), X=(7, 5)), 0.3),
        Case("five tokens, five numbers each", arrays(q=(5,), X=(5, 5)), 0.2),
        Case(
            "the example of the task",
            example(q=np.array([1.0, 1.0]), X=np.array([[1.0, 1.0], [0.0, 0.0], [3.0, 0.0]])),
            0.05,
        ),
    ),
    mistakes="""
    columns-scored: you multiply q from the other side -> `q @ X` meets the columns of X. That fails unless X has as
        many rows as columns, and then it is silently wrong. -> A token is a row of X. Each row has to meet q; for three
        rows that makes three scores.
    not-summed: you multiply, but do not add up -> Each token then has as many numbers as before. A score is one number:
        the sum of its products. -> Add the products up along the row.
    summed-down: you add the products up down the columns -> That mixes different tokens, and leaves a number for each
        column. -> Add up along each row: `axis=1` is the axis that should disappear.
    all-summed: you add up everything into one number -> Every token has a score of its own. -> Add up the products of
        one row at a time.
    first-two: only the first two numbers of each token count -> Two is what the tokens of the example have; real ones
        have hundreds. -> Go over all the numbers of q, however many there are.
    first-only: only the first number of each token counts -> A `return` or an index too many ends the sum after one
        product. -> Go over all the numbers, and return after the loop.
    last-only: only the last number of each token counts -> `=` in a loop overwrites what was there; `+=` adds to it. ->
        Add the products up in the loop.
    running-total: the score of a token still holds the tokens before it -> The sum is not set back to 0 when the next
        row begins. -> Set it to 0 inside the loop over the rows.
    added: you add the numbers where they should be multiplied -> A sum is large as soon as one of the two is. A product
        is large only where both are. -> Multiply q's number by the token's, then add up the products.
    averaged: you divide by the number of products -> That is their mean; the score is their sum. -> Leave the division
        out.
    cosine: you also divide by the lengths of the vectors -> That is another score, the cosine; you will meet it soon.
        -> Leave the division out.
    distance: you measure how far apart the two are -> A distance is small where two vectors match; a score is large. ->
        Multiply number by number, then add up.
    squared-distance: you add up the squared differences of the two -> That is a squared distance: small where two
        vectors match. A score is large there. -> Multiply number by number, then add up.
    loop-over-width: only as many tokens have a score as each token has numbers -> The loop over the tokens runs as
        often as there are columns; the rest stays 0. -> Read the number of tokens off X: it is the number of its rows.
    products-multiplied: you multiply the products, where they should be added -> A single number of 0 would then make
        the whole score 0. -> Add the products up.
    ends-only: only the first and the last number of each token count -> What lies between them belongs to the token,
        too. -> Go over all the numbers.
    sums-multiplied: you multiply the sum of q by the sum of each token's numbers -> Then it makes no difference which
        number of one stands beside which of the other. -> Multiply number by number, then add up.
    q-forgotten: you add up the numbers of each token, without q -> Then it makes no difference who asks. -> Multiply
        each number by that of q first.
    """,
)
def scores_for(q, X, wrong=frozenset()):
    """How well each token matches the one that asks, with the mistakes that people make as switches."""
    q, X = np.asarray(q, dtype=float), np.asarray(X, dtype=float)
    slips = {
        "columns-scored": lambda: q @ X,
        "not-summed": lambda: X * q,
        "summed-down": lambda: (X * q).sum(axis=0),
        "all-summed": lambda: (X * q).sum(),
        "first-two": lambda: X[:, :2] @ q[:2],
        "first-only": lambda: X[:, 0] * q[0],
        "last-only": lambda: X[:, -1] * q[-1],
        "running-total": lambda: (X @ q).cumsum(),
        "added": lambda: (X + q).sum(axis=1),
        "averaged": lambda: X @ q / len(q),
        "cosine": lambda: X @ q / np.linalg.norm(X, axis=1) / np.linalg.norm(q),
        "distance": lambda: np.linalg.norm(X - q, axis=1),
        "squared-distance": lambda: ((X - q) ** 2).sum(axis=1),
        "loop-over-width": lambda: np.where(np.arange(len(X)) < X.shape[1], X @ q, 0.0),
        "products-multiplied": lambda: (X * q).prod(axis=1),
        "ends-only": lambda: X[:, 0] * q[0] + X[:, -1] * q[-1],
        "sums-multiplied": lambda: X.sum(axis=1) * q.sum(),
        "q-forgotten": lambda: X.sum(axis=1),
    }
    return slip(wrong, slips, lambda: X @ q)()
