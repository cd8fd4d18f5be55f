"""Calling a learner's code, and reading what comes back.

The judge never touches the learner's objects: it sends plain inputs and receives plain values (see plain.py).
`LocalAnswer` does this in the same process, for a notebook; another `Answer` can do it across a process border.
"""

import builtins
import collections
import contextlib
import dis
import functools
import inspect
import io
import linecache
import os
import re
import signal
import sys
import tempfile
import textwrap
import threading
import time
import tracemalloc
import types
import warnings
from abc import ABC, abstractmethod
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any, TypeVar

import numpy as np

from grader.judging.plain import (
    LONGEST_TEXT,
    NotPlain,
    class_name,
    copied,
    identical,
    is_array,
    plain,
    plain_parts,
    seen,
)

# A learner may replace these in NumPy; how a result is read must not change with that.
_errstate = np.errstate

# A class may say that its base classes are others than they are.
_MRO_OF = type.__dict__["__mro__"].__get__

#: Packages whose lines are no line of the learner.
NOT_THE_LEARNERS = {"attnlib", "grader", "numpy"}

SECONDS_PER_CALL = 5.0

#: The exceptions that Python has, by their classes; what a class is called proves nothing.
_EXCEPTIONS = {
    id(kind): name
    for name, kind in vars(builtins).items()
    if isinstance(kind, type) and issubclass(kind, BaseException) and kind.__name__ == name
}

_T = TypeVar("_T")


class StillRunning(BaseException):
    """Raised inside a call that has used up its time (not an Exception: `except Exception` must not swallow it)."""


@dataclass(frozen=True)
class Outcome:
    """What one call did.

    Attributes
    ----------
    value : plain value
        What the call returned; None if it did not return.
    error : str
        Name of the exception's class, "" if none was raised.
    message : str
        The exception's message, or why `value` could not be read.
    line : str
        The answer's own line that raised, "" if unknown.
    changed : tuple of int or str
        Positions or names of the arguments that the call changed in place.
    printed : str
        What the call printed.
    warned : tuple of str
        Warnings that it caused.
    stopped : bool
        True if the call had to be stopped because it did not end.
    kinds : tuple of str
        Names of Python's own exceptions that the exception is one of: its class, and those that this is made from.
    inside : str
        The package and the name of the function that was called at that line, if it was raised in there; "" if not.
    unread : dict of str to str
        Of an answer that is a dict: by name, why a part of it is no data; `value` has the others.
    """

    value: Any = None
    error: str = ""
    message: str = ""
    line: str = ""
    changed: tuple[int | str, ...] = ()
    printed: str = ""
    warned: tuple[str, ...] = ()
    stopped: bool = False
    kinds: tuple[str, ...] = ()
    inside: str = ""
    unread: Mapping[str, str] = field(default_factory=dict)

    def raised(self, name: str) -> bool:
        """True if the call raised this exception, or one that is made from it."""
        # A class of a learner's may be called like one of Python's own.
        return name in (self.kinds or (self.error,)) or (name == self.error and name not in _EXCEPTIONS.values())

    @property
    def refused(self) -> bool:
        """True if the answer's own line raised the error of itself."""
        return bool(self.error and re.search(r"(?:^|: *)(?:raise|assert)\b", self.line))

    @property
    def did(self) -> str:
        """What the call did, in words: no name of ours is among them."""
        if self.error == "NotPlain":
            return f"it returned {self.message}"
        if self.error == "ProcessEnded":
            return "it ended the process that it ran in"
        return f"it raised {self.error}" if self.error else "it returned a result"

    @property
    def ok(self) -> bool:
        """True if the call returned a plain value."""
        return not self.error and not self.stopped

    @property
    def exhausted(self) -> bool:
        """True if the call used up its time, its memory or its process: that says nothing of values."""
        return self.stopped or self.error in ("ProcessEnded", "MemoryError")


@contextlib.contextmanager
def quiet_descriptors() -> Iterator[None]:
    """Keep what is written to the file descriptors 1 and 2 (by C code or child processes) off the notebook.

    nbgrader gives zero to a cell with anything on its stderr, so a stray line there must not reach it.
    """
    saved = []
    try:
        with tempfile.TemporaryFile() as sink:
            for stream, number in ((sys.__stdout__, 1), (sys.__stderr__, 2)):
                with contextlib.suppress(OSError, ValueError):
                    if stream is not None:
                        stream.flush()
                with contextlib.suppress(OSError):
                    saved.append((number, os.dup(number)))
                    os.dup2(sink.fileno(), number)
            yield
    finally:
        for number, copy in saved:
            os.dup2(copy, number)
            os.close(copy)


@contextlib.contextmanager
def time_limit(seconds: float, may_stop: Callable[[], bool] = lambda: True) -> Iterator[None]:
    """Raise `StillRunning` in this thread after `seconds`, and again and again until the block is left.

    With timer signals, `may_stop` is asked first; while it says no, the next moment is waited for.
    """
    if hasattr(signal, "setitimer") and threading.current_thread() is threading.main_thread():

        def stop(signum: int, frame: object) -> None:
            if may_stop():
                raise StillRunning

        before = signal.signal(signal.SIGALRM, stop)
        signal.setitimer(signal.ITIMER_REAL, seconds, 0.2)
        try:
            yield
        finally:
            signal.setitimer(signal.ITIMER_REAL, 0)
            signal.signal(signal.SIGALRM, before)
        return

    import ctypes  # only where there are no timer signals (Windows, or not the main thread)

    thread, left = threading.get_ident(), threading.Event()

    def watch() -> None:
        pause = seconds
        while not left.wait(pause):
            ctypes.pythonapi.PyThreadState_SetAsyncExc(ctypes.c_ulong(thread), ctypes.py_object(StillRunning))
            pause = 0.2

    threading.Thread(target=watch, daemon=True).start()
    try:
        yield
    finally:
        left.set()


def body_is_empty(function: object) -> bool:
    """True if a function's body is nothing but a docstring, `pass` or `...`."""
    code = getattr(function, "__code__", None)
    if code is None:
        return False
    returned = None
    for step in dis.get_instructions(code):
        if step.opname not in {"RESUME", "NOP", "LOAD_CONST", "RETURN_VALUE", "RETURN_CONST"}:
            return False
        if step.opname in {"LOAD_CONST", "RETURN_CONST"}:
            returned = step.argval
    return returned is None


def library_call(function: object, name: str) -> str:
    """The dotted name by which `function` is, or calls, the library's own function `name`; "" if it does not.

    Looks at names only: whoever wants to hide a call can, and learns nothing. Trusted grading does not rely on it.
    """

    def is_library(thing: object) -> bool:
        return callable(thing) and _said_of(thing, "__module__").split(".")[0] == "attnlib"

    if is_library(function):
        return f"attnlib.{_said_of(function, '__name__') or name}"
    scope = dict(getattr(function, "__globals__", {}))
    for free, cell in zip(
        getattr(getattr(function, "__code__", None), "co_freevars", ()),
        getattr(function, "__closure__", None) or (),
        strict=False,
    ):
        with contextlib.suppress(ValueError):  # a variable that has no value yet
            scope[free] = cell.cell_contents
    codes = [getattr(function, "__code__", None)]
    while codes:
        code = codes.pop()
        if code is None:
            continue
        codes += [constant for constant in code.co_consts if isinstance(constant, types.CodeType)]
        for used in (*code.co_names, *code.co_freevars):
            thing = scope.get(used)
            if is_library(thing) and _said_of(thing, "__name__") == name:
                return f"attnlib.{name}"
            module = _said_of(thing, "__name__") if issubclass(type(thing), types.ModuleType) else ""
            if module.split(".")[0] == "attnlib" and name in code.co_names:
                return f"{module}.{name}"
    return ""


def _said_of(thing: object, name: str) -> str:
    """A text among a thing's attributes, "" if there is none; a thing may do anything when it is asked."""
    try:
        said = getattr(thing, name, "")
    except Exception:
        return ""
    return said if type(said) is str else ""


class Answer(ABC):
    """A learner's answer, wherever it is: all that the judge asks of it."""

    @abstractmethod
    def describe(self, name: str) -> dict[str, Any]:
        """What kind of thing the answer is.

        Parameters
        ----------
        name : str
            The function that the exercise asks for, to recognise the library's own.

        Returns
        -------
        dict of str to str or bool
            "callable", "type", "empty" (nothing has been written yet) and "library" (the dotted name of the library's
            own function where that does the work).
        """

    @abstractmethod
    def value(self) -> Outcome:
        """The answer itself as a plain value."""

    def source(self) -> str:
        """The lines of the learner's function, "" if they are not known."""
        return ""

    @abstractmethod
    def call(self, args: Sequence[Any], kwargs: Mapping[str, Any]) -> Outcome:
        """Call the answer on plain arguments and tell what happened."""

    @abstractmethod
    def held(self, args: Sequence[Any], kwargs: Mapping[str, Any]) -> tuple[Outcome, int | None]:
        """Call the answer, and say how many bytes it held at once at the most; None where that cannot be seen."""

    def calls(self, many: Iterable[tuple[Sequence[Any], Mapping[str, Any]]]) -> Iterator[Outcome]:
        """Call the answer on one after the other; whoever has seen enough asks for no more."""
        for args, kwargs in many:
            yield self.call(args, kwargs)


def is_answer(thing: object) -> bool:
    """True for an `Answer`; a learner's object may say of its class what it likes, or raise."""
    return any(kind is Answer for kind in _MRO_OF(type(thing)))


class LocalAnswer(Answer):
    """A learner's answer in this process: a function, or a value.

    Parameters
    ----------
    answer : object
        What the learner's cell made.
    seconds : float
        Time that one call may take.
    """

    def __init__(self, answer: Any, seconds: float = SECONDS_PER_CALL):
        self._answer = answer
        self._seconds = seconds

    def describe(self, name: str) -> dict[str, Any]:
        """What kind of thing the answer is."""
        answer, can_be_called = self._answer, callable(self._answer)
        return {
            "callable": can_be_called,
            "type": class_name(type(answer)),
            "empty": self._look(lambda: body_is_empty(answer), False) if can_be_called else answer is None,
            "library": self._look(lambda: library_call(answer, name), "") if can_be_called else "",
        }

    def value(self) -> Outcome:
        """The answer itself as a plain value."""
        kind = class_name(type(self._answer))
        return self._look(self._value, Outcome(error="NotPlain", message=f"an object of type {kind} without a value"))

    def _value(self) -> Outcome:
        try:
            value, unread = plain_parts(self._answer)
            return Outcome(value=value, unread=unread)
        except NotPlain as problem:
            return Outcome(error="NotPlain", message=str(problem))

    def _look(self, at: Callable[[], _T], otherwise: _T) -> _T:
        """What a look at something of the learner's gives: it may do anything then, even not come to an end."""
        try:
            with warnings.catch_warnings(), self._limit():
                warnings.simplefilter("ignore")
                return at()
        except KeyboardInterrupt:
            raise
        except BaseException:
            return otherwise

    def call(self, args: Sequence[Any], kwargs: Mapping[str, Any]) -> Outcome:
        """Call the answer on copies of plain arguments and tell what happened."""
        outcome, sent_args, sent_kwargs = self.invoke(copied(args), copied(kwargs))
        changed = self._look(lambda: changed_places(args, kwargs, sent_args, sent_kwargs), (*range(len(args)), *kwargs))
        return replace(outcome, changed=changed)

    def held(self, args: Sequence[Any], kwargs: Mapping[str, Any]) -> tuple[Outcome, int | None]:
        """Call the answer, and say how many bytes it held at once at the most."""
        traced_already = tracemalloc.is_tracing()
        tracemalloc.start()
        tracemalloc.reset_peak()
        before, _ = tracemalloc.get_traced_memory()
        try:
            outcome = self.call(args, kwargs)
            _, most = tracemalloc.get_traced_memory()
            return outcome, most - before if tracemalloc.is_tracing() else None
        finally:
            if not traced_already:
                tracemalloc.stop()

    def source(self) -> str:
        """The lines of the learner's function, after the numbers from outside that it uses; "" without lines."""
        try:
            inner = inspect.unwrap(self._answer)
            lines, outside = inspect.getsource(inner), inner.__globals__
            used = [name for name in inner.__code__.co_names if type(outside.get(name)) in (int, float)]
            return "".join(f"{name} = {outside[name]!r}\n" for name in used) + textwrap.dedent(lines)
        except Exception:  # no function, or one that was not read from lines
            return ""

    def _limit(self) -> contextlib.AbstractContextManager[None]:
        return time_limit(self._seconds)

    def invoke(
        self, args: Sequence[Any], kwargs: Mapping[str, Any]
    ) -> tuple[Outcome, Sequence[Any], Mapping[str, Any]]:
        """Call the answer on these very arguments; returns the `Outcome` and the arguments as the call left them."""
        printed = io.StringIO()
        value: Any = None
        problem: BaseException | None = None
        stopped = False
        with (
            warnings.catch_warnings(record=True) as caught,
            _errstate(divide="warn", over="warn", under="ignore", invalid="warn"),
        ):
            warnings.simplefilter("always")
            with contextlib.redirect_stdout(printed), contextlib.redirect_stderr(printed):
                try:
                    with self._limit():
                        value = plain(self._answer(*args, **kwargs))
                except StillRunning:
                    stopped = True
                except KeyboardInterrupt:
                    raise
                except BaseException as raised:  # SystemExit too: a learner's exit() must not end the notebook
                    problem = raised
                began = time.monotonic()
                error, kinds, message, line, inside = self.told(problem)
                # A message that never ends would cost as much in every further call: this was the last.
                stopped = stopped or time.monotonic() - began > 0.9 * self._seconds
                warned = [self._look(functools.partial(_words, warning.message), "") for warning in caught]
        outcome = Outcome(
            value=value,
            error=error,
            message=message[:500],
            line=line,
            inside=inside,
            printed=_printed(printed),
            warned=tuple(dict.fromkeys(words[:200] for words in warned if words)),
            stopped=stopped,
            kinds=kinds,
        )
        return outcome, args, kwargs

    def told(self, problem: BaseException | None) -> tuple[str, tuple[str, ...], str, str, str]:
        """An exception's name, the names of Python's own that it is one of, its message, and where it came of: the
        answer's line, and the function that was called there."""
        if problem is None:
            return "", (), "", "", ""
        kind = type(problem)
        raised = () if kind is NotPlain else _MRO_OF(kind)  # whoever returns what is no data has raised nothing
        kinds = tuple(_EXCEPTIONS[id(base)] for base in raised if id(base) in _EXCEPTIONS)
        message = self._look(lambda: _words(problem), "(its message cannot be shown)")
        # In a notebook a box of the exam is one of these, in the sandbox a function.
        message = message.replace("functools._lru_cache_wrapper", "function")
        line, inside = self._look(lambda: _where(problem), ("", ""))
        return class_name(kind), kinds, message, clean(line), clean(inside)


def changed_places(
    args: Sequence[Any], kwargs: Mapping[str, Any], args_after: Sequence[Any], kwargs_after: Mapping[str, Any]
) -> tuple[int | str, ...]:
    """Positions and names of the arguments that a call has changed."""

    def same(before: Any, after: Any) -> bool:
        if is_array(before) and is_array(after):
            return identical(before, after)
        return identical(seen(before), seen(after))

    places = [i for i, (before, after) in enumerate(zip(args, args_after, strict=True)) if not same(before, after)]
    return (*places, *(name for name in kwargs if not same(kwargs[name], kwargs_after[name])))


def _printed(stream: io.StringIO) -> str:
    try:
        return clean(io.StringIO.getvalue(stream)[:LONGEST_TEXT])
    except ValueError:  # closed
        return ""


def _words(problem: object) -> str:
    return clean(str.__str__(str(problem)))


def clean(text: Any) -> str:
    """Text that can be written and shown: without lone surrogates and control characters but those of a terminal."""
    if not isinstance(text, str):
        return ""
    text = text.encode("utf-8", "replace").decode("utf-8")
    return "".join(c for c in text if c >= " " or c in "\n\t\r\b\x1b") if any(c < " " for c in text) else text


def _where(problem: BaseException) -> tuple[str, str]:
    """The line of the answer itself that an exception came of, and the function that was called there, if it came of
    inside it: an answer may call a library's, the course's, or one that the learner wrote in another cell."""
    steps, step = [], problem.__traceback__
    while step is not None:
        steps.append(step)
        step = step.tb_next
    files = [step.tb_frame.f_code.co_filename for step in steps]
    own = next((file for file, step in zip(files, steps, strict=True) if _is_the_learners(step.tb_frame)), None)
    if own is None:
        return "", ""
    if isinstance(problem, RecursionError):  # where the stack was full says nothing: what calls itself is there often
        again = collections.Counter(zip(files, (step.tb_lineno for step in steps), strict=True)).most_common(1)[0][0]
        if again[0] == own:
            return linecache.getline(*again).strip(), ""
    last = max(place for place, file in enumerate(files) if file == own)
    inside = ""
    if last + 1 < len(steps):
        frame = steps[last + 1].tb_frame
        inside = f"{str(frame.f_globals.get('__name__', '')).partition('.')[0]}.{frame.f_code.co_name}"
    return linecache.getline(own, steps[last].tb_lineno).strip(), inside


def _is_the_learners(frame: types.FrameType) -> bool:
    module = str(frame.f_globals.get("__name__", "")).partition(".")[0]
    return module not in NOT_THE_LEARNERS and "site-packages" not in frame.f_code.co_filename
