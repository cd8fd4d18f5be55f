"""Due dates, late days, penalties and extensions: what grading/course.toml says, and where it shows."""

import csv
import io
import re
import zipfile
from datetime import UTC, datetime

import nbformat
import pytest
from classroom import (
    FULL,
    PART,
    ROUNDED,
    WRITTEN,
    answering,
    grade_here,
    grades,
    hand_in,
    judge_again_here,
    record,
    rows,
    write,
)
from courseware import ROOT
from nbgrader.api import Gradebook

import grader.__main__ as commands
from grader.classroom.dates import read_dates
from grader.classroom.feedback import handback
from grader.classroom.feedback.packed import zip_of_student
from grader.classroom.feedback.pages import Summary
from grader.classroom.gradebook.cells import marks_of
from grader.errors import CourseError
from grader.notebook import grade_id

pytestmark = pytest.mark.filterwarnings("ignore::sqlalchemy.exc.SAWarning")
ALL = sum(FULL.values())
USUAL = f"""
timezone = "Europe/Berlin"
penalty_per_day = 10
penalty_at_most = 50

[{PART}]
due = "2026-11-20 18:00"
"""


def table(course, text):
    """Write the file."""
    path = course.grading / "course.toml"
    path.parent.mkdir(exist_ok=True)
    path.write_text(text, encoding="utf-8")
    return path


def late(course, handed_in, student="ada", others=None):
    """How late somebody is who handed in at this time (UTC)."""
    when = handed_in and datetime.fromisoformat(handed_in)
    return read_dates(course).lateness(PART, student, {PART: when, **(others or {})})


# ---- what the file says


def test_without_the_file_nothing_is_late_and_the_last_attempt_counts(course):
    dates = read_dates(course)
    assert dates.lateness(PART, "ada", {PART: datetime(2030, 1, 1)}) is None
    assert dates.rule(PART).attempts is None


@pytest.mark.parametrize(
    ("handed_in", "days", "percent"),
    [
        ("2026-11-20 17:00", 0, 0),  # 18:00 in Berlin
        ("2026-11-20 17:00:01", 1, 10),
        ("2026-11-21 17:00", 1, 10),
        ("2026-11-22 16:59", 2, 20),
        ("2026-12-20 17:00", 30, 50),
        (None, 0, 0),
    ],
)
def test_each_day_that_has_begun_costs(course, handed_in, days, percent):
    table(course, USUAL)
    found = late(course, handed_in)
    assert (found.days, found.percent) == (days, percent)


def test_a_date_alone_stands_for_its_end_and_a_day_is_one_of_the_clock(course):
    # On 25 October 2026 the clock is put back in Berlin: that day has 25 hours.
    table(course, USUAL.replace("2026-11-20 18:00", "2026-10-24"))
    assert late(course, "2026-10-24 21:59:59").days == 0
    assert late(course, "2026-10-24 22:00").days == 1
    assert late(course, "2026-10-25 22:59").days == 1
    table(course, USUAL.replace("2026-11-20 18:00", "2026-W43-6"))
    assert late(course, "2026-10-24 21:59:59").days == 0
    table(course, USUAL.replace("2026-11-20 18:00", "2026-10-24 18:00") + "extensions = { ben = 2 }")
    assert late(course, "2026-10-26 17:00", "ben").days == 0
    assert late(course, "2026-10-26 17:01", "ben").days == 1
    table(course, f"[{PART}]\ndue = 2026-11-20T18:00:00+01:00")
    assert late(course, "2026-11-20 17:30").days == 1


def test_extensions_are_days_or_a_date_in_one_part_or_in_all(course):
    text = (
        USUAL
        + f'[{PART}.extensions]\nben = 2\nchen = "2026-11-27"\nada.lovelace = 1\n[extensions]\ndora = 7\nben = 9\n'
    )
    table(course, text)
    days = {
        name: late(course, "2026-11-22 17:00", name).days for name in ("ada", "ben", "chen", "dora", "ada.lovelace")
    }
    assert days == {"ada": 2, "ben": 0, "chen": 0, "dora": 0, "ada.lovelace": 1}
    assert late(course, "2026-11-27 22:59", "chen").days == 0
    assert late(course, "2026-11-27 23:00", "chen").days == 1
    assert "within your extension" in late(course, "2026-11-22 17:00", "ben").words


def test_late_days_of_the_course_are_used_up_in_the_order_of_the_parts(course):
    (course.root / "solutions" / "2-next").mkdir()
    (course.root / "solutions" / "2-next" / "1-a.ipynb").touch()
    text = 'timezone = "UTC"\nlate_days = 3\npenalty_per_day = 10\n'
    text += f'[2-next]\ndue = "2026-12-01"\nlate_days = 2\n[{PART}]\ndue = "2026-11-20"\n'
    table(course, text)
    times = {PART: datetime(2026, 11, 22, 12), "2-next": datetime(2026, 12, 4, 12)}
    dates = read_dates(course)
    first, second = (dates.lateness(part, "ada", times) for part in (PART, "2-next"))
    assert [(one.days, one.free, one.percent) for one in (first, second)] == [(2, 2, 0), (3, 1, 20)]
    alone = dates.lateness("2-next", "ada", {"2-next": times["2-next"]})
    assert (alone.days, alone.free, alone.percent) == (3, 2, 10)


@pytest.mark.parametrize(
    ("text", "line", "words"),
    [
        ("timezone = 'Europe/Berlim'", 1, "did you mean Europe/Berlin"),
        ("\nlate_day = 3", 2, "did you mean late_days"),
        ("[1-contxt-vectors]\ndue = 2026-11-20", 1, f"did you mean {PART}"),
        (f"[{PART}]\n\ndue = '2026-11-20'", 3, "which time zone"),
        (USUAL.replace("2026-11-20", "20.11.2026"), 7, "no date"),
        (USUAL.replace("2026-11-20", "2026-11-31"), 7, "no date"),
        (USUAL.replace("10", "-10"), 3, "from 0 to 100"),
        (USUAL + "late_days = 1.5", 8, "whole number"),
        (USUAL + "attempts = 'worst'", 8, 'neither "last" nor "best"'),
        (USUAL + f"[{PART}.extensions]\nada = '2026-11-19'", 9, "before the part is due"),
        (USUAL + f"[{PART}.extensions]\nada = 'soon'", 9, "no date"),
        (USUAL + f"[{PART}.extensions]\nada@x.org = 3", 9, "quotation marks"),
        (USUAL + "[extensions]\nada = '2026-11-29'", 9, "a number of days"),
        (USUAL + "extensions = 3", 8, "is a table"),
        (USUAL + "[1]\ndue = '2026-11-20'", 8, "second time"),
        (f"[{PART}.extensions]\nada = 3", 1, "nothing to extend"),
        (USUAL + "dropped = ['softmx']", 8, "did you mean softmax?"),
        (USUAL + "dropped = ['one_hot']", 8, f"no exercise 'one_hot' in {PART}"),
        (USUAL + "dropped = 'softmax'", 8, "a list of ids"),
        ("dropped = ['softmax']", 1, f"put it below a line that names its part, such as [{PART}]"),
        ("due = = 3", 1, "A line is a name"),
    ],
)  # fmt: skip
def test_a_mistake_is_told_with_its_line(course, text, line, words):
    path = table(course, text)
    with pytest.raises(CourseError) as told:
        read_dates(course)
    assert str(path) in str(told.value)
    assert f"line {line}" in str(told.value)
    assert words in str(told.value)


def test_brackets_within_brackets_are_told(course):
    path = table(course, "late_days = " + "[" * 100_000)
    with pytest.raises(CourseError, match=re.escape(f"{path} cannot be read: brackets")):
        read_dates(course)


def test_a_student_who_is_mistyped_is_told_and_one_who_has_not_handed_in_is_none(course):
    table(course, USUAL + f"[{PART}.extensions]\nada-lovelase = 3\n")
    with pytest.raises(CourseError, match=r"course.toml, line 9: .*did you mean ada-lovelace\?"):
        read_dates(course).strangers(["ada-lovelace", "ben"])
    table(course, USUAL + f"[{PART}.extensions]\naad = 3\n")
    with pytest.raises(CourseError, match=r"did you mean ada\?"):
        read_dates(course).strangers(["ada", "ben"])
    table(course, USUAL + f"[{PART}.extensions]\ns10013 = 3\nzoe = 2\nben = 1")
    told = read_dates(course).strangers(["s10012", "ben"])
    assert [words.partition("course.toml, ")[2] for words in told] == [
        "line 9: s10013 has not handed in anything yet; did you mean s10012?",
        "line 10: zoe has not handed in anything yet",
    ]


def test_the_example_of_readme_is_understood(course):
    (example,) = re.findall(r"```toml\n(.*?)```", (ROOT / "docs" / "teaching.md").read_text("utf-8"), re.DOTALL)
    table(course, example)
    assert late(course, "2026-11-23 17:00").days == 0
    found = late(course, "2026-11-24 17:00", "zoe")
    assert (found.days, found.free, found.percent) == (4, 3, 10)
    assert late(course, "2026-11-27 22:59", "ben").days == 0
    assert read_dates(course).rule(PART).attempts == "best"


# ---- where it shows


def marks(course):
    """The table of marks, by student."""
    text = course.report(PART).with_suffix(".csv").read_text("utf-8-sig")
    return {row["student"]: row for row in csv.DictReader(io.StringIO(text))}


@pytest.mark.grading
def test_penalties_show_everywhere_and_an_extension_that_comes_later_counts(course, fake, monkeypatch, capsys):
    monkeypatch.setattr(commands, "ROOT", course.root)
    hand_in(course, "ada")
    hand_in(course, "ben")
    hand_in(course, "chen")
    write(course, "ada", "timestamp.txt", "2026-11-22 12:00:00 UTC")
    write(course, "ben", "timestamp.txt", "2026-11-20 12:00:00 UTC")
    grade_here(course)
    assert "late penalty" not in marks(course)["ada"]
    table(course, USUAL)

    assert commands.main(["report", "1"]) == 0
    found = marks(course)
    assert {name: row["days late"] for name, row in found.items()} == {"ada": "2", "ben": "0", "chen": ""}
    assert found["ada"]["total before penalty"] == f"{ALL:g}"
    assert float(found["ada"]["late penalty"]) == pytest.approx(ALL / 5)
    assert float(found["ada"]["total"]) == pytest.approx(ALL * 0.8)
    assert float(found["ben"]["total"]) == float(found["chen"]["total"]) == ALL
    page = course.report(PART).read_text("utf-8")
    assert f"2; −{ALL / 5:.1f}" in page
    assert "It is not known when" in page
    words = marks_of(course, PART, "ada").late_words
    assert words.startswith("Handed in 2 days late (due 20 Nov 2026, 18:00 CET, handed in 22 Nov 2026, 13:00 CET).")
    assert words.endswith(f"That costs {ALL / 5:g} points of this part, 20 % of what was earned.")
    with zipfile.ZipFile(io.BytesIO(zip_of_student(PART, "ada", [], {}, marks_of(course, PART, "ada")))) as packed:
        assert words in packed.read("index.html").decode()
    resources = {"nbgrader": {"assignment": PART, "student": "ada", "notebook": "3-softmax", "late_penalty": 1.0}}
    notebook = nbformat.read(course.autograded(PART, "ada") / "3-softmax.ipynb", as_version=4)
    assert words in Summary(config=course.config).preprocess(notebook, resources)[0].cells[0].source
    with Gradebook(course.db_url, course.name) as book:
        submission = book.find_submission(PART, "ada")
        assert submission.duedate == datetime(2026, 11, 20, 17)
        assert submission.total_seconds_late == 43 * 3600
        assert submission.late_submission_penalty == pytest.approx(ALL / 5)
        # Points by hand count, too: once they are given.
        given = book.find_grade("explain-context", "4-context-vectors", PART, "ada")
        given.manual_score, given.needs_manual_grade = 2.0, False
        book.db.commit()
    commands.main(["report", "1"])
    assert float(marks(course)["ada"]["total"]) == pytest.approx((ALL + 2) * 0.8)
    assert marks(course)["ada"]["by hand"] == "2"

    table(course, USUAL + f"[{PART}.extensions]\nada = 1\nzoe = 3\n[{PART}.handed_in]\nchen = 2026-11-21")
    capsys.readouterr()
    fake.ran.clear()
    before = rows(course)
    grade_here(course, resume=True)
    assert fake.ran == []
    assert "zoe has not handed in anything yet" in capsys.readouterr().err
    found = marks(course)
    assert {name: row["days late"] for name, row in found.items()} == {"ada": "1", "ben": "0", "chen": "2"}
    assert float(found["ada"]["total"]) == pytest.approx((ALL + 2) * 0.9)
    assert [one[:3] for one in rows(course)["submission"]] == [one[:3] for one in before["submission"]]
    assert ("ada", PART, "2026-11-22 12:00:00", "1 day, 0:00:00") in rows(course)["submission"]
    # Grading anew comes to the same.
    before = [rows(course)[name] for name in ("submission", "notebook")], marks(course)
    grade_here(course, ["ada"])
    assert ([rows(course)[name] for name in ("submission", "notebook")], marks(course)) == before

    table(course, USUAL.replace("due", "du"))
    assert commands.main(["report", "1"]) == 1
    assert "line 7: du means nothing here; did you mean due?" in capsys.readouterr().err
    (course.grading / "course.toml").unlink()
    grade_here(course, resume=True)
    assert marks(course)["ada"]["total"] == f"{ALL + 2:g}"
    # What is handed back is up to date as well.
    table(course, USUAL)
    monkeypatch.setattr(handback, "_each", lambda tasks: [])
    handback.hand_back(course, PART)
    assert marks_of(course, PART, "ada").late_penalty == pytest.approx((ALL + 2) / 5)


@pytest.mark.grading
def test_an_extension_in_the_gradebook_counts_without_grading_anew(course, fake):
    course.config.LateSubmissionPlugin.penalty_method = "zero"
    hand_in(course, "ada")
    write(course, "ada", "timestamp.txt", "2026-11-22 12:00:00 UTC")
    with Gradebook(course.db_url, course.name) as book:
        book.update_or_create_assignment(PART, duedate=datetime(2026, 11, 20, 12, tzinfo=UTC).replace(tzinfo=None))
    grade_here(course)
    assert marks(course)["ada"]["total"] == "0"
    with Gradebook(course.db_url, course.name) as book:
        book.grant_extension(PART, "ada", days=2)
    fake.ran.clear()
    grade_here(course, resume=True)
    assert fake.ran == []
    assert marks(course)["ada"]["total"] == f"{ALL:g}"


@pytest.mark.grading
def test_a_student_who_is_mistyped_is_told_before_anybody_is_graded(course, fake):
    hand_in(course, "ada")
    table(course, USUAL + f"[{PART}.extensions]\nadaa = 1\n")
    with pytest.raises(CourseError, match=r"line 9: there is no student adaa; did you mean ada\?"):
        grade_here(course)
    assert not course.record(PART, "ada").exists()


# ---- what counts for nobody


DROPPED = f"[{PART}]\ndropped = ['softmax', 'explain-context']\n"


def page(course, student):
    """The table above a student's feedback."""
    notebook = nbformat.read(course.autograded(PART, student) / "3-softmax.ipynb", as_version=4)
    resources = {"nbgrader": {"assignment": PART, "student": student, "notebook": "3-softmax"}}
    return Summary(config=course.config).preprocess(notebook, resources)[0].cells[0].source


@pytest.mark.grading
def test_what_is_dropped_counts_for_nobody_until_it_is_brought_back(course, fake, monkeypatch, capsys):
    monkeypatch.setattr(commands, "ROOT", course.root)
    hand_in(course, "ada")
    hand_in(course, "ben", change=answering("softmax", ROUNDED))
    hand_in(course, "cas", change=answering("softmax", "softmax = None"))
    grade_here(course)
    before, notes = marks(course), capsys.readouterr().err
    assert "brought some back" not in notes
    assert before["ada"]["full marks"] == f"{ALL + WRITTEN:g}"
    earned = {name: grades(course, name)["softmax"] for name in before}
    assert earned["ada"] == 4 > earned["ben"] == earned["cas"] == 0

    table(course, DROPPED)
    commands.main(["report", "1"])
    assert "--resume brings them up to date" in capsys.readouterr().err
    assert marks(course) == before
    # One exercise alone: whose marks change is shown first.
    judge_again_here(course, ["softmax"])
    said = capsys.readouterr().out
    assert "  ada  4 -> 0 (dropped)" in said
    assert "Nothing was written" in said

    grade_here(course, resume=True)
    assert "brought some back" not in capsys.readouterr().err
    found = marks(course)
    for name, row in found.items():
        assert (row["automatic full marks"], row["full marks"], row["total lacks"]) == (f"{ALL - 4:g}",) * 2 + ("",)
        assert float(row["total"]) == pytest.approx(float(before[name]["total"]) - earned[name]), name
    for student, (_, full) in {name: marks_of(course, PART, name).notebooks["3-softmax"] for name in found}.items():
        assert full == FULL["3-softmax"] - 4, student
    assert not marks_of(course, PART, "ada").unread
    assert not record(course, "ada").repaired
    for student, words in (("ada", "correct"), ("ben", "looks like: "), ("cas", "not attempted")):
        (row,) = re.findall(r"<tr>(?:(?!</tr>).)*#softmax\"(?:(?!</tr>).)*</tr>", page(course, student))
        assert '<td class="points">dropped</td>' in row
        assert words in row
    notebook = nbformat.read(course.autograded(PART, "ben") / "3-softmax.ipynb", as_version=4)
    (check,) = [cell for cell in notebook.cells if grade_id(cell) == "softmax"]
    assert "counts for nobody" in check.outputs[0].data["text/plain"]
    assert check.outputs[1].data["text/plain"] == "0.0"
    assert '<td class="number">dropped</td>' in course.report(PART).read_text("utf-8")

    table(course, "")
    commands.main(["report", "1"])
    assert "--resume brings them up to date" in capsys.readouterr().err
    grade_here(course, resume=True)
    assert marks(course) == before
