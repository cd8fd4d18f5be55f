"""Reading files of unknown origin, and writing files that are whole or not there at all."""

import ctypes
import errno
import os
import shutil
import stat
import threading
from pathlib import Path

from grader.errors import CourseError, DiskFull

#: No notebook of the course comes near it, pictures included.
LARGEST_NOTEBOOK = 50 * 2**20
_FULL = {errno.ENOSPC, getattr(errno, "EDQUOT", errno.ENOSPC)}


def open_regular(path):
    """Open a regular file for reading, whatever has come into its place since it was looked at.

    Raises
    ------
    OSError
        If there is none, or if a symlink, a device or a folder is there.
    """
    # Not every system knows these: without them, the look at what was opened has to do.
    flags = os.O_RDONLY | getattr(os, "O_NOFOLLOW", 0) | getattr(os, "O_NONBLOCK", 0) | getattr(os, "O_BINARY", 0)
    handle = os.open(path, flags)
    if not stat.S_ISREG(os.fstat(handle).st_mode):
        os.close(handle)
        raise OSError(errno.EINVAL, "it is no regular file", str(path))
    return os.fdopen(handle, "rb")


def read_regular(path, largest=LARGEST_NOTEBOOK):
    """The bytes of a regular file of a usual size; never those that a symlink or a device leads to.

    Raises
    ------
    OSError
        As `open_regular`, and if the file is larger than `largest` bytes.
    """
    with open_regular(path) as file:
        if os.fstat(file.fileno()).st_size > largest:
            raise OSError(errno.EFBIG, f"it is larger than {largest:,} bytes", str(path))
        return file.read(largest)


def write_whole(path, data, precious=False, replace=True):
    """Write a file at once: whoever looks sees what was there before or all of the new, even if this process is killed.

    Parameters
    ----------
    path : Path
        Its folder is made when missing.
    data : bytes or str
        Text is written as UTF-8 with \\n at the ends of lines.
    precious : bool
        Readable by its owner alone, and on the disk before this returns.
    replace : bool
        Whether a file that is there already makes way.

    Returns
    -------
    bool
        False where a file was there and stays.
    """
    path = Path(path)
    path.parent.mkdir(parents=True, exist_ok=True)
    # Numbers are in the name, so that neither two commands nor two threads write into one file at the same time.
    fresh = path.with_name(f".{path.name}.{os.getpid()}-{threading.get_ident()}.part")
    fresh.unlink(missing_ok=True)
    try:
        flags = os.O_WRONLY | os.O_CREAT | os.O_EXCL | getattr(os, "O_BINARY", 0)
        with open(os.open(fresh, flags, 0o600 if precious else 0o666), "wb") as file:
            file.write(data.encode() if isinstance(data, str) else data)
            if precious:
                file.flush()
                os.fsync(file.fileno())
        if not replace:
            try:
                os.link(fresh, path)
                return True
            except FileExistsError:
                return False
            except OSError:  # a file system without links
                if os.path.lexists(path):
                    return False
        os.replace(fresh, path)
        return True
    finally:
        fresh.unlink(missing_ok=True)


def replace_folder(folder, files, mode=0o444):
    """Put a folder with these files (bytes by name) in place of the one that is there, at once."""
    fresh = folder.with_name(f".{folder.name}.new")
    try:
        remove(fresh)
        fresh.mkdir(parents=True)
        for name, content in files.items():
            (fresh / name).write_bytes(content)
            (fresh / name).chmod(mode)
        put_folder(fresh, folder)
    finally:
        remove(fresh)


def put_folder(fresh, folder):
    """Put a folder where another may be, at once; that one is then called `fresh`."""
    if not os.path.lexists(folder):
        fresh.rename(folder)
    elif not _exchange(fresh, folder):
        old = folder.with_name(f".{folder.name}.old")
        remove(old)
        folder.rename(old)
        try:
            fresh.rename(folder)
        except OSError:
            old.rename(folder)
            raise
        old.rename(fresh)


def _exchange(one, other):
    """Let two folders change places at once; False where the system cannot."""
    here, both = -100, 2  # AT_FDCWD, RENAME_EXCHANGE
    try:
        rename = ctypes.CDLL(None).renameat2
    except (AttributeError, OSError, TypeError):  # not on Linux
        return False
    return rename(here, os.fsencode(one), here, os.fsencode(other), both) == 0


def remove(path):
    """Remove a file, a link or a folder with all that is in it, if it is there."""
    if path.is_dir() and not path.is_symlink():
        shutil.rmtree(path)
    else:
        path.unlink(missing_ok=True)


def is_full(problem):
    """True for the error of a disk that is full, or of a quota that is used up."""
    return getattr(problem, "errno", None) in _FULL


def disk_full(problem, then):
    """The error to raise where `is_full`; `then` says what to do once there is room."""
    # Of a copy, the second name is that of what is written.
    name = getattr(problem, "filename2", None) or getattr(problem, "filename", None)
    where = f" ({name})" if name else ""
    return DiskFull(f"the disk is full{where}; make some room, then {then}")


def cannot_write(problem, then, where="a file"):
    """The error to raise where writing failed: of a disk that is full, or in the system's own words."""
    if is_full(problem):
        return disk_full(problem, then)
    return CourseError(f"{problem.filename or where} cannot be written: {problem.strerror or problem}")
