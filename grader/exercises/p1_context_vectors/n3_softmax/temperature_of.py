import numpy as np

from grader.exercises.inputs import uniform
from grader.exercises.kinds import Case, function
from grader.exercises.stages import number, slip, softmax

#: Gaps that somebody takes who wants them to be small.
TOO_NEAR = (1e-8, 1e-9, 1e-10, 1e-11, 1e-12)


def weighing(factor):
    """A softmax of the scores times a factor; it remembers the last scores that a learner's function asked for.

    Which scores are compared is up to the learner, and what most mistakes come to depends on them.
    """

    def weigh(x):
        weigh.asked = np.array(x, dtype=float)
        return softmax(weigh.asked * factor)

    weigh.asked, weigh.factor = None, factor
    return weigh


def at_temperature(low, high):
    """A softmax with a temperature between these."""
    return lambda rng: {"weigh": weighing(1 / uniform(rng, low, high))}


def powers_of(low, high):
    """As softmax does it, but with powers of another number than e."""
    return lambda rng: {"weigh": weighing(np.log(uniform(rng, low, high)))}


def very_hot(rng):
    """So hot that rounding spoils whatever is found from two scores too near each other: in every draw alike."""
    while True:
        temperature = uniform(rng, 300.0, 450.0)
        pairs = [softmax(np.array([0.0, gap]) / temperature) for gap in TOO_NEAR]
        found = [
            [gap / np.log(high / low), gap / (np.log(high) - np.log(low))]
            for gap, (low, high) in zip(TOO_NEAR, pairs, strict=True)
        ]
        if np.abs(np.subtract(found, temperature)).min() > 2e-3:
            return {"weigh": weighing(1 / temperature)}


def compared(weigh, gap):
    """The two scores that were compared: the first of the row that was asked for, or two that are so far apart."""
    asked = getattr(weigh, "asked", None)  # in another process than the judge's, a function is only called
    if asked is not None and asked.ndim in (1, 2) and asked.shape[-1] > 1:
        row = asked.reshape(-1, asked.shape[-1])[0, :2]
        if row[0] != row[1]:
            return np.sort(row)
    return np.array([0.0, gap])


#: How far apart the two scores are.
GAPS = {"gap-too-wide": 1.0, "gap-too-narrow": 1e-8, "logarithms-too-near": 1e-8}


@function(
    points=4,
    returns="temperature",
    changes_input=False,
    cases=(
        Case("a softmax with a temperature between 0.3 and 0.8", at_temperature(0.3, 0.8), 0.3),
        Case("a softmax with a temperature between 2 and 5", at_temperature(2.0, 5.0), 0.1),
        Case("powers of a number between 4 and 12 in the place of e", powers_of(4.0, 12.0), 0.15),
        Case("a very cold one, hardly above 0.001", at_temperature(0.001, 0.0012), 0.2),
        Case("a very hot one, between 300 and 450", very_hot, 0.2),
        Case("the example of the task", lambda rng: {"weigh": weighing(np.log(2))}, 0.05),
    ),
    mistakes="""
    inverse: you return one divided by the temperature -> That is what the scores are multiplied by. -> Divide 1 by it.
    upside-down: your temperature has the wrong sign -> The quotient of the two weights is turned round, or the
        difference of their scores is. -> Take both in the same order: the weight of the first over that of the second,
        the score of the first minus that of the second.
    no-logarithm: you compare the two weights, but take no logarithm -> Their quotient is e to the difference of the
        scores, divided by T. -> Solve that for T: what undoes the power?
    quotient-returned: you return the quotient of the two weights -> It is e to the difference of the scores, divided by
        T. -> Solve that for T: what undoes the power?
    first-order: you take 1 off the quotient of the two weights, in the place of its logarithm -> For a small difference
        of the scores the two are near each other, but not to six digits. -> Which function undoes an exponential?
    log-base-two: you used the logarithm to base 2 -> The temperature belongs to powers of e. -> Use the natural
        logarithm, `np.log`.
    log-base-ten: you used the logarithm to base 10 -> The temperature belongs to powers of e. -> Use the natural
        logarithm, `np.log`.
    one-weight: you take the logarithm of the smaller weight alone -> A weight has been divided by the sum of its row.
        -> In the quotient of two weights of a row that sum cancels.
    one-weight-negative: you take the logarithm of the smaller weight alone -> It is negative, and the weight has been
        divided by the sum of its row. -> In the quotient of two weights of a row that sum cancels.
    larger-weight: you take the logarithm of the larger weight alone -> It is negative, and the weight has been divided
        by the sum of its row. -> In the quotient of two weights of a row that sum cancels.
    larger-weight-positive: you take the logarithm of the larger weight alone -> A weight has been divided by the sum of
        its row. -> In the quotient of two weights of a row that sum cancels.
    weights-subtracted: you take the two weights off each other, and look at no quotient -> The difference still holds
        the sum of the row. -> In the quotient of two weights of a row that sum cancels.
    gap-forgotten: how far apart your two scores are is missing from your formula -> The quotient of the weights is e to
        the difference of the scores, divided by T. -> Put that difference in.
    gap-too-wide: your two scores are too far apart for a cold softmax -> The smaller weight is rounded to 0, and
        nothing is left to compare. -> Choose scores that lie closer together, but not too close: a very hot softmax
        still has to show a difference.
    gap-too-narrow: your two scores are too close together for a very hot softmax -> The weights differ in their last
        digits only, and those are rounded. -> Choose scores that lie farther apart, but not too far: in a very cold
        softmax the smaller weight must not vanish.
    logarithms-too-near: your two scores are so close together that a very hot softmax hardly tells them apart -> The
        logarithms of the weights differ in their last digits only, and those are rounded. -> Choose scores that lie
        farther apart, but not too far: in a very cold softmax the smaller weight must not vanish.
    one-key: you compare the weights of two queries that have one key each -> With nobody to share with, a single key
        gets the weight 1, whatever its score is. -> Give one query two keys: two scores in the same row.
    at-most=: you never find a temperature as high as the task says -> Something cuts yours off: the end of a range, or
        a limit. -> Print the temperature that you find for the hottest one that the task allows.
    at-least=: you never find a temperature as low as the task says -> Something cuts yours off: the start of a range,
        or a limit. -> Print the temperature that you find for the coldest one that the task allows.
    """,
)
def temperature_of(weigh, wrong=frozenset()):
    """The temperature of a way of weighing, from two scores, with mistakes as switches."""
    asked, factor = getattr(weigh, "asked", None), getattr(weigh, "factor", None)
    if "one-key" in wrong and (asked is None or asked.shape[-1:] == (1,)):
        return np.inf  # the logarithm of 1 is 0
    low_score, high_score = scores = compared(weigh, slip(wrong, GAPS, 0.02))
    gap = high_score - low_score
    low, high = weigh(scores) if factor is None else softmax(scores * factor)
    slips = {
        "first-order": lambda: high / low - 1,
        "log-base-two": lambda: np.log2(high / low),
        "log-base-ten": lambda: np.log10(high / low),
        "one-weight": lambda: -np.log(low),
        "one-weight-negative": lambda: np.log(low),
        "larger-weight": lambda: np.log(high),
        "larger-weight-positive": lambda: -np.log(high),
        "weights-subtracted": lambda: high - low,
        "no-logarithm": lambda: high / low,
        "upside-down": lambda: np.log(low / high),
        "gap-too-wide": lambda: np.log(high / low),
        "gap-too-narrow": lambda: np.log(high / low),
        "logarithms-too-near": lambda: np.log(high) - np.log(low),
    }
    with np.errstate(all="ignore"):
        steps = slip(wrong, slips, lambda: np.log(high / low) if factor is None else gap * factor)()
        if "quotient-returned" in wrong:
            return float(high / low)
        if "inverse" in wrong:
            return float(steps / gap)
        low, high = number(wrong, "at-least", 0.01) or -np.inf, number(wrong, "at-most", 100.0) or np.inf
        return float(np.clip(np.divide(1.0 if "gap-forgotten" in wrong else gap, steps), low, high))
