from functools import cache

import numpy as np

import attnlib
from attnlib import widgets
from attnlib.plots.a_whole_transformer import on_two_axes


@cache
def states_of():
    return {
        word: np.array([attnlib.word_in_context(text, word) for some in meanings.values() for text in some])
        for word, meanings in attnlib.load_senses().items()
    }


def build():
    return widgets.explore_meanings(states_of(), attnlib.load_senses())


def states(data, rng):
    for _ in range(6):
        at = [None, int(rng.integers(12))][int(rng.integers(2))]
        yield {"word": int(rng.integers(6)), "layer": int(rng.integers(7)), "at": at}
    yield {"word": 2, "layer": 6}


def numbers(data, state):
    word = data["words"][state["word"]]["word"]
    states, meaning = states_of()[word].astype(float), np.arange(12) // 6
    shares, gaps = [], []
    for layer in range(7):
        cosines = attnlib.cosine_scores(states[:, layer], states[:, layer])
        same = (meaning[:, None] == meaning) & ~np.eye(12, dtype=bool)
        gaps.append((cosines[same].mean(), cosines[:6, 6:].mean()))
        np.fill_diagonal(cosines, -2)
        shares.append(0.0)
        for row, which in zip(cosines.round(5), meaning, strict=True):  # of equally near ones each counts its share
            shares[-1] += np.mean(meaning[row == row.max()] == which)
    layer = state["layer"]
    return {
        "right": round(shares[layer], 3),
        "shares": np.round(shares, 3),
        "same": round(gaps[layer][0], 4),
        "other": round(gaps[layer][1], 4),
        "points": on_two_axes(states)[0][layer].round(3),
    }
