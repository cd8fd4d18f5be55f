import numpy as np
from variants.p3_multi_head.n1_scaling.prose import training

import attnlib
from attnlib import widgets

RUNS = {"scores / √d_k": training()(1, 8.0), "not scaled": training()(1, 1.0)}


def build():
    return widgets.explore_training(RUNS, list("ABCDE"), ["pen", "cup", "map", "nut", "pin"])


def states(data, rng):
    assert (data["steps"][0], data["steps"][-1]) == (0, 300)
    for _ in range(10):
        frame, asked, turned = rng.integers([0, 0, 0], [len(data["steps"]), 5, 5]).tolist()
        yield {"frame": frame, "asked": asked, "turned": turned}


def numbers(data, state):
    return {"runs": {str(r): run(data, state, r) for r in range(2)}}


def run(data, state, r):
    # What the page holds are tenths or hundredths of the scores; the rest is computed from those.
    frames = np.array([[int(x or 0) for x in frame.split(",")] for frame in data["runs"][r]["frames"]])
    unit = data["runs"][r]["unit"]
    losses, maps = list(RUNS.values())[r]
    table = frames.cumsum(axis=0)[state["frame"]].reshape(5, 10) * unit
    np.testing.assert_allclose(table, maps[data["steps"][state["frame"]]], atol=0.51 * unit)
    np.testing.assert_allclose(data["runs"][r]["losses"], losses.reshape(-1, 10).mean(axis=1), atol=1e-3)
    asked, values = state["asked"], np.roll(np.eye(5), state["turned"], axis=1)
    X = np.hstack([np.eye(5), values])
    scores = X @ table[asked]
    weights = attnlib.softmax(scores)
    error = weights @ values - values[asked]
    on, square = np.trace(table) / 5, table[:, :5]
    return {
        "scores": scores,
        "weights": weights,
        "loss": error @ error,
        "back": np.abs(attnlib.softmax_jacobian(weights) @ (values @ (2 * error))).max(),
        "on": on,
        "beside": square[~np.eye(5, dtype=bool)].mean(),
    }
