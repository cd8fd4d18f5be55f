"""Explore the split into heads: follow numbers through reshape, exchange of axes, attention and merge."""

import numpy as np

from attnlib.plots import Picture, head_cells, style
from attnlib.widgets.explorer import Explorer

HEADS = 2, 3


def explore_split(X, W, W_o, tokens=None, num_heads=3):
    """Play the way of a few numbers through split, attention and merge; or split them by a bare reshape.

    Queries, keys and values are the same here, X @ W: what is to be seen is which number goes where.

    Parameters
    ----------
    X : ndarray of shape (n, 6)
        Of two or three tokens.
    W, W_o : ndarray of shape (6, 6)
    tokens : list of str, length n, optional
        Short names: they stand in every cell.
    num_heads : int
        At the start: 2 or 3.

    Returns
    -------
    explorer : Explorer

    Raises
    ------
    ValueError
        If a shape or the number of heads is none of those.

    Examples
    --------
    >>> explore_split(np.ones((2, 6)), np.eye(6), np.eye(6), ["a", "b"], 2).text
    'Step 0 of 7, X: shape (2, 6). In the split, head 0 holds numbers of a and b; head 1 of a and b.'
    """
    X, W, W_o = (np.asarray(one, dtype=float) for one in (X, W, W_o))
    if X.ndim != 2 or X.shape[1] != 6 or not 2 <= len(X) <= 3:
        raise ValueError(f"X must have shape (2, 6) or (3, 6); got {X.shape}")
    if W.shape != (6, 6) or W_o.shape != (6, 6):
        raise ValueError(f"W and W_o must have shape (6, 6); got {W.shape} and {W_o.shape}")
    if num_heads not in HEADS:
        raise ValueError(f"num_heads must be 2 or 3; got {num_heads}")
    tokens = style.names(tokens, len(X), "x")
    n, columns = X.shape
    cells = np.arange(X.size).reshape(X.shape)
    heads = np.stack(np.split(cells, num_heads, axis=1))
    names = f"{', '.join(tokens[:-1])} and {tokens[-1]}"
    held = "; ".join(f"head {h} {'' if h else 'holds numbers '}of {names}" for h in range(num_heads))
    picture = head_cells(cells, {"slices of columns": heads}, tokens)
    alt = f"Step 0 of 7, X: shape ({n}, {columns}). In the split, {held}."
    data = {"X": X, "W": W, "W_o": W_o, "tokens": tokens, "heads": num_heads}
    return Explorer("split", data, Picture(picture.figure, alt))
