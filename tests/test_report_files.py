"""The report's files: the page and the marks as CSV, and the records that they are made from."""

import json
import os
import random
from dataclasses import asdict

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

from grader.classroom.records import read_record, read_records, write_record
from grader.classroom.report import write_report
from grader.errors import CourseError


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
    assert rows[0] == ["student", *heads]
    by_student = {row[0]: dict(zip(heads, row[1:], strict=True)) for row in rows[1:]}
    assert list(by_student) == ["ada", "ben", "chen", "dora", "emil", "fay", "gus", "hana"]
    assert by_student["ada"]["total"] == in_words(TOTAL)
    assert by_student["ada"]["by hand"] == ""
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
