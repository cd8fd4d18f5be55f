"""The border and what lies behind it: what may cross, what a notebook sees of the library, how the sandbox refuses."""

import ast
import contextlib
import itertools
import os
import random
import re
import resource
import select
import signal
import socket
import struct
import subprocess
import sys
import time
from functools import partial
from pathlib import Path
from threading import Thread

import numpy as np
import pytest

import attnlib
from grader.classroom.running.line import Line
from grader.classroom.sandbox import bubblewrap, library, warm
from grader.classroom.sandbox.bubblewrap import NoSandbox
from grader.classroom.sandbox.inside import wire
from grader.classroom.sandbox.inside.session import Session
from grader.classroom.sandbox.launcher import Sandbox
from grader.classroom.sandbox.limits import Limits
from grader.classroom.sandbox.process import Ended, Process, TimeIsUp, TooLong
from grader.exercises import NOTEBOOKS
from grader.exercises.kinds import Exercise
from grader.places import ROOT

pytestmark = pytest.mark.more

# ---- what crosses


PLAIN = [
    None,
    True,
    -3,
    2**200,
    0.1,
    float("inf"),
    "text, \ud800 and 漢字",
    [1, [2.0, "a"], ()],
    (np.arange(6.0).reshape(2, 3), np.float32(0.5), np.array(True)),
    {"a": np.zeros((0, 3)), 2: None, (1, 2): "b"},
    np.array([["a", "bc"]]),
    np.arange(5, dtype=np.uint8)[::2],
    np.asfortranarray(np.ones((2, 3), np.float16)),
]


def cross(value, handles=None, function=None):
    """Encode and decode a value."""
    frame = wire.encode(value, handles)
    size = struct.unpack("<II", frame[:8])
    assert len(frame) == 8 + sum(size)
    return wire.decode(frame[8 : 8 + size[0]], frame[8 + size[0] :], function)


@pytest.mark.parametrize("value", PLAIN, ids=lambda value: type(value).__name__)
def test_plain_values_cross_unchanged(value):
    from grader.judging.plain import identical

    got = cross(value)
    assert type(got) is type(value)
    assert identical(got, value)


def test_an_array_that_came_over_is_one_s_own():
    got = cross(np.arange(3))
    got[0] = 5
    assert got.flags.owndata or got.base.flags.owndata


def test_a_function_crosses_as_a_handle_and_only_where_one_is_expected():
    handles = []
    got = cross({"kernel": len}, handles, lambda number: ("function", number))
    assert handles == [len]
    assert got == {"kernel": ("function", 0)}
    with pytest.raises(wire.WireError):
        cross(len)
    with pytest.raises(wire.WireError):
        cross(len, [])


@pytest.mark.parametrize(
    "value",
    [
        object(),
        np.array([object()]),
        np.array([1 + 2j]),
        np.array(["2030-01-01"], "datetime64[D]"),
        {1, 2},
        b"bytes",
        2**9000,
        np.zeros(5_000_000),
        "x" * 10_000_000,
        Exercise("a", 1, "b"),
    ],
    ids=lambda value: type(value).__name__,
)
def test_nothing_else_crosses(value):
    with pytest.raises(wire.WireError):
        cross(value)


def test_a_list_that_contains_itself_does_not_cross():
    endless = []
    endless.append(endless)
    with pytest.raises(wire.WireError):
        cross(endless)


@pytest.mark.parametrize(
    "text",
    [
        b"",
        b"\xff\xfe",
        b"[1, 2]",
        b"{}",
        b'{"l": 3}',
        b'{"a": ["|O", [1], 0]}',
        b'{"a": ["<c16", [1], 0]}',
        b'{"a": ["<f16", [1], 0]}',
        b'{"a": ["<f8", [1000000000000], 0]}',
        b'{"a": ["<f8", [1], -8]}',
        b'{"a": ["<f8", [-1], 0]}',
        b'{"a": ["<f8", [true, 1], 0]}'.replace(b"true", b'"1"'),
        b'{"f": 0}',
        b'{"d": [[{"l": []}, 1]]}',
        b'{"x": 1}',
        b'{"l": [], "t": []}',
        b'{"l": [' * 100 + b"1" + b"]}" * 100,
        b"[" * 100_000,
        b'"' + b"9" * 5000,
        b"9" * 5000,
    ],
)
def test_a_frame_that_breaks_a_rule_is_refused(text):
    with pytest.raises(wire.WireError):
        wire.decode(text, bytes(16))


def test_no_bytes_whatever_bring_down_the_reader():
    rng = random.Random(0)
    frame = wire.encode({"kind": "reply", "value": [np.arange(4.0), "a", (1, None)]})
    for _ in range(3000):
        damaged = bytearray(frame)
        for _ in range(rng.randint(1, 6)):
            damaged[rng.randrange(8, len(damaged))] = rng.randrange(256)
        size = struct.unpack("<II", damaged[:8])[0]
        with contextlib.suppress(wire.WireError):
            wire.decode(bytes(damaged[8 : 8 + size]), bytes(damaged[8 + size :]))


# ---- what a notebook may see of the library


#: The ids of the exercises of each notebook, in teaching order.
ASKED = [[exercise.id for exercise in exercises] for exercises in NOTEBOOKS.values()]
each_notebook = pytest.mark.parametrize("place", range(len(NOTEBOOKS)), ids=list(NOTEBOOKS))


def defined(folder):
    """Return the names of all functions defined in the Python files of a folder."""
    names = set()
    for path in folder.rglob("*.py"):
        names |= {n.name for n in ast.walk(ast.parse(path.read_text("utf-8"))) if isinstance(n, ast.FunctionDef)}
    return names


@each_notebook
def test_a_notebook_has_no_reference_of_its_own_or_of_a_later_one(place, tmp_path):
    asked = library.absent(ASKED[place])
    library.write_library(tmp_path, asked)
    assert not defined(tmp_path) & asked
    later = [name for each in ASKED[place:] for name in each]
    assert {name for name in later if hasattr(attnlib, name)} <= asked
    earlier = [name for each in ASKED[:place] for name in each]
    kept = {name for name in earlier if hasattr(attnlib, name)} - set(later) - asked
    assert kept <= defined(tmp_path)


@each_notebook
def test_what_is_left_of_the_library_hangs_together(place, tmp_path):
    asked = library.absent(ASKED[place])
    library.write_library(tmp_path, asked)
    # What a kept function calls is there; `masked_softmax` and `tokenize` are called only on request, and trainings
    # only in notebooks that come long after the softmax.
    for file in tmp_path.rglob("*.py"):
        for node in ast.walk(ast.parse(file.read_text("utf-8"))):
            if isinstance(node, ast.FunctionDef):
                used = {n.id for n in ast.walk(node) if isinstance(n, ast.Name)}
                trains = {"softmax"} if file.name == "learning.py" else set()
                assert used & asked <= {"masked_softmax", "tokenize", "embed"} | trains, (file.name, node.name)


def test_pictures_look_up_what_they_compute_with_when_they_draw():
    asked = {name for each in ASKED for name in each}
    for path in (ROOT / "attnlib").glob("*/*.py"):
        for node in ast.walk(ast.parse(path.read_text("utf-8"))):
            # What is imported from the library would be missing before a picture could say so.
            if isinstance(node, ast.ImportFrom):
                assert not {alias.name for alias in node.names} & asked, path


def test_a_function_goes_with_its_decorators_its_helpers_and_every_import_of_it():
    text = """from a import kept, asked
from b import asked

def _helper():
    return _deeper()

def _deeper():
    return 1

def _shared():
    return 2

@first
@second(
    3
)
def asked():
    return _helper() + _shared()

def kept():
    from b import (
        asked,
        other,
    )
    return _shared()
"""
    assert library.without(text, {"asked", "elsewhere"}).replace("\n\n\n", "\n").replace("\n\n", "\n") == (
        """from a import kept
pass
def _shared():
    return 2
def kept():
    from b import other
    return _shared()
"""
    )
    assert library.without(text, {"elsewhere"}) == text


def test_the_shared_course_folder_has_no_reference_at_all(tmp_path):
    library.write_course(tmp_path)
    assert not defined(tmp_path / "attnlib") & {name for each in ASKED for name in each}
    inside = sorted(path.relative_to(tmp_path / "grader").as_posix() for path in (tmp_path / "grader").rglob("*.py"))
    assert inside == [
        "__init__.py",
        "classroom/__init__.py",
        "classroom/sandbox/__init__.py",
        *(
            f"classroom/sandbox/inside/{name}.py"
            for name in ("__init__", "calls", "session", "shell", "undrawn", "wire", "zygote")
        ),
        "judging/__init__.py",
        "judging/answer.py",
        "judging/plain.py",
        "progress.py",
    ]
    assert "only the check cells of the course count" in (tmp_path / "grader" / "__init__.py").read_text("utf-8")


# ---- refusing


def test_without_bubblewrap_the_message_says_what_to_do(monkeypatch):
    monkeypatch.setattr(bubblewrap.shutil, "which", lambda name: None)
    with pytest.raises(NoSandbox, match=r"bubblewrap is not installed; .*apt install bubblewrap.* --no-sandbox"):
        Sandbox()


def test_a_bubblewrap_that_fails_is_quoted(tmp_path, monkeypatch):
    fake = tmp_path / "bwrap"
    fake.write_text("#!/bin/sh\necho 'bwrap: No permissions to create new namespace' >&2\nexit 1\n", encoding="utf-8")
    fake.chmod(0o755)
    monkeypatch.setattr(bubblewrap.shutil, "which", lambda name: str(fake))
    with pytest.raises(NoSandbox, match="No permissions to create new namespace; install bubblewrap"):
        Sandbox()


@pytest.mark.parametrize("sandboxed", [True, False])
def test_elsewhere_than_on_linux_the_message_says_so(sandboxed, monkeypatch):
    monkeypatch.setattr(warm.sys, "platform", "darwin")
    for begin in (Sandbox, warm.begun):
        with pytest.raises(NoSandbox, match=r"is graded on Linux .* WSL"):
            begin(sandboxed)


# ---- one warm process for several


def test_several_share_a_warm_process_and_go_on_without_it(require):
    require("bwrap")
    first = warm.Warm()
    first.wait()
    elsewhere = [first.shared(), first.shared()]
    for joined in elsewhere:
        joined.control = first.control.dup()  # as another process gets it
    one, other = (Sandbox(warm=joined) for joined in elsewhere)
    processes = [sandbox.fork(exercises) for sandbox in (one, other) for exercises in (["softmax"], None)]
    assert len(list((first.top / "libraries").iterdir())) == 2
    assert len({number for process in processes for number in process._numbers()}) == 8
    for process in processes:
        process.send({"kind": "bind", "expression": "1 + 1", "seconds": 1, "nonce": "n"})
        assert process.receive(5) == {"kind": "reply", "nonce": "n", "about": {}}
        process.end()
    other.close()
    one.fork(["softmax"]).end()

    first._zygote.kill()
    first._zygote.wait()
    assert select.select([first.control], [], [], 10)[0]  # the kernel ends what is inside a moment later
    process = one.fork(["softmax"])
    assert process.alive
    assert one._warm.top != first.top
    process.end()
    mine = one._warm.top
    one.close()
    assert first.top.exists()
    first.close()
    assert not first.top.exists()
    assert not mine.exists()


LOOKS_EVERYWHERE = """
import gc, types

gc.unfreeze()
name, seen, waiting, found = "soft" + "max", set(), gc.get_objects(), []
while waiting:
    one = waiting.pop()
    if id(one) not in seen:
        seen.add(id(one))
        if isinstance(one, (bytes, str)):
            text = one if isinstance(one, str) else one.decode("latin-1")
            found += [text[:60]] if f"def {name}(" in text else []
        elif isinstance(one, (types.FunctionType, types.CodeType)):
            found += [one] if name == getattr(one, "co_name", getattr(one, "__name__", "")) else []
        waiting += gc.get_referents(one)
print(len(seen) > 100_000, found)
"""


def test_no_process_holds_what_others_have_of_the_library(require):
    require("bwrap")
    with Sandbox() as sandbox:
        for exercises in (["multi_head_attention"], None):  # these have `softmax`
            sandbox.fork(exercises).end()
        line, said = Line(sandbox.fork(["softmax"])), []
        line.ask({"kind": "cell", "source": LOOKS_EVERYWHERE}, 60, said.append)
        line.process.end()
    assert [output["text"] for output in said] == ["True []\n"]


OPEN = """
import os
def what(number):
    try:
        return os.readlink(f"/dev/fd/{number}") if os.path.exists("/dev/fd") else str(os.fstat(number).st_mode >> 12)
    except OSError:
        return ""
print([number for number in range(256) if what(number)])
"""


def test_a_notebook_holds_nothing_but_its_line_to_the_judge(require):
    require("bwrap")
    with Sandbox() as sandbox:
        for _ in range(2):
            line, said = Line(sandbox.fork(["softmax"])), []
            line.ask({"kind": "cell", "source": OPEN}, 15, said.append)
            line.process.end()
            shown = ast.literal_eval("".join(output["text"] for output in said))
            assert shown[:3] == [0, 1, 2]
            assert len(shown) == 4


def test_the_end_of_a_process_is_seen_at_once_also_of_the_first_with_its_library(require):
    require("bwrap")
    with Sandbox() as sandbox:
        for _ in range(2):
            line = Line(sandbox.fork(["softmax"]))
            with pytest.raises(Ended, match="ended by itself"):
                line.ask({"kind": "cell", "source": "import os; os._exit(3)"}, 15)


def test_a_process_of_a_library_that_was_killed_gets_a_successor(require):
    require("bwrap")
    with Sandbox() as sandbox:
        sandbox.fork(["softmax"]).end()
        warmed = Path(f"/proc/{sandbox._warm._zygote.pid}")
        below = [int(number) for number in _below(warmed)]
        os.kill(below[-1], signal.SIGKILL)
        process = sandbox.fork(["softmax"])
        assert process.alive
        process.end()


def test_a_process_that_cannot_begin_leaves_the_others_of_its_library_alone(require):
    require("bwrap")
    with Sandbox() as sandbox:
        process, warmed = sandbox.fork(["softmax"]), sandbox._warm
        status = Path(f"/proc/{process._numbers()[-1]}/status").read_text()
        library = int(re.search(r"PPid:\s+(\d+)", status)[1])
        held = {int(name.name) for name in Path(f"/proc/{library}/fd").iterdir()}
        free = next(number for number in itertools.count() if number not in held)
        soft, hard = resource.prlimit(library, resource.RLIMIT_NOFILE)
        # Room for the new process's line, and for nothing else.
        resource.prlimit(library, resource.RLIMIT_NOFILE, (free + 1, hard))
        assert warmed.forked(sandbox._request(warmed, ["softmax"])) is None
        resource.prlimit(library, resource.RLIMIT_NOFILE, (soft, hard))
        assert "Too many open files" in warmed.said()
        process.send({"kind": "bind", "expression": "1 + 1", "seconds": 1, "nonce": "n"})
        assert process.receive(5) == {"kind": "reply", "nonce": "n", "about": {}}
        process.end()
        sandbox.fork(["softmax"]).end()
        assert sandbox._warm is warmed


def _below(process):
    """The numbers of all that come from a process, the last begun last."""
    found = (process / "task" / process.name / "children").read_text().split()
    return [one for number in found for one in (number, *_below(Path(f"/proc/{number}")))]


KILLED = """
import os
from grader.classroom.sandbox.warm import Warm
warm = Warm()
print(warm.top, flush=True)
os.kill(os.getpid(), 9)
"""


def test_the_folder_of_a_command_that_was_killed_goes_with_the_next_one_and_no_other_does(require):
    require("bwrap")
    done = subprocess.run([sys.executable, "-c", KILLED], capture_output=True, text=True, check=False)
    left = Path(done.stdout.strip())
    assert (left / "course").is_dir()
    first = warm.Warm()
    assert not left.exists()
    second = warm.Warm()
    assert first.top.is_dir()
    first.close()
    assert not first.top.exists()
    assert second.top.is_dir()
    second.close()


# ---- a process seen from outside


@pytest.fixture
def pair():
    """Return a process without any code, and the other end of its line."""
    ours, theirs = socket.socketpair()
    sleeper = subprocess.Popen([sys.executable, "-c", "import time; time.sleep(60)"], start_new_session=True)
    process = Process(ours, sleeper.pid, (), Limits(notebook=1.0))
    theirs.recv(1)
    yield process, theirs
    process.end()
    theirs.close()
    sleeper.wait()


def test_silence_ends_the_process_at_the_end_of_the_time(pair):
    process, _ = pair
    with pytest.raises(TooLong, match="did not come to an end in time") as end:
        process.receive(0.2)
    assert end.value.late
    assert not process.alive


def test_half_a_frame_is_no_frame(pair):
    process, theirs = pair
    theirs.send(b"\x10\x00")
    with pytest.raises(Ended, match="in time"):
        process.receive(0.2)


def test_memory_is_looked_at_while_the_process_never_stops_talking(pair, monkeypatch):
    process, theirs = pair
    monkeypatch.setattr(Process, "_memory", lambda self, of: 2**40)
    talking = Thread(target=talk, args=(theirs,), daemon=True)
    talking.start()
    with pytest.raises(Ended, match="MB of memory"):
        for _ in iter(partial(process.receive, 5), None):
            pass
    talking.join(10)


def talk(line):
    """Send one empty frame after the other, until nobody listens."""
    frame = wire.encode({"kind": "output"}) * 1000
    with contextlib.suppress(OSError):
        while True:
            line.sendall(frame)


def test_a_frame_larger_than_any_is_not_read(pair):
    process, theirs = pair
    theirs.send(struct.pack("<II", 2**31, 0))
    with pytest.raises(Ended, match="wrote into the line") as end:
        process.receive(1)
    assert not end.value.late


def test_a_function_of_the_process_is_nothing_that_the_judge_could_call(pair):
    process, theirs = pair
    theirs.send(wire.encode({"kind": "reply", "value": len}, []))
    with pytest.raises(Ended, match="wrote into the line"):
        process.receive(1)


def test_a_trickle_of_bytes_does_not_stretch_the_time(pair):
    process, theirs = pair
    theirs.send(struct.pack("<II", 1000, 0) + b" " * 500)
    began = time.monotonic()
    with pytest.raises(TimeIsUp, match="time of the whole notebook") as end:
        process.receive(10)
    assert end.value.late
    assert time.monotonic() - began < 5


def test_nobody_at_the_other_end_is_told(pair):
    process, theirs = pair
    theirs.close()
    with pytest.raises(Ended, match="ended by itself"):
        process.receive(1)


# ---- the process inside


def test_what_a_learner_draws_at_random_is_the_same_in_every_run():
    class NoShell:
        def open_streams(self):
            drawn.append((random.random(), np.random.random()))  # noqa: NPY002

    drawn, before = [], (random.getstate(), np.random.get_state())  # noqa: NPY002
    try:
        for seed in (5, 6):
            random.seed(seed)
            np.random.seed(seed)  # noqa: NPY002
            ours, theirs = socket.socketpair()
            ours.close()
            with theirs:
                Session(wire.Channel(theirs.fileno()), NoShell()).serve()
    finally:
        random.setstate(before[0])
        np.random.set_state(before[1])  # noqa: NPY002
    assert drawn[0] == drawn[1]
