import math

import numpy as np

from grader.exercises.inputs import example, matrix, uniform
from grader.exercises.kinds import Case, Property, Sign, function
from grader.exercises.p2_three_views.n3_memory_retrieval.shared import TWO, stored
from grader.exercises.stages import number, slip, softmax

MEASURES = "whole-matrix largest-pixel sum-of-pixels squared root-mean-square relative lost-weight two-updates scaled"
ALL = ("first-pattern-only", "last-pattern-only", "average-move", "best-pattern", "nearest-rival", *MEASURES.split())
#: What else is measured of the patterns' moves, instead of the largest of their lengths.
SLIPS_OF_MEASURE = {
    "first-pattern-only": lambda gaps, lengths, patterns, weights: lengths[..., 0],
    "last-pattern-only": lambda gaps, lengths, patterns, weights: lengths[..., -1],
    "average-move": lambda gaps, lengths, patterns, weights: lengths.mean(axis=-1),
    "best-pattern": lambda gaps, lengths, patterns, weights: lengths.min(axis=-1),
    "whole-matrix": lambda gaps, lengths, patterns, weights: np.sqrt((lengths**2).sum(axis=-1)),
    "largest-pixel": lambda gaps, lengths, patterns, weights: np.abs(gaps).max(axis=(-2, -1)),
    "sum-of-pixels": lambda gaps, lengths, patterns, weights: np.abs(gaps).sum(axis=-1).max(axis=-1),
    "squared": lambda gaps, lengths, patterns, weights: (lengths**2).max(axis=-1),
    "root-mean-square": lambda gaps, lengths, patterns, weights: lengths.max(axis=-1) / np.sqrt(patterns.shape[1]),
    "relative": lambda gaps, lengths, patterns, weights: (lengths / np.linalg.norm(patterns, axis=1)).max(axis=-1),
    "lost-weight": lambda gaps, lengths, patterns, weights: (1 - weights.diagonal(axis1=-2, axis2=-1)).max(axis=-1),
}
#: Halvings after which far less than the eighth decimal is left of an interval from 0 to 1000.
ENOUGH = 45
#: So many halvings ahead all middles that may come are measured at once: that takes hardly longer than one.
AHEAD = 5
#: Beyond this beta, nobody looks.
LARGEST = 1000.0
#: So much two numbers with eight decimals may differ.
NEAR = 1.2e-7


def pixels(n, d):
    """Patterns of ink and paper, and a tolerance, of which `one_crossing` holds."""

    def make(rng):
        while True:
            inputs = {"patterns": stored(rng, n, d), "tolerance": round(uniform(rng, 0.02, 0.3), 2)}
            if one_crossing(**inputs):
                return inputs

    return make


def lengths_differ(rng):
    """Patterns of different lengths, each of which finds itself, and a tolerance."""
    while True:
        patterns = matrix(rng, 3, 5) * rng.uniform(0.8, 1.6, size=(3, 1))
        scores = patterns @ patterns.T
        lead = scores.diagonal() - (scores - 1e9 * np.eye(3)).max(axis=1)
        inputs = {"patterns": patterns, "tolerance": round(uniform(rng, 0.2, 0.5), 2)}
        if lead.min() > 0.7 and np.ptp(lead) > 0.5 and one_crossing(**inputs):
            return inputs


def clear(make):
    """`make`, until the beta is no thousandth, 24 halvings are clearly too few, and of 30 both ends are good enough."""

    def draw(rng):
        while True:
            inputs = make(rng)
            right = safe_beta(**inputs)
            off = {n: abs(safe_beta(**inputs, wrong=frozenset([f"halvings={n}"])) - right) for n in (24, 30)}
            if right > 0.55 and 0.05 < 1000 * right % 1 < 0.95 and off[30] < 1e-6 * right < 0.2 * off[24]:
                return inputs

    return draw


def one_crossing(patterns, tolerance):
    """True if no beta is safe below the smallest one that is, and each above."""
    smallest = safe_beta(patterns, tolerance)
    if not 0.01 < smallest < 20:
        return False
    factors = np.array([*np.linspace(0, 0.99, 40), *np.geomspace(1.01, 50)])
    moves = moved(patterns, smallest * factors[:, None, None]).max(axis=1)  # at once, for speed
    return moves[:40].min() > tolerance > moves[40:].max()


def moved(patterns, beta, updates=1):
    """How far an update moves each pattern; a row for each beta of an array of shape (..., 1, 1)."""
    states = patterns
    for _ in range(updates):
        states = softmax(beta * (states @ patterns.T)) @ patterns
    return np.linalg.norm(states - patterns, axis=-1)


def none_will_do(call, rng):
    short, beside = np.eye(5)[rng.permutation(5)[:2]]  # along the axes, so that the tie is exact
    short *= uniform(rng, 1.0, 1.3)
    for patterns, words in (
        ([short + 2 * beside, short, 3 * short], "with a short pattern before a long one that draws it away"),
        ([short, short + beside], "where a pattern ties with another for ever"),
    ):
        got = float(call(np.array(patterns), 0.2))
        if got != math.inf:
            return f"{words}, no beta will do, and you return {got:.6g}"
    return None


def small_memory(rng):
    """Three patterns of which neither the first nor the last decides: who asks only one of them is found out."""
    while True:
        inputs = pixels(3, 7)(rng)
        right = safe_beta(**inputs)
        if all(
            safe_beta(**inputs, wrong={slip}) < 0.95 * right for slip in ("first-pattern-only", "last-pattern-only")
        ):
            return inputs


def in_the_hundreds(call, rng):
    """Patterns with small numbers: their scores are small, so beta must be large."""
    between = rng.integers(300, 500) + uniform(rng, 0.2, 0.5)  # no whole number, no 0.01, 0.02, 0.04, ...
    beyond = ((uniform(rng, low, high), ", more than 1000") for low, high in ((1040, 1200), (3000, 6000)))
    for target, words in ((between, ""), (uniform(rng, 850, 980), ""), *beyond):
        patterns, tolerance = small_memory(rng).values()
        small = math.sqrt(safe_beta(patterns, tolerance) / target)
        patterns, tolerance = small * patterns, small * tolerance
        right, got = safe_beta(patterns, tolerance), float(call(patterns, tolerance))
        if not (got == right or abs(got - right) < 1e-4 * right):
            return f"patterns with small numbers need a beta of about {target:.0f}{words}, and you return {got:.6g}"
    return None


def six_memories(rng):
    """Six memories, and their betas: whatever one returns of an interval from 0 to 1000, after 33 halvings it is near
    enough to each, and after 31 to some not, wherever that beta lies in the last interval."""
    while True:
        memories = [pixels(2, 7)(rng) for _ in range(6)]
        betas = np.array([safe_beta(**inputs) for inputs in memories])
        high = {n: np.array([safe_beta(**inputs, wrong={f"halvings={n}"}) for inputs in memories]) for n in (31, 32)}
        last = {n: LARGEST / 2**n for n in high}
        returned = (high[32], high[32] - last[32], high[31] - last[31] / 2)
        if all(np.abs(some - betas).max() > 1.15 * NEAR for some in returned):
            return memories, betas


def eight_decimals(call, rng):
    memories, betas = six_memories(rng)
    found = np.array([float(call(*inputs.values())) for inputs in memories])
    gap = np.abs(found - betas).max()
    if gap < NEAR:
        return None
    words = f"of six memories one has a beta that differs by {gap:.1g}"
    rounded = np.isclose(found, found.round(7), rtol=0, atol=1e-12).all()
    return words if rounded or gap > 1e-5 else Sign(words, "halvings")


def all_will_do(call, rng):
    got = float(call(stored(rng, 3, 7), 100.0))
    return None if abs(got) < 1e-6 else f"with tolerance 100, even beta = 0 will do, and you return {got:.6g}"


@function(
    effort=1.6,  # its model searches
    points=4,
    returns="beta",
    cases=(
        Case("2 patterns of seven pixels", clear(pixels(2, 7)), 0.2, telling=tuple(MEASURES.split())),
        Case(
            "5 patterns of thirteen pixels",
            clear(pixels(5, 13)),
            0.2,
            telling=ALL,
        ),
        Case(
            "3 patterns of different lengths",
            clear(lengths_differ),
            0.1,
            telling=ALL,
        ),
        Case("the example of the task", example(patterns=TWO, tolerance=0.1), 0.05),
    ),
    properties=(
        Property("infinity where no beta will do", none_will_do, 0.15),
        Property("patterns with small numbers: a beta in the hundreds, or above 1000", in_the_hundreds, 0.05),
        Property("eight decimals", eight_decimals, 0.05),
        Property("0 where every beta will do", all_will_do, 0.1),
    ),
    mistakes="""
    first-pattern-only: your beta is safe for the first pattern; the others were not asked -> Each pattern is moved by
        its own neighbours. -> Of all patterns, the one that moves farthest decides.
    last-pattern-only: your beta is safe for the last pattern; the others were not asked -> Each pattern is moved by
        its own neighbours. -> Of all patterns, the one that moves farthest decides.
    average-move: your beta is safe for the patterns on average -> Some then move farther than `tolerance`. -> Of all
        patterns, the one that moves farthest decides.
    best-pattern: your beta is safe for the pattern that moves least -> The others then move farther than `tolerance`.
        -> Of all patterns, the one that moves farthest decides.
    whole-matrix: you measure how far all patterns move together -> `np.linalg.norm` of a matrix adds up the squares of
        all its rows. -> Each pattern has a distance of its own.
    largest-pixel: you measure the pixel that changes most -> A pattern moves by a distance: all its numbers have a part
        in it. -> Take the length of the difference.
    sum-of-pixels: you add up the changes of the pixels -> A pattern moves by a distance, the length of the difference.
        -> Square, add up, take the root.
    squared: you compare the squared distance with the tolerance -> The tolerance is a distance. -> Take the root.
    root-mean-square: you average over the numbers of a pattern -> A length is the root of a sum, not of a mean. ->
        Take the length of the difference.
    relative: you divide how far a pattern moves by its length -> The tolerance is a distance, not a share. -> Leave the
        division out.
    lost-weight: you compare the weight that a pattern leaves to others with the tolerance -> How far that moves it
        depends on how far away the others are. -> Make the update, and measure the distance.
    two-updates: you measure after two updates -> The task asks where one update takes each pattern. -> One update from
        the pattern itself.
    three-updates: you measure after three updates -> The task asks where one update takes each pattern. -> One update
        from the pattern itself.
    ten-updates: you measure after ten updates -> The task asks where one update takes each pattern. -> One update from
        the pattern itself.
    nearest-rival: your beta holds off one other pattern at a time -> The others pull as well, all of them together. ->
        Make the update with all patterns.
    formula-of-the-first-two: you take the formula for two patterns of one length, with the first two -> The others pull
        as well, and lengths can differ. -> Make the update with all patterns, and search.
    scaled: the scores are divided by the square root of the dimension -> That is for later (Part 3); here beta alone
        sets the scale. -> Leave the division out.
    temperature: you return one over beta -> That is a temperature. -> Return beta itself.
    doubled: your beta is safe, but not the smallest: it is the first of 1, 2, 4, ... or of 1, 1/2, 1/4, ... that will
        do -> Between it and its half lies the smallest one. -> Search on in between.
    doubled-from=: your beta is safe, but not the smallest: it is the first of a number, twice that, four times that,
        ... that will do -> Between it and its half lies the smallest one. -> Search on in between.
    ladder=: your beta is safe, but not the smallest: it is the first on a ladder of equal steps -> The smallest lies
        less than a step below. -> Eight decimals are asked for: look closer in that last step.
    halvings=: your search stops too soon -> Each halving of an interval leaves half of it: of one from 0 to 1000,
        twenty leave 0.001. Eight decimals are asked for. -> Go on until the interval is shorter than that.
    halves-exchanged: you come out at 1000, the end of your search -> Where the middle is safe, the smallest safe beta
        is that one or a smaller one. -> Which end of the interval has to move, if the middle is safe?
    end-returned=: where no beta will do you return the end of your search -> A search that only halves comes to its end
        also where nothing is to be found. -> Ask whether that end is safe, before you search.
    up-to=: your search ends below 1000 -> Patterns with small numbers need a larger beta. -> Look up to 1000.
    gives-up-at-512: your search ends below 1000 -> Patterns with small numbers need a larger beta. Whoever doubles from
        1 on comes to 512, and the next is beyond 1000. -> Look up to 1000.
    too-far=: your search goes on beyond 1000 -> The task wants infinity where no beta up to 1000 will do. -> Ask
        whether 1000 is safe, before you search.
    begins-at=: where every beta will do, you return the number where your search begins -> The smallest one is then 0.
        -> Ask whether 0 is safe, before you search.
    """,
)
def safe_beta(patterns, tolerance, wrong=frozenset()):
    """The smallest beta at which an update moves no pattern farther than a tolerance, with mistakes as switches."""
    patterns = np.asarray(patterns, dtype=float)
    n, d = patterns.shape
    scores = patterns @ patterns.T
    scores = scores / np.sqrt(d) if "scaled" in wrong else scores

    limit = min(number(wrong, "up-to", 100.0) or LARGEST, LARGEST)
    limit = 512.0 if "gives-up-at-512" in wrong else limit
    limit = max(number(wrong, "too-far", 1e6) or limit, limit)
    limit = number(wrong, "end-returned", LARGEST) or limit
    measure = slip(wrong, SLIPS_OF_MEASURE, lambda gaps, lengths, patterns, weights: lengths.max(axis=-1))
    updates = slip(wrong, {"two-updates": 2, "three-updates": 3, "ten-updates": 10}, 0)
    behind = scores - scores.max(axis=-1, keepdims=True)  # taken off once: this is called dozens of times

    def measured(beta):
        beta = np.asarray(beta)[..., None, None]
        if updates:
            return moved(patterns, beta, updates).max(axis=-1)
        powers = np.exp(beta * behind)
        weights = powers / powers.sum(axis=-1, keepdims=True)
        gaps = weights @ patterns - patterns
        return measure(gaps, np.sqrt((gaps * gaps).sum(axis=-1)), patterns, weights)

    if "nearest-rival" in wrong:
        pairs = [(i, j) for i in range(n) for j in range(n) if i != j]
        return max(safe_for(patterns[i], patterns[j], tolerance) for i, j in pairs)
    if "formula-of-the-first-two" in wrong:
        apart = np.linalg.norm(patterns[0] - patterns[1])
        with np.errstate(all="ignore"):
            lead = np.log(apart / tolerance - 1) / (patterns[0] @ (patterns[0] - patterns[1]))
        return 0.0 if apart <= 2 * tolerance else float(lead)
    if beta := number(wrong, "doubled-from", 1e-3):
        while beta <= LARGEST and measured(beta) > tolerance:
            beta *= 2
        return beta if beta <= LARGEST else math.inf
    if measured(0.0) <= tolerance:
        return number(wrong, "begins-at", 0.01) or 0.0
    if measured(limit) > tolerance:
        return number(wrong, "end-returned", LARGEST) or math.inf
    if "halves-exchanged" in wrong:
        return LARGEST
    low, high, left = 0.0, limit, min(math.ceil(number(wrong, "halvings", 20) or ENOUGH), ENOUGH)
    while left:
        halvings = min(left, AHEAD)
        ends = low + (high - low) * np.arange(2**halvings + 1) / 2**halvings
        safe, at, step = measured(ends[1:-1]) <= tolerance, 0, 2**halvings
        while step > 1:
            step //= 2
            at += 0 if safe[at + step - 1] else step
        low, high, left = float(ends[at]), float(ends[at + 1]), left - halvings
    if step := number(wrong, "ladder", 0.001):
        a_unit = max(step, 1 / step)  # how many steps one has: people write 0.001, or divide by 1000
        return math.ceil(high * a_unit) / a_unit
    return slip(wrong, {"temperature": 1 / high, "doubled": 2.0 ** math.ceil(math.log2(high))}, high)


def safe_for(pattern, other, tolerance):
    """The smallest safe beta for a pattern with a single other one beside it: it has a formula."""
    lead, apart = pattern @ (pattern - other), np.linalg.norm(pattern - other)
    if apart <= 2 * tolerance:
        return 0.0
    return math.log(apart / tolerance - 1) / lead if lead > 0 else math.inf
