"""Checking an answer against an exercise: fresh inputs, expected values, properties, and the name of the mistake."""

import contextlib
import difflib
import functools
import re
import warnings
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field, replace
from typing import Any, cast

import numpy as np

from grader.exercises.kinds import (
    KEEPS_INPUT,
    ChoiceExercise,
    Exercise,
    FunctionExercise,
    SearchExercise,
    Sign,
    ValueExercise,
)
from grader.judging.answer import Answer, LocalAnswer, Outcome, is_answer, quiet_descriptors
from grader.judging.compare import Wrong, agree, read, result_of, same
from grader.judging.diagnose import advice_on, and_more, arguments, diagnose
from grader.judging.early import fault, nothing_earned, nothing_yet
from grader.judging.evidence import Recorded, agrees, fingerprint
from grader.judging.general import GENERAL
from grader.judging.plain import copied, plain
from grader.judging.showing import EXPECTED
from grader.judging.source import Source
from grader.judging.typed import folded
from grader.judging.values import judge_values
from grader.judging.verdict import Advice, Finding, Printed, Verdict


def judge(exercise: str | Exercise, answer: object, seed: int | None = None, *, diagnosing: bool = True) -> Verdict:
    """Check an answer.

    Parameters
    ----------
    exercise : str or Exercise
        The exercise's id.
    answer : object
        The learner's function, or a value where the exercise asks for one; or an `Answer` that reaches one elsewhere.
    seed : int, optional
        Repeats the same inputs; without it they are fresh on every call.
    diagnosing : bool
        False where only the points are asked for: no cause of a mistake is looked for then.

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
    probed: Any = answer if is_answer(answer) else LocalAnswer(answer)
    # Of what an answer does, the answer tells; a model with a mistake may warn as well, and nobody is to hear of that.
    with quiet_descriptors(), np.errstate(all="ignore"), warnings.catch_warnings():
        warnings.simplefilter("ignore")
        if isinstance(exercise, FunctionExercise):
            return _judge_function(exercise, probed, np.random.SeedSequence(seed), diagnosing)
        if isinstance(exercise, ValueExercise):
            return judge_values(exercise, probed)
        if isinstance(exercise, ChoiceExercise):
            return _judge_choice(exercise, probed)
        if isinstance(exercise, SearchExercise):
            return _judge_search(exercise, probed)
    raise TypeError(f"no exercise is of type {type(exercise).__name__}")


def find(exercise_id: str) -> Exercise:
    """The exercise of that id; a `KeyError` names those that are near."""
    from grader.exercises import BANK

    if exercise_id in BANK:
        return BANK[exercise_id]
    near = difflib.get_close_matches(str(exercise_id), BANK, n=3, cutoff=0.4)
    hint = f"did you mean {', '.join(near)}?" if near else f"there are: {', '.join(BANK)}"
    raise KeyError(f"there is no exercise {exercise_id!r}; {hint}")


def names_of(exercise: Exercise) -> tuple[str, ...]:
    """The library's names for what an exercise asks for: a function that is one of these is not the learner's."""
    return tuple(dict.fromkeys((exercise.id, *getattr(exercise, "library_names", ()))))


# ---------------------------------------------------------------- functions

NOT_TRIED = Wrong("not tried")
#: Said of a right answer whose results are lists of numbers.
LISTED = (
    "It returns a list where the course has an array. That is right; but cells below compute with what it returns, and "
    "of a list they cannot have `.shape`, `.T` or `.mean()`: put `np.array(...)` around what you return."
)
#: Said of a right answer whose whole numbers have a point.
POINTED = (
    "It returns whole numbers with a point (2.0 for 2). That is right; but as places in a list or an array they are "
    "refused: `.astype(int)` takes the point away, and `np.zeros(..., dtype=int)` holds none."
)
#: From so many questions on whose answer is True or False, they are asked again in another order; and so often the
#: first one is asked again.
FEW = 8
#: What that order is drawn with, beside all other draws of a judgement.
AGAIN = 1_000_000
#: What is tried of an answer that may know the functions that it is handed by the numbers they give.
DISGUISED = "the same once more, of functions that give other numbers"


class Calls:
    """Calls an answer on inputs, reads each result like the reference's, and keeps a record for the diagnosis."""

    def __init__(self, exercise: FunctionExercise, answer: Answer):
        self.exercise, self.answer = exercise, answer
        self.record: list[Recorded] = []

    def repeats(self, record: Recorded) -> bool:
        """True if a call, made again, does the same, as far as that is compared."""
        args, kwargs, outcome, expected = record
        again = self.answer.call(args, kwargs)
        if self.exercise.seen is None or not (again.ok and outcome.ok):
            return agrees(again, outcome)
        try:
            one, other = (result_of(each, expected.value, self.exercise.returns) for each in (again, outcome))
            return same(self.exercise.seen(one), self.exercise.seen(other))
        except Wrong:
            return False

    def outcome(self, *args: Any, **kwargs: Any) -> Outcome:
        """The raw `Outcome` of a call (recorded)."""
        return self._recorded(args, kwargs, self.answer.call(args, kwargs))

    def _recorded(self, args: tuple, kwargs: dict, outcome: Outcome) -> Outcome:
        expected = self._right(args, kwargs)
        self.record.append((copied(args), copied(kwargs), outcome, expected))  # a property may change its own later
        if outcome.stopped:
            raise Wrong("it did not come to an end in the time allowed")
        return outcome

    def __call__(self, *args: Any, **kwargs: Any) -> Any:
        """The result of a call, read like the reference's, to reckon with; raises `Wrong` if it cannot be."""
        return _workable(self._read(self.outcome(*args, **kwargs)), self.record[-1][3].value)

    def held(self, *args: Any) -> tuple[Any, int | None]:
        """As a call, with the most bytes that it held at once; None where that cannot be seen."""
        outcome, most = self.answer.held(args, {})
        return _workable(self._read(self._recorded(args, {}, outcome)), self.record[-1][3].value), most

    def _read(self, outcome: Outcome) -> Any:
        return copied(result_of(outcome, self.record[-1][3].value, self.exercise.returns))

    def compare(self, inputs: dict[str, Any], outcomes: Iterator[Outcome]) -> None:
        """Compare the next outcome with the reference's; raises `Wrong` with what differs."""
        args, kwargs = arguments(self.exercise, inputs)
        shown = tuple((name, value) for name, value in inputs.items() if not callable(value))
        try:
            got = self._read(self._recorded(args, kwargs, next(outcomes)))
        except Wrong as wrong:
            raise Wrong(wrong.words, (*shown, *wrong.arrays)) from None
        expected, seen = self.record[-1][3].value, self.exercise.seen
        try:
            agree(
                seen(got) if seen else got,
                seen(expected) if seen else expected,
                shown,
                "" if seen else self.exercise.returns,
            )
        except Wrong as wrong:
            if self.exercise.hides:
                wrong.arrays = tuple(pair for pair in wrong.arrays if pair[0] != EXPECTED)
            raise

    def _right(self, args: tuple, kwargs: dict) -> Outcome:
        """What the reference does with these inputs, as an `Outcome`."""
        try:
            return Outcome(value=plain(self.exercise.model(*copied(args), **copied(kwargs))))
        except Exception as problem:
            return Outcome(error=type(problem).__name__, message=str(problem))


def _workable(result: Any, expected: Any) -> Any:
    """A copy of a result for the test of a property; True and False cannot be subtracted, and small integers wrap."""
    if isinstance(expected, tuple):
        return tuple(_workable(one, other) for one, other in zip(result, expected, strict=True))
    if isinstance(expected, np.ndarray):
        return result.astype(float if expected.dtype.kind == "f" else result.dtype)
    return result


def _judge_function(
    exercise: FunctionExercise, answer: Answer, seeds: np.random.SeedSequence, diagnosing: bool
) -> Verdict:
    verdict = _not_begun(exercise, answer)
    if verdict:
        return verdict
    calls = Calls(exercise, answer)
    trial = _tried(exercise, calls, seeds)
    if trial is None:
        return nothing_yet(exercise)
    _look_again(exercise, calls, trial, seeds)
    findings = _scored(exercise, trial)
    complete = all(finding.passed for finding in findings)
    points = exercise.points if complete else min(round(sum(f.points for f in findings), 2), exercise.points)
    mistakes = [(name, _seen(exercise, name, answer)) for name in trial.diagnosis]
    notes = _in_use(calls) if complete else _notes(calls, findings, trial.gate)
    if diagnosing and not complete and not mistakes:
        mistakes = _shown_alone(exercise, trial)
    if diagnosing and not complete and not mistakes:
        try:
            mistakes = diagnose(*_as_seen(exercise, answer, calls.record), trial.last_of_cases, seeds)
        except Exception as problem:
            notes += (f"No cause was looked for: {fault(problem)}.",)
    if diagnosing and not mistakes and any(words == DISGUISED for words, *_ in trial.rows):
        mistakes = [("depends-on-numbers", GENERAL["depends-on-numbers"])]
    return Verdict(
        exercise.id,
        float(points),
        float(exercise.points),
        findings,
        tuple(name for name, _ in mistakes),
        tuple(advice for _, advice in mistakes),
        notes=notes,
        unnamed=not complete and not mistakes,
        printed=Printed.by(outcome.printed for _, _, outcome, _ in calls.record),
    )


def _shown_alone(exercise: FunctionExercise, trial: "_Trial") -> list[tuple[str, Advice]]:
    """The mistake that what went wrong first is a sign of, where all cases pass and all else that is wrong are signs,
    or something besides, which is said where it is shown: two of which each shows in a property alone leave too few
    traces for a search."""
    cases = {case.text for case in exercise.cases}
    words = [(text, wrong.words) for text, wrong, _ in trial.rows if wrong]
    signs = [one.mistake for _, one in words if isinstance(one, Sign)]
    if not signs or any(text in cases for text, _ in words):
        return []
    advice = advice_on(exercise, signs[0])
    return [(signs[0], advice if len(signs) == len(words) else and_more(advice))]


def _seen(exercise: FunctionExercise, name: str, answer: Answer) -> Advice:
    return Source(answer.source()).never_ends() if name == "never-ends" else advice_on(exercise, name)


def _as_seen(
    exercise: FunctionExercise, answer: Answer, record: list[Recorded]
) -> tuple[FunctionExercise, Answer, list[Recorded]]:
    """What a diagnosis looks at: where many results are right, what is compared of them, if their shapes allow that."""
    seen = exercise.seen
    if seen is None or any(_of_other_shapes(outcome.value, expected.value) for _, _, outcome, expected in record):
        return exercise, answer, record

    rights = dict[Any, Any]()

    def look(value: Any, args: tuple, kwargs: dict) -> Any:
        """Alone in a tuple, so that nothing else is taken for it; what cannot be compared is left as it is."""
        given = fingerprint((*args, *kwargs.values()))  # a search asks for the same again and again
        try:
            if given not in rights:
                rights[given] = exercise.model(*copied(args), **copied(kwargs))
            return (plain(seen(read(value, rights[given], exercise.returns))),)
        except (Wrong, ValueError):
            return value

    def of(outcome: Outcome, args: tuple, kwargs: dict) -> Outcome:
        return replace(outcome, value=look(outcome.value, args, kwargs)) if outcome.ok else outcome

    @functools.wraps(exercise.model)
    def model(*args: Any, wrong: frozenset[str] = frozenset(), **kwargs: Any) -> Any:
        return look(exercise.model(*copied(args), **copied(kwargs), wrong=wrong), args, kwargs)

    class Seen:
        """The answer, of whose results only that is told."""

        def __getattr__(self, name: str) -> Any:
            return getattr(answer, name)

        def call(self, args: tuple, kwargs: dict) -> Outcome:
            return of(answer.call(args, kwargs), args, kwargs)

    looked_at = [
        (args, kwargs, of(outcome, args, kwargs), of(expected, args, kwargs))
        for args, kwargs, outcome, expected in record
    ]
    return replace(exercise, model=model, returns=("result",)), cast(Answer, Seen()), looked_at


def _of_other_shapes(got: Any, want: Any) -> bool:
    """True of as many arrays as are asked for, not all of the shapes that are."""
    if not (isinstance(got, tuple) and isinstance(want, tuple) and len(got) == len(want)):
        return False
    arrays = all(isinstance(one, np.ndarray) for one in (*got, *want))
    return arrays and [one.shape for one in got] != [one.shape for one in want]


def _not_begun(exercise: FunctionExercise, answer: Answer) -> Verdict | None:
    """The verdict on what is no function of the learner's own; None for what can be tried."""
    about = answer.describe(exercise.id)
    if about["empty"]:
        return nothing_yet(exercise)
    if not about["callable"]:
        words = f"a function is expected here, but this is of type {about['type']}"
        return nothing_earned(exercise, exercise.task, words + " (pass the function itself, without calling it)")
    names = names_of(exercise)
    for name in names:
        library = answer.describe(name)["library"]
        if library and library.split(".")[-1] in names:
            return nothing_earned(exercise, exercise.task, f"`{library}` does the work", "library-function")
    return None


@dataclass
class _Trial:
    """What came of an exercise's cases and properties.

    Attributes
    ----------
    rows : list of (str, Wrong or None, float)
        What was tested, what is wrong, and the share of the points.
    gate : bool
        True if the first case passes: without it nothing counts.
    diagnosis : list of str
        Ids of mistakes that the calls themselves have shown.
    last_of_cases : int
        How many of the recorded calls the cases made.
    """

    rows: list[tuple[str, Wrong | None, float]] = field(default_factory=list)
    gate: bool = True
    diagnosis: list[str] = field(default_factory=list)
    last_of_cases: int = 0


def _tried(exercise: FunctionExercise, calls: Calls, seeds: np.random.SeedSequence) -> _Trial | None:
    """Try all cases and properties on fresh inputs; None where the first call says that nothing is there yet."""
    trial, tests = _Trial(), (*exercise.cases, *exercise.properties)
    drawn = [np.random.default_rng(seed) for seed in seeds.spawn(len(tests))]
    made = [_made(case, rng) for case, rng in zip(exercise.cases, drawn, strict=False)]
    outcomes = calls.answer.calls([arguments(exercise, one) for one in made if isinstance(one, dict)])
    for i, (test, rng) in enumerate(zip(tests, drawn, strict=True)):
        is_case, wrong, text = i < len(exercise.cases), None, test.text
        try:
            if is_case:
                if isinstance(made[i], Exception):
                    raise made[i]
                calls.compare(made[i], outcomes)
            elif words := test.test(calls, rng):
                wrong = Wrong(words)
        except Wrong as problem:
            wrong = problem
        except Exception as problem:
            # A property is taken to hold then; a result that was not compared cannot be taken for right.
            if is_case:
                wrong = Wrong(fault(problem))
            else:
                text = f"{text}: {fault(problem)}"
        if is_case:
            trial.last_of_cases = len(calls.record)
        if i == 0:
            trial.gate = wrong is None
            if calls.record and calls.record[0][2].raised("NotImplementedError"):
                return None
        trial.rows.append((text, wrong, test.share))
        if calls.record and calls.record[-1][2].stopped:
            trial.rows += [(later.text, NOT_TRIED, later.share) for later in tests[i + 1 :]]
            trial.diagnosis.append(getattr(test, "slow", "") or "never-ends")
            break
    return trial


def _made(case: Any, rng: np.random.Generator) -> Any:
    """The inputs of a case, or the fault of ours that they could not be made by."""
    try:
        return case.make(rng)
    except Exception as problem:
        return problem


def _look_again(exercise: FunctionExercise, calls: Calls, trial: _Trial, seeds: np.random.SeedSequence) -> None:
    """Add what only shows beside the results: a function that remembers, and one that changes its arguments."""
    # Of few results that there can be, one that is drawn at random is often the same once more.
    times = FEW if _few_results(calls) else 1
    if trial.gate and not trial.diagnosis and not all(calls.repeats(calls.record[0]) for _ in range(times)):
        # Right on the first call is what a counter or a remembered example gives too.
        trial.gate = False
        words = f"{exercise.cases[0].text}, once more"
        trial.rows.append((words, Wrong("another result than the first time"), 0.0))
        trial.diagnosis.append("remembers")
    elif trial.gate and not trial.diagnosis and _otherwise_again(calls, seeds):
        trial.gate = False
        words = "all that was asked, once more and in another order"
        trial.rows.append((words, Wrong("other results than before: it does not look at what it is given"), 0.0))
        trial.diagnosis.append("remembers")
    elif trial.gate and not trial.diagnosis and exercise.disguised and _otherwise_again(calls, seeds, disguised=True):
        trial.gate = False
        trial.rows.append((DISGUISED, Wrong("other results, though what is right has not changed"), 0.0))
    if exercise.changes_input:
        changed = sorted(
            {str(_argument(exercise, args, place)) for args, _, out, _ in calls.record for place in out.changed}
        )
        wrong = Wrong(f"it changes {' and '.join(changed)}") if changed else None
        trial.rows.append(("your function leaves its arguments as they were", wrong, KEEPS_INPUT))


def _scored(exercise: FunctionExercise, trial: _Trial) -> tuple[Finding, ...]:
    """What was tried, with the points that it earns."""
    findings = []
    for text, wrong, share in trial.rows:
        worth = round(share * exercise.points, 6)
        earned = worth if wrong is None and trial.gate else 0.0
        said, arrays = (wrong.words, wrong.arrays) if wrong else ("", ())
        findings.append(Finding(text, wrong is None, said, earned, worth, arrays, tried=wrong is not NOT_TRIED))
    return tuple(findings)


def _otherwise_again(calls: Calls, seeds: np.random.SeedSequence, disguised: bool = False) -> bool:
    """True if an answer of which there can be few says others when all is asked again in another order.

    Then it knows the questions, or their order, and not the answers; with `disguised`, the functions that it is handed
    give other numbers. Some that differ may be chance; a fifth of them is none.
    """
    record = list(calls.record)
    if len(record) < FEW or not _few_results(calls):
        return False
    rng = np.random.default_rng(np.random.SeedSequence(seeds.entropy, spawn_key=(*seeds.spawn_key, AGAIN)))
    others, disguise = 0, calls.exercise.disguised if disguised else None
    for place in rng.permutation(len(record)):
        args, *rest = record[place]
        if disguise:
            args = tuple(disguise(one, rng) if callable(one) else one for one in args)
        others += not calls.repeats((args, *rest))
    return 5 * others > len(record)


def _few_results(calls: Calls) -> bool:
    """True if what is right is True, False or a text in every call."""
    return all(isinstance(expected.value, (bool, str)) for _, _, _, expected in calls.record)


def _argument(exercise: FunctionExercise, args: tuple, place: int | str) -> str:
    if isinstance(place, str):
        return f"`{place}`"
    names = list(exercise.cases[0].make(np.random.default_rng(0)))
    return f"`{names[place]}`" if place < len(names) else f"argument {place + 1}"


def _in_use(calls: Calls) -> tuple[str, ...]:
    """What whoever goes on with a right result may stumble over."""
    pairs = [
        pair
        for _, _, outcome, expected in calls.record
        for pair in (
            zip(outcome.value, expected.value, strict=False)  # whether these lie in a tuple or a list
            if type(expected.value) is tuple
            else [(outcome.value, expected.value)]
        )
        if isinstance(pair[1], np.ndarray)
    ]
    listed = any(isinstance(one, list) for one, _ in pairs)
    pointed = any(other.dtype.kind in "iu" and np.asarray(one).dtype.kind == "f" for one, other in pairs if other.size)
    return (*([LISTED] if listed else []), *([POINTED] if pointed else []))


def _notes(calls: Calls, findings: Sequence[Finding], gate: bool) -> tuple[str, ...]:
    notes = []
    if not gate and any(finding.passed for finding in findings):
        notes.append("Nothing counts until the first comparison passes.")
    warned = dict.fromkeys(words for _, _, outcome, _ in calls.record for words in outcome.warned)
    if warned:
        notes.append(f"NumPy warned (this costs nothing by itself): {next(iter(warned))}")
    return tuple(notes)


# ---------------------------------------------------------------- values, choices, searches


def _judge_choice(exercise: ChoiceExercise, answer: Answer) -> Verdict:
    outcome = answer.value()
    if outcome.ok and outcome.value is None:
        return nothing_yet(exercise)
    letters = ", ".join(f'"{letter}"' for letter in exercise.because)
    said = outcome.value if outcome.ok else None
    if isinstance(said, (list, tuple)) and len(said) == 1:
        (said,) = said
    chosen = _letter(folded(said), exercise.because) if isinstance(said, str) else None
    if chosen not in exercise.because:
        return nothing_earned(exercise, exercise.task, f"type one of the letters {letters}, in quotation marks")
    right = chosen == exercise.right
    points = float(exercise.points if right else 0)
    finding = Finding(f"your answer {chosen}", right, exercise.because[chosen], points, float(exercise.points))
    verdict = Verdict(exercise.id, points, float(exercise.points), (finding,))
    return verdict if right else replace(verdict, diagnoses=(f"chose-{chosen}",))


def _letter(said: str, letters: Iterable[str]) -> str:
    """The letter of a choice, alone or before the words that stand behind it in the task; "" if there is not one."""
    alone = said.strip("()[]. ")
    if alone in letters:
        return alone
    named = [letter for letter in letters if re.search(rf"(?<!\w){re.escape(letter)}\s*[).:\]]", said)]
    return named[0] if len(named) == 1 and said.lstrip("([ ").startswith(named[0]) else ""


def _judge_search(exercise: SearchExercise, answer: Answer) -> Verdict:
    outcome = answer.value()
    if outcome.ok and outcome.value is None:
        return nothing_yet(exercise)
    try:
        if not outcome.ok or outcome.unread:
            raise ValueError(f"this is {outcome.message or next(iter(outcome.unread.values()))}")
        value = exercise.reads(outcome.value)
    except ValueError as problem:
        return replace(nothing_earned(exercise, exercise.task, str(problem)), diagnoses=("form",))
    except Exception as problem:
        return nothing_earned(exercise, exercise.task, fault(problem))
    findings, gate = [], True
    for i, tested in enumerate(exercise.properties):
        try:
            wrong = tested.test(value) or ""
        except Exception as problem:
            wrong = fault(problem)
        gate = not wrong if i == 0 else gate
        worth = round(tested.share * exercise.points, 6)
        findings.append(Finding(tested.text, not wrong, wrong, worth if gate and not wrong else 0.0, worth))
    complete = all(finding.passed for finding in findings)
    points = exercise.points if complete else round(sum(finding.points for finding in findings), 2)
    found = None if complete else _shown_by(exercise, value)
    return Verdict(
        exercise.id,
        float(points),
        float(exercise.points),
        tuple(findings),
        (found,) if found else (),
        (advice_on(exercise, found),) if found else (),
    )


def _shown_by(exercise: SearchExercise, value: Any) -> str | None:
    """The first mistake that a value shows, if any."""
    for name, shows in exercise.shows.items():
        with contextlib.suppress(Exception):
            if shows(value):
                return name
    return None
