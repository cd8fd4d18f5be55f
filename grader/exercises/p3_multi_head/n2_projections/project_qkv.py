import numpy as np

from grader.exercises.inputs import tenths
from grader.exercises.kinds import Case, Property, function
from grader.exercises.p3_multi_head.n2_projections.shared import all_square, projected
from grader.exercises.stages import slip


def each_token_alone(call, rng):
    inputs = projected(rng, 5, 3, 2, 7)
    X, weights = inputs.pop("X"), inputs.values()
    together = call(X, *weights)
    alone = call(X[2:3], *weights)
    same = all(np.allclose(one[0], all_[2], atol=1e-3) for one, all_ in zip(alone, together, strict=True))
    return None if same else "token 3 gets another row when it is projected alone"


def the_example(rng):
    names = {"W_q": [[1.0], [0.0]], "W_k": [[0.0], [1.0]], "W_v": [[1.0, 0.0, 1.0], [0.0, 1.0, 1.0]]}
    return {"X": np.array([[1.0, 2.0]])} | {name: np.array(matrix) for name, matrix in names.items()}


@function(
    points=2,
    returns=("Q", "K", "V"),
    cases=(
        Case("two tokens, 3 dimensions to 2", lambda rng: projected(rng, 2, 3, 2, 2, tenths), 0.2),
        Case("values of another dimension than keys", lambda rng: projected(rng, 7, 5, 2, 11), 0.2),
        Case("the example of the task", the_example, 0.05),
        Case("a projection that is larger than the embedding", lambda rng: projected(rng, 2, 3, 7, 5), 0.15),
        Case("all sizes equal", lambda rng: all_square(rng, 5), 0.15),
    ),
    properties=(Property("each token is projected by itself", each_token_alone, 0.15),),
    mistakes="""
    first-only-in-list: you return a list with the queries alone in it -> A `return` inside a loop ends the function in
        its first round. -> Write it below the loop, in the column of the `for`.
    no-queries: you return keys and values alone -> Three results are asked for, one for each role. -> Return Q, K and
        V, separated by commas.
    values-plain: your values are the embeddings themselves -> Each role has a projection, the values too. -> Look for
        `W_v` in your function: what is it multiplied with?
    keys-plain: your keys are the embeddings themselves -> Each role has a projection, the keys too. -> Look for `W_k`
        in your function: what is it multiplied with?
    queries-plain: your queries are the embeddings themselves -> Each role has a projection, the queries too. -> Look
        for `W_q` in your function: what is it multiplied with?
    nothing-projected: you return the embeddings themselves, three times -> Each role has a projection of its own. ->
        Multiply X by each of the three matrices.
    one-array-kept: the last result stands there three times -> One array that is filled anew in each round, and kept
        each time, is one array: what you kept of it before has changed with it. -> Make a new one in each round; or
        compute the product at once, `X @ W`.
    elementwise: you multiply entry by entry -> `*` takes two arrays of one shape, entry by entry. A projection adds up
        products of a row with a column. -> Use the matrix product, `@`.
    stacked: you put the three results into one array -> Values may have another number of columns than queries and
        keys; then they are no one array. -> Return the three themselves, separated by commas.
    joined: you return one array with all three side by side -> Whoever unpacks the result gets its rows. -> Return Q, K
        and V, separated by commas.
    equal-parts: you cut one wide product into three equal parts -> Values may have another number of columns than
        queries and keys; then the cuts fall in the wrong places. -> Cut where each matrix ends: look at the
        `.shape[1]` of each.
    no-values: you return no values -> Queries and keys make the weights; the values are what is mixed. -> Return Q, K
        and V, separated by commas.
    same-matrix: you use one matrix for all three roles -> Then every token asks, answers and says the same thing, and
        the scores are symmetric again. -> Give each role a matrix of its own.
    keys-as-values: your values are the keys once more -> By what a token is found and what it then says are two things.
        That is why there is a third matrix. -> Look at which matrix makes V.
    projections-transposed
    chained: you project the queries to get the keys, and the keys to get the values -> The three roles are made side by
        side, each from X. In a chain the shapes only fit if d_k equals d_model. -> Start each of the three products
        from X.
    scaled: you divide by the square root of d_k here -> The scale belongs to the scores. Dividing queries and keys both
        divides the scores twice. -> Return the plain products.
    unit-length: you bring queries and keys to length 1 -> Then the scores are cosines. The lengths of queries and keys
        are part of what is learned. -> Return the plain products.
    keys-returned-first: you return the keys where the queries belong -> Who asks and who answers change places, and the
        score matrix is transposed. -> Return in the order of the name: q, k, v.
    values-before-keys: you return the values before the keys -> Whoever unpacks the result compares queries with values
        and mixes the keys. -> Return in the order of the name: q, k, v.
    """,
)
def project_qkv(X, W_q, W_k, W_v, wrong=frozenset()):
    """Queries, keys and values, with the mistakes that people make as switches."""
    X, W_q, W_k, W_v = (np.asarray(a, dtype=float) for a in (X, W_q, W_k, W_v))
    if "same-matrix" in wrong:
        W_k = W_v = W_q
    if "keys-as-values" in wrong:
        W_v = W_k
    if "projections-transposed" in wrong:
        W_q, W_k, W_v = W_q.T, W_k.T, W_v.T
    Q = X @ W_q
    K = (Q if "chained" in wrong else X) @ W_k
    V = (K if "chained" in wrong else X) @ W_v
    if "one-array-kept" in wrong:
        if V.shape != Q.shape:
            raise ValueError(f"could not broadcast input array from shape {V[0].shape} into shape {Q[0].shape}")
        return V, V.copy(), V.copy()
    if "elementwise" in wrong:
        Q, K, V = X * W_q, X * W_k, X * W_v
    if "stacked" in wrong:
        return np.stack([Q, K, V])
    if "scaled" in wrong:
        Q, K = Q / np.sqrt(Q.shape[-1]), K / np.sqrt(K.shape[-1])
    if "unit-length" in wrong:
        Q, K = (A / np.linalg.norm(A, axis=-1, keepdims=True) for A in (Q, K))
    if "equal-parts" in wrong:
        return tuple(np.split(np.concatenate([Q, K, V], axis=1), 3, axis=1))
    returned = {
        "first-only-in-list": [Q],
        "no-values": (Q, K),
        "no-queries": (K, V),
        "values-plain": (Q, K, X),
        "keys-plain": (Q, X, V),
        "queries-plain": (X, K, V),
        "nothing-projected": (X, X, X),
        "joined": np.concatenate([Q, K, V], axis=1),
    }
    if returned.keys() & wrong:
        return slip(wrong, returned, None)
    return slip(wrong, {"keys-returned-first": (K, Q, V), "values-before-keys": (Q, V, K)}, (Q, K, V))
