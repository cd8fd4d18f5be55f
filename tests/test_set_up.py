"""How the course is set up and started: `scripts/set_up.py`, `grader.desk.lab`, and the lists of packages."""

import ast
import importlib.util
import json
import os
import re
import socket
import stat
import subprocess
import sys
import tomllib
import urllib.request
from importlib import metadata

import pytest
from packaging.requirements import Requirement

from grader.__main__ import main
from grader.classroom.sandbox import ONE_THREAD
from grader.desk import lab
from grader.errors import CourseError

posix = pytest.mark.skipif(os.name != "posix", reason="the stand-in Pythons are shell scripts")


# ---- the lists of packages


def normal(name):
    return re.sub(r"[-_.]+", "-", name).lower()


def split(requirement):
    """Return name and ranges of `numpy>=2.0,<3` (pip) or `numpy >=2.0,<3` (conda, which knows no extras)."""
    name, ranges = re.fullmatch(r"([A-Za-z0-9._-]+)(?:\[.*\])?\s*(.*)", requirement.strip()).groups()
    return normal(name), ",".join(sorted(part.strip() for part in ranges.split(",") if part.strip()))


@pytest.fixture(scope="module")
def project(root):
    return tomllib.loads((root / "pyproject.toml").read_text("utf-8"))


@pytest.fixture(scope="module")
def conda_lines(root):
    lines = (root / "environment.yml").read_text("utf-8").partition("\ndependencies:\n")[2].splitlines()
    return [line.strip()[2:] for line in lines if line.strip().startswith("- ")]


@pytest.fixture(scope="module")
def locked(root):
    text = (root / "requirements.lock").read_text("utf-8")
    return {
        normal(name): version for name, version in re.findall(r"^([A-Za-z0-9._-]+)(?:\[.*\])?==([^ ;\\]+)", text, re.M)
    }


def everything(project):
    """Return all that the project names, extras too: the tests need these."""
    about = project["project"]
    return sum(about["optional-dependencies"].values(), about["dependencies"])


def test_conda_and_pip_users_get_the_same_packages_in_the_same_ranges(project, conda_lines):
    conda = dict(split(line) for line in conda_lines if line[0].isalpha() and not line.endswith(":"))
    wanted = dict(split(requirement) for requirement in everything(project))
    wanted["python"] = split("python" + project["project"]["requires-python"])[1]
    wanted |= dict(split(requirement) for requirement in project["build-system"]["requires"])
    conda.pop("pip")
    assert conda == wanted


def test_conda_users_get_the_course_itself_in_place(conda_lines):
    assert "--editable ." in conda_lines


def test_the_lock_names_every_package_of_the_project_and_its_builder(project, locked):
    groups = project["dependency-groups"]
    assert groups["build"] == project["build-system"]["requires"]
    named = {split(requirement)[0] for requirement in everything(project) + groups["build"]}
    assert named <= set(locked)


def test_the_lock_names_what_each_of_its_packages_needs(locked):
    # pip is told to install these and no others.
    for package in metadata.distributions():
        if normal(package.name) in locked:
            for needed in map(Requirement, package.requires or ()):
                if needed.marker is None or needed.marker.evaluate({"extra": ""}):
                    assert normal(needed.name) in locked, f"{package.name} needs {needed}"
                    assert needed.specifier.contains(metadata.version(needed.name), prereleases=True), needed


def test_the_lock_serves_every_platform_and_names_no_index(root):
    text = (root / "requirements.lock").read_text("utf-8")
    requirements = re.split(r"\n(?=[A-Za-z0-9])", text.partition("make lock\n")[2])
    assert all("--hash=sha256:" in requirement for requirement in requirements)
    assert "://" not in text
    # Packages that only one system needs: the lock was made for all of them.
    assert re.search(r"^pywinpty==.*; os_name == 'nt'", text, re.M)
    assert re.search(r"^appnope==.*; sys_platform == 'darwin'", text, re.M)


# ---- scripts/set_up.py


@pytest.fixture
def set_up(root, tmp_path, monkeypatch):
    """Return set_up.py as a module that works on an empty copy of the project."""
    spec = importlib.util.spec_from_file_location("set_up", root / "scripts" / "set_up.py")
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    project = tmp_path / "project"
    project.mkdir()
    (project / "requirements.lock").write_text("")
    (project / "pyproject.toml").write_text("")
    for name, path in {
        "ROOT": project,
        "VENV": project / ".venv",
        "LOCK": project / "requirements.lock",
        "PROJECT": project / "pyproject.toml",
        "STAMP": project / ".venv" / "attention-course.json",
    }.items():
        monkeypatch.setattr(module, name, str(path))
    module.really_install = module.install
    monkeypatch.setattr(module, "install", lambda: None)
    return module


@pytest.fixture
def only_pythons(set_up, tmp_path, monkeypatch):
    """Return a function that puts stand-in Pythons on PATH, and nothing else."""
    folder = tmp_path / "pythons"
    folder.mkdir()

    def put(**versions):
        for name, (version, can_make_venv) in versions.items():
            path = folder / name.replace("_", ".")
            facts = json.dumps({"version": version, "base": str(path), "can_make_venv": can_make_venv})
            path.write_text(f"#!/bin/sh\necho '{facts}'\n")
            path.chmod(path.stat().st_mode | stat.S_IXUSR)
        monkeypatch.setenv("PATH", str(folder))
        monkeypatch.setattr(set_up.sys, "executable", str(folder / "python3"))
        return folder

    return put


def test_set_up_parses_on_old_pythons(root):
    ast.parse((root / "scripts" / "set_up.py").read_text("utf-8"), feature_version=(3, 6))


def test_set_up_and_the_project_agree_on_the_versions_of_python(set_up, project):
    oldest, newest = set_up.OLDEST, set_up.NEWEST
    assert project["project"]["requires-python"] == ">={}.{},<{}.{}".format(*oldest, newest[0], newest[1] + 1)
    assert set_up.fits((3, 11, 0))
    assert set_up.fits((3, 13, 9))
    assert not set_up.fits((3, 10, 14))
    assert not set_up.fits((3, 14, 0))


@posix
def test_an_old_python3_is_passed_over_for_a_fitting_one_on_path(set_up, only_pythons):
    folder = only_pythons(python3=((3, 9, 2), True), python3_12=((3, 12, 1), True))
    assert set_up.choose_python() == (str(folder / "python3.12"), (3, 12, 1))


@posix
def test_without_a_fitting_python_the_message_says_which_and_how(set_up, only_pythons):
    only_pythons(python3=((3, 9, 2), True))
    with pytest.raises(set_up.SetUpError, match=r"(?s)3\.11 to 3\.13; found only Python 3\.9\..*apt install"):
        set_up.choose_python()


@posix
def test_a_python_without_venv_is_named_with_the_package_to_install(set_up, only_pythons):
    only_pythons(python3=((3, 11, 2), False))
    with pytest.raises(set_up.SetUpError, match=r"(?s)without the part.*python3\.11-venv"):
        set_up.choose_python()


@posix
def test_a_python_without_venv_is_passed_over_for_one_with_it(set_up, only_pythons):
    folder = only_pythons(python3=((3, 11, 2), False), python3_12=((3, 12, 1), True))
    assert set_up.choose_python()[0] == str(folder / "python3.12")


@pytest.fixture
def bare_venvs(set_up, monkeypatch):
    """Make environments without pip, which takes most of the time, from the running Python."""
    base = getattr(sys, "_base_executable", sys.executable)
    monkeypatch.setattr(set_up, "choose_python", lambda: (base, sys.version_info[:3]))
    run = subprocess.run

    def quick(command, **options):
        if command[1:3] == ["-m", "venv"]:
            command = [*command, "--without-pip"]
        return run(command, **options)

    monkeypatch.setattr(set_up.subprocess, "run", quick)


@pytest.mark.usefixtures("bare_venvs")
def test_the_second_time_nothing_is_done(set_up, capsys):
    assert set_up.main([]) == 0
    assert "Making the course's environment" in capsys.readouterr().out
    assert set_up.main([]) == 0
    assert "Making" not in capsys.readouterr().out


@pytest.mark.usefixtures("bare_venvs")
def test_a_changed_lock_updates_the_environment_in_place(set_up, tmp_path, monkeypatch, capsys):
    set_up.main([])
    mine = tmp_path / "project" / ".venv" / "mine"
    mine.touch()
    (tmp_path / "project" / "requirements.lock").write_text("# new\n")
    installs = []
    monkeypatch.setattr(set_up, "install", lambda: installs.append(1))
    assert set_up.main([]) == 0
    assert "has changed: updating" in capsys.readouterr().out
    assert installs == [1]
    assert mine.exists()
    assert set_up.main([]) == 0
    assert installs == [1]


@pytest.mark.usefixtures("bare_venvs")
def test_an_interrupted_set_up_is_made_anew(set_up, tmp_path, monkeypatch, capsys):
    def interrupt():
        raise KeyboardInterrupt

    with monkeypatch.context() as patch:
        patch.setattr(set_up, "install", interrupt)
        assert set_up.main([]) == 130
    (tmp_path / "project" / ".venv" / "half").touch()
    assert set_up.main([]) == 0
    assert "was not finished: making it anew" in capsys.readouterr().out
    assert not (tmp_path / "project" / ".venv" / "half").exists()


@pytest.mark.usefixtures("bare_venvs")
def test_a_folder_called_venv_that_is_something_else_is_left_alone(set_up, tmp_path, capsys):
    thesis = tmp_path / "project" / ".venv" / "thesis.txt"
    thesis.parent.mkdir()
    thesis.write_text("mine")
    assert set_up.main([]) == 1
    assert "left alone" in capsys.readouterr().err
    assert thesis.read_text() == "mine"


@pytest.mark.parametrize(
    ("said", "words"),
    [
        ("WARNING: Retrying after connection broken by 'NewConnectionError(...)'", "could not be reached"),
        ("ERROR: THESE PACKAGES DO NOT MATCH THE HASHES FROM THE REQUIREMENTS FILE", "cut short"),
        ("ERROR: Could not install packages due to an OSError: [Errno 28] No space left on device", "disk is full"),
        ("ERROR: something else", "last lines are above"),
    ],
)
def test_what_stops_pip_is_told_in_plain_words(set_up, said, words):
    assert words in set_up.explain(said)


@posix
def test_when_pip_fails_the_reader_sees_its_words_and_what_to_do(set_up, tmp_path, capsys):
    python = tmp_path / "project" / ".venv" / "bin" / "python"
    python.parent.mkdir(parents=True)
    python.write_text("#!/bin/sh\necho 'NewConnectionError: no route'\nexit 1\n")
    python.chmod(0o755)
    with pytest.raises(set_up.SetUpError, match="could not be reached"):
        set_up.pip(["install", "numpy"])
    assert "no route" in capsys.readouterr().out


def test_make_says_what_it_needs_when_there_is_no_python(root, require):
    run = subprocess.run(
        [require("make"), "set-up", "PYTHON=no-such-python"], cwd=root, capture_output=True, text=True, check=False
    )
    assert run.returncode != 0
    assert "3.11 to 3.13" in run.stderr


# ---- grader.desk.lab: a learner's copies


@pytest.fixture
def released(tmp_path):
    folder = tmp_path / "notebooks"
    for name in ("0-start-here/start-here.ipynb", "1-context-vectors/1-embeddings.ipynb"):
        (folder / name).parent.mkdir(parents=True, exist_ok=True)
        (folder / name).write_text(f"released {name}")
    return folder


def test_a_learner_gets_every_released_file(released, tmp_path):
    copies = lab.copy_notebooks(released, tmp_path / "work")
    assert [name.as_posix() for name in copies.new] == [
        "0-start-here/start-here.ipynb",
        "1-context-vectors/1-embeddings.ipynb",
    ]
    assert copies.kept == []
    assert (tmp_path / "work" / "0-start-here" / "start-here.ipynb").read_text().startswith("released")


def test_a_learners_file_is_never_overwritten_and_new_ones_are_added(released, tmp_path):
    work = tmp_path / "work"
    lab.copy_notebooks(released, work)
    mine = work / "0-start-here" / "start-here.ipynb"
    mine.write_text("my work")
    (released / "1-context-vectors" / "2-scores.ipynb").write_text("new")
    copies = lab.copy_notebooks(released, work)
    assert [name.as_posix() for name in copies.new] == ["1-context-vectors/2-scores.ipynb"]
    assert mine.read_text() == "my work"


def test_an_interrupted_copy_leaves_no_half_notebook(released, tmp_path, monkeypatch):
    def cut_short(source, target):
        raise KeyboardInterrupt

    with monkeypatch.context() as patch:
        patch.setattr("grader.files.os.link", cut_short)
        with pytest.raises(KeyboardInterrupt):
            lab.copy_notebooks(released, tmp_path / "work")
    assert [path for path in (tmp_path / "work").rglob("*") if path.is_file()] == []
    lab.copy_notebooks(released, tmp_path / "work")
    assert (tmp_path / "work" / "0-start-here" / "start-here.ipynb").read_text().startswith("released")


def test_a_folder_that_cannot_be_written_is_told(released, tmp_path):
    (tmp_path / "work").write_text("a file in the way")
    with pytest.raises(CourseError, match=r"work.* cannot be written: "):
        lab.copy_notebooks(released, tmp_path / "work")


def test_without_released_notebooks_the_message_says_how_to_make_them(tmp_path):
    with pytest.raises(CourseError, match="python -m grader release"):
        lab.copy_notebooks(tmp_path / "nothing", tmp_path / "work")


# ---- grader.desk.lab: the server


@pytest.fixture
def taken_port():
    with socket.socket() as server:
        server.bind(("127.0.0.1", 0))
        server.listen()
        yield server.getsockname()[1]


@pytest.mark.more
def test_a_taken_port_that_was_asked_for_is_refused_with_words(taken_port, tmp_path):
    server = lab.Server("learner", tmp_path, tmp_path / "state", taken_port)
    with pytest.raises(CourseError, match=rf"Port {taken_port} is taken.*\n.*--port"), server:
        pass


@pytest.mark.more
def test_without_a_wish_another_port_is_used_and_told(taken_port, tmp_path, monkeypatch, capsys):
    monkeypatch.setattr(lab, "FIRST_PORT", taken_port)
    monkeypatch.setattr(lab, "ROOT", tmp_path)
    monkeypatch.setattr(lab, "GRADING", tmp_path / "grading")
    monkeypatch.setattr(lab.signal, "signal", lambda *arguments: None)
    answers = []

    def look(server):
        with urllib.request.urlopen(server.address("some notebook.ipynb"), timeout=30) as answer:
            answers.append((server.port, server.log, answer.status))
        raise KeyboardInterrupt

    monkeypatch.setattr(lab.Server, "wait", look)
    assert lab.teach(browser=False) == 0
    [(port, log, status)] = answers
    assert port != taken_port
    assert status == 200
    said = capsys.readouterr().out
    assert f"Port {taken_port} is taken, so this one listens on {port}." in said
    assert f"http://localhost:{port}/lab?token=" in said
    assert log.name == f"server-{port}.log"
    assert str(port) in log.read_text()


def test_a_port_that_cannot_be_is_refused_with_words(tmp_path):
    with pytest.raises(CourseError, match="from 1024 to 65535"):
        lab.Server("learner", tmp_path, tmp_path / "state", 99_999)


def test_the_server_finds_the_environments_programs_and_settings(tmp_path, monkeypatch):
    monkeypatch.setenv("MPLBACKEND", "agg")
    env = lab.environment("learner", "token", tmp_path)
    assert env["PATH"].split(os.pathsep)[0] == os.path.dirname(sys.executable)
    assert "MPLBACKEND" not in env


def test_numpy_has_one_thread_unless_somebody_wants_more(tmp_path, monkeypatch):
    for name in ONE_THREAD:
        monkeypatch.delenv(name, raising=False)
    monkeypatch.setenv("OMP_NUM_THREADS", "8")
    env = lab.environment("learner", "token", tmp_path)
    assert {name: env[name] for name in ONE_THREAD} == {**ONE_THREAD, "OMP_NUM_THREADS": "8"}


def test_the_kernel_of_the_course_is_found_first_and_explains_missing_names(tmp_path, monkeypatch):
    monkeypatch.setenv("JUPYTER_PATH", str(tmp_path))
    env = lab.environment("learner", "token", tmp_path)
    assert env["JUPYTER_PATH"].split(os.pathsep)[-1] == str(tmp_path)
    code = "from jupyter_client.kernelspec import get_kernel_spec as get; print(*get('python3').argv)"
    answer = subprocess.run([sys.executable, "-c", code], env=env, capture_output=True, text=True, check=True).stdout
    assert "--ext=grader.judging.cells" in answer.split()


def test_a_kernel_that_an_editor_starts_explains_missing_names_too(set_up, tmp_path, monkeypatch):
    monkeypatch.setattr(set_up, "pip", lambda arguments, total=None: None)
    monkeypatch.setattr(set_up.subprocess, "run", lambda *args, **kwargs: None)
    set_up.really_install()
    settings = tmp_path / "project" / ".venv" / "etc" / "ipython" / "ipython_kernel_config.py"
    assert settings.read_text() == 'c.InteractiveShellApp.extra_extensions = ["grader.judging.cells"]\n'


@pytest.mark.parametrize("audience", ["learner", "instructor"])
def test_the_settings_of_an_audience_are_read_by_jupyter(audience, tmp_path):
    env = lab.environment(audience, "token", tmp_path)
    code = "import json; from jupyterlab_server.config import get_page_config as get; print(json.dumps(get([])))"
    answer = subprocess.run([sys.executable, "-c", code], env=env, capture_output=True, text=True, check=True).stdout
    disabled = json.loads(answer)["disabledExtensions"]
    assert "@jupyterlab/apputils-extension:announcements" in disabled
    assert ("@jupyter/nbgrader:formgrader" in disabled) == (audience == "learner")
    assert "@jupyter/nbgrader:validate-assignment" not in disabled


def test_a_server_that_cannot_start_says_why(tmp_path):
    server = lab.Server("learner", tmp_path, tmp_path / "state", options=["--ServerApp.root_dir=/no/such/folder"])
    with pytest.raises(CourseError, match=r"(?s)stopped at once.*no/such/folder"), server:
        pass


@pytest.mark.more
def test_the_command_says_that_a_port_is_taken_and_ends(tmp_path, taken_port, monkeypatch, capsys):
    monkeypatch.setattr(lab, "WORK", tmp_path / "work")
    monkeypatch.setattr(lab, "copy_notebooks", lambda: lab.Copies([], []))
    monkeypatch.setattr(lab.signal, "signal", lambda *arguments: None)
    assert main(["lab", "--port", str(taken_port), "--no-browser"]) == 1
    assert f"Port {taken_port} is taken" in capsys.readouterr().err


# ---- elsewhere: a dev container, and Binder


CLEAN = {"PATH": f"{os.path.dirname(sys.executable)}:/usr/bin:/bin"}


def test_a_dev_container_installs_the_lock_and_opens_the_start(root, tmp_path):
    about = json.loads((root / ".devcontainer" / "devcontainer.json").read_text("utf-8"))
    assert about["onCreateCommand"] == "python3 scripts/set_up.py"
    assert re.search(r":3\.1[123]-", about["image"])
    steps = {name for name in about if name.endswith("Command")}
    assert steps == {"onCreateCommand", "postCreateCommand"}, "whatever else runs might install something"
    python, _, code = re.fullmatch(r"(\S+) (-c) '(.*)'", about["postCreateCommand"]).groups()
    assert python == ".venv/bin/python"
    done = subprocess.run([sys.executable, "-c", f"{code.replace('()', f'(work={str(tmp_path)!r})')}"], cwd=root)
    assert done.returncode == 0
    (opened,) = about["customizations"]["codespaces"]["openFiles"]
    assert (tmp_path / opened.removeprefix("work/")).is_file()
    assert opened == f"work/{lab.START}"


@pytest.mark.more
@posix
def test_binder_installs_the_lock_with_its_hashes_and_nothing_else(root, tmp_path, project):
    binder = root / ".binder"
    assert {path.name for path in binder.iterdir()} == {"requirements.txt", "runtime.txt", "postBuild", "start"}
    minor = int(re.fullmatch(r"python-3\.(\d+)\n", (binder / "runtime.txt").read_text("utf-8"))[1])
    oldest, beyond = map(int, re.findall(r"3\.(\d+)", project["project"]["requires-python"]))
    assert oldest <= minor < beyond
    lines = (binder / "requirements.txt").read_text("utf-8").splitlines()
    assert lines == ["--require-hashes", "-r ../requirements.lock"]
    installs = [line for line in (binder / "postBuild").read_text("utf-8").splitlines() if " install " in line]
    assert installs == ["python -m pip install --no-deps --no-build-isolation --no-index --editable ."]
    spec = importlib.util.spec_from_file_location("real_set_up", root / "scripts" / "set_up.py")
    real = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(real)
    if (real.read_stamp() or {}).get("key") != real.wanted_key():
        pytest.skip("this environment was not made from the lock as it is now (make set-up)")
    # All of it is there: pip, which finds and reads both files, has nothing to fetch.
    command = [sys.executable, "-m", "pip", "install", "--dry-run", "--no-index", "--disable-pip-version-check"]
    done = subprocess.run(
        [*command, "-r", str(binder / "requirements.txt")],
        cwd=tmp_path,
        env={**CLEAN, "HOME": str(tmp_path)},
        capture_output=True,
        text=True,
    )
    assert done.returncode == 0, done.stderr
    assert "Would install" not in done.stdout


@posix
def test_binder_starts_jupyterlab_with_the_settings_of_the_lab(root, tmp_path):
    for name in ("postBuild", "start"):
        assert os.access(root / ".binder" / name, os.X_OK), name
    told = subprocess.run(
        [root / ".binder" / "start", "env"], env={**CLEAN, "HOME": str(tmp_path)}, capture_output=True, text=True
    )
    said = dict(line.split("=", 1) for line in told.stdout.splitlines())
    wanted = lab.environment("learner", "token", tmp_path)
    for name in ("JUPYTER_CONFIG_PATH", "JUPYTER_PATH", "JUPYTER_PREFER_ENV_PATH", *ONE_THREAD):
        assert said[name] == wanted[name], name
