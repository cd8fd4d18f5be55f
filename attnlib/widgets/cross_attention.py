"""Explore an alignment: choose who asks, and how sharply."""

import ipywidgets

from attnlib.plots import alignment_at
from attnlib.widgets.base import Explorer, log_slider


def explore_alignment(target, source, X_target, X_source):
    """Choose a word of the target and a temperature, and see which words of the source it attends to.

    Parameters
    ----------
    target, source : list of str
    X_target : ndarray of shape (n_queries, d)
    X_source : ndarray of shape (n_keys, d)

    Returns
    -------
    explorer : Explorer
        With the controls `word`, the place of the target word, and `temperature`, from 0.01 to 10.

    Examples
    --------
    >>> explorer = explore_alignment(["big", "home"], ["large", "house"], [[1, 0], [0, 1]], [[1, 0], [0, 1]])
    >>> explorer.controls.word.value, explorer.controls.temperature.value = 1, 1
    >>> explorer.text
    'Temperature 1. “home” attends to large 0.27, house 0.73.'
    """
    target = [str(word) for word in target]
    controls = {
        "word": ipywidgets.Dropdown(
            options=[(word, i) for i, word in enumerate(target)],
            value=0,
            description="who asks",
            style={"description_width": "initial"},
            layout={"width": "16em"},
        ),
        "temperature": log_slider("temperature", 0.1, -2, 1),
    }

    def draw(word, temperature):
        return alignment_at(target, source, X_target, X_source, word=word, temperature=temperature)

    return Explorer(draw, controls, "heat it up until the word can no longer tell whom to ask.")
