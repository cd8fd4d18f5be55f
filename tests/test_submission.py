"""What a submission's notebooks earn, one step at a time: reading, settling and putting together, without a sandbox."""

import datetime
import os

import nbformat
import pytest

from grader.classroom.marking import submission
from grader.classroom.marking.submission import (
    CellMarks,
    Piece,
    Plan,
    assemble,
    fail_notebooks,
    grade_notebook,
    prepare,
    read_timestamp,
    settle,
    submission_digest,
    written_points,
)
from grader.classroom.records import Unnamed
from grader.classroom.repair import Found
from grader.errors import CourseError, DiskFull
from grader.judging.verdict import State, Verdict


def cell(name, source="", **marks):
    usual = {"grade": False, "solution": False, "locked": False, "task": False, "schema_version": 3}
    metadata = {"nbgrader": usual | {"grade_id": name} | marks}
    return {"cell_type": "code", "source": source, "metadata": metadata, "outputs": [], "execution_count": None}


def released():
    cells = [
        cell("softmax-answer", "def softmax(): ...", solution=True),
        cell("softmax", "check()", grade=True, locked=True, points=3),
        cell("essay", "Your answer", grade=True, solution=True, points=2) | {"cell_type": "markdown"},
    ]
    return nbformat.from_dict({"cells": cells, "metadata": {}, "nbformat": 4, "nbformat_minor": 5})


@pytest.fixture
def plan():
    """Return the plan of a part of two notebooks."""
    return Plan("1-part", {"a": released(), "b": released()}, {"softmax": "1"}, False, "version")


def settled(verdict=None, unjudged=None, status="graded", why="", answers=()):
    notebook = released()
    for place, text in answers:
        notebook.cells[place].source = text
    verdicts = {"softmax": verdict} if verdict else {}
    (exercise,), marks = settle(notebook, released(), verdicts, unjudged, status, why)
    return exercise, marks, notebook


def test_an_answer_that_nobody_wrote_gets_no_response_and_an_essay_waits_for_a_person():
    _, marks, _ = settled()
    assert marks == CellMarks(
        {"essay": 0.0, "softmax": 0.0}, {"softmax-answer": "No response.", "essay": "No response."}
    )
    _, marks, _ = settled(answers=[(0, "def softmax(): 1"), (2, "An essay")])
    assert marks == CellMarks({"essay": None, "softmax": 0.0}, {"softmax-answer": None, "essay": None})


@pytest.mark.parametrize(("points", "counts"), [(0.0, True), (3.0, True), (1.5, True), (3.01, False), (-0.01, False)])
def test_a_verdict_counts_from_nothing_to_full_marks(points, counts):
    exercise, marks, notebook = settled(Verdict("softmax", points, 3.0, ()))
    assert marks.scores["softmax"] == exercise.points == (points if counts else 0.0)
    assert (exercise.reason == "") == counts
    assert notebook.cells[1].outputs[1].data["text/plain"] == str(exercise.points)


def test_what_failed_without_a_name_goes_into_the_record_of_its_exercise():
    nameless, verdicts = Unnamed("0", "x = 1"), {"softmax": Verdict("softmax", 1.0, 3.0, ())}
    (exercise,), _ = settle(released(), released(), verdicts, unnamed={"softmax": nameless, "other": None})
    assert exercise.unnamed == nameless
    (exercise,), _ = settle(released(), released(), verdicts)
    assert exercise.unnamed is None


def test_without_a_verdict_the_closest_reason_is_given_and_a_fault_of_ours_is_told_to_the_instructor_alone():
    assert settled()[0].reason == "the check gave no result"
    assert settled(why="the notebook")[0].reason == "the notebook"
    assert settled(unjudged={"softmax": "the exercise"}, why="the notebook")[0].reason == "the exercise"
    exercise, _, notebook = settled(status="failed", why="a secret")
    assert (exercise.reason, exercise.state) == ("a secret", State.NO_VERDICT)
    shown = notebook.cells[1].outputs[0].data["text/plain"]
    assert "grading failed; your instructor can see why" in shown
    assert "secret" not in shown
    assert "the notebook" in settled(status="missing", why="the notebook")[2].cells[1].outputs[0].data["text/plain"]


def test_only_what_a_person_marks_is_written():
    assert written_points(released()) == 2.0


@pytest.mark.parametrize(
    ("content", "note"),
    [
        (b"2030-01-02 03:04:05 UTC\n", ""),
        (b"2030-01-02 03:04:05 UTC".ljust(200), ""),
        (b"2030-01-02 03:04:05 UTC".ljust(201), "it is no short text file"),
        (b"", "it does not say a time"),
        (b"yesterday", "it does not say a time"),
        (b"\xff", "it does not say a time"),
    ],
)
def test_a_time_is_read_from_a_short_file_that_says_one(tmp_path, content, note):
    (tmp_path / "timestamp.txt").write_bytes(content)
    time, text, said = read_timestamp(tmp_path)
    if note:
        assert (time, text, said) == (None, None, f"timestamp.txt was ignored: {note}")
    else:
        assert (time, text, said) == (datetime.datetime(2030, 1, 2, 3, 4, 5), content, "")


def test_without_a_file_there_is_no_time_and_nothing_to_say(tmp_path):
    assert read_timestamp(tmp_path) == read_timestamp(tmp_path / "none") == (None, None, "")


def test_a_fault_of_the_machinery_is_told_in_one_short_line(plan):
    piece = fail_notebooks(plan, ["a"], ValueError("x" * 300 + "\nmore"))
    record = piece.notebooks["a"].record
    assert record.failures == ("grading failed: ValueError: " + "x" * 200,)
    assert (record.status, record.stopped, record.repairs, record.file) == ("failed", False, (), "")
    assert "ValueError: xxx" in piece.trouble
    unread = submission.grade_notebooks(plan, None, ["a"], None)
    assert unread.notebooks["a"].record.status == "failed"
    assert (unread.digest, unread.found_in) == ("", 0.0)
    assert fail_notebooks(plan, ["a"], KeyError()).notebooks["a"].record.failures == ("grading failed: KeyError",)


def piece_of(plan, name, digest="d", status="missing", **parts):
    prepared = submission.Prepared(status, released(), why="why", seconds=0.25)
    return Piece({name: grade_notebook(name, prepared, plan)}, digest, **parts)


def test_pieces_are_put_together_in_the_order_of_the_part_and_the_last_one_says_when(plan):
    time = datetime.datetime(2030, 1, 2)
    last = piece_of(plan, "a", notes=("n",), timestamp=time, stamp=b"2030", found_in=0.5, trouble="two")
    graded = assemble(plan, "ada", [piece_of(plan, "b", trouble="one", found_in=0.5), last])
    assert list(graded.record.notebooks) == ["a", "b"]
    assert sorted(graded.files) == ["a.ipynb", "b.ipynb", "timestamp.txt"]
    assert (graded.timestamp, graded.trouble, graded.record.notes) == (time, "one\ntwo", ("n",))
    assert (graded.record.digest, graded.record.written_points, graded.record.seconds["repair"]) == ("d", 4.0, 1.5)


def test_what_failed_or_changed_meanwhile_is_graded_again(plan):
    for other in (piece_of(plan, "b", "other"), piece_of(plan, "b", status="failed")):
        graded = assemble(plan, "ada", [piece_of(plan, "a"), other])
        assert graded.record.digest == ""
        assert "timestamp.txt" not in graded.files


def test_a_notebook_that_is_not_there_or_cannot_be_read_says_so(tmp_path, monkeypatch):
    found = Found({"x": tmp_path / "x.ipynb"}, ())
    missing = prepare(released(), "y", found)
    assert (missing.status, missing.why) == ("missing", "the notebook was not handed in")
    unreadable = prepare(released(), "x", found)
    assert (unreadable.status, unreadable.file) == ("unreadable", "x.ipynb")
    assert unreadable.why == "x.ipynb: No such file or directory"
    (tmp_path / "x.ipynb").write_bytes(b"nothing")
    assert prepare(released(), "x", found).status == "unreadable"
    monkeypatch.setattr(submission, "read_regular", lambda path: 1 / 0)
    failed = prepare(released(), "x", found)
    assert (failed.status, failed.file) == ("failed", "x.ipynb")
    assert failed.why == "grading failed: ZeroDivisionError: division by zero"
    assert "Traceback" in failed.trouble


def raising(problem):
    def fail(*args):
        raise problem

    return fail


def test_a_full_disk_and_a_fault_for_everybody_are_raised_and_any_other_costs_one_notebook(plan, tmp_path, monkeypatch):
    ready = submission.Prepared("graded", released(), "a.ipynb")
    for problem, kind in ((OSError(28, "full"), DiskFull), (CourseError("no sandbox"), CourseError)):
        with pytest.raises(kind):
            grade_notebook("a", ready, plan, raising(problem))
    record = grade_notebook("a", ready, plan, raising(ValueError("no"))).record
    assert (record.status, record.failures) == ("failed", ("grading failed: ValueError: no",))
    monkeypatch.setattr(submission, "read_regular", raising(OSError(28, "full")))
    with pytest.raises(DiskFull):
        prepare(released(), "x", Found({"x": tmp_path}, ()))


def test_a_digest_changes_with_all_that_grades_depend_on_and_with_nothing_else(plan, tmp_path, monkeypatch):
    monkeypatch.setattr(submission, "LARGEST_OTHER", 4)
    monkeypatch.setattr(submission, "LARGEST_NOTEBOOK", 8)
    deep = tmp_path / "1" / "2"
    deep.mkdir(parents=True)
    files = [tmp_path / "a.ipynb", tmp_path / "a.txt", deep / "b.txt", tmp_path / "large.txt"]
    for path, text in zip(files, ["12345678", "1234", "1", "12345"], strict=True):
        path.write_text(text)
    first = submission_digest(plan, tmp_path)
    for path in files:
        about, text = path.stat(), path.read_text()
        path.write_text(text[::-1] if len(text) > 1 else "2")
        os.utime(path, ns=(about.st_atime_ns, about.st_mtime_ns))
        # Of a large file its size and time stand for what it says.
        assert (submission_digest(plan, tmp_path) == first) == (path.name == "large.txt")
        path.write_text(text)
        os.utime(path, ns=(about.st_atime_ns, about.st_mtime_ns))
    assert submission_digest(plan, tmp_path) == first
    (deep / "3").mkdir()
    with_folder = submission_digest(plan, tmp_path)
    (deep / "3" / "too deep").write_text("1")
    assert submission_digest(plan, tmp_path) == with_folder != first
    (tmp_path / "link").symlink_to("a")
    linked = submission_digest(plan, tmp_path)
    (tmp_path / "link").unlink()
    (tmp_path / "link").symlink_to("b")
    assert submission_digest(plan, tmp_path) != linked
    assert submission_digest(Plan("1-part", {}, {}, False, "another"), tmp_path) != submission_digest(plan, tmp_path)
