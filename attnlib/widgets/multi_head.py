"""Explore heads: choose a head and a word, type a sentence, and see what attends to what."""

import numpy as np

from attnlib.plots import head_at
from attnlib.plots.picture import notice
from attnlib.widgets.explorer import Explorer

DIGITS = 5  # of each weight, in what a notebook saves


def explore_heads(attention, text, head=0, token=0):
    """Choose a head of a layer and a word of a sentence, and see what the word attends to.

    Parameters
    ----------
    attention : callable
        Takes a text; returns its tokens, a list of str, and the weights of all heads, of shape (num_heads, n, n).
        For a sentence that is typed later, what it raises is shown in words, and the picture stays; that takes the
        kernel of this notebook.
    text : str
        The sentence to begin with.
    head, token : int
        The head and the place of the word to begin with.

    Returns
    -------
    explorer : Explorer or Picture
        Where the first sentence cannot be read, a picture that says what the layer says of it.

    Examples
    --------
    >>> def attention(text):
    ...     tokens = text.split()
    ...     n = len(tokens)
    ...     return tokens, [[[(i == j) * 1.0 for j in range(n)] for i in range(n)]]
    >>> explorer = explore_heads(attention, "the cat")
    >>> explorer.text
    'Head 0 of 1 (counted from 0). “the” attends to the 1.00, cat 0.00.'
    """

    def read(text):
        try:
            tokens, weights = attention(text)
            weights = np.asarray(weights, dtype=float)
            if weights.ndim != 3:
                raise ValueError(f"the weights must have shape (num_heads, n, n); got shape {weights.shape}")
        except Exception as problem:  # a learner's layer may raise anything; an explorer only says so
            return {
                "problem": str(problem) if isinstance(problem, ValueError) else f"{type(problem).__name__}: {problem}"
            }
        return {"text": text, "tokens": [str(token) for token in tokens], "weights": weights}

    first = read(text)
    if "problem" in first:
        return notice(first["problem"])
    weights = first["weights"]
    picture = head_at(weights, first["tokens"], head, token)
    return Explorer(
        "heads",
        first | {"weights": weights.round(DIGITS), "head": head, "token": token},
        picture,
        answer=lambda question: _rounded(read(str(question["text"]))),
    )


def _rounded(reading):
    """What a page gets: no digit that nobody sees."""
    return reading | {"weights": reading["weights"].round(DIGITS)} if "weights" in reading else reading
