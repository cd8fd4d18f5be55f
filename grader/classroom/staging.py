"""Where files wait until all of them are there, and what runs that were killed have left behind."""

import contextlib
import os
import re
import shutil
import tempfile
import time
from pathlib import Path

from grader.errors import CourseError

try:
    import fcntl
except ImportError:  # Windows
    fcntl = None

STAGING = ".collecting-"
DAY = 24 * 3600
PART = re.compile(r"\..*\.(\d+)-\d+\.part")


@contextlib.contextmanager
def staging(top):
    """A folder in `top` that goes with the block or, where this process is killed, with the next command."""
    top.mkdir(parents=True, exist_ok=True)
    with contextlib.ExitStack() as held:
        with _lock(top, wait=True):
            _sweep_folders(top)
            folder = Path(held.enter_context(tempfile.TemporaryDirectory(dir=top, prefix=STAGING)))
            held.enter_context(_lock(folder))
        yield folder


@contextlib.contextmanager
def one_at_a_time(folder, words):
    """Refuse a second command that would write what this one does; the lock goes with the process, however it ends.

    Raises
    ------
    CourseError
        With these words, if another has it.
    """
    folder.mkdir(parents=True, exist_ok=True)
    handle = os.open(folder, os.O_RDONLY) if fcntl else None
    try:
        try:
            if fcntl:
                fcntl.flock(handle, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            raise CourseError(words) from None
        except OSError:  # a file system without locks
            pass
        yield
    finally:
        if fcntl:
            os.close(handle)


def sweep(course):
    """Remove what runs that were killed have left in a course's folders; what is in use stays."""
    for top in (course.submitted("PART", "STUDENT").parents[1], course.feedback("PART", "STUDENT").parents[1]):
        if any(top.glob(f"{STAGING}*")):
            with _lock(top, wait=True):
                _sweep_folders(top)
    for name in ("records", "reports", "returned", "origins", "exports"):
        for path in (course.grading / name).rglob(".*.part"):
            made_by = PART.fullmatch(path.name)
            if made_by and not _is_running(int(made_by[1])):
                path.unlink(missing_ok=True)


def _sweep_folders(top):
    for path in top.glob(f"{STAGING}*"):
        with contextlib.suppress(OSError), _lock(path) as locked:
            if locked if fcntl else time.time() - path.stat().st_mtime > DAY:
                shutil.rmtree(path)


@contextlib.contextmanager
def _lock(folder, wait=False):
    """Lock a folder as long as this process lives; gives False where another has it, or there are no locks."""
    if fcntl is None:
        yield False
        return
    handle = os.open(folder, os.O_RDONLY)
    try:
        try:
            fcntl.flock(handle, fcntl.LOCK_EX | (0 if wait else fcntl.LOCK_NB))
            locked = True
        except OSError:
            locked = False
        yield locked
    finally:
        os.close(handle)


def _is_running(process):
    if os.name == "nt":  # where asking would end it
        return True
    try:
        os.kill(process, 0)
    except ProcessLookupError:
        return False
    except OSError:
        pass
    return True
