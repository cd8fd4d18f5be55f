"""Marks and feedback as learning platforms take them in: the way back."""

from grader.classroom.export.job import export

__all__ = ["export"]
