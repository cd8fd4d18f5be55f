import functools

import numpy as np


def in_one_loop(weights):
    n = weights.shape[-1]
    rolled = np.eye(n)
    for layer in weights:
        rolled = (0.5 * layer.mean(axis=0) + 0.5 * np.eye(n)) @ rolled
    return rolled


def by_reduce(weights):
    A = (np.mean(weights, axis=1) + np.eye(weights.shape[-1])) / 2
    return functools.reduce(lambda rolled, one: one @ rolled, A)


def from_the_last(weights):
    A = (np.mean(weights, axis=1) + np.eye(weights.shape[-1])) / 2
    rolled = A[-1]
    for one in A[-2::-1]:
        rolled = rolled @ one
    return rolled


def by_multi_dot(weights):
    A = list((np.mean(weights, axis=1) + np.eye(weights.shape[-1])) / 2)
    return A[0] if len(A) == 1 else np.linalg.multi_dot(A[::-1])


def normalised_as_in_the_paper(weights):
    rolled = np.eye(weights.shape[-1])
    for layer in weights:
        A = layer.mean(0) + np.eye(len(rolled))
        rolled = A / A.sum(axis=-1, keepdims=True) @ rolled
    return rolled


def half_and_half_of_what_is_there(weights):
    rolled = np.eye(weights.shape[-1])
    for layer in weights:
        rolled = 0.5 * rolled + 0.5 * layer.mean(axis=0) @ rolled
    return rolled


def in_plain_python(weights):
    heads, n = np.shape(weights)[1:3]
    rolled = [[float(i == j) for j in range(n)] for i in range(n)]
    for layer in weights.tolist():
        A = [[(sum(head[i][j] for head in layer) / heads + (i == j)) / 2 for j in range(n)] for i in range(n)]
        rolled = [[sum(A[i][k] * rolled[k][j] for k in range(n)) for j in range(n)] for i in range(n)]
    return rolled


def in_single_precision(weights):
    return in_one_loop(weights.astype(np.float32)).astype(np.float32)


VARIANTS = [
    in_one_loop,
    by_reduce,
    from_the_last,
    by_multi_dot,
    normalised_as_in_the_paper,
    half_and_half_of_what_is_there,
    in_plain_python,
    in_single_precision,
]


def products(mixed, weights, turned=False):
    rolled = np.eye(weights.shape[-1])
    for layer in weights:
        rolled = rolled @ mixed(layer) if turned else mixed(layer) @ rolled
    return rolled


def no_residual(weights):
    return products(lambda layer: layer.mean(0), weights)


def sums_of_two(weights):
    return products(lambda layer: layer.mean(0) + np.eye(layer.shape[-1]), weights)


def turned(weights):
    return products(lambda layer: (layer.mean(0) + np.eye(layer.shape[-1])) / 2, weights, turned=True)


def summed_heads(weights):
    return products(lambda layer: (layer.sum(0) + np.eye(layer.shape[-1])) / 2, weights)


def best_head(weights):
    return products(lambda layer: (layer.max(0) + np.eye(layer.shape[-1])) / 2, weights)


def best_head_normalised(weights):
    def mixed(layer):
        A = layer.max(axis=0) + np.eye(layer.shape[-1])
        return A / A.sum(axis=1, keepdims=True)

    return products(mixed, weights)


def head_after_head(weights):
    return products(lambda layers: (layers.mean(0) + np.eye(layers.shape[-1])) / 2, weights.swapaxes(0, 1))


def heads_apart(weights):
    return np.mean([in_one_loop(weights[:, h : h + 1]) for h in range(weights.shape[1])], axis=0)


def plus_one(weights):
    return products(lambda layer: (layer.mean(0) + 1) / 2, weights)


def by_stars(weights):
    rolled = np.ones(weights.shape[-2:])
    for layer in weights:
        rolled = (layer.mean(0) + np.eye(layer.shape[-1])) / 2 * rolled
    return rolled


def last_layer(weights):
    for layer in weights:
        rolled = (layer.mean(0) + np.eye(layer.shape[-1])) / 2
    return rolled


def mean_of_layers(weights):
    return (weights.mean(axis=(0, 1)) + np.eye(weights.shape[-1])) / 2


def first_layer_bare(weights):
    A = weights.mean(axis=1)
    rolled = A[0]
    for one in A[1:]:
        rolled = (one + np.eye(len(one))) / 2 @ rolled
    return rolled


def begins_with_it_and_loops_over_all(weights):
    A = (weights.mean(axis=1) + np.eye(weights.shape[-1])) / 2
    rolled = A[0]
    for one in A:
        rolled = one @ rolled
    return rolled


def at_the_end(weights):
    return (no_residual(weights) + np.eye(weights.shape[-1])) / 2


def input_again(weights):
    rolled = np.eye(weights.shape[-1])
    for layer in weights:
        rolled = (layer.mean(0) @ rolled + np.eye(len(rolled))) / 2
    return rolled


def by_columns(weights):
    def mixed(layer):
        A = layer.mean(0) + np.eye(layer.shape[-1])
        return A / A.sum(axis=0)

    return products(mixed, weights)


def first_head(weights):
    return products(lambda layer: (layer[0] + np.eye(layer.shape[-1])) / 2, weights)


def a_matrix_for_each_head(weights):
    rolled = np.eye(weights.shape[-1])
    for layer in weights:
        rolled = (layer + np.eye(layer.shape[-1])) / 2 @ rolled
    return rolled


def a_list_of_heads(weights):
    return [in_one_loop(weights[:, h : h + 1]) for h in range(weights.shape[1])]


def half_of_the_identity_alone(weights):
    R = np.eye(weights.shape[-1])
    for A in weights:
        R = (A.mean(axis=0) + 0.5 * np.eye(len(R))) @ R
    return R


def _from(start, weights):
    rolled = start
    for A in weights.mean(axis=1):
        rolled = (A + np.eye(len(A))) / 2 @ rolled
    return rolled


def from_ones(weights):
    return _from(np.ones(weights.shape[-2:]), weights)


def from_equal_shares(weights):
    return _from(np.full(weights.shape[-2:], 1 / weights.shape[-1]), weights)


def product_before_sum(weights):
    rolled = np.eye(weights.shape[-1])
    for A in weights.mean(axis=1):
        rolled = 0.5 * A + np.eye(len(A)) @ rolled
    return rolled


def every_head_a_layer(weights):
    R = np.eye(weights.shape[-1])
    for layer in weights:
        for A in layer:
            R = 0.5 * (A + np.eye(len(R))) @ R
    return R


def mean_of_all_states(weights):
    R, out = np.eye(weights.shape[-1]), []
    for A in weights.mean(axis=1):
        R = 0.5 * (A + np.eye(len(R))) @ R
        out.append(R)
    return np.mean(out, axis=0)


def half_and_half_without_a_product(weights):
    R = np.eye(weights.shape[-1])
    for A in weights.mean(axis=1):
        R = 0.5 * A + 0.5 * R
    return R


def two_names_for_the_identity(weights):
    R = identity = np.eye(weights.shape[-1])
    for A in weights.mean(axis=1):
        R[:] = 0.5 * (A + identity) @ R
    return R


def power_of_the_mean(weights):
    n = weights.shape[-1]
    return np.linalg.matrix_power(0.5 * (weights.mean(axis=(0, 1)) + np.eye(n)), len(weights))


def half_at_the_end(weights):
    R = np.eye(weights.shape[-1])
    for A in weights.mean(axis=1):
        R = (A + np.eye(len(R))) @ R
    return R / 2


def half_on_the_diagonal(weights):
    R = np.eye(weights.shape[-1])
    for A in weights.mean(axis=1):
        A = A / 2
        np.fill_diagonal(A, 0.5)
        R = A @ R
    return R


def the_product_for_the_identity(weights):
    R = np.eye(weights.shape[-1])
    for A in weights:
        R = (A.mean(axis=0) + R) / 2 @ R
    return R


def without_the_last(weights):
    R, n = np.eye(weights.shape[-1]), len(weights)
    for layer in range(n - 1):
        R = 0.5 * (weights[layer].mean(axis=0) + np.eye(len(R))) @ R
    return R


def begins_with_the_first_and_ends_too_early(weights):
    A = (weights.mean(axis=1) + np.eye(weights.shape[-1])) / 2
    R = A[0]
    for layer in range(1, len(A) - 1):
        R = A[layer] @ R
    return R


def without_the_first(weights):
    R = np.eye(weights.shape[-1])
    for layer in range(1, len(weights)):
        R = 0.5 * (weights[layer].mean(axis=0) + np.eye(len(R))) @ R
    return R


def mixed_in_the_first_only(weights):
    A = weights.mean(axis=1)
    R = (A[0] + np.eye(weights.shape[-1])) / 2
    for one in A[1:]:
        R = one @ R
    return R


def mixed_in_the_last_only(weights):
    A, R = weights.mean(axis=1), np.eye(weights.shape[-1])
    for one in A[:-1]:
        R = one @ R
    return (A[-1] + np.eye(len(R))) / 2 @ R


def added_without_brackets(weights):
    R = identity = np.eye(weights.shape[-1])
    for A in weights.mean(axis=1):
        R = A @ R / 2 + identity
    return R


def nine_to_one(weights):
    R = identity = np.eye(weights.shape[-1])
    for A in weights.mean(axis=1):
        R = (0.9 * A + 0.1 * identity) @ R
    return R


def best_head_rescaled(weights):
    R = np.eye(weights.shape[-1])
    for A in weights.max(axis=1):
        R = (A / A.sum(axis=-1, keepdims=True) + np.eye(len(R))) / 2 @ R
    return R


def half_and_nothing(weights):
    R = np.eye(weights.shape[-1])
    for A in weights.mean(axis=1):
        R = 0.5 * A @ R
    return R


def down_to_layer_1(weights):
    A = (weights.mean(axis=1) + np.eye(weights.shape[-1])) / 2
    R = A[-1]
    for layer in range(len(A) - 2, 0, -1):
        R = R @ A[layer]
    return R


def both_last_axes(weights):
    R = np.eye(weights.shape[-1])
    for A in weights.mean(axis=1):
        R = np.einsum("ij,kj->ik", (A + np.eye(len(R))) / 2, R)
    return R


def added_and_never_halved(weights):
    R = identity = np.eye(weights.shape[-1])
    for A in weights.mean(axis=1):
        R = A @ R + identity
    return R


def heads_apart_without_the_path(weights):
    found = []
    for head in range(weights.shape[1]):
        R = np.eye(weights.shape[-1])
        for A in weights[:, head]:
            R = A @ R
        found.append(R)
    return np.mean(found, axis=0)


def returns_from_the_top(weights):
    R = np.eye(weights.shape[-1])
    for A in weights.mean(axis=1)[::-1]:
        R = R @ (0.5 * A + 0.5 * np.eye(len(R)))
        return R


def keeps_no_product(weights):
    R = np.eye(weights.shape[-1])
    for A in weights.mean(axis=1):
        0.5 * (A + np.eye(len(R))) @ R
    return R


def writes_to_another_name(weights):
    rolled = np.eye(weights.shape[-1])
    for layer in weights:
        rolled_new = (layer.mean(axis=0) + np.eye(len(rolled))) / 2 @ rolled
    return rolled if len(rolled_new) else rolled_new


def adds_to_the_identity(weights):
    R = np.eye(weights.shape[-1])
    for A in weights.mean(axis=1):
        R = R + 0.5 * (A + np.eye(len(R)))
    return R


def written_over(weights):
    n = weights.shape[-1]
    R = np.eye(n)
    for A in weights.mean(axis=1):
        B = 0.5 * (A + np.eye(n))
        for i in range(n):
            for j in range(n):
                R[i, j] = sum(B[i, k] * R[k, j] for k in range(n))
    return R


def softmax_of_the_mean(weights):
    R = np.eye(weights.shape[-1])
    for layer in weights:
        e = np.exp(layer.mean(axis=0))
        R = 0.5 * (e / e.sum(axis=-1, keepdims=True) + np.eye(len(R))) @ R
    return R


def one_mean_of_a_layer(weights):
    n = weights.shape[-1]
    R = np.eye(n)
    for A in weights:
        R = (0.5 * (A.mean() + np.eye(n))) @ R
    return R


def times_the_first(weights):
    M = 0.5 * (weights.mean(axis=1) + np.eye(weights.shape[-1]))
    J = [M[0]]
    for one in M[1:]:
        J.append(one @ J[0])
    return J[-1]


def times_its_neighbour(weights):
    M = 0.5 * (weights.mean(axis=1) + np.eye(weights.shape[-1]))
    R = M[0]
    for i in range(1, len(M)):
        R = M[i] @ M[i - 1]
    return R


def all_that_were_there(weights):
    M = 0.5 * (weights.mean(axis=1) + np.eye(weights.shape[-1]))
    joint = np.zeros(M.shape)
    joint[0] = M[0]
    for i in range(1, len(M)):
        joint[i] = M[i] @ joint[i - 1]
    return joint


def begins_bare_and_loops_over_all(weights):
    means, identity = weights.mean(axis=1), np.eye(weights.shape[-1])
    rolled = means[0]
    for one in means:
        rolled = (one + identity) / 2 @ rolled
    return rolled


def smallest_head_rescaled(weights):
    smallest = weights.min(axis=1)
    smallest = smallest / smallest.sum(axis=-1, keepdims=True)
    rolled = np.eye(weights.shape[-1])
    for one in smallest:
        rolled = (one + np.eye(len(one))) / 2 @ rolled
    return rolled


def softmax_of_what_is_mixed(weights):
    rolled = np.eye(weights.shape[-1])
    for one in weights.mean(axis=1):
        powers = np.exp((one + np.eye(len(one))) / 2)
        rolled = powers / powers.sum(axis=-1, keepdims=True) @ rolled
    return rolled


def softmax_of_the_sum(weights):
    rolled = np.eye(weights.shape[-1])
    for one in weights.mean(axis=1):
        powers = np.exp(one + np.eye(len(one)))
        rolled = powers / powers.sum(axis=-1, keepdims=True) @ rolled
    return rolled


def equal_shares_in_each_layer(weights):
    n = weights.shape[-1]
    rolled = np.eye(n)
    for one in weights.mean(axis=1):
        rolled = (one + np.ones((n, n)) / n) / 2 @ rolled
    return rolled


def last_times_first(weights):
    means, identity = weights.mean(axis=1), np.eye(weights.shape[-1])
    return ((means[-1] + identity) / 2) @ ((means[0] + identity) / 2)


def no_brackets_and_no_half(weights):
    n = weights.shape[-1]
    R = np.eye(n)
    for A in weights.mean(1):
        R = A + np.eye(n) @ R
    return R


def no_brackets_and_half_of_the_identity(weights):
    n = weights.shape[-1]
    R = np.eye(n)
    for A in weights.mean(1):
        R = A + np.eye(n) / 2 @ R
    return R


def by_stars_from_the_identity(weights):
    n = weights.shape[-1]
    R = np.eye(n)
    for layer in weights:
        A = layer.mean(axis=0)
        A = (A + np.eye(n)) / 2
        R = A * R
    return R


def heads_by_the_number_of_layers(weights):
    n = weights.shape[-1]
    R = np.eye(n)
    for layer in weights:
        R = (layer.sum(0) / len(weights) + np.eye(n)) / 2 @ R
    return R


def heads_by_the_number_of_tokens(weights):
    n = weights.shape[-1]
    R = np.eye(n)
    for layer in weights:
        R = (layer.sum(0) / n + np.eye(n)) / 2 @ R
    return R


def from_the_last_and_over_all(weights):
    n = weights.shape[-1]
    M = (weights.mean(1) + np.eye(n)) / 2
    R = M[-1]
    for A in M[::-1]:
        R = R @ A
    return R


def _by_three_loops(weights, put, anew=True, kept=np.copy):
    """The product by three loops, into a matrix that is new in each layer or not."""
    n = weights.shape[-1]
    R, new = np.eye(n), np.zeros((n, n))
    for A in (weights.mean(1) + np.eye(n)) / 2:
        new = np.zeros((n, n)) if anew else new
        for i in range(n):
            for j in range(n):
                for k in range(n):
                    new[i, j] = put(new[i, j], A[i, k] * R[k, j])
        R = kept(new)
    return R


def three_loops_that_replace(weights):
    return _by_three_loops(weights, lambda before, product: product)


def three_loops_into_one_matrix(weights):
    return _by_three_loops(weights, np.add, anew=False, kept=np.asarray)


def three_loops_into_one_matrix_and_a_copy(weights):
    return _by_three_loops(weights, np.add, anew=False)


def heads_added_from_layer_to_layer(weights):
    n = weights.shape[-1]
    R = np.eye(n)
    total = np.zeros((n, n))
    for layer in weights:
        for head in layer:
            total = total + head
        R = (total / len(layer) + np.eye(n)) / 2 @ R
    return R


def each_with_itself(weights):
    n = weights.shape[-1]
    R = np.eye(n)
    for layer in weights:
        A = (layer.mean(0) + np.eye(n)) / 2
        R = A @ A
    return R


def fills_the_diagonal_alone(weights):
    n = weights.shape[-1]
    R = np.eye(n)
    for layer in weights:
        A = layer.mean(0)
        np.fill_diagonal(A, 0.5)
        R = A @ R
    return R


def fills_the_diagonal_with_ones(weights):
    n = weights.shape[-1]
    R = np.eye(n)
    for layer in weights:
        A = layer.mean(0)
        np.fill_diagonal(A, 1)
        R = A / A.sum(-1, keepdims=True) @ R
    return R


def adds_the_product(weights):
    n = weights.shape[-1]
    R = np.eye(n)
    for layer in weights:
        A = (layer.mean(0) + np.eye(n)) / 2
        R += A @ R
    return R


def from_zeros(weights):
    n = weights.shape[-1]
    R = np.zeros((n, n))
    for layer in weights:
        A = (layer.mean(0) + np.eye(n)) / 2
        R = A @ R
    return R


def two_parts_of_the_weights(weights):
    n = weights.shape[-1]
    R = np.eye(n)
    for layer in weights:
        R = (2 * layer.mean(0) / 3 + np.eye(n) / 3) @ R
    return R


def two_parts_of_the_identity(weights):
    n = weights.shape[-1]
    R = np.eye(n)
    for layer in weights:
        R = (layer.mean(0) + 2 * np.eye(n)) / 3 @ R
    return R


def half_and_half_twice(weights):
    n = weights.shape[-1]
    R = np.eye(n)
    for layer in weights.mean(axis=1):
        mixed = 0.5 * (layer + np.eye(n))
        R = 0.5 * mixed @ R + 0.5 * R
    return R


WRONG = [
    (half_and_half_twice, "half-twice"),
    (no_brackets_and_no_half, "brackets-missing-in-full"),
    (no_brackets_and_half_of_the_identity, "brackets-missing-half-before"),
    (by_stars_from_the_identity, "entry-by-entry-from-identity"),
    (heads_by_the_number_of_layers, "heads-by-layers"),
    (heads_by_the_number_of_tokens, "heads-by-tokens"),
    (from_the_last_and_over_all, "last-twice"),
    (three_loops_that_replace, "last-way-only"),
    (three_loops_into_one_matrix, "sum-goes-on"),
    (three_loops_into_one_matrix_and_a_copy, "sum-goes-on-beside"),
    (heads_added_from_layer_to_layer, "heads-sum-goes-on"),
    (each_with_itself, "with-itself"),
    (fills_the_diagonal_alone, "diagonal-replaced-alone"),
    (fills_the_diagonal_with_ones, "diagonal-of-ones"),
    (adds_the_product, "added-to-itself"),
    (from_zeros, "begins-with-zeros"),
    (two_parts_of_the_weights, "twice-the-weights"),
    (two_parts_of_the_identity, "twice-the-identity"),
    (last_times_first, "first-and-last-only"),
    (begins_bare_and_loops_over_all, "first-twice-once-bare"),
    (smallest_head_rescaled, "smallest-head-rescaled"),
    (softmax_of_the_sum, "softmax-of-sum"),
    (softmax_of_what_is_mixed, "softmax-of-mixed"),
    (equal_shares_in_each_layer, "equal-shares-for-identity"),
    (one_mean_of_a_layer, "mean-of-everything"),
    (times_the_first, "each-with-the-first"),
    (times_its_neighbour, "each-with-the-last"),
    (all_that_were_there, "one-for-each-layer"),
    (written_over, "read-while-written"),
    (softmax_of_the_mean, "softmax-again"),
    (keeps_no_product, "never-multiplied"),
    (writes_to_another_name, "never-multiplied"),
    (adds_to_the_identity, "layers-summed-beside"),
    (returns_from_the_top, "last-layer-only"),
    (half_and_nothing, "half-without-identity"),
    (down_to_layer_1, "first-of-several-lost"),
    (both_last_axes, "keys-with-keys"),
    (added_and_never_halved, "identity-in-full-after-full-product"),
    (heads_apart_without_the_path, "no-identity"),
    (heads_apart_without_the_path, "heads-rolled-apart"),
    (the_product_for_the_identity, "identity-overwritten"),
    (without_the_last, "last-layer-lost"),
    (begins_with_the_first_and_ends_too_early, "last-of-several-lost"),
    (without_the_first, "first-layer-lost"),
    (mixed_in_the_first_only, "identity-in-first-only"),
    (mixed_in_the_last_only, "identity-in-last-only"),
    (added_without_brackets, "identity-in-full-after-product"),
    (nine_to_one, "other-shares"),
    (best_head_rescaled, "largest-head-rescaled"),
    (half_at_the_end, "halved-once"),
    (half_on_the_diagonal, "diagonal-replaced"),
    (every_head_a_layer, "heads-as-layers"),
    (mean_of_all_states, "states-averaged"),
    (half_and_half_without_a_product, "mixed-not-multiplied"),
    (two_names_for_the_identity, "identity-overwritten"),
    (power_of_the_mean, "mean-layer-repeated"),
    (from_ones, "begins-with-ones"),
    (from_equal_shares, "begins-with-equal-shares"),
    (product_before_sum, "brackets-missing"),
    (half_of_the_identity_alone, "half-identity"),
    (a_matrix_for_each_head, "heads-not-averaged"),
    (a_list_of_heads, "heads-not-averaged"),
    (no_residual, "no-identity"),
    (sums_of_two, "not-halved"),
    (turned, "order-turned"),
    (summed_heads, "heads-summed"),
    (best_head, "largest-head"),
    (best_head_normalised, "largest-head-normalised"),
    (head_after_head, "axes-exchanged"),
    (heads_apart, "heads-rolled-apart"),
    (plus_one, "one-for-identity"),
    (by_stars, "entry-by-entry"),
    (last_layer, "last-layer-only"),
    (mean_of_layers, "layers-averaged"),
    (first_layer_bare, "first-without-residual"),
    (begins_with_it_and_loops_over_all, "first-twice"),
    (at_the_end, "identity-once"),
    (input_again, "identity-after-product"),
    (by_columns, "columns-normalised"),
    (first_head, "first-head-only"),
]
