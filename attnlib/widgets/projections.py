"""Explore projections: take queries and keys by their tips, and see the scores follow (or not)."""

import numpy as np

from attnlib.plots import projected_scores, style
from attnlib.widgets.explorer import Explorer


def explore_projections(X, W_q, W_k, tokens=None):
    """Turn and stretch all queries or all keys at once; watch the projections, scores and weights.

    Parameters
    ----------
    X : ndarray of shape (n, d_model)
    W_q, W_k : ndarray of shape (d_model, 2)
    tokens : list of str, optional

    Returns
    -------
    explorer : Explorer

    Raises
    ------
    ValueError
        If the queries or the keys cannot be drawn in the plane.

    Examples
    --------
    >>> I = [[1, 0], [0, 1]]
    >>> explorer = explore_projections([[1, 0], [0, 2]], I, I, ["cat", "sat"])
    >>> explorer.text.split(". ")[1]
    'Scores: cat: 0.71, 0.00; sat: 0.00, 2.83'
    """
    picture = projected_scores(X, W_q, W_k, tokens)
    X, W_q, W_k = (np.asarray(one, dtype=float) for one in (X, W_q, W_k))
    longest = np.linalg.norm(np.vstack([X @ W_q, X @ W_k]), axis=1).max()
    data = {"X": X, "W_q": W_q, "W_k": W_k, "tokens": style.names(tokens, len(X), "x"), "longest": longest or 1.0}
    return Explorer("projections", data, picture)
