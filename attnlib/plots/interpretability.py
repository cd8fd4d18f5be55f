"""Explanations side by side: for each token of a sentence, how much of a word is said to come from it."""

import base64
import functools
import json
import os

import numpy as np
from matplotlib.patches import Rectangle

from attnlib.plots import style
from attnlib.plots.bars import listed
from attnlib.plots.picture import Picture

DATA = os.path.join(os.path.dirname(__file__), os.pardir, "data")
#: The roles whose colours the columns take, in their order.
COLUMN_ROLES = ("weights", "value", "key", "context")
#: What the explorer shows of each layer.
KINDS = ("weights", "shares", "rolled", "effect")
LAYERS = 6
TITLES = ("weights", "contributions", "rollout", "true effect")


def explanations(tokens, columns, asking, *, decimals=(2, 2, 2, 1), title="", alt=None):
    """Draw what each token is said to bring, a row a token, a column of bars for each explanation.

    Parameters
    ----------
    tokens : list of str, length n
    columns : dict of str to ndarray of shape (n,)
        Explanations by their names, one to four, none of their numbers negative; each has a scale of its own.
        NaN where there is nothing to tell.
    asking : int
        The place of the token that asks.
    decimals : tuple of int
        Of each column.
    title : str
    alt : str, optional
        Said in the place of all numbers.

    Returns
    -------
    picture : Picture

    Examples
    --------
    >>> explanations(["she", "sat"], {"weights": [0.75, 0.25]}, asking=1).alt
    '“sat” asks. weights: she 0.75, sat 0.25.'
    """
    n = len(tokens)
    if not 1 <= len(columns) <= len(COLUMN_ROLES):
        raise ValueError(f"columns must hold one to {len(COLUMN_ROLES)} explanations; got {len(columns)}")
    rows = {name: np.asarray(values, dtype=float) for name, values in columns.items()}
    for name, values in rows.items():
        if values.shape != (n,):
            raise ValueError(f"columns must have a number for each of {n} tokens; {name!r} has shape {values.shape}")
    room = 0.35 + max(style.text_width(token, style.TEXT) for token in tokens)
    wide, step, top = 1.9, 0.27, 0.75 + (0.4 if title else 0)
    width, height = room + len(rows) * (wide + 0.25) + 0.15, top + n * step + 0.15
    width = max(width, 3.2)
    figure, area = style.sheet(width, height)
    for i, token in enumerate(tokens):
        y = height - top - (i + 0.5) * step
        if i == asking:
            style.box(
                area, 0.08, y - 0.5 * step + 0.02, room - 0.14, step - 0.04, edge=style.role("query").color, line=1.5
            )
        weight = "bold" if i == asking else "normal"
        area.text(
            room - 0.14, y, token, ha="right", va="center_baseline", fontsize=style.TEXT, color=style.INK, weight=weight
        )
    for place, (name, values) in enumerate(rows.items()):
        left = room + place * (wide + 0.25)
        role = style.role(COLUMN_ROLES[place])
        area.text(
            left,
            height - top + 0.14,
            name,
            fontsize=style.SMALL + 0.5,
            color=style.INK,
            va="center_baseline",
            weight="bold",
        )
        longest = max(np.nanmax(values), 1e-9)
        area.plot([left, left], [height - top, height - top - n * step], color=style.MUTED, linewidth=0.8)
        for i, value in enumerate(values):
            y = height - top - (i + 0.5) * step
            silent = np.isnan(value)
            length = 0 if silent else max(value, 0) / longest * (wide - 0.55)
            area.add_patch(Rectangle((left, y - 0.085), length, 0.17, facecolor=role.color, edgecolor=role.ink, lw=0.6))
            area.text(
                left + length + 0.06,
                y,
                "–" if silent else style.number(value, decimals[place]),
                fontsize=style.SMALL,
                color=style.MUTED if silent else style.INK,
                va="center_baseline",
            )
    if title:
        style.heading(area, width, height, title)
    said = "; ".join(
        f"{name}: {listed(tokens, values, places)}"
        for (name, values), places in zip(rows.items(), decimals, strict=False)
    )
    return Picture(figure, alt or f"“{tokens[asking]}” asks. {said}.")


@functools.cache
def stored():
    """Return what is stored of the sentences: a list of dicts of texts, as a page gets them."""
    with open(os.path.join(DATA, "explanations.json"), encoding="utf-8") as file:
        return json.load(file)


def unpacked(sentence, kind):
    """Return the numbers of one kind, (6, n, n): bytes times a scale."""
    n, place = len(sentence["tokens"]), KINDS.index(kind)
    size = LAYERS * n * n
    return _bytes(sentence)[place * size :][:size].reshape(LAYERS, n, n) * sentence["scales"][place]


def agreements(sentence):
    """Return rank correlations with the true effect, layer by layer, for each asking word, (5, 6, n): of weights,
    contributions, rollout, and the means of the first two over the layers so far; bytes in hundredths, 100 for 0."""
    n = len(sentence["tokens"])
    return (_bytes(sentence)[len(KINDS) * LAYERS * n * n :].reshape(5, LAYERS, n) - 100) / 100


def _bytes(sentence):
    return np.frombuffer(base64.b64decode(sentence["bytes"]), dtype=np.uint8).astype(float)


def explanations_at(sentence=0, asking=6, layer=2):
    """Draw one state of the explorer: all four columns of one word after one layer.

    Parameters
    ----------
    sentence, asking, layer : int

    Returns
    -------
    picture : Picture

    Examples
    --------
    >>> explanations_at().alt.split(".")[0]
    '“bank” asks, after layer 3'
    """
    given = stored()[sentence]
    tokens = given["tokens"]
    rows = [unpacked(given, kind)[layer, asking] for kind in KINDS]
    rows[-1][[0, -1]] = np.nan  # "[CLS]" and "[SEP]" are never masked
    others = [j for j in range(1, len(tokens) - 1) if j != asking]
    marks = [style.number(mark) for mark in agreements(given)[:3, layer, asking]]
    leads = [f"{tokens[int(row.argmax())]} {style.number(row.max())}" for row in rows[:-1]]
    farthest = max(others, key=lambda j: rows[-1][j])
    said = (
        f"“{tokens[asking]}” asks, after layer {layer + 1}. Most weight: {leads[0]}; largest share of the "
        f"contributions: "
        f"{leads[1]}; most by rollout: {leads[2]}. It moves farthest without “{tokens[farthest]}”: "
        f"{style.number(rows[-1][farthest], 1)}. Rank correlations with that: weights {marks[0]}, "
        f"contributions {marks[1]}, "
        f"rollout {marks[2]}."
    )
    return explanations(tokens, dict(zip(TITLES, rows, strict=True)), asking, alt=said)
