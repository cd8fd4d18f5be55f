"""What a notebook's check cell calls."""

import os
import sys
from dataclasses import replace
from pathlib import Path

from grader.judging.answer import LocalAnswer
from grader.judging.cells import cells_of, load_ipython_extension, names_used, notebook_shell
from grader.judging.judge import judge
from grader.judging.keeping import keep
from grader.judging.verdict import Score, Verdict, as_data
from grader.places import WORK

#: In the metadata of a verdict's output: the function that failed without a name, as it was then.
UNNAMED = "unnamed"
NOBODY_NAMED = (
    "Nobody has named this mistake yet: `!python -m grader unnamed`, in a cell, writes it to a file that you can send."
)


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
    if verdict.passed and (said := keep(exercise_id, answer)):
        verdict = replace(verdict, notes=(*verdict.notes, said))
    if shell := notebook_shell():
        cells, own = cells_of(shell), exercise_id.replace("-", "_")
        verdict = replace(verdict, notice=cells.older([own, *sorted(names_used(cells.source))]))
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
    if notebook_shell():
        from IPython.display import display

        display(as_data(verdict), raw=True, metadata=about)
    else:
        print(verdict.text)


if _shell := notebook_shell():
    load_ipython_extension(_shell)
