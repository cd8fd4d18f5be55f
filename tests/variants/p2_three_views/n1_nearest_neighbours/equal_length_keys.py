import math

import numpy as np


def in_one_line(K):
    squared = (K**2).sum(axis=1, keepdims=True)
    return np.hstack([K, np.sqrt(squared.max() - squared)])


def with_norms(K):
    lengths = np.linalg.norm(K, axis=1)
    missing = np.maximum(lengths.max() ** 2 - lengths**2, 0)
    return np.column_stack((K, missing**0.5))


def in_plain_python(K):
    most = max(sum(x * x for x in key) for key in K)
    return [[*key, math.sqrt(most - sum(x * x for x in key))] for key in K]


def in_loops(K):
    longer = np.zeros((K.shape[0], K.shape[1] + 1))
    longest = max(np.sqrt(key @ key) for key in K)
    for j, key in enumerate(K):
        longer[j, :-1] = key
        longer[j, -1] = np.sqrt(max(longest**2 - key @ key, 0))
    return longer


def as_a_product(K):
    lengths = np.sqrt(np.einsum("kd,kd->k", K, K))
    longest = np.max(lengths)
    return np.concatenate([K, np.sqrt((longest - lengths) * (longest + lengths))[:, None]], axis=1)


def in_single_precision(K):
    return in_one_line(K.astype(np.float32))


def with_more_arguments(K, *, verbose=False):
    return np.pad(K, ((0, 0), (0, 1))) + np.outer(in_one_line(K)[:, -1], np.eye(K.shape[1] + 1)[-1])


def another_name(keys):
    return in_loops(keys)


VARIANTS = [
    in_one_line,
    with_norms,
    in_plain_python,
    in_loops,
    as_a_product,
    in_single_precision,
    with_more_arguments,
    another_name,
]


def forgets_the_root(K):
    squared = (K**2).sum(axis=1, keepdims=True)
    return np.hstack([K, squared.max() - squared])


def difference_of_lengths(K):
    lengths = np.linalg.norm(K, axis=1, keepdims=True)
    return np.hstack([K, lengths.max() - lengths])


def appends_the_length(K):
    return np.hstack([K, np.linalg.norm(K, axis=1, keepdims=True)])


def only_divides(K):
    return K / np.linalg.norm(K, axis=1, keepdims=True)


def puts_it_first(K):
    return np.roll(in_one_line(K), 1, axis=1)


def forgets_the_axis(K):
    return np.column_stack([K, np.sqrt(np.linalg.norm(K) ** 2 - (K**2).sum(axis=1))])


def takes_the_largest_number(K):
    return np.column_stack([K, np.sqrt(np.max(K) ** 2 - (K**2).sum(axis=1))])


def returns_the_column(K):
    return in_one_line(K)[:, -1]


def returns_a_column(K):
    return in_one_line(K)[:, -1:]


def takes_the_shortest(K):
    squared = (K**2).sum(axis=1, keepdims=True)
    return np.hstack([K, np.sqrt(np.abs(squared - squared.min()))])


def takes_the_largest_number_and_cuts(K):
    return np.column_stack([K, np.sqrt(np.maximum(K.max() ** 2 - (K**2).sum(axis=1), 0))])


def asks_from_the_second_on(K):
    most = max((K[i] ** 2).sum() for i in range(1, len(K)))
    return np.column_stack([K, np.sqrt(np.maximum(most - (K**2).sum(axis=1), 0))])


def does_not_square_the_longest(K):
    lengths = np.linalg.norm(K, axis=1)
    return np.column_stack([K, np.sqrt(np.maximum(lengths.max() - lengths**2, 0))])


def largest_of_each_column(K):
    most = (np.abs(K).max(axis=0) ** 2).sum()
    return np.column_stack([K, np.sqrt(most - (K**2).sum(axis=1))])


# Each with the mistake that the judge should name, or None.


def wrong_keys_joined_to_a_vector(K):
    squared = np.sum(K * K, axis=1)
    extra = np.sqrt(np.maximum(squared.max() - squared, 0))
    return np.hstack([K, extra])


def inserts_a_column(K):
    squared = (K**2).sum(axis=1)
    return np.insert(K, K.shape[1], np.sqrt(squared.max() - squared), axis=1)


def largest_along_axis_zero(K):
    squared = (K**2).sum(axis=1)
    longer = np.zeros((len(K), K.shape[1] + 1))
    longer[:, :-1] = K
    longer[:, -1] = np.sqrt(np.max(squared.max() - squared, 0))
    return longer


def squares_in_place_of_keys(K):
    K = K**2
    squared = K.sum(axis=1)
    return np.hstack([K, np.sqrt(squared.max() - squared)[:, None]])


def place_for_the_largest(K):
    squared = (K**2).sum(axis=1)
    return np.hstack([K, np.sqrt(squared.argmax() - squared)[:, None]])


def one_star_for_two(K):
    squared = (K * 2).sum(axis=1)
    return np.hstack([K, np.sqrt(squared.max() - squared)[:, None]])


def adds_the_squares(K):
    squared = (K**2).sum(axis=1)
    return np.hstack([K, np.sqrt(squared.max() + squared)[:, None]])


def scales_and_puts_zero(K):
    lengths = np.linalg.norm(K, axis=1, keepdims=True)
    return np.hstack([K * lengths.max() / lengths, np.zeros((len(K), 1))])


def _with_column(column):
    def answer(K):
        return np.column_stack([K, column((K**2).sum(axis=1))])

    return answer


to_the_power_of_one_over_two = _with_column(lambda squared: (squared.max() - squared) ** 1 / 2)
squares_the_longest_only = _with_column(lambda squared: np.sqrt(squared.max() - np.sqrt(squared)))
longest_in_the_same_loop = _with_column(lambda squared: np.sqrt(np.maximum.accumulate(squared) - squared))
ones_behind = _with_column(np.ones_like)
mean_of_the_squares = _with_column(lambda squared: np.sqrt(squared.mean() - squared))
mean_of_the_squares_cut = _with_column(lambda squared: np.sqrt(np.maximum(squared.mean() - squared, 0)))
size_of_what_is_missing_to_the_first = _with_column(lambda squared: np.sqrt(np.abs(squared[0] - squared)))
size_of_what_is_missing_to_the_last = _with_column(lambda squared: np.sqrt(np.abs(squared[-1] - squared)))


def length_of_the_example(K):
    return np.column_stack([K, np.sqrt(25 - (K**2).sum(axis=1))])


WRONG = [
    (to_the_power_of_one_over_two, "half-for-root"),
    (squares_the_longest_only, "only-R-squared"),
    (longest_in_the_same_loop, "largest-so-far"),
    (ones_behind, "one-behind"),
    (mean_of_the_squares, "mean-square"),
    (mean_of_the_squares_cut, "mean-square-cut"),
    (size_of_what_is_missing_to_the_first, "first-key-size"),
    (size_of_what_is_missing_to_the_last, "last-key-size"),
    (length_of_the_example, "typed"),
    (inserts_a_column, "whole-numbers"),
    (forgets_the_root, "no-root"),
    (difference_of_lengths, "difference-of-lengths"),
    (appends_the_length, "length-behind"),
    (only_divides, "divided"),
    (puts_it_first, "in-front"),
    (forgets_the_axis, "whole-matrix"),
    (takes_the_largest_number, "largest-number"),
    (returns_the_column, "coordinate-only"),
    (returns_a_column, "column-only"),
    (takes_the_shortest, "shortest-to-zero"),
    (takes_the_largest_number_and_cuts, "largest-number-cut"),
    (asks_from_the_second_on, "first-not-asked"),
    (does_not_square_the_longest, "not-squared-cut"),
    (largest_of_each_column, "largest-of-each-column"),
    (wrong_keys_joined_to_a_vector, "joined-shapes"),
    (largest_along_axis_zero, "max-along-axis"),
    (squares_in_place_of_keys, "squares-returned"),
    (place_for_the_largest, "place-of-the-longest"),
    (one_star_for_two, "doubled"),
    (adds_the_squares, "added-not-taken-off"),
    (scales_and_puts_zero, "scaled-and-zero"),
]
