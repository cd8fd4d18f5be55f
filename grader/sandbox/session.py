"""One notebook's process, inside the sandbox: runs its cells and answers the judge's probes, one request at a time.

Whatever happens here, nothing of it is a score: the judge outside sees values that a learner's function returned, and
compares them with references that this process does not have.
"""

import builtins
import random
import secrets
import sys

import numpy as np

from grader.answer import LocalAnswer, NotPlain, StillRunning, plain, time_limit
from grader.sandbox.wire import WireError

__builtins__ = dict(vars(builtins))

#: Exceptions that keep their kind on the way through the border.
ERRORS = {kind.__name__: kind for kind in (ValueError, TypeError, IndexError, KeyError, ZeroDivisionError, MemoryError)}


class SandboxedAnswer(LocalAnswer):
    """An answer whose calls are not interrupted in the middle of a frame."""

    def __init__(self, answer, seconds, channel):
        super().__init__(answer, seconds)
        self._channel = channel

    def _limit(self):
        return time_limit(self._seconds, lambda: not self._channel.busy)


class Session:
    """Serves the judge until it hangs up.

    Parameters
    ----------
    channel : Channel
    shell : Shell
    """

    def __init__(self, channel, shell):
        self._channel, self._shell, self._answer = channel, shell, None
        self._own = []  # functions of this side that the other may call while it answers a request
        shell.publish = lambda output: channel.send({"kind": "output", "output": output})

    def serve(self):
        """Answer requests until the channel closes."""
        random.seed(0)
        np.random.seed(0)  # noqa: NPY002 - what a learner draws from the old generator is the same in every run
        self._shell.open_streams()
        while True:
            try:
                request = self._channel.receive(self._outside)
            except (EOFError, OSError):
                return
            self._reply(request)

    def _reply(self, request):
        try:
            reply = getattr(self, "_on_" + request["kind"])(request)
        except StillRunning:  # the alarm rang once more on the way out
            reply = {"error": "StillRunning"}
        try:
            self._channel.send({"kind": "reply", "nonce": request["nonce"], **reply})
        except WireError as problem:
            self._channel.send(
                {"kind": "reply", "nonce": request["nonce"], "error": "NotPlain", "message": str(problem)}
            )

    def _on_cell(self, request):
        rang = []

        def may_stop():
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
            return {"error": type(problem).__name__, "message": str(problem)[:500]}
        return {"stopped": bool(rang)}  # IPython swallows the interruption itself

    def _on_bind(self, request):
        """Take the value of an expression as the answer to probe."""
        self._answer = None
        try:
            with time_limit(request["seconds"], lambda: not self._channel.busy):
                answer = eval(request["expression"], self._shell.user_ns)
        except BaseException as problem:
            return {"error": type(problem).__name__, "message": str(problem)[:500]}
        self._answer = SandboxedAnswer(answer, request["seconds"], self._channel)
        return {}

    def _on_describe(self, request):
        return {"about": self._answer.describe(request["name"])}

    def _on_value(self, request):
        return self._told(self._answer.value())

    def _on_call(self, request):
        outcome, args, kwargs = self._answer.invoke(request["args"], request["kwargs"])
        return self._told(outcome) | {
            "args": [_seen(value) for value in args],
            "kwargs": {name: _seen(value) for name, value in kwargs.items()},
        }

    def _told(self, outcome):
        return {
            "value": outcome.value,
            "error": outcome.error,
            "message": outcome.message,
            "line": outcome.line,
            "printed": outcome.printed,
            "warned": list(outcome.warned),
            "stopped": outcome.stopped,
        }

    def _on_compute(self, request):
        """Call a function of the library; asked only of a process that holds all of it, and no learner's code."""
        function = getattr(sys.modules["attnlib"], request["name"])
        try:
            with np.errstate(all="ignore"):
                return {"value": _sendable(function(*request["args"], **request["kwargs"]))}
        except Exception as problem:
            return {"error": type(problem).__name__, "message": str(problem)[:500]}

    def _on_callback(self, request):
        """Call a function of this side that went out as an argument."""
        try:
            return {"value": plain(self._own[request["function"]](*request["args"], **request["kwargs"]))}
        except Exception as problem:
            return {"error": type(problem).__name__, "message": str(problem)[:500]}

    # ---- requests of this side

    def _outside(self, number):
        """A function of the judge's, as something to call."""

        def function(*args, **kwargs):
            return self._request({"kind": "callback", "function": number, "args": args, "kwargs": kwargs})

        return function

    def reference(self, name):
        """A function of the library that only pictures may use; it is computed outside."""

        def function(*args, **kwargs):
            return self._request({"kind": "reference", "name": name, "args": args, "kwargs": kwargs})

        function.__name__ = name
        return function

    def _request(self, request):
        __tracebackhide__ = True
        nonce = secrets.token_hex(8)
        handles = []
        # A lambda of a picture crosses as a handle; deeper calls see theirs after those of the calls around them.
        first = len(self._own)
        request = {key: _sendable(value) for key, value in request.items()}
        self._channel.send({**request, "nonce": nonce, "first": first}, handles)
        self._own += handles
        try:
            while True:
                reply = self._channel.receive()
                if reply["kind"] != "reply":
                    self._reply(reply)
                elif reply["nonce"] == nonce:
                    break
        finally:
            del self._own[first:]
        if reply.get("error"):
            raise ERRORS.get(reply["error"], RuntimeError)(reply.get("message", ""))
        return reply["value"]


def _sendable(value):
    """Arguments as they can cross: what is not plain already is made so, functions stay."""
    if isinstance(value, tuple):
        return tuple(_sendable(item) for item in value)
    if isinstance(value, list):
        return [_sendable(item) for item in value]
    if isinstance(value, dict):
        return {key: _sendable(item) for key, item in value.items()}
    if isinstance(value, np.ndarray) or (callable(value) and not hasattr(value, "__array__")):
        return value
    return plain(value)


def _seen(value):
    """An argument after a call, for the judge to compare; functions cannot be changed."""
    if callable(value) and not isinstance(value, np.ndarray):
        return None
    try:
        return plain(value)
    except (NotPlain, RecursionError):
        return "something else"


def serve(descriptor, shell):
    """Serve one notebook on a file descriptor, until the judge hangs up."""
    from grader.sandbox.wire import Channel

    session = Session(Channel(descriptor), shell)
    attnlib = sys.modules.get("attnlib")
    if attnlib is not None:
        attnlib._reference = session.reference
    session.serve()
