"""Under which names a platform gave a student's files: marks and feedback go back to it by these."""

import json
from dataclasses import dataclass, field

from grader.files import read_regular, write_whole


@dataclass(frozen=True)
class Origin:
    """Where a student's files came from.

    Attributes
    ----------
    identity : str
        The student as the platform writes the name.
    files : dict of str to str
        By a file's name in the folder of submissions, its path in what the platform gave.
    """

    identity: str = ""
    files: dict = field(default_factory=dict)


def keep_origin(course, part, student, identity, files):
    """Remember the names of files that were collected; those of other files stay known."""
    there = read_origin(course, part, student)
    kept = Origin(identity, {**there.files, **files})
    if kept == there:
        return
    text = json.dumps({"identity": kept.identity, "files": kept.files}, indent=1) + "\n"
    write_whole(course.origin(part, student), text)


def read_origin(course, part, student):
    """The `Origin` of a student's files; an empty one where nothing, or nothing sound, is known."""
    try:
        known = json.loads(read_regular(course.origin(part, student)).decode("utf-8"))
        files = {str(name): str(path) for name, path in known["files"].items()}
        return Origin(str(known["identity"]), files)
    except (OSError, ValueError, KeyError, TypeError, AttributeError, RecursionError):
        return Origin()
