import numpy as np

import attnlib
from attnlib import widgets
from attnlib.plots.cost import cost


def build():
    return widgets.explore_cost()


def states(data, rng):
    for _ in range(6):
        chunk = int(rng.integers(1, 13))
        read = min(12, chunk * int(rng.integers(1, 13)))
        yield {"chunk": chunk, "read": read, "row": int(rng.integers(6)), "k": int(rng.integers(16, 81))}
    yield {"chunk": 5, "read": 12, "row": 0, "k": 80}


def known_of(data, keys):
    """m, l and o of some keys, one after the other merged by the library."""
    values, found = np.array(data["values"], dtype=float), None
    for j in keys:
        scores = np.array(data["scores"], dtype=float)[:, j]
        one = scores, np.ones(6), np.full((6, 1), values[j])
        found = one if found is None else attnlib.merge_partial(found, one)
    m, l, o = found
    return {"m": m, "l": l, "o": o[:, 0]}


def numbers(data, state):
    chunk, read = state["chunk"], state["read"]
    here = (read - 1) // chunk * chunk
    now = known_of(data, range(read))
    shrink = np.exp(known_of(data, range(here))["m"] - now["m"]) if here else np.zeros(6)
    n = round(2 ** (state["k"] / 4))
    memory, work = cost(n)
    weights = attnlib.softmax(np.array(data["scores"], dtype=float)[:, :read])
    return {
        "n": n,
        "here": here,
        **now,
        "piece": known_of(data, range(here, read)),
        "shrink": shrink,
        "context": weights @ np.array(data["values"])[:read],
        "memory": memory,
        "work": work,
    }
