"""The files in a folder or a zip, one by one, without trusting a name, a size or the zip itself.

Nothing here decides whose file it is (`lms_names`) or writes anything but a file that it is given (`collect`).
"""

import contextlib
import errno
import os
import re
import stat
import zipfile
import zlib
from collections import Counter
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import BinaryIO

from grader.errors import CourseError
from grader.files import LARGEST_NOTEBOOK, open_regular
from grader.words import shown

MEGABYTE = 2**20
CHUNK = 2**16
RECORD = b"PK\x01\x02"  # how the description of a file begins, in the list at the end of a zip
UTF8 = 0x800  # the flag of a file whose name is in UTF-8
DEVICES = re.compile(r"(con|prn|aux|nul|conin\$|conout\$|com[0-9¹²³]|lpt[0-9¹²³])(\..*)?", re.IGNORECASE)
# A browser that does not know notebooks saves them as text.
NOTEBOOK = re.compile(r"\.ipynb(?:\.txt|\.json)? *$", re.IGNORECASE)
DRIVE = re.compile(r"[A-Za-z]:")
#: What programs leave behind; no work of anybody's.
CHECKPOINTS = ".ipynb_checkpoints"
JUNK = {"__MACOSX", CHECKPOINTS, "__pycache__", ".git", ".DS_Store", "Thumbs.db", "desktop.ini"}
# Other methods can make very much of very little at one go, and no learning platform uses them.
METHODS = (zipfile.ZIP_STORED, zipfile.ZIP_DEFLATED)
DAMAGE = (zipfile.BadZipFile, zlib.error, EOFError, NotImplementedError, RuntimeError, ValueError, OverflowError)


@dataclass(frozen=True)
class Allowance:
    """How much is taken in.

    Attributes
    ----------
    file : int
        Bytes of one file.
    submission : int
        Bytes of one student, with what is in zips of their own.
    total : int
        Bytes of all together.
    entries : int
        Files in the folder or zip.
    submission_entries : int
        Files in a zip of one student.
    depth : int
        How deep zips may lie in zips.
    """

    file: int = LARGEST_NOTEBOOK
    submission: int = 200 * MEGABYTE
    total: int = 2048 * MEGABYTE
    entries: int = 20_000
    submission_entries: int = 2_000
    depth: int = 2


class Refused(ValueError):
    """Something that is not taken in; the message says why."""


#: What reading a file may raise.
UNREADABLE = (Refused, OSError, *DAMAGE)


@dataclass(frozen=True)
class Entry:
    """A file in a folder or a zip.

    Attributes
    ----------
    path : tuple of str
        Where it lies: the names of its folders, and its own.
    open : callable
        Gives its bytes as a file; raises `Refused`.
    """

    path: tuple
    open: Callable[[], BinaryIO]

    @property
    def name(self):
        """The file's own name."""
        return self.path[-1]

    @property
    def shown(self):
        """Where it lies, for a message."""
        return shown("/".join(self.path))


class Budget:
    """How much may still be taken; what one takes counts for its parent as well."""

    def __init__(self, size, words, parent=None):
        self.left, self.words, self.parent = size, words, parent

    def take(self, size):
        """Take off `size`.

        Raises
        ------
        Refused
            If there is not so much left.
        """
        self.left -= size
        if self.left < 0:
            raise Refused(self.words)
        if self.parent is not None:
            self.parent.take(size)


def megabytes(size):
    """A number of bytes in words."""
    return f"{size / MEGABYTE:,.0f} MB" if size >= MEGABYTE else f"{size:,} bytes"


def components(name):
    """The parts of a path inside a zip or folder.

    Raises
    ------
    Refused
        If the path leads out of its folder, or is none on some system.
    """
    if "\0" in name:
        raise Refused("its name has a null character in it")
    if "/" not in name:  # as some programs of Windows write a path
        name = name.replace("\\", "/")
    if "\\" in name:
        raise Refused("its path has backslashes in it")
    if name.startswith("/"):
        raise Refused("its path is absolute")
    if DRIVE.match(name):
        raise Refused("its path begins with a drive")
    parts = name.split("/")
    if ".." in parts:
        raise Refused("its path leads out of the folder (..)")
    parts = [part for part in parts if part not in ("", ".")]
    if not parts:
        raise Refused("it has no name")
    if len(name) > 1000 or any(len(part.encode("utf-8", "surrogateescape")) > 250 for part in parts):
        raise Refused("its name is too long")
    for part in parts:
        if DEVICES.fullmatch(part.strip(" .")):
            raise Refused(f"{part} is the name of a device on Windows")
    return tuple(parts)


def is_junk(path):
    """Whether a path is what programs leave behind."""
    return any(part in JUNK or part.startswith("._") for part in path)


class Source:
    """What lies in a folder or a zip.

    Attributes
    ----------
    entries : list of Entry
        Every regular file that may be read.
    refused : list of (str, str)
        What may not, and why.
    left : list of tuple of str
        The paths of notebooks that programs have left behind: there may be nothing else of a student.
    """

    def __init__(self):
        self.entries, self.refused, self.left = [], [], []

    def refuse(self, name, why):
        """Note what is not taken in."""
        self.refused.append((shown(name), why))

    def leave(self, path, folder=None):
        """Note a notebook among what programs leave behind; of a folder that is not looked into, those in it."""
        paths = [path]
        if folder is not None and path[-1] == CHECKPOINTS and not folder.is_symlink():
            with contextlib.suppress(OSError):
                paths = [(*path, name) for name in sorted(os.listdir(folder))]
        self.left += [one for one in paths if NOTEBOOK.search(one[-1])]


@contextlib.contextmanager
def opened(path, allowance):
    """What lies in a folder or a zip that somebody named; a context manager.

    Parameters
    ----------
    path : Path
    allowance : Allowance

    Returns
    -------
    Source

    Raises
    ------
    CourseError
        If there is nothing that can be read, or by far too much.
    """
    path = Path(path)
    with contextlib.ExitStack() as stack:
        try:
            if path.is_dir():
                source = _folder(path, allowance)
            else:
                source = unzipped(stack.enter_context(open_regular(path)), allowance.entries)
                stack.enter_context(source.archive)
        except FileNotFoundError:
            raise CourseError(
                f"{path} does not exist; name the folder or zip that your learning platform gave"
            ) from None
        except OSError as problem:
            raise CourseError(f"{path} cannot be read: {problem.strerror or problem}") from None
        except Refused as problem:
            raise CourseError(f"{path}: {problem}") from None
        yield source


def _folder(top, allowance):
    """Every file below a folder; links are never followed."""
    source = Source()
    waiting = [(top, ())]
    found = 0
    while waiting:
        folder, path = waiting.pop()
        try:
            with os.scandir(folder) as listing:
                items = sorted(listing, key=lambda item: item.name)
        except OSError as problem:
            if not path:
                raise
            source.refuse("/".join(path), f"the folder cannot be read ({problem.strerror})")
            continue
        for item in items:
            found += 1
            if found > allowance.entries:
                raise CourseError(
                    f"{top} holds more than {allowance.entries:,} files, more than a class hands in; "
                    "is it the right one?"
                )
            here = (*path, item.name)
            if is_junk(here):
                source.leave(here, Path(item.path))
                continue
            try:
                components("/".join(here))
                mode = item.stat(follow_symlinks=False).st_mode
                if stat.S_ISLNK(mode):
                    raise Refused("it is a link; links are never followed")
                if stat.S_ISDIR(mode):
                    waiting.append((Path(item.path), here))
                    continue
                if not stat.S_ISREG(mode):
                    raise Refused("it is no regular file")
            except (Refused, OSError, OverflowError, ValueError) as problem:
                source.refuse("/".join(here), getattr(problem, "strerror", None) or str(problem))
                continue
            source.entries.append(Entry(here, lambda item=item: open_regular(item.path)))
    return source


def unzipped(file, most, counted=False):
    """What lies in a zip; whoever asks closes its `archive`.

    Parameters
    ----------
    file : file
    most : int
        How many files it may hold.
    counted : bool
        Count them before they are listed: a list of millions takes much memory.

    Raises
    ------
    Refused
        If it is no zip, or holds too many files.
    """
    source = Source()
    if counted and _records(file, most) > most:
        raise Refused(f"it holds more than {most:,} files")
    try:
        source.archive = archive = zipfile.ZipFile(file)
    except (*DAMAGE, OSError) as problem:
        raise Refused(
            f"it is no zip, or the end of it is missing ({_reason(problem)}); what another program has packed, unpack, "
            "and collect the folder; put a single notebook into a folder named by its student, in a folder to collect"
        ) from None
    infos = archive.infolist()
    if len(infos) > most:
        archive.close()
        raise Refused(f"it holds {len(infos):,} files; at most {most:,} are taken in")
    copies = Counter(info.filename for info in infos)
    for info in infos:
        name = _name(info)
        if info.is_dir() and "\\" not in name and ".." not in name.split("/"):
            continue
        try:
            path = components(name)
            if is_junk(path):
                source.leave(path)
                continue
            if copies[info.filename] > 1:
                raise Refused("the zip holds several files of this name")
            kind = stat.S_IFMT(info.external_attr >> 16)
            if kind == stat.S_IFLNK:
                raise Refused("it is a link; links are never followed")
            if kind not in (0, stat.S_IFREG):
                raise Refused("it is no regular file")
        except Refused as problem:
            source.refuse(name, str(problem))
            continue
        source.entries.append(Entry(path, lambda info=info: _open_member(archive, info)))
    return source


def _name(info):
    """A file's name in a zip: programs of a Mac write it in UTF-8 and do not say so."""
    with contextlib.suppress(UnicodeError):
        if not info.flag_bits & UTF8:
            return info.orig_filename.encode("cp437").decode("utf-8")
    return info.orig_filename


def _records(file, most):
    """How often a zip's record of a file occurs, up to a little more than `most`."""
    found, rest = 0, b""
    file.seek(0)
    while found <= most and (chunk := file.read(CHUNK)):
        data = rest + chunk
        found += data.count(RECORD)
        rest = data[-3:]
    file.seek(0)
    return found


def _open_member(archive, info):
    if info.flag_bits & 0x1:
        raise Refused("it is encrypted: unpack it by its password and collect the folder, or ask for one without")
    if info.compress_type not in METHODS:
        raise Refused("it is packed in a way that is not read; pack it as a usual zip")
    try:
        return archive.open(info)
    except (*DAMAGE, OSError) as problem:
        raise Refused(f"it is damaged ({_reason(problem)})") from None


def _reason(problem):
    said = str(problem).split("\n")[0]
    return shown(said or type(problem).__name__)


def copy(entry, target, allowance, budget):
    """Read a file in pieces, counting what really comes.

    Parameters
    ----------
    entry : Entry
    target : file
        What to write to.
    allowance : Allowance
    budget : Budget

    Raises
    ------
    Refused
        If it is damaged or too large.
    OSError
        If `target` cannot be written.
    """
    size = 0
    try:
        file = entry.open()
    except OSError as problem:
        raise Refused(f"it cannot be read ({_link_or(problem)})") from None
    with file:
        while True:
            try:
                chunk = file.read(CHUNK)
            except DAMAGE as problem:
                raise Refused(f"it is damaged ({_reason(problem)})") from None
            except OSError as problem:
                raise Refused(f"it cannot be read ({problem.strerror or problem})") from None
            if not chunk:
                return
            size += len(chunk)
            if size > allowance.file:
                raise Refused(f"it is larger than {megabytes(allowance.file)}{_what_to_do(entry)}")
            budget.take(len(chunk))
            target.write(chunk)


def _what_to_do(entry):
    """What makes a file smaller. Of a notebook, the outputs are what is large, and nobody needs them here."""
    if not NOTEBOOK.search(entry.name):
        return ""
    return (
        "; ask the student to clear all outputs (in JupyterLab: Edit, Clear Outputs of All Cells), save it and send it"
    )


def _link_or(problem):
    return "it is a link now" if problem.errno == errno.ELOOP else problem.strerror
