"""Grading a class: a submission's failure is its own, and a worker's costs nobody else anything."""

import contextlib
import json
import os
import signal
import struct
import sys
import threading
import time
from concurrent.futures import Future
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
    grade_by,
    grade_here,
    grades,
    hand_in,
    lasting,
    record,
    rows,
    write,
)

from grader.classroom.marking import grade, workers

pytestmark = pytest.mark.filterwarnings("ignore::sqlalchemy.exc.SAWarning")


@pytest.mark.grading
def test_a_fault_of_the_machinery_costs_only_that_notebook_and_is_told(course, monkeypatch, capsys):
    class Faulty(FakeRunner):
        def run(self, name, notebook, seed_of, released=None):
            if name == "3-softmax" and "a fault" in str(notebook):
                raise RuntimeError("of all things")
            return super().run(name, notebook, seed_of, released)

    runner = Faulty()
    monkeypatch.setattr(workers, "own_runner", lambda *about: runner)
    hand_in(course, "ada")
    hand_in(course, "ben", change=answering("entropy", "# a fault"))
    assert grade_here(course) == 1
    assert record(course, "ada").points == sum(FULL.values())
    found = record(course, "ben").notebooks
    assert found["4-context-vectors"].points == FULL["4-context-vectors"]
    assert found["3-softmax"].status == "failed"
    assert {one.points for one in found["3-softmax"].exercises} == {0.0}
    assert {one.reason for one in found["3-softmax"].exercises} == {"grading failed: RuntimeError: of all things"}
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
    assert record(course, "ben").notebooks["3-softmax"].status == "graded"


class Dying:
    """Workers of whom one dies over some submissions: always, or the first time."""

    def __init__(self, deadly, always):
        self.room, self.deadly, self.always, self.restarts = 4, deadly, always, 0
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

    def landed(self, flying):
        return [one for one in flying if one.done()]

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
@pytest.mark.parametrize("who", ["ben", "emil"])
def test_a_worker_that_dies_costs_at_most_the_submission_it_dies_of(course, fake, monkeypatch, capsys, who, always):
    students = ("ada", "ben", "chen", "dora", "emil")
    for student in students:
        hand_in(course, student)
    dying = Dying({who}, always)
    monkeypatch.setattr(workers, "local_workers", lambda jobs, sandboxed: dying)
    assert grade(course, PART) == int(always)
    for student in students:
        if not always or student != who:
            assert record(course, student).points == sum(FULL.values())
    assert dying.tried.count(who) == 2  # once more, alone
    assert dying.restarts == (2 if always else 1)
    if always:
        assert record(course, who).points == 0
        assert set(grades(course, who).values()) == {0.0}
        assert f"{who} could not be graded: grading failed: WorkerDied" in capsys.readouterr().err


class Noting(Inline):
    """Notes which notebooks of whom are asked for, and may fail at somebody's."""

    def __init__(self, fails_at=""):
        self.asked, self.fails_at = [], fails_at

    def submit(self, function, *args):
        if function is workers.grade_some:
            self.asked.append((args[1], args[3]))
            if args[1] == self.fails_at:
                future = Future()
                future.set_exception(ValueError("of all things"))
                return future
        return super().submit(function, *args)


@pytest.mark.grading
def test_no_student_s_notebooks_run_side_by_side(course, fake):
    students = ("ada", "ben", "chen", "dora")
    for student in students:
        hand_in(course, student, student)
    noting = Noting()
    assert grade_by(noting, course, jobs=2) == 0
    assert noting.asked == [(student, list(NOTEBOOKS)) for student in students]
    before = lasting(course)
    for student in students:
        assert list(record(course, student).notebooks) == list(NOTEBOOKS)
        assert record(course, student).digest
        assert {path.name for path in course.autograded(PART, student).iterdir()} == {f"{n}.ipynb" for n in NOTEBOOKS}
    # Nothing of it depends on who was last.
    assert grade_by(Noting(), course, ["dora", "ada"]) == 0
    assert lasting(course) == before


@pytest.mark.grading
def test_a_fault_of_the_machinery_at_somebody_is_told_once(course, fake, capsys):
    for student in ("ada", "ben"):
        hand_in(course, student)
    assert grade_by(Noting("ben"), course) == 1
    assert capsys.readouterr().err.count("ben could not be graded: grading failed: ValueError: of all things") == 1
    assert record(course, "ben").points == 0
    assert record(course, "ben").digest == ""
    assert record(course, "ada").points == sum(FULL.values())
    log = course.report(PART).with_name(f"{PART}.log.jsonl").read_text().splitlines()
    assert [json.loads(line)["student"] for line in log] == ["ada", "ben"]


@pytest.mark.grading
def test_a_submission_that_changes_while_it_is_graded_is_graded_again_by_the_next_run(course, fake):
    hand_in(course, "ada")

    class Changing(Noting):
        def submit(self, function, *args):
            done = super().submit(function, *args)
            if function is workers.grade_some:
                write(course, "ada", "notes.txt", "more")
            return done

    assert grade_by(Changing(), course) == 0
    before = record(course, "ada").digest
    assert grade_here(course, resume=True) == 0
    assert record(course, "ada").digest != before


@pytest.mark.grading
def test_names_that_nbgrader_cannot_keep_are_told_and_stop_nobody(course, fake, capsys):
    hand_in(course, "ada")
    for odd in ("line\nbreak", os.fsdecode(b"not-utf8-\xff"), "x" * 129, "字" * 80, ".hidden"):
        hand_in(course, odd)
    assert grade_here(course) == 1
    said = capsys.readouterr().err
    assert r"line\x0abreak could not be graded: nbgrader cannot keep such a name" in said
    assert r"not-utf8-\xdcff could not be graded" in said
    assert record(course, "ada").points == sum(FULL.values())
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

    monkeypatch.setattr(workers, "own_runner", lambda *about: Deep())
    hand_in(course, "ada")
    assert grade_here(course) == 0
    assert record(course, "ada").points == sum(FULL.values())
    assert "left out" in record(course, "ada").notebooks["3-softmax"].failures[0]


@pytest.mark.grading
def test_what_a_learner_prints_can_always_be_saved(course, monkeypatch):
    class Printing(FakeRunner):
        def run(self, *args):
            run = super().run(*args)
            cell = next(cell for cell in run.notebook.cells if cell.cell_type == "code")
            cell.outputs = nbformat.from_dict([{"output_type": "stream", "name": "stdout", "text": "\ud800 \x00 é"}])
            return run

    monkeypatch.setattr(workers, "own_runner", lambda *about: Printing())
    hand_in(course, "ada")
    assert grade_here(course) == 0
    kept = nbformat.read(course.autograded(PART, "ada") / "3-softmax.ipynb", as_version=4)
    assert [output.text for cell in kept.cells for output in cell.get("outputs", []) if "text" in output] == [
        "? \x00 é"
    ]


@pytest.mark.grading
@pytest.mark.parametrize("closed", ["student", "part"])
def test_a_folder_that_may_not_be_read_is_that_student_s_failure(course, fake, monkeypatch, capsys, closed):
    for student in ("ada", "ben"):
        hand_in(course, student)
    assert grade_here(course) == 0
    folder = course.submitted(PART, "ben")
    shut = folder.parent if closed == "student" else folder
    # As for whoever is not root.
    real = {name: getattr(Path, name) for name in ("lstat", "stat", "iterdir")}

    def guarded(name):
        def look(self, *args, **kwargs):
            inside = shut in self.parents if name != "iterdir" else shut in (self, *self.parents)
            if inside:
                raise PermissionError(13, "Permission denied", str(self))
            return real[name](self, *args, **kwargs)

        return look

    for name in real:
        monkeypatch.setattr(Path, name, guarded(name))
    for resume in (False, True):
        assert grade_here(course, resume=resume) == 1
        assert "ben could not be graded: grading failed: PermissionError" in capsys.readouterr().err
    assert record(course, "ada").points == sum(FULL.values())
    assert record(course, "ben").points == 0


def dies_half_way_through_its_reply():
    """Be killed in a worker while the pool reads what it says."""
    frame = sys._getframe()
    while "result_queue" not in frame.f_locals:
        frame = frame.f_back
    os.write(frame.f_locals["result_queue"]._writer.fileno(), struct.pack("!i", 1_000_000) + b"half")
    os.kill(os.getpid(), signal.SIGKILL)


@pytest.mark.grading
def test_a_worker_that_dies_half_way_through_its_reply_is_no_reason_to_wait_for_ever(monkeypatch):
    monkeypatch.setattr(workers, "PATIENCE", 0.2)
    with contextlib.closing(workers.LocalWorkers(2, sandboxed=False)) as pool:
        pool.submit(int).result()
        lost = pool.submit(dies_half_way_through_its_reply)
        assert pool.landed([lost]) == {lost}
        assert isinstance(lost.exception(), BrokenProcessPool)
        pool.restart()
        # Whoever takes long is not disturbed.
        slow = pool.submit(time.sleep, 0.7)
        assert pool.landed([slow]) == {slow}
        assert slow.exception() is None


def keeps_its_reply_to_itself():
    """Begin a reply in a worker, and go on for ever."""
    frame = sys._getframe()
    while "result_queue" not in frame.f_locals:
        frame = frame.f_back
    os.write(frame.f_locals["result_queue"]._writer.fileno(), struct.pack("!i", 1_000_000) + b"half")
    time.sleep(1000)


@pytest.mark.grading
@pytest.mark.parametrize("forked", [True, False])
def test_workers_are_stopped_in_the_middle_of_a_reply(monkeypatch, forked):
    monkeypatch.setattr(workers, "PATIENCE", 0.5)
    pool = workers.LocalWorkers(2, sandboxed=False)
    if not forked:
        pool.restart()
    assert pool.submit(int).result() == 0
    pool.submit(keeps_its_reply_to_itself)
    waiting = [pool.submit(len, bytes(1 << 20)) for _ in range(8)]  # more than a pipe holds
    time.sleep(0.3)
    stopping = threading.Thread(target=pool.close, daemon=True)
    stopping.start()
    stopping.join(20)
    assert not stopping.is_alive()
    assert not any(future.running() for future in waiting)
