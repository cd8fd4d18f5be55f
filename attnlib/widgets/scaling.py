"""Explore scaling: let d_k grow, and see scores spread, weights saturate and entropy fall, or not."""

import numpy as np

from attnlib.plots import scaling_at
from attnlib.plots.scaling import DIMENSIONS, mean_entropies, random_scores
from attnlib.widgets.explorer import Explorer

MOST = 12  # keys
SHOWN = 2  # queries


def explore_scaling(d_k=512, n_keys=8):
    """Drag d_k along the curve of entropy, or let it grow; watch random scores spread, with and without scaling.

    The numbers are those of one seeded experiment, `attnlib.plots.scaling.random_scores`; the page holds them for each
    d_k and each number of keys.

    Parameters
    ----------
    d_k : int
        Where it starts: a power of two from 2 to 2048.
    n_keys : int
        From 2 to 12.

    Returns
    -------
    explorer : Explorer

    Raises
    ------
    ValueError
        If d_k or n_keys is none of those.

    Examples
    --------
    >>> explore_scaling(2, 5).text.split(".")[0]
    'd_k = 2, 5 keys'
    """
    if n_keys > MOST:
        raise ValueError(f"n_keys must be at most {MOST}; got {n_keys}")
    picture = scaling_at(d_k, n_keys)
    scores = np.stack([random_scores(one, MOST) for one in DIMENSIONS.tolist()], axis=1)  # (QUERIES, dims, keys)
    counts = range(2, MOST + 1)
    data = {
        "d_k": d_k,
        "n_keys": n_keys,
        "scores": _rounded(scores[:SHOWN], 4),
        "spreads": _rounded(np.stack([scores[..., :n].std(axis=(0, 2)) for n in counts]), 3),  # (n_keys - 2, dims)
        "means": _rounded(np.stack([mean_entropies(n) for n in counts]), 4),  # (n_keys - 2, scalings, dims)
    }
    return Explorer("scaling", data, picture)


def _rounded(values, digits):
    """Fewer digits: what is saved is small, and still shows the same two or three digits."""
    return np.vectorize(lambda x: float(f"{x:.{digits}g}"))(values)
