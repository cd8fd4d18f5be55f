"""Running a notebook in the sandbox: the marks it deserves, whatever it does to its own process."""

import ast
import copy
import textwrap

import nbformat
import pytest
from courseware import ROOT, check_cells, read

from grader.classroom.records import Unnamed
from grader.classroom.running import runner
from grader.classroom.running.checks import Check, read_check
from grader.classroom.running.runner import Runner
from grader.classroom.sandbox.limits import Limits
from grader.notebook import marks

SOFTMAX = read(ROOT / "notebooks/1-context-vectors/3-softmax.ipynb")
COST = read(ROOT / "solutions/5-whole-models/2-cost.ipynb")
RIGHT = """def softmax(x):
    e = np.exp(x - x.max(axis=-1, keepdims=True))
    return e / e.sum(axis=-1, keepdims=True)
"""
CHANGES_ITS_ARGUMENT = """def softmax(x):
    x -= x.max(axis=-1, keepdims=True)
    e = np.exp(x)
    return e / e.sum(axis=-1, keepdims=True)
"""
WITH_TEMPERATURE = """def softmax_with_temperature(x, temperature):
    if temperature <= 0:
        raise ValueError("not that cold")
    e = np.exp((x - x.max(axis=-1, keepdims=True)) / temperature)
    return e / e.sum(axis=-1, keepdims=True)
"""
# Whatever the library's concept modules hold, seen from inside.
FUNCTIONS_IN_MEMORY = """
import gc, types
gc.unfreeze()
functions = [f for f in gc.get_objects() if isinstance(f, types.FunctionType)]
print(sorted({f.__name__ for f in functions if f.__module__ and f.__module__.startswith("attnlib.")
              and f.__module__.split(".")[1] not in ("plots", "widgets")}))
"""


# ---- whole notebooks in the sandbox


@pytest.fixture(scope="module")
def sandbox(require):
    """Give a runner with short limits."""
    require("bwrap")
    with Runner(limits=Limits(cell=3, call=1, notebook=40, memory=600, processes=40)) as running:
        yield running


@pytest.fixture
def graded(sandbox):
    """Return a function that runs the softmax notebook's checks with cells of its own and this answer."""

    def run(cell="", answer=RIGHT, **more):
        return sandbox.run("3-softmax", softmax_notebook({"first": cell, "softmax-answer": answer, **more}), seed)

    return run


def seed(exercise):
    return 7


def softmax_notebook(cells):
    """The checks of 3-softmax, the cells that they need, and `first` before them."""
    notebook = copy.deepcopy(SOFTMAX)
    kept = []
    for cell in notebook.cells:
        if cell.cell_type != "code":
            continue
        if cell.id in cells:
            cell.source = textwrap.dedent(cells[cell.id]).strip()
        if cell.id == "setup" or cell.id in cells or marks(cell).get("grade"):
            kept.append(cell)
        if cell.id == "setup":
            kept.append(nbformat.v4.new_code_cell(textwrap.dedent(cells["first"]).strip(), id="first"))
    notebook.cells = kept
    return notebook


def shown(run, cell_id="first"):
    """All that a cell shows, as text."""
    [cell] = [cell for cell in run.notebook.cells if cell.id == cell_id]
    return "\n".join(
        str(output.get("text") or output.get("evalue") or output.get("data", {}).get("text/plain", ""))
        for output in cell.outputs
    )


@pytest.fixture(scope="module")
def sandbox_for_courses(require):
    require("bwrap")
    with Runner() as running:
        yield running


@pytest.mark.grading
def test_a_released_notebook_gets_nothing_and_no_failure(sandbox_for_courses):
    run = sandbox_for_courses.run("3-softmax", SOFTMAX, seed)
    assert not run.failures
    assert {verdict.points for verdict in run.verdicts.values()} == {0.0}
    assert not any(verdict.attempted for verdict in run.verdicts.values())


NAMELESS = """def bent(weights):
    for number in weights.ravel():
        bend = weights + 0.3 * np.sin(7 * weights)
        return bend / bend.sum(axis=-1, keepdims=True)

def softmax(x):
    e = np.exp(x - x.max(axis=-1, keepdims=True))
    return bent(e / e.sum(axis=-1, keepdims=True))"""


@pytest.mark.grading
def test_an_answer_without_a_name_is_kept_with_what_it_does_whatever_was_drawn(sandbox):
    again = NAMELESS.replace("0.3 *", "0.1 * 3.0 *").replace("e = ", "powers = e = ")
    other = NAMELESS.replace("7 *", "8 *")
    runs = [
        sandbox.run("3-softmax", softmax_notebook({"first": "", "softmax-answer": answer}), lambda _, i=i: i)
        for i, answer in enumerate((NAMELESS, again, other))
    ]
    for run, answer in zip(runs, (NAMELESS, again, other), strict=True):
        assert list(run.unnamed) == ["softmax"]
        assert run.unnamed["softmax"].source == answer
        assert not run.failures
        assert "python -m grader" not in shown(run, "softmax")
    first, second, third = (run.unnamed["softmax"].outputs for run in runs)
    assert first == second != third
    assert len(first) == 64


@pytest.mark.grading
def test_an_answer_with_a_name_is_not_kept_and_what_is_written_is_read_from_the_right_function(graded):
    assert graded().unnamed == {}
    mistaken = NAMELESS.replace("e = np.exp(x", "for row in x:\n        return row\n    e = np.exp(x")
    run = graded(answer=mistaken)
    assert run.verdicts["softmax"].diagnosis == "return-in-loop"
    assert "`return row`" in run.verdicts["softmax"].advice[0].looks_like
    assert run.unnamed == {}


@pytest.mark.grading
def test_an_answer_that_calls_one_that_is_wrong_is_not_taken_for_a_mistake_of_its_own(graded):
    calls = "def temperature_of(weigh):\n    return softmax(weigh(np.eye(2)))[0, 0]"
    run = graded(answer=NAMELESS, **{"temperature_of-answer": calls})
    assert run.verdicts["temperature_of"].unnamed
    assert run.verdicts["temperature_of"].notice.startswith("What is wrong here may come from `softmax`, which")
    assert list(run.unnamed) == ["softmax"]
    run = graded(answer=RIGHT, **{"temperature_of-answer": calls.replace("softmax(", "np.sin(7 * ")})
    assert list(run.unnamed) == ["temperature_of"]


WHOLE = """def chunked_attention(Q, K, V, chunk_size):
    scores = Q @ K.T / np.sqrt(Q.shape[1])
    powers = np.exp(scores - scores.max(axis=1, keepdims=True))
    context = powers / powers.sum(axis=1, keepdims=True) @ V
    return context"""
UNSEEN = """import sys
import tracemalloc
tracemalloc.get_traced_memory = lambda: (0, 0)
for module in list(sys.modules.values()):
    if hasattr(module, "LocalAnswer"):
        module.LocalAnswer.held = lambda *about: (None, 0)

"""


#: Afterwards the process has room that nobody holds.
ROOM = """for n in (1_500_000, 2_500_000, 3_500_000, 3_500_000):
    np.ones(n)
room = [(np.ones(2_100_000), np.ones(25_000)) for _ in range(8)]
kept = [small for _, small in room]
del room

"""


@pytest.mark.grading
@pytest.mark.parametrize("before", ["", ROOM, UNSEEN], ids=["as-it-is", "with-room", "hidden"])
def test_how_much_memory_a_call_takes_is_seen_from_outside(sandbox_for_courses, before):
    notebook = copy.deepcopy(COST)
    kept = ("setup", "merge_partial-answer", "chunked_attention-answer", "chunked_attention")
    notebook.cells = [cell for cell in notebook.cells if cell.get("id") in kept]
    run = sandbox_for_courses.run("2-cost", notebook, seed)
    assert run.verdicts["chunked_attention"].passed
    notebook.cells[-2].source = before + WHOLE
    verdict = sandbox_for_courses.run("2-cost", notebook, seed).verdicts["chunked_attention"]
    assert verdict.diagnoses == ("all-at-once",)
    assert verdict.points == 2  # without pieces, half of the points at the most


@pytest.mark.grading
def test_where_it_cannot_be_told_what_an_answer_does_its_verdict_stays(graded, monkeypatch):
    monkeypatch.setattr(runner, "fingerprint", lambda *_: 1 / 0)
    run = graded(answer=NAMELESS)
    assert run.unnamed["softmax"] == Unnamed("", NAMELESS)
    assert run.verdicts["softmax"].unnamed
    assert not run.unjudged


@pytest.mark.grading
def test_the_verdict_is_what_the_judge_says_and_the_points_are_a_number(graded):
    run = graded(answer="def softmax(x):\n    e = np.exp(x - x.max())\n    return e / e.sum(axis=0)")
    [cell] = [cell for cell in run.notebook.cells if cell.id == "softmax"]
    display, result = cell.outputs
    verdict = run.verdicts["softmax"]
    assert display.data["text/plain"] == verdict.text
    assert "Looks like: " in verdict.text
    assert float(result.data["text/plain"]) == verdict.points
    assert cell.source == 'check("softmax", softmax)'


@pytest.mark.grading
def test_a_name_that_was_never_defined_is_told(graded):
    run = graded(answer="def softmax(x:\n    return x")
    assert "name 'softmax' is not defined" in run.verdicts["softmax"].text
    assert "SyntaxError" in run.verdicts["softmax"].text
    assert run.verdicts["softmax"].points == 0


ENDS = {
    "os._exit": """
    import os
    os._exit(0)
    """,
    "a segmentation fault": """
    import ctypes
    ctypes.string_at(0)
    """,
    "every file descriptor closed": """
    import os
    os.closerange(0, 256)
    """,
    "forged frames": """
    import os
    for number in range(3, 256):
        try:
            os.write(number, b'{}' * 50)
        except OSError:
            pass
    """,
    "the judge's own builtins": """
    import builtins
    builtins.len = lambda x: 0
    builtins.isinstance = lambda *a: True
    """,
    "a stopped process": """
    import os
    os.kill(os.getpid(), 19)
    """,
    "an endless loop": """
    while True:
        pass
    """,
    "an endless loop that swallows everything": """
    while True:
        try:
            while True:
                pass
        except BaseException:
            pass
    """,
    "an alarm that is switched off": """
    import signal
    signal.signal(signal.SIGALRM, signal.SIG_IGN)
    while True:
        pass
    """,
    "a fork bomb": """
    import os
    while True:
        try:
            os.fork()
        except OSError:
            pass
    """,
    "a memory bomb": """
    kept = []
    while True:
        kept.append(bytearray(30_000_000))
        kept[-1][::4096] = b'x' * len(kept[-1][::4096])
    """,
}


@pytest.mark.grading
@pytest.mark.parametrize("cell", ENDS.values(), ids=ENDS)
def test_a_cell_that_ends_the_process_costs_nothing_but_itself(graded, cell):
    run = graded(cell)
    assert run.verdicts["softmax"].points == 4
    assert len(run.failures) == 1
    assert "`first`" in run.failures[0]
    assert shown(run)


@pytest.mark.grading
def test_a_time_limit_is_told_and_marks_the_run_as_late(graded):
    run = graded("while True:\n    pass")
    assert run.late
    assert "does it ever end?" in shown(run)
    assert not graded("1 + 1").late


HARMLESS = {
    "numpy patched": """
    for name in ('array', 'asarray', 'array_equal', 'allclose', 'isclose', 'errstate'):
        setattr(np, name, lambda *a, **k: True)
    """,
    "check replaced": """
    import grader
    check = grader.judging.check = grader.judging.judge = lambda *a, **k: 4.0
    """,
    "asserts removed": """
    import ast
    class No(ast.NodeTransformer):
        def visit_Assert(self, node):
            return None
    get_ipython().ast_transformers.append(No())
    """,
    "check cells dropped": """
    get_ipython().input_transformers_cleanup.append(lambda lines: [] if 'check(' in ''.join(lines) else lines)
    """,
    "a display hook": """
    import sys
    sys.displayhook = lambda value: print(4.0)
    """,
    "pickle and json": """
    import json, pickle, struct
    json.dumps = json.loads = pickle.loads = struct.pack = None
    """,
    "a score printed": """
    from IPython.display import display
    display(4.0)
    print('4.0')
    4.0
    """,
    "nan as a score": "float('nan')",
    "more than all points": "1e9",
}


@pytest.mark.grading
@pytest.mark.parametrize("cell", HARMLESS.values(), ids=HARMLESS)
def test_what_a_notebook_does_to_itself_changes_no_mark(graded, cell):
    wrong = "def softmax(x):\n    return np.abs(x)"
    assert graded(cell).verdicts["softmax"].points == 4
    assert graded(cell, wrong).verdicts["softmax"].points == 0


CHEATS = {
    "equal to everything": """
    class Answer:
        def __eq__(self, other): return True
        __hash__ = None
        def __call__(self, x): return Answer()
    softmax = Answer()
    """,
    "an array that is never wrong": """
    class Sly(np.ndarray):
        def __array_ufunc__(self, *a, **k): return np.zeros(1)
        def __eq__(self, other): return True
    def softmax(x): return x.view(Sly)
    """,
    "a score as an answer": """
    class Score(float):
        verdict = None
    softmax = Score(4.0)
    """,
    "the library's function": "from attnlib import softmax",
    "the library's function by another way": """
    import importlib
    softmax = importlib.import_module('attnlib.softmax').softmax
    """,
    "the function of the pictures": """
    import attnlib.plots.softmax as d
    ref = d.__dict__['attnlib']
    exec('def softmax(x): return ref.softmax(x)', {'__name__': 'attnlib.plots.mine', 'ref': ref}, g := {})
    softmax = g['softmax']
    """,
    "the examples by heart": "def softmax(x): return np.array([[0.29, 0.21, 0.5]])",
    "right on the first call only": """
    calls = []
    def softmax(x):
        calls.append(1)
        return np.exp(x) / np.exp(x).sum(axis=-1, keepdims=True) if len(calls) == 1 else x * 0
    """,
    "200 MB": "def softmax(x): return np.zeros(25_000_000)",
    "a list that contains itself": """
    def softmax(x):
        a = []
        a.append(a)
        return a
    """,
    "deep recursion": "def softmax(x): return softmax(x)",
    "a text of ten million letters": "def softmax(x): return 'x' * 10_000_000",
    "an enormous number": "def softmax(x): return 10 ** 10_000_000",
    "the process gone": """
    import os
    def softmax(x): os._exit(0)
    """,
    "a segmentation fault": """
    import ctypes
    def softmax(x): return ctypes.string_at(0)
    """,
    "an endless loop": """
    def softmax(x):
        while True:
            try:
                while True: pass
            except BaseException: pass
    """,
    "exit": "def softmax(x): exit()",
    "a generator": "def softmax(x): yield from x",
}


@pytest.mark.grading
@pytest.mark.parametrize("answer", CHEATS.values(), ids=CHEATS)
def test_a_cheat_is_worth_what_its_values_are_and_spoils_nothing_else(graded, answer):
    run = graded("import numpy as np", answer, **{"softmax_with_temperature-answer": WITH_TEMPERATURE})
    verdict = run.verdicts["softmax"]
    assert verdict.points <= 0.25 * 4, verdict.text
    assert verdict.findings
    assert run.verdicts["softmax_with_temperature"].passed, run.failures
    assert not run.unjudged


@pytest.mark.grading
def test_hiding_a_changed_argument_by_patching_numpy_does_not_help(graded):
    said = graded("np.array_equal = lambda *a, **k: True", CHANGES_ITS_ARGUMENT).verdicts["softmax"].text
    assert "it changes `x`" in said


@pytest.mark.grading
def test_a_notebook_s_process_holds_none_of_what_it_asks_for(graded):
    functions = ast.literal_eval(shown(graded(FUNCTIONS_IN_MEMORY)))
    assert "dot_scores" in functions
    assert not set(functions) & {"softmax", "softmax_with_temperature", "entropy", "masked_softmax", "context_vectors"}


@pytest.mark.grading
def test_a_name_that_the_library_never_had_is_an_error_as_anywhere(graded):
    [cell] = [cell for cell in graded("import attnlib\nattnlib.sofmax").notebook.cells if cell.id == "first"]
    assert [output.output_type for output in cell.outputs] == ["error"]


OUTPUTS = {
    "300,000 lines": (
        """
    for i in range(300_000):
        print('line', i)
    """,
        "left out",
    ),
    "a very long line": ("print('x' * 10_000_000)", "left out"),
    "input": ("input('your name? ')", "nobody can answer input()"),
    "terminal escapes stay text": ("print('\\x1b[2J\\x00\\x07ok')", "ok"),
    "lone surrogates": ("print('\\ud800 fine')", "fine"),
    "a shell command": ("!echo hello", "hello"),
    "no network": (
        """
    import socket
    socket.create_connection(('1.1.1.1', 53), 1)
    """,
        "unreachable",
    ),
    "no disk without end": (
        """
    with open('big', 'wb') as f:
        while True:
            f.write(bytes(1_000_000))
    """,
        "too large",
    ),
    "exit does not end the notebook": ("exit()", ""),
    "one's own check does not count": (
        """
    from grader import check
    check('softmax', None)
    """,
        "judged outside",
    ),
}


@pytest.mark.grading
@pytest.mark.parametrize(("cell", "words"), OUTPUTS.values(), ids=OUTPUTS)
def test_what_a_cell_shows_is_kept_within_bounds(graded, cell, words):
    run = graded(cell)
    assert words in shown(run)
    assert len(nbformat.writes(run.notebook)) < 400_000
    assert "\x00" not in shown(run)
    assert run.verdicts["softmax"].points == 4


@pytest.mark.grading
def test_a_process_that_ends_again_and_again_is_not_begun_for_ever(graded):
    run = graded(
        "import os\nimport pathlib",
        "import os\nos._exit(0)",
        **{
            "softmax_with_temperature-answer": "os._exit(0)",
            "entropy-answer": "os._exit(0)",
            "temperature_of-answer": "os._exit(0)",
        },
    )
    assert "its process ended too often" in " ".join(run.failures)
    assert run.unjudged["temperature_of"]
    assert all(float(points_shown(cell)) == 0 for cell in check_cells(run.notebook))


def points_shown(cell):
    return next(output.data["text/plain"] for output in cell.outputs if output.output_type == "execute_result")


@pytest.mark.grading
def test_a_notebook_that_uses_up_its_time_keeps_what_it_had_earned(require):
    require("bwrap")
    with Runner(limits=Limits(cell=30, call=5, notebook=4)) as running:
        slow = {"first": "", "softmax-answer": RIGHT, "entropy-answer": "import time\ntime.sleep(60)"}
        run = running.run("3-softmax", softmax_notebook(slow), seed)
    assert run.late
    assert run.verdicts["softmax"].points == 4
    assert "temperature_of" in run.unjudged
    assert run.seconds["total"] < 10


# ---- one submission after the other


@pytest.mark.grading
def test_one_submission_leaves_nothing_for_the_next(graded):
    traces = "import builtins, sys, os, numpy\n"
    graded(
        traces + "builtins.left = numpy.left = sys.left = 1\nos.environ['LEFT'] = '1'\nopen('left', 'w').write('1')\n"
        "open('/dev/shm/left', 'w').write('1')\nnumpy.exp = None\n"
        "import socket, time\nif os.fork() == 0:\n    os.setsid()\n    s = socket.socket(socket.AF_UNIX)\n"
        "    s.bind(chr(0) + 'left')\n    time.sleep(100)\ntime.sleep(0.2)"
    )
    run = graded(
        traces + "print([hasattr(x, 'left') for x in (builtins, numpy, sys)], os.environ.get('LEFT'), os.listdir('.'),"
        " os.listdir('/dev/shm'), numpy.exp is None)\nimport socket\n"
        "try:\n    socket.socket(socket.AF_UNIX).connect(chr(0) + 'left')\nexcept OSError as e:\n    print(e)\n"
        "pids = []\nfor pid in range(3, 500):\n    try:\n        os.kill(pid, 0)\n        pids.append(pid)\n"
        "    except OSError:\n        pass\nprint(pids)"
    )
    assert shown(run).splitlines() == [
        "[False, False, False] None [] [] False",
        "[Errno 111] Connection refused",
        "[]",  # but itself, and the first one of its namespace
    ]
    assert run.verdicts["softmax"].points == 4


@pytest.mark.grading
def test_without_the_sandbox_the_same_is_graded():
    with Runner(sandboxed=False, limits=Limits(cell=3, call=1, notebook=40)) as running:
        for answer, points in (
            (RIGHT, 4),
            ("def softmax(x): return x", 0),
            ("import os\ndef softmax(x): os._exit(0)", 0),
        ):
            run = running.run("3-softmax", softmax_notebook({"first": "", "softmax-answer": answer}), seed)
            assert run.verdicts["softmax"].points == points


# ---- reading check cells


def test_a_check_cell_is_read_and_anything_else_is_not():
    def cell(source):
        return nbformat.v4.new_code_cell(source)

    assert read_check(cell('check("softmax", softmax)')) == Check("softmax", "softmax")
    assert read_check(cell('check("softmax", answers["a"])')).expression == "answers['a']"
    for source in (
        "",
        "check()",
        "check(softmax, softmax)",
        "assert softmax",
        'x = check("a", b)',
        "check(",
        '1\ncheck("a", b)',
    ):
        assert read_check(cell(source)) is None


def test_what_the_judge_cannot_read_costs_that_process_and_no_more(graded, monkeypatch):
    def take(self, output):
        if "unreadable" in output.get("text", ""):
            raise MemoryError
        return taken(self, output)

    taken = runner.Outputs.take
    monkeypatch.setattr(runner.Outputs, "take", take)
    run = graded("print('unreadable')")
    assert run.verdicts["softmax"].passed
    assert "sent what the judge cannot read (MemoryError)" in run.failures[0]

    def judge(*about):
        raise MemoryError

    monkeypatch.setattr(runner, "judge", judge)
    assert "the judge could not read this answer (MemoryError)" in graded().unjudged["softmax"]


# ---- what an honest student does


def handed(cells, own=""):
    """The notebook on softmax with answers by the ids of their cells, and a cell of the learner's before all others."""
    notebook = copy.deepcopy(SOFTMAX)
    for cell in notebook.cells:
        if cell.id.endswith("-answer"):
            cell.source = cells.get(cell.id.removesuffix("-answer"), cell.source)
    place = 1 + next(i for i, cell in enumerate(notebook.cells) if cell.id == "setup")
    made = [nbformat.v4.new_code_cell(source) for source in ([own] if isinstance(own, str) else own)]
    notebook.cells[place:place] = made
    return notebook


@pytest.mark.grading
def test_answers_above_their_empty_cells_count_and_the_empty_cells_say_so(sandbox):
    run = sandbox.run("3-softmax", handed({}, RIGHT + WITH_TEMPERATURE), seed, SOFTMAX)
    assert run.verdicts["softmax"].passed
    assert run.verdicts["softmax_with_temperature"].passed
    assert not run.verdicts["entropy"].attempted
    assert "your answer stands in a cell above" in shown(run, "softmax-answer")
    assert shown(run, "entropy-answer") == ""
    # An answer in its own cell is the one that counts, and so is one that was begun there.
    run = sandbox.run("3-softmax", handed({"softmax": "def softmax(x):\n    return x"}, RIGHT), seed, SOFTMAX)
    assert run.verdicts["softmax"].points == 0
    # What is left of it in the same cell, below the answer, undoes it at home as well: that is told.
    stub = next(cell.source for cell in SOFTMAX.cells if cell.id == "softmax-answer")
    run = sandbox.run("3-softmax", handed({"softmax": f"{RIGHT}\n\n{stub}"}, ""), seed, SOFTMAX)
    assert not run.verdicts["softmax"].attempted
    assert "gives `softmax` a value more than once, and the last one counts" in shown(run, "softmax")


HELPED = RIGHT.replace("x.max(axis=-1, keepdims=True)", "largest(x)")
HELPER = "def largest(x):\n    return x.max(axis=-1, keepdims=True)"


@pytest.mark.grading
def test_what_stands_below_its_check_counts_as_it_is_at_the_end(sandbox):
    def judged(answer, below):
        notebook = handed({"softmax": answer} if answer else {}, "")
        notebook.cells.append(nbformat.v4.new_code_cell(below))
        run = sandbox.run("3-softmax", notebook, seed, SOFTMAX)
        assert f"{run.verdicts['softmax'].points:g} of 4" in shown(run, "softmax")
        return run.verdicts["softmax"]

    down = RIGHT.replace("axis=-1", "axis=0")
    for answer, below, name in ((HELPED, HELPER, "largest"), ("", RIGHT, "softmax"), (down, RIGHT, "softmax")):
        verdict = judged(answer, below)
        assert verdict.passed
        assert verdict.notice.startswith(
            f"`{name}` gets its value further down, so this was judged as it is at the end"
        )
    # What calls it through others, in whatever cell, and what changes it otherwise than by its name.
    deep = HELPED.replace("largest(x)", "middle(x)") + "\n\n\ndef middle(x):\n    return largest(x)\n"
    wrong = HELPER.replace("axis=-1", "axis=0")
    kept = "KEPT = {}\n\n" + HELPED.replace("largest(x)", "KEPT['largest'](x)")
    for answer, below in (
        (deep, HELPER),
        (f"{wrong}\n\n\n{deep}", HELPER),
        (kept, HELPER + "\nKEPT['largest'] = largest"),
        (kept, HELPER + "\nKEPT.update(largest=largest)"),
        (deep, f"exec({HELPER!r})"),
        (deep, f"def again():\n    global largest\n{textwrap.indent(HELPER, '    ')}\n\n\nagain()"),
    ):
        assert judged(answer, below).passed, below
    # What stands below makes nothing worse, and another answer's name is another.
    assert judged(RIGHT, down).passed
    assert judged(RIGHT, HELPER).notice == judged(HELPER + "\n\n" + HELPED, HELPER).notice == ""
    worse = judged(RIGHT.replace("keepdims=True", "keepdims=False"), "def softmax(x):\n    return None\ne = 1")
    assert worse.diagnoses == judged(RIGHT.replace("keepdims=True", "keepdims=False"), "").diagnoses
    assert worse.notice == ""


@pytest.mark.grading
def test_what_has_passed_at_the_end_is_suspected_no_more(sandbox):
    calls = "def softmax_with_temperature(x, temperature):\n    return softmax(x * temperature)"
    down = RIGHT.replace("axis=-1", "axis=0")
    for below, suspected in ((RIGHT, False), ("e = 1", True)):
        notebook = handed({"softmax": down, "softmax_with_temperature": calls}, "")
        notebook.cells.append(nbformat.v4.new_code_cell(below))
        run = sandbox.run("3-softmax", notebook, seed, SOFTMAX)
        assert run.verdicts["softmax"].passed != suspected
        assert not run.verdicts["softmax_with_temperature"].passed
        assert ("may come from `softmax`" in shown(run, "softmax_with_temperature")) == suspected


#: Right as well, and made by a call: what fails above it keeps it from being made.
MADE = RIGHT.replace("def softmax", "def own_softmax") + "\n\nsoftmax = max([own_softmax], key=id)\n"


@pytest.mark.grading
@pytest.mark.parametrize(
    ("first", "answer", "said"),
    [
        ("import no_such_package\n", MADE, "ModuleNotFoundError: No module named 'no_such_package'"),
        ("print(\u201chello\u201d)\n", RIGHT, "SyntaxError: invalid character"),
        ("1 / 0\n", MADE, "ZeroDivisionError: division by zero"),
    ],
)
@pytest.mark.parametrize("place", ["in its cell", "above it"])
def test_an_error_above_an_answer_is_told_as_that_error(sandbox, first, answer, said, place):
    source = first + answer
    notebook = handed({"softmax": source}) if place == "in its cell" else handed({}, source)
    verdict = sandbox.run("3-softmax", notebook, seed, SOFTMAX).verdicts["softmax"]
    assert verdict.attempted
    assert verdict.points == 0
    assert f"because its cell ended with an error above it: {said}" in " ".join(verdict.text.split())


@pytest.mark.grading
@pytest.mark.parametrize(
    "first",
    [
        "import no_such_package\n",
        "1 / 0\n",
        "%run ./2-scores.ipynb\n",
        "open('my_data.csv')\n",
        "import asyncio\nasyncio.create_task(None)\n",
        "import sys\nsys.stdout.fileno()\n",
        "def fails():\n    raise ValueError\n\nfails()\n",
        "%%time\n1 / 0\n",
        "%%capture\nx = 1\n1 / 0\n",
        "%%no_such_extension\nx = 1\n1 / 0\n",
    ],
)
@pytest.mark.parametrize("place", ["in its cell", "above it"])
def test_what_is_defined_below_an_error_is_taken_all_the_same(sandbox, first, place):
    source = first + "SHIFT = 0.0\n" + RIGHT + "\n\nassert SHIFT == 0\n"
    notebook = handed({"softmax": source}) if place == "in its cell" else handed({}, source)
    run = sandbox.run("3-softmax", notebook, seed, SOFTMAX)
    assert run.verdicts["softmax"].passed, run.verdicts["softmax"].text
    outputs = [output for cell in run.notebook.cells if source in cell.source for output in cell.get("outputs", ())]
    assert any("is taken all the same" in output.get("text", "") for output in outputs) or "capture" in first


@pytest.mark.grading
@pytest.mark.parametrize(
    ("first", "head"),
    [
        ("import no_such", "@no_such.jit\n"),
        ("import no_such.compiler as ns", "@ns.njit(cache=True)\n"),
        ("from no_such import njit", "@np.errstate(all='ignore')\n@njit(cache=True)\n"),
        ("try:\n    import no_such\nexcept ModuleNotFoundError:\n    print('none')\n", "@no_such.jit\n"),
    ],
)
@pytest.mark.parametrize("place", ["in its cell", "above it"])
def test_decorators_of_a_package_that_is_not_here_cost_nothing(sandbox, first, head, place):
    if place == "in its cell":
        notebook = handed({"softmax": f"{first}\n\n{head}{RIGHT}"})
    elif first.startswith("try"):
        return  # nothing failed where it was imported
    else:
        notebook = handed({"softmax": head + RIGHT}, first)
    run = sandbox.run("3-softmax", notebook, seed, SOFTMAX)
    assert run.verdicts["softmax"].passed, run.verdicts["softmax"].text


@pytest.mark.grading
def test_a_decorator_that_no_import_was_to_give_is_an_error(sandbox):
    verdict = sandbox.run("3-softmax", handed({"softmax": "@no_such.jit\n" + RIGHT}), seed, SOFTMAX).verdicts["softmax"]
    assert verdict.points == 0
    assert "NameError: name 'no_such' is not defined" in verdict.text


@pytest.mark.grading
@pytest.mark.parametrize("above", ["", "y = 1\n\n"])
def test_annotations_that_mean_nothing_here_cost_nothing(sandbox, above):
    answer = above + RIGHT.replace("(x)", "(x: NDArray[np.float64]) -> torch.Tensor", 1)
    run = sandbox.run("3-softmax", handed({"softmax": answer}), seed, SOFTMAX)
    assert run.verdicts["softmax"].passed, run.verdicts["softmax"].text


@pytest.mark.grading
@pytest.mark.parametrize(
    ("answer", "said"),
    [
        (RIGHT.replace("softmax", "my_softmax"), "its cell defines `my_softmax`; the task asks for `softmax`"),
        (RIGHT.replace("softmax", "Softmax"), "its cell defines `Softmax`; the task asks for `softmax`"),
        (RIGHT.replace("softmax", "sotfmax"), "its cell defines `sotfmax`; the task asks for `softmax`"),
        (textwrap.indent(RIGHT, "# "), "its cell holds your answer in comments only"),
        ("x = np.ones(2)\nreturn x / x.sum()\n", "SyntaxError: 'return' outside function"),
        ("%%bash\necho hi\n", "begins with `%%bash`, so that its lines were not run here"),
        (RIGHT.replace("    e", "<<<<<<< HEAD\n    e").replace("    r", "=======\n    r"), "keep one of the two"),
        ("def main():\n" + textwrap.indent(RIGHT, "    "), "defines `softmax` within something else"),
        ("def softmax(x):\n", "the cell ends too early: what belongs below its last line"),
        (f"```python\n{RIGHT}```\n", "the lines with ``` belong to a text cell: delete them"),
        ("pip install numpy\n" + RIGHT, "write `%pip install`, with a % in front"),
        (RIGHT.replace("    e", "\u00a0   e"), "U+00A0 is a no-break space, and no sign of Python"),
        ("import functools\n\n\n@functools.cache\n" + RIGHT, "Take the line `@cache` away"),
        (RIGHT + "print(\u201ce\u201d)\n", "U+201C is a left double quotation mark"),
    ],
)
def test_what_keeps_an_answer_from_its_name_is_told(sandbox, answer, said):
    verdict = sandbox.run("3-softmax", handed({"softmax": answer}, ""), seed, SOFTMAX).verdicts["softmax"]
    assert (verdict.points, verdict.attempted) == (0, True)
    assert said in " ".join(verdict.text.split())


@pytest.mark.grading
def test_a_name_of_another_exercise_is_no_slip_for_this_one(sandbox):
    answers = {"softmax": "# nothing yet", "predict-softmax": "predict_softmax = (0, 1)"}
    verdict = sandbox.run("3-softmax", handed(answers, WITH_TEMPERATURE), seed, SOFTMAX).verdicts["softmax"]
    assert not verdict.attempted


@pytest.mark.grading
def test_a_name_that_a_failed_cell_should_have_given_is_told(sandbox):
    source = "import no_such_package as nsp\n\ndef softmax(x):\n    return nsp.softmax(x)\n"
    verdict = sandbox.run("3-softmax", handed({"softmax": source}), seed, SOFTMAX).verdicts["softmax"]
    assert "`nsp` has no value, because its cell ended with an error above it: ModuleNotFoundError" in verdict.notice


@pytest.mark.grading
@pytest.mark.parametrize("own", ["assert check('softmax', {}) == 4", "if check('softmax', {}) < 4: softmax = None"])
def test_a_call_of_check_elsewhere_returns_full_points(sandbox, own):
    source = RIGHT + "\n\n" + own.format("softmax") + "\nmax_shift = [1].copy()\n"
    run = sandbox.run("3-softmax", handed({"softmax": source}), seed, SOFTMAX)
    assert run.verdicts["softmax"].passed, run.verdicts["softmax"].text


@pytest.mark.grading
def test_a_module_that_a_cell_writes_is_found_by_the_next(sandbox):
    own = ["%%writefile my_functions.py\nimport numpy as np\n" + RIGHT]
    run = sandbox.run("3-softmax", handed({"softmax": "from my_functions import softmax"}, own), seed, SOFTMAX)
    assert run.verdicts["softmax"].passed


@pytest.mark.grading
def test_a_backend_that_is_not_there_keeps_no_answer_from_running(graded):
    assert graded(answer="%matplotlib notebook\n" + RIGHT).verdicts["softmax"].passed


@pytest.mark.grading
@pytest.mark.parametrize(
    "first",
    [
        "%load_ext no_such_extension\n",
        "%%no_such_extension\n",
        "import getpass\nwho = getpass.getuser()\n",
        "import ipywidgets\nwith ipywidgets.Output():\n    print(1)\n",
    ],
    ids=["extension", "cell-magic", "user", "output-widget"],
)
def test_what_only_grading_lacks_keeps_no_answer_from_running(sandbox, first):
    run = sandbox.run("3-softmax", handed({"softmax": first + RIGHT}, ""), seed, SOFTMAX)
    assert run.verdicts["softmax"].passed, run.verdicts["softmax"].text


@pytest.mark.grading
@pytest.mark.parametrize(
    ("first", "said"),
    [
        ("from helper import softmax\n", "files beside the notebook are not handed in"),
        ("%run ./2-scores.ipynb\nsoftmax = max([softmax])\n", "no other notebook of yours is there"),
        ("softmax = eval(open('my_data.csv').read())\n", "files beside the notebook are not there"),
        ("import socket\nsoftmax = socket.create_connection(('192.0.2.1', 80), 1)\n", "no network, no screen"),
        ("%%script cat\n", "begins with `%%script`, so that its lines were not run here: take that line away"),
        ("%%script false\n", "begins with `%%script`, so that its lines were not run here: take that line away"),
        ("%%debug\n", "begins with `%%debug`, which keeps nothing of what it runs: take that line away"),
        ("%%timeit -n 1 -r 1\n", "begins with `%%timeit`, which keeps nothing of what it runs: take that line away"),
    ],
)
def test_what_is_otherwise_in_grading_than_at_home_is_told(sandbox, first, said):
    answer = RIGHT if first.startswith("%%") else ""
    run = sandbox.run("3-softmax", handed({"softmax": first + answer}, ""), seed, SOFTMAX)
    verdict = run.verdicts["softmax"]
    assert (verdict.points, verdict.attempted) == (0, True)
    assert said in " ".join(verdict.text.split())
