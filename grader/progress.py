"""What a learner has done so far: what each check said last, as it was written down or as a saved notebook shows it."""

import os
import warnings
from dataclasses import dataclass
from pathlib import Path

from grader.errors import CourseError, NotebookError
from grader.judging.keeping import library_tree
from grader.judging.recording import FILE, Recorded, recorded
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
    lost : int
        Exercises whose check once gave full marks, and does not any more.
    """

    notebook: str
    done: int
    exercises: int
    points: float
    max_points: float
    problem: str = ""
    lost: int = 0


@dataclass(frozen=True)
class Results:
    """What the checks of one notebook said last.

    Attributes
    ----------
    notebook : str
        part/notebook.
    points, best, worth : dict of str to float
        By exercise: what its last check gave, what its best gave, and full marks.
    problem : str
        See `Progress`.
    """

    notebook: str
    points: dict[str, float]
    best: dict[str, float]
    worth: dict[str, float]
    problem: str = ""

    @property
    def progress(self):
        """How far the notebook is."""
        done = [name for name, full in self.worth.items() if self.points[name] >= full]
        return Progress(
            notebook=self.notebook,
            done=len(done),
            exercises=len(self.worth),
            points=round(sum(self.points.values()), 2),
            max_points=sum(self.worth.values()),
            problem=self.problem,
            lost=sum(self.best[name] >= full for name, full in self.worth.items() if name not in done),
        )


def read_progress(folder=None, released=RELEASED):
    """How far each notebook of the course is.

    The last check counts: what it said is known before its notebook is saved, and an answer that was changed and fails
    now is done no more. Of exercises whose checks nobody has written down, the saved notebook tells.

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
    return [each.progress for each in _results(WORK if folder is None else Path(folder), released)]


def _results(folder, released):
    sources = sorted(Path(released).glob("*/*.ipynb"))
    if not sources:
        raise CourseError(f"there are no notebooks in {released}; make them with: python -m grader release")
    said = recorded(folder / "mine")
    return [_one(path, folder / path.relative_to(released), path.relative_to(released), said) for path in sources]


def _one(source, saved, name, said: Recorded):
    worth = {grade_id(cell): float(marks(cell)["points"]) for cell in _checks(source)}
    shown, problem = {}, ""
    if saved.exists():
        try:
            shown = {grade_id(cell): max(points_shown(cell) or 0.0, 0.0) for cell in _checks(saved)}
        except NotebookError:
            problem = f"damaged; a fresh copy: python -m grader reset {name.stem}"
    # A learner's files may hold anything: what an exercise is worth is for the release to say.
    points = {key: min(said.points.get(key, shown.get(key, 0.0)), full) for key, full in worth.items()}
    best = {key: min(max(said.best.get(key, 0.0), points[key]), full) for key, full in worth.items()}
    return Results(name.with_suffix("").as_posix(), points, best, worth, problem)


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
        lost = f"{row.lost} lost: done once, and not any more" if row.lost else ""
        said = "".join(f"  {words}" for words in (lost, row.problem) if words)
        lines.append(f"{row.notebook:{width}}  {counts:>9}  {points:>9}{said}")
    return "\n".join(lines)


MIME = "application/vnd.attention-course.progress+json"


class Current:
    """A picture of somebody's progress: JupyterLab keeps it current, other pages show it as it was when it was made.

    Parameters
    ----------
    picture : attnlib.plots.Picture
    data : dict
        What the course's extension of JupyterLab makes it from; see `progress.js`.
    """

    def __init__(self, picture, data):
        self.picture, self.data, self.alt = picture, data, picture.alt

    def _repr_mimebundle_(self, include=None, exclude=None):
        return {MIME: self.data} | self.picture._repr_mimebundle_()

    def __repr__(self):
        return self.alt


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
    Current
    """
    from attnlib import plots

    folder = _home(released) if folder is None else Path(folder)
    results, library = _results(folder, released), library_tree(folder / "mine")
    rows = [each.progress for each in results]
    picture = plots.progress_chart(
        [
            (row.notebook + (" (damaged)" if row.problem else ""), row.done, row.exercises, row.points, row.max_points)
            for row in rows
        ],
        library,
        lost=[row.lost for row in rows],
        links=[f"{_from_here(folder)}/{row.notebook}.ipynb" for row in rows],
    )
    return Current(picture, _data("chart", folder, results) | {"library": library})


def progress_road(here, folder=None, released=RELEASED):
    """The road map, with what is done of each notebook.

    Parameters
    ----------
    here : str
        The notebook that asks, as for `attnlib.plots.road_map`.
    folder, released : Path, optional
        As for `progress_picture`.

    Returns
    -------
    Current
    """
    from attnlib import plots

    folder = _home(released) if folder is None else Path(folder)
    results = _results(folder, released)
    rows = [each.progress for each in results]
    picture = plots.road_map(here, {row.notebook: (row.done, row.exercises) for row in rows})
    boxes = {link.href.removeprefix("../").removesuffix(".ipynb"): link.box for link in picture.links}
    return Current(picture, _data("road", folder, results) | {"boxes": boxes})


def _home(released):
    """The learner's folder, for a cell that does not say which."""
    here = Path.cwd()
    return here.parent if any(path.is_dir() and path.name == here.name for path in Path(released).glob("*")) else WORK


def _from_here(folder):
    """The way to a folder, as a link has it."""
    try:
        return Path(os.path.relpath(folder)).as_posix()
    except ValueError:  # on another drive
        return Path(folder).as_posix()


def _data(view, folder, results):
    notebooks = [
        {"name": each.notebook, "points": each.points, "best": each.best, "worth": each.worth}
        | ({"problem": "damaged"} if each.problem else {})
        for each in results
    ]
    return {"view": view, "folder": _from_here(folder), "file": f"mine/{FILE}", "notebooks": notebooks}
