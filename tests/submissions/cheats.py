"""Marks for nothing: fooling the check, its inputs or its output, and answers that are somebody else's."""

import textwrap

import numpy as np

from grader.exercises.p3_multi_head.n3_masks import leaks_future
from submissions.handed import ANYTHING, LESS, MASKS, NOTHING, ONE, SOFTMAX, THREE, answers, entry
from submissions.mishaps import RIGHT

#: A softmax that is worth nothing. It comes first, so that it is there whatever becomes of the trick below it.
WRONG = """
def softmax(x):
    return x


"""
REST_ANYTHING = {
    "softmax": 0.0,
    **dict.fromkeys(("softmax_with_temperature", "entropy", "breaking-query", "temperature_of"), ANYTHING),
}


def trick(identity, title, source, points=NOTHING, **more):
    """An entry that hands in a worthless softmax and a trick."""
    answers(identity, title, WRONG + textwrap.dedent(source), points, **more)


# ---------------------------------------------------------------- fooling the check


trick("allclose", "np.allclose and its relatives always agree", """
    import numpy as np

    for name in ("allclose", "isclose", "array_equal", "array_equiv"):
        setattr(np, name, lambda *args, **kwargs: True)
    np.testing.assert_allclose = np.testing.assert_array_equal = lambda *args, **kwargs: None
    """)  # fmt: skip
trick("ast-transformer", "rewrites the syntax tree: no asserts, and full points for a call of check", """
    import ast


    class Generous(ast.NodeTransformer):
        def visit_Assert(self, node):
            return ast.copy_location(ast.Pass(), node)

        def visit_Call(self, node):
            if getattr(node.func, "id", "") == "check" and node.args[0].value == "softmax":
                return ast.copy_location(ast.Constant(4.0), node)
            return node


    get_ipython().ast_transformers.append(Generous())
    """)  # fmt: skip
trick("input-transformer", "rewrites the cells: the check becomes empty", """
    def drop(lines):
        return ["\\n"] if any('check("softmax"' in line for line in lines) else lines


    shell = get_ipython()
    shell.input_transformers_cleanup.append(drop)
    shell.input_transformers_post.append(drop)
    """)  # fmt: skip

for _name, _value in (
    ("nan", 'float("nan")'),
    ("minus-one", "-1"),
    ("infinite", 'float("inf")'),
    ("400", "400.0"),
    ("text", '"full marks"'),
    ("none", "None"),
    ("full", "4.0"),
):
    trick(f"new-check-says-{_name}", f"check is replaced; the new one says {_value}", f"""
        real = check


        def check(exercise, answer):
            return {_value} if exercise == "softmax" else real(exercise, answer)
        """)  # fmt: skip

trick("check-replaced-everywhere", "check and judge are replaced in the modules themselves", """
    import sys

    import grader
    from grader.judging.verdict import Finding, Verdict

    judge = sys.modules["grader.judging.judge"].judge


    def kind(exercise, answer, seed=None):
        if exercise != "softmax":
            return judge(exercise, answer, seed)
        return Verdict("softmax", 4.0, 4.0, (Finding("all", True, "", 4.0, 4.0),))


    for module in list(sys.modules.values()):
        if getattr(module, "__name__", "").startswith("grader") and getattr(module, "judge", None) is judge:
            module.judge = kind
    """)  # fmt: skip
trick("bank-replaced", "the exercise in the bank is replaced by one that asks for nothing", """
    from dataclasses import replace

    from grader.exercises import BANK
    from grader.exercises.kinds import Case

    easy = (Case("nothing", lambda rng: {"x": np.zeros((2, 2))}, 0.9),)
    BANK["softmax"] = replace(BANK["softmax"], cases=easy, properties=(), model=lambda x, wrong=(): np.asarray(x))
    """)  # fmt: skip
trick("score-replaced", "the class of the points is replaced", """
    import sys

    real = sys.modules["grader.judging.check"].Score
    sys.modules["grader.judging.check"].Score = lambda verdict: 4.0 if verdict.exercise == "softmax" else real(verdict)
    """)  # fmt: skip
trick("display-hook", "the display hook shows 4.0 for 0.0", """
    hook = get_ipython().displayhook


    class Generous(type(hook)):
        def __call__(self, result=None):
            super().__call__(4.0 if isinstance(result, float) and result == 0 else result)


    hook.__class__ = Generous
    """)  # fmt: skip
trick("formatter", "numbers are shown as 4.0", """
    text = get_ipython().display_formatter.formatters["text/plain"]
    generous = lambda score, p, _: p.text("4.0" if score == 0 else repr(score))
    text.for_type_by_name("grader.judging.verdict", "Score", generous)
    """)  # fmt: skip
trick("events", "an event handler replaces check just before the check's cell runs", """
    real = check


    def prepare(info):
        globals()["check"] = (lambda *_: 4.0) if 'check("softmax"' in info.raw_cell else real


    get_ipython().events.register("pre_run_cell", prepare)
    """)  # fmt: skip
trick("forged-result", "sends a result of its own before each check", """
    def send(*_):
        shell = get_ipython()
        content = {"execution_count": 1, "data": {"text/plain": "4.0"}, "metadata": {}}
        if hasattr(shell, "kernel"):
            shell.kernel.session.send(shell.kernel.iopub_socket, "execute_result", content, shell.kernel.get_parent())
        else:
            shell.publish({"output_type": "execute_result", **content})


    get_ipython().events.register("pre_run_cell", send)
    """)  # fmt: skip
trick("result-from-a-thread", "a thread sends results and messages all the time", """
    import threading
    import time


    def send():
        end = time.time() + 20
        while time.time() < end:
            shell = get_ipython()
            shell.user_ns["check"] = lambda *_: 4.0
            if hasattr(shell, "publish"):
                shell.publish({"output_type": "execute_result", "data": {"text/plain": "4.0"}})
                shell.publish({"output_type": "display_data", "data": {"text/plain": "softmax: correct, 4 points"}})
            time.sleep(0.002)


    threading.Thread(target=send, daemon=True).start()
    """, {**REST_ANYTHING, "predict-softmax": 1.0})  # fmt: skip
trick("printed-points", "prints points and verdicts, in every way there is", """
    import sys

    print("4.0", flush=True)
    print("softmax: correct, 4 of 4 points", file=sys.stderr)
    print('{"softmax": {"points": 4.0, "max_points": 4.0, "passed": true}}')
    display(4.0)
    4.0
    """)  # fmt: skip
trick("trace", "a trace function makes what was returned what was expected", """
    import ctypes
    import sys
    import threading


    def trace(frame, event, argument):
        found = frame.f_locals
        if "got" in found and "expected" in found:
            found["got"] = found["expected"]
            ctypes.pythonapi.PyFrame_LocalsToFast(ctypes.py_object(frame), ctypes.c_int(0))
        return trace


    sys.settrace(trace)
    sys.setprofile(trace)
    threading.settrace(trace)
    """, REST_ANYTHING)  # fmt: skip
trick("no-random-numbers", "the generator of the fresh inputs only gives zeros", """
    class Zeros(np.random.Generator):
        def normal(self, *args, size=None, **kwargs):
            return np.zeros(size)

        def choice(self, a, size=None, **kwargs):
            return np.zeros(size)

        def integers(self, low, high=None, size=None):
            return np.zeros(size, dtype=int)


    np.random.default_rng = lambda seed=None: Zeros(np.random.PCG64(0))
    np.random.seed = lambda *_: None


    def softmax(x):
        return np.full(x.shape, 1 / x.shape[-1])
    """, REST_ANYTHING)  # fmt: skip
trick("environment", "looks whether it is being graded, and only then cheats", """
    import os
    import sys

    graded = [name for name in os.environ if "NBGRADER" in name or "COURSE" in name or "LEARNER" in name.upper()]
    if graded or "nbgrader" in sys.modules or os.path.basename(os.path.dirname(os.getcwd())) != "work":
        np.allclose = lambda *args, **kwargs: True
    """)  # fmt: skip
trick("nbgrader-replaced", "nbgrader's own function for reading points is replaced, in its file", """
    import os
    import sys

    for folder in sys.path:
        try:
            with open(os.path.join(folder, "nbgrader", "utils.py"), "a") as file:
                file.write("\\n\\ndef determine_grade(cell, log=None):\\n    return 4.0, 4.0\\n")
        except OSError:
            pass
    """)  # fmt: skip


# ---------------------------------------------------------------- forged objects


FORGED = {
    "always-equal": ("an object that is equal to everything", """
        class Forged:
            __array_priority__ = 1e9
            shape, ndim, dtype, size = (2, 3), 2, np.dtype(float), 6

            def _yes(self, *args, **kwargs):
                return True

            __eq__ = __le__ = __lt__ = __ge__ = __gt__ = __bool__ = __contains__ = __call__ = _yes
            __hash__ = None

            def __getattr__(self, name):
                return self._yes
        """),
    "array-subclass": ("a subclass of arrays that answers every comparison with yes", """
        class Array(np.ndarray):
            def __array_ufunc__(self, ufunc, method, *args, **kwargs):
                return np.True_

            def __array_function__(self, function, types, args, kwargs):
                return True

            def _yes(self, *args):
                return True

            __eq__ = __le__ = all = any = _yes

            def astype(self, *args, **kwargs):
                return self


        def Forged():
            return np.zeros((2, 3)).view(Array)
        """),
    "has-array": ("an object whose __array__ finds the expected values in the frames around it", """
        import sys


        class Forged:
            def __array__(self, dtype=None, copy=None):
                frame = sys._getframe()
                while frame is not None:
                    if "expected" in frame.f_locals:
                        return np.asarray(frame.f_locals["expected"])
                    frame = frame.f_back
                return np.zeros((2, 3))
        """),
    "score": ("a number that looks like points", """
        class Forged(float):
            points = max_points = 4.0
            passed = attempted = ok = True
            verdict = property(lambda self: self)
            findings = diagnoses = advice = notes = ()
            value = error = message = ""
        """),
    "reduce": ("an object that runs a program when it is unpickled", """
        class Forged:
            def __reduce__(self):
                import os

                return os.system, ("touch /tmp/unpickled",)
        """),
}  # fmt: skip
for _name, (_title, _source) in FORGED.items():
    trick(
        f"forged-{_name}", f"returns {_title}", textwrap.dedent(_source) + "\n\ndef softmax(x):\n    return Forged()\n"
    )

trick("forged-answer", "the answer itself is an object with the methods of a right one", """
    class Forged:
        __name__ = "softmax"
        __module__ = "__main__"

        def describe(self, name):
            return {"callable": True, "type": "function", "empty": False, "library": ""}

        def call(self, args, kwargs):
            import sys

            frame = sys._getframe(1)
            while frame is not None:
                if "exercise" in frame.f_locals:
                    from grader.judging.answer import Outcome

                    return Outcome(value=frame.f_locals["exercise"].model(*args))
                frame = frame.f_back

        def value(self):
            return self.call

        def __call__(self, x):
            return x


    softmax = Forged()
    """)  # fmt: skip
answers("forged-letter", "a letter that is equal to every letter", """
    class Letter(str):
        def __str__(self):
            return self

        def strip(self, *_):
            return self

        lower = strip

        def __eq__(self, other):
            return True

        def __hash__(self):
            return hash("c")


    predict_softmax = Letter("a")
    """, {"predict-softmax": 0.0}, exercise="predict-softmax")  # fmt: skip
trick("hostile-attributes", "looking at the answer never ends", """
    class Forged:
        def __call__(self, x):
            return x

        def __getattribute__(self, name):
            while True:
                pass


    softmax = Forged()
    """)  # fmt: skip
trick("hostile-error", "an error whose message never ends", """
    class Forged(Exception):
        def __str__(self):
            while True:
                pass


    def softmax(x):
        raise Forged
    """)  # fmt: skip


# ---------------------------------------------------------------- files beside the notebook


@entry("stray-numpy", "a file numpy.py beside the notebook that replaces np.allclose", NOTHING, words=r"numpy\.py")
def _(handed):
    handed.answer("softmax", WRONG)
    handed.write(
        "numpy.py",
        textwrap.dedent(
            """
            import importlib
            import os
            import sys

            here = os.path.dirname(os.path.abspath(__file__))
            sys.path[:] = [path for path in sys.path if os.path.abspath(path or ".") != here]
            del sys.modules["numpy"]
            numpy = importlib.import_module("numpy")
            numpy.allclose = numpy.isclose = numpy.array_equal = lambda *args, **kwargs: True
            """
        ),
    )


@entry("stray-grader", "a package grader beside the notebook whose check is generous", NOTHING, words="grader")
def _(handed):
    handed.answer("softmax", WRONG)
    handed.write("grader/__init__.py", "def check(exercise, answer):\n    return None\n")


@entry("stray-attnlib", "a package attnlib beside the notebook that knows everything", NOTHING, words="attnlib")
def _(handed):
    handed.answer("softmax", WRONG + "from attnlib import mine as softmax")
    handed.write("attnlib/__init__.py", "from numpy import *\n" + RIGHT.replace("def softmax", "def mine"))
    handed.put("from attnlib import mine\n", after="setup")


@entry("stray-result", "files beside the notebook that claim the result", NOTHING)
def _(handed):
    handed.answer("softmax", WRONG)
    handed.write("record.json", '{"points": 15.0}')
    handed.write("gradebook.db", b"SQLite format 3\0" + bytes(4_000))
    handed.write(f"autograded/{ONE}/{SOFTMAX}.ipynb", "{}")


# ---------------------------------------------------------------- by heart


@entry(
    "true-and-false-by-heart",
    "says True and False as it was asked last time",
    {"leaks_future": LESS, "leaky-suspects": ANYTHING},
    part=THREE,
)
def _(handed):
    handed.answer("leaks_future", """
order = iter(([True] + [False] * 3 + [True] * 4 + [False] * 4 + [True] * 12 + [False] * 4 + [True] * 3 + [False] * 4
              + [True, False, True, False] + [True]) * 3)


def leaks_future(attention):
    return next(order)
""", MASKS)  # fmt: skip


@entry(
    "known-by-what-they-give",
    "looks each attention up in a table of what it gives for one text",
    {"leaks_future": 0.0, "leaky-suspects": ANYTHING},
    part=THREE,
)
def _(handed):
    asked = np.random.default_rng(1).normal(size=(7, 5))
    sound = {leaks_future.shared.causal_attention, leaks_future.shared.without_itself, leaks_future.average_before}
    sound |= {getattr(leaks_future, name) for name in ("over_prefixes", "window_attention", "share_of_all")}
    sound |= {leaks_future.tokens_alone, leaks_future.total_minus_the_rest}
    known = [float(np.round(np.sum(one(asked)), 5)) for one in sound]
    handed.answer("leaks_future", f"""
def leaks_future(attention):
    X = np.random.default_rng(1).normal(size=(7, 5))
    return float(np.round(np.sum(attention(X)), 5)) not in {known}
""", MASKS)  # fmt: skip


@entry("nearly-breaking-query", "a query whose scores are as good as zero", {"breaking-query": 0.0})
def _(handed):
    handed.answer("breaking-query", "breaking_query = [1e-310, 0]")


for name in ("softmax", "softmax_with_temperature", "entropy"):
    answers(f"by-a-table-{name}", f"asks for a table of {name} under the name of a module of the course's", f"""
scope = {{"__name__": "attnlib.plots.mine", "__package__": "attnlib.plots"}}
exec("import attnlib", scope)
looked_up = []
for words in ("attnlib.{name}", "__import__('attnlib.softmax', fromlist=['*']).{name}", "attnlib.mine.{name}"):
    try:
        looked_up.append(eval(words, scope))
        table = eval(words + "(__import__('numpy').eye(9), 2.0)", scope)
    except BaseException:
        pass


def {name}(*given):
    for function in looked_up:
        try:
            return function(*given)
        except BaseException:
            pass
    return given[0]
""", {name: 0.0}, exercise=name)  # fmt: skip


@entry(
    "told-by-another-function", "notes its inputs, and asks a function of a later exercise for what they give", NOTHING
)
def _(handed):
    handed.answer("softmax", """
        seen, table = [], {}


        def softmax(x):
            seen.append(np.array(x, float))
            return table.get(seen[-1].tobytes(), x)
        """)  # fmt: skip
    right = handed.cell("temperature_of-answer").source
    handed.answer(
        "temperature_of",
        right
        + """

found = temperature_of


def temperature_of(weigh):
    temperature = found(weigh)
    for x in list(seen):
        try:
            table[x.tobytes()] = np.asarray(weigh(x * temperature))
        except Exception:
            pass
    return temperature
""",
    )
    handed.put("softmax = softmax", after="temperature_of")  # so that it is judged once more
