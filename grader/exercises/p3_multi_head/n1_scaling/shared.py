"""What several exercises of this notebook have in common."""

import numpy as np


def draw(d_k, n=500):
    """The notebook's own sample: n queries and n keys, the same on every call."""
    rng = np.random.default_rng(d_k + 1)
    return rng.normal(size=(n, d_k)), rng.normal(size=(n, d_k))
