"""Answers to the exercises of notebook 5-multi-head, as learners write them."""

import numpy as np

from attnlib import (
    layer_input,
    masked_softmax,
    multi_head_attention,
    scaled_dot_product_attention,
    sentence_ids,
    softmax,
)
from grader.exercises.multi_head import multi_head_attention_model, real_model

# ---------------------------------------------------------------- split_heads


def split_by_swapaxes(X, num_heads):
    *leading, n, d_model = X.shape
    return X.reshape(*leading, n, num_heads, d_model // num_heads).swapaxes(-3, -2)


def split_by_slices(X, num_heads):
    d = X.shape[-1] // num_heads
    return np.stack([X[..., h * d : (h + 1) * d] for h in range(num_heads)], axis=-3)


def split_by_numpy(X, num_heads):
    return np.stack(np.split(X, num_heads, axis=-1), axis=X.ndim - 2)


def split_by_moveaxis(X, num_heads):
    return np.moveaxis(np.reshape(X, (*X.shape[:-1], num_heads, -1)), -2, -3)


def split_by_einsum(X, num_heads):
    return np.einsum("...nhd->...hnd", X.reshape((*X.shape[:-1], num_heads, X.shape[-1] // num_heads)))


def split_by_loops(X, num_heads):
    if X.ndim > 2:
        return np.array([split_by_loops(x, num_heads) for x in X])
    d = X.shape[1] // num_heads
    return np.array([[[row[h * d + j] for j in range(d)] for row in X] for h in range(num_heads)])


def split_as_a_list(X, num_heads, axis=-3):
    return split_by_slices(X, num_heads).tolist()


def split_float32(X, num_heads):
    return split_by_swapaxes(X.astype(np.float32), num_heads)


def wrong_bare_reshape(X, num_heads):
    return X.reshape(*X.shape[:-2], num_heads, X.shape[-2], -1)


def wrong_split_without_exchange(X, num_heads):
    return X.reshape(*X.shape[:-1], num_heads, -1)


def wrong_split_of_matrices_only(X, num_heads):
    n, d_model = X.shape
    return X.reshape(n, num_heads, d_model // num_heads).transpose(1, 0, 2)


def wrong_split_counted_from_the_front(X, num_heads):
    return X.reshape(X.shape[0], num_heads, -1).transpose(1, 0, 2)


def wrong_split_by_numpy_in_front(X, num_heads):
    return np.array(np.split(X, num_heads, axis=-1))


def wrong_split_with_a_slash(X, num_heads):
    return X.reshape(*X.shape[:-1], num_heads, X.shape[-1] / num_heads).swapaxes(-3, -2)


def wrong_split_like_cards(X, num_heads):
    return np.stack([X[..., h::num_heads] for h in range(num_heads)], axis=-3)


# ---------------------------------------------------------------- merge_heads


def merge_by_swapaxes(X):
    *leading, num_heads, n, d = X.shape
    return X.swapaxes(-3, -2).reshape(*leading, n, num_heads * d)


def merge_by_concatenate(X):
    return np.concatenate([X[..., h, :, :] for h in range(X.shape[-3])], axis=-1)


def merge_by_moveaxis(X):
    X = np.moveaxis(X, -3, -2)
    return X.reshape((*X.shape[:-2], -1))


def merge_by_einsum(X):
    swapped = np.einsum("...hnd->...nhd", X)
    return np.ascontiguousarray(swapped).reshape(*swapped.shape[:-2], swapped.shape[-2] * swapped.shape[-1])


def merge_by_hstack(X):
    if X.ndim > 3:
        return np.stack([merge_by_hstack(x) for x in X])
    return np.hstack(list(X))


def merge_by_filling(X, dtype=np.float32):
    *leading, num_heads, n, d = X.shape
    merged = np.zeros((*leading, n, num_heads * d), dtype=dtype)
    for h in range(num_heads):
        merged[..., h * d : h * d + d] = X[..., h, :, :]
    return merged


def wrong_merge_by_reshape(X):
    *leading, num_heads, n, d = X.shape
    return X.reshape(*leading, n, num_heads * d)


def wrong_merge_below(X):
    return np.concatenate([X[..., h, :, :] for h in range(X.shape[-3])], axis=-2)


def wrong_merge_of_a_list(X):
    return np.concatenate(list(X), axis=-1)


def wrong_merge_counted_from_the_front(X):
    return X.swapaxes(0, 1).reshape(X.shape[1], -1)


def wrong_merge_of_three_axes_only(X):
    return np.hstack(X) if X.ndim == 3 else np.hstack(np.hstack(X))


# ---------------------------------------------------------------- multi_head_attention


def _plus(product, b):
    return product if b is None else product + b


def heads_by_earlier_functions(
    X_q, X_kv, W_q, W_k, W_v, W_o, num_heads, mask=None, b_q=None, b_k=None, b_v=None, b_o=None
):
    Q = split_by_swapaxes(_plus(X_q @ W_q, b_q), num_heads)
    K = split_by_swapaxes(_plus(X_kv @ W_k, b_k), num_heads)
    V = split_by_swapaxes(_plus(X_kv @ W_v, b_v), num_heads)
    if mask is not None and mask.ndim > 2:
        mask = np.expand_dims(mask, -3)
    context, weights = scaled_dot_product_attention(Q, K, V, mask)
    return _plus(merge_by_swapaxes(context) @ W_o, b_o), weights


def heads_by_a_loop(X_q, X_kv, W_q, W_k, W_v, W_o, num_heads, mask=None, b_q=None, b_k=None, b_v=None, b_o=None):
    Q, K, V = _plus(X_q @ W_q, b_q), _plus(X_kv @ W_k, b_k), _plus(X_kv @ W_v, b_v)
    d = Q.shape[-1] // num_heads
    contexts, weights = [], []
    for h in range(num_heads):
        columns = slice(h * d, (h + 1) * d)
        c, w = scaled_dot_product_attention(Q[..., columns], K[..., columns], V[..., columns], mask)
        contexts.append(c)
        weights.append(w)
    return _plus(np.concatenate(contexts, axis=-1) @ W_o, b_o), np.stack(weights, axis=-3)


def heads_by_einsum(X_q, X_kv, W_q, W_k, W_v, W_o, num_heads, mask=None, b_q=None, b_k=None, b_v=None, b_o=None):
    h = num_heads
    Q = _plus(X_q @ W_q, b_q).reshape(*X_q.shape[:-1], h, -1)  # (..., n, h, d), never swapped
    K = _plus(X_kv @ W_k, b_k).reshape(*X_kv.shape[:-1], h, -1)
    V = _plus(X_kv @ W_v, b_v).reshape(*X_kv.shape[:-1], h, -1)
    scores = np.einsum("...ihd,...jhd->...hij", Q, K) * Q.shape[-1] ** -0.5
    if mask is not None:
        scores = np.where(mask[..., None, :, :] if mask.ndim >= 3 else mask, scores, -np.inf)
    weights = softmax(scores)
    context = np.einsum("...hij,...jhd->...ihd", weights, V).reshape(*X_q.shape)
    return _plus(context @ W_o, b_o), weights


def heads_without_key_bias_and_with_a_billion(
    X_q, X_kv, W_q, W_k, W_v, W_o, num_heads, mask=None, b_q=None, b_k=None, b_v=None, b_o=None
):
    Q = split_by_slices(_plus(X_q @ W_q, b_q), num_heads)
    K, V = split_by_slices(X_kv @ W_k, num_heads), split_by_slices(_plus(X_kv @ W_v, b_v), num_heads)
    scores = Q @ np.swapaxes(K, -1, -2) / np.sqrt(X_q.shape[-1] // num_heads)
    if mask is not None:
        additive = np.where(mask, 0.0, -1e9)
        scores = scores + (additive[:, None] if additive.ndim == 3 else additive)
    weights = np.exp(scores - scores.max(axis=-1, keepdims=True))
    weights /= weights.sum(axis=-1, keepdims=True)
    return _plus(merge_by_concatenate(weights @ V) @ W_o, b_o), weights


def heads_float32(X_q, X_kv, W_q, W_k, W_v, W_o, num_heads, mask=None, b_q=None, b_k=None, b_v=None, b_o=None):
    single = [a.astype(np.float32) for a in (X_q, X_kv, W_q, W_k, W_v, W_o)]
    biases = [None if b is None else b.astype(np.float32) for b in (b_q, b_k, b_v, b_o)]
    return heads_by_einsum(*single, num_heads, mask, *biases)


def heads_as_lists(
    X_q, X_kv, W_q, W_k, W_v, W_o, num_heads, mask=None, b_q=None, b_k=None, b_v=None, b_o=None, dropout=0.0
):
    context, weights = heads_by_a_loop(X_q, X_kv, W_q, W_k, W_v, W_o, num_heads, mask, b_q, b_k, b_v, b_o)
    return [context.tolist(), weights.tolist()]


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


def wrong_bare_reshapes(X_q, X_kv, W_q, W_k, W_v, W_o, num_heads, mask=None, b_q=None, b_k=None, b_v=None, b_o=None):
    Q, K, V = _plus(X_q @ W_q, b_q), _plus(X_kv @ W_k, b_k), _plus(X_kv @ W_v, b_v)
    Q, K, V = (wrong_bare_reshape(array, num_heads) for array in (Q, K, V))
    if mask is not None and mask.ndim == 3:
        mask = mask[:, None]
    context, weights = scaled_dot_product_attention(Q, K, V, mask)
    return _plus(merge_by_swapaxes(context) @ W_o, b_o), weights


def wrong_scale_of_the_whole(
    X_q, X_kv, W_q, W_k, W_v, W_o, num_heads, mask=None, b_q=None, b_k=None, b_v=None, b_o=None
):
    d_model = X_q.shape[-1]
    Q = split_by_swapaxes(_plus(X_q @ W_q, b_q), num_heads)
    K = split_by_swapaxes(_plus(X_kv @ W_k, b_k), num_heads)
    V = split_by_swapaxes(_plus(X_kv @ W_v, b_v), num_heads)
    scores = Q @ K.swapaxes(-1, -2) / np.sqrt(d_model)
    if mask is not None:
        scores = np.where(mask[:, None] if mask.ndim == 3 else mask, scores, -np.inf)
    weights = softmax(scores)
    return _plus(merge_by_swapaxes(weights @ V) @ W_o, b_o), weights


def wrong_without_biases(X_q, X_kv, W_q, W_k, W_v, W_o, num_heads, mask=None, b_q=None, b_k=None, b_v=None, b_o=None):
    return heads_by_a_loop(X_q, X_kv, W_q, W_k, W_v, W_o, num_heads, mask)


def wrong_returns_merged(X_q, X_kv, W_q, W_k, W_v, W_o, num_heads, mask=None, b_q=None, b_k=None, b_v=None, b_o=None):
    return heads_by_a_loop(X_q, X_kv, W_q, W_k, W_v, np.eye(len(W_o)), num_heads, mask, b_q, b_k, b_v)


def wrong_weights_first(X_q, X_kv, W_q, W_k, W_v, W_o, num_heads, mask=None, b_q=None, b_k=None, b_v=None, b_o=None):
    return heads_by_a_loop(X_q, X_kv, W_q, W_k, W_v, W_o, num_heads, mask, b_q, b_k, b_v, b_o)[::-1]


def wrong_mask_of_a_batch(X_q, X_kv, W_q, W_k, W_v, W_o, num_heads, mask=None, b_q=None, b_k=None, b_v=None, b_o=None):
    Q = split_by_swapaxes(_plus(X_q @ W_q, b_q), num_heads)
    K = split_by_swapaxes(_plus(X_kv @ W_k, b_k), num_heads)
    V = split_by_swapaxes(_plus(X_kv @ W_v, b_v), num_heads)
    context, weights = scaled_dot_product_attention(Q, K, V, mask)
    return _plus(merge_by_swapaxes(context) @ W_o, b_o), weights


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
    return _plus(context, b_o) @ W_o, weights


def wrong_output_matrix_transposed(
    X_q, X_kv, W_q, W_k, W_v, W_o, num_heads, mask=None, b_q=None, b_k=None, b_v=None, b_o=None
):
    return heads_by_a_loop(X_q, X_kv, W_q, W_k, W_v, W_o.T, num_heads, mask, b_q, b_k, b_v, b_o)


def wrong_every_mask_lifted(
    X_q, X_kv, W_q, W_k, W_v, W_o, num_heads, mask=None, b_q=None, b_k=None, b_v=None, b_o=None
):
    Q = split_by_swapaxes(_plus(X_q @ W_q, b_q), num_heads)
    K = split_by_swapaxes(_plus(X_kv @ W_k, b_k), num_heads)
    V = split_by_swapaxes(_plus(X_kv @ W_v, b_v), num_heads)
    mask = None if mask is None else mask[:, None]
    context, weights = scaled_dot_product_attention(Q, K, V, mask)
    return _plus(merge_by_swapaxes(context) @ W_o, b_o), weights


def wrong_truth_of_a_bias(X_q, X_kv, W_q, W_k, W_v, W_o, num_heads, mask=None, b_q=None, b_k=None, b_v=None, b_o=None):
    if b_q:
        X_q = X_q + b_q
    return heads_by_a_loop(X_q, X_kv, W_q, W_k, W_v, W_o, num_heads, mask, None, b_k, b_v, b_o)


# ---------------------------------------------------------------- real_layer


def _sentence(text):
    vocabulary, E, layer = real_model()
    return layer_input(sentence_ids(text, vocabulary)[1], E, layer), layer


def real_by_names(text):
    X, layer = _sentence(text)
    names = ["W_q", "W_k", "W_v", "W_o", "num_heads", "b_q", "b_k", "b_v", "b_o"]
    return heads_by_earlier_functions(X, X, **{name: layer[name] for name in names})


def real_by_position(text):
    X, L = _sentence(text)
    return heads_by_einsum(
        X, X, L["W_q"], L["W_k"], L["W_v"], L["W_o"], 12, None, L["b_q"], L["b_k"], L["b_v"], L["b_o"]
    )


def real_without_key_bias(text):
    X, L = _sentence(text)
    matrices = L["W_q"], L["W_k"], L["W_v"], L["W_o"]
    return heads_by_a_loop(X, X, *matrices, num_heads=L["num_heads"], b_q=L["b_q"], b_v=L["b_v"], b_o=L["b_o"])


def real_with_a_mask_that_allows_all(text):
    X, L = _sentence(text)
    biases = {name: value for name, value in L.items() if name.startswith("b_")}
    matrices = L["W_q"], L["W_k"], L["W_v"], L["W_o"]
    return heads_mixed_one_by_one(X, X, *matrices, 12, mask=np.ones((len(X), len(X)), dtype=bool), **biases)


def real_as_a_batch_of_one(text):
    X, L = _sentence(text)
    names = ["W_q", "W_k", "W_v", "W_o", "num_heads", "b_q", "b_k", "b_v", "b_o"]
    context, weights = heads_by_einsum(X[None], X[None], **{name: L[name] for name in names})
    return context[0], weights[0]


def real_float32(text, verbose=False):
    X, L = _sentence(text)
    single = {name: value if name == "num_heads" else value.astype(np.float32) for name, value in L.items()}
    names = ["W_q", "W_k", "W_v", "W_o", "num_heads", "b_q", "b_k", "b_v", "b_o"]
    X = X.astype(np.float32)
    return heads_by_a_loop(X, X, **{name: single[name] for name in names})


def wrong_real_without_biases(text):
    X, L = _sentence(text)
    return heads_by_a_loop(X, X, L["W_q"], L["W_k"], L["W_v"], L["W_o"], L["num_heads"])


def wrong_real_with_bare_words(text):
    vocabulary, E, layer = real_model()
    X = E[sentence_ids(text, vocabulary)[1]]
    names = ["W_q", "W_k", "W_v", "W_o", "num_heads", "b_q", "b_k", "b_v", "b_o"]
    return multi_head_attention_model(X, X, **{name: layer[name] for name in names})


def wrong_real_with_six_heads(text):
    X, L = _sentence(text)
    return heads_by_a_loop(
        X, X, L["W_q"], L["W_k"], L["W_v"], L["W_o"], 6, None, L["b_q"], L["b_k"], L["b_v"], L["b_o"]
    )


def count_answer(factor_of_matrices, factor_of_biases):
    matrices, biases = 4 * 384 * 384, 4 * 384
    layer = factor_of_matrices * matrices + factor_of_biases * biases
    return {"d_v": 32, "one head": 3 * 384 * 32, "layer": layer, "layer with 1 head": matrices + biases}


VARIANTS = {
    "split_heads": [
        split_by_swapaxes,
        split_by_slices,
        split_by_numpy,
        split_by_moveaxis,
        split_by_einsum,
        split_by_loops,
        split_as_a_list,
        split_float32,
    ],
    "merge_heads": [
        merge_by_swapaxes,
        merge_by_concatenate,
        merge_by_moveaxis,
        merge_by_einsum,
        merge_by_hstack,
        merge_by_filling,
    ],
    "multi_head_attention": [
        heads_by_earlier_functions,
        heads_by_a_loop,
        heads_by_einsum,
        heads_without_key_bias_and_with_a_billion,
        heads_float32,
        heads_as_lists,
        heads_mixed_one_by_one,
    ],
    "real_layer": [
        real_by_names,
        real_by_position,
        real_without_key_bias,
        real_with_a_mask_that_allows_all,
        real_as_a_batch_of_one,
        real_float32,
    ],
}

WRONG = {
    "split_heads": [
        (wrong_bare_reshape, "reshape-only"),
        (wrong_split_without_exchange, "no-swap"),
        (wrong_split_of_matrices_only, "no-batch"),
        (wrong_split_like_cards, "strided"),
        (wrong_split_counted_from_the_front, "front-shape"),
        (wrong_split_by_numpy_in_front, "heads-in-front"),
        (wrong_split_with_a_slash, "float-size"),
    ],
    "merge_heads": [
        (wrong_merge_by_reshape, "reshape-only"),
        (wrong_merge_below, "stacked"),
        (wrong_merge_of_a_list, "front-list"),
        (wrong_merge_counted_from_the_front, "front-rows"),
        (wrong_merge_of_three_axes_only, None),
    ],
    "multi_head_attention": [
        (wrong_bare_reshapes, "reshape-split"),
        (wrong_scale_of_the_whole, "scale-d-model"),
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
    ],
    "real_layer": [
        (wrong_real_without_biases, "biases-ignored"),
        (wrong_real_with_bare_words, "bare-words"),
        (wrong_real_with_six_heads, None),
    ],
    "count-heads-parameters": [
        (count_answer(12, 12), "twelve-times"),
        (count_answer(12, 1), "twelve-times-matrices"),
    ],
    "read-heads": [
        ({"previous word": 2, "bank to river": 0, "bank to money": 4}, "words-exchanged"),
        ({"previous word": 2, "bank to river": 4, "bank to money": 1}, "transposed-bank"),
    ],
}


# ---------------------------------------------------------------- numbers in the prose

_X = np.array([[1.0, 0.0, 0.0, 2.0], [0.0, 1.0, 1.0, 0.0], [1.0, 1.0, 2.0, 1.0]])


def first_weights(columns):
    part = _X[:, columns]
    weights = scaled_dot_product_attention(part, part, part)[1][0]
    return f"[{', '.join(f'{weight:.3f}' for weight in weights)}]"


def context_of_two(first, second):
    a, b = 0.5 * np.array(first) + 0.5 * np.array(second)
    return f"**[{a:.0f}, {b:.0f}]**"


def example():
    context, weights = multi_head_attention(np.eye(2), np.eye(2), *[np.eye(2)] * 4, num_heads=2)
    return f"context `{context.round(3).tolist()}`, weights `{weights.round(3).tolist()}`"


def largest_key_bias():
    return f"its largest entry is {np.abs(real_model()[2]['b_k']).max():.3f}"


NUMBERS = [
    ("its largest entry is 0.002", largest_key_bias),
    ("**[2, 3]**", lambda: context_of_two([4, 0], [0, 6])),
    ("[0.401, 0.198, 0.401]", lambda: first_weights(slice(0, 2))),
    ("[0.768, 0.045, 0.187]", lambda: first_weights(slice(2, 4))),
    (
        "`[[10, 11], [12, 13]]`",
        lambda: f"`{np.array([[*range(10, 16)], [*range(20, 26)]]).reshape(3, 2, 2)[0].tolist()}`",
    ),
    (
        "context `[[0.731, 0.5], [0.5, 0.731]]`, weights "
        "`[[[0.731, 0.269], [0.5, 0.5]], [[0.5, 0.5], [0.269, 0.731]]]`",
        example,
    ),
]
