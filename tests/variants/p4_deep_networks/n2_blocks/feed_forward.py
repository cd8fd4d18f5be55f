import math

import numpy as np

from attnlib import erf, gelu


def in_one_line(X, W_1, b_1, W_2, b_2):
    return gelu(X @ W_1 + b_1) @ W_2 + b_2


def unit_by_unit(X, W_1, b_1, W_2, b_2):
    result = np.zeros(X.shape) + b_2
    for key, ease, value in zip(W_1.T, b_1, W_2, strict=True):
        result = result + gelu(X @ key + ease)[..., None] * value
    return result


def token_by_token(X, W_1, b_1, W_2, b_2):
    rows = np.reshape(X, (-1, np.shape(X)[-1]))
    return np.array([gelu(row @ W_1 + b_1) @ W_2 + b_2 for row in rows]).reshape(np.shape(X))


def with_einsum(X, W_1, b_1, W_2, b_2):
    awake = gelu(np.einsum("...d,df->...f", X, W_1) + b_1)
    return np.einsum("...f,fd->...d", awake, W_2) + b_2


def with_its_own_bend(X, W_1, b_1, W_2, b_2):
    heard = np.dot(X, W_1) + b_1
    share = np.vectorize(lambda z: (1 + math.erf(z / math.sqrt(2))) / 2)(heard)
    return np.dot(heard * share, W_2) + b_2


def as_lists(X, W_1, b_1, W_2, b_2):
    return in_one_line(X, W_1, b_1, W_2, b_2).tolist()


def in_single_precision(X, W_1, b_1, W_2, b_2):
    return in_one_line(*(a.astype(np.float32) for a in (X, W_1, b_1, W_2, b_2)))


VARIANTS = [in_one_line, unit_by_unit, token_by_token, with_einsum, with_its_own_bend, as_lists, in_single_precision]


def straight(X, W_1, b_1, W_2, b_2):
    return (X @ W_1 + b_1) @ W_2 + b_2


def bent_twice(X, W_1, b_1, W_2, b_2):
    return gelu(gelu(X @ W_1 + b_1) @ W_2 + b_2)


def late_bias(X, W_1, b_1, W_2, b_2):
    return (gelu(X @ W_1) + b_1) @ W_2 + b_2


def of_2017(X, W_1, b_1, W_2, b_2):
    return np.maximum(0, X @ W_1 + b_1) @ W_2 + b_2


def with_the_residual(X, W_1, b_1, W_2, b_2):
    return X + in_one_line(X, W_1, b_1, W_2, b_2)


def half_of_it(X, W_1, b_1, W_2, b_2):
    return gelu(X @ W_1 + b_1)


def as_torch_stores_them(X, W_1, b_1, W_2, b_2):
    return gelu(X @ W_1.T + b_1) @ W_2.T + b_2


def with_a_sigmoid(X, W_1, b_1, W_2, b_2):
    return 1 / (1 + np.exp(-(X @ W_1 + b_1))) @ W_2 + b_2


def second_bias_first(X, W_1, b_1, W_2, b_2):
    return gelu(X @ W_1 + b_1) @ (W_2 + b_2)


def first_bias_first(X, W_1, b_1, W_2, b_2):
    return gelu(X @ (W_1 + b_1)) @ W_2 + b_2


def bends_by_tanh_formula(X, W_1, b_1, W_2, b_2):
    h = X @ W_1 + b_1
    return 0.5 * h * (1 + np.tanh(np.sqrt(2 / np.pi) * (h + 0.044715 * h**3))) @ W_2 + b_2


def bends_like_elu(X, W_1, b_1, W_2, b_2):
    h = X @ W_1 + b_1
    return np.where(h > 0, h, np.exp(np.minimum(h, 0)) - 1) @ W_2 + b_2


def root_forgotten_in_erf(X, W_1, b_1, W_2, b_2):
    h = X @ W_1 + b_1
    return h * (1 + erf(h)) / 2 @ W_2 + b_2


def times_the_bias(X, W_1, b_1, W_2, b_2):
    h = X @ W_1 + b_1
    return h * (1 + erf(h / np.sqrt(2))) / 2 @ W_2 * b_2


def values_first(X, W_1, b_1, W_2, b_2):
    return gelu(X @ W_2.T + b_1) @ W_1.T + b_2


def shares_of_all(X, W_1, b_1, W_2, b_2):
    awake = gelu(X @ W_1 + b_1)
    return awake / awake.sum(axis=-1, keepdims=True) @ W_2 + b_2


def scaled_like_scores(X, W_1, b_1, W_2, b_2):
    return gelu(X @ W_1 / np.sqrt(X.shape[-1]) + b_1) @ W_2 + b_2


def unit_by_unit_with_the_bias(X, W_1, b_1, W_2, b_2):
    added = 0
    for u in range(len(b_1)):
        added = added + gelu(X @ W_1[:, u] + b_1[u])[..., None] * W_2[u] + b_2
    return added


def shifted_before_the_keys(X, W_1, b_1, W_2, b_2):
    return gelu((X + b_2) @ W_1 + b_1) @ W_2


def normed_before_the_keys(X, W_1, b_1, W_2, b_2):
    X = (X - X.mean(-1, keepdims=True)) / X.std(-1, keepdims=True)
    return gelu(X @ W_1 + b_1) @ W_2 + b_2


def normed_at_the_end(X, W_1, b_1, W_2, b_2):
    added = gelu(X @ W_1 + b_1) @ W_2 + b_2
    return (added - added.mean(-1, keepdims=True)) / added.std(-1, keepdims=True)


def never_reset(X, W_1, b_1, W_2, b_2):
    added, rows = b_2, []
    for token in X.reshape(-1, X.shape[-1]):
        added = added + gelu(token @ W_1 + b_1) @ W_2
        rows.append(added)
    return np.array(rows).reshape(X.shape)


def only_who_is_awake(X, W_1, b_1, W_2, b_2):
    h = X @ W_1 + b_1
    return np.where(h > 0, gelu(h), 0) @ W_2 + b_2


def one_bend_behind_another(X, W_1, b_1, W_2, b_2):
    return gelu(gelu(X @ W_1 + b_1)) @ W_2 + b_2


def bend_as_a_share(X, W_1, b_1, W_2, b_2):
    h = X @ W_1 + b_1
    return h * gelu(h) @ W_2 + b_2


def by_the_first_bias(X, W_1, b_1, W_2, b_2):
    return gelu((X @ W_1) * b_1) @ W_2 + b_2


def second_bias_summed(X, W_1, b_1, W_2, b_2):
    return gelu(X @ W_1 + b_1) @ W_2 + b_2.sum()


def keys_bent(X, W_1, b_1, W_2, b_2):
    return X @ gelu(W_1 + b_1) @ W_2 + b_2


def scaled_inside_the_bend(X, W_1, b_1, W_2, b_2):
    return gelu((X @ W_1 + b_1) / np.sqrt(X.shape[-1])) @ W_2 + b_2


WRONG = [
    (shifted_before_the_keys, "b_2-on-X"),
    (normed_before_the_keys, "X-normed"),
    (normed_at_the_end, "result-normed"),
    (never_reset, "rows-mix"),
    (only_who_is_awake, "awake-only"),
    (one_bend_behind_another, "bent-twice"),
    (bend_as_a_share, "times-bend"),
    (by_the_first_bias, "b_1-multiplied"),
    (second_bias_summed, "b_2-summed"),
    (keys_bent, "matrix-bent"),
    (scaled_inside_the_bend, "scaled-with-bias"),
    (unit_by_unit_with_the_bias, "b_2-by-units"),
    (values_first, "exchanged"),
    (shares_of_all, "shares"),
    (scaled_like_scores, "scaled"),
    (bends_by_tanh_formula, "tanh-formula"),
    (bends_like_elu, "elu"),
    (root_forgotten_in_erf, "no-root"),
    (times_the_bias, "b_2-multiplied"),
    (with_a_sigmoid, "sigmoid-bend"),
    (second_bias_first, "b_2-on-the-matrix"),
    (first_bias_first, "b_1-on-the-matrix"),
    (straight, "no-bend"),
    (bent_twice, "bend-at-the-end"),
    (late_bias, "bias-after-bend"),
    (of_2017, "relu"),
    (with_the_residual, "residual-added"),
    (half_of_it, "units-returned"),
    (as_torch_stores_them, "transposed"),
]
