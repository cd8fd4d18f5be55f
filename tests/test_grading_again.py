"""An exercise that was mended is judged again: who changes is shown first, and nothing else changes."""

import io
import json
import shutil

import classroom
import nbformat
import pytest
from classroom import PART, ROUNDED, FakeRunner, answering, grade_here, grades, hand_in, lasting, record, rows
from classroom import judge_again_here as again
from nbgrader.api import Gradebook

from grader.classroom.course import Course
from grader.classroom.marking import workers
from grader.errors import CourseError, UnknownName
from grader.exercises import BANK
from grader.notebook import grade_id

pytestmark = [pytest.mark.filterwarnings("ignore::sqlalchemy.exc.SAWarning"), pytest.mark.grading]


@pytest.fixture(scope="module")
def graded(template, tmp_path_factory):
    """Grade a class once, with points by hand. For copying only."""
    course = Course.at(shutil.copytree(template, tmp_path_factory.mktemp("graded") / "course"))
    runner = FakeRunner()
    with pytest.MonkeyPatch.context() as patched:
        patched.setattr(workers, "own_runner", lambda *about: runner)
        hand_in(course, "ada")
        hand_in(course, "ben", change=answering("softmax", ROUNDED))
        grade_here(course)
    with Gradebook(course.db_url, course.name) as book:
        given = book.find_grade("explain-context", "4-context-vectors", PART, "ben")
        given.manual_score, given.needs_manual_grade = 3.0, False
        book.db.commit()
    return course.root


@pytest.fixture
def mended(graded, tmp_path, fake, monkeypatch):
    """Return the class after softmax has been mended: whoever rounds gets the points after all. Entropy is harder."""
    real = classroom.judge

    def other(exercise, answer, seed):
        if exercise == "entropy":  # as if something else were another exercise now
            return real(exercise, None, seed)
        if exercise == "softmax":
            right = BANK["softmax"].model
            return real(exercise, lambda x: right(x) if callable(answer) else None, seed)
        return real(exercise, answer, seed)

    monkeypatch.setattr("classroom.judge", other)
    return Course.at(shutil.copytree(graded, tmp_path / "course"))


def test_only_the_exercise_changes_and_the_old_marks_are_kept(mended, fake, capsys):
    before, points, files = rows(mended), record(mended, "ben").points, lasting(mended)
    softmax = grades(mended, "ben")["softmax"]
    assert softmax < 4
    fake.ran.clear()
    assert again(mended, ["softmax"], yes=True) == 0
    assert set(fake.ran) == {"3-softmax"}
    said = capsys.readouterr().out
    assert "softmax: judged again for 2 students; the marks of 1 change." in said
    assert f"  ben  {softmax:g} -> 4 of 4\n" in said
    assert "Written." in said

    found = rows(mended)
    assert grades(mended, "ben")["softmax"] == 4
    assert record(mended, "ben").points == points + 4 - softmax
    differing = [(was[2], now[2]) for was, now in zip(before["grade"], found["grade"], strict=True) if was != now]
    assert differing == [("softmax", "softmax")]
    assert [found[name] for name in ("student", "submission", "comment")] == [
        before[name] for name in ("student", "submission", "comment")
    ]
    changed = {path for path, content in lasting(mended).items() if files[path] != content}
    assert changed == {f"autograded/ben/{PART}/3-softmax.ipynb", "ben.json"}
    text = nbformat.read(mended.autograded(PART, "ben") / "3-softmax.ipynb", as_version=4)
    (check,) = [cell for cell in text.cells if grade_id(cell) == "softmax"]
    assert "4 of 4 points" in str(check.outputs)
    lines = mended.report(PART).with_suffix(".csv").read_text("utf-8-sig").splitlines()
    assert next(line for line in lines if '"ben"' in line).endswith(f',{points + 4 - softmax + 3:g},41,""')

    (line,) = map(json.loads, (mended.grading / "changes.jsonl").read_text("utf-8").splitlines())
    assert line.pop("time")
    assert line.pop("course")
    assert set(line) - {"by"} == {"part", "student", "notebook", "exercise", "before", "after", "full"}
    assert (line["student"], line["exercise"], line["before"], line["after"]) == ("ben", "softmax", softmax, 4.0)
    # Once more, there is nothing to change.
    assert again(mended, ["softmax"], yes=True) == 0
    said = capsys.readouterr().out
    assert "the marks of 0 change" in said
    assert "Written" not in said


@pytest.mark.parametrize(
    ("terminal", "typed", "written"),
    [(False, "y\n", False), (True, "y\n", True), (True, "\n", False), (True, "", False)],
)
def test_a_person_is_asked_and_without_one_nothing_is_written(mended, monkeypatch, capsys, terminal, typed, written):
    before = rows(mended), lasting(mended)
    stdin = io.StringIO(typed)
    stdin.isatty = lambda: terminal
    monkeypatch.setattr("sys.stdin", stdin)
    assert again(mended, students=["ben"]) == 0
    said = capsys.readouterr().out
    assert "-> 4 of 4" in said
    assert ((rows(mended), lasting(mended)) != before) == written
    assert ("Nothing was written" in said) != written
    assert (mended.grading / "changes.jsonl").exists() == written
    assert ("--yes" in said) != terminal


def test_what_was_not_graded_is_not_mixed_with_what_was(mended, capsys):
    hand_in(mended, "ada", "chen")
    before = rows(mended)
    assert again(mended, ["softmax"], students=["ada"], yes=True) == 1
    assert "ada keeps the old marks: what lies in the folder of submissions is not what was graded" in (
        capsys.readouterr().err
    )
    assert rows(mended) == before


def test_a_run_that_ends_on_the_way_can_be_made_once_more(mended, monkeypatch):
    def full(*args):
        raise OSError(28, "No space left on device")

    with monkeypatch.context() as broken:
        broken.setattr("grader.classroom.marking.again.write_record", full)
        with pytest.raises(CourseError, match="disk is full"):
            again(mended, ["softmax"], yes=True)
    assert again(mended, ["softmax"], yes=True) == 0
    assert sum(one.points == 4 for one in record(mended, "ben").notebooks["3-softmax"].exercises if one.id == "softmax")
    assert grades(mended, "ben")["softmax"] == 4


def test_grading_everything_anew_tells_whose_marks_are_others(mended, capsys):
    capsys.readouterr()
    grade_here(mended)
    assert "With other marks than before (see changes.jsonl): ada, ben" in capsys.readouterr().out
    lines = map(json.loads, (mended.grading / "changes.jsonl").read_text("utf-8").splitlines())
    assert [(line["student"], line["exercise"]) for line in lines] == [
        ("ada", "entropy"),
        ("ben", "softmax"),
        ("ben", "entropy"),
    ]


def test_names_that_nobody_knows_are_told(course, fake):
    with pytest.raises(UnknownName, match=r"no exercise softmx; did you mean softmax\?"):
        again(course, ["softmx"])
    with pytest.raises(CourseError, match="has not been graded yet"):
        again(course)
    hand_in(course, "ada")
    grade_here(course)
    with pytest.raises(UnknownName, match="zoe has not been graded"):
        again(course, students=["zoe"])
