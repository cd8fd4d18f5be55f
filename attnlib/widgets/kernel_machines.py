"""Explore kernel regression: change the bandwidth and the query, and see weights and curve."""

import numpy as np

from attnlib.plots import kernel_regression
from attnlib.widgets.base import Explorer, log_slider, slider


def explore_bandwidth(x, y, bandwidth=1.0, at=None, *, x_name="x", y_name="y"):
    """Change the bandwidth and move the query, and watch its weights and the smoothed curve.

    Parameters
    ----------
    x, y : ndarray of shape (n,)
        The keys and their values.
    bandwidth : float
    at : float, optional
        The query; the middle of x by default.
    x_name, y_name : str
        What the axes measure.

    Returns
    -------
    explorer : Explorer
        With the controls `bandwidth` and `at`.

    Examples
    --------
    >>> explorer = explore_bandwidth([0, 1, 2], [10, 20, 60])
    >>> explorer.controls.bandwidth.value = 100
    >>> explorer.text.split(":")[0]
    'Bandwidth 100. At x = 1 the curve is at y = 30.0'
    """
    x, y = np.asarray(x, dtype=float), np.asarray(y, dtype=float)
    low, high = float(x.min()), float(x.max())
    middle = (low + high) / 2
    spacing = (high - low) / max(len(x) - 1, 1) or 1.0
    controls = {
        # From a bell that sees only its own point to one that sees all points alike.
        "bandwidth": log_slider("bandwidth h", bandwidth, np.log10(0.2 * spacing), np.log10(100 * (high - low) or 1.0)),
        "at": slider(f"query ({x_name})", middle if at is None else at, low, high, (high - low) / 200 or 0.05),
    }

    def draw(bandwidth, at):
        return kernel_regression(x, y, bandwidth, at, x_name=x_name, y_name=y_name)

    return Explorer(draw, controls, "make the bell narrow, then very wide. Then move the query along.")
