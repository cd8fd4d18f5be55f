"""Earlier attempts: what was handed in before something newer came, each in a folder of its own."""

import hashlib
import itertools
import shutil
from collections import defaultdict

from grader.classroom.collect.lms_names import stem_of
from grader.files import open_regular


class Earlier:
    """Keeps attempts that count no more, or only where they are better.

    Parameters
    ----------
    course : Course
    staging : Path
        A folder beside the submissions, in which an attempt is put together before it is moved into its place.
    """

    def __init__(self, course, staging):
        self.course, self.staging, self._numbers = course, staging, itertools.count()
        self.kept = 0

    def keep(self, part, student, files, when=None):
        """Keep notebooks as an attempt, unless there is one with the same; returns whether that was needed.

        Parameters
        ----------
        part, student : str
        files : dict of str to Path
        when : datetime, optional
            When they were handed in.
        """
        top, state = self.course.attempts(part, student), {name: digest_of(path) for name, path in files.items()}
        there = [path for path in sorted(top.iterdir()) if path.name.isdecimal()] if top.is_dir() else []
        if not files or any({path.name: digest_of(path) for path in one.glob("*.ipynb")} == state for one in there):
            return False
        fresh = self.staging / f"attempt-{next(self._numbers)}"
        fresh.mkdir()
        for name, path in files.items():
            shutil.copyfile(path, fresh / name)
        if when is not None:
            (fresh / "timestamp.txt").write_text(stamp(when), encoding="utf-8")
        top.mkdir(parents=True, exist_ok=True)
        fresh.rename(top / f"{max([int(one.name) for one in there], default=0) + 1:03d}")
        self.kept += 1
        return True


def attempts_before(items, known):
    """What a student's folder would have held after each attempt in which something was replaced later.

    Parameters
    ----------
    items : list of Item
        One student's, in one part.
    known : collection of str
        The names of the part's notebooks.

    Returns
    -------
    list of list of Item
        The oldest attempt first.
    """
    by_attempt = defaultdict(list)
    for item in items:
        # Behind the attempt, Canvas numbers the files.
        by_attempt[item.attempt[:2]].append(item)
    state, states = {}, []
    for _, some in sorted(by_attempt.items()):
        newer = {stem_of(item.file, known): item for item in some}
        if any(stem in state and state[stem].digest != item.digest for stem, item in newer.items()):
            states.append(list(state.values()))
        state |= newer
    return states


def notebooks_in(folder):
    """The notebooks that lie in a folder, by their names."""
    return [path for path in sorted(folder.iterdir()) if path.name.lower().endswith(".ipynb") and path.is_file()]


def stamp(when):
    """A time as nbgrader writes it into timestamp.txt."""
    return f"{when.replace(microsecond=0).isoformat(' ')} UTC\n"


def digest_of(path):
    """The digest of a file; nothing where there is none that can be read."""
    try:
        with open_regular(path) as file:
            return hashlib.file_digest(file, "sha256").digest()
    except OSError:
        return b""
