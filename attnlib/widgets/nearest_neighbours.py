"""Explore search: turn a query among keys, and let it find few or many of them, hard or softly."""

import numpy as np

from attnlib.plots import neighbors_at, style
from attnlib.widgets.explorer import Explorer


def explore_neighbors(q, K, k=2, labels=None):
    """Drag a query and keys; watch which k keys answer, with what weights, at this angle of the query and at all.

    Parameters
    ----------
    q : ndarray of shape (2,)
        Where the query starts.
    K : ndarray of shape (n_keys, 2)
    k : int
        How many keys may answer at the start.
    labels : list of str, optional
        Of the keys.

    Returns
    -------
    explorer : Explorer

    Examples
    --------
    >>> explorer = explore_neighbors([0, 2], [[1, 0], [0, 1]], k=1)
    >>> explorer.text
    'Query (0, 2) at 90°, k = 1 of 2 keys, temperature 1. Weights: k1 0.00, k2 1.00. Left out: k1.'
    """
    q, K = np.asarray(q, dtype=float), np.asarray(K, dtype=float)
    k = int(np.clip(round(k), 1, len(K)))
    labels = style.names(labels, len(K), "k")
    reach = 1.35 * float(np.linalg.norm(np.vstack([q, K]), axis=1).max() or 1.0)  # room for a key to grow long
    data = {"q": q, "K": K, "k": k, "labels": labels, "reach": reach}
    return Explorer("neighbors", data, neighbors_at(q, K, k, labels=labels))
