import numpy as np

from grader.exercises.inputs import example
from grader.exercises.kinds import Case, Property, function
from grader.exercises.stages import number, slip

SHOWN = (
    *("error-returned", "no-two", "wrong-sign", "not-left-out", "mean-error", "squared-only", "not-centred"),
    *("not-normalised", "missing-two", "errors-alone", "by-log", "added-first", "left-out-late", "absolute-error"),
    *("not-squared-below", "long-steps=1"),
)


def error(x, y, bandwidth):
    """The sum of squared leave-one-out errors."""
    kernel = np.exp(-((x[:, None] - x) ** 2) / (2 * bandwidth**2)) * (1 - np.eye(len(x)))
    return ((kernel @ y / kernel.sum(axis=1) - y) ** 2).sum()


def curve(n):
    """Points round a wave, all within reach of each other, and a bandwidth of which every mistake shows."""

    def draw(rng):
        while True:
            x = np.cumsum(rng.integers(4, 16, size=n)) / 10
            y = (3 * np.sin(x * rng.uniform(0.4, 0.9)) + 1 + rng.normal(size=n)).round(1)
            inputs = {"x": x, "y": y, "bandwidth": float(rng.integers(13, 25)) / 10}
            slope = bandwidth_gradient(**inputs)
            if abs(slope) < 0.5 or not steps_show(**inputs):
                continue
            gaps = {
                name: abs(bandwidth_gradient(**inputs, wrong={name}) - slope) for name in (*SHOWN, "long-steps=0.5")
            }
            if gaps.pop("long-steps=0.5") > 0.01 * abs(slope) and min(gaps.values()) > 0.05 * abs(slope):
                return inputs

    return draw


def steps_show(x, y, bandwidth):
    """True if a step to one side is wrong from 0.00001 on, and steps to both sides from 0.01 on: not up to the draw."""
    slope, curvature, third = np.polynomial.polynomial.polyfit(
        steps := 0.02 * np.arange(-3, 4), [error(x, y, bandwidth + step) for step in steps], 5
    )[1:4]
    return 0.5 < abs(curvature / slope) < 1.5 and 0.05 < abs(third / slope) < 0.35


def is_the_slope(call, rng):
    inputs = curve(11)(rng)
    x, y, h = inputs.values()
    slope = (error(x, y, h + 1e-4) - error(x, y, h - 1e-4)) / 2e-4
    found = float(call(x, y, h))
    if abs(found - slope) < 4e-3 * abs(slope):
        return None
    return f"from h = {h - 1e-4:g} to {h + 1e-4:g} the error changes by {slope:.4g} times the step; you say {found:.4g}"


@function(
    points=4,
    returns="slope",
    cases=(
        Case("five points", curve(5), 0.3),
        Case("thirteen points", curve(13), 0.3),
        Case("the example of the task", example(x=np.arange(4.0), y=np.arange(4.0), bandwidth=1.0), 0.1),
    ),
    properties=(Property("it is the slope between two near bandwidths", is_the_slope, 0.2),),
    mistakes="""
    error-returned: you return the error, not its slope -> The slope says how the error *changes* with the bandwidth. ->
        Differentiate.
    no-two: your slope is half of the right one -> The derivative of a square has a factor of 2. -> Use the chain rule
        once more.
    wrong-sign: your slope has the wrong sign -> A positive slope means that the error grows with the bandwidth. -> With
        a derivative, count the minus signs: one is in the exponent, one in the derivative of 1/h², and an error is the
        prediction minus y, not the other way round. With small steps, take the error behind off the error ahead.
    not-left-out: each point takes part in its own prediction -> Then it is the slope of another error. -> Set the
        diagonal of the kernel to zero, before you divide by the sum.
    left-out-late: you take a point out of its own prediction only after the division -> The weights of the others then
        sum to less than 1: it is the slope of another error. -> Set the diagonal of the kernel to zero first, then
        divide by the sum.
    mean-error: you divide by the number of points -> The error here is a sum. -> Leave it a sum.
    squared-only: you divide the squared distances by h², not by h³ -> The derivative of 1/h² has a third power below
        the line. -> Differentiate the exponent with respect to h.
    not-centred: you leave out that the sum of the kernel values changes, too -> A prediction is a fraction: its
        derivative has two terms. -> Use the quotient rule.
    ratio-of-slopes: you divide the derivative of the sum of the weighted values by that of the sum of the weights ->
        The derivative of a fraction is not the fraction of the derivatives. -> Use the quotient rule.
    not-squared-below: the derivative of your fractions lacks the square below the line -> The derivative of a/s is (a'
        s - a s') / s². -> Divide by the sum of the kernel values twice.
    not-normalised: your predictions are not divided by the sum of the kernel values -> Then it is the slope of another
        error. -> Differentiate the whole fraction.
    missing-two: your kernel lacks the 2 below the line -> Then it is the slope at another bandwidth. -> The exponent is
        minus the squared distance over 2h².
    errors-alone: you add up the changes of the predictions without their errors -> A prediction that grows makes things
        worse only where it is too large already. -> Multiply each change by its error.
    absolute-error: yours is the slope of the sum of absolute errors -> Squared, a large error counts more, and so does
        its change. -> Square each error before you add up.
    by-log: you return the slope with respect to the logarithm of the bandwidth -> That is h times too large. -> One
        power of h more belongs below the line.
    added-first: you multiply the sum of the errors by the sum of the changes -> Each error belongs to its own change.
        -> Multiply point by point, then add up.
    one-sided=: you take a small step to one side of the bandwidth only -> Then it is the slope half a step
        further on; and with a step so short that this makes no difference (1e-9, say), rounding shows. -> Take a step
        to *each* side, and divide by both together; or differentiate.
    long-steps=: your steps to both sides of the bandwidth are too long -> Over a long step the slope itself changes.
        -> Take shorter ones.
    short-steps=: your steps to both sides of the bandwidth are so short that rounding shows -> A number has sixteen
        digits. Two errors that are alike in the first twelve leave four to their difference. -> Take longer ones, such
        as the third root of the precision: 0.00001.
    """,
)
def bandwidth_gradient(x, y, bandwidth, wrong=frozenset()):
    """The slope of the leave-one-out error, with mistakes as switches."""
    x, y = np.asarray(x, dtype=float), np.asarray(y, dtype=float)
    long, short = number(wrong, "long-steps", 0.1), number(wrong, "short-steps", 1e-12)
    if ahead := number(wrong, "one-sided", 1e-4) or (long and max(long, 1e-4)) or short:
        back = ahead if long or short else 0.0
        return float((error(x, y, bandwidth + ahead) - error(x, y, bandwidth - back)) / (ahead + back))
    gaps = (x[:, None] - x) ** 2
    h = bandwidth / np.sqrt(2) if "missing-two" in wrong else bandwidth
    kernel = np.exp(-gaps / (2 * h**2))
    others = 1 - np.eye(len(x))
    if not wrong & {"not-left-out", "left-out-late"}:
        kernel = kernel * others
    weights = kernel if "not-normalised" in wrong else kernel / kernel.sum(axis=1, keepdims=True)
    growth = gaps / slip(wrong, {"squared-only": h**2 * 2, "by-log": h**2}, h**3)
    centre = 0.0 if wrong & {"not-centred", "not-normalised"} else (weights * growth).sum(axis=1, keepdims=True)
    changes = weights * (growth - centre)
    if "left-out-late" in wrong:
        weights, changes = weights * others, changes * others
    change, miss = changes @ y, weights @ y - y
    slips = {
        "error-returned": (miss**2).sum(),
        "no-two": (miss * change).sum(),
        "wrong-sign": -2 * (miss * change).sum(),
        "mean-error": 2 * (miss * change).mean(),
        "errors-alone": change.sum(),
        "absolute-error": (np.sign(miss) * change).sum(),
        "ratio-of-slopes": 2 * (miss * ((kernel * growth) @ y / (kernel * growth).sum(axis=1))).sum(),
        "not-squared-below": 2 * (miss * change * kernel.sum(axis=1)).sum(),
        "added-first": 2 * miss.sum() * change.sum(),
    }
    return float(slip(wrong, slips, 2 * (miss * change).sum()))
