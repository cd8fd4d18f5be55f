"""Grading a class: going on where an earlier run ended, and running it again."""

import os
import shutil
import subprocess
import sys
from concurrent.futures import Future
from pathlib import Path

import pytest
from classroom import (
    FULL,
    PART,
    FakeRunner,
    Inline,
    grade_by,
    grade_here,
    grades,
    hand_in,
    lasting,
    record,
    rows,
    write,
)
from nbgrader.api import Gradebook

from grader import files
from grader.classroom.marking import workers
from grader.classroom.sandbox.limits import Limits
from grader.errors import CourseError
from grader.files import replace_folder

pytestmark = pytest.mark.filterwarnings("ignore::sqlalchemy.exc.SAWarning")


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
    assert record(course, "ben").points == sum(FULL.values())
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
    assert record(course, "ada").sandboxed is False


@pytest.mark.grading
def test_resume_grades_everything_anew_under_other_limits(course, fake):
    hand_in(course, "ada")
    for limits in (None, Limits(call=4.0), Limits(call=3.0)):
        for ran in (2, 0):
            fake.ran.clear()
            assert grade_here(course, resume=True, limits=limits) == 0
            assert len(fake.ran) == ran


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
    with pytest.raises(CourseError, match=f"emil has not handed in {PART}"):
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
    monkeypatch.setattr(workers, "own_runner", lambda *about: runner)
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

    assert grade_by(OneAfterTheOther(), course) == 130
    assert (
        "1 submission graded and saved; to go on, run the same command again with --resume" in capsys.readouterr().err
    )
    done = [student for student in ("ada", "ben", "chen") if course.record(PART, student).exists()]
    assert len(done) == 1
    monkeypatch.setattr(workers, "own_runner", lambda *about: FakeRunner())
    assert grade_here(course, resume=True) == 0
    assert "(1 had been graded already)" in capsys.readouterr().out
    assert [record(course, student).points for student in ("ada", "ben", "chen")] == [sum(FULL.values())] * 3


@pytest.mark.grading
@pytest.mark.skipif(not hasattr(os, "fork"), reason="it needs forks")
def test_ended_at_any_step_the_same_command_leaves_what_an_undisturbed_run_does(tmp_path):
    script = Path(__file__).parent / "killed_at_every_step.py"
    done = subprocess.run(
        [sys.executable, script, tmp_path, "79"], capture_output=True, text=True, timeout=600, check=False
    )
    assert done.returncode == 0, done.stderr
    assert int(done.stdout) >= 2


@pytest.mark.parametrize("swaps", [True, False])
def test_a_folder_is_replaced_whole_or_stays(tmp_path, monkeypatch, swaps):
    if not swaps:
        monkeypatch.setattr(files, "_exchange", lambda one, other: False)
    folder = tmp_path / "student" / "part"
    replace_folder(folder, {"old.ipynb": b"old"})
    replace_folder(folder, {"new.ipynb": b"new", "more.ipynb": b"more"})
    assert {path.name: path.read_bytes() for path in folder.iterdir()} == {"new.ipynb": b"new", "more.ipynb": b"more"}
    rename = Path.rename

    def fails_for_the_new_one(self, target):
        if self.name.endswith(".new"):
            raise OSError(5, "Input/output error")
        return rename(self, target)

    monkeypatch.setattr(Path, "rename", fails_for_the_new_one)
    monkeypatch.setattr(files, "_exchange", lambda one, other: False)
    with pytest.raises(OSError, match="Input/output error"):
        replace_folder(folder, {"newer.ipynb": b"newer"})
    assert {path.name for path in folder.iterdir()} == {"new.ipynb", "more.ipynb"}
    assert [path.name for path in folder.parent.iterdir()] == ["part"]
