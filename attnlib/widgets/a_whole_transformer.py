"""Explore meanings: words with two of them, on their way through a transformer."""

import numpy as np

from attnlib import a_whole_transformer
from attnlib.plots.a_whole_transformer import gap, nearest, on_two_axes, sense_map_at
from attnlib.widgets.explorer import Explorer


def explore_meanings(states, senses):
    """Choose a word and a layer, or play from the first layer to the last; point at a sentence to read it.

    Parameters
    ----------
    states : dict of str to ndarray of shape (n, 7, d), optional
        Each word in its n sentences, before the first layer and after each; None for what the course's own function
        makes of them.
    senses : dict of str to dict of str to list of str
        For each word its two meanings, and for each the sentences, as many of both, in the order of the states.

    Returns
    -------
    explorer : Explorer

    Raises
    ------
    ValueError
        If a word has not as many states as sentences, or not two meanings with as many of both.

    Examples
    --------
    >>> states = np.zeros((4, 7, 3)) + [[[1, 0, 0]], [[1, 0.1, 0]], [[0, 1, 0]], [[0, 1, 0.1]]]
    >>> explore_meanings({"bank": states}, {"bank": {"money": ["a", "b"], "river": ["c", "d"]}})
    Explorer: bank before the first layer: of 4 sentences, 4 have their nearest neighbour in the same meaning. The \
mean cosine is 1.00 between two of the same meaning, and 0.05 between two of different ones.
    """
    if states is None:
        states = {
            word: [a_whole_transformer.word_in_context(text, word) for some in meanings.values() for text in some]
            for word, meanings in senses.items()
        }
    words = []
    for word, meanings in senses.items():
        found, texts = np.asarray(states[word]), [text for some in meanings.values() for text in some]
        counts = [len(some) for some in meanings.values()]
        if len(counts) != 2 or counts[0] != counts[1] or found.ndim != 3 or len(found) != len(texts):
            raise ValueError(
                f"{word} must have two meanings with as many sentences of both, and a row of states for each; got "
                f"{counts} sentences and states of shape {found.shape}"
            )
        others, right, cosines = nearest(found)
        words.append(
            {
                "word": word,
                "meanings": list(meanings),
                "texts": texts,
                "points": on_two_axes(found)[0].round(3),
                "nearest": others,
                "right": right.round(3),
                "cosines": np.take_along_axis(cosines, others[..., None], axis=-1)[..., 0].round(3),
                "gaps": [[round(one, 4) for one in gap(table)] for table in cosines],
            }
        )
    first = next(iter(senses))
    return Explorer("meanings", {"words": words}, sense_map_at(np.asarray(states[first]), list(senses[first]), first))
