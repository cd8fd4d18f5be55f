"""Explore an alignment: point at a word that asks or at one that is heard, and heat up or cool down."""

import attnlib
from attnlib.plots import alignment_at
from attnlib.widgets.explorer import Explorer


def explore_alignment(target, source, X_target, X_source):
    """Point at a word and choose a temperature, and see which words of the source it attends to, or who hears it.

    Parameters
    ----------
    target, source : list of str
    X_target : ndarray of shape (n_queries, d)
    X_source : ndarray of shape (n_keys, d)

    Returns
    -------
    explorer : Explorer
        Begins with the first word of the target and the temperature 0.1.

    Examples
    --------
    >>> explorer = explore_alignment(["big", "home"], ["large", "house"], [[0.6, 0.8], [0, 1]], [[1, 0], [0, 1]])
    >>> explorer.text
    'Temperature 0.1. “big” attends to large 0.12, house 0.88.'
    """
    target, source = [str(word) for word in target], [str(word) for word in source]
    data = {"target": target, "source": source, "cosines": attnlib.cosine_scores(X_target, X_source)}
    return Explorer("alignment", data, alignment_at(target, source, X_target, X_source, word=0, temperature=0.1))
