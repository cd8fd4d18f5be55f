"""Your own library: ``from attnlib.mine import softmax`` gives the function that you wrote, where its check has passed.

Where there is none yet, or one that is switched off or broken, the course's own stands in; at the end of a cell, one
line says which is which. Everything else of `attnlib` is found here as well.

Your functions lie beside the parts of the course, in the folder `mine`, a file each. While notebooks are graded or
validated the course's own serve everybody: no mark depends on another notebook.
"""

from __future__ import annotations

import ast
import contextlib
import functools
import inspect
import linecache
import os
import signal
import sys
import textwrap
import threading
import time
import types
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np

import attnlib

#: A call that takes longer, in seconds, is compared with the course's version; so many times slower is too slow.
PATIENCE, FAR = 2.0, 20.0
#: What a switched-off function's file is called.
OFF = ".off"
_COURSE = Path(__file__).resolve().parent.parent

# Contracts are about matrices; here each row is for itself, whatever axes come before.
_BY_ROWS = {"softmax", "softmax_with_temperature", "entropy"}
# How many axes an argument has in an exercise, by its name; what comes before them is spread.
_AXES = {
    name: {key: int(axes) for key, axes in (argument.split("=") for argument in arguments.split())}
    for arguments, names in {
        "token_ids=1": "embed one_hot",
        "X=2": "mean_embedding unit_rows project_qkv split_heads",
        "Q=2 K=2": "dot_scores cosine_scores squared_distances gaussian_kernel exponential_kernel additive_scores"
        " knn_indices enough_neighbors",
        "K=2": "equal_length_keys",
        "Q=2 K=2 V=2": "context_vectors knn_attention kernel_attention",
        "Q=2 K=2 V=2 mask=2": "scaled_dot_product_attention masked_attention",
        "scores=2 mask=2": "masked_softmax",
        "q=1 K=2 V=2": "context_vector context_jacobian",
        "weights=1 K=2": "query_for",
        "x=1 y=1": "leave_one_out_bandwidth",
        "X=2 Y=2": "learned_kernel",
        "query=1 keys=2 values=2": "soft_lookup",
        "state=1 patterns=2": "hopfield_update hopfield_energy",
        "keys=2 values=2": "linear_memory",
        "p=1": "softmax_jacobian",
        "weights=2": "monotone_alignment",
        "X=2 mask=2": "self_attention",
        "X_target=2 X_source=2 source_mask=1": "cross_attention",
        "X=3": "merge_heads",
        "X_q=2 X_kv=2 mask=2": "multi_head_attention",
    }.items()
    for name in names.split()
}


# ---------------------------------------------------------------- the folder


def folder() -> Path | None:
    """Where the functions of whoever works here lie; None where nobody's do.

    Returns
    -------
    Path or None
        The folder `mine` beside the part of the course that is the current folder, or that in `work/`. None while
        notebooks are graded or validated, in the course's own folders, and elsewhere.
    """
    if os.environ.get("NBGRADER_EXECUTION"):
        return None
    try:
        here = Path.cwd().resolve()
    except OSError:  # the folder is no more
        return None
    work = _COURSE / "work"
    if here.is_relative_to(_COURSE) and not here.is_relative_to(work):
        return None
    if (_COURSE / "notebooks" / here.name).is_dir() and here.name:
        return here.parent / "mine"
    return work / "mine" if here.is_relative_to(work) else None


@dataclass(frozen=True)
class Kept:
    """A function in somebody's library.

    Attributes
    ----------
    on : bool
        False where it is switched off.
    uses : tuple of str
        The functions that it takes from `attnlib.mine`.
    path : Path
    """

    on: bool
    uses: tuple[str, ...]
    path: Path


def kept(where: Path | None = None) -> dict[str, Kept]:
    """What lies in somebody's library, read and not run.

    Parameters
    ----------
    where : Path, optional
        By default `folder`.

    Returns
    -------
    dict of str to Kept
        By the functions' names, in their order.
    """
    files = _files(folder() if where is None else where)
    return {path.name.partition(".")[0]: Kept(path.suffix != OFF, _uses(path), path) for path in files}


def tree(functions: dict[str, Kept]) -> list[tuple[int, str, str]]:
    """Functions of a library, and below each what it calls.

    Parameters
    ----------
    functions : dict of str to Kept
        In the order in which those are to come that no other calls.

    Returns
    -------
    list of (depth, name, whose)
        `whose` is "mine", "off" (switched off: the course's stands in) or "course". What a function calls comes below
        it with a depth one more, the first time that it comes.

    Examples
    --------
    >>> here = Path(".")
    >>> tree({"softmax": Kept(True, (), here), "knn_attention": Kept(True, ("softmax", "knn_indices"), here)})
    [(0, 'knn_attention', 'mine'), (1, 'softmax', 'mine'), (1, 'knn_indices', 'course')]
    """
    called = {name for own in functions for name in functions[own].uses if name != own}
    rows: list[tuple[int, str, str]] = []
    shown = set[str]()

    def grow(name: str, depth: int) -> None:
        own = functions.get(name)
        rows.append((depth, name, "course" if own is None else "mine" if own.on else "off"))
        if own is not None and name not in shown:
            shown.add(name)
            for used in own.uses:
                grow(used, depth + 1)

    for name in (*(name for name in functions if name not in called), *functions):  # last, circles
        if name not in shown:
            grow(name, 0)
    return rows


def _files(where: Path | None) -> list[Path]:
    """The files of a library: NAME.py, or NAME.py.off where it is switched off."""
    with contextlib.suppress(OSError):
        if where is not None:
            found = [path for path in where.iterdir() if path.name.endswith((".py", f".py{OFF}"))]
            # A file that is switched on comes last, where a name has both: it counts.
            return sorted(
                (path for path in found if path.name.partition(".")[0].isidentifier()),
                key=lambda path: (path.name.partition(".")[0], path.suffix != OFF),
            )
    return []


def _uses(path: Path) -> tuple[str, ...]:
    try:
        tree = ast.parse(path.read_text(encoding="utf-8"))
    except (OSError, SyntaxError, ValueError, RecursionError, MemoryError):
        return ()
    names: dict[str, None] = {}
    for node in ast.walk(tree):
        if isinstance(node, ast.ImportFrom) and node.module == __name__:
            names |= dict.fromkeys(alias.name for alias in node.names)
        elif isinstance(node, ast.Attribute) and isinstance(node.value, ast.Name) and node.value.id == "mine":
            names[node.attr] = None
    return tuple(names)


# ---------------------------------------------------------------- what a cell is told


def _folded(line: str) -> str:
    """A line that a page would break in the middle of a word, broken between words."""
    return textwrap.fill(line, 90, break_long_words=False, break_on_hyphens=False)


class _Said:
    """What has come to light since the last cell ended."""

    def __init__(self) -> None:
        self.mine: dict[str, None] = {}
        self.course: dict[str, None] = {}
        self.lines: dict[str, None] = {}
        self._shell: Any = None

    def follow(self) -> None:
        """Speak at the end of each cell, where there are cells."""
        ipython = sys.modules.get("IPython")
        shell = ipython.get_ipython() if ipython else None
        if shell is not None and shell is not self._shell:
            self._shell = shell
            shell.events.register("post_run_cell", self.say)

    def say(self, result: Any = None) -> None:
        """Print what there is to say, and forget it."""
        mine, course, lines = ", ".join(self.mine), ", ".join(self.course), list(self.lines)
        if mine:
            lines.insert(0, _folded(f"Yours: {mine}." + (f" The course's: {course}." if course else "")))
        elif course:
            lines.insert(0, _folded(f"The course's: {course}. Your own take their place once their checks are green."))
        self.mine, self.course, self.lines = {}, {}, {}
        if lines:
            print("\n".join(lines))


_said = _Said()


# ---------------------------------------------------------------- finding a function


class _Shelf:
    """The functions that have been read so far; read anew where a file has changed."""

    def __init__(self) -> None:
        self._snapshot: object = None
        self._functions: dict[str, Callable[..., Any] | None] = {}
        self.opening: list[str] = []

    def get(self, name: str) -> Callable[..., Any] | None:
        """The learner's function of that name; None where there is none to be used."""
        where = folder()
        if where is None or name in self.opening:  # that one takes the course's, or the two would wait for each other
            return None
        if not self.opening:
            snapshot = where, [(path.name, _stamp(path)) for path in _files(where)]
            if snapshot != self._snapshot:
                self._snapshot, self._functions = snapshot, {}
        if name not in self._functions:
            self._functions[name] = self._open(where / f"{name}.py", name)
        return self._functions[name]

    def _open(self, path: Path, name: str) -> Callable[..., Any] | None:
        if not path.is_file():
            return None
        try:
            linecache.checkcache(str(path))
            return _own(name, load(path.read_text(encoding="utf-8"), name, str(path)), getattr(attnlib, name, None))
        except (OSError, ValueError) as problem:
            _said.lines[f"Your {name} cannot be used ({problem}); the course's stands in. It is in {path}."] = None
            return None


def _stamp(path: Path) -> tuple[int, int]:
    with contextlib.suppress(OSError):
        about = path.stat()
        return about.st_mtime_ns, about.st_size
    return 0, 0


def load(text: str, name: str, where: str = "") -> Callable[..., Any]:
    """The function that the text of one of the library's files holds, in a module of its own.

    Parameters
    ----------
    text : str
        It is run.
    name : str
        The function's name. Whoever asks `attnlib.mine` for it meanwhile gets the course's.
    where : str, optional
        The file's path.

    Returns
    -------
    callable

    Raises
    ------
    ValueError
        If it cannot be run, or does not define that function; the message says why.
    """
    module = types.ModuleType(f"mine.{name}")
    module.__file__ = where
    _shelf.opening.append(name)
    try:
        exec(compile(text, where or f"<{name}>", "exec"), vars(module))
    except Exception as problem:
        raise ValueError(f"{type(problem).__name__}: {problem}".split("\n")[0]) from None
    finally:
        _shelf.opening.pop()
    function = getattr(module, name, None)
    if not isinstance(function, types.FunctionType):
        raise ValueError(f"it defines no function {name}")
    return function


_shelf = _Shelf()


def __getattr__(name: str) -> Any:
    """The learner's function of that name where one is to be used, else what `attnlib` has under it."""
    if name.startswith("__"):
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    own = _shelf.get(name)
    found = own if own is not None else getattr(attnlib, name, None)
    if found is None:
        raise AttributeError(
            f"there is no {name} in the course's library, and none of yours that has passed its check"
            if folder()
            else f"module {__name__!r} has no attribute {name!r}",
            name=name,
            obj=sys.modules[__name__],
        )
    asked = isinstance(found, types.FunctionType) and not name.startswith("load_")  # the data are nobody's to write
    if asked and not _shelf.opening and folder():
        _said.follow()
        (_said.mine if own is not None else _said.course)[name] = None
    return found


# ---------------------------------------------------------------- calling it


class _TooLong(BaseException):
    """Raised in a call that has used up its time (not an Exception: `except Exception` must not swallow it)."""


#: Seconds that went into calls of functions that proved too slow.
_lost = [0.0]


def _own(name: str, function: Callable[..., Any], course: Callable[..., Any] | None) -> Callable[..., Any]:
    """The learner's function, with the course's behind it."""
    spread = _spread(name, function, course)
    fallen = told = False

    def fall(why: str) -> None:
        nonlocal fallen
        fallen = True
        _said.follow()
        _said.lines[f"Your {name} {why}; the course's stands in until the kernel restarts."] = None

    def tell() -> None:
        nonlocal told
        if not told:
            _said.follow()
            _said.lines[f"Where your {name} does not take all that it is given, the course's does the work."] = None
        told = True

    @functools.wraps(function)
    def own(*args: Any, **kwargs: Any) -> Any:
        if course is None:
            return function(*args, **kwargs)
        if fallen:
            return course(*args, **kwargs)
        began, lost = time.monotonic(), _lost[0]

        def taken() -> float:
            """The time of this function itself: without that of those within it that were too slow."""
            return time.monotonic() - began - (_lost[0] - lost)

        try:
            with _limit(PATIENCE) as limited:
                result = spread(*args, **kwargs)
        except _TooLong:
            slow = taken()
            if not limited and slow < PATIENCE / 2:
                raise  # whoever called it so often took the time
            fast, result = _timed(course, args, kwargs)
            if slow <= FAR * fast:
                return spread(*args, **kwargs)
            _lost[0] += taken()
            fall(_slow(slow, fast, "more than "))
            return result
        except Exception as problem:
            with contextlib.suppress(Exception):
                result = course(*args, **kwargs)
                if _takes(function, args, kwargs):
                    fall(f"raised {type(problem).__name__} where the course's does not")
                else:  # its exercise asked for no more
                    tell()
                return result
            raise
        if (slow := taken()) > PATIENCE:  # where no timer could stop it
            fast, _ = _timed(course, args, kwargs)
            if slow > FAR * fast:
                fall(_slow(slow, fast))
            _lost[0] += taken()
        return result

    own.__module__ = __name__
    return own


def _takes(function: Callable[..., Any], args: tuple, kwargs: dict) -> bool:
    try:
        inspect.signature(function).bind(*args, **kwargs)
    except TypeError:
        return False
    return True


def _timed(function: Callable[..., Any], args: tuple, kwargs: dict) -> tuple[float, Any]:
    began = time.monotonic()
    result = function(*args, **kwargs)
    return time.monotonic() - began, result


def _slow(taken: float, fast: float, more: str = "") -> str:
    return f"took {more}{taken:.0f} s for what takes the course's {max(fast, 0.001):.3f} s"


@contextlib.contextmanager
def _limit(seconds: float) -> Iterator[bool]:
    """Raise `_TooLong` in the block after `seconds`, and again; yields False where another timer runs, or none can."""
    free = hasattr(signal, "setitimer") and threading.current_thread() is threading.main_thread()
    if not free or signal.getitimer(signal.ITIMER_REAL)[0]:
        yield False
        return

    def stop(signum: int, frame: object) -> None:
        raise _TooLong

    before = signal.signal(signal.SIGALRM, stop)
    signal.setitimer(signal.ITIMER_REAL, seconds, seconds)
    try:
        yield True
    finally:
        try:
            signal.setitimer(signal.ITIMER_REAL, 0)
        finally:  # it may have rung just now
            signal.setitimer(signal.ITIMER_REAL, 0)
            signal.signal(signal.SIGALRM, before)


def _spread(name: str, function: Callable[..., Any], course: Callable[..., Any] | None) -> Callable[..., Any]:
    """The function with as many leading axes as a later notebook needs, and with results of the course's kind."""
    names = list(inspect.signature(course).parameters) if course else []
    axes = _AXES.get(name, {})
    kind = str(getattr(course, "__annotations__", {}).get("return", ""))

    def call(*args: Any, **kwargs: Any) -> Any:
        return _alike(function(*args, **kwargs), kind)

    def spread(*args: Any, **kwargs: Any) -> Any:
        if name in _BY_ROWS and args:
            x = np.asarray(args[0])
            if x.ndim in (0, 2) or not x.size:
                return call(x, *args[1:], **kwargs)
            result = call(x.reshape(-1, x.shape[-1]), *args[1:], **kwargs)
            return result.reshape(x.shape[:-1] + result.shape[1:])[()]
        keys = [*(names[i] if i < len(names) else f"argument {i}" for i in range(len(args))), *kwargs]
        given = dict(zip(keys, [*args, *kwargs.values()], strict=True))
        wide = {}
        for key, value in given.items():
            if key in axes and value is not None:
                given[key] = np.asarray(value)
                if given[key].ndim > axes[key]:
                    wide[key] = given[key].shape[: given[key].ndim - axes[key]]

        def called(values: list[Any]) -> Any:
            return call(*values[: len(args)], **dict(zip(kwargs, values[len(args) :], strict=True)))

        if not wide:
            return called(list(given.values()))
        leading = np.broadcast_shapes(*wide.values())
        for key, before in wide.items():
            given[key] = np.broadcast_to(given[key], leading + given[key].shape[len(before) :])
        results = [
            called([np.array(value[index]) if key in wide else value for key, value in given.items()])
            for index in np.ndindex(leading)
        ]
        if isinstance(results[0], tuple):
            return tuple(_stacked(each, leading) for each in zip(*results, strict=True))
        return _stacked(results, leading)

    return spread


def _stacked(results: Any, leading: tuple[int, ...]) -> Any:
    together = np.stack(results)
    return together.reshape(*leading, *together.shape[1:])


def _alike(result: Any, kind: str) -> Any:
    """A result as the course's version would give it: arrays where the learner's function gives lists."""
    if kind.startswith("tuple[") and isinstance(result, tuple | list):
        return tuple(_alike(each, "NDArray") for each in result)
    if not kind.startswith("NDArray"):
        return result
    array = result if isinstance(result, np.ndarray | np.generic) else np.asarray(result)[()]
    dtype = {"NDArray[np.bool_]": np.bool_, "NDArray[np.intp]": np.intp}.get(kind)
    return array if dtype is None else array.astype(dtype, copy=False)


# ---------------------------------------------------------------- watching it


class Ran:
    """What ran while it was `watched`.

    Attributes
    ----------
    mine : list of str
        The learner's own functions, in the order of their first calls: those of the library, and those of this
        notebook that have the name of a function of the course.
    calls : list of (str, str)
        Who called whom, each pair once, in the order of the first calls: the learner's functions, and those of the
        course where they stand in. What the course has for itself, and what loads data, is left out.
    """

    def __init__(self) -> None:
        self.mine: list[str] = []
        self.calls: list[tuple[str, str]] = []

    def __str__(self) -> str:
        return "\n".join(self.mine) or "None of your own functions ran."

    __repr__ = __str__


@contextlib.contextmanager
def watched() -> Iterator[Ran]:
    """Note which of the learner's own functions run in the block.

    Yields
    ------
    Ran
        Its list `mine` grows while the block runs; printed, it is a line for each function.

    Examples
    --------
    >>> from attnlib import mine
    >>> with mine.watched() as ran:
    ...     weights = mine.softmax([0.0, 0.0])
    >>> print(ran)
    None of your own functions ran.
    """
    ran, known, before = Ran(), dict[types.CodeType, str](), sys.getprofile()
    stack = [""]  # for each call that has not ended, the last function of the course above it

    def name_of(frame: types.FrameType) -> str:
        """The name of a function of the course or of the learner's in its place; "" of any other."""
        code = frame.f_code
        module, name = str(frame.f_globals.get("__name__")), code.co_name
        if getattr(frame.f_globals.get(name), "__code__", None) is not code:
            return ""
        if module == f"mine.{name}" or (module == "__main__" and hasattr(attnlib, name)):
            ran.mine.append(name)
            return name
        ours = module.startswith("attnlib.") and not name.startswith("load_")
        return name if ours and getattr(getattr(attnlib, name, None), "__code__", None) is code else ""

    def note(frame: types.FrameType, event: str, arg: object) -> None:
        if event == "return" and len(stack) > 1:
            stack.pop()
        if event != "call":
            return
        if frame.f_code not in known:
            known[frame.f_code] = name_of(frame)
        name = known[frame.f_code]
        pair = stack[-1], name
        if all(pair) and pair[0] != name and pair not in ran.calls:
            ran.calls.append(pair)
        stack.append(name or stack[-1])

    sys.setprofile(note)
    try:
        yield ran
    finally:
        sys.setprofile(before)
