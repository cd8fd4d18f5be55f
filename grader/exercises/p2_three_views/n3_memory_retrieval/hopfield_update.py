import numpy as np

from attnlib import context_vector
from grader.exercises.inputs import arrays, example, matrix, square, tells, uniform
from grader.exercises.kinds import Case, Property, function
from grader.exercises.p2_three_views.n3_memory_retrieval.shared import STATE, TWO, mixed, stored, weights_of
from grader.exercises.stages import number, score, slip


def question(rng, n, d, beta):
    """A state near to one of several patterns, with grey pixels."""
    patterns = stored(rng, n, d)
    state = patterns[int(rng.integers(n))] * rng.uniform(0.2, 1.0, size=d)
    flipped = rng.permutation(d)[: d // 4]
    state[flipped] *= -1
    return {"state": state.round(1), "patterns": patterns, "beta": beta}


def is_attention(call, rng):
    while True:
        inputs = {
            "state": matrix(rng, 5, scale=0.5),
            "patterns": matrix(rng, 7, 5),
            "beta": float(rng.uniform(1.4, 2)),
        }
        if tells(hopfield_update, inputs, "last-missing", "first-missing", "cut-at-one"):
            break
    state, patterns, beta = inputs.values()
    gap = np.abs(call(state, patterns, beta) - context_vector(beta * state, patterns, patterns)).max()
    return None if gap < 1e-4 else f"for beta = {beta:.2f}, attention with K = V = patterns differs by {gap:.3g}"


def near_another(rng):
    """Stored patterns, of which each is like another, so that a small beta or the raw scores would mix them."""
    while True:
        patterns = stored(rng, 3, 11)
        scores = patterns @ patterns.T
        if np.sort(scores, axis=1)[:, -2].min() >= 5 and (np.sign(scores @ patterns) != patterns).any():
            return patterns


def stable_update(call, rng):
    patterns = near_another(rng)
    got = np.array([call(pattern, patterns, 300.0) for pattern in patterns])  # all: a loop may leave out any
    if not np.isfinite(got).all():
        return "with beta = 300 the result is NaN or infinite"
    return None if np.allclose(got, patterns, atol=1e-3) else "with beta = 300 a stored pattern does not stay"


@function(
    points=2,
    returns="state",
    cases=(
        Case(
            "3 patterns of five pixels",
            lambda rng: question(rng, 3, 5, 0.5),
            0.2,
            telling=("last-missing", "first-missing"),
        ),
        Case(
            "7 patterns of 13 pixels, beta below 1",
            lambda rng: question(rng, 7, 13, 0.2),
            0.2,
            telling=("last-missing", "first-missing"),
        ),
        Case(
            "5 patterns of five numbers",
            arrays(state=(5,), patterns=(square, 5), beta=(uniform, 1.5, 2.0)),
            0.15,
            telling=("best-only", "beta-forgotten", "scaled", "last-missing", "first-missing", "cut-at-one"),
        ),
        Case("the example of the task", example(state=STATE, patterns=TWO, beta=0.5), 0.05),
    ),
    properties=(
        Property("it is attention with keys = values = patterns and query beta times state", is_attention, 0.2),
        Property("beta = 300 works without overflow", stable_update, 0.1),
    ),
    mistakes="""
    beta-forgotten
    beta-divides
    beta-after
    beta-twice: beta counts twice -> Perhaps the state is multiplied by it, and `soft_lookup` multiplies by it again. ->
        Use it in one place.
    places-exchanged: state and patterns have changed places in a product or a call, or the patterns are transposed as
        keys -> The score of a pattern is the dot product of its *row* with the state. `soft_lookup` takes the query
        first, then the keys, a key in each row. -> The state asks, and the patterns, as they are, are asked.
    raw-scores
    classical: you mix the patterns by their raw scores, and round to ink and paper -> That is the classical network of
        1982. Many patterns with small scores add up and drown the right one. -> Turn the scores into weights first, and
        return the mixture as it is.
    ratio
    best-only
    signs: you round the new state to ink and paper -> The update itself leaves greys: they tell how sure the memory is,
        and the next update needs them. -> Return the mixture as it is.
    cut-at-one: you cut the new state off at -1 and 1 -> Patterns need not be ink and paper: their numbers can be
        larger. -> Return the mixture as it is.
    squashed: you put the new state through tanh -> The mixture is the new state; tanh makes all its pixels greyer. ->
        Return the mixture as it is.
    scaled
    added-to-input: you add the mixture to the old state -> The old state asks, but it is not kept: its wrong pixels
        have to go. -> Return the mixture alone.
    weights-returned
    no-maximum
    cosine
    minus: the scores have the wrong sign -> The pattern that matches worst would get the largest weight. -> A larger
        score means a better match; keep the sign.
    distance: you score by distance instead of by dot product -> Both agree only if all patterns have the same length.
        -> Use the dot products of the patterns with the state.
    distance-root
    powers-of-weights
    softmax-of-one
    equal-pixels: you count the pixels that are equal -> A grey pixel equals none, however near it comes. -> Use the dot
        products of the patterns with the state: they count greys, too.
    state-stays: what comes back is the state that was handed in -> Either nothing has been done to it, or the weights
        multiply the state itself: they sum to 1, and leave it as it is. -> What is mixed are the patterns.
    not-normalised
    softmax-late
    halved
    beta-at-least
    exponent-capped
    uniform
    averaged-again
    several-updates=: you make several updates, not one -> One step is asked for: `recall` repeats it. -> No loop here,
        over steps.
    two-updates: you make two updates, not one -> One step is asked for: `recall` repeats it. -> Return what the first
        update gives.
    until-still: you go on until nothing changes -> One step is asked for: `recall` repeats it. -> No loop here, over
        steps.
    blended: the new state is half the old one -> The old state asks, but it is not kept: its wrong pixels have to go.
        -> Return the mixture alone.
    two-only
    three-only
    last-only
    first-only
    last-missing
    first-missing
    """,
)
def hopfield_update(state, patterns, beta, wrong=frozenset()):
    """One update of a modern Hopfield network, with mistakes as switches."""
    state, patterns = np.asarray(state, dtype=float), np.asarray(patterns, dtype=float)
    if "state-stays" in wrong:
        return state
    if "places-exchanged" in wrong:
        return weights_of(state @ patterns, beta, wrong) @ patterns
    if "beta-twice" in wrong:
        beta = beta**2
    if "classical" in wrong:
        return np.sign(patterns.T @ (patterns @ state))
    rounds = slip(wrong, {"two-updates": 2, "until-still": 60}, 1)
    rounds = int(min(number(wrong, "several-updates", 10) or rounds, 200))
    new = state
    for _ in range(rounds):
        scores = score(new[None], patterns, wrong)[0]
        if "distance-root" in wrong:
            scores = -np.linalg.norm(patterns - new, axis=-1)
        if "equal-pixels" in wrong:
            scores = (patterns == new).sum(axis=-1).astype(float)
        weights = weights_of(-scores if "minus" in wrong else scores, beta, wrong)
        new = mixed(weights, patterns, wrong)
    if "weights-returned" in wrong:
        return weights
    of_old = {
        "cut-at-one": np.clip(new, -1, 1),
        "squashed": np.tanh(new),
        "added-to-input": new + state,
        "blended": (new + state) / 2,
        "averaged-again": new / len(patterns),
    }
    new = slip(wrong, of_old, new)
    return np.where(new >= 0, 1.0, -1.0) if "signs" in wrong else new
