"""Explore the three views of Part 2 side by side: a search, a smoother and a memory with one knob."""

import numpy as np

from attnlib.plots import style, views_at
from attnlib.plots.vectors import two_columns
from attnlib.widgets.explorer import Explorer


def explore_views(q, K, values, temperature=0.25, labels=None, *, unit=""):
    """Drag a query among keys of equal length: search, smoother and memory follow, with one temperature for all.

    Parameters
    ----------
    q : ndarray of shape (2,)
        Where the query starts.
    K : ndarray of shape (n_keys, 2)
        Of equal length, so that the three views agree.
    values : ndarray of shape (n_keys,)
    temperature : float
        At the start, from 0.02 to 100: the squared bandwidth, and one over beta.
    labels : list of str, optional
        Of the keys.
    unit : str
        Of the values; it is written directly behind a number.

    Returns
    -------
    explorer : Explorer

    Raises
    ------
    ValueError
        If the keys differ in length.

    Examples
    --------
    >>> explorer = explore_views([1, 0], [[1, 0], [0, 1]], [10, 20])
    >>> explorer.text
    'Query (1, 0), T 0.25, h 0.5, beta 4. Weights: k1 0.98, k2 0.02. All three answer 10.1798620996.'
    """
    K, values = two_columns(K, "K"), np.asarray(values, dtype=float)
    lengths = np.linalg.norm(K, axis=1)
    if np.ptp(lengths) > 1e-9:
        raise ValueError(f"the keys must have one length; got lengths from {lengths.min():g} to {lengths.max():g}")
    labels = style.names(labels, len(K), "k")
    data = {"q": q, "K": K, "values": values, "temperature": temperature, "labels": labels, "unit": unit}
    data |= {"length": lengths[0], "long": int(values.argmax())}
    return Explorer("views", data, views_at(q, K, values, temperature, labels, unit=unit))
