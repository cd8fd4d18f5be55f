import numpy as np

from variants.p1_context_vectors.n1_embeddings.shared import (
    one_hot_as_integers,
    one_hot_as_lists,
    one_hot_by_eye,
    one_hot_by_fancy_index,
    one_hot_by_loop,
)


def one_hot_as_bool(token_ids, vocab_size):
    return np.array(token_ids)[:, None] == np.arange(vocab_size)


def one_hot_by_outer(token_ids, vocab_size):
    return np.equal.outer(token_ids, range(vocab_size)).astype(float)


def one_hot_by_put(token_ids, vocab_size):
    rows = np.zeros((len(token_ids), vocab_size))
    np.put_along_axis(rows, np.asarray(token_ids)[:, None], 1, axis=1)
    return rows


def one_hot_eye_columns(token_ids, vocab_size):
    return (np.arange(vocab_size)[:, None] == np.asarray(token_ids)).astype(int)


def one_hot_too_short(token_ids, vocab_size):
    return np.eye(max(token_ids) + 1)[token_ids]


def one_hot_bag(token_ids, vocab_size):
    row = np.zeros(vocab_size)
    row[token_ids] = 1
    return row


def one_hot_all_columns(token_ids, vocab_size):
    H = np.zeros((len(token_ids), vocab_size))
    H[:, token_ids] = 1
    return H


def one_hot_whole_rows(token_ids, vocab_size):
    H = np.zeros((len(token_ids), vocab_size))
    H[token_ids] = 1
    return H


def one_hot_square(token_ids, vocab_size):
    H = np.zeros((vocab_size, vocab_size))
    for i in token_ids:
        H[i, i] = 1
    return H


def one_hot_square_by_place(token_ids, vocab_size):
    H = np.zeros((vocab_size, vocab_size))
    for i, token_id in enumerate(token_ids):
        H[i, token_id] = 1
    return H


def one_hot_identity(token_ids, vocab_size):
    return np.eye(vocab_size)


def one_hot_counted_from_one(token_ids, vocab_size):
    rows = np.zeros((len(token_ids), vocab_size))
    for i, token_id in enumerate(token_ids):
        rows[i, token_id - 1] = 1
    return rows


def one_hot_writes_id(token_ids, vocab_size):
    rows = np.zeros((len(token_ids), vocab_size))
    for i, token_id in enumerate(token_ids):
        rows[i, token_id] = token_id
    return rows


def one_hot_of_the_place(token_ids, vocab_size):
    rows = np.zeros((len(token_ids), vocab_size))
    for i in range(len(token_ids)):
        rows[i, i] = 1
    return rows


def one_hot_returns_in_the_loop(token_ids, vocab_size):
    H = np.zeros((len(token_ids), vocab_size))
    for i, token_id in enumerate(token_ids):
        H[i, token_id] = 1
        return H


def one_hot_without_the_last(token_ids, vocab_size):
    H = np.zeros((len(token_ids), vocab_size))
    for i in range(len(token_ids) - 1):
        H[i, token_ids[i]] = 1
    return H


def one_hot_row_never_reset(token_ids, vocab_size):
    row, rows = [0] * vocab_size, []
    for token_id in token_ids:
        row[token_id] = 1
        rows.append(list(row))
    return rows


def one_hot_eye_less_one(token_ids, vocab_size):
    return np.eye(vocab_size)[np.array(token_ids) - 1]


def one_hot_of_ten(token_ids, vocab_size):
    rows = np.zeros(10)
    rows[token_ids] = 1
    return rows


VARIANTS = [
    one_hot_by_eye,
    one_hot_by_loop,
    one_hot_by_fancy_index,
    one_hot_as_bool,
    one_hot_as_lists,
    one_hot_as_integers,
    one_hot_by_outer,
    one_hot_by_put,
]


def one_hot_of_ones(token_ids, vocab_size):
    rows = np.ones((len(token_ids), vocab_size))
    for i, token_id in enumerate(token_ids):
        rows[i, token_id] = 1
    return rows


def one_hot_unchosen(token_ids, vocab_size):
    return np.eye(len(token_ids), vocab_size)


def rows_by_index(token_ids, vocab_size):
    ids = list(token_ids)
    rows = np.zeros((len(ids), vocab_size))
    for token_id in ids:
        rows[ids.index(token_id), token_id] = 1
    return rows


def one_hot_with_a_colon(token_ids, vocab_size):
    rows = np.zeros((len(token_ids), vocab_size))
    for i, token_id in enumerate(token_ids):
        rows[i, token_id:] = 1
    return rows


def one_hot_from_the_end(token_ids, vocab_size):
    rows = np.zeros((len(token_ids), vocab_size))
    for i, token_id in enumerate(token_ids):
        rows[i, -token_id] = 1
    return rows


def one_hot_numbers_anew(token_ids, vocab_size):
    return np.eye(vocab_size)[np.unique(token_ids, return_inverse=True)[1]]


def compares_a_list(token_ids, vocab_size):
    return np.array([token_ids == j for j in range(vocab_size)]).T


WRONG = [
    (compares_a_list, "list-compared"),
    (one_hot_with_a_colon, "from-id-on"),
    (one_hot_from_the_end, "from-the-end"),
    (one_hot_numbers_anew, "ranks"),
    (rows_by_index, "row-by-index"),
    (one_hot_of_ones, "all-ones"),
    (one_hot_unchosen, "on-the-diagonal"),
    (one_hot_eye_columns, "transposed-result"),
    (one_hot_too_short, "own-width"),
    (one_hot_bag, "shared-row"),
    (one_hot_all_columns, "all-columns"),
    (one_hot_whole_rows, "whole-rows"),
    (one_hot_square, "square-by-id"),
    (one_hot_square_by_place, "square-by-place"),
    (one_hot_identity, "identity"),
    (one_hot_counted_from_one, "one-early"),
    (one_hot_writes_id, "id-as-value"),
    (one_hot_of_the_place, "column-by-place"),
    (one_hot_returns_in_the_loop, None),
    (one_hot_without_the_last, None),
    (one_hot_row_never_reset, None),
    (one_hot_eye_less_one, "one-early"),
    (one_hot_of_ten, None),
]
