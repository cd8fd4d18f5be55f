"""A learner's progress, read from saved notebooks: whole, altered, damaged and missing ones."""

import json

import nbformat
import pytest
from courseware import ROOT, check_cells, name_of, read

from grader.errors import CourseError
from grader.progress import progress_picture, read_progress, table

RELEASED = ROOT / "notebooks"
SOFTMAX = RELEASED / "1-context-vectors" / "3-softmax.ipynb"


@pytest.fixture
def work(tmp_path):
    """A learner's folder in which nothing is done."""
    for path in RELEASED.glob("*/*.ipynb"):
        target = tmp_path / path.relative_to(RELEASED)
        target.parent.mkdir(exist_ok=True)
        target.write_bytes(path.read_bytes())
    return tmp_path


def save(work, results, source=SOFTMAX, **changed):
    """Save a notebook whose checks show these results, by exercise."""
    notebook = nbformat.from_dict(json.loads(source.read_text(encoding="utf-8")))
    for cell in check_cells(notebook):
        if cell.id in results:
            data = {"text/plain": results[cell.id]}
            shown = nbformat.v4.new_output("display_data", {"text/plain": f"{cell.id}: some words, 9 of 9 points"})
            result = {"output_type": "execute_result", "data": data, "metadata": {}, "execution_count": 1}
            cell.outputs = [shown, result]
        cell.metadata.nbgrader.update(changed)
    (work / source.relative_to(RELEASED)).write_text(json.dumps(notebook), encoding="utf-8")


def softmax_row(work):
    return next(row for row in read_progress(work) if row.notebook == name_of(SOFTMAX))


def full_marks():
    return {cell.id: float(cell.metadata.nbgrader.points) for cell in check_cells(read(SOFTMAX))}


def test_at_the_beginning_nothing_is_done(work):
    rows = read_progress(work)
    assert [row.notebook for row in rows] == [name_of(path) for path in sorted(RELEASED.glob("*/*.ipynb"))]
    for row in rows:
        assert (row.done, row.points, row.problem) == (0, 0, "")
        assert row.exercises > 0
        assert row.max_points > 0


def test_a_notebook_that_is_not_there_yet_counts_as_not_begun(work):
    (work / SOFTMAX.relative_to(RELEASED)).unlink()
    row = softmax_row(work)
    assert (row.done, row.exercises, row.points, row.problem) == (0, len(full_marks()), 0, "")


def test_done_is_full_marks_and_points_add_up(work):
    save(work, {"softmax": "4.0", "entropy": "2.1"})
    row = softmax_row(work)
    assert (row.done, row.points) == (1, 6.1)
    save(work, {name: str(points) for name, points in full_marks().items()})
    row = softmax_row(work)
    assert (row.done, row.points) == (row.exercises, row.max_points)


def test_an_exercise_earns_what_the_release_says_at_most(work):
    save(work, {"softmax": "1000000.0"}, points=1_000_000)
    row = softmax_row(work)
    assert row.points == 4
    assert row.max_points == sum(full_marks().values())


@pytest.mark.parametrize("shown", ["nan", "inf", "-3.0", "four", "", "[4.0]", ["1", ".5"], None, {"points": 4}])
def test_only_a_number_counts(work, shown):
    save(work, {"softmax": shown})
    assert softmax_row(work).points == (1.5 if shown == ["1", ".5"] else 0)


@pytest.mark.parametrize(
    "content",
    [
        b"",
        b'{"cells": [{"cell_type": "co',
        b"\x00\xff\xfe\x80",
        b"[]",
        b"{}",
        b'{"cells": 3, "metadata": {}, "nbformat": 4, "nbformat_minor": 5}',
        b'{"cells": [7], "metadata": {}, "nbformat": 4, "nbformat_minor": 5}',
        b'{"cells": [{"cell_type": "code"}], "metadata": {}, "nbformat": 4, "nbformat_minor": 5}',
    ],
)
def test_a_damaged_notebook_is_named_with_its_cure_and_the_others_count(work, content):
    save(work, {"softmax": "4.0"})
    (work / SOFTMAX.parent.name / "1-embeddings.ipynb").write_bytes(content)
    rows = {row.notebook: row for row in read_progress(work)}
    damaged = rows["1-context-vectors/1-embeddings"]
    assert damaged.problem == "damaged; a fresh copy: python -m grader reset 1-embeddings"
    assert (damaged.done, damaged.points) == (0, 0)
    assert rows[name_of(SOFTMAX)].points == 4
    line = next(line for line in table(list(rows.values())).split("\n") if "1-embeddings" in line)
    assert line.endswith(damaged.problem)


def test_the_table_adds_up(work):
    save(work, {"softmax": "4.0", "entropy": "2.1"})
    rows = read_progress(work)
    last = table(rows).split("\n")[-1]
    assert f"1 of {sum(row.exercises for row in rows)}" in last
    assert f"6.1 of {sum(row.max_points for row in rows):g}" in last


def test_without_a_release_the_message_says_how_to_make_one(tmp_path):
    with pytest.raises(CourseError, match="python -m grader release"):
        read_progress(tmp_path, tmp_path)


def test_the_picture_reads_the_notebooks_beside_the_one_that_asks(work, monkeypatch):
    save(work, {"softmax": "4.0"})
    monkeypatch.chdir(work / "0-start-here")
    assert f"3-softmax: 1 of {len(full_marks())} exercises, 4 of" in progress_picture().alt
    (work / SOFTMAX.relative_to(RELEASED)).write_text("{", encoding="utf-8")
    assert "3-softmax (damaged): 0 of" in progress_picture().alt
