"""Part 3, notebook 2: three roles for every token."""

import numpy as np

from grader.exercise import Case, ChoiceExercise, FunctionExercise, Misconception, Part, Property, ValueExercise
from grader.exercises.inputs import matrix, square, tenths

# ---------------------------------------------------------------- the prediction

predict_projections = ChoiceExercise(
    id="predict-projections",
    points=1,
    task="type the letter of your prediction",
    right="d",
    because={
        "a": "a long embedding does raise scores. But the length of both tokens is in x_i . x_j, and in x_j . x_i. "
        "Swap i and j: does the number change?",
        "b": "softmax makes the *weights* differ from row to row, but it comes after the scores. Compare the two "
        "scores themselves.",
        "c": "the order of the words never enters a dot product. Look at what does: x_i . x_j.",
        "d": "without projections the score matrix is X Xᵀ, which is symmetric: x_i . x_j = x_j . x_i. With W_q and "
        "W_k it is X (W_q W_kᵀ) Xᵀ, and W_q W_kᵀ need not be symmetric.",
    },
)


# ---------------------------------------------------------------- project_qkv


def project_model(X, W_q, W_k, W_v, wrong=frozenset()):
    """Queries, keys and values, with the mistakes that people make as switches."""
    X, W_q, W_k, W_v = (np.asarray(a, dtype=float) for a in (X, W_q, W_k, W_v))
    if "same-matrix" in wrong:
        W_k = W_v = W_q
    if "keys-as-values" in wrong:
        W_v = W_k
    if "transposed-weights" in wrong:
        W_q, W_k, W_v = W_q.T, W_k.T, W_v.T
    if "weights-first" in wrong:
        return (W_q.T @ X.T, W_k.T @ X.T, W_v.T @ X.T)
    Q = X @ W_q
    K = (Q if "chained" in wrong else X) @ W_k
    V = (K if "chained" in wrong else X) @ W_v
    if "scaled" in wrong:
        Q, K = Q / np.sqrt(Q.shape[-1]), K / np.sqrt(K.shape[-1])
    if "normalised" in wrong:
        Q, K = (A / np.linalg.norm(A, axis=-1, keepdims=True) for A in (Q, K))
    if "keys-first" in wrong:
        return K, Q, V
    if "values-before-keys" in wrong:
        return Q, V, K
    return Q, K, V


def projected(rng, n, d_model, d_k, d_v, entries=matrix):
    """X and three projections."""
    return {
        "X": entries(rng, n, d_model),
        "W_q": entries(rng, d_model, d_k),
        "W_k": entries(rng, d_model, d_k),
        "W_v": entries(rng, d_model, d_v),
    }


def all_square(rng, n):
    return {"X": matrix(rng, n, n), **{name: square(rng, n) for name in ("W_q", "W_k", "W_v")}}


def each_token_alone(call, rng):
    inputs = projected(rng, 5, 3, 2, 7)
    X, weights = inputs.pop("X"), inputs.values()
    together = call(X, *weights)
    alone = call(X[2:3], *weights)
    same = all(np.allclose(one[0], all_[2], atol=1e-3) for one, all_ in zip(alone, together, strict=True))
    return None if same else "token 3 gets another row when it is projected alone"


project_qkv = FunctionExercise(
    id="project_qkv",
    points=2,
    task="write `project_qkv(X, W_q, W_k, W_v)`",
    model=project_model,
    returns=("Q", "K", "V"),
    cases=(
        Case("two tokens, 3 dimensions to 2", lambda rng: projected(rng, 2, 3, 2, 2, tenths), 0.2),
        Case("values of another dimension than keys", lambda rng: projected(rng, 7, 5, 3, 2), 0.25),
        Case("a projection that is larger than the embedding", lambda rng: projected(rng, 2, 3, 7, 5), 0.15),
        Case("all sizes equal", lambda rng: all_square(rng, 5), 0.15),
    ),
    properties=(Property("each token is projected by itself", each_token_alone, 0.15),),
    misconceptions=(
        Misconception(
            "same-matrix",
            "you use one matrix for all three roles",
            "Then every token asks, answers and says the same thing, and the scores are symmetric again.",
            "Give each role a matrix of its own.",
        ),
        Misconception(
            "keys-as-values",
            "your values are the keys once more",
            "By what a token is found and what it then says are two things. That is why there is a third matrix.",
            "Look at which matrix makes V.",
        ),
        Misconception(
            "transposed-weights",
            "you transpose the projections",
            "A projection has shape (d_model, d_k): one row for each number of an embedding. The transpose only fits "
            "where both sizes are equal, and there it gives other numbers without a word.",
            "Write the shapes under the product: (n, d_model) times (d_model, d_k).",
        ),
        Misconception(
            "weights-first",
            "your results have tokens as columns",
            "In this course a row is a token, in Q, K and V as in X.",
            "Put X on the left of the product, and nothing needs to be transposed.",
        ),
        Misconception(
            "chained",
            "you project the queries to get the keys, and the keys to get the values",
            "The three roles are made side by side, each from X. In a chain the shapes only fit if all sizes are "
            "equal.",
            "Start each of the three products from X.",
        ),
        Misconception(
            "scaled",
            "you divide by the square root of d_k here",
            "The scale belongs to the scores. Dividing queries and keys both divides the scores twice.",
            "Return the plain products.",
        ),
        Misconception(
            "normalised",
            "you bring queries and keys to length 1",
            "Then the scores are cosines. The lengths of queries and keys are part of what is learned.",
            "Return the plain products.",
        ),
        Misconception(
            "keys-first",
            "you return the keys where the queries belong",
            "Who asks and who answers change places, and the score matrix is transposed.",
            "Return in the order of the name: q, k, v.",
        ),
        Misconception(
            "values-before-keys",
            "you return the values before the keys",
            "Whoever unpacks the result compares queries with values and mixes the keys.",
            "Return in the order of the name: q, k, v.",
        ),
    ),
)


# ---------------------------------------------------------------- self_attention


def rows_of_weights(scores, axis=-1):
    powers = np.exp(scores - scores.max(axis=axis, keepdims=True))
    return powers / powers.sum(axis=axis, keepdims=True)


def self_attention_model(X, W_q, W_k, W_v, wrong=frozenset()):
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


self_attention = FunctionExercise(
    id="self_attention",
    points=4,
    task="write `self_attention(X, W_q, W_k, W_v)`",
    model=self_attention_model,
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
    misconceptions=(
        Misconception(
            "no-scale",
            "the scores are not divided by the square root of d_k",
            "Scores grow with the dimension, and softmax saturates. Part 3 always scales.",
            "Divide the scores before the softmax. Which axis of which matrix tells d_k?",
        ),
        Misconception(
            "by-d_k",
            "you divide by d_k instead of its square root",
            "The standard deviation of a dot product grows with the square root of d_k. Dividing by d_k makes the "
            "weights too flat.",
            "Take the square root.",
        ),
        Misconception(
            "half",
            "you divide by half of d_k instead of its square root",
            "The two agree for d_k = 4 only, as in some published examples.",
            "Take the square root.",
        ),
        Misconception(
            "by-sqrt-d_model",
            "you divide by the square root of d_model instead of d_k",
            "Queries and keys have d_k numbers each: that many products are added up in a score.",
            "Read the dimension off Q or K, not off X.",
        ),
        Misconception(
            "by-sqrt-n",
            "you divide by the square root of the number of tokens",
            "A score adds up d_k products; how many tokens there are plays no part in it.",
            "Read the *last* axis of Q, not the first.",
        ),
        Misconception(
            "multiplied",
            "you multiply by the square root of d_k instead of dividing",
            "That makes large scores larger, and softmax saturates all the more.",
            "Divide.",
        ),
        Misconception(
            "scaled-weights",
            "you scale the weights, after the softmax",
            "Then the rows no longer sum to 1, and the weights are as sharp as before.",
            "Scale the scores, before the softmax.",
        ),
        Misconception(
            "columns",
            "you normalised down the columns (axis 0)",
            "Each row of the weights belongs to one query and must sum to 1.",
            "Use the softmax of Part 1: it works along the last axis.",
        ),
        Misconception(
            "transposed-scores",
            "keys ask and queries answer in your scores",
            "K Qᵀ is the transpose of Q Kᵀ. The shapes agree, because everything comes from one sequence: nothing "
            "complains.",
            "The rows of the scores belong to the queries, so Q stands on the left.",
        ),
        Misconception(
            "same-matrix",
            "queries and keys come from the same projection",
            "Then the scores are symmetric: two tokens always find each other equally relevant.",
            "Look at which matrix makes K.",
        ),
        Misconception(
            "no-projection",
            "the scores compare the embeddings themselves, not queries with keys",
            "W_q and W_k have no influence then, so nothing about relevance can be learned.",
            "Project first; the scores come from Q and K.",
        ),
        Misconception(
            "mixes-embeddings",
            "you mix the embeddings instead of the values",
            "W_v is left out: the context has d_model numbers a token instead of d_v.",
            "The weights multiply V.",
        ),
        Misconception(
            "mixes-keys",
            "you mix the keys instead of the values",
            "A key is what a token is found by, not what it says.",
            "The weights multiply V.",
        ),
        Misconception(
            "columns-mixed",
            "the weights are transposed when they mix the values",
            "Each context is then mixed with shares that do not sum to 1: those that one key gets from all queries.",
            "A row of weights times V: no transpose.",
        ),
    ),
)


# ---------------------------------------------------------------- parameter counts


def count(d_model, d_k, d_v, biases, n, wrong):
    matrices = [d_model * d_k, d_model * d_k, d_model * d_v]
    extra = [d_k, d_k, d_v] if biases else [0, 0, 0]
    if "no-biases" in wrong:
        extra = [0, 0, 0]
    if "biases-per-row" in wrong and biases:
        extra = [d_model] * 3
    if "one-matrix-no-biases" in wrong:
        return matrices[0]
    if "one-matrix" in wrong:
        return matrices[0] + extra[0]
    if "two-matrices" in wrong:
        return sum(matrices[:2]) + sum(extra[:2])
    if "square" in wrong:
        return 3 * d_model * d_model + sum(extra)
    if "with-tokens" in wrong:
        return sum(matrices) + sum(extra) + n * d_model
    if "per-token" in wrong:
        return max(n, 1) * (sum(matrices) + sum(extra))
    return sum(matrices) + sum(extra)


#: d_model, d_k, d_v, biases, and the number of tokens (0 where the task names none).
LAYERS = {
    "small": ("4 numbers to 3, no biases, a sentence of 3 tokens", (4, 3, 3, False, 3)),
    "long": ("the same layer, a text of 1,000 tokens", (4, 3, 3, False, 1000)),
    "uneven": ("d_model 512, d_k 64, d_v 128, no biases", (512, 64, 128, False, 0)),
    "real": ("d_model = d_k = d_v = 384, with biases", (384, 384, 384, True, 0)),
}


def _counter(sizes):
    return lambda wrong=frozenset(): count(*sizes, wrong)


count_parameters = ValueExercise(
    id="count-parameters",
    points=2,
    task="count the parameters of the four layers",
    parts=tuple(Part(name, text, _counter(sizes), 0.25) for name, (text, sizes) in LAYERS.items()),
    misconceptions=(
        Misconception(
            "with-tokens",
            "you count the embeddings of the sentence, too",
            "X is input. It changes with every sentence; parameters are what stays.",
            "Count the entries of the projections only.",
        ),
        Misconception(
            "per-token",
            "you multiply by the number of tokens",
            "All tokens go through the same three matrices: they are shared, which is why a text may have any length.",
            "Leave the number of tokens out.",
        ),
        Misconception(
            "one-matrix",
            "you count one projection",
            "There are three roles, and each has a matrix of its own.",
            "Add up all three.",
        ),
        Misconception(
            "one-matrix-no-biases",
            "you count one projection, and none of the biases",
            "There are three roles, and each has a matrix of its own; in the last layer each has a bias, too.",
            "Add up all that is learned, for all three.",
        ),
        Misconception(
            "two-matrices",
            "you left the values out",
            "Queries and keys make the weights; the values have a projection, too.",
            "Add up all three.",
        ),
        Misconception(
            "square",
            "you took every projection for a square matrix",
            "A projection has d_model rows, but d_k (or d_v) columns.",
            "Rows times columns, for each matrix.",
        ),
        Misconception(
            "no-biases",
            "you left out the biases of the last layer",
            "A bias is one number for each number that comes out of a projection, and it is learned, too.",
            "Add the length of each bias.",
        ),
    ),
)


# ---------------------------------------------------------------- Playing Outside

PLAYING_Q = np.array([[0.212, 0.04, 0.63, 0.36], [0.1, 0.14, 0.86, 0.77]])
PLAYING_K = np.array([[0.31, 0.84, 0.963, 0.57], [0.45, 0.94, 0.73, 0.58]])
PLAYING_V = np.array([[0.36, 0.83, 0.1, 0.38], [0.31, 0.36, 0.19, 0.72]])


def playing(name, wrong=frozenset()):
    """One step of "Playing Outside", with mistakes as switches."""
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
    return {"scores": scores, "scaled": scaled, "weights": weights, "contexts": contexts}[name]


def _step(name):
    return lambda wrong=frozenset(): playing(name, wrong)


playing_outside = ValueExercise(
    id="playing-outside",
    points=4,
    task='compute "Playing Outside" in full',
    parts=tuple(
        Part(name, text, _step(name), 0.25, 3)
        for name, text in (
            ("scores", "the scores, (2, 2)"),
            ("scaled", "the scaled scores, (2, 2)"),
            ("weights", "the weights, (2, 2)"),
            ("contexts", "the context vectors, (2, 4)"),
        )
    ),
    misconceptions=(
        Misconception(
            "no-scale",
            "the scaled scores are the scores themselves",
            "Part 3 divides by the square root of d_k before the softmax.",
            "How many numbers does a key have? Take the square root of that.",
        ),
        Misconception(
            "by-d_k",
            "you divided by d_k instead of its square root",
            "The weights come out too flat.",
            "A key has d_k numbers. Take the square root of that.",
        ),
        Misconception(
            "by-sqrt-n",
            "you divided by the square root of the number of tokens",
            "There are two tokens, but a key has four numbers, and it is those that a dot product adds up.",
            "Use the last axis of K, not the first.",
        ),
        Misconception(
            "unscaled-softmax",
            "you scaled the scores, but took the softmax of the unscaled ones",
            "The result of the division has to be used.",
            "Hand `scaled` to the softmax.",
        ),
        Misconception(
            "transposed",
            "rows and columns of the scores have changed places",
            "The row of a score is the token that asks.",
            "Q stands on the left of the product.",
        ),
        Misconception(
            "columns",
            "you normalised down the columns",
            "Each row belongs to one query and must sum to 1.",
            "Use `softmax`: it works along the last axis.",
        ),
        Misconception(
            "ratio",
            "you divided the scores by their sum instead of taking a softmax",
            "It looks plausible here, because all scores are positive. Part 1 showed what happens when they are not.",
            "Use `softmax`.",
        ),
        Misconception(
            "mixes-keys",
            "you mixed the keys instead of the values",
            "A key is what a token is found by; the value is what it says.",
            "Multiply the weights with V.",
        ),
        Misconception(
            "transposed-weights",
            "the weights are transposed when they mix the values",
            "The shares of one context vector then come from two different queries and do not sum to 1.",
            "A row of weights times V: no transpose.",
        ),
    ),
)


# ---------------------------------------------------------------- claims

TRUE_CLAIMS = ["a", "d", "f"]


def claims(wrong=frozenset()):
    """The letters of the true claims, with mistakes as switches."""
    letters = set(TRUE_CLAIMS)
    if "smaller" in wrong:
        letters |= {"b"}
    if "order" in wrong:
        letters |= {"c"}
    if "unique" in wrong:
        letters |= {"e"}
    if "the-false-ones" in wrong:
        letters = set("abcdef") - letters
    return sorted(letters)


true_claims = ValueExercise(
    id="true-claims",
    points=2,
    task="list the letters of the claims that are true",
    parts=(Part("", "the true claims", claims),),
    misconceptions=(
        Misconception(
            "smaller",
            "you believe that the projection must be smaller than the embedding",
            "It usually is, where several heads share the width; but no formula asks for it.",
            "Try a W_q with more columns than rows: does anything fail?",
        ),
        Misconception(
            "order",
            "you believe that self-attention keeps the order of the words",
            "The output has its rows in the order of the input, but no row can tell where it stood.",
            "Shuffle the rows of X, and compare the context vectors.",
        ),
        Misconception(
            "unique",
            "you believe that each position has a context vector of its own",
            "A context vector is computed from the token's embedding and from the set of all tokens, nothing else.",
            "Put the same token into X twice, and compare its two context vectors.",
        ),
        Misconception(
            "the-false-ones",
            "you listed the false claims",
            "The true ones are asked for.",
            "Give the other letters.",
        ),
    ),
)
