"""The one normal form of a committed notebook, and a notebook as readable text."""

import json
import math
import re
from pathlib import Path

from grader.errors import NotebookError
from grader.files import write_whole

# nbformat is imported where it is needed: it takes a while.

KEPT = ("nbgrader", "deletable", "editable")  # the last two are nbgrader's locks on released cells
KERNELSPEC = {"display_name": "Python 3 (ipykernel)", "language": "python", "name": "python3"}
SLUG = re.compile(r"(?![0-9a-f]{8}(-|$))[a-z0-9]+([-_][a-z0-9]+)*")  # not the random ids that editors give


def read_notebook(path):
    """Read a notebook.

    Raises
    ------
    NotebookError
        If the file is missing, empty or no notebook.
    """
    import nbformat

    path = Path(path)
    try:
        text = path.read_text(encoding="utf-8")
    except FileNotFoundError:
        raise NotebookError(f"{path} does not exist; check the name (are you in the course's folder?)") from None
    except UnicodeDecodeError:
        raise NotebookError(f"{path} is not a text file, so it is no notebook; get a fresh copy of it") from None
    except OSError as problem:
        raise NotebookError(f"{path} cannot be read: {problem.strerror}") from None
    try:
        json.loads(text)
        return nbformat.reads(text, as_version=4)
    except Exception as problem:
        reason = str(problem).splitlines()[0][:100] if str(problem) else type(problem).__name__
        raise NotebookError(f"{path} is damaged or no notebook ({reason}); get a fresh copy of it") from None


def normal_form(notebook):
    """A copy of a notebook in normal form.

    nbformat 4.5, no outputs or execution counts, only the kernelspec and the editions in the metadata, of a cell's
    metadata only nbgrader's and its locks; cell id = grade_id where there is one.

    Raises
    ------
    NotebookError
        If a cell's id is not a readable slug, or two cells share one.
    """
    import nbformat

    cells, seen = [], set()
    for cell in notebook.cells:
        metadata = {key: value for key, value in cell.metadata.items() if key in KEPT}
        name = grade_id(cell) or cell.get("id", "")
        if not SLUG.fullmatch(name):
            start = cell.source.split("\n")[0][:50]
            raise NotebookError(f"the cell that starts with {start!r} has the id {name!r}; give it a readable one")
        if name in seen:
            raise NotebookError(f"two cells have the id {name!r}; ids must differ")
        seen.add(name)
        plain = {"cell_type": cell.cell_type, "id": name, "metadata": metadata, "source": cell.source.rstrip()}
        if cell.cell_type == "code":
            plain |= {"execution_count": None, "outputs": []}
        cells.append(plain)
    metadata = {"kernelspec": dict(KERNELSPEC)}
    if "editions" in notebook.metadata:
        metadata["editions"] = dict(notebook.metadata.editions)
    return nbformat.from_dict({"cells": cells, "metadata": metadata, "nbformat": 4, "nbformat_minor": 5})


def editions(notebook):
    """What each edition of a notebook brought.

    They are in its metadata, in `solutions/` and in each copy that was made of it. The first edition brought all, so it
    is not in the table; a notebook without one is of the first edition.

    Parameters
    ----------
    notebook : NotebookNode or dict
        A learner's copy may hold anything.

    Returns
    -------
    dict of int to str
        From edition 2 on, in their order. The notebook's own edition is the last, or 1 if there is none.

    Examples
    --------
    >>> editions({"metadata": {"editions": {"2": "The tasks say how large scores may be."}}})
    {2: 'The tasks say how large scores may be.'}
    """
    metadata = notebook.get("metadata") if isinstance(notebook, dict) else None
    found = metadata.get("editions") if isinstance(metadata, dict) else None
    if not isinstance(found, dict):
        return {}
    numbers = sorted(int(number) for number in found if re.fullmatch(r"[1-9]\d{0,5}", str(number), re.ASCII))
    return {number: str(found[str(number)]) for number in numbers if number > 1}


def news(mine, released):
    """What the editions brought that are later than a learner's copy.

    Parameters
    ----------
    mine, released : NotebookNode or dict

    Returns
    -------
    list of str
        A sentence an edition; empty if the copy is of the newest.

    Examples
    --------
    >>> news({}, {"metadata": {"editions": {"2": "One more picture.", "3": "One exercise less."}}})
    ['One more picture.', 'One exercise less.']
    """
    have = max(editions(mine), default=1)
    return [sentence for number, sentence in editions(released).items() if number > have]


def as_json(notebook):
    """A notebook as the text of its file."""
    import nbformat

    return nbformat.writes(notebook).rstrip("\n") + "\n"


def as_bytes(notebook):
    """A notebook as a file for programs, on one line: that is written in a tenth of the time."""
    # A learner can print what no file can hold (half of a surrogate pair).
    text = json.dumps(notebook, ensure_ascii=False, sort_keys=True, separators=(",", ":"))
    return f"{text}\n".encode("utf-8", "replace")


def normalize(paths):
    """Rewrite notebooks in normal form; returns the paths of those that changed."""
    changed = []
    for path in map(Path, paths):
        text = as_json(normal_form(read_notebook(path)))
        if text != path.read_text(encoding="utf-8"):
            write_whole(path, text)
            changed.append(path)
    return changed


def show(notebook):
    """A notebook as readable text: a header line a cell, its source, and its outputs as text."""
    parts = []
    for cell in notebook.cells:
        about = marks(cell)
        kinds = [kind for kind in ("solution", "grade", "locked") if about.get(kind)]
        if about.get("grade"):
            kinds.append(f"{about.get('points', 0):g} points")
        header = f"== {cell.cell_type} {cell.get('id', '')}" + (f" ({', '.join(kinds)})" if kinds else "")
        parts.append("\n".join([header, cell.source.rstrip(), *_outputs(cell)]))
    return "\n\n".join(parts) + "\n"


def with_model_answers(notebook):
    """Put a cell that shows a model answer below each written question of a notebook; returns how many.

    Parameters
    ----------
    notebook : NotebookNode or dict
        It is changed.
    """
    names = {cell.get("id") for cell in notebook["cells"]}
    added = 0
    for i, cell in reversed(list(enumerate(notebook["cells"]))):
        name = f"{grade_id(cell)}-model-answer"
        if not is_written(cell) or name in names:
            continue
        source = [
            "# Write your own answer first, at least 40 words, and save the notebook.\n",
            "from grader import model_answer\n",
            "\n",
            f'model_answer("{grade_id(cell)}")',
        ]
        new = {"cell_type": "code", "id": name, "metadata": {}, "execution_count": None, "outputs": []}
        # As in a file, where a text is a list of lines, or as nbformat has it.
        as_lines = isinstance(cell["source"], list)
        new["source"] = source if as_lines else "".join(source)
        notebook["cells"].insert(i + 1, type(cell)(new))
        added += 1
    return added


# ---- nbgrader's marks on a cell; cells as nbformat gives them, or plain dicts


def marks(cell):
    """What nbgrader's metadata say about a cell; empty where they say nothing."""
    found = cell.get("metadata", {}).get("nbgrader")
    return found if isinstance(found, dict) else {}


def grade_id(cell):
    """The id of a graded cell; None where there is none."""
    return marks(cell).get("grade_id")


def is_check(cell):
    """True for a cell with the check of an exercise: graded by what it shows."""
    about = marks(cell)
    return bool(cell.get("cell_type") == "code" and about.get("grade") and not about.get("solution"))


def is_answer(cell):
    """True for a cell that a learner fills: code, or a written answer."""
    return bool(marks(cell).get("solution") or marks(cell).get("task"))


def is_written(cell):
    """True for an answer that a person marks."""
    return bool(marks(cell).get("grade") and is_answer(cell))


def points_shown(cell):
    """The points that nbgrader reads from an executed check cell; None where it shows no number, or would guess."""
    for output in cell.get("outputs", []):
        kind = output.get("output_type")
        if kind == "error" or (kind == "stream" and output.get("name") == "stderr"):
            return 0.0
        if kind == "execute_result":
            try:
                points = float("".join(output["data"]["text/plain"]))
            except (KeyError, TypeError, ValueError):
                return None
            return points if math.isfinite(points) else None
    return None


def _outputs(cell):
    lines = []
    for output in cell.get("outputs", []):
        text = output.get("text") or output.get("data", {}).get("text/plain") or "\n".join(output.get("traceback", []))
        lines += ["-> " + line for line in str(text).rstrip().split("\n")]
    return lines
