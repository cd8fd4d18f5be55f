import numpy as np

from attnlib import softmax


def additive_by_broadcasting(Q, K, W_1, W_2, u):
    return np.tanh((Q @ W_1)[:, None] + (K @ W_2)[None]) @ u


def additive_by_two_loops(Q, K, W_1, W_2, u):
    scores = np.zeros((len(Q), len(K)))
    for i in range(len(Q)):
        for j in range(len(K)):
            scores[i, j] = u @ np.tanh(Q[i] @ W_1 + K[j] @ W_2)
    return scores


def additive_as_a_list(Q, K, W_1, W_2, u):
    return [[float(np.dot(u, np.tanh(q @ W_1 + k @ W_2))) for k in K] for q in Q]


def additive_by_einsum(Q, K, W_1, W_2, u):
    hidden = np.einsum("ia,ah->ih", Q, W_1)[:, np.newaxis, :] + np.einsum("ja,ah->jh", K, W_2)
    return np.einsum("ijh,h->ij", np.tanh(hidden), u)


def additive_float32(Q, K, W_1, W_2, u):
    return additive_by_broadcasting(*(array.astype("float32") for array in (Q, K, W_1, W_2, u)))


def additive_by_one_matrix(Q, K, W_1, W_2, u, bias=0.0):
    n, m = len(Q), len(K)
    pairs = np.hstack([np.repeat(Q, m, axis=0), np.tile(K, (n, 1))])  # (n * m, d_q + d_k)
    return (np.tanh(pairs @ np.vstack([W_1, W_2]) + bias) @ u).reshape(n, m)


def additive_by_exponentials(Q, K, W_1, W_2, u):
    z = (Q @ W_1)[:, None, :] + (K @ W_2)[None, :, :]
    return ((2 / (1 + np.exp(-2 * z)) - 1) * u).sum(axis=2)


def wrong_without_tanh(Q, K, W_1, W_2, u):
    return ((Q @ W_1)[:, None] + (K @ W_2)[None]) @ u


def wrong_keys_in_the_rows(Q, K, W_1, W_2, u):
    return np.tanh((K @ W_2)[:, None] + (Q @ W_1)[None]) @ u


def wrong_row_by_row(Q, K, W_1, W_2, u):
    return np.tanh(Q @ W_1 + K @ W_2) @ u


def wrong_with_softmax(Q, K, W_1, W_2, u):
    return softmax(additive_by_broadcasting(Q, K, W_1, W_2, u))


VARIANTS = [
    additive_by_broadcasting,
    additive_by_two_loops,
    additive_as_a_list,
    additive_by_einsum,
    additive_float32,
    additive_by_one_matrix,
    additive_by_exponentials,
]


def wrong_additive_bent_around_the_whole(Q, K, W_1, W_2, u):
    return np.tanh(((Q @ W_1)[:, None] + (K @ W_2)[None]) @ u)


def wrong_repeats_both(Q, K, W_1, W_2, u):
    asked, offered = np.repeat(Q @ W_1, len(K), axis=0), np.repeat(K @ W_2, len(Q), axis=0)
    return (np.tanh(asked + offered) @ u).reshape(len(Q), len(K))


def wrong_tiles_both(Q, K, W_1, W_2, u):
    asked, offered = np.tile(Q @ W_1, (len(K), 1)), np.tile(K @ W_2, (len(Q), 1))
    return (np.tanh(asked + offered) @ u).reshape(len(Q), len(K))


def wrong_tiles_the_queries(Q, K, W_1, W_2, u):
    asked, offered = np.tile(Q @ W_1, (len(K), 1)), np.repeat(K @ W_2, len(Q), axis=0)
    return (np.tanh(asked + offered) @ u).reshape(len(Q), len(K))


def loops_the_other_way_round(Q, K, W_1, W_2, u):
    return np.array([u @ np.tanh(q @ W_1 + k @ W_2) for k in K for q in Q]).reshape(len(Q), len(K))


def bent_by(function):
    """Scores whose hidden units come from projected queries and keys in another way."""

    def scores(Q, K, W_1, W_2, u):
        return function(Q[:, None], K[None], W_1, W_2) @ u

    return scores


def unit_by_unit(Q, K, W_1, W_2, u):
    scores = 0
    for h in range(len(u) - 1):
        scores = scores + u[h] * np.tanh((Q @ W_1)[:, None, h] + (K @ W_2)[None, :, h])
    return scores


def unit_by_unit_from_zeros(Q, K, W_1, W_2, u):
    return np.zeros((len(Q), len(K))) + unit_by_unit(Q, K, W_1, W_2, u)


WRONG = [
    (wrong_repeats_both, "both-repeated"),
    (wrong_tiles_both, "both-tiled"),
    (wrong_tiles_the_queries, "repeat-and-tile-exchanged"),
    (wrong_without_tanh, "no-tanh"),
    (wrong_keys_in_the_rows, "transposed-result"),
    (wrong_row_by_row, "row-pairs"),
    (wrong_with_softmax, "softmaxed"),
    (wrong_additive_bent_around_the_whole, "tanh-last"),
    (loops_the_other_way_round, "repeat-and-tile-exchanged"),
    (bent_by(lambda Q, K, W_1, W_2: np.tanh(np.tanh(Q @ W_1) + np.tanh(K @ W_2))), "tanh-twice"),
    (bent_by(lambda Q, K, W_1, W_2: np.sinh(Q @ W_1 + K @ W_2)), "sinh"),
    (bent_by(lambda Q, K, W_1, W_2: np.tanh(Q) @ W_1 + np.tanh(K) @ W_2), "tanh-first"),
    (bent_by(lambda Q, K, W_1, W_2: np.tanh(np.tanh(Q) @ W_1 + np.tanh(K) @ W_2)), "tanh-first-and-last"),
    (unit_by_unit, "last-unit-missing-from-0"),
    (unit_by_unit_from_zeros, "last-unit-missing"),
]
