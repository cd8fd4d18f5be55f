import numpy as np

from grader.exercises.inputs import example, uniform
from grader.exercises.kinds import Case, function
from grader.exercises.stages import slip, softmax


def at_temperature(low, high):
    """A way of weighing: a softmax with a temperature between these."""

    def make(rng):
        temperature = uniform(rng, low, high)
        return {"weigh": lambda x: softmax(np.asarray(x, dtype=float) / temperature)}

    return make


def powers_of(low, high):
    """A way of weighing: as softmax does it, but with powers of another number than e."""

    def make(rng):
        base = uniform(rng, low, high)
        return {"weigh": lambda x: softmax(np.asarray(x, dtype=float) * np.log(base))}

    return make


def powers_of_two(x):
    """A way of weighing: powers of 2, divided by their sum."""
    return softmax(np.asarray(x, dtype=float) * np.log(2))


#: How far apart the two scores are.
GAPS = {"gap-too-wide": 1.0, "gap-too-narrow": 1e-8}


@function(
    points=4,
    returns="temperature",
    changes_input=False,
    cases=(
        Case("a softmax with a temperature between 0.3 and 0.8", at_temperature(0.3, 0.8), 0.3),
        Case("a softmax with a temperature between 2 and 5", at_temperature(2.0, 5.0), 0.1),
        Case("powers of a number between 4 and 12 in the place of e", powers_of(4.0, 12.0), 0.15),
        Case("a very cold one, hardly above 0.001", at_temperature(0.001, 0.0012), 0.2),
        Case("a very hot one, between 300 and 450", at_temperature(300.0, 450.0), 0.2, telling=("gap-too-narrow",)),
        Case("the example of the task", example(weigh=powers_of_two), 0.05),
    ),
    mistakes="""
    inverse: you return one divided by the temperature -> That is what the scores are multiplied by. -> Turn the
        quotient round.
    upside-down: your temperature has the wrong sign -> The quotient of the two weights is turned round, and its
        logarithm with it. -> Divide the larger weight by the smaller, or take the scores off each other in the same
        order.
    no-logarithm: you compare the two weights, but take no logarithm -> Their quotient is e to the difference of the
        scores, divided by T. -> Solve that for T: what undoes the power?
    log-base-two: you used the logarithm to base 2 -> The temperature belongs to powers of e. -> Use the natural
        logarithm, `np.log`.
    log-base-ten: you used the logarithm to base 10 -> The temperature belongs to powers of e. -> Use the natural
        logarithm, `np.log`.
    one-weight: you take the logarithm of one weight alone -> A weight has been divided by the sum of its row. -> In the
        quotient of two weights of a row that sum cancels.
    weights-subtracted: you take the two weights off each other, and look at no quotient -> The difference still holds
        the sum of the row. -> In the quotient of two weights of a row that sum cancels.
    gap-forgotten: how far apart your two scores are is missing from your formula -> The quotient of the weights is e to
        the difference of the scores, divided by T. -> Put that difference in.
    gap-too-wide: your two scores are too far apart for a very cold softmax -> The smaller weight is rounded to 0, and
        nothing is left to compare. -> Choose scores that lie closer together.
    gap-too-narrow: your two scores are too close together for a very hot softmax -> The weights differ in their last
        digits only, and those are rounded. -> Choose scores that lie farther apart.
    """,
)
def temperature_of(weigh, wrong=frozenset()):
    """The temperature of a way of weighing, from one call, with mistakes as switches."""
    gap = slip(wrong, GAPS, 0.02)
    low, high = np.asarray(weigh(np.array([[0.0, gap]])), dtype=float)[0]
    slips = {
        "log-base-two": lambda: np.log2(high / low),
        "log-base-ten": lambda: np.log10(high / low),
        "one-weight": lambda: -np.log(low),
        "weights-subtracted": lambda: high - low,
        "no-logarithm": lambda: high / low,
        "upside-down": lambda: np.log(low / high),
    }
    with np.errstate(all="ignore"):
        steps = slip(wrong, slips, lambda: np.log(high / low))()
        if "inverse" in wrong:
            return float(steps / gap)
        return float(np.divide(1.0 if "gap-forgotten" in wrong else gap, steps))
