"""A wrong answer that nobody has a name for: what it has in common with others, and the lines that hold it."""

import ast
import hashlib
import re
import warnings
from collections.abc import Iterable
from typing import Any

import numpy as np

from grader.exercises.kinds import FunctionExercise
from grader.judging.answer import Answer, Outcome
from grader.judging.compare import array_of
from grader.judging.diagnose import arguments

#: Everybody meets the same inputs here; nothing is earned with them.
SEED = 20_170_612
DIGITS = 6
#: A longer answer is no answer to an exercise of the course.
LONGEST_SOURCE = 20_000


def fingerprint(exercise: FunctionExercise, answer: Answer) -> str:
    """A digest of what an answer does with the inputs that everybody's answer gets: equal for the same mistake.

    Parameters
    ----------
    exercise : FunctionExercise
    answer : Answer

    Returns
    -------
    str
        Numbers count to six digits, and of exceptions the class.
    """
    digest = hashlib.sha256()
    for number, case in enumerate(exercise.cases):
        with np.errstate(all="ignore"):
            inputs = case.make(np.random.default_rng([SEED, number]))
        outcome = answer.call(*arguments(exercise, inputs))
        digest.update(repr(_told(outcome)).encode("utf-8", "replace") + b"\n")
        if outcome.stopped or outcome.error == "ProcessEnded":
            break
    return digest.hexdigest()


def _told(outcome: Outcome) -> Any:
    """What counts of an outcome."""
    if outcome.stopped:
        return "stopped"
    return ("raised", outcome.error) if outcome.error else _rounded(outcome.value)


def _rounded(value: Any) -> Any:
    """A plain value whose representation is the same for nearly the same numbers, and for a list as for an array."""
    if value is None or isinstance(value, str):
        return value
    if isinstance(value, dict):
        return sorted(((repr(_rounded(key)), _rounded(one)) for key, one in value.items()), key=lambda pair: pair[0])
    if isinstance(value, tuple) or (isinstance(value, list) and array_of(value) is None):
        return [_rounded(one) for one in value]
    array = np.asarray(value, dtype=float)
    size = max(1.0, np.abs(array[np.isfinite(array)]).max(initial=0.0))
    # Nothing is left of the sign of a zero or of a NaN.
    plain = np.where(np.isnan(array), np.nan, np.round(array / size, DIGITS) + 0.0)
    return array.shape, f"{size:.{DIGITS - 1}g}", hashlib.sha256(plain.tobytes()).hexdigest()


def stands_on(source: str, names: Iterable[str]) -> list[str]:
    """Those of these functions that a cell calls: where one is wrong, what calls it need not be.

    Examples
    --------
    >>> stands_on("weights = softmax (x)", ["dot_scores", "softmax"]), stands_on("x.max(softmax)", ["softmax"])
    (['softmax'], [])
    """
    code = re.sub(r"#.*", "", source)
    return [name for name in names if re.search(rf"(?<!def )\b{re.escape(name)}\s*\(", code)]


def lines_of(source: str, name: str) -> str:
    """The lines of the function of that name in the text of a cell, the last where it is written twice.

    What the cell gives a name outside, and the function uses, comes first: a number may stand there.

    Parameters
    ----------
    source : str
        Of any origin: it is read, and never run.
    name : str

    Returns
    -------
    str
        "" where there is no such function, or no Python.

    Examples
    --------
    >>> lines_of("def double(x):\\n    return 2 * x\\n\\ndouble(3)", "double")
    'def double(x):\\n    return 2 * x'
    >>> lines_of("EPS = 1e-8\\ny = 3\\ndef safe(x):\\n    return x + EPS", "safe")
    'EPS = 1e-8\\ndef safe(x):\\n    return x + EPS'
    >>> lines_of("y = 3\\n@cache\\ndef same(x):\\n    return x", "same")
    '@cache\\ndef same(x):\\n    return x'
    """
    if len(source) > LONGEST_SOURCE:
        return ""
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            body = ast.parse(source).body
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        return ""
    found = [node for node in body if isinstance(node, ast.FunctionDef) and node.name == name]
    if not found:
        return ""
    used = {node.id for node in ast.walk(found[-1]) if isinstance(node, ast.Name)}
    given = [
        node
        for node in body
        if isinstance(node, ast.Assign) and any(isinstance(one, ast.Name) and one.id in used for one in node.targets)
    ]
    lines = source.split("\n")
    return "\n".join("\n".join(lines[_first(node) - 1 : node.end_lineno]) for node in (*given, found[-1]))


def _first(node: ast.stmt) -> int:
    """The line on which a statement begins, with its decorators."""
    return min([node.lineno, *(one.lineno for one in getattr(node, "decorator_list", ()))])
