"""What is said to a notebook's process: one request at a time, each with its reply."""

import secrets
import time
from collections.abc import Callable
from typing import Any

import numpy as np

from grader.classroom.sandbox.inside.wire import Handles, WireError
from grader.classroom.sandbox.process import FORGED, Ended, Process
from grader.judging.plain import plain

#: Beyond its own time limit, what a process may take to say that it has stopped.
GRACE = 2.0
#: Numbers in the arguments of a judge's function that an answer calls back: the kernels of the course make a matrix of
#: them, or a cube. `leaks_future` may be tried with 64 tokens of 128 numbers; and rows are squared.
LARGEST_CALL = 10_000
LONGEST = 2_000

Take = Callable[[Any], None]


def forget(output: Any) -> None:
    """Take an output that nobody needs: of a probe, or of a cell that runs once more."""


class Line:
    """The line to a notebook's process.

    The process can ask for one thing only: to call a function that the judge itself has handed to an answer, while
    that answer is called.

    Parameters
    ----------
    process : Process
    """

    def __init__(self, process: Process) -> None:
        self.process = process

    def ask(
        self, request: dict[str, Any], seconds: float, take: Take = forget, functions: Handles | None = None
    ) -> dict[str, Any]:
        """Send a request and wait for its reply.

        Parameters
        ----------
        request : dict
        seconds : float
            What it may take, beside the way there and back.
        take : callable
            Takes each output that comes meanwhile, as it comes: nothing of it is to be believed.
        functions : list, optional
            Takes the functions in the request, which the process may call until it replies.

        Returns
        -------
        dict
            As it came.

        Raises
        ------
        Ended
            If there is no reply; then the process has ended.
        """
        until = time.monotonic() + seconds + GRACE
        # A reply to another request is none to this one, so a process cannot answer before it is asked.
        nonce = secrets.token_hex(8)
        self.process.send({**request, "seconds": seconds, "nonce": nonce}, functions)
        while True:
            message = self.process.receive(max(until - time.monotonic(), 0.01))
            kind = message.get("kind") if isinstance(message, dict) else None
            if kind == "reply" and message.get("nonce") == nonce:
                return dict(message)
            if kind == "output":
                take(message.get("output"))
            elif kind == "callback":
                self._call(message, functions or [])
            elif kind != "reply":  # a late reply, to a request that was given up, is no harm
                self.process.end()
                raise Ended(FORGED)

    def _call(self, message: dict[str, Any], functions: Handles) -> None:
        """Call one of the judge's functions for an answer."""
        try:
            reply = {"value": _called(message, functions)}
        except Exception as problem:
            reply = {"error": type(problem).__name__, "message": str(problem)[:500]}
        nonce = message.get("nonce")
        about = {"kind": "reply", "nonce": nonce if isinstance(nonce, str) else ""}
        try:
            self.process.send({**about, **reply})
        except WireError as problem:  # of few numbers, a function can make many
            self.process.send({**about, "error": "ValueError", "message": str(problem)})


def _called(message: dict[str, Any], functions: Handles) -> Any:
    args, kwargs = message["args"], message["kwargs"]
    if not isinstance(args, tuple) or not isinstance(kwargs, dict):
        raise TypeError("arguments are a tuple and a dict")
    given = [*args, *kwargs.values()]
    longest = max((length for one in given for length in np.shape(one)), default=0)
    if sum(map(np.size, given)) > LARGEST_CALL or longest > LONGEST:
        raise ValueError(f"a call with more than {LARGEST_CALL:,} numbers, or more than {LONGEST:,} rows")
    with np.errstate(all="ignore"):
        return plain(functions[int(message["function"])](*args, **kwargs))
