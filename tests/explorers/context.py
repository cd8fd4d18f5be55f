import numpy as np

import attnlib
from attnlib import widgets

KEYS = np.array([[2.0, 0.0], [0.0, 2.0], [-1.5, -1.0], [1.5, -1.5]])
VALUES = np.array([[0.0, 0.0], [4.0, 0.0], [4.0, 3.0], [1.0, 4.0]])


def build():
    return widgets.explore_context([0.5, 0.5], KEYS, VALUES, ["dog", "cat", "bird", "fish"])


def states(data, rng):
    for _ in range(10):
        yield {name: rng.normal(size=np.shape(data[name])).tolist() for name in ("q", "K", "V")}


def numbers(data, state):
    q, K, V = (np.array(state[name]) for name in ("q", "K", "V"))
    scores = attnlib.dot_scores(q[None], K)[0]
    weights = attnlib.softmax(scores)
    return {"scores": scores, "weights": weights, "context": weights @ V}
