"""Running an exercise's model with mistakes: within a budget of calls, each weighed by what the exercise says that it
costs, remembering what came of each."""

import inspect
import sys
from collections.abc import Iterator
from typing import Any

import numpy as np

from grader.exercises.kinds import FunctionExercise
from grader.judging.answer import Outcome
from grader.judging.changes import Unfit
from grader.judging.evidence import Recorded
from grader.judging.hypotheses import Hypothesis, Named
from grader.judging.plain import copied, plain
from grader.judging.verdict import Advice

#: Steps on the way to a result, by the name of the model's variable.
STAGES = {
    "scores": "the scores",
    "weights": "the weights",
    "powers": "the powers of e, before they are divided by their sum",
    "cosines": "the cosines",
    "terms": "the terms, before they are added up",
    "differences": "the differences",
    "distances": "the distances",
    "gaps": "the gaps",
    "squares": "the squares",
    "lengths": "the lengths",
    "length": "the lengths",
    "Q_unit": "the queries, brought to length 1",
    "K_unit": "the keys, brought to length 1",
    "sums": "the sums",
    "logs": "the logarithms",
    "dots": "the dot products",
    "order": "the order of the keys",
    "exponent": "the exponent, before `exp`",
    "kernel": "the kernel's values",
    "similarity": "the kernel's values",
    "weighted": "the weighted values, before they are added up",
    "hidden": "the hidden layer",
    "outer": "the outer product",
    "diagonal": "the diagonal",
    "filled": "the scores after the mask, before the softmax",
    "errors": "the errors",
    "predicted": "the predictions",
    "slices": "the slices, before their axes are exchanged",
    "heads": "the heads, before they are merged",
    "merged": "the merged heads, before `W_o`",
    "context": "the contexts",
    "gated": "the products, before they are added up",
}
#: A size beyond it is a slip that nobody could have waited for.
LARGEST_SIZE = 2_000

_EXERCISES = str(FunctionExercise.__module__).rpartition(".")[0].replace(".", "/")


#: What a change of a remembered result costs, in calls of an ordinary model.
CHANGE = 0.1


class Spent(Exception):
    """The budget is used up."""


class Models:
    """The models of an exercise.

    Parameters
    ----------
    exercise : FunctionExercise

    Attributes
    ----------
    left : float
        What the budget still has, in calls of an ordinary model.
    """

    def __init__(self, exercise: FunctionExercise) -> None:
        self.exercise, self.left = exercise, float(exercise.budget)
        self._names = tuple(name for name in inspect.signature(exercise.model).parameters if name != "wrong")
        self._known: dict[tuple[frozenset[str], int], Outcome] = {}
        self._stages: dict[tuple[frozenset[str], int], dict[str, Any]] = {}
        self._warned: set[str] = set()

    def named(self, record: Recorded) -> Named:
        """The arguments of a call, by the names that the task gives them."""
        return dict(zip(self._names, record[0], strict=False)) | record[1]

    def right(self, args: tuple, kwargs: dict) -> Outcome:
        """What the reference does; it costs nothing, and comes even when the budget is used up."""
        return self._made(frozenset(), dict(zip(self._names, args, strict=False)) | kwargs)

    def outcome(self, one: Hypothesis, record: Recorded) -> Outcome | None:
        """What somebody with this mistake gets from a call; None where the mistake cannot be made there."""
        names = self.named(record)
        if one.before:
            try:
                changed = one.before(names)
            except (Unfit, KeyError):
                changed = names
            except Exception:
                return None
            return None if _fills_memory(names, changed) else self._run(one.switches, changed)
        before = self._base(one.switches, record)
        if before.ok and one.stage:
            try:
                stages = self.stages(record, one.switches)
                return Outcome(value=plain(_placed(before.value, one.place, stages[one.stage])))
            except Exception:  # there is no such stage, or it is no result
                return None
        if before.ok and one.place is not None:
            right = self._base(frozenset(), record)
            if not (isinstance(before.value, tuple) and len(before.value) == len(right.value)):
                return None
            return Outcome(value=_placed(right.value, one.place, before.value[one.place]), warned=before.warned)
        return self.ended(one, before, names)

    def ended(self, one: Hypothesis, before: Outcome, names: Named) -> Outcome | None:
        """What comes of an outcome when something is done to it last; None where that is not possible."""
        if not before.ok or not one.after:
            return before
        self.left -= CHANGE
        try:
            return Outcome(value=_plain(one.after(before.value, names)), warned=before.warned)
        except Exception:
            return None

    def _base(self, switches: frozenset[str], record: Recorded) -> Outcome:
        key = (switches, id(record))
        if key not in self._known:
            self._known[key] = self._run(switches, self.named(record))
        return self._known[key]

    def _run(self, switches: frozenset[str], names: Named) -> Outcome:
        if self.left <= 0:
            raise Spent
        self.left -= self.exercise.effort
        return self._made(switches, names)

    def _made(self, switches: frozenset[str], names: Named) -> Outcome:
        self._warned.clear()
        with np.errstate(over="call", divide="call", invalid="call", under="ignore", call=self._warn):
            try:
                value = plain(self.exercise.model(**copied(names), wrong=switches))
            except Exception as problem:
                return Outcome(error=type(problem).__name__, message=str(problem)[:500])
        return Outcome(value=value, warned=tuple(sorted(self._warned)))

    def _warn(self, kind: str, _: int) -> None:
        self._warned.add(kind)

    def stages(self, record: Recorded, switches: frozenset[str] = frozenset()) -> dict[str, Any]:
        """What the variables of the model held when each of its functions ended."""
        key = (switches, id(record))
        if key not in self._stages:
            held: dict[str, Any] = {}

            def look(frame: Any, event: str, _: Any) -> None:
                code = frame.f_code
                if event == "return" and _EXERCISES in code.co_filename and code.co_name != "<lambda>":
                    for name, value in frame.f_locals.items():
                        if name in STAGES and isinstance(value, (np.ndarray, list)):
                            held[f"{code.co_name}.{name}"] = value

            if sys.getprofile() is None:  # somebody who measures this process is not disturbed
                sys.setprofile(look)
                try:
                    self._run(switches, self.named(record))
                finally:
                    sys.setprofile(None)
            self._stages[key] = held
        return self._stages[key]

    def on_stages(self, record: Recorded) -> Iterator[Hypothesis]:
        """That the work stopped at a stage on the way, or that a stage was returned in the place of a result."""
        base = self._base(frozenset(), record)
        places = (None, *range(len(base.value))) if isinstance(base.value, tuple) else (None,)
        for stage in self.stages(record):
            words = STAGES[stage.rpartition(".")[2]]
            for place in places:
                where = "" if place is None else f" in the place of the {_called(self.exercise, place)}"
                looks = f"you return {words}{where}"
                cause = "That is a step on the way, and it is right; the task asks for what comes of it."
                if place is not None and words == f"the {_called(self.exercise, place)}":
                    looks = f"{words} that you return are those of an earlier step"
                    cause = "What is done to some of them later is missing in what you return."
                cure = "Read the steps of the task once more: which of them comes after this one?"
                advice = Advice(looks, cause, cure)
                yield Hypothesis("stopped-early", advice, stage=stage, place=place)


def _plain(value: Any) -> Any:
    """What was made of a plain value, as one: only NumPy's single numbers are not."""
    if isinstance(value, np.generic):
        return plain(value)
    return tuple(map(_plain, value)) if isinstance(value, tuple) else value


def _fills_memory(before: Named, after: Named) -> bool:
    """True if what may be a size (11 places) became one whose arrays nothing could hold (e to the 11, squared)."""
    for name, value in before.items():
        sizes = np.asarray(value) if isinstance(value, (int, list, np.ndarray)) else np.zeros(0)
        changed = np.asarray(after[name]) if sizes.dtype.kind in "iu" and sizes.ndim < 2 else np.zeros(0)
        if changed.dtype.kind in "iuf" and np.abs(changed).max(initial=0) > LARGEST_SIZE:
            return True
    return False


def _called(exercise: FunctionExercise, place: int) -> str:
    return exercise.returns[place] if isinstance(exercise.returns, tuple) else "result"


def _placed(value: Any, place: int | None, stage: Any) -> Any:
    return stage if place is None else tuple(stage if i == place else part for i, part in enumerate(value))
