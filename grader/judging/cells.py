"""What a kernel can know of its notebook's cells: which of them failed, and which gives a name its value."""

import ast
import contextlib
import functools
import json
import os
import re
import symtable
import sys
import warnings
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from pathlib import Path
from types import ModuleType
from typing import Any, TypeVar

from grader.judging.astray import astray, kept_nothing, no_python

_DEFINED = re.compile(
    r"^(?:async[ \t]+)?(?:def|class)[ \t]+(\w+)|^(\w+(?:[ \t]*,[ \t]*\w+)*)[ \t]*(?::[^=\n]+)?=(?!=)"
    r"|^(?:from[ \t]+\S+[ \t]+)?import[ \t]+(.+)",
    re.M,
)
_NOTHING = object()
_EMPTY = ast.Constant(None)
#: A longer cell is read by its lines: what Python's parser takes may grow with the square of a text.
LONGEST = 100_000
_Read = TypeVar("_Read")


def _parsed(source: str, parse: Callable[[str], _Read]) -> _Read:
    """A cell as Python reads it; raises ValueError where it cannot, be it for what is nested too deeply in it."""
    try:
        if len(source) <= LONGEST:
            with warnings.catch_warnings():
                warnings.simplefilter("ignore")
                return parse(source)
    except (SyntaxError, RecursionError, MemoryError):
        pass
    raise ValueError("a cell that Python does not read")


def _symbols(source: str) -> symtable.SymbolTable:
    return _parsed(source, lambda text: symtable.symtable(text, "cell", "exec"))


# A class hands in the same cells over and over.
@functools.lru_cache(maxsize=2000)
def names_given(source: str) -> frozenset[str]:
    """The names that a cell gives a value at its outermost level; by its lines where it is no Python.

    Examples
    --------
    >>> sorted(names_given("import numpy as np\\nQ, K = 1, 2\\ndef softmax(x):\\n    y = x"))
    ['K', 'Q', 'np', 'softmax']
    >>> sorted(names_given("from attnlib import plots as p, widgets\\nQ, K = 1, 2\\ndef softmax(x)\\n    y = x"))
    ['K', 'Q', 'p', 'softmax', 'widgets']
    """
    with contextlib.suppress(ValueError):
        symbols = _symbols(source).get_symbols()
        return frozenset(symbol.get_name() for symbol in symbols if symbol.is_assigned() or symbol.is_imported())
    found = set()
    for function, names, imported in _DEFINED.findall(source):
        found |= {function, *re.split(r"\s*,\s*", names)}
        words = (name.replace("(", " ").replace(")", " ").replace("\\", " ").split() for name in imported.split(","))
        found |= {some[-1].partition(".")[0] for some in words if some}
    return frozenset(found - {""})


def names_used(source: str) -> set[str]:
    """The names that a cell uses at its outermost level."""
    with contextlib.suppress(ValueError):
        return {one.get_name() for one in _symbols(source).get_symbols()}
    return set()


def names_needed(source: str) -> set[str]:
    """The names that a cell, or a function in it, uses and does not give a value itself.

    Examples
    --------
    >>> sorted(names_needed("def f(x):\\n    y = x\\n    return g(x) + y\\n\\nf(Q)"))
    ['Q', 'g']
    """
    with contextlib.suppress(ValueError):
        waiting, found = [_symbols(source)], set()
        while waiting:
            table = waiting.pop()
            waiting += table.get_children()
            found |= {one.get_name() for one in table.get_symbols() if one.is_referenced() and one.is_global()}
        return found - names_given(source)
    return set()


def given_twice(source: str, name: str) -> str:
    """What to know where an answer is empty, and its cell gives its name a value before that as well; "" if not.

    Examples
    --------
    >>> given_twice("x = 3\\nx = None", "x")[:61], given_twice("x = None", "x")
    ('Your cell gives `x` a value more than once, and the last one ', '')
    """
    with contextlib.suppress(ValueError, RecursionError):
        giving = [one for one in _parsed(source, ast.parse).body if name in names_given(ast.unparse(one))]
        if len(giving) > 1 and isinstance(getattr(giving[-1], "value", _EMPTY), ast.Constant):
            return (
                f"Your cell gives `{name}` a value more than once, and the last one counts, which is empty. "
                "Delete that one, and run the cell and this check again."
            )
    return ""


@functools.lru_cache(maxsize=2000)
def names_changed(source: str) -> frozenset[str]:
    """The names that a cell gives a value, or whose values it may change in place: all words of one that can do so in
    ways that its lines do not tell.

    Examples
    --------
    >>> sorted(names_changed("def f():\\n    global total\\n    total = 1\\n\\nE['cat'][0] -= 1\\nwords.sort()"))
    ['E', 'f', 'total', 'words']
    >>> sorted(names_changed("x = np.exp(y)"))
    ['x']
    """
    if re.search(r"\b(?:exec|eval|globals|setattr|get_ipython)\(", source):
        return frozenset(re.findall(r"\w+", source))
    found = set(names_given(source))
    with contextlib.suppress(ValueError):
        waiting: list[ast.AST] = [_parsed(source, ast.parse)]
        while waiting:
            node = waiting.pop()
            if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef | ast.Lambda):
                found |= {name for one in ast.walk(node) if isinstance(one, ast.Global) for name in one.names}
                continue
            method = getattr(getattr(node, "value", None), "func", None) if isinstance(node, ast.Expr) else None
            changed = method if isinstance(method, ast.Attribute) else node
            if changed is method or isinstance(getattr(changed, "ctx", None), ast.Store):
                while isinstance(changed, ast.Subscript | ast.Attribute):
                    changed = changed.value
                found |= {changed.id} if isinstance(changed, ast.Name) else set()
            waiting += ast.iter_child_nodes(node)
    return frozenset(found)


class Cells:
    """The cells that a kernel runs: the one that runs now, and what those that failed should have defined.

    Attributes
    ----------
    source : str
        Of the cell that runs now.
    failed : dict of str to str
        Names, each with how the last run of a cell that defines it ended, as long as that did not succeed.
    """

    def __init__(self, variables: dict[str, Any]) -> None:
        self._variables = variables
        self._before: dict[str, Any] = {}
        # Before the first cell that is followed, IPython's own list has the one that runs.
        self.source = str((variables.get("In") or [""])[-1])
        self.failed: dict[str, str] = {}
        self._ran: dict[str, BaseException | None] = {}  # but for checks, the last one last

    def begin(self, info: Any) -> None:
        """To be called before each cell, with what IPython says about it."""
        self.source = info.raw_cell or ""
        self._before = {name: self._variables.get(name, _NOTHING) for name in names_given(self.source)}

    def end(self, result: Any) -> None:
        """To be called after each cell, with its result."""
        problem = result.error_before_exec or result.error_in_exec
        if "check(" not in self.source:
            self._ran.pop(self.source, None)
            self._ran[self.source] = problem
        for name, before in self._before.items():
            # What a cell that failed has defined all the same is as new as it can be, and so is what it imports.
            if problem is not None and self._variables.get(name, _NOTHING) is before and not _imported(before):
                self.failed[name] = _said(problem, self.source)
            else:
                self.failed.pop(name, None)
        self._before = {}

    def astray(self, name: str) -> str:
        """Why no cell that was run has given an answer its name, in a sentence; "" if nothing is known."""
        for source in reversed(self._ran):
            if why := astray(source, names_given(source), name):
                return f"Your cell {why}."
        source, problem = next(reversed(self._ran.items()), ("", None))
        return f"The cell that ran before ended with {_said(problem, source)}: mend it and run it." if problem else ""

    def twice(self, names: Iterable[str]) -> str:
        """What to know where an answer under one of these names is empty; "" if there is nothing."""
        ran = [str(source) for source in reversed(self._variables.get("In") or [])]
        last = ((name, next((one for one in ran if name in names_given(one)), "")) for name in names)
        return next((said for name, source in last if (said := given_twice(source, name))), "")

    def older(self, names: Iterable[str]) -> str:
        """What to know where an answer under one of these names is older than its cell; "" if none is."""
        name = next((name for name in names if name in self.failed), None)
        if name is None:
            return ""
        return (
            f"The last run of the cell that defines `{name}` ended with {self.failed[name]}, so this is about the "
            "version before it. Mend that cell and run it, then run this check again."
        )


def _imported(value: Any) -> bool:
    """True of a module, and of a function or a class that was not made in the notebook."""
    return isinstance(value, ModuleType) or (callable(value) and getattr(value, "__module__", "") != "__main__")


def _said(problem: BaseException, source: str) -> str:
    """How a cell ended, in a few words, with the line where there is one."""
    kind = type(problem).__name__
    said = ("an " if kind[0] in "AEIOU" else "a ") + kind
    if isinstance(problem, SyntaxError) and problem.msg:
        where = f"line {problem.lineno}: " if problem.lineno else ""
        cure = no_python(source, problem.msg)
        return f"{said} ({where}{problem.msg}{'; ' if cure else ''}{cure})"
    words = str(problem).strip().split("\n")[0]
    return f"{said} ({words[:120]})" if words else said


# ---------------------------------------------------------------- the saved notebook


def saved_notebooks() -> Iterator[tuple[Path, list[dict[str, Any]]]]:
    """The notebooks that this kernel can belong to, the likeliest first, as they are saved: path and cells."""
    paths = [Path(os.environ[name]) for name in ("JPY_SESSION_NAME",) if os.environ.get(name)]
    with contextlib.suppress(OSError):
        paths += sorted(Path.cwd().glob("*.ipynb"), key=lambda path: path.stat().st_mtime, reverse=True)
    for path in dict.fromkeys(paths):
        with contextlib.suppress(OSError, ValueError, KeyError, TypeError, AttributeError):
            cells = json.loads(path.read_text("utf-8"))["cells"]
            yield path, [{**cell, "source": "".join(cell["source"])} for cell in cells]


@dataclass(frozen=True)
class Place:
    """The cell that gives a name its value.

    Attributes
    ----------
    source : str
    is_first : bool
        True for the first cell with code.
    section : str
        The heading above it; "" if there is none.
    """

    source: str
    is_first: bool
    section: str

    @property
    def words(self) -> str:
        """Which cell that is."""
        first = next((line for line in self.source.split("\n") if line.strip()), "").strip()
        begins = f"begins with `{first[:60]}`"
        if self.is_first:
            return f"the first code cell of this notebook, which {begins},"
        return f"the cell that {begins}" + (f", in the section “{self.section}”," if self.section else "")


def where_defined(name: str, running: str) -> Place | None:
    """The cell that gives a name its value, in the notebook that has the running cell; None if no other cell does."""
    running = running.strip()
    for _, cells in saved_notebooks():
        if not any(cell["source"].strip() == running for cell in cells):
            continue
        section, is_first = "", True
        for cell in cells:
            if cell.get("cell_type") == "markdown":
                heading = re.search(r"^#{1,4} +(.+)", cell["source"], re.M)
                section = heading[1].split(" · ")[0].strip() if heading else section
            elif cell.get("cell_type") == "code" and cell["source"].strip():
                if cell["source"].strip() != running and name in names_given(cell["source"]):
                    return Place(cell["source"], is_first, section)
                is_first = False
        return None
    return None


# ---------------------------------------------------------------- names that are missing


def notebook_shell() -> Any:
    """The shell whose outputs a Jupyter front end shows; None where there is none."""
    ipython = sys.modules.get("IPython")
    shell = ipython.get_ipython() if ipython else None
    return shell if shell.__class__.__name__ == "ZMQInteractiveShell" else None


def cells_of(shell: Any) -> Cells:
    """The cells of a shell, followed from the first time on that somebody asks for them."""
    if not hasattr(shell, "_attention_course_cells"):
        cells = shell._attention_course_cells = Cells(shell.user_ns)
        shell.events.register("pre_run_cell", cells.begin)
        shell.events.register("post_run_cell", cells.end)
    followed: Cells = shell._attention_course_cells
    return followed


def load_ipython_extension(shell: Any) -> None:
    """Say in plain words which cell to run when a name is not defined yet; IPython calls this as a kernel starts.

    The usual cause is a cell above that was not run, or that holds a syntax error. The cell still fails (nbgrader
    must see that); only the traceback is replaced.
    """
    cells_of(shell)
    shell.set_custom_exc((NameError,), show_missing_name)


def show_missing_name(
    shell: Any, kind: type, problem: Any, traceback: Any, tb_offset: int | None = None
) -> list[str] | None:
    """Show a NameError: in plain words where a cell that was not run explains it, else as it is."""
    words = _explained(cells_of(shell), problem, traceback)
    if not words:
        shell.showtraceback((kind, problem, traceback), tb_offset=tb_offset)
        return None
    shell._showtraceback(kind, problem, words)
    return words


def _explained(cells: Cells, problem: Any, traceback: Any) -> list[str]:
    """Which cell to run, where that is why a name is missing."""
    name = getattr(problem, "name", None)
    if type(problem) is not NameError or not name:
        return []
    while traceback.tb_next is not None:
        traceback = traceback.tb_next
    is_check = "check(" in cells.source
    begin = f"{'not attempted yet: ' if is_check else ''}`{name}` is not defined yet."
    place = where_defined(name, cells.source)
    if name in cells.failed:
        return [begin, f"The last run of the cell that defines it ended with {cells.failed[name]}: mend it and run it."]
    if is_check and (not place or kept_nothing(place.source)) and (why := cells.astray(name)):
        return [begin.removeprefix("not attempted yet: "), why]
    if place and place.is_first:
        return [
            begin,
            f"Run {place.words} and then this cell again.",
            "To run everything down to here: Run > Run All Above Selected Cell.",
        ]
    if traceback.tb_frame.f_code.co_name != "<module>":
        return []  # inside a function, its line says more
    if place:
        return [begin, f"Run {place.words} first. If it shows an error (a SyntaxError, say), mend it."]
    if is_check:
        return [begin, "Run the cell above this one first. If it shows an error (a SyntaxError, say), mend it."]
    return []
