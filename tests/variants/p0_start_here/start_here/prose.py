"""The numbers in the prose of this notebook."""

import numpy as np

from attnlib import cosine_scores, load_word_vectors, softmax
from attnlib.plots.start_here import last_word_weights

SENTENCE = np.array([[1.0, 2.0, 3.0, 6.0], [4.0, 0.0, 4.0, 0.0], [5.0, 5.0, 5.0, 5.0]])
BANK, SMALL, RIVER, MONEY = np.array([[1.0, 1.0], [0.0, 0.0], [3.0, 0.0], [0.0, 3.0]])


def shares(*tokens, asking=BANK):
    return softmax(np.array(tokens) @ asking)


def in_context(*tokens, asking=BANK):
    return ", ".join(f"{number:g}" for number in (shares(*tokens, asking=asking) @ np.array(tokens)).round(2))


def trailer():
    river, sea, water, cat = last_word_weights(["river", "sea", "water", "cat"])
    return f"At *river* it looks with {river:.2f} of all its attention, at *sea* with {sea:.2f}, at *water* with \
{water:.2f}, at *cat* with {cat:.2f}."


def faint_river():
    river = np.array([1.0, 0.0])
    found = shares(BANK, SMALL, SMALL, river)
    return f"a faint river scores only {river @ BANK:.0f} and gets the share {found[3]:.2f}, while <i>bank</i> keeps \
{found[0]:.2f} for itself. It stays near its old place, at ({in_context(BANK, SMALL, SMALL, river)})."


def the_asks():
    found = shares(BANK, SMALL, SMALL, RIVER, asking=SMALL)
    assert np.ptp(found) == 0
    mean = in_context(BANK, SMALL, SMALL, RIVER, asking=SMALL)
    return f"all scores are 0 and all shares {found[0]:.2f}. The blend is the plain mean, ({mean})."


def both():
    _, money, _, river = shares(BANK, MONEY, SMALL, RIVER)
    assert money == river
    return f"they get the same share, {money:.2f} each, and <i>bank</i> remains undecided, at \
({in_context(BANK, MONEY, SMALL, RIVER)})."


def the_ends():
    ends = [
        "({:.2f}, {:.2f})".format(*shares(*some) @ np.array(some))
        for some in ((BANK, SMALL, SMALL, RIVER), (MONEY, SMALL, SMALL, BANK))
    ]
    return f"{ends[0]} by the river, {ends[1]} with the money"


def row_of(word, score, place):
    share = shares(BANK, SMALL, SMALL, RIVER)[place]
    return f"| {word} | {score} | {np.exp(score):.2f} | {share:.2f} |"


def rounded_sums():
    total = shares(BANK, SMALL, SMALL, RIVER).round(2).sum()
    return f"the four shares seem to sum to {total:.2f}, and the powers to {np.exp([2, 0, 0, 3]).round(2).sum():.2f}"


def rounded_blend():
    found = shares(BANK, SMALL, SMALL, RIVER)
    rough, exact = (weights @ np.array([BANK, SMALL, SMALL, RIVER]) for weights in (found.round(2), found))
    return f"{rough[0]:.2f} units of water come out; with all digits, as in the picture, {exact[0]:.2f}"


def nearer():
    vocabulary, E = load_word_vectors()
    bank, river, money = (E[[vocabulary[word]]] for word in ("bank", "river", "money"))
    near, far = ("money", "river") if cosine_scores(bank, money) > cosine_scores(bank, river) else ("river", "money")
    return f"the real *bank* is nearer to *{near}* than to *{far}*"


NUMBERS = [
    ("`[3. 2. 5.]`", lambda: f"`{SENTENCE.mean(axis=1)}`"),
    (
        "At *river* it looks with 0.68 of all its attention, at *sea* with 0.53, at *water* with 0.39, at *cat* with "
        "0.00.",
        trailer,
    ),
    (
        "a faint river scores only 1 and gets the share 0.22, while <i>bank</i> keeps 0.61 for itself. It stays near "
        "its old place, at (0.83, 0.61).",
        faint_river,
    ),
    ("all scores are 0 and all shares 0.25. The blend is the plain mean, (1, 0.25).", the_asks),
    ("they get the same share, 0.41 each, and <i>bank</i> remains undecided, at (1.39, 1.39).", both),
    ("(2.30, 0.25) by the river, (0.25, 2.30) with the money", the_ends),
    ("| bank | 2 | 7.39 | 0.25 |", lambda: row_of("bank", 2, 0)),
    ("| of | 0 | 1.00 | 0.03 |", lambda: row_of("of", 0, 1)),
    ("| river | 3 | 20.09 | 0.68 |", lambda: row_of("river", 3, 3)),
    ("**29.47**", lambda: f"**{np.exp([2, 0, 0, 3]).sum():.2f}**"),
    ("the four shares seem to sum to 0.99, and the powers to 29.48", rounded_sums),
    ("2.29 units of water come out; with all digits, as in the picture, 2.30", rounded_blend),
    ("the real *bank* is nearer to *money* than to *river*", nearer),
]
