"""Right answers in unusual styles, wrong ones as learners write them, and the numbers in 2-kernel-machines."""

import math

import numpy as np

import attnlib

# ---------------------------------------------------------------- gaussian_kernel


def gaussian_by_loops(Q, K, bandwidth):
    kernel = np.zeros((len(Q), len(K)))
    for i, q in enumerate(Q):
        for j, k in enumerate(K):
            kernel[i, j] = math.exp(-sum((a - b) ** 2 for a, b in zip(q, k, strict=True)) / (2 * bandwidth**2))
    return kernel


def gaussian_by_product(Q, K, bandwidth):
    squared = (Q**2).sum(axis=1)[:, None] - 2 * Q @ K.T + (K**2).sum(axis=1)
    return np.exp(-squared / (2 * bandwidth**2))


def gaussian_by_einsum(Q, K, bandwidth):
    gap = Q[:, None] - K
    return np.exp(-0.5 * np.einsum("qkd,qkd->qk", gap, gap) / bandwidth**2)


def gaussian_by_norm(Q, K, bandwidth):
    distance = np.linalg.norm(Q[:, None, :] - K[None, :, :], axis=-1)
    return np.exp(-0.5 * (distance / bandwidth) ** 2)


def gaussian_from_library_distances(Q, K, bandwidth):
    return np.exp(-attnlib.squared_distances(Q, K) / bandwidth**2 / 2)


def gaussian_float32_with_option(Q, K, bandwidth=1.0, factor=2.0):
    Q, K = Q.astype(np.float32), K.astype(np.float32)
    squared = ((Q[:, None] - K) ** 2).sum(-1)
    return np.exp(-squared / np.float32(factor * bandwidth**2))


def gaussian_as_lists(Q, K, bandwidth):
    return [[float(np.exp(-((q - k) ** 2).sum() / (2 * bandwidth * bandwidth))) for k in K] for q in Q]


def gaussian_precedence(Q, K, bandwidth):
    squared = ((Q[:, None, :] - K[None, :, :]) ** 2).sum(axis=-1)
    return np.exp(-squared / 2 * bandwidth**2)


def gaussian_plain_bandwidth(Q, K, bandwidth):
    return np.exp(-attnlib.squared_distances(Q, K) / (2 * bandwidth))


def gaussian_without_two(Q, K, bandwidth):
    return np.exp(-attnlib.squared_distances(Q, K) / bandwidth**2)


def gaussian_growing(Q, K, bandwidth):
    z = np.linalg.norm(Q[:, None] - K, axis=-1) / bandwidth
    return np.exp(z**2 / 2)


def gaussian_of_norm(Q, K, bandwidth):
    return np.exp(-np.linalg.norm(Q[:, None] - K, axis=-1) / (2 * bandwidth**2))


def gaussian_weights(Q, K, bandwidth):
    kernel = gaussian_by_product(Q, K, bandwidth)
    return kernel / kernel.sum(axis=1, keepdims=True)


def gaussian_pairs_only(Q, K, bandwidth):
    return np.exp(-((Q - K) ** 2).sum(axis=-1) / (2 * bandwidth**2))


def gaussian_keys_first(Q, K, bandwidth):
    return gaussian_by_product(K, Q, bandwidth)


# ---------------------------------------------------------------- exponential_kernel


def exponential_at(Q, K):
    return np.exp(Q @ K.T)


def exponential_by_loops(Q, K):
    return [[math.exp(sum(a * b for a, b in zip(q, k, strict=True))) for k in K] for q in Q]


def exponential_by_einsum(Q, K):
    return np.exp(np.einsum("qd,kd->qk", Q, K))


def exponential_power_of_e(Q, K, base=np.e):
    return base ** np.dot(Q, K.T)


def exponential_float32(Q, K):
    return np.exp(np.float32(Q) @ np.float32(K).T)


def exponential_by_inner(Q, K):
    return np.exp(np.inner(Q, K))


def exponential_by_rows(Q, K):
    return np.stack([np.exp(K @ q) for q in Q])


def gaussian_two_squared(Q, K, bandwidth):
    return np.exp(-attnlib.squared_distances(Q, K) / (2 * bandwidth) ** 2)


def gaussian_of_means(Q, K, bandwidth):
    return np.exp(-((Q[:, None] - K[None]) ** 2).mean(axis=-1) / (2 * bandwidth**2))


def exponential_is_softmax(Q, K):
    return attnlib.softmax(Q @ K.T)


def exponential_with_maximum_off(Q, K):
    scores = Q @ K.T
    return np.exp(scores - scores.max(axis=-1, keepdims=True))


def exponential_inside(Q, K):
    return np.exp(Q) @ np.exp(K).T


def exponential_forgotten(Q, K):
    return Q @ K.T


def exponential_transposed(Q, K):
    return np.exp(K @ Q.T)


# ---------------------------------------------------------------- kernel_attention


def attention_with_where(Q, K, V, kernel):
    similarity = kernel(Q, K)
    total = similarity.sum(axis=1, keepdims=True)
    return similarity / np.where(total == 0, 1, total) @ V


def attention_by_loop(Q, K, V, kernel):
    context = np.zeros((len(Q), V.shape[1]))
    for i, row in enumerate(kernel(Q, K)):
        if row.sum() > 0:
            context[i] = sum(w * v for w, v in zip(row, V, strict=True)) / row.sum()
    return context


def attention_one_query_at_a_time(Q, K, V, kernel):
    rows = []
    for i in range(len(Q)):
        row = kernel(Q[i : i + 1], K)[0]
        rows.append(row @ V / row.sum() if row.any() else np.zeros(V.shape[1]))
    return np.array(rows)


def attention_with_nan_to_num(Q, K, V, kernel):
    similarity = kernel(Q, K)
    with np.errstate(invalid="ignore"):
        return np.nan_to_num(similarity / similarity.sum(axis=-1, keepdims=True)) @ V


def attention_with_tiny_number(Q, K, V, kernel, epsilon=1e-300):
    similarity = kernel(Q, K)
    return (similarity @ V) / (similarity.sum(axis=-1, keepdims=True) + epsilon)


def attention_by_einsum_as_list(Q, K, V, kernel):
    similarity = np.asarray(kernel(Q, K))
    total = np.einsum("qk->q", similarity)
    total[total == 0] = 1
    return np.einsum("qk,kv,q->qv", similarity, V, 1 / total).tolist()


def attention_float32(Q, K, V, kernel):
    similarity = np.float32(kernel(Q, K))
    return similarity @ np.float32(V) / np.maximum(similarity.sum(-1, keepdims=True), np.float32(1e-30))


def attention_with_divide(Q, K, V, kernel):
    similarity = kernel(Q, K)
    total = similarity.sum(axis=-1)[:, None]
    return np.divide(similarity, total, out=np.zeros_like(similarity), where=total > 0) @ V


def attention_without_rule(Q, K, V, kernel):
    similarity = kernel(Q, K)
    return similarity / similarity.sum(axis=-1, keepdims=True) @ V


def attention_sum(Q, K, V, kernel):
    return kernel(Q, K) @ V


def attention_with_softmax(Q, K, V, kernel):
    return attnlib.softmax(kernel(Q, K)) @ V


def attention_ignores_kernel(Q, K, V, kernel):
    return attnlib.softmax(Q @ K.T) @ V


def attention_columns(Q, K, V, kernel):
    similarity = kernel(Q, K)
    total = similarity.sum(axis=0)
    return similarity / np.where(total == 0, 1, total) @ V


def attention_keys_ask(Q, K, V, kernel):
    similarity = kernel(K, Q).T
    total = similarity.sum(axis=-1, keepdims=True)
    return similarity / np.where(total == 0, 1, total) @ V


def attention_weights_only(Q, K, V, kernel):
    similarity = kernel(Q, K)
    total = similarity.sum(axis=-1, keepdims=True)
    return similarity / np.where(total == 0, 1, total)


def attention_mean_of_values(Q, K, V, kernel):
    similarity = kernel(Q, K)
    return similarity @ V / len(K)


# ---------------------------------------------------------------- leave_one_out_bandwidth


def loo_by_deleting(x, y, bandwidths):
    best, least = None, float("inf")
    for h in bandwidths:
        error = 0.0
        for i in range(len(x)):
            others, values = np.delete(x, i), np.delete(y, i)
            kernel = np.exp(-((others - x[i]) ** 2) / (2 * h**2))
            predicted = kernel @ values / kernel.sum() if kernel.sum() > 0 else 0.0
            error += (predicted - y[i]) ** 2
        if error < least:
            best, least = h, error
    return best


def loo_with_diagonal(x, y, bandwidths):
    errors = []
    for h in bandwidths:
        kernel = np.exp(-((x[:, None] - x) ** 2) / (2 * h**2))
        np.fill_diagonal(kernel, 0)
        total = kernel.sum(axis=1)
        predicted = np.where(total > 0, kernel @ y / np.where(total > 0, total, 1), 0)
        errors.append(np.mean((predicted - y) ** 2))
    return bandwidths[int(np.argmin(errors))]


def loo_with_mask(x, y, bandwidths):
    def error(h):
        total = 0.0
        for i in range(len(x)):
            mask = np.arange(len(x)) != i
            kernel = np.exp(-0.5 * ((x[mask] - x[i]) / h) ** 2)
            total += (y[i] - (kernel @ y[mask]) / max(kernel.sum(), 1e-300)) ** 2
        return total

    return sorted(bandwidths, key=error)[0]


def loo_all_at_once(x, y, bandwidths):
    kernel = np.exp(-((x[:, None] - x) ** 2) / (2 * np.asarray(bandwidths)[:, None, None] ** 2))
    kernel = kernel * (1 - np.eye(len(x)))
    total = kernel.sum(axis=-1)
    predicted = np.nan_to_num(kernel @ y / np.where(total == 0, np.nan, total))
    return float(bandwidths[((predicted - y) ** 2).sum(axis=-1).argmin()])


def loo_with_library(x, y, bandwidths, kernel=attnlib.gaussian_kernel):
    best = (np.inf, None)
    for h in bandwidths:
        predicted = [
            attnlib.kernel_attention(
                [[x[i]]], np.delete(x, i)[:, None], np.delete(y, i)[:, None], lambda Q, K, h=h: kernel(Q, K, h)
            )[0, 0]
            for i in range(len(x))
        ]
        best = min(best, (float(np.square(predicted - y).sum()), float(h)))
    return best[1]


def loo_as_array(x, y, bandwidths):
    return np.array([loo_with_diagonal(x, y, bandwidths)])


def attention_with_threshold(Q, K, V, kernel):
    similarity = kernel(Q, K)
    total = similarity.sum(axis=-1, keepdims=True)
    return np.where(total < 1e-2, 0.0, similarity / np.where(total < 1e-2, 1.0, total)) @ V


def attention_with_small_number(Q, K, V, kernel):
    similarity = kernel(Q, K)
    return similarity / (similarity.sum(axis=-1, keepdims=True) + 1e-9) @ V


def attention_flat_sums(Q, K, V, kernel):
    similarity = kernel(Q, K)
    total = similarity.sum(1)
    return similarity / np.where(total == 0, 1, total) @ V


def loo_late(x, y, bandwidths):
    errors = []
    for h in bandwidths:
        weights = np.exp(-((x[:, None] - x) ** 2) / (2 * h**2))
        weights = weights / weights.sum(axis=1, keepdims=True)
        np.fill_diagonal(weights, 0)
        errors.append(((weights @ y - y) ** 2).sum())
    return bandwidths[np.argmin(errors)]


def loo_nansum(x, y, bandwidths):
    errors = []
    for h in bandwidths:
        kernel = np.exp(-((x[:, None] - x) ** 2) / (2 * h**2)) * (1 - np.eye(len(x)))
        errors.append(np.nansum((kernel @ y / kernel.sum(axis=1) - y) ** 2))
    return bandwidths[np.argmin(errors)]


def loo_left_in(x, y, bandwidths):
    errors = []
    for h in bandwidths:
        kernel = np.exp(-((x[:, None] - x) ** 2) / (2 * h**2))
        errors.append((((kernel @ y) / kernel.sum(axis=1) - y) ** 2).sum())
    return bandwidths[np.argmin(errors)]


def loo_nan(x, y, bandwidths):
    errors = []
    for h in bandwidths:
        kernel = np.exp(-((x[:, None] - x) ** 2) / (2 * h**2)) * (1 - np.eye(len(x)))
        errors.append((((kernel @ y) / kernel.sum(axis=1) - y) ** 2).sum())
    return bandwidths[np.argmin(errors)]


def loo_index(x, y, bandwidths):
    return int(np.flatnonzero(bandwidths == loo_with_diagonal(x, y, bandwidths))[0])


def loo_absolute(x, y, bandwidths):
    errors = []
    for h in bandwidths:
        kernel = np.exp(-((x[:, None] - x) ** 2) / (2 * h**2)) * (1 - np.eye(len(x)))
        total = kernel.sum(axis=1)
        errors.append(np.abs(kernel @ y / np.where(total == 0, 1, total) - y).sum())
    return bandwidths[np.argmin(errors)]


def loo_smallest(x, y, bandwidths):
    return min(bandwidths)


def loo_middle(x, y, bandwidths):
    return np.median(bandwidths)


# ---------------------------------------------------------------- gaussian_as_softmax


def as_softmax_of_exponents(Q, K, bandwidth):
    return attnlib.softmax(-attnlib.squared_distances(Q, K) / (2 * bandwidth**2))


def as_softmax_with_lengths(Q, K, bandwidth):
    lengths = np.array([k @ k for k in K])
    return attnlib.softmax((2 * Q @ K.T - lengths) / (2 * bandwidth**2))


def as_softmax_by_einsum(Q, K, bandwidth):
    scores = np.einsum("qd,kd->qk", Q, K) - 0.5 * np.einsum("kd,kd->k", K, K)
    return attnlib.softmax_with_temperature(scores, bandwidth**2)


def as_softmax_by_rows(Q, K, bandwidth):
    return [attnlib.softmax((K @ q - (K**2).sum(axis=1) / 2) / bandwidth**2) for q in Q]


def as_softmax_by_hand(Q, K, bandwidth, axis=-1):
    scores = (Q @ K.T - np.linalg.norm(K, axis=-1) ** 2 / 2) / bandwidth**2
    powers = np.exp(scores - scores.max(axis=axis, keepdims=True))
    return powers / powers.sum(axis=axis, keepdims=True)


def as_softmax_float32(Q, K, bandwidth):
    gap = np.float32(Q)[:, None] - np.float32(K)
    return attnlib.softmax(-np.einsum("qkd,qkd->qk", gap, gap) / np.float32(2 * bandwidth**2))


def as_softmax_equal_lengths(Q, K, bandwidth):
    return attnlib.softmax(Q @ K.T / bandwidth**2)


def as_softmax_divided_kernel(Q, K, bandwidth):
    kernel = gaussian_by_product(Q, K, bandwidth)
    return kernel / kernel.sum(axis=-1, keepdims=True)


def as_softmax_of_the_logarithm(Q, K, bandwidth):
    return attnlib.softmax(np.log(attnlib.gaussian_kernel(Q, K, bandwidth)))


def as_softmax_with_the_query(Q, K, bandwidth):
    return attnlib.softmax((Q @ K.T - (Q**2).sum(axis=1, keepdims=True) / 2) / bandwidth**2)


def as_softmax_full_length(Q, K, bandwidth):
    return attnlib.softmax((Q @ K.T - (K**2).sum(axis=-1)) / bandwidth**2)


def as_softmax_plain_bandwidth(Q, K, bandwidth):
    return attnlib.softmax((Q @ K.T - (K**2).sum(axis=-1) / 2) / bandwidth)


# ---------------------------------------------------------------- learned_kernel


def learned_at(X, Y, W_q, W_k):
    return np.exp(X @ W_q @ (Y @ W_k).T)


def learned_one_matrix(X, Y, W_q, W_k):
    return np.exp(X @ (W_q @ W_k.T) @ Y.T)


def learned_by_einsum(X, Y, W_q, W_k):
    return np.exp(np.einsum("nd,dh,eh,me->nm", X, W_q, W_k, Y))


def learned_by_loops(X, Y, W_q, W_k):
    return [[math.exp((x @ W_q) @ (y @ W_k)) for y in Y] for x in X]


def learned_float32(X, Y, W_q, W_k, base=np.e):
    Q, K = np.float32(X) @ np.float32(W_q), np.float32(Y) @ np.float32(W_k)
    return np.power(np.float32(base), Q @ K.T)


def learned_with_library(X, Y, W_q, W_k):
    return attnlib.exponential_kernel(X @ W_q, Y @ W_k)


def learned_swapped(X, Y, W_q, W_k):
    return np.exp((X @ W_k) @ (Y @ W_q).T)


def learned_one_projection(X, Y, W_q, W_k):
    return np.exp((X @ W_q) @ (Y @ W_q).T)


def learned_y_forgotten(X, Y, W_q, W_k):
    return np.exp((X @ W_q) @ (X @ W_k).T)


def learned_softmax(X, Y, W_q, W_k):
    return attnlib.softmax((X @ W_q) @ (Y @ W_k).T)


def learned_scaled(X, Y, W_q, W_k):
    return np.exp((X @ W_q) @ (Y @ W_k).T / np.sqrt(W_q.shape[1]))


def learned_asked_by_y(X, Y, W_q, W_k):
    return np.exp((Y @ W_q) @ (X @ W_k).T)


VARIANTS = {
    "gaussian_kernel": [
        gaussian_by_loops,
        gaussian_by_product,
        gaussian_by_einsum,
        gaussian_by_norm,
        gaussian_from_library_distances,
        gaussian_float32_with_option,
        gaussian_as_lists,
    ],
    "exponential_kernel": [
        exponential_at,
        exponential_by_loops,
        exponential_by_einsum,
        exponential_power_of_e,
        exponential_float32,
        exponential_by_inner,
        exponential_by_rows,
    ],
    "kernel_attention": [
        attention_with_where,
        attention_by_loop,
        attention_one_query_at_a_time,
        attention_with_nan_to_num,
        attention_with_tiny_number,
        attention_by_einsum_as_list,
        attention_float32,
        attention_with_divide,
    ],
    "leave_one_out_bandwidth": [
        loo_by_deleting,
        loo_with_diagonal,
        loo_with_mask,
        loo_all_at_once,
        loo_with_library,
        loo_as_array,
    ],
    "gaussian_as_softmax": [
        as_softmax_of_exponents,
        as_softmax_with_lengths,
        as_softmax_by_einsum,
        as_softmax_by_rows,
        as_softmax_by_hand,
        as_softmax_float32,
    ],
    "learned_kernel": [
        learned_at,
        learned_one_matrix,
        learned_by_einsum,
        learned_by_loops,
        learned_float32,
        learned_with_library,
    ],
}

WRONG = {
    "gaussian_kernel": [
        (gaussian_precedence, "half-outside"),
        (gaussian_plain_bandwidth, "bandwidth-not-squared"),
        (gaussian_without_two, "missing-two"),
        (gaussian_growing, "grows"),
        (gaussian_of_norm, "distance-not-squared"),
        (gaussian_weights, "normalised"),
        (gaussian_two_squared, "two-squared"),
        (gaussian_of_means, "mean-not-sum"),
        (gaussian_pairs_only, None),
        (gaussian_keys_first, "transposed-result"),
        (attnlib.gaussian_kernel, "library-function"),
    ],
    "exponential_kernel": [
        (exponential_is_softmax, "normalised"),
        (exponential_with_maximum_off, "maximum-off"),
        (exponential_inside, "product-of-powers"),
        (exponential_forgotten, "linear"),
        (exponential_transposed, "transposed-result"),
    ],
    "kernel_attention": [
        (attention_without_rule, "zero-over-zero"),
        (attention_sum, "not-normalised"),
        (attention_with_softmax, "softmax-on-top"),
        (attention_ignores_kernel, "own-exponential"),
        (attention_columns, "columns"),
        (attention_keys_ask, "roles-swapped"),
        (attention_weights_only, "weights-returned"),
        (attention_mean_of_values, "divided-by-count"),
        (attention_with_threshold, "tiny-is-zero"),
        (attention_with_small_number, "tiny-is-zero"),
        (attention_flat_sums, "no-keepdims"),
    ],
    "leave_one_out_bandwidth": [
        (loo_left_in, "not-left-out"),
        (loo_nan, "zero-over-zero"),
        (loo_nansum, "zero-over-zero"),
        (loo_late, "left-out-late"),
        (loo_index, "index-returned"),
        (loo_absolute, "absolute-error"),
        (loo_smallest, None),
        (loo_middle, None),
    ],
    "gaussian_as_softmax": [
        (as_softmax_equal_lengths, "lengths-ignored"),
        (as_softmax_divided_kernel, "zero-over-zero"),
        (as_softmax_of_the_logarithm, "zero-over-zero"),
        (as_softmax_with_the_query, "lengths-ignored"),
        (as_softmax_full_length, "half-missing"),
        (as_softmax_plain_bandwidth, "bandwidth-not-squared"),
    ],
    "learned_kernel": [
        (learned_swapped, "projections-swapped"),
        (learned_one_projection, "one-projection"),
        (learned_y_forgotten, "x-only"),
        (learned_softmax, "normalised"),
        (learned_scaled, "scaled"),
        (learned_asked_by_y, None),
    ],
    "not-a-kernel": [
        ([np.eye(2), np.eye(2)], "equal-projections"),
        ([np.zeros((2, 3)), np.zeros((2, 3))], "equal-projections"),
        ([np.diag([1.0, 2.0]), np.diag([3.0, 4.0])], "symmetric-product"),
        ([np.diag([2.0, 2.0]), np.array([[2.0, 0.5], [0.0, 2.0]])], "still-positive"),
        ([np.eye(3), np.eye(3)], None),
        (np.eye(2), None),
    ],
}


# ---------------------------------------------------------------- numbers in the prose

KEYS, VALUES = np.array([[0.0], [1.0], [3.0]]), np.array([[10.0], [20.0], [30.0]])
SIMILARITY = attnlib.gaussian_kernel([[0.5]], KEYS, 1.0)[0]
TIE = np.array([[1.0, 2.0], [2.0, 0.0], [-1.0, 3.0]])


def table_row(i):
    weight = SIMILARITY[i] / SIMILARITY.sum()
    key, value = KEYS[i, 0], VALUES[i, 0]
    gap = (key - 0.5) ** 2
    return f"| {key:g} | {value:g} | {gap:g} | {SIMILARITY[i]:.4f} | {weight:.4f} | {weight * value:.4f} |"


def smoothed(queries):
    return attnlib.kernel_attention(queries, KEYS, VALUES, lambda Q, K: attnlib.gaussian_kernel(Q, K, 1.0))


def listed(row, decimals):
    return "[" + ", ".join(f"{number:.{decimals}f}" for number in row) + "]"


def tie_weights(row):
    return attnlib.kernel_attention([[1.0, 2.0]], TIE, np.eye(3), lambda Q, K: row)[0]


NUMBERS = [
    ("| 0 | 10 | 0.25 | 0.8825 | 0.4879 | 4.8786 |", lambda: table_row(0)),
    ("| 1 | 20 | 0.25 | 0.8825 | 0.4879 | 9.7571 |", lambda: table_row(1)),
    ("| 3 | 30 | 6.25 | 0.0439 | 0.0243 | 0.7287 |", lambda: table_row(2)),
    (
        "| sum | | | 1.8089 | 1 | 15.3643 |",
        lambda: f"| sum | | | {SIMILARITY.sum():.4f} | 1 | {smoothed([[0.5]])[0, 0]:.4f} |",
    ),
    ("`[[15.364], [0.0]]`", lambda: f"`{smoothed([[0.5], [99.0]]).round(3).tolist()}`"),
    ("`[[1.0, 0.6065]]`", lambda: f"`{attnlib.gaussian_kernel([[0, 0]], [[0, 0], [3, 4]], 5.0).round(4).tolist()}`"),
    ("$e^{-1/2} \\approx 0.61$", lambda: f"$e^{{-1/2}} \\approx {attnlib.gaussian_kernel([[0]], [[1]], 1)[0, 0]:.2f}$"),
    ("$e^{-9/2} \\approx 0.01$", lambda: f"$e^{{-9/2}} \\approx {attnlib.gaussian_kernel([[0]], [[3]], 1)[0, 0]:.2f}$"),
    ("$k = [2, 3]$ it is 8", lambda: f"$k = [2, 3]$ it is {attnlib.dot_scores([[1, 2]], [[2, 3]])[0, 0]:.0f}"),
    (
        "$[-1, 2]$ and $[2, 0]$ it is −2",
        lambda: f"$[-1, 2]$ and $[2, 0]$ it is −{-attnlib.dot_scores([[-1, 2]], [[2, 0]])[0, 0]:.0f}",
    ),
    ("`[[1.0, 2.7183]]`", lambda: f"`{attnlib.exponential_kernel([[0, 1]], [[5, 0], [0, 1]]).round(4).tolist()}`"),
    (
        "The Gaussian gives [0.859, 0.071, 0.071]",
        lambda: f"The Gaussian gives {listed(tie_weights(attnlib.gaussian_kernel([[1, 2]], TIE, 1.0)), 3)}",
    ),
    (
        "the dot products gives [0.488, 0.024, 0.488]",
        lambda: f"the dot products gives {listed(attnlib.softmax(attnlib.dot_scores([[1, 2]], TIE))[0], 3)}",
    ),
    (
        "`[[2.7183]]`. With the two vectors exchanged it is `[[1.0]]`",
        lambda: (
            f"`{attnlib.learned_kernel([[1, 0]], [[0, 1]], [[1], [0]], [[0], [1]]).round(4).tolist()}`. "
            f"With the two vectors exchanged it is "
            f"`{attnlib.learned_kernel([[0, 1]], [[1, 0]], [[1], [0]], [[0], [1]]).tolist()}`"
        ),
    ),
    (
        "np.array([0.5, 9.0]))` → `0.5`",
        lambda: f"np.array([0.5, 9.0]))` → `{attnlib.leave_one_out_bandwidth(range(4), range(4), [0.5, 9.0])}`",
    ),
]
