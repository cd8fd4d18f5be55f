from itertools import permutations, product

import numpy as np

from grader.exercises.kinds import Property, search
from grader.exercises.p3_multi_head.n2_projections.shared import (
    ALONE,
    MUCH,
    NOUNS,
    SURE,
    TWO,
    VERBS,
    WORDS,
    exchanged,
    given,
    head,
    no_preference,
    times,
    weights_of,
)


def roles(sentence):
    """The places of the verb, of its subject, and of the object if there is one."""
    words = sentence.split()
    nouns = [i for i, word in enumerate(words) if word in NOUNS]
    return next(i for i, word in enumerate(words) if word in VERBS), nouns[0], nouns[1:]


def _finds_it(pair, sentences):
    """None if the verb always finds its subject, else what it gives where it does so least."""
    least, found = SURE, None
    for sentence in sentences:
        weights, (verb, subject, objects) = weights_of(pair, sentence), roles(sentence)
        if not weights[verb, subject] > least:
            least, found = weights[verb, subject], given(sentence, weights, verb, [subject, *objects])
    return found


def alone(pair):
    return _finds_it(pair, ALONE)


def with_an_object(pair):
    return _finds_it(pair, TWO)


def does_it(pair):
    return alone(pair) is None and with_an_object(pair) is None


def verb_rows(pair, sentences):
    """For each sentence, what its verb gives: (weights of the row, place of the verb, the subject, the objects)."""
    for sentence in sentences:
        verb, subject, objects = roles(sentence)
        yield weights_of(pair, sentence)[verb], verb, subject, objects


def always(pair, sentences, holds):
    return all(bool(holds(*row)) for row in verb_rows(pair, sentences))


def asking_alike(pair, verb, other):
    """The pair in which the other verb asks as this one does."""
    W_q = pair[0].copy()
    W_q[WORDS.index(other)] = W_q[WORDS.index(verb)]
    return W_q, pair[1]


def answering_alike(pair, noun, other):
    """The pair in which the other noun answers as this one does."""
    W_k = pair[1].copy()
    W_k[WORDS.index(other)] = W_k[WORDS.index(noun)]
    return pair[0], W_k


def in_other_rows(pair):
    """True if a verb finds the only noun once the rows of the words, or all rows, have moved by one."""
    words = len(WORDS)

    def moved(W, by, rows):
        W = W.copy()
        W[:rows] = np.roll(W[:rows], by, axis=0)
        return W

    for by_q, by_k, rows in product((-1, 0, 1), (-1, 0, 1), (words, len(pair[0]))):
        if alone(times((moved(pair[0], by_q, rows), moved(pair[1], by_k, rows)), MUCH)) is None:
            return not prefers_the_noun(pair)
    return False


def not_only_nouns(pair):
    """True if the head is right once no other word answers."""
    W_k = pair[1].copy()
    W_k[[i for i, word in enumerate(WORDS) if word not in NOUNS]] = 0
    return does_it(times((pair[0], W_k), MUCH))


def place_not_asked(pair):
    """True if the places answer in columns in which the verbs ask nothing."""
    W_q, W_k = pair
    verbs = [WORDS.index(verb) for verb in sorted(VERBS)]
    return bool(W_k[len(WORDS) :].any()) and not (W_q[verbs] @ W_k[len(WORDS) :].T).any()


def nouns_ask(pair):
    """True if with W_q and W_k exchanged a verb would find the only noun, and as it is it does not."""
    return not prefers_the_noun(pair) and prefers_the_noun(exchanged(pair))


def favours(at):
    """A test whether the place `at(verb, subject)` gets more than any other."""
    return lambda row, verb, subject, objects: row[at(verb, subject)] > np.delete(row, at(verb, subject)).max() + 1e-9


def prefers_the_noun(pair):
    """True if the only noun of a sentence gets more of the verb than any other word."""
    return always(pair, ALONE, favours(lambda verb, subject: subject))


def both_nouns(row, verb, subject, objects):
    return abs(row[subject] - row[objects[0]]) < 0.01 and row[subject] > np.delete(row, [subject, *objects]).max()


@search(
    points=4,
    task="find W_q and W_k of a head in which the verb looks at its subject",
    properties=(
        Property("in a sentence with one noun, the verb gives it more than 0.99", alone, 0.4),
        Property("in one with two nouns, the verb gives its subject more than 0.99", with_an_object, 0.6),
    ),
    shows={
        "no-preference": no_preference,
        "too-small": lambda pair: does_it(times(pair, MUCH)),
        "exchanged": lambda pair: does_it(times(exchanged(pair), MUCH)),
        "nouns-ask": nouns_ask,
        "negated": lambda pair: does_it(times(pair, -MUCH)),
        "one-verb": lambda pair: any(
            does_it(times(asking_alike(pair, *two), MUCH)) for two in permutations(sorted(VERBS))
        ),
        "missing-noun": lambda pair: any(
            does_it(times(answering_alike(pair, *two), MUCH)) for two in permutations(sorted(NOUNS), 2)
        ),
        "not-only-nouns": not_only_nouns,
        "other-rows": in_other_rows,
        "place-not-asked": lambda pair: place_not_asked(pair) and prefers_the_noun(pair),
        "both-nouns": lambda pair: always(pair, TWO, both_nouns),
        "object": lambda pair: always(pair, TWO, lambda row, verb, subject, objects: row.argmax() == objects[0]),
        "word-before": lambda pair: always(pair, (*ALONE, *TWO), favours(lambda verb, subject: verb - 1)),
        "first-word": lambda pair: always(pair, (*ALONE, *TWO), favours(lambda verb, subject: 0)),
        "itself": lambda pair: always(pair, (*ALONE, *TWO), favours(lambda verb, subject: verb)),
        "fixed-place": lambda pair: not pair[1][: len(WORDS)].any(),
        "place-too-strong": lambda pair: bool(pair[1][len(WORDS) :].any()) and not prefers_the_noun(pair),
        "place-ignored": lambda pair: not pair[1][len(WORDS) :].any(),
        "object-too": lambda pair: alone(pair) is None,
        "too-small-alone": prefers_the_noun,
    },
    mistakes="""
    no-preference: all scores of a row are equal, so that every word looks at all others alike -> Nothing of what the
        token is or where it stands reaches both a query and a key. -> Give one column of W_q and the same column of W_k
        numbers that are not zero, in the rows that are to find each other.
    too-small: the verb prefers its subject, but not clearly enough -> Softmax turns the lead of a score into a share;
        for 0.99 among 8 words the lead has to be above 6.54, say 7, after the division by the root of d_k. -> Keep the
        pattern and make its numbers larger.
    exchanged: in your head the subject looks for its verb -> The rows of the scores belong to the queries. Here the
        verb asks and the noun answers. -> Exchange W_q and W_k.
    nouns-ask: in your head the nouns look for the verb -> The rows of the scores belong to the queries. Here the verb
        asks and the noun answers. -> Exchange W_q and W_k; then compare sentences with two nouns.
    negated: the verb gives its subject the least -> The sign is wrong: a high score gets a large weight. -> Change the
        sign of one of the two.
    one-verb: one of the two verbs finds its subject, the other one does not -> Each verb has a row of its own in W_q.
        -> Look at the rows of both verbs, sees and sleeps.
    missing-noun: one of the three nouns is not found as the others are -> Each noun has a row of its own in W_k: cat,
        dog and bird are the rows 3, 4 and 5. -> Look at all three rows; the end of a slice is not included.
    not-only-nouns: other words answer as the nouns do -> The verb hears whoever answers its question in W_k. -> Only
        the rows of cat, dog and bird (3, 4 and 5) should have a number there.
    other-rows: your numbers stand in the rows beside those that are meant -> Rows count from 0: of the words, cat, dog
        and bird are the rows 3, 4 and 5, sees and sleeps the rows 7 and 8; of the places, the first is row 9. -> Move
        them by one row, and compare the end of each slice: it is not included.
    place-not-asked: your places answer in a column in which the verbs ask nothing -> A column counts only where both
        have numbers: W_q of the verbs and W_k of the places. -> Let the verbs ask in that column, too.
    both-nouns: the verb looks at subject and object alike -> Both are nouns, and the same word may be either. -> Let a
        second column bring in the place: which noun stands nearer to the beginning?
    object: the verb looks at its object -> Both are nouns, and your head prefers the one that stands later. -> Turn
        the preference of the places round.
    word-before: the verb looks at the word before it -> That need not be the subject: an *often* may stand between
        them. -> Let the verb look for a noun first, and use the place to decide between two nouns.
    first-word: the verb looks at the first word -> Earlier is better, but only among nouns. -> Let it count more that
        a word is a noun than where it stands.
    itself: the verb looks at itself -> Its query meets its own key. -> Let the rows of the verbs in W_q meet the rows
        of the nouns in W_k, in the same column.
    fixed-place: in your W_k the rows of the words are zero -> Then the verb cannot know a noun when it
        sees one. The subject is the second word, or the third. -> The rows of the words come first (0 to 8), those of
        the places after them (9 to 16).
    place-too-strong: the verb misses its subject even where that is the only noun -> What is a noun and what stands
        early add up in one score. The first of the two has to count more than all places together. -> Take the places
        out and see whether the verb finds the noun. Then put them in again, with small numbers.
    place-ignored: in your W_k the rows of the places are zero -> Then no score depends on where the answering word
        stands, and subject and object may be the same word. -> Let a second column bring in the place.
    object-too: with one noun your head is right, with two it is not -> The two nouns have to be told apart by where
        they stand. -> Compare the scores of the two nouns in one sentence: how far does the subject lead?
    too-small-alone: the verb prefers its subject where that is the only noun, but not clearly enough -> Softmax turns
        the lead of a score into a share; for 0.99 among 8 words the lead has to be above 6.54, say 7, after the
        division by the root of d_k. -> Give more points for being a noun.
    """,
)
def verb_subject_head(value):
    """The learner's W_q and W_k; raises ValueError in words."""
    return head(value)
