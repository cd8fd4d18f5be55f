"""What several exercises of this notebook have in common."""

import numpy as np

from grader.exercises.inputs import matrix, tenths
from grader.exercises.properties import order_is_free, told, worst_row
from grader.exercises.stages import softmax

#: The keys and values of the examples in the tasks.
EXAMPLE = {"K": np.array([[0.0, 1.0], [np.log(3.0), 2.0]]), "V": np.array([[4.0, 0.0, 8.0], [0.0, 4.0, 8.0]])}

#: Slips on the way to the weights that whole numbers could hide: a query of zeros, say, finds all keys alike.
WEIGHT_SLIPS = (
    "raw-scores",
    "ratio",
    "not-normalised",
    "uniform",
    "best-only",
    "scaled",
    "cosine",
    "averaged-again",
    "raw-denominator",
)


def small(rng, *shape):
    """Normally distributed numbers, nearer to zero."""
    return matrix(rng, *shape, scale=0.7)


def extreme_values(rng):
    """Values of which the contexts of a query and of its opposite are no symmetric matrix."""
    while True:
        V = tenths(rng, 5, 2)
        if abs((V[0, 1] + V[4, 1]) / 2 - V[[1, 3], 0]).min() > 0.01:
            return V


def large_query(rng):
    """A query and a key of whole numbers that agree so well that their score is far above 1000."""
    signs = rng.choice([-1, 1], size=3)
    return signs * rng.integers(25, 31, size=3), signs * rng.integers(25, 31, size=3), signs


def as_floats(q, K, V, axes):
    """One query, or the query and its opposite, with their keys and values."""
    if axes == 1:
        return {"q": q.astype(float), "K": K.astype(float), "V": V}
    return {"Q": np.stack([q, -q]).astype(float), "K": K.astype(float), "V": V}


def large_scores(rng, axes):
    """All scores of the query lie above 1000, within 600 of each other; of a second query, as far below zero.

    The first and the last key are alike and share the weight. Whoever shifts by a query's mean or smallest score passes
    here, but not with `distant_scores`; with one maximum for all queries it is the other way round.
    """
    q, k, signs = large_query(rng)
    return as_floats(q, np.stack([k, k - 3 * signs, k - 2 * signs, k - 5 * signs, k]), extreme_values(rng), axes)


def distant_scores(rng, axes):
    """Each query has scores above 1000 and below -1000, and one near 0; both queries have the same largest score."""
    q, k, _ = large_query(rng)
    return as_floats(q, np.stack([k, -k, rng.integers(-1, 2, size=3), k // 2, k]), extreme_values(rng), axes)


def some_inputs(rng, axes, d_v=2):
    """Queries (one vector, or seven rows), five keys of three numbers, values of `d_v`."""
    Q = matrix(rng, 7, 3)
    return Q[0] if axes == 1 else Q, matrix(rng, 5, 3), matrix(rng, 5, d_v)


def equal_values(call, rng, *, axes):
    while True:
        Q, K, V = some_inputs(rng, axes)
        # Each value has a part in some context that shows: whoever leaves one out is found out. So is a rounding.
        parts = softmax(Q @ K.T).min(axis=-1).max() * np.abs(V[0]).max()
        if parts > 0.01 and np.abs(V[0] - V[0].round(2)).max() > 2e-3:
            break
    V = np.repeat(V[:1], 5, axis=0)
    context = call(Q, K, V).reshape(-1, 2)
    if np.allclose(context, V[0], atol=1e-3):
        return None
    row = worst_row(context, V[0]) // 2
    found = ", ".join(told(number, right) for number, right in zip(context[row], V[0], strict=True))
    return f"all values are [{V[0, 0]:.4g}, {V[0, 1]:.4g}], but a context is [{found}]"


def shuffled(axes):
    """A test that keys and values in another order, the same for both, change nothing."""
    words = "in another order, a number of the context differs by {gap}"
    return order_is_free(lambda rng: dict(zip("QKV", some_inputs(rng, axes), strict=True)), "K V", words)


AUDIT_X = np.array([[0.2, 0.5], [0.8, 0.1], [0.3, 0.9]])
PUBLISHED_SCORES = np.array([[0.29, 0.21, 0.51], [0.21, 0.65, 0.33], [0.51, 0.33, 0.90]])
PUBLISHED_WEIGHTS = np.array([[0.28, 0.23, 0.49], [0.18, 0.59, 0.23], [0.23, 0.15, 0.62]])
PUBLISHED_CONTEXTS = np.array([[0.36, 0.59], [0.57, 0.35], [0.34, 0.68]])
