"""The filter of system calls: what it answers on either architecture, and that notebooks side by side share nothing."""

import errno
import os
import struct
import subprocess
import sys
import textwrap

import pytest

from grader.classroom.sandbox import bubblewrap
from grader.classroom.sandbox.bubblewrap import NoSandbox
from grader.classroom.sandbox.inside import calls
from grader.classroom.sandbox.launcher import Sandbox
from grader.classroom.sandbox.limits import Limits

MACHINES = list(calls.ARCHITECTURES)


def answered(machine, number, *arguments, architecture=None):
    """What the filter of a machine answers to a call: None if it may be made, else the error, 0 for none."""
    numbers = [*arguments, *[0] * (6 - len(arguments))]
    data = struct.pack("<iIQ6Q", number, architecture or calls.ARCHITECTURES[machine], 0, *numbers)
    steps = list(struct.iter_unpack("<HBBI", calls.program(machine)))
    place = value = 0
    while True:
        code, yes, no, constant = steps[place]
        place += 1
        if code == calls.LOAD:
            (value,) = struct.unpack_from("<I", data, constant)
        elif code == calls.AND:
            value &= constant
        elif code == calls.RETURN:
            return None if constant == calls.ALLOW else constant & 0xFFFF
        else:
            holds = {
                calls.EQUAL: value == constant,
                calls.AT_LEAST: value >= constant,
                calls.ANY_OF: bool(value & constant),
            }[code]
            place += yes if holds else no


@pytest.mark.parametrize("machine", MACHINES)
def test_what_tells_of_others_is_denied_and_all_else_is_not(machine):
    which = MACHINES.index(machine)
    denied = {call[which] for call in calls.DENIED.values() if call[which] is not None}
    looked_at = (calls.FLOCK, calls.FCNTL, calls.MADVISE, calls.FUTEX, calls.SOCKET, calls.SOCKETPAIR, calls.MMAP)
    looked_at += calls.CLONE, calls.CLONE3
    some = {call[which] for call in looked_at}
    assert not denied & some
    assert {answered(machine, number) for number in denied} == {errno.EPERM}
    assert {answered(machine, number) for number in set(range(600)) - denied - some} == {None}
    assert answered(machine, 0, architecture=0x40000003) == errno.ENOSYS  # the calls of 32 bits
    assert answered(machine, 0x4000_0000 | calls.FLOCK[which]) == errno.ENOSYS


@pytest.mark.parametrize("machine", MACHINES)
def test_locks_are_had_at_once_and_asked_for_never(machine):
    which = MACHINES.index(machine)
    fcntl = calls.FCNTL[which]
    assert answered(machine, calls.FLOCK[which], 3, 6) == 0
    assert [answered(machine, fcntl, 3, command) for command in (6, 7, 37, 38)] == [0] * 4  # F_SETLK, also of OFD
    refused = (5, 36, 1024, 1025, 1026, 1031, 8)  # F_GETLK, F_OFD_GETLK, leases, F_NOTIFY, F_SETPIPE_SZ, F_SETOWN
    assert {answered(machine, fcntl, 3, command) for command in refused} == {errno.EINVAL}
    assert {answered(machine, fcntl, 3, command) for command in (0, 1, 2, 3, 4, 1030)} == {None}


@pytest.mark.parametrize("machine", MACHINES)
def test_of_memory_and_sockets_only_one_s_own_can_be_had(machine):
    which = MACHINES.index(machine)
    advice = [answered(machine, calls.MADVISE[which], 0, 0, number) for number in (4, 14, 3, 20, 21, 22)]
    assert advice == [None, None, *[errno.EINVAL] * 4]
    futex = calls.FUTEX[which]
    private = [answered(machine, futex, 0, operation | 128) for operation in (0, 1, 5, 9 | 256)]
    assert private == [None] * 4
    shared = [answered(machine, futex, 0, operation) for operation in (0, 9, 9 | 256, 1)]
    assert shared == [*[errno.EAGAIN] * 3, None]
    for call in (calls.SOCKET, calls.SOCKETPAIR):
        families = [answered(machine, call[which], family) for family in (1, 2, 10, 16, 17, 38, 40)]
        assert families == [*[None] * 3, *[errno.EAFNOSUPPORT] * 4]


@pytest.mark.parametrize("machine", MACHINES)
def test_memory_is_shared_in_a_file_or_not_at_all(machine):
    number = calls.MMAP[MACHINES.index(machine)]
    shared, private, of_no_file, fixed = 1, 2, 0x20, 0x10
    allowed = [shared, private, private | of_no_file, private | of_no_file | fixed]
    assert {answered(machine, number, 0, 4096, 3, flags) for flags in allowed} == {None}
    refused = [shared | of_no_file, shared | of_no_file | fixed, 3 | of_no_file]
    assert {answered(machine, number, 0, 4096, 3, flags) for flags in refused} == {errno.EPERM}


@pytest.mark.parametrize("machine", MACHINES)
def test_whoever_is_started_is_a_child_of_the_one_who_starts_it(machine):
    which = MACHINES.index(machine)
    fork, thread, sister = 17, 0x3D0F00, 0x8000 | 17
    assert [answered(machine, calls.CLONE[which], flags) for flags in (fork, thread, sister)] == [
        None,
        None,
        errno.EPERM,
    ]
    assert answered(machine, calls.CLONE3[which]) == errno.ENOSYS


def test_where_there_is_no_filter_there_is_no_sandbox(monkeypatch):
    class Other:
        machine = "riscv64"

    monkeypatch.setattr(bubblewrap.os, "uname", Other)
    with pytest.raises(NoSandbox, match=r"x86_64 and aarch64, and this is riscv64; .* --no-sandbox"):
        bubblewrap.program()


HERE = """
import ctypes, fcntl, os, sys
from grader.classroom.sandbox.inside.calls import filter_calls
before = open(sys.executable, "rb")
filter_calls(os.uname().machine)
assert os.fork() or os._exit(0) is None
try:
    os.posix_fadvise(before.fileno(), 0, 0, os.POSIX_FADV_DONTNEED)
except PermissionError:
    print("denied")
fcntl.flock(open(sys.executable, "rb"), fcntl.LOCK_EX)
fcntl.flock(before, fcntl.LOCK_EX | fcntl.LOCK_NB)
print("two have it")
"""


@pytest.mark.skipif(os.uname().machine not in calls.ARCHITECTURES or sys.platform != "linux", reason="no filter here")
def test_the_kernel_takes_the_filter():
    done = subprocess.run([sys.executable, "-c", HERE], capture_output=True, text=True, check=True)
    assert done.stdout.split("\n")[:2] == ["denied", "two have it"]


# ---- notebooks side by side


@pytest.fixture(scope="module")
def sandbox(require):
    """Give a sandbox."""
    require("bwrap")
    with Sandbox(limits=Limits(notebook=60)) as running:
        yield running


@pytest.fixture
def two(sandbox):
    """Return a function that runs a cell in each of two notebooks' processes, and gives what both printed."""
    processes = [sandbox.fork(["softmax"]), sandbox.fork(["softmax"])]

    def run(*sources):
        said = []
        for process, source in zip(processes, sources, strict=True):
            source = textwrap.dedent(source)
            process.send({"kind": "cell", "source": source, "seconds": 20, "nonce": "n"})
            said.append("")
            while (message := process.receive(30))["kind"] == "output":
                output = message["output"]
                said[-1] += output.get("text", "") or output.get("evalue", "")
        return said

    yield run
    for process in processes:
        process.end()


BOTH = "import ctypes, errno, fcntl, mmap, os, socket, sys, attnlib\nlibc = ctypes.CDLL(None, use_errno=True)\n"


def test_a_lock_that_one_has_does_not_keep_another_from_it(two):
    lock = """
    files = [open(path, "rb") for path in (os.__file__, "/course/attnlib/__init__.py", attnlib.__file__)]
    print([fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB) for file in files])
    print([fcntl.lockf(file, fcntl.LOCK_SH | fcntl.LOCK_NB) for file in files])
    """
    assert two(BOTH + textwrap.dedent(lock), BOTH + textwrap.dedent(lock)) == ["[None, None, None]\n" * 2] * 2


def test_nobody_wakes_another_who_waits_at_a_place_of_a_file_that_both_have(two):
    # A place in a program's own text: every process has the same page of it.
    begin = BOTH + textwrap.dedent("""
    place = ctypes.cast(libc.malloc, ctypes.c_void_p).value & ~3
    value = ctypes.c_int.from_address(place).value
    """)
    wait = begin + textwrap.dedent("""
    if os.fork() == 0:
        class Time(ctypes.Structure):
            _fields_ = (("s", ctypes.c_long), ("n", ctypes.c_long))
        libc.syscall(NUMBER, ctypes.c_void_p(place), 0, value, ctypes.byref(Time(15, 0)), None, 0)
        os._exit(0)
    """)
    wake = (
        begin + "import time\ntime.sleep(0.5)\nprint(libc.syscall(NUMBER, ctypes.c_void_p(place), 1, 9, None, None, 0))"
    )
    number = str(calls.FUTEX[MACHINES.index(os.uname().machine)])
    said = two(wait.replace("NUMBER", number), wake.replace("NUMBER", number))
    assert said == ["", "0\n"]


def test_a_terminal_a_library_and_a_user_are_each_one_s_own(two):
    look = BOTH + textwrap.dedent("""
    import pty
    here, there = pty.openpty()
    print(os.ttyname(there), os.stat(attnlib.__file__).st_dev, os.getuid())
    """)
    (first, second) = [said.split() for said in two(look, look)]
    assert first[0] == second[0] == "/dev/pts/0"
    assert first[1] != second[1]
    assert (first[2] != second[2]) == (os.geteuid() == 0)


def test_of_the_machine_nothing_is_told(two):
    ask = BOTH + textwrap.dedent("""
    def tried(call):
        try:
            call()
        except OSError as problem:
            return errno.errorcode[problem.errno]
    file = os.open(os.__file__, os.O_RDONLY)
    print(tried(lambda: os.posix_fadvise(file, 0, 0, os.POSIX_FADV_DONTNEED)))
    print(tried(lambda: os.preadv(file, [bytearray(1)], 0, os.RWF_NOWAIT)))
    print(tried(lambda: socket.socket(socket.AF_VSOCK)))
    print(tried(lambda: open(attnlib.__file__, "a")))
    page = mmap.mmap(file, 4096, mmap.MAP_PRIVATE, mmap.PROT_READ)
    print(tried(lambda: page.madvise(mmap.MADV_WILLNEED)))
    room = ctypes.create_string_buffer(999)
    print(libc.inotify_init(), libc.klogctl(3, room, 99), libc.sysinfo(room))
    """)
    said = two(ask, ask)
    assert [words.split() for words in said] == [
        ["EPERM", "EPERM", "EAFNOSUPPORT", "EROFS", "EINVAL", "-1", "-1", "-1"]
    ] * 2


def test_no_memory_is_had_that_no_process_holds(two):
    ask = BOTH + textwrap.dedent("""
    def had(way):
        try:
            return way()
        except OSError as problem:
            return errno.errorcode[problem.errno]
    print(libc.shmget(0, 4096, 0o1600), libc.semget(0, 1, 0o1600), libc.msgget(0, 0o1600))
    print(had(lambda: os.memfd_create("x")), had(lambda: mmap.mmap(-1, 4096)))
    print(had(lambda: mmap.mmap(os.open("/dev/zero", os.O_RDWR), 4096)))
    """)
    assert [words.split() for words in two(ask, ask)] == [["-1", "-1", "-1", "EPERM", "EPERM", "ENODEV"]] * 2


def test_what_an_honest_notebook_starts_works(two):
    work = """
    import multiprocessing, sqlite3, threading
    print(list(multiprocessing.Array("i", 3)))
    from concurrent.futures import ThreadPoolExecutor
    with multiprocessing.get_context("fork").Pool(2) as pool:
        print(pool.map(abs, range(3)))
    with ThreadPoolExecutor(3) as pool:
        print(list(pool.map(abs, range(3))))
    base = sqlite3.connect("notes.db")
    base.execute("create table notes (words)")
    base.commit()
    print(os.system("true"))
    """
    work = BOTH + textwrap.dedent(work)
    assert two(work, work) == ["[0, 0, 0]\n[0, 1, 2]\n[0, 1, 2]\n0\n"] * 2
