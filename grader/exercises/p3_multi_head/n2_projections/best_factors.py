import numpy as np

from grader.exercises.kinds import Case, Property, function
from grader.exercises.properties import told
from grader.exercises.stages import slip

#: Mistakes that show in any table that is far from symmetric.
TELLING = (
    "first-columns", "weakest", "strengths-left-out", "strengths-twice", "vectors-not-transposed", "symmetric-part",
    "factors-exchanged", "left-vectors-twice", "root-missing", "first-rows",
)  # fmt: skip


def table(rng, n, rank=None):
    """A square table with clearly different singular values, of which only `rank` are not zero."""
    left, right = (np.linalg.qr(rng.normal(size=(n, n)))[0] for _ in range(2))
    strengths = np.arange(n, 0, -1) + rng.uniform(0, 0.5, size=n)
    strengths[n if rank is None else rank :] = 0
    return (left * strengths) @ right.T


def drawn(n, d_k, rank=None):
    return lambda rng: {"M": table(rng, n, rank), "d_k": d_k}


def the_example(rng):
    return {"M": np.array([[0.0, 0.0, 4.0], [0.0, 2.0, 0.0], [1.0, 0.0, 0.0]]), "d_k": 2}


def product(factors):
    """What the scores see of two projections."""
    W_q, W_k = factors
    return W_q @ W_k.T


def nothing_is_nearer(call, rng):
    M = table(rng, 7)
    gap = np.linalg.norm(M - product(call(M, 3)))
    least = np.sqrt((np.linalg.svd(M)[1][3:] ** 2).sum())
    if abs(gap - least) < 1e-3:
        return None
    return f"the root of the summed squared differences is {told(gap, least)}; {least:.4g} can be reached"


@function(
    points=4,
    returns=("W_q", "W_k"),
    seen=product,
    cases=(
        Case("a table of 3 x 3 and two columns", drawn(3, 2), 0.25, TELLING),
        Case("a table of 7 x 7 and three columns", drawn(7, 3), 0.25, TELLING),
        Case("the example of the task", the_example, 0.1),
        Case("as many columns as the table has", drawn(5, 5), 0.1),
        Case("a table of rank 2, and four columns", drawn(7, 4, rank=2), 0.1),
    ),
    properties=(Property("no product of such factors is nearer", nothing_is_nearer, 0.1),),
    mistakes="""
    first-columns: you keep the first columns of M and forget the others -> The other columns of the product are zero
        then. -> A few questions can speak for all columns at once, if they are chosen well. Which ones do that best?
    first-rows: you keep the first rows of M and forget the others -> The other rows of the product are zero then. -> A
        few questions can speak for all rows at once, if they are chosen well. Which ones do that best?
    weakest: you keep the smallest singular values -> They matter least for the table. -> Look at the order in which
        your decomposition returns them.
    strengths-left-out: you keep the singular vectors and leave the singular values out -> All questions are then
        equally strong. -> Multiply them into one of the two factors, or their roots into both.
    strengths-twice: the singular values are in both factors, so that the product has their squares -> What is strong
        becomes too strong. -> Put them into one of the two, or their roots into both.
    root-missing: the roots of the singular values are in one factor only -> The product then has the roots instead of
        the values. -> Put the roots into both, or the values into one.
    vectors-not-transposed: you take the columns of a matrix whose rows are the singular vectors -> NumPy returns the
        second matrix of the decomposition transposed. -> Its singular vectors are its rows: read its help again.
    left-vectors-twice: you use the left singular vectors for both factors -> What asks and what answers are different
        directions, unless M is symmetric. -> The second factor needs the right singular vectors.
    symmetric-part: you factorise the symmetric part of M -> A table of wishes need not be symmetric: a decomposition
        for symmetric matrices, such as `eigh`, does not see the rest (or sees one triangle only). -> Use one that is
        made for any matrix.
    factors-exchanged: your W_q and W_k have changed places -> The product is then the transpose of what is wanted:
        those who should answer ask. -> The rows of M belong to the asking token.
    wide: you return all columns and do not cut -> The factors shall have d_k columns. -> Keep the d_k most important
        ones.
    product-returned: you return the product -> A head needs the two factors. -> Return W_q and W_k.
    second-transposed: your W_k has its columns as rows -> `W_q @ W_k.T` is what is compared with M, and both have shape
        (d_model, d_k). -> Transpose it.
    """,
)
def best_factors(M, d_k, wrong=frozenset()):
    """Two factors whose product is as near to M as can be, with the mistakes that people make as switches."""
    M = np.asarray(M, dtype=float)
    if "symmetric-part" in wrong:
        M = (M + M.T) / 2
    if "first-columns" in wrong:
        return M[:, :d_k], np.eye(len(M))[:, :d_k]
    if "first-rows" in wrong:
        return np.eye(len(M))[:, :d_k], M[:d_k].T
    left, strengths, right = np.linalg.svd(M)
    if "vectors-not-transposed" in wrong:
        right = right.T
    if "left-vectors-twice" in wrong:
        right = left.T
    kept = slice(None) if "wide" in wrong else slice(len(M) - d_k, None) if "weakest" in wrong else slice(d_k)
    slips = {"strengths-left-out": 1.0, "strengths-twice": strengths**2, "root-missing": np.sqrt(strengths)}
    strengths = np.broadcast_to(slip(wrong, slips, strengths), len(M))
    W_q, W_k = (left * strengths)[:, kept], right[kept].T
    if "factors-exchanged" in wrong:
        W_q, W_k = W_k, W_q
    return slip(wrong, {"product-returned": W_q @ W_k.T, "second-transposed": (W_q, W_k.T)}, (W_q, W_k))
