import numpy as np

from variants.p3_multi_head.n2_projections.shared import for_nouns, for_the_words, none, shift

W_Q, W_K = for_the_words()
CORNERS = np.array([[np.cos(angle), np.sin(angle)] for angle in 2 * np.pi * np.arange(9) / 9])
TURN = np.linalg.qr(np.random.default_rng(3).normal(size=(9, 9)))[0]


def of_words(asks, answers):
    """Projections whose rows of the places are zero."""
    return [np.concatenate([rows, np.zeros((8, rows.shape[1]))]) for rows in (asks, answers)]


VARIANTS = [
    (W_Q, W_K),
    [W_K, W_Q],
    [6 * W_K, 5 * W_K],
    [W_Q.tolist(), W_K.tolist()],
    [100 * np.diag([1.0] * 9 + [0.0] * 8), np.eye(17)],
    of_words(100 * CORNERS, CORNERS),  # nine directions in a plane: each is nearest to itself
    (W_Q @ TURN, W_K @ TURN),
]


def leaning(W):
    """A small preference for what stands early."""
    W_q, W_k = (np.concatenate([one, np.zeros((17, 1))], axis=1) for one in W)
    W_q[:9, 9], W_k[9:, 9] = 1, -np.arange(8)
    return W_q, W_k


WRONG = [
    ([none(4), none(4)], "no-preference"),
    ([W_Q / 20, W_K], "too-small"),
    ([-W_Q, W_K], "negated"),
    ([50 * np.eye(17), np.eye(17)], "places-disturb"),
    (leaning((W_Q, W_K)), "places-disturb"),
    (shift(by=0), "places-only"),
    (shift(), "places-only"),
    (of_words(40 * np.eye(9) * (np.arange(9) > 2)[:, None], np.eye(9)), "some-words"),
    (for_the_words(by=1), "other-words"),
    (for_nouns(), "other-words"),
    ([W_Q.T, W_K.T], None),
    ([W_Q[:9], W_K[:9]], None),
    ([100 * W_Q, W_K], None),
    ([30 * (np.arange(17) < 9)[:, None], 1.0 * (np.arange(17) < 9)[:, None]], "one-column-for-all"),
]
