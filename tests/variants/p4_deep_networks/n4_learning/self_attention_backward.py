import numpy as np

from variants.p4_deep_networks.n4_learning.attention_backward import (
    _way,
    back,
    plain_mean_inline,
    softmax,
    step_by_step,
)


def on_the_exercise_before(X, W_q, W_k, W_v, d_context):
    d_Q, d_K, d_V = step_by_step(X @ W_q, X @ W_k, X @ W_v, d_context)
    return d_Q @ W_q.T + d_K @ W_k.T + d_V @ W_v.T, X.T @ d_Q, X.T @ d_K, X.T @ d_V


def all_in_one(X, W_q, W_k, W_v, d_context):
    Q, K, V, root = X @ W_q, X @ W_k, X @ W_v, np.sqrt(W_q.shape[1])
    weights = softmax(Q @ K.T / root)
    d_scores = back(weights, d_context @ V.T) / root
    d_X = d_scores @ K @ W_q.T
    d_X = d_X + d_scores.T @ Q @ W_k.T
    d_X = d_X + weights.T @ d_context @ W_v.T
    return d_X, X.T @ (d_scores @ K), X.T @ (d_scores.T @ Q), X.T @ (weights.T @ d_context)


def with_einsum(X, W_q, W_k, W_v, d_context):
    parts = step_by_step(X @ W_q, X @ W_k, X @ W_v, d_context)
    d_X = sum(np.einsum("nk,dk->nd", part, W) for part, W in zip(parts, (W_q, W_k, W_v), strict=True))
    return (d_X, *(np.einsum("nd,nk->dk", X, part) for part in parts))


def token_by_token(X, W_q, W_k, W_v, d_context):
    parts = step_by_step(X @ W_q, X @ W_k, X @ W_v, d_context)
    d_X, gradients = np.zeros(X.shape), [np.zeros(W.shape) for W in (W_q, W_k, W_v)]
    for i, token in enumerate(X):
        for part, W, gradient in zip(parts, (W_q, W_k, W_v), gradients, strict=True):
            d_X[i] += W @ part[i]
            gradient += np.outer(token, part[i])
    return d_X, *gradients


def by_one_wide_matrix(X, W_q, W_k, W_v, d_context):
    together = np.hstack(step_by_step(X @ W_q, X @ W_k, X @ W_v, d_context))
    d_k = W_q.shape[1]
    d_W = X.T @ together
    return together @ np.hstack([W_q, W_k, W_v]).T, d_W[:, :d_k], d_W[:, d_k : 2 * d_k], d_W[:, 2 * d_k :]


def by_the_kernel(X, W_q, W_k, W_v, d_context):
    M, root = W_q @ W_k.T, np.sqrt(W_q.shape[1])
    weights = softmax(X @ M @ X.T / root)
    S = back(weights, d_context @ (X @ W_v).T) / root
    d_M = X.T @ S @ X
    return (
        S @ X @ M.T + S.T @ X @ M + weights.T @ d_context @ W_v.T,
        d_M @ W_k,
        d_M.T @ W_q,
        (weights @ X).T @ d_context,
    )


VARIANTS = [on_the_exercise_before, all_in_one, with_einsum, token_by_token, by_one_wide_matrix, by_the_kernel]


def forgets_the_keys(X, W_q, W_k, W_v, d_context):
    d_Q, d_K, d_V = step_by_step(X @ W_q, X @ W_k, X @ W_v, d_context)
    return d_Q @ W_q.T + d_V @ W_v.T, X.T @ d_Q, X.T @ d_K, X.T @ d_V


def values_only(X, W_q, W_k, W_v, d_context):
    d_Q, d_K, d_V = step_by_step(X @ W_q, X @ W_k, X @ W_v, d_context)
    return d_V @ W_v.T, X.T @ d_Q, X.T @ d_K, X.T @ d_V


def tokens_at_the_end(X, W_q, W_k, W_v, d_context):
    d_X, *rest = on_the_exercise_before(X, W_q, W_k, W_v, d_context)
    return *rest, d_X


def divided_by_n(X, W_q, W_k, W_v, d_context):
    d_X, *rest = on_the_exercise_before(X, W_q, W_k, W_v, d_context)
    return d_X, *(gradient / len(X) for gradient in rest)


def queries_only(X, W_q, W_k, W_v, d_context):
    d_Q, d_K, d_V = step_by_step(X @ W_q, X @ W_k, X @ W_v, d_context)
    return d_Q @ W_q.T, X.T @ d_Q, X.T @ d_K, X.T @ d_V


def keys_only(X, W_q, W_k, W_v, d_context):
    d_Q, d_K, d_V = step_by_step(X @ W_q, X @ W_k, X @ W_v, d_context)
    return d_K @ W_k.T, X.T @ d_Q, X.T @ d_K, X.T @ d_V


# Each with the mistake that the judge should name, or None.
def queries_for_the_keys(X, W_q, W_k, W_v, d_context):
    d_X, d_W_q, _, d_W_v = on_the_exercise_before(X, W_q, W_k, W_v, d_context)
    return d_X, d_W_q, d_W_q, d_W_v


def forgets_the_queries(X, W_q, W_k, W_v, d_context):
    d_Q, d_K, d_V = step_by_step(X @ W_q, X @ W_k, X @ W_v, d_context)
    return d_K @ W_k.T + d_V @ W_v.T, X.T @ d_Q, X.T @ d_K, X.T @ d_V


def forgets_the_values(X, W_q, W_k, W_v, d_context):
    d_Q, d_K, d_V = step_by_step(X @ W_q, X @ W_k, X @ W_v, d_context)
    return d_Q @ W_q.T + d_K @ W_k.T, X.T @ d_Q, X.T @ d_K, X.T @ d_V


def mean_of_the_roads(X, W_q, W_k, W_v, d_context):
    d_Q, d_K, d_V = step_by_step(X @ W_q, X @ W_k, X @ W_v, d_context)
    roads = [d_Q @ W_q.T, d_K @ W_k.T, d_V @ W_v.T]
    return np.mean(roads, axis=0), X.T @ d_Q, X.T @ d_K, X.T @ d_V


def first_is_of_the_keys(X, W_q, W_k, W_v, d_context):
    d_Q, d_K, d_V = step_by_step(X @ W_q, X @ W_k, X @ W_v, d_context)
    return d_Q @ W_q.T + d_K @ W_k.T + d_V @ W_v.T, X.T @ d_K, X.T @ d_Q, X.T @ d_V


def goes_home_by_the_other(X, W_q, W_k, W_v, d_context):
    d_Q, d_K, d_V = step_by_step(X @ W_q, X @ W_k, X @ W_v, d_context)
    return d_Q @ W_k.T + d_K @ W_q.T + d_V @ W_v.T, X.T @ d_Q, X.T @ d_K, X.T @ d_V


def context_for_values(X, W_q, W_k, W_v, d_context):
    d_Q, d_K, d_V = step_by_step(X @ W_q, X @ W_k, X @ W_v, d_context)
    return d_Q @ W_q.T + d_K @ W_k.T + d_V @ W_v.T, X.T @ d_Q, X.T @ d_K, X.T @ d_context


def no_transposes(X, W_q, W_k, W_v, d_context):
    d_Q, d_K, d_V = step_by_step(X @ W_q, X @ W_k, X @ W_v, d_context)
    return d_Q @ W_q + d_K @ W_k + d_V @ W_v, X.T @ d_Q, X.T @ d_K, X.T @ d_V


def tokens_as_they_are(X, W_q, W_k, W_v, d_context):
    d_Q, d_K, d_V = step_by_step(X @ W_q, X @ W_k, X @ W_v, d_context)
    return d_Q @ W_q.T + d_K @ W_k.T + d_V @ W_v.T, X @ d_Q, X @ d_K, X @ d_V


def softmax_left_out(X, W_q, W_k, W_v, d_context):
    Q, K, V, root = X @ W_q, X @ W_k, X @ W_v, np.sqrt(W_q.shape[1])
    weights = softmax(Q @ K.T / root)
    d_scores = d_context @ V.T / root
    d_Q, d_K, d_V = d_scores @ K, d_scores.T @ Q, weights.T @ d_context
    return d_Q @ W_q.T + d_K @ W_k.T + d_V @ W_v.T, X.T @ d_Q, X.T @ d_K, X.T @ d_V


def root_left_out(X, W_q, W_k, W_v, d_context):
    Q, K, V, root = X @ W_q, X @ W_k, X @ W_v, np.sqrt(W_q.shape[1])
    weights = softmax(Q @ K.T / root)
    d_scores = back(weights, d_context @ V.T)
    d_Q, d_K, d_V = d_scores @ K, d_scores.T @ Q, weights.T @ d_context
    return d_Q @ W_q.T + d_K @ W_k.T + d_V @ W_v.T, X.T @ d_Q, X.T @ d_K, X.T @ d_V


def only_the_slope_of_each(X, W_q, W_k, W_v, d_context):
    Q, K, V, root = X @ W_q, X @ W_k, X @ W_v, np.sqrt(W_q.shape[1])
    weights = softmax(Q @ K.T / root)
    d_scores = weights * (1 - weights) * (d_context @ V.T) / root
    d_Q, d_K, d_V = d_scores @ K, d_scores.T @ Q, weights.T @ d_context
    return d_Q @ W_q.T + d_K @ W_k.T + d_V @ W_v.T, X.T @ d_Q, X.T @ d_K, X.T @ d_V


def stepped(X, W_q, W_k, W_v, d_context, lr=0.1):
    d_Q, d_K, d_V = step_by_step(X @ W_q, X @ W_k, X @ W_v, d_context)
    return d_Q @ W_q.T + d_K @ W_k.T + d_V @ W_v.T, W_q - lr * X.T @ d_Q, W_k - lr * X.T @ d_K, W_v - lr * X.T @ d_V


def plain_mean_in_self(X, W_q, W_k, W_v, d_context):
    d_Q, d_K, d_V = plain_mean_inline(X @ W_q, X @ W_k, X @ W_v, d_context)
    return d_Q @ W_q.T + d_K @ W_k.T + d_V @ W_v.T, X.T @ d_Q, X.T @ d_K, X.T @ d_V


def no_root_at_all(X, W_q, W_k, W_v, d_context):
    d_Q, d_K, d_V = _way(
        X @ W_q, X @ W_k, X @ W_v, d_context, lambda W, dW: W * (dW - (W * dW).sum(-1, keepdims=True)), 1.0
    )
    return d_Q @ W_q.T + d_K @ W_k.T + d_V @ W_v.T, X.T @ d_Q, X.T @ d_K, X.T @ d_V


def context_on_the_way_home(X, W_q, W_k, W_v, d_context):
    d_Q, d_K, d_V = _way(
        X @ W_q,
        X @ W_k,
        X @ W_v,
        d_context,
        lambda W, dW: W * (dW - (W * dW).sum(-1, keepdims=True)),
        W_q.shape[1] ** 0.5,
    )
    return d_Q @ W_q.T + d_K @ W_k.T + d_context @ W_v.T, X.T @ d_Q, X.T @ d_K, X.T @ d_V


def keys_handed_on_first(X, W_q, W_k, W_v, d_context):
    d_Q, d_K, d_V = _way(
        X @ W_k,
        X @ W_q,
        X @ W_v,
        d_context,
        lambda W, dW: W * (dW - (W * dW).sum(-1, keepdims=True)),
        W_q.shape[1] ** 0.5,
    )
    return d_Q @ W_q.T + d_K @ W_k.T + d_V @ W_v.T, X.T @ d_Q, X.T @ d_K, X.T @ d_V


def queries_twice(X, W_q, W_k, W_v, d_context):
    d_Q, d_K, d_V = _way(
        X @ W_q,
        X @ W_k,
        X @ W_v,
        d_context,
        lambda W, dW: W * (dW - (W * dW).sum(-1, keepdims=True)),
        W_q.shape[1] ** 0.5,
    )
    return d_Q @ W_q.T + d_Q @ W_k.T + d_V @ W_v.T, X.T @ d_Q, X.T @ d_K, X.T @ d_V


def gradient_meets_gradient(X, W_q, W_k, W_v, d_context):
    d_Q, d_K, d_V = _way(
        X @ W_q,
        X @ W_k,
        X @ W_v,
        d_context,
        lambda W, dW: W * (dW - (W * dW).sum(-1, keepdims=True)),
        W_q.shape[1] ** 0.5,
    )
    d_X = d_Q @ W_q.T + d_K @ W_k.T + d_V @ W_v.T
    return d_X, d_X.T @ d_Q, d_X.T @ d_K, d_X.T @ d_V


WRONG = [
    (context_on_the_way_home, "context-on-the-values-road"),
    (keys_handed_on_first, "queries-and-keys-exchanged"),
    (queries_twice, "queries-on-the-keys-road"),
    (gradient_meets_gradient, "gradient-for-tokens"),
    (plain_mean_in_self, "plain-mean"),
    (no_root_at_all, "no-root-at-all"),
    (forgets_the_queries, "query-road-missing"),
    (forgets_the_values, "value-road-missing"),
    (mean_of_the_roads, "roads-averaged"),
    (first_is_of_the_keys, "keys-queries-exchanged"),
    (goes_home_by_the_other, "roads-crossed"),
    (context_for_values, "weights-forgotten"),
    (no_transposes, "not-turned-back"),
    (tokens_as_they_are, "tokens-not-turned"),
    (softmax_left_out, "jacobian-forgotten"),
    (root_left_out, "root-forgotten"),
    (only_the_slope_of_each, "diagonal-only"),
    (stepped, "already-stepped"),
    (queries_for_the_keys, "one-result-twice"),
    (forgets_the_keys, "key-road-missing"),
    (values_only, "value-road-only"),
    (tokens_at_the_end, "tokens-last"),
    (divided_by_n, "averaged-tokens"),
    (queries_only, "query-road-only"),
    (keys_only, "key-road-only"),
]
