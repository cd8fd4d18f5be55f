import numpy as np

from grader.exercises.inputs import tenths
from grader.exercises.kinds import Case, Property, function
from grader.exercises.p3_multi_head.n2_projections.shared import all_square, projected, rows_of_weights


def rows_sum_to_one(call, rng):
    _, weights = call(*projected(rng, 7, 5, 3, 2).values())
    worst = np.abs(weights.sum(axis=-1) - 1).max()
    return None if worst < 1e-3 else "a row of the weights does not sum to 1"


def order_does_not_matter(call, rng):
    inputs = projected(rng, 5, 3, 2, 7)
    X, matrices = inputs.pop("X"), inputs.values()
    order = np.roll(np.arange(5), 2)
    context, _ = call(X, *matrices)
    shuffled, _ = call(X[order], *matrices)
    if np.allclose(shuffled, context[order], atol=1e-3):
        return None
    return "when the tokens are shuffled, their context vectors are not the same ones, shuffled"


@function(
    points=4,
    returns=("context", "weights"),
    cases=(
        Case("two tokens, 4 dimensions to 3", lambda rng: projected(rng, 2, 4, 3, 5, tenths), 0.2),
        Case("seven tokens, 5 dimensions to 2", lambda rng: projected(rng, 7, 5, 2, 3), 0.25),
        Case("a projection that is larger than the embedding", lambda rng: projected(rng, 5, 2, 7, 3), 0.1),
        Case("all sizes equal", lambda rng: all_square(rng, 5), 0.1),
    ),
    properties=(
        Property("each row of the weights sums to 1", rows_sum_to_one, 0.1),
        Property("shuffling the tokens shuffles the context vectors", order_does_not_matter, 0.15),
    ),
    mistakes="""
    no-scale: the scores are not divided by the square root of d_k
        Scores grow with the dimension, and softmax saturates. Part 3 always scales. -> Divide the scores before the
        softmax. Which axis of which matrix tells d_k?
    by-d_k: you divide by d_k instead of its square root
        The standard deviation of a dot product grows with the square root of d_k. Dividing by d_k makes the weights too
        flat. -> Take the square root.
    half: you divide by half of d_k instead of its square root
        The two agree for d_k = 4 only, as in some published examples. -> Take the square root.
    by-sqrt-d_model: you divide by the square root of d_model instead of d_k
        Queries and keys have d_k numbers each: that many products are added up in a score. -> Read the dimension off Q
        or K, not off X.
    by-sqrt-n: you divide by the square root of the number of tokens
        A score adds up d_k products; how many tokens there are plays no part in it. -> Read the *last* axis of Q, not
        the first.
    multiplied: you multiply by the square root of d_k instead of dividing
        That makes large scores larger, and softmax saturates all the more. -> Divide.
    scaled-weights: you scale the weights, after the softmax
        Then the rows no longer sum to 1, and the weights are as sharp as before. -> Scale the scores, before the
        softmax.
    columns: you normalised down the columns (axis 0)
        Each row of the weights belongs to one query and must sum to 1. -> Use the softmax of Part 1: it works along the
        last axis.
    transposed-scores: keys ask and queries answer in your scores
        K Qᵀ is the transpose of Q Kᵀ. The shapes agree, because everything comes from one sequence: nothing complains.
        -> The rows of the scores belong to the queries, so Q stands on the left.
    same-matrix: queries and keys come from the same projection
        Then the scores are symmetric: two tokens always find each other equally relevant. -> Look at which matrix makes
        K.
    no-projection: the scores compare the embeddings themselves, not queries with keys
        W_q and W_k have no influence then, so nothing about relevance can be learned. -> Project first; the scores come
        from Q and K.
    mixes-embeddings: you mix the embeddings instead of the values
        W_v is left out: the context has d_model numbers a token instead of d_v. -> The weights multiply V.
    mixes-keys: you mix the keys instead of the values
        A key is what a token is found by, not what it says. -> The weights multiply V.
    columns-mixed: the weights are transposed when they mix the values
        Each context is then mixed with shares that do not sum to 1: those that one key gets from all queries. -> A row
        of weights times V: no transpose.
    """,
)
def self_attention(X, W_q, W_k, W_v, wrong=frozenset()):
    """Self-attention of one head, with mistakes as switches."""
    X, W_q, W_k, W_v = (np.asarray(a, dtype=float) for a in (X, W_q, W_k, W_v))
    if "same-matrix" in wrong:
        W_k = W_q
    Q, K, V = X @ W_q, X @ W_k, X @ W_v
    scores = K @ Q.T if "transposed-scores" in wrong else Q @ K.T
    if "no-projection" in wrong:
        scores = X @ X.T
    d_k = Q.shape[-1]
    scale = np.sqrt(d_k)
    if "no-scale" in wrong:
        scale = 1.0
    if "by-d_k" in wrong:
        scale = d_k
    if "half" in wrong:
        scale = d_k / 2
    if "by-sqrt-d_model" in wrong:
        scale = np.sqrt(X.shape[-1])
    if "by-sqrt-n" in wrong:
        scale = np.sqrt(len(X))
    if "multiplied" in wrong:
        scale = 1 / scale
    if "scaled-weights" in wrong:
        weights = rows_of_weights(scores) / scale
    else:
        weights = rows_of_weights(scores / scale, axis=0 if "columns" in wrong else -1)
    if "mixes-embeddings" in wrong:
        return weights @ X, weights
    if "mixes-keys" in wrong:
        return weights @ K, weights
    if "columns-mixed" in wrong:
        return weights.T @ V, weights
    return weights @ V, weights
