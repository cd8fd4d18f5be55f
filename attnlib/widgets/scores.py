"""Explore scores: drag queries and keys, and see who is nearest by three measures."""

import numpy as np

import attnlib
from attnlib.plots import score_views, style
from attnlib.plots.vectors import REACH
from attnlib.widgets.explorer import Explorer


def explore_scores(Q, K, queries=None, keys=None, *, move="query", index=0):
    """Drag queries and keys; watch all their scores, whom each query chooses, and any pair taken apart.

    Parameters
    ----------
    Q : ndarray of shape (n_queries, 2)
    K : ndarray of shape (n_keys, 2)
    queries, keys : list of str, optional
        Labels.
    move : {"query", "key"}
        Whether a query or a key is the moved one at the start, which is outlined in the matrix.
    index : int
        Which one of them.

    Returns
    -------
    explorer : Explorer

    Raises
    ------
    ValueError
        If `move` is something else, or the vectors cannot be drawn in the plane.

    Examples
    --------
    >>> explorer = explore_scores([[1, 2]], [[1, 2], [2, 0], [-1, 3]])
    >>> explorer.text
    'Query q1 has length 2.24 and angle 63 degrees. q1 chooses k1 and k3 by dot product, k1 by cosine, k1 by distance.'
    """
    picture = score_views(Q, K, queries, keys, move=move, index=index)
    Q, K = np.asarray(Q, dtype=float), np.asarray(K, dtype=float)
    queries, keys = style.names(queries, len(Q), "q"), style.names(keys, len(K), "k")
    scores = attnlib.dot_scores(Q, K)
    partner = scores[index].argmax() if move == "query" else scores[:, index].argmax()
    reach = REACH * max(float(np.linalg.norm(np.vstack([Q, K]), axis=1).max()), 0.1)
    shared = set(queries) & set(keys)  # one token may ask and answer: then its name alone does not say which
    data = {
        "Q": Q,
        "K": K,
        "queries": queries,
        "keys": keys,
        "tags": {
            "query": [f"q {name}" for name in queries] if shared else queries,
            "key": [f"k {name}" for name in keys] if shared else keys,
        },
        "kind": move,
        "index": index,
        "pair": [index, partner] if move == "query" else [partner, index],
        "reach": reach,
        "grain": 10.0 ** np.floor(np.log10(reach / 100)),
    }
    return Explorer("scores", data, picture)
