"""The notebooks as they are committed, and as they run."""

import ast
import importlib
import re

import pytest
import variants
from courseware import RELEASED, ROOT, SOLUTIONS, check_cells, execute, name_of, read, text_of

import attnlib
from grader.classroom.release import release
from grader.desk.trying import section_flaws
from grader.exercises import BANK, NOTEBOOKS
from grader.exercises.kinds import FunctionExercise
from grader.notebook import as_json, is_written, marks, normal_form, points_shown, read_notebook

MARKERS = ("BEGIN SOLUTION", "END SOLUTION", "BEGIN HIDDEN", "END HIDDEN", "BEGIN MARK", "END MARK")


def test_there_are_notebooks():
    assert SOLUTIONS
    assert [name_of(path) for path in SOLUTIONS] == [name_of(path) for path in RELEASED]


CHALLENGE = r"^#+ (?:\d+\. )?Challenge: .* · ●●● · .* · optional on a first reading$"


@pytest.mark.parametrize("path", SOLUTIONS, ids=name_of)
def test_a_source_notebook_is_in_normal_form(path):
    text = path.read_text(encoding="utf-8")
    assert text == as_json(normal_form(read_notebook(path))), "run: python -m grader normalize"


def test_the_released_notebooks_equal_a_fresh_release(tmp_path):
    fresh = tmp_path / "notebooks"
    names = release(ROOT, fresh)
    assert sorted(names) == sorted(path.relative_to(ROOT / "notebooks") for path in RELEASED)
    for name in names:
        committed = (ROOT / "notebooks" / name).read_bytes()
        assert committed == (fresh / name).read_bytes(), f"{name} is stale; run: python -m grader release"
    strays = [p for p in (ROOT / "notebooks").rglob("*") if p.is_file() and p not in RELEASED]
    strays += [p for p in (ROOT / "solutions").rglob("*") if p.is_file() and p not in SOLUTIONS]
    assert not strays, "nbgrader copies every file of solutions/ to learners"


def test_every_exercise_has_its_cells_once_and_the_points_agree():
    seen = {}
    for path in SOLUTIONS:
        for cell in check_cells(read(path)):
            name = cell.id
            assert name not in seen, f"{name} is in {seen.get(name)} and {path}"
            seen[name] = path
            assert name in BANK, f"{name} has no exercise in grader/exercises"
            assert marks(cell)["points"] == BANK[name].points
            assert re.fullmatch(rf'check\("{name}", [a-z_]\w*\)', cell.source), cell.source
    assert set(seen) == set(BANK)


@pytest.mark.parametrize("path", SOLUTIONS, ids=name_of)
def test_a_solution_cell_keeps_its_signature_outside_the_region(path):
    answers = [cell for cell in read(path).cells if marks(cell).get("solution") and not marks(cell).get("grade")]
    assert answers
    for cell in answers:
        assert cell.id.endswith("-answer")
        head = cell.source.split("### BEGIN SOLUTION")[0]
        name = cell.id.removesuffix("-answer")
        if isinstance(BANK[name], FunctionExercise):
            assert f"def {name}(" in head
            assert '"""' in head
        else:
            assert re.match(r"\w+ = (None|\{)", head), f"{name}: the cell starts with `answer = None`"


# So long a line does not scroll in JupyterLab in a window of 1000 pixels, once its file browser is folded.
WIDEST = 96


@pytest.mark.parametrize("path", SOLUTIONS, ids=name_of)
def test_every_cell_is_short_and_prose_has_no_marker(path):
    for cell in read(path).cells:
        if cell.cell_type == "markdown" and not marks(cell):
            assert not any(marker in cell.source for marker in MARKERS)
            for hint in re.findall(r"<details>.*?</details>", cell.source, re.S):
                assert "\n\n" not in hint, "a blank line ends an HTML block in nbconvert; use <br>"
        if cell.cell_type == "code":
            lines = [line for line in cell.source.split("\n") if line.strip()]
            assert len(lines) <= 22, f"{cell.id} has {len(lines)} lines"
            assert max((len(line) for line in lines), default=0) <= WIDEST, cell.id


@pytest.mark.parametrize("path", SOLUTIONS, ids=name_of)
def test_no_sentence_stands_twice_in_a_text(path):
    for cell in read(path).cells:
        if cell.cell_type == "markdown" and not marks(cell):
            sentences = [one for one in re.split(r"(?<=[.!?]) |\n", cell.source) if len(one) > 40]
            assert len(sentences) == len(set(sentences)), cell.id


@pytest.mark.parametrize("path", [p for p in SOLUTIONS if not p.parent.name.startswith("0-")], ids=name_of)
def test_a_notebook_has_the_whole_anatomy(path):
    notebook = read(path)
    text = notebook.cells[0].source
    prose = "\n".join(cell.source for cell in notebook.cells if cell.cell_type == "markdown")
    assert "You will be able to" in notebook.cells[0].source
    assert re.search(r"\d+ minutes", notebook.cells[0].source)
    assert any(cell.id.startswith("predict-") for cell in check_cells(notebook))
    assert any("widgets.explore_" in cell.source for cell in notebook.cells if cell.cell_type == "code")
    for heading in ("When it goes wrong", "Recap", "Further reading"):
        assert heading.lower() in prose.lower(), heading
    # What the course itself adds: a notebook that somebody begins to write need not have it yet.
    if path.parent.name[0] in "123":
        assert text.count("\n\n") >= 2, "first what the last notebook could not do, then what this one can"
        assert "What there was to see" in prose
        assert len(re.findall(CHALLENGE, prose, re.M)) == 1
    functions = [c for c in check_cells(notebook) if isinstance(BANK[c.id], FunctionExercise)]
    assert prose.count("<details>") >= 2 * len(functions)
    assert prose.count("●") >= len(functions)


@pytest.mark.parametrize("path", SOLUTIONS, ids=name_of)
def test_sections_are_numbered_from_1_on_without_a_gap(path):
    notebook = read(path)
    assert section_flaws(notebook) == []
    notebook.cells[-1].source = "## 2. Once more"
    assert section_flaws(notebook)


def test_each_part_has_one_question_graded_by_hand():
    parts = {}
    for path in SOLUTIONS:
        written = [c.id for c in read(path).cells if is_written(c)]
        parts.setdefault(path.parent.name, []).extend(written)
    assert len(parts) > 1
    for part, written in parts.items():
        assert len(written) == (0 if part.startswith("0-") else 1), (part, written)


@pytest.mark.parametrize("path", RELEASED, ids=name_of)
def test_nothing_of_a_solution_is_released(path):
    released = path.read_text(encoding="utf-8")
    assert not any(marker in released for marker in MARKERS)
    source = read(ROOT / "solutions" / path.parent.name / path.name)
    kept = {line.strip() for cell in read(path).cells for line in cell.source.split("\n")}
    assert any(marks(cell).get("solution") for cell in source.cells)
    for cell in source.cells:
        if not marks(cell).get("solution"):
            continue
        region = re.search(r"### BEGIN SOLUTION\n(.*?)\n\s*### END SOLUTION", cell.source, re.S)
        secret = region.group(1) if region else cell.source
        for line in secret.split("\n"):
            told = not line.strip().startswith(("return", "for ", "if ")) and not line.endswith("= {")
            if len(line.strip()) > 12 and told:
                assert line.strip() not in kept, f"{cell.id}: {line.strip()!r} is in the released notebook"


@pytest.mark.parametrize("path", SOLUTIONS, ids=name_of)
def test_a_notebook_imports_nothing_that_it_or_a_later_one_asks_for(path):
    asked = set()
    for later in SOLUTIONS[SOLUTIONS.index(path) :]:
        asked |= {cell.id for cell in check_cells(read(later))}
    for cell in read(path).cells:
        if cell.cell_type != "code":
            continue
        for node in ast.walk(ast.parse(cell.source)):
            if isinstance(node, ast.ImportFrom) and (node.module or "").split(".")[0] == "attnlib":
                for name in node.names:
                    assert name.name not in asked, f"{cell.id} imports {name.name}"
                    assert name.name in ("plots", "widgets") or hasattr(attnlib, name.name) or node.module != "attnlib"


def numbers():
    found = []
    for path in SOLUTIONS:
        folder = variants.module_of(NOTEBOOKS[path.stem][0].id).rpartition(".")[0]
        for text, compute in importlib.import_module(f"{folder}.prose").NUMBERS:
            found.append(pytest.param(path, text, compute, id=f"{path.stem}-{text[:40]}"))
    return found


@pytest.mark.execution
@pytest.mark.parametrize(("path", "text", "compute"), numbers())
def test_a_number_in_prose_is_the_one_that_code_computes(path, text, compute):
    assert compute() == text
    prose = "\n".join(cell.source for cell in read(path).cells)
    assert text in prose, "the prose has changed: change the number's test with it"


@pytest.mark.parametrize("path", SOLUTIONS, ids=name_of)
def test_the_bank_has_the_exercises_of_a_notebook_in_its_order(path):
    assert [exercise.id for exercise in NOTEBOOKS[path.stem]] == [cell.id for cell in check_cells(read(path))]


# The book runs the course's cells of every notebook, and test_course_pictures.py has them all solved and graded.
@pytest.mark.execution
@pytest.mark.parametrize(
    "path",
    [
        pytest.param(
            path, id=name_of(path), marks=[] if path.stem in ("start-here", "1-positions") else pytest.mark.thorough
        )
        for path in SOLUTIONS
    ],
)
def test_a_solved_notebook_earns_full_marks_without_a_warning(path, tmp_path):
    notebook = execute(read(path), tmp_path)
    for cell in notebook.cells:
        for output in cell.get("outputs", []):
            assert output.output_type != "error", f"{cell.id}: {output.get('ename')}: {output.get('evalue')}"
            assert output.get("name") != "stderr", f"{cell.id}: {output.get('text')}"
    for cell in check_cells(notebook):
        assert points_shown(cell) == marks(cell)["points"], f"{cell.id}: {text_of(cell)}"
    assert not any(tmp_path.iterdir())


# ---- the ways from notebook to notebook

LINK = re.compile(r"(?<!!)\[([^\]]+)\]\(([^)\s]+)\)")


def ways(path):
    """What the links to notebooks in a notebook's last cell lead to, in their order."""
    return [str((path.parent / target).resolve()) for _, target in LINK.findall(read(path).cells[-1].source)]


def test_one_walks_from_the_first_notebook_to_the_last_and_back_and_from_each_to_the_road():
    for place, path in enumerate(RELEASED):
        before, after = ([str(one.resolve()) for one in RELEASED[at : at + 1]] for at in (place - 1, place + 1))
        road = f"{RELEASED[0].resolve()}#cell-id=the-road"
        assert ways(path) == ([*before, road, *after] if place else after), f"the last cell of {name_of(path)}"


@pytest.mark.parametrize("path", RELEASED, ids=name_of)
def test_every_link_of_a_notebook_leads_to_a_notebook_that_is_there(path):
    prose = "\n".join(cell.source for cell in read(path).cells if cell.cell_type == "markdown")
    targets = [target for _, target in LINK.findall(prose) if not re.match(r"https?://|#", target)]
    assert targets
    for target in targets:
        assert target.count("..") <= 1, "beside its own folder lie only other parts, in a learner's work too"
        target, _, within = target.partition("#cell-id=")
        assert (path.parent / target).resolve() in [one.resolve() for one in RELEASED], target
        assert not within or within in [cell.id for cell in read((path.parent / target).resolve()).cells], within


@pytest.mark.parametrize("path", RELEASED, ids=name_of)
def test_a_title_tells_more_than_the_name_of_its_file(path):
    title = read(path).cells[0].source.split("\n")[0]
    assert title.startswith("# ")
    told = set(re.findall(r"\w+", title.lower())) - set(re.findall(r"[a-z]+", path.stem))
    assert len(told) >= 3, title


@pytest.mark.parametrize("answer", variants.handwritten("the-circuit", "VARIANTS"), ids=str)
def test_the_cell_below_the_circuit_takes_every_answer_that_its_check_takes(answer, capsys):
    path = next(path for path in RELEASED if path.stem == "1-interpretability")
    cell = next(cell for cell in read(path).cells if cell.id == "all-cuts")
    for given, told in ((answer, 5), (dict.fromkeys(answer), 1)):
        exec(cell.source, {"the_circuit": given, "second_loss": lambda keep: 0.5, "everything": []})
        assert len(capsys.readouterr().out.splitlines()) == told
