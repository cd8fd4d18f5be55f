"""Labels that keep out of each other's way."""

from itertools import product

import numpy as np

from attnlib.plots import style

PAPER = {"facecolor": style.PAPER, "alpha": 0.75, "edgecolor": "none", "pad": 0.6}  # lines stay out of the letters
# Where a label may stand, seen from its point: horizontally and vertically, -1 to 1; the first that is free is taken,
# then the same farther away, where a thin line leads back to the point.
PLACES = [(1, 0), (-1, 0), (0, 1), (0, -1), (1, 1), (-1, 1), (1, -1), (-1, -1)]
RINGS = [1, 3, 5, 8]
MARKER = 0.06  # inches that a marker takes to each side
PAD = np.array([-0.04, 0, 0.04, 0])  # inches that words side by side are apart


def place_labels(axes, points, texts, *, colors=style.INK, size=style.TEXT, keep=None, gap=0.07, bold=(), avoid=()):
    """Write a label beside each point so that no label covers another or a point.

    Parameters
    ----------
    axes : matplotlib.axes.Axes
        With its limits already set.
    points : ndarray of shape (n, 2)
    texts : list of str
        In order of importance: the first choose first.
    colors : str or list of str
    size : float
        In points.
    keep : int, optional
        The first `keep` labels are always written (all of them by default); of the others, those without a free
        place are left out.
    gap : float
        Distance from point to label, in inches.
    bold : collection of int
        Which labels are written bold.
    avoid : ndarray of shape (m, 2)
        Other points that the labels keep off where they can, such as those along an arrow.

    Returns
    -------
    written : list of int
        The indices of the labels that found a place.
    """
    points = np.asarray(points, dtype=float).reshape(-1, 2)
    colors = [colors] * len(texts) if isinstance(colors, str) else colors
    keep = len(texts) if keep is None else keep
    low, high = np.array([axes.get_xlim(), axes.get_ylim()]).T
    box = axes.get_position()
    paper = np.array([box.width, box.height]) * axes.figure.get_size_inches()
    per_inch = (high - low) / paper
    spots = (points - low) / per_inch  # in inches from the lower left corner of the axes
    shunned = (np.asarray(avoid, dtype=float).reshape(-1, 2) - low) / per_inch
    height = 1.25 * size / 72
    taken = np.empty((0, 4))  # left, bottom, right, top of the labels written so far
    written = []
    for i, text in enumerate(texts):
        width = style.text_width(text, size, "bold" if i in bold else "normal")
        best = None
        for order, (ring, (across, up)) in enumerate(product(RINGS, PLACES)):
            away = gap * ring * (0.75 if across and up else 1)
            x = spots[i, 0] + across * away + (across - 1) * width / 2
            y = spots[i, 1] + up * away + (up - 1) * height / 2
            rectangle = np.array([x, y, x + width, y + height])
            faults = (
                4 * _overlaps(taken, rectangle)
                + _contained(spots, rectangle, i, MARKER)
                + _inside(shunned, rectangle, 0.02).any()
            )
            # Beside somebody else's point a label would be read as that one's.
            unclear = 0.3 * _contained(spots, rectangle, i, MARKER + gap)
            outside = (rectangle[:2] < -0.05).any() or (rectangle[2:] > paper + 0.05).any()
            cost = faults + min(unclear, 0.9) + 6 * outside + order / 1000
            if best is None or cost < best[0]:
                best = cost, rectangle, ring
        cost, rectangle, ring = best
        if cost >= 1 and i >= keep:
            continue
        x, y = low + (rectangle[:2] + rectangle[2:]) / 2 * per_inch
        if ring > 1:
            end = low + np.clip(spots[i], rectangle[:2], rectangle[2:]) * per_inch
            axes.plot(*np.array([points[i], end]).T, color=colors[i], linewidth=0.9, zorder=1.5)
        weight = "bold" if i in bold else "normal"
        font = {"fontsize": size, "color": colors[i], "fontweight": weight}
        axes.text(x, y, text, ha="center", va="center", bbox=PAPER, zorder=6, **font)
        taken = np.vstack([taken, rectangle + PAD])
        written.append(i)
    return written


def along(starts, ends, steps=40):
    """Points along lines, for `avoid`; the ends themselves, where points have their labels, are not among them.

    Parameters
    ----------
    starts, ends : ndarray of shape (2,) or (n, 2)
    steps : int

    Returns
    -------
    points : ndarray of shape (n * (steps - 1), 2)
    """
    starts, ends = np.atleast_2d(starts).astype(float), np.atleast_2d(ends).astype(float)
    way = np.linspace(0, 1, steps + 1)[1:-1, None, None]
    return (starts + way * (ends - starts)).reshape(-1, 2)


def zero_lines(axes):
    """Points along the lines of zero of a plane, for `avoid`."""
    (left, right), (low, high) = axes.get_xlim(), axes.get_ylim()
    return along([[left, 0], [0, low]], [[right, 0], [0, high]], steps=100)


def _overlaps(taken, rectangle):
    left, bottom, right, top = rectangle
    return ((taken[:, 0] < right) & (taken[:, 2] > left) & (taken[:, 1] < top) & (taken[:, 3] > bottom)).sum()


def _contained(spots, rectangle, own, margin):
    """How many of the spots, but for its own, lie in a rectangle or nearer to it than the margin."""
    # Spots in the same place share what is written beside them.
    inside = _inside(spots, rectangle, margin) & (np.abs(spots - spots[own]) > 0.02).any(axis=1)
    return inside.sum()


def _inside(spots, rectangle, margin):
    return ((spots > rectangle[:2] - margin) & (spots < rectangle[2:] + margin)).all(axis=1)
