"""The command line: which part is meant, and every option of every command."""

import argparse
import contextlib
import functools
import importlib
import inspect
import shlex
from pathlib import Path
from types import SimpleNamespace

import pytest
from classroom import (
    FULL,
    PART,
    grade_here,
    hand_in,
    make_course,
)
from courseware import ROOT
from downloads import BARE, SOFTMAX
from nbgrader.api import Gradebook

import grader.__main__ as commands
from grader.classroom.course import Course
from grader.desk.demo import prepare
from grader.progress import Progress

pytestmark = pytest.mark.filterwarnings("ignore::sqlalchemy.exc.SAWarning")


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
    assert Course.at(ROOT).find_part(given) == expected


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
    assert (table["ada"]["by hand"], table["ada"]["total"]) == ("2.75", f"{sum(FULL.values()) + 2.75:g}")
    assert table["ben"]["by hand"] == ""
    assert table["chen"]["by hand"] == "0", "nothing was written, so nobody has to read it"


# ---- every option of every command

#: Who does the work of a command, as `module:function`, and what it gives back.
WORKERS = {
    "lab": ("grader.desk.lab:lab", 0),
    "teach": ("grader.desk.lab:teach", 0),
    "release": ("grader.classroom.release:release", []),
    "normalize": ("grader.notebook:normalize", []),
    "show": ("grader.notebook:read_notebook", SimpleNamespace(cells=[])),
    "reset": ("grader.desk.reset:reset", SimpleNamespace(notebook=Path("mine.ipynb"), kept=None)),
    "progress": ("grader.progress:read_progress", [Progress("start-here", 1, 2, 1.5, 3.0)]),
    "grade": ("grader.classroom.marking:grade", 0),
    "grade --again": ("grader.classroom.marking:judge_again", 0),
    "report": ("grader.classroom.marking:report", (Path("report.html"), Path("marks.csv"))),
    "collect": ("grader.classroom.collect:collect", SimpleNamespace(summary="", problems="", status=0)),
    "export": ("grader.classroom.export:export", SimpleNamespace(summary="")),
    "forget": ("grader.desk.forget:forget", 0),
    "return": ("grader.classroom.feedback.handback:hand_back", []),
    "demo": ("grader.desk.demo:demo", 0),
    "new exercise": ("grader.desk.new:new_exercise", "laid out"),
    "new notebook": ("grader.desk.new:new_notebook", "laid out"),
    "try": ("grader.desk.trying:examine", 0),
    "ready": ("grader.desk.ready:ready", 0),
    "unnamed": ("grader.desk.unnamed:unnamed", ""),
    "mine": ("grader.desk.mine:mine_command", ""),
}
NOTEBOOK = ROOT / "solutions" / PART / "3-softmax.ipynb"
#: What is typed, and what the one who does the work has to be asked for. Each option is here with another value than
#: its default, and each command at least once without any.
# fmt: off
CALLS = {
    "lab": {"port": None, "browser": None},
    "lab --port 9000 --browser": {"port": 9000, "browser": True},
    "lab --no-browser": {"port": None, "browser": False},
    "teach": {"port": None, "browser": None},
    "teach --port 9001 --browser": {"port": 9001, "browser": True},
    "teach --no-browser": {"port": None, "browser": False},
    "teach --demo": {"prepare": prepare, "course": ROOT / "grading" / "demo"},
    "release": {"root": ROOT, "target": None, "model_answers": False},
    "release --model-answers": {"target": None, "model_answers": True},
    "release --check": {"root": ROOT, "target": Path("notebooks"), "model_answers": False},
    "release --check --model-answers": {"target": Path("notebooks"), "model_answers": True},
    "normalize": {"paths": sorted((ROOT / "solutions").rglob("*.ipynb"))},
    f"normalize {NOTEBOOK}": {"paths": [NOTEBOOK]},
    "show 3-softmax": {"path": NOTEBOOK},
    "reset 3-softmax": {"name": "3-softmax", "empty": False},
    "reset 3-softmax --empty": {"name": "3-softmax", "empty": True},
    "progress": {"folder": None},
    f"progress --folder {ROOT / 'solutions'}": {"folder": ROOT / "solutions"},
    "ready 1": {"part": "1", "folder": None},
    "ready 1 --folder there": {"part": "1", "folder": Path("there")},
    "grade context": {"part": PART, "students": None, "jobs": None, "resume": False, "sandboxed": True},
    "grade 1 --resume --jobs 3": {"part": PART, "students": None, "jobs": 3, "resume": True, "sandboxed": True},
    "grade 1 --only ada --only ben --no-sandbox": {"students": ["ada", "ben"], "resume": False, "sandboxed": False},
    "grade 1 --scheduler tcp://h:1": {"scheduler": "tcp://h:1", "tls": None, "jobs": None},
    "grade 1 --scheduler h:1 --tls-ca a.pem --tls-cert b.pem": {
        "scheduler": "h:1", "tls": (Path("a.pem"), Path("b.pem")), "sandboxed": True,
    },
    "grade 1 --again": {"part": PART, "exercises": None, "students": None, "jobs": None, "yes": False},
    "grade 1 --again --exercise softmax --exercise entropy --yes --only ada --no-sandbox": {
        "exercises": ["softmax", "entropy"], "students": ["ada"], "sandboxed": False, "yes": True,
    },
    "report 1": {"part": PART, "anonymous": False},
    "report 1 --anonymous": {"part": PART, "anonymous": True},
    "export 1 --to moodle": {"part": PART, "to": "moodle", "roster": None, "column": None, "scale": False},
    "export 1 --to canvas --roster r.csv --column Essay --scale": {
        "to": "canvas", "roster": Path("r.csv"), "column": "Essay", "scale": True,
    },
    "forget ada": {"student": "ada", "sure": False},
    "forget ada --yes": {"student": "ada", "sure": True},
    "collect x.zip": {"source": Path("x.zip"), "part": None, "replace": False},
    "collect x.zip --part 1 --replace": {"source": Path("x.zip"), "part": PART, "replace": True},
    "return 1": {"part": PART, "students": None},
    "return 1 --only ada --only ben": {"part": PART, "students": ["ada", "ben"]},
    "demo": {"folder": None},
    "demo --folder there": {"folder": Path("there")},
    "new exercise mean --notebook 4": {"notebook": "4", "after": None, "kind": "function", "points": 3},
    "new exercise why --notebook 4 --after mean --kind choice --points 2": {
        "exercise_id": "why", "notebook": "4", "after": "mean", "kind": "choice", "signature": None, "points": 2,
    },
    "new exercise mean --notebook 4 --signature 'mean(x, axis)'": {"signature": "mean(x, axis)"},
    "new notebook 4-deep/1-positions 'Where words are'": {"name": "4-deep/1-positions", "title": "Where words are"},
    "try softmax": {"exercise_id": "softmax", "seeds": None, "answer": None, "sandboxed": True},
    "try softmax --seeds 7": {"exercise_id": "softmax", "seeds": 7},
    "try softmax --answer a.py --no-sandbox": {"answer": Path("a.py"), "sandboxed": False},
    "unnamed": {"part": None, "folder": None},
    "unnamed 1": {"part": "1", "folder": None},
    "unnamed --folder there": {"folder": Path("there")},
    "mine": {"off": None, "on": None, "folder": None},
    "mine --off softmax --folder there": {"off": "softmax", "on": None, "folder": Path("there")},
    "mine --on softmax": {"off": None, "on": "softmax"},
}
# fmt: on


def asked_of(monkeypatch, name):
    """Replace who does a command's work; returns a list that will hold what it was asked for, by parameter."""
    where, gives = WORKERS[name]
    module, _, function = where.partition(":")
    module = importlib.import_module(module)
    signature, asked = inspect.signature(getattr(module, function)), []

    @functools.wraps(getattr(module, function))
    def work(*args, **kwargs):
        given = signature.bind(*args, **kwargs)
        given.apply_defaults()
        asked.append(given.arguments)
        return gives

    monkeypatch.setattr(module, function, work)
    return asked


@pytest.fixture
def started(monkeypatch):
    """Return what grading gets ready before it reads anything: the sandbox and its workers, which are not started."""
    ready = []
    monkeypatch.setattr("grader.classroom.sandbox.warm.begun", lambda *about: ready.append(about))
    workers = importlib.import_module("grader.classroom.marking.workers")
    monkeypatch.setattr(workers, "getting_ready", lambda *about: ready.append(about) or contextlib.nullcontext())
    return ready


@pytest.mark.parametrize("typed", CALLS, ids=lambda typed: typed.replace(f"{ROOT}/", ""))
def test_what_is_typed_reaches_who_does_the_work(typed, monkeypatch, started):
    name, _ = split(typed)
    asked = asked_of(monkeypatch, name + " --again" * ("--again" in typed))
    assert commands.main(shlex.split(typed)) == int(name == "release" and "--check" in typed)
    (given,) = asked
    for parameter, value in CALLS[typed].items():
        found = given[parameter]
        if parameter == "target" and value:  # in a temporary folder
            found = Path(found.name)
        assert found == value, parameter
    if name == "grade":
        here = [(given["sandboxed"],), (given["sandboxed"], given["jobs"], None)]
        assert started == ([] if given.get("scheduler") else here)


def split(typed):
    """The name of a command, which may be two words, and the rest."""
    words = shlex.split(typed)
    name = next(name for name in subparsers() if words[: len(name.split())] == name.split())
    return name, words[len(name.split()) :]


def options(typed):
    """The options and the filled places of a command that is typed."""
    name, words = split(typed)
    command = subparsers()[name]
    values = vars(command.parse_args(words))
    given = {word.partition("=")[0] for word in words if word.startswith("-")}
    given |= {one.dest for one in command._actions if not one.option_strings and values[one.dest] not in (None, [])}
    return {(name, option) for option in given}


def subparsers(top=None, before=""):
    """The parser of each command, by its name; that of one within another by both."""
    found = {}
    for action in (top or commands.parser())._actions:
        if isinstance(action, argparse._SubParsersAction):
            for name, command in action.choices.items():
                found |= subparsers(command, f"{before}{name} ") or {before + name: command}
    return found


def test_every_option_of_every_command_is_typed_in_a_test():
    there = {
        (name, option)
        for name, command in subparsers().items()
        for action in command._actions
        if not isinstance(action, argparse._HelpAction)
        for option in action.option_strings or [action.dest]
    }
    assert set().union(*map(options, CALLS)) == there
    assert {split(typed)[0] for typed in CALLS} == set(subparsers()) == set(WORKERS) - {"grade --again"}


def test_what_goes_with_judging_again_does_not_go_alone(capsys):
    for option in (["--exercise", "softmax"], ["--yes"]):
        assert commands.main(["grade", "1", *option]) == 2
        assert "go with --again" in capsys.readouterr().err


def test_collect_replaces_on_request_only(pack, tmp_path, monkeypatch, capsys):
    course = make_course(tmp_path / "course", register_it=False)
    monkeypatch.setattr(commands, "ROOT", course.root)
    older, newer = (pack({"ada/3-softmax.ipynb": data}, name) for data, name in ((BARE, "a.zip"), (SOFTMAX, "b.zip")))
    collected = course.submitted(PART, "ada") / "3-softmax.ipynb"
    assert commands.main(["collect", str(older), "--part", "1"]) == 0
    assert commands.main(["collect", str(newer), "--part", "1"]) == 1
    assert "--replace" in capsys.readouterr().err
    assert collected.read_bytes() == BARE
    assert commands.main(["collect", str(newer), "--part", "1", "--replace"]) == 0
    assert collected.read_bytes() == SOFTMAX
