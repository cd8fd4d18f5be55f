"""Grading a class in real processes and the real sandbox: killed, interrupted, and in nbgrader's own hands."""

import contextlib
import json
import os
import shutil
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest
from classroom import FULL, NOTEBOOKS, PART, hand_in, lasting, make_course, record, rows, tree, write

from grader.classroom.course import Course

pytestmark = [
    pytest.mark.grading,
    pytest.mark.skipif(sys.platform != "linux", reason="the sandbox needs Linux"),
    pytest.mark.filterwarnings("ignore::sqlalchemy.exc.SAWarning"),
]
COMMAND = "import sys, grader.__main__ as c; c.ROOT = c.Path(sys.argv[1]); sys.exit(c.main(sys.argv[2:]))"
STUDENTS = ("ada", "dora", "emil", "hana")


@pytest.fixture(scope="module")
def template(tmp_path_factory, require):
    """Make a course in which five have handed in; what was handed in cannot be written to where root can see to it."""
    require("bwrap")
    folder = tmp_path_factory.mktemp("template")
    course = make_course(folder)
    for student in STUDENTS:
        hand_in(course, student, student)
    write(course, "ada", "timestamp.txt", "2026-01-10 12:00:00.000000 UTC")
    return folder


@pytest.fixture(scope="module")
def undisturbed(template, tmp_path_factory):
    """Grade the class once, in peace, with what was handed in on a read-only file system."""
    folder = tmp_path_factory.mktemp("undisturbed") / "course"
    shutil.copytree(template, folder)
    submitted = folder / "grading" / "submitted"
    before = tree(submitted)
    read_only = f"mount --bind {submitted} {submitted} && mount -o remount,ro,bind {submitted} && touch {submitted}/x"
    can = subprocess.run(["unshare", "-m", "sh", "-c", read_only], capture_output=True, text=True, check=False)
    shell = ["unshare", "-m", "sh", "-c", f'{read_only}; exec "$@"', "sh"] if "Read-only" in can.stderr else []
    done = subprocess.run([*shell, *command(folder, "grade", "1")], capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    assert f"{len(STUDENTS)} submissions graded" in done.stdout
    assert tree(submitted) == before
    return Course.at(folder)


@pytest.fixture
def course(template, undisturbed, tmp_path):
    """Return an ungraded course with the same seeds."""
    shutil.copytree(template, tmp_path / "course")
    shutil.copy(undisturbed.grading / "seeds.json", tmp_path / "course" / "grading")
    return Course.at(tmp_path / "course")


def command(folder, *arguments):
    """A command of the course on another folder."""
    return [sys.executable, "-c", COMMAND, str(folder), *arguments]


def start(course, *arguments):
    """Start a command in a process group of its own."""
    return subprocess.Popen(
        command(course.root, *arguments),
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        start_new_session=True,
        # Whatever runs the tests in the background has them ignore interruptions, and what they start, too.
        preexec_fn=lambda: signal.signal(signal.SIGINT, signal.SIG_DFL),
    )


def run(course, *arguments, **kwargs):
    """Run a command to its end."""
    return subprocess.run(
        command(course.root, *arguments), capture_output=True, text=True, timeout=300, check=False, **kwargs
    )


def processes():
    """Parent, command line and time of start of every process, by number."""
    found = {}
    for path in Path("/proc").glob("[0-9]*"):
        try:
            state, parent, *rest = (path / "stat").read_text().rpartition(")")[2].split()
            line = (path / "cmdline").read_bytes().replace(b"\0", b" ").decode("utf-8", "replace")
        except OSError:
            continue
        if state != "Z":
            found[int(path.name)] = (int(parent), line, rest[17])
    return found


def family(top):
    """A process and all that come from it: number and time of start."""
    everybody = processes()
    mine, grown = {top}, True
    while grown:
        more = {number for number, (parent, _, _) in everybody.items() if parent in mine} - mine
        mine |= more
        grown = bool(more)
    return {(number, everybody[number][2]) for number in mine if number in everybody}


def all_gone(members, seconds=20):
    """Wait until none of these processes is there any more."""
    until = time.monotonic() + seconds
    while time.monotonic() < until:
        there = {(number, started) for number, (_, _, started) in processes().items()}
        if not members & there:
            return True
        time.sleep(0.05)
    return False


def kill_when(process, reached):
    """Kill a command at the moment at which something is the case; returns whether it was still running."""
    while process.poll() is None and not reached():
        time.sleep(0.001)  # the command needs the processor
    members = family(process.pid)
    process.kill()
    process.wait()
    gone = all_gone(members)
    for number, _ in () if gone else members:
        with contextlib.suppress(ProcessLookupError):
            os.kill(number, signal.SIGKILL)
    process.communicate()
    assert gone, "killing the command leaves a process behind"
    return process.returncode == -signal.SIGKILL


def moments(course):
    """Moments at which to kill the command, by what has appeared since it was started."""
    top = course.grading
    log = course.report(PART).with_name(f"{PART}.log.jsonl")

    def lines():
        return log.read_text().count("\n") if log.exists() else 0

    def one_more():
        before = lines()
        return lambda: lines() > before

    yield "the seeds are made", lambda: (top / "seeds.json").exists
    yield "notebooks are put in place", lambda: lambda: any(top.glob(f"autograded/*/.{PART}.new"))
    yield "the gradebook is written to", lambda: (top / "gradebook.db-journal").exists
    yield "one is done", one_more


@pytest.mark.thorough
def test_killed_at_any_moment_and_run_again_it_comes_out_the_same(course, undisturbed):
    killed = []
    for number, (name, reached) in enumerate(moments(course)):
        arguments = ("grade", "1", *(["--resume"] if number % 2 else []))
        for _ in range(3):
            if kill_when(start(course, *arguments), reached()):
                killed.append(name)
                break
            # Some moments are too short to be met every time; then there is all to do again.
            shutil.rmtree(course.grading / "records")
    assert len(killed) >= 3, killed
    done = run(course, "grade", "1", "--resume")
    assert done.returncode == 0, done.stderr
    assert "had been graded already" in done.stdout
    assert lasting(course) == lasting(undisturbed)
    assert rows(course) == rows(undisturbed)


def test_a_worker_that_is_killed_is_replaced_and_nobody_loses_anything(course, undisturbed):
    process = start(course, "grade", "1", "--jobs", "2")
    killed = None
    while process.poll() is None and not killed:
        everybody = processes()
        mine = {number for number, _ in family(process.pid)}
        command = everybody.get(process.pid, (0, "", 0))[1]
        workers = [number for number in mine if everybody.get(number, (0, "", 0))[:2] == (process.pid, command)]
        if workers and list(course.grading.glob("autograded/*/*")):
            killed = workers[0]
            os.kill(killed, signal.SIGKILL)
        time.sleep(0.02)
    _, problems = process.communicate(timeout=300)
    assert killed
    assert process.returncode == 0, problems
    assert lasting(course) == lasting(undisturbed)
    assert rows(course) == rows(undisturbed)


def test_an_interruption_stops_everything_and_says_how_to_go_on(course, undisturbed):
    process = start(course, "grade", "1", "--jobs", "1")  # so that there is something left to do
    log = course.report(PART).with_name(f"{PART}.log.jsonl")
    while process.poll() is None and not (log.exists() and log.stat().st_size):
        time.sleep(0.01)
    members = family(process.pid)
    os.killpg(process.pid, signal.SIGINT)
    _, problems = process.communicate(timeout=60)
    assert process.returncode == 130
    assert "graded and saved; to go on, run the same command again with --resume" in problems
    assert "Traceback" not in problems
    assert all_gone(members)
    done = run(course, "grade", "1", "--resume")
    assert done.returncode == 0, done.stderr
    assert lasting(course) == lasting(undisturbed)
    assert rows(course) == rows(undisturbed)


def test_without_bubblewrap_the_command_refuses_unless_it_is_told(course, tmp_path):
    programs = tmp_path / "bin"
    programs.mkdir()
    environment = {**os.environ, "PATH": f"{Path(sys.executable).parent}:{programs}"}
    before = tree(course.root)
    refused = run(course, "grade", "1", env=environment)
    assert refused.returncode == 1
    assert "bubblewrap is not installed" in refused.stderr
    assert "--no-sandbox" in refused.stderr
    assert "Traceback" not in refused.stderr
    assert tree(course.root) == before
    told = run(course, "grade", "1", "--no-sandbox", "--only", "ada", env=environment)
    assert told.returncode == 0, told.stderr
    assert "WITHOUT the sandbox" in told.stdout
    assert record(course, "ada").sandboxed is False
    assert record(course, "ada").points == sum(FULL.values())


@pytest.mark.thorough
def test_nbgrader_itself_gives_the_same_marks(course, undisturbed):
    programs = Path(sys.executable).parent
    environment = {**os.environ, "PATH": f"{programs}:{os.environ['PATH']}"}
    done = subprocess.run(
        [programs / "nbgrader", "autograde", PART],
        cwd=course.root,
        env=environment,
        capture_output=True,
        text=True,
        timeout=300,
        check=False,
    )
    assert done.returncode == 0, done.stderr
    assert rows(course) == rows(undisturbed)
    assert lasting(course) == lasting(undisturbed)
    again = run(course, "grade", "1", "--resume")
    assert f"({len(STUDENTS)} had been graded already)" in again.stdout


def test_the_report_and_the_feedback_stand_on_what_was_graded(undisturbed):
    done = run(undisturbed, "report", "context")
    assert done.returncode == 0, done.stderr
    assert "dora" in undisturbed.report(PART).read_text(encoding="utf-8")
    log = undisturbed.report(PART).with_name(f"{PART}.log.jsonl")
    lines = [json.loads(line) for line in log.read_text().splitlines()]
    assert {line["student"] for line in lines} == set(STUDENTS)
    assert all({"repair", "start", "learner", "judge", "build", "save"} <= set(line["seconds"]) for line in lines)
    assert [(undisturbed.autograded(PART, "ada") / f"{name}.ipynb").exists() for name in NOTEBOOKS] == [True, True]
