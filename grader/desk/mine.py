"""A learner's own library: what is in it, and what is switched off."""

import difflib
import os
from pathlib import Path

import attnlib
from attnlib import mine
from grader.errors import UnknownName
from grader.files import cannot_write
from grader.judging.keeping import library_tree
from grader.judging.recording import record_library
from grader.places import WORK

WHOSE = {"mine": "", "off": "  (off)", "course": "  (the course's)"}


def mine_command(off: str | None = None, on: str | None = None, folder: Path | None = None) -> str:
    """List a library, or switch a function off or on, and say what that means.

    Parameters
    ----------
    off, on : str, optional
        The function's name; at most one of them.
    folder : Path, optional
        Where the learner's notebooks are, in one folder a part; by default those beside the current folder where that
        is a part of the course, else `work/`.

    Raises
    ------
    UnknownName
        If there is no such folder, or no function of that name is kept.
    CourseError
        If its file cannot be renamed.
    """
    if folder is not None and not folder.is_dir():
        raise UnknownName(f"there is no folder {folder}")
    where = (mine.folder() or WORK / "mine") if folder is None else folder / "mine"
    name = off or on
    return switch(name, name == on, where) if name else listing(where)


def listing(where: Path) -> str:
    """A library as text: its functions, and below each what it calls."""
    lines = ["  " * depth + name + WHOSE[whose] for depth, name, whose in library_tree(where)]
    if not lines:
        return "Your library is empty: a function is kept in it when its check gives full points."
    lines += ["", f"They are in {where}.", "Switch one off or on: python -m grader mine --off NAME, or --on NAME"]
    return "\n".join(lines)


def switch(name: str, on: bool, where: Path) -> str:
    """Switch a function on or off, and say what that means.

    Raises
    ------
    UnknownName
        If no function of that name is kept.
    CourseError
        If its file cannot be renamed.
    """
    kept = mine.kept(where)
    if name not in kept:
        near = difflib.get_close_matches(name, kept, n=3, cutoff=0.5)
        hint = f"did you mean {', '.join(near)}?" if near else f"there are: {', '.join(kept) or 'none'}"
        raise UnknownName(f"there is no {name} in your library ({where}); {hint}")
    path = where / f"{name}.py"
    try:
        os.replace(kept[name].path, path if on else path.with_name(path.name + mine.OFF))
    except OSError as problem:
        raise cannot_write(problem, "try again", str(path)) from None
    record_library(where)
    if on:
        return f"{name} is on: `from attnlib.mine import {name}` gives your own, once that cell has run again."
    if not hasattr(attnlib, name):
        return f"{name} is off. The course's library has no {name} to stand in."
    return f"{name} is off: `from attnlib.mine import {name}` gives the course's, once that cell has run again."
