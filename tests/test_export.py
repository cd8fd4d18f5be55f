"""Marks and feedback on their way back to a learning platform, and who is who there."""

import csv
import functools
import io
import os
import shutil
import zipfile
from dataclasses import replace

import pytest
from classroom import FULL, NOTEBOOKS, PART, SOURCES, WRITTEN
from downloads import SOFTMAX, zipped
from reported import record
from test_handback import book_of

import grader.__main__ as commands
from grader.classroom.collect import collect
from grader.classroom.course import Course
from grader.classroom.export import export
from grader.classroom.export.sheet import Sheet
from grader.classroom.marking import report as write_report
from grader.classroom.records import read_record, write_record
from grader.errors import CourseError, UnknownName
from grader.notebook import grade_id, is_written

pytestmark = pytest.mark.grading

QUESTIONS = {grade_id(cell) for notebook in SOURCES.values() for cell in notebook.cells if is_written(cell)}
TOTAL = sum(FULL.values()) + WRITTEN
ATTEMPT = "_attempt_2026-11-20-10-11-12_3-softmax.ipynb"
DOWNLOADS = {
    "canvas": {"lovelaceada_LATE_11_501_3-softmax.ipynb": SOFTMAX, "bakerben_12_502_3-softmax-1.ipynb": SOFTMAX},
    "moodle": {
        "Ada Lovelace_11_assignsubmission_file_/3-softmax.ipynb": SOFTMAX,
        "=Ben Báker_12_assignsubmission_file_/3-softmax.ipynb": SOFTMAX,
    },
    "blackboard": {f"hw_alovelace{ATTEMPT}": SOFTMAX, f"hw_bbaker{ATTEMPT}": SOFTMAX},
    "brightspace": {
        "31-901 - Ada Lovelace - Nov 20, 2026 1011 AM/3-softmax.ipynb": SOFTMAX,
        "32-901 - Ben Báker - Nov 20, 2026 1012 AM/3-softmax.ipynb": SOFTMAX,
    },
}
ROSTERS = {
    "canvas": (
        "Student,ID,SIS User ID,SIS Login ID,Section,Essay (7),Part 1: context vectors (8),Final Score\r\n"
        f"    Points Possible,,,,,10,{TOTAL:g},(read only)\r\n"
        '"Lovelace, Ada",11,S1,al,One,9,,\r\n"Baker, Ben",12,S2,bb,One,8,3,\r\n"=Cy, Cy",13,-S3,cc,One,,,\r\n'
        '"Student, Test",99,,,One,,,\r\n'
    ),
    "moodle": (
        "Identifier,Full name,Email address,Status,Grade,Maximum Grade,Last modified (grade),Feedback comments\r\n"
        f"Participant 11,Ada Lovelace,a@u.example,Submitted,,{TOTAL:.2f},-,-fine\r\n"
        f"Participant 12,=Ben Báker,b@u.example,Submitted,,{TOTAL:.2f},-,\r\n"
        f"Participant 13,Cy,c@u.example,No submission,,{TOTAL:.2f},-,\r\n"
    ),
    "blackboard": (
        f'"Last Name"\t"First Name"\t"Username"\t"Part 1: context vectors [Total Pts: {TOTAL:g} Score] |4711"\r\n'
        '"Lovelace"\t"Ada"\t"alovelace"\t""\r\n"Báker"\t"Ben"\t"bbaker"\t""\r\n"Cy"\t"Cy"\t"ccy"\t""\r\n'
    ),
    "brightspace": (
        "OrgDefinedId,Username,Last Name,First Name,"
        f"Part 1: context vectors Points Grade <Numeric MaxPoints:{TOTAL:g} Weight:5>,End-of-Line Indicator\r\n"
        "#11,#al,Lovelace,Ada,,#\r\n#12,#bb,Báker,Ben,,#\r\n#13,#cc,Cy,Cy,,#\r\n"
    ),
}
ENCODINGS = {"blackboard": "utf-16", "moodle": "utf-8-sig"}
#: The names by which each platform knows feedback again.
FEEDBACK = {
    "canvas": {"lovelaceada_LATE_11_501_3-softmax.html", "bakerben_12_502_3-softmax-1.html"},
    "moodle": {
        f"{who}_assignsubmission_file_/{page}.html"
        for who in ("Ada Lovelace_11", "=Ben Báker_12")
        for page in ("index", "3-softmax")
    },
    "blackboard": {f"{who}/{page}.html" for who in ("alovelace", "bbaker") for page in ("index", "3-softmax")},
    "brightspace": {
        "31-901 - Ada Lovelace - Nov 20, 2026 1011 AM/3-softmax.html",
        "32-901 - Ben Báker - Nov 20, 2026 1012 AM/3-softmax.html",
    },
}


def roster(folder, to, change=lambda text: text):
    path = folder / f"{to}.csv"
    path.write_bytes(change(ROSTERS[to]).encode(ENCODINGS.get(to, "utf-8")))
    return path


def rows(path, encoding="utf-8-sig", separator=","):
    return list(csv.reader(io.StringIO(path.read_bytes().decode(encoding), newline=""), delimiter=separator))


def submitted(course, student, marked):
    """Put a student into gradebook and records who solved nothing, and whose written answer earned 2 when marked."""
    with book_of(course) as book:
        book.add_student(student)
        for notebook in book.add_submission(PART, student).notebooks:
            for grade in notebook.grades:
                written = grade.cell.name in QUESTIONS
                grade.auto_score, grade.manual_score = (None, 2.0 if marked else None) if written else (0.0, None)
                grade.needs_manual_grade = written and not marked
    one = record(student, everything="skipped")
    write_record(course, replace(one, notebooks={name: one.notebooks[name] for name in NOTEBOOKS}))


def class_course(template, folder, download, marked=(), before=None):
    """A course in which these files were collected (after those of another zip), and everybody in them graded."""
    shutil.copytree(template, folder / "course")
    course = Course.at(folder / "course")
    (folder / "download.zip").write_bytes(zipped(download))
    for path in filter(None, (before, folder / "download.zip")):
        assert collect(course, path, PART, replace=True).status == 0
    for student in course.students(PART):
        submitted(course, student, not marked or any(word in student for word in marked))
    return course


def given_back(course):
    """Put zips of feedback where `return` puts them."""
    pages = {"index.html": b"<html>", "3-softmax.html": b"<html>"}
    for student in course.students(PART):
        course.returned(PART, student).parent.mkdir(parents=True, exist_ok=True)
        course.returned(PART, student).write_bytes(zipped(pages))


@pytest.fixture(scope="module")
def class_at(template, tmp_path_factory):
    """Return a function that gives the class of a platform, with everybody marked or only who is named.

    Exporting only reads: the tests share it.
    """

    @functools.cache
    def give(to, *marked):
        return class_course(template, tmp_path_factory.mktemp(to), DOWNLOADS[to], marked)

    return give


@pytest.mark.parametrize("to", ROSTERS)
def test_the_platforms_own_table_comes_back_with_the_marks_filled_in(to, class_at, tmp_path):
    course, path = class_at(to), roster(tmp_path, to)
    result = export(course, PART, to, path)
    before, after = Sheet.read(path), Sheet.read(result.files[0][1])
    place = next(n for n, head in enumerate(before.heads) if head.startswith(("Part 1", "Grade")))
    assert (after.heads, after.encoding, after.separator) == (before.heads, before.encoding, before.separator)
    own = after.rows[1:] if to == "canvas" else after.rows
    assert [row[place] for row in own[:3]] == ["2", "2", ""], "nothing was solved but the written answer"
    keys = {"canvas": [1, 2, 3], "moodle": [0, 2, 7], "blackboard": [2], "brightspace": [0, 1, 5]}[to]
    for old, new in zip(before.rows, after.rows, strict=True):
        assert [old[key] for key in keys] == [new[key] for key in keys]
        assert not any(new[n].startswith("=") for n in range(len(new)))
    assert "On the roster, and nothing of theirs is graded (1): " in result.summary
    assert f"Marks of 2 students, in the column {before.heads[place][:30]}" in result.summary
    assert "Test" not in result.summary
    assert "NOT in the table" not in result.summary


@pytest.mark.parametrize("to", ROSTERS)
def test_feedback_goes_back_under_the_names_that_the_platform_gave(to, class_at, tmp_path):
    course = class_at(to)
    assert len(export(course, PART, to, roster(tmp_path, to)).files) == 1
    given_back(course)
    result = export(course, PART, to, roster(tmp_path, to))
    with zipfile.ZipFile(result.files[1][1]) as packed:
        assert set(packed.namelist()) == FEEDBACK[to]
        assert all(b"<html" in packed.read(name) for name in packed.namelist())


@pytest.mark.parametrize("to", ["canvas", "moodle", "blackboard"])
def test_without_a_roster_the_names_of_files_say_who_is_who(to, class_at):
    result = export(class_at(to), PART, to)
    path = result.files[0][1]
    table = rows(path, *(("utf-16", "\t") if to == "blackboard" else ()))
    title = "Part 1: context vectors"
    assert (
        table
        == {
            "canvas": [
                ["Student", "ID", "Section", title],
                ["    Points Possible", "", "", f"{TOTAL:g}"],
                ["bakerben", "12", "", "2"],
                ["lovelaceada", "11", "", "2"],
            ],
            "moodle": [
                ["Identifier", "Full name", "Grade", "Maximum Grade", "Last modified (grade)"],
                ["Participant 11", "Ada Lovelace", "2", f"{TOTAL:g}", "-"],
                ["Participant 12", "'=Ben Báker", "2", f"{TOTAL:g}", "-"],
            ],
            "blackboard": [
                ["Last Name", "First Name", "Username", title],
                ["", "", "alovelace", "2"],
                ["", "", "bbaker", "2"],
            ],
        }[to]
    )


def test_the_course_s_own_roster_is_taken_where_it_is_the_platform_s(class_at, tmp_path):
    shutil.copytree(class_at("moodle").root, tmp_path / "course")
    course = Course.at(tmp_path / "course")
    (course.grading / "roster.csv").write_bytes(roster(tmp_path, "moodle").read_bytes())
    assert "On the roster, and nothing of theirs is graded (1): " in export(course, PART, "moodle").summary
    (course.grading / "roster.csv").write_text("student,name\nada,Ada Lovelace\n")
    assert "On the roster" not in export(course, PART, "moodle").summary


def test_brightspace_needs_its_table(class_at):
    with pytest.raises(CourseError, match="--roster"):
        export(class_at("brightspace"), PART, "brightspace")


def test_no_mark_goes_out_before_a_person_has_read_the_answer(class_at, tmp_path):
    result = export(class_at("canvas", "ada"), PART, "canvas", roster(tmp_path, "canvas"))
    table = rows(result.files[0][1])
    assert [row[6] for row in table[2:4]] == ["2", "3"], "ben's is as Canvas has it"
    assert "still to be marked" in result.summary
    assert "bakerben-12" in result.summary


def test_marks_of_what_was_there_before_something_newer_came_are_told(template, tmp_path, capsys):
    course = class_course(template, tmp_path, DOWNLOADS["canvas"])
    assert "Handed in again" not in export(course, PART, "canvas").summary
    student = course.students(PART)[0]
    newer = course.record(PART, student).stat().st_mtime + 1
    for path in course.submitted(PART, student).glob("*.ipynb"):
        os.utime(path, (newer, newer))
    assert f"PART --resume) (1): {student}".replace("PART", PART) in export(course, PART, "canvas").summary
    write_report(course, PART)
    assert f"files came of {student}." in capsys.readouterr().err


def test_who_fits_no_row_or_several_is_named_and_nobody_elses_row_is_touched(class_at, tmp_path):
    def change(text):
        return text.replace(",12,", ",77,").replace("Baker, Ben", "Baker, Benjamin")

    result = export(class_at("canvas"), PART, "canvas", roster(tmp_path, "canvas", change))
    assert "NOT in the table for Canvas (1): bakerben-12 (no row fits)" in result.summary
    assert [row[6] for row in rows(result.files[0][1])[2:4]] == ["2", "3"]
    # The same name is not the same student.
    namesake = roster(tmp_path, "moodle", lambda text: text.replace("Participant 12", "Participant 99"))
    result = export(class_at("moodle"), PART, "moodle", namesake)
    assert "NOT in the table for Moodle (1): ben-baker-12 (no row fits)" in result.summary
    twice = roster(tmp_path, "canvas", lambda text: text.replace(",12,", ",11,"))
    result = export(class_at("canvas"), PART, "canvas", twice)
    assert "lovelaceada-11 (2 rows fit)" in result.summary
    assert [row[6] for row in rows(result.files[0][1])[2:4]] == ["", "3"]


def test_an_instructor_can_say_who_is_who_in_a_column_that_is_not_uploaded(class_at, tmp_path):
    def change(text):
        lines = text.replace(",12,", ",77,").replace("Baker, Ben", "Somebody Else").splitlines()
        own = {0: "Known here as", 3: "bakerben-12"}
        return "".join(f"{line},{own.get(number, '')}\r\n" for number, line in enumerate(lines))

    result = export(class_at("canvas"), PART, "canvas", roster(tmp_path, "canvas", change))
    table = rows(result.files[0][1])
    assert [row[6] for row in table[2:4]] == ["2", "2"]
    assert table[0][-1] == "Final Score"
    other = roster(tmp_path, "brightspace", lambda text: text.replace("Báker", "Other"))
    assert "'known here as'" in export(class_at("brightspace"), PART, "brightspace", other).summary


def test_folders_named_by_login_address_or_name_are_found_on_the_roster(class_at, tmp_path):
    shutil.copytree(class_at("canvas").root, tmp_path / "course")
    course = Course.at(tmp_path / "course")
    shutil.rmtree(course.grading / "origins")

    def change(text):
        return text.replace(",al,", ",lovelaceada-11@uni.example,").replace("Baker, Ben", "12, bakerben")

    result = export(course, PART, "canvas", roster(tmp_path, "canvas", change))
    assert [row[6] for row in rows(result.files[0][1])[2:4]] == ["2", "2"]


def test_marks_go_out_as_the_dates_say_now(class_at, tmp_path):
    shutil.copytree(class_at("canvas").root, tmp_path / "course")
    course = Course.at(tmp_path / "course")
    for penalty, mark in ((10, "1.8"), (20, "1.6")):
        (course.grading / "course.toml").write_text(
            f'timezone = "UTC"\npenalty_per_day = {penalty}\n[{PART}]\ndue = "2026-11-20 18:00"\n'
            'handed_in = { lovelaceada-11 = "2026-11-21 17:00" }\n'
        )
        result = export(course, PART, "canvas", roster(tmp_path, "canvas"))
        assert [row[6] for row in rows(result.files[0][1])[2:4]] == [mark, "2"]
        assert "old marks" not in result.summary
    (course.grading / "course.toml").write_text(f'[{PART}]\ndropped = ["softmax"]\n')
    with pytest.raises(CourseError, match="--scale"):
        export(course, PART, "canvas", roster(tmp_path, "canvas", lambda text: text.replace(f"{TOTAL:g}", "5")))
    assert (
        "so these are old marks" in export(Course.at(course.root), PART, "canvas", roster(tmp_path, "canvas")).summary
    )


def test_whose_mark_moodle_does_not_let_change_keeps_it_and_is_named(class_at, tmp_path):
    ends = iter(("Grade can be changed", "No", "Yes", "Yes", ""))

    def locked(text):
        return "\r\n".join(f"{line},{next(ends)}" if line else "" for line in text.split("\r\n"))

    result = export(class_at("moodle"), PART, "moodle", roster(tmp_path, "moodle", locked))
    table = Sheet.read(result.files[0][1])
    assert [row[table.column("Grade")] for row in table.rows] == ["", "2", ""]
    [told] = [line for line in result.told if "takes no mark" in line]
    assert "(1)" in told
    assert "ada-lovelace" in told
    assert "Marks of 1 student," in result.summary


def test_a_category_of_brightspace_that_is_called_as_the_part_is_no_column_of_it(class_at, tmp_path):
    def change(text):
        return text.replace("Weight:5>", f"Weight:5>,Quiz Points Grade <Numeric MaxPoints:{TOTAL:g} Category:Part 1>")

    result = export(class_at("brightspace"), PART, "brightspace", roster(tmp_path, "brightspace", change))
    assert "in the column Part 1: context vectors Points Grade" in result.summary


def test_other_full_marks_there_are_refused_or_scaled(class_at, tmp_path):
    course = class_at("canvas")
    path = roster(tmp_path, "canvas", lambda text: text.replace(f"10,{TOTAL:g}", f"10,{10 * TOTAL:g}"))
    with pytest.raises(CourseError, match="--scale"):
        export(course, PART, "canvas", path)
    assert rows(export(course, PART, "canvas", path, scale=True).files[0][1])[2][6] == "20"


def test_the_column_can_be_named_and_a_missing_one_is_added(class_at, tmp_path):
    course = class_at("canvas")
    named = export(course, PART, "canvas", roster(tmp_path, "canvas"), column="essay", scale=True)
    assert rows(named.files[0][1])[2][5] == f"{round(20 / TOTAL, 2):g}"
    short = roster(tmp_path, "canvas", lambda text: text.replace("Part 1: context vectors", "Week 2 part 1"))
    assert rows(export(course, PART, "canvas", short).files[0][1])[2][6] == "2"
    with pytest.raises(UnknownName, match="Essay"):
        export(course, PART, "canvas", roster(tmp_path, "canvas"), column="nothing")
    without = roster(tmp_path, "canvas", lambda text: text.replace("Part 1: context vectors (8)", "Part 11 (8)"))
    added = export(course, PART, "canvas", without)
    assert [row[8] for row in rows(added.files[0][1])[:3]] == ["Part 1: context vectors", f"{TOTAL:g}", "2"]
    assert "--column" in added.summary
    twice = roster(tmp_path, "canvas", lambda text: text.replace("Essay (7)", "Context vectors again (7)"))
    with pytest.raises(CourseError, match="--column"):
        export(course, PART, "canvas", twice)
    # What Canvas reckons itself for a group of assignments it does not take back.
    group = roster(
        tmp_path,
        "canvas",
        lambda text: text.replace("Part 1: context vectors (8)", "HW (8)").replace("Final Score", "Part 1 Final Score"),
    )
    of_group = rows(export(course, PART, "canvas", group).files[0][1])
    assert [of_group[0][8], of_group[2][7], of_group[2][8]] == ["Part 1: context vectors", "", "2"]


@pytest.mark.parametrize(
    "data", [b"", b"one line", b"PK\x03\x04", b"\xff\xfe\x00", b'a,b\n"c,d', b"Name,Mark\nada,1\n"], ids=repr
)
def test_what_is_no_table_of_the_platform_is_told_in_plain_words(data, class_at, tmp_path, monkeypatch, capsys):
    course = class_at("canvas")
    shutil.rmtree(course.grading / "exports", ignore_errors=True)
    monkeypatch.setattr(commands, "ROOT", course.root)
    (tmp_path / "roster.csv").write_bytes(data)
    assert commands.main(["export", "1", "--to", "canvas", "--roster", str(tmp_path / "roster.csv")]) == 1
    assert "download" in capsys.readouterr().err
    assert not (course.grading / "exports").exists()


def test_shares_of_what_the_table_does_not_say_are_refused(class_at, tmp_path):
    course = class_at("canvas")
    path = roster(tmp_path, "canvas", lambda text: text.replace("Points Possible", "Mögliche Punkte"))
    with pytest.raises(CourseError, match="does not say in English"):
        export(course, PART, "canvas", path, scale=True)
    assert "does not say what" in " ".join(export(course, PART, "canvas", path).told)


def test_a_table_may_begin_with_the_line_that_excel_writes(class_at, tmp_path):
    course = class_at("canvas")
    plain = export(course, PART, "canvas", roster(tmp_path, "canvas"))
    again = export(course, PART, "canvas", roster(tmp_path, "canvas", lambda text: "sep=,\r\n" + text))
    assert plain.told == again.told


def test_the_feedback_of_a_file_with_another_name_goes_back_as_well(template, tmp_path):
    course = class_course(template, tmp_path, {"deedee_13_504_3-softmax Dee.ipynb": SOFTMAX})
    (student,) = course.students(PART)
    given_back(course)
    one = read_record(course, PART, student)
    file = next(path.name for path in course.submitted(PART, student).glob("*.ipynb"))
    taken = replace(one.notebooks["3-softmax"], file=file)
    write_record(course, replace(one, notebooks=one.notebooks | {"3-softmax": taken}))
    exported = export(course, PART, "canvas")
    with zipfile.ZipFile(next(path for _, path, _ in exported.files if path.suffix == ".zip")) as packed:
        assert packed.namelist() == ["deedee_13_504_3-softmax Dee.html"]


def test_what_separates_cells_is_seen_also_where_heads_and_texts_are_long(class_at, tmp_path):
    many = "HW 1, 2, 3, 4, 5, 6, 7, 8"
    for to, change in (
        (
            "canvas",
            lambda text: text.replace(",", ";").replace("e; A", "e, A").replace("r; B", "r, B").replace("Essay", many),
        ),
        ("blackboard", lambda text: text.replace("Part 1: context", f"{many}, Part 1: context")),
        ("moodle", lambda text: text.replace("-fine", "much " * 50_000)),
    ):
        path = roster(tmp_path, to, change)
        result = export(class_at(to), PART, to, path)
        assert "Marks of 2 students" in result.summary
        assert Sheet.read(path).heads == Sheet.read(result.files[0][1]).heads


def test_a_damaged_zip_of_feedback_is_named(template, tmp_path):
    course = class_course(template, tmp_path, DOWNLOADS["moodle"])
    given_back(course)
    damaged = course.returned(PART, course.students(PART)[0])
    damaged.write_bytes(damaged.read_bytes()[:-30])
    with pytest.raises(CourseError, match=rf"{damaged.name} is damaged .* grader return"):
        export(course, PART, "moodle")


def test_whose_marks_are_lost_or_above_the_full_ones_is_named(template, tmp_path):
    course = class_course(template, tmp_path, DOWNLOADS["moodle"])
    ada, ben = course.students(PART)
    with book_of(course) as book:
        book.remove_student(ada)
        book.find_submission(PART, ben).notebooks[0].grades[0].extra_credit = 100.0
    told = export(course, PART, "moodle", roster(tmp_path, "moodle")).told
    assert f"Graded, and without marks in the gradebook (python -m grader grade {PART}) (1): {ada}" in told
    assert f"Above the full marks of {TOTAL:g}, which Moodle may not take (1): {ben}" in told
    assert not any("still to be marked" in line for line in told)
