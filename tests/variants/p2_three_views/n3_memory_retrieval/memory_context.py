import numpy as np

from attnlib import context_vectors, soft_lookup, softmax
from variants.p2_three_views.n3_memory_retrieval.shared import plain_python


def attention_in_three_lines(X, memory_keys, memory_values):
    scores = X @ memory_keys.T
    weights = softmax(scores)
    return weights @ memory_values


def attention_of_part_one(X, memory_keys, memory_values):
    return context_vectors(X, memory_keys, memory_values)


def one_token_at_a_time(X, memory_keys, memory_values):
    return np.array([soft_lookup(x, memory_keys, memory_values, 1.0) for x in X])


def tokens_as_lists(X, memory_keys, memory_values):
    return [plain_python(x, memory_keys, memory_values, 1.0) for x in X]


def einsum_memory(tokens, keys, values):
    return np.einsum("tm,mv->tv", softmax(np.einsum("td,md->tm", tokens, keys)), values)


def memory_in_single_precision(X, memory_keys, memory_values):
    X, memory_keys, memory_values = (a.astype("float32") for a in (X, memory_keys, memory_values))
    return softmax(np.matmul(X, memory_keys.swapaxes(0, 1))) @ memory_values


def divided_at_the_end(X, memory_keys, memory_values, *, beta=1.0):
    scores = beta * np.inner(X, memory_keys)
    powers = np.exp(scores - scores.max(axis=1, keepdims=True))
    return powers @ memory_values / powers.sum(axis=1)[:, None]


def filled_in_place(X, memory_keys, memory_values):
    context = np.zeros((len(X), memory_values.shape[1]))
    for i, x in enumerate(X):
        for weight, value in zip(softmax(memory_keys @ x), memory_values, strict=True):
            context[i] += weight * value
    return context


VARIANTS = [
    attention_in_three_lines,
    attention_of_part_one,
    one_token_at_a_time,
    tokens_as_lists,
    einsum_memory,
    memory_in_single_precision,
    divided_at_the_end,
    filled_in_place,
]


def self_attention(X, memory_keys, memory_values):
    return softmax(X @ X.T) @ X


def returns_the_keys(X, memory_keys, memory_values):
    return softmax(X @ memory_keys.T) @ memory_keys


def normalises_over_tokens(X, memory_keys, memory_values):
    scores = X @ memory_keys.T
    powers = np.exp(scores - scores.max(axis=0))
    return powers / powers.sum(axis=0) @ memory_values


def adds_the_tokens(X, memory_keys, memory_values):
    return X + softmax(X @ memory_keys.T) @ memory_values


def scales_by_habit(X, memory_keys, memory_values):
    return softmax(X @ memory_keys.T / np.sqrt(X.shape[-1])) @ memory_values


def best_memory_only(X, memory_keys, memory_values):
    return memory_values[(X @ memory_keys.T).argmax(1)]


def one_maximum_for_all(X, memory_keys, memory_values):
    s = X @ memory_keys.T
    e = np.exp(s - s.max())
    return e / e.sum(axis=1, keepdims=True) @ memory_values


WRONG = [
    (best_memory_only, "best-only"),
    (one_maximum_for_all, "global-maximum"),
    (self_attention, "tokens-read-tokens"),
    (returns_the_keys, "keys-mixed"),
    (normalises_over_tokens, "columns"),
    (adds_the_tokens, "added-to-input"),
    (scales_by_habit, "scaled"),
]
