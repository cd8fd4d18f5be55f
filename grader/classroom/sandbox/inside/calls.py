"""Which calls of the system a notebook's process may not make: those that tell of others on the same machine.

Notebooks have no process, no network and no folder in common. What is left are files that all may read (programs, the
Python of the course) and the kernel itself: locks and leases on such a file, who else waits at a place of it or has it
open, whether its pages are in memory, the kernel's log, and the families of sockets that no namespace divides. And what
a notebook holds must be seen from outside: memory that no process has, or that it can let go of and keep, is not had,
and no process that is not a child of the notebook's. A filter (<linux/seccomp.h>) answers these, and it stays with the
process and all that it starts.
"""

import ctypes
import errno
import struct

ALLOW, ERRNO = 0x7FFF0000, 0x00050000
LOAD, EQUAL, AT_LEAST, ANY_OF, RETURN, AND = 0x20, 0x15, 0x35, 0x45, 0x06, 0x54
NUMBER, ARCHITECTURE = 0, 4
PR_SET_NO_NEW_PRIVS, PR_SET_SECCOMP, SECCOMP_MODE_FILTER = 38, 22, 2
#: What the kernel calls an architecture; others cannot be filtered here.
ARCHITECTURES = {"x86_64": 0xC000003E, "aarch64": 0xC00000B7}
#: From here on, numbers of x86_64 are those of another set of calls (x32).
OTHER_SET = 0x4000_0000

#: Never: by name, the number on x86_64 (None: there is none), and on aarch64.
DENIED = {
    # whether pages of a file are in memory, and taking them in and out
    "fadvise64": (221, 223),
    "readahead": (187, 213),
    "mincore": (27, 232),
    "preadv2": (327, 286),
    "pwritev2": (328, 287),
    "cachestat": (451, 451),
    "process_madvise": (440, 440),
    # where pages are, which also tells whether somebody else has them
    "move_pages": (279, 239),
    "migrate_pages": (256, 238),
    "mbind": (237, 235),
    "get_mempolicy": (239, 236),
    # who opens a file
    "inotify_init": (253, None),
    "inotify_init1": (294, 26),
    "inotify_add_watch": (254, 27),
    "fanotify_init": (300, 262),
    "fanotify_mark": (301, 263),
    "name_to_handle_at": (303, 264),
    "open_by_handle_at": (304, 265),
    # other ways to make the calls that are looked at here
    "io_uring_setup": (425, 425),
    "io_uring_enter": (426, 426),
    "io_uring_register": (427, 427),
    "userfaultfd": (323, 282),
    "futex_waitv": (449, 449),
    "futex_wake": (454, 454),
    "futex_wait": (455, 455),
    "futex_requeue": (456, 456),
    # of the whole machine: its log, its load, keys, what is measured
    "syslog": (103, 116),
    "sysinfo": (99, 179),
    "add_key": (248, 217),
    "request_key": (249, 218),
    "keyctl": (250, 219),
    "bpf": (321, 280),
    "perf_event_open": (298, 241),
    "kcmp": (312, 272),
    # memory that counts for nobody once it is let go of
    "shmget": (29, 194),
    "semget": (64, 190),
    "msgget": (68, 186),
    "memfd_create": (319, 279),
    "memfd_secret": (447, 447),
}
#: Of these, some: the numbers as above.
FLOCK, FCNTL, MADVISE, FUTEX, SOCKET, SOCKETPAIR = (73, 32), (72, 25), (28, 233), (202, 98), (41, 198), (53, 199)
MMAP, CLONE, CLONE3 = (9, 222), (56, 220), (435, 435)
#: Commands of fcntl: about descriptors and pipes; and locks, which a process alone on its files has as soon as it asks.
ABOUT_DESCRIPTORS = (0, 1, 2, 3, 4, 1030, 1032, 1033, 1034)
SETTING_LOCKS = (6, 7, 37, 38)
#: What may be said of memory: nothing about what else has the same page of a file.
ADVICE = (4, 8, 10, 11, 14, 15, 16, 17, 18, 19)
FUTEX_PRIVATE, FUTEX_WAKE = 128, 1
#: MAP_SHARED and MAP_ANONYMOUS, together: what is shared in a file has the room that its folder has.
OF_NO_FILE = 0x21
#: CLONE_PARENT: of a sister, where children are counted, nobody knows.
SISTER = 0x8000
#: AF_UNIX, AF_INET, AF_INET6: those that a namespace divides.
FAMILIES = (1, 2, 10)


def program(machine):
    """The filter for an architecture, as the kernel takes it.

    Parameters
    ----------
    machine : str
        As `os.uname` says it; one of ARCHITECTURES.

    Returns
    -------
    bytes
        Steps of eight bytes.
    """
    which = list(ARCHITECTURES).index(machine)

    def argument(number):
        return LOAD, 0, 0, 16 + 8 * number  # its lower half

    def answer(error):
        return RETURN, 0, 0, ERRNO | error

    allow = RETURN, 0, 0, ALLOW
    steps = [(LOAD, 0, 0, ARCHITECTURE), (EQUAL, 1, 0, ARCHITECTURES[machine]), answer(errno.ENOSYS)]
    steps += [(LOAD, 0, 0, NUMBER), (AT_LEAST, 0, 1, OTHER_SET), answer(errno.ENOSYS)]

    def one_of(values, then):
        """Whoever is one of these gets that answer; the others go on."""
        for value in values:
            yield from ((EQUAL, 0, 1, value), then)

    # Done as far as it goes: nobody else works on a notebook's own files.
    asked = {
        FLOCK: [answer(0)],
        FCNTL: [
            argument(1),
            *one_of(ABOUT_DESCRIPTORS, allow),
            *one_of(SETTING_LOCKS, answer(0)),
            answer(errno.EINVAL),
        ],
        MADVISE: [argument(2), *one_of(ADVICE, allow), answer(errno.EINVAL)],
        # Waiting is seen by whoever wakes. Processes that share memory look again and again instead.
        FUTEX: [argument(1), (ANY_OF, 0, 1, FUTEX_PRIVATE), allow, *one_of([FUTEX_WAKE], allow), answer(errno.EAGAIN)],
        CLONE: [argument(0), (ANY_OF, 0, 1, SISTER), answer(errno.EPERM), allow],
        CLONE3: [answer(errno.ENOSYS)],  # says what it wants where no filter can read; whoever asks goes on to `clone`
        MMAP: [argument(3), (AND, 0, 0, OF_NO_FILE), *one_of([OF_NO_FILE], answer(errno.EPERM)), allow],
    }
    for call in (SOCKET, SOCKETPAIR):
        asked[call] = [argument(0), *one_of(FAMILIES, allow), answer(errno.EAFNOSUPPORT)]
    for call, rules in asked.items():
        steps += [(EQUAL, 0, len(rules), call[which]), *rules]
    denied = [call[which] for call in DENIED.values() if call[which] is not None]
    steps += [*one_of(denied, answer(errno.EPERM)), allow]
    return b"".join(struct.pack("<HBBI", *step) for step in steps)


def filter_calls(machine):
    """Let this process, and all that it starts, make no such calls from now on; raises OSError if that cannot be."""

    class Program(ctypes.Structure):
        _fields_ = (("length", ctypes.c_ushort), ("steps", ctypes.c_char_p))

    steps = program(machine)
    libc = ctypes.CDLL(None, use_errno=True)
    about = Program(len(steps) // 8, steps)
    for request in (
        (PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0),
        (PR_SET_SECCOMP, SECCOMP_MODE_FILTER, ctypes.byref(about), 0, 0),
    ):
        if libc.prctl(*request) != 0:
            raise OSError(ctypes.get_errno(), "the calls of the system cannot be filtered")
