"""Calling a learner's code, and reading what comes back.

The judge never touches the learner's objects: it sends plain inputs and receives plain values
(arrays, strings, numbers, booleans, None, and lists, tuples and dicts of these). `LocalAnswer` does this in the
same process, for a notebook; another `Answer` can do it across a process border.
"""

import builtins
import contextlib
import dis
import functools
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
from decimal import Decimal
from fractions import Fraction
from typing import Any, TypeVar

import numpy as np

# A learner may replace these in NumPy; how a result is read must not change with that.
_array, _asarray, _array_equal, _errstate = np.array, np.asarray, np.array_equal, np.errstate
_ndarray, _generic, _float = np.ndarray, np.generic, np.dtype(np.float64)

# A class may say that its name, its base classes or the class of its objects are others than they are.
_NAME_OF, _MRO_OF = type.__dict__["__name__"].__get__, type.__dict__["__mro__"].__get__

_COURSE = os.path.dirname(os.path.dirname(__file__))

SECONDS_PER_CALL = 5.0
LARGEST_ARRAY = 1_000_000
MOST_TOGETHER = 2_000_000
LONGEST_TEXT = 20_000
MOST_AXES = 32
LARGEST_WHOLE = 1023  # binary digits

#: The exceptions that Python has, by their classes; what a class is called proves nothing.
_EXCEPTIONS = {
    id(kind): name
    for name, kind in vars(builtins).items()
    if isinstance(kind, type) and issubclass(kind, BaseException) and kind.__name__ == name
}

#: What is no data, in words.
REFUSED: tuple[tuple[Any, str], ...] = (
    (
        (types.FunctionType, types.BuiltinFunctionType, types.MethodType),
        "a function (are the parentheses of a call missing?)",
    ),
    (type, "a class (are the parentheses of a call missing?)"),
    (types.GeneratorType, "a generator (`list(...)` makes a list of it)"),
    (complex, "a complex number"),
    ((bytes, bytearray), "bytes"),
)


_T = TypeVar("_T")


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
    kinds : tuple of str
        Names of Python's own exceptions that the exception is one of: its class, and those that this is made from.
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

    def raised(self, name: str) -> bool:
        """True if the call raised this exception, or one that is made from it."""
        return name in (self.error, *self.kinds)

    @property
    def ok(self) -> bool:
        """True if the call returned a plain value."""
        return not self.error and not self.stopped


def plain(value: Any) -> Any:
    """Copy `value` as plain data, or raise `NotPlain` with the reason in words.

    What `value` says of itself is not asked: its true type decides, and nothing of its own is called but `__array__`.
    """
    return _plain(value, 0, [MOST_TOGETHER])


def _plain(value: Any, depth: int, room: list[int]) -> Any:
    kind = type(value)
    if value is None or kind is bool:
        return value
    if issubclass(kind, (int, float, str)):
        return _scalar(value, kind)
    if kind is Fraction or kind is Decimal:
        return _decimal(value)
    if issubclass(kind, _generic) and not issubclass(kind, (bytes, complex)):
        value = _asarray(value)
    if issubclass(type(value), _ndarray):
        return _plain_array(value, depth, room)
    for refused, words in REFUSED:
        if issubclass(kind, refused):
            raise NotPlain(words)
    if depth > 6:
        raise NotPlain("lists nested too deeply")
    if kind is range:
        value = value[: LARGEST_ARRAY + 1]
    for base in (list, tuple, set, frozenset, dict, range):
        if issubclass(kind, base):
            _make_room(base.__len__(value), room, "a list of {:,} items")
            return _plain_items(value, base, depth, room)
    if _has_array(kind):  # tensors and data frames of other libraries
        try:
            array = _asarray(value)
        except Exception:
            raise NotPlain(f"an object of type {class_name(kind)} that gives no array") from None
        return _plain_array(array, depth + 1, room)
    raise NotPlain(f"an object of type {class_name(kind)}")


def _scalar(value: Any, kind: type) -> int | float | str:
    """A number or a text without whatever a class of its own adds."""
    if issubclass(kind, str):
        said = str.__str__(value)
        if len(said) > LONGEST_TEXT:
            raise NotPlain(f"a text of {len(said):,} characters")
        return said
    if issubclass(kind, float):
        return float.__float__(value)
    number = int.__int__(value)
    if number.bit_length() > LARGEST_WHOLE:  # no float could hold it
        raise NotPlain(f"a whole number of {number.bit_length():,} binary digits")
    return number


def _decimal(value: Fraction | Decimal) -> int | float | str:
    """A number of Python's own that is neither an int nor a float."""
    try:
        whole = isinstance(value, Fraction) and value.denominator == 1
        return _scalar(int(value), int) if whole else float(value)
    except (ArithmeticError, ValueError):
        raise NotPlain(f"a number of type {type(value).__name__} that is too large, or none") from None


def _make_room(size: int, room: list[int], words: str) -> None:
    room[0] -= size
    if size > LARGEST_ARRAY:
        raise NotPlain(words.format(size))
    if room[0] < 0:
        raise NotPlain(f"more than {MOST_TOGETHER:,} numbers")


def _plain_items(value: Any, base: Any, depth: int, room: list[int]) -> Any:
    if base is dict:
        pairs = list(dict.items(value))
        return {_key(_plain(key, depth + 1, room)): _plain(item, depth + 1, room) for key, item in pairs}
    items = [_plain(item, depth + 1, room) for item in list(base.__iter__(value))]
    if base is tuple:
        return tuple(items)
    return sorted(items, key=repr) if base in (set, frozenset) else items


def _key(key: Any) -> Any:
    """A plain value as the key of a dict."""
    if isinstance(key, _ndarray) and key.ndim == 0:
        return key.item()
    if isinstance(key, tuple):
        return tuple(map(_key, key))
    if isinstance(key, (_ndarray, list, dict)):
        raise NotPlain("a dict of which a key is neither a text nor a number")
    return key


def _has_array(kind: type) -> bool:
    try:
        return hasattr(kind, "__array__")  # asked of the class: an object that makes up its attributes has them all
    except Exception:
        return False


def _plain_array(value: np.ndarray, depth: int, room: list[int]) -> Any:
    array = _ndarray.view(value, _ndarray)
    _make_room(array.size, room, "an array of {:,} numbers" + f" (shape {array.shape})")
    if array.ndim > MOST_AXES:
        raise NotPlain(f"an array of {array.ndim} axes")
    kind = array.dtype.kind
    if kind in "UT":
        if array.nbytes > 4 * LARGEST_ARRAY:
            raise NotPlain("an array of texts that is too large")
        return _plain(array.tolist(), depth, room)
    if kind == "c":
        raise NotPlain("an array of complex numbers")
    if kind == "O":
        return _plain_objects(array, depth, room)
    if kind not in "biuf":
        raise NotPlain(f"an array of type {str(array.dtype)[:60]} instead of numbers")
    # What crosses the border to another process arrives like this, so it is like this everywhere.
    with _errstate(all="ignore"):
        return array.astype(_float if array.dtype.itemsize > 8 else array.dtype.newbyteorder("="), order="K")


def _plain_objects(array: np.ndarray, depth: int, room: list[int]) -> Any:
    """An array of objects as the numbers, or the list of texts, that it holds."""
    words = "an array of objects instead of numbers (do its rows have different lengths?)"
    try:
        items = [_plain(item, depth + 1, room) for item in array.ravel().tolist()]
    except NotPlain:
        raise NotPlain(words) from None
    items = [item.item() if isinstance(item, _ndarray) and item.ndim == 0 else item for item in items]
    if items and all(isinstance(item, str) for item in items):
        return _array(items, object).reshape(array.shape).tolist()
    if not all(isinstance(item, (int, float)) for item in items):
        raise NotPlain(words)
    exact = items and not any(isinstance(item, float) or item.bit_length() > 63 for item in items)
    kind = bool if exact and all(isinstance(item, bool) for item in items) else int if exact else float
    return _array(items, kind).reshape(array.shape)


def class_name(kind: type) -> str:
    """A class's name, or "Exception" where that is none."""
    name = _NAME_OF(kind)[:60]
    return name if name.isidentifier() else "Exception"


def seen(value: Any) -> Any:
    """An argument after a call, to be compared with what it was before; functions cannot be changed."""
    if callable(value) and not issubclass(type(value), _ndarray):
        return None
    try:
        return plain(value)
    except Exception:
        return "something else"


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
    if isinstance(first, _ndarray) or isinstance(second, _ndarray):  # an array compared with anything is an array
        return (
            isinstance(first, _ndarray)
            and isinstance(second, _ndarray)
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
    if isinstance(first, float) and first != first:
        return isinstance(second, float) and second != second
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
            return Outcome(value=plain(self._answer))
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
                error, kinds, message, line = self.told(problem)
                warned = [self._look(functools.partial(_words, warning.message), "") for warning in caught]
        outcome = Outcome(
            value=value,
            error=error,
            message=message[:500],
            line=line,
            printed=_printed(printed),
            warned=tuple(dict.fromkeys(words[:200] for words in warned if words)),
            stopped=stopped,
            kinds=kinds,
        )
        return outcome, args, kwargs

    def told(self, problem: BaseException | None) -> tuple[str, tuple[str, ...], str, str]:
        """An exception's name, the names of Python's own that it is one of, its message and the learner's line."""
        if problem is None:
            return "", (), "", ""
        kind = type(problem)
        kinds = tuple(_EXCEPTIONS[id(base)] for base in _MRO_OF(kind) if id(base) in _EXCEPTIONS)
        message = self._look(lambda: _words(problem), "(its message cannot be shown)")
        return class_name(kind), kinds, message, self._look(lambda: clean(_line_of(problem)), "")


def changed_places(
    args: Sequence[Any], kwargs: Mapping[str, Any], args_after: Sequence[Any], kwargs_after: Mapping[str, Any]
) -> tuple[int | str, ...]:
    """Positions and names of the arguments that a call has changed."""

    def same(before: Any, after: Any) -> bool:
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


def _line_of(problem: BaseException) -> str:
    """The last line of the learner's own code in a traceback (not of a library's)."""
    own = [
        frame
        for frame in traceback.extract_tb(problem.__traceback__)
        if "site-packages" not in frame.filename and not frame.filename.startswith(_COURSE)
    ]
    return own[-1].line.strip() if own and own[-1].line else ""
