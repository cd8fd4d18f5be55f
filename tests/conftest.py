"""What all tests share: settings apart from the user's own, and plain words when a part of the machine is missing."""

import atexit
import functools
import gc
import hashlib
import importlib.util
import os
import re
import shutil
import subprocess
import tempfile
from itertools import chain
from pathlib import Path

import pytest

#: No tests of their own: who collected them would only import what the tests beside them import anyway.
collect_ignore = ["variants", "submissions", "explorers", "data"]

# Workers stand side by side: a product that takes all processors makes all others wait for it.
for _name in ("OPENBLAS_NUM_THREADS", "OMP_NUM_THREADS", "MKL_NUM_THREADS"):
    os.environ.setdefault(_name, "1")

# Thousands of tests are made that stay: looking through them for what can go takes a quarter of that time.
gc.disable()

try:
    import fcntl
except ImportError:  # Windows
    fcntl = None

from grader.places import ROOT, alembic_on_path  # noqa: E402 - numbers of threads come first

WORKER = os.environ.get("PYTEST_XDIST_WORKER")  # None where tests run one after the other
IN_CI = os.environ.get("CI", "").lower() not in ("", "0", "false")

# Set on import, before anything of Jupyter is: it reads some of these only once.
_SETTINGS = tempfile.TemporaryDirectory(prefix="attention-course-tests-", ignore_cleanup_errors=True)
atexit.register(_SETTINGS.cleanup)
for _name in ("JUPYTER_CONFIG_DIR", "JUPYTER_DATA_DIR", "JUPYTER_RUNTIME_DIR", "IPYTHONDIR", "JUPYTERLAB_SETTINGS_DIR"):
    os.environ[_name] = str(Path(_SETTINGS.name) / _name.lower())
    Path(os.environ[_name]).mkdir()
os.environ["JUPYTER_PREFER_ENV_PATH"] = "1"
os.environ["JUPYTER_PLATFORM_DIRS"] = "1"
alembic_on_path()
for _name in ("MPLBACKEND", "NBGRADER_EXECUTION", "JUPYTER_CONFIG_PATH", "JUPYTER_PATH", "JUPYTER_TOKEN"):
    os.environ.pop(_name, None)

PROGRAMS = {
    "chromium": (["chromium", "chromium-browser", "google-chrome", "google-chrome-stable"], "apt install chromium"),
    "bwrap": (["bwrap"], "apt install bubblewrap"),
    "git": (["git"], "apt install git"),
    "openssl": (["openssl"], "apt install openssl"),
    "make": (["make"], "apt install make"),
}


def require_program(name):
    """Return the path of a program; without it, fail where nothing may be missing (CI), and skip elsewhere."""
    names, cure = PROGRAMS[name]
    for candidate in names:
        if path := shutil.which(candidate):
            return path
    reason = f"{name} is not on this machine ({cure})"
    if IN_CI:
        pytest.fail(reason, pytrace=False)
    pytest.skip(reason)


@pytest.fixture(scope="session")
def require():
    """Give tests `require_program`."""
    return require_program


@pytest.fixture(scope="session")
def root():
    """Return the repository's folder."""
    return ROOT


# ---- made courses; what they need is imported by whoever asks for one, because `-k softmax` should be quick


@pytest.fixture(scope="session")
def template(tmp_path_factory):
    """Make a course once: a fresh gradebook takes nbgrader seconds. For copying only."""
    from classroom import make_course

    top = tmp_path_factory.getbasetemp()
    folder = (top.parent if WORKER else top) / "template"  # one for all workers
    with folder.with_suffix(".lock").open("w") as lock:
        if fcntl:
            fcntl.flock(lock, fcntl.LOCK_EX)
        if not folder.exists():
            make_course(folder.with_suffix(".new"))
            folder.with_suffix(".new").rename(folder)
    return folder


@pytest.fixture
def course(template, tmp_path):
    """Return a course of the test's own, known to its gradebook."""
    from grader.classroom.course import Course

    shutil.copytree(template, tmp_path / "course")
    return Course.at(tmp_path / "course")


@pytest.fixture
def fake(monkeypatch):
    """Run answers in this process, in place of the sandbox."""
    from classroom import FakeRunner

    from grader.classroom.marking import workers

    runner = FakeRunner()
    monkeypatch.setattr(workers, "own_runner", lambda *about: runner)
    return runner


@pytest.fixture
def pack(tmp_path):
    """Return a function that makes a zip of files by name, and gives its path."""
    from downloads import zipped

    def make(files, name="download.zip"):
        path = tmp_path / name
        path.write_bytes(zipped(files))
        return path

    return make


@pytest.fixture
def spread(tmp_path):
    """Return a function that makes a folder of files by name, and gives its path."""

    def make(files, name="download"):
        for file, data in files.items():
            path = tmp_path / name / file
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_bytes(data)
        return tmp_path / name

    return make


@pytest.fixture(scope="module")  # not longer: while Playwright runs, no other test can have an event loop of its own
def chromium(require):
    """Give a headless browser."""
    from browser import browser

    with browser(require("chromium")) as running:
        yield running


@pytest.fixture(scope="session")
def pictures():
    """Return the script that makes the pictures of README."""
    spec = importlib.util.spec_from_file_location("make_pictures", ROOT / "scripts" / "make_pictures.py")
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


# ---- tests side by side

#: Files whose tests need nothing that is made once for all of them, so that every worker may have some.
SPREAD = {
    "test_bank",
    "test_collect",
    "test_collect_hostile",
    "test_handed_in",
    "test_notebooks",
    "test_repair",
    "test_repair_decided",
}
#: Files that wait for other processes most of the time (classes, JupyterLab), and files that never do but take long.
#: Each is begun early, so that nobody waits for one of them at the end.
WAITING, LONG = (
    [f"tests/test_{name}.py" for name in names.split()]
    for names in (
        "browser catalogue grading_killed demo grading_resumed runner handback grading_stopped grading_failures "
        "course_pictures nbgrader_cycle killed cluster export grading_again roster",
        "book explorers plots check contributing",
    )
)
#: Files of tests that ask for the same verdicts (judged.py): those on one exercise stay together.
OF_AN_EXERCISE = {"test_bank", "test_marks", "test_never_crashes"}


@pytest.hookimpl(optionalhook=True)  # not there without xdist
def pytest_xdist_make_scheduler(config, log):
    """Keep the tests of a file, or of an exercise, on one worker.

    With xdist 3.8, whose own groups are names behind the ids of tests, pytest 9.2 loses these names.
    """
    if config.getvalue("dist") != "loadgroup":
        return None
    from xdist.scheduler import LoadGroupScheduling

    class Scheduling(LoadGroupScheduling):
        def _split_scope(self, nodeid):
            return group_of(nodeid)

        def _assign_work_unit(self, node):
            # Of two workers one begins with what waits: the processors are never idle, and seldom asked for too much.
            waits = int(node.gateway.id.removeprefix("gw")) % 2 == 0
            others = (scope for scope in self.workqueue if scope not in WAITING)
            wanted = chain(WAITING if waits else LONG, LONG, others)
            if chosen := next((scope for scope in wanted if scope in self.workqueue), None):
                self.workqueue.move_to_end(chosen, last=False)
            super()._assign_work_unit(node)

    return Scheduling(config, log)


@functools.cache
def _an_exercise():
    """Return the expression of an exercise's name, the longest first where one begins with another."""
    from grader.exercises import BANK

    return re.compile(rf"(?<!\w)(?:{'|'.join(map(re.escape, sorted(BANK, key=len, reverse=True)))})(?!\w)")


@functools.cache  # xdist asks several times for each test, beside workers that need the processor
def group_of(test):
    """Return the name of the tests that stay together with this one.

    Examples
    --------
    >>> group_of("tests/test_bank.py::test_it[one-seed-softmax_jacobian-plus]"), group_of("tests/test_mine.py::test_it")
    ('softmax_jacobian', 'tests/test_mine.py')
    """
    file, stem = test.partition("::")[0], Path(test.partition("::")[0]).stem
    if stem in OF_AN_EXERCISE:
        given = test.partition("[")[2].removesuffix("]")
        named = _an_exercise().search(given)
        return named[0] if named else test
    return test if stem in SPREAD else file


def _tree():
    """Return what git says about the work tree: which files differ from the last commit, and how."""
    if not shutil.which("git") or not (ROOT / ".git").exists():
        return None
    said = [
        subprocess.run(["git", *arguments], cwd=ROOT, capture_output=True, check=False).stdout
        for arguments in (["status", "--porcelain", "--untracked-files=all"], ["diff"])
    ]
    return said[0].decode("utf-8", "replace"), hashlib.sha256(said[1]).hexdigest()


def pytest_addoption(parser):
    """Add `--seeds`."""
    parser.addoption("--seeds", type=int, default=2, help="over how many draws marks are compared (test_marks.py)")


def pytest_sessionstart(session):
    """Remember the work tree."""
    session.config.tree_before = None if WORKER else _tree()


def pytest_collection_finish():
    """Look for garbage again, but not among the tests."""
    gc.freeze()
    gc.enable()


def pytest_sessionfinish(session):
    """Fail in CI when the tests left something behind."""
    session.config.tree_after = None if WORKER else _tree()
    if IN_CI and session.config.tree_after != session.config.tree_before:
        session.exitstatus = pytest.ExitCode.TESTS_FAILED


def pytest_terminal_summary(terminalreporter, config):
    """Say what changed in the work tree during the tests; outside CI that may have been somebody at work."""
    before, after = getattr(config, "tree_before", None), getattr(config, "tree_after", None)
    if before is None or after is None or before == after:
        return
    terminalreporter.section("the work tree changed during the tests", red=IN_CI, yellow=not IN_CI)
    lines = set(after[0].splitlines()) ^ set(before[0].splitlines())
    terminalreporter.write_line("\n".join(sorted(lines)) or "files that already differed from the last commit")
