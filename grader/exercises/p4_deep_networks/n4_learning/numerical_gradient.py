import numpy as np

from grader.exercises.inputs import integers, matrix, tenths
from grader.exercises.kinds import Case, Property, function
from grader.exercises.stages import number, slip


def quadratic(factors):
    """A sum of squares, each with a factor."""

    def f(x):
        return np.float64((factors * np.asarray(x, dtype=float) ** 2).sum())

    return f


def fifth(factors):
    """Bent so much that it shows which points a slope was taken from."""

    def f(x):
        return np.float64((factors * np.asarray(x, dtype=float) ** 5).sum())

    return f


def mingled(directions):
    """A function in which each number's slope depends on all the others: the log of a sum of exponentials."""

    def f(x):
        return np.float64(np.log(np.exp(directions @ np.asarray(x, dtype=float).ravel()).sum()))

    return f


def case(text, shape, kind, share, epsilon=1e-5, draw=matrix, telling=()):
    def make(rng):
        size = int(np.prod(shape))
        given = {quadratic: shape, fifth: shape, mingled: (5, size)}[kind]
        factors = np.sign(matrix(rng, *given)) * rng.uniform(0.5, 1.5, size=given)
        return {"f": kind(factors), "x": draw(rng, *shape), "epsilon": epsilon}

    return Case(text, make, share, telling)


def a_plane_has_its_own_numbers(call, rng):
    factors = matrix(rng, 3, 5)
    found = call(lambda x: np.float64((factors * np.asarray(x)).sum()), matrix(rng, 3, 5), epsilon=1e-3)
    gap = np.abs(found - factors).max()
    return (
        None if gap < 1e-6 else f"of a sum of factors times numbers the gradient is the factors; yours is {gap:.3g} off"
    )


def whole(rng, *shape):
    return integers(1, 5)(rng, *shape) * rng.choice([-1, 1], size=shape)


@function(
    points=3,
    returns="gradient",
    keywords=("epsilon",),
    cases=(
        case("three numbers, each with its own square", (3,), quadratic, 0.25, draw=tenths),
        case("a matrix of 2 by 3, fifth powers, a step of 0.5", (2, 3), fifth, 0.2, epsilon=0.5),
        case(
            "a matrix of 3 by 5, where all numbers hang together",
            (3, 5),
            mingled,
            0.15,
            epsilon=0.05,
            telling=("not-restored",),
        ),
        case("three axes, a step of 0.1", (2, 3, 2), mingled, 0.1, epsilon=0.1, telling=("not-restored",)),
        case("whole numbers", (2, 2), quadratic, 0.1, epsilon=0.25, draw=whole),
    ),
    properties=(Property("the gradient of a plane is its factors", a_plane_has_its_own_numbers, 0.1),),
    mistakes="""
    one-sided: you take a step to one side only -> The slope to the right of a point is a little off where the function
        bends: by about epsilon, not by epsilon squared. -> Half the way lies to the other side: f a little above minus
        f a little below.
    one-sided-below: you take a step to the lower side only -> The slope to the left of a point is a little off where
        the function bends. -> Half the way lies to the other side: f a little above minus f a little below.
    half-divided: you divide by epsilon, though the two points lie twice that apart -> Each slope is twice too large.
        -> How far is it from x - epsilon to x + epsilon?
    half-steps: each slope is about half of what it should be: you step half of epsilon up and down, and divide by
        twice epsilon -> Then your points lie one epsilon apart. -> A whole epsilon to each side.
    four-points: you take the slope from four points, epsilon and twice epsilon to each side -> That is nearer to the
        gradient, and a good way to measure; but asked for is the quotient of the task, with this epsilon. -> Two
        points, each epsilon away.
    four-near-points: you take the slope from four points, half of epsilon and epsilon to each side -> That is nearer to
        the gradient, and a good way to measure; but asked for is the quotient of the task, with this epsilon. -> Two
        points, each epsilon away.
    not-divided: you return the difference itself -> A slope is a difference for each unit of the way. -> Divide by the
        distance of the two points.
    times-epsilon: you multiply by epsilon -> `a / 2 * epsilon` divides by 2 and multiplies by epsilon: Python goes
        from left to right. -> Put the distance in brackets: `/ (2 * epsilon)`.
    values-replaced: the entry is set to epsilon, where it should be moved by epsilon -> `a[p] = epsilon` forgets what
        stood there. -> `a[p] += epsilon`.
    brackets-missing: only f below is divided -> Python divides before it subtracts. -> Brackets around the difference.
    relative-step: you move each entry by a share of itself, not by epsilon -> Then the step is another one for each
        entry, and the points do not lie 2 epsilon apart. -> `a[p] += epsilon`.
    added-up: you add f above and f below -> What both have in common has to go: a slope is a difference. -> Subtract.
    way-fixed: you divide by the default's distance, 0.00002 -> `epsilon` is an argument: the points lie twice *that*
        apart. -> Use it in both places.
    sign-turned: all signs are turned round -> The slope is f above minus f below. -> Exchange the two.
    all-at-once: you move all numbers at once -> Then one number comes out: the sum of all slopes. -> Move one entry,
        leave all others where they are, and do so for each entry.
    whole-array: every entry of your result is the sum of all slopes: you move the whole array each time -> `x +
        epsilon` moves every number of x. -> Move one entry, in a copy, and leave all others where they are.
    added-everywhere: every entry of your result is the sum of all slopes: you add each slope to the whole result ->
        `+=` on an array without a place adds to all of its entries. -> Put each slope into the place of its entry.
    epsilon-squared: you divide by the square of epsilon -> A slope is a difference for each unit of the way, and the
        way is no square. -> How far is it from x - epsilon to x + epsilon?
    whole-rows: you move whole rows -> `x[i]` is a row of the matrix; its slope is the sum of those of its entries. ->
        Go over all entries: `np.ndindex(x.shape)` gives their places.
    not-restored: an entry that was moved stays below -> From the second entry on you measure at another place. -> Put
        each entry back, or take a fresh copy for each.
    each-stays: entries that were moved stay moved, above in one copy and below in the other -> From the second entry
        on the difference adds the steps of all entries before it. -> Take fresh copies for each entry.
    above-stays: in the copy for f above, entries that were moved stay moved -> From the second entry on you measure at
        another place. -> Put both copies back, or take fresh ones for each entry.
    below-stays: in the copy for f below, entries that were moved stay moved -> From the second entry on you measure at
        another place. -> Put both copies back, or take fresh ones for each entry.
    epsilon-fixed=: your step has a size of its own -> `epsilon` is an argument, and the check hands in others than the
        default. -> Use it.
    steps-lost: on whole numbers your step is lost -> An array of whole numbers (`dtype=int`) cuts off the decimals of
        what is put into it: 3.00001 becomes 3. -> Work on a copy of floats: `x.astype(float)`.
    result-whole: on whole numbers your result has lost its decimals -> `np.zeros_like(x)` of whole numbers is made of
        whole numbers. -> Make it of floats: `np.zeros(x.shape)`.
    flattened: the result is a flat array -> Each entry of the gradient belongs to an entry of x. -> Give it the shape
        of x: `.reshape(x.shape)`.
    last-only: only the last entry has a slope -> Each round makes the array of zeros anew, so that what was found
        before is lost. -> Make it once, before the loop.
    """,
)
def numerical_gradient(f, x, epsilon=1e-5, wrong=frozenset()):
    """Central differences, with mistakes as switches."""
    x = np.asarray(x)
    if step := number(wrong, "epsilon-fixed", 1e-5):
        epsilon = step
    further = slip(wrong, {"four-points": 2.0, "four-near-points": 0.5}, 0.0)
    if further:  # what bends is off by the square of the step, so that two steps tell it
        one, other = (numerical_gradient.model(f, x, way * epsilon) for way in (1.0, further))
        return (further**2 * one - other) / (further**2 - 1)
    copy = x.copy() if "steps-lost" in wrong else x.astype(float)
    if wrong & {"all-at-once", "whole-array"}:
        slope = float((f(copy + epsilon) - f(copy - epsilon)) / (2 * epsilon))
        return np.full(x.shape, slope) if "whole-array" in wrong else slope
    way = slip(
        wrong,
        {
            "one-sided": epsilon,
            "one-sided-below": epsilon,
            "half-divided": epsilon,
            "not-divided": 1.0,
            "times-epsilon": 2 / epsilon,
            "epsilon-squared": epsilon**2,
            "way-fixed": 2e-5,
        },
        2 * epsilon,
    )
    if "half-steps" in wrong:
        epsilon = epsilon / 2
    gradient = np.zeros(x.shape, dtype=x.dtype if "result-whole" in wrong else float)
    above, below = copy.copy(), copy.copy()
    places = list(np.ndindex(x.shape[:1] if "whole-rows" in wrong else x.shape))
    for place in places:
        if "not-restored" in wrong:
            above = below.copy()
        elif "each-stays" not in wrong:
            above = above if "above-stays" in wrong else copy.copy()
            below = below if "below-stays" in wrong else copy.copy()
        if "one-sided-below" not in wrong:
            above[place] = above[place] + epsilon
        if "one-sided" not in wrong:
            below[place] = below[place] - epsilon
        if "relative-step" in wrong:
            above[place], below[place] = copy[place] * (1 + epsilon), copy[place] * (1 - epsilon)
        if "values-replaced" in wrong:
            above[place], below[place] = epsilon, -epsilon
        down = -f(below.copy()) if "added-up" in wrong else f(below.copy())
        high = f(above.copy())
        gradient[place] = high - down / way if "brackets-missing" in wrong else (high - down) / way
    if "last-only" in wrong:
        gradient.flat[:-1] = 0
    if "added-everywhere" in wrong:
        gradient = np.full(x.shape, gradient.sum())
    if "sign-turned" in wrong:
        gradient = -gradient
    return gradient.ravel() if "flattened" in wrong else gradient
