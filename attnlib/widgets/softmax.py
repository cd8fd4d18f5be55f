"""Explore softmax: drag scores, weights and the temperature, and see powers, shares and entropy follow."""

import numpy as np

from attnlib.plots import softmax_at, style
from attnlib.widgets.explorer import Explorer


def explore_softmax(scores, labels=None):
    """Drag scores, one by one or all together, and the temperature; watch powers, weights and their entropy.

    For three keys the weights are a point in a triangle, too, which can be dragged: the scores follow.

    Parameters
    ----------
    scores : ndarray of shape (n,)
        Where the scores start; the temperature starts at 1.
    labels : list of str, optional

    Returns
    -------
    explorer : Explorer

    Raises
    ------
    ValueError
        If the scores are not one row, or the labels not one for each.

    Examples
    --------
    >>> explorer = explore_softmax([1, 0], ["cat", "dog"])
    >>> explorer.text.split(" Entropy")[0]
    'Temperature 1. Scores: cat 1.00, dog 0.00. Weights: cat 0.73, dog 0.27.'
    """
    picture = softmax_at(scores, 1.0, labels)
    scores = np.asarray(scores, dtype=float)
    return Explorer("softmax", {"scores": scores, "labels": style.names(labels, len(scores), "k")}, picture)
