"""The warm process inside the sandbox: has imported everything, runs no learner's code, and forks for each notebook.

Each fork gets a user, mount, process, network and IPC namespace of its own, an empty scratch folder, limits, and the
library of its notebook; it has no capabilities left when the learner's first cell runs. A fork of all that was imported
takes milliseconds, so there is one for a notebook, and the first process of its namespace is a small program.
"""

import ctypes
import gc
import importlib
import importlib.machinery
import importlib.util
import itertools
import json
import os
import resource
import signal
import socket
import sys
from pathlib import Path

from grader.classroom.sandbox.inside.calls import filter_calls

# <linux/sched.h>, <sys/mount.h>, <linux/prctl.h>
CLONE_NEWNS, CLONE_NEWUTS, CLONE_NEWIPC = 0x00020000, 0x04000000, 0x08000000
CLONE_NEWUSER, CLONE_NEWPID, CLONE_NEWNET = 0x10000000, 0x20000000, 0x40000000
MS_RDONLY, MS_NOSUID, MS_NODEV, MS_NOEXEC, MS_REMOUNT, MS_BIND = 1, 2, 4, 8, 32, 4096
PR_SET_DUMPABLE, PR_CAPBSET_DROP, PR_SET_NO_NEW_PRIVS = 4, 24, 38
CAPABILITY_VERSION_3 = 0x20080522
# <linux/keyctl.h>, and the number of the call where it is known
KEYCTL_JOIN_SESSION_KEYRING = 1
KEYCTL = {"x86_64": 250, "aarch64": 219}

#: Imported once for all: what the notebooks of the course import, and what learners often do. NumPy imports some of
#: its own parts only when they are asked for.
WARM = (
    *("numpy.random", "numpy.linalg", "numpy.fft", "numpy.polynomial"),
    *("attnlib", "attnlib.plots", "attnlib.widgets", "matplotlib.pyplot", "IPython.display"),
    *("math", "itertools", "collections", "functools", "random", "secrets", "re", "string", "statistics"),
)
#: Parts of `attnlib` that are the same for every notebook.
KEPT = ("attnlib.plots", "attnlib.widgets")
HOME = "/home/learner"
#: Whom notebooks' processes run as where the course is graded by root, for whom the kernel counts nothing: each as
#: another one of so many, because of pipes and signals the kernel counts those of a user, wherever they are.
LEARNER, LEARNERS = 61_184, 4_000


def main():
    """Warm up, then fork whenever asked; arguments come as JSON."""
    gc.disable()  # what is imported stays: to look through it for garbage takes time
    about = json.loads(sys.argv[1])
    # Whoever started this may be a worker that keeps itself small; a notebook has limits of its own.
    resource.setrlimit(resource.RLIMIT_DATA, (resource.getrlimit(resource.RLIMIT_DATA)[1],) * 2)
    control = socket.socket(fileno=about["control"])
    # The course's stubs come first, and nothing is imported from wherever this was started.
    sys.path[:] = [about["course"], *(path for path in sys.path if path not in ("", os.getcwd(), about["course"]))]
    from grader.classroom.sandbox.inside.session import serve
    from grader.classroom.sandbox.inside.shell import Shell

    for name in WARM:
        importlib.import_module(name)
    shell = Shell.warm()
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    # What is dead is nobody's to wait for.
    signal.signal(signal.SIGCHLD, signal.SIG_IGN)
    gc.freeze()  # no fork writes into what it shares with all others, just by looking for garbage
    gc.enable()
    control.send(b"ready")
    lines = {}  # to the process of each library
    for number in itertools.count():
        message, descriptors = _received(control)
        if not message:
            return
        request = json.loads(message) | {"number": number}
        for _ in range(2):  # one that was killed gets a successor
            if request["library"] not in lines:
                others = (control, *lines.values())
                lines[request["library"]] = _begin(request["library"], others, descriptors, shell, serve, about)
            line = lines[request["library"]]
            try:
                socket.send_fds(line, [json.dumps(request).encode()], descriptors)
                break
            except OSError:
                lines.pop(request["library"]).close()
        for descriptor in descriptors:
            os.close(descriptor)


def _begin(library, others, descriptors, shell, serve, about):
    """Fork a process that has a library, and from which its notebooks are forked; returns the line to it.

    This one never has any: what other notebooks may see is in no notebook's memory, wherever somebody looks for it.
    The lines of others are not the new one's: a learner's code could ask for processes there, and nobody would see the
    end of one whose own line is held here as well.
    """
    line, theirs = socket.socketpair(socket.AF_UNIX, socket.SOCK_SEQPACKET)
    if os.fork():
        theirs.close()
        return line
    try:
        for other in (line, *others):
            other.close()
        for descriptor in descriptors:
            os.close(descriptor)
        files = _read(library) if about["sandboxed"] else None
        _load_library(library, "/notebook" if about["sandboxed"] else library)
        own = [theirs.fileno()]
        if about["sandboxed"]:
            _number_processes_itself()
            own.append(os.open("/proc/self/ns/pid", os.O_RDONLY))
        gc.freeze()
        while (received := _received(theirs))[0]:
            message, descriptors = received
            is_child = False
            try:
                if about["sandboxed"]:
                    descriptors.append(_first_process(own[1]))
                is_child = os.fork() == 0
            except OSError as problem:  # too many processes, say: the other notebooks with this library go on
                os.write(2, f"the sandbox cannot start a notebook: {problem!r}\n".encode())
                for first in descriptors[1:]:
                    signal.pidfd_send_signal(first, signal.SIGKILL)
            if is_child:
                for descriptor in own:
                    os.close(descriptor)
                _child(json.loads(message), descriptors, shell, serve, about, files)
            for descriptor in descriptors:
                os.close(descriptor)
    except BaseException as problem:
        os.write(2, f"the sandbox cannot start: {problem!r}\n".encode())
    finally:
        os._exit(0)


def _received(line):
    """The next message on a line, and the descriptors that come with it."""
    message, descriptors, _, _ = socket.recv_fds(line, 65_536, 1)
    for descriptor in descriptors:
        os.set_inheritable(descriptor, False)  # no program that is started here has it
    return message, descriptors


def _number_processes_itself():
    """Become the first process of a namespace of processes, with the right to make more of them."""
    user, group = os.getuid(), os.getgid()
    # Root has the right already, and changes to another user for each notebook.
    _system("unshare", CLONE_NEWPID | (CLONE_NEWUSER if user else 0))
    if user:
        _map_only(user, group)
    if os.fork():
        os._exit(0)


def _first_process(own):
    """Start the first process of a new namespace, which the next fork will be in too; returns a descriptor of it.

    When it ends, the kernel ends all the others. It does nothing, not even wait for those that others have left: what
    it has inherited, that the end of a child is ignored, makes the kernel forget them.
    """
    _system("setns", own, CLONE_NEWPID)
    _system("unshare", CLONE_NEWPID)
    return os.pidfd_open(os.posix_spawnp("sleep", ["sleep", "infinity"], {}, setsid=True))


def _child(request, descriptors, shell, serve, about, files):
    """Become one notebook's process; never returns."""
    status = 1
    try:
        signal.signal(signal.SIGCHLD, signal.SIG_DFL)
        signal.signal(signal.SIGINT, signal.default_int_handler)
        channel = socket.socket(fileno=descriptors[0])
        os.setsid()  # a signal to its own group must not reach others
        # The judge gets hold of the process before it does anything.
        if about["sandboxed"]:
            _enter_namespaces(request, files)
            handles = [descriptors[1], os.pidfd_open(os.getpid())]
            socket.send_fds(channel, [b"process"], handles)
            for handle in handles:
                os.close(handle)
        else:
            channel.send(b"%d" % os.getpid())
        channel.recv(1)  # not before the judge is ready
        _forget_the_terminal()
        _limit(request)
        if about["sandboxed"]:
            # After the last mount, before the first line of a learner's.
            _drop_capabilities()
            filter_calls(os.uname().machine)
        os.chdir(request["home"])
        sys.path.insert(0, "")  # a module that a cell has written beside the notebook is found as at home
        serve(channel.detach(), shell)
        status = 0
    except BaseException as problem:
        # What goes wrong before a learner's code runs is told on the sandbox's own stderr.
        os.write(2, f"the sandbox cannot start a notebook: {problem!r}\n".encode())
    finally:
        os._exit(status)  # what the warm process has to do at its end is not this one's


def _read(folder):
    """What is in a folder, in the order in which it is made anew: None for a folder, bytes, or where a link leads.

    Without bytecode, which was for the process that is forked: what it has imported, no notebook reads again.
    """
    found = {}
    for path in sorted(Path(folder).rglob("*")):
        if "__pycache__" in path.parts:
            continue
        content = os.readlink(path) if path.is_symlink() else None if path.is_dir() else path.read_bytes()
        found[str(path.relative_to(folder))] = content
    return found


def _write(files, folder):
    for name, content in files.items():
        path = f"{folder}/{name}"
        if content is None:
            os.mkdir(path)
        elif isinstance(content, str):
            os.symlink(content, path)
        else:
            with open(path, "wb") as file:
                file.write(content)


def _system(name, *arguments):
    libc = _system.libc = getattr(_system, "libc", None) or ctypes.CDLL(None, use_errno=True)
    if getattr(libc, name)(*arguments) != 0:
        number = ctypes.get_errno()
        raise OSError(number, f"{name}: {os.strerror(number)}")


def _mount(source, target, kind, flags, options=None):
    _system("mount", source.encode(), target.encode(), kind.encode() if kind else None, flags, options)


def _enter_namespaces(request, files):
    if os.getuid() == 0:
        os.setgroups([])
        learner = LEARNER + request["number"] % LEARNERS
        os.setresgid(learner, learner, learner)
        os.setresuid(learner, learner, learner)
    user, group = os.getuid(), os.getgid()
    _system("prctl", PR_SET_DUMPABLE, 1, 0, 0, 0)  # lost with root's rights; without it /proc/self is root's
    _system("unshare", CLONE_NEWUSER | CLONE_NEWNS | CLONE_NEWIPC | CLONE_NEWNET | CLONE_NEWUTS)
    _map_only(user, group)
    # In a namespace of its own a learner's code would have all capabilities again, and mounts to try them on.
    with open("/proc/sys/user/max_user_namespaces", "w") as file:
        file.write("0")
    kept = MS_NOSUID | MS_NODEV
    # A copy of its own: no two notebooks have a file of the library in common.
    _mount("tmpfs", "/notebook", "tmpfs", kept, b"size=16m,mode=755")
    _write(files, "/notebook")
    _mount("tmpfs", "/notebook", None, kept | MS_REMOUNT | MS_RDONLY)
    # Terminals of its own, and few: of the machine there is a number of them.
    _mount("devpts", "/dev/pts", "devpts", MS_NOSUID | MS_NOEXEC, b"newinstance,ptmxmode=0666,mode=600,max=16")
    # What the course's Python needs below /tmp (it may be installed there) comes back below the empty one.
    kept_open = {name: os.open(name, os.O_PATH | os.O_DIRECTORY) for name in request["below_tmp"]}
    scratch = f"size={request['scratch']},nr_inodes=20000,mode=700"
    for folder in ("/tmp", "/dev/shm", request["home"]):
        _mount("tmpfs", folder, "tmpfs", kept, f"{scratch},uid={user},gid={group}".encode())
    for name, descriptor in kept_open.items():
        os.makedirs(name)
        _mount(f"/proc/self/fd/{descriptor}", name, None, MS_BIND)
        os.close(descriptor)
    # Nothing below tells of other notebooks, processes or the machine.
    for folder in ("/libraries", "/proc"):
        _mount("tmpfs", folder, "tmpfs", kept | MS_NOEXEC, b"size=4k,mode=555")


def _map_only(user, group):
    """The same user inside this user namespace as outside, and no other."""
    # The kernel wants groups to be given up before they are mapped.
    for name, text in (("setgroups", "deny"), ("uid_map", f"{user} {user} 1"), ("gid_map", f"{group} {group} 1")):
        with open(f"/proc/self/{name}", "w") as file:
            file.write(text)


def _limit(request):
    for name, value in request["limits"].items():
        kind = getattr(resource, f"RLIMIT_{name}")
        _, hard = resource.getrlimit(kind)
        value = value if hard == resource.RLIM_INFINITY else min(value, hard)
        resource.setrlimit(kind, (value, value))


def _drop_capabilities():
    libc = ctypes.CDLL(None, use_errno=True)
    # Neither now nor by running a program that would bring some along.
    for number in range(64):
        if libc.prctl(PR_CAPBSET_DROP, number, 0, 0, 0) != 0:
            break  # the kernel knows no more
    header = (ctypes.c_uint32 * 2)(CAPABILITY_VERSION_3, 0)
    _system("capset", header, (ctypes.c_uint32 * 6)())
    _system("prctl", PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0)


def _forget_the_terminal():
    """Leave nothing open, and no keys, that another notebook's process has as well."""
    null = os.open(os.devnull, os.O_RDWR)
    for descriptor in (0, 1, 2):
        os.dup2(null, descriptor)
    os.close(null)
    if number := KEYCTL.get(os.uname().machine):
        ctypes.CDLL(None).syscall(number, KEYCTL_JOIN_SESSION_KEYRING, None)  # no harm where there are no keyrings


class _Loader(importlib.machinery.SourceFileLoader):
    """Reads a module of a library where it was written, which says that it lies where a notebook will find it."""

    moved = ("", "")

    def get_data(self, path):
        """Read a file, of the name that a notebook knows it by."""
        return super().get_data(path.replace(*self.moved, 1))

    def path_stats(self, path):
        """Say how large it is, and since when."""
        return super().path_stats(path.replace(*self.moved, 1))

    @classmethod
    def find_spec(cls, name, path=None, target=None):
        """Say how to import a module of the library; None for all others."""
        there, folder = cls.moved
        file = os.path.join(there, *name.split(".")) + ".py"
        if not name.startswith("attnlib.") or not os.path.exists(file.replace(there, folder, 1)):
            return None
        return importlib.util.spec_from_file_location(name, file, loader=cls(name, file))


def _load_library(folder, there):
    """Let `attnlib` have what some notebooks may use: its concept modules are imported anew from `folder`, as if they
    were `there`."""
    package = sys.modules["attnlib"]
    # First where the functions of these notebooks are; the pictures and the data are found further on.
    package.__path__.insert(0, os.path.join(there, "attnlib"))
    package.__file__ = os.path.join(there, "attnlib", "__init__.py")
    for name in _of_concepts():
        del sys.modules[name]
    _Loader.moved = there, folder
    sys.meta_path.insert(0, _Loader)
    # Into the very module that the warm process has imported already.
    exec(_Loader("attnlib", package.__file__).get_code("attnlib"), package.__dict__)
    sys.meta_path.remove(_Loader)
    for name in _of_concepts():
        sys.modules[name].__loader__.__class__ = importlib.machinery.SourceFileLoader  # there it is read as any other


def _of_concepts():
    """The names of the concept modules of `attnlib` that are imported."""
    parts = [(name, name.split(".")) for name in sys.modules]
    return [name for name, (package, *rest) in parts if package == "attnlib" and len(rest) == 1 and name not in KEPT]


if __name__ == "__main__":
    main()
