"""The numbers in the prose of this notebook."""

import math

import numpy as np

import attnlib
from variants.p1_context_vectors.n2_scores.shared import X

_LENGTHS = np.linalg.norm(X, axis=1)
_SCORES = attnlib.dot_scores(X, X)
_COSINES = attnlib.cosine_scores(X, X)
_DISTANCES = attnlib.squared_distances(X, X)


def _minus(number):
    """A number as the prose writes it, with a real minus sign."""
    return f"{number + 0.0:g}".replace("-", "−")


def _products(j):
    a, b = X[0] * X[j]
    (q1, q2), (k1, k2) = X[0], X[j]
    return f"({k1:g}, {k2:g}) | {q1:g}·{k1:g} + {q2:g}·{k2:g} = {a:.2f} + {b:.2f} | {_SCORES[0, j]:.2f} |"


def _decomposed(word, j):
    product = _LENGTHS[0] * _LENGTHS[j] * _COSINES[0, j]
    return f"| {word} | {_LENGTHS[j]:.4f} | {_COSINES[0, j]:.4f} | {product:.2f} |"


def _both_ways(word, j):
    difference = (X[0] - X[j]).round(9)
    a, b = (difference**2).round(9)
    distance = round(_DISTANCES[0, j], 9)
    expanded = round(_SCORES[0, 0] - 2 * _SCORES[0, j] + _SCORES[j, j], 9)
    return (
        f"| {word} | ({_minus(difference[0])}, {_minus(difference[1])}) | {a:g} + {b:g} = {distance:g} | "
        f"{_SCORES[0, 0]:.2f} − 2·{_SCORES[0, j]:.2f} + {_SCORES[j, j]:.2f} = {expanded + 0.0:g} |"
    )


_WORDS = attnlib.tokenize("She sat on the bank of the river")
_VOCABULARY, _E = attnlib.load_word_vectors()
_EMBEDDED = attnlib.embed(attnlib.encode(_WORDS, _VOCABULARY), _E).astype(float)
_REAL = attnlib.dot_scores(_EMBEDDED, _EMBEDDED)
_OTHERS = np.array([[one != other for other in _WORDS] for one in _WORDS])


def _for_bank(place):
    """Who answers *bank* best, after itself, and with what score."""
    row = _REAL[_WORDS.index("bank")]
    best = np.argsort(-row)[place]
    return _WORDS[best], f"{row[best]:.2f}"


def _megabytes(n):
    return n * n * np.dtype(float).itemsize / 1e6


def _shown(function, Q, K):
    return f"→ `{(function(Q, K) + 0.0).round(4).tolist()}`"


NUMBERS = [
    ("goes from 0.83 to 1.79", lambda: f"goes from {np.diag(_REAL).min():.2f} to {np.diag(_REAL).max():.2f}"),
    ("have a mean of 0.08", lambda: f"have a mean of {_REAL[_OTHERS].mean():.2f}"),
    ("*river* answers with 0.44", lambda: "*{}* answers with {}".format(*_for_bank(1))),
    ("next comes *she* with 0.11", lambda: "next comes *{}* with {}".format(*_for_bank(2))),
    ("81.9 MB for 3,200 tokens", lambda: f"{_megabytes(3200):.1f} MB for 3,200 tokens"),
    ("100,000 tokens would need 80 GB", lambda: f"100,000 tokens would need {_megabytes(100_000) / 1000:.0f} GB"),
    ("39 of them for the exercises", lambda: f"{6 + 5 + 10 + 10 + 8} of them for the exercises"),
    ("(1, 2) · (3, 4) = 1·3 + 2·4 = 11", lambda: f"(1, 2) · (3, 4) = 1·3 + 2·4 = {np.dot([1, 2], [3, 4])}"),
    ("(0.2, 0.5) | 0.2·0.2 + 0.5·0.5 = 0.04 + 0.25 | 0.29 |", lambda: _products(0)),
    ("(0.8, 0.1) | 0.2·0.8 + 0.5·0.1 = 0.16 + 0.05 | 0.21 |", lambda: _products(1)),
    ("(0.3, 0.9) | 0.2·0.3 + 0.5·0.9 = 0.06 + 0.45 | 0.51 |", lambda: _products(2)),
    ("*The* has the length 0.5385", lambda: f"*The* has the length {_LENGTHS[0]:.4f}"),
    ("| The | 0.5385 | 1.0000 | 0.29 |", lambda: _decomposed("The", 0)),
    ("| cat | 0.8062 | 0.4837 | 0.21 |", lambda: _decomposed("cat", 1)),
    ("| sat | 0.9487 | 0.9983 | 0.51 |", lambda: _decomposed("sat", 2)),
    ("only 3.4 degrees off", lambda: f"only {math.degrees(math.acos(_COSINES[0, 2])):.1f} degrees off"),
    ("1.76 times as long", lambda: f"{_LENGTHS[2] / _LENGTHS[0]:.2f} times as long"),
    ("$\\lVert q \\rVert^2 = 0.29$", lambda: f"$\\lVert q \\rVert^2 = {_SCORES[0, 0]:.2f}$"),
    ("| The | (0, 0) | 0 + 0 = 0 | 0.29 − 2·0.29 + 0.29 = 0 |", lambda: _both_ways("The", 0)),
    (
        "| cat | (−0.6, 0.4) | 0.36 + 0.16 = 0.52 | 0.29 − 2·0.21 + 0.65 = 0.52 |",
        lambda: _both_ways("cat", 1),
    ),
    (
        "| sat | (−0.1, −0.4) | 0.01 + 0.16 = 0.17 | 0.29 − 2·0.51 + 0.90 = 0.17 |",
        lambda: _both_ways("sat", 2),
    ),
    ("From about 0.95", lambda: f"From about {_SCORES[2, 2] / (_LENGTHS[2] * _COSINES[2, 0]):.2f}"),
    ("<i>sat</i> with itself is 0.90", lambda: f"<i>sat</i> with itself is {_SCORES[2, 2]:.2f}"),
    ("it is 0.947 times", lambda: f"it is {_LENGTHS[2] * _COSINES[2, 0]:.3f} times"),
    (
        "→ `[[1.0, 2.0, 1.0]]`",
        lambda: _shown(attnlib.dot_scores, [[1.0, 2.0]], [[1.0, 0.0], [0.0, 1.0], [3.0, -1.0]]),
    ),
    (
        "→ `[[1.0, 0.6, 0.0]]`",
        lambda: _shown(attnlib.cosine_scores, [[3.0, 4.0]], [[6.0, 8.0], [1.0, 0.0], [0.0, 0.0]]),
    ),
    (
        "→ `[[0.0, 25.0]]`",
        lambda: _shown(attnlib.squared_distances, [[1.0, 2.0]], [[1.0, 2.0], [4.0, 6.0]]),
    ),
]
