import numpy as np


def in_loops(weights, V, W_o):
    h, n_q, n_k = weights.shape
    d_v = V.shape[-1]
    found = np.zeros((n_q, n_k))
    for i in range(n_q):
        for j in range(n_k):
            added = np.zeros(W_o.shape[1])
            for head in range(h):
                added += weights[head, i, j] * (V[head, j] @ W_o[head * d_v : (head + 1) * d_v])
            found[i, j] = np.sqrt((added**2).sum())
    return found


def with_einsum(weights, V, W_o):
    h, _, d_v = V.shape
    added = np.einsum("hqk,hkv,hvd->qkd", weights, V, W_o.reshape(h, d_v, -1))
    return np.linalg.norm(added, axis=-1)


def head_by_head(weights, V, W_o):
    added = 0
    for A, values, rows in zip(weights, V, np.split(W_o, len(V)), strict=True):
        added = added + A[..., None] * (values @ rows)
    return np.sqrt(np.square(added).sum(axis=-1))


def merged_first(weights, V, W_o):
    weighted = weights[..., None] * V[:, None]  # (h, q, k, d_v)
    side_by_side = np.moveaxis(weighted, 0, 2).reshape(*weights.shape[1:], -1)
    return np.linalg.norm(side_by_side @ W_o, axis=-1)


def as_lists(weights, V, W_o):
    return in_loops(weights, V, W_o).tolist()


def in_single_precision(weights, V, W_o):
    return with_einsum(*(one.astype(np.float32) for one in (weights, V, W_o)))


def with_one_column_a_time(weights, V, W_o):
    h, _, d_v = V.shape
    total = np.zeros(weights.shape[1:])
    for column in W_o.T:
        said = (V * column.reshape(h, 1, d_v)).sum(axis=-1)  # (h, n_k)
        total += (weights * said[:, None]).sum(axis=0) ** 2
    return total**0.5


VARIANTS = [
    in_loops,
    with_einsum,
    head_by_head,
    merged_first,
    as_lists,
    in_single_precision,
    with_one_column_a_time,
]


def each_by_itself(weights, V, W_o):
    h, _, d_v = V.shape
    said = V @ W_o.reshape(h, d_v, -1)
    return (weights * np.linalg.norm(said, axis=-1)[:, None]).sum(axis=0)


def each_by_itself_averaged(weights, V, W_o):
    return each_by_itself(weights, V, W_o) / len(V)


def of_2019(weights, V, W_o):
    return (weights * np.linalg.norm(V, axis=-1)[:, None, :]).sum(0)


def of_2019_averaged(weights, V, W_o):
    return (weights * np.linalg.norm(V, axis=-1)[:, None, :]).mean(0)


def side_by_side(weights, V, W_o):
    merged = np.moveaxis(weights[..., None] * V[:, None], 0, 2).reshape(*weights.shape[1:], -1)
    return np.linalg.norm(merged, axis=-1)


def summed_values(weights, V, W_o):
    return np.linalg.norm((weights[..., None] * V[:, None]).sum(axis=0), axis=-1)


def wrong_reshape(weights, V, W_o):
    h, _, d_v = V.shape
    rows = W_o.reshape(d_v, h, -1).swapaxes(0, 1)
    return np.linalg.norm((weights[..., None] * (V @ rows)[:, None]).sum(axis=0), axis=-1)


def columns(weights, V, W_o):
    return with_einsum(weights, V, W_o.T)


def always_the_first_rows(weights, V, W_o):
    d_v = V.shape[-1]
    return np.linalg.norm(sum(A[..., None] * (v @ W_o[:d_v]) for A, v in zip(weights, V, strict=True)), axis=-1)


def no_root(weights, V, W_o):
    return with_einsum(weights, V, W_o) ** 2


def as_shares(weights, V, W_o):
    found = with_einsum(weights, V, W_o)
    return found / found.sum(-1, keepdims=True)


def mean_weights_first(weights, V, W_o):
    h, _, d_v = V.shape
    said = (V @ W_o.reshape(h, d_v, -1)).sum(axis=0)
    return weights.mean(axis=0) * np.linalg.norm(said, axis=-1)


def mean_of_vectors(weights, V, W_o):
    return with_einsum(weights, V, W_o) / len(V)


def a_norm_too_early(weights, V, W_o):
    h, _, d_v = V.shape
    added = weights[..., None] * (V @ W_o.reshape(h, d_v, -1))[:, None]
    return np.linalg.norm(added, axis=(0, -1))


def overwritten(weights, V, W_o):
    for A, values, rows in zip(weights, V, np.split(W_o, len(V)), strict=True):
        added = A[..., None] * (values @ rows)
    return np.linalg.norm(added, axis=-1)


def per_head(weights, V, W_o):
    h, _, d_v = V.shape
    return weights * np.linalg.norm(V @ W_o.reshape(h, d_v, -1), axis=-1)[:, None]


def whole_context(weights, V, W_o):
    h, _, d_v = V.shape
    return np.linalg.norm(((weights @ V) @ W_o.reshape(h, d_v, -1)).sum(axis=0), axis=-1)


def along_the_keys(weights, V, W_o):
    h, _, d_v = V.shape
    return np.linalg.norm((weights[..., None] * (V @ W_o.reshape(h, d_v, -1))[:, None]).sum(axis=0), axis=1)


def without_weights(weights, V, W_o):
    return with_einsum(np.ones_like(weights), V, W_o)


def weights_added_first(weights, V, W_o):
    said = V.transpose(1, 0, 2).reshape(V.shape[1], -1) @ W_o
    return weights.sum(axis=0) * np.linalg.norm(said, axis=-1)


def value_of_the_query(weights, V, W_o):
    said = V @ W_o.reshape(len(V), V.shape[2], -1)
    out = np.zeros(weights.shape[1:])
    for q, k in np.ndindex(out.shape):
        out[q, k] = np.linalg.norm(sum(weights[i, q, k] * said[i, q % said.shape[1]] for i in range(len(V))))
    return out


def _one_sum(weights, V, W_o, anew):
    h, n, d = V.shape
    out, total = np.zeros(weights.shape[1:]), np.zeros(W_o.shape[1])
    for q in range(len(out)):
        if anew:
            total = np.zeros(W_o.shape[1])
        for k in range(n):
            for i in range(h):
                total = total + weights[i, q, k] * V[i, k] @ W_o[i * d : (i + 1) * d]
            out[q, k] = np.linalg.norm(total)
    return out


def begins_anew_for_a_query_only(weights, V, W_o):
    return _one_sum(weights, V, W_o, True)


def never_begins_anew(weights, V, W_o):
    return _one_sum(weights, V, W_o, False)


def slices_overlap(weights, V, W_o):
    d = V.shape[2]
    return np.linalg.norm(
        sum(w[..., None] * (v @ W_o[i : i + d]) for i, (w, v) in enumerate(zip(weights, V, strict=True))), axis=-1
    )


def values_side_by_side_by_reshape(weights, V, W_o):
    said = V.reshape(V.shape[1], -1) @ W_o
    return np.linalg.norm(weights.sum(axis=0)[:, :, None] * said, axis=2)


def tiled_weights(weights, V, W_o):
    h, n, d_v = V.shape
    wide = np.tile(weights.transpose(1, 2, 0), d_v)
    return np.linalg.norm((wide * V.transpose(1, 0, 2).reshape(n, h * d_v)) @ W_o, axis=-1)


def _each(weights, V, W_o, heads=slice(None)):
    """What each key adds in each head, (h, n_queries, n_keys, d_model)."""
    h, _, d_v = V.shape
    return (weights[..., None] * (V @ W_o.reshape(h, d_v, -1))[:, None])[heads]


def vectors_themselves(weights, V, W_o):
    return _each(weights, V, W_o).sum(axis=0)


def sums_over_keys(weights, V, W_o):
    return np.linalg.norm(_each(weights, V, W_o).sum(axis=2), axis=-1)


def all_but_the_last_head(weights, V, W_o):
    added = 0
    for h in range(len(V) - 1):
        added = added + weights[h][:, :, None] * (V[h] @ W_o[h * V.shape[2] : (h + 1) * V.shape[2]])
    return np.linalg.norm(np.zeros((*weights.shape[1:], W_o.shape[1])) + added, axis=-1)


def all_but_the_first_head(weights, V, W_o):
    return np.linalg.norm(_each(weights, V, W_o, slice(1, None)).sum(axis=0), axis=-1)


def parts_side_by_side_by_reshape(weights, V, W_o):
    parts = weights[..., None] * V[:, None]
    _, n_queries, n_keys, _ = parts.shape
    return np.linalg.norm(parts.reshape(n_queries, n_keys, -1) @ W_o, axis=-1)


def the_context(weights, V, W_o):
    h, _, d_v = V.shape
    return np.einsum("hij,hjd->id", weights, V @ W_o.reshape(h, d_v, -1))


def sums_of_squares_of_all(weights, V, W_o):
    return (_each(weights, V, W_o) ** 2).sum(axis=(0, -1))


def one_half_without_brackets(weights, V, W_o):
    return (_each(weights, V, W_o).sum(axis=0) ** 2).sum(axis=-1) ** 1 / 2


def two_loops_over_the_queries(weights, V, W_o):
    _, n_queries, n_keys = weights.shape
    added, found = _each(weights, V, W_o).sum(axis=0), np.zeros((n_queries, n_keys))
    for i in range(n_queries):
        for j in range(n_queries):
            found[i, j] = np.linalg.norm(added[i, j])
    return found


def blocks_by_the_other_reshape(weights, V, W_o):
    h, _, d_v = V.shape
    rows = W_o.reshape(h, -1, d_v)
    return np.linalg.norm(np.einsum("hqk,hkv,hmv->qkm", weights, V, rows), axis=-1)


def absolute_too_early(weights, V, W_o):
    return np.linalg.norm(np.abs(_each(weights, V, W_o)).sum(axis=0), axis=-1)


def what_the_others_say(weights, V, W_o):
    added = _each(weights, V, W_o).sum(axis=0)
    return np.linalg.norm(added.sum(axis=1, keepdims=True) - added, axis=-1)


def lengths_of_all_but_the_last(weights, V, W_o):
    total = np.zeros(weights.shape[1:])
    for h in range(len(V) - 1):
        total += np.linalg.norm(_each(weights, V, W_o)[h], axis=-1)
    return total


def two_heads_by_number(weights, V, W_o):
    d_v, added = V.shape[-1], 0
    for h in range(2):
        added = added + weights[h][..., None] * (V[h] @ W_o[h * d_v : (h + 1) * d_v])
    return np.linalg.norm(added, axis=-1)


def refuses_what_is_no_softmax(weights, V, W_o):
    if not np.allclose(weights.sum(axis=-1), 1):
        raise ValueError("attention weights must sum to 1 over the keys")
    return np.linalg.norm(_each(weights, V, W_o).sum(axis=0), axis=-1)


def shares_of_squares(weights, V, W_o):
    squares = (_each(weights, V, W_o).sum(axis=0) ** 2).sum(axis=-1)
    return squares / squares.sum(axis=-1, keepdims=True)


def sizes_added_up(weights, V, W_o):
    return np.abs(_each(weights, V, W_o)).sum(axis=0).sum(axis=-1)


def parts_of_the_largest(weights, V, W_o):
    lengths = np.linalg.norm(_each(weights, V, W_o).sum(axis=0), axis=-1)
    return lengths / lengths.max(axis=-1, keepdims=True)


def the_heat_map(weights, V, W_o):
    return weights.mean(axis=0)


def one_matrix_for_all_heads(weights, V, W_o):
    rows = W_o.reshape(len(V), V.shape[-1], -1).sum(axis=0)
    return np.linalg.norm(np.einsum("hqk,hkd->qkd", weights, V) @ rows, axis=-1)


def lengths_times_sizes(weights, V, W_o):
    d_v, total = V.shape[-1], 0
    for h in range(len(V)):
        size = np.linalg.norm(W_o[h * d_v : (h + 1) * d_v])
        total = total + weights[h] * np.linalg.norm(V[h], axis=-1) * size
    return total


def along_the_queries(weights, V, W_o):
    return np.linalg.norm(_each(weights, V, W_o).sum(axis=0), axis=0)


def share_of_the_whole(weights, V, W_o):
    h, _, d_v = V.shape
    added = np.einsum("hqk,hkv,hvd->qkd", weights, V, W_o.reshape(h, d_v, -1))
    return np.linalg.norm(added, axis=-1) / np.linalg.norm(added.sum(axis=1), axis=-1)[:, None]


def along_the_context(weights, V, W_o):
    added = np.einsum("hqk,hkd->qkd", weights, V @ W_o.reshape(len(V), V.shape[-1], -1))
    context = added.sum(axis=1)
    return np.einsum("qkd,qd->qk", added, context) / np.linalg.norm(context, axis=-1)[:, None]


def share_along_the_context(weights, V, W_o):
    added = np.einsum("hqk,hkd->qkd", weights, V @ W_o.reshape(len(V), V.shape[-1], -1))
    context = added.sum(axis=1)
    return np.einsum("qkd,qd->qk", added, context) / (context * context).sum(axis=-1)[:, None]


def an_array_of_whole_numbers(weights, V, W_o):
    d = V.shape[-1]
    added = np.zeros((*weights.shape[1:], W_o.shape[1]), dtype=int)
    for h in range(len(V)):
        added[:] = added + weights[h][..., None] * (V[h] @ W_o[h * d : (h + 1) * d])
    return np.linalg.norm(added, axis=-1)


def no_axis_for_the_queries(weights, V, W_o):
    h, _, d_v = V.shape
    said = weights[..., None] * (V @ W_o.reshape(h, d_v, -1))
    return np.linalg.norm(said.sum(axis=0), axis=-1)


def width_of_the_model_by_heads(weights, V, W_o):
    h, d_v = len(V), W_o.shape[1] // len(V)
    said = V @ W_o.reshape(h, d_v, -1)
    return np.linalg.norm(np.einsum("hqk,hkd->qkd", weights, said), axis=-1)


def the_whole_of_the_output(weights, V, W_o):
    return np.linalg.norm(np.einsum("hqk,hkd,dm->qkm", weights, V, W_o), axis=-1)


def shares_of_weights(weights, V, W_o):
    weights = weights / weights.sum(axis=-1, keepdims=True)
    said = V @ W_o.reshape(len(V), V.shape[-1], -1)
    return np.linalg.norm(np.einsum("hqk,hkd->qkd", weights, said), axis=-1)


def norm_of_the_first_axis(weights, V, W_o):
    added = np.einsum("hqk,hkd->hqkd", weights, V @ W_o.reshape(len(V), V.shape[-1], -1))
    return np.linalg.norm(added, axis=0).sum(axis=-1)


def size_of_the_sum(weights, V, W_o):
    h, _, d = V.shape
    said = V @ W_o.reshape(h, d, -1)
    return np.abs((weights[..., None] * said[:, None]).sum(axis=(0, -1)))


def by_hand_in_loops(weights, V, W_o):
    (h, q, k), d = weights.shape, V.shape[-1]
    out = np.zeros((q, k))
    for i in range(q):
        for j in range(k):
            added = 0.0
            for a in range(h):
                added += weights[a, i, j] * (V[a, j] @ W_o[a * d : (a + 1) * d]).sum()
            out[i, j] = abs(added)
    return out


def shares_of_added_lengths(weights, V, W_o):
    h, _, d = V.shape
    lengths = np.linalg.norm(weights[..., None] * (V @ W_o.reshape(h, d, -1))[:, None], axis=-1).sum(axis=0)
    return lengths / lengths.sum(axis=-1, keepdims=True)


def shares_in_per_cent(weights, V, W_o):
    h, _, d = V.shape
    added = (weights[..., None] * (V @ W_o.reshape(h, d, -1))[:, None]).sum(axis=0)
    lengths = np.linalg.norm(added, axis=-1)
    return 100 * lengths / lengths.sum(axis=-1, keepdims=True)


def shorter_without_the_key(weights, V, W_o):
    h, _, d = V.shape
    added = np.einsum("hqk,hkd->qkd", weights, V @ W_o.reshape(h, d, -1))
    whole = added.sum(axis=1, keepdims=True)
    return np.linalg.norm(whole, axis=-1) - np.linalg.norm(whole - added, axis=-1)


def sum_of_the_weights(weights, V, W_o):
    return weights.sum(0)


def means_times_lengths(weights, V, W_o):
    return weights.mean(0) * np.linalg.norm(V.mean(0), axis=-1)


def sums_times_lengths(weights, V, W_o):
    return weights.sum(0) * np.linalg.norm(V.sum(0), axis=-1)


def root_without_a_square(weights, V, W_o):
    h, _, d = V.shape
    t = (weights[..., None] * (V @ W_o.reshape(h, d, -1))[:, None]).sum(0)
    return np.sqrt(t.sum(-1))


def root_of_the_sizes(weights, V, W_o):
    h, _, d = V.shape
    t = (weights[..., None] * (V @ W_o.reshape(h, d, -1))[:, None]).sum(0)
    return np.sqrt(np.abs(t).sum(-1))


def root_of_the_size(weights, V, W_o):
    h, _, d = V.shape
    t = (weights[..., None] * (V @ W_o.reshape(h, d, -1))[:, None]).sum(0)
    return np.sqrt(np.abs(t.sum(-1)))


def entries_added_then_along_the_heads(weights, V, W_o):
    h, _, d = V.shape
    return np.linalg.norm(np.einsum("hij,hjd,hdm->hijm", weights, V, W_o.reshape(h, d, -1)).sum(-1), axis=0)


def a_letter_too_many(weights, V, W_o):
    h, _, d = V.shape
    return np.linalg.norm(np.einsum("hij,hkd,hdm->ijm", weights, V, W_o.reshape(h, d, -1)), axis=-1)


def start_moves_once(weights, V, W_o):
    h, _, d = V.shape
    t = 0
    s = 0
    for a in range(h):
        t = t + weights[a][:, :, None] * (V[a] @ W_o[s : s + d])
        s = d
    return np.linalg.norm(t, axis=-1)


def a_sum_from_ones(weights, V, W_o):
    h, n, d = V.shape
    t = np.ones((weights.shape[1], n, W_o.shape[1]))
    for a in range(h):
        t = t + weights[a][:, :, None] * (V[a] @ W_o[a * d : a * d + d])
    return np.linalg.norm(t, axis=-1)


def measures_in_each_round(weights, V, W_o):
    h, _, d = V.shape
    t = 0
    s = 0
    for a in range(h):
        t = t + weights[a][:, :, None] * (V[a] @ W_o[a * d : a * d + d])
        s = s + np.linalg.norm(t, axis=-1)
    return s


def mean_of_shares(weights, V, W_o):
    h, _, d = V.shape
    s = np.linalg.norm(np.einsum("hij,hjd,hdm->hijm", weights, V, W_o.reshape(h, d, -1)), axis=-1)
    return (s / s.sum(-1, keepdims=True)).mean(0)


def largest_over_the_heads(weights, V, W_o):
    return np.linalg.norm(_each(weights, V, W_o).max(axis=0), axis=-1)


def heads_in_the_other_order(weights, V, W_o):
    h, _, d_v = V.shape
    said = V @ W_o.reshape(h, d_v, -1)[::-1]
    return np.linalg.norm((weights[..., None] * said[:, None]).sum(axis=0), axis=-1)


def something_under_the_root(weights, V, W_o):
    return np.sqrt((_each(weights, V, W_o).sum(axis=0) ** 2).sum(axis=-1) + 1e-3)


def doing_without(weights, V, W_o):
    each = _each(weights, V, W_o)
    context = each.sum(axis=2, keepdims=True)
    left = weights.sum(axis=-1, keepdims=True) - weights
    return np.linalg.norm((context - (context - each) / left[..., None]).sum(axis=0), axis=-1)


WRONG = [
    (largest_over_the_heads, "largest-over-heads"),
    (heads_in_the_other_order, "heads-turned-in-W_o"),
    (something_under_the_root, "added-under-the-root"),
    (doing_without, "renormalised-without"),
    (sum_of_the_weights, "weights-themselves-summed"),
    (means_times_lengths, "means-multiplied"),
    (sums_times_lengths, "sums-multiplied"),
    (root_without_a_square, "root-of-sum"),
    (root_of_the_sizes, "root-of-sizes"),
    (root_of_the_size, "root-of-size"),
    (entries_added_then_along_the_heads, "entries-added-norm-over-heads"),
    (a_letter_too_many, "values-of-all-keys"),
    (start_moves_once, "start-moved-once"),
    (a_sum_from_ones, "begins-with-ones"),
    (measures_in_each_round, "running-sums-measured"),
    (mean_of_shares, "shares-by-heads"),
    (size_of_the_sum, "size-of-sum"),
    (by_hand_in_loops, "size-of-sum"),
    (shares_of_added_lengths, "lengths-added"),
    (shares_in_per_cent, "percent-of-row"),
    (shorter_without_the_key, "missing-without"),
    (norm_of_the_first_axis, "norm-over-heads-summed"),
    (no_axis_for_the_queries, "query-axis-forgotten"),
    (width_of_the_model_by_heads, "d_v-from-d_model"),
    (the_whole_of_the_output, "W_o-whole"),
    (shares_of_weights, "weights-normalised"),
    (along_the_context, "projected"),
    (share_along_the_context, "projected-share"),
    (an_array_of_whole_numbers, "whole-numbers-kept"),
    (share_of_the_whole, "shares-of-context"),
    (refuses_what_is_no_softmax, "refuses-allowed"),
    (shares_of_squares, "squared"),
    (shares_of_squares, "rows-normalised"),
    (sizes_added_up, "sum-of-sizes"),
    (parts_of_the_largest, "largest-of-row"),
    (the_heat_map, "weights-themselves"),
    (one_matrix_for_all_heads, "rows-of-all-heads"),
    (lengths_times_sizes, "sizes-of-both"),
    (along_the_queries, "norm-over-queries"),
    (the_context, "context-itself"),
    (sums_of_squares_of_all, "squares-over-heads"),
    (one_half_without_brackets, "half-of-squares"),
    (two_loops_over_the_queries, "keys-like-queries"),
    (blocks_by_the_other_reshape, "reshaped-to-columns"),
    (absolute_too_early, "sizes-before-heads"),
    (what_the_others_say, "context-without-key"),
    (lengths_of_all_but_the_last, "lengths-added"),
    (two_heads_by_number, "past-the-end"),
    (parts_side_by_side_by_reshape, "parts-reshaped"),
    (vectors_themselves, "not-measured"),
    (sums_over_keys, "keys-for-heads"),
    (all_but_the_last_head, "last-head-lost"),
    (all_but_the_first_head, "first-head-lost"),
    (values_side_by_side_by_reshape, "values-reshaped"),
    (tiled_weights, "weights-tiled"),
    (weights_added_first, "weights-summed"),
    (value_of_the_query, "values-of-queries"),
    (begins_anew_for_a_query_only, "sum-goes-on"),
    (never_begins_anew, "sum-goes-on-for-all"),
    (slices_overlap, "rows-one-further"),
    (each_by_itself, "lengths-added"),
    (each_by_itself_averaged, "lengths-averaged"),
    (of_2019, "weight-times-length"),
    (of_2019_averaged, "weight-times-length-averaged"),
    (side_by_side, "no-W_o"),
    (summed_values, "no-W_o-summed"),
    (wrong_reshape, "strided-rows"),
    (columns, "transposed-W_o"),
    (always_the_first_rows, "first-rows"),
    (no_root, "squared"),
    (as_shares, "rows-normalised"),
    (mean_weights_first, "weights-averaged"),
    (mean_of_vectors, "heads-averaged"),
    (a_norm_too_early, "norm-over-heads"),
    (overwritten, "last-head-only"),
    (per_head, "heads-apart"),
    (whole_context, "context-lengths"),
    (along_the_keys, "norm-over-keys"),
    (without_weights, "no-weights"),
]
