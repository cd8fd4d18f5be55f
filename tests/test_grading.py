"""Grading a class: the marks, and that nothing is lost, whatever happens on the way."""

import datetime
import errno
import json
import os
import shutil
import sqlite3
import stat
import subprocess
import sys
import threading
from concurrent.futures import BrokenExecutor, Future, ThreadPoolExecutor
from concurrent.futures.process import BrokenProcessPool
from pathlib import Path

import nbformat
import pytest
from classroom import (
    FULL,
    NOTEBOOKS,
    PART,
    FakeRunner,
    Inline,
    answering,
    grades,
    hand_in,
    lasting,
    make_course,
    record,
    rows,
    tree,
    write,
)
from courseware import ROOT, check_cells, read
from nbgrader.api import Gradebook
from nbgrader.preprocessors import AssignLatePenalties, CheckCellMetadata, SaveAutoGrades
from nbgrader.utils import determine_grade

import grader.__main__ as commands
from grader import grading
from grader.course import Course
from grader.grading import grade, part_book, seeds, submission, workers
from grader.notebook_format import NotebookError
from grader.sandbox import warm as warm_process
from grader.sandbox.bubblewrap import NoSandbox
from grader.verdict import Finding, Verdict

pytestmark = pytest.mark.filterwarnings("ignore::sqlalchemy.exc.SAWarning")
SOFTMAX = read(ROOT / "notebooks" / PART / "3-softmax.ipynb")
GARBAGE = '{"cells": [{"cell_ty'


@pytest.fixture(scope="module")
def template(tmp_path_factory):
    """Make a course once: a fresh gradebook takes nbgrader seconds."""
    folder = tmp_path_factory.mktemp("template")
    make_course(folder)
    return folder


@pytest.fixture
def course(template, tmp_path):
    """Return a course of the test's own."""
    shutil.copytree(template, tmp_path / "course")
    return Course.at(tmp_path / "course")


@pytest.fixture
def ungraded(tmp_path):
    """Return a course without a gradebook, which is quick to make."""
    return make_course(tmp_path / "course", register_it=False)


@pytest.fixture
def fake(monkeypatch):
    """Run answers in this process, in place of the sandbox."""
    runner = FakeRunner()
    monkeypatch.setattr(workers, "runner", lambda *about: runner)
    return runner


def grade_here(course, *args, **kwargs):
    """Grade in this process."""
    return grade(course, PART, *args, executor=Inline(), jobs=1, **kwargs)


# ---- the marks


@pytest.mark.grading
def test_a_class_gets_its_marks_records_notebooks_log_report_and_summary(course, fake, capsys):
    for student, kind in (("ada", "ada"), ("ben", "ben"), ("dora", "dora")):
        hand_in(course, student, kind)
    assert grade_here(course) == 0
    assert record(course, "ada")["points"] == sum(FULL.values())
    assert record(course, "ada")["written_points"] == 4
    assert 0 < record(course, "ben")["points"] < record(course, "ada")["points"]
    softmax = next(
        one for one in record(course, "dora")["notebooks"]["3-softmax"]["exercises"] if one["id"] == "softmax"
    )
    assert softmax["diagnoses"] == ["columns"]
    assert softmax["looks_like"][0].startswith("you normalised down the columns")
    assert softmax["headline"] == "not yet right"
    for student in ("ada", "ben", "dora"):
        automatic = {name: points for name, points in grades(course, student).items() if name != "explain-context"}
        exercises = [one for notebook in record(course, student)["notebooks"].values() for one in notebook["exercises"]]
        assert automatic == {one["id"]: one["points"] for one in exercises}
        for name in NOTEBOOKS:
            path = course.autograded(PART, student) / f"{name}.ipynb"
            shown = {cell.id: determine_grade(cell)[0] for cell in check_cells(nbformat.read(path, as_version=4))}
            assert shown == {
                one["id"]: one["points"] for one in record(course, student)["notebooks"][name]["exercises"]
            }
    log = [json.loads(line) for line in course.report(PART).with_name(f"{PART}.log.jsonl").read_text().splitlines()]
    assert [line["student"] for line in log] == ["ada", "ben", "dora"]
    assert {"repair", "learner", "build", "save"} <= set(log[0]["seconds"])
    said = capsys.readouterr().out
    assert f"{PART}: 3 submissions graded" in said
    assert "A person marks 4 more points" in said
    assert str(course.report(PART)) in said
    assert course.report(PART).exists()


@pytest.mark.grading
def test_the_gradebook_is_what_nbgrader_itself_would_have_written(template, tmp_path, fake):
    ours, theirs = (_late_course(template, tmp_path / name) for name in ("ours", "theirs"))
    _both_graded(ours, theirs)
    assert rows(ours) == rows(theirs)
    assert {row[5] for row in rows(ours)["grade"]} == {"None"}

    # By hand, in formgrader: a written answer, a score changed, extra credit, comments, an extension.
    for course in (ours, theirs):
        with Gradebook(course.db_url, course.name) as book:
            for name, notebook, points in (("explain-context", "4-context-vectors", 3.5), ("softmax", "3-softmax", 1)):
                given = book.find_grade(name, notebook, PART, "on-time")
                given.manual_score, given.needs_manual_grade = points, False
            book.find_grade("entropy", "3-softmax", PART, "late").extra_credit = 0.5
            book.find_comment("softmax-answer", "3-softmax", PART, "on-time").manual_comment = "see me"
            book.db.commit()
            book.grant_extension(PART, "extended", days=30)
    # Handed in anew, one of them later still.
    for course in (ours, theirs):
        hand_in(course, "on-time", "dora")
        hand_in(course, "untouched", "chen", answering("softmax", "x = 1"))
        write(course, "late", "timestamp.txt", "2026-03-01 12:00:00.000000 UTC")
    _both_graded(ours, theirs)
    assert rows(ours) == rows(theirs)
    by_hand = {row[2]: row[4] for row in rows(ours)["grade"] if row[0] == "on-time"}
    assert by_hand["explain-context"] == "3.5"
    assert by_hand["softmax"] == "1.0"
    penalties = {row[0]: row[3] for row in rows(ours)["notebook"] if row[1] == "3-softmax"}
    assert penalties == {"on-time": "None", "untouched": "None", "late": "15.5", "extended": "None"}
    comments = {row[2]: row[3] for row in rows(ours)["comment"] if row[0] == "untouched"}
    assert comments["softmax-answer"] == "None"
    assert comments["entropy-answer"] == "No response."


def _late_course(template, folder):
    shutil.copytree(template, folder)
    with (folder / "nbgrader_config.py").open("a") as config:
        config.write('c.LateSubmissionPlugin.penalty_method = "zero"\n')
    course = Course.at(folder)
    with Gradebook(course.db_url, course.name) as book:
        book.update_or_create_assignment(PART, duedate="2026-01-10 12:00:00")
    for student, kind, handed_in in (
        ("on-time", "ada", "2026-01-10 12:00:00.000000 UTC"),
        ("late", "ada", "2026-01-10 12:00:01.000000 UTC"),
        ("extended", "dora", "2026-02-01 10:00:00 +0200"),
        ("untouched", "chen", None),
    ):
        hand_in(course, student, kind)
        if handed_in:
            write(course, student, "timestamp.txt", handed_in)
    return course


def _both_graded(ours, theirs):
    """Grade with ours, and have nbgrader's own preprocessors read our executed notebooks into the other gradebook."""
    assert grade_here(ours) == 0
    for student in theirs.students(PART):
        with Gradebook(theirs.db_url, theirs.name) as book:
            book.update_or_create_student(student)
            path = theirs.submitted(PART, student) / "timestamp.txt"
            at = {"timestamp": path.read_text()} if path.exists() else {}
            book.update_or_create_submission(PART, student, **at)
        for name in NOTEBOOKS:
            notebook = nbformat.read(ours.autograded(PART, student) / f"{name}.ipynb", as_version=4)
            about = {"student": student, "assignment": PART, "notebook": name, "db_url": theirs.db_url}
            for stage in (SaveAutoGrades, AssignLatePenalties, CheckCellMetadata):
                stage(config=theirs.config).preprocess(notebook, {"nbgrader": about})


@pytest.mark.grading
def test_a_file_that_is_gone_or_damaged_costs_the_old_marks_and_says_why(course, fake, capsys):
    hand_in(course, "ada")
    hand_in(course, "ben")
    grade_here(course)
    with Gradebook(course.db_url, course.name) as book:
        book.find_grade("entropy", "3-softmax", PART, "ada").manual_score = 2.5
        book.db.commit()
    (course.submitted(PART, "ada") / "3-softmax.ipynb").unlink()
    write(course, "ben", "3-softmax.ipynb", GARBAGE)
    (course.autograded(PART, "ben") / "left-from-before.txt").touch()
    assert grade_here(course) == 0
    for student, status, words in (("ada", "missing", "not handed in"), ("ben", "unreadable", "")):
        found = record(course, student)["notebooks"]["3-softmax"]
        assert found["status"] == status
        assert found["points"] == 0
        assert all(one["points"] == 0 and words in one["reason"] and one["reason"] for one in found["exercises"])
        assert record(course, student)["points"] == FULL["4-context-vectors"]
        softmax = {row[2]: row[3] for row in rows(course)["grade"] if row[:2] == (student, "3-softmax")}
        assert set(softmax.values()) == {"0.0"}
    # What a person gave stays for a person to take back, and is marked for it.
    entropy = next(row for row in rows(course)["grade"] if row[0] == "ada" and row[2] == "entropy")
    assert entropy[4] == "2.5"
    assert entropy[6] is True
    assert sorted(path.name for path in course.autograded(PART, "ben").iterdir()) == [
        f"{name}.ipynb" for name in NOTEBOOKS
    ]
    shown = (course.autograded(PART, "ada") / "3-softmax.ipynb").read_text()
    assert "softmax: not handed in, 0 of 4 points" in shown
    assert "missing or not readable: ada, ben" in capsys.readouterr().out


@pytest.mark.parametrize(
    "outputs",
    [
        [],
        [{"output_type": "execute_result", "data": {"text/plain": "nan"}}],
        [{"output_type": "execute_result", "data": {"text/plain": "-1"}}],
        [{"output_type": "execute_result", "data": {"text/plain": "4.0"}}],
        [{"output_type": "execute_result", "data": {"text/html": "4"}}],
        [{"output_type": "stream", "name": "stdout", "text": "4.0"}],
        [{"output_type": "display_data", "data": {"text/plain": "4.0"}}],
    ],
    ids=lambda outputs: str(outputs)[:70],
)
@pytest.mark.parametrize("points", [None, 0.0, 1.2, float("nan"), 99.0])
def test_a_check_cell_counts_what_its_verdict_says_whatever_it_shows(outputs, points):
    notebook = nbformat.from_dict(json.loads(nbformat.writes(SOFTMAX)))
    cell = next(cell for cell in check_cells(notebook) if cell.id == "softmax")
    cell.outputs = nbformat.from_dict([{"metadata": {}, "execution_count": 1, **output} for output in outputs])
    verdicts = {} if points is None else {"softmax": Verdict("softmax", points, 4.0, (Finding("it is right", False),))}
    exercises, marks = submission.settle(notebook, SOFTMAX, verdicts, {"softmax": "the process ended"})
    entry = next(one for one in exercises if one["id"] == "softmax")
    expected = points if points in (0.0, 1.2) else 0.0
    assert entry["points"] == marks.scores["softmax"] == determine_grade(cell)[0] == expected
    assert bool(entry["reason"]) == (points not in (0.0, 1.2))
    assert all(
        marks.scores[one.id] == determine_grade(one)[0] == 0.0 for one in check_cells(notebook) if one is not cell
    )


# ---- a submission's failure is its own


@pytest.mark.grading
def test_a_fault_of_the_machinery_costs_only_that_notebook_and_is_told(course, monkeypatch, capsys):
    class Faulty(FakeRunner):
        def run(self, name, notebook, seed_of, released=None):
            if name == "3-softmax" and "a fault" in str(notebook):
                raise RuntimeError("of all things")
            return super().run(name, notebook, seed_of, released)

    runner = Faulty()
    monkeypatch.setattr(workers, "runner", lambda *about: runner)
    hand_in(course, "ada")
    hand_in(course, "ben", change=answering("entropy", "# a fault"))
    assert grade_here(course) == 1
    assert record(course, "ada")["points"] == sum(FULL.values())
    found = record(course, "ben")["notebooks"]
    assert found["4-context-vectors"]["points"] == FULL["4-context-vectors"]
    assert found["3-softmax"]["status"] == "failed"
    assert {one["points"] for one in found["3-softmax"]["exercises"]} == {0.0}
    assert {one["reason"] for one in found["3-softmax"]["exercises"]} == {"grading failed: RuntimeError: of all things"}
    assert grades(course, "ben")["softmax"] == 0
    assert "ben could not be graded: grading failed: RuntimeError: of all things" in capsys.readouterr().err
    # The traceback is in the log, and nowhere that a learner reads.
    assert "Traceback" in course.report(PART).with_name(f"{PART}.log.jsonl").read_text()
    notebook = (course.autograded(PART, "ben") / "3-softmax.ipynb").read_text()
    assert "Traceback" not in notebook
    assert "of all things" not in notebook
    assert "your instructor can see why" in notebook

    # Once the fault is mended, the next run grades it, and only it.
    write(course, "ada", "stray.txt", "")
    (course.submitted(PART, "ada") / "stray.txt").unlink()
    runner.run, runner.ran = FakeRunner().run, []
    assert grade_here(course, resume=True) == 0
    assert record(course, "ben")["notebooks"]["3-softmax"]["status"] == "graded"


class Dying:
    """Workers of whom one dies over some submissions: always, or the first time."""

    def __init__(self, deadly, always):
        self.jobs, self.deadly, self.always, self.restarts = 2, deadly, always, 0
        self.tried, self._broken = [], False

    def submit(self, function, *args):
        future = Future()
        if function is workers.grade_some:
            self.tried.append(args[1])
        dies = function is workers.grade_some and args[1] in self.deadly
        if dies and (self.always or self.tried.count(args[1]) == 1):
            self._broken = True
        if self._broken:
            future.set_exception(BrokenProcessPool("a process ended"))
        else:
            future.set_result(function(*args))
        return future

    def wait(self, limits):
        pass

    def finish(self):
        pass

    def restart(self):
        self.restarts += 1
        self._broken = False

    def __enter__(self):
        return self

    def __exit__(self, *problem):
        pass


@pytest.mark.grading
@pytest.mark.parametrize("always", [True, False])
@pytest.mark.parametrize("who", ["ben", "emil"])  # the last ones go notebook by notebook
def test_a_worker_that_dies_costs_at_most_the_submission_it_dies_of(course, fake, monkeypatch, capsys, who, always):
    students = ("ada", "ben", "chen", "dora", "emil")
    for student in students:
        hand_in(course, student)
    dying = Dying({who}, always)
    monkeypatch.setattr(grading, "local_workers", lambda jobs, sandboxed: dying)
    assert grade(course, PART) == int(always)
    for student in students:
        if not always or student != who:
            assert record(course, student)["points"] == sum(FULL.values())
    # A piece that dies, at once the other one, which finds the pool broken, and the whole alone.
    assert dying.tried.count(who) == (2 if who == "ben" else 3)
    assert dying.restarts == (2 if always else 1)
    if always:
        assert record(course, who)["points"] == 0
        assert set(grades(course, who).values()) == {0.0}
        assert f"{who} could not be graded: grading failed: WorkerDied" in capsys.readouterr().err


class Noting(Inline):
    """Notes which notebooks of whom are asked for together, and may fail at one of them."""

    def __init__(self, fails_at=()):
        self.asked, self.fails_at = [], fails_at

    def submit(self, function, *args):
        if function is workers.grade_some:
            self.asked.append((args[1], args[3]))
            if (args[1], *args[3]) == self.fails_at:
                future = Future()
                future.set_exception(ValueError("of all things"))
                return future
        return super().submit(function, *args)


@pytest.mark.grading
def test_the_last_submissions_go_notebook_by_notebook_so_that_no_worker_waits_long(course, fake):
    students = ("ada", "ben", "chen", "dora")
    for student in students:
        hand_in(course, student, student)
    noting = Noting()
    assert grade(course, PART, executor=noting, jobs=2) == 0
    assert noting.asked == [
        *((student, list(NOTEBOOKS)) for student in ("ada", "ben")),
        *((student, [name]) for student in ("chen", "dora") for name in NOTEBOOKS),
    ]
    before = lasting(course)
    for student in students:
        assert list(record(course, student)["notebooks"]) == list(NOTEBOOKS)
        assert record(course, student)["digest"]
        assert {path.name for path in course.autograded(PART, student).iterdir()} == {f"{n}.ipynb" for n in NOTEBOOKS}
    # Nothing of it depends on who was last.
    assert grade(course, PART, ["dora", "ada"], executor=Noting(), jobs=1) == 0
    assert lasting(course) == before


@pytest.mark.grading
@pytest.mark.parametrize("failing", NOTEBOOKS)
def test_a_fault_of_the_machinery_at_one_notebook_of_the_last_one_is_told_once(course, fake, capsys, failing):
    for student in ("ada", "ben"):
        hand_in(course, student)
    assert grade(course, PART, executor=Noting(("ben", failing)), jobs=1) == 1
    assert capsys.readouterr().err.count("ben could not be graded: grading failed: ValueError: of all things") == 1
    assert record(course, "ben")["points"] == 0
    assert record(course, "ben")["digest"] == ""
    assert record(course, "ada")["points"] == sum(FULL.values())
    log = course.report(PART).with_name(f"{PART}.log.jsonl").read_text().splitlines()
    assert [json.loads(line)["student"] for line in log] == ["ada", "ben"]


@pytest.mark.grading
def test_a_submission_that_changes_while_it_is_graded_is_graded_again_by_the_next_run(course, fake):
    hand_in(course, "ada")

    class Changing(Noting):
        def submit(self, function, *args):
            done = super().submit(function, *args)
            if len(self.asked) == 1:
                write(course, "ada", "notes.txt", "more")
            return done

    assert grade(course, PART, executor=Changing(), jobs=1) == 0
    assert record(course, "ada")["digest"] == ""
    assert grade_here(course, resume=True) == 0
    assert record(course, "ada")["digest"]


@pytest.mark.grading
def test_an_executor_that_breaks_stops_the_command_and_zeroes_nobody(course, fake):
    for student in ("ada", "ben", "chen", "dora"):
        hand_in(course, student)

    class Broken(Inline):
        def submit(self, function, *args):
            if function is workers.grade_some and args[1] != "ada":
                raise BrokenExecutor("gone")
            return super().submit(function, *args)

    with pytest.raises(NotebookError, match=r"make a new one.*\(1 submission graded and saved before\)"):
        grade(course, PART, executor=Broken(), jobs=2)
    assert record(course, "ada")["points"] == sum(FULL.values())
    assert not course.record(PART, "ben").exists()


@pytest.mark.grading
def test_names_that_nbgrader_cannot_keep_are_told_and_stop_nobody(course, fake, capsys):
    hand_in(course, "ada")
    for odd in ("line\nbreak", os.fsdecode(b"not-utf8-\xff"), "x" * 129, "字" * 80, ".hidden"):
        hand_in(course, odd)
    assert grade_here(course) == 1
    said = capsys.readouterr().err
    assert r"'line\nbreak' could not be graded: nbgrader cannot keep such a name" in said
    assert r"'not-utf8-\udcff' could not be graded" in said
    assert record(course, "ada")["points"] == sum(FULL.values())
    assert said.count("could not be graded") == 5
    assert rows(course)["student"] == ["ada"]


@pytest.mark.grading
def test_what_a_learner_shows_that_no_file_can_hold_is_left_out(course, monkeypatch):
    class Deep(FakeRunner):
        def run(self, *args):
            run, nested = super().run(*args), []
            for _ in range(5000):
                nested = [nested]
            cell = next(cell for cell in run.notebook.cells if cell.cell_type == "code")
            cell.outputs = [nbformat.NotebookNode(output_type="display_data", data={"application/json": nested})]
            return run

    monkeypatch.setattr(workers, "runner", lambda *about: Deep())
    hand_in(course, "ada")
    assert grade_here(course) == 0
    assert record(course, "ada")["points"] == sum(FULL.values())
    assert "left out" in record(course, "ada")["notebooks"]["3-softmax"]["failures"][0]


@pytest.mark.grading
def test_what_a_learner_prints_can_always_be_saved(course, monkeypatch):
    class Printing(FakeRunner):
        def run(self, *args):
            run = super().run(*args)
            cell = next(cell for cell in run.notebook.cells if cell.cell_type == "code")
            cell.outputs = nbformat.from_dict([{"output_type": "stream", "name": "stdout", "text": "\ud800 \x00 é"}])
            return run

    monkeypatch.setattr(workers, "runner", lambda *about: Printing())
    hand_in(course, "ada")
    assert grade_here(course) == 0
    kept = nbformat.read(course.autograded(PART, "ada") / "3-softmax.ipynb", as_version=4)
    assert [output.text for cell in kept.cells for output in cell.get("outputs", []) if "text" in output] == [
        "? \x00 é"
    ]


# ---- when it was handed in


@pytest.mark.parametrize(
    ("text", "time", "note"),
    [
        (b"2026-01-10 12:00:00.000000 UTC", datetime.datetime(2026, 1, 10, 12), ""),
        (b"2026-01-10T12:00:00+02:00\n", datetime.datetime(2026, 1, 10, 10), ""),
        (None, None, ""),
        (b"", None, "it does not say a time"),
        (b"yesterday", None, "it does not say a time"),
        (b"\xff\xfe\x00", None, "it does not say a time"),
        (b"0001-01-01 00:00:00 +1400", None, "it does not say a time"),
        (b"2026-01-10 12:00:00 99999999999999999999", None, "it does not say a time"),
        (b"2026-01-10 " * 1000, None, "it is no short text file"),
    ],
)
def test_a_timestamp_is_read_or_ignored_and_told(tmp_path, text, time, note):
    if text is not None:
        (tmp_path / "timestamp.txt").write_bytes(text)
    found, kept, words = submission.read_timestamp(tmp_path)
    assert found == time
    assert kept == (text if time else None)
    assert words == (f"timestamp.txt was ignored: {note}" if note else "")


@pytest.mark.skipif(os.name == "nt", reason="symlinks need rights on Windows")
def test_a_timestamp_is_never_read_through_a_symlink_or_from_a_device(tmp_path):
    (tmp_path / "elsewhere").write_text("2026-01-10 12:00:00 UTC")
    (tmp_path / "timestamp.txt").symlink_to("elsewhere")
    assert submission.read_timestamp(tmp_path) == (None, None, "timestamp.txt was ignored: it is no short text file")
    (tmp_path / "timestamp.txt").unlink()
    os.mkfifo(tmp_path / "timestamp.txt")
    assert submission.read_timestamp(tmp_path)[0] is None


@pytest.mark.grading
def test_a_garbage_timestamp_is_noted_and_costs_nothing(course, fake):
    hand_in(course, "ada")
    write(course, "ada", "timestamp.txt", "the day before yesterday")
    hand_in(course, "ben")
    write(course, "ben", "timestamp.txt", "2026-01-10 12:00:00.000000 UTC")
    assert grade_here(course) == 0
    assert record(course, "ada")["points"] == sum(FULL.values())
    assert "timestamp.txt was ignored: it does not say a time" in record(course, "ada")["notes"]
    assert [row[2] for row in rows(course)["submission"]] == ["None", "2026-01-10 12:00:00"]
    assert (course.autograded(PART, "ben") / "timestamp.txt").exists()
    assert not (course.autograded(PART, "ada") / "timestamp.txt").exists()


# ---- seeds


def test_seeds_are_made_once_and_nobody_else_may_read_them(ungraded):
    made = seeds.stored_seeds(ungraded, ["softmax", "entropy"])
    path = ungraded.grading / "seeds.json"
    assert len(set(made.values())) == 2
    assert all(len(seed) == 64 for seed in made.values())
    if os.name == "posix":
        assert stat.S_IMODE(path.stat().st_mode) == 0o600
        path.chmod(0o644)
        assert seeds.stored_seeds(ungraded, ["softmax"]) == made
        assert stat.S_IMODE(path.stat().st_mode) == 0o600
    more = seeds.stored_seeds(ungraded, ["softmax", "scores"])
    assert more["softmax"] == made["softmax"]
    assert set(more) == {"softmax", "entropy", "scores"}
    assert seeds.stored_seeds(ungraded, ["scores"]) == more
    assert sorted(ungraded.grading.iterdir()) == [path]
    if os.name == "posix":
        assert stat.S_IMODE(path.stat().st_mode) == 0o600


def test_two_that_make_seeds_at_once_agree(ungraded):
    found, start = [], threading.Barrier(8)

    def make():
        start.wait()
        found.append(seeds.stored_seeds(ungraded, ["softmax"])["softmax"])

    threads = [threading.Thread(target=make) for _ in range(8)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert len(found) == 8
    assert len(set(found)) == 1


@pytest.mark.parametrize("text", ['{"softmax": ', "[]", '{"softmax": 7}', ""])
def test_damaged_seeds_are_told_and_left_alone(ungraded, text):
    path = ungraded.grading / "seeds.json"
    path.parent.mkdir()
    path.write_text(text)
    with pytest.raises(NotebookError, match="damaged; bring it back from a backup, or delete it"):
        seeds.stored_seeds(ungraded, ["softmax"])
    assert path.read_text() == text


@pytest.mark.grading
def test_the_same_file_meets_the_same_inputs_and_another_file_others(course, monkeypatch):
    met = []

    class Noting(FakeRunner):
        def run(self, name, notebook, seed_of, released=None):
            met.append({exercise: seed_of(exercise) for exercise in ("softmax", "entropy")})
            return super().run(name, notebook, seed_of, released)

    monkeypatch.setattr(workers, "runner", lambda *about: Noting())
    hand_in(course, "ada")
    hand_in(course, "twin")
    (course.submitted(PART, "ada") / "4-context-vectors.ipynb").unlink()
    (course.submitted(PART, "twin") / "4-context-vectors.ipynb").unlink()
    grade_here(course)
    grade_here(course)
    assert met[0] == met[1] == met[2] == met[3]
    assert met[0]["softmax"] != met[0]["entropy"]
    path = course.submitted(PART, "ada") / "3-softmax.ipynb"
    path.write_text(path.read_text() + "\n")
    grade_here(course, ["ada"])
    assert met[4]["softmax"] != met[0]["softmax"]
    # They are in no file but their own, neither as they are stored nor as they are used.
    secret = json.loads((course.grading / "seeds.json").read_text())
    told = [*secret.values(), *(str(seed) for one in met for seed in one.values())]
    for path in course.root.rglob("*"):
        if path.is_file() and path.name != "seeds.json":
            content = path.read_bytes()
            assert not any(one.encode() in content for one in told), path


# ---- resuming


@pytest.mark.grading
def test_resume_grades_what_has_changed_and_nothing_else(course, fake, capsys):
    for student in ("ada", "ben", "chen", "dora"):
        hand_in(course, student, student)
    grade_here(course)

    def graded(**kwargs):
        before = {student: course.record(PART, student).read_bytes() for student in course.students(PART)}
        fake.ran.clear()
        assert grade_here(course, resume=True, **kwargs) == 0
        assert len(fake.ran) % 2 == 0
        after = {student: course.record(PART, student).stat().st_ino for student in before}
        changed = {student for student in before if after[student] != inodes.get(student)}
        inodes.update(after)
        return changed

    inodes = {student: course.record(PART, student).stat().st_ino for student in course.students(PART)}
    assert graded() == set()
    assert "0 submissions graded" in (said := capsys.readouterr().out)
    assert "(4 had been graded already)" in said
    hand_in(course, "ben", "ada")
    assert graded() == {"ben"}
    assert record(course, "ben")["points"] == sum(FULL.values())
    write(course, "chen", "numpy.py", "stray")
    assert graded() == {"chen"}
    shutil.rmtree(course.autograded(PART, "dora"))
    assert graded() == {"dora"}
    with Gradebook(course.db_url, course.name) as book:
        book.remove_submission(PART, "ada")
    assert graded() == {"ada"}
    assert grades(course, "ada")["softmax"] == 4
    course.record(PART, "ben").write_text(course.record(PART, "ben").read_text()[:100])
    assert graded() == {"ben"}
    (course.grading / "seeds.json").unlink()
    assert graded() == {"ada", "ben", "chen", "dora"}
    assert graded(sandboxed=False) == {"ada", "ben", "chen", "dora"}
    assert "WITHOUT the sandbox" in capsys.readouterr().out
    assert record(course, "ada")["sandboxed"] is False


@pytest.mark.grading
def test_without_resume_everything_is_graded_anew_and_comes_out_the_same(course, fake):
    for student in ("ada", "dora"):
        hand_in(course, student, student)
    grade_here(course)
    before, table = lasting(course), rows(course)
    fake.ran.clear()
    grade_here(course)
    assert len(fake.ran) == 4
    assert lasting(course) == before
    assert rows(course) == table


@pytest.mark.grading
def test_only_grades_whom_it_names(course, fake):
    for student in ("ada", "ben", "chen"):
        hand_in(course, student)
    assert grade_here(course, ["ben", "ben"]) == 0
    assert rows(course)["student"] == ["ben"]
    with pytest.raises(NotebookError, match=f"emil has not handed in {PART}"):
        grade_here(course, ["ada", "emil"])
    assert rows(course)["student"] == ["ben"]


@pytest.mark.grading
def test_marks_of_somebody_without_a_folder_are_left_and_told(course, fake, capsys):
    hand_in(course, "ada")
    hand_in(course, "ben")
    grade_here(course)
    shutil.rmtree(course.submitted(PART, "ben").parent)
    grade_here(course)
    assert grades(course, "ben")["softmax"] == 4
    assert "Not in the folder of submissions any more, marks left as they were: ben" in capsys.readouterr().out


@pytest.mark.grading
def test_a_run_that_is_interrupted_says_how_to_go_on(course, monkeypatch, capsys):
    class Interrupted(FakeRunner):
        def run(self, name, notebook, seed_of, released=None):
            if len(self.ran) == 2:
                raise KeyboardInterrupt
            return super().run(name, notebook, seed_of, released)

    runner = Interrupted()
    monkeypatch.setattr(workers, "runner", lambda *about: runner)
    for student in ("ada", "ben", "chen"):
        hand_in(course, student)

    class OneAfterTheOther(Inline):
        """Waits with a submission until it is asked for."""

        def submit(self, function, *args):
            if function is not workers.grade_some:
                return super().submit(function, *args)
            future = Future()
            future.result = lambda: function(*args)
            future.set_result(None)
            return future

    assert grade(course, PART, executor=OneAfterTheOther(), jobs=1) == 130
    assert (
        "1 submission graded and saved; to go on, run the same command again with --resume" in capsys.readouterr().err
    )
    done = [student for student in ("ada", "ben", "chen") if course.record(PART, student).exists()]
    assert len(done) == 1
    monkeypatch.setattr(workers, "runner", lambda *about: FakeRunner())
    assert grade_here(course, resume=True) == 0
    assert "(1 had been graded already)" in capsys.readouterr().out
    assert [record(course, student)["points"] for student in ("ada", "ben", "chen")] == [sum(FULL.values())] * 3


@pytest.mark.grading
@pytest.mark.skipif(not hasattr(os, "fork"), reason="it needs forks")
def test_ended_at_any_step_the_same_command_leaves_what_an_undisturbed_run_does(tmp_path):
    script = Path(__file__).parent / "killed_at_every_step.py"
    done = subprocess.run(
        [sys.executable, script, tmp_path, "17"], capture_output=True, text=True, timeout=600, check=False
    )
    assert done.returncode == 0, done.stderr
    assert int(done.stdout) >= 8


def test_a_folder_is_replaced_whole_or_stays(tmp_path, monkeypatch):
    folder = tmp_path / "student" / "part"
    grading.replace_folder(folder, {"old.ipynb": b"old"})
    grading.replace_folder(folder, {"new.ipynb": b"new", "more.ipynb": b"more"})
    assert {path.name: path.read_bytes() for path in folder.iterdir()} == {"new.ipynb": b"new", "more.ipynb": b"more"}
    rename = Path.rename

    def fails_for_the_new_one(self, target):
        if self.name.endswith(".new"):
            raise OSError(5, "Input/output error")
        return rename(self, target)

    monkeypatch.setattr(Path, "rename", fails_for_the_new_one)
    with pytest.raises(OSError, match="Input/output error"):
        grading.replace_folder(folder, {"newer.ipynb": b"newer"})
    assert {path.name for path in folder.iterdir()} == {"new.ipynb", "more.ipynb"}
    assert [path.name for path in folder.parent.iterdir()] == ["part"]


# ---- what is handed in is only read


@pytest.mark.grading
def test_what_was_handed_in_is_only_read(course, fake):
    hand_in(course, "ada")
    write(course, "ada", "3-softmax (1).ipynb", GARBAGE)
    write(course, "ada", "numpy.py", "raise SystemExit")
    write(course, "ada", "timestamp.txt", "2026-01-10 12:00:00 UTC")
    (course.submitted(PART, "ada") / "link.ipynb").symlink_to("/etc/passwd")
    top = course.submitted(PART, "ada").parent.parent
    for path in top.rglob("*"):
        if not path.is_symlink():
            path.chmod(0o500 if path.is_dir() else 0o400)
    before = tree(top)
    assert grade_here(course) == 0
    assert tree(top) == before
    for path in top.rglob("*"):
        if path.is_dir():
            path.chmod(0o700)  # so that pytest can clean up


# ---- what stops the command


@pytest.mark.grading
@pytest.mark.parametrize("deed", ["grade", "resume"])
def test_a_locked_gradebook_is_waited_for_and_told(course, fake, monkeypatch, capsys, deed):
    hand_in(course, "ada")
    monkeypatch.setattr(part_book, "PATIENCE", 1)
    other = sqlite3.connect(course.grading / "gradebook.db")
    other.execute("BEGIN IMMEDIATE")
    with pytest.raises(NotebookError, match=r"another program has kept the gradebook locked.*--resume"):
        grade_here(course, resume=deed == "resume")
    assert "Waiting: another program is writing to the gradebook" in capsys.readouterr().err
    assert not course.record(PART, "ada").exists()
    other.rollback()
    other.close()
    assert grade_here(course, resume=True) == 0
    assert grades(course, "ada")["softmax"] == 4


@pytest.mark.grading
def test_a_gradebook_that_is_locked_for_a_while_only_delays(course, fake, capsys):
    hand_in(course, "ada")
    other = sqlite3.connect(course.grading / "gradebook.db", check_same_thread=False)
    other.execute("BEGIN IMMEDIATE")
    timer = threading.Timer(2.5, other.rollback)
    timer.start()
    assert grade_here(course) == 0
    timer.join()
    other.close()
    assert "Waiting" in capsys.readouterr().err
    assert grades(course, "ada")["softmax"] == 4


@pytest.mark.grading
def test_a_lock_in_the_middle_of_the_class_loses_nothing(course, monkeypatch):
    monkeypatch.setattr(part_book, "PATIENCE", 1)
    for student in ("ada", "ben", "chen"):
        hand_in(course, student)
    other = sqlite3.connect(course.grading / "gradebook.db")

    class Locking(FakeRunner):
        def run(self, *args):
            if len(self.ran) == 4:
                other.execute("BEGIN IMMEDIATE")
            return super().run(*args)

    runner = Locking()
    monkeypatch.setattr(workers, "runner", lambda *about: runner)
    with pytest.raises(NotebookError, match="locked"):
        grade_here(course)
    other.rollback()
    other.close()
    monkeypatch.setattr(workers, "runner", lambda *about: FakeRunner())
    assert grade_here(course, resume=True) == 0
    assert [record(course, student)["points"] for student in ("ada", "ben", "chen")] == [sum(FULL.values())] * 3


@pytest.mark.grading
def test_without_a_sandbox_nothing_is_touched(course, monkeypatch):
    def no_sandbox(sandboxed, limits=None):
        raise NoSandbox("bubblewrap is not installed; install it, or add --no-sandbox")

    monkeypatch.setattr(workers, "runner", no_sandbox)
    hand_in(course, "ada")
    before = tree(course.root)
    with pytest.raises(NoSandbox, match="add --no-sandbox"):
        grade_here(course)
    assert tree(course.root) == before


EARLY = """
import os
from grader.grading import workers
from grader.sandbox.warm import begun

warm = begun()
with workers.getting_ready(True, 2, warm):
    two = workers.local_workers(2)
    assert two._warm is warm and not workers._early
    with two:
        two.wait(None)
        assert two.submit(os.getppid).result() == os.getpid()  # forked, not started anew
        two.restart()
        assert two.submit(os.getppid).result() != os.getpid()  # there are threads by now
assert not warm.top.exists()
with workers.getting_ready(True, 2):
    unused = workers._early[True]
    processes = [*unused._pool._processes.values()]
    assert len(processes) == 2
assert not workers._early and not unused._warm.top.exists()
assert not any(process.is_alive() for process in processes)
"""


@pytest.mark.grading
def test_workers_that_were_started_early_are_used_or_stopped(require):
    require("bwrap")
    done = subprocess.run(
        [sys.executable, "-W", "error", "-c", EARLY], capture_output=True, text=True, timeout=60, check=False
    )
    assert (done.returncode, done.stderr) == (0, "")


@pytest.mark.grading
def test_a_full_disk_under_the_sandbox_is_told(course, require, monkeypatch):
    require("bwrap")

    def full(folder):
        raise OSError(errno.ENOSPC, "No space left on device", str(folder))

    monkeypatch.setattr(warm_process, "write_course", full)
    hand_in(course, "ada")
    before = tree(course.root)
    with workers.getting_ready(), pytest.raises(NotebookError, match=r"the disk is full .*free some space"):
        grade(course, PART)
    assert tree(course.root) == before


@pytest.fixture
def small_disk(template, tmp_path):
    """Return a course on a disk of its own with little room."""
    top = tmp_path / "disk"
    top.mkdir()
    size = sum(path.stat().st_size for path in template.rglob("*") if path.is_file())
    options = f"size={size + 700_000}"
    mounted = subprocess.run(["mount", "-t", "tmpfs", "-o", options, "tmpfs", top], capture_output=True, check=False)
    if mounted.returncode:
        pytest.skip("only root can have a small disk")
    shutil.copytree(template, top / "course")
    yield Course.at(top / "course")
    subprocess.run(["umount", "-l", top], check=True)


@pytest.mark.grading
@pytest.mark.parametrize("room", [0, 20_000, 50_000, 80_000, 110_000])
def test_a_full_disk_is_told_and_leaves_nothing_half_written(small_disk, fake, room):
    course = small_disk
    hand_in(course, "ada")
    grade_here(course)
    hand_in(course, "ada", "dora")
    hand_in(course, "ben", "dora")
    ballast = course.root / "ballast"
    with ballast.open("wb") as file:
        free = shutil.disk_usage(course.root).free
        file.write(bytes(max(free - room, 0)))
    with pytest.raises(NotebookError, match=r"the disk is full.*--resume"):
        grade_here(course)
    # Each of them is as before, or as after.
    for path in (course.grading / "autograded").rglob("*.ipynb"):
        nbformat.read(path, as_version=4)
    for path in course.record(PART, "any").parent.glob("*.json"):
        json.loads(path.read_text())
    assert not list(course.root.rglob("*.new"))
    assert not list(course.root.rglob("*.old"))
    ballast.unlink()
    assert grade_here(course, resume=True) == 0
    assert rows(course)["student"] == ["ada", "ben"]
    assert lasting(course) == _undisturbed(course, fake)


def _undisturbed(course, fake):
    """What grading everything anew leaves."""
    assert grade_here(course) == 0
    return lasting(course)


@pytest.mark.grading
def test_a_full_disk_of_a_worker_stops_the_command(course, monkeypatch):
    class Full(FakeRunner):
        def run(self, *args):
            raise OSError(28, "No space left on device", "/tmp/scratch")

    monkeypatch.setattr(workers, "runner", lambda *about: Full())
    hand_in(course, "ada")
    with pytest.raises(NotebookError, match=r"the disk is full \(/tmp/scratch\)"):
        grade_here(course)
    assert not course.record(PART, "ada").exists()


@pytest.mark.grading
def test_a_folder_that_cannot_be_written_is_told(template, tmp_path, fake):
    top = tmp_path / "course"
    shutil.copytree(template, top)
    hand_in(Course.at(top), "ada")
    if subprocess.run(["mount", "--bind", top, top], capture_output=True, check=False).returncode:
        pytest.skip("only root can make a folder read-only for root")
    try:
        subprocess.run(["mount", "-o", "remount,ro,bind", top], check=True)
        with pytest.raises(NotebookError, match=r"cannot be read or written: Read-only file system"):
            grade_here(Course.at(top))
    finally:
        subprocess.run(["umount", "-l", top], check=True)


@pytest.mark.grading
def test_a_gradebook_that_is_none_is_told(course, fake):
    hand_in(course, "ada")
    (course.grading / "gradebook.db").write_bytes(b"not a database at all" * 100)
    with pytest.raises(NotebookError, match="the gradebook cannot be used"):
        grade_here(course)


@pytest.mark.grading
def test_cells_that_changed_since_they_were_graded_are_told(course, fake):
    hand_in(course, "ada")
    grade_here(course)
    source = course.source(PART) / "3-softmax.ipynb"
    notebook = nbformat.read(source, as_version=4)
    notebook.cells = [cell for cell in notebook.cells if cell.id not in ("entropy", "entropy-answer")]
    nbformat.write(notebook, source)
    with pytest.raises(NotebookError, match=r"3-softmax has other graded cells.*nbgrader db assignment remove"):
        grade_here(course)


@pytest.mark.grading
def test_two_runs_of_a_part_keep_out_of_each_others_way(course, monkeypatch):
    class Again(FakeRunner):
        def run(self, *args):
            with pytest.raises(NotebookError, match="is being graded by another command"):
                grade_here(course)
            return super().run(*args)

    runner = Again()
    monkeypatch.setattr(workers, "runner", lambda *about: runner)
    hand_in(course, "ada")
    assert grade_here(course) == 0
    assert runner.ran


@pytest.mark.grading
def test_nobody_to_grade_and_no_such_part_are_told(course):
    with pytest.raises(NotebookError, match=r"nobody has handed in.*python -m grader collect"):
        grade_here(course)
    with pytest.raises(NotebookError, match=f"there is no part 'nonsense'; there are: {PART}"):
        grade(course, "nonsense", executor=Inline())


@pytest.mark.grading
def test_a_line_of_the_log_that_was_cut_short_stays_alone(course, fake):
    hand_in(course, "ada")
    log = course.report(PART).with_name(f"{PART}.log.jsonl")
    log.parent.mkdir(parents=True)
    log.write_text('{"student": "ol')
    grade_here(course)
    lines = log.read_text().splitlines()
    assert lines[0] == '{"student": "ol'
    assert [json.loads(line)["student"] for line in lines[1:]] == ["ada"]


# ---- the command line


@pytest.mark.parametrize(
    ("given", "expected"),
    [
        ("1-context-vectors", "1-context-vectors"),
        ("1", "1-context-vectors"),
        ("context", "1-context-vectors"),
        ("grading/submitted/ada/1-context-vectors/", "1-context-vectors"),
        ("3", "3-multi-head"),
        ("Three", "2-three-views"),
    ],
)
def test_a_part_is_meant_by_as_much_of_its_name_as_no_other_has(given, expected):
    assert commands._part(Course.at(ROOT), given) == expected


@pytest.mark.parametrize(
    ("given", "expected"), [("e", "any of"), ("9", "there is no part '9'"), ("", "there is no part")]
)
def test_a_part_that_could_be_several_or_none_is_told_and_exits_with_2(given, expected, capsys):
    assert commands.main(["report", given]) == 2
    assert expected in capsys.readouterr().err


@pytest.mark.grading
def test_the_report_command_brings_in_what_was_marked_by_hand(course, fake, monkeypatch, capsys):
    monkeypatch.setattr(commands, "ROOT", course.root)
    assert commands.main(["report", "1"]) == 1
    assert "has not been graded yet" in capsys.readouterr().err
    for student, kind in (("ada", "ada"), ("ben", "ada"), ("chen", "chen")):
        hand_in(course, student, kind)
    grade_here(course)
    with Gradebook(course.db_url, course.name) as book:
        given = book.find_grade("explain-context", "4-context-vectors", PART, "ada")
        given.manual_score, given.needs_manual_grade = 3.0, False
        given = book.find_grade("softmax", "3-softmax", PART, "ada")
        given.manual_score, given.extra_credit = 3.5, 0.25
        book.db.commit()
    capsys.readouterr()
    assert commands.main(["report", "context"]) == 0
    assert f"{PART}.csv" in capsys.readouterr().out
    lines = course.report(PART).with_suffix(".csv").read_text("utf-8-sig").splitlines()
    heads = lines[0].replace('"', "").split(",")
    table = {line.split(",")[0].strip('"'): dict(zip(heads, line.split(","), strict=True)) for line in lines[1:]}
    # 3 for the written answer, half a point taken off softmax, a quarter of extra credit.
    assert (table["ada"]["by hand"], table["ada"]["total"]) == ("2.75", "36.75")
    assert table["ben"]["by hand"] == ""
    assert table["chen"]["by hand"] == "0", "nothing was written, so nobody has to read it"
