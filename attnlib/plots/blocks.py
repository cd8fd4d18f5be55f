"""What becomes of tokens on their way through many blocks, and what each part of a block does about it."""

from functools import lru_cache

import numpy as np

import attnlib
from attnlib.plots import style
from attnlib.plots.matrices import draw_cells
from attnlib.plots.picture import Picture

#: The network that is explored: every number of it is drawn, and nothing is learned.
TOKENS, WIDTH, HEADS, DEPTH = 12, 32, 4, 32
#: What is added to each number of the input to see how a small change grows.
STEP = 1e-5
NORMS = "none", "after", "before"
COLORS = "#12305F", "#A33B00", "#7391BE", "#D9793F", "#5B6270"
LINES = "-", "--", "-.", ":", (0, (1, 1.5))
MARKERS = "o", "s", "^", "D", "v"


def drawn(first, *shape):
    """Numbers from -√3 to √3, of mean 0 and variance 1, that are the same in Python and in a page.

    Parameters
    ----------
    first : int
        Where in one long row of numbers they begin.
    *shape : int

    Returns
    -------
    numbers : ndarray
    """
    x = np.arange(first, first + int(np.prod(shape)), dtype=np.uint32) * np.uint32(2654435769)
    for shift, factor in ((16, 0x7FEB352D), (15, 0x846CA68B)):
        x = (x ^ (x >> np.uint32(shift))) * np.uint32(factor)
    x = x ^ (x >> np.uint32(16))
    return ((2 * (x.astype(float) + 0.5) / 2**32 - 1) * np.sqrt(3)).reshape(shape)


@lru_cache(maxsize=1)
def network():
    """The input, (12, 32), and of 32 blocks W_q, W_k, W_v, W_o, W_1, W_2, each over the root of its number of rows."""
    n, d = TOKENS, WIDTH
    place, blocks = n * d, []
    for _ in range(DEPTH):
        matrices = []
        for rows, columns in [(d, d)] * 4 + [(d, 4 * d), (4 * d, d)]:
            matrices.append(drawn(place, rows, columns) / np.sqrt(rows))
            place += rows * columns
        blocks.append(matrices)
    return drawn(0, n, d), blocks


def states(X, attention=True, units=True, first=True, second=True, norm="after"):
    """The tokens before the first block of the random network and after each, (33, 12, 32), with some parts taken out.

    Parameters
    ----------
    X : ndarray of shape (12, 32)
    attention, units : bool
        Whether the two sublayers are there; one that is taken out says nothing where its path is there, and lets
        through what comes where it is not.
    first, second : bool
        Whether the paths around them are there.
    norm : {"none", "after", "before"}
    """
    ones, zeros = np.ones(WIDTH), np.zeros(WIDTH)
    flat = {"b_q": None, "b_k": None, "b_v": None, "b_o": None}

    def normed(rows, where):
        return attnlib.layer_norm(rows, ones, zeros) if norm == where else rows

    found = [X]
    for *matrices, W_1, W_2 in network()[1]:
        steps = [
            (attention, first, lambda A, m=matrices: attnlib.multi_head_attention(A, A, *m, HEADS, **flat)[0]),
            (units, second, lambda A, one=W_1, two=W_2: attnlib.gelu(A @ one) @ two),
        ]
        for there, path, sublayer in steps:
            if there:
                said = sublayer(normed(X, "before"))
                X = normed(X + said if path else said, "after")
        found.append(X)
    return np.array(found)


def mean_cosine(X):
    """The mean cosine between two different rows of X, (..., n, d) -> (...)."""
    U = X / np.linalg.norm(X, axis=-1, keepdims=True)
    n = X.shape[-2]
    return ((U @ U.swapaxes(-1, -2)).sum(axis=(-1, -2)) - n) / (n * (n - 1))


@lru_cache(maxsize=64)
def depth_run(attention=True, units=True, first=True, second=True, norm="after"):
    """What becomes of the tokens of the random network: their cosines, the length of a row, the growth of a change.

    Returns
    -------
    cosines : ndarray of shape (33, 12, 12)
    lengths, change : ndarray of shape (33,)
        The mean length of a row; how many times as large a small change of the input has become.
    """
    X, sign = network()[0], (-1.0) ** np.add.outer(np.arange(TOKENS), np.arange(WIDTH))
    here, there = (states(start, attention, units, first, second, norm) for start in (X, X + STEP * sign))
    U = here / np.linalg.norm(here, axis=-1, keepdims=True)
    apart = np.linalg.norm(there - here, axis=(1, 2))
    return U @ U.swapaxes(-1, -2), np.linalg.norm(here, axis=-1).mean(axis=-1), apart / apart[0]


def depth_at(depth=8, attention=True, units=True, first=True, second=True, norm="after"):
    """Draw what a number of blocks makes of random tokens, with parts of each block taken out.

    The blocks are drawn, not learned: 12 tokens, 32 columns, 4 heads, 128 units, no biases, norms without weights.

    Parameters
    ----------
    depth : int
        From 0 to 32.
    attention, units : bool
        Whether attention and feed-forward layer are there.
    first, second : bool
        Whether the paths around them are.
    norm : {"none", "after", "before"}
        Where the norms stand.

    Returns
    -------
    picture : Picture

    Examples
    --------
    >>> print(depth_at(2, units=False, first=False, norm="none").alt)
    In each block: attention without its path, no norm. After 2 of 32 blocks the mean cosine between two tokens is \
1.00, a row is 1.74 long, and a small change of the input has become 0.187 times as large.
    """
    if norm not in NORMS:
        raise ValueError(f"norm must be one of {', '.join(NORMS)}; got {norm!r}")
    depth = attnlib._check.count(depth, "depth", 0, DEPTH)
    cosines, lengths, change = depth_run(attention, units, first, second, norm)
    alike = (cosines.sum(axis=(1, 2)) - TOKENS) / (TOKENS * (TOKENS - 1))
    figure, area = style.sheet(style.WIDTH, 3.7)
    axes = style.panel(figure, 0.65, 0.65, 3.0, 2.5, "how alike the tokens are")
    axes.plot(range(DEPTH + 1), alike, color=style.INK, linewidth=2.4)
    axes.plot(depth, alike[depth], "D", color=style.INK, markersize=8)
    axes.set_ylim(-0.1, 1.04)
    axes = style.panel(figure, 4.45, 0.65, 1.95, 2.05)
    axes.plot(range(DEPTH + 1), lengths, color=style.role("token").ink, linewidth=2.4, label="a row's length")
    axes.plot(range(DEPTH + 1), change, "--", color=style.role("context").ink, linewidth=2.4, label="a small change")
    axes.legend(loc="lower left", bbox_to_anchor=(-0.2, 0.98), frameon=False, fontsize=style.SMALL, labelspacing=0.2)
    axes.set_yscale("log")
    axes.set_xlim(-1, DEPTH + 1)
    low, high = np.log10([min(lengths.min(), change.min()), max(lengths.max(), change.max())])
    powers = np.arange(np.floor(low), np.ceil(high) + 1)
    axes.set_ylim(10.0 ** powers[0], 10.0 ** powers[-1])
    shown = powers[:: -(-len(powers) // 6)]
    axes.set_yticks(10.0**shown, [told(10.0**power).replace("1.0·", "") for power in shown])
    axes.set_yticks([], minor=True)
    for axes in figure.axes[1:]:
        axes.set_xticks([0, 8, 16, 24, 32])
        axes.set_xlabel("blocks", fontsize=style.TEXT, color=style.INK)
    area.text(6.75, 3.28, f"cosines after {depth}", fontsize=style.TEXT, fontweight="bold", color=style.INK)
    colors, side = style.cell_colors(np.clip(cosines[depth], 0, 1), "weights"), 2.1 / TOKENS
    draw_cells(area, colors, 6.75, 3.15, side, side, line=0.5)
    parts = [f"{name} {'with' if path else 'without'} its path" for name, there, path in
             (("attention", attention, first), ("feed-forward layer", units, second)) if there]  # fmt: skip
    made = f"{' and '.join(parts)}, {'no norm' if norm == 'none' else f'norm {norm}'}" if parts else "nothing"
    return Picture(
        figure,
        f"In each block: {made}. After {depth} of {DEPTH} blocks the mean cosine between two tokens is "
        f"{style.number(alike[depth])}, a row is {told(lengths[depth])} long, and a small change of the input has "
        f"become {told(change[depth])} times as large.",
    )


def told(x):
    """A positive number in three digits, or with a power of ten where it is long.

    Examples
    --------
    >>> told(5.6568), told(0.00012), told(123456789)
    ('5.66', '1.2·10⁻⁴', '1.2·10⁸')
    """
    if 1e-3 <= x < 1e4 or x == 0:
        return f"{x:.3g}" if x < 1000 else f"{float(f'{x:.3g}'):.0f}"
    digits, exponent = f"{x:.1e}".split("e")
    return f"{digits}·10{str(int(exponent)).translate(str.maketrans('0123456789-', '⁰¹²³⁴⁵⁶⁷⁸⁹⁻'))}"


def curves(values, x=None, *, x_label="", y_label="", title="", log=False, decimals=2):
    """Draw some curves over one axis, each told by its colour, its line and its marker.

    Parameters
    ----------
    values : dict of str to sequence of float
        Up to five, by their names.
    x : sequence of float, optional
        0, 1, 2, ... if left out. More than 12 places are drawn without markers.
    x_label, y_label, title : str
    log : bool
        Whether the axis of the values is one of powers of ten.
    decimals : int
        Of the values in the picture's words.

    Returns
    -------
    picture : Picture

    Raises
    ------
    ValueError
        If there are more than five curves, or one has another number of values than there are places.

    Examples
    --------
    >>> print(curves({"as it is": [0.1, 0.3], "cut": [0.1, 1.0]}, x_label="layers", title="Mean cosine").alt)
    Mean cosine. By layers, from 0 to 1. as it is: 0.10, 0.30. cut: 0.10, 1.00.
    """
    if not 1 <= len(values) <= len(COLORS):
        raise ValueError(f"values must hold one to {len(COLORS)} curves; got {len(values)}")
    x = np.arange(len(next(iter(values.values())))) if x is None else np.asarray(x)
    for name, curve in values.items():
        if np.shape(curve) != x.shape:
            raise ValueError(f"{name} must have a value for each of the {len(x)} places; got shape {np.shape(curve)}")
    figure = style.blank(style.WIDTH, 3.7)
    axes = style.panel(figure, 0.85, 0.7, 5.3, 2.55, title)
    few = len(x) <= 12
    for (name, curve), color, line, marker in zip(values.items(), COLORS, LINES, MARKERS, strict=False):
        look = {"marker": marker, "markersize": 6} if few else {}
        axes.plot(x, curve, color=color, linestyle=line, linewidth=2.2, label=name, **look)
    if log:
        axes.set_yscale("log")
    if few:
        axes.set_xticks(x)
    axes.set_xlabel(x_label, fontsize=style.TEXT, color=style.INK)
    axes.set_ylabel(y_label, fontsize=style.TEXT, color=style.INK)
    axes.legend(loc="center left", bbox_to_anchor=(1.02, 0.5), frameon=False, fontsize=style.TEXT)
    places = range(len(x)) if few else (0, len(x) // 2, len(x) - 1)
    said = [
        f"{name}: {', '.join(style.number(float(curve[i]), decimals) for i in places)}."
        for name, curve in values.items()
    ]
    ends = f"{x_label or 'places'}, from {x[0]:g} to {x[-1]:g}{'' if few else ', at both ends and in the middle'}"
    return Picture(figure, f"{title or 'Curves'}. By {ends}. {' '.join(said)}")


def two_blocks():
    """Draw a block with norms after the sums and one with norms before the sublayers, each along its path.

    Returns
    -------
    picture : Picture

    Examples
    --------
    >>> print(two_blocks().alt.split(". ")[0])
    Two blocks, each a path from X to Y with two side roads that leave it and are added to it again
    """
    figure, area = style.sheet(style.WIDTH, 4.1)
    rows = (
        (3.2, "post-norm: add, then norm (BERT)", {}, {"norm 1": 3.3, "norm 2": 7.3}),
        (1.15, "pre-norm: norm a copy, then add (GPT-2)", {"norm 1": 1.2, "norm 2": 4.95}, {}),
    )
    path = style.role("token").ink
    for y, title, aside, along in rows:
        area.text(0.25, y + 0.6, title, fontsize=style.TEXT, color=style.INK, fontweight="bold", va="center")
        style.pointer(area, (0.55, y), (8.5, y), color=path, line=4, size=18)
        for x, letter in ((0.4, "X"), (4.5, "M"), (8.65, "Y")):
            lift = 0.24 if letter == "M" else 0
            area.text(
                x, y + lift, letter, fontsize=style.TITLE, color=path, fontweight="bold", ha="center", va="center"
            )
        parts = (("attention", "context", 1.0, 1.4), ("feed-forward", "value", 4.75, 1.5))
        for (name, role, leaves, wide), norm in zip(parts, ("norm 1", "norm 2"), strict=True):
            low, at, color = y - 0.72, leaves + 0.2, style.role(role).ink
            area.plot([leaves, leaves, at], [y, low, low], color=color, linewidth=1.6)
            if norm in aside:
                _labelled(area, at, low, 0.75, norm, style.MUTED)
                area.plot([at + 0.75, at + 0.95], [low, low], color=color, linewidth=1.6)
                at += 0.95
            _labelled(area, at, low, wide, name, color)
            back = at + wide + 0.2
            area.plot([at + wide, back, back], [low, low, y - 0.3], color=color, linewidth=1.6)
            style.pointer(area, (back, y - 0.32), (back, y - 0.12), color=color)
            area.plot(
                back, y, "o", color=style.PAPER, markeredgecolor=path, markersize=15, markeredgewidth=1.6, zorder=4
            )
            area.text(back, y - 0.01, "+", fontsize=style.TITLE, color=path, ha="center", va="center", zorder=5)
        for norm, x in along.items():
            _labelled(area, x, y, 0.75, norm, style.MUTED)
    return Picture(
        figure,
        "Two blocks, each a path from X to Y with two side roads that leave it and are added to it again. Post-norm: "
        "the side road of attention reads X and is added, and norm 1 stands on the path behind the sum, which gives M; "
        "the side road of the feed-forward layer reads M and is added, and norm 2 stands on the path, which gives Y. "
        "Pre-norm: nothing but the two sums stands on the path; norm 1 stands on the side road before attention, and "
        "norm 2 on that before the feed-forward layer.",
    )


def _labelled(area, left, y, width, name, color):
    """A box with a name in it, its middle at the height y."""
    style.box(area, left, y - 0.2, width, 0.4, edge=color, line=1.6, zorder=3)
    area.text(left + width / 2, y, name, fontsize=style.TEXT, color=color, ha="center", va="center", zorder=4)


def cut_model(text):
    """Draw how alike the tokens of a text become in the six layers of the real model, as it is and with paths cut.

    Parameters
    ----------
    text : str
        Of words that the course knows.

    Returns
    -------
    picture : Picture

    Examples
    --------
    >>> print(cut_model("the dog chased the cat").alt.split(". ")[0])
    Mean cosine between two tokens
    """
    kinds = {"as it is": (1, 1), "both paths cut": (0, 0), "attention's path cut": (0, 1), "the other path cut": (1, 0)}
    alike = {name: [mean_cosine(X) for X, _, _ in _model(text, *keep)] for name, keep in kinds.items()}
    return curves(alike, x_label="layers", y_label="mean cosine", title="Mean cosine between two tokens")


def added_lengths(text):
    """Draw how long the tokens of a text are before each layer of the real model, and what its sublayers add.

    Parameters
    ----------
    text : str
        Of words that the course knows.

    Returns
    -------
    picture : Picture

    Examples
    --------
    >>> print(added_lengths("the dog chased the cat").alt.split(". ")[0])
    Mean length of a row
    """
    names = "what comes in", "attention adds", "feed-forward adds"
    lengths = [[np.linalg.norm(part, axis=-1).mean() for part in layer] for layer in _model(text, 1, 1)[:-1]]
    values = dict(zip(names, np.transpose(lengths), strict=True))
    return curves(values, range(1, 7), x_label="layer", y_label="length", title="Mean length of a row", decimals=1)


def _model(text, first, second):
    """Of each layer of the real model, with paths that let so much through: its input, and what its sublayers add.

    At the end stands what comes out, and two times None.
    """
    X, found = attnlib.encoder_input(attnlib.tokenize(text)), []
    for layer in attnlib.load_encoder()["layers"]:
        parts = {name: layer[name] for name in ("W_q", "W_k", "W_v", "W_o", "b_q", "b_k", "b_v", "b_o")}
        heard = attnlib.multi_head_attention(X, X, num_heads=12, **parts)[0]
        middle = attnlib.layer_norm(first * X + heard, layer["norm_1_weight"], layer["norm_1_bias"])
        said = attnlib.feed_forward(middle, *(layer[name] for name in ("W_1", "b_1", "W_2", "b_2")))
        found.append((X, heard, said))
        X = attnlib.layer_norm(second * middle + said, layer["norm_2_weight"], layer["norm_2_bias"])
    return [*found, (X, None, None)]
