"""One notebook's process, inside the sandbox: runs its cells and answers the judge's probes, one request at a time.

Whatever happens here, nothing of it is a score: the judge outside sees values that a learner's function returned, and
compares them with references that this process does not have.
"""

import builtins
import os
import random
import secrets
import threading
from collections.abc import Callable
from contextlib import AbstractContextManager
from typing import TYPE_CHECKING, Any

import numpy as np

from grader.classroom.sandbox.inside.wire import Channel, WireError
from grader.judging.answer import LocalAnswer, Outcome, StillRunning, time_limit
from grader.judging.plain import plain, seen

if TYPE_CHECKING:
    from grader.classroom.sandbox.inside.shell import Shell

# A learner's code may replace what the name `len` means to everybody; not to this module.
__builtins__ = dict(vars(builtins))  # type: ignore[assignment]

#: Exceptions that keep their kind on the way through the border.
ERRORS = {
    kind.__name__: kind
    for kind in (ValueError, TypeError, IndexError, KeyError, AttributeError, ZeroDivisionError, MemoryError)
}


class SandboxedAnswer(LocalAnswer):
    """An answer whose calls are not interrupted in the middle of a frame."""

    def __init__(self, answer: object, seconds: float, channel: Channel) -> None:
        super().__init__(answer, seconds)
        self._channel = channel

    def _limit(self) -> AbstractContextManager[None]:
        return time_limit(self._seconds, lambda: not self._channel.busy)


class Session:
    """Serves the judge until it hangs up.

    Parameters
    ----------
    channel : Channel
    shell : Shell
    """

    def __init__(self, channel: Channel, shell: "Shell") -> None:
        self._channel, self._shell = channel, shell
        self._answer: LocalAnswer = LocalAnswer(None)
        self._process, self._one_by_one = os.getpid(), threading.Lock()
        shell.publish = self._publish

    def _publish(self, output: dict[str, Any]) -> None:
        """Hand an output on; one that is too large for that is no reason for the rest of a cell not to run."""
        try:
            self._channel.send({"kind": "output", "output": output})
        except WireError:
            words = "(Something that this cell shows is too large while a notebook is graded, and was left out.)\n"
            self._publish({"output_type": "stream", "name": "stdout", "text": words})

    def serve(self) -> None:
        """Answer requests until the channel closes."""
        random.seed(0)
        np.random.seed(0)  # noqa: NPY002 - what a learner draws from the old generator is the same in every run
        self._shell.open_streams()
        while True:
            try:
                request = self._channel.receive(self._of_the_judge)
            except (EOFError, OSError):
                return
            self._reply(request)

    def _reply(self, request: dict[str, Any]) -> None:
        try:
            reply = getattr(self, "_on_" + request["kind"])(request)
        except StillRunning:  # the alarm rang once more on the way out
            reply = {"error": "StillRunning"}
        self._send({"kind": "reply", "nonce": request["nonce"]}, reply)

    def _send(self, about: dict[str, Any], reply: dict[str, Any]) -> None:
        try:
            self._channel.send(about | reply)
        except WireError as problem:
            self._channel.send({**about, "error": "NotPlain", "message": str(problem)})

    def _on_cell(self, request: dict[str, Any]) -> dict[str, Any]:
        rang: list[bool] = []

        def may_stop() -> bool:
            if not self._channel.busy:
                rang.append(True)
            return not self._channel.busy

        try:
            with time_limit(request["seconds"], may_stop):
                self._shell.run(request["source"])
        except StillRunning:
            pass
        except BaseException as problem:
            # What gets past IPython is a learner's doing too (a broken display hook, say), and costs this cell only.
            return self._failed(problem)
        return {"stopped": bool(rang)}  # IPython swallows the interruption itself

    def _on_bind(self, request: dict[str, Any]) -> dict[str, Any]:
        """Take the value of an expression as the answer to probe."""
        self._answer = LocalAnswer(None)
        try:
            with time_limit(request["seconds"], lambda: not self._channel.busy):
                answer = eval(request["expression"], self._shell.user_ns)
        except BaseException as problem:
            return self._failed(problem)
        self._answer = SandboxedAnswer(answer, request["seconds"], self._channel)
        return {"about": {name: self._answer.describe(name) for name in request.get("names", ())}}

    def _failed(self, problem: BaseException) -> dict[str, Any]:
        error, _, message, *_ = LocalAnswer(None).told(problem)
        return {"error": error, "message": message[:500]}

    def _on_describe(self, request: dict[str, Any]) -> dict[str, Any]:
        return {"about": self._answer.describe(request["name"])}

    def _on_value(self, request: dict[str, Any]) -> dict[str, Any]:
        return self._told(self._answer.value())

    def _on_call(self, request: dict[str, Any]) -> dict[str, Any]:
        return self._called(request["args"], request["kwargs"])

    def _on_calls(self, request: dict[str, Any]) -> dict[str, Any]:
        """One call after the other; what came of each is told at once, and after one that was stopped comes none."""
        for args, kwargs in request["calls"]:
            told = self._called(args, kwargs)
            self._send({"kind": "outcome", "nonce": request["nonce"]}, told)
            if told["stopped"]:
                break
        return {}

    def _called(self, args: Any, kwargs: Any) -> dict[str, Any]:
        outcome, args, kwargs = self._answer.invoke(args, kwargs)
        return self._told(outcome) | {
            "args": [seen(value) for value in args],
            "kwargs": {name: seen(value) for name, value in kwargs.items()},
        }

    def _told(self, outcome: Outcome) -> dict[str, Any]:
        return {
            "value": outcome.value,
            "error": outcome.error,
            "kinds": list(outcome.kinds),
            "message": outcome.message,
            "line": outcome.line,
            "inside": outcome.inside,
            "printed": outcome.printed,
            "warned": list(outcome.warned),
            "stopped": outcome.stopped,
            "unread": dict(outcome.unread),
        }

    def _of_the_judge(self, number: int) -> Callable[..., Any]:
        """A function that the judge has handed to an answer as an argument; the judge calls it and says what came."""

        def function(*args: Any, **kwargs: Any) -> Any:
            __tracebackhide__ = True
            if os.getpid() != self._process:
                raise RuntimeError("only the process that was handed this function can call it: leave multiprocessing")
            nonce = secrets.token_hex(8)
            args, kwargs = plain(args), plain(kwargs)
            asked = {"kind": "callback", "function": number, "args": args, "kwargs": kwargs, "nonce": nonce}
            with self._one_by_one:  # an answer may have threads; there is one line
                self._channel.send(asked)
                while (reply := self._channel.receive())["nonce"] != nonce:
                    pass  # to a call that was interrupted
            if reply.get("error"):
                raise ERRORS.get(reply["error"], RuntimeError)(reply.get("message", ""))
            value = reply["value"]
            if reply.get("frozen"):  # as it is without a border
                value.flags.writeable = False
            return np.float64(value) if type(value) is float else value  # as NumPy's own functions return a number

        return function


def serve(descriptor: int, shell: "Shell") -> None:
    """Serve one notebook on a file descriptor, until the judge hangs up."""
    Session(Channel(descriptor), shell).serve()
