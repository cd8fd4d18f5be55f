"""Verdicts that need no comparison: nothing begun, nothing earned; and what is said of a fault of the judge's own."""

from grader.exercises.kinds import Exercise
from grader.judging.general import GENERAL
from grader.judging.verdict import Finding, Verdict


def nothing_yet(exercise: Exercise) -> Verdict:
    """The verdict on an answer that has not been begun."""
    words = f"not attempted yet: {exercise.task}"
    return Verdict(
        exercise.id,
        0.0,
        exercise.points,
        (Finding(words, False, "", 0.0, exercise.points, tried=False),),
        attempted=False,
    )


def nothing_earned(exercise: Exercise, tested: str, words: str, diagnosis: str | None = None) -> Verdict:
    return Verdict(
        exercise.id,
        0.0,
        float(exercise.points),
        (Finding(tested, False, words, 0.0, float(exercise.points)),),
        (diagnosis,) if diagnosis else (),
        (GENERAL[diagnosis],) if diagnosis else (),
    )


def fault(problem: Exception) -> str:
    """What is said where the judge itself breaks down."""
    return (
        f"here the check itself broke down ({type(problem).__name__}). That is a fault of the course, not yours, and "
        "takes nothing from what you have earned: please show this cell to whoever runs the course"
    )
