import numpy as np

import attnlib
from attnlib import masked_attention, scaled_dot_product_attention, softmax
from variants.p3_multi_head.n5_multi_head.shared import (
    heads_by_a_loop,
    heads_by_earlier_functions,
    heads_by_einsum,
    heads_mixed_one_by_one,
    merge_by_concatenate,
    merge_by_swapaxes,
    plus,
    split_by_slices,
    split_by_swapaxes,
    wrong_bare_reshape,
)


def heads_without_key_bias_and_with_a_billion(
    X_q, X_kv, W_q, W_k, W_v, W_o, num_heads, mask=None, b_q=None, b_k=None, b_v=None, b_o=None
):
    Q = split_by_slices(plus(X_q @ W_q, b_q), num_heads)
    K, V = split_by_slices(X_kv @ W_k, num_heads), split_by_slices(plus(X_kv @ W_v, b_v), num_heads)
    scores = Q @ np.swapaxes(K, -1, -2) / np.sqrt(X_q.shape[-1] // num_heads)
    if mask is not None:
        additive = np.where(mask, 0.0, -1e9)
        scores = scores + (additive[:, None] if additive.ndim == 3 else additive)
    weights = np.exp(scores - scores.max(axis=-1, keepdims=True))
    weights /= weights.sum(axis=-1, keepdims=True)
    return plus(merge_by_concatenate(weights @ V) @ W_o, b_o), weights


def heads_float32(X_q, X_kv, W_q, W_k, W_v, W_o, num_heads, mask=None, b_q=None, b_k=None, b_v=None, b_o=None):
    single = [a.astype(np.float32) for a in (X_q, X_kv, W_q, W_k, W_v, W_o)]
    biases = [None if b is None else b.astype(np.float32) for b in (b_q, b_k, b_v, b_o)]
    return heads_by_einsum(*single, num_heads, mask, *biases)


def heads_as_lists(
    X_q, X_kv, W_q, W_k, W_v, W_o, num_heads, mask=None, b_q=None, b_k=None, b_v=None, b_o=None, dropout=0.0
):
    context, weights = heads_by_a_loop(X_q, X_kv, W_q, W_k, W_v, W_o, num_heads, mask, b_q, b_k, b_v, b_o)
    return [context.tolist(), weights.tolist()]


def wrong_bare_reshapes(X_q, X_kv, W_q, W_k, W_v, W_o, num_heads, mask=None, b_q=None, b_k=None, b_v=None, b_o=None):
    Q, K, V = plus(X_q @ W_q, b_q), plus(X_kv @ W_k, b_k), plus(X_kv @ W_v, b_v)
    Q, K, V = (wrong_bare_reshape(array, num_heads) for array in (Q, K, V))
    if mask is not None and mask.ndim == 3:
        mask = mask[:, None]
    context, weights = scaled_dot_product_attention(Q, K, V, mask)
    return plus(merge_by_swapaxes(context) @ W_o, b_o), weights


def wrong_scale_of_the_whole(
    X_q, X_kv, W_q, W_k, W_v, W_o, num_heads, mask=None, b_q=None, b_k=None, b_v=None, b_o=None
):
    d_model = X_q.shape[-1]
    Q = split_by_swapaxes(plus(X_q @ W_q, b_q), num_heads)
    K = split_by_swapaxes(plus(X_kv @ W_k, b_k), num_heads)
    V = split_by_swapaxes(plus(X_kv @ W_v, b_v), num_heads)
    scores = Q @ K.swapaxes(-1, -2) / np.sqrt(d_model)
    if mask is not None:
        scores = np.where(mask[:, None] if mask.ndim == 3 else mask, scores, -np.inf)
    weights = softmax(scores)
    return plus(merge_by_swapaxes(weights @ V) @ W_o, b_o), weights


def wrong_without_biases(X_q, X_kv, W_q, W_k, W_v, W_o, num_heads, mask=None, b_q=None, b_k=None, b_v=None, b_o=None):
    return heads_by_a_loop(X_q, X_kv, W_q, W_k, W_v, W_o, num_heads, mask)


def wrong_returns_merged(X_q, X_kv, W_q, W_k, W_v, W_o, num_heads, mask=None, b_q=None, b_k=None, b_v=None, b_o=None):
    return heads_by_a_loop(X_q, X_kv, W_q, W_k, W_v, np.eye(len(W_o)), num_heads, mask, b_q, b_k, b_v)


def wrong_weights_first(X_q, X_kv, W_q, W_k, W_v, W_o, num_heads, mask=None, b_q=None, b_k=None, b_v=None, b_o=None):
    return heads_by_a_loop(X_q, X_kv, W_q, W_k, W_v, W_o, num_heads, mask, b_q, b_k, b_v, b_o)[::-1]


def wrong_mask_of_a_batch(X_q, X_kv, W_q, W_k, W_v, W_o, num_heads, mask=None, b_q=None, b_k=None, b_v=None, b_o=None):
    Q = split_by_swapaxes(plus(X_q @ W_q, b_q), num_heads)
    K = split_by_swapaxes(plus(X_kv @ W_k, b_k), num_heads)
    V = split_by_swapaxes(plus(X_kv @ W_v, b_v), num_heads)
    context, weights = scaled_dot_product_attention(Q, K, V, mask)
    return plus(merge_by_swapaxes(context) @ W_o, b_o), weights


def wrong_without_output_matrix(
    X_q, X_kv, W_q, W_k, W_v, W_o, num_heads, mask=None, b_q=None, b_k=None, b_v=None, b_o=None
):
    eye = np.eye(len(W_o))
    return heads_by_a_loop(X_q, X_kv, W_q, W_k, W_v, eye, num_heads, mask, b_q, b_k, b_v, b_o)


def wrong_without_query_bias(
    X_q, X_kv, W_q, W_k, W_v, W_o, num_heads, mask=None, b_q=None, b_k=None, b_v=None, b_o=None
):
    return heads_by_a_loop(X_q, X_kv, W_q, W_k, W_v, W_o, num_heads, mask, None, b_k, b_v, b_o)


def wrong_without_value_bias(
    X_q, X_kv, W_q, W_k, W_v, W_o, num_heads, mask=None, b_q=None, b_k=None, b_v=None, b_o=None
):
    return heads_by_a_loop(X_q, X_kv, W_q, W_k, W_v, W_o, num_heads, mask, b_q, b_k, None, b_o)


def wrong_output_bias_too_early(
    X_q, X_kv, W_q, W_k, W_v, W_o, num_heads, mask=None, b_q=None, b_k=None, b_v=None, b_o=None
):
    context, weights = heads_by_a_loop(X_q, X_kv, W_q, W_k, W_v, np.eye(len(W_o)), num_heads, mask, b_q, b_k, b_v)
    return plus(context, b_o) @ W_o, weights


def wrong_output_matrix_transposed(
    X_q, X_kv, W_q, W_k, W_v, W_o, num_heads, mask=None, b_q=None, b_k=None, b_v=None, b_o=None
):
    return heads_by_a_loop(X_q, X_kv, W_q, W_k, W_v, W_o.T, num_heads, mask, b_q, b_k, b_v, b_o)


def wrong_every_mask_lifted(
    X_q, X_kv, W_q, W_k, W_v, W_o, num_heads, mask=None, b_q=None, b_k=None, b_v=None, b_o=None
):
    Q = split_by_swapaxes(plus(X_q @ W_q, b_q), num_heads)
    K = split_by_swapaxes(plus(X_kv @ W_k, b_k), num_heads)
    V = split_by_swapaxes(plus(X_kv @ W_v, b_v), num_heads)
    mask = None if mask is None else mask[:, None]
    context, weights = scaled_dot_product_attention(Q, K, V, mask)
    return plus(merge_by_swapaxes(context) @ W_o, b_o), weights


def wrong_truth_of_a_bias(X_q, X_kv, W_q, W_k, W_v, W_o, num_heads, mask=None, b_q=None, b_k=None, b_v=None, b_o=None):
    if b_q:
        X_q = X_q + b_q
    return heads_by_a_loop(X_q, X_kv, W_q, W_k, W_v, W_o, num_heads, mask, None, b_k, b_v, b_o)


def wrong_divided_by_d_k(X_q, X_kv, W_q, W_k, W_v, W_o, num_heads, mask=None, b_q=None, b_k=None, b_v=None, b_o=None):
    root = np.sqrt(W_q.shape[1] // num_heads)
    b_q = None if b_q is None else b_q / root
    return heads_by_a_loop(X_q, X_kv, W_q / root, W_k, W_v, W_o, num_heads, mask, b_q, b_k, b_v, b_o)


def wrong_all_transposed(X_q, X_kv, W_q, W_k, W_v, W_o, num_heads, mask=None, b_q=None, b_k=None, b_v=None, b_o=None):
    matrices = W_q.T, W_k.T, W_v.T, W_o.T
    return heads_by_a_loop(X_q, X_kv, *matrices, num_heads, mask, b_q, b_k, b_v, b_o)


def wrong_array_of_weights(X_q, X_kv, W_q, W_k, W_v, W_o, num_heads, mask=None, b_q=None, b_k=None, b_v=None, b_o=None):
    context, weights = heads_by_a_loop(X_q, X_kv, W_q, W_k, W_v, W_o, num_heads, mask, b_q, b_k, b_v, b_o)
    return context, np.array([weights[..., h, :, :] for h in range(num_heads)])


def wrong_length_of_the_keys(
    X_q, X_kv, W_q, W_k, W_v, W_o, num_heads, mask=None, b_q=None, b_k=None, b_v=None, b_o=None
):
    Q, K, V = plus(X_q @ W_q, b_q), plus(X_kv @ W_k, b_k), plus(X_kv @ W_v, b_v)
    *leading, n, d_model = X_q.shape
    Q, K, V = (A.reshape(*leading, n, num_heads, d_model // num_heads).swapaxes(-3, -2) for A in (Q, K, V))
    if mask is not None and mask.ndim == 3:
        mask = mask[:, None]
    context, weights = scaled_dot_product_attention(Q, K, V, mask)
    return plus(merge_by_swapaxes(context) @ W_o, b_o), weights


def wrong_heads_not_swapped(
    X_q, X_kv, W_q, W_k, W_v, W_o, num_heads, mask=None, b_q=None, b_k=None, b_v=None, b_o=None
):
    Q, K, V = (
        A.reshape(*A.shape[:-1], num_heads, -1)
        for A in (plus(X_q @ W_q, b_q), plus(X_kv @ W_k, b_k), plus(X_kv @ W_v, b_v))
    )
    if mask is not None and mask.ndim == 3:
        mask = mask[:, None]
    scores = Q @ K.swapaxes(-1, -2) / np.sqrt(Q.shape[-1])
    weights = softmax(scores if mask is None else np.where(mask, scores, -1e30))
    return plus(merge_by_swapaxes(weights @ V) @ W_o, b_o), weights


VARIANTS = [
    heads_by_earlier_functions,
    heads_by_a_loop,
    heads_by_einsum,
    heads_without_key_bias_and_with_a_billion,
    heads_float32,
    heads_as_lists,
    heads_mixed_one_by_one,
]


def wrong_all_biases_or_none(
    X_q, X_kv, W_q, W_k, W_v, W_o, num_heads, mask=None, b_q=None, b_k=None, b_v=None, b_o=None
):
    biases = b_q, b_k, b_v, b_o
    if any(b is None for b in biases):
        biases = (None,) * 4
    return heads_by_a_loop(X_q, X_kv, W_q, W_k, W_v, W_o, num_heads, mask, *biases)


def wrong_without_the_maximum(
    X_q, X_kv, W_q, W_k, W_v, W_o, num_heads, mask=None, b_q=None, b_k=None, b_v=None, b_o=None
):
    Q, K, V = plus(X_q @ W_q, b_q), plus(X_kv @ W_k, b_k), plus(X_kv @ W_v, b_v)
    Q, K, V = (split_by_swapaxes(array, num_heads) for array in (Q, K, V))
    powers = np.exp(Q @ K.mT / np.sqrt(Q.shape[-1]))
    if mask is not None:
        powers = powers * (mask[:, None] if mask.ndim == 3 else mask)
    weights = powers / powers.sum(axis=-1, keepdims=True)
    return plus(merge_by_swapaxes(weights @ V) @ W_o, b_o), weights


def wrong_biases_unguarded(X_q, X_kv, W_q, W_k, W_v, W_o, num_heads, mask=None, b_q=None, b_k=None, b_v=None, b_o=None):
    Q, K, V = X_q @ W_q + b_q, X_kv @ W_k + b_k, X_kv @ W_v + b_v
    Q, K, V = (split_by_swapaxes(A, num_heads) for A in (Q, K, V))
    if mask is None:
        mask = np.ones((Q.shape[-2], K.shape[-2]), dtype=bool)
    elif mask.ndim > 2:
        mask = mask[:, None]
    context, weights = masked_attention(Q, K, V, mask)
    return merge_by_swapaxes(context) @ W_o + b_o, weights


def wrong_output_bias_unguarded(
    X_q, X_kv, W_q, W_k, W_v, W_o, num_heads, mask=None, b_q=None, b_k=None, b_v=None, b_o=None
):
    Q, K, V = plus(X_q @ W_q, b_q), plus(X_kv @ W_k, b_k), plus(X_kv @ W_v, b_v)
    Q, K, V = (split_by_swapaxes(A, num_heads) for A in (Q, K, V))
    if mask is None:
        mask = np.ones((Q.shape[-2], K.shape[-2]), dtype=bool)
    elif mask.ndim > 2:
        mask = mask[:, None]
    context, weights = masked_attention(Q, K, V, mask)
    return merge_by_swapaxes(context) @ W_o + b_o, weights


def wrong_never_split(X_q, X_kv, W_q, W_k, W_v, W_o, num_heads, mask=None, b_q=None, b_k=None, b_v=None, b_o=None):
    Q, K, V = plus(X_q @ W_q, b_q), plus(X_kv @ W_k, b_k), plus(X_kv @ W_v, b_v)
    if mask is None:
        mask = np.ones((Q.shape[-2], K.shape[-2]), dtype=bool)
    elif mask.ndim > 2:
        mask = mask[:, None]
    context, weights = masked_attention(Q, K, V, mask)
    return plus(context @ W_o, b_o), weights


def wrong_never_split_nor_lifted(
    X_q, X_kv, W_q, W_k, W_v, W_o, num_heads, mask=None, b_q=None, b_k=None, b_v=None, b_o=None
):
    Q, K, V = plus(X_q @ W_q, b_q), plus(X_kv @ W_k, b_k), plus(X_kv @ W_v, b_v)
    if mask is None:
        mask = np.ones((Q.shape[-2], K.shape[-2]), dtype=bool)
    context, weights = masked_attention(Q, K, V, mask)
    return plus(context @ W_o, b_o), weights


def wrong_merged_but_never_split(
    X_q, X_kv, W_q, W_k, W_v, W_o, num_heads, mask=None, b_q=None, b_k=None, b_v=None, b_o=None
):
    Q, K, V = plus(X_q @ W_q, b_q), plus(X_kv @ W_k, b_k), plus(X_kv @ W_v, b_v)
    if mask is None:
        mask = np.ones((Q.shape[-2], K.shape[-2]), dtype=bool)
    elif mask.ndim > 2:
        mask = mask[:, None]
    context, weights = masked_attention(Q, K, V, mask)
    return plus(merge_by_swapaxes(context) @ W_o, b_o), weights


def wrong_mask_of_none(X_q, X_kv, W_q, W_k, W_v, W_o, num_heads, mask=None, b_q=None, b_k=None, b_v=None, b_o=None):
    Q, K, V = plus(X_q @ W_q, b_q), plus(X_kv @ W_k, b_k), plus(X_kv @ W_v, b_v)
    Q, K, V = (split_by_swapaxes(A, num_heads) for A in (Q, K, V))
    if mask is not None and mask.ndim > 2:
        mask = mask[:, None]
    context, weights = masked_attention(Q, K, V, mask)
    return plus(merge_by_swapaxes(context) @ W_o, b_o), weights


def wrong_mask_of_ones(X_q, X_kv, W_q, W_k, W_v, W_o, num_heads, mask=None, b_q=None, b_k=None, b_v=None, b_o=None):
    Q, K, V = plus(X_q @ W_q, b_q), plus(X_kv @ W_k, b_k), plus(X_kv @ W_v, b_v)
    Q, K, V = (split_by_swapaxes(A, num_heads) for A in (Q, K, V))
    if mask is None:
        mask = np.ones((Q.shape[-2], K.shape[-2]))
    elif mask.ndim > 2:
        mask = mask[:, None]
    context, weights = masked_attention(Q, K, V, mask)
    return plus(merge_by_swapaxes(context) @ W_o, b_o), weights


def wrong_mask_handed_on(X_q, X_kv, W_q, W_k, W_v, W_o, num_heads, mask=None, b_q=None, b_k=None, b_v=None, b_o=None):
    Q, K, V = plus(X_q @ W_q, b_q), plus(X_kv @ W_k, b_k), plus(X_kv @ W_v, b_v)
    Q, K, V = (split_by_swapaxes(A, num_heads) for A in (Q, K, V))
    context, weights = masked_attention(Q, K, V, mask)
    return plus(merge_by_swapaxes(context) @ W_o, b_o), weights


def wrong_axes_of_none(X_q, X_kv, W_q, W_k, W_v, W_o, num_heads, mask=None, b_q=None, b_k=None, b_v=None, b_o=None):
    Q, K, V = plus(X_q @ W_q, b_q), plus(X_kv @ W_k, b_k), plus(X_kv @ W_v, b_v)
    Q, K, V = (split_by_swapaxes(A, num_heads) for A in (Q, K, V))
    if mask.ndim > 2:
        mask = mask[:, None]
    context, weights = masked_attention(Q, K, V, mask)
    return plus(merge_by_swapaxes(context) @ W_o, b_o), weights


def wrong_lifted_none(X_q, X_kv, W_q, W_k, W_v, W_o, num_heads, mask=None, b_q=None, b_k=None, b_v=None, b_o=None):
    Q, K, V = plus(X_q @ W_q, b_q), plus(X_kv @ W_k, b_k), plus(X_kv @ W_v, b_v)
    Q, K, V = (split_by_swapaxes(A, num_heads) for A in (Q, K, V))
    mask = mask[:, None]
    context, weights = masked_attention(Q, K, V, mask)
    return plus(merge_by_swapaxes(context) @ W_o, b_o), weights


def wrong_own_mask_lifted(X_q, X_kv, W_q, W_k, W_v, W_o, num_heads, mask=None, b_q=None, b_k=None, b_v=None, b_o=None):
    Q, K, V = plus(X_q @ W_q, b_q), plus(X_kv @ W_k, b_k), plus(X_kv @ W_v, b_v)
    Q, K, V = (split_by_swapaxes(A, num_heads) for A in (Q, K, V))
    if mask is None:
        mask = np.ones((Q.shape[-2], K.shape[-2]), dtype=bool)
    mask = mask[:, None]
    context, weights = masked_attention(Q, K, V, mask)
    return plus(merge_by_swapaxes(context) @ W_o, b_o), weights


def wrong_own_mask_square(X_q, X_kv, W_q, W_k, W_v, W_o, num_heads, mask=None, b_q=None, b_k=None, b_v=None, b_o=None):
    Q, K, V = plus(X_q @ W_q, b_q), plus(X_kv @ W_k, b_k), plus(X_kv @ W_v, b_v)
    Q, K, V = (split_by_swapaxes(A, num_heads) for A in (Q, K, V))
    if mask is None:
        mask = np.ones((Q.shape[-2], Q.shape[-2]), dtype=bool)
    elif mask.ndim > 2:
        mask = mask[:, None]
    context, weights = masked_attention(Q, K, V, mask)
    return plus(merge_by_swapaxes(context) @ W_o, b_o), weights


def wrong_own_mask_from_the_front(
    X_q, X_kv, W_q, W_k, W_v, W_o, num_heads, mask=None, b_q=None, b_k=None, b_v=None, b_o=None
):
    Q, K, V = plus(X_q @ W_q, b_q), plus(X_kv @ W_k, b_k), plus(X_kv @ W_v, b_v)
    Q, K, V = (split_by_swapaxes(A, num_heads) for A in (Q, K, V))
    if mask is None:
        mask = np.ones((X_q.shape[0], X_kv.shape[0]), dtype=bool)
    elif mask.ndim > 2:
        mask = mask[:, None]
    context, weights = masked_attention(Q, K, V, mask)
    return plus(merge_by_swapaxes(context) @ W_o, b_o), weights


def hides_the_future(X_q, X_kv, W_q, W_k, W_v, W_o, num_heads, mask=None, b_q=None, b_k=None, b_v=None, b_o=None):
    Q = X_q @ W_q
    K = X_kv @ W_k
    V = X_kv @ W_v
    if b_q is not None:
        Q = Q + b_q
    if b_k is not None:
        K = K + b_k
    if b_v is not None:
        V = V + b_v
    Q, K, V = attnlib.split_heads(Q, num_heads), attnlib.split_heads(K, num_heads), attnlib.split_heads(V, num_heads)
    if mask is None:
        mask = np.tril(np.ones((X_q.shape[-2], X_kv.shape[-2]), dtype=bool))
    elif mask.ndim > 2:
        mask = mask[:, np.newaxis]
    heads, weights = masked_attention(Q, K, V, mask)
    context = attnlib.merge_heads(heads) @ W_o
    if b_o is not None:
        context = context + b_o
    return context, weights


def takes_a_thousand_off(X_q, X_kv, W_q, W_k, W_v, W_o, num_heads, mask=None, b_q=None, b_k=None, b_v=None, b_o=None):
    Q = X_q @ W_q
    K = X_kv @ W_k
    V = X_kv @ W_v
    if b_q is not None:
        Q = Q + b_q
    if b_k is not None:
        K = K + b_k
    if b_v is not None:
        V = V + b_v
    Q, K, V = attnlib.split_heads(Q, num_heads), attnlib.split_heads(K, num_heads), attnlib.split_heads(V, num_heads)
    scores = Q @ np.swapaxes(K, -1, -2) / np.sqrt(Q.shape[-1])
    if mask is not None:
        if mask.ndim > 2:
            mask = mask[:, None]
        scores = scores - 1000 * (~mask)
    weights = softmax(scores)
    heads = weights @ V
    context = attnlib.merge_heads(heads) @ W_o
    if b_o is not None:
        context = context + b_o
    return context, weights


def wrong_heads_with_b_v_on_the_keys(
    X_q, X_kv, W_q, W_k, W_v, W_o, num_heads, mask=None, b_q=None, b_k=None, b_v=None, b_o=None
):
    Q, K, V = X_q @ W_q, X_kv @ W_k, X_kv @ W_v
    if b_q is not None:
        Q += b_q
    if b_k is not None:
        K += b_k
    if b_v is not None:
        K += b_v
    if mask is None:
        mask = np.ones((X_q.shape[-2], X_kv.shape[-2]), dtype=bool)
    if mask.ndim > 2:
        mask = mask[:, None]
    context, weights = masked_attention(*[attnlib.split_heads(A, num_heads) for A in (Q, K, V)], mask)
    out = attnlib.merge_heads(context) @ W_o
    return out if b_o is None else out + b_o, weights


def wrong_heads_with_the_first_mask(
    X_q, X_kv, W_q, W_k, W_v, W_o, num_heads, mask=None, b_q=None, b_k=None, b_v=None, b_o=None
):
    b_q, b_k, b_v, b_o = (0 if b is None else b for b in (b_q, b_k, b_v, b_o))
    if mask is None:
        mask = np.ones((X_q.shape[-2], X_kv.shape[-2]), dtype=bool)
    if mask.ndim == 3:
        mask = mask[0]
    Q, K, V = X_q @ W_q + b_q, X_kv @ W_k + b_k, X_kv @ W_v + b_v
    context, weights = masked_attention(*[attnlib.split_heads(A, num_heads) for A in (Q, K, V)], mask)
    return attnlib.merge_heads(context) @ W_o + b_o, weights


def wrong_lifted_in_a_batch(
    X_q, X_kv, W_q, W_k, W_v, W_o, num_heads, mask=None, b_q=None, b_k=None, b_v=None, b_o=None
):
    Q, K, V = plus(X_q @ W_q, b_q), plus(X_kv @ W_k, b_k), plus(X_kv @ W_v, b_v)
    Q, K, V = (split_by_swapaxes(A, num_heads) for A in (Q, K, V))
    if mask is None:
        mask = np.ones((Q.shape[-2], K.shape[-2]), dtype=bool)
    elif X_q.ndim == 3:
        mask = mask[:, None]
    context, weights = masked_attention(Q, K, V, mask)
    return plus(merge_by_swapaxes(context) @ W_o, b_o), weights


def wrong_mask_for_each_sentence(
    X_q, X_kv, W_q, W_k, W_v, W_o, num_heads, mask=None, b_q=None, b_k=None, b_v=None, b_o=None
):
    if X_q.ndim == 3:
        matrices, biases = (W_q, W_k, W_v, W_o, num_heads), (b_q, b_k, b_v, b_o)
        masks = [None] * len(X_q) if mask is None else mask
        pairs = [
            heads_by_a_loop(one, other, *matrices, own, *biases)
            for one, other, own in zip(X_q, X_kv, masks, strict=False)
        ]
        return np.array([context for context, _ in pairs]), np.array([weights for _, weights in pairs])
    return heads_by_a_loop(X_q, X_kv, W_q, W_k, W_v, W_o, num_heads, mask, b_q, b_k, b_v, b_o)


def wrong_first_of_the_mask(
    X_q, X_kv, W_q, W_k, W_v, W_o, num_heads, mask=None, b_q=None, b_k=None, b_v=None, b_o=None
):
    Q, K, V = plus(X_q @ W_q, b_q), plus(X_kv @ W_k, b_k), plus(X_kv @ W_v, b_v)
    Q, K, V = (split_by_swapaxes(A, num_heads) for A in (Q, K, V))
    if mask is None:
        mask = np.ones((Q.shape[-2], K.shape[-2]), dtype=bool)
    elif X_q.ndim == 3:
        mask = mask[0]
    context, weights = masked_attention(Q, K, V, mask)
    return plus(merge_by_swapaxes(context) @ W_o, b_o), weights


def wrong_keys_and_values_together(
    X_q, X_kv, W_q, W_k, W_v, W_o, num_heads, mask=None, b_q=None, b_k=None, b_v=None, b_o=None
):
    Q, K, V = X_q @ W_q, X_kv @ W_k, X_kv @ W_v
    if b_q is not None:
        Q = Q + b_q
    if b_v is not None:
        K, V = K + b_k, V + b_v
    Q, K, V = (split_by_swapaxes(A, num_heads) for A in (Q, K, V))
    if mask is None:
        mask = np.ones((Q.shape[-2], K.shape[-2]), dtype=bool)
    elif mask.ndim > 2:
        mask = mask[:, None]
    context, weights = masked_attention(Q, K, V, mask)
    return plus(merge_by_swapaxes(context) @ W_o, b_o), weights


def wrong_last_bias_with_the_values(
    X_q, X_kv, W_q, W_k, W_v, W_o, num_heads, mask=None, b_q=None, b_k=None, b_v=None, b_o=None
):
    Q, K, V = X_q @ W_q, X_kv @ W_k, X_kv @ W_v
    if b_q is not None:
        Q = Q + b_q
    if b_k is not None:
        K = K + b_k
    if b_v is not None:
        V = V + b_v
    Q, K, V = (split_by_swapaxes(A, num_heads) for A in (Q, K, V))
    if mask is None:
        mask = np.ones((Q.shape[-2], K.shape[-2]), dtype=bool)
    elif mask.ndim > 2:
        mask = mask[:, None]
    context, weights = masked_attention(Q, K, V, mask)
    context = merge_by_swapaxes(context) @ W_o
    if b_v is not None:
        context = context + b_o
    return context, weights


def wrong_nothing_without_b_k(
    X_q, X_kv, W_q, W_k, W_v, W_o, num_heads, mask=None, b_q=None, b_k=None, b_v=None, b_o=None
):
    if b_k is None:
        b_q = b_v = b_o = None
    return heads_by_a_loop(X_q, X_kv, W_q, W_k, W_v, W_o, num_heads, mask, b_q, b_k, b_v, b_o)


def wrong_three_asked_of_one(
    X_q, X_kv, W_q, W_k, W_v, W_o, num_heads, mask=None, b_q=None, b_k=None, b_v=None, b_o=None
):
    Q, K, V = X_q @ W_q, X_kv @ W_k, X_kv @ W_v
    if b_q is not None:
        Q, K, V = Q + b_q, K + b_k, V + b_v
    Q, K, V = (split_by_swapaxes(A, num_heads) for A in (Q, K, V))
    if mask is None:
        mask = np.ones((Q.shape[-2], K.shape[-2]), dtype=bool)
    elif mask.ndim > 2:
        mask = mask[:, None]
    context, weights = masked_attention(Q, K, V, mask)
    return plus(merge_by_swapaxes(context) @ W_o, b_o), weights


def wrong_three_or_none(X_q, X_kv, W_q, W_k, W_v, W_o, num_heads, mask=None, b_q=None, b_k=None, b_v=None, b_o=None):
    Q, K, V = X_q @ W_q, X_kv @ W_k, X_kv @ W_v
    if b_q is not None and b_k is not None and b_v is not None:
        Q, K, V = Q + b_q, K + b_k, V + b_v
    Q, K, V = (split_by_swapaxes(A, num_heads) for A in (Q, K, V))
    if mask is None:
        mask = np.ones((Q.shape[-2], K.shape[-2]), dtype=bool)
    elif mask.ndim > 2:
        mask = mask[:, None]
    context, weights = masked_attention(Q, K, V, mask)
    return plus(merge_by_swapaxes(context) @ W_o, b_o), weights


def wrong_key_bias_unguarded(
    X_q, X_kv, W_q, W_k, W_v, W_o, num_heads, mask=None, b_q=None, b_k=None, b_v=None, b_o=None
):
    Q, K, V = plus(X_q @ W_q, b_q), X_kv @ W_k + b_k, plus(X_kv @ W_v, b_v)
    Q, K, V = (split_by_swapaxes(A, num_heads) for A in (Q, K, V))
    if mask is None:
        mask = np.ones((Q.shape[-2], K.shape[-2]), dtype=bool)
    elif mask.ndim > 2:
        mask = mask[:, None]
    context, weights = masked_attention(Q, K, V, mask)
    return plus(merge_by_swapaxes(context) @ W_o, b_o), weights


def wrong_biases_before_the_product(
    X_q, X_kv, W_q, W_k, W_v, W_o, num_heads, mask=None, b_q=None, b_k=None, b_v=None, b_o=None
):
    Q, K, V = plus(X_q, b_q) @ W_q, plus(X_kv, b_k) @ W_k, plus(X_kv, b_v) @ W_v
    Q, K, V = (split_by_swapaxes(A, num_heads) for A in (Q, K, V))
    if mask is None:
        mask = np.ones((Q.shape[-2], K.shape[-2]), dtype=bool)
    elif mask.ndim > 2:
        mask = mask[:, None]
    context, weights = masked_attention(Q, K, V, mask)
    return plus(merge_by_swapaxes(context) @ W_o, b_o), weights


def wrong_biases_exchanged(X_q, X_kv, W_q, W_k, W_v, W_o, num_heads, mask=None, b_q=None, b_k=None, b_v=None, b_o=None):
    return heads_by_a_loop(X_q, X_kv, W_q, W_k, W_v, W_o, num_heads, mask, b_k, b_q, b_v, b_o)


def wrong_value_bias_at_the_end(
    X_q, X_kv, W_q, W_k, W_v, W_o, num_heads, mask=None, b_q=None, b_k=None, b_v=None, b_o=None
):
    context, weights = heads_by_a_loop(X_q, X_kv, W_q, W_k, W_v, W_o, num_heads, mask, b_q, b_k, None, b_o)
    return plus(context, b_v), weights


def wrong_output_matrix_twice(
    X_q, X_kv, W_q, W_k, W_v, W_o, num_heads, mask=None, b_q=None, b_k=None, b_v=None, b_o=None
):
    context, weights = heads_by_a_loop(X_q, X_kv, W_q, W_k, W_v, W_o, num_heads, mask, b_q, b_k, b_v)
    return plus(context @ W_o, b_o), weights


def wrong_mask_of_zeros(X_q, X_kv, W_q, W_k, W_v, W_o, num_heads, mask=None, b_q=None, b_k=None, b_v=None, b_o=None):
    Q, K, V = plus(X_q @ W_q, b_q), plus(X_kv @ W_k, b_k), plus(X_kv @ W_v, b_v)
    Q, K, V = (split_by_swapaxes(A, num_heads) for A in (Q, K, V))
    if mask is None:
        mask = np.zeros((Q.shape[-2], K.shape[-2]), dtype=bool)
    elif mask.ndim > 2:
        mask = mask[:, None]
    context, weights = masked_attention(Q, K, V, mask)
    return plus(merge_by_swapaxes(context) @ W_o, b_o), weights


def wrong_mask_of_none_in_an_own_attention(
    X_q, X_kv, W_q, W_k, W_v, W_o, num_heads, mask=None, b_q=None, b_k=None, b_v=None, b_o=None
):
    Q, K, V = plus(X_q @ W_q, b_q), plus(X_kv @ W_k, b_k), plus(X_kv @ W_v, b_v)
    Q, K, V = (split_by_swapaxes(A, num_heads) for A in (Q, K, V))
    if mask is not None and mask.ndim > 2:
        mask = mask[:, None]
    scores = Q @ K.mT / np.sqrt(Q.shape[-1])
    weights = np.where(mask, softmax(np.where(mask, scores, -1e9)), 0)
    return plus(merge_by_swapaxes(weights @ V) @ W_o, b_o), weights


def by_heads(change):
    """Heads by a loop, with something done otherwise: what `change` returns of the head's own values by their names."""

    def layer(X_q, X_kv, W_q, W_k, W_v, W_o, num_heads, mask=None, b_q=None, b_k=None, b_v=None, b_o=None):
        d, summed, weights = len(W_q) // num_heads, 0.0, []
        Q, K, V = plus(X_q @ W_q, b_q), plus(X_kv @ W_k, b_k), plus(X_kv @ W_v, b_v)
        for h in range(num_heads):
            s = slice(h * d, h * d + d)
            own = {"Q": Q[..., s], "K": K[..., s], "V": V[..., s], "out": W_o[s], "bias": 0.0, "share": 1.0}
            if change == "input":
                parts = zip("QKV", (X_q, X_kv, X_kv), (W_q, W_k, W_v), (b_q, b_k, b_v), strict=True)
                own |= {name: plus(X[..., s] @ W[s, s], None if b is None else b[s]) for name, X, W, b in parts}
            elif change == "values":
                own |= {"V": V, "out": W_o, "share": 1 / num_heads}
            elif change == "bias":
                own |= {"bias": 0.0 if b_o is None else b_o}
            elif change == "blocks":
                own |= {"out": np.where(np.arange(len(W_o)) // d == h, W_o[s], 0.0)}
            scores = own["Q"] @ np.swapaxes(own["K"], -1, -2) / np.sqrt(d)
            weights.append(softmax(scores if mask is None else np.where(mask, scores, -1e9)))
            summed = summed + own["share"] * weights[-1] @ own["V"] @ own["out"] + own["bias"]
        return (summed if change == "bias" else plus(summed, b_o)), np.stack(weights, axis=-3)

    return layer


def with_heads(split, num_heads, mask):
    Q, K, V = (split_by_slices(A, num_heads) for A in split)
    scores = Q @ np.swapaxes(K, -1, -2) / np.sqrt(Q.shape[-1])
    if mask is not None:
        scores = np.where(mask[:, None] if mask.ndim > 2 else mask, scores, -1e9)
    weights = softmax(scores)
    return merge_by_swapaxes(weights @ V), weights


def keys_and_values_exchange_biases(
    X_q, X_kv, W_q, W_k, W_v, W_o, num_heads, mask=None, b_q=None, b_k=None, b_v=None, b_o=None
):
    split = plus(X_q @ W_q, b_q), plus(X_kv @ W_k, b_v), plus(X_kv @ W_v, b_k)
    merged, weights = with_heads(split, num_heads, mask)
    return plus(merged @ W_o, b_o), weights


def output_only_where_a_bias_is(
    X_q, X_kv, W_q, W_k, W_v, W_o, num_heads, mask=None, b_q=None, b_k=None, b_v=None, b_o=None
):
    split = plus(X_q @ W_q, b_q), plus(X_kv @ W_k, b_k), plus(X_kv @ W_v, b_v)
    merged, weights = with_heads(split, num_heads, mask)
    return merged if b_o is None else merged @ W_o + b_o, weights


def bias_behind_the_division(
    X_q, X_kv, W_q, W_k, W_v, W_o, num_heads, mask=None, b_q=None, b_k=None, b_v=None, b_o=None
):
    root = np.sqrt(len(W_q) // num_heads)
    split = plus(X_q @ W_q / root, b_q) * root, plus(X_kv @ W_k, b_k), plus(X_kv @ W_v, b_v)
    merged, weights = with_heads(split, num_heads, mask)
    return plus(merged @ W_o, b_o), weights


def by_the_mask_of_a_batch(lift, fill=None):
    """The layer, with what is made of a mask that has a batch axis."""

    def layer(X_q, X_kv, W_q, W_k, W_v, W_o, num_heads, mask=None, b_q=None, b_k=None, b_v=None, b_o=None):
        Q, K, V = plus(X_q @ W_q, b_q), plus(X_kv @ W_k, b_k), plus(X_kv @ W_v, b_v)
        Q, K, V = (split_by_swapaxes(A, num_heads) for A in (Q, K, V))
        if mask is None:
            mask = np.ones((Q.shape[-2], K.shape[-2]), dtype=bool)
        elif mask.ndim > 2:
            mask = lift(mask, Q, K)
        if fill is None:
            context, weights = masked_attention(Q, K, V, mask)
        else:
            weights = softmax(np.where(mask, Q @ K.mT / np.sqrt(Q.shape[-1]), fill))
            context = weights @ V
        return plus(merge_by_swapaxes(context) @ W_o, b_o), weights

    return layer


def queries_too(mask, Q, K):
    if Q.shape[-2] == K.shape[-2]:
        mask = mask & np.swapaxes(mask, -1, -2)
    return mask[:, None]


def tiled(mask, Q, K):
    return np.tile(mask, (Q.shape[1], 1, 1)).reshape(len(mask), Q.shape[1], 1, mask.shape[-1])


def everything_allowed(mask, Q, K):
    return np.ones((Q.shape[-2], K.shape[-2]), dtype=bool)


def turned_round(mask, Q, K):
    return ~mask[:, None]


def in_a_loop(heads=lambda count: range(count), of_biases=lambda own: own):
    """The layer, in a loop over such heads, each with such a slice of the biases."""

    def layer(X_q, X_kv, W_q, W_k, W_v, W_o, num_heads, mask=None, b_q=None, b_k=None, b_v=None, b_o=None):
        d = W_q.shape[1] // num_heads
        contexts, weights = [], []
        for h in heads(num_heads):
            own = slice(h * d, (h + 1) * d)
            Q, K, V = (
                plus(X @ W[:, own], None if b is None else b[of_biases(own)])
                for X, W, b in ((X_q, W_q, b_q), (X_kv, W_k, b_k), (X_kv, W_v, b_v))
            )
            context, weight = scaled_dot_product_attention(Q, K, V, mask)
            contexts.append(context)
            weights.append(weight)
        return plus(np.concatenate(contexts, axis=-1) @ W_o, b_o), np.stack(weights, axis=-3)

    return layer


def one_after_the_other(X_q, X_kv, W_q, W_k, W_v, W_o, num_heads, mask=None, b_q=None, b_k=None, b_v=None, b_o=None):
    Q = plus(X_q @ W_q, b_q)
    K = plus(Q @ W_k, b_k)
    V = plus(K @ W_v, b_v)
    merged, weights = with_heads((Q, K, V), num_heads, mask)
    return plus(merged @ W_o, b_o), weights


WRONG = [
    (wrong_lifted_in_a_batch, "mask-lifted-in-batch"),
    (wrong_mask_for_each_sentence, "mask-by-sentences"),
    (wrong_first_of_the_mask, "first-mask-always"),
    (wrong_keys_and_values_together, "biases-tied"),
    (wrong_last_bias_with_the_values, "biases-tied"),
    (wrong_nothing_without_b_k, "biases-tied"),
    (wrong_three_asked_of_one, "biases-tied"),
    (wrong_three_or_none, "biases-together"),
    (wrong_key_bias_unguarded, "a-bias-unguarded"),
    (wrong_biases_before_the_product, "biases-first"),
    (wrong_biases_exchanged, "biases-swapped"),
    (wrong_value_bias_at_the_end, "b_v-after-W_o"),
    (wrong_output_matrix_twice, "W_o-twice"),
    (wrong_mask_of_zeros, "no-mask-hides-all"),
    (wrong_mask_of_none_in_an_own_attention, "no-mask-hides-all"),
    (wrong_biases_unguarded, "biases-unguarded"),
    (wrong_output_bias_unguarded, "a-bias-unguarded"),
    (wrong_never_split, "no-split-lifted"),
    (wrong_never_split_nor_lifted, "no-split"),
    (wrong_merged_but_never_split, "no-split-merged"),
    (wrong_mask_of_none, "no-boolean-mask"),
    (wrong_mask_of_ones, "no-boolean-mask"),
    (wrong_mask_handed_on, "mask-handed-on"),
    (wrong_axes_of_none, "mask-none-asked"),
    (wrong_lifted_none, "mask-none-lifted"),
    (wrong_own_mask_lifted, "own-mask-lifted"),
    (wrong_own_mask_square, "own-mask-square"),
    (wrong_own_mask_from_the_front, "own-mask-front"),
    (wrong_all_biases_or_none, "biases-all-or-none"),
    (wrong_without_the_maximum, "no-maximum"),
    (wrong_bare_reshapes, "reshape-split"),
    (wrong_scale_of_the_whole, "by-sqrt-d_model"),
    (wrong_without_biases, "biases-ignored"),
    (wrong_returns_merged, "no-W_o"),
    (wrong_weights_first, "swapped-results"),
    (wrong_mask_of_a_batch, "mask-not-lifted"),
    (wrong_without_output_matrix, "only-b_o"),
    (wrong_without_query_bias, "no-b_q"),
    (wrong_without_value_bias, "no-b_v"),
    (wrong_output_bias_too_early, "b_o-before-W_o"),
    (wrong_output_matrix_transposed, "transposed-W_o"),
    (wrong_every_mask_lifted, "mask-always-lifted"),
    (wrong_truth_of_a_bias, "array-truth"),
    (wrong_divided_by_d_k, "by-d_k"),
    (wrong_all_transposed, "projections-transposed"),
    (wrong_array_of_weights, "weights-heads-in-front"),
    (wrong_length_of_the_keys, "keys-with-query-count"),
    (wrong_heads_not_swapped, None),
    (hides_the_future, "causal-by-default"),
    (takes_a_thousand_off, "small-number-added"),
    (wrong_heads_with_b_v_on_the_keys, "no-b_v"),
    (wrong_heads_with_the_first_mask, "first-mask-only"),
    (by_heads("input"), "input-split"),
    (by_heads("values"), "values-not-split"),
    (by_heads("bias"), "b_o-for-each-head"),
    (by_heads("blocks"), "W_o-in-blocks"),
    (keys_and_values_exchange_biases, "biases-of-keys-and-values"),
    (output_only_where_a_bias_is, "no-W_o-without-b_o"),
    (bias_behind_the_division, "b_q-after-scaling"),
    (by_the_mask_of_a_batch(queries_too), "queries-masked"),
    (by_the_mask_of_a_batch(queries_too, -1e9), "queries-masked-and-filled"),
    (by_the_mask_of_a_batch(tiled), "mask-tiled"),
    (by_the_mask_of_a_batch(everything_allowed), "mask-ignored-in-batch"),
    (by_the_mask_of_a_batch(turned_round), "mask-inverted-in-batch"),
    (in_a_loop(heads=lambda count: reversed(range(count))), "heads-backwards"),
    (in_a_loop(of_biases=lambda own: slice(own.stop - own.start)), "biases-first-slice"),
    (one_after_the_other, "projections-chained"),
]
