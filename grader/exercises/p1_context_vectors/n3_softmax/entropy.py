import numpy as np

from grader.exercises.inputs import example
from grader.exercises.kinds import Case, Property, function
from grader.exercises.properties import told, worst_row
from grader.exercises.stages import number, slip


def rows_of_probabilities(rng, n, m, zeros=0):
    """Rows that sum to 1, of which the first `zeros` have a zero each; all else is far from zero."""
    p = 0.02 + (1 - 0.02 * m) * rng.dirichlet(np.ones(m), size=n)
    for i in range(zeros):
        p[i, rng.integers(m)] = 0.0
    return p / p.sum(axis=-1, keepdims=True)


def zeros_and_small_ones(rng):
    """Rows with a zero, which has weights before and behind it, some with a weight of a few thousandths, and a last one
    with a weight so small that it hardly shows, but in the fourth decimal."""
    p = rows_of_probabilities(rng, 5, 7)
    p[:3, 1 + int(rng.integers(5))] = 0.0
    p[1:4, 0] = rng.uniform(0.003, 0.008, size=3)
    p[4, int(rng.integers(7))] = 2e-5
    return {"p": p / p.sum(axis=-1, keepdims=True)}


def thousandths(rng, n, m):
    """Rows of weights with three decimals that sum to 1."""
    p = rows_of_probabilities(rng, n, m).round(3)
    p[np.arange(n), p.argmax(axis=-1)] += 1 - p.sum(axis=-1)
    return p.round(3)


def decided_is_zero(call, rng):
    value = call(np.eye(5)[[int(rng.integers(5)), int(rng.integers(5))]])
    if not np.isfinite(value).all():
        return "a row with all weight on one key gives NaN"
    row = worst_row(value, 0)
    if abs(value[row]) < 1e-6:
        return None
    return f"row {row} (counted from 0), with all weight on one key, gives {told(value[row], 0)}, not 0"


def undecided_is_log_m(call, rng):
    m = int(rng.choice([3, 5, 7]))  # so few that no weight is below a tenth
    value = call(np.full((2, m), 1.0 / m))
    row = worst_row(value, np.log(m))
    if np.isclose(value[row], np.log(m), atol=1e-4):
        return None
    found = told(value[row], np.log(m))
    return f"row {row} (counted from 0), of {m} equal weights, gives {found}, not ln {m} = {np.log(m):.4g}"


@function(
    points=3,
    returns="entropies",
    cases=(
        Case(
            "two rows of three weights", lambda rng: {"p": thousandths(rng, 2, 3)}, 0.2, telling=("small-left-out=0.1",)
        ),
        Case("seven rows of five weights", lambda rng: {"p": rows_of_probabilities(rng, 7, 5)}, 0.15),
        Case("a square matrix", lambda rng: {"p": rows_of_probabilities(rng, 5, 5)}, 0.1),
        Case("rows with zeros in them, and with small weights", zeros_and_small_ones, 0.15),
        Case("the example of the task", example(p=np.array([[0.5, 0.5], [1.0, 0.0]])), 0.05),
    ),
    properties=(
        Property("all weight on one key gives 0", decided_is_zero, 0.15),
        Property("equal weights on m keys give ln m", undecided_is_log_m, 0.1),
    ),
    mistakes="""
    log-of-zero: you take the logarithm of zero weights -> log 0 is minus infinity, and 0 times that is NaN. In the
        limit, a zero weight adds nothing. -> Put a harmless number in place of the zeros before the logarithm: what is
        log 1?
    zero-rows-zero: a row that holds a zero weight gets the entropy 0 -> Such a row became NaN, or was left out, and 0
        came in its place; but its other weights have an entropy. -> Only the *term* of a zero weight is 0: mend the
        terms, before they are added up.
    stops-at-zero: in each row you stop at the first zero weight -> The weights behind it count as well. -> Skip the one
        that is zero (`continue`), and go on.
    log-plus-one: you take the logarithm of p + 1 -> That avoids log 0, but it changes all the other logarithms, too. ->
        Change the zeros only, before the logarithm.
    plus=: you add a number to p before the logarithm -> That avoids log 0, but it changes all the other
        logarithms, too. -> Change the zeros only.
    zeros-filled=: zero weights are replaced by a small number, in the product as well -> Then each of them adds a
        term, and a zero weight should add none. -> Replace them inside the logarithm only, by a number whose logarithm
        does no harm.
    small-left-out=: you leave out small weights as if they were zero -> A small weight has a term of its own.
        -> Treat only what is exactly zero as zero.
    raised=: small weights are raised to a certain number before the logarithm -> That avoids log 0, but it changes the
        logarithms of small weights, too. -> Change only what is exactly zero.
    log-outside: you take the logarithm of a sum -> That is the logarithm of an average weight. The entropy is an
        average of logarithms. -> Each weight has its own logarithm; add up last.
    weight-inside: the weight stands inside the logarithm -> log(p * p) is twice log p, and nothing is weighted; where p
        is 0, it is infinite. -> Close the parenthesis after the first p: weight times logarithm.
    no-logarithm: you multiply each weight by itself, and there is no logarithm -> An average of the weights says
        something like it, but with the wrong sign, and in no unit. -> Multiply each weight by its logarithm.
    added-first: you add up the weights before the logarithm -> They sum to 1, and log 1 is 0. -> Each weight has its
        own logarithm; add up last.
    branches-swapped: what you put in the place of zero weights stands in the place of all others ->
        `np.where(condition, a, b)` takes a where the condition is true, and b elsewhere. The logarithms of the others
        become log 1 = 0. -> Turn the condition round, or exchange a and b.
    impurity: you take 1 minus the sum of the squares -> That measures something like it, but without logarithms it is
        no entropy. -> Average the logarithms, with the weights p.
    log-base-two: you used the logarithm to base 2 -> That gives the entropy in bits; nats are asked for, as in all
        formulas of this course. -> Use `np.log`, the natural logarithm.
    sign: the sign is missing -> Logarithms of weights are negative, so the sum is, too. Entropy is never negative. ->
        Put a minus in front of the sum.
    no-weight: you add up the logarithms without weighting them -> Each logarithm counts as often as its key is used: it
        is an average, weighted by p itself. -> Multiply each logarithm by its weight before you add up.
    columns: you added up down the columns (axis 0) -> A distribution is a row: one number for each row is asked for. ->
        Sum over the last axis.
    whole-matrix: you added up the whole matrix -> The rows are different distributions; each has its own entropy. A sum
        without an axis, or over `p[p > 0]`, which is flat, has forgotten them. -> Keep the shape of p, and let one
        number for each row be left.
    log-base-ten: you used the logarithm to base 10 -> Nats are asked for: the natural logarithm. -> Use `np.log`, the
        natural logarithm.
    effective-number: you return e to the entropy -> That is the number of keys in use. It is worth knowing, but the
        entropy itself is asked for. -> Leave out the last exponential.
    relative: you divide by the largest possible entropy -> That gives a share between 0 and 1. The entropy itself, in
        nats, is asked for. -> Leave out the division by the logarithm of the number of keys.
    binary: you add (1 - p) ln(1 - p) for each weight -> That is for two outcomes, of which one has the chance p. Here a
        row holds all its outcomes: what is not this key is counted at the others. -> One term for each weight.
    log-of-largest: you take the logarithm of the largest weight only -> All weights have a say. -> Add up a term for
        each weight of the row.
    keys-counted: you take the logarithm of how many weights are above zero -> That is the entropy only if these are
        equal. -> Each weight counts: average the logarithms, with the weights p.
    from-uniform: you return how much the entropy lacks of the largest possible one -> That is 0 for equal weights, and
        largest for a row that is decided: the other way round. -> Return the entropy itself.
    mean-not-sum: you took the mean of the terms instead of their sum -> The weights already make an average; dividing
        by m once more makes it too small. -> Use the sum.
    """,
)
def entropy(p, wrong=frozenset()):
    """Entropy of each row, with mistakes as switches."""
    p = np.asarray(p, dtype=float)
    if "log-outside" in wrong:
        return -np.log((p * p).sum(axis=-1))
    if "no-logarithm" in wrong:
        return -(p * p).sum(axis=-1)
    if "added-first" in wrong:
        return -np.log(p.sum(axis=-1))
    if "branches-swapped" in wrong:
        return -(p * np.log(np.where(p > 0, 1.0, p))).sum(axis=-1)
    if "impurity" in wrong:
        return 1 - (p * p).sum(axis=-1)
    p = np.where(p == 0, number(wrong, "zeros-filled", 0.001) or 0.0, p)
    inside = np.where(p > (number(wrong, "small-left-out", 0.01) or 0.0), p, 1.0)
    if least := number(wrong, "raised", 0.001):
        inside = np.maximum(p, least)
    if added := 1.0 if "log-plus-one" in wrong else number(wrong, "plus", 0.01):
        inside = p + added
    logs = np.log(p if "log-of-zero" in wrong else inside)
    if "log-base-two" in wrong:
        logs = logs / np.log(2.0)
    if "log-base-ten" in wrong:
        logs = logs / np.log(10.0)
    if "no-weight" in wrong:
        return -logs.sum(axis=-1)
    if "weight-inside" in wrong:
        return -np.log(inside * p).sum(axis=-1)
    terms = (1.0 if "sign" in wrong else -1.0) * p * logs
    if "stops-at-zero" in wrong:
        terms = terms * np.cumprod(p > 0, axis=-1)
    entropies = terms.sum(axis=-1)
    slips = {
        "zero-rows-zero": np.where((p == 0).any(axis=-1), 0.0, entropies),
        "columns": terms.sum(axis=0),
        "whole-matrix": terms.sum(),
        "mean-not-sum": terms.mean(axis=-1),
        "effective-number": np.exp(entropies),
        "binary": entropies - ((1 - p) * np.log(np.where(p < 1, 1 - p, 1.0))).sum(axis=-1),
        "log-of-largest": -np.log(p.max(axis=-1)),
        "keys-counted": np.log((p > 0).sum(axis=-1)),
        "from-uniform": np.log(p.shape[-1]) - entropies,
        "relative": entropies / np.log(p.shape[-1]),
    }
    return slip(wrong, slips, entropies)
