import numpy as np

from grader.exercises.inputs import arrays, example, integers, matrix, tenths
from grader.exercises.kinds import Case, Property, function
from grader.exercises.properties import in_single_precision, rows_sum_to_one
from grader.exercises.stages import slip


def rounding_shows(rng):
    """Scores whose weights add up to something else than 1 when rounded to two decimals, but not to three."""
    while True:
        x = matrix(rng, 7, 5, scale=3.0)
        off = [np.abs(softmax(x).round(decimals).sum(axis=-1) - 1).max() for decimals in (2, 3)]
        if off[0] > 0.005 and off[1] < 0.0005:
            return {"x": x}


def shift_changes_nothing(call, rng):
    x = matrix(rng, 3, 5, scale=2.0)
    shift = float(rng.uniform(2, 4))
    gap = np.abs(call(x + shift) - call(x)).max()
    return None if gap < 1e-3 else f"adding {shift:.2f} to every score moves a weight by {gap:.3g}"


def stable_when_large(call, rng):
    x = matrix(rng, 5, 5) + 1000.0
    weights = call(x)
    if not np.isfinite(weights).all():
        return "scores near 1000 give NaN or infinity"
    return None if np.allclose(weights, softmax(x), atol=1e-3) else "scores near 1000 give wrong weights"


def up_to_the_end(call, rng):
    x = matrix(rng, 3, 5)
    # A difference of two scores is up to twice as large as a score.
    top = 1.5e38 if in_single_precision(call(x)) else 1.5e308
    x[0, 1:3] = top, -top
    x[1] = top
    x[2] = -top
    for weights, right in zip(call(x), softmax(x), strict=True):
        if not np.allclose(weights, right, atol=1e-3):
            return f"scores of {top:g} and {-top:g} give weights of {np.round(weights, 3).tolist()}"
    return None


def wide_rows(rng):
    """Scores whose largest and smallest lie 2000 apart within each row, neither of them first or last."""
    x = matrix(rng, 3, 5)
    for row in x:
        row[rng.permutation(3)[:2] + 1] += [1000.0, -1000.0]
    return x


@function(
    points=4,
    returns="weights",
    cases=(
        Case("a small matrix, 2 x 3", arrays(tenths, x=(2, 3)), 0.15),
        Case("a larger matrix, 7 x 5", lambda rng: {"x": matrix(rng, 7, 5, scale=2.0)}, 0.1),
        Case("a square matrix, 5 x 5", lambda rng: {"x": matrix(rng, 5, 5, scale=2.0)}, 0.1),
        Case("whole numbers", arrays(integers(-4, 5), x=(3, 5)), 0.05),
        Case(
            "rows that lie far apart",
            lambda rng: {"x": matrix(rng, 3, 5) + np.array([[0.0], [-900.0], [-1800.0]])},
            0.05,
        ),
        Case(
            "rows that lie far apart, one of them high",
            lambda rng: {"x": matrix(rng, 3, 5) + np.array([[1000.0], [0.0], [-900.0]])},
            0.05,
        ),
        Case("scores that lie far apart within a row", lambda rng: {"x": wide_rows(rng)}, 0.1),
        Case("the example of the task", example(x=np.array([[0.0, 0.0], [0.0, np.log(3.0)]])), 0.05),
    ),
    properties=(
        Property(
            "each row sums to 1", rows_sum_to_one(rounding_shows, "row {row} (counted from 0) sums to {total}"), 0.05
        ),
        Property("adding a number to all scores changes nothing", shift_changes_nothing, 0.05),
        Property("stable for large scores", stable_when_large, 0.1),
        Property("stable up to the largest numbers there are", up_to_the_end, 0.05),
    ),
    mistakes="""
    columns: you normalised down the columns (axis 0) -> Each row belongs to one query, and its weights must sum to 1.
        Down a column, the weights of different queries are mixed. -> Take the maximum and the sum along the last axis:
        `axis=-1`, with `keepdims=True`.
    no-maximum: you do not subtract the maximum -> exp(1000) is too large for a float and becomes infinity; exp(-1000)
        becomes 0. Then infinity / infinity or 0/0 gives NaN. -> Subtract each row's maximum before `np.exp`. It cancels
        in the quotient, so the weights stay the same.
    no-keepdims: the sum has lost an axis -> A sum of shape (n,) is spread over the columns, not the rows. On a square
        matrix nothing complains, and each column is divided by another row's sum. -> Use `keepdims=True` in the sum, so
        that it has shape (n, 1).
    maximum-no-keepdims: the maximum has lost an axis -> A maximum of shape (n,) does not fit to the rows of (n, m). On
        a square matrix nothing complains, and each column is shifted by another row's maximum. -> Use `keepdims=True`
        in the maximum, so that it has shape (n, 1).
    global-maximum
    only-when-large: you subtract the maxima only where a score is large -> Very low scores fail in the other direction:
        where all powers of a row are rounded to 0, its weights are 0/0. -> Subtract each row's maximum always. It never
        changes the weights.
    clipped: you cut the scores off at a limit -> Then all scores beyond the limit count alike, and a row that lies
        beyond it gets equal weights. -> Subtract each row's maximum: that keeps all differences.
    nan-replaced: you put a number in the place of NaN -> What overflowed is lost, and zero, or whatever you put there,
        is not its weight. -> Avoid the overflow: subtract each row's maximum before the exponential.
    whole-numbers: your weights lose their decimals where the scores are whole numbers -> An array made like one of
        whole numbers cuts off what you put into it: all weights become 0, or 1. -> Make the result an array of floats.
    other-shift
    raw-denominator: the maximum is subtracted above the line, but not below it -> The shift cancels only if numerator
        and denominator both have it; now the rows do not sum to 1. -> Compute the shifted powers once, and divide them
        by their own sum.
    ratio
    not-normalised: you exponentiate but do not divide by the sum -> Without the division, the rows are positive but do
        not sum to 1: they are no weights yet. -> Divide each row by its sum.
    shifted-scores: you return the scores minus their maximum, without the exponential -> Those are still scores: zero
        or negative, and their rows do not sum to 1. -> That was the first step. The exponential, the sum and the
        quotient are still to come.
    whole-matrix
    base-two: you raise 2 to the scores, instead of e -> The rows sum to 1, but the weights are flatter: it is a softmax
        at a higher temperature. -> Use `np.exp`.
    log: you return the logarithm of the weights -> A log-softmax is useful in a loss function; as weights it is
        negative, and its rows do not sum to 1. -> Return the quotient itself.
    """,
)
def softmax(x, wrong=frozenset()):
    """Softmax over the last axis, with the mistakes that people make as switches."""
    whole = np.asarray(x).dtype.kind in "iu"
    x = np.asarray(x, dtype=float)
    if "clipped" in wrong:
        x = np.clip(x, -500, 500)
    axis = 0 if "columns" in wrong else (None if "whole-matrix" in wrong else -1)
    tops = {
        "global-maximum": x.max(),
        "other-shift": x.mean(axis=axis, keepdims=True),
        "no-maximum": 0.0,
        "nan-replaced": 0.0,
        "only-when-large": x.max(axis=axis, keepdims=True) if x.max() > 700 else 0.0,
        "maximum-no-keepdims": x.max(axis=-1),
    }
    top = slip(wrong, tops, x.max(axis=axis, keepdims=True))
    if "shifted-scores" in wrong:
        return x - top
    powers = np.exp(x - top)
    if "base-two" in wrong:
        powers = np.exp2(x - top)
    if "ratio" in wrong:
        powers = x
    total = powers.sum(axis=axis, keepdims=True)
    if "raw-denominator" in wrong:
        total = np.exp(x).sum(axis=axis, keepdims=True)
    if "no-keepdims" in wrong:
        total = powers.sum(axis=-1)
    if "not-normalised" in wrong:
        total = 1.0
    if "log" in wrong:
        return x - top - np.log(total)
    weights = powers / total
    if "nan-replaced" in wrong:
        weights = np.nan_to_num(weights)
    return np.trunc(weights) if "whole-numbers" in wrong and whole else weights
