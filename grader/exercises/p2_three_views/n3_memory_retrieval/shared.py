"""What several exercises of this notebook have in common."""

import numpy as np

from attnlib import softmax


def weights_of(scores, beta, wrong):
    """The weights that a memory gives its contents, with the mistakes that they have in common."""
    if "beta-forgotten" in wrong:
        beta = 1.0
    if "ratio" in wrong:
        return scores / scores.sum(axis=-1, keepdims=True)
    if "beta-after" in wrong:
        return beta * softmax(scores)
    if "hard" in wrong:
        return np.eye(scores.shape[-1])[scores.argmax(axis=-1)]
    scores = scores / beta if "beta-divides" in wrong else scores * beta
    if "no-maximum" in wrong:
        powers = np.exp(scores)
        return powers / powers.sum(axis=-1, keepdims=True)
    return softmax(scores)


def stored(rng, n, d):
    """Patterns of ink (1) and paper (-1), of which no two are alike or opposite."""
    while True:
        patterns = rng.choice([-1.0, 1.0], size=(n, d))
        overlaps = np.abs(patterns @ patterns.T) - d * np.eye(n)
        if overlaps.max() < 0.75 * d:
            return patterns
