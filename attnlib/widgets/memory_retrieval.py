"""Explore memory: paint or spoil a picture and watch it being recalled, or not."""

import numpy as np

from attnlib.plots import recall_steps, style
from attnlib.widgets.explorer import Explorer


def explore_recall(patterns, labels=None, *, noise=0.3, beta=0.25):
    """Paint a picture or spoil a stored one, and update it step by step, down the landscape of its energy.

    Parameters
    ----------
    patterns : ndarray of shape (n, d)
        The stored pictures, at least two; d a square number.
    labels : list of str, optional
    noise : float
        Share of flipped pixels at the start; they are those that `plots.recall_steps` flips.
    beta : float
        At the start.

    Returns
    -------
    explorer : Explorer

    Raises
    ------
    ValueError
        If fewer than two pictures are stored, or they are not square.

    Examples
    --------
    >>> from attnlib.plots import pixel_letters
    >>> explorer = explore_recall(pixel_letters("TX"), ["T", "X"], beta=0.01)
    >>> explorer.text.split(" Energy")[0]
    'Stored: T. 19 of 64 pixels flipped, beta 0.01, 1 update: all 64 pixels right. Weights: T 0.51, X 0.49.'
    """
    patterns = np.asarray(patterns, dtype=float)
    if len(patterns) < 2:
        raise ValueError(f"patterns must be at least two; got {len(patterns)}")
    labels = style.names(labels, len(patterns), "p")
    order = np.random.default_rng(0).permutation(patterns.shape[1])  # that of plots.flip_pixels
    data = {"patterns": patterns, "labels": labels, "order": order, "noise": noise, "beta": beta}
    return Explorer("recall", data, recall_steps(patterns, 0, noise, beta, 1, labels))
