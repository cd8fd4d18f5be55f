"""The name of the mistake: one that the exercise knows, two of them together, or one that any function can show."""

import itertools
from typing import Any

import numpy as np

from grader.exercises.kinds import Exercise, FunctionExercise
from grader.judging.answer import Outcome, identical
from grader.judging.compare import close, same
from grader.judging.verdict import Advice

#: One call: positional and named arguments, what the answer did, and what the reference did.
Recorded = tuple[tuple, dict, Outcome, Outcome]

#: Mistakes that any function can show, recognised without an exercise's model.
GENERAL = {
    "returns-none": Advice(
        "your function computes but does not return",
        "A function without a `return` line gives None to whoever called it.",
        "End the function with `return` and the result.",
    ),
    "prints-result": Advice(
        "you print the result instead of returning it",
        "A printed number can be read by you, but not used by the next function.",
        "Replace the `print` by a `return`.",
    ),
    "library-function": Advice(
        "this is the course library's own function",
        "The exercise is to write it: the check would only compare the library with itself.",
        "Write the body with NumPy. Functions of earlier notebooks may be used.",
    ),
    "changes-input": Advice(
        "you change an argument in place",
        "Whoever calls your function still needs what they passed in; the second call sees something else.",
        "Make something new (`y = x - 1`) instead of changing the old (`x -= 1`), or work on a copy (`x.copy()`).",
    ),
    "same-for-every-input": Advice(
        "your function returns the same numbers whatever it is given",
        "It may hold the numbers of the example, or use a variable of the notebook instead of its arguments.",
        "Compute everything from the arguments.",
    ),
    "transposed-result": Advice(
        "your result is transposed",
        "Rows and columns have changed places: who asks and who answers are swapped.",
        "Check which axis each argument's rows end up on; the task states the shape.",
    ),
    "returns-argument": Advice(
        "you return the argument as it came",
        "Nothing has been computed yet; perhaps the result went into a variable that is not returned.",
        "Return the result of the last step.",
    ),
    "rounded": Advice(
        "you round the result",
        "Rounded numbers look tidy, but the next function works with what you return, and small weights vanish.",
        "Return the numbers as they are, and round only when you print them.",
    ),
    "swapped-results": Advice(
        "you return the right things in the wrong order",
        "Whoever unpacks the result gets one in place of the other.",
        "Return them in the order that the task states.",
    ),
    "first-result-only": Advice(
        "you return only the first of the results that are asked for",
        "Whoever unpacks the pair gets rows of one array instead of two results.",
        "Return both, separated by a comma, in the order that the task states.",
    ),
    "array-truth": Advice(
        "you use an array as a condition",
        "An array with several numbers is neither true nor false, so Python refuses to choose.",
        "For an argument that may be missing, write `if mask is not None:`; for a comparison, use `.any()` or "
        "`.all()`.",
    ),
    "float-size": Advice(
        "you use the result of a division as a size",
        "`/` gives a number with decimals, even 6 / 2; sizes and counts are whole numbers.",
        "Divide with `//`.",
    ),
    "remembers": Advice(
        "your function remembers something from one call to the next",
        "Called again with the same arguments, it gave another result; whoever uses it cannot rely on it.",
        "Compute everything from the arguments, and keep nothing in a variable outside the function.",
    ),
    "never-ends": Advice(
        "your function does not come to an end",
        "A loop whose condition never becomes false runs for ever; the check stopped it.",
        "Look at what changes from one round of the loop to the next. A `for` loop over rows always ends.",
    ),
}


def advice_on(exercise: Exercise, name: str) -> Advice:
    for misconception in getattr(exercise, "misconceptions", ()):
        if misconception.id == name:
            return Advice(misconception.looks_like, misconception.cause, misconception.cure)
    return GENERAL[name]


def diagnose(exercise: FunctionExercise, calls: Any, last_of_cases: int) -> list[str]:
    """Ids of the mistakes that explain the answer: one, a pair, or a general one; else nothing."""
    switches = [misconception.id for misconception in exercise.misconceptions]
    singles, pairs = [(one,) for one in switches], list(itertools.combinations(switches, 2))
    for records in (calls.record, calls.record[:last_of_cases]):
        for candidates in (singles, pairs):
            for wrong in candidates:
                if records and calls.explains(frozenset(wrong), records):
                    return list(wrong)
            if candidates is singles and _unchanged(records):
                return ["returns-argument"]
            if candidates is singles and (slip := _slip(records)):
                return [slip]
    return _general_mistake(calls.record)


def _slip(records: list[Recorded]) -> str | None:
    """A slip of Python that its exception gives away, or None."""
    for _, _, outcome, _ in records:
        if outcome.error == "ValueError" and "truth value of an array" in outcome.message:
            return "array-truth"
        if outcome.error == "TypeError" and "'float' object cannot be interpreted as an integer" in outcome.message:
            return "float-size"
    return None


def _unchanged(records: list[Recorded]) -> bool:
    """True if every call that takes an array gave its first argument back."""
    return bool(records) and all(
        args and isinstance(args[0], np.ndarray) and outcome.ok and same(outcome.value, args[0])
        for args, _, outcome, _ in records
    )


def _general_mistake(record: list[Recorded]) -> list[str]:
    outcomes = [outcome for _, _, outcome, _ in record]
    if outcomes and all(outcome.ok and outcome.value is None for outcome in outcomes):
        return ["prints-result" if all(outcome.printed.strip() for outcome in outcomes) else "returns-none"]
    pairs = [(outcome.value, expected.value) for _, _, outcome, expected in record if outcome.ok and expected.ok]
    if any(not same(got, expected) for got, expected in pairs):
        if all(_swapped(got, expected) for got, expected in pairs):
            return ["swapped-results"]
        if all(isinstance(expected, tuple) and same(got, expected[0]) for got, expected in pairs):
            return ["first-result-only"]
        if all(_transposed(got, expected) for got, expected in pairs):
            return ["transposed-result"]
        if any(all(_rounded(got, expected, digits) for got, expected in pairs) for digits in range(1, 7)):
            return ["rounded"]
    if len(pairs) >= 3:
        answers = [got for got, _ in pairs]
        varied = any(not identical(pairs[0][1], expected) for _, expected in pairs)
        if varied and all(identical(answers[0], other) for other in answers):
            return ["same-for-every-input"]
    if any(outcome.changed for outcome in outcomes):
        return ["changes-input"]
    return []


def _transposed(got: Any, expected: Any) -> bool:
    try:
        got = np.asarray(got, dtype=float)
        if not isinstance(expected, np.ndarray) or expected.ndim != 2 or got.ndim != 2 or min(got.shape) < 2:
            return False
        return got.shape == expected.T.shape and close(got, expected.T)
    except (TypeError, ValueError):
        return False


def _rounded(got: Any, expected: Any, digits: int) -> bool:
    """True if a result is the expected one, rounded to so many digits."""
    if not isinstance(expected, float) and not (isinstance(expected, np.ndarray) and expected.dtype.kind == "f"):
        return False
    return same(got, np.round(expected, digits) if isinstance(expected, np.ndarray) else round(expected, digits))


def _swapped(got: Any, expected: Any) -> bool:
    if not isinstance(expected, tuple) or not isinstance(got, (tuple, list)) or len(got) != len(expected):
        return False
    return same(tuple(reversed(got)), expected) and not same(tuple(got), expected)
