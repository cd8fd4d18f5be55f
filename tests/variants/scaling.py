"""Right answers in unusual styles, wrong ones as learners write them, and the numbers in the prose of 1-scaling."""

import itertools
import math

import numpy as np

import attnlib

# ---------------------------------------------------------------- softmax_jacobian


def jacobian_by_loops(p):
    n = len(p)
    J = np.zeros((n, n))
    for i in range(n):
        for j in range(n):
            J[i, j] = p[i] * ((i == j) - p[j])
    return J


def jacobian_column_times_row(p):
    return np.diag(p) - p[:, None] * p[None, :]


def jacobian_by_einsum(p):
    return np.diag(p) - np.einsum("i,j->ij", p, p)


def jacobian_factored(p):
    return p[:, None] * (np.eye(len(p)) - p)


def jacobian_fill_diagonal(p):
    J = -np.outer(p, p)
    np.fill_diagonal(J, p * (1 - p))
    return J


def jacobian_as_lists(p):
    return [[float(a * (1 - a)) if i == j else float(-a * b) for j, b in enumerate(p)] for i, a in enumerate(p)]


def jacobian_float32(p, dtype=np.float32):
    p = p.astype(dtype)
    column = p.reshape(-1, 1)
    return np.diagflat(column) - column @ column.T


def jacobian_sigmoid(p):
    return np.diag(p * (1 - p))


def jacobian_flat_product(p):
    return np.diag(p) - p.T @ p


def jacobian_squares(p):
    return np.diag(p) - p * p.T


def jacobian_of_scores(p):
    weights = attnlib.softmax(p)
    return np.diag(weights) - np.outer(weights, weights)


def jacobian_with_eye(p):
    return np.eye(len(p)) - np.outer(p, p)


def jacobian_row(p):
    return p * (1 - p)


def jacobian_in_place(p):
    J = np.diag(p) - np.outer(p, p)
    p -= p
    return J


# ---------------------------------------------------------------- scaled_dot_product_attention


def attention_plain(Q, K, V):
    weights = attnlib.softmax(Q @ K.T / np.sqrt(Q.shape[1]))
    return weights @ V, weights


def attention_scales_queries(Q, K, V):
    weights = attnlib.softmax(attnlib.dot_scores(Q / K.shape[-1] ** 0.5, K))
    return [weights @ V, weights]


def attention_scales_both(Q, K, V):
    root = Q.shape[-1] ** 0.25
    weights = attnlib.softmax((Q / root) @ (K / root).T)
    return np.matmul(weights, V), weights


def attention_as_temperature(Q, K, V):
    weights = attnlib.softmax_with_temperature(np.einsum("qd,kd->qk", Q, K), math.sqrt(len(Q[0])))
    return np.einsum("qk,kv->qv", weights, V), weights


def attention_by_loops(Q, K, V, mask=None):
    context, weights = [], []
    for q in Q:
        scores = [sum(a * b for a, b in zip(q, k, strict=True)) / math.sqrt(len(q)) for k in K]
        powers = [math.exp(s - max(scores)) for s in scores]
        row = [power / sum(powers) for power in powers]
        weights.append(row)
        context.append([sum(w * v[j] for w, v in zip(row, V, strict=True)) for j in range(len(V[0]))])
    return context, weights


def attention_float32(Q, K, V):
    Q, K, V = (array.astype(np.float32) for array in (Q, K, V))
    weights = attnlib.softmax(Q @ K.T / np.float32(np.sqrt(Q.shape[-1])))
    return weights @ V, weights


def attention_not_scaled(Q, K, V):
    weights = attnlib.softmax(Q @ K.T)
    return weights @ V, weights


def attention_divided_by_d(Q, K, V):
    weights = attnlib.softmax(Q @ K.T / Q.shape[-1])
    return weights @ V, weights


def attention_length_of_keys(Q, K, V):
    weights = attnlib.softmax(Q @ K.T / np.sqrt(len(K)))
    return weights @ V, weights


def attention_length_of_queries(Q, K, V):
    weights = attnlib.softmax(Q @ K.T / np.sqrt(Q.shape[0]))
    return weights @ V, weights


def attention_width_of_values(Q, K, V):
    weights = attnlib.softmax(Q @ K.T / np.sqrt(V.shape[-1]))
    return weights @ V, weights


d_k = 2048


def attention_outer_d(Q, K, V):
    weights = attnlib.softmax(Q @ K.T / np.sqrt(d_k))
    return weights @ V, weights


def attention_weights_first(Q, K, V):
    context, weights = attention_plain(Q, K, V)
    return weights, context


def attention_context_only(Q, K, V):
    return attention_plain(Q, K, V)[0]


def attention_own_softmax(Q, K, V):
    powers = np.exp(Q @ K.T / np.sqrt(Q.shape[-1]))
    weights = powers / powers.sum(axis=-1, keepdims=True)
    return weights @ V, weights


def attention_scaled_afterwards(Q, K, V):
    weights = attnlib.softmax(Q @ K.T) / np.sqrt(Q.shape[-1])
    return weights @ V, weights


def attention_prints(Q, K, V):
    print(*attention_plain(Q, K, V))


def attention_half(Q, K, V):
    weights = attnlib.softmax(Q @ K.T / (Q.shape[-1] / 2))
    return weights @ V, weights


def drawn(d):
    rng = np.random.default_rng(seed=d + 1)
    return rng.normal(size=(500, d)), rng.normal(size=(500, d))


def both_spreads(measure):
    found = {d: measure(*drawn(d)) for d in (2, 8, 32, 128, 512, 2048)}
    return {"unscaled": list(found.values()), "scaled": [spread / d**0.5 for d, spread in found.items()]}


def spreads_of_samples():
    return both_spreads(lambda Q, K: (Q * K).sum(axis=1).std(ddof=1))


def spreads_of_every_pair():
    return both_spreads(lambda Q, K: attnlib.dot_scores(Q, K).std())


VARIANTS = {
    "softmax_jacobian": [
        jacobian_by_loops,
        jacobian_column_times_row,
        jacobian_by_einsum,
        jacobian_factored,
        jacobian_fill_diagonal,
        jacobian_as_lists,
        jacobian_float32,
    ],
    "scaled_dot_product_attention": [
        attention_plain,
        attention_scales_queries,
        attention_scales_both,
        attention_as_temperature,
        attention_by_loops,
        attention_float32,
    ],
}

WRONG = {
    "softmax_jacobian": [
        (jacobian_sigmoid, "sigmoid"),
        (jacobian_flat_product, "inner-product"),
        (jacobian_squares, "row-broadcast"),
        (jacobian_of_scores, "softmax-again"),
        (jacobian_with_eye, "identity"),
        (jacobian_row, "one-row"),
        (jacobian_in_place, "changes-input"),
        (attnlib.softmax_jacobian, "library-function"),
    ],
    "scaled_dot_product_attention": [
        (attention_not_scaled, "no-scale"),
        (attention_divided_by_d, "divided-by-d"),
        (attention_length_of_keys, "number-of-keys"),
        (attention_length_of_queries, "number-of-queries"),
        (attention_width_of_values, "width-of-values"),
        (attention_outer_d, "left-over-d"),
        (attention_weights_first, "swapped-results"),
        (attention_context_only, "context-only"),
        (attention_own_softmax, "no-maximum"),
        (attention_scaled_afterwards, "scaled-after"),
        (attention_prints, "prints-result"),
        (attention_half, "half"),
    ],
    "coincidence": [
        ({"half = sqrt": [4], "log2 = sqrt": [4], "half = log2": [4]}, "only-four"),
        ({"half = sqrt": [], "log2 = sqrt": [], "half = log2": []}, None),
        ([4, 16], None),
    ],
    "variance-experiment": [
        ({"unscaled": [1.0] * 6, "scaled": [1.0] * 6}, None),
        ({"unscaled": [0.0] * 6, "scaled": [0.0] * 6}, None),
        ({"unscaled": 22.6, "scaled": 1.0}, None),
        (spreads_of_samples(), "sample-deviation"),
        (spreads_of_every_pair(), "all-pairs"),
    ],
    "vanishing-gradient": [({"unscaled": 0.25, "scaled": 0.25}, None), ({"unscaled": "small", "scaled": 1}, None)],
}


# ---------------------------------------------------------------- numbers in the prose


def coin_variance(d):
    cases = np.array(list(itertools.product((-1, 1), repeat=d)))
    return f"{cases.sum(axis=-1).var():.0f}"


def jacobian_row_text(p, i):
    decimals = 4 if max(p) > 0.9 else 2
    texts = [f"{x:.{decimals}f}".replace("-", "−") for x in attnlib.softmax_jacobian(p)[i]]
    return ", ".join(texts)


def jacobian_table_row(p):
    weights = ", ".join(f"{x:g}" for x in p)
    return f"| {weights} | {jacobian_row_text(p, 0)} | {jacobian_row_text(p, 1)} | {jacobian_row_text(p, 2)} |"


PLAYING_Q = np.array([[0.212, 0.04, 0.63, 0.36], [0.1, 0.14, 0.86, 0.77]])
PLAYING_K = np.array([[0.31, 0.84, 0.963, 0.57], [0.45, 0.94, 0.73, 0.58]])


def playing(i):
    scores = attnlib.dot_scores(PLAYING_Q, PLAYING_K)[i]
    return f"| {('Playing', 'Outside')[i]} | {scores[0]:.4f} | {scores[1]:.4f} |"


def playing_weights():
    _, weights = attnlib.scaled_dot_product_attention(PLAYING_Q, PLAYING_K, PLAYING_K)
    return f"the weights {weights[0, 0]:.4f} and {weights[0, 1]:.4f}"


def share_of_gradient():
    rng = np.random.default_rng(513)
    Q, K = rng.normal(size=(500, 512)), rng.normal(size=(500, 512))
    scores = Q[:100] @ K[:8].T
    left, full = (
        attnlib.softmax_jacobian(attnlib.softmax(s)).max(axis=(-2, -1)).mean() for s in (scores, scores / 512**0.5)
    )
    return "an eighth of the gradient is left" if round(full / left) == 8 else f"{full / left:.2f}"


NUMBERS = [
    ("4 · 1/4 + 0 + 4 · 1/4 = 2 |", lambda: f"4 · 1/4 + 0 + 4 · 1/4 = {coin_variance(2)} |"),
    ("9 · 1/4 + 1 · 3/4 = 3 |", lambda: f"9 · 1/4 + 1 · 3/4 = {coin_variance(3)} |"),
    ("$\\sqrt{2} \\approx 1.41$", lambda: f"$\\sqrt{{2}} \\approx {2**0.5:.2f}$"),
    ("$\\sqrt{512} \\approx 22.6$", lambda: f"$\\sqrt{{512}} \\approx {512**0.5:.1f}$"),
    ("$\\sqrt{2048} \\approx 45.3$", lambda: f"$\\sqrt{{2048}} \\approx {2048**0.5:.1f}$"),
    (
        "| 0.5, 0.3, 0.2 | 0.25, −0.15, −0.10 | −0.15, 0.21, −0.06 | −0.10, −0.06, 0.16 |",
        lambda: jacobian_table_row([0.5, 0.3, 0.2]),
    ),
    (
        "| 0.98, 0.01, 0.01 | 0.0196, −0.0098, −0.0098 | −0.0098, 0.0099, −0.0001 | −0.0098, −0.0001, 0.0099 |",
        lambda: jacobian_table_row([0.98, 0.01, 0.01]),
    ),
    (
        "`[[0.1875, -0.1875], [-0.1875, 0.1875]]`",
        lambda: f"`{attnlib.softmax_jacobian([0.25, 0.75]).tolist()}`",
    ),
    (
        "context `[[13.302]]`, weights `[[0.6698, 0.3302]]`",
        lambda: "context `{}`, weights `{}`".format(
            *(
                array.round(decimals).tolist()
                for array, decimals in zip(
                    attnlib.scaled_dot_product_attention([[1, 0]], np.eye(2), [[10], [20]]), (3, 4), strict=True
                )
            )
        ),
    ),
    ("| Playing | 0.9112 | 0.8017 |", lambda: playing(0)),
    ("| Outside | 1.4157 | 1.2510 |", lambda: playing(1)),
    ("the weights 0.5137 and 0.4863", playing_weights),
    ("they are 8, 32 and 6", lambda: f"they are {64**0.5:.0f}, {64 / 2:.0f} and {math.log2(64):.0f}"),
    ("an eighth of the gradient is left", share_of_gradient),
]
