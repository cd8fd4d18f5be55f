"""Explore kernel regression: drag the query and the edge of its bell, and see weights, curve and error follow."""

import numpy as np

from attnlib.plots import kernel_regression, style
from attnlib.widgets.explorer import Explorer


def explore_bandwidth(x, y, bandwidth=1.0, at=None, *, x_name="x", y_name="y"):
    """Drag the query along the curve and the edge of its bell; watch the weights, the curve and its error follow.

    Parameters
    ----------
    x, y : ndarray of shape (n,)
        The keys, rising, and their values; at least two of each.
    bandwidth : float
    at : float, optional
        The query; by default the key in the middle. It moves from key to key where they are evenly spaced.
    x_name, y_name : str
        What the axes measure.

    Returns
    -------
    explorer : Explorer

    Examples
    --------
    >>> explorer = explore_bandwidth([0, 1, 2], [10, 20, 60], 100)
    >>> explorer.text.split(":")[0]
    'Bandwidth 100. At x = 1 the curve is at y = 30.0'
    """
    x, y = np.asarray(x, dtype=float), np.asarray(y, dtype=float)
    span = float(x[-1] - x[0])
    spacing = span / (len(x) - 1)
    even = np.allclose(np.diff(x), spacing)
    at = float(x[len(x) // 2] if at is None else at)
    data = {
        # Whole numbers take less room as such.
        "x": x.astype(int) if style.integral(x) else x,
        "y": y.astype(int) if style.integral(y) else y,
        "names": [x_name, y_name],
        "bandwidth": bandwidth,
        "at": at,
        "step": spacing if even else span / 200,
        # From a bell that sees only its own point to one that sees all points alike.
        "least": 0.2 * spacing,
        "most": 100 * span,
    }
    return Explorer("bandwidth", data, kernel_regression(x, y, bandwidth, at, x_name=x_name, y_name=y_name))
