"""Grading a class: what stops the command, which says so and loses nothing."""

import errno
import json
import shutil
import sqlite3
import subprocess
import sys
import time
from types import SimpleNamespace

import nbformat
import pytest
from classroom import (
    FULL,
    PART,
    FakeRunner,
    grade_here,
    grades,
    hand_in,
    lasting,
    record,
    rows,
    tree,
)

from grader.classroom.course import Course
from grader.classroom.gradebook import part_book
from grader.classroom.marking import grade, workers
from grader.classroom.sandbox import warm
from grader.classroom.sandbox.bubblewrap import NoSandbox
from grader.errors import CourseError, UnknownName

pytestmark = pytest.mark.filterwarnings("ignore::sqlalchemy.exc.SAWarning")


@pytest.mark.grading
@pytest.mark.parametrize("deed", ["grade", "resume"])
def test_a_locked_gradebook_is_waited_for_and_told(course, fake, monkeypatch, capsys, deed):
    hand_in(course, "ada")
    monkeypatch.setattr(part_book, "PATIENCE", 1)
    other = sqlite3.connect(course.grading / "gradebook.db")
    other.execute("BEGIN IMMEDIATE")
    with pytest.raises(CourseError, match=r"another program has kept the gradebook locked.*--resume"):
        grade_here(course, resume=deed == "resume")
    assert "Waiting: another program is writing to the gradebook" in capsys.readouterr().err
    assert not course.record(PART, "ada").exists()
    other.rollback()
    other.close()
    assert grade_here(course, resume=True) == 0
    assert grades(course, "ada")["softmax"] == 4


@pytest.mark.grading
def test_a_gradebook_that_is_locked_for_a_while_only_delays(course, fake, monkeypatch, capsys):
    hand_in(course, "ada")
    other = sqlite3.connect(course.grading / "gradebook.db")
    other.execute("BEGIN IMMEDIATE")
    waited = []

    def until_the_other_one_is_done(seconds):
        waited.append(seconds)
        other.rollback()

    monkeypatch.setattr(part_book, "time", SimpleNamespace(monotonic=time.monotonic, sleep=until_the_other_one_is_done))
    assert grade_here(course) == 0
    other.close()
    assert len(waited) == 1
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
    monkeypatch.setattr(workers, "own_runner", lambda *about: runner)
    with pytest.raises(CourseError, match="locked"):
        grade_here(course)
    other.rollback()
    other.close()
    monkeypatch.setattr(workers, "own_runner", lambda *about: FakeRunner())
    assert grade_here(course, resume=True) == 0
    assert [record(course, student).points for student in ("ada", "ben", "chen")] == [sum(FULL.values())] * 3


@pytest.mark.grading
def test_without_a_sandbox_nothing_is_touched(course, monkeypatch):
    def no_sandbox(sandboxed, limits=None):
        raise NoSandbox("bubblewrap is not installed; install it, or add --no-sandbox")

    monkeypatch.setattr(workers, "own_runner", no_sandbox)
    hand_in(course, "ada")
    before = tree(course.root)
    with pytest.raises(NoSandbox, match="add --no-sandbox"):
        grade_here(course)
    assert tree(course.root) == before


EARLY = """
import os
from grader.classroom.marking import workers
from grader.classroom.sandbox.warm import begun

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

    monkeypatch.setattr(warm, "write_course", full)
    hand_in(course, "ada")
    before = tree(course.root)
    with workers.getting_ready(), pytest.raises(CourseError, match=r"the disk is full .*make some room"):
        grade(course, PART)
    assert tree(course.root) == before


@pytest.fixture
def small_disk(template, tmp_path):
    """Return a course on a disk of its own with little room."""
    top = tmp_path / "disk"
    top.mkdir()
    size = sum(path.stat().st_size for path in template.rglob("*") if path.is_file())
    options = f"size={size + 1_000_000}"
    mounted = subprocess.run(["mount", "-t", "tmpfs", "-o", options, "tmpfs", top], capture_output=True, check=False)
    if mounted.returncode:
        pytest.skip("only root can have a small disk")
    shutil.copytree(template, top / "course")
    yield Course.at(top / "course")
    subprocess.run(["umount", "-l", top], check=True)


@pytest.mark.grading
@pytest.mark.parametrize("room", [0, 50_000, 110_000])
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
    with pytest.raises(CourseError, match=r"the disk is full.*--resume"):
        grade_here(course)
    # Each of them is as before, or as after.
    for path in (course.grading / "autograded").rglob("*.ipynb"):
        nbformat.read(path, as_version=4)
    for path in course.record(PART, "any").parent.glob("*.json"):
        json.loads(path.read_text())
    assert not [*course.root.rglob("*.new"), *course.root.rglob("*.part")]
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

    monkeypatch.setattr(workers, "own_runner", lambda *about: Full())
    hand_in(course, "ada")
    with pytest.raises(CourseError, match=r"the disk is full \(/tmp/scratch\)"):
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
        with pytest.raises(CourseError, match=r"cannot be read or written: Read-only file system"):
            grade_here(Course.at(top))
    finally:
        subprocess.run(["umount", "-l", top], check=True)


@pytest.mark.grading
def test_a_gradebook_that_is_none_is_told(course, fake):
    hand_in(course, "ada")
    (course.grading / "gradebook.db").write_bytes(b"not a database at all" * 100)
    with pytest.raises(CourseError, match="the gradebook cannot be used"):
        grade_here(course)


@pytest.mark.grading
def test_cells_that_changed_since_they_were_graded_are_told(course, fake):
    hand_in(course, "ada")
    grade_here(course)
    source = course.source(PART) / "3-softmax.ipynb"
    notebook = nbformat.read(source, as_version=4)
    notebook.cells = [cell for cell in notebook.cells if cell.id not in ("entropy", "entropy-answer")]
    nbformat.write(notebook, source)
    with pytest.raises(CourseError, match=r"3-softmax has other graded cells.*nbgrader db assignment remove"):
        grade_here(course)


@pytest.mark.grading
def test_two_runs_of_a_part_keep_out_of_each_others_way(course, monkeypatch):
    class Again(FakeRunner):
        def run(self, *args):
            with pytest.raises(CourseError, match="is being graded by another command"):
                grade_here(course)
            return super().run(*args)

    runner = Again()
    monkeypatch.setattr(workers, "own_runner", lambda *about: runner)
    hand_in(course, "ada")
    assert grade_here(course) == 0
    assert runner.ran


@pytest.mark.grading
def test_nobody_to_grade_and_no_such_part_are_told(course):
    with pytest.raises(CourseError, match=r"nobody has handed in.*python -m grader collect"):
        grade_here(course)
    with pytest.raises(UnknownName, match=f"there is no part 'nonsense'; there are: {PART}"):
        grade_here(course, part="nonsense")


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
