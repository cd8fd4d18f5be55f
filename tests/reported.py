"""Records as grading writes them, without grading, and the report's page as a browser reads it."""

import csv
import functools
import io
import random
import shutil
from dataclasses import replace
from html.parser import HTMLParser

from courseware import ROOT, check_cells, full_marks, read, written_marks

from grader.classroom.course import Course
from grader.classroom.records import ExerciseRecord, NotebookRecord, Record, Unnamed
from grader.classroom.report import write_report
from grader.exercises import BANK
from grader.exercises.kinds import ChoiceExercise, ValueExercise
from grader.judging.judge import judge
from grader.judging.verdict import State

PART = "1-context-vectors"
SOURCES = {path.stem: read(path) for path in sorted((ROOT / "solutions" / PART).glob("*.ipynb"))}
LAYOUT = {
    name: {cell.id: float(cell.metadata.nbgrader.points) for cell in check_cells(notebook)}
    for name, notebook in SOURCES.items()
}
FULL = {name: full_marks(notebook) for name, notebook in SOURCES.items()}
TOTAL = sum(FULL.values())
WRITTEN = sum(map(written_marks, SOURCES.values()))
HOSTILE = (
    "<img src=x onerror=alert(1)>",
    '"><script>window.owned = 1</script>',
    "'onmouseover='alert(2)",
    "javascript:alert(3)",
    "&lt;b&gt;",
    "mallory\u202egnp.exe",
    "\u2066anna\u2069",
    "bell\x07\x1b[31m and\nline\u2028break",
    "half \udc80 a character",
    "z" + "\u0335" * 200 + "algo",
    "x" * 10_000,
    "</style><style>*{display:none}</style>",
    "=HYPERLINK(1)",
    "..",
    "100%#?&",
    "عمر",
    "李 明",
)


def course_in(folder):
    """A course in a folder of its own, with the source of Part 1."""
    shutil.copytree(ROOT / "solutions" / PART, folder / "solutions" / PART)
    shutil.copy(ROOT / "nbgrader_config.py", folder)
    return Course.at(folder)


def in_words(points):
    """Points as the page and the table write them."""
    return f"{points:.1f}".removesuffix(".0")


def computes_only(Q, K):
    scores = Q @ K.T
    scores + 0


@functools.cache
def verdict(name, mistakes):
    """What the judge says of a right answer, or of one with these mistakes."""
    exercise, wrong = BANK[name], frozenset(mistakes)
    if isinstance(exercise, ChoiceExercise):
        return judge(name, next(iter(mistakes)).removeprefix("chose-") if mistakes else exercise.right, 1)
    if isinstance(exercise, ValueExercise):
        return judge(name, exercise(wrong=wrong), 1)
    if mistakes == ("returns-none",):
        return judge(name, computes_only, 1)
    return judge(name, lambda *args, **kwargs: exercise.model(*args, wrong=wrong, **kwargs), 1)


def result(name, full, how, status="graded"):
    """An exercise as a record has it: right (""), "skipped", "odd", "no verdict: why", or mistakes in a tuple."""
    if isinstance(how, tuple):
        said = verdict(name, how)
        assert said.diagnoses == how
        return ExerciseRecord.of(said, full)
    states = {"": State.CORRECT, "skipped": State.NOT_ATTEMPTED, "odd": State.NOT_YET_RIGHT}
    if how in states:
        return ExerciseRecord(name, full if how == "" else 0.0, full, states[how], {}, "")
    return ExerciseRecord.without_verdict(name, full, status, how.removeprefix("no verdict: "))


def record(student, how=None, everything="", status=None, notebooks=None, **changes):
    """A student's record: everything right (or as `everything` says) but the exercises in `how`."""
    graded = {}
    for name, checks in LAYOUT.items():
        state = (status or {}).get(name, "graded")
        exercises = tuple(result(one, full, (how or {}).get(one, everything), state) for one, full in checks.items())
        one = NotebookRecord(state, f"{name}.ipynb", (), (), False, exercises)
        graded[name] = replace(one, **(notebooks or {}).get(name, {}))
    seconds = {"repair": 0.01, "learner": 0.8, "judge": 0.2}
    return replace(Record(student, PART, "0" * 64, True, WRITTEN, (), seconds, graded), **changes)


def nameless(one, outputs, source, exercise="softmax"):
    """A student's record with a function that failed without a name."""
    for name, notebook in one.notebooks.items():
        exercises = tuple(
            replace(entry, points=0.0, state=State.NOT_YET_RIGHT, unnamed=Unnamed(outputs, source))
            if entry.id == exercise
            else entry
            for entry in notebook.exercises
        )
        one.notebooks[name] = replace(notebook, exercises=exercises)
    return one


def class_of_eight():
    """Records whose mistakes are counted by hand in the tests below."""
    late = "a cell was still running at its time limit of 30 seconds, so it was stopped"
    return [
        record("ada"),
        record("ben", {"softmax": ("columns",), "softmax_with_temperature": ("columns",)}),
        record("chen", everything="skipped"),
        record("dora", {"softmax": ("columns",), "predict-softmax": ("chose-b",), "the-tie": "odd"}),
        record("emil", {"softmax": ("columns", "not-normalised"), "predict-softmax": ("chose-b",)}, notes=("a note",)),
        record("fay", {"softmax": "odd", "dot_scores": ("returns-none",), "predict-softmax": ("chose-a",)}),
        record(
            "gus",
            {"entropy": "no verdict: its cell was stopped"},
            notebooks={"3-softmax": {"failures": (late,), "stopped": True}},
            seconds={"learner": 31.0, "calls": 1.0, "judge": 0.1},
        ),
        record(
            "hana",
            dict.fromkeys(LAYOUT["2-scores"], "no verdict: the notebook was not handed in"),
            status={"2-scores": "missing"},
            notebooks={"1-embeddings": {"repairs": ("`1-embeddings (1).ipynb` was taken for it",)}},
        ),
    ]


def class_of(number):
    """A large class with all sorts of mistakes, without asking the judge."""
    rng = random.Random(number)
    records = []
    for i in range(number):
        one = record(f"student-{i:03}", notes=("a stray file was ignored",) if i % 3 == 0 else ())
        for name, notebook in one.notebooks.items():
            exercises = tuple(_perhaps_mistaken(rng, entry) for entry in notebook.exercises)
            repairs = (f"a cell of student {i} was put back",) * (i % 5)
            one.notebooks[name] = replace(notebook, repairs=repairs, exercises=exercises)
        records.append(one)
    return records


def _perhaps_mistaken(rng, entry):
    known = getattr(BANK[entry.id], "misconceptions", ())
    if rng.random() < 0.6 or not known:
        return entry
    mistake = rng.choice(known)
    return replace(entry, points=0.0, state=State.NOT_YET_RIGHT, mistakes={mistake.id: mistake.looks_like})


# ---- the page, read like a browser


class Element:
    """An element of a page: its tag, attributes, text and children."""

    def __init__(self, tag, attributes):
        self.tag, self.attributes, self.children = tag, dict(attributes), []

    def walk(self):
        yield self
        for child in self.children:
            if isinstance(child, Element):
                yield from child.walk()

    def all(self, tag=None, **attributes):
        """All elements with this tag and these attributes, a class among them."""
        return [
            one
            for one in self.walk()
            if (tag is None or one.tag == tag)
            and all(value in (one.attributes.get(name) or "").split() for name, value in attributes.items())
        ]

    @property
    def text(self):
        parts = (child.text if isinstance(child, Element) else child for child in self.children)
        return " ".join("".join(parts).split())


class Reader(HTMLParser):
    """Makes a tree of a page, and refuses one whose tags do not match."""

    VOID = ("meta", "br", "wbr", "col", "input")

    def __init__(self, text):
        super().__init__()
        self.top = Element("page", {})
        self._open = [self.top]
        self.feed(text)
        self.close()
        assert self._open == [self.top]

    def handle_starttag(self, tag, attrs):
        assert len(dict(attrs)) == len(attrs)
        element = Element(tag, attrs)
        self._open[-1].children.append(element)
        if tag not in self.VOID:
            self._open.append(element)

    def handle_startendtag(self, tag, attrs):
        self._open[-1].children.append(Element(tag, attrs))

    def handle_endtag(self, tag):
        assert self._open.pop().tag == tag

    def handle_data(self, data):
        self._open[-1].children.append(data)


def page_of(course, records, by_hand=None):
    """The page of these records, as a tree."""
    return Reader(write_report(course, PART, records, by_hand)[0].read_text(encoding="utf-8")).top


def part_of(page, name):
    """A section of the page by its id."""
    (found,) = [one for one in page.walk() if one.attributes.get("id") == name]
    return found


def mistakes_in(page, exercise):
    """The rows of an exercise in "What the class misunderstands": count, words and names."""
    (found,) = [
        one
        for one in part_of(page, "mistakes").all("section", **{"class": "exercise"})
        if one.all("h4")[0].text == exercise
    ]
    return [
        (
            int(row.all("td", **{"class": "count"})[0].text),
            (row.all("summary") or row.all("th"))[0].text if row.all("th")[0].all("summary") else row.all("th")[0].text,
            [name.text for name in row.all("bdi")],
        )
        for table in found.all("tbody")
        for row in table.all("tr")
    ]


def tiles(page):
    return [tile.text for tile in page.all("ul", **{"class": "tiles"})[0].all("li")]


def hostile_class():
    """A class whose names, and with them the sentences about their files, are out to do harm."""
    return [
        record(
            name,
            {"softmax": ("columns",), "entropy": f"no verdict: {name}"},
            notes=(name,),
            notebooks={"2-scores": {"repairs": (name,), "failures": (f"`{name}`",)}},
        )
        for name in HOSTILE
    ]


def rows_of(path):
    """The rows of a CSV, read as a spreadsheet does."""
    assert path.read_bytes().startswith(b"\xef\xbb\xbf")
    return list(csv.reader(io.StringIO(path.read_bytes().decode("utf-8-sig"), newline="")))
