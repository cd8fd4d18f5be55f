"""The command line of bubblewrap: what everything of the sandbox sees of this machine."""

import os
import shutil
import sys
from pathlib import Path

from grader.classroom.sandbox.inside.calls import ARCHITECTURES
from grader.classroom.sandbox.inside.zygote import HOME
from grader.classroom.sandbox.library import DATA, GRADER, SOURCE
from grader.errors import CourseError

#: Folders of the Python that runs the course: its own, and that of the environment.
PYTHON = list(dict.fromkeys((sys.base_prefix, sys.prefix)))
#: For those who grade others.
TRUSTED = ", or, for a class that you trust, add --no-sandbox"
ELSEWHERE = f"grade on such a machine{TRUSTED}"
CURE = f"install bubblewrap (Debian, Ubuntu: apt install bubblewrap) and allow user namespaces on this machine{TRUSTED}"


class NoSandbox(CourseError):
    """The sandbox cannot be started; the message says why, and what to do."""


def program() -> str:
    """The path of bubblewrap; raises `NoSandbox` where there is none, or none that shuts everything."""
    machine = os.uname().machine
    if machine not in ARCHITECTURES:
        known = " and ".join(ARCHITECTURES)
        raise NoSandbox(f"the sandbox knows the calls of {known}, and this is {machine}; {ELSEWHERE}")
    path = shutil.which("bwrap")
    if path is None:
        raise NoSandbox(f"bubblewrap is not installed; {CURE}")
    return path


def command(top: Path) -> list[str]:
    """The command that everything of the sandbox runs in; `top` is the folder that was written for it.

    Nothing of this machine can be written; of its files only programs, the Python of the course and its fonts can be
    read. What each notebook gets for itself (empty folders, namespaces) its own process makes: see `zygote`.
    """
    # All in the sandbox die with this process; without a session of its own, it could type into our terminal.
    words = [program(), "--die-with-parent", "--new-session", "--unshare-pid", "--unshare-net", "--unshare-ipc"]
    words += ["--unshare-uts", "--unshare-cgroup-try"]
    if os.geteuid() == 0:
        # Root stays root just long enough to number a notebook's processes and to become nobody; each notebook makes a
        # user namespace of its own.
        for name in ("CAP_SETUID", "CAP_SETGID", "CAP_SYS_ADMIN"):
            words += ["--cap-add", name]
    else:
        words += ["--unshare-user"]
    words += ["--ro-bind", "/usr", "/usr"]
    for name in ("/bin", "/sbin", "/lib", "/lib32", "/lib64", "/libx32"):
        if os.path.islink(name):  # most systems have merged them into /usr
            words += ["--symlink", os.readlink(name), name]
        elif os.path.isdir(name):
            words += ["--ro-bind", name, name]
    # Not all of /etc: it tells who has an account here.
    for name in ("/etc/ld.so.cache", "/etc/fonts", "/etc/alternatives", "/etc/localtime"):
        words += ["--ro-bind-try", name, name]
    # Whatever else lies within what was bound (a course below /usr, say) goes; the Python that runs the course stays.
    words += ["--tmpfs", str(GRADER.parent)]
    for folder in map(Path, PYTHON):
        if not folder.is_relative_to("/usr") or folder.is_relative_to(GRADER.parent):
            for parent in reversed(folder.parents[:-1]):  # bubblewrap would close them to everybody but root
                words += ["--perms", "0755", "--dir", str(parent)]
            words += ["--ro-bind", str(folder), str(folder)]
    for package in (SOURCE, GRADER):
        if package.is_relative_to(sys.prefix):  # installed, not linked
            words += ["--tmpfs", str(package)]
    words += ["--ro-bind", str(top / "course"), "/course", "--ro-bind", str(top / "libraries"), "/libraries"]
    words += ["--ro-bind", str(SOURCE / DATA), f"/course/attnlib/{DATA}"]
    words += ["--dir", "/tmp", "--dir", "/notebook", "--tmpfs", HOME]
    words += ["--proc", "/proc", "--dev", "/dev"]
    words += ["--dev-bind", "/dev/null", "/dev/zero"]  # it would give memory that nobody holds
    # Last, what is mounted so far becomes read-only.
    return [*words, "--remount-ro", "/dev", "--remount-ro", "/", "--chdir", "/"]
