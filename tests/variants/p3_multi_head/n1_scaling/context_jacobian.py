import numpy as np

import attnlib


def weights_of(q, K):
    return attnlib.softmax((K @ q / np.sqrt(len(q)))[np.newaxis])[0]


def jacobian_by_the_chain(q, K, V):
    return V.T @ attnlib.softmax_jacobian(weights_of(q, K)) @ K / np.sqrt(K.shape[-1])


def jacobian_as_covariance(q, K, V):
    p = weights_of(q, K)
    return (V - p @ V).T @ (p[:, None] * (K - p @ K)) / len(q) ** 0.5


def jacobian_as_mean_of_products(q, K, V):
    p = weights_of(q, K)
    products = sum(p[j] * np.outer(V[j], K[j]) for j in range(len(K)))
    return (products - np.outer(p @ V, p @ K)) / np.sqrt(q.shape[0])


def jacobian_by_differences(q, K, V, step=1e-5):
    columns = []
    for j in range(len(q)):
        nudge = step * np.eye(len(q))[j]
        columns.append((weights_of(q + nudge, K) @ V - weights_of(q - nudge, K) @ V) / (2 * step))
    return np.array(columns).T


def jacobian_by_loops(q, K, V):
    p, d_k, d_v = weights_of(q, K), len(q), V.shape[1]
    result = np.zeros((d_v, d_k))
    for i in range(d_v):
        for j in range(d_k):
            mean_v, mean_k = sum(p * V[:, i]), sum(p * K[:, j])
            result[i, j] = sum(p * (V[:, i] - mean_v) * (K[:, j] - mean_k)) / d_k**0.5
    return result


def jacobian_by_einsum(q, K, V):
    p = weights_of(q, K)
    moves = np.einsum("n,nm->nm", p, np.eye(len(p)) - p)
    return np.einsum("nv,nm,mk->vk", V, moves, K / np.sqrt(K.shape[1]))


def jacobian_as_list(q, K, V):
    return jacobian_by_the_chain(q, K, V).tolist()


def without_scale(q, K, V):
    return V.T @ attnlib.softmax_jacobian(attnlib.softmax((K @ q)[None])[0]) @ K


def last_factor_forgotten(q, K, V):
    return V.T @ attnlib.softmax_jacobian(weights_of(q, K)) @ K


def scores_not_divided(q, K, V):
    return V.T @ attnlib.softmax_jacobian(attnlib.softmax((K @ q)[None])[0]) @ K / np.sqrt(len(q))


def divided_by_the_width(q, K, V):
    p = attnlib.softmax((K @ q / len(q))[None])[0]
    return V.T @ attnlib.softmax_jacobian(p) @ K / len(q)


def divided_too_often(q, K, V):
    return jacobian_by_the_chain(q, K, V) / np.sqrt(len(q))


def products_only(q, K, V):
    return (weights_of(q, K) * V.T) @ K / np.sqrt(len(q))


def diagonal_only(q, K, V):
    p = weights_of(q, K)
    return V.T @ np.diag(p * (1 - p)) @ K / np.sqrt(len(q))


def jacobian_of_scores(q, K, V):
    return V.T @ attnlib.softmax_jacobian(K @ q / np.sqrt(len(q))) @ K / np.sqrt(len(q))


def other_way_round(q, K, V):
    return jacobian_by_the_chain(q, K, V).T


def weights_by_query(q, K, V):
    return attnlib.softmax_jacobian(weights_of(q, K)) @ K / np.sqrt(len(q))


def context_by_score(q, K, V):
    return V.T @ attnlib.softmax_jacobian(weights_of(q, K))


def covariance_by_numpy(q, K, V):
    d_k = K.shape[1]
    both = np.cov(np.hstack([V, K]), rowvar=False, aweights=weights_of(q, K))
    return both[:-d_k, -d_k:] / np.sqrt(d_k)


def covariance_without_weights(q, K, V):
    return (V - V.mean(axis=0)).T @ (K - K.mean(axis=0)) / len(K) / np.sqrt(len(q))


def minus(q, K, V):
    return -jacobian_by_the_chain(q, K, V)


VARIANTS = [
    jacobian_by_the_chain,
    jacobian_as_covariance,
    jacobian_as_mean_of_products,
    jacobian_by_differences,
    jacobian_by_loops,
    jacobian_by_einsum,
    jacobian_as_list,
]


def a_row_as_a_matrix(q, K, V):
    weights = attnlib.scaled_dot_product_attention(q[np.newaxis], K, V)[1]  # (1, n)
    return V.T @ (np.diag(weights) - np.outer(weights, weights)) @ K / np.sqrt(K.shape[-1])


def root_of_the_keys(q, K, V):
    p = attnlib.softmax((K @ q / np.sqrt(len(K)))[None])[0]
    return V.T @ attnlib.softmax_jacobian(p) @ K / np.sqrt(len(K))


def plain_means(q, K, V):
    p = attnlib.softmax((K @ q / np.sqrt(len(q)))[None])[0]
    return (p[:, None] * (V - V.mean(axis=0))).T @ (K - K.mean(axis=0)) / np.sqrt(len(q))


def no_weights_in_the_sum(q, K, V):
    p = attnlib.softmax((K @ q / np.sqrt(len(q)))[None])[0]
    return (V - p @ V).T @ (K - p @ K) / np.sqrt(len(q))


def steps_pile_up(q, K, V):
    def context(q):
        return attnlib.softmax((K @ q / np.sqrt(len(q)))[None])[0] @ V

    J = np.zeros((V.shape[1], len(q)))
    moved = q.astype(float)
    for j in range(len(q)):
        moved[j] += 0.01
        J[:, j] = (context(moved) - context(q)) / 0.01
    return J


def stops_at_the_scores(q, K, V):
    p = attnlib.softmax((K @ q / np.sqrt(len(q)))[None])[0]
    return V.T @ attnlib.softmax_jacobian(p) / np.sqrt(len(q))


def a_tenth_at_a_time(q, K, V):
    def context(q):
        return attnlib.softmax((K @ q / np.sqrt(len(q)))[None])[0] @ V

    J = np.zeros((V.shape[1], len(q)))
    for j in range(len(q)):
        up = q.astype(float)
        up[j] += 0.1
        J[:, j] = (context(up) - context(q)) / 0.1
    return J


def wrong_jacobian_by_the_number_of_keys(q, K, V):
    n = K.shape[0]
    p = attnlib.softmax((K @ q / np.sqrt(n))[None])[0]
    return V.T @ attnlib.softmax_jacobian(p) @ K / np.sqrt(n)


def last_factor(of):
    """The right weights, and another last factor."""

    def jacobian(q, K, V):
        p = attnlib.softmax((K @ q / np.sqrt(len(q)))[None])[0]
        return V.T @ attnlib.softmax_jacobian(p) @ K / of(q, K, V)

    return jacobian


def without_the_maximum(q, K, V):
    powers = np.exp(K @ q / np.sqrt(len(q)))
    p = powers / powers.sum()
    return V.T @ attnlib.softmax_jacobian(p) @ K / np.sqrt(len(q))


def only_what_is_taken_off(q, K, V):
    p = attnlib.softmax((K @ q / np.sqrt(len(q)))[None])[0]
    return -np.outer(p @ V, p @ K) / np.sqrt(len(q))


def weights_once_more(q, K, V):
    p = attnlib.softmax((K @ q / np.sqrt(len(q)))[None])[0]
    return (V * p[:, None]).T @ attnlib.softmax_jacobian(p) @ K / np.sqrt(len(q))


def by(formula):
    """A formula of weights, keys and values, and of the root."""

    def jacobian(q, K, V):
        return formula(weights_of(q, K), K, V, np.sqrt(len(q)))

    return jacobian


def weights_along_the_other_axis(q, K, V):
    scores = K @ q / np.sqrt(len(q))
    p = attnlib.softmax(scores[:, None])[:, 0]
    return (p[:, None] * (V - p @ V)).T @ K / np.sqrt(len(q))


def up_to_the_last_key(p, K, V, root):
    return sum(p[j] * np.outer(V[j] - p @ V, K[j]) for j in range(len(K) - 1)) / root


def up_to_the_last_key_centred(p, K, V, root):
    return sum(p[j] * np.outer(V[j] - p @ V, K[j] - p @ K) for j in range(len(K) - 1)) / root


def overwritten(p, K, V, root):
    for weight, key, value in zip(p, K, V, strict=True):
        out = weight * np.outer(value - p @ V, key)
    return out / root


def overwritten_centred(p, K, V, root):
    for weight, key, value in zip(p, K, V, strict=True):
        out = weight * np.outer(value - p @ V, key - p @ K)
    return out / root


WRONG = [
    (a_row_as_a_matrix, "row-as-matrix"),
    (without_scale, "no-scale"),
    (last_factor_forgotten, "outer-scale-missing"),
    (scores_not_divided, "inner-scale-missing"),
    (divided_by_the_width, "by-d_k"),
    (divided_too_often, "scaled-twice"),
    (products_only, "mean-left-in"),
    (diagonal_only, "diagonal-only"),
    (jacobian_of_scores, "of-scores"),
    (other_way_round, "transposed"),
    (weights_by_query, "of-weights"),
    (context_by_score, "of-score"),
    (covariance_by_numpy, "sample-covariance"),
    (covariance_without_weights, "equal-weights"),
    (minus, "sign"),
    (root_of_the_keys, "by-sqrt-keys"),
    (plain_means, "means-without-weights"),
    (no_weights_in_the_sum, "sum-without-weights"),
    (steps_pile_up, "steps-pile-up-2"),
    (stops_at_the_scores, "of-score-divided"),
    (a_tenth_at_a_time, "step-of-a-tenth"),
    (wrong_jacobian_by_the_number_of_keys, "by-sqrt-keys"),
    (last_factor(lambda q, K, V: np.sqrt(len(K))), "outer-by-sqrt-keys"),
    (last_factor(lambda q, K, V: np.sqrt(V.shape[1])), "outer-by-sqrt-d_v"),
    (last_factor(lambda q, K, V: 1 / np.sqrt(len(q))), "outer-times-root"),
    (without_the_maximum, "no-maximum"),
    (only_what_is_taken_off, "mean-part-only"),
    (weights_once_more, "weights-in-twice"),
    (by(lambda p, K, V, root: V.T @ (np.diag(p) - p * p) @ K / root), "row-broadcast"),
    (by(lambda p, K, V, root: V.T @ (np.diag(p) - (p * p)[:, None]) @ K / root), "row-broadcast-down"),
    (by(lambda p, K, V, root: V.T @ (np.diag(p) - p @ p) @ K / root), "inner-product"),
    (by(lambda p, K, V, root: V.T @ np.outer(p, 1 - p) @ K / root), "rest-everywhere"),
    (by(lambda p, K, V, root: V.T @ np.outer(1 - p, p) @ K / root), "rest-everywhere-by-columns"),
    (by(lambda p, K, V, root: (p[:, None] * (V - p @ V)).T @ (p[:, None] * (K - p @ K)) / root), "weights-on-both"),
    (by(lambda p, K, V, root: (p[:, None] * (V - V.mean(axis=1, keepdims=True))).T @ K / root), "mean-of-rows-off"),
    (by(lambda p, K, V, root: (V.T * p) @ K - np.outer(p @ V, p @ K) / root), "half-divided"),
    (by(up_to_the_last_key), "last-key-missing"),
    (by(up_to_the_last_key_centred), "last-key-missing-centred"),
    (by(overwritten), "last-key-only"),
    (by(overwritten_centred), "last-key-only-centred"),
    (weights_along_the_other_axis, "weights-of-a-column"),
]
