"""nbgrader's own cycle in a fresh clone, through a hub's exchange, with nothing prepared and nothing on PATH."""

import json
import os
import shutil
import subprocess
import sys

import pytest
from courseware import read
from nbgrader.apps import NbGraderAPI

from grader.classroom.course import Course
from grader.classroom.records import read_record
from grader.classroom.release import course_config
from grader.desk.sample_class import Student, submission
from grader.notebook import as_json
from grader.places import ROOT

PART, NOTEBOOK = "0-start-here", "start-here"
#: Several commands of nbgrader in one process; each would take two seconds to begin with.
ONE_AFTER_THE_OTHER = """
import json, sys
from nbgrader.apps.nbgraderapp import NbGraderApp
from traitlets.config import Application

for command in json.loads(sys.argv[1]):
    if Application.initialized():
        type(Application._instance).clear_instance()
    NbGraderApp.launch_instance(command)
"""

pytestmark = [
    pytest.mark.grading,
    pytest.mark.skipif(sys.platform != "linux", reason="nbgrader's exchange and the sandbox need Linux"),
]


class Hub:
    """A course as it was cloned, and a hub with an exchange, whose configuration all users have."""

    def __init__(self, top):
        self.course, self.exchange = top / "course", top / "exchange"
        listed = subprocess.run(["git", "ls-files", "-z"], cwd=ROOT, capture_output=True, text=True, check=True)
        for name in filter(None, listed.stdout.split("\0")):
            if name.startswith(("nbgrader_config", "grader/", "attnlib/", f"solutions/{PART}", f"notebooks/{PART}")):
                (self.course / name).parent.mkdir(parents=True, exist_ok=True)
                shutil.copy(ROOT / name, self.course / name)
        self.settings = top / "etc"
        self.settings.mkdir()
        (self.settings / "nbgrader_config.py").write_text(
            f"c = get_config()\nc.Exchange.root = {str(self.exchange)!r}\nc.ExchangeCollect.check_owner = False\n"
        )
        self.homes = top / "home"

    def run(self, user, folder, *commands):
        """Run commands of nbgrader as a user does who has activated no environment; returns what they log."""
        home = self.homes / user
        home.mkdir(parents=True, exist_ok=True)
        kept = {name: value for name, value in os.environ.items() if not name.startswith(("JUPYTER", "IPYTHON"))}
        environment = kept | {
            "HOME": str(home),
            "PATH": os.pathsep.join(path for path in os.environ["PATH"].split(os.pathsep) if ".venv" not in path),
            "PYTHONPATH": str(self.course),
            "PYTHONWARNINGS": "ignore",
            "JUPYTER_CONFIG_PATH": str(self.settings),
        }
        assert not shutil.which("alembic", path=environment["PATH"])
        done = subprocess.run(
            [sys.executable, "-c", ONE_AFTER_THE_OTHER, json.dumps([list(map(str, one)) for one in commands])],
            cwd=folder,
            env=environment,
            capture_output=True,
            text=True,
            timeout=300,
            check=False,
        )
        assert done.returncode == 0, done.stderr
        return done.stdout + done.stderr


def test_a_part_goes_out_comes_back_and_is_handed_back_through_a_hubs_exchange(tmp_path, require):
    require("bwrap")
    hub = Hub(tmp_path)
    handed_out = hub.course / "notebooks" / PART / f"{NOTEBOOK}.ipynb"
    as_cloned = handed_out.read_bytes()
    hub.run("instructor", hub.course, ["db", "student", "list"])  # of a gradebook that is not there yet
    hub.run("instructor", hub.course, ["generate_assignment", PART, "--force"], ["release_assignment", PART])
    assert handed_out.read_bytes() == as_cloned
    desk = tmp_path / "ada"
    desk.mkdir()
    about = ["--course", "attention-course", "--student", "ada"]
    said = hub.run("ada", desk, ["list"], ["fetch_assignment", PART, *about])
    assert f"attention-course {PART}" in said
    mine = desk / PART / f"{NOTEBOOK}.ipynb"
    assert mine.read_bytes() == as_cloned
    solution = read(ROOT / "solutions" / PART / f"{NOTEBOOK}.ipynb")
    mine.write_text(as_json(submission(Student("ada", "everything right"), read(mine), solution)), encoding="utf-8")
    hub.run("ada", desk, ["submit", PART, *about])
    hub.run("instructor", hub.course, ["list", "--inbound"], ["collect", PART], ["autograde", PART])
    course = Course.at(hub.course)
    record = read_record(course, PART, "ada")
    assert record.points == record.max_points > 0
    assert not record.repaired, record.notes
    hub.run("instructor", hub.course, ["generate_feedback", PART], ["release_feedback", PART])
    said = hub.run("ada", desk, ["list", "--cached", *about], ["fetch_feedback", PART, *about])
    assert "feedback ready to be fetched" in said
    (page,) = (desk / PART / "feedback").rglob("*.html")
    assert page.name == f"{NOTEBOOK}.html"
    assert "Content-Security-Policy" in page.read_text(encoding="utf-8")


def test_a_gradebook_that_cannot_be_used_does_not_cost_the_release(template, tmp_path, monkeypatch):
    shutil.copytree(template, tmp_path / "course")
    course = Course.at(tmp_path / "course")
    (part,) = course.parts
    released = course.root / "notebooks" / part / "3-softmax.ipynb"
    released.parent.mkdir(parents=True)
    released.write_text("as it was")
    (course.grading / "gradebook.db").write_bytes(b"no database")
    monkeypatch.chdir(course.root)
    done = NbGraderAPI(config=course.config).generate_assignment(part)
    assert not done["success"]
    assert "stays as it was released: file is not a database" in done["log"]
    assert released.read_text() == "as it was"


def test_a_hub_says_where_its_exchange_is(tmp_path, monkeypatch):
    assert course_config(ROOT).Exchange.root == str(ROOT / "grading" / "exchange")
    monkeypatch.setenv("JUPYTER_CONFIG_PATH", str(tmp_path))
    for name, text in (("py", "c.Exchange.root = '/srv/x'"), ("json", '{"Exchange": {"root": "/srv/x"}}')):
        path = tmp_path / f"nbgrader_config.{name}"
        path.write_text(text)
        assert "root" not in course_config(ROOT).get("Exchange", {})
        path.unlink()
