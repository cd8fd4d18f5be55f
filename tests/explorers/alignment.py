import numpy as np

import attnlib
from attnlib import widgets

TARGET = ["her", "mother", "bought", "a", "large", "home"]
SOURCE = ["a", "big", "house", "was", "purchased", "by", "her", "mom"]


def build():
    vocabulary, E = attnlib.load_word_vectors()
    vectors = (E[[vocabulary[word] for word in words]] for words in (TARGET, SOURCE))
    return widgets.explore_alignment(TARGET, SOURCE, *vectors)


def states(data, rng):
    for temperature in [0.01, 1, 10, *rng.uniform(0.01, 10, size=5)]:
        yield {"temperature": float(temperature), "word": int(rng.integers(6))}


def numbers(data, state):
    weights = attnlib.softmax_with_temperature(np.array(data["cosines"]), state["temperature"])
    return {"weights": weights, "sums": np.ones(6), "heard": weights.sum(axis=0)}
