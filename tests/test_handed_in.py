"""Which of the files that somebody handed in is which notebook."""

import json
import os
import re
from functools import cache

import pytest
from courseware import RELEASED, ROOT, read
from repairs import SOFTMAX, cell_of, code, strip, text_of_solved

from grader.classroom.repair import find_files, handed_in, repair
from grader.notebook import as_json, is_answer

pytestmark = pytest.mark.more

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


@pytest.mark.parametrize("hidden", [".3-softmax.ipynb", ".ipynb_checkpoints/3-softmax-checkpoint.ipynb"])
def test_a_notebook_that_is_hidden_is_told_where_there_is_no_other(folder, hidden):
    (folder / hidden).parent.mkdir(exist_ok=True)
    (folder / "3-softmax.ipynb").rename(folder / hidden)
    (folder / "._4-context-vectors.ipynb").write_bytes(b"\0\5\x16\7")
    note = f"Hidden, and so not used: `{hidden}`."
    assert chosen(folder) == (WITHOUT, (note,))


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


@pytest.mark.parametrize(("share", "known"), [(0.4, True), (0.25, False)])
def test_a_piece_of_a_notebook_is_known_by_a_third_of_it(folder, share, known):
    document = json.loads(solved_text("3-softmax"))
    document["cells"] = document["cells"][: round(share * len(document["cells"]))]
    strip(document["cells"])
    (folder / "3-softmax.ipynb").unlink()
    (folder / "x.ipynb").write_text(json.dumps(document), encoding="utf-8")
    assert chosen(folder)[0] == (EXACT | {"3-softmax": "x.ipynb"} if known else WITHOUT)


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


@pytest.mark.parametrize(
    ("older", "newer"),
    [
        ("20261118174302_3-softmax.ipynb", "20261119174302_3-softmax.ipynb"),
        ("3-softmax 2026-11-18.ipynb", "2026-11-19-softmax.ipynb"),
        ("2026-11-18/3-softmax.ipynb", "2026-11-19/3-softmax.ipynb"),
    ],
)
@pytest.mark.parametrize("kind", ["solved", "blank"])
def test_of_files_with_dates_the_last_is_taken_that_holds_answers(folder, older, newer, kind):
    (folder / "3-softmax.ipynb").unlink()
    texts = {older: solved_text("3-softmax"), newer: solved_text("3-softmax").replace("axis=-1", "axis=0")}
    texts[newer] = texts[newer] if kind == "solved" else as_json(part()["3-softmax"])
    for name, text in texts.items():
        (folder / name).parent.mkdir(exist_ok=True)
        (folder / name).write_text(text, encoding="utf-8")
    files, notes = chosen(folder)
    taken, left = (newer, older) if kind == "solved" else (older, newer)
    assert files["3-softmax"] == taken
    assert handed_in.choices(notes) == [f"`{left}` was set aside: `{taken}` was taken for 3-softmax."]


@pytest.mark.parametrize("left", ["nothing", "untouched notebooks"])
@pytest.mark.parametrize("name", ["part1.ipynb", "3-softmax.ipynb", "1-embeddings.ipynb"])
def test_a_notebook_whose_answers_stand_in_the_file_of_another_one_is_found_there(folder, name, left):
    whole = json.loads(solved_text(NAMES[0]))
    whole["cells"] = [cell for each in NAMES for cell in json.loads(solved_text(each))["cells"]]
    for each in NAMES:
        if left == "nothing":
            (folder / f"{each}.ipynb").unlink()
        else:
            (folder / f"{each}.ipynb").write_text(as_json(part()[each]), encoding="utf-8")
    (folder / name).write_text(json.dumps(whole), encoding="utf-8")
    found, notes = chosen(folder)
    assert found == dict.fromkeys(NAMES, name)
    holds = [note for note in notes if note.startswith(f"`{name}` holds answers to the notebook")]
    assert len(holds) >= len(NAMES) - 1
    for each in NAMES:
        repaired = repair((folder / name).read_bytes(), part()[each]).notebook
        solved = {cell["id"]: "".join(cell["source"]) for cell in json.loads(solved_text(each))["cells"]}
        assert {cell.id: cell.source for cell in repaired.cells if is_answer(cell)}.items() <= solved.items()


@pytest.mark.parametrize("other", ["3-softmax (2).ipynb", "1-embeddings.ipynb"])
@pytest.mark.parametrize("left", ["empty cell", "no cell"])
def test_an_answer_that_a_notebook_lacks_is_taken_from_another_file(folder, other, left):
    answers = {cell.id for cell in part()["3-softmax"].cells if is_answer(cell)}
    own, further = (json.loads(solved_text("3-softmax")) for _ in range(2))
    moved = set(sorted(answers - {"softmax-answer"})[-2:])
    blank = {cell.id: cell.source for cell in part()["3-softmax"].cells}
    for cell in own["cells"]:
        if cell["id"] in moved:
            cell["source"] = blank[cell["id"]]
    if left == "no cell":
        own["cells"] = [cell for cell in own["cells"] if cell["id"] not in moved]
    for cell in further["cells"]:
        if cell["id"] in answers - moved:
            cell["source"] = blank[cell["id"]]
    solved = {cell["id"]: "".join(cell["source"]) for cell in json.loads(solved_text("3-softmax"))["cells"]}
    if other == "1-embeddings.ipynb":  # a notebook of its own, with these cells at the end
        embeddings = json.loads(solved_text("1-embeddings"))
        embeddings["cells"] += [cell for cell in further["cells"] if cell["id"] in moved]
        further = embeddings
    (folder / "3-softmax.ipynb").write_text(json.dumps(own), encoding="utf-8")
    (folder / other).write_text(json.dumps(further), encoding="utf-8")
    found = find_files(folder, part())
    assert found.files["3-softmax"].name == "3-softmax.ipynb"
    released, data = part()["3-softmax"], found.files["3-softmax"].read_bytes()
    repaired = repair(data, released, found.beside["3-softmax"])
    assert {cell.id: cell.source for cell in repaired.notebook.cells if is_answer(cell)}.items() <= solved.items()
    told = [words for words in repaired.repairs if f"stood in `{other}`; it was taken from there." in words]
    assert len(told) == len(moved) == 2
    # What a notebook holds itself is never replaced.
    own = json.loads(solved_text("3-softmax"))
    cell_of(own, "softmax-answer")["source"] = "softmax = 3"
    mine = repair(json.dumps(own).encode(), released, {"softmax-answer": found.beside["3-softmax"][min(moved)]})
    assert cell_of(mine.notebook, "softmax-answer").source == "softmax = 3"
    assert not any("stood in" in words for words in mine.repairs)


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
    monkeypatch.setattr("grader.classroom.repair.handed_in.MOST_FILES", 4)
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


@pytest.mark.parametrize(("length", "counts"), [(40, True), (39, False)])
def test_a_text_of_forty_characters_is_a_sign_of_a_notebook(length, counts):
    text = "x" * length
    slots = {"a": [Slot(text)], "b": [Slot("another text, which both of them have, is none"), Slot("y" * 50)]}
    slots["a"].append(slots["b"][0])
    assert [signs[2] for signs in handed_in._signs(slots).values()] == [{text} if counts else set(), {"y" * 50}]


class Slot:
    """A cell of a release, of which only the text is known."""

    marks, names = None, ()

    def __init__(self, text):
        self.text = text
