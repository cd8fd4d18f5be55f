"""What is said to a notebook's process: one request at a time, each with its reply."""

import re
import secrets
import time
from collections.abc import Callable
from typing import Any

import numpy as np

from grader.classroom.sandbox.inside.wire import Handles, WireError
from grader.classroom.sandbox.process import FORGED, Ended, Process
from grader.judging.plain import extent, plain

#: Beyond its own time limit, what a process may take to say that it has stopped.
GRACE = 2.0
#: Numbers in the arguments of a judge's function that an answer calls back: the kernels of the course make a matrix of
#: them, or a cube. `leaks_future` may be tried with 100 tokens of 128 numbers; and rows are squared.
LARGEST_CALL = 40_000
LONGEST = 2_000
#: Numbers times rows: 40 MB of what may be made of them, and that a few times over.
LARGEST_CUBE = 5_000_000
#: Letters of what a process calls something, an output or a call: ours are short.
LONGEST_NAME = 100

#: How Python names a function whose arguments do not fit. Which one it is, an answer is to find out by looking.
_NAMED = re.compile(r"[\w.<>]+\(\)")

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
        self,
        request: dict[str, Any],
        seconds: float,
        take: Take = forget,
        functions: Handles | None = None,
        each: Take | None = None,
    ) -> dict[str, Any]:
        """Send a request and wait for its reply.

        Parameters
        ----------
        request : dict
        seconds : float
            What it may take, beside the way there and back; of several calls, each.
        take : callable
            Takes each output that comes meanwhile, as it comes: nothing of it is to be believed.
        functions : list, optional
            Takes the functions in the request, which the process may call until it replies.
        each : callable, optional
            Takes what came of each of the "calls" in the request, as it comes.

        Returns
        -------
        dict
            As it came.

        Raises
        ------
        Ended
            If there is no reply; then the process has ended.
        """
        until, left = time.monotonic() + seconds + GRACE, len(request.get("calls", ()))
        # A reply to another request is none to this one, so a process cannot answer before it is asked.
        nonce = secrets.token_hex(8)
        self.process.send({**request, "seconds": seconds, "nonce": nonce}, functions)
        while True:
            message = self.process.receive(max(until - time.monotonic(), 0.01))
            kind, about = _kind_of(message)
            if kind == "reply" and about == nonce:
                return _reply(message)
            if kind == "outcome" and about == nonce and each and left:
                each(_reply(message))
                until, left = time.monotonic() + seconds + GRACE, left - 1
            elif kind == "output":
                take(message.get("output"))
            elif kind == "callback":
                self._call(message, functions or [])
            elif kind != "reply":  # a late reply, to a request that was given up, is no harm
                self.process.end()
                raise Ended(FORGED)

    def _call(self, message: dict[str, Any], functions: Handles) -> None:
        """Call one of the judge's functions for an answer."""
        try:
            value = _called(message, functions)
            reply = {"value": plain(value), "frozen": isinstance(value, np.ndarray) and not value.flags.writeable}
        except Exception as problem:
            reply = {"error": type(problem).__name__, "message": _NAMED.sub("the function", str(problem))[:500]}
        about = {"kind": "reply", "nonce": _kind_of(message)[1]}
        try:
            self.process.send({**about, **reply})
        except WireError as problem:  # of few numbers, a function can make many
            self.process.send({**about, "error": "ValueError", "message": str(problem)})


def _kind_of(message: Any) -> tuple[str, str]:
    """A message's kind, and the request that it speaks of; "" for what is no name."""
    said = [message.get(key) if isinstance(message, dict) else "" for key in ("kind", "nonce")]
    kind, nonce = (one if isinstance(one, str) and len(one) <= LONGEST_NAME else "" for one in said)
    return kind, nonce


def _reply(message: dict[Any, Any]) -> dict[str, Any]:
    """A reply without what no reply of ours has: arrays stand where values do, and nowhere else."""
    values = ("value", "args", "kwargs", "about", "kinds", "warned", "unread")
    return {key: one for key, one in message.items() if key in values or one is None or type(one) in (str, bool)}


def _called(message: dict[str, Any], functions: Handles) -> Any:
    args, kwargs = message["args"], message["kwargs"]
    if not isinstance(args, tuple) or not isinstance(kwargs, dict):
        raise TypeError("arguments are a tuple and a dict")
    for one in (*args, *kwargs.values()):
        texts, longest = _texts(one)
        # NumPy gives each of them the room of the longest, as soon as it is asked for a shape.
        if texts * longest > LARGEST_CUBE:
            raise ValueError(f"a call with texts of more than {LARGEST_CUBE:,} letters")
    shapes = [np.shape(one) for one in (*args, *kwargs.values())]
    numbers = sum(map(extent, shapes))
    longest = max((length for shape in shapes for length in shape), default=0)
    if numbers > LARGEST_CALL or longest > LONGEST or numbers * longest > LARGEST_CUBE:
        raise ValueError(f"a call with more than {LARGEST_CALL:,} numbers, or more than {LONGEST:,} rows")
    args, kwargs = map(_single, args), {name: _single(value) for name, value in kwargs.items()}
    with np.errstate(all="ignore"):
        return functions[int(message["function"])](*args, **kwargs)


def _texts(value: Any) -> tuple[int, int]:
    """How many things there are in a value, and the letters of the longest text among them."""
    if isinstance(value, np.ndarray):
        return value.size, value.dtype.itemsize // 4 if value.dtype.kind == "U" else 0
    if isinstance(value, dict):
        value = [*value, *value.values()]
    if isinstance(value, (list, tuple)):
        inside = [_texts(one) for one in value]
        return sum(size for size, _ in inside), max((longest for _, longest in inside), default=0)
    return 1, len(value) if isinstance(value, str) else 0


def _single(value: Any) -> Any:
    """A number of NumPy's as one of Python's: on the way it has become an array without axes."""
    return value.item() if isinstance(value, np.ndarray) and value.ndim == 0 else value
