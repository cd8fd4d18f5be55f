import numpy as np

from attnlib import merge_heads, multi_head_attention, scaled_dot_product_attention, softmax, split_heads


def by_its_context(X, W_q, W_k, W_v, W_o, num_heads, keep, mask=None):
    Q, K, V = (split_heads(X @ W, num_heads) for W in (W_q, W_k, W_v))
    context = scaled_dot_product_attention(Q, K, V, mask)[0]
    return merge_heads(context * keep[:, None, None]) @ W_o


def by_rows_of_the_output(X, W_q, W_k, W_v, W_o, num_heads, keep, mask=None):
    rows = np.repeat(keep, len(W_o) // num_heads)
    return multi_head_attention(X, X, W_q, W_k, W_v, W_o * rows[:, None], num_heads, mask)[0]


def by_columns_of_the_values(X, W_q, W_k, W_v, W_o, num_heads, keep, mask=None):
    W_v = W_v.copy()
    d = W_v.shape[1] // num_heads
    for head in range(num_heads):
        if not keep[head]:
            W_v[:, head * d : (head + 1) * d] = 0
    return multi_head_attention(X, X, W_q, W_k, W_v, W_o, num_heads, mask)[0]


def head_by_head(X, W_q, W_k, W_v, W_o, num_heads, keep, mask=None):
    d = W_q.shape[1] // num_heads
    said = np.zeros((len(X), W_o.shape[1]))
    for head in np.flatnonzero(keep):
        own = slice(head * d, (head + 1) * d)
        scores = X @ W_q[:, own] @ (X @ W_k[:, own]).T / np.sqrt(d)
        if mask is not None:
            scores = np.where(mask, scores, -np.inf)
        said += softmax(scores) @ (X @ W_v[:, own]) @ W_o[own]
    return said


def what_is_cut_taken_off(X, W_q, W_k, W_v, W_o, num_heads, keep, mask=None):
    whole = multi_head_attention(X, X, W_q, W_k, W_v, W_o, num_heads, mask)[0]
    return whole - by_its_context(X, W_q, W_k, W_v, W_o, num_heads, ~keep, mask)


def by_its_weights(X, W_q, W_k, W_v, W_o, num_heads, keep, mask=None):
    weights = multi_head_attention(X, X, W_q, W_k, W_v, W_o, num_heads, mask)[1].copy()
    weights[~np.asarray(keep)] = 0
    return (merge_heads(weights @ split_heads(X @ W_v, num_heads)) @ W_o).tolist()


def in_single_precision(X, W_q, W_k, W_v, W_o, num_heads, keep, mask=None):
    return by_its_context(*(A.astype(np.float32) for A in (X, W_q, W_k, W_v, W_o)), num_heads, keep, mask)


VARIANTS = [
    by_its_context,
    by_rows_of_the_output,
    by_columns_of_the_values,
    head_by_head,
    what_is_cut_taken_off,
    by_its_weights,
    in_single_precision,
]


def by_columns_of_the_output(X, W_q, W_k, W_v, W_o, num_heads, keep, mask=None):
    columns = np.repeat(keep, W_o.shape[1] // num_heads)
    return multi_head_attention(X, X, W_q, W_k, W_v, W_o * columns, num_heads, mask)[0]


def by_its_queries(X, W_q, W_k, W_v, W_o, num_heads, keep, mask=None):
    columns = np.repeat(keep, W_q.shape[1] // num_heads)
    return multi_head_attention(X, X, W_q * columns, W_k, W_v, W_o, num_heads, mask)[0]


def made_up_for(X, W_q, W_k, W_v, W_o, num_heads, keep, mask=None):
    return by_its_context(X, W_q, W_k, W_v, W_o, num_heads, keep, mask) * num_heads / max(1, keep.sum())


def the_others(X, W_q, W_k, W_v, W_o, num_heads, keep, mask=None):
    return by_its_context(X, W_q, W_k, W_v, W_o, num_heads, ~keep, mask)


def nothing_cut(X, W_q, W_k, W_v, W_o, num_heads, keep, mask=None):
    return multi_head_attention(X, X, W_q, W_k, W_v, W_o, num_heads, mask)[0]


def the_first_alone(X, W_q, W_k, W_v, W_o, num_heads, keep, mask=None):
    if not keep.all():
        keep = np.arange(num_heads) != np.argmin(keep)
    return by_its_context(X, W_q, W_k, W_v, W_o, num_heads, keep, mask)


def moved_up(X, W_q, W_k, W_v, W_o, num_heads, keep, mask=None):
    Q, K, V = (split_heads(X @ W, num_heads)[keep] for W in (W_q, W_k, W_v))
    if not len(Q):
        return np.zeros_like(X)
    merged = merge_heads(scaled_dot_product_attention(Q, K, V, mask)[0])
    return merged @ W_o[: merged.shape[1]]


def no_output(X, W_q, W_k, W_v, W_o, num_heads, keep, mask=None):
    Q, K, V = (split_heads(X @ W, num_heads) for W in (W_q, W_k, W_v))
    return merge_heads(scaled_dot_product_attention(Q, K, V, mask)[0] * keep[:, None, None])


def with_the_path(X, W_q, W_k, W_v, W_o, num_heads, keep, mask=None):
    return X + by_its_context(X, W_q, W_k, W_v, W_o, num_heads, keep, mask)


def without_the_mask(X, W_q, W_k, W_v, W_o, num_heads, keep, mask=None):
    return by_its_context(X, W_q, W_k, W_v, W_o, num_heads, keep)


def its_mean(X, W_q, W_k, W_v, W_o, num_heads, keep, mask=None):
    Q, K, V = (split_heads(X @ W, num_heads) for W in (W_q, W_k, W_v))
    context = scaled_dot_product_attention(Q, K, V, mask)[0]
    return merge_heads(np.where(keep[:, None, None], context, context.mean(axis=1, keepdims=True))) @ W_o


def on_the_tokens(X, W_q, W_k, W_v, W_o, num_heads, keep, mask=None):
    Q, K, V = (split_heads(X @ W, num_heads) for W in (W_q, W_k, W_v))
    return merge_heads(scaled_dot_product_attention(Q, K, V, mask)[0] * keep[:, None]) @ W_o


def every_second_column(X, W_q, W_k, W_v, W_o, num_heads, keep, mask=None):
    rows = np.tile(keep, len(W_o) // num_heads)
    return multi_head_attention(X, X, W_q, W_k, W_v, W_o * rows[:, None], num_heads, mask)[0]


def its_input(X, W_q, W_k, W_v, W_o, num_heads, keep, mask=None):
    X = X * np.repeat(keep, X.shape[1] // num_heads)
    return multi_head_attention(X, X, W_q, W_k, W_v, W_o, num_heads, mask)[0]


def nothing_left_to_weigh(X, W_q, W_k, W_v, W_o, num_heads, keep, mask=None):
    Q, K, V = (split_heads(X @ W, num_heads) for W in (W_q, W_k, W_v))
    scores = Q @ K.swapaxes(-1, -2) / np.sqrt(Q.shape[-1])
    if mask is not None:
        scores = np.where(mask, scores, -np.inf)
    scores = np.where(keep[:, None, None], scores, -np.inf)
    with np.errstate(invalid="ignore"):
        powers = np.exp(scores - scores.max(axis=-1, keepdims=True))
        return merge_heads(powers / powers.sum(axis=-1, keepdims=True) @ V) @ W_o


def without_a_scale(X, W_q, W_k, W_v, W_o, num_heads, keep, mask=None):
    root = np.sqrt(X.shape[1] // num_heads)
    return by_its_context(X, W_q * root, W_k, W_v, W_o, num_heads, keep, mask)


def _in_a_loop(begin, *, add=False):
    def answer(X, W_q, W_k, W_v, W_o, num_heads, keep, mask=None):
        d, said = X.shape[1] // num_heads, begin(X)
        weights = multi_head_attention(X, X, W_q, W_k, W_v, W_o, num_heads, mask)[1]
        for head in range(num_heads):
            own = slice(head * d, (head + 1) * d)
            if keep[head]:
                heard = weights[head] @ (X @ W_v[:, own]) @ W_o[own]
                said = said + heard if add else heard
        return said

    return answer


only_the_last_kept = _in_a_loop(np.zeros_like)
only_the_last_kept_from_0 = _in_a_loop(lambda X: 0)
adds_from_0 = _in_a_loop(lambda X: 0, add=True)


def without_a_beginning(X, W_q, W_k, W_v, W_o, num_heads, keep, mask=None):
    d = X.shape[1] // num_heads
    weights = multi_head_attention(X, X, W_q, W_k, W_v, W_o, num_heads, mask)[1]
    for head in range(num_heads):
        own = slice(head * d, (head + 1) * d)
        if keep[head]:
            said = weights[head] @ (X @ W_v[:, own]) @ W_o[own]
    return said


def joins_those_that_stay(X, W_q, W_k, W_v, W_o, num_heads, keep, mask=None):
    d = X.shape[1] // num_heads
    weights = multi_head_attention(X, X, W_q, W_k, W_v, W_o, num_heads, mask)[1]
    own = [slice(head * d, (head + 1) * d) for head in range(num_heads) if keep[head]]
    kept = weights[keep]
    merged = np.concatenate([A @ (X @ W_v[:, some]) for A, some in zip(kept, own, strict=True)], axis=1)
    return merged @ np.concatenate([W_o[some] for some in own])


def rows_of_the_values(X, W_q, W_k, W_v, W_o, num_heads, keep, mask=None):
    rows = np.repeat(keep, len(W_v) // num_heads)
    return multi_head_attention(X, X, W_q, W_k, W_v * rows[:, None], W_o, num_heads, mask)[0]


def columns_of_those_that_stay(X, W_q, W_k, W_v, W_o, num_heads, keep, mask=None):
    own = np.repeat(keep, len(W_o) // num_heads)
    return multi_head_attention(X, X, W_q[:, own], W_k[:, own], W_v[:, own], W_o[own], num_heads, mask)[0]


def chooses_by_the_flags(X, W_q, W_k, W_v, W_o, num_heads, keep, mask=None):
    q, k, v = (split_heads(X @ W, num_heads) for W in (W_q, W_k, W_v))
    h, _ = scaled_dot_product_attention(q, k, v, mask)
    out = np.zeros_like(h)
    for i in keep:
        out[int(i)] = h[int(i)]
    return merge_heads(out) @ W_o


def _of_the_merged(X, W_q, W_k, W_v, W_o, num_heads, mask, change):
    weights = multi_head_attention(X, X, W_q, W_k, W_v, W_o, num_heads, mask)[1]
    merged = merge_heads(weights @ split_heads(X @ W_v, num_heads))
    change(merged, merged.shape[1] // num_heads)
    return merged @ W_o


def one_column_a_head(X, W_q, W_k, W_v, W_o, num_heads, keep, mask=None):
    def change(merged, d):
        for head in range(num_heads):
            if not keep[head]:
                merged[:, head] = 0

    return _of_the_merged(X, W_q, W_k, W_v, W_o, num_heads, mask, change)


def tokens_for_columns(X, W_q, W_k, W_v, W_o, num_heads, keep, mask=None):
    def change(merged, d):
        for head in range(num_heads):
            if not keep[head]:
                merged[head * d : (head + 1) * d] = 0

    return _of_the_merged(X, W_q, W_k, W_v, W_o, num_heads, mask, change)


def all_heads_but_the_last(X, W_q, W_k, W_v, W_o, num_heads, keep, mask=None):
    def change(merged, d):
        for head in range(num_heads - 1):
            if not keep[head]:
                merged[:, head * d : (head + 1) * d] = 0

    return _of_the_merged(X, W_q, W_k, W_v, W_o, num_heads, mask, change)


def its_own_causal_mask(X, W_q, W_k, W_v, W_o, num_heads, keep, mask=None):
    return by_its_context(X, W_q, W_k, W_v, W_o, num_heads, keep, np.tri(len(X), dtype=bool))


def zeros_divided_once_more(X, W_q, W_k, W_v, W_o, num_heads, keep, mask=None):
    weights = multi_head_attention(X, X, W_q, W_k, W_v, W_o, num_heads, mask)[1] * keep[:, None, None]
    with np.errstate(all="ignore"):
        weights = weights / weights.sum(axis=-1, keepdims=True)
    return merge_heads(weights @ split_heads(X @ W_v, num_heads)) @ W_o


def tiled_rows_of_the_output(X, W_q, W_k, W_v, W_o, num_heads, keep, mask=None):
    rows = np.tile(keep, len(W_o) // num_heads)
    return multi_head_attention(X, X, W_q, W_k, W_v, W_o * rows[:, None], num_heads, mask)[0]


def returns_after_the_first_cut(X, W_q, W_k, W_v, W_o, num_heads, keep, mask=None):
    W_o, d = W_o.copy(), len(W_o) // num_heads
    for head in range(num_heads):
        if not keep[head]:
            W_o[head * d : (head + 1) * d] = 0
            return multi_head_attention(X, X, W_q, W_k, W_v, W_o, num_heads, mask)[0]
    return multi_head_attention(X, X, W_q, W_k, W_v, W_o, num_heads, mask)[0]


def _contexts(X, W_q, W_k, W_v, num_heads, mask):
    Q, K, V = (split_heads(X @ W, num_heads) for W in (W_q, W_k, W_v))
    return scaled_dot_product_attention(Q, K, V, mask)[0]


def the_place_of_the_least(X, W_q, W_k, W_v, W_o, num_heads, keep, mask=None):
    context = _contexts(X, W_q, W_k, W_v, num_heads, mask)
    context[np.argmin(keep)] = 0
    return merge_heads(context) @ W_o


def the_place_of_the_most(X, W_q, W_k, W_v, W_o, num_heads, keep, mask=None):
    context = _contexts(X, W_q, W_k, W_v, num_heads, mask)
    one = np.zeros_like(context)
    one[np.argmax(keep)] = context[np.argmax(keep)]
    return merge_heads(one) @ W_o


def as_wide_as_there_are_heads(X, W_q, W_k, W_v, W_o, num_heads, keep, mask=None):
    merged = merge_heads(_contexts(X, W_q, W_k, W_v, num_heads, mask))
    for head in range(num_heads):
        if not keep[head]:
            merged[:, head * num_heads : (head + 1) * num_heads] = 0
    return merged @ W_o


def values_by_a_bare_reshape(X, W_q, W_k, W_v, W_o, num_heads, keep, mask=None):
    _, weights = multi_head_attention(X, X, W_q, W_k, W_v, W_o, num_heads, mask)
    V = (X @ W_v).reshape(num_heads, len(X), -1)
    return merge_heads(weights @ V * keep[:, None, None]) @ W_o


def only_those_that_stay(X, W_q, W_k, W_v, W_o, num_heads, keep, mask=None):
    Q, K, V = (split_heads(X @ W, num_heads) for W in (W_q, W_k, W_v))
    context = scaled_dot_product_attention(Q, K, V, mask)[0]
    return merge_heads(context[keep]) @ W_o


def zeros_behind_the_mask(X, W_q, W_k, W_v, W_o, num_heads, keep, mask=None):
    Q, K, V = (split_heads(X @ W, num_heads) for W in (W_q, W_k, W_v))
    scores = Q @ K.swapaxes(-1, -2) / np.sqrt(Q.shape[-1])
    if mask is not None:
        scores = np.where(mask, scores, -np.inf)
    scores[~np.asarray(keep)] = 0
    return merge_heads(softmax(scores) @ V) @ W_o


def begins_with_head_1(X, W_q, W_k, W_v, W_o, num_heads, keep, mask=None):
    context = _contexts(X, W_q, W_k, W_v, num_heads, mask)
    for head in range(1, num_heads):
        if not keep[head]:
            context[head] = 0
    return merge_heads(context) @ W_o


def asks_what_it_is(X, W_q, W_k, W_v, W_o, num_heads, keep, mask=None):
    context = _contexts(X, W_q, W_k, W_v, num_heads, mask)
    for head in range(num_heads):
        if keep[head] is False:
            context[head] = 0
    return merge_heads(context) @ W_o


def _cut_in_the_values(cut):
    def answer(X, W_q, W_k, W_v, W_o, num_heads, keep, mask=None):
        W_v, d = W_v.copy(), W_v.shape[1] // num_heads
        for head in range(num_heads):
            if not keep[head]:
                W_v[:, cut(head, d)] = 0
        return multi_head_attention(X, X, W_q, W_k, W_v, W_o, num_heads, mask)[0]

    return answer


slices_that_begin_at_h = _cut_in_the_values(lambda h, d: slice(h, h + d))
all_columns_up_to_the_head = _cut_in_the_values(lambda h, d: slice(0, (h + 1) * d))
all_columns_from_the_head_on = _cut_in_the_values(lambda h, d: slice(h * d, None))
columns_of_the_head_before = _cut_in_the_values(lambda h, d: slice((h - 1) * d, h * d))
columns_of_the_head_behind = _cut_in_the_values(lambda h, d: slice((h + 1) * d, (h + 2) * d))
one_column_too_many = _cut_in_the_values(lambda h, d: slice(h * d, (h + 1) * d + 1))


def two_heads_as_in_the_toy(X, W_q, W_k, W_v, W_o, num_heads, keep, mask=None):
    context = _contexts(X, W_q, W_k, W_v, num_heads, mask)
    for head in range(2):
        if not keep[head]:
            context[head] = 0
    return merge_heads(context) @ W_o


def two_heads_and_half_of_the_rows(X, W_q, W_k, W_v, W_o, num_heads, keep, mask=None):
    W_o, d = W_o.copy(), len(W_o) // 2
    for head in range(2):
        if not keep[head]:
            W_o[head * d : (head + 1) * d] = 0
    return multi_head_attention(X, X, W_q, W_k, W_v, W_o, num_heads, mask)[0]


def the_first_that_stays(X, W_q, W_k, W_v, W_o, num_heads, keep, mask=None):
    context = _contexts(X, W_q, W_k, W_v, num_heads, mask)
    kept = np.zeros_like(context)
    if any(keep):
        head = list(keep).index(True)
        kept[head] = context[head]
    return merge_heads(kept) @ W_o


def their_mean(X, W_q, W_k, W_v, W_o, num_heads, keep, mask=None):
    return by_its_context(X, W_q, W_k, W_v, W_o, num_heads, keep, mask) / max(keep.sum(), 1)


def asks_whether_any_stays(X, W_q, W_k, W_v, W_o, num_heads, keep, mask=None):
    if not keep.any():
        return np.zeros_like(X)
    return multi_head_attention(X, X, W_q, W_k, W_v, W_o, num_heads, mask)[0]


def asks_whether_all_stay(X, W_q, W_k, W_v, W_o, num_heads, keep, mask=None):
    context = _contexts(X, W_q, W_k, W_v, num_heads, mask)
    if not keep.all():
        context[:] = 0
    return merge_heads(context) @ W_o


def asks_what_is_true(X, W_q, W_k, W_v, W_o, num_heads, keep, mask=None):
    context = _contexts(X, W_q, W_k, W_v, num_heads, mask)
    kept = np.zeros_like(context)
    for head in range(num_heads):
        if keep[head] is True:
            kept[head] = context[head]
    return merge_heads(kept) @ W_o


def rows_of_all_three(X, W_q, W_k, W_v, W_o, num_heads, keep, mask=None):
    rows = np.repeat(keep, len(W_q) // num_heads)[:, None]
    return multi_head_attention(X, X, W_q * rows, W_k * rows, W_v * rows, W_o, num_heads, mask)[0]


def the_second_axis_of_the_context(X, W_q, W_k, W_v, W_o, num_heads, keep, mask=None):
    context = _contexts(X, W_q, W_k, W_v, num_heads, mask)
    for head in range(num_heads):
        if not keep[head]:
            context[:, head] = 0
    return merge_heads(context) @ W_o


def true_for_forbidden(X, W_q, W_k, W_v, W_o, num_heads, keep, mask=None):
    if mask is not None:
        mask = ~mask
    return by_its_context(X, W_q, W_k, W_v, W_o, num_heads, keep, mask)


def a_causal_mask_for_any(X, W_q, W_k, W_v, W_o, num_heads, keep, mask=None):
    if mask is not None:
        mask = np.tri(len(X), dtype=bool)
    return by_its_context(X, W_q, W_k, W_v, W_o, num_heads, keep, mask)


def a_causal_mask_for_none(X, W_q, W_k, W_v, W_o, num_heads, keep, mask=None):
    if mask is None:
        mask = np.tri(len(X), dtype=bool)
    return by_its_context(X, W_q, W_k, W_v, W_o, num_heads, keep, mask)


def by_columns_of_weights(X, W_q, W_k, W_v, W_o, num_heads, keep, mask=None):
    weights = multi_head_attention(X, X, W_q, W_k, W_v, W_o, num_heads, mask)[1]
    context = weights.swapaxes(-1, -2) @ split_heads(X @ W_v, num_heads)
    return merge_heads(context * keep[:, None, None]) @ W_o


def the_whole_less_those_that_stay(X, W_q, W_k, W_v, W_o, num_heads, keep, mask=None):
    whole = multi_head_attention(X, X, W_q, W_k, W_v, W_o, num_heads, mask)[0]
    return whole - by_its_context(X, W_q, W_k, W_v, W_o, num_heads, keep, mask)


def _by_its_scores(of_scores, of_mask):
    """The layer by hand: what is done to the scores of a head that is cut, and to those that the mask forbids."""

    def answer(X, W_q, W_k, W_v, W_o, num_heads, keep, mask=None):
        Q, K, V = (split_heads(X @ W, num_heads) for W in (W_q, W_k, W_v))
        scores = of_scores(Q @ K.swapaxes(-1, -2) / np.sqrt(Q.shape[-1]), keep)
        if mask is not None:
            scores = of_mask(scores, mask)
        spoken = 1 if of_scores is cut_by_a_billion else keep[:, None, None]
        return merge_heads(softmax(scores) @ V * spoken) @ W_o

    return answer


def cut_by_a_billion(scores, keep):
    return np.where(keep[:, None, None], scores, -1e9)


def _as_they_are(scores, keep):
    return scores


minus_a_billion_twice = _by_its_scores(cut_by_a_billion, lambda scores, mask: np.where(mask, scores, -1e9))
minus_a_billion_and_infinity = _by_its_scores(cut_by_a_billion, lambda S, mask: np.where(mask, S, -np.inf))
forbids_by_zeros = _by_its_scores(_as_they_are, lambda scores, mask: np.where(mask, scores, 0))
adds_the_mask = _by_its_scores(_as_they_are, lambda scores, mask: scores + mask)


def down_the_columns(X, W_q, W_k, W_v, W_o, num_heads, keep, mask=None):
    Q, K, V = (split_heads(X @ W, num_heads) for W in (W_q, W_k, W_v))
    scores = Q @ K.swapaxes(-1, -2) / np.sqrt(Q.shape[-1])
    if mask is not None:
        scores = np.where(mask, scores, -np.inf)
    powers = np.exp(scores - scores.max())
    return merge_heads(powers / powers.sum(axis=-2, keepdims=True) @ V * keep[:, None, None]) @ W_o


def output_twice(X, W_q, W_k, W_v, W_o, num_heads, keep, mask=None):
    out = multi_head_attention(X, X, W_q, W_k, W_v, W_o, num_heads, mask)[0]
    return merge_heads(split_heads(out, num_heads) * keep[:, None, None]) @ W_o


def values_in_one_piece(X, W_q, W_k, W_v, W_o, num_heads, keep, mask=None):
    weights = multi_head_attention(X, X, W_q, W_k, W_v, W_o, num_heads, mask)[1]
    said = np.zeros_like(X)
    for head in range(num_heads):
        if keep[head]:
            said = said + weights[head] @ (X @ W_v) @ W_o
    return said


def library_mask(X, W_q, W_k, W_v, W_o, num_heads, keep, mask=None):
    """1e9 off where it is True, as where True means forbidden."""
    Q, K, V = (split_heads(X @ W, num_heads) for W in (W_q, W_k, W_v))
    S = Q @ K.mT / np.sqrt(Q.shape[-1])
    if mask is not None:
        S = S + mask * -1e9
    P = np.exp(S - S.max(axis=-1, keepdims=True))
    A = P / P.sum(axis=-1, keepdims=True)
    return merge_heads((A @ V) * keep[:, None, None]) @ W_o


def whole_d_k(X, W_q, W_k, W_v, W_o, num_heads, keep, mask=None):
    Q, K, V = (split_heads(X @ W, num_heads) for W in (W_q, W_k, W_v))
    S = Q @ K.mT / Q.shape[-1]
    if mask is not None:
        S = np.where(mask, S, -np.inf)
    P = np.exp(S - S.max(axis=-1, keepdims=True))
    A = P / P.sum(axis=-1, keepdims=True)
    return merge_heads((A @ V) * keep[:, None, None]) @ W_o


def returns_after_the_first_kept(X, W_q, W_k, W_v, W_o, num_heads, keep, mask=None):
    """The `return` stands in the loop."""
    d = len(W_o) // num_heads
    for h in range(num_heads):
        if keep[h]:
            own = np.zeros_like(W_o)
            own[h * d : (h + 1) * d] = W_o[h * d : (h + 1) * d]
            return multi_head_attention(X, X, W_q, W_k, W_v, own, num_heads, mask)[0]
    return np.zeros_like(X)


def times_the_root(X, W_q, W_k, W_v, W_o, num_heads, keep, mask=None):
    Q, K, V = (split_heads(X @ W, num_heads) for W in (W_q, W_k, W_v))
    S = Q @ K.mT * np.sqrt(Q.shape[-1])
    if mask is not None:
        S = np.where(mask, S, -np.inf)
    P = np.exp(S - S.max(axis=-1, keepdims=True))
    return merge_heads((P / P.sum(axis=-1, keepdims=True) @ V) * keep[:, None, None]) @ W_o


def stops_at_the_first_cut(X, W_q, W_k, W_v, W_o, num_heads, keep, mask=None):
    weights = multi_head_attention(X, X, W_q, W_k, W_v, W_o, num_heads, mask)[1]
    values, d = split_heads(X @ W_v, num_heads), len(W_o) // num_heads
    said = np.zeros_like(X)
    for head in range(num_heads):
        if not keep[head]:
            break
        said = said + weights[head] @ values[head] @ W_o[head * d : (head + 1) * d]
    return said


def takes_off_without_the_mask(X, W_q, W_k, W_v, W_o, num_heads, keep, mask=None):
    whole = multi_head_attention(X, X, W_q, W_k, W_v, W_o, num_heads, mask)[0]
    return whole - by_its_context(X, W_q, W_k, W_v, W_o, num_heads, ~keep)


def softmax_behind_the_cut(X, W_q, W_k, W_v, W_o, num_heads, keep, mask=None):
    weights = multi_head_attention(X, X, W_q, W_k, W_v, W_o, num_heads, mask)[1]
    return merge_heads(softmax(weights * keep[:, None, None]) @ split_heads(X @ W_v, num_heads)) @ W_o


def an_identity_for_what_is_cut(X, W_q, W_k, W_v, W_o, num_heads, keep, mask=None):
    weights = multi_head_attention(X, X, W_q, W_k, W_v, W_o, num_heads, mask)[1].copy()
    weights[~keep] = np.eye(len(X))
    return merge_heads(weights @ split_heads(X @ W_v, num_heads)) @ W_o


def rows_like_cards(X, W_q, W_k, W_v, W_o, num_heads, keep, mask=None):
    said = np.zeros_like(X, dtype=float)
    for head, context in enumerate(_contexts(X, W_q, W_k, W_v, num_heads, mask)):
        if keep[head]:
            said = said + context @ W_o[head::num_heads]
    return said


def always_the_first_rows(X, W_q, W_k, W_v, W_o, num_heads, keep, mask=None):
    d, said = W_v.shape[1] // num_heads, np.zeros_like(X, dtype=float)
    for head, context in enumerate(_contexts(X, W_q, W_k, W_v, num_heads, mask)):
        if keep[head]:
            said = said + context @ W_o[:d]
    return said


def rows_that_begin_at_h(X, W_q, W_k, W_v, W_o, num_heads, keep, mask=None):
    d, said = W_v.shape[1] // num_heads, np.zeros_like(X, dtype=float)
    for head, context in enumerate(_contexts(X, W_q, W_k, W_v, num_heads, mask)):
        if keep[head]:
            said = said + context @ W_o[head : head + d]
    return said


def whole_layer_for_each_kept(X, W_q, W_k, W_v, W_o, num_heads, keep, mask=None):
    said = np.zeros_like(X, dtype=float)
    for head in range(num_heads):
        if keep[head]:
            said += multi_head_attention(X, X, W_q, W_k, W_v, W_o, num_heads, mask)[0]
    return said


def takes_off_contexts(X, W_q, W_k, W_v, W_o, num_heads, keep, mask=None):
    whole = multi_head_attention(X, X, W_q, W_k, W_v, W_o, num_heads, mask)[0]
    return whole - merge_heads(_contexts(X, W_q, W_k, W_v, num_heads, mask) * ~keep[:, None, None])


def takes_off_a_whole_without_the_mask(X, W_q, W_k, W_v, W_o, num_heads, keep, mask=None):
    whole = multi_head_attention(X, X, W_q, W_k, W_v, W_o, num_heads)[0]
    return whole - by_its_context(X, W_q, W_k, W_v, W_o, num_heads, ~keep, mask)


def one_column_too_few(X, W_q, W_k, W_v, W_o, num_heads, keep, mask=None):
    d, W_o = len(W_o) // num_heads, W_o.copy()
    for head in np.flatnonzero(~keep):
        W_o[head * d : (head + 1) * d - 1] = 0
    return multi_head_attention(X, X, W_q, W_k, W_v, W_o, num_heads, mask)[0]


def as_wide_as_there_are_tokens(X, W_q, W_k, W_v, W_o, num_heads, keep, mask=None):
    d, W_o = len(X) // num_heads, W_o.copy()
    for head in np.flatnonzero(~keep):
        W_o[head * d : (head + 1) * d] = 0
    return multi_head_attention(X, X, W_q, W_k, W_v, W_o, num_heads, mask)[0]


def cuts_where_the_flags_point(X, W_q, W_k, W_v, W_o, num_heads, keep, mask=None):
    context = _contexts(X, W_q, W_k, W_v, num_heads, mask)
    for head in keep:
        context[int(head)] = 0
    return merge_heads(context) @ W_o


def columns_of_a_bare_reshape(X, W_q, W_k, W_v, W_o, num_heads, keep, mask=None):
    merged = _contexts(X, W_q, W_k, W_v, num_heads, mask).reshape(len(X), -1)
    return merged * np.repeat(keep, merged.shape[1] // num_heads) @ W_o


def contexts_by_a_bare_reshape(X, W_q, W_k, W_v, W_o, num_heads, keep, mask=None):
    context = _contexts(X, W_q, W_k, W_v, num_heads, mask)
    return (context * keep[:, None, None]).reshape(len(X), -1) @ W_o


def contexts_as_they_are(X, W_q, W_k, W_v, W_o, num_heads, keep, mask=None):
    return _contexts(X, W_q, W_k, W_v, num_heads, mask) * keep[:, None, None] @ W_o


def forbidden_with_the_mask(X, W_q, W_k, W_v, W_o, num_heads, keep, mask=None):
    Q, K, V = (split_heads(X @ W, num_heads) for W in (W_q, W_k, W_v))
    heard = keep[:, None, None] if mask is None else mask & keep[:, None, None]
    powers = np.exp(np.where(heard, Q @ K.mT / np.sqrt(Q.shape[-1]), -np.inf))
    return merge_heads(powers / powers.sum(axis=-1, keepdims=True) @ V) @ W_o


def hands_its_columns_on(X, W_q, W_k, W_v, W_o, num_heads, keep, mask=None):
    weights = multi_head_attention(X, X, W_q, W_k, W_v, W_o, num_heads, mask=mask)[1]
    V, d = split_heads(X @ W_v, num_heads), X.shape[1] // num_heads
    out = [weights[h] @ V[h] if keep[h] else X[:, h * d : (h + 1) * d] for h in range(num_heads)]
    return np.hstack(out) @ W_o


def own_slice_of_the_input(X, W_q, W_k, W_v, W_o, num_heads, keep, mask=None):
    d, out = X.shape[1] // num_heads, []
    for h in range(num_heads):
        s = slice(h * d, (h + 1) * d)
        q, k, v = (X[:, s] @ W[s, s] for W in (W_q, W_k, W_v))
        mask = np.ones((len(X), len(X)), dtype=bool) if mask is None else mask
        said = softmax(np.where(mask, q @ k.T / np.sqrt(d), -1e30)) @ v
        out.append(said if keep[h] else 0 * said)
    return np.hstack(out) @ W_o


def minus_those_that_are_kept(X, W_q, W_k, W_v, W_o, num_heads, keep, mask=None):
    out, weights = multi_head_attention(X, X, W_q, W_k, W_v, W_o, num_heads, mask=mask)
    V, rows = split_heads(X @ W_v, num_heads), np.split(W_o, num_heads)
    for h in range(num_heads):
        if keep[h]:
            out = out - weights[h] @ V[h] @ rows[h]
    return out


def flags_for_places(X, W_q, W_k, W_v, W_o, num_heads, keep, mask=None):
    weights = multi_head_attention(X, X, W_q, W_k, W_v, W_o, num_heads, mask=mask)[1]
    context = weights @ split_heads(X @ W_v, num_heads)
    context[keep.astype(int)] = 0
    return merge_heads(context) @ W_o


def root_of_the_heads(X, W_q, W_k, W_v, W_o, num_heads, keep, mask=None):
    Q, K, V = (split_heads(X @ W, num_heads) for W in (W_q, W_k, W_v))
    mask = np.ones((len(X), len(X)), dtype=bool) if mask is None else mask
    weights = softmax(np.where(mask, Q @ K.mT / np.sqrt(num_heads), -1e30))
    return merge_heads(weights @ V * keep[:, None, None]) @ W_o


def results_for_values(X, W_q, W_k, W_v, W_o, num_heads, keep, mask=None):
    context, weights = multi_head_attention(X, X, W_q, W_k, W_v, W_o, num_heads, mask=mask)
    heads = split_heads(context, num_heads)
    out = weights @ heads
    out[~keep] = 0
    return merge_heads(out) @ W_o


def scores_for_weights(X, W_q, W_k, W_v, W_o, num_heads, keep, mask=None):
    Q, K, V = (split_heads(X @ W, num_heads) for W in (W_q, W_k, W_v))
    scores = Q @ K.swapaxes(-1, -2) / np.sqrt(Q.shape[-1])
    if mask is not None:
        scores = np.where(mask, scores, -np.inf)
    return merge_heads((scores @ V) * keep[:, None, None]) @ W_o


def scores_for_weights_and_a_large_number(X, W_q, W_k, W_v, W_o, num_heads, keep, mask=None):
    Q, K, V = (split_heads(X @ W, num_heads) for W in (W_q, W_k, W_v))
    scores = Q @ K.swapaxes(-1, -2) / np.sqrt(Q.shape[-1])
    if mask is not None:
        scores = np.where(mask, scores, -1e9)
    return merge_heads((scores @ V) * keep[:, None, None]) @ W_o


def nobody_may_look(X, W_q, W_k, W_v, W_o, num_heads, keep, mask=None):
    if mask is None:
        mask = np.zeros((len(X), len(X)), dtype=bool)
    A = multi_head_attention(X, X, W_q, W_k, W_v, W_o, num_heads, mask=mask)[1]
    return merge_heads(A @ split_heads(X @ W_v, num_heads) * keep[:, None, None]) @ W_o


def adds_what_it_should_take_off(X, W_q, W_k, W_v, W_o, num_heads, keep, mask=None):
    full, A = multi_head_attention(X, X, W_q, W_k, W_v, W_o, num_heads, mask=mask)
    V = split_heads(X @ W_v, num_heads)
    rows = W_o.reshape(num_heads, -1, W_o.shape[1])
    for h in range(num_heads):
        if not keep[h]:
            full = full + A[h] @ V[h] @ rows[h]
    return full


def contexts_of_a_large_number(X, W_q, W_k, W_v, W_o, num_heads, keep, mask=None):
    A = multi_head_attention(X, X, W_q, W_k, W_v, W_o, num_heads, mask=mask)[1]
    C = A @ split_heads(X @ W_v, num_heads)
    C[~keep] = -1e9
    return merge_heads(C) @ W_o


def weights_of_a_large_number(X, W_q, W_k, W_v, W_o, num_heads, keep, mask=None):
    A = multi_head_attention(X, X, W_q, W_k, W_v, W_o, num_heads, mask=mask)[1].copy()
    A[~keep] = -1e9
    return merge_heads(A @ split_heads(X @ W_v, num_heads)) @ W_o


def as_many_rounds_as_heads_stay(X, W_q, W_k, W_v, W_o, num_heads, keep, mask=None):
    context = _contexts(X, W_q, W_k, W_v, num_heads, mask)
    said, d = np.zeros(X.shape), X.shape[1] // num_heads
    for head in range(sum(keep)):
        if keep[head]:
            said += context[head] @ W_o[head * d : (head + 1) * d]
    return said


def as_many_looked_at_as_stay(X, W_q, W_k, W_v, W_o, num_heads, keep, mask=None):
    context = _contexts(X, W_q, W_k, W_v, num_heads, mask)
    for head in range(sum(keep)):
        if not keep[head]:
            context[head] = 0
    return merge_heads(context) @ W_o


def a_smaller_layer(X, W_q, W_k, W_v, W_o, num_heads, keep, mask=None):
    own = np.repeat(keep, X.shape[1] // num_heads)
    few = int(np.sum(keep))
    return multi_head_attention(X, X, W_q[:, own], W_k[:, own], W_v[:, own], W_o[own], num_heads=few, mask=mask)[0]


def a_copy_in_each_round(X, W_q, W_k, W_v, W_o, num_heads, keep, mask=None):
    d = X.shape[-1] // num_heads
    for h in range(num_heads):
        W = W_v.copy()
        if not keep[h]:
            W[:, h * d : (h + 1) * d] = 0
    return multi_head_attention(X, X, W_q, W_k, W, W_o, num_heads, mask)[0]


def heads_kept_by_the_mask(X, W_q, W_k, W_v, W_o, num_heads, keep, mask=None):
    return multi_head_attention(X, X, W_q, W_k, W_v, W_o, num_heads, keep)[0]


def heads_forbidden_by_the_mask(X, W_q, W_k, W_v, W_o, num_heads, keep, mask=None):
    of_heads = keep[:, None, None]
    return multi_head_attention(X, X, W_q, W_k, W_v, W_o, num_heads, of_heads if mask is None else mask & of_heads)[0]


WRONG = [
    (a_copy_in_each_round, "last-head-only"),
    (heads_kept_by_the_mask, "keep-for-mask"),
    (heads_forbidden_by_the_mask, "keep-in-the-mask"),
    (as_many_rounds_as_heads_stay, "rounds-by-kept"),
    (as_many_looked_at_as_stay, "cuts-by-kept"),
    (a_smaller_layer, "no-head-left"),
    (results_for_values, "attended-twice"),
    (scores_for_weights, "no-softmax"),
    (scores_for_weights_and_a_large_number, "no-softmax-1e9"),
    (nobody_may_look, "nothing-allowed"),
    (adds_what_it_should_take_off, "twice-for-cut"),
    (contexts_of_a_large_number, "contexts-filled"),
    (weights_of_a_large_number, "weights-filled"),
    (flags_for_places, "cut-by-flags"),
    (root_of_the_heads, "by-sqrt-heads"),
    (hands_its_columns_on, "input-passed-on"),
    (own_slice_of_the_input, "slices-of-input"),
    (minus_those_that_are_kept, "keep-inverted"),
    (columns_of_a_bare_reshape, "cut-after-reshape"),
    (contexts_by_a_bare_reshape, "reshape-merge"),
    (contexts_as_they_are, "inner-sizes"),
    (forbidden_with_the_mask, "scores-forbidden"),
    (cuts_where_the_flags_point, "cut-by-flags"),
    (rows_like_cards, "rows-dealt-out"),
    (always_the_first_rows, "first-rows"),
    (rows_that_begin_at_h, "rows-from-h"),
    (whole_layer_for_each_kept, "whole-for-each"),
    (takes_off_contexts, "taken-off-before-W_o"),
    (takes_off_a_whole_without_the_mask, "mask-only-subtracted"),
    (one_column_too_few, "one-column-less"),
    (as_wide_as_there_are_tokens, "slices-of-tokens"),
    (stops_at_the_first_cut, "all-from-it-on"),
    (takes_off_without_the_mask, "mask-not-subtracted"),
    (softmax_behind_the_cut, "softmax-again"),
    (an_identity_for_what_is_cut, "identity-for-weights"),
    (times_the_root, "times-sqrt-d_k"),
    (library_mask, "mask-taken-off"),
    (returns_after_the_first_kept, "one-always-kept"),
    (whole_d_k, "by-d_k"),
    (minus_a_billion_twice, "zeroed-behind-the-mask"),
    (minus_a_billion_and_infinity, "scores-zeroed"),
    (forbids_by_zeros, "zero-fill"),
    (adds_the_mask, "mask-added"),
    (down_the_columns, "softmax-over-queries"),
    (output_twice, "W_o-twice"),
    (values_in_one_piece, "values-not-split"),
    (slices_that_begin_at_h, "slices-from-h"),
    (all_columns_up_to_the_head, "all-up-to-it"),
    (all_columns_from_the_head_on, "all-from-it-on"),
    (columns_of_the_head_before, "one-head-before"),
    (columns_of_the_head_behind, "one-head-further"),
    (one_column_too_many, "one-column-more"),
    (two_heads_as_in_the_toy, "two-heads-only"),
    (two_heads_and_half_of_the_rows, "halves"),
    (returns_after_the_first_kept, "one-always-kept"),
    (their_mean, "divided-by-kept"),
    (asks_whether_any_stays, "keep-ignored"),
    (asks_whether_all_stay, "all-cut-for-one"),
    (asks_what_is_true, "nothing-kept"),
    (rows_of_all_three, "input-cut"),
    (the_second_axis_of_the_context, "token-for-head"),
    (true_for_forbidden, "mask-inverted"),
    (a_causal_mask_for_any, "causal-where-masked"),
    (a_causal_mask_for_none, "causal-without-mask"),
    (by_columns_of_weights, "weights-transposed"),
    (the_whole_less_those_that_stay, "keep-inverted"),
    (zeros_behind_the_mask, "zeroed-behind-the-mask"),
    (begins_with_head_1, "first-never-cut"),
    (asks_what_it_is, "keep-ignored"),
    (only_those_that_stay, "left-out"),
    (the_place_of_the_least, "one-always-cut"),
    (the_place_of_the_most, "one-always-kept"),
    (as_wide_as_there_are_heads, "slices-of-num_heads"),
    (values_by_a_bare_reshape, "values-reshaped"),
    (zeros_divided_once_more, "scores-forbidden"),
    (tiled_rows_of_the_output, "neighbours-instead"),
    (returns_after_the_first_cut, "first-cut-only"),
    (one_column_a_head, "one-column"),
    (tokens_for_columns, "rows-of-tokens"),
    (all_heads_but_the_last, "last-never-cut"),
    (its_own_causal_mask, "always-causal"),
    (chooses_by_the_flags, "keep-as-places"),
    (columns_of_those_that_stay, "heads-of-columns"),
    (rows_of_the_values, "rows-of-W_v"),
    (only_the_last_kept, "last-kept-only"),
    (only_the_last_kept_from_0, "last-kept-only"),
    (adds_from_0, "number-for-nothing"),
    (without_a_beginning, "last-kept-only"),
    (joins_those_that_stay, "no-head-left"),
    (by_columns_of_the_output, "columns-of-W_o"),
    (by_its_queries, "scores-zeroed"),
    (made_up_for, "rescaled"),
    (the_others, "keep-inverted"),
    (nothing_cut, "keep-ignored"),
    (the_first_alone, "first-cut-only"),
    (moved_up, "packed"),
    (no_output, "no-W_o"),
    (with_the_path, "residual-added"),
    (without_the_mask, "mask-ignored"),
    (its_mean, "mean-ablation"),
    (on_the_tokens, "tokens-cut"),
    (every_second_column, "neighbours-instead"),
    (its_input, "input-cut"),
    (nothing_left_to_weigh, "scores-forbidden"),
    (without_a_scale, "no-scale"),
]
