"""What the tests of properties have in common: each returns None, or in words what went wrong."""

import numpy as np

from grader.exercises.inputs import moved
from grader.exercises.kinds import Sign


def told(value, right, digits=4):
    """A number that is wrong, with as many digits as it takes to see that it is not the right one."""
    for more in range(digits, 18):
        words = f"{value:.{more}g}"
        if float(words) != float(f"{right:.{more}g}"):
            return words
    return repr(float(value))


def worst_row(values, right):
    """The place of the value that is farthest from the right one; NaN is farther than any number."""
    gaps = np.abs(np.subtract(values, right))
    return int(np.where(np.isnan(gaps), np.inf, gaps).argmax())


def too_much(held, whole, what, mistake):
    """A sign of the mistake that a call held most of what an array of this many bytes takes; None if not, or if nobody
    saw it."""
    if held is None or held < whole / 2:
        return None
    words = f"at its worst moment it held more than half of what an array of {what} takes ({whole / 1e6:.0f} MB)"
    return Sign(words, mistake)


def rows_sum_to_one(make, words="row {row} of the weights sums to {total} (rows are counted from 0)"):
    """A test that each row of the weights sums to 1, for the arguments that `make` makes."""

    def test(call, rng):
        result = call(*make(rng).values())
        totals = (result[1] if isinstance(result, tuple) else result).sum(axis=-1).ravel()
        row = worst_row(totals, 1)
        return None if abs(totals[row] - 1) < 1e-3 else words.format(row=row, total=told(totals[row], 1))

    return test


def order_is_free(make, names, words):
    """A test that these arguments, all in the same other order, give the same; {gap} is the largest difference."""

    def test(call, rng):
        inputs = make(rng)
        ordered = [name for name in inputs if name in names.split()]
        order = moved(rng, len(inputs[ordered[0]]))
        results = [call(*some.values()) for some in (inputs, inputs | {name: inputs[name][order] for name in ordered})]
        first, second = (result[0] if isinstance(result, tuple) else result for result in results)
        gap = np.abs(first - second).max()
        return None if gap < 1e-3 * (1 + np.abs(first).max()) else words.format(gap=f"{gap:.3g}")

    return test
