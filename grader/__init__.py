"""Checks that name the learner's mistake, and grading of a class.

In a notebook::

    from grader import check
    check("softmax", softmax)

`judge` returns the same verdict as a value.
"""

try:
    from grader.judging.check import check
    from grader.judging.judge import judge
    from grader.judging.written import model_answer
except ModuleNotFoundError as problem:
    if (problem.name or "").partition(".")[0] in ("grader", "attnlib"):
        raise
    import sys

    raise ModuleNotFoundError(
        f"this Python ({sys.executable}) has no {problem.name}: it is not the one that the course was set up with. In "
        "the course's folder, `make lab` sets it up and opens it; its own Python is .venv/bin/python there (on Windows "
        ".venv\\Scripts\\python), or the one of your conda environment"
    ) from None

__all__ = ["check", "judge", "model_answer"]
