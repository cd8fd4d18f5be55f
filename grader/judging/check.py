"""What a notebook's check cell calls."""

import os
import sys
from dataclasses import replace

from grader.judging.cells import cells_of, load_ipython_extension, names_used, notebook_shell
from grader.judging.judge import judge
from grader.judging.verdict import Score, Verdict, as_data


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
    if shell := notebook_shell():
        cells, own = cells_of(shell), exercise_id.replace("-", "_")
        verdict = replace(verdict, notice=cells.older([own, *sorted(names_used(cells.source))]))
    show(verdict)
    return Score(verdict)


def show(verdict: Verdict) -> None:
    """Show a verdict: as HTML in a notebook, as text elsewhere; and where nbgrader's Validate looks for it."""
    if os.environ.get("NBGRADER_EXECUTION") == "validate" and not verdict.passed:
        sys.stderr.write(verdict.text + "\n")
        return
    if notebook_shell():
        from IPython.display import display

        display(as_data(verdict), raw=True)
    else:
        print(verdict.text)


if _shell := notebook_shell():
    load_ipython_extension(_shell)
