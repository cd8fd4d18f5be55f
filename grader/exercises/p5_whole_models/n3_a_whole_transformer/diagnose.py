import numpy as np

from grader.exercises.inputs import matrix
from grader.exercises.kinds import Case, function


def inputs(*shape):
    """TODO: what the arguments look like, drawn anew for each check."""
    return lambda rng: {"attention": matrix(rng, *shape)}


@function(
    points=6,
    returns="TODO: what the result is called",
    cases=(
        Case("TODO: a small case; nothing counts until it passes", inputs(2, 3), 0.4),
        Case("TODO: another, of prime sizes", inputs(7, 5), 0.3),
        Case("TODO: the one that tells a mistake from the right answer", inputs(3, 11), 0.2),
    ),
    # The other 0.1 is for leaving the arguments alone. TODO: properties=(Property("in words", test, share), ...)
    mistakes="""
    todo-mistake: you TODO: what the learner did ->
        TODO: why that gives the wrong result. -> TODO: what to do about it, without giving the answer away.
    """,
)
def diagnose(attention, wrong=frozenset()):
    """TODO: the reference, with the mistakes that people make as switches."""
    result = np.asarray(attention, dtype=float)
    if "todo-mistake" in wrong:
        result = result + 1
    return result
