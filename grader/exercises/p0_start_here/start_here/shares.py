import numpy as np

from grader.exercises.inputs import arrays, example, tenths
from grader.exercises.kinds import Case, Property, function
from grader.exercises.properties import told
from grader.exercises.stages import slip

#: The powers of the sentence that the text works out by hand.
TABLE = np.exp([2.0, 0.0, 0.0, 3.0])


def two_best(rng):
    """Whole numbers, of which two are the largest."""
    scores = rng.integers(-3, 3, size=5)
    scores[rng.choice(5, size=2, replace=False)] = scores.max() + 1
    return {"scores": scores}


def divided_in_place(powers):
    """Each power over the sum of what stands there by then: the shares so far, and the powers that are left."""
    left = powers.copy()
    for i in range(len(left)):
        left[i] /= left.sum()
    return left


def sums_to_one(call, rng):
    total = call(1 + rng.permutation(7) / 100).sum()  # nearly equal shares: rounded ones never sum to 1 by luck
    return None if abs(total - 1) < 1e-3 else f"seven shares sum to {told(total, 1)}"


@function(
    points=2,
    returns="shares",
    cases=(
        Case("three scores", arrays(tenths, scores=(3,)), 0.4, telling=("sorted",)),
        Case("seven scores", arrays(scores=(7,)), 0.2, telling=("sorted",)),
        Case(
            "whole numbers",
            two_best,
            0.1,
            telling=("whole-numbers", "squares", "absolute", "sorted"),
        ),
        Case("the example of the task", example(scores=np.array([0.0, 0.0, np.log(2.0)])), 0.05),
    ),
    properties=(Property("the shares sum to 1", sums_to_one, 0.15),),
    mistakes="""
    ratio: you divide the scores by their sum, without the exponential -> A score may be negative or zero; then a share
        is negative, or the sum is 0. -> Take `np.exp` of the scores first: the powers are all positive.
    squares: you square the scores where the exponential belongs -> A square makes a negative score as good as a
        positive one. -> Take `np.exp` of the scores.
    absolute: you take the scores without their signs, and no exponential -> A negative score then counts as much as a
        positive one. -> Take `np.exp` of the scores.
    not-normalised: you take the exponential, but do not divide -> The powers are positive, but they do not sum to 1. ->
        Divide each power by the sum of all.
    own-power-left-out: you divide each power by the sum of the others -> Then the shares do not sum to 1, and can be
        larger than 1. -> Divide by the sum of all powers.
    divided-by-largest: you divide by the largest power -> Then the largest share is 1, and all together are more. ->
        Divide by the sum of the powers.
    divided-by-count: you divide by how many scores there are -> That is no share of the whole. -> Divide by the sum of
        the powers.
    sum-of-scores: you divide the powers by the sum of the scores -> Shares sum to 1 only if the sum below the line is
        that of the numbers above it. -> Add up the powers, not the scores.
    power-of-the-sum: you divide by the power of the sum of the scores -> That is the product of all powers. -> Powers
        first, then their sum: `np.exp` of each score before you add.
    table-sum: you divide by the sum of the table, whatever the scores are -> 29.47 belongs to the sentence worked out
        above; other scores have another sum. -> Add up the powers of the scores that came in.
    table-sum-unbracketed: you divide by the first power of the table, and then add the others -> A division comes
        before a sum, and these numbers belong to the sentence worked out above. -> Add up the powers of the scores that
        came in, and put the sum in brackets.
    sum-unbracketed: you divide by the first power, and then add the others -> In `a / b + c` the division comes before
        the sum. -> Put the whole sum in brackets.
    divided-in-place: what you have divided already is in the sum that you divide by next -> The sum of the powers
        changes as soon as one of them is replaced by its share. -> Two steps: first add up all powers, and keep that
        number; then divide.
    total-so-far: you divide each power by the sum so far -> The sum is complete only after the last power. -> Two
        steps: first add up all powers, then divide.
    exponential-late: you divide first and take the exponential afterwards -> What comes out need not sum to 1. -> First
        the powers, then their sum, then the quotient.
    scores-to-the-e: you raise the scores to the power e, instead of e to the scores -> A negative number to the power e
        is NaN, and a score of 0 gets no share at all. -> Use `np.exp`: e stands below, the score above.
    base-two: you raise 2 to the scores, instead of e -> The shares sum to 1, but they are more alike. -> Use `np.exp`.
    base-ten: you raise 10 to the scores, instead of e -> The shares sum to 1, but the largest gets more. -> Use
        `np.exp`.
    sigmoid: you press each score between 0 and 1 by itself -> The shares of a whole depend on each other. -> Divide
        each power by the sum of all.
    logarithm: you return the logarithms of the shares -> They are negative. -> Return the quotient itself.
    best-only: the best score takes all -> The others have their share too, even if it is small. -> Divide each power by
        the sum of all.
    all-best: the best score takes all, and where several are best, each of them does -> The others have their share
        too, even if it is small; and shares sum to 1. -> Divide each power by the sum of all.
    one-less: you take 1 off each power -> `np.expm1` does that, for numbers near 0; a score of 0 then gets no share,
        and a negative one a negative share. -> Use `np.exp`.
    from-the-least: you take the least score off and divide by the sum, without the exponential -> Then the worst score
        has no share at all, and what is twice as far above it has twice the share. -> Take `np.exp` of the scores.
    uniform: all shares are equal, whatever the scores are -> Then the scores would say nothing. -> Divide each power,
        which depends on its score, by the sum of all.
    sorted: your shares are in another order than the scores -> Share j belongs to token j. -> Leave the order as it is.
    whole-numbers: your shares lose their decimals where the scores are whole numbers -> An array made like one of whole
        numbers cuts off what you put into it. -> Make the result an array of floats.
    """,
)
def shares(scores, wrong=frozenset()):
    """Scores as shares of one whole, with the mistakes that people make as switches."""
    whole = np.asarray(scores).dtype.kind in "iu"
    scores = np.asarray(scores, dtype=float)
    powers = np.exp(scores)
    right = powers / powers.sum()
    slips = {
        "ratio": lambda: scores / scores.sum(),
        "squares": lambda: scores**2 / (scores**2).sum(),
        "absolute": lambda: np.abs(scores) / np.abs(scores).sum(),
        "not-normalised": lambda: powers,
        "own-power-left-out": lambda: powers / (powers.sum() - powers),
        "divided-by-largest": lambda: powers / powers.max(),
        "divided-by-count": lambda: powers / len(powers),
        "sum-of-scores": lambda: powers / scores.sum(),
        "power-of-the-sum": lambda: powers / np.exp(scores.sum()),
        "table-sum": lambda: powers / TABLE.sum(),
        "table-sum-unbracketed": lambda: powers / TABLE[0] + TABLE[1:].sum(),
        "sum-unbracketed": lambda: powers / powers[0] + powers[1:].sum(),
        "divided-in-place": lambda: divided_in_place(powers),
        "total-so-far": lambda: powers / powers.cumsum(),
        "exponential-late": lambda: np.exp(scores / scores.sum()),
        "scores-to-the-e": lambda: scores**np.e / (scores**np.e).sum(),
        "base-two": lambda: 2**scores / (2**scores).sum(),
        "base-ten": lambda: 10**scores / (10**scores).sum(),
        "sigmoid": lambda: 1 / (1 + np.exp(-scores)),
        "logarithm": lambda: np.log(right),
        "best-only": lambda: np.eye(len(scores))[scores.argmax()],
        "all-best": lambda: (scores == scores.max()).astype(float),
        "one-less": lambda: np.expm1(scores) / np.expm1(scores).sum(),
        "from-the-least": lambda: (scores - scores.min()) / (scores - scores.min()).sum(),
        "uniform": lambda: np.full(len(scores), 1 / len(scores)),
        "sorted": lambda: np.sort(right)[::-1],
        "whole-numbers": lambda: np.trunc(right) if whole else right,
    }
    return slip(wrong, slips, lambda: right)()
