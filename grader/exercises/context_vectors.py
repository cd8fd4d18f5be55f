"""Part 1, notebook 4: the weighted average of the values, and the audit of a published worked example."""

import numpy as np

import attnlib
from grader.exercise import Case, ChoiceExercise, FunctionExercise, Misconception, Part, Property, ValueExercise
from grader.exercises.inputs import matrix, telling, tenths

# ---------------------------------------------------------------- predict

predict_context = ChoiceExercise(
    id="predict-context",
    points=1,
    task="type the letter of your prediction",
    right="c",
    because={
        "a": "This one can be reached: it lies well inside the triangle of the three values. Give each value a third "
        "of the weight and see how near you are.",
        "b": "This one can be reached: it lies close to the third value, so it takes nearly all the weight there.",
        "c": "Each of its numbers lies between the smallest and the largest of the values, and yet no weights give it: "
        "it lies outside the triangle. An average of the values can never leave the shape that they span.",
        "d": "The query and the keys decide only the weights, and these are positive and sum to 1. Draw the three "
        "values, and think where averages of them can lie.",
    },
)


# ---------------------------------------------------------------- the two functions


def weights_model(scores, wrong):
    """Weights from scores, one row a query, with the mistakes that people make on the way."""
    if wrong & {"raw-scores", "softmax-late"}:
        return scores
    if "ratio" in wrong:
        return scores / scores.sum(axis=-1, keepdims=True)
    if "uniform" in wrong:
        return np.full(scores.shape, 1 / scores.shape[-1])
    if "hard" in wrong:
        return np.eye(scores.shape[-1])[scores.argmax(axis=-1)]
    axis = 0 if "columns" in wrong else (None if "whole-matrix" in wrong else -1)
    top = scores.max(axis=axis, keepdims=True)
    if "other-shift" in wrong:
        top = scores.mean(axis=axis, keepdims=True)
    if "global-maximum" in wrong:
        top = scores.max()
    if "no-maximum" in wrong:
        top = 0.0
    if "not-normalised" in wrong:
        return np.exp(scores)
    powers = np.exp(scores - top)
    return powers / powers.sum(axis=axis, keepdims=True)


def scores_model(Q, K, wrong):
    """Scores of shape (n_queries, n_keys), with the mistakes that people make on the way."""
    if "cosine" in wrong:
        Q, K = attnlib.unit_rows(Q), attnlib.unit_rows(K)
    scores = Q @ K if "keys-not-transposed" in wrong else Q @ K.T
    return scores / np.sqrt(Q.shape[-1]) if "scaled" in wrong else scores


def mixed(weights, V, wrong):
    """Weights times values, with softmax in the wrong place or at one place too many."""
    context = weights @ V
    return attnlib.softmax(context) if wrong & {"softmax-late", "softmax-again"} else context


def context_vector_model(q, K, V, wrong=frozenset()):
    """The context vector of one query, with the mistakes that people make as switches."""
    q, K, V = (np.asarray(a, dtype=float) for a in (q, K, V))
    if "values-scored" in wrong:
        K = V
    if "roles-swapped" in wrong:
        K, V = V, K
    weights = weights_model(scores_model(q[None], K, wrong), wrong)[0]
    if "keys-mixed" in wrong:
        V = K
    if "weights-returned" in wrong:
        return weights
    if "not-summed" in wrong:
        return weights[:, None] * V
    if "across-columns" in wrong:
        return (weights * V).sum(axis=0)
    if "summed-across" in wrong:
        return (weights[:, None] * V).sum(axis=1)
    if "summed-over-all" in wrong:
        return float((weights[:, None] * V).sum())
    if "values-first" in wrong:
        return V @ weights
    context = mixed(weights, V, wrong)
    if "averaged-again" in wrong:
        context = context / len(V)
    if "row-kept" in wrong:
        context = context[None]
    return (context, weights) if "pair" in wrong else context


def context_vectors_model(Q, K, V, wrong=frozenset()):
    """The context vectors of several queries, with the mistakes that people make as switches."""
    Q, K, V = (np.asarray(a, dtype=float) for a in (Q, K, V))
    if "values-scored" in wrong:
        K = V
    if "roles-swapped" in wrong:
        K, V = V, K
    scores = scores_model(K, Q, wrong) if "keys-ask" in wrong else scores_model(Q, K, wrong)
    weights = weights_model(scores, wrong)
    if "keys-mixed" in wrong:
        V = K
    if "queries-mixed" in wrong:
        V = Q
    if "weights-returned" in wrong:
        return weights
    if "weights-transposed" in wrong:
        weights = weights.T
    context = mixed(weights, V, wrong)
    if "averaged-again" in wrong:
        context = context / len(V)
    if "first-query-only" in wrong:
        return context[0]
    if "first-row-only" in wrong:
        return context[:1]
    if "first-query-repeated" in wrong:
        context = np.repeat(context[:1], len(context), axis=0)
    if "concatenated" in wrong:
        return context.ravel()
    if "queries-summed" in wrong:
        return context.sum(axis=0)
    return (context, weights) if "pair" in wrong else context


SHARED_MISTAKES = (
    Misconception(
        "raw-scores",
        "you mix the values with the raw scores, without softmax",
        "Scores can be negative, and they do not sum to 1: the result is no average and grows with the scores.",
        "Turn the scores into weights first; the last notebook's function does it.",
    ),
    Misconception(
        "softmax-late",
        "softmax comes after the mix instead of before it",
        "Softmax makes weights out of scores. After the mix there are no scores any more, but a blend of values, and "
        "softmax squeezes it into numbers that sum to 1.",
        "Score, softmax, mix: in this order.",
    ),
    Misconception(
        "softmax-again",
        "you apply softmax to the result as well",
        "The context is a vector like the values, not a row of weights: its numbers need not be positive, nor sum to "
        "1.",
        "One softmax is enough, on the scores.",
    ),
    Misconception(
        "ratio",
        "you divide the scores by their sum instead of taking softmax",
        "Where scores have both signs, such weights are negative or above 1, and the result leaves the hull of the "
        "values.",
        "Exponentiate before you divide: softmax keeps every weight positive.",
    ),
    Misconception(
        "not-normalised",
        "you exponentiate the scores, but do not divide by the sum",
        "Then the weights do not sum to 1: you have a weighted sum of the values, not a weighted average.",
        "Divide the exponentials of each query by their sum.",
    ),
    Misconception(
        "uniform",
        "you take the plain mean of the values",
        "The plain mean forgets who asks: every query would get the same vector.",
        "Let each value count as much as its weight says. The weights come from the query and the keys.",
    ),
    Misconception(
        "hard",
        "you return the single value whose key scores highest",
        "That is a lookup. A context vector mixes all values, and the other weights are small, but not zero.",
        "Use all the weights, not only the position of the largest.",
    ),
    Misconception(
        "scaled",
        "you divide the scores by the square root of d",
        "Part 3 will do that, for a good reason. Here the scores go into softmax as they are; dividing them makes the "
        "weights flatter.",
        "Leave the division out.",
    ),
    Misconception(
        "cosine",
        "you score with the cosine instead of the dot product",
        "The cosine forgets how long query and keys are, so the weights come out flatter or sharper.",
        "Do not divide by the lengths.",
    ),
    Misconception(
        "keys-mixed",
        "you average the keys instead of the values",
        "A key says where to look; the value is what is found there. The result has the keys' number of columns.",
        "Use K for the scores only, and V for the mix.",
    ),
    Misconception(
        "values-scored",
        "you compare the query with the values instead of the keys",
        "The keys are there to be compared with the query. Values may even have another length than the query.",
        "Compute the scores from the query and K.",
    ),
    Misconception(
        "roles-swapped",
        "keys and values have changed places",
        "You score with V and mix K. Where the two are the same matrix nobody notices; elsewhere it is wrong.",
        "Check the order of the arguments: K is compared with the query, V is mixed.",
    ),
    Misconception(
        "keys-not-transposed",
        "you multiply the query by K without transposing it",
        "Each key is a row of K. Without the transpose the query meets the columns: that fails unless K is square, and "
        "then it is silently wrong.",
        "There must be one score for each row of K. Write the shapes beside the product.",
    ),
    Misconception(
        "weights-returned",
        "you return the weights instead of the context",
        "The weights say how much of each value to take. The third stage, the mix, is still missing.",
        "Use the weights to average the values, and return that.",
    ),
    Misconception(
        "pair",
        "you return the context and the weights",
        "Whoever calls this function expects the context alone.",
        "Return the context only. In Part 3 the attention functions will return both.",
    ),
    Misconception(
        "averaged-again",
        "you divide by the number of keys once more",
        "The weights already sum to 1. A `mean` of the weighted values divides by n a second time.",
        "Add the weighted values up; do not average them.",
    ),
)

# Last of the mistakes: beside another one they are the lesser.
OVERFLOWS = (
    Misconception(
        "no-maximum",
        "your softmax overflows: the maximum is not subtracted",
        "exp(1000) is infinite in floating point, and infinity divided by infinity is NaN.",
        "Use the stable softmax of the last notebook, or subtract the largest score of each query before `np.exp`.",
    ),
    Misconception(
        "other-shift",
        "your softmax subtracts something else than the largest score (the mean or the smallest, say)",
        "If one score lies far above the rest, its exponential still overflows: infinity divided by infinity is NaN.",
        "Subtract the largest score of each query. Then no exponential is above 1.",
    ),
)

#: Slips on the way to the weights that whole numbers could hide: a query of zeros, say, finds all keys alike.
WEIGHT_SLIPS = ("raw-scores", "ratio", "not-normalised", "uniform", "hard", "scaled", "cosine", "averaged-again")

context_vector = FunctionExercise(
    id="context_vector",
    points=3,
    task="write `context_vector(q, K, V)`",
    model=context_vector_model,
    returns="context",
    library_names=("context_vectors", "soft_lookup"),
    cases=(
        Case(
            "three keys of two numbers, values of five",
            lambda rng: {"q": tenths(rng, 2), "K": tenths(rng, 3, 2), "V": tenths(rng, 3, 5)},
            0.2,
        ),
        Case(
            "seven keys of five numbers, values of three",
            lambda rng: {"q": matrix(rng, 5, scale=0.7), "K": matrix(rng, 7, 5), "V": matrix(rng, 7, 3)},
            0.15,
        ),
        Case(
            "five keys and values of five numbers",
            lambda rng: {"q": matrix(rng, 5, scale=0.7), "K": matrix(rng, 5, 5), "V": matrix(rng, 5, 5)},
            0.1,
        ),
        Case(
            "whole numbers",
            telling(
                lambda rng: {
                    "q": rng.integers(-1, 2, size=3),
                    "K": rng.integers(-2, 3, size=(5, 3)),
                    "V": rng.integers(-9, 10, size=(5, 2)),
                },
                context_vector_model,
                *WEIGHT_SLIPS,
            ),
            0.05,
        ),
        Case("scores above 1000, two keys alike", lambda rng: large_scores(rng, 1), 0.05),
        Case("scores above 1000 and below -1000 at once", lambda rng: distant_scores(rng, 1), 0.05),
    ),
    properties=(
        Property(
            "where all values are equal, the context is that value", lambda call, rng: equal_values(call, rng, 1), 0.1
        ),
        Property(
            "the context stays between the smallest and the largest values",
            lambda call, rng: bounded(call, rng, 1),
            0.1,
        ),
        Property("shuffling keys and values together changes nothing", lambda call, rng: shuffled(call, rng, 1), 0.1),
    ),
    misconceptions=(
        *SHARED_MISTAKES,
        Misconception(
            "not-summed",
            "you weight the values, but do not add them up",
            "The weighted values are the n terms of the average. The context is one vector, their sum.",
            "Sum over the keys.",
        ),
        Misconception(
            "summed-across",
            "you sum along the wrong axis",
            "You add up the numbers inside each value. The sum has to run over the keys, so that a vector of d_v "
            "numbers is left.",
            "Sum the weighted values over the rows: `axis=0`.",
        ),
        Misconception(
            "summed-over-all",
            "you sum over everything, and a single number is left",
            "Without an axis, `sum` adds up the numbers inside the values as well. The context has d_v numbers.",
            "Sum over the keys only: the rows of V.",
        ),
        Misconception(
            "values-first",
            "you multiply V by the weights from the wrong side",
            "`V @ w` needs as many weights as V has columns. That fails unless V is square, and then weight j "
            "multiplies column j instead of value j.",
            "V has a row for each key. Put the weights on the side where their length meets the number of rows.",
        ),
        Misconception(
            "row-kept",
            "your result has an axis too many: shape (1, d_v)",
            "You made the query, or its scores, a matrix of one row, and that axis is still there. One query gives one "
            "vector, of shape (d_v,).",
            "Leave the query a vector: then nothing has to be undone. Or take the only row out at the end.",
        ),
        Misconception(
            "columns",
            "every value has the weight 1: you add up plain values",
            "Either the weights are missing, or softmax ran down the columns of a score matrix with a single row. "
            "There each score is alone in its column and gets the weight 1.",
            "The weights of the one query must sum to 1 over the keys: softmax along the last axis.",
        ),
        Misconception(
            "across-columns",
            "the weights are spread over the columns of V instead of its rows",
            "`weights * V` lines the weights up with the last axis. That fails unless V is square, and then weight j "
            "multiplies column j instead of value j.",
            "Give the weights a second axis, `weights[:, None]`, or use a matrix product.",
        ),
        *OVERFLOWS,
    ),
)

context_vectors = FunctionExercise(
    id="context_vectors",
    points=4,
    task="write `context_vectors(Q, K, V)`",
    model=context_vectors_model,
    returns="context",
    library_names=("memory_context",),
    cases=(
        Case(
            "two queries, three keys of two numbers, values of five",
            lambda rng: {"Q": tenths(rng, 2, 2), "K": tenths(rng, 3, 2), "V": tenths(rng, 3, 5)},
            0.2,
        ),
        Case(
            "seven queries, five keys of three numbers, values of two",
            lambda rng: {"Q": matrix(rng, 7, 3), "K": matrix(rng, 5, 3), "V": matrix(rng, 5, 2)},
            0.15,
        ),
        Case(
            "five queries, five keys and values of five numbers",
            lambda rng: {"Q": matrix(rng, 5, 5, scale=0.7), "K": matrix(rng, 5, 5), "V": matrix(rng, 5, 5)},
            0.1,
        ),
        Case(
            "whole numbers",
            telling(
                lambda rng: {
                    "Q": rng.integers(-1, 2, size=(2, 3)),
                    "K": rng.integers(-2, 3, size=(5, 3)),
                    "V": rng.integers(-9, 10, size=(5, 7)),
                },
                context_vectors_model,
                *WEIGHT_SLIPS,
                *("columns", "whole-matrix", "first-query-repeated"),
            ),
            0.05,
        ),
        Case("scores above 1000 for one query, below -1000 for the other", lambda rng: large_scores(rng, 2), 0.05),
        Case("scores above 1000 and below -1000 for the same query", lambda rng: distant_scores(rng, 2), 0.05),
    ),
    properties=(
        Property(
            "where all values are equal, every context is that value", lambda call, rng: equal_values(call, rng, 2), 0.1
        ),
        Property("shuffling keys and values together changes nothing", lambda call, rng: shuffled(call, rng, 2), 0.1),
        Property("shuffling the queries shuffles the contexts", lambda call, rng: queries_shuffled(call, rng), 0.1),
    ),
    misconceptions=(
        *SHARED_MISTAKES,
        Misconception(
            "columns",
            "softmax runs down the columns of the scores",
            "Row i of the scores belongs to query i, and its weights must sum to 1. Down a column, different queries "
            "compete with each other.",
            "Softmax goes along the last axis, over the keys.",
        ),
        Misconception(
            "whole-matrix",
            "one softmax runs over the whole score matrix",
            "All weights together sum to 1, so each context comes out far too short.",
            "Each query needs a softmax of its own, along its row.",
        ),
        Misconception(
            "weights-transposed",
            "you multiply the transposed weights by V",
            "Weight (i, j) says how much query i takes of value j. Transposed, the queries and the keys change places; "
            "where they are equal in number nothing complains.",
            "The weights have shape (n_queries, n_keys) and V has n_keys rows: they fit as they are.",
        ),
        Misconception(
            "keys-ask",
            "the keys ask and the queries answer",
            "Your score matrix has one row for each key. Then softmax divides the weight among the queries.",
            "One row of scores for each query: shape (n_queries, n_keys).",
        ),
        Misconception(
            "queries-mixed",
            "you average the queries instead of the values",
            "A query decides the weights and then has done its work. What is mixed is the values.",
            "Use Q for the scores only.",
        ),
        Misconception(
            "first-query-only",
            "you return the context of the first query only",
            "A `return` inside a loop ends the function in the first round.",
            "Collect one context for each query, and return after the loop.",
        ),
        Misconception(
            "first-row-only",
            "your result has a single row, the context of the first query",
            "A `return` inside a loop ends the function in the first round, when only one context has been collected.",
            "Move the `return` to the left, out of the loop.",
        ),
        Misconception(
            "first-query-repeated",
            "every row holds the context of the first query",
            "All queries get the answer of the first one: the loop, or the score, uses `Q[0]` each time.",
            "Row i of the result comes from row i of Q.",
        ),
        Misconception(
            "concatenated",
            "the contexts stand one behind the other in a single long row",
            "`np.concatenate`, `extend` or `ravel` lay the vectors end to end, so nobody sees where one query ends.",
            "Stack them as rows, for example by `np.array` of a list of vectors.",
        ),
        Misconception(
            "queries-summed",
            "you add the contexts of all queries up",
            "Each query gets a context of its own; their sum belongs to nobody.",
            "Keep one row for each query.",
        ),
        *OVERFLOWS,
        Misconception(
            "global-maximum",
            "you subtracted one maximum of the whole matrix",
            "The scores of another query may all lie far below it. Then all its exponentials become 0, and 0/0 is NaN.",
            "Subtract from each row its own maximum, along the last axis and with `keepdims=True`.",
        ),
    ),
)


def extreme_values(rng):
    """Values of which the contexts of a query and of its opposite are no symmetric matrix."""
    while True:
        V = tenths(rng, 5, 2)
        if abs((V[0, 1] + V[4, 1]) / 2 - V[[1, 3], 0]).min() > 0.01:
            return V


def large_query(rng):
    """A query and a key of whole numbers that agree so well that their score is far above 1000."""
    signs = rng.choice([-1, 1], size=3)
    return signs * rng.integers(25, 31, size=3), signs * rng.integers(25, 31, size=3), signs


def as_floats(q, K, V, axes):
    """One query, or the query and its opposite, with their keys and values."""
    if axes == 1:
        return {"q": q.astype(float), "K": K.astype(float), "V": V}
    return {"Q": np.stack([q, -q]).astype(float), "K": K.astype(float), "V": V}


def large_scores(rng, axes):
    """All scores of the query lie above 1000, within 600 of each other; of a second query, as far below zero.

    The first and the last key are alike and share the weight. Whoever shifts by a query's mean or smallest score passes
    here, but not with `distant_scores`; with one maximum for all queries it is the other way round.
    """
    q, k, signs = large_query(rng)
    return as_floats(q, np.stack([k, k - 3 * signs, k - 2 * signs, k - 5 * signs, k]), extreme_values(rng), axes)


def distant_scores(rng, axes):
    """Each query has scores above 1000 and below -1000; both queries have the same largest score."""
    q, k, _ = large_query(rng)
    return as_floats(q, np.stack([k, -k, rng.integers(-3, 4, size=3), k // 2, k]), extreme_values(rng), axes)


def some_inputs(rng, axes, d_v=2):
    """Queries (one vector, or seven rows), five keys of three numbers, values of `d_v`."""
    Q = matrix(rng, 7, 3)
    return Q[0] if axes == 1 else Q, matrix(rng, 5, 3), matrix(rng, 5, d_v)


def equal_values(call, rng, axes):
    Q, K, V = some_inputs(rng, axes)
    V = np.repeat(V[:1], 5, axis=0)
    context = call(Q, K, V).reshape(-1, 2)
    if np.allclose(context, V[0], atol=1e-3):
        return None
    return f"all values are {np.round(V[0], 2).tolist()}, but a context is {np.round(context[0], 2).tolist()}"


def leaving(rng, axes):
    """Inputs whose values lie close together: weights that do not sum to 1, or are negative, leave their range."""
    while True:
        Q, K, V = some_inputs(rng, axes)
        V = 5 + rng.uniform(size=V.shape)
        slips = [weights_model(scores_model(np.atleast_2d(Q), K, ()), {slip}) @ V for slip in OUT_OF_RANGE]
        outside = [(context < V.min(axis=0) - 0.1) | (context > V.max(axis=0) + 0.1) for context in slips]
        if all(out.any() for out in outside):
            return Q, K, V


OUT_OF_RANGE = ("raw-scores", "ratio", "not-normalised")


def bounded(call, rng, axes):
    Q, K, V = leaving(rng, axes)
    context = call(Q, K, V)
    if ((context > V.min(axis=0) - 1e-3) & (context < V.max(axis=0) + 1e-3)).all():
        return None
    return "a number of the context is smaller or larger than that number in all values"


def shuffled(call, rng, axes):
    Q, K, V = some_inputs(rng, axes)
    order = np.roll(np.arange(5), int(rng.integers(1, 5)))
    moved = np.abs(call(Q, K[order], V[order]) - call(Q, K, V)).max()
    return None if moved < 1e-3 else f"in another order, a number of the context differs by {moved:.3g}"


def queries_shuffled(call, rng):
    Q, K, V = some_inputs(rng, 2)
    order = np.roll(np.arange(7), int(rng.integers(1, 7)))
    moved = np.abs(call(Q[order], K, V) - call(Q, K, V)[order]).max()
    return None if moved < 1e-3 else f"the context of a query changes by {moved:.3g} when it asks in another place"


# ---------------------------------------------------------------- "I am going to play"

PLAY_WORDS = ("I", "am", "going", "to", "play")
PLAY_WEIGHTS = np.array([0.2, 0.1, 0.2, 0.1, 0.4])
PLAY_VALUES = np.array([[2.0, 0.0], [0.0, 1.0], [-1.0, 5.0], [-1.0, 0.0], [2.0, 1.0]])


def play_context_vector(wrong=frozenset()):
    """The context vector of "play"."""
    weights, V = PLAY_WEIGHTS, PLAY_VALUES
    if "plain-sum" in wrong:
        return V.sum(axis=0)
    if "plain-mean" in wrong:
        return V.mean(axis=0)
    if "top-only" in wrong:
        return V[weights.argmax()]
    if "softmax-again" in wrong:
        weights = attnlib.softmax(weights)
    if "reversed" in wrong:
        weights = weights[::-1]
    context = weights @ V
    return context / len(V) if "divided-again" in wrong else context


def play_largest(wrong=frozenset()):
    """The word whose weighted value is longest."""
    lengths = np.linalg.norm(PLAY_WEIGHTS[:, None] * PLAY_VALUES, axis=1)
    return PLAY_WORDS[PLAY_WEIGHTS.argmax() if "weight-only" in wrong else lengths.argmax()]


play_context = ValueExercise(
    id="play-context",
    points=2,
    task="give the context vector of play, and the word that contributes most to it",
    parts=(
        Part("context", "the context vector of play", play_context_vector, 0.7),
        Part("largest", "the word with the longest contribution", play_largest, 0.3),
    ),
    misconceptions=(
        Misconception(
            "plain-sum",
            "you added the values up without the weights",
            "Then every word counts fully, and the result leaves the hull of the values.",
            "Multiply each value by its word's weight before you add.",
        ),
        Misconception(
            "plain-mean",
            "you took the plain mean of the values",
            "The plain mean gives each of the five words the weight 0.2. Here play counts twice as much as that.",
            "Multiply each value by its word's weight, and add.",
        ),
        Misconception(
            "top-only",
            "you took the value of the word with the highest weight",
            "The other four words have 0.6 of the weight between them; they belong to the average too.",
            "Add all five weighted values.",
        ),
        Misconception(
            "softmax-again",
            "you applied softmax to the weights",
            "They are weights already: positive, with the sum 1. A second softmax makes them nearly equal.",
            "Use the weights as they are given.",
        ),
        Misconception(
            "reversed",
            "the weights and the values are in opposite order",
            "Weight j belongs to value j: both lists follow the sentence from I to play.",
            "Match the first weight with the first value.",
        ),
        Misconception(
            "divided-again",
            "you divided by the number of words as well",
            "The weights sum to 1, so the weighted sum is an average already.",
            "Leave the division out.",
        ),
        Misconception(
            "weight-only",
            "you named the word with the highest weight",
            "How far a word moves the context depends on its weight and on the length of its value.",
            "Compute the length of weight times value for each word, and compare those.",
        ),
    ),
)


# ---------------------------------------------------------------- the audit

AUDIT_X = np.array([[0.2, 0.5], [0.8, 0.1], [0.3, 0.9]])
PUBLISHED_SCORES = np.array([[0.29, 0.21, 0.51], [0.21, 0.65, 0.33], [0.51, 0.33, 0.90]])
PUBLISHED_WEIGHTS = np.array([[0.28, 0.23, 0.49], [0.18, 0.59, 0.23], [0.23, 0.15, 0.62]])
PUBLISHED_CONTEXTS = np.array([[0.36, 0.59], [0.57, 0.35], [0.34, 0.68]])


def audit_weights_model(wrong=frozenset()):
    """The right weights of the published example, and how one can miss them."""
    if "published" in wrong:
        return PUBLISHED_WEIGHTS
    scores = AUDIT_X @ AUDIT_X.T
    if "scaled" in wrong:
        scores = scores / np.sqrt(2)
    if "cosine" in wrong:
        scores = attnlib.cosine_scores(AUDIT_X, AUDIT_X)
    if "cold" in wrong:
        scores = scores / 0.4
    weights = weights_model(scores, wrong)
    return weights.round(2) if "two-decimals" in wrong else weights


def audit_contexts_model(wrong=frozenset()):
    """The right contexts of the published example, and how one can miss them."""
    if "published" in wrong:
        return PUBLISHED_CONTEXTS
    if wrong & {"implied-as-right", "exchanged"}:
        return implied_contexts_model()
    if "scores-mixed" in wrong:
        return PUBLISHED_SCORES @ AUDIT_X
    weights = audit_weights_model(wrong & {"scaled"})
    context = (weights.T if "weights-transposed" in wrong else weights) @ AUDIT_X
    return context.round(2) if wrong & {"two-decimals", "right-two-decimals"} else context


def implied_contexts_model(wrong=frozenset()):
    """The contexts that follow from the published weights."""
    if wrong & {"right-as-implied", "exchanged"}:
        return audit_contexts_model()
    context = (PUBLISHED_WEIGHTS.T if "weights-transposed" in wrong else PUBLISHED_WEIGHTS) @ AUDIT_X
    return context.round(2) if wrong & {"two-decimals", "implied-two-decimals"} else context


def followers_model(wrong=frozenset()):
    """How many published contexts agree with those that the published weights give, to two decimals."""
    implied = implied_contexts_model()
    rounded = np.floor(implied * 100) / 100 if "cut-off" in wrong else implied.round(2)
    agree = np.isclose(rounded, PUBLISHED_CONTEXTS).all(axis=1)
    return len(agree) if "sound" in wrong else int(agree.sum())


def wrong_numbers(printed, right, wrong):
    """How many printed numbers differ from the right ones at two decimals; or rows, or blocks."""
    differ = right != printed if "unrounded" in wrong else ~np.isclose(right.round(2), printed)
    if "rows-counted" in wrong:
        differ = differ.any(axis=1)
    return int(differ.any()) if "blocks-counted" in wrong else int(differ.sum())


def wrong_scores(wrong=frozenset()):
    """How many of the published scores are wrong."""
    if "all-scores" in wrong:
        return PUBLISHED_SCORES.size
    # Element by element: a matrix product may add up in another way on another processor.
    products = np.array([[float(a[0] * b[0] + a[1] * b[1]) for b in AUDIT_X] for a in AUDIT_X])
    return wrong_numbers(PUBLISHED_SCORES, products, wrong)


def wrong_weights(wrong=frozenset()):
    """How many of the published weights are wrong."""
    return 0 if "sums-suffice" in wrong else wrong_numbers(PUBLISHED_WEIGHTS, audit_weights_model(), wrong)


def wrong_contexts(wrong=frozenset()):
    """How many of the published contexts' numbers are wrong."""
    return 0 if "inside-suffices" in wrong else wrong_numbers(PUBLISHED_CONTEXTS, audit_contexts_model(), wrong)


audit_which = ValueExercise(
    id="audit-which",
    points=2,
    task="say how many of the printed numbers are wrong in each block",
    parts=(
        Part("scores", "wrong numbers among the scores", wrong_scores, 0.5),
        Part("weights", "wrong numbers among the weights", wrong_weights, 0.25),
        Part("contexts", "wrong numbers among the contexts", wrong_contexts, 0.25),
    ),
    misconceptions=(
        Misconception(
            "rows-counted",
            "you counted rows instead of numbers",
            "A row can hold right and wrong numbers; the question is about single numbers.",
            "Compare entry by entry, and count the entries that differ.",
        ),
        Misconception(
            "blocks-counted",
            "you answered yes or no for each block",
            "The question is how many numbers are wrong in a block, not whether any is.",
            "Compare entry by entry, and count the entries that differ.",
        ),
        Misconception(
            "unrounded",
            "you compared with `!=` before rounding",
            "In floating point, 0.2 times 0.8 plus 0.5 times 0.1 is 0.21000000000000002. That is no error of the "
            "example.",
            "Round to two decimals first, and compare after rounding.",
        ),
        Misconception(
            "all-scores",
            "you count all 9 scores as wrong",
            "Either you took everything for wrong without comparing, or you compared with something else than plain "
            "dot products, for example with scores divided by the square root of 2.",
            "Compute one score by hand, and compare it with the printed one; then do so with all nine.",
        ),
        Misconception(
            "sums-suffice",
            "you passed the weights because they are positive and each row sums to 1",
            "That makes them weights, but not the weights that softmax gives for these scores.",
            "Compute softmax of the scores, and compare the numbers.",
        ),
        Misconception(
            "inside-suffices",
            "you passed the contexts because they look like averages of the values",
            "Lying inside the hull is needed, but it does not make them the averages with these weights.",
            "Compute the averages from the right weights, and compare the numbers.",
        ),
    ),
)

audit_weights = ValueExercise(
    id="audit-weights",
    points=2,
    task="give the right 3 x 3 weights",
    parts=(Part("", "the weights, one row a query, to three decimals or more", audit_weights_model),),
    misconceptions=(
        Misconception(
            "published",
            "these are the printed weights",
            "They do not follow from the scores.",
            "Apply softmax to each row of scores.",
        ),
        Misconception(
            "raw-scores",
            "these are the scores, not the weights",
            "The rows of the scores do not sum to 1. One stage is missing.",
            "Apply softmax to each row.",
        ),
        Misconception(
            "columns",
            "softmax ran down the columns",
            "These columns sum to 1, but the rows do not. A row belongs to a query.",
            "Use a softmax along the last axis.",
        ),
        Misconception(
            "whole-matrix",
            "one softmax ran over all nine scores",
            "All nine weights together sum to 1; each row has to.",
            "Use a softmax along the last axis.",
        ),
        Misconception(
            "ratio",
            "you divided each row of scores by its sum",
            "The rows sum to 1, but these are not softmax weights: the exponential is missing.",
            "Exponentiate before you divide.",
        ),
        Misconception(
            "not-normalised",
            "you exponentiated the scores without dividing by the sum",
            "Weights have to sum to 1 in each row.",
            "Divide each row by its sum.",
        ),
        Misconception(
            "hard",
            "each row has a single 1, at its highest score",
            "That is softmax at temperature 0. Here the temperature is 1.",
            "Use softmax, not the position of the largest score.",
        ),
        Misconception(
            "scaled",
            "you divided the scores by the square root of 2",
            "That is the convention of Part 3; this example uses plain dot products.",
            "Leave the division out.",
        ),
        Misconception(
            "cosine",
            "you scored with the cosine",
            "The printed scores are dot products, and they are right.",
            "Apply softmax to the printed scores.",
        ),
        Misconception(
            "cold",
            "you divided the scores by a temperature",
            "That reproduces part of the printed numbers. The right weights are at temperature 1.",
            "Apply softmax to the scores as they are.",
        ),
        Misconception(
            "two-decimals",
            "your numbers are right, but rounded to two decimals",
            "The check compares three.",
            "Give the array as it is computed, without rounding.",
        ),
    ),
)

audit_contexts = ValueExercise(
    id="audit-contexts",
    points=2,
    task="give the right contexts, those that the printed weights imply, and how many printed ones follow",
    parts=(
        Part("right", "the right contexts, 3 x 2", audit_contexts_model, 0.5),
        Part("implied", "the contexts that follow from the printed weights, 3 x 2", implied_contexts_model, 0.4),
        Part("follow", "how many printed contexts follow from the printed weights", followers_model, 0.1),
    ),
    misconceptions=(
        Misconception(
            "published",
            "you typed the printed contexts as the right ones",
            "They follow from neither the right weights nor the printed ones.",
            "Multiply the right weights by X.",
        ),
        Misconception(
            "implied-as-right",
            "you used the printed weights for both",
            "The right contexts need the right weights, those of the exercise before.",
            "Mix X with your `audit_weights`.",
        ),
        Misconception(
            "right-as-implied",
            "you used the right weights for both",
            "The second question is what the printed weights would give, although they are wrong.",
            "Mix X with the printed weights.",
        ),
        Misconception(
            "exchanged",
            "the two arrays have changed places",
            "What stands under `right` follows from the printed weights, and the other way round.",
            "Exchange the entries `right` and `implied`.",
        ),
        Misconception(
            "scores-mixed",
            "you mixed X with the scores instead of the weights",
            "Scores do not sum to 1, so the result is no average.",
            "Mix X with the weights.",
        ),
        Misconception(
            "weights-transposed",
            "you transposed the weights",
            "Row i of the weights belongs to query i. The matrices are square, so nothing complains.",
            "Multiply weights by X as they are.",
        ),
        Misconception(
            "scaled",
            "you divided the scores by the square root of 2",
            "That is the convention of Part 3; this example uses plain dot products.",
            "Leave the division out.",
        ),
        Misconception(
            "sound",
            "you found that all three printed contexts follow from the printed weights",
            "Rounded to two decimals, the implied contexts differ from the printed ones.",
            "Round your implied contexts to two decimals, and compare row by row.",
        ),
        Misconception(
            "cut-off",
            "you cut the digits off after the second decimal instead of rounding",
            "0.577 rounds to 0.58, not to 0.57.",
            "Round the implied contexts with `round(2)`, and compare again.",
        ),
        Misconception(
            "two-decimals",
            "your numbers are right, but rounded to two decimals",
            "The check compares three.",
            "Give the arrays as they are computed, without rounding.",
        ),
        Misconception(
            "right-two-decimals",
            "the right contexts are right, but rounded to two decimals",
            "The check compares three.",
            "Give the array as it is computed, without rounding.",
        ),
        Misconception(
            "implied-two-decimals",
            "the implied contexts are right, but rounded to two decimals",
            "Rounding belongs to the comparison with the printed ones. The check compares three decimals.",
            "Round a copy for counting, and give the array as it is computed.",
        ),
    ),
)


def pattern_temperature(wrong=frozenset()):
    """The temperature, to one decimal, at which softmax gives the printed rows of The and sat."""
    if "divisor-inverted" in wrong:
        return 2.5
    if "scaled" in wrong:
        return 1.4
    return 1.0 if "no-temperature" in wrong else 0.4


def pattern_odd(wrong=frozenset()):
    """The query whose printed weights fit no single temperature."""
    return "sat" if "largest-fit" in wrong else "cat"


def pattern_most(wrong=frozenset()):
    """The word to which The attends most, by the right weights."""
    if "itself" in wrong:
        return "the"
    return "cat" if "neighbour" in wrong else "sat"


audit_pattern = ValueExercise(
    id="audit-pattern",
    points=3,
    task="say what the pattern of the printed weights suggests",
    parts=(
        Part("temperature", "the temperature of two rows, to one decimal", pattern_temperature, 0.5, decimals=2),
        Part("odd", "the word whose row fits no temperature", pattern_odd, 0.3),
        Part("most", "the word to which The attends most", pattern_most, 0.2),
    ),
    misconceptions=(
        Misconception(
            "divisor-inverted",
            "you give the factor instead of the temperature",
            "Multiplying the scores by 2.5 is dividing them by something else, and that is the temperature.",
            "Give the number by which the scores are divided.",
        ),
        Misconception(
            "scaled",
            "you expect the scores to have been divided by the square root of 2",
            "A divisor above 1 makes weights flatter. The printed ones are sharper than the right ones.",
            "Try temperatures below 1.",
        ),
        Misconception(
            "no-temperature",
            "you give the temperature of the right weights",
            "The question is about the printed weights, which are sharper.",
            "Try temperatures below 1.",
        ),
        Misconception(
            "largest-fit",
            "you name the row with the largest weight",
            "A large weight is no sign of an error; the question is whether one temperature explains all three weights "
            "of a row.",
            "Compute the temperature from each pair of weights in a row, and see in which row the pairs disagree.",
        ),
        Misconception(
            "itself",
            "you expect a word to attend most to itself",
            "A dot product rewards long keys as well as like directions, so another word can win.",
            "Read the largest entry in the first row of the right weights.",
        ),
        Misconception(
            "neighbour",
            "you expect a word to attend most to the next word",
            "The scores know nothing of places in the sentence.",
            "Read the largest entry in the first row of the right weights.",
        ),
    ),
)
