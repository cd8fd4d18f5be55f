from functools import partial

import numpy as np

from attnlib import softmax
from grader.exercises.inputs import arrays, example, matrix, tenths
from grader.exercises.kinds import Case, function
from grader.exercises.p2_three_views.n2_kernel_machines.shared import floats


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
    same-matrix: you used W_q for both -> Then asking and answering are the same role, and the kernel is always
        symmetric. -> The second argument has a projection of its own.
    keys-from-target: you made the keys from X instead of Y -> The kernel then compares X with itself. -> The keys come
        from Y.
    projections-transposed
    no-projection: you compare X and Y as they are, without the projections -> Then there is nothing learned in the
        kernel: it is the exponential kernel. -> First make queries of X and keys of Y.
    no-exponential: you return the dot products without the exponential -> They can be negative, and no weights can be
        made of them. -> Your `exponential_kernel` does the last step.
    normalised: you divided each row by its sum -> A kernel value belongs to one pair of vectors, whoever else is there.
        -> Stop after the exponential.
    scaled
    """,
)
def learned_kernel(X, Y, W_q, W_k, wrong=frozenset()):
    """The kernel that two projections make, with mistakes as switches."""
    X, Y, W_q, W_k = floats(X, Y, W_q, W_k)
    if "projections-swapped" in wrong:
        W_q, W_k = W_k, W_q
    if "same-matrix" in wrong:
        W_k = W_q
    if "keys-from-target" in wrong:
        Y = X
    if "projections-transposed" in wrong:
        W_q, W_k = W_q.T, W_k.T
    scores = X @ Y.T if "no-projection" in wrong else (X @ W_q) @ (Y @ W_k).T
    if "scaled" in wrong:
        scores = scores / np.sqrt(W_q.shape[-1])
    if "no-exponential" in wrong:
        return scores
    if "normalised" in wrong:
        return softmax(scores)
    return np.exp(scores)
