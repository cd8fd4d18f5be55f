"""The numbers in the prose of this notebook."""

import math

import numpy as np

from attnlib import cross_attention, scaled_dot_product_attention

_Q = np.array([[0.0, 1.5], [1.5, 0.0]])
_K = np.array([[0.0, 0.0], [2.0, 0.0], [0.0, 2.0]])
_V = np.array([[1.0, 0.0], [0.0, 2.0], [4.0, 4.0]])
_CONTEXT, _WEIGHTS = scaled_dot_product_attention(_Q, _K, _V)


def table_row(word, j):
    score = _Q[0] @ _K[j]
    scaled = score / math.sqrt(2)
    return f"| {word} | {score:.2f} | {scaled:.2f} | {math.exp(scaled):.2f} | {_WEIGHTS[0, j]:.3f} |"


def masked_example():
    identity = np.eye(2)
    mask = np.array([True, True, False])
    weights = cross_attention([[2, 0]], [[1, 0], [0, 1], [5, 5]], identity, identity, identity, mask)[1]
    return f"[[{weights[0, 0]:.4f}, {weights[0, 1]:.4f}, {weights[0, 2]}]]"


NUMBERS = [
    ("| the | 0.00 | 0.00 | 1.00 | 0.097 |", lambda: table_row("the", 0)),
    ("| black | 0.00 | 0.00 | 1.00 | 0.097 |", lambda: table_row("black", 1)),
    ("| cat | 3.00 | 2.12 | 8.34 | 0.807 |", lambda: table_row("cat", 2)),
    ("[3.323, 3.420]", lambda: f"[{_CONTEXT[0, 0]:.3f}, {_CONTEXT[0, 1]:.3f}]"),
    ("[[0.8044, 0.1956, 0.0]]", masked_example),
    ("2 · tanh(1 + 0) = 1.5232", lambda: f"2 · tanh(1 + 0) = {2 * math.tanh(1):.4f}"),
    ("2 · tanh(1 + 1) = 1.9281", lambda: f"2 · tanh(1 + 1) = {2 * math.tanh(2):.4f}"),
]
