"""Explore memory: spoil a stored picture and watch it being recalled, or not."""

import ipywidgets

from attnlib.plots import recall_steps, style
from attnlib.widgets.base import Explorer, log_slider, slider


def explore_recall(patterns, labels=None, *, noise=0.3, beta=0.25):
    """Choose a stored picture, how much of it is spoilt, beta and the number of updates.

    Parameters
    ----------
    patterns : ndarray of shape (n, d)
        The stored pictures; d a square number.
    labels : list of str, optional
    noise : float
        Share of flipped pixels at the start.
    beta : float
        At the start.

    Returns
    -------
    explorer : Explorer
        With the controls `memory` (a label), `noise` (up to one half), `beta` (from 0.01 to 10) and `steps` (0 to 5).

    Examples
    --------
    >>> from attnlib.plots import pixel_letters
    >>> explorer = explore_recall(pixel_letters("TX"), ["T", "X"])
    >>> explorer.controls.beta.value = 0.01
    >>> explorer.text.split(" Energy")[0]
    'Stored: T. 19 of 64 pixels flipped, beta 0.01, 1 update: all 64 pixels right. Weights: T 0.51, X 0.49.'
    """
    labels = style.names(labels, len(patterns), "p")
    controls = {
        "memory": ipywidgets.Dropdown(
            options=labels, value=labels[0], description="stored picture", style={"description_width": "initial"}
        ),
        "noise": slider("share of flipped pixels", noise, 0, 0.5, 0.02),
        "beta": log_slider("beta", beta, -2.0, 1.0),
        "steps": slider("updates", 1, 0, 5, 1, readout_format=".0f"),
    }

    def draw(memory, noise, beta, steps):
        return recall_steps(patterns, labels.index(memory), noise, beta, steps, labels)

    return Explorer(draw, controls, "lower beta until the picture blurs. Then flip more and more pixels.")
