"""nbgrader's own `autograde` on the course's configuration: the same marks as ours, and closed where it cannot see."""

import os
import shutil
from dataclasses import replace
from pathlib import Path

import pytest
from classroom import (
    FULL,
    GARBAGE,
    NOTEBOOKS,
    PART,
    FakeRunner,
    answering,
    grade_here,
    grades,
    hand_in,
    record,
    rows,
)
from classroom import write as write_file
from nbgrader.api import Gradebook
from nbgrader.apps import NbGraderAPI

from grader.classroom.course import Course
from grader.classroom.marking import workers
from grader.classroom.sandbox.bubblewrap import NoSandbox

pytestmark = [
    pytest.mark.grading,
    pytest.mark.filterwarnings("ignore::sqlalchemy.exc.SAWarning", "ignore::DeprecationWarning"),
    pytest.mark.filterwarnings("ignore::nbformat.warnings.MissingIDFieldWarning"),
]


def by_nbgrader(course, student):
    """Grade as formgrader's button does; returns whether it went well, and what nbgrader logged."""
    folder = Path.cwd()
    os.chdir(course.root)
    try:
        result = NbGraderAPI(config=course.config).autograde(PART, student)
    finally:
        os.chdir(folder)
    return result["success"], (result.get("log") or "") + (result.get("error") or "")


def test_scores_comments_and_records_are_those_of_our_own_command(template, tmp_path, fake):
    ours, theirs = (tmp_path / "ours", tmp_path / "theirs")
    for folder in (ours, theirs):
        shutil.copytree(template, folder)
    ours, theirs = Course.at(ours), Course.at(theirs)
    seeds = None
    for course in (ours, theirs):
        for student in ("ada", "ben", "chen", "dora"):
            hand_in(course, student, student)
        hand_in(course, "odd", "ada", answering("entropy", "def entropy(p):\n    return 1 / 0"))
        write_file(course, "odd", "timestamp.txt", "2026-01-10 12:00:00.000000 UTC")
        write_file(course, "odd", "numpy.py", "raise SystemExit")
    assert grade_here(ours) == 0
    seeds = (ours.grading / "seeds.json").read_bytes()
    (theirs.grading / "seeds.json").write_bytes(seeds)
    for student in theirs.students(PART):
        went_well, log = by_nbgrader(theirs, student)
        assert went_well, log
    assert rows(ours) == rows(theirs)
    for student in ours.students(PART):
        one, other = record(ours, student), record(theirs, student)
        assert set(one.seconds) - {"save"} == set(other.seconds)
        assert replace(one, seconds={}) == replace(other, seconds={})
        for name in NOTEBOOKS:
            paths = [course.autograded(PART, student) / f"{name}.ipynb" for course in (ours, theirs)]
            assert paths[0].read_bytes() == paths[1].read_bytes()
    assert sorted(path.name for path in theirs.autograded(PART, "odd").iterdir()) == [
        *(f"{name}.ipynb" for name in NOTEBOOKS),
        "timestamp.txt",
    ]
    # What nbgrader has graded, our command need not grade once more.
    fake.ran.clear()
    assert grade_here(theirs, resume=True) == 0
    assert not fake.ran


# ---- closed where nbgrader cannot see


@pytest.fixture
def graded(course, fake):
    """Return a course in which two have full marks."""
    for student in ("ada", "ben"):
        hand_in(course, student)
        went_well, log = by_nbgrader(course, student)
        assert went_well, log
        assert record(course, student).points == sum(FULL.values())
    return course


def scores(course, student, notebook):
    """Automatic scores of a notebook's cells."""
    return {row[3] for row in rows(course)["grade"] if row[:2] == (student, notebook)}


def submitted(course, student, name="3-softmax"):
    """The path of what a student handed in."""
    return course.submitted(PART, student) / f"{name}.ipynb"


@pytest.mark.parametrize("text", [GARBAGE, "", "[]", '{"cells": 3}', '{"nbformat": 4, "cells": [7]}'])
def test_a_file_that_nbgrader_cannot_read_keeps_no_old_marks(graded, text):
    submitted(graded, "ada").write_text(text)
    went_well, log = by_nbgrader(graded, "ada")
    assert not went_well
    assert "There was an error processing assignment" in log
    assert scores(graded, "ada", "3-softmax") == {"0.0"}
    assert record(graded, "ada").notebooks["3-softmax"].status == "failed"
    assert record(graded, "ada").notebooks["3-softmax"].points == 0
    assert not graded.autograded(PART, "ada").exists()
    assert record(graded, "ben").points == sum(FULL.values())
    assert "0.0" not in scores(graded, "ben", "3-softmax")


@pytest.mark.skipif(os.name == "nt", reason="symlinks need rights on Windows")
def test_a_symlink_is_not_graded(graded):
    target = submitted(graded, "ada").rename(graded.root / "elsewhere.ipynb")
    submitted(graded, "ada").symlink_to(target)
    went_well, log = by_nbgrader(graded, "ada")
    assert not went_well
    assert "symbolic link" in log or "symlink" in log
    assert scores(graded, "ada", "3-softmax") == {"0.0"}


@pytest.mark.skipif(os.name == "nt", reason="symlinks need rights on Windows")
def test_what_nbgrader_copied_through_a_symlink_does_not_stay_for_the_feedback(graded):
    (graded.submitted(PART, "ada") / "notes.txt").symlink_to(graded.source(PART) / "3-softmax.ipynb")
    went_well, log = by_nbgrader(graded, "ada")
    assert went_well, log
    assert sorted(path.name for path in graded.autograded(PART, "ada").iterdir()) == [
        f"{name}.ipynb" for name in NOTEBOOKS
    ]


def test_a_renamed_file_earns_nothing_and_the_log_says_who_grades_it(graded):
    submitted(graded, "ada").rename(submitted(graded, "ada", "3-softmax (1)"))
    went_well, log = by_nbgrader(graded, "ada")
    assert went_well, log
    assert "python -m grader grade 1-context-vectors --only ada" in log
    assert scores(graded, "ada", "3-softmax") == {"0.0"}
    assert record(graded, "ada").points == FULL["4-context-vectors"]
    submitted(graded, "ada", "4-context-vectors").rename(submitted(graded, "ada", "four"))
    went_well, log = by_nbgrader(graded, "ada")
    assert not went_well
    assert {*scores(graded, "ada", "3-softmax"), *scores(graded, "ada", "4-context-vectors")} == {"0.0"}
    # Ours grades it, then and there.
    assert grade_here(graded, ["ada"], resume=True) == 0
    assert record(graded, "ada").points == sum(FULL.values())


def test_a_missing_file_earns_nothing(graded):
    submitted(graded, "ada").unlink()
    went_well, log = by_nbgrader(graded, "ada")
    assert went_well, log
    assert "3-softmax was not handed in; it earns nothing" in log
    assert scores(graded, "ada", "3-softmax") == {"0.0"}
    assert record(graded, "ada").notebooks["3-softmax"].status == "missing"


def test_a_garbage_timestamp_fails_closed_and_is_named(graded):
    write_file(graded, "ada", "timestamp.txt", "when it was ready")
    went_well, log = by_nbgrader(graded, "ada")
    assert not went_well
    assert "timestamp.txt was ignored: it does not say a time" in log
    assert scores(graded, "ada", "3-softmax") == {"0.0"}


def test_a_fault_of_the_machinery_fails_closed(graded, monkeypatch):
    class Faulty(FakeRunner):
        def run(self, *args):
            raise RuntimeError("of all things")

    monkeypatch.setattr(workers, "own_runner", lambda *about: Faulty())
    went_well, log = by_nbgrader(graded, "ada")
    assert not went_well
    assert "of all things" in log
    assert scores(graded, "ada", "3-softmax") == {"0.0"}


def test_without_a_sandbox_nothing_is_graded_and_old_marks_stay(graded, monkeypatch):
    def no_sandbox(sandboxed, limits=None):
        assert sandboxed
        raise NoSandbox("bubblewrap is not installed; install it")

    monkeypatch.setattr(workers, "own_runner", no_sandbox)
    before, kept = rows(graded), record(graded, "ada")
    submitted(graded, "ada").write_text(GARBAGE)
    went_well, log = by_nbgrader(graded, "ada")
    assert not went_well
    assert "bubblewrap is not installed; install it" in log
    assert rows(graded) == before
    assert record(graded, "ada") == kept


def test_the_sandbox_can_be_left_out_where_the_configuration_says_so(course, fake, monkeypatch):
    asked = set()
    monkeypatch.setattr(workers, "own_runner", lambda sandboxed, limits=None: asked.add(sandboxed) or fake)
    with (course.root / "nbgrader_config.py").open("a") as config:
        config.write("c.Judge.sandboxed = False\n")
    course = Course.at(course.root)
    hand_in(course, "ada")
    went_well, log = by_nbgrader(course, "ada")
    assert went_well, log
    assert asked == {False}
    assert record(course, "ada").sandboxed is False


def test_without_the_hooks_the_scores_are_still_the_trusted_ones(course, fake):
    hand_in(course, "ada")
    del course.config.Autograde.pre_convert_hook
    del course.config.Autograde.post_convert_hook
    for change, points in ((None, 4), (answering("softmax", "softmax = None"), 0), (None, 4)):
        hand_in(course, "ada", "ada", change)
        went_well, log = by_nbgrader(course, "ada")
        assert went_well, log
        assert grades(course, "ada")["softmax"] == points


def test_only_some_notebooks_can_be_graded_anew(graded, monkeypatch):
    hand_in(graded, "ada", "chen")
    graded.config.CourseDirectory.notebook_id = "3-*"
    went_well, log = by_nbgrader(graded, "ada")
    assert went_well, log
    found = record(graded, "ada").notebooks
    assert found["3-softmax"].points == 0
    assert found["4-context-vectors"].points == FULL["4-context-vectors"]
    assert scores(graded, "ada", "4-context-vectors") > {"3.0"}


def test_points_by_hand_survive(graded):
    with Gradebook(graded.db_url, graded.name) as book:
        given = book.find_grade("explain-context", "4-context-vectors", PART, "ada")
        given.manual_score, given.needs_manual_grade = 3.5, False
        book.db.commit()
    went_well, log = by_nbgrader(graded, "ada")
    assert went_well, log
    assert "3.5" in {row[4] for row in rows(graded)["grade"]}
