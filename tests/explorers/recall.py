import numpy as np

import attnlib
from attnlib import plots, widgets

PATTERNS = plots.pixel_letters("ATXLO")


def build():
    return widgets.explore_recall(PATTERNS, list("ATXLO"))


def states(data, rng):
    for share in (0, 0.02, 0.24, 0.5):  # not 0.34: half-way between A and O, rounding decides
        for memory in range(len(PATTERNS)):
            picture = plots.flip_pixels(PATTERNS[memory], share).tolist()
            yield {"memory": memory, "share": share, "picture": picture, "steps": 5, "beta": 10 ** rng.uniform(-2, 1)}
    for steps in (0, 1, 2.25, 4.9):
        picture = rng.choice([-1.0, 1.0], size=64).tolist()
        yield {"memory": -1, "picture": picture, "steps": steps, "beta": 10 ** rng.uniform(-2, 1)}


def numbers(data, state):
    beta, states = state["beta"], [np.array(state["picture"])]
    while len(states) <= state["steps"]:
        states.append(attnlib.hopfield_update(states[-1], PATTERNS, beta))
    if state["steps"] % 1:
        towards = attnlib.hopfield_update(states[-1], PATTERNS, beta)
        states.append(states[-1] + state["steps"] % 1 * (towards - states[-1]))
    energies = attnlib.hopfield_energy(states, PATTERNS, beta)
    assert (np.diff(energies) < 1e-9).all()  # also on the way
    scores = PATTERNS @ states[0]
    pair = sorted(sorted(range(5), key=lambda j: (-scores[j], j))[:2])
    way = PATTERNS[pair[1]] - PATTERNS[pair[0]]
    places = (states - PATTERNS[pair[0]]) @ way / (way @ way)
    along = -0.15 + np.arange(53)[:, None] / 40

    def slice_through(k):
        return attnlib.hopfield_energy(states[k] + (along - places[k]) * way, PATTERNS, beta)

    return {
        "states": states,
        "energies": energies,
        "weights": attnlib.softmax(beta * PATTERNS @ states[-1]),
        "pair": pair,
        "places": places,
        "first": slice_through(0),
        "slice": slice_through(-1),
    }
