import numpy as np

from grader.exercises.p3_multi_head.n5_multi_head.multi_head_attention import multi_head_attention


def with_zeros_like(W_q, W_k, W_v, W_o, b_q, b_k, b_v, b_o):
    return b_q, np.zeros_like(b_k), np.zeros_like(b_v), b_o + b_v @ W_o


def in_loops(W_q, W_k, W_v, W_o, b_q, b_k, b_v, b_o):
    d = len(b_o)
    output = [b_o[j] + sum(b_v[i] * W_o[i][j] for i in range(d)) for j in range(d)]
    return list(b_q), [0.0] * d, [0.0] * d, output


def with_einsum(W_q, W_k, W_v, W_o, b_q, b_k, b_v, b_o):
    return [b_q.copy(), 0 * b_k, 0 * b_v, np.einsum("i,ij->j", b_v, W_o) + b_o]


def by_running_the_layer(W_q, W_k, W_v, W_o, b_q, b_k, b_v, b_o):
    """What a layer says about a token of zeros is its bias."""
    nothing = np.zeros((1, len(b_v)))
    context, _ = multi_head_attention(nothing, nothing, W_q, W_k, W_v, W_o, 1, b_v=b_v, b_o=b_o)
    return b_q, np.zeros(len(b_k)), np.zeros(len(b_v)), context[0]


def with_the_output_transposed_twice(W_q, W_k, W_v, W_o, b_q, b_k, b_v, b_o):
    zeros = np.zeros(b_q.shape)
    return b_q, zeros, zeros, (W_o.T @ b_v[:, None])[:, 0] + b_o


def in_single_precision(W_q, W_k, W_v, W_o, b_q, b_k, b_v, b_o, verbose=False):
    W_o, b_q, b_v, b_o = (np.asarray(a, dtype=np.float32) for a in (W_o, b_q, b_v, b_o))
    zeros = np.zeros(len(b_q), dtype=np.float32)
    return b_q, zeros, zeros, b_o + (b_v[:, np.newaxis] * W_o).sum(axis=0)


VARIANTS = [
    with_zeros_like,
    in_loops,
    with_einsum,
    by_running_the_layer,
    with_the_output_transposed_twice,
    in_single_precision,
]


def wrong_only_the_keys(W_q, W_k, W_v, W_o, b_q, b_k, b_v, b_o):
    return b_q, np.zeros_like(b_k), b_v, b_o


def wrong_added_without_the_matrix(W_q, W_k, W_v, W_o, b_q, b_k, b_v, b_o):
    zeros = np.zeros_like(b_k)
    return b_q, zeros, zeros, b_v + b_o


def wrong_with_an_inverse(W_q, W_k, W_v, W_o, b_q, b_k, b_v, b_o):
    zeros = np.zeros_like(b_k)
    return b_q, zeros, b_v + b_o @ np.linalg.inv(W_o), zeros


def wrong_with_a_pseudo_inverse(W_q, W_k, W_v, W_o, b_q, b_k, b_v, b_o):
    zeros = np.zeros_like(b_k)
    return b_q, zeros, b_v + np.linalg.lstsq(W_o.T, b_o, rcond=None)[0], zeros


def wrong_columns(W_q, W_k, W_v, W_o, b_q, b_k, b_v, b_o):
    zeros = np.zeros_like(b_k)
    return b_q, zeros, zeros, b_o + (W_o * b_v).sum(axis=1)


def wrong_keys_moved(W_q, W_k, W_v, W_o, b_q, b_k, b_v, b_o):
    zeros = np.zeros_like(b_k)
    return b_q + b_k, zeros, zeros, b_o + b_v @ W_o


def wrong_two_left(W_q, W_k, W_v, W_o, b_q, b_k, b_v, b_o):
    return b_q, b_o + b_v @ W_o


def wrong_with_none(W_q, W_k, W_v, W_o, b_q, b_k, b_v, b_o):
    return b_q, None, None, b_o + b_v @ W_o


def plain_zeros(W_q, W_k, W_v, W_o, b_q, b_k, b_v, b_o):
    return b_q, 0, 0, b_v @ W_o + b_o


def other_order(W_q, W_k, W_v, W_o, b_q, b_k, b_v, b_o):
    zeros = np.zeros_like(b_v)
    return zeros, b_q, zeros, b_v @ W_o + b_o


def both_through(W_q, W_k, W_v, W_o, b_q, b_k, b_v, b_o):
    zeros = np.zeros_like(b_v)
    return b_q, zeros, zeros, (b_v + b_o) @ W_o


def diagonal_only(W_q, W_k, W_v, W_o, b_q, b_k, b_v, b_o):
    zeros = np.zeros_like(b_v)
    return b_q, zeros, zeros, np.diag(W_o) * b_v + b_o


def keys_kept(W_q, W_k, W_v, W_o, b_q, b_k, b_v, b_o):
    return b_q, b_k, np.zeros_like(b_v), b_v @ W_o + b_o


def queries_to_keys(W_q, W_k, W_v, W_o, b_q, b_k, b_v, b_o):
    zeros = np.zeros(len(b_k))
    return zeros, b_k + b_q @ W_q.T @ W_k, zeros, b_v @ W_o + b_o


def once_for_each_head(W_q, W_k, W_v, W_o, b_q, b_k, b_v, b_o):
    zeros = np.zeros(len(b_k))
    return b_q, zeros, zeros, 3 * b_v @ W_o + b_o


def three_zeros(W_q, W_k, W_v, W_o, b_q, b_k, b_v, b_o):
    zeros = np.zeros(len(b_k))
    return zeros, zeros, zeros, b_v @ W_o + b_o


WRONG = [
    (once_for_each_head, "once-for-each-head"),
    (wrong_with_none, "none-for-zeros"),
    (wrong_only_the_keys, "three-left"),
    (wrong_added_without_the_matrix, "not-through-W_o"),
    (wrong_with_an_inverse, "backwards"),
    (wrong_with_a_pseudo_inverse, "backwards-nearly"),
    (wrong_columns, "transposed-W_o"),
    (wrong_keys_moved, "keys-to-queries"),
    (wrong_two_left, None),
    (plain_zeros, "numbers-for-zeros"),
    (other_order, "queries-in-the-keys-place"),
    (both_through, "both-through-W_o"),
    (diagonal_only, "diagonal-of-W_o"),
    (keys_kept, "keys-left"),
    (queries_to_keys, "queries-to-keys-through"),
    (three_zeros, "three-gone"),
]
