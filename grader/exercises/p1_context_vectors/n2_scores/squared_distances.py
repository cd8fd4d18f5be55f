import numpy as np

from grader.exercises.inputs import example, matrix, tenths
from grader.exercises.kinds import Case, Property, function
from grader.exercises.p1_context_vectors.n2_scores import shared
from grader.exercises.stages import number, slip

#: Slips of whoever multiplies the square out.
MULTIPLIED_OUT = """no-keepdims keys-as-column plus-sign no-two no-product length-not-squared whole-matrix
no-query-length no-key-length times-four product-squared bracket-keys bracket-queries minus-keys minus-queries
sums-squared lengths-as-one no-lengths whole-queries whole-keys"""


def multiplied_out(Q, K, wrong):
    """|q|^2 - 2 q.k + |k|^2, with the mistakes that people make in it."""
    of_queries = (Q**2).sum(axis=None if wrong & {"whole-matrix", "whole-queries"} else -1, keepdims=True)
    of_keys = (K**2).sum(axis=None if wrong & {"whole-matrix", "whole-keys"} else -1, keepdims=True)
    if "sums-squared" in wrong:
        of_queries, of_keys = Q.sum(axis=-1, keepdims=True) ** 2, K.sum(axis=-1, keepdims=True) ** 2
    if "lengths-as-one" in wrong:
        of_queries, of_keys = np.ones_like(of_queries), np.ones_like(of_keys)
    if "length-not-squared" in wrong:
        of_queries, of_keys = np.sqrt(of_queries), np.sqrt(of_keys)
    if "no-keepdims" in wrong:
        of_queries = of_queries[:, 0]
    if "keys-as-column" not in wrong:
        of_keys = of_keys[:, 0]
    of_keys = of_keys * slip(wrong, {"bracket-keys": -2, "minus-keys": -1}, 1)
    of_queries = of_queries * slip(wrong, {"bracket-queries": -2, "minus-queries": -1}, 1)
    products = (Q @ K.T) ** 2 if "product-squared" in wrong else Q @ K.T
    times = -4 if "times-four" in wrong else 0 if "no-product" in wrong else -1 if "no-two" in wrong else -2
    if "plus-sign" in wrong:
        times = -times
    distances = times * products
    if "no-lengths" in wrong:
        return distances
    if "no-query-length" not in wrong:
        distances = distances + of_queries
    return distances if "no-key-length" in wrong else distances + of_keys


def zero_from_itself(call, rng):
    X = matrix(rng, 3, 5)
    farthest = np.abs(np.diagonal(call(X, X))).max()
    return None if farthest < 1e-3 else f"a vector has the distance {farthest:.4g} from itself"


def shift_changes_nothing(call, rng):
    Q, K, shift = matrix(rng, 3, 5), matrix(rng, 2, 5), matrix(rng, 5)
    gap = np.abs(call(Q + shift, K + shift) - call(Q, K)).max()
    return None if gap < 1e-3 else f"moving all vectors by the same step changes a distance by {gap:.3g}"


@function(
    points=3,
    returns="distances",
    cases=(
        Case("2 queries, 5 keys, 3 numbers each", shared.queries_and_keys(2, 5, 3, tenths), 0.2),
        Case("7 queries, 3 keys, 11 numbers each", shared.queries_and_keys(7, 3, 11), 0.15),
        Case("5 queries, 5 keys, 5 numbers each", shared.queries_and_keys(5, 5, 5), 0.1),
        Case("whole numbers", shared.queries_and_keys(3, 5, 2, shared.whole_numbers), 0.1),
        Case(
            "the example of the task",
            example(Q=np.array([[1.0, 2.0]]), K=np.array([[1.0, 2.0], [4.0, 6.0]])),
            0.05,
        ),
    ),
    properties=(
        Property("a vector has distance 0 from itself", zero_from_itself, 0.1),
        Property("moving all vectors by the same step changes nothing", shift_changes_nothing, 0.1),
        Property("each query is served alone", shared.asked_one_by_one, 0.1),
    ),
    mistakes="""
    root: you took the square root -> That is the distance. The squared distance is asked: it needs no root, and the
        nearest key is the same. -> Stop one step earlier.
    plus-sign: the product is added instead of subtracted -> With a plus you get the squared length of q + k, which is
        large where the vectors are alike. -> Look at the sign of the middle term.
    no-two: the product is subtracted once, not twice -> Multiply out (q - k) . (q - k): q . k comes up twice. Without
        the 2, a vector is not at distance 0 from itself. -> Compare your middle term with the formula.
    no-product: the product of query and key is missing -> Two squared lengths say nothing about directions: two vectors
        of length 1 could be equal or opposite. -> Subtract what the formula has in the middle.
    lengths-only: you compare the lengths of the vectors, not the vectors -> Vectors of equal length can point in
        opposite directions; their distance is not 0. -> Subtract the vectors first; the length comes afterwards.
    negated: your distances are negative -> A negative distance can serve as a score, because it is largest for the
        nearest key. Here the squared distance itself is asked. -> Leave out the minus sign.
    mean-not-sum: you took the mean of the squares instead of their sum -> The mean divides by d as well: it is no
        squared length. -> Add up; do not average.
    sum-first: you added up the differences before you squared -> Differences of opposite sign cancel: (1, -1) would be
        at distance 0 from the origin. -> Square each difference first.
    not-squared: you added up the differences, and nothing is squared -> Differences of opposite sign cancel, and a sum
        of them can be negative. A squared distance never is. -> Square each difference before you add up.
    dot-product: you return dot products, not distances -> A dot product is large where vectors are alike; a distance is
        small there. -> Subtract query and key first.
    absolute: you added up absolute differences instead of squares -> That is a distance in city blocks. -> Square each
        difference.
    only-keys-squared: you square the keys alone, before they are taken off -> `Q - K**2` squares K first: a power comes
        before a difference. -> Put the difference in brackets, and square that.
    only-queries-squared: you square the queries alone, before the keys are taken off -> A power comes before a
        difference. -> Put the difference in brackets, and square that.
    squares-subtracted: you take the squares of the key from those of the query -> The difference of two squares is not
        the square of the difference; it is even negative where the key is longer. -> Subtract first, and square then.
    times-four: the product is subtracted four times, not twice -> Multiply out (q - k) . (q - k): q . k comes up twice.
        -> Compare your middle term with the formula.
    product-squared: the product of query and key is squared -> The formula has the squares of the two lengths; its
        middle term is no square. -> Compare your middle term with the formula.
    variance: you return the variance of the differences -> It takes their mean off first: two vectors whose numbers
        all differ by the same would be at distance 0. -> Square each difference, and add up.
    largest-square: you return the largest of the squares, and add nothing up -> All the coordinates count. -> Add up
        the squares.
    largest-difference: you return the largest difference, whatever its sign -> All the coordinates count. -> Square
        each difference, and add up.
    exponential=: you return the exponential of the negative distance -> That is a similarity: it is 1 for equal vectors
        and nearly 0 for distant ones (Part 2 will need it). A distance is 0 for equal vectors. -> Return the squared
        distance itself.
    exponential-times=: you return the exponential of the distance times a negative number -> That is a similarity: it
        is 1 for equal vectors and nearly 0 for distant ones (Part 2 will need it). A distance is 0 for equal vectors.
        -> Return the squared distance itself.
    one-minus-cosine: you return one minus the cosine -> That is called the cosine distance; it forgets the lengths. ->
        Subtract query and key, square, and add up.
    bracket-keys: the squared length of the key is multiplied by -2, too -> In `-2 * (q.k + |k|^2)` the factor belongs
        to both. -> Close the bracket behind the product of query and key, or leave it out.
    bracket-queries: the squared length of the query is multiplied by -2, too -> The factor belongs to all that stands
        in its bracket. -> Let it stand before the product of query and key only.
    minus-keys: the squared length of the key is taken off, not added -> `a - (b + c)` takes off c as well. -> Add what
        the formula ends with.
    minus-queries: the squared length of the query is taken off, not added -> `a - (b + c)` takes off c as well. -> Add
        what the formula begins with.
    row-pairs: query 1 meets only key 1, query 2 only key 2 -> `Q - K` pairs row with row. NumPy refuses when the counts
        differ; when they agree, only row i with row i is compared. -> Give each array an axis of its own for the
        other's rows, or use the formula with the product.
    no-keepdims: the squared lengths of the queries lie along the columns -> A flat array of shape (n_queries,) is
        spread over the columns. There must be one for each row. -> Make them a column of shape (n_queries, 1).
    keys-as-column: the squared lengths of the keys stand in a column -> A column belongs to the queries, one number for
        each row. Each key has a column of the result, so its length must be spread down that column. -> Leave the
        squared lengths of the keys flat, of shape (n_keys,).
    length-not-squared: the lengths are not squared -> The formula has the squares of the two lengths. `np.linalg.norm`
        gives the length itself. -> Square the lengths, or add up the squares and take no root.
    sums-squared: in the place of a squared length stands the squared sum of a vector's numbers -> Numbers of opposite
        sign cancel: (1, -1) would have the length 0. -> Square each number first, then add up.
    lengths-as-one: you take all lengths for 1 -> `2 - 2 q.k` holds for vectors of length 1 only. -> Add the squared
        lengths as they are.
    whole-matrix: you add up the squares of a whole matrix -> Without an axis, `sum` and `np.linalg.norm` give a single
        number for all rows together. Each query and each key has a length of its own. -> Say which axis to add up.
    whole-queries: you add up the squares of all queries together -> Without an axis, `sum` and `np.linalg.norm` give a
        single number for all rows. Each query has a length of its own. -> Say which axis to add up.
    whole-keys: you add up the squares of all keys together -> Without an axis, `sum` and `np.linalg.norm` give a single
        number for all rows. Each key has a length of its own. -> Say which axis to add up.
    no-lengths: the squared lengths are missing, that of the query and that of the key -> What is left is the middle
        term alone: it tells directions, and a vector is not at distance 0 from itself. -> Add what the formula begins
        with, and what it ends with.
    no-query-length: the squared length of the query is missing -> It is the same for all keys, so the nearest key is
        right. But the numbers are no distances: they can be negative. -> Add what the formula begins with.
    no-key-length: the squared length of the key is missing -> Then a long key counts as near only because it is long.
        -> Add what the formula ends with.
    sum-over-keys
    sum-over-queries
    no-sum
    """,
)
def squared_distances(Q, K, wrong=frozenset()):
    """The squared distance of every query from every key, with the mistakes that people make as switches."""
    Q, K = np.asarray(Q, dtype=float), np.asarray(K, dtype=float)
    if "row-pairs" in wrong:
        return ((Q - K) ** 2).sum(axis=-1)
    differences = Q[:, np.newaxis] - K[np.newaxis]  # (n_queries, n_keys, d)
    if "sum-first" in wrong:
        distances = shared.added_up(differences, wrong) ** 2
    elif "absolute" in wrong:
        distances = shared.added_up(np.abs(differences), wrong)
    else:
        distances = shared.added_up(differences**2, wrong)
    if wrong & set(MULTIPLIED_OUT.split()):
        distances = multiplied_out(Q, K, wrong)
    if "lengths-only" in wrong:
        distances = (np.linalg.norm(Q, axis=1)[:, np.newaxis] - np.linalg.norm(K, axis=1)) ** 2
    slips = {
        "not-squared": lambda: differences.sum(axis=-1),
        "dot-product": lambda: Q @ K.T,
        "only-keys-squared": lambda: Q.sum(axis=-1, keepdims=True) - (K**2).sum(axis=-1),
        "only-queries-squared": lambda: (Q**2).sum(axis=-1, keepdims=True) - K.sum(axis=-1),
        "squares-subtracted": lambda: (Q**2).sum(axis=-1, keepdims=True) - (K**2).sum(axis=-1),
        "variance": lambda: differences.var(axis=-1),
        "largest-square": lambda: (differences**2).max(axis=-1),
        "largest-difference": lambda: np.abs(differences).max(axis=-1),
        "one-minus-cosine": lambda: 1 - shared.directions(Q) @ shared.directions(K).T,
        "mean-not-sum": lambda: distances / Q.shape[-1],
        "root": lambda: np.sqrt(np.maximum(distances, 0)),
        "negated": lambda: -distances,
    }
    if by := number(wrong, "exponential", 1.0):
        return np.exp(-distances / by)
    if times := number(wrong, "exponential-times", 0.5):
        return np.exp(-distances * times)
    return slip(wrong, slips, lambda: distances)()
