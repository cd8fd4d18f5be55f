"""What learning platforms give -> grading/submitted/<student>/<part>/: the way in."""

from grader.collect.collected import Collected
from grader.collect.job import collect

__all__ = ["Collected", "collect"]
