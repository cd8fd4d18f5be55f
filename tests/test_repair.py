"""Repair: whatever happens to a notebook on its way, the answers in it are found and the rest is the release's."""

import contextlib
import copy
import io
import json
import os
import random
import re
import time
import zipfile
from functools import cache

import nbformat
import pytest
from courseware import RELEASED, ROOT, marks, name_of, read

from grader.notebook_format import NotebookError, as_json
from grader.repair import Unreadable, find_files, repair, untouched
from grader.sample_class import CLASS, submission

pytestmark = pytest.mark.grading

ADA = CLASS[0]
SOFTMAX = next(path for path in RELEASED if path.stem == "3-softmax")
WRITTEN = next(path for path in RELEASED if path.stem == "4-context-vectors")


@cache
def text_of_solved(path):
    """A solved notebook as the text of its file."""
    solution = read(ROOT / "solutions" / path.parent.name / path.name)
    return as_json(submission(ADA, copy.deepcopy(read(path)), solution))


def solved(path):
    """A solved notebook as JSON has it, sources in lines."""
    return json.loads(text_of_solved(path))


@cache
def expected(path):
    """A solved notebook as it comes out of a repair; shared, so not to be changed."""
    return nbformat.reads(text_of_solved(path), as_version=4)


@cache
def pristine(path):
    """A second copy of a released notebook, to see that nobody changes the first."""
    return copy.deepcopy(read(path))


def blank(path):
    """A notebook as handed out, as JSON has it."""
    return json.loads(as_json(read(path)))


def repaired(document, path):
    """Repair a notebook and check what is true of every repair; returns it and what was said."""
    released = read(path)
    data = document if isinstance(document, bytes) else json.dumps(document, ensure_ascii=False).encode("utf-8")
    result = repair(data, released)
    assert released == pristine(path)
    nbformat.validate(result.notebook)
    ids = [cell.id for cell in released.cells]
    assert [cell.id for cell in result.notebook.cells if cell.id in ids] == ids
    assert all(cell.source.strip() and not cell.metadata for cell in result.notebook.cells if cell.id not in ids)
    assert not any(cell.get("outputs") for cell in result.notebook.cells)
    assert len(result.repairs) <= 20
    assert all(re.fullmatch(r"[^\n]{10,300}\.", words) for words in result.repairs)
    return result.notebook, result.repairs


def of_release(notebook, path, graded_only=False):
    """The cells of the release in a repaired notebook."""
    ids = {cell.id for cell in read(path).cells if marks(cell) or not graded_only}
    return [cell for cell in notebook.cells if cell.id in ids]


def own(notebook, path):
    """The learner's own cells in a repaired notebook."""
    ids = {cell.id for cell in read(path).cells}
    return [cell for cell in notebook.cells if cell.id not in ids]


def source(cell):
    return "".join(cell["source"])


def about(cell):
    """nbgrader's metadata of a cell as JSON has it."""
    return cell["metadata"].get("nbgrader", {})


def is_check(cell):
    return about(cell).get("grade") and not about(cell).get("solution")


def is_answer(cell):
    return about(cell).get("solution", False)


def cell_of(document, name):
    return next(cell for cell in document["cells"] if cell["id"] == name)


def code(text, **more):
    cell = {"cell_type": "code", "execution_count": None, "metadata": {}, "outputs": [], "source": text}
    return cell | more


def markdown(text, **more):
    return {"cell_type": "markdown", "metadata": {}, "source": text} | more


def text_in(notebook, name):
    return next(cell.source for cell in notebook.cells if cell.id == name)


# ---- nothing to repair


@pytest.mark.parametrize("path", RELEASED, ids=name_of)
def test_a_solved_notebook_stays_as_it_is_and_nothing_is_said(path):
    notebook, repairs = repaired(solved(path), path)
    assert repairs == ()
    assert notebook == expected(path)


@pytest.mark.parametrize("path", RELEASED, ids=name_of)
def test_a_notebook_that_nobody_touched_stays_as_it_is_and_nothing_is_said(path):
    notebook, repairs = repaired(blank(path), path)
    assert repairs == ()
    assert notebook == read(path)


@pytest.mark.parametrize("path", RELEASED, ids=name_of)
def test_what_jupyterlab_saves_needs_no_repair(path):
    document = solved(path)
    document["metadata"] |= {
        "kernelspec": {"display_name": "My Python", "language": "python", "name": "conda-env-course-py"},
        "language_info": {"name": "python", "version": "3.12.1"},
        "widgets": {"application/vnd.jupyter.widget-state+json": {"state": {}}},
    }
    for i, cell in enumerate(document["cells"]):
        cell["metadata"] |= {"collapsed": False, "tags": ["mine"], "trusted": True, "scrolled": "auto"}
        if cell["cell_type"] == "code":
            cell["execution_count"] = i
            cell["outputs"] = [{"output_type": "stream", "name": "stdout", "text": ["hello\n"]}]
            cell["metadata"]["execution"] = {"iopub.execute_input": "2024-01-01T00:00:00.000000Z"}
    document["cells"].append(code([], id="0a1b2c3d"))
    notebook, repairs = repaired(document, path)
    assert repairs == ()
    assert notebook == expected(path)


@pytest.mark.parametrize("path", RELEASED, ids=name_of)
def test_what_is_stripped_but_there_is_not_called_missing(path):
    for document in (blank(path), solved(path)):
        cells = len(document["cells"])
        graded = sum(bool(about(cell)) for cell in document["cells"])
        strip(document["cells"])
        assert repaired(document, path)[1] == (
            f"The marks of nbgrader were missing from {graded} cells; they were matched by their text.",
            f"The ids of {cells} cells were missing or had changed; they were put back.",
        )


def test_a_change_of_the_repaired_notebook_does_not_reach_the_release():
    notebook, _ = repaired(solved(SOFTMAX), SOFTMAX)
    notebook.metadata.kernelspec.name = "changed"
    for cell in notebook.cells:
        cell.metadata.setdefault("nbgrader", {})["points"] = 1000
    assert read(SOFTMAX) == pristine(SOFTMAX)


def test_a_missing_notebook_is_graded_as_handed_out():
    released = read(SOFTMAX)
    blank = untouched(released)
    assert blank.repairs == ()
    assert blank.notebook == released
    blank.notebook.cells[0].metadata["changed"] = True
    assert not released.cells[0].metadata


# ---- damages: each is done to every notebook, and the answers must come out as if it had not been

DAMAGES = {}


def damage(function):
    DAMAGES[function.__name__.replace("_", " ")] = function
    return function


def strip(cells, ids=True):
    for cell in cells:
        cell["metadata"] = {}
        if ids:
            cell.pop("id", None)


@damage
def all_metadata_stripped(document, rng, path):
    strip(document["cells"], ids=False)


@damage
def all_metadata_and_ids_stripped(document, rng, path):
    strip(document["cells"])


@damage
def some_metadata_stripped(document, rng, path):
    strip(rng.sample(document["cells"], len(document["cells"]) // 2))


@damage
def an_older_format_without_ids(document, rng, path):
    document["nbformat_minor"] = 0
    for cell in document["cells"]:
        del cell["id"]


@damage
def the_format_of_ten_years_ago(document, rng, path):
    cells = document.pop("cells")
    strip(cells)
    for cell in cells:
        if cell["cell_type"] == "code":
            cell["input"], cell["language"] = cell.pop("source"), "python"
        elif source(cell).startswith("# ") and "\n" not in source(cell):
            cell |= {"cell_type": "heading", "level": 1, "source": source(cell)[2:]}
    document |= {"nbformat": 3, "nbformat_minor": 0, "worksheets": [{"cells": cells, "metadata": {}}]}


@damage
def fresh_ids(document, rng, path):
    for cell in document["cells"]:
        cell["id"] = f"{rng.randrange(16**8):08x}"


@damage
def the_checks_deleted(document, rng, path):
    document["cells"] = [cell for cell in document["cells"] if not is_check(cell)]


@damage
def all_but_the_answers_deleted(document, rng, path):
    document["cells"] = [cell for cell in document["cells"] if is_answer(cell)]


@damage
def all_but_the_stripped_answers_deleted(document, rng, path):
    document["cells"] = [cell for cell in document["cells"] if is_answer(cell)]
    strip(document["cells"])


@damage
def the_answers_alone_twice_as_stripped_text(document, rng, path):
    all_but_the_answers_deleted(document, rng, path)
    every_cell_duplicated(document, rng, path)
    the_answers_turned_into_another_kind(document, rng, path)
    strip(document["cells"])


@damage
def the_setup_and_the_first_words_emptied(document, rng, path):
    cell_of(document, "setup")["source"] = "  \n"
    document["cells"][0]["source"] = []


@damage
def the_setup_deleted(document, rng, path):
    document["cells"] = [cell for cell in document["cells"] if cell["id"] != "setup"]


@damage
def every_cell_duplicated(document, rng, path):
    document["cells"] = [copy.deepcopy(cell) for cell in document["cells"] for _ in range(2)]


@damage
def the_notebook_twice_in_one_file(document, rng, path):
    document["cells"] += copy.deepcopy(document["cells"])


@damage
def the_notebook_twice_in_one_file_and_stripped(document, rng, path):
    document["cells"] += copy.deepcopy(document["cells"])
    strip(document["cells"])


@damage
def the_checks_duplicated(document, rng, path):
    document["cells"] += [copy.deepcopy(cell) for cell in document["cells"] if is_check(cell)]


@damage
def an_empty_copy_before_each_answer(document, rng, path):
    empty = {cell.id: cell.source for cell in read(path).cells}
    document["cells"] = [
        one
        for cell in document["cells"]
        for one in ([{**copy.deepcopy(cell), "source": empty[cell["id"]]}, cell] if is_answer(cell) else [cell])
    ]


@damage
def an_empty_copy_at_the_end(document, rng, path):
    document["cells"] += filter(is_answer, blank(path)["cells"])


@damage
def shuffled(document, rng, path):
    rng.shuffle(document["cells"])


@damage
def shuffled_and_stripped(document, rng, path):
    rng.shuffle(document["cells"])
    strip(document["cells"])


@damage
def upside_down(document, rng, path):
    document["cells"].reverse()


@damage
def one_cell_moved(document, rng, path):
    document["cells"].append(document["cells"].pop(2))


@damage
def the_checks_emptied(document, rng, path):
    for cell in filter(is_check, document["cells"]):
        cell["source"] = []


@damage
def the_checks_replaced_by_a_print(document, rng, path):
    for cell in filter(is_check, document["cells"]):
        cell["source"] = ["print(100)\n", "100"]


@damage
def the_checks_asking_for_something_else(document, rng, path):
    for cell in filter(is_check, document["cells"]):
        cell["source"] = f'check("{about(cell)["grade_id"]}", sum)  # {source(cell)}'


@damage
def stripped_checks_commented_out(document, rng, path):
    for cell in filter(is_check, document["cells"]):
        cell["source"] = "# " + source(cell)
        strip([cell])


@damage
def the_checks_made_text(document, rng, path):
    for cell in filter(is_check, document["cells"]):
        cell["cell_type"] = "markdown"


@damage
def more_points(document, rng, path):
    for cell in filter(is_check, document["cells"]):
        about(cell)["points"] = 1000


@damage
def points_that_are_no_number(document, rng, path):
    for cell in filter(is_check, document["cells"]):
        about(cell)["points"] = rng.choice(["nan", float("nan"), -1, float("inf"), None, [1]])


@damage
def other_flags(document, rng, path):
    for cell in document["cells"]:
        for flag in ("grade", "solution", "locked", "task"):
            if flag in about(cell):
                about(cell)[flag] = not about(cell)[flag]


@damage
def flags_taken_away(document, rng, path):
    for cell in document["cells"]:
        for flag in ("grade", "solution", "locked", "task", "points", "schema_version", "checksum"):
            about(cell).pop(flag, None)


@damage
def metadata_of_no_use(document, rng, path):
    strange = [[], ["a"], {"nbgrader": []}, {"nbgrader": "yes"}, {"nbgrader": {"grade_id": 7}}, None, 3, "x"]
    for cell in document["cells"]:
        cell["metadata"] = copy.deepcopy(rng.choice(strange))


@damage
def checks_with_the_name_of_their_answer(document, rng, path):
    for cell in filter(is_check, document["cells"]):
        about(cell)["grade_id"] += "-answer"
        cell["id"] += "-answer"


@damage
def checks_with_the_name_of_their_stripped_answer(document, rng, path):
    strip(list(filter(is_answer, document["cells"])))
    checks_with_the_name_of_their_answer(document, rng, path)


@damage
def answers_with_the_name_of_their_check(document, rng, path):
    for cell in filter(is_answer, document["cells"]):
        about(cell)["grade_id"] = about(cell)["grade_id"].removesuffix("-answer")


@damage
def answers_whose_names_are_swapped(document, rng, path):
    answers = [cell for cell in document["cells"] if is_answer(cell) and cell["cell_type"] == "code"]
    names = [(cell["id"], cell["metadata"]) for cell in answers]
    for cell, (name, metadata) in zip(answers, names[1:] + names[:1], strict=True):
        cell |= {"id": name, "metadata": metadata}


@damage
def the_answers_turned_into_another_kind(document, rng, path):
    for cell in filter(is_answer, document["cells"]):
        cell["cell_type"] = "raw" if cell["cell_type"] == "markdown" else rng.choice(["markdown", "raw"])


@damage
def the_answers_turned_into_another_kind_and_stripped(document, rng, path):
    the_answers_turned_into_another_kind(document, rng, path)
    strip(document["cells"])


@damage
def written_answers_as_code(document, rng, path):
    for cell in filter(is_answer, document["cells"]):
        cell["cell_type"] = "code"


@damage
def all_prose_as_code(document, rng, path):
    for cell in document["cells"]:
        cell["cell_type"] = "code"


@damage
def unknown_kinds_of_cells(document, rng, path):
    for cell in document["cells"]:
        cell["cell_type"] = rng.choice(["sql", None, 5, ["code"], {}])


@damage
def the_kernel_of_another_language(document, rng, path):
    document["metadata"] = {"kernelspec": {"display_name": "R", "language": "R", "name": "ir"}}


@damage
def no_metadata_at_all(document, rng, path):
    del document["metadata"]


@damage
def sources_as_plain_text(document, rng, path):
    for cell in document["cells"]:
        cell["source"] = source(cell)


@damage
def sources_as_lines_without_ends(document, rng, path):
    for cell in document["cells"]:
        cell["source"] = source(cell).split("\n")


@damage
def line_ends_of_windows(document, rng, path):
    for cell in document["cells"]:
        cell["source"] = source(cell).replace("\n", "\r\n")


@damage
def cells_that_are_none(document, rng, path):
    document["cells"] = [one for cell in document["cells"] for one in (cell, rng.choice([None, 3, "x", [], [{}]]))]


@damage
def sources_that_are_none(document, rng, path):
    for place in range(0, 40, 5):
        document["cells"].insert(place, code(rng.choice([None, 3, {"a": 1}, [1, None], True])))


@damage
def keys_and_numbers_that_json_does_not_have(document, rng, path):
    document |= {"extra": float("nan"), "nbformat_minor": "five", "more": [[[float("inf")]]]}
    document["cells"][0]["metadata"]["deep"] = json.loads("[" * 500 + "]" * 500)


@damage
def a_byte_order_mark(document, rng, path):
    return b"\xef\xbb\xbf" + json.dumps(document, ensure_ascii=False).encode("utf-8")


@damage
def utf_16(document, rng, path):
    return json.dumps(document, ensure_ascii=False).encode("utf-16")


@damage
def utf_16_without_a_mark(document, rng, path):
    return json.dumps(document, ensure_ascii=False).encode("utf-16-be")


@damage
def utf_32(document, rng, path):
    return json.dumps(document, ensure_ascii=False).encode("utf-32")


@damage
def the_encoding_of_windows(document, rng, path):
    document["cells"].append(markdown("Für Élise"))
    return json.dumps(document, ensure_ascii=False).encode("cp1252", "replace")


@damage
def a_damaged_letter(document, rng, path):
    document["cells"].append(markdown("ein Wort für Wörter: größer " * 5))
    return json.dumps(document, ensure_ascii=False).encode("utf-8").replace("größer ".encode(), b"gr\xc3er ", 1)


@damage
def a_file_with_line_ends_of_windows(document, rng, path):
    return json.dumps(document, indent=1).replace("\n", "\r\n").encode("utf-8")


@damage
def zeros_at_the_end(document, rng, path):
    return json.dumps(document).encode("utf-8") + bytes(4096)


@damage
def a_number_of_ten_thousand_digits(document, rng, path):
    return json.dumps(document).encode("utf-8")[:-1] + b', "n": ' + b"9" * 10_000 + b"}"


@damage
def a_destroyed_beginning(document, rng, path):
    return b"\x01\x02" * 3_000 + json.dumps(document).encode("utf-8")


@damage
def something_after_the_end(document, rng, path):
    return json.dumps(document).encode("utf-8") + b"\n}}}"


@damage
def a_key_twice(document, rng, path):
    return b'{"cells": [], ' + json.dumps(document).encode("utf-8")[1:]


@damage
def a_comma_too_many(document, rng, path):
    return json.dumps(document)[:-1].encode("utf-8") + b",}"


@damage
def the_last_bytes_missing(document, rng, path):
    return json.dumps(document, indent=1).encode("utf-8")[: -len("\n}")]


@damage
def a_comma_missing_between_cells(document, rng, path):
    return json.dumps(document).replace('}, {"cell_type"', '} {"cell_type"', 3).encode("utf-8")


@damage
def one_cell_nested_too_deeply(document, rng, path):
    document["cells"].insert(3, markdown("deep"))
    return json.dumps(document).replace('"deep"', "[" * 100_000 + "]" * 100_000).encode("utf-8")


@damage
def a_list_of_cells_alone(document, rng, path):
    return json.dumps(document["cells"]).encode("utf-8")


@damage
def two_sides_of_a_merge(document, rng, path):
    # The first side is untouched, as after a rebase.
    lines = [json.dumps(one, indent=1).split("\n") for one in (blank(path), document)]
    text = ["{", "<<<<<<< HEAD", *lines[0][1:-1], "||||||| base", "}", "=======", *lines[1][1:-1], ">>>>>>> mine", "}"]
    return "\n".join(text).encode("utf-8")


SILENT = {
    "no metadata at all",
    "sources as plain text",
    "sources as lines without ends",
    "line ends of windows",
    "sources that are none",
    "keys and numbers that json does not have",
    "a byte order mark",
    "a file with line ends of windows",
    "zeros at the end",
    "a number of ten thousand digits",
    "a key twice",
    "a list of cells alone",
}
# Here even the prose of the release cannot be told from what a learner might have written.
ONLY_GRADED = {"the encoding of windows"}


@pytest.mark.parametrize("name", DAMAGES)
def test_a_damaged_notebook_is_repaired_to_the_undamaged_one(name):
    rng = random.Random(name)
    for path in RELEASED:
        document = solved(path)
        data = DAMAGES[name](document, rng, path)
        undamaged = data is None and document == solved(path)
        notebook, repairs = repaired(data or document, path)
        only_graded = name in ONLY_GRADED
        assert of_release(notebook, path, only_graded) == of_release(expected(path), path, only_graded), name_of(path)
        assert bool(repairs) != (undamaged or name in SILENT), (name_of(path), repairs)


def test_a_notebook_without_a_single_cell_gets_all_of_them_back():
    document = blank(SOFTMAX) | {"cells": []}
    notebook, repairs = repaired(document, SOFTMAX)
    assert notebook == read(SOFTMAX)
    assert len(repairs) == 3


# ---- what has to be decided


def softmax_notebook(change):
    """Repair the solved notebook on softmax after a change; returns the notebook and what was said."""
    document = solved(SOFTMAX)
    cells = document["cells"]
    change(cells, {cell["id"]: cell for cell in cells})
    return repaired(document, SOFTMAX)


def order(notebook, *names):
    """The places of some cells, known by id or by the beginning of their text."""
    ids = [cell.id for cell in notebook.cells]
    starts = {cell.source.partition("\n")[0]: i for i, cell in enumerate(notebook.cells)}
    return [
        ids.index(name) if name in ids else next(i for start, i in starts.items() if start.startswith(name))
        for name in names
    ]


def test_own_cells_are_kept_where_they_were_without_anything_but_their_text():
    def change(cells, named):
        place = cells.index(named["softmax-answer"])
        cells.insert(place, code("helper = 1", id="softmax", metadata={"tags": ["skip"], "nbgrader": {"points": 9}}))
        cells.insert(place + 2, markdown("my *note*", id="own-1"))
        cells.append(code("last = 1"))
        cells.insert(0, code("first = 1"))

    notebook, repairs = softmax_notebook(change)
    names = ["first", "promise", "ex-softmax", "helper", "softmax-answer", "my", "softmax", "recap", "last"]
    places = order(notebook, *names)
    assert places == sorted(places)
    assert [cell.id for cell in own(notebook, SOFTMAX)] == ["own-1", "own-2", "own-3", "own-4"]
    assert of_release(notebook, SOFTMAX) == expected(SOFTMAX).cells
    assert repairs == ()


def test_own_cells_follow_the_cell_that_they_followed_when_it_is_put_back():
    def change(cells, named):
        place = cells.index(named["entropy-answer"])
        cells.insert(place + 1, code("check_mine = entropy(p)"))
        cells += [cells.pop(place), cells.pop(place)]

    notebook, repairs = softmax_notebook(change)
    places = order(notebook, "entropy-answer", "check_mine", "entropy")
    assert places == sorted(places)
    assert any("`entropy-answer` had been moved" in words for words in repairs)


def test_an_answer_split_in_two_cells_runs_in_both():
    def change(cells, named):
        answer = named["softmax-answer"]
        second = copy.deepcopy(answer)
        answer["source"] = "def largest(x):\n    return x.max(axis=-1, keepdims=True)"
        cells.insert(cells.index(answer) + 1, second)

    notebook, repairs = softmax_notebook(change)
    places = order(notebook, "def largest", "def softmax", "softmax")
    assert places == sorted(places)
    assert repairs[-1] == "`softmax` was answered in more than one cell; all of them were kept, in their order."


@pytest.mark.parametrize("stripped", [False, True])
def test_of_several_answers_the_last_one_still_wins(stripped):
    def change(cells, named):
        answer = named["softmax-answer"]
        cells.insert(
            cells.index(answer) + 1, {**copy.deepcopy(answer), "source": "def softmax(x):\n    return 'later'"}
        )
        cells.insert(cells.index(answer), {**copy.deepcopy(answer), "source": "def softmax(x):\n    return 'earlier'"})
        if stripped:
            strip(cells)

    notebook, _ = softmax_notebook(change)
    defining = [cell.source[-7:] for cell in notebook.cells if cell.source.startswith("def softmax(")]
    assert len(defining) == 3
    assert defining[-1] == "'later'"


def test_an_answer_that_was_moved_does_not_come_after_the_one_that_replaced_it():
    def change(cells, named):
        answer = named["softmax-answer"]
        cells.insert(cells.index(answer), code("def softmax(x):\n    return 'later'"))
        cells.remove(answer)
        cells.insert(2, answer)

    notebook, _ = softmax_notebook(change)
    places = order(notebook, "ex-softmax", "softmax-answer", "own-1", "softmax")
    assert places == sorted(places)


@pytest.mark.parametrize("known_by", ["id", "place"])
def test_a_first_attempt_is_not_taken_for_the_answer(known_by):
    def change(cells, named):
        answer = named["softmax-answer"]
        attempt = code(text_in(read(SOFTMAX), "softmax-answer") + "\n    return x")
        place = cells.index(answer) if known_by == "id" else 2
        answer["source"] = "def softmax(scores):\n    return None"
        strip(cells, ids=known_by == "place")
        cells.insert(place, attempt)

    notebook, _ = softmax_notebook(change)
    assert text_in(notebook, "softmax-answer") == "def softmax(scores):\n    return None"
    places = order(notebook, "own-1", "softmax-answer")
    assert places == sorted(places)


def test_what_no_line_tells_is_not_undone_by_an_empty_answer_cell():
    def change(cells, named):
        cells[cells.index(named["entropy-answer"])] = code("globals()['entropy'] = sum")

    notebook, _ = softmax_notebook(change)
    places = order(notebook, "entropy-answer", "globals", "entropy")
    assert places == sorted(places)


@pytest.mark.parametrize("statement", ["entropy = lambda p: -(p * np.log(p)).sum(-1)", "a, entropy = 1, sum"])
def test_a_missing_answer_cell_does_not_undo_what_another_cell_defines(statement):
    for place in ("in its place", "far above"):

        def change(cells, named, place=place):
            where = cells.index(named["entropy-answer"]) if place == "in its place" else 2
            cells.remove(named["entropy-answer"])
            cells.insert(where, code(statement))

        notebook, _ = softmax_notebook(change)
        place = max(
            i for i, cell in enumerate(notebook.cells) if re.search(r"def entropy|^(a, )?entropy =", cell.source)
        )
        assert notebook.cells[place].source == statement
        assert place < order(notebook, "entropy")[0]


def test_all_functions_in_one_cell_at_the_top_are_found():
    def change(cells, named):
        answers = [cell for cell in cells if is_answer(cell)]
        for cell in answers:
            cells.remove(cell)
        cells.insert(2, code("\n\n".join(map(source, answers))))

    notebook, repairs = softmax_notebook(change)
    assert not any("YOUR CODE HERE" in cell.source for cell in notebook.cells)
    assert any("those in earlier cells count" in words for words in repairs)


@pytest.mark.parametrize("offset", [-3, 1, 2, 5])
@pytest.mark.parametrize("stub", ["left", "emptied"])
def test_an_answer_beside_its_empty_cell_is_found(offset, stub):
    def change(cells, named):
        answer = named["entropy-answer"]
        cells.insert(cells.index(answer) + offset, code(source(answer), id="5f3c"))
        answer["source"] = "" if stub == "emptied" else text_in(read(SOFTMAX), "entropy-answer")

    notebook, repairs = softmax_notebook(change)
    assert notebook == expected(SOFTMAX)
    assert repairs[0] == "The answer to `entropy` was in another cell; it was put into its own."


def test_a_cell_beside_an_empty_answer_that_does_not_answer_it_stays_the_learners_own():
    def change(cells, named):
        answer = named["entropy-answer"]
        answer["source"] = text_in(read(SOFTMAX), "entropy-answer")
        cells.insert(cells.index(answer) + 1, code(answer["source"].replace("def entropy", "def entrpy")))

    notebook, repairs = softmax_notebook(change)
    assert text_in(notebook, "entropy-answer") == text_in(read(SOFTMAX), "entropy-answer")
    assert len(own(notebook, SOFTMAX)) == 1
    assert repairs == ()


def test_a_written_answer_beside_its_empty_cell_is_found():
    document = blank(WRITTEN)
    place = next(i for i, cell in enumerate(document["cells"]) if cell["id"] == "explain-context")
    document["cells"].insert(place + 1, markdown("Because the mean forgets."))
    notebook, repairs = repaired(document, WRITTEN)
    assert text_in(notebook, "explain-context") == "Because the mean forgets."
    assert own(notebook, WRITTEN) == []
    assert repairs[0] == "The answer to `explain-context` was in another cell; it was put into its own."


def test_an_empty_answer_cell_does_not_undo_an_answer_in_the_cell_of_another():
    def change(cells, named):
        named["softmax-answer"]["source"] += ["\n\n\n", *named["entropy-answer"]["source"]]
        named["entropy-answer"]["source"] = text_in(read(SOFTMAX), "entropy-answer")

    notebook, repairs = softmax_notebook(change)
    assert "def entropy" in text_in(notebook, "softmax-answer")
    assert "def entropy" not in text_in(notebook, "entropy-answer")
    assert repairs == ("The answer cell of `entropy` held no answer; the one in an earlier cell counts.",)


def test_an_answer_inside_the_cell_of_its_check_is_found():
    def change(cells, named):
        cells.remove(named["softmax-answer"])
        named["softmax"]["source"] = source(named["softmax-answer"]) + "\n\ncheck('softmax', softmax)"

    notebook, _ = softmax_notebook(change)
    assert "powers" in text_in(notebook, "softmax-answer")
    assert text_in(notebook, "softmax") == 'check("softmax", softmax)'


def test_other_code_in_the_cell_of_a_check_runs_before_the_check():
    def change(cells, named):
        named["entropy"]["source"] = ["import math\n", 'check("entropy", entropy)']

    notebook, repairs = softmax_notebook(change)
    places = order(notebook, "entropy-answer", "import math", "entropy")
    assert places == sorted(places)
    assert text_in(notebook, "entropy") == 'check("entropy", entropy)'
    assert repairs == (
        "The check of `entropy` had been edited; the original was put back.",
        "The check of `entropy` held other code; that runs before it, in a cell of its own.",
    )


def test_the_setup_always_runs_whatever_became_of_it():
    def change(cells, named):
        named["setup"]["source"] = "import pandas as pd\n" + source(named["setup"])

    notebook, repairs = softmax_notebook(change)
    assert [cell.id for cell in notebook.cells[:4]] == ["promise", "setup", "own-1", "predict"]
    assert notebook.cells[1] == read(SOFTMAX).cells[1]
    assert notebook.cells[2].source.startswith("import pandas")
    assert repairs == ("The cell `setup` had been edited; the original runs first, then the edited one.",)


def test_a_cell_of_the_release_used_for_something_else_is_put_back_before_it():
    def change(cells, named):
        named["ex-softmax"] |= code("helper = 2")
        named["overflow"] |= markdown("I do not need this.")

    notebook, repairs = softmax_notebook(change)
    assert of_release(notebook, SOFTMAX) == expected(SOFTMAX).cells
    places = order(notebook, "ex-softmax", "helper", "softmax-answer", "overflow", "I do not")
    assert places == sorted(places)
    assert repairs == (
        "The cells `ex-softmax` and `overflow` had been edited; the originals run first, each before the edited one.",
    )


def test_playing_with_a_demonstration_is_kept_and_needs_no_repair():
    def change(cells, named):
        named["explore-live"]["source"] = "widgets.explore_softmax(scores[1], words)"
        named["promise"]["source"] = "# My notes"
        named["by-loop"]["source"] = ["# a remark\n", *named["by-loop"]["source"]]

    notebook, repairs = softmax_notebook(change)
    assert repairs == ()
    assert text_in(notebook, "explore-live") == "widgets.explore_softmax(scores[1], words)"
    assert text_in(notebook, "promise") == "# My notes"
    assert text_in(notebook, "by-loop").startswith("# a remark")


def test_an_edited_demonstration_is_known_by_its_text_alone():
    def change(cells, named):
        named["ratio-demo"]["source"] = source(named["ratio-demo"]).replace("[2.0, -1.5]", "[3.0, -2.5]")
        named["idea"]["source"] = source(named["idea"]).replace("recipe", "mixture")
        strip(cells)

    notebook, _ = softmax_notebook(change)
    assert "mixture" in text_in(notebook, "idea")
    assert [cell.source.count("[3.0, -2.5]") for cell in own(notebook, SOFTMAX)] == [1]


@pytest.mark.parametrize("stripped", [False, True])
def test_a_written_answer_is_found_between_its_neighbours(stripped):
    document = solved(WRITTEN)
    place = next(i for i, cell in enumerate(document["cells"]) if cell["id"] == "explain-context")
    document["cells"][place]["source"] = "Because the mean forgets."
    document["cells"].insert(1, markdown("A long note of mine. " * 10))
    document["cells"].insert(place + 2, markdown("An afterthought."))
    strip(document["cells"] if stripped else document["cells"][place : place + 1])
    notebook, _ = repaired(document, WRITTEN)
    assert text_in(notebook, "explain-context") == "Because the mean forgets."
    assert order(notebook, "An afterthought.")[0] == order(notebook, "explain-context")[0] + 1


def test_an_answer_that_nobody_wrote_stays_exactly_as_released():
    document = blank(WRITTEN)
    for cell in document["cells"]:
        cell["source"] = source(cell) + " \n\n"
    notebook, repairs = repaired(document, WRITTEN)
    assert notebook == read(WRITTEN)
    assert repairs == ()


def test_pictures_in_text_are_kept_and_everything_else_attached_is_not():
    picture = {"image/png": "aGVsbG8="}

    def change(cells, named):
        attached = {"a.png": picture, "b.svg": {"image/svg+xml": "<svg/>"}, "c.png": {"image/png": "<script>"}, "d": 3}
        cells.append(markdown("![](attachment:a.png)", attachments=attached))

    notebook, repairs = softmax_notebook(change)
    assert notebook.cells[-1].attachments == {"a.png": picture}
    assert repairs == ("Attachments of 1 cell were left out: too large, or no pictures.",)


def test_half_a_surrogate_pair_can_be_saved():
    notebook, _ = softmax_notebook(lambda cells, named: cells.append(code("word = '\\ud83d'")))
    notebook, _ = repaired(json.dumps(solved(SOFTMAX)).replace("**You will", "\\ud83d").encode(), SOFTMAX)
    assert "?" in notebook.cells[0].source
    as_json(notebook).encode("utf-8")


def test_a_cell_of_a_million_letters_is_cut_at_a_line():
    notebook, repairs = softmax_notebook(lambda cells, named: cells.append(code("x = 1\n" * 300_000)))
    assert notebook.cells[-1].source.endswith("x = 1")
    assert len(notebook.cells[-1].source) <= 1_000_000
    assert repairs[0] == "1 cell was longer than 1,000,000 characters; the rest was left out."


@pytest.mark.parametrize("stripped", [False, True])
def test_five_thousand_cells_hide_no_answer_and_take_no_time(stripped):
    rng = random.Random(5)
    texts = [source(cell) for cell in blank(SOFTMAX)["cells"] if not is_answer(cell)]

    def change(cells, named):
        answer = source(named["entropy-answer"]).replace("np.log", "helping_log")
        named["entropy-answer"]["source"] = answer
        if stripped:
            strip(cells)
        for i in range(4_900):
            more = code(f"x{i} = {i}\n" + rng.choice(texts))
            cells.insert(rng.randrange(len(cells)), more)
        cells.insert(cells.index(named["entropy-answer"]), code("helping_log = np.log"))

    began = time.process_time()
    notebook, repairs = softmax_notebook(change)
    assert time.process_time() - began < 2
    assert len(own(notebook, SOFTMAX)) == 300
    assert "helping_log" in text_in(notebook, "entropy-answer")
    assert any(cell.source == "helping_log = np.log" for cell in own(notebook, SOFTMAX))
    changed = {"entropy-answer"}
    assert [cell for cell in of_release(notebook, SOFTMAX, True) if cell.id not in changed] == [
        cell for cell in of_release(expected(SOFTMAX), SOFTMAX, True) if cell.id not in changed
    ]
    assert any("300 were kept" in words for words in repairs)


@pytest.mark.parametrize("share", [0.2, 0.5, 0.9])
def test_of_a_file_that_is_cut_off_the_whole_cells_count(share):
    for path in RELEASED:
        data = text_of_solved(path).encode("utf-8")
        notebook, repairs = repaired(data[: int(len(data) * share)], path)
        states = [
            (cell.source == there.source, cell.source == before.source)
            for cell, there, before in zip(notebook.cells, expected(path).cells, read(path).cells, strict=True)
        ]
        assert all(answered or empty for answered, empty in states)
        whole = int(re.search(r"(\d+) whole cell", repairs[0])[1])
        assert all(answered for answered, _ in states[:whole])
        assert all(empty for _, empty in states[whole:])
        assert abs(whole / len(states) - share) < 0.25


def test_a_repair_is_named_after_its_exercise_and_many_are_told_together():
    one, many = (
        softmax_notebook(lambda cells, named, names=names: [cells.remove(named[name]) for name in names])[1]
        for names in (["softmax"], ["predict-softmax", "softmax", "entropy", "breaking-query", "read_memory"])
    )
    assert one == ("The check of `softmax` was missing; it was put back.",)
    assert many == (
        "The checks of `predict-softmax`, `softmax`, `entropy`, `breaking-query` and `read_memory` were missing; "
        "they were put back.",
    )


# ---- what cannot be read


def zipped():
    buffer = io.BytesIO()
    with zipfile.ZipFile(buffer, "w") as archive:
        archive.writestr("3-softmax.ipynb", "{}")
    return buffer.getvalue()


UNREADABLE = {
    "is empty": [b"", b" \n", bytes(1000)],
    "a web page": [b"<!DOCTYPE html><html>", b"\n <HTML><body>" + b'{"cell_type": "code"}'],
    "XML": [b"<?xml version='1.0'?>"],
    "Python program": [b"import numpy as np\n\ndef softmax(x):\n    return x\n"],
    "zip archive": [zipped()],
    "a PDF": [b"%PDF-1.7 ..."],
    "a picture": [b"\x89PNG\r\n\x1a\n", b"\xff\xd8\xff\xe0"],
    "binary data": [bytes(range(256)) * 50, b"\x01\x02\x03" * 100, b"{" + bytes(10_000)],
    "other text": [b"hello", b"\xff", "größer".encode("latin-1"), b"]"],
    "no list of cells": [
        b"{}",
        b"[]",
        b'{"cells": {}}',
        b'{"cells": null, "nbformat": 4}',
        b"[1, 2]",
        b'{"a": "cell"}',
    ],
    "no whole cell": [text_of_solved(SOFTMAX)[:100].encode(), b'{"cells": [{"cell_type": "code"'],
    "larger than": [b" " * (50 * 2**20 + 1)],
    "more than any notebook": [b'{"cells": [' + b"[]," * 3_000_000],
}


@pytest.mark.parametrize("words", UNREADABLE)
def test_what_is_no_notebook_is_called_by_its_name(words):
    for data in UNREADABLE[words]:
        with pytest.raises(Unreadable, match=words) as caught:
            repair(data, read(SOFTMAX))
        assert "; " in str(caught.value)
        assert "\n" not in str(caught.value)
    assert issubclass(Unreadable, NotebookError)


STRANGE = [
    None,
    True,
    -1,
    1e999,
    float("nan"),
    "",
    "nan",
    "\ud800",
    "\0",
    "x" * 5_000,
    [],
    [[]],
    {},
    {"a": [{}]},
    10**30,
]


def mutated(document, rng):
    """A notebook in whose JSON some values have been exchanged for others."""
    for _ in range(rng.randrange(1, 6)):
        node = document
        for _ in range(rng.randrange(1, 8)):
            inner = list(node.values()) if isinstance(node, dict) else node
            inner = [one for one in inner if isinstance(one, (dict, list)) and one]
            if not inner:
                break
            node = rng.choice(inner)
        key = rng.choice(list(node)) if isinstance(node, dict) else rng.randrange(len(node))
        node[key] = copy.deepcopy(rng.choice([*STRANGE, document["cells"] if isinstance(document, dict) else 0]))
        if not isinstance(document.get("cells"), list):
            break
    return json.dumps(document).encode("utf-8")


def scrambled(data, rng):
    """A file some of whose bytes have been exchanged, deleted, doubled or moved."""
    for _ in range(rng.randrange(1, 8)):
        start = rng.randrange(len(data) + 1)
        end = min(start + int(10 ** rng.uniform(0, 4)), len(data))
        piece = data[start:end]
        middle = rng.choice(
            [b"", piece * 3, rng.randbytes(len(piece)), piece[::-1], b'"', b"[{", b"}]", b"\\", b"\n<<<<<<< a\n"]
        )
        data = data[:start] + middle + data[end:]
    return data


def test_no_file_brings_the_repair_down():
    rng = random.Random(2024)
    read_well = 0
    for number in range(150):
        path = rng.choice(RELEASED)
        text = text_of_solved(path)
        data = mutated(json.loads(text), rng) if number % 2 else scrambled(text.encode("utf-8"), rng)
        try:
            notebook, _ = repaired(data, path)
        except Unreadable:
            continue
        read_well += 1
        as_json(notebook).encode("utf-8")
    assert read_well > 90


@pytest.mark.parametrize(
    "data",
    [
        b'{"id": ' * 200_000,
        b'{"id": {"source": ' * 5_000 + b"}}" * 5_000,
        b'{"cell_type": ' + b"[" * 100_000,
        b"{" * 1_000_000,
        b"<<<<<<< a\n" * 50_000 + b">>>>>>> b\n{",
        b'{"cells": [{"cell_type": "code", "source": "check(' + b") " * 400_000 + b'x"}]}',
        b'{"cells": [{"cell_type": "code", "source": "' + b"softmax " * 100_000 + b'"}]}',
        b'{"cells": [{"cell_type": "code", "source": "' + b"\\n" * 400_000 + b'=("}]}',
        b'{"cells": [{"cell_type": "code", "source": "' + b"a:" * 400_000 + b'"}]}',
        b'{"nbformat": ' + b"9" * 10_000 + b', "cells": []}',
    ],
    ids=range(10),
)
def test_a_file_made_to_take_forever_does_not(data):
    began = time.process_time()
    with contextlib.suppress(Unreadable):
        repaired(data, SOFTMAX)
    assert time.process_time() - began < 2


# ---- which file is which notebook

PART = "1-context-vectors"
NAMES = [path.stem for path in RELEASED if path.parent.name == PART]


@cache
def part():
    """The released notebooks of a part, as `find_files` takes them."""
    return {path.stem: read(path) for path in RELEASED if path.parent.name == PART}


def solved_text(name):
    return text_of_solved(ROOT / "notebooks" / PART / f"{name}.ipynb")


@pytest.fixture
def folder(tmp_path):
    """The folder of one student, with all four notebooks of the part, solved."""
    folder = tmp_path / "submitted" / "ada" / PART
    folder.mkdir(parents=True)
    for name in NAMES:
        (folder / f"{name}.ipynb").write_text(solved_text(name), encoding="utf-8")
    return folder


def chosen(folder):
    """What is found: names of files by notebook, and the notes."""
    found = find_files(folder, part())
    assert all(re.fullmatch(r"[^\n]{10,400}\.", note) for note in found.notes)
    assert list(found.files) == [name for name in NAMES if name in found.files]
    return {name: path.relative_to(folder).as_posix() for name, path in found.files.items()}, found.notes


EXACT = {name: f"{name}.ipynb" for name in NAMES}
WITHOUT = {name: path for name, path in EXACT.items() if name != "3-softmax"}


def test_files_with_their_own_names_are_taken_without_a_word(folder):
    for name in (".DS_Store", ".3-softmax.ipynb", "timestamp.txt", "Thumbs.db"):
        (folder / name).write_text("x", encoding="utf-8")
    (folder / ".ipynb_checkpoints").mkdir()
    (folder / ".ipynb_checkpoints" / "3-softmax-checkpoint.ipynb").write_text(
        solved_text("3-softmax"), encoding="utf-8"
    )
    assert chosen(folder) == (EXACT, ())


@pytest.mark.parametrize(
    "name",
    [
        "Copy of 3-softmax.ipynb",
        "3-softmax (1).ipynb",
        "3-softmax (2) (1).ipynb",
        "3-softmax(1).ipynb",
        "3-softmax-1.ipynb",
        "3-softmax-Copy1.ipynb",
        "3-softmax - Copy.ipynb",
        "3-softmax_final.ipynb",
        "3_softmax.ipynb",
        "3 softmax.ipynb",
        "softmax.ipynb",
        "3-SOFTMAX.IPYNB",
        "3-softmax.ipynb.txt",
        "3-softmax.ipynb.json",
        "3-softmax.json",
        "3-softmax",
        "unzipped/3-softmax.ipynb",
        "unzipped/3-softmax (1).ipynb",
        "homework.ipynb",
        "Untitled3.ipynb",
        "homework.txt",
        "ａ３.ipynb",
    ],
)
def test_a_renamed_file_is_found_and_the_new_name_told(folder, name):
    (folder / name).parent.mkdir(exist_ok=True)
    (folder / "3-softmax.ipynb").rename(folder / name)
    files, notes = chosen(folder)
    assert files == EXACT | {"3-softmax": name}
    assert notes == (f"`{name}` was taken for 3-softmax.",)


def test_a_notebook_is_known_by_its_text_alone(folder):
    document = json.loads(solved_text("3-softmax"))
    strip(document["cells"])
    (folder / "3-softmax.ipynb").unlink()
    (folder / "x.ipynb").write_text(json.dumps(document), encoding="utf-8")
    assert chosen(folder)[0] == EXACT | {"3-softmax": "x.ipynb"}


@pytest.mark.parametrize(
    ("exact", "other", "taken", "words"),
    [
        ("solved", "solved", "3-softmax.ipynb", "`3-softmax (1).ipynb` was set aside"),
        ("blank", "solved", "3-softmax (1).ipynb", "`3-softmax.ipynb` holds no answers, so `3-softmax (1).ipynb` was"),
        ("blank", "blank", "3-softmax.ipynb", "`3-softmax (1).ipynb` was set aside"),
        (
            "broken",
            "solved",
            "3-softmax (1).ipynb",
            "`3-softmax.ipynb` could not be read, so `3-softmax (1).ipynb` was",
        ),
        ("broken", "blank", "3-softmax (1).ipynb", "`3-softmax.ipynb` could not be read, so `3-softmax (1).ipynb` was"),
        ("solved", "broken", "3-softmax.ipynb", "`3-softmax (1).ipynb` was set aside"),
        ("broken", "broken", "3-softmax.ipynb", "`3-softmax (1).ipynb` was set aside"),
    ],
)
def test_of_several_files_for_one_notebook_the_better_is_taken(folder, exact, other, taken, words):
    texts = {"solved": solved_text("3-softmax"), "blank": as_json(part()["3-softmax"]), "broken": ""}
    (folder / "3-softmax.ipynb").write_text(texts[exact], encoding="utf-8")
    (folder / "3-softmax (1).ipynb").write_text(texts[other], encoding="utf-8")
    files, notes = chosen(folder)
    assert files == EXACT | {"3-softmax": taken}
    assert len(notes) == 1
    assert notes[0].startswith(words)


def test_without_an_exact_name_the_file_with_most_answers_is_taken(folder):
    (folder / "3-softmax.ipynb").rename(folder / "3-softmax (2).ipynb")
    (folder / "3-softmax (1).ipynb").write_text(as_json(part()["3-softmax"]), encoding="utf-8")
    files, notes = chosen(folder)
    assert files["3-softmax"] == "3-softmax (2).ipynb"
    assert len(notes) == 2


def test_swapped_names_are_put_right(folder):
    (folder / "3-softmax.ipynb").rename(folder / "x")
    (folder / "2-scores.ipynb").rename(folder / "3-softmax.ipynb")
    (folder / "x").rename(folder / "2-scores.ipynb")
    files, notes = chosen(folder)
    assert files == EXACT | {"3-softmax": "2-scores.ipynb", "2-scores": "3-softmax.ipynb"}
    assert len(notes) == 2


def test_letters_with_accents_may_be_written_in_two_ways(tmp_path):
    folder = tmp_path / "ada" / PART
    folder.mkdir(parents=True)
    (folder / "3-re\u0301sume\u0301.ipynb").write_text(solved_text("3-softmax"), encoding="utf-8")
    found = find_files(folder, {"3-r\u00e9sum\u00e9": read(SOFTMAX)})
    assert [*found.files] == ["3-r\u00e9sum\u00e9"]
    assert found.notes == ()


def test_the_right_names_are_looked_at_first(folder, monkeypatch):
    monkeypatch.setattr("grader.repair.handed_in.MOST_FILES", 4)
    for number in range(3):
        (folder / f"0-{number}.ipynb").write_text("", encoding="utf-8")
    assert chosen(folder) == (EXACT, ("There are 7 files; only the first 4 were looked at.",))


@pytest.mark.parametrize("stripped", [False, True])
@pytest.mark.parametrize("name", ["3-softmax.ipynb", "3-masks.ipynb"])
def test_a_notebook_of_another_part_is_refused_whatever_its_name(folder, name, stripped):
    document = json.loads(text_of_solved(ROOT / "notebooks" / "3-multi-head" / "3-masks.ipynb"))
    if stripped:
        strip(document["cells"])
    else:  # a trace of the notebook that it is named for
        document["cells"].append(code("def softmax(x):\n    return x"))
    (folder / "3-softmax.ipynb").unlink()
    (folder / name).write_text(json.dumps(document), encoding="utf-8")
    files, notes = chosen(folder)
    assert files == WITHOUT
    assert len(notes) == 1
    assert notes[0].endswith("it was not used.")


def test_an_unreadable_file_with_another_name_is_told(folder):
    (folder / "homework.ipynb").write_text("{", encoding="utf-8")
    assert chosen(folder)[1] == (
        "`homework.ipynb` could not be read, and its name is none of this part's notebooks; it was not used.",
    )


def test_a_part_unpacked_into_a_folder_of_its_own_is_found(folder):
    inner = folder / folder.name
    inner.mkdir()
    for name in NAMES:
        (folder / f"{name}.ipynb").rename(inner / f"{name}.ipynb")
    (inner / "notes.txt").write_text("x", encoding="utf-8")
    files, notes = chosen(folder)
    assert files == {name: f"{PART}/{name}.ipynb" for name in NAMES}
    assert notes[-1] == f"Not used: `{PART}/notes.txt`."


@pytest.mark.parametrize("content", [b"", b"%PDF-1.7", b"<html>", b'{"cells": []}', b'{"nbformat": 4}'])
def test_an_unreadable_file_is_still_the_notebook_of_its_name(folder, content):
    (folder / "3-softmax.ipynb").write_bytes(content)
    assert chosen(folder) == (EXACT, ())


def test_an_almost_empty_notebook_is_still_the_notebook_of_its_name(folder):
    document = json.loads(solved_text("3-softmax"))
    document["cells"] = [cell_of(document, "entropy-answer")]
    strip(document["cells"])
    (folder / "3-softmax.ipynb").write_text(json.dumps(document), encoding="utf-8")
    assert chosen(folder) == (EXACT, ())


def test_modules_and_other_files_are_named_and_never_used(folder):
    (folder / "attnlib").mkdir()
    (folder / "pictures").mkdir()
    for name in (
        "numpy.py",
        "sitecustomize.py",
        "evil.pth",
        "attnlib/__init__.py",
        "notes.txt",
        "a.csv",
        "pictures/b.png",
    ):
        (folder / name).write_text("raise SystemExit", encoding="utf-8")
    files, notes = chosen(folder)
    assert files == EXACT
    assert notes == (
        "Modules beside the notebooks are not used: `evil.pth`, `numpy.py`, `sitecustomize.py` and `attnlib/`.",
        "Not used: `a.csv`, `notes.txt` and `pictures/`.",
    )


def test_links_and_devices_are_never_opened(folder):
    outside = folder.parent.parent / "secret.ipynb"
    (folder / "3-softmax.ipynb").rename(outside)
    (folder / "3-softmax.ipynb").symlink_to(outside)
    (folder / "4-context-vectors.ipynb").unlink()
    os.mkfifo(folder / "4-context-vectors.ipynb")
    (folder / "elsewhere").symlink_to(folder.parent.parent, target_is_directory=True)
    files, notes = chosen(folder)
    assert set(files) == {"1-embeddings", "2-scores"}
    assert notes == (
        "Symbolic links are not followed: `3-softmax.ipynb` and `elsewhere`.",
        "Not opened, because it is no regular file: `4-context-vectors.ipynb`.",
    )


@pytest.mark.parametrize("which", ["part", "student"])
def test_a_folder_that_is_a_link_is_not_entered(folder, which):
    linked = folder if which == "part" else folder.parent
    elsewhere = linked.with_name("elsewhere")
    linked.rename(elsewhere)
    linked.symlink_to(elsewhere, target_is_directory=True)
    found = find_files(folder, part())
    assert found.files == {}
    assert found.notes == (f"The folder `{linked.name}` is a symbolic link; nothing was read through it.",)


def test_a_folder_that_is_missing_or_no_folder_holds_nothing(tmp_path):
    nothing = find_files(tmp_path / "ada" / PART, part())
    assert (nothing.files, nothing.notes) == ({}, ())
    (tmp_path / PART).write_text("", encoding="utf-8")
    assert find_files(tmp_path / PART / "deeper", part()).files == {}
    found = find_files(tmp_path / PART, part())
    assert found.files == {}
    assert found.notes == (f"`{PART}` is a file where a folder of notebooks was expected.",)


def test_a_file_too_large_for_a_notebook_is_not_read(folder):
    with (folder / "3-softmax.ipynb").open("ab") as file:
        file.truncate(50 * 2**20 + 1)
    files, notes = chosen(folder)
    assert files == WITHOUT
    assert notes == ("Too large to be read: `3-softmax.ipynb`.",)


def test_names_of_files_cannot_spoil_a_note(folder):
    os.rename(folder / "3-softmax.ipynb", os.fsencode(folder) + b"/a\x1b[31m\n`b`\xff" + b"x" * 150 + b".ipynb")
    files, notes = chosen(folder)
    assert files["3-softmax"].startswith("a\x1b")
    assert len(notes) == 1
    notes[0].encode("utf-8")
    assert notes[0].isprintable()
