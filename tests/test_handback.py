"""Handing back: feedback pages made from the gradebook, packed for each student and for the class."""

import errno
import io
import os
import shutil
import signal
import subprocess
import sys
import threading
import warnings
import zipfile
from dataclasses import replace

import pytest
from classroom import NOTEBOOKS, PART, make_course
from courseware import ROOT, read
from nbgrader.api import Gradebook
from pages import graded, harm_in, hostile_notebook, text_of
from reported import record as of_class
from sqlalchemy.exc import OperationalError, SAWarning

from grader.classroom.course import Course
from grader.classroom.export import export
from grader.classroom.feedback import handback
from grader.classroom.feedback.handback import hand_back
from grader.classroom.feedback.packed import zip_of_student
from grader.classroom.feedback.student import MADE_FROM
from grader.classroom.gradebook.cells import MarksOf
from grader.classroom.records import NotebookRecord, Record, write_record
from grader.errors import CourseError, DiskFull, UnknownName
from grader.notebook import as_json

STUDENTS = ("ada", "ben", "chen")
PAGES = {f"{name}.html" for name in NOTEBOOKS}

pytestmark = pytest.mark.grading


@pytest.fixture(scope="module")
def finished(tmp_path_factory):
    """Make a course once in which three students have graded notebooks and marks."""
    folder = tmp_path_factory.mktemp("finished")
    course = make_course(folder)
    with book_of(course) as book:
        for i, student in enumerate(STUDENTS):
            put(course, student)
            book.add_student(student)
            submission = book.add_submission(PART, student)
            for notebook in submission.notebooks:
                for grade in notebook.grades:
                    grade.auto_score = 0.5 * i
                    grade.needs_manual_grade = False
    return folder


@pytest.fixture
def course(finished, tmp_path):
    """Give that course anew."""
    shutil.copytree(finished, tmp_path / "course")
    return Course.at(tmp_path / "course")


@pytest.fixture(scope="module")
def once(finished, tmp_path_factory):
    """Give the folder of that course after feedback has been handed back once."""
    folder = tmp_path_factory.mktemp("once") / "course"
    shutil.copytree(finished, folder)
    hand_back(Course.at(folder), PART)
    return folder


@pytest.fixture
def handed_back(once, tmp_path):
    """Give a course whose students have their feedback."""
    shutil.copytree(once, tmp_path / "course")
    return Course.at(tmp_path / "course")


@pytest.fixture
def alone(monkeypatch):
    """Make pages in this process, where a test can reach in."""
    monkeypatch.setattr(handback.os, "cpu_count", lambda: 1)


class book_of:
    """A course's gradebook, without nbgrader's warnings about its own tables."""

    def __init__(self, course):
        self.book, self.caught = Gradebook(course.db_url, course.name), warnings.catch_warnings()

    def __enter__(self):
        self.caught.__enter__()
        warnings.simplefilter("ignore", SAWarning)
        return self.book.__enter__()

    def __exit__(self, *exception):
        self.book.db.commit()
        self.book.__exit__(*exception)
        self.caught.__exit__(*exception)


def put(course, student):
    """Write a student's graded notebooks, and something handed in."""
    for name in NOTEBOOKS:
        notebook = graded() if name == "3-softmax" else read(ROOT / "notebooks" / PART / f"{name}.ipynb")
        for folder in (course.autograded(PART, student), course.submitted(PART, student)):
            folder.mkdir(parents=True, exist_ok=True)
            (folder / f"{name}.ipynb").write_text(as_json(notebook), encoding="utf-8")


def contents(path):
    with zipfile.ZipFile(path) as packed:
        assert packed.testzip() is None
        return {name: packed.read(name) for name in packed.namelist()}


def made(course, student):
    """Return when each of a student's pages was made."""
    return {path.name: path.stat().st_mtime_ns for path in course.feedback(PART, student).glob("*.html")}


def test_everybody_gets_a_zip_of_pages_and_the_class_one_of_folders(course, capfd):
    paths = hand_back(course, PART)
    assert [path.relative_to(course.grading / "returned").as_posix() for path in paths] == [
        *(f"{PART}/{student}.zip" for student in STUDENTS),
        f"{PART}.zip",
    ]
    for path in paths[:-1]:
        assert set(contents(path)) == {"index.html", *PAGES}
    assert set(contents(paths[-1])) == {f"{student}/{name}" for student in STUDENTS for name in ("index.html", *PAGES)}
    said = capfd.readouterr()
    assert "pages made for 3, up to date for 0" in said.out
    assert str(paths[-1]) in said.out
    assert "Traceback" not in said.out + said.err
    assert "[ERROR]" not in said.out + said.err
    assert len(said.out.splitlines()) == 3, "what the course's own cells print is for its readers"


def test_the_index_lists_marks_and_leads_to_the_pages(handed_back):
    index = contents(handed_back.grading / "returned" / PART / "chen.zip")["index.html"].decode()
    assert "feedback for chen" in index
    assert '<a href="3-softmax.html">' in index
    with book_of(handed_back) as book:
        marks = {one.name: (one.score, one.max_score) for one in book.find_submission(PART, "chen").notebooks}
    assert marks["3-softmax"][0] > 0
    for name, (points, full) in marks.items():
        assert f"{name} {points:g} of {full:g}" in text_of(index)
    assert f"all {sum(one[0] for one in marks.values()):g} of" in text_of(index)
    assert harm_in(index) == []


def test_pages_are_those_of_the_course(handed_back):
    page = contents(handed_back.grading / "returned" / PART / "ben.zip")["3-softmax.html"].decode()
    assert "what the check says" in text_of(page)
    assert "Content-Security-Policy" in page
    assert "you normalised down the columns" in text_of(page)
    assert page.count("<script") == page.count("script-src 'sha256-") == 1  # of the course's own explorer


def test_the_same_pages_make_the_same_zips_byte_for_byte(course, once):
    first = Course.at(once).grading / "returned"
    paths = hand_back(course, PART)
    assert len(paths) == len(STUDENTS) + 1
    for path in paths:
        assert path.read_bytes() == (first / path.relative_to(course.grading / "returned")).read_bytes()


def test_a_second_time_makes_no_pages_and_touches_no_zips(handed_back, capsys):
    course = handed_back
    paths = sorted((course.grading / "returned").rglob("*.zip"), key=lambda path: (-len(path.parts), path))
    before = [path.stat().st_mtime_ns for path in paths], [made(course, student) for student in STUDENTS]
    assert hand_back(course, PART) == paths
    assert ([path.stat().st_mtime_ns for path in paths], [made(course, student) for student in STUDENTS]) == before
    assert "pages made for 0, up to date for 3" in capsys.readouterr().out


def score(course):
    with book_of(course) as book:
        grade = book.find_grade("softmax", "3-softmax", PART, "ben")
        grade.manual_score = 3.25


def comment(course):
    with book_of(course) as book:
        book.find_comment("softmax-answer", "3-softmax", PART, "ben").manual_comment = "Well tried. It is 3.25."


def record(course):
    notebook = NotebookRecord("graded", "3-softmax.ipynb", ("It is 3.25.",), (), False, ())
    write_record(course, Record("ben", PART, "", True, 0.0, (), {}, {"3-softmax": notebook}))


def rerun(course):
    path = course.autograded(PART, "ben") / "3-softmax.ipynb"
    path.write_text(path.read_text(encoding="utf-8").replace("The idea", "It is 3.25."), encoding="utf-8")


@pytest.mark.parametrize("change", [score, comment, record, rerun])
def test_pages_are_made_anew_for_whom_something_has_changed_and_only_for_them(handed_back, change):
    before = {student: made(handed_back, student) for student in STUDENTS}
    change(handed_back)
    paths = hand_back(handed_back, PART)
    after = {student: made(handed_back, student) for student in STUDENTS}
    assert [student for student in STUDENTS if after[student] != before[student]] == ["ben"]
    assert "3.25" in text_of(contents(paths[1])["3-softmax.html"].decode())
    assert "3.25" in text_of(contents(paths[-1])["ben/3-softmax.html"].decode())


def test_an_export_names_whose_feedback_is_of_what_was_before_a_change(course, tmp_path):
    for student in STUDENTS:
        one = of_class(student, everything="skipped")
        write_record(course, replace(one, notebooks={name: one.notebooks[name] for name in NOTEBOOKS}))
    hand_back(course, PART)
    table = tmp_path / "roster.csv"
    table.write_text("Student,ID,SIS Login ID\nA,1,ada\nB,2,ben\nC,3,chen\n", encoding="utf-8")
    assert "Feedback is of what was before" not in export(course, PART, "canvas", table).summary
    score(course)
    told = export(course, PART, "canvas", table).told
    assert [line for line in told if "Feedback is of what was before" in line and line.endswith("(1): ben")]


def test_pages_that_are_gone_or_were_made_by_something_else_are_made_anew(handed_back):
    (handed_back.feedback(PART, "ada") / "3-softmax.html").unlink()
    # nbgrader itself makes the folder anew, with pages of its own.
    (handed_back.feedback(PART, "ben") / MADE_FROM).unlink()
    (handed_back.feedback(PART, "ben") / "3-softmax.html").write_text("other", encoding="utf-8")
    *paths, _ = hand_back(handed_back, PART)
    assert len(paths) == len(STUDENTS)
    for path in paths:
        assert "what the check says" in contents(path)["3-softmax.html"].decode()


def test_one_student_can_be_given_feedback_alone(course):
    paths = hand_back(course, PART, ["ben"])
    assert [path.name for path in paths] == ["ben.zip", f"{PART}.zip"]
    assert not course.feedback(PART, "ada").exists()
    assert {name.split("/")[0] for name in contents(paths[-1])} == {"ben"}
    assert hand_back(course, PART, "ada")[0].name == "ada.zip"


def test_who_is_not_graded_is_told_and_the_others_get_their_zips(course):
    for student in ("dora", "emil"):
        course.submitted(PART, student).mkdir(parents=True)
    put(course, "emil")
    stale = course.grading / "returned" / PART / "dora.zip"
    stale.parent.mkdir(parents=True)
    stale.write_bytes(b"of an earlier run")
    with pytest.raises(CourseError) as told:
        hand_back(course, PART)
    assert "2 of 5 students" in str(told.value)
    assert f"dora: is not graded yet; run: python -m grader grade {PART}" in str(told.value)
    assert "emil: has no marks in the gradebook" in str(told.value)
    assert {path.stem for path in stale.parent.glob("*.zip")} == set(STUDENTS)
    assert (course.grading / "returned" / f"{PART}.zip").exists()


def test_a_notebook_that_is_missing_among_the_graded_is_said_in_the_index(course):
    (course.autograded(PART, "ada") / "3-softmax.ipynb").unlink()
    hand_back(course, PART, ["ada"])
    inside = contents(course.grading / "returned" / PART / "ada.zip")
    assert set(inside) == {"index.html", "4-context-vectors.html"}
    assert "3-softmax (not graded)" in text_of(inside["index.html"].decode())


def test_a_folder_that_nobody_may_look_into_costs_its_student_only(course, alone, monkeypatch):
    closed, stat = course.autograded(PART, "ben").parent, os.stat

    def look(path, *args, **kwargs):  # also for root, who may look into all
        if closed in type(closed)(os.fspath(path)).parents:
            raise PermissionError(errno.EACCES, "Permission denied", str(path))
        return stat(path, *args, **kwargs)

    monkeypatch.setattr(os, "stat", look)
    with pytest.raises(CourseError, match=r"ben: .*Permission denied"):
        hand_back(course, PART)
    assert course.returned(PART, "ada").is_file()
    assert not course.returned(PART, "ben").exists()


def test_a_notebook_that_cannot_be_read_costs_its_student_only(course):
    (course.autograded(PART, "ada") / "3-softmax.ipynb").write_text("{", encoding="utf-8")
    with pytest.raises(CourseError, match=r"ada: no pages could be made of 3-softmax: .*JSON") as told:
        hand_back(course, PART)
    assert "Traceback" not in str(told.value)
    assert {path.stem for path in (course.grading / "returned" / PART).glob("*.zip")} == {"ben", "chen"}


def test_written_answers_that_wait_for_a_person_are_told(course, capsys):
    with book_of(course) as book:
        book.find_submission(PART, "ada").notebooks[0].grades[0].needs_manual_grade = True
    hand_back(course, PART)
    assert "1 student has written answers that nobody has marked yet" in capsys.readouterr().out
    for student, waits in (("ada", True), ("ben", False)):
        index = contents(course.grading / "returned" / PART / f"{student}.zip")["index.html"].decode()
        assert ("still to be marked" in index) == waits


def test_a_hostile_submission_gives_harmless_pages_and_nothing_that_lay_beside_it(course, tmp_path):
    secret = tmp_path / "secret.txt"
    secret.write_text("something of the teacher's", encoding="utf-8")
    folder = course.autograded(PART, "ada")
    notebook = hostile_notebook()
    notebook.cells = [cell for cell in notebook.cells if "nbgrader" not in cell.metadata]
    (folder / "3-softmax.ipynb").write_text(as_json(notebook), encoding="utf-8")
    (folder / "stolen.txt").symlink_to(secret)
    (folder / "more.ipynb").write_text(as_json(graded()), encoding="utf-8")
    (folder / "evil.html").write_text("<script>", encoding="utf-8")
    inside = contents(hand_back(course, PART, ["ada"])[0])
    assert set(inside) == {"index.html", *PAGES}
    assert harm_in(inside["3-softmax.html"].decode()) == []
    assert "teacher's" not in "".join(page.decode() for page in inside.values())
    assert {path.name for path in course.feedback(PART, "ada").iterdir()} == {MADE_FROM, *PAGES}


def test_what_cannot_be_asked_for_is_an_error_that_says_what_there_is(course, tmp_path):
    for part, students, words in (
        ("part-one", None, PART),
        (PART, ["zoe"], "ada, ben, chen"),
        (PART, ["../ada"], "no student '../ada'"),
    ):
        with pytest.raises(UnknownName, match=words):
            hand_back(course, part, students)
    empty = make_course(tmp_path / "empty", register_it=False)
    with pytest.raises(CourseError, match="nobody has handed in"):
        hand_back(empty, PART)
    put(empty, "ada")
    with pytest.raises(CourseError, match=r"no gradebook .* grade first"):
        hand_back(empty, PART)
    assert not (empty.grading / "gradebook.db").exists()


def test_a_full_disk_is_a_clear_error(handed_back, alone, monkeypatch):
    before = {path: path.read_bytes() for path in (handed_back.grading / "returned").rglob("*.zip")}
    score(handed_back)

    def full(source, target):
        raise OSError(errno.ENOSPC, "No space left on device", str(target))

    monkeypatch.setattr("grader.files.os.replace", full)
    with pytest.raises(DiskFull, match="make some room, then run the command again"):
        hand_back(handed_back, PART)
    assert {path: path.read_bytes() for path in (handed_back.grading / "returned").rglob("*.zip")} == before


def test_a_zip_is_written_in_one_step(handed_back, alone, monkeypatch):
    target = handed_back.grading / "returned" / PART / "ben.zip"
    before = target.read_bytes()
    score(handed_back)
    whole = os.replace

    def interrupted(source, to):
        if to == target:
            raise KeyboardInterrupt
        whole(source, to)

    monkeypatch.setattr("grader.files.os.replace", interrupted)
    with pytest.raises(KeyboardInterrupt):
        hand_back(handed_back, PART, ["ben"])
    assert target.read_bytes() == before
    assert list(target.parent.glob(".*")) == []


def test_a_locked_gradebook_is_told(course, alone, monkeypatch):
    def locked(*_):
        raise OperationalError("SELECT", {}, Exception("database is locked"))

    monkeypatch.setattr(Gradebook, "find_submission", locked)
    with pytest.raises(CourseError, match=r"is locked.*is it in use"):
        hand_back(course, PART, ["ada"])


def test_a_zip_holds_nothing_of_the_day_or_the_machine():
    data = zip_of_student(PART, "ada", [], {}, MarksOf({}, 0.0, False, ()))
    (entry,) = zipfile.ZipFile(io.BytesIO(data)).infolist()
    assert (entry.filename, entry.date_time, entry.create_system) == ("index.html", (1980, 1, 1, 0, 0, 0), 3)


@pytest.mark.parametrize("folder", ["course [x]", "*", "a{b}c"])
def test_a_path_and_a_name_are_no_patterns(finished, alone, tmp_path, folder):
    shutil.copytree(finished, tmp_path / folder)
    course = Course.at(tmp_path / folder)
    for odd in ("[a-z]*", "*"):
        for step in ("submitted", "autograded"):
            top = course.submitted(PART, "ada") if step == "submitted" else course.autograded(PART, "ada")
            if top.exists():
                shutil.copytree(top, top.parents[1] / odd / PART)
        with book_of(course) as book:
            book.add_student(odd)
            book.add_submission(PART, odd)
    paths = hand_back(course, PART, ["[a-z]*", "*", "ben"])
    assert [path.name for path in paths] == ["*.zip", "[a-z]*.zip", "ben.zip", f"{PART}.zip"]
    for student in ("*", "[a-z]*", "ben"):
        assert {path.name for path in course.feedback(PART, student).glob("*.html")} == PAGES
    assert not course.feedback(PART, "chen").exists()


SLOW = """
import os, time
from grader.classroom.feedback import handback

def slowly(*task):
    os.write(1, b"%d\\n" % os.getpid())  # in one piece
    time.sleep(600)

handback._hand_back_to = slowly
handback.os.cpu_count = lambda: 3
list(handback._each([()] * 3))
"""


def test_the_processes_that_make_pages_end_with_a_command_that_is_killed():
    with subprocess.Popen([sys.executable, "-c", SLOW], stdout=subprocess.PIPE, text=True) as command:
        try:
            begun = [int(command.stdout.readline()) for _ in range(3)]
        finally:
            command.kill()
        # Whoever still runs holds this pipe open.
        ended = threading.Thread(target=command.stdout.read, daemon=True)
        ended.start()
        ended.join(20)
        left = ended.is_alive()
        for pid in begun if left else ():
            os.kill(pid, signal.SIGKILL)
    assert len({*begun}) == 3
    assert not left
