"""Verdicts that several tests look at. Each is made once: the tests of an exercise run in one process (conftest.py)."""

import copy
from functools import cache

from grader.desk.trying import mistaken
from grader.exercises import BANK
from grader.exercises.kinds import FunctionExercise
from grader.judging.judge import judge

_MADE = {}


def _drawn_once(make, pure):
    """`make`, that remembers what it drew: hundreds of answers are judged with the same draws.

    But for functions, unless they are pure: each answer needs its own.
    """
    known = {}

    def drawn(rng):
        state = repr(rng.bit_generator.state)
        if state not in known:
            inputs = make(rng)
            if any(map(callable, inputs.values())) and not pure:
                return inputs
            known[state] = inputs, rng.bit_generator.state
        inputs, rng.bit_generator.state = known[state]
        return copy.deepcopy(inputs)

    return drawn


for _exercise in BANK.values():
    for _case in _exercise.cases if isinstance(_exercise, FunctionExercise) else ():
        object.__setattr__(_case, "make", _drawn_once(_case.make, pure=_exercise.id == "generate"))


@cache
def with_mistakes(exercise_id, *mistakes):
    """The model of an exercise with these mistakes: the same function, whoever asks for it."""
    return mistaken(BANK[exercise_id], *mistakes)


def verdict_on(exercise_id, answer, seed):
    """The verdict on an answer, of which others may have asked for it before."""
    key = exercise_id, id(answer), seed
    if key not in _MADE:
        _MADE[key] = answer, judge(exercise_id, answer, seed)  # the answer is kept, so that no other gets its `id`
    return _MADE[key][1]
