"""What several exercises of this notebook have in common."""

import numpy as np

from grader.exercises.inputs import matrix


def whole_numbers(rng, *shape):
    """Small whole numbers, none of them zero."""
    return rng.choice([-4, -3, -2, -1, 1, 2, 3, 4], size=shape)


def queries_and_keys(n_queries, n_keys, d, make=matrix):
    """A function of a generator that makes Q (n_queries, d) and K (n_keys, d)."""
    return lambda rng: {"Q": make(rng, n_queries, d), "K": make(rng, n_keys, d)}


def asked_one_by_one(call, rng):
    Q, K = matrix(rng, 5, 3), matrix(rng, 2, 3)
    together = call(Q, K)
    alone = np.concatenate([call(q[np.newaxis], K) for q in Q])
    gap = np.abs(alone - together).max()
    return None if gap < 1e-3 else f"a query asked alone gets other scores, by {gap:.3g}"


def directions(X):
    """Rows of length 1; a row of zeros stays as it is."""
    length = np.sqrt((X**2).sum(axis=-1, keepdims=True))
    return X / np.where(length == 0, 1.0, length)


def added_up(terms, wrong):
    """Terms (n_queries, n_keys, d) added over the last axis, or over another one by mistake."""
    if "no-sum" in wrong:
        return terms
    if "sum-over-keys" in wrong:
        return terms.sum(axis=1)
    if "sum-over-queries" in wrong:
        return terms.sum(axis=0)
    return terms.sum(axis=-1)
