"""The commands of `python -m grader`, and what they do for a learner's notebooks."""

import errno
import os
import re
import subprocess
import sys
from datetime import datetime
from pathlib import Path

import pytest
from sqlalchemy import create_engine

import grader.__main__ as commands
from grader.desk import demo, lab
from grader.desk.reset import reset
from grader.errors import UnknownName
from grader.notebook import as_json, normal_form, read_notebook
from grader.places import RELEASED, ROOT, find_notebook

pytestmark = pytest.mark.more

SOFTMAX = Path("1-context-vectors/3-softmax.ipynb")
COMMANDS = ["lab", "teach", "release", "normalize", "show", "reset", "progress"]
COMMANDS += ["grade", "report", "collect", "return", "demo", "new", "try"]
NOON = datetime(2030, 1, 2, 12, 30, 15)


def run(*arguments, folder=ROOT):
    """Run a command as a user does."""
    return subprocess.run(
        [sys.executable, "-m", "grader", *map(str, arguments)],
        cwd=folder,
        capture_output=True,
        text=True,
        encoding="utf-8",
        env={**os.environ, "PYTHONIOENCODING": "utf-8"},
        timeout=120,
        check=False,
    )


# ---- the command line


@pytest.mark.parametrize("command", COMMANDS)
def test_every_command_has_help(command, capsys):
    with pytest.raises(SystemExit) as stop:
        commands.main([command, "--help"])
    assert stop.value.code == 0
    assert f"python -m grader {command}" in capsys.readouterr().out


def test_the_help_lists_every_command(capsys):
    with pytest.raises(SystemExit):
        commands.main(["--help"])
    said = capsys.readouterr().out
    assert all(re.search(rf"^ +{command}\s", said, re.M) for command in COMMANDS)


@pytest.mark.parametrize(
    ("arguments", "expected"),
    [
        (["grow"], "invalid choice: 'grow'"),
        (["reset"], "NOTEBOOK"),
        (["lab", "--port", "many"], "invalid int value"),
        (["grade"], "PART"),
        (["grade", "1", "--jobs", "0"], "at least 1"),
    ],
)
def test_a_wrong_call_is_told_and_exits_with_2(arguments, expected, capsys):
    with pytest.raises(SystemExit) as stop:
        commands.main(arguments)
    assert stop.value.code == 2
    assert expected in capsys.readouterr().err


@pytest.mark.parametrize(
    ("arguments", "expected"),
    [
        (["reset", "3-sotfmax"], "did you mean 1-context-vectors/3-softmax"),
        (["show", "nothing-like-it-at-all"], "there are: 0-start-here/start-here, "),
        (["normalize", "no/such/folder"], "does not exist"),
        (["progress", "--folder", "no/such/folder"], "there is no folder"),
        (["grade", "nonsense"], "there is no part 'nonsense'; there are: 0-start-here, "),
        (["return", "-"], "can be any of 0-start-here, "),
        (["grade", "1", "--scheduler", "h:1", "--jobs", "2"], "--jobs is for this machine"),
        (["grade", "1", "--scheduler", "h:1", "--tls-ca", "a.pem"], "--tls-ca, --tls-cert and --scheduler go together"),
        (["grade", "1", "--tls-ca", "a.pem", "--tls-cert", "b.pem"], "and --scheduler go together"),
    ],
)
def test_an_unknown_path_is_told_in_one_line_and_exits_with_2(arguments, expected, capsys):
    assert commands.main(arguments) == 2
    said = capsys.readouterr()
    assert expected in said.err
    assert said.err.count("\n") == 1
    assert not said.out


def test_a_damaged_notebook_is_told_in_one_line_and_exits_with_1(tmp_path, capsys):
    damaged = tmp_path / "damaged.ipynb"
    damaged.write_text('{"cells": [', encoding="utf-8")
    for command in ("show", "normalize"):
        assert commands.main([command, str(damaged)]) == 1
        said = capsys.readouterr().err
        assert "damaged or no notebook" in said
        assert said.count("\n") == 1


def test_a_full_disk_is_told_in_one_line_by_every_command(tmp_path, monkeypatch, capsys):
    def full(*_, **__):
        raise OSError(errno.ENOSPC, "No space left on device", str(tmp_path))

    monkeypatch.setattr("grader.desk.reset.write_whole", full)
    monkeypatch.setattr("grader.desk.reset.reset.__defaults__", (tmp_path, RELEASED, None))
    assert commands.main(["reset", "3-softmax"]) == 1
    assert capsys.readouterr().err == f"the disk is full ({tmp_path}); make some room, then run the command again\n"


def test_the_commands_work_from_another_folder(tmp_path):
    shown = run("show", "3-softmax", folder=tmp_path)
    assert shown.returncode == 0, shown.stderr
    assert "== code softmax (grade, locked, 4 points)" in shown.stdout
    told = run("progress", folder=tmp_path)
    assert told.returncode == 0, told.stderr
    assert "1-context-vectors/3-softmax" in told.stdout


def test_show_does_not_wait_for_nbgrader_or_pictures():
    code = (
        "import sys; from grader.__main__ import main; main(['show', '3-softmax']); "
        "heavy = {'nbgrader', 'nbconvert', 'matplotlib', 'tqdm', 'jupyterlab'} & set(sys.modules); "
        "print(heavy, file=sys.stderr); sys.exit(len(heavy))"
    )
    done = subprocess.run([sys.executable, "-c", code], cwd=ROOT, capture_output=True, check=False)
    assert done.returncode == 0, done.stderr


@pytest.mark.skipif(os.name == "nt", reason="there is no head on Windows")
def test_grading_does_not_wait_for_what_nbgrader_gives_to_a_server_and_it_stays_to_be_had():
    program = """
import sys
from grader import quick

quick.import_nbgrader()
from nbgrader.api import Gradebook
from nbgrader.coursedir import CourseDirectory

assert not [name for name in sys.modules if name.startswith(("nbgrader.server_extensions.", "jupyter_server"))]
for name in ("assignment_list", "course_list", "formgrader", "validate_assignment"):
    part = __import__(f"nbgrader.server_extensions.{name}", fromlist=["x"])
    assert callable(part.load_jupyter_server_extension) and part.__file__, name
"""
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr


def test_what_is_imported_for_a_command_is_never_looked_through_again():
    program = """
import gc
from grader import quick

with quick.importing():
    assert not gc.isenabled()
    import decimal
assert gc.isenabled() and gc.get_freeze_count() > 1000
"""
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr


def test_a_reader_who_has_seen_enough_causes_no_complaint():
    piped = subprocess.run(
        f'"{sys.executable}" -m grader show 3-softmax | head -1',
        shell=True,
        cwd=ROOT,
        capture_output=True,
        text=True,
        check=False,
    )
    assert piped.stdout.startswith("== markdown")
    assert not piped.stderr


# ---- release and normalize


def test_release_says_what_it_wrote_and_check_what_differs(tmp_path, monkeypatch, capsys):
    part = tmp_path / "solutions" / "0-start-here"
    part.mkdir(parents=True)
    (part / "start-here.ipynb").write_bytes((ROOT / "solutions/0-start-here/start-here.ipynb").read_bytes())
    (tmp_path / "nbgrader_config.py").write_bytes((ROOT / "nbgrader_config.py").read_bytes())
    monkeypatch.setattr(commands, "ROOT", tmp_path)
    monkeypatch.setattr(commands, "RELEASED", tmp_path / "notebooks")

    assert commands.main(["release", "--check"]) == 1
    assert "notebooks/0-start-here/start-here.ipynb differs" in capsys.readouterr().out
    assert not (tmp_path / "notebooks").exists()

    assert commands.main(["release"]) == 0
    assert capsys.readouterr().out == "wrote notebooks/0-start-here/start-here.ipynb\n"
    assert commands.main(["release", "--check"]) == 0
    capsys.readouterr()

    (tmp_path / "notebooks" / "0-start-here" / "stray.txt").write_text("?", encoding="utf-8")
    assert commands.main(["release", "--check"]) == 1
    assert "notebooks/0-start-here/stray.txt differs" in capsys.readouterr().out


def test_normalize_rewrites_what_is_not_normal_and_nothing_else(tmp_path, capsys):
    normal, odd = tmp_path / "normal.ipynb", tmp_path / "deep" / "odd.ipynb"
    odd.parent.mkdir()
    text = (ROOT / "solutions" / SOFTMAX).read_text(encoding="utf-8")
    notebook = read_notebook(ROOT / "solutions" / SOFTMAX)
    notebook.metadata["language_info"] = {"name": "python"}
    normal.write_text(as_json(normal_form(notebook)), encoding="utf-8", newline="\n")
    odd.write_text(as_json(notebook), encoding="utf-8", newline="\n")
    assert odd.read_text(encoding="utf-8") != text

    assert commands.main(["normalize", str(tmp_path)]) == 0
    said = capsys.readouterr().out
    assert f"rewrote {odd}" in said
    assert "1 of 2 notebooks changed" in said
    assert odd.read_bytes() == normal.read_bytes()


# ---- names of notebooks, and reset


@pytest.mark.parametrize(
    "name",
    [
        "3-softmax",
        "3-softmax.ipynb",
        "1-context-vectors/3-softmax",
        "./3-softmax.ipynb",
        "work/1-context-vectors/3-softmax.ipynb",
        "/somewhere/else/1-context-vectors/3-softmax.ipynb",
        "..\\1-context-vectors\\3-softmax.ipynb",
    ],
)
def test_a_notebook_is_found_by_name_or_path(name):
    assert find_notebook(name) == SOFTMAX


def test_a_name_that_two_parts_have_asks_for_the_part(tmp_path):
    for part in ("1-one", "2-two"):
        (tmp_path / part).mkdir()
        (tmp_path / part / "same.ipynb").touch()
    with pytest.raises(UnknownName, match="any of 1-one/same, 2-two/same"):
        find_notebook("same", tmp_path)
    assert find_notebook("2-two/same", tmp_path) == Path("2-two/same.ipynb")


def test_without_a_release_the_message_says_how_to_make_one(tmp_path):
    with pytest.raises(UnknownName, match="python -m grader release"):
        find_notebook("3-softmax", tmp_path)


def test_reset_brings_back_the_release_and_keeps_the_old_one(tmp_path):
    lab.copy_notebooks(work=tmp_path)
    mine = tmp_path / SOFTMAX
    mine.write_text("my work", encoding="utf-8")
    notebook, kept, _ = reset("3-softmax", tmp_path, now=NOON)
    assert notebook == mine
    assert mine.read_bytes() == (RELEASED / SOFTMAX).read_bytes()
    assert kept == mine.with_name("3-softmax (before reset 2030-01-02 12.30.15).ipynb")
    assert kept.read_text(encoding="utf-8") == "my work"

    # Twice within a second: neither of the old ones is lost.
    mine.write_text("more work", encoding="utf-8")
    _, second, _ = reset("3-softmax", tmp_path, now=NOON)
    assert second.name == "3-softmax (before reset 2030-01-02 12.30.15) 2.ipynb"
    assert [kept.read_text(encoding="utf-8"), second.read_text(encoding="utf-8")] == ["my work", "more work"]


def test_reset_of_an_untouched_or_missing_notebook_keeps_nothing(tmp_path):
    notebook, kept, _ = reset("3-softmax", tmp_path)
    assert notebook.read_bytes() == (RELEASED / SOFTMAX).read_bytes()
    assert kept is None
    assert reset("3-softmax", tmp_path)[1] is None
    assert sorted(path.name for path in notebook.parent.iterdir()) == ["3-softmax.ipynb"]


def test_the_reset_command_says_where_the_old_one_is(tmp_path, monkeypatch, capsys):
    monkeypatch.setattr("grader.desk.reset.reset.__defaults__", (tmp_path, RELEASED, None))
    mine = tmp_path / SOFTMAX
    mine.parent.mkdir()
    mine.write_text("my work", encoding="utf-8")
    assert commands.main(["reset", "3-softmax"]) == 0
    said = capsys.readouterr().out
    assert str(mine) in said
    assert "Your old one is kept: " in said
    assert "Reload Notebook from Disk" in said


# ---- teach


@pytest.mark.filterwarnings("ignore::sqlalchemy.exc.SAWarning", "ignore::DeprecationWarning")
def test_teach_registers_every_part_in_a_fresh_gradebook_and_again(tmp_path, monkeypatch):
    from nbgrader.api import Gradebook

    for name in ("0-start-here/start-here.ipynb", SOFTMAX):
        target = tmp_path / "solutions" / name
        target.parent.mkdir(parents=True)
        target.write_bytes((ROOT / "solutions" / name).read_bytes())
    (tmp_path / "nbgrader_config.py").write_bytes((ROOT / "nbgrader_config.py").read_bytes())
    monkeypatch.setattr(commands, "ROOT", tmp_path)
    asked = []
    monkeypatch.setattr(lab, "teach", lambda port, browser, prepare: asked.append((port, browser)) or prepare())
    for _ in range(2):
        commands.main(["teach", "--port", "9000", "--no-browser"])
    assert asked == [(9000, False)] * 2
    with Gradebook(f"sqlite:///{(tmp_path / 'grading' / 'gradebook.db').as_posix()}", "attention-course") as book:
        assert sorted(part.name for part in book.assignments) == ["0-start-here", "1-context-vectors"]
        softmax = book.find_grade_cell("softmax", "3-softmax", "1-context-vectors")
        assert softmax.max_score == 4
        assert "YOUR CODE HERE" in book.find_source_cell("softmax-answer", "3-softmax", "1-context-vectors").source


def test_teach_on_the_demonstration_makes_it_once_and_touches_nothing_else(tmp_path, monkeypatch):
    made, served = [], []
    folder = tmp_path / "grading" / "demo"

    def make(where):
        (demo._fresh(where) / demo.MARK).write_text(demo.WHOLE, encoding="utf-8")
        made.append(where)

    monkeypatch.setattr(demo, "demo", make)
    monkeypatch.setattr(demo, "FOLDER", folder)
    monkeypatch.setattr(demo.prepare, "__defaults__", (folder,))
    monkeypatch.setattr(lab, "GRADING", tmp_path / "grading")
    monkeypatch.setattr(lab, "_serve", lambda *about: served.append(about) or 0)
    for _ in range(2):
        assert commands.main(["teach", "--demo"]) == 0
    assert made == [folder]
    assert served == [("instructor", folder, folder / ".jupyterlab", "", None, None, folder)] * 2
    assert [path.name for path in (tmp_path / "grading").iterdir()] == ["demo"]
    # One that was stopped halfway is made anew.
    (folder / demo.MARK).write_text("", encoding="utf-8")
    commands.main(["teach", "--demo"])
    assert made == [folder] * 2


def test_a_fresh_gradebook_is_the_one_that_nbgrader_makes(tmp_path):
    from nbgrader.api import Gradebook

    from grader.classroom.gradebook.cells import prepare_gradebook
    from grader.places import alembic_on_path

    alembic_on_path()
    theirs, ours = (f"sqlite:///{(tmp_path / name).as_posix()}" for name in ("theirs.db", "ours.db"))
    Gradebook(theirs).close()
    for _ in range(2):
        prepare_gradebook(ours)
    found = []
    for url in (theirs, ours):
        engine = create_engine(url)
        with engine.connect() as db:
            tables = dict(db.exec_driver_sql("select name, sql from sqlite_master").all())
            tables.pop("alembic_version")
            found.append((tables, db.exec_driver_sql("select * from alembic_version").all()))
        engine.dispose()
    found[0][0].pop("sqlite_autoindex_alembic_version_1", None)
    found[1][0].pop("sqlite_autoindex_alembic_version_1", None)
    assert found[0] == found[1]
    assert len(found[0][0]) > 10
