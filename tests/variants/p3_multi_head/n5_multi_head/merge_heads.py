import numpy as np

from variants.p3_multi_head.n5_multi_head.shared import merge_by_concatenate, merge_by_swapaxes


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


VARIANTS = [
    merge_by_swapaxes,
    merge_by_concatenate,
    merge_by_moveaxis,
    merge_by_einsum,
    merge_by_hstack,
    merge_by_filling,
]


def wrong_merge_with_three_names(X):
    h, n, d = X.shape
    return X.transpose(1, 0, 2).reshape(n, h * d)


def wrong_merge_to_one_row_a_token(X):
    return X.reshape(X.shape[-2], -1)


def wrong_merge_without_a_star(X):
    *leading, num_heads, n, d = X.shape
    return np.swapaxes(X, -3, -2).reshape(leading, n, num_heads * d)


def wrong_merge_with_a_tuple(X):
    num_heads, n, d = X.shape[-3:]
    return np.swapaxes(X, -3, -2).reshape(X.shape[:-3], n, num_heads * d)


def wrong_merge_of_tokens_and_columns(X):
    X = np.swapaxes(X, -1, -2)
    return X.reshape(*X.shape[:-2], X.shape[-2] * X.shape[-1])


def wrong_merge_to_a_row_for_each_head(X):
    *lead, h, n, d = X.shape
    return np.swapaxes(X, -3, -2).reshape(*lead, h, n * d)


def wrong_merge_without_brackets(X):
    return np.concatenate(X[..., 0, :, :], X[..., 1, :, :])


def wrong_merge_without_brackets_along_the_last_axis(X):
    return np.concatenate(X[..., 0, :, :], X[..., 1, :, :], axis=-1)


def wrong_merge_turned_at_the_end(X):
    tokens = np.swapaxes(X, -2, -3)
    return np.swapaxes(tokens.reshape(*tokens.shape[:-2], -1), -1, -2)


def wrong_merge_of_heads_and_columns(X):
    columns = np.swapaxes(X, -1, -3)
    return columns.reshape(*columns.shape[:-2], -1)


WRONG = [
    (wrong_merge_without_brackets, "joined-one-by-one"),
    (wrong_merge_without_brackets_along_the_last_axis, "joined-one-by-one"),
    (wrong_merge_without_a_star, "leading-not-spread"),
    (wrong_merge_with_a_tuple, "leading-tuple"),
    (wrong_merge_by_reshape, "reshape-merge"),
    (wrong_merge_below, "stacked"),
    (wrong_merge_of_a_list, "front-list"),
    (wrong_merge_counted_from_the_front, "front-rows"),
    (wrong_merge_of_three_axes_only, None),
    (wrong_merge_with_three_names, "no-batch"),
    (wrong_merge_to_one_row_a_token, "reshape-all"),
    (wrong_merge_of_tokens_and_columns, "wrong-shape"),
    (wrong_merge_to_a_row_for_each_head, "sizes-exchanged"),
    (wrong_merge_turned_at_the_end, "turned"),
    (wrong_merge_of_heads_and_columns, "heads-columns-merged"),
]
