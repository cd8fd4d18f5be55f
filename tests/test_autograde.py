"""nbgrader's own `autograde` on the course's configuration: the same marks as ours, whatever was handed in."""

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
    content,
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


def graded_files(course, student):
    """What lies among a student's graded notebooks, by name."""
    return {path.name: content(path) for path in course.autograded(PART, student).iterdir()}


def broken(course, student, *kinds):
    """Let a student hand in, and something happen to it."""
    hand_in(course, student)
    folder = course.submitted(PART, student)
    first, second = (folder / f"{name}.ipynb" for name in NOTEBOOKS)
    for kind in kinds:
        if kind == "missing":
            first.unlink()
        elif kind == "renamed":
            first.rename(folder / "3-softmax (1).ipynb")
            second.rename(folder / "my work.IPYNB.txt")
        elif kind == "link":
            first.rename(folder.parents[2] / f"{student}.ipynb")
            first.symlink_to(Path("../../..", f"{student}.ipynb"))
        elif kind == "strays":
            (folder / "notes.txt").symlink_to(Path("../../../../solutions", PART, "3-softmax.ipynb"))
            (folder / "gone.txt").symlink_to("nowhere")
            os.mkfifo(folder / "pipe")
            write_file(course, student, "sub/numpy.py", "raise SystemExit")
        elif kind == "secret":
            write_file(course, student, "submission_secret.txt", "5a" * 64)
        elif kind == "time":
            write_file(course, student, "timestamp.txt", "2026-01-10 12:00:00.000000 UTC")
        elif kind == "no time":
            write_file(course, student, "timestamp.txt", "when it was ready")
        else:
            first.write_bytes(kind)


#: What may come as a student's files; the first notebook's bytes, where they are bytes.
BROKEN = {
    "pdf": [b"%PDF-1.7\n%\xe2\xe3\xcf\xd3"],
    "garbage": [GARBAGE.encode(), "no time"],
    "cells-are-7": [b'{"nbformat": 4, "cells": [7]}'],
    "absent": ["missing"],
    "other-names": ["renamed", "time"],
    "links": ["link"],
    "strays": ["strays", "time", "secret"],
}


@pytest.mark.skipif(os.name == "nt", reason="links and pipes")
def test_scores_comments_and_records_are_those_of_our_own_command(template, tmp_path, fake):
    ours, theirs = (tmp_path / "ours", tmp_path / "theirs")
    for folder in (ours, theirs):
        shutil.copytree(template, folder)
    ours, theirs = Course.at(ours), Course.at(theirs)
    for course in (ours, theirs):
        for student in ("chen", "dora"):
            hand_in(course, student, student)
        hand_in(course, "odd", "ada", answering("entropy", "def entropy(p):\n    return 1 / 0"))
        for student in BROKEN:
            hand_in(course, student)
    # Marks from before: whatever comes in their place, none of them may stay, and none be lost.
    assert grade_here(ours) == 0
    shutil.copytree(ours.grading, theirs.grading, dirs_exist_ok=True)
    for course in (ours, theirs):
        for student, kinds in BROKEN.items():
            broken(course, student, *kinds)
    assert grade_here(ours) == 0
    went_well, log = by_nbgrader(theirs, "*")
    assert went_well, log
    assert rows(ours) == rows(theirs)
    for student in ours.students(PART):
        one, other = record(ours, student), record(theirs, student)
        assert set(one.seconds) == set(other.seconds)
        assert replace(one, seconds={}) == replace(other, seconds={})
        assert graded_files(ours, student) == graded_files(theirs, student)
    assert record(ours, "pdf").points == FULL["4-context-vectors"]
    assert record(ours, "other-names").points == sum(FULL.values())
    # Nothing else is kept, for feedback or for formgrader, but what nbgrader's exchange needs.
    assert sorted(graded_files(theirs, "strays")) == [
        *(f"{name}.ipynb" for name in NOTEBOOKS),
        "submission_secret.txt",
        "timestamp.txt",
    ]
    assert "submission_secret" not in "".join(record(theirs, "strays").notes)
    # The log says what was wrong, and what nbgrader has graded, our command need not grade once more.
    for words in ("`3-softmax (1).ipynb` was taken for 3-softmax", "timestamp.txt was ignored: it does not say a time"):
        assert words in log
    fake.ran.clear()
    assert grade_here(theirs, resume=True) == 0
    assert not fake.ran


# ---- closed where nothing can be graded


@pytest.fixture
def graded(course, fake):
    """Return a course in which one has full marks."""
    hand_in(course, "ada")
    assert grade_here(course) == 0
    assert record(course, "ada").points == sum(FULL.values())
    return course


def scores(course, student, notebook):
    """Automatic scores of a notebook's cells."""
    return {row[3] for row in rows(course)["grade"] if row[:2] == (student, notebook)}


def submitted(course, student, name="3-softmax"):
    """The path of what a student handed in."""
    return course.submitted(PART, student) / f"{name}.ipynb"


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
    del course.config.Autograde.exporter_class
    for change, points in ((None, 4), (answering("softmax", "softmax = None"), 0), (None, 4)):
        hand_in(course, "ada", "ada", change)
        went_well, log = by_nbgrader(course, "ada")
        assert went_well, log
        assert grades(course, "ada")["softmax"] == points


def test_points_by_hand_survive(graded):
    with Gradebook(graded.db_url, graded.name) as book:
        given = book.find_grade("explain-context", "4-context-vectors", PART, "ada")
        given.manual_score, given.needs_manual_grade = 3.5, False
        book.db.commit()
    went_well, log = by_nbgrader(graded, "ada")
    assert went_well, log
    assert "3.5" in {row[4] for row in rows(graded)["grade"]}
