"""Fresh inputs for the exercises. Every function takes a seeded `numpy.random.Generator` first."""

import numpy as np


def tenths(rng, *shape, low=-1.5, high=1.5):
    """Numbers with one decimal, no two alike and none zero: small enough to check by hand."""
    size = int(np.prod(shape))
    pool = np.arange(round(low * 10), round(high * 10) + 1)
    pool = pool[pool != 0]
    return (rng.choice(pool, size=size, replace=size > pool.size) / 10).reshape(shape)


def matrix(rng, *shape, scale=1.0):
    """Normally distributed numbers."""
    return scale * rng.normal(size=shape)


def square(rng, n):
    """A square matrix that is far from symmetric, so that its transpose cannot pass."""
    return matrix(rng, n, n) + np.triu(np.ones((n, n)), 1)
