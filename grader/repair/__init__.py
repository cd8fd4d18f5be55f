"""What was handed in -> notebooks that can be graded: which file is which, and the answers in their places."""

from grader.repair.handed_in import Found, find_files
from grader.repair.rebuild import Repaired, repair, untouched
from grader.repair.salvage import Unreadable

__all__ = ["Found", "Repaired", "Unreadable", "find_files", "repair", "untouched"]
