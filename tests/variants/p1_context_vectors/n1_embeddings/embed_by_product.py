import numpy as np

import attnlib
from variants.p1_context_vectors.n1_embeddings.shared import (
    embed_by_index,
    one_hot_as_integers,
    one_hot_as_lists,
    one_hot_by_eye,
    one_hot_by_fancy_index,
    one_hot_by_loop,
)


def product_at(token_ids, E):
    return one_hot_by_loop(token_ids, E.shape[0]) @ E


def product_dot(token_ids, E):
    return np.dot(one_hot_by_eye(token_ids, len(E)), E)


def product_matmul_integers(token_ids, E):
    return np.matmul(one_hot_as_integers(token_ids, len(E)), E)


def product_einsum(token_ids, E):
    return np.einsum("nv,vd->nd", one_hot_by_eye(token_ids, len(E)), E)


def product_by_hand(token_ids, E):
    rows = one_hot_as_lists(token_ids, len(E))
    return [[sum(row[k] * E[k, j] for k in range(len(E))) for j in range(E.shape[1])] for row in rows]


def product_broadcast(token_ids, E, axis=1):
    return (one_hot_by_eye(token_ids, len(E))[:, :, None] * E[None]).sum(axis=axis)


def product_transposed_twice(token_ids, E):
    return (E.T @ one_hot_by_eye(token_ids, len(E)).T).T


def product_float32(token_ids, E):
    return one_hot_by_fancy_index(token_ids, len(E)) @ E.astype(np.float32)


def product_of_the_first_rows(token_ids, E):
    size = max(token_ids) + 1
    return np.eye(size)[token_ids] @ E[:size]


def product_transposed(token_ids, E):
    return E.T @ one_hot_by_eye(token_ids, len(E)).T


def product_columns_of_width_d(token_ids, E):
    return one_hot_by_loop(token_ids, E.shape[1]) @ E


def product_star(token_ids, E):
    return one_hot_by_eye(token_ids, len(E)) * E


def product_of_transposed_rows(token_ids, E):
    return one_hot_by_eye(token_ids, len(E)).T @ E


def product_wrong_order(token_ids, E):
    return E @ one_hot_by_eye(token_ids, len(E))


def product_counted_from_one(token_ids, E):
    return one_hot_by_eye(np.asarray(token_ids) + 1, len(E) + 2)[:, : len(E)] @ E


def product_late(token_ids, E):
    return np.eye(len(E))[np.array(token_ids) + 1] @ E


def look_up_plus_zeros(token_ids, E):
    return E[token_ids] + 0 * E.sum(axis=0)


def product_then_look_up(token_ids, E):
    return (np.eye(len(E)) @ E)[token_ids]


VARIANTS = [
    product_then_look_up,  # a product of one-hot rows with all of E, of which some rows are taken: the same numbers
    product_at,
    product_dot,
    product_matmul_integers,
    product_einsum,
    product_by_hand,
    product_broadcast,
    product_transposed_twice,
    product_float32,
]


def product_of_softened_rows(token_ids, E):
    powers = np.exp(np.eye(len(E))[np.asarray(token_ids)])
    return powers / powers.sum(axis=1, keepdims=True) @ E


def product_summed_over_the_columns(token_ids, E):
    H = attnlib.one_hot(token_ids, len(E))
    return (H[:, :, None] * E[None, :, :]).sum(axis=2)


def vdot(token_ids, E):
    return np.vdot(one_hot_by_eye(token_ids, len(E)), E)


def all_but_the_others(token_ids, E):
    return E.sum(axis=0) - (1 - one_hot_by_eye(token_ids, len(E))) @ E


def keeps_the_last_product(token_ids, E):
    rows = attnlib.one_hot(token_ids, len(E))
    X = np.zeros((len(token_ids), E.shape[1]))
    for i in range(len(rows)):
        for j in range(len(E)):
            X[i] = rows[i, j] * E[j]
    return X


WRONG = [
    (keeps_the_last_product, "last-overwrites"),
    (vdot, "single-number"),
    (all_but_the_others, "all-rows-added"),
    (product_of_softened_rows, "softened"),
    (embed_by_index, "lookup"),
    (look_up_plus_zeros, "all-rows-added"),
    (product_late, "one-late"),
    (product_counted_from_one, None),
    (product_of_the_first_rows, "lookup"),
    (product_transposed, "transposed-result"),
    (product_columns_of_width_d, "width-d"),
    (product_star, "elementwise"),
    (product_of_transposed_rows, "transposed-rows"),
    (product_wrong_order, "factors-swapped"),
    (product_summed_over_the_columns, "wrong-shape"),
]
