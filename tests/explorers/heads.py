import numpy as np

from attnlib import widgets

WORDS = "she sat on the bank of the grandmother"  # a long name at the edge, too


def attention(text):
    """Four heads: previous word, same word, the first word, all alike."""
    tokens = text.split()
    if not tokens:
        raise ValueError("there is no word in this sentence")
    n = len(tokens)
    same = np.array([[a == b for b in tokens] for a in tokens], dtype=float)
    before = np.eye(n, k=-1)
    before[0, 0] = 1
    first = np.zeros((n, n))
    first[:, 0] = 1
    return tokens, np.array([before, same / same.sum(axis=1, keepdims=True), first, np.full((n, n), 1 / n)])


def build():
    return widgets.explore_heads(attention, WORDS, head=1, token=3)


def states(data, rng):
    for _ in range(10):
        yield {"head": int(rng.integers(4)), "token": int(rng.integers(8))}


def numbers(data, state):
    weights = attention(WORDS)[1].round(5)
    return {"row": weights[state["head"], state["token"]], "strongest": weights[:, state["token"]].argmax(axis=1)}
