import numpy as np

from attnlib import merge_partial, softmax


def merges_triples(Q, K, V, chunk_size):
    n = len(Q)
    seen = np.full(n, -np.inf), np.zeros(n), np.zeros((n, V.shape[1]))
    for first in range(0, len(K), chunk_size):
        s = Q @ K[first : first + chunk_size].T / np.sqrt(Q.shape[1])
        m = s.max(axis=1)
        p = np.exp(s - m[:, None])
        seen = merge_partial(seen, (m, p.sum(axis=1), p @ V[first : first + chunk_size]))
    return seen[2] / seen[1][:, None]


def running_numbers(Q, K, V, chunk_size):
    m, l, o = np.full((len(Q), 1), -np.inf), 0.0, 0.0
    for a in range(0, K.shape[0], chunk_size):
        s = (Q / np.sqrt(Q.shape[-1])) @ K[a : a + chunk_size].T
        top = np.maximum(m, s.max(axis=-1, keepdims=True))
        shrink, p = np.exp(m - top), np.exp(s - top)
        l = l * shrink + p.sum(axis=-1, keepdims=True)
        o = o * shrink + p @ V[a : a + chunk_size]
        m = top
    return o / l


def two_passes(Q, K, V, chunk_size):
    """The maximum first, then the sums."""
    Q = Q / np.sqrt(Q.shape[-1])
    pieces = [slice(a, a + chunk_size) for a in range(0, len(K), chunk_size)]
    m = np.max([(Q @ K[piece].T).max(axis=1) for piece in pieces], axis=0)
    l, o = np.zeros(len(Q)), np.zeros((len(Q), V.shape[1]))
    for piece in pieces:
        p = np.exp(Q @ K[piece].T - m[:, None])
        l += p.sum(axis=1)
        o += p @ V[piece]
    return o / l[:, None]


def while_there_are_keys(Q, K, V, chunk_size):
    at, parts = 0, []
    while at < len(K):
        keys, values = K[at : at + chunk_size], V[at : at + chunk_size]
        s = np.einsum("qd,kd->qk", Q, keys) / Q.shape[1] ** 0.5
        m = s.max(axis=1)
        p = np.exp(s - m[:, None])
        parts.append((m, p.sum(axis=1), p @ values))
        at += chunk_size
    top = np.max([m for m, _, _ in parts], axis=0)
    factors = [np.exp(m - top) for m, _, _ in parts]
    l = sum(f * one for f, (_, one, _) in zip(factors, parts, strict=True))
    o = sum(f[:, None] * one for f, (_, _, one) in zip(factors, parts, strict=True))
    return o / l[:, None]


def split_by_numpy(Q, K, V, chunk_size):
    places = range(chunk_size, len(K), chunk_size)
    m = np.full(len(Q), -np.inf)
    l, o = np.zeros(len(Q)), np.zeros((len(Q), V.shape[1]))
    for keys, values in zip(np.split(K, places), np.split(V, places), strict=True):
        s = Q @ keys.T / np.sqrt(K.shape[1])
        new = np.maximum(m, s.max(axis=1))
        l, o = l * np.exp(m - new), o * np.exp(m - new)[:, None]
        m = new
        p = np.exp(s - m[:, None])
        l, o = l + p.sum(axis=1), o + p @ values
    return o / l[:, None]


def as_lists(Q, K, V, chunk_size):
    return merges_triples(Q, K, V, chunk_size).tolist()


def in_single_precision(Q, K, V, chunk_size):
    return np.float32(running_numbers(np.float32(Q), np.float32(K), np.float32(V), chunk_size))


def logarithms(Q, K, V, chunk_size):
    """Contexts of pieces, mixed by the logarithms of their sums."""
    log_l, c = np.full(len(Q), -np.inf), np.zeros((len(Q), V.shape[1]))
    for a in range(0, len(K), chunk_size):
        s = Q @ K[a : a + chunk_size].T / np.sqrt(Q.shape[1])
        m = s.max(axis=1)
        p = np.exp(s - m[:, None])
        log_new, new = m + np.log(p.sum(axis=1)), p @ V[a : a + chunk_size] / p.sum(axis=1, keepdims=True)
        both = np.logaddexp(log_l, log_new)
        c = c * np.exp(log_l - both)[:, None] + new * np.exp(log_new - both)[:, None]
        log_l = both
    return c


def filled_up_and_masked(Q, K, V, chunk_size):
    """With copies of queries, keys and values."""
    more = -len(K) % chunk_size
    K, V = np.pad(K, [(0, more), (0, 0)]), np.pad(V, [(0, more), (0, 0)])
    there = (np.arange(len(K)) < len(K) - more).reshape(-1, chunk_size)
    K, V = (one.reshape(-1, chunk_size, one.shape[1]) for one in (K / np.sqrt(Q.shape[1]), V))
    m, l, o = np.full(len(Q), -np.inf), np.zeros(len(Q)), np.zeros((len(Q), V.shape[2]))
    for keys, values, here in zip(K, V, there, strict=True):
        scores = np.where(here, Q.copy() @ keys.T, -np.inf)
        top = np.maximum(m, scores.max(axis=1))
        shrink, powers = np.exp(m - top), np.exp(scores - top[:, None])
        m, l, o = top, l * shrink + powers.sum(axis=1), o * shrink[:, None] + powers @ values
    return o / l[:, None]


def a_line_for_each_step(Q, K, V, chunk_size):
    """Every step has a name, so that six arrays of a piece's size are there at once."""
    seen = np.full(len(Q), -np.inf), np.zeros(len(Q)), np.zeros((len(Q), V.shape[1]))
    for first in range(0, len(K), chunk_size):
        K_piece, V_piece = K[first : first + chunk_size], V[first : first + chunk_size]
        raw = Q @ K_piece.T
        scores = raw / np.sqrt(Q.shape[1])
        biggest = np.repeat(scores.max(axis=1)[:, None], scores.shape[1], axis=1)
        shifted = scores - biggest
        powers = np.exp(shifted)
        sums = powers.sum(axis=1, keepdims=True)
        weights = powers / sums
        context = weights @ V_piece
        seen = merge_partial(seen, (biggest[:, 0], sums[:, 0], context * sums))
    return seen[2] / seen[1][:, None]


def products_by_broadcasting(Q, K, V, chunk_size):
    m, l, o = np.full(len(Q), -np.inf), np.zeros(len(Q)), np.zeros((len(Q), V.shape[1]))
    for i in range(0, len(K), chunk_size):
        scores = (Q[:, None, :] * K[i : i + chunk_size][None]).sum(-1) / np.sqrt(Q.shape[1])
        P = np.exp(scores - scores.max(1)[:, None])
        m, l, o = merge_partial(
            (m, l, o), (scores.max(1), P.sum(1), (P[:, :, None] * V[i : i + chunk_size][None]).sum(1))
        )
    return o / l[:, None]


VARIANTS = [
    a_line_for_each_step,
    products_by_broadcasting,
    merges_triples,
    running_numbers,
    two_passes,
    while_there_are_keys,
    split_by_numpy,
    as_lists,
    in_single_precision,
    logarithms,
    filled_up_and_masked,
]


def _pieces(Q, K, V, chunk_size, root=None, more=0, values=None):
    """(m, l, o) of each piece."""
    root = np.sqrt(Q.shape[1]) if root is None else root
    found = []
    for a in range(0, len(K), chunk_size):
        keys = K[a : a + chunk_size + more]
        s = Q @ keys.T / root
        m = s.max(axis=1, initial=-np.inf)
        p = np.exp(s - np.where(np.isfinite(m), m, 0)[:, None])
        found.append((m, p.sum(axis=1), p @ (V[a : a + chunk_size + more] if values is None else values[: len(keys)])))
    return found


def _merged(pieces):
    m = np.max([one for one, _, _ in pieces], axis=0)
    l = sum(np.exp(one - m) * part for one, part, _ in pieces)
    return sum(np.exp(one - m)[:, None] * part for one, _, part in pieces) / l[:, None]


def full_pieces_only(Q, K, V, chunk_size):
    n = len(K) // chunk_size * chunk_size
    if n == 0:
        return np.full((len(Q), V.shape[1]), np.nan)
    return running_numbers(Q, K[:n], V[:n], chunk_size)


def returns_in_the_loop(Q, K, V, chunk_size):
    return _merged(_pieces(Q, K, V, chunk_size)[:1])


def forgets_the_others(Q, K, V, chunk_size):
    return _merged(_pieces(Q, K, V, chunk_size)[-1:])


def mean_of_contexts(Q, K, V, chunk_size):
    return np.mean([o / l[:, None] for _, l, o in _pieces(Q, K, V, chunk_size)], axis=0)


def weighted_mean_of_contexts(Q, K, V, chunk_size):
    contexts = [o / l[:, None] for _, l, o in _pieces(Q, K, V, chunk_size)]
    sizes = [min(chunk_size, len(K) - a) for a in range(0, len(K), chunk_size)]
    return np.average(contexts, axis=0, weights=sizes)


def sum_of_contexts(Q, K, V, chunk_size):
    return sum(o / l[:, None] for _, l, o in _pieces(Q, K, V, chunk_size))


def own_maximum_each(Q, K, V, chunk_size):
    pieces = _pieces(Q, K, V, chunk_size)
    return sum(o for _, _, o in pieces) / sum(l for _, l, _ in pieces)[:, None]


def first_maximum_for_all(Q, K, V, chunk_size):
    m, l, o = None, 0, 0
    for a in range(0, len(K), chunk_size):
        s = Q @ K[a : a + chunk_size].T / np.sqrt(Q.shape[1])
        if m is None:
            m = s.max(axis=1, keepdims=True)
        p = np.exp(s - m)
        l, o = l + p.sum(axis=1, keepdims=True), o + p @ V[a : a + chunk_size]
    return o / l


def bare_powers(Q, K, V, chunk_size):
    l, o = 0, 0
    for a in range(0, len(K), chunk_size):
        p = np.exp(Q @ K[a : a + chunk_size].T / np.sqrt(Q.shape[1]))
        l, o = l + p.sum(axis=1, keepdims=True), o + p @ V[a : a + chunk_size]
    return o / l


def one_maximum_a_piece(Q, K, V, chunk_size):
    m, l, o = -np.inf, 0, 0
    for a in range(0, len(K), chunk_size):
        s = Q @ K[a : a + chunk_size].T / np.sqrt(Q.shape[1])
        new = max(m, s.max())
        p = np.exp(s - new)
        l = l * np.exp(m - new) + p.sum(axis=1, keepdims=True)
        o = o * np.exp(m - new) + p @ V[a : a + chunk_size]
        m = new
    return o / l


def piece_by_piece(Q, K, V, chunk_size):
    rows = []
    for a in range(0, len(K), chunk_size):
        s = Q[a : a + chunk_size] @ K[a : a + chunk_size].T / np.sqrt(Q.shape[1])
        p = np.exp(s - s.max(axis=1, keepdims=True))
        rows.append(p / p.sum(axis=1, keepdims=True) @ V[a : a + chunk_size])
    found = np.full((len(Q), V.shape[1]), np.nan)
    rows = np.vstack(rows)
    found[: len(rows)] = rows[: len(Q)]
    return found


def one_more(Q, K, V, chunk_size):
    return _merged(_pieces(Q, K, V, chunk_size, more=1))


def one_less(Q, K, V, chunk_size):
    if chunk_size == 1:
        return np.full((len(Q), V.shape[1]), np.nan)
    return _merged([piece for piece in _pieces(Q, K, V, chunk_size, more=-1) if np.isfinite(piece[0]).all()])


def values_not_cut(Q, K, V, chunk_size):
    return _merged(_pieces(Q, K, V, chunk_size, values=V))


def undivided(Q, K, V, chunk_size):
    pieces = _pieces(Q, K, V, chunk_size)
    m = np.max([one for one, _, _ in pieces], axis=0)
    return sum(np.exp(one - m)[:, None] * part for one, _, part in pieces)


def divides_each_time(Q, K, V, chunk_size):
    m, l, o = np.full((len(Q), 1), -np.inf), 0.0, 0.0
    for a in range(0, K.shape[0], chunk_size):
        s = (Q / np.sqrt(Q.shape[-1])) @ K[a : a + chunk_size].T
        top = np.maximum(m, s.max(axis=-1, keepdims=True))
        shrink, p = np.exp(m - top), np.exp(s - top)
        l = l * shrink + p.sum(axis=-1, keepdims=True)
        o = (o * shrink + p @ V[a : a + chunk_size]) / l
        m = top
    return o / l


def divides_by_how_many(Q, K, V, chunk_size):
    return undivided(Q, K, V, chunk_size) / len(K)


def unscaled(Q, K, V, chunk_size):
    return _merged(_pieces(Q, K, V, chunk_size, root=1))


def by_the_dimension(Q, K, V, chunk_size):
    return _merged(_pieces(Q, K, V, chunk_size, root=Q.shape[1]))


def by_root_of_values(Q, K, V, chunk_size):
    return _merged(_pieces(Q, K, V, chunk_size, root=np.sqrt(V.shape[1])))


def by_root_of_keys(Q, K, V, chunk_size):
    return _merged(_pieces(Q, K, V, chunk_size, root=np.sqrt(len(K))))


def by_root_of_queries(Q, K, V, chunk_size):
    return _merged(_pieces(Q, K, V, chunk_size, root=np.sqrt(len(Q))))


def by_root_of_a_piece(Q, K, V, chunk_size):
    return _merged(_pieces(Q, K, V, chunk_size, root=np.sqrt(chunk_size)))


def only_what_came_before(Q, K, V, chunk_size):
    s = np.where(np.arange(len(K)) <= np.arange(len(Q))[:, None], Q @ K.T / np.sqrt(Q.shape[1]), -np.inf)
    p = np.exp(s - s.max(axis=1, keepdims=True))
    return p / p.sum(axis=1, keepdims=True) @ V


def keys_for_values(Q, K, V, chunk_size):
    return running_numbers(Q, K, K, chunk_size)


def swapped_with_merge(Q, K, V, chunk_size):
    return running_numbers(K, Q, V, chunk_size)


def divided_pieces(Q, K, V, chunk_size):
    return _merged([(m, l, o / l[:, None]) for m, l, o in _pieces(Q, K, V, chunk_size)])


def notes_m_only(Q, K, V, chunk_size):
    found = []
    for a in range(0, len(K), chunk_size):
        s = Q @ K[a : a + chunk_size].T / np.sqrt(Q.shape[1])
        p = np.exp(s)
        found.append((s.max(axis=1), p.sum(axis=1), p @ V[a : a + chunk_size]))
    return _merged(found)


def m_before_scaling(Q, K, V, chunk_size):
    n = len(Q)
    seen = np.full(n, -np.inf), np.zeros(n), np.zeros((n, V.shape[1]))
    for a in range(0, len(K), chunk_size):
        s = Q @ K[a : a + chunk_size].T
        m = s.max(axis=1)
        p = np.exp(s / np.sqrt(Q.shape[1]) - m[:, None])
        seen = merge_partial(seen, (m, p.sum(axis=1), p @ V[a : a + chunk_size]))
    return seen[2] / seen[1][:, None]


def up_to_the_queries(Q, K, V, chunk_size):
    n = len(Q)
    seen = np.full(n, -np.inf), np.zeros(n), np.zeros((n, V.shape[1]))
    for first in range(0, n, chunk_size):
        s = Q @ K[first : first + chunk_size].T / np.sqrt(Q.shape[1])
        m = s.max(axis=1, initial=-np.inf)
        p = np.exp(s - np.where(np.isfinite(m), m, 0)[:, None])
        seen = merge_partial(seen, (m, p.sum(axis=1), p @ V[first : first + chunk_size]))
    return seen[2] / seen[1][:, None]


def softmax_of_each_piece(Q, K, V, chunk_size):
    n = len(Q)
    seen = np.full(n, -np.inf), np.zeros(n), np.zeros((n, V.shape[1]))
    for first in range(0, len(K), chunk_size):
        s = Q @ K[first : first + chunk_size].T / np.sqrt(Q.shape[1])
        m = s.max(axis=1)
        p = np.exp(s - m[:, None])
        o = p / p.sum(axis=1, keepdims=True) @ V[first : first + chunk_size]
        seen = merge_partial(seen, (m, p.sum(axis=1), o))
    return seen[2] / seen[1][:, None]


def _in_turn(Q, K, V, chunk_size, after=lambda m, l, o: (m, l, o)):
    """m, l and o of all keys, with something done to them after each round."""
    seen = np.full(len(Q), -np.inf), np.zeros(len(Q)), np.zeros((len(Q), V.shape[1]))
    for piece in _pieces(Q, K, V, chunk_size):
        seen = after(*merge_partial(seen, piece))
    return seen


def divides_in_each_round_only(Q, K, V, chunk_size):
    return _in_turn(Q, K, V, chunk_size, lambda m, l, o: (m, l, o / l[:, None]))[2]


def divides_and_forgets(Q, K, V, chunk_size):
    return _in_turn(Q, K, V, chunk_size, lambda m, l, o: (m, np.ones_like(l), o / l[:, None]))[2]


def softmax_for_powers(Q, K, V, chunk_size):
    found = []
    for m, l, o in _pieces(Q, K, V, chunk_size):
        weights_add_up_to = l / l
        found.append((m, weights_add_up_to, o / l[:, None]))
    return _merged(found)


def filled_with_zeros(Q, K, V, chunk_size):
    missing = -len(K) % chunk_size
    K, V = (np.vstack([one, np.zeros((missing, one.shape[1]))]) for one in (K, V))
    pieces = zip(K.reshape(-1, chunk_size, K.shape[1]), V.reshape(-1, chunk_size, V.shape[1]), strict=True)
    return _merged([_pieces(Q, keys, values, chunk_size)[0] for keys, values in pieces])


def begins_with_the_first_and_from_it(Q, K, V, chunk_size):
    pieces = _pieces(Q, K, V, chunk_size)
    return _merged([pieces[0], *pieces])


def powers_divided_by_a_power(Q, K, V, chunk_size):
    found = []
    for a in range(0, len(K), chunk_size):
        s = Q @ K[a : a + chunk_size].T / np.sqrt(Q.shape[1])
        m = s.max(axis=1)
        p = np.exp(s) / np.exp(m)[:, None]
        found.append((m, p.sum(axis=1), p @ V[a : a + chunk_size]))
    return _merged(found)


def sums_do_not_shrink(Q, K, V, chunk_size):
    m = np.full(len(Q), -np.inf)
    l = np.zeros(len(Q))
    o = np.zeros((len(Q), V.shape[1]))
    for i in range(0, len(K), chunk_size):
        s = Q @ K[i : i + chunk_size].T / np.sqrt(Q.shape[1])
        new = np.maximum(m, s.max(1))
        f = np.exp(m - new)
        p = np.exp(s - new[:, None])
        l = l + p.sum(1)
        o = o * f[:, None] + p @ V[i : i + chunk_size]
        m = new
    return o / l[:, None]


def _in_pieces(Q, K, V, chunk_size, starts, m, l):
    o = np.zeros((len(Q), V.shape[1]))
    for first in starts:
        scores = Q @ K[first : first + chunk_size].T / np.sqrt(Q.shape[1])
        top = np.maximum(m, scores.max(axis=1))
        shrink, powers = np.exp(m - top), np.exp(scores - top[:, None])
        m, l = top, l * shrink + powers.sum(axis=1)
        o = o * shrink[:, None] + powers @ V[first : first + chunk_size]
    return o / l[:, None]


def a_piece_at_every_key(Q, K, V, chunk_size):
    return _in_pieces(Q, K, V, chunk_size, range(len(K)), np.full(len(Q), -np.inf), np.zeros(len(Q)))


def begins_at_zero(Q, K, V, chunk_size):
    starts = range(0, len(K), chunk_size)
    return _in_pieces(Q, K, V, chunk_size, starts, np.zeros(len(Q)), np.zeros(len(Q)))


def begins_with_one(Q, K, V, chunk_size):
    starts = range(0, len(K), chunk_size)
    return _in_pieces(Q, K, V, chunk_size, starts, np.zeros(len(Q)), np.ones(len(Q)))


def everything_at_once(Q, K, V, chunk_size):
    scores = Q @ K.T / np.sqrt(Q.shape[1])
    powers = np.exp(scores - scores.max(axis=1, keepdims=True))
    return powers / powers.sum(axis=1, keepdims=True) @ V


def queries_cut(Q, K, V, chunk_size):
    pieces = [Q[first : first + chunk_size] for first in range(0, len(Q), chunk_size)]
    return np.concatenate([everything_at_once(piece, K, V, chunk_size) for piece in pieces])


def all_scores_kept(Q, K, V, chunk_size):
    starts = range(0, len(K), chunk_size)
    scores = [Q @ K[first : first + chunk_size].T / np.sqrt(Q.shape[1]) for first in starts]
    m = np.max([one.max(axis=1) for one in scores], axis=0)
    powers = [np.exp(one - m[:, None]) for one in scores]
    context = sum(one @ V[first : first + chunk_size] for first, one in zip(starts, powers, strict=True))
    return context / sum(one.sum(axis=1) for one in powers)[:, None]


def only_the_scores_are_in_pieces(Q, K, V, chunk_size):
    scores = np.empty((len(Q), len(K)), dtype=np.float32 if Q.dtype == np.float32 else float)
    for first in range(0, len(K), chunk_size):
        scores[:, first : first + chunk_size] = Q @ K[first : first + chunk_size].T / np.sqrt(Q.shape[1])
    scores -= scores.max(axis=1, keepdims=True)
    np.exp(scores, out=scores)
    return scores @ V / scores.sum(axis=1, keepdims=True)


def as_many_pieces_as_a_piece_has_keys(Q, K, V, chunk_size):
    seen = np.full(len(Q), -np.inf), np.zeros(len(Q)), np.zeros((len(Q), V.shape[1]))
    for keys, values in zip(np.array_split(K, chunk_size), np.array_split(V, chunk_size), strict=True):
        for piece in _pieces(Q, keys, values, len(keys) or 1):
            seen = merge_partial(seen, piece)
    return seen[2] / seen[1][:, None]


def begins_with_the_second_piece(Q, K, V, chunk_size):
    starts = range(chunk_size, len(K), chunk_size)
    return _in_pieces(Q, K, V, chunk_size, starts, np.full(len(Q), -np.inf), np.zeros(len(Q)))


def root_of_the_keys_there(Q, K, V, chunk_size):
    parts = [(K[a : a + chunk_size], V[a : a + chunk_size]) for a in range(0, len(K), chunk_size)]
    return _merged([_pieces(Q, keys, values, chunk_size, np.sqrt(len(keys)))[0] for keys, values in parts])


def query_by_query(Q, K, V, chunk_size):
    return np.array([softmax(q @ K.T / np.sqrt(len(q))) @ V for q in Q])


def always_128(Q, K, V, chunk_size):
    return merges_triples(Q, K, V, 128)


def always_1000(Q, K, V, chunk_size):
    return merges_triples(Q, K, V, 1000)


def mask_of_ones(Q, K, V, chunk_size):
    mask = np.ones((len(Q), len(K)))
    m, l, o = np.full(len(Q), -np.inf), np.zeros(len(Q)), np.zeros((len(Q), V.shape[1]))
    for i in range(0, len(K), chunk_size):
        s = np.where(mask[:, i : i + chunk_size] == 1, Q @ K[i : i + chunk_size].T / np.sqrt(Q.shape[1]), -np.inf)
        p = np.exp(s - s.max(axis=1, keepdims=True))
        m, l, o = merge_partial((m, l, o), (s.max(axis=1), p.sum(axis=1), p @ V[i : i + chunk_size]))
    return o / l[:, None]


def merges_and_keeps_nothing(Q, K, V, chunk_size):
    first, *others = _pieces(Q, K, V, chunk_size)
    for piece in others:
        merge_partial(first, piece)
    return first[2] / first[1][:, None]


def the_same_keys_each_round(Q, K, V, chunk_size):
    seen = np.full(len(Q), -np.inf), np.zeros(len(Q)), np.zeros((len(Q), V.shape[1]))
    for _ in range(0, len(K), chunk_size):
        seen = merge_partial(seen, _pieces(Q, K[:chunk_size], V[:chunk_size], chunk_size)[0])
    return seen[2] / seen[1][:, None]


def while_a_full_piece_follows(Q, K, V, chunk_size):
    i, seen = 0, (np.full(len(Q), -np.inf), np.zeros(len(Q)), np.zeros((len(Q), V.shape[1])))
    while i < len(K) - chunk_size:
        seen = merge_partial(seen, _pieces(Q, K[i : i + chunk_size], V[i : i + chunk_size], chunk_size)[0])
        i += chunk_size
    with np.errstate(invalid="ignore"):
        return seen[2] / seen[1][:, None]


def new_piece_does_not_shrink(Q, K, V, chunk_size):
    m, l, o = np.full(len(Q), -np.inf), np.zeros(len(Q)), np.zeros((len(Q), V.shape[1]))
    for new, sums, context in _pieces(Q, K, V, chunk_size):
        top = np.maximum(m, new)
        f = np.exp(m - top)
        m, l, o = top, l * f + sums, o * f[:, None] + context
    return o / l[:, None]


def l_of_the_last_piece(Q, K, V, chunk_size):
    seen = np.full(len(Q), -np.inf), np.zeros(len(Q)), np.zeros((len(Q), V.shape[1]))
    for piece in _pieces(Q, K, V, chunk_size):
        seen = merge_partial(seen, piece)
    return seen[2] / piece[1][:, None]


def full_pieces_without_scale(Q, K, V, chunk_size):
    seen = np.full(len(Q), -np.inf), np.zeros(len(Q)), np.zeros((len(Q), V.shape[1]))
    for i in range(len(K) // chunk_size):
        keys, values = (one[i * chunk_size : (i + 1) * chunk_size] for one in (K, V))
        seen = merge_partial(seen, _pieces(Q, keys, values, chunk_size, root=1)[0])
    with np.errstate(invalid="ignore"):
        return seen[2] / seen[1][:, None]


def along_the_queries(Q, K, V, chunk_size):
    n = len(Q)
    seen = np.full(n, -np.inf), np.zeros(n), np.zeros((n, V.shape[1]))
    for a in range(0, len(K), chunk_size):
        s = Q @ K[a : a + chunk_size].T / np.sqrt(Q.shape[1])
        m = s.max(axis=0)
        p = np.exp(s - m)
        seen = merge_partial(seen, (m, p.sum(axis=0), p @ V[a : a + chunk_size]))
    return seen[2] / seen[1][:, None]


# Each with the mistake that the judge should name, or None.
def _by_pieces(Q, K, V, chunk_size, piece_of):
    n = len(Q)
    seen = np.full(n, -np.inf), np.zeros(n), np.zeros((n, V.shape[1]))
    for first in range(0, len(K), chunk_size):
        keys, values = K[first : first + chunk_size], V[first : first + chunk_size]
        seen = merge_partial(seen, piece_of(Q @ keys.T, values, np.sqrt(Q.shape[1])))
    return seen[2] / seen[1][:, None]


def two_loops(Q, K, V, chunk_size):
    rows = []
    for q in Q:
        m, l, o = -np.inf, 0.0, np.zeros(V.shape[1])
        for first in range(0, len(K), chunk_size):
            scores = K[first : first + chunk_size] @ q / np.sqrt(len(q))
            top = max(m, scores.max())
            shrink, powers = np.exp(m - top), np.exp(scores - top)
            m, l, o = top, l * shrink + powers.sum(), o * shrink + powers @ V[first : first + chunk_size]
        rows.append(o / l)
    return np.array(rows)


def merges_for_nothing(Q, K, V, chunk_size):
    n = len(Q)
    seen = np.full(n, -np.inf), np.zeros(n), np.zeros((n, V.shape[1]))
    for first in range(0, len(K), chunk_size):
        scores = Q @ K[first : first + chunk_size].T / np.sqrt(Q.shape[1])
        m = scores.max(axis=1)
        powers = np.exp(scores - m[:, None])
        merge_partial(seen, (m, powers.sum(axis=1), powers @ V[first : first + chunk_size]))
    with np.errstate(all="ignore"):
        return seen[2] / seen[1][:, None]


def keeps_the_first_m(Q, K, V, chunk_size):
    m, l, o = np.full(len(Q), -np.inf), np.zeros(len(Q)), np.zeros((len(Q), V.shape[1]))
    for first in range(0, len(K), chunk_size):
        scores = Q @ K[first : first + chunk_size].T / np.sqrt(Q.shape[1])
        m_new = np.maximum(m, scores.max(axis=1))
        powers, shrink = np.exp(scores - m_new[:, None]), np.exp(m - m_new)
        l = l * shrink + powers.sum(axis=1)
        o = o * shrink[:, None] + powers @ V[first : first + chunk_size]
    return o / l[:, None]


def scales_in_the_power(Q, K, V, chunk_size):
    def piece(scores, values, by):
        m = scores.max(axis=1)
        powers = np.exp((scores - m[:, None]) / by)
        return m, powers.sum(axis=1), powers @ values

    return _by_pieces(Q, K, V, chunk_size, piece)


def merges_weights(Q, K, V, chunk_size):
    def piece(scores, values, by):
        powers = np.exp(scores / by - (scores / by).max(axis=1, keepdims=True))
        weights = powers / powers.sum(axis=1, keepdims=True)
        return weights.max(axis=1), weights.sum(axis=1), weights @ values

    return _by_pieces(Q, K, V, chunk_size, piece)


def m_lies_along_the_keys(Q, K, V, chunk_size):
    def piece(scores, values, by):
        scores = scores / by
        m = scores.max(axis=1)
        powers = np.exp(scores - m)
        return m, powers.sum(axis=1), powers @ values

    return _by_pieces(Q, K, V, chunk_size, piece)


def of_the_kind_of_values(Q, K, V, chunk_size):
    def piece(scores, values, by):
        m = (scores / by).max(axis=1)
        powers = np.exp(scores / by - m[:, None])
        return m, powers.sum(axis=1), powers @ values

    context = np.zeros((len(Q), V.shape[1]), dtype=V.dtype)
    context[:] = _by_pieces(Q, K, V, chunk_size, piece)
    return context


def divided_in_every_round(Q, K, V, chunk_size):
    m, l, o = np.full(len(Q), -np.inf), np.zeros(len(Q)), np.zeros((len(Q), V.shape[1]))
    for first in range(0, len(K), chunk_size):
        Q = Q / np.sqrt(Q.shape[1])
        S = Q @ K[first : first + chunk_size].T
        new = np.maximum(m, S.max(axis=1))
        P, shrink = np.exp(S - new[:, None]), np.exp(m - new)
        l, o, m = l * shrink + P.sum(axis=1), o * shrink[:, None] + P @ V[first : first + chunk_size], new
    return o / l[:, None]


def one_key_less_in_each(Q, K, V, chunk_size):
    m, l, o = np.full(len(Q), -np.inf), np.zeros(len(Q)), np.zeros((len(Q), V.shape[1]))
    for first in range(0, len(K), chunk_size):
        S = Q @ K[first : first + chunk_size - 1].T / np.sqrt(Q.shape[1])
        new = np.maximum(m, S.max(axis=1))
        P, shrink = np.exp(S - new[:, None]), np.exp(m - new)
        o = o * shrink[:, None] + P @ V[first : first + chunk_size - 1]
        l, m = l * shrink + P.sum(axis=1), new
    return o / l[:, None]


def at_least_64(Q, K, V, chunk_size):
    return merges_triples(Q, K, V, max(chunk_size, 64))


def at_least_16(Q, K, V, chunk_size):
    return running_numbers(Q, K, V, max(chunk_size, 16))


def steps_of_the_number_of_pieces(Q, K, V, chunk_size):
    n = len(Q)
    seen = np.full(n, -np.inf), np.zeros(n), np.zeros((n, V.shape[1]))
    for first in range(0, len(K), max(1, len(K) // chunk_size)):
        s = Q @ K[first : first + chunk_size].T / np.sqrt(Q.shape[1])
        m = s.max(axis=1)
        p = np.exp(s - m[:, None])
        seen = merge_partial(seen, (m, p.sum(axis=1), p @ V[first : first + chunk_size]))
    return seen[2] / seen[1][:, None]


def mean_of_powers(Q, K, V, chunk_size):
    n = len(Q)
    seen = np.full(n, -np.inf), np.zeros(n), np.zeros((n, V.shape[1]))
    for first in range(0, len(K), chunk_size):
        s = Q @ K[first : first + chunk_size].T / np.sqrt(Q.shape[1])
        m = s.max(axis=1)
        p = np.exp(s - m[:, None])
        seen = merge_partial(seen, (m, p.mean(axis=1), p @ V[first : first + chunk_size]))
    return seen[2] / seen[1][:, None]


def scales_in_the_power_too(Q, K, V, chunk_size):
    n = len(Q)
    seen = np.full(n, -np.inf), np.zeros(n), np.zeros((n, V.shape[1]))
    for first in range(0, len(K), chunk_size):
        s = Q @ K[first : first + chunk_size].T / np.sqrt(Q.shape[1])
        m = s.max(axis=1)
        p = np.exp((s - m[:, None]) / np.sqrt(Q.shape[1]))
        seen = merge_partial(seen, (m, p.sum(axis=1), p @ V[first : first + chunk_size]))
    return seen[2] / seen[1][:, None]


def _merging_by(factors):
    """Pieces that are merged in the loop, with these factors of the old m and the new one."""

    def answer(Q, K, V, chunk_size):
        seen = None
        for first in range(0, len(K), chunk_size):
            s = Q @ K[first : first + chunk_size].T / np.sqrt(Q.shape[1])
            m = s.max(axis=1)
            p = np.exp(s - m[:, None])
            l, o = p.sum(axis=1), p @ V[first : first + chunk_size]
            if seen is not None:
                f, g = factors(seen[0], m)
                l, o = seen[1] * f + l * g, seen[2] * f[:, None] + o * g[:, None]
                m = np.maximum(seen[0], m)
            seen = m, l, o
        return seen[2] / seen[1][:, None]

    return answer


def old_goes_to_the_piece(Q, K, V, chunk_size):
    by = _merging_by(lambda old, new: (np.exp(old - new), np.exp(new - np.maximum(old, new))))
    return by(Q, K, V, chunk_size)


def piece_goes_to_the_old(Q, K, V, chunk_size):
    by = _merging_by(lambda old, new: (np.exp(old - np.maximum(old, new)), np.exp(new - old)))
    return by(Q, K, V, chunk_size)


def no_loop_if_no_piece_is_full(Q, K, V, chunk_size):
    for i in range(len(K) // chunk_size):
        k, v = K[i * chunk_size : (i + 1) * chunk_size], V[i * chunk_size : (i + 1) * chunk_size]
        s = Q @ k.T / np.sqrt(Q.shape[1])
        m = s.max(axis=1)
        p = np.exp(s - m[:, None])
        part = m, p.sum(axis=1), p @ v
        state = part if i == 0 else merge_partial(state, part)  # noqa: F821 - the slip
    return state[2] / state[1][:, None]


def below_the_running_maximum(Q, K, V, chunk_size):
    so_far, top = None, np.full(len(Q), -np.inf)
    for start in range(0, len(K), chunk_size):
        scores = Q @ K[start : start + chunk_size].T / np.sqrt(Q.shape[1])
        m = scores.max(axis=1)
        top = np.maximum(top, m)
        powers = np.exp(scores - top[:, None])
        part = m, powers.sum(axis=1), powers @ V[start : start + chunk_size]
        so_far = part if so_far is None else merge_partial(so_far, part)
    return so_far[2] / so_far[1][:, None]


def key_by_key(Q, K, V, chunk_size):
    n = len(Q)
    seen = np.full(n, -np.inf), np.zeros(n), np.zeros((n, V.shape[1]))
    for first in range(0, len(K), chunk_size):
        for k, v in zip(K[first : first + chunk_size], V[first : first + chunk_size], strict=True):
            seen = merge_partial(seen, (Q @ k / np.sqrt(len(k)), np.ones(n), np.tile(v, (n, 1))))
    return seen[2] / seen[1][:, None]


def _so_many_pieces(Q, K, V, chunk_size, many):
    n = len(Q)
    seen = np.full(n, -np.inf), np.zeros(n), np.zeros((n, V.shape[1]))
    for i in range(many):
        piece = slice(i * chunk_size, (i + 1) * chunk_size)
        scores = Q @ K[piece].T / np.sqrt(K.shape[1])
        m = scores.max(axis=-1)
        powers = np.exp(scores - m[:, None])
        seen = merge_partial(seen, (m, powers.sum(axis=-1), powers @ V[piece]))
    return seen[2] / seen[1][:, None]


def as_many_as_rounded(Q, K, V, chunk_size):
    with np.errstate(all="ignore"):
        return _so_many_pieces(Q, K, V, chunk_size, round(len(K) / chunk_size))


def always_one_more(Q, K, V, chunk_size):
    return _so_many_pieces(Q, K, V, chunk_size, len(K) // chunk_size + 1)


def the_piece_alone_has_an_m(Q, K, V, chunk_size):
    n = len(Q)
    m, l, o = np.full(n, -np.inf), np.zeros(n), np.zeros((n, V.shape[1]))
    for i in range(0, len(K), chunk_size):
        s = Q @ K[i : i + chunk_size].T / np.sqrt(Q.shape[1])
        new = s.max(axis=1)
        f, p = np.exp(m - new), np.exp(s - new[:, None])
        m, l, o = new, l * f + p.sum(axis=1), o * f[:, None] + p @ V[i : i + chunk_size]
    return o / l[:, None]


def _what_was_there_grows(factor):
    def answer(Q, K, V, chunk_size):
        n = len(Q)
        m, l, o = np.full(n, -np.inf), np.zeros(n), np.zeros((n, V.shape[1]))
        for i in range(0, len(K), chunk_size):
            s = Q @ K[i : i + chunk_size].T / np.sqrt(Q.shape[1])
            new = np.maximum(m, s.max(axis=1))
            f, p = factor(m, new), np.exp(s - new[:, None])
            m, l, o = new, l * f + p.sum(axis=1), o * f[:, None] + p @ V[i : i + chunk_size]
        return o / l[:, None]

    return answer


def sign_turned_from_nothing(Q, K, V, chunk_size):
    return _what_was_there_grows(lambda m, new: np.exp(new - m))(Q, K, V, chunk_size)


def sign_turned_but_for_nothing(Q, K, V, chunk_size):
    return _what_was_there_grows(lambda m, new: np.where(np.isinf(m), 0, np.exp(new - m)))(Q, K, V, chunk_size)


def up_to_the_last_key(Q, K, V, chunk_size):
    n = len(Q)
    seen = np.full(n, -np.inf), np.zeros(n), np.zeros((n, V.shape[1]))
    for first in range(0, len(K) - 1, chunk_size):
        s = Q @ K[first : first + chunk_size].T / np.sqrt(Q.shape[1])
        m = s.max(axis=1)
        p = np.exp(s - m[:, None])
        seen = merge_partial(seen, (m, p.sum(axis=1), p @ V[first : first + chunk_size]))
    return seen[2] / seen[1][:, None]


def rest_once_more(Q, K, V, chunk_size):
    n, rest = len(Q), len(K) % chunk_size
    seen = np.full(n, -np.inf), np.zeros(n), np.zeros((n, V.shape[1]))
    pieces = [slice(first, first + chunk_size) for first in range(0, len(K), chunk_size)]
    for piece in [*pieces, slice(len(K) - rest, None)] if rest else pieces:
        s = Q @ K[piece].T / np.sqrt(Q.shape[1])
        m = s.max(axis=1)
        p = np.exp(s - m[:, None])
        seen = merge_partial(seen, (m, p.sum(axis=1), p @ V[piece]))
    return seen[2] / seen[1][:, None]


def last_piece_is_full(Q, K, V, chunk_size):
    n = len(Q)
    seen = np.full(n, -np.inf), np.zeros(n), np.zeros((n, V.shape[1]))
    for first in range(0, len(K), chunk_size):
        first = max(0, min(first, len(K) - chunk_size))
        s = Q @ K[first : first + chunk_size].T / np.sqrt(Q.shape[1])
        m = s.max(axis=1)
        p = np.exp(s - m[:, None])
        seen = merge_partial(seen, (m, p.sum(axis=1), p @ V[first : first + chunk_size]))
    return seen[2] / seen[1][:, None]


def steps_over_a_key(Q, K, V, chunk_size):
    n = len(Q)
    seen = np.full(n, -np.inf), np.zeros(n), np.zeros((n, V.shape[1]))
    for first in range(0, len(K), chunk_size + 1):
        s = Q @ K[first : first + chunk_size].T / np.sqrt(Q.shape[1])
        m = s.max(axis=1)
        p = np.exp(s - m[:, None])
        seen = merge_partial(seen, (m, p.sum(axis=1), p @ V[first : first + chunk_size]))
    return seen[2] / seen[1][:, None]


def over_the_largest_score(Q, K, V, chunk_size):
    n = len(Q)
    m, l, o = np.full(n, -np.inf), np.zeros(n), np.zeros((n, V.shape[1]))
    for first in range(0, len(K), chunk_size):
        s = Q @ K[first : first + chunk_size].T / np.sqrt(Q.shape[1])
        top = s.max(axis=1)
        p = np.exp(s - top[:, None])
        m, l, o = merge_partial((m, l, o), (top, p.sum(axis=1), p @ V[first : first + chunk_size]))
    return o / m[:, None]


WRONG = [
    (over_the_largest_score, "divided-by-m"),
    (steps_over_a_key, "one-key-between"),
    (last_piece_is_full, "last-filled-from-before"),
    (rest_once_more, "leftover-twice"),
    (the_piece_alone_has_an_m, "m-of-the-piece"),
    (sign_turned_from_nothing, "all-nan"),
    (sign_turned_but_for_nothing, "old-grows"),
    (up_to_the_last_key, "last-key-lost-if-alone"),
    (along_the_queries, "a-number-for-each-key"),
    (as_many_as_rounded, "round-pieces"),
    (always_one_more, "empty-last-piece"),
    (below_the_running_maximum, "powers-below-the-running-m"),
    (at_least_64, "size-floored"),
    (at_least_16, "size-floored"),
    (steps_of_the_number_of_pieces, "as-many-steps"),
    (mean_of_powers, "mean-for-l"),
    (scales_in_the_power_too, "scaled-in-the-power-again"),
    (old_goes_to_the_piece, "old-below-the-piece"),
    (piece_goes_to_the_old, "new-below-the-old"),
    (no_loop_if_no_piece_is_full, "name-too-early"),
    (one_key_less_in_each, "last-of-each-lost"),
    (divided_in_every_round, "scaled-anew"),
    (two_loops, "size-not-used"),
    (merges_for_nothing, "all-nan"),
    (keeps_the_first_m, "last-piece-only"),
    (scales_in_the_power, "m-bare-at-merging"),
    (merges_weights, "weights-for-scores"),
    (m_lies_along_the_keys, "m-along-keys"),
    (of_the_kind_of_values, "whole-contexts"),
    (mask_of_ones, "all-at-once"),
    (merges_and_keeps_nothing, "first-piece-only"),
    (the_same_keys_each_round, "first-piece-only"),
    (while_a_full_piece_follows, "last-lost-if-full"),
    (new_piece_does_not_shrink, "new-as-it-is"),
    (l_of_the_last_piece, "divided-by-last-l"),
    (full_pieces_without_scale, "no-scale"),
    (query_by_query, "size-not-used"),
    (always_128, "size-not-used"),
    (always_1000, "size-not-used"),
    (as_many_pieces_as_a_piece_has_keys, "as-many-pieces"),
    (begins_with_the_second_piece, "first-piece-lost"),
    (root_of_the_keys_there, "by-sqrt-piece"),
    (everything_at_once, "all-at-once"),
    (queries_cut, "all-at-once"),
    (all_scores_kept, "all-at-once"),
    (only_the_scores_are_in_pieces, "all-at-once"),
    (a_piece_at_every_key, "step-forgotten"),
    (begins_with_one, "begins-with-a-key"),
    (sums_do_not_shrink, "l-not-rescaled"),
    (begins_at_zero, "from-zero"),
    (full_pieces_only, "last-piece-lost"),
    (returns_in_the_loop, "first-piece-only"),
    (forgets_the_others, "last-piece-only"),
    (mean_of_contexts, "mean-of-pieces"),
    (weighted_mean_of_contexts, "mean-by-size"),
    (sum_of_contexts, "sum-of-pieces"),
    (own_maximum_each, "no-rescale"),
    (first_maximum_for_all, "one-key-maximum"),
    (bare_powers, "no-maximum"),
    (one_maximum_a_piece, "global-maximum"),
    (piece_by_piece, "both-cut"),
    (one_more, "overlap"),
    (one_less, "last-of-each-lost"),
    (values_not_cut, "first-values-always"),
    (undivided, "not-normalised"),
    (divides_each_time, "divided-in-the-loop"),
    (divides_in_each_round_only, "divided-each-round"),
    (divides_and_forgets, "begun-again-with-l-1"),
    (softmax_for_powers, "softmax-in-each-piece"),
    (filled_with_zeros, "filled-up"),
    (begins_with_the_first_and_from_it, "first-twice"),
    (powers_divided_by_a_power, "no-maximum"),
    (divides_by_how_many, "divided-by-keys"),
    (unscaled, "no-scale"),
    (by_the_dimension, "by-d_k"),
    (by_root_of_values, "by-sqrt-d_v"),
    (by_root_of_keys, "by-sqrt-keys"),
    (by_root_of_queries, "by-sqrt-queries"),
    (by_root_of_a_piece, "by-sqrt-chunk"),
    (divided_pieces, "pieces-divided"),
    (softmax_of_each_piece, "pieces-divided"),
    (notes_m_only, "m-not-taken-off"),
    (m_before_scaling, "m-of-unscaled"),
    (up_to_the_queries, "range-of-queries"),
    (only_what_came_before, "causal"),
    (keys_for_values, "keys-mixed"),
    (swapped_with_merge, None),
]
