"""What the answers to several exercises of this notebook have in common."""

import math

from attnlib import dot_scores, softmax


def with_library_stages(q, K, V):
    return softmax(dot_scores([q], K))[0] @ V


def plain_python_loops(q, K, V):
    scores = [sum(a * b for a, b in zip(q, k, strict=True)) for k in K]
    top = max(scores)
    powers = [math.exp(s - top) for s in scores]
    weights = [p / sum(powers) for p in powers]
    return [sum(w * v[j] for w, v in zip(weights, V, strict=True)) for j in range(len(V[0]))]
