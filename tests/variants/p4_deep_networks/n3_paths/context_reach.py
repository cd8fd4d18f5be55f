import numpy as np

from attnlib import context_jacobian, softmax, softmax_jacobian


def word_by_word(q, X, W_k, W_v):
    root = np.sqrt(len(q))
    w = softmax(X @ W_k @ q / root)
    V = X @ W_v
    c = w @ V
    reach = []
    for j in range(len(X)):
        J = w[j] * (W_v + np.outer(W_k @ q / root, V[j] - c))
        reach.append(np.linalg.norm(J))
    return np.array(reach)


def all_at_once(q, X, W_k, W_v):
    K, V = X @ W_k, X @ W_v
    w = softmax(K @ q / np.sqrt(W_k.shape[1]))
    J = W_v[None] + (W_k @ q)[None, :, None] * (V - w @ V)[:, None, :] / np.sqrt(W_k.shape[1])
    return np.sqrt(((w[:, None, None] * J) ** 2).sum(axis=(1, 2)))


def by_the_jacobian_of_softmax(q, X, W_k, W_v):
    root = len(q) ** 0.5
    w, V = softmax(X @ W_k @ q / root), X @ W_v
    to_context = softmax_jacobian(w) @ V  # (n, d_v): row j says what score j does
    return np.array([np.linalg.norm(np.outer(W_k @ q / root, to_context[j]) + w[j] * W_v) for j in range(len(X))])


def by_nudges(q, X, W_k, W_v):
    q, X, W_k, W_v = (np.asarray(one, dtype=float) for one in (q, X, W_k, W_v))

    def context(X):
        return softmax(X @ W_k @ q / np.sqrt(len(q))) @ (X @ W_v)

    reach, e = np.zeros(len(X)), 1e-5
    for j in range(len(X)):
        for i in range(X.shape[1]):
            step = np.zeros(X.shape)
            step[j, i] = e
            reach[j] += (((context(X + step) - context(X - step)) / (2 * e)) ** 2).sum()
    return np.sqrt(reach)


def with_einsum(q, X, W_k, W_v):
    s = np.einsum("nd,dk,k->n", X, W_k, q) / np.sqrt(q.size)
    w = np.exp(s - s.max()) / np.exp(s - s.max()).sum()
    V = np.einsum("nd,dv->nv", X, W_v)
    c = np.einsum("n,nv->v", w, V)
    roads = np.einsum("d,nv->ndv", np.einsum("dk,k->d", W_k, q) / np.sqrt(q.size), V - c)
    J = np.einsum("n,ndv->ndv", w, roads + W_v)
    return np.einsum("ndv,ndv->n", J, J) ** 0.5


def lists(q, X, W_k, W_v):
    return [float(one) for one in word_by_word(q, X, W_k, W_v)]


def in_single_precision(q, X, W_k, W_v):
    return np.float32(word_by_word(*(np.float32(one) for one in (q, X, W_k, W_v))))


VARIANTS = [
    word_by_word,
    all_at_once,
    by_the_jacobian_of_softmax,
    by_nudges,
    with_einsum,
    lists,
    in_single_precision,
]


def _parts(q, X, W_k, W_v, root=None):
    root = np.sqrt(len(q)) if root is None else root
    w, V = softmax(X @ W_k @ q / root), X @ W_v
    return w, V, w @ V, W_k @ q / root


def values_only(q, X, W_k, W_v):
    w, *_ = _parts(q, X, W_k, W_v)
    return w * np.linalg.norm(W_v)


def scores_only(q, X, W_k, W_v):
    w, V, c, asked = _parts(q, X, W_k, W_v)
    return np.array([np.linalg.norm(np.outer(asked, v - c)) for v in V]) * w


def value_as_it_is(q, X, W_k, W_v):
    w, V, _, asked = _parts(q, X, W_k, W_v)
    return np.array([a * np.linalg.norm(W_v + np.outer(asked, v)) for a, v in zip(w, V, strict=True)])


def own_share(q, X, W_k, W_v):
    w, V, _, asked = _parts(q, X, W_k, W_v)
    return np.array([np.linalg.norm(a * W_v + a * (1 - a) * np.outer(asked, v)) for a, v in zip(w, V, strict=True)])


def not_divided(q, X, W_k, W_v):
    w, V, c, asked = _parts(q, X, W_k, W_v, 1.0)
    return np.array([a * np.linalg.norm(W_v + np.outer(asked, v - c)) for a, v in zip(w, V, strict=True)])


def divided_by_d_k(q, X, W_k, W_v):
    w, V, c, asked = _parts(q, X, W_k, W_v, len(q))
    return np.array([a * np.linalg.norm(W_v + np.outer(asked, v - c)) for a, v in zip(w, V, strict=True)])


def root_of_the_width(q, X, W_k, W_v):
    w, V, c, asked = _parts(q, X, W_k, W_v, np.sqrt(X.shape[1]))
    return np.array([a * np.linalg.norm(W_v + np.outer(asked, v - c)) for a, v in zip(w, V, strict=True)])


def root_forgotten_on_the_road(q, X, W_k, W_v):
    w, V, c, _ = _parts(q, X, W_k, W_v)
    return np.array([a * np.linalg.norm(W_v + np.outer(W_k @ q, v - c)) for a, v in zip(w, V, strict=True)])


def root_on_the_road_only(q, X, W_k, W_v):
    w, V, c, asked = _parts(q, X, W_k, W_v, 1.0)
    asked = asked / np.sqrt(len(q))
    return np.array([a * np.linalg.norm(W_v + np.outer(asked, v - c)) for a, v in zip(w, V, strict=True)])


def two_norms(q, X, W_k, W_v):
    w, V, c, asked = _parts(q, X, W_k, W_v)
    return w * (np.linalg.norm(W_v) + np.linalg.norm(asked) * np.linalg.norm(V - c, axis=1))


def unweighted(q, X, W_k, W_v):
    _, V, c, asked = _parts(q, X, W_k, W_v)
    return np.array([np.linalg.norm(W_v + np.outer(asked, v - c)) for v in V])


def weight_on_the_value(q, X, W_k, W_v):
    w, V, c, asked = _parts(q, X, W_k, W_v)
    return np.array([np.linalg.norm(a * W_v + np.outer(asked, v - c)) for a, v in zip(w, V, strict=True)])


def the_weights(q, X, W_k, W_v):
    return _parts(q, X, W_k, W_v)[0]


def weight_times_value(q, X, W_k, W_v):
    w, V, *_ = _parts(q, X, W_k, W_v)
    return np.linalg.norm(w[:, None] * V, axis=1)


def with_the_jacobian_of_a_context(q, X, W_k, W_v):
    return np.linalg.norm(context_jacobian(q, X @ W_k, X @ W_v)) * np.ones(len(X))


def sums(q, X, W_k, W_v):
    w, V, c, asked = _parts(q, X, W_k, W_v)
    return np.array([a * np.sum(W_v + np.outer(asked, v - c)) for a, v in zip(w, V, strict=True)])


def spectral(q, X, W_k, W_v):
    w, V, c, asked = _parts(q, X, W_k, W_v)
    return np.array([a * np.linalg.norm(W_v + np.outer(asked, v - c), 2) for a, v in zip(w, V, strict=True)])


def shares(q, X, W_k, W_v):
    reach = all_at_once(q, X, W_k, W_v)
    return reach / reach.sum()


def away_from_the_value(q, X, W_k, W_v):
    w, V, c, asked = _parts(q, X, W_k, W_v)
    return np.array([a * np.linalg.norm(W_v + np.outer(asked, c - v)) for a, v in zip(w, V, strict=True)])


def without_brackets(q, X, W_k, W_v):
    w, V, c, asked = _parts(q, X, W_k, W_v)
    return np.array([np.linalg.norm(a * W_v + np.outer(asked, a * v - c)) for a, v in zip(w, V, strict=True)])


def how_far_the_score_moves_it(q, X, W_k, W_v):
    w, V, c, _ = _parts(q, X, W_k, W_v)
    return w * np.linalg.norm(V - c, axis=1)


def differentiates_by_the_query(q, X, W_k, W_v):
    w, V, c, _ = _parts(q, X, W_k, W_v)
    return np.array([a * np.linalg.norm(W_v + np.outer(x, v - c)) for a, x, v in zip(w, X, V, strict=True)])


def roads_taken_apart(q, X, W_k, W_v):
    w, V, c, asked = _parts(q, X, W_k, W_v)
    A, B = w[:, None, None] * W_v, w[:, None, None] * asked[:, None] * (V - c)[:, None, :]
    return np.linalg.norm(A - B, axis=(1, 2))


def hypotenuse(q, X, W_k, W_v):
    w, V, c, asked = _parts(q, X, W_k, W_v)
    return np.hypot(w * np.linalg.norm(W_v), w * np.linalg.norm(asked) * np.linalg.norm(V - c, axis=1))


def plain_mean(q, X, W_k, W_v):
    w, V, _, asked = _parts(q, X, W_k, W_v)
    return np.array([a * np.linalg.norm(W_v + np.outer(asked, v - V.mean(0))) for a, v in zip(w, V, strict=True)])


def one_weight_more(q, X, W_k, W_v):
    w, V, c, asked = _parts(q, X, W_k, W_v)
    return np.array([a * np.linalg.norm(W_v + a * np.outer(asked, v - c)) for a, v in zip(w, V, strict=True)])


def weighted_before_and_after(q, X, W_k, W_v):
    return _parts(q, X, W_k, W_v)[0] * all_at_once(q, X, W_k, W_v)


def divided_twice(q, X, W_k, W_v):
    w, V, c, asked = _parts(q, X, W_k, W_v)
    asked = asked / np.sqrt(len(q))
    return np.array([a * np.linalg.norm(W_v + np.outer(asked, v - c)) for a, v in zip(w, V, strict=True)])


def _shares(q, X, W_k, W_v, by):
    scores = X @ W_k @ q / by
    w = np.exp(scores - scores.max())
    w /= w.sum()
    return w, X @ W_v, w @ X @ W_v


def root_of_the_words(q, X, W_k, W_v):
    by = np.sqrt(len(X))
    w, V, c = _shares(q, X, W_k, W_v, by)
    return np.array([np.linalg.norm(w[j] * (W_v + np.outer(W_k @ q / by, V[j] - c))) for j in range(len(X))])


def word_by_value(q, X, W_k, W_v):
    by = np.sqrt(len(q))
    w, V, c = _shares(q, X, W_k, W_v, by)
    return np.array([np.linalg.norm(w[j] * W_v + w[j] * np.outer(X[j], V[j] - c) / by) for j in range(len(X))])


def road_times_road(q, X, W_k, W_v):
    by = np.sqrt(len(q))
    w, V, c = _shares(q, X, W_k, W_v, by)
    return np.array([np.linalg.norm(w[j] * W_v * w[j] * np.outer(W_k @ q / by, V[j] - c)) for j in range(len(X))])


def _nudged(q, X, W_k, W_v, step=1e-4, back=0.0):
    """The derivative by each word, by a nudge of one number after the other."""

    def context(X):
        return softmax(X @ W_k @ q / np.sqrt(len(q))) @ (X @ W_v)

    found = []
    for t in range(len(X)):
        rows = []
        for i in range(X.shape[1]):
            up, down = X.copy(), X.copy()
            up[t, i] += step
            down[t, i] -= back
            rows.append((context(up) - context(down)) / (step + back))
        found.append(np.array(rows))
    return found


def nudges_forward(q, X, W_k, W_v):
    return np.array([np.linalg.norm(J) for J in _nudged(q, X, W_k, W_v)])


def nudges_forward_by_more(q, X, W_k, W_v):
    return np.array([np.linalg.norm(J) for J in _nudged(q, X, W_k, W_v, 0.003)])


def nudges_far(q, X, W_k, W_v):
    step = 2e-2
    return np.array([np.linalg.norm(J) for J in _nudged(q, X, W_k, W_v, step, step)])


def nuclear_norm(q, X, W_k, W_v):
    return np.array([np.linalg.norm(J, "nuc") for J in _nudged(q, X, W_k, W_v, back=1e-4)])


def norm_one(q, X, W_k, W_v):
    return np.array([np.linalg.norm(J, 1) for J in _nudged(q, X, W_k, W_v, back=1e-4)])


def norm_of_infinity(q, X, W_k, W_v):
    return np.array([np.linalg.norm(J, np.inf) for J in _nudged(q, X, W_k, W_v, back=1e-4)])


def _on_the_way(q, X, W_k, W_v):
    K, V = X @ W_k, X @ W_v
    w = softmax(K @ q / np.sqrt(len(q)))
    return K, V, w, w @ V


def words_nudged_whole(q, X, W_k, W_v):
    def context(X):
        return softmax(X @ W_k @ q / np.sqrt(len(q))) @ (X @ W_v)

    out = []
    for j in range(len(X)):
        up, down = X.astype(float), X.astype(float)
        up[j] += 1e-4
        down[j] -= 1e-4
        out.append(np.linalg.norm(context(up) - context(down)) / 2e-4)
    return np.array(out)


def the_largest_entry(q, X, W_k, W_v):
    _, V, w, c = _on_the_way(q, X, W_k, W_v)
    asked = W_k @ q / np.sqrt(len(q))
    return np.array([np.abs(w[j] * W_v + w[j] * np.outer(asked, V[j] - c)).max() for j in range(len(X))])


def root_of_the_values(q, X, W_k, W_v):
    V, by = X @ W_v, np.sqrt(W_v.shape[1])
    w = softmax(X @ W_k @ q / by)
    return np.array([np.linalg.norm(w[j] * (W_v + np.outer(W_k @ q / by, V[j] - w @ V))) for j in range(len(X))])


def takes_its_share_twice(q, X, W_k, W_v):
    _, V, w, c = _on_the_way(q, X, W_k, W_v)
    asked = W_k @ q / np.sqrt(len(q))
    return np.array([np.linalg.norm(w[j] * W_v + w[j] * (1 - w[j]) * np.outer(asked, V[j] - c)) for j in range(len(X))])


def own_key_for_the_query(q, X, W_k, W_v):
    K, V, w, c = _on_the_way(q, X, W_k, W_v)
    return np.array(
        [np.linalg.norm(w[j] * (W_v + np.outer(W_k @ K[j] / np.sqrt(len(q)), V[j] - c))) for j in range(len(X))]
    )


def powers_for_weights(q, X, W_k, W_v):
    V = X @ W_v
    w = np.exp(X @ W_k @ q / np.sqrt(len(q)))
    asked = W_k @ q / np.sqrt(len(q))
    return np.array([np.linalg.norm(w[j] * (W_v + np.outer(asked, V[j] - w @ V))) for j in range(len(X))])


def the_weight_before_the_bracket_and_in_it(q, X, W_k, W_v):
    root = np.sqrt(len(q))
    scores, V = X @ W_k @ q / root, X @ W_v
    w = np.exp(scores - scores.max())
    w = w / w.sum()
    roads = [w_j * (w_j * W_v + np.outer(W_k @ q, v - w @ V) / root) for w_j, v in zip(w, V, strict=True)]
    return np.array([np.linalg.norm(road) for road in roads])


def _of_roads(q, X, W_k, W_v, weights, norm):
    root = np.sqrt(len(q))
    w, V = weights(X @ W_k @ q / root), X @ W_v
    by_score = [np.outer(W_k @ q / root, v - w @ V) for v in V]
    return np.array([norm(w_j * W_v, w_j * road) for w_j, road in zip(w, by_score, strict=True)])


def _softmax(scores):
    powers = np.exp(scores - scores.max())
    return powers / powers.sum()


def scores_for_weights(q, X, W_k, W_v):
    return _of_roads(q, X, W_k, W_v, lambda scores: scores, lambda a, b: np.linalg.norm(a + b))


def one_norm_less_the_other(q, X, W_k, W_v):
    return _of_roads(q, X, W_k, W_v, _softmax, lambda a, b: np.linalg.norm(a) - np.linalg.norm(b))


def root_of_the_mean_square(q, X, W_k, W_v):
    return _of_roads(q, X, W_k, W_v, _softmax, lambda a, b: np.sqrt(np.mean((a + b) ** 2)))


def norms_of_rows_added(q, X, W_k, W_v):
    return _of_roads(q, X, W_k, W_v, _softmax, lambda a, b: np.linalg.norm(a + b, axis=1).sum())


def the_value_itself(q, X, W_k, W_v):
    root = np.sqrt(len(q))
    w, V = _softmax(X @ W_k @ q / root), X @ W_v
    return np.array(
        [np.linalg.norm(w_j * v + w_j * np.outer(W_k @ q / root, v - w @ V)) for w_j, v in zip(w, V, strict=True)]
    )


def adds_on(q, X, W_k, W_v):
    root = np.sqrt(len(q))
    powers = np.exp(X @ W_k @ q / root)
    w, J, found = powers / powers.sum(), np.zeros(W_v.shape), []
    for j in range(len(X)):
        J = J + w[j] * (W_v + np.outer(W_k @ q / root, X[j] @ W_v - w @ X @ W_v))
        found.append(np.linalg.norm(J))
    return np.array(found)


# Each with the mistake that the judge should name, or None.
def sums_for_the_context_alone(q, X, W_k, W_v):
    K, V, root = X @ W_k, X @ W_v, np.sqrt(len(q))
    w = np.exp(K @ q / root)
    c = w @ V / w.sum()
    return np.array([w[j] * np.linalg.norm(W_v + np.outer(W_k @ q, V[j] - c) / root) for j in range(len(X))])


def context_of_the_others(q, X, W_k, W_v):
    K, V, root = X @ W_k, X @ W_v, np.sqrt(len(q))
    w = softmax(K @ q / root)
    c = w @ V
    return np.array(
        [w[j] * np.linalg.norm(W_v + np.outer(W_k @ q, V[j] - (c - w[j] * V[j])) / root) for j in range(len(X))]
    )


WRONG = [
    (context_of_the_others, "without-own-share"),
    (sums_for_the_context_alone, "weights-not-summed-before"),
    (adds_on, "matrices-added-on"),
    (scores_for_weights, "raw-scores"),
    (one_norm_less_the_other, "norms-subtracted"),
    (root_of_the_mean_square, "mean-square"),
    (norms_of_rows_added, "row-norms-added"),
    (the_value_itself, "value-for-W_v"),
    (the_weight_before_the_bracket_and_in_it, "value-weight-twice"),
    (words_nudged_whole, "entries-together"),
    (the_largest_entry, "largest-entry"),
    (root_of_the_values, "by-sqrt-d_v"),
    (takes_its_share_twice, "own-share-twice"),
    (own_key_for_the_query, "key-for-query"),
    (powers_for_weights, "weights-not-summed"),
    (nudges_forward, "one-sided"),
    (nudges_forward_by_more, "one-sided"),
    (nudges_far, "long-steps"),
    (nuclear_norm, "sum-of-stretches"),
    (norm_one, "largest-column"),
    (norm_of_infinity, "largest-row"),
    (root_of_the_words, "by-sqrt-words"),
    (word_by_value, "word-for-query-scaled"),
    (road_times_road, "roads-multiplied"),
    (values_only, "value-only"),
    (scores_only, "score-only"),
    (value_as_it_is, "not-centred"),
    (own_share, "own-weight-only"),
    (away_from_the_value, "turned-round"),
    (roads_taken_apart, "turned-round"),
    (hypotenuse, "squares-added"),
    (plain_mean, "mean-for-context"),
    (one_weight_more, "weight-twice"),
    (weighted_before_and_after, "weight-squared"),
    (divided_twice, "root-twice"),
    (without_brackets, "context-not-weighted"),
    (how_far_the_score_moves_it, "of-the-score"),
    (differentiates_by_the_query, "word-for-query"),
    (not_divided, "no-scale"),
    (divided_by_d_k, "by-d_k"),
    (root_of_the_width, "by-sqrt-d_model"),
    (root_forgotten_on_the_road, "road-not-scaled"),
    (root_on_the_road_only, "weights-not-scaled"),
    (two_norms, "norms-added"),
    (unweighted, "without-weights"),
    (weight_on_the_value, "weight-on-value-only"),
    (the_weights, "weights-returned"),
    (weight_times_value, "contributions"),
    (with_the_jacobian_of_a_context, None),
    (sums, "sum-of-entries"),
    (spectral, "largest-stretch"),
    (shares, "normalised"),
]
