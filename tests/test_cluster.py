"""Grading over a Dask cluster: the marks of one machine, whoever dies, and nobody's work where it does not belong."""

import contextlib
import copy
import json
import os
import re
import signal
import subprocess
import sys
import time
from concurrent.futures import CancelledError, Future

import pytest
from classroom import GARBAGE, NOTEBOOKS, PART, hand_in, lasting, record, rows, write
from distributed import Client

from grader.classroom.marking import cluster, grade, slot, workers
from grader.classroom.marking.cluster import ClusterWorkers
from grader.classroom.marking.edition import edition
from grader.classroom.marking.grade import make_plan
from grader.classroom.marking.parcel import pack, unpack
from grader.classroom.marking.submission import submission_digest
from grader.classroom.repair import find_files
from grader.classroom.running.runner import Run
from grader.errors import CourseError, UnknownName

pytestmark = pytest.mark.filterwarnings("ignore::sqlalchemy.exc.SAWarning")


class Machines:
    """A scheduler and workers of Dask, each a process of its own."""

    def __init__(self, folder, *options):
        self._folder, self._options, self._running = folder, options, {}

    def start(self, name, *words, env=None):
        """Start one of them."""
        command = [sys.executable, "-m", "dask", words[0], "--no-dashboard", "--host", "127.0.0.1", *words[1:]]
        command += ["--scheduler-file", str(self._folder / "scheduler.json"), *self._options]
        with (self._folder / f"{name}.log").open("wb") as log:
            self._running[name] = subprocess.Popen(
                command, stdout=log, stderr=log, cwd=self._folder, env={**os.environ, **(env or {})}
            )

    def scheduler(self):
        """Start a scheduler at a port that the system chooses; returns its address."""
        self.start("scheduler", "scheduler", "--port", "0")
        deadline = time.monotonic() + 60
        while time.monotonic() < deadline:
            with contextlib.suppress(OSError, ValueError):
                return json.loads((self._folder / "scheduler.json").read_text())["address"]
            time.sleep(0.05)
        raise AssertionError((self._folder / "scheduler.log").read_text())

    def worker(self, name, env):
        """Start a worker."""
        self.start(name, "worker", "--name", name, "--no-nanny", "--nthreads", "1", env=env)

    def wait_for_workers(self, number):
        """Return when as many are known to the scheduler."""
        with Client(scheduler_file=str(self._folder / "scheduler.json"), set_as_default=False) as client:
            client.wait_for_workers(number, timeout=120)

    def kill(self, name):
        """End one at once."""
        self._running[name].kill()
        self._running[name].wait()

    def close(self):
        """End all of them, the scheduler last."""
        for process in reversed(self._running.values()):
            process.send_signal(signal.SIGTERM)
            with contextlib.suppress(subprocess.TimeoutExpired):
                process.wait(5)
            process.kill()
            process.wait()


@pytest.fixture
def machines(tmp_path):
    """Give processes of a cluster, and see them end."""
    made = []

    def start(*options):
        made.append(Machines(tmp_path, *options))
        return made[-1]

    yield start
    for some in made:
        some.close()


@pytest.mark.grading
def test_a_class_gets_the_same_over_a_cluster_of_which_a_worker_is_killed(
    course, tmp_path, machines, require, monkeypatch, capsys
):
    require("bwrap")
    some = machines()
    address = some.scheduler()
    disks = {name: tmp_path / f"disk-{name}" for name in ("one", "two")}
    for name, disk in disks.items():
        disk.mkdir()
        some.worker(name, env={"TMPDIR": str(disk)})
    some.worker("bare", env={"PATH": str(tmp_path)})
    for student in ("ada", "ben", "dora"):  # while these start
        hand_in(course, student, student)
    (course.submitted(PART, "ben") / "3-softmax.ipynb").rename(course.submitted(PART, "ben") / "3 softmax (1).ipynb")
    write(course, "ben", "timestamp.txt", "2026-01-10 12:00:00.000000 UTC")
    write(course, "dora", "3-softmax.ipynb", GARBAGE)
    (course.submitted(PART, "dora") / "more").mkdir()
    (course.submitted(PART, "dora") / "more" / "link.ipynb").symlink_to("/etc/passwd")
    elsewhere = course.submitted(PART, "fay")
    elsewhere.parent.mkdir()
    elsewhere.symlink_to(course.submitted(PART, "ada"))
    graded = [grade(course, PART, jobs=2)]
    here, table = lasting(course), rows(course)
    capsys.readouterr()

    class Killing(ClusterWorkers):
        """Kills a worker in the middle of its first submission."""

        def landed(self, flying):
            busy = [address for address, work in self._at.items() if work]
            if busy and not killed:
                killed.append(self._client.scheduler_info(n_workers=-1)["workers"][busy[0]]["name"])
                some.kill(killed[0])
            return super().landed(flying)

    killed = []
    monkeypatch.setattr(cluster, "ClusterWorkers", Killing)
    some.wait_for_workers(3)
    graded.append(grade(course, PART, scheduler=address))
    said = capsys.readouterr().err
    assert graded == [0, 0]
    assert killed in (["one"], ["two"])
    assert (lasting(course), rows(course)) == (here, table)
    assert re.search(r"worker tcp://127.0.0.1:\d+ is not used: bubblewrap is not installed", said)
    # Nothing of anybody is left on a worker's disk, nor is its sandbox when it ends.
    lives = disks["two" if killed == ["one"] else "one"]
    assert not [*lives.rglob("*.ipynb")]
    assert [*lives.glob("attention-course-*")]
    some.close()
    assert not [*lives.glob("attention-course-*")]


@pytest.mark.grading
def test_a_scheduler_with_tls_lets_in_whoever_has_a_certificate(machines, require, tmp_path):
    def openssl(*words):
        subprocess.run([require("openssl"), *words], cwd=tmp_path, check=True, capture_output=True)

    new = ["req", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:P-256", "-nodes", "-subj"]
    openssl(*new, "/CN=authority", "-x509", "-keyout", "authority.key", "-out", "ca.pem", "-days", "2")
    openssl(*new, "/CN=course", "-keyout", "own.key", "-out", "own.csr")
    sign = ["x509", "-req", "-in", "own.csr", "-CA", "ca.pem", "-CAkey", "authority.key", "-set_serial", "1"]
    openssl(*sign, "-days", "2", "-out", "own.crt")
    own, authority = tmp_path / "own.pem", tmp_path / "ca.pem"
    own.write_bytes((tmp_path / "own.crt").read_bytes() + (tmp_path / "own.key").read_bytes())
    some = machines("--protocol", "tls", "--tls-ca-file", str(authority), "--tls-cert", str(own))
    address = some.scheduler()
    assert address.startswith("tls://")
    crew = ClusterWorkers(address.removeprefix("tls://"), tls=(authority, own))
    assert crew._threads() == {}
    crew.close()
    with pytest.raises(CourseError, match=r"no scheduler answers at tls://.*start one with"):
        ClusterWorkers(address)
    with pytest.raises(CourseError, match=r"no scheduler answers at tls://.*No such file"):
        ClusterWorkers(address, tls=(tmp_path / "none.pem", own))
    with pytest.raises(UnknownName, match=r"--scheduler takes an address such as tcp://10.0.0.1:8786, and not here"):
        ClusterWorkers("here")


# ---- without any machine


class Blank:
    """A Runner that runs nothing."""

    def run(self, name, notebook, seed_of, released=None):
        """As `Runner.run`."""
        return Run(copy.deepcopy(notebook))


class Dask:
    """A client of a made cluster: workers by address, each a function that does a task or dies of it."""

    def __init__(self, **there):
        self.there, self.id, self.sent, self.closed = there, "made", [], False

    def nthreads(self):
        """As Dask's."""
        if self.there is None:
            raise OSError("gone")
        return {f"tcp://{name}": 4 if name == "of-four" else 1 for name in self.there}

    def submit(self, function, *args, key, workers, allow_other_workers):
        """As Dask's, at once."""
        (address,), future = workers, Future()
        name = address.removeprefix("tcp://")
        self.sent.append((name, function, args, key))
        assert not allow_other_workers
        future.set_running_or_notify_cancel()
        try:
            self.there[name](future, function, args)
        except Exception as problem:
            future.set_exception(problem)
        return future

    def cancel(self, futures, force):
        """Do nothing."""

    def close(self, timeout):
        """Note it."""
        self.closed = True


def works(future, function, args):
    future.set_result(function(*args))


@pytest.fixture
def made(course, monkeypatch):
    """Return a function that grades a class of three over a made cluster, where nothing is run."""
    monkeypatch.setattr(workers, "own_runner", lambda *about: Blank())
    monkeypatch.setattr(cluster, "LOOK", 0.01)
    monkeypatch.setattr(cluster, "GRACE", 0.05)
    monkeypatch.setattr(cluster, "PATIENCE", 0.1)
    for student in ("ada", "ben", "chen"):
        hand_in(course, student, student)

    def run(dask, **kwargs):
        monkeypatch.setattr(cluster, "_connected", lambda *about: dask)
        return grade(course, PART, scheduler="tcp://made:1", **kwargs)

    return run


def dying(dask, name, when):
    """A worker that ends for good at a submission of which `when` is true."""

    def do(future, function, args):
        if function is slot.grade_parcel and when(args):
            del dask.there[name]
        else:
            works(future, function, args)

    return do


def of(course, student):
    """Whether a task is about this student."""
    own = {entry.content for entry in pack(course.submitted(PART, student))}
    return lambda args: {entry.content for entry in args[3]} == own


@pytest.mark.grading
def test_each_worker_gets_the_plan_once_and_no_name_of_a_student(course, made):
    with (course.submitted(PART, "ada") / "film.mp4").open("wb") as film:
        film.truncate(2 << 20)  # known by its time, which is another one at the worker
    dask = Dask(one=works, two=works)
    assert made(dask) == 0
    assert dask.closed
    sent = [(name, args, key) for name, function, args, key in dask.sent if function is slot.grade_parcel]
    assert len(sent) == 3
    for name in {worker for worker, _, _ in sent}:
        with_plan = [args[2] is not None for worker, args, _ in sent if worker == name]
        assert with_plan == [True] + [False] * (len(with_plan) - 1)
    assert all(re.fullmatch(r"[0-9a-f]{64}-\d+-made", key) for _, _, key in sent), "and nothing else"
    for student in ("ada", "ben", "chen"):
        digest = record(course, student).digest
        assert [key for _, _, key in sent if key.startswith(digest)]


@pytest.mark.grading
def test_a_worker_that_has_forgotten_the_plan_gets_it_again(course, made):
    def forgets(future, function, args):
        slot._plans.clear()
        works(future, function, args)

    assert made(Dask(one=forgets)) == 0
    assert record(course, "chen").digest


@pytest.mark.grading
def test_what_a_worker_was_at_when_it_ended_goes_to_another(course, made):
    dask = Dask(two=works)
    dask.there = {"one": dying(dask, "one", lambda args: True), **dask.there}
    assert made(dask) == 0
    assert all(record(course, student).digest for student in ("ada", "ben", "chen"))


@pytest.mark.grading
def test_a_submission_over_which_three_workers_end_is_told_and_the_others_go_on(course, made, capsys):
    dask = Dask()
    of_ben = of(course, "ben")
    dask.there = {name: dying(dask, name, of_ben) for name in ("one", "two", "three", "four")}
    assert made(dask) == 1
    assert "ben could not be graded: grading failed: WorkersDied" in capsys.readouterr().err
    assert record(course, "ben").points == 0
    assert record(course, "ben").digest == ""
    assert record(course, "chen").digest
    assert len([1 for _, function, args, _ in dask.sent if function is slot.grade_parcel and of_ben(args)]) == 3


@pytest.mark.grading
def test_a_worker_that_cannot_go_on_is_named_and_its_submission_goes_to_another(course, made, capsys):
    def full(future, function, args):
        if function is slot.grade_parcel:
            future.set_result(slot.Unfit("the disk is full (/tmp); make some room"))
        else:
            works(future, function, args)

    def lacks_it(future, function, args):
        raise ModuleNotFoundError("No module named 'grader'")

    assert made(Dask(empty=lacks_it, full=full, good=works, **{"of-four": works})) == 0
    said = capsys.readouterr().err
    assert "The worker tcp://of-four is not used: it has 4 threads" in said
    assert "start it with --nthreads 1 --nworkers 4" in said
    assert "The worker tcp://full is not used: the disk is full (/tmp)" in said
    assert "The worker tcp://empty is not used: ModuleNotFoundError: No module named 'grader'" in said
    assert record(course, "chen").digest


@pytest.mark.grading
def test_where_no_worker_can_grade_the_command_says_so_and_touches_nothing(course, made, capsys):
    def another(future, function, args):
        future.set_result(function("0123 with Python 3.9", *args[1:]))

    with pytest.raises(CourseError, match=r"none of the workers at tcp://made:1 can grade"):
        made(Dask(one=another))
    said = capsys.readouterr().err
    assert f"The worker tcp://one is not used: its copy of the course is {edition()}, and here it is 0123 with" in said
    with pytest.raises(CourseError, match=r"has no worker that can grade; start them there with: .*dask worker"):
        made(Dask())
    assert not course.record(PART, "any").parent.exists()


@pytest.mark.grading
def test_a_scheduler_that_is_lost_stops_the_command_which_says_how_to_go_on(course, made):
    dask = Dask(one=works)

    def loses(future, function, args):
        if function is slot.grade_parcel and of(course, "ben")(args):
            raise CancelledError
        works(future, function, args)

    dask.there["one"] = loses
    with pytest.raises(CourseError, match=r"connection to the scheduler .*--resume \(1 submission graded and saved"):
        made(dask)
    assert made(Dask(one=works), resume=True) == 0

    def gone(future, function, args):
        dask.there = None

    dask.there["one"] = gone
    with pytest.raises(CourseError, match=r"connection to the scheduler at tcp://made:1 is lost"):
        made(dask)


def test_a_scheduler_without_the_course_is_told(made):
    def unread(future, function, args):
        raise RuntimeError("Error during deserialization of the task graph. This frequently occurs")

    with pytest.raises(CourseError, match="start it from an environment with the same copy of the course"):
        made(Dask(one=unread))


# ---- parcels


def test_a_parcel_lays_out_all_that_grading_looks_at(course, tmp_path):
    hand_in(course, "ada")
    folder = course.submitted(PART, "ada")
    (folder / "link").symlink_to("/etc/passwd")
    (folder / os.fsdecode(b"odd-\xff.ipynb")).write_bytes(b"\x00\xff")
    (folder / "deep" / "deeper" / "deepest" / "beyond").mkdir(parents=True)
    (folder / "deep" / "more.ipynb").write_bytes(b"{}")
    os.mkfifo(folder / "pipe")
    with (folder / "film.mp4").open("wb") as film:
        film.truncate(60 << 20)
    parcel = pack(folder)
    assert sum(len(entry.content or b"") for entry in parcel) < 1 << 20
    unpack(parcel, tmp_path / "there" / PART)
    released = course.released(PART)
    plan = make_plan(course, PART, released, True)
    os.utime(tmp_path / "there" / PART / "film.mp4", ns=(0, (folder / "film.mp4").stat().st_mtime_ns))
    there = tmp_path / "there" / PART
    assert find_files(there, released).notes == find_files(folder, released).notes
    assert [*find_files(there, released).files] == [*NOTEBOOKS]
    assert submission_digest(plan, there) == submission_digest(plan, folder)


def test_a_submission_of_many_large_files_travels_with_its_notebooks(tmp_path, monkeypatch):
    from grader.classroom.marking import parcel

    monkeypatch.setattr(parcel, "LARGEST_SUBMISSION", 1000)
    for name, size in (("a.ipynb", 900), ("b.ipynb", 90), ("c.ipynb", 10)):
        (tmp_path / name).write_bytes(bytes(size))
    there = {entry.name: entry.content and len(entry.content) for entry in pack(tmp_path)}
    assert there == {b"a.ipynb": 900, b"b.ipynb": 90, b"c.ipynb": 10}
    (tmp_path / "b.ipynb").write_bytes(bytes(91))
    there = {entry.name: entry.content and len(entry.content) for entry in pack(tmp_path)}
    assert there == {b"a.ipynb": None, b"b.ipynb": 91, b"c.ipynb": 10}


def test_the_limit_of_memory_holds_for_a_submission_and_is_taken_back():
    import resource

    before = resource.getrlimit(resource.RLIMIT_DATA)
    with workers.bounded_memory():
        assert resource.getrlimit(resource.RLIMIT_DATA)[0] != before[0]
    assert resource.getrlimit(resource.RLIMIT_DATA) == before
