import numpy as np

from grader.exercises.inputs import arrays, example, matrix, tenths
from grader.exercises.kinds import Case, Property, function
from grader.exercises.p2_three_views.n3_memory_retrieval.hopfield_update import hopfield_update
from grader.exercises.p2_three_views.n3_memory_retrieval.shared import STATE, TWO
from grader.exercises.stages import number, slip, softmax


def lengths_differ(rng, n, d, beta):
    """A state and patterns of different lengths."""
    return {"state": matrix(rng, d), "patterns": matrix(rng, n, d) * rng.uniform(0.5, 1.5, size=(n, 1)), "beta": beta}


#: Here the energy clearly falls, and clearly rises with the mistakes that can make it rise: no draw is to decide that.
FALLING = {
    "state": np.array([-1.4, -0.2, 0.2, 0.4, -0.9]),
    "patterns": np.array(
        [
            [0.2, -0.4, -0.3, -0.8, -1.9],
            [0.1, -0.6, -1.1, -2.2, 1.3],
            [0.4, -0.1, 0.9, -2.1, 2.0],
            [-0.3, -0.1, -0.6, 0.1, -0.6],
            [-1.0, -0.8, -1.3, -1.4, 1.0],
            [-0.7, -0.6, 0.0, 0.3, 0.0],
            [-1.6, 0.7, 0.4, 0.8, -0.6],
        ]
    ),
    "beta": 0.2,
}


def falls_with_each_update(call, rng):
    return rise(energies_on_the_way(call, FALLING))


def energies_on_the_way(energy, inputs):
    """The energy of a state and of three updates of it."""
    state, energies = 2 * inputs["state"], []
    for _ in range(4):
        energies.append(float(energy(state, inputs["patterns"], inputs["beta"])))
        state = hopfield_update(state, inputs["patterns"], inputs["beta"])
    return energies


def rise(energies, more=1e-3):
    """What is wrong with energies that should fall, in words; None if nothing is."""
    if not np.isfinite(energies).all():
        return "the energy is NaN or infinite"
    if energies[0] - energies[-1] < more:
        return f"three updates take it from {energies[0]:.4f} to {energies[-1]:.4f}"
    return None if max(np.diff(energies)) < more else "an update raises it"


def one_pattern_has_no_energy(call, rng):
    pattern = matrix(rng, 5)
    pattern *= rng.uniform(1.5, 3) / np.linalg.norm(pattern)
    energy = float(call(pattern, pattern[None, :], 0.7))
    return None if abs(energy) < 1e-3 else f"a state on the only pattern has energy {energy:.4g}, not 0"


def stable_energy(call, rng):
    patterns = matrix(rng, 3, 5) * 30
    patterns = patterns[np.linalg.norm(patterns, axis=1).argsort()]
    longest = -1  # its energy is small, so that small mistakes show
    below = np.abs(patterns)  # a state of negative numbers has only negative scores with these
    for state, stored, where in (
        (patterns[longest], patterns, ""),
        (-below[0], below, ", all below 0,"),
        (patterns[longest], patterns[[0, longest, 1, longest]], ", two of them equal,"),
    ):
        inputs = {"state": state, "patterns": stored, "beta": 10.0}
        got = float(call(*inputs.values()))
        if not np.isfinite(got):
            return f"scores in the thousands{where} give infinity"
        if not np.isclose(got, hopfield_energy(**inputs), rtol=1e-3, atol=1e-2):
            return f"scores in the thousands{where} give a wrong energy"
    return None


@function(
    points=4,
    returns="energy",
    cases=(
        Case(
            "2 patterns of three numbers",
            arrays(tenths, state=(3,), patterns=(2, 3), beta=2.0),
            0.2,
            telling=("first-length", "best-score", "column-length", "best-length", "pixels-counted"),
        ),
        Case(
            "7 patterns of five numbers",
            lambda rng: lengths_differ(rng, 7, 5, float(rng.uniform(0.3, 0.7))),
            0.2,
            telling=("first-length", "last-length", "best-score", "column-length", "best-length", "pixels-counted"),
        ),
        Case(
            "5 patterns of five numbers",
            lambda rng: lengths_differ(rng, 5, 5, float(rng.uniform(2, 4))),
            0.1,
            telling=("first-length", "last-length", "best-score", "column-length", "best-length", "pixels-counted"),
        ),
        Case("the example of the task", example(state=STATE, patterns=TWO, beta=4.0), 0.05),
    ),
    properties=(
        Property("it falls with each update", falls_with_each_update, 0.15),
        Property("a state on the only pattern has energy 0", one_pattern_has_no_energy, 0.1),
        Property("finite for large scores", stable_energy, 0.1),
    ),
    mistakes="""
    exponent-capped=: exponents beyond a limit are cut off before the exponential -> All beyond the limit count alike
        then. -> Take the largest of beta times the scores off before the exponential, and add it after the logarithm.
    spectral-norm: `np.linalg.norm(patterns, 2)` is the largest factor by which the matrix stretches a vector -> R is
        the length of the longest pattern. -> Give the norm an axis, and take the largest.
    one-added: there is 1 added to the sum of the powers -> `np.log1p(x)` is the logarithm of 1 + x. -> Use `np.log`.
    count-inverted: the logarithm of the number of patterns stands below the line -> Stored n times over, a pattern adds
        (ln n) / beta to lse; that is to be given back. -> Look at what stands above the line in the formula.
    logs-of-weights: you add up the logarithms of the weights -> Inside the logarithm is the sum of the powers, before
        any division. -> First add up the powers, then take one logarithm.
    half-least-distance: you take half the squared distance of the nearest pattern for the first, second and last term
        -> That is near them only if all patterns have one length, and one is far ahead. -> Compute the four terms of
        the formula.
    lengths-fixed: the terms of the state and of the longest pattern are always 2 -> That suits the example. -> Compute
        both from what comes in.
    plus-lse: the first term has the wrong sign -> A state that matches a memory well has a large lse. It must have a
        low energy. -> Minus lse, plus the rest.
    beta-not-inside: beta does not multiply the scores inside the exponential -> Then its weights are those of beta = 1
        whatever is asked for, and the valleys do not lie where the update rests. -> lse has beta twice: inside times
        the scores, outside as a divisor.
    beta-not-outside: the logarithm is not divided by beta -> lse shall be close to the largest score; the division
        brings it back to that size. -> lse has beta twice: inside times the scores, outside as a divisor.
    no-constants: the two constants are missing -> They do not change where the valleys are, but they lift the energy so
        that it is never negative. -> Look at the last two terms of the formula.
    no-count: the term with the number of patterns is missing -> It does not move the valleys, but without it the energy
        can be negative. -> Count the terms of the formula: there are four.
    no-longest: the term with the longest pattern is missing -> It does not move the valleys, but it lifts their floor
        from far below zero. -> Count the terms of the formula: there are four.
    count-not-divided: the logarithm of the number of patterns is not divided by beta -> Stored
        n times over, a pattern adds (ln n) / beta to lse; that is to be given back, whatever beta is. -> Look at what
        stands before ln n in the formula.
    no-half-state: the half before the squared length of the state is missing -> Without it, the slope of the energy no
        longer vanishes where the update stands still. -> Compare the second term with the formula.
    no-half-longest: the half before the squared length of the longest pattern is missing -> Then the floor of the
        valleys lies too high. -> Compare the last term with the formula.
    no-half: the halves are missing -> Without the half, the slope of the energy no longer vanishes where the update
        stands still. -> Half the squared length of the state, half the squared length of the longest pattern.
    length-not-squared: you take the length of the longest pattern, but not its square -> R is the length of the longest
        pattern; the formula has its square. -> Sum of squares, without the root.
    mean-length: you took the average of the patterns' squared lengths instead of the largest -> R is the length of the
        longest pattern. With less, the energy could be negative. -> Use the maximum over the patterns.
    top-not-returned: the largest score is taken off inside the exponential, and never given back -> lse is then near 0
        for every state, and the valleys are gone. -> Add it again, outside the logarithm.
    state-length-not-squared: you take the length of the state, but not its square -> Half of what the state has in
        common with itself is asked for: a dot product. -> Sum of squares, without the root.
    best-length: you take the length of the pattern that matches best for that of the longest -> R is the length of the
        longest pattern, whether it matches or not. -> Use the maximum over the patterns' lengths.
    pixels-counted: you take the number of pixels for the squared length of the longest pattern -> That is so only for
        patterns of nothing but 1 and -1. -> Add up the squares of each row; then take the largest sum.
    first-length: you take the length of the first pattern for that of the longest -> R is the length of the longest
        pattern, wherever it stands. -> Use the maximum over the patterns.
    counts-pixels: the logarithm counts the pixels instead of the patterns -> n is how many patterns are stored. -> How
        many rows has `patterns`?
    no-maximum: large scores overflow to infinity -> exp(1000) is too large for a float. -> Take the largest of beta
        times the scores off before the exponential, and add it after the logarithm.
    no-lse: the first term is 0 or missing -> A softmax sums to 1, and the logarithm of 1 is 0: without lse the state
        is drawn to no memory. -> Inside the logarithm is the sum of the powers, before any division.
    best-score: the largest score stands in the place of lse -> lse is close to it only if one memory is far ahead; it
        grows smoothly where several answer. -> Build lse from all scores.
    mean-score: the average of the scores by their softmax weights stands in the place of lse -> It is smaller than lse,
        and its slope is not what the update needs. -> Inside the logarithm is the sum of the powers.
    updated-state: you return the energy of the state after an update -> The energy of the state as it comes is asked
        for. -> Leave the update out.
    sum-of-logs: you add up logarithms of single powers -> Then exponential and logarithm cancel, and the plain sum of
        the scores is left. -> First add up the powers, then take one logarithm.
    mean-of-powers: you take the mean of the powers, not their sum -> Then ln n is given back twice. -> lse has a sum.
    lse-times-beta: the logarithm is multiplied by beta instead of divided -> lse shall be close to the largest score;
        only a division brings it back to that size. -> lse has beta twice: inside times the scores, outside as a
        divisor.
    shift-not-divided: the largest score is given back as beta times that score, not divided by beta -> What was taken
        off before the exponential belongs under the same division as the logarithm. -> Put brackets round both, and
        divide their sum by beta.
    shift-divided-twice: the largest score is given back without beta, and divided by beta -> What was taken off in the
        exponent is beta times the score. -> Give back exactly what you took off, before you divide by beta.
    shift-taken-off: the largest score is taken off twice instead of given back -> The sum was too small by that factor;
        the logarithm needs it added. -> Mind the sign of what you give back.
    log-ten: you use the logarithm to base 10 -> It does not undo an exponential to base e. -> Use `np.log`.
    log-two: you use the logarithm to base 2 -> It does not undo an exponential to base e. -> Use `np.log`.
    log-ten-count: the logarithm of the number of patterns is that to base 10 -> ln is the logarithm to base e, as in
        lse. -> Use `np.log`.
    log-two-count: the logarithm of the number of patterns is that to base 2 -> ln is the logarithm to base e, as in
        lse. -> Use `np.log`.
    count-times-beta: the logarithm of the number of patterns is multiplied by beta -> Stored n
        times over, a pattern adds (ln n) / beta to lse; that is to be given back. -> Look at what stands before ln n in
        the formula.
    plain-count: you use the number of patterns without its logarithm -> Stored n times over, a pattern adds ln n to the
        logarithm of the sum. -> Compare the third term with the formula.
    count-halved: the term with the number of patterns is halved, too -> The half belongs to the two squared lengths
        only. -> Mind where your brackets end.
    count-quotient: beta stands inside the logarithm of the number of patterns -> ln(n / beta) is ln n minus ln beta. ->
        Take the logarithm of n alone, then divide.
    root-count: you take the square root of the number of patterns, not its logarithm -> Stored n times over, a
        pattern adds ln n to the logarithm of the sum. -> Compare the third term with the formula.
    mean-norm: you took the average of the patterns' lengths instead of the largest -> R is the length of the longest
        pattern. With less, the energy could be negative. -> Use the maximum over the patterns.
    lse-returned: you return lse itself -> A state that matches a memory well has a large lse. It must have a low
        energy. -> Count the terms of the formula: there are four.
    minus-constants: the two constants are taken off instead of added -> They lift the energy so that it is never
        negative. -> Compare the signs with the formula.
    minus-count: the term with the number of patterns is taken off instead of added -> It lifts the energy. -> Compare
        the signs with the formula.
    minus-longest: the term with the longest pattern is taken off instead of added -> It lifts the energy. -> Compare
        the signs with the formula.
    no-state: the term with the state itself is missing -> Without it, ever longer states have ever lower energies. ->
        Count the terms of the formula: there are four.
    minus-state: the squared length of the state is taken off instead of added -> Then ever longer states have ever
        lower energies. -> Compare the sign of the second term with the formula.
    mean-state: you take the mean of the state's squares instead of their sum -> A squared length is a sum. -> A dot
        product of the state with itself.
    whole-norm: you take the length of the whole matrix for that of the longest pattern -> `np.linalg.norm` without an
        axis adds up the squares of all patterns. -> Each row has a length of its own; take the largest of those.
    column-length: you measure the columns instead of the patterns -> A pattern is a row. -> Add up along the last axis.
    largest-entry: you take the largest entry for the length of the longest pattern -> R is a length: it has to do with
        all numbers of a row. -> Add up the squares of each row; then take the largest sum.
    largest-square: you take the largest square of a single entry for the longest pattern's -> R is a length: it has to
        do with all numbers of a row. -> Add up the squares of each row; then take the largest sum.
    shortest-length: you take the length of the shortest pattern for that of the longest -> With less than the largest,
        the energy could be negative. -> Use the maximum over the patterns.
    last-length: you take the length of the last pattern for that of the longest -> R is the length of the longest
        pattern, wherever it stands. -> Use the maximum over the patterns.
    fourth-power: you square the squared length once more -> R squared is the sum of squares already. -> No further
        square.
    constants-of-two: your constants do not come from `patterns`: they are those of the two patterns of the example ->
        Other patterns have another number and other lengths. -> Use the argument in every term.
    """,
)
def hopfield_energy(state, patterns, beta, wrong=frozenset()):
    """Energy of a state, Ramsauer et al. (2021), eq. 2, with mistakes as switches."""
    wrong = frozenset(wrong)
    state, patterns = np.asarray(state, dtype=float), np.asarray(patterns, dtype=float)
    if "updated-state" in wrong:
        state = hopfield_update(state, patterns, beta)
    scores = patterns @ state
    inside = 1.0 if "beta-not-inside" in wrong else beta
    outside = slip(wrong, {"beta-not-outside": 1.0, "lse-times-beta": 1 / beta}, beta)
    log = slip(wrong, {"log-ten": np.log10, "log-two": np.log2}, np.log)
    if "half-least-distance" in wrong:
        return float(((patterns - state) ** 2).sum(axis=1).min() / 2 + np.log(len(patterns)) / beta)
    if limit := number(wrong, "exponent-capped", 700):
        lse = log(np.exp(np.clip(inside * scores, -limit, limit)).sum()) / outside
    elif "no-maximum" in wrong:
        lse = log(np.exp(inside * scores).sum()) / outside
    elif "logs-of-weights" in wrong:
        lse = (beta * (scores - scores.max()) - np.log(np.exp(beta * (scores - scores.max())).sum())).sum() / outside
    elif "sum-of-logs" in wrong:
        lse = np.log(np.exp(inside * scores)).sum() / outside
    else:
        top = scores.max()
        shifts = {
            "top-not-returned": 0.0,
            "shift-not-divided": inside * top * outside,
            "shift-divided-twice": top,
            "shift-taken-off": -inside * top,
        }
        powers = np.exp(inside * (scores - top))
        total = powers.mean() if "mean-of-powers" in wrong else powers.sum() + ("one-added" in wrong)
        lse = (slip(wrong, shifts, inside * top) + log(total)) / outside
    lse = slip(wrong, {"no-lse": 0.0, "best-score": scores.max(), "mean-score": softmax(beta * scores) @ scores}, lse)
    if "plus-lse" in wrong:
        lse = -lse
    lengths = (patterns**2).sum(axis=1)
    others = {
        "mean-length": lengths.mean(),
        "first-length": lengths[0],
        "last-length": lengths[-1],
        "best-length": lengths[scores.argmax()],
        "pixels-counted": float(state.size),
        "shortest-length": lengths.min(),
        "mean-norm": np.sqrt(lengths).mean() ** 2,
        "whole-norm": lengths.sum(),
        "spectral-norm": np.linalg.norm(patterns, 2) ** 2,
        "lengths-fixed": 4.0,
        "column-length": (patterns**2).sum(axis=0).max(),
        "largest-entry": patterns.max() ** 2,
        "largest-square": (patterns**2).max(),
        "constants-of-two": 4.0,
        "fourth-power": lengths.max() ** 2,
    }
    longest = slip(wrong, others, lengths.max())
    if "length-not-squared" in wrong:
        longest = np.sqrt(longest)
    own = slip(
        wrong,
        {"no-state": 0.0, "lengths-fixed": 4.0, "minus-state": -state @ state, "mean-state": (state**2).mean()},
        state @ state,
    )
    own = (np.sqrt(own) if "state-length-not-squared" in wrong else own) / (
        1 if wrong & {"no-half", "no-half-state"} else 2
    )
    if "lse-returned" in wrong:
        return float(lse)
    if "no-constants" in wrong:
        return float(-lse + own)
    count = slip(wrong, {"counts-pixels": state.size, "constants-of-two": 2}, len(patterns))
    of_count = slip(wrong, {"log-ten-count": np.log10, "log-two-count": np.log2}, log)
    crowd = slip(wrong, {"plain-count": count, "root-count": np.sqrt(count)}, of_count(count))
    crowd = crowd / slip(wrong, {"count-not-divided": 1.0, "count-times-beta": 1 / beta}, beta)
    longest = longest / (1 if wrong & {"no-half", "no-half-longest"} else 2)
    if "count-inverted" in wrong:
        crowd = 1 / (beta * np.log(count))
    if "count-quotient" in wrong:
        crowd = np.log(count / beta)
    crowd = slip(
        wrong, {"no-count": 0.0, "count-halved": crowd / 2, "minus-count": -crowd, "minus-constants": -crowd}, crowd
    )
    longest = slip(wrong, {"no-longest": 0.0, "minus-longest": -longest, "minus-constants": -longest}, longest)
    return float(-lse + own + crowd + longest)
