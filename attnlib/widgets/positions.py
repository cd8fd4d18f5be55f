"""Explore positions: two places on their clocks, and the score that is left of them."""

import numpy as np

import attnlib
from attnlib.plots import position_clock
from attnlib.plots.positions import PLACES
from attnlib.widgets.explorer import Explorer

HEAD = slice(64, 96)  # the columns of head 2: that of the word before


def explore_positions(query_place=8, key_place=5, base=10000.0):
    """Move two places on their clocks, on a curve or in a matrix; see which score they have, and what it depends on.

    Sinusoids are computed in the page. The position vectors of the real model, and what its head 2 makes of them, are
    those of `attnlib.load_attention_layer`.

    Parameters
    ----------
    query_place, key_place : int
        From 0 to 23.
    base : float, optional
        Of the sinusoids.

    Returns
    -------
    explorer : Explorer

    Raises
    ------
    ValueError
        If a place is outside.

    Examples
    --------
    >>> explore_positions(3, 3).text.split(". ")[1]
    'Query at place 3, key at place 3: score 4.00'
    """
    picture = position_clock(query_place, key_place, base)
    learned, head, on_axes = _learned()
    data = {"m": query_place, "n": key_place, "base": base, "places": PLACES}
    return Explorer("positions", data | {"learned": learned, "head": head, "map": on_axes}, picture)


def _learned():
    """Cosines of the learned vectors, the scores of head 2 on them alone, and the vectors on two axes."""
    layer = attnlib.load_attention_layer()
    P = layer["position_embeddings"].astype(float)
    apart = P - P[1:].mean(axis=0)  # without what all share; place 0, of [CLS] alone, lies far out
    unit = (apart / np.linalg.norm(apart, axis=-1, keepdims=True))[:PLACES]
    # Head 2 sees words, too: here the mean of all words stands at each place.
    X = attnlib.layer_input([0] * PLACES, attnlib.load_word_vectors()[1].mean(axis=0, keepdims=True), layer)
    Q, K = (X @ layer[f"W_{x}"][:, HEAD] + layer[f"b_{x}"][HEAD] for x in "qk")
    axes = np.linalg.svd(apart[1:PLACES] - apart[1:PLACES].mean(axis=0))[2][:2]
    axes *= np.sign(axes[:, np.abs(axes).argmax(axis=1)].diagonal())[:, None]  # the sign of an axis is free
    return (unit @ unit.T).round(3), (Q @ K.T / np.sqrt(32)).round(1), (apart[:PLACES] @ axes.T).round(3)
