"""What a notebook may see of the course while it is graded: `attnlib` without what is still to be written."""

import ast
import functools
import re
import shutil
from collections.abc import Iterable, Set
from pathlib import Path

import attnlib
from grader.exercises import BANK, NOTEBOOKS
from grader.exercises.kinds import FunctionExercise
from grader.places import ROOT

SOURCE = Path(attnlib.__file__).parent
GRADER = ROOT / "grader"
#: Files of `grader` that the sandbox needs; the rest of that package is a stub there.
INSIDE = (
    "judging/__init__.py",
    "judging/answer.py",
    "judging/plain.py",
    "classroom/__init__.py",
    "classroom/sandbox/__init__.py",
    "classroom/sandbox/inside/*.py",
)
STUB = GRADER / "classroom" / "sandbox" / "inside" / "stub"
#: What stands there for modules of `attnlib` that are a learner's own matter.
INSTEAD = STUB.with_name("library")
DATA = "data"

_WORD = re.compile(r"\w+")

# A function that is absent can be imported, as it is for a comparison at home; who calls it is told, on one line.
SAYS_WHAT_IS_ABSENT = """

for _name in {modules!r}:
    __import__(f"attnlib.{{_name}}")
ABSENT = frozenset({absent!r})
for _name in ABSENT & set(globals()):
    del globals()[_name]  # a module of that name


def __getattr__(name):
    import sys

    if name not in ABSENT:
        raise AttributeError(f"module 'attnlib' has no attribute {{name!r}}", name=name, obj=sys.modules[__name__])

    def absent(*args, **kwargs):
        why = (
            f"This needs attnlib.{{name}}, which is not there while a notebook is graded: it is for you to write. "
            "Your own copy of the notebook shows what belongs here."
        )
        raise AttributeError(why, name=name, obj=sys.modules[__name__])

    absent.__name__ = absent.__qualname__ = name
    return absent
"""
IS_ITS_OWN_PARTS = """

import sys

for _part in {parts!r}:
    sys.modules[f"{{__name__}}.{{_part}}"] = sys.modules[__name__]
"""
ASKS_THE_LIBRARY = """

def __getattr__(name):
    import attnlib

    if name in getattr(attnlib, "ABSENT", ()):
        return attnlib.__getattr__(name)
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
"""


@functools.cache
def _asked() -> list[tuple[set[str], set[str]]]:
    """For each notebook, in teaching order: its exercises, and the library's functions that they ask for."""
    asked = []
    for exercises in NOTEBOOKS.values():
        functions = [exercise for exercise in exercises if isinstance(exercise, FunctionExercise)]
        names = {name for exercise in functions for name in (exercise.id, *exercise.library_names)}
        asked.append(({exercise.id for exercise in exercises}, names))
    return asked


def absent(exercises: Iterable[str] | None) -> frozenset[str]:
    """The functions of the library that a notebook must not see: those it asks for, and those of later notebooks.

    Parameters
    ----------
    exercises : iterable of str or None
        Ids of the notebook's exercises. One that is not in the bank is as early as can be. None stands for a process
        that runs no learner's code: nothing is absent.

    Returns
    -------
    frozenset of str
    """
    if exercises is None:
        return frozenset()
    places = [next((i for i, (ids, _) in enumerate(_asked()) if name in ids), 0) for name in exercises]
    present = {name for name in vars(attnlib) if callable(getattr(attnlib, name))}
    return frozenset(_all_asked(min(places, default=0)) & present)


def _all_asked(first: int = 0) -> set[str]:
    return set[str]().union(*(names for _, names in _asked()[first:]))


def without(text: str, names: Set[str]) -> str:
    """The source of a module without the functions in `names`, and without importing them.

    A private function that only those had used goes with them.

    Parameters
    ----------
    text : str
    names : set of str

    Returns
    -------
    str
    """
    meant = names & set(_WORD.findall(text))
    return _without(text, frozenset(meant)) if meant else text


@functools.cache
def _without(text: str, names: frozenset[str]) -> str:
    kept = ast.parse(text).body
    dropped: list[ast.FunctionDef] = []
    nodes = {statement: list(ast.walk(statement)) for statement in kept}
    used = {
        statement: {node.id for node in inside if isinstance(node, ast.Name)} for statement, inside in nodes.items()
    }
    while True:
        still_used = set[str]().union(*(used[statement] for statement in kept))
        go = [one for one in kept if isinstance(one, ast.FunctionDef) and _goes(one.name, names, still_used)]
        if not go:
            break
        kept = [one for one in kept if one not in go]
        dropped += go
    changes: list[tuple[int, int | None, list[str]]] = [
        (min([one.lineno, *(decorator.lineno for decorator in one.decorator_list)]), one.end_lineno, [])
        for one in dropped
    ]
    for statement in kept:
        for node in nodes[statement]:
            if isinstance(node, ast.ImportFrom) and any(alias.name in names for alias in node.names):
                node.names = [alias for alias in node.names if alias.name not in names]
                rest = ast.unparse(node) if node.names else "pass"
                changes.append((node.lineno, node.end_lineno, [" " * node.col_offset + rest]))
    lines = text.split("\n")
    for first, last, new in sorted(changes, reverse=True):
        lines[first - 1 : last] = new
    return "\n".join(lines)


def _goes(name: str, names: frozenset[str], still_used: set[str]) -> bool:
    private = name.startswith("_") and not name.startswith("__")
    return name in names or (private and name not in still_used)


def write_course(folder: Path) -> None:
    """Write what every notebook has: the stub of `grader`, and `attnlib` without anything that is asked for.

    Parameters
    ----------
    folder : Path
        An empty folder. The data are left out: they are mounted, or linked by `link_data`.
    """
    for path in (path for name in INSIDE for path in GRADER.glob(name)):
        target = folder / "grader" / path.relative_to(GRADER)
        target.parent.mkdir(parents=True, exist_ok=True)
        shutil.copyfile(path, target)
    for path in STUB.glob("*.py"):
        shutil.copyfile(path, folder / "grader" / path.name)
    points = {name: float(exercise.points) for name, exercise in BANK.items()}
    with (folder / "grader" / "__init__.py").open("a", encoding="utf-8") as stub:
        stub.write(f"\nPOINTS.update({points})\n")
    write_library(folder, frozenset(_all_asked()))
    (folder / "attnlib" / DATA).mkdir()


def link_data(folder: Path) -> None:
    """Let a course folder without mounts find the data."""
    (folder / "attnlib" / DATA).rmdir()
    (folder / "attnlib" / DATA).symlink_to(SOURCE / DATA)


def write_library(folder: Path, names: frozenset[str], data: str | Path | None = None) -> None:
    """Write the concept modules of `attnlib`, without the functions in `names`, and what stands for the pictures.

    Parameters
    ----------
    folder : Path
        Gets a folder `attnlib`.
    names : frozenset of str
        See `absent`.
    data : str, optional
        Where the data will be found from there.
    """
    target = folder / "attnlib"
    target.mkdir(parents=True)
    concepts = sorted(path for path in SOURCE.glob("*.py") if path.name != "__init__.py")
    for path in (*concepts, SOURCE / "__init__.py", INSTEAD / "plots.py", INSTEAD / "widgets.py"):
        instead = INSTEAD / path.name
        whole = (instead if instead.exists() else path).read_text(encoding="utf-8")
        text = without(whole, names)
        if path.name == "__init__.py":
            text += SAYS_WHAT_IS_ABSENT.format(absent=sorted(names), modules=[module.stem for module in concepts])
        elif instead.exists():
            parts = sorted(part.stem for part in (SOURCE / path.stem).glob("*.py") if part.name != "__init__.py")
            text += IS_ITS_OWN_PARTS.format(parts=parts)
        elif text is not whole:
            text += ASKS_THE_LIBRARY
        (target / path.name).write_text(text, encoding="utf-8")
    if data:
        (target / "data").symlink_to(data)
