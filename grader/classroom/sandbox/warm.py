"""The warm process of the sandbox: it has imported everything, and each notebook's process is a fork of it."""

import contextlib
import json
import os
import shutil
import socket
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from pathlib import Path
from typing import Any, BinaryIO

from grader.classroom.sandbox import GIVES_BACK, ONE_THREAD, bubblewrap
from grader.classroom.sandbox.bubblewrap import CURE, NoSandbox
from grader.classroom.sandbox.inside import zygote
from grader.classroom.sandbox.inside.zygote import HOME
from grader.classroom.sandbox.library import link_data, write_course

#: Beginning of the name of a sandbox's folder, and the file in it that is locked while somebody needs the folder.
PREFIX, LOCK = "attention-course-", "in-use"


def refuse_elsewhere() -> None:
    """Raise `NoSandbox` on a system that no sandbox can be had on, and so no grading; before anything is begun."""
    if sys.platform != "linux":
        raise NoSandbox(
            "a class is graded on Linux (on Windows: in WSL; on a Mac: in a container or a virtual machine). "
            "All else of the course works here too."
        )


class Warm:
    """The warm process of a sandbox, and the folder that it sees; begins to warm up at once.

    Other processes of this machine can ask it for notebooks' processes too (`shared`). It ends with the process that
    has made it.

    Parameters
    ----------
    sandboxed : bool
        False runs the same without bubblewrap: for a class that is trusted.

    Raises
    ------
    NoSandbox
        If there can be none; where it only shows later, `wait` raises.
    """

    def __init__(self, sandboxed: bool = True) -> None:
        self.sandboxed = sandboxed
        refuse_elsewhere()
        if sandboxed:
            bubblewrap.program()  # before anything is written
        _sweep()
        self._folder: tempfile.TemporaryDirectory[str] | None
        self._folder = tempfile.TemporaryDirectory(prefix=PREFIX, ignore_cleanup_errors=True)
        self.top = Path(self._folder.name)
        self._zygote: subprocess.Popen[bytes] | None = None
        self._lock = _locked(self.top)
        try:
            self.top.chmod(0o755)  # root's bubblewrap reads it as another user
            write_course(self.top / "course")
            (self.top / "libraries").mkdir()
            if not sandboxed:
                link_data(self.top / "course")
                (self.top / "home").mkdir()
            self._begin()
        except BaseException:
            self.close()
            raise

    def _begin(self) -> None:
        # Whole messages, so that several processes can ask on one line; its other end closes with the last of them.
        self.control, theirs = socket.socketpair(socket.AF_UNIX, socket.SOCK_SEQPACKET)
        course = "/course" if self.sandboxed else str(self.top / "course")
        about = {"control": theirs.fileno(), "sandboxed": self.sandboxed, "course": course}
        # -s and -B: neither the user's own packages nor files of bytecode.
        python = [sys.executable, "-s", "-B", "-m", zygote.__name__, json.dumps(about)]
        environment = {
            "PATH": "/usr/local/bin:/usr/bin:/bin",
            **dict.fromkeys(("HOME", "TMPDIR", "MPLCONFIGDIR"), self.home),
            "LANG": "C.UTF-8",
            **dict.fromkeys(("USER", "LOGNAME"), "learner"),  # there is no list of users to ask
            "PYTHONHASHSEED": "0",  # the order of a learner's set is the same in every run
            "PYTHONPATH": course,
            "MPLBACKEND": "template",  # takes every call and draws nothing
            **ONE_THREAD,
            **GIVES_BACK,
        }
        with theirs, (self.top / "errors.txt").open("wb") as errors:
            self._zygote = subprocess.Popen(
                [*bubblewrap.command(self.top), *python] if self.sandboxed else python,
                stdin=subprocess.DEVNULL,
                stdout=subprocess.DEVNULL,
                stderr=errors,
                env=environment,
                cwd="/" if self.sandboxed else self.home,
                pass_fds=[theirs.fileno()],
                start_new_session=True,  # Ctrl-C on the terminal is for the command, which stops it in good order
            )

    @property
    def home(self) -> str:
        """The learner's home folder, as a notebook's process sees it."""
        return HOME if self.sandboxed else str(self.top / "home")

    def wait(self) -> None:
        """Return when it is warm; raises `NoSandbox` if it cannot be had."""
        self.control.settimeout(60)
        try:
            ready = self.control.recv(16)
        except (TimeoutError, ConnectionError):
            ready = b""
        if ready != b"ready":
            said = self.said()
            self.close()
            raise NoSandbox(f"the sandbox cannot be started: {said or 'it does not answer'}; {CURE}")

    @property
    def alive(self) -> bool:
        """False if it is known to be no more."""
        return self._zygote is None or self._zygote.poll() is None

    def said(self) -> str:
        """The last line that the sandbox itself wrote on its stderr."""
        with contextlib.suppress(OSError):
            lines = (self.top / "errors.txt").read_bytes().decode("utf-8", "replace").strip().splitlines()
            return lines[-1][:300] if lines else ""
        return ""

    def forked(self, request: dict[str, Any]) -> tuple[socket.socket, int, tuple[int, ...]] | None:
        """A channel to a new process, its number or its descriptors, as for `Process`; None if there is no answer."""
        # The new process gets the other end of a line of its own, and says on it who it is.
        ours, theirs = socket.socketpair()
        ours.settimeout(10)
        message, descriptors = b"", list[int]()
        with theirs, contextlib.suppress(TimeoutError, OSError):
            socket.send_fds(self.control, [json.dumps(request).encode()], [theirs.fileno()])
            theirs.close()
            message, descriptors, _, _ = socket.recv_fds(ours, 64, 2)
        if not message:
            ours.close()
            return None
        return ours, 0 if descriptors else int(message), tuple(descriptors)

    def finish(self) -> None:
        """Ask no more of it: it ends when nobody else does either."""
        if hasattr(self, "control"):
            self.control.close()

    def close(self) -> None:
        """Stop it, or leave it alone if it is somebody else's."""
        self.finish()
        if self._zygote is not None:
            with contextlib.suppress(subprocess.TimeoutExpired):
                self._zygote.wait(2)
            self._zygote.kill()
            self._zygote.wait()
        if self._folder is not None:
            self._folder.cleanup()
            self._lock.close()

    def shared(self) -> "Warm":
        """The same for other processes of this machine, as an argument of theirs when they are started."""
        warm = Warm.__new__(Warm)
        warm.sandboxed, warm.top, warm.control = self.sandboxed, self.top, self.control
        warm._folder = warm._zygote = None
        return warm


def begun(sandboxed: bool = True) -> Warm | None:
    """A `Warm` that has just begun; None if there can be none now: whoever needs it tries again, and is told why.

    Raises
    ------
    NoSandbox
        Where there can never be one.
    """
    refuse_elsewhere()
    with contextlib.suppress(NoSandbox, OSError):
        return Warm(sandboxed)
    return None


@contextlib.contextmanager
def private_folder() -> Iterator[Path]:
    """A folder that goes with the block or, where this process is killed, with the next that begins a sandbox."""
    with tempfile.TemporaryDirectory(prefix=PREFIX, ignore_cleanup_errors=True) as folder, _locked(Path(folder)):
        yield Path(folder)


def _locked(folder: Path) -> BinaryIO:
    """A file in a folder, open and locked as long as this process lives: as long, nobody else removes the folder."""
    import fcntl  # not on Windows, where a person is told that a class is graded on Linux

    path = folder / ".lock"
    lock = path.open("wb")
    fcntl.flock(lock, fcntl.LOCK_EX)
    path.rename(folder / LOCK)  # not found by anybody before it is locked
    return lock


def _sweep() -> None:
    """Remove the folders of processes that were killed."""
    import fcntl

    for folder in Path(tempfile.gettempdir()).glob(f"{PREFIX}*"):
        with contextlib.suppress(OSError):
            if folder.lstat().st_uid == os.geteuid():
                with (folder / LOCK).open("rb") as lock:
                    # Raises where the maker lives: locks go with a process, however it ends.
                    fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
                    shutil.rmtree(folder, ignore_errors=True)
