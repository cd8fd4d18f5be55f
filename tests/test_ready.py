"""`python -m grader ready`: what a learner is told before handing in is what the class's grading will say."""

import copy

import nbformat
import pytest
from courseware import ROOT, read

import grader.__main__ as commands
from grader.desk import ready
from grader.notebook import is_answer

pytestmark = pytest.mark.grading
PART = "1-context-vectors"


@pytest.fixture
def folder(tmp_path):
    """Give a solved part, whose checks have shown full points."""
    for path in (ROOT / "solutions" / PART).glob("*.ipynb"):
        notebook = read(path)
        for cell in notebook.cells:
            about = cell.metadata.get("nbgrader", {})
            if about.get("grade") and cell.cell_type == "code":
                cell.outputs = [nbformat.v4.new_output("execute_result", {"text/plain": f"{about['points']}.0"})]
        nbformat.write(notebook, tmp_path / path.name)
    return tmp_path


def changed(folder, name, **sources):
    notebook = copy.deepcopy(read(folder / f"{name}.ipynb"))
    for cell in notebook.cells:
        if is_answer(cell) and cell.id.removesuffix("-answer") in sources:
            cell.source = sources[cell.id.removesuffix("-answer")]
    nbformat.write(notebook, folder / f"{name}.ipynb")


def test_a_solved_part_loses_nothing(folder, require, capsys):
    require("bwrap")
    assert commands.main(["ready", "1", "--folder", str(folder)]) == 0
    said = capsys.readouterr().out
    assert "3-softmax: 16 of 16 points" in said
    assert "nothing is written" not in said
    assert "Nothing that a check showed is lost." in said


def test_what_would_be_lost_is_told_with_its_reason(folder, require, capsys):
    require("bwrap")
    before = {path: path.read_bytes() for path in folder.iterdir()}
    changed(folder, "3-softmax", softmax="import no_such_package\n\nsoftmax = max([abs])", entropy="# later")
    changed(folder, "4-context-vectors", **{"explain-context": "*Your answer here.*"})
    (folder / "1-embeddings.ipynb").write_bytes(b"%PDF-1.7")
    (folder / "2-scores.ipynb").unlink()
    now = {path: path.read_bytes() for path in folder.iterdir()}
    assert commands.main(["ready", "1", "--folder", str(folder)]) == 1
    said = " ".join(capsys.readouterr().out.split())
    assert "softmax: 0 of 4, and your check showed 4; the cell of your answer runs" in said
    assert "ModuleNotFoundError: No module named 'no_such_package'" in said
    assert "entropy: 0 of 3, and your check showed 3; " in said
    assert "explain-context: nothing is written; a person gives up to 4 points here" in said
    assert "1-embeddings: 0 of 19 points" in said
    assert "2-scores: 0 of 20 points the notebook was not handed in" in said
    assert "would be lost." in said
    assert now == {path: path.read_bytes() for path in folder.iterdir()}, "nothing is written"
    assert now != before


def test_without_a_sandbox_it_says_so_and_grades_all_the_same(folder, monkeypatch, capsys):
    from grader.classroom.sandbox import bubblewrap

    for name in ("1-embeddings", "2-scores", "4-context-vectors"):
        (folder / f"{name}.ipynb").unlink()
    monkeypatch.setattr(bubblewrap.shutil, "which", lambda name: None)
    assert ready.ready("context", folder) == 0
    said = capsys.readouterr()
    assert "Without the sandbox that a class is graded in" in said.err
    assert "--no-sandbox" not in said.err
    assert "3-softmax: 16 of 16 points" in said.out


def test_a_folder_without_a_notebook_of_the_part_is_told(tmp_path, capsys):
    (tmp_path / "2-three-views.ipynb").write_text("{}")
    assert commands.main(["ready", "1", "--folder", str(tmp_path)]) == 2
    assert "holds no notebook of 1-context-vectors" in capsys.readouterr().err


def test_a_folder_that_is_not_there_is_named(tmp_path, capsys):
    assert commands.main(["ready", "1", "--folder", str(tmp_path / "none")]) == 2
    assert "name what you will hand in with --folder" in capsys.readouterr().err
