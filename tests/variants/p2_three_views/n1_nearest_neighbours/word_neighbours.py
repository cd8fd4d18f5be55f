import numpy as np

from attnlib import load_word_vectors

VOCABULARY, E = load_word_vectors()
WORDS = list(VOCABULARY)
MEASURES = ("dot", "cosine", "euclidean")


def _ranked(measure, some, word="paris"):
    q = E[VOCABULARY[word]]
    scores = {
        "dot": E @ q,
        "cosine": E @ q / np.linalg.norm(E, axis=1),
        "euclidean": -((E - q) ** 2).sum(axis=1),
    }[measure]
    return [WORDS[j] for j in np.argsort(-scores, kind="stable")[some]]


def _all(some, word="paris"):
    return {measure: _ranked(measure, some, word) for measure in MEASURES}


RIGHT = _all(slice(1, 5))

VARIANTS = [
    RIGHT,
    {measure: set(words) for measure, words in RIGHT.items()},
    {measure: np.array(words) for measure, words in RIGHT.items()},
    {measure: [word.capitalize() for word in words] for measure, words in RIGHT.items()},
]

WRONG = [
    (_all(slice(2, 6)), "two-left-out"),
    (_all(slice(1, 5), "london"), "of-london"),
    (_all(slice(1, 5), "france"), "of-france"),
    (dict.fromkeys(MEASURES, RIGHT["cosine"]), "cosine-for-all"),
    (dict.fromkeys(MEASURES, RIGHT["euclidean"]), "distance-for-all"),
    (dict.fromkeys(MEASURES, RIGHT["dot"]), "metric-ignored"),
    (_all(slice(0, 4)), "own-neighbour"),
]
