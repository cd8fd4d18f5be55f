import numpy as np

import attnlib
from attnlib import widgets


def build():
    return widgets.explore_positions()


def states(data, rng):
    for kind in (0, 0, 0, 0, 1, 2):
        m, n = rng.integers(0, data["places"], size=2).tolist()
        yield {"kind": kind, "m": m, "n": n, "back": int(rng.integers(0, 9)), "base": float(10 ** rng.uniform(0.5, 5))}


def numbers(data, state):
    if state["kind"]:
        scores = np.array([data["learned"], data["head"]][state["kind"] - 1])
    else:
        P = attnlib.sinusoidal_positions(data["places"], 8, state["base"])
        scores = P @ attnlib.shift_matrix(-state["back"], 8, state["base"]) @ P.T
    row = scores[state["m"]]
    return {"scores": scores, "score": row[state["n"]], "best": int(row.argmax())}
