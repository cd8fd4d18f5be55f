"""What learning platforms give -> grading/submitted/<student>/<part>/: the way in."""

from grader.classroom.collect.collected import Collected
from grader.classroom.collect.job import collect

__all__ = ["Collected", "collect"]
