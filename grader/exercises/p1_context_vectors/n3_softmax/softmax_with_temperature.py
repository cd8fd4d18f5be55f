import numpy as np

from grader.exercises.inputs import arrays, example, matrix, tenths, uniform
from grader.exercises.kinds import Case, Property, function
from grader.exercises.p1_context_vectors.n3_softmax.softmax import softmax
from grader.exercises.stages import number, slip


def refuses(temperature):
    """A test that a temperature raises a ValueError."""

    def test(call, rng):
        outcome = call.outcome(matrix(rng, 2, 3), temperature)
        if outcome.raised("ValueError"):
            return None
        return f"a temperature of {temperature:g} should raise a ValueError, but {outcome.did}"

    return test


#: What is refused, by the slip.
REFUSED = {
    "no-error": lambda some: False,
    "zero-let-through": lambda some: some < 0,
    "negative-let-through": lambda some: some == 0,
    "sign-dropped": lambda some: some == 0,
    "refuses-positive": lambda some: some > 0,
}


def hot(rng):
    return {"x": matrix(rng, 5, 5, scale=3.0), "temperature": int(rng.integers(3, 10))}


@function(
    points=2,
    returns="weights",
    cases=(
        Case("a small matrix, 2 x 3, at temperature 2", arrays(tenths, x=(2, 3), temperature=2.0), 0.25),
        Case("a larger matrix, 7 x 5, cold", arrays(x=(7, 5), temperature=(uniform, 0.45, 0.7)), 0.15),
        Case("a square matrix, hot, the temperature a whole number", hot, 0.05),
        Case(
            "large scores, hardly heated",
            lambda rng: {"x": 1000 + matrix(rng, 3, 5), "temperature": uniform(rng, 1.1, 1.3)},
            0.05,
        ),
        Case(
            "so cold that the powers are huge",
            # So near each other that a slightly different temperature shows, and not too near for single precision.
            # The scores of one row are so small that nothing overflows there.
            lambda rng: {"x": np.array([[2e-3], [3e-4], [2e-3]]) + 1e-6 * matrix(rng, 3, 5), "temperature": 1e-6},
            0.05,
            telling=("lifted=0.001", "square-root", "something-added"),
        ),
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
        large, and the powers overflow. -> Before the exponential, subtract from
        each row its own maximum; if it is your `softmax` that you call, its own check tells more.
    global-maximum
    maximum-undivided: you divide the scores by the temperature, but not the maximum that you subtract -> The two no
        longer belong together: in the cold the powers still overflow, or all of them become 0. -> Divide first, and
        then subtract each row's maximum of what you have.
    only-scores-undivided: you divide the maximum by the temperature, but not the scores -> A shift cancels, so that the
        temperature has no effect; and in the cold all powers become 0, or overflow. -> Divide the difference:
        parentheses around it.
    whole-division: you divide with `//` -> It rounds down to whole numbers: scores that differ by less than the
        temperature become equal. -> Divide with `/`.
    powers-not-normalised: you raise the weights to the power of one divided by the temperature, and afterwards the
        rows do not sum to 1 -> The proportions are right; but a sum of powers is not the power of a sum. -> Divide
        the scores before the softmax, or each row by its own new sum at the end.
    powers-of-weights: you raise the weights to the power of one divided by the temperature -> On paper that is right.
        But in the deep cold the power is huge, and all weights below 1 are rounded to 0: 0/0 is NaN. -> Divide the
        scores instead, before the softmax.
    whole-temperature: you make a whole number of the temperature -> 0.5 becomes 0, and 1.5 becomes 1. -> Divide by the
        temperature as it is given.
    lifted=: you use a certain temperature where a lower one is asked for -> However cold it is, the softmax exists. ->
        Divide by the temperature as it is given; refuse only what is not positive.
    something-added=: you add a small number to the temperature -> It may be as small as a millionth itself; and zero is
        refused already, so that nothing can be divided by it. -> Divide by the temperature as it is given.
    refuses-positive: you refuse the temperatures that are positive -> Your condition is turned round: what is allowed
        raises an error, and what is not is computed. -> Read it aloud: raise an error *if* the temperature is ...?
    refuses-below-one: you refuse every temperature below 1 -> Between 0 and 1 it is cold, and that is allowed. ->
        Refuse zero and what lies below it, and nothing else.
    refuses-cold: you refuse a temperature that is low, but positive -> However cold it is, the softmax exists: nearly
        all weight lies on the best key. -> Refuse zero and what lies below it, and nothing else.
    refuses-whole: you refuse a temperature that is a whole number -> 5 is as good a temperature as 5.0. -> Refuse zero
        and what lies below it, and nothing else.
    ignored: the temperature has no effect -> The weights are those of temperature 1, whatever is asked for: the
        temperature is not used, or only added or subtracted, and a shift cancels; or the weights are divided by it, and
        then by their sum, which cancels, too. -> Divide the scores by the temperature before the softmax.
    temperature-after: you divide the weights by the temperature, after the softmax -> Then the rows no longer sum to 1,
        and the weights are as sharp or as flat as before. -> Divide the scores, before the softmax.
    temperature-below-only: you divide by the temperature in the sum, but not above the line -> Numerator and
        denominator no longer belong together, and the rows do not sum to 1. -> Divide the scores first, and use the
        same powers in both places.
    temperature-above-only: you divide by the temperature above the line, but not in the sum -> Numerator and
        denominator no longer belong together, and the rows do not sum to 1. -> Divide the scores first, and use the
        same powers in both places.
    zero-let-through: you refuse a negative temperature, but not zero -> A division by zero gives infinity and NaN, and
        raises no error. -> Zero is not positive either: look at the edge of your condition.
    negative-let-through: you refuse zero, but not a negative temperature -> A negative temperature turns the order
        round: the worst key gets most, without a word. -> Refuse all that is not positive.
    sign-dropped: you refuse zero, but take a negative temperature without its sign -> The caller made a mistake and is
        not told. -> Refuse all that is not positive.
    lifted-from-below=: you use a small positive temperature in the place of one that is not positive -> The caller made
        a mistake and is not told. -> Raise a `ValueError`.
    no-error: a temperature that is not positive is let through -> Zero gives NaN, and a negative temperature prefers
        the worst key; neither raises an error by itself. -> Start with an `if` that raises a `ValueError`.
    returns-none-for-error: you return (or print) something for a temperature that is not positive, instead of raising
        an error -> What is returned travels on and fails later, far from its cause. -> Use `raise ValueError(...)` with
        a sentence that says what is wrong.
    columns
    square-root: you divide by the square root of the temperature -> A square root belongs to the dimension of the keys,
        in a later notebook; here the temperature itself divides. -> Divide the scores by the temperature itself.
    """,
)
def softmax_with_temperature(x, temperature, wrong=frozenset()):
    """Softmax at a temperature, with mistakes as switches."""
    x = np.asarray(x, dtype=float)
    if "returns-none-for-error" in wrong and temperature <= 0:
        return None
    lifted_from_below = number(wrong, "lifted-from-below", 1e-8)
    if (not lifted_from_below and slip(wrong, REFUSED, lambda some: some <= 0)(temperature)) or (
        ("refuses-cold" in wrong and temperature < 0.01)
        or ("refuses-below-one" in wrong and temperature < 1)
        or ("refuses-whole" in wrong and not isinstance(temperature, float))
    ):
        raise ValueError("temperature must be positive")
    if "whole-temperature" in wrong:
        temperature = int(temperature)
    temperature = max(temperature, number(wrong, "lifted", 0.1) or lifted_from_below or temperature)
    if "sign-dropped" in wrong:
        temperature = abs(temperature)
    if "only-scores-undivided" in wrong:
        powers = np.exp(x - x.max(axis=-1, keepdims=True) / temperature)
        return powers / powers.sum(axis=-1, keepdims=True)
    if wrong & {"powers-not-normalised", "powers-of-weights"}:
        powers = softmax(x) ** (1 / temperature)
        return powers if "powers-not-normalised" in wrong else powers / powers.sum(axis=-1, keepdims=True)
    if "maximum-undivided" in wrong:
        powers = np.exp(x / temperature - x.max(axis=-1, keepdims=True))
        return powers / powers.sum(axis=-1, keepdims=True)
    if wrong & {"temperature-below-only", "temperature-above-only"}:
        top = x.max(axis=-1, keepdims=True)
        heated, plain = np.exp((x - top) / temperature), np.exp(x - top)
        above, below = (plain, heated) if "temperature-below-only" in wrong else (heated, plain)
        return above / below.sum(axis=-1, keepdims=True)
    temperature = temperature + (number(wrong, "something-added", 1e-6) or 0.0)
    if "temperature-after" in wrong:
        return softmax(x) / temperature
    slips = {
        "temperature-multiplied": lambda: x * temperature,
        "ignored": lambda: x,
        "square-root": lambda: x / np.sqrt(abs(temperature)),
        "whole-division": lambda: x // temperature,
    }
    scores = slip(wrong, slips, lambda: x / temperature)()
    return softmax(scores, wrong & {"no-maximum", "global-maximum", "columns"})
