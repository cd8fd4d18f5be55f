"""Collects, returns or reports again and again, and ends it (like kill -9) at one step after the other.

Run by test_killed.py, with a folder that has a course. After each end, every folder and file that a person looks at is
what it was or what an undisturbed run makes of it; then the same command is given once more, and leaves what that run
leaves, and nothing else. Prints how many steps of each command were tried.
"""

import contextlib
import itertools
import os
import shutil
import sys
import warnings
from pathlib import Path

from classroom import PART, FakeRunner, answering, grade_here, hand_in
from killed_at_every_step import end_at

from grader.classroom.collect import collect
from grader.classroom.course import Course
from grader.classroom.feedback.handback import hand_back
from grader.classroom.marking import report, workers


def to_collect(course, download):
    """One student's second versions, another who comes for the first time, and a third of whom nothing comes."""
    old = course.submitted(PART, "ada"), course.submitted(PART, "cy")
    for folder, name in itertools.product(old, ("3-softmax (1)", "4-context-vectors")):
        folder.mkdir(parents=True, exist_ok=True)
        (folder / f"{name}.ipynb").write_text("old")
    for student, name in itertools.product(("ada", "ben"), ("3-softmax", "4-context-vectors")):
        path = download / student / f"{name}.ipynb"
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(f"new of {student}: {name}")


def to_hand_back(course):
    """Marks that neither the pages nor the report say yet."""
    hand_in(course, "ada")
    grade_here(course)
    hand_back(course, PART)
    hand_in(course, "ada", change=answering("softmax", "softmax = None"))
    before = {path: path.read_bytes() for path in (course.report(PART), course.report(PART).with_suffix(".csv"))}
    grade_here(course)
    for path, content in before.items():
        path.write_bytes(content)


def whole(course):
    """What has to be whole at any moment: by path, what is in a student's folder, or in a file."""
    found = {}
    for name in ("submitted", "feedback"):
        for folder in (course.grading / name).glob("[!.]*/[!.]*"):
            found[f"{name}/{folder.parent.name}"] = {path.name: path.read_bytes() for path in folder.iterdir()}
    for name in ("returned", "reports"):
        for path in (course.grading / name).rglob("[!.]*"):
            if path.is_file():
                found[path.relative_to(course.grading).as_posix()] = path.read_bytes()
    return found


def in_a_process_of_its_own(course, action, last=None):
    """Do it; returns the exit status, 9 where it was ended."""
    process = os.fork()
    if process == 0:
        with Path(os.devnull).open("w") as no, contextlib.redirect_stdout(no), contextlib.redirect_stderr(no):
            if last:
                end_at(last, course.grading)
            action(course)
            os._exit(0)
    return os.waitstatus_to_exitcode(os.waitpid(process, 0)[1])


def try_steps(top, action, distance):
    """Try the steps of an action; gives how many were tried."""
    course = Course.at(top / "template")
    before = whole(course)
    for name in ("done", "killed"):
        shutil.rmtree(top / name, ignore_errors=True)
    shutil.copytree(top / "template", top / "done")
    assert in_a_process_of_its_own(Course.at(top / "done"), action) == 0
    after = whole(Course.at(top / "done"))
    assert before != after
    for tried, step in enumerate(itertools.count(1, distance)):
        shutil.copytree(top / "template", top / "killed")
        killed = Course.at(top / "killed")
        status = in_a_process_of_its_own(killed, action, step)
        if status == 0:
            return tried
        assert status == 9, f"step {step}: {status}"
        left = whole(killed)
        for name in before.keys() | after.keys():
            assert left.get(name) in (before.get(name), after.get(name)), f"step {step}: {name}"
        assert in_a_process_of_its_own(killed, action) == 0
        assert whole(killed) == after, f"step {step}"
        hidden = [path for path in killed.grading.rglob(".*") if path.name not in (".lock", ".made-from.json")]
        assert not hidden, f"step {step}: {hidden}"
        shutil.rmtree(top / "killed")
    return None


def main(top):
    """Try all three."""
    warnings.simplefilter("ignore")
    workers.own_runner = lambda *about: FakeRunner()
    course = Course.at(top / "template")
    to_collect(course, top / "download")
    print(try_steps(top, lambda course: collect(course, top / "download", PART, replace=True), 7))
    shutil.rmtree(course.grading / "submitted")
    with Path(os.devnull).open("w") as no, contextlib.redirect_stdout(no), contextlib.redirect_stderr(no):
        to_hand_back(course)
    print(try_steps(top, lambda course: hand_back(course, PART), 53))
    print(try_steps(top, lambda course: report(course, PART), 7))


if __name__ == "__main__":
    main(Path(sys.argv[1]))
