from functools import lru_cache

import numpy as np

from attnlib import load_layer_outputs, tokenize
from grader.exercises.kinds import Entry, values

BANK_SENTENCE = "She deposited money at the bank of the river"


@lru_cache(maxsize=1)
def _bank_weights():
    return next(output["weights"] for output in load_layer_outputs() if output["text"] == BANK_SENTENCE)


@values(
    points=2,
    task="say which heads do what in the real layer, as a dict",
    entries=(
        Entry("previous word", "the head that looks at the word before", 0.4),
        Entry("bank to river", "the head in which “bank” hears “river” most", 0.3),
        Entry("bank to money", "the head in which “bank” hears “money” most", 0.3),
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
    """,
)
def read_heads(wrong=frozenset()):
    """The heads that look most from one word at another, with mistakes as switches."""
    weights = _bank_weights()
    i = np.arange(1, weights.shape[-1])
    pairs = weights[:, i - 1, i] if "reads-columns" in wrong else weights[:, i, i - 1]
    heads = {"previous word": int(pairs.mean(axis=-1).argmax())}
    tokens = ["[CLS]", *tokenize(BANK_SENTENCE), "[SEP]"]
    river, money = ("money", "river") if "words-exchanged" in wrong else ("river", "money")
    for name, word in (("bank to river", river), ("bank to money", money)):
        places = tokens.index("bank"), tokens.index(word)
        asks, answers = places[::-1] if wrong & {"reads-columns", "transposed-bank"} else places
        heads[name] = int(weights[:, asks, answers].argmax())
    return {name: head + ("counted-from-one" in wrong) for name, head in heads.items()}
