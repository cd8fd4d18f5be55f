"""`python -m grader ready PART`: a learner's own folder, graded before it is handed in as the class will be."""

import secrets
import sys
from collections.abc import Iterator
from pathlib import Path

from grader.classroom.marking.submission import GradedNotebook, Plan, Prepared, grade_notebook, prepare
from grader.classroom.repair import find_files
from grader.classroom.running.runner import Runner
from grader.classroom.sandbox.bubblewrap import TRUSTED, NoSandbox
from grader.errors import CourseError, UnknownName
from grader.notebook import grade_id, is_check, is_written, marks, points_shown, read_notebook
from grader.pace import pace, say
from grader.places import RELEASED, WORK, find_part
from grader.words import points_of, shown


def ready(part: str, folder: Path | None = None) -> int:
    """Grade one's own copy of a part, and say what would be lost.

    Parameters
    ----------
    part : str
        As much of its name as no other part has.
    folder : Path, optional
        What will be handed in; by default the part's folder in work/.

    Returns
    -------
    int
        0 if every point that a check showed at home is earned, 1 if some would be lost.

    Raises
    ------
    CourseError
        If there is no such part or folder, or if nothing can be graded on this machine.
    """
    part = find_part(part, sorted(path.name for path in RELEASED.iterdir() if path.is_dir()))
    released = {path.stem: read_notebook(path) for path in sorted((RELEASED / part).glob("*.ipynb"))}
    folder = WORK / part if folder is None else folder
    if not folder.is_dir():
        raise UnknownName(f"there is no folder {folder}; name what you will hand in with --folder")
    ids = [grade_id(cell) for notebook in released.values() for cell in notebook.cells if marks(cell).get("grade")]
    found = find_files(folder, released)
    if not found.files:
        notes = "".join(f"\nNote: {note}" for note in found.notes)
        raise UnknownName(f"{folder} holds no notebook of {part}; name what you will hand in with --folder{notes}")
    runner, sandboxed = _runner()
    plan = Plan(part, released, {name: secrets.token_hex(32) for name in ids}, sandboxed, "")
    lost = earned = full = 0.0
    with runner, pace(len(released), "notebook") as bar:
        for name in released:
            prepared = prepare(released[name], name, found)
            at_home = _at_home(found.files.get(name))
            graded = grade_notebook(name, prepared, plan, lambda: runner)
            earned += graded.record.points
            full += graded.record.max_points
            lost += sum(max(at_home.get(one.id, 0.0) - one.points, 0.0) for one in graded.record.exercises)
            say("\n".join(_told(name, plan, prepared, graded, at_home)), sys.stdout)
            bar.update()
    print(*(f"Note: {note}" for note in found.notes), sep="\n", end="\n" if found.notes else "")
    print(f"\n{part}: {earned:g} of {points_of(full)}, besides what a person marks.")
    print(
        f"{points_of(lost)} that a check showed you would be lost." if lost else "Nothing that a check showed is lost."
    )
    return 1 if lost else 0


def _runner() -> tuple[Runner, bool]:
    """The same sandbox as a class has, if there is one here."""
    try:
        return Runner(), True
    except NoSandbox as problem:
        if sys.platform != "linux":
            raise CourseError(f"{problem} Here, restart the kernel, run all cells, and look at each check.") from None
        why = str(problem).replace(TRUSTED, "")
        print(f"Without the sandbox that a class is graded in ({why}):", file=sys.stderr)
        return Runner(sandboxed=False), False


def _at_home(path: Path | None) -> dict[str, float]:
    """The points that the checks of a notebook showed last, by exercise; nothing where it cannot be read."""
    try:
        cells = read_notebook(path).cells if path else []
    except CourseError:
        return {}
    return {grade_id(cell): points_shown(cell) or 0.0 for cell in cells if is_check(cell)}


def _told(
    name: str, plan: Plan, prepared: Prepared, graded: GradedNotebook, at_home: dict[str, float]
) -> Iterator[str]:
    """What to say of a notebook: its points, and line by line what would be lost and why."""
    record = graded.record
    yield f"{name}: {record.points:g} of {points_of(record.max_points)}"
    if record.status != "graded":
        yield f"  {prepared.why or record.status}"
        return
    for repair in record.repairs:
        yield f"  mended: {repair}"
    for failure in record.failures:
        yield f"  {shown(failure, 300)}"
    released = {grade_id(cell): cell.source for cell in plan.released[name].cells}
    for cell in _cells(graded):
        if is_written(cell) and marks(cell)["points"] and cell.source == released[grade_id(cell)]:
            up_to = points_of(marks(cell)["points"])
            yield f"  {grade_id(cell)}: nothing is written; a person gives up to {up_to} here"
    said = {grade_id(cell): _words(cell) for cell in _cells(graded) if is_check(cell)}
    for one in record.exercises:
        if one.points >= one.max_points:
            continue
        home = at_home.get(one.id, 0.0)
        lost = f", and your check showed {home:g}" if home > one.points else ""
        yield f"  {one.id}: {one.points:g} of {one.max_points:g}{lost}; {one.reason or said.get(one.id) or one.state}"


def _cells(graded: GradedNotebook) -> list:
    import nbformat

    return nbformat.reads(graded.text.decode("utf-8"), as_version=4).cells


def _words(cell) -> str:
    """The first thing that a check found wrong, on one line."""
    for output in cell.get("outputs", []):
        words = " ".join("".join(output.get("data", {}).get("text/plain", "")).split())
        if wrong := words.partition(" - ")[2]:
            return shown(wrong.partition(" - ")[0], 300)
    return ""
