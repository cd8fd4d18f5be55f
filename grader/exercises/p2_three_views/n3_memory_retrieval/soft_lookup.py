import numpy as np

from grader.exercises.inputs import arrays, example, matrix, square, tells, tenths, uniform
from grader.exercises.kinds import Case, Property, function
from grader.exercises.p2_three_views.n3_memory_retrieval.shared import mixed, weights_of
from grader.exercises.stages import number, score


def best_of_five(rng):
    """A query, keys and values; the best key is ahead, but not by much, and is fourth: it takes a large beta to tell.

    It is neither nearest, nor farthest, nor best in direction, so that each mistake shows in all draws or in none.
    """
    while True:
        query, keys, values = matrix(rng, 3), matrix(rng, 5, 3), matrix(rng, 5, 2)
        scores, distances = keys @ query, ((keys - query) ** 2).sum(axis=1)
        cosines = scores / np.linalg.norm(keys, axis=1)
        place, (second, best) = scores.argmax(), np.sort(scores)[-2:]
        apart = np.abs(values - values[place]).max(axis=-1) > 0.2
        clear = best > 1 and 0.03 < best - second < 0.1 and apart.sum() == 4 and np.abs(values[place]).max() > 0.2
        others = distances.min() + 0.1 < distances[place] < distances.max() - 0.1
        if clear and others and cosines[place] < cosines.max() - 0.1:
            return query, np.roll(keys, 3 - place, axis=0), np.roll(values, 3 - place, axis=0)


def large_beta_fetches_the_best(call, rng):
    query, keys, values = best_of_five(rng)
    best = values[(keys @ query).argmax()]
    got = call(query, keys, values, 5000.0)
    # Where one weight is 1 but for rounding, its powers are, too; a score that overflows does so here all the more.
    call(400 * query, keys, values, 5000.0)
    if not np.isfinite(got).all():
        return "with beta = 5000 the result is NaN or infinite"
    return None if np.allclose(got, best, atol=1e-3) else "with beta = 5000 it is not the value of the best key"


def near_ones_are_heard(call, rng):
    while True:
        query, keys, values = best_of_five(rng)
        inputs = {"query": query, "keys": keys, "values": values, "beta": 30.0}
        if tells(soft_lookup.model, inputs, "best-from=10", "beta-capped=5", "mean-below=40"):
            break
    for beta in (30.0, 300.0, 3000.0, 0.05, 0.005):
        # The same weights each time: where beta is larger, the scores are smaller.
        gap = np.abs(call(30 / beta * query, keys, values, beta) - soft_lookup.model(**inputs)).max()
        if not gap < 1e-3:
            return f"with beta = {beta:g}, scores whose weights are far from those of the limits give a wrong mixture"
    worst = (keys @ query).argmin()
    keys[worst], values[worst] = keys[3], values[3] + 1.0  # an exact tie for the best
    gap = np.abs(call(query, keys, values, 5000.0) - values[[worst, 3]].mean(axis=0)).max()
    return None if gap < 1e-3 else "with beta = 5000, two equal keys do not share the weight"


def zero_beta_is_the_mean(call, rng):
    query, keys, values = matrix(rng, 3), matrix(rng, 5, 3), matrix(rng, 5, 2)
    gap = np.abs(call(query, keys, values, 1e-9) - values.mean(axis=0)).max()
    return None if gap < 1e-3 else f"with beta = 1e-9 it differs by {gap:.3g} from the mean of the values"


EXAMPLE = {
    "query": np.array([1.0, 1.0]),
    "keys": np.array([[1.0, 0.0], [0.0, 1.0], [1.0, 1.0]]),
    "values": np.array([[10.0], [20.0], [30.0]]),
    "beta": 1.0,
}


@function(
    points=3,
    returns="value",
    cases=(
        Case(
            "3 keys of two numbers, values of five",
            arrays(tenths, query=(2,), keys=(3, 2), values=(3, 5), beta=2.0),
            0.2,
            telling=("best-only", "scaled", "beta-forgotten", "distance"),
        ),
        Case(
            "7 keys of five numbers, values of three, beta below 1",
            arrays(query=(5,), keys=(7, 5), values=(7, 3), beta=(uniform, 0.2, 0.6)),
            0.2,
        ),
        Case(
            "5 keys and values of five numbers",
            arrays(query=(5,), keys=(square, 5), values=(square, 5), beta=(uniform, 0.3, 0.7)),
            0.1,
        ),
        Case("beta = 0", arrays(query=(3,), keys=(5, 3), values=(5, 2), beta=0.0), 0.05, telling=("zero-as-one",)),
        Case("the example of the task", example(**EXAMPLE), 0.05),
    ),
    properties=(
        Property("beta near 0 gives the mean of the values", zero_beta_is_the_mean, 0.1),
        Property("beta = 5000 gives the value of the best key, without overflow", large_beta_fetches_the_best, 0.15),
        Property("keys that score nearly as well are heard, whatever beta is", near_ones_are_heard, 0.05),
    ),
    mistakes="""
    beta-forgotten
    beta-divides
    beta-after
    minus: the scores have the wrong sign -> A distance needs one, a dot product does not: the key that matches
        worst would get the largest weight. -> A larger score means a better match; keep the sign.
    keys-mixed: you mix the keys instead of the values -> The keys are the addresses. What the reader wants is what lies
        there. -> Multiply the weights with `values`.
    ratio
    best-only
    weights-returned
    powers-renormalised: you raise the weights to the power beta, and divide by their sum again -> On paper that is
        right; but with a large beta all these powers are rounded to 0, and 0/0 is NaN. -> Multiply the scores by beta
        before the softmax.
    no-maximum
    nan-to-zero: large scores overflow, and you put 0 in the place of what is not a number -> exp(1000) is infinity, and
        infinity divided by infinity is NaN. With zeros instead, the best key has no weight. -> Use the `softmax` of
        Part 1: it takes the largest score off first.
    beta-capped=: a beta beyond some limit counts as that limit -> Two scores may be so near that a smaller beta hardly
        tells them apart. Large scores do no harm: softmax takes the largest off. -> Use beta as it comes.
    zero-as-one: beta = 0 counts as 1 -> To `or` and `if`, a 0 is as good as nothing: `beta or 1` is 1. With beta = 0
        all scores become 0, and every key has the same weight. -> Use beta as it comes.
    softmax-twice
    shifted-powers: you take the largest score off and the exponential, but do not divide by the sum -> Then the best
        key has the weight 1, the others have more besides, and no average comes out. -> Use the `softmax` of Part 1.
    scores-to-the-beta: you raise the scores to the power beta -> A score below 0 has no power of 0.5, and its square
        is positive. -> Multiply the scores by beta.
    beta-at-least
    halved
    exponent-capped
    softmax-late
    late-maximum: you take the largest power off after the exponential -> Before it, the shift cancels in the quotient;
        after it, the best key is left with the weight 0. -> Take the largest score off first, then the exponential.
    divided-by-sum: you divide the scores by their sum before the softmax -> Then their size no longer counts, and a sum
        below 0 turns their order round. -> Multiply the scores by beta, and do no more to them.
    divided-by-best: you divide the scores by the largest before the softmax -> Then their size no longer counts, and a
        largest one below 0 turns their order round. -> Multiply the scores by beta, and do no more to them.
    best-from=: from some beta on you return the value of the best key alone -> Keys that score nearly as well are heard
        at any beta, and equal ones share. -> Take the softmax, whatever beta is.
    mean-below=: below some beta you return the mean of the values -> Large scores can be far apart even with a small
        beta. -> Take the softmax, whatever beta is.
    scaled
    distance: you score by distance instead of by dot product -> Both agree only if all keys have the same length. ->
        Use the dot products of the keys with the query.
    distance-halved: you score by half the squared distance instead of by dot product -> Both agree only if all keys
        have the same length. -> Use the dot products of the keys with the query.
    distance-plus: you score by distance, and the farthest key scores most -> A distance is small where two vectors are
        alike. -> Use the dot products of the keys with the query.
    distance-root
    cosine
    powers-of-weights
    softmax-of-one
    one-number: only one number of each value is read -> A value has `d_v` numbers, and each of them is wanted. -> Mix
        whole rows of `values`.
    raw-scores
    not-normalised
    uniform
    two-only
    three-only
    last-only
    first-only
    last-missing
    first-missing
    """,
)
def soft_lookup(query, keys, values, beta, wrong=frozenset()):
    """A soft look-up, with mistakes as switches."""
    query, keys, values = (np.asarray(array, dtype=float) for array in (query, keys, values))
    scores = score(query[None], keys, wrong)[0]
    if "distance-plus" in wrong:
        scores = ((keys - query) ** 2).sum(axis=-1)
    if "distance-halved" in wrong:
        scores = -((keys - query) ** 2).sum(axis=-1) / 2
    if "distance-root" in wrong:
        scores = -np.linalg.norm(keys - query, axis=-1)
    if "divided-by-sum" in wrong:
        scores = scores / scores.sum()
    if "divided-by-best" in wrong:
        scores = scores / scores.max()
    limit = number(wrong, "best-from", 10)
    if limit and beta > limit:
        return values[scores.argmax()]
    if beta < (number(wrong, "mean-below", 0.1) or 0):
        return values.mean(axis=0)
    beta = min(beta, number(wrong, "beta-capped", 50) or np.inf)
    if "zero-as-one" in wrong:
        beta = beta or 1.0
    if "scores-to-the-beta" in wrong:
        scores, beta = scores**beta, 1.0
    weights = weights_of(-scores if "minus" in wrong else scores, beta, wrong)
    if "weights-returned" in wrong:
        return weights
    read = mixed(weights, keys if "keys-mixed" in wrong else values, wrong)
    return read[:1] if "one-number" in wrong else read
