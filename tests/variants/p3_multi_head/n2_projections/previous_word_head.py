import numpy as np

from variants.p3_multi_head.n2_projections.shared import for_nouns, for_the_words, none, shift

W_Q, W_K = shift()
TURN = np.linalg.qr(np.random.default_rng(3).normal(size=(8, 8)))[0]
ANGLES = 2 * np.pi * np.arange(1, 9)[:, None] * np.arange(1, 5) / 9
WAVES = np.concatenate([np.cos(ANGLES), np.sin(ANGLES)], axis=1)
ONE_BEFORE = ANGLES - 2 * np.pi * np.arange(1, 5) / 9


def of_places(asks, answers):
    """Projections whose rows of the words are zero."""
    return [np.concatenate([np.zeros((9, rows.shape[1])), rows]) for rows in (asks, answers)]


VARIANTS = [
    (W_Q, W_K),
    [W_Q.tolist(), W_K.tolist()],
    np.stack([W_Q, W_K]),
    [np.eye(17, k=-1) * 40 * (np.arange(17) > 9)[:, None], np.eye(17)],
    [W_K * 1000, np.roll(W_K, 1, axis=1) * 0.05],  # the first place looks for the last
    of_places(20 * np.concatenate([np.cos(ONE_BEFORE), np.sin(ONE_BEFORE)], axis=1), WAVES),
    (W_Q @ TURN, W_K @ TURN),
    of_places(
        np.stack([np.arange(8.0) - 1, np.ones(8)], axis=1) * 60,
        np.stack([np.arange(8.0), -(np.arange(8) ** 2) / 2], axis=1),
    ),
]


WRONG = [
    ([none(4), none(4)], "no-preference"),
    ([W_Q / 20, W_K], "too-small"),
    ([W_K, W_Q], "next-word"),
    ([W_K / 20, W_Q], "next-word"),
    (shift(by=-1), "next-word"),
    ([50 * np.eye(17, k=-1), np.eye(17)], "words-disturb"),
    ([50 * np.eye(17, k=1), np.eye(17)], "next-word-and-words"),
    ([50 * np.eye(17), np.eye(17)], "itself"),
    (shift(by=0), "itself"),
    (of_places(60 * np.ones((8, 1)), -np.arange(8.0)[:, None]), "first-word"),
    (shift(by=2), "two-back"),
    ([-W_Q, W_K], "negated"),
    (for_the_words(), "words-only"),
    (for_nouns(), "words-only"),
    (for_the_words(by=-1), "words-only"),
    (of_places(*(30 * (np.eye(8, k=1) + np.eye(8, k=-1)), np.eye(8))), "symmetric"),
    (of_places(100 * np.eye(8, k=-1), np.diag([0.0] + [1.0] * 7)), "first-missing"),
    (of_places(100 * np.eye(8, k=-1) * (np.arange(8) > 1)[:, None], np.eye(8)), "first-missing"),
    (of_places(100 * np.tri(8, k=-1), np.eye(8)), "all-before-alike"),
    (of_places(30 * np.eye(8, k=-1) * (np.arange(8) < 5)[:, None], np.eye(8)), "short-only"),
    ([W_Q.T, W_K.T], None),
    ([W_Q[9:], W_K[9:]], None),
    ([W_Q, W_K[:, :7]], None),
    ([100 * W_Q, W_K], None),
    (W_Q, None),
    ([np.full((17, 2), np.nan), none(2)], None),
    ([50 * np.eye(17, 8, k=-1) * (np.arange(17) < 8)[:, None], np.eye(17, 8)], "words-only"),
]
