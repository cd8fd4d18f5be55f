"""Checks that name the learner's mistake, and grading of a class.

In a notebook::

    from grader import check
    check("softmax", softmax)

`judge` returns the same verdict as a value.
"""

from grader.judging.check import check
from grader.judging.judge import judge
from grader.judging.written import model_answer

__all__ = ["check", "judge", "model_answer"]
