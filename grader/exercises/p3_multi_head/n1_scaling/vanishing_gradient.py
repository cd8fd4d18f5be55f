import numpy as np

from attnlib import softmax
from grader.exercises.kinds import Entry, values
from grader.exercises.p3_multi_head.n1_scaling.shared import draw
from grader.exercises.p3_multi_head.n1_scaling.softmax_jacobian import softmax_jacobian

GRADIENT_DIMENSION, GRADIENT_QUERIES, GRADIENT_KEYS = 512, 100, 8


def mean_gradient(scaled, wrong=frozenset()):
    """Mean over the queries of the largest entry of the Jacobian, with mistakes as switches."""
    Q, K = draw(GRADIENT_DIMENSION)
    scores = Q[: None if "all-queries" in wrong else GRADIENT_QUERIES] @ K[:GRADIENT_KEYS].T
    if scaled and "no-scale" not in wrong:
        scores = scores / (GRADIENT_DIMENSION if "by-d_k" in wrong else np.sqrt(GRADIENT_DIMENSION))
    weights = softmax(scores.T).T if "columns" in wrong else softmax(scores)
    if "weights-only" in wrong:
        return float(weights.max(axis=-1).mean())
    jacobians = np.array([softmax_jacobian(p) for p in weights])
    if "mean-entry" in wrong:
        return float(np.abs(jacobians).mean())
    largest = jacobians.max(axis=(-2, -1))
    return float(largest.max() if "largest-of-all" in wrong else largest.mean())


@values(
    points=2,
    task='fill the dict with the two means, "unscaled" and "scaled"',
    entries=(Entry("unscaled", "the mean without scaling", 0.5), Entry("scaled", "the mean with scaling", 0.5)),
    mistakes="""
    numbers-swapped: the two numbers have changed places -> Scaling is what keeps the gradient alive. -> Give each
        number its own key.
    all-queries: you took all 500 queries, not the 100 of `wide_scores` -> The task asks for the mean over 100 queries.
        -> Begin with `wide_scores`, of shape (100, 8).
    no-scale: both numbers are those of the plain scores -> The second number needs scores that were divided before the
        softmax. -> Divide the scores by the square root of d_k.
    by-d_k
    columns: you normalised down the columns -> The 100 queries then compete for each key, instead of the 8 keys for
        each query. -> Use `softmax`, which works row by row, on scores of shape (100, 8).
    weights-only: you averaged the largest weights, not the largest entries of the Jacobians -> A weight says who is
        listened to; the Jacobian says how much that can still change. -> Make a Jacobian of each row of weights, and
        take its largest entry.
    mean-entry: you averaged all entries instead of the largest one of each query -> Most entries are small in any case,
        so the mean hides what happens. -> One number for each query first: the largest entry. Then the mean of these.
    largest-of-all: you took the largest entry of all queries together -> Among 100 queries there is always one that is
        still undecided. -> One number for each query first, then their mean.
    """,
)
def vanishing_gradient(wrong=frozenset()):
    first = "numbers-swapped" in wrong
    return {"unscaled": mean_gradient(first, wrong), "scaled": mean_gradient(not first, wrong)}
