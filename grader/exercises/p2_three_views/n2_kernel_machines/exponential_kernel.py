import numpy as np

from attnlib import softmax
from grader.exercises.inputs import arrays, example, tenths
from grader.exercises.kinds import Case, function
from grader.exercises.p2_three_views.n2_kernel_machines.shared import floats, shapes


@function(
    points=2,
    returns="kernel values",
    cases=(
        Case("two queries and five keys", arrays(tenths, Q=(2, 3), K=(5, 3)), 0.35),
        Case("seven queries and three keys", lambda rng: shapes(rng, 7, 3, 5), 0.3),
        Case("as many queries as keys as dimensions", lambda rng: shapes(rng, 5, 5, 5), 0.2),
        Case("the example of the task", example(Q=np.array([[0.0, 1.0]]), K=np.array([[5.0, 0.0], [0.0, 1.0]])), 0.05),
    ),
    mistakes="""
    normalised: you divided each row by its sum, as softmax does -> A kernel value belongs to one query and one key. The
        division comes later, for every kernel the same. -> Stop after the exponential.
    maximum-off: you took each row's maximum off before the exponential -> In softmax that cancels. A kernel is not
        divided by anything yet, so here it changes the value. -> Take the exponential of the dot product itself.
    product-of-powers: you took the exponential of the vectors before the product -> The exponential of a dot product is
        not the dot product of exponentials. -> First all dot products, then the exponential of each.
    linear: you return the dot products themselves -> That is the linear kernel, which can be negative: no weights can
        be made of it. -> Take the exponential of each.
    keys-ask: your result is transposed: a row for each key -> Row i should hold the kernel values of query i. Here rows
        and columns have changed places. -> Let the queries count the rows, and the keys the columns.
    minus: there is a minus sign in the exponent -> A distance needs one, a similarity does not: keys that match would
        get the smallest values. -> A larger dot product means a better match; keep the sign.
    scaled
    cosine: you divided the dot products by the lengths -> Then it is the exponential of a cosine, and the length of a
        key no longer counts. -> Take the plain dot product.
    base-two: you raise 2 to the dot products, instead of e -> The kernel then equals softmax only at another
        temperature. -> Use `np.exp`.
    """,
)
def exponential_kernel(Q, K, wrong=frozenset()):
    """The exponential kernel, with mistakes as switches."""
    Q, K = floats(Q, K)
    if "keys-ask" in wrong:
        Q, K = K, Q
    scores = Q @ K.T
    if "product-of-powers" in wrong:
        return np.exp(Q) @ np.exp(K).T
    if "cosine" in wrong:
        scores = scores / np.linalg.norm(Q, axis=-1)[:, None] / np.linalg.norm(K, axis=-1)
    if "scaled" in wrong:
        scores = scores / np.sqrt(Q.shape[-1])
    if "minus" in wrong:
        scores = -scores
    if "linear" in wrong:
        return scores
    if "maximum-off" in wrong:
        scores = scores - scores.max(axis=-1, keepdims=True)
    if "normalised" in wrong:
        return softmax(scores)
    return np.exp2(scores) if "base-two" in wrong else np.exp(scores)
