"""Take a transformer block apart, and see what 32 of them make of their tokens."""

from attnlib.plots import depth_at
from attnlib.widgets.explorer import Explorer


def explore_depth():
    """Take parts of a block out, move its norms, and follow random tokens through 32 such blocks.

    Returns
    -------
    explorer : Explorer

    Examples
    --------
    >>> explore_depth().text.split(". ")[0]
    'In each block: attention with its path and feed-forward layer with its path, norm after'
    """
    return Explorer("depth", {}, depth_at())
