"""Explore softmax: change scores and temperature, and see weights and entropy."""

import numpy as np

from attnlib.plots import softmax_at, style
from attnlib.widgets.base import Explorer, log_slider, slider


def explore_softmax(scores, labels=None):
    """Change the temperature and the scores, one by one or all together, and watch the weights and their entropy.

    Parameters
    ----------
    scores : ndarray of shape (n,)
    labels : list of str, optional

    Returns
    -------
    explorer : Explorer
        With the controls `temperature`, from 0.05 to 20, `score_0` to ``score_{n-1}``, and `shift`, which is added to
        all scores.

    Examples
    --------
    >>> explorer = explore_softmax([1, 0], ["cat", "dog"])
    >>> explorer.controls.temperature.value = 0.1
    >>> explorer.text.split(" Entropy")[0]
    'Temperature 0.1. Scores: cat 1.00, dog 0.00. Weights: cat 1.00, dog 0.00.'
    """
    scores = np.asarray(scores, dtype=float)
    labels = style.names(labels, len(scores), "k")
    limit = max(4.0, float(np.ceil(np.abs(scores).max())))
    controls = {"temperature": log_slider("temperature", 1.0, -1.3, 1.3)}
    for i, (label, score) in enumerate(zip(labels, scores, strict=True)):
        controls[f"score_{i}"] = slider(f"score of {label}", float(score), -limit, limit, 0.01)
    controls["shift"] = slider("added to all", 0.0, -limit, limit, 0.1)

    def draw(temperature, shift, **scores):
        return softmax_at(np.array(list(scores.values())) + shift, temperature, labels)

    return Explorer(draw, controls, "cool it down, heat it up. Then add the same number to every score.")
