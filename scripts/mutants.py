"""Do the tests bite? One small fault at a time is put into a copy of the code; whatever no test notices is printed.

    make mutants ARGS="--sample 100"
    make mutants ARGS="--only compare --only diagnose"

A fault is a turned comparison, a swapped `and`, a lost `not`, a constant that is a little off, a statement that is
gone, a condition turned round, or a result that is None. Each is tried against the tests of its module alone.
"""

import argparse
import ast
import contextlib
import copy
import os
import random
import shlex
import shutil
import signal
import subprocess
import sys
import tempfile
import time
from collections import Counter
from dataclasses import dataclass
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent

_VALUES = "test_answer.py test_compare.py test_diagnose.py test_verdict.py test_judge.py"
_JUDGE = f'{_VALUES} test_bank.py -k "not test_bank or softmax or entropy or audit"'
_DIAGNOSIS = f"test_diagnose.py {_JUDGE}"
_GRADING = "test_grading.py test_command_line.py test_grading_resumed.py test_grading_failures.py test_autograde.py"
_BORDER = (
    'test_border.py test_far_answer.py test_sandbox.py -m "not grading" -k "border or far or cross or frame or draws"'
)
_FEEDBACK = 'test_safe.py test_feedback.py -m "not browser" -k "safe or by_itself or terminal or pictures or tags"'
#: Which tests watch over a module, the quick ones first: what pytest is asked for in tests/.
TESTS = {
    "grader/judging/judge.py": _JUDGE,
    "grader/judging/compare.py": _JUDGE,
    "grader/judging/diagnose.py": _DIAGNOSIS,
    "grader/judging/evidence.py": _DIAGNOSIS,
    "grader/judging/hypotheses.py": _DIAGNOSIS,
    "grader/judging/models.py": _DIAGNOSIS,
    "grader/judging/behaviour.py": _DIAGNOSIS,
    "grader/judging/values.py": _JUDGE,
    "grader/judging/typed.py": _JUDGE,
    "grader/judging/answer.py": _JUDGE,
    "grader/judging/verdict.py": _JUDGE,
    "grader/judging/unnamed.py": 'test_unnamed.py -m "not grading and not execution"',
    "grader/desk/unnamed.py": "test_unnamed.py",
    "grader/classroom/gradebook/cells.py": "test_gradebook.py",
    "grader/classroom/gradebook/part_book.py": "test_gradebook.py",
    "grader/classroom/marking/submission.py": f"test_submission.py {_GRADING}",
    "grader/classroom/records.py": "test_report_files.py",
    "grader/classroom/sandbox/inside/wire.py": _BORDER,
    "grader/classroom/sandbox/inside/session.py": _BORDER,
    "grader/classroom/running/line.py": _BORDER,
    "grader/classroom/running/far_answer.py": _BORDER,
    "grader/classroom/repair/handed_in.py": "test_handed_in.py",
    "grader/classroom/feedback/safe_html.py": _FEEDBACK,
    "grader/classroom/feedback/safe_cells.py": _FEEDBACK,
}
#: Mutants that do what the code does, by module, line and what became of it; why each is one is said beside it.
EQUIVALENT = {
    # No number has nine bytes.
    ("grader/classroom/sandbox/inside/wire.py", "if array.dtype.itemsize > 8 or not array.dtype.isnative:", "9"),
    (
        "grader/classroom/sandbox/inside/wire.py",
        'array = array.astype(np.float64 if array.dtype.itemsize > 8 else array.dtype.newbyteorder("="))',
        "9",
    ),
    # How much is read at once does not matter; and nothing that got this far contains itself.
    ("grader/classroom/sandbox/inside/wire.py", "piece = _read(self._descriptor, min(size, 1 << 20))", "2"),
    ("grader/classroom/sandbox/inside/wire.py", "piece = _read(self._descriptor, min(size, 1 << 20))", "21"),
    (
        "grader/classroom/sandbox/inside/wire.py",
        '_encode_json = json.JSONEncoder(separators=(",", ":"), check_circular=False).encode',
        "True",
    ),
    # A nonce may be longer.
    ("grader/classroom/sandbox/inside/session.py", "nonce = secrets.token_hex(8)", "9"),
    ("grader/classroom/running/line.py", "nonce = secrets.token_hex(8)", "9"),
    # Any seed gives the same in every run.
    ("grader/classroom/sandbox/inside/session.py", "random.seed(0)", "1"),
    (
        "grader/classroom/sandbox/inside/session.py",
        "np.random.seed(0)  # noqa: NPY002 - what a learner draws from the old generator is the same in every run",
        "1",
    ),
    # The SQLAlchemy of requirements.lock has nothing to warn of here; another may.
    (
        "grader/classroom/gradebook/cells.py",
        'warnings.simplefilter("ignore", SAWarning)  # about relations between nbgrader\'s own tables',
        "pass",
    ),
    # Nobody writes to one.
    ("grader/classroom/gradebook/cells.py", "@dataclass(frozen=True)", "False"),
    # A reason may be a letter longer.
    (
        "grader/classroom/gradebook/cells.py",
        'reason = str(problem.args[0]).strip().split("\\n")[0][:300]',
        "301",
    ),
    # Waiting may take a little more or less.
    ("grader/classroom/gradebook/part_book.py", "PATIENCE = 15", "16"),
    (
        "grader/classroom/gradebook/part_book.py",
        "if time.monotonic() - began > PATIENCE:",
        "time.monotonic() - began >= PATIENCE",
    ),
    ("grader/classroom/gradebook/part_book.py", "time.sleep(0.1)", "0.2"),
}

#: What lies beside the code in the repository's folder, and may be large.
LEFT_OUT = {".git", ".venv", "work", "grading"}
TURNED = {
    ast.Lt: ast.LtE,
    ast.LtE: ast.Lt,
    ast.Gt: ast.GtE,
    ast.GtE: ast.Gt,
    ast.Eq: ast.NotEq,
    ast.NotEq: ast.Eq,
    ast.In: ast.NotIn,
    ast.NotIn: ast.In,
    ast.Is: ast.IsNot,
    ast.IsNot: ast.Is,
    ast.And: ast.Or,
    ast.Or: ast.And,
}


@dataclass(frozen=True)
class Mutant:
    """A fault: what stands where, and what is put there.

    Attributes
    ----------
    path : str
        Of the module, from the top of the repository.
    begin, end : int
        Where it stands in the module's bytes.
    line : int
    text : str
        The line.
    old, new : str
    """

    path: str
    begin: int
    end: int
    line: int
    text: str
    old: str
    new: str

    @property
    def known_by(self):
        """What it is in `EQUIVALENT`: lines move."""
        return self.path, self.text, " ".join(self.new.split())

    def __str__(self):
        old, new = (" ".join(text.split()) for text in (self.old, self.new))
        return f"{self.path}:{self.line}  {old}  ->  {new}"


# ---- what can be wrong


def mutants(path, source):
    """All the faults that a module can be given.

    Parameters
    ----------
    path : str
    source : str

    Returns
    -------
    list of Mutant

    Examples
    --------
    >>> [f"{one.old} -> {one.new}" for one in mutants("x.py", "if a < 3: b()")]
    ['a < 3 -> (not a < 3)', 'a < 3 -> a <= 3', '3 -> 4', 'b() -> pass']
    """
    starts, data, lines = [0], source.encode("utf-8"), source.splitlines()
    for line in data.splitlines(keepends=True):
        starts.append(starts[-1] + len(line))
    found = {}
    for node, faulty in _faults(ast.parse(source)):
        begin = starts[node.lineno - 1] + node.col_offset
        end = starts[node.end_lineno - 1] + node.end_col_offset
        old = data[begin:end].decode("utf-8")
        new = ast.unparse(faulty)
        if not isinstance(faulty, ast.stmt) and ("\n" in old or type(faulty) is not type(node)):
            new = f"({new})"  # what was in several lines, or bound more tightly, stays one thing
        if new != old:
            text = lines[node.lineno - 1].strip()
            found.setdefault((begin, end, new), Mutant(path, begin, end, node.lineno, text, old, new))
    return list(found.values())


def _faults(tree):
    """Nodes, each with what may be put in its place."""
    for node in _walk(tree):
        if isinstance(node, (ast.If, ast.While, ast.IfExp)):
            yield node.test, ast.UnaryOp(ast.Not(), node.test)
        if isinstance(node, ast.comprehension):
            for test in node.ifs:
                yield test, ast.UnaryOp(ast.Not(), test)
        if isinstance(node, ast.Compare):
            for i, operator in enumerate(node.ops):
                yield node, _with(node, ops=[*node.ops[:i], TURNED[type(operator)](), *node.ops[i + 1 :]])
        if isinstance(node, ast.BoolOp):
            yield node, _with(node, op=TURNED[type(node.op)]())
        if isinstance(node, ast.UnaryOp) and isinstance(node.op, ast.Not):
            yield node, node.operand
        if isinstance(node, ast.Constant) and isinstance(node.value, bool):
            yield node, ast.Constant(not node.value)
        elif isinstance(node, ast.Constant) and isinstance(node.value, int):
            yield node, ast.Constant(node.value + 1)
        elif isinstance(node, ast.Constant) and isinstance(node.value, float):
            yield node, ast.Constant(node.value * 2 or 1.0)
        if isinstance(node, ast.Return) and not (node.value is None or getattr(node.value, "value", 0) is None):
            yield node, ast.Return(ast.Constant(None))
        if isinstance(node, (ast.Expr, ast.AugAssign, ast.Raise, ast.Break, ast.Continue, ast.Delete)):
            yield node, ast.Pass()


def _walk(node):
    """The nodes of a tree that are worth a fault."""
    for child in ast.iter_child_nodes(node):
        # Words for people are no logic, the places of what is in an f-string are not known, and types do not run.
        said = isinstance(child, ast.Expr) and isinstance(child.value, ast.Constant)
        typed = isinstance(child, ast.If) and getattr(child.test, "id", "") == "TYPE_CHECKING"
        if said or typed or isinstance(child, ast.JoinedStr):
            continue
        yield child
        yield from _walk(child)


def _with(node, **changes):
    changed = copy.copy(node)
    for name, value in changes.items():
        setattr(changed, name, value)
    return changed


# ---- trying them


class Place:
    """A copy of the repository in which one fault at a time is tried."""

    def __init__(self, top, root):
        self.folder, self._log, self._temporary = top / "course", top / "log", top / "temporary"
        shutil.copytree(root, self.folder, ignore=lambda folder, _: LEFT_OUT if Path(folder) == root else ())
        self.mutant = self._before = self._child = self._began = self._until = None
        self.seconds = 0.0

    def start(self, tests, mutant=None, seconds=600.0):
        """Run tests in a child; `done` says how they came out."""
        self.mutant, self._began = mutant, time.monotonic()
        self._until = self._began + seconds
        if mutant:
            path = self.folder / mutant.path
            self._before = path.read_bytes()
            path.write_bytes(self._before[: mutant.begin] + mutant.new.encode("utf-8") + self._before[mutant.end :])
        # Files of bytecode are believed if size and second are right; a fault may change neither.
        about = {**os.environ, "PYTHONPATH": str(self.folder), "PYTHONDONTWRITEBYTECODE": "1"}
        options = ["-x", "-q", "-p", "no:cacheprovider", "-p", "no:xdist", f"--basetemp={self._temporary}"]
        with self._log.open("wb") as log:
            self._child = subprocess.Popen(
                [sys.executable, "-m", "pytest", *options, *shlex.split(tests)],
                cwd=self.folder / "tests",
                env=about,
                stdin=subprocess.DEVNULL,
                stdout=log,
                stderr=log,
                start_new_session=True,
            )

    def done(self):
        """None while the tests run; then True if they have noticed something."""
        late = time.monotonic() > self._until
        if self._child.poll() is None and not late:
            return None
        with contextlib.suppress(ProcessLookupError):
            os.killpg(self._child.pid, signal.SIGKILL)  # it, or what it may have left running
        status, self.seconds = self._child.wait(), time.monotonic() - self._began
        if self.mutant:
            (self.folder / self.mutant.path).write_bytes(self._before)
        return status != 0

    def said(self):
        """The end of what the tests said."""
        return self._log.read_text(encoding="utf-8", errors="replace")[-3000:]


def examine(root, tests, chosen, jobs=1, say=print):
    """Try faults; returns those that no test noticed.

    Parameters
    ----------
    root : Path
    tests : dict of str to str
        As in `TESTS`.
    chosen : list of Mutant
    jobs : int
    say : callable
    """
    survivors = []
    with tempfile.TemporaryDirectory(prefix="mutants-", ignore_cleanup_errors=True) as top:
        places = [Place(Path(top) / str(number), Path(root)) for number in range(jobs)]
        limits = _limits(places, [*dict.fromkeys(tests[mutant.path] for mutant in chosen)], say)
        waiting, busy, tried = list(reversed(chosen)), [], 0
        while waiting or busy:
            while waiting and len(busy) < jobs:
                mutant = waiting.pop()
                place = next(one for one in places if one not in busy)
                place.start(tests[mutant.path], mutant, limits[tests[mutant.path]])
                busy.append(place)
            time.sleep(0.02)
            for place in [*busy]:
                if (noticed := place.done()) is None:
                    continue
                busy.remove(place)
                tried += 1
                if not noticed:
                    survivors.append(place.mutant)
                say(f"{tried:4} of {len(chosen)}  {'caught  ' if noticed else 'SURVIVED'}  {place.mutant}")
    return survivors


def _limits(places, asked, say):
    """Seconds that each of some tests may take with a fault, from how long they take without any."""
    limits, busy = {}, {}
    while len(limits) < len(asked):
        for place in places:
            if place not in busy and (waiting := [tests for tests in asked if tests not in (*busy.values(), *limits)]):
                busy[place] = waiting[0]
                place.start(waiting[0])
        time.sleep(0.02)
        for place, tests in [*busy.items()]:
            if (wrong := place.done()) is None:
                continue
            if wrong:
                raise SystemExit(f"without any fault, `pytest {tests}` fails:\n{place.said()}")
            del busy[place]
            limits[tests] = 4 * place.seconds + 20
            say(f"{place.seconds:5.0f} s  pytest {tests}")
    return limits


def table(chosen, survivors):
    """How many were caught, by module."""
    tried, lived = (Counter(mutant.path for mutant in some) for some in (chosen, survivors))
    rows = [(path, number - lived[path], number) for path, number in tried.items()]
    rows.append(("all", sum(row[1] for row in rows), sum(row[2] for row in rows)))
    return "\n".join(f"{path:36} {caught:4} of {number:4}  {caught / number:5.0%}" for path, caught, number in rows)


def main(arguments=None):
    """Try faults, and print what came of it; exits with 1 if some were not noticed."""
    parser = argparse.ArgumentParser(prog="make mutants", description=__doc__.partition("\n")[0])
    parser.add_argument("--only", action="append", metavar="WORD", help="only modules with this word in their path")
    parser.add_argument("--sample", type=int, metavar="N", help="only N of the faults, the same ones every time")
    parser.add_argument("--seed", type=int, default=0, help="for another sample")
    parser.add_argument("--jobs", type=int, default=os.cpu_count() or 1, help="how many at a time")
    parser.add_argument("--list", action="store_true", help="print the faults, and try none")
    args = parser.parse_args(arguments)

    paths = [path for path in TESTS if not args.only or any(word in path for word in args.only)]
    chosen = [mutant for path in paths for mutant in mutants(path, (ROOT / path).read_text(encoding="utf-8"))]
    chosen = [mutant for mutant in chosen if mutant.known_by not in EQUIVALENT]
    if args.sample is not None and args.sample < len(chosen):
        kept = set(random.Random(args.seed).sample(range(len(chosen)), args.sample))
        chosen = [mutant for number, mutant in enumerate(chosen) if number in kept]
    if args.list:
        print("\n".join(map(str, chosen)))
        return 0
    if not chosen:
        raise SystemExit("no module is meant")
    survivors = examine(ROOT, TESTS, chosen, args.jobs, lambda words: print(words, flush=True))
    print("\nNo test noticed:", *(survivors or ["nothing"]), sep="\n  ")
    print(f"\n{table(chosen, survivors)}")
    return 1 if survivors else 0


if __name__ == "__main__":
    sys.exit(main())
