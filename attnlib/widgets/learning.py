"""Explore learning: follow a head through its training, and play the game with it at every step."""

import numpy as np

from attnlib.plots import recall_at
from attnlib.widgets.explorer import Explorer

FRAMES = 18
EVERY = 10  # steps whose mean loss is a point of the curve
UNITS = {"compared": 0.05, "read": 0.1}
PAIRS, ASKED = [[2, 1], [5, 3], [0, 2], [6, 0], [3, 1]], 5


def explore_learning(runs, letters="ABCDEFGH", digits="0123"):
    """Train heads, or drag along their loss; click a letter to ask for it, or a pair to change its digit.

    Parameters
    ----------
    runs : dict of str to tuple of (ndarray of shape (n_steps,), list of n_steps + 1 dicts)
        What `attnlib.teach_recall` returned, by a name for the backward pass: the loss at each step, and the head's
        matrices before and after each. One kind or more, of the same number of steps.
    letters, digits : str
        Of the game, a character each; eight letters and four digits, say.

    Returns
    -------
    explorer : Explorer

    Raises
    ------
    ValueError
        If there is no run, or the numbers of steps or the shapes do not fit together.

    Examples
    --------
    >>> from attnlib import attention_backward, teach_recall
    >>> explorer = explore_learning({"right": teach_recall(attention_backward, steps=20)})
    >>> explorer.text.split(". ")[1]
    'Mean score 0.0 on the diagonal, 0.0 beside it'
    """
    lengths = {len(losses) for losses, _ in runs.values()}
    if len(lengths) != 1:
        raise ValueError(f"runs must hold one run or more, all of the same number of steps; got {sorted(lengths)}")
    total, n = lengths.pop(), len(letters)
    # The first steps change most, and are shown more closely.
    shown = np.unique(np.round(total * np.linspace(0, 1, FRAMES) ** 1.4).astype(int))
    saved = []
    for name, (losses, heads) in runs.items():
        frames = {part: [] for part in UNITS}
        for step in shown:
            head = {key: np.asarray(array, dtype=float) for key, array in heads[step].items()}
            if head["W_q"].shape[0] != n + len(digits) or head["W_o"].shape[1] != len(digits):
                raise ValueError(
                    f"a head must fit {n} letters and {len(digits)} digits; got W_q of shape {head['W_q'].shape} and "
                    f"W_o of shape {head['W_o'].shape}"
                )
            frames["compared"].append(((head["W_q"] @ head["W_k"].T)[:n] / np.sqrt(head["W_q"].shape[1])).ravel())
            frames["read"].append((head["W_v"] @ head["W_o"]).ravel())
        points = np.asarray(losses, dtype=float)[: total // EVERY * EVERY].reshape(-1, EVERY).mean(axis=1)
        kept = {part: _changes(np.array(frames[part]) / unit) for part, unit in UNITS.items()}
        saved.append({"name": name, "losses": points.round(3), **kept})
    data = {
        "runs": saved,
        "units": UNITS,
        "steps": shown,
        "every": EVERY,
        "letters": letters,
        "digits": digits,
        "pairs": PAIRS,
        "asked": ASKED,
    }
    first = {part: np.array([int(x or 0) for x in saved[0][part][0].split(",")]) * unit for part, unit in UNITS.items()}
    picture = recall_at(
        saved[0]["name"],
        0,
        saved[0]["losses"][0],
        first["compared"].reshape(n, -1),
        first["read"].reshape(-1, len(digits)),
        PAIRS,
        ASKED,
        letters,
        digits,
    )
    return Explorer("learning", data, picture)


def _changes(frames):
    """Each frame as what has changed since the one before, in whole units; nothing is written where nothing has."""
    changes = np.diff(np.round(frames).astype(int), axis=0, prepend=0)
    return [",".join(str(x or "") for x in row) for row in changes.tolist()]
