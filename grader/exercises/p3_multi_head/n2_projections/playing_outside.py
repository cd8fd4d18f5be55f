import numpy as np

from grader.exercises.kinds import Entry, values
from grader.exercises.p3_multi_head.n2_projections.shared import rows_of_weights

PLAYING_Q = np.array([[0.212, 0.04, 0.63, 0.36], [0.1, 0.14, 0.86, 0.77]])
PLAYING_K = np.array([[0.31, 0.84, 0.963, 0.57], [0.45, 0.94, 0.73, 0.58]])
PLAYING_V = np.array([[0.36, 0.83, 0.1, 0.38], [0.31, 0.36, 0.19, 0.72]])


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
    no-scale: the scaled scores are the scores themselves
        Part 3 divides by the square root of d_k before the softmax. -> How many numbers does a key have? Take the
        square root of that.
    by-d_k: you divided by d_k instead of its square root
        The weights come out too flat. -> A key has d_k numbers. Take the square root of that.
    by-sqrt-n: you divided by the square root of the number of tokens
        There are two tokens, but a key has four numbers, and it is those that a dot product adds up. -> Use the last
        axis of K, not the first.
    unscaled-softmax: you scaled the scores, but took the softmax of the unscaled ones
        The result of the division has to be used. -> Hand `scaled` to the softmax.
    transposed: rows and columns of the scores have changed places
        The row of a score is the token that asks. -> Q stands on the left of the product.
    columns: you normalised down the columns
        Each row belongs to one query and must sum to 1. -> Use `softmax`: it works along the last axis.
    ratio: you divided the scores by their sum instead of taking a softmax
        It looks plausible here, because all scores are positive. Part 1 showed what happens when they are not. -> Use
        `softmax`.
    mixes-keys: you mixed the keys instead of the values
        A key is what a token is found by; the value is what it says. -> Multiply the weights with V.
    transposed-weights: the weights are transposed when they mix the values
        The shares of one context vector then come from two different queries and do not sum to 1. -> A row of weights
        times V: no transpose.
    """,
)
def playing_outside(wrong=frozenset()):
    """The steps of "Playing Outside", with mistakes as switches."""
    scores = PLAYING_K @ PLAYING_Q.T if "transposed" in wrong else PLAYING_Q @ PLAYING_K.T
    if "no-scale" in wrong:
        scaled = scores
    elif "by-d_k" in wrong:
        scaled = scores / 4
    elif "by-sqrt-n" in wrong:
        scaled = scores / np.sqrt(2)
    else:
        scaled = scores / 2
    weights = rows_of_weights(scaled, axis=0 if "columns" in wrong else -1)
    if "unscaled-softmax" in wrong:
        weights = rows_of_weights(scores)
    if "ratio" in wrong:
        weights = scaled / scaled.sum(axis=-1, keepdims=True)
    contexts = weights @ (PLAYING_K if "mixes-keys" in wrong else PLAYING_V)
    if "transposed-weights" in wrong:
        contexts = weights.T @ PLAYING_V
    return {"scores": scores, "scaled": scaled, "weights": weights, "contexts": contexts}
