"""The numbers in the prose of this notebook."""

import numpy as np

import attnlib
from attnlib import dot_scores, softmax
from grader.exercises.p1_context_vectors.n4_context_vectors.shared import AUDIT_X as X

K_EXAMPLE = np.array([[0.0, 1.0], [np.log(3.0), 2.0]])
V_EXAMPLE = np.array([[4.0, 0.0, 8.0], [0.0, 4.0, 8.0]])


def pair(v, decimals=None):
    numbers = (f"{x:g}" if decimals is None else f"{x:.{decimals}f}" for x in v)
    return f"({', '.join(numbers)})"


def by_hand(j, score):
    """One row of the table: the score of The with token j, its weight, its value and their product."""
    weight = softmax(dot_scores(X, X))[0, j]
    return f"{score} = {X[0] @ X[j]:.2f} | {weight:.4f} | {pair(X[j])} | {pair(weight * X[j], 4)} |"


def mixed_example():
    cat, sat = np.array([4.0, 2.0]), np.array([2.0, 4.0])
    parts = 0.25 * cat, 0.75 * sat
    terms = rf"0.25 \cdot {pair(cat)} + 0.75 \cdot {pair(sat)}"
    return f"{terms} = {pair(parts[0])} + {pair(parts[1])} = {pair(parts[0] + parts[1])}"


NUMBERS = [
    (r"0.25 \cdot (4, 2) + 0.75 \cdot (2, 4) = (1, 0.5) + (1.5, 3) = (2.5, 3.5)", mixed_example),
    (
        "0.2·0.2 + 0.5·0.5 = 0.29 | 0.3155 | (0.2, 0.5) | (0.0631, 0.1578) |",
        lambda: by_hand(0, "0.2·0.2 + 0.5·0.5"),
    ),
    (
        "0.2·0.8 + 0.5·0.1 = 0.21 | 0.2913 | (0.8, 0.1) | (0.2330, 0.0291) |",
        lambda: by_hand(1, "0.2·0.8 + 0.5·0.1"),
    ),
    (
        "0.2·0.3 + 0.5·0.9 = 0.51 | 0.3932 | (0.3, 0.9) | (0.1180, 0.3539) |",
        lambda: by_hand(2, "0.2·0.3 + 0.5·0.9"),
    ),
    ("**(0.4141, 0.5408)**", lambda: f"**{pair(attnlib.context_vector(X[0], X, X), 4)}**"),
    (
        "The weights are 0.25 and 0.75.",
        lambda: "The weights are {:.2f} and {:.2f}.".format(*softmax(K_EXAMPLE @ [1.0, 0.0])),
    ),
    ("`[1.0, 3.0, 8.0]`", lambda: f"`{attnlib.context_vector([1.0, 0.0], K_EXAMPLE, V_EXAMPLE).round(6).tolist()}`"),
    (
        "`[[1.0, 3.0, 8.0], [2.0, 2.0, 8.0]]`",
        lambda: f"`{attnlib.context_vectors([[1.0, 0.0], [0.0, 0.0]], K_EXAMPLE, V_EXAMPLE).round(6).tolist()}`",
    ),
    (r"0.6 \cdot 0.1 = 0.06", lambda: rf"0.6 \cdot 0.1 = {0.6 * 0.1:g}"),
    (r"0.4 \cdot 3 = 1.2", lambda: rf"0.4 \cdot 3 = {0.4 * 3:g}"),
    ("contribute 0.06 and 1.2", lambda: f"contribute {0.6 * 0.1:g} and {0.4 * 3:g}"),
]
