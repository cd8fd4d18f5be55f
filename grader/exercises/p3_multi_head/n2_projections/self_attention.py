import numpy as np

from grader.exercises.inputs import far_apart, matrix, tenths
from grader.exercises.kinds import Case, Property, function
from grader.exercises.p3_multi_head.n2_projections.shared import all_square, projected
from grader.exercises.properties import rows_sum_to_one
from grader.exercises.stages import divisor, mix, score, slip, weigh


def the_example(rng):
    W_q, W_k, W_v = np.diag([1.0, 2.0]), np.array([[1.0, 1.0], [0.0, 1.0]]), np.array([[1.0, 2.0], [3.0, 4.0]])
    return {"X": np.eye(2), "W_q": W_q, "W_k": W_k, "W_v": W_v}


def large(rng):
    """Scores of some 100,000, of which the best takes all the weight at any usual scale."""
    x, W_q = matrix(rng, 3), matrix(rng, 3, 7)
    q = x @ W_q
    W_k = np.sqrt(7) * np.outer(x, q) / (x @ x) / (q @ q)  # the scores are the products of what x is multiplied with
    return {"X": np.outer(far_apart(rng, 5), x), "W_q": W_q, "W_k": W_k, "W_v": matrix(rng, 3, 2)}


UNEVEN = "a row of the weights does not sum to 1"


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
        Case("two tokens, 3 dimensions to 5", lambda rng: projected(rng, 2, 3, 5, 4, tenths), 0.2),
        Case("seven tokens, 5 dimensions to 2", lambda rng: projected(rng, 7, 5, 2, 3), 0.2),
        Case("a projection that is larger than the embedding", lambda rng: projected(rng, 5, 2, 7, 3), 0.1),
        Case("all sizes equal", lambda rng: all_square(rng, 5), 0.1),
        Case("the example of the task", the_example, 0.05),
        Case("scores of some 100,000", large, 0.1, telling=("always-causal", "diagonal-masked")),
    ),
    properties=(
        Property(
            "each row of the weights sums to 1", rows_sum_to_one(lambda rng: projected(rng, 7, 5, 3, 2), UNEVEN), 0.05
        ),
        Property("shuffling the tokens shuffles the context vectors", order_does_not_matter, 0.1),
    ),
    mistakes="""
    no-scale
    by-d_k
    by-half-d_k
    by-twice-d_k
    by-sqrt-2: you divide by the square root of 2, whatever d_k is -> 2 was the d_k of the head in the notebook. -> Read
        the width off Q or K.
    by-sqrt-d_model: you divide by the square root of d_model instead of d_k -> Queries and keys have d_k numbers each:
        that many products are added up in a score. -> Read the dimension off Q or K, not off X.
    by-sqrt-d_v
    by-log-d_k: you divide by the logarithm of d_k to base 2 -> For d_k = 4 and 16 that is the same number; for others
        it is not. -> Use the square root.
    by-sqrt-keys
    times-sqrt-d_k
    softmax-twice
    scaled-weights
    columns
    whole-matrix
    sum-of-all
    global-maximum
    no-maximum
    clipped
    floored
    by-whole-root
    by-sqrt-twice-d_k
    distance: the scores are squared distances with a minus sign, as in a bell curve of Part 2 -> Here a score is a dot
        product: a long key may score above the query itself. -> Multiply the queries by the transposed keys.
    distance-halved: the scores are half the squared distances with a minus sign, as in a bell curve of Part 2 -> Here a
        score is a dot product, divided by the root of d_k: a long key may score above the query itself. -> Multiply the
        queries by the transposed keys, and divide.
    keys-ask: keys ask and queries answer in your scores -> K Qᵀ is the transpose of Q Kᵀ. The shapes agree, because
        everything comes from one sequence: nothing complains. -> The rows of the scores belong to the queries, so Q
        stands on the left.
    same-matrix: queries and keys come from the same projection -> Then the scores are symmetric: two tokens always find
        each other equally relevant. -> Look at which matrix makes K.
    no-projection: the scores compare the embeddings themselves, not queries with keys -> W_q and W_k have no influence
        then, so nothing about relevance can be learned. -> Project first; the scores come from Q and K.
    embeddings-attend: the scores compare the embeddings themselves, not queries with keys (and are divided by the root
        of d_model) -> W_q and W_k have no influence then, so nothing about relevance can be learned. -> Project first;
        the scores come from Q and K.
    nothing-projected: the embeddings themselves are queries, keys and values -> None of the three matrices is used, so
        nothing can be learned. -> Project first.
    matrices-attend: queries, keys and values are the matrices themselves, and X is not used -> The matrices make the
        three roles out of X; they say nothing about this text alone. -> Multiply X by each of them first.
    mixes-embeddings: you mix the embeddings instead of the values -> W_v is left out: the context has d_model numbers a
        token instead of d_v. -> The weights multiply V.
    keys-mixed
    weights-transposed
    raw-scores: your weights are the scores, without a softmax -> Scores may be negative, and do not sum to 1. -> Take
        the softmax of each row before you mix.
    scores-mixed: you mix the values with the scores, not with the weights -> Scores may be negative, and do not sum to
        1. -> Mix with the same weights that you return.
    values-added: the values are added to the context -> A token hears itself as much as its own weight says, and no
        more; adding the token again comes in Part 4, and outside of this function. -> Return only what the weights mix.
    always-causal: no token sees those that come after it -> No mask was asked for: that is for texts that are still
        being written. -> Let every token look at all tokens.
    diagonal-masked: no token may attend to itself -> No mask was asked for: a token hears itself, too. -> Leave the
        diagonal of the scores as it is.
    last-term: a context is the last weighted value only -> `=` in a loop overwrites what was there; `+=` adds to it. ->
        Add up the weighted values of all tokens.
    own-value: each token's context is its own value: the weights are added up, but they all multiply the value of the
        token that asks -> The first place of a weight says who asks, the second who is heard. -> Which of the two
        belongs to the value?
    one-sum-for-all: all your contexts are alike: what all tokens hear, added up -> One array is changed in place, with
        `+=`, for every token: nobody sets it back, and all that was kept of it is the same array. -> Begin with a new
        array of zeros for each token.
    pair-in-pair: the first of your two results is a pair itself -> `scaled_dot_product_attention` returns context and
        weights together. Under one name, both are in it. -> Give each of the two a name of its own:
        `context, weights = ...`.
    """,
)
def self_attention(X, W_q, W_k, W_v, wrong=frozenset()):
    """Self-attention of one head, with mistakes as switches."""
    X, W_q, W_k, W_v = (np.asarray(a, dtype=float) for a in (X, W_q, W_k, W_v))
    if "same-matrix" in wrong:
        W_k = W_q
    Q, K, V = X @ W_q, X @ W_k, X @ W_v
    if "nothing-projected" in wrong:
        Q = K = V = X
    if "matrices-attend" in wrong:
        Q, K, V = W_q, W_k, W_v
    scores = X @ X.T if wrong & {"no-projection", "embeddings-attend"} else score(Q, K, wrong)
    by = np.sqrt(X.shape[-1]) if "embeddings-attend" in wrong else divisor(Q, K, V, wrong, d_model=X.shape[-1])
    if "distance-halved" in wrong:
        scores, by = score(Q, K, {"distance"}), 2.0
    if "always-causal" in wrong:
        scores = np.where(np.tri(len(X), dtype=bool), scores, -1e30)
    if "diagonal-masked" in wrong:
        scores = np.where(np.eye(len(X), dtype=bool), -1e30, scores)
    weights = weigh(scores, wrong, by)
    mixed = scores / by if "scores-mixed" in wrong else weights
    context = mix(mixed, K, X if "mixes-embeddings" in wrong else V, wrong)
    if "values-added" in wrong:
        context = context + V
    slips = {
        "last-term": lambda: weights[:, -1:] * V[-1],
        "own-value": lambda: weights.sum(axis=-1, keepdims=True) * V,
        "one-sum-for-all": lambda: np.broadcast_to(context.sum(axis=0), context.shape),
    }
    context = slip(wrong, slips, lambda: context)()
    return ((context, weights), weights) if "pair-in-pair" in wrong else (context, weights)
