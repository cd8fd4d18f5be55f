import numpy as np

from variants.p4_deep_networks.n1_positions.shared import turn


def in_one_line(Q, K, query_positions, key_positions, base=10000.0):
    return turn(Q, query_positions, base) @ turn(K, key_positions, base).T / np.sqrt(Q.shape[-1])


def in_loops(Q, K, query_positions, key_positions, base=10000.0):
    queries, keys = turn(Q, query_positions, base), turn(K, key_positions, base)
    scores = np.zeros((len(Q), len(K)))
    for i, q in enumerate(queries):
        for j, k in enumerate(keys):
            scores[i, j] = sum(q * k) / len(q) ** 0.5
    return scores


def with_einsum(Q, K, query_positions, key_positions, base=10000.0):
    return np.einsum("id,jd->ij", turn(Q, query_positions, base), turn(K, key_positions, base)) * Q.shape[1] ** -0.5


def by_the_distance(Q, K, query_positions, key_positions, base=10000.0):
    return np.array(
        [
            [q @ turn(k[None], [n - m], base)[0] / np.sqrt(len(q)) for k, n in zip(K, key_positions, strict=True)]
            for q, m in zip(Q, query_positions, strict=True)
        ]
    )


def scaled_first(Q, K, query_positions, key_positions, base=10000.0):
    return np.inner(turn(Q / np.sqrt(Q.shape[1]), query_positions, base), turn(K, key_positions, base))


def with_cosines(Q, K, query_positions, key_positions, base=10000.0):
    d = Q.shape[1]
    rates = base ** (-np.arange(0, d, 2) / d)
    q, k = Q[:, ::2] + 1j * Q[:, 1::2], K[:, ::2] + 1j * K[:, 1::2]
    a = np.angle(q)[:, None] - np.angle(k)[None]
    a = a + (query_positions[:, None] - key_positions[None])[..., None] * rates
    return (np.abs(q)[:, None] * np.abs(k)[None] * np.cos(a)).sum(-1) / d**0.5


def in_single_precision(Q, K, query_positions, key_positions, base=10000.0):
    return in_one_line(Q, K, query_positions, key_positions, base).astype(np.float32)


VARIANTS = [in_one_line, in_loops, with_einsum, by_the_distance, scaled_first, with_cosines, in_single_precision]


def keys_stay(Q, K, query_positions, key_positions, base=10000.0):
    return turn(Q, query_positions, base) @ K.T / np.sqrt(Q.shape[-1])


def queries_stay(Q, K, query_positions, key_positions, base=10000.0):
    return Q @ turn(K, key_positions, base).T / np.sqrt(Q.shape[-1])


def against_each_other(Q, K, query_positions, key_positions, base=10000.0):
    return turn(Q, query_positions, base) @ turn(K, -key_positions, base).T / np.sqrt(Q.shape[-1])


def not_scaled(Q, K, query_positions, key_positions, base=10000.0):
    return turn(Q, query_positions, base) @ turn(K, key_positions, base).T


def divided_by_the_queries(Q, K, query_positions, key_positions, base=10000.0):
    return turn(Q, query_positions, base) @ turn(K, key_positions, base).T / np.sqrt(len(Q))


def base_forgotten(Q, K, query_positions, key_positions, base=10000.0):
    return turn(Q, query_positions) @ turn(K, key_positions).T / np.sqrt(Q.shape[-1])


def numbered(Q, K, query_positions, key_positions, base=10000.0):
    return turn(Q, np.arange(len(Q)), base) @ turn(K, np.arange(len(K)), base).T / np.sqrt(Q.shape[-1])


def turned_otherwise(X, positions, base=10000.0, layout="neighbours"):
    d = X.shape[-1]
    angles = -np.asarray(positions)[:, None] * base ** (-np.arange(0, d, 2) / d)
    pairs = (slice(0, None, 2), slice(1, None, 2)) if layout == "neighbours" else (slice(0, d // 2), slice(d // 2, d))
    x, y = X[..., pairs[0]], X[..., pairs[1]]
    result = np.zeros(X.shape)
    result[..., pairs[0]] = x * np.cos(angles) - y * np.sin(angles)
    result[..., pairs[1]] = x * np.sin(angles) + y * np.cos(angles)
    return result


def on_backward_hands(Q, K, query_positions, key_positions, base=10000.0):
    one, other = turned_otherwise(Q, query_positions, base), turned_otherwise(K, key_positions, base)
    return one @ other.T / np.sqrt(Q.shape[-1])


def halves_are_pairs(Q, K, query_positions, key_positions, base=10000.0):
    one, other = (
        turned_otherwise(X, -np.asarray(places), base, "halves")
        for X, places in ((Q, query_positions), (K, key_positions))
    )
    return one @ other.T / np.sqrt(Q.shape[-1])


def difference_the_wrong_way(Q, K, query_positions, key_positions, base=10000.0):
    scores = np.zeros((len(Q), len(K)))
    for i, m in enumerate(query_positions):
        for j, n in enumerate(key_positions):
            scores[i, j] = turned_otherwise(K[j : j + 1], [n - m], base)[0] @ Q[i]
    return scores / np.sqrt(Q.shape[-1])


def what_was_turned_is_thrown_away(Q, K, query_positions, key_positions, base=10000.0):
    turned_otherwise(Q, query_positions, base)
    turned_otherwise(K, key_positions, base)
    return Q @ K.T / np.sqrt(Q.shape[1])


def size_of_the_distance_alone(Q, K, query_positions, key_positions, base=10000.0):
    scores = np.zeros((len(Q), len(K)))
    for i, m in enumerate(query_positions):
        for j, n in enumerate(key_positions):
            scores[i, j] = turn(Q[i : i + 1], [abs(m - n)], base)[0] @ K[j]
    return scores / np.sqrt(Q.shape[-1])


def two_turns(Q, K, query_positions, key_positions, base=10000.0):
    A, B = turn(Q, query_positions, base), turn(K, key_positions, base)
    return turn(A, query_positions, base) @ turn(B, key_positions, base).T / np.sqrt(Q.shape[-1])


def as_cosines(Q, K, query_positions, key_positions, base=10000.0):
    A, B = turn(Q, query_positions, base), turn(K, key_positions, base)
    A, B = (M / np.linalg.norm(M, axis=-1, keepdims=True) for M in (A, B))
    return A @ B.T


# Each with the mistake that the judge should name, or None.
WRONG = [
    (size_of_the_distance_alone, "both-ways-alike"),
    (two_turns, "turned-twice"),
    (as_cosines, "cosine"),
    (what_was_turned_is_thrown_away, "neither-turned"),
    (on_backward_hands, "backwards"),
    (halves_are_pairs, "halves"),
    (difference_the_wrong_way, "backwards"),
    (keys_stay, "keys-not-turned"),
    (queries_stay, "queries-not-turned"),
    (against_each_other, "turned-against-each-other"),
    (not_scaled, "no-scale"),
    (divided_by_the_queries, "by-sqrt-queries"),
    (base_forgotten, "base-ignored"),
    (numbered, "places-ignored"),
]
