"""The numbers in the prose of this notebook."""

import html
import math
import re

import numpy as np

import attnlib
from grader.notebook import read_notebook
from grader.places import SOLUTIONS


def _published_memory(query):
    keys, values = np.array([[1.0, 0.0], [0.0, 1.0], [1.0, 1.0]]), np.array([10.0, 20.0, 30.0])
    raw = keys @ np.array(query)
    return raw / raw.sum(), (raw / raw.sum()) @ values, attnlib.softmax(raw[None])[0] @ values


_X = np.array([[0.2, 0.5], [0.8, 0.1], [0.3, 0.9]])
_SCORES = attnlib.dot_scores(_X, _X)
_POWERS = np.exp(_SCORES[0])


def _in_blocks():
    """How far the weights of the folded code are from those of softmax, as a power of ten."""
    cells = read_notebook(SOLUTIONS / "1-context-vectors" / "3-softmax.ipynb").cells
    folded = next(cell.source for cell in cells if cell.id == "streaming")
    names = {"np": np, "row": np.random.default_rng(0).normal(size=1000, scale=300.0)}
    exec(html.unescape(re.search(r"<code>(.*?)</code>", folded, re.DOTALL)[1]), names)
    gap = np.abs(names["weights"] - attnlib.softmax(names["row"])).max()
    return f"agree to {min(15, math.floor(-math.log10(gap + 1e-300)))} decimals"


def _explored(temperature):
    weights = attnlib.softmax_with_temperature(_SCORES[0], temperature)
    return *(f"{weight:.2f}" for weight in weights), f"{np.exp(attnlib.entropy(weights)):.2f}"


def _table_row(word, i):
    return f"| {word} | {_SCORES[0, i]:.2f} | {_POWERS[i]:.4f} | {_POWERS[i] / _POWERS.sum():.4f} |"


NUMBERS = [
    ("| The | 0.29 | 1.3364 | 0.3155 |", lambda: _table_row("The", 0)),
    ("| cat | 0.21 | 1.2337 | 0.2913 |", lambda: _table_row("cat", 1)),
    ("| sat | 0.51 | 1.6653 | 0.3932 |", lambda: _table_row("sat", 2)),
    ("| sum | | 4.2354 | 1 |", lambda: f"| sum | | {_POWERS.sum():.4f} | 1 |"),
    ("the scores 0.29, 0.21 and 0.51", lambda: "the scores {:.2f}, {:.2f} and {:.2f}".format(*_SCORES[0])),
    ("$1.8 \\cdot 10^{308}$", lambda: f"${np.finfo(float).max / 1e308:.1f} \\cdot 10^{{308}}$"),
    ("passes that already at 710", lambda: f"passes that already at {math.ceil(math.log(np.finfo(float).max))}"),
    ("e ≈ 2.718", lambda: f"e ≈ {math.e:.3f}"),
    ("exactly the same 22.5 as", lambda: f"exactly the same {_published_memory([-1, -1])[1]:.1f} as"),
    ("agree to 15 decimals", _in_blocks),
    ("$T = 1/\\ln 2 ≈ 1.44$", lambda: f"$T = 1/\\ln 2 ≈ {1 / math.log(2):.2f}$"),
    ("→ `1.442695`", lambda: f"→ `{attnlib.temperature_of(lambda x: attnlib.softmax(x * math.log(2))):.6f}`"),
    (
        "1. 0.10, for <i>The</i>; <i>sat</i> has 0.86",
        lambda: "1. {0}, for <i>The</i>; <i>sat</i> has {2}".format(*_explored(0.1)),
    ),
    ("a lead of 0.22 in the scores", lambda: f"a lead of {_SCORES[0, 2] - _SCORES[0, 0]:.2f} in the scores"),
    ("2. ln 3 ≈ 1.10", lambda: f"2. ln 3 ≈ {math.log(3):.2f}"),
    ("reads as 3.00 equal shares", lambda: f"reads as {_explored(10)[3]} equal shares"),
    ("30 of them for the exercises", lambda: f"{12 + 5 + 8 + 5} of them for the exercises"),
    (
        '"weights" of 2, −1.5 and 0.5',
        lambda: '"weights" of {:g}, {:g} and {:g}'.format(*_published_memory([2, -1.5])[0]).replace("-", "−"),
    ),
    ("the first query reads 23.642", lambda: f"the first query reads {_published_memory([1, 1])[2]:.3f}"),
    (
        "→ `[[0.5, 0.5], [0.25, 0.75]]`",
        lambda: f"→ `{attnlib.softmax(np.array([[0.0, 0.0], [0.0, np.log(3.0)]])).round(4).tolist()}`",
    ),
    (
        "→ `[[0.1, 0.9]]`",
        lambda: f"→ `{attnlib.softmax_with_temperature(np.array([[0.0, np.log(3.0)]]), 0.5).round(4).tolist()}`",
    ),
    (
        "→ `[0.693147, 0.0]`",
        lambda: f"→ `{(attnlib.entropy(np.array([[0.5, 0.5], [1.0, 0.0]])) + 0.0).round(6).tolist()}`",
    ),
]
