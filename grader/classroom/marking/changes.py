"""Marks that are others than before: in words, and in a log to which lines are only added."""

import datetime
import functools
import getpass
import json
import subprocess
from dataclasses import dataclass

from grader.classroom.marking.storing import appending
from grader.words import shown


@dataclass(frozen=True)
class Change:
    """What a student has in an exercise now, and had before.

    Attributes
    ----------
    student, notebook, exercise : str
    before, after : float or None
        None where the exercise was not there.
    full : float
    """

    student: str
    notebook: str
    exercise: str
    before: float | None
    after: float | None
    full: float


def changes(old, new):
    """The exercises of two records of a student in which the points differ; none where there is no old one."""
    if old is None:
        return []
    before, after = (
        {(name, one.id): one for name, notebook in record.notebooks.items() for one in notebook.exercises}
        for record in (old, new)
    )
    found = []
    for name, exercise in [*after, *(key for key in before if key not in after)]:
        was, now = (found.get((name, exercise)) for found in (before, after))
        points = [one and one.points for one in (was, now)]
        if points[0] != points[1]:
            found.append(Change(new.student, name, exercise, *points, (now or was).max_points))
    return found


def table(changes):
    """A line for each change, by student."""
    ordered = sorted(changes, key=lambda one: (one.student.casefold(), one.student))
    names = [shown(one.student, 40) for one in ordered]
    wide = max(map(len, names), default=0)
    exercises = {one.exercise for one in ordered}
    return [
        f"  {name.ljust(wide)}  {_points(one.before)} -> {_points(one.after)} {_of(one.full)}"
        + (f"  {one.exercise}" if len(exercises) > 1 else "")
        for name, one in zip(names, ordered, strict=True)
    ]


def _of(full):
    return f"of {full:g}" if full else "(dropped)"


def _points(points):
    return "-" if points is None else f"{round(points, 4):g}"


def changes_path(course):
    """The log of all changes of marks."""
    return course.grading / "changes.jsonl"


def keep_changes(course, part, changes, version):
    """Write changes to the log, before the marks themselves change: the old ones are never lost."""
    if not changes:
        return
    about = {
        "time": datetime.datetime.now(datetime.UTC).isoformat(timespec="seconds"),
        "by": _who(),
        "course": " ".join(filter(None, [_commit(course.root), version[:12]])),
        "part": part,
    }
    with appending(changes_path(course)) as log:
        for one in changes:
            log.write((json.dumps(about | vars(one)) + "\n").encode())


def _who():
    try:
        return getpass.getuser()
    except (OSError, KeyError):  # a container without a name for its user
        return ""


@functools.cache
def _commit(folder):
    """The commit of a course that is kept by git, with -dirty where files differ from it."""
    try:
        git = ["git", "-C", str(folder), "describe", "--always", "--dirty"]
        return subprocess.run(git, capture_output=True, text=True, check=False, timeout=10).stdout.strip()
    except (OSError, subprocess.TimeoutExpired):
        return ""
