from functools import partial

import numpy as np

from attnlib import softmax, unit_rows
from grader.exercises.inputs import arrays, example, matrix, tenths
from grader.exercises.kinds import Case, function
from grader.exercises.p2_three_views.n2_kernel_machines.shared import floats, squared_gaps
from grader.exercises.stages import slip


def near_zero(rng, *shape):
    return matrix(rng, *shape, scale=0.6)


EXAMPLE = {
    "X": np.array([[1.0, 0.0]]),
    "Y": np.array([[0.0, 1.0]]),
    "W_q": np.array([[1.0], [0.0]]),
    "W_k": np.array([[0.0], [1.0]]),
}


@function(
    points=2,
    returns="kernel values",
    cases=(
        Case(
            "two vectors against three, projected from 2 to 5 dimensions",
            arrays(partial(tenths, low=-1, high=1), X=(2, 2), Y=(3, 2), W_q=(2, 5), W_k=(2, 5)),
            0.3,
            telling=("projections-swapped", "same-matrix", "no-exponential", "normalised", "scaled"),
        ),
        Case(
            "seven against three, from 5 to 2 dimensions",
            arrays(near_zero, X=(7, 5), Y=(3, 5), W_q=(5, 2), W_k=(5, 2)),
            0.3,
        ),
        Case("everything square", arrays(near_zero, X=(5, 5), Y=(5, 5), W_q=(5, 5), W_k=(5, 5)), 0.25),
        Case("the example of the task", example(**EXAMPLE), 0.05),
    ),
    mistakes="""
    projections-swapped: the two projections have changed places -> The first vector asks and the second answers;
        exchanged, it is the kernel of y and x. -> The queries are made from X with W_q.
    projections-added: you add W_q and W_k, and use the sum for both -> Then asking and answering are the same role, and
        the kernel is always symmetric. -> The first argument goes through W_q, the second through W_k.
    same-matrix: you used W_q for both -> Then asking and answering are the same role, and the kernel is always
        symmetric. -> The second argument has a projection of its own.
    keys-from-target: you made the keys from X instead of Y -> The kernel then compares X with itself. -> The keys come
        from Y.
    projections-transposed
    no-projection: you compare X and Y as they are, without the projections -> Then there is nothing learned in the
        kernel: it is the exponential kernel. -> First make queries of X and keys of Y.
    keys-not-projected: you compare the projected X with Y as it is -> Queries and keys have to lie in one space before
        they can meet. -> Project both, each with its own matrix.
    queries-not-projected: you compare X as it is with the projected Y -> Queries and keys have to lie in one space
        before they can meet. -> Project both, each with its own matrix.
    no-exponential: you return the dot products without the exponential -> They can be negative, and no weights can be
        made of them. -> Your `exponential_kernel` does the last step.
    normalised: you divided each row by its sum -> A kernel value belongs to one pair of vectors, whoever else is there.
        -> Stop after the exponential.
    scaled
    maximum-off: you took each row's maximum off before the exponential -> In softmax that cancels. A kernel is not
        divided by anything yet, so here it changes the value. -> Take the exponential of the dot product itself.
    minus: there is a minus sign in the exponent -> A distance needs one, a similarity does not: keys that match would
        get the smallest values. -> A larger dot product means a better match; keep the sign.
    cosine: you divided the dot products by the lengths -> Then it is the exponential of a cosine, and the length of a
        projected vector no longer counts. -> Take the plain dot product.
    base-two: you raise 2 to the dot products, instead of e -> The kernel then equals softmax only at another
        temperature. -> Use `np.exp`.
    gaussian: you take the Gaussian kernel of the projected vectors -> It asks how near a key is: one that points the
        right way, but is far longer, gets little. -> The exponential of the dot product is asked for.
    gaussian-no-two: you take a bell of the distance of the projected vectors, a Gaussian kernel -> It asks how near a
        key is: one that points the right way, but is far longer, gets little. -> The exponential of the dot product is
        asked for.
    product-of-powers: you took the exponential of the projected vectors before the product -> The exponential of a dot
        product is not the dot product of exponentials. -> First all dot products, then the exponential of each.
    queries-only: the exponential is that of the queries alone -> `np.exp(a) @ b` is not `np.exp(a @ b)`. -> First all
        dot products, then the exponential of each.
    keys-only: the exponential is that of the keys alone -> It belongs to each dot product. -> First all dot products,
        then the exponential of each.
    powers-added: you take the exponential of each product of two coordinates, and add up afterwards -> The exponential
        of a sum is not the sum of exponentials. -> First the dot product, then one exponential for each pair.
    both-with-W_k: you used W_k for both -> Then asking and answering are the same role, and the kernel is always
        symmetric. -> The first argument has a projection of its own.
    """,
)
def learned_kernel(X, Y, W_q, W_k, wrong=frozenset()):
    """The kernel that two projections make, with mistakes as switches."""
    X, Y, W_q, W_k = floats(X, Y, W_q, W_k)
    if "projections-swapped" in wrong:
        W_q, W_k = W_k, W_q
    if "projections-added" in wrong:
        W_q = W_k = W_q + W_k
    if "same-matrix" in wrong:
        W_k = W_q
    if "keys-from-target" in wrong:
        Y = X
    if "projections-transposed" in wrong:
        W_q, W_k = W_q.T, W_k.T
    if "both-with-W_k" in wrong:
        W_q = W_k
    asks, keys = (X, Y) if "no-projection" in wrong else (X @ W_q, Y @ W_k)
    asks, keys = slip(wrong, {"keys-not-projected": (asks, Y), "queries-not-projected": (X, keys)}, (asks, keys))
    if "cosine" in wrong:
        asks, keys = unit_rows(asks), unit_rows(keys)
    products = {
        "product-of-powers": (np.exp(asks), np.exp(keys)),
        "queries-only": (np.exp(asks), keys),
        "keys-only": (asks, np.exp(keys)),
    }
    for name, (one, other) in products.items():
        if name in wrong:
            return one @ other.T
    if "powers-added" in wrong:
        return np.exp(asks[:, None, :] * keys).sum(axis=-1)
    if wrong & {"gaussian", "gaussian-no-two"}:
        return np.exp(-squared_gaps(asks, keys) / (2 if "gaussian" in wrong else 1))
    scores = asks @ keys.T
    if "minus" in wrong:
        scores = -scores
    if "maximum-off" in wrong:
        scores = scores - scores.max(axis=-1, keepdims=True)
    if "base-two" in wrong:
        return np.exp2(scores)
    if "scaled" in wrong:
        scores = scores / np.sqrt(W_q.shape[-1])
    if "no-exponential" in wrong:
        return scores
    if "normalised" in wrong:
        return softmax(scores)
    return np.exp(scores)
