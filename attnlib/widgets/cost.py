"""Read scores piece by piece, and follow what four ways of attention cost as a text grows."""

from attnlib.plots.cost import SCORES, VALUES, cost_at
from attnlib.widgets.explorer import Explorer


def explore_cost():
    """Drag a text's scores past, piece by piece, and drag its length along the curves of memory and work.

    Returns
    -------
    explorer : Explorer

    Examples
    --------
    >>> explore_cost().text.split(". ")[0]
    '4 of 12 keys read in pieces of 4'
    """
    return Explorer("cost", {"scores": SCORES, "values": VALUES}, cost_at())
