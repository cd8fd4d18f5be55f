import numpy as np

from grader.exercises.inputs import arrays, example, matrix, tenths, uniform
from grader.exercises.kinds import Case, Property, function
from grader.exercises.p1_context_vectors.n3_softmax.softmax import softmax
from grader.exercises.stages import slip


def refuses(temperature):
    """A test that a temperature raises a ValueError."""

    def test(call, rng):
        outcome = call.outcome(matrix(rng, 2, 3), temperature)
        if outcome.raised("ValueError"):
            return None
        if outcome.error == "NotPlain":
            happened = f"it returned {outcome.message}"
        else:
            happened = f"it raised {outcome.error}" if outcome.error else "it returned a result"
        return f"a temperature of {temperature:g} should raise a ValueError, but {happened}"

    return test


def hot(rng):
    return {"x": matrix(rng, 5, 5, scale=3.0), "temperature": int(rng.integers(3, 10))}


@function(
    points=2,
    returns="weights",
    cases=(
        Case("a small matrix, 2 x 3, at temperature 2", arrays(tenths, x=(2, 3), temperature=2.0), 0.25),
        Case("a larger matrix, 7 x 5, cold", arrays(x=(7, 5), temperature=(uniform, 0.2, 0.7)), 0.15),
        Case("a square matrix, hot, the temperature a whole number", hot, 0.05),
        Case(
            "large scores, hardly heated",
            lambda rng: {"x": 1000 + matrix(rng, 3, 5), "temperature": uniform(rng, 1.1, 1.3)},
            0.05,
        ),
        Case("so cold that the powers are huge", lambda rng: {"x": 20 + matrix(rng, 3, 5), "temperature": 1e-30}, 0.05),
        Case("the example of the task", example(x=np.array([[0.0, np.log(3.0)]]), temperature=0.5), 0.05),
    ),
    properties=(
        Property("a temperature of zero is refused", refuses(0.0), 0.15),
        Property("a negative temperature is refused", refuses(-1.0), 0.15),
    ),
    mistakes="""
    temperature-multiplied: you multiply by the temperature instead of dividing by it -> Hot and cold change places: a
        high temperature then makes the best key take all. -> Divide the scores by the temperature.
    no-maximum: your softmax does not subtract each row's maximum -> At a low temperature even small scores become
        large, and the powers overflow. -> Mend `softmax` first: its own check tells more.
    maximum-undivided: you divide the scores by the temperature, but not the maximum that you subtract -> The two no
        longer belong together: in the cold the powers overflow all the same. -> Divide first, and then subtract each
        row's maximum of what you have.
    refuses-cold: you refuse a temperature that is low, but positive -> However cold it is, the softmax exists: nearly
        all weight lies on the best key. -> Refuse zero and what lies below it, and nothing else.
    refuses-whole: you refuse a temperature that is a whole number -> 5 is as good a temperature as 5.0. -> Refuse zero
        and what lies below it, and nothing else.
    ignored: the temperature has no effect -> The weights are those of temperature 1, whatever is asked for: the
        temperature is not used, or only added or subtracted, and a shift cancels. -> Divide the scores by the
        temperature before the softmax.
    temperature-after: you divide the weights by the temperature, after the softmax -> Then the rows no longer sum to 1,
        and their shape has not changed at all. -> Divide the scores, before the softmax.
    no-error: a temperature that is not positive is let through -> Zero divides by zero, and a negative temperature
        prefers the worst key, without a word. -> Start with an `if` that raises a `ValueError`.
    returns-none-for-error: you return (or print) something for a temperature that is not positive, instead of raising
        an error -> A None travels on and fails later, far from its cause. -> Use `raise ValueError(...)` with a
        sentence that says what is wrong.
    columns
    square-root: you divide by the square root of the temperature -> A square root belongs to the dimension of the keys,
        in a later notebook; here the temperature itself divides. -> Divide the scores by the temperature itself.
    """,
)
def softmax_with_temperature(x, temperature, wrong=frozenset()):
    """Softmax at a temperature, with mistakes as switches."""
    x = np.asarray(x, dtype=float)
    if temperature <= 0 and "no-error" not in wrong:
        if "returns-none-for-error" in wrong:
            return None
        raise ValueError("temperature must be positive")
    if ("refuses-cold" in wrong and temperature < 0.01) or (
        "refuses-whole" in wrong and not isinstance(temperature, float)
    ):
        raise ValueError("temperature")
    if "maximum-undivided" in wrong:
        powers = np.exp(x / temperature - x.max(axis=-1, keepdims=True))
        return powers / powers.sum(axis=-1, keepdims=True)
    if "temperature-after" in wrong:
        return softmax(x) / temperature
    slips = {"temperature-multiplied": x * temperature, "ignored": x, "square-root": x / np.sqrt(abs(temperature))}
    return softmax(slip(wrong, slips, x / temperature), wrong & {"no-maximum", "columns"})
