import numpy as np

import attnlib
from attnlib import widgets

WORDS = ["The", "cat", "sat", "down"]
SCORES = np.array([[1.0, 0.4, 1.2, 0.3], [0.2, 0.9, -1.5, 0.1], [1.1, 1.4, 0.3, 0.6], [0.5, 0.2, 1.0, 0.8]])


def build():
    return widgets.explore_mask(SCORES, queries=WORDS, keys=WORDS)


def states(data, rng):
    yield {"mask": attnlib.causal_mask(4).tolist(), "louder": 10}
    yield {"mask": [[False] * 4] * 4}
    for _ in range(8):
        yield {"mask": (rng.random((4, 4)) < 0.5).tolist(), "louder": float(rng.uniform(0, 10))}


def numbers(data, state):
    mask = np.array(state["mask"])
    scores = np.array(data["scores"]) + state["louder"] * np.eye(4)[-1]
    weights = attnlib.masked_softmax(scores, mask)
    powers = np.where(mask, np.exp(scores), 0)
    return {"scores": scores, "powers": powers, "weights": weights, "sums": weights.sum(axis=-1)}
