"""A submission on its way to another machine: the bytes of its files, and all else that grading looks at."""

import os
import stat
from dataclasses import dataclass
from pathlib import Path

from grader.classroom.marking.submission import looked_at
from grader.classroom.repair.handed_in import LARGEST_SUBMISSION
from grader.files import LARGEST_NOTEBOOK, read_regular


@dataclass(frozen=True)
class Entry:
    """A file or folder in a submission.

    Attributes
    ----------
    name : bytes
        Relative to the submission's folder; names need not be text.
    kind : int
        As in `stat.S_IFMT`.
    size : int
    content : bytes or None
        Of a file, or where a link leads; None for what is too large to be read, cannot be opened, or is neither.
    """

    name: bytes
    kind: int
    size: int = 0
    content: bytes | None = None


def pack(folder):
    """What lies in a submission's folder, as a list of `Entry`; no link is followed.

    Files travel as long as there is room for them, the small ones first: whoever hands in films hands in notebooks too.

    Raises
    ------
    OSError
        If a folder cannot be listed.
    """
    folder, room = Path(folder), LARGEST_SUBMISSION
    found = [(path, path.lstat()) for path in looked_at(folder)[1:]]
    contents = {}
    for path, about in sorted(found, key=lambda one: one[1].st_size):
        if stat.S_ISLNK(about.st_mode):
            contents[path] = os.fsencode(os.readlink(path))
        elif stat.S_ISREG(about.st_mode) and about.st_size <= min(room, LARGEST_NOTEBOOK):
            try:
                contents[path] = read_regular(path)
            except OSError:  # told where it is graded
                continue
            room -= len(contents[path])
    return [
        Entry(os.fsencode(path.relative_to(folder)), stat.S_IFMT(about.st_mode), about.st_size, contents.get(path))
        for path, about in found
    ]


def unpack(parcel, folder):
    """Lay out in a new folder what `pack` has found; a file without content gets its size, or nobody may open it."""
    folder = os.fsencode(folder)
    os.makedirs(folder)
    for entry in parcel:
        path = os.path.join(folder, entry.name)
        if entry.kind == stat.S_IFDIR:
            os.mkdir(path)
        elif entry.kind == stat.S_IFLNK:
            os.symlink(entry.content, path)
        elif entry.kind == stat.S_IFREG:
            with open(path, "xb") as file:
                file.write(entry.content or b"")
                file.truncate(entry.size)
            if entry.content is None and entry.size <= LARGEST_NOTEBOOK:
                os.chmod(path, 0)
        else:
            os.mkfifo(path)
