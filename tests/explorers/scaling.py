import numpy as np

import attnlib
from attnlib import widgets
from attnlib.plots.scaling import mean_entropies, random_scores


def build():
    return widgets.explore_scaling(512, 8)


def states(data, rng):
    for _ in range(10):
        exponent, n, query = rng.integers([1, 2, 0], [12, 13, len(data["scores"])]).tolist()
        yield {"exponent": exponent, "n": n, "query": query}


def numbers(data, state):
    i, n, query = state["exponent"] - 1, state["n"], state["query"]
    d_k = 2 ** state["exponent"]
    # What the page holds are the scores of attnlib's experiment with four digits; the rest is computed from those.
    scores = np.array(data["scores"][query][i][:n])
    np.testing.assert_allclose(scores, random_scores(d_k, n)[query], 1e-3)
    spread, means = data["spreads"][n - 2][i], [curve[i] for curve in data["means"][n - 2]]
    np.testing.assert_allclose(spread, random_scores(d_k, n).std(), 1e-2)
    np.testing.assert_allclose(means, mean_entropies(n)[:, i], 1e-3)
    divisors = np.array([1, np.sqrt(d_k), d_k])
    weights = attnlib.softmax(scores / divisors[:, None])
    return {
        "scores": scores,
        "weights": weights,
        "entropies": attnlib.entropy(weights),
        "spreads": spread / divisors,
        "means": means,
    }
