"""Explore context vectors: drag a query, keys and values, and see weights and context follow."""

import numpy as np

from attnlib.plots import context_at, style
from attnlib.plots.vectors import REACH
from attnlib.widgets.explorer import Explorer


def explore_context(q, K, V, labels=None):
    """Drag a query, keys and values; watch scores, weights, and the context vector inside the hull of the values.

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

    Examples
    --------
    >>> explorer = explore_context([0, 0], [[1, 0], [0, 1]], [[4, 0], [0, 4]], ["cat", "sat"])
    >>> explorer.text
    'Query (0, 0). Weights: cat 0.50, sat 0.50. Context (2, 2), nearest to the value of cat.'
    """
    K, V = np.asarray(K, dtype=float), np.asarray(V, dtype=float)
    reach = REACH * float(np.abs(K).max())
    q = np.clip(np.asarray(q, dtype=float), -reach, reach)
    labels = style.names(labels, len(K), "k")
    data = {"q": q, "K": K, "V": V, "labels": labels, "reach": reach}
    return Explorer("context", data, context_at(q, K, V, labels))
