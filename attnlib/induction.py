"""A model of two attention layers that learns from what it has just read, one that seems to, and what to test them
with."""

from __future__ import annotations

import functools
from typing import Any

import numpy as np
from numpy.typing import NDArray

from attnlib import _check
from attnlib.encoder import read_model

LETTERS = 32
LONGEST_PERIOD = 24


def load_induction_model(trapped: bool = False) -> dict[str, Any]:
    """Load a model of two attention layers, trained for the course to say which letter comes next.

    Parameters
    ----------
    trapped : bool
        Load another model: of one layer, and trained on letters of which a quarter came twice at one and the same
        distance.

    Returns
    -------
    model : dict
        "embedding" (33, 64), a row for each id: the start is 0, and 32 letters are 1 to 32. "positions" (49, 64), a
        row to add for each place. "layers", a tuple of two dicts (of one, if trapped) with "W_q", "W_k", "W_v", "W_o"
        (64, 64). "unembedding" (64, 33): ``X @ unembedding`` are the logits of the next id. "num_heads", 2.

        There are neither biases nor normalisations nor feed-forward layers: with ``X = embedding[ids] + positions[:n]``
        for n ids, each layer adds what its two heads find under a causal mask, and that is all.

        "emergence", a dict of arrays of shape (51,): the model on fresh letters while it was taught (not if trapped).
        "step"; "loss", the loss in the second copy, from its second letter on; "previous", the mean weight on the
        place before of the first layer's better head; "induction", that of the second layer's better head on what came
        after the same letter.

        Arrays are float32 and read-only: copy one to change it. The dicts are yours.

    Raises
    ------
    FileNotFoundError
        If the model's file is missing in the course's folder of data.

    Examples
    --------
    >>> model = load_induction_model()
    >>> model["embedding"].shape, model["positions"].shape, len(model["layers"])
    ((33, 64), (49, 64), 2)
    """
    model = _model("induction_trap.npz" if trapped else "induction_model.npz")
    copied: dict[str, Any] = {"layers": tuple(dict(layer) for layer in model["layers"])}
    if "emergence" in model:
        copied["emergence"] = dict(model["emergence"])
    return model | copied


@functools.cache
def _model(file_name):
    model = read_model(file_name)
    logged = {name: model.pop(name) for name in list(model) if name.startswith("emergence_")}
    if logged:
        model["emergence"] = {name.removeprefix("emergence_"): array for name, array in logged.items()}
    return model


def random_repeats(rng: np.random.Generator, n: int, period: int = LONGEST_PERIOD) -> NDArray:
    """Draw random letters, and the same letters again: what a head that learns from what it has just read is found by.

    Parameters
    ----------
    rng : numpy.random.Generator
    n : int
        How many sequences.
    period : int
        How many letters come twice; at most 24, since the models of `load_induction_model` have 49 places.

    Returns
    -------
    ids : int ndarray of shape (n, 2 * period + 1)
        The start, 0, then letters from 1 to 32, then the same letters again: ``ids[:, t] == ids[:, t - period]`` for
        t > period. A letter may come several times in a copy.

    Raises
    ------
    ValueError
        If n or period is below 1, or period above 24.
    TypeError
        If n or period is not an integer.

    Examples
    --------
    >>> ids = random_repeats(np.random.default_rng(0), 2, period=3)
    >>> ids.shape
    (2, 7)
    >>> bool((ids[:, 1:4] == ids[:, 4:]).all())
    True
    """
    n, period = _check.count(n, "n"), _check.count(period, "period", most=LONGEST_PERIOD)
    letters = rng.integers(1, LETTERS + 1, size=(n, period))
    return np.concatenate([np.zeros((n, 1), dtype=letters.dtype), letters, letters], axis=-1)
