"""What the exercises on the way back share."""

import numpy as np

from grader.exercises.stages import slip


def drawn(rng, low, high, *shape):
    """Whole numbers."""
    return rng.integers(low, high, size=shape)


def single(rng, *shape):
    """Quarters in single precision: what is added and multiplied of them stays exact, whoever computes it."""
    return (rng.choice([-4, -3, -2, -1, 1, 2, 3, 4], size=shape) / 4).astype(np.float32)


def back_through_softmax(weights, d_weights, wrong):
    """From a gradient of the weights to one of the scores, with the slips that people make there."""
    told = weights * d_weights
    slips = {
        "jacobian-forgotten": lambda: d_weights,
        "first-term-only": lambda: told,
        "diagonal-only": lambda: weights * (1 - weights) * d_weights,
    }
    right = lambda: weights * (d_weights - told.sum(axis=-1, keepdims=True))  # noqa: E731
    d_scores = slip(wrong, slips, right)()
    return -d_scores if "sign-turned" in wrong else d_scores


def root(d_k, wrong):
    """What scores, and what comes back through them, are divided by."""
    return slip(
        wrong, {"root-forgotten": 1.0, "root-twice": float(d_k), "root-multiplied": 1 / np.sqrt(d_k)}, np.sqrt(d_k)
    )
