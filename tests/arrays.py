"""Arrays that tests of attention share."""

import numpy as np


def random_qkv(*leading, n_queries=5, n_keys=7, d=3, d_v=11, seed=0):
    """Queries, keys and values whose sizes are distinct primes, one after the other."""
    rng = np.random.default_rng(seed)
    return (rng.standard_normal((*leading, n, columns)) for n, columns in [(n_queries, d), (n_keys, d), (n_keys, d_v)])
