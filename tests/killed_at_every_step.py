"""Grades a small class again and again, and ends it (like kill -9) at one step after the other; run by test_grading.py.

A step is whatever Python does to a file in the folder of gradings, and each statement and commit in the gradebook.
After each end, the same command is given once more, and what is there then has to be what an undisturbed run leaves.
The second argument is the distance of the steps that are tried (1 tries all, in some minutes). Prints how many were.
"""

import contextlib
import itertools
import os
import shutil
import sys
import warnings
from pathlib import Path

from classroom import FakeRunner, grade_here, hand_in, lasting, make_course, rows
from sqlalchemy.engine import Engine
from sqlalchemy.event import listen

from grader.classroom.course import Course
from grader.classroom.marking import workers

CHANGES = {"os.rename", "os.remove", "os.rmdir", "os.mkdir", "os.chmod", "os.link", "os.truncate"}
WRITES = os.O_WRONLY | os.O_RDWR


def end_at(last, folder):
    """End this process before the step of that number."""
    count = 0

    def step(*about):
        nonlocal count
        count += 1
        if count == last:
            os._exit(9)

    def file_event(event, about):
        if (event == "open" and about[2] & WRITES) or event in CHANGES:
            with contextlib.suppress(TypeError, ValueError):
                if Path(os.fsdecode(about[0])).is_relative_to(folder):
                    step()

    sys.addaudithook(file_event)
    listen(Engine, "before_cursor_execute", step)
    listen(Engine, "commit", step)


def graded_in_a_process_of_its_own(course, last=None, resume=False):
    """Grade; returns the exit status, 9 where it was ended."""
    process = os.fork()
    if process == 0:
        with Path(os.devnull).open("w") as no, contextlib.redirect_stdout(no), contextlib.redirect_stderr(no):
            if last:
                end_at(last, course.grading)
            os._exit(grade_here(course, resume=resume))
    return os.waitstatus_to_exitcode(os.waitpid(process, 0)[1])


def main(top, distance):
    """Try the steps."""
    warnings.simplefilter("ignore")
    workers.own_runner = lambda *about: FakeRunner()
    course = make_course(top / "template")
    hand_in(course, "ada", "dora")
    hand_in(course, "ben", "ben")
    shutil.copytree(top / "template", top / "whole")
    whole = Course.at(top / "whole")
    assert graded_in_a_process_of_its_own(whole) == 0
    # Marks from before, of other answers: what is cut short has something to confuse with what is new.
    before = Course.at(top / "template")
    hand_in(before, "ada", "ada")
    assert graded_in_a_process_of_its_own(before) == 0
    hand_in(before, "ada", "dora")
    shutil.copy(before.grading / "seeds.json", whole.grading)
    assert graded_in_a_process_of_its_own(whole) == 0
    expected, table = lasting(whole), rows(whole)
    tried = 0
    for step in itertools.count(1, distance):
        shutil.copytree(top / "template", top / "killed")
        killed = Course.at(top / "killed")
        status = graded_in_a_process_of_its_own(killed, step)
        if status == 0:
            break
        assert status == 9, f"step {step}: {status}"
        assert graded_in_a_process_of_its_own(killed, resume=tried % 3 > 0) == 0
        assert lasting(killed) == expected, f"step {step}"
        assert rows(killed) == table, f"step {step}"
        hidden = [*killed.grading.glob("autograded/**/.*"), *killed.grading.glob("records/**/.*.json*")]
        assert not hidden, f"step {step}"
        shutil.rmtree(top / "killed")
        tried += 1
    print(tried)


if __name__ == "__main__":
    main(Path(sys.argv[1]), int(sys.argv[2]))
