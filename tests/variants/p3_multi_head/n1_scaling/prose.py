"""The numbers in the prose of this notebook."""

import itertools
import math

import numpy as np

import attnlib


def coin_variance(d):
    cases = np.array(list(itertools.product((-1, 1), repeat=d)))
    return f"{cases.sum(axis=-1).var():.0f}"


def jacobian_row_text(p, i):
    decimals = 4 if max(p) > 0.9 else 2
    texts = [f"{x:.{decimals}f}".replace("-", "−") for x in attnlib.softmax_jacobian(p)[i]]
    return ", ".join(texts)


def jacobian_table_row(p):
    weights = ", ".join(f"{x:g}" for x in p)
    return f"| {weights} | {jacobian_row_text(p, 0)} | {jacobian_row_text(p, 1)} | {jacobian_row_text(p, 2)} |"


PLAYING_Q = np.array([[0.212, 0.04, 0.63, 0.36], [0.1, 0.14, 0.86, 0.77]])
PLAYING_K = np.array([[0.31, 0.84, 0.963, 0.57], [0.45, 0.94, 0.73, 0.58]])


def playing(i):
    scores = attnlib.dot_scores(PLAYING_Q, PLAYING_K)[i]
    return f"| {('Playing', 'Outside')[i]} | {scores[0]:.4f} | {scores[1]:.4f} |"


def playing_weights():
    _, weights = attnlib.scaled_dot_product_attention(PLAYING_Q, PLAYING_K, PLAYING_K)
    return f"the weights {weights[0, 0]:.4f} and {weights[0, 1]:.4f}"


def share_of_gradient():
    rng = np.random.default_rng(513)
    Q, K = rng.normal(size=(500, 512)), rng.normal(size=(500, 512))
    scores = Q[:100] @ K[:8].T
    left, full = (
        attnlib.softmax_jacobian(attnlib.softmax(s)).max(axis=(-2, -1)).mean() for s in (scores, scores / 512**0.5)
    )
    return "an eighth of the gradient is left" if round(full / left) == 8 else f"{full / left:.2f}"


NUMBERS = [
    ("4 · 1/4 + 0 + 4 · 1/4 = 2 |", lambda: f"4 · 1/4 + 0 + 4 · 1/4 = {coin_variance(2)} |"),
    ("9 · 1/4 + 1 · 3/4 = 3 |", lambda: f"9 · 1/4 + 1 · 3/4 = {coin_variance(3)} |"),
    ("$\\sqrt{2} \\approx 1.41$", lambda: f"$\\sqrt{{2}} \\approx {2**0.5:.2f}$"),
    ("$\\sqrt{512} \\approx 22.6$", lambda: f"$\\sqrt{{512}} \\approx {512**0.5:.1f}$"),
    ("$\\sqrt{2048} \\approx 45.3$", lambda: f"$\\sqrt{{2048}} \\approx {2048**0.5:.1f}$"),
    (
        "| 0.5, 0.3, 0.2 | 0.25, −0.15, −0.10 | −0.15, 0.21, −0.06 | −0.10, −0.06, 0.16 |",
        lambda: jacobian_table_row([0.5, 0.3, 0.2]),
    ),
    (
        "| 0.98, 0.01, 0.01 | 0.0196, −0.0098, −0.0098 | −0.0098, 0.0099, −0.0001 | −0.0098, −0.0001, 0.0099 |",
        lambda: jacobian_table_row([0.98, 0.01, 0.01]),
    ),
    (
        "`[[0.1875, -0.1875], [-0.1875, 0.1875]]`",
        lambda: f"`{attnlib.softmax_jacobian([0.25, 0.75]).tolist()}`",
    ),
    (
        "context `[[13.302]]`, weights `[[0.6698, 0.3302]]`",
        lambda: "context `{}`, weights `{}`".format(
            *(
                array.round(decimals).tolist()
                for array, decimals in zip(
                    attnlib.scaled_dot_product_attention([[1, 0]], np.eye(2), [[10], [20]]), (3, 4), strict=True
                )
            )
        ),
    ),
    ("| Playing | 0.9112 | 0.8017 |", lambda: playing(0)),
    ("| Outside | 1.4157 | 1.2510 |", lambda: playing(1)),
    ("the weights 0.5137 and 0.4863", playing_weights),
    ("they are 8, 32 and 6", lambda: f"they are {64**0.5:.0f}, {64 / 2:.0f} and {math.log2(64):.0f}"),
    ("an eighth of the gradient is left", share_of_gradient),
]
