"""The numbers in the prose of this notebook."""

from functools import lru_cache

import numpy as np

from attnlib import (
    layer_input,
    load_attention_layer,
    load_word_vectors,
    multi_head_attention,
    rotate,
    scaled_dot_product_attention,
    sentence_ids,
    sinusoidal_positions,
)
from attnlib.widgets.positions import _learned
from grader.exercises.p4_deep_networks.n1_positions.lost_head import SENTENCE, _weights, lost_head

DOG_BITES_MAN = np.array([[1.0, 0.0], [0.0, 1.0], [1.0, 1.0]])


def listed(numbers, decimals=3):
    return "[" + ", ".join(f"{x:.{decimals}f}" for x in numbers).replace("-", "−") + "]"


def dog():
    context, weights = scaled_dot_product_attention(*[DOG_BITES_MAN] * 3)
    again = scaled_dot_product_attention(*[DOG_BITES_MAN[::-1]] * 3)[0]
    assert np.allclose(again[2], context[0])
    return f"{listed(weights[0])}, and its context vector is **{listed(context[0])}**"


def hand(place):
    return f"| {place} | {listed([np.cos(place), np.sin(place)])} |"


def by_turning():
    (q, k), product = rotate([[1, 0], [1, 0]], [2, 3]), np.cos(1)
    assert np.isclose(q @ k, product)
    return f"Their product is {q[0] * k[0]:.3f} + {q[1] * k[1]:.3f} = **{product:.3f}**"


def products(first, last):
    P = sinusoidal_positions(10, 16)
    return ", ".join(f"{x:.3g}" for x in (P @ P.T)[0, first:last])


@lru_cache
def cosines():
    P = load_attention_layer()["position_embeddings"][:64]
    apart = P - P.mean(axis=0)
    apart = apart / np.linalg.norm(apart, axis=1, keepdims=True)
    return lambda k: f"{np.diag(apart @ apart.T, k).mean():.2f}".replace("-", "−")


def beat():
    at = cosines()
    return (
        f"{at(1)}, then less, {at(2)} and {at(3)}; but at 5 and 6 it is more again, {at(5)} and {at(6)}, "
        f"at 9 it is {at(9)}, and at 12 it is {at(12)}"
    )


@lru_cache
def looks_after():
    """Head 2 with places that are numbered backwards, and moved by 100."""
    vocabulary, E = load_word_vectors()
    layer, ids = load_attention_layer(), sentence_ids(SENTENCE, vocabulary)[1]
    P, found = layer["position_embeddings"], []
    for table in (P[:11][::-1], P[100:]):
        X = layer_input(ids, E, layer | {"position_embeddings": table})
        W, b = ([layer[f"{kind}_{x}"] for x in "qkvo"] for kind in "Wb")
        found.append(multi_head_attention(X, X, *W, 12, None, *b)[1][2])
    rows = np.arange(1, 9)
    return [found[0][rows, rows + 1].mean(), found[1][rows + 1, rows].mean()]


def alone():
    weights = np.diagonal(_weights()["without positions"][2], -1)[1:-1]
    return f"{weights.mean():.2f} on average, and from {weights.min():.2f} to {weights.max():.2f}"


def lost():
    found = lost_head()
    assert min(looks_after()) > 0.995
    assert f"{found['as it is']:.2f}" == f"{found['moved by 20']:.2f}" == "1.00"
    return f"it falls to {found['every second place']:.2f}"


def head_scores():
    scores = _learned()[1]
    assert (scores[2:].argmax(axis=1) == np.arange(1, len(scores) - 1)).all()
    places = np.arange(2, len(scores))
    before, itself = scores[places, places - 1].mean(), scores[places, places].mean()
    last = places[-1]
    return f"from 2 to {last}, its score is {before:.0f} on average, and that of the place itself {itself:.0f}"


def explorer_score():
    P = sinusoidal_positions(24, 8)
    return f"the score stays: {P[8] @ P[5]:.2f} for a distance of 3"


def short_turns():
    turns = 10000.0 ** (-np.arange(0, 32, 2) / 32) * 128 / (2 * np.pi)
    return f"{(turns < 1).sum()} of the 16 clocks"


NUMBERS = [
    ("[0.401, 0.198, 0.401], and its context vector is **[0.802, 0.599]**", dog),
    ("| 1 | [0.540, 0.841] |", lambda: hand(1)),
    ("| 2 | [−0.416, 0.909] |", lambda: hand(2)),
    ("| 3 | [−0.990, 0.141] |", lambda: hand(3)),
    ("Places 1 and 2 score 0.540", lambda: f"Places 1 and 2 score {np.cos(1):.3f}"),
    ("After 6.28 places", lambda: f"After {2 * np.pi:.2f} places"),
    ("(57 degrees)", lambda: f"({np.rad2deg(1):.0f} degrees)"),
    ("it is 8, 7.49, 6.37, 5.54, and then", lambda: f"it is {products(0, 4)}, and then"),
    ("and then 5.56, 6.14:", lambda: f"and then {products(4, 6)}:"),
    ("the score stays: 1.96 for a distance of 3", explorer_score),
    ("from 2 to 23, its score is 127 on average, and that of the place itself 97", head_scores),
    ("Their product is 0.412 + 0.128 = **0.540**", by_turning),
    (
        "0.79, then less, 0.43 and 0.19; but at 5 and 6 it is more again, 0.41 and 0.43, "
        "at 9 it is −0.18, and at 12 it is 0.45",
        beat,
    ),
    (
        "1.00, without positions 0.09",
        lambda: "{as it is:.2f}, without positions {without positions:.2f}".format(**lost_head()),
    ),
    ("0.09 on average, and from 0.00 to 0.53", alone),
    ("it falls to 0.23", lost),
    ("10 of the 16 clocks", short_turns),
]
