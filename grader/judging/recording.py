"""What a learner's checks said last, in a small file beside the learner's own library.

Progress is read from it, by Python and by the pictures in JupyterLab, so that it counts at once what a check has said,
before the notebook is saved. A line is added for each change: two notebooks may write at the same time, and a line that
was cut short costs nothing but itself. No mark depends on it, and nothing that goes wrong here changes a verdict.
"""

import json
import math
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from attnlib import mine
from grader.files import read_regular
from grader.judging.keeping import library_tree
from grader.judging.verdict import Verdict

#: Beside the functions of one's own library.
FILE = "progress.jsonl"
LARGEST = 5 * 2**20


@dataclass
class Recorded:
    """What a learner's checks have said.

    Attributes
    ----------
    points, best : dict of str to float
        By exercise: of its last check, and of its best.
    """

    points: dict[str, float] = field(default_factory=dict)
    best: dict[str, float] = field(default_factory=dict)


def recorded(where: Path | None) -> Recorded:
    """Read what the checks have said; what cannot be read is left out.

    Parameters
    ----------
    where : Path or None
        The folder of the learner's library.
    """
    found = Recorded()
    if where is None:
        return found
    try:
        lines = read_regular(where / FILE, LARGEST).decode("utf-8", "replace").splitlines()
    except OSError:
        return found
    for line in lines:
        try:
            said = json.loads(line)
        except (ValueError, RecursionError):
            continue
        if not isinstance(said, dict):
            continue
        name, points = said.get("check"), said.get("points")
        if not isinstance(name, str) or isinstance(points, bool) or not isinstance(points, int | float):
            continue
        if math.isfinite(points) and points >= 0:
            found.points[name] = float(points)
            found.best[name] = max(found.best.get(name, 0.0), float(points))
    return found


def record(verdict: Verdict) -> Recorded | None:
    """Write down what a check has said, where its learner has a library.

    Returns
    -------
    Recorded or None
        All that is recorded now; None where nobody's results are, as while notebooks are graded or validated.
    """
    where = mine.folder()
    if where is None or verdict.unjudged:
        return None
    before = recorded(where)
    if before.points.get(verdict.exercise) != verdict.points:
        _add(where, {"check": verdict.exercise, "points": verdict.points})
        before.points[verdict.exercise] = verdict.points
    return before


def record_library(where: Path | None = None) -> None:
    """Write down what is in a library, by default in that of whoever works here."""
    if where := where or mine.folder():
        _add(where, {"library": library_tree(where)})


def forget(where: Path, exercises: list[str]) -> None:
    """Write down that exercises are to be done again; what they were worth at best stays known."""
    before = recorded(where)
    for name in exercises:
        if before.points.get(name):
            _add(where, {"check": name, "points": 0.0})


def _add(where: Path, said: dict[str, Any]) -> None:
    try:
        where.mkdir(parents=True, exist_ok=True)
        with open(where / FILE, "ab") as file:
            cut = file.tell() > 0 and not _ends_a_line(where / FILE)
            # In one piece, so that what two kernels add does not mix.
            file.write(("\n" * cut + json.dumps(said, ensure_ascii=False) + "\n").encode())
    except OSError:
        pass  # a full disk, a folder that cannot be written: the verdict stands, and saved notebooks are read too


def _ends_a_line(path: Path) -> bool:
    with open(path, "rb") as file:
        file.seek(-1, 2)
        return file.read(1) == b"\n"
