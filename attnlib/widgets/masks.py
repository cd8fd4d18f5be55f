"""Explore masks: paint one cell by cell, and see the weights follow."""

import ipywidgets
import numpy as np

from attnlib.plots import masked_weights, style
from attnlib.widgets.base import Explorer, slider


def explore_mask(scores, mask=None, queries=None, keys=None):
    """Allow and forbid single cells of a mask, raise the scores of the last key, and watch the weights.

    Parameters
    ----------
    scores : ndarray of shape (n_queries, n_keys)
        Small: every cell gets a button.
    mask : bool ndarray of shape (n_queries, n_keys), optional
        Where to start; everything is allowed by default.
    queries, keys : list of str, optional
        Labels.

    Returns
    -------
    explorer : Explorer
        With the controls ``cell_{i}_{j}`` (True = query i may attend to key j) and `louder` (what is added to all
        scores of the last key).

    Examples
    --------
    >>> explorer = explore_mask([[0.0, 0.0]], queries=["q"], keys=["a", "b"])
    >>> explorer.controls.cell_0_1.value = False
    >>> explorer.text
    'q may attend to a. Weights: q: a 1.00, b 0.00.'
    """
    scores = np.asarray(scores, dtype=float)
    mask = np.ones(scores.shape, dtype=bool) if mask is None else np.asarray(mask)
    queries, keys = style.names(queries, len(scores), "q"), style.names(keys, scores.shape[1], "k")
    controls = {"louder": slider(f"louder: {keys[-1]}", 0.0, 0.0, 10.0, 0.5)}
    for (i, j), allowed in np.ndenumerate(mask):
        controls[f"cell_{i}_{j}"] = ipywidgets.ToggleButton(
            value=bool(allowed),
            description=keys[j],
            icon=_icon(allowed),
            tooltip=f"may {queries[i]} attend to {keys[j]}?",
            layout={"width": "auto"},
        )

    def draw(louder, **cells):
        allowed = np.array(list(cells.values()), dtype=bool).reshape(scores.shape)
        return masked_weights(scores + louder * np.eye(scores.shape[1])[-1], allowed, queries, keys)

    explorer = Explorer(draw, controls, "forbid the future, cell by cell. Then make the last key louder.")
    buttons = [control for name, control in controls.items() if name != "louder"]
    for button in buttons:
        button.observe(_show_state, "value")
    advice, _, picture, sentence = explorer.children
    painting = ipywidgets.VBox([controls["louder"], _grid(buttons, queries, scores.shape[1])])
    explorer.children = (advice, painting, picture, sentence)
    return explorer


def _grid(buttons, queries, n_keys):
    """The buttons as a matrix, each row after the name of its query."""
    cells = []
    for i, query in enumerate(queries):
        cells += [ipywidgets.Label(f"{query} sees"), *buttons[i * n_keys : (i + 1) * n_keys]]
    columns = f"max-content repeat({n_keys}, minmax(4.5em, 7em))"
    return ipywidgets.GridBox(cells, layout={"grid_template_columns": columns, "grid_gap": "2px 4px"})


def _icon(allowed):
    return "check" if allowed else "times"


def _show_state(change):
    change["owner"].icon = _icon(change["new"])
