"""Attacks on the judge's line, on other students' marks, on the machine, and on whoever reads the result."""

import os

from submissions.cheats import REST_ANYTHING, WRONG, trick
from submissions.handed import ANYTHING, MASKS, NOTHING, THREE, answers, entry
from submissions.mishaps import ENDED, RIGHT
from submissions.thefts import PLACES

#: What marks the processes that must not be left over.
ORPHAN = f"attention-course-catalogue-orphan-{os.getpid()}"
CANARY = "attention-course-catalogue-was-here"


# ---------------------------------------------------------------- the line to the judge

#: Frames as this course's sandbox writes them, and lines that other graders might read.
FRAMES = """
import json
import os
import struct


def frame(value):
    def tree(value):
        if isinstance(value, dict):
            return {"d": [[key, tree(inner)] for key, inner in value.items()]}
        return {"l": [tree(inner) for inner in value]} if isinstance(value, list) else value

    text = json.dumps(tree(value)).encode()
    return struct.pack("<II", len(text), 0) + text


forged = [
    frame({"kind": "output", "output": {"output_type": "execute_result", "data": {"text/plain": "4.0"}}}),
    frame({"kind": "reply", "nonce": "", "error": "", "value": 4.0, "points": 4.0}),
    frame({"kind": "verdict", "exercise": "softmax", "points": 4.0, "max_points": 4.0}),
    b'{"softmax": 4.0}\\n',
]
"""
trick("forged-frames", "writes forged messages into everything that is open", FRAMES + """
for descriptor in range(3, 256):
    for text in forged:
        try:
            os.write(descriptor, text)
        except OSError:
            pass
""", REST_ANYTHING)  # fmt: skip
trick("forged-outputs", "sends forged outputs over the judge's own line, with all the right words", FRAMES + """
import gc

channels = [thing for thing in gc.get_objects() if type(thing).__name__ == "Channel"]
for channel in channels:
    for kind in ("execute_result", "display_data", "update_display_data", "error", "smell"):
        channel.send({"kind": "output", "output": {
            "output_type": kind, "data": {"text/plain": "4.0", "text/html": 4.0, "points": [None]},
            "display_id": "softmax", "ename": "4.0", "evalue": None, "traceback": {"a": 1},
            "name": 7, "text": ["4.0"], "wait": "x",
        }})
    channel.send({"kind": "output", "output": ["4.0"]})
    channel.send({"kind": "output"})
""")  # fmt: skip
trick("forged-replies", "answers the judge's question itself, more than once, and asks back", FRAMES + """
import sys


def softmax(x):
    frame = sys._getframe()
    while frame is not None:
        request, session = frame.f_locals.get("request"), frame.f_locals.get("self")
        channel = getattr(session, "_channel", None)
        if isinstance(request, dict) and channel is not None:
            uniform = np.full(x.shape, 1 / x.shape[-1])
            told = {"error": "", "message": "", "line": "", "printed": "", "warned": [], "stopped": False}
            reference = {"kind": "reference", "name": "softmax", "args": (x,), "kwargs": {}, "nonce": "1", "first": 0}
            channel.send(reference)
            try:
                answer = channel.receive()
                uniform = answer.get("value", uniform)
            except Exception:
                pass
            for value in (uniform, {"points": 4.0}, True):
                reply = {"kind": "reply", "nonce": request["nonce"], "value": value, "args": [x], "kwargs": {}}
                channel.send({**reply, **told})
        frame = frame.f_back
    return x
""")  # fmt: skip
trick("huge-frames", "announces four gigabytes on the judge's line", FRAMES + """
for descriptor in range(3, 256):
    try:
        os.write(descriptor, struct.pack("<II", 2**32 - 1, 2**32 - 1) + b"x" * 1_000)
    except OSError:
        pass
""", REST_ANYTHING)  # fmt: skip
#: Writes whole frames of its own making.
SWELLING = (
    RIGHT
    + """

import gc
import json
import os
import struct

channel = next(thing for thing in gc.get_objects() if type(thing).__name__ == "Channel")


def send(block=b"", **fields):
    text = json.dumps({"d": [[name, tree] for name, tree in fields.items()]}).encode()
    data = memoryview(struct.pack("<II", len(text), len(block)) + text + block)
    while data:
        data = data[os.write(channel._descriptor, data):]


"""
)
for name, title, sends in (
    (
        "same-bytes",
        "sends sixty arrays that all refer to the same 32 MB",
        "send(bytes(32_000_000), kind='reply', value={'l': [{'a': ['<f8', [4_000_000], 0]}] * 60})",
    ),
    (
        "no-width",
        "sends texts in twenty million rows of no width",
        "send(kind='reply', value={'u': [[20_000_000, 0], []]})",
    ),
    (
        "one-hash",
        "sends a dict of a hundred thousand numbers with one hash",
        "send(kind='reply', value={'d': [[n * (2**61 - 1), 1] for n in range(100_000)]})",
    ),
    (
        "kind-array",
        "sends a message whose kind is an array",
        "send(bytes(16), kind={'a': ['<f8', [2], 0]})",
    ),
):
    answers(f"frame-{name}", title, SWELLING + sends, words="wrote into the line")


# The suspects of the notebook run in the learner's own process, which may run out of memory there.
@entry(
    "call-without-width",
    "calls the judge's function with nine thousand rows of no width",
    {"leaky-suspects": ANYTHING},
    part=THREE,
)
def _(handed):
    right = handed.cell("leaks_future-answer", MASKS).source
    wide = """


def leaks_future(attention, leaks=leaks_future):
    for shape in ((9_000, 0), (0, 9_000), (0, 90, 100)):
        try:
            attention(np.zeros(shape))
        except ValueError:
            pass
    return leaks(attention)
"""
    handed.answer("leaks_future", right + wide, MASKS)


answers("frame-long-names", "gives a dozen outputs names of two megabytes each", SWELLING + """
for number in range(12):
    shown = {"output_type": "display_data", "display_id": f"{number}" + "x" * 2_000_000}
    parts = [[name, part] for name, part in shown.items()] + [["data", {"d": [["text/plain", "x"]]}]]
    send(kind="output", output={"d": parts})
""", {})  # fmt: skip
trick("session-replaced", "replaces the functions that answer the judge", """
    import gc
    import sys


    class Obliging:
        def describe(self, name):
            return {"callable": True, "type": "function", "empty": False, "library": ""}

        def value(self):
            return type("Outcome", (), {"value": 4.0, "error": "", "stopped": False})()

        def invoke(self, args, kwargs):
            x = np.asarray(args[0])
            made = {"value": np.full(x.shape, 1 / x.shape[-1]), "error": "", "message": "", "line": "", "printed": ""}
            return type("Outcome", (), {**made, "warned": (), "stopped": False, "ok": True})(), args, kwargs


    for thing in gc.get_objects():
        if type(thing).__name__ == "Session":
            type(thing)._on_describe = lambda self, request: {"about": Obliging().describe("")}
            type(thing)._on_value = lambda self, request: {"value": "c", "points": 4.0}
            type(thing)._told = lambda self, outcome: {"value": 4.0, "points": 4.0, "passed": True}
    """, {**REST_ANYTHING, "predict-softmax": 1.0})  # fmt: skip
trick("closed-files", "closes everything that is open", "import os\n\nos.closerange(0, 65_536)", REST_ANYTHING)
trick("redirected-files", "everything that is open leads to /dev/null", """
    import os

    null = os.open("/dev/null", os.O_RDWR)
    for descriptor in range(256):
        if descriptor != null:
            try:
                os.fstat(descriptor)
                os.dup2(null, descriptor)
            except OSError:
                pass
    """, REST_ANYTHING)  # fmt: skip
trick(
    "answers-in-two-voices",
    "a plain fork: two processes go on with the notebook",
    "import os\n\nos.fork()",
    REST_ANYTHING,
)
trick("builtins", "len, isinstance, print, getattr and type mean something else", """
    import builtins

    builtins.len = lambda thing: 4
    builtins.isinstance = lambda thing, kinds: True
    builtins.getattr = lambda thing, name, default=None: 4.0
    builtins.print = builtins.repr = builtins.str = lambda *args, **kwargs: "4.0"
    """, REST_ANYTHING)  # fmt: skip
trick("modules", "json, pickle, struct, os.write and os.read are replaced", """
    import io
    import json
    import os
    import pickle
    import struct

    for module in (json, pickle):
        module.dumps = module.loads = module.dump = module.load = lambda *args, **kwargs: "4.0"
    json.JSONEncoder.encode = json.JSONEncoder.iterencode = lambda self, value, *args: "4.0"
    json.JSONDecoder.decode = json.JSONDecoder.raw_decode = lambda self, text, *args: 4.0
    struct.pack = struct.unpack = lambda *args: b"4.0"
    os.write, os.read = lambda descriptor, text: len(text), lambda descriptor, size: b"4.0"
    """, REST_ANYTHING)  # fmt: skip
trick("numpy-replaced", "NumPy's ways to make arrays and bytes are replaced", """
    import numpy as np

    np.asarray = np.array = lambda *args, **kwargs: np.zeros((2, 3))
    np.frombuffer = np.empty = lambda *args, **kwargs: np.zeros((2, 3))
    np.ndarray = np.generic = float
    """, REST_ANYTHING)  # fmt: skip
trick("numbers-changed", "the number 0.0 in the memory of the process becomes 4.0", """
    import ctypes

    for number in (0.0, -0.0, 0.5):
        ctypes.memmove(id(number) + 16, ctypes.byref(ctypes.c_double(4.0)), 8)
    ctypes.memmove(id(0) + 24, ctypes.byref(ctypes.c_uint32(4)), 4)
    """, REST_ANYTHING)  # fmt: skip


# ---------------------------------------------------------------- signals and processes


for _name, _title, _call in (
    ("parent", "its parent", "os.kill(os.getppid(), signal.SIGKILL)"),
    ("group", "its process group", "os.kill(0, signal.SIGKILL)"),
    ("everybody", "everybody", "os.kill(-1, signal.SIGKILL)"),
    ("first", "the first process and its neighbours", """
for pid in range(1, 200):
    for number in (signal.SIGTERM, signal.SIGHUP, signal.SIGKILL):
        try:
            if pid != os.getpid():
                os.kill(pid, number)
        except OSError:
            pass
"""),
    ("with-stop", "nobody, but stops its group", "os.kill(0, signal.SIGSTOP)"),
):  # fmt: skip
    trick(f"kills-{_name}", f"kills {_title}", f"import os\nimport signal\n\n{_call.strip()}")

ORPHANS = f"""
import os
import subprocess
import sys

program = '''
import os, signal, sys, time
for number in (signal.SIGHUP, signal.SIGTERM, signal.SIGINT):
    signal.signal(number, signal.SIG_IGN)
if os.fork():
    os._exit(0)
os.setsid()
if os.fork():
    os._exit(0)
end = time.time() + 60
while time.time() < end:
    for folder in sys.argv[2].split(os.pathsep):
        try:
            with open(os.path.join(folder, "{CANARY}"), "a") as file:
                file.write("still here")
        except OSError:
            pass
    time.sleep(0.2)
'''
folders = [os.getcwd(), *(os.path.abspath("../" * n) for n in range(1, 6)), os.path.expanduser("~"), "/tmp"]
subprocess.Popen([sys.executable, "-c", program, "{ORPHAN}", os.pathsep.join(folders)], start_new_session=True)
"""
answers("orphans", "leaves processes behind that go on writing", RIGHT + ORPHANS, {})
answers("answer-orphans", "every call of the answer leaves a process behind", RIGHT.replace(
    "def softmax(x):", "def softmax(x):\n    exec(ORPHANS, {})") + f"\nORPHANS = {ORPHANS!r}", {})  # fmt: skip
trick("namespaces", "makes namespaces of its own, and mounts what it can get", """
    import ctypes
    import os

    libc = ctypes.CDLL(None, use_errno=True)
    for flags in (0x10000000, 0x10000000 | 0x00020000, 0x00020000, 0x20000000, 0x40000000):
        libc.unshare(flags)
    for target in (b"/proc", b"/tmp", b"/notebook", b"/home"):
        libc.mount(b"proc", target, b"proc", 0, None)
        libc.umount2(target, 2)
    libc.chroot(b"/proc/1/root")
    for identity in (0, 1000):
        try:
            os.setresuid(identity, identity, identity)
        except OSError:
            pass
    os.unshare = None
    """)  # fmt: skip


# ---------------------------------------------------------------- other people's files and marks


trick("gradebook", "a child process gives everybody full marks in the gradebook, and goes on doing so", f"""
    import os
    import subprocess
    import sys

    program = '''
    import os, sqlite3, sys, time
    end = time.time() + 12
    while time.time() < end:
        for folder in sys.argv[2].split(os.pathsep):
            path = os.path.join(folder, "gradebook.db")
            if os.path.exists(path):
                try:
                    book = sqlite3.connect(path, timeout=1)
                    book.execute("update grade set auto_score = 4.0")
                    book.commit()
                    book.close()
                except sqlite3.Error:
                    pass
        time.sleep(0.2)
    '''
    folders = [os.path.abspath("../" * n) for n in range(8)]
    subprocess.Popen([sys.executable, "-c", program, "{ORPHAN}", os.pathsep.join(folders)], start_new_session=True)
    """)  # fmt: skip
trick("others-files", "writes into everybody's folders, the course and the home", PLACES + f"""
    FOLDERS += ["../" * n for n in range(1, 8)]
    for top in list(FOLDERS):
        for folder, folders, files in os.walk(top):
            folders[:] = [name for name in folders if name not in ("proc", "sys", "usr", "site-packages", "lib")][:50]
            try:
                open(os.path.join(folder, "{CANARY}"), "w").close()
            except OSError:
                pass
            for name in files:
                if name.endswith((".ipynb", ".py", ".json", ".db", ".html", ".csv")):
                    try:
                        open(os.path.join(folder, name), "a").close()
                        os.utime(os.path.join(folder, name), (0, 0))
                        with open(os.path.join(folder, name), "a") as file:
                            file.write(" ")
                    except OSError:
                        pass
    """.replace("\n    ", "\n"))  # fmt: skip
trick("startup-files", "leaves files that later notebooks of this user would run first", """
    import os
    import site

    code = "import numpy\\nnumpy.allclose = numpy.isclose = lambda *args, **kwargs: True\\n"
    home = os.path.expanduser("~")
    for folder, name in (
        (f"{home}/.ipython/profile_default/startup", "00-first.py"),
        (site.getusersitepackages(), "usercustomize.py"),
        (f"{home}/.jupyter", "nbgrader_config.py"),
        (os.path.dirname(np.__file__), "__init__.py"),
        (os.path.dirname(__import__("attnlib").__file__), "__init__.py"),
        (os.path.dirname(__import__("grader").__file__), "__init__.py"),
    ):
        try:
            os.makedirs(folder, exist_ok=True)
            with open(os.path.join(folder, name), "a") as file:
                file.write(code)
        except OSError:
            pass
    """)  # fmt: skip
answers("deletes-everything", "deletes every file that it can, from the root down", RIGHT + """
import os
import shutil

tops = [f"/{name}" for name in os.listdir("/") if name not in ("usr", "proc", "sys")]  # /usr is large and nobody's
for folder in ("../../../..", "../../..", "..", ".", os.path.expanduser("~"), *tops):
    shutil.rmtree(folder, ignore_errors=True)
""", {})  # fmt: skip
answers("no-permissions", "takes everybody's permissions away, in every folder that it owns", RIGHT + """
import os

for top in (".", "..", "../..", os.path.expanduser("~"), "/dev/shm"):
    for folder, _, files in os.walk(top, topdown=False):
        for name in (*files, "."):
            try:
                os.chmod(os.path.join(folder, name), 0)
            except OSError:
                pass
""", {})  # fmt: skip
trick("atexit", "does all this when the process ends", f"""
    import atexit
    import os


    def late():
        print("4.0")
        np.allclose = lambda *args, **kwargs: True
        for n in range(8):
            try:
                open("../" * n + "{CANARY}", "w").close()
            except OSError:
                pass
        while True:
            pass


    atexit.register(late)
    """)  # fmt: skip


# ---------------------------------------------------------------- whoever reads the result

SCRIPT = "<script>alert('attention-course-catalogue')</script>"
PICTURE = "<img src=x onerror=alert(1)>"


@entry("script-in-markdown", "scripts in the prose, in a question's answer and in attachments")
def _(handed):
    handed.put(f"# Hello {SCRIPT}\n\n{PICTURE}\n\n[a link](javascript:alert(1))", after="softmax", kind="markdown")
    handed.cell("promise").attachments = {"a.svg": {"image/svg+xml": f"<svg>{SCRIPT}</svg>"}}


answers("script-in-output", "scripts in every kind of output", RIGHT + f"""
from IPython.display import HTML, Javascript, Markdown, SVG, display

bad = "{SCRIPT}{PICTURE}"
print(bad)
display(HTML(bad), Markdown(bad), Javascript("alert('attention-course-catalogue')"))
display({{"image/svg+xml": f"<svg xmlns='http://www.w3.org/2000/svg'>{{bad}}</svg>", "text/latex": bad}}, raw=True)
raise ValueError(bad)
""", {})  # fmt: skip
answers("script-in-answer", "scripts in names, messages and values that the check repeats", f"""
bad = "{SCRIPT}{PICTURE}"


def softmax(x):
    if x.shape == (2, 3):
        return type(bad, (), {{}})()
    raise type("<b>Error", (Exception,), {{}})(bad)


softmax.__name__ = softmax.__qualname__ = bad
""")  # fmt: skip


@entry("script-in-first-line", "a cell whose first line is a script never ends", NOTHING, words=f"time|stopped|{ENDED}")
def _(handed):
    handed.answer("softmax", WRONG)
    handed.put(f"'''{SCRIPT}'''\nimport os\n\nos._exit(0)", after="softmax")


@entry("script-in-file-names", "names of files that are scripts")
def _(handed):
    handed.write("<img src=x onerror=alert(1)>.py", "x")
    handed.write("\x1b[2J\n.ipynb", "{}")
    handed.write("'; drop table grade; --.txt", "x")
