"""The example that a task prints is a case of its exercise."""

import ast
import re

import numpy as np
import pytest

from grader.exercises import NOTEBOOKS
from grader.exercises.kinds import FunctionExercise
from grader.notebook import read_notebook
from grader.places import SOLUTIONS, find_notebook

EXAMPLE = "the example of the task"
#: The notebooks of Parts 0 to 2: what their tasks print can be read by a program.
READ = """start-here 1-embeddings 2-scores 3-softmax 4-context-vectors 1-nearest-neighbours 2-kernel-machines
3-memory-retrieval"""
FUNCTIONS = [
    pytest.param(name, one, id=one.id)
    for name in READ.split()
    for one in NOTEBOOKS[name]
    if isinstance(one, FunctionExercise)
]


def printed(notebook, name):
    """What the task of a function says that its examples give, in the order of the text."""
    cells = read_notebook(SOLUTIONS / find_notebook(notebook, SOLUTIONS)).cells
    task = next(
        cell.source for cell in cells if re.search(rf"^#.*(Exercise|Challenge): .*`{name}`", cell.source, re.MULTILINE)
    )
    shown = task[max(task.find("\nExample"), 0) :].replace(". ", ", ")
    return [ast.literal_eval(value) for value in re.findall(r"(?:→|result is) `([^`]+)`", shown)]


@pytest.mark.parametrize(("notebook", "exercise"), FUNCTIONS)
def test_the_printed_example_is_a_case(notebook, exercise):
    results = printed(notebook, exercise.id)
    cases = [case for case in exercise.cases if case.text.startswith(EXAMPLE)]
    assert cases
    assert len(cases) <= len(results)
    for case, result in zip(cases, results, strict=False):
        one, other = (case.make(np.random.default_rng(seed)) for seed in (1, 2))
        found = exercise.model(**one)
        # A function is told by its name: each draw has one of its own.
        one, other = (re.sub(r" at 0x[0-9a-f]+", "", repr(inputs)) for inputs in (one, other))
        assert one == other, "the same whatever is drawn"
        if isinstance(found, np.ndarray | float):
            np.testing.assert_allclose(found, result, atol=6e-4)
        else:
            assert found == result
