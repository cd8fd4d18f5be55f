"""Explore embeddings: walk from one word to another and see which words are near."""

import numpy as np

import attnlib
from attnlib.plots import word_walk
from attnlib.widgets.explorer import Explorer

#: Ends of a walk that a page offers, where the vocabulary has them.
OFFERED = "doctor hospital king queen bread music good bad cold warm bank river paris cheese"
SCALE = 10_000  # dot products are saved as whole numbers of this part


def explore_embeddings(words, E, start="doctor", end="hospital", *, k=8):
    """Walk a query from one word to another and watch its nearest words.

    The page holds the words that are near on some way between two of the words that it offers; for other words, call
    this again.

    Parameters
    ----------
    words : list of str or dict of str to int, length vocab_size
        The word of each row of E.
    E : ndarray of shape (vocab_size, d_model)
    start, end : str
    k : int
        How many neighbours to list.

    Returns
    -------
    explorer : Explorer

    Raises
    ------
    ValueError
        If start or end is not among the words; the message quotes it as it is written.

    Examples
    --------
    >>> explorer = explore_embeddings(["cat", "dog", "car"], [[1, 0], [0.8, 0.6], [0, -1]], "cat", "dog", k=2)
    >>> explorer.text
    'At cat. Nearest by cosine: cat 1.00, dog 0.80.'
    """
    words, E = list(words), np.asarray(E, dtype=float)
    for typed in (start, end):
        if typed.strip().lower() not in words:
            raise ValueError(f"“{typed.strip()}” is not among the {len(words):,} words; try another")
    start, end = start.strip().lower(), end.strip().lower()
    picture = word_walk(words, E, start, end, 0.0, k=k)
    k = min(k, len(words))
    offered = list(dict.fromkeys([start, end, *(one for one in OFFERED.split() if one in words)]))
    if len(words) <= len(OFFERED.split()):
        offered = list(dict.fromkeys([*offered, *words]))
    rows = [words.index(one) for one in offered]
    near = sorted({*rows, *_near(E, rows, k)})
    return Explorer(
        "embeddings",
        {
            "offered": offered,
            "words": [words[i] for i in near],
            "products": np.rint(SCALE * E[rows] @ E[near].T).astype(int),
            "scale": SCALE,
            "lengths": np.linalg.norm(E[near], axis=1).round(4),
            "own": [near.index(i) for i in rows],  # where each offered word stands among all
            "start": offered.index(start),
            "end": offered.index(end),
            "k": k,
        },
        picture,
    )


def _near(E, rows, k):
    """The rows of E that are among the k nearest somewhere between two of the given rows."""
    found = set()
    for i, first in enumerate(rows):
        for second in rows[i + 1 :]:
            steps = np.linspace(0, 1, 11)[:, None]
            between = (1 - steps) * E[first] + steps * E[second]
            best = np.argpartition(-attnlib.cosine_scores(between, E), k - 1, axis=1)[:, :k]
            found.update(best.ravel().tolist())
    return found
