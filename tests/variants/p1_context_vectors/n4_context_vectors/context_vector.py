import math

import numpy as np

from attnlib import dot_scores, softmax
from variants.p1_context_vectors.n4_context_vectors.shared import plain_python_loops, with_library_stages


def vector_with_einsum(q, K, V):
    return np.einsum("n,nv->v", softmax(np.einsum("nd,d->n", K, q)), V)


def single_precision(q, K, V):
    q, K, V = (np.asarray(a, dtype=np.float32) for a in (q, K, V))
    return softmax(K @ q) @ V


def weighted_rows_summed(query, keys, values):
    weights = softmax(keys @ query)
    return (weights[:, None] * values).sum(axis=0)


def column_arithmetic(q, K, V):
    scores = K @ np.reshape(q, (-1, 1))
    powers = np.exp(scores - scores.max())
    return (powers.T @ V / powers.sum())[0]


def numpy_average(q, K, V):
    return np.average(V, axis=0, weights=softmax(K @ q))


def running_total(q, K, V, temperature=1.0, verbose=False):
    weights = softmax(np.dot(K, q) / temperature)
    context = np.zeros(V.shape[1])
    for weight, value in zip(weights, V, strict=True):
        context += weight * value
    return context


VARIANTS = [
    with_library_stages,
    plain_python_loops,
    vector_with_einsum,
    single_precision,
    weighted_rows_summed,
    column_arithmetic,
    numpy_average,
    running_total,
]


def forgets_the_exponential(q, K, V):
    scores = K @ q
    return (scores / np.sum(scores)) @ V


def mixes_the_scores(q, K, V):
    return K @ q @ V


def naive_softmax(q, K, V):
    e = np.exp(K @ q)
    return e / e.sum() @ V


def looks_up_the_best(q, K, V):
    return V[np.argmax(K @ q)]


def divides_by_root_d(q, K, V):
    return softmax(K @ q / math.sqrt(len(q))) @ V


def averages_keys(q, K, V):
    return softmax(K @ q) @ K


def forgets_to_mix(q, K, V):
    return softmax(K @ q)


def returns_both(q, K, V):
    weights = softmax(K @ q)
    return weights @ V, weights


def multiplies_elementwise(q, K, V):
    return softmax(K @ q) * V


def takes_the_mean(q, K, V):
    weights = softmax(K @ q)
    return np.mean(weights[:, None] * V, axis=0)


def sums_each_value(q, K, V):
    weights = softmax(K @ q)
    return np.sum(weights.reshape(-1, 1) * V, axis=1)


def query_on_the_wrong_side(q, K, V):
    return softmax(q @ K) @ V


def values_before_weights(q, K, V):
    return V @ softmax(K @ q)


def keeps_the_row(q, K, V):
    return softmax(dot_scores(q[np.newaxis, :], K)) @ V


def sums_everything(q, K, V):
    return (softmax(K @ q)[:, None] * V).sum()


def softmax_at_the_end(q, K, V):
    return softmax((K @ q) @ V)


def softmax_twice(q, K, V):
    return softmax(softmax(K @ q) @ V)


def columns_of_a_single_row(q, K, V):
    scores = q[None] @ K.T
    powers = np.exp(scores - scores.max(axis=0))
    return (powers / powers.sum(axis=0) @ V)[0]


def columns_and_keeps_the_row(q, K, V):
    scores = dot_scores([q], K)
    powers = np.exp(scores - scores.max(axis=0))
    return powers / powers.sum(axis=0) @ V


def shifts_a_vector_by_its_mean(q, K, V):
    scores = K @ q
    powers = np.exp(scores - scores.mean())
    return powers / powers.sum() @ V


def prints_it(q, K, V):
    print(softmax(K @ q) @ V)


def holds_the_example(q, K, V):
    return np.array([0.4, 0.5])


def raises_always(q, K, V):
    return undefined_name @ V  # noqa: F821


def rounded(q, K, V):
    return (softmax(K @ q) @ V).round(2)


def refused_by_dot_scores(q, K, V):
    return softmax(dot_scores(q, K)) @ V


def limits_the_scores(q, K, V):
    return softmax(np.clip(K @ q, -300, 300)) @ V


def begins_with_the_first_value(q, K, V):
    weights = softmax(K @ q)
    c = V[0].astype(float)
    for a, v in zip(weights, V, strict=True):
        c = c + a * v
    return c


def near_is_like(q, K, V):
    return softmax(-((K - q) ** 2).sum(axis=1)) @ V


def never_divided(q, K, V):
    scores = K @ q
    return np.exp(scores - scores.max()) @ V


def softmax_of_powers(q, K, V):
    return softmax(np.exp(K @ q)[np.newaxis])[0] @ V


def softmax_of_the_keys(q, K, V):
    return softmax(K) @ q @ V


def softmax_of_the_query(q, K, V):
    return K @ softmax(q) @ V


WRONG = [
    (softmax_of_the_query, "softmax-of-query"),
    (softmax_of_the_keys, "softmax-of-keys"),
    (softmax_of_powers, "powers-into-softmax"),
    (never_divided, "powers-not-divided"),
    (begins_with_the_first_value, "begun-with-first"),
    (near_is_like, "distance"),
    (limits_the_scores, "clipped"),
    (rounded, None),
    (refused_by_dot_scores, None),
    (forgets_the_exponential, "ratio"),
    (mixes_the_scores, "raw-scores"),
    (naive_softmax, "no-maximum"),
    (looks_up_the_best, "best-only"),
    (divides_by_root_d, "scaled"),
    (averages_keys, "keys-mixed"),
    (forgets_to_mix, "weights-returned"),
    (returns_both, "one-result-too-many"),
    (takes_the_mean, "averaged-again"),
    (sums_each_value, "summed-across"),
    (query_on_the_wrong_side, "keys-not-transposed"),
    (values_before_weights, "values-first"),
    (keeps_the_row, "result-axis-in-front"),
    (sums_everything, "result-summed"),
    (softmax_at_the_end, "softmax-late"),
    (softmax_twice, "softmax-again"),
    (columns_of_a_single_row, "columns"),
    (columns_and_keeps_the_row, "columns"),
    (shifts_a_vector_by_its_mean, "other-shift"),
    (prints_it, "prints-result"),
    (holds_the_example, "same-for-every-input"),
    (multiplies_elementwise, None),
    (raises_always, None),
]
