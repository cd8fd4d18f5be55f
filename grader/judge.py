"""Checking an answer against an exercise: fresh inputs, expected values, properties, and the name of the mistake."""

import difflib
import itertools
from dataclasses import replace

import numpy as np

from grader.answer import LocalAnswer, Outcome, copied, identical, plain, quiet_descriptors
from grader.exercise import KEEPS_INPUT, ChoiceExercise, FunctionExercise, ValueExercise
from grader.verdict import Advice, Finding, Verdict

#: Relative to the largest expected entry, by the precision of the answer.
TOLERANCE = {"float64": 1e-6, "float32": 2e-4, "float16": 1e-2}

ARITHMETIC = {"OverflowError", "ZeroDivisionError", "FloatingPointError"}

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
        "Whoever calls your function still needs the array they passed in; the second call sees other numbers.",
        "Compute a new array (`y = x - 1`) instead of changing the old one (`x -= 1`), or work on `x.copy()`.",
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
        "For an argument that may be missing, write `if mask is not None:`; for a comparison, say `.any()` or `.all()`.",
    ),
    "float-size": Advice(
        "you use the result of a division as a size",
        "`/` gives a number with decimals, even 6 / 2; sizes and counts are whole numbers.",
        "Divide with `//`.",
    ),
    "never-ends": Advice(
        "your function does not come to an end",
        "A loop whose condition never becomes false runs for ever; the check stopped it.",
        "Look at what changes from one round of the loop to the next. A `for` loop over rows always ends.",
    ),
}


class Wrong(Exception):
    """An answer that fails a test, in words; `arrays` are the labelled values to show."""

    def __init__(self, words, arrays=()):
        super().__init__(words)
        self.words, self.arrays = words, tuple(arrays)


def judge(exercise, answer, seed=None):
    """Check an answer.

    Parameters
    ----------
    exercise : str or Exercise
        The exercise's id.
    answer : object
        The learner's function, or a value where the exercise asks for one; or something with the methods
        of `grader.answer.LocalAnswer` that reaches an answer elsewhere.
    seed : int, optional
        Repeats the same inputs; without it they are fresh on every call.

    Returns
    -------
    Verdict

    Raises
    ------
    KeyError
        If there is no such exercise; the message names those that are near.
    """
    if isinstance(exercise, str):
        exercise = find(exercise)
    if not (hasattr(answer, "describe") and hasattr(answer, "call") and hasattr(answer, "value")):
        answer = LocalAnswer(answer)
    with quiet_descriptors(), np.errstate(all="ignore"):
        if isinstance(exercise, FunctionExercise):
            return _judge_function(exercise, answer, np.random.SeedSequence(seed))
        if isinstance(exercise, ValueExercise):
            return _judge_values(exercise, answer)
        if isinstance(exercise, ChoiceExercise):
            return _judge_choice(exercise, answer)
        return _judge_search(exercise, answer)


def find(exercise_id):
    """The exercise of that id; a `KeyError` names those that are near."""
    from grader.exercises import BANK

    if exercise_id in BANK:
        return BANK[exercise_id]
    near = difflib.get_close_matches(str(exercise_id), BANK, n=3, cutoff=0.4)
    hint = f"did you mean {', '.join(near)}?" if near else f"there are: {', '.join(BANK)}"
    raise KeyError(f"there is no exercise {exercise_id!r}; {hint}")


def nothing_yet(exercise):
    """The verdict on an answer that has not been begun."""
    words = f"not attempted yet: {exercise.task}"
    return Verdict(
        exercise.id, 0.0, exercise.points, (Finding(words, False, "", 0.0, exercise.points),), attempted=False
    )


# ---------------------------------------------------------------- functions


class Calls:
    """Calls an answer on inputs, reads each result like the reference's, and keeps a record for the diagnosis."""

    def __init__(self, exercise, answer):
        self.exercise, self.answer, self.record = exercise, answer, []

    def outcome(self, *args, **kwargs):
        """The raw `Outcome` of a call (recorded)."""
        outcome = self.answer.call(args, kwargs)
        expected = self._run(frozenset(), args, kwargs)
        self.record.append((args, kwargs, outcome, expected))
        if outcome.stopped:
            raise Wrong("it did not come to an end in the time allowed")
        return outcome

    def __call__(self, *args, **kwargs):
        """The result of a call, read like the reference's; raises `Wrong` if it cannot be."""
        outcome = self.outcome(*args, **kwargs)
        return result_of(outcome, self.record[-1][3].value, self.exercise.returns)

    def compare(self, inputs):
        """Compare one call with the reference; raises `Wrong` with what differs."""
        kwargs = {name: value for name, value in inputs.items() if name in self.exercise.keywords}
        args = tuple(value for name, value in inputs.items() if name not in kwargs)
        shown = tuple((name, value) for name, value in inputs.items() if not callable(value))
        try:
            got = self(*args, **kwargs)
        except Wrong as wrong:
            raise Wrong(wrong.words, (*shown, *wrong.arrays)) from None
        expected = self.record[-1][3].value
        agree(got, expected, shown)

    def _run(self, wrong, args, kwargs):
        """What the model does with these inputs, as an `Outcome`."""
        try:
            return Outcome(value=plain(self.exercise.model(*copied(args), wrong=wrong, **copied(kwargs))))
        except Exception as problem:
            return Outcome(error=type(problem).__name__, message=str(problem))

    def explains(self, wrong, records):
        """True if the model with these switches does what the answer did, on every recorded call."""
        differs = False
        for args, kwargs, outcome, expected in records:
            model = self._run(wrong, args, kwargs)
            if not _alike(outcome, model):
                return False
            differs = differs or _differs(model, expected)
        return differs


def _judge_function(exercise, answer, seeds):
    about = answer.describe(exercise.id)
    if not about["callable"]:
        if about["empty"]:
            return nothing_yet(exercise)
        words = f"a function is expected here, but this is of type {about['type']}"
        return _nothing_earned(exercise, exercise.task, words + " (pass the function itself, without calling it)")
    if about["empty"]:
        return nothing_yet(exercise)
    names = {exercise.id, *exercise.library_names}
    for name in names:
        library = answer.describe(name)["library"]
        if library and library.split(".")[-1] in names:
            return _nothing_earned(exercise, exercise.task, f"`{library}` does the work", "library-function")

    calls = Calls(exercise, answer)
    rows, diagnosis, gate = [], [], True
    cases, properties = len(exercise.cases), len(exercise.properties)
    children = seeds.spawn(cases + properties)
    last_of_cases = 0
    for i, (test, seed) in enumerate(zip((*exercise.cases, *exercise.properties), children, strict=True)):
        rng = np.random.default_rng(seed)
        wrong = None
        try:
            if i < cases:
                calls.compare(test.make(rng))
            else:
                words = test.test(calls, rng)
                wrong = Wrong(words) if words else None
        except Wrong as problem:
            wrong = problem
        if i < cases:
            last_of_cases = len(calls.record)
        if i == 0:
            gate = wrong is None
            if calls.record[0][2].error == "NotImplementedError":
                return nothing_yet(exercise)
        rows.append((test.text, wrong, test.share))
        if calls.record and calls.record[-1][2].stopped:
            rows += [
                (later.text, Wrong("not tried"), later.share)
                for later in (*exercise.cases, *exercise.properties)[i + 1 :]
            ]
            diagnosis.append("never-ends")
            break

    if exercise.changes_input:
        changed = sorted(
            {str(_argument(exercise, args, place)) for args, _, out, _ in calls.record for place in out.changed}
        )
        words = f"it changes {' and '.join(changed)}" if changed else ""
        rows.append(("your function leaves its arguments as they were", Wrong(words) if words else None, KEEPS_INPUT))

    findings = []
    for text, wrong, share in rows:
        worth = round(share * exercise.points, 6)
        earned = worth if wrong is None and gate else 0.0
        findings.append(
            Finding(text, wrong is None, wrong.words if wrong else "", earned, worth, wrong.arrays if wrong else ())
        )
    complete = all(finding.passed for finding in findings)
    points = exercise.points if complete else min(round(sum(f.points for f in findings), 2), exercise.points)
    if not complete and not diagnosis:
        diagnosis = _diagnose(exercise, calls, last_of_cases)
    return Verdict(
        exercise.id,
        float(points),
        float(exercise.points),
        tuple(findings),
        tuple(diagnosis),
        tuple(_advice(exercise, name) for name in diagnosis),
        notes=() if complete else _notes(calls, findings, gate),
    )


def _argument(exercise, args, place):
    if isinstance(place, str):
        return f"`{place}`"
    names = list(exercise.cases[0].make(np.random.default_rng(0)))
    return f"`{names[place]}`" if place < len(names) else f"argument {place + 1}"


def _notes(calls, findings, gate):
    notes = []
    if not gate and any(finding.passed for finding in findings):
        notes.append("Nothing counts until the first comparison passes.")
    warned = dict.fromkeys(words for _, _, outcome, _ in calls.record for words in outcome.warned)
    if warned:
        notes.append(f"NumPy warned (this costs nothing by itself): {next(iter(warned))}")
    return tuple(notes)


def _advice(exercise, name):
    for misconception in getattr(exercise, "misconceptions", ()):
        if getattr(misconception, "id", None) == name:
            return Advice(misconception.looks_like, misconception.cause, misconception.cure)
    return GENERAL[name]


def _nothing_earned(exercise, tested, words, diagnosis=None):
    return Verdict(
        exercise.id,
        0.0,
        float(exercise.points),
        (Finding(tested, False, words, 0.0, float(exercise.points)),),
        (diagnosis,) if diagnosis else (),
        (GENERAL[diagnosis],) if diagnosis else (),
    )


def _diagnose(exercise, calls, last_of_cases):
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
    return _general_mistake(exercise, calls.record)


def _slip(records):
    """A slip of Python that its exception gives away, or None."""
    for _, _, outcome, _ in records:
        if outcome.error == "ValueError" and "truth value of an array" in outcome.message:
            return "array-truth"
        if outcome.error == "TypeError" and "'float' object cannot be interpreted as an integer" in outcome.message:
            return "float-size"
    return None


def _unchanged(records):
    """True if every call that takes an array gave its first argument back."""
    return bool(records) and all(
        args and isinstance(args[0], np.ndarray) and outcome.ok and _same(outcome.value, args[0])
        for args, _, outcome, _ in records
    )


def _general_mistake(exercise, record):
    outcomes = [outcome for _, _, outcome, _ in record]
    if outcomes and all(outcome.ok and outcome.value is None for outcome in outcomes):
        return ["prints-result" if all(outcome.printed.strip() for outcome in outcomes) else "returns-none"]
    pairs = [(outcome.value, expected.value) for _, _, outcome, expected in record if outcome.ok and expected.ok]
    if any(not _same(got, expected) for got, expected in pairs):
        if all(_swapped(got, expected) for got, expected in pairs):
            return ["swapped-results"]
        if all(isinstance(expected, tuple) and _same(got, expected[0]) for got, expected in pairs):
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


def _transposed(got, expected):
    try:
        got = np.asarray(got, dtype=float)
        if not isinstance(expected, np.ndarray) or expected.ndim != 2 or got.ndim != 2 or min(got.shape) < 2:
            return False
        return got.shape == expected.T.shape and _close(got, expected.T)
    except (TypeError, ValueError):
        return False


def _rounded(got, expected, digits):
    """True if a result is the expected one, rounded to so many digits."""
    if not isinstance(expected, float) and not (isinstance(expected, np.ndarray) and expected.dtype.kind == "f"):
        return False
    return _same(got, np.round(expected, digits) if isinstance(expected, np.ndarray) else round(expected, digits))


def _swapped(got, expected):
    if not isinstance(expected, tuple) or not isinstance(got, (tuple, list)) or len(got) != len(expected):
        return False
    return _same(tuple(reversed(got)), expected) and not _same(tuple(got), expected)


# ---------------------------------------------------------------- reading and comparing


def result_of(outcome, expected, returns="result"):
    """The value of an outcome, read as the kind of thing that is expected; raises `Wrong` in words."""
    if outcome.stopped:
        raise Wrong("it did not come to an end in the time allowed")
    if outcome.error == "NotPlain":
        raise Wrong(f"it returns {outcome.message}; expected {kind_of(expected, returns)}")
    if outcome.error:
        where = f", at the line `{outcome.line}`" if outcome.line else ""
        said = f" ({outcome.message})" if outcome.message else ""
        raise Wrong(f"it raised {outcome.error}{said}{where}")
    return read(outcome.value, expected, returns)


def read(value, expected, returns="result"):
    """`value` as the kind of thing that `expected` is; raises `Wrong` in words if it cannot be."""
    wanted = kind_of(expected, returns)
    if value is None and expected is not None:
        raise Wrong(f"it returns None; expected {wanted} (is the `return` line missing?)")
    if isinstance(expected, tuple):
        if isinstance(value, np.ndarray) and value.ndim == 1 and not any(isinstance(e, np.ndarray) for e in expected):
            value = tuple(value)
        if not isinstance(value, (tuple, list)) or len(value) != len(expected):
            got = f"{len(value)} things" if isinstance(value, (tuple, list)) else kind_of(value)
            raise Wrong(f"it returns {got}; expected {wanted}")
        return tuple(read(v, e, name) for v, e, name in zip(value, expected, returns, strict=True))
    if isinstance(expected, np.ndarray):
        return _read_array(value, expected, returns, wanted)
    if isinstance(expected, bool):
        if isinstance(value, np.ndarray) and value.size == 1:
            value = value.reshape(()).item()
        if not isinstance(value, bool):
            raise Wrong(f"it returns {kind_of(value)}; expected True or False")
        return value
    if isinstance(expected, (int, float)):
        if isinstance(value, (np.ndarray, np.generic)) and value.size == 1:
            value = value.reshape(()).item()
        if isinstance(value, (list, tuple)) and len(value) == 1:
            value = value[0]
        if isinstance(value, bool) or not isinstance(value, (int, float)):
            raise Wrong(f"it returns {kind_of(value)}; expected {wanted}")
        return value
    if isinstance(expected, list):
        if isinstance(value, np.ndarray) and value.ndim == 1:
            value = value.tolist()
        if not isinstance(value, (list, tuple)):
            raise Wrong(f"it returns {kind_of(value)}; expected {wanted}")
        value = [item.item() if isinstance(item, np.ndarray) and item.ndim == 0 else item for item in value]
        kind = type(expected[0]) if expected else object
        odd = next((item for item in value if not isinstance(item, kind) or isinstance(item, bool)), None)
        if odd is not None or None in value:
            raise Wrong(f"it returns a list with {kind_of(odd)} in it ({odd!r:.40}); expected {wanted}")
        return value
    if type(value) is not type(expected):
        raise Wrong(f"it returns {kind_of(value)}; expected {wanted}")
    return value


def _read_array(value, expected, returns, wanted):
    if isinstance(value, (str, dict)):
        raise Wrong(f"it returns {kind_of(value)}; expected {wanted}")
    try:
        array = np.asarray(value)
    except ValueError:
        array = None
    if array is None or array.dtype.kind not in "biuf":
        what = kind_of(value)
        if isinstance(value, (list, tuple)) and any(item is None for item in value):
            what += " with None in it"
        elif isinstance(value, tuple):
            what = f"{len(value)} things"
        raise Wrong(f"it returns {what}; expected {wanted}")
    if array.shape != expected.shape and isinstance(value, tuple):
        raise Wrong(f"it returns {len(value)} things; expected {wanted}")
    if array.shape != expected.shape:
        raise Wrong(
            f"wrong shape: expected {expected.shape}, got {array.shape}",
            (("expected", expected), ("you returned", array)),
        )
    return array


def kind_of(value, name=""):
    """A plain value's kind in words."""
    if value is None:
        return "None"
    if isinstance(value, np.ndarray):
        called = f"{name}, " if name and name != "result" else ""
        return f"{called}an array of shape {value.shape}"
    if isinstance(value, tuple) and isinstance(name, tuple):
        return "a pair (" + ", ".join(name) + ")"
    if isinstance(value, bool):
        return "True or False"
    if isinstance(value, str):
        return "a text"
    if isinstance(value, int):
        return "a whole number"
    if isinstance(value, float):
        return "a number with decimals"
    if isinstance(value, list):
        inside = {str: " of texts", int: " of whole numbers"}.get(type(value[0]) if value else None, "")
        return f"a list{inside}"
    return {tuple: "a tuple", dict: "a dict"}.get(type(value), type(value).__name__)


def agree(got, expected, shown=()):
    """Raise `Wrong` with expected and got side by side unless they agree."""
    if isinstance(expected, tuple):
        for one, other in zip(got, expected, strict=True):
            agree(one, other, shown)
        return
    if _same(got, expected):
        return
    arrays = (*shown, ("expected", expected), ("you returned", got))
    if isinstance(expected, np.ndarray):
        finite = np.isfinite(got.astype(float))
        if not finite.all() and np.isfinite(expected.astype(float)).all():
            raise Wrong(f"{int((~finite).sum())} of {finite.size} numbers are NaN or infinite", arrays)
        raise Wrong("wrong values (the shape is right)", arrays)
    raise Wrong("wrong result", arrays)


def _close(got, expected):
    got, expected = np.asarray(got), np.asarray(expected)
    if expected.dtype.kind in "biu" and got.dtype.kind in "biu":
        return np.array_equal(got, expected)
    tolerance = TOLERANCE.get(got.dtype.name, TOLERANCE["float64"])
    wanted = expected.astype(float)
    finite = np.isfinite(wanted)
    scale = float(np.abs(wanted[finite]).max()) if finite.any() else 0.0
    return np.allclose(got.astype(float), wanted, rtol=tolerance, atol=tolerance * scale + 1e-12, equal_nan=True)


def _same(got, expected):
    if isinstance(expected, tuple):
        if not isinstance(got, (tuple, list)) or len(got) != len(expected):
            return False
        return all(_same(a, b) for a, b in zip(got, expected, strict=True))
    if isinstance(expected, np.ndarray):
        try:
            array = np.asarray(got)
        except ValueError:
            return False
        return array.dtype.kind in "biuf" and array.shape == expected.shape and bool(_close(array, expected))
    if isinstance(expected, float):
        return isinstance(got, (int, float)) and bool(_close(float(got), expected))
    if isinstance(expected, list) and isinstance(got, (list, tuple)):
        return len(got) == len(expected) and all(_same(a, b) for a, b in zip(got, expected, strict=True))
    return type(got) is type(expected) and got == expected


def _alike(outcome, model):
    """True if an answer and a model did the same: equal values, or both broke down in the same way."""
    if outcome.ok and model.ok:
        if isinstance(model.value, list) and isinstance(outcome.value, list):
            return identical(outcome.value, model.value)
        if _same(outcome.value, model.value):
            return True
        try:
            value = read(outcome.value, model.value, ("",) * len(model.value) if isinstance(model.value, tuple) else "")
        except (Wrong, ValueError):
            return False
        return _same(value, model.value) or (_not_finite(outcome) and _not_finite(model))
    if not outcome.ok and not model.ok:
        return outcome.error == model.error
    # Where NumPy gives infinity or NaN, plain Python raises.
    return ((outcome.error in ARITHMETIC or "math domain" in outcome.message) and _not_finite(model)) or (
        model.error in ARITHMETIC and _not_finite(outcome)
    )


def _differs(model, expected):
    """True if a model with mistakes did something else than the reference."""
    if model.ok and expected.ok:
        return not _same(model.value, expected.value)
    return model.error != expected.error


def _not_finite(outcome):
    values = outcome.value if isinstance(outcome.value, tuple) else (outcome.value,)
    for value in values:
        if value is None:
            continue
        try:
            array = np.asarray(value, dtype=float)
        except (TypeError, ValueError):
            continue
        if not np.isfinite(array).all():
            return True
    return False


# ---------------------------------------------------------------- values, choices, searches


def _judge_values(exercise, answer):
    outcome = answer.value()
    names = [part.name for part in exercise.parts]
    if outcome.ok and _unanswered(outcome.value, names):
        return nothing_yet(exercise)
    if not outcome.ok:
        return _nothing_earned(exercise, exercise.task, f"this is {outcome.message}; {exercise.task}")
    if names != [""] and not isinstance(outcome.value, dict):
        return _nothing_earned(exercise, exercise.task, f"expected a dict with the keys {', '.join(map(repr, names))}")
    given = {"": outcome.value} if names == [""] else outcome.value
    findings = []
    unknown = [key for key in given if key not in names]
    for part in exercise.parts:
        worth = round(part.share * exercise.points, 6)
        wrong = _part_problem(part, given.get(part.name))
        if part.name not in given:
            wrong = f"there is no key {part.name!r}" + (f"; is it {unknown[0]!r}?" if unknown else "")
        findings.append(Finding(part.text, not wrong, wrong, 0.0 if wrong else worth, worth))
    complete = all(finding.passed for finding in findings)
    points = exercise.points if complete else round(sum(finding.points for finding in findings), 2)
    named = [] if complete else _diagnose_values(exercise, given)
    advice = tuple(_advice(exercise, name) for name in named)
    return Verdict(exercise.id, float(points), float(exercise.points), tuple(findings), tuple(named), advice)


def _unanswered(value, names):
    if names == [""]:
        return value is None
    return value is None or (isinstance(value, dict) and all(value.get(name) is None for name in names))


def _part_problem(part, given):
    """What is wrong with one value, in words that do not give the right one away; "" if nothing is."""
    if given is None:
        return "not attempted yet"
    expected, typed = plain(part.expected()), given
    try:
        given = read_value(given, expected)
    except Wrong as wrong:
        if isinstance(expected, np.ndarray):
            return f"expected {expected.size} numbers in the shape {expected.shape}"
        return wrong.words.replace("it returns", "this is")
    if _rounded_same(given, expected, part.decimals):
        return ""
    if isinstance(expected, float) and _rounded_same(given, expected, part.decimals - 1):
        return f"{_short(typed)} is close: give {part.decimals} decimals"
    if isinstance(expected, np.ndarray) and expected.ndim:
        near = np.isclose(given, expected, rtol=0, atol=0.6 * 10.0**-part.decimals)
        return f"{int((~near).sum())} of {near.size} numbers are wrong"
    return f"{_short(typed)} is not right"


def read_value(given, expected):
    """A typed value as the kind of thing that is expected: texts lose case and outer spaces, lists keep no order."""
    if isinstance(expected, list):
        if isinstance(given, (str, int)):
            given = [given]
        given = read([_folded(item) for item in given] if isinstance(given, (list, tuple)) else given, expected)
        return given
    if isinstance(expected, str):
        return read(_folded(given), expected)
    return read(given, expected, ("",) * len(expected) if isinstance(expected, tuple) else "array")


def _folded(item):
    return item.strip().lower() if isinstance(item, str) else item


def _rounded_same(given, expected, decimals):
    if isinstance(expected, list):
        return sorted(map(repr, given)) == sorted(repr(_folded(item)) for item in expected)
    if isinstance(expected, str):
        return given == _folded(expected)
    if isinstance(expected, bool) or (isinstance(expected, int) and isinstance(given, int)):
        return given == expected
    if isinstance(expected, tuple):
        return all(_rounded_same(a, b, decimals) for a, b in zip(given, expected, strict=True))
    return bool(np.allclose(given, expected, rtol=0, atol=0.6 * 10.0**-decimals))


def _short(value):
    said = repr(value)
    return f"`{said}`" if len(said) <= 60 else "this"


def _diagnose_values(exercise, given):
    """The misconception that gives the wrong values that the learner gave."""
    for misconception in exercise.misconceptions:
        wrong = frozenset([misconception.id])
        explained = True
        differs = False
        for part in exercise.parts:
            right, model = plain(part.expected()), plain(part.expected(wrong=wrong))
            try:
                value = read_value(given.get(part.name), model)
            except (Wrong, ValueError, TypeError):
                explained = False
                break
            if not _rounded_same(value, model, part.decimals):
                explained = False
                break
            differs = differs or not identical(right, model)
        if explained and differs:
            return [misconception.id]
    return []


def _judge_choice(exercise, answer):
    outcome = answer.value()
    if outcome.ok and outcome.value is None:
        return nothing_yet(exercise)
    letters = ", ".join(f'"{letter}"' for letter in exercise.because)
    chosen = _folded(outcome.value).strip("()[]. ") if outcome.ok and isinstance(outcome.value, str) else None
    if chosen not in exercise.because:
        return _nothing_earned(exercise, exercise.task, f"type one of the letters {letters}, in quotation marks")
    right = chosen == exercise.right
    points = float(exercise.points if right else 0)
    finding = Finding(f"your answer {chosen}", right, exercise.because[chosen], points, float(exercise.points))
    verdict = Verdict(exercise.id, points, float(exercise.points), (finding,))
    return verdict if right else replace(verdict, diagnoses=(f"chose-{chosen}",))


def _judge_search(exercise, answer):
    outcome = answer.value()
    if outcome.ok and outcome.value is None:
        return nothing_yet(exercise)
    try:
        if not outcome.ok:
            raise ValueError(f"this is {outcome.message}")
        value = exercise.reads(outcome.value)
    except (ValueError, TypeError) as problem:
        return _nothing_earned(exercise, exercise.task, str(problem))
    findings, gate = [], True
    for i, (text, test, share) in enumerate(exercise.tests):
        wrong = test(value) or ""
        gate = not wrong if i == 0 else gate
        worth = round(share * exercise.points, 6)
        findings.append(Finding(text, not wrong, wrong, worth if gate and not wrong else 0.0, worth))
    complete = all(finding.passed for finding in findings)
    points = exercise.points if complete else round(sum(finding.points for finding in findings), 2)
    found = next((m for m, shows in exercise.misconceptions if not complete and shows(value)), None)
    return Verdict(
        exercise.id,
        float(points),
        float(exercise.points),
        tuple(findings),
        (found.id,) if found else (),
        (Advice(found.looks_like, found.cause, found.cure),) if found else (),
    )
