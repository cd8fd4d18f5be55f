"""Right answers in unusual styles, wrong ones as learners write them, and the numbers in the prose of 2-scores."""

import math

import numpy as np

import attnlib

_X = np.array([[0.2, 0.5], [0.8, 0.1], [0.3, 0.9]])


def dot_loop(Q, K):
    scores = np.zeros((len(Q), len(K)))
    for i in range(len(Q)):
        for j in range(len(K)):
            for c in range(Q.shape[1]):
                scores[i, j] += Q[i, c] * K[j, c]
    return scores


def dot_lists(Q, K):
    return [[sum(a * b for a, b in zip(q, k, strict=True)) for k in K] for q in Q]


def dot_einsum(Q, K):
    return np.einsum("qd,kd->qk", Q, K)


def dot_single_precision(Q, K):
    return Q.astype(np.float32) @ K.astype(np.float32).T


def dot_keys_first_then_turned(Q, K):
    return (K @ Q.T).T


def dot_row_by_row(Q, K, temperature=1.0):
    return np.stack([K @ q for q in Q]) / temperature


def dot_broadcast(Q, K):
    return (Q[:, None, :] * K[None, :, :]).sum(-1)


def dot_inner(Q, K, **options):
    return np.inner(Q, K)


def dot_columns(Q, K):
    return np.column_stack([Q @ key for key in K])


def cosine_loop(Q, K):
    result = []
    for q in Q:
        row = []
        for k in K:
            size = math.sqrt(sum(a * a for a in q)) * math.sqrt(sum(b * b for b in k))
            row.append(sum(a * b for a, b in zip(q, k, strict=True)) / size if size > 0 else 0.0)
        result.append(row)
    return result


def cosine_outer(Q, K):
    sizes = np.outer(np.linalg.norm(Q, axis=1), np.linalg.norm(K, axis=1))
    return np.divide(Q @ K.T, sizes, out=np.zeros(sizes.shape), where=sizes > 0)


def cosine_nan_to_num(Q, K):
    Q = Q / np.linalg.norm(Q, axis=-1, keepdims=True)
    K = K / np.linalg.norm(K, axis=-1, keepdims=True)
    return np.nan_to_num(Q @ K.T)


def cosine_epsilon(Q, K, eps=1e-12):
    lengths = (np.linalg.norm(Q, axis=1)[:, None] + eps) * (np.linalg.norm(K, axis=1)[None, :] + eps)
    return (Q @ K.T) / lengths


def cosine_einsum(Q, K):
    q_length = np.sqrt(np.einsum("qd,qd->q", Q, Q))
    k_length = np.sqrt(np.einsum("kd,kd->k", K, K))
    q_length, k_length = np.where(q_length == 0, 1, q_length), np.where(k_length == 0, 1, k_length)
    return np.einsum("qd,kd,q,k->qk", Q, K, 1 / q_length, 1 / k_length)


def cosine_single_precision(Q, K):
    return np.float32(cosine_epsilon(np.float32(Q), np.float32(K), np.float32(1e-9)))


def cosine_from_distances(Q, K):
    def unit(X):
        length = np.linalg.norm(X, axis=1, keepdims=True)
        return X / np.where(length > 0, length, 1)

    q, k = unit(Q), unit(K)
    squares = ((q[:, None] - k[None]) ** 2).sum(-1)
    return ((q**2).sum(1)[:, None] + (k**2).sum(1)[None] - squares) / 2


def distance_loop(Q, K):
    return [[sum((a - b) ** 2 for a, b in zip(q, k, strict=True)) for k in K] for q in Q]


def distance_expanded(Q, K):
    return (Q**2).sum(1, keepdims=True) - 2 * Q @ K.T + (K**2).sum(1)


def distance_broadcast(Q, K):
    return np.sum((Q[:, None] - K[None]) ** 2, axis=-1)


def distance_norm(Q, K):
    return np.linalg.norm(Q[:, None] - K[None], axis=-1) ** 2


def distance_einsum(Q, K):
    differences = Q[:, np.newaxis, :] - K
    return np.einsum("qkd,qkd->qk", differences, differences)


def distance_single_precision(Q, K):
    return distance_expanded(Q.astype("float32"), K.astype("float32"))


def distance_key_by_key(Q, K, metric="euclidean"):
    return np.array([np.square(Q - k).sum(axis=1) for k in K]).T


def distance_turned(Q, K):
    return np.maximum(distance_expanded(K, Q).T, 0)


TIE = {
    "dot": ["A", "C"],
    "cosine": ["A"],
    "distance": ["A"],
    "cosine_of_C": 5 / math.sqrt(50),
    "squared_distance_of_C": 5,
    "dot_with_long_B": ["B"],
}
READ = {"the_prefers": "sat", "cat_on_sat": 0.33, "not_themselves": ["The"], "it_on_cat": 0.5, "shape": (2, 5)}

VARIANTS = {
    "dot_scores": [
        dot_loop,
        dot_lists,
        dot_einsum,
        dot_single_precision,
        dot_keys_first_then_turned,
        dot_row_by_row,
        dot_broadcast,
        dot_inner,
        dot_columns,
    ],
    "cosine_scores": [
        cosine_loop,
        cosine_outer,
        cosine_nan_to_num,
        cosine_epsilon,
        cosine_einsum,
        cosine_single_precision,
        cosine_from_distances,
    ],
    "squared_distances": [
        distance_loop,
        distance_expanded,
        distance_broadcast,
        distance_norm,
        distance_einsum,
        distance_single_precision,
        distance_key_by_key,
        distance_turned,
    ],
    "predict-scores": ["c", " C "],
    "read-score-matrix": [
        READ,
        READ | {"the_prefers": "Sat", "not_themselves": "the", "shape": [2, 5]},
        READ | {"cat_on_sat": np.float64(0.33), "not_themselves": ("The",), "shape": np.array([2, 5])},
    ],
    "the-tie": [
        TIE,
        TIE | {"dot": ("C", "A"), "cosine": "A", "cosine_of_C": 0.707},
        TIE | {"dot": ["a", "c"], "squared_distance_of_C": np.array([5.0])},
    ],
}


def keys_at_queries(Q, K):
    return K @ Q.T


def stars(Q, K):
    return Q * K


def forgot_to_turn(Q, K):
    return Q @ K


def np_dot(Q, K):
    return np.dot(Q, K)


def turned_the_queries(Q, K):
    return Q.T @ K


def forgot_queries(Q, K):
    return K @ K.T


def reshaped_keys(Q, K):
    return Q @ K.reshape(K.shape[1], K.shape[0])


def fills_one_row(Q, K):
    scores = np.zeros((len(Q), len(K)))
    for i in range(len(Q)):
        for j in range(len(K)):
            scores[i, j] = Q[i] @ K[j]
        return scores


def fills_one_number(Q, K):
    scores = np.zeros((len(Q), len(K)))
    for i in range(len(Q)):
        for j in range(len(K)):
            scores[i, j] = Q[i] @ K[j]
            return scores


def collects_one_row(Q, K):
    rows = []
    for q in Q:
        rows.append([q @ k for k in K])
        return np.array(rows)


def partners_only(Q, K):
    return np.sum(Q * K, axis=1)


def partners_in_a_loop(Q, K):
    return np.array([q @ k for q, k in zip(Q, K, strict=False)])


def forgot_keys(Q, K):
    return np.matmul(Q, Q.T)


def cosine_instead(Q, K):
    return cosine_outer(Q, K)


def ahead_of_time(Q, K):
    return Q @ K.T / math.sqrt(K.shape[-1])


def returns_in_loop(Q, K):
    for q in Q:
        return np.array([np.dot(q, k) for k in K])


def sums_over_keys(Q, K):
    return (Q[:, None] * K[None]).sum(axis=1)


def sums_over_queries(Q, K):
    return np.sum(Q[:, None] * K, axis=0)


def one_number(Q, K):
    return float((Q @ K.T).sum())


def weights_already(Q, K):
    powers = np.exp(Q @ K.T)
    return powers / powers.sum(axis=1, keepdims=True)


def of_the_notebook(Q, K):
    return _X @ _X.T


def only_keys(Q, K):
    return Q @ (K / np.linalg.norm(K, axis=1, keepdims=True)).T


def only_keys_with_care(Q, K):
    length = np.linalg.norm(K, axis=1, keepdims=True)
    return Q @ (K / np.where(length > 0, length, 1)).T


def only_queries(Q, K):
    return Q / np.linalg.norm(Q, axis=1, keepdims=True) @ K.T


def plain_dot(Q, K):
    return Q @ K.T


def down_the_columns(Q, K):
    return (Q / np.linalg.norm(Q, axis=0)) @ (K / np.linalg.norm(K, axis=0)).T


def whole_norm(Q, K):
    return Q @ K.T / (np.linalg.norm(Q) * np.linalg.norm(K))


def product_of_lengths_raised(Q, K):
    length_q, length_k = np.linalg.norm(Q, axis=1, keepdims=True), np.linalg.norm(K, axis=1, keepdims=True)
    return Q @ K.T / np.maximum(length_q * length_k.T, 1)


def lengths_raised(Q, K):
    length_q, length_k = np.linalg.norm(Q, axis=1, keepdims=True), np.linalg.norm(K, axis=1, keepdims=True)
    return (Q / np.maximum(length_q, 1)) @ (K / np.maximum(length_k, 1)).T


def no_zero_rule(Q, K):
    Q = Q / np.linalg.norm(Q, axis=-1, keepdims=True)
    return Q @ (K / np.linalg.norm(K, axis=-1, keepdims=True)).T


def forgot_keepdims(Q, K):
    return (Q / np.linalg.norm(Q, axis=-1)) @ (K / np.linalg.norm(K, axis=-1)).T


def flat_product_of_lengths(Q, K):
    return Q @ K.T / (np.linalg.norm(Q, axis=1) * np.linalg.norm(K, axis=1))


def no_root(Q, K):
    return Q @ K.T / np.outer((Q**2).sum(1), (K**2).sum(1))


def shares(Q, K):
    return (Q / Q.sum(1, keepdims=True)) @ (K / K.sum(1, keepdims=True)).T


def distance_of_scipy(Q, K):
    return 1 - cosine_outer(Q, K)


def whole_number_rows(Q, K):
    def unit(X):
        rows = np.zeros_like(X)
        for i, row in enumerate(X):
            length = np.linalg.norm(row)
            rows[i] = row / length if length else row
        return rows

    return unit(Q) @ unit(K).T


def with_root(Q, K):
    return np.linalg.norm(Q[:, None] - K[None], axis=-1)


def wrong_sign(Q, K):
    return (Q**2).sum(1, keepdims=True) + 2 * Q @ K.T + (K**2).sum(1)


def one_product(Q, K):
    return (Q**2).sum(1, keepdims=True) - Q @ K.T + (K**2).sum(1)


def no_product(Q, K):
    return (Q**2).sum(1)[:, None] + (K**2).sum(1)[None]


def lengths_not_squared(Q, K):
    return np.linalg.norm(Q, axis=1, keepdims=True) - 2 * Q @ K.T + np.linalg.norm(K, axis=1)


def two_columns(Q, K):
    return (Q**2).sum(1, keepdims=True) - 2 * Q @ K.T + (K**2).sum(1, keepdims=True)


def whole_sums(Q, K):
    return (Q**2).sum() - 2 * Q @ K.T + (K**2).sum()


def no_query_length(Q, K):
    return (K**2).sum(1) - 2 * Q @ K.T


def no_key_length(Q, K):
    return (Q**2).sum(1, keepdims=True) - 2 * Q @ K.T


def as_score(Q, K):
    return -distance_broadcast(Q, K)


def averaged(Q, K):
    return ((Q[:, None] - K[None]) ** 2).mean(axis=-1)


def city_blocks(Q, K):
    return np.abs(Q[:, None] - K[None]).sum(-1)


def squares_the_sum(Q, K):
    return (Q[:, None] - K[None]).sum(-1) ** 2


def rows_only(Q, K):
    return ((Q - K) ** 2).sum(axis=1)


def flat_lengths(Q, K):
    return (Q**2).sum(axis=1) - 2 * Q @ K.T + (K**2).sum(axis=1)


def distances_over_keys(Q, K):
    return ((Q[:, None] - K[None]) ** 2).sum(axis=1)


def distances_over_queries(Q, K):
    return ((Q[:, None] - K[None]) ** 2).sum(axis=0)


def keys_count_rows(Q, K):
    return ((K[:, None] - Q[None]) ** 2).sum(axis=-1)


def subtracts_in_place(Q, K):
    result = np.zeros((len(Q), len(K)))
    for j in range(len(K)):
        K[j] -= Q[0]
        result[0, j] = (K[j] ** 2).sum()
    return result


WRONG = {
    "dot_scores": [
        (keys_at_queries, "keys-first"),
        (stars, "elementwise"),
        (forgot_to_turn, "no-transpose"),
        (np_dot, "no-transpose"),
        (partners_only, "row-pairs"),
        (partners_in_a_loop, None),
        (forgot_keys, "queries-only"),
        (forgot_queries, "keys-only"),
        (turned_the_queries, "queries-turned"),
        (reshaped_keys, "reshaped"),
        (fills_one_row, "first-round"),
        (fills_one_number, "first-pair"),
        (collects_one_row, "first-row"),
        (cosine_instead, "cosine"),
        (ahead_of_time, "scaled"),
        (returns_in_loop, "first-query"),
        (sums_over_keys, "sum-over-keys"),
        (sums_over_queries, "sum-over-queries"),
        (distance_broadcast, "distance"),
        (one_number, None),
        (weights_already, None),
        (of_the_notebook, "same-for-every-input"),
        (attnlib.dot_scores, "library-function"),
    ],
    "cosine_scores": [
        (only_keys, "keys-only"),
        (only_keys_with_care, "keys-only"),
        (only_queries, "queries-only"),
        (plain_dot, "dot"),
        (down_the_columns, "columns"),
        (whole_norm, "whole-matrix"),
        (no_zero_rule, "zero-vector"),
        (product_of_lengths_raised, "product-as-one"),
        (lengths_raised, "short-as-one"),
        (forgot_keepdims, "no-keepdims"),
        (flat_product_of_lengths, "flat-lengths"),
        (no_root, "squared-length"),
        (shares, "sum-as-length"),
        (distance_of_scipy, "one-minus"),
        (whole_number_rows, "kept-integer"),
        (attnlib.cosine_scores, "library-function"),
    ],
    "squared_distances": [
        (with_root, "root"),
        (wrong_sign, "plus-sign"),
        (one_product, "no-two"),
        (no_product, "no-product"),
        (lengths_not_squared, "lengths-not-squared"),
        (two_columns, "keys-as-column"),
        (whole_sums, "whole-matrix"),
        (no_query_length, "no-query-length"),
        (no_key_length, "no-key-length"),
        (as_score, "negated"),
        (averaged, "mean"),
        (city_blocks, "absolute"),
        (squares_the_sum, "sum-first"),
        (rows_only, "row-pairs"),
        (flat_lengths, "lost-axis"),
        (distances_over_keys, "sum-over-keys"),
        (distances_over_queries, "sum-over-queries"),
        (keys_count_rows, "keys-first"),
        (subtracts_in_place, "changes-input"),
        (attnlib.squared_distances, "library-function"),
    ],
    "predict-scores": [("a", "chose-a"), ("b", "chose-b"), ("d", "chose-d"), ("sat", None)],
    "read-score-matrix": [
        (READ | {"it_on_cat": 0.58, "shape": (5, 2)}, "swapped"),
        (READ | {"the_prefers": "The", "not_themselves": []}, "diagonal"),
        (READ | {"shape": (2, 3)}, "with-d"),
        (READ | {"shape": (2, 5, 3)}, "d-kept"),
        (READ | {"shape": (5, 2)}, "shape-swapped"),
        (READ | {"it_on_cat": 0.58}, "column-first"),
        (READ | {"the_prefers": "The"}, "itself"),
        (READ | {"not_themselves": ["cat", "sat"]}, "those-who-do"),
        (READ | {"shape": "2 x 5"}, None),
        ({"the_prefers": "sat"}, None),
        (["sat", 0.33], None),
    ],
    "the-tie": [
        (TIE | {"dot": ["A"]}, "first-of-tie"),
        (TIE | {"distance": ["B", "C"]}, "farthest"),
        (TIE | {"squared_distance_of_C": 2.236}, "root"),
        (TIE | {"cosine_of_C": 1.581}, "keys-only"),
        (TIE | {"dot_with_long_B": ["A", "C"]}, "length-ignored"),
        (TIE | {"cosine": ["A", "C"]}, "cosine-as-dot"),
        ({"dot": 5}, None),
    ],
}


_LENGTHS = np.linalg.norm(_X, axis=1)
_SCORES = attnlib.dot_scores(_X, _X)
_COSINES = attnlib.cosine_scores(_X, _X)
_DISTANCES = attnlib.squared_distances(_X, _X)


def _minus(number):
    """A number as the prose writes it, with a real minus sign."""
    return f"{number + 0.0:g}".replace("-", "−")


def _products(j):
    a, b = _X[0] * _X[j]
    (q1, q2), (k1, k2) = _X[0], _X[j]
    return f"({k1:g}, {k2:g}) | {q1:g}·{k1:g} + {q2:g}·{k2:g} = {a:.2f} + {b:.2f} | {_SCORES[0, j]:.2f} |"


def _decomposed(word, j):
    product = _LENGTHS[0] * _LENGTHS[j] * _COSINES[0, j]
    return f"| {word} | {_LENGTHS[j]:.4f} | {_COSINES[0, j]:.4f} | {product:.2f} |"


def _both_ways(word, j):
    difference = (_X[0] - _X[j]).round(9)
    a, b = (difference**2).round(9)
    distance = round(_DISTANCES[0, j], 9)
    expanded = round(_SCORES[0, 0] - 2 * _SCORES[0, j] + _SCORES[j, j], 9)
    return (
        f"| {word} | ({_minus(difference[0])}, {_minus(difference[1])}) | {a:g} + {b:g} = {distance:g} | "
        f"{_SCORES[0, 0]:.2f} − 2·{_SCORES[0, j]:.2f} + {_SCORES[j, j]:.2f} = {expanded + 0.0:g} |"
    )


def _shown(function, Q, K):
    return f"→ `{(function(Q, K) + 0.0).round(4).tolist()}`"


NUMBERS = [
    ("(1, 2) · (3, 4) = 1·3 + 2·4 = 11", lambda: f"(1, 2) · (3, 4) = 1·3 + 2·4 = {np.dot([1, 2], [3, 4])}"),
    ("(0.2, 0.5) | 0.2·0.2 + 0.5·0.5 = 0.04 + 0.25 | 0.29 |", lambda: _products(0)),
    ("(0.8, 0.1) | 0.2·0.8 + 0.5·0.1 = 0.16 + 0.05 | 0.21 |", lambda: _products(1)),
    ("(0.3, 0.9) | 0.2·0.3 + 0.5·0.9 = 0.06 + 0.45 | 0.51 |", lambda: _products(2)),
    ("*The* has the length 0.5385", lambda: f"*The* has the length {_LENGTHS[0]:.4f}"),
    ("| The | 0.5385 | 1.0000 | 0.29 |", lambda: _decomposed("The", 0)),
    ("| cat | 0.8062 | 0.4837 | 0.21 |", lambda: _decomposed("cat", 1)),
    ("| sat | 0.9487 | 0.9983 | 0.51 |", lambda: _decomposed("sat", 2)),
    ("only 3.4 degrees off", lambda: f"only {math.degrees(math.acos(_COSINES[0, 2])):.1f} degrees off"),
    ("1.76 times as long", lambda: f"{_LENGTHS[2] / _LENGTHS[0]:.2f} times as long"),
    ("$\\lVert q \\rVert^2 = 0.29$", lambda: f"$\\lVert q \\rVert^2 = {_SCORES[0, 0]:.2f}$"),
    ("| The | (0, 0) | 0 + 0 = 0 | 0.29 − 2·0.29 + 0.29 = 0 |", lambda: _both_ways("The", 0)),
    (
        "| cat | (−0.6, 0.4) | 0.36 + 0.16 = 0.52 | 0.29 − 2·0.21 + 0.65 = 0.52 |",
        lambda: _both_ways("cat", 1),
    ),
    (
        "| sat | (−0.1, −0.4) | 0.01 + 0.16 = 0.17 | 0.29 − 2·0.51 + 0.90 = 0.17 |",
        lambda: _both_ways("sat", 2),
    ),
    ("From about 0.95", lambda: f"From about {_SCORES[2, 2] / (_LENGTHS[2] * _COSINES[2, 0]):.2f}"),
    ("<i>sat</i> with itself is 0.90", lambda: f"<i>sat</i> with itself is {_SCORES[2, 2]:.2f}"),
    ("it is 0.947 times", lambda: f"it is {_LENGTHS[2] * _COSINES[2, 0]:.3f} times"),
    (
        "→ `[[1.0, 2.0, 1.0]]`",
        lambda: _shown(attnlib.dot_scores, [[1.0, 2.0]], [[1.0, 0.0], [0.0, 1.0], [3.0, -1.0]]),
    ),
    (
        "→ `[[1.0, 0.6, 0.0]]`",
        lambda: _shown(attnlib.cosine_scores, [[3.0, 4.0]], [[6.0, 8.0], [1.0, 0.0], [0.0, 0.0]]),
    ),
    (
        "→ `[[0.0, 25.0]]`",
        lambda: _shown(attnlib.squared_distances, [[1.0, 2.0]], [[1.0, 2.0], [4.0, 6.0]]),
    ),
]
