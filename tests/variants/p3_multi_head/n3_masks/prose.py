"""The numbers in the prose of this notebook."""

import numpy as np

from attnlib import reach, softmax
from variants.p3_multi_head.n3_masks.shared import large_number_then_zero, three_lines

WINDOW = np.eye(4, dtype=bool) | np.eye(4, k=-1, dtype=bool)
ALL = softmax(np.array([2.0, 1.0, 9.0]))
TWO = softmax(np.array([2.0, 1.0]))
FILLED = softmax(np.array([-2.0, -1.0, 0.0]))
POWERS = np.exp([2.0, 1.0, 9.0])


def rounded(array):
    return str(np.round(array, 4).tolist())


def masked(scores, mask):
    return large_number_then_zero(np.array(scores), np.array(mask))


def triangle_example():
    A = np.eye(2)
    return rounded(three_lines(A, A, A, np.array([[True, False], [True, True]]))[0])


NUMBERS = [
    ("about 0.73 and 0.27", lambda: f"about {TWO[0]:.2f} and {TWO[1]:.2f}"),
    ("about 0.001 and 0.0003", lambda: f"about {ALL[0]:.3f} and {ALL[1]:.4f}"),
    (
        "| 2 | 7.389 | 0.0009 | 0.0009 | 0.7311 |",
        lambda: f"| 2 | {POWERS[0]:.3f} | {ALL[0]:.4f} | {ALL[0]:.4f} | {TWO[0]:.4f} |",
    ),
    (
        "| 1 | 2.718 | 0.0003 | 0.0003 | 0.2689 |",
        lambda: f"| 1 | {POWERS[1]:.3f} | {ALL[1]:.4f} | {ALL[1]:.4f} | {TWO[1]:.4f} |",
    ),
    ("| 9 | 8103.084 | 0.9988 | 0 |", lambda: f"| 9 | {POWERS[2]:.3f} | {ALL[2]:.4f} | 0 |"),
    ("| 8113.191 | 1 | 0.0012 | 1 |", lambda: f"| {POWERS.sum():.3f} | 1 | {ALL[:2].sum():.4f} | 1 |"),
    ("wins with 0.6652", lambda: f"wins with {FILLED[2]:.4f}"),
    (
        "[[0.5, 0.5, 0.0], [0.0, 0.0, 0.0]]",
        lambda: rounded(masked([[0.0, 0.0, 9.0], [1.0, 2.0, 3.0]], [[True, True, False], [False, False, False]])),
    ),
    ("[[1.0, 0.0], [0.3302, 0.6698]]", triangle_example),
    ("[[1, 0, 0, 0], [1, 1, 0, 0], [1, 1, 1, 0], [0, 1, 1, 1]]", lambda: str(reach(WINDOW, 2).astype(int).tolist())),
    ("some 131,000 tokens back", lambda: f"some {round(32 * (4096 - 1), -3):,} tokens back"),
]
