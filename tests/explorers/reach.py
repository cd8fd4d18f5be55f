import numpy as np

import attnlib
from attnlib import widgets

WORDS = [1.2, -0.6, 0.4, 0.9, -0.3, -1.1, 0.2, 0.7, -0.8, 0.5, 0.1, -0.4]


def build():
    return widgets.explore_reach([*WORDS, *WORDS[::-1], 0.3, -0.2], 0.8, 1.0, 12)


def states(data, rng):
    for _ in range(8):
        n = int(rng.integers(4, 1 + len(data["x"])))
        x = rng.uniform(-2, 2, size=len(data["x"])).round(2).tolist()
        yield {"x": x, "w": rng.uniform(0, 1.6), "q": rng.uniform(0, 4), "n": n, "at": int(rng.integers(n))}
    yield {"x": [0.0] * len(data["x"]), "w": 1.1, "n": len(data["x"])}


def numbers(data, state):
    x, one = np.array(state["x"][: state["n"]])[:, None], np.ones((1, 1))
    network = one, state["w"] * one, np.zeros(1)
    states, at = attnlib.rnn_states(x, *network)[:, 0], state["at"]
    # What reaches a state is what would reach the last one if the text ended there.
    wave = [attnlib.rnn_reach(x[: s + 1], *network)[at] if s >= at else 0.0 for s in range(len(x))]
    weights = attnlib.softmax(state["q"] * x[:, 0])
    return {
        "states": states,
        "wave": wave,
        "rnn": attnlib.rnn_reach(x, *network),
        "weights": weights,
        "context": weights @ x[:, 0],
        "attention": attnlib.context_reach([state["q"]], x, one, one),
    }
