import numpy as np

from variants.p3_multi_head.n5_multi_head.shared import split_by_slices, split_by_swapaxes, wrong_bare_reshape


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


VARIANTS = [
    split_by_swapaxes,
    split_by_slices,
    split_by_numpy,
    split_by_moveaxis,
    split_by_einsum,
    split_by_loops,
    split_as_a_list,
    split_float32,
]


def wrong_split_along_axis_one(X, num_heads):
    d = X.shape[-1] // num_heads
    return np.stack([X[:, i * d : (i + 1) * d] for i in range(num_heads)])


def wrong_split_with_three_names(X, num_heads):
    B, T, D = X.shape
    return X.reshape(B, T, num_heads, D // num_heads).transpose(0, 2, 1, 3)


def wrong_split_without_a_star(X, num_heads):
    *leading, n, d_model = X.shape
    return np.swapaxes(X.reshape(leading, n, num_heads, d_model // num_heads), -3, -2)


def wrong_split_with_a_tuple(X, num_heads):
    n, d_model = X.shape[-2:]
    return np.swapaxes(X.reshape(X.shape[:-2], n, num_heads, d_model // num_heads), -3, -2)


def view_of_torch(X, num_heads):
    *lead, n, d_model = X.shape
    d = d_model // num_heads
    return X.view(*lead, n, num_heads, d).transpose(-3, -2)


def transpose_of_torch(X, num_heads):
    *lead, n, d_model = X.shape
    d = d_model // num_heads
    return X.reshape(*lead, n, num_heads, d).transpose(-3, -2)


def wrong_split_by_reshape(X, num_heads):
    n, d_model = X.shape[-2:]
    return X.reshape(*X.shape[:-2], num_heads, n, d_model // num_heads)


WRONG = [
    (wrong_split_without_a_star, "leading-not-spread"),
    (wrong_split_with_a_tuple, "leading-tuple"),
    (wrong_bare_reshape, "reshape-split"),
    (wrong_split_without_exchange, "no-swap"),
    (wrong_split_of_matrices_only, "no-batch"),
    (wrong_split_like_cards, "strided"),
    (wrong_split_counted_from_the_front, "front-shape"),
    (wrong_split_by_numpy_in_front, "heads-in-front"),
    (wrong_split_with_a_slash, "float-size"),
    (wrong_split_along_axis_one, "slices-axis-1"),
    (wrong_split_with_three_names, None),
    (view_of_torch, "view-of-torch"),
    (transpose_of_torch, "transpose-of-torch"),
    (wrong_split_by_reshape, "reshape-split"),
]
