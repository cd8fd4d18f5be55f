"""What the answers to several exercises of this notebook have in common."""

import numpy as np

from attnlib import masked_attention, masked_softmax, scaled_dot_product_attention, softmax


def split_by_swapaxes(X, num_heads):
    *leading, n, d_model = X.shape
    return X.reshape(*leading, n, num_heads, d_model // num_heads).swapaxes(-3, -2)


def split_by_slices(X, num_heads):
    d = X.shape[-1] // num_heads
    return np.stack([X[..., h * d : (h + 1) * d] for h in range(num_heads)], axis=-3)


def wrong_bare_reshape(X, num_heads):
    return X.reshape(*X.shape[:-2], num_heads, X.shape[-2], -1)


def merge_by_swapaxes(X):
    *leading, num_heads, n, d = X.shape
    return X.swapaxes(-3, -2).reshape(*leading, n, num_heads * d)


def merge_by_concatenate(X):
    return np.concatenate([X[..., h, :, :] for h in range(X.shape[-3])], axis=-1)


def plus(product, b):
    return product if b is None else product + b


def heads_by_earlier_functions(
    X_q, X_kv, W_q, W_k, W_v, W_o, num_heads, mask=None, b_q=None, b_k=None, b_v=None, b_o=None
):
    Q = split_by_swapaxes(plus(X_q @ W_q, b_q), num_heads)
    K = split_by_swapaxes(plus(X_kv @ W_k, b_k), num_heads)
    V = split_by_swapaxes(plus(X_kv @ W_v, b_v), num_heads)
    if mask is not None and mask.ndim > 2:
        mask = np.expand_dims(mask, -3)
    context, weights = scaled_dot_product_attention(Q, K, V, mask)
    return plus(merge_by_swapaxes(context) @ W_o, b_o), weights


def heads_by_masked_attention(
    X_q, X_kv, W_q, W_k, W_v, W_o, num_heads, mask=None, b_q=None, b_k=None, b_v=None, b_o=None
):
    Q = split_by_swapaxes(plus(X_q @ W_q, b_q), num_heads)
    K = split_by_swapaxes(plus(X_kv @ W_k, b_k), num_heads)
    V = split_by_swapaxes(plus(X_kv @ W_v, b_v), num_heads)
    if mask is None:
        mask = np.ones((Q.shape[-2], K.shape[-2]), dtype=bool)
    elif mask.ndim > 2:
        mask = mask[..., np.newaxis, :, :]
    context, weights = masked_attention(Q, K, V, mask)
    return plus(merge_by_swapaxes(context) @ W_o, b_o), weights


def heads_by_a_loop(X_q, X_kv, W_q, W_k, W_v, W_o, num_heads, mask=None, b_q=None, b_k=None, b_v=None, b_o=None):
    Q, K, V = plus(X_q @ W_q, b_q), plus(X_kv @ W_k, b_k), plus(X_kv @ W_v, b_v)
    d = Q.shape[-1] // num_heads
    contexts, weights = [], []
    for h in range(num_heads):
        columns = slice(h * d, (h + 1) * d)
        c, w = scaled_dot_product_attention(Q[..., columns], K[..., columns], V[..., columns], mask)
        contexts.append(c)
        weights.append(w)
    return plus(np.concatenate(contexts, axis=-1) @ W_o, b_o), np.stack(weights, axis=-3)


def heads_by_einsum(X_q, X_kv, W_q, W_k, W_v, W_o, num_heads, mask=None, b_q=None, b_k=None, b_v=None, b_o=None):
    h = num_heads
    Q = plus(X_q @ W_q, b_q).reshape(*X_q.shape[:-1], h, -1)  # (..., n, h, d), never swapped
    K = plus(X_kv @ W_k, b_k).reshape(*X_kv.shape[:-1], h, -1)
    V = plus(X_kv @ W_v, b_v).reshape(*X_kv.shape[:-1], h, -1)
    scores = np.einsum("...ihd,...jhd->...hij", Q, K) * Q.shape[-1] ** -0.5
    if mask is not None:
        scores = np.where(mask[..., None, :, :] if mask.ndim >= 3 else mask, scores, -np.inf)
    weights = softmax(scores)
    context = np.einsum("...hij,...jhd->...ihd", weights, V).reshape(*X_q.shape)
    return plus(context @ W_o, b_o), weights


def heads_mixed_one_by_one(X_q, X_kv, W_q, W_k, W_v, W_o, num_heads, mask=None, b_q=None, b_k=None, b_v=None, b_o=None):
    """The sum over heads of each head's context times its own rows of W_o: the same, without any merge."""
    d = W_q.shape[1] // num_heads
    zero = np.zeros(W_q.shape[1])
    b_q, b_v, b_o = (zero if b is None else b for b in (b_q, b_v, b_o))
    context, weights = np.zeros((*X_q.shape[:-1], W_o.shape[1])), []
    for h in range(num_heads):
        s = slice(h * d, (h + 1) * d)
        Q, K, V = X_q @ W_q[:, s] + b_q[s], X_kv @ W_k[:, s], X_kv @ W_v[:, s] + b_v[s]
        scores = Q @ K.swapaxes(-2, -1) / np.sqrt(d)
        w = softmax(scores) if mask is None else masked_softmax(scores, mask)
        context = context + w @ V @ W_o[s]
        weights.append(w)
    return context + b_o, np.stack(weights, axis=-3)
