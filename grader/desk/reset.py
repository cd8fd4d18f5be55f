"""A learner's notebook back to how it was handed out, without losing the old one."""

import os
from datetime import datetime
from pathlib import Path

from grader.desk.lab import home_copy
from grader.errors import CourseError
from grader.files import write_whole
from grader.places import RELEASED, WORK, find_notebook


def reset(name, work=WORK, released=RELEASED, now=None):
    """Put a learner's copy of a notebook back to the release, and keep the old one beside it.

    Parameters
    ----------
    name : str
        See `grader.places.find_notebook`.
    work, released : Path
        The learner's folder, and where the notebooks as handed out are.
    now : datetime, optional
        The time that goes into the kept notebook's name.

    Returns
    -------
    notebook : Path
        The learner's notebook.
    kept : Path or None
        Where the old one is now; None if there was none, or if it was still as handed out.

    Raises
    ------
    UnknownName
        If there is no such notebook.
    """
    place = find_notebook(name, released)
    source, target = Path(released) / place, Path(work) / place
    kept, fresh = None, home_copy(source)
    if os.path.lexists(target):
        if target.is_file() and target.read_bytes() == fresh:
            return target, None
        kept = _free_name(target, now or datetime.now())
        target.rename(kept)
    write_whole(target, fresh)
    return target, kept


def _free_name(target, now):
    """A name beside `target` that nothing has yet."""
    stem = f"{target.stem} (before reset {now:%Y-%m-%d %H.%M.%S})"
    for number in range(1, 10_000):
        path = target.with_name(f"{stem}{'' if number == 1 else f' {number}'}.ipynb")
        if not os.path.lexists(path):
            return path
    raise CourseError(f"{target.parent} is full of kept notebooks; delete those that you no longer need")
