import numpy as np

from grader.exercises.inputs import example, matrix, tenths
from grader.exercises.kinds import Case, Property, function
from grader.exercises.properties import told, worst_row
from grader.exercises.stages import slip, softmax

EXAMPLE = {"weights": np.array([1.0, 2.0, 3.0]) / 6, "K": np.array([[1.0, 2.0], [2.0, 2.0], [1.0, 3.0]])}

#: Mistakes that show in any keys and weights that are not special.
TELLING = (
    "no-logarithm", "constant-forgotten", "weights-solved", "last-key-left-out", "first-key-left-out", "minus",
    "log2", "log10", "scaled", "keys-averaged", "best-key", "divided-by-length", "first-key-kept", "last-key-kept",
    "keys-not-centred", "logs-not-shifted", "two-references", "differences-transposed", "log-of-differences",
    "exponential-taken", "quotients-kept", "ones-in-front", "logs-minus-largest", "keys-averaged-by-logs",
    "first-and-neighbours", "one-mean-of-keys", "shift-alone",
)  # fmt: skip


def recipe(rng, n, least=0.05):
    """Positive weights with the sum 1, none below `least`, of which no two are near each other."""
    while True:
        weights = rng.dirichlet(np.full(n, 2.0))
        if weights.min() > least and np.diff(np.sort(weights)).min() > least / 5:
            return weights


def corners(rng, d, draw=matrix):
    """d + 1 keys of d numbers: their differences are far from dependent, and so are the first d keys, and the last."""
    while True:
        K = draw(rng, d + 1, d)
        if min(np.linalg.svd(some)[1].min() for some in (K[1:] - K[0], K[:-1], K[1:])) > 0.4:
            return K


def sharp(rng):
    """Weights of which one is nearly 1; of the two others, one is a thousand times as large as the other."""
    weights = np.array([1e-5, 0.0, 1e-2])[rng.permutation(3)]
    weights[weights == 0] = 1 - weights.sum()
    return {"weights": weights, "K": 1.5 * corners(rng, 2)}


def gives_the_weights(call, rng):
    weights, K = recipe(rng, 4), corners(rng, 3)
    found = softmax(K @ call(weights, K))
    if np.allclose(found, weights, atol=1e-3):
        return None
    key = worst_row(found, weights)
    return f"key {key} (counted from 0) should get the weight {weights[key]:.4g}; your query gives it " + told(
        found[key], weights[key]
    )


def origin_is_free(call, rng):
    weights, K = recipe(rng, 4), corners(rng, 3)
    gap = np.abs(call(weights, K + rng.uniform(1, 2, size=3)) - call(weights, K)).max()
    return None if gap < 1e-3 else f"the same vector, added to all keys, changes your query by {gap:.3g}"


@function(
    points=4,
    returns="query",
    cases=(
        Case(
            "three keys of two numbers",
            lambda rng: {"weights": recipe(rng, 3), "K": corners(rng, 2, tenths)},
            0.25,
            telling=TELLING,
        ),
        Case(
            "six keys of five numbers",
            lambda rng: {"weights": recipe(rng, 6, 0.02), "K": corners(rng, 5)},
            0.2,
            TELLING,
        ),
        Case("two keys of one number", lambda rng: {"weights": recipe(rng, 2), "K": corners(rng, 1)}, 0.05),
        Case("one key with nearly all the weight", sharp, 0.1),
        Case("the example of the task", example(**EXAMPLE), 0.1),
    ),
    properties=(
        Property("softmax of the query's scores gives the weights back", gives_the_weights, 0.1),
        Property("the same vector added to all keys changes nothing", origin_is_free, 0.1),
    ),
    mistakes="""
    no-logarithm: you make the scores equal to the weights -> A weight is no score: softmax exponentiates the scores
        first. -> Which function undoes an exponential?
    exponential-taken: you take the exponential of the weights, not the logarithm -> Softmax exponentiates the scores.
        To go back takes what undoes that. -> Which function undoes an exponential?
    quotients-kept: you take the quotients of two weights for differences of their scores -> A quotient is e to such a
        difference. -> Which function undoes an exponential?
    weights-solved: you solve K q = weights -> That makes the weights the scores, but softmax exponentiates the scores
        and divides by a sum that you do not know. -> Undo both steps of softmax, one after the other.
    constant-forgotten: you ask that the scores are the logarithms of the weights themselves -> There are more keys than
        numbers in q: no query does that exactly. Softmax asks for less: a shift of all scores changes nothing. -> Which
        numbers made of two scores does a shift leave alone?
    last-key-left-out: your query suits the first keys and leaves out the last -> With d keys and d numbers K q = log(a)
        can be solved, but the last key gets whatever comes out. -> One more unknown is free: softmax does not notice a
        shift of all scores.
    first-key-left-out: your query suits the last keys and leaves out the first -> With d keys and d numbers K q =
        log(a) can be solved, but the first key gets whatever comes out. -> One more unknown is free: softmax does not
        notice a shift of all scores.
    first-key-kept: you take the first score off the others, but not the first key -> The difference of two scores is
        the dot product of the query with the difference of their keys. Yours is right only if the first key is zero. ->
        Do to the keys what you do to the scores. Where a loop takes `K[0]` off all keys in place, it is zero after the
        first round: keep a copy of it.
    last-key-kept: you take the last score off the others, but not the last key -> The difference of two scores is the
        dot product of the query with the difference of their keys. Yours is right only if the last key is zero. -> Do
        to the keys what you do to the scores.
    keys-not-centred: you take their mean off the logarithms, but not off the keys -> A shift of all scores is free; but
        the scores that your query gives need not have the mean 0. Yours is right only if the keys have. -> Do to the
        keys what you do to the scores.
    logs-not-shifted: you take the first key off the others, but not the first logarithm -> A query times the difference
        of two keys is the difference of their two scores. -> Do to the scores what you do to the keys.
    two-references: you take the first key off the others, and the last logarithm -> The difference of two scores is the
        dot product of the query with the difference of the same two keys. -> Take off what belongs to one key, on both
        sides.
    neighbours-and-first: you take off each key the one before it, and off each logarithm the first -> The difference of
        two scores is the dot product of the query with the difference of the same two keys. -> Take off what belongs to
        one key, on both sides.
    first-and-neighbours: you take off each key the first, and off each logarithm the one before it -> The difference of
        two scores is the dot product of the query with the difference of the same two keys. -> Take off what belongs to
        one key, on both sides.
    one-mean-of-keys: you take off the keys one mean of all their numbers -> Each column has a mean of its own; only
        the mean key taken off every key goes with the mean taken off the scores. -> Give `mean` an axis.
    differences-transposed: the differences of the keys are transposed in your equations -> Each equation belongs to two
        keys, and holds all d numbers of their difference: that is a row. -> Write the shapes under the product: which
        axis of it meets the query?
    log-of-differences: you take the logarithm of the differences of the weights -> A shift of all scores multiplies the
        weights: it leaves their quotients alone, not their differences. -> Take the logarithms first, and then the
        differences.
    log-of-differences-from-first: you take the logarithm of the differences of the weights -> A shift of all scores
        multiplies the weights: it leaves their quotients alone, not their differences. -> Take the logarithms first,
        and then the differences.
    ones-in-front: you put the column of ones in front, and drop the last number of what you find -> The unknowns stand
        in the order of the columns: the shift comes first, and the last is a number of the query. -> Drop the first.
    logs-minus-largest: you take the largest off the logarithms, but nothing off the keys -> A shift of all scores is
        free; but the scores that your query gives need not have the largest 0. -> Do to the keys what you do to the
        scores.
    keys-averaged-by-logs: you add up the keys, each times the logarithm of its weight -> The logarithms are the scores,
        up to a shift: dot products of the query that is wanted with the keys. -> Find the query that gives these
        scores: that means solving equations.
    multiplied: you multiply the differences of the keys by the logarithms -> A product asks what scores a query gets.
        Here the scores are known, and the query is wanted: that means solving equations. -> `np.linalg.solve`.
    not-square: you invert a matrix that is not square, or solve with it -> K has one row more than columns. -> Which
        d equations, made of d + 1 keys, have the query as their only unknown?
    minus: your query points the other way -> It gives the least weight to the key that should get the most: the signs
        of the two sides do not fit. -> If you subtract, subtract in the same order on both sides.
    log2: your logarithm has the base 2 -> Softmax raises e to each score. -> Use the natural logarithm, `np.log`.
    log10: your logarithm has the base 10 -> Softmax raises e to each score. -> Use the natural logarithm, `np.log`.
    scaled: your query is too long by the square root of d -> That makes up for a division of the scores, which comes in
        Part 3. Here the scores are plain dot products. -> Leave the factor out.
    keys-averaged: you average the keys with the weights -> That is the context vector of the keys. Put it into the
        three stages: the weights that it gets are others. -> Go back from the weights to the scores, and from there to
        the query.
    best-key: you return the key with the largest weight -> A query like a key gives it much weight, but not the weight
        that is wanted, and not the others theirs. -> Go back from the weights to the scores, and from there to the
        query.
    divided-by-length: your query points the right way, but has the length 1 -> The length of a query decides how sharp
        the weights are. -> Return it as it comes out.
    scores-returned: you return the scores -> They have a number for each key. The query has one number less. -> Find
        the query whose dot products with the keys are these scores, apart from a shift.
    shift-returned: you return the shift together with the query -> The last of your numbers is what all scores have in
        common; softmax does not notice it. -> Return the others.
    shift-alone: you return a single number, the shift that all scores have in common -> `[-1]` takes the last of what
        you find, and softmax does not notice that one. The query is what stands before it. -> Return the others:
        `[:-1]` is all but the last.
    """,
)
def query_for(weights, K, wrong=frozenset()):
    """The one query whose softmax weights over d + 1 keys are these, with the mistakes that people make as switches."""
    weights, K = np.asarray(weights, dtype=float), np.asarray(K, dtype=float)
    instead = {"no-logarithm": weights, "log2": np.log2(weights), "log10": np.log10(weights)}
    logs = slip(wrong, instead | {"exponential-taken": np.exp(weights)}, np.log(weights))
    if "minus" in wrong:
        logs = -logs
    slips = {
        "multiplied": lambda: (logs[1:] - logs[0]) @ (K[1:] - K[0]),
        "not-square": lambda: np.linalg.inv(K) @ logs,
        "two-references": lambda: np.linalg.solve(K[1:] - K[0], logs[1:] - logs[-1]),
        "neighbours-and-first": lambda: np.linalg.solve(np.diff(K, axis=0), logs[1:] - logs[0]),
        "first-and-neighbours": lambda: np.linalg.solve(K[1:] - K[0], np.diff(logs)),
        "one-mean-of-keys": lambda: np.linalg.lstsq(K - K.mean(), logs - logs.mean())[0],
        "differences-transposed": lambda: np.linalg.solve((K[1:] - K[0]).T, logs[1:] - logs[0]),
        "quotients-kept": lambda: np.linalg.solve(K[1:] - K[0], weights[1:] / weights[0]),
        "log-of-differences": lambda: np.linalg.solve(np.diff(K, axis=0), np.log(np.abs(np.diff(weights)))),
        "log-of-differences-from-first": lambda: np.linalg.solve(
            K[1:] - K[0], np.log(np.abs(weights[1:] - weights[0]))
        ),
        "weights-solved": lambda: np.linalg.lstsq(K, weights)[0],
        "constant-forgotten": lambda: np.linalg.lstsq(K, logs)[0],
        "last-key-left-out": lambda: np.linalg.solve(K[:-1], logs[:-1]),
        "first-key-left-out": lambda: np.linalg.solve(K[1:], logs[1:]),
        "first-key-kept": lambda: np.linalg.solve(K[1:], logs[1:] - logs[0]),
        "last-key-kept": lambda: np.linalg.solve(K[:-1], logs[:-1] - logs[-1]),
        "keys-not-centred": lambda: np.linalg.lstsq(K, logs - logs.mean())[0],
        "logs-not-shifted": lambda: np.linalg.solve(K[1:] - K[0], logs[1:]),
        "ones-in-front": lambda: np.linalg.solve(np.column_stack([np.ones(len(K)), K]), logs)[:-1],
        "logs-minus-largest": lambda: np.linalg.lstsq(K, logs - logs.max())[0],
        "keys-averaged-by-logs": lambda: logs @ K,
        "keys-averaged": lambda: weights @ K,
        "best-key": lambda: K[weights.argmax()],
        "scores-returned": lambda: logs,
    }
    if made := slip(wrong, slips, None):
        return made()
    found = np.linalg.solve(np.column_stack([K, np.ones(len(K))]), logs)
    if wrong & {"shift-returned", "shift-alone"}:
        return found if "shift-returned" in wrong else found[-1]
    q = found[:-1]
    if "divided-by-length" in wrong:
        return q / np.linalg.norm(q)
    return q * np.sqrt(len(q)) if "scaled" in wrong else q
