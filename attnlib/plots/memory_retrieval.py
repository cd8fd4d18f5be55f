"""Attention as memory: small pictures, stored, spoilt and recalled."""

import numpy as np

import attnlib
from attnlib.pixels import flip_pixels, pixel_letters  # noqa: F401 - found here, beside what draws them
from attnlib.plots import style
from attnlib.plots.bars import bars
from attnlib.plots.picture import Picture

COUNTS = 2 ** np.arange(1, 12)


def pixel_pictures(patterns, labels=None, *, title=""):
    """Draw patterns of square pictures side by side.

    Parameters
    ----------
    patterns : ndarray of shape (n, d)
        d a square number such as 64; 1 is drawn as ink, -1 as paper, what lies between as grey.
    labels : list of str, optional
    title : str

    Returns
    -------
    picture : Picture

    Examples
    --------
    >>> pixel_pictures(pixel_letters("TX"), ["T", "X"]).alt
    'Pictures of 8 x 8 pixels: T, X.'
    """
    patterns = np.atleast_2d(np.asarray(patterns, dtype=float))
    side = _side(patterns.shape[1])
    labels = style.names(labels, len(patterns), "p")
    size = min(1.25, (style.WIDTH - 0.4) / len(patterns) - 0.2)
    each = max(size + 0.2, *(style.text_width(label, style.TEXT) + 0.15 for label in labels))
    width = max(3.2, 0.4 + each * len(patterns), 0.4 + style.text_width(title, style.TITLE, "bold"))
    height = size + (0.9 if title else 0.45)
    figure, area = style.sheet(width, height)
    for i, (pattern, label) in enumerate(zip(patterns, labels, strict=True)):
        left = 0.2 + each * i + (each - size) / 2
        _draw_pixels(figure, left, 0.38, size, pattern, side)
        middle = left + size / 2
        area.text(middle, 0.18, label, fontsize=style.TEXT, color=style.INK, ha="center", va="center_baseline")
    if title:
        style.heading(area, width, height, title)
    return Picture(
        figure, (f"{title}. " if title else "") + f"Pictures of {side} x {side} pixels: {', '.join(labels)}."
    )


def recall_steps(patterns, index=0, noise=0.3, beta=0.25, steps=2, labels=None, *, seed=0):
    """Draw a stored picture, a spoilt one, and what a memory makes of it step by step.

    Parameters
    ----------
    patterns : ndarray of shape (n, d)
        The stored pictures; d a square number.
    index : int
        Which one is spoilt.
    noise : float
        Share of its pixels that are flipped.
    beta : float
    steps : int
        Number of updates, at most 5.
    labels : list of str, optional
        Of the stored pictures.
    seed : int
        Which pixels are flipped.

    Returns
    -------
    picture : Picture

    Examples
    --------
    >>> print(recall_steps(pixel_letters("TX"), 0, 0.25, 0.5, 1, ["T", "X"]).alt)
    Stored: T. 16 of 64 pixels flipped, beta 0.5, 1 update: all 64 pixels right. Weights: T 1.00, X 0.00. \
Energy: 33.39, then 1.39.
    """
    patterns = np.asarray(patterns, dtype=float)
    side = _side(patterns.shape[1])
    labels = style.names(labels, len(patterns), "p")
    steps = int(np.clip(round(steps), 0, 5))
    stored = patterns[index]
    states = [flip_pixels(stored, noise, seed)]
    for _ in range(steps):
        states.append(attnlib.hopfield_update(states[-1], patterns, beta))
    energies = [float(attnlib.hopfield_energy(state, patterns, beta)) for state in states]
    weights = attnlib.softmax(beta * attnlib.dot_scores([states[-1]], patterns))[0]
    flipped = int((states[0] != stored).sum())
    right = int((np.where(states[-1] >= 0, 1, -1) == stored).sum())

    height, size = 4.3, 1.15
    figure, area = style.sheet(style.WIDTH, height)
    pictures = [("stored", stored, None), ("spoilt", states[0], energies[0])]
    pictures += [(f"update {i}", states[i], energies[i]) for i in range(1, steps + 1)]
    top = height - 0.45 - size
    for i, (name, state, energy) in enumerate(pictures):
        left = 0.2 + 1.25 * i
        _draw_pixels(figure, left, top, size, state, side)
        middle = {"ha": "center", "va": "center_baseline"}
        area.text(left + size / 2, height - 0.28, name, fontsize=style.TEXT, color=style.INK, **middle)
        if energy is not None:
            told = f"energy {style.number(energy, 1)}"
            area.text(left + size / 2, top - 0.2, told, fontsize=style.SMALL, color=style.MUTED, **middle)
    heading = f"weights of the stored pictures at the last state, beta = {beta:.3g}"
    bars(style.panel(figure, 0.3, 0.4, style.WIDTH - 0.6, 1.3, heading), weights, labels, top=1.0)
    good = f"all {len(stored)} pixels right" if right == len(stored) else f"{right} of {len(stored)} pixels right"
    counted = f"{steps} update{'' if steps == 1 else 's'}"
    said = f"Stored: {labels[index]}. {flipped} of {len(stored)} pixels flipped, beta {beta:.3g}, {counted}: {good}."
    listed = ", ".join(f"{label} {style.number(w)}" for label, w in zip(labels, weights, strict=True))
    fall = ", then ".join(style.number(energy) for energy in energies)
    return Picture(figure, f"{said} Weights: {listed}. Energy: {fall}.")


def recall_rate(n, d, noise, beta, *, steps=3, trials=50, seed=0):
    """Measure how often a spoilt random pattern is recalled without a single wrong pixel.

    Parameters
    ----------
    n, d : int
        How many random patterns of 1 and -1 are stored, and of how many pixels.
    noise : float
        Share of the pixels that are flipped.
    beta : float or None
        None leaves the softmax out: the state becomes the sign of the patterns summed by their raw scores, as in
        the classical network of Hopfield (1982).
    steps, trials, seed : int

    Returns
    -------
    rate : float
        Between 0 and 1.

    Examples
    --------
    >>> recall_rate(20, 64, 0.2, beta=1.0), recall_rate(20, 64, 0.2, beta=None)
    (1.0, 0.0)
    """
    rng = np.random.default_rng(seed)
    patterns = rng.choice([-1.0, 1.0], size=(n, d))
    asked = rng.integers(n, size=trials)
    states = np.stack([flip_pixels(patterns[i], noise, seed + t) for t, i in enumerate(asked)])
    for _ in range(steps):
        if beta is None:
            states = np.where((states @ patterns.T) @ patterns - n * states >= 0, 1.0, -1.0)  # no pixel hears itself
        else:
            states = attnlib.context_vectors(beta * states, patterns, patterns)  # an update of all at once
    return float((np.where(states >= 0, 1, -1) == patterns[asked]).all(axis=1).mean())


def recall_capacity(widths=(64,), noise=0.3, betas=(0.05, 0.1, 0.25, 1), counts=COUNTS, *, trials=50):
    """Draw how many random patterns a memory can hold: the share recalled without a wrong pixel.

    Parameters
    ----------
    widths : sequence of int
        Pixels in a pattern.
    noise : float
        Share of the pixels that are flipped.
    betas : sequence of float
    counts : sequence of int
        Numbers of stored patterns.
    trials : int
        Recalls for each point.

    Returns
    -------
    picture : Picture

    Examples
    --------
    >>> print(recall_capacity(betas=(0.25,), counts=(2, 64), trials=20).alt)
    Recalled without a wrong pixel (64 pixels, 30 % flipped), by number of stored patterns. \
softmax, beta = 0.25: 2 1.00, 64 1.00. raw scores: 2 1.00, 64 0.00.
    >>> print(recall_capacity((32, 64), betas=(1,), counts=(2, 64), trials=20).alt)
    Recalled without a wrong pixel (30 % flipped), by number of stored patterns. softmax, 32 pixels: 2 1.00, 64 0.30. \
softmax, 64 pixels: 2 1.00, 64 1.00. raw scores, 32 pixels: 2 1.00, 64 0.00. raw scores, 64 pixels: 2 1.00, 64 0.00.
    """

    def name(kind, beta, d):
        sharpness = [] if beta is None or len(betas) == 1 < len(widths) else [f"beta = {beta:g}"]
        return ", ".join([kind, *sharpness, *([f"{d} pixels"] if len(widths) > 1 else [])])

    cases = [(beta, d) for beta in (*betas, None) for d in widths]
    curves = {
        name("raw scores" if beta is None else "softmax", beta, d): [
            recall_rate(n, d, noise, beta, trials=trials) for n in counts
        ]
        for beta, d in cases
    }
    pixels = f"{widths[0]} pixels, " if len(widths) == 1 else ""
    title = f"Recalled without a wrong pixel ({pixels}{100 * noise:.0f} % flipped)"
    figure = style.blank(style.WIDTH, 4.0)
    axes = style.panel(figure, 0.75, 0.7, 5.4, 2.8, title)
    raw = [name for name in curves if name.startswith("raw")]
    for name, curve in curves.items():
        if name in raw:
            look = {"color": ["#A33B00", "#D9793F", "#E9B48F"][::-1][-len(raw) :][raw.index(name)], "linestyle": "--"}
        else:
            place = [name for name in curves if name not in raw].index(name)
            look = {"color": ["#93A9CC", "#7391BE", "#2F5C9E", "#12305F"][min(place, 3)]}
        axes.plot(counts, curve, marker="s" if name in raw else "o", markersize=6, linewidth=2.2, label=name, **look)
    axes.set_xscale("log", base=2)
    axes.set_xticks(counts, [f"{n:,}" for n in counts])
    axes.set_xticks([], minor=True)
    axes.set_ylim(-0.04, 1.06)
    axes.set_ylabel("share of recalls", fontsize=style.TEXT, color=style.INK)
    axes.set_xlabel("stored patterns", fontsize=style.TEXT, color=style.INK)
    axes.legend(loc="center left", bbox_to_anchor=(1.02, 0.5), frameon=False, fontsize=style.TEXT)
    said = [
        f"{name}: {', '.join(f'{n:,} {rate:.2f}' for n, rate in zip(counts, rates, strict=True))}."
        for name, rates in curves.items()
    ]
    return Picture(figure, f"{title}, by number of stored patterns. {' '.join(said)}")


def _side(d):
    side = round(d**0.5)
    if side * side != d:
        raise ValueError(f"patterns must be square pictures, d = 64 for example; got d = {d}")
    return side


def _draw_pixels(figure, left, bottom, size, pattern, side):
    axes = style.panel(figure, left, bottom, size, size)
    axes.imshow(-pattern.reshape(side, side), cmap="gray", vmin=-1, vmax=1, interpolation="nearest")
    axes.set(xticks=[], yticks=[])
    axes.spines[:].set(visible=True, color=style.MUTED)
