"""Calling a learner's code, and reading what comes back.

The judge never touches the learner's objects: it sends plain inputs and receives plain values
(arrays, strings, numbers, booleans, None, and lists, tuples and dicts of these). `LocalAnswer` does this in the
same process, for a notebook; another `Answer` can do it across a process border.
"""

import contextlib
import dis
import inspect
import io
import os
import signal
import sys
import tempfile
import threading
import traceback
import types
import warnings
from abc import ABC, abstractmethod
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np

# A learner may replace these in NumPy; how a result is read must not change with that.
_array, _asarray, _array_equal, _errstate = np.array, np.asarray, np.array_equal, np.errstate
_ndarray, _generic = np.ndarray, np.generic

_COURSE = os.path.dirname(os.path.dirname(__file__))

SECONDS_PER_CALL = 5.0
LARGEST_ARRAY = 1_000_000
LONGEST_TEXT = 20_000


class NotPlain(TypeError):
    """A value that is not made of arrays, text, numbers, booleans and None."""


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
        The learner's line that raised, "" if unknown.
    changed : tuple of int or str
        Positions or names of the arguments that the call changed in place.
    printed : str
        What the call printed.
    warned : tuple of str
        Warnings that it caused.
    stopped : bool
        True if the call had to be stopped because it did not end.
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

    @property
    def ok(self) -> bool:
        """True if the call returned a plain value."""
        return not self.error and not self.stopped


def plain(value: Any, depth: int = 0) -> Any:
    """Copy `value` as plain data, or raise `NotPlain` with the reason in words."""
    if value is None or isinstance(value, (bool, int, float, str)):
        if isinstance(value, str) and len(value) > LONGEST_TEXT:
            raise NotPlain(f"a text of {len(value):,} characters")
        for kind in (bool, int, float, str):
            if isinstance(value, kind):
                return kind(value)
        return None
    if isinstance(value, _generic):
        value = _asarray(value)
    if isinstance(value, _ndarray):
        if value.dtype.kind == "U":
            return plain(_asarray(value).tolist(), depth)
        if value.dtype.kind == "c":
            raise NotPlain("an array of complex numbers")
        if value.dtype.kind not in "biuf":
            what = "objects" if value.dtype.kind == "O" else f"type {value.dtype}"
            raise NotPlain(f"an array of {what} instead of numbers (do its rows have different lengths?)")
        if value.size > LARGEST_ARRAY:
            raise NotPlain(f"an array of {value.size:,} numbers (shape {value.shape})")
        return _array(_ndarray.view(value, _ndarray), copy=True)
    if isinstance(value, types.FunctionType | types.BuiltinFunctionType | types.MethodType):
        raise NotPlain("a function (are the parentheses of a call missing?)")
    if isinstance(value, (set, frozenset)):
        value = sorted(value, key=repr)
    if depth > 6:
        raise NotPlain("lists nested too deeply")
    if isinstance(value, (list, tuple)):
        if len(value) > LARGEST_ARRAY:
            raise NotPlain(f"a list of {len(value):,} items")
        items = [plain(item, depth + 1) for item in value]
        return tuple(items) if isinstance(value, tuple) else items
    if isinstance(value, dict):
        return {plain(key, depth + 1): plain(item, depth + 1) for key, item in value.items()}
    if hasattr(value, "__array__"):  # tensors and data frames of other libraries
        return plain(_asarray(value), depth + 1)
    raise NotPlain(f"an object of type {type(value).__name__}")


def copied(value: Any) -> Any:
    """A copy of a plain input; functions pass through, because they cannot be changed in place."""
    if isinstance(value, _ndarray):
        return value.copy()
    if isinstance(value, (list, tuple)):
        return type(value)(copied(item) for item in value)
    if isinstance(value, dict):
        return {key: copied(item) for key, item in value.items()}
    return value


def identical(first: Any, second: Any) -> bool:
    """True if two plain values are the same in type, shape and every entry (NaN equals NaN)."""
    if isinstance(first, _ndarray):
        return (
            isinstance(second, _ndarray)
            and first.shape == second.shape
            and first.dtype == second.dtype
            and _array_equal(first, second, equal_nan=first.dtype.kind == "f")
        )
    if isinstance(first, (list, tuple)):
        return (
            type(first) is type(second)
            and len(first) == len(second)
            and all(identical(a, b) for a, b in zip(first, second, strict=True))
        )
    if isinstance(first, dict):
        return (
            isinstance(second, dict)
            and list(first) == list(second)
            and all(identical(first[key], second[key]) for key in first)
        )
    return first is second or (type(first) is type(second) and bool(first == second))


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
        return callable(thing) and (getattr(thing, "__module__", None) or "").split(".")[0] == "attnlib"

    if is_library(function):
        return f"attnlib.{getattr(function, '__name__', name)}"
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
            if is_library(thing) and getattr(thing, "__name__", "") == name:
                return f"attnlib.{name}"
            module = getattr(thing, "__name__", "") if isinstance(thing, types.ModuleType) else ""
            if module.split(".")[0] == "attnlib" and name in code.co_names:
                return f"{module}.{name}"
    return ""


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
        """What the learner wrote, "" if that is not known."""
        return ""

    @abstractmethod
    def call(self, args: Sequence[Any], kwargs: Mapping[str, Any]) -> Outcome:
        """Call the answer on plain arguments and tell what happened."""


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
        answer = self._answer
        return {
            "callable": callable(answer),
            "type": type(answer).__name__,
            "empty": body_is_empty(answer) if callable(answer) else answer is None,
            "library": library_call(answer, name) if callable(answer) else "",
        }

    def value(self) -> Outcome:
        """The answer itself as a plain value."""
        try:
            return Outcome(value=plain(self._answer))
        except NotPlain as problem:
            return Outcome(error="NotPlain", message=str(problem))
        except Exception as problem:  # an object may do anything when it is looked at
            return Outcome(error=type(problem).__name__, message=str(problem))

    def call(self, args: Sequence[Any], kwargs: Mapping[str, Any]) -> Outcome:
        """Call the answer on copies of plain arguments and tell what happened."""
        outcome, sent_args, sent_kwargs = self.invoke(copied(args), copied(kwargs))
        return replace(outcome, changed=changed_places(args, kwargs, sent_args, sent_kwargs))

    def source(self) -> str:
        """The lines of the learner's function, "" if they cannot be had."""
        try:
            return inspect.getsource(self._answer)
        except Exception:  # no function, or one that was not read from lines
            return ""

    def _limit(self) -> contextlib.AbstractContextManager[None]:
        return time_limit(self._seconds)

    def invoke(
        self, args: Sequence[Any], kwargs: Mapping[str, Any]
    ) -> tuple[Outcome, Sequence[Any], Mapping[str, Any]]:
        """Call the answer on these very arguments; returns the `Outcome` and the arguments as the call left them."""
        printed = io.StringIO()
        value, error, message, line, stopped = None, "", "", "", False
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
                except BaseException as problem:  # SystemExit too: a learner's exit() must not end the notebook
                    error, line = type(problem).__name__, _line_of(problem)
                    try:
                        message = str(problem)
                    except Exception:
                        message = "(its message cannot be shown)"
        outcome = Outcome(
            value=value,
            error=error,
            message=message[:500],
            line=line,
            printed=printed.getvalue()[:LONGEST_TEXT],
            warned=tuple(dict.fromkeys(str(warning.message)[:200] for warning in caught)),
            stopped=stopped,
        )
        return outcome, args, kwargs


def changed_places(
    args: Sequence[Any], kwargs: Mapping[str, Any], args_after: Sequence[Any], kwargs_after: Mapping[str, Any]
) -> tuple[int | str, ...]:
    """Positions and names of the arguments that a call has changed."""
    places = [i for i, (before, after) in enumerate(zip(args, args_after, strict=True)) if not identical(before, after)]
    return (*places, *(name for name in kwargs if not identical(kwargs[name], kwargs_after[name])))


def _line_of(problem: BaseException) -> str:
    """The last line of the learner's own code in a traceback (not of a library's)."""
    own = [
        frame
        for frame in traceback.extract_tb(problem.__traceback__)
        if "site-packages" not in frame.filename and not frame.filename.startswith(_COURSE)
    ]
    return own[-1].line.strip() if own and own[-1].line else ""
