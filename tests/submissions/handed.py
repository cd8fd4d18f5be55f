"""What an entry of the catalogue is, and the means to write one: a solved notebook to damage, and what it is worth."""

import copy
import json
import re
import secrets
import textwrap
from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import Path

#: The made course's parts: nearly all entries hand in a single notebook, a few need others beside it.
ONE, THREE = "1-softmax-only", "2-three-notebooks"
SCORES, SOFTMAX, MASKS = "2-scores", "3-softmax", "4-masks"
#: All or nothing, where both can be called right.
EITHER = "all or nothing"
#: Anything but full marks.
LESS = "less than all"
#: Where a notebook has wrecked its own process, whatever its functions still do.
ANYTHING = "anything"
NOTHING = {"softmax": 0.0}


@dataclass(frozen=True)
class Expected:
    """What a submission deserves.

    Attributes
    ----------
    points : dict of str to float or str
        By exercise; what is not named deserves full marks.
    words : tuple of str
        Regular expressions, each of which must be found in what the instructor is told.
    """

    points: dict = field(default_factory=dict)
    words: tuple = ()

    def complaints(self, points, full, told=None):
        """What is wrong with a result, in words.

        Parameters
        ----------
        points : dict of str to float
            By exercise; empty if there is no grade at all.
        full : dict of str to float
        told : str, optional
            What the instructor is told; not looked at if it is left out.

        Returns
        -------
        list of str
        """
        wrong = []
        for exercise, most in full.items():
            deserved, got = self.points.get(exercise, most), points.get(exercise)
            if got is None:
                fine = False
            elif deserved == EITHER:
                fine = got in (0, most)
            elif deserved == LESS:
                fine = 0 <= got < most
            elif deserved == ANYTHING:
                fine = 0 <= got <= most
            else:
                fine = abs(got - deserved) < 1e-9
            if not fine:
                wrong.append(f"{exercise}: {'no grade' if got is None else f'{got:g}'} instead of {deserved}")
        if told is not None:
            wrong += [f"nothing like {word!r} is told" for word in self.words if not re.search(word, told, re.I)]
        return wrong


@dataclass(frozen=True)
class Entry:
    """One submission of the catalogue.

    Attributes
    ----------
    id : str
        Also the student's name.
    title : str
        What is special about it, in a few words.
    make : callable
        `make(folder, released, solved)` writes the student's files into `folder`, which exists and is empty; the other
        two are dicts of notebooks by name, both the entry's own to change.
    expect : Expected
    part : str
    after : str
        Another entry that has to be graded before this one, on the same machine; "" if there is none.
    """

    id: str
    title: str
    make: Callable
    expect: Expected
    part: str = ONE
    after: str = ""


ENTRIES = {}


class Handed:
    """A submission in the making: the solved notebooks, and the folder they go into.

    Attributes
    ----------
    folder : Path
    released, notebooks : dict of str to NotebookNode
    """

    def __init__(self, folder, released, solved):
        self.folder, self.released, self.notebooks = Path(folder), released, solved

    @property
    def notebook(self):
        """The notebook about softmax."""
        return self.notebooks[SOFTMAX]

    @property
    def cells(self):
        """Its cells."""
        return self.notebook.cells

    def place(self, identity, name=SOFTMAX):
        """Where the cell of that id is."""
        return next(i for i, cell in enumerate(self.notebooks[name].cells) if cell.get("id") == identity)

    def cell(self, identity, name=SOFTMAX):
        """The cell of that id."""
        return self.notebooks[name].cells[self.place(identity, name)]

    def answer(self, exercise, source, name=SOFTMAX):
        """Replace an answer."""
        self.cell(f"{exercise}-answer", name).source = textwrap.dedent(source).strip("\n")

    def put(self, source, *, before=None, after=None, kind="code", name=SOFTMAX):
        """Add a cell of the student's own."""
        cells = self.notebooks[name].cells
        made = {"cell_type": kind, "id": secrets.token_hex(4), "metadata": {}, "source": textwrap.dedent(source)}
        if kind == "code":
            made |= {"execution_count": None, "outputs": []}
        made = type(cells[0])(made)
        cells.insert(self.place(before, name) if before else self.place(after, name) + 1, made)
        return made

    def write(self, name, content):
        """Write a file of the submission."""
        path = self.folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(content if isinstance(content, bytes) else content.encode("utf-8"))

    def hand_in(self, name=SOFTMAX, file=None, indent=1):
        """Write a notebook, as damaged as it is."""
        self.write(file or f"{name}.ipynb", json.dumps(self.notebooks[name], indent=indent))


def entry(identity, title, points=None, words=(), part=ONE, after=""):
    """Make a function that changes a `Handed` an entry; unless the function returns True, all notebooks are written."""

    def register(change):
        def make(folder, released, solved):
            handed = Handed(folder, copy.deepcopy(released), copy.deepcopy(solved))
            if change(handed) is not True:
                for name in handed.notebooks:
                    handed.hand_in(name)

        if identity in ENTRIES:
            raise ValueError(f"two entries are called {identity}")
        told = (words,) if isinstance(words, str) else tuple(words)
        ENTRIES[identity] = Entry(identity, title, make, Expected(points or {}, told), part, after)
        return change

    return register


def answers(identity, title, source, points=NOTHING, words=(), exercise="softmax", after=""):
    """An entry in which one answer is replaced."""
    entry(identity, title, points, words, after=after)(lambda handed: handed.answer(exercise, source))
