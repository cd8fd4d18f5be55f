"""What a notebook's check cell calls."""

import os
import secrets
import sys
from dataclasses import replace
from pathlib import Path

from grader.exercises import BANK, PLACES
from grader.judging.answer import LocalAnswer
from grader.judging.blame import blamed
from grader.judging.cells import cells_of, load_ipython_extension, names_used, notebook_shell
from grader.judging.judge import judge
from grader.judging.keeping import keep
from grader.judging.recording import Recorded, record, record_library
from grader.judging.verdict import Score, Verdict, as_data
from grader.places import WORK
from grader.words import plural

#: Where the whole road is, as a link from any notebook: the parts lie beside each other.
ROAD = "../0-start-here/start-here.ipynb#The-road"
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
    seed = secrets.randbits(64)
    verdict = blamed(judge(exercise_id, answer, seed), answer, seed)
    if verdict.unnamed and at_home():
        verdict = replace(verdict, notes=(*verdict.notes, NOBODY_NAMED))
    if verdict.passed and (said := keep(exercise_id, answer)):
        verdict = replace(verdict, notes=(*verdict.notes, said))
        record_library()
    if (so_far := record(verdict)) and verdict.passed:
        verdict = replace(verdict, onward=onward(exercise_id, so_far))
    if shell := notebook_shell():
        cells, own = cells_of(shell), exercise_id.replace("-", "_")
        names = [own, *sorted(names_used(cells.source))]
        verdict = replace(verdict, notice=cells.older(names) or ("" if verdict.attempted else cells.twice(names)))
    show(verdict, {UNNAMED: LocalAnswer(answer).source()} if verdict.unnamed else {})
    return Score(verdict)


def onward(exercise_id: str, so_far: Recorded) -> tuple[str, str, str]:
    """How much of an exercise's notebook is done, and a link to what comes next: its words, and where it leads."""
    here, order = PLACES[exercise_id], list(dict.fromkeys(PLACES.values()))
    exercises = [name for name, place in PLACES.items() if place == here]
    done = sum(so_far.points.get(name, 0.0) >= BANK[name].points for name in exercises)
    if done < len(exercises):
        return f"{done} of {plural(len(exercises), 'exercise')} of this notebook done.", "The road", ROAD
    said = f"All {plural(len(exercises), 'exercise')} of this notebook done."
    if here == order[-1]:
        return said, "The whole road", ROAD
    following = order[order.index(here) + 1]
    return said, f"Next: {following.rpartition('/')[2]}", f"../{following}.ipynb"


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
