import numpy as np

from grader.exercises.inputs import matrix, tenths
from grader.exercises.kinds import Case, Property, function
from grader.exercises.stages import slip, softmax


def _network(rng, n_queries, n_keys, d_q, d_k, d_hidden, draw=matrix):
    return {
        "Q": draw(rng, n_queries, d_q),
        "K": draw(rng, n_keys, d_k),
        "W_1": draw(rng, d_q, d_hidden),
        "W_2": draw(rng, d_k, d_hidden),
        "u": draw(rng, d_hidden),
    }


def _the_example(rng):
    """The task's example, with another query below."""
    one = np.array([[1.0]])
    return {
        "Q": np.append(one, matrix(rng, 1, 1), axis=0),
        "K": np.array([[0.0], [1.0]]),
        "W_1": one,
        "W_2": one.copy(),
        "u": np.array([2.0]),
    }


def _never_beyond_u(call, rng):
    Q, K, W_1, W_2, _ = _network(rng, 3, 5, 2, 7, 11).values()
    # All of the first query's and the first key's numbers count upwards, so that too much is too much on every draw.
    u = rng.uniform(0.3, 0.8, size=11)
    W_1, W_2 = W_1 * np.sign(Q[0] @ W_1), W_2 * np.sign(K[0] @ W_2)
    largest = np.abs(call(100 * Q, K, W_1, W_2, u)).max()
    bound = np.abs(u).sum()
    if largest <= bound * (1 + 1e-3):
        return None
    return f"the absolute values of u add up to {bound:.3g}, but a score is {largest:.3g} in size"


@function(
    points=3,
    returns="scores",
    cases=(
        Case("two queries, three keys", lambda rng: _network(rng, 2, 3, 2, 2, 5, draw=tenths), 0.25),
        Case("queries and keys of different widths", lambda rng: _network(rng, 7, 5, 3, 2, 11), 0.25),
        Case("as many queries as keys", lambda rng: _network(rng, 5, 5, 5, 5, 5), 0.15),
        Case("the example of the task, and a query more", _the_example, 0.05),
        Case("many keys", lambda rng: _network(rng, 2, 11, 3, 5, 7), 0.1),
    ),
    properties=(Property("no score is larger than the absolute values of u together", _never_beyond_u, 0.1),),
    mistakes="""
    no-tanh: the tanh is missing -> Without it the score is a part of the query plus a part of the key: every query
        prefers the same key. -> Bend the sum by `np.tanh` before it meets `u`.
    tanh-last: the tanh comes after `u`, around the finished score -> Around the whole it changes no order: every query
        still prefers the same key. The hidden units have to be bent one by one. -> First the tanh of each hidden unit,
        then the weighted sum by `u`.
    tanh-each: you take two tanh and add them -> Then each key gets the same extra score from every query. Query and key
        have to meet before they are bent. -> Add first, and bend the sum.
    tanh-twice: you take the tanh of each projection, and then of their sum -> Query and key have to meet before they
        are bent: the sum of two numbers between -1 and 1 forgets how large they were. -> Add first, and bend the sum
        once.
    tanh-first: you take the tanh of queries and keys before the projections -> It is the hidden units that have to be
        bent, and they come out of the sum of both projections. -> First the projections and their sum, then the tanh.
    tanh-first-and-last: you take the tanh of queries and keys before the projections as well -> One tanh is enough,
        that of the hidden units: they come out of the sum of both projections. -> Project queries and keys as they are.
    sinh: you bend by `np.sinh` -> It grows without bound. `np.tanh` lies between -1 and 1. -> Use `np.tanh`.
    last-unit-missing: the last hidden unit is missing -> The end of a `range` is not included. -> Let your loop go over
        all hidden units.
    last-unit-missing-from-0: the last hidden unit is missing: of a single one nothing is left, and you return the 0
        with which your sum begins -> The end of a `range` is not included. -> Let your loop go over all hidden units.
    product: you multiply the projected query and key instead of adding them -> This score is called additive because
        its hidden units start from a sum. -> Put a plus between the two projections.
    difference: you subtract the projected key instead of adding it -> Trained weights would learn the other sign, but
        these are given: the formula has a plus. -> Put a plus between the two projections.
    no-u: the hidden units are added up without `u` -> `u` says how much each hidden unit counts, and in which
        direction. -> Weight the hidden units by `u` in the last sum.
    dot-product: you take the dot product of the projections -> That is the other family of scores, which this one is an
        alternative to. -> Add the projections, bend them, and weight by `u`.
    row-pairs: each query meets only the key in the same place -> Every query has to meet every key; with numbers of
        their own the two cannot even be added. -> Give the queries an axis for the keys, and the keys one for the
        queries; the sum then spreads over both.
    both-repeated: queries and keys are both laid out as by `np.repeat`, each row several times in a row -> Then some
        pairs stand there more than once, and others never. -> In a list of all pairs one of the two changes at every
        step, and the other stays until it has met all. Or let NumPy spread them: give each an axis for the other.
    both-tiled: queries and keys are both laid out as by `np.tile`, all rows again and again -> Then pairs stand in
        places that are not theirs, and where the lengths share a divisor some never come. -> In a list of all pairs one
        of the two changes at every step, and the other stays until it has met all. Or let NumPy spread them: give each
        an axis for the other.
    repeat-and-tile-exchanged: all pairs are there, but the query changes at every step, and the key stays until it has
        met all -> A reshape to (n_queries, n_keys) reads row by row: the key has to change first. -> Exchange
        the two loops, or `np.repeat` and `np.tile`.
    projections-swapped: `W_1` and `W_2` have changed places -> `W_1` belongs to the queries; on keys of another width
        it does not even fit. -> Queries with `W_1`, keys with `W_2`.
    logistic: you bend by the logistic function instead of tanh -> It lies between 0 and 1, so that a hidden unit pulls
        every score the same way, up or down. -> Use `np.tanh`, which lies between -1 and 1.
    relu: you cut off negative sums instead of bending by tanh -> The sum then grows without bound on one side and is
        lost on the other. -> Use `np.tanh`.
    scaled: you divide by the square root of the hidden size -> The tanh already keeps every unit between -1 and 1. This
        score is not scaled. -> Leave the sum as it is.
    softmaxed: you return weights instead of scores -> The softmax comes later and is the same for both families of
        scores. -> Return the scores as they are.
    tanh-of-queries: only the projected query goes through the tanh -> Query and key have to meet before they are bent.
        -> Add first, and bend the sum: look at your parentheses.
    tanh-of-keys: only the projected key goes through the tanh -> Query and key have to meet before they are bent. ->
        Add first, and bend the sum: look at your parentheses.
    tan: you bend by the tangent (`np.tan`) -> It jumps to infinity and back again and again. `np.tanh` has an h: the
        hyperbolic tangent, between -1 and 1. -> Use `np.tanh`.
    arctan: you bend by `np.arctan` -> It is another function, with values up to 1.57. -> Use `np.tanh`.
    dot-product-bent: you take the tanh of the dot product of the projections -> That is the other family of scores. ->
        Add the projections, bend them, and weight by `u`.
    u-inside: `u` is multiplied in before the tanh -> `u` weights what the hidden units have become, and stands outside.
        -> First the tanh of the sum, then `u`.
    no-sum: the hidden units are weighted, but not added up -> A score is one number for a query and a key. -> Add up
        along the last axis.
    sum-over-keys: you add up along the axis of the keys -> A score is one number for a query and a key: what is added
        up are its hidden units. -> They are on the last axis.
    sum-over-queries: you add up along the axis of the queries -> A score is one number for a query and a key: what is
        added up are its hidden units. -> They are on the last axis.
    """,
)
def additive_scores(Q, K, W_1, W_2, u, wrong=frozenset()):
    """Additive scores, with the mistakes that people make as switches."""
    Q, K, W_1, W_2, u = (np.asarray(array, dtype=float) for array in (Q, K, W_1, W_2, u))
    if "projections-swapped" in wrong:
        W_1, W_2 = W_2, W_1
    if wrong & {"tanh-first", "tanh-first-and-last"}:
        Q, K = np.tanh(Q), np.tanh(K)
    asked, offered = Q @ W_1, K @ W_2
    if "dot-product" in wrong:
        return asked @ offered.T
    if "dot-product-bent" in wrong:
        return np.tanh(asked @ offered.T)
    if "row-pairs" in wrong:
        return np.tanh(asked + offered) @ u
    n, m = len(asked), len(offered)
    pair = np.arange(n * m).reshape(n, m)
    partners = {
        "both-repeated": (pair // m, pair // n),
        "both-tiled": (pair % n, pair % m),
        "repeat-and-tile-exchanged": (pair % n, pair // n),
    }
    of_query, of_key = slip(wrong, partners, (pair // m, pair % m))
    a, b = asked[of_query], offered[of_key]
    slips = {
        "tanh-each": np.tanh(a) + np.tanh(b),
        "tanh-twice": np.tanh(np.tanh(a) + np.tanh(b)),
        "tanh-first": a + b,
        "sinh": np.sinh(a + b),
        "product": np.tanh(a * b),
        "difference": np.tanh(a - b),
        "no-tanh": a + b,
        "tanh-last": a + b,
        "logistic": (1 + np.tanh((a + b) / 2)) / 2,
        "relu": np.maximum(a + b, 0),
        "tanh-of-queries": np.tanh(a) + b,
        "tanh-of-keys": a + np.tanh(b),
        "tan": np.tan(a + b),
        "arctan": np.arctan(a + b),
    }
    hidden = slip(wrong, slips, np.tanh(a + b))
    if wrong & {"last-unit-missing", "last-unit-missing-from-0"}:
        return 0 if "last-unit-missing-from-0" in wrong and len(u) == 1 else hidden[..., :-1] @ u[:-1]
    if "u-inside" in wrong:
        return np.tanh((a + b) * u).sum(axis=-1)
    if wrong & {"no-sum", "sum-over-keys", "sum-over-queries"}:
        weighted = hidden * u
        return weighted if "no-sum" in wrong else weighted.sum(axis=1 if "sum-over-keys" in wrong else 0)
    scores = hidden.sum(axis=-1) if "no-u" in wrong else hidden @ u
    slips = {"tanh-last": np.tanh(scores), "scaled": scores / np.sqrt(len(u)), "softmaxed": softmax(scores)}
    return slip(wrong, slips, scores)
