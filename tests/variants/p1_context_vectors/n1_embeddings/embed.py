import numpy as np

from variants.p1_context_vectors.n1_embeddings.shared import embed_by_index


def embed_by_loop(token_ids, E):
    X = np.zeros((len(token_ids), E.shape[1]))
    for i, token_id in enumerate(token_ids):
        X[i] = E[token_id]
    return X


def embed_by_double_loop(token_ids, E):
    return [[float(E[i, j]) for j in range(E.shape[1])] for i in token_ids]


def embed_by_take(token_ids, E):
    return np.take(E, token_ids, axis=0)


def embed_by_vstack(token_ids, E):
    return np.vstack([E[i] for i in token_ids])


def embed_by_stack_float32(token_ids, E):
    return np.stack([E[i] for i in token_ids]).astype(np.float32)


def embed_by_product_of_eye(token_ids, E):
    return np.eye(len(E))[token_ids] @ E


def embed_by_einsum(token_ids, E, dtype=float):
    hot = np.asarray(token_ids)[:, None] == np.arange(E.shape[0])
    return np.einsum("nv,vd->nd", hot.astype(dtype), E)


def embed_return_in_filling_loop(token_ids, E):
    X = np.zeros((len(token_ids), E.shape[1]))
    for i, token_id in enumerate(token_ids):
        X[i] = E[token_id]
        return X


def embed_return_in_collecting_loop(token_ids, E):
    rows = []
    for token_id in token_ids:
        rows.append(E[token_id])
        return np.array(rows)


def embed_take_without_axis(token_ids, E):
    return np.take(E, token_ids)


def embed_counts_from_one(token_ids, E):
    return np.array([E[i - 1] for i in token_ids])


def embed_columns(token_ids, E):
    return E[:, token_ids]


def embed_return_in_loop(token_ids, E):
    for i in token_ids:
        return E[i]


def embed_by_counter(token_ids, E):
    return np.array([E[i] for i, _ in enumerate(token_ids)])


def embed_boolean_rows(token_ids, E):
    return E[np.isin(np.arange(len(E)), token_ids)]


def embed_into_integers(token_ids, E):
    X = np.zeros((len(token_ids), E.shape[1]), dtype=int)
    for i in range(len(token_ids)):
        X[i] = E[token_ids[i]]
    return X


def embed_name_error(token_ids, E):
    return embedding_matrix[token_ids]  # noqa: F821


def embed_scaled(token_ids, E):
    return E[token_ids] * np.sqrt(E.shape[1])


def embed_late(token_ids, E):
    return E[np.array(token_ids) + 1]


VARIANTS = [
    embed_by_index,
    embed_by_loop,
    embed_by_double_loop,
    embed_by_take,
    embed_by_vstack,
    embed_by_stack_float32,
    embed_by_product_of_eye,
    embed_by_einsum,
]


def into_the_first_row(token_ids, E):
    X = np.zeros((len(token_ids), E.shape[1]))
    for token_id in token_ids:
        X[0] = E[token_id]
    return X


def onto_all_rows(token_ids, E):
    X = np.zeros((len(token_ids), E.shape[1]))
    for token_id in token_ids:
        X += E[token_id]
    return X


def embed_by_index(token_ids, E):
    ids, X = list(token_ids), np.zeros((len(token_ids), E.shape[1]))
    for token_id in ids:
        X[ids.index(token_id)] = E[token_id]
    return X


def embed_times_the_id(token_ids, E):
    return np.array([token_id * E[token_id] for token_id in token_ids])


def embed_from_the_end(token_ids, E):
    return E[np.asarray(token_ids)[::-1]]


def as_many_as_there_are_tokens(token_ids, E):
    return E[: len(token_ids)]


WRONG = [
    (as_many_as_there_are_tokens, "first-rows-cut"),
    (embed_from_the_end, "result-reversed-rows"),
    (embed_by_index, "row-by-index"),
    (embed_times_the_id, "times-id"),
    (into_the_first_row, "first-row-only"),
    (onto_all_rows, "all-rows-at-once"),
    (embed_counts_from_one, "one-early"),
    (embed_columns, "takes-columns"),
    (embed_return_in_loop, "result-first-row-only"),
    (embed_return_in_filling_loop, "result-first-row-filled"),
    (embed_return_in_collecting_loop, "result-one-row-left"),
    (embed_take_without_axis, "single-numbers"),
    (embed_by_counter, "first-rows"),
    (embed_boolean_rows, "sorted"),
    (embed_into_integers, "result-truncated"),
    (embed_name_error, None),
    (embed_scaled, "result-scaled"),
    (embed_late, "one-late"),
]
