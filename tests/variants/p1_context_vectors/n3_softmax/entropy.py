import math

import numpy as np


def entropy_loop(p):
    result = []
    for row in p:
        total = 0.0
        for share in row:
            if share > 0:
                total -= share * math.log(share)
        result.append(total)
    return result


def entropy_where(p):
    with np.errstate(divide="ignore", invalid="ignore"):
        terms = np.where(p == 0, 0.0, p * np.log(p))
    return -terms.sum(axis=1)


def entropy_nan_to_num(p):
    with np.errstate(all="ignore"):
        return -np.nansum(p * np.log(p), axis=-1)


def entropy_tiny(p):
    return -np.sum(p * np.log(np.maximum(p, 1e-300)), axis=-1)


def entropy_single(p):
    p = p.astype(np.float32)
    return -(p * np.log(p, out=np.zeros_like(p), where=p > 0)).sum(-1)


def entropy_einsum(p, base=math.e):
    logs = np.log(np.where(p > 0, p, 1)) / math.log(base)
    return -np.einsum("ij,ij->i", p, logs)


def sum_never_reset(p):
    entropies, h = [], 0.0
    for row in p:
        for weight in row:
            if weight > 0:
                h -= weight * np.log(weight)
        entropies.append(h)
    return np.array(entropies)


VARIANTS = [entropy_loop, entropy_where, entropy_nan_to_num, entropy_tiny, entropy_single, entropy_einsum]


def bits(p):
    return -(p * np.log2(np.where(p > 0, p, 1))).sum(-1)


def no_minus(p):
    return (p * np.log(np.where(p > 0, p, 1))).sum(-1)


def log_of_zero(p):
    return -np.sum(p * np.log(p), axis=-1)


def epsilon(p):
    return -np.sum(p * np.log(p + 1e-3), axis=-1)


def typed_p_twice(p):
    return -(p * p).sum(1)


def adds_up_too_soon(p):
    return -np.log(p.sum(1))


def where_the_wrong_way_round(p):
    return -(p * np.log(np.where(p > 0, 1, p))).sum(axis=1)


def at_least_a_thousandth(p):
    return -(p * np.log(np.maximum(p, 1e-3))).sum(axis=1)


def above_a_thousandth(p):
    return -(p * np.log(np.where(p > 1e-3, p, 1))).sum(axis=1)


def far_from_zero(p):
    return -(p * np.log(np.where(np.isclose(p, 0, atol=1e-3), 1, p))).sum(axis=1)


def for_two_outcomes(p):
    q = 1 - p
    return -(p * np.log(np.where(p > 0, p, 1)) + q * np.log(np.where(q > 0, q, 1))).sum(axis=1)


def of_the_largest_only(p):
    return -np.log(p.max(axis=1))


def counts_the_keys(p):
    return np.log((p > 0).sum(axis=1))


def distance_from_uniform(p):
    return (p * np.log(np.where(p > 0, p * p.shape[1], 1))).sum(axis=1)


WRONG = [
    (for_two_outcomes, "binary"),
    (of_the_largest_only, "log-of-largest"),
    (counts_the_keys, "keys-counted"),
    (distance_from_uniform, "from-uniform"),
    (at_least_a_thousandth, "raised"),
    (above_a_thousandth, "small-left-out"),
    (far_from_zero, "small-left-out"),
    (typed_p_twice, "no-logarithm"),
    (adds_up_too_soon, "added-first"),
    (where_the_wrong_way_round, "branches-swapped"),
    (sum_never_reset, None),
    (bits, "log-base-two"),
    (no_minus, "sign"),
    (log_of_zero, "log-of-zero"),
    (epsilon, None),
]
