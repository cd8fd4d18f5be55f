"""Part 1, notebook 2: how well does each query match each key?"""

import numpy as np

from grader.exercise import Case, ChoiceExercise, FunctionExercise, Misconception, Part, Property, ValueExercise
from grader.exercises.inputs import matrix, tenths


def whole_numbers(rng, *shape):
    """Small whole numbers, none of them zero."""
    return rng.choice([-4, -3, -2, -1, 1, 2, 3, 4], size=shape)


def queries_and_keys(n_queries, n_keys, d, make=matrix):
    """A function of a generator that makes Q (n_queries, d) and K (n_keys, d)."""
    return lambda rng: {"Q": make(rng, n_queries, d), "K": make(rng, n_keys, d)}


def short_tenths(rng, *shape):
    """Rows of three numbers with one decimal, each row shorter than 1."""
    return tenths(rng, *shape, low=-0.5, high=0.5)


def very_short(rng, *shape):
    """Normally distributed numbers, each row far shorter than 1."""
    return matrix(rng, *shape, scale=0.05)


def short_queries_long_keys(rng):
    """Queries shorter than 1 and keys so long that all products of two lengths are above 1."""
    Q, K = directions(matrix(rng, 7, 11)), directions(matrix(rng, 3, 11))
    return {"Q": Q * rng.uniform(0.4, 0.9, size=(7, 1)), "K": K * rng.uniform(3, 4, size=(3, 1))}


def asked_one_by_one(call, rng):
    Q, K = matrix(rng, 5, 3), matrix(rng, 2, 3)
    together = call(Q, K)
    alone = np.concatenate([call(q[np.newaxis], K) for q in Q])
    difference = np.abs(alone - together).max()
    return None if difference < 1e-3 else f"a query asked alone gets other scores, by {difference:.3g}"


# ---------------------------------------------------------------- predict

predict_scores = ChoiceExercise(
    id="predict-scores",
    points=1,
    task='type the letter in quotation marks, for example `predict_scores = "a"`',
    right="c",
    because={
        "a": "nothing points more like a vector than the vector itself, true. But a dot product does not only look at "
        "directions. What happens to it when one of the two vectors is made twice as long?",
        "b": "a large number helps only where the other vector has a large number in the same place. Where is the "
        "larger number of The?",
        "c": "sat points almost the same way as The, and it is longer: a dot product rewards long keys. "
        "The scores are 0.29 for The, 0.21 for cat and 0.51 for sat.",
        "d": "the vectors differ in direction and in length, and a dot product notices both.",
    },
)


# ---------------------------------------------------------------- dot product


def directions(X):
    """Rows of length 1; a row of zeros stays as it is."""
    length = np.sqrt((X**2).sum(axis=-1, keepdims=True))
    return X / np.where(length == 0, 1.0, length)


def added_up(terms, wrong):
    """Terms (n_queries, n_keys, d) added over the last axis, or over another one by mistake."""
    if "no-sum" in wrong:
        return terms
    if "sum-over-keys" in wrong:
        return terms.sum(axis=1)
    if "sum-over-queries" in wrong:
        return terms.sum(axis=0)
    return terms.sum(axis=-1)


def dot_scores_model(Q, K, wrong=frozenset()):
    """Every query times every key, with the mistakes that people make as switches."""
    Q, K = np.asarray(Q, dtype=float), np.asarray(K, dtype=float)
    d = Q.shape[-1]
    if "cosine" in wrong:
        Q, K = directions(Q), directions(K)
    if "queries-only" in wrong:
        K = Q
    if "keys-only" in wrong:
        Q = K
    if "no-transpose" in wrong:
        return Q @ K
    if "queries-turned" in wrong:
        return Q.T @ K
    if "reshaped" in wrong:
        return Q @ K.reshape(d, -1)
    if "elementwise" in wrong:
        return Q * K
    if "row-pairs" in wrong:
        return (Q * K).sum(axis=-1)
    terms = Q[:, np.newaxis] * K[np.newaxis]  # (n_queries, n_keys, d)
    if "distance" in wrong:
        terms = (Q[:, np.newaxis] - K[np.newaxis]) ** 2
    scores = added_up(terms, wrong)
    if "scaled" in wrong:
        scores = scores / np.sqrt(d)
    if "first-query" in wrong:
        scores = scores[0]
    if "first-row" in wrong:
        scores = scores[:1]
    if "first-round" in wrong:
        scores = np.concatenate([scores[:1], np.zeros_like(scores[1:])])
    if "first-pair" in wrong:
        first = np.zeros_like(scores)
        first[:1, :1] = scores[:1, :1]
        scores = first
    return scores.T if "keys-first" in wrong else scores


def longer_key(call, rng):
    Q, K = matrix(rng, 2, 3), matrix(rng, 5, 3)
    before = call(Q, K)
    K[1] *= 2
    after = call(Q, K)
    before[:, 1] *= 2
    difference = np.abs(after - before).max()
    return None if difference < 1e-3 else f"with the second key twice as long, a score is off by {difference:.3g}"


SUM_MISTAKES = (
    Misconception(
        "sum-over-keys",
        "you added up over the keys, instead of over the numbers of a vector",
        "Axis 1 counts the keys. When it is added up, nobody can tell any more which key answered.",
        "Add up over the axis of length d, the last one; the axes of queries and keys must both survive.",
    ),
    Misconception(
        "sum-over-queries",
        "you added up over the queries, instead of over the numbers of a vector",
        "Axis 0 counts the queries. When it is added up, nobody can tell any more who asked.",
        "Add up over the axis of length d, the last one; the axes of queries and keys must both survive.",
    ),
    Misconception(
        "no-sum",
        "the last step is missing: nothing is added up",
        "Each pair of query and key must get one number. You return d numbers for each pair.",
        "Add up over the last axis.",
    ),
)

dot_scores = FunctionExercise(
    id="dot_scores",
    points=3,
    task="write `dot_scores(Q, K)`",
    model=dot_scores_model,
    returns="scores",
    cases=(
        Case("2 queries, 5 keys, 3 numbers each", queries_and_keys(2, 5, 3, tenths), 0.25),
        Case("7 queries, 3 keys, 11 numbers each", queries_and_keys(7, 3, 11), 0.15),
        Case("5 queries, 5 keys, 5 numbers each", queries_and_keys(5, 5, 5), 0.1),
        Case("whole numbers", queries_and_keys(3, 5, 2, whole_numbers), 0.1),
        Case("one query only", queries_and_keys(1, 3, 2), 0.1),
    ),
    properties=(
        Property("a key twice as long scores twice as much", longer_key, 0.1),
        Property("each query is served alone", asked_one_by_one, 0.1),
    ),
    misconceptions=(
        Misconception(
            "keys-first",
            "your result is transposed: a row for each key",
            "Row i should hold the scores of query i. Here rows and columns have changed places, and the softmax of "
            "the next notebook would normalise over the wrong ones. With Q = K you would never notice.",
            "Put the queries first in the product, and turn the keys.",
        ),
        Misconception(
            "no-transpose",
            "you multiply Q by K without turning K",
            "A matrix product pairs the rows of the left with the columns of the right. A key is a row of K. Unless "
            "shapes happen to fit, NumPy refuses; if they fit, the numbers are wrong.",
            "Write the shapes under the product: the two inner ones must both be d.",
        ),
        Misconception(
            "elementwise",
            "you multiply Q and K entry by entry (`*`)",
            "That pairs number with number. A score needs each query with each key, and one sum for each pair.",
            "Use the matrix product `@`, and write the shapes under it.",
        ),
        Misconception(
            "row-pairs",
            "query 1 meets only key 1, query 2 only key 2",
            "Every query must meet every key: n_queries times n_keys scores, not one for each row.",
            "Two loops visit all pairs; one matrix product does the same.",
        ),
        Misconception(
            "queries-only",
            "you score the queries against each other; the keys are never used",
            "The sentence of section 2 has Q = K, which hides it. In general, others are asked than those who ask.",
            "Look for the second argument in your body.",
        ),
        Misconception(
            "keys-only",
            "you score the keys against each other; the queries are never used",
            "The sentence of section 2 has Q = K, which hides it. In general, others ask than those who answer.",
            "Look for the first argument in your body.",
        ),
        Misconception(
            "queries-turned",
            "you turn the queries instead of the keys",
            "Then numbers at the same place of different vectors meet, and the inner lengths count queries and keys.",
            "Write the shapes under the product: the two inner ones must both be d.",
        ),
        Misconception(
            "reshaped",
            "you give K another shape with `reshape` instead of turning it",
            "`reshape` keeps the order in which the numbers are stored and only cuts it elsewhere. The shape fits, but "
            "the columns are no keys.",
            "To turn a matrix is to make each row a column: `.T`.",
        ),
        Misconception(
            "cosine",
            "you return cosines, not dot products",
            "You divide the lengths out. A dot product keeps them: a key twice as long scores twice as much.",
            "Leave the vectors as long as they are.",
        ),
        Misconception(
            "scaled",
            "you divide by the square root of d",
            "Scaled scores come in Part 3, for a reason that you will measure there. Here the plain dot product is "
            "asked.",
            "Leave out the division.",
        ),
        Misconception(
            "distance",
            "you return squared distances",
            "A distance is small where vectors are alike, a score is large there.",
            "Multiply number by number and add up; nothing is subtracted.",
        ),
        Misconception(
            "first-query",
            "you return the scores of the first query only",
            "A `return` inside a loop ends it in the first round.",
            "Collect a row for each query, and return after the loop.",
        ),
        Misconception(
            "first-row",
            "you return a matrix with the scores of the first query only",
            "A `return` inside a loop ends it in the first round, when only one row has been collected.",
            "Return after the loop: the `return` starts in the same column as the `for`.",
        ),
        Misconception(
            "first-round",
            "only the first row is filled, and the others are still zero",
            "A `return` inside a loop ends it in the first round, before the other queries have had their turn.",
            "Return after the loop: the `return` starts in the same column as the outer `for`.",
        ),
        Misconception(
            "first-pair",
            "only the first score of the first query is filled, and all others are still zero",
            "A `return` inside the inner loop ends both loops after the first pair.",
            "Return after both loops: the `return` starts in the same column as the outer `for`.",
        ),
        *SUM_MISTAKES,
    ),
)


# ---------------------------------------------------------------- cosine


def lengths(X, wrong):
    """What the rows of X are divided by."""
    if "columns" in wrong:
        length = np.sqrt((X**2).sum(axis=0, keepdims=True))
    elif "whole-matrix" in wrong:
        length = np.sqrt((X**2).sum(keepdims=True))
    elif "no-keepdims" in wrong or "flat-lengths" in wrong:
        length = np.sqrt((X**2).sum(axis=-1))
    elif "sum-as-length" in wrong:
        length = X.sum(axis=-1, keepdims=True)
    elif "absolute-sum" in wrong:
        length = np.abs(X).sum(axis=-1, keepdims=True)
    else:
        length = np.sqrt((X**2).sum(axis=-1, keepdims=True))
    if "squared-length" in wrong:
        length = length**2
    if "short-as-one" in wrong:
        length = np.maximum(length, 1)
    return length if "zero-vector" in wrong else np.where(length == 0, 1.0, length)


def cosine_scores_model(Q, K, wrong=frozenset()):
    """The cosine of every query with every key, with the mistakes that people make as switches."""
    truncates = "kept-integer" in wrong
    Q_unit, K_unit = (one_length(X, wrong, truncates and np.asarray(X).dtype.kind in "iu") for X in (Q, K))
    Q, K = np.asarray(Q, dtype=float), np.asarray(K, dtype=float)
    if "keys-only" in wrong or "dot" in wrong:
        Q_unit = Q
    if "queries-only" in wrong or "dot" in wrong:
        K_unit = K
    cosines = Q_unit @ K_unit.T
    if "flat-lengths" in wrong:
        cosines = Q @ K.T / (lengths(Q, wrong) * lengths(K, wrong))
    if "product-as-one" in wrong:
        rightly = frozenset()
        cosines = Q @ K.T / np.maximum(lengths(Q, rightly) * lengths(K, rightly).T, 1)
    if "angle" in wrong:
        cosines = np.arccos(np.clip(cosines, -1, 1))
    if "one-minus" in wrong:
        cosines = 1 - cosines
    return cosines.T if "keys-first" in wrong else cosines


def one_length(X, wrong, truncate):
    """The rows of X, each divided by its length; cut off to whole numbers by one of the mistakes."""
    X = np.asarray(X, dtype=float)
    if "flat-lengths" in wrong:
        return X
    with np.errstate(invalid="ignore", divide="ignore"):
        unit = X / lengths(X, wrong)
    return np.trunc(unit) if truncate else unit


def length_changes_nothing(call, rng):
    Q, K = matrix(rng, 3, 5), matrix(rng, 2, 5)
    before = call(Q, K)
    shorter_and_longer = rng.permutation([[0.05], [0.3], [4.0]]), rng.permutation([[0.05], [4.0]])
    after = call(Q * shorter_and_longer[0], K * shorter_and_longer[1])
    difference = np.abs(after - before).max()
    return None if difference < 1e-3 else f"with other lengths, a cosine moves by {difference:.3g}"


def one_with_itself(call, rng):
    X = directions(matrix(rng, 3, 5)) * rng.permutation([[0.4], [1.7], [3.0]])
    diagonal = np.diagonal(call(X, X))
    worst = diagonal[np.abs(diagonal - 1).argmax()]
    return None if abs(worst - 1) < 1e-3 else f"a vector has the cosine {worst:.4g} with itself"


def zero_scores_zero(call, rng):
    Q, K = matrix(rng, 2, 3), matrix(rng, 5, 3)
    Q[0], K[2] = 0, 0
    cosines = call(Q, K)
    if not np.isfinite(cosines).all():
        return "a vector of zeros gives NaN or infinity"
    affected = np.abs(np.concatenate([cosines[0], cosines[:, 2]])).max()
    return None if affected < 1e-3 else f"a vector of zeros has a cosine of {affected:.4g}"


cosine_scores = FunctionExercise(
    id="cosine_scores",
    library_names=("unit_rows",),
    points=3,
    task="write `cosine_scores(Q, K)`",
    model=cosine_scores_model,
    returns="scores",
    cases=(
        Case("2 queries, 5 keys, 3 numbers each, all shorter than 1", queries_and_keys(2, 5, 3, short_tenths), 0.25),
        Case("7 short queries, 3 long keys, 11 numbers each", short_queries_long_keys, 0.15),
        Case("5 queries, 5 keys, 5 numbers each, all very short", queries_and_keys(5, 5, 5, very_short), 0.1),
        Case("whole numbers", queries_and_keys(3, 5, 2, whole_numbers), 0.1),
    ),
    properties=(
        Property("the length of a vector does not matter", length_changes_nothing, 0.1),
        Property("the cosine of a vector with itself is 1", one_with_itself, 0.1),
        Property("the cosine of a vector of zeros is 0", zero_scores_zero, 0.1),
    ),
    misconceptions=(
        Misconception(
            "keys-first",
            "your result is transposed: a row for each key",
            "Row i should hold the cosines of query i. Here rows and columns have changed places.",
            "Put the queries first in the product, and turn the keys.",
        ),
        Misconception(
            "dot",
            "you return dot products: nothing is divided by the lengths",
            "A long key still wins by its length. A cosine sees directions only, and lies between -1 and 1.",
            "Divide each query and each key by its own length.",
        ),
        Misconception(
            "keys-only",
            "you divide by the lengths of the keys, but not by those of the queries",
            "The order of the keys is right in each row, but the numbers are no cosines: they grow with the query.",
            "Divide by the length of the query as well.",
        ),
        Misconception(
            "queries-only",
            "you divide by the lengths of the queries, but not by those of the keys",
            "A long key still wins by its length, as with the dot product.",
            "Divide by the length of the key as well.",
        ),
        Misconception(
            "columns",
            "you took the length of each column (axis 0), not of each row",
            "A token is a row. The length of a column mixes one coordinate of all tokens.",
            "Compute the length along the last axis, with `keepdims=True`.",
        ),
        Misconception(
            "whole-matrix",
            "you took one length for the whole matrix",
            "Without an axis, `np.linalg.norm` gives a single number for all rows together. Long rows stay longer "
            "than short ones.",
            "Give the norm an axis: each row has a length of its own.",
        ),
        Misconception(
            "no-keepdims",
            "the lengths have lost an axis",
            "Lengths of shape (n,) are spread over the columns, not the rows. NumPy refuses, unless the matrix is "
            "square: then each column is divided by the length of another row.",
            "Use `keepdims=True`, so that the lengths have shape (n, 1).",
        ),
        Misconception(
            "flat-lengths",
            "the lengths of queries and keys are multiplied row by row, not each with each",
            "The score in row i and column j needs the length of query i and the length of key j. A flat product "
            "takes both from the same place; with as many keys as queries nothing complains.",
            "Make the lengths of the queries a column and those of the keys a row before you divide.",
        ),
        Misconception(
            "squared-length",
            "you divide by the squared lengths",
            "The sum of the squares is the length squared. Divided by it, a long vector becomes short.",
            "Take the square root of the sum of the squares.",
        ),
        Misconception(
            "sum-as-length",
            "you divide each row by its sum",
            "The sum of a row is not its length. It can even be negative or zero.",
            "The length is the square root of the sum of the squares.",
        ),
        Misconception(
            "absolute-sum",
            "you divide by the sum of the absolute values",
            "That is a length in city blocks. With it, a vector does not have the cosine 1 with itself.",
            "The length is the square root of the sum of the squares.",
        ),
        Misconception(
            "angle",
            "you return angles, not cosines",
            "An angle is small where vectors are alike, a cosine is large there.",
            "Leave out the arccosine.",
        ),
        Misconception(
            "one-minus",
            "you return one minus the cosine",
            "Some libraries call that the cosine distance: it is 0 for equal directions. A score is largest there.",
            "Return the cosine itself.",
        ),
        Misconception(
            "kept-integer",
            "decimals are lost when the input holds whole numbers",
            "An array made with `np.zeros_like` or `np.empty_like` of whole numbers holds whole numbers only, and cuts "
            "off what does not fit.",
            "Let NumPy make the result of the division, or ask for `dtype=float`.",
        ),
        Misconception(
            "product-as-one",
            "where the product of the two lengths is below 1, you divide by 1",
            "`np.maximum(..., 1)` raises every product below 1, not only those that are 0. Short vectors get cosines "
            "that are too small.",
            "Put 1 only in the place of a length that is exactly 0.",
        ),
        Misconception(
            "short-as-one",
            "a length below 1 counts as 1 in your division",
            "`np.maximum(length, 1)` raises every length below 1, not only those that are 0. Short vectors stay short.",
            "Put 1 only in the place of a length that is exactly 0.",
        ),
        Misconception(
            "zero-vector",
            "a vector of zeros gives NaN",
            "Its length is 0, and 0/0 is NaN. One empty row would spoil everything that is computed from it later.",
            "Where a length is 0, divide by 1 instead: zeros stay zeros.",
        ),
    ),
)


# ---------------------------------------------------------------- distance


MULTIPLIED_OUT = frozenset(
    {
        "lost-axis",
        "keys-as-column",
        "plus-sign",
        "no-two",
        "no-product",
        "lengths-not-squared",
        "whole-matrix",
        "no-query-length",
        "no-key-length",
    }
)


def multiplied_out(Q, K, wrong):
    """|q|^2 - 2 q.k + |k|^2, with the mistakes that people make in it."""
    if "whole-matrix" in wrong:
        of_queries, of_keys = (Q**2).sum(keepdims=True), (K**2).sum(keepdims=True)
    else:
        of_queries, of_keys = (Q**2).sum(axis=-1, keepdims=True), (K**2).sum(axis=-1, keepdims=True)
    if "lengths-not-squared" in wrong:
        of_queries, of_keys = np.sqrt(of_queries), np.sqrt(of_keys)
    if "lost-axis" in wrong:
        of_queries = of_queries[:, 0]
    if "keys-as-column" not in wrong:
        of_keys = of_keys[:, 0]
    times = 0 if "no-product" in wrong else -1 if "no-two" in wrong else -2
    if "plus-sign" in wrong:
        times = -times
    distances = times * (Q @ K.T)
    if "no-query-length" not in wrong:
        distances = distances + of_queries
    return distances if "no-key-length" in wrong else distances + of_keys


def squared_distances_model(Q, K, wrong=frozenset()):
    """The squared distance of every query from every key, with the mistakes that people make as switches."""
    Q, K = np.asarray(Q, dtype=float), np.asarray(K, dtype=float)
    if "row-pairs" in wrong:
        return ((Q - K) ** 2).sum(axis=-1)
    differences = Q[:, np.newaxis] - K[np.newaxis]  # (n_queries, n_keys, d)
    if "sum-first" in wrong:
        distances = added_up(differences, wrong) ** 2
    elif "absolute" in wrong:
        distances = added_up(np.abs(differences), wrong)
    else:
        distances = added_up(differences**2, wrong)
    if wrong & MULTIPLIED_OUT:
        distances = multiplied_out(Q, K, wrong)
    if "lengths-only" in wrong:
        distances = (np.linalg.norm(Q, axis=1)[:, np.newaxis] - np.linalg.norm(K, axis=1)) ** 2
    if "mean" in wrong:
        distances = distances / Q.shape[-1]
    if "root" in wrong:
        distances = np.sqrt(np.maximum(distances, 0))
    if "negated" in wrong:
        distances = -distances
    return distances.T if "keys-first" in wrong else distances


def zero_from_itself(call, rng):
    X = matrix(rng, 3, 5)
    farthest = np.abs(np.diagonal(call(X, X))).max()
    return None if farthest < 1e-3 else f"a vector has the distance {farthest:.4g} from itself"


def shift_changes_nothing(call, rng):
    Q, K, shift = matrix(rng, 3, 5), matrix(rng, 2, 5), matrix(rng, 5)
    difference = np.abs(call(Q + shift, K + shift) - call(Q, K)).max()
    return None if difference < 1e-3 else f"moving all vectors by the same step changes a distance by {difference:.3g}"


squared_distances = FunctionExercise(
    id="squared_distances",
    points=3,
    task="write `squared_distances(Q, K)`",
    model=squared_distances_model,
    returns="distances",
    cases=(
        Case("2 queries, 5 keys, 3 numbers each", queries_and_keys(2, 5, 3, tenths), 0.25),
        Case("7 queries, 3 keys, 11 numbers each", queries_and_keys(7, 3, 11), 0.15),
        Case("5 queries, 5 keys, 5 numbers each", queries_and_keys(5, 5, 5), 0.1),
        Case("whole numbers", queries_and_keys(3, 5, 2, whole_numbers), 0.1),
    ),
    properties=(
        Property("a vector has distance 0 from itself", zero_from_itself, 0.1),
        Property("moving all vectors by the same step changes nothing", shift_changes_nothing, 0.1),
        Property("each query is served alone", asked_one_by_one, 0.1),
    ),
    misconceptions=(
        Misconception(
            "keys-first",
            "your result is transposed: a row for each key",
            "Row i should hold the distances of query i. Here rows and columns have changed places.",
            "Let the queries count the rows, and the keys the columns.",
        ),
        Misconception(
            "root",
            "you took the square root",
            "That is the distance. The squared distance is asked: it needs no root, and the nearest key is the same.",
            "Stop one step earlier.",
        ),
        Misconception(
            "plus-sign",
            "the product is added instead of subtracted",
            "With a plus you get the squared length of q + k, which is large where the vectors are alike.",
            "Look at the sign of the middle term.",
        ),
        Misconception(
            "no-two",
            "the product is subtracted once, not twice",
            "Multiply out (q - k) . (q - k): q . k comes up twice. Without the 2, a vector is not at distance 0 from "
            "itself.",
            "Compare your middle term with the formula.",
        ),
        Misconception(
            "no-product",
            "the product of query and key is missing",
            "Two squared lengths say nothing about directions: two vectors of length 1 could be equal or opposite.",
            "Subtract what the formula has in the middle.",
        ),
        Misconception(
            "lengths-only",
            "you compare the lengths of the vectors, not the vectors",
            "Vectors of equal length can point in opposite directions; their distance is not 0.",
            "Subtract the vectors first; the length comes afterwards.",
        ),
        Misconception(
            "negated",
            "your distances are negative",
            "A negative distance can serve as a score, because it is largest for the nearest key. Here the squared "
            "distance itself is asked.",
            "Leave out the minus sign.",
        ),
        Misconception(
            "mean",
            "you took the mean of the squares instead of their sum",
            "The mean divides by d, so the result is not the length of any vector.",
            "Add up; do not average.",
        ),
        Misconception(
            "sum-first",
            "you added up the differences before you squared",
            "Differences of opposite sign cancel: (1, -1) would be at distance 0 from the origin.",
            "Square each difference first.",
        ),
        Misconception(
            "absolute",
            "you added up absolute differences instead of squares",
            "That is a distance in city blocks.",
            "Square each difference.",
        ),
        Misconception(
            "row-pairs",
            "query 1 meets only key 1, query 2 only key 2",
            "`Q - K` pairs row with row. NumPy refuses when the counts differ; when they agree, only row i with "
            "row i is compared.",
            "Give each array an axis of its own for the other's rows, or use the formula with the product.",
        ),
        Misconception(
            "lost-axis",
            "the squared lengths of the queries lie along the columns",
            "A flat array of shape (n_queries,) is spread over the columns. There must be one for each row.",
            "Make them a column of shape (n_queries, 1).",
        ),
        Misconception(
            "keys-as-column",
            "the squared lengths of the keys stand in a column",
            "A column belongs to the queries, one number for each row. Each key has a column of the result, so its "
            "length must be spread down that column.",
            "Leave the squared lengths of the keys flat, of shape (n_keys,).",
        ),
        Misconception(
            "lengths-not-squared",
            "the lengths are not squared",
            "The formula has the squares of the two lengths. `np.linalg.norm` gives the length itself.",
            "Square the lengths, or add up the squares and take no root.",
        ),
        Misconception(
            "whole-matrix",
            "you add up the squares of a whole matrix",
            "Without an axis, `sum` and `np.linalg.norm` give a single number for all rows together. Each query and "
            "each key has a length of its own.",
            "Say which axis to add up.",
        ),
        Misconception(
            "no-query-length",
            "the squared length of the query is missing",
            "It is the same for all keys, so the nearest key is right. But the numbers are no distances: they can be "
            "negative.",
            "Add what the formula begins with.",
        ),
        Misconception(
            "no-key-length",
            "the squared length of the key is missing",
            "Then a long key counts as near only because it is long.",
            "Add what the formula ends with.",
        ),
        *SUM_MISTAKES,
    ),
)


# ---------------------------------------------------------------- reading a matrix

SENTENCE = ("The", "cat", "sat")
X = np.array([[0.2, 0.5], [0.8, 0.1], [0.3, 0.9]])
ASKERS = np.array([[0.6, 0.2], [0.4, 1.0]])


def favourites(wrong):
    """For each token of the sentence, the token that it is taken to score highest."""
    scores = X @ X.T
    if "diagonal" in wrong:
        return list(SENTENCE)
    return [SENTENCE[j] for j in (scores.argmin(axis=1) if "smallest" in wrong else scores.argmax(axis=1))]


def the_prefers(wrong=frozenset()):
    return "The" if "itself" in wrong else favourites(wrong)[0]


def cat_on_sat(wrong=frozenset()):
    return float((X @ X.T)[1, 2])


def not_themselves(wrong=frozenset()):
    pairs = zip(SENTENCE, favourites(wrong), strict=True)
    return [word for word, favourite in pairs if (word != favourite) != ("those-who-do" in wrong)]


def it_on_cat(wrong=frozenset()):
    scores = ASKERS @ X.T
    return float(scores[1, 0] if wrong & {"swapped", "column-first"} else scores[0, 1])


def shape_of_scores(wrong=frozenset()):
    if "with-d" in wrong:
        return np.array([2, 3])
    if "d-kept" in wrong:
        return np.array([2, 5, 3])
    return np.array([5, 2] if wrong & {"swapped", "shape-swapped"} else [2, 5])


read_score_matrix = ValueExercise(
    id="read-score-matrix",
    points=3,
    task="fill in the dict `read_score_matrix`",
    parts=(
        Part("the_prefers", "the token that The scores highest", the_prefers, 0.2),
        Part("cat_on_sat", "the score that the query cat gives the key sat", cat_on_sat, 0.2),
        Part("not_themselves", "the tokens that do not score themselves highest", not_themselves, 0.2),
        Part("it_on_cat", "the score that the query it gives the key cat", it_on_cat, 0.2),
        Part("shape", "the shape of the scores for 2 queries and 5 keys", shape_of_scores, 0.2, decimals=0),
    ),
    misconceptions=(
        Misconception(
            "swapped",
            "you read the matrix by columns",
            "A row belongs to who asks, a column to who answers. In a matrix with Q = K = X you do not notice the "
            "difference; with other queries you do.",
            "Find the query's row first, then go along it to the key's column.",
        ),
        Misconception(
            "column-first",
            "you read down a column: that is what another query scores another key",
            "The row says who asks, the column who answers. In a matrix with Q = K = X you do not notice when they "
            "are mixed up; here others ask than answer.",
            "Find the row of the query first, then go along it to the column of the key.",
        ),
        Misconception(
            "shape-swapped",
            "rows and columns are swapped in the shape",
            "The shape names the number of rows first. The rows belong to those who ask.",
            "Count the queries first, then the keys.",
        ),
        Misconception(
            "diagonal",
            "you took it for granted that each token scores itself highest",
            "The diagonal holds the squared lengths. A dot product can do better with a longer neighbour.",
            "Go along each row and compare.",
        ),
        Misconception(
            "smallest",
            "you took the smallest score for the best",
            "Small is good for a distance. A score is large where a key answers well.",
            "Look for the largest number of each row.",
        ),
        Misconception(
            "itself",
            "you took it for granted that The scores itself highest",
            "The diagonal holds the squared lengths. A dot product can do better with a longer neighbour.",
            "Go along the row of The and compare.",
        ),
        Misconception(
            "those-who-do",
            "you name the tokens that do score themselves highest",
            "The question is about the others: in whose row does the largest number stand off the diagonal?",
            "Read the question once more; your reading of the matrix is right.",
        ),
        Misconception(
            "d-kept",
            "the d numbers of a vector are still in your shape",
            "A dot product adds the d products up: each pair of query and key is left with one number, and the axis "
            "of length d vanishes.",
            "Ask how many axes are needed to say who asks and who answers.",
        ),
        Misconception(
            "with-d",
            "you gave the shape of Q instead of that of the scores",
            "The numbers of a vector are used up by the dot product: none of them is left in the scores.",
            "Each query gets one number from each key.",
        ),
    ),
)


# ---------------------------------------------------------------- the tie

TIE_QUERY = np.array([1.0, 2.0])
TIE_KEYS = np.array([[1.0, 2.0], [2.0, 0.0], [-1.0, 3.0]])


def winners(scores):
    """Letters of the keys with the highest score, ties included."""
    return ["ABC"[j] for j in np.flatnonzero(np.isclose(scores, scores.max()))]


def tie_dot(wrong=frozenset()):
    found = winners(TIE_KEYS @ TIE_QUERY)
    return found[:1] if "first-of-tie" in wrong else found


def tie_cosine(wrong=frozenset()):
    lengths_of_keys = 1.0 if "cosine-as-dot" in wrong else np.linalg.norm(TIE_KEYS, axis=1)
    return winners(TIE_KEYS @ TIE_QUERY / lengths_of_keys)


def tie_distance(wrong=frozenset()):
    distances = ((TIE_KEYS - TIE_QUERY) ** 2).sum(axis=1)
    return winners(distances if "farthest" in wrong else -distances)


def tie_cosine_of_c(wrong=frozenset()):
    q, c = TIE_QUERY, TIE_KEYS[2]
    if "keys-only" in wrong:
        return float(q @ c / np.linalg.norm(c))
    return float(q @ c / (np.linalg.norm(c) * np.linalg.norm(q)))


def tie_squared_distance_of_c(wrong=frozenset()):
    squared = float(((TIE_QUERY - TIE_KEYS[2]) ** 2).sum())
    return float(np.sqrt(squared)) if "root" in wrong else squared


def tie_long_b(wrong=frozenset()):
    if "length-ignored" in wrong:
        return tie_dot()
    return winners((TIE_KEYS * np.array([[1], [3], [1]])) @ TIE_QUERY)


the_tie = ValueExercise(
    id="the-tie",
    points=3,
    task="fill in the dict `the_tie`",
    parts=(
        Part("dot", "the best by dot product", tie_dot, 0.25),
        Part("cosine", "the best by cosine", tie_cosine, 0.15),
        Part("distance", "the best by distance", tie_distance, 0.15),
        Part("cosine_of_C", "the cosine of q and C", tie_cosine_of_c, 0.15),
        Part("squared_distance_of_C", "the squared distance of q and C", tie_squared_distance_of_c, 0.15),
        Part("dot_with_long_B", "the best by dot product when B is three times as long", tie_long_b, 0.15),
    ),
    misconceptions=(
        Misconception(
            "first-of-tie",
            "you name one winner where two tie",
            "`np.argmax` gives the first of several largest entries, and says nothing about the others.",
            "Compare all scores with the largest one.",
        ),
        Misconception(
            "farthest",
            "you took the largest distance for the best",
            "A distance is best when it is smallest.",
            "Look for the key that lies nearest to the query.",
        ),
        Misconception(
            "cosine-as-dot",
            "your winners by cosine are those by dot product",
            "The cosine divides the lengths out, and C is longer than A.",
            "Compute the three cosines, and compare them.",
        ),
        Misconception(
            "keys-only",
            "the cosine is divided by the length of the key only",
            "A cosine is never larger than 1.",
            "Divide by the length of the query as well.",
        ),
        Misconception(
            "root",
            "you give the distance of C, not its square",
            "The distance is the square root of what is asked.",
            "Add up the squared differences, and stop there.",
        ),
        Misconception(
            "length-ignored",
            "you took it that a longer B changes nothing",
            "That holds for the cosine. A dot product grows with the length of the key.",
            "Compute the dot product of q with [6, 0].",
        ),
    ),
)
