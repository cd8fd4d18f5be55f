"""Formgrader shows the rubric below a written answer, and the graded notebook stays as it is."""

import copy

import nbformat
import pytest
from courseware import ROOT, SOLUTIONS, read
from nbconvert.exporters import HTMLExporter

from grader.classroom.course import Course
from grader.classroom.release import course_config
from grader.desk.formgrader.rubric import Rubrics
from grader.notebook import is_written

WRITTEN = [path for path in SOLUTIONS if any(is_written(cell) for cell in read(path).cells)]


@pytest.mark.parametrize(
    "path", [pytest.param(path, id=path.stem, marks=[pytest.mark.more] if i else []) for i, path in enumerate(WRITTEN)]
)
def test_the_rubric_stands_below_the_answer_in_what_is_shown_and_nowhere_else(path):
    part, name = path.parent.name, path.stem
    graded = Course(course_config(ROOT)).released(part)[name]
    before, exporter = copy.deepcopy(graded), HTMLExporter()
    exporter.register_preprocessor(Rubrics(lambda: ROOT), enabled=True)
    html, _ = exporter.from_notebook_node(graded, resources={"assignment_id": part, "notebook_id": name})
    assert html.count("<strong>Rubric") == 1
    assert "A model answer" in html
    assert graded == before
    assert "Rubric" not in nbformat.writes(graded)
    shown, _ = Rubrics(lambda: ROOT)(graded, {"assignment_id": part, "notebook_id": name})
    ((at, cell),) = [(i, cell) for i, cell in enumerate(shown.cells) if "**Rubric" in cell.source]
    assert is_written(shown.cells[at - 1])
    assert "nbgrader" not in cell.metadata


@pytest.mark.parametrize("about", [{}, {"assignment_id": "no-part", "notebook_id": "x"}])
def test_without_a_solution_an_answer_is_shown_as_ever(about):
    notebook = read(WRITTEN[0])
    cells = list(notebook.cells)
    assert Rubrics(lambda: ROOT)(notebook, about)[0].cells == cells
