"""Explore embeddings: walk from one word to another and see which words are near."""

from attnlib.plots import word_walk
from attnlib.widgets.base import Explorer, slider, word_box


def explore_embeddings(words, E, start="doctor", end="hospital", *, k=8):
    """Walk a query from one word to another and watch its nearest words.

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
        With the controls `start`, `end` and `t`.

    Examples
    --------
    >>> explorer = explore_embeddings(["cat", "dog", "car"], [[1, 0], [0.8, 0.6], [0, -1]], "cat", "dog", k=2)
    >>> explorer.controls.t.value = 1
    >>> explorer.text
    'At dog. Nearest by cosine: dog 1.00, cat 0.80.'
    """
    words = list(words)
    controls = {
        "start": word_box("from", start, words),
        "end": word_box("to", end, words),
        "t": slider("how far", 0.0, 0.0, 1.0, 0.02),
    }

    def draw(start, end, t):
        return word_walk(words, E, start.strip().lower(), end.strip().lower(), t, k=k)

    return Explorer(draw, controls, "move the query from one word to the other. When do its neighbours change?")
