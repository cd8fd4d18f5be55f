"""Answers that failed without a name, as small files that can be sent; and what the judge says of such a file."""

from __future__ import annotations

import re
from collections import Counter
from dataclasses import dataclass
from functools import partial
from pathlib import Path

from grader.errors import CourseError, NotebookError, UnknownName
from grader.exercises import NOTEBOOKS
from grader.exercises.kinds import Exercise, FunctionExercise
from grader.files import read_regular, write_whole
from grader.judging.check import UNNAMED
from grader.judging.unnamed import LONGEST_SOURCE, stands_on
from grader.judging.verdict import Verdict
from grader.notebook import grade_id, is_answer, is_check, marks, points_shown, read_notebook
from grader.places import RELEASED, ROOT, SOLUTIONS, WORK
from grader.progress import saved_cells
from grader.words import listed, plural

HEAD = "# exercise: "
DRAWS = 20


def unnamed(part: str | None = None, folder: Path | None = None) -> str:
    """Write the files, and tell where they are.

    Parameters
    ----------
    part : str, optional
        A graded part, whose groups are written; by default a learner's own answers are.
    folder : Path, optional
        Where the learner's notebooks are; by default `work/`.
    """
    if part is not None:
        from grader.classroom.course import Course

        course = Course.at(ROOT)
        written = write_groups(course, course.find_part(part))
        return "\n".join(f"wrote {path}" for path in written) or "No answer failed without a name."
    if folder is not None and not folder.is_dir():
        raise UnknownName(f"there is no folder {folder}")
    return str(write_unnamed(folder))


@dataclass(frozen=True)
class Unnamed:
    """What was found in a learner's notebooks.

    Attributes
    ----------
    written : list of Path
        The files, one for each answer whose last check failed without a name.
    changed : list of str
        Exercises whose answer is another by now than the one that was checked.
    waiting : list of str
        Exercises whose answer calls another of the learner's functions that is not right.
    """

    written: list[Path]
    changed: list[str]
    waiting: list[str]

    def __str__(self) -> str:
        lines = [f"wrote {path}" for path in self.written]
        if self.written:
            lines.append(
                "\nA file holds the exercise and the cell of your answer, and nothing else: no name, no time. Have a "
                "look, then send it to whoever runs the course, so that the check learns to name the mistake."
            )
        elif not self.changed and not self.waiting:
            lines.append("No check failed without a name in your notebooks as they were last saved.")
        if self.changed:
            exercises = listed([f"`{name}`" for name in self.changed])
            lines.append(f"{exercises} changed since the last check: run the check again, and save the notebook.")
        for name in self.waiting:
            lines.append(f"`{name}` calls a function of yours that is not right yet: mend that one first.")
        return "\n".join(lines)


def write_unnamed(folder: Path | None = None, released: Path = RELEASED) -> Unnamed:
    """Write a file for each answer in a learner's saved notebooks whose last check failed without a name.

    Parameters
    ----------
    folder : Path, optional
        Where the notebooks are, in one folder a part; by default `work/`. The files go into its folder `unnamed`.
    released : Path
        The notebooks as handed out.

    Returns
    -------
    Unnamed
    """
    folder = WORK if folder is None else Path(folder)
    found = Unnamed([], [], [])
    for source in sorted(Path(released).glob("*/*.ipynb")):
        path = folder / source.relative_to(released)
        if not path.exists():
            continue
        try:
            cells = saved_cells(path)
        except NotebookError:
            continue  # `progress` says so
        worth = {grade_id(cell): float(marks(cell)["points"]) for cell in read_notebook(source).cells if is_check(cell)}
        wrong = {grade_id(cell) for cell in cells if is_check(cell) and _wrong(cell, worth)}
        texts = {grade_id(cell): cell.source for cell in cells if is_answer(cell)}
        for cell in cells:
            name, checked = grade_id(cell), _failed(cell)
            if not is_check(cell) or name not in worth or checked is None:
                continue
            text = texts.get(f"{name}-answer", "")
            if checked.strip() and checked.strip() not in text:
                found.changed.append(name)
            elif stands_on(text, wrong - {name}):
                found.waiting.append(name)
            elif text:
                found.written.append(_write(folder / "unnamed" / f"{name}.py", name, text))
    return found


def _wrong(cell, worth) -> bool:
    """True if a check cell shows fewer points than there are; not where it has not been run."""
    points = points_shown(cell)
    return points is not None and points < worth.get(grade_id(cell), 0.0)


def _failed(cell) -> str | None:
    """The function that a check cell last called wrong without a name; None if it did not."""
    for output in cell.get("outputs", []):
        about = output.get("metadata")
        if isinstance(about, dict) and isinstance(about.get(UNNAMED), str):
            return about[UNNAMED]
    return None


def write_groups(course, part: str) -> list[Path]:
    """Write a file for each group of answers of a graded class that failed alike and without a name.

    Returns
    -------
    list of Path
        The largest group first.

    Raises
    ------
    CourseError
        If the part has not been graded.
    """
    from grader.classroom.records import read_records
    from grader.classroom.report.summary import outline, summarise

    records = read_records(course, part)
    if not records:
        raise CourseError(f"{part} has not been graded yet; do that with: python -m grader grade {part}")
    written: list[Path] = []
    seen: Counter[str] = Counter()
    for exercise, group in summarise(part, records, outline(course, part)).unnamed:
        seen[exercise.id] += 1
        if group.source:
            path = course.grading / "unnamed" / part / f"{exercise.id}-{seen[exercise.id]}.py"
            written.append(_write(path, exercise.id, group.source))
    return written


def _write(path: Path, exercise: str, source: str) -> Path:
    write_whole(path, f"{HEAD}{exercise}\n{source.rstrip()}\n".encode("utf-8", "replace"))
    return path


# ---- what the judge says of a file


def try_answer(exercise: Exercise, path: Path, seeds: int | None = None, sandboxed: bool = True) -> int:
    """Judge the answer in a file over many draws, in the sandbox, and print what is said of it; returns 0.

    Raises
    ------
    CourseError
        If the file cannot be read, or is an answer to something else; if there is no sandbox.
    """
    verdicts = _verdicts(exercise, _source(exercise, path), seeds or DRAWS, sandboxed)
    print(verdicts[0].text)
    named = Counter(
        ", ".join(verdict.diagnoses) or ("(right)" if verdict.passed else "(no name)") for verdict in verdicts
    )
    points = [verdict.points for verdict in verdicts]
    print(f"\n{plural(len(verdicts), 'draw')}: {min(points):g} to {max(points):g} points")
    for words, count in named.most_common():
        print(f"{count:5}  {words}")
    return 0


def _source(exercise: Exercise, path: Path) -> str:
    if not isinstance(exercise, FunctionExercise):
        raise CourseError(f"{exercise.id} asks for no function: its answers need no file")
    try:
        text = read_regular(path, LONGEST_SOURCE * 4).decode("utf-8")
    except (OSError, UnicodeDecodeError) as problem:
        raise CourseError(f"{path} cannot be read: {getattr(problem, 'strerror', None) or 'it is no text'}") from None
    other = re.match(f"{HEAD}(.+)", text)
    if other and other[1].strip() != exercise.id:
        raise CourseError(f"{path} is an answer to {other[1].strip()!r}, not to {exercise.id!r}")
    return text


def _verdicts(exercise: Exercise, source: str, draws: int, sandboxed: bool) -> list[Verdict]:
    """The verdicts on a source, which runs where its cell would stand: below the course's cells and right answers."""
    from grader.classroom.running.checks import checks, not_there
    from grader.classroom.running.far_answer import RemoteAnswer
    from grader.classroom.running.line import Line
    from grader.classroom.sandbox.launcher import Sandbox
    from grader.classroom.sandbox.limits import Limits
    from grader.classroom.sandbox.process import Ended
    from grader.classroom.sandbox.warm import refuse_elsewhere
    from grader.judging.judge import judge, names_of
    from grader.judging.unnamed import lines_of

    refuse_elsewhere()
    limits = Limits()
    notebook = read_notebook(_notebook(exercise))
    exercises = [check.exercise for _, check in checks(notebook) if check]
    with Sandbox(sandboxed, limits) as sandbox:
        line = Line(sandbox.fork(exercises))
        try:
            for text in [*_above(notebook, exercise), source]:
                line.ask({"kind": "cell", "source": text}, limits.cell)
            answer = RemoteAnswer(line.ask, limits, partial(lines_of, source, exercise.id), line.process.watch)
            if problem := answer.bind(exercise.id, names_of(exercise)):
                return [not_there(exercise, problem)]
            return [judge(exercise, answer, seed) for seed in range(draws)]
        except Ended as end:
            raise CourseError(f"the process of this answer {end}") from None
        finally:
            line.process.end()


def _notebook(exercise: Exercise) -> Path:
    name = next(name for name, some in NOTEBOOKS.items() if exercise in some)
    return next(SOLUTIONS.glob(f"*/{name}.ipynb"))


def _above(notebook, exercise: Exercise) -> list[str]:
    """What runs above an answer's cell: what the course gives, without its pictures, and the right answers."""
    from grader.classroom.feedback.course_cells import course_cells

    given = {cell.id: cell.begins for cell in course_cells(notebook)}
    sources = []
    for cell in notebook.cells:
        if grade_id(cell) == f"{exercise.id}-answer":
            break
        if cell.cell_type == "code":
            sources.append(cell.source if is_answer(cell) else given.get(cell.id, ""))
    return [source for source in sources if source]
