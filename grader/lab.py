"""Open JupyterLab for a learner (`lab`) or for an instructor (`teach`).

Both start in the repository, because nbgrader reads its configuration from the current directory only. What each
audience sees is set by the two folders in `grader/jupyter`, for this one launch: nobody's own Jupyter settings change.
"""

import contextlib
import errno
import json
import os
import secrets
import shutil
import signal
import socket
import subprocess
import sys
import time
import urllib.error
import urllib.request
import webbrowser
from dataclasses import dataclass
from pathlib import Path
from urllib.parse import quote

ROOT = Path(__file__).resolve().parent.parent
RELEASED = ROOT / "notebooks"
WORK = ROOT / "work"
GRADING = ROOT / "grading"
START = "0-start-here/start-here.ipynb"
FIRST_PORT = 8888
PORTS_TO_TRY = 100


class LabError(Exception):
    """JupyterLab cannot be opened; the message says why and what to do next."""


# ---- a learner's copies


@dataclass
class Copies:
    """What `copy_notebooks` did, as paths relative to the learner's folder."""

    new: list[Path]
    kept: list[Path]


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
    LabError
        If there is nothing to copy from.
    """
    copies = Copies([], [])
    sources = [
        path for path in sorted(Path(released).rglob("*")) if path.is_file() and ".ipynb_checkpoints" not in path.parts
    ]
    if not sources:
        raise LabError(f"There are no notebooks in {released}.\nMake them with: python -m grader release")
    for source in sources:
        name = source.relative_to(released)
        target = Path(work) / name
        if os.path.lexists(target):
            copies.kept.append(name)
            continue
        target.parent.mkdir(parents=True, exist_ok=True)
        # By way of a second name: an interruption must not leave half a notebook that is then kept for ever.
        partial = target.with_name(f".{target.name}.part")
        shutil.copyfile(source, partial)
        os.replace(partial, target)
        copies.new.append(name)
    return copies


# ---- the server


def port_is_free(port):
    """Say whether a server can listen on this port of the local machine.

    Raises
    ------
    LabError
        If the port may not be used at all.
    """
    families = [(socket.AF_INET, "127.0.0.1")]
    if socket.has_ipv6:
        families.append((socket.AF_INET6, "::1"))
    for family, host in families:
        try:
            with socket.socket(family, socket.SOCK_STREAM) as probe:
                if os.name == "posix":
                    # As the server does: a connection that has just been closed does not hold the port.
                    probe.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
                probe.bind((host, port))
        except (OSError, OverflowError) as error:
            number = getattr(error, "errno", None)
            if number == errno.EADDRINUSE:
                return False
            if number == errno.EACCES or isinstance(error, OverflowError):
                raise LabError(f"Port {port} may not be used; choose one from 1024 to 65535.") from None
            # This machine has no such address: then nobody can hold the port there.
    return True


def choose_port(wanted=None):
    """Return the wanted port, or else the first free one from 8888 on.

    Raises
    ------
    LabError
        If the wanted port is taken, or none is free.

    Examples
    --------
    >>> choose_port() >= 8888
    True
    """
    if wanted is not None:
        if port_is_free(wanted):
            return wanted
        raise LabError(
            f"Port {wanted} is taken by another program, perhaps the course in another window.\n"
            f"Stop that one, or choose another port: --port {wanted + 1}; without --port, a free one is found."
        )
    for port in range(FIRST_PORT, FIRST_PORT + PORTS_TO_TRY):
        if port_is_free(port):
            return port
    raise LabError(f"No port from {FIRST_PORT} to {FIRST_PORT + PORTS_TO_TRY - 1} is free; name one with --port.")


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
    env = dict(os.environ)
    # nbgrader calls `alembic` by its name.
    env["PATH"] = os.pathsep.join([str(Path(sys.executable).parent), env.get("PATH", "")])
    settings = [str(ROOT / "grader" / "jupyter" / audience)]
    if env.get("JUPYTER_CONFIG_PATH"):
        settings.append(env["JUPYTER_CONFIG_PATH"])
    env["JUPYTER_CONFIG_PATH"] = os.pathsep.join(settings)
    # A kernel called python3 that another project has installed for this user must not win over the course's.
    env["JUPYTER_PREFER_ENV_PATH"] = "1"
    env["JUPYTER_TOKEN"] = token
    env["JUPYTERLAB_WORKSPACES_DIR"] = str(Path(state).resolve() / "workspaces")
    # A backend chosen for scripts would keep figures out of the notebooks.
    env.pop("MPLBACKEND", None)
    return env


def command(root_dir, port):
    """Return the command that starts a JupyterLab on a folder, on exactly this port."""
    arguments = [
        sys.executable,
        "-m",
        "jupyterlab",
        "--no-browser",
        f"--ServerApp.root_dir={Path(root_dir).resolve()}",
        f"--ServerApp.port={port}",
        "--ServerApp.port_retries=0",
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
        By default the first free one.
    course : Path, optional
        The repository that it starts in, where nbgrader's configuration is.
    options : sequence of str, optional
        Further arguments for JupyterLab.
    """

    def __init__(self, audience, root_dir, state, port=None, course=ROOT, options=()):
        self.port = choose_port(port)
        self.token = secrets.token_hex(24)
        self._command = [*command(root_dir, self.port), *options]
        self._course = course
        self._environment = environment(audience, self.token, state)
        # In a file, not in the terminal, where the address would scroll away under every kernel's notices.
        self.log = Path(state).resolve() / f"server-{self.port}.log"
        self._process = None

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
        return f"http://localhost:{self.port}/{page}?token={self.token}"

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
        request = urllib.request.Request(
            f"http://localhost:{self.port}/api/status", headers={"Authorization": f"token {self.token}"}
        )
        deadline = time.monotonic() + patience
        while time.monotonic() < deadline:
            if self._process.poll() is not None:
                said = "\n".join(self.log.read_text("utf-8", "replace").splitlines()[-8:])
                raise LabError(f"JupyterLab stopped at once (exit status {self._process.returncode}):\n{said}")
            with contextlib.suppress(OSError, ValueError), opener.open(request, timeout=5) as answer:
                if "kernels" in json.load(answer):
                    return
            time.sleep(0.1)
        raise LabError(f"JupyterLab did not answer within {patience} seconds; its log is {self.log}")


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


def _serve(audience, root_dir, state, start, port, browser):
    """Start a server, say where it is, and stay until it is stopped."""
    # Whatever ends this command ends the server with it.
    signal.signal(signal.SIGTERM, signal.default_int_handler)
    print("Starting JupyterLab ...", flush=True)
    try:
        with Server(audience, root_dir, state, port) as server:
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
    except LabError as error:
        print(error, file=sys.stderr)
        return 1


def lab(port=None, browser=None):
    """Bring the learner's copies up to date and open JupyterLab on them.

    Parameters
    ----------
    port : int, optional
        By default the first free one from 8888 on.
    browser : bool, optional
        Open a browser; by default where there is a screen.

    Returns
    -------
    status : int
        0 when stopped by the user.
    """
    try:
        copies = copy_notebooks()
    except (LabError, OSError) as error:
        print(error, file=sys.stderr)
        return 1
    if copies.kept and copies.new:
        print(f"Added to {WORK.name}/: {', '.join(name.as_posix() for name in copies.new)}")
    elif copies.new:
        print(f"Copied {len(copies.new)} files to {WORK}: these are yours to change.")
    if copies.kept:
        print(f"Kept your {len(copies.kept)} files in {WORK.name}/ as they are.")
    start = START if (WORK / START).is_file() else ""
    return _serve("learner", WORK, WORK / ".jupyterlab", start, port, browser)


def teach(port=None, browser=None, prepare=None):
    """Open JupyterLab on the repository, with nbgrader's formgrader.

    Parameters
    ----------
    port, browser
        As for `lab`.
    prepare : callable, optional
        Called without arguments once `grading/` is there: registers the parts in the gradebook.

    Returns
    -------
    status : int
    """
    # Without the folder nbgrader blames the database.
    for step in ("submitted", "autograded", "feedback"):
        (GRADING / step).mkdir(parents=True, exist_ok=True)
    if prepare is not None:
        print("Bringing the gradebook up to date ...", flush=True)
        prepare()
    print("Formgrader is in the menu Nbgrader of JupyterLab.")
    return _serve("instructor", ROOT, GRADING / ".jupyterlab", "", port, browser)
