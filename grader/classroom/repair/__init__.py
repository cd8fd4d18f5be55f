"""What was handed in -> notebooks that can be graded: which file is which, and the answers in their places."""

from grader.classroom.repair.handed_in import Found, find_files
from grader.classroom.repair.rebuild import Repaired, repair, untouched
from grader.classroom.repair.salvage import Unreadable

__all__ = ["Found", "Repaired", "Unreadable", "find_files", "repair", "untouched"]
