import numpy as np

from grader.exercises.inputs import example, matrix, tenths, uniform
from grader.exercises.kinds import Case, Property, function


def parameters(draw=matrix, kind=float, **shapes):
    def make(rng):
        return {
            "parameters": {name: draw(rng, *shape).astype(kind) for name, shape in shapes.items()},
            "gradients": {name: draw(rng, *shape).astype(kind) for name, shape in shapes.items()},
            "learning_rate": uniform(rng, 0.2, 0.7),
        }

    return make


def in_another_order(rng):
    given = parameters(W_q=(3, 2), W_k=(3, 2), W_v=(3, 5))(rng)
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
    by-place: you match parameters and gradients by their places -> The two dicts may be in different orders. -> Look
        each gradient up by its name.
    by-sorted-place: you sort the names of the parameters, and give them the gradients by their places -> The gradients
        may be in any order. -> Look each gradient up by its name.
    first-only: only the first of the parameters is moved -> A `return` inside a loop ends it in its first round. ->
        Move all of them, and return after the loop.
    """,
)
def sgd_step(parameters, gradients, learning_rate, wrong=frozenset()):
    """A step of plain gradient descent, with mistakes as switches."""
    moved = {}
    if "by-sorted-place" in wrong:
        gradients = dict(zip(sorted(parameters), gradients.values(), strict=True))
    for place, (name, value) in enumerate(parameters.items()):
        old = np.asarray(value, dtype=float)
        other = list(gradients.values())[place] if "by-place" in wrong else gradients[name]
        gradient = np.asarray(other, dtype=float)
        if "normalised" in wrong:
            gradient = gradient / np.linalg.norm(gradient)
        if "signs-only" in wrong:
            gradient = np.sign(gradient)
        rate = 1.0 if "rate-forgotten" in wrong else 1 / learning_rate if "rate-divides" in wrong else learning_rate
        step = rate * gradient
        if "scaled-down" in wrong:
            old = old * (1 - learning_rate)
        if "first-only" in wrong and place:
            step = 0 * step
        moved[name] = -step if "gradient-only" in wrong else old + step if "uphill" in wrong else old - step
    return moved
