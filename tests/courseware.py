"""The course's notebooks, and how tests run them."""

import copy
import re
from functools import cache

import nbformat
from nbclient import NotebookClient

from grader.notebook import is_check, is_written, marks
from grader.places import ROOT

SOLUTIONS = sorted((ROOT / "solutions").glob("*/*.ipynb"))
RELEASED = sorted((ROOT / "notebooks").glob("*/*.ipynb"))
# Many tests are loops over these, and a loop over nothing finds no fault.
assert len(SOLUTIONS) == len(RELEASED) > 0


def name_of(path):
    """part/notebook, without the ending."""
    return f"{path.parent.name}/{path.stem}"


def read(path):
    """A notebook as committed; a copy of its own for whoever asks."""
    return copy.deepcopy(_read(path))


@cache
def _read(path):
    return nbformat.read(path, as_version=4)


def check_cells(notebook):
    """The autograded check cells."""
    return [cell for cell in notebook.cells if is_check(cell)]


def full_marks(notebook):
    """What its checks give at most."""
    return sum(float(marks(cell).points) for cell in check_cells(notebook))


def written_marks(notebook):
    """What a person can give at most, for answers in words."""
    return sum(float(marks(cell).points) for cell in notebook.cells if is_written(cell))


def promised(path):
    """Minutes that a notebook's first lines name: of a first reading, with all that is optional, of its challenge."""
    text = read(path).cells[0].source
    first = int(re.search(r"\b(\d+) minutes", text)[1])
    everything = re.search(r"\b(\d+) minutes with (?:it|them|all of it),", text)
    challenge = re.search(r"\b(\d+) (?:more )?for (?:a|the) challenge", text)
    return first, int(everything[1]) if everything else first, challenge and int(challenge[1])


def execute(notebook, folder):
    """Run a copy of a notebook in a real kernel; errors stay in its outputs."""
    client = NotebookClient(
        copy.deepcopy(notebook),
        timeout=120,
        allow_errors=True,
        coalesce_streams=True,  # in how many pieces a text comes is chance
        kernel_name="python3",
        extra_arguments=["--IPKernelApp.log_level=ERROR"],
        resources={"metadata": {"path": str(folder)}},
    )
    client.execute()
    return client.nb


def text_of(cell):
    """All the text and HTML that a cell shows."""
    parts = []
    for output in cell.get("outputs", []):
        data = output.get("data", {})
        parts += [
            output.get("text", ""),
            data.get("text/plain", ""),
            data.get("text/html", ""),
            output.get("evalue", ""),
        ]
    return "\n".join(map(str, parts))
