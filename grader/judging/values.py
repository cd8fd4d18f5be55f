"""Checking values that were typed or computed: each by itself, and the name of the mistake."""

import difflib
import functools
from collections.abc import Callable, Sequence
from dataclasses import replace
from typing import Any

import numpy as np

from grader.exercises.kinds import Between, Entry, ValueExercise
from grader.exercises.mistakes import Misconception
from grader.judging.answer import Answer
from grader.judging.compare import Wrong, array_of
from grader.judging.diagnose import advice_on
from grader.judging.early import fault, nothing_earned, nothing_yet
from grader.judging.plain import identical, plain
from grader.judging.typed import added_and_left_out, folded, is_telling, matches, read_value, rounded_same, seen_in
from grader.judging.verdict import Advice, Finding, Verdict
from grader.words import plural

#: Numbers above it are not tried in a mistake that is made with a number.
LARGEST_TRIED = 1e9

INVERTED = Advice(
    "keys and values have changed places in your dict",
    "The task names the keys; what you found belongs behind the colon.",
    "Write `{key of the task: what you found}`.",
)


def judge_values(exercise: ValueExercise, answer: Answer) -> Verdict:
    outcome = answer.value()
    names = [entry.name for entry in exercise.entries]
    if outcome.ok and not outcome.unread and _unanswered(outcome.value, names):
        return nothing_yet(exercise)
    if not outcome.ok:
        words = f"this is {outcome.message}; {exercise.task}"
        if "a function (" in outcome.message and any(map(_of_texts, _expected(exercise.model).values())):
            words = f"{outcome.message} stands where a text is asked for: give the names, as texts"
        return nothing_earned(exercise, exercise.task, words)
    if names != [""] and not isinstance(outcome.value, dict):
        words = f"expected a dict with the keys {', '.join(map(repr, names))}"
        return replace(nothing_earned(exercise, exercise.task, words), diagnoses=("form",))
    given, unknown = ({"": outcome.value}, []) if names == [""] else _by_names(outcome.value, names)
    mistakes = _diagnosed(exercise, given, outcome.value)
    explained = _explained(exercise, given, mistakes)
    findings = []
    for entry in exercise.entries:
        worth = round(entry.share * exercise.points, 6)
        if entry.name in outcome.unread:
            wrong = f"this is {outcome.unread[entry.name]}"
        elif entry.name in given:
            wrong = _entry_problem(
                entry, _expected(exercise.model)[entry.name], given[entry.name], entry.name in explained
            )
        else:
            near = _nearest_key(entry.name, unknown)
            wrong = f"there is no key {entry.name!r}" + (f"; is it {near!r}?" if near is not None else "")
        tried = given.get(entry.name, wrong) is not None
        findings.append(Finding(entry.text, not wrong, wrong, 0.0 if wrong else worth, worth, tried=tried))
    complete = all(finding.passed for finding in findings)
    points = exercise.points if complete else round(sum(finding.points for finding in findings), 2)
    return Verdict(
        exercise.id,
        float(points),
        float(exercise.points),
        tuple(findings),
        tuple(name for name, _ in mistakes),
        tuple(advice for _, advice in mistakes if advice),
    )


def _explained(exercise: ValueExercise, given: dict[str, Any], mistakes: list[tuple[str, Advice | None]]) -> set[str]:
    """The entries whose wrong values a named mistake accounts for."""
    known = {one.id: one for one in exercise.misconceptions}
    names: set[str] = set()
    for name, advice in mistakes:
        made = [_changes(exercise, one) for one in _made(known[name], given)] if name in known else []
        for entry in exercise.entries:
            as_it_has = any(
                entry.name in changed and matches(given.get(entry.name), changed[entry.name], entry.decimals)
                for changed in made
            )
            of_all = name in {"entry-of-another", "same-for-every-input"}
            told = of_all or (name not in {*known, "nearly-right"} and advice and entry.text in advice.looks_like)
            if as_it_has or told:
                names.add(entry.name)
    return names


def _of_texts(value: Any) -> bool:
    return isinstance(value, str) or (isinstance(value, list) and isinstance(value[0], str))


def _by_names(value: dict, names: list[str]) -> tuple[dict[str, Any], list[Any]]:
    """What a dict has for each name, where 1885 is as good as "1885"; and the keys that are none."""
    spelt = {str(key): key for key in value if isinstance(key, int) and str(key) not in value}
    given = {name: value[spelt.get(name, name)] for name in names if name in value or name in spelt}
    return given, [key for key in value if key not in names and not (isinstance(key, int) and str(key) in given)]


def _nearest_key(name: str, unknown: list[Any]) -> Any:
    """The unknown key that is nearly this name, taken from the list; None if there is none."""
    said = [str(key).strip().lower() for key in unknown]
    near = difflib.get_close_matches(name.lower(), said, n=1)
    return unknown.pop(said.index(near[0])) if near else None


def _unanswered(value: Any, names: list[str]) -> bool:
    if names == [""]:
        return value is None
    if isinstance(value, dict) and value and not any(name in value for name in names):
        return False  # begun, under other names
    return value is None or (isinstance(value, dict) and all(value.get(name) is None for name in names))


@functools.lru_cache(maxsize=1024)
def _expected(model: Callable, wrong: frozenset[str] = frozenset()) -> dict[str, Any]:
    """The whole answer by its names, right or with a mistake; remembered, because a diagnosis looks at it often."""
    answer = model(wrong=wrong)
    by_name = answer if isinstance(answer, dict) else {"": answer}
    return {name: value if isinstance(value, Between) else plain(value) for name, value in by_name.items()}


def _entry_problem(entry: Entry, expected: Any, given: Any, explained: bool = False) -> str:
    """What is wrong with one value, in words that do not give the right one away; "" if nothing is.

    Where a mistake is named that accounts for it, rounding is not held to be the cause as well.
    """
    if given is None:
        return "not attempted yet"
    typed = given
    try:
        given = read_value(given, expected)
        right = rounded_same(given, expected, entry.decimals)
    except Wrong as wrong:
        asked = array_of(expected) if isinstance(expected, (tuple, np.ndarray)) else None
        return _asked_for(asked, typed) if asked is not None else wrong.words.replace("it returns", "this is")
    except Exception as problem:
        return fault(problem)
    if right:
        return ""
    if isinstance(expected, float) and not explained and rounded_same(given, expected, entry.decimals - 1):
        whole = entry.counted and float(given).is_integer()  # a share of 1 says that all were right
        if _decimals(typed) < entry.decimals and not whole:
            return f"{_short(typed)} is close: give {plural(entry.decimals, 'decimal')}"
        if not entry.counted and abs(float(given) - expected) <= 0.1 * abs(expected):
            return f"{_short(typed)} is close, but not near enough; if you round, then at the very end only"
    if isinstance(expected, np.ndarray) and expected.ndim:
        near = np.isclose(given, expected, rtol=0, atol=0.6 * 10.0**-entry.decimals)
        off = int((~near).sum())
        return f"{off} of {near.size} numbers {'is' if off == 1 else 'are'} wrong"
    return f"{_short(typed)} is not right"


def _asked_for(expected: np.ndarray, typed: Any) -> str:
    """The shape that is asked for, in words that nobody takes for the answer."""
    given = array_of(typed) if isinstance(typed, (list, tuple, np.ndarray)) else None
    yours = f"; yours has the shape {given.shape}" if given is not None and given.shape != expected.shape else ""
    if given is not None and given.ndim > expected.ndim and given.size == expected.size:
        yours = "; yours stand in a pair of brackets too many"
    if expected.ndim < 2:
        asked = f"{plural(expected.size, 'number')} {'is' if expected.size == 1 else 'are'} asked for"
        return asked + (yours or ", in a list or an array")
    rows, columns = expected.shape
    return (
        f"{rows} rows of {columns} numbers are asked for{yours or ', in an array or a list with a list for each row'}"
    )


def _short(value: Any) -> str:
    """A value as one would type it; decimals that nobody typed are left out."""
    value = _one_number(value)
    said = repr(float(f"{value:.6g}") if isinstance(value, float) else value)
    return f"`{said}`" if len(said) <= 60 else "this"


def _decimals(value: Any) -> int:
    """How many decimals a number is written with."""
    return len(repr(_one_number(value)).partition(".")[2])


def _one_number(value: Any) -> Any:
    """A number that came out of a computation, as a plain one; anything else as it is."""
    return value.item() if isinstance(value, (np.ndarray, np.generic)) and value.ndim == 0 else value


def _diagnosed(exercise: ValueExercise, given: dict[str, Any], typed: Any) -> list[tuple[str, Advice | None]]:
    """The mistakes that give the wrong values: best one for all of them, else those that explain some; two at most."""
    right = _expected(exercise.model)
    wrong = [entry for entry in exercise.entries if _entry_problem(entry, right[entry.name], given.get(entry.name))]
    if not wrong:
        return []
    known = [
        (one.id, advice_on(exercise, one.id), _changes(exercise, made))
        for one in exercise.misconceptions
        for made in _made(one, given)
    ]
    for name, advice, changed in known:
        touched = [entry for entry in exercise.entries if entry in wrong or entry.name in changed]
        if _gives(given, changed, touched):
            return [(name, advice)]
    if isinstance(typed, dict) and any(
        isinstance(name, str) and matches(key, right.get(name), 0) for key, name in typed.items() if key not in right
    ):
        return [("keys-values-exchanged", INVERTED)]
    found = [mistake for entry in wrong if entry.among for mistake in _by_items(entry, given, right, known)]
    if found:
        return found[:2]
    left = list(wrong)
    for name, advice, changed in known:
        some = [entry for entry in exercise.entries if entry.name in changed]
        if len(some) == 1 < len(left) and some[0].counted:
            continue  # a share, to two decimals, is often met by chance
        if any(entry in left for entry in some) and _gives(given, changed, some):
            found.append((name, advice))
            left = [entry for entry in left if entry not in some]
    if left and not found:
        found = _alone(wrong, given, right, known)
        left = [] if found else left
    if left and len(found) < 2:
        found += seen_in(left, given, right)
    return found[:2]


def _alone(
    wrong: list[Entry],
    given: dict[str, Any],
    right: dict[str, Any],
    known: Sequence[tuple[str, Advice | None, dict[str, Any]]],
) -> list[tuple[str, Advice | None]]:
    """The mistake that gives all wrong numbers, though what would follow from them is right: the nearest of them."""
    explains = [
        (len(changed), name, advice)
        for name, advice, changed in known
        if _gives(given, changed, wrong)
        and all(is_telling(changed[entry.name], entry.decimals) for entry in wrong)
        and all(isinstance(right[entry.name], (int, float)) or _has_decimals(changed[entry.name]) for entry in wrong)
    ]
    return [(name, advice) for _, name, advice in sorted(explains, key=lambda one: one[0])[:1]]


def _has_decimals(value: Any) -> bool:
    """True of several numbers that are not all whole."""
    return isinstance(value, np.ndarray) and value.size > 1 and value.dtype.kind == "f" and bool((value % 1).any())


def _by_items(
    entry: Entry,
    given: dict[str, Any],
    right: dict[str, Any],
    known: Sequence[tuple[str, Advice | None, dict[str, Any]]],
) -> list[tuple[str, Advice | None]]:
    """The mistakes whose traces a list of names has: all that they add, and nothing of what they leave out."""
    seen = added_and_left_out(given.get(entry.name), right[entry.name])
    names = {folded(item) for item in entry.among}
    if seen is None or not seen[0] <= names:
        return []  # what is no name at all is told by what can be seen
    found: list[tuple[str, Advice | None]] = []
    added, left_out = seen
    for name, advice, changed in known:
        trace = added_and_left_out(changed.get(entry.name), right[entry.name])
        if trace and any(trace) and trace[0] <= added and trace[1] <= left_out:
            found.append((name, advice))
            added, left_out = added - trace[0], left_out - trace[1]
    return found


def _made(mistake: Misconception, given: dict[str, Any]) -> list[str]:
    """A mistake as a switch; one that is made with a number, with each number that was given."""
    if not mistake.numbered:
        return [mistake.id]
    numbers = [_one_number(value) for value in given.values()]
    some = [one for one in numbers if isinstance(one, (int, float)) and not isinstance(one, bool)]
    return [f"{mistake.id}={float(one)!r}" for one in some if abs(one) < LARGEST_TRIED]


def _changes(exercise: ValueExercise, mistake: str) -> dict[str, Any]:
    """The entries that a mistake changes, as it has them."""
    right, model = (_expected(exercise.model, some) for some in (frozenset(), frozenset([mistake])))
    return {name: model[name] for name in right if not identical(right[name], model[name])}


def _gives(given: dict[str, Any], changed: dict[str, Any], entries: list[Entry]) -> bool:
    """True if these entries, which it all changes, were given as a mistake has them."""
    return bool(entries) and all(
        entry.name in changed and matches(given.get(entry.name), changed[entry.name], entry.decimals)
        for entry in entries
    )
