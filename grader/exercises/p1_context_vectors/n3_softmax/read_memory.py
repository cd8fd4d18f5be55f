import numpy as np

from grader.exercises.inputs import tenths
from grader.exercises.kinds import Case, Property, function
from grader.exercises.p1_context_vectors.n3_softmax.softmax import softmax


def memory(rng, n, d):
    """A query, keys and values whose scores have both signs, each more than once where there are enough.

    No two scores are alike, none takes all the weight, and no value is the mean of others.
    """
    while True:
        query, keys = tenths(rng, d, low=-1.2, high=1.2), tenths(rng, n, d, low=-2.0, high=2.0)
        scores = np.sort(keys @ query)
        often = 2 if n > 3 else 1
        if scores[often - 1] < -0.05 and scores[-often] > 0.05 and np.diff(scores).min() > 0.05 and np.ptp(scores) < 8:
            return {"query": query, "keys": keys, "values": rng.permutation(np.arange(1, n + 1)) ** 2 * 10.0}


def long_query(rng):
    """A query so long that its best score is 3000."""
    inputs = memory(rng, 5, 2)
    scores = inputs["keys"] @ inputs["query"]
    inputs["query"] = inputs["query"] * 3000.0 / scores[np.abs(scores).argmax()]
    return inputs


def ratio_leaves(rng):
    """A memory of which a ratio of scores reads less than the smallest value or more than the largest, and of which no
    key takes all the weight."""
    while True:
        inputs = memory(rng, 5, 2)
        inputs["query"] = inputs["query"] * 3
        scores = inputs["keys"] @ inputs["query"]
        values, best_two = inputs["values"], np.sort(scores)[-2:]
        ratio = scores @ values / scores.sum()
        if not values.min() - 5 < ratio < values.max() + 5 and np.diff(best_two)[0] < 5:
            return inputs


def stays_between(call, rng):
    for _ in range(3):
        inputs = ratio_leaves(rng)
        inputs["values"] += 1000.0  # far from zero, and from whatever does not add up to all the weight
        result = float(call(*inputs.values()))
        low, high = inputs["values"].min(), inputs["values"].max()
        if not low - 1e-6 <= result <= high + 1e-6:
            return f"the values lie between {low:g} and {high:g}, but it reads {result:.4g}"
    return None


@function(
    points=3,
    returns="number",
    cases=(
        Case("three keys in two dimensions", lambda rng: memory(rng, 3, 2), 0.3),
        Case("seven keys in five dimensions", lambda rng: memory(rng, 7, 5), 0.25),
        Case("as many keys as dimensions", lambda rng: memory(rng, 5, 5), 0.1),
        Case("a very long query", long_query, 0.05),
    ),
    properties=(Property("the result lies between the smallest and the largest value", stays_between, 0.2),),
    mistakes="""
    ratio: you divide the scores by their sum
        That is the broken recipe: negative scores give negative weights, and the sum can be zero. -> Put the scores
        through your softmax.
    unstable: your softmax does not subtract the maximum
        A long query makes large scores, and the powers overflow. -> Mend `softmax` first: its own check tells more.
    returns-weights: you return the weights
        They are the recipe; the dish is the average of the values. -> Multiply each weight with its value, and add up.
    mean-of-products: you took the mean of the weighted values
        The weights sum to 1 already; dividing by n once more makes the answer too small. -> Add the products up.
    column-softmax: every weight is 1
        A softmax of n rows with a single score each: every row sums to 1 by itself, so nothing is shared out. -> The
        scores of one query are one row: `scores[np.newaxis, :]`, not `scores[:, np.newaxis]`.
    cosine: you score by cosine instead of by dot product
        The lengths of query and keys are lost, and with them how decided the answer is. -> Use `keys @ query`.
    absolute-ratio: you made the scores positive by taking their absolute value
        A key that points away from the query then counts as much as one that points towards it. -> Use the exponential:
        it is positive and keeps the order.
    clipped-ratio: you cut off negative scores at zero
        If all scores are negative, the sum is zero, and the ratio breaks again. -> Use softmax: every key keeps a
        positive weight.
    best-only: you return the value of the best key only
        That is a lookup. A soft memory mixes all values by their weights. -> Multiply every weight with its value, and
        add up.
    uniform: you return the plain mean of the values
        Then it does not matter what the query asks. -> Weight the values by the softmax of the scores.
    not-summed: the weighted values are not added up
        The result is one number: what the memory answers. -> Add up the products, or use `@`.
    scaled
    distance: you score by distance instead of by dot product
        A long key can be far away and still have a large dot product. -> Use `keys @ query`.
    """,
)
def read_memory(query, keys, values, wrong=frozenset()):
    """A memory read by softmax, with mistakes as switches."""
    query, keys, values = (np.asarray(array, dtype=float) for array in (query, keys, values))
    scores = keys @ query
    if "cosine" in wrong:
        scores = scores / (np.linalg.norm(keys, axis=-1) * np.linalg.norm(query))
    if "distance" in wrong:
        scores = -((keys - query) ** 2).sum(axis=-1)
    if "scaled" in wrong:
        scores = scores / np.sqrt(keys.shape[-1])
    if "ratio" in wrong:
        return float(scores @ values / scores.sum())
    if "absolute-ratio" in wrong:
        return float(np.abs(scores) @ values / np.abs(scores).sum())
    if "clipped-ratio" in wrong:
        clipped = np.maximum(scores, 0)
        return float(clipped @ values / clipped.sum())
    weights = softmax(scores[None, :], wrong={"no-maximum"} if "unstable" in wrong else frozenset())[0]
    if "returns-weights" in wrong:
        return weights
    if "mean-of-products" in wrong:
        return float((weights * values).mean())
    if "column-softmax" in wrong:
        return float(values.sum())
    if "best-only" in wrong:
        return float(values[scores.argmax()])
    if "uniform" in wrong:
        return float(values.mean())
    if "not-summed" in wrong:
        return weights * values
    return float(weights @ values)
