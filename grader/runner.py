"""Running a submitted notebook in the sandbox, and judging its answers from outside."""

import ast
import contextlib
import copy
import json
import re
import secrets
import time
from dataclasses import dataclass, field, replace

import numpy as np

from grader.answer import Answer, NotPlain, Outcome, changed_places, plain
from grader.judge import find, judge
from grader.notebook_format import NotebookError
from grader.sandbox.launcher import MEGABYTE, Ended, Limits, NoSandbox, Sandbox
from grader.sandbox.library import absent, pictured
from grader.verdict import Finding, Score, Verdict

__all__ = ["Limits", "NoSandbox", "Run", "Runner"]

#: Beyond its own time limit, what a process may take to say that it has stopped.
GRACE = 2.0
#: How often a notebook whose process ended is begun anew, without the cell that ended it.
RESTARTS = 3
LONGEST_TEXT = 100_000
LONGEST_LINE = 5_000
#: Kinds of output that are kept; a widget's view, say, shows nothing without its kernel.
MIMES = (
    "text/plain",
    "text/html",
    "text/markdown",
    "text/latex",
    "image/png",
    "image/jpeg",
    "image/svg+xml",
)
#: Numbers in the arguments of a judge's function that an answer calls back: the kernels of the course make a matrix of
#: them, or a cube.
LARGEST_CALL = 2_000
#: Calls of the library for the pictures of one notebook.
MOST_REFERENCES = 500
#: Ids that `grader.repair` gives to a learner's own cells.
OWN = re.compile(r"own-\d+")


@dataclass
class Run:
    """A notebook that was run.

    Attributes
    ----------
    notebook : NotebookNode
        With outputs; a check cell shows the verdict, and its value is the points.
    verdicts : dict of str to Verdict
        By exercise, one for each check cell.
    failures : tuple of str
        What went wrong, in plain words.
    unjudged : dict of str to str
        For exercises that got no verdict of the judge: why.
    late : bool
        True if a time limit was reached.
    seconds : dict of str to float
        "start" (getting a process), "learner" (in the learner's cells), "calls" (of answers, while they are judged),
        "judge", "pictures" (references computed for them) and "total".
    memory : int
        The most that was seen, in bytes; 0 if it was too quick to be seen.
    """

    notebook: object
    verdicts: dict = field(default_factory=dict)
    failures: tuple = ()
    unjudged: dict = field(default_factory=dict)
    late: bool = False
    seconds: dict = field(default_factory=dict)
    memory: int = 0


class Runner:
    """Runs notebooks one after the other, each in a process of its own; a context manager.

    Parameters
    ----------
    sandboxed : bool
        False runs without bubblewrap: for a class that is trusted.
    limits : Limits, optional
    warm : grader.sandbox.launcher.Warm, optional
        A warm process that others use too; by default one of its own.

    Raises
    ------
    NoSandbox
        If the sandbox cannot be started.
    """

    def __init__(self, sandboxed=True, limits=None, warm=None):
        self.limits = limits or Limits()
        self._sandbox = Sandbox(sandboxed, self.limits, warm)
        self._library = _Library(self._sandbox, self.limits)

    def __enter__(self):
        return self

    def __exit__(self, *problem):
        self.close()

    def close(self):
        """Stop the sandbox."""
        self._library.close()
        self._sandbox.close()

    def run(self, name, notebook, seed_of):
        """Run a notebook and judge it; nothing that a submission does raises here.

        Parameters
        ----------
        name : str
            The notebook's name, for messages.
        notebook : NotebookNode
            A repaired notebook; it is not changed.
        seed_of : callable
            Gives the seed of an exercise's id.

        Returns
        -------
        Run

        Raises
        ------
        NoSandbox
            If a process cannot be had.
        """
        return _Notebook(self._sandbox, self._library, self.limits, copy.deepcopy(notebook), seed_of).run()


class _Library:
    """A process that holds all of `attnlib` and no learner's code: it computes what pictures show.

    Its arguments come from learners, so it lives in the sandbox too, with its limits.
    """

    def __init__(self, sandbox, limits):
        self._sandbox, self._limits, self._process = sandbox, limits, None

    def begin(self):
        """Give it the time of a whole notebook from now on."""
        if self._process is not None and self._process.alive:
            self._process.begin()

    def compute(self, name, args, kwargs):
        """The result of a function of the library; raises ValueError if there is none."""
        if self._process is None or not self._process.alive:
            self._process = self._sandbox.fork(None)
        functions = []
        request = {"kind": "compute", "name": name, "args": args, "kwargs": kwargs, "nonce": "library"}
        until = time.monotonic() + self._limits.call
        try:
            self._process.send(request, functions)
            while True:
                message = self._process.receive(max(until - time.monotonic(), 0.01))
                if message["kind"] == "reply":
                    break
                value = functions[message["function"]](*message["args"], **message["kwargs"])
                self._process.send({"kind": "reply", "nonce": message["nonce"], "value": value})
        except Ended as end:
            raise ValueError(f"attnlib.{name} {end}") from None
        except BaseException:
            self._process.end()  # in the middle of a call, it would answer the next one with this one's result
            raise
        if message.get("error"):
            raise ValueError(message["message"])
        return message["value"]

    def close(self):
        """Stop the process."""
        if self._process is not None:
            self._process.end()


@dataclass(frozen=True)
class _Check:
    """A check cell: `check("softmax", softmax)`."""

    exercise: str
    expression: str


def read_check(cell):
    """What a graded cell asks for.

    Parameters
    ----------
    cell : NotebookNode

    Returns
    -------
    exercise, expression : str
        The exercise's id, and the expression whose value is the answer; None if the cell is no check.
    """
    with contextlib.suppress(SyntaxError, ValueError):
        tree = ast.parse(cell.source).body
        call = tree[-1].value if len(tree) == 1 and isinstance(tree[-1], ast.Expr) else None
        if isinstance(call, ast.Call) and isinstance(call.func, ast.Name) and call.func.id == "check":
            identity, answer = call.args
            if isinstance(identity, ast.Constant) and isinstance(identity.value, str):
                return _Check(identity.value, ast.unparse(answer))
    return None


def checks(notebook):
    """The check cells of a notebook: pairs of cell and exercise's id."""
    found = []
    for cell in notebook.cells:
        marks = cell.metadata.get("nbgrader", {})
        if cell.cell_type == "code" and marks.get("grade") and not marks.get("solution"):
            found.append((cell, read_check(cell)))
    return found


class _Notebook:
    """One run."""

    def __init__(self, sandbox, library, limits, notebook, seed_of):
        self._sandbox, self._library, self._limits, self._seed_of = sandbox, library, limits, seed_of
        self._checks = {id(cell): check for cell, check in checks(notebook)}
        self._exercises = [check.exercise for check in self._checks.values() if check]
        # No more than the pictures need: a function of few possible inputs could be copied into a table.
        self._references = absent(self._exercises) & pictured()
        self._result = Run(notebook)
        self._seconds = dict.fromkeys(("start", "learner", "calls", "judge", "pictures"), 0.0)
        self._failures, self._ran, self._process = [], [], None
        self._functions = None  # None while a cell runs; a list, maybe empty, while an answer is probed
        self._restarts, self._room = 0, limits.output * MEGABYTE
        self._deadline = time.monotonic() + limits.notebook
        self._computed, self._draws = 0, False

    def run(self):
        began = time.monotonic()
        self._library.begin()
        count = 0
        try:
            self._fork()
            for cell in self._result.notebook.cells:
                if cell.cell_type != "code":
                    continue
                count += 1
                cell.outputs, cell.execution_count = [], count
                check = self._checks.get(id(cell), cell)
                if check is cell:
                    self._run_cell(cell)
                else:
                    self._judge_cell(cell, check)
        finally:
            if self._process is not None:
                self._leave()
        run = self._result
        self._seconds["total"] = time.monotonic() - began
        run.seconds = {stage: round(value, 4) for stage, value in self._seconds.items()}
        run.failures = tuple(dict.fromkeys(self._failures))
        return run

    # ---- the process

    def _fork(self):
        began = time.monotonic()
        self._process = self._sandbox.fork(self._exercises)
        self._seconds["start"] += time.monotonic() - began

    def _leave(self):
        self._process.end()
        self._result.memory = max(self._result.memory, self._process.peak_memory)
        self._process = None

    def _begin_anew(self):
        """Get a new process where the last one ended, and run the cells before once more; their outputs stay."""
        self._leave()
        while self._process is None and self._restarts < RESTARTS and time.monotonic() < self._deadline:
            self._restarts += 1
            self._fork()
            for i, cell in enumerate(self._ran):
                try:
                    self._learner({"kind": "cell", "source": cell.source}, self._limits.cell, _Forget())
                except Ended:
                    del self._ran[i]  # what ran well once does not always
                    self._leave()
                    break
        if self._process is None:
            words = "its time is used up" if time.monotonic() >= self._deadline else "its process ended too often"
            self._failures.append(f"The rest of the notebook was not run: {words}.")
            self._result.late |= time.monotonic() >= self._deadline

    def _ask(self, request, seconds, take, handles=None):
        """Send a request and wait for its reply, serving what the process asks for meanwhile."""
        began = time.monotonic()
        seconds = max(min(seconds, self._deadline - began), 0.05)
        nonce = secrets.token_hex(8)
        self._process.send({**request, "seconds": seconds, "nonce": nonce}, handles)
        until = began + seconds + GRACE
        while True:
            message = self._process.receive(max(until - time.monotonic(), 0.01))
            kind = message.get("kind") if isinstance(message, dict) else None
            if kind == "reply" and message.get("nonce") == nonce:
                return message
            if kind == "output":
                take(message.get("output"))
            elif kind in ("callback", "reference"):
                self._serve(message)
            elif kind != "reply":  # a late reply, to a request that was given up, is no harm
                self._process.end()
                raise Ended("wrote into the line to the judge")

    def _learner(self, request, seconds, take, functions=None):
        """Ask for something that runs the learner's code; `functions` are those of the judge's that it may call."""
        began, aside = time.monotonic(), self._seconds["pictures"]
        self._functions = functions
        try:
            return self._ask(request, seconds, take, functions)
        finally:
            self._functions = None
            stage = "learner" if functions is None else "calls"
            self._seconds[stage] += time.monotonic() - began - (self._seconds["pictures"] - aside)

    def _serve(self, message):
        """Call a function of this side for the process: an argument of the judge's, or the library for a picture."""
        began = time.monotonic()
        try:
            reply = {"value": self._called(message)}
        except Ended:
            raise
        except Exception as problem:
            reply = {"error": type(problem).__name__, "message": str(problem)[:500]}
        self._seconds["pictures"] += time.monotonic() - began
        nonce = message.get("nonce")
        self._process.send({"kind": "reply", "nonce": nonce if isinstance(nonce, str) else "", **reply})

    def _called(self, message):
        args, kwargs, name = message["args"], message["kwargs"], message.get("name")
        if not isinstance(args, tuple) or not isinstance(kwargs, dict):
            raise TypeError("arguments are a tuple and a dict")
        if message["kind"] == "callback":
            if sum(np.size(value) for value in (*args, *kwargs.values())) > LARGEST_CALL:
                raise ValueError(f"a call with more than {LARGEST_CALL:,} numbers")
            with np.errstate(all="ignore"):
                return plain((self._functions or [])[int(message["function"])](*args, **kwargs))
        self._computed += 1
        if not self._draws or name not in self._references or self._computed > MOST_REFERENCES:
            raise RuntimeError(f"attnlib.{name} is not there now")
        args, kwargs = self._with_functions((args, kwargs), int(message["first"]))
        return self._library.compute(name, args, kwargs)

    def _with_functions(self, value, first):
        """Arguments in which a handle has become a function that asks the process."""
        if type(value) in (tuple, list):
            return type(value)(self._with_functions(item, first) for item in value)
        if type(value) is dict:
            return {key: self._with_functions(item, first) for key, item in value.items()}
        if isinstance(value, int) and type(value) is not int and not isinstance(value, bool):
            return self._theirs(first + int(value))
        return value

    def _theirs(self, number):
        def function(*args, **kwargs):
            request = {"kind": "callback", "function": number, "args": list(args), "kwargs": kwargs}
            reply = self._ask(request, self._limits.call, _Forget())
            if reply.get("error"):
                raise ValueError(str(reply.get("message"))[:500])
            return reply["value"]

        return function

    # ---- cells

    def _run_cell(self, cell):
        outputs = _Outputs(cell, self._room)
        if self._process is None:
            outputs.say("Not run: the notebook had been stopped before.")
            return
        # Pictures are in the course's own cells; what a learner wrote asks the library for nothing.
        self._draws = not cell.metadata.get("nbgrader", {}).get("solution") and not OWN.fullmatch(cell.get("id") or "")
        try:
            reply = self._learner({"kind": "cell", "source": cell.source}, self._limits.cell, outputs.take)
            if reply.get("stopped"):
                self._too_long(cell, outputs)
            elif reply.get("error"):
                outputs.say(f"The cell could not be run: {_word(reply['error'])}: {_text(reply.get('message'), 500)}")
            self._ran.append(cell)
        except Ended as end:
            if "in time" in str(end):
                self._too_long(cell, outputs)
            else:
                outputs.say(f"The notebook's process {end}. The cells below go on without this one.")
                self._failures.append(f"In the cell {_name(cell)} the notebook's process {end}.")
            self._begin_anew()
        finally:
            self._draws = False
            self._room -= outputs.size
            outputs.close()

    def _too_long(self, cell, outputs):
        outputs.say("This cell was still running at its time limit, so it was stopped: does it ever end?")
        self._failures.append(f"The cell {_name(cell)} was stopped at its time limit of {self._limits.cell:g} seconds.")
        self._result.late = True

    def _judge_cell(self, cell, check):
        name = check.exercise if check else cell.metadata.nbgrader.get("grade_id", "")
        if check is None:
            return self._without_verdict(cell, name, "this cell is no check of the course, so nobody can judge it")
        began, before = time.monotonic(), sum(self._seconds.values())
        try:
            exercise = find(name)
        except KeyError as problem:
            return self._without_verdict(cell, name, str(problem.args[0]))
        if self._process is None:
            return self._without_verdict(cell, name, self._failures[-1] if self._failures else "it was not run")
        answer = RemoteAnswer(self._learner, self._limits)
        try:
            missing = answer.bind(check.expression)
            verdict = _not_there(exercise, missing) if missing else judge(exercise, answer, self._seed_of(name))
        except (Ended, NotebookError) as problem:
            verdict = None
            self._without_verdict(cell, name, f"the notebook's process {problem}")
        except Exception as problem:
            # The judge is ours: a mistake of it is told, and gives no points to anybody.
            verdict = None
            self._without_verdict(cell, name, f"the judge could not read this answer ({type(problem).__name__})")
        if verdict is not None:
            self._show(cell, verdict)
        if answer.end:
            self._failures.append(f"While `{name}` was checked, the notebook's process {answer.end}.")
            self._result.late |= "time" in answer.end
            self._begin_anew()
        elif answer.late:
            self._failures.append(f"`{name}` was stopped at the time limit of {self._limits.call:g} seconds a call.")
            self._result.late = True
        # What was spent meanwhile in calls, or on beginning anew, has been counted there.
        self._seconds["judge"] += time.monotonic() - began - (sum(self._seconds.values()) - before)

    def _show(self, cell, verdict):
        points = min(max(float(verdict.points), 0.0), float(cell.metadata.nbgrader.get("points", 0)))
        self._result.verdicts[verdict.exercise] = verdict
        cell.outputs = [
            _output("display_data", {"text/plain": verdict.text, "text/html": verdict._repr_html_()}),
            _output(
                "execute_result",
                {"text/plain": repr(points), "text/html": Score(verdict)._repr_html_()},
                execution_count=cell.execution_count,
            ),
        ]

    def _without_verdict(self, cell, name, reason):
        """No verdict is zero points, and the reason is shown."""
        full = float(cell.metadata.nbgrader.get("points", 0))
        self._result.unjudged[name] = reason
        self._show(cell, Verdict(name, 0.0, full, (Finding(f"not judged: {reason}", False, "", 0.0, full),)))
        del self._result.verdicts[name]


def _not_there(exercise, problem):
    """The verdict where the answer's name means nothing."""
    words = f"{problem}: was there an error in the cell above (a SyntaxError, say)?"
    finding = Finding(f"not attempted yet: {words}", False, "", 0.0, float(exercise.points))
    return Verdict(exercise.id, 0.0, float(exercise.points), (finding,), attempted=False)


class RemoteAnswer(Answer):
    """A learner's answer in another process, for the judge; see `grader.answer.LocalAnswer`.

    Attributes
    ----------
    end : str
        Why the process is no more; "" while it lives.
    late : bool
        True if a call was stopped.
    """

    def __init__(self, ask, limits):
        self._ask, self._limits = ask, limits
        self.end, self.late = "", False

    def bind(self, expression):
        """Choose the answer; returns what is wrong with the expression, "" if nothing is."""
        reply = self._request({"kind": "bind", "expression": expression})
        if reply.get("error"):
            return _text(reply.get("message"), 200) or _word(reply["error"])
        return ""

    def describe(self, name):
        """What kind of thing the answer is."""
        about = self._request({"kind": "describe", "name": name}).get("about")
        about = about if isinstance(about, dict) else {}
        return {
            "callable": about.get("callable") is True,
            "type": _word(about.get("type")),
            "empty": about.get("empty") is True,
            "library": _text(about.get("library"), 100),
        }

    def value(self):
        """The answer as a plain value, in an `Outcome`."""
        return _outcome(self._request({"kind": "value"}))

    def call(self, args, kwargs):
        """Call the answer on plain arguments, in an `Outcome`."""
        functions = []
        try:
            reply = self._request({"kind": "call", "args": tuple(args), "kwargs": dict(kwargs)}, functions)
        except Ended as end:
            late = "in time" in str(end)
            self.late |= late
            error = "" if late else "ProcessEnded"
            return Outcome(error=error, message="" if late else f"the process {end}", stopped=late)
        outcome = _outcome(reply)
        self.late |= outcome.stopped
        return _with_changes(outcome, reply, args, kwargs)

    def _request(self, request, functions=None):
        if self.end:
            raise Ended(self.end)
        try:
            return self._ask(request, self._limits.call, _Forget(), [] if functions is None else functions)
        except Ended as end:
            self.end = str(end)
            raise


def _outcome(reply):
    """A reply as an `Outcome`; whatever is not as it should be makes it an error."""
    error, value = _word(reply.get("error")), None
    message = _text(reply.get("message"), 500)
    if not error and not reply.get("stopped"):
        try:
            value = plain(reply.get("value"))
        except (NotPlain, ValueError, TypeError, RecursionError) as problem:
            error, message = "NotPlain", str(problem)
    warned = reply.get("warned")
    return Outcome(
        value=value,
        error=error,
        message=message,
        line=_text(reply.get("line"), 500),
        printed=_text(reply.get("printed"), 20_000),
        warned=tuple(_text(words, 200) for words in warned[:20]) if isinstance(warned, list) else (),
        stopped=reply.get("stopped") is True,
    )


def _with_changes(outcome, reply, args, kwargs):
    """The outcome with the arguments that came back otherwise than they went: compared here, not inside."""
    after, named = reply.get("args"), reply.get("kwargs")
    if not isinstance(after, list) or not isinstance(named, dict) or len(after) != len(args):
        after, named = [None] * len(args), {}
    sent = [None if callable(value) else plain(value) for value in args]
    sent_named = {name: None if callable(value) else plain(value) for name, value in kwargs.items()}
    named = {name: named.get(name) for name in sent_named}
    return replace(outcome, changed=changed_places(sent, sent_named, after, named))


# ---------------------------------------------------------------- outputs


class _Forget:
    """Takes outputs that nobody needs: of a probe, or of a cell that runs once more."""

    def __call__(self, output):
        pass


class _Outputs:
    """Collects a cell's outputs, within limits; what a process claims to show is cleaned, never believed."""

    def __init__(self, cell, room):
        self._cell, self._room, self._text, self._lines = cell, room, 0, 0
        self._shown, self._clear, self._cut = {}, False, False
        self.size = 0

    def take(self, output):
        """Take one output as the process sent it."""
        if not isinstance(output, dict) or self.size > self._room:
            self._cut = True
            return
        kind = output.get("output_type")
        if kind == "clear":
            self._clear = True
            if not output.get("wait"):
                self._wipe()
            return
        if self._clear:
            self._wipe()
        if kind == "stream":
            self._stream("stderr" if output.get("name") == "stderr" else "stdout", _clean(output.get("text")))
        elif kind == "error":
            trace = output.get("traceback")
            lines = [_text(line, 4_000) for line in trace[:60]] if isinstance(trace, list) else []
            self._add(_error(_word(output.get("ename")), _text(output.get("evalue"), 1_000), lines))
        elif kind in ("display_data", "execute_result", "update_display_data"):
            self._display(kind, output)

    def _wipe(self):
        self._clear = False
        self._cell.outputs.clear()
        self._shown.clear()

    def _stream(self, name, text):
        room = LONGEST_TEXT - self._text
        lines = text.splitlines(keepends=True)
        kept = "".join(line if len(line) <= LONGEST_LINE else line[:LONGEST_LINE] + " ...\n" for line in lines)[:room]
        self._cut |= len(kept) < len(text)
        self._text += len(kept)
        if not kept:
            return
        last = self._cell.outputs[-1] if self._cell.outputs else None
        if last is not None and last["output_type"] == "stream" and last["name"] == name:
            last["text"] += kept
            self.size += len(kept)
        else:
            self._add(_node({"output_type": "stream", "name": name, "text": kept}))

    def _display(self, kind, output):
        data = output.get("data")
        data = data if isinstance(data, dict) else {}
        kept = {}
        for mime in MIMES:
            content = data.get(mime)
            if not isinstance(content, str) or len(content) > 3 * MEGABYTE:
                continue
            longest = 3 * MEGABYTE if mime.startswith("image/") else LONGEST_TEXT
            self._cut |= len(content) > longest
            kept[mime] = _clean(content)[:longest]
        if not kept:
            return
        identity = output.get("display_id")
        if kind == "update_display_data":
            if isinstance(identity, str) and identity in self._shown:
                self._shown[identity]["data"] = _node(kept)
                self.size += _size(kept)
            return
        extra = {"execution_count": self._cell.execution_count} if kind == "execute_result" else {}
        made = _output(kind, kept, **extra)
        if isinstance(identity, str) and identity:
            self._shown[identity] = made
        self._add(made)

    def _add(self, output):
        if len(self._cell.outputs) >= 200:
            self._cut = True
            return
        self._cell.outputs.append(output)
        self.size += _size(output)

    def say(self, words):
        """Add a message of the course's own."""
        self._cell.outputs.append(_error("Stopped", words, [words]))

    def close(self):
        """Say if something was left out."""
        if self._cut:
            words = "(Some of this cell's output was too long and was left out.)\n"
            self._cell.outputs.append(_node({"output_type": "stream", "name": "stdout", "text": words}))


def _node(value):
    import nbformat

    return nbformat.from_dict(value)


def _output(kind, data, **extra):
    return _node({"output_type": kind, "data": data, "metadata": {}, **extra})


def _error(name, message, trace):
    return _node({"output_type": "error", "ename": name, "evalue": message, "traceback": trace})


def _size(value):
    return len(json.dumps(value))


def _clean(text):
    """Text that can be written and shown: without lone surrogates and control characters but those of a terminal."""
    if not isinstance(text, str):
        return ""
    text = text.encode("utf-8", "replace").decode("utf-8")
    return "".join(c for c in text if c >= " " or c in "\n\t\r\b\x1b") if any(c < " " for c in text) else text


def _text(text, longest):
    return _clean(text)[:longest]


def _word(text):
    """A name that a process gave; nothing else than a name comes through."""
    text = _text(text, 60)
    return text if text.replace(".", "_").isidentifier() else ("Exception" if text else "")


def _name(cell):
    first = cell.source.strip().split("\n")[0][:50]
    return f"`{cell.get('id') or ''}` ({first!r})" if first else f"`{cell.get('id') or ''}`"
