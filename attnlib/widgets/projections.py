"""Explore projections: turn queries and keys, and see the scores follow (or not)."""

from attnlib.plots import projected_scores
from attnlib.plots.projections import STRETCH
from attnlib.widgets.base import Explorer, slider


def explore_projections(X, W_q, W_k, tokens=None):
    """Turn the queries and the keys, stretch the queries, and watch scores and weights.

    Parameters
    ----------
    X : ndarray of shape (n, d_model)
    W_q, W_k : ndarray of shape (d_model, 2)
    tokens : list of str, optional

    Returns
    -------
    explorer : Explorer
        With the controls `angle_q`, `angle_k` (degrees) and `stretch`.

    Examples
    --------
    >>> I = [[1, 0], [0, 1]]
    >>> explorer = explore_projections([[1, 0], [0, 2]], I, I, ["cat", "sat"])
    >>> explorer.controls.angle_q.value = 90
    >>> explorer.text.split(". ")[1]
    'Scores: cat: 0.00, 1.41; sat: -1.41, 0.00'
    """
    controls = {
        "angle_q": slider("turn queries", 0, -180, 180, 5, readout_format=".0f"),
        "angle_k": slider("turn keys", 0, -180, 180, 5, readout_format=".0f"),
        "stretch": slider("stretch queries", 1.0, 0.0, STRETCH, 0.1),
    }

    def draw(angle_q, angle_k, stretch):
        return projected_scores(X, W_q, W_k, tokens, angle_q=angle_q, angle_k=angle_k, stretch=stretch)

    return Explorer(draw, controls, "turn queries and keys by the same angle. Then turn the queries alone.")
