"""Explore paths: drag words, and see how far each reaches through hidden states and through attention."""

import numpy as np

from attnlib.plots import reach_at
from attnlib.widgets.explorer import Explorer


def explore_reach(x, w=0.8, q=1.0, n=None):
    """Drag words; watch their wave run through the states of an RNN, and the context of an attention follow at once.

    Both are as small as can be: one number a word. The state is tanh of w times the state before plus the word. The
    words are keys and values of the attention as well, and q is its query.

    Parameters
    ----------
    x : ndarray of shape (n_most,)
        The words, between −2 and 2; at least four.
    w : float
        How much of the state goes on.
    q : float
        The query, from 0 on.
    n : int, optional
        How many of the words are read at the start, the first ones; by default all.

    Returns
    -------
    explorer : Explorer

    Raises
    ------
    ValueError
        If there are fewer than four words, or `n` is more than there are.

    Examples
    --------
    >>> explore_reach([1, 0, 0, 0, 0.5, -0.5], n=4)
    Explorer: Word 1 of 4, 3 steps before the last: a small nudge of it moves the last state 0.11 times as far, \
the context 0.72 times.
    """
    x = np.asarray(x, dtype=float)
    n = len(x) if n is None else n
    if x.ndim != 1 or not 4 <= n <= len(x):
        raise ValueError(
            f"x must hold four words at least, and n must be from 4 to {len(x)}; got shape {x.shape}, n = {n}"
        )
    return Explorer("reach", {"x": x, "w": w, "q": q, "n": n}, reach_at(x[:n], w, q))
