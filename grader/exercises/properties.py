"""What the tests of properties have in common: each returns None, or in words what went wrong."""

import numpy as np

from grader.exercises.inputs import moved


def rows_sum_to_one(make, words="a row of weights sums to {total}"):
    """A test that each row of the weights sums to 1, for the arguments that `make` makes."""

    def test(call, rng):
        result = call(*make(rng).values())
        totals = (result[1] if isinstance(result, tuple) else result).sum(axis=-1).ravel()
        worst = totals[np.abs(totals - 1).argmax()]
        return None if abs(worst - 1) < 1e-3 else words.format(total=f"{worst:.4g}")

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
