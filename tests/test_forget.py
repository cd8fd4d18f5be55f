"""A student is removed from everything that collecting and grading have made; and reports without names."""

import contextlib
import csv
import io
import json
import os
import shutil
import sqlite3
import zipfile

import pytest
from classroom import PART, rows
from downloads import BARE, SOFTMAX, zipped
from nbgrader.api import Gradebook, InvalidEntry
from reported import record
from test_export import class_course, given_back

import grader.__main__ as commands
from grader.classroom.course import Course
from grader.classroom.export import export
from grader.classroom.feedback.packed import zip_of_all
from grader.classroom.marking import report
from grader.classroom.marking.storing import alone
from grader.classroom.records import read_records, write_record
from grader.classroom.report.anonymous import made_names
from grader.classroom.staging import one_at_a_time
from grader.desk import forget as forgetting
from grader.desk.forget import forget
from grader.errors import CourseError, DiskFull, UnknownName

pytestmark = pytest.mark.grading

ADA = "ada-lovelace-11"
#: What of ada must not be left, small and capital: her name in all its forms, and what her notebook says.
TRACES = (b"ada-lovelace", b"ada lovelace", b"ada%20lovelace", b"of my own hand", b"_11_assign")
HERS = SOFTMAX.replace(b"# Softmax", b"# Of my own hand")


@pytest.fixture(scope="module")
def lived(template, tmp_path_factory):
    """Make a class once in which all that a course writes has been written."""
    folder = tmp_path_factory.mktemp("lived")
    (folder / "first.zip").write_bytes(zipped({"Ada Lovelace_11_assignsubmission_file_/3-softmax.ipynb": BARE}))
    files = {
        "Ada Lovelace_11_assignsubmission_file_/3-softmax.ipynb": HERS,
        "Ben Baker_12_assignsubmission_file_/3-softmax.ipynb": SOFTMAX,
    }
    course = class_course(template, folder, files, before=folder / "first.zip")
    hers, his = read_records(course, PART)
    write_record(course, record(hers.student, notes=("`Ada Lovelace.txt` was ignored",)))
    given_back(course)
    (course.grading / "returned" / f"{PART}.zip").write_bytes(
        zip_of_all({name: course.returned(PART, name) for name in (hers.student, his.student)})
    )
    for folder in (course.autograded(PART, ADA), course.feedback(PART, ADA)):
        folder.mkdir(parents=True)
        (folder / "3-softmax.ipynb").write_bytes(HERS)
        (folder / "3-softmax.ipynb").chmod(0o444)
    log = course.report(PART).with_name(f"{PART}.log.jsonl")
    report(course, PART)
    report(course, PART, anonymous=True)
    lines = [json.dumps({"student": who, "points": 1}) for who in (hers.student, his.student, hers.student)]
    log.write_text("\n".join(lines) + '\n{"student": "ada-lovelace-11", "poi')
    export(course, PART, "moodle")
    (course.grading / "unnamed" / PART).mkdir(parents=True)
    (course.grading / "unnamed" / PART / "softmax-1.py").write_text("# Of my own hand")
    (course.submitted(PART, ADA).parents[1] / ".collecting-x").mkdir()
    (course.submitted(PART, ADA).parents[1] / ".collecting-x" / "1.ipynb").write_bytes(HERS)
    (course.record(PART, ADA).parent / f".{ADA}.json.1-2.part").write_bytes(b"ada lovelace")
    # A mark that went long ago may stand in the gradebook's free pages; many a SQLite wipes them by itself.
    with contextlib.closing(sqlite3.connect(course.grading / "gradebook.db")) as book:
        for line in ("PRAGMA secure_delete = 0", "CREATE TABLE x (y)", f"INSERT INTO x VALUES ('{ADA}')"):
            book.execute(line)
        book.commit()
        book.execute("DROP TABLE x")
        book.commit()
    return course.root


@pytest.fixture
def course(lived, tmp_path):
    """Give that class anew."""
    shutil.copytree(lived, tmp_path / "course")
    return Course.at(tmp_path / "course")


def traces(course):
    """Return where something of ada is left, in the names of files, in files and in zips."""
    found = []
    for path in course.grading.rglob("*"):
        texts = [str(path.relative_to(course.grading)).encode()]
        if path.is_file():
            texts.append(path.read_bytes())
            if path.suffix == ".zip":
                with zipfile.ZipFile(path) as packed:
                    texts += [name.encode() + packed.read(name) for name in packed.namelist()]
        if any(trace in text.lower() for text in texts for trace in TRACES):
            found.append(path.relative_to(course.grading).as_posix())
    return found


def test_nothing_of_a_student_is_left_and_everything_of_the_others_stays(course, capsys):
    kept = {path: path.read_bytes() for path in course.grading.rglob("*ben*/**/*") if path.is_file()}
    before = rows(course)
    assert len(traces(course)) > 12
    assert "gradebook.db" in traces(course)
    assert forget(course, ADA, sure=True) == 0
    assert traces(course) == []
    assert {path: path.read_bytes() for path in kept} == kept
    after = rows(course)
    assert after["grade"] == [row for row in before["grade"] if row[0] != ADA] != []
    assert course.report(PART).with_name(f"{PART}.log.jsonl").read_text().count("ben-baker-12") == 1
    assert "ben-baker-12" in course.report(PART).with_suffix(".csv").read_text("utf-8-sig")
    with zipfile.ZipFile(course.grading / "returned" / f"{PART}.zip") as packed:
        assert {name.split("/")[0] for name in packed.namelist()} == {"ben-baker-12"}
    assert "learning platform" in capsys.readouterr().out
    with pytest.raises(UnknownName, match="nothing"):
        forget(course, ADA, sure=True)


def test_without_yes_it_is_only_listed(course, monkeypatch, capsys):
    before = traces(course)
    monkeypatch.setattr(commands, "ROOT", course.root)
    assert commands.main(["forget", ADA]) == 0
    said = capsys.readouterr().out
    assert "--yes" in said
    assert str(course.submitted(PART, ADA).parent) in said
    assert traces(course) == before
    for nobody in ("ben", "nobody", PART, "records", "..", ""):
        assert commands.main(["forget", nobody, "--yes"]) == 2
    assert traces(course) == before
    assert commands.main(["forget", ADA, "--yes"]) == 0
    assert traces(course) == []


class Killed(BaseException):
    """The end of a process."""


def test_killed_anywhere_the_same_command_completes_it(lived, tmp_path, monkeypatch):
    steps = [0]
    for name in ("_remove", "_remove_marks", "_without_lines", "write_whole", "report", "made_names"):
        real = getattr(forgetting, name)

        def step(*args, _real=real, **kwargs):
            if steps[0] == 0:
                raise Killed
            steps[0] -= 1
            return _real(*args, **kwargs)

        monkeypatch.setattr(forgetting, name, step)
    for number in range(0, 40, 3):
        shutil.copytree(lived, tmp_path / str(number))
        course, steps[0] = Course.at(tmp_path / str(number)), number
        if number % 2:  # exports alone know her by another name
            shutil.rmtree(course.grading / "reports")
            shutil.rmtree(course.grading / "returned")
            shutil.rmtree(course.grading / "unnamed")
        try:
            forget(course, ADA, sure=True)
        except Killed:
            steps[0] = -1
            forget(course, ADA, sure=True)
        else:
            break
        assert traces(course) == [], number
    assert 6 < number < 39


def test_while_another_command_collects_or_grades_nothing_is_removed(course, capsys):
    before = traces(course)
    others = alone(course, PART), one_at_a_time(course.grading, "collecting")
    for other, words in zip(others, ("is being graded", "is collecting"), strict=True):
        with other:
            assert forget(course, ADA) == 0
            with pytest.raises(CourseError, match=words):
                forget(course, ADA, sure=True)
    assert before
    assert traces(course) == before
    assert forget(course, ADA, sure=True) == 0


def test_what_only_a_person_can_put_right_is_named(course, capsys):
    (course.grading / "notes.txt").write_text(f"{ADA} has an extension")
    forget(course, ADA, sure=False)
    goes, stays = capsys.readouterr().out.split("These files are yours, and would stay as they are:")
    assert "notes.txt" in stays
    assert "names.csv" in goes
    assert forget(course, ADA, sure=True) == 1
    assert "notes.txt" in capsys.readouterr().out
    assert traces(course) == ["notes.txt"]


def test_the_last_student_takes_the_reports_along(course):
    for student in (ADA, "ben-baker-12"):
        assert forget(course, student, sure=True) == 0
    assert [path.name for path in (course.grading / "reports").iterdir()] == [f"{PART}.log.jsonl"]
    assert not (course.grading / "returned" / f"{PART}.zip").exists()


# ---- made names


def test_an_anonymous_report_has_the_same_marks_under_made_names_only(course):
    names = made_names(course)
    assert made_names(course) == names
    assert len(set(names.values())) == 2
    page, table = report(course, PART, anonymous=True)
    for path in (page, table):
        text = path.read_text("utf-8-sig").lower()
        assert not any(trace.decode() in text for trace in TRACES)
        assert "baker" not in text
        assert all(name in text for name in names.values())
    assert 'href="../' not in page.read_text("utf-8")
    named = {row[0]: row[1:] for row in csv.reader(io.StringIO(report(course, PART)[1].read_text("utf-8-sig")))}
    made = {row[0]: row[1:] for row in csv.reader(io.StringIO(table.read_text("utf-8-sig")))}
    assert {names.get(who, who): marks for who, marks in named.items()} == made


def test_made_names_hang_on_a_secret_and_the_table_of_them_is_the_owners_alone(course):
    names = made_names(course)
    for name in ("names.key", "names.csv"):
        assert (course.grading / name).stat().st_mode & 0o077 == 0
    (course.grading / "names.key").unlink()
    assert set(made_names(course).values()).isdisjoint(names.values())
    os.truncate(course.grading / "names.key", 10)
    with pytest.raises(commands.CourseError, match="backup"):
        made_names(course)


def test_a_disk_that_is_full_is_told_and_the_same_command_completes_it(course, monkeypatch):
    def full(book, student):
        raise InvalidEntry("(sqlite3.OperationalError) database or disk is full")  # as nbgrader hides it

    with monkeypatch.context() as patch:
        patch.setattr(Gradebook, "remove_student", full)
        with pytest.raises(DiskFull, match="make room, then run the command again: it goes on where it was"):
            forget(course, ADA, sure=True)
    assert traces(course)
    assert forget(course, ADA, sure=True) == 0
    assert traces(course) == []
