"""What the tests of properties have in common: each returns None, or in words what went wrong."""

import numpy as np


def rows_sum_to_one(make, words="a row of weights sums to {total}"):
    """A test that each row of the weights sums to 1, for the arguments that `make` makes."""

    def test(call, rng):
        result = call(*make(rng).values())
        totals = (result[1] if isinstance(result, tuple) else result).sum(axis=-1).ravel()
        worst = totals[np.abs(totals - 1).argmax()]
        return None if abs(worst - 1) < 1e-3 else words.format(total=f"{worst:.4g}")

    return test
