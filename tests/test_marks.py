"""A mark is never luck: the same answer gets the same points, for the same reasons, whatever the inputs drawn."""

import pytest
from judged import verdict_on, with_mistakes
from test_bank import FUNCTIONS, by_id, handwritten, sampled

from grader.judging.judge import judge

#: Answers whose findings depend on what they were called with before: only their points are compared.
REMEMBERS = {"first_call_only"}
#: Answers that throw dice of their own, and are told so: what they get besides is luck.
THROWS_DICE = {"other_dice_each_time"}


@pytest.fixture(scope="session")
def seeds(request):
    """The draws to compare: two, or as many as `--seeds` says."""
    return range(request.config.getoption("--seeds"))


def answers_to(exercise, every):
    """The answers to an exercise that the bank knows, by name: its mistakes, and what is written by hand.

    Unless `every` one is asked for, it is every third of those whose verdict test_bank.py looks at as well.
    """
    mistakes = [(m.id, with_mistakes(exercise.id, m.id)) for m in exercise.misconceptions]
    written = [
        [(one.id, one.values[1]) for one in handwritten(kind) if one.values[0] == exercise.id]
        for kind in ("VARIANTS", "WRONG")
    ]
    for kind in (mistakes, *written):
        yield from kind if every else [one for i, one in enumerate(kind) if sampled(exercise.id, i)][::3]


def mark(verdict, remembers=False, named=True):
    """What an answer gets: points, the findings passed, and, if it is `named`, the diagnosis."""
    reasons = () if remembers else tuple((f.tested, f.passed) for f in verdict.findings)
    if reasons and not reasons[0][1]:  # without the first comparison nothing counts
        reasons = reasons[:1]
    return verdict.points, *reasons, *([verdict.diagnoses] if named and not remembers else [])


@pytest.mark.more
@pytest.mark.parametrize("exercise", FUNCTIONS, ids=by_id)
def test_the_same_answer_gets_the_same_mark_whatever_is_drawn(exercise, seeds):
    different = {}
    for number, (name, answer) in enumerate(answers_to(exercise, every=len(seeds) > 2)):
        written = getattr(answer, "__name__", "")
        if written in THROWS_DICE:
            continue
        remembers = written in REMEMBERS
        # To look for causes takes most of the time: with two draws, one is looked for in every other answer.
        named = len(seeds) > 2 or number % 2 == 0
        first = mark(verdict_on(exercise.id, answer, seeds[0]), remembers, named)
        for seed in seeds[1:]:
            other = verdict_on(exercise.id, answer, seed) if named else judge(exercise, answer, seed, diagnosing=False)
            other = mark(other, remembers, named)
            if other != first:
                different[name] = (f"seed {seed}", *sorted(set(map(str, other)) ^ set(map(str, first))))
                break
    assert not different


def test_answers_that_remember_are_in_the_tables():
    written = {getattr(parameter.values[1], "__name__", "") for parameter in handwritten("WRONG")}
    assert written >= REMEMBERS | THROWS_DICE
