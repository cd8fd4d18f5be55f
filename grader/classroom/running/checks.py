"""The check cells of a notebook, and what they ask for."""

import ast
import contextlib
from dataclasses import dataclass
from typing import Any

from grader.judging.verdict import Finding, Verdict
from grader.notebook import is_check


@dataclass(frozen=True)
class Check:
    """A check cell: `check("softmax", softmax)`.

    Attributes
    ----------
    exercise : str
    expression : str
        Its value is the answer.
    """

    exercise: str
    expression: str


def read_check(cell: Any) -> Check | None:
    """What a graded cell asks for; None if it is no check."""
    with contextlib.suppress(SyntaxError, ValueError):
        tree = ast.parse(cell.source).body
        call = tree[-1].value if len(tree) == 1 and isinstance(tree[-1], ast.Expr) else None
        if isinstance(call, ast.Call) and isinstance(call.func, ast.Name) and call.func.id == "check":
            identity, answer = call.args
            if isinstance(identity, ast.Constant) and isinstance(identity.value, str):
                return Check(identity.value, ast.unparse(answer))
    return None


def checks(notebook: Any) -> list[tuple[Any, Check | None]]:
    """The check cells of a notebook, each with what it asks for."""
    return [(cell, read_check(cell)) for cell in notebook.cells if is_check(cell)]


def not_there(exercise: Any, problem: str, broke: str = "") -> Verdict:
    """The verdict where the answer's name means nothing; `broke` is why its own cell has not given it a value."""
    full = float(exercise.points)
    if broke:
        words = f"{problem}, because its cell {broke}"
        return Verdict(exercise.id, 0.0, full, (Finding("the cell of your answer runs", False, words, 0.0, full),))
    words = f"{problem}: was there an error in the cell above (a SyntaxError, say)?"
    finding = Finding(f"not attempted yet: {words}", False, "", 0.0, full, tried=False)
    return Verdict(exercise.id, 0.0, full, (finding,), attempted=False)
