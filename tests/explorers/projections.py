import numpy as np

import attnlib
from attnlib import widgets
from attnlib.plots.projections import turned

X = np.array([[0.2, 0.5], [0.8, 0.1], [0.3, 0.9]])


def build():
    return widgets.explore_projections(X, np.eye(2), np.eye(2), ["The", "cat", "sat"])


def states(data, rng):
    for _ in range(10):
        angle_q, angle_k = rng.integers(-180, 181, size=2).tolist()
        stretch_q, stretch_k = rng.uniform(0, 3, size=2).tolist()
        yield {"angle_q": angle_q, "angle_k": angle_k, "stretch_q": stretch_q, "stretch_k": stretch_k}
    yield {"angle_q": 70, "angle_k": 70}  # turned together, which no score notices
    yield {"stretch_q": 0}


def numbers(data, state):
    X = np.array(data["X"])
    W_q = turned(data["W_q"], state["angle_q"], state["stretch_q"])
    W_k = turned(data["W_k"], state["angle_k"], state["stretch_k"])
    Q, K, _ = attnlib.project_qkv(X, W_q, W_k, W_k)
    scores = attnlib.dot_scores(Q, K) / np.sqrt(2)
    return {
        "W_q": W_q,
        "W_k": W_k,
        "wishes": W_q @ W_k.T,
        "Q": Q,
        "K": K,
        "scores": scores,
        "weights": attnlib.softmax(scores),
        "symmetric": bool(np.allclose(scores, scores.T, atol=1e-9)),
    }
