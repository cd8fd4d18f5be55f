"""A learner's own library: the source of a function whose check has passed, with all that it stands on.

It is found again by `attnlib.mine`. Nothing that goes wrong here changes a verdict.
"""

import ast
import functools
import inspect
import math
import symtable
import sys
import textwrap
import types
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import numpy as np

import attnlib
from attnlib import mine
from grader.exercises import BANK, MODULES
from grader.exercises.kinds import FunctionExercise
from grader.files import is_full, write_whole
from grader.judging.judge import find, judge

#: A longer text of a constant is no constant of a function, but data of its notebook.
LONGEST_CONSTANT = 500
_PLAIN = (bool, int, float, complex, str, bytes, type(None), tuple, list, dict, set)


class CannotKeep(Exception):
    """A function stands on something that cannot be written down; the message says on what."""


def keep(exercise_id: str, answer: object) -> str:
    """Keep a function that has passed its check, where its learner has a library.

    Parameters
    ----------
    exercise_id : str
    answer : object
        What passed.

    Returns
    -------
    str
        What to tell the learner; "" where there is nothing new.
    """
    where = mine.folder()
    exercise = find(exercise_id)
    if where is None or not isinstance(exercise, FunctionExercise):
        return ""
    try:
        return _keep(exercise, answer, where)
    except CannotKeep as problem:
        reason = str(problem)
    except OSError as problem:
        reason = "the disk is full" if is_full(problem) else str(problem.strerror or problem)
    except Exception as problem:  # a learner's object may do anything when it is looked at
        reason = f"reading it ended with {type(problem).__name__}"
    of_the_last = MODULES[exercise_id].rpartition(".")[0] == MODULES[list(BANK)[-1]].rpartition(".")[0]
    if of_the_last or not hasattr(attnlib, exercise_id):
        return ""  # no later notebook asks for it
    return f"This check stands, but your own library did not get `{exercise_id}`: {reason}."


def _keep(exercise: FunctionExercise, answer: object, where: Path) -> str:
    name = exercise.id
    path = where / f"{name}.py"
    off = path.with_name(path.name + mine.OFF)
    text = _passing(exercise, answer, where, (path, off))
    if not text:
        return ""
    again = path.exists() or off.exists()
    write_whole(path, text)
    off.unlink(missing_ok=True)
    if again:
        return f"Your own library has this version of `{name}` now."
    return f"`{name}` is in your own library: `attnlib.mine` has it from now on."


def _passing(exercise: FunctionExercise, answer: object, where: Path, there: tuple[Path, ...]) -> str:
    """The text of a module whose function passes the check as well; "" if that is there already."""
    why = "it passes in this notebook only; restart the kernel, run all cells, and check it again"
    # What is kept of another function may be older than the one in this notebook: then that is written down with it.
    for others in (where, None):
        text = source_of(answer, exercise.id, others)
        if any(_read(path) == text for path in there):
            return ""
        try:
            short = list[bool]()
            if judge(exercise, _watched(mine.load(text, exercise.id), short)).passed:
                if any(short):
                    raise CannotKeep("its results have single precision, too little for what is made of them later")
                return text
        except ValueError as problem:
            why = f"by itself it does not run ({problem})"
    raise CannotKeep(why)


def _watched(function: Callable[..., Any], short: list[bool]) -> Callable[..., Any]:
    """The same function, which notes for each call whether its result has fewer digits than its arguments."""

    @functools.wraps(function)
    def watched(*args: Any, **kwargs: Any) -> Any:
        result = function(*args, **kwargs)
        short.append(_digits(result) < min(_digits((*args, *kwargs.values())), 8))
        return result

    return watched


def _digits(value: Any) -> float:
    """The fewest bytes of a number with decimals in an array of NumPy's, or in several."""
    if isinstance(value, tuple | list):
        return min(map(_digits, value), default=math.inf)
    return value.itemsize if isinstance(value, np.ndarray | np.floating) and value.dtype.kind == "f" else math.inf


def _read(path: Path) -> str | None:
    try:
        return path.read_text(encoding="utf-8")
    except (OSError, ValueError):
        return None


def library_tree(where: Path) -> list[tuple[int, str, str]]:
    """What calls what in a learner's own library, the last of the course first; see `attnlib.mine.tree`."""
    kept, order = mine.kept(where), list(BANK)
    names = sorted(kept, key=lambda name: (-order.index(name) if name in BANK else 1, name))
    return mine.tree({name: kept[name] for name in names})


def source_of(answer: object, name: str, where: Path | None) -> str:
    """The text of a module that defines a function as it is now.

    Parameters
    ----------
    answer : object
    name : str
        What it shall be called there.
    where : Path or None
        A library: the notebook's functions that it has already are taken from `attnlib.mine`.

    Returns
    -------
    str
        The imports, constants, functions and classes that it stands on, and the function.

    Raises
    ------
    CannotKeep
        If it is no function, or stands on something that cannot be written down.
    """
    if type(answer) is not types.FunctionType:
        raise CannotKeep("it is no plain function")
    written = _Written(where)
    called = written.take(answer)
    head = [f'"""Your own `{name}`, kept when its check had passed. `python -m grader mine` lists your library."""']
    taken = [f"from {module} import {', '.join(sorted(names))}" for module, names in sorted(written.imports.items())]
    imports = "\n".join([*sorted(written.modules), *taken])
    alias = [f"{name} = {called}"] if called != name else []
    constants = "\n".join(written.constants)
    return "\n\n\n".join(part for part in (*head, imports, constants, *written.definitions, *alias) if part) + "\n"


class _Written:
    """What has been written down so far, each thing once."""

    def __init__(self, where: Path | None) -> None:
        self._where = where
        self._known: dict[str, Any] = {}
        self.modules: list[str] = []
        self.imports: dict[str, list[str]] = {}
        self.constants: list[str] = []
        self.definitions: list[str] = []

    def take(self, thing: Any) -> str:
        """Write down a function or class, after all that it stands on; returns its name."""
        inner = inspect.unwrap(thing) if isinstance(thing, types.FunctionType) else thing
        if getattr(inner, "__closure__", None):
            raise CannotKeep("it was made inside another function")
        try:
            text = textwrap.dedent(inspect.getsource(thing)).strip()
            name = _name_defined(text)
        except (OSError, TypeError, SyntaxError):
            raise CannotKeep(f"the lines of `{thing.__name__}` are not known") from None
        self._known[name] = thing
        scope = getattr(inner, "__globals__", None) or vars(sys.modules[thing.__module__])
        for used in sorted(set(_names_from_outside(symtable.symtable(text, name, "exec")))):
            if used in scope:
                self._stand_on(used, scope[used])
        self.definitions.append(text)
        return name

    def _stand_on(self, name: str, thing: Any) -> None:
        if name in self._known:
            if self._known[name] is not thing:
                raise CannotKeep(f"two different things in it are called `{name}`")
            return
        self._known[name] = thing
        if isinstance(thing, types.ModuleType):
            alias = "" if thing.__name__ == name else f" as {name}"
            self.modules.append(f"import {thing.__name__}{alias}")
        elif source := self._source(thing):
            module, own = source
            self.imports.setdefault(module, []).append(own if own == name else f"{own} as {name}")
        elif isinstance(thing, types.FunctionType | type):
            if (called := self.take(thing)) != name:
                self.definitions.append(f"{name} = {called}")
        else:
            self.constants.append(f"{name} = {_constant(name, thing)}")

    def _source(self, thing: Any) -> tuple[str, str] | None:
        """The module that a thing can be imported from, and its name there; None where it was made in the notebook."""
        own = getattr(thing, "__name__", None)
        if not isinstance(own, str):
            return None
        home = str(getattr(thing, "__module__", None))
        in_the_notebook = isinstance(thing, types.FunctionType) and home == "__main__"
        if in_the_notebook and self._where is not None and (self._where / f"{own}.py").is_file():
            return mine.__name__, own
        if home == mine.__name__ or (home.partition(".")[0] == "attnlib" and hasattr(attnlib, own)):
            return mine.__name__, own  # one's own, from the day on when one has written it
        return (home, own) if _is_installed(home) and getattr(sys.modules[home], own, None) is thing else None


def _is_installed(module: str) -> bool:
    """True for a module that every notebook can import."""
    if module not in sys.modules or module == "__main__":
        return False
    file = getattr(sys.modules[module], "__file__", None) or ""
    return module.partition(".")[0] in (*sys.stdlib_module_names, "attnlib") or "site-packages" in Path(file).parts


def _name_defined(text: str) -> str:
    """The name that a definition gives a value; raises `TypeError` if it is none."""
    statement = ast.parse(text).body[0]
    if isinstance(statement, ast.FunctionDef | ast.ClassDef):
        return statement.name
    if isinstance(statement, ast.Assign) and isinstance(statement.value, ast.Lambda):
        target = statement.targets[0]
        if isinstance(target, ast.Name):
            return target.id
    raise TypeError("no definition")


def _names_from_outside(table: symtable.SymbolTable) -> Iterator[str]:
    """The names that a text takes from around it."""
    for symbol in table.get_symbols():
        outermost = table.get_type() == "module"
        if symbol.is_global() or (outermost and symbol.is_referenced() and not symbol.is_assigned()):
            yield symbol.get_name()
    for inner in table.get_children():
        yield from _names_from_outside(inner)


def _constant(name: str, value: Any) -> str:
    """The text of a plain constant."""
    if isinstance(value, np.generic):
        value = value.item()
    if type(value) is float and not np.isfinite(value):
        return f'float("{value}")'
    if type(value) in _PLAIN and not (hasattr(value, "__len__") and len(value) > LONGEST_CONSTANT):
        text = repr(value)
        try:
            if len(text) <= LONGEST_CONSTANT and ast.literal_eval(text) == value:
                return text
        except (ValueError, SyntaxError):
            pass
    raise CannotKeep(f"it uses `{name}`, which only this notebook has")
