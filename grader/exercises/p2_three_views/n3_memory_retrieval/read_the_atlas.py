from functools import cache

import numpy as np

from attnlib import context_vectors, load_word_vectors
from grader.exercises.kinds import Entry, values

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
    if mistake == "divided-by-20":
        sharpness = 1 / SHARPNESS
    if mistake.startswith("sharpness-"):
        sharpness = float(mistake.removeprefix("sharpness-"))
    if mistake == "result-sharpened":
        return SHARPNESS * context_vectors(token, cities, PLACES)[0]
    if mistake == "mean-place":
        return PLACES.mean(axis=0)
    if mistake == "best-only":
        return PLACES[(token @ cities.T).argmax()]
    return context_vectors(sharpness * token, cities, PLACES)[0]


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
        north. -> Return each row as `context_vectors` gives it.
    best-only: each word gets the place of its best city alone -> "europe" has no single city: several of them answer.
        -> Use your `context_vectors`: it mixes; and sharpen by 20 once only, the tokens and not the cities as well.
    result-sharpened: you multiplied what was read by 20 -> That makes the degrees 20 times as large, and the weights
        are as blurred as before. -> Multiply the tokens by 20 before they read.
    sharpness-2: the scores are sharpened, but not by 20 -> The larger the factor, the more the best city gets. ->
        Multiply the tokens by 20 before they read.
    sharpness-4: the scores are sharpened, but not by 20 -> The larger the factor, the more the best city gets. ->
        Multiply the tokens by 20 before they read.
    sharpness-5: the scores are sharpened, but not by 20 -> The larger the factor, the more the best city gets. ->
        Multiply the tokens by 20 before they read.
    sharpness-10: the scores are sharpened, but not by 20 -> The larger the factor, the more the best city gets. ->
        Multiply the tokens by 20 before they read.
    sharpness-40: the scores are sharpened, but not by 20 -> The larger the factor, the more the best city gets. ->
        Multiply the tokens by 20 before they read.
    sharpness-200: the scores are sharpened, but not by 20 -> The larger the factor, the more the best city gets. ->
        Multiply the tokens by 20 before they read.
    divided-by-20: you divided the tokens by 20 -> Then the scores are nearly equal, and all cities blend. -> Multiply.
    columns-read: the columns of what was read went to the words, not the rows -> A row is a word's place, north and
        east; a column holds one of the two for all words. -> Give each word its row.
    columns-in-order: what was read has been cut into pairs column after column -> A row is a word's place, north and
        east; a column holds one of the two for all words. -> Give each word its row.
    mean-place: all cities count alike -> Then a word gets the same place as any other. -> The word's vector asks: give
        it to `context_vectors` as the token.
    """,
)
def read_the_atlas(wrong=frozenset()):
    asking = ("japan", "egypt", "europe")
    if wrong & {"columns-read", "columns-in-order"}:
        north, east = np.array([atlas(word) for word in asking]).T
        turned = (north[:2], east[:2], north[1:]) if "columns-read" in wrong else np.reshape([north, east], (3, 2))
        return {word: np.array(place) for word, place in zip(asking, turned, strict=True)}
    return {word: atlas(word, next(iter(wrong), "")).copy() for word in asking}
