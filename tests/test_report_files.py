"""The report's files: the page and the marks as CSV, and the records that they are made from."""

import json
import os
import random
from dataclasses import asdict, replace

import pytest
from reported import (
    LAYOUT,
    PART,
    TOTAL,
    WRITTEN,
    class_of,
    class_of_eight,
    course_in,
    hostile_class,
    in_words,
    record,
    rows_of,
)

from grader.classroom.records import (
    ExerciseRecord,
    NotebookRecord,
    Record,
    Unnamed,
    read_record,
    read_records,
    write_record,
)
from grader.classroom.report import write_report
from grader.errors import CourseError
from grader.judging.verdict import Advice, State, Verdict


@pytest.fixture
def course(tmp_path):
    """Return a course of the test's own."""
    return course_in(tmp_path)


def test_the_same_records_give_the_same_bytes_in_whatever_order(course):
    records = [*class_of(20), *hostile_class()]
    first = [path.read_bytes() for path in write_report(course, PART, records, {"student-003": 2.0})]
    random.Random(1).shuffle(records)
    again = [path.read_bytes() for path in write_report(course, PART, records, {"student-003": 2.0})]
    assert first == again


def test_a_report_replaces_an_earlier_one_and_leaves_nothing_beside_it(course):
    for records in (class_of(3), class_of(2)):
        page, table = write_report(course, PART, records)
        assert sorted(page.parent.iterdir()) == [table, page]
    assert (page, table) == (course.report(PART), course.report(PART).with_suffix(".csv"))
    assert "student-002" not in page.read_text("utf-8")


def test_a_full_disk_leaves_the_earlier_report_and_says_what_to_do(course, monkeypatch):
    page, table = write_report(course, PART, [record("ada")])
    before = page.read_bytes(), table.read_bytes()

    def full(fresh, path):
        raise OSError(28, "No space left on device", str(path))

    monkeypatch.setattr(os, "replace", full)
    with pytest.raises(CourseError, match="cannot be written: No space left on device; free some space"):
        write_report(course, PART, [record("ben")])
    assert (page.read_bytes(), table.read_bytes()) == before
    assert sorted(page.parent.iterdir()) == [table, page]


def test_the_csv_has_each_students_points_and_total(course):
    rows = rows_of(write_report(course, PART, class_of_eight(), {"ben": 3.5, "nobody": 1.0})[1])
    heads = [*LAYOUT, "automatic total", "automatic full marks", "by hand", "by hand full marks", "total", "full marks"]
    heads.append("total lacks")
    assert rows[0] == ["student", *heads]
    by_student = {row[0]: dict(zip(heads, row[1:], strict=True)) for row in rows[1:]}
    assert list(by_student) == ["ada", "ben", "chen", "dora", "emil", "fay", "gus", "hana"]
    assert by_student["ada"]["total"] == in_words(TOTAL)
    assert by_student["ada"]["by hand"] == ""
    # Whoever reads the total alone takes it for the last word.
    assert by_student["ada"]["total lacks"] == f"written answers ({in_words(WRITTEN)} points)"
    assert by_student["ben"]["total lacks"] == ""
    full = tuple(map(in_words, (TOTAL, WRITTEN, TOTAL + WRITTEN)))
    for one in class_of_eight():
        row = by_student[one.student]
        assert float(row["automatic total"]) == one.points == sum(float(row[name]) for name in LAYOUT)
        assert (row["automatic full marks"], row["by hand full marks"], row["full marks"]) == full
    assert float(by_student["ben"]["total"]) == float(by_student["ben"]["automatic total"]) + 3.5


@pytest.mark.parametrize("name", ["=1+1", "+1", "-1", "@SUM(A1)", "  =1", "\t=1", "＝1", '="a"'])
def test_an_id_that_looks_like_a_formula_is_text_in_the_csv(course, name):
    ((written, *_),) = rows_of(write_report(course, PART, [record(name)])[1])[1:]
    assert written.startswith("'") or not written.lstrip().startswith(("=", "+", "-", "@", "＝"))
    assert written.lstrip("'").replace("⟨U+0009⟩", "\t") == name


def test_an_id_can_neither_add_a_line_nor_a_column_to_the_csv(course):
    names = ["a,b", "a;=1", 'quo"te', "line\r\nbreak", "null\x00", "half \udc80"]
    path = write_report(course, PART, [record(name) for name in names])[1]
    assert len(path.read_bytes().decode("utf-8-sig").split("\r\n")) == len(names) + 2
    rows = rows_of(path)
    assert {len(row) for row in rows} == {len(rows[0])}
    assert {"a,b", "a;=1", 'quo"te'} < {row[0] for row in rows}


# ---- reading the records


def put(course, student, content):
    path = course.record(PART, student)
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(content if isinstance(content, str) else json.dumps(content), encoding="utf-8")


def as_stored(student, where=(), **changes):
    """A record as its file has it, with changes in its middle."""
    stored = json.loads(json.dumps(asdict(record(student))))
    middle = stored
    for step in where:
        middle = middle[step]
    middle |= changes
    return stored


def test_records_are_read_as_they_were_written(course, capsys):
    records = [record("ada"), record("o'brien.jr")]
    scores = records[0].notebooks["2-scores"]
    nameless = replace(scores.exercises[0], unnamed=Unnamed("0" * 64, "def f(x):\n    return '\udc80'"))
    records[0].notebooks["2-scores"] = replace(scores, exercises=(nameless, *scores.exercises[1:]))
    for one in records:
        write_record(course, one)
    assert read_records(course, PART) == records
    assert read_record(course, PART, "nobody") is None
    assert capsys.readouterr().err == ""
    assert read_records(course, "2-three-views") == []


def without(key):
    stored = as_stored("bad")
    del stored[key]
    return stored


@pytest.mark.parametrize(
    ("content", "flaw"),
    [
        ("", "Expecting value"),
        ('{"student": "bad"', "Expecting ',' delimiter"),
        ("[" * 100_000, "recursion"),
        ([], "it is no table"),
        (without("notebooks"), "it lacks notebooks"),
        (as_stored("bad", written_points=float("nan")), "written_points is 'nan'"),
        (as_stored("bad", written_points=True), "written_points is 'True'"),
        (as_stored("bad", notes="none"), "notes is no list"),
        (as_stored("bad", notebooks=[]), "notebooks is no table"),
        (as_stored("bad", ("notebooks", "2-scores"), repairs=[1]), "an entry of repairs is '1'"),
        (as_stored("bad", ("notebooks", "2-scores"), status="lost"), "status is 'lost'"),
        (as_stored("bad", ("notebooks", "2-scores", "exercises", 0), state="fine"), "state is 'fine'"),
        (as_stored("bad", ("notebooks", "2-scores", "exercises", 0), mistakes={"a": 1}), "a is '1'"),
        (as_stored("bad", ("notebooks", "2-scores", "exercises", 0), unnamed="x"), "unnamed is no table"),
        (as_stored("bad", ("notebooks", "2-scores", "exercises", 0), unnamed={"outputs": "x"}), "unnamed lacks source"),
        (
            as_stored("bad", ("notebooks", "2-scores", "exercises", 0), unnamed={"outputs": 1, "source": ""}),
            "outputs is '1'",
        ),
        (as_stored("somebody else"), "another student"),
        (as_stored("bad", part="2-three-views"), "another student or part"),
    ],
)
def test_a_damaged_record_is_left_out_and_told(course, capsys, content, flaw):
    write_record(course, record("ada"))
    put(course, "bad", content)
    assert [one.student for one in read_records(course, PART)] == ["ada"]
    said = capsys.readouterr().err
    assert str(course.record(PART, "bad")) in said
    assert flaw in said
    assert "grade that submission again" in said


def test_what_is_wrong_with_a_record_is_said_briefly(course, capsys):
    for content, flaw in (
        (as_stored("bad", notes=["x" * 500, "y" * 500]) | {"sandboxed": "z" * 500}, f"(sandboxed is {'z' * 40!r})"),
        (as_stored("bad", seconds={"s" * 500: "none"}), f"({'s' * 40} is 'none')"),
        (as_stored("bad", notebooks={"2-scores": []}), "(2-scores is no table)"),
        (as_stored("bad", seconds=[]), "(seconds is no table)"),
        ({}, f"({'it lacks ' + ', '.join(list(asdict(record('bad')))[:-2])})"),
    ):
        put(course, "bad", content)
        assert read_record(course, PART, "bad") is None
        said = capsys.readouterr().err
        assert flaw[:101] in said
        assert len(said) < len(str(course.record(PART, "bad"))) + 200


@pytest.mark.parametrize("number", [2, 2.5, "inf", True])
def test_a_number_of_a_record_may_be_whole_but_has_to_be_one(course, number):
    put(course, "one", json.dumps(as_stored("one") | {"written_points": number}).replace('"inf"', "Infinity"))
    read = read_record(course, PART, "one")
    fine = number in (2, 2.5) and number is not True
    assert (read is not None) == fine
    if fine:
        assert read.written_points == number
        assert isinstance(read.written_points, float)


def test_what_is_read_is_as_it_was_in_kind_too(course):
    write_record(course, record("ada"))
    (notebook, *_) = read_record(course, PART, "ada").notebooks.values()
    assert isinstance(notebook, NotebookRecord)
    assert type(notebook.exercises[0].state) is State


def test_a_record_that_cannot_be_opened_is_left_out(course, capsys):
    course.record(PART, "bad").mkdir(parents=True)
    assert read_record(course, PART, "bad") is None
    assert "is damaged" in capsys.readouterr().err


# ---- what a record says


def exercise(state=State.CORRECT, points=1.0):
    return ExerciseRecord("softmax", points, 3.0, state, {}, "")


def notebook(*exercises, status="graded", repairs=(), failures=(), stopped=False):
    return NotebookRecord(status, "a.ipynb", repairs, failures, stopped, exercises)


def submission(*notebooks, notes=()):
    return Record("ada", PART, "", True, 0.0, notes, {}, {str(i): one for i, one in enumerate(notebooks)})


def test_points_are_added_up_to_the_hundredth():
    one = notebook(exercise(points=0.1), exercise(points=0.2))
    assert (one.points, one.max_points) == (0.3, 6.0)
    assert (submission(one, one).points, submission(one, one).max_points) == (0.6, 12.0)
    assert notebook(exercise(points=1 / 3)).points == 0.33


@pytest.mark.parametrize("state", State)
def test_an_exercise_is_unjudged_where_something_was_handed_in_that_nobody_could_judge(state):
    unjudged = state in (State.NO_VERDICT, State.NOT_READABLE)
    assert exercise(state).unjudged == unjudged
    assert submission(notebook(exercise()), notebook(exercise(), exercise(state))).troubled == unjudged


def test_a_submission_is_what_one_of_its_notebooks_is():
    plain = notebook(exercise())
    one = submission(plain, notebook(status="missing"))
    assert (one.stopped, one.repaired, one.troubled) == (False, False, False)
    assert submission(plain, notebook(stopped=True)).stopped
    assert submission(plain, notebook(repairs=("a",))).repaired
    assert submission(plain, notes=("a",)).repaired
    assert submission(plain, notebook(failures=("a",))).troubled
    for status in ("unreadable", "failed"):
        assert submission(plain, notebook(status=status)).troubled


@pytest.mark.parametrize(
    ("status", "state"),
    [
        ("missing", State.NOT_HANDED_IN),
        ("unreadable", State.NOT_READABLE),
        ("failed", State.NO_VERDICT),
        ("graded", State.NO_VERDICT),
    ],
)
def test_without_a_verdict_nothing_is_earned(status, state):
    one = ExerciseRecord.without_verdict("softmax", 3.0, status, "why")
    assert one == ExerciseRecord("softmax", 0.0, 3.0, state, {}, "why")


def test_a_verdicts_mistakes_are_kept_with_what_they_look_like():
    advice = (Advice("a looks", "", ""), Advice("b looks", "", ""))
    one = ExerciseRecord.of(Verdict("softmax", 1, 3.0, (), ("a", "b"), advice), 3.0)
    assert one == ExerciseRecord("softmax", 1.0, 3.0, State.PARTLY_RIGHT, {"a": "a looks", "b": "b looks"}, "")
    assert ExerciseRecord.of(Verdict("softmax", 1, 3.0, (), ("a",)), 3.0).mistakes == {"a": ""}
    nameless = Unnamed("0", "x = 1")
    assert ExerciseRecord.of(Verdict("softmax", 1, 3.0, ()), 3.0, nameless).unnamed == nameless
