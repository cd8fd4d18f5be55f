import numpy as np


def one_product(keys, values):
    return values.T @ keys


def outer_products_added(keys, values):
    M = np.zeros((values.shape[1], keys.shape[1]))
    for key, value in zip(keys, values, strict=True):
        M += np.outer(value, key)
    return M


def einsum_memory(keys, values):
    return np.einsum("jv,jd->vd", values, keys)


def number_by_number(keys, values):
    return [
        [sum(v[a] * k[b] for k, v in zip(keys, values, strict=True)) for b in range(len(keys[0]))]
        for a in range(len(values[0]))
    ]


def memory_in_single_precision(keys, values):
    return np.float32(values).T @ np.float32(keys)


def turned_at_the_end(k, v, *, start=0.0):
    return (start + k.T @ v).T


def all_products_then_the_sum(keys, values):
    return (values[:, :, None] * keys[:, None, :]).sum(axis=0)


VARIANTS = [
    one_product,
    outer_products_added,
    einsum_memory,
    number_by_number,
    memory_in_single_precision,
    turned_at_the_end,
    all_products_then_the_sum,
]


def keys_first(keys, values):
    return keys.T @ values


def keys_alone(keys, values):
    return keys.T @ keys


def tables_of_memories(keys, values):
    return values @ keys.T


def averages(keys, values):
    return values.T @ keys / len(keys)


def sums_first(keys, values):
    return np.outer(values.sum(axis=0), keys.sum(axis=0))


def overwrites(keys, values):
    for key, value in zip(keys, values, strict=True):
        M = np.outer(value, key)
    return M


def returns_in_the_loop(keys, values):
    M = 0
    for key, value in zip(keys, values, strict=True):
        M = M + np.outer(value, key)
        return M


def keeps_them_apart(keys, values):
    return np.array([np.outer(value, key) for key, value in zip(keys, values, strict=True)])


def least_squares(keys, values):
    return np.linalg.lstsq(keys, values, rcond=None)[0].T


def clears_the_diagonal(keys, values):
    M = values.T @ keys
    np.fill_diagonal(M, 0)
    return M


def multiplies_vectors(keys, values):
    return sum(np.dot(value, key) for key, value in zip(keys, values, strict=True))


def multiplies_vectors_turned(keys, values):
    M = np.zeros((values.shape[1], keys.shape[1]))
    for key, value in zip(keys, values, strict=True):
        M = M + value @ key.T
    return M


def squeezes(keys, values):
    return np.squeeze(values.T @ keys)


def begins_with_the_first(keys, values):
    M = np.outer(values[0], keys[0])
    for value, key in zip(values, keys, strict=True):
        M = M + np.outer(value, key)
    return M


def stores_only_what_is_missing(keys, values):
    M = np.zeros((values.shape[1], keys.shape[1]))
    for key, value in zip(keys, values, strict=True):
        M += np.outer(value - M @ key, key)
    return M


def sums_in_whole_numbers(keys, values):
    memory = np.zeros((values.shape[1], keys.shape[1]), dtype=int)
    for key, value in zip(keys, values, strict=True):
        memory = memory + np.outer(value, key).astype(int)
    return memory


def largest_products(keys, values):
    return np.max([np.outer(value, key) for key, value in zip(keys, values, strict=True)], axis=0)


WRONG = [
    (sums_in_whole_numbers, "whole-numbers"),
    (largest_products, "largest"),
    (begins_with_the_first, "first-twice"),
    (keys_first, "turned"),
    (keys_alone, "keys-with-keys"),
    (tables_of_memories, "values-by-keys"),
    (averages, "mean"),
    (sums_first, "product-of-sums"),
    (overwrites, "last-only"),
    (returns_in_the_loop, "first-only"),
    (keeps_them_apart, "not-summed"),
    (least_squares, "best-fit"),
    (clears_the_diagonal, "no-diagonal"),
    (multiplies_vectors, "inner-products"),
    (multiplies_vectors_turned, "inner-products-added"),
    (squeezes, "squeezed"),
    (stores_only_what_is_missing, "only-the-error"),
]
