"""What the answers to several exercises of this notebook have in common."""

import math


def plain_python(query, keys, values, beta):
    scores = [beta * sum(a * b for a, b in zip(query, key, strict=True)) for key in keys]
    top = max(scores)
    powers = [math.exp(s - top) for s in scores]
    return [sum(p * v[c] for p, v in zip(powers, values, strict=True)) / sum(powers) for c in range(len(values[0]))]
