import numpy as np


def lower_triangle(n):
    return np.tril(np.ones((n, n), dtype=bool))


def compared_places(n):
    return np.arange(n)[:, None] >= np.arange(n)


def not_the_upper_triangle(n):
    return ~np.triu(np.ones((n, n)), k=1).astype(bool)


def two_loops(n):
    mask = np.zeros((n, n), dtype=bool)
    for i in range(n):
        for j in range(n):
            mask[i, j] = j <= i
    return mask


def lists_of_booleans(n):
    return [[j <= i for j in range(n)] for i in range(n)]


def tri_with_an_option(n, dtype=bool):
    return np.tri(n, dtype=dtype)


def from_an_additive_mask(size, /):
    additive = np.triu(np.full((size, size), -np.inf), 1)
    return additive == 0


VARIANTS = [
    lower_triangle,
    compared_places,
    not_the_upper_triangle,
    two_loops,
    lists_of_booleans,
    tri_with_an_option,
    from_an_additive_mask,
]


def as_multihead_attention_reads_it(n):
    return np.triu(np.ones((n, n), dtype=bool), k=1)


def strictly_before(n):
    return np.tril(np.ones((n, n), dtype=bool), k=-1)


def upper_triangle(n):
    return np.triu(np.ones((n, n), dtype=bool))


def zeros_and_minus_infinities(n):
    return np.triu(np.full((n, n), -np.inf), k=1)


def ones_and_zeros(n):
    return np.tril(np.ones((n, n)))


def only_three(n):
    return np.tril(np.ones((3, 3), dtype=bool))


def large_numbers_to_add(n):
    return np.triu(np.ones((n, n)), k=1) * -1e9


def lists_of_texts(n):
    return [[str(j <= i) for j in range(n)] for i in range(n)]


def triangle_of_a_number(n):
    return np.tril(n).astype(bool)


def loop_begins_at_one(n):
    mask = np.zeros((n, n), dtype=bool)
    for i in range(1, n):
        mask[i, : i + 1] = True
    return mask


def turned_round_decimals(n):
    return ~np.triu(np.ones((n, n)), 1)


def rows_without_the_future(n):
    return [[True] * (i + 1) for i in range(n)]


def true_and_false_as_texts(n):
    return np.array([["True" if j <= i else "False" for j in range(n)] for i in range(n)])


WRONG = [
    (true_and_false_as_texts, "wrong-kind"),
    (turned_round_decimals, "bits-of-decimals"),
    (rows_without_the_future, "ragged-result"),
    (as_multihead_attention_reads_it, "mask-inverted"),
    (strictly_before, "hides-itself"),
    (upper_triangle, "transposed"),
    (zeros_and_minus_infinities, "additive"),
    (ones_and_zeros, None),
    (only_three, None),
    (large_numbers_to_add, "additive-finite"),
    (lists_of_texts, None),
    (triangle_of_a_number, "triangle-of-a-number"),
    (loop_begins_at_one, "first-row-empty"),
]
