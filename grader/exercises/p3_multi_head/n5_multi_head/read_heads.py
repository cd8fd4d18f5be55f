from functools import lru_cache

import numpy as np

from attnlib import load_layer_outputs, tokenize
from grader.exercises.kinds import Entry, values
from grader.exercises.stages import slip

BANK_SENTENCE = "She deposited money at the bank of the river"


@lru_cache(maxsize=1)
def _bank_weights():
    return next(output["weights"] for output in load_layer_outputs() if output["text"] == BANK_SENTENCE)


@values(
    points=2,
    task="say which heads do what in the real layer, as a dict",
    entries=(
        Entry("previous word", "the head that looks at the word before", 0.25),
        Entry("same word", "the head in which each “the” hears the other “the” most", 0.25),
        Entry("bank to river", "the head in which “bank” hears “river” more than in any other", 0.25),
        Entry("bank to money", "the head in which “bank” hears “money” more than in any other", 0.25),
    ),
    mistakes="""
    reads-columns: rows and columns have changed places -> The row is the word that asks, the column the word that
        answers. You looked at who hears “bank”. -> Index as `weights[head, asks, answers]`.
    transposed-bank: for “bank”, rows and columns have changed places -> The row is the word that asks, the column the
        word that answers. You looked at who hears “bank”. -> Index as `weights[head, asks, answers]`.
    words-exchanged: “river” and “money” have changed places -> Each head gives one of the two the largest weight, and
        you named the head of the other. -> Check the column: the place of “river” is not that of “money”.
    counted-from-one: you counted the heads from 1 -> The first head has the index 0, as everywhere in NumPy. -> Give
        the index.
    places-of-words: you give the places of the words in the sentence -> A head is asked for: one of the twelve on the
        first axis of the weights. -> Fix the row and the column, and search along the axis of the heads.
    without-the-start: your places are one too small: [CLS] was not counted -> `published["tokens"]` begins with [CLS],
        and so do the rows and columns of the weights. -> Look up the places in `published["tokens"]` as it is.
    everybody: in the heads that you name, the words hear “river” and “money” most on the whole -> The question is what
        *bank* hears: its row alone. -> Fix the row before you search.
    money-for-river: the head that you name for “river” hears “money” -> Each of the two words has a head of its own. ->
        Check the column: the place of “river” is not that of “money”.
    river-for-money: the head that you name for “money” hears “river” -> Each of the two words has a head of its own. ->
        Check the column: the place of “money” is not that of “river”.
    next-word: in the head that you name, words look at the word after them more than in the others -> The word before
        stands one column to the left of the diagonal, not to the right. -> Compare `weights[:, i, i - 1]` of the heads.
    itself: in the head that you name, words look at themselves more than in the others -> The word before stands one
        column to the left of the diagonal. -> Compare `weights[:, i, i - 1]` of the heads.
    second-previous: in the head that you name, words look at the word before, but in another they do much more -> Only
        one head has nearly all its weight there. -> Take the mean of these weights for each head, and the largest.
    second-river: in the head that you name, “bank” hears “river” well, but in another still more -> The largest of the
        twelve weights decides, not which word is first in its row. -> Compare the same entry of all twelve heads.
    second-money: in the head that you name, “bank” hears “money” well, but in another still more -> The largest of the
        twelve weights decides. -> Compare the same entry of all twelve heads.
    second-same: in the head that you name, each *the* hears the other more than in most heads, but in one it does much
        more -> The largest of the twelve weights decides. -> Compare the same entry of all twelve heads.
    previous-for-same: for the same word you name the head that looks at the word before -> That head looks at places,
        whatever the words are. -> Look where the row of the one *the* meets the column of the other.
    smallest: you took the smallest of the twelve weights -> Where it is smallest the word is heard least. -> Take the
        largest.
    words-without-the-start: for “bank”, your places are one too small: [CLS] was not counted -> `published["tokens"]`
        begins with [CLS], and so do the rows and columns of the weights. -> Look up the places in `published["tokens"]`
        as it is.
    bank-without-the-start: your row is not that of “bank”, but the one before: [CLS] was not counted ->
        `published["tokens"]` begins with [CLS], and so do the rows and columns of the weights. -> Look up the places in
        `published["tokens"]` as it is.
    flattened: for “bank” you give a place in the numbers of all heads, one after the other -> `argmax` without an axis
        counts on from head to head. -> Fix the column, too: then there are twelve numbers left, one for each head.
    flattened-river: for “river” you give a place in the numbers of all heads, one after the other -> `argmax` without
        an axis counts on from head to head. -> Fix the column, too: then there are twelve numbers left, one for each
        head.
    flattened-money: for “money” you give a place in the numbers of all heads, one after the other -> `argmax` without
        an axis counts on from head to head. -> Fix the column, too: then there are twelve numbers left, one for each
        head.
    """,
)
def read_heads(wrong=frozenset()):
    """The heads that look most from one word at another, with mistakes as switches."""
    weights = _bank_weights()
    tokens = ["[CLS]", *tokenize(BANK_SENTENCE), "[SEP]"]
    bank, river, money = (tokens.index(word) for word in ("bank", "river", "money"))
    i = np.arange(1, len(tokens))
    before, after, diagonal = weights[:, i - 1, i], weights[:, i, i - 1], weights[:, i, i]
    pairs = slip(wrong, {"reads-columns": before, "next-word": before, "itself": diagonal}, after)
    previous = np.argsort(-pairs.mean(axis=-1))
    heads = {"previous word": previous[("second-previous" in wrong) - ("smallest" in wrong)]}
    one, other = (i for i, token in enumerate(tokens) if token == "the")
    shift = -1 if "without-the-start" in wrong else 0
    bank = bank - ("bank-without-the-start" in wrong)
    both = weights[:, one + shift, other + shift] + weights[:, other + shift, one + shift]
    slips = {
        "previous-for-same": pairs.mean(axis=-1),
        "places-of-words": np.arange(len(tokens)) == one,
    }
    same = np.argsort(-slip(wrong, slips, both).astype(float), kind="stable")
    heads["same word"] = same[("second-same" in wrong) - ("smallest" in wrong)]
    river, money = (
        money if wrong & {"words-exchanged", "money-for-river"} else river,
        river if wrong & {"words-exchanged", "river-for-money"} else money,
    )
    for name, place in (("river", river), ("money", money)):
        shift = -1 if wrong & {"without-the-start", "words-without-the-start"} else 0
        asked = weights[:, bank + shift, place + shift]
        if f"flattened-{name}" in wrong or "flattened" in wrong:
            heads[f"bank to {name}"] = weights[:, bank].argmax()
            continue
        slips = {
            "reads-columns": weights[:, place, bank],
            "transposed-bank": weights[:, place, bank],
            "everybody": weights[:, :, place].mean(axis=-1),
            "places-of-words": np.arange(len(tokens)) == place,
        }
        order = np.argsort(-slip(wrong, slips, asked).astype(float), kind="stable")
        heads[f"bank to {name}"] = order[(f"second-{name}" in wrong) - ("smallest" in wrong)]
    return {name: int(head) + ("counted-from-one" in wrong) for name, head in heads.items()}
