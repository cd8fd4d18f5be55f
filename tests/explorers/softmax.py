import numpy as np

import attnlib
from attnlib import widgets

TEMPERATURES = np.geomspace(0.05, 20, 61)  # of the path and the curve


def build():
    return widgets.explore_softmax([0.29, 0.21, 0.51], ["The", "cat", "sat"])


def states(data, rng):
    for n in (3, 3, 1, 7):  # whatever the number of scores
        yield {
            "scores": rng.normal(scale=3, size=n).tolist(),
            "shift": float(rng.normal()),
            "temperature": float(10 ** rng.uniform(-1.3, 1.3)),
        }


def numbers(data, state):
    lifted, temperature = np.array(state["scores"]) + state["shift"], state["temperature"]
    powers = np.exp(lifted / temperature)
    weights = attnlib.softmax_with_temperature(lifted, temperature)
    path = np.stack([attnlib.softmax_with_temperature(lifted, one) for one in TEMPERATURES])
    return {
        "lifted": lifted,
        "powers": powers,
        "total": powers.sum(),
        "weights": weights,
        "entropy": attnlib.entropy(weights),
        "shares": np.exp(attnlib.entropy(weights)),
        "path": path,
        "curve": attnlib.entropy(path),
    }
