"""What several exercises of this notebook have in common: projections, and heads that are made by hand."""

from itertools import product

import numpy as np

from grader.exercises.inputs import matrix, numbers, square
from grader.exercises.stages import softmax


def projected(rng, n, d_model, d_k, d_v, entries=matrix):
    """X and three projections."""
    return {
        "X": entries(rng, n, d_model),
        "W_q": entries(rng, d_model, d_k),
        "W_k": entries(rng, d_model, d_k),
        "W_v": entries(rng, d_model, d_v),
    }


def all_square(rng, n):
    return {"X": matrix(rng, n, n), **{name: square(rng, n) for name in ("W_q", "W_k", "W_v")}}


# ---- heads made by hand: each token is a word and a place, both one-hot

WORDS = ["the", "a", "small", "cat", "dog", "bird", "often", "sees", "sleeps"]
NOUNS, VERBS = {"cat", "dog", "bird"}, {"sees", "sleeps"}
PLACES = 8
WIDTH = len(WORDS) + PLACES
LARGEST = 1000.0  # that an entry of a projection may be
SURE = 0.99
MUCH = 30.0  # scores that only lack size are large enough when multiplied by this

_WHO = [" ".join(some).replace("  ", " ") for some in product(("the", "a"), ("", "small"), sorted(NOUNS))]
ALONE = [f"{who} {how}sleeps" for who in _WHO for how in ("", "often ")]
TWO = [f"{who} {how}sees {whom}" for who in _WHO for how in ("", "often ") for whom in _WHO]
#: No rule holds in these.
MIXED = [
    "dog dog dog",
    "sleeps cat the the a sleeps",
    "a bird a bird a bird a bird",
    "sees often small dog bird cat the",
]


def head(value):
    """The learner's pair W_q, W_k of a head made by hand; raises ValueError in words."""
    value = list(value) if isinstance(value, np.ndarray) and value.ndim else value
    if not isinstance(value, (list, tuple)) or len(value) != 2:
        raise ValueError("expected a pair of matrices, [W_q, W_k]")
    try:
        W_q, W_k = (numbers(W) for W in value)
    except ValueError:
        raise ValueError("W_q and W_k must be matrices of numbers") from None
    for name, W in (("W_q", W_q), ("W_k", W_k)):
        if W.ndim != 2 or W.shape[0] != WIDTH or not W.shape[1]:
            turned = " (it looks transposed)" if W.ndim == 2 and W.shape[1] == WIDTH else ""
            raise ValueError(
                f"{name} must have shape ({WIDTH}, d_k): a row for each of the {len(WORDS)} words, then one for each "
                f"of the {PLACES} places; got {W.shape}{turned}"
            )
        if not np.abs(W).max() <= LARGEST:
            raise ValueError(f"no entry may be larger than {LARGEST:,.0f} in size; {name} has {np.abs(W).max():g}")
    if W_q.shape != W_k.shape:
        raise ValueError(f"a query meets a key in a dot product: W_q has {W_q.shape[1]} columns, W_k {W_k.shape[1]}")
    return W_q, W_k


def tokens(sentence):
    """(n, WIDTH): for each word of a sentence, the word and its place."""
    X = np.zeros((len(sentence.split()), WIDTH))
    for place, word in enumerate(sentence.split()):
        X[place, WORDS.index(word)] = X[place, len(WORDS) + place] = 1
    return X


def weights_of(pair, sentence):
    X = tokens(sentence)
    W_q, W_k = pair
    return softmax((X @ W_q) @ (X @ W_k).T / np.sqrt(W_q.shape[1]))


def looks(pair, sentence):
    """The places that each word of a sentence looks at most; -1 where it cannot decide."""
    weights = weights_of(pair, sentence)
    best = weights.argmax(axis=1)
    decided = (weights > weights.max(axis=1, keepdims=True) - 1e-9).sum(axis=1) == 1
    return np.where(decided, best, -1)


def given(sentence, weights, i, js):
    """What a word gives to others, in words."""
    words = sentence.split()
    shares = " and ".join(f"{words[j]} (place {j}) {weights[i, j]:.3f}" for j in js)
    return f'in "{sentence}", {words[i]} (place {i}) gives {shares}'


def times(pair, factor):
    return pair[0] * factor, pair[1]


def exchanged(pair):
    return pair[1], pair[0]


def without(pair, rows):
    """The pair with the rows of the words, or of the places, set to zero."""
    left = tuple(W.copy() for W in pair)
    for W in left:
        W[: len(WORDS)] *= rows != "words"
        W[len(WORDS) :] *= rows != "places"
    return left


def blind_to(pair, rows):
    """True if these rows of one of the two are zero, so that no score depends on both tokens' words (or places)."""
    part = slice(len(WORDS)) if rows == "words" else slice(len(WORDS), None)
    return any(not W[part].any() for W in pair)


def no_preference(pair):
    return all(np.ptp(weights_of(pair, sentence), axis=1).max() < 1e-6 for sentence in (*ALONE, *MIXED))


def symmetric(pair):
    M = pair[0] @ pair[1].T
    return bool(np.allclose(M, M.T) and M.any())
