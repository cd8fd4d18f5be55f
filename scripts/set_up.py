"""Make the course's own Python environment in `.venv`, or find it ready: `python3 scripts/set_up.py`.

`make lab`, `make test` and the others call this first. It needs nothing but Python's standard library, and it parses
on Pythons much older than the course supports, so that somebody who has one reads what to do instead of a traceback.
"""

import contextlib
import hashlib
import json
import os
import re
import shutil
import subprocess
import sys
import time

ROOT = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
VENV = os.path.join(ROOT, ".venv")
LOCK = os.path.join(ROOT, "requirements.lock")
PROJECT = os.path.join(ROOT, "pyproject.toml")
# Written last: an environment without it was interrupted half-way and is made anew.
STAMP = os.path.join(VENV, "attention-course.json")

OLDEST, NEWEST = (3, 11), (3, 13)
WANTED = "Python %d.%d to %d.%d" % (OLDEST + NEWEST)

# What a Python says about itself. `_base_executable` is the real one behind a virtual environment or a shim.
QUESTION = """
import json, sys
try:
    import ensurepip, venv
    can = True
except ImportError:
    can = False
base = getattr(sys, "_base_executable", None) or sys.executable
print(json.dumps({"version": list(sys.version_info[:3]), "base": base, "can_make_venv": can}))
"""

# On all processors. What cannot be compiled, as tests of other versions of Python, is left as it is.
COMPILE = """
import compileall, sysconfig
for folder in (sysconfig.get_path("purelib"), "attnlib", "grader"):
    compileall.compile_dir(folder, quiet=2, workers=0)
"""

NETWORK = re.compile(
    r"NewConnectionError|Failed to establish a new connection|name resolution|getaddrinfo|Network is unreachable"
    r"|from versions: none|ConnectTimeout|ReadTimeout|ConnectionResetError|ProxyError|Could not fetch URL|SSLError"
)


class SetUpError(Exception):
    """Something the reader has to put right; the message says what and how."""


def say(text):
    """Print at once, also into a pipe, so that the lines and pip's stay in order."""
    print(text, flush=True)


def venv_python(folder=None):
    """Return where the environment's Python is on this platform."""
    folder = folder or VENV
    if os.name == "nt":
        return os.path.join(folder, "Scripts", "python.exe")
    return os.path.join(folder, "bin", "python")


def ask(command):
    """Return what the Python that `command` starts says about itself, or None if it does not answer."""
    try:
        answer = subprocess.run(
            [*command, "-c", QUESTION],
            stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL,
            stdin=subprocess.DEVNULL,
            timeout=30,
        )
        facts = json.loads(answer.stdout.decode())
    except (OSError, ValueError, subprocess.TimeoutExpired):
        return None
    facts["version"] = tuple(facts["version"])
    return facts


def fits(version):
    """Say whether the course runs on this version of Python."""
    return OLDEST <= version[:2] <= NEWEST


def candidates():
    """Yield commands that may start a fitting Python: the one that runs this, then those on PATH, newest first."""
    yield [sys.executable]
    minors = ["%d.%d" % (NEWEST[0], minor) for minor in range(NEWEST[1], OLDEST[1] - 1, -1)]
    if os.name == "nt" and shutil.which("py"):
        for minor in minors:
            yield ["py", "-" + minor]
    for name in ["python" + minor for minor in minors] + ["python3", "python"]:
        path = shutil.which(name)
        if path:
            yield [path]


def choose_python():
    """Return the path and the version of a Python that can make the environment.

    Raises
    ------
    SetUpError
        If none fits, or none of those that fit can make virtual environments.
    """
    seen, without_venv = [], None
    for command in candidates():
        facts = ask(command)
        if facts is None:
            continue
        if not fits(facts["version"]):
            seen.append("%d.%d" % facts["version"][:2])
        elif facts["can_make_venv"]:
            return facts["base"], facts["version"]
        elif without_venv is None:
            without_venv = facts["version"]
    if without_venv:
        raise SetUpError(
            "Python %d.%d is here, but without the part that makes environments (venv and ensurepip).\n"
            "  Debian, Ubuntu:  sudo apt install python3-venv   (or python%d.%d-venv)\n"
            "  elsewhere:       install Python from https://www.python.org/downloads/\n"
            "Then run the same command again." % (without_venv[:2] + without_venv[:2])
        )
    found = "found only Python " + ", ".join(sorted(set(seen))) if seen else "found none"
    raise SetUpError(
        "The course needs %s; %s.\n"
        "  Debian, Ubuntu:  sudo apt install python3.12 python3.12-venv   (or the version your release has)\n"
        "  macOS:           brew install python@3.12\n"
        "  Windows:         winget install Python.Python.3.12\n"
        "  anywhere:        https://www.python.org/downloads/   or, with conda: conda env create -f environment.yml\n"
        "Then run the same command again. A Python outside PATH can be named: make lab PYTHON=/path/to/python3.12"
        % (WANTED, found)
    )


def wanted_key():
    """Return a digest of all that the environment is made from: the lock, the project and where it lies."""
    digest = hashlib.sha256()
    for path in (LOCK, PROJECT):
        with open(path, "rb") as file:
            digest.update(hashlib.sha256(file.read()).digest())
    # An environment cannot be moved: its scripts and its link to the project hold absolute paths.
    digest.update(ROOT.encode("utf-8", "surrogateescape"))
    return digest.hexdigest()


def read_stamp():
    """Return what the finished environment was made from, or None if it was never finished."""
    try:
        with open(STAMP, encoding="utf-8") as file:
            stamp = json.load(file)
        return stamp if isinstance(stamp, dict) else None
    except (OSError, ValueError):
        return None


def remove_venv():
    """Remove `.venv`, unless it is something that no set-up could have made."""
    if os.path.islink(VENV) or not os.path.isdir(VENV):
        raise SetUpError("%s is in the way: it is not a folder. Move it away, then run the same command again." % VENV)
    ours = {"bin", "include", "lib", "lib64", "Include", "Lib", "Scripts", "share", "etc", "pyvenv.cfg", ".gitignore"}
    known = os.path.exists(os.path.join(VENV, "pyvenv.cfg")) or os.path.exists(STAMP)
    if not known and not set(os.listdir(VENV)) <= ours:
        raise SetUpError(
            "%s is not a Python environment, so it was left alone.\nMove it away, then run the same command again."
            % VENV
        )
    shutil.rmtree(VENV)


def child_environment():
    """Return the environment variables for pip: the caller's (proxies, mirrors), without what would misdirect it."""
    env = dict(os.environ)
    for name in ("PIP_USER", "PIP_TARGET", "PIP_PREFIX", "PIP_REQUIRE_HASHES", "PYTHONHOME", "PYTHONPATH"):
        env.pop(name, None)
    return env


def explain(output):
    """Return what went wrong in plain words, from what pip wrote."""
    if NETWORK.search(output):
        return (
            "The package index could not be reached.\n"
            "Setting up needs the network once; afterwards the course works without it.\n"
            "Check the connection (behind a proxy: set HTTPS_PROXY), then run the same command again."
        )
    if "No space left" in output:
        return "The disk is full: the environment takes about 700 MB. Make room, then run the same command again."
    if "DO NOT MATCH THE HASHES" in output:
        return (
            "A downloaded package is not the one that requirements.lock names.\n"
            "Usually a download was cut short, or a mirror is wrong: run the same command again, or use another mirror."
        )
    return "pip could not install the packages; its last lines are above."


def forget_stamp():
    """Mark the environment as unfinished: from here on, an interruption would leave it damaged."""
    with contextlib.suppress(FileNotFoundError):
        os.remove(STAMP)


def pip(arguments, total=None):
    """Run the environment's pip; show a running count of packages, and its own words only when it fails."""
    command = [venv_python(), "-m", "pip", "--disable-pip-version-check", "--no-input", *arguments]
    process = subprocess.Popen(
        command,
        cwd=ROOT,
        env=child_environment(),
        stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        universal_newlines=True,
        encoding="utf-8",
        errors="replace",
    )
    lines, count, live = [], 0, bool(total) and sys.stdout.isatty()
    try:
        for line in process.stdout:
            lines.append(line.rstrip())
            if line.startswith("Collecting "):
                count += 1
                if live:
                    name = re.split(r"[=<>! ]", line.split()[1])[0]
                    print("\r  downloading %d of about %d: %-30s" % (count, total, name[:30]), end="", flush=True)
            elif line.startswith("Installing collected packages"):
                # Everything is downloaded by now: without a network an update fails before this and damages nothing.
                forget_stamp()
                if total:
                    say(("\r" + " " * 60 + "\r" if live else "") + "  unpacking them ...")
    except BaseException:
        process.kill()
        raise
    finally:
        process.stdout.close()
        status = process.wait()
    if status:
        telling = [line for line in lines if line and not line.startswith(("Ignoring ", "Looking in ", "Requirement "))]
        say(("\n" if live else "") + "\n".join("  | " + line for line in telling[-8:]))
        raise SetUpError(explain("\n".join(lines)))


def count_locked():
    """Return how many packages the lock names."""
    with open(LOCK, encoding="utf-8") as file:
        return len({line.split("==")[0] for line in file if re.match(r"[A-Za-z0-9]", line)})


def install():
    """Install exactly the locked packages, then the course itself, in place: its folders stay the ones imported."""
    total = count_locked()
    say("Installing %d packages from requirements.lock (once; a few minutes, about 700 MB) ..." % total)
    # The lock names all that is needed: pip need not find it out once more.
    pip(["install", "--no-deps", "--no-compile", "--require-hashes", "--requirement", LOCK], total)
    # The builder comes from the lock too, so nothing is fetched behind pip's back.
    pip(["install", "--no-deps", "--no-build-isolation", "--no-index", "--editable", ROOT])
    # Also in an editor that starts its kernels itself, a missing name is explained before any cell has been run.
    settings = os.path.join(VENV, "etc", "ipython")
    os.makedirs(settings, exist_ok=True)
    with open(os.path.join(settings, "ipython_kernel_config.py"), "w", encoding="utf-8") as file:
        file.write('c.InteractiveShellApp.extra_extensions = ["grader.judging.cells"]\n')
    # pip would do it one file after the other. The sandbox reads all of this, and could not keep what it compiles.
    say("  compiling them ...")
    subprocess.run([venv_python(), "-c", COMPILE], cwd=ROOT, stdout=subprocess.DEVNULL)


def set_up():
    """Make the environment, bring it up to date, or find that it is ready."""
    stamp, key = read_stamp(), wanted_key()
    if stamp:
        facts = ask([venv_python()])
        alive = facts is not None and list(facts["version"]) == stamp.get("python")
        if alive and stamp.get("key") == key:
            return
        if alive and stamp.get("root") == ROOT:
            say("The course's list of packages has changed: updating .venv.")
        else:
            say("The Python behind .venv or its folder has changed: making it anew.")
            remove_venv()
    elif os.path.lexists(VENV):
        say("A .venv is here that was not finished: making it anew.")
        remove_venv()
    if not os.path.isdir(VENV):
        base, version = choose_python()
        say("Making the course's environment in .venv with Python %d.%d.%d (%s)." % (*version, base))
        made = subprocess.run(
            [base, "-m", "venv", VENV], stdout=subprocess.PIPE, stderr=subprocess.STDOUT, env=child_environment()
        )
        if made.returncode:
            say(made.stdout.decode("utf-8", "replace").rstrip())
            raise SetUpError("Python's venv could not make %s; it says why above." % VENV)
    else:
        version = facts["version"]
    started = time.time()
    install()
    with open(STAMP + ".part", "w", encoding="utf-8") as file:
        json.dump({"key": key, "python": list(version), "root": ROOT}, file)
    os.replace(STAMP + ".part", STAMP)
    say("The environment is ready (%.0f seconds)." % (time.time() - started))


def main(arguments):
    """Set up, and turn what went wrong into words and an exit status."""
    if arguments:
        say(__doc__)
        return 0 if arguments in (["-h"], ["--help"]) else 2
    try:
        set_up()
    except SetUpError as error:
        print("\nSet-up stopped.\n%s" % error, file=sys.stderr)
        return 1
    except KeyboardInterrupt:
        print("\nInterrupted. Run the same command again: what is half-made is made anew.", file=sys.stderr)
        return 130
    except OSError as error:
        print("\nSet-up stopped: %s" % error, file=sys.stderr)
        return 1
    if "MAKELEVEL" not in os.environ:
        say("Ready. Open the course with: %s -m grader lab" % venv_python())
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
