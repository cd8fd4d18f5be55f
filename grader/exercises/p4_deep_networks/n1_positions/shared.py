"""What several exercises of this notebook have in common."""

import numpy as np

from grader.exercises.stages import slip


def speeds(d, base, wrong=frozenset()):
    """The speeds of the clocks, with mistakes as switches; (d / 2,)."""
    i = np.arange(d // 2)
    base = 10000.0 if "base-ignored" in wrong else float(base)
    slips = {
        "exponent-i": i / d,
        "doubled-exponent": 4 * i / d,
        "multiplied": -2 * i / d,
        "same-angle": 0.0 * i,
        "last-slowest": i / max(d // 2 - 1, 1),
        "natural": 2 * i / d / np.log(base),
    }
    return base ** -slip(wrong, slips, 2 * i / d)


def turned(X, angles, wrong=frozenset()):
    """Each pair of columns turned by its angle, with mistakes as switches."""
    d = X.shape[-1]
    first, second = slice(0, None, 2), slice(1, None, 2)
    if "halves" in wrong:
        first, second = slice(0, d // 2), slice(d // 2, None)
    cos, sin = np.cos(angles), np.sin(angles)
    if "backwards" in wrong:
        sin = -sin
    if "sin-cos-exchanged" in wrong:
        cos, sin = sin, cos
    if "mixed-layout" in wrong:
        across = np.concatenate([-X[..., d // 2 :], X[..., : d // 2]], axis=-1)
        return X * np.repeat(cos, 2, axis=-1) + across * np.repeat(sin, 2, axis=-1)
    x, y = X[..., first], X[..., second]
    result = np.empty(np.broadcast_shapes(X.shape, (*angles.shape[:-1], d)))
    result[..., first] = x * cos + y * sin if "both-plus" in wrong else x * cos - y * sin
    x = result[..., first] if "overwritten" in wrong else x
    result[..., second] = y * cos - x * sin if "mirrored" in wrong else x * sin + y * cos
    return result


def places(rng, n, most=30):
    """Places of n tokens, in no order, none twice and none 0."""
    return rng.permutation(np.arange(1, most))[:n]
