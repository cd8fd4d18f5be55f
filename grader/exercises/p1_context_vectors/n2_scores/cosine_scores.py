import numpy as np

from grader.exercises.inputs import example, matrix, tenths
from grader.exercises.kinds import Case, Property, function
from grader.exercises.p1_context_vectors.n2_scores.shared import directions, queries_and_keys, whole_numbers
from grader.exercises.stages import number, slip


def short_tenths(rng, *shape):
    """Rows of three numbers with one decimal, each row shorter than 1."""
    return tenths(rng, *shape, low=-0.5, high=0.5)


def very_short(rng):
    """Rows far shorter than 1: one query shorter than 0.01, and one product of two lengths below 0.001.

    None is so short that 1e-8 more would show in its cosines.
    """
    Q, K = directions(matrix(rng, 5, 5)), directions(matrix(rng, 5, 5))
    of_queries, of_keys = (rng.permutation([low, *rng.uniform(0.12, 0.2, size=4)]) for low in (0.0092, 0.06))
    return {"Q": Q * of_queries[:, np.newaxis], "K": K * of_keys[:, np.newaxis]}


def short_queries_long_keys(rng):
    """Queries shorter than 1 and keys so long that all products of two lengths are above 1."""
    Q, K = directions(matrix(rng, 7, 11)), directions(matrix(rng, 3, 11))
    return {"Q": Q * rng.uniform(0.4, 0.9, size=(7, 1)), "K": K * rng.uniform(3, 4, size=(3, 1))}


def none_parallel(rng):
    """Whole numbers of which no cosine is 1 or -1: a rounding would decide what is cut off of it."""
    while True:
        inputs = queries_and_keys(3, 5, 2, whole_numbers)(rng)
        if np.abs(directions(inputs["Q"]) @ directions(inputs["K"]).T).max() < 0.999:
            return inputs


#: What is taken for the lengths of the rows of X.
LENGTHS = {
    "columns": lambda X: np.sqrt((X**2).sum(axis=0, keepdims=True)),
    "whole-matrix": lambda X: np.sqrt((X**2).sum(keepdims=True)),
    "no-keepdims": lambda X: np.sqrt((X**2).sum(axis=-1)),
    "flat-lengths": lambda X: np.sqrt((X**2).sum(axis=-1)),
    "sum-as-length": lambda X: X.sum(axis=-1, keepdims=True),
    "absolute-sum": lambda X: np.abs(X).sum(axis=-1, keepdims=True),
    "largest-as-length": lambda X: np.abs(X).max(axis=-1, keepdims=True),
    "root-of-numbers": lambda X: np.sqrt(X.sum(axis=-1, keepdims=True)),
    "number-of-entries": lambda X: np.full((len(X), 1), float(X.shape[-1])),
    "columns-added": lambda X: np.abs(X).sum(axis=0, keepdims=True).max(axis=1, keepdims=True),
}
#: What is taken for the product of the lengths q (a column) and k (a row).
BOTTOMS = {
    "lengths-added": lambda q, k: q + k,
    "root-of-sum": lambda q, k: np.sqrt(q**2 + k**2),
    "root-of-product": lambda q, k: np.sqrt(q * k),
    "query-squared": lambda q, k: q**2 * k,
    "key-squared": lambda q, k: q * k**2,
    "tenth-added-product": lambda q, k: q * k + 0.1,
    "half-squared-product": lambda q, k: (q * k) ** 2 / 2,
    "one-added-product": lambda q, k: q * k + 1,
    "hundredth-added-product": lambda q, k: q * k + 0.01,
    "thousandth-added-product": lambda q, k: q * k + 0.001,
    "product-as-one": lambda q, k: np.maximum(q * k, 1),
}
#: What the rows of the scores are divided by.
ROWS = {
    "scores-by-length": lambda scores: np.sqrt((scores**2).sum(axis=-1, keepdims=True)),
    "scores-by-one-length": lambda scores: np.sqrt((scores**2).sum(keepdims=True)),
    "scores-by-sum": lambda scores: scores.sum(axis=-1, keepdims=True),
}
#: Which of the rows of X are taken for vectors of zeros.
NOTHING = {
    "zero-by-sum": lambda X: X.sum(axis=-1) == 0,
    "zero-if-any": lambda X: (X == 0).any(axis=-1),
}
#: What becomes of the cosines, where there is a vector of zeros in some of the pairs.
ZEROS = {
    "zero-as-one": lambda cosines, nothing: np.where(nothing, 1.0, cosines),
    "zero-as-minus-one": lambda cosines, nothing: np.where(nothing, -1.0, cosines),
    "all-for-zero": lambda cosines, nothing: cosines * (not nothing.any()),
    "stops-at-zero": lambda cosines, nothing: np.where(np.logical_or.accumulate(nothing, axis=-1), 0.0, cosines),
    "stops-at-zero-query": lambda cosines, nothing: np.where(
        np.logical_or.accumulate(nothing.all(axis=-1, keepdims=True), axis=0), 0.0, cosines
    ),
    "ends-at-zero": lambda cosines, nothing: np.where(
        np.logical_or.accumulate(nothing.ravel()).reshape(nothing.shape), 0.0, cosines
    ),
}


def row_lengths(X):
    return np.sqrt((X**2).sum(axis=-1, keepdims=True))


def lengths(X, wrong):
    """What the rows of X are divided by."""
    length = slip(wrong, LENGTHS, row_lengths)(X)
    if wrong & {"squared-length", "half-squared"}:
        length = length**2 / (2 if "half-squared" in wrong else 1)
    length = length + slip(wrong, {"one-added": 1, "hundredth-added": 0.01, "thousandth-added": 0.001}, 0)
    length = length + (number(wrong, "added", 1e-6) or 0)
    if least := 1 if "short-as-one" in wrong else number(wrong, "raised", 0.01):
        length = np.maximum(length, least)
    if least := number(wrong, "taken-for-zero", 0.01):
        length = np.where(length < least, 1.0, length)
    if "zero-by-sum-undivided" in wrong:
        length = np.where(X.sum(axis=-1, keepdims=True) == 0, 1.0, length)
    return length if "zero-vector" in wrong else np.where(length == 0, 1.0, length)


def bottom_of(wrong):
    """What makes the divisor of the two lengths, where it is not their product."""
    if added := number(wrong, "added-product", 1e-8):
        return lambda q, k: q * k + added
    if raised := number(wrong, "raised-product", 0.001):
        return lambda q, k: np.maximum(q * k, raised)
    if least := number(wrong, "taken-for-zero-product", 0.001):
        return lambda q, k: np.where(q * k < least, np.inf, q * k)
    return slip(wrong, BOTTOMS, None)


def one_length(X, wrong, truncate):
    """The rows of X, each divided by its length; cut off to whole numbers by one of the mistakes."""
    X = np.asarray(X, dtype=float)
    if "flat-lengths" in wrong:
        return X
    with np.errstate(invalid="ignore", divide="ignore"):
        unit = X / lengths(X, wrong)
    return np.trunc(unit) if truncate else unit


def length_changes_nothing(call, rng):
    Q, K = directions(matrix(rng, 3, 5)), directions(matrix(rng, 2, 5))
    before = call(Q, K)
    shorter_and_longer = rng.permutation([[0.05], [0.3], [4.0]]), rng.permutation([[0.05], [4.0]])
    after = call(Q * shorter_and_longer[0], K * shorter_and_longer[1])
    gap = np.abs(after - before).max()
    return None if gap < 1e-3 else f"with other lengths, a cosine moves by {gap:.3g}"


def one_with_itself(call, rng):
    X = directions(matrix(rng, 3, 5)) * rng.permutation([[0.4], [1.7], [3.0]])
    diagonal = np.diagonal(call(X, X))
    worst = diagonal[np.abs(diagonal - 1).argmax()]
    return None if abs(worst - 1) < 1e-3 else f"a vector has the cosine {worst:.4g} with itself"


def zero_scores_zero(call, rng):
    Q, K = matrix(rng, 3, 3), matrix(rng, 5, 3)
    Q[1], K[2] = 0, 0
    cosines = call(Q, K)
    if not np.isfinite(cosines).all():
        return "a vector of zeros gives NaN or infinity"
    affected = np.abs(np.concatenate([cosines[1], cosines[:, 2]])).max()
    if not affected < 1e-3:
        return f"a vector of zeros has a cosine of {affected:.4g}"
    others = np.delete(np.delete(cosines, 1, axis=0), 2, axis=1)
    gap = np.abs(call(np.delete(Q, 1, axis=0), np.delete(K, 2, axis=0)) - others).max()
    return None if gap < 1e-3 else f"besides a vector of zeros, the cosine of two others differs by {gap:.3g}"


@function(
    points=3,
    returns="scores",
    library_names=("unit_rows",),
    cases=(
        Case("2 queries, 5 keys, 3 numbers each, all shorter than 1", queries_and_keys(2, 5, 3, short_tenths), 0.2),
        Case("7 short queries, 3 long keys, 11 numbers each", short_queries_long_keys, 0.15),
        Case("5 queries, 5 keys, 5 numbers each, all very short", very_short, 0.1),
        Case("whole numbers", none_parallel, 0.1, telling=("zero-by-sum",)),
        Case(
            "the example of the task",
            example(Q=np.array([[3.0, 4.0]]), K=np.array([[6.0, 8.0], [1.0, 0.0], [0.0, 0.0]])),
            0.05,
        ),
    ),
    properties=(
        Property("the length of a vector does not matter", length_changes_nothing, 0.1),
        Property("the cosine of a vector with itself is 1", one_with_itself, 0.1),
        Property("the cosine of a vector of zeros is 0", zero_scores_zero, 0.1),
    ),
    mistakes="""
    dot-product: you return dot products: nothing is divided by the lengths -> A long key still wins by its length. A
        cosine sees directions only, and lies between -1 and 1. -> Divide each query and each key by its own length.
    keys-only: you divide by the lengths of the keys, but not by those of the queries -> The order of the keys is right
        in each row, but the numbers are no cosines: they grow with the query. -> Divide by the length of the query as
        well.
    queries-only: you divide by the lengths of the queries, but not by those of the keys -> A long key still wins by its
        length, as with the dot product. -> Divide by the length of the key as well.
    columns: you took the length of each column (axis 0), not of each row -> A token is a row. The length of a column
        mixes one coordinate of all tokens. -> Compute the length along the last axis, with `keepdims=True`.
    whole-matrix: you took one length for the whole matrix -> Without an axis, `np.linalg.norm` gives a single number
        for all rows together. Long rows stay longer than short ones. -> Give the norm an axis: each row has a length of
        its own.
    no-keepdims: the lengths have lost an axis -> Lengths of shape (n,) are spread over the columns, not the rows. NumPy
        refuses, unless the matrix is square: then each column is divided by the length of another row. -> Use
        `keepdims=True`, so that the lengths have shape (n, 1).
    flat-lengths: the lengths of queries and keys are multiplied row by row, not each with each -> The score in row i
        and column j needs the length of query i and the length of key j. A flat product takes both from the same place;
        with as many keys as queries nothing complains. -> Make the lengths of the queries a column and those of the
        keys a row before you divide.
    column-lengths: the lengths of queries and keys are both columns, and multiplied row by row -> The score in row i
        and column j needs the length of query i and the length of key j. Two columns of different lengths do not fit;
        with as many keys as queries nothing complains. -> Turn the lengths of the keys into a row before you divide.
    multiplied-back: you divide by the lengths of the queries, and multiply by those of the keys -> `a / b * c` is read
        from left to right: c is not below the line. -> Put brackets round the product of the two lengths.
    elementwise: you multiply queries and keys entry by entry (`*`) -> That pairs number with number. A cosine needs
        each query with each key, and one sum for each pair. -> Use the matrix product `@`, and write the shapes under
        it.
    squared-length: you divide by the squared lengths -> The sum of the squares is the length squared. Divided by it, a
        long vector becomes short. -> Take the square root of the sum of the squares.
    sum-as-length: you divide each row by its sum -> The sum of a row is not its length. It can even be negative or
        zero. -> The length is the square root of the sum of the squares.
    absolute-sum: you divide by the sum of the absolute values -> That is a length in city blocks. With it, a vector
        does not have the cosine 1 with itself. -> The length is the square root of the sum of the squares.
    lengths-added: you divide by the sum of the two lengths -> A cosine is the dot product divided by both lengths: one
        after the other, which is their product. -> Multiply the two lengths, each with each.
    root-of-sum: you divide by the root of the sum of all squares, those of the query and those of the key -> Each
        vector has a length of its own, with a root of its own. -> Take two roots, and multiply them.
    root-of-product: you take the root of the product of the two lengths -> Each length is a root already. -> One root
        is enough: of the sum of the squares.
    query-squared: you divide by the squared length of the query -> The sum of the squares is the length squared; its
        root is missing for the queries. -> Take the root for both.
    key-squared: you divide by the squared length of the key -> The sum of the squares is the length squared; its root
        is missing for the keys. -> Take the root for both.
    half-squared: you divide by half of the squared lengths -> In Python `x**1 / 2` takes the power 1, and divides by 2
        then. -> Write `np.sqrt(x)`, or `x**0.5`.
    half-squared-product: you divide by half of the product of the squared lengths -> In Python `x**1 / 2` takes the
        power 1, and divides by 2 then. -> Write `np.sqrt(x)`, or `x**0.5`.
    one-added: you add 1 to every length -> That keeps you from dividing by 0, but it changes every other cosine as
        well. -> Put 1 only in the place of a length that is exactly 0.
    one-added-product: you add 1 to the product of the lengths -> That keeps you from dividing by 0, but it changes
        every other cosine as well. -> Put 1 only in the place of a length that is exactly 0.
    hundredth-added: you add 0.01 to every length -> That keeps you from dividing by 0, but it changes every other
        cosine as well, those of short vectors most. -> Put 1 only in the place of a length that is exactly 0.
    hundredth-added-product: you add 0.01 to the product of the lengths -> That keeps you from dividing by 0, but it
        changes every other cosine as well, those of short vectors most. -> Put 1 only in the place of a length that is
        exactly 0.
    tenth-added-product: you add 0.1 to the product of the lengths -> That keeps you from dividing by 0, but it changes
        every other cosine as well, those of short vectors most. -> Put 1 only in the place of a length that is exactly
        0.
    thousandth-added: you add 0.001 to every length -> That keeps you from dividing by 0, but it changes every other
        cosine as well, those of short vectors most. -> Put 1 only in the place of a length that is exactly 0.
    thousandth-added-product: you add 0.001 to the product of the lengths -> That keeps you from dividing by 0, but it
        changes every other cosine as well, those of short vectors most. -> Put 1 only in the place of a length that is
        exactly 0.
    added=: you add a small number to every length -> That keeps you from dividing by 0, but it changes every other
        cosine as well, those of short vectors most. -> Put 1 only in the place of a length that is exactly 0.
    added-product=: you add a small number to the product of the lengths -> That keeps you from dividing by 0, but it
        makes every other cosine slightly too small, those of short vectors most. -> Put 1 only in the place of a length
        that is exactly 0.
    raised=: you raise short lengths to a certain one -> That keeps you from dividing by 0, but the cosines of short
        vectors come out too small. -> Put 1 only in the place of a length that is exactly 0.
    raised-product=: you raise small products of two lengths to a certain number -> That keeps you from dividing by 0,
        but the cosines of short vectors come out too small. -> Put 1 only in the place of a length that is exactly 0.
    taken-for-zero=: a short length is taken for 0 -> A short vector has a direction as a long one has. -> Put 1 only in
        the place of a length that is exactly 0.
    taken-for-zero-product=: a small product of two lengths is taken for 0 -> Short vectors have a direction, too.
        -> Make an exception only where a length is exactly 0.
    zero-by-sum: a vector whose numbers add up to 0 is taken for a vector of zeros -> (1, -1) adds up to 0, too, and has
        a direction. -> Ask for its length, or whether any of its numbers is not 0.
    zero-by-sum-undivided: a vector whose numbers add up to 0 is not divided by its length -> (1, -1) adds up to 0, too,
        and has a direction and a length. -> Ask for the length, not for the sum.
    zero-if-any: a vector with a single 0 in it is taken for a vector of zeros -> (1, 0) has a direction. -> Ask for its
        length, or whether *any* of its numbers is not 0: `all` asks whether none is.
    lengths-of-all-keys: you divide by the length of the query, and by one length for all keys -> Without an axis,
        `np.linalg.norm` gives a single number for all rows together. Long keys still win by their length. -> Give the
        norm an axis: each key has a length of its own.
    scores-by-length: you divide each row of scores by its own length -> How long a row of scores is depends on all keys
        together. -> Divide each score by the length of its query and by that of its key.
    scores-by-one-length: you divide all scores by one length, that of their whole table -> That depends on all queries
        and keys together. -> Divide each score by the length of its query and by that of its key.
    scores-by-sum: you divide each row of scores by its own sum -> That sum depends on all keys together, and can be
        zero or negative. -> Divide each score by the length of its query and by that of its key.
    root-of-numbers: you take the root of the sum of the numbers, and they are not squared -> Numbers of opposite sign
        cancel, and a sum below 0 has no root: that gives NaN. -> Square each number, add up, and take the root then.
    number-of-entries: you divide by how many numbers query and key have -> In Python `len(vector)` is how many numbers
        it holds: not how far it reaches. -> Take the square root of the sum of the squares, or `np.linalg.norm`.
    columns-added: you divide by the largest column of absolute sums, one number for the whole matrix -> In
        `np.linalg.norm(X, 1)` the 1 is the kind of norm, not the axis. -> Write `axis=1`, with `keepdims=True`.
    zeros-replaced: single numbers that are 0 count as 1 -> A 0 in a vector is a coordinate like any other. Only where
        all of a vector is 0, its length is. -> Compute the lengths first; put 1 in the place of a length that is 0.
    largest-as-length: you divide by the largest number of each vector, without its sign -> That is no length: all the
        other numbers of the vector count as well. -> The length is the square root of the sum of the squares.
    zero-as-one: a vector of zeros has the cosine 1 -> It has no direction, and is like nothing. The task wants 0. ->
        Where a length is 0, divide by 1 instead: zeros stay zeros.
    zero-as-minus-one: a vector of zeros has the cosine -1 -> It has no direction, and is opposite to nothing. The task
        wants 0. -> Where a length is 0, divide by 1 instead: zeros stay zeros.
    zero-query: a query of zeros gives NaN -> Its length is 0, and 0/0 is NaN. The keys are cared for. -> Treat a length
        of 0 among the queries as you do among the keys: its cosines are 0.
    all-for-zero: one vector of zeros makes all the cosines 0 -> Only its own row, or column, is to be 0; the others
        have directions. -> Ask of each length whether it is 0, not of all at once.
    stops-at-zero: in each row you stop at the first vector of zeros -> The keys behind it have cosines as well. -> Go
        on with the next key: `continue` ends this round only, `break` the whole loop.
    stops-at-zero-query: from the first query of zeros on, all your cosines are 0 -> `break` or `return` ends the whole
        loop, not this round only. -> Go on with the next query.
    ends-at-zero: from the first vector of zeros on, all your cosines are 0 -> `return` ends the whole function, not
        this round only. -> Go on with the next pair.
    zero-left-out: a vector of zeros is left out of the result -> Then the columns are numbered otherwise than the keys,
        and the rows otherwise than the queries. -> Keep its place, with zeros.
    zero-keys-left-out: a key of zeros is left out of the result -> Then the columns are numbered otherwise than the
        keys. -> Keep its place, with zeros.
    angle: you return angles, not cosines -> An angle is small where vectors are alike, a cosine is large there. ->
        Leave out the arccosine.
    degrees: you return angles in degrees, not cosines -> An angle is small where vectors are alike, a cosine is large
        there, and lies between -1 and 1. -> Leave out the arccosine.
    one-minus: you return one minus the cosine -> Some libraries call that the cosine distance: it is 0 for equal
        directions. A score is largest there. -> Return the cosine itself.
    whole-numbers: decimals are lost when the input holds whole numbers -> An array made with `np.zeros_like` or
        `np.empty_like` of whole numbers holds whole numbers only, and cuts off what does not fit. -> Let NumPy make the
        result of the division, or ask for `dtype=float`.
    half-way-up: you return one plus the cosine, divided by 2 -> That lies between 0 and 1; a cosine lies between -1 and
        1, and vectors at a right angle have the cosine 0. -> Return the cosine itself.
    product-as-one: where the product of the two lengths is below 1, you divide by 1 -> `np.maximum(..., 1)` raises
        every product below 1, not only those that are 0. Short vectors get cosines that are too small. -> Put 1 only in
        the place of a length that is exactly 0.
    short-as-one: a length below 1 counts as 1 in your division -> `np.maximum(length, 1)` raises every length below 1,
        not only those that are 0. Short vectors stay short. -> Put 1 only in the place of a length that is exactly 0.
    zero-vector: a vector of zeros gives NaN -> Its length is 0, and 0/0 is NaN. One empty row would spoil everything
        that is computed from it later. -> Where a length is 0, divide by 1 instead: zeros stay zeros.
    """,
)
def cosine_scores(Q, K, wrong=frozenset()):
    """The cosine of every query with every key, with the mistakes that people make as switches."""
    truncates = "whole-numbers" in wrong
    if "zeros-replaced" in wrong:
        Q, K = (np.where(X == 0, 1, X) for X in (Q, K))
    if "zero-left-out" in wrong:
        Q = Q[np.any(Q, axis=-1)]
    if wrong & {"zero-left-out", "zero-keys-left-out"}:
        K = K[np.any(K, axis=-1)]
    of_queries = wrong | {"zero-vector"} if "zero-query" in wrong else wrong
    of_keys = wrong | {"whole-matrix"} if "lengths-of-all-keys" in wrong else wrong
    Q_unit, K_unit = (
        one_length(X, slips, truncates and np.asarray(X).dtype.kind in "iu")
        for X, slips in ((Q, of_queries), (K, of_keys))
    )
    Q, K = np.asarray(Q, dtype=float), np.asarray(K, dtype=float)
    if "keys-only" in wrong or "dot-product" in wrong:
        Q_unit = Q
    if "queries-only" in wrong or "dot-product" in wrong:
        K_unit = K
    cosines = Q_unit @ K_unit.T
    if "flat-lengths" in wrong:
        cosines = Q @ K.T / (lengths(Q, wrong) * lengths(K, wrong))
    rightly = wrong & {"zero-vector"}
    if "column-lengths" in wrong:
        cosines = Q @ K.T / (lengths(Q, rightly) * lengths(K, rightly))
    if "multiplied-back" in wrong:
        cosines = Q_unit @ K.T * lengths(K, rightly).T
    if "elementwise" in wrong:
        cosines = Q_unit * K_unit
    if bottom := bottom_of(wrong):
        cosines = Q @ K.T / bottom(lengths(Q, rightly), lengths(K, rightly).T)
    is_nothing = slip(wrong, NOTHING, lambda X: ~np.any(X, axis=-1))
    nothing = is_nothing(Q)[:, np.newaxis] | is_nothing(K)
    if wrong & {*NOTHING}:
        cosines = np.where(nothing, 0.0, cosines)
    if zeros := slip(wrong, ZEROS, None):
        cosines = zeros(cosines, nothing)
    if row := slip(wrong, ROWS, None):
        by = row(Q @ K.T)
        cosines = Q @ K.T / np.where(by == 0, 1.0, by)
    if wrong & {"angle", "degrees"}:
        cosines = np.arccos(np.clip(cosines, -1, 1)) * (180 / np.pi if "degrees" in wrong else 1)
    if "one-minus" in wrong:
        cosines = 1 - cosines
    if "half-way-up" in wrong:
        cosines = (1 + cosines) / 2
    return cosines
