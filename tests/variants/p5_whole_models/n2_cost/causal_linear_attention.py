import numpy as np


def phi(x):
    return np.where(x > 0, x + 1, np.exp(np.minimum(x, 0)))


def state_in_a_loop(Q, K, V):
    S, z, rows = np.zeros((Q.shape[1], V.shape[1])), np.zeros(Q.shape[1]), []
    for q, k, v in zip(phi(Q), phi(K), V, strict=True):
        S, z = S + np.outer(k, v), z + k
        rows.append(q @ S / (q @ z))
    return np.array(rows)


def cumulative_sums(Q, K, V):
    k = phi(K)
    S = np.cumsum(np.einsum("nk,nv->nkv", k, V), axis=0)
    q = phi(Q)
    return np.einsum("nk,nkv->nv", q, S) / np.einsum("nk,nk->n", q, np.cumsum(k, axis=0))[:, None]


def ones_beside_the_values(Q, K, V):
    """The normaliser as one more value, which is always 1."""
    V = np.column_stack([V, np.ones(len(V))])
    S, out = np.zeros((K.shape[1], V.shape[1])), np.empty(V.shape)
    for i in range(len(K)):
        S += phi(K[i])[:, None] * V[i]
        out[i] = phi(Q[i]) @ S
    return out[:, :-1] / out[:, -1:]


def elu_plus_one(Q, K, V):
    def elu(x):
        low = x.copy()
        low[x <= 0] = np.exp(x[x <= 0]) - 1
        return low

    q, k = elu(Q) + 1, elu(K) + 1
    S, z = np.cumsum(k[:, :, None] * V[:, None, :], axis=0), np.cumsum(k, axis=0)
    return (q[:, None, :] @ S)[:, 0] / (q * z).sum(axis=1, keepdims=True)


def branches_that_overflow(Q, K, V):
    """Warns of an overflow in the branch that is not taken."""
    with np.errstate(over="ignore"):
        q, k = np.where(Q > 0, Q + 1, np.exp(Q)), np.where(K > 0, K + 1, np.exp(K))
    S, z, rows = 0, 0, []
    for i in range(len(V)):
        S, z = S + k[i][:, None] @ V[i][None, :], z + k[i]
        rows.append((q[i] @ S / (q[i] @ z)).tolist())
    return rows


def in_single_precision(Q, K, V):
    return np.float32(state_in_a_loop(np.float32(Q), np.float32(K), np.float32(V)))


def a_column_at_a_time(Q, K, V):
    q, k = phi(Q), phi(K)
    z = (q * np.cumsum(k, axis=0)).sum(axis=1)
    columns = [(q * np.cumsum(k * V[:, c : c + 1], axis=0)).sum(axis=1) / z for c in range(V.shape[1])]
    return np.stack(columns, axis=1)


def a_list_of_rows(Q, K, V):
    S, z, out = 0.0, 0.0, []
    for q, k, v in zip(phi(Q), phi(K), V, strict=True):
        S = S + np.outer(k, v)
        z = z + k
        out.append(q @ S / (q @ z))
    return out


def numbers_of_python(Q, K, V):
    """Right, and so slow that a busy machine may not wait for it; tests/test_properties.py gives it the time."""
    Q, K, V = phi(Q).tolist(), phi(K).tolist(), V.tolist()
    z, rows = [0.0] * len(K[0]), []
    S = [z] * len(V[0])  # a list for each number of a value
    for q, k, v in zip(Q, K, V, strict=True):
        z = [old + new for old, new in zip(z, k, strict=True)]
        S = [[old + new * one for old, new in zip(column, k, strict=True)] for column, one in zip(S, v, strict=True)]
        below = sum([x * y for x, y in zip(q, z, strict=True)])
        rows.append([sum([x * y for x, y in zip(q, column, strict=True)]) / below for column in S])
    return rows


def nothing_that_counts_below(Q, K, V):
    """As libraries do, which do not know whether a sum may be 0."""
    return _a_little_below(1e-8)(Q, K, V)


VARIANTS = [
    nothing_that_counts_below,
    a_list_of_rows,
    state_in_a_loop,
    cumulative_sums,
    ones_beside_the_values,
    elu_plus_one,
    branches_that_overflow,
    in_single_precision,
    a_column_at_a_time,
]


def _sums(q, k, V, mask):
    scores = q @ k.T * mask
    return scores @ V / scores.sum(axis=1, keepdims=True)


def all_at_once(Q, K, V):
    return _sums(phi(Q), phi(K), V, 1)


def one_state_for_all(Q, K, V):
    q, k = phi(Q), phi(K)
    return q @ (k.T @ V) / (q @ k.sum(axis=0))[:, None]


def reads_first(Q, K, V):
    S, z, rows = np.zeros((Q.shape[1], V.shape[1])), np.zeros(Q.shape[1]), []
    with np.errstate(all="ignore"):
        for q, k, v in zip(phi(Q), phi(K), V, strict=True):
            rows.append(q @ S / (q @ z))
            S, z = S + np.outer(k, v), z + k
    return np.array(rows)


def state_made_anew(Q, K, V):
    rows = []
    for q, k, v in zip(phi(Q), phi(K), V, strict=True):
        S, z = np.zeros((len(q), len(v))), np.zeros(len(q))
        S, z = S + np.outer(k, v), z + k
        rows.append(q @ S / (q @ z))
    return np.array(rows)


def from_the_last(Q, K, V):
    return state_in_a_loop(Q[::-1], K[::-1], V[::-1])[::-1]


def whole_sum_below(Q, K, V):
    z, S, rows = phi(K).sum(axis=0), 0, []
    for q, k, v in zip(phi(Q), phi(K), V, strict=True):
        S = S + np.outer(k, v)
        rows.append(q @ S / (q @ z))
    return np.array(rows)


def whole_state_above(Q, K, V):
    S, z, rows = phi(K).T @ V, 0, []
    for q, k in zip(phi(Q), phi(K), strict=True):
        z = z + k
        rows.append(q @ S / (q @ z))
    return np.array(rows)


def undivided(Q, K, V):
    S, rows = 0, []
    for q, k, v in zip(phi(Q), phi(K), V, strict=True):
        S = S + np.outer(k, v)
        rows.append(q @ S)
    return np.array(rows)


def divided_by_count(Q, K, V):
    return undivided(Q, K, V) / np.arange(1, len(Q) + 1)[:, None]


def phi_last(Q, K, V):
    scores = phi(Q @ K.T) * np.tri(len(Q))
    return scores @ V / scores.sum(axis=1, keepdims=True)


def _with(f, g, of_values=lambda x: x):
    def answer(Q, K, V):
        q, k, V = f(Q), g(K), of_values(V)
        S, z, rows = 0, 0, []
        with np.errstate(all="ignore"):
            for i in range(len(V)):
                S, z = S + np.outer(k[i], V[i]), z + k[i]
                rows.append(q[i] @ S / (q[i] @ z))
        return np.array(rows)

    return answer


def same(x):
    return x


def plain_elu(x):
    return np.where(x > 0, x, np.exp(np.minimum(x, 0)) - 1)


def products(x):
    with np.errstate(all="ignore"):
        return (x > 0) * (x + 1) + (x <= 0) * np.exp(x)


def bare_exp(x):
    with np.errstate(all="ignore"):
        return np.exp(x)


no_features = _with(same, same)
features_of_keys = _with(same, phi)
features_of_queries = _with(phi, same)
features_of_values = _with(phi, phi, phi)
with_exp = _with(bare_exp, bare_exp)
with_relu = _with(lambda x: np.maximum(x, 0), lambda x: np.maximum(x, 0))
with_elu = _with(plain_elu, plain_elu)
without_one = _with(*[lambda x: np.where(x > 0, x, np.exp(np.minimum(x, 0)))] * 2)
by_products = _with(products, products)


def one_too_many(Q, K, V):
    def high(x):
        return np.where(x > 0, x + 1, np.exp(np.minimum(x, 0)) + 1)

    return _with(high, high)(Q, K, V)


def scaled_queries(Q, K, V):
    return state_in_a_loop(Q / np.sqrt(Q.shape[1]), K, V)


def _softmax(scores):
    powers = np.exp(scores - scores.max(axis=-1, keepdims=True))
    return powers / powers.sum(axis=-1, keepdims=True)


def softmax_over_features(Q, K, V):
    return _softmax(np.where(np.tri(len(Q)) > 0, phi(Q) @ phi(K).T, -np.inf)) @ V


def plain_attention(Q, K, V):
    return _softmax(np.where(np.tri(len(Q)) > 0, Q @ K.T / np.sqrt(Q.shape[1]), -np.inf)) @ V


def keys_heard(Q, K, V):
    return state_in_a_loop(Q, K, K)


def returns_weights(Q, K, V):
    scores = phi(Q) @ phi(K).T * np.tri(len(Q))
    return scores / scores.sum(axis=1, keepdims=True)


def z_of_this_round(Q, K, V):
    S, rows = 0, []
    for q, k, v in zip(phi(Q), phi(K), V, strict=True):
        S, z = S + np.outer(k, v), k
        rows.append(q @ S / (q @ z))
    return np.array(rows)


def weights_of_other_queries(Q, K, V):
    S, z, rows = 0, 0, []
    for q, k, v in zip(phi(Q), phi(K), V, strict=True):
        S, z = S + np.outer(k, v), z + q @ k
        rows.append(q @ S / z)
    return np.array(rows)


def without_the_query(Q, K, V):
    S, z, rows = 0, 0, []
    for q, k, v in zip(phi(Q), phi(K), V, strict=True):
        S, z = S + np.outer(k, v), z + k
        rows.append(q @ S / z.sum())
    return np.array(rows)


flat_below_zero = _with(*[lambda x: np.maximum(x, 0) + 1] * 2)


def all_keys_again(Q, K, V):
    q, k, rows = phi(Q), phi(K), []
    for i in range(len(Q)):
        weights = k[: i + 1] @ q[i]
        rows.append(weights @ V[: i + 1] / weights.sum())
    return np.array(rows)


def values_not_kept(Q, K, V):
    q, k = phi(Q), phi(K)
    z = np.zeros(Q.shape[1])
    out = []
    for i in range(len(Q)):
        S = np.outer(k[i], V[i])
        z = z + k[i]
        out.append(q[i] @ S / (q[i] @ z))
    return np.array(out)


def begins_with_the_second(Q, K, V):
    S, z = np.zeros((K.shape[1], V.shape[1])), np.zeros(K.shape[1])
    out = np.zeros((len(Q), V.shape[1]))
    for i in range(1, len(Q)):
        k = phi(K[i])
        S, z = S + np.outer(k, V[i]), z + k
        out[i] = phi(Q[i]) @ S / (phi(Q[i]) @ z)
    return out


def one_more_everywhere(Q, K, V):
    S, z, out = np.zeros((K.shape[1], V.shape[1])), np.zeros(K.shape[1]), []
    for q, k, v in zip(Q + 1, K + 1, V, strict=True):
        S, z = S + np.outer(k, v), z + k
        out.append(q @ S / (q @ z))
    return np.array(out)


# Each with the mistake that the judge should name, or None.
def adds_up_queries(Q, K, V):
    S, z, rows = np.zeros((Q.shape[1], V.shape[1])), np.zeros(Q.shape[1]), []
    for q, k, v in zip(phi(Q), phi(K), V, strict=True):
        S, z = S + np.outer(k, v), z + q
        rows.append(q @ S / (q @ z))
    return np.array(rows)


def _with_features(Q, K, V, phi):
    S, z, contexts = 0.0, 0.0, []
    for q, k, v in zip(phi(Q), phi(K), V, strict=True):
        S, z = S + np.outer(k, v), z + k
        contexts.append(q @ S / (q @ z))
    return np.array(contexts)


def squares_for_features(Q, K, V):
    return _with_features(Q, K, V, np.square)


def sizes_for_features(Q, K, V):
    return _with_features(Q, K, V, np.abs)


def softplus_for_features(Q, K, V):
    return _with_features(Q, K, V, lambda x: np.log1p(np.exp(-np.abs(x))) + np.maximum(x, 0))


def number_by_number(Q, K, V):
    phi_Q, phi_K = (np.where(x > 0, x + 1, np.exp(np.minimum(x, 0))) for x in (Q, K))
    S, z, contexts = 0.0, 0.0, []
    for q, k, v in zip(phi_Q, phi_K, V, strict=True):
        S, z = S + np.outer(k, v), z + k
        contexts.append((q / z) @ S)
    return np.array(contexts)


def all_products_below_a_mask(Q, K, V):
    return _sums(phi(Q), phi(K), V, np.tri(len(Q)))


def _read(Q, K, V, z=0.0, below=lambda q, z: q @ z, of_key=phi):
    S, z, rows = np.zeros((Q.shape[1], V.shape[1])), np.full(Q.shape[1], z), []
    for q, k, v in zip(Q, K, V, strict=True):
        S, z = S + np.outer(phi(k), v), z + of_key(k)
        rows.append(phi(q) @ S / below(phi(q), z))
    return np.array(rows)


def ones_to_begin_with(Q, K, V):
    return _read(Q, K, V, z=1.0)


def never_by_zero(Q, K, V):
    return _read(Q, K, V, below=lambda q, z: q @ z + 1)


def features_of_the_sum(Q, K, V):
    return _read(Q, K, V, of_key=lambda k: k, below=lambda q, z: q @ phi(z))


def query_in_the_state(Q, K, V):
    S, z, contexts = 0.0, 0.0, []
    for q, k, v in zip(phi(Q), phi(K), V, strict=True):
        S, z = S + (q @ k) * v, z + q @ k
        contexts.append(S / z)
    return np.array(contexts)


def row_by_row(Q, K, V):
    queries, keys, contexts = phi(Q), phi(K), []
    for i, q in enumerate(queries):
        weights = keys[: i + 1] @ q
        contexts.append(weights @ V[: i + 1] / weights.sum())
    return np.array(contexts)


def z_after_reading(Q, K, V):
    S, z, rows = np.zeros((K.shape[1], V.shape[1])), np.zeros(K.shape[1]), []
    with np.errstate(all="ignore"):
        for q, k, v in zip(phi(Q), phi(K), V, strict=True):
            S = S + np.outer(k, v)
            rows.append(q @ S / (q @ z))
            z = z + k
    return np.array(rows)


def features_before_and_in_the_loop(Q, K, V):
    return state_in_a_loop(phi(Q), phi(K), V)


def keys_before_and_in_the_loop(Q, K, V):
    return state_in_a_loop(Q, phi(K), V)


def rows_like_the_values(Q, K, V):
    S, z, out = np.zeros((K.shape[1], V.shape[1])), np.zeros(K.shape[1]), np.zeros_like(V)
    for i in range(len(Q)):
        S, z = S + np.outer(phi(K[i]), V[i]), z + phi(K[i])
        out[i] = phi(Q[i]) @ S / (phi(Q[i]) @ z)
    return out


def _a_little_below(little):
    def answer(Q, K, V):
        S, z, rows = np.zeros((Q.shape[1], V.shape[1])), np.zeros(Q.shape[1]), []
        for q, k, v in zip(phi(Q), phi(K), V, strict=True):
            S, z = S + np.outer(k, v), z + k
            rows.append(q @ S / (q @ z + little))
        return np.array(rows)

    return answer


def a_millionth_below(Q, K, V):
    return _a_little_below(1e-6)(Q, K, V)


def a_hundred_thousandth_below(Q, K, V):
    return _a_little_below(1e-5)(Q, K, V)


def sums_along_the_features(Q, K, V):
    q, k = phi(Q), phi(K)
    S, z = np.cumsum(k[:, :, None] * V[:, None, :], axis=1), np.cumsum(k, axis=1)
    return np.einsum("nk,nkv->nv", q, S) / (q * z).sum(axis=1)[:, None]


def softmax_of_a_triangle(Q, K, V):
    powers = np.exp(np.tril(phi(Q) @ phi(K).T))
    return powers / powers.sum(axis=1, keepdims=True) @ V


def softmax_makes_features(Q, K, V):
    q, k = (np.exp(one - one.max(axis=1, keepdims=True)) for one in (Q, K))
    return _sums(q / q.sum(axis=1, keepdims=True), k / k.sum(axis=1, keepdims=True), V, np.tri(len(Q)))


def _by_rounds(Q, K, V, add, begun=False):
    """A loop with a state, where `add` says what z gets for a key."""
    S, z, rows = np.zeros((Q.shape[1], V.shape[1])), np.zeros(Q.shape[1]), []
    if begun:
        S, z = np.outer(features(K[0]), V[0]), features(K[0])
    for q, k, v in zip(features(Q), K, V, strict=True):
        S, z = S + np.outer(features(k), v), z + add(k)
        rows.append(q @ S / (q @ z))
    return np.array(rows)


def features(x):
    return np.where(x > 0, x + 1, np.exp(np.minimum(x, 0)))


def bare_keys_below(Q, K, V):
    return _by_rounds(Q, K, V, lambda k: k)


def counted_below(Q, K, V):
    return _by_rounds(Q, K, V, lambda k: 1)


def begun_and_counted_again(Q, K, V):
    return _by_rounds(Q, K, V, features, begun=True)


def the_state_read_between(Q, K, V):
    def phi(x):
        return np.where(x > 0, x + 1, np.exp(np.minimum(x, 0)))

    S, z, out = np.zeros((K.shape[1], V.shape[1])), np.zeros(K.shape[1]), []
    for q, k, v in zip(phi(Q), phi(K), V, strict=True):
        z = z + k
        out.append(q @ S / (q @ z))
        S = S + np.outer(k, v)
    return np.array(out)


def the_sum_below_read_between(Q, K, V):
    def phi(x):
        return np.where(x > 0, x + 1, np.exp(np.minimum(x, 0)))

    S, z, out = np.zeros((K.shape[1], V.shape[1])), np.zeros(K.shape[1]), []
    for q, k, v in zip(phi(Q), phi(K), V, strict=True):
        S = S + np.outer(k, v)
        out.append(q @ S / (q @ z))
        z = z + k
    return np.array(out)


def _divided(Q, K, V, below, first=slice(None)):
    """What the state gives for each query, and the sums below the line behind the loop."""
    S, z, read = np.zeros((K.shape[1], V.shape[1])), np.zeros(K.shape[1]), np.zeros((len(Q), V.shape[1]))
    for i, (q, k, v) in enumerate(zip(phi(Q), phi(K), V, strict=True)):
        S, z = S + np.outer(k, v), z + k
        read[i] = q @ S
    read[first] /= below(q, z)
    return read


def the_last_sum_for_all(Q, K, V):
    return _divided(Q, K, V, lambda q, z: q @ z)


def the_last_z_summed_for_all(Q, K, V):
    return _divided(Q, K, V, lambda q, z: z.sum())


def the_last_z_for_all_queries(Q, K, V):
    return _divided(Q, K, V, lambda q, z: (phi(Q) @ z)[:, None])


def divided_behind_the_loop(Q, K, V):
    return _divided(Q, K, V, lambda q, z: q @ z, first=slice(-1, None))


def z_behind_a_billionth(Q, K, V):
    S, z, context = np.zeros((K.shape[1], V.shape[1])), np.zeros(K.shape[1]), np.zeros((len(Q), V.shape[1]))
    for i, (q, k, v) in enumerate(zip(phi(Q), phi(K), V, strict=True)):
        S = S + np.outer(k, v)
        context[i] = q @ S / (q @ z + 1e-9)
        z = z + k
    return context


def z_behind_a_millionth(Q, K, V):
    S, z, context = np.zeros((K.shape[1], V.shape[1])), np.zeros(K.shape[1]), np.zeros((len(Q), V.shape[1]))
    for i, (q, k, v) in enumerate(zip(phi(Q), phi(K), V, strict=True)):
        S = S + np.outer(k, v)
        context[i] = q @ S / (q @ z + 1e-6)
        z = z + k
    return context


def both_read_first_beside_a_millionth(Q, K, V):
    S, z, context = np.zeros((K.shape[1], V.shape[1])), np.zeros(K.shape[1]), np.zeros((len(Q), V.shape[1]))
    for i, (q, k, v) in enumerate(zip(phi(Q), phi(K), V, strict=True)):
        context[i] = q @ S / (q @ z + 1e-6)
        S, z = S + np.outer(k, v), z + k
    return context


def _sums_along(q, k, V, axis_of_S=0, axis_of_z=0):
    S = np.cumsum(np.einsum("nd,nv->ndv", k, V), axis=axis_of_S)
    z = np.cumsum(k, axis=axis_of_z)
    return np.einsum("nd,ndv->nv", q, S) / np.einsum("nd,nd->n", q, z)[:, None]


def S_along_axis_1(Q, K, V):
    return _sums_along(phi(Q), phi(K), V, axis_of_S=1)


def S_along_axis_2(Q, K, V):
    return _sums_along(phi(Q), phi(K), V, axis_of_S=2)


def z_along_axis_1(Q, K, V):
    return _sums_along(phi(Q), phi(K), V, axis_of_z=1)


def fourth_root_for_both(Q, K, V):
    root = Q.shape[1] ** 0.25
    return _sums_along(phi(Q / root), phi(K / root), V)


def relu_and_a_millionth(Q, K, V):
    return _sums_along(np.maximum(Q, 0) + 1e-6, np.maximum(K, 0) + 1e-6, V)


def relu_and_a_thousandth(Q, K, V):
    return _sums_along(np.maximum(Q, 0) + 1e-3, np.maximum(K, 0) + 1e-3, V)


def features_over_their_sum(Q, K, V):
    q, k = phi(Q), phi(K)
    return _sums_along(q / q.sum(axis=1, keepdims=True), k / k.sum(axis=1, keepdims=True), V)


def features_of_length_1(Q, K, V):
    q, k = phi(Q), phi(K)
    return _sums_along(q, k / np.linalg.norm(k, axis=1, keepdims=True), V)


def _round_by_round(Q, K, V, keep=1.0, delta=False, window=None, divided=True):
    q, k = phi(Q), phi(K)
    S, z, out = np.zeros((K.shape[1], V.shape[1])), np.zeros(K.shape[1]), np.zeros(V.shape)
    for i in range(len(Q)):
        S = keep * S + np.outer(k[i], V[i] - k[i] @ S if delta else V[i])
        z = keep * z + k[i]
        if window and i >= window:
            S, z = S - np.outer(k[i - window], V[i - window]), z - k[i - window]
        out[i] = q[i] @ S / (q[i] @ z if divided else 1)
    return out


def forgets_a_tenth(Q, K, V):
    return _round_by_round(Q, K, V, keep=0.9)


def takes_off_what_is_said(Q, K, V):
    return _round_by_round(Q, K, V, delta=True)


def takes_off_and_never_divides(Q, K, V):
    return _round_by_round(Q, K, V, delta=True, divided=False)


def only_the_last_64(Q, K, V):
    return _round_by_round(Q, K, V, window=64)


def powers_and_never_divides(Q, K, V):
    return np.tril(np.exp(Q) @ np.exp(K).T) @ V


def z_is_one_number(Q, K, V):
    q, k = phi(Q), phi(K)
    S = np.cumsum(np.einsum("nd,nv->ndv", k, V), axis=0)
    return np.einsum("nd,ndv->nv", q, S) / (q.sum(axis=1) * np.cumsum(k.sum(axis=1)))[:, None]


def _reads(Q, K, V, *, write_first=True, first=None, below=lambda q, z: q @ z, of_S=phi, S=0.0, z=0.0, ask=0, write=0):
    """A state, token by token, with a place for each slip."""
    S, z = np.zeros((K.shape[1], V.shape[1])) + S, np.zeros(K.shape[1]) + z
    out = np.zeros((len(Q), V.shape[1]))
    with np.errstate(all="ignore"):
        for i in range(len(Q)):
            q = phi(Q[min(i + ask, len(Q) - 1)])
            if write_first:
                S, z = S + np.outer(of_S(K[i + write]), V[i + write]), z + phi(K[i + write])
            out[i] = q @ S / below(q, z) if i > 0 or first is None else first(V)
            if not write_first:
                S, z = S + np.outer(of_S(K[i]), V[i]), z + phi(K[i])
    return out


def reads_first_and_begins_with_a_value(Q, K, V):
    return _reads(Q, K, V, write_first=False, first=lambda V: V[0])


def reads_first_and_begins_with_zero(Q, K, V):
    return _reads(Q, K, V, write_first=False, first=lambda V: 0)


def reads_first_beside_a_billionth(Q, K, V):
    return _reads(Q, K, V, write_first=False, below=lambda q, z: q @ z + 1e-9)


def reads_first_and_wipes_the_nan_away(Q, K, V):
    return np.nan_to_num(_reads(Q, K, V, write_first=False))


def reads_once_something_is_there(Q, K, V):
    S, z, out = np.zeros((K.shape[1], V.shape[1])), np.zeros(K.shape[1]), np.zeros((len(Q), V.shape[1]))
    for i in range(len(Q)):
        q, k = phi(Q[i]), phi(K[i])
        if q @ z > 0:
            out[i] = q @ S / (q @ z)
        S, z = S + np.outer(k, V[i]), z + k
    return out


def bare_keys_above(Q, K, V):
    return _reads(Q, K, V, of_S=lambda k: k)


def S_of_ones(Q, K, V):
    return _reads(Q, K, V, S=1.0)


def S_of_an_identity(Q, K, V):
    return _reads(Q, K, V, S=np.eye(K.shape[1], V.shape[1]))


def z_of_millionths(Q, K, V):
    return _reads(Q, K, V, z=1e-6)


def asks_for_the_next_token(Q, K, V):
    return _reads(Q, K, V, ask=1)


def asks_for_the_token_before(Q, K, V):
    return _reads(Q, K, V, ask=-1)


def writes_the_token_before(Q, K, V):
    return _reads(Q, K, V, write=-1)


def a_mean_above_the_line(Q, K, V):
    S, z, out = np.zeros((K.shape[1], V.shape[1])), np.zeros(K.shape[1]), []
    for i, (q, k, v) in enumerate(zip(phi(Q), phi(K), V, strict=True)):
        S, z = S + (np.outer(k, v) - S) / (i + 1), z + k
        out.append(q @ S / (q @ z))
    return np.array(out)


def sums_down_the_columns(Q, K, V):
    weights = np.tril(phi(Q) @ phi(K).T)
    return weights @ V / weights.sum(axis=0)[:, None]


branches_turned_round = _with(*[lambda x: np.where(x < 0, x + 1, np.exp(x))] * 2)


def _rounds(Q, K, V, write, kept=1.0, divide=False):
    S, z, rows = np.zeros((Q.shape[1], V.shape[1])), np.zeros(Q.shape[1]), []
    for q, k, v in zip(phi(Q), phi(K), V, strict=True):
        S, z = kept * S + np.outer(write(q, k), v), z + k
        if divide:
            S = S / (q @ z)
        rows.append(q @ S if divide else q @ S / (q @ z))
    return np.array(rows)


def queries_into_the_state(Q, K, V):
    return _rounds(Q, K, V, lambda q, k: q)


def a_state_that_is_divided(Q, K, V):
    return _rounds(Q, K, V, lambda q, k: k, divide=True)


def a_state_that_fades_alone(Q, K, V):
    return _rounds(Q, K, V, lambda q, k: k, kept=0.9)


def masked_attention_of_features(Q, K, V):
    scores = phi(Q) @ phi(K).T / np.sqrt(Q.shape[1])
    return _softmax(np.where(np.tri(len(Q)) > 0, scores, -np.inf)) @ V


WRONG = [
    (queries_into_the_state, "S-of-queries"),
    (a_state_that_is_divided, "S-divided-each-round"),
    (a_state_that_fades_alone, "S-forgets"),
    (masked_attention_of_features, "softmax-of-scaled-features"),
    (reads_first_and_begins_with_a_value, "excludes-itself-v"),
    (reads_first_and_begins_with_zero, "excludes-itself-0"),
    (reads_first_beside_a_billionth, "excludes-itself-0"),
    (reads_first_and_wipes_the_nan_away, "excludes-itself-0"),
    (reads_once_something_is_there, "excludes-itself-0"),
    (bare_keys_above, "S-of-bare-keys"),
    (S_of_ones, "S-begins-with-ones"),
    (S_of_an_identity, "S-begins-with-identity"),
    (z_of_millionths, "z-begins-with"),
    (asks_for_the_next_token, "query-of-the-next"),
    (asks_for_the_token_before, "query-of-the-one-before"),
    (writes_the_token_before, "written-a-round-late"),
    (a_mean_above_the_line, "S-averaged"),
    (sums_down_the_columns, "divided-by-columns"),
    (branches_turned_round, "branches-exchanged"),
    (S_along_axis_1, "S-on-another-axis"),
    (S_along_axis_2, "S-on-the-last-axis"),
    (z_along_axis_1, "z-on-another-axis"),
    (fourth_root_for_both, "scaled-both"),
    (relu_and_a_millionth, "relu-and-little"),
    (relu_and_a_thousandth, "relu-and-little"),
    (features_over_their_sum, "features-divided"),
    (features_of_length_1, "features-unit"),
    (forgets_a_tenth, "forgets"),
    (takes_off_what_is_said, "corrected"),
    (takes_off_and_never_divides, "corrected"),
    (only_the_last_64, "window"),
    (z_is_one_number, "z-one-number"),
    (powers_and_never_divides, "no-normaliser"),
    (the_last_sum_for_all, "last-sum-for-all"),
    (the_last_z_summed_for_all, "z-summed"),
    (the_last_z_for_all_queries, "normaliser-of-all"),
    (divided_behind_the_loop, "divided-behind-the-loop"),
    (z_behind_a_billionth, "z-read-first"),
    (z_behind_a_millionth, "z-read-first"),
    (both_read_first_beside_a_millionth, "excludes-itself"),
    (the_state_read_between, "S-read-first"),
    (the_sum_below_read_between, "z-read-first"),
    (bare_keys_below, "z-of-bare-keys"),
    (counted_below, "z-counts"),
    (begun_and_counted_again, "first-twice"),
    (a_millionth_below, "added-below"),
    (a_hundred_thousandth_below, "added-below"),
    (sums_along_the_features, "only-itself"),
    (softmax_of_a_triangle, "softmax-over-zeros"),
    (softmax_makes_features, "softmax-for-phi"),
    (z_after_reading, "z-read-first"),
    (features_before_and_in_the_loop, "phi-twice"),
    (keys_before_and_in_the_loop, "phi-of-keys-twice"),
    (rows_like_the_values, "whole-contexts"),
    (query_in_the_state, "query-in-the-state"),
    (row_by_row, "all-pairs"),
    (begins_with_the_second, "first-never-read"),
    (one_more_everywhere, "plus-1-everywhere"),
    (ones_to_begin_with, "z-begins-with-ones"),
    (never_by_zero, "one-added-below"),
    (features_of_the_sum, "phi-of-z"),
    (all_products_below_a_mask, "all-pairs"),
    (squares_for_features, "squares"),
    (sizes_for_features, "sizes"),
    (softplus_for_features, "softplus"),
    (number_by_number, "divided-by-place"),
    (adds_up_queries, "z-of-queries"),
    (values_not_kept, "state-not-added"),
    (all_at_once, "not-causal"),
    (one_state_for_all, "not-causal"),
    (reads_first, "excludes-itself"),
    (state_made_anew, "only-itself"),
    (from_the_last, "turned-round"),
    (whole_sum_below, "normaliser-of-all"),
    (whole_state_above, "state-of-all"),
    (undivided, "no-normaliser"),
    (divided_by_count, "mean"),
    (phi_last, "phi-of-product"),
    (no_features, "no-phi"),
    (features_of_keys, "phi-of-keys-only"),
    (features_of_queries, "phi-of-queries-only"),
    (features_of_values, "phi-of-values"),
    (with_exp, "exp"),
    (with_relu, "relu"),
    (with_elu, "elu"),
    (without_one, "one-missing"),
    (one_too_many, "one-too-many"),
    (by_products, "overflow-nan"),
    (scaled_queries, "scaled"),
    (softmax_over_features, "softmax-of-features"),
    (plain_attention, "softmax-attention"),
    (z_of_this_round, "z-not-added"),
    (weights_of_other_queries, "z-of-weights"),
    (without_the_query, "z-summed"),
    (flat_below_zero, "relu-and-1"),
    (keys_heard, "keys-mixed"),
    (returns_weights, "weights-returned"),
]
