"""What the exercises on explanations have in common: weights to try them on."""

import numpy as np

from grader.exercises.inputs import matrix
from grader.exercises.stages import softmax


def weights_of(rng, *shape, dtype=float):
    """Rows of weights that sum to 1 and are neither flat nor all on one key."""
    return softmax(matrix(rng, *shape, scale=1.5)).astype(dtype)


def small_weights(rng, *shape):
    """Rows of weights in tenths that sum to 1, none of them 0 and no row flat."""
    *rows, n = shape
    while True:
        drawn = np.array([rng.multinomial(10 - n, np.full(n, 1 / n)) + 1 for _ in range(int(np.prod(rows)))])
        if (np.ptp(drawn, axis=1) > 0).all():
            return drawn.reshape(shape) / 10
