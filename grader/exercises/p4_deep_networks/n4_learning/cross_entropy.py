import numpy as np

from grader.exercises.inputs import example, matrix, tenths
from grader.exercises.kinds import Case, Property, function
from grader.exercises.p4_deep_networks.n4_learning.shared import drawn
from grader.exercises.stages import number, slip, softmax


def logits_and_targets(n, n_classes, draw=matrix, **more):
    def make(rng):
        return {"logits": draw(rng, n, n_classes, **more), "targets": drawn(rng, 0, n_classes, n)}

    return make


def single(rng, *shape):
    return (1.5 * rng.normal(size=shape)).astype(np.float32)


def large_logits_are_no_problem(call, rng):
    logits = np.where(rng.permutation(5) == 0, 1000.0, -1000.0)[None]
    right, wrong = int(logits.argmax()), int(logits.argmin())
    for target, loss in ((right, 0.0), (wrong, 2000.0)):
        said = call(logits, np.array([target]))
        if not abs(said - loss) < 1e-3:
            words = f"for logits of 1000 and -1000 the loss is {said:g}; it should be {loss:g}"
            if not 5 < said < 700 or not abs(call(2 * logits, np.array([target])) - said) < 1e-6:
                return words
            return f"{words}: that is the loss of a chance of {np.exp(-said):.0e}, below which something keeps it"
    a, b, c = rng.uniform(800, 900, size=3)
    spread = np.array([[a, -b, c - a], [0.0, 0.0, 0.0]])
    said, loss = call(spread, np.array([1, 2])), (a + b + np.log(3)) / 2
    if not abs(said - loss) < 1e-3:
        words = f"{a:.1f}, {-b:.1f} and {c - a:.1f}, with the target {-b:.1f}, and three of 0 in a second row"
        return f"for logits of {words}, the loss is {said:.7g}; it should be {loss:.7g}"
    levels = np.array([[1000.0, 0.0], [-1000.0, -1001.0]])
    said, loss = call(levels, np.zeros(2, dtype=int)), np.log1p(np.exp(-1)) / 2
    if not abs(said - loss) < 1e-3:
        return f"for one row near 1000 and one near -1000 the loss is {said:g}; it should be {loss:.3f}"
    return None


def sure_and_right_costs_nothing(call, rng):
    n = 7
    targets = drawn(rng, 0, 5, n)
    logits = matrix(rng, n, 5)
    logits[np.arange(n), targets] += 60
    said = call(logits, targets)
    return None if abs(said) < 1e-6 else f"somebody who is sure, and right each time, pays {said:.3g}"


@function(
    points=2,
    returns="loss",
    cases=(
        Case(
            "two rows, three classes",
            logits_and_targets(2, 3, tenths),
            0.3,
            telling=(
                "best-class",
                "every-pair",
                "targets-ignored",
                "first-row-only",
                "columns",
                "sum-of-all",
                "log-of-the-mean",
                "class-before",
                "by-classes",
            ),
        ),
        Case("seven rows, five classes", logits_and_targets(7, 5), 0.2, telling=("best-class", "every-pair")),
        Case("in single precision", logits_and_targets(5, 11, single), 0.1),
        Case(
            "the example of the task",
            example(logits=np.array([[2.0, 0.0, -1.0], [0.0, 0.0, 0.0]]), targets=np.array([0, 2])),
            0.05,
        ),
    ),
    properties=(
        Property("logits of 1000 and -1000 give a finite loss", large_logits_are_no_problem, 0.2),
        Property("who is sure, and right, pays nothing", sure_and_right_costs_nothing, 0.05),
    ),
    mistakes="""
    log-of-zero: where a model is sure and wrong, your loss is infinite -> On paper it is right. But a chance below
        1e-308 is rounded to 0, whose logarithm is minus infinity; and where something else is taken off a row than its
        largest logit, a power overflows. -> The logarithm of a softmax can be written without the softmax: the logit
        minus the largest, minus the logarithm of a sum.
    no-maximum: large logits make your loss infinite, or no number (NaN) -> exp(1000) is infinity, and the
        logarithm of a chance of 0 is minus infinity. Infinity by infinity is no number, nor is 0 times infinity. ->
        Take the largest logit of each row off first, which changes no chance; and pick the target's term, where you
        multiply by zeros and ones.
    maximum-off-the-sum-only: the largest logit is taken off in the sum, but not off the target's logit -> That changes
        no chance only where both have lost it. -> Make an array of what is left, and use it for both.
    log-of-the-mean: you take the logarithm of the mean chance -> One row with hardly any chance would then hardly count
        beside a good one; the loss is the mean of the surprises. -> First the logarithm of each, then their mean.
    class-before: you take the class before the target's -> Classes count from 0, as places do, and in the row of
        target 0 the place -1 is the last one. -> Use `targets` as they come.
    one-maximum: you take one number off all rows: the largest logit of the whole matrix, or of one row -> A row far
        below it is left with powers that are all 0, and the logarithm of their sum is minus infinity. -> Each row has a
        largest logit of its own: `max(axis=-1, keepdims=True)`.
    largest-size: you take the largest *size* off each row, without its sign -> In a row of numbers far below 0 that
        takes them down still further: all powers are 0, and the logarithm of their sum is minus infinity. -> The
        largest logit, with its sign: `max`, without `abs`.
    maximum-of-columns: you take the largest logit of each column off -> What comes off cancels only if it is the same
        for all classes of a row. -> Along the last axis: `max(axis=-1, keepdims=True)`.
    clipped=: chances are cut off below -> That hides the infinity, but a model that is sure and wrong then pays the
        same whether it is wrong by 40 or by 2000, and learns nothing from it. -> Do not form the chance at all: logit
        minus the largest, minus the logarithm of a sum.
    errors-counted: you count how often the best class is wrong -> Such a count says nothing of how sure a model was,
        and has no gradient to learn from. -> The loss is the surprise at the right class: minus the logarithm of its
        chance.
    clipped-both=: chances are cut off below, and above -> That hides the infinity, but a model that is sure and wrong
        then pays the same whether it is wrong by 40 or by 2000, and learns nothing from it. -> Do not form the chance
        at all: logit minus the largest, minus the logarithm of a sum.
    a-little-more=: a small number is added inside the logarithm -> That hides the
        infinity, but a model that is sure and wrong then pays the same whether it is wrong by 40 or by 2000, and
        learns nothing from it. -> Do not form the chance at all: logit minus the largest, minus the logarithm of a
        sum.
    summed: you add the losses of the rows up -> Twice as many examples would then cost twice as much, and the size of
        a step would depend on the batch. -> Take their mean.
    base-two: the logarithm is to base 2 -> That is the same surprise in bits; here it is in nats. -> Use `np.log`.
    over-all: you divide by the number of all logits -> There are as many losses as rows: each row has one target. ->
        The mean is over the rows only.
    log-of-the-logit: you take the logarithm of the logit itself -> The logarithm of a quotient is a difference, and
        above the line stands a power, `exp(logit)`: its logarithm is the logit, as it is. Of a number below 0 there
        is no logarithm at all. -> Take off the logarithm of the sum from the logit, not from its logarithm.
    probabilities: you take the logits for chances already -> Logits are any numbers, also negative ones; their
        logarithm is no loss. -> The softmax comes first.
    softmax-twice: two softmaxes stand one behind the other -> The second flattens the chances, so that even who is
        sure and right pays. -> Take one.
    sign-turned: the loss is negative -> The logarithm of a chance is below 0, and surprise is minus that. -> Turn the
        sign round.
    no-logarithm: there is no logarithm -> One minus the chance, or minus the chance, is another loss: who is sure and
        wrong pays hardly more than who does not know. -> Take the logarithm of the chance.
    no-logarithm-no-minus: there is no logarithm, and no minus -> The mean chance of the right class grows as a model
        gets better; a loss has to fall. -> Minus the logarithm of each chance, then the mean.
    by-classes: you divide by the number of classes -> There are as many losses as rows. -> The mean is over the rows.
    mean-of-powers: you take the mean of the powers, where their sum belongs -> A chance is a power divided by the *sum*
        of all. -> `sum`, along the last axis.
    no-sum: you take the largest logit off, and nothing else -> The logarithm of a quotient is a difference: what the
        softmax divides by is still to come off. -> The logarithm of the sum of the powers.
    each-class: every class is judged as right or wrong by itself -> That loss belongs to classes that do not exclude
        each other. Here one is right. -> Only the chance at the target counts.
    logits-alone: you take the target's logit, but not what the softmax divides by -> A row with all its logits raised
        by 5 would then cost less, though its chances are the same. -> The logarithm of a quotient is a difference:
        which term is missing?
    best-class: your loss is that of the best class, not of the target's -> A model would then be paid for being sure,
        right or wrong. That is also what is left where the largest logit comes off and the target's does not. ->
        `targets` says which class was right: its logit belongs into the loss.
    target-forgotten: you take the logarithm of the sum alone -> The logarithm of a quotient is a difference, and the
        right class stands above the line. -> `targets` says which logit is missing.
    one-sum: the powers of all rows are added up -> The chances of each row must sum to 1. -> Give the sum an axis,
        `axis=-1`.
    maximum-sign: the largest logit comes off once more, where it should come back -> It was taken off inside the sum,
        so the logarithm of the sum is too small by it. -> Add it to the logarithm, or take it off the target's logit as
        well.
    log-before-sum: you take the logarithm of each power, and add those up -> Each of these is the logit again: the sum
        of the powers is never formed. -> First the sum, then the logarithm: look at your parentheses.
    base-ten: the logarithm is to base 10 -> That is the same surprise in another unit; here it is in nats. -> Use
        `np.log`.
    sum-without-target: the target's power is left out of the sum -> A chance is a power divided by the sum of *all*. ->
        Add up all classes of the row.
    squared-error: you add up the squares of what is off -> That is another loss: who is sure and wrong pays hardly more
        than who does not know. -> The loss is the surprise at the right class: minus the logarithm of its chance.
    logits-clipped=: logits are cut off at some size -> A model that is sure and wrong then pays the same whether it is
        wrong by 1000 or by 2000. -> Take the largest logit off instead: that changes no chance.
    divided-by-largest: you divide the logits by the largest -> That changes the chances; a difference does not. -> Take
        the largest off.
    median: you take the median of the losses -> One bad row has to count. -> Take their mean.
    every-pair: you take the targets of all rows in each row -> `chances[:, targets]` picks whole columns, n times n
        numbers. -> Row i belongs with target i: give both indices, `np.arange(n)` and `targets`.
    targets-pick-rows: you pick rows by the targets, where each row's own number is wanted -> One index in the brackets,
        `[targets]`, is one of rows: class 2 then picks row 2. -> Give both indices: `np.arange(n)` for the rows, and
        `targets` for the classes.
    targets-pick-rows-of-logits: you pick rows by the targets, where each row's own logit is wanted -> One index in the
        brackets, `[targets]`, is one of rows: class 2 then picks row 2. -> Give both indices: `np.arange(n)` for the
        rows, and `targets` for the classes.
    last-row-only: only the last row counts -> In a loop, `=` overwrites what the rounds before have found. -> Begin
        with 0, and add with `+=`.
    rows-not-averaged: you return a loss for each row -> One number is asked for. -> Take their mean.
    no-logarithm-of-the-sum: you take off the sum of the powers, not its logarithm -> The logarithm of a quotient is a
        difference of *logarithms*. -> `np.log` of the sum.
    class-after: you take the class behind the target's -> Classes count from 0, as places do. -> Use `targets` as they
        come.
    infinity-replaced: where the loss would be infinite, you put a number -> A model that is sure and wrong then pays
        the same whether it is wrong by 40 or by 2000. -> Do not form the chance at all: logit minus the largest, minus
        the logarithm of a sum.
    loss-replaced=: where the loss would be infinite, you return a number -> A model that is sure and wrong then pays
        the same whether it is wrong by 40 or by 2000, and whatever else is in the batch. -> Do not form the chance at
        all: logit minus the largest, minus the logarithm of a sum.
    number-for-infinity=: where a row's loss would be infinite, you put a number -> A model that is sure and wrong then
        pays the same whether it is wrong by 40 or by 2000. -> Do not form the chance at all: logit minus the largest,
        minus the logarithm of a sum.
    targets-ignored: all classes count, whichever is right -> The loss is about the right class of each row only. ->
        Pick one number of each row.
    first-row-only: only the first row counts -> A `return` in a loop ends it in its first round. -> Return after the
        loop.
    columns: softmax runs down the columns -> The classes of one example compete with each other, not the examples. ->
        Sum along the last axis.
    sum-of-all: you divide by the sum over the whole matrix -> The chances of each row must sum to 1. -> Give the sum
        an axis, `axis=-1, keepdims=True`.
    """,
)
def cross_entropy(logits, targets, wrong=frozenset()):
    """The mean surprise at the targets, with mistakes as switches."""
    logits, rows = np.asarray(logits, dtype=float), np.arange(len(targets))
    before = {"best-class": lambda: logits.argmax(axis=-1), "class-before": lambda: np.asarray(targets) - 1}
    before["class-after"] = lambda: (np.asarray(targets) + 1) % logits.shape[1]
    if "errors-counted" in wrong:
        return float((logits.argmax(axis=-1) != targets).mean())
    picked = slip(wrong, before, lambda: targets)()
    if limit := number(wrong, "logits-clipped", 500.0):
        logits = np.clip(logits, -abs(limit), abs(limit))
    if "divided-by-largest" in wrong:
        logits = logits / logits.max(axis=-1, keepdims=True)
    is_target = np.eye(logits.shape[1])[targets]
    if "squared-error" in wrong:
        return float(((softmax(logits) - is_target) ** 2).sum(axis=-1).mean())
    added, both = number(wrong, "a-little-more", 1e-12) or 0.0, number(wrong, "clipped-both", 1e-7) or 0.0
    both = both if both < 0.5 else 0.0  # between a half and a half nothing is left
    least = number(wrong, "clipped", 1e-12) or both
    instead, as_loss = (number(wrong, one, 2000.0) for one in ("number-for-infinity", "loss-replaced"))
    if (
        added
        or least
        or wrong & {"log-of-zero", "infinity-replaced", "no-maximum", "no-logarithm", "each-class"}
        or instead
        or as_loss
    ):
        powers = np.exp(logits - (0.0 if "no-maximum" in wrong else logits.max(axis=-1, keepdims=True)))
        chances = powers / powers.sum(axis=-1, keepdims=True)
        chances = np.clip(chances + added, least, 1 - both if both else None)
        if "each-class" in wrong:
            return float(-np.log(np.abs(1 - is_target - chances)).mean())
        logs = chances if "no-logarithm" in wrong else np.log(chances)
    elif "probabilities" in wrong:
        logs = np.log(logits)
    else:
        if "softmax-twice" in wrong:
            logits = softmax(logits)
        axis = slip(wrong, {"columns": 0, "sum-of-all": None}, -1)
        tops = {
            "one-maximum": lambda: logits.max(),
            "largest-size": lambda: np.abs(logits).max(axis=-1, keepdims=True),
            "maximum-of-columns": lambda: logits.max(axis=0),
        }
        shifted = logits - slip(wrong, tops, lambda: logits.max(axis=axis, keepdims=True))()
        logs = shifted - np.log(np.exp(shifted).sum(axis=axis, keepdims=True))
        if "one-sum" in wrong:
            logs = shifted - np.log(np.exp(shifted).sum())
        if "log-before-sum" in wrong:
            logs = shifted - shifted.sum(axis=-1, keepdims=True)
        if "sum-without-target" in wrong:
            logs = shifted - np.log((np.exp(shifted) * (1 - is_target)).sum(axis=-1, keepdims=True))
        if "maximum-sign" in wrong:
            logs = logs + 2 * logits.max(axis=-1, keepdims=True)
        if "target-forgotten" in wrong:
            logs = logs - logits
        if "no-logarithm-no-minus" in wrong:
            logs = -np.exp(logs)
        if "mean-of-powers" in wrong:
            logs = shifted - np.log(np.exp(shifted).mean(axis=-1, keepdims=True))
        if "no-sum" in wrong:
            logs = shifted
        if "log-of-the-logit" in wrong:
            logs = np.log(shifted) - np.log(np.exp(shifted).sum(axis=-1, keepdims=True))
        if "no-logarithm-of-the-sum" in wrong:
            logs = shifted - np.exp(shifted).sum(axis=-1, keepdims=True)
    if "maximum-off-the-sum-only" in wrong:
        logs = logs + logits.max(axis=-1, keepdims=True)
    if "logits-alone" in wrong:
        logs = logits
    if "base-two" in wrong:
        logs = logs / np.log(2)
    if "base-ten" in wrong:
        logs = logs / np.log(10)
    if "targets-pick-rows" in wrong:
        return -logs[targets].mean()
    if "targets-pick-rows-of-logits" in wrong:
        shifted = logits - logits.max(axis=-1, keepdims=True)
        return (np.log(np.exp(shifted).sum(axis=-1)) - shifted[targets]).mean()
    taken = logs[rows, picked]
    if "every-pair" in wrong:
        taken = logs[:, picked]
    if "targets-ignored" in wrong:
        taken = logs.sum(axis=-1)
    if "first-row-only" in wrong:
        taken = taken[:1]
    if "log-of-the-mean" in wrong:
        taken = np.log(np.exp(taken).mean())
    if "last-row-only" in wrong:
        taken = np.append(0 * taken[1:], taken[-1:])
    if "infinity-replaced" in wrong:
        taken = np.nan_to_num(taken)
    if instead:
        taken = np.where(np.isinf(taken), -instead, taken)
    if as_loss and np.isinf(taken).any():
        return as_loss
    if "rows-not-averaged" in wrong:
        return -taken
    if "median" in wrong:
        return float(-np.median(taken))
    total = taken.sum() if "summed" in wrong else taken.sum() / logits.size if "over-all" in wrong else taken.mean()
    if "by-classes" in wrong:
        total = taken.sum() / logits.shape[1]
    return float(total if "sign-turned" in wrong else -total)
