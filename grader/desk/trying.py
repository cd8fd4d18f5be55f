"""`python -m grader try ID`: the whole examination of one exercise, for whoever writes it."""

import importlib
import re
import statistics
import sys
import time
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

from grader.desk.unnamed import try_answer
from grader.errors import CourseError, UnknownName
from grader.exercises import MODULES, NOTEBOOKS
from grader.exercises.kinds import ChoiceExercise, Exercise, FunctionExercise, SearchExercise
from grader.judging.judge import find, judge
from grader.judging.verdict import Verdict
from grader.notebook import marks, read_notebook
from grader.places import ROOT, SOLUTIONS, find_notebook
from grader.words import plural, points_of

SEEDS = 200
FEWEST_VARIANTS, FEWEST_MISTAKES = 6, 3
HEADING = re.compile(r"^## (\d+)\.", re.MULTILINE)


@dataclass(frozen=True)
class Known:
    """An answer of which it is known what the judge should say.

    Attributes
    ----------
    name : str
    answer : object
    right : bool
    mistake : str or None
        The mistake that the judge should name.
    first : bool
        True if it should name that one before all others.
    """

    name: str
    answer: object
    right: bool
    mistake: str | None = None
    first: bool = False

    def flaw(self, verdict: Verdict) -> str:
        """What a verdict on this answer should not say, in a few words; "" if nothing."""
        if self.right:
            return "" if verdict.passed else "is right, and fails"
        if verdict.passed:
            return "is wrong, and passes"
        if (
            self.mistake is None
            or self.mistake == verdict.diagnosis
            or (not self.first and self.mistake in verdict.diagnoses)
        ):
            return ""
        return f"is taken for {verdict.diagnosis or 'no known mistake'}, not for {self.mistake}"


def mistaken(exercise: Exercise, *mistakes: str) -> Callable:
    """The model of an exercise with these mistakes, as a learner's function."""

    def answer(*args, **kwargs):
        return exercise.model(*args, wrong=frozenset(mistakes), **kwargs)

    return answer


def known_answers(exercise: Exercise, right: list, wrong: list) -> list[Known]:
    """All answers of which the verdict is known: the bank's own, and those written by hand.

    Parameters
    ----------
    exercise : Exercise
    right, wrong : list
        `VARIANTS` and `WRONG` of the exercise's file in tests/variants.
    """
    known = []
    if isinstance(exercise, ChoiceExercise):
        for letter in exercise.because:
            known.append(Known(letter, letter, letter == exercise.right, f"chose-{letter}", True))
    elif not isinstance(exercise, SearchExercise):
        call = isinstance(exercise, FunctionExercise)
        known.append(Known("(the model)", mistaken(exercise) if call else exercise(), True))
        for one in exercise.misconceptions:
            answer = mistaken(exercise, one.id) if call else exercise(wrong=frozenset([one.id]))
            known.append(Known(one.id, answer, False, one.id, True))
    known += [Known(f"right: {_named(one, i)}", one, True) for i, one in enumerate(right)]
    for i, one in enumerate(wrong):
        answer, mistake = one if isinstance(one, tuple) else (one, None)
        known.append(Known(f"wrong: {_named(answer, i)}", answer, False, mistake))
    return known


def _named(answer, i):
    return getattr(answer, "__name__", str(i + 1))


# ---- what is still missing elsewhere


def section_flaws(notebook) -> list[str]:
    """What is wrong with the numbers of a notebook's sections."""
    numbers = [int(number) for cell in notebook.cells for number in HEADING.findall(cell.source)]
    twice = sorted({number for number in numbers if numbers.count(number) > 1})
    if twice:
        return [f"the section number {number} stands twice" for number in twice]
    return [] if numbers == list(range(1, len(numbers) + 1)) else [f"the sections are numbered {numbers}"]


def missing(exercise: Exercise, right: list) -> list[str]:
    """What a contributor still has to write, wherever it is."""
    package, _, module = MODULES[exercise.id].removeprefix("grader.exercises.").rpartition(".")
    name = next(name for name, some in NOTEBOOKS.items() if exercise in some)
    notebook = SOLUTIONS / find_notebook(_part(package) + "/" + name, SOLUTIONS)
    folder = package.replace(".", "/")
    concept = re.sub(r"^\d+-", "", name).replace("-", "_")
    bank, variants = f"grader/exercises/{folder}/{module}.py", f"tests/variants/{folder}/{module}.py"
    found = [f"{path}: there are TODOs left" for path in (bank, variants) if "todo" in _text(path).lower()]
    if isinstance(exercise, FunctionExercise):
        found += _function(exercise, name, concept)
        if len(right) < FEWEST_VARIANTS:
            found.append(f"{variants}: {plural(len(right), 'right answer')}; write at least {FEWEST_VARIANTS}")
        if len(exercise.misconceptions) < FEWEST_MISTAKES:
            some = plural(len(exercise.misconceptions), "mistake")
            found.append(f"{bank}: {some}; think of at least {FEWEST_MISTAKES}")
    return found + _in_notebook(exercise, notebook)


def _part(package):
    from grader.exercises import name_of

    return name_of(package.partition(".")[0])


def _text(path):
    path = ROOT / path
    return path.read_text(encoding="utf-8") if path.is_file() else ""


def _function(exercise, notebook, concept):
    """What a function lacks in the library, its tests and README."""
    import attnlib

    found = []
    row = re.search(rf"^\|[^|]*\| `{re.escape(notebook)}` \|.*$", _text("README.md"), re.MULTILINE)
    # The row of the one notebook without a number is about more than its exercise.
    if notebook[0].isdigit() and (not row or f"`{exercise.id}`" not in row[0]):
        found.append(f"README.md: the road map's row of {notebook} does not name `{exercise.id}`")
    library, tests = f"attnlib/{concept}.py", f"tests/test_{concept}.py"
    if f"def {exercise.id}(" not in _text(library):
        return found  # an exercise need not be a part of the library
    if not hasattr(attnlib, exercise.id):
        found.append(f"attnlib/__init__.py: {exercise.id} is not imported there")
    function = getattr(importlib.import_module(f"attnlib.{concept}"), exercise.id)
    words = function.__doc__ or ""
    lacks = [part for part in ("Parameters", "Returns", ">>>") if part not in words]
    if lacks or "TODO" in words:
        found.append(
            f"{library}: the docstring of {exercise.id} lacks {' and '.join(lacks or ['words for its TODOs'])}"
        )
    if not re.search(rf"\b{exercise.id}\(", _text(tests)):
        found.append(f"{tests}: nothing calls {exercise.id}")
    if re.search(rf"{exercise.id}\(.*TODO", _text(tests)):
        found.append(f"{tests}: there are TODOs left")
    return found


def _in_notebook(exercise, path):
    """What the cells of an exercise lack, and whether learners have them as they are."""
    from grader.classroom.release import course_config, released

    notebook, where = read_notebook(path), path.relative_to(ROOT).as_posix()
    cells = {cell.id: cell for cell in notebook.cells}
    found = [f"{where}: {flaw}" for flaw in section_flaws(notebook)]
    found += [
        f"{where}: there is no cell {name}" for name in (f"{exercise.id}-answer", exercise.id) if name not in cells
    ]
    check = cells.get(exercise.id)
    if check and marks(check).get("points") != exercise.points:
        found.append(f"{where}: the check is worth {marks(check).get('points')} points, in the bank {exercise.points}")
    own = [cells.get(name) for name in (f"ex-{exercise.id}", f"{exercise.id}-answer", exercise.id)]
    if any(cell and "TODO" in cell.source for cell in own):
        found.append(f"{where}: there are TODOs left in its cells")
    target = ROOT / "notebooks" / path.relative_to(SOLUTIONS)
    fresh = {cell.id: cell for cell in released(notebook, course_config(ROOT)).cells}
    given = {cell.id: cell for cell in read_notebook(target).cells} if target.is_file() else {}
    if fresh != given:
        found.append(f"{target.relative_to(ROOT).as_posix()} is stale; run: python -m grader release")
    return found


# ---- the command


def examine(exercise_id: str, seeds: int | None = None, answer: Path | None = None, sandboxed: bool = True) -> int:
    """Try everything that is known of an exercise, and say what is wrong or missing; returns the exit status.

    With `answer`, a file, only that is judged.
    """
    try:
        exercise = find(exercise_id)
    except KeyError as problem:
        raise UnknownName(problem.args[0]) from None
    if answer is not None:
        return try_answer(exercise, answer, seeds, sandboxed)
    right, wrong = (handwritten(exercise_id, kind) for kind in ("VARIANTS", "WRONG"))
    known = known_answers(exercise, right, wrong)
    problems, seconds, lines = [], {True: [], False: []}, []
    # Where nothing is drawn, once is enough.
    draws = (seeds or SEEDS) if isinstance(exercise, FunctionExercise) else 1
    for number, one in enumerate(known, 1):
        points, named, flaws = [], set(), {}
        for seed in range(draws):
            if sys.stderr.isatty() and seed % 20 == 0:
                print(f"\r{number} of {len(known)} answers, {seed} of {draws} draws ", end="", file=sys.stderr)
            before = time.perf_counter()
            verdict = judge(exercise, one.answer, seed)
            seconds[one.right].append(time.perf_counter() - before)
            points.append(verdict.points)
            named.update(verdict.diagnoses)
            if flaw := one.flaw(verdict):
                flaws.setdefault(flaw, []).append(seed)
        lines.append((one.name, f"{min(points):g}", f"{max(points):g}", ", ".join(sorted(named)) or "-"))
        problems += [
            f"{one.name} {flaw} ({len(some)} of {draws} draws, such as {some[0]})" for flaw, some in flaws.items()
        ]
        if min(points) < max(points):
            problems.append(f"{one.name} gets {min(points):g} to {max(points):g} points: a mark must not be luck")
    if sys.stderr.isatty():
        print("\r" + " " * 60 + "\r", end="", file=sys.stderr)
    tried = f"{plural(len(known), 'answer')}, {plural(draws, 'draw')} each"
    print(f"{exercise.id}: {points_of(exercise.points)}, {tried}\n")
    _table([("answer", "least", "most", "named"), *lines])
    for is_right, words in ((True, "right"), (False, "wrong")):
        if times := seconds[is_right]:
            middle, worst = 1000 * statistics.median(times), 1000 * max(times)
            print(f"\nA check of a {words} answer takes {middle:.0f} ms (median), {worst:.0f} ms (worst).", end="")
    print()
    problems += missing(exercise, right)
    for problem in problems:
        print(f"- {problem}")
    print("Everything is there." if not problems else f"{plural(len(problems), 'thing')} to put right.")
    return 1 if problems else 0


def handwritten(exercise_id, kind):
    """The answers of tests/variants: `VARIANTS`, the right ones, or `WRONG`."""
    if str(ROOT / "tests") not in sys.path:
        sys.path.insert(0, str(ROOT / "tests"))
    try:
        import variants

        return variants.handwritten(exercise_id, kind)
    except ImportError as problem:
        raise CourseError(f"the answers in tests/variants cannot be read: {problem}") from None


def _table(rows):
    widths = [max(len(row[i]) for row in rows) for i in range(len(rows[0]))]
    for name, least, most, named in rows:
        print(f"{name:{widths[0]}}  {least:>{widths[1]}}  {most:>{widths[2]}}  {named}")
