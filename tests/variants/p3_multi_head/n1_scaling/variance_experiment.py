import numpy as np

import attnlib


def drawn(d):
    rng = np.random.default_rng(seed=d + 1)
    return rng.normal(size=(500, d)), rng.normal(size=(500, d))


def both_spreads(measure):
    found = {d: measure(*drawn(d)) for d in (2, 8, 32, 128, 512, 2048)}
    return {"unscaled": list(found.values()), "scaled": [spread / d**0.5 for d, spread in found.items()]}


def paired(Q, K):
    return (Q * K).sum(axis=1).std()


def spreads_of_samples():
    return both_spreads(lambda Q, K: (Q * K).sum(axis=1).std(ddof=1))


def spreads_of_every_pair():
    return both_spreads(lambda Q, K: attnlib.dot_scores(Q, K).std())


def spreads_of_one_draw(part):
    widest = drawn(2048)

    def measure(Q, K):
        d = Q.shape[-1]
        return paired(*(vectors[:, part(d)] for vectors in widest))

    return both_spreads(measure)


def spreads_of_other_numbers(seed):
    rng = np.random.default_rng(seed)
    return both_spreads(lambda Q, K: paired(*rng.normal(size=(2, *Q.shape))))


def spreads_with_exchanged_numbers():
    """The call of `draw` has 500 for the width, and the width for 500."""

    def measure(Q, K):
        rng = np.random.default_rng(seed=501)
        d = Q.shape[-1]
        Q, K = rng.normal(size=(d, 500)), rng.normal(size=(d, 500))
        return paired(Q, K)

    return both_spreads(measure)


WRONG = [
    (spreads_of_one_draw(lambda d: slice(d)), "one-draw"),
    (spreads_of_one_draw(lambda d: slice(-d, None)), "one-draw-from-behind"),
    ({"unscaled": [1.0] * 6, "scaled": [1.0] * 6}, None),
    ({"unscaled": [0.0] * 6, "scaled": [0.0] * 6}, None),
    ({"unscaled": 22.6, "scaled": 1.0}, None),
    (spreads_of_samples(), "sample-deviation"),
    (spreads_of_every_pair(), "all-pairs"),
    (dict(zip(("scaled", "unscaled"), both_spreads(paired).values(), strict=True)), "lists-swapped"),
    (both_spreads(lambda Q, K: ((Q * K).sum(axis=1) ** 2).mean() ** 0.5), "root-mean-square"),
    (spreads_of_other_numbers(0), "nearly-right"),
    (spreads_of_other_numbers(42), "nearly-right"),
    (both_spreads(lambda Q, K: (K @ Q[0]).std()), "one-query"),
    (both_spreads(lambda Q, K: (Q * K).mean(axis=1).std()), "mean-of-products"),
    (spreads_with_exchanged_numbers(), "draw-exchanged"),
]
