import numpy as np

from grader.exercises.inputs import example, tenths
from grader.exercises.kinds import Case, Property, function
from grader.exercises.properties import told
from grader.exercises.stages import SOME, mix, score, slip, softmax, weigh


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
    """A query so long that its best score is 3000, that of the fourth key of five, and the second best is above 1000.

    The fourth gets all the weight: who leaves it out always shows, and who leaves out the first or the last never.
    """
    while True:
        inputs = memory(rng, 5, 2)
        scores = inputs["keys"] @ inputs["query"]
        inputs["query"] = inputs["query"] * 3000.0 / scores[np.abs(scores).argmax()]
        scores = inputs["keys"] @ inputs["query"]
        second = np.sort(scores)[-2]  # whoever cuts the scores off takes both alike, wherever that is
        if scores.argmax() == 3 and 1000 < second < 2900:
            return inputs


def ratio_leaves(rng):
    """A memory of which a ratio of scores reads less than the smallest value or more than the largest, and of which the
    first and the last key both have more than a fifth of the weight: leaving out either shows."""
    while True:
        inputs = memory(rng, 5, 2)
        inputs["query"] = inputs["query"] * 3
        scores = inputs["keys"] @ inputs["query"]
        order = np.roll(np.argsort(scores), 1)  # the best first, the second best last
        keys, values, scores = inputs["keys"][order], inputs["values"][order], scores[order]
        ratio = scores @ values / scores.sum()
        if softmax(scores)[-1] > 0.2 and not values.min() - 5 < ratio < values.max() + 5:
            return inputs | {"keys": keys, "values": values}


#: Which of the weighted values are added up, by the slip.
TERMS = SOME | {"three-terms": slice(3)}


def stays_between(call, rng):
    for _ in range(3):
        inputs = ratio_leaves(rng)
        inputs["values"] += 1000.0  # far from zero, and from whatever does not add up to all the weight
        result = float(call(*inputs.values()))
        low, high = inputs["values"].min(), inputs["values"].max()
        if not low - 1e-6 <= result <= high + 1e-6:
            found = told(result, low if result < low else high)
            return f"the values lie between {low:g} and {high:g}, but it reads {found}"
    return None


EXAMPLE = {
    "query": np.array([1.0, 1.0]),
    "keys": np.array([[1.0, 0.0], [0.0, 1.0], [1.0, 1.0]]),
    "values": np.array([10.0, 20.0, 30.0]),
}


@function(
    points=3,
    returns="number",
    cases=(
        Case("three keys in two dimensions", lambda rng: memory(rng, 3, 2), 0.25),
        Case("seven keys in five dimensions", lambda rng: memory(rng, 7, 5), 0.25),
        Case("as many keys as dimensions", lambda rng: memory(rng, 5, 5), 0.1),
        Case("a very long query", long_query, 0.05),
        Case("the example of the task", example(**EXAMPLE), 0.05),
    ),
    properties=(Property("the result lies between the smallest and the largest value", stays_between, 0.2),),
    mistakes="""
    ratio
    no-maximum: your softmax does not subtract the maximum -> A long query makes large scores, and the powers overflow.
        -> Mend `softmax` first: its own check tells more.
    shifted-ratio
    squares
    raw-denominator
    not-normalised
    clipped
    raw-scores: you weight the values with the scores themselves -> Scores can be negative, and they do not sum to 1:
        what is read is no average. -> Softmax comes between the scores and the values.
    values-weighed: your softmax takes the values, not the scores -> The values are what is read; how much of each is
        decided by the query and the keys alone. -> Put the scores of the keys through the softmax.
    first-term
    last-term
    last-left-out
    first-left-out
    three-terms: you add up the first three keys only -> That suits the example; a memory may hold any number of keys.
        -> Take as many as there are.
    weights-returned
    averaged-again
    column-softmax: every value counts fully: you add up plain values -> Either softmax ran over n rows with a single
        score each, and every row sums to 1 by itself; or weights and values are added up apart from each other. -> The
        scores of one query are one row, `scores[np.newaxis, :]`, and each value is multiplied by its own weight before
        anything is added up.
    cosine
    absolute-ratio: you made the scores positive by taking their absolute value -> A key that points away from the query
        then counts as much as one that points towards it. -> Use the exponential: it is positive and keeps the order.
    clipped-ratio: you cut off negative scores at zero -> If all scores are negative, the sum is zero, and the ratio
        breaks again. -> Use softmax: every key keeps a positive weight.
    best-only
    uniform
    not-summed: the weighted values are not added up -> The result is one number: what the memory answers. -> Add up the
        products, or use `@`.
    scaled
    distance: you score by distance instead of by dot product -> A long key can be far away and still have a large dot
        product. -> Use `keys @ query`.
    """,
)
def read_memory(query, keys, values, wrong=frozenset()):
    """A memory read by softmax, with mistakes as switches."""
    query, keys, values = (np.asarray(array, dtype=float) for array in (query, keys, values))
    scores = score(query[None], keys, wrong)[0]
    if "absolute-ratio" in wrong:
        scores = np.abs(scores)
    if "clipped-ratio" in wrong:
        scores = np.maximum(scores, 0)
    if "values-weighed" in wrong:
        scores, values = values, scores
    if wrong & {"absolute-ratio", "clipped-ratio"}:
        weights = scores / scores.sum()
    else:
        weights = weigh(np.clip(scores, -500, 500) if "clipped" in wrong else scores, wrong)
    if "weights-returned" in wrong:
        return weights
    if "column-softmax" in wrong:
        return float(values.sum())
    if wrong & set(TERMS):
        return float((weights * values)[slip(wrong, TERMS, None)].sum())
    return weights * values if "not-summed" in wrong else float(mix(weights, keys, values, wrong))
