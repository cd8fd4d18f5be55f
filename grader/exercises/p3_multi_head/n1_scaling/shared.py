"""What several exercises of this notebook have in common."""

import numpy as np


def draw(d_k, n=500):
    """The notebook's own sample: n queries and n keys, the same on every call."""
    rng = np.random.default_rng(d_k + 1)
    return rng.normal(size=(n, d_k)), rng.normal(size=(n, d_k))


#: Derivatives that are measured: the size of the step, and whether it is taken to both sides.
MEASURED = {
    "step-of-a-tenth": (1e-1, False),
    "step-of-a-thousandth": (1e-3, False),
    "step-of-a-ten-thousandth": (1e-4, False),
    "both-sides-a-hundredth": (1e-2, True),
}


def measured(function, x, wrong):
    """The derivatives of a function of x by finite steps, a column for each number of x; None without such a switch."""
    for name, (step, both) in MEASURED.items():
        if name in wrong:
            behind = [function(x - step * unit) if both else function(x) for unit in np.eye(len(x))]
            ahead = [function(x + step * unit) for unit in np.eye(len(x))]
            return np.subtract(ahead, behind).T / (2 * step if both else step)
    return None
