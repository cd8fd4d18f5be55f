import numpy as np

from attnlib import softmax
from grader.exercises.inputs import matrix
from grader.exercises.kinds import Case, Property, function
from grader.exercises.p3_multi_head.n1_scaling.shared import measured
from grader.exercises.stages import slip


def weights_row(rng, n):
    """A row of n positive weights, in hundredths where there are few, that sum to 1."""
    p = rng.dirichlet(np.full(n, 3.0))
    if n < 5:
        p = np.maximum(p.round(2), 0.05)
        p[-1] = 0
        p = np.append(p[:-1], 1 - p[:-1].sum()) if p.sum() < 0.95 else np.array([0.2, 0.3, 0.5])
    return p


def rows_sum_to_zero(call, rng):
    total = call(weights_row(rng, 7)).sum(axis=-1)
    worst = total[np.abs(total).argmax()]
    return None if abs(worst) < 1e-4 else f"a row sums to {worst:.4g}"


def tells_small_changes(call, rng):
    scores = rng.permutation([-1.0, -0.5, 0.0, 0.5, 1.0]) + matrix(rng, 5, scale=0.1)  # no weight near 0
    p = softmax(scores)
    step = 1e-4 * rng.permutation([-3, -1, 1, 2, 4])
    moved = softmax(scores + step) - p
    told = call(p) @ step
    return None if np.abs(told - moved).max() < 1e-6 else "a small step of the scores moves the weights otherwise"


@function(
    points=3,
    returns="jacobian",
    cases=(
        Case("three weights", lambda rng: {"p": weights_row(rng, 3)}, 0.3),
        Case("seven weights", lambda rng: {"p": weights_row(rng, 7)}, 0.15),
        Case("the example of the task", lambda rng: {"p": np.array([0.25, 0.75])}, 0.05),
        Case("all weight on one key", lambda rng: {"p": np.eye(5)[int(rng.integers(5))]}, 0.1),
    ),
    properties=(
        Property("each row sums to 0: the same added to all scores moves no weight", rows_sum_to_zero, 0.1),
        Property("it tells what a small change of the scores does", tells_small_changes, 0.2),
    ),
    mistakes="""
    sigmoid: you filled the diagonal only, with p (1 - p) -> That is the derivative of one score alone. But a higher
        score of one key takes weight from all others. -> The entries off the diagonal are minus the product of two
        weights.
    one-row: you return one number for each weight, p (1 - p) -> There are n weights and n scores, so n times n
        derivatives. -> Make a matrix: row i, column j tells how weight i answers score j.
    largest-entry: you return one number in all, the largest entry -> That one is wanted in the next exercise; here it
        is all of them, n times n. -> Return the whole matrix.
    inner-product
    row-broadcast
    row-broadcast-down
    weights-taken-off: you take off the weights themselves, spread over the rows -> What weight i loses to score j
        depends on both weights: it is their product. -> All products of two weights: look at `np.outer`.
    weights-taken-off-down: you take off the weights themselves, spread over the columns -> What weight i loses to score
        j depends on both weights: it is their product. -> All products of two weights: look at `np.outer`.
    diagonal-of-a-column: `np.diag` gets a matrix of one column (or row), and takes its first number -> Of a matrix it
        reads the diagonal; only of a flat array it makes a matrix. -> Give p its second axis in the product only, and
        keep p flat for `np.diag`.
    last-not-filled: the last row and the last column are not filled -> The end of a `range` is not included. -> Let
        both loops go over all weights.
    first-not-filled: the first row and the first column are not filled -> Places are counted from 0. -> Let both loops
        go over all weights.
    ones-on-diagonal: there is a 1 on the diagonal in place of the weight -> A weight near 0 would then answer its own
        score most strongly; in truth it hardly moves. -> Put p itself on the diagonal, before you subtract.
    diagonal-missing: the diagonal term is missing -> Then no weight would ever grow with its own score. -> Add the
        weights on the diagonal.
    plus: you added the products instead of taking them off -> What one weight gains, the others lose: a column must sum
        to 0. -> Subtract.
    sign: all signs are turned round -> A weight grows with its own score: the diagonal is positive. -> Subtract in the
        other order.
    plus-off-diagonal: the products off the diagonal have the wrong sign -> A higher score of one key takes weight from
        all others, so what stands there is negative. -> A row must sum to 0: check that.
    rest-everywhere
    rest-everywhere-by-columns
    weight-on-diagonal: on the diagonal stands the weight alone -> The product of the weight with itself has to be taken
        off there, too. -> Check that each row sums to 0.
    square-on-diagonal: on the diagonal stands the squared weight -> That is only what is taken off there. -> Check that
        each row sums to 0.
    zeros-on-diagonal: on the diagonal only zeros are left -> Either nothing was put there, or the squared weight, of
        which the product of the weight with itself leaves nothing. -> Check that each row sums to 0.
    rest-on-diagonal: on the diagonal stands 1 - p, without the factor p -> A weight near 0 would then answer its own
        score most strongly. -> Check that each row sums to 0.
    minus-on-diagonal: on the diagonal stands minus the weight -> `p ** 2` is p squared, but `p * 2` is twice p: p minus
        twice p is minus p. -> Check that each row sums to 0.
    square-taken-twice: on the diagonal the squared weight is taken off twice -> The products of two weights hold the
        squares already. -> Check that each row sums to 0.
    products-only: you return the products of the weights alone -> Nothing was subtracted: no weight would ever lose.
        -> These products have to be taken off something.
    always-three: your matrix is 3 by 3, however many weights there are -> 3 is a number of the examples in the text. ->
        Read the number off `p`: `len(p)`.
    only-zeros: your matrix holds nothing but zeros -> An array of whole numbers (`dtype=int`) swallows the decimals of
        what is put into it; or the array was never filled. -> Make it with `np.zeros((n, n))`, and look whether the
        lines that fill it are reached.
    softmax-again: you took the softmax of p, but p is already a row of weights -> The second softmax flattens the
        weights, and its derivative is another one. -> Use p as it comes.
    step-of-a-tenth
    step-of-a-thousandth
    step-of-a-ten-thousandth
    both-sides-a-hundredth
    """,
)
def softmax_jacobian(p, wrong=frozenset()):
    """The Jacobian of softmax from its weights, with the mistakes that people make as switches."""
    p = np.asarray(p, dtype=float)
    if "softmax-again" in wrong:
        p = softmax(p)
    with np.errstate(divide="ignore"):  # the score of a weight that is 0 is minus infinity
        by_steps = measured(softmax, np.log(p), wrong)
    if by_steps is not None:
        return by_steps
    if wrong & {"sigmoid", "one-row"}:
        return np.diag(p * (1 - p)) if "sigmoid" in wrong else p * (1 - p)
    if "always-three" in wrong:
        return softmax_jacobian(p[[0, 1, 2]])
    if "only-zeros" in wrong:
        return np.zeros((len(p), len(p)))
    products = {"inner-product": p @ p, "row-broadcast": p * p, "row-broadcast-down": (p * p)[:, None]}
    products |= {"weights-taken-off": p, "weights-taken-off-down": p[:, None]}
    outer = slip(wrong, products, np.outer(p, p))
    no_diagonal = np.zeros((len(p), len(p)))
    diagonals = {"ones-on-diagonal": np.eye(len(p)), "diagonal-missing": no_diagonal, "diagonal-of-a-column": p[0]}
    diagonal = slip(wrong, diagonals, np.diag(p))
    at = np.eye(len(p), dtype=bool)
    slips = {
        "plus": lambda: diagonal + outer,
        "plus-off-diagonal": lambda: np.where(at, diagonal - outer, outer),
        "rest-everywhere": lambda: np.outer(p, 1 - p),
        "rest-everywhere-by-columns": lambda: np.outer(1 - p, p),
        "weight-on-diagonal": lambda: np.where(at, p, -outer),
        "square-taken-twice": lambda: diagonal - outer - np.diag(p**2),
        "square-on-diagonal": lambda: np.where(at, p**2, -outer),
        "rest-on-diagonal": lambda: np.where(at, 1 - p, -outer),
        "minus-on-diagonal": lambda: np.where(at, -p, -outer),
        "products-only": lambda: outer,
        "last-not-filled": lambda: np.pad((np.diag(p) - np.outer(p, p))[:-1, :-1], (0, 1)),
        "first-not-filled": lambda: np.pad((np.diag(p) - np.outer(p, p))[1:, 1:], (1, 0)),
        "sign": lambda: outer - diagonal,
        "zeros-on-diagonal": lambda: np.where(at, 0.0, -outer),
        "largest-entry": lambda: (diagonal - outer).max(),
    }
    return slip(wrong, slips, lambda: diagonal - outer)()
