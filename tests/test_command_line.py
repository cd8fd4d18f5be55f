"""The command line: which part is meant, and every option of every command."""

import pytest
from classroom import (
    FULL,
    PART,
    grade_here,
    hand_in,
)
from courseware import ROOT
from nbgrader.api import Gradebook

import grader.__main__ as commands
from grader.course import Course

pytestmark = pytest.mark.filterwarnings("ignore::sqlalchemy.exc.SAWarning")


@pytest.mark.parametrize(
    ("given", "expected"),
    [
        ("1-context-vectors", "1-context-vectors"),
        ("1", "1-context-vectors"),
        ("context", "1-context-vectors"),
        ("grading/submitted/ada/1-context-vectors/", "1-context-vectors"),
        ("3", "3-multi-head"),
        ("Three", "2-three-views"),
    ],
)
def test_a_part_is_meant_by_as_much_of_its_name_as_no_other_has(given, expected):
    assert commands._part(Course.at(ROOT), given) == expected


@pytest.mark.parametrize(
    ("given", "expected"), [("e", "any of"), ("9", "there is no part '9'"), ("", "there is no part")]
)
def test_a_part_that_could_be_several_or_none_is_told_and_exits_with_2(given, expected, capsys):
    assert commands.main(["report", given]) == 2
    assert expected in capsys.readouterr().err


@pytest.mark.grading
def test_the_report_command_brings_in_what_was_marked_by_hand(course, fake, monkeypatch, capsys):
    monkeypatch.setattr(commands, "ROOT", course.root)
    assert commands.main(["report", "1"]) == 1
    assert "has not been graded yet" in capsys.readouterr().err
    for student, kind in (("ada", "ada"), ("ben", "ada"), ("chen", "chen")):
        hand_in(course, student, kind)
    grade_here(course)
    with Gradebook(course.db_url, course.name) as book:
        given = book.find_grade("explain-context", "4-context-vectors", PART, "ada")
        given.manual_score, given.needs_manual_grade = 3.0, False
        given = book.find_grade("softmax", "3-softmax", PART, "ada")
        given.manual_score, given.extra_credit = 3.5, 0.25
        book.db.commit()
    capsys.readouterr()
    assert commands.main(["report", "context"]) == 0
    assert f"{PART}.csv" in capsys.readouterr().out
    lines = course.report(PART).with_suffix(".csv").read_text("utf-8-sig").splitlines()
    heads = lines[0].replace('"', "").split(",")
    table = {line.split(",")[0].strip('"'): dict(zip(heads, line.split(","), strict=True)) for line in lines[1:]}
    # 3 for the written answer, half a point taken off softmax, a quarter of extra credit.
    assert (table["ada"]["by hand"], table["ada"]["total"]) == ("2.75", f"{sum(FULL.values()) + 2.75:g}")
    assert table["ben"]["by hand"] == ""
    assert table["chen"]["by hand"] == "0", "nothing was written, so nobody has to read it"
