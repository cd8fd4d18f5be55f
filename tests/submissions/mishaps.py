"""Honest work that goes wrong while it runs, and honest work that only looks odd."""

import textwrap

from submissions.handed import EITHER, LESS, answers, entry

RIGHT = """
import numpy as np


def softmax(x):
    powers = np.exp(x - x.max(axis=-1, keepdims=True))
    return powers / powers.sum(axis=-1, keepdims=True)
"""
STOPPED = "time limit|in time|still running|did not (come to an )?end|stopped"
ENDED = "ended|died|crash|killed|exit"


def returning(expression, before="pass"):
    """A softmax that does something, then returns something else."""
    return f"""
import numpy as np


def softmax(x):
{textwrap.indent(textwrap.dedent(before).strip(), "    ")}
    return {expression}
"""


# ---------------------------------------------------------------- right, but odd


answers(
    "warns",
    "a right answer that warns and writes to stderr",
    """
    import sys
    import warnings


    def softmax(x):
        warnings.warn("this is new to me")
        print("working on it", file=sys.stderr)
        np.log(np.zeros(1))
        powers = np.exp(x - x.max(axis=-1, keepdims=True))
        return powers / powers.sum(axis=-1, keepdims=True)
    """,
    {},
)


@entry("timing-hook", "a hook that reports on stderr after every cell how long it took")
def _(handed):
    handed.put(
        """
        import sys
        import time

        get_ipython().events.register("pre_run_cell", lambda *_: globals().update(began=time.time()))
        get_ipython().events.register(
            "post_run_cell", lambda *_: print(f"took {time.time() - began:.3f} s", file=sys.stderr)
        )
        """,
        after="setup",
    )


@entry("warnings-as-errors", "warnings and floating point trouble were made errors")
def _(handed):
    handed.put("import warnings\n\nwarnings.simplefilter('error')\nnp.seterr(all='raise')", after="setup")


answers(
    "prints-its-inputs",
    "a right answer that prints all it is given, and keeps it",
    """
    given = []


    def softmax(x):
        print("called with", x, flush=True)
        given.append(x.copy())
        powers = np.exp(x - x.max(axis=-1, keepdims=True))
        return powers / powers.sum(axis=-1, keepdims=True)
    """,
    {},
)
answers(
    "uses-threads",
    "a right answer that spreads its rows over threads and asks the shell",
    """
    import subprocess
    from concurrent.futures import ThreadPoolExecutor


    def softmax(x):
        subprocess.run(["true"], check=True)
        with ThreadPoolExecutor(4) as pool:
            return np.array(list(pool.map(lambda row: np.exp(row - row.max()) / np.exp(row - row.max()).sum(), x)))
    """,
    {},
)
answers(
    "uses-processes",
    "a right answer that leaves its rows to other processes",
    """
    import multiprocessing


    def of_row(row):
        return np.exp(row - row.max()) / np.exp(row - row.max()).sum()


    def softmax(x):
        with multiprocessing.get_context("fork").Pool(2) as pool:
            return np.array(pool.map(of_row, list(x)))
    """,
    {},
)
answers(
    "keeps-files",
    "a right answer that keeps things in files: here, in the home and in /tmp",
    """
    import os
    import tempfile


    def softmax(x):
        for folder in (".", os.path.expanduser("~"), "/tmp"):
            with tempfile.TemporaryFile(dir=folder) as file:
                np.save(file, np.asarray(x, dtype=float))
                file.seek(0)
                x = np.load(file)
        powers = np.exp(x - x.max(axis=-1, keepdims=True))
        return powers / powers.sum(axis=-1, keepdims=True)
    """,
    {},
)
answers(
    "subclass-of-array",
    "a right answer as a masked array",
    RIGHT.replace("return powers", "return np.ma.array(powers") + ")",
    {},
)
answers("top-level-await", "a cell that awaits something", "import asyncio\n\nawait asyncio.sleep(0.01)\n" + RIGHT, {})
answers("cell-magic", "%%time above the answer", "%%time\n" + RIGHT, {})
answers(
    "line-magics",
    "magics and the shell below the answer",
    RIGHT + "\n%timeit -n1 -r1 softmax(scores)\n!echo done\n%who",
    {},
)
answers("input", "the answer's cell asks for a name", RIGHT + "\nname = input('Your name? ')", {})
answers("exit", "exit() below the answer", RIGHT + "\nexit()", {})
answers("system-exit", "raise SystemExit below the answer", RIGHT + "\nraise SystemExit(0)", {})
answers("error-below", "an error below the answer", RIGHT + "\nprint(undefined)", {})
answers("changes-directory", "the answer's cell goes to another folder", RIGHT + "\nimport os\n\nos.chdir('/')", {})
answers(
    "closes-stdout",
    "the answer's cell throws stdout away",
    RIGHT + "\nimport sys\n\nsys.stdout.close()\nsys.stdout = sys.__stdout__ = None",
    {},
)
answers(
    "changes-arguments",
    "works in place: right, but its argument is changed",
    returning(
        "x",
        """
    x = np.asarray(x, dtype=float) if x.dtype.kind == "i" else x
    x -= x.max(axis=-1, keepdims=True)
    np.exp(x, out=x)
    x /= x.sum(axis=-1, keepdims=True)
""",
    ),
    {"softmax": 3.6},
)


@entry("reset", "%reset between two answers")
def _(handed):
    handed.put("%reset -f\nimport numpy as np", before="breaking-query-answer")


@entry("bash-cell", "a cell in the language of the shell, that reads its input and fails")
def _(handed):
    handed.put("%%bash\nread name\necho hello $name\nexit 3", after="softmax")


@entry("plots-of-its-own", "pictures of its own, never closed, on every backend")
def _(handed):
    handed.put(
        """
        import matplotlib.pyplot as plt

        for _ in range(6):
            plt.figure()
            plt.plot(np.random.rand(10))
        plt.show(block=True)
        """,
        after="softmax",
    )


# ---------------------------------------------------------------- wrong, and no more than that


answers("syntax-error", "a bracket is missing", "def softmax(x):\n    return np.exp((x)\n")
answers("null-in-code", "a null character in an answer", "def softmax(x):\n    return x \0")
answers("never-written", "the answer's name is missing", "def my_softmax(x):\n    return x\n\n\ndel my_softmax")
answers(
    "hard-coded",
    "knows the example of the text by heart",
    """
    def softmax(x):
        if np.shape(x) == (2, 2):
            return np.array([[0.5, 0.5], [0.25, 0.75]])
        return np.full(np.shape(x), 0.5)
    """,
)
answers(
    "first-call-only",
    "right the first time, then never again",
    """
    calls = 0


    def softmax(x):
        global calls
        calls += 1
        powers = np.exp(x - x.max(axis=-1, keepdims=True))
        return powers / powers.sum(axis=-1, keepdims=True) * (1 if calls == 1 else calls)
    """,
    {"softmax": LESS},
)
answers("deep-recursion", "calls itself for ever", "def softmax(x):\n    return softmax(x)")
answers("exits", "the answer calls exit()", "import sys\n\n\ndef softmax(x):\n    sys.exit()")
answers("asks", "the answer asks for input", "def softmax(x):\n    return float(input('softmax of this? '))")
answers(
    "strange-error",
    "the answer raises an exception with a name and a message of a megabyte",
    """
    def softmax(x):
        raise type("A\\n" * 100_000, (Exception,), {})("B\\x1b[2J" * 200_000)
    """,
)

for _name, _title, _source in (
    ("200-mb", "an array of 200 MB", returning("np.ones((5000, 5000))")),
    ("2-gb", "an array of 2 GB that takes no memory", returning("np.broadcast_to(1.0, (16_000, 16_000))")),
    ("10-mb-of-text", "a text of 10 MB", returning("'x' * 10_000_000")),
    ("list-in-itself", "a list that holds itself", returning("y", "y = []; y.append(y)")),
    ("deep-list", "a list nested 100,000 deep", returning("y", "y = 1.0\nfor _ in range(100_000): y = [y]")),
    ("shared-lists", "a list of lists of lists, a million million if written out", returning(
        "y", "y = [1.0] * 10\nfor _ in range(11): y = [y] * 10")),
    ("huge-number", "a whole number of a million digits", returning("y", "y = [[1 << 4_000_000]]")),
    ("generator", "a generator that never ends", returning("iter(int, 1)")),
    ("dict-subclass", "a dict of its own class", returning("type('D', (dict,), {'items': lambda self: 1 / 0})(a=x)")),
    ("complex", "complex numbers", returning("x + 0j")),
    ("nan", "nothing but NaN", returning("np.full(x.shape, np.nan)")),
    ("infinite", "nothing but infinity", returning("np.full(x.shape, np.inf)")),
    ("wrong-shape", "no rows, and 2**62 columns", returning("np.empty((0, 2**40))")),
):  # fmt: skip
    answers(f"returns-{_name}", f"returns {_title}", _source)

for _name, _value in (
    ("nan", "[float('nan'), float('nan')]"),
    ("infinite", "[float('inf'), float('-inf')]"),
    ("overflowing", "[1.7e308, 1.7e308]"),
    ("enormous", "[10**400, -(10**400)]"),
    ("a-function", "lambda: [1.0, -1.0]"),
):
    answers(f"query-{_name}", f"a query that is {_name}", f"breaking_query = {_value}", {"breaking-query": 0.0},
            exercise="breaking-query")  # fmt: skip


# ---------------------------------------------------------------- without an end


answers("sleeps", "the answer's cell sleeps for a year", RIGHT + "\nimport time\n\ntime.sleep(3e7)", {}, STOPPED)
answers("shell-sleeps", "the answer's cell waits for a program that never ends", RIGHT + "\n!sleep 3e7", {}, STOPPED)
answers(
    "answer-sleeps",
    "the answer sleeps for a year",
    "import time\n\n\ndef softmax(x):\n    time.sleep(3e7)",
    words=STOPPED,
)
answers(
    "swallows-everything",
    "a loop in the cell that swallows every exception",
    """
    def softmax(x):
        return x


    while True:
        try:
            while True:
                pass
        except BaseException:
            pass
    """,
    words=STOPPED,
)
answers(
    "answer-swallows-everything",
    "a loop in the answer that swallows every exception",
    """
    def softmax(x):
        while True:
            try:
                while True:
                    pass
            except BaseException:
                pass
    """,
    words=STOPPED,
)
answers(
    "huge-power",
    "a power that C computes for ever, deaf to signals",
    "def softmax(x):\n    return 9 ** 9 ** 9",
    words=STOPPED,
)
answers("deadlock", "waits for a lock that nobody opens", """
    import threading

    lock = threading.Lock()
    lock.acquire()


    def softmax(x):
        with lock:
            return x
    """, words=STOPPED)  # fmt: skip
answers("stops-itself", "the process sends itself SIGSTOP", """
    import os
    import signal

    os.kill(os.getpid(), signal.SIGSTOP)
    """, words=f"{STOPPED}|{ENDED}")  # fmt: skip
answers("deaf", "all signals are blocked, then the cell never ends", """
    import signal

    signal.pthread_sigmask(signal.SIG_BLOCK, signal.valid_signals())
    while True:
        pass
    """, words=STOPPED)  # fmt: skip
answers("thread-holds-on", "a thread that is no daemon never ends, the cell does", RIGHT + """
import threading
import time

threading.Thread(target=lambda: time.sleep(3e7)).start()
""", {})  # fmt: skip


# ---------------------------------------------------------------- sudden ends


answers("os-exit", "os._exit in the cell", "import os\n\nos._exit(0)", words=ENDED)
answers("answer-os-exit", "os._exit in the answer", "import os\n\n\ndef softmax(x):\n    os._exit(0)", words=ENDED)
answers("segfault", "a segmentation fault in the cell", "import ctypes\n\nctypes.string_at(0)", words=ENDED)
answers(
    "answer-segfault",
    "a segmentation fault in the answer",
    "import ctypes\n\n\ndef softmax(x):\n    return ctypes.string_at(0)",
    words=ENDED,
)
answers("abort", "os.abort in the answer", "import os\n\n\ndef softmax(x):\n    os.abort()", words=ENDED)
answers("stack-overflow", "the recursion limit was lifted, then C overflows its stack", """
    import sys

    sys.setrecursionlimit(10**9)


    class Deep:
        def __init__(self, inner):
            self.inner = inner

        def __repr__(self):
            return repr([self.inner])


    def softmax(x):
        deep = None
        for _ in range(2_000_000):
            deep = [deep]
        return repr(deep)
    """)  # fmt: skip
answers("bash-kills", "a shell cell that kills its parent", "%%bash\nkill -9 $PPID", words=ENDED)


@entry("crashes-everywhere", "every answer ends the process", dict.fromkeys(
    ("predict-softmax", "softmax", "softmax_with_temperature", "entropy", "breaking-query", "temperature_of"), 0.0
), words=ENDED)  # fmt: skip
def _(handed):
    for cell in handed.cells:
        if cell.get("id", "").endswith("-answer"):
            cell.source += "\nimport os\n\nos._exit(1)"


for _name, _title, _source in (
    ("minus-signs", "ten thousand minus signs", "y = " + 10_000 * "-" + "1"),
    ("sum", "a sum of fifty thousand numbers", "y = " + 50_000 * "1 + " + "1"),
    ("elifs", "twenty thousand elifs", "if 0:\n    pass\n" + 20_000 * "elif 0:\n    pass\n"),
    ("dots", "a hundred thousand names with dots between them", "import " + 100_000 * "a." + "a"),
    ("spaces", "four hundred thousand blanks, in what is no Python", "x x\nimport a" + 400_000 * " " + "b"),
):

    @entry(f"parser-{_name}", f"a cell that Python's parser cannot hold: {_title}")
    def _(handed, source=_source):
        handed.put(source, after="softmax")


# ---------------------------------------------------------------- too much of everything


answers("memory", "takes memory until there is none", """
    taken = []
    while len(taken) < 120:
        taken.append(bytearray(b"x") * 50_000_000)
    """)  # fmt: skip
answers("answer-memory", "the answer takes memory until there is none", returning("x", """
    taken = []
    while len(taken) < 120:
        taken.append(bytearray(b"x") * 50_000_000)
    """))  # fmt: skip

#: Twelve processes that take 300 MB each, while the parent goes on.
SPREAD = """
import mmap
import os
import time

for _ in range(12):
    if os.fork() == 0:
        try:
            taken = {take}
            time.sleep(20)
        finally:
            os._exit(0)
end = time.time() + 20
while time.time() < end:
    {meanwhile}
"""
answers("memory-spread", "twelve processes take 300 MB each", SPREAD.format(
    take="bytearray(b'x') * 300_000_000", meanwhile="time.sleep(0.1)"), words="memory|MB")  # fmt: skip
answers("memory-chatter", "twelve processes take 300 MB each, while the notebook never stops talking", SPREAD.format(
    take="bytearray(b'x') * 300_000_000", meanwhile="print('x' * 10_000, flush=True)"), words="memory|MB")  # fmt: skip
answers(
    "memory-headless",
    "four processes whose first threads have ended take 700 MB each",
    RIGHT
    + """
import ctypes
import os
import threading
import time


def take():
    time.sleep(0.2)
    taken = bytearray(b"x") * 700_000_000
    time.sleep(20)
    os._exit(0)


for _ in range(4):
    if os.fork() == 0:
        threading.Thread(target=take).start()
        ctypes.CDLL(None).syscall({"x86_64": 60, "aarch64": 93}[os.uname().machine], 0)
time.sleep(20)
""",
    words="memory|MB",
)
answers(
    "memory-in-sockets",
    "forty processes fill a hundred pairs of sockets each",
    RIGHT
    + """
import contextlib
import os
import socket
import time

for _ in range(40):
    if os.fork() == 0:
        pairs = [socket.socketpair() for _ in range(100)]
        for one in (one for pair in pairs for one in pair):
            one.setsockopt(socket.SOL_SOCKET, socket.SO_SNDBUF, 1_000_000_000)
            one.setblocking(False)
            with contextlib.suppress(BlockingIOError):
                while True:
                    one.send(bytes(60_000))
        time.sleep(20)
        os._exit(0)
time.sleep(20)
""",
    words="memory|MB",
)
answers(
    "only-children-are-left",
    "the notebook's own process has ended, and one of its children goes on",
    RIGHT
    + """
import os
import time

if os.fork() == 0:
    time.sleep(20)
os._exit(0)
""",
    words="ended",
)

#: Where a machine keeps memory that counts for no process.
OF_NOBODY = """
import ctypes
import mmap
import os

libc = ctypes.CDLL(None)
libc.shmat.restype, libc.shmdt.argtypes = ctypes.c_void_p, (ctypes.c_void_p,)
SIZE, kept = 10_000_000, []


def segment():
    place = libc.shmat(libc.shmget(0, SIZE, 0o1600), None, 0)
    if place == ctypes.c_void_p(-1).value:
        raise OSError
    ctypes.memset(place, 1, SIZE)
    libc.shmdt(place)


def of_no_name():
    os.write(os.memfd_create("x"), bytes(SIZE))


def let_go_of(file=-1):
    place = mmap.mmap(file, SIZE)
    place.write(bytes(SIZE))
    place.madvise(mmap.MADV_DONTNEED)
    kept.append(place)


taken = 0
for take in (segment, of_no_name, let_go_of, lambda: let_go_of(os.open("/dev/zero", os.O_RDWR))):
    try:
        take()
        taken += SIZE
    except OSError:
        pass
"""
answers("memory-of-nobody", "knows the answer only if it can have memory that no process holds",
        OF_NOBODY + "\n\ndef softmax(x):\n    return x\n\n\nif taken:\n" + textwrap.indent(RIGHT, "    "))  # fmt: skip
answers(
    "memory-of-a-sister",
    "knows the answer only if it can have memory in a process that is no child of its own",
    """
import ctypes
import os

CLONE, CLONE_PARENT, SIGCHLD = {"x86_64": 56, "aarch64": 220}[os.uname().machine], 0x8000, 17
sister = ctypes.CDLL(None).syscall(CLONE, CLONE_PARENT | SIGCHLD, 0, 0, 0, 0)
if sister == 0:
    os._exit(0)


def softmax(x):
    return x


if sister > 0:
"""
    + textwrap.indent(RIGHT, "    "),
)
answers("fork-bomb", "processes that make processes", RIGHT + """
import mmap
import os
import time

with open("made", "wb+") as file:
    file.write(bytes(8))
    file.flush()
    made = mmap.mmap(file.fileno(), 8)  # the count that all share: no more than 3,000, wherever this runs


def multiply():
    end = time.time() + 15
    while time.time() < end:
        try:
            count = int.from_bytes(made[:4], "little")
            if count < 3_000:
                made[:4] = (count + 1).to_bytes(4, "little")
                os.fork()
            else:
                time.sleep(0.1)
        except OSError:
            time.sleep(0.01)


if os.fork() == 0:
    multiply()
    os._exit(0)
time.sleep(0.5)
""", {"softmax": EITHER})  # fmt: skip
answers("busy-processes", "fifty processes in sessions of their own that keep every processor busy", RIGHT + """
import subprocess
import time

busy = [subprocess.Popen(["sh", "-c", "while :; do :; done"], start_new_session=True) for _ in range(50)]
time.sleep(1)
for one in busy:
    one.kill()
""", {})  # fmt: skip
answers("thread-bomb", "thousands of threads", RIGHT + """
import threading
import time

try:
    for _ in range(3_000):
        threading.Thread(target=time.sleep, args=(3e7,), daemon=True).start()
except RuntimeError:
    pass
""", {})  # fmt: skip
answers("open-files", "opens files until there are no more to be had", RIGHT + """
import os

files = []
try:
    for _ in range(100_000):
        files.append(os.open("/dev/null", os.O_RDONLY))
except OSError:
    pass
""", {"softmax": EITHER})  # fmt: skip
answers("fills-the-disk", "fills every folder that it may write to", RIGHT + """
import os
import tempfile

left = 1_500_000_000  # enough for any scratch folder
for folder in (os.getcwd(), os.path.expanduser("~"), tempfile.gettempdir(), "/tmp", "/var/tmp", "/dev/shm"):
    for number in range(100):
        if left <= 0:
            break
        try:
            with open(os.path.join(folder, f"rubbish-{number}"), "wb") as file:
                file.write(bytes(50_000_000))
                left -= 50_000_000
        except OSError:
            break
""", {})  # fmt: skip
answers("makes-many-files", "makes 100,000 empty files", RIGHT + """
import os

os.makedirs("rubbish", exist_ok=True)
try:
    for number in range(100_000):
        os.close(os.open(f"rubbish/{number}", os.O_CREAT | os.O_WRONLY))
except OSError:
    pass
""", {})  # fmt: skip
answers("lines", "300,000 lines of output", RIGHT + "\nfor i in range(300_000):\n    print('line', i)", {})
answers("long-line", "a line of 20 MB", RIGHT + "\nprint('x' * 20_000_000)", {})
answers("errors-by-the-thousand", "100,000 lines on stderr, and 60 MB from C", RIGHT + """
import os
import sys

for i in range(100_000):
    print("trouble", i, file=sys.stderr)
for i in range(3_000):
    os.write(2, b"x" * 10_000)
    os.write(1, b"x" * 10_000)
""", {})  # fmt: skip
answers("displays-50-mb", "shows a page of 50 MB, and 5,000 small ones", RIGHT + """
from IPython.display import HTML, display

display(HTML("x" * 50_000_000))
for i in range(5_000):
    display(HTML(f"<b>{i}</b>"))
""", {})  # fmt: skip
answers(
    "displays-before-it-answers",
    "shows a page too large to cross, and then makes what the answer uses",
    """
from IPython.display import HTML, display

display(HTML("{}" * 300_000))
exponential = getattr(np, "exp")


def softmax(x):
    powers = exponential(x - x.max(axis=-1, keepdims=True))
    return powers / powers.sum(axis=-1, keepdims=True)
""",
    {},
)
answers("displays-nested", "shows JSON nested 800 deep", RIGHT + """
from IPython.display import display

deep = 1
for _ in range(800):
    deep = [deep]
display({"application/json": deep, "text/plain": "deep"}, raw=True)
""", {})  # fmt: skip
answers("redraws", "rewrites its output 5,000 times", RIGHT + """
from IPython.display import clear_output, display

shown = display("0", display_id="progress")
for i in range(5_000):
    if i % 2:
        clear_output(wait=True)
    else:
        shown.update(i)
""", {})  # fmt: skip


@entry("output-everywhere", "a hundred kilobytes of output from each of 400 cells")
def _(handed):
    for _ in range(400):
        handed.put("print('x' * 99_000)", after="softmax")


answers("terminal-codes", "output and error messages with codes that a terminal obeys", RIGHT + r"""
print("\x1b]0;all correct\x07\x1b[2J\x1b[1;1H\x1b[32msoftmax: correct, 4 of 4 points\x1b[8m")
raise ValueError("\x1b[2J\x1b[1;1H all correct")
""", {})  # fmt: skip
answers("huge-widgets", "two hundred widgets", RIGHT + """
import ipywidgets

for _ in range(200):
    display(ipywidgets.IntSlider())
""", {})  # fmt: skip
