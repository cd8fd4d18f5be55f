import numpy as np

import attnlib
from attnlib import widgets

RNG = np.random.default_rng(4)
X = RNG.normal(size=(3, 6)).round(1)
W, W_O = (RNG.normal(size=(2, 6, 6)) / 2).round(1)


def build():
    return widgets.explore_split(X, W, W_O, ["a", "b", "c"], 3)


def states(data, rng):
    for _ in range(10):
        step, heads, token = rng.integers([0, 0, 0], [8, 2, 3]).tolist()
        yield {"step": step, "heads": heads, "token": token, "bug": bool(rng.integers(2))}


def numbers(data, state):
    h = (2, 3)[state["heads"]]
    shape = h, 3, 6 // h
    projected, owner = X @ W, np.repeat(np.arange(3)[:, None], 6, axis=1)
    bug = state["bug"]
    split, owners = (one.reshape(shape) if bug else attnlib.split_heads(one, h) for one in (projected, owner))
    contexts, weights = attnlib.scaled_dot_product_attention(split, split, split)
    merged = attnlib.merge_heads(contexts)
    return {
        "projected": projected,
        "split": split,
        "owners": owners,
        "weights": weights,
        "contexts": contexts,
        "merged": merged,
        "result": merged @ W_O,
    }
