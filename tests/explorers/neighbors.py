import numpy as np

import attnlib
from attnlib import widgets
from attnlib.plots.nearest_neighbours import neighbor_weights

SHELF = np.array([[2.0, 0.0], [1.2, 1.4], [-0.4, 1.6], [-1.6, -0.4], [0.3, -2.2]])


def build():
    return widgets.explore_neighbors([1.2, 0.9], SHELF, 2, [f"k{j}" for j in range(5)])


def states(data, rng):
    for k in [1, 5, *range(1, 6)]:
        temperature, angle = float(10 ** rng.uniform(-1.3, 2)), float(rng.uniform(-180, 180))
        K = rng.normal(size=np.shape(data["K"])).tolist()
        yield {"k": k, "temperature": temperature, "angle": angle, "length": float(rng.uniform(0.2, 2)), "K": K}


def numbers(data, state):
    K, k = np.array(state["K"]), state["k"]

    def query(angle):
        return state["length"] * np.array([np.cos(np.radians(angle)), np.sin(np.radians(angle))])

    q = query(state["angle"])
    scores = attnlib.dot_scores([q], K)[0]
    places = attnlib.knn_indices([q], K, k, "dot")[0]
    # Every third degree, and just before and just after every angle at which two keys tie.
    i, j = np.triu_indices(len(K), 1)
    ties = np.degrees(np.arctan2(K[i, 0] - K[j, 0], K[j, 1] - K[i, 1]))
    ties = np.concatenate([ties, ties - 180 * np.sign(ties)]) if k < len(K) else ties[:0]
    angles = np.sort(np.concatenate([np.arange(-180, 181, 3), ties - 1e-6, ties + 1e-6]))
    return {
        "scores": scores,
        "found": np.isin(np.arange(len(K)), places),
        "weights": neighbor_weights(q, K, k, state["temperature"]),
        "cut": np.sort(scores)[::-1][k - 1 : k + 1].mean() if k < len(K) else None,
        "angles": angles,
        "around": np.transpose([neighbor_weights(query(a), K, k, state["temperature"]) for a in angles]),
    }
