"""A submitted notebook, as it comes -> the released notebook with the learner's answers in it, and what was repaired.

Grade and locked cells, their order, ids and points always come from the release; from the submission come the answers,
what the learner changed in the demonstrations, and the learner's own cells.
"""

import ast
import copy
import re
from dataclasses import dataclass, replace

from nbformat import NotebookNode, from_dict

from grader.classroom.repair.align import FENCED, align, beyond_check, defined, is_answered, moved, slots_of
from grader.classroom.repair.salvage import FLAGS, Cell, Unreadable, readings
from grader.words import listed, plural

MOST_OWN_CELLS = 300
ELSEWHERE = "# Answered in a cell above."
UNWRITTEN = "*Nothing was written in this cell. What was written elsewhere in the notebook, for a person to read:*"
#: Letters from which on words of the learner's own may be an answer; a sign of Chinese says as much as three.
FEWEST_LETTERS = 30
#: The comments and the texts in a cell of code.
SAID_IN_CODE = re.compile(
    r"^[ \t]*+#([^\n]*)|\"{3}(.*?)\"{3}|'{3}(.*?)'{3}|\"([^\"\n]*)\"|'([^'\n]*)'", re.MULTILINE | re.DOTALL
)
#: What is said about one cell, and about several.
SENTENCES = {
    "edited": (
        "The check of {} had been edited; the original was put back.",
        "The checks of {} had been edited; the originals were put back.",
    ),
    "beside": (
        "The check of {} held other code; that runs before it, in a cell of its own.",
        "The checks of {} held other code; that runs before them, in cells of its own.",
    ),
    "fixed": (
        "The check of {} was missing; it was put back.",
        "The checks of {} were missing; they were put back.",
    ),
    "answer": (
        "The answer cell of {} was missing; an empty one was put back.",
        "The answer cells of {} were missing; empty ones were put back.",
    ),
    "elsewhere": (
        "The answer cell of {} held no answer; the one in an earlier cell counts.",
        "The answer cells of {} held no answers; those in earlier cells count.",
    ),
    "relocated": (
        "The answer to {} was in another cell; it was put into its own.",
        "The answers to {} were in other cells; they were put into their own.",
    ),
    "unwritten": (
        "{} was left empty; what was written elsewhere was copied into it, for a person to read.",
        "{} were left empty; what was written elsewhere was copied into them, for a person to read.",
    ),
    "further": (
        "{} was answered in more than one cell; all of them were kept, in their order.",
        "{} were answered in more than one cell each; all of them were kept, in their order.",
    ),
    "copies": (
        "A second copy of {} was left out.",
        "Second copies of {} were left out.",
    ),
    "code": (
        "{} had been turned into text; it was made code again.",
        "{} had been turned into text; they were made code again.",
    ),
    "text": (
        "{} had been turned into another kind of cell; it was made text again.",
        "{} had been turned into other kinds of cells; they were made text again.",
    ),
    "moved": (
        "The cell {} had been moved; it was put back in its place.",
        "The cells {} had been moved; they were put back in their places.",
    ),
    "ordinary": (
        "The cell {} was missing; it was put back.",
        "The cells {} were missing; they were put back.",
    ),
    "both": (
        "The cell {} had been edited; the original runs first, then the edited one.",
        "The cells {} had been edited; the originals run first, each before the edited one.",
    ),
}


@dataclass(frozen=True)
class Repaired:
    """A notebook that can be graded.

    Attributes
    ----------
    notebook : NotebookNode
        nbformat 4.5, without outputs: every cell of the release, in its order and with its ids and metadata, and the
        learner's own cells between them.
    repairs : tuple of str
        What had to be repaired, each in a plain sentence.
    """

    notebook: NotebookNode
    repairs: tuple


def repair(data, released, beside=None, ways=None):
    """Bring a submitted file back to the form of its release.

    Parameters
    ----------
    data : bytes
        The file.
    released : NotebookNode
        The notebook as handed out; it is not changed.
    beside : dict, optional
        Answers that other files hold (`handed_in.Found`): each is taken where the file itself has none.
    ways : list of Contents, optional
        The ways to read these data, where they are known.

    Returns
    -------
    Repaired

    Raises
    ------
    Unreadable
        If no notebook can be read from the file, whatever it holds.

    Examples
    --------
    >>> from grader.places import RELEASED
    >>> from grader.notebook import read_notebook
    >>> path = RELEASED / "1-context-vectors" / "3-softmax.ipynb"
    >>> repair(path.read_bytes(), read_notebook(path)).repairs
    ()
    """
    slots = slots_of(released)
    try:
        rebuilt = [_Rebuilt(contents, slots) for contents in ways or readings(bytes(data))]
        best = max(rebuilt, key=lambda one: one.answers)  # the first of those with most answers
        if lacking := [slot for slot in slots if slot.id in (beside or {}) and not best.is_answered(slot)]:
            best = _Rebuilt(_completed(best, lacking, beside), slots)
        return Repaired(_notebook(best.cells(), released), tuple(best.words()))
    except (RecursionError, MemoryError):
        raise Unreadable(
            "the file is built in a way that no notebook is; save the notebook in JupyterLab and hand it in again"
        ) from None


def _completed(rebuilt, lacking, beside):
    """What a file holds, with the answers to some places that other files hold."""
    cells, said = list(rebuilt.submitted), []
    for slot in lacking:
        file, answer = beside[slot.id]
        cell = Cell(answer.kind, answer.source, slot.id, dict(slot.marks), answer.attachments)
        place = rebuilt.taken.get(slot.index)
        cells[len(cells) if place is None else place : None if place is None else place + 1] = [cell]
        said.append(f"The answer to `{slot.id.removesuffix('-answer')}` stood in {file}; it was taken from there.")
    return replace(rebuilt.contents, cells=cells, repairs=[*rebuilt.contents.repairs, *said])


def untouched(released):
    """The notebook to grade where none was handed in: a copy of the release.

    Parameters
    ----------
    released : NotebookNode

    Returns
    -------
    Repaired
        Without repairs.
    """
    return Repaired(copy.deepcopy(released), ())


def _notebook(cells, released):
    # from_dict makes everything anew, so nothing of the release is shared.
    return from_dict({"cells": cells} | {name: released[name] for name in ("metadata", "nbformat", "nbformat_minor")})


class _Rebuilt:
    """The cells of a repaired notebook, and what is told about them."""

    def __init__(self, contents, slots):
        self.submitted, self.slots, self.contents = contents.cells, slots, contents
        found = align(contents.cells, slots)
        self.taken, self.how = found.taken, found.how
        self.missing = {slot.index for slot in slots if slot.index not in found.taken}
        # Learners do not delete a demonstration by emptying it: an empty one is as good as missing.
        self.missing |= {s for s, i in found.taken.items() if slots[s].role == "ordinary" and not self._text(i)}
        self.both = {s for s in found.taken if s not in self.missing and self._needs_both(slots[s])}
        self.beside = {s for s, i in found.taken.items() if i in set(found.spare)}
        self.copies, self.further, self.relocated, self.surplus = set(), set(), set(), 0
        self._by_id, self._by_text = {slot.id: slot for slot in slots}, {slot.text: slot for slot in slots}
        self.own = self._own_cells()
        self.elsewhere = {slot.index for slot in slots if slot.names and self._is_bound_above(slot)}
        self.prose, self.pictures = self._own_prose()
        self.unwritten = {slot.index for slot in slots if self.prose and self._is_unwritten(slot)}

    @property
    def answers(self):
        """How many answers there are."""
        return sum(self._is_filled(slot) for slot in self.slots if slot.role == "answer")

    def is_answered(self, slot):
        """True if the answer of a place stands in its own cell, or in one above."""
        return slot.index in self.elsewhere or self._is_filled(slot)

    def _is_filled(self, slot):
        place = self.taken.get(slot.index)
        return place is not None and is_answered(self.submitted[place], slot)

    def _text(self, i):
        return self.submitted[i].text

    def _needs_both(self, slot):
        """True for a demonstration, edited so that a later answer might miss what the original does."""
        cell = self.submitted[self.taken[slot.index]]
        if slot.role != "ordinary" or cell.text == slot.text:
            return False
        if cell.kind != slot.kind:
            return True
        return slot.kind == "code" and _code(cell.source) != _code(slot.cell.source) and _binds(slot.cell.source)

    # ---- the learner's own cells

    def _own_cells(self):
        """The learner's own cells, by the place in the release after which they run."""
        places = {i: s for s, i in self.taken.items()}
        found, last = [], -1
        for i in range(len(self.submitted)):
            if i in places:
                last = places[i]
                if last in self.both:
                    found.append((last, i))
                elif last in self.beside:
                    found.append((self._after_missing(last - 1), i))
            elif not self._is_copy(i):
                found.append((self._after_missing(self._anchor(i, last)), i))
        if len(found) > MOST_OWN_CELLS:
            self.surplus = len(found)
            words = {word for i in self._answer_cells() for word in re.findall(r"\w+", self.submitted[i].source)}
            words -= {name for slot in self.slots for name in defined(slot.cell["source"])}
            # What an answer calls goes before what only fills the notebook.
            found.sort(key=lambda pair: (not defined(self.submitted[pair[1]].source) & words, pair[1]))
            found = found[:MOST_OWN_CELLS]
        own = {}
        for s, i in sorted(found):
            own.setdefault(s, []).append(i)
        return own

    def _answer_cells(self):
        return [i for s, i in self.taken.items() if self.slots[s].role == "answer"]

    def _anchor(self, i, last):
        """An own cell follows the cell that it followed, and never comes before a definition that it replaces."""
        names = defined(self.submitted[i].source)
        later = [slot.index for slot in self.slots if slot.names & names and self.taken.get(slot.index, i) < i]
        return max([last, *later])

    def _after_missing(self, s):
        """An empty answer cell that is put back must not undo what an own cell in its place defines."""
        while s + 1 in self.missing and self.slots[s + 1].role == "answer":
            s += 1
        return s

    def _is_copy(self, i):
        """True for a second copy of something of the release that does nothing, or may not be there twice."""
        cell, text = self.submitted[i], self._text(i)
        named = self._by_id.get(cell.grade_id) or self._by_id.get(cell.id)
        slot = self._by_text.get(text) or named
        if slot is None:
            return not text
        if slot.role == "answer" and text in ("", slot.text):
            empty = self.how[slot.index] == "text" and slot is named
            (self.relocated if empty else self.copies).add(slot.index)
            return True
        if slot.role == "answer":
            self.further.add(slot.index)
            return False
        if slot.role == "fixed" and not beyond_check(cell, slot):
            self.copies.add(slot.index)
            return True
        if slot.role == "ordinary" and slot.kind != "code" and text == slot.text:
            self.copies.add(slot.index)
            return True
        return not text

    def _is_bound_above(self, slot):
        """True if an answer is given in an earlier cell, which its own, missing or empty, would undo."""
        if self._is_filled(slot):
            return False
        cells = [i for s, i in self.taken.items() if s < slot.index and self.slots[s].role != "fixed"]
        cells += [i for s, some in self.own.items() if s < slot.index for i in some]
        return any(_gives(self.submitted[i], name) for name in slot.names for i in cells)

    # ---- written answers that are not where they belong

    def _is_unwritten(self, slot):
        """True for a question that a person marks, where nothing stands."""
        if slot.role != "answer" or slot.kind == "code" or not slot.marks.get("points"):
            return False
        return not self._is_filled(slot)

    def _own_prose(self):
        """All that the learner wrote where no answer belongs, with its place, and the pictures in it."""
        found, pictures = [], {}
        edited = {s: i for s, i in self.taken.items() if self.slots[s].role == "ordinary" and s not in self.both}
        places = [(s, i, self.slots[s].source_lines) for s, i in edited.items() if self.slots[s].kind != "code"]
        places += [(s, i, frozenset()) for s, some in self.own.items() for i in some]
        for s, i, known in sorted(places, key=lambda place: place[1]):
            cell = self.submitted[i]
            said = _said(cell) if cell.kind == "code" else cell.source
            said = "\n".join(line for line in said.split("\n") if line.strip() not in known).strip()
            if _letters(said) >= FEWEST_LETTERS or (cell.attachments and not known):
                after = f"after the cell `{self.slots[s].id}`" if s >= 0 else "at the beginning"
                found.append(f"({after}:)\n\n{said}")
                pictures |= cell.attachments
        return "\n\n".join((UNWRITTEN, *found)) if found else "", pictures

    # ---- the repaired notebook

    def cells(self):
        """All cells, in the order in which they run, as dicts."""
        used = {slot.id for slot in self.slots}
        cells, number = [], 0
        for s in range(-1, len(self.slots)):
            if s >= 0:
                cells.append(self._cell_of_release(self.slots[s]))
            for i in self.own.get(s, ()):
                number += 1
                while f"own-{number}" in used:
                    number += 1
                cell = self.submitted[i]
                cells.append(_built(cell.kind, f"own-{number}", {}, cell.source, cell.attachments))
        return cells

    def _cell_of_release(self, slot):
        s, source, attachments = slot.index, slot.cell["source"], slot.cell.get("attachments", {})
        if s in self.elsewhere:
            source = ELSEWHERE
        elif s in self.unwritten:
            source, attachments = self.prose, self.pictures
        elif s not in self.missing and s not in self.both and slot.role != "fixed":
            cell = self.submitted[self.taken[s]]
            if cell.text != slot.text:
                source, attachments = cell.source, cell.attachments
                if slot.kind == "code" != cell.kind and (fenced := FENCED.fullmatch(source)):
                    source = fenced[1]
        return _built(slot.kind, slot.id, slot.cell["metadata"], source, attachments)

    # ---- the repairs, in words

    def words(self):
        """Each repair in a sentence."""
        pairs = [(self.slots[s], self.submitted[i]) for s, i in sorted(self.taken.items())]
        words = list(self.contents.repairs)
        words += self._about_marks([pair for pair in pairs if pair[0].marks])
        if not self.contents.old_format:
            count = sum(cell.id != slot.id for slot, cell in pairs if slot.index not in self.relocated)
            if count:
                words.append(f"The ids of {plural(count, 'cell')} were missing or had changed; they were put back.")
        order = sorted(self.taken)
        groups = {
            "edited": [s.index for s, cell in pairs if s.role == "fixed" and cell.text != s.text],
            "beside": self.beside,
            "both": self.both,
            "code": [s.index for s, cell in pairs if s.kind == "code" != cell.kind and s.index not in self.both],
            "text": [s.index for s, cell in pairs if s.kind not in ("code", cell.kind) and s.index not in self.both],
            "moved": [order[k] for k in moved([self.taken[s] for s in order])],
            "copies": self.copies,
            "further": self.further,
            "relocated": self.relocated,
            "elsewhere": self.elsewhere,
            "unwritten": self.unwritten,
        }
        for role in ("fixed", "answer", "ordinary"):
            groups[role] = {s for s in self.missing - self.elsewhere - self.unwritten if self.slots[s].role == role}
        for name, (one, many) in SENTENCES.items():
            if found := sorted(groups[name]):
                words.append((one if len(found) == 1 else many).format(self._names(found, name)))
        if self.surplus:
            words.append(f"There were {self.surplus:,} cells beside those of the release; {MOST_OWN_CELLS} were kept.")
        return words

    def _about_marks(self, pairs):
        bare = [slot for slot, cell in pairs if not cell.grade_id and slot.index not in self.relocated]
        altered = [slot.index for slot, cell in pairs if cell.grade_id and _is_altered(cell.marks, slot.marks)]
        words = []
        if bare:
            by = "text" if any(self.how[slot.index] == "text" for slot in bare) else "ids"
            words.append(
                f"The marks of nbgrader were missing from {plural(len(bare), 'cell')}; "
                f"{'it was' if len(bare) == 1 else 'they were'} matched by {'its' if len(bare) == 1 else 'their'} {by}."
            )
        if altered:
            words.append(f"The marks of nbgrader had been altered in {self._names(altered)}; the original ones count.")
        return words

    def _names(self, places, group=""):
        """Some cells by name; those that belong to an exercise by its name, where the sentence says what they are."""
        ids = [self.slots[s].id for s in places]
        if group in ("answer", "further", "elsewhere", "relocated", "unwritten"):
            ids = [name.removesuffix("-answer") for name in ids]
        return listed(f"`{name}`" for name in ids)


def _built(kind, name, metadata, source, attachments):
    cell = {"cell_type": kind, "id": name, "metadata": metadata, "source": source}
    if kind == "code":
        return cell | {"execution_count": None, "outputs": []}
    return cell | {"attachments": attachments} if attachments else cell


def _is_altered(marks, original):
    """True if nbgrader would treat the cell in another way."""
    # Early versions of nbgrader did not write `task`.
    there = {"task": False} | marks
    # What is worth nothing has been dropped since it was handed out.
    names = [name for name in ("grade_id", *FLAGS) if name in original and (name != "points" or original[name])]
    return any(there.get(name) != original[name] for name in names)


def _code(source):
    """The lines of a cell that do something."""
    lines = [line.rstrip() for line in source.split("\n")]
    return [line for line in lines if line and not line.lstrip().startswith("#")]


def _said(cell):
    """What a cell of code says in words; "" where they are about what it defines, or are the course's own."""
    if re.search(r"^[ \t]*+(?:(?:async|def|class)\b|model_answer\()", cell.source, re.MULTILINE):
        return ""
    return "\n".join("".join(said).strip() for said in SAID_IN_CODE.findall(cell.source))


def _letters(text):
    return sum(3 if letter > "\u2e80" else 1 for letter in text if letter.isalpha())


def _binds(source):
    """True if a cell of the release does more than show something, so that others can stand on it."""
    try:
        return not all(isinstance(statement, ast.Expr) for statement in ast.parse(source).body)
    except SyntaxError:  # IPython's own commands
        return True


def _gives(cell, name):
    """True if a cell may give a value to a name, at whatever depth."""
    if cell.kind != "code" or name not in cell.source:
        return False
    pattern = (
        rf"^[ \t]*+(?:async[ \t]+)?(?:def|class)[ \t]+{name}\b"
        rf"|^[^#\n(=]{{0,200}}\b{name}\b[^=\n(]{{0,200}}=(?!=)"
        rf"|^[ \t]*+(?:from|import)\b[^\n]{{0,200}}\b{name}\b"
    )
    return re.search(pattern, cell.source[:100_000], re.MULTILINE) is not None
