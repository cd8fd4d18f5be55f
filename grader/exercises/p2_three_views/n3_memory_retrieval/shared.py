"""What several exercises of this notebook have in common."""

import numpy as np

from grader.exercises.stages import number, slip, softmax, weigh

#: The patterns and the state of the examples in the tasks.
TWO = np.array([[1.0, 1.0, -1.0, -1.0], [1.0, -1.0, 1.0, -1.0]])
STATE = np.array([1.0, 1.0, -1.0, 1.0])


def weights_of(scores, beta, wrong):
    """The weights that a memory gives its contents, with the mistakes that they have in common."""
    if "beta-forgotten" in wrong:
        beta = 1.0
    if "halved" in wrong:
        beta = beta / 2
    beta = max(beta, number(wrong, "beta-at-least", 1) or beta)
    if limit := number(wrong, "exponent-capped", 700):
        return softmax(np.minimum(beta * scores, limit))
    if "late-maximum" in wrong:
        powers = np.exp(beta * scores)
        powers = powers - powers.max(axis=-1, keepdims=True)
        return powers / powers.sum(axis=-1, keepdims=True)
    if "beta-after" in wrong:
        return beta * softmax(scores)
    if "powers-of-weights" in wrong:
        return softmax(scores) ** beta
    if "powers-renormalised" in wrong:
        powers = softmax(scores) ** beta
        return powers / powers.sum(axis=-1, keepdims=True)
    if "softmax-of-one" in wrong:
        return np.ones(scores.shape)
    if "best-only" in wrong:
        beta = 1.0  # with 0, all would be equally good
    if "shifted-powers" in wrong:
        return np.exp(beta * (scores - scores.max(axis=-1, keepdims=True)))
    if "nan-to-zero" in wrong:
        return np.nan_to_num(weigh(scores * beta, frozenset(["no-maximum"])))
    return weigh(scores / beta if "beta-divides" in wrong else scores * beta, wrong)


def mixed(weights, values, wrong):
    """The mixture of what is stored, with the slips of a loop that adds it up."""
    mixture = some_of(weights, wrong) @ some_of(values, wrong)
    return softmax(mixture) if "softmax-late" in wrong else mixture


def some_of(memories, wrong):
    """The memories that a loop over them comes by."""
    some = {
        "two-only": slice(0, 2),
        "three-only": slice(0, 3),
        "last-only": slice(-1, None),
        "first-only": slice(0, 1),
        "last-missing": slice(0, -1),
        "first-missing": slice(1, None),
    }
    return memories[slip(wrong, some, slice(None))]


def stored(rng, n, d):
    """Patterns of ink (1) and paper (-1), of which no two are alike or opposite."""
    while True:
        patterns = rng.choice([-1.0, 1.0], size=(n, d))
        overlaps = np.abs(patterns @ patterns.T) - d * np.eye(n)
        if overlaps.max() < 0.75 * d:
            return patterns
