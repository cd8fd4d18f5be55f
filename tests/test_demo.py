"""The demonstration: a made class graded, from the release to marks and feedback pages."""

import copy
import csv
import inspect
import os
import re
import shutil
import subprocess
import sys
from html import unescape
from pathlib import Path

import pytest
from courseware import ROOT, check_cells, read
from pages import serious

from grader.classroom.course import Course
from grader.desk.sample_class import CLASS, Misunderstood, TwoMistakes, Unusual, submission
from grader.exercises import BANK
from grader.judging.general import GENERAL
from grader.judging.judge import judge
from grader.notebook import is_answer

PART = "1-context-vectors"
NOTEBOOKS = [path.stem for path in sorted((ROOT / "solutions" / PART).glob("*.ipynb"))]
STUDENTS = {student.name: student for student in CLASS}


def functions(of):
    return [pytest.param(name, f, id=name) for name, f in vars(of).items() if inspect.isfunction(f)]


# ---- the class that is handed in


def test_the_class_is_as_varied_as_it_should_be():
    assert len(CLASS) == len({student.kind for student in CLASS}) == 8


@pytest.mark.parametrize(("name", "function"), functions(Unusual))
def test_the_unusual_answers_are_right(name, function):
    assert judge(name, function, 1).passed


@pytest.mark.parametrize(("name", "function"), functions(Misunderstood))
def test_the_misunderstood_answers_fail_and_are_named(name, function):
    verdict = judge(name, function, 1)
    assert not verdict.passed
    assert verdict.diagnosis in GENERAL.keys() | {misconception.id for misconception in BANK[name].misconceptions}


def test_two_mistakes_are_both_named():
    assert set(judge("softmax", TwoMistakes.softmax, 1).diagnoses) == {"columns", "ratio"}


@pytest.mark.parametrize("student", CLASS, ids=lambda student: student.name)
def test_a_submission_answers_what_it_should(student):
    names = {cell.id for path in NOTEBOOKS for cell in read(ROOT / "notebooks" / PART / f"{path}.ipynb").cells}
    assert {f"{name}-answer" for name in student.answers()} <= names
    stubs = 0
    for name in NOTEBOOKS:
        released = read(ROOT / "notebooks" / PART / f"{name}.ipynb")
        before = [cell.source for cell in released.cells]
        handed_in = submission(student, copy.deepcopy(released), read(ROOT / "solutions" / PART / f"{name}.ipynb"))
        stubs += sum("YOUR CODE HERE" in cell.source for cell in handed_in.cells)
        for cell, source in zip(handed_in.cells, before, strict=True):
            if not is_answer(cell):
                assert cell.source == source
    assert (stubs > 0) == (student.solves < 1)


# ---- grading it


@pytest.fixture(scope="module")
def graded(tmp_path_factory, require):
    """Run the demonstration once, as its command; returns its folder and what it printed."""
    require("bwrap")
    folder = tmp_path_factory.mktemp("class")
    done = subprocess.run(
        [sys.executable, "-m", "grader", "demo", "--folder", str(folder)],
        cwd=folder,
        capture_output=True,
        text=True,
        encoding="utf-8",
        env={**os.environ, "PYTHONIOENCODING": "utf-8"},
        timeout=600,
        check=False,
    )
    assert done.returncode == 0, done.stdout + done.stderr
    assert "Traceback" not in done.stderr
    assert "Warning" not in done.stderr
    return folder, done.stdout


@pytest.fixture(scope="module")
def marks(graded):
    """The marks as the CSV has them: points by notebook and in total, by student."""
    with (graded[0] / "reports" / f"{PART}.csv").open(encoding="utf-8-sig", newline="") as file:
        rows = list(csv.DictReader(file))
    heads = {name: name for name in NOTEBOOKS} | {"total": "automatic total", "full marks": "automatic full marks"}
    return {row["student"]: {name: float(row[head]) for name, head in heads.items()} for row in rows}


@pytest.fixture(scope="module")
def page(graded):
    """Return a function that gives the text of a student's feedback page."""

    def text(student, notebook):
        path = graded[0] / "feedback" / student / PART / f"{notebook}.html"
        return " ".join(unescape(re.sub(r"<[^>]+>", " ", path.read_text(encoding="utf-8"))).split())

    return text


def full(notebook):
    cells = check_cells(read(ROOT / "solutions" / PART / f"{notebook}.ipynb"))
    return sum(cell.metadata.nbgrader.points for cell in cells)


@pytest.mark.grading
def test_everybody_has_marks_in_every_notebook(marks):
    assert set(marks) == set(STUDENTS)
    for row in marks.values():
        assert row["total"] == pytest.approx(sum(row[name] for name in NOTEBOOKS))
        assert row["full marks"] == sum(map(full, NOTEBOOKS))


@pytest.mark.grading
@pytest.mark.parametrize("student", ["ada", "hana"])
def test_a_right_submission_gets_full_marks_in_whatever_style(marks, student):
    assert {name: marks[student][name] for name in NOTEBOOKS} == {name: full(name) for name in NOTEBOOKS}


@pytest.mark.grading
def test_an_untouched_submission_gets_nothing(marks):
    assert marks["chen"]["total"] == 0


@pytest.mark.grading
def test_half_a_submission_gets_a_part_of_every_notebook(marks):
    for name in NOTEBOOKS:
        assert 0 < marks["ben"][name] < full(name)


@pytest.mark.grading
def test_a_mistake_costs_the_points_of_its_exercise_and_of_what_is_built_on_it(marks):
    for student, untouched in (
        ("emil", {"1-embeddings", "2-scores", "4-context-vectors"}),
        ("fay", {"1-embeddings", "2-scores", "4-context-vectors"}),
    ):
        for name in NOTEBOOKS:
            assert (marks[student][name] == full(name)) == (name in untouched), (student, name)
    assert 0 < marks["dora"]["total"] < marks["emil"]["total"]


@pytest.mark.grading
def test_a_loop_that_never_ends_costs_its_own_points_only(marks):
    lost = {name: full(name) - marks["gus"][name] for name in NOTEBOOKS}
    assert lost.pop("3-softmax") == BANK["entropy"].points
    assert not any(lost.values())


@pytest.mark.grading
def test_the_feedback_names_each_mistake(page):
    for name in ("softmax", "softmax_with_temperature", "entropy"):
        verdict = judge(name, getattr(Misunderstood, name), 1)
        assert verdict.advice[0].looks_like.replace("`", "") in page("dora", "3-softmax")
        assert verdict.advice[0].cause.replace("`", "").split(".")[0] in page("dora", "3-softmax")
    for advice in judge("softmax", TwoMistakes.softmax, 1).advice:
        assert advice.looks_like in page("emil", "3-softmax")
    assert "SyntaxError" in page("fay", "3-softmax")
    assert "takes longer than the check waits" in page("gus", "3-softmax")
    assert "so it was stopped: does it ever end?" in page("gus", "3-softmax")
    assert "not attempted yet" in page("chen", "2-scores")


@pytest.mark.grading
def test_there_is_a_page_for_everybody_with_a_summary_and_no_traceback_of_the_machinery(graded, page):
    for student in STUDENTS:
        for name in NOTEBOOKS:
            text = page(student, name)
            assert "what the check says" in text
            cells = check_cells(read(ROOT / "solutions" / PART / f"{name}.ipynb"))
            assert cells
            for cell in cells:
                assert re.search(rf"{re.escape(cell.id)} (✓ )?[\d.]+ of {cell.metadata.nbgrader.points:g} ", text)
            assert "site-packages" not in text
            assert str(Path("judging") / "judge.py") not in text


@pytest.mark.grading
def test_the_table_and_the_places_are_printed(graded, marks):
    folder, said = graded
    for student, row in marks.items():
        line = next(line for line in said.split("\n") if line.startswith(f"{student} "))
        assert [float(field) for field in line.split()[1 : len(NOTEBOOKS) + 2]] == [
            *(row[name] for name in NOTEBOOKS),
            row["total"],
        ]
    for place in ("reports", "feedback", "returned"):
        assert str(folder / place) in said
    assert "Stopped at a time limit: gus" in said
    assert "WITHOUT the sandbox" not in said
    # What the course's own cells print is for its readers.
    assert len(said.splitlines()) < 40


@pytest.mark.grading
def test_nbgrader_started_in_the_folder_works_there_and_nowhere_else(graded):
    folder, _ = graded
    course, grading = Course.at(folder), str(ROOT / "grading")
    assert course.students(PART) == sorted(STUDENTS)
    assert course.db_url == f"sqlite:///{folder.as_posix()}/gradebook.db"
    assert course.config.Autograde == Course.at(ROOT).config.Autograde
    assert grading not in str(course.config)


@pytest.mark.grading
def test_a_folder_that_holds_something_else_is_left_alone(tmp_path):
    (tmp_path / "thesis.txt").write_text("two years of work", encoding="utf-8")
    done = subprocess.run(
        [sys.executable, "-m", "grader", "demo", "--folder", str(tmp_path)],
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 1
    assert "holds something else" in done.stderr
    assert [path.name for path in tmp_path.iterdir()] == ["thesis.txt"]


# ---- what is seen of it


@pytest.mark.grading
@pytest.mark.parametrize(("scheme", "width", "first"), [("light", 390, 0), ("dark", 1280, 1)])
def test_every_page_that_is_returned_can_be_read_by_everybody(graded, chromium, tmp_path, scheme, width, first):
    returned = sorted((graded[0] / "feedback" / "dora" / PART).glob("*.html"))
    assert len(returned) == len(NOTEBOOKS)
    for path in [graded[0] / "reports" / f"{PART}.html", returned[first]]:
        assert serious(chromium, path.read_text("utf-8"), tmp_path / "page.html", scheme, width) == [], path


@pytest.mark.grading
@pytest.mark.thorough
def test_the_pictures_of_readme_show_this_class(graded, pictures, chromium, tmp_path):
    shutil.copytree(graded[0], tmp_path / "course")
    pictures.report_picture(chromium, graded[0] / "reports" / f"{PART}.html", tmp_path)
    pictures.formgrader_picture(chromium, tmp_path / "course", tmp_path, tmp_path)
    for name in ("report", "formgrader"):
        assert pictures.seen(tmp_path / f"{name}.png") == pictures.seen(ROOT / "docs" / f"{name}.png"), "make pictures"
