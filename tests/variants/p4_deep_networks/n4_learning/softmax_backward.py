import numpy as np


def in_one_line(weights, d_weights):
    return weights * (d_weights - (weights * d_weights).sum(axis=-1, keepdims=True))


def with_einsum(weights, d_weights):
    mean = np.einsum("...i,...i->...", weights, d_weights)
    return weights * d_weights - weights * mean[..., None]


def row_by_row(weights, d_weights):
    flat_w, flat_d = (
        np.reshape(weights, (-1, np.shape(weights)[-1])),
        np.reshape(d_weights, (-1, np.shape(weights)[-1])),
    )
    rows = [w * d - w * np.dot(w, d) for w, d in zip(flat_w, flat_d, strict=True)]
    return np.reshape(rows, np.shape(weights))


def with_jacobians(weights, d_weights):
    jacobians = weights[..., :, None] * (np.eye(weights.shape[-1]) - weights[..., None, :])
    return (d_weights[..., None, :] @ jacobians)[..., 0, :]


def in_loops(weights, d_weights):
    result = np.zeros(np.shape(weights))
    for place in np.ndindex(result.shape):
        for i in range(result.shape[-1]):
            other = (*place[:-1], i)
            result[place] += d_weights[other] * weights[other] * ((i == place[-1]) - weights[place])
    return result


def with_average(weights, d_weights):
    mean = np.average(d_weights, axis=-1, weights=weights)
    return (weights.T * (d_weights.T - mean.T)).T


def in_single_precision(weights, d_weights):
    return in_one_line(np.asarray(weights, np.float32), np.asarray(d_weights, np.float32))


VARIANTS = [in_one_line, with_einsum, row_by_row, with_jacobians, in_loops, with_average, in_single_precision]


def handed_on(weights, d_weights):
    return d_weights


def like_a_sigmoid(weights, d_weights):
    return d_weights * weights * (1 - weights)


def down_the_columns(weights, d_weights):
    return weights * (d_weights - (weights * d_weights).sum(axis=0))


def over_everything(weights, d_weights):
    return weights * (d_weights - np.sum(weights * d_weights))


def loses_its_axis(weights, d_weights):
    return weights * (d_weights - (weights * d_weights).sum(axis=-1))


def turned_round(weights, d_weights):
    return weights * ((weights * d_weights).sum(axis=-1, keepdims=True) - d_weights)


def without_the_weights_in_front(weights, d_weights):
    return d_weights - (weights * d_weights).sum(axis=-1, keepdims=True)


def with_a_mean(weights, d_weights):
    return weights * (d_weights - d_weights.mean(axis=-1, keepdims=True))


def product_less_its_sum(weights, d_weights):
    product = weights * d_weights
    return product - product.sum(axis=-1, keepdims=True)


def written_for_one_row(weights, d_weights):
    mean = 0
    for j in range(len(weights)):
        mean = mean + weights[j] * d_weights[j]
    result = np.zeros(weights.shape)
    for i in range(len(weights)):
        result[i] = weights[i] * (d_weights[i] - mean)
    return result


def whatever_comes_is_a_row(weights, d_weights):
    rows = zip(weights, d_weights, strict=True)
    return np.array([w * (d - np.sum(w * d)) for w, d in rows])


def numbers_are_rows(weights, d_weights):
    result = np.zeros(weights.shape)
    for i in range(len(weights)):
        mean = (weights[i] * d_weights[i]).sum(axis=-1, keepdims=True)
        result[i] = weights[i] * (d_weights[i] - mean)
    return result


def products_of_numbers(weights, d_weights):
    return np.array([w * (d - w @ d) for w, d in zip(weights, d_weights, strict=True)])


def nothing_taken_off(weights, d_weights):
    return weights * d_weights


def takes_off_the_sum_of_the_weights(weights, d_weights):
    return weights * (d_weights - weights.sum(axis=-1, keepdims=True))


def against_the_best(weights, d_weights):
    return weights * (d_weights - d_weights.max(axis=-1, keepdims=True))


def down_each_matrix(weights, d_weights):
    told = weights * d_weights
    return told - weights * (told.sum(axis=-2, keepdims=True) if told.ndim > 1 else told.sum())


def ones_on_the_diagonal(weights, d_weights):
    return d_weights - weights * (weights * d_weights).sum(-1, keepdims=True)


def of_the_logarithm(weights, d_weights):
    return d_weights - weights * d_weights.sum(-1, keepdims=True)


def sum_of_squares_off(weights, d_weights):
    return weights * (d_weights - (weights * weights).sum(-1, keepdims=True))


def own_square_off(weights, d_weights):
    return weights * d_weights - weights**2 * d_weights.sum(-1, keepdims=True)


def both_derivatives(weights, d_weights):
    return weights * (1 - weights) * (d_weights - (weights * d_weights).sum(-1, keepdims=True))


def sum_of_the_others(weights, d_weights):
    told = weights * d_weights
    return weights * (d_weights - (told.sum(-1, keepdims=True) - told))


def sum_from_the_second(weights, d_weights):
    told = weights * d_weights
    return weights * (d_weights - told[..., 1:].sum(-1, keepdims=True))


def sum_on_the_way(weights, d_weights):
    return weights * (d_weights - np.cumsum(weights * d_weights, axis=-1))


def by_the_number_of_places(weights, d_weights):
    return weights * (d_weights - (weights * d_weights).sum(-1, keepdims=True)) / weights.shape[-1]


# Each with the mistake that the judge should name, or None.
WRONG = [
    (ones_on_the_diagonal, "identity-for-diagonal"),
    (of_the_logarithm, "log-softmax"),
    (sum_of_squares_off, "squares-summed"),
    (own_square_off, "squares-times-sum"),
    (both_derivatives, "two-derivatives"),
    (sum_of_the_others, "itself-left-out"),
    (sum_from_the_second, "first-place-left-out"),
    (sum_on_the_way, "running-mean"),
    (by_the_number_of_places, "divided-by-places"),
    (against_the_best, "largest-off"),
    (down_each_matrix, "columns-of-matrices"),
    (takes_off_the_sum_of_the_weights, "weights-alone-summed"),
    (handed_on, None),
    (like_a_sigmoid, "diagonal-only"),
    (down_the_columns, "column-sums"),
    (over_everything, "whole-sum"),
    (loses_its_axis, None),
    (turned_round, "sign-turned"),
    (without_the_weights_in_front, "factor-missing"),
    (with_a_mean, "plain-mean"),
    (product_less_its_sum, "mean-not-weighted"),
    (written_for_one_row, "column-sums"),
    (whatever_comes_is_a_row, "first-axis-looped"),
    (numbers_are_rows, "numbers-for-rows"),
    (products_of_numbers, "product-of-numbers"),
    (nothing_taken_off, "first-term-only"),
]
