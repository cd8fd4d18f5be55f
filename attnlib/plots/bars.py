"""Numbers as bars, each with its name and its value."""

import numpy as np

from attnlib.plots import style
from attnlib.plots.picture import Picture


def row(x, name):
    x = np.asarray(x, dtype=float)
    if x.ndim != 1 or not x.size:
        raise ValueError(f"{name} must be one row of numbers, of shape (n,); got shape {x.shape}")
    return x


def bars(axes, values, labels, *, role="weights", bottom=0.0, top=None, decimals=2, label_size=style.TEXT, told=None):
    """Draw one labelled bar for each value, with its number at the end.

    Parameters
    ----------
    axes : matplotlib.axes.Axes
        From `style.panel`.
    values : ndarray of shape (n,)
    labels : list of str, length n
    role : str
        The colour; weights are coloured by their size.
    bottom : float
        Where the axis begins, unless a value lies lower.
    top : float, optional
        The upper end of the axis: the largest value by default.
    decimals : int
    label_size : float
    told : collection of int, optional
        The places of the bars that get their number; all by default.
    """
    places = np.arange(len(values))
    # As in a matrix of weights, dark means much; the lightest still shows on white.
    colors = style.weight_colors(0.25 + 0.75 * values) if role == "weights" else style.role(role).color
    axes.bar(places, values, width=0.72, color=colors, edgecolor=style.role(role).color, linewidth=0.8)
    low, high = min(values.min(), bottom), max(values.max(), 0.0) if top is None else top
    span = (high - low) or 1.0
    axes.set_xlim(-0.6, len(values) - 0.4)
    axes.set_ylim(low - (0.16 * span if low < 0 else 0), high + 0.16 * span)
    axes.axhline(0, color=style.MUTED, linewidth=0.8)
    slot = axes.get_position().width * axes.figure.get_figwidth() / (len(values) + 0.2)
    size = min(label_size, max(6.5, 100 * slot / 3.4))
    for place, value in zip(places, values, strict=True):
        if told is not None and place not in told:
            continue
        below = value < 0
        y = value + (-0.025 if below else 0.025) * span
        text = style.number(value, decimals)
        axes.text(place, y, text, ha="center", va="top" if below else "bottom", fontsize=size, color=style.INK)
    axes.set_axis_off()  # the names are written by hand, because Matplotlib's own ticks are slow
    slanted = max(style.text_width(label, label_size) for label in labels) > 0.95 * slot
    turn = {"rotation": 40, "ha": "right", "rotation_mode": "anchor"} if slanted else {"ha": "center"}
    for place, label in zip(places, labels, strict=True):
        spot = {
            "xy": (place, 0),
            "xycoords": ("data", "axes fraction"),
            "xytext": (0, -5),
            "textcoords": "offset points",
        }
        axes.annotate(label, va="top", fontsize=label_size, color=style.INK, **spot, **turn)


def listed(labels, values, decimals=2):
    return ", ".join(f"{label} {style.number(x, decimals)}" for label, x in zip(labels, values, strict=True))


def label_room(labels, slot):
    """Inches that labels need below bars which are `slot` inches apart, and left of the first bar's place."""
    widest = max(style.text_width(label, style.TEXT) for label in labels)
    if widest <= 0.95 * slot:
        return 0.4, 0.0
    return 0.25 + 0.65 * widest, max(0.0, 0.12 + 0.77 * style.text_width(labels[0], style.TEXT) - 0.5 * slot)


def weight_bars(weights, labels=None, *, title=""):
    """Draw one row of weights.

    Parameters
    ----------
    weights : ndarray of shape (n,)
    labels : list of str, optional
        Of the keys.
    title : str

    Returns
    -------
    picture : Picture

    Examples
    --------
    >>> weight_bars([0.2, 0.8], ["The", "cat"]).alt
    'Weights: The 0.20, cat 0.80.'
    """
    weights = row(weights, "weights")
    labels = style.names(labels, len(weights), "k")
    width = float(np.clip(0.85 * len(weights) + 0.8, 3.6, style.WIDTH))
    room, overhang = label_room(labels, (width - 0.6) / len(weights))
    left = max(0.3, overhang)
    width += left - 0.3
    height = 2.4 + room + (0.4 if title else 0)
    figure, area = style.sheet(width, height)
    bars(style.panel(figure, left, room, width - left - 0.3, 2.2), weights, labels)
    style.heading(area, width, height, title)
    return Picture(figure, f"{title or 'Weights'}: {listed(labels, weights)}.")
