"""What attention costs: scores read piece by piece, and the memory and work of four ways by the length of a text."""

import numpy as np

import attnlib
from attnlib.plots import style
from attnlib.plots.matrices import draw_cells
from attnlib.plots.picture import Picture

#: What is read in pieces: 6 queries, 12 keys.
SCORES = np.array(
    [
        [1, 3, 2, 0, -1, 2, 1, 0, 3, 1, -2, 2],
        [0, 1, -1, 1, 0, -2, 1, 2, 0, -1, 4, 1],
        [2, 0, 1, -1, 3, 1, 0, 1, -2, 2, 0, 1],
        [4, 1, 0, 2, 1, -1, 0, 1, 2, 0, 1, -1],
        [-1, 0, 2, 1, 1, 3, 3, -2, 0, 1, 2, 0],
        [1, -2, 0, 1, 2, 0, 1, 4, 1, -1, 0, 3],
    ]
)
VALUES = 10 * np.array([1, 2, 3, 9, 5, 4, 7, 2, 6, 8, 5, 3])
#: A model about as large as LLaMA with 7 billion weights: layers, heads, numbers a head, bytes a number, keys a piece.
LAYERS, HEADS, D_K, BYTES, PIECE = 32, 32, 128, 2, 128
WAYS = "whole matrix", "in pieces", "a state", "a cache"
MACHINES = {"phone": 8e9, "laptop": 16e9, "large card": 80e9}
LOOKS = (("query", "-", "o"), ("key", (0, (5, 2)), "s"), ("value", "-.", "^"), ("context", ":", "*"))


def cost(n):
    """What the four ways of `WAYS` cost the model at a text of n tokens.

    Returns
    -------
    memory : ndarray of shape (4,)
        Bytes held: the scores of one layer, whole or in pieces; the states, or the keys and values, of all layers.
    work : ndarray of shape (4,)
        Products in attention while n tokens are written one after the other.

    Examples
    --------
    >>> memory, work = cost(4096)
    >>> (memory / 1e9).round(3)
    array([1.074, 0.034, 0.034, 2.147])
    """
    d = HEADS * D_K
    memory = HEADS * n * n, HEADS * n * PIECE, LAYERS * HEADS * (D_K + 1) * D_K, 2 * LAYERS * n * d
    anew = n * (n + 1) * (2 * n + 1) / 6  # 1 + 4 + 9 + ... + n²
    pairs = np.array([anew, anew, n * D_K, n * (n + 1) / 2])
    return BYTES * np.array(memory, dtype=float), 2 * d * LAYERS * pairs


def ends():
    """The longest text of which each machine of `MACHINES` can hold what is needed, by ways; (machines, ways).

    The state needs the same for any text: 0.
    """
    _, one, _, per_token = cost(1)[0]
    return np.array(
        [[np.floor(np.sqrt(room / HEADS / BYTES)), room // one, 0, room // per_token] for room in MACHINES.values()]
    )


def amount(x):
    """A number of bytes in three digits.

    Examples
    --------
    >>> amount(64), amount(33816576), amount(2.2e12)
    ('64 B', '33.8 MB', '2.2 TB')
    """
    power = min(int(np.log10(max(x, 1)) // 3), 6)
    return f"{float(f'{x / 1000**power:.3g}'):g} {('', 'k', 'M', 'G', 'T', 'P', 'E')[power]}B"


def cost_at(chunk=4, read=4, row=1, n=4096):
    """Draw scores that are read piece by piece, and what four ways of attention cost by the length of a text.

    Parameters
    ----------
    chunk : int
        How many of the 12 keys make a piece.
    read : int
        How many have been read, from 1 to 12.
    row : int
        The query whose numbers are told, counted from 0.
    n : int
        The length of the text.

    Returns
    -------
    picture : Picture

    Examples
    --------
    >>> print(cost_at(read=12, n=1024).alt)
    12 of 12 keys read in pieces of 4. Query 2: m 4.00, l 1.41, o 66.20, o / l 47.10. For 1,024 tokens: whole matrix \
67.1 MB, in pieces 8.39 MB, a state 33.8 MB, a cache 537 MB.
    """
    chunk, read = attnlib._check.count(chunk, "chunk", 1, 12), attnlib._check.count(read, "read", 1, 12)
    row, n = attnlib._check.count(row, "row", 0, 5), attnlib._check.count(n, "n")
    m, l, o = partial(0, read)
    figure, area = style.sheet(style.WIDTH, 3.7)
    side = 0.215
    area.text(0.3, 3.35, "scores, read in pieces", fontsize=style.TEXT, fontweight="bold", color=style.INK)
    here = (read - 1) // chunk * chunk
    colors = style.cell_colors(SCORES, "scores")
    colors[:, :here], colors[:, read:] = 0.9, 1.0
    corners = draw_cells(area, colors, 0.3, 3.2, side, side, edge=style.FAINT, line=0.7)
    for (x, y), (i, j) in zip(corners, np.ndindex(SCORES.shape), strict=True):
        if here <= j < read:
            ink = style.text_on(colors[i, j])
            area.text(x + side / 2, y + side / 2, style.number(SCORES[i, j], 0), fontsize=style.SMALL, color=ink,
                      ha="center", va="center")  # fmt: skip
    area.plot([0.3 + read * side] * 2, [3.25, 3.15 - 6 * side], color=style.role("query").ink, linewidth=2.5)
    told = [style.number(one[row]) for one in (m, l, o, o / l)]
    lines = f"query {row + 1}:", f"m = {told[0]}, l = {told[1]}", f"o = {told[2]}", f"o / l = {told[3]}"
    for i, line in enumerate(lines):
        area.text(0.3, 1.5 - 0.28 * i, line, fontsize=style.TEXT, color=style.INK, va="center")
    lengths = 2.0 ** np.arange(4, 20.5, 0.5)
    for at, (left, title) in enumerate([(3.75, "bytes held"), (6.65, "products, to write n")]):
        axes = style.panel(figure, left, 0.95, 2.15, 2.25, title)
        curves = np.array([cost(one)[at] for one in lengths]).T
        for curve, name, (role_name, line, _) in zip(curves, WAYS, LOOKS, strict=True):
            role = style.role(role_name)
            axes.plot(lengths, curve, linestyle=line, color=role.ink, linewidth=2, label=name)
        for curve, (role_name, _, marker) in zip(cost(n)[at], LOOKS, strict=True):
            role = style.role(role_name)
            axes.plot(n, curve, marker, color=role.color, markeredgecolor=role.ink, markersize=8)
        axes.set_xscale("log", base=2)
        axes.set_yscale("log")
        axes.set_xticks([2.0**4, 2.0**12, 2.0**20], ["16", "4,096", "a million"])
        axes.set_xticks([], minor=True)
        low, high = (4, 14) if at == 0 else (6, 24)
        powers = np.arange(low, high + 1, 4 if at == 0 else 6)
        axes.set_yticks(10.0**powers, [_power(power, at) for power in powers])
        axes.set_yticks([], minor=True)
        axes.set_xlabel("n, tokens", fontsize=style.TEXT, color=style.INK)
    handles, labels = figure.axes[1].get_legend_handles_labels()
    figure.legend(handles, labels, loc="lower right", ncols=4, frameon=False, fontsize=style.SMALL)
    amounts = ", ".join(f"{name} {amount(one)}" for name, one in zip(WAYS, cost(n)[0], strict=True))
    return Picture(
        figure,
        f"{read} of 12 keys read in pieces of {chunk}. Query {row + 1}: m {told[0]}, l {told[1]}, o {told[2]}, "
        f"o / l {told[3]}. For {n:,} tokens: {amounts}.",
    )


def partial(first, end):
    """m, l and o of the queries over some keys, each (6,)."""
    scores = SCORES[:, first:end].astype(float)
    m = scores.max(axis=1)
    powers = np.exp(scores - m[:, None])
    return m, powers.sum(axis=1), powers @ VALUES[first:end]


def _power(power, at):
    """A power of ten at an axis: bytes by their names, products as powers."""
    return amount(10.0**power) if at == 0 else f"10{str(power).translate(str.maketrans('0123456789', '⁰¹²³⁴⁵⁶⁷⁸⁹'))}"
