"""The numbers on the page of the five texts, computed by the course's own functions."""

import numpy as np

import attnlib

SENTENCE = np.array([[0.2, 0.5], [0.8, 0.1], [0.3, 0.9]])  # The, cat, sat
MEMORY = np.array([[1.0, 0.0], [0.0, 1.0], [1.0, 1.0]]), np.array([10.0, 20.0, 30.0])


def figures():
    """Each number as it stands on the page, by the name that the page asks for.

    Returns
    -------
    dict of str to str
    """
    weights = attnlib.softmax(attnlib.dot_scores(SENTENCE, SENTENCE))
    return {
        "the-weights": ", ".join(f"{weight:.2f}" for weight in weights[0]),
        "kernel": f"{np.dot([1, 2], [2, 3]):g}",
        "ratio": f"{_by_ratio([1, 1]):g}",
        "ratio-away": f"{_by_ratio([-1, -1]):g}",
        "ratio-by-softmax": f"{attnlib.softmax(_scores([1, 1])[None])[0] @ MEMORY[1]:.3f}",
        "underflow": f"{next(gap for gap in range(1000) if np.exp(-float(gap)) == 0)}",
        "small-contribution": f"{0.6 * 0.1:g}",
        "large-contribution": f"{0.4 * 3:g}",
        "spread": f"{np.sqrt(512):.0f}",
    }


def _scores(query):
    return MEMORY[0] @ np.array(query, dtype=float)


def _by_ratio(query):
    scores = _scores(query)
    return scores / scores.sum() @ MEMORY[1]
