"""The numbers in the prose of this notebook."""

import numpy as np

from attnlib import softmax
from grader.exercises.p3_multi_head.n2_projections.playing_outside import PLAYING_K, PLAYING_Q, playing_outside
from variants.p3_multi_head.n2_projections.shared import three_steps

X = np.array([[0.2, 0.5, 0.1, 0.7], [0.9, 0.1, 0.4, 0.6], [0.3, 0.8, 0.2, 0.5]])
RNG = np.random.default_rng(4)
W_Q, W_K, W_V = (RNG.normal(size=(4, 3)).round(1) for _ in range(3))
SCORES = X @ W_Q @ (X @ W_K).T
TINY = np.eye(2), np.array([[1.0], [0.0]]), np.array([[1.0], [0.0]]), np.array([[1.0, 2.0], [3.0, 4.0]])


def rounded(array, decimals=4):
    return str(np.round(array, decimals).tolist())


def terms(x, y, form="{:.4f}"):
    """The products of two vectors, written out."""
    return " + ".join(form.format(a * b) for a, b in zip(x, y, strict=True)).replace("+ -", "- ")


def signed(number):
    return f"{number:.2f}".replace("-", "\N{MINUS SIGN}")


NUMBERS = [
    (
        "= -0.14 + 0.35 - 0.06 + 0.14 = 0.29$$",
        lambda: f"= {terms(X[0], W_Q[:, 0], '{:.2f}')} = {X[0] @ W_Q[:, 0]:.2f}$$",
    ),
    ("*cat* gives *sat* a score of \N{MINUS SIGN}0.35", lambda: f"*cat* gives *sat* a score of {signed(SCORES[1, 2])}"),
    ("*sat* gives *cat* \N{MINUS SIGN}1.75", lambda: f"*sat* gives *cat* {signed(SCORES[2, 1])}"),
    ("[0.351, 0.064, 0.585]", lambda: rounded(softmax(SCORES / np.sqrt(3))[0], 3)),
    ("[[1.5379, 2.5379], [2.0, 3.0]]", lambda: rounded(three_steps(*TINY)[0])),
    ("[[0.7311, 0.2689], [0.5, 0.5]]", lambda: rounded(three_steps(*TINY)[1])),
    (
        "= 0.0657 + 0.0336 + 0.6067 + 0.2052 = 0.9112",
        lambda: f"= {terms(PLAYING_Q[0], PLAYING_K[0])} = {playing_outside()['scores'][0, 0]:.4f}",
    ),
    ("has 12 entries", lambda: f"has {W_Q.size} entries"),
    ("8.00, 32.00 and 6.00", lambda: f"{np.sqrt(64):.2f}, {64 / 2:.2f} and {np.log2(64):.2f}"),
]
