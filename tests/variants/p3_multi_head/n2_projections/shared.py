"""What the answers to several exercises of this notebook have in common."""

import numpy as np

from attnlib import softmax


def three_steps(X, W_q, W_k, W_v):
    Q, K, V = X @ W_q, X @ W_k, X @ W_v
    weights = softmax(Q @ K.T / np.sqrt(K.shape[1]))
    return weights @ V, weights


def none(d_k):
    """A projection of the heads made by hand that asks nothing yet: 9 words, then 8 places."""
    return np.zeros((17, d_k))


def shift(size=30.0, by=1):
    """Each place looks `by` places back."""
    W_q, W_k = none(8), none(8)
    for place in range(8):
        W_k[9 + place, place] = 1
        if 0 <= place - by < 8:
            W_q[9 + place, place - by] = size
    return W_q, W_k


def for_the_words(size=30.0, by=0):
    """Each word looks for itself, or for one that stands so far from it in the list of words."""
    W_q, W_k = none(9), none(9)
    W_q[:9], W_k[:9] = size * np.eye(9, k=by), np.eye(9)
    return W_q, W_k


def for_nouns(noun=60.0, place=10.0, verbs=(7, 8)):
    """Each verb looks for nouns, and the earlier the better."""
    W_q, W_k = none(2), none(2)
    W_q[list(verbs)] = noun, place
    W_k[3:6, 0] = 1
    W_k[9:, 1] = -np.arange(8)
    return W_q, W_k
