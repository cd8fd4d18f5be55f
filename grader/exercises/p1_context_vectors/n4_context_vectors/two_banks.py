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
#: Which row of the contexts is taken by mistake, in the first sentence and in the second; *bank* has rows 4 and 6.
ROWS = {
    "first-row": (0, 0),
    "last-row": (-1, -1),
    "first-sentence-row": (4, 4),
    "second-sentence-row": (6, 6),
    "rows-exchanged": (6, 4),
    "fifth-row": (5, 5),
    "row-behind": (5, 6),
    "row-before": (4, 5),
    "watched-row": (7, 3),
}


@cache
def words():
    """The vocabulary, and the word vectors in double precision."""
    vocabulary, E = attnlib.load_word_vectors()
    return vocabulary, E.astype(float)


@cache  # a diagnosis asks for many places
def directions():
    """The word vectors, each with the length 1."""
    return attnlib.unit_rows(words()[1])


def place(word, vector, by_dot=False):
    """How many words are nearer to a vector than this one is, by cosine."""
    nearness = (words()[1] if by_dot else directions()) @ vector
    return int((nearness > nearness[words()[0][word]]).sum())


def context_of_bank(sentence, wrong=frozenset()):
    """The context vector of "bank" in a sentence, and how one can miss it."""
    vocabulary, E = words()
    second = sentence == SENTENCES["with_money"]
    if "repeats-dropped" in wrong:
        sentence = list(dict.fromkeys(sentence))
    Z = attnlib.embed(attnlib.encode(sentence, vocabulary), E)
    bank = sentence.index("bank")
    asks = slip(wrong, {name: rows[second] for name, rows in ROWS.items()} | {"next-row": bank - 1}, bank)
    if "unit-vectors" in wrong:
        Z = attnlib.unit_rows(Z)
    Q = Z
    if "whole-vocabulary" in wrong:
        Z = E
    if "itself-left-out" in wrong:
        Z = np.delete(Z, bank, axis=0)
    contexts = mix(weigh(score(Q, Z, wrong), wrong), Z, Z, wrong)
    if "contexts-averaged" in wrong:
        return contexts.mean(axis=0)
    if "attended-twice" in wrong:
        contexts = mix(weigh(score(contexts, contexts, wrong), wrong), contexts, contexts, wrong)
    return contexts[asks] + (Q[bank] if "added-to-itself" in wrong else 0.0)


def places(vector, wrong=frozenset()):
    if wrong & {"cosines-returned", "dots-returned"}:
        vocabulary, E = words()
        found = E[[vocabulary[word] for word in WATCHED]] @ vector
        if "cosines-returned" in wrong:
            found = attnlib.cosine_scores([vector], E[[vocabulary[word] for word in WATCHED]])[0]
        return found
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
    watched-row: you took the row of *river* in the first sentence, and that of *money* in the second -> Those are the
        contexts of the words that you look for; asked is what has become of *bank*. -> Row i of the contexts belongs to
        token i: find where *bank* stands.
    whole-vocabulary: you mixed the words of the whole vocabulary -> Then the neighbours have no say: in both sentences
        *bank* gets the same. -> Keys and values are the tokens of its own sentence.
    first-row: you took the first row of the contexts -> It belongs to the first token, *she*. -> Row i of the contexts
        belongs to token i: find where *bank* stands.
    last-row: you took the last row of the contexts -> It belongs to the last token of the sentence. -> Row i of the
        contexts belongs to token i: find where *bank* stands, counting from 0.
    next-row: you took the row of the token before bank -> Rows are counted from 0. -> `sentence.index("bank")` counts.
    first-sentence-row: you took the same row in both sentences, that of the first -> In the second sentence *bank*
        stands elsewhere. -> Ask each sentence by itself: `sentence.index("bank")`.
    second-sentence-row: you took the same row in both sentences, that of the second -> In the first sentence *bank*
        stands elsewhere. -> Ask each sentence by itself: `sentence.index("bank")`.
    rows-exchanged: in each sentence you took the row that *bank* has in the other one -> Row i of the contexts belongs
        to token i of the same sentence. -> Ask each sentence by itself: `sentence.index("bank")`.
    fifth-row: you took row 5 in both sentences -> That is the token behind *bank* in the first, and the one before it
        in the second. -> `sentence.index("bank")` counts.
    row-behind: in the first sentence you took the row behind *bank* -> Rows are counted from 0. ->
        `sentence.index("bank")` counts.
    row-before: in the second sentence you took the row before *bank* -> Rows are counted from 0. ->
        `sentence.index("bank")` counts.
    cosines-returned: you give the cosines, not the places -> A cosine says how near; the place says how many words are
        nearer. -> Let `place` count them.
    dots-returned: you give dot products, not the places -> The place says how many words are nearer by the cosine. ->
        Let `place` count them.
    uniform: you took the plain mean of the sentence -> It does not know who asks; the little words drown the rest. ->
        Weight by weight: your `context_vectors` does it.
    scaled: you divided the scores by the square root of d -> With 384 numbers, that makes the weights nearly equal, and
        bank is lost in the crowd. Part 3 has a use for it. -> Plain dot products here.
    raw-scores: you mixed with the raw scores, without softmax -> Words with a negative score are subtracted then: that
        is no average. -> Score, softmax, mix.
    cosine: you scored with the cosine -> It forgets the lengths, and the weights become flatter. -> Dot products, as in
        your `context_vectors`; the cosine is for finding neighbours only.
    columns: softmax ran down the columns -> Then the weights of a query do not sum to 1. -> Softmax of each row.
    repeats-dropped: of a word that stands in a sentence twice you kept one -> Each place is a token of its own, with a
        weight of its own: *the* is heard twice. -> Take the sentence as it is, not the set of its words.
    by-dot: you ranked the neighbours by the dot product -> It favours long vectors, whatever they mean. -> Use `place`
        as it is given: it ranks by the cosine.
    contexts-averaged: you took the mean of all contexts of the sentence -> That is a vector of the sentence, and no
        longer one of *bank*. -> Row i of the contexts belongs to token i: take the row of *bank*.
    attended-twice: you mixed the contexts once more -> Then *bank* has heard what its neighbours have heard, too: that
        is a second layer, which Part 4 brings. -> Once is enough.
    added-to-itself: you added *bank* to its context -> It has a share in its context already, and the largest one. ->
        Take the context as it is.
    unit-vectors: you gave all vectors the length 1 before you scored them -> The weights become nearly equal, and the
        neighbours are drowned. -> Take the rows of E as they are.
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
