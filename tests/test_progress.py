"""A learner's progress, read from saved notebooks: whole, altered, damaged and missing ones."""

import json
import re
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import nbformat
import numpy as np
import pytest
from courseware import ROOT, check_cells, name_of, read

from attnlib import mine
from grader import __main__ as commands
from grader import check
from grader.desk.reset import reset
from grader.errors import CourseError
from grader.exercises import BANK, PLACES
from grader.judging import recording
from grader.judging.check import onward
from grader.judging.judge import judge
from grader.progress import MIME, progress_picture, progress_road, read_progress, table

pytestmark = pytest.mark.more

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


# ---- what checks wrote down


def softmax(x):
    powers = np.exp(x - np.max(x, axis=-1, keepdims=True))
    return powers / powers.sum(axis=-1, keepdims=True)


def unstable(x):
    return np.exp(x) / np.exp(x).sum(axis=-1, keepdims=True)


def down_the_columns(x):
    return np.exp(x) / np.exp(x).sum(axis=0)


@pytest.fixture
def at_work(work, monkeypatch):
    """A learner's folder, whose owner works in Part 1."""
    monkeypatch.chdir(work / SOFTMAX.parent.name)
    return work


def test_a_check_counts_at_once_without_saving(at_work):
    check("softmax", softmax)
    assert (softmax_row(at_work).done, softmax_row(at_work).points) == (1, 4)
    check("entropy", down_the_columns)
    assert (softmax_row(at_work).done, softmax_row(at_work).points) == (1, 4)


def test_the_last_check_counts_and_what_was_done_once_is_said_to_be_lost(at_work):
    check("softmax", softmax)
    save(at_work, {"softmax": "4.0"})
    check("softmax", down_the_columns)
    row = softmax_row(at_work)
    assert (row.done, row.points, row.lost) == (0, 0, 1)
    assert "1 lost: done once" in table([row])
    assert "0 of 6 exercises, 1 lost" in progress_picture().alt
    check("softmax", softmax)
    assert (softmax_row(at_work).done, softmax_row(at_work).lost) == (1, 0)


def test_of_what_nobody_wrote_down_the_saved_notebook_tells(at_work):
    save(at_work, {"softmax": "4.0", "entropy": "2.0"})
    check("entropy", down_the_columns)
    assert (softmax_row(at_work).done, softmax_row(at_work).points) == (1, 4)


def test_a_check_that_says_the_same_again_writes_nothing(at_work):
    for _ in range(3):
        check("softmax", unstable)
    assert (at_work / "mine" / recording.FILE).read_text("utf-8").count("softmax") == 1


@pytest.mark.parametrize("execution", ["validate", "autograde"])
def test_grading_and_validate_write_nothing(at_work, monkeypatch, execution):
    monkeypatch.setenv("NBGRADER_EXECUTION", execution)
    check("softmax", softmax)
    assert not (at_work / "mine").exists()


def test_outside_of_a_learners_folder_nothing_is_written(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    check("softmax", softmax)
    assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize(
    "damage",
    [
        "", "\n\n", '{"check": "softmax", "poi', "[1]", "null", '{"check": 3, "points": 4}', "\x00\xff",
        '{"check": "softmax"}', '{"check": "softmax", "points": NaN}', '{"check": "softmax", "points": -3}',
        '{"check": "softmax", "points": true}', '{"library": 3}', "[" * 100_000, '{"check": "nobody", "points": 1}',
    ],
)  # fmt: skip
def test_a_line_that_says_nothing_costs_nothing_but_itself(at_work, damage):
    (at_work / "mine").mkdir()
    line = b'{"check": "softmax", "points": 4}\n'
    (at_work / "mine" / recording.FILE).write_bytes(line + damage.encode("latin-1"))
    recording.record(judge("entropy", np.zeros_like, diagnosing=False))
    points = recording.recorded(at_work / "mine").points
    assert (points["softmax"], points["entropy"]) == (4, 0)


def test_a_last_line_that_was_cut_off_leaves_the_table_as_it_was(at_work):
    check("softmax", softmax)
    with (at_work / "mine" / recording.FILE).open("a", encoding="utf-8") as file:
        file.write('{"check": "softmax", "poi')
    assert (softmax_row(at_work).done, softmax_row(at_work).points) == (1, 4)
    check("softmax", down_the_columns)
    assert (softmax_row(at_work).done, softmax_row(at_work).lost) == (0, 1)


def test_more_points_than_there_are_count_as_full_marks(at_work):
    (at_work / "mine").mkdir()
    (at_work / "mine" / recording.FILE).write_text('{"check": "softmax", "points": 1000000}', encoding="utf-8")
    assert softmax_row(at_work).points == 4


def test_a_verdict_stands_where_nothing_can_be_written(at_work, capsys):
    (at_work / "mine").write_text("in the way", encoding="utf-8")
    assert float(check("softmax", softmax)) == 4
    assert "softmax: correct" in capsys.readouterr().out


def test_two_notebooks_may_write_at_the_same_time(at_work):
    names = [name for name in BANK if BANK[name].points]
    with ThreadPoolExecutor(8) as pool:
        list(pool.map(lambda name: recording._add(at_work / "mine", {"check": name, "points": 1.0}), names))
    assert recording.recorded(at_work / "mine").points == dict.fromkeys(names, 1.0)


def test_a_reset_without_the_answers_begins_anew_and_one_with_them_does_not(at_work):
    check("softmax", softmax)
    save(at_work, {"softmax": "4.0"})
    reset("3-softmax", at_work)
    assert softmax_row(at_work).done == 1
    reset("3-softmax", at_work, empty=True)
    assert (softmax_row(at_work).done, softmax_row(at_work).lost) == (0, 1)


def test_a_verdict_says_where_one_is_on_the_road_and_what_comes_next(at_work, capsys):
    check("softmax", down_the_columns)
    assert "of this notebook" not in capsys.readouterr().out
    check("softmax", softmax)
    assert "1 of 6 exercises of this notebook done. The road: ../0-start-here/" in capsys.readouterr().out
    for name in full_marks():
        recording._add(at_work / "mine", {"check": name, "points": BANK[name].points})
    page = check("softmax", softmax).verdict._repr_html_()
    assert "All 6 exercises of this notebook done." in page
    (target,) = re.findall('href="(.*?)"', page)
    assert (RELEASED / SOFTMAX.parent.name / target).resolve() == RELEASED / "1-context-vectors/4-context-vectors.ipynb"


def test_after_the_last_exercise_of_the_course_the_whole_road_is_shown(at_work):
    last = list(BANK)[-1]
    for name, place in PLACES.items():
        if place == PLACES[last]:
            recording._add(at_work / "mine", {"check": name, "points": BANK[name].points})
    words, link, target = onward(last, recording.recorded(at_work / "mine"))
    assert words.startswith("All")
    assert link == "The whole road"
    assert (RELEASED / "0-start-here" / target.partition("#")[0]).resolve() in RELEASED.glob("*/*.ipynb")


# ---- the pictures


def anchors(picture):
    """The links over a picture: where they lead, with what they say."""
    return re.findall(r'<a href="([^"]+)" title="([^"]+)"', picture._repr_mimebundle_()["text/html"])


@pytest.mark.parametrize("make", [progress_picture, lambda: progress_road("0-start-here/start-here")])
def test_every_notebook_can_be_opened_from_the_pictures_of_progress(at_work, make):
    targets = [target for target, _ in anchors(make())]
    here = at_work / SOFTMAX.parent.name
    assert [(here / target).resolve() for target in targets] == sorted(at_work.resolve().glob("*/*.ipynb"))


def test_the_badges_of_the_road_count_what_is_done(at_work):
    check("softmax", softmax)
    road = progress_road("0-start-here/start-here")
    assert "open 1-context-vectors/3-softmax, 1 of 6 exercises done" in [words for _, words in anchors(road)]
    assert ">1/6</span>" in road._repr_mimebundle_()["text/html"]


def test_what_jupyterlab_gets_says_where_the_learners_file_is_and_what_each_exercise_is_worth(at_work):
    check("softmax", softmax)
    data = progress_picture()._repr_mimebundle_()[MIME]
    assert json.loads(json.dumps(data)) == json.loads(json.dumps(progress_picture().data))
    file = Path(data["folder"], data["file"])
    assert json.loads(file.read_text("utf-8").splitlines()[-1]) == {"check": "softmax", "points": 4.0}
    row = next(one for one in data["notebooks"] if one["name"] == name_of(SOFTMAX))
    assert row["worth"] == full_marks()
    assert row["points"]["softmax"] == 4
    assert data["library"] == [(0, "softmax", "mine")]


def test_the_library_is_written_down_when_it_changes(at_work):
    check("softmax", softmax)
    commands.main(["mine", "--off", "softmax"])
    said = [json.loads(line) for line in (at_work / "mine" / recording.FILE).read_text("utf-8").splitlines()]
    assert [one["library"] for one in said if "library" in one] == [[[0, "softmax", "mine"]], [[0, "softmax", "off"]]]
    assert mine.kept(at_work / "mine")["softmax"].on is False
