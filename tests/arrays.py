"""Arrays that tests of attention share."""

import numpy as np


def random_qkv(*leading, n_queries=5, n_keys=7, d=3, d_v=11, seed=0):
    """Queries, keys and values whose sizes are distinct primes, one after the other."""
    rng = np.random.default_rng(seed)
    return (rng.standard_normal((*leading, n, columns)) for n, columns in [(n_queries, d), (n_keys, d), (n_keys, d_v)])


def random_weights(d_source=5):
    """W_q for a target of 5 columns; W_k and W_v for a source of d_source columns."""
    rng = np.random.default_rng(5)
    return (rng.standard_normal(shape) for shape in [(5, 3), (d_source, 3), (d_source, 11)])
