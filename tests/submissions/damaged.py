"""Right answers in damaged files: whatever can still be read deserves its marks."""

import copy
import json
import os
import secrets

from grader.notebook import marks
from submissions.handed import EITHER, MASKS, ONE, SCORES, SOFTMAX, THREE, entry

FUNCTIONS = ("softmax", "softmax_with_temperature", "entropy", "temperature_of")
ALL = ("predict-softmax", *FUNCTIONS, "breaking-query")
ALL_NOTHING = dict.fromkeys(ALL, 0.0)
ALL_EITHER = dict.fromkeys(ALL, EITHER)


# ---------------------------------------------------------------- metadata


@entry("no-metadata", "all cells have lost their metadata", words="metadata|marks of nbgrader")
def _(handed):
    for cell in handed.cells:
        cell.metadata = {}
    handed.notebook.metadata = {}


@entry("no-metadata-no-ids", "no metadata and no ids: only the text is left")
def _(handed):
    for cell in handed.cells:
        cell.metadata = {}
        del cell["id"]
    handed.notebook.nbformat_minor = 4


@entry("some-metadata", "some cells have lost their metadata")
def _(handed):
    for cell in handed.cells[::2]:
        cell.metadata = {}


@entry("no-grade-id", "nbgrader's metadata without the ids of the cells")
def _(handed):
    for cell in handed.cells:
        marks(cell).pop("grade_id", None)


@entry("metadata-is-null", "null in place of metadata and outputs")
def _(handed):
    for cell in handed.cells:
        cell.metadata = None
        if cell.cell_type == "code":
            cell.outputs = None


@entry("points-altered", "the points of the checks say 400", words="points|changed|altered|edited")
def _(handed):
    for cell in handed.cells:
        if marks(cell).get("grade"):
            cell.metadata.nbgrader.points = 400


@entry("points-are-nan", "the points of the checks are NaN, -1 and a text")
def _(handed):
    for points, exercise in zip([float("nan"), -1, "all"], ALL, strict=False):
        handed.cell(exercise).metadata.nbgrader.points = points


@entry("flags-altered", "checks are no longer graded, answers no longer answers", words="flag|changed|altered|edited")
def _(handed):
    for cell in handed.cells:
        about = marks(cell)
        for flag in ("grade", "solution", "locked"):
            if flag in about:
                about[flag] = not about[flag]


@entry("wrong-types-in-metadata", "texts, lists and numbers where the metadata has something else")
def _(handed):
    handed.cell("softmax").metadata.nbgrader = "mine"
    handed.cell("entropy").metadata.nbgrader.grade_id = ["entropy"]
    handed.cell("temperature_of-answer").metadata.nbgrader.grade_id = 7
    handed.cell("softmax-answer").metadata.nbgrader.schema_version = 99
    handed.notebook.metadata = {"kernelspec": "Python", "language_info": 3}


@entry("nested-metadata", "metadata nested a thousand deep")
def _(handed):
    text = json.dumps(handed.notebook)
    deep = '{"a":' * 900 + "1" + "}" * 900
    handed.write(f"{SOFTMAX}.ipynb", text.replace('"metadata": {}', f'"metadata": {{"deep": {deep}}}', 1))
    return True


# ---------------------------------------------------------------- cells


@entry("check-deleted", "a check cell was deleted", words="missing|deleted|put back|restored|added")
def _(handed):
    del handed.cells[handed.place("softmax")]


@entry("checks-deleted", "all check cells were deleted")
def _(handed):
    handed.notebook.cells = [cell for cell in handed.cells if not marks(cell).get("grade")]


@entry("check-duplicated", "a check cell is there twice", words="twice|duplicate|copy|copies|more than once")
def _(handed):
    place = handed.place("softmax")
    handed.cells.insert(place, copy.deepcopy(handed.cells[place]))


@entry("answer-duplicated", "an answer cell was copied and pasted, with all its metadata")
def _(handed):
    place = handed.place("entropy-answer")
    handed.cells.insert(place + 1, copy.deepcopy(handed.cells[place]))


@entry("cells-pasted-twice", "the whole notebook was pasted into itself once more")
def _(handed):
    again = copy.deepcopy(handed.cells)
    for cell in again:
        cell.id = secrets.token_hex(4)
    handed.notebook.cells = handed.cells + again


@entry("same-ids", "all cells have the same id, and no other metadata")
def _(handed):
    for cell in handed.cells:
        cell.id, cell.metadata = "cell", {}


@entry(
    "answer-deleted", "an answer cell was deleted", {"entropy": 0.0}, words="missing|deleted|put back|restored|added"
)
def _(handed):
    del handed.cells[handed.place("entropy-answer")]


@entry("answer-moved", "an answer stands at the very end, below its check", words="moved|order|place")
def _(handed):
    handed.cells.append(handed.cells.pop(handed.place("entropy-answer")))


@entry("reversed", "all cells in reverse order", words="moved|order|place")
def _(handed):
    handed.cells.reverse()


@entry("check-moved-up", "the checks stand before everything else")
def _(handed):
    handed.cells.sort(key=lambda cell: not marks(cell).get("grade"))


@entry("check-edited", "the text of a check was changed", words="changed|edited|text|source|restored|replaced")
def _(handed):
    handed.cell("softmax").source = 'check("softmax", softmax)  # it works!\nassert softmax is not None\n4.0'


@entry("check-says-full", "the text of a check is nothing but the full points", {"softmax": 0.0})
def _(handed):
    handed.cell("softmax").source = "4.0"
    handed.answer("softmax", "def softmax(x):\n    return x")


@entry("check-of-another", "a check asks for another exercise, that is answered", {"softmax": 0.0})
def _(handed):
    handed.cell("softmax").source = 'check("entropy", entropy)'
    handed.answer("softmax", "def softmax(x):\n    return x")


@entry("answer-in-markdown", "an answer cell was turned to markdown", words="markdown|kind|type|code")
def _(handed):
    cell = handed.cell("entropy-answer")
    cell.cell_type = "markdown"
    del cell["outputs"], cell["execution_count"]


@entry("answer-in-a-fence", "an answer stands in a fence in a new text cell, in place of its own", words="text|code")
def _(handed):
    cell = handed.cell("softmax-answer")
    handed.put(f"```python\n{cell.source}\n```", after="softmax-answer", kind="markdown")
    handed.cells.remove(cell)


@entry("check-in-markdown", "check cells were turned to markdown and to raw text", words="markdown|kind|type|code")
def _(handed):
    for identity, kind in (("softmax", "markdown"), ("entropy", "raw")):
        cell = handed.cell(identity)
        cell.cell_type = kind
        del cell["outputs"], cell["execution_count"]


@entry("setup-deleted", "the cell with the imports was deleted")
def _(handed):
    del handed.cells[handed.place("setup")]


@entry("answer-below", "the answer cell is untouched; the answer stands in a new cell below it")
def _(handed):
    cell = handed.cell("entropy-answer")
    handed.put(cell.source, after="entropy-answer")
    cell.source = next(c.source for c in handed.released[SOFTMAX].cells if c.id == "entropy-answer")


@entry("helper-cell", "an answer needs a function from a cell of the student's own")
def _(handed):
    handed.put("def powers(x):\n    return np.exp(x - x.max(axis=-1, keepdims=True))", before="softmax-answer")
    handed.answer("softmax", "def softmax(x):\n    return powers(x) / powers(x).sum(axis=-1, keepdims=True)")


@entry("prose-rewritten", "all of the prose was deleted or rewritten")
def _(handed):
    handed.notebook.cells = [cell for cell in handed.cells if cell.cell_type == "code"]
    handed.put("# My notes", before="softmax-answer", kind="markdown")


@entry("five-thousand-cells", "5,000 cells of the student's own")
def _(handed):
    cell = handed.put("x = 1", after="softmax")
    place = handed.cells.index(cell)
    handed.cells[place:place] = [type(cell)(cell, id=secrets.token_hex(4)) for _ in range(4_999)]


@entry("many-look-alikes", "1,500 near copies of an answer, without ids: whoever compares all with all waits long")
def _(handed):
    source = handed.cell("entropy-answer").source
    for cell in handed.cells:
        cell.metadata = {}
        del cell["id"]
    cell = type(handed.cells[0])(
        {"cell_type": "code", "metadata": {}, "outputs": [], "execution_count": None, "source": ""}
    )
    handed.notebook.nbformat_minor = 4
    handed.cells.extend(
        type(cell)(
            cell, source="\n".join([source.replace("entropy", f"entropy_{i}"), *(f"# {i + j}" for j in range(200))])
        )
        for i in range(1_500)
    )


# ---------------------------------------------------------------- the text of the file


@entry("byte-order-mark", "a byte order mark and Windows line ends")
def _(handed):
    for cell in handed.cells:
        cell.source = cell.source.replace("\n", "\r\n")
    text = json.dumps(handed.notebook, indent=1).replace("\n", "\r\n")
    handed.write(f"{SOFTMAX}.ipynb", b"\xef\xbb\xbf" + text.encode("utf-8"))
    return True


@entry("tabs", "code indented with tabs, old Mac line ends in the source")
def _(handed):
    for name in FUNCTIONS:
        cell = handed.cell(f"{name}-answer")
        cell.source = cell.source.replace("    ", "\t").replace("\n", "\r")


@entry("latin-1", "saved in Latin-1 with an umlaut in a comment", words="utf-8|encod|characters")
def _(handed):
    handed.cell("entropy-answer").source += "\n# für jede Zeile"
    handed.write(f"{SOFTMAX}.ipynb", json.dumps(handed.notebook, ensure_ascii=False).encode("latin-1", "replace"))
    return True


@entry("utf-16", "saved in UTF-16", words="utf-?16|utf-8|encod|characters")
def _(handed):
    handed.write(f"{SOFTMAX}.ipynb", json.dumps(handed.notebook, ensure_ascii=False).encode("utf-16"))
    return True


@entry("half-a-character", "half of a surrogate pair in a comment and in the prose")
def _(handed):
    handed.cell("entropy-answer").source += "\n# \ud83d"
    handed.cell("promise").source += " \udc00"


@entry("null-in-prose", "null characters in the prose and in a cell of the student's own")
def _(handed):
    handed.cell("promise").source += "\0\0"
    handed.put("x = '\0'", after="softmax")


@entry("kernel-of-r", "the notebook says that it is written in R")
def _(handed):
    handed.notebook.metadata = {
        "kernelspec": {"display_name": "R", "language": "R", "name": "ir"},
        "language_info": {"name": "R", "file_extension": ".r"},
    }


@entry("old-format", "nbformat 3, as of 2013", words="format|old|version|convert")
def _(handed):
    cells = []
    for cell in handed.cells:
        if cell.cell_type == "code":
            cells.append({"cell_type": "code", "input": cell.source, "outputs": [], "language": "python"})
        else:
            cells.append({"cell_type": "markdown", "source": cell.source})
        cells[-1]["metadata"] = cell.metadata
    notebook = {"nbformat": 3, "nbformat_minor": 0, "metadata": {"name": ""}, "worksheets": [{"cells": cells}]}
    handed.write(f"{SOFTMAX}.ipynb", json.dumps(notebook))
    return True


@entry("future-format", "a version of the format that is yet to come")
def _(handed):
    handed.notebook.nbformat_minor = 99
    for cell in handed.cells:
        cell.mood = "good"


@entry("lines-as-lists", "sources as lists of lines, outputs of 20 MB, counts as texts")
def _(handed):
    for cell in handed.cells:
        cell.source = cell.source.splitlines(keepends=True)
        if cell.cell_type == "code":
            cell.execution_count = "3"
            cell.outputs = [{"output_type": "stream", "name": "stdout", "text": "x" * 400_000}]


@entry("invalid-outputs", "outputs of kinds that do not exist")
def _(handed):
    handed.cell("softmax-answer").outputs = [{"output_type": "smell", "data": 4}, "text", None, 7]
    handed.cell("softmax").outputs = {"output_type": "execute_result", "data": {"text/plain": "4.0"}}


@entry("old-outputs", "the outputs that were handed in claim full marks", {"softmax": 0.0})
def _(handed):
    handed.answer("softmax", "def softmax(x):\n    return x")
    handed.cell("softmax").outputs = [
        {"output_type": "execute_result", "execution_count": 1, "metadata": {}, "data": {"text/plain": "4.0"}}
    ]


@entry("truncated", "the file breaks off in the middle", ALL_EITHER, words="damaged|truncated|breaks off|read|cut")
def _(handed):
    text = json.dumps(handed.notebook, indent=1)
    handed.write(f"{SOFTMAX}.ipynb", text[: int(0.7 * len(text))])
    return True


@entry("empty-file", "an empty file", ALL_NOTHING, words="empty")
def _(handed):
    handed.write(f"{SOFTMAX}.ipynb", b"")
    return True


@entry(
    "binary", "a picture with the notebook's name", ALL_NOTHING, words="no notebook|not a notebook|damaged|read|text"
)
def _(handed):
    handed.write(f"{SOFTMAX}.ipynb", b"\x89PNG\r\n\x1a\n" + bytes(range(256)) * 40)
    return True


@entry(
    "not-json", "a Word document with the notebook's name", ALL_NOTHING, words="no notebook|not a notebook|damaged|read"
)
def _(handed):
    handed.write(f"{SOFTMAX}.ipynb", b"PK\x03\x04" + bytes(2_000))
    return True


@entry("json-but-no-notebook", "JSON, but a list", ALL_NOTHING, words="no notebook|not a notebook|damaged|read|cells")
def _(handed):
    handed.write(f"{SOFTMAX}.ipynb", "[[[], {}], 4.0]")
    return True


@entry("bomb-of-brackets", "100,000 brackets", ALL_NOTHING, words="no notebook|not a notebook|damaged|read|nested")
def _(handed):
    handed.write(f"{SOFTMAX}.ipynb", "[" * 100_000)
    return True


@entry("too-large", "a file of 3 GB, nearly all of it holes", ALL_NOTHING, words="large|big|MB|bytes|size")
def _(handed):
    handed.hand_in()
    os.truncate(handed.folder / f"{SOFTMAX}.ipynb", 3 * 2**30)
    return True


# ---------------------------------------------------------------- the folder


@entry("renamed", "3-softmax (1).ipynb", words=r"3-softmax \(1\)")
def _(handed):
    handed.hand_in(file=f"{SOFTMAX} (1).ipynb")
    return True


@entry("renamed-freely", "a name of the student's own", words="softmax FINAL")
def _(handed):
    handed.hand_in(file="softmax FINAL really.ipynb")
    return True


@entry("in-a-subfolder", "the notebook lies in a folder of the folder", words="my work|folder")
def _(handed):
    handed.hand_in(file=f"my work/{SOFTMAX}.ipynb")
    return True


@entry("original-beside-it", "the untouched notebook beside the solved copy", ALL_EITHER, words=r"3-softmax-Copy1")
def _(handed):
    handed.hand_in(file=f"{SOFTMAX}-Copy1.ipynb")
    handed.write(f"{SOFTMAX}.ipynb", json.dumps(handed.released[SOFTMAX]))
    return True


@entry("garbage-timestamp", "a timestamp that says no time", words="timestamp")
def _(handed):
    handed.write("timestamp.txt", b"yesterday, honestly \xff\0")


@entry("stray-random", "a file random.py beside the notebook, that would hide Python's own", words=r"random\.py")
def _(handed):
    handed.write("random.py", "print('my random experiments')\n")


@entry("stray-folder", "a package numpy and a .ipython profile beside the notebook", words="numpy")
def _(handed):
    handed.write("numpy/__init__.py", "raise ImportError('homemade')\n")
    handed.write(".ipython/profile_default/startup/00.py", "raise SystemExit\n")


@entry("another-part", "a notebook of another part, under its own name", ALL_NOTHING, words="1-nearest-neighbours")
def _(handed):
    _of_another_part(handed)
    handed.hand_in(file="1-nearest-neighbours.ipynb")
    return True


@entry(
    "another-part-renamed",
    "a notebook of another part, under this one's name",
    ALL_NOTHING,
    words="holds nothing of|another",
)
def _(handed):
    _of_another_part(handed)


def _of_another_part(handed):
    """Make the notebook another one: as many cells, nothing in common."""
    for i, cell in enumerate(handed.cells):
        cell.id, cell.metadata = f"neighbours-{i}", {}
        cell.source = f"distances_{i} = knn_indices(queries, keys, k={i})"


@entry("nothing", "an empty folder", ALL_NOTHING, words="not handed in|missing|nothing")
def _(handed):
    return True


@entry(
    "one-missing",
    "one of three notebooks is missing",
    dict.fromkeys(
        (
            "predict-scores",
            "dot_scores",
            "read-score-matrix",
            "cosine_scores",
            "squared_distances",
            "the-tie",
            "three-opinions",
        ),
        0.0,
    ),
    words="not handed in|missing",
    part=THREE,
)
def _(handed):
    handed.hand_in(SOFTMAX)
    handed.hand_in(MASKS)
    return True


@entry("swapped-names", "two notebooks under each other's names", words="2-scores|3-softmax", part=THREE)
def _(handed):
    handed.hand_in(SOFTMAX, f"{SCORES}.ipynb")
    handed.hand_in(SCORES, f"{SOFTMAX}.ipynb")
    handed.hand_in(MASKS)
    return True


@entry("symlink", "a link to the instructor's solution", ALL_NOTHING, words="link")
def _(handed):
    (handed.folder / f"{SOFTMAX}.ipynb").symlink_to(f"../../../source/{ONE}/{SOFTMAX}.ipynb")
    return True


@entry("folder-symlink", "the folder is a link to the instructor's solutions", ALL_NOTHING, words="link")
def _(handed):
    handed.folder.rmdir()
    handed.folder.symlink_to(f"../../source/{ONE}")
    return True


@entry("subfolder-symlink", "a folder in the folder is a link to the solutions", ALL_NOTHING, words="link")
def _(handed):
    (handed.folder / "work").symlink_to(f"../../../source/{ONE}")
    return True


@entry("student-symlink", "the student's own folder is a link to a classmate's", ALL_NOTHING, words="link")
def _(handed):
    handed.folder.rmdir()
    handed.folder.parent.rmdir()
    handed.folder.parent.symlink_to("ada")
    return True


@entry("large-files", "200 files of 90 MB beside the notebook, nearly all of them holes")
def _(handed):
    for number in range(200):
        handed.write(f"data-{number}.bin", b"x")
        os.truncate(handed.folder / f"data-{number}.bin", 90 * 2**20)


@entry("deep-folders", "a folder in a folder in a folder, 1,200 deep")
def _(handed):
    here = os.open(handed.folder, os.O_RDONLY)
    for _ in range(1_200):
        os.mkdir("d", dir_fd=here)
        below = os.open("d", os.O_RDONLY, dir_fd=here)
        os.close(here)
        here = below
    os.close(here)


@entry("many-files", "5,000 files beside the notebook")
def _(handed):
    for number in range(5_000):
        (handed.folder / f"{number}.txt").touch()


@entry("pipe", "a pipe with the notebook's name, that never says anything", ALL_NOTHING, words="regular|pipe|file")
def _(handed):
    os.mkfifo(handed.folder / f"{SOFTMAX}.ipynb")
    return True


@entry("directory", "a folder with the notebook's name", ALL_NOTHING, words="not used")
def _(handed):
    (handed.folder / f"{SOFTMAX}.ipynb").mkdir()
    return True
