"""A learner's notebook back to how it was handed out, without losing the old one."""

import difflib
import os
import shutil
from datetime import datetime
from pathlib import Path

from grader.notebook_format import NotebookError

ROOT = Path(__file__).resolve().parent.parent
RELEASED = ROOT / "notebooks"
WORK = ROOT / "work"


class UnknownNotebook(NotebookError):
    """A name that no notebook of the course has; the message says which are near."""


def find_notebook(name, folder=RELEASED):
    """The notebook of the course that is meant.

    Parameters
    ----------
    name : str
        A path, whole or in part, from any folder; `.ipynb` may be left out: `3-softmax`,
        `work/1-context-vectors/3-softmax.ipynb`.
    folder : Path
        The folder with one folder a part, whose notebooks are meant.

    Returns
    -------
    Path
        Relative to `folder`: part/notebook.ipynb.

    Raises
    ------
    UnknownNotebook
        If there is no such notebook, or more than one.
    """
    known = [path.relative_to(folder) for path in sorted(Path(folder).glob("*/*.ipynb"))]
    if not known:
        raise UnknownNotebook(f"there are no notebooks in {folder}; make them with: python -m grader release")
    pieces = Path(str(name).replace("\\", "/").removesuffix(".ipynb") + ".ipynb").parts
    # Only the last two count: which copy of the course a path leads to makes no difference.
    wanted = tuple(piece for piece in pieces if piece not in (".", ".."))[-2:]
    found = [path for path in known if path.parts == wanted]
    if not found and wanted:
        found = [path for path in known if path.name == wanted[-1]]
    if len(found) == 1:
        return found[0]
    names = [path.with_suffix("").as_posix() for path in found or known]
    if found:
        raise UnknownNotebook(f"{name} can be any of {', '.join(names)}; give the part as well")
    stems = {path.stem: path.with_suffix("").as_posix() for path in known}
    near = difflib.get_close_matches(Path(wanted[-1]).stem if wanted else "", stems, n=3, cutoff=0.5)
    hint = f"did you mean {', '.join(stems[stem] for stem in near)}?" if near else f"there are: {', '.join(names)}"
    raise UnknownNotebook(f"there is no notebook {name}; {hint}")


def reset(name, work=WORK, released=RELEASED, now=None):
    """Put a learner's copy of a notebook back to the release, and keep the old one beside it.

    Parameters
    ----------
    name : str
        See `find_notebook`.
    work, released : Path
        The learner's folder, and where the notebooks as handed out are.
    now : datetime, optional
        The time that goes into the kept notebook's name.

    Returns
    -------
    notebook : Path
        The learner's notebook.
    kept : Path or None
        Where the old one is now; None if there was none, or if it was still as handed out.

    Raises
    ------
    UnknownNotebook
        If there is no such notebook.
    """
    place = find_notebook(name, released)
    source, target = Path(released) / place, Path(work) / place
    kept = None
    target.parent.mkdir(parents=True, exist_ok=True)
    if os.path.lexists(target):
        if target.is_file() and target.read_bytes() == source.read_bytes():
            return target, None
        kept = _free_name(target, now or datetime.now())
        target.rename(kept)
    # By way of a second name: an interruption must not leave half a notebook.
    partial = target.with_name(f".{target.name}.part")
    shutil.copyfile(source, partial)
    os.replace(partial, target)
    return target, kept


def _free_name(target, now):
    """A name beside `target` that nothing has yet."""
    stem = f"{target.stem} (before reset {now:%Y-%m-%d %H.%M.%S})"
    for number in range(1, 10_000):
        path = target.with_name(f"{stem}{'' if number == 1 else f' {number}'}.ipynb")
        if not os.path.lexists(path):
            return path
    raise NotebookError(f"{target.parent} is full of kept notebooks; delete those that you no longer need")
