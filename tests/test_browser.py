"""The released notebooks in a real JupyterLab in a real browser, as learners and instructors see them."""

import re
import shutil
import subprocess
import sys

import browser as harness
import nbformat
import pytest
from courseware import text_of
from nbgrader.api import Gradebook
from playwright.sync_api import expect

from grader.classroom.course import Course
from grader.classroom.records import read_records
from grader.desk import lab as course
from grader.notebook import is_check, points_shown, read_notebook
from grader.places import ROOT

pytestmark = pytest.mark.browser

PART = "1-context-vectors"
SOFTMAX = f"{PART}/3-softmax.ipynb"
DOWN_THE_COLUMNS = """def softmax(x):
    e = np.exp(x - x.max())
    return e / e.sum(axis=0)
"""

HOSTILE_MARKDOWN = """Read <b>this</b> <script>window.pwned = 1</script><img src="x" onerror="window.pwned = 2">
<a href="javascript:window.pwned = 3">me</a> <iframe srcdoc="<script>parent.pwned = 4</script>"></iframe>"""
HOSTILE_OUTPUT = f"""from IPython.display import HTML, Markdown, SVG, display
display(HTML({HOSTILE_MARKDOWN!r}), Markdown({HOSTILE_MARKDOWN!r}))
display(SVG('<svg xmlns="http://www.w3.org/2000/svg" onload="window.pwned = 5"><text y="20">me</text></svg>'))
"""


def sources(notebook):
    """Return the sources of a notebook's cells by their ids."""
    return {cell.id: cell.source for cell in nbformat.read(notebook, as_version=4).cells}


def explorers():
    """Return the last notebook of each part with the ids of the cells that show an explorer.

    All of them run without a browser (test_notebooks.py), and all explorers move in pages (test_book.py).
    """
    found = []
    parts = [part for part in sorted((ROOT / "notebooks").iterdir()) if part.is_dir()]
    for path in [sorted(part.glob("*.ipynb"))[-1] for part in parts]:
        cells = nbformat.read(path, as_version=4).cells
        shown = [cell for cell in cells if cell.cell_type == "code" and "widgets.explore_" in cell.source]
        ids = [cell.id for cell in shown if "if written" not in cell.source]  # else there is none before its exercise
        left_out = [pytest.mark.thorough] * (path.stem != "5-multi-head")
        found.append(pytest.param(path.relative_to(ROOT / "notebooks").as_posix(), ids, id=path.stem, marks=left_out))
    return found


@pytest.fixture(scope="module")
def work(tmp_path_factory):
    return tmp_path_factory.mktemp("learner") / "work"


@pytest.fixture(scope="module")
def learner(chromium, work, tmp_path_factory):
    """Give JupyterLab as `make lab` opens it."""
    course.copy_notebooks(work=work)
    state = tmp_path_factory.mktemp("state")
    with harness.running("learner", work, state) as server, harness.Lab(server, chromium) as lab:
        yield lab


@pytest.fixture
def fresh(learner, work):
    """Return a function that opens a notebook as it was released."""

    def open_fresh(name):
        shutil.copyfile(ROOT / "notebooks" / name, work / name)
        return learner.open(name)

    return open_fresh


# ---- a learner


def test_a_learner_sees_the_start_and_no_menus_for_instructors(learner):
    learner.open(course.START)
    assert "start-here" in learner.page.title()
    assert "Nbgrader" not in learner.menus()
    assert learner.page.get_by_text("Would you like to").count() == 0
    assert learner.foreign == set()


@pytest.mark.parametrize(("name", "cells"), explorers())
def test_a_released_notebook_runs_to_its_end_unsolved_checks_are_polite_and_its_explorers_move(
    fresh, learner, name, cells
):
    notebook = fresh(name)
    notebook.run_all()
    assert notebook.failures() == []
    saved = read_notebook(ROOT / "notebooks" / name)
    for cell in saved.cells:
        if is_check(cell):
            outputs = nbformat.from_dict(notebook.outputs(cell.id))
            assert points_shown({"outputs": outputs}) == 0, f"{cell.id} earns points unsolved"
            # The first exercise of the course comes with a mistake, to be found by its check.
            words = "Looks like" if cell.id == "row_means" else "not attempted yet"
            assert words in text_of({"outputs": outputs}), cell.id
        elif cell.cell_type == "code":
            assert not [one for one in notebook.outputs(cell.id) if one.get("name") == "stderr"], cell.id
    for cell in cells:
        assert notebook.move_something(cell), f"nothing changes in {cell}"
    assert learner.errors == []
    assert learner.foreign == set()


def test_an_explorer_lives_in_a_notebook_that_was_only_opened_trusted_or_not(fresh, learner, work):
    notebook = fresh(SOFTMAX)
    notebook.run_all()
    said = notebook.said("explore-live")
    notebook.save()
    again = learner.open(SOFTMAX)
    assert again.said("explore-live") == said
    assert again.move_something("explore-live")
    # Somebody else's notebook: what it shows was not made on this machine.
    theirs = nbformat.read(work / SOFTMAX, as_version=4)
    theirs.cells[0].source += " "
    nbformat.write(theirs, work / "theirs.ipynb")
    theirs = learner.open("theirs.ipynb")
    assert not learner.page.evaluate("window.course.cell('explore-live').widget.model.trusted")
    assert theirs.said("explore-live") == said
    assert theirs.move_something("explore-live")
    assert learner.errors == []


def test_a_check_says_what_is_missing_what_is_wrong_and_what_is_right(fresh):
    notebook = fresh(SOFTMAX)
    notebook.run_all()
    assert "not attempted yet" in notebook.text("softmax").lower()
    notebook.write("softmax-answer", DOWN_THE_COLUMNS)
    notebook.run("softmax-answer")
    notebook.run("softmax")
    said = notebook.text("softmax")
    assert "Looks like" in said
    assert "column" in said
    notebook.write("softmax-answer", sources(ROOT / "solutions" / SOFTMAX)["softmax-answer"])
    notebook.run("softmax-answer")
    notebook.run("softmax")
    said = notebook.text("softmax")
    assert "Looks like" not in said
    assert "not attempted" not in said.lower()
    assert "correct, 4 of 4 points" in said
    # The points are an output of their own, for nbgrader; nobody needs its empty line.
    points = notebook.output("softmax").locator(".jp-OutputArea-executeResult")
    assert points.count() == 1
    expect(points).to_be_hidden()


def test_the_road_leads_to_a_notebook_and_knows_what_its_check_said(fresh, learner, work):
    start = fresh(course.START)
    start.run_all()
    start.save()
    start.show("the-road-map")
    learner.page.locator(".attnlib-road").get_by_role("link", name="open 1-context-vectors/3-softmax").click()
    learner.page.wait_for_function("window.course.panel()?.context?.path.includes('softmax') && window.course.ready()")
    notebook = harness.Notebook(learner)
    notebook.run("setup")
    told = []
    for source in (sources(ROOT / "solutions" / SOFTMAX)["softmax-answer"], DOWN_THE_COLUMNS):
        notebook.write("softmax-answer", source)
        notebook.run("softmax-answer")
        notebook.run("softmax")
        notebook.show("ways").get_by_role("link", name="The road").click()
        learner.page.wait_for_function("window.course.panel()?.context?.path.includes('start-here')")
        expect(learner.page.locator(f"{harness.PANEL} h2", has_text="The road")).to_be_in_viewport()
        row = start.output("progress-chart").get_by_role("row").filter(has_text="3-softmax")
        told.append("done, 1 lost" if told else "1 of 6 done")
        expect(row).to_contain_text(told[-1])
        row.get_by_role("link").click()
        learner.page.wait_for_function("window.course.panel()?.context?.path.includes('softmax')")
    # Opened again, with nothing run, and saved before any of this.
    shutil.rmtree(work / "mine")
    (work / "mine").mkdir()
    (work / "mine" / "progress.jsonl").write_text('{"check": "softmax", "points": 4.0}', encoding="utf-8")
    start = learner.open(course.START)
    expect(start.output("progress-chart").get_by_role("row").filter(has_text="3-softmax")).to_contain_text(
        "1 of 6 done"
    )
    assert learner.errors == []
    assert learner.foreign == set()


def test_validate_names_the_checks_that_fail_and_confirms_a_solved_notebook(fresh):
    notebook = fresh(SOFTMAX)
    notebook.write("softmax-answer", DOWN_THE_COLUMNS)
    said = notebook.validate()
    assert 'check("softmax", softmax)' in said
    assert "Looks like" in said
    for cell, source in sources(ROOT / "solutions" / SOFTMAX).items():
        notebook.write(cell, source)
    assert "Success" in notebook.validate()


# ---- an instructor


@pytest.fixture(scope="module")
def graded_course(require, tmp_path_factory):
    """Return a copy of the course in which a class was graded, and its marks: one solved, one cheated and renamed."""
    require("bwrap")
    copy = tmp_path_factory.mktemp("instructor") / "course"
    copy.mkdir()
    shutil.copyfile(ROOT / "nbgrader_config.py", copy / "nbgrader_config.py")
    shutil.copytree(ROOT / "solutions" / PART, copy / "solutions" / PART)
    answers = sources(ROOT / "solutions" / SOFTMAX)
    for student, file, changed in (
        ("ada", "3-softmax.ipynb", {}),
        ("zoe", "3-softmax (1).ipynb", {"softmax-answer": "from attnlib import softmax"}),
        ("mallory", "3-softmax.ipynb", {"softmax-answer": HOSTILE_OUTPUT}),
    ):
        folder = copy / "grading" / "submitted" / student / PART
        folder.mkdir(parents=True)
        notebook = nbformat.read(ROOT / "notebooks" / SOFTMAX, as_version=4)
        for cell in notebook.cells:
            cell.source = {**answers, **changed}[cell.id]
        if student == "mallory":
            notebook.cells.append(nbformat.v4.new_markdown_cell(HOSTILE_MARKDOWN))
        nbformat.write(notebook, folder / file)
    code = (
        "from grader.classroom.course import Course; from grader.classroom.marking import grade; "
        f"grade(Course.at({str(copy)!r}), {PART!r})"
    )
    subprocess.run([sys.executable, "-c", code], check=True, capture_output=True, text=True)
    return copy, {record.student: record.points for record in read_records(Course.at(copy), PART)}


@pytest.fixture(scope="module")
def instructor(graded_course, chromium, tmp_path_factory):
    """Give JupyterLab as `make teach` opens it, on the graded course."""
    copy = graded_course[0]
    state = tmp_path_factory.mktemp("instructor-state")
    with harness.running("instructor", copy, state, course=copy) as server, harness.Lab(server, chromium) as lab:
        lab.open()
        yield lab


@pytest.mark.grading
def test_formgrader_shows_the_marks_that_grading_gave(graded_course, instructor):
    _, marks = graded_course
    assert marks["ada"] > marks["zoe"] > 0
    formgrader = instructor.formgrader()
    expect(formgrader.get_by_role("row").filter(has_text=PART)).to_be_visible()
    formgrader.get_by_role("link", name="Manage Students").click()
    for name, points in marks.items():
        student = formgrader.get_by_role("row").filter(has_text=name)
        expect(student).to_contain_text(re.compile(r"\d / \d"))
        shown, total = re.search(r"([\d.]+) / ([\d.]+)", student.inner_text()).groups()
        assert float(shown) == points < float(total)
    assert instructor.errors == []


@pytest.mark.grading
@pytest.mark.thorough
def test_formgrader_s_own_autograde_button_gives_the_same_marks(graded_course, instructor):
    _, marks = graded_course
    formgrader = instructor.formgrader()
    formgrader.get_by_role("link", name="Manage Assignments").click()
    formgrader.get_by_role("row").filter(has_text=PART).locator(".num-submissions a").click()
    row = formgrader.get_by_role("row").filter(has_text="ada")
    expect(row.locator(".score")).to_contain_text(f"{marks['ada']:g} / ")
    row.locator(".autograde a").click()
    dialog = formgrader.locator(".modal-body")
    expect(dialog).to_contain_text("Successfully autograded", timeout=60_000)
    expect(dialog).to_contain_text(re.compile(rf"1 submission graded in .*; {marks['ada']:g} of \d+ points"))
    assert "DEBUG" not in dialog.inner_text()
    formgrader.get_by_role("button", name="Close").first.click()
    expect(row.locator(".score")).to_contain_text(f"{marks['ada']:g} / ")
    assert instructor.errors == []


@pytest.mark.grading
def test_one_button_grades_the_whole_class_and_its_dialog_is_a_summary(graded_course, instructor):
    copy, marks = graded_course
    course = Course.at(copy)
    hand_in = course.submitted(PART, "newcomer")
    shutil.copytree(course.submitted(PART, "ada"), hand_in)
    formgrader = instructor.formgrader()
    formgrader.get_by_role("link", name="Manage Assignments").click()
    formgrader.get_by_role("row").filter(has_text=PART).locator(".num-submissions a").click()
    # Nobody has graded the newcomer, whom the gradebook does not know; and nobody has said what the others are called.
    row = formgrader.get_by_role("row").filter(has_text="newcomer")
    expect(row.locator(".status")).to_have_text("needs autograding")
    expect(row.locator(".student-name")).to_have_text("newcomer")
    formgrader.get_by_role("button", name="Grade the whole class").click()
    expect(formgrader.get_by_role("status")).to_contain_text("Grading")
    expect(formgrader.get_by_role("heading", name="The class is graded")).to_be_visible(timeout=120_000)
    dialog = formgrader.locator(".modal-body")
    expect(dialog).to_contain_text("4 submissions graded in")
    expect(dialog).to_contain_text("Repaired before they were graded: zoe")
    assert len(dialog.inner_text().split("\n")) < 20
    with instructor.page.context.expect_page() as opened:
        dialog.get_by_role("link", name="Open the report").click()
    expect(opened.value.locator("h1")).to_have_text("Part 1: context vectors")
    opened.value.close()
    formgrader.get_by_role("button", name="OK").click()
    expect(row.locator(".score")).to_contain_text(f"{marks['ada']:g} / ")
    formgrader.get_by_role("link", name="Manage Students").click()
    expect(formgrader.locator("#main-table .name").first).to_have_text("ada")
    assert "None" not in formgrader.locator("#main-table").inner_text()
    shutil.rmtree(hand_in)
    assert instructor.errors == []


@pytest.mark.grading
def test_what_nbgrader_logs_is_folded_away_unless_it_went_wrong(graded_course, instructor):
    formgrader = instructor.formgrader()
    formgrader.get_by_role("link", name="Manage Assignments").click()
    formgrader.get_by_role("row").filter(has_text=PART).locator(".num-submissions a").click()
    row = formgrader.get_by_role("row").filter(has_text="mallory")
    row.locator(".generate-feedback a").click()
    dialog = formgrader.locator(".modal-body")
    expect(dialog).to_contain_text("Successfully generated feedback", timeout=60_000)
    expect(dialog).not_to_contain_text("[", use_inner_text=True)
    assert "[INFO]" in dialog.locator("details").text_content()
    formgrader.get_by_role("button", name="OK").click()
    # A folder in place of the notebook: nobody can read that.
    path = Course.at(graded_course[0]).autograded(PART, "mallory") / "3-softmax.ipynb"
    kept = path.rename(path.with_name("kept"))
    path.mkdir()
    row.locator(".generate-feedback a").click()
    expect(formgrader.get_by_role("heading", name="Error")).to_be_visible(timeout=60_000)
    assert "DEBUG" not in dialog.inner_text()
    expect(dialog).to_contain_text("mallory")
    path.rmdir()
    kept.rename(path)


@pytest.mark.grading
def test_nothing_of_a_submission_runs_in_formgrader(graded_course, instructor):
    copy, _ = graded_course
    with Gradebook(f"sqlite:///{copy / 'grading' / 'gradebook.db'}") as book:
        submission = book.find_submission_notebook("3-softmax", PART, "mallory").id
    page = instructor.page.context.new_page()
    page.goto(re.sub(r"/lab.*", f"/formgrader/submissions/{submission}/", instructor.page.url))
    expect(page.get_by_text("Read this").first).to_be_visible()
    expect(page.locator("text=Submission #").first).to_be_visible()
    page.wait_for_timeout(1000)
    assert page.evaluate("window.pwned") is None
    assert page.locator("iframe, [onerror], [onload], [href^='javascript']").count() == 0
    page.close()
