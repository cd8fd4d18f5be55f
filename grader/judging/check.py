"""What a notebook's check cell calls."""

import os
import sys
from dataclasses import replace
from pathlib import Path
from typing import Any

from grader.judging.answer import LocalAnswer
from grader.judging.judge import judge
from grader.judging.verdict import Score, Verdict, as_data
from grader.places import WORK

#: In the metadata of a verdict's output: the function that failed without a name, as it was then.
UNNAMED = "unnamed"
NOBODY_NAMED = "Nobody has named this mistake yet: `python -m grader unnamed` writes it to a file that you can send."


def check(exercise_id: str, answer: object) -> Score:
    """Check an answer, show what the judge says, and return the points.

    Parameters
    ----------
    exercise_id : str
        Id of the exercise.
    answer : callable or value
        The learner's function, or a value where the exercise asks for one.

    Returns
    -------
    Score
        A float from 0 to the exercise's points. As the last line of a nbgrader test cell it gives partial credit;
        its `verdict` attribute holds everything else.

    Raises
    ------
    KeyError
        If there is no such exercise.
    """
    verdict = judge(exercise_id, answer)
    if verdict.unnamed and at_home():
        verdict = replace(verdict, notes=(*verdict.notes, NOBODY_NAMED))
    show(verdict, {UNNAMED: LocalAnswer(answer).source()} if verdict.unnamed else {})
    return Score(verdict)


def at_home() -> bool:
    """True in a learner's own copies, where `python -m grader unnamed` looks; nothing is graded there."""
    try:
        return Path.cwd().is_relative_to(WORK)
    except OSError:  # the folder is no more
        return False


def show(verdict: Verdict, about: dict[str, str]) -> None:
    """Show a verdict: as HTML in a notebook, as text elsewhere; and where nbgrader's Validate looks for it.

    In a notebook, `about` goes into the output's metadata, which nobody sees.
    """
    if os.environ.get("NBGRADER_EXECUTION") == "validate" and not verdict.passed:
        sys.stderr.write(verdict.text + "\n")
        return
    if in_notebook():
        from IPython.display import display

        display(as_data(verdict), raw=True, metadata=about)
    else:
        print(verdict.text)


def in_notebook() -> bool:
    """True where outputs are shown by a Jupyter front end."""
    ipython = sys.modules.get("IPython")
    shell = ipython.get_ipython() if ipython else None
    return shell is not None and shell.__class__.__name__ == "ZMQInteractiveShell"


def explain_missing_names() -> None:
    """In a notebook, say in plain words what to do when a check cell meets a name that is not defined yet.

    The usual cause is a cell above that was not run, or that holds a syntax error. The cell still fails (nbgrader
    must see that); only the traceback is replaced.
    """
    if not in_notebook():
        return
    shell = sys.modules["IPython"].get_ipython()

    def handler(shell: Any, kind: type, problem: Any, traceback: Any, tb_offset: int | None = None) -> list[str] | None:
        source = getattr(shell, "_attention_course_cell", "")
        if "check(" not in source:
            shell.showtraceback((kind, problem, traceback), tb_offset=tb_offset)
            return None
        words = [
            f"not attempted yet: `{problem.name}` is not defined.",
            "Run the cell above this one first. If it shows an error (a SyntaxError, say), mend it.",
        ]
        shell._showtraceback(kind, problem, words)
        return words

    def remember(info: Any) -> None:
        shell._attention_course_cell = info.raw_cell or ""

    shell.events.register("pre_run_cell", remember)
    shell.set_custom_exc((NameError,), handler)


explain_missing_names()
