from functools import cache

import numpy as np

from attnlib import load_word_vectors
from grader.exercises.kinds import Entry, values
from grader.exercises.p2_three_views.n3_memory_retrieval.memory_context import memory_context

CITIES = ("paris", "tokyo", "london", "rome", "madrid", "moscow", "beijing", "cairo")
PLACES = np.array(  # degrees north and east, to one decimal
    [[48.9, 2.4], [35.7, 139.7], [51.5, -0.1], [41.9, 12.5], [40.4, -3.7], [55.8, 37.6], [39.9, 116.4], [30.0, 31.2]]
)
SHARPNESS = 20.0


@cache
def atlas(word, mistake=""):
    """What a word reads from a memory of cities: degrees north and east."""
    vocabulary, E = load_word_vectors()
    token = E[[vocabulary[word]]].astype(float)
    cities = E[[vocabulary[city] for city in CITIES]].astype(float)
    if mistake == "east-first":
        return atlas(word)[::-1]
    sharpness = 1.0 if mistake == "beta-forgotten" else SHARPNESS
    if mistake == "best-only":
        return PLACES[(token @ cities.T).argmax()]
    return memory_context(sharpness * token, cities, PLACES)[0]


@values(
    points=2,
    task="let three words read the atlas, sharpened by 20",
    entries=(
        Entry("japan", 'where "japan" reads', 0.3, decimals=1),
        Entry("egypt", 'where "egypt" reads', 0.3, decimals=1),
        Entry("europe", 'where "europe" reads', 0.4, decimals=1),
    ),
    mistakes="""
    beta-forgotten: the scores are not sharpened -> Word vectors are short: their dot products differ by less than 1, so
        that all cities blend. -> Multiply the tokens by 20 before they read.
    east-first: north and east have changed places -> The atlas stores north first: its first column holds the degrees
        north. -> Return each row as `memory_context` gives it.
    best-only: each word gets the place of its best city alone -> "europe" has no single city: several of them answer.
        -> Use your `memory_context`: it mixes.
    """,
)
def read_the_atlas(wrong=frozenset()):
    return {word: atlas(word, next(iter(wrong), "")).copy() for word in ("japan", "egypt", "europe")}
