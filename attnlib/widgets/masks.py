"""Explore masks: paint one on the scores, cell by cell, and see the weights follow."""

import numpy as np

from attnlib.plots import masked_weights, style
from attnlib.widgets.explorer import Explorer


def explore_mask(scores, mask=None, queries=None, keys=None):
    """Paint a mask on the scores, raise the scores of the last key, and watch the weights.

    Parameters
    ----------
    scores : ndarray of shape (n_queries, n_keys)
        Small: every cell is something to click at.
    mask : bool ndarray of shape (n_queries, n_keys), optional
        Where to start; True = may attend. Everything is allowed by default.
    queries, keys : list of str, optional
        Labels.

    Returns
    -------
    explorer : Explorer

    Examples
    --------
    >>> explorer = explore_mask([[0.0, 0.0]], [[True, False]], queries=["q"], keys=["a", "b"])
    >>> explorer.text
    'q may attend to a. Weights: q: a 1.00, b 0.00.'
    """
    scores = np.asarray(scores, dtype=float)
    mask = np.ones(scores.shape, dtype=bool) if mask is None else np.broadcast_to(mask, scores.shape)
    queries, keys = style.names(queries, len(scores), "q"), style.names(keys, scores.shape[1], "k")
    data = {"scores": scores, "mask": mask, "queries": queries, "keys": keys}
    return Explorer("mask", data, masked_weights(scores, mask, queries, keys))
