import numpy as np

from attnlib import layer_norm, masked_attention, merge_heads, rotate, softmax, split_heads


def _qkv(X, layer, num_heads):
    return (split_heads(X @ layer[f"W_{one}"] + layer[f"b_{one}"], num_heads) for one in "qkv")


def _old(cache):
    return 0 if cache is None else cache[0].shape[1]


def _join(cache, K, V):
    if cache is None:
        return K, V
    return np.concatenate([cache[0], K], axis=1), np.concatenate([cache[1], V], axis=1)


def _out(context, layer):
    return merge_heads(context) @ layer["W_o"] + layer["b_o"]


def with_the_courses_parts(X_new, cache, layer, num_heads, base=10000.0):
    t, n = _old(cache), len(X_new)
    Q, K, V = _qkv(X_new, layer, num_heads)
    places = np.arange(t, t + n)
    K, V = _join(cache, rotate(K, places, base), V)
    mask = np.arange(t + n)[None, :] <= places[:, None]
    context, _ = masked_attention(rotate(Q, places, base), K, V, mask)
    return _out(context, layer), K, V


def last_rows_of_a_causal_mask(X_new, cache, layer, num_heads, base=10000.0):
    t, n = _old(cache), len(X_new)
    Q, K, V = _qkv(X_new, layer, num_heads)
    places = t + np.arange(n)
    Q, K = rotate(Q, places, base), rotate(K, places, base)
    if cache is not None:
        K, V = np.append(cache[0], K, axis=1), np.append(cache[1], V, axis=1)
    scores = Q @ K.swapaxes(1, 2) / np.sqrt(Q.shape[-1])
    scores = np.where(np.tril(np.ones((t + n, t + n)))[t:] > 0, scores, -np.inf)
    powers = np.exp(scores - scores.max(axis=-1, keepdims=True))
    weights = powers / powers.sum(axis=-1, keepdims=True)
    return _out(weights @ V, layer), K, V


def token_by_token(X_new, cache, layer, num_heads, base=10000.0):
    rows = []
    for x in X_new:
        t = _old(cache)
        q, k, v = _qkv(x[None], layer, num_heads)
        cache = _join(cache, rotate(k, [t], base), v)
        s = (rotate(q, [t], base) @ cache[0].swapaxes(1, 2) / np.sqrt(q.shape[-1]))[:, 0]  # (h, t + 1)
        p = np.exp(s - s.max(axis=1, keepdims=True))
        context = np.einsum("ht,htd->hd", p / p.sum(axis=1, keepdims=True), cache[1])
        rows.append(context.reshape(-1) @ layer["W_o"] + layer["b_o"])
    return np.array(rows), *cache


def head_by_head(X_new, cache, layer, num_heads, base=10000.0):
    X = np.asarray(X_new)
    t, (n, d) = _old(cache), X.shape
    d_k = d // num_heads
    parts, Ks, Vs = [], [], []
    for h in range(num_heads):
        own = slice(h * d_k, (h + 1) * d_k)
        q, k, v = (X @ layer[f"W_{one}"][:, own] + layer[f"b_{one}"][own] for one in "qkv")
        q, k = rotate(q, np.arange(t, t + n), base), rotate(k, np.arange(t, t + n), base)
        if cache is not None:
            k, v = np.vstack([cache[0][h], k]), np.vstack([cache[1][h], v])
        parts.append(masked_attention(q, k, v, np.tri(n, t + n, t, dtype=bool))[0])
        Ks.append(k)
        Vs.append(v)
    return np.hstack(parts) @ layer["W_o"] + layer["b_o"], np.array(Ks), np.array(Vs)


def an_empty_cache_at_first(X_new, cache, layer, num_heads, base=10000.0):
    if cache is None:
        cache = (np.zeros((num_heads, 0, X_new.shape[1] // num_heads)),) * 2
    Q, K, V = _qkv(X_new, layer, num_heads)
    places = np.arange(cache[0].shape[1], cache[0].shape[1] + X_new.shape[0])
    K = np.concatenate([cache[0], rotate(K, places, base)], axis=-2)
    V = np.concatenate([cache[1], V], axis=-2)
    context = masked_attention(rotate(Q, places, base), K, V, np.arange(K.shape[-2]) <= places[:, None])[0]
    return [_out(context, layer), K, V]


def in_single_precision(X_new, cache, layer, num_heads, base=10000.0):
    single = {name: np.float32(value) for name, value in layer.items()}
    cache = None if cache is None else tuple(np.float32(part) for part in cache)
    results = with_the_courses_parts(np.float32(X_new), cache, single, num_heads, base)
    return tuple(np.float32(part) for part in results)


def with_einsum(X_new, cache, layer, num_heads, base=10000.0):
    t, (n, d) = _old(cache), X_new.shape
    Q, K, V = (
        np.einsum("nd,dhk->hnk", X_new, layer[f"W_{one}"].reshape(d, num_heads, -1))
        + layer[f"b_{one}"].reshape(num_heads, 1, -1)
        for one in "qkv"
    )
    K, V = _join(cache, rotate(K, range(t, t + n), base), V)
    scores = np.einsum("hnk,hmk->hnm", rotate(Q, range(t, t + n), base), K) / (d // num_heads) ** 0.5
    scores = scores + np.where(np.tri(n, t + n, t) > 0, 0, -np.inf)
    powers = np.exp(scores - scores.max(axis=-1, keepdims=True))
    weights = powers / powers.sum(axis=-1, keepdims=True)
    W_o = layer["W_o"].reshape(num_heads, -1, d)
    return np.einsum("hnm,hmk,hkd->nd", weights, V, W_o) + layer["b_o"], K, V


VARIANTS = [
    with_the_courses_parts,
    last_rows_of_a_causal_mask,
    token_by_token,
    head_by_head,
    an_empty_cache_at_first,
    in_single_precision,
    with_einsum,
]


def _writes(
    X, cache, layer, num_heads, base, *, start=None, mask=None, turns="qk", join=_join, kept=None, out=_out
):  # fmt: skip
    """The right answer, with a place for each slip."""
    t, n = _old(cache), len(X)
    Q, K, V = _qkv(X, layer, num_heads)
    places = np.arange(n) + (t if start is None else start)
    bare = K
    if "q" in turns:
        Q = rotate(Q, places, base)
    if "k" in turns:
        K = rotate(K, places, base)
    if "v" in turns:
        V = rotate(V, places, base)
    all_K, all_V = join(cache, K, V)
    mask = np.tri(n, t + n, t, dtype=bool) if mask is None else mask(n, t)
    context, _ = masked_attention(Q, all_K, all_V, mask)
    return out(context, layer), *((all_K, all_V) if kept is None else kept(cache, bare, K, V, all_K, all_V))


def counts_from_zero(X_new, cache, layer, num_heads, base=10000.0):
    return _writes(X_new, cache, layer, num_heads, base, start=0)


def counts_from_one(X_new, cache, layer, num_heads, base=10000.0):
    return _writes(X_new, cache, layer, num_heads, base, start=_old(cache) + 1)


def sees_all(X_new, cache, layer, num_heads, base=10000.0):
    return _writes(X_new, cache, layer, num_heads, base, mask=lambda n, t: np.ones((n, t + n), dtype=bool))


def first_rows(X_new, cache, layer, num_heads, base=10000.0):
    return _writes(X_new, cache, layer, num_heads, base, mask=lambda n, t: np.tri(t + n, dtype=bool)[:n])


def square(X_new, cache, layer, num_heads, base=10000.0):
    return _writes(X_new, cache, layer, num_heads, base, mask=lambda n, t: np.tri(n, dtype=bool))


def strictly_before(X_new, cache, layer, num_heads, base=10000.0):
    return _writes(X_new, cache, layer, num_heads, base, mask=lambda n, t: np.tri(n, t + n, t - 1, dtype=bool))


def old_ones_and_itself(X_new, cache, layer, num_heads, base=10000.0):
    def mask(n, t):
        return np.hstack([np.ones((n, t), dtype=bool), np.eye(n, dtype=bool)])

    return _writes(X_new, cache, layer, num_heads, base, mask=mask)


def forgets_the_cache(X_new, cache, layer, num_heads, base=10000.0):
    return _writes(
        X_new, cache, layer, num_heads, base, join=lambda c, K, V: (K, V), mask=lambda n, t: np.tri(n, dtype=bool)
    )


def keeps_only_the_new(X_new, cache, layer, num_heads, base=10000.0):
    return _writes(X_new, cache, layer, num_heads, base, kept=lambda c, bare, K, V, all_K, all_V: (K, V))


def hands_back_what_came(X_new, cache, layer, num_heads, base=10000.0):
    def kept(c, bare, K, V, all_K, all_V):
        return (all_K, all_V) if c is None else c

    return _writes(X_new, cache, layer, num_heads, base, kept=kept)


def hands_back_a_pair(X_new, cache, layer, num_heads, base=10000.0):
    added, K, V = _writes(X_new, cache, layer, num_heads, base)
    return added, (K, V)


def stores_before_turning(X_new, cache, layer, num_heads, base=10000.0):
    return _writes(X_new, cache, layer, num_heads, base, kept=lambda c, bare, K, V, *all_of: _join(c, bare, V))


def turns_all_keys(X_new, cache, layer, num_heads, base=10000.0):
    t, n = _old(cache), len(X_new)
    Q, K, V = _qkv(X_new, layer, num_heads)
    K, V = _join(cache, K, V)
    K = rotate(K, np.arange(t + n), base)
    Q = rotate(Q, np.arange(t, t + n), base)
    return _out(masked_attention(Q, K, V, np.tri(n, t + n, t, dtype=bool))[0], layer), K, V


def turns_values(X_new, cache, layer, num_heads, base=10000.0):
    return _writes(X_new, cache, layer, num_heads, base, turns="qkv")


def turns_keys_only(X_new, cache, layer, num_heads, base=10000.0):
    return _writes(X_new, cache, layer, num_heads, base, turns="k")


def turns_queries_only(X_new, cache, layer, num_heads, base=10000.0):
    return _writes(X_new, cache, layer, num_heads, base, turns="q")


def turns_nothing(X_new, cache, layer, num_heads, base=10000.0):
    return _writes(X_new, cache, layer, num_heads, base, turns="")


def turns_before_splitting(X_new, cache, layer, num_heads, base=10000.0):
    t, n = _old(cache), len(X_new)
    places = np.arange(t, t + n)
    q, k, v = (X_new @ layer[f"W_{one}"] + layer[f"b_{one}"] for one in "qkv")
    Q, K, V = (split_heads(one, num_heads) for one in (rotate(q, places, base), rotate(k, places, base), v))
    K, V = _join(cache, K, V)
    return _out(masked_attention(Q, K, V, np.tri(n, t + n, t, dtype=bool))[0], layer), K, V


def base_of_its_own(X_new, cache, layer, num_heads, base=10000.0):
    return with_the_courses_parts(X_new, cache, layer, num_heads)


def new_ones_first(X_new, cache, layer, num_heads, base=10000.0):
    def join(c, K, V):
        return (K, V) if c is None else _join((K, V), *c)

    return _writes(X_new, cache, layer, num_heads, base, join=join)


def beside_not_behind(X_new, cache, layer, num_heads, base=10000.0):
    def join(c, K, V):
        return (K, V) if c is None else (np.concatenate([c[0], K]), np.concatenate([c[1], V]))

    return _writes(X_new, cache, layer, num_heads, base, join=join)


def values_first(X_new, cache, layer, num_heads, base=10000.0):
    return _writes(X_new, cache, layer, num_heads, base, kept=lambda c, bare, K, V, all_K, all_V: (all_V, all_K))


def merged_only(X_new, cache, layer, num_heads, base=10000.0):
    return _writes(X_new, cache, layer, num_heads, base, out=lambda context, layer: merge_heads(context))


def without_its_bias(X_new, cache, layer, num_heads, base=10000.0):
    return _writes(X_new, cache, layer, num_heads, base, out=lambda context, layer: merge_heads(context) @ layer["W_o"])


def _less(layer, *names):
    return {name: 0 * value if name in names else value for name, value in layer.items()}


def no_biases(X_new, cache, layer, num_heads, base=10000.0):
    layer = _less(layer, "b_q", "b_k", "b_v", "b_o")
    return with_the_courses_parts(X_new, cache, layer, num_heads, base)


def no_query_bias(X_new, cache, layer, num_heads, base=10000.0):
    return with_the_courses_parts(X_new, cache, _less(layer, "b_q"), num_heads, base)


def no_key_bias(X_new, cache, layer, num_heads, base=10000.0):
    return with_the_courses_parts(X_new, cache, _less(layer, "b_k"), num_heads, base)


def no_value_bias(X_new, cache, layer, num_heads, base=10000.0):
    return with_the_courses_parts(X_new, cache, _less(layer, "b_v"), num_heads, base)


def plus_what_was_there(X_new, cache, layer, num_heads, base=10000.0):
    added, K, V = with_the_courses_parts(X_new, cache, layer, num_heads, base)
    return X_new + added, K, V


def the_last_row(X_new, cache, layer, num_heads, base=10000.0):
    added, K, V = with_the_courses_parts(X_new, cache, layer, num_heads, base)
    return added[-1], K, V


def reshapes_to_split(X_new, cache, layer, num_heads, base=10000.0):
    t, n = _old(cache), len(X_new)
    Q, K, V = ((X_new @ layer[f"W_{one}"] + layer[f"b_{one}"]).reshape(num_heads, n, -1) for one in "qkv")
    places = np.arange(t, t + n)
    K, V = _join(cache, rotate(K, places, base), V)
    mask = np.tri(n, t + n, t, dtype=bool)
    return _out(masked_attention(rotate(Q, places, base), K, V, mask)[0], layer), K, V


def reshapes_to_merge(X_new, cache, layer, num_heads, base=10000.0):
    def out(context, layer):
        return context.reshape(X_new.shape) @ layer["W_o"] + layer["b_o"]

    return _writes(X_new, cache, layer, num_heads, base, out=out)


def _own_attention(root):
    def answer(X_new, cache, layer, num_heads, base=10000.0):
        t, n = _old(cache), len(X_new)
        Q, K, V = _qkv(X_new, layer, num_heads)
        places = np.arange(t, t + n)
        Q, (K, V) = rotate(Q, places, base), _join(cache, rotate(K, places, base), V)
        scores = np.where(np.tri(n, t + n, t) > 0, Q @ K.swapaxes(1, 2) / root(X_new, num_heads), -np.inf)
        powers = np.exp(scores - scores.max(axis=-1, keepdims=True))
        return _out(powers / powers.sum(axis=-1, keepdims=True) @ V, layer), K, V

    return answer


unscaled = _own_attention(lambda X, h: 1.0)
by_the_whole_width = _own_attention(lambda X, h: np.sqrt(X.shape[1]))


def transposed(X_new, cache, layer, num_heads, base=10000.0):
    layer = {name: value.T for name, value in layer.items()}
    return with_the_courses_parts(X_new, cache, layer, num_heads, base)


def only_the_context(X_new, cache, layer, num_heads, base=10000.0):
    return with_the_courses_parts(X_new, cache, layer, num_heads, base)[0]


def _with_t(axis, *, mask=True):
    def answer(X_new, cache, layer, num_heads, base=10000.0):
        t = 0 if cache is None else cache[0].shape[axis]
        Q, K, V = _qkv(X_new, layer, num_heads)
        places = np.arange(t, t + len(X_new))
        K, V = _join(cache, rotate(K, places, base), V)
        seen = np.arange(K.shape[1]) <= places[:, None] if mask else np.tri(len(X_new), t + len(X_new), t, dtype=bool)
        return _out(masked_attention(rotate(Q, places, base), K, V, seen)[0], layer), K, V

    return answer


t_is_the_number_of_heads = _with_t(0)
t_is_the_last_axis = _with_t(-1)
mask_by_the_number_of_heads = _with_t(0, mask=False)


def values_of_old_ones_left_out(X_new, cache, layer, num_heads, base=10000.0):
    return _writes(
        X_new, cache, layer, num_heads, base, join=lambda c, K, V: (K if c is None else np.append(c[0], K, axis=1), V)
    )


def all_new_at_t(X_new, cache, layer, num_heads, base=10000.0):
    t, n = _old(cache), len(X_new)
    Q, K, V = _qkv(X_new, layer, num_heads)
    places = np.full(n, t)
    K, V = _join(cache, rotate(K, places, base), V)
    mask = np.arange(t + n) <= places[:, None]
    return _out(masked_attention(rotate(Q, places, base), K, V, mask)[0], layer), K, V


def all_turned_at_t(X_new, cache, layer, num_heads, base=10000.0):
    t, n = _old(cache), len(X_new)
    Q, K, V = _qkv(X_new, layer, num_heads)
    K, V = _join(cache, rotate(K, [t] * n, base), V)
    return _out(masked_attention(rotate(Q, [t] * n, base), K, V, np.tri(n, t + n, t, dtype=bool))[0], layer), K, V


def one_into_the_future(X_new, cache, layer, num_heads, base=10000.0):
    return _writes(X_new, cache, layer, num_heads, base, mask=lambda n, t: np.tri(n, t + n, t + 1, dtype=bool))


def greater_or_equal(X_new, cache, layer, num_heads, base=10000.0):
    def mask(n, t):
        return np.arange(t + n) >= np.arange(t, t + n)[:, None]

    return _writes(X_new, cache, layer, num_heads, base, mask=mask)


def keeps_bare_keys(X_new, cache, layer, num_heads, base=10000.0):
    t, n = _old(cache), len(X_new)
    Q, K, V = _qkv(X_new, layer, num_heads)
    K, V = _join(cache, K, V)
    Q, turned = rotate(Q, np.arange(t, t + n), base), rotate(K, np.arange(t + n), base)
    return _out(masked_attention(Q, turned, V, np.tri(n, t + n, t, dtype=bool))[0], layer), K, V


def only_its_bias(X_new, cache, layer, num_heads, base=10000.0):
    return _writes(X_new, cache, layer, num_heads, base, out=lambda context, layer: merge_heads(context) + layer["b_o"])


def bias_first(X_new, cache, layer, num_heads, base=10000.0):
    def out(context, layer):
        return (merge_heads(context) + layer["b_o"]) @ layer["W_o"]

    return _writes(X_new, cache, layer, num_heads, base, out=out)


def three_biases_missing(X_new, cache, layer, num_heads, base=10000.0):
    return with_the_courses_parts(X_new, cache, _less(layer, "b_q", "b_k", "b_v"), num_heads, base)


def three_transposed(X_new, cache, layer, num_heads, base=10000.0):
    layer = {name: value.T if name in ("W_q", "W_k", "W_v") else value for name, value in layer.items()}
    return with_the_courses_parts(X_new, cache, layer, num_heads, base)


def output_transposed(X_new, cache, layer, num_heads, base=10000.0):
    return with_the_courses_parts(X_new, cache, layer | {"W_o": layer["W_o"].T}, num_heads, base)


scaled_before_and_inside = _own_attention(lambda X, h: X.shape[1] // h)


def _t_is(t, X_new, cache, layer, num_heads, base, by_places):
    n = len(X_new)
    places = np.arange(t, t + n)
    Q, K, V = _qkv(X_new, layer, num_heads)
    K, V = _join(cache, rotate(K, places, base), V)
    keys = K.shape[1]
    mask = np.arange(keys) <= places[:, None] if by_places else np.tri(n, keys, keys - n, dtype=bool)
    return masked_attention(rotate(Q, places, base), K, V, mask), K, V


def length_of_the_pair(X_new, cache, layer, num_heads, base=10000.0):
    t = 0 if cache is None else len(cache)
    (context, _), K, V = _t_is(t, X_new, cache, layer, num_heads, base, True)
    return _out(context, layer), K, V


def length_of_the_pair_for_turning(X_new, cache, layer, num_heads, base=10000.0):
    t = 0 if cache is None else len(cache)
    (context, _), K, V = _t_is(t, X_new, cache, layer, num_heads, base, False)
    return _out(context, layer), K, V


def context_and_weights_as_one(X_new, cache, layer, num_heads, base=10000.0):
    both, K, V = _t_is(_old(cache), X_new, cache, layer, num_heads, base, True)
    return _out(both, layer), K, V


def values_turned_by_the_usual_base(X_new, cache, layer, num_heads, base=10000.0):
    t, n = _old(cache), len(X_new)
    Q, K, V = _qkv(X_new, layer, num_heads)
    places = np.arange(t, t + n)
    K, V = _join(cache, rotate(K, places, base), rotate(V, places))
    mask = np.arange(t + n)[None, :] <= places[:, None]
    context, _ = masked_attention(rotate(Q, places, base), K, V, mask)
    return _out(context, layer), K, V


def turns_what_is_joined(X_new, cache, layer, num_heads, base=10000.0):
    t, n = _old(cache), len(X_new)
    Q, K, V = _qkv(X_new, layer, num_heads)
    places = np.arange(t, t + n)
    K, V = _join(cache, rotate(K, places, base), V)
    K = rotate(K, np.arange(t + n), base)
    mask = np.arange(t + n)[None, :] <= places[:, None]
    context, _ = masked_attention(rotate(Q, places, base), K, V, mask)
    return _out(context, layer), K, V


def _counts_on(start):
    def answer(X_new, cache, layer, num_heads, base=10000.0):
        first = start(_old(cache))

        def mask(n, t):
            return np.arange(t + n) <= np.arange(first, first + n)[:, None]

        return _writes(X_new, cache, layer, num_heads, base, start=first, mask=mask)

    return answer


counts_all_from_zero = _counts_on(lambda t: 0)
counts_all_from_one = _counts_on(lambda t: t + 1)


def _turned_at(of_queries, of_keys, projected=None):
    def answer(X_new, cache, layer, num_heads, base=10000.0):
        t, n = _old(cache), len(X_new)
        places = np.arange(t, t + n)
        Q, K, V = _qkv(X_new if projected is None else projected(X_new, places, base), layer, num_heads)
        K, V = _join(cache, rotate(K, of_keys(places), base), V)
        mask = np.arange(t + n) <= places[:, None]
        return _out(masked_attention(rotate(Q, of_queries(places), base), K, V, mask)[0], layer), K, V

    return answer


queries_begin_anew = _turned_at(lambda at: at - at[0], lambda at: at)
keys_begin_anew = _turned_at(lambda at: at, lambda at: at - at[0])
queries_the_other_way = _turned_at(lambda at: -at, lambda at: at)
inputs_are_turned = _turned_at(lambda at: 0 * at, lambda at: 0 * at, rotate)


def everything_but_what_may_be_seen(X_new, cache, layer, num_heads, base=10000.0):
    def mask(n, t):
        return np.arange(t + n) > np.arange(t, t + n)[:, None]

    return _writes(X_new, cache, layer, num_heads, base, mask=mask)


def diagonal_at_the_new_ones(X_new, cache, layer, num_heads, base=10000.0):
    return _writes(X_new, cache, layer, num_heads, base, mask=lambda n, t: np.tri(n, t + n, n, dtype=bool))


def old_values_are_keys(X_new, cache, layer, num_heads, base=10000.0):
    return _writes(
        X_new, cache, layer, num_heads, base, join=lambda c, K, V: _join(None if c is None else c[::-1], K, V)
    )


def values_of_the_keys_matrix(X_new, cache, layer, num_heads, base=10000.0):
    layer = layer | {"W_v": layer["W_k"], "b_v": layer["b_k"]}
    return with_the_courses_parts(X_new, cache, layer, num_heads, base)


def _by_hand(X_new, cache, layer, num_heads, base, weigh):
    """As it should be, but for what is made of the scores and the mask."""
    t, n = _old(cache), len(X_new)
    places = np.arange(t, t + n)
    Q, K, V = _qkv(X_new, layer, num_heads)
    Q, K = rotate(Q, places, base), rotate(K, places, base)
    K, V = _join(cache, K, V)
    scores = Q @ K.swapaxes(-1, -2) / np.sqrt(Q.shape[-1])
    return _out(weigh(scores, np.tri(n, t + n, t)) @ V, layer), K, V


def _weights(scores):
    powers = np.exp(scores - scores.max(axis=-1, keepdims=True))
    return powers / powers.sum(axis=-1, keepdims=True)


def masks_by_multiplying_scores(X_new, cache, layer, num_heads, base=10000.0):
    return _by_hand(X_new, cache, layer, num_heads, base, lambda scores, mask: _weights(scores * mask))


def masks_by_multiplying_weights(X_new, cache, layer, num_heads, base=10000.0):
    return _by_hand(X_new, cache, layer, num_heads, base, lambda scores, mask: _weights(scores) * mask)


def copied_a_bias(X_new, cache, layer, num_heads, base=10000.0):
    return _writes(X_new, cache, layer | {"b_v": layer["b_k"]}, num_heads, base)


def exchanged_keys_and_values(X_new, cache, layer, num_heads, base=10000.0):
    turned = {f"{part}_{one}": layer[f"{part}_{other}"] for part in "Wb" for one, other in ("kv", "vk")}
    return _writes(X_new, cache, layer | turned, num_heads, base)


def values_of_the_keys_matrix_alone(X_new, cache, layer, num_heads, base=10000.0):
    return with_the_courses_parts(X_new, cache, layer | {"W_v": layer["W_k"]}, num_heads, base)


def queries_for_keys(X_new, cache, layer, num_heads, base=10000.0):
    other = {f"{kind}_{to}": layer[f"{kind}_{of}"] for kind in "Wb" for to, of in ("qk", "kq")}
    return with_the_courses_parts(X_new, cache, layer | other, num_heads, base)


# Each with the mistake that the judge should name, or None.
def places_of_all_for_the_new(X_new, cache, layer, num_heads, base=10000.0):
    Q, K, V = _qkv(X_new, layer, num_heads)
    t, n = 0 if cache is None else cache[0].shape[1], len(X_new)
    Q, K = rotate(Q, np.arange(t + n), base), rotate(K, np.arange(t + n), base)
    K, V = _join(cache, K, V)
    context, _ = masked_attention(Q, K, V, np.tri(n, t + n, t, dtype=bool))
    return _out(context, layer), K, V


def cannot_begin(X_new, cache, layer, num_heads, base=10000.0):
    t = cache[0].shape[1]
    return with_the_courses_parts(X_new, cache, layer, num_heads, base) if t >= 0 else None


def queries_made_as_keys(X_new, cache, layer, num_heads, base=10000.0):
    q = split_heads(X_new @ layer["W_k"] + layer["b_k"], num_heads)
    k = split_heads(X_new @ layer["W_k"] + layer["b_k"], num_heads)
    v = split_heads(X_new @ layer["W_v"] + layer["b_v"], num_heads)
    n, t = len(X_new), 0 if cache is None else cache[0].shape[1]
    q, k = rotate(q, np.arange(t, t + n), base), rotate(k, np.arange(t, t + n), base)
    k, v = _join(cache, k, v)
    context, _ = masked_attention(q, k, v, np.tri(n, t + n, t, dtype=bool))
    return _out(context, layer), k, v


def _anyhow(X_new, cache, layer, num_heads, base, t_of=None, mask=None, join=_join, attend=None):
    n, t = len(X_new), _old(cache)
    t = t if cache is None or t_of is None else t_of(cache)
    Q, K, V = _qkv(X_new, layer, num_heads)
    places = np.arange(t, t + n)
    Q, K = rotate(Q, places, base), rotate(K, places, base)
    K, V = join(cache, K, V)
    mask = np.arange(t + n) <= places[:, None] if mask is None else mask(n, t)
    context = masked_attention(Q, K, V, mask)[0] if attend is None else attend(Q, K, V, mask)
    return _out(context, layer), K, V


def a_prompt_or_a_token(X_new, cache, layer, num_heads, base=10000.0):
    def join(cache, K, V):
        return (K, V) if len(X_new) > 1 else _join(cache, K, V)

    return _anyhow(X_new, cache, layer, num_heads, base, join=join)


def counts_heads_as_tokens(X_new, cache, layer, num_heads, base=10000.0):
    return _anyhow(X_new, cache, layer, num_heads, base, t_of=lambda cache: cache[0].shape[0])


def counts_the_pair(X_new, cache, layer, num_heads, base=10000.0):
    return _anyhow(X_new, cache, layer, num_heads, base, t_of=len)


def old_keys_behind(X_new, cache, layer, num_heads, base=10000.0):
    def join(cache, K, V):
        if cache is None:
            return K, V
        return np.concatenate([K, cache[0]], axis=1), np.concatenate([cache[1], V], axis=1)

    return _anyhow(X_new, cache, layer, num_heads, base, join=join)


def old_values_behind(X_new, cache, layer, num_heads, base=10000.0):
    def join(cache, K, V):
        if cache is None:
            return K, V
        return np.concatenate([cache[0], K], axis=1), np.concatenate([V, cache[1]], axis=1)

    return _anyhow(X_new, cache, layer, num_heads, base, join=join)


def one_row_for_all(X_new, cache, layer, num_heads, base=10000.0):
    return _anyhow(X_new, cache, layer, num_heads, base, mask=lambda n, t: np.arange(t + n) <= t)


def true_is_masked(X_new, cache, layer, num_heads, base=10000.0):
    def mask(n, t):
        return np.triu(np.ones((n, t + n), dtype=bool), k=t + 1)

    return _anyhow(X_new, cache, layer, num_heads, base, mask=mask)


def asks_the_cache_alone(X_new, cache, layer, num_heads, base=10000.0):
    def attend(Q, K, V, mask):
        t = _old(cache)
        seen = np.ones((len(X_new), t), dtype=bool)
        return masked_attention(Q, K[:, :t], V[:, :t], seen)[0] if t else masked_attention(Q, K, V, mask)[0]

    return _anyhow(X_new, cache, layer, num_heads, base, attend=attend)


def _softmax_by(axis, little=0.0):
    def attend(Q, K, V, mask):
        scores = np.where(mask, Q @ K.swapaxes(1, 2) / np.sqrt(Q.shape[2]), -1e9)
        powers = np.exp(scores - scores.max(axis=axis, keepdims=True))
        return powers / (powers.sum(axis=axis, keepdims=True) + little) @ V

    return attend


def softmax_along_axis_1(X_new, cache, layer, num_heads, base=10000.0):
    return _anyhow(X_new, cache, layer, num_heads, base, attend=_softmax_by(1))


def a_little_below(X_new, cache, layer, num_heads, base=10000.0):
    little = 1e-5
    return _anyhow(X_new, cache, layer, num_heads, base, attend=_softmax_by(-1, little))


def turns_one_matrix(X_new, cache, layer, num_heads, base=10000.0):
    return _anyhow(X_new, cache, layer | {"W_q": layer["W_q"].T}, num_heads, base)


def masked_at_first_only(X_new, cache, layer, num_heads, base=10000.0):
    t, n = _old(cache), len(X_new)
    Q, K, V = _qkv(X_new, layer, num_heads)
    places = np.arange(t, t + n)
    K, V = _join(cache, rotate(K, places, base), V)
    mask = np.tri(n, dtype=bool) if cache is None else np.ones((n, t + n), dtype=bool)
    return _out(masked_attention(rotate(Q, places, base), K, V, mask)[0], layer), K, V


def turned_with_a_cache_only(X_new, cache, layer, num_heads, base=10000.0):
    t, n = _old(cache), len(X_new)
    Q, K, V = _qkv(X_new, layer, num_heads)
    places = np.arange(t, t + n)
    if cache is not None:
        Q, K = rotate(Q, places, base), rotate(K, places, base)
    return _attend(Q, K, V, cache, layer, num_heads, places)


def keys_copied_from_queries(X_new, cache, layer, num_heads, base=10000.0):
    t, n = _old(cache), len(X_new)
    Q, _, V = _qkv(X_new, layer, num_heads)
    places = np.arange(t, t + n)
    turned = rotate(Q, places, base)
    return _attend(turned, turned, V, cache, layer, num_heads, places)


def _attend(Q, K, V, cache, layer, num_heads, places):
    K, V = _join(cache, K, V)
    mask = np.arange(K.shape[1])[None, :] <= places[:, None]
    return _out(masked_attention(Q, K, V, mask)[0], layer), K, V


def last_old_place_again(X_new, cache, layer, num_heads, base=10000.0):
    t, n = _old(cache), len(X_new)
    Q, K, V = _qkv(X_new, layer, num_heads)
    places = np.arange(n) + max(t - 1, 0)
    Q, K = rotate(Q, places, base), rotate(K, places, base)
    return _attend(Q, K, V, cache, layer, num_heads, np.arange(t, t + n))


def turns_what_comes_in(X_new, cache, layer, num_heads, base=10000.0):
    places = np.arange(len(X_new)) + _old(cache)
    turned = rotate(X_new, places, base)
    Q, K = (split_heads(turned @ layer[f"W_{one}"] + layer[f"b_{one}"], num_heads) for one in "qk")
    V = split_heads(X_new @ layer["W_v"] + layer["b_v"], num_heads)
    return _attend(Q, K, V, cache, layer, num_heads, places)


def bias_of_the_line_above(X_new, cache, layer, num_heads, base=10000.0):
    places = np.arange(len(X_new)) + _old(cache)
    Q, _, V = _qkv(X_new, layer, num_heads)
    K = split_heads(X_new @ layer["W_k"] + layer["b_q"], num_heads)
    return _attend(rotate(Q, places, base), rotate(K, places, base), V, cache, layer, num_heads, places)


def one_token_with_a_cache(X_new, cache, layer, num_heads, base=10000.0):
    t, n = _old(cache), len(X_new)
    Q, K, V = _qkv(X_new, layer, num_heads)
    places = np.arange(n) if cache is None else np.full(n, t)
    Q, K = rotate(Q, places, base), rotate(K, places, base)
    return _attend(Q, K, V, cache, layer, num_heads, np.arange(t, t + n))


def usual_base_for_queries(X_new, cache, layer, num_heads, base=10000.0):
    places = np.arange(len(X_new)) + _old(cache)
    Q, K, V = _qkv(X_new, layer, num_heads)
    return _attend(rotate(Q, places), rotate(K, places, base), V, cache, layer, num_heads, places)


def early_return_without_a_bias(X_new, cache, layer, num_heads, base=10000.0):
    added, K, V = with_the_courses_parts(X_new, cache, layer, num_heads, base)
    return (added - layer["b_o"] if cache is None else added), K, V


def behind_all_of_them(X_new, cache, layer, num_heads, base=10000.0):
    t, n = _old(cache), len(X_new)
    Q, K, V = _qkv(X_new, layer, num_heads)
    Q, K = (rotate(one, np.arange(n) + t + n, base) for one in (Q, K))
    return _attend(Q, K, V, cache, layer, num_heads, np.arange(t, t + n))


def old_keys_before_new_values(X_new, cache, layer, num_heads, base=10000.0):
    return with_the_courses_parts(X_new, cache and (cache[0], cache[0]), layer, num_heads, base)


def base_for_the_queries_alone(X_new, cache, layer, num_heads, base=10000.0):
    places = np.arange(len(X_new)) + _old(cache)
    Q, K, V = _qkv(X_new, layer, num_heads)
    return _attend(rotate(Q, places, base), rotate(K, places), V, cache, layer, num_heads, places)


def blocks_what_may_be_seen(X_new, cache, layer, num_heads, base=10000.0):
    t, n = _old(cache), len(X_new)
    Q, K, V = _qkv(X_new, layer, num_heads)
    places = np.arange(t, t + n)
    K, V = _join(cache, rotate(K, places, base), V)
    scores = rotate(Q, places, base) @ K.swapaxes(1, 2) / np.sqrt(Q.shape[-1])
    causal = np.arange(t + n) <= places[:, None]
    scores = np.where(causal[None], -np.inf, scores)
    with np.errstate(invalid="ignore"):
        e = np.exp(scores - scores.max(axis=-1, keepdims=True))
        weights = e / e.sum(axis=-1, keepdims=True)
    return _out(weights @ V, layer), K, V


def neither_scale_nor_last_bias(X_new, cache, layer, num_heads, base=10000.0):
    t, n = _old(cache), len(X_new)
    Q, K, V = _qkv(X_new, layer, num_heads)
    places = np.arange(t, t + n)
    K, V = _join(cache, rotate(K, places, base), V)
    Q = rotate(Q, places, base) * np.sqrt(Q.shape[-1])
    context, _ = masked_attention(Q, K, V, np.arange(t + n) <= places[:, None])
    return merge_heads(context) @ layer["W_o"], K, V


def old_values_before_new_keys(X_new, cache, layer, num_heads, base=10000.0):
    return with_the_courses_parts(X_new, cache and (cache[1], cache[1]), layer, num_heads, base)


def the_bias_of_the_values(X_new, cache, layer, num_heads, base=10000.0):
    return with_the_courses_parts(X_new, cache, {**layer, "b_k": layer["b_v"]}, num_heads, base)


def values_before_keys(X_new, cache, layer, num_heads, base=10000.0):
    t, n = _old(cache), len(X_new)
    Q, K, V = _qkv(X_new, layer, num_heads)
    places = np.arange(t, t + n)
    K, V = _join(cache, rotate(K, places, base), V)
    context, _ = masked_attention(rotate(Q, places, base), V, K, np.arange(t + n) <= places[:, None])
    return _out(context, layer), K, V


def keys_by_the_matrix_of_queries(X_new, cache, layer, num_heads, base=10000.0):
    return with_the_courses_parts(X_new, cache, {**layer, "W_k": layer["W_q"]}, num_heads, base)


def _with_mask(X_new, cache, layer, num_heads, base, mask):
    t, n = _old(cache), len(X_new)
    Q, K, V = _qkv(X_new, layer, num_heads)
    places = np.arange(t, t + n)
    K, V = _join(cache, rotate(K, places, base), V)
    context, _ = masked_attention(rotate(Q, places, base), K, V, np.hstack(mask(t, n)) > 0)
    return _out(context, layer), K, V


def triangle_then_ones(X_new, cache, layer, num_heads, base=10000.0):
    return _with_mask(X_new, cache, layer, num_heads, base, lambda t, n: [np.tri(n), np.ones((n, t))])


def triangle_for_the_old(X_new, cache, layer, num_heads, base=10000.0):
    return _with_mask(X_new, cache, layer, num_heads, base, lambda t, n: [np.tri(n, t), np.ones((n, n))])


def a_triangle_for_each(X_new, cache, layer, num_heads, base=10000.0):
    return _with_mask(X_new, cache, layer, num_heads, base, lambda t, n: [np.tri(n, t), np.tri(n)])


def ones_then_triu(X_new, cache, layer, num_heads, base=10000.0):
    return _with_mask(X_new, cache, layer, num_heads, base, lambda t, n: [np.ones((n, t)), np.triu(np.ones((n, n)))])


def keys_are_turned_queries(X_new, cache, layer, num_heads, base=10000.0):
    t, n = _old(cache), len(X_new)
    Q, K, V = _qkv(X_new, layer, num_heads)
    places = np.arange(t, t + n)
    Q = rotate(Q, places, base)
    K = rotate(Q, places, base)
    K, V = _join(cache, K, V)
    context, _ = masked_attention(Q, K, V, np.arange(t + n) <= places[:, None])
    return _out(context, layer), K, V


def queries_are_kept(X_new, cache, layer, num_heads, base=10000.0):
    t, n = _old(cache), len(X_new)
    Q, K, V = _qkv(X_new, layer, num_heads)
    places = np.arange(t, t + n)
    Q, K = rotate(Q, places, base), rotate(K, places, base)
    keys, values = _join(cache, K, V)
    context, _ = masked_attention(Q, keys, values, np.arange(t + n) <= places[:, None])
    return (_out(context, layer), *_join(cache, Q, V))


def weights_for_contexts(X_new, cache, layer, num_heads, base=10000.0):
    t, n = _old(cache), len(X_new)
    Q, K, V = _qkv(X_new, layer, num_heads)
    places = np.arange(t, t + n)
    K, V = _join(cache, rotate(K, places, base), V)
    _, C = masked_attention(rotate(Q, places, base), K, V, np.arange(t + n) <= places[:, None])
    return merge_heads(C) @ layer["W_o"] + layer["b_o"], K, V


def _from_parts(
    X_new, cache, layer, num_heads, base, places=None, turn=None, split=None, merge=None, mask=None, weigh=None, by=None
):
    """Everything by hand, with one part or another in another way."""
    (n, d), t = X_new.shape, _old(cache)
    d_k = d // num_heads
    split = split or (lambda rows: rows.reshape(n, num_heads, d_k).transpose(1, 0, 2))
    Q, K, V = (split(X_new @ layer[f"W_{one}"] + layer[f"b_{one}"]) for one in "qkv")
    places = np.arange(n) + (t if places is None or cache is None else places(cache))
    Q, K = turn(Q, K, places, base) if turn else (rotate(Q, places, base), rotate(K, places, base))
    K, V = _join(cache, K, V)
    scores = Q @ K.transpose(0, 2, 1) / (by or np.sqrt(d_k))
    allowed = np.tri(n, t + n, t, dtype=bool)
    scores = mask(scores, allowed) if mask else np.where(allowed, scores, -np.inf)
    context = (weigh or softmax)(scores) @ V
    merged = merge(context) if merge else context.transpose(1, 0, 2).reshape(n, d)
    return merged @ layer["W_o"] + layer["b_o"], K, V


def _in_halves(Q, K, places, base):
    half = Q.shape[-1] // 2
    angles = places[:, None] / base ** (np.arange(half) / half)
    cos, sin = (np.concatenate([f(angles), f(angles)], axis=-1) for f in (np.cos, np.sin))

    def rotate_half(x):
        return np.concatenate([-x[..., half:], x[..., :half]], axis=-1)

    return Q * cos + rotate_half(Q) * sin, K * cos + rotate_half(K) * sin


def rotates_halves(X_new, cache, layer, num_heads, base=10000.0):
    return _from_parts(X_new, cache, layer, num_heads, base, turn=_in_halves)


def rotates_halves_unscaled(X_new, cache, layer, num_heads, base=10000.0):
    return _from_parts(X_new, cache, layer, num_heads, base, turn=_in_halves, by=1.0)


def reshapes_twice(X_new, cache, layer, num_heads, base=10000.0):
    n, d = X_new.shape
    return _from_parts(
        X_new,
        cache,
        layer,
        num_heads,
        base,
        split=lambda rows: rows.reshape(num_heads, n, d // num_heads),
        merge=lambda context: context.reshape(n, d),
    )


def deals_heads_out(X_new, cache, layer, num_heads, base=10000.0):
    n, d = X_new.shape
    split = lambda rows: rows.reshape(n, d // num_heads, num_heads).transpose(2, 0, 1)  # noqa: E731
    return _from_parts(X_new, cache, layer, num_heads, base, split=split)


def turned_by_the_number_of_heads(X_new, cache, layer, num_heads, base=10000.0):
    return _from_parts(X_new, cache, layer, num_heads, base, places=lambda cache: len(cache[0]))


def turned_by_the_size_of_a_key(X_new, cache, layer, num_heads, base=10000.0):
    return _from_parts(X_new, cache, layer, num_heads, base, places=lambda cache: cache[0].shape[-1])


def keys_the_other_way(X_new, cache, layer, num_heads, base=10000.0):
    turn = lambda Q, K, places, base: (rotate(Q, places, base), rotate(K, -places, base))  # noqa: E731
    return _from_parts(X_new, cache, layer, num_heads, base, turn=turn)


def both_the_other_way(X_new, cache, layer, num_heads, base=10000.0):
    turn = lambda Q, K, places, base: (rotate(Q, -places, base), rotate(K, -places, base))  # noqa: E731
    return _from_parts(X_new, cache, layer, num_heads, base, turn=turn)


def queries_at_the_first_new_place(X_new, cache, layer, num_heads, base=10000.0):
    def turn(Q, K, places, base):
        return rotate(Q, np.full(len(places), places[0]), base), rotate(K, places, base)

    return _from_parts(X_new, cache, layer, num_heads, base, turn=turn)


def no_maximum_taken_off(X_new, cache, layer, num_heads, base=10000.0):
    weigh = lambda scores: np.exp(scores) / np.exp(scores).sum(axis=-1, keepdims=True)  # noqa: E731
    return _from_parts(X_new, cache, layer, num_heads, base, weigh=weigh)


def one_sum_for_all(X_new, cache, layer, num_heads, base=10000.0):
    return _from_parts(X_new, cache, layer, num_heads, base, weigh=lambda scores: np.exp(scores) / np.exp(scores).sum())


def root_of_the_heads(X_new, cache, layer, num_heads, base=10000.0):
    return _from_parts(X_new, cache, layer, num_heads, base, by=np.sqrt(num_heads))


def divided_without_a_root(X_new, cache, layer, num_heads, base=10000.0):
    return _from_parts(X_new, cache, layer, num_heads, base, by=X_new.shape[1] // num_heads)


def _filled_with(number):
    return lambda scores, allowed: np.where(allowed, scores, number)


def minus_ten(X_new, cache, layer, num_heads, base=10000.0):
    return _from_parts(X_new, cache, layer, num_heads, base, mask=_filled_with(-10))


def minus_a_hundred(X_new, cache, layer, num_heads, base=10000.0):
    return _from_parts(X_new, cache, layer, num_heads, base, mask=_filled_with(-100.0))


def minus_five_hundred(X_new, cache, layer, num_heads, base=10000.0):
    return _from_parts(X_new, cache, layer, num_heads, base, mask=_filled_with(-500.0))


def minus_a_thousand(X_new, cache, layer, num_heads, base=10000.0):
    return _from_parts(X_new, cache, layer, num_heads, base, mask=_filled_with(-1000.0))


def takes_off_where_it_may_look(X_new, cache, layer, num_heads, base=10000.0):
    return _from_parts(X_new, cache, layer, num_heads, base, mask=lambda scores, allowed: scores + allowed * -1e9)


def last_bias_for_each_head(X_new, cache, layer, num_heads, base=10000.0):
    added, K, V = with_the_courses_parts(X_new, cache, layer, num_heads, base)
    return added + (num_heads - 1) * layer["b_o"], K, V


def last_bias_twice(X_new, cache, layer, num_heads, base=10000.0):
    added, K, V = with_the_courses_parts(X_new, cache, layer, num_heads, base)
    return added + layer["b_o"], K, V


def normed_first(X_new, cache, layer, num_heads, base=10000.0):
    ones, zeros = np.ones(X_new.shape[1]), np.zeros(X_new.shape[1])
    return with_the_courses_parts(layer_norm(X_new, ones, zeros), cache, layer, num_heads, base)


def cache_of_few_digits(X_new, cache, layer, num_heads, base=10000.0):
    added, K, V = with_the_courses_parts(X_new, cache, layer, num_heads, base)
    return added, K.astype(np.float16), V.astype(np.float16)


def bias_behind_the_turn(X_new, cache, layer, num_heads, base=10000.0):
    bias = np.tile(layer["b_k"], (len(X_new), 1))
    Q, K, V = _qkv(X_new, layer | {"b_k": 0 * layer["b_k"]}, num_heads)
    places = np.arange(_old(cache), _old(cache) + len(X_new))
    K = rotate(K, places, base) + split_heads(bias, num_heads)
    return _attend(rotate(Q, places, base), K, V, cache, layer, num_heads, places)


def values_turned_and_not_itself(X_new, cache, layer, num_heads, base=10000.0):
    Q, K, V = _qkv(X_new, layer, num_heads)
    places = np.arange(_old(cache), _old(cache) + len(X_new))
    Q, K, V = (rotate(one, places, base) for one in (Q, K, V))
    return _attend(Q, K, V, cache, layer, num_heads, places - 1)


def writes_into_the_cache(X_new, cache, layer, num_heads, base=10000.0):
    Q, K, V = _qkv(X_new, layer, num_heads)
    places = np.arange(_old(cache), _old(cache) + len(X_new))
    Q, K = rotate(Q, places, base), rotate(K, places, base)
    if cache is not None:
        cache[0] = np.append(cache[0], K, axis=1)
    return _attend(Q, K, V, cache, layer, num_heads, places)


def _by_slips(
    X, cache, layer, num_heads, base=10000.0, *, places=None, turned=None, asked=None, mask=None, weigh=None,
    qkv=_qkv, last="o", biases=None, join=_join, early=False, context_of=merge_heads,
):  # fmt: skip
    """Attention with places for slips; the mask goes by the places, as long as they alone are not others."""
    t, n = _old(cache), len(X)
    at = np.arange(t, t + n) if places is None else places(n, t)
    Q, K, V = qkv(X, layer, num_heads)
    turn = at if turned is None else turned(n, t)
    Q, K = rotate(Q, turn if asked is None else asked(n, t), base), rotate(K, turn, base)
    if biases is not None:
        Q, K = Q + biases(layer["b_q"]), K + biases(layer["b_k"])
    if early and cache is None:
        return _out(V, layer), K, V
    K, V = join(cache, K, V)
    seen = np.arange(t + n) <= at[:, None] if mask is None else mask(n, t)
    scores = Q @ K.swapaxes(1, 2) / np.sqrt(Q.shape[-1])
    with np.errstate(all="ignore"):
        weights = softmax(np.where(seen, scores, -1e9)) if weigh is None else weigh(scores, seen, Q.shape[-1])
    return context_of(weights @ V) @ layer[f"W_{last[0]}"] + layer[f"b_{last[-1]}"], K, V


def _hand(**slips):
    def answer(X_new, cache, layer, num_heads, base=10000.0):
        return _by_slips(X_new, cache, layer, num_heads, base, **slips)

    return answer


def _at_the_last(n, t):
    return np.full(n, t + n - 1)


def _backwards(n, t):
    return np.arange(t, t + n)[::-1]


def _from_twice_t(n, t):
    return 2 * t + np.arange(n)


def _too_late_with_a_cache(n, t):
    return t + np.arange(n) + (t > 0)


def _too_early_with_a_cache(n, t):
    return t + np.arange(n) - (t > 0)


def _too_early(n, t):
    return np.arange(t - 1, t + n - 1)


def _up_to_itself(n, t):
    return np.tri(n, t + n, t, dtype=bool)


seen_and_turned_at_the_last = _hand(places=_at_the_last)
turned_at_the_last = _hand(turned=_at_the_last)
asked_at_the_last = _hand(asked=_at_the_last)
counted_backwards = _hand(places=_backwards)
turned_backwards = _hand(turned=_backwards)
t_counted_twice = _hand(places=_from_twice_t)
turned_from_twice_t = _hand(turned=_from_twice_t)
late_with_a_cache = _hand(places=_too_late_with_a_cache)
turned_late_with_a_cache = _hand(turned=_too_late_with_a_cache)
early_with_a_cache = _hand(places=_too_early_with_a_cache)
early_always = _hand(
    places=_too_early, weigh=lambda s, seen, d: softmax(np.where(seen, s, -1e9)) * seen.any(1)[:, None]
)
turned_early_always = _hand(turned=_too_early)
the_old_ones_alone = _hand(mask=lambda n, t: np.hstack([np.ones((n, t), dtype=bool), np.zeros((n, n), dtype=bool)]),
                           weigh=lambda s, seen, d: softmax(np.where(seen, s, -1e9)) * seen)  # fmt: skip
a_diagonal_one_short = _hand(mask=lambda n, t: np.tri(n, t + n, n - 1, dtype=bool))
a_number_where_it_may_look = _hand(weigh=lambda s, seen, d: softmax(np.where(seen, -1e9, s)))
a_large_number_without_minus = _hand(weigh=lambda s, seen, d: softmax(np.where(seen, s, 1e9)))
scores_for_weights = _hand(weigh=lambda s, seen, d: np.where(seen, s, 0))
multiplied_by_the_root = _hand(weigh=lambda s, seen, d: softmax(np.where(seen, s * d, -1e9)))
divided_behind_the_softmax = _hand(weigh=lambda s, seen, d: softmax(np.where(seen, s * d**0.5, -1e9)) / d**0.5)
root_of_the_keys = _hand(weigh=lambda s, seen, d: softmax(np.where(seen, s * (d / s.shape[-1]) ** 0.5, -1e9)))
root_of_the_new_ones = _hand(weigh=lambda s, seen, d: softmax(np.where(seen, s * (d / s.shape[-2]) ** 0.5, -1e9)))


def _along_the_heads(scores, seen, d):
    scores = np.where(seen, scores, -1e9)
    powers = np.exp(scores - scores.max(axis=0))
    return powers / powers.sum(axis=0)


softmax_along_the_heads = _hand(weigh=_along_the_heads)


def _over_everything(scores, seen, d):
    scores = np.where(seen, scores, -1e9)
    powers = np.exp(scores - scores.max())
    return powers / powers.sum()


def _the_mask_behind_the_powers(scores, seen, d):
    powers = np.exp(scores - scores.max(axis=-1, keepdims=True)) * seen
    return powers / powers.sum(axis=-1, keepdims=True)


def _the_mask_behind_the_softmax(scores, seen, d):
    weights = softmax(scores) * seen
    return weights / weights.sum(axis=-1, keepdims=True)


softmax_of_everything = _hand(weigh=_over_everything)
masks_the_powers = _hand(weigh=_the_mask_behind_the_powers)
masks_the_weights_and_shares_anew = _hand(weigh=_the_mask_behind_the_softmax)
merged_like_cards = _hand(context_of=lambda context: context.transpose(1, 2, 0).reshape(context.shape[1], -1))
values_at_once_without_a_cache = _hand(early=True)
matrix_of_the_values_last = _hand(last="vo")
bias_of_the_values_last = _hand(last="ov")


def new_keys_behind_old_values(X_new, cache, layer, num_heads, base=10000.0):
    def join(cache, K, V):
        return (K, V) if cache is None else _join(cache, K, K)

    return _by_slips(X_new, cache, layer, num_heads, base, join=join)


def one_bias_for_all(X_new, cache, layer, num_heads, base=10000.0):
    layer = layer | dict.fromkeys(("b_k", "b_v"), layer["b_q"])
    return with_the_courses_parts(X_new, cache, layer, num_heads, base)


def biases_before_the_matrices(X_new, cache, layer, num_heads, base=10000.0):
    def qkv(X, layer, num_heads):
        return (split_heads((X + layer[f"b_{one}"]) @ layer[f"W_{one}"], num_heads) for one in "qkv")

    return _by_slips(X_new, cache, layer, num_heads, base, qkv=qkv)


def biases_behind_the_turn(X_new, cache, layer, num_heads, base=10000.0):
    def qkv(X, layer, num_heads):
        return _qkv(X, _less(layer, "b_q", "b_k"), num_heads)

    return _by_slips(X_new, cache, layer, num_heads, base, qkv=qkv, biases=lambda b: split_heads(b[None], num_heads))


def _one_by_one(place=lambda i, t: t + i, add=lambda old, new: np.append(old, new, axis=1)):
    def answer(X_new, cache, layer, num_heads, base=10000.0):
        t, rows = _old(cache), []
        K, V = (np.zeros((num_heads, 0, X_new.shape[1] // num_heads)),) * 2 if cache is None else cache
        for i, x in enumerate(X_new):
            q, k, v = _qkv(x[None], layer, num_heads)
            K, V = add(K, rotate(k, [place(i, t)], base)), add(V, v)
            context, _ = masked_attention(rotate(q, [place(i, t)], base), K, V, np.ones((1, K.shape[1]), dtype=bool))
            rows.append(_out(context, layer)[0])
        return np.array(rows), K, V

    return answer


a_counter_that_begins_at_t = _one_by_one(place=lambda i, t: t + (t + i))
each_in_front_of_all = _one_by_one(add=lambda old, new: np.append(new, old, axis=1))
each_token_anew = _one_by_one(add=lambda old, new: new)


def _copied(**others):
    def answer(X_new, cache, layer, num_heads, base=10000.0):
        return _writes(X_new, cache, layer | {name: layer[other] for name, other in others.items()}, num_heads, base)

    return answer


bias_of_queries_for_values = _copied(b_v="b_q")
bias_of_keys_for_queries = _copied(b_q="b_k")
bias_of_values_for_queries = _copied(b_q="b_v")
keys_ask = _copied(W_q="W_k")
values_ask = _copied(W_q="W_v")
values_for_keys = _copied(W_k="W_v")
queries_for_values = _copied(W_v="W_q")
all_of_queries_for_values = _copied(W_v="W_q", b_v="b_q")
all_of_values_for_queries = _copied(W_q="W_v", b_q="b_v")
all_of_values_for_keys = _copied(W_k="W_v", b_k="b_v")
masked_with_a_cache_only = _hand(
    mask=lambda n, t: np.arange(t + n) <= t + np.arange(n)[:, None] if t else np.ones((n, n))
)


last_row_asks = _hand(weigh=lambda scores, seen, d_k: softmax(np.where(seen, scores[:, -1:], -1e9)))


def last_row_asks_and_is_masked(X_new, cache, layer, num_heads, base=10000.0):
    t, n = _old(cache), len(X_new)
    Q, K, V = _qkv(X_new, layer, num_heads)
    at = np.arange(t, t + n)
    Q, (K, V) = rotate(Q, at, base), _join(cache, rotate(K, at, base), V)
    context, _ = masked_attention(Q[:, -1:], K, V, np.arange(t + n) <= at[-1:, None])
    return _out(context, layer), K, V


def bias_of_values_at_the_end(X_new, cache, layer, num_heads, base=10000.0):
    t, n = _old(cache), len(X_new)
    Q, K, _ = _qkv(X_new, layer, num_heads)
    V = split_heads(X_new @ layer["W_v"], num_heads)
    places = np.arange(t, t + n)
    K, V = _join(cache, rotate(K, places, base), V)
    context, _ = masked_attention(rotate(Q, places, base), K, V, np.arange(t + n)[None, :] <= places[:, None])
    return (merge_heads(context) + layer["b_v"]) @ layer["W_o"] + layer["b_o"], K, V


WRONG = [
    (bias_of_values_at_the_end, "b_v-behind"),
    (bias_of_queries_for_values, "b_q-for-b_v"),
    (bias_of_keys_for_queries, "b_k-for-b_q"),
    (bias_of_values_for_queries, "b_v-for-b_q"),
    (keys_ask, "W_k-for-W_q"),
    (values_ask, "W_v-for-W_q"),
    (values_for_keys, "W_v-for-W_k"),
    (queries_for_values, "W_q-for-W_v"),
    (all_of_queries_for_values, "values-by-W_q"),
    (all_of_values_for_queries, "queries-by-W_v"),
    (all_of_values_for_keys, "keys-by-W_v"),
    (masked_with_a_cache_only, "no-mask-without-a-cache"),
    (last_row_asks, "last-asks-for-all"),
    (last_row_asks_and_is_masked, "last-row-only"),
    (seen_and_turned_at_the_last, "all-at-the-last"),
    (turned_at_the_last, "all-turned-at-the-last"),
    (asked_at_the_last, "queries-at-the-last"),
    (counted_backwards, "counted-backwards"),
    (turned_backwards, "places-backwards"),
    (t_counted_twice, "counted-from-2t"),
    (turned_from_twice_t, "turned-from-2t"),
    (a_counter_that_begins_at_t, "turned-from-2t"),
    (late_with_a_cache, "counted-one-late-with-a-cache"),
    (turned_late_with_a_cache, "places-one-late-with-a-cache"),
    (early_with_a_cache, "counted-one-early"),
    (early_always, "counted-from-minus-1"),
    (turned_early_always, "places-from-minus-1"),
    (the_old_ones_alone, "old-ones-alone"),
    (a_diagonal_one_short, "mask-one-short-of-new-ones"),
    (a_number_where_it_may_look, "mask-inverted-with-a-number"),
    (a_large_number_without_minus, "masked-by-plus"),
    (minus_five_hundred, "masked-by"),
    (minus_a_thousand, "masked-by"),
    (scores_for_weights, "no-softmax"),
    (multiplied_by_the_root, "times-sqrt-d_k"),
    (divided_behind_the_softmax, "scaled-weights"),
    (root_of_the_keys, "by-sqrt-keys"),
    (root_of_the_new_ones, "by-sqrt-new"),
    (softmax_along_the_heads, "softmax-over-heads"),
    (softmax_of_everything, "softmax-over-all"),
    (masks_the_powers, "renormalised"),
    (masks_the_weights_and_shares_anew, "renormalised"),
    (merged_like_cards, "dealt-out-at-merge"),
    (values_at_once_without_a_cache, "itself-alone-without-a-cache"),
    (matrix_of_the_values_last, "W_v-for-W_o"),
    (bias_of_the_values_last, "b_v-for-b_o"),
    (new_keys_behind_old_values, "new-keys-for-new-values"),
    (one_bias_for_all, "b_q-for-all"),
    (biases_before_the_matrices, "biases-before-matrices"),
    (biases_behind_the_turn, "biases-behind-the-turn"),
    (each_in_front_of_all, "each-new-in-front"),
    (each_token_anew, "each-token-alone"),
    (rotates_halves, "turned-by-halves"),
    (rotates_halves_unscaled, "turned-by-halves"),
    (reshapes_twice, "bare-both"),
    (deals_heads_out, "dealt-out"),
    (turned_by_the_number_of_heads, "turned-by-heads"),
    (turned_by_the_size_of_a_key, "turned-by-d_k"),
    (keys_the_other_way, "keys-turned-back"),
    (both_the_other_way, "both-turned-back"),
    (queries_at_the_first_new_place, "queries-at-t"),
    (no_maximum_taken_off, "no-maximum"),
    (one_sum_for_all, "sum-of-all"),
    (root_of_the_heads, "by-sqrt-heads"),
    (divided_without_a_root, "by-d_k"),
    (minus_ten, "masked-by"),
    (minus_a_hundred, "masked-by"),
    (takes_off_where_it_may_look, "mask-inverted-by-adding"),
    (last_bias_for_each_head, "b_o-for-each-head"),
    (last_bias_twice, "b_o-twice"),
    (normed_first, "norm-inside"),
    (cache_of_few_digits, "half-precision"),
    (bias_behind_the_turn, "b_k-behind-the-turn"),
    (values_turned_and_not_itself, "not-itself"),
    (writes_into_the_cache, "tuple-changed"),
    (triangle_then_ones, "triangle-in-front"),
    (triangle_for_the_old, "triangle-for-old"),
    (a_triangle_for_each, "two-triangles"),
    (ones_then_triu, "triangle-turned"),
    (keys_are_turned_queries, "keys-by-turned-queries"),
    (queries_are_kept, "keys-by-W_q"),
    (weights_for_contexts, "inner-sizes"),
    (values_before_keys, "values-asked"),
    (keys_by_the_matrix_of_queries, "W_q-for-W_k"),
    (old_values_before_new_keys, "old-values-for-old-keys"),
    (the_bias_of_the_values, "b_v-for-b_k"),
    (old_keys_before_new_values, "old-keys-for-old-values"),
    (base_for_the_queries_alone, "base-for-queries-only"),
    (blocks_what_may_be_seen, "mask-inverted-to-nan"),
    (neither_scale_nor_last_bias, "no-b_o"),
    (one_token_with_a_cache, "all-turned-at-t-with-a-cache"),
    (usual_base_for_queries, "base-for-keys-only"),
    (early_return_without_a_bias, "no-b_o-without-a-cache"),
    (behind_all_of_them, "places-behind-the-new"),
    (last_old_place_again, "places-one-early"),
    (turns_what_comes_in, "rows-turned-for-scores"),
    (bias_of_the_line_above, "b_q-for-b_k"),
    (masked_at_first_only, "no-mask-with-a-cache"),
    (turned_with_a_cache_only, "unturned-without-a-cache"),
    (keys_copied_from_queries, "keys-by-W_q"),
    (a_prompt_or_a_token, "square-mask"),
    (counts_heads_as_tokens, "sizes-with-cache"),
    (counts_the_pair, "sizes-with-cache"),
    (old_keys_behind, "new-keys-in-front"),
    (old_values_behind, "new-values-in-front"),
    (one_row_for_all, "as-far-as-the-first"),
    (true_is_masked, "mask-inverted-strictly"),
    (asks_the_cache_alone, "cache-alone"),
    (softmax_along_axis_1, "softmax-over-queries"),
    (a_little_below, "added-below"),
    (turns_one_matrix, "W_q-transposed"),
    (places_of_all_for_the_new, "sizes-with-cache"),
    (cannot_begin, "not-a-method-result"),
    (queries_made_as_keys, "queries-by-W_k"),
    (values_of_the_keys_matrix_alone, "W_k-for-W_v"),
    (queries_for_keys, "queries-keys-exchanged"),
    (masks_by_multiplying_scores, "scores-by-mask"),
    (masks_by_multiplying_weights, "weights-by-mask"),
    (copied_a_bias, "b_k-for-b_v"),
    (exchanged_keys_and_values, "matrices-exchanged"),
    (counts_all_from_zero, "counted-from-0"),
    (counts_all_from_one, "counted-from-1"),
    (queries_begin_anew, "queries-from-0"),
    (keys_begin_anew, "keys-from-0"),
    (queries_the_other_way, "queries-turned-back"),
    (inputs_are_turned, "rows-turned-first"),
    (everything_but_what_may_be_seen, "mask-inverted-strictly"),
    (diagonal_at_the_new_ones, "mask-by-new-ones"),
    (old_values_are_keys, "old-ones-exchanged"),
    (values_of_the_keys_matrix, "values-by-W_k"),
    (turns_what_is_joined, "all-turned-again"),
    (values_turned_by_the_usual_base, None),
    (counts_from_zero, "places-from-0"),
    (counts_from_one, "places-from-1"),
    (sees_all, "no-mask"),
    (first_rows, "first-rows-of-mask"),
    (square, "square-mask"),
    (strictly_before, "not-itself"),
    (old_ones_and_itself, "new-alone"),
    (forgets_the_cache, "old-ignored"),
    (keeps_only_the_new, "old-not-returned"),
    (hands_back_what_came, "not-extended"),
    (stores_before_turning, "keys-stored-unturned"),
    (turns_all_keys, "turned-again"),
    (turns_values, "values-turned"),
    (turns_keys_only, "queries-unturned"),
    (turns_queries_only, "keys-unturned"),
    (turns_nothing, "nothing-turned"),
    (turns_before_splitting, "rows-turned-whole"),
    (base_of_its_own, "base-ignored"),
    (new_ones_first, "new-before-old"),
    (beside_not_behind, "joined-on-another-axis"),
    (values_first, "keys-values-swapped-in-cache"),
    (merged_only, "no-W_o"),
    (without_its_bias, "no-b_o"),
    (no_biases, "biases-ignored"),
    (no_query_bias, "no-b_q"),
    (no_key_bias, "no-b_k"),
    (no_value_bias, "no-b_v"),
    (plus_what_was_there, "residual-added"),
    (the_last_row, "last-only"),
    (reshapes_to_split, "bare-split"),
    (reshapes_to_merge, "no-exchange-at-merge"),
    (unscaled, "no-scale"),
    (by_the_whole_width, "by-sqrt-d_model"),
    (transposed, "projections-transposed"),
    (t_is_the_number_of_heads, "places-by-heads"),
    (t_is_the_last_axis, "places-by-d_k"),
    (length_of_the_pair, "places-by-pair"),
    (length_of_the_pair_for_turning, "turned-by-pair"),
    (context_and_weights_as_one, "several-for-one"),
    (mask_by_the_number_of_heads, "sizes-with-cache"),
    (values_of_old_ones_left_out, "sizes-with-cache"),
    (all_new_at_t, "all-at-t"),
    (all_turned_at_t, "all-turned-at-t"),
    (one_into_the_future, "one-too-far"),
    (greater_or_equal, "mask-inverted"),
    (keeps_bare_keys, "turned-when-read"),
    (only_its_bias, "b_o-alone"),
    (bias_first, "b_o-before-W_o"),
    (three_biases_missing, "inner-biases-ignored"),
    (three_transposed, "inner-transposed"),
    (output_transposed, "W_o-transposed"),
    (scaled_before_and_inside, "by-d_k"),
    (only_the_context, None),
    (hands_back_a_pair, None),
]
