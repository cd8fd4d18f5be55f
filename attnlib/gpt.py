"""A small GPT that has read the novels of Jane Austen, and the pieces of words that it reads and writes."""

from __future__ import annotations

import functools
import os
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from attnlib import _check
from attnlib.encoder import DATA, read_model


def load_gpt() -> dict[str, Any]:
    """Load a small GPT, trained for the course on six novels: four layers that normalise first, and rotated places.

    Returns
    -------
    gpt : dict
        "embedding" (1000, 128), a row for each piece; its transpose is also the output: the logits of a context vector
        x are ``layer_norm(x, gpt["norm_weight"], gpt["norm_bias"]) @ gpt["embedding"].T``.

        "layers", a tuple of four dicts with the names of `attnlib.load_encoder`: "W_q", "W_k", "W_v", "W_o" (128, 128)
        and "b_q", "b_k", "b_v", "b_o" (128,), "W_1" (128, 512), "b_1" (512,), "W_2" (512, 128), "b_2" (128,), and
        "norm_1_weight", "norm_1_bias" before the attention, "norm_2_weight", "norm_2_bias" before the feed-forward
        layer, (128,) each.

        "num_heads", 4; "norm_weight" and "norm_bias" (128,), of the last normalisation; "pieces", a list of 1,000
        strings, the piece of each id; and "held_out", a text from the end of the novels on which the model was not
        trained.

        Arrays are float32 and read-only: copy one to change it. The dicts and the list are yours.

    Notes
    -----
    Queries and keys of each head are turned by their places, as `attnlib.rotate` does, with base 10,000. The model was
    trained on stretches of 128 pieces. How, and where the text is from, is in ``attnlib/data/README.md``.

    Examples
    --------
    >>> gpt = load_gpt()
    >>> gpt["embedding"].shape, len(gpt["layers"]), gpt["num_heads"]
    ((1000, 128), 4, 4)
    """
    gpt, pieces = _gpt(), list(_ids_of_pieces())
    return {**gpt, "layers": tuple(dict(layer) for layer in gpt["layers"]), "pieces": pieces}


@functools.cache
def _gpt():
    with open(os.path.join(DATA, "austen_held_out.txt"), encoding="utf-8") as text:
        return {**read_model("austen_gpt.npz"), "held_out": text.read()}


@functools.cache
def _ids_of_pieces():
    """Each piece, in the order of their ids; in the file, a line break is written as a backslash and an n."""
    with open(os.path.join(DATA, "austen_pieces.txt"), encoding="utf-8") as file:
        pieces = file.read().removesuffix("\n").split("\n")
    return {piece.replace("\\n", "\n"): i for i, piece in enumerate(pieces)}


def to_pieces(text: str) -> NDArray:
    """Cut a text into the pieces of the small GPT: from left to right, each time the longest piece that fits.

    Parameters
    ----------
    text : str
        Of letters, spaces, line breaks and ``! " ' , - . : ; ?``; capitals are made small. Most words have their space
        in the same piece, before them: begin with a space.

    Returns
    -------
    ids : int ndarray of shape (n,)

    Raises
    ------
    ValueError
        If the text has another character (the message names it).
    TypeError
        If text is not a string.

    Examples
    --------
    >>> ids = to_pieces(" She was happy.")
    >>> [load_gpt()["pieces"][i] for i in ids]
    [' she', ' was', ' happy', '.']
    """
    if not isinstance(text, str):
        raise TypeError(f"text must be a str; got {type(text).__name__}")
    text, ids_of = text.lower(), _ids_of_pieces()
    longest = max(map(len, ids_of))
    ids, start = [], 0
    while start < len(text):
        fitting = [piece for n in range(longest, 0, -1) if (piece := text[start : start + n]) in ids_of]
        if not fitting:
            raise ValueError(f"text must be made of the letters and marks of the novels; got {text[start]!r}")
        ids.append(ids_of[fitting[0]])
        start += len(fitting[0])
    return np.array(ids, dtype=int)


def from_pieces(ids: ArrayLike) -> str:
    """Put pieces of the small GPT together to a text.

    Parameters
    ----------
    ids : int array of shape (n,)
        From 0 to 999.

    Returns
    -------
    text : str

    Raises
    ------
    ValueError
        If there is no such id.
    TypeError
        If ids holds anything but integers.

    Examples
    --------
    >>> from_pieces(to_pieces(" Mr. Darcy smiled."))
    ' mr. darcy smiled.'
    """
    ids, pieces = _check.integers(ids, "ids"), list(_ids_of_pieces())
    if ids.ndim != 1:
        raise ValueError(f"ids must have shape (n,); got shape {ids.shape}")
    if ids.size and not 0 <= ids.min() <= ids.max() < len(pieces):
        raise ValueError(f"ids must be from 0 to {len(pieces) - 1}; got {ids.min()} to {ids.max()}")
    return "".join(pieces[i] for i in ids)
