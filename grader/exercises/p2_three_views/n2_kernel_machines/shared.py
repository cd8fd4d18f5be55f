"""What several exercises of this notebook have in common."""

import numpy as np

from grader.exercises.inputs import matrix


def floats(*arrays):
    """The arrays as floating-point numbers."""
    return [np.asarray(array, dtype=float) for array in arrays]


def squared_gaps(Q, K):
    """Squared distances between the rows of two matrices."""
    return ((Q[:, None, :] - K[None, :, :]) ** 2).sum(axis=-1)


def bandwidth(rng, low=0.6, high=0.9):
    """A bandwidth away from 0.5, 1 and 2, where h, h squared and twice h meet."""
    return round(float(rng.uniform(low, high)), 2)


def shapes(rng, n_queries, n_keys, d, scale=0.7):
    """Queries and keys whose dot products stay small enough for a plain exponential."""
    return {"Q": matrix(rng, n_queries, d, scale=scale), "K": matrix(rng, n_keys, d, scale=scale)}
