"""Explore training: let a head learn, with the root of d_k and without it, and see what it compares."""

import numpy as np

from attnlib.plots import learning_at, style
from attnlib.widgets.explorer import Explorer

FRAMES = 40
EVERY = 10  # questions whose mean loss is a point of the curve


def explore_training(runs, drawers, things, asked=2, baseline=0.8):
    """Let two heads train, or drag along their loss; watch what they compare turn from noise into a diagonal, or not.

    Parameters
    ----------
    runs : dict of str to tuple of (ndarray of shape (n_steps,), ndarray of shape (n_steps + 1, n, 2 * n))
        How each was trained, in a few words; its loss at each step, and what it compares (the scores that each question
        gives to each drawer and to each thing) before and after each. Two kinds.
    drawers, things : list of str, length n
    asked : int
        The drawer that is asked for at the start.
    baseline : float
        The loss of whoever always answers with the mean of all things.

    Returns
    -------
    explorer : Explorer

    Raises
    ------
    ValueError
        If there are not two runs, or their shapes do not fit together.

    Examples
    --------
    >>> runs = {name: (np.ones(20), np.zeros((21, 2, 4))) for name in ("scaled", "not scaled")}
    >>> explore_training(runs, ["A", "B"], ["pen", "cup"], asked=0).text.split(".")[0]
    'After 0 of 20 questions'
    """
    drawers, things = list(drawers), list(things)
    n, steps = len(drawers), {len(losses) for losses, _ in runs.values()}
    if len(runs) != 2 or len(steps) != 1:
        raise ValueError(f"runs must be two, of the same number of steps; got {len(runs)}, of {sorted(steps)} steps")
    total = steps.pop()
    for _, maps in runs.values():
        if len(things) != n or np.shape(maps) != (total + 1, n, 2 * n):
            raise ValueError(f"what is compared must have shape {(total + 1, n, 2 * n)}; got {np.shape(maps)}")
    # The first steps change most, and are shown more closely.
    shown = np.unique(np.round(total * np.linspace(0, 1, FRAMES) ** 1.5).astype(int))
    saved, exact = [], {}
    for name, (losses, maps) in runs.items():
        maps = np.asarray(maps, dtype=float)
        unit = 0.1 if np.abs(maps).max() > 20 else 0.01
        units = np.round(maps / unit).astype(int)
        changes = np.diff(units[shown].reshape(len(shown), -1), axis=0, prepend=0)
        frames = [",".join(str(x or "") for x in row) for row in changes.tolist()]
        blocks = np.asarray(losses, dtype=float)[: total // EVERY * EVERY].reshape(-1, EVERY).mean(axis=1)
        saved.append({"name": name, "unit": unit, "frames": frames, "losses": blocks.round(3)})
        exact[name] = units * unit
    data = {
        "runs": saved,
        "steps": shown,
        "every": EVERY,
        "width": 2 * n,
        "drawers": style.names(drawers, n, "drawers"),
        "things": style.names(things, n, "things"),
        "asked": asked,
        "baseline": baseline,
    }
    return Explorer("training", data, learning_at(exact, 0, drawers, drawers + things, asked))
