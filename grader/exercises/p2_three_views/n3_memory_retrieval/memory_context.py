import numpy as np

from grader.exercises.inputs import arrays, example, matrix, square, tenths
from grader.exercises.kinds import Case, Property, function
from grader.exercises.properties import order_is_free
from grader.exercises.stages import mix, score, slip, softmax, weigh

EXAMPLE = {
    "X": np.array([[9.0, 0.0], [0.0, 9.0]]),
    "memory_keys": np.eye(2),
    "memory_values": np.array([[10.0], [20.0]]),
}


def single_large(rng):
    """A single token with scores beyond what an exponential can hold."""
    inputs = large_scores(rng)
    return inputs | {"X": inputs["X"][:1]}


def large_scores(rng):
    """Tokens of which one has scores beyond what an exponential can hold."""
    X, keys, values = matrix(rng, 3, 5), matrix(rng, 7, 5), matrix(rng, 7, 2)
    X[0] = 400 * keys[np.linalg.norm(keys, axis=1).argmax()]
    return {"X": X, "memory_keys": keys, "memory_values": values}


in_any_order = order_is_free(
    arrays(X=(3, 5), memory_keys=(7, 5), memory_values=(7, 2)),
    "memory_keys memory_values",
    "storing the same memories in another order moves the result by {gap}",
)


@function(
    points=3,
    returns="context",
    cases=(
        Case(
            "2 tokens, 3 memories of five numbers",
            arrays(tenths, X=(2, 2), memory_keys=(3, 2), memory_values=(3, 5)),
            0.2,
        ),
        Case("7 tokens, 5 memories of two numbers", arrays(X=(7, 3), memory_keys=(5, 3), memory_values=(5, 2)), 0.2),
        Case("all sizes equal to 5", arrays(square, X=(5,), memory_keys=(5,), memory_values=(5,)), 0.15),
        Case("a token with very large scores, beside others", large_scores, 0.1),
        Case("a single token with very large scores", single_large, 0.05),
        Case("the example of the task", example(**EXAMPLE), 0.05),
    ),
    properties=(Property("the order of the memories does not matter", in_any_order, 0.15),),
    mistakes="""
    keys-mixed
    keys-ask: the memories ask and the tokens answer -> Then there is a row for each memory. Each token shall read: the
        tokens are the queries. -> Tokens in the rows of the scores, memories in the columns.
    tokens-read-tokens: the tokens read each other, not the memory -> That is Part 1's context, with the tokens as
        queries, keys and values. -> Only the queries come from the sentence; keys and values come from the memory.
    columns: you normalised down the columns -> Down a column the tokens compete for a memory. Each token divides its
        own attention among the memories. -> One softmax for each row of the scores.
    ratio
    best-only: you return the value of the best memory alone -> Each token hears all memories, each by its weight; the
        best one is only the loudest. -> Mix all of them by their weights.
    weights-returned
    no-maximum
    global-maximum
    added-to-input: you add what was read to the tokens -> Large models do add it (a residual connection), but as a step
        of its own. -> Return what was read, alone.
    scaled: you divide the scores by the square root of the dimension -> That is for later (Part 3); here the plain dot
        scores are asked for. -> Leave the scores as they are.
    raw-scores
    whole-matrix
    sum-of-all
    not-normalised
    uniform
    cosine
    distance: you score by distance instead of by dot product -> Both agree only if all keys have the same length. ->
        Use the dot products of the tokens with the keys.
    minus: the scores have the wrong sign -> The memory that matches worst would get the largest weight. -> A larger
        score means a better match; keep the sign.
    sharpened: the scores are multiplied by 20 -> That is for the atlas, and there it is done to the tokens before they
        read. -> Leave the scores as they are.
    """,
)
def memory_context(X, memory_keys, memory_values, wrong=frozenset()):
    """Tokens that read an external memory, with mistakes as switches."""
    X, keys, values = (np.asarray(array, dtype=float) for array in (X, memory_keys, memory_values))
    scores = score(X, keys, wrong)
    weights = weigh(slip(wrong, {"minus": -scores, "sharpened": 20 * scores}, scores), wrong)
    if "tokens-read-tokens" in wrong:
        return softmax(X @ X.T) @ X
    if "weights-returned" in wrong:
        return weights
    context = mix(weights, keys, X if "keys-ask" in wrong else values, wrong)
    return context + X if "added-to-input" in wrong else context
