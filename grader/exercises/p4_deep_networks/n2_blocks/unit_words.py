from functools import cache

import numpy as np

from attnlib import (
    gelu,
    layer_input,
    layer_norm,
    load_encoder,
    load_word_vectors,
    multi_head_attention,
    unit_rows,
)
from grader.exercises.kinds import Entry, values

UNITS = (829, 1058, 561)


@cache
def words():
    """The words that are tried, in the order of the vocabulary: all of the course that are words."""
    return [word for word in load_word_vectors()[0] if word.isalpha()]


@cache
def _rows():
    """What enters the first layer of each word, alone between [CLS] and [SEP]: (n_words, 3, 384)."""
    encoder = load_encoder()
    vocabulary = encoder["vocabulary"]
    given = {
        "position_embeddings": encoder["position_vectors"],
        "token_type_embeddings": encoder["segment_vector"][None],
        "norm_weight": encoder["norm_weight"],
        "norm_bias": encoder["norm_bias"],
    }
    ids = [[vocabulary[token] for token in ("[CLS]", word, "[SEP]")] for word in words()]
    return layer_input(ids, encoder["word_vectors"], given)  # as encoder_input makes of each word


@cache
def middle():
    """What the units of the first layer hear of each word, alone between [CLS] and [SEP]: (n_words, 384)."""
    encoder, X = load_encoder(), _rows()
    layer = encoder["layers"][0]
    matrices = [layer[name] for name in ("W_q", "W_k", "W_v", "W_o")]
    biases = {name: layer[name] for name in ("b_q", "b_k", "b_v", "b_o")}
    asks = X[:, 1:2]  # the word: (n_words, 1, 384)
    summed = asks + multi_head_attention(asks, X, *matrices, encoder["num_heads"], **biases)[0]
    return layer_norm(summed, layer["norm_1_weight"], layer["norm_1_bias"])[:, 0]


@cache
def heard():
    """How loud each word calls the units before the bend: (n_words, 3)."""
    layer = load_encoder()["layers"][0]
    return middle() @ layer["W_1"][:, UNITS] + layer["b_1"][list(UNITS)]


@cache
def ranking(unit, wrong=""):
    """The words, from the one that wakes a unit most to the one that wakes it least."""
    calls = heard()[:, UNITS.index(unit)]
    if wrong == "lowest":
        calls = gelu(calls)  # it is lowest at -0.752, not where the match is
    if wrong == "by-size":
        calls = np.abs(calls)
    order = np.argsort(calls if wrong in {"lowest", "lowest-match"} else -calls, kind="stable")
    return [words()[i] for i in order]


@cache
def _otherwise(way, unit):
    """How loud each word would call a unit otherwise: (n_words,)."""
    encoder = load_encoder()
    layer, vocabulary = encoder["layers"][0], encoder["vocabulary"]
    if way == "without-attention":
        alone = layer_norm(_rows()[:, 1], layer["norm_1_weight"], layer["norm_1_bias"])
        return alone @ layer["W_1"][:, unit] + layer["b_1"][unit]
    value = layer["W_2"][unit]
    if way == "values-match":
        return middle() @ value
    E = encoder["word_vectors"][[vocabulary[word] for word in words()]]
    return unit_rows(E - E.mean(axis=0)) @ value


@values(
    points=2,
    task="name the three words that wake each of three units most, as a dict",
    entries=tuple(
        Entry(f"unit {unit}", f"the three words that wake unit {unit} most", share, among=tuple(words()))
        for unit, share in zip(UNITS, (0.3, 0.3, 0.4), strict=True)
    ),
    mistakes="""
    lowest: these words do not wake it, you named those with the lowest numbers -> `np.argsort` begins with the
        smallest, and where `awake` is below 0 a unit sleeps. -> Take the last three, or sort the negative.
    lowest-match: these words do not wake it, you named those that match its key least -> `np.argsort` begins with the
        smallest. -> Take the last three, or sort the negative.
    by-size: you sorted by size, without the sign -> A unit with a large negative number sleeps: the bend makes it 0. ->
        Sort the numbers as they are.
    one-unit-for-all: all three have the words of one unit -> A column belongs to a unit, in the order of `units`. ->
        Let the column change with the unit, in a loop over both.
    units-exchanged: the words of two units have changed places -> A column belongs to a unit, in the order of `units`.
        -> Look which column you took.
    units-shifted: the words of all three units have changed places -> A column belongs to a unit, in the order of
        `units`. -> Look which column you took.
    units-shifted-back: the words of all three units have changed places -> A column belongs to a unit, in the order of
        `units`. -> Look which column you took.
    summed-over-units: you add up all three columns, and give the same words for each unit -> A column belongs to a
        unit. -> Sort one column at a time.
    other-list: your places were looked up in the whole vocabulary -> `awake` has a row for each entry of `words`, and
        that is another list. -> `words[i]`.
    rows-for-columns: you sorted along the rows -> A row is a word, a column a unit; asked is which *words* come first
        in a column. -> `argsort` with `axis=0`, or one column at a time.
    places-shifted: your words stand one place behind the right ones in the list -> Places are counted from 0. -> Look
        the places up in `words` as they are.
    pushes: you name the words that the value of the unit pushes towards -> That is what a unit says. Asked is which
        words wake it, and `awake` says that. -> Sort the columns of `awake`.
    values-match: you compare the words with the values of the units -> A unit listens with its key, a column of `W_1`,
        and speaks with its value, a row of `W_2`. -> Sort the columns of `awake`.
    without-attention: the units hear the words without the attention -> They listen to what the attention has added
        first. -> Sort the columns of `awake`.
    fourth: one of your three is the word in fourth place -> The three largest are asked for. -> Sort, and take the
        first three.
    """,
)
def unit_words(wrong=frozenset()):
    """The words that wake three units of the first layer, with mistakes as switches."""
    found = {}
    for place, unit in enumerate(UNITS):
        if "units-exchanged" in wrong:
            unit = (1058, 829, 561)[place]
        if "units-shifted" in wrong:
            unit = UNITS[(place + 1) % 3]
        if "units-shifted-back" in wrong:
            unit = UNITS[(place + 2) % 3]
        if "one-unit-for-all" in wrong:
            unit = UNITS[0]
        ranked = ranking(unit, next(iter(wrong & {"lowest", "lowest-match", "by-size"}), ""))
        best = ranked[:3]
        if ways := wrong & {"pushes", "values-match", "without-attention"}:
            best = [words()[i] for i in np.argsort(-_otherwise(next(iter(ways)), unit), kind="stable")[:3]]
        if "summed-over-units" in wrong:
            best = [words()[i] for i in np.argsort(-gelu(heard()).sum(axis=1), kind="stable")[:3]]
        if "other-list" in wrong:
            best = [list(load_word_vectors()[0])[words().index(word)] for word in best]
        if "rows-for-columns" in wrong:
            best = words()[place * 3 : place * 3 + 3]
        if "places-shifted" in wrong:
            best = [words()[words().index(word) + 1] for word in best]
        if "fourth" in wrong:
            best = [*ranked[:2], ranked[3]]
        found[f"unit {UNITS[place]}"] = best
    return found
