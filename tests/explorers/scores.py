import numpy as np

import attnlib
from attnlib import widgets
from attnlib.plots.scores import nearest_by_measure

WORDS = ["The", "cat", "sat"]
X = np.array([[0.2, 0.5], [0.8, 0.1], [0.3, 0.9]])


def build():
    return widgets.explore_scores(X, X, WORDS, WORDS, move="key", index=0)


def states(data, rng):
    for _ in range(10):
        yield {name: rng.normal(size=np.shape(data[name])).tolist() for name in ("Q", "K")}
    yield {"K": [[0, 0], *data["K"][1:]]}  # a vector of zeros has no direction
    yield {"Q": [[1, 2]] * 3, "K": [[1, 2], [2, 0], [-1, 3]]}  # two keys tie


def numbers(data, state):
    Q, K = np.array(state["Q"], dtype=float), np.array(state["K"], dtype=float)
    chosen = np.zeros((3, len(Q), len(K)))
    for i, winners in enumerate(nearest_by_measure(Q, K)):
        for measure, keys in enumerate(winners):
            chosen[measure, i, keys] = 1
    return {
        "dots": attnlib.dot_scores(Q, K),
        "cosines": attnlib.cosine_scores(Q, K),
        "distances": attnlib.squared_distances(Q, K),
        "chosen": chosen,
    }
