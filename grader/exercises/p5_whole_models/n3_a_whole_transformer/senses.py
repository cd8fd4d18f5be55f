from functools import cache

import numpy as np

from attnlib import load_senses, word_in_context
from grader.exercises.kinds import Between, Entry, values
from grader.exercises.stages import slip

LAYERS = (1, 3, 6)
#: So near each other are cosines that are equal, but for rounding in single precision.
ROUNDED = 1e-6


@cache
def vectors():
    """For each word its vectors in twelve sentences, (12, 7, 384): six of one meaning, then six of the other."""
    return {
        word: np.array([word_in_context(text, word) for some in meanings.values() for text in some]).astype(float)
        for word, meanings in load_senses().items()
    }


def _cosines(rows):
    rows = rows / np.linalg.norm(rows, axis=-1, keepdims=True)
    return rows @ rows.T


#: How near two vectors are, by the slip: the largest number in a row is taken.
NEARNESS = {
    "dot": lambda rows: rows @ rows.T,
    "distance": lambda rows: -((rows[:, None] - rows) ** 2).sum(axis=-1),
    "farthest-by-distance": lambda rows: ((rows[:, None] - rows) ** 2).sum(axis=-1),
    "farthest": lambda rows: -_cosines(rows),
    "centred": lambda rows: _cosines(rows - rows.mean(axis=0)),
    "second-from-below": lambda rows: _of_rank(_cosines(rows), 1),
    "third": lambda rows: _of_rank(_cosines(rows), 9),
    "later-only": lambda rows: np.triu(_cosines(rows), 1),
}
NEARNESS["dot-and-itself"] = NEARNESS["dot"]
#: When the nearest is held to have the same meaning, by the slip: i asks, j is found.
ALIKE = {
    "border-behind": lambda i, j: (i < 7) == (j < 7),
    "border-before": lambda i, j: (i < 5) == (j < 5),
    "border-behind-of-found": lambda i, j: (i < 6) == (j < 7),
    "one-meaning-for-all": lambda i, j: j < 6,
    "first-meaning-counted": lambda i, j: (i < 6) & (j < 6),
    "either-of-the-first": lambda i, j: (i < 6) | (j < 6),
    "even-and-odd": lambda i, j: i % 2 == j % 2,
    "even-of-found": lambda i, j: (i < 6) == (j % 2 == 0),
    "three-by-three": lambda i, j: i // 3 == j // 3,
    "next-to-it": lambda i, j: np.abs(i - j) == 1,
    "less-than-six-apart": lambda i, j: np.abs(i - j) < 6,
}


@cache
def nearest_is_right(layer, how="cosine", itself=False, alike=""):
    """For each word, of which of its twelve vectors after a layer the nearest has the same meaning: ones and zeros."""
    found, asks = {}, np.arange(12)
    same = ALIKE.get(alike, lambda i, j: (i < 6) == (j < 6))
    for word, X in vectors().items():
        rows = X[:, layer]
        scores = NEARNESS.get(how, _cosines)(rows)
        if not itself:
            np.fill_diagonal(scores, -np.inf)
        found[word] = same(asks, scores.argmax(axis=1)).astype(float)
    return found


@cache
def before_the_first():
    """The share before the first layer: the same word at the same place has the same vector there, whatever it means,
    and which of several that are equally near is found is a matter of rounding."""
    counts = np.zeros(2)  # of vectors whose nearest ones all have the same meaning, and of which one has
    for X in vectors().values():
        scores = _cosines(X[:, 0])
        np.fill_diagonal(scores, -np.inf)
        nearest = scores > scores.max(axis=1, keepdims=True) - ROUNDED
        alike = np.arange(12)[:, None] // 6 == np.arange(12) // 6
        counts += (nearest <= alike).all(axis=1).sum(), (nearest & alike).any(axis=1).sum()
    return Between(*counts / 72)


def _of_rank(scores, rank):
    """1 in each row where the number of this rank is, counted from the smallest."""
    return (np.argsort(np.argsort(scores, axis=1), axis=1) == rank).astype(float)


@cache
def by_means(layer, itself=True):
    """For each word, of its vectors the share that is nearer to the mean of its own meaning than to the other's."""
    found = {}
    for word, X in vectors().items():
        rows = X[:, layer] / np.linalg.norm(X[:, layer], axis=-1, keepdims=True)
        right = []
        for i in range(12):
            kept = np.arange(12) != i if not itself else np.full(12, True)
            means = [X[:, layer][some][kept[some]].mean(axis=0) for some in (slice(6), slice(6, None))]
            own, other = (rows[i] @ mean / np.linalg.norm(mean) for mean in (means if i < 6 else means[::-1]))
            right.append(own > other)
        found[word] = float(np.mean(right))
    return found


@cache
def by_mean_cosines(layer):
    """For each word, of its vectors the share whose mean cosine with the others of their meaning is the larger."""
    found, own = {}, np.arange(12)[:, None] // 6 == np.arange(12) // 6
    for word, X in vectors().items():
        scores = _cosines(X[:, layer])
        same, other = (np.average(scores, axis=1, weights=some) for some in (own & ~np.eye(12, dtype=bool), ~own))
        found[word] = float((same > other).mean())
    return found


@cache
def mean_cosines(layer, itself=False):
    """For each word, the mean cosine of two vectors of one meaning, which are different ones unless `itself`."""
    found = {}
    for word, X in vectors().items():
        rows = X[:, layer] / np.linalg.norm(X[:, layer], axis=-1, keepdims=True)
        apart = [rows[some] @ rows[some].T for some in (slice(6), slice(6, None))]
        found[word] = float(np.mean([scores.mean() if itself else (scores.sum() - 6) / 30 for scores in apart]))
    return found


@values(
    points=2,
    task="say how often the nearest vector of a word has the same meaning, as a dict",
    entries=(
        Entry("after 1", "the share after the first layer, over all 72 sentences", 0.3, decimals=2, counted=True),
        Entry("after 3", "the share after the third layer", 0.3, decimals=2, counted=True),
        Entry("after 6", "the share after the last layer", 0.4, decimals=2, counted=True),
    ),
    mistakes="""
    one-decimal: you rounded to one decimal -> 0.96 and 1 are not the same. -> Two decimals.
    itself: every share is 1: each vector has found itself, or you asked *play* alone -> Nothing is nearer to a vector
        than itself. And of *play* all twelve are right, of other words not. -> Take the diagonal out before you look
        for the largest (put something very small there), and ask all six words.
    dot: you compare by dot products, not by cosines -> A long vector then is near to everything. -> Bring the rows to
        length 1 first, or use `cosine_scores`.
    distance: you compare by distances, not by cosines -> Here that comes out a little otherwise. -> `cosine_scores`.
    dot-and-itself: you compare by dot products, and each vector may find itself -> A long vector then is near to
        everything, and most of all to itself. -> Use `cosine_scores`, and take the diagonal out before you look for the
        largest.
    centred: you take the mean of the twelve off before you compare -> That is a good thing to do where all vectors
        point one way, and another question. -> The cosines of the vectors as they are.
    third: you took the third of the sort -> Each vector itself comes first, then its nearest. -> The second; or take
        the diagonal out, and then the largest.
    first-meaning: you ask the first six sentences only -> The others have a nearest, too. -> All twelve.
    one-meaning-for-all: you ask whether the nearest is one of the first six, whoever asks -> For rows 6 to 11 the same
        meaning is that of rows 6 to 11. -> Compare the two: `(i < 6) == (nearest < 6)`.
    first-meaning-counted: you count a pair only if both are among the first six -> Two of the second meaning are alike
        as well. -> The two have to be equal: `(i < 6) == (nearest < 6)`.
    either-of-the-first: you count a pair if one of the two is among the first six -> Then one of each meaning counts.
        -> The two have to be equal: `(i < 6) == (nearest < 6)`.
    even-and-odd: you take even places for one meaning and odd ones for the other -> Rows 0 to 5 are of one meaning,
        rows 6 to 11 of the other. -> `(i < 6) == (nearest < 6)`.
    even-of-found: of those that are found you take even places for one meaning and odd ones for the other -> Rows 0 to
        5 are of one meaning, rows 6 to 11 of the other. -> `< 6` on both sides.
    three-by-three: you take three rows for a meaning -> Rows 0 to 5 are of one meaning, rows 6 to 11 of the other. ->
        `i // 6`, or `i < 6`.
    next-to-it: you ask whether the nearest stands beside it in the list -> Rows 0 to 5 are of one meaning, rows 6 to 11
        of the other. -> `(i < 6) == (nearest < 6)`.
    less-than-six-apart: you ask whether the two places are less than six apart -> Rows 5 and 6 are near in the list,
        and of two meanings. -> `(i < 6) == (nearest < 6)`.
    later-only: you look for the nearest among those behind it alone -> Half of the table of cosines is enough for
        pairs; for the nearest of each row it takes the whole row. -> All but the diagonal.
    border-behind-of-found: of those that are found you count seven to the first meaning -> Rows 0 to 5 are six
        sentences. -> `< 6` on both sides.
    percent-with-one-decimal: those are per cent -> A share lies between 0 and 1. -> Divide by 100.
    farthest: you looked for the farthest -> `argmin` of a cosine is the vector that is least alike. -> `argmax`.
    farthest-by-distance: you looked for the largest distance -> That is the vector that is least near. -> The largest
        cosine.
    second-from-below: you took the second of an upward sort -> `argsort` puts the least alike first; each vector
        itself comes last. -> The last but one, or sort the negated cosines.
    border-behind: you count seven sentences to the first meaning -> Rows 0 to 5 are six sentences. -> `i < 6`.
    border-before: you count five sentences to the first meaning -> Rows 0 to 5 are six sentences. -> `i < 6`.
    layers-in-a-row: those are the shares after the layers 1, 2 and 3 -> The keys ask for 1, 3 and 6. -> Index with the
        number in the key.
    summed-over-words: you add up the shares of the six words -> A share lies between 0 and 1. -> Their mean.
    layers-of-the-question: those are the shares before the first layer, after it, and after the last -> The keys ask
        for 1, 3 and 6. -> Index with the number in the key.
    five-words: the last of the six words is left out -> Six words have twelve sentences each. -> All six.
    first-word-left-out: the first of the six words is left out -> Six words have twelve sentences each. -> All six.
    layer-too-early: your states are one layer too early -> Row 0 is before the first layer, so row l is after layer l.
        -> Index with the number of the layer.
    layer-too-late: your states are one layer too late -> Row 0 is before the first layer, so row l is after layer l. ->
        Index with the number of the layer.
    one-word: that is the share for *bank* alone -> Six words have twelve sentences each. -> The mean over all six.
    last-word: that is the share for *cell* alone, the last of the words -> In a loop, `=` keeps what the last round
        has found. -> Collect the shares of all six, and take their mean.
    spring-alone: that is the share for *spring* alone, or for *match* -> Six words have twelve sentences each. -> The
        mean over all six.
    light-alone: that is the share for *light* alone -> Six words have twelve sentences each. -> The mean over all six.
    the-wrong-share: that is how often the nearest has the other meaning -> The question is how often it is the same. ->
        Take it from 1.
    percent: those are per cent -> A share lies between 0 and 1. -> Divide by 100.
    percent-rounded: those are per cent, without decimals -> A share lies between 0 and 1. -> Divide by 100 before you
        round.
    nearest-mean: you compare with each meaning as a whole (its mean vector, or the mean cosine with all of it), not
        with the nearest sentence -> That is another question, and a vector has a part in the mean of its own meaning.
        -> For each vector the one nearest other.
    nearest-mean-of-others: you compare with the mean vector of each meaning, not with the nearest sentence -> That is
        another question, if a good one. -> For each vector the one nearest other.
    means-of-cosines: you compare the mean cosine with one meaning and with the other -> How near all of a meaning are
        together is another question than which single one is nearest. -> For each vector the one nearest other.
    mean-cosine: that is the mean cosine of two sentences of the same meaning -> It says how near they are to each
        other, not whether the nearest is among them. -> For each vector the nearest other, and how often its meaning is
        the same.
    mean-cosine-with-itself: that is the mean cosine of sentences of the same meaning, each with itself among them -> It
        says how near they are to each other, not whether the nearest is among them. -> For each vector the nearest
        other, and how often its meaning is the same.
    words-all-right: that is the share of words of which all twelve sentences are right -> The question is how many of
        all 72 sentences are. -> Count sentences, not words.
    cut-off: you cut off what follows the second decimal -> 0.958 is nearer to 0.96. -> Round.
    counted: you counted, and did not divide -> A share lies between 0 and 1. -> Divide by the number of sentences.
    counted-by-word: those are counts for a word, of its twelve sentences -> A share lies between 0 and 1. -> Divide by
        the number of sentences.
    before-the-first: the share after layer 1 may be that before the first layer -> Row 0 is before the first layer.
        There, a word has the same vector wherever it stands at the same place, and rounding decides which of them is
        found. -> `states[word][:, 1]`; and see that all 72 sentences are asked.
    """,
)
def senses(wrong=frozenset()):
    """Shares by layer, with mistakes as switches."""
    how = next((name for name in NEARNESS if name in wrong), "cosine")
    itself = bool(wrong & {"itself", "dot-and-itself", "third"})
    alike = next((name for name in ALIKE if name in wrong), "")
    by = slip(wrong, {"layer-too-early": -1, "layer-too-late": 1}, 0)
    found = {}
    layers = slip(wrong, {"layers-in-a-row": (1, 2, 3), "layers-of-the-question": (0, 1, 6)}, LAYERS)
    for asked, layer in zip(LAYERS, layers, strict=True):
        layer = 0 if asked == 1 and "before-the-first" in wrong else min(layer + by, 6)
        if layer == 0:
            found[f"after {asked}"] = before_the_first()
            continue
        right = nearest_is_right(layer, how, itself, alike)
        shares = {word: float(ones[: 6 if "first-meaning" in wrong else 12].mean()) for word, ones in right.items()}
        if wrong & {"nearest-mean", "nearest-mean-of-others"}:
            shares = by_means(layer, "nearest-mean" in wrong)
        if "means-of-cosines" in wrong:
            shares = by_mean_cosines(layer)
        if wrong & {"mean-cosine", "mean-cosine-with-itself"}:
            shares = mean_cosines(layer, "mean-cosine-with-itself" in wrong)
        if "words-all-right" in wrong:
            shares = {word: float(share == 1) for word, share in shares.items()}
        alone = {"one-word": "bank", "last-word": "cell"} | {f"{word}-alone": word for word in shares}
        words = [slip(wrong, alone, "")] if wrong & set(alone) else list(shares)
        words = words[slip(wrong, {"five-words": slice(-1), "first-word-left-out": slice(1, None)}, slice(None))]
        share = float(np.mean([shares[word] for word in words]))
        slips = {
            "the-wrong-share": 1 - share,
            "percent": 100 * share,
            "percent-rounded": round(100 * share),
            "percent-with-one-decimal": round(100 * share, 1),
            "cut-off": int(100 * share) / 100,
            "counted": 72 * share,
            "counted-by-word": 12 * share,
            "one-decimal": round(share, 1),
            "summed-over-words": 6 * share,
        }
        found[f"after {asked}"] = round(slip(wrong, slips, share), 4)
    return found
