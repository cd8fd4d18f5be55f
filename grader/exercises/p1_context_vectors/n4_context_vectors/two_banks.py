from functools import cache

import numpy as np

import attnlib
from grader.exercises.kinds import Entry, values
from grader.exercises.stages import mix, score, slip, weigh

SENTENCES = {
    "by_the_river": ["she", "sat", "on", "the", "bank", "of", "the", "river"],
    "with_money": ["she", "put", "the", "money", "in", "the", "bank"],
}
WATCHED = ("river", "money")


@cache
def words():
    """The vocabulary, and the word vectors in double precision."""
    vocabulary, E = attnlib.load_word_vectors()
    return vocabulary, E.astype(float)


def place(word, vector, by_dot=False):
    """How many words are nearer to a vector than this one is, by cosine."""
    vocabulary, E = words()
    nearness = E @ vector if by_dot else attnlib.cosine_scores([vector], E)[0]
    return int((nearness > nearness[vocabulary[word]]).sum())


def context_of_bank(sentence, wrong=frozenset()):
    """The context vector of "bank" in a sentence, and how one can miss it."""
    vocabulary, E = words()
    Z = attnlib.embed(attnlib.encode(sentence, vocabulary), E)
    bank = sentence.index("bank")
    asks = slip(wrong, {"first-row": 0, "last-row": -1, "next-row": bank - 1}, bank)
    Q = Z
    if "itself-left-out" in wrong:
        Z = np.delete(Z, bank, axis=0)
    return mix(weigh(score(Q, Z, wrong), wrong), Z, Z, wrong)[asks]


def places(vector, wrong=frozenset()):
    found = [place(word, vector, "by-dot" in wrong) for word in WATCHED]
    if "counted-from-one" in wrong:
        found = [one + 1 for one in found]
    return np.array(found[::-1] if "words-exchanged" in wrong else found)


@values(
    points=3,
    task="say how near river and money are to raw bank and to its two contexts",
    entries=(
        Entry("raw", "the places of river and money near raw bank", 0.2),
        Entry("by_the_river", "their places near its context in the first sentence", 0.4),
        Entry("with_money", "their places near its context in the second sentence", 0.4),
    ),
    mistakes="""
    words-exchanged: river and money have changed places -> Each pair names the place of river first. -> Exchange the
        two numbers of each pair.
    sentences-exchanged: the two sentences have changed places -> What stands under `by_the_river` belongs to the other
        sentence. -> Exchange the two.
    counted-from-one: you count the places from 1 -> The nearest word, bank itself, has place 0. -> Use `place` as it
        is given.
    not-mixed: you give the places near raw bank each time -> Then nothing has been mixed: the sentence had no say. ->
        Compute the contexts of the sentence, and take the row of bank.
    first-row: you took the first row of the contexts -> It belongs to the first token, *she*. -> Row i of the contexts
        belongs to token i: find where *bank* stands.
    last-row: you took the last row of the contexts -> It belongs to the last token of the sentence. -> Row i of the
        contexts belongs to token i: find where *bank* stands, counting from 0.
    next-row: you took the row of the token before bank -> Rows are counted from 0. -> `sentence.index("bank")` counts.
    uniform: you took the plain mean of the sentence -> It does not know who asks; the little words drown the rest. ->
        Weight by weight: your `context_vectors` does it.
    scaled: you divided the scores by the square root of d -> With 384 numbers, that makes the weights nearly equal, and
        bank is lost in the crowd. Part 3 has a use for it. -> Plain dot products here.
    raw-scores: you mixed with the raw scores, without softmax -> Words with a negative score are subtracted then: that
        is no average. -> Score, softmax, mix.
    cosine: you scored with the cosine -> It forgets the lengths, and the weights become flatter. -> Dot products, as in
        your `context_vectors`; the cosine is for finding neighbours only.
    columns: softmax ran down the columns -> Then the weights of a query do not sum to 1. -> Softmax of each row.
    by-dot: you ranked the neighbours by the dot product -> It favours long vectors, whatever they mean. -> Use `place`
        as it is given: it ranks by the cosine.
    itself-left-out: you left bank out of its own sentence -> A token is among its own keys: bank attends to itself as
        well, and most of all. -> All tokens are keys and values.
    """,
)
def two_banks(wrong=frozenset()):
    vocabulary, E = words()
    raw = E[vocabulary["bank"]]
    contexts = [raw if "not-mixed" in wrong else context_of_bank(s, wrong) for s in SENTENCES.values()]
    if "sentences-exchanged" in wrong:
        contexts.reverse()
    found = [places(vector, wrong) for vector in (raw, *contexts)]
    return dict(zip(("raw", *SENTENCES), found, strict=True))
