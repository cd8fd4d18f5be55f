import numpy as np

from grader.exercises.inputs import arrays, example, matrix, square, tenths
from grader.exercises.kinds import Case, Property, function
from grader.exercises.stages import slip


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
    squared-length
    sum-as-length: you divided each key by the sum of its numbers -> That sum is not a length: it can be zero or
        negative, and then it turns the key around. -> Use the square root of the sum of squares.
    absolute-sum: you divided by the sum of the absolute values -> That is another kind of length. The Euclidean one is
        the square root of the sum of squares. -> Square, add up, take the root.
    by-largest: you divided each key by its largest number -> Then the largest number is 1, but the lengths still
        differ. -> Use the square root of the sum of squares.
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
    size = slip(wrong, slips, np.sqrt(squares))
    return K / size
