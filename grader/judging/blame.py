"""A right answer that calls a wrong function of the learner's own: which one to mend."""

import inspect
import types
from collections.abc import Callable, Iterator
from dataclasses import replace
from typing import Any

import attnlib
from attnlib import mine
from grader.exercises import BANK
from grader.exercises.kinds import FunctionExercise
from grader.judging.early import nothing_earned
from grader.judging.judge import find, judge
from grader.judging.verdict import Advice, Verdict

STANDS_ON = "stands-on"


def blamed(verdict: Verdict, answer: object, seed: int) -> Verdict:
    """The verdict, with the called functions as its diagnosis where the answer passes over the course's ones.

    It is tried on the inputs of the verdict, which are its seed's: on others it may pass by luck. The points stay. Only
    an answer that failed, and calls what another exercise asks for, is judged once more. What ends at a `raise
    NotImplementedError` is taken for not begun: where another function holds it, that is told.
    """
    if verdict.passed or type(answer) is not types.FunctionType:
        return verdict
    names = list(dict.fromkeys(_own(answer, verdict.exercise)))
    if not names or not _passes(verdict.exercise, answer, names, seed):
        return verdict
    alone = [name for name in names if _passes(verdict.exercise, answer, [name], seed)] if len(names) > 1 else names
    blamed_ones = alone or names
    if not verdict.attempted:
        exercise, said = find(verdict.exercise), " and ".join(f"`{name}`" for name in blamed_ones)
        verdict = nothing_earned(exercise, exercise.task, f"a part that it calls is still to be written: {said}")
    called = {name: inspect.unwrap(answer.__globals__[name]) for name in blamed_ones}
    passing = [name for name in blamed_ones if judge(name, called[name], diagnosing=False).passed]
    advice = _advice_on_passing(passing) if passing == blamed_ones else _advice(blamed_ones)
    return replace(verdict, diagnoses=(STANDS_ON,), advice=(advice,), unnamed=False)


def _own(answer: types.FunctionType, exercise_id: str) -> Iterator[str]:
    """The learner's own functions that it calls, itself or through others of its notebook, and another check asks for,
    in the notebook or the learner's library; behind these nothing is looked for, as they are replaced whole."""
    scope, seen = answer.__globals__, {exercise_id}
    codes = [answer.__code__]
    while codes:
        code = codes.pop()
        codes += [constant for constant in code.co_consts if isinstance(constant, types.CodeType)]
        for name in code.co_names:
            thing = scope.get(name)
            if name in seen or type(thing) is not types.FunctionType:
                continue
            if thing.__globals__ is not scope and thing.__module__ != mine.__name__:
                continue
            seen.add(name)
            if isinstance(BANK.get(name), FunctionExercise):
                yield name
            else:
                codes.append(thing.__code__)


def _right(name: str) -> Callable[..., Any]:
    """The course's function: the library's, or the model of its exercise where the library has none."""
    return getattr(attnlib, name, None) or BANK[name].model


def _passes(exercise_id: str, answer: types.FunctionType, names: list[str], seed: int) -> bool:
    """True if an answer passes with the course's functions under these names; the learner's are put back."""
    scope = answer.__globals__
    own: dict[str, Any] = {name: scope[name] for name in names}
    try:
        scope.update({name: _right(name) for name in names})
        return judge(exercise_id, answer, seed, diagnosing=False).passed
    finally:
        scope.update(own)


def _advice(names: list[str]) -> Advice:
    said = " and ".join(f"`{name}`" for name in names)
    are, until, cell = (
        ("is", "its check passes", "its cell") if len(names) == 1 else ("are", "their checks pass", "their cells")
    )
    return Advice(
        f"this function is right; it calls your {said}, which {are} not yet",
        "What one function gets wrong, all that stand on it get wrong.",
        f"Work on {said} until {until}, run {cell}, then this check again.",
    )


def _advice_on_passing(names: list[str]) -> Advice:
    said = " and ".join(f"`{name}`" for name in names)
    courses = " and ".join(f"`attnlib.{name}`" for name in names if hasattr(attnlib, name))
    return Advice(
        f"this function is right; it calls your {said}, with other results here than with the course's",
        f"The check of {said} has passed, but a check tries a function on some inputs only: these were others.",
        f"Compare your {said} with {courses or 'what its task says'} on what this function calls it with.",
    )
