"""Vectors as arrows in the plane, with their directions and their lengths."""

import numpy as np
from matplotlib.ticker import MaxNLocator

from attnlib.plots import style
from attnlib.plots.labels import along, place_labels, zero_lines
from attnlib.plots.picture import Picture

REACH = 1.5  # how far a moved vector may be stretched, in lengths of the longest one


def plane(figure, left, bottom, width, height, points, title="", *, margin=0.16, reach=None):
    """A panel for the plane with equal scales; sizes in inches.

    The origin and all points (n, 2) are inside; or, with a reach, all that is within that distance of the origin.
    """
    axes = style.panel(figure, left, bottom, width, height, title)
    if reach is not None:
        half = reach * np.array([width, height]) / min(width, height)
        axes.set(xlim=(-half[0], half[0]), ylim=(-half[1], half[1]))
        draw_grid(axes)
        return axes
    points = np.vstack([np.zeros(2), np.asarray(points, dtype=float).reshape(-1, 2)])
    low, high = points.min(axis=0), points.max(axis=0)
    per_inch = (((high - low) / (width, height)).max() or 2 / min(width, height)) * (1 + 2 * margin)
    middle, half = (low + high) / 2, per_inch * np.array([width, height]) / 2
    axes.set_xlim(middle[0] - half[0], middle[0] + half[0])
    axes.set_ylim(middle[1] - half[1], middle[1] + half[1])
    draw_grid(axes)
    return axes


def draw_grid(axes):
    """Draw grid, zero lines and numbers for limits already set; by hand, because Matplotlib's own ticks are slow."""
    axes.set_axis_off()
    (left, right), (low, high) = axes.get_xlim(), axes.get_ylim()
    # One step for both axes, so that the grid's squares are squares.
    ticks = MaxNLocator(6, steps=[1, 2, 5, 10]).tick_values(0, max(right - left, high - low))
    across, up = (_multiples(ticks[1] - ticks[0], *limits) for limits in ((left, right), (low, high)))
    axes.vlines(across, low, high, color=style.FAINT, linewidth=0.6, zorder=0)
    axes.hlines(up, left, right, color=style.FAINT, linewidth=0.6, zorder=0)
    axes.vlines([0], low, high, color=style.MUTED, linewidth=1, zorder=1)
    axes.hlines([0], left, right, color=style.MUTED, linewidth=1, zorder=1)
    inch = (high - low) / (axes.get_position().height * axes.figure.get_figheight())
    font = {"fontsize": style.SMALL, "color": style.MUTED}
    for t in across:
        axes.text(t, low - 0.06 * inch, f"{t:g}".replace("-", "\N{MINUS SIGN}"), ha="center", va="top", **font)
    for t in up:
        label = f"{t:g}".replace("-", "\N{MINUS SIGN}")
        axes.text(left - 0.06 * inch, t, label, ha="right", va="center", **font)


def _multiples(step, low, high):
    return (np.arange(np.ceil(low / step), np.floor(high / step) + 1) * step + 0.0).round(9)


def draw_arrow(axes, vector, role_name, start=(0, 0), **kwargs):
    """Draw one arrow with the marker of its role at the tip; a zero vector is its marker alone."""
    role = style.role(role_name)
    tip = np.add(start, vector)
    wide = role_name == "key"  # so that a query that equals a key does not hide it
    if np.any(vector):
        style.pointer(axes, start, tip, color=role.color, line=4 if wide else 1.8, size=19 if wide else 13, **kwargs)
    axes.plot(*tip, marker=role.marker, color=role.color, markersize=5, markeredgecolor=role.ink, zorder=4)


def two_columns(vectors, name):
    """Return vectors as a float array of shape (n, 2)."""
    vectors = np.asarray(vectors, dtype=float)
    if vectors.ndim != 2 or vectors.shape[1] != 2:
        raise ValueError(f"{name} must have shape (n, 2) to be drawn in the plane; got shape {vectors.shape}")
    return vectors


def pair(vector):
    """Write a vector (2,) for people, as in (0.5, 2)."""
    return f"({', '.join(f'{x:g}' for x in np.round(vector, 2) + 0.0)})".replace("-", "\N{MINUS SIGN}")


def arrows(vectors, labels=None, roles="key", *, title=""):
    """Draw vectors as arrows from the origin.

    Parameters
    ----------
    vectors : ndarray of shape (n, 2)
    labels : list of str, optional
    roles : str or list of str
        One of `ROLES` for all, or one for each.
    title : str

    Returns
    -------
    picture : Picture

    Examples
    --------
    >>> arrows([[3, 4], [1, 0]], ["cat", "dog"]).alt
    'Arrows from the origin: cat to (3, 4), length 5.00; dog to (1, 0), length 1.00.'
    """
    vectors = two_columns(vectors, "vectors")
    labels = style.names(labels, len(vectors), "v")
    roles = [roles] * len(vectors) if isinstance(roles, str) else list(roles)
    width, height = 5.4, 4.4 + (0.3 if title else 0)
    figure, area = style.sheet(width, height)
    axes = plane(figure, 0.5, 0.4, width - 0.7, 3.8, vectors)
    for vector, role_name in zip(vectors, roles, strict=True):
        draw_arrow(axes, vector, role_name)
    lines = np.vstack([along(np.zeros_like(vectors), 0.95 * vectors), zero_lines(axes)])
    colors = [style.role(name).ink for name in roles]
    place_labels(axes, vectors, labels, colors=colors, size=style.TEXT + 1, gap=0.1, avoid=lines)
    if title:
        style.heading(area, width, height, title)
    lengths = np.linalg.norm(vectors, axis=1)
    said = [f"{label} to {pair(v)}, length {n:.2f}" for label, v, n in zip(labels, vectors, lengths, strict=True)]
    return Picture(figure, (f"{title}. " if title else "") + f"Arrows from the origin: {'; '.join(said)}.")


def polar(vector, angle=None, length=None):
    """The angle in degrees and the length of a vector (2,), where they are not given."""
    vector = np.asarray(vector, dtype=float)
    angle = float(np.degrees(np.arctan2(vector[1], vector[0]))) if angle is None else float(angle)
    length = float(np.linalg.norm(vector)) if length is None else float(length)
    return angle, length
