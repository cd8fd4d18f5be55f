"""Marks in nbgrader's gradebook, by themselves: a small part, no grading, and every row looked at."""

import contextlib
import datetime
import gc
import logging
import shutil
import sqlite3
import threading
import warnings
from types import SimpleNamespace

import alembic.script
import nbgrader.api
import pytest
from nbformat.v4 import new_code_cell, new_markdown_cell, new_notebook
from nbgrader.api import Base, Gradebook, InvalidEntry
from nbgrader.plugins import BasePlugin
from sqlalchemy import create_engine, event, inspect
from sqlalchemy.exc import OperationalError, SAWarning
from sqlalchemy.pool import Pool

from grader.classroom.course import Course
from grader.classroom.gradebook import part_book
from grader.classroom.gradebook.cells import (
    marks_of,
    must_have_gradebook,
    points_by_hand,
    prepare_gradebook,
    register,
    register_all,
)
from grader.classroom.gradebook.part_book import PATIENCE, PartBook
from grader.classroom.marking.submission import CellMarks
from grader.errors import CourseError, DiskFull, NotebookError
from grader.notebook import as_json
from grader.places import ROOT

pytestmark = pytest.mark.more

PART, OTHER = "part", "other"
NOON = datetime.datetime(2030, 1, 2, 12)
HOUR = datetime.timedelta(hours=1)
#: What nbgrader calls a cell of each kind.
KINDS = {
    "answer": {"solution": True},
    "check": {"grade": True, "locked": True},
    "essay": {"grade": True, "solution": True},
    "text": {"locked": True},
    "task": {"task": True, "locked": True},
}


def cell(kind, grade_id, points=None, source=""):
    """A cell of a kind, as it is handed out."""
    new = new_code_cell if kind in ("answer", "check") else new_markdown_cell
    about = {"schema_version": 3, "grade_id": grade_id, "grade": False, "solution": False, "locked": False}
    about |= {"task": False, "checksum": f"of {grade_id}", **KINDS[kind]}
    if points is not None:
        about["points"] = points
    return new(source or f"# {grade_id}", metadata={"nbgrader": about})


def released():
    """The notebooks of the part: one with two checks and an essay, and one with a check and a task."""
    fit = [cell("answer", "fit-answer"), cell("check", "fit", 4), cell("check", "fit-more", 3)]
    fit += [new_markdown_cell("nothing of nbgrader's", id="by-itself"), cell("essay", "why", 2), cell("text", "data")]
    return {
        "fit": new_notebook(cells=fit),
        "add": new_notebook(cells=[cell("answer", "add-answer"), cell("check", "add", 5), cell("task", "draw", 7)]),
    }


def released_beside():
    """A part with a notebook and cells of the same names."""
    return {"fit": new_notebook(cells=[cell("check", "fit", 11), cell("check", "more", 1), cell("essay", "why", 13)])}


@pytest.fixture(scope="module")
def template(tmp_path_factory):
    """Make a gradebook with the part and the one beside it, once; for copying only."""
    folder = tmp_path_factory.mktemp("gradebook") / "course"
    course = Course.apart(folder)
    assert register(course, PART, released()) == {}
    assert register(course, OTHER, released_beside()) == {}
    return folder


@pytest.fixture
def course(template, tmp_path):
    """Return a course of the test's own."""
    shutil.copytree(template, tmp_path / "course")
    return Course.apart(tmp_path / "course")


@pytest.fixture(autouse=True)
def connections():
    """Hold that whatever opens the gradebook closes it: on Windows nobody can move or delete it otherwise."""
    opened = set()

    def opens(connection, _):
        opened.add(connection)

    def closes(connection, _):
        opened.discard(connection)

    gc.disable()  # it would close what nobody did
    event.listen(Pool, "connect", opens)
    event.listen(Pool, "close", closes)
    yield opened
    event.remove(Pool, "connect", opens)
    event.remove(Pool, "close", closes)
    gc.enable()
    assert not opened


@pytest.fixture(autouse=True)
def no_program(monkeypatch):
    """Fail where nbgrader would start a program to make the tables."""

    def starts():
        raise AssertionError("a program was started, which takes seconds")

    monkeypatch.setattr(nbgrader.api, "get_alembic_version", starts)


# ---- looking and entering, with nbgrader's own gradebook


@contextlib.contextmanager
def opened(course):
    """The gradebook as nbgrader opens it."""
    with warnings.catch_warnings(), Gradebook(course.db_url, course.name) as book:
        warnings.simplefilter("ignore", SAWarning)  # about relations between nbgrader's own tables
        yield book
        book.db.commit()


def select(course, columns, table, student, part):
    """Rows of a submission in one of the gradebook's tables: read without nbgrader, which takes longer."""
    query = f"""
        select {columns} from {table}
        join submitted_notebook as mine on mine.id = {table}.notebook_id
        join notebook on notebook.id = mine.notebook_id
        join submitted_assignment as submission on submission.id = mine.assignment_id
        join assignment on assignment.id = submission.assignment_id
        join base_cell as cell on cell.id = {table}.cell_id
        where submission.student_id = ? and assignment.name = ?
    """
    with contextlib.closing(sqlite3.connect(course.grading / "gradebook.db")) as db:
        return db.execute(query, (student, part)).fetchall()


def entries(course, student, part=PART):
    """What there is of each graded cell of a submission: automatic score, score by hand, extra credit, to be marked."""
    columns = "cell.name, auto_score, manual_score, extra_credit, needs_manual_grade"
    found = select(course, columns, "grade", student, part)
    assert len({row[0] for row in found}) == len(found)
    return {name: (auto, manual, extra, bool(needs)) for name, auto, manual, extra, needs in found}


def comments(course, student, part=PART):
    """Automatic comment and comment by hand of each cell that has any."""
    found = select(course, "cell.name, auto_comment, manual_comment", "comment", student, part)
    assert len({row[0] for row in found}) == len(found)
    return {name: (auto, manual) for name, auto, manual in found}


def penalties(course, student, part=PART):
    """What is taken off each notebook for being late."""
    return dict(select(course, "notebook.name, late_submission_penalty", "grade", student, part))


def timestamps(course, part=PART):
    """When each student handed in."""
    with opened(course) as book:
        return {one.student_id: one.timestamp for one in book.assignment_submissions(part)}


def by_hand(course, student, part=PART, **given):
    """Mark as a person does in formgrader: a score and extra credit for each cell."""
    with opened(course) as book:
        for one in book.find_submission(part, student).notebooks:
            for grade in one.grades:
                if grade.name in given:
                    grade.manual_score, grade.extra_credit = given[grade.name]
                    grade.needs_manual_grade = False


def due(course, when, part=PART):
    """Say when a part is due."""
    with opened(course) as book:
        book.update_or_create_assignment(part, duedate=when)


def contents(course):
    """All that is in the gradebook's tables."""
    with contextlib.closing(sqlite3.connect(course.grading / "gradebook.db")) as db:
        return "\n".join(db.iterdump())


@pytest.fixture
def book(course):
    """Return the part, open."""
    with PartBook(course, PART, released(), say=pytest.fail) as book:
        yield book


#: What a student has earned: the essay is for a person to mark.
EARNED = {
    "fit": CellMarks({"fit": 3.5, "fit-more": 0.0, "why": None}, {"fit-answer": "Well done.", "why": "Long."}),
    "add": CellMarks({"add": 5.0}, {"add-answer": None}),
}
UNMARKED = (None, None, None, True)


def scored(**scores):
    """Marks as earned, but for these scores of the first notebook."""
    return EARNED | {"fit": CellMarks(EARNED["fit"].scores | scores, EARNED["fit"].comments)}


# ---- making the gradebook


def url_of(path):
    """The address of a gradebook."""
    return f"sqlite:///{path.as_posix()}"


def test_a_gradebook_of_an_older_nbgrader_is_not_taken_for_a_fresh_one(tmp_path):
    with contextlib.closing(sqlite3.connect(tmp_path / "old.db")) as db:
        db.execute("create table student (id varchar(128) not null primary key)")
    prepare_gradebook(url_of(tmp_path / "old.db"))
    engine = create_engine(url_of(tmp_path / "old.db"))
    assert inspect(engine).get_table_names() == ["student"]
    engine.dispose()


def test_two_that_make_the_gradebook_at_once_make_one(tmp_path):
    start, problems = threading.Barrier(4), []

    def make():
        start.wait()
        try:
            prepare_gradebook(f"{url_of(tmp_path / 'gradebook.db')}?timeout=60")
        except Exception as problem:
            problems.append(problem)

    threads = [threading.Thread(target=make) for _ in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert problems == []
    with contextlib.closing(sqlite3.connect(tmp_path / "gradebook.db")) as db:
        assert db.execute("select count(*) from alembic_version").fetchone() == (1,)
        tables = {name for (name,) in db.execute("select name from sqlite_master where type = 'table'")}
    assert tables == {*Base.metadata.tables, "alembic_version"}


def test_a_gradebook_that_cannot_be_finished_is_not_begun(tmp_path, monkeypatch):
    def fails(folder):
        raise OSError("of all things")

    path = tmp_path / "gradebook.db"
    with monkeypatch.context() as broken:
        broken.setattr(alembic.script, "ScriptDirectory", fails)
        with pytest.raises(OSError, match="of all things"):
            prepare_gradebook(url_of(path))
    with contextlib.closing(sqlite3.connect(path)) as db:
        assert db.execute("select * from sqlite_master").fetchall() == []
    prepare_gradebook(url_of(path))
    Gradebook(url_of(path)).close()


def test_without_a_gradebook_it_is_said_how_to_get_one(course, tmp_path):
    must_have_gradebook(course, PART)
    (course.grading / "gradebook.db").unlink()
    with pytest.raises(CourseError, match=r"there is no gradebook .*gradebook\.db; grade first: .* grade part"):
        must_have_gradebook(course, PART)
    with pytest.raises(CourseError, match="there is no gradebook None"):
        must_have_gradebook(SimpleNamespace(db_url="sqlite://"), PART)
    # A server's is not a file.
    must_have_gradebook(SimpleNamespace(db_url="postgresql://server/gradebook.db"), PART)
    must_have_gradebook(SimpleNamespace(db_url=f"postgresql://server/{tmp_path}"), PART)
    assert not (course.grading / "gradebook.db").exists()


# ---- the cells of a part


def test_a_part_is_made_known_with_all_its_cells_wherever_the_gradebook_is_to_be(tmp_path):
    course = Course.apart(tmp_path / "not" / "there" / "yet")
    assert register(course, PART, released()) == {}
    with opened(course) as book:
        assert [one.name for one in book.assignments] == [PART]
        found = {one.name: one for one in book.find_assignment(PART).notebooks}
        assert set(found) == {"fit", "add"}
        grades = {(one.name, one.max_score, one.cell_type) for one in found["fit"].grade_cells}
        assert grades == {("fit", 4, "code"), ("fit-more", 3, "code"), ("why", 2, "markdown")}
        assert {one.name for one in found["fit"].solution_cells} == {"fit-answer", "why"}
        assert {(one.name, one.max_score) for one in found["add"].task_cells} == {("draw", 7)}
        sources = {one.name: (one.source, one.checksum, one.locked) for one in found["fit"].source_cells}
        assert set(sources) == {"fit-answer", "fit", "fit-more", "why", "data"}
        assert sources["data"] == ("# data", "of data", True)
        assert sources["why"] == ("# why", "of why", False)


def changed(name, grade_id, source=None, **about):
    """The part as handed out, with one cell otherwise."""
    notebooks = released()
    for one in notebooks[name].cells:
        if one.metadata.get("nbgrader", {}).get("grade_id") == grade_id:
            one.metadata.nbgrader.update(about)
            one.source = one.source if source is None else source
    return notebooks


def parts(course):
    """Names of all notebooks, with their part's."""
    with opened(course) as book:
        return {(part.name, one.name) for part in book.assignments for one in part.notebooks}


def test_a_part_that_is_known_already_is_left_alone(course):
    before = (course.grading / "gradebook.db").read_bytes()
    assert register(course, PART, released()) == {}
    assert register(course, OTHER, released_beside()) == {}
    assert (course.grading / "gradebook.db").read_bytes() == before


@pytest.mark.parametrize(
    "notebooks",
    [
        changed("fit", "fit", source="check(fit)"),
        changed("fit", "fit", checksum="another"),
        changed("fit", "fit-more", points=6),
        changed("fit", "data", locked=False, solution=True),
        changed("add", "add", solution=True),
        released() | {"third": new_notebook(cells=[cell("check", "more", 1)])},
        released() | {"add": new_notebook(cells=released()["add"].cells[:-1])},
    ],
)
def test_a_part_whose_cells_have_changed_is_made_known_anew(course, notebooks):
    beside = cells_of(course, OTHER)
    assert register(course, PART, notebooks) == {}
    assert cells_of(course, PART) == {
        (name, about.grade_id, one.source, about.checksum, float(about.points) if about.grade else None, about.solution)
        for name, notebook in notebooks.items()
        for one in notebook.cells
        if (about := one.metadata.get("nbgrader"))
    }
    assert cells_of(course, OTHER) == beside


def cells_of(course, part):
    """What the gradebook has of a part's cells: source, checksum, points and whether a learner writes there."""
    with opened(course) as book:
        found = set()
        for one in book.find_assignment(part).notebooks:
            points = {row.name: row.max_score for row in one.grade_cells}
            answers = {row.name for row in one.solution_cells}
            for row in one.source_cells:
                about = points.get(row.name), row.name in answers
                found.add((one.name, row.name, row.source, row.checksum, *about))
        return found


def test_cells_that_marks_hang_on_stay_and_it_is_told(course, book):
    book.save("ada", EARNED)
    before = contents(course)
    fewer = released() | {"fit": new_notebook(cells=released()["fit"].cells[:2])}
    kept = register(course, PART, fewer)
    assert list(kept) == ["fit"]
    assert "there are submissions associated with it" in kept["fit"]
    assert contents(course) == before
    with pytest.raises(CourseError, match=r"part/fit has other graded cells now.*`nbgrader db assignment remove part"):
        PartBook(course, PART, fewer)
    # The same cells with other words are no hindrance.
    assert register(course, PART, changed("fit", "fit", source="check(fit)")) == {}
    assert entries(course, "ada")["fit"] == (3.5, None, None, False)


def test_a_cell_that_cannot_be_graded_is_told_with_its_notebook(course):
    with pytest.raises(NotebookError, match="part/add: 'points'"):
        register(course, PART, released() | {"add": new_notebook(cells=[cell("task", "draw")])})


def test_a_gradebook_that_is_in_use_is_no_fault_of_a_notebook(course, caplog):
    caplog.set_level(logging.CRITICAL)
    course.db_url += "?timeout=0.01"
    with locked(course), pytest.raises(InvalidEntry, match="locked"):
        register(course, PART, changed("fit", "fit", source="check(fit)"))


def test_all_parts_are_made_known_and_what_stays_as_it_was_is_told(tmp_path, capsys):
    (tmp_path / "nbgrader_config.py").write_bytes((ROOT / "nbgrader_config.py").read_bytes())
    for part, notebooks in ((PART, released()), (OTHER, released_beside())):
        for name, one in notebooks.items():
            path = tmp_path / "solutions" / part / f"{name}.ipynb"
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_text(as_json(one), encoding="utf-8")
    register_all(tmp_path)
    course = Course.at(tmp_path)
    assert parts(course) == {(PART, "fit"), (PART, "add"), (OTHER, "fit")}
    assert capsys.readouterr().err == ""
    with PartBook(course, PART, course.released(PART)) as book:
        book.save("ada", EARNED)
    fewer = new_notebook(cells=released()["add"].cells[:2])
    (tmp_path / "solutions" / PART / "add.ipynb").write_text(as_json(fewer), encoding="utf-8")
    register_all(tmp_path)
    said = capsys.readouterr().err
    assert said.startswith("part/add stays as it was in the gradebook: Cannot add or remove cells")
    assert said.count("stays as it was") == 1
    assert "draw" in entries(course, "ada")


# ---- storing marks


def test_what_was_earned_is_stored_and_the_rest_waits_for_a_person(course, book):
    book.save("ada", EARNED)
    assert entries(course, "ada") == {
        "fit": (3.5, None, None, False),
        "fit-more": (0.0, None, None, False),
        "why": UNMARKED,
        "add": (5.0, None, None, False),
        "draw": UNMARKED,
    }
    assert comments(course, "ada") == {
        "fit-answer": ("Well done.", None),
        "why": ("Long.", None),
        "add-answer": (None, None),
        "draw": (None, None),
    }
    assert penalties(course, "ada") == {"fit": None, "add": None}
    assert timestamps(course) == {"ada": None}


def test_a_notebook_or_a_cell_that_is_not_there_earns_nothing(course, book):
    book.save("ada", {"fit": CellMarks({"fit": 4.0})})
    assert entries(course, "ada") == {
        "fit": (4.0, None, None, False),
        "fit-more": (0.0, None, None, False),
        "why": (0.0, None, None, False),
        "add": (0.0, None, None, False),
        "draw": UNMARKED,
    }
    assert set(comments(course, "ada").values()) == {(None, None)}


def test_each_student_and_each_part_has_its_own_marks(course, book):
    with PartBook(course, OTHER, released_beside()) as beside:
        beside.save("ben", {"fit": CellMarks({"fit": 11.0, "why": None})})
        beside.save("ada", {"fit": CellMarks({"fit": 7.0, "why": None})})
        assert book.graded() == set()
        book.save("ben", EARNED, NOON)
        assert book.graded() == {"ben"}
        book.save("ada", scored(fit=1.0))
        assert book.graded() == {"ada", "ben"}
        assert beside.graded() == {"ada", "ben"}
        book.save("chen", scored(fit=2.0), NOON + HOUR)
        assert beside.graded() == {"ada", "ben"}
    with opened(course) as found:
        assert sorted(one.id for one in found.students) == ["ada", "ben", "chen"]
    assert [entries(course, who)["fit"][0] for who in ("ada", "ben", "chen")] == [1.0, 3.5, 2.0]
    beside = {who: entries(course, who, OTHER) for who in ("ada", "ben")}
    assert [one["fit"][0] for one in beside.values()] == [7.0, 11.0]
    assert set(beside["ada"]) == {"fit", "more", "why"}
    assert timestamps(course) == {"ada": None, "ben": NOON, "chen": NOON + HOUR}
    assert timestamps(course, OTHER) == {"ada": None, "ben": None}


def test_grading_again_changes_what_has_changed_and_nothing_else(course, book):
    for student in ("ada", "ben"):
        book.save(student, EARNED, NOON)
    before = contents(course)
    book.save("ada", EARNED, NOON)
    assert contents(course) == before
    again = scored(**{"fit-more": 3.0, "why": 0.0})
    again["fit"].comments["fit-answer"] = None
    again["add"] = CellMarks({"add": 0.0}, {"add-answer": "Try again."})
    book.save("ada", again, NOON)
    assert entries(course, "ada") == {
        "fit": (3.5, None, None, False),
        "fit-more": (3.0, None, None, False),
        "why": (0.0, None, None, False),
        "add": (0.0, None, None, False),
        "draw": UNMARKED,
    }
    assert comments(course, "ada") == {
        "fit-answer": (None, None),
        "why": ("Long.", None),
        "add-answer": ("Try again.", None),
        "draw": (None, None),
    }
    again["fit"].comments["fit-answer"] = "Well done."
    book.save("ada", EARNED, NOON)
    assert contents(course) == before


def test_one_score_alone_can_change(course, book):
    book.save("ada", EARNED)
    book.save("ben", EARNED)
    before = entries(course, "ben")
    book.save("ben", scored(fit=4.0))
    assert entries(course, "ben") == before | {"fit": (4.0, None, None, False)}
    assert entries(course, "ada") == before


def test_what_a_person_entered_stays_and_is_to_be_looked_at_once_more(course, book):
    book.save("ada", EARNED)
    by_hand(course, "ada", fit=(4.0, None), why=(1.5, 0.5), draw=(6.0, None))
    with opened(course) as found:
        for name, notebook in (("why", "fit"), ("draw", "add")):
            comment = found.find_comment(name, notebook, PART, "ada")
            comment.manual_comment = f"By hand on {name}."
            comment.auto_comment = "Of old."
    book.save("ada", scored(fit=2.0))
    assert entries(course, "ada") == {
        "fit": (2.0, 4.0, None, True),
        "fit-more": (0.0, None, None, False),
        "why": (None, 1.5, 0.5, True),
        "add": (5.0, None, None, False),
        "draw": (None, 6.0, None, False),  # a task has no automatic score that could come out otherwise
    }
    found = comments(course, "ada")
    assert found["why"] == ("Long.", "By hand on why.")
    assert found["draw"] == (None, "By hand on draw.")


def test_a_cell_that_was_added_gets_its_row_and_a_notebook_that_was_added_too(course, book):
    book.save("ada", EARNED)
    more = changed("add", "add", points=5) | {"third": new_notebook(cells=[cell("check", "third", 1)])}
    with PartBook(course, PART, more) as larger:
        assert set(penalties(course, "ada")) == {"fit", "add"}
        larger.save("ada", EARNED | {"third": CellMarks({"third": 1.0})})
    assert set(penalties(course, "ada")) == {"fit", "add", "third"}
    found = entries(course, "ada")
    assert found["third"] == (1.0, None, None, False)
    assert found["fit"] == (3.5, None, None, False)
    assert len(found) == 6


def test_a_submission_that_formgrader_made_is_filled_in(course, book):
    with opened(course) as found:
        found.add_student("ada", first_name="Ada")
        found.add_submission(PART, "ada", timestamp=NOON)
        found.add_student("ben")
    book.save("ada", EARNED)
    book.save("ben", EARNED)
    assert entries(course, "ada") == entries(course, "ben")
    assert comments(course, "ada") == comments(course, "ben")
    assert timestamps(course) == {"ada": NOON, "ben": None}
    with opened(course) as found:
        assert found.find_student("ada").first_name == "Ada"


def test_when_it_was_handed_in_changes_with_what_was_handed_in(course, book):
    for student in ("ada", "ben", "chen"):
        book.save(student, EARNED, NOON)
    book.save("ben", EARNED, NOON + HOUR)
    assert timestamps(course) == {"ada": NOON, "ben": NOON + HOUR, "chen": NOON}
    # Who hands in anew without a time has it from before.
    book.save("ben", EARNED)
    assert timestamps(course)["ben"] == NOON + HOUR
    book.save("dora", EARNED)
    book.save("dora", EARNED, NOON)
    assert timestamps(course)["dora"] == NOON


def test_a_submission_is_stored_whole_or_not_at_all(course, book, monkeypatch):
    book.save("ada", EARNED, NOON)
    before = contents(course)

    def fails(*args):
        raise ValueError("of all things")

    monkeypatch.setattr(book._late, "penalty", fails)
    for student in ("ada", "ben"):
        with pytest.raises(ValueError, match="of all things"):
            book.save(student, scored(fit=0.0), NOON + HOUR)
    assert contents(course) == before


# ---- late submissions


class Late(BasePlugin):
    """A course's plugin: notes what it is asked, and takes off what a test says."""

    asked: list
    takes = staticmethod(lambda score: 0.5)

    def late_submission_penalty(self, student, score, seconds):
        """Note it, and answer."""
        self.asked.append((student, score, seconds))
        return self.takes(score)


@pytest.fixture
def late(course, monkeypatch):
    """Let the part be due at noon in a course whose plugin notes what it is asked."""
    monkeypatch.setattr(Late, "asked", [], raising=False)
    course.config.AssignLatePenalties.plugin_class = Late
    due(course, NOON)
    with PartBook(course, PART, released()) as book:
        yield book


def test_who_is_late_loses_what_the_course_says(course, late):
    late.save("ada", EARNED, NOON + HOUR)
    assert Late.asked == [("ada", 5.0, 3600.0), ("ada", 3.5, 3600.0)]
    assert penalties(course, "ada") == {"fit": 0.5, "add": 0.5}
    for student, when in (("ben", NOON), ("chen", NOON - HOUR), ("dora", None)):
        late.save(student, EARNED, when)
        assert penalties(course, student) == {"fit": None, "add": None}
    assert len(Late.asked) == 2


def test_what_is_taken_off_is_counted_anew_with_each_grading(course, late):
    late.save("ada", EARNED, NOON + HOUR)
    late.save("ben", EARNED, NOON + HOUR)
    before = contents(course)
    late.save("ada", EARNED, NOON + HOUR)
    assert contents(course) == before
    late.save("ada", EARNED, NOON)
    assert penalties(course, "ada") == {"fit": None, "add": None}
    assert penalties(course, "ben") == {"fit": 0.5, "add": 0.5}


def test_being_late_counts_points_by_hand_and_extra_credit(course, late):
    late.save("ada", EARNED, NOON + HOUR)
    by_hand(course, "ada", fit=(4.0, None), why=(1.5, 0.25), add=(None, 0.125), draw=(6.0, 0.5))
    Late.asked.clear()
    late.save("ada", scored(fit=2.0), NOON + HOUR)
    assert Late.asked == [("ada", 11.625, 3600.0), ("ada", 5.75, 3600.0)]
    by_hand(course, "ada", draw=(6.0, None))
    Late.asked.clear()
    late.save("ada", {}, NOON + 2 * HOUR)
    assert Late.asked == [("ada", 6.125, 7200.0), ("ada", 5.75, 7200.0)]


@pytest.mark.parametrize(
    ("takes", "expected"),
    [
        (lambda score: score / 2, {"fit": 1.75, "add": 2.5}),
        (lambda score: 4.0, {"fit": 3.5, "add": 4.0}),  # never more than there is
        (lambda score: -1.0, {"fit": 0.0, "add": 0.0}),
        (lambda score: None, {"fit": None, "add": None}),
        (lambda score: 1.0 if score == 5 else None, {"fit": None, "add": 1.0}),
    ],
)
def test_what_is_taken_off_has_bounds(course, late, monkeypatch, caplog, takes, expected):
    monkeypatch.setattr(Late, "takes", staticmethod(takes))
    late.save("ada", EARNED, NOON + HOUR)
    assert penalties(course, "ada") == expected


def test_an_extension_moves_the_time_and_without_a_time_nobody_is_late(course, late):
    late.save("ada", EARNED, NOON + 2 * HOUR)
    assert penalties(course, "ada") == {"fit": 0.5, "add": 0.5}
    with opened(course) as found:
        found.grant_extension(PART, "ada", hours=2)
    late.save("ada", EARNED)
    assert penalties(course, "ada") == {"fit": None, "add": None}
    Late.asked.clear()
    late.save("ada", EARNED, NOON + 3 * HOUR)
    assert {seconds for _, _, seconds in Late.asked} == {3600.0}
    due(course, None)
    with PartBook(course, PART, released()) as anew:
        anew.save("ada", EARNED, NOON + 9 * HOUR)
        anew.save("ben", EARNED, NOON + 9 * HOUR)
    for student in ("ada", "ben"):
        assert penalties(course, student) == {"fit": None, "add": None}


def test_a_plugin_that_fails_is_told_by_its_name(course, late, monkeypatch):
    monkeypatch.setattr(Late, "takes", staticmethod(lambda score: 1 / 0))
    with pytest.raises(CourseError, match=r"the course's Late for late submissions failed: ZeroDivisionError.*mend it"):
        late.save("ada", EARNED, NOON + HOUR)
    assert late.graded() == set()


# ---- a gradebook that is in use, full or broken


@contextlib.contextmanager
def locked(course):
    """Another program, writing to the gradebook."""
    path = course.grading / "gradebook.db"
    with contextlib.closing(sqlite3.connect(path, isolation_level=None)) as other:
        other.execute("BEGIN IMMEDIATE")
        yield other


def test_a_part_is_opened_only_when_nobody_else_writes(course, monkeypatch, caplog):
    monkeypatch.setattr(part_book, "PATIENCE", 0.5)
    said = []
    with locked(course), pytest.raises(CourseError, match=r"another program has kept the gradebook locked for 0\.5 s"):
        PartBook(course, PART, released(), said.append)
    assert said == [f"Waiting: another program is writing to the gradebook ({course.db_url})."]
    assert caplog.records == []  # nbgrader's own would be a traceback


def test_who_writes_meanwhile_is_waited_for(course, book, monkeypatch):
    with locked(course) as other:
        monkeypatch.setattr(book, "_say", lambda words: other.execute("COMMIT"))
        book.save("ada", EARNED)
    assert entries(course, "ada")["fit"] == (3.5, None, None, False)


def test_a_connection_waits_a_second_by_itself(book):
    with book._transaction() as db:
        assert db.exec_driver_sql("PRAGMA busy_timeout").scalar() == 1000


@pytest.fixture
def clock(monkeypatch):
    """Give the gradebook a clock that only goes on while somebody waits."""
    clock = SimpleNamespace(now=100.0)

    def sleep(seconds):
        clock.now += seconds

    monkeypatch.setattr(part_book, "time", SimpleNamespace(monotonic=lambda: clock.now, sleep=sleep))
    return clock


def locks(times, answer=None):
    """What meets a lock so many times, and then gives an answer."""
    problems = iter([OperationalError("", (), sqlite3.OperationalError("database is locked"))] * times)

    def action():
        with contextlib.suppress(StopIteration):
            raise next(problems)
        return answer

    return action


def test_waiting_is_told_once_and_comes_to_an_end(course, book, clock, monkeypatch):
    said = []
    monkeypatch.setattr(book, "_say", said.append)
    assert book._patiently(locks(0, "at once")) == "at once"
    assert said == []
    assert book._patiently(locks(5, "found")) == "found"
    assert len(said) == 1
    assert 100 < clock.now < 102
    began = clock.now
    with pytest.raises(CourseError, match=r"locked for 15 seconds .*Close what uses it.*--resume"):
        book._patiently(locks(10_000))
    assert PATIENCE < clock.now - began < PATIENCE + 1
    assert len(said) == 2


def test_a_full_disk_is_told(course, book):
    @event.listens_for(book._book.engine, "connect")
    def full(connection, _):
        connection.execute(f"PRAGMA max_page_count = {connection.execute('PRAGMA page_count').fetchone()[0]}")

    def save_many():
        for number in range(100):
            book.save(f"student-{number}", EARNED)

    book.save("ada", EARNED)
    book._book.engine.dispose()  # whoever connects from now on meets the full disk
    with pytest.raises(DiskFull, match=r"the disk is full, so the gradebook cannot grow .*make room"):
        save_many()
    assert {len(entries(course, student)) for student in book.graded()} == {5}


def test_a_gradebook_of_another_version_is_told_with_its_cure(course, book):
    with contextlib.closing(sqlite3.connect(course.grading / "gradebook.db")) as db:
        db.execute("drop table comment")
    with pytest.raises(CourseError, match=r"no such table: comment; it may come from another version.*db upgrade"):
        book.save("ada", EARNED)
    assert book.graded() == set()


def test_a_file_that_is_no_gradebook_is_told(course, connections):
    path = course.grading / "gradebook.db"
    path.write_bytes(b"no database at all" * 1000)
    with pytest.raises(CourseError, match=r"cannot be used \(.*\): file is not a database; see that it can be read"):
        PartBook(course, PART, released())
    assert not connections
    with pytest.raises(CourseError, match=r"cannot be used \(sqlite.*\): file is not a database"):
        points_by_hand(course, PART)
    with pytest.raises(CourseError, match=r"cannot be read \(.*file is not a database\); is it in use\?"):
        marks_of(course, PART, "ada")
    connections.clear()  # nbgrader's own


def test_a_part_is_opened_where_there_is_no_folder_yet(tmp_path):
    course = Course.apart(tmp_path / "not" / "there")
    for _ in range(2):
        with PartBook(course, PART, released()) as book:
            book.save("ada", EARNED)
    assert entries(course, "ada")["fit"] == (3.5, None, None, False)


# ---- reading marks


def enter(course, student, part=OTHER, penalty=None, **scores):
    """Store a submission with its scores: the automatic one, the one by hand, and extra credit."""
    with opened(course) as book:
        book.update_or_create_student(student)
        (notebook,) = book.update_or_create_submission(part, student).notebooks
        notebook.late_submission_penalty = penalty
        scores = {"more": (0, None, None), "fit": (1, None, None), **scores}
        for grade in notebook.grades:
            grade.auto_score, grade.manual_score, grade.extra_credit = scores[grade.name]
            grade.needs_manual_grade = grade.auto_score is None and grade.manual_score is None


def test_points_by_hand_are_all_but_the_automatic_ones(course, book):
    assert points_by_hand(course, OTHER) == {}
    enter(course, "essay", why=(None, 2, 0.5))
    enter(course, "late", penalty=0.25, why=(0, None, None))
    enter(course, "changed", fit=(1, 3, None), why=(None, 0, None))
    enter(course, "extra", fit=(1, None, 0.5), why=(0, None, None))
    enter(course, "first", fit=(None, 1.5, None), why=(None, 1, None))
    enter(course, "third", why=(None, 1 / 3, None))
    expected = {"essay": 2.5, "late": -0.25, "changed": 2.0, "extra": 0.5, "first": 2.5, "third": 0.3333}
    assert points_by_hand(course, OTHER) == expected
    assert points_by_hand(course, PART) == {}


def test_a_student_with_something_still_to_be_marked_is_not_there(course, book):
    enter(course, "done", why=(None, 1, None))
    enter(course, "waiting", why=(None, None, None))
    book.save("done", EARNED)
    assert points_by_hand(course, OTHER) == {"done": 1.0}
    assert points_by_hand(course, PART) == {}
    by_hand(course, "done", why=(2.0, 0.5), draw=(6.0, None), fit=(4.0, None))
    # A task is no written answer to nbgrader, and has nothing automatic either.
    assert points_by_hand(course, OTHER) == {"done": 1.0}


def test_a_mark_by_hand_is_final_until_another_answer_comes(course, book):
    """Whoever marked the first answer has not seen the second."""
    for student in ("ada", "ben"):
        book.save(student, EARNED)
        by_hand(course, student, why=(2.0, None), draw=(6.0, None))
    assert set(points_by_hand(course, PART)) == {"ada", "ben"}
    book.save("ada", EARNED, same={("fit", "why")})
    book.save("ben", EARNED)
    assert set(points_by_hand(course, PART)) == {"ada"}
    # What waits goes on waiting, whatever comes.
    book.save("ben", EARNED, same={("fit", "why")})
    assert set(points_by_hand(course, PART)) == {"ada"}
    by_hand(course, "ben", why=(0.0, None))
    assert set(points_by_hand(course, PART)) == {"ada", "ben"}


def test_marks_of_a_submission_are_those_of_its_notebooks(course, late):
    late.save("ada", EARNED, NOON + HOUR)
    late.save("ben", EARNED, NOON)
    ada, ben = (marks_of(course, PART, student) for student in ("ada", "ben"))
    assert list(ada.notebooks.items()) == [("add", (5.0, 12.0)), ("fit", (3.5, 9.0))]
    assert ada.late_penalty == 1.0
    assert ben.late_penalty == 0.0
    assert ada.unread
    assert ben.details == (
        0.0,
        ("add", "add", 5.0, 5.0, False),
        ("add", "draw", 0.0, 7.0, True),
        ("add", "add-answer", None),
        ("add", "draw", None),
        ("fit", "fit", 3.5, 4.0, False),
        ("fit", "fit-more", 0.0, 3.0, False),
        ("fit", "why", 0.0, 2.0, True),
        ("fit", "fit-answer", "Well done."),
        ("fit", "why", "Long."),
    )
    assert ada.details == (1.0, *ben.details[1:], ada.late_words)
    by_hand(course, "ben", why=(2.0, 0.5), draw=(7.0, None))
    assert not marks_of(course, PART, "ben").unread
    assert marks_of(course, PART, "ben").notebooks == {"add": (12.0, 12.0), "fit": (6.0, 9.0)}


def test_a_student_of_whom_there_is_nothing_has_no_marks(course, book):
    book.save("ada", EARNED)
    for part, student in ((OTHER, "ada"), (PART, "ben"), ("nothing", "ada")):
        with pytest.raises(CourseError, match=f"has no marks in the gradebook; run: python -m grader grade {part}"):
            marks_of(course, part, student)
