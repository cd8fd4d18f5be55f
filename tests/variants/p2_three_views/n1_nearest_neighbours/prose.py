"""The numbers in the prose of this notebook."""

import numpy as np

from attnlib import (
    context_vectors,
    cosine_scores,
    dot_scores,
    gaussian_kernel,
    knn_attention,
    load_word_vectors,
    softmax,
    squared_distances,
    unit_rows,
)

QUERY, KEYS = np.array([[1.0, 2.0]]), np.array([[1.0, 2.0], [2.0, 0.0], [-1.0, 3.0]])
TEN_TWENTY_SIXTY = np.array([[10.0], [20.0], [60.0]])


def row_of_k2():
    cosine, distance = cosine_scores(QUERY, KEYS)[0, 1], squared_distances(QUERY, KEYS)[0, 1] ** 0.5
    return f"| 1·2 + 2·0 = {dot_scores(QUERY, KEYS)[0, 1]:.0f} | {cosine:.3f} | {distance:.3f} |"


def row_of_k3():
    cosine, distance = cosine_scores(QUERY, KEYS)[0, 2], squared_distances(QUERY, KEYS)[0, 2] ** 0.5
    return f"| 1·(−1) + 2·3 = {dot_scores(QUERY, KEYS)[0, 2]:.0f} | {cosine:.3f} | {distance:.3f} |"


def words_whose_nearest_differ():
    _, E = load_word_vectors()
    itself = np.arange(len(E))
    nearest = []
    for scores in (E @ E.T, unit_rows(E) @ unit_rows(E).T):
        scores[itself, itself] = -np.inf
        nearest.append(scores.argmax(axis=1))
    return f"{(nearest[0] != nearest[1]).sum()} of the {len(E):,} words"


def mix_of_all():
    weights = softmax(dot_scores(QUERY, KEYS))[0]
    answer = context_vectors(QUERY, KEYS, TEN_TWENTY_SIXTY)[0, 0]
    return f"| {', '.join(f'{w:.3f}' for w in weights)} | {answer:.2f} |"


def mix_of_two():
    return f"| 0.5, 0.5 | {knn_attention(QUERY, KEYS, TEN_TWENTY_SIXTY, 2)[0, 0]:.0f} |"


def gaussian_pair():
    weights = gaussian_kernel(QUERY, KEYS, 1.0)[0]
    weights = weights / weights.sum()
    return f"(bandwidth 1) are {weights[0]:.3f} and {weights[2]:.4f}"


def unit_key(j):
    unit = unit_rows(KEYS)
    place = ", ".join(f"{x:.3g}".replace("-", "−") for x in unit[j].round(3) + 0.0)
    return f"| [{place}] | {dot_scores(QUERY, unit)[0, j]:.3f} | {squared_distances(QUERY, unit)[0, j]:.3f} |"


NUMBERS = [
    ("| 1·2 + 2·0 = 2 | 0.447 | 2.236 |", row_of_k2),
    ("| 1·(−1) + 2·3 = 5 | 0.707 | 2.236 |", row_of_k3),
    ("462 of the 3,600 words", words_whose_nearest_differ),
    ("| 0.5, 0.5 | 35 |", mix_of_two),
    ("| 0.488, 0.024, 0.488 | 34.64 |", mix_of_all),
    ("the same weight 0.488", lambda: f"the same weight {softmax(dot_scores(QUERY, KEYS))[0, 2]:.3f}"),
    ("(bandwidth 1) are 0.859 and 0.0705", gaussian_pair),
    ("| [0.447, 0.894] | 2.236 | 1.528 |", lambda: unit_key(0)),
    ("| [1, 0] | 1.000 | 4.000 |", lambda: unit_key(1)),
    ("| [−0.316, 0.949] | 1.581 | 2.838 |", lambda: unit_key(2)),
]
