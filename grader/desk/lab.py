"""Open JupyterLab for a learner (`lab`) or for an instructor (`teach`).

Both start in the repository, because nbgrader reads its configuration from the current directory only. What each
audience sees is set by the two folders in `jupyter`, for this one launch: nobody's own Jupyter settings change.
"""

import contextlib
import json
import os
import secrets
import signal
import socket
import subprocess
import sys
import time
import urllib.request
import webbrowser
from dataclasses import dataclass, field
from pathlib import Path
from urllib.parse import quote

from attnlib.widgets.explorer import JUPYTER as EXPLORERS
from grader.classroom.sandbox import ONE_THREAD
from grader.errors import CourseError
from grader.files import is_full, write_whole
from grader.notebook import news, with_model_answers
from grader.places import GRADING, RELEASED, ROOT, SOLUTIONS, WORK, alembic_on_path
from grader.words import plural

START = "0-start-here/start-here.ipynb"
FIRST_PORT = 8888


# ---- a learner's copies


def home_copy(source, solutions=SOLUTIONS):
    """A released file as a learner gets it at home: below a written question, a cell that shows a model answer.

    In a class, whose copy of the course is without the solutions, this is the file as it was released.

    Returns
    -------
    bytes
    """
    data = Path(source).read_bytes()
    if Path(source).suffix == ".ipynb" and Path(solutions).is_dir():
        with contextlib.suppress(ValueError, KeyError, TypeError, AttributeError):
            notebook = json.loads(data)
            if with_model_answers(notebook):
                return (json.dumps(notebook, ensure_ascii=False, indent=1, sort_keys=True) + "\n").encode()
    return data


@dataclass
class Copies:
    """What `copy_notebooks` did, as paths relative to the learner's folder.

    Attributes
    ----------
    new, kept : list of Path
        Copied now; there before, and not touched.
    older : dict of Path to list of str
        Those of `kept` of which there is a newer edition, with what it brings.
    """

    new: list[Path]
    kept: list[Path]
    older: dict[Path, list[str]] = field(default_factory=dict)


def copy_notebooks(released=RELEASED, work=WORK):
    """Copy the released files that a learner does not have yet; never touch one that is there.

    Parameters
    ----------
    released : Path
        The folder with one folder a part.
    work : Path
        The learner's folder; made when missing.

    Returns
    -------
    Copies

    Raises
    ------
    CourseError
        If there is nothing to copy from, or the learner's folder cannot be written.
    """
    copies = Copies([], [])
    sources = [
        path for path in sorted(Path(released).rglob("*")) if path.is_file() and ".ipynb_checkpoints" not in path.parts
    ]
    if not sources:
        raise CourseError(f"There are no notebooks in {released}.\nMake them with: python -m grader release")
    for source in sources:
        name = source.relative_to(released)
        target = Path(work) / name
        try:
            # Half a notebook would be kept for ever, so a notebook is there whole or not at all.
            is_new = not os.path.lexists(target) and write_whole(target, home_copy(source), replace=False)
        except OSError as problem:
            if is_full(problem):
                raise
            raise CourseError(f"{problem.filename or target} cannot be written: {problem.strerror}") from None
        (copies.new if is_new else copies.kept).append(name)
        if not is_new and name.suffix == ".ipynb" and (brought := _news(target, source)):
            copies.older[name] = brought
    return copies


def _news(mine, source):
    """What is new in a released notebook for whoever has this copy of it; nothing where either cannot be read."""
    with contextlib.suppress(OSError, ValueError, RecursionError):
        return news(json.loads(mine.read_bytes()), json.loads(source.read_bytes()))
    return []


def about_older(copies):
    """Which of a learner's notebooks have a newer edition, what it brings and how to get it, as text; "" if none has.

    Parameters
    ----------
    copies : Copies

    Examples
    --------
    >>> softmax = Path("1-context-vectors/3-softmax.ipynb")
    >>> print(about_older(Copies([], [softmax], {softmax: ["One more picture."]})))
    There are new editions. Your own copies stay as they are until you ask; your answers come along:
      python -m grader reset 3-softmax  # One more picture.
    (In a cell of a notebook, write ! in front.)
    """
    if not copies.older:
        return ""
    stems = [name.stem for name in (*copies.new, *copies.kept)]
    short = {
        name: name.stem if stems.count(name.stem) == 1 else name.with_suffix("").as_posix() for name in copies.older
    }
    width = max(map(len, short.values()))
    return "\n".join(
        [
            "There are new editions. Your own copies stay as they are until you ask; your answers come along:",
            *(
                f"  python -m grader reset {short[name]:{width}}  # {' '.join(said)}"
                for name, said in copies.older.items()
            ),
            "(In a cell of a notebook, write ! in front.)",
        ]
    )


# ---- the server


def environment(audience, token, state):
    """Return the environment variables for a JupyterLab.

    Parameters
    ----------
    audience : {"learner", "instructor"}
    token : str
        What opens this server to a browser.
    state : Path
        Where the layout of the windows and the log are kept, apart from the user's other projects.
    """
    # On small matrices threads get into each other's way: beside other work, ten times as slow.
    env = {**ONE_THREAD, **os.environ}
    alembic_on_path(env)
    settings = [str(Path(__file__).parent / "jupyter" / audience)]
    if env.get("JUPYTER_CONFIG_PATH"):
        settings.append(env["JUPYTER_CONFIG_PATH"])
    env["JUPYTER_CONFIG_PATH"] = os.pathsep.join(settings)
    # The course's kernel knows, before any cell has been run, which one to run when a name is missing.
    kernels = [str(Path(__file__).parent / "jupyter"), str(EXPLORERS), env.get("JUPYTER_PATH")]
    env["JUPYTER_PATH"] = os.pathsep.join(filter(None, kernels))
    # A kernel called python3 that another project has installed for this user must not win over the course's.
    env["JUPYTER_PREFER_ENV_PATH"] = "1"
    env["JUPYTER_TOKEN"] = token
    env["JUPYTERLAB_WORKSPACES_DIR"] = str(Path(state).resolve() / "workspaces")
    # A backend chosen for scripts would keep figures out of the notebooks.
    env.pop("MPLBACKEND", None)
    return env


def command(root_dir, port=None):
    """Return the command that starts a JupyterLab on a folder: on this port, or on a free one."""
    arguments = [
        sys.executable,
        "-m",
        "jupyterlab",
        "--no-browser",
        f"--ServerApp.root_dir={Path(root_dir).resolve()}",
        f"--ServerApp.port={FIRST_PORT if port is None else port}",
        f"--ServerApp.port_retries={50 if port is None else 0}",
        "--ServerApp.ip=localhost",
        "--ServerApp.answer_yes=True",
        # The list of extensions would be fetched from the network.
        "--LabApp.extension_manager=readonly",
    ]
    if hasattr(os, "geteuid") and os.geteuid() == 0:
        # In a container one often is root, and the token keeps others out.
        arguments.append("--allow-root")
    return arguments


class Server:
    """A running JupyterLab: a context manager that starts it, waits until it answers, and stops it.

    Parameters
    ----------
    audience : {"learner", "instructor"}
    root_dir : Path
        The folder that its file browser shows.
    state : Path
        See `environment`.
    port : int, optional
        By default a free one.
    course : Path, optional
        The repository that it starts in, where nbgrader's configuration is.
    options : sequence of str, optional
        Further arguments for JupyterLab.

    Attributes
    ----------
    port : int
        Where it listens; before that is known, what was asked for.
    log : Path
        What JupyterLab and its kernels have said.
    """

    def __init__(self, audience, root_dir, state, port=None, course=ROOT, options=()):
        if port is not None and not 0 < port < 2**16:
            raise CourseError(f"Port {port} may not be used; choose one from 1024 to 65535.")
        self.port, self.token = port, secrets.token_hex(24)
        self._command = [*command(root_dir, port), *options]
        self._course = course
        self._environment = environment(audience, self.token, state)
        # In a file, not in the terminal, where the address would scroll away under every kernel's notices.
        self.log = Path(state).resolve() / f"server-starting-{os.getpid()}.log"
        self._process, self._url = None, None

    def __enter__(self):
        Path(self._environment["JUPYTERLAB_WORKSPACES_DIR"]).mkdir(parents=True, exist_ok=True)
        with open(self.log, "w", encoding="utf-8") as log:
            self._process = subprocess.Popen(
                self._command,
                cwd=self._course,
                env=self._environment,
                stdin=subprocess.DEVNULL,
                stdout=log,
                stderr=subprocess.STDOUT,
            )
        try:
            self._wait_until_ready()
        except BaseException:
            self.stop()
            raise
        return self

    def __exit__(self, *exception):
        self.stop()

    def address(self, path=""):
        """Return what to open in a browser, for the whole of JupyterLab or for one file in it."""
        page = f"lab/tree/{quote(path)}" if path else "lab"
        return f"{self._url}{page}?token={self.token}"

    def wait(self):
        """Wait until the server ends, and return its exit status."""
        return self._process.wait()

    def stop(self):
        """End the server and its kernels."""
        if self._process is None:
            return
        if self._process.poll() is None:
            self._process.terminate()
            try:
                self._process.wait(timeout=15)
            except subprocess.TimeoutExpired:
                self._process.kill()
        self._process.wait()

    def _wait_until_ready(self, patience=120):
        # A proxy set for the Internet must not be asked for the local machine.
        opener = urllib.request.build_opener(urllib.request.ProxyHandler({}))
        deadline = time.monotonic() + patience
        while time.monotonic() < deadline:
            if self._process.poll() is not None:
                raise CourseError(self._why_it_stopped())
            if about := self._about():
                self.port, self._url = about["port"], about["url"]
                request = urllib.request.Request(
                    f"{self._url}api/status", headers={"Authorization": f"token {self.token}"}
                )
                with contextlib.suppress(OSError, ValueError), opener.open(request, timeout=5) as answer:
                    if "kernels" in json.load(answer):
                        # Another server's log may lie beside it. Windows keeps the name of a file that is open.
                        with contextlib.suppress(OSError):
                            self.log = self.log.replace(self.log.with_name(f"server-{self.port}.log"))
                        return
            time.sleep(0.1)
        raise CourseError(f"JupyterLab did not answer within {patience} seconds; its log is {self.log}")

    def _about(self):
        """What the server has written down about itself, as Jupyter's servers do; None as long as it has not."""
        from jupyter_core.paths import jupyter_runtime_dir

        # Not by the process's number, which on Windows is that of the environment's launcher.
        for path in Path(jupyter_runtime_dir()).glob("jpserver-*.json"):
            with contextlib.suppress(OSError, ValueError):
                about = json.loads(path.read_text(encoding="utf-8"))
                if about.get("token") == self.token:
                    return about
        return None

    def _why_it_stopped(self):
        said = "\n".join(self.log.read_text("utf-8", "replace").splitlines()[-8:])
        self.log.unlink()
        if self.port is not None:
            with contextlib.suppress(OSError), socket.create_connection(("localhost", self.port), timeout=5):
                return (
                    f"Port {self.port} is taken by another program, perhaps the course in another window.\n"
                    f"Stop that one, or choose another port: --port {self.port + 1}; without --port, one is found."
                )
        return f"JupyterLab stopped at once (exit status {self._process.returncode}):\n{said}"


# ---- the commands


def has_screen(environ=os.environ, platform=sys.platform):
    """Guess whether a browser can be shown to the person who started this.

    Examples
    --------
    >>> has_screen({}, "linux"), has_screen({"DISPLAY": ":0"}, "linux"), has_screen({}, "darwin")
    (False, True, True)
    >>> has_screen({"SSH_CONNECTION": "..."}, "darwin")
    False
    """
    if any(environ.get(name) for name in ("BROWSER", "DISPLAY", "WAYLAND_DISPLAY")):
        return True
    return platform in ("win32", "darwin") and not environ.get("SSH_CONNECTION")


def _serve(audience, root_dir, state, start, port, browser, course=ROOT):
    """Start a server, say where it is, and stay until it is stopped."""
    # Whatever ends this command ends the server with it.
    signal.signal(signal.SIGTERM, signal.default_int_handler)
    print("Starting JupyterLab ...", flush=True)
    try:
        with Server(audience, root_dir, state, port, course) as server:
            if port is None and server.port != FIRST_PORT:
                print(f"Port {FIRST_PORT} is taken, so this one listens on {server.port}.")
            address = server.address(start)
            opened = False
            if browser is not False and (browser or has_screen()):
                with contextlib.suppress(webbrowser.Error):
                    opened = webbrowser.open(address)
            hint = "It opens in your browser; if not, open" if opened else "Open this address in a browser"
            print(f"\n{hint}:\n\n    {address}\n", flush=True)
            if not opened and os.environ.get("SSH_CONNECTION"):
                print(
                    "From your own computer, first make a way to it:\n"
                    f"    ssh -L {server.port}:localhost:{server.port} THIS-MACHINE\n"
                )
            print("Stop it with Ctrl-C; saved work stays.", flush=True)
            status = server.wait()
            print(f"JupyterLab has ended; its log is {server.log}")
            return status
    except KeyboardInterrupt:
        print("\nStopped.")
        return 0


def lab(port=None, browser=None):
    """Bring the learner's copies up to date and open JupyterLab on them.

    Parameters
    ----------
    port : int, optional
        By default 8888, or a free one near it.
    browser : bool, optional
        Open a browser; by default where there is a screen.

    Returns
    -------
    status : int
        0 when stopped by the user.
    """
    copies = copy_notebooks()
    if copies.kept and copies.new:
        print(f"Added to {WORK.name}/: {', '.join(name.as_posix() for name in copies.new)}")
    elif copies.new:
        print(f"Copied {plural(len(copies.new), 'file')} to {WORK}: these are yours to change.")
    if copies.kept:
        print(f"Kept your {plural(len(copies.kept), 'file')} in {WORK.name}/ as they are.")
    if copies.older:
        print(about_older(copies))
    start = START if (WORK / START).is_file() else ""
    return _serve("learner", WORK, WORK / ".jupyterlab", start, port, browser)


def teach(port=None, browser=None, prepare=None, course=None):
    """Open JupyterLab on the repository, or on another course, with nbgrader's formgrader.

    Parameters
    ----------
    port, browser
        As for `lab`.
    prepare : callable, optional
        Called without arguments once `grading/` is there: registers the parts in the gradebook, or makes `course`.
    course : Path, optional
        A folder with a course of its own.

    Returns
    -------
    status : int
    """
    if course is not None:
        prepare()
        print(f"Formgrader is in the menu Nbgrader of JupyterLab. It shows {course}, and nothing of your own class.")
        return _serve("instructor", course, course / ".jupyterlab", "", port, browser, course)
    # Without the folder nbgrader blames the database.
    for step in ("submitted", "autograded", "feedback", "exchange"):
        (GRADING / step).mkdir(parents=True, exist_ok=True)
    if prepare is not None:
        print("Bringing the gradebook up to date ...", flush=True)
        prepare()
    print("Formgrader is in the menu Nbgrader of JupyterLab.")
    return _serve("instructor", ROOT, GRADING / ".jupyterlab", "", port, browser)
