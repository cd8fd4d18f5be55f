import numpy as np


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


VARIANTS = [
    three_products,
    a_list_of_three,
    by_einsum,
    token_by_token,
    one_wide_product_split,
    single_precision,
    columns_and_back,
]


def as_linear_layers_store_them(X, W_q, W_k, W_v):
    return X @ W_q.T, X @ W_k.T, X @ W_v.T


def forgets_the_values(X, W_q, W_k, W_v):
    return X @ W_q, X @ W_k


def writes_over_the_tokens(X, W_q, W_k, W_v):
    X -= X.mean()
    return X @ W_q, X @ W_k, X @ W_v


def one_stacked_array(X, W_q, W_k, W_v):
    return np.stack([X @ W_q, X @ W_k, X @ W_v])


def one_array_of_three(X, W_q, W_k, W_v):
    return np.array([X @ W_q, X @ W_k, X @ W_v])


def entry_by_entry(X, W_q, W_k, W_v):
    return X * W_q, X * W_k, X * W_v


def queries_alone(X, W_q, W_k, W_v):
    return X @ W_q


def wrong_matrices_on_the_left(X, W_q, W_k, W_v):
    Q = W_q @ X
    K = W_k @ X
    V = W_v @ X
    return Q, K, V


def wrong_projections_in_a_chain(X, W_q, W_k, W_v):
    Q = X @ W_q
    K = Q @ W_k
    V = K @ W_v
    return Q, K, V


def wrong_one_array_for_all(X, W_q, W_k, W_v):
    kept, Y = [], np.zeros((len(X), W_q.shape[1]))
    for W in (W_q, W_k, W_v):
        for i, row in enumerate(X):
            Y[i] = row @ W
        kept.append(Y)
    return kept


def wrong_return_in_the_loop(X, W_q, W_k, W_v):
    for W in (W_q, W_k, W_v):
        return X @ W


WRONG = [
    (wrong_one_array_for_all, "one-array-kept"),
    (wrong_return_in_the_loop, "first-result-only"),
    (as_linear_layers_store_them, "projections-transposed"),
    (forgets_the_values, "no-values"),
    (writes_over_the_tokens, None),
    (one_stacked_array, "stacked"),
    (one_array_of_three, "stacked"),
    (entry_by_entry, "elementwise"),
    (queries_alone, "first-result-only"),
    (wrong_matrices_on_the_left, "wrong-shape"),
    (wrong_projections_in_a_chain, "chained"),
]
