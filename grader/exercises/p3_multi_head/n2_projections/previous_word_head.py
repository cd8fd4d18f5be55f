import numpy as np

from grader.exercises.kinds import Property, search
from grader.exercises.p3_multi_head.n2_projections.shared import (
    ALONE,
    MIXED,
    MUCH,
    SURE,
    TWO,
    blind_to,
    exchanged,
    given,
    head,
    looks,
    no_preference,
    symmetric,
    times,
    weights_of,
    without,
)

SHORT = [sentence for sentence in ALONE if len(sentence.split()) == 3]
LONG = [*MIXED, *TWO[::7]]


def _finds_it(pair, sentences):
    for sentence in sentences:
        weights = weights_of(pair, sentence)
        for i in range(1, len(weights)):
            if not weights[i, i - 1] > SURE:
                return given(sentence, weights, i, [i - 1])
    return None


def in_short_ones(pair):
    return _finds_it(pair, SHORT)


def in_long_ones(pair):
    return _finds_it(pair, LONG)


def does_it(pair):
    return in_short_ones(pair) is None and in_long_ones(pair) is None


def all_look(pair, at):
    """True if every word looks at the place `at(its own)`, where there is one, in all sentences of many."""
    for sentence in (*SHORT, *LONG[::5]):
        found = looks(pair, sentence)
        wanted = [at(i) for i in range(len(found))]
        if any(0 <= place < len(found) and place != seen for place, seen in zip(wanted, found, strict=True)):
            return False
    return True


def all_before_alike(pair):
    """True if every word shares its weight equally among all that stand before it."""
    for sentence in LONG:
        weights = weights_of(pair, sentence)
        for i in range(1, len(weights)):
            before = weights[i, :i]
            if before.sum() < SURE or np.ptp(before) > 1e-6:
                return False
    return True


@search(
    points=3,
    task="find W_q and W_k of a head in which every word looks at the word before it",
    properties=(
        Property("in sentences of 3 words, each gives more than 0.99 to the word before it", in_short_ones, 0.5),
        Property("also in sentences of up to 8 words, in any order", in_long_ones, 0.5),
    ),
    shows={
        "no-preference": no_preference,
        "too-small": lambda pair: does_it(times(pair, MUCH)),
        "next-word": lambda pair: does_it(times(exchanged(pair), MUCH)),
        "words-disturb": lambda pair: does_it(times(without(pair, "words"), MUCH)),
        "next-word-and-words": lambda pair: does_it(times(exchanged(without(pair, "words")), MUCH)),
        "itself": lambda pair: all_look(pair, lambda i: i),
        "first-word": lambda pair: all_look(pair, lambda i: 0),
        "two-back": lambda pair: all_look(pair, lambda i: i - 2 if i > 1 else -1),
        "first-missing": lambda pair: all_look(pair, lambda i: i - 1 if i > 1 else -1),
        "all-before-alike": all_before_alike,
        "negated": lambda pair: does_it(times(pair, -MUCH)),
        "words-only": lambda pair: blind_to(pair, "places"),
        "symmetric": symmetric,
        "short-only": lambda pair: in_short_ones(pair) is None,
    },
    mistakes="""
    no-preference: all scores of a row are equal, so that every word looks at all others alike -> Nothing of what the
        token is or where it stands reaches both a query and a key. -> Give one column of W_q and the same column of W_k
        numbers that are not zero, in the rows that are to find each other.
    too-small: every word prefers the right one, but not clearly enough -> Softmax turns the lead of a score into a
        share; for 0.99 among 8 words the lead has to be above 6.54, say 7, after the division by the root of d_k. ->
        Keep the pattern and make its numbers larger.
    next-word: every word looks at the word after it -> The rows of the scores belong to the queries. Asking and
        answering have changed places: W_q and W_k are exchanged, or the shift goes to the wrong side. -> Who stands at
        place i, and whom should it find?
    words-disturb: your places find each other as they should, but the words add scores of their own -> The two halves
        of a token add up. Which word it is must not matter to this head. -> Leave the rows of the words at zero.
    next-word-and-words: every place looks for the one after it, and the words add scores of their own -> The two halves
        of a token add up, and which word it is must not matter to this head. -> Leave the rows of the words at zero,
        then look at who asks and who answers.
    itself: every word looks at itself -> Its query meets its own key, since both are made of the same place. -> Let
        query and key of neighbouring places meet: shift one of the two.
    first-word: every word looks at the first one -> A key that all queries like wins everywhere. -> Every place has to
        look for another one: it takes more than one column.
    two-back: every word looks two places back -> The shift is one too large. -> Count once more how far the query is
        from its own place.
    first-missing: the second word does not find the first; from the third on, each word looks at the one before it ->
        The row of the first place in W_k, or that of the second in W_q, is not made like the others. Places count from
        0, and their rows begin at 9. -> Look where your loop begins.
    all-before-alike: every word looks at all words before it, at each of them alike -> Only one of them is to be found.
        -> In W_q, let the row of a place meet the key of one other place, the one before it.
    negated: every word gives the one before it the least -> The sign is wrong: a high score gets a large weight. ->
        Change the sign of one of the two.
    words-only: in at least one of your two matrices the rows of the places are zero -> Then no score can depend on
        where both words stand, and any word may stand before any other. -> The rows of the words come first (0 to 8),
        those of the places after them (9 to 16).
    symmetric: the product of W_q and the transpose of W_k is symmetric -> Then two words score each other alike: one
        that looks back is looked at from there just as much. -> Let one place ask and the other one answer.
    short-only: short sentences are right, others are not -> There are 8 places, and any word may stand at any of them.
        -> Look whether every place from the second to the last has its numbers.
    """,
)
def previous_word_head(value):
    """The learner's W_q and W_k; raises ValueError in words."""
    return head(value)
