"""A notebook's process, seen from outside: frames to and from it, its memory, and its end."""

import contextlib
import os
import selectors
import signal
import socket
import struct
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any, NoReturn

from grader.classroom.sandbox.inside.wire import LARGEST_BLOCK, LARGEST_TEXT, Handles, WireError, decode, encode
from grader.classroom.sandbox.limits import MEGABYTE, Limits

_HEAD = struct.Struct("<II")
#: Begins to look at something; what it returns tells what was seen since, None where nothing can be.
Watch = Callable[[], Callable[[], int | None]]
#: How often a process that takes its time is looked at, in seconds.
GLANCE = 0.2
#: Said of a process that sent what nothing of ours sends.
FORGED = "wrote into the line to the judge"


class Ended(Exception):
    """A notebook's process is no more; the message says why, in words that complete "its process ...".

    Attributes
    ----------
    late : bool
        True if a time limit was reached.
    """

    late = False


class TooLong(Ended):
    """What it was asked for took longer than that may."""

    late = True


class TimeIsUp(Ended):
    """The time of the whole notebook is used up."""

    late = True


class Process:
    """A notebook's process, seen from outside: frames to and from it, and its end.

    Parameters
    ----------
    channel : socket
    number : int
        The number of the process, where it is in no namespace.
    handles : tuple of int
        Otherwise file descriptors: of the first process of its namespace, with which the kernel ends all others, and
        its own. A number might be another process's by now.
    limits : Limits
    """

    def __init__(self, channel: socket.socket, number: int, handles: tuple[int, ...], limits: Limits) -> None:
        self._channel, self._number, self._handles, self._limits = channel, number, handles, limits
        self._waiting = b""
        self._deadline = time.monotonic() + limits.notebook
        self.alive = True
        self._next_look = time.monotonic() + GLANCE
        channel.setblocking(False)
        self._selector = selectors.DefaultSelector()
        self._selector.register(channel, selectors.EVENT_READ)
        with contextlib.suppress(BlockingIOError):
            channel.send(b"!")  # now it may begin

    def send(self, value: Any, handles: Handles | None = None, seconds: float = 10.0) -> None:
        """Send a frame; raises `Ended` if nobody takes it. Functions in it cross as their places in `handles`."""
        data = memoryview(encode(value, handles))
        until = time.monotonic() + seconds
        while data:
            try:
                data = data[self._channel.send(data) :]
            except BlockingIOError:
                if time.monotonic() > until:
                    self._end(Ended("does not listen any more"))
                time.sleep(0.002)
            except OSError:
                self._end(Ended("ended by itself"))

    def receive(self, seconds: float) -> Any:
        """The next frame's value; raises `Ended` at the end of the time or of the process, and for what is no frame."""
        until = min(time.monotonic() + seconds, self._deadline)
        text_size, block_size = _HEAD.unpack(self._exactly(_HEAD.size, until))
        if text_size > LARGEST_TEXT or block_size > LARGEST_BLOCK:
            self._end(Ended(FORGED))
        text, block = self._exactly(text_size, until), self._exactly(block_size, until)
        try:
            return decode(text, block)  # without functions: nothing of the other side is ever called from here
        except WireError:
            self._end(Ended(FORGED))

    def _exactly(self, size: int, until: float) -> bytes:
        pieces, missing = [self._waiting], size - len(self._waiting)
        while missing > 0:
            left = until - time.monotonic()
            if left <= 0:
                if time.monotonic() >= self._deadline:
                    self._end(TimeIsUp("used up the time of the whole notebook"))
                self._end(TooLong("did not come to an end in time"))
            has_come = self._selector.select(min(left, GLANCE))
            if time.monotonic() >= self._next_look:  # by the clock: also while frames come without a pause
                self._look()
            if not has_come:
                continue
            try:
                piece = self._channel.recv(MEGABYTE)
            except BlockingIOError:
                continue
            except OSError:
                piece = b""
            if not piece:
                self._end(Ended("ended by itself"))
            pieces.append(piece)
            missing -= len(piece)
        data = b"".join(pieces) if len(pieces) > 1 else self._waiting
        self._waiting = data[size:]
        return data[:size]

    def _look(self) -> None:
        """End the process if all that it started uses too much memory together, or if only what it started is left."""
        self._next_look, most = time.monotonic() + GLANCE, self._limits.memory * MEGABYTE
        if self._handles:
            if _number(self._handles[1]) < 0:
                self._end(Ended("ended by itself"))
            most -= _in_sockets(self._handles[1])
        # What each holds, with what it shares with others, is soon told: mostly that is little enough.
        if self._memory(_resident) > most and self._memory(_own_memory) > most:
            self._end(Ended(f"used more than {self._limits.memory:,} MB of memory"))

    def _numbers(self) -> list[int]:
        """The numbers of its processes that are not each other's children; the notebook's own is the last."""
        return [_number(handle) for handle in self._handles] or [self._number]

    def _memory(self, of: Callable[[Path], int]) -> int:
        """Bytes of memory of the process and all that it has started; 0 where the system does not tell."""
        used, waiting = 0, self._numbers()
        while waiting:
            number = waiting.pop()
            try:
                used += of(_folder(number))
                below = [
                    int(child)
                    for children in Path(f"/proc/{number}/task").glob("*/children")
                    for child in children.read_text().split()
                ]
                waiting += below
                # What the notebook has started waits for everybody else, so that a notebook with many processes has no
                # more of the machine than another.
                for child in below:
                    os.setpriority(os.PRIO_PROCESS, child, 19)
            except (OSError, ValueError):
                continue
        return used

    def watch(self) -> Callable[[], int | None]:
        """Watch the notebook's memory from now on; what is returned tells by how many bytes it grew at the most."""
        folder = Path(f"/proc/{self._numbers()[-1]}")

        def resident(name: str) -> int:
            lines = (folder / "status").read_text().splitlines()
            return next(int(line.split()[1]) * 1024 for line in lines if line.startswith(name))

        def grown() -> int | None:
            with contextlib.suppress(OSError, ValueError, StopIteration):
                most = resident("VmHWM:")
                return most - before if most > most_before else 0
            return None

        with contextlib.suppress(OSError, ValueError, StopIteration):
            with contextlib.suppress(OSError):
                (folder / "clear_refs").write_text("5")  # what was the most is forgotten (proc(5))
            before, most_before = resident("VmRSS:"), resident("VmHWM:")
            return grown
        return lambda: None

    def _end(self, why: Ended) -> NoReturn:
        self.end()
        raise why from None

    def end(self) -> None:
        """Kill the process and everything that it started; returns when it is gone."""
        if not self.alive:
            return
        self.alive = False
        self._selector.close()
        self._channel.close()
        with contextlib.suppress(ProcessLookupError, PermissionError):
            if self._handles:
                signal.pidfd_send_signal(self._handles[0], signal.SIGKILL)
            else:
                os.killpg(self._number, signal.SIGKILL)
        if self._handles:
            with selectors.DefaultSelector() as gone:
                gone.register(self._handles[0], selectors.EVENT_READ)
                gone.select(10)
        for handle in self._handles:
            os.close(handle)


def _number(handle: int) -> int:
    """The number of a process that a descriptor stands for; -1 if it is no more."""
    for line in Path(f"/proc/self/fdinfo/{handle}").read_text().splitlines():
        if line.startswith("Pid:"):
            return int(line.split()[1])
    return -1


def _folder(number: int) -> Path:
    """Where the system tells of a process: if its first thread has ended, of another one."""
    whole = Path(f"/proc/{number}")
    for folder in (whole, *whole.glob("task/*")):
        with contextlib.suppress(OSError):
            if not (folder / "statm").read_text().startswith("0 "):
                return folder
    return whole


def _resident(folder: Path) -> int:
    """Bytes of memory of one process, with all that it shares."""
    return int((folder / "statm").read_text().split()[1]) * os.sysconf("SC_PAGESIZE")


def _own_memory(folder: Path) -> int:
    """Bytes of memory of one process; what it shares with others counts in part."""
    with contextlib.suppress(OSError):
        for line in (folder / "smaps_rollup").read_text().splitlines():
            if line.startswith("Pss:"):
                return int(line.split()[1]) * 1024
    resident, shared = (folder / "statm").read_text().split()[1:3]
    return (int(resident) - int(shared)) * os.sysconf("SC_PAGESIZE")


def _in_sockets(handle: int) -> int:
    """Bytes that the sockets of a process's namespace can hold at the most: they are in no process's memory."""
    with contextlib.suppress(OSError, ValueError, StopIteration):
        lines = (_folder(_number(handle)) / "net" / "sockstat").read_text().splitlines()
        sockets = next(int(line.split()[2]) for line in lines if line.startswith("sockets:"))
        # Each has room for what is to be sent, twice what may be asked for (socket(7)).
        return sockets * 2 * int(Path("/proc/sys/net/core/wmem_max").read_text())
    return 0
