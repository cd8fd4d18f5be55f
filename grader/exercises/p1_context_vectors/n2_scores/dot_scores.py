import numpy as np

from grader.exercises.inputs import example, matrix, tenths
from grader.exercises.kinds import Case, Property, function
from grader.exercises.p1_context_vectors.n2_scores import shared


def longer_key(call, rng):
    Q, K = matrix(rng, 2, 3), matrix(rng, 5, 3)
    before = call(Q, K)
    K[1] *= 2
    after = call(Q, K)
    before[:, 1] *= 2
    gap = np.abs(after - before).max()
    return None if gap < 1e-3 else f"with the second key twice as long, a score is off by {gap:.3g}"


@function(
    points=3,
    returns="scores",
    cases=(
        Case("2 queries, 5 keys, 3 numbers each", shared.queries_and_keys(2, 5, 3, tenths), 0.2),
        Case("7 queries, 3 keys, 11 numbers each", shared.queries_and_keys(7, 3, 11), 0.15),
        Case("5 queries, 5 keys, 5 numbers each", shared.queries_and_keys(5, 5, 5), 0.1),
        Case("whole numbers", shared.queries_and_keys(3, 5, 2, shared.whole_numbers), 0.1),
        Case("one query only", shared.queries_and_keys(1, 3, 2), 0.1),
        Case(
            "the example of the task",
            example(Q=np.array([[1.0, 2.0]]), K=np.array([[1.0, 0.0], [0.0, 1.0], [3.0, -1.0]])),
            0.05,
        ),
    ),
    properties=(
        Property("a key twice as long scores twice as much", longer_key, 0.1),
        Property("each query is served alone", shared.asked_one_by_one, 0.1),
    ),
    mistakes="""
    keys-ask: your result is transposed: a row for each key -> Row i should hold the scores of query i. Here rows and
        columns have changed places, and the softmax of the next notebook would normalise over the wrong ones. With Q =
        K you would never notice. -> The query comes first, in a product and in an index: rows are those who ask.
    no-transpose: you multiply Q by K without turning K -> A matrix product pairs the rows of the left with the columns
        of the right. A key is a row of K. Unless shapes happen to fit, NumPy refuses; if they fit, the numbers are
        wrong. -> Write the shapes under the product: the two inner ones must both be d.
    elementwise: you multiply Q and K entry by entry (`*`) -> That pairs number with number. A score needs each query
        with each key, and one sum for each pair. -> Use the matrix product `@`, and write the shapes under it.
    row-pairs: query 1 meets only key 1, query 2 only key 2 -> Every query must meet every key: n_queries times n_keys
        scores, not one for each row. -> Two loops visit all pairs; one matrix product does the same.
    sums-added: you add the numbers of query and key, and multiply nothing -> A dot product multiplies number by number
        first, so that agreement counts. -> Multiply, then add up.
    subtracted: you take the numbers of the key from those of the query -> A dot product multiplies number by number, so
        that agreement counts. -> Multiply, then add up.
    single-number: you add up all products entry by entry, and a single number is left -> `np.vdot` makes one long
        vector of each matrix. Each query with each key has a score of its own. -> Multiply matrix by matrix: `@`, with
        the keys turned.
    queries-with-queries: you score the queries against each other; the keys are never used -> The sentence of section 2
        has Q = K, which hides it. In general, others are asked than those who ask. -> Look for the second argument in
        your body.
    keys-with-keys: you score the keys against each other; the queries are never used -> The sentence of section 2 has Q
        = K, which hides it. In general, others ask than those who answer. -> Look for the first argument in your body.
    queries-turned: you turn the queries instead of the keys -> Then numbers at the same place of different vectors
        meet, and the inner sizes count queries and keys. -> Write the shapes under the product: the two inner ones
        must both be d.
    reshaped: you give K another shape with `reshape` instead of turning it -> `reshape` keeps the order in which the
        numbers are stored and only cuts it elsewhere. The shape fits, but the columns are no keys. -> To turn a matrix
        is to make each row a column: `.T`.
    cosine: you return cosines, not dot products -> You divide the lengths out. A dot product keeps them: a key twice as
        long scores twice as much. -> Leave the vectors as long as they are.
    total-not-reset: each score still holds those before it in its row -> The sum is not set back to 0 for the next key.
        -> Begin anew for each pair of query and key: inside the loop over the keys.
    scaled: you divide by the square root of d -> Scaled scores come in Part 3, for a reason that you will measure
        there. Here the plain dot product is asked. -> Leave out the division.
    distance: you return squared distances -> A distance is small where vectors are alike, a score is large there. ->
        Multiply number by number and add up; nothing is subtracted.
    sum-over-keys
    sum-over-queries
    no-sum
    """,
)
def dot_scores(Q, K, wrong=frozenset()):
    """Every query times every key, with the mistakes that people make as switches."""
    Q, K = np.asarray(Q, dtype=float), np.asarray(K, dtype=float)
    d = Q.shape[-1]
    if "cosine" in wrong:
        Q, K = shared.directions(Q), shared.directions(K)
    if "queries-with-queries" in wrong:
        K = Q
    if "keys-with-keys" in wrong:
        Q = K
    if "no-transpose" in wrong:
        return Q @ K
    if "queries-turned" in wrong:
        return Q.T @ K
    if "reshaped" in wrong:
        return Q @ K.reshape(d, -1)
    if "single-number" in wrong:
        return float(np.vdot(Q, K))
    if "elementwise" in wrong:
        return Q * K
    if "row-pairs" in wrong:
        return (Q * K).sum(axis=-1)
    terms = Q[:, np.newaxis] * K[np.newaxis]  # (n_queries, n_keys, d)
    if wrong & {"sums-added", "subtracted"}:
        terms = Q[:, np.newaxis] + (-K if "subtracted" in wrong else K)[np.newaxis]
    if "distance" in wrong:
        terms = (Q[:, np.newaxis] - K[np.newaxis]) ** 2
    scores = shared.added_up(terms, wrong)
    if "total-not-reset" in wrong:
        scores = scores.cumsum(axis=-1)
    if "scaled" in wrong:
        scores = scores / np.sqrt(d)
    return scores.T if "keys-ask" in wrong else scores
