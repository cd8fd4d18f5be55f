"""What goes wrong with a gradebook, in words that say what to do."""

from nbgrader.api import InvalidEntry
from sqlalchemy.exc import DBAPIError

from grader.errors import CourseError, DiskFull

#: What nbgrader raises where the database cannot be read or written: its own error hides that of a write.
FAULTS = DBAPIError, InvalidEntry


def unusable(url, problem, then):
    """The error to raise for one of `FAULTS`; `then` says what to do once it is mended."""
    words = str(getattr(problem, "orig", problem))
    if "is full" in words:
        return DiskFull(f"the disk is full, so the gradebook cannot grow ({url}); make room, then {then}")
    if "locked" in words:
        cure = f"close what uses it (formgrader, nbgrader), then {then}"
    elif "no such" in words:
        cure = "it may come from another version of nbgrader: back it up, then `nbgrader db upgrade`"
    else:
        cure = f"see that it can be read and written, then {then}"
    return CourseError(f"the gradebook cannot be used ({url}): {words}; {cure}")
