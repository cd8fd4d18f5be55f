import numpy as np

from attnlib import erf
from grader.exercises.inputs import example
from grader.exercises.kinds import Case, Property, function
from grader.exercises.stages import number, slip


def _spread(rng, *shape):
    """Numbers of both signs where the function bends."""
    return _up_to(2.5, rng, *shape)


def _with_both_ends(rng, *shape):
    """Numbers from where hardly anything passes to where hardly anything does not; the outermost are always there."""
    return _up_to(4.5, rng, *shape)


def _up_to(most, rng, *shape):
    size = int(np.prod(shape))
    places = np.linspace(-most, most, size) + rng.uniform(-0.2, 0.2, size) * (np.abs(np.linspace(-1, 1, size)) < 1)
    return {"x": rng.permutation(places).reshape(shape)}


def _five(rng):
    return {"x": rng.permutation([-1.5, -0.5, 0.0, 0.7, 2.0]) + rng.permutation([-0.1, 0.0, 0.0, 0.0, 0.1])}


def _difference_is_x(call, rng):
    x = _spread(rng, 3, 5)["x"]
    gap = np.abs(call(x) - call(-x) - x).max()
    return None if gap < 1e-3 else f"the two differ from it by {gap:.3g}"


@function(
    points=2,
    returns="bent",
    cases=(
        Case("five numbers", _five, 0.3),
        Case("the example of the task", example(x=np.array([-3.0, -1.0, 0.0, 1.0, 3.0])), 0.1),
        Case("a matrix", lambda rng: _with_both_ends(rng, 7, 5), 0.15),
        Case("three axes", lambda rng: _with_both_ends(rng, 2, 3, 5), 0.1),
        Case("large numbers", lambda rng: {"x": rng.permutation([-300.0, -40.0, -7.0, 9.0, 50.0, 700.0])}, 0.05),
        Case("single precision", lambda rng: {"x": _spread(rng, 3, 7)["x"].astype(np.float32)}, 0.05),
        Case("whole numbers", lambda rng: {"x": rng.permutation([-2, -1, 0, 1, 2])}, 0.05),
    ),
    properties=(Property("gelu(x) − gelu(−x) is x", _difference_is_x, 0.1),),
    mistakes="""
    tanh-formula: you took the formula with tanh -> That is an approximation, off by up to 0.0005; GPT-2 was trained
        with it. The real layers of this notebook were trained with the exact one, and six of them add up what is off.
        -> Use `erf`.
    quick-formula: you took x times the sigmoid of 1.702 x -> That is an approximation, off by up to 0.02. -> Use `erf`.
    silu: you took x times the sigmoid of x -> That is SiLU, a cousin: it bends more slowly, and reaches lower. -> The
        share that passes is the normal distribution function, which `erf` gives.
    relu: you cut off what is negative -> That is ReLU: it has a corner at 0. Here a little of what is negative passes,
        and not all of what is positive. -> Multiply x by the share that passes, between 0 and 1.
    no-root: x goes into `erf` as it is -> `erf` counts in another unit than the normal distribution function: one is
        the other, with x divided by the root of 2. -> Divide before `erf`.
    times-root: you multiply by the root of 2 inside `erf` -> Then it bends twice as fast as it should. -> Divide.
    by-two: inside `erf` you divide by 2, not by its root -> Then it bends too slowly. -> `np.sqrt(2)`.
    root-outside: `erf` itself is divided by the root of 2, not what goes into it -> The root belongs to x: `erf` counts
        in another unit than the normal distribution function. -> Parentheses: divide inside the call.
    root-stays: what you multiply in the end is still divided by the root of 2 -> The root belongs into `erf` only. ->
        x itself times its share.
    root-of-2-pi: inside `erf` you divide by the root of 2 pi -> That root belongs to the density, the bell. -> The root
        of 2.
    no-half: the one half is missing -> The share that passes would go up to 2. -> Halve it.
    no-one: the 1 in front of `erf` is missing -> `erf` runs from -1 to 1, and a share runs from 0 to 1. -> Add 1 before
        you halve.
    half-of-erf: the 1 is not halved, only `erf` is -> The share that passes would run from 0.5 to 1.5: Python divides
        before it adds. -> Parentheses around the sum, and halve that.
    erf-not-halved: the 1 is halved, `erf` is not -> The share that passes would run from -0.5 to 1.5. -> Parentheses
        around 1 plus `erf`, and halve that.
    x-on-one-only: x multiplies the 1 alone, and only `erf` is halved -> Python multiplies and divides before it adds.
        -> Parentheses around 1 plus `erf`; x and the half belong to all of it.
    density: you multiply by the density, the bell -> The bell says how frequent x itself is. Wanted is how often a
        normal number lies *below* x. -> Use the distribution function: it comes from `erf`.
    share-only: you return the share that passes, not what passes -> The share is the factor; x is what it multiplies.
        -> Multiply by x.
    other-side: you take the share *above* x -> Then what is small passes and what is large does not. -> The share of
        normal numbers below x: it grows with x.
    erf-alone: you return x times `erf`, or `erf` with nothing else -> `erf` runs from -1 to 1; a share runs from 0 to
        1. -> Turn it into a share first: add 1, and halve.
    quarter: inside `erf` you divide by 4 -> Python's `2**2` is a square. -> `np.sqrt(2)`, or `2**0.5`.
    parentheses: you add `erf`, where it belongs into the share -> Python multiplies before it adds. -> Parentheses
        around 1 plus `erf`; x and the half multiply all of it.
    tanh-alone: you took a tanh for `erf`, of x as it is -> It bends another way; the formula with tanh that GPT-2 has
        is a longer one, and an approximation, too. -> Use `erf`.
    softplus: you took the logarithm of 1 plus a power of e -> That is softplus, a smooth ReLU that is never negative.
        Here a little of what is negative passes. -> Multiply x by the share that passes.
    elu: you took x above 0, and e^x − 1 below -> That is ELU, a cousin. Here not all of what is positive passes. ->
        Multiply x by the share that passes, between 0 and 1.
    leaky=: below 0 a fixed share of x passes -> That is a leaky ReLU: it has a corner at 0. Here the share falls as x
        does. -> Multiply x by the share that passes, between 0 and 1.
    cut-off-below=: far below 0 nothing passes -> There little passes, but not nothing: at -3 it is still 0.004. ->
        The formula holds for every x; no case needs a line of its own.
    cut-off-above=: far above 0 all of x passes -> There nearly all passes, but not all: at 3 it is 2.996. -> The
        formula holds for every x; no case needs a line of its own.
    cut-off=: far from 0 all of x passes, or nothing -> There it is nearly so, but not quite: at 3 it is 2.996, at -3 it
        is -0.004. -> The formula holds for every x; no case needs a line of its own.
    sign-turned: the sign of x is turned -> Then what is small passes, and what is large does not. -> x as it is, as the
        factor and inside `erf`.
    truncated: your numbers have lost what follows the point -> If x holds whole numbers, so does `np.zeros_like(x)`,
        and what is written into it is cut off. -> Compute with whole arrays, or make the new one for decimals.
    one-number: you go through one axis only, or return one number -> x may have any shape, and what comes back has the
        same. -> NumPy's functions and `erf` take whole arrays.
    """,
)
def gelu(x, wrong=frozenset()):
    """GELU, with the mistakes that people make as switches."""
    whole_numbers = np.asarray(x).dtype.kind in "iu"
    x = np.asarray(x, dtype=float)

    def share(scale):
        return (1 + erf(x * scale)) / 2

    def sigmoid(z):
        return 1 / (1 + np.exp(-np.clip(z, -700, 700)))

    if passes := number(wrong, "leaky", 0.01):
        return np.where(x > 0, x, passes * x)
    below = number(wrong, "cut-off-below", 3.0) or number(wrong, "cut-off", 3.0) or np.inf
    above = number(wrong, "cut-off-above", 3.0) or number(wrong, "cut-off", 3.0) or np.inf
    if "sign-turned" in wrong:
        x = -x
    slips = {
        "tanh-formula": lambda: x * (1 + np.tanh(np.sqrt(2 / np.pi) * (x + 0.044715 * x**3))) / 2,
        "quick-formula": lambda: x * sigmoid(1.702 * x),
        "silu": lambda: x * sigmoid(x),
        "relu": lambda: np.maximum(x, 0),
        "no-root": lambda: x * share(1.0),
        "times-root": lambda: x * share(np.sqrt(2)),
        "by-two": lambda: x * share(0.5),
        "no-half": lambda: 2 * x * share(np.sqrt(0.5)),
        "no-one": lambda: x * erf(x / np.sqrt(2)) / 2,
        "half-of-erf": lambda: x * (1 + erf(x / np.sqrt(2)) / 2),
        "erf-not-halved": lambda: x * (0.5 + erf(x / np.sqrt(2))),
        "x-on-one-only": lambda: x + erf(x / np.sqrt(2)) / 2,
        "density": lambda: x * np.exp(-(x**2) / 2) / np.sqrt(2 * np.pi),
        "share-only": lambda: share(np.sqrt(0.5)),
        "other-side": lambda: x * (1 - share(np.sqrt(0.5))),
        "erf-alone": lambda: x * erf(x / np.sqrt(2)),
        "root-outside": lambda: x * (1 + erf(x) / np.sqrt(2)) / 2,
        "root-stays": lambda: x / np.sqrt(2) * share(np.sqrt(0.5)),
        "root-of-2-pi": lambda: x * share(1 / np.sqrt(2 * np.pi)),
        "quarter": lambda: x * share(0.25),
        "parentheses": lambda: x / 2 + erf(x / np.sqrt(2)),
        "tanh-alone": lambda: x * (1 + np.tanh(x)) / 2,
        "elu": lambda: np.where(x > 0, x, np.expm1(np.minimum(x, 0))),
        "softplus": lambda: np.logaddexp(0, x),
        "truncated": lambda: np.trunc(x * share(np.sqrt(0.5))) if whole_numbers else x * share(np.sqrt(0.5)),
        "one-number": lambda: (x * share(np.sqrt(0.5))).ravel()[0],
    }
    bent = slip(wrong, slips, lambda: x * share(np.sqrt(0.5)))()
    return np.where(x < -abs(below), 0.0, np.where(x > abs(above), x, bent))
