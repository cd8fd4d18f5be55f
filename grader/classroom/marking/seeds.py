"""The stored seeds of a class: the same file meets the same inputs whenever it is graded, another file new ones."""

import contextlib
import hashlib
import json
import secrets
import time

from grader.errors import CourseError
from grader.files import write_whole

BYTES = 32


def stored_seeds(course, exercises):
    """The class's seed of each exercise, made once and kept in a file that nobody else may read.

    Parameters
    ----------
    course : grader.classroom.course.Course
    exercises : iterable of str
        Ids; those without a seed yet get one, all others keep theirs.

    Returns
    -------
    dict of str to str
        For each exercise, its seed in hexadecimal digits.

    Raises
    ------
    CourseError
        If the file is damaged.
    """
    path = course.grading / "seeds.json"
    while True:
        seeds, there = _read(path)
        missing = sorted(set(exercises) - set(seeds))
        if not missing:
            if path.stat().st_mode & 0o077:
                path.chmod(0o600)  # brought back from a backup, say
            return seeds
        seeds |= {name: secrets.token_hex(BYTES) for name in missing}
        _sweep(path.parent)
        if write_whole(path, json.dumps(seeds, indent=1, sort_keys=True) + "\n", precious=True, replace=there):
            return seeds
        # Somebody else has made the file in the meantime: theirs are the seeds.


def seed_of(stored, digest):
    """The seed of one judgement: from the exercise's stored seed and the digest of the submitted file's bytes.

    Examples
    --------
    >>> seed_of("ab" * 32, "one file") == seed_of("ab" * 32, "one file")
    True
    >>> seed_of("ab" * 32, "one file") == seed_of("ab" * 32, "another file")
    False
    """
    derived = hashlib.sha256(f"{stored}/{digest}".encode()).digest()
    return int.from_bytes(derived[:16], "big")


def _read(path):
    """The seeds in the file, and whether there is one."""
    try:
        seeds = json.loads(path.read_text(encoding="utf-8"))
        if not isinstance(seeds, dict) or not all(isinstance(seed, str) and seed for seed in seeds.values()):
            raise ValueError
    except FileNotFoundError:
        return {}, False
    except ValueError:
        raise CourseError(
            f"{path} is damaged; bring it back from a backup, or delete it (then the next grading draws new inputs)"
        ) from None
    return seeds, True


def _sweep(folder):
    """Remove what a command that was killed left half-written."""
    for leftover in folder.glob(".seeds.json.*.part"):
        with contextlib.suppress(OSError):
            if time.time() - leftover.stat().st_mtime > 60:
                leftover.unlink()
