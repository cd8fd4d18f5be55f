"""Starting the sandbox, and everything that is done to a notebook's process from outside."""

import contextlib
import hashlib
import json
import os
import selectors
import shutil
import signal
import socket
import struct
import subprocess
import sys
import tempfile
import time
from dataclasses import dataclass
from pathlib import Path

from grader.notebook_format import NotebookError
from grader.sandbox import ONE_THREAD
from grader.sandbox.library import GRADER, PICTURES, SOURCE, absent, link_pictures, write_course, write_library
from grader.sandbox.wire import LARGEST_BLOCK, LARGEST_TEXT, WireError, decode, encode
from grader.sandbox.zygote import HOME

MEGABYTE = 1 << 20
_HEAD = struct.Struct("<II")
_PYTHON = list(dict.fromkeys((sys.base_prefix, sys.prefix)))
#: How often a process that takes its time is looked at, in seconds.
GLANCE = 0.2
#: Beginning of the name of a sandbox's folder, and the file in it that is locked while somebody needs the folder.
PREFIX, LOCK = "attention-course-", "in-use"


class NoSandbox(NotebookError):
    """The sandbox cannot be started; the message says why, and what to do."""


class Ended(Exception):
    """A notebook's process is no more; the message says why, in words that complete "its process ..."."""


@dataclass(frozen=True)
class Limits:
    """What a notebook may use while it is graded.

    Attributes
    ----------
    cell, call, notebook : float
        Seconds of wall time: for one cell, for one call of an answer, for everything in a notebook.
    memory : int
        Megabytes of memory of all its processes together.
    processes : int
        Processes and threads.
    disk : int
        Megabytes in its scratch folders, and of one file.
    output : int
        Megabytes of outputs, pictures included.
    """

    cell: float = 30.0
    call: float = 5.0
    notebook: float = 180.0
    memory: int = 2048
    processes: int = 64
    disk: int = 64
    output: int = 16


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

    def __init__(self, sandboxed=True):
        self.sandboxed = sandboxed
        if sys.platform != "linux":
            raise NoSandbox(
                "a class is graded on Linux (on Windows: in WSL; on a Mac: in a container or a virtual machine). "
                "All else of the course works here too."
            )
        if sandboxed:
            _program()  # before anything is written
        _sweep()
        self._folder = tempfile.TemporaryDirectory(prefix=PREFIX, ignore_cleanup_errors=True)
        self.top = Path(self._folder.name)
        self._zygote, self._lock = None, _locked(self.top)
        try:
            self.top.chmod(0o755)  # root's bubblewrap reads it as another user
            write_course(self.top / "course")
            (self.top / "libraries").mkdir()
            if not sandboxed:
                link_pictures(self.top / "course")
                (self.top / "home").mkdir()
            self._begin()
        except BaseException:
            self.close()
            raise

    def _begin(self):
        self.control, theirs = socket.socketpair(socket.AF_UNIX, socket.SOCK_SEQPACKET)
        about = {"control": theirs.fileno(), "sandboxed": self.sandboxed}
        about["course"] = "/course" if self.sandboxed else str(self.top / "course")
        python = [sys.executable, "-s", "-B", "-m", "grader.sandbox.zygote", json.dumps(about)]
        environment = {
            "PATH": "/usr/local/bin:/usr/bin:/bin",
            **dict.fromkeys(("HOME", "TMPDIR", "MPLCONFIGDIR"), self.home),
            "LANG": "C.UTF-8",
            "PYTHONHASHSEED": "0",
            "PYTHONPATH": about["course"],
            "MPLBACKEND": "module://matplotlib_inline.backend_inline",
            **ONE_THREAD,
        }
        with theirs, (self.top / "errors.txt").open("wb") as errors:
            self._zygote = subprocess.Popen(
                [*_bubblewrap(self.top), *python] if self.sandboxed else python,
                stdin=subprocess.DEVNULL,
                stdout=subprocess.DEVNULL,
                stderr=errors,
                env=environment,
                cwd="/" if self.sandboxed else self.home,
                pass_fds=[theirs.fileno()],
                start_new_session=True,
            )

    @property
    def home(self):
        """The learner's home folder, as a notebook's process sees it."""
        return HOME if self.sandboxed else str(self.top / "home")

    def wait(self):
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
    def alive(self):
        """False if it is known to be no more."""
        return self._zygote is None or self._zygote.poll() is None

    def said(self):
        """The last line that the sandbox itself wrote on its stderr."""
        with contextlib.suppress(OSError):
            lines = (self.top / "errors.txt").read_bytes().decode("utf-8", "replace").strip().splitlines()
            return lines[-1][:300] if lines else ""
        return ""

    def forked(self, request):
        """A channel to a new process, a handle of it, and whether it is in namespaces; None if there is no answer."""
        ours, theirs = socket.socketpair()
        ours.settimeout(10)
        message, descriptors = b"", []
        with theirs, contextlib.suppress(TimeoutError, OSError):
            socket.send_fds(self.control, [json.dumps(request).encode()], [theirs.fileno()])
            theirs.close()
            message, descriptors, _, _ = socket.recv_fds(ours, 64, 1)
        if not message:
            ours.close()
            return None
        return ours, descriptors[0] if descriptors else int(message), bool(descriptors)

    def finish(self):
        """Ask no more of it: it ends when nobody else does either."""
        if hasattr(self, "control"):
            self.control.close()

    def close(self):
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

    def shared(self):
        """The same for other processes of this machine, as an argument of theirs when they are started."""
        warm = Warm.__new__(Warm)
        warm.sandboxed, warm.top, warm.control = self.sandboxed, self.top, self.control
        warm._folder = warm._zygote = None
        return warm


def begun(sandboxed=True):
    """A `Warm` that has just begun; None if there can be none: whoever needs it tries again, and is told why."""
    with contextlib.suppress(NoSandbox, OSError):
        return Warm(sandboxed)
    return None


def _locked(folder):
    """A file in a folder, open and locked as long as this process lives: as long, nobody else removes the folder."""
    import fcntl

    path = folder / ".lock"
    lock = path.open("wb")
    fcntl.flock(lock, fcntl.LOCK_EX)
    path.rename(folder / LOCK)  # not found by anybody before it is locked
    return lock


def _sweep():
    """Remove the folders of processes that were killed."""
    import fcntl

    for folder in Path(tempfile.gettempdir()).glob(f"{PREFIX}*"):
        with contextlib.suppress(OSError):
            if folder.lstat().st_uid == os.geteuid():
                with (folder / LOCK).open("rb") as lock:
                    fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
                    shutil.rmtree(folder, ignore_errors=True)


class Sandbox:
    """Gives a process to each notebook, forked from a warm one; a context manager.

    Parameters
    ----------
    sandboxed : bool
        False runs the same without bubblewrap: for a class that is trusted.
    limits : Limits
    warm : Warm, optional
        Another process's, which is used as long as it lives; by default one of its own.

    Raises
    ------
    NoSandbox
        If it cannot be started.
    """

    def __init__(self, sandboxed=True, limits=None, warm=None):
        self.sandboxed, self.limits, self._warm = sandboxed, limits or Limits(), warm
        if warm is None:
            self._start()

    def __enter__(self):
        return self

    def __exit__(self, *problem):
        self.close()

    def close(self):
        """Stop everything."""
        if self._warm is not None:
            self._warm.close()
            self._warm = None

    def _start(self):
        self._warm = Warm(self.sandboxed)
        try:
            self._warm.wait()
        except NoSandbox:
            self._warm = None
            raise

    def library(self, exercises):
        """The folder of the library for a notebook with these exercises; made when it is first asked for."""
        names = absent(exercises)
        name = hashlib.sha256(" ".join(sorted(names)).encode()).hexdigest()[:16]
        folder = self._warm.top / "libraries"
        if not (folder / name).exists():
            # Others may be at the same: whoever is first, it is there whole.
            fresh = Path(tempfile.mkdtemp(dir=folder, prefix="."))
            fresh.chmod(0o755)
            write_library(fresh, names, "/course/attnlib/data" if self.sandboxed else SOURCE / "data")
            try:
                fresh.rename(folder / name)
            except OSError:
                shutil.rmtree(fresh)
        return f"/libraries/{name}" if self.sandboxed else str(folder / name)

    def fork(self, exercises):
        """A new process for a notebook with these exercises; None: one with the whole library, for the judge's side.

        Returns
        -------
        Process

        Raises
        ------
        NoSandbox
            If namespaces cannot be made.
        """
        for last_try in (False, True):
            if self._warm is None or not self._warm.alive:
                self.close()
                self._start()
            found = self._warm.forked(self._request(exercises))
            if found is not None:
                return Process(*found, self.limits)
            said = self._warm.said()
            if last_try:
                raise NoSandbox(f"{said or 'the sandbox does not answer'}; {CURE}")
            self.close()

    def _request(self, exercises):
        limits = self.limits
        request = {
            "library": self.library(exercises),
            "home": self._warm.home,
            "scratch": limits.disk * MEGABYTE,
            "below_tmp": [name for name in _PYTHON if Path(name).is_relative_to("/tmp")],
            "limits": {
                # Room above what all processes together may really use: a reservation is no use.
                "AS": (limits.memory + 1024) * MEGABYTE,
                "CPU": int(limits.notebook) + 5,
                "FSIZE": limits.disk * MEGABYTE,
                "NOFILE": 256,
                "CORE": 0,
                "STACK": 64 * MEGABYTE,
            },
        }
        if self.sandboxed:
            # Counted within the notebook's own namespace; without one it would count everything of this user.
            request["limits"]["NPROC"] = limits.processes
        return request


CURE = (
    "install bubblewrap (Debian, Ubuntu: apt install bubblewrap) and allow user namespaces on this machine, "
    "or, for a class that you trust, add --no-sandbox"
)


def _program():
    """The path of bubblewrap."""
    program = shutil.which("bwrap")
    if program is None:
        raise NoSandbox(f"bubblewrap is not installed; {CURE}")
    return program


def _bubblewrap(top):
    """The command that everything of the sandbox runs in."""
    command = [_program(), "--die-with-parent", "--new-session", "--unshare-pid", "--unshare-net", "--unshare-ipc"]
    command += ["--unshare-uts", "--unshare-cgroup-try"]
    if os.geteuid() == 0:
        # Root stays root just long enough to become nobody; each notebook makes a user namespace of its own.
        command += ["--cap-add", "CAP_SETUID", "--cap-add", "CAP_SETGID"]
    else:
        command += ["--unshare-user"]
    command += ["--ro-bind", "/usr", "/usr"]
    for name in ("/bin", "/sbin", "/lib", "/lib32", "/lib64", "/libx32"):
        if os.path.islink(name):
            command += ["--symlink", os.readlink(name), name]
        elif os.path.isdir(name):
            command += ["--ro-bind", name, name]
    for name in ("/etc/ld.so.cache", "/etc/fonts", "/etc/alternatives", "/etc/localtime"):
        command += ["--ro-bind-try", name, name]
    # Whatever else lies within what was bound (a course below /usr, say) goes; the Python that runs the course stays.
    command += ["--tmpfs", str(GRADER.parent)]
    for folder in map(Path, _PYTHON):
        if not folder.is_relative_to("/usr") or folder.is_relative_to(GRADER.parent):
            for parent in reversed(folder.parents[:-1]):  # bubblewrap would close them to everybody but root
                command += ["--perms", "0755", "--dir", str(parent)]
            command += ["--ro-bind", str(folder), str(folder)]
    for package in (SOURCE, GRADER):
        if package.is_relative_to(sys.prefix):  # installed, not linked
            command += ["--tmpfs", str(package)]
    command += ["--ro-bind", str(top / "course"), "/course", "--ro-bind", str(top / "libraries"), "/libraries"]
    for name in PICTURES:
        command += ["--ro-bind", str(SOURCE / name), f"/course/attnlib/{name}"]
    command += ["--dir", "/tmp", "--dir", "/notebook", "--tmpfs", HOME]
    return [*command, "--proc", "/proc", "--dev", "/dev", "--remount-ro", "/dev", "--remount-ro", "/", "--chdir", "/"]


class Process:
    """A notebook's process, seen from outside: frames to and from it, and its end.

    Parameters
    ----------
    channel : socket
    handle : int
        A file descriptor of the process, or its number where there are no namespaces.
    has_namespace : bool
    limits : Limits
    """

    def __init__(self, channel, handle, has_namespace, limits):
        self._channel, self._handle, self._has_namespace, self._limits = channel, handle, has_namespace, limits
        self._waiting = b""
        self._deadline = time.monotonic() + limits.notebook
        self.alive = True
        self.peak_memory = 0
        channel.setblocking(False)
        self._selector = selectors.DefaultSelector()
        self._selector.register(channel, selectors.EVENT_READ)
        with contextlib.suppress(BlockingIOError):
            channel.send(b"!")  # now it may begin

    def begin(self):
        """Give it the time of a whole notebook from now on."""
        self._deadline = time.monotonic() + self._limits.notebook

    def send(self, value, handles=None, seconds=10.0):
        """Send a frame; raises `Ended` if nobody takes it."""
        data = memoryview(encode(value, handles))
        until = time.monotonic() + seconds
        while data:
            try:
                data = data[self._channel.send(data) :]
            except BlockingIOError:
                if time.monotonic() > until:
                    self._end("does not listen any more")
                time.sleep(0.002)
            except OSError:
                self._end("ended by itself")

    def receive(self, seconds):
        """The next frame's value; raises `Ended` at the end of the time or of the process, and for what is no frame."""
        until = min(time.monotonic() + seconds, self._deadline)
        text_size, block_size = _HEAD.unpack(self._exactly(_HEAD.size, until))
        if text_size > LARGEST_TEXT or block_size > LARGEST_BLOCK:
            self._end("wrote into the line to the judge")
        text, block = self._exactly(text_size, until), self._exactly(block_size, until)
        try:
            # A handle is a number here: functions of the other side are never called unless the judge's side asks.
            return decode(text, block, _Handle)
        except WireError:
            self._end("wrote into the line to the judge")

    def _exactly(self, size, until):
        pieces, missing = [self._waiting], size - len(self._waiting)
        while missing > 0:
            left = until - time.monotonic()
            if left <= 0:
                late = time.monotonic() >= self._deadline
                self._end("used up the time of the whole notebook" if late else "did not come to an end in time")
            if not self._selector.select(min(left, GLANCE)):
                self._look()
                continue
            try:
                piece = self._channel.recv(MEGABYTE)
            except BlockingIOError:
                continue
            except OSError:
                piece = b""
            if not piece:
                self._end("ended by itself")
            pieces.append(piece)
            missing -= len(piece)
        data = b"".join(pieces) if len(pieces) > 1 else self._waiting
        self._waiting = data[size:]
        return data[:size]

    def _look(self):
        """End the process if all that it started uses too much memory together."""
        used = self._memory()
        self.peak_memory = max(self.peak_memory, used)
        if used > self._limits.memory * MEGABYTE:
            self._end(f"used more than {self._limits.memory:,} MB of memory")

    def _memory(self):
        """Bytes of memory of the process and all its descendants; 0 where the system does not tell."""
        used, top = 0, self._number()
        waiting = [top]
        while waiting:
            number = waiting.pop()
            try:
                used += _own_memory(number)
                below = [
                    int(child)
                    for children in Path(f"/proc/{number}/task").glob("*/children")
                    for child in children.read_text().split()
                ]
                waiting += below
                # The first one's first child is the notebook; what it has started waits for everybody else.
                first = self._has_namespace and number == top
                for child in below[1:] if first else below:
                    os.setpriority(os.PRIO_PROCESS, child, 19)
            except (OSError, ValueError):
                continue
        return used

    def _number(self):
        if not self._has_namespace:
            return self._handle
        for line in Path(f"/proc/self/fdinfo/{self._handle}").read_text().splitlines():
            if line.startswith("Pid:"):
                return int(line.split()[1])
        return -1

    def _end(self, why):
        self.end()
        raise Ended(why)

    def end(self):
        """Kill the process and everything that it started; returns when it is gone."""
        if not self.alive:
            return
        self.alive = False
        self._selector.close()
        self._channel.close()
        with contextlib.suppress(ProcessLookupError, PermissionError):
            if self._has_namespace:
                signal.pidfd_send_signal(self._handle, signal.SIGKILL)
            else:
                os.killpg(self._handle, signal.SIGKILL)
        if self._has_namespace:
            with selectors.DefaultSelector() as gone:
                gone.register(self._handle, selectors.EVENT_READ)
                gone.select(10)
            os.close(self._handle)


def _own_memory(number):
    """Bytes of memory of one process; what it shares with others counts in part."""
    with contextlib.suppress(OSError):
        for line in Path(f"/proc/{number}/smaps_rollup").read_text().splitlines():
            if line.startswith("Pss:"):
                return int(line.split()[1]) * 1024
    resident, shared = Path(f"/proc/{number}/statm").read_text().split()[1:3]
    return (int(resident) - int(shared)) * os.sysconf("SC_PAGESIZE")


class _Handle(int):
    """A function of the process inside, as its number."""
