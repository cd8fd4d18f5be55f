import numpy as np

import attnlib
from attnlib import widgets

KINDS = {"right": attnlib.attention_backward}
KINDS |= {kind: attnlib.wrong_backward(kind, attnlib.attention_backward) for kind in ("no Jacobian", "sign turned")}
RUNS = {kind: attnlib.teach_recall(backward) for kind, backward in KINDS.items()}


def build():
    return widgets.explore_learning(RUNS)


def states(data, rng):
    assert (data["steps"][0], data["steps"][-1]) == (0, 300)
    for _ in range(10):
        frame, run, asked = rng.integers([0, 0, 0], [len(data["steps"]), 3, 8]).tolist()
        pairs = np.stack([rng.permutation(8)[:5], rng.integers(4, size=5)], axis=1).tolist()
        yield {"frame": frame, "run": run, "asked": asked, "pairs": pairs}


def numbers(data, state):
    # What the page holds is rounded; the rest is computed from that.
    name, saved = list(RUNS)[state["run"]], data["runs"][state["run"]]
    losses, heads = RUNS[name]
    head = heads[data["steps"][state["frame"]]]
    exact = {
        "compared": (head["W_q"] @ head["W_k"].T)[:8] / np.sqrt(8),
        "read": head["W_v"] @ head["W_o"],
    }
    held = {}
    for part, unit in data["units"].items():
        frames = np.array([[int(x or 0) for x in frame.split(",")] for frame in saved[part]])
        held[part] = frames.cumsum(axis=0)[state["frame"]].reshape(exact[part].shape) * unit
        np.testing.assert_allclose(held[part], exact[part], atol=0.51 * unit)
    np.testing.assert_allclose(saved["losses"], losses.reshape(-1, 10).mean(axis=1), atol=1e-3)
    tokens = np.array([np.append(np.eye(8)[letter], np.eye(4)[digit]) for letter, digit in state["pairs"]])
    weights = attnlib.softmax(tokens @ held["compared"][state["asked"]])
    square = held["compared"][:, :8]
    return {
        "weights": weights,
        "chances": attnlib.softmax(weights @ tokens @ held["read"]),
        "on": np.trace(square) / 8,
        "beside": square[~np.eye(8, dtype=bool)].mean(),
    }
