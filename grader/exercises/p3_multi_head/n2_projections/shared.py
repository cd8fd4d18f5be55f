"""What several exercises of this notebook have in common."""

import numpy as np

from grader.exercises.inputs import matrix, square


def projected(rng, n, d_model, d_k, d_v, entries=matrix):
    """X and three projections."""
    return {
        "X": entries(rng, n, d_model),
        "W_q": entries(rng, d_model, d_k),
        "W_k": entries(rng, d_model, d_k),
        "W_v": entries(rng, d_model, d_v),
    }


def all_square(rng, n):
    return {"X": matrix(rng, n, n), **{name: square(rng, n) for name in ("W_q", "W_k", "W_v")}}


def rows_of_weights(scores, axis=-1):
    powers = np.exp(scores - scores.max(axis=axis, keepdims=True))
    return powers / powers.sum(axis=axis, keepdims=True)
