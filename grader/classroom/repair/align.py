"""Which cell of a submission is which cell of the release: by grade_id, then by cell id, then by the text.

Text is compared as text: nothing of a submission is parsed or compiled.
"""

import functools
import re
from bisect import bisect_left
from collections import Counter, defaultdict, deque
from dataclasses import dataclass
from difflib import SequenceMatcher

from grader.notebook import marks

#: How alike two texts must be to be taken for one.
ALIKE = 0.55
#: The same for an answer, whose text differs from the release's by all that was written.
ANSWER_ALIKE = 0.3
LONGEST_COMPARED = 4_000
#: Comparing texts takes time: in a notebook with more cells of its own, the others count as the learner's.
MOST_COMPARED = 1_000
MOST_TOKENS = 600

DEFINED = re.compile(
    r"^(?:async[ \t]+)?(?:def|class)[ \t]+(\w{1,100})|^(\w{1,100})[ \t]*(?::[^=\n]{1,100})?=(?!=)", re.MULTILINE
)
PYTHON_BEGINS = re.compile(r"(?:def|class|import|from|async|@\w|#|%|\w{1,100}[ \t]*=(?!=))")
CHECK_CALL = re.compile(r"check\(.*\)\s*+;?\s*+(?:#.*)?")
TOKEN = re.compile(r"\w+|[^\w\s]")
#: Code that stands in text as Markdown marks it, and nothing beside it.
FENCED = re.compile(r"\s*```\w*[ \t]*\n(.*?)\n?```\s*", re.DOTALL)
#: The latest releases with their places: those of a part are the same for a whole class.
_LATEST = deque(maxlen=16)


@dataclass(frozen=True)
class Slot:
    """A cell of the release, as the place of a submitted one.

    Attributes
    ----------
    cell : NotebookNode
        The release's; not to be changed.
    index : int
    role : str
        "answer" (the learner's to write), "fixed" (a check, or else locked) or "ordinary".
    names : frozenset of str
        What only this answer defines: a cell that defines it is this one.
    text : str
        The cell's source without what does not count.
    """

    cell: dict
    index: int
    role: str
    names: frozenset
    text: str

    @property
    def id(self):
        """The cell's id."""
        return self.cell["id"]

    @property
    def kind(self):
        """The cell's type."""
        return self.cell["cell_type"]

    @functools.cached_property
    def source_lines(self):
        """What stands on its lines."""
        return frozenset(line.strip() for line in self.cell["source"].split("\n"))

    @functools.cached_property
    def marks(self):
        """nbgrader's metadata; empty for a cell without."""
        return marks(self.cell)


@dataclass
class Alignment:
    """How a submission fits its release.

    Attributes
    ----------
    taken : dict of int to int
        For a place in the release, the place of the submitted cell.
    how : dict of int to str
        What a place's cell was recognised by: "grade_id", "id" or "text".
    spare : list of int
        Submitted cells that fit nowhere, in order.
    """

    taken: dict
    how: dict
    spare: list


def trimmed(source):
    """A source without white space at the ends of lines and of the text."""
    return "\n".join(line.rstrip() for line in source.split("\n")).strip()


def defined(source):
    """The names that a cell gives a value at its outermost level, as far as its lines tell.

    Examples
    --------
    >>> sorted(defined("def softmax(x):\\n    y = 1\\n\\nanswer = softmax(2)"))
    ['answer', 'softmax']
    """
    return {function or name for function, name in DEFINED.findall(source)}


def slots_of(released):
    """The places of a release.

    Parameters
    ----------
    released : NotebookNode

    Returns
    -------
    list of Slot
    """
    for known, slots in _LATEST:
        if known is released:
            return slots
    slots = _slots(released)
    _LATEST.append((released, slots))
    return slots


def _slots(released):
    roles, found = [], []
    for cell in released.cells:
        about = marks(cell)
        fixed = about.get("grade") or about.get("locked") or about.get("task")
        roles.append("answer" if about.get("solution") else "fixed" if fixed else "ordinary")
        found.append(defined(cell.source) if cell.cell_type == "code" else set())
    owners = Counter(name for names in found for name in names)
    return [
        Slot(
            cell=cell,
            index=i,
            role=role,
            names=frozenset(name for name in names if owners[name] == 1 and role == "answer"),
            text=trimmed(cell.source),
        )
        for i, (cell, role, names) in enumerate(zip(released.cells, roles, found, strict=True))
    ]


def is_answered(cell, slot):
    """True if there is something in an answer's cell that was not there in the release."""
    text = cell.text
    return bool(text) and text != slot.text


def beyond_check(cell, slot):
    """True if a cell in a check's place holds code of its own, not just another call of `check`."""
    lines = (line.strip() for line in cell.source.split("\n"))
    return any(
        line and line not in slot.source_lines and not line.startswith("#") and not CHECK_CALL.fullmatch(line)
        for line in lines
    )


def align(cells, slots):
    """Find the place of each cell of a submission.

    Parameters
    ----------
    cells : list of grader.classroom.repair.salvage.Cell
    slots : list of Slot

    Returns
    -------
    Alignment
    """
    return _Aligner(cells, slots).run()


class _Aligner:
    def __init__(self, cells, slots):
        self.cells, self.slots = cells, slots
        self.taken, self.how, self.counted = {}, {}, {}
        self.free = dict.fromkeys(range(len(cells)))  # a set that keeps the order
        self.texts = [cell.text for cell in cells]
        self.owners = {slot.text: slot.index for slot in slots}
        owned = frozenset().union(*(slot.names for slot in slots))
        self.fenced = {i: found[1] for i, cell in enumerate(cells) if (found := self._fence(cell))}
        self.names = [
            defined(self.fenced.get(i, cell.source)) & owned
            if cell.kind == "code" or i in self.fenced or _was_code(self.texts[i])
            else set()
            for i, cell in enumerate(cells)
        ]

    def _fence(self, cell):
        """The code in a text cell of the learner's that holds nothing else; None if there is none."""
        return FENCED.fullmatch(cell.source) if cell.kind != "code" and cell.text not in self.owners else None

    def run(self):
        self._by_key("grade_id", self._is_plausible)
        self._by_key("id", self._is_plausible)
        self._by_same_text()
        self._by_name()
        self._by_key("grade_id", self._is_answered)
        self._by_key("id", self._is_answered)
        self._by_likeness()
        self._by_place()
        self._by_elimination()
        # Only now those that nobody has written in: an answer goes before them, wherever it is.
        self._by_key("grade_id", self._is_any)
        self._by_key("id", self._is_any)
        self._by_same_text("answer")
        spare = set(self.free)
        # Code in a check's cell is not part of the check, but may be what an answer stands on.
        spare |= {i for s, i in self.taken.items() if self._holds_code_beside_check(i, self.slots[s])}
        return Alignment(self.taken, self.how, sorted(spare))

    def _open(self, *roles):
        return [slot for slot in self.slots if slot.index not in self.taken and slot.role in roles]

    def _take(self, slot, i, how):
        self.taken[slot.index], self.how[slot.index] = i, how
        del self.free[i]

    def _holds_code_beside_check(self, i, slot):
        return slot.role == "fixed" and self.cells[i].kind == "code" and beyond_check(self.cells[i], slot)

    def _is_any(self, i, slot):
        return True

    def _is_answered(self, i, slot):
        return slot.role != "answer" or is_answered(self.cells[i], slot)

    def _is_plausible(self, i, slot):
        """False where a cell is, by its text, another cell of the release than it says."""
        if self.names[i] and not self.names[i] & slot.names:
            return False
        return self.owners.get(self.texts[i], slot.index) == slot.index and self._is_answered(i, slot)

    def _by_key(self, key, allows):
        """By grade_id or by id."""
        waiting = defaultdict(list)
        for i in self.free:
            waiting[getattr(self.cells[i], key)].append(i)
        for slot in self._open("answer", "fixed", "ordinary"):
            wanted = slot.marks.get("grade_id") if key == "grade_id" else slot.id
            found = [i for i in waiting.get(wanted, ()) if allows(i, slot)] if wanted else []
            if found:
                self._take(slot, min(found, key=lambda i: self._rank(i, slot)), key)

    def _rank(self, i, slot):
        """Which of several cells of one name comes first."""
        if slot.role == "answer":
            return not self.names[i] & slot.names, i
        return slot.role == "fixed" and self.texts[i] != slot.text, i

    def _by_same_text(self, *roles):
        waiting = defaultdict(list)
        for i in self.free:
            waiting[self.texts[i]].append(i)
        for slot in self._open(*(roles or ("fixed", "ordinary"))):
            if found := waiting.get(slot.text):
                self._take(slot, found.pop(0), "text")

    def _by_name(self):
        for slot in self._open("answer"):
            found = [i for i in self.free if self.names[i] & slot.names and is_answered(self.cells[i], slot)]
            if len(found) > 1:
                low, high = self._gap(slot) or (-1, -1)
                likeness = self._likeness(slot)
                found.sort(key=lambda i: (i in self.fenced, not low < i < high, -likeness(i), i))
            if found:
                self._take(slot, found[0], "text")

    def _gap(self, slot):
        """Between which submitted cells this place's cell should lie; None if that cannot be told."""
        before = next((self.taken[s] for s in range(slot.index - 1, -1, -1) if s in self.taken), None)
        after = next((self.taken[s] for s in range(slot.index + 1, len(self.slots)) if s in self.taken), None)
        if before is None and after is None:
            return None
        low, high = -1 if before is None else before, len(self.cells) if after is None else after
        return (low, high) if low < high else None

    def _likeness(self, slot):
        """A function that says how many words a submitted cell shares with this place's."""
        wanted = _tokens(slot.text)

        def likeness(i):
            return _shared(wanted, self._tokens(i))

        return likeness

    def _tokens(self, i):
        if i not in self.counted:
            self.counted[i] = _tokens(self.texts[i])
        return self.counted[i]

    def _by_likeness(self):
        """Edited cells of the release, the most alike first."""
        slots = self._open("ordinary")
        if not slots:
            return
        wanted = {slot.index: _tokens(slot.text) for slot in slots}
        owners = defaultdict(list)  # which places a word stands for, so that most cells are compared with none
        for s, tokens in wanted.items():
            for token in tokens:
                owners[token].append(s)
        pairs = defaultdict(list)
        for i in [i for i in self.free if self.texts[i]][:MOST_COMPARED]:
            tokens = self._tokens(i)
            size, common = sum(tokens.values()), Counter()
            for token, count in tokens.items():
                for s in owners.get(token, ()):
                    common[s] += min(count, wanted[s][token])
            for s, shared in common.items():
                share = 2 * shared / (size + sum(wanted[s].values()))
                if share >= ALIKE and self.cells[i].kind == self.slots[s].kind:
                    pairs[s].append((share, i))
        ranked = []
        for s, found in pairs.items():
            matcher = SequenceMatcher(b=TOKEN.findall(self.slots[s].text)[:MOST_TOKENS])
            for _, i in sorted(found, key=lambda pair: (-pair[0], pair[1]))[:3]:
                matcher.set_seq1(TOKEN.findall(self.texts[i][:LONGEST_COMPARED])[:MOST_TOKENS])
                if (ratio := matcher.ratio()) >= ALIKE:
                    ranked.append((-ratio, s, i))
        for _, s, i in sorted(ranked):
            if s not in self.taken and i in self.free:
                self._take(self.slots[s], i, "text")

    def _by_place(self):
        """Answers without a name to know them by: what lies where they should."""
        for slot in self._open("answer"):
            gap = self._gap(slot)
            inside = [i for i in self.free if gap and gap[0] < i < gap[1] and is_answered(self.cells[i], slot)]
            if slot.kind != "code":
                found = self._prose(inside)
            elif any(slot.id in (self.cells[i].grade_id, self.cells[i].id) for i in self.free):
                continue  # it is there, and empty
            else:
                likeness = self._likeness(slot)
                found = [i for i in inside[:MOST_COMPARED] if self.cells[i].kind == "code"]
                found = [i for i in found if likeness(i) >= ANSWER_ALIKE]
                found.sort(key=lambda i: -likeness(i))
            if found:
                self._take(slot, found[0], "text")

    def _by_elimination(self):
        """Written answers that have been moved and have lost their marks: the longest of the prose that is left."""
        if all(self.cells[i].grade_id for s, i in self.taken.items() if self.slots[s].marks):
            return
        slots = [slot for slot in self._open("answer") if slot.kind != "code"]
        prose = self._prose(i for i in self.free if self.texts[i])
        prose = sorted(sorted(prose, key=lambda i: -len(self.texts[i]))[: len(slots)])
        for slot, i in zip(slots, prose, strict=False):
            self._take(slot, i, "text")

    def _prose(self, places):
        """Cells that may be a written answer, those first that are no code."""
        places = [i for i in places if self.texts[i] not in self.owners and not self.names[i]]
        cells = [(self.cells[i].kind == "code", i) for i in places]
        return [i for code, i in sorted(cells) if not code or not re.search(r"[=(]|^import", self.texts[i])]


def _was_code(text):
    """True if a text cell looks like code that was turned into text, not like prose about code."""
    return bool(PYTHON_BEGINS.match(text)) and "```" not in text


def _tokens(text):
    return Counter(TOKEN.findall(text[:LONGEST_COMPARED]))


def _shared(one, other):
    """The share of words that two texts have in common: 0 to 1."""
    return 2 * (one & other).total() / max(one.total() + other.total(), 1)


def moved(places):
    """Which of these positions are out of order, as few as possible.

    Examples
    --------
    >>> moved([1, 2, 9, 3, 4])
    {2}
    """
    ends, at, before = [], [], {}
    for k, place in enumerate(places):
        length = bisect_left(ends, place)
        before[k] = at[length - 1] if length else None
        ends[length : length + 1], at[length : length + 1] = [place], [k]
    kept, k = set(), at[-1] if at else None
    while k is not None:
        kept.add(k)
        k = before[k]
    return set(range(len(places))) - kept
