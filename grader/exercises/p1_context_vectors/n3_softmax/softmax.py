import numpy as np

from grader.exercises.inputs import arrays, example, integers, matrix, tenths
from grader.exercises.kinds import Case, Property, function
from grader.exercises.properties import rows_sum_to_one
from grader.exercises.stages import number, slip


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
    call(x - 850.0)  # where powers overflow in single precision only: whoever uses that has not done something else
    if not np.isfinite(weights).all():
        return "scores near 1000 give NaN or infinity"
    return None if np.allclose(weights, softmax(x), atol=1e-3) else "scores near 1000 give wrong weights"


def up_to_a_billion(call, rng):
    x, top = matrix(rng, 3, 5), 1e9
    x[0, 1:3] = top, -top
    # No two alike: a logarithm of their sum, which is right elsewhere, may be rounded to the score itself.
    x[1] = top * rng.permutation([1.0, 0.9, 0.8, 0.7, 0.6])
    x[2] = -top * rng.permutation([1.0, 0.9, 0.8, 0.7, 0.6])
    for weights, right in zip(call(x), softmax(x), strict=True):
        if not np.allclose(weights, right, atol=1e-3):
            return f"scores of {top:g} and {-top:g} give weights of {np.round(weights, 3).tolist()}"
    near = top + np.array([rng.permutation([-2.0, -1.0, 0.0])])
    weights = call(near)
    if not np.allclose(weights, softmax(near), atol=1e-3):
        written = [f"{score:.0f}" for score in near[0]]
        return f"scores of {', '.join(written)} give weights of {np.round(weights[0], 3).tolist()}"
    return None


def wide_rows(rng):
    """Scores whose largest and smallest lie 2000 apart within each row, neither of them first or last."""
    x = matrix(rng, 3, 5)
    for row in x:
        row[rng.permutation(3)[:2] + 1] += [1000.0, -1000.0]
    return x


def divided_one_by_one(powers):
    """Each entry divided by what its row, in which the entries before it are divided already, sums to."""
    powers = powers.copy()
    for j in range(powers.shape[1]):
        powers[:, j] = powers[:, j] / powers.sum(axis=1)
    return powers


#: Shows where two scores of a row lie far apart.
CUT = ("differences-cut",)


@function(
    points=4,
    returns="weights",
    cases=(
        Case("a small matrix, 2 x 3", arrays(tenths, x=(2, 3)), 0.15),
        Case("a larger matrix, 7 x 5", lambda rng: {"x": matrix(rng, 7, 5, scale=2.0)}, 0.1, CUT),
        Case("a square matrix, 5 x 5", lambda rng: {"x": matrix(rng, 5, 5, scale=2.0)}, 0.1, CUT),
        Case("whole numbers", arrays(integers(-4, 5), x=(3, 5)), 0.05),
        Case(
            "rows that lie far apart",
            lambda rng: {"x": matrix(rng, 4, 5) + np.array([[-900.0], [0.0], [-1800.0], [-450.0]])},
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
        Property("stable for scores up to a billion", up_to_a_billion, 0.05),
    ),
    mistakes="""
    sign-turned: you take the scores off the maximum, not the maximum off the scores -> That turns their order round:
        the worst key gets the largest power. -> The maximum is what is taken off.
    columns: you normalised down the columns (axis 0) -> Each row belongs to one query, and its weights must sum to 1.
        Down a column, the weights of different queries are mixed. -> Take the maximum and the sum along the last axis:
        `axis=-1`, with `keepdims=True`.
    no-maximum: you do not subtract the maximum -> exp(1000) is too large for a float and becomes infinity; exp(-1000)
        becomes 0. Then infinity / infinity or 0/0 gives NaN. -> Subtract each row's maximum before `np.exp`: its `max`
        (`argmax` gives the place of the largest score, not the score). It cancels in the quotient, so the weights stay
        the same.
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
    clipped: you cut the scores off at a limit -> Then all scores beyond the limit count alike, and where all lie beyond
        it they get equal weights. -> Subtract the maximum of each row: that keeps all differences.
    nan-replaced: you put a number in the place of NaN -> What overflowed is lost, and zero, or whatever you put there,
        is not its weight. -> Avoid the overflow: subtract each row's maximum before the exponential.
    whole-numbers: your weights lose their decimals where the scores are whole numbers -> An array made like one of
        whole numbers cuts off what you put into it: all weights become 0, or 1. -> Make the result an array of floats.
    logarithm-overflows: the sum whose logarithm you take off is made of powers of unshifted scores -> On paper that is
        right. But exp(1000) overflows to infinity, and so does its logarithm: all weights of the row become 0; and
        far below zero the sum is 0. -> Subtract each row's maximum from the scores before the first `np.exp`.
    other-shift
    maximum-added: you subtract something else than each row's maximum, such as the row's sum, or you add the maximum ->
        That cancels as well; but then large scores may become larger still, and overflow all the sooner. -> Subtract
        the maximum: then no power is larger than 1.
    differences-cut=: you cut off how far a score may lie below the best of its row -> Then all that lie farther below
        count alike, and get too much weight. -> A power of a large negative number is nearly 0, and that is right:
        leave it as it is.
    fixed-shift=: you subtract the same fixed number from all scores -> What is far below that number has
        no power left, and all powers of its row become 0; what is far above it overflows. -> Subtract from each row its
        own maximum.
    absolute-maximum: you subtract the largest of the absolute values -> In a row that lies far below zero that is the
        size of its lowest score: the row moves down still farther, and all its powers become 0. -> Subtract the largest
        score with its sign.
    maximum-from-zero: you subtract a row's largest score only where it is above 0, or above another limit -> Far
        below, all powers of the row become 0, and 0/0 is NaN. A search for the largest that begins at 0 finds no other
        in a row that lies below. -> Take the `max` of each row, whatever it is; a loop begins with the row's first
        score.
    maximum-of-first-row: you subtract the largest score of the first row from every row -> A row that lies far above it
        overflows, and one far below loses all its powers: both give NaN. -> Subtract from each row its own maximum:
        `max` with `axis=-1, keepdims=True`.
    maximum-not-reset: the maximum that you subtract is the largest of the row and of all rows before it -> What the
        search has found in one row is still there in the next. A row that lies far below loses all its powers, and 0/0
        is NaN. -> Begin the search anew in each row, or take the row's `max`.
    maximum-of-columns: the maximum that you subtract is that of each column -> Within a row each score is then shifted
        by another number, and that does not cancel. -> Take the maximum along the last axis, with `keepdims=True`.
    raw-denominator
    raw-numerator: the maximum is subtracted below the line, but not above it -> The shift cancels only if numerator and
        denominator both have it; now the weights do not sum to 1. -> Compute the shifted powers once, and divide them
        by their own sum.
    maximum-after: you subtract the maximum from the powers instead of from the scores -> That shifts nothing in the
        exponent: the weights change, and large scores still overflow. -> Subtract first, then exponentiate.
    largest-power-taken-off: you take the largest power of each row off its powers -> That shifts nothing in the
        exponent: the best key is left with the weight 0, and large scores still overflow. -> Subtract first, then
        exponentiate.
    divided-by-maximum: you divide the scores by the maximum instead of subtracting it -> A factor in the exponent does
        not cancel as a shift does: it makes the weights flatter or sharper, or turns their order round. -> Subtract it.
    divided-by-largest-size: you divide the scores by the largest of their absolute values -> A factor in the exponent
        does not cancel as a shift does: whatever the scores are, the weights come out nearly equal. -> Subtract the
        maximum; do not divide by it.
    standardised: you divide the scores by their standard deviation -> A shift cancels in the quotient, a factor does
        not: the weights become flatter or sharper. -> Subtract the maximum, and leave the spread as it is.
    half-precision: you round the scores to half precision (`float16`) -> It holds three digits, and no number above
        65504: near 1000 all scores become halves. -> Leave the scores as they come, with sixteen digits (`float64`);
        take the maximum off before anything is rounded.
    single-precision: you round the scores to single precision (`float32`) -> It holds seven digits: 1000000000 and
        1000000001 are the same number there, and 1000.00001 and 1000 as well. -> Leave the scores as they come, with
        sixteen digits (`float64`); take the maximum off before anything is rounded.
    ratio: you divide the scores by their sum, without the exponential -> Scores can be negative or sum to zero; then
        the weights are negative or infinite. -> Exponentiate first: every power is positive, so every weight is.
    shifted-ratio
    exponential-late: you divide the scores by their sum first, and exponentiate then -> The order counts: powers of
        such quotients do not sum to 1, and a sum of scores can be 0. -> Exponentiate first; divide the powers by their
        sum then.
    negative-as-zero: you put 0 in the place of negative scores, and divide by the sum, without the exponential -> All
        scores below 0 get the weight 0, and a row of such scores has the sum 0. -> Exponentiate: the power of a
        negative number is small, but positive.
    squares
    not-normalised: you exponentiate but do not divide by the sum -> Without the division, the numbers are positive but
        do not sum to 1: they are no weights yet. -> Divide by the sum of the powers that belong to one query.
    sum-of-all
    sum-of-columns: you divide by the sums of the columns -> Each row belongs to one query, and its own powers must
        share the weight. -> Take the sum along the last axis, with `keepdims=True`.
    sum-of-scores: you divide the powers by the sum of the scores -> Scores can be negative or sum to zero, and that sum
        does not make the rows sum to 1. -> Divide by the sum of what stands above the line.
    sum-of-shifted-scores: you divide the powers by the sum of the shifted scores -> Those are zero or negative: they
        have not been through the exponential. -> Give the powers a name, and divide them by their own sum.
    power-of-the-sum: you divide by e to the sum of the scores -> The power of a sum is the product of the powers, not
        their sum. -> Exponentiate first, then add up.
    total-not-reset: the sum of a row still holds the rows before it -> It is not set back to 0 when the next row
        begins, so that only the first row sums to 1. -> Set it to 0 inside the loop over the rows.
    partial-sums: you divide each power by the sum of those up to it -> The sum of a row is complete only behind the
        loop: until then, what comes later is missing from it. -> Add all up first, then divide.
    own-power-left-out: you divide each power by the sum of the others -> Then the weights do not sum to 1, and can be
        larger than 1. -> Divide by the sum of all powers of the row.
    infinity-replaced: you put a large number in the place of infinity -> What overflowed is lost: all scores beyond the
        limit count alike, and their sum overflows again. -> Avoid the overflow: subtract each row's maximum before the
        exponential.
    best-only: the largest score of each row gets the weight 1, and all others get 0 -> That is a look-up: softmax gives
        a share to each. -> Exponentiate and divide; the place of the largest is not needed.
    best-with-ties: every score that is the largest of its row gets the weight 1, and all others get 0 -> That is a
        look-up: softmax gives a share to each, and where two are equal they share. -> Exponentiate and divide; which of
        them is the largest is not needed.
    minimum-ratio: you subtract each row's minimum and divide by the sum, without the exponential -> The smallest
        score of a row then always gets the weight 0. -> Subtract the maximum, and put `np.exp` in before the sum.
    sum-moves: the sum changes while you divide -> The entries that are divided already are small; the sum of the
        half-changed row is taken anew for the next one. -> Compute the sum once, before you divide.
    shifted-scores: you return the scores minus their maximum, without the exponential -> Those are still scores: zero
        or negative, and their rows do not sum to 1. -> That was the first step. The exponential, the sum and the
        quotient are still to come.
    whole-matrix
    sigmoid: you press each score between 0 and 1 by itself -> That is a sigmoid, `1 / (1 + exp(-x))`: it does not look
        at the other scores of the row, and its rows do not sum to 1. -> Divide each power by the sum of its row.
    sigmoid-divided: you press each score between 0 and 1 by itself, and divide by the sum of these -> That is a
        sigmoid, `1 / (1 + exp(-x))`: it saturates, so that 5 and 10 come out nearly alike; with the scores' powers,
        each step of 1 is a factor of e. -> Use `np.exp` of the shifted scores in its place.
    base-ten: you raise 10 to the scores, instead of e -> The rows sum to 1, but the weights are sharper: it is a
        softmax at a lower temperature. -> Use `np.exp`.
    two-to-whole-numbers: you raise 2 to the scores, instead of e, and that fails where they are whole numbers -> The
        rows sum to 1, but the weights are flatter; and a whole number has no negative powers. -> Use `np.exp`.
    base-two: you raise 2 to the scores, instead of e -> The rows sum to 1, but the weights are flatter: it is a softmax
        at a higher temperature. -> Use `np.exp`.
    log: you return the logarithm of the weights -> A log-softmax is useful in a loss function; as weights it is
        negative, and its rows do not sum to 1. -> Return the quotient itself.
    """,
)
def softmax(x, wrong=frozenset()):
    """Softmax over the last axis, with the mistakes that people make as switches."""
    whole = np.asarray(x).dtype.kind in "iu"
    if "half-precision" in wrong:
        x = np.asarray(x, dtype=np.float16)
    x = np.asarray(x, dtype=np.float32 if "single-precision" in wrong else float)
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
        "maximum-added": -x.max(axis=axis, keepdims=True),
        "absolute-maximum": np.abs(x).max(axis=-1, keepdims=True),
        "maximum-of-first-row": x[0].max(),
        "maximum-not-reset": np.maximum.accumulate(x.max(axis=-1, keepdims=True), axis=0),
        "maximum-from-zero": np.maximum(x.max(axis=-1, keepdims=True), 0.0),
        "maximum-of-columns": x.max(axis=None if "whole-matrix" in wrong else 0, keepdims=True),
        "maximum-after": 0.0,
        "largest-power-taken-off": 0.0,
    }
    top = slip(wrong, tops, x.max(axis=axis, keepdims=True))
    if shift := number(wrong, "fixed-shift", 700.0):
        top = shift
    if cut := number(wrong, "differences-cut", 5.0):
        x = np.maximum(x, top - cut)
    if "shifted-scores" in wrong:
        return x - top
    if "two-to-whole-numbers" in wrong and whole:
        raise ValueError("integers to negative integer powers")
    slips = {
        "base-two": lambda: np.exp2(x - top),
        "two-to-whole-numbers": lambda: np.exp2(x - top),
        "base-ten": lambda: 10 ** (x - top),
        "ratio": lambda: x,
        "minimum-ratio": lambda: x - x.min(axis=-1, keepdims=True),
        "infinity-replaced": lambda: np.nan_to_num(np.exp(x)),
        "best-with-ties": lambda: (x == x.max(axis=-1, keepdims=True)).astype(float),
        "best-only": lambda: np.eye(x.shape[-1])[x.argmax(axis=-1)],
        "shifted-ratio": lambda: x - top,
        "squares": lambda: x**2,
        "sign-turned": lambda: np.exp(top - x),
        "maximum-after": lambda: np.exp(x) - x.max(axis=axis, keepdims=True),
        "largest-power-taken-off": lambda: np.exp(x) - np.exp(x).max(axis=axis, keepdims=True),
        "divided-by-maximum": lambda: np.exp(x / top),
        "divided-by-largest-size": lambda: np.exp(x / np.abs(x).max(axis=-1, keepdims=True)),
        "standardised": lambda: np.exp((x - x.mean(axis=-1, keepdims=True)) / x.std(axis=-1, keepdims=True)),
        "exponential-late": lambda: np.exp(x / x.sum(axis=-1, keepdims=True)),
        "negative-as-zero": lambda: np.maximum(x, 0.0),
        "sigmoid": lambda: 1 / (1 + np.exp(-x)),
        "sigmoid-divided": lambda: 1 / (1 + np.exp(-x)),
    }
    powers = slip(wrong, slips, lambda: np.exp(x - top))()
    if "sum-moves" in wrong:
        return divided_one_by_one(powers)
    totals = {
        "raw-denominator": lambda: np.exp(x).sum(axis=axis, keepdims=True),
        "no-keepdims": lambda: powers.sum(axis=-1),
        **dict.fromkeys(("not-normalised", "sigmoid", "exponential-late", "best-with-ties"), lambda: 1.0),
        "sum-of-all": lambda: powers.sum(),
        "sum-of-columns": lambda: powers.sum(axis=0),
        "sum-of-scores": lambda: x.sum(axis=-1, keepdims=True),
        "sum-of-shifted-scores": lambda: (x - top).sum(axis=-1, keepdims=True),
        "power-of-the-sum": lambda: np.exp((x - top).sum(axis=-1, keepdims=True)),
        "partial-sums": lambda: powers.cumsum(axis=-1),
        "own-power-left-out": lambda: powers.sum(axis=-1, keepdims=True) - powers,
        "total-not-reset": lambda: powers.sum(axis=-1, keepdims=True).cumsum(axis=0),
    }
    total = slip(wrong, totals, lambda: powers.sum(axis=axis, keepdims=True))()
    if "logarithm-overflows" in wrong:
        return np.exp(x - np.log(np.exp(x).sum(axis=axis, keepdims=True)))
    if "log" in wrong and "shifted-ratio" not in wrong:  # which has no logarithm
        return x - top - np.log(total)
    weights = (np.exp(x) if "raw-numerator" in wrong else powers) / total
    if "nan-replaced" in wrong:
        weights = np.nan_to_num(weights)
    return np.trunc(weights) if "whole-numbers" in wrong and whole else weights
