"""Explore scores: turn and stretch one vector and see who is nearest by three measures."""

import numpy as np

from attnlib.plots import score_views, style
from attnlib.plots.vectors import REACH, polar
from attnlib.widgets.base import Explorer, slider


def explore_scores(Q, K, queries=None, keys=None, *, move="query", index=0):
    """Turn and stretch one query or key and watch the score matrix and the nearest keys.

    Parameters
    ----------
    Q : ndarray of shape (n_queries, 2)
    K : ndarray of shape (n_keys, 2)
    queries, keys : list of str, optional
        Labels.
    move : {"query", "key"}
    index : int
        Which query or key moves.

    Returns
    -------
    explorer : Explorer
        With the controls `angle` (degrees) and `length`.

    Examples
    --------
    >>> explorer = explore_scores([[1, 2]], [[1, 2], [2, 0], [-1, 3]])
    >>> explorer.controls.angle.value = 0
    >>> explorer.text
    'q1 has length 2.24 and angle 0 degrees. q1 chooses k2 by dot product, k2 by cosine, k2 by distance.'
    """
    Q, K = np.asarray(Q, dtype=float), np.asarray(K, dtype=float)
    moved = (Q if move == "query" else K)[index]
    angle, length = polar(moved)
    longest = REACH * float(np.linalg.norm(np.vstack([Q, K]), axis=1).max())
    labels = style.names(queries, len(Q), "q") if move == "query" else style.names(keys, len(K), "k")
    name = f"{move} {labels[index]}"
    controls = {
        "angle": slider(f"angle of {name}", round(angle), -180, 180, 1, readout_format=".0f"),
        "length": slider(f"length of {name}", length, 0.0, longest, longest / 100),
    }

    def draw(angle, length):
        return score_views(Q, K, queries, keys, move=move, index=index, angle=angle, length=length)

    return Explorer(draw, controls, "change the length alone. Which of the three measures cares?")
