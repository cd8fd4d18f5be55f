import numpy as np

import attnlib
from attnlib import load_word_vectors, widgets


def build():
    return widgets.explore_embeddings(*load_word_vectors(), "doctor", "hospital")


def states(data, rng):
    for _ in range(10):
        start, end = rng.integers(len(data["offered"]), size=2).tolist()
        yield {"start": start, "end": end, "t": round(float(rng.random()), 2)}


def numbers(data, state):
    # The page has the dot products to four decimals. Vectors with just these: the cosines are attnlib's.
    ends = [state["start"], state["end"]]
    share = np.array([1 - state["t"], state["t"]])
    products = np.array(data["products"])[ends] / data["scale"]
    lengths = np.array(data["lengths"])
    own = [data["own"][i] for i in ends]
    square = (
        share
        @ np.array([[lengths[own[0]] ** 2, products[1, own[0]]], [products[1, own[0]], lengths[own[1]] ** 2]])
        @ share
    )
    cosines = share @ products / lengths / np.sqrt(square)
    nearest = np.argsort(-cosines, kind="stable")[: data["k"]]
    words, E = load_word_vectors()
    E = np.asarray(E, dtype=float)
    at = {word: i for i, word in enumerate(words)}
    ends = [E[at[data["offered"][i]]] for i in ends]
    true = attnlib.cosine_scores((share @ ends)[None], E)[0]
    np.testing.assert_allclose(cosines[nearest], [true[at[data["words"][i]]] for i in nearest], atol=1e-3)
    np.testing.assert_allclose(cosines[nearest], np.sort(true)[::-1][: data["k"]], atol=2e-3)
    return {"length": np.sqrt(square), "nearest": nearest, "cosines": cosines[nearest]}
