"""What the exercises on the way back share."""

import numpy as np

from grader.exercises.stages import slip


def drawn(rng, low, high, *shape):
    """Whole numbers."""
    return rng.integers(low, high, size=shape)


def single(rng, *shape):
    """Quarters in single precision: what is added and multiplied of them stays exact, whoever computes it."""
    return (rng.choice([-4, -3, -2, -1, 1, 2, 3, 4], size=shape) / 4).astype(np.float32)


def root(d_k, wrong):
    """What scores, and what comes back through them, are divided by."""
    return slip(
        wrong,
        {"root-forgotten": 1.0, "no-root-at-all": 1.0, "root-twice": float(d_k), "root-multiplied": 1 / np.sqrt(d_k)},
        np.sqrt(d_k),
    )
