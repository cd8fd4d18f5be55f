"""Explore context vectors: move a query and see weights and context follow."""

import numpy as np

from attnlib.plots import context_at
from attnlib.plots.vectors import REACH
from attnlib.widgets.base import Explorer, slider


def explore_context(q, K, V, labels=None):
    """Move a query and watch its weights, and its context vector inside the hull of the values.

    Parameters
    ----------
    q : ndarray of shape (2,)
        Where the query starts.
    K : ndarray of shape (n_keys, 2)
    V : ndarray of shape (n_keys, 2)
    labels : list of str, optional
        Of the keys and their values.

    Returns
    -------
    explorer : Explorer
        With the controls `x` and `y`.

    Examples
    --------
    >>> explorer = explore_context([0, 0], [[1, 0], [0, 1]], [[4, 0], [0, 4]], ["cat", "sat"])
    >>> explorer.text
    'Query (0, 0). Weights: cat 0.50, sat 0.50. Context (2, 2), nearest to the value of cat.'
    """
    limit = REACH * float(np.abs(np.asarray(K, dtype=float)).max())
    x, y = (float(np.clip(value, -limit, limit)) for value in q)
    controls = {
        "x": slider("first number of q", x, -limit, limit, limit / 60),
        "y": slider("second number of q", y, -limit, limit, limit / 60),
    }

    def draw(x, y):
        return context_at([x, y], K, V, labels)

    return Explorer(draw, controls, "drive the context to a corner of the hull. Can it leave the hull?")
