import math

import numpy as np

import attnlib
from variants.p1_context_vectors.n3_softmax.shared import loop


def memory_loop(query, keys, values):
    scores = [float(np.dot(query, key)) for key in keys]
    powers = [math.exp(score - max(scores)) for score in scores]
    return sum(power * value for power, value in zip(powers, values, strict=True)) / sum(powers)


def memory_vector(query, keys, values):
    scores = keys @ query
    powers = np.exp(scores - scores.max())
    return powers @ values / powers.sum()


def memory_array(query, keys, values):
    return np.array([memory_vector(query, keys, values)])


def memory_einsum(query, keys, values):
    weights = loop(np.einsum("nd,d->n", keys, query)[None])[0]
    return np.einsum("n,n->", weights, values)


def memory_earlier_functions(query, keys, values):
    scores = attnlib.dot_scores(query[None, :], keys)
    return float((attnlib.softmax(scores) @ values)[0])


def memory_single(query, keys, values):
    return np.float32(memory_vector(query.astype(np.float32), keys.astype(np.float32), values))


def summed_apart(query, keys, values):
    w = np.exp(keys @ query - (keys @ query).max())
    w = w / w.sum()
    return w.sum() * values.sum()


VARIANTS = [
    memory_loop,
    memory_vector,
    memory_array,
    memory_einsum,
    memory_earlier_functions,
    memory_single,
]


def ratio(query, keys, values):
    scores = keys @ query
    return (scores / scores.sum()) @ values


def best(query, keys, values):
    return values[np.argmax(keys @ query)]


WRONG = [(summed_apart, "column-softmax"), (ratio, "ratio"), (best, "best-only")]
