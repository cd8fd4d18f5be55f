import numpy as np

from grader.exercises.inputs import arrays, example, matrix, square, tenths
from grader.exercises.kinds import Case, Property, function
from grader.exercises.stages import slip, softmax


def rows_of_length_one(call, rng):
    lengths = np.linalg.norm(call(matrix(rng, 7, 5)), axis=1)
    worst = lengths[np.abs(lengths - 1).argmax()]
    return None if abs(worst - 1) < 1e-3 else f"a row has length {worst:.4g}"


def rankings_agree(call, rng):
    keys = call(matrix(rng, 11, 3) * rng.uniform(0.3, 3, size=(11, 1)))
    if not np.isfinite(keys).all():
        return "your keys hold NaN or infinity"
    for q in matrix(rng, 20, 3, scale=2.0):
        dot, distance = keys @ q, ((keys - q) ** 2).sum(axis=1)
        best = distance.argmin()
        if dot[best] < dot.max() - 1e-3:
            return f"for one query the nearest of your keys scores {dot[best]:.3g}, another one {dot.max():.3g}"
        along = distance[np.argsort(-dot)]
        if (np.diff(along) < -1e-3).any():
            return "for one query, a key with a lower score lies nearer"
    return None


@function(
    points=2,
    returns="keys",
    library_names=("unit_rows",),
    cases=(
        Case("2 keys of three numbers", arrays(tenths, K=(2, 3)), 0.25),
        Case("7 keys of five numbers", lambda rng: {"K": matrix(rng, 7, 5, scale=2.0)}, 0.2),
        Case("5 keys of five numbers", arrays(square, K=(5,)), 0.1),
        Case("the example of the task", example(K=np.array([[3.0, 4.0], [0.0, 2.0]])), 0.05),
    ),
    properties=(
        Property("every key has length 1", rows_of_length_one, 0.1),
        Property("dot product and distance rank your keys alike, for 20 queries", rankings_agree, 0.2),
    ),
    mistakes="""
    columns: you divided by the lengths of the columns (axis 0) -> Each key is a row; a column holds one number of every
        key. -> Sum the squares along axis 1, and keep the axis.
    whole-matrix: you divided all keys by the same length -> A common factor makes all keys shorter, but a long key
        stays longer than a short one. -> Each row has a length of its own: give the sum an axis.
    first-length: you divided all keys by the length of the first -> Then only the first one has length 1. -> Each row
        has a length of its own.
    query-length: you divided all keys by the length of q, a variable of the notebook -> A key has a length of its own,
        whatever the query is. -> Use the numbers of each row only.
    squared-length
    half-square: you divide by the squared lengths, and once more by 2 -> In Python `K / a ** 1 / 2` is K / a / 2: a
        power comes before a division, and divisions run from left to right. -> Write `np.sqrt(a)`, or `a ** 0.5`.
    multiplied: you multiply each key by its length -> Long keys become longer still. -> Divide.
    sum-as-length: you divided each key by the sum of its numbers -> That sum is not a length: it can be zero or
        negative, and then it turns the key around. -> Use the square root of the sum of squares.
    root-of-square: you divided each key by the size of the sum of its numbers -> The numbers are added first and
        squared afterwards; so they cancel where their signs differ. -> Square first, then add up, then take the root.
    root-of-product: the root holds the keys themselves times their sum -> A parenthesis is in the wrong place:
        `K * K.sum(...)` is not the sum of `K * K`, and where it is negative its root is NaN. -> Square the keys, add
        up, then take the root.
    two-numbers: you take the length of the first two numbers of each key -> A key may have any number of numbers. ->
        Sum over the whole last axis.
    three-numbers: you take the length of the first three numbers of each key -> A key may have any number of numbers.
        -> Sum over the whole last axis.
    standardised: you took each row's mean off and divided by its standard deviation -> That moves every key, and its
        length becomes the square root of d. -> Divide by the length, and leave the rest.
    by-deviation: you divided each key by its standard deviation -> That measures how far its numbers lie from their
        mean, not from zero. -> Use the square root of the sum of squares.
    softmax: you took the softmax of each key -> Then its numbers are positive and sum to 1; its direction is lost. ->
        Divide by the length: the signs stay, and the squares sum to 1.
    last-as-it-was: the last key is left as it was -> The loop ends one round too early. -> It runs as often as there
        are rows.
    first-as-it-was: the first key is left as it was -> Places are counted from 0. -> The loop runs over all rows.
    lengths-returned: you return the lengths -> They are the step before: each key is to be divided by its own. ->
        Return the quotient.
    absolute-sum: you divided by the sum of the absolute values -> That is another kind of length. The Euclidean one is
        the square root of the sum of squares. -> Square, add up, take the root.
    by-largest: you divided each key by the largest size of its numbers -> Then its largest number is 1 or -1, but the
        lengths still differ. -> Use the square root of the sum of squares.
    by-largest-signed: you divided each key by its largest number -> Then that is 1, but the lengths still differ; and a
        negative one turns the key around. -> Use the square root of the sum of squares.
    no-keepdims: the lengths have lost an axis -> A row of lengths is spread over the columns. On a square matrix
        nothing complains, but each number is divided by another key's length. -> Keep the lengths as a column:
        `keepdims=True`.
    """,
)
def normalise_keys(K, wrong=frozenset()):
    """Keys of length 1, with mistakes as switches."""
    K = np.asarray(K, dtype=float)
    axis = 0 if "columns" in wrong else None if "whole-matrix" in wrong else 1
    squares = (K**2).sum(axis=axis, keepdims="no-keepdims" not in wrong)
    slips = {
        "squared-length": squares,
        "by-largest": np.abs(K).max(axis=axis, keepdims=True),
        "sum-as-length": K.sum(axis=axis, keepdims=True),
        "absolute-sum": np.abs(K).sum(axis=axis, keepdims=True),
    }
    lengths = np.sqrt(squares)
    slips |= {
        "by-largest-signed": K.max(axis=axis, keepdims=True),
        "first-length": lengths[:1],
        "query-length": np.sqrt(5.0),
        "half-square": squares * 2,
        "root-of-square": np.abs(K.sum(axis=axis, keepdims=True)),
        "two-numbers": np.sqrt((K[:, :2] ** 2).sum(axis=1, keepdims=True)),
        "three-numbers": np.sqrt((K[:, :3] ** 2).sum(axis=1, keepdims=True)),
        "by-deviation": K.std(axis=1, keepdims=True),
    }
    if "root-of-product" in wrong:
        return K / np.sqrt(K * K.sum(axis=axis, keepdims=True))
    if "multiplied" in wrong:
        return K * lengths
    if "lengths-returned" in wrong:
        return lengths
    if "softmax" in wrong:
        return softmax(K)
    if "standardised" in wrong:
        return (K - K.mean(axis=1, keepdims=True)) / K.std(axis=1, keepdims=True)
    size = slip(wrong, slips, lengths)
    unit = K / size
    for name, row in (("last-as-it-was", -1), ("first-as-it-was", 0)):
        if name in wrong:
            unit[row] = K[row]
    return unit
