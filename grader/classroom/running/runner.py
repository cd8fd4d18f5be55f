"""Running a submitted notebook, cell by cell, and judging its answers from outside."""

import copy
import time
from collections.abc import Callable
from dataclasses import dataclass, field, replace
from functools import partial
from types import TracebackType
from typing import Any

from grader.classroom.records import Unnamed
from grader.classroom.repair.align import defined
from grader.classroom.running.checks import Check, checks, not_there
from grader.classroom.running.far_answer import RemoteAnswer
from grader.classroom.running.line import Line, Take, forget
from grader.classroom.running.outputs import Outputs, node, text, word
from grader.classroom.sandbox.inside.wire import Handles
from grader.classroom.sandbox.launcher import Sandbox
from grader.classroom.sandbox.limits import MEGABYTE, Limits
from grader.classroom.sandbox.process import Ended, TimeIsUp, TooLong
from grader.classroom.sandbox.warm import Warm
from grader.errors import CourseError
from grader.exercises.kinds import FunctionExercise
from grader.judging.astray import astray, kept_nothing, no_python
from grader.judging.cells import given_twice, names_changed, names_given, names_needed
from grader.judging.judge import find, judge, names_of
from grader.judging.unnamed import LONGEST_SOURCE, fingerprint, lines_of, stands_on
from grader.judging.verdict import Verdict, cell_outputs, no_verdict
from grader.notebook import is_answer, marks
from grader.words import listed

#: How often a notebook whose process ended is begun anew, without the cell that ended it.
RESTARTS = 3
#: Said of an empty cell of the release whose answer stands elsewhere. At home it would have undone that.
ABOVE = (
    "This cell is as it was handed out, and your answer stands in a cell above: so this one was not run. "
    "Write it here, or delete this cell, before you restart the kernel at home.\n"
)
#: By the error of a cell and a word in it: what to do, where only grading differs from home.
HINTS = (
    ("ModuleNotFoundError", "", " (only what the course's environment has is there: files beside the notebook are not "
     "handed in; write your functions into it)"),
    ("FileNotFoundError", "", " (while a class is graded, files beside the notebook are not there)"),
    ("Exception", "%run", " (no other notebook of yours is there while a class is graded)"),
)  # fmt: skip
#: Errors that say by themselves what is wrong, and that a cell ends with at home as well.
ORDINARY = {
    *("NameError", "SyntaxError", "IndentationError", "TabError", "TypeError", "ValueError", "IndexError", "KeyError"),
    *("ZeroDivisionError", "AttributeError", "AssertionError", "UnboundLocalError", "NotImplementedError"),
}
#: Said of all others, which may be grading's alone.
ELSEWHERE = " (if it runs at home: while a class is graded there is no network, no screen and no look at the machine)"


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
        "judge" and "total".
    unnamed : dict of str to Unnamed
        By exercise, the functions that failed without a name, but for those that call another one that is wrong.
    """

    notebook: Any
    verdicts: dict[str, Verdict] = field(default_factory=dict)
    failures: tuple[str, ...] = ()
    unjudged: dict[str, str] = field(default_factory=dict)
    late: bool = False
    seconds: dict[str, float] = field(default_factory=dict)
    unnamed: dict[str, Unnamed] = field(default_factory=dict)


class Runner:
    """Runs notebooks one after the other, each in a process of its own; a context manager.

    Parameters
    ----------
    sandboxed : bool
        False runs without bubblewrap: for a class that is trusted.
    limits : Limits, optional
    warm : grader.classroom.sandbox.warm.Warm, optional
        A warm process that others use too; by default one of its own.

    Raises
    ------
    NoSandbox
        If the sandbox cannot be started.
    """

    def __init__(self, sandboxed: bool = True, limits: Limits | None = None, warm: Warm | None = None) -> None:
        self.limits = limits or Limits()
        self._sandbox = Sandbox(sandboxed, self.limits, warm)

    def __enter__(self) -> "Runner":
        return self

    def __exit__(self, kind: type | None, problem: BaseException | None, trace: TracebackType | None) -> None:
        self.close()

    def close(self) -> None:
        """Stop the sandbox."""
        self._sandbox.close()

    def run(self, name: str, notebook: Any, seed_of: Callable[[str], int], released: Any = None) -> Run:
        """Run a notebook and judge it; nothing that a submission does raises here.

        Parameters
        ----------
        name : str
            The notebook's name.
        notebook : NotebookNode
            A repaired notebook; it is not changed.
        seed_of : callable
            Gives the seed of an exercise's id.
        released : NotebookNode, optional
            The notebook as handed out: a cell of it that is still empty does not undo what the learner has written
            in a cell above.

        Returns
        -------
        Run

        Raises
        ------
        NoSandbox
            If a process cannot be had.
        """
        # Of a cell only the outputs change, and they are put there anew.
        own = copy.copy(notebook)
        own.cells = [copy.copy(cell) for cell in notebook.cells]
        return _Notebook(self._sandbox, self.limits, own, seed_of, released).run()


class _Notebook:
    """One run."""

    def __init__(
        self,
        sandbox: Sandbox,
        limits: Limits,
        notebook: Any,
        seed_of: Callable[[str], int],
        released: Any,
    ) -> None:
        self._sandbox, self._limits, self._seed_of = sandbox, limits, seed_of
        self._checks = {id(cell): check for cell, check in checks(notebook)}
        self._exercises = [check.exercise for check in self._checks.values() if check]
        cells = [] if released is None else [cell for cell in released.cells if cell.cell_type == "code"]
        self._handed_out = {cell.source for cell in cells}
        self._empty = {cell.source for cell in cells if is_answer(cell)}
        self._theirs: set[str] = set()  # names that the learner's own cells have given a value
        self._broke: dict[str, str] = {}  # by name, the error of the cell that should have given it one
        self._above: list[Any] = []  # the learner's cells since the last check
        self._result = Run(notebook)
        self._seconds = dict.fromkeys(("start", "learner", "calls", "judge"), 0.0)
        self._failures: list[str] = []
        self._ran: list[str] = []  # the sources of what a new process has to run to be where the last one was
        self._line: Line | None = None
        self._restarts, self._room = 0, limits.output * MEGABYTE
        self._deadline = time.monotonic() + limits.notebook

    def run(self) -> Run:
        began = time.monotonic()
        count = 0
        done: list[tuple[Any, Check | None]] = []
        try:
            self._fork()
            for cell in self._result.notebook.cells:
                if cell.cell_type != "code":
                    continue
                count += 1
                cell.outputs, cell.execution_count = [], count
                check = self._checks.get(id(cell), cell)
                if check is not cell:
                    self._judge_cell(cell, check)
                    done.append((cell, check))
                    self._above = []
                elif cell.source in self._empty and defined(cell.source) <= self._theirs and defined(cell.source):
                    Outputs(cell, self._room).take({"output_type": "stream", "text": ABOVE})
                else:
                    self._run_cell(cell)
            for cell, check in done:
                if check:
                    self._judge_at_the_end(cell, check)
        finally:
            if self._line is not None:
                self._leave()
        run = self._result
        self._seconds["total"] = time.monotonic() - began
        run.seconds = {stage: round(value, 4) for stage, value in self._seconds.items()}
        run.failures = tuple(dict.fromkeys(self._failures))
        return run

    # ---- the process

    def _fork(self) -> Line:
        began = time.monotonic()
        self._line = Line(self._sandbox.fork(self._exercises))
        self._seconds["start"] += time.monotonic() - began
        return self._line

    def _leave(self) -> None:
        if self._line is not None:
            self._line.process.end()
        self._line = None

    def _begin_anew(self) -> None:
        """Get a new process where the last one ended, and run the cells before once more; their outputs stay."""
        self._leave()
        while self._line is None and self._restarts < RESTARTS and time.monotonic() < self._deadline:
            self._restarts += 1
            self._fork()
            for i, source in enumerate(self._ran):
                try:
                    self._ask({"kind": "cell", "source": source}, self._limits.cell)
                except Ended:
                    del self._ran[i]  # what ran well once does not always
                    self._leave()
                    break
        if self._line is None:
            words = "its process ended too often"
            if time.monotonic() >= self._deadline:
                words = f"the {self._limits.notebook:g} seconds that all its cells may take together are used up"
                words += "; leave out, or shorten, what takes long"
            self._failures.append(f"The rest of the notebook was not run: {words}.")
            self._result.late |= time.monotonic() >= self._deadline

    def _ask(
        self,
        request: dict[str, Any],
        seconds: float,
        take: Take = forget,
        functions: Handles | None = None,
        each: Take | None = None,
    ) -> dict[str, Any]:
        """Ask the process for something that runs the learner's code; see `Line.ask`."""
        began = time.monotonic()
        try:
            if self._line is None:
                raise Ended("is no more")
            if began >= self._deadline:  # the cell that used it up was stopped just now, and its process lives
                raise TimeIsUp("used up the time of the whole notebook")
            return self._line.ask(request, max(min(seconds, self._deadline - began), 0.05), take, functions, each)
        except (Ended, CourseError):
            raise
        except Exception as problem:
            # Nothing that a process sends may cost more than this process.
            self._leave()
            raise Ended(f"sent what the judge cannot read ({type(problem).__name__})") from None
        finally:
            self._seconds["learner" if functions is None else "calls"] += time.monotonic() - began

    # ---- cells

    def _run_cell(self, cell: Any) -> None:
        outputs = Outputs(cell, self._room)
        if self._line is None:
            outputs.say("Not run: the notebook had been stopped before.")
            return
        try:
            reply = self._ask({"kind": "cell", "source": cell.source}, self._limits.cell, outputs.take)
            if reply.get("stopped"):
                self._too_long(cell, outputs)
            elif reply.get("error"):
                outputs.say(f"The cell could not be run: {word(reply['error'])}: {text(reply.get('message'), 500)}")
            self._ran.append(cell.source)
        except TooLong:
            self._too_long(cell, outputs)
            self._begin_anew()
        except Ended as end:
            outputs.say(f"The notebook's process {end}. The cells below go on without this one.")
            self._failures.append(f"In the cell {_name(cell)} the notebook's process {end}.")
            self._begin_anew()
        finally:
            self._room -= outputs.size
            self._note(cell)
            outputs.close()

    def _note(self, cell: Any) -> None:
        """Remember which names of the learner's a cell has given a value, or failed to."""
        if cell.source in self._empty:
            return
        names = defined(cell.source)
        self._broke |= dict.fromkeys(names | names_given(cell.source), _why_broken(cell))
        if cell.source not in self._handed_out:
            self._theirs |= names
            self._above.append(cell)

    def _why_missing(self, name: str) -> str:
        """Why the cell of an answer has not given it a value; "" if nothing is known."""
        if broke := self._broke.get(name):
            return broke
        for cell in reversed(self._above):
            if why := astray(cell.source, names_given(cell.source), name):
                return why
        return next((why for cell in reversed(self._above) if is_answer(cell) and (why := _why_broken(cell))), "")

    def _too_long(self, cell: Any, outputs: Outputs) -> None:
        outputs.say("This cell was still running at its time limit, so it was stopped: does it ever end?")
        self._failures.append(f"The cell {_name(cell)} was stopped at its time limit of {self._limits.cell:g} seconds.")
        self._result.late = True

    def _judge_cell(self, cell: Any, check: Check | None, once_more: bool = False) -> None:
        name = check.exercise if check else cell.metadata.nbgrader.get("grade_id", "")
        if check is None:
            return self._without_verdict(cell, name, "this cell is no check of the course, so nobody can judge it")
        began, before = time.monotonic(), sum(self._seconds.values())
        try:
            exercise = find(name)
        except KeyError as problem:
            return self._without_verdict(cell, name, str(problem.args[0]))
        if self._line is None:
            return self._without_verdict(cell, name, self._failures[-1] if self._failures else "it was not run")
        source, answer = self._source_of(check.expression), RemoteAnswer(self._ask, self._limits)
        try:
            watch = self._line.process.watch
            answer = RemoteAnswer(self._ask, self._limits, partial(lines_of, source, check.expression), watch)
            missing = answer.bind(check.expression, names_of(exercise))
            # Of inputs that came before, another exercise's function may have told the answer since.
            seed = self._seed_of(name) + once_more
            verdict = not_there(exercise, missing) if missing else judge(exercise, answer, seed)
            if not verdict.attempted and (broke := self._why_missing(check.expression)):
                verdict = not_there(exercise, missing or f"`{check.expression}` is still empty", broke)
        except (Ended, CourseError) as problem:
            self._without_verdict(cell, name, f"the notebook's process {problem}")
        except Exception as problem:
            # The judge is ours: a mistake of it is told, and gives no points to anybody.
            self._without_verdict(cell, name, f"the judge could not read this answer ({type(problem).__name__})")
        else:
            wrong = [one for one, found in self._result.verdicts.items() if one != name and not found.passed]
            below = stands_on(source, wrong) if isinstance(exercise, FunctionExercise) and not verdict.passed else []
            broke = "" if verdict.passed else self._not_given(verdict)
            twice = "" if verdict.attempted else given_twice(source, check.expression)
            if notice := broke or twice or (_may_come_from(below) if below else ""):
                verdict = replace(verdict, notice=notice)
            self._result.verdicts[verdict.exercise] = verdict
            cell.outputs = node(cell_outputs(verdict, cell.execution_count))
            if verdict.unnamed and isinstance(exercise, FunctionExercise) and not below:
                self._result.unnamed[name] = Unnamed(_outputs(exercise, answer), source[:LONGEST_SOURCE])
        if answer.end is not None:
            self._failures.append(f"While `{name}` was checked, the notebook's process {answer.end}.")
            self._result.late |= answer.end.late
            self._begin_anew()
        elif answer.late:
            self._failures.append(f"`{name}` was stopped at the time limit of {self._limits.call:g} seconds a call.")
            self._result.late = True
        # What was spent meanwhile in calls, or on beginning anew, has been counted there.
        self._seconds["judge"] += time.monotonic() - began - (sum(self._seconds.values()) - before)

    def _judge_at_the_end(self, cell: Any, check: Check) -> None:
        """Judge an answer once more that was not passed at its check, if the learner changes it, or what it calls,
        further down: at home such a check is run once more. The better verdict counts."""
        before, shown = self._result.verdicts.get(check.exercise), cell.outputs
        if before is None or before.passed or self._line is None:
            return
        if not (later := self._given_later(cell, check.expression)):
            return
        unnamed = self._result.unnamed.pop(check.exercise, None)
        self._judge_cell(cell, check, once_more=True)
        after = self._result.verdicts[check.exercise]
        better = after.points > before.points or (before.notice and after.points == before.points)
        if better and check.exercise not in self._result.unjudged:
            after = replace(after, notice=after.notice or _further_down(later))
            self._result.verdicts[check.exercise] = after
            cell.outputs = node(cell_outputs(after, cell.execution_count))
            return
        self._result.verdicts[check.exercise], cell.outputs = before, shown
        self._result.unjudged.pop(check.exercise, None)
        if unnamed:
            self._result.unnamed[check.exercise] = unnamed

    def _given_later(self, check: Any, expression: str) -> list[str]:
        """What an answer is, or calls, directly or not, that a cell of the learner's below its check changes."""
        cells = [cell for cell in self._result.notebook.cells if cell.cell_type == "code"]
        place = next(i for i, cell in enumerate(cells) if cell is check)
        theirs = [cell.source for cell in cells[place + 1 :] if cell.source not in self._handed_out]
        below = set[str]().union(*map(names_changed, theirs))
        called, waiting = set[str](), {expression} if below else set[str]()
        while waiting:
            called.add(name := waiting.pop())
            source = self._source_of(name)
            if source not in self._handed_out:
                waiting |= (names_needed(source) | names_given(source)) - called
        return sorted(called & below)

    def _not_given(self, verdict: Verdict) -> str:
        """Why a name that an answer asked for in vain has no value, if the cell that was to give it one failed."""
        found = (name for name, why in self._broke.items() if why and f"`{name}` is not defined" in verdict.text)
        return next((f"`{name}` has no value, because its cell {self._broke[name]}." for name in found), "")

    def _source_of(self, name: str) -> str:
        """The last cell that gives a name its value, as it was handed in; "" if none does."""
        return next((source for source in reversed(self._ran) if name in defined(source)), "")

    def _without_verdict(self, cell: Any, name: str, reason: str) -> None:
        """No verdict is zero points, and the reason is shown."""
        self._result.unjudged[name] = reason
        verdict = no_verdict(name, float(marks(cell).get("points", 0)), f"not judged: {reason}")
        cell.outputs = node(cell_outputs(verdict, cell.execution_count))


def _why_broken(cell: Any) -> str:
    """Why a cell has not given its names their values, as the end of a sentence; "" if nothing kept it from that."""
    error = next((one for one in cell.outputs if one.output_type == "error"), None)
    if error is None or (error.ename == "CalledProcessError" and kept_nothing(cell.source)):
        return kept_nothing(cell.source)  # another program than Python here was given its lines
    why = f"ended with an error above it: {text(f'{error.ename}: {error.evalue}', 300)}"
    if error.ename in ("SyntaxError", "IndentationError", "TabError") and (cure := no_python(cell.source, why)):
        return f"{why} ({cure})"
    hints = [hint for kind, word, hint in HINTS if error.ename == kind and word in cell.source]
    return why + ("".join(hints) or ("" if error.ename in ORDINARY else ELSEWHERE))


def _may_come_from(names: list[str]) -> str:
    """What is said of an answer that calls others which did not pass: here it cannot be tried with right ones."""
    said, are = " and ".join(f"`{name}`" for name in names), "has" if len(names) == 1 else "have"
    return f"What is wrong here may come from {said}, which it calls, and which {are} not passed. Look there first."


def _further_down(names: list[str]) -> str:
    said, get = listed(f"`{name}`" for name in names), "gets its value" if len(names) == 1 else "get their values"
    return f"{said} {get} further down, so this was judged as it is at the end of the notebook."


def _outputs(exercise: FunctionExercise, answer: RemoteAnswer) -> str:
    """What an answer has in common with others; "" if that cannot be had, which costs nobody a mark."""
    try:
        return fingerprint(exercise, answer)
    except Exception:
        return ""


def _name(cell: Any) -> str:
    first = cell.source.strip().split("\n")[0][:50]
    return f"`{cell.get('id') or ''}` ({first!r})" if first else f"`{cell.get('id') or ''}`"
