"""Who in one sentence listens to whom in another."""

import numpy as np

import attnlib
from attnlib.plots import style
from attnlib.plots.picture import Picture

FAINTEST = 0.02  # lighter ties are not drawn


def alignment(weights, target, source, *, word=None, title=""):
    """Draw two sentences and between them a line for each weight, broad where it is large.

    Parameters
    ----------
    weights : ndarray of shape (n_queries, n_keys)
        Rows that sum to 1.
    target, source : list of str
        The words that ask and the words that answer.
    word : int, optional
        A target word to look at: the others fade, and its weights are written below the source.
    title : str

    Returns
    -------
    picture : Picture

    Examples
    --------
    >>> weights = [[0.9, 0.1], [0.2, 0.8]]
    >>> alignment(weights, ["big", "home"], ["large", "house"]).alt
    'Alignment. Each target word and the source word that it attends to most: big to large 0.90, home to house 0.80.'
    >>> alignment(weights, ["big", "home"], ["large", "house"], word=1).alt
    'Alignment. “home” attends to large 0.20, house 0.80.'
    """
    weights = np.asarray(weights, dtype=float)
    target, source = [str(label) for label in target], [str(label) for label in source]
    if weights.shape != (len(target), len(source)):
        raise ValueError(
            f"weights must have shape (n_queries, n_keys) = ({len(target)}, {len(source)}); got shape {weights.shape}"
        )
    if word is not None and not 0 <= word < len(target):
        raise ValueError(f"word must be the index of a target word, 0 to {len(target) - 1}; got {word}")
    above, below = _places(target), _places(source)
    low, high = 1.0, 2.7
    height = high + 0.75 + (0.45 if title else 0)
    figure, area = style.sheet(style.WIDTH, height)
    for i, row in enumerate(weights):
        for j, weight in enumerate(row):
            # Of the words that nobody asks about, a hair to the best: all their lines would hide those of the word.
            asked, best = word is None or i == word, j == row.argmax()
            strong = asked and (best or word is not None)
            if weight >= FAINTEST and (asked or best):
                color = style.role("query").color if strong else style.role("scores").color
                wide = 0.6 + 9 * weight if asked else 0.8
                line = {"linewidth": wide, "solid_capstyle": "butt", "zorder": 2 if strong else 1}
                alpha = 0.85 if strong else 0.4 if asked else 0.7
                area.plot([above[i], below[j]], [high, low], color=color, alpha=alpha, **line)
    _sentence(area, target, above, high + 0.14, "query", bold={word} if word is not None else set())
    best = set() if word is None else {int(weights[word].argmax())}
    _sentence(area, source, below, low - 0.16, "value", bold=best, va="top")
    area.text(0.15, high + 0.52, "target: who asks", fontsize=style.SMALL, color=style.MUTED, va="center")
    area.text(0.15, 0.22, "source: who answers", fontsize=style.SMALL, color=style.MUTED, va="center")
    if word is not None:
        for x, weight in zip(below, weights[word], strict=True):
            area.text(x, low - 0.55, style.number(weight), fontsize=style.SMALL, color=style.INK, ha="center")
    if title:
        style.heading(area, style.WIDTH, height, title)
    lead = f"{title or 'Alignment'}. "
    if word is None:
        best = [(i, int(row.argmax())) for i, row in enumerate(weights)]
        pairs = ", ".join(f"{target[i]} to {source[j]} {style.number(weights[i, j])}" for i, j in best)
        return Picture(figure, f"{lead}Each target word and the source word that it attends to most: {pairs}.")
    heard = ", ".join(f"{name} {style.number(x)}" for name, x in zip(source, weights[word], strict=True))
    return Picture(figure, f"{lead}“{target[word]}” attends to {heard}.")


def alignment_at(target, source, X_target, X_source, *, word=None, temperature=0.1):
    """Draw the alignment of two sentences by the cosines of their word vectors, at a temperature.

    Parameters
    ----------
    target, source : list of str
    X_target : ndarray of shape (n_queries, d)
    X_source : ndarray of shape (n_keys, d)
    word : int, optional
        A target word to look at.
    temperature : float

    Returns
    -------
    picture : Picture

    Examples
    --------
    >>> alignment_at(["big"], ["large", "house"], [[1, 0]], [[1, 0], [0, 1]], word=0, temperature=1).alt
    'Temperature 1. “big” attends to large 0.73, house 0.27.'
    """
    weights = attnlib.softmax_with_temperature(attnlib.cosine_scores(X_target, X_source), temperature)
    return alignment(weights, target, source, word=word, title=f"Temperature {temperature:.3g}")


def _places(words):
    """Where the middle of each word goes: spread over the width, wider words with more room."""
    widths = np.array([style.text_width(word, style.TEXT + 1, "bold") for word in words])
    gap = min(0.9, (style.WIDTH - 0.6 - widths.sum()) / max(len(words) - 1, 1))
    starts = np.concatenate([[0], np.cumsum(widths[:-1] + gap)])
    middles = starts + widths / 2
    return middles + (style.WIDTH - (starts[-1] + widths[-1])) / 2


def _sentence(area, words, places, y, role, bold, va="bottom"):
    for i, (word, x) in enumerate(zip(words, places, strict=True)):
        font = {
            "fontsize": style.TEXT + 1,
            "color": style.role(role).ink,
            "fontweight": "bold" if i in bold else "normal",
        }
        area.text(x, y, word, ha="center", va=va, **font)
