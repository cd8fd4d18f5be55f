from functools import lru_cache

import numpy as np

from attnlib import layer_input, load_attention_layer, load_word_vectors, multi_head_attention, sentence_ids
from grader.exercises.kinds import Entry, values
from grader.exercises.stages import slip

SENTENCE = "She deposited money at the bank of the river"


@lru_cache(maxsize=1)
def _weights():
    """The weights of all heads under each numbering of the places, (12, n, n)."""
    vocabulary, E = load_word_vectors()
    layer = load_attention_layer()
    P, ids = layer["position_embeddings"], sentence_ids(SENTENCE, vocabulary)[1]
    found = {}
    for name, places in NUMBERINGS.items():
        X = layer_input(ids, E, layer | {"position_embeddings": places(P)})
        matrices = [layer[name] for name in ("W_q", "W_k", "W_v", "W_o")]
        biases = {name: layer[name] for name in ("b_q", "b_k", "b_v", "b_o")}
        found[name] = multi_head_attention(X, X, *matrices, 12, **biases)[1]
    return found


NUMBERINGS = {
    "as it is": lambda P: P,
    "without positions": lambda P: 0 * P,
    "moved by 20": lambda P: P[20:],
    "every second place": lambda P: P[::2],
    # What some take for every second place
    "doubled": lambda P: 2 * P,
    "other half": lambda P: P[1::2],
    "repeated": lambda P: np.repeat(P, 2, axis=0),
}


@values(
    points=2,
    task="say how much weight head 2 gives the word before, as a dict",
    entries=(
        Entry("as it is", "its mean weight with the position vectors as they are", 0.15, decimals=2),
        Entry("without positions", "its mean weight with all position vectors 0", 0.35, decimals=2),
        # However one moves them all, the head works again: this says little of who types it.
        Entry("moved by 20", "its mean weight with the vectors of the places 20, 21, ...", 0.1, decimals=2),
        Entry("every second place", "its mean weight with the vectors of the places 0, 2, 4, ...", 0.4, decimals=2),
    ),
    mistakes="""
    first-word-counted: the first word is in your mean -> Before it stands [CLS], which is no word. -> Begin with the
        second word: its row and the column before it.
    closing-counted: [SEP] is in your mean -> It is a token that stands for no word, like [CLS]. -> End with the last
        word.
    all-counted: [SEP] and the first word are in your mean -> Before the first word stands [CLS], and [SEP] is no word.
        ->
        Take the rows from the second word to the last.
    next-word: you look at the word after, not before -> The row is the token that asks; the word before stands one
        column to the left of the diagonal. -> Index as `weights[head, row, row - 1]`.
    itself: you look at the diagonal: how much weight each word gives itself -> The word before stands one column to the
        left. -> Index as `weights[head, row, row - 1]`.
    counted-from-one: you took the head before head 2 -> Heads are counted from 0, as everywhere in NumPy. -> The index
        is 2.
    third-head: you took the head after head 2 -> Heads are counted from 0, as everywhere in NumPy. -> The index is 2.
    vectors-doubled: for every second place you give what the table gives as it is, with its numbers doubled, or only
        moved -> `2 * P` keeps each place's own vector, only longer, and `P[2:]` moves all by two. Place m was to get
        the vector of place 2m, another *row* of the table. -> A slice takes rows, and it may have a step.
    other-half: for every second place you took the odd rows, 1, 3, 5 and so on -> Place m gets row 2m, so the first
        gets row 0. -> A slice with a step begins where you say.
    last-two-exchanged: the last two of your numbers have changed places -> Of the two, one numbering keeps neighbours
        neighbours, the other does not. -> Look which table you took for which name.
    rows-repeated: for every second place you took each row twice -> Then two neighbours have the same vector. Place m
        was to get row 2m: every other row is left out. -> A slice may have a step.
    second-left-out: the second word is not in your mean -> Before *deposited* stands *She*, a word. -> Begin with row
        2.
    last-left-out: the last word is not in your mean -> `np.arange(2, 9)` ends with 8. -> End with row 9.
    summed: you add up the eight weights -> Their *mean* is asked for: no weight is larger than 1. -> `mean`.
    largest: you take the largest of the eight weights -> Their mean is asked for. -> `mean`.
    last-word-only: you look at *river* alone -> The cell above does that; the mean over eight words is asked for. ->
        All rows from the second word to the last.
    divided-by-more: you divide the sum of the eight weights by 9 -> There are as many of them as words that have one
        before them. -> `mean` counts them itself.
    divided-by-ten: you divide the sum of the eight weights by 10 -> There are as many of them as words that have one
        before them. -> `mean` counts them itself.
    divided-by-all: you divide the sum of the eight weights by all 11 tokens -> There are as many of them as words that
        have one before them. -> `mean` counts them itself.
    median: you take the median of the eight weights -> Their mean is asked for. -> `mean`.
    largest-of-row: you take the largest weight of each row, wherever it is -> The word before stands one column to the
        left of the diagonal. -> Index as `weights[head, row, row - 1]`.
    block: you average a whole block of rows and columns -> `weights[2][rows][:, columns]` takes each row with each
        column; a word has one word before it. -> `weights[2, rows, rows - 1]`.
    overwritten: three of your four tables are all zeros -> `learned[:] = 0` changes the table itself, and all that is
        made of it later. -> `0 * learned` makes a new one.
    hits: you count how often the largest weight falls on the word before -> Asked is how much weight it gets, as a mean
        over the words. -> The weights themselves, not where they are largest.
    all-heads: your mean runs over all heads -> The other eleven look elsewhere. -> Take head 2 alone.
    """,
)
def lost_head(wrong=frozenset()):
    """Mean weights on the word before, with mistakes as switches."""
    n = len(next(iter(_weights().values()))[0])
    first = slip(wrong, {"first-word-counted": 1, "all-counted": 1, "second-left-out": 3}, 2)
    last = slip(wrong, {"closing-counted": n, "all-counted": n, "last-left-out": n - 2}, n - 1)
    rows = np.arange(first, last)
    columns = slip(wrong, {"next-word": rows + 1, "itself": rows}, rows - 1)
    heads = slip(wrong, {"counted-from-one": [1], "third-head": [3], "all-heads": range(12)}, [2])
    if "last-word-only" in wrong:
        rows, columns = rows[-1:], columns[-1:]
    ways = {"summed": np.sum, "largest": np.max, "median": np.median}
    parts = {"divided-by-more": 9, "divided-by-ten": 10, "divided-by-all": n}
    ways |= {name: lambda some, by=by: np.sum(some) / by for name, by in parts.items()}
    taken = slip(wrong, ways, np.mean)
    found = {name: round(float(taken(weights[heads][:, rows, columns])), 4) for name, weights in _weights().items()}
    if "block" in wrong:
        found = {name: round(float(weights[2][rows][:, columns].mean()), 4) for name, weights in _weights().items()}
    if "largest-of-row" in wrong:
        found = {name: round(float(weights[2][rows].max(axis=-1).mean()), 4) for name, weights in _weights().items()}
    if "hits" in wrong:
        found = {
            name: float((weights[2][rows].argmax(axis=-1) == columns).mean()) for name, weights in _weights().items()
        }
    if "overwritten" in wrong:
        found |= dict.fromkeys(("moved by 20", "every second place"), found["without positions"])
    others = {"vectors-doubled": "doubled", "other-half": "other half", "rows-repeated": "repeated"}
    if "last-two-exchanged" in wrong:
        found["moved by 20"], found["every second place"] = found["every second place"], found["moved by 20"]
    last = found[slip(wrong, others, "every second place")]
    return {entry: found[entry] for entry in list(found)[:3]} | {"every second place": last}
