import numpy as np

import attnlib
from attnlib import widgets

ANGLES = 2 * np.pi * np.arange(8) / 8
CLOCK = np.stack([-np.sin(ANGLES), -np.cos(ANGLES)], axis=1)
DEGREES = np.array([11.0, 9.0, 8.0, 13.0, 18.0, 21.0, 19.0, 14.0])


def build():
    labels = [f"{hour} h" for hour in range(0, 24, 3)]
    return widgets.explore_views([0.26, 0.97], CLOCK, DEGREES, 0.25, labels, unit=" °C")


def states(data, rng):
    for _ in range(10):
        q = rng.normal(scale=0.5, size=2).tolist()
        yield {"q": q, "temperature": 10 ** rng.uniform(-1.5, 2), "longer": bool(rng.integers(2))}


def numbers(data, state):
    q, T = np.array(state["q"]), state["temperature"]
    keys = CLOCK.copy()
    keys[5] *= 1.5 if state["longer"] else 1.0
    beta, h, each = 1 / T, np.sqrt(T), np.eye(8)
    scores, kernel = attnlib.dot_scores([q], keys), attnlib.gaussian_kernel([q], keys, h)
    weights = [
        attnlib.softmax_with_temperature(scores, T)[0],
        attnlib.kernel_attention([q], keys, each, lambda Q, K: attnlib.gaussian_kernel(Q, K, h))[0],
        attnlib.soft_lookup(q, keys, each, beta),
    ]
    assert state["longer"] or np.ptp(weights, axis=0).max() < 1e-12  # the three views are one
    return {
        "keys": keys,
        "scores": scores[0],
        "distances": np.sqrt(attnlib.squared_distances([q], keys)[0]),
        "kernel": kernel[0],
        "update": attnlib.hopfield_update(q, keys, beta),
        "h": h,
        "beta": beta,
        "weights": weights,
        "answers": np.array(weights) @ DEGREES,
    }
