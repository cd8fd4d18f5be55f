import numpy as np

from variants.p3_multi_head.n2_projections.shared import for_nouns, for_the_words, none, shift

W_Q, W_K = for_nouns()
#: A table of wishes: what each coordinate of the asking token gives for each of the answering one.
WISHES = np.zeros((17, 17))
WISHES[7:9, 3:6] = 100
WISHES[9:, 9:] = 50 * np.tri(8, k=-1)
TURN = np.linalg.qr(np.random.default_rng(3).normal(size=(2, 2)))[0]


def nearer_end(W):
    """The same head, in which the places ask."""
    W_q, W_k = (np.concatenate([one[:, :1], np.zeros((17, 8))], axis=1) for one in W)
    W_q[9:, 1:], W_k[9:, 1:] = 50 * np.tri(8, k=-1), np.eye(8)
    W_q[:, 0] *= 2
    return W_q, W_k


def only(W, place):
    """The verbs look at this place."""
    W_q, W_k = none(1), none(1)
    W_q[7:9], W_k[9 + place] = 60, 1
    return W_q, W_k


def preferring(size, keys):
    """The verbs look for nouns, and at some places rather than at others."""
    W_q, W_k = for_nouns(place=size)
    W_k[9:, 1] = keys
    return W_q, W_k


def faint():
    """A noun brings few points, and the places do not tell two of them apart."""
    W_q, W_k = preferring(1, [0, 0, 0, 0, 0, 1, 0, 0])
    return W_q / 12, W_k


def nouns_and_articles():
    W_q, W_k = for_nouns(place=0)
    W_k[:2, 0], W_k[9:] = 1, 0
    return W_q, W_k


def at_rows(verbs, nouns, places=slice(9, 17)):
    """What stands in these rows: a verb asks, a noun answers, and each place a little less than the one before."""
    W_q, W_k = none(1), none(1)
    W_q[verbs] = 20
    W_k[nouns] = 10
    W_k[places, 0] = -np.arange(8)[: len(W_k[places])]
    return W_q, W_k


VARIANTS = [
    (W_Q, W_K),
    [W_Q.tolist(), W_K.tolist()],
    [3 * WISHES, np.eye(17)],
    nearer_end((W_Q, W_K)),
    (W_Q @ TURN, W_K @ TURN),
    for_nouns(noun=400, place=30),
]


WRONG = [
    ([none(4), none(4)], "no-preference"),
    (at_rows(slice(7, 9), slice(2, 5)), "other-rows"),
    (at_rows(slice(8, 10), slice(4, 7), slice(10, 17)), "other-rows"),
    (at_rows(slice(7, 9), slice(2, 6)), "not-only-nouns"),
    (at_rows(slice(7, 9), slice(3, 5)), "missing-noun"),
    ([W_Q / 20, W_K], "too-small"),
    ([W_K, W_Q], "exchanged"),
    ([-W_Q, W_K], "negated"),
    (for_nouns(verbs=[7]), "one-verb"),
    (for_nouns(verbs=[8]), "one-verb"),
    ([W_Q, W_K * [1, 0]], "both-nouns"),
    ([W_Q, W_K * (np.arange(17) != 5)[:, None]], "missing-noun"),
    (for_nouns(place=0), "place-not-asked"),
    ([W_K[:, :1], W_Q[:, :1]], "nouns-ask"),
    (for_nouns(place=-10), "object"),
    (shift(), "word-before"),
    (for_nouns(noun=0), "first-word"),
    (for_nouns(noun=20, place=60), "first-word"),
    (for_the_words(), "itself"),
    ([50 * np.eye(17), np.eye(17)], "itself"),
    (only((W_Q, W_K), 1), "fixed-place"),
    (preferring(60, [0, 0, 9, 0, 0, 0, 0, 0]), "place-too-strong"),
    (preferring(10, [1, 1, 0, 0, 0, 0, 0, 0]), "object-too"),
    (nouns_and_articles(), "place-ignored"),
    (for_nouns(noun=10, place=5), "place-too-strong"),
    (for_nouns(noun=14, place=5), "too-small"),
    (faint(), "too-small-alone"),
    ([W_Q.T, W_K.T], None),
    ([100 * W_Q, W_K], None),
]
