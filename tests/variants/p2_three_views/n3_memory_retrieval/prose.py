"""The numbers in the prose of this notebook."""

import math

import numpy as np
import pytest

from attnlib import (
    context_vectors,
    dot_scores,
    gaussian_kernel,
    hopfield_energy,
    hopfield_update,
    kernel_attention,
    linear_memory,
    load_word_vectors,
    safe_beta,
    soft_lookup,
    softmax,
    softmax_with_temperature,
)
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
    north, east = context_vectors(beta * token, cities, PLACES)[0]
    return f"| {beta} · france | {north:.1f}, {east:.1f} |"


def shared_pixels():
    patterns = pixel_letters("ATXLO")
    return f"share {(patterns[0] == patterns[4]).sum()} of {patterns.shape[1]} pixels"


def flipped_pixels():
    letter = pixel_letters("A")[0]
    return f"{(flip_pixels(letter, 0.3) != letter).sum()} of its {len(letter)} pixels"


def rate(n, beta):
    return recall_rate(n, 64, 0.3, beta)


def raw_rates():
    return f"with 8 pictures stored, {100 * rate(8, None):.0f} % are recalled, with 16 {'none' * (rate(16, None) == 0)}"


def energy_by_hand():
    lse = np.logaddexp.reduce(4 * TWO @ STATE) / 4
    energy = hopfield_energy(STATE, TWO, 4)
    return f"−{lse:.3f} + {STATE @ STATE / 2:.0f} + {math.log(2) / 4:.3f} + {4 / 2:.0f} = {energy:.3f}"


def clean_letter_energy():
    patterns = pixel_letters("ATXLO")
    return rf"a clean A has $\mathcal{{E}}$ = {hopfield_energy(patterns[0], patterns, 0.1):.1f}"


def at_rest():
    return hopfield_energy(TWO[0], TWO, 4)


def explored(share, beta, updates):
    """The weights of the five letters after updates of an A of which a share of the pixels is flipped."""
    patterns = pixel_letters("ATXLO")
    state = flip_pixels(patterns[0], share)
    for _ in range(updates):
        state = hopfield_update(state, patterns, beta)
    return softmax(beta * patterns @ state)


def blends():
    weights = [explored(0.3, beta, 5) for beta in (0.1, 0.08, 0.05)]
    (first, *_), (second, *_, second_o), (third, *_, third_o) = weights
    told = f"at 0.1 the A has the weight {first:.2f}; at 0.08 it has {second:.2f}, and the <i>O</i> {second_o:.2f};"
    return f"{told} at 0.05 they have {third:.2f} and {third_o:.2f}"


def grey_average():
    weights = explored(0.3, 0.01, 5)
    return f"At 0.01 all weights lie between {weights.min():.2f} and {weights.max():.2f}"


def comes_back():
    """The largest share, in the explorer's steps, up to which an A comes back at beta = 1."""
    shares = [step / 50 for step in range(26)]
    lost = next(i for i, share in enumerate(shares) if explored(share, 1, 5)[0] < 0.99)
    return f"The A comes back up to a share of {shares[lost - 1]:.2f}"


def just_between():
    patterns = pixel_letters("ATXLO")
    picture = flip_pixels(patterns[0], 0.34)
    flipped, near = (picture != patterns[0]).sum(), (picture == patterns[4]).sum() == (picture == patterns[0]).sum()
    weights = explored(0.34, 1, 1)
    assert near
    assert np.isclose(weights[0], weights[4], atol=1e-4)
    where = "the spoilt picture is exactly as near to the O as to the A"
    return f"{flipped} pixels flipped, {where}, and one update gives {weights[0]:.2f}"


def came_back(share):
    """The letter that five updates at beta = 1 recall from a spoilt A, if one is clearly recalled."""
    weights = explored(share, 1, 5)
    return "ATXLO"[weights.argmax()] if weights.max() > 0.99 else "-"


def clean_but_wrong():
    found = [step / 50 for step in range(18, 22) if came_back(step / 50) == "O"]
    return f"From {found[0]:.2f} to {found[-1]:.2f}, with five updates, a clean O comes back"


def chance_decides():
    once = "it comes back once more" * (came_back(0.42) == "A")
    last = next(step / 50 for step in range(23, 26) if {came_back(s / 50) for s in range(step, 26)} == {"X"})
    return f"at 0.42 {once}, at 0.44 an {came_back(0.44)}, from {last:.2f} on an X"


def hilltop(updates):
    return f"{explored(0.34, 1, updates)[4]:.2f}"


def seen_in(picture):
    """What two updates at beta = 1 see in a picture."""
    patterns = pixel_letters("ATXLO")
    state = hopfield_update(hopfield_update(picture, patterns, 1), patterns, 1)
    weights = softmax(patterns @ state)
    return "ATXLO"[weights.argmax()], weights.max()


def empty_page():
    letter, weight = seen_in(-np.ones(64))
    ink = (pixel_letters("ATXLO") > 0).sum(axis=1)
    assert ink.argmin() == 3
    return f"An {letter}, with weight {weight:.2f}: it has the least ink, {ink.min()} pixels"


def line_on_top():
    letter, _ = seen_in(np.where(np.arange(64) < 8, 1.0, -1.0))
    return f"Eight pixels of ink along the upper edge make it a {letter}"


CLOCK = 2 * np.pi * np.arange(8) / 8
CLOCK = np.stack([-np.sin(CLOCK), -np.cos(CLOCK)], axis=1)
DEGREES = np.array([11.0, 9.0, 8.0, 13.0, 18.0, 21.0, 19.0, 14.0])
NOW = np.array([0.26, 0.97])


def three_answers(temperature, keys=CLOCK):
    """What search, smoother and memory answer."""

    def bell(Q, K):
        return gaussian_kernel(Q, K, temperature**0.5)

    search = softmax_with_temperature(dot_scores([NOW], keys), temperature)[0] @ DEGREES
    smoother = kernel_attention([NOW], keys, DEGREES[:, None], bell)[0, 0]
    return search, smoother, soft_lookup(NOW, keys, DEGREES[:, None], 1 / temperature)[0]


def one_answer():
    said = {f"{answer:.10f}" for answer in three_answers(0.25)}
    return f"all three say {' '.join(said)} °C at the start"


def ends_of_the_knob():
    (cold, *_), (hot, *_) = three_answers(0.02), three_answers(100)
    return f"{cold:.2f} °C", f"{hot:.2f} °C, nearly the mean of all, {DEGREES.mean()}"


def longer_key():
    longer = CLOCK * np.where(np.arange(8) == 5, 1.5, 1.0)[:, None]
    search, smoother, memory = three_answers(0.25, longer)
    assert search == pytest.approx(memory)
    return f"Search and memory say {search:.2f} °C, the smoother {smoother:.2f}"


def blended_hours():
    state = NOW
    for _ in range(10):
        state = hopfield_update(state, CLOCK, 1)
    weights = softmax(CLOCK @ state)
    assert np.linalg.norm(state) < 0.01
    return f"all weights are {weights.min():.2f} or {weights.max():.2f}"


def arrives_at_noon():
    update = hopfield_update(NOW, CLOCK, 50)
    assert np.linalg.norm(update - CLOCK[4]) < 0.01
    return "one update is enough to arrive at the key of 12 h"


def one_matrix():
    patterns = pixel_letters("ATXLO")
    spoilt, M = flip_pixels(patterns[0], 0.3), linear_memory(patterns, patterns)
    right = (np.where(M @ spoilt >= 0, 1, -1) == patterns[0]).sum()
    scores = patterns @ spoilt
    wrong = (np.where(M @ patterns[0] >= 0, 1, -1) != patterns[0]).sum()
    assert (np.sign(hopfield_update(spoilt, patterns, 0.25)) == patterns[0]).all()
    return right, scores, wrong


def by_width(n, d, beta):
    return f"{100 * recall_rate(n, d, 0.3, beta):.0f} %"


def safe(letters):
    return f"{safe_beta(pixel_letters(letters), 0.1):.3f}"


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
    ("−2.000 + 2 + 0.173 + 2 = 2.173", energy_by_hand),
    ("10 ln 5 = 16.1", lambda: f"10 ln 5 = {math.log(5) / 0.1:.1f}"),
    (r"a clean A has $\mathcal{E}$ = 15.7", clean_letter_energy),
    ("On the pattern itself the energy is 0.173", lambda: f"On the pattern itself the energy is {at_rest():.3f}"),
    ("with 8 pictures stored, 60 % are recalled, with 16 none", raw_rates),
    ("with 128 pictures stored, 96 % are", lambda: f"with 128 pictures stored, {100 * rate(128, 0.25):.0f} % are"),
    ("with beta = 0.05, not one of 8", lambda: "with beta = 0.05, not one of 8" * (rate(8, 0.05) == 0)),
    (
        "at 0.1 the A has the weight 0.89; at 0.08 it has 0.62, and the <i>O</i> 0.35; at 0.05 they have 0.40 and 0.42",
        blends,
    ),
    ("At 0.01 all weights lie between 0.19 and 0.21", grey_average),
    ("The A comes back up to a share of 0.32", comes_back),
    ("From 0.36 to 0.40, with five updates, a clean O comes back", clean_but_wrong),
    ("at 0.42 it comes back once more, at 0.44 an L, from 0.46 on an X", chance_decides),
    ("An L, with weight 1.00: it has the least ink, 22 pixels", empty_page),
    ("Eight pixels of ink along the upper edge make it a T", line_on_top),
    (
        "after four updates the O still has only 0.51. After five it has 0.69",
        lambda: f"after four updates the O still has only {hilltop(4)}. After five it has {hilltop(5)}",
    ),
    ("all three say 18.6366987732 °C at the start", one_answer),
    ("Cold: 18.02 °C", lambda: f"Cold: {ends_of_the_knob()[0]}"),
    ("Hot: 14.15 °C, nearly the mean of all, 14.125", lambda: f"Hot: {ends_of_the_knob()[1]}"),
    ("Search and memory say 20.11 °C, the smoother 18.09", longer_key),
    ("all weights are 0.12 or 0.13", blended_hours),
    ("one update is enough to arrive at the key of 12 h", arrives_at_noon),
    (
        "22 pixels flipped, the spoilt picture is exactly as near to the O as to the A, and one update gives 0.50",
        just_between,
    ),
    ("the matrix gets 58 of 64 pixels right", lambda: f"the matrix gets {one_matrix()[0]} of 64 pixels right"),
    ("with a score of 22, is", lambda: f"with a score of {one_matrix()[1][4]:.0f}, is"),
    ("as loud as the A's, with 26", lambda: f"as loud as the A's, with {one_matrix()[1][0]:.0f}"),
    ("comes back with 4 wrong pixels", lambda: f"comes back with {one_matrix()[2]} wrong pixels"),
    ("46 % of 4 pictures with 32 pixels", lambda: f"{by_width(4, 32, None)} of 4 pictures with 32 pixels"),
    ("60 % of 8 with 64", lambda: f"{by_width(8, 64, None)} of 8 with 64"),
    ("56 % of 32 pictures with 32 pixels", lambda: f"{by_width(32, 32, 1)} of 32 pictures with 32 pixels"),
    ("68 % of 1,024 with 64", lambda: f"{by_width(1024, 64, 1)} of 1,024 with 64"),
    ("[1, 0] reads **40**", lambda: f"[1, 0] reads **{(linear_memory(KEYS, CONTENTS) @ [1, 0])[0]:.0f}**"),
    (
        "our five letters are safe from beta = 0.138 on",
        lambda: f"our five letters are safe from beta = {safe('ATXLO')} on",
    ),
    ("without the O from 0.097 on", lambda: f"without the O from {safe('ATXL')} on"),
    ("only from 0.378 on", lambda: f"only from {safe('ATXLOQ')} on"),
    ("`safe_beta(two, 0.1)` → `0.827`", lambda: f"`safe_beta(two, 0.1)` → `{safe_beta(TWO, 0.1):.3f}`"),
]
