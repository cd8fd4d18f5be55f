"""Right and wrong answers to the exercises on context vectors, as people write them; and the numbers in its prose."""

import math

import numpy as np

import attnlib
from attnlib import dot_scores, softmax
from grader.exercises.context_vectors import AUDIT_X as X

# ---------------------------------------------------------------- right, one vector


def with_library_stages(q, K, V):
    return softmax(dot_scores([q], K))[0] @ V


def plain_python_loops(q, K, V):
    scores = [sum(a * b for a, b in zip(q, k, strict=True)) for k in K]
    top = max(scores)
    powers = [math.exp(s - top) for s in scores]
    weights = [p / sum(powers) for p in powers]
    return [sum(w * v[j] for w, v in zip(weights, V, strict=True)) for j in range(len(V[0]))]


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


# ---------------------------------------------------------------- right, many vectors


def three_lines(Q, K, V):
    scores = Q @ K.T
    weights = softmax(scores)
    return weights @ V


def one_query_at_a_time(Q, K, V):
    return np.array([with_library_stages(q, K, V) for q in Q])


def lists_of_lists(Q, K, V):
    return [plain_python_loops(q, K, V) for q in Q]


def einsum_throughout(Q, K, V):
    return np.einsum("qk,kv->qv", softmax(np.einsum("qd,kd->qk", Q, K)), V)


def half_the_digits(Q, K, V):
    Q, K, V = (a.astype("float32") for a in (Q, K, V))
    return softmax(np.matmul(Q, np.transpose(K))) @ V


def divided_at_the_end(queries, keys, values, /, *, shift=True):
    scores = np.inner(queries, keys)
    powers = np.exp(scores - scores.max(axis=1, keepdims=True) * shift)
    return powers @ values / powers.sum(axis=1)[:, None]


def broadcast_and_sum(Q, K, V, scale=1.0):
    scores = scale * (Q[:, None, :] * K[None, :, :]).sum(axis=-1)
    return (softmax(scores)[:, :, None] * V).sum(axis=1)


def keys_as_columns(Q, K, V):
    scores = (K @ Q.T).T
    return (V.T @ softmax(scores).T).T


def filled_in_place(Q, K, V):
    context = np.zeros((len(Q), V.shape[1]))
    for i in range(len(Q)):
        weights = softmax(K @ Q[i])
        for j in range(len(K)):
            context[i] += weights[j] * V[j]
    return context


VARIANTS = {
    "context_vector": [
        with_library_stages,
        plain_python_loops,
        vector_with_einsum,
        single_precision,
        weighted_rows_summed,
        column_arithmetic,
        numpy_average,
        running_total,
    ],
    "context_vectors": [
        three_lines,
        one_query_at_a_time,
        lists_of_lists,
        einsum_throughout,
        half_the_digits,
        divided_at_the_end,
        broadcast_and_sum,
        keys_as_columns,
        filled_in_place,
    ],
}


# ---------------------------------------------------------------- wrong


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


def softmax_down_the_columns(Q, K, V):
    e = np.exp(Q @ K.T)
    e = e / e.sum(axis=0)
    return e @ V


def weights_on_their_side(Q, K, V):
    return softmax(Q @ K.T).T @ V


def keys_first(Q, K, V):
    return softmax(K @ Q.T) @ V


def compares_with_values(Q, K, V):
    return softmax(Q @ V.T) @ V


def self_attention_habit(Q, K, V):
    return softmax(Q @ K.T) @ Q


def returns_too_soon(Q, K, V):
    contexts = []
    for q in Q:
        contexts.append(softmax(K @ q) @ V)
        return contexts[0]
    return contexts


def returns_a_list_too_soon(Q, K, V):
    contexts = []
    for q in Q:
        contexts.append(softmax(K @ q) @ V)
        return np.array(contexts)
    return contexts


def asks_the_first_again_and_again(Q, K, V):
    return np.array([softmax(K @ Q[0]) @ V for _ in Q])


def lays_them_end_to_end(Q, K, V):
    return np.concatenate([softmax(K @ q) @ V for q in Q])


def takes_the_mean_over_the_keys(Q, K, V):
    return (softmax(Q @ K.T)[:, :, None] * V).mean(axis=1)


def softmax_of_the_result(Q, K, V):
    return softmax(softmax(Q @ K.T) @ V)


def softmax_after_the_mix(Q, K, V):
    return softmax(Q @ K.T @ V)


def shifts_by_the_row_mean(Q, K, V):
    scores = Q @ K.T
    powers = np.exp(scores - scores.mean(axis=1, keepdims=True))
    return powers / powers.sum(axis=1, keepdims=True) @ V


def shifts_by_the_row_minimum(Q, K, V):
    scores = Q @ K.T
    powers = np.exp(scores - scores.min(axis=1, keepdims=True))
    return powers / powers.sum(axis=1, keepdims=True) @ V


def shifts_by_one_maximum(Q, K, V):
    scores = Q @ K.T
    powers = np.exp(scores - np.max(scores))
    return powers / powers.sum(axis=1, keepdims=True) @ V


def shifts_by_nothing(Q, K, V):
    powers = np.exp(Q @ K.T)
    return powers / powers.sum(axis=1, keepdims=True) @ V


def transposed_at_the_end(Q, K, V):
    return (softmax(Q @ K.T) @ V).T


def two_at_once(Q, K, V):
    return softmax(Q @ K.T / np.sqrt(K.shape[1])) @ K


def values_first(Q, K, V):
    return V.T @ softmax(Q @ K.T)


WRONG = {
    "context_vector": [
        (forgets_the_exponential, "ratio"),
        (mixes_the_scores, "raw-scores"),
        (naive_softmax, "no-maximum"),
        (looks_up_the_best, "hard"),
        (divides_by_root_d, "scaled"),
        (averages_keys, "keys-mixed"),
        (forgets_to_mix, "weights-returned"),
        (returns_both, "pair"),
        (takes_the_mean, "averaged-again"),
        (sums_each_value, "summed-across"),
        (query_on_the_wrong_side, "keys-not-transposed"),
        (values_before_weights, "values-first"),
        (keeps_the_row, "row-kept"),
        (sums_everything, "summed-over-all"),
        (softmax_at_the_end, "softmax-late"),
        (softmax_twice, "softmax-again"),
        (columns_of_a_single_row, "columns"),
        (columns_and_keeps_the_row, "columns"),
        (shifts_a_vector_by_its_mean, "other-shift"),
        (prints_it, "prints-result"),
        (holds_the_example, "same-for-every-input"),
        (multiplies_elementwise, None),
        (raises_always, None),
    ],
    "context_vectors": [
        (softmax_down_the_columns, "columns"),
        (weights_on_their_side, "weights-transposed"),
        (keys_first, "keys-ask"),
        (compares_with_values, "values-scored"),
        (self_attention_habit, "queries-mixed"),
        (returns_too_soon, "first-query-only"),
        (returns_a_list_too_soon, "first-row-only"),
        (asks_the_first_again_and_again, "first-query-repeated"),
        (lays_them_end_to_end, "concatenated"),
        (takes_the_mean_over_the_keys, "averaged-again"),
        (softmax_of_the_result, "softmax-again"),
        (softmax_after_the_mix, "softmax-late"),
        (shifts_by_the_row_mean, "other-shift"),
        (shifts_by_the_row_minimum, "other-shift"),
        (shifts_by_one_maximum, "global-maximum"),
        (shifts_by_nothing, "no-maximum"),
        (transposed_at_the_end, "transposed-result"),
        (two_at_once, "scaled"),
        (values_first, None),
    ],
}


# ---------------------------------------------------------------- numbers in the prose

K_EXAMPLE = np.array([[0.0, 1.0], [np.log(3.0), 2.0]])
V_EXAMPLE = np.array([[4.0, 0.0, 8.0], [0.0, 4.0, 8.0]])


def pair(v, decimals=None):
    numbers = (f"{x:g}" if decimals is None else f"{x:.{decimals}f}" for x in v)
    return f"({', '.join(numbers)})"


def by_hand(j, score):
    """One row of the table: the score of The with token j, its weight, its value and their product."""
    weight = softmax(dot_scores(X, X))[0, j]
    return f"{score} = {X[0] @ X[j]:.2f} | {weight:.4f} | {pair(X[j])} | {pair(weight * X[j], 4)} |"


def mixed_example():
    cat, sat = np.array([4.0, 2.0]), np.array([2.0, 4.0])
    parts = 0.25 * cat, 0.75 * sat
    terms = rf"0.25 \cdot {pair(cat)} + 0.75 \cdot {pair(sat)}"
    return f"{terms} = {pair(parts[0])} + {pair(parts[1])} = {pair(parts[0] + parts[1])}"


NUMBERS = [
    (r"0.25 \cdot (4, 2) + 0.75 \cdot (2, 4) = (1, 0.5) + (1.5, 3) = (2.5, 3.5)", mixed_example),
    (
        "0.2·0.2 + 0.5·0.5 = 0.29 | 0.3155 | (0.2, 0.5) | (0.0631, 0.1578) |",
        lambda: by_hand(0, "0.2·0.2 + 0.5·0.5"),
    ),
    (
        "0.2·0.8 + 0.5·0.1 = 0.21 | 0.2913 | (0.8, 0.1) | (0.2330, 0.0291) |",
        lambda: by_hand(1, "0.2·0.8 + 0.5·0.1"),
    ),
    (
        "0.2·0.3 + 0.5·0.9 = 0.51 | 0.3932 | (0.3, 0.9) | (0.1180, 0.3539) |",
        lambda: by_hand(2, "0.2·0.3 + 0.5·0.9"),
    ),
    ("**(0.4141, 0.5408)**", lambda: f"**{pair(attnlib.context_vector(X[0], X, X), 4)}**"),
    (
        "The weights are 0.25 and 0.75.",
        lambda: "The weights are {:.2f} and {:.2f}.".format(*softmax(K_EXAMPLE @ [1.0, 0.0])),
    ),
    ("`[1.0, 3.0, 8.0]`", lambda: f"`{attnlib.context_vector([1.0, 0.0], K_EXAMPLE, V_EXAMPLE).round(6).tolist()}`"),
    (
        "`[[1.0, 3.0, 8.0], [2.0, 2.0, 8.0]]`",
        lambda: f"`{attnlib.context_vectors([[1.0, 0.0], [0.0, 0.0]], K_EXAMPLE, V_EXAMPLE).round(6).tolist()}`",
    ),
    (r"0.6 \cdot 0.1 = 0.06", lambda: rf"0.6 \cdot 0.1 = {0.6 * 0.1:g}"),
    (r"0.4 \cdot 3 = 1.2", lambda: rf"0.4 \cdot 3 = {0.4 * 3:g}"),
    ("contribute 0.06 and 1.2", lambda: f"contribute {0.6 * 0.1:g} and {0.4 * 3:g}"),
]
