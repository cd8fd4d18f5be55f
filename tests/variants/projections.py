"""Right and wrong answers to the exercises on projections, as people write them; and the numbers in its prose."""

import math

import numpy as np

from attnlib import scaled_dot_product_attention, softmax

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
        (the_other_way_round, "swapped-results"),
        (context_alone, None),
        (operator_precedence, "scaled-weights"),
        (keys_ask, "transposed-scores"),
    ],
    "count-parameters": [
        ({"small": 48, "long": 4036, "uneven": 136192, "real": 492672}, "with-tokens"),
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
