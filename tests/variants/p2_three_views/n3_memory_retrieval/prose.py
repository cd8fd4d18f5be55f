"""The numbers in the prose of this notebook."""

import math

import numpy as np

from attnlib import hopfield_energy, hopfield_update, load_word_vectors, memory_context, soft_lookup, softmax
from attnlib.plots import flip_pixels, pixel_letters, recall_rate
from grader.exercises.p2_three_views.n3_memory_retrieval.read_the_atlas import CITIES, PLACES

KEYS, CONTENTS = np.array([[1.0, 0.0], [0.0, 1.0], [1.0, 1.0]]), np.array([[10.0], [20.0], [30.0]])
TWO = np.array([[1.0, 1.0, -1.0, -1.0], [1.0, -1.0, 1.0, -1.0]])
STATE = np.array([1.0, 1.0, -1.0, 1.0])


def row_of_key(j):
    score = KEYS[j] @ [1, 1]
    weight = softmax(KEYS @ [1, 1])[j]
    return f"| {CONTENTS[j, 0]:.0f} | {score:.0f} | {math.exp(score):.3f} | {weight:.3f} |"


def sum_by_hand():
    weights = softmax(KEYS @ [1, 1])
    terms = " + ".join(f"{w:.3f} · {v:.0f}" for w, v in zip(weights, CONTENTS[:, 0], strict=True))
    return f"reads {terms} = {soft_lookup([1, 1], KEYS, CONTENTS, 1)[0]:.3f}"


def row_of_pattern(i):
    score = TWO[i] @ STATE
    weight = softmax(0.5 * TWO @ STATE)[i]
    return f"| {score:.0f} | {score / 2:.0f} | {math.exp(score / 2):.3f} | {weight:.3f} |".replace("-", "−")


def france(beta):
    vocabulary, E = load_word_vectors()
    token, cities = E[[vocabulary["france"]]], E[[vocabulary[city] for city in CITIES]]
    north, east = memory_context(beta * token, cities, PLACES)[0]
    return f"| {beta} · france | {north:.1f}, {east:.1f} |"


def letters_at(beta):
    patterns = pixel_letters("ATXLO")
    state = flip_pixels(patterns[0], 0.3)
    for _ in range(3):
        state = hopfield_update(state, patterns, beta)
    return patterns, softmax(beta * patterns @ state)


def shared_pixels():
    patterns, _ = letters_at(1)
    return f"share {(patterns[0] == patterns[4]).sum()} of {patterns.shape[1]} pixels"


def flipped_pixels():
    letter = pixel_letters("A")[0]
    return f"{(flip_pixels(letter, 0.3) != letter).sum()} of its {len(letter)} pixels"


def rate(n, beta):
    return recall_rate(n, 64, 0.3, beta)


def raw_rates():
    return f"with 8 pictures stored, {100 * rate(8, None):.0f} % are recalled, with 16 {'none' * (rate(16, None) == 0)}"


def blend_at_a_small_beta():
    weights = letters_at(0.05)[1]
    return f"with the weights {weights[0]:.2f} and {weights[4]:.2f} after three updates"


def energy_by_hand():
    lse = np.logaddexp.reduce(4 * TWO @ STATE) / 4
    energy = hopfield_energy(STATE, TWO, 4)
    return f"−{lse:.3f} + {STATE @ STATE / 2:.0f} + {math.log(2) / 4:.3f} + {4 / 2:.0f} = {energy:.3f}"


def clean_letter_energy():
    patterns = pixel_letters("ATXLO")
    return f"a clean A has E = {hopfield_energy(patterns[0], patterns, 0.1):.1f}"


def at_rest():
    return hopfield_energy(TWO[0], TWO, 4)


def two_ratios():
    scores = [KEYS @ [1, 1], KEYS @ [-1, -1]]
    first, second = (float((s / s.sum() @ CONTENTS)[0]) for s in scores)
    return f"reads {first:.1f}. The query [−1, −1], which points away from every key, reads {second:.1f} as well"


def two_lookups():
    first, second = (soft_lookup(q, KEYS, CONTENTS, 1)[0] for q in ([1, 1], [-1, -1]))
    return f"at beta 1 it reads {first:.3f} and {second:.3f}"


def update_twice():
    state = hopfield_update(hopfield_update(STATE, TWO, 1), TWO, 1)
    return f"`[{', '.join(f'{x:.3f}'.replace('1.000', '1.0') for x in state)}]`"


NUMBERS = [
    ("| 10 | 1 | 2.718 | 0.212 |", lambda: row_of_key(0)),
    ("| 30 | 2 | 7.389 | 0.576 |", lambda: row_of_key(2)),
    ("reads 0.212 · 10 + 0.212 · 20 + 0.576 · 30 = 23.642", sum_by_hand),
    ("| 2 | 1 | 2.718 | 0.881 |", lambda: row_of_pattern(0)),
    ("| −2 | −1 | 0.368 | 0.119 |", lambda: row_of_pattern(1)),
    ("0.881 · 1 − 0.119 · 1 = 0.762", lambda: f"0.881 · 1 − 0.119 · 1 = {hopfield_update(STATE, TWO, 0.5)[1]:.3f}"),
    ("`[1.0, 0.959, -0.959, -1.0]`", update_twice),
    ("| 1 · france | 44.0, 36.1 |", lambda: france(1)),
    ("| 5 · france | 47.4, 12.9 |", lambda: france(5)),
    ("| 20 · france | 48.9, 2.4 |", lambda: france(20)),
    ("19 of its 64 pixels", flipped_pixels),
    ("share 48 of 64 pixels", shared_pixels),
    ("with the weights 0.39 and 0.40 after three updates", blend_at_a_small_beta),
    ("−2.000 + 2 + 0.173 + 2 = 2.173", energy_by_hand),
    ("10 ln 5 = 16.1", lambda: f"10 ln 5 = {math.log(5) / 0.1:.1f}"),
    ("a clean A has E = 15.7", clean_letter_energy),
    ("On the pattern itself the energy is 0.173", lambda: f"On the pattern itself the energy is {at_rest():.3f}"),
    ("with 8 pictures stored, 60 % are recalled, with 16 none", raw_rates),
    ("with 128 pictures stored, 96 % are", lambda: f"with 128 pictures stored, {100 * rate(128, 0.25):.0f} % are"),
    ("with beta = 0.05, not one of 8", lambda: "with beta = 0.05, not one of 8" * (rate(8, 0.05) == 0)),
    ("reads 22.5. The query [−1, −1], which points away from every key, reads 22.5 as well", two_ratios),
    ("at beta 1 it reads 23.642 and 17.330", two_lookups),
]
