"""What several exercises of this notebook have in common."""

import numpy as np

from grader.exercises.stages import number, slip


def speeds(d, base, wrong=frozenset()):
    """The speeds of the clocks, with mistakes as switches; (d / 2,)."""
    i = np.arange(d // 2)
    base = number(wrong, "base-ignored", 10000.0) or float(base)
    slips = {
        "exponent-i": i / d,
        "doubled-exponent": 4 * i / d,
        "multiplied": -2 * i / d,
        "same-angle": 0.0 * i,
        "last-slowest": i / max(d // 2 - 1, 1),
        "log10-for-log": 2 * i / d / np.log(10),
        "natural": 2 * i / d / np.log(base),
        "pairs-from-one": (2 * i + 2) / d,
    }
    unit = slip(wrong, {"degrees": np.pi / 180, "turns": 2 * np.pi}, 1.0)
    powers = {"power-first": base**-2.0 * i / d, "divided-last": base ** (-2.0 * i) / d}
    clocks = unit * slip(wrong, powers, base ** -slip(wrong, slips, 2 * i / d))
    return clocks[::-1] if "slowest-first" in wrong else clocks


def turned(X, angles, wrong=frozenset(), kept=lambda x: x):
    """Each pair of columns turned by its angle, with mistakes as switches.

    `kept` is what an array keeps of the numbers that are written into it and read again.
    """
    d = X.shape[-1]
    first, second = slice(0, None, 2), slice(1, None, 2)
    halves = slice(0, d // 2), slice(d // 2, None)
    if wrong & {"halves", "halves-laid-out"}:
        first, second = halves
    cos, sin = np.cos(angles), np.sin(angles)
    if "backwards" in wrong:
        sin = -sin
    if "sin-cos-exchanged" in wrong:
        cos, sin = sin, cos
    if "mixed-layout" in wrong:
        across = np.concatenate([-X[..., d // 2 :], X[..., : d // 2]], axis=-1)
        return X * np.repeat(cos, 2, axis=-1) + across * np.repeat(sin, 2, axis=-1)
    x, y = X[..., first], X[..., second]
    if "laid-in-halves" in wrong:
        first, second = halves
    if "halves-laid-out" in wrong:
        first, second = slice(0, None, 2), slice(1, None, 2)
    if "columns-exchanged" in wrong:
        first, second = second, first
    result = np.empty(np.broadcast_shapes(X.shape, (*angles.shape[:-1], d)))
    if "second-overwritten" in wrong:
        result[..., second] = x * sin + y * cos
        result[..., first] = x * cos - kept(result[..., second]) * sin
        return result
    slips = {
        "first-read-when-empty": x * cos,
        "both-plus": x * cos + y * sin,
        "first-column-exchanged": x * sin - y * cos,
    }
    result[..., first] = slip(wrong, slips, x * cos - y * sin)
    x = kept(result[..., first]) if "overwritten" in wrong else x
    slips = {
        "second-read-when-empty": x * sin,
        "mirrored": y * cos - x * sin,
        "both-minus": x * sin - y * cos,
        "second-column-exchanged": x * cos + y * sin,
    }
    result[..., second] = slip(wrong, slips, x * sin + y * cos)
    return result


def places(rng, n, most=30):
    """Places of n tokens, in no order, none twice and none 0."""
    drawn = rng.permutation(np.arange(1, most))[:n]
    # By chance few are in order, and who sorts them would be right.
    return drawn[::-1] if (np.diff(drawn) > 0).all() else drawn
