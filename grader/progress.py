"""What a learner has done so far, from the outputs that the checks left in the saved notebooks."""

import warnings
from dataclasses import dataclass
from pathlib import Path

from attnlib import mine
from grader.errors import CourseError, NotebookError
from grader.exercises import BANK
from grader.notebook import grade_id, is_check, marks, points_shown, read_notebook
from grader.places import RELEASED, WORK


@dataclass(frozen=True)
class Progress:
    """How far one notebook is.

    Attributes
    ----------
    notebook : str
        part/notebook.
    done, exercises : int
        Exercises with full marks, and all of them. Written questions, which a person marks, are not counted.
    points, max_points : float
    problem : str
        Why the notebook cannot be read, in words; "" if it can.
    """

    notebook: str
    done: int
    exercises: int
    points: float
    max_points: float
    problem: str = ""


def read_progress(folder=None, released=RELEASED):
    """How far each notebook of the course is.

    Parameters
    ----------
    folder : Path, optional
        Where the learner's notebooks are, in one folder a part; by default `work/`.
    released : Path
        The notebooks as handed out: what there is to do, and what it is worth.

    Returns
    -------
    list of Progress
        In the order of the course.

    Raises
    ------
    CourseError
        If there are no released notebooks.
    """
    folder = WORK if folder is None else Path(folder)
    sources = sorted(Path(released).glob("*/*.ipynb"))
    if not sources:
        raise CourseError(f"there are no notebooks in {released}; make them with: python -m grader release")
    return [_one(path, folder / path.relative_to(released), path.relative_to(released)) for path in sources]


def _one(source, saved, name):
    worth = {grade_id(cell): float(marks(cell)["points"]) for cell in _checks(source)}
    earned, problem = {}, ""
    if saved.exists():
        try:
            earned = {grade_id(cell): max(points_shown(cell) or 0.0, 0.0) for cell in _checks(saved)}
        except NotebookError:
            problem = f"damaged; a fresh copy: python -m grader reset {name.stem}"
    # A learner's copy may hold anything: what an exercise is worth is for the release to say.
    points = {key: min(earned.get(key, 0.0), full) for key, full in worth.items()}
    return Progress(
        notebook=name.with_suffix("").as_posix(),
        done=sum(points[key] >= full for key, full in worth.items()),
        exercises=len(worth),
        points=round(sum(points.values()), 2),
        max_points=sum(worth.values()),
        problem=problem,
    )


def _checks(path):
    """The check cells of a notebook; raises `NotebookError` if it cannot be read."""
    return [cell for cell in saved_cells(path) if is_check(cell)]


def saved_cells(path):
    """The cells of a learner's notebook that have a name, whatever else is in it.

    Raises
    ------
    NotebookError
        If it cannot be read.
    """
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")  # nbformat warns about what an older program left out; it can be read
            cells = read_notebook(path).cells
        return [cell for cell in cells if isinstance(grade_id(cell), str)]
    except (AttributeError, KeyError, TypeError) as problem:
        raise NotebookError(f"{path} is damaged or no notebook ({problem})") from None


def table(rows):
    """Progress as text for a terminal.

    Parameters
    ----------
    rows : list of Progress

    Examples
    --------
    >>> print(table([Progress("0-start-here/start-here", 1, 2, 1.5, 3.0)]))
    notebook                 exercises     points
    0-start-here/start-here     1 of 2   1.5 of 3
    <BLANKLINE>
    all                         1 of 2   1.5 of 3
    """
    total = Progress(
        "all",
        sum(row.done for row in rows),
        sum(row.exercises for row in rows),
        round(sum(row.points for row in rows), 2),
        sum(row.max_points for row in rows),
    )
    width = max(len(row.notebook) for row in rows)
    lines = [f"{'notebook':{width}}  {'exercises':>9}  {'points':>9}"]
    for row in (*rows, None, total):
        if row is None:
            lines.append("")
            continue
        counts, points = f"{row.done} of {row.exercises}", f"{row.points:g} of {row.max_points:g}"
        said = f"  {row.problem}" if row.problem else ""
        lines.append(f"{row.notebook:{width}}  {counts:>9}  {points:>9}{said}")
    return "\n".join(lines)


def progress_picture(folder=None, released=RELEASED):
    """Progress as a picture, and the learner's own library, for a cell of a notebook.

    Parameters
    ----------
    folder : Path, optional
        By default the notebooks beside the one that asks, where it lies in a part of the course; else `work/`.
    released : Path
        See `read_progress`.

    Returns
    -------
    attnlib.plots.Picture
    """
    from attnlib import plots

    if folder is None:
        here = Path.cwd()
        in_a_part = any(path.is_dir() and path.name == here.name for path in Path(released).glob("*"))
        folder = here.parent if in_a_part else WORK
    rows = read_progress(folder, released)
    return plots.progress_chart(
        [
            (row.notebook + (" (damaged)" if row.problem else ""), row.done, row.exercises, row.points, row.max_points)
            for row in rows
        ],
        library_tree(folder / "mine"),
    )


def library_tree(where):
    """What calls what in a learner's own library, the last of the course first; see `attnlib.mine.tree`."""
    kept, order = mine.kept(where), list(BANK)
    names = sorted(kept, key=lambda name: (-order.index(name) if name in BANK else 1, name))
    return mine.tree({name: kept[name] for name in names})
