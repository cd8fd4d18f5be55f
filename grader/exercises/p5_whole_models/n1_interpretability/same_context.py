import numpy as np

from grader.exercises.inputs import point
from grader.exercises.kinds import Property, search

V = np.array([[0.0, 0.0], [4.0, 0.0], [0.0, 4.0], [2.0, 2.0], [1.0, 2.0]])
GIVEN = np.array([0.1, 0.5, 0.1, 0.15, 0.15])
TOP, AHEAD, NEAR = 1, 0.02, 1e-3


def is_a_distribution(w):
    return bool(w.min() >= -1e-9 and abs(w.sum() - 1) < NEAR)


def off(w):
    """How far the context is from the given one, in its worst number."""
    return float(np.abs((w - GIVEN) @ V).max())


def ahead(w):
    """How far the best of the other tokens is ahead of the one that had the most weight."""
    return float(np.delete(w, TOP).max() - w[TOP])


def are_weights(w):
    if w.min() < -1e-9:
        return f"the smallest number is {w.min():.4g}"
    return None if abs(w.sum() - 1) < NEAR else f"they sum to {w.sum():.5g}"


def does_it(w):
    if off(w) > NEAR:
        got = (w @ V).round(3).tolist()
        return f"the context is {got}, not {(GIVEN @ V).round(3).tolist()}"
    if ahead(w) >= AHEAD - 1e-9:
        return None
    lead = ahead(w)
    return (
        f"the best of the other tokens has {abs(lead):.3g} {'less' if lead < 0 else 'more'} than token 2; "
        f"it has to have at least {AHEAD} more"
    )


@search(
    points=2,
    task="find other weights with the same context",
    properties=(
        Property("no number is negative, and their sum is 1", are_weights, 0.0),
        Property("the context is the same, and another token has the most weight", does_it, 1.0),
    ),
    shows={
        "the-same": lambda w: bool(np.abs(w - GIVEN).max() < NEAR),
        "negative-and-sum": lambda w: w.min() < -1e-9 and abs(w.sum() - 1) >= NEAR,
        "negative": lambda w: bool(w.min() < -1e-9),
        "sum-not-1": lambda w: abs(w.sum() - 1) >= NEAR and off(w) <= NEAR,
        "no-weights": lambda w: abs(w.sum() - 1) >= NEAR,
        "rearranged": lambda w: bool(np.abs(np.sort(w) - np.sort(GIVEN)).max() < NEAR) and off(w) > NEAR,
        "rounded": lambda w: NEAR < off(w) < 0.02,
        "first-number-only": lambda w: abs((w - GIVEN) @ V[:, 0]) <= NEAR < off(w),
        "second-number-only": lambda w: abs((w - GIVEN) @ V[:, 1]) <= NEAR < off(w),
        "other-context": lambda w: off(w) >= 0.02,
        "same-top": lambda w: ahead(w) < -0.005,
        "tie": lambda w: ahead(w) < AHEAD - 1e-9,
    },
    mistakes="""
    the-same: these are the weights of the table -> They give the same context, of course; asked are other ones. -> Move
        weight so that what one number of the context loses it gains elsewhere.
    negative-and-sum: these are no weights: one of them is negative, and their sum is not 1 -> A softmax gives neither.
        -> Three sums have to stay: both numbers of the context, and the sum of the weights.
    negative: a weight is negative -> A softmax never gives one. -> Go less far in the same direction, or in another
        one.
    sum-not-1: the context is the same, but the weights do not sum to 1 -> Token 1 has the value [0, 0]: with it one can
        mend the sum and leave the context as it is. -> Give it what is missing, or take from it.
    no-weights: these numbers do not sum to 1 -> A softmax always does. -> Three sums have to stay: both numbers of the
        context, and the sum of the weights.
    rearranged: these are the same weights in another order -> The context changes with them. -> Compute it: weights
        times values.
    rounded: the context is nearly the same, but not within 0.001 -> Rounded numbers, perhaps. -> More decimals, or
        round first and mend the sums then.
    first-number-only: the first number of the context is right, the second is not -> Both have to stay. -> Three sums:
        both numbers of the context, and the sum of the weights.
    second-number-only: the second number of the context is right, the first is not -> Both have to stay. -> Three sums:
        both numbers of the context, and the sum of the weights.
    other-context: these weights give another context -> Three sums have to stay: both numbers of the context, and the
        sum of the weights. Five numbers leave room for that. -> Compute them before you check: which is off?
    same-top: the context is the same, and token 2 still has the most weight -> A heat map would still name it first. ->
        Go further in the same direction: which token lies where its value can be had from others?
    tie: another token is level with token 2 or hardly ahead -> The task asks for 0.02. -> Go a little further in the
        same direction.
    """,
)
def same_context(value):
    """Weights of shape (5,); raises ValueError in words."""
    return point(value, 5, wanted="a list of five numbers, as [0.2, 0.2, 0.2, 0.2, 0.2]", whole="all five numbers")
