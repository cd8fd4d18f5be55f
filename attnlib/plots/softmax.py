"""How softmax makes weights, what temperature does to them, how spread out they are."""

import numpy as np

import attnlib
from attnlib.plots import style
from attnlib.plots.bars import bars, label_room, listed, row
from attnlib.plots.picture import Picture


def softmax_steps(scores, labels=None, *, temperature=1.0, shift=True):
    """Draw the steps of a softmax with their numbers, all bars to one scale.

    Parameters
    ----------
    scores : ndarray of shape (n,)
    labels : list of str, optional
    temperature : float
    shift : bool
        Whether the largest score is taken off first: a step of its own.

    Returns
    -------
    picture : Picture

    Examples
    --------
    >>> softmax_steps([2, 1], ["cat", "dog"]).alt.split(". ")[-1]
    '4 divided by 1.37: cat 0.73, dog 0.27.'
    """
    scores = row(scores, "scores")
    labels = style.names(labels, len(scores), "k")
    divided = scores / temperature
    shifted = divided - divided.max() if shift else divided
    powers = np.exp(shifted)
    steps = [("scores" if temperature == 1 else f"scores / {temperature:g}", divided, "scores")]
    if shift:
        steps.append(("minus the largest", shifted, "scores"))
    steps.append(("e to the score", powers, "scores"))
    steps.append((f"divided by {style.number(powers.sum())}", attnlib.softmax(divided), "weights"))
    steps = [(f"{i} {title}", values, role) for i, (title, values, role) in enumerate(steps, start=1)]
    drawn = np.concatenate([values for _, values, _ in steps])
    ends = {"bottom": min(drawn.min(), 0.0), "top": drawn.max()}
    room, overhang = label_room(labels, 1.9 / len(scores))
    height, first = 2.2 + room + 0.45, max(0.2, overhang)
    figure, area = style.sheet(style.WIDTH + first - 0.2, height)
    each = 8.92 / len(steps)
    for i, (title, values, role) in enumerate(steps):
        left = first + each * i
        bars(style.panel(figure, left, room, each - 0.28, 2.2, title), values, labels, role=role, **ends)
        if i:
            style.pointer(area, (left - 0.27, room + 1.1), (left - 0.03, room + 1.1))
    said = [f"{title}: {listed(labels, values)}" for title, values, _ in steps]
    return Picture(figure, f"Softmax in {'four' if shift else 'three'} steps. {'. '.join(said)}.")


def temperature_family(scores, labels=None, temperatures=(0.1, 0.5, 1, 2, 10)):
    """Draw the weights of the same scores at several temperatures, cold to hot.

    Parameters
    ----------
    scores : ndarray of shape (n,)
    labels : list of str, optional
    temperatures : sequence of float

    Returns
    -------
    picture : Picture

    Examples
    --------
    >>> print(temperature_family([1, 0], ["cat", "dog"], temperatures=(0.1, 10)).alt)
    Softmax at 2 temperatures. T = 0.1: cat 1.00, dog 0.00. T = 10: cat 0.52, dog 0.48.
    """
    scores = row(scores, "scores")
    labels = style.names(labels, len(scores), "k")
    each = (style.WIDTH - 0.3) / len(temperatures)
    room, overhang = label_room(labels, (each - 0.2) / len(scores))
    first = max(0.2, overhang)
    each -= (first - 0.2) / len(temperatures)
    height = 1.9 + room + 0.8
    figure, area = style.sheet(style.WIDTH, height)
    said = []
    for i, temperature in enumerate(temperatures):
        weights = attnlib.softmax_with_temperature(scores, temperature)
        left = first + each * i
        bars(style.panel(figure, left, room, each - 0.2, 1.8, f"T = {temperature:g}"), weights, labels, top=1.0)
        said.append(f"T = {temperature:g}: {listed(labels, weights)}.")
    y = height - 0.25
    cold, hot = "cold: the best take all", "hot: all the same"
    ends = 0.35 + style.text_width(cold, style.TEXT), style.WIDTH - 0.35 - style.text_width(hot, style.TEXT)
    style.pointer(area, (ends[0], y), (ends[1], y))
    area.text(0.2, y, cold, fontsize=style.TEXT, color=style.INK, va="center_baseline")
    area.text(style.WIDTH - 0.2, y, hot, fontsize=style.TEXT, color=style.INK, va="center_baseline", ha="right")
    return Picture(figure, f"Softmax at {len(temperatures)} temperatures. {' '.join(said)}")


def softmax_at(scores, temperature=1.0, labels=None):
    """Draw scores, their weights at a temperature, and the entropy of the weights on its scale.

    Parameters
    ----------
    scores : ndarray of shape (n,)
    temperature : float
    labels : list of str, optional

    Returns
    -------
    picture : Picture

    Examples
    --------
    >>> print(softmax_at([1, 0], 1.0, ["cat", "dog"]).alt)
    Temperature 1. Scores: cat 1.00, dog 0.00. Weights: cat 0.73, dog 0.27. \
Entropy 0.58 of at most 0.69 nats: as spread out as 1.79 equal shares.
    """
    scores = row(scores, "scores")
    labels = style.names(labels, len(scores), "k")
    weights = attnlib.softmax_with_temperature(scores, temperature)
    entropy = float(attnlib.entropy(weights))
    room, overhang = label_room(labels, 3.9 / len(scores))
    left = max(0.3, overhang)
    height = 3.95 + room
    figure, area = style.sheet(style.WIDTH, height)
    bottom = room + 0.95
    score_axes = style.panel(figure, left, bottom, 4.2 - left, 2.45, "scores")
    bars(score_axes, scores, labels, role="scores")
    # A scale that holds still while a slider moves: at least from -1 to 3.
    low, high = min(-1.0, scores.min()), max(3.0, scores.max())
    score_axes.set_ylim(low - 0.14 * (high - low), high + 0.14 * (high - low))
    bars(
        style.panel(figure, 4.8, bottom, 3.9, 2.45, f"weights = softmax(scores / {temperature:.3g})"),
        weights,
        labels,
        top=1.0,
    )
    style.pointer(area, (4.25, bottom + 1.2), (4.7, bottom + 1.2))
    _entropy_gauge(area, 0.3, 0.42, style.WIDTH - 0.6, entropy, len(scores))
    spread = f"as spread out as {style.number(np.exp(entropy))} equal shares"
    most = style.number(np.log(len(scores)))
    facts = f"Temperature {temperature:.3g}. Scores: {listed(labels, scores)}. Weights: {listed(labels, weights)}."
    return Picture(figure, f"{facts} Entropy {style.number(entropy)} of at most {most} nats: {spread}.")


def _entropy_gauge(area, x, y, width, entropy, n):
    """A bar from 0 to ln n that is filled up to the entropy."""
    limit = np.log(n) if n > 1 else 1.0
    start, length = x + 1.35, width - 3.2
    area.text(x, y, "entropy", fontsize=style.TEXT, fontweight="bold", color=style.INK, va="center_baseline")
    area.text(start - 0.1, y, "0", fontsize=style.TEXT, color=style.MUTED, va="center_baseline", ha="right")
    style.box(area, start, y - 0.1, length, 0.2, fill="#EEF0F3", edge=style.FAINT, radius=0.02)
    filled = length * min(entropy / limit, 1.0)
    if filled > 0.01:
        style.box(area, start, y - 0.1, filled, 0.2, fill=style.role("weights").color, edge="none", radius=0.02)
    most = f"ln {n} = {style.number(np.log(n))}"
    area.text(start + length + 0.1, y, most, fontsize=style.TEXT, color=style.MUTED, va="center_baseline")
    now = f"{style.number(entropy)} nats"
    half = style.text_width(now, style.TEXT, "bold") / 2
    middle = float(np.clip(start + filled, start + half, start + length - half))
    area.text(middle, y + 0.17, now, fontsize=style.TEXT, fontweight="bold", color=style.INK, ha="center", va="bottom")


def entropy_gallery(distributions, labels=None, titles=None):
    """Draw rows of weights side by side, each with its entropy.

    Parameters
    ----------
    distributions : list of m ndarrays of shape (n,)
    labels : list of str, optional
        Of the n keys.
    titles : list of str, optional
        Of the m rows.

    Returns
    -------
    picture : Picture

    Examples
    --------
    >>> print(entropy_gallery([[1, 0], [0.5, 0.5]], ["cat", "dog"], ["certain", "open"]).alt)
    certain: cat 1.00, dog 0.00; entropy 0.00 nats, like 1.00 equal shares. \
open: cat 0.50, dog 0.50; entropy 0.69 nats, like 2.00 equal shares.
    """
    rows = [row(p, "distributions") for p in distributions]
    labels = style.names(labels, len(rows[0]), "k")
    titles = style.names(titles, len(rows), "row ")
    each = min(3.6, (style.WIDTH - 0.3) / len(rows))
    width = 0.3 + each * len(rows)
    room, overhang = label_room(labels, (each - 0.3) / len(labels))
    first = max(0.3, overhang)
    figure, area = style.sheet(width + first - 0.3, room + 3.0)
    said = []
    for i, (title, p) in enumerate(zip(titles, rows, strict=True)):
        left = first + each * i
        entropy = float(attnlib.entropy(p))
        bars(style.panel(figure, left, room + 0.55, each - 0.3, 1.9, title), p, labels, top=1.0)
        centre = left + (each - 0.3) / 2
        spread = f"like {style.number(np.exp(entropy))} equal shares"
        font = {"ha": "center", "color": style.INK}
        area.text(centre, 0.4, f"entropy {style.number(entropy)} nats", fontsize=style.TEXT, fontweight="bold", **font)
        area.text(centre, 0.15, spread, fontsize=style.SMALL, **font)
        said.append(f"{title}: {listed(labels, p)}; entropy {style.number(entropy)} nats, {spread}.")
    return Picture(figure, " ".join(said))


def entropy_curve(scores, *, mark=None):
    """Draw the entropy of the weights against the temperature.

    Parameters
    ----------
    scores : ndarray of shape (n,)
    mark : float, optional
        A temperature to point out.

    Returns
    -------
    picture : Picture

    Examples
    --------
    >>> print(entropy_curve([1, 0], mark=1).alt)
    The entropy of softmax(scores / T) rises with T from 0.00 at T = 0.05 to 0.69 at T = 20; \
its limit is ln 2 = 0.69. At T = 1 it is 0.58.
    """
    scores = row(scores, "scores")
    temperatures = np.geomspace(0.05, 20, 121)
    weights = np.stack([attnlib.softmax_with_temperature(scores, t) for t in temperatures])
    curve = attnlib.entropy(weights)
    limit = np.log(len(scores))
    figure = style.blank(6.6, 3.6)
    axes = style.panel(figure, 0.75, 0.65, 5.6, 2.55, "Hotter means more spread out")
    axes.plot(temperatures, curve, color=style.role("weights").color, linewidth=2.4)
    axes.axhline(limit, color=style.MUTED, linestyle="--", linewidth=1.2)
    axes.text(
        0.056, limit, f"ln {len(scores)} = {limit:.2f}: all equal", fontsize=style.TEXT, color=style.MUTED, va="bottom"
    )
    axes.set_xscale("log")
    axes.set(xlim=(0.05, 20), ylim=(0, 1.2 * max(limit, 0.1)))
    ticks = [0.05, 0.1, 0.2, 0.5, 1, 2, 5, 10, 20]
    axes.set_xticks(ticks, [f"{t:g}" for t in ticks])
    axes.set_xticks([], minor=True)
    axes.set_xlabel("temperature T (log scale)", fontsize=style.TEXT, color=style.INK)
    axes.set_ylabel("entropy (nats)", fontsize=style.TEXT, color=style.INK)
    said = f"from {curve[0]:.2f} at T = 0.05 to {curve[-1]:.2f} at T = 20; its limit is ln {len(scores)} = {limit:.2f}."
    if mark is not None:
        at = float(attnlib.entropy(attnlib.softmax_with_temperature(scores, mark)))
        axes.plot(mark, at, "o", color=style.role("context").color, markeredgecolor=style.INK, markersize=9, zorder=5)
        note = f"T = {mark:g}: {at:.2f} nats"
        axes.annotate(note, (mark, at), (12, -14), textcoords="offset points", fontsize=style.TEXT, color=style.INK)
        said += f" At T = {mark:g} it is {at:.2f}."
    return Picture(figure, f"The entropy of softmax(scores / T) rises with T {said}")
