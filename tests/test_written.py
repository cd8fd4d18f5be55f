"""Written questions: who sees a model answer, and when."""

import json
import os

import nbformat
import pytest
from courseware import RELEASED, ROOT, SOLUTIONS, execute, read, text_of

import grader
from grader.classroom.release import release
from grader.classroom.repair.rebuild import repair
from grader.classroom.sandbox.inside import stub
from grader.desk.lab import copy_notebooks, home_copy
from grader.desk.reset import reset
from grader.exercises.model_answers import MODEL_ANSWERS
from grader.judging import written
from grader.notebook import as_json, is_written, with_model_answers

WRITTEN = {cell.id: path for path in SOLUTIONS for cell in read(path).cells if is_written(cell)}
HEADS = "3-multi-head/5-multi-head.ipynb"
NAME = "explain-heads-model-answer"


def test_each_written_question_has_its_model_answer_and_the_solution_says_the_same():
    assert list(MODEL_ANSWERS) == list(WRITTEN)
    for name, path in WRITTEN.items():
        (cell,) = [cell for cell in read(path).cells if cell.id == name]
        answer, _, rubric = cell.source.partition("**Rubric")
        assert answer.removeprefix("**A model answer.**").split() == MODEL_ANSWERS[name].split()
        assert "points" in rubric
        assert "Rubric" not in MODEL_ANSWERS[name]


def shows(path):
    """The cells of a notebook that show a model answer, each with the one above it."""
    cells = nbformat.read(path, 4).cells
    return [(cells[i - 1].id, cell) for i, cell in enumerate(cells) if "model_answer" in cell.source]


def test_a_class_has_model_answers_only_if_it_was_released_with_them(tmp_path):
    release(ROOT, tmp_path / "without")
    release(ROOT, tmp_path / "with", model_answers=True)
    for path in RELEASED:
        place = path.relative_to(ROOT / "notebooks")
        questions = [name for name, source in WRITTEN.items() if source.name == path.name]
        assert shows(path) == shows(tmp_path / "without" / place) == []
        assert [above for above, _ in shows(tmp_path / "with" / place)] == questions
        text = (tmp_path / "with" / place).read_text("utf-8")
        assert not any(line in text for name in questions for line in MODEL_ANSWERS[name].split("\n") if len(line) > 60)


def test_at_home_the_cell_is_below_the_question_and_all_else_is_as_released(tmp_path):
    copy_notebooks(work=tmp_path)
    for path in RELEASED:
        place = path.relative_to(ROOT / "notebooks")
        mine = nbformat.read(tmp_path / place, 4)
        nbformat.validate(mine)
        found = shows(tmp_path / place)
        assert [above for above, _ in found] == [name for name, one in WRITTEN.items() if one.name == path.name]
        mine.cells = [cell for cell in mine.cells if "model_answer" not in cell.source]
        assert as_json(mine) == path.read_text("utf-8")
    assert reset("5-multi-head", tmp_path)[1] is None, "it is as it was handed out"
    (tmp_path / HEADS).write_text("{}")
    reset("5-multi-head", tmp_path)
    assert [above for above, _ in shows(tmp_path / HEADS)] == ["explain-heads"]


def test_without_the_solutions_it_is_a_class(tmp_path):
    source = ROOT / "notebooks" / HEADS
    assert home_copy(source, tmp_path / "solutions") == source.read_bytes() != home_copy(source)
    odd = tmp_path / "odd.ipynb"
    for data in (b"no notebook", b"[]", b'{"cells": [3]}'):
        odd.write_bytes(data)
        assert home_copy(odd) == data


def test_a_question_gets_one_such_cell():
    notebook = read(ROOT / "notebooks" / HEADS)
    assert (with_model_answers(notebook), with_model_answers(notebook)) == (1, 0)
    assert [cell.id for cell in notebook.cells].count(NAME) == 1


# ---- what the cell says


def saved(folder, text, name="a.ipynb"):
    """A notebook with an answer to a question, saved where the kernel works."""
    notebook = read(ROOT / "notebooks" / HEADS)
    (cell,) = [cell for cell in notebook.cells if cell.id == "explain-heads"]
    cell.source = text
    nbformat.write(notebook, folder / name)
    return folder / name


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("*Your answer here.*", 0),
        ("", 0),
        ("two don't, 12 – x_3\n\n*Your answer here.*", 3),
        ("word " * 39, 39),
        ("Wörter " * 40, 40),
    ],
    ids=range(5),
)
def test_a_model_answer_is_shown_after_forty_words(text, words, tmp_path, monkeypatch, capsys):
    monkeypatch.chdir(tmp_path)
    saved(tmp_path, text)
    assert written.own_words("explain-heads") == words
    grader.model_answer("explain-heads")
    said = capsys.readouterr().out
    assert ("A reshape moves no numbers" in said) == (words >= 40)
    assert ("Your own answer first: the saved notebook has" in said) == (words < 40)
    assert ("nothing yet" in said) == (words == 0)
    assert (f"{words} words so far" in said) == (0 < words < 40)


def test_the_notebook_of_the_kernel_comes_first_and_then_the_one_saved_last(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    assert written.own_words("explain-heads") is None
    (tmp_path / "damaged.ipynb").write_text("{")
    new, old = saved(tmp_path, "one two"), saved(tmp_path, "one", "b.ipynb")
    os.utime(old, (0, 0))
    assert written.own_words("explain-heads") == 2
    assert written.own_words("three-views") is None
    monkeypatch.setenv("JPY_SESSION_NAME", str(old))
    assert written.own_words("explain-heads") == 1
    assert new.exists()


def test_an_answer_is_known_without_what_nbgrader_wrote(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    path = saved(tmp_path, "one two three")
    notebook = json.loads(path.read_text("utf-8"))
    for cell in notebook["cells"]:
        cell["metadata"] = {}
    path.write_text(json.dumps(notebook), encoding="utf-8")
    assert written.own_words("explain-heads") == 3


def test_where_there_is_nothing_to_read_the_words_say_so(tmp_path, monkeypatch, capsys):
    monkeypatch.chdir(tmp_path)
    grader.model_answer("explain-heads")
    assert "file was not found" in capsys.readouterr().out
    with pytest.raises(KeyError, match="no written question 'explain-head'; there are: explain-heads"):
        grader.model_answer("explain-head")


@pytest.mark.execution
def test_in_a_notebook_a_model_answer_is_set_as_text(tmp_path):
    notebook = nbformat.read(saved(tmp_path, "word " * 40), 4)
    with_model_answers(notebook)
    notebook.cells = [cell for cell in notebook.cells if cell.id == NAME]
    (cell,) = execute(notebook, tmp_path).cells
    assert "A reshape moves no numbers" in cell.outputs[0].data["text/markdown"]
    assert text_of(cell).count("Markdown object") == 1


def test_while_a_class_is_graded_there_is_none_and_the_cell_does_no_harm(capsys):
    assert set(grader.__all__) <= set(vars(stub))
    stub.model_answer("explain-heads")
    assert capsys.readouterr().out == "explain-heads: a model answer is shown in your own notebook only.\n"
    handed_in = home_copy(ROOT / "notebooks" / HEADS)
    repaired = repair(handed_in, read(ROOT / "notebooks" / HEADS))
    assert repaired.repairs == ()
