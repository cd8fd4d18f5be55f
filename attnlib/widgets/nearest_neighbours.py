"""Explore search: turn a query among keys, and let it find few or many of them, hard or softly."""

import numpy as np

from attnlib.plots import neighbors_at
from attnlib.plots.vectors import polar
from attnlib.widgets.base import Explorer, log_slider, slider


def explore_neighbors(q, K, k=2, labels=None):
    """Change how many keys may answer and how sharply, and turn the query.

    Parameters
    ----------
    q : ndarray of shape (2,)
    K : ndarray of shape (n_keys, 2)
    k : int
        How many keys may answer at the start.
    labels : list of str, optional
        Of the keys.

    Returns
    -------
    explorer : Explorer
        With the controls `k`, `temperature` (from 0.05 to 100) and `angle` (of the query, in degrees).

    Examples
    --------
    >>> explorer = explore_neighbors([2, 0], [[1, 0], [0, 1]], k=1)
    >>> explorer.controls.angle.value = 90
    >>> print(explorer.text)
    Query (0, 2), k = 1 of 2 keys, temperature 1. Weights: k1 0.00, k2 1.00. Left out: k1.
    """
    start, length = polar(q)
    controls = {
        "k": slider("k, keys that may answer", float(k), 1, len(K), 1, readout_format=".0f"),
        "temperature": log_slider("temperature", 1.0, -1.3, 2.0),
        "angle": slider("angle of the query", start, -180, 180, 1, readout_format=".0f"),
    }

    def draw(k, temperature, angle):
        turned = np.radians(angle)
        return neighbors_at(length * np.array([np.cos(turned), np.sin(turned)]), K, k, temperature, labels)

    return Explorer(draw, controls, "turn the query with k = 1, then with all keys. Which one jumps, which one glides?")
