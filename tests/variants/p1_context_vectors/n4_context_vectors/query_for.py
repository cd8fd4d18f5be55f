import math

import numpy as np

from attnlib import softmax


def differences_to_the_first(weights, K):
    return np.linalg.solve(K[1:] - K[0], np.log(weights[1:] / weights[0]))


def shift_as_one_more_unknown(weights, K):
    extended = np.hstack([K, np.ones((len(K), 1))])
    return np.linalg.inv(extended)[:-1] @ np.log(weights)


def centred_and_least_squares(weights, K):
    logs = np.log(weights)
    return np.linalg.lstsq(K - K.mean(axis=0), logs - logs.mean(), rcond=None)[0]


def pseudo_inverse_of_neighbours(weights, K):
    return np.linalg.pinv(np.diff(K, axis=0)) @ np.diff(np.log(weights))


def in_single_precision(weights, K):
    weights, K = np.asarray(weights, dtype=np.float32), np.asarray(K, dtype=np.float32)
    return np.linalg.solve(K[:-1] - K[-1], np.log(weights[:-1]) - np.log(weights[-1]))


def elimination_in_plain_python(weights, K):
    rows = [[*map(float, key), 1.0, math.log(w)] for key, w in zip(K, weights, strict=True)]
    n = len(rows)
    for column in range(n):
        best = max(range(column, n), key=lambda row: abs(rows[row][column]))
        rows[column], rows[best] = rows[best], rows[column]
        for row in range(n):
            if row != column:
                factor = rows[row][column] / rows[column][column]
                rows[row] = [a - factor * b for a, b in zip(rows[row], rows[column], strict=True)]
    return [rows[i][-1] / rows[i][i] for i in range(n - 1)]


def newtons_steps(weights, K, *, steps=60):
    q = np.zeros(K.shape[1])
    for _ in range(steps):
        p = softmax(K @ q)
        slope = K.T @ (weights - p)
        curvature = K.T @ (np.diag(p) - np.outer(p, p)) @ K
        step = np.linalg.solve(curvature, slope)
        while loss(q + step, weights, K) > loss(q, weights, K) and np.abs(step).max() > 1e-12:
            step = step / 2
        q = q + step
    return q


def loss(q, weights, K):
    scores = K @ q
    return np.log(np.exp(scores - scores.max()).sum()) + scores.max() - weights @ scores


VARIANTS = [
    differences_to_the_first,
    shift_as_one_more_unknown,
    centred_and_least_squares,
    pseudo_inverse_of_neighbours,
    in_single_precision,
    elimination_in_plain_python,
    newtons_steps,
]


def solves_for_the_weights(weights, K):
    return np.linalg.pinv(K) @ weights


def solves_for_the_logarithms(weights, K):
    return np.linalg.lstsq(K, np.log(weights), rcond=None)[0]


def solves_with_a_square_matrix(weights, K):
    d = K.shape[1]
    return np.linalg.solve(K[:d], np.log(weights[:d]))


def differences_of_weights(weights, K):
    return np.linalg.solve(K[1:] - K[0], weights[1:] - weights[0])


def subtracts_in_another_order(weights, K):
    return np.linalg.solve(K[1:] - K[0], np.log(weights[0] / weights[1:]))


def forgets_to_move_the_keys(weights, K):
    return np.linalg.solve(K[1:], np.log(weights[1:] / weights[0]))


def forgets_to_move_the_keys_by_the_last(weights, K):
    return np.linalg.solve(K[:-1], np.log(weights[:-1] / weights[-1]))


def centres_the_logarithms_only(weights, K):
    logs = np.log(weights)
    return np.linalg.pinv(K) @ (logs - logs.mean())


def moves_the_keys_only(weights, K):
    return np.linalg.solve(K[1:] - K[0], np.log(weights[1:]))


def mixes_the_keys(weights, K):
    return weights @ K


def base_two(weights, K):
    return np.linalg.solve(K[1:] - K[0], np.log2(weights[1:] / weights[0]))


def base_ten(weights, K):
    return np.linalg.solve(K[1:] - K[0], np.log10(weights[1:] / weights[0]))


def with_the_root(weights, K):
    return np.linalg.solve(K[1:] - K[0], np.log(weights[1:] / weights[0])) * np.sqrt(K.shape[1])


def keeps_the_shift(weights, K):
    return np.linalg.solve(np.column_stack([K, np.ones(len(K))]), np.log(weights))


def stops_at_the_scores(weights, K):
    return np.log(weights)


def looks_for_the_best_key(weights, K):
    return K[np.argmax(weights)]


def a_direction_only(weights, K):
    q = np.linalg.solve(K[1:] - K[0], np.log(weights[1:] / weights[0]))
    return q / np.linalg.norm(q)


def a_square_system_is_asked_for(weights, K):
    return np.linalg.solve(K, np.log(weights))


def takes_off_two_different_keys(weights, K):
    return np.linalg.solve(K[1:] - K[0], np.log(weights[1:] / weights[-1]))


def columns_of_differences(weights, K):
    return np.linalg.inv(np.array([k - K[0] for k in K[1:]]).T) @ np.log(weights[1:] / weights[0])


def logarithms_of_differences(weights, K):
    return np.linalg.solve(np.diff(K, axis=0), np.log(np.abs(weights[1:] - weights[:-1])))


def inverts_all_keys(weights, K):
    return np.linalg.inv(K) @ np.log(weights)


def neighbours_and_the_first(weights, K):
    A = np.diff(K, axis=0)
    b = np.log(weights[1:]) - np.log(weights[0])
    return np.linalg.solve(A, b)


def logarithms_of_differences_to_the_first(weights, K):
    A = K[1:] - K[0]
    b = np.log(np.abs(weights[1:] - weights[0]))
    return np.linalg.solve(A, b)


def for_all_keys_but_the_first(weights, K):
    return np.linalg.solve(K[1:], np.log(weights)[1:])


def takes_the_exponential(weights, K):
    return np.linalg.solve(K[1:] - K[0], np.exp(weights[1:]) - np.exp(weights[0]))


def solves_for_quotients(weights, K):
    return np.linalg.solve(K[1:] - K[0], weights[1:] / weights[0])


def first_key_lost_on_the_way(weights, K):
    K = K.copy()
    for i in range(len(K)):
        K[i] -= K[0]
    return np.linalg.solve(K[1:], np.log(weights[1:] / weights[0]))


def ones_first(weights, K):
    return np.linalg.solve(np.hstack([np.ones((len(K), 1)), K]), np.log(weights))[:-1]


def shifts_by_the_largest(weights, K):
    logs = np.log(weights)
    return np.linalg.lstsq(K, logs - logs.max(), rcond=None)[0]


def mixes_the_keys_by_logarithms(weights, K):
    return np.log(weights) @ K


def keeps_the_shift_alone(weights, K):
    return np.linalg.solve(np.hstack([K, np.ones((len(K), 1))]), np.log(weights))[-1]


def first_key_and_the_logarithm_before(weights, K):
    return np.linalg.solve(K[1:] - K[0], np.diff(np.log(weights)))


def one_mean_for_all_numbers(weights, K):
    logs = np.log(weights)
    return np.linalg.lstsq(K - K.mean(), logs - logs.mean(), rcond=None)[0]


def multiplies_by_the_differences(weights, K):
    return (K[1:] - K[0]).T @ np.log(weights[1:] / weights[0])


WRONG = [
    (multiplies_by_the_differences, "multiplied"),
    (keeps_the_shift_alone, "shift-alone"),
    (first_key_and_the_logarithm_before, "first-and-neighbours"),
    (one_mean_for_all_numbers, "one-mean-of-keys"),
    (first_key_lost_on_the_way, "first-key-kept"),
    (ones_first, "ones-in-front"),
    (shifts_by_the_largest, "logs-minus-largest"),
    (mixes_the_keys_by_logarithms, "keys-averaged-by-logs"),
    (takes_the_exponential, "exponential-taken"),
    (solves_for_quotients, "quotients-kept"),
    (for_all_keys_but_the_first, "first-key-left-out"),
    (takes_off_two_different_keys, "two-references"),
    (columns_of_differences, "differences-transposed"),
    (logarithms_of_differences, "log-of-differences"),
    (inverts_all_keys, "not-square"),
    (solves_for_the_weights, "weights-solved"),
    (solves_for_the_logarithms, "constant-forgotten"),
    (solves_with_a_square_matrix, "last-key-left-out"),
    (differences_of_weights, "no-logarithm"),
    (subtracts_in_another_order, "minus"),
    (forgets_to_move_the_keys, "first-key-kept"),
    (forgets_to_move_the_keys_by_the_last, "last-key-kept"),
    (centres_the_logarithms_only, "keys-not-centred"),
    (moves_the_keys_only, "logs-not-shifted"),
    (mixes_the_keys, "keys-averaged"),
    (base_two, "log2"),
    (base_ten, "log10"),
    (with_the_root, "scaled"),
    (keeps_the_shift, "shift-returned"),
    (stops_at_the_scores, "scores-returned"),
    (looks_for_the_best_key, "best-key"),
    (a_direction_only, "divided-by-length"),
    (a_square_system_is_asked_for, None),
    (neighbours_and_the_first, "neighbours-and-first"),
    (logarithms_of_differences_to_the_first, "log-of-differences-from-first"),
]
