from grader.exercises.kinds import Property, search
from grader.exercises.p3_multi_head.n2_projections.shared import (
    MIXED,
    MUCH,
    SURE,
    TWO,
    WORDS,
    blind_to,
    given,
    head,
    no_preference,
    times,
    weights_of,
    without,
)

#: With every word twice and more, and alone.
SENTENCES = [
    "the cat sees the dog", "the cat sees the cat", "small small bird", "a dog a dog a dog a dog",
    "often often sees sees", "sleeps the sleeps", *MIXED, *TWO[::9], *WORDS,
    *(f"{one} {other}" for one in WORDS for other in WORDS if one != other),
]  # fmt: skip
NEAR = 0.01  # of an equal share


def _rows(pair):
    """Of each word in each sentence: the sentence, its weights, its place, and the places of the same word."""
    for sentence in SENTENCES:
        weights, words = weights_of(pair, sentence), sentence.split()
        for i, word in enumerate(words):
            yield sentence, weights, i, [j for j, other in enumerate(words) if other == word]


def shares_alike(pair):
    for sentence, weights, i, same in _rows(pair):
        if len(same) > 1 and any(not abs(weights[i, j] - 1 / len(same)) < NEAR for j in same):
            return given(sentence, weights, i, same)
    return None


def finds_itself(pair):
    for sentence, weights, i, same in _rows(pair):
        if len(same) == 1 and not weights[i, i] > SURE:
            return given(sentence, weights, i, same)
    return None


def does_it(pair):
    return shares_alike(pair) is None and finds_itself(pair) is None


def found_words(pair):
    """How many of the nine words find themselves wherever they stand, if size does not matter."""
    right, wrong = set(), set()
    for sentence, weights, i, same in _rows(times(pair, MUCH)):
        fine = all(abs(weights[i, j] - 1 / len(same)) < NEAR for j in same)
        (right if fine else wrong).add(sentence.split()[i])
    return len(right - wrong)


@search(
    points=2,
    task="find W_q and W_k of a head in which every word looks at all places where the same word stands",
    properties=(
        Property("a word that stands several times gives each of its places the same share", shares_alike, 0.6),
        Property("a word that stands once gives itself more than 0.99", finds_itself, 0.4),
    ),
    shows={
        "one-column-for-all": lambda pair: no_preference(pair) and all(W[: len(WORDS)].any() for W in pair),
        "no-preference": no_preference,
        "too-small": lambda pair: does_it(times(pair, MUCH)),
        "negated": lambda pair: does_it(times(pair, -MUCH)),
        "places-disturb": lambda pair: does_it(times(without(pair, "places"), MUCH)),
        "places-only": lambda pair: blind_to(pair, "words"),
        "some-words": lambda pair: found_words(pair) > 0,
        "other-words": lambda pair: found_words(pair) == 0,
    },
    mistakes="""
    one-column-for-all: all words ask and answer alike, so that every word looks at all others -> Words that share their
        columns cannot be told apart. -> Give every word a column of its own.
    no-preference: all scores of a row are equal, so that every word looks at all others alike -> Nothing of what the
        token is reaches both a query and a key. -> Give one column of W_q and the same column of W_k numbers that are
        not zero, in the rows of a word.
    too-small: every word prefers itself and its copies, but not clearly enough -> Softmax turns the lead of a score
        into a share; for 0.99 among 8 words the lead has to be above 6.54, say 7, after the division by the root of
        d_k. -> Keep the pattern and make its numbers larger.
    negated: every word gives the same word the least -> The sign is wrong: a high score gets a large weight. -> Change
        the sign of one of the two.
    places-disturb: your words find each other as they should, but the places add scores of their own -> The two halves
        of a token add up. Where a word stands must not matter to this head, or one copy gets more than another. ->
        Leave the rows of the places at zero.
    places-only: in at least one of your two matrices the rows of the words are zero -> Then no score can depend on
        which words both tokens are. -> The rows of the words come first (0 to 8), those of the places after them (9 to
        16).
    some-words: some of the nine words find themselves, others do not -> Two words that share a column, or have none,
        cannot be told apart. -> Give every word a column of its own.
    other-words: none of the nine words finds itself wherever it stands -> Query and key of the same word have to meet
        in a column that is theirs, and nothing else in the score may be stronger. -> Put both numbers of a word into
        one column.
    """,
)
def same_word_head(value):
    """The learner's W_q and W_k; raises ValueError in words."""
    return head(value)
