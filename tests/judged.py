"""Verdicts that several tests look at. Each is made once: the tests of an exercise run in one process (conftest.py)."""

import copy
import sys
from collections import OrderedDict
from functools import cache, partial

import numpy as np

from attnlib import blocks
from grader.desk.trying import mistaken
from grader.exercises import BANK
from grader.exercises.kinds import FunctionExercise
from grader.judging.evidence import fingerprint
from grader.judging.judge import judge
from grader.judging.models import Models

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


def _made_once(make):
    """`Models._made`, that remembers what came of the same mistakes and inputs for another answer to the exercise.

    But where a function is among the inputs, or somebody looks at how the model works (`Models.stages`).
    """
    exercise_id, known, seen = None, {}, {}

    def print_of(value):
        """The fingerprint of an argument, taken once where hundreds of mistakes are tried on it."""
        if id(value) not in seen:
            if len(seen) > 200:
                seen.clear()
            seen[id(value)] = value, fingerprint(value)  # with it, so that no other gets its `id`
        return seen[id(value)][1]

    def made(self, switches, names):
        nonlocal exercise_id
        if sys.getprofile() or self.exercise.id not in BANK or any(map(callable, names.values())):
            return make(self, switches, names)
        if self.exercise.id != exercise_id:
            exercise_id = self.exercise.id
            known.clear()
        key = self.exercise.model, switches, *names, *map(print_of, names.values())
        if key not in known:
            known[key] = make(self, switches, names)
        return known[key]

    return made


Models._made = _made_once(Models._made)


def _may_change(matrix):
    return not isinstance(matrix, np.ndarray) or matrix.flags.writeable


def _run_once(part):
    """A part of a layer, which remembers what it made of the same input: most answers run a whole model, as it is."""
    known = OrderedDict()

    def run(X, layer, *others):
        if any(map(_may_change, layer.values())):
            return part(X, layer, *others)
        key = fingerprint([X, *others]), tuple(map(id, layer.values()))
        if key not in known:
            known[key] = layer, part(X, layer, *others)  # with its matrices, so that no others get their `id`
            if len(known) > 2_000:
                known.popitem(last=False)
        known.move_to_end(key)
        return known[key][1].copy()

    return run


blocks._attention, blocks._feed_forward = _run_once(blocks._attention), _run_once(blocks._feed_forward)


@cache
def with_mistakes(exercise_id, *mistakes):
    """The model of an exercise with these mistakes: the same function, whoever asks for it."""
    return mistaken(BANK[exercise_id], *mistakes)


def verdict_on(exercise_id, answer, seed):
    """The verdict on an answer, of which others may have asked for it before."""
    key = exercise_id, id(answer), seed
    if key not in _MADE:
        given = answer() if isinstance(answer, partial) else answer
        _MADE[key] = answer, judge(exercise_id, given, seed)  # the answer is kept, so that no other gets its `id`
    return _MADE[key][1]
