"""Giving each notebook a process: a fork of the warm one, with the library and the limits of this notebook."""

import hashlib
import py_compile
import shutil
import tempfile
from collections.abc import Iterable
from pathlib import Path
from types import TracebackType
from typing import Any

from grader.classroom.sandbox.bubblewrap import CURE, PYTHON, NoSandbox
from grader.classroom.sandbox.library import SOURCE, absent, write_library
from grader.classroom.sandbox.limits import MEGABYTE, Limits
from grader.classroom.sandbox.process import Process
from grader.classroom.sandbox.warm import Warm


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

    def __init__(self, sandboxed: bool = True, limits: Limits | None = None, warm: Warm | None = None) -> None:
        self.sandboxed, self.limits, self._warm = sandboxed, limits or Limits(), warm
        self._living()

    def __enter__(self) -> "Sandbox":
        return self

    def __exit__(self, kind: type | None, problem: BaseException | None, trace: TracebackType | None) -> None:
        self.close()

    def close(self) -> None:
        """Stop everything."""
        if self._warm is not None:
            self._warm.close()
            self._warm = None

    def _living(self) -> Warm:
        """The warm process; a new one where there is none, or where it is no more."""
        if self._warm is None or not self._warm.alive:
            self.close()
            warm = Warm(self.sandboxed)
            warm.wait()
            self._warm = warm
        return self._warm

    def _library(self, warm: Warm, exercises: Iterable[str] | None) -> str:
        """The folder of the library for a notebook with these exercises; made when it is first asked for."""
        names = absent(exercises)
        name = hashlib.sha256(" ".join(sorted(names)).encode()).hexdigest()[:16]
        folder = warm.top / "libraries"
        if not (folder / name).exists():
            # Others may be at the same: whoever is first, it is there whole.
            fresh = Path(tempfile.mkdtemp(dir=folder, prefix="."))
            fresh.chmod(0o755)
            write_library(fresh, names, "/course/attnlib/data" if self.sandboxed else SOURCE / "data")
            _compile(fresh / "attnlib", "/notebook/attnlib" if self.sandboxed else str(folder / name / "attnlib"))
            try:
                fresh.rename(folder / name)
            except OSError:
                shutil.rmtree(fresh)
        return f"/libraries/{name}" if self.sandboxed else str(folder / name)

    def fork(self, exercises: Iterable[str] | None) -> Process:
        """A new process for a notebook with these exercises; None: one with the whole library, for no learner's code.

        Returns
        -------
        Process

        Raises
        ------
        NoSandbox
            If namespaces cannot be made.
        """
        said = ""
        for _ in range(2):  # a warm process that was killed gets a successor
            warm = self._living()
            found = warm.forked(self._request(warm, exercises))
            if found is not None:
                return Process(*found, self.limits)
            said = warm.said()
            self.close()
        raise NoSandbox(f"{said or 'the sandbox does not answer'}; {CURE}")

    def _request(self, warm: Warm, exercises: Iterable[str] | None) -> dict[str, Any]:
        """What the warm process has to know to make a notebook's process."""
        limits = self.limits
        request: dict[str, Any] = {
            "library": self._library(warm, exercises),
            "home": warm.home,
            "scratch": limits.disk * MEGABYTE,
            # An empty folder will hide /tmp.
            "below_tmp": [name for name in PYTHON if Path(name).is_relative_to("/tmp")],
            "limits": {
                # Room above what all processes together may really use: a reservation is no use.
                "AS": (limits.memory + 1024) * MEGABYTE,
                "CPU": int(limits.notebook) + 5,  # for what hides from the clock outside
                "FSIZE": limits.disk * MEGABYTE,
                "NOFILE": 256,
                "CORE": 0,  # a crash leaves nothing on this machine
                "STACK": 64 * MEGABYTE,
                # What the kernel counts by user: too little to be missed by another notebook of the same user.
                "SIGPENDING": 1024,
                "MEMLOCK": 0,
                "MSGQUEUE": 0,
            },
        }
        if self.sandboxed:
            # Counted within the notebook's own namespace; without one it would count everything of this user.
            request["limits"]["NPROC"] = limits.processes
        return request


def _compile(folder: Path, there: str) -> None:
    """Write the bytecode of a library beside it, once for all notebooks; `there` is where they will find it."""
    for path in folder.glob("*.py"):
        mode = py_compile.PycInvalidationMode.UNCHECKED_HASH  # nobody changes it any more
        py_compile.compile(str(path), dfile=f"{there}/{path.name}", doraise=True, invalidation_mode=mode)
