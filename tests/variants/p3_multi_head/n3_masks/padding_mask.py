import numpy as np


def places_below_lengths(lengths, n):
    return np.arange(n)[None, None, :] < lengths[:, None, None]


def filled_row_by_row(lengths, n):
    mask = np.zeros((len(lengths), 1, n), dtype=bool)
    for b, length in enumerate(lengths):
        mask[b, 0, :length] = True
    return mask


def nested_lists(lengths, n):
    return [[[place < length for place in range(n)]] for length in lengths]


def axis_put_in_later(lengths, n):
    return np.expand_dims(np.arange(n) < np.reshape(lengths, (-1, 1)), axis=1)


def rows_of_a_triangle(lengths, n):
    return np.tri(n + 1, n, k=-1, dtype=bool)[lengths][:, np.newaxis]


def outer_comparison(lengths, n, *, axis=1):
    return np.expand_dims(np.greater.outer(np.asarray(lengths), np.arange(n)), axis)


VARIANTS = [
    places_below_lengths,
    filled_row_by_row,
    nested_lists,
    axis_put_in_later,
    rows_of_a_triangle,
    outer_comparison,
]


def a_matrix(lengths, n):
    return np.arange(n) < lengths[:, None]


def forgets_n(lengths, n):
    return np.arange(max(lengths)) < lengths[:, None, None]


def ones_for_real_tokens(lengths, n):
    return (np.arange(n) < lengths[:, None, None]).astype(int)


def on_the_queries(lengths, n):
    return (np.arange(n) < lengths[:, None])[:, :, None]


def length_included(lengths, n):
    return np.arange(n) <= lengths[:, None, None]


def true_is_padding(lengths, n):
    return np.arange(n) >= lengths[:, None, None]


def one_place_each(lengths, n):
    mask = np.zeros((len(lengths), 1, n), dtype=bool)
    for b, length in enumerate(lengths):
        mask[b, 0, length - 1] = True
    return mask


def keeps_one(lengths, n):
    return np.arange(n) < np.maximum(lengths, 1)[:, None, None]


def everything_for_an_empty_one(lengths, n):
    mask = np.arange(n) < lengths[:, None, None]
    mask[lengths == 0] = True
    return mask


def two_indices_for_three_axes(lengths, n):
    mask = np.zeros((len(lengths), 1, n), dtype=bool)
    for b, length in enumerate(lengths):
        mask[b, :length] = True
    return mask


def rows_as_long_as_the_sentences(lengths, n):
    return [[[True] * length] for length in lengths]


def without_the_future(lengths, n):
    return np.tri(n, dtype=bool) & (np.arange(n) < lengths[:, None, None])


WRONG = [
    (two_indices_for_three_axes, "slice-on-the-queries"),
    (rows_as_long_as_the_sentences, "ragged-result"),
    (forgets_n, "n-ignored"),
    (ones_for_real_tokens, None),
    (a_matrix, "no-query-axis"),
    (on_the_queries, "query-axis"),
    (length_included, "one-too-many"),
    (true_is_padding, "mask-inverted"),
    (one_place_each, "last-real-from-behind"),
    (keeps_one, "at-least-one"),
    (everything_for_an_empty_one, "empty-sees-all"),
    (without_the_future, "future-hidden"),
]
