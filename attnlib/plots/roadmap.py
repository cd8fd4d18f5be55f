"""The road map: what the whole course builds, and which notebook builds which piece."""

import numpy as np
from matplotlib.colors import to_rgba
from matplotlib.patches import Circle, Polygon, Rectangle

from attnlib.plots import style
from attnlib.plots.picture import Link, Picture

PARTS = [
    (
        "1-context-vectors",
        "Part 1: words become context vectors",
        [
            ("1-embeddings", "embeddings", "words to vectors"),
            ("2-scores", "scores", "who matches whom?"),
            ("3-softmax", "softmax", "scores to weights"),
            ("4-context-vectors", "context vectors", "a weighted average"),
        ],
    ),
    (
        "2-three-views",
        "Part 2: three ways to see the same thing",
        [
            ("1-nearest-neighbours", "nearest neighbours", "attention as search"),
            ("2-kernel-machines", "kernel machines", "attention as smoothing"),
            ("3-memory-retrieval", "memory retrieval", "attention as recall"),
        ],
    ),
    (
        "3-multi-head",
        "Part 3: attention as transformers use it",
        [
            ("1-scaling", "scaling", "why √d_k"),
            ("2-projections", "projections", "Q, K, V from X"),
            ("3-masks", "masks", "who may see what"),
            ("4-cross-attention", "cross-attention", "one text reads another"),
            ("5-multi-head", "multi-head", "many views at once"),
        ],
    ),
    (
        "4-deep-networks",
        "Part 4: from one layer to a deep network",
        [
            ("1-positions", "positions", "where words stand"),
            ("2-blocks", "blocks", "layers that last"),
            ("3-paths", "paths", "how far learning reaches"),
            ("4-learning", "learning", "weights by gradient"),
        ],
    ),
    (
        "5-whole-models",
        "Part 5: a whole transformer, yours",
        [
            ("1-interpretability", "interpretability", "what really contributed"),
            ("2-cost", "cost", "n², and what to do"),
            ("3-a-whole-transformer", "a whole transformer", "from text to meaning"),
        ],
    ),
]
START = "0-start-here/start-here"
GOAL = "a published transformer, from text to meaning, run by your own code"


def road_map(here=None, done=None):
    """Draw the notebooks of the course in order, each with what it adds.

    Parameters
    ----------
    here : str, optional
        A notebook, as in "1-context-vectors/3-softmax", to mark as the reader's place: the one that shows the map. Then
        each box leads to its notebook.
    done : dict of str to (done, exercises), optional
        How much of each notebook is done: a badge on its box.

    Returns
    -------
    picture : Picture

    Raises
    ------
    ValueError
        If there is no such notebook.

    Examples
    --------
    >>> road_map("1-context-vectors/3-softmax").alt[-22:]
    'You are at: 3-softmax.'
    """
    places = [START, *(f"{part}/{name}" for part, _, notebooks in PARTS for name, _, _ in notebooks)]
    if here is not None and here not in places:
        raise ValueError(f"here must be one of {', '.join(places)}; got {here!r}")
    width, band, card = style.WIDTH, 1.72, 1.22
    height = 0.95 + band * len(PARTS) + 0.72
    figure, area = style.sheet(width, height)
    style.heading(area, width, height + 0.02, "From words to a whole transformer")
    started = here == START
    boxes = {START: (0.25, height - 0.88, 1.25, 0.3)}
    _tag(area, *boxes[START][:3], "start here", here=started)
    style.pointer(area, (1.55, height - 0.73), (1.95, height - 0.73))
    area.text(
        2.02,
        height - 0.73,
        "how a check works, and the first context vector",
        fontsize=style.SMALL,
        color=style.MUTED,
        va="center_baseline",
    )
    for row, (part, title, notebooks) in enumerate(PARTS):
        top = height - 1.02 - band * row
        style.box(area, 0.15, top - band + 0.1, width - 0.3, band - 0.12, fill="#F6F7F9", edge=style.FAINT)
        area.text(0.3, top - 0.2, title, fontsize=style.TEXT, fontweight="bold", color=style.INK, va="center")
        gap = 0.22
        wide = (width - 0.54 - gap * (len(notebooks) - 1)) / len(notebooks)
        for i, (name, label, adds) in enumerate(notebooks):
            left = 0.27 + (wide + gap) * i
            current = here == f"{part}/{name}"
            edge, line = (style.INK, 2.6) if current else (style.FAINT, 1.2)
            bottom = top - band + 0.2
            boxes[f"{part}/{name}"] = left, bottom, wide, card - 0.06
            style.box(area, left, bottom, wide, card - 0.06, edge=edge, line=line)
            centre = left + wide / 2
            _ICONS[label](area, centre, bottom + 0.75)
            text = f"{name[0]} {label}"
            area.text(
                centre,
                bottom + 0.31,
                text,
                fontsize=_fit(text, wide, style.SMALL + 0.5, "bold"),
                fontweight="bold",
                color=style.INK,
                ha="center",
                va="center",
            )
            area.text(
                centre,
                bottom + 0.13,
                adds,
                fontsize=_fit(adds, wide, style.SMALL - 0.5),
                color=style.MUTED,
                ha="center",
                va="center",
            )
            if i:
                style.pointer(area, (left - gap + 0.02, bottom + 0.6), (left - 0.02, bottom + 0.6), size=10)
            if current:
                _here(area, centre, bottom + card - 0.06)
    style.box(area, 0.15, 0.12, width - 0.3, 0.46, fill=style.INK, edge=style.INK)
    area.text(
        width / 2,
        0.35,
        f"the goal: {GOAL}",
        fontsize=style.TEXT,
        fontweight="bold",
        color=style.PAPER,
        ha="center",
        va="center_baseline",
    )
    said = [f"{title}: {', '.join(f'{label} ({adds})' for _, label, adds in books)}." for _, title, books in PARTS]
    you = f" You are at: {here.split('/')[1]}." if here else ""
    links = [] if here is None else [_link(name, box, width, height, done or {}) for name, box in boxes.items()]
    return Picture(figure, f"Road map of the course. Start here. {' '.join(said)} The goal: {GOAL}.{you}", links)


def _link(name, box, width, height, done):
    """A box of the map as a link from any notebook, since the parts lie beside each other."""
    left, bottom, wide, high = box
    share = 100 * left / width, 100 * (height - bottom - high) / height, 100 * wide / width, 100 * high / height
    finished, exercises = done.get(name, (0, 0))
    label, badge = f"open {name}", ""
    if exercises:
        label += f", {finished} of {exercises} exercises done"
        badge = "\N{CHECK MARK}" if finished == exercises else f"{finished}/{exercises}"
    return Link(f"../{name}.ipynb", label, share, badge)


def _fit(text, width, size, weight="normal"):
    return min(size, size * (width - 0.1) / style.text_width(text, size, weight))


def _tag(area, left, bottom, width, text, here):
    style.box(
        area,
        left,
        bottom,
        width,
        0.3,
        fill=style.PAPER,
        edge=style.INK if here else style.FAINT,
        line=2.6 if here else 1.2,
    )
    area.text(
        left + width / 2,
        bottom + 0.15,
        text,
        fontsize=style.SMALL + 0.5,
        fontweight="bold",
        color=style.INK,
        ha="center",
        va="center_baseline",
    )
    if here:
        _here(area, left + width / 2, bottom + 0.42)


def _here(area, x, y):
    text = "you are here"
    width = style.text_width(text, style.SMALL, "bold") + 0.2
    style.box(area, x - width / 2, y - 0.1, width, 0.22, fill=style.INK, edge=style.INK, zorder=6)
    area.text(
        x,
        y + 0.01,
        text,
        fontsize=style.SMALL,
        fontweight="bold",
        color=style.PAPER,
        ha="center",
        va="center_baseline",
        zorder=7,
    )


# The small drawings of the cards: each about 1 inch wide and 0.5 high, centred on (x, y).


def _cells(area, x, y, shades, color, cell=0.13):
    """A little matrix centred on (x, y); shades (n, m) between 0 and 1."""
    shades = np.asarray(shades, dtype=float)
    n, m = shades.shape
    for i in range(n):
        for j in range(m):
            corner = x + (j - m / 2) * cell, y + (n / 2 - i - 1) * cell
            fill = to_rgba(color, 0.12 + 0.88 * shades[i, j])
            area.add_patch(Rectangle(corner, cell, cell, facecolor=fill, edgecolor=style.PAPER, linewidth=0.8))


def _color(role_name):
    return style.role(role_name).color


_MIXED = np.array([[0.9, 0.2, 0.5, 0.7], [0.3, 0.8, 0.6, 0.1], [0.5, 0.4, 0.1, 0.9]])
_FALLING = np.array([[0.8, 0.3, 0.1], [0.2, 0.9, 0.3], [0.1, 0.4, 0.7]])


def _embeddings(area, x, y):
    for i, word in enumerate(("the", "cat", "sat")):
        area.text(x - 0.22, y + 0.15 - 0.15 * i, word, fontsize=8, color=style.INK, ha="right", va="center_baseline")
    style.pointer(area, (x - 0.17, y), (x + 0.05, y), size=8)
    _cells(area, x + 0.36, y, _MIXED, _color("token"), 0.14)


def _scores(area, x, y):
    _cells(area, x - 0.26, y - 0.1, _MIXED[:, :2], _color("query"), 0.115)
    _cells(area, x + 0.1, y + 0.22, _MIXED[:2, :3], _color("key"), 0.115)
    _cells(area, x + 0.1, y - 0.1, _FALLING, _color("scores"), 0.115)


def _bars_at(area, x, y, heights, color, step=0.12):
    for i, h in enumerate(heights):
        corner = x + (i - len(heights) / 2) * step, y
        area.add_patch(Rectangle(corner, step * 0.78, h, facecolor=color, edgecolor="none"))


def _softmax(area, x, y):
    _bars_at(area, x - 0.33, y - 0.12, [0.2, 0.1, -0.1, 0.3], _color("scores"))
    style.pointer(area, (x - 0.03, y), (x + 0.15, y), size=8)
    _bars_at(area, x + 0.42, y - 0.22, [0.13, 0.07, 0.02, 0.44], _color("weights"))


def _context(area, x, y):
    corners = np.array([(x - 0.42, y - 0.2), (x + 0.4, y - 0.14), (x + 0.1, y + 0.26)])
    area.add_patch(Polygon(corners, facecolor=_color("value"), alpha=0.15, edgecolor="none"))
    star = np.array([0.2, 0.45, 0.35]) @ corners
    for corner, line in zip(corners, (1, 3, 2), strict=True):
        area.plot(*np.array([corner, star]).T, color=_color("context"), linewidth=line, alpha=0.5)
    area.plot(*corners.T, linestyle="none", marker="^", color=_color("value"), markersize=7)
    area.plot(*star, marker="*", color=_color("context"), markeredgecolor=style.role("context").ink, markersize=12)


def _neighbours(area, x, y):
    spots = np.array(
        [(-0.12, 0.08), (0.13, -0.06), (0.05, 0.17), (0.42, 0.18), (-0.42, -0.16), (0.47, -0.17), (-0.43, 0.2)]
    )
    area.add_patch(Circle((x, y), 0.23, facecolor=_color("query"), alpha=0.14, edgecolor="none"))
    for i, (dx, dy) in enumerate(spots):
        area.plot(x + dx, y + dy, marker="s", markersize=5, color=_color("key") if i < 3 else style.FAINT)
    area.plot(x, y, marker="o", markersize=7, color=_color("query"))


def _kernels(area, x, y):
    t = np.linspace(-1, 1, 41)
    area.plot(x + 0.5 * t, y - 0.2 + 0.42 * np.exp(-8 * t**2), color=_color("query"), linewidth=1.6)
    area.plot(x + 0.5 * t, y + 0.1 * np.sin(4 * t) + 0.05, color=_color("context"), linewidth=1.8)
    dots = np.linspace(-0.9, 0.9, 8)
    wobble = 0.1 * np.sin(4 * dots) + 0.05 + 0.09 * np.array([1, -1, 0.6, -0.9, 1, -0.7, 1, -1])
    area.plot(x + 0.5 * dots, y + wobble, linestyle="none", marker="^", markersize=4, color=_color("value"))


def _memory(area, x, y):
    clean = np.array([[1, 0, 0, 1], [0, 1, 1, 0], [0, 1, 1, 0], [1, 0, 0, 1]])
    noisy = np.array([[1, 0, 1, 1], [0, 0, 1, 0], [1, 1, 1, 0], [1, 0, 0, 0]])
    _cells(area, x - 0.36, y, noisy, _color("query"))
    style.pointer(area, (x - 0.07, y), (x + 0.08, y), size=8)
    _cells(area, x + 0.36, y, clean, _color("value"))


def _scaling(area, x, y):
    t = np.linspace(-1, 1, 41)
    area.plot(x + 0.5 * t, y - 0.2 + 0.1 * np.exp(-2 * t**2), color=_color("scores"), linewidth=1.6, linestyle="--")
    area.plot(x + 0.5 * t, y - 0.2 + 0.42 * np.exp(-18 * t**2), color=_color("weights"), linewidth=1.8)


def _projections(area, x, y):
    _cells(area, x - 0.4, y, _MIXED, _color("token"), 0.09)
    for dy, role_name in ((0.19, "query"), (0, "key"), (-0.19, "value")):
        style.pointer(area, (x - 0.17, y), (x + 0.17, y + dy), color=_color(role_name), line=1.3, size=8)
        _cells(area, x + 0.36, y + dy, [[0.9, 0.4, 0.7]], _color(role_name), 0.12)


def _masks(area, x, y):
    _cells(area, x, y, np.tril(np.full((4, 4), 0.85)), _color("weights"))


def _cross(area, x, y):
    tops, bottoms = x + np.array([-0.35, 0, 0.35]), x + np.array([-0.45, -0.15, 0.15, 0.45])
    for i, j in ((0, 0), (1, 2), (2, 1), (2, 3)):
        area.plot([tops[i], bottoms[j]], [y + 0.17, y - 0.17], color=_color("context"), linewidth=1.6, alpha=0.7)
    area.plot(tops, [y + 0.2] * 3, linestyle="none", marker="o", markersize=6, color=_color("query"))
    area.plot(bottoms, [y - 0.2] * 4, linestyle="none", marker="s", markersize=6, color=_color("key"))


def _heads(area, x, y):
    for i, role_name in enumerate(("query", "key", "value", "context")):
        shade = np.roll(np.eye(3) * 0.6 + 0.2, i, axis=1)
        _cells(area, x - 0.42 + 0.28 * i, y, shade, _color(role_name), 0.085)
    for i in range(4):
        area.plot([x - 0.42 + 0.28 * i, x], [y - 0.14, y - 0.24], color=style.MUTED, linewidth=0.8)


def _positions(area, x, y):
    for i, angle in enumerate((0.25, 1.25, 2.25)):
        centre = np.array([x - 0.38 + 0.38 * i, y + 0.02])
        area.add_patch(Circle(centre, 0.16, facecolor="none", edgecolor=style.MUTED, linewidth=1))
        hand = centre + 0.16 * np.array([np.cos(angle), np.sin(angle)])
        area.plot(*np.array([centre, hand]).T, color=_color("query"), linewidth=1.8)
        area.plot(*hand, marker="o", markersize=4, color=_color("query"))


def _blocks(area, x, y):
    for i, role_name in enumerate(("weights", "value", "weights", "value")):
        corner = x - 0.13, y - 0.25 + 0.135 * i
        area.add_patch(Rectangle(corner, 0.26, 0.1, facecolor=_color(role_name), alpha=0.75, edgecolor="none"))
    area.plot(x + np.array([-0.13, -0.32, -0.32, -0.13]), y + np.array([-0.2, -0.2, 0.2, 0.2]), color=style.INK)
    style.pointer(area, (x, y - 0.33), (x, y + 0.36), color=style.INK, line=1, size=8)


def _paths(area, x, y):
    steps = x + np.linspace(-0.48, 0.48, 5)
    area.plot(steps, [y - 0.14] * 5, marker="s", markersize=5, linewidth=1.4, color=_color("key"))
    arc = np.linspace(0, np.pi, 31)
    area.plot(x - 0.48 * np.cos(arc), y - 0.1 + 0.34 * np.sin(arc), color=_color("context"), linewidth=1.8)


def _learning(area, x, y):
    t = np.linspace(0, 1, 41)
    area.plot(x - 0.5 + t, y - 0.22 + 0.46 / (1 + np.exp(14 * (t - 0.45))), color=_color("scores"), linewidth=1.8)
    dots = np.linspace(0.1, 0.95, 5)
    heights = y - 0.22 + 0.46 / (1 + np.exp(14 * (dots - 0.45)))
    area.plot(x - 0.5 + dots, heights, linestyle="none", marker="o", markersize=4.5, color=_color("context"))


def _interpretability(area, x, y):
    for i, (weight, contribution) in enumerate([(0.46, 0.06), (0.14, 0.4), (0.1, 0.2)]):
        left = x - 0.44 + 0.34 * i
        area.add_patch(Rectangle((left, y - 0.24), 0.1, weight, facecolor=_color("weights"), edgecolor="none"))
        area.add_patch(
            Rectangle((left + 0.12, y - 0.24), 0.1, contribution, facecolor=_color("context"), edgecolor="none")
        )


def _cost(area, x, y):
    corner, side = np.array([x - 0.27, y - 0.26]), 0.52
    area.add_patch(Rectangle(corner, side, side, facecolor="none", edgecolor=style.MUTED, linewidth=1))
    for i in range(4):
        tile = corner + np.array([0, side * (3 - i) / 4])
        area.add_patch(Rectangle(tile, side / 4, side / 4, facecolor=_color("scores"), alpha=1 - 0.22 * i, linewidth=0))
    style.pointer(area, (x + 0.02, y + 0.19), (x + 0.02, y - 0.2), color=style.INK, line=1, size=8)


def _whole(area, x, y):
    for i in range(6):
        corner = x - 0.16, y - 0.27 + 0.092 * i
        shade = _color("value") if i % 2 else _color("weights")
        area.add_patch(Rectangle(corner, 0.32, 0.07, facecolor=shade, alpha=0.75, edgecolor="none"))
    for side, role_name in ((-0.46, "query"), (0.46, "context")):
        area.plot(x + side, y, marker="o", markersize=6, color=_color(role_name))
        style.pointer(area, (x + side - 0.2 * (side > 0) + 0.06, y), (x + side + 0.2 * (side < 0) - 0.08, y), size=8)


_ICONS = {
    "embeddings": _embeddings,
    "scores": _scores,
    "softmax": _softmax,
    "context vectors": _context,
    "nearest neighbours": _neighbours,
    "kernel machines": _kernels,
    "memory retrieval": _memory,
    "scaling": _scaling,
    "projections": _projections,
    "masks": _masks,
    "cross-attention": _cross,
    "multi-head": _heads,
    "positions": _positions,
    "blocks": _blocks,
    "paths": _paths,
    "learning": _learning,
    "interpretability": _interpretability,
    "cost": _cost,
    "a whole transformer": _whole,
}
