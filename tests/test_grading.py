"""Grading a class: the marks, when it was handed in, and the seeds of its inputs."""

import datetime
import json
import os
import shutil
import stat
import threading

import nbformat
import pytest
from classroom import (
    FULL,
    GARBAGE,
    NOTEBOOKS,
    PART,
    WRITTEN,
    FakeRunner,
    answering,
    grade_here,
    grades,
    hand_in,
    make_course,
    record,
    rows,
    tree,
    write,
)
from courseware import ROOT, check_cells, read
from nbgrader.api import Gradebook
from nbgrader.preprocessors import AssignLatePenalties, CheckCellMetadata, SaveAutoGrades
from nbgrader.utils import determine_grade

from grader.classroom.course import Course
from grader.classroom.marking import seeds, submission, workers
from grader.classroom.marking.grade import make_plan
from grader.classroom.sandbox.limits import Limits
from grader.errors import CourseError
from grader.judging.verdict import Finding, State, Verdict

pytestmark = pytest.mark.filterwarnings("ignore::sqlalchemy.exc.SAWarning")


SOFTMAX = read(ROOT / "notebooks" / PART / "3-softmax.ipynb")


@pytest.fixture
def ungraded(tmp_path):
    """Return a course without a gradebook, which is quick to make."""
    return make_course(tmp_path / "course", register_it=False)


def test_a_runner_that_is_no_test_s_own_is_the_real_one():
    """What stands in a module of the tests is run when they are collected: it may put nothing into the grader."""
    assert workers.own_runner.__module__ == workers.local_workers.__module__ == workers.__name__


# ---- the marks


@pytest.mark.parametrize("change", [{"sandboxed": False}, {"limits": Limits(cell=7)}, {"released": {}}])
def test_a_plan_has_another_version_when_grades_may_come_out_otherwise(ungraded, change):
    usual = {"released": ungraded.released(PART), "sandboxed": True, "limits": None}
    version = make_plan(ungraded, PART, **usual).version
    assert make_plan(ungraded, PART, **usual).version == version
    assert make_plan(ungraded, PART, **usual | change).version != version


@pytest.mark.grading
def test_a_class_gets_its_marks_records_notebooks_log_report_and_summary(course, fake, capsys):
    for student, kind in (("ada", "ada"), ("ben", "ben"), ("dora", "dora")):
        hand_in(course, student, kind)
    assert grade_here(course) == 0
    assert record(course, "ada").points == sum(FULL.values())
    assert record(course, "ada").written_points == WRITTEN > 0
    assert 0 < record(course, "ben").points < record(course, "ada").points
    softmax = next(one for one in record(course, "dora").notebooks["3-softmax"].exercises if one.id == "softmax")
    assert list(softmax.mistakes) == ["columns"]
    assert softmax.mistakes["columns"].startswith("you normalised down the columns")
    assert softmax.state is State.NOT_YET_RIGHT
    for student in ("ada", "ben", "dora"):
        automatic = {name: points for name, points in grades(course, student).items() if name != "explain-context"}
        exercises = [one for notebook in record(course, student).notebooks.values() for one in notebook.exercises]
        assert automatic == {one.id: one.points for one in exercises}
        for name in NOTEBOOKS:
            path = course.autograded(PART, student) / f"{name}.ipynb"
            shown = {cell.id: determine_grade(cell)[0] for cell in check_cells(nbformat.read(path, as_version=4))}
            assert shown == {one.id: one.points for one in record(course, student).notebooks[name].exercises}
    log = [json.loads(line) for line in course.report(PART).with_name(f"{PART}.log.jsonl").read_text().splitlines()]
    assert [line["student"] for line in log] == ["ada", "ben", "dora"]
    assert {"repair", "learner", "build", "save"} <= set(log[0]["seconds"])
    said = capsys.readouterr().out
    assert f"{PART}: 3 submissions graded" in said
    assert f"A person marks {WRITTEN:g} more points" in said
    assert str(course.report(PART)) in said
    assert course.report(PART).exists()


@pytest.mark.grading
def test_which_of_several_files_counts_is_said_by_student(course, fake, capsys):
    hand_in(course, "ada", "ada")
    hand_in(course, "ben", "ben")
    own = course.submitted(PART, "ada") / f"{NOTEBOOKS[0]}.ipynb"
    own.with_name(f"{NOTEBOOKS[0]} (1).ipynb").write_bytes(own.read_bytes())
    grade_here(course)
    said = capsys.readouterr().out
    line = f"  ada: `{NOTEBOOKS[0]} (1).ipynb` was set aside: `{NOTEBOOKS[0]}.ipynb` was taken for {NOTEBOOKS[0]}.\n"
    assert f"Of several files for one notebook, one counts:\n{line}" in said
    assert "  ben" not in said


@pytest.mark.grading
def test_the_gradebook_is_what_nbgrader_itself_would_have_written(template, tmp_path, fake):
    ours, theirs = (_late_course(template, tmp_path / name) for name in ("ours", "theirs"))
    _both_graded(ours, theirs)
    assert rows(ours) == rows(theirs)
    assert {row[5] for row in rows(ours)["grade"]} == {"None"}

    # By hand, in formgrader: a written answer, a score changed, extra credit, comments, an extension.
    for course in (ours, theirs):
        with Gradebook(course.db_url, course.name) as book:
            for name, notebook, points in (("explain-context", "4-context-vectors", 3.5), ("softmax", "3-softmax", 1)):
                given = book.find_grade(name, notebook, PART, "on-time")
                given.manual_score, given.needs_manual_grade = points, False
            book.find_grade("entropy", "3-softmax", PART, "late").extra_credit = 0.5
            book.find_comment("softmax-answer", "3-softmax", PART, "on-time").manual_comment = "see me"
            book.db.commit()
            book.grant_extension(PART, "extended", days=30)
    # Handed in anew, one of them later still.
    for course in (ours, theirs):
        hand_in(course, "on-time", "dora")
        hand_in(course, "untouched", "chen", answering("softmax", "x = 1"))
        write(course, "late", "timestamp.txt", "2026-03-01 12:00:00.000000 UTC")
    _both_graded(ours, theirs)
    # nbgrader asks whoever has marked an answer to look again in any case; here, where it has changed.
    for course, asked in ((ours, False), (theirs, True)):
        with Gradebook(course.db_url, course.name) as book:
            given = book.find_grade("explain-context", "4-context-vectors", PART, "on-time")
            assert given.needs_manual_grade is asked
            given.needs_manual_grade = False
            book.db.commit()
    assert rows(ours) == rows(theirs)
    by_hand = {row[2]: row[4] for row in rows(ours)["grade"] if row[0] == "on-time"}
    assert by_hand["explain-context"] == "3.5"
    assert by_hand["softmax"] == "1.0"
    penalties = {row[0]: row[3] for row in rows(ours)["notebook"] if row[1] == "3-softmax"}
    assert penalties == {
        "on-time": "None",
        "untouched": "None",
        "late": str(FULL["3-softmax"] + 0.5),
        "extended": "None",
    }
    comments = {row[2]: row[3] for row in rows(ours)["comment"] if row[0] == "untouched"}
    assert comments["softmax-answer"] == "None"
    assert comments["entropy-answer"] == "No response."


def _late_course(template, folder):
    shutil.copytree(template, folder)
    with (folder / "nbgrader_config.py").open("a") as config:
        config.write('c.LateSubmissionPlugin.penalty_method = "zero"\n')
    course = Course.at(folder)
    with Gradebook(course.db_url, course.name) as book:
        book.update_or_create_assignment(PART, duedate="2026-01-10 12:00:00")
    for student, kind, handed_in in (
        ("on-time", "ada", "2026-01-10 12:00:00.000000 UTC"),
        ("late", "ada", "2026-01-10 12:00:01.000000 UTC"),
        ("extended", "dora", "2026-02-01 10:00:00 +0200"),
        ("untouched", "chen", None),
    ):
        hand_in(course, student, kind)
        if handed_in:
            write(course, student, "timestamp.txt", handed_in)
    return course


def _both_graded(ours, theirs):
    """Grade with ours, and have nbgrader's own preprocessors read our executed notebooks into the other gradebook."""
    assert grade_here(ours) == 0
    for student in theirs.students(PART):
        with Gradebook(theirs.db_url, theirs.name) as book:
            book.update_or_create_student(student)
            path = theirs.submitted(PART, student) / "timestamp.txt"
            at = {"timestamp": path.read_text()} if path.exists() else {}
            book.update_or_create_submission(PART, student, **at)
        for name in NOTEBOOKS:
            notebook = nbformat.read(ours.autograded(PART, student) / f"{name}.ipynb", as_version=4)
            about = {"student": student, "assignment": PART, "notebook": name, "db_url": theirs.db_url}
            for stage in (SaveAutoGrades, AssignLatePenalties, CheckCellMetadata):
                stage(config=theirs.config).preprocess(notebook, {"nbgrader": about})


@pytest.mark.grading
def test_a_file_that_is_gone_or_damaged_costs_the_old_marks_and_says_why(course, fake, capsys):
    hand_in(course, "ada")
    hand_in(course, "ben")
    grade_here(course)
    with Gradebook(course.db_url, course.name) as book:
        book.find_grade("entropy", "3-softmax", PART, "ada").manual_score = 2.5
        book.db.commit()
    (course.submitted(PART, "ada") / "3-softmax.ipynb").unlink()
    write(course, "ben", "3-softmax.ipynb", GARBAGE)
    (course.autograded(PART, "ben") / "left-from-before.txt").touch()
    assert grade_here(course) == 0
    for student, status, words in (("ada", "missing", "not handed in"), ("ben", "unreadable", "")):
        found = record(course, student).notebooks["3-softmax"]
        assert found.status == status
        assert found.points == 0
        assert all(one.points == 0 and words in one.reason and one.reason for one in found.exercises)
        assert record(course, student).points == FULL["4-context-vectors"]
        softmax = {row[2]: row[3] for row in rows(course)["grade"] if row[:2] == (student, "3-softmax")}
        assert set(softmax.values()) == {"0.0"}
    # What a person gave stays for a person to take back, and is marked for it.
    entropy = next(row for row in rows(course)["grade"] if row[0] == "ada" and row[2] == "entropy")
    assert entropy[4] == "2.5"
    assert entropy[6] is True
    assert sorted(path.name for path in course.autograded(PART, "ben").iterdir()) == [
        f"{name}.ipynb" for name in NOTEBOOKS
    ]
    shown = (course.autograded(PART, "ada") / "3-softmax.ipynb").read_text()
    assert "softmax: not handed in, 0 of 4 points" in shown
    assert "missing or not readable: ada, ben" in capsys.readouterr().out


@pytest.mark.parametrize(
    "outputs",
    [
        [],
        [{"output_type": "execute_result", "data": {"text/plain": "nan"}}],
        [{"output_type": "execute_result", "data": {"text/plain": "-1"}}],
        [{"output_type": "execute_result", "data": {"text/plain": "4.0"}}],
        [{"output_type": "execute_result", "data": {"text/html": "4"}}],
        [{"output_type": "stream", "name": "stdout", "text": "4.0"}],
        [{"output_type": "display_data", "data": {"text/plain": "4.0"}}],
    ],
    ids=lambda outputs: str(outputs)[:70],
)
@pytest.mark.parametrize("points", [None, 0.0, 1.2, float("nan"), 99.0])
def test_a_check_cell_counts_what_its_verdict_says_whatever_it_shows(outputs, points):
    notebook = nbformat.from_dict(json.loads(nbformat.writes(SOFTMAX)))
    cell = next(cell for cell in check_cells(notebook) if cell.id == "softmax")
    cell.outputs = nbformat.from_dict([{"metadata": {}, "execution_count": 1, **output} for output in outputs])
    verdicts = {} if points is None else {"softmax": Verdict("softmax", points, 4.0, (Finding("it is right", False),))}
    exercises, marks = submission.settle(notebook, SOFTMAX, verdicts, {"softmax": "the process ended"})
    entry = next(one for one in exercises if one.id == "softmax")
    expected = points if points in (0.0, 1.2) else 0.0
    assert entry.points == marks.scores["softmax"] == determine_grade(cell)[0] == expected
    assert bool(entry.reason) == (points not in (0.0, 1.2))
    assert all(
        marks.scores[one.id] == determine_grade(one)[0] == 0.0 for one in check_cells(notebook) if one is not cell
    )


# ---- when it was handed in


@pytest.mark.parametrize(
    ("text", "time", "note"),
    [
        (b"2026-01-10 12:00:00.000000 UTC", datetime.datetime(2026, 1, 10, 12), ""),
        (b"2026-01-10T12:00:00+02:00\n", datetime.datetime(2026, 1, 10, 10), ""),
        (None, None, ""),
        (b"", None, "it does not say a time"),
        (b"yesterday", None, "it does not say a time"),
        (b"\xff\xfe\x00", None, "it does not say a time"),
        (b"0001-01-01 00:00:00 +1400", None, "it does not say a time"),
        (b"2026-01-10 12:00:00 99999999999999999999", None, "it does not say a time"),
        (b"2026-01-10 " * 1000, None, "it is no short text file"),
    ],
)
def test_a_timestamp_is_read_or_ignored_and_told(tmp_path, text, time, note):
    if text is not None:
        (tmp_path / "timestamp.txt").write_bytes(text)
    found, kept, words = submission.read_timestamp(tmp_path)
    assert found == time
    assert kept == (text if time else None)
    assert words == (f"timestamp.txt was ignored: {note}" if note else "")


@pytest.mark.skipif(os.name == "nt", reason="symlinks need rights on Windows")
def test_a_timestamp_is_never_read_through_a_symlink_or_from_a_device(tmp_path):
    (tmp_path / "elsewhere").write_text("2026-01-10 12:00:00 UTC")
    (tmp_path / "timestamp.txt").symlink_to("elsewhere")
    assert submission.read_timestamp(tmp_path) == (None, None, "timestamp.txt was ignored: it is no short text file")
    (tmp_path / "timestamp.txt").unlink()
    os.mkfifo(tmp_path / "timestamp.txt")
    assert submission.read_timestamp(tmp_path)[0] is None


@pytest.mark.grading
def test_a_garbage_timestamp_is_noted_and_costs_nothing(course, fake):
    hand_in(course, "ada")
    write(course, "ada", "timestamp.txt", "the day before yesterday")
    hand_in(course, "ben")
    write(course, "ben", "timestamp.txt", "2026-01-10 12:00:00.000000 UTC")
    assert grade_here(course) == 0
    assert record(course, "ada").points == sum(FULL.values())
    assert "timestamp.txt was ignored: it does not say a time" in record(course, "ada").notes
    assert [row[2] for row in rows(course)["submission"]] == ["None", "2026-01-10 12:00:00"]
    assert (course.autograded(PART, "ben") / "timestamp.txt").exists()
    assert not (course.autograded(PART, "ada") / "timestamp.txt").exists()


# ---- seeds


def test_seeds_are_made_once_and_nobody_else_may_read_them(ungraded):
    made = seeds.stored_seeds(ungraded, ["softmax", "entropy"])
    path = ungraded.grading / "seeds.json"
    assert len(set(made.values())) == 2
    assert all(len(seed) == 64 for seed in made.values())
    if os.name == "posix":
        assert stat.S_IMODE(path.stat().st_mode) == 0o600
        path.chmod(0o644)
        assert seeds.stored_seeds(ungraded, ["softmax"]) == made
        assert stat.S_IMODE(path.stat().st_mode) == 0o600
    more = seeds.stored_seeds(ungraded, ["softmax", "scores"])
    assert more["softmax"] == made["softmax"]
    assert set(more) == {"softmax", "entropy", "scores"}
    assert seeds.stored_seeds(ungraded, ["scores"]) == more
    assert sorted(ungraded.grading.iterdir()) == [path]
    if os.name == "posix":
        assert stat.S_IMODE(path.stat().st_mode) == 0o600


def test_two_that_make_seeds_at_once_agree(ungraded):
    found, start = [], threading.Barrier(8)

    def make():
        start.wait()
        found.append(seeds.stored_seeds(ungraded, ["softmax"])["softmax"])

    threads = [threading.Thread(target=make) for _ in range(8)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert len(found) == 8
    assert len(set(found)) == 1


@pytest.mark.parametrize("text", ['{"softmax": ', "[]", '{"softmax": 7}', ""])
def test_damaged_seeds_are_told_and_left_alone(ungraded, text):
    path = ungraded.grading / "seeds.json"
    path.parent.mkdir(exist_ok=True)
    path.write_text(text)
    with pytest.raises(CourseError, match="damaged; bring it back from a backup, or delete it"):
        seeds.stored_seeds(ungraded, ["softmax"])
    assert path.read_text() == text


@pytest.mark.grading
def test_the_same_file_meets_the_same_inputs_and_another_file_others(course, monkeypatch):
    met = []

    class Noting(FakeRunner):
        def run(self, name, notebook, seed_of, released=None):
            met.append({exercise: seed_of(exercise) for exercise in ("softmax", "entropy")})
            return super().run(name, notebook, seed_of, released)

    monkeypatch.setattr(workers, "own_runner", lambda *about: Noting())
    hand_in(course, "ada")
    hand_in(course, "twin")
    (course.submitted(PART, "ada") / "4-context-vectors.ipynb").unlink()
    (course.submitted(PART, "twin") / "4-context-vectors.ipynb").unlink()
    grade_here(course)
    grade_here(course)
    assert met[0] == met[1] == met[2] == met[3]
    assert met[0]["softmax"] != met[0]["entropy"]
    path = course.submitted(PART, "ada") / "3-softmax.ipynb"
    path.write_text(path.read_text() + "\n")
    grade_here(course, ["ada"])
    assert met[4]["softmax"] != met[0]["softmax"]
    # They are in no file but their own, neither as they are stored nor as they are used.
    secret = json.loads((course.grading / "seeds.json").read_text())
    told = [*secret.values(), *(str(seed) for one in met for seed in one.values())]
    for path in course.root.rglob("*"):
        if path.is_file() and path.name != "seeds.json":
            content = path.read_bytes()
            assert not any(one.encode() in content for one in told), path


# ---- what is handed in is only read


@pytest.mark.grading
def test_what_was_handed_in_is_only_read(course, fake):
    hand_in(course, "ada")
    write(course, "ada", "3-softmax (1).ipynb", GARBAGE)
    write(course, "ada", "numpy.py", "raise SystemExit")
    write(course, "ada", "timestamp.txt", "2026-01-10 12:00:00 UTC")
    (course.submitted(PART, "ada") / "link.ipynb").symlink_to("/etc/passwd")
    top = course.submitted(PART, "ada").parent.parent
    for path in top.rglob("*"):
        if not path.is_symlink():
            path.chmod(0o500 if path.is_dir() else 0o400)
    before = tree(top)
    assert grade_here(course) == 0
    assert tree(top) == before
    for path in top.rglob("*"):
        if path.is_dir():
            path.chmod(0o700)  # so that pytest can clean up
