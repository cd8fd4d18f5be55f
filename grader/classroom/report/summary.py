"""What a class's records say together: by exercise, who stands where, and which mistakes were recognised."""

import re
import statistics
from dataclasses import dataclass
from functools import cached_property

from grader.exercises import BANK
from grader.exercises.kinds import ChoiceExercise
from grader.judging.diagnose import GENERAL
from grader.judging.verdict import Advice, State
from grader.notebook import grade_id, is_check, is_written, marks

TITLE = re.compile(r"^# (.+)$", re.MULTILINE)
OPTION = re.compile(r"^- ([a-z])\) (.+)$", re.MULTILINE)
#: Where a student stands in an exercise, for the counts of a class.
STANDING = {
    State.CORRECT: "full",
    State.PARTLY_RIGHT: "part",
    State.NOT_YET_RIGHT: "none",
    State.NOT_ATTEMPTED: "skipped",
    State.NOT_HANDED_IN: "skipped",
    State.NOT_READABLE: "unjudged",
    State.NO_VERDICT: "unjudged",
}


@dataclass(frozen=True)
class Outline:
    """What a part asks for, as its source notebooks have it.

    Attributes
    ----------
    titles : dict of str to str
        Each notebook's title, in teaching order.
    checks : dict of str to dict of str to float
        For each notebook the points of its checked exercises, in teaching order.
    written : tuple of (str, str, float)
        Notebook, id and points of each question that a person marks.
    options : dict of (str, str) to str
        The words of an answer, by the id of its question and its letter.
    """

    titles: dict
    checks: dict
    written: tuple = ()
    options: dict = None


def outline(course, part):
    """The `Outline` of a part; empty where the part has no source notebooks."""
    titles, checks, written, options = {}, {}, [], {}
    for name, notebook in course.notebooks(part).items():
        offered = {}
        title = TITLE.search("\n".join(cell.source for cell in notebook.cells if cell.cell_type == "markdown"))
        titles[name], checks[name] = title[1] if title else name, {}
        for cell in notebook.cells:
            if is_written(cell):
                if marks(cell)["points"]:
                    written.append((name, grade_id(cell), float(marks(cell)["points"])))
            elif is_check(cell):
                checks[name][grade_id(cell)] = float(marks(cell)["points"])
                options |= {(grade_id(cell), letter): words for letter, words in offered.items()}
            else:
                offered = dict(OPTION.findall(cell.source)) or offered
    return Outline(titles, checks, tuple(written), options)


@dataclass(frozen=True)
class Mistake:
    """A recognised mistake in one exercise.

    Attributes
    ----------
    id : str
        The diagnosis.
    advice : Advice
        In the words of the check; cause and cure are "" for a mistake that the bank no longer knows.
    students : tuple of str
        Those who hold it.
    cost : float
        Points that it cost them; where an answer shows two mistakes, they share the loss.
    """

    id: str
    advice: Advice
    students: tuple
    cost: float


@dataclass(frozen=True)
class Alike:
    """Answers that fail without a name, and that do the same with the same inputs.

    Attributes
    ----------
    students : tuple of str
    source : str
        The shortest of their cells; "" if none is known.
    """

    students: tuple
    source: str


@dataclass(frozen=True)
class ExerciseSummary:
    """How a class did in one exercise; each field of students is a tuple of names.

    Attributes
    ----------
    id, notebook, task : str
    max_points, mean : float
    full, part, none : tuple of str
        Who earned all of the points, some, or nothing with an answer that was begun.
    skipped : tuple of str
        Who did not attempt it, or did not hand the notebook in.
    unjudged : tuple of str
        Whose answer has no verdict.
    mistakes : tuple of Mistake
        The one that most hold first.
    unrecognised : tuple of str
        Whose answer fails for a reason that the check could not name.
    unnamed : tuple of Alike
        The functions among these by what they do, the largest group first.
    """

    id: str
    notebook: str
    task: str
    max_points: float
    mean: float
    full: tuple
    part: tuple
    none: tuple
    skipped: tuple
    unjudged: tuple
    mistakes: tuple
    unrecognised: tuple
    unnamed: tuple


@dataclass(frozen=True)
class Topic:
    """A mistake wherever it was made: worth some minutes in class.

    Attributes
    ----------
    advice : Advice
        In the words of the exercise where it cost most.
    cost : float
    students : tuple of str
    places : tuple of (str, int)
        Ids of the exercises, and how many made it there.
    """

    advice: Advice
    cost: float
    students: tuple
    places: tuple


@dataclass(frozen=True)
class ClassSummary:
    """A class in one part.

    Attributes
    ----------
    part : str
    records : tuple of Record
        By student.
    outline : Outline
        With the notebooks and exercises that only the records know, at the end.
    exercises : tuple of ExerciseSummary
        In teaching order.
    """

    part: str
    records: tuple
    outline: Outline
    exercises: tuple

    @cached_property
    def full_marks(self):
        """Points of all checked exercises."""
        return max(
            [record.max_points for record in self.records],
            default=sum(sum(checks.values()) for checks in self.outline.checks.values()),
        )

    @cached_property
    def written_points(self):
        """Points of the questions that a person marks."""
        return max(
            [record.written_points for record in self.records],
            default=sum(points for _, _, points in self.outline.written),
        )

    @cached_property
    def quartiles(self):
        """First quartile, median and third quartile of the automatic points; all the same for a class of one."""
        points = [record.points for record in self.records]
        return statistics.quantiles(points, method="inclusive") if len(points) > 1 else points * 3

    @property
    def mean(self):
        """Mean of the automatic points."""
        return statistics.fmean(record.points for record in self.records)

    @property
    def unnamed(self):
        """All answers that fail without a name, as pairs of an `ExerciseSummary` and `Alike`; largest group first."""
        pairs = [(exercise, group) for exercise in self.exercises for group in exercise.unnamed]
        return sorted(pairs, key=lambda pair: -len(pair[1].students))

    def topics(self, most=3):
        """The `Topic`s that cost the class most points."""
        groups = {}
        for exercise in self.exercises:
            for mistake in exercise.mistakes:
                # A slip has the same id in every exercise, whatever its words there; a letter belongs to one exercise.
                at = exercise.id if isinstance(BANK.get(exercise.id), ChoiceExercise) else ""
                groups.setdefault((at, mistake.id), []).append((exercise, mistake))
        found = []
        for group in groups.values():
            group.sort(key=lambda one: -one[1].cost)
            students = {student: None for _, mistake in group for student in mistake.students}
            places = tuple((exercise.id, len(mistake.students)) for exercise, mistake in group)
            cost = sum(mistake.cost for _, mistake in group)
            found.append(Topic(group[0][1].advice, cost, tuple(students), places))
        found.sort(key=lambda topic: (-round(topic.cost, 6), -len(topic.students), topic.advice.looks_like))
        return found[:most]


def summarise(part, records, outline):
    """The `ClassSummary` of some records, whatever their order."""
    records = tuple(sorted(records, key=lambda record: (record.student.casefold(), record.student)))
    outline = _complete(outline, records)
    found = {}
    for record in records:
        for name, notebook in record.notebooks.items():
            for result in notebook.exercises:
                found.setdefault((name, result.id), []).append((record.student, result))
    exercises = tuple(
        _exercise(outline, name, exercise_id, points, found.get((name, exercise_id), []))
        for name, checks in outline.checks.items()
        for exercise_id, points in checks.items()
    )
    return ClassSummary(part, records, outline, exercises)


def _complete(outline, records):
    """The outline with what only the records know: a notebook or an exercise that has been renamed since."""
    titles = dict(outline.titles)
    checks = {name: dict(exercises) for name, exercises in outline.checks.items()}
    for name in sorted({name for record in records for name in record.notebooks}):
        titles.setdefault(name, name)
        known = checks.setdefault(name, {})
        results = {
            result.id: result.max_points
            for record in records
            if name in record.notebooks
            for result in record.notebooks[name].exercises
        }
        order = [one for one in BANK if one in results] + [one for one in results if one not in BANK]
        for one in order:
            known.setdefault(one, results[one])
    return Outline(titles, checks, outline.written, outline.options or {})


def _exercise(outline, notebook, exercise_id, points, results):
    standing = {"full": [], "part": [], "none": [], "skipped": [], "unjudged": []}
    holders, costs, told, unrecognised = {}, {}, {}, []
    for student, result in results:
        where = STANDING[result.state]
        standing[where].append(student)
        if where not in ("part", "none"):
            continue
        if not result.mistakes:
            unrecognised.append(student)
        lost = max(result.max_points - result.points, 0.0)
        for diagnosis, looks_like in result.mistakes.items():
            holders.setdefault(diagnosis, []).append(student)
            costs[diagnosis] = costs.get(diagnosis, 0.0) + lost / len(result.mistakes)
            told.setdefault(diagnosis, looks_like)
    mistakes = [
        Mistake(one, _advice(outline, exercise_id, one, told[one]), tuple(students), costs[one])
        for one, students in holders.items()
    ]
    mistakes.sort(key=lambda one: (-len(one.students), -round(one.cost, 6), one.id))
    return ExerciseSummary(
        exercise_id,
        notebook,
        _task(exercise_id),
        points,
        statistics.fmean([result.points for _, result in results] or [0.0]),
        **{name: tuple(students) for name, students in standing.items()},
        mistakes=tuple(mistakes),
        unrecognised=tuple(unrecognised),
        unnamed=_alike(results),
    )


def _alike(results):
    """The answers that fail without a name, grouped."""
    groups = {}
    for student, result in results:
        if result.unnamed:
            # Of an answer without a digest, nobody knows what it has in common with others.
            groups.setdefault(result.unnamed.outputs or (student,), []).append((student, result.unnamed.source))
    found = []
    for group in groups.values():
        texts = [text for _, text in group if text.strip()]
        found.append(Alike(tuple(student for student, _ in group), min(texts, key=len, default="")))
    return tuple(sorted(found, key=lambda group: -len(group.students)))


def _task(exercise_id):
    exercise = BANK.get(exercise_id)
    if isinstance(exercise, ChoiceExercise):  # its task explains how to type a letter
        return f"choose one of {', '.join(exercise.because)}"
    return exercise.task if exercise else ""


def _advice(outline, exercise_id, diagnosis, told):
    """What the check says about a mistake: the exercise's own, a general one, or only what the record kept."""
    exercise = BANK.get(exercise_id)
    if isinstance(exercise, ChoiceExercise):
        letter = diagnosis.removeprefix("chose-")
        words = outline.options.get((exercise_id, letter), "")
        return Advice(f"chose {letter}" + (f": {words}" if words else ""), exercise.because.get(letter, ""), "")
    for misconception in getattr(exercise, "misconceptions", ()):
        if misconception.id == diagnosis:
            return Advice(misconception.looks_like, misconception.cause, misconception.cure)
    return GENERAL.get(diagnosis) or Advice(told or diagnosis, "", "")
