import numpy as np

from grader.exercises.kinds import Entry, values
from grader.exercises.stages import divisor, mix, score, weigh

PLAYING_Q = np.array([[0.212, 0.04, 0.63, 0.36], [0.1, 0.14, 0.86, 0.77]])
PLAYING_K = np.array([[0.31, 0.84, 0.963, 0.57], [0.45, 0.94, 0.73, 0.58]])
PLAYING_V = np.array([[0.36, 0.83, 0.1, 0.38], [0.31, 0.36, 0.19, 0.72]])


def _rounded_on_the_way(decimals):
    scores = (PLAYING_Q @ PLAYING_K.T).round(decimals)
    scaled = (scores / 2).round(decimals)
    weights = weigh(scaled, set()).round(decimals)
    contexts = (weights @ PLAYING_V).round(decimals)
    return {"scores": scores, "scaled": scaled, "weights": weights, "contexts": contexts}


@values(
    points=4,
    task='compute "Playing Outside" in full',
    entries=(
        Entry("scores", "the scores, (2, 2)", 0.25),
        Entry("scaled", "the scaled scores, (2, 2)", 0.25),
        Entry("weights", "the weights, (2, 2)", 0.25),
        Entry("contexts", "the context vectors, (2, 4)", 0.25),
    ),
    mistakes="""
    no-scale: the scaled scores are the scores themselves -> Part 3 divides by the square root of d_k before the
        softmax. -> How many numbers does a key have? Take the square root of that.
    by-d_k
    by-sqrt-keys: you divided by the square root of 2 -> There are two tokens, and the keys of the head before had two
        numbers. These have four, and it is those that a dot product adds up. -> Use the last axis of PK.
    unscaled-softmax: you scaled the scores, but took the softmax of the unscaled ones -> The result of the division has
        to be used. -> Hand `scaled` to the softmax.
    queries-alone: your scores compare queries with queries -> A query says what is looked for; what a token is found by
        is its key. -> The second factor is made of the keys.
    keys-alone: your scores compare keys with keys -> What a token looks for is its query. -> The first factor is made
        of the queries.
    keys-ask: rows and columns of the scores have changed places -> The row of a score is the token that asks. -> Q
        stands on the left of the product.
    columns
    softmax-twice
    ratio: you divided the scores by their sum instead of taking a softmax -> It looks plausible here, because all
        scores are positive. Part 1 showed what happens when they are not. -> Use `softmax`.
    times-sqrt-d_k
    whole-matrix
    sum-of-all
    scaled-weights
    keys-mixed
    queries-mixed: you average the queries instead of the values -> A query says what is looked for; the value is what
        is found. -> Use Q and K for the scores only, and V for the mix.
    scores-mixed: you mix the values with the scaled scores -> A context is an average: its weights are positive and sum
        to 1. -> Use the result of the softmax.
    weights-transposed
    rounded-to-one: you round to one decimal, step by step -> What is rounded on the way is missing in all that comes of
        it. -> Keep all digits to the end; then three decimals at least.
    rounded-to-two: you round to two decimals, step by step -> What is rounded on the way is missing in all that comes
        of it. -> Keep all digits to the end; then three decimals at least.
    """,
)
def playing_outside(wrong=frozenset()):
    """The steps of "Playing Outside", with mistakes as switches."""
    asks = PLAYING_K if "keys-alone" in wrong else PLAYING_Q
    scores = score(asks, PLAYING_Q if "queries-alone" in wrong else PLAYING_K, wrong)
    if wrong & {"rounded-to-one", "rounded-to-two"}:
        return _rounded_on_the_way(1 if "rounded-to-one" in wrong else 2)
    scaled = scores / divisor(PLAYING_Q, PLAYING_K, PLAYING_V, wrong)
    if "scaled-weights" in wrong:
        weights = weigh(scores, wrong, by=2.0)
    else:
        weights = weigh(scores if "unscaled-softmax" in wrong else scaled, wrong)
    mixed = PLAYING_Q if "queries-mixed" in wrong else PLAYING_V
    contexts = mix(scaled if "scores-mixed" in wrong else weights, PLAYING_K, mixed, wrong)
    return {"scores": scores, "scaled": scaled, "weights": weights, "contexts": contexts}
