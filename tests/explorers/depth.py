import numpy as np

import attnlib
from attnlib import widgets
from attnlib.plots.blocks import network

NORMS = ("none", "after", "before")
ONES, ZEROS = np.ones(32), np.zeros(32)


def build():
    return widgets.explore_depth()


def states(data, rng):
    for norm in range(3):
        yield {"norm": norm, "depth": int(rng.integers(33))}
    for missing in ("attention", "units", "first", "second"):
        yield {missing: False, "norm": int(rng.integers(1, 3)), "depth": int(rng.integers(33))}
    yield {"first": False, "second": False, "depth": 6}
    yield {"attention": False, "units": False, "depth": 0}


def through(X, state):
    """The library's own blocks where all parts are there, and sums of its sublayers where some are missing."""
    found = [X]
    for *matrices, W_1, W_2 in network()[1]:
        layer = dict(zip(("W_q", "W_k", "W_v", "W_o"), matrices, strict=True)) | {"W_1": W_1, "W_2": W_2}
        layer |= dict.fromkeys(("b_q", "b_k", "b_v", "b_o", "b_2", "norm_1_bias", "norm_2_bias"), ZEROS)
        layer |= {"b_1": np.zeros(128), "norm_1_weight": ONES, "norm_2_weight": ONES}
        whole = all(state[part] for part in ("attention", "units", "first", "second"))
        if whole and state["norm"]:
            block = attnlib.post_norm_block if state["norm"] == 1 else attnlib.pre_norm_block
            found.append(block(found[-1], layer, 4))
            continue
        X = found[-1]
        for part, path in (("attention", "first"), ("units", "second")):
            if not state[part]:
                continue
            read = attnlib.layer_norm(X, ONES, ZEROS) if state["norm"] == 2 else X
            if part == "attention":
                said = attnlib.multi_head_attention(read, read, *matrices, 4)[0]
            else:
                said = attnlib.feed_forward(read, W_1, np.zeros(128), W_2, ZEROS)
            X = X + said if state[path] else said
            X = attnlib.layer_norm(X, ONES, ZEROS) if state["norm"] == 1 else X
        found.append(X)
    return np.array(found)


def numbers(data, state):
    X = network()[0]
    i, j = np.indices(X.shape)
    here, there = through(X, state), through(X + np.where((i + j) % 2, -1e-5, 1e-5), state)
    cosines = np.array([attnlib.cosine_scores(one, one) for one in here])
    apart = np.linalg.norm(there - here, axis=(1, 2))
    return {
        "alike": (cosines.sum(axis=(1, 2)) - 12) / (12 * 11),
        "lengths": np.linalg.norm(here, axis=-1).mean(axis=-1),
        "change": apart / apart[0],
        "cosines": cosines[state["depth"]],
    }
