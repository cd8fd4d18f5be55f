import numpy as np

from grader.exercises.kinds import Case, Property, function
from grader.exercises.properties import told
from grader.exercises.stages import slip

#: Mistakes that show in any table that is far from symmetric.
TELLING = (
    "first-columns", "weakest", "strengths-left-out", "strengths-twice", "vectors-not-transposed", "symmetric-part",
    "factors-exchanged", "left-vectors-twice", "root-missing", "first-rows", "triangle-only", "upper-triangle-only",
    "triangle-only-largest", "eigenvectors", "first-of-qr", "strongest-rows", "strongest-columns",
    "scaled-by-root-d_k", "rows-scaled", "signs-do-not-fit", "left-rows",
)  # fmt: skip


def table(rng, n):
    """A square table with clearly different singular values."""
    left, right = (np.linalg.qr(rng.normal(size=(n, n)))[0] for _ in range(2))
    strengths = np.arange(n, 0, -1) + rng.uniform(0, 0.5, size=n)
    return (left * strengths) @ right.T


def drawn(n, d_k):
    return lambda rng: {"M": table(rng, n), "d_k": d_k}


def sparse(rng):
    """A table of 7 by 7 with two wishes, late ones: all else is zero, and so are singular values, exactly.

    The second asks for what the first one answers, so that the table is never symmetric. Nor are its vectors: their
    matrix is not its own transpose.
    """
    while True:
        M = np.zeros((7, 7))
        first, second, third = 4 + rng.permutation(3)
        M[[first, second], [second, third]] = rng.permutation([3.0, 5.0]) + rng.uniform(0, 0.5, size=2)
        gaps = (product(best_factors(M, 4, wrong={name})) - M for name in ("vectors-not-transposed", "left-rows"))
        if min(np.abs(gap).max() for gap in gaps) > 0.1:
            return {"M": M, "d_k": 4}


def the_example(rng):
    return {"M": np.array([[0.0, 0.0, 4.0], [0.0, 2.0, 0.0], [1.0, 0.0, 0.0]]), "d_k": 2}


def product(factors):
    """What the scores see of two projections."""
    W_q, W_k = factors
    return W_q @ W_k.T


def nothing_is_nearer(call, rng):
    least = centred = unfit = 0.0
    while min(centred, unfit) < least + 0.01:  # until it shows if the mean is taken off first, or signs do not fit
        M = table(rng, 7)
        least, centred = (np.linalg.norm(M - product(best_factors(M - off, 3))) for off in (0.0, M.mean()))
        unfit = np.linalg.norm(M - product(best_factors(M, 3, wrong={"signs-do-not-fit"})))
    gap = np.linalg.norm(M - product(call(M, 3)))
    if abs(gap - least) < 1e-3:
        return None
    return f"the root of the summed squared differences is {told(gap, least)}; {least:.4g} can be reached"


def _by_eigenvectors(M, d_k, wrong):
    """Factors from a decomposition that is made for symmetric tables, or for eigenvectors."""
    if "eigenvectors" in wrong:
        values, vectors = np.linalg.eig(M)
        order = np.argsort(values)[::-1][:d_k]
    else:
        values, vectors = np.linalg.eigh(M, UPLO="U" if "upper-triangle-only" in wrong else "L")
        order = np.argsort(-values if "triangle-only-largest" in wrong else -np.abs(values))[:d_k]
    return vectors[:, order] * values[order], vectors[:, order]


@function(
    points=4,
    returns=("W_q", "W_k"),
    seen=product,
    cases=(
        Case("a table of 3 x 3 and two columns", drawn(3, 2), 0.25, TELLING),
        Case("a table of 7 x 7 and three columns", drawn(7, 3), 0.25, TELLING),
        Case("the example of the task", the_example, 0.1),
        Case("as many columns as the table has", drawn(5, 5), 0.1, ("signs-do-not-fit", "left-rows")),
        Case("a table of two wishes, all else zero, and four columns", sparse, 0.1),
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
    rows-scaled: you multiply the singular values into the rows of the singular vectors -> The vectors on the left are
        columns: each has one singular value, and that stretches all of its column. -> Which axis of `U` counts the
        singular values? On which side of it does their diagonal matrix stand?
    left-vectors-twice: you use the left singular vectors for both factors -> What asks and what answers are different
        directions, unless M is symmetric. -> The second factor needs the right singular vectors.
    symmetric-part: you factorise the symmetric part of M -> A table of wishes need not be symmetric: a decomposition
        for symmetric matrices, such as `eigh`, does not see the rest (or sees one triangle only). -> Use one that is
        made for any matrix.
    left-for-both: you make the second factor as `M @ U` -> What asks and what answers are different directions, unless
        M is symmetric: the left singular vectors meet the rows of M, and the right ones its columns. -> Which of M and
        its transpose turns the left singular vectors into the right ones?
    largest-entries: you keep the d_k largest entries of M -> A question that speaks for many entries at once does
        better than one for a single entry. -> Look for a decomposition that puts the strongest questions first.
    factors-exchanged: your W_q and W_k have changed places -> The product is then the transpose of what is wanted:
        those who should answer ask. -> The rows of M belong to the asking token.
    wide: you return all columns and do not cut -> The factors shall have d_k columns. -> Keep the d_k most important
        ones.
    product-returned: you return the product -> A head needs the two factors. -> Return W_q and W_k.
    second-transposed: your W_k has its columns as rows -> `W_q @ W_k.T` is what is compared with M, and both have shape
        (d_model, d_k). -> Transpose it.
    second-transposed-with-strengths: your W_k has its columns as rows -> `W_q @ W_k.T` is what is compared with M, and
        both have shape (d_model, d_k). -> Transpose it.
    second-transposed-with-roots: your W_k has its columns as rows -> `W_q @ W_k.T` is what is compared with M, and both
        have shape (d_model, d_k). -> Transpose it.
    triangle-only: you factorise M as if it were symmetric: `eigh` reads one triangle of it -> A table of wishes need
        not be symmetric, and half of it is ignored. -> Use a decomposition that is made for any matrix: the text before
        the task speaks of singular values.
    triangle-only-largest: you factorise M as if it were symmetric: `eigh` reads one triangle of it, and its last values
        are the largest, not the strongest -> A table of wishes need not be symmetric, and half of it is ignored; and a
        value far below 0 is as strong as one far above. -> Use a decomposition that is made for any matrix: the text
        before the task speaks of singular values.
    upper-triangle-only: you factorise M as if it were symmetric: `eigh` reads one triangle of it -> A table of wishes
        need not be symmetric, and half of it is ignored. -> Use a decomposition that is made for any matrix: the text
        before the task speaks of singular values.
    eigenvectors: you use eigenvalues and eigenvectors of M -> For a table that is not symmetric they may be complex,
        and the eigenvectors are not at right angles: their product is not M. -> Use singular values: the text before
        the task speaks of them.
    signs-do-not-fit: your singular vectors come from two decompositions, that of `M @ M.T` and that of `M.T @ M` ->
        Each of them gives its vectors with a sign that is any, and in a pair of vectors the signs have to fit. -> Make
        the second ones from the first: `M.T @ U`, divided by the singular values; or use a decomposition that gives
        both kinds.
    left-rows: of the left singular vectors you take the first rows -> They are the columns of the matrix that NumPy
        returns first; only the second one is transposed. -> Which axis of `U` counts the singular values?
    first-of-qr: you keep the first columns of a QR decomposition -> It takes the columns of M in their order, not by
        how much they matter. -> Look for a decomposition that puts the strongest questions first.
    strongest-rows: you keep the strongest rows of M and forget the others -> A question that speaks for several rows at
        once does better than any one of them. -> Look for a decomposition that puts the strongest questions first.
    strongest-columns: you keep the strongest columns of M and forget the others -> A question that speaks for several
        columns at once does better than any one of them. -> Look for a decomposition that puts the strongest questions
        first.
    scaled-by-root-d_k: your product is too large by the root of d_k -> There is no scale here: the product itself shall
        be near to M. -> Leave d_k out of the numbers.
    divides-by-zero: where a singular value is 0, you divide by it -> The rank of M may be less than d_k: then some of
        the d_k largest are 0, and 0/0 is NaN. -> Do without the division: a decomposition that gives both kinds of
        vectors needs none.
    fewer-columns: where the rank of M is less than d_k, your factors have fewer columns -> A head of width d_k is asked
        for. Columns whose strength is 0 do no harm. -> Keep d_k columns, whatever the rank.
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
    if wrong & {"triangle-only", "triangle-only-largest", "upper-triangle-only", "eigenvectors"}:
        return _by_eigenvectors(M, d_k, wrong)
    if "signs-do-not-fit" in wrong:
        (squares, left), (_, right) = np.linalg.eigh(M @ M.T), np.linalg.eigh(M.T @ M)
        kept = slice(-1, -d_k - 1, -1)
        return left[:, kept] * np.sqrt(np.maximum(squares[kept], 0.0)), right[:, kept]
    if "largest-entries" in wrong:
        rows, columns = np.unravel_index(np.argsort(-np.abs(M), axis=None, kind="stable")[:d_k], M.shape)
        return np.eye(len(M))[:, rows] * M[rows, columns], np.eye(len(M))[:, columns]
    if "first-of-qr" in wrong:
        Q, R = np.linalg.qr(M)
        return Q[:, :d_k], R[:d_k].T
    if wrong & {"strongest-rows", "strongest-columns"}:
        by_rows = "strongest-rows" in wrong
        kept = np.argsort(-(M**2).sum(axis=int(by_rows)), kind="stable")[:d_k]
        W_q, W_k = np.eye(len(M))[:, kept], (M[kept].T if by_rows else M[:, kept])
        return (W_q, W_k) if by_rows else (W_k, W_q)
    left, strengths, right = np.linalg.svd(M)
    if "divides-by-zero" in wrong and strengths[d_k - 1] < 1e-12:
        return np.full((len(M), d_k), np.nan), np.full((len(M), d_k), np.nan)
    if "fewer-columns" in wrong:
        d_k = min(d_k, int(np.linalg.matrix_rank(M)))
    if "scaled-by-root-d_k" in wrong:
        strengths = strengths * np.sqrt(d_k)
    if "vectors-not-transposed" in wrong:
        right = right.T
    if "left-rows" in wrong:
        left = left.T
    if "left-vectors-twice" in wrong:
        right = left.T
    if "left-for-both" in wrong:
        vectors = np.linalg.eigh(M @ M.T)[1][:, -d_k:]
        return vectors, M @ vectors
    kept = slice(None) if "wide" in wrong else slice(len(M) - d_k, None) if "weakest" in wrong else slice(d_k)
    slips = {"strengths-left-out": 1.0, "strengths-twice": strengths**2, "root-missing": np.sqrt(strengths)}
    strengths = np.broadcast_to(slip(wrong, slips, strengths), len(M))
    scale = strengths[:, None] if "rows-scaled" in wrong else strengths
    W_q, W_k = (left * scale)[:, kept], right[kept].T
    if "factors-exchanged" in wrong:
        W_q, W_k = W_k, W_q
    slips = {
        "product-returned": lambda: W_q @ W_k.T,
        "second-transposed": lambda: (W_q, W_k.T),
        "second-transposed-with-strengths": lambda: (left[:, kept], strengths[kept, None] * W_k.T),
        "second-transposed-with-roots": lambda: (
            left[:, kept] * np.sqrt(strengths[kept]),
            np.sqrt(strengths[kept, None]) * W_k.T,
        ),
    }
    return slip(wrong, slips, lambda: (W_q, W_k))()
