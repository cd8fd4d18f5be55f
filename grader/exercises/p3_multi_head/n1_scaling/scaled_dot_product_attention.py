import numpy as np

from grader.exercises.inputs import arrays, far_apart, matrix, tenths
from grader.exercises.kinds import Case, Property, function
from grader.exercises.properties import order_is_free, rows_sum_to_one
from grader.exercises.stages import divisor, mix, score, slip, weigh


def qkv(rng, n_queries, n_keys, d_k, d_v, scale=1.0):
    return {
        "Q": matrix(rng, n_queries, d_k, scale=scale),
        "K": matrix(rng, n_keys, d_k, scale=scale),
        "V": matrix(rng, n_keys, d_v, scale=2.0),
    }


def the_example(rng):
    return {"Q": np.array([[1.0, 0.0]]), "K": np.eye(2), "V": np.array([[10.0], [20.0]])}


in_any_order = order_is_free(
    lambda rng: qkv(rng, 3, 7, 5, 2),
    "K V",
    "another order of the keys, and of the values with them, gives another context",
)


def large(rng):
    """Scores of some 100,000, of which the best takes all the weight at any usual scale."""
    direction = matrix(rng, 7)
    direction *= 7**0.25 / np.linalg.norm(direction)  # scaled scores are products of the two lengths
    return {
        "Q": np.outer(far_apart(rng, 3), direction),
        "K": np.outer(far_apart(rng, 5), direction),
        "V": matrix(rng, 5, 2, scale=2.0),
    }


def two_levels(rng):
    """Scores that lie far apart from row to row, and within a row close together."""
    # The product of the direction with itself is 3, the root of its width, and `float32` rounds nothing of a score.
    direction = rng.permutation([1.0] + [0.5] * 8) * rng.choice([1.0, -1.0], size=9)
    return {
        "Q": np.outer([1.0, -1.0], direction),
        "K": np.outer(400 + rng.permutation(np.arange(-12, 13))[:5] / 8, direction),
        "V": matrix(rng, 5, 2, scale=2.0),
    }


@function(
    points=4,
    returns=("context", "weights"),
    cases=(
        Case("two queries, five keys, d_k = 3", arrays(tenths, Q=(2, 3), K=(5, 3), V=(5, 7)), 0.25),
        Case("three queries, eleven keys, d_k = 7", lambda rng: qkv(rng, 3, 11, 7, 5), 0.15),
        Case("as many queries as keys as dimensions", lambda rng: qkv(rng, 5, 5, 5, 5), 0.1),
        Case("the example of the task", the_example, 0.1),
        Case("one query with scores near 400, one near -400", two_levels, 0.05),
        Case("stable for scores of some 100,000", large, 0.1),
    ),
    properties=(
        Property(
            "each row of the weights sums to 1",
            rows_sum_to_one(lambda rng: qkv(rng, 3, 5, 7, 2), "a row sums to {total}"),
            0.05,
        ),
        Property("the order of the keys, with their values, does not matter", in_any_order, 0.1),
    ),
    mistakes="""
    no-scale: the scores are not scaled -> In many dimensions they lie far apart, softmax saturates, and its gradient
        vanishes. -> Divide the scores before the softmax.
    by-d_k: your scores are divided by d_k instead of its square root -> In many dimensions they then shrink to nothing,
        and all keys weigh the same. Twice by the square root is once by d_k. -> The spread grows like a square root, so
        that is what undoes it, once.
    times-sqrt-d_k
    by-sqrt-keys
    by-sqrt-queries
    by-sqrt-d_v
    left-over-d: the width comes from a variable outside the function -> After the experiments `d_k` still holds 2048:
        right only for vectors of so many numbers. -> Read the width off the arguments, by `.shape`.
    always-512: you divide by the square root of 512, whatever the width is -> 512 is the width of the experiment in
        section 6. Other queries have another number of coordinates. -> Read the width off the arguments, by `.shape`.
    always-64: you divide by 8, the square root of 64, whatever the width is -> 64 is the width that many models have.
        Other queries have another number of coordinates. -> Read the width off the arguments, by `.shape`.
    always-2: you divide by the square root of 2, whatever the width is -> 2 is the width of the example. Other queries
        have another number of coordinates. -> Read the width off the arguments, by `.shape`.
    by-half-d_k
    by-twice-d_k
    by-sqrt-twice-d_k
    by-whole-root
    floored
    row-deviation: each row of scores is divided by its own spread -> The root of d_k brings the variance to 1 in
        general, whatever was drawn; a row whose scores lie close together is to stay undecided. -> Divide all scores by
        the same number, the square root of d_k.
    softmax-twice
    scaled-weights
    cosine
    best-only
    clipped
    columns
    whole-matrix
    sum-of-all
    global-maximum
    no-maximum
    scores-returned: you return the scores in place of the weights -> The second result is what the values were mixed
        with: after the softmax. -> Keep the result of the softmax in a variable, and return that.
    """,
)
def scaled_dot_product_attention(Q, K, V, wrong=frozenset()):
    """Scaled dot-product attention, with mistakes as switches."""
    Q, K, V = (np.asarray(array, dtype=float) for array in (Q, K, V))
    fixed = {f"always-{width}": np.sqrt(width) for width in (512, 64, 2)}
    scores = score(Q, K, wrong)
    fixed["row-deviation"] = scores.std(axis=-1, keepdims=True)
    by = slip(wrong, fixed, divisor(Q, K, V, wrong))
    weights = weigh(scores, wrong, by)
    context = mix(weights, K, V, wrong)
    return context, scores / by if "scores-returned" in wrong else weights
