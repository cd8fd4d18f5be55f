"""Right and wrong answers to the exercises on projections, as people write them; and the numbers in its prose."""

import math

import numpy as np

from attnlib import scaled_dot_product_attention, softmax
from grader.exercises import projections as bank

# ---------------------------------------------------------------- right, project_qkv


def three_products(X, W_q, W_k, W_v):
    return X @ W_q, X @ W_k, X @ W_v


def a_list_of_three(X, W_q, W_k, W_v):
    return [np.dot(X, W) for W in (W_q, W_k, W_v)]


def by_einsum(X, W_q, W_k, W_v):
    return tuple(np.einsum("nd,dk->nk", X, W) for W in (W_q, W_k, W_v))


def token_by_token(X, W_q, W_k, W_v):
    return tuple(
        [[sum(x * w for x, w in zip(row, W[:, j], strict=True)) for j in range(W.shape[1])] for row in X]
        for W in (W_q, W_k, W_v)
    )


def one_wide_product_split(X, W_q, W_k, W_v):
    wide = X @ np.concatenate([W_q, W_k, W_v], axis=1)
    d_k = W_q.shape[1]
    return wide[:, :d_k], wide[:, d_k : 2 * d_k], wide[:, 2 * d_k :]


def single_precision(X, W_q, W_k, W_v, b_q=0.0, b_k=0.0, b_v=0.0):
    X, W_q, W_k, W_v = (np.asarray(a, dtype="float32") for a in (X, W_q, W_k, W_v))
    return np.matmul(X, W_q) + b_q, np.matmul(X, W_k) + b_k, np.matmul(X, W_v) + b_v


def columns_and_back(embeddings, /, to_query, to_key, to_value):
    return (to_query.T @ embeddings.T).T, (to_key.T @ embeddings.T).T, (to_value.T @ embeddings.T).T


# ---------------------------------------------------------------- right, self_attention


def through_the_library(X, W_q, W_k, W_v):
    return scaled_dot_product_attention(X @ W_q, X @ W_k, X @ W_v)


def three_steps(X, W_q, W_k, W_v):
    Q, K, V = X @ W_q, X @ W_k, X @ W_v
    weights = softmax(Q @ K.T / np.sqrt(K.shape[1]))
    return weights @ V, weights


def queries_scaled_beforehand(X, W_q, W_k, W_v):
    Q = X @ W_q / math.sqrt(W_q.shape[-1])
    weights = softmax(Q @ (X @ W_k).T)
    return [weights @ (X @ W_v), weights]


def one_bilinear_form(X, W_q, W_k, W_v):
    weights = softmax(X @ (W_q @ W_k.T) @ X.T / W_k.shape[1] ** 0.5)
    return weights @ X @ W_v, weights


def loops(X, W_q, W_k, W_v):
    Q, K, V = X @ W_q, X @ W_k, X @ W_v
    context, weights = [], []
    for q in Q:
        scores = [sum(a * b for a, b in zip(q, k, strict=True)) / math.sqrt(len(q)) for k in K]
        top = max(scores)
        powers = [math.exp(s - top) for s in scores]
        row = [p / sum(powers) for p in powers]
        weights.append(row)
        context.append([sum(w * v[j] for w, v in zip(row, V, strict=True)) for j in range(V.shape[1])])
    return context, weights


def einsum_throughout(X, W_q, W_k, W_v):
    scores = np.einsum("nd,dk,me,ek->nm", X, W_q, X, W_k) / np.sqrt(W_q.shape[1])
    weights = softmax(scores)
    return np.einsum("nm,md,dv->nv", weights, X, W_v), weights


def half_the_digits(X, W_q, W_k, W_v, scale=None):
    X, W_q, W_k, W_v = (np.asarray(a, dtype=np.float32) for a in (X, W_q, W_k, W_v))
    scale = np.float32(W_q.shape[1] ** -0.5) if scale is None else scale
    scores = (X @ W_q) @ (X @ W_k).T * scale
    powers = np.exp(scores - scores.max(axis=1, keepdims=True))
    weights = powers / powers.sum(axis=1, keepdims=True)
    return weights @ (X @ W_v), weights


VARIANTS = {
    "project_qkv": [
        three_products,
        a_list_of_three,
        by_einsum,
        token_by_token,
        one_wide_product_split,
        single_precision,
        columns_and_back,
    ],
    "self_attention": [
        through_the_library,
        three_steps,
        queries_scaled_beforehand,
        one_bilinear_form,
        loops,
        einsum_throughout,
        half_the_digits,
    ],
}


# ---------------------------------------------------------------- wrong


def as_linear_layers_store_them(X, W_q, W_k, W_v):
    return X @ W_q.T, X @ W_k.T, X @ W_v.T


def forgets_the_values(X, W_q, W_k, W_v):
    return X @ W_q, X @ W_k


def writes_over_the_tokens(X, W_q, W_k, W_v):
    X -= X.mean()
    return X @ W_q, X @ W_k, X @ W_v


def one_stacked_array(X, W_q, W_k, W_v):
    return np.stack([X @ W_q, X @ W_k, X @ W_v])


def part_one_attention(X, W_q, W_k, W_v):
    weights = softmax(X @ W_q @ (X @ W_k).T)
    return weights @ (X @ W_v), weights


def scaled_by_the_embedding(X, W_q, W_k, W_v):
    weights = softmax(X @ W_q @ (X @ W_k).T / np.sqrt(X.shape[1]))
    return weights @ (X @ W_v), weights


def scaled_by_the_visible_example(X, W_q, W_k, W_v):
    weights = softmax(X @ W_q @ (X @ W_k).T / np.sqrt(3))
    return weights @ (X @ W_v), weights


def half_of_d_k(X, W_q, W_k, W_v):
    weights = softmax(X @ W_q @ (X @ W_k).T / (W_q.shape[1] / 2))
    return weights @ (X @ W_v), weights


def the_root_of_the_tokens(X, W_q, W_k, W_v):
    weights = softmax(X @ W_q @ (X @ W_k).T / np.sqrt(len(X)))
    return weights @ (X @ W_v), weights


def the_other_way_round(X, W_q, W_k, W_v):
    context, weights = three_steps(X, W_q, W_k, W_v)
    return weights, context


def context_alone(X, W_q, W_k, W_v):
    return three_steps(X, W_q, W_k, W_v)[0]


def operator_precedence(X, W_q, W_k, W_v):
    Q, K, V = X @ W_q, X @ W_k, X @ W_v
    weights = softmax(Q @ K.T) / np.sqrt(K.shape[-1])
    return weights @ V, weights


def keys_ask(X, W_q, W_k, W_v):
    Q, K, V = X @ W_q, X @ W_k, X @ W_v
    weights = softmax(K @ Q.T / np.sqrt(K.shape[-1]))
    return weights @ V, weights


PLAYING_SCORES = [[0.9112, 0.8017], [1.4157, 1.2510]]

WRONG = {
    "predict-projections": [("a", "chose-a"), ("b", "chose-b"), ("c", "chose-c")],
    "project_qkv": [
        (as_linear_layers_store_them, "transposed-weights"),
        (forgets_the_values, None),
        (writes_over_the_tokens, None),
        (one_stacked_array, None),
    ],
    "self_attention": [
        (part_one_attention, "no-scale"),
        (scaled_by_the_embedding, "by-sqrt-d_model"),
        (scaled_by_the_visible_example, None),
        (half_of_d_k, "half"),
        (the_root_of_the_tokens, "by-sqrt-n"),
        (the_other_way_round, "swapped-results"),
        (context_alone, "first-result-only"),
        (operator_precedence, "scaled-weights"),
        (keys_ask, "transposed-scores"),
    ],
    "count-parameters": [
        ({"small": 48, "long": 4036, "uneven": 131072, "real": 443520}, "with-tokens"),
        ({"small": 108, "long": 36000, "uneven": 131072, "real": 443520}, "per-token"),
        ({"small": 12, "long": 12, "uneven": 32768, "real": 147456}, "one-matrix-no-biases"),
        ({"small": 12, "long": 12, "uneven": 32768, "real": 147840}, "one-matrix"),
    ],
    "playing-outside": [
        (
            {"scores": PLAYING_SCORES, "scaled": PLAYING_SCORES, "weights": [[0.5273, 0.4727], [0.5411, 0.4589]]},
            None,
        ),
    ],
    "true-claims": [
        (["a", "b", "d", "f"], "smaller"),
        (["a", "c", "d", "f"], "order"),
        (["b", "c", "e"], "the-false-ones"),
    ],
}


# ---------------------------------------------------------------- the numbers in the prose

X = np.array([[0.2, 0.5, 0.1, 0.7], [0.9, 0.1, 0.4, 0.6], [0.3, 0.8, 0.2, 0.5]])
RNG = np.random.default_rng(4)
W_Q, W_K, W_V = (RNG.normal(size=(4, 3)).round(1) for _ in range(3))
SCORES = X @ W_Q @ (X @ W_K).T
TINY = np.eye(2), np.array([[1.0], [0.0]]), np.array([[1.0], [0.0]]), np.array([[1.0, 2.0], [3.0, 4.0]])


def rounded(array, decimals=4):
    return str(np.round(array, decimals).tolist())


def terms(x, y, form="{:.4f}"):
    """The products of two vectors, written out."""
    return " + ".join(form.format(a * b) for a, b in zip(x, y, strict=True)).replace("+ -", "- ")


def signed(number):
    return f"{number:.2f}".replace("-", "\N{MINUS SIGN}")


NUMBERS = [
    (
        "= -0.14 + 0.35 - 0.06 + 0.14 = 0.29$$",
        lambda: f"= {terms(X[0], W_Q[:, 0], '{:.2f}')} = {X[0] @ W_Q[:, 0]:.2f}$$",
    ),
    ("*cat* gives *sat* a score of \N{MINUS SIGN}0.35", lambda: f"*cat* gives *sat* a score of {signed(SCORES[1, 2])}"),
    ("*sat* gives *cat* \N{MINUS SIGN}1.75", lambda: f"*sat* gives *cat* {signed(SCORES[2, 1])}"),
    ("[0.351, 0.064, 0.585]", lambda: rounded(softmax(SCORES / np.sqrt(3))[0], 3)),
    ("[[1.5379, 2.5379], [2.0, 3.0]]", lambda: rounded(three_steps(*TINY)[0])),
    ("[[0.7311, 0.2689], [0.5, 0.5]]", lambda: rounded(three_steps(*TINY)[1])),
    (
        "= 0.0657 + 0.0336 + 0.6067 + 0.2052 = 0.9112",
        lambda: f"= {terms(bank.PLAYING_Q[0], bank.PLAYING_K[0])} = {bank.playing('scores')[0, 0]:.4f}",
    ),
    ("has 12 entries", lambda: f"has {W_Q.size} entries"),
    ("8.00, 32.00 and 6.00", lambda: f"{np.sqrt(64):.2f}, {64 / 2:.2f} and {np.log2(64):.2f}"),
]
