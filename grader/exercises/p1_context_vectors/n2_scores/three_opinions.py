import numpy as np

from attnlib import cosine_scores, dot_scores, squared_distances
from grader.exercises.inputs import numbers
from grader.exercises.kinds import Property, search

MEASURES = ("the dot product", "the cosine", "the distance")
CLEARLY = 1e-9  # how far the best must be ahead of the next, compared with all that is measured: beyond rounding
WANTED = "a list of four pairs of numbers, [query, A, B, C]"


def opinions(vectors):
    """What each measure says of the three keys, the higher the better: shape (3, 3), a row for each measure."""
    query, keys = vectors[:1], vectors[1:]
    return np.vstack([dot_scores(query, keys), cosine_scores(query, keys), -squared_distances(query, keys)])


def winners(vectors):
    """For each measure the one key that it prefers, or None where two of them share the first place."""
    best = []
    for row in opinions(vectors):
        second, first = np.sort(row)[-2:]
        best.append(int(row.argmax()) if first - second > CLEARLY * np.abs(row).max() else None)
    return best


def no_tie(*measures):
    """A test that each of these measures prefers one key alone."""

    def test(vectors):
        best = winners(vectors)
        tied = next((MEASURES[i] for i in measures if best[i] is None), None)
        return tied and f"by {tied}, two keys or more share the first place"

    return test


each_has_one = no_tie(0, 1, 2)


def differ(one, other):
    """A test that two of the measures prefer different keys."""

    def test(vectors):
        best = winners(vectors)
        if tied := no_tie(one, other)(vectors):
            return tied
        if best[one] != best[other]:
            return None
        return f"{MEASURES[one]} and {MEASURES[other]} both prefer {'ABC'[best[one]]}"

    return test


def all_differ(vectors):
    if tied := each_has_one(vectors):
        return tied
    names = ["ABC"[winner] for winner in winners(vectors)]
    return None if len(set(names)) == 3 else f"they prefer {names[0]}, {names[1]} and {names[2]}"


def agree(*measures):
    """A test that these measures, and no more, prefer the same key."""

    def shows(vectors):
        best = winners(vectors)
        return None not in best and len({best[i] for i in measures}) == 1 and len(set(best)) == 4 - len(measures)

    return shows


def equally_long(vectors):
    lengths = np.linalg.norm(vectors[1:], axis=1)
    return None not in winners(vectors) and bool(np.allclose(lengths, lengths[0], rtol=1e-9, atol=0))


def query_not_first(vectors):
    """True if the vectors do what is asked with one of the keys as the query."""
    return any(all_differ(np.roll(vectors, turn, axis=0)) is None for turn in (1, 2, 3))


@search(
    points=4,
    task="find a query and three keys of which each measure prefers another",
    properties=(
        Property("each measure prefers one key alone", each_has_one, 0.0),
        Property("the dot product and the cosine differ", differ(0, 1), 0.15),
        Property("the cosine and the distance differ", differ(1, 2), 0.15),
        Property("the dot product and the distance differ", differ(0, 2), 0.2),
        Property("all three prefer different keys", all_differ, 0.5),
    ),
    shows={
        "no-query": lambda vectors: not vectors[0].any(),
        "query-not-first": query_not_first,
        "key-twice": lambda vectors: vectors[0].any() and len(np.unique(vectors[1:], axis=0)) < 3,
        "shared-first-place": lambda vectors: each_has_one(vectors) is not None,
        "equally-long": equally_long,
        "one-for-all": agree(0, 1, 2),
        "dot-and-cosine": agree(0, 1),
        "cosine-and-distance": agree(1, 2),
        "dot-and-distance": agree(0, 2),
    },
    mistakes="""
    no-query: your query is the zero vector -> It scores 0 with every key, so that the dot product and the cosine have
        no preference. -> Let the query point somewhere.
    query-not-first: one of your keys would be the right query -> The query is the first of the four, and A, B and C
        come after it. -> Change their order.
    key-twice: two of your keys are the same -> What one measure thinks of the one, it thinks of the other. -> Three
        different keys are needed, one for each measure.
    shared-first-place: two keys share a first place -> A tie is no preference: the measure must choose one. -> Move one
        of the two a little.
    equally-long: your keys are equally long -> Then the three measures cannot disagree: section 6 tells why. -> Give
        them different lengths.
    one-for-all: all three measures prefer the same key -> It has all that they look for: direction, length and place.
        -> Share the three out among the keys.
    dot-and-cosine: the dot product and the cosine prefer the same key -> It points best, and its product is the largest
        as well. -> Which key does a dot product like that points less well?
    cosine-and-distance: the cosine and the distance prefer the same key -> It points best, and lies nearest as well. ->
        How can a key point the right way and yet not be near?
    dot-and-distance: the dot product and the distance prefer the same key -> It lies nearest, and its product is the
        largest as well. -> What does a key need, so that its score grows while it goes away from the query?
    """,
)
def three_opinions(value):
    """The learner's query and keys as an array of shape (4, 2); raises ValueError in words."""
    try:
        found = numbers(value)
    except ValueError as problem:
        raise ValueError(f"expected {WANTED}; {problem}") from None
    if found.shape != (4, 2):
        raise ValueError(f"expected {WANTED}; got shape {found.shape}")
    if not np.isfinite(found).all():
        raise ValueError("all numbers must be finite")
    # No measure changes its mind when all vectors grow alike; squares of very large or small numbers would be lost.
    return found / (np.abs(found).max() or 1.0)
