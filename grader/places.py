"""Where things lie in the repository, and which notebook a person means."""

import difflib
import os
import sys
from pathlib import Path

from grader.errors import UnknownName

ROOT = Path(__file__).resolve().parent.parent
SOLUTIONS = ROOT / "solutions"
RELEASED = ROOT / "notebooks"
WORK = ROOT / "work"
GRADING = ROOT / "grading"


def alembic_on_path(environ=os.environ):
    """Put this environment's programs first on PATH: nbgrader calls `alembic` by its name for a fresh gradebook."""
    programs, path = str(Path(sys.executable).parent), environ.get("PATH", "")
    if path.split(os.pathsep)[0] != programs:
        environ["PATH"] = os.pathsep.join([programs, path])


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
    UnknownName
        If there is no such notebook, or more than one.
    """
    known = [path.relative_to(folder) for path in sorted(Path(folder).glob("*/*.ipynb"))]
    if not known:
        raise UnknownName(f"there are no notebooks in {folder}; make them with: python -m grader release")
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
        raise UnknownName(f"{name} can be any of {', '.join(names)}; give the part as well")
    stems = {path.stem: path.with_suffix("").as_posix() for path in known}
    near = difflib.get_close_matches(Path(wanted[-1]).stem if wanted else "", stems, n=3, cutoff=0.5)
    hint = f"did you mean {', '.join(stems[stem] for stem in near)}?" if near else f"there are: {', '.join(names)}"
    raise UnknownName(f"there is no notebook {name}; {hint}")


def find_part(name, parts):
    """The part that is meant: by its whole name, its beginning, or anything in it that no other part has.

    Raises
    ------
    UnknownName
        If there is no such part, or more than one.

    Examples
    --------
    >>> find_part("2", ["0-start-here", "1-context-vectors", "2-attention"])
    '2-attention'
    >>> find_part("solutions/1-context-vectors/", ["0-start-here", "1-context-vectors"])
    '1-context-vectors'
    """
    meant = name.strip("/\\").replace("\\", "/").rpartition("/")[2]
    ways = (lambda part: part == meant, lambda part: part.startswith(meant), lambda part: meant.lower() in part.lower())
    for fits in ways:
        found = [part for part in parts if meant and fits(part)]
        if len(found) == 1:
            return found[0]
        if found:
            raise UnknownName(f"{name!r} can be any of {', '.join(found)}; give more of the name")
    raise UnknownName(f"there is no part {name!r}; there are: {', '.join(parts) or 'none'}")
