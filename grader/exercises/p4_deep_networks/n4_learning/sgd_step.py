import numpy as np

from grader.exercises.inputs import example, matrix, tenths, uniform
from grader.exercises.kinds import Case, Property, function
from grader.exercises.stages import number, slip


def parameters(draw=matrix, kind=float, **shapes):
    def make(rng):
        return {
            "parameters": {name: draw(rng, *shape).astype(kind) for name, shape in shapes.items()},
            "gradients": {name: draw(rng, *shape).astype(kind) for name, shape in shapes.items()},
            "learning_rate": uniform(rng, 0.2, 0.7),
        }

    return make


def in_another_order(rng):
    given = parameters(W_q=(3, 2), W_k=(3, 2), W_v=(3, 2))(rng)
    return given | {"gradients": dict(reversed(given["gradients"].items()))}


def a_small_step_lowers_the_loss(call, rng):
    target, W = matrix(rng, 3, 2), matrix(rng, 3, 2)
    before = ((W - target) ** 2).sum()
    after = ((call({"W": W}, {"W": 2 * (W - target)}, 0.25)["W"] - target) ** 2).sum()
    words = f"a small step against the gradient should lower the loss; it was {before:.3g}, and becomes {after:.3g}"
    return None if after < before else words


@function(
    points=2,
    returns="a dict",
    cases=(
        Case("one matrix", parameters(tenths, W=(2, 3)), 0.3),
        Case("three matrices of different shapes", parameters(W_q=(5, 2), W_v=(5, 3), W_o=(3, 7)), 0.2),
        Case("the gradients in another order", in_another_order, 0.1),
        Case("in single precision", parameters(kind=np.float32, b=(7,), W=(3, 5)), 0.1),
        Case(
            "the example of the task",
            example(
                parameters={"W": np.array([1.0, 2.0])}, gradients={"W": np.array([10.0, -10.0])}, learning_rate=0.1
            ),
            0.1,
        ),
    ),
    properties=(Property("a small step lowers a simple loss", a_small_step_lowers_the_loss, 0.1),),
    mistakes="""
    uphill: you add the gradient -> The gradient says where the loss rises: that way it grows with each step. ->
        Subtract.
    rate-forgotten: the learning rate has no effect -> A step of the whole gradient mostly goes far too far. ->
        Multiply the gradient by `learning_rate`.
    rate-divides: you divide by the learning rate -> A small rate must make a small step. -> Multiply.
    gradient-only: you return the step, not where it leads -> The next step starts from the new parameters. -> Take the
        step off the old ones.
    normalised: you divide the gradient by its length -> Then every step is equally long, however near the goal is. ->
        Use the gradient as it comes.
    signs-only: you use the sign of the gradient only -> Then every number moves by the same, however much it matters.
        -> Use the gradient as it comes.
    scaled-down: you multiply the parameters by something (one minus the rate, say) -> That shrinks them whether it
        helps or not; it is called weight decay, and not asked for here. -> Take only the gradient times the rate off.
    multiplied: you multiply the parameters by one minus rate times gradient -> A number near 0 would then hardly move,
        and a negative one the other way. -> Subtract rate times gradient from the old number itself.
    by-place: you match parameters and gradients by their places -> The two dicts may be in different orders. -> Look
        each gradient up by its name.
    by-sorted-place: you sort the names of the parameters, and give them the gradients by their places -> The gradients
        may be in any order. -> Look each gradient up by its name.
    last-gradient-for-all: every parameter gets the same gradient -> Each has one of its own, and of its own
        shape. -> Look each gradient up by its name; one loop is enough.
    first-gradient-for-all: every parameter gets the same gradient -> Each has one of its own, and of its own
        shape. -> Look each gradient up by its name.
    by-shape: you look for the gradient by its shape -> Two parameters may have the same shape. -> Look each gradient up
        by its name; one loop is enough.
    turned-round: you take the parameter off the step -> The step begins at the parameter. -> Parameter minus rate times
        gradient.
    rate-falls: the rate falls from one parameter to the next -> All belong to the same step. -> Use `learning_rate`
        as it comes.
    not-moved: you return the parameters as they came -> What was computed is not what stands in the dict: a line whose
        result has no name is thrown away, and so is what a loop's own variable is given. -> Put each new array into the
        new dict, under its name.
    stays-empty: your dict stays empty -> What was computed was never put into it. -> Put each new array into it, under
        its name.
    last-name-only: your dict holds the last name only -> A dict that is made in the loop is a new one in each round. ->
        Make it before the loop.
    shrunk-as-well: you multiply the difference of parameter and gradient by the rate -> The old value
        is where the step begins: it is not multiplied. -> Parameter minus (rate times gradient).
    rate-off-the-parameter: you take the rate off the parameter, and multiply what is left by the gradient -> The step
        is rate times gradient, and only that is taken off. -> No parentheses around parameter and rate: Python
        multiplies before it subtracts.
    mean-of-the-gradient: every number moves by the mean of the gradient -> Each number has a slope of its own. -> Use
        the gradient as it comes.
    sum-of-the-gradient: every number moves by the sum of the gradient -> Each number has a slope of its own. -> Use
        the gradient as it comes.
    gradient-clipped=: the gradient is cut off at some size -> That helps where steps explode, and is not asked for
        here. -> Use the gradient as it comes.
    exchanged: parameter and gradient have changed places -> The step begins at the parameter. -> Parameter minus rate
        times gradient.
    first-only: only the first of the parameters is moved -> A `return` inside a loop ends it in its first round. ->
        Move all of them, and return after the loop.
    """,
)
def sgd_step(parameters, gradients, learning_rate, wrong=frozenset()):
    """A step of plain gradient descent, with mistakes as switches."""
    moved = {}
    if "by-sorted-place" in wrong:
        gradients = dict(zip(sorted(parameters), gradients.values(), strict=True))
    given = list(gradients.values())
    for place, (name, value) in enumerate(parameters.items()):
        old = np.asarray(value, dtype=float)
        of_this_shape = [one for one in given if np.shape(one) == old.shape]
        slips = {
            "by-place": given[place : place + 1],
            "last-gradient-for-all": given,
            "first-gradient-for-all": given[:1],
            "by-shape": of_this_shape,
        }
        other = slip(wrong, slips, [gradients[name]])[-1]
        gradient = np.asarray(other, dtype=float)
        if "exchanged" in wrong:
            old, gradient = gradient, old
        if "mean-of-the-gradient" in wrong:
            gradient = np.full(gradient.shape, gradient.mean())
        if "sum-of-the-gradient" in wrong:
            gradient = np.full(gradient.shape, gradient.sum())
        if limit := number(wrong, "gradient-clipped", 1.0):
            gradient = np.clip(gradient, -limit, limit)
        if "normalised" in wrong:
            gradient = gradient / np.linalg.norm(gradient)
        if "signs-only" in wrong:
            gradient = np.sign(gradient)
        rate = 1.0 if "rate-forgotten" in wrong else 1 / learning_rate if "rate-divides" in wrong else learning_rate
        step = rate * gradient / (2**place if "rate-falls" in wrong else 1)
        if "scaled-down" in wrong:
            old = old * (1 - learning_rate)
        if "first-only" in wrong and place:
            step = 0 * step
        if "not-moved" in wrong:
            step = 0 * step
        if "shrunk-as-well" in wrong:
            old = rate * old
        if "multiplied" in wrong:
            step = old * step
        if "rate-off-the-parameter" in wrong:
            old = old * gradient
        if "last-name-only" in wrong:
            moved = {}
        if "turned-round" in wrong:
            old, step = -old, -step
        moved[name] = -step if "gradient-only" in wrong else old + step if "uphill" in wrong else old - step
    return {} if "stays-empty" in wrong else moved
