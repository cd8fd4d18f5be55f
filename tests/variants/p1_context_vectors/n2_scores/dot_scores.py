import math

import numpy as np

import attnlib
from variants.p1_context_vectors.n2_scores.shared import X, cosine_outer, distance_broadcast


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


VARIANTS = [
    dot_loop,
    dot_lists,
    dot_einsum,
    dot_single_precision,
    dot_keys_first_then_turned,
    dot_row_by_row,
    dot_broadcast,
    dot_inner,
    dot_columns,
]


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
    return X @ X.T


def never_begins_anew(Q, K):
    scores = np.zeros((len(Q), len(K)))
    for i, q in enumerate(Q):
        total = 0.0
        for j, k in enumerate(K):
            for a, b in zip(q, k, strict=True):
                total += a * b
            scores[i, j] = total
    return scores


def wrong_dot_with_one_list_for_all_rows(Q, K):
    S, row = [], []
    for q in Q:
        for k in K:
            row.append(q @ k)
        S.append(row)
    return np.array(S)


WRONG = [
    (never_begins_anew, "total-not-reset"),
    (keys_at_queries, "keys-ask"),
    (stars, "elementwise"),
    (forgot_to_turn, "no-transpose"),
    (np_dot, "no-transpose"),
    (partners_only, "row-pairs"),
    (partners_in_a_loop, None),
    (forgot_keys, "queries-with-queries"),
    (forgot_queries, "keys-with-keys"),
    (turned_the_queries, "queries-turned"),
    (reshaped_keys, "reshaped"),
    (fills_one_row, "result-first-row-filled"),
    (fills_one_number, "result-first-entry-filled"),
    (collects_one_row, "result-one-row-left"),
    (cosine_instead, "cosine"),
    (ahead_of_time, "scaled"),
    (returns_in_loop, "result-first-row-only"),
    (sums_over_keys, "sum-over-keys"),
    (sums_over_queries, "sum-over-queries"),
    (distance_broadcast, "distance"),
    (one_number, None),
    (weights_already, None),
    (of_the_notebook, "same-for-every-input"),
    (attnlib.dot_scores, "library-function"),
    (wrong_dot_with_one_list_for_all_rows, "wrong-shape"),
]
