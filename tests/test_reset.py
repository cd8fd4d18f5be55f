"""Learners in the middle: a notebook in its newest edition, with the answers and the progress of an older copy."""

import copy
import errno
import json
import os
import re
from datetime import datetime

import nbformat
import pytest
from courseware import RELEASED, ROOT, SOLUTIONS, name_of, read
from nbformat.v4 import new_code_cell, new_markdown_cell, new_notebook, new_output, new_raw_cell
from nbgrader.utils import compute_checksum

import grader.__main__ as commands
from grader.desk import lab
from grader.desk.reset import _checksum, reset
from grader.errors import CourseError, NotebookError
from grader.notebook import as_json, editions, is_answer, is_check, marks, normal_form
from grader.progress import read_progress

NOON = datetime(2030, 1, 2, 12, 30, 15)
KEPT = "1-one (before reset 2030-01-02 12.30.15).ipynb"


def result(points):
    return new_output("execute_result", {"text/plain": str(float(points))}, execution_count=7)


def answer_of(cell):
    """A solution's cell as a learner would have it."""
    return re.sub(r"(?m)^ *### (BEGIN|END).*\n?", "", cell.source)


# ---- the course's own notebooks


def first_edition(path):
    """A released notebook as it might have been in its first edition: other text, other stubs, no table of editions."""
    notebook = read(path)
    notebook.metadata.pop("editions", None)
    for cell in notebook.cells:
        if not marks(cell):
            cell.source += "\n\n# as it was" if cell.cell_type == "code" else "\n\nAs it was."
        elif is_answer(cell):
            cell.source += "\n# as it was"
            cell.metadata.nbgrader.checksum = compute_checksum(cell)
    return notebook


@pytest.mark.more
@pytest.mark.parametrize("path", RELEASED, ids=name_of)
def test_answers_and_progress_of_a_first_edition_come_along(path, tmp_path):
    place = path.relative_to(ROOT / "notebooks")
    solved = {cell.id: answer_of(cell) for cell in read(ROOT / "solutions" / place).cells if is_answer(cell)}
    mine = first_edition(path)
    left_out = next(iter(solved))
    for cell in mine.cells:
        if cell.id in solved and cell.id != left_out:
            cell.source = solved[cell.id]
        if is_check(cell):
            cell.outputs = [result(marks(cell).points / (2 if cell.id.startswith("predict") else 1))]
    target = tmp_path / place
    target.parent.mkdir()
    target.write_text(as_json(mine), encoding="utf-8")
    before, progress = target.read_bytes(), read_progress(tmp_path)

    notebook, kept, told = reset(path.stem, tmp_path, now=NOON)

    assert (notebook, kept.read_bytes()) == (target, before)
    assert read_progress(tmp_path) == progress
    assert sum(row.done for row in progress) > 0
    fresh = json.loads(lab.home_copy(path))
    assert nbformat.read(target, 4).metadata == fresh["metadata"]
    nbformat.validate(nbformat.read(target, 4))
    cells = {cell.id: cell for cell in nbformat.read(target, 4).cells}
    assert [*cells] == [cell["id"] for cell in fresh["cells"]]
    for cell in map(nbformat.from_dict, fresh["cells"]):
        wanted = "".join(cell.source) if cell.id not in solved or cell.id == left_out else solved[cell.id]
        assert cells[cell.id].source == wanted
    assert any(f"It has {len(solved) - 1} answer" in line for line in told)
    assert lab.copy_notebooks(ROOT / "notebooks", tmp_path).older == {}

    # Once more there is nothing to do.
    after = target.read_bytes()
    assert reset(path.stem, tmp_path) == (target, None, ())
    assert target.read_bytes() == after


def test_a_stub_is_known_by_what_nbgrader_wrote_into_it():
    cells = [cell for path in RELEASED for cell in read(path).cells if is_answer(cell)]
    assert len(cells) > 50
    for cell in cells:
        assert _checksum(cell) == compute_checksum(cell) == marks(cell).checksum


@pytest.mark.parametrize("path", [*SOLUTIONS, *RELEASED], ids=lambda path: f"{path.parts[-3]}-{path.stem}")
def test_each_edition_has_its_sentence(path):
    table = read(path).metadata.get("editions", {})
    assert list(table) == [str(number) for number in range(2, len(table) + 2)], "1 is the first, which brought all"
    assert [*editions(read(path)).values()] == [*table.values()]
    for sentence in table.values():
        assert re.fullmatch(r"[A-Z“`].{10,320}\.", sentence), sentence
    assert normal_form(read(path)).metadata == read(path).metadata


def test_some_notebooks_have_a_second_edition_and_learners_get_it():
    numbers = {path: max(editions(read(path)), default=1) for path in SOLUTIONS}
    assert max(numbers.values()) > 1
    for path, number in numbers.items():
        home = json.loads(lab.home_copy(ROOT / "notebooks" / path.relative_to(ROOT / "solutions")))
        assert max(editions(home), default=1) == number


@pytest.mark.parametrize("odd", [None, 3, [], {"two": "x"}, {"1": "x"}, {"٢": "x"}, {"-2": "x"}, {"2": ["x"]}])
def test_a_table_of_editions_may_be_anything_in_a_learners_copy(odd):
    for notebook in ({"metadata": {"editions": odd}}, {"metadata": odd}, odd):
        assert all(isinstance(text, str) and number > 1 for number, text in editions(notebook).items())
    assert editions({"metadata": {"editions": {"10": "c", "2": "a", "3": "b"}}}) == {2: "a", 3: "b", 10: "c"}


# ---- a small course of two editions


def marked(name, **kinds):
    return {"nbgrader": {"grade": False, "solution": False, "locked": False, "grade_id": name} | kinds}


def stub(name, source, kind=new_code_cell, **kinds):
    cell = kind(source, id=name, metadata=marked(name, solution=True, **kinds))
    cell.metadata.nbgrader["checksum"] = compute_checksum(cell)
    return cell


def check(name, source=None, points=2):
    return new_code_cell(
        source or f'check("{name}", {name})', id=name, metadata=marked(name, grade=True, locked=True, points=points)
    )


def first():
    return new_notebook(
        cells=[
            new_markdown_cell("# One", id="one"),
            new_code_cell("import numpy as np", id="setup"),
            new_markdown_cell("Write f.", id="ex-f"),
            stub("f-answer", "def f(x):\n    # YOUR CODE HERE\n    raise NotImplementedError()"),
            check("f"),
            new_code_cell("print(1)", id="demo"),
            stub("g-answer", "g = None\n# YOUR CODE HERE"),
            check("g"),
            stub("why", "*Your answer here.*", new_markdown_cell, grade=True, points=4),
        ]
    )


class Course:
    """A course of one notebook, and a learner's copy of it."""

    def __init__(self, folder):
        self.work, self.released, self.place = folder / "work", folder / "notebooks", "1-part/1-one.ipynb"
        self.mine, self.new = first(), first()
        self.new.metadata["editions"] = {"2": "It brings more."}
        for path in (self.work / self.place, self.released / self.place):
            path.parent.mkdir(parents=True)
        self.release()

    @property
    def target(self):
        return self.work / self.place

    def release(self):
        (self.released / self.place).write_text(as_json(self.new), encoding="utf-8")

    def old(self, name):
        return next(cell for cell in self.mine.cells if cell.id == name)

    def cell(self, name):
        return next(cell for cell in self.new.cells if cell.id == name)

    def write(self, name, source):
        self.old(name).source = source

    def add(self, before, *cells):
        i = self.mine.cells.index(self.old(before)) if before else len(self.mine.cells)
        self.mine.cells[i:i] = cells

    def remove(self, name):
        self.mine.cells.remove(self.old(name))

    def reset(self, data=None, **options):
        """Reset the learner's copy; what was told."""
        self.release()
        before = as_json(self.mine).encode("utf-8", "replace") if data is None else data
        self.target.write_bytes(before)
        done = reset("1-one", self.work, self.released, NOON, **options)
        assert done.kept == self.target.with_name(KEPT)
        assert done.kept.read_bytes() == before
        return list(done.told)

    def after(self):
        notebook = nbformat.read(self.target, 4)
        nbformat.validate(notebook)
        return notebook

    def sources(self):
        return {cell.id: cell.source for cell in self.after().cells}


@pytest.fixture
def course(tmp_path, monkeypatch):
    # As in a class: no cell with a model answer is added.
    monkeypatch.setattr("grader.desk.lab.home_copy.__defaults__", (tmp_path / "no solutions",))
    return Course(tmp_path)


SOLVED = "def f(x):\n    return 2 * x"


def test_answers_come_by_their_id_written_ones_as_well(course):
    course.write("f-answer", SOLVED)
    course.write("why", "Because of ![it](attachment:a.png).")
    course.old("why").attachments = {"a.png": {"image/png": "aGk="}}
    course.new.cells.reverse()
    told = course.reset()
    assert [cell.id for cell in course.after().cells] == [cell.id for cell in course.new.cells]
    assert course.sources()["f-answer"] == SOLVED
    assert course.after().cells[0].source == "Because of ![it](attachment:a.png)."
    assert course.after().cells[0].attachments == {"a.png": {"image/png": "aGk="}}
    assert told == ["It is edition 2 now: It brings more.", "It has 2 answers of yours: why and f."]


def test_a_stub_of_an_earlier_edition_is_no_answer(course):
    course.cell("f-answer").source = "def f(x):\n    # WRITE HERE\n    raise NotImplementedError()"
    course.write("g-answer", "")
    assert course.reset() == ["It is edition 2 now: It brings more."]
    assert course.target.read_bytes() == (course.released / course.place).read_bytes()


def test_without_nbgraders_mark_what_is_no_stub_of_today_is_an_answer(course):
    course.cell("f-answer").source = "def f(x):\n    # WRITE HERE\n    raise NotImplementedError()"
    del course.old("f-answer").metadata.nbgrader["checksum"]
    del course.old("g-answer").metadata.nbgrader["checksum"]
    assert "It has 1 answer of yours: f." in course.reset()


def test_every_edition_in_between_is_told_and_none_that_one_has(course):
    course.new.metadata.editions = {"2": "Two.", "3": "Three.", "4": "Four."}
    course.mine.metadata["editions"] = {"2": "Two."}
    assert course.reset() == ["It is edition 4 now: Three. Four."]
    course.mine.metadata["editions"] = {"4": "Four."}
    course.write("f-answer", SOLVED)
    course.target.with_name(KEPT).unlink()
    assert course.reset() == ["It has 1 answer of yours: f."]


def test_an_answer_to_an_exercise_that_is_gone_is_named_and_stays_in_the_old_notebook(course):
    course.new.cells = [cell for cell in course.new.cells if not cell.id.startswith(("f", "g"))]
    course.write("f-answer", SOLVED)
    told = course.reset()
    assert "No longer in the notebook, so your answer is in your old one only: f." in told
    assert not any("g" in line.split(": ")[-1].split() for line in told), "nothing was written there"
    assert SOLVED not in course.sources().values()


@pytest.mark.parametrize(
    ("asked", "answer", "said"),
    [
        ("def f(x, axis):", "def f(x):\n    pass", "asks for f(x, axis), and your answer has f(x)."),
        ("def f(Q, K):", "def f(K, Q):\n    pass", "asks for f(Q, K), and your answer has f(K, Q)."),
        ("def f(x):", "def f(x, axis):\n    pass", "asks for f(x), and your answer has f(x, axis)."),
        ("def f(x, axis=0):", "def f(x, axis):\n    pass", "asks for f(x, axis=0), and"),
        ("def f(x, *, axis):", "def f(x):\n    pass", "asks for f(x, *, axis), and"),
        ("def f(x):", "def h(x):\n    pass", "asks for f there, and your answer has none."),
        ("def f(x):", "def f(x, axis=0):\n    pass", ""),
        ("def f(x, *, axis):", "def f(x, axis=0):\n    pass", ""),
        ("def f(x, *, axis):", "def f(x, **more):\n    pass", ""),
        ("def f(x, axis):", "def f(*all):\n    pass", ""),
        ("def f(x):", "f = lambda x: x", ""),
        ("def f(x):", "if True:\n    def f(x): '\\d'", ""),
        ("def f(x):", "%%time\ndef f(x):\n    pass", ""),
        ("def f(x):", "def f(x:\n    pass", ""),
    ],
)
def test_an_answer_to_another_signature_comes_along_and_is_told(course, asked, answer, said):
    course.cell("f-answer").source = f"{asked}\n    raise NotImplementedError()"
    course.write("f-answer", answer)
    told = [line for line in course.reset() if line.startswith("Look once more: the notebook ")]
    assert len(told) == bool(said)
    assert said in "".join(told)
    assert course.sources()["f-answer"] == answer


def test_own_cells_follow_the_cell_that_they_followed(course):
    course.add("one", new_code_cell("top = 1", id="0a1b2c3d"))
    course.add("ex-f", new_code_cell("import math", id="1a1b2c3d"), new_markdown_cell("mine", id="2a1b2c3d-4e"))
    course.add(None, new_raw_cell("raw", id="3a1b2c3d"), new_code_cell("  ", id="4a1b2c3d"))
    course.cell("setup").source = "import numpy"
    told = course.reset()
    cells = [(cell.cell_type, cell.id) for cell in course.after().cells if cell.id[0].isdigit()]
    assert cells == [("code", "0a1b2c3d"), ("code", "1a1b2c3d"), ("markdown", "2a1b2c3d-4e"), ("raw", "3a1b2c3d")]
    order = [*course.sources()]
    assert order[:2] == ["0a1b2c3d", "one"]
    assert order[order.index("setup") + 1 :][:3] == ["1a1b2c3d", "2a1b2c3d-4e", "ex-f"]
    assert order[-2:] == ["why", "3a1b2c3d"]
    assert "4 cells of your own came along: look whether everything still fits." in told
    assert reset("1-one", course.work, course.released).kept is None


def test_an_own_cell_behind_one_that_is_gone_follows_the_one_before(course):
    course.new.cells = [cell for cell in course.new.cells if cell.id != "demo"]
    course.add("g-answer", new_code_cell("own = 1", id="0a1b2c3d"))
    told = course.reset()
    order = [*course.sources()]
    assert order[order.index("f") + 1] == "0a1b2c3d"
    assert "Other code that differs now, yours is in your old one only: demo." in told


def test_a_cell_of_the_course_that_the_learner_changed_is_told(course):
    course.write("setup", "import numpy as np\nimport math")
    course.write("one", "# Other words")
    assert "Other code that differs now, yours is in your old one only: setup." in course.reset()
    assert course.sources()["setup"] == "import numpy as np"


def test_copies_of_an_answer_stay_in_their_order(course):
    course.write("f-answer", SOLVED)
    for name, source in (("0a1b2c3d", SOLVED), ("1a1b2c3d", "def f(x):\n    return 3 * x")):
        again = stub("f-answer", "x")
        again.id, again.source = name, source
        course.add("f", again)
    again = stub("f-answer", "def f(x):\n    # YOUR CODE HERE")
    again.id = "3a1b2c3d"
    course.add("g", again, new_code_cell("own = 1", id="2a1b2c3d"))
    course.reset()
    cells = course.after().cells
    assert [cell.id for cell in cells if "def f" in cell.source] == ["f-answer", "1a1b2c3d"]
    assert [cell.source for cell in cells if cell.id == "1a1b2c3d"] == ["def f(x):\n    return 3 * x"]
    assert not any(marks(cell) for cell in cells if cell.id == "1a1b2c3d"), "nbgrader wants each id once"
    order = [cell.id for cell in cells]
    assert order[order.index("2a1b2c3d") - 1] == "g-answer"


@pytest.mark.parametrize("stub_stays", [True, False])
def test_an_answer_in_a_cell_of_ones_own_goes_where_the_notebook_asks_for_it(course, stub_stays):
    course.add("f-answer", new_code_cell("def f(x):\n    return 1", id="0a1b2c3d"))
    course.add("f-answer", new_code_cell(SOLVED, id="1a1b2c3d"))
    if not stub_stays:
        course.remove("f-answer")
    assert "It has 1 answer of yours: f." in course.reset()
    assert course.sources()["f-answer"] == SOLVED
    order = [*course.sources()]
    assert order[order.index("f-answer") - 1] == "0a1b2c3d"
    assert "1a1b2c3d" not in order


def test_a_copy_of_a_cell_of_the_course_is_an_own_cell(course):
    course.add(None, new_code_cell("print(1)", id="0a1b2c3d"), new_code_cell("own = 1", id="1a1b2c3d"))
    course.reset()
    assert [*course.sources()][-3:] == ["why", "0a1b2c3d", "1a1b2c3d"]


def test_an_answer_to_another_exercise_is_not_taken_for_this_one(course):
    course.remove("f-answer")
    course.add("f", stub("h-answer", "h = 1"))
    course.write("h-answer", "def f(x):\n    return 'h'")
    assert "No longer in the notebook, so your answer is in your old one only: h." in course.reset()
    assert course.sources()["f-answer"] == first().cells[3].source


# ---- results


def test_points_count_on_and_nothing_else_that_was_shown_comes_along(course):
    shown = new_output("display_data", {"text/html": "<b>Well done</b>", "text/plain": "Well done"})
    course.old("f").outputs = [shown, result(1.5)]
    course.old("g").outputs = [shown, result(0)]
    course.old("demo").outputs = [shown]
    before = read_progress_of(course)
    told = course.reset()
    assert (before[0], read_progress_of(course)) == (1.5, before)
    outputs = {cell.id: cell.outputs for cell in course.after().cells if cell.cell_type == "code"}
    assert outputs["f"] == [shown, result(1.5)]
    assert outputs["g"] == outputs["demo"] == []
    assert "The results of 1 check came along, so your progress counts on." in told


def read_progress_of(course):
    course.release()
    if not course.target.exists():
        course.target.write_text(as_json(course.mine), encoding="utf-8")
    (row,) = read_progress(course.work, course.released)
    return row.points, row.done, row.problem


def test_a_check_that_asks_for_something_else_has_to_be_run_again(course):
    course.old("f").outputs = [result(2)]
    course.old("g").outputs = [result(2)]
    course.cell("f").source = 'check("f", f, f(1))'
    told = course.reset()
    assert "These checks have to be run again to count: f." in told
    assert "The results of 1 check came along, so your progress counts on." in told
    assert [cell.id for cell in course.after().cells if cell.get("outputs")] == ["g"]


def test_outputs_that_no_notebook_may_hold_stay_behind(course):
    course.old("f").outputs = [result(2)]
    course.old("f").outputs[0]["nonsense"] = 3
    assert "These checks have to be run again to count: f." in course.reset()


def test_of_a_check_that_is_there_twice_the_one_with_points_counts(course):
    course.old("f").outputs = [result(2)]
    again = copy.deepcopy(course.old("f"))
    again.id, again.outputs = "0a1b2c3d", []
    course.add(None, again)
    course.reset()
    assert read_progress_of(course)[0] == 2


# ---- empty


def test_empty_leaves_answers_and_results_behind(course):
    course.write("f-answer", SOLVED)
    course.old("f").outputs = [result(2)]
    assert course.reset(empty=True) == []
    assert course.target.read_bytes() == (course.released / course.place).read_bytes()


# ---- damage


def as_json_of(course):
    return json.loads(as_json(course.mine))


def test_a_notebook_without_ids_is_not_doubled(course):
    course.write("f-answer", SOLVED)
    course.add(None, new_code_cell("own = 1"))
    saved = as_json_of(course)
    for cell in saved["cells"]:
        del cell["id"]
    told = course.reset(json.dumps(saved | {"nbformat_minor": 4}).encode())
    assert [cell.id for cell in course.after().cells[:-1]] == [cell.id for cell in course.new.cells]
    assert course.after().cells[-1].source == "own = 1"
    assert course.sources()["f-answer"] == SOLVED
    assert "1 cell of your own came along: look whether everything still fits." in told
    assert not any("damaged" in line for line in told)


@pytest.mark.parametrize("ids", [True, False])
def test_what_nbgrader_wrote_may_be_lost(course, ids):
    course.write("f-answer", SOLVED)
    course.write("why", "Because it is so, and a few words more than that.")
    course.old("why").attachments = {"a.png": {"image/png": "aGk="}}
    saved = as_json_of(course)
    for i, cell in enumerate(saved["cells"]):
        cell["metadata"] = {}
        cell["id"] = cell["id"] if ids else f"{i}a1b2c3d"
    told = course.reset(json.dumps(saved).encode())
    assert [*course.sources()] == [cell.id for cell in course.new.cells]
    assert course.sources()["f-answer"] == SOLVED
    assert course.sources()["why"].startswith("Because")
    assert course.after().cells[-1].attachments == {"a.png": {"image/png": "aGk="}}
    assert any("damaged" in line for line in told) != ids


def test_of_a_notebook_that_is_cut_off_the_whole_cells_come_along(course):
    course.write("f-answer", SOLVED)
    course.write("why", "lost")
    data = as_json(course.mine).encode()
    told = course.reset(data[: data.index(b'"lost"')])
    assert told[0] == "Your old one is damaged; what could still be read of it came along."
    assert course.sources()["f-answer"] == SOLVED
    assert course.sources()["why"] == "*Your answer here.*"


@pytest.mark.parametrize("data", [b"", b"\x00\xff\xfe\x80", b"[]", b"{}", b"my work", b"[" * 100_000])
def test_where_nothing_can_be_read_it_is_told_and_kept(course, data):
    assert course.reset(data) == ["Your old one is damaged, and no answers could be read from it."]
    assert course.target.read_bytes() == (course.released / course.place).read_bytes()


@pytest.mark.parametrize(
    "change",
    [
        lambda cell: cell.update(source=3),
        lambda cell: cell.update(metadata=[]),
        lambda cell: cell.update(outputs=[3]),
        lambda cell: cell.update(outputs=None),
        lambda cell: cell.update(id=["x"]),
        lambda cell: cell.update(attachments=3),
        lambda cell: cell.pop("cell_type"),
        lambda cell: cell["metadata"].update(nbgrader=[3]),
        lambda cell: cell["metadata"].update(nbgrader={"grade_id": ["f"], "grade": True}),
        lambda cell: cell["metadata"].update(nbgrader={"grade_id": "f", "grade": True, "points": []}),
    ],
    ids=range(10),
)
@pytest.mark.parametrize("name", ["f", "demo", "g-answer"])
def test_an_odd_cell_costs_nobody_the_other_answers(course, name, change):
    course.write("f-answer", SOLVED)
    saved = as_json_of(course)
    change(next(cell for cell in saved["cells"] if cell["id"] == name))
    course.reset(json.dumps(saved).encode())
    assert course.sources()["f-answer"] == SOLVED


def test_half_a_letter_does_no_harm(course):
    course.write("f-answer", SOLVED)
    course.reset(as_json(course.mine).replace("return 2", "return 2 # \\ud800 ").encode())
    assert "return 2 # ? " in course.sources()["f-answer"]


def test_a_damaged_release_is_told_and_nothing_is_touched(course):
    (course.released / course.place).write_text("{")
    course.target.write_text("my work")
    with pytest.raises(NotebookError, match="mend it with: python -m grader release"):
        reset("1-one", course.work, course.released)
    assert [path.name for path in course.target.parent.iterdir()] == ["1-one.ipynb"]


# ---- files


def nothing_is_lost(course, message):
    course.target.write_text(as_json(course.mine), encoding="utf-8")
    before = course.target.read_bytes()
    with pytest.raises(CourseError, match=message):
        reset("1-one", course.work, course.released)
    assert course.target.read_bytes() == before
    assert [path.name for path in course.target.parent.iterdir()] == ["1-one.ipynb"]


def no_links(*_, **__):
    raise OSError(errno.EPERM, "Operation not permitted")


@pytest.mark.parametrize("links", [True, False])
def test_where_nothing_can_be_written_the_notebook_stays(course, monkeypatch, links):
    def refuse(path, data):
        raise PermissionError(errno.EACCES, "Permission denied", str(path))

    monkeypatch.setattr("grader.desk.reset.write_whole", refuse)
    if not links:
        monkeypatch.setattr("grader.desk.reset.os.link", no_links)
    course.write("f-answer", SOLVED)
    nothing_is_lost(course, r"1-one.ipynb cannot be written: Permission denied")


@pytest.mark.skipif(not hasattr(os, "geteuid") or os.geteuid() == 0, reason="root may write everywhere")
def test_a_read_only_folder_is_told(course):
    course.write("f-answer", SOLVED)
    course.target.parent.chmod(0o500)
    try:
        nothing_is_lost(course, "cannot be written: Permission denied")
    finally:
        course.target.parent.chmod(0o700)


def test_a_notebook_that_cannot_be_read_is_told(course, monkeypatch):
    def refuse(path):
        raise PermissionError(errno.EACCES, "Permission denied", str(path))

    course.target.write_text("my work")
    with monkeypatch.context() as patch:
        patch.setattr(type(course.target), "read_bytes", lambda path: refuse(path) if path == course.target else b"")
        with pytest.raises(CourseError, match="cannot be read: Permission denied; nothing was changed"):
            reset("1-one", course.work, course.released)
    assert course.target.read_text() == "my work"


def test_a_file_where_a_folder_should_be_is_told(course):
    course.target.parent.rmdir()
    course.target.parent.write_text("in the way")
    with pytest.raises(CourseError, match="cannot be written: "):
        reset("1-one", course.work, course.released)


def test_it_works_without_links(course, monkeypatch):
    monkeypatch.setattr("grader.desk.reset.os.link", no_links)
    course.write("f-answer", SOLVED)
    course.reset()
    assert course.sources()["f-answer"] == SOLVED


def test_a_folder_or_a_link_in_the_notebooks_place_is_kept(course, tmp_path):
    course.target.mkdir()
    done = reset("1-one", course.work, course.released, NOON)
    assert done.kept.is_dir()
    course.target.unlink()
    elsewhere = tmp_path / "elsewhere.ipynb"
    course.write("f-answer", SOLVED)
    elsewhere.write_text(as_json(course.mine), encoding="utf-8")
    course.target.symlink_to(elsewhere)
    done = reset("1-one", course.work, course.released, NOON)
    assert course.sources()["f-answer"] == SOLVED
    assert done.kept.is_symlink()
    assert elsewhere.read_text(encoding="utf-8") == as_json(course.mine)


# ---- the commands


def test_the_command_tells_what_came_along(course, monkeypatch, capsys):
    monkeypatch.setattr("grader.desk.reset.reset.__defaults__", (course.work, course.released, NOON))
    course.write("f-answer", SOLVED)
    course.target.write_text(as_json(course.mine), encoding="utf-8")
    assert commands.main(["reset", "1-one"]) == 0
    lines = capsys.readouterr().out.splitlines()
    assert lines[:4] == [
        f"{course.target} is fresh again.",
        "It is edition 2 now: It brings more.",
        "It has 1 answer of yours: f.",
        f"Your old one is kept: {course.target.with_name(KEPT)}",
    ]
    assert commands.main(["reset", "1-one"]) == 0
    assert capsys.readouterr().out == f"{course.target} is as fresh as a reset makes it\n"
    assert commands.main(["reset", "1-one", "--empty"]) == 0
    assert course.sources()["f-answer"] == first().cells[3].source


def test_lab_tells_of_new_editions_and_changes_no_copy(course, monkeypatch, capsys):
    second = course.released / "2-part" / "1-one.ipynb"
    second.parent.mkdir()
    second.write_text(as_json(course.new), encoding="utf-8")
    course.target.write_text(as_json(course.mine), encoding="utf-8")
    before = course.target.read_bytes()
    monkeypatch.setattr("grader.desk.lab.copy_notebooks.__defaults__", (course.released, course.work))
    monkeypatch.setattr(lab, "_serve", lambda *_: 0)
    lab.lab()
    said = capsys.readouterr().out
    assert "  python -m grader reset 1-part/1-one  # It brings more.\n" in said
    assert "reset 2-part" not in said, "it has only come"
    assert course.target.read_bytes() == before
    assert (course.work / "2-part" / "1-one.ipynb").read_bytes() == second.read_bytes()
    reset("1-part/1-one", course.work, course.released)
    lab.lab()
    assert "edition" not in capsys.readouterr().out


@pytest.mark.parametrize("data", [b"", b"{", b"\xff\xfe", b"[3]", b"3", b"[" * 100_000])
def test_a_damaged_copy_does_not_keep_the_course_from_opening(course, data):
    course.target.write_bytes(data)
    copies = lab.copy_notebooks(course.released, course.work)
    assert [name.as_posix() for name in copies.kept] == [course.place]
    assert len(copies.older) == (data in (b"[3]", b"3")), "no table of editions, so it is taken for the first"
