"""Part 3, notebook 1: why attention divides its scores by the square root of d_k."""

from functools import lru_cache

import numpy as np

from attnlib import softmax
from grader.exercise import Case, ChoiceExercise, FunctionExercise, Misconception, Part, Property, ValueExercise
from grader.exercises.inputs import matrix, moved, tenths

# ---------------------------------------------------------------- the prediction

predict_scaling = ChoiceExercise(
    id="predict-scaling",
    points=1,
    task="type the letter of your prediction",
    right="b",
    because={
        "a": "each of the 512 products has that size. Positive and negative ones cancel in the sum, but not "
        "completely: how far does a walk of 512 random steps end from where it began?",
        "b": "512 independent products of variance 1 have a sum of variance 512, so its typical size is the square "
        "root of 512, about 22.6. To softmax, a difference of 22.6 is a factor of several thousand million.",
        "c": "that would need all 512 products to have the same sign. They are positive and negative by chance, "
        "so many of them cancel.",
        "d": "the mean is zero, but a single dot product hardly ever is: the products do not cancel exactly. "
        "What adds up for independent numbers, if not the numbers themselves?",
    },
)


# ---------------------------------------------------------------- variance-experiment

DIMENSIONS = (2, 8, 32, 128, 512, 2048)


def draw(d_k, n=500):
    """The notebook's own sample: n queries and n keys, the same on every call."""
    rng = np.random.default_rng(d_k + 1)
    return rng.normal(size=(n, d_k)), rng.normal(size=(n, d_k))


@lru_cache(maxsize=1)  # the large samples take a while, and a check should not
def paired_scores():
    """The 500 dot products of pairs for each dimension."""
    return {d_k: np.einsum("nd,nd->n", *draw(d_k)) for d_k in DIMENSIONS}


@lru_cache(maxsize=1)
def spreads_of_all_pairs():
    """Standard deviation of the dot products of every query with every key, for each dimension."""
    return {d_k: np.dot(Q, K.T).std() for d_k in DIMENSIONS for Q, K in [draw(d_k)]}


def spreads(scaled, wrong=frozenset()):
    """Standard deviation of the scores for each dimension, with mistakes as switches."""
    found = []
    for d_k, scores in paired_scores().items():
        if "theory" in wrong:
            scores = scores / scores.std() * np.sqrt(d_k)
        divisor = np.sqrt(d_k)
        if "divided-by-d" in wrong:
            divisor = d_k
        if "largest-d" in wrong:
            divisor = np.sqrt(DIMENSIONS[-1])
        if "never-scaled" in wrong:
            divisor = 1.0
        scores = scores / divisor if scaled else scores
        if "mean" in wrong:
            found.append(scores.mean())
        elif "all-pairs" in wrong:
            found.append(spreads_of_all_pairs()[d_k] / (divisor if scaled else 1.0))
        elif "sample-deviation" in wrong:
            found.append(scores.std(ddof=1))
        elif "mean-size" in wrong:
            found.append(np.abs(scores).mean())
        else:
            found.append(scores.var() if "variance" in wrong else scores.std())
    return np.array(found)


variance_experiment = ValueExercise(
    id="variance-experiment",
    points=2,
    task='fill both lists of the dict, "unscaled" and "scaled"',
    parts=(
        Part("unscaled", "the spread of the plain scores", lambda wrong=frozenset(): spreads(False, wrong), 0.5, 2),
        Part("scaled", "the spread of the scaled scores", lambda wrong=frozenset(): spreads(True, wrong), 0.5, 3),
    ),
    misconceptions=(
        Misconception(
            "variance",
            "these are variances, not standard deviations",
            "A variance is a squared size: it grows like d_k itself.",
            "Use `.std()`, or take the square root.",
        ),
        Misconception(
            "divided-by-d",
            "you divided the scores by d_k instead of its square root",
            "Then the spread shrinks as d_k grows: in the end all keys score the same.",
            "Divide by the square root.",
        ),
        Misconception(
            "largest-d",
            "you divided by the square root of 2048 for every dimension",
            "A variable left over from an earlier loop holds its last value.",
            "Take the d_k of this round of the loop.",
        ),
        Misconception(
            "never-scaled",
            "both lists hold the spread of the plain scores",
            "For the second list each score is divided before its spread is measured.",
            "Divide by the square root of d_k first.",
        ),
        Misconception(
            "theory",
            "you wrote down what the formula predicts",
            "An experiment that assumes its result cannot contradict it: measured numbers scatter a little.",
            "Compute the 500 dot products of the drawn pairs and measure their spread.",
        ),
        Misconception(
            "mean",
            "you took the mean of the scores instead of their spread",
            "The mean is near zero for every d_k: it does not tell how far the scores lie apart.",
            "Use `.std()`.",
        ),
        Misconception(
            "mean-size",
            "you took the mean absolute score instead of the standard deviation",
            "It grows in the same way, but is smaller by a fifth.",
            "Use `.std()`.",
        ),
        Misconception(
            "all-pairs",
            "you took the dot products of all pairs, 500 times 500 of them",
            "The task pairs query 1 with key 1, query 2 with key 2, and so on. "
            "All pairs scatter by nearly the same, but not exactly.",
            "Multiply the two arrays entry by entry, and add up each row.",
        ),
        Misconception(
            "sample-deviation",
            "you divided by 499 instead of 500 (`ddof=1`)",
            "That estimates the spread of a larger population; here the spread of these 500 numbers is asked for.",
            "Use `.std()` as it is.",
        ),
    ),
)


# ---------------------------------------------------------------- softmax_jacobian


def jacobian_model(p, wrong=frozenset()):
    """The Jacobian of softmax from its weights, with the mistakes that people make as switches."""
    p = np.asarray(p, dtype=float)
    if "softmax-again" in wrong:
        p = softmax(p)
    diagonal, outer = np.diag(p), np.outer(p, p)
    if "sigmoid" in wrong:
        return np.diag(p * (1 - p))
    if "one-row" in wrong:
        return p * (1 - p)
    if "inner-product" in wrong:
        outer = p @ p
    if "row-broadcast" in wrong:
        outer = p * p
    if "identity" in wrong:
        diagonal = np.eye(len(p))
    if "no-diagonal" in wrong:
        diagonal = np.zeros_like(outer)
    if "plus" in wrong:
        return diagonal + outer
    return outer - diagonal if "sign" in wrong else diagonal - outer


def weights_row(rng, n):
    """A row of n positive weights, in hundredths where there are few, that sum to 1."""
    p = rng.dirichlet(np.full(n, 3.0))
    if n < 5:
        p = np.maximum(p.round(2), 0.05)
        p[-1] = 0
        p = np.append(p[:-1], 1 - p[:-1].sum()) if p.sum() < 0.95 else np.array([0.2, 0.3, 0.5])
    return p


def rows_sum_to_zero(call, rng):
    total = call(weights_row(rng, 7)).sum(axis=-1)
    return None if np.abs(total).max() < 1e-4 else f"a row sums to {total[0]:.4g}"


def tells_small_changes(call, rng):
    scores = rng.permutation([-1.0, -0.5, 0.0, 0.5, 1.0]) + matrix(rng, 5, scale=0.1)  # no weight near 0
    p = softmax(scores)
    step = 1e-4 * rng.permutation([-3, -1, 1, 2, 4])
    moved = softmax(scores + step) - p
    told = call(p) @ step
    return None if np.abs(told - moved).max() < 1e-6 else "a small step of the scores moves the weights otherwise"


softmax_jacobian = FunctionExercise(
    id="softmax_jacobian",
    points=3,
    task="write `softmax_jacobian(p)`",
    model=jacobian_model,
    returns="jacobian",
    cases=(
        Case("three weights", lambda rng: {"p": weights_row(rng, 3)}, 0.3),
        Case("seven weights", lambda rng: {"p": weights_row(rng, 7)}, 0.2),
        Case("all weight on one key", lambda rng: {"p": np.eye(5)[int(rng.integers(5))]}, 0.1),
    ),
    properties=(
        Property("each row sums to 0: what one weight gains, others lose", rows_sum_to_zero, 0.1),
        Property("it tells what a small change of the scores does", tells_small_changes, 0.2),
    ),
    misconceptions=(
        Misconception(
            "sigmoid",
            "you filled the diagonal only, with p (1 - p)",
            "That is the derivative of one score alone. But a higher score of one key takes weight from all others.",
            "The entries off the diagonal are minus the product of two weights.",
        ),
        Misconception(
            "one-row",
            "you return one number for each weight, p (1 - p)",
            "There are n weights and n scores, so n times n derivatives.",
            "Make a matrix: row i, column j tells how weight i answers score j.",
        ),
        Misconception(
            "inner-product",
            "`p @ p` of two flat arrays is one number, their dot product",
            "For a row of shape (n,) a transpose does nothing, so no outer product comes out.",
            "All products of two weights: look at `np.outer`, or give p a second axis.",
        ),
        Misconception(
            "row-broadcast",
            "`p * p` multiplies each weight with itself only",
            "The squares are then spread over the rows, and the matrix is not symmetric.",
            "All products of two weights: look at `np.outer`, or give one p a second axis.",
        ),
        Misconception(
            "identity",
            "there is a 1 on the diagonal in place of the weight",
            "A weight near 0 would then answer its own score most strongly; in truth it hardly moves.",
            "Put p itself on the diagonal, before you subtract.",
        ),
        Misconception(
            "no-diagonal",
            "the diagonal term is missing",
            "Then no weight would ever grow with its own score.",
            "Add the weights on the diagonal.",
        ),
        Misconception(
            "plus",
            "you added the products instead of taking them off",
            "A row must sum to 0, because the weights always sum to 1.",
            "Subtract.",
        ),
        Misconception(
            "sign",
            "all signs are turned round",
            "A weight grows with its own score: the diagonal is positive.",
            "Subtract in the other order.",
        ),
        Misconception(
            "softmax-again",
            "you took the softmax of p, but p is already a row of weights",
            "The second softmax flattens the weights, and its derivative is another one.",
            "Use p as it comes.",
        ),
    ),
)


# ---------------------------------------------------------------- vanishing-gradient

GRADIENT_DIMENSION, GRADIENT_QUERIES, GRADIENT_KEYS = 512, 100, 8


def mean_gradient(scaled, wrong=frozenset()):
    """Mean over the queries of the largest entry of the Jacobian, with mistakes as switches."""
    Q, K = draw(GRADIENT_DIMENSION)
    scores = Q[:GRADIENT_QUERIES] @ K[:GRADIENT_KEYS].T
    if scaled and "never-scaled" not in wrong:
        scores = scores / (GRADIENT_DIMENSION if "divided-by-d" in wrong else np.sqrt(GRADIENT_DIMENSION))
    weights = softmax(scores.T).T if "columns" in wrong else softmax(scores)
    if "weights-only" in wrong:
        return float(weights.max(axis=-1).mean())
    jacobians = np.array([jacobian_model(p) for p in weights])
    if "mean-entry" in wrong:
        return float(np.abs(jacobians).mean())
    largest = jacobians.max(axis=(-2, -1))
    return float(largest.max() if "largest-of-all" in wrong else largest.mean())


vanishing_gradient = ValueExercise(
    id="vanishing-gradient",
    points=2,
    task='fill the dict with the two means, "unscaled" and "scaled"',
    parts=(
        Part("unscaled", "the mean without scaling", lambda wrong=frozenset(): mean_gradient(False, wrong), 0.5, 3),
        Part("scaled", "the mean with scaling", lambda wrong=frozenset(): mean_gradient(True, wrong), 0.5, 3),
    ),
    misconceptions=(
        Misconception(
            "never-scaled",
            "both numbers are those of the plain scores",
            "The second number needs scores that were divided before the softmax.",
            "Divide the scores by the square root of d_k.",
        ),
        Misconception(
            "divided-by-d",
            "you divided by d_k instead of its square root",
            "The weights are then nearly equal, whatever the query asks.",
            "Divide by the square root.",
        ),
        Misconception(
            "columns",
            "you normalised down the columns",
            "The 100 queries then compete for each key, instead of the 8 keys for each query.",
            "Use `softmax`, which works row by row, on scores of shape (100, 8).",
        ),
        Misconception(
            "weights-only",
            "you averaged the largest weights, not the largest entries of the Jacobians",
            "A weight says who is listened to; the Jacobian says how much that can still change.",
            "Make a Jacobian of each row of weights, and take its largest entry.",
        ),
        Misconception(
            "mean-entry",
            "you averaged all entries instead of the largest one of each query",
            "Most entries are small in any case, so the mean hides what happens.",
            "One number for each query first: the largest entry. Then the mean of these.",
        ),
        Misconception(
            "largest-of-all",
            "you took the largest entry of all queries together",
            "Among 100 queries there is always one that is still undecided.",
            "One number for each query first, then their mean.",
        ),
    ),
)


# ---------------------------------------------------------------- scaled_dot_product_attention

LEFT_OVER = 2048  # what d_k holds after the loops of the notebook


def divisors(Q, K, V):
    """What the scores are divided by, for each mistake about the scale."""
    d_k = Q.shape[-1]
    return {
        "no-scale": 1.0,
        "divided-by-d": d_k,
        "multiplied": 1 / np.sqrt(d_k),
        "number-of-keys": np.sqrt(K.shape[0]),
        "number-of-queries": np.sqrt(Q.shape[0]),
        "width-of-values": np.sqrt(V.shape[-1]),
        "left-over-d": np.sqrt(LEFT_OVER),
        "half": d_k / 2,
        "logarithm": np.log2(d_k),
    }


def attention_model(Q, K, V, wrong=frozenset()):
    """Scaled dot-product attention, with mistakes as switches."""
    Q, K, V = (np.asarray(array, dtype=float) for array in (Q, K, V))
    divisor = next((by for name, by in divisors(Q, K, V).items() if name in wrong), np.sqrt(Q.shape[-1]))
    scores = Q @ K.T
    if "scaled-after" in wrong:
        weights = softmax(scores) / np.sqrt(Q.shape[-1])
    elif "columns" in wrong:
        weights = softmax((scores / divisor).T).T
    elif "no-maximum" in wrong:
        powers = np.exp(scores / divisor)
        weights = powers / powers.sum(axis=-1, keepdims=True)
    else:
        weights = softmax(scores / divisor)
    context = weights @ V
    if "context-only" in wrong:
        return context
    if "scores-returned" in wrong:
        return context, scores / divisor
    return context, weights


def qkv(rng, n_queries, n_keys, d_k, d_v, scale=1.0):
    return {
        "Q": matrix(rng, n_queries, d_k, scale=scale),
        "K": matrix(rng, n_keys, d_k, scale=scale),
        "V": matrix(rng, n_keys, d_v, scale=2.0),
    }


def weights_sum_to_one(call, rng):
    _, weights = call(*qkv(rng, 3, 5, 7, 2).values())
    total = weights.sum(axis=-1)
    return None if np.abs(total - 1).max() < 1e-3 else f"a row sums to {total[0]:.4g}"


def order_of_keys_is_free(call, rng):
    Q, K, V = qkv(rng, 3, 7, 5, 2).values()
    order = moved(rng, 7)
    same = np.allclose(call(Q, K, V)[0], call(Q, K[order], V[order])[0], atol=1e-3)
    return None if same else "another order of the keys, and of the values with them, gives another context"


def large(rng):
    """Scores in the thousands, of which the best lies so far ahead that it takes all the weight at any usual scale."""
    while True:
        inputs = qkv(rng, 3, 5, 7, 2, scale=40.0)
        scores = np.sort(inputs["Q"] @ inputs["K"].T, axis=-1)
        best = scores[:, -1]
        if (best > 3000).all() and (best - scores[:, -2] > 900).all() and (best - scores.mean(axis=-1) > 2500).all():
            return inputs


def stable_when_large(call, rng):
    inputs = large(rng)
    context, _ = call(*inputs.values())
    if not np.isfinite(context).all():
        return "scores in the thousands give NaN or infinity"
    right = attention_model(*inputs.values())[0]
    return None if np.allclose(context, right, atol=1e-2) else "scores in the thousands give a wrong context"


scaled_dot_product_attention = FunctionExercise(
    id="scaled_dot_product_attention",
    points=4,
    task="write `scaled_dot_product_attention(Q, K, V)`",
    model=attention_model,
    returns=("context", "weights"),
    cases=(
        Case(
            "two queries, five keys, d_k = 3",
            lambda rng: {"Q": tenths(rng, 2, 3), "K": tenths(rng, 5, 3), "V": tenths(rng, 5, 7)},
            0.25,
        ),
        Case("three queries, eleven keys, d_k = 7", lambda rng: qkv(rng, 3, 11, 7, 5), 0.2),
        Case("as many queries as keys as dimensions", lambda rng: qkv(rng, 5, 5, 5, 5), 0.1),
        Case(
            "whole numbers",
            lambda rng: {
                "Q": rng.integers(-3, 4, size=(3, 5)),
                "K": rng.integers(-3, 4, size=(7, 5)),
                "V": rng.integers(-9, 10, size=(7, 2)),
            },
            0.1,
        ),
    ),
    properties=(
        Property("each row of the weights sums to 1", weights_sum_to_one, 0.05),
        Property("the order of the keys, with their values, does not matter", order_of_keys_is_free, 0.1),
        Property("stable for large scores", stable_when_large, 0.1),
    ),
    misconceptions=(
        Misconception(
            "no-scale",
            "the scores are not scaled",
            "In many dimensions they lie far apart, softmax saturates, and its gradient vanishes.",
            "Divide the scores before the softmax.",
        ),
        Misconception(
            "divided-by-d",
            "you divided by d_k instead of its square root",
            "In many dimensions the scores then shrink to nothing, and all keys weigh the same.",
            "The spread grows like a square root, so that is what undoes it.",
        ),
        Misconception(
            "multiplied",
            "you multiplied by the square root of d_k",
            "That makes the scores even larger, and softmax even more decided.",
            "Divide.",
        ),
        Misconception(
            "number-of-keys",
            "you took the square root of the number of keys",
            "How many keys there are does not change how large a score is; how long the vectors are does.",
            "Look at the last axis of Q or K, not at the first.",
        ),
        Misconception(
            "number-of-queries",
            "you took the square root of the number of queries",
            "A query's weights would then depend on how many others ask.",
            "Look at the last axis of Q, not at the first.",
        ),
        Misconception(
            "width-of-values",
            "you took the square root of the width of V",
            "The values have no part in the scores.",
            "The dot products run over the last axis of Q and K.",
        ),
        Misconception(
            "left-over-d",
            "the length comes from a variable outside the function",
            "After the experiments `d_k` still holds 2048: right only for vectors of that length.",
            "Read the length off the arguments, by `.shape`.",
        ),
        Misconception(
            "half",
            "you divided by half of d_k",
            "For d_k = 4 that is the same number; for no other it is.",
            "Use the square root.",
        ),
        Misconception(
            "logarithm",
            "you divided by the logarithm of d_k to base 2",
            "For d_k = 4 and 16 that is the same number; for others it is not.",
            "Use the square root.",
        ),
        Misconception(
            "scaled-after",
            "you scaled the weights, after the softmax",
            "Then their rows do not sum to 1, and they are as decided as before.",
            "Divide the scores, before the softmax.",
        ),
        Misconception(
            "columns",
            "you normalised down the columns (axis 0)",
            "Each row belongs to one query, and its weights must sum to 1.",
            "Use `softmax`, which works row by row.",
        ),
        Misconception(
            "no-maximum",
            "your softmax overflows for large scores",
            "exp(1000) is infinity, and infinity / infinity is NaN.",
            "Use `softmax` of Part 1, which takes each row's maximum off first.",
        ),
        Misconception(
            "context-only",
            "you return the context alone",
            "From Part 3 on the weights are returned too, because masks and pictures need them.",
            "Return both, the context first.",
        ),
        Misconception(
            "scores-returned",
            "you return the scores in place of the weights",
            "The second result is what the values were mixed with: after the softmax.",
            "Keep the result of the softmax in a variable, and return that.",
        ),
    ),
)


# ---------------------------------------------------------------- coincidence


def agreeing(first, second, wrong=frozenset()):
    """The whole numbers from 2 to 2048 at which two ways to scale agree, with mistakes as switches."""
    sizes = np.arange(2, 2049)
    found = sizes[np.isclose(first(sizes), second(sizes), rtol=1e-9, atol=0)].tolist()
    if "exponents" in wrong:
        return [int(np.log2(d)) for d in found]
    if "only-four" in wrong:
        return [4]
    if "without-two" in wrong:
        return [d for d in found if d > 2]
    if "without-sixteen" in wrong:
        return [d for d in found if d < 16]
    return found


def half(d):
    return d / 2


coincidence = ValueExercise(
    id="coincidence",
    points=2,
    task="fill the three lists of the dict",
    parts=(
        Part("half = sqrt", "d / 2 and sqrt(d)", lambda wrong=frozenset(): agreeing(half, np.sqrt, wrong), 0.3),
        Part("log2 = sqrt", "log2(d) and sqrt(d)", lambda wrong=frozenset(): agreeing(np.log2, np.sqrt, wrong), 0.4),
        Part("half = log2", "d / 2 and log2(d)", lambda wrong=frozenset(): agreeing(half, np.log2, wrong), 0.3),
    ),
    misconceptions=(
        Misconception(
            "only-four",
            "you stopped at the first agreement",
            "Two curves can cross more than once.",
            "Go through all whole numbers from 2 to 2048.",
        ),
        Misconception(
            "exponents",
            "you gave the exponents of the powers of two instead of the numbers themselves",
            "It is d_k that is asked for.",
            "Raise 2 to what you have.",
        ),
        Misconception(
            "without-two",
            "the smallest number is missing",
            "The range starts at 2, and there something agrees already.",
            "Include 2 in your loop.",
        ),
        Misconception(
            "without-sixteen",
            "one agreement further up is missing",
            "Two curves can cross more than once.",
            "Go through all whole numbers from 2 to 2048.",
        ),
    ),
)
