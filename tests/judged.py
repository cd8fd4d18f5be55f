"""Verdicts that several tests look at. Each is made once: the tests of an exercise run in one process (conftest.py)."""

from functools import cache

from grader.desk.trying import mistaken
from grader.exercises import BANK
from grader.judging.judge import judge

_MADE = {}


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
