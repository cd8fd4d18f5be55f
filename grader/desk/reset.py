"""A learner's notebook afresh, in its newest edition and with the answers of the old one, which is kept."""

import ast
import contextlib
import hashlib
import os
import re
import warnings
from datetime import datetime
from pathlib import Path
from typing import NamedTuple

from grader.classroom.repair.align import align, defined, slots_of
from grader.classroom.repair.salvage import readings
from grader.desk.lab import home_copy
from grader.errors import CourseError, NotebookError
from grader.exercises import PLACES
from grader.files import cannot_write, write_whole
from grader.judging.cells import names_given
from grader.judging.recording import forget
from grader.notebook import (
    SLUG,
    as_json,
    editions,
    grade_id,
    is_answer,
    is_check,
    marks,
    news,
    points_shown,
    read_notebook,
)
from grader.places import RELEASED, WORK, find_notebook
from grader.words import listed, plural, shown


class Reset(NamedTuple):
    """What `reset` did.

    Attributes
    ----------
    notebook : Path
        The learner's notebook.
    kept : Path or None
        Where the old one is now; None if there was none, or if nothing had to be changed.
    told : tuple of str
        What came along, what did not and what to look at, each in a sentence.
    """

    notebook: Path
    kept: Path | None
    told: tuple = ()


def reset(name, work=WORK, released=RELEASED, now=None, *, empty=False):
    """Put a learner's copy of a notebook back to the release, with the answers in it, and keep the old one beside it.

    Parameters
    ----------
    name : str
        See `grader.places.find_notebook`.
    work, released : Path
        The learner's folder, and where the notebooks as handed out are.
    now : datetime, optional
        The time that goes into the kept notebook's name.
    empty : bool
        Leave the answers behind.

    Returns
    -------
    Reset

    Raises
    ------
    UnknownName
        If there is no such notebook.
    CourseError
        If something cannot be read or written; then the learner's notebook is where and as it was.
    """
    place = find_notebook(name, released)
    source, target = Path(released) / place, Path(work) / place
    fresh, told = home_copy(source), ()
    if target.is_file():
        try:
            data = target.read_bytes()
        except OSError as problem:
            raise CourseError(f"{target} cannot be read: {problem.strerror}; nothing was changed") from None
        if not empty and data != fresh:
            fresh, told = _with_answers(target, data, source, fresh)
        if data == fresh:
            return Reset(target, None)
    try:
        kept = _replace(target, fresh, now or datetime.now())
    except OSError as problem:
        raise cannot_write(problem, "run the command again", target) from None
    if empty:
        begun = place.with_suffix("").as_posix()
        forget(Path(work) / "mine", [name for name, notebook in PLACES.items() if notebook == begun])
    return Reset(target, kept, tuple(told))


# ---- files


def _replace(target, fresh, now):
    """Write a file and keep what was in its place, if anything was; returns where that is now."""
    kept = None
    if os.path.lexists(target):
        kept = _free_name(target, now)
        try:
            os.link(target, kept, follow_symlinks=False)  # so the notebook is never missing, whatever happens
        except (OSError, NotImplementedError):  # a file system without links, or a folder in the notebook's place
            target.rename(kept)
    try:
        write_whole(target, fresh)
    except BaseException:
        if kept is not None:
            os.replace(kept, target)
            kept.unlink(missing_ok=True)  # of two links to one file, the line above moves none
        raise
    return kept


def _free_name(target, now):
    """A name beside `target` that nothing has yet."""
    stem = f"{target.stem} (before reset {now:%Y-%m-%d %H.%M.%S})"
    for number in range(1, 10_000):
        path = target.with_name(f"{stem}{'' if number == 1 else f' {number}'}.ipynb")
        if not os.path.lexists(path):
            return path
    raise CourseError(f"{target.parent} is full of kept notebooks; delete those that you no longer need")


# ---- the answers


def _with_answers(target, data, source, fresh):
    """A fresh copy as bytes, with the answers of the learner's notebook in it, and what to tell of that."""
    import nbformat

    try:
        new = nbformat.reads(fresh.decode(), as_version=4)
    except Exception:
        raise NotebookError(f"{source} is damaged; mend it with: python -m grader release") from None
    old, told = _read(target), []
    if old is None or not {_name(cell) for cell in new.cells if marks(cell)} & set(map(_name, old.cells)):
        old, told = _salvaged(data, new), ["Your old one is damaged; what could still be read of it came along."]
    if old is None:
        return fresh, ["Your old one is damaged, and no answers could be read from it."]
    told += _Carried(old, new).told()
    # JSON can spell half of a surrogate pair, which no file can hold.
    return as_json(new).encode("utf-8", "replace"), told


def _read(target):
    """A learner's notebook; None if it is damaged."""
    with contextlib.suppress(NotebookError, AttributeError, KeyError, TypeError), warnings.catch_warnings():
        warnings.simplefilter("ignore")  # nbformat warns about what an older program left out; it can be read
        notebook = read_notebook(target)
        for cell in notebook.cells:
            if not (isinstance(cell.source, str) and isinstance(cell.metadata, dict) and cell.cell_type):
                return None
        return notebook
    return None


def _salvaged(data, new):
    """The cells that can be read of a damaged file, those without a name by what is in them; None if there are none."""
    import nbformat

    try:
        found = readings(data)[0].cells
        slots = slots_of(new)
        taken = {i: slots[s].id for s, i in align(found, slots).taken.items()}
    except (NotebookError, RecursionError, MemoryError):
        return None
    cells = [
        {
            "cell_type": cell.kind,
            "id": cell.id if cell.grade_id else taken.get(i, cell.id),
            "metadata": {"nbgrader": cell.marks},
            "source": cell.source,
            "attachments": cell.attachments,
        }
        for i, cell in enumerate(found)
    ]
    return nbformat.from_dict({"cells": cells, "metadata": {}})


class _Carried:
    """What comes from an old notebook into a new one, which is changed."""

    def __init__(self, old, new):
        self.old, self.new = old, new
        self.answers, self.gone, self.otherwise, self.results, self.again = [], [], [], 0, []
        self.own, self.left, self.changed = [], [], []
        self.places = {_name(cell): cell for cell in new.cells}
        by_name = {}
        for cell in old.cells:
            by_name.setdefault(_name(cell), []).append(cell)
        # An editor that knows no ids drops them, or gives new ones.
        self.by_text = {
            _text(cell): name
            for name, cell in self.places.items()
            if not (marks(cell) or _is_empty(cell) or name in by_name)
        }
        self.drafts = {slot.id: self._drafts(slot.names) for slot in slots_of(new) if slot.names}
        self.seen = set()  # id() of the old cells that are done with
        for name, place in self.places.items():
            self._take(place, by_name.get(name, []))
        for name, cells in by_name.items():
            if name not in self.places and any(is_answer(cell) and _is_touched(cell) for cell in cells):
                self.gone.append(name)
        self._take_own()

    def _drafts(self, names):
        """The learner's own cells that define what only one answer does."""
        return [
            cell
            for cell in self.old.cells
            if cell.cell_type == "code"
            and not marks(cell)
            and _name(cell) not in self.places
            and defined(cell.source) & names
        ]

    def _take(self, place, cells):
        """What a cell of the new notebook takes from those of its name in the old one: several are copies of one."""
        name = _name(place)
        if is_answer(place):
            touched = [cell for cell in cells if _is_touched(cell) and _text(cell) not in ("", _text(place))]
            if not touched:
                touched = self.drafts.get(name, [])[-1:]
                self.seen |= set(map(id, touched))
            if touched:
                words = _otherwise(place.source, touched[0].source) if place.cell_type == "code" else ""
                self.otherwise += [words] if words else []
                self._fill(place, touched[0])
                self.answers.append(name)
            # All of them ran, in their order.
            self.own += [cell for cell in touched[1:] if _text(cell) != _text(touched[0])]
        elif is_check(place):
            earned = [cell for cell in cells if (points_shown(cell) or 0) > 0]
            if earned and _text(earned[-1]) == _text(place) and _are_sound(earned[-1].outputs):
                place.outputs = earned[-1].outputs
                self.results += 1
            elif earned:
                self.again.append(name)
        elif place.cell_type == "code" and any(_text(cell) not in ("", _text(place)) for cell in cells):
            self.changed.append(name)

    def _take_own(self):
        """The learner's own cells, each after the cell of the new notebook that it followed."""
        used, passed, last, own = set(self.places), set(), None, {}
        copies = set(map(id, self.own))
        for cell in self.old.cells:
            name = _name(cell)
            name = name if name in self.places else self.by_text.get(_text(cell), name)
            if id(cell) in copies:
                pass
            elif name in self.places:
                # What stands below a copy of a cell is no nearer to that cell.
                last = last if name in passed else name
                passed.add(name)
                continue
            elif id(cell) in self.seen or marks(cell) or _is_empty(cell):
                continue
            elif SLUG.fullmatch(name):
                # Not an id that an editor gives: a cell of an earlier edition.
                self.left += [name] if cell.cell_type == "code" else []
                continue
            own.setdefault(last, []).append(self._own_cell(cell, used))
        self.own = [cell for some in own.values() for cell in some]
        cells = own.get(None, [])
        for name, place in self.places.items():
            cells = [*cells, place, *own.get(name, [])]
        self.new.cells = cells

    def _own_cell(self, cell, used):
        import nbformat

        kinds = {"code": nbformat.v4.new_code_cell, "raw": nbformat.v4.new_raw_cell}
        made = kinds.get(cell.cell_type, nbformat.v4.new_markdown_cell)()
        self._fill(made, cell)
        name = cell.get("id")
        if isinstance(name, str) and name not in used and re.fullmatch(r"[\w-]{1,64}", name, re.ASCII):
            made.id = name
        used.add(made.id)
        return made

    @staticmethod
    def _fill(place, cell):
        place.source = cell.source
        if place.cell_type != "code" and isinstance(cell.get("attachments"), dict):
            place.attachments = cell.attachments

    def told(self):
        """What to tell of it, in sentences."""
        words = []
        if brought := news(self.old, self.new):
            words.append(f"It is edition {max(editions(self.new))} now: {' '.join(brought)}")
        if self.answers:
            names = listed(map(_exercise, self.answers))
            words.append(f"It has {plural(len(self.answers), 'answer')} of yours: {names}.")
        if self.results:
            words.append(f"The results of {plural(self.results, 'check')} came along, so your progress counts on.")
        if self.again:
            words.append(f"These checks have to be run again to count: {listed(self.again)}.")
        words += self.otherwise
        if self.gone:
            names = listed(map(_exercise, self.gone))
            words.append(f"No longer in the notebook, so your answer is in your old one only: {names}.")
        if self.own:
            words.append(f"{plural(len(self.own), 'cell')} of your own came along: look whether everything still fits.")
        if self.changed or self.left:
            names = listed(map(shown, self.changed + self.left))
            words.append(f"Other code that differs now, yours is in your old one only: {names}.")
        return words


def _name(cell):
    """What a cell is called in every edition; "" if it has no name. Some editors drop what nbgrader wrote."""
    return next((name for name in (grade_id(cell), cell.get("id")) if name and isinstance(name, str)), "")


def _exercise(name):
    return shown(name.removesuffix("-answer"))


def _text(cell):
    return cell.source.strip()


def _is_empty(cell):
    return not _text(cell)


def _is_touched(cell):
    """True for an answer's cell, unless it is known to be as it was handed out, in whichever edition."""
    return marks(cell).get("checksum") != _checksum(cell)


def _checksum(cell):
    """What nbgrader writes into an answer's cell that it hands out; its own function is slow to import."""
    about = marks(cell)
    kinds = [bool(about.get(kind)) for kind in ("grade", "solution", "locked")]
    parts = [cell.source, cell.cell_type, *kinds, about.get("grade_id")]
    if about.get("grade"):
        with contextlib.suppress(TypeError, ValueError):
            parts.append(float(about.get("points")))
    text = "".join(map(str, parts))
    return hashlib.md5(text.encode("utf-8", "replace"), usedforsecurity=False).hexdigest()


def _are_sound(outputs):
    """True for outputs that a notebook may hold."""
    import nbformat

    try:
        for output in outputs:
            nbformat.validate(output, ref="output", version=4)
    except nbformat.ValidationError:
        return False
    return True


# ---- does an answer still have the form that the notebook asks for?


def _otherwise(stub, answer):
    """What an answer defines otherwise than the cell that it came into, in a sentence; "" if it fits."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # about what stands in the answer
        if missing := names_given(stub) - names_given(answer):
            return f"Look once more: the notebook asks for {listed(sorted(missing))} there, and your answer has none."
        given = _functions(answer)
        for name, asked in _functions(stub).items():
            if name in given and not _fits(asked, given[name]):
                ours, yours = (f"{name}({ast.unparse(one)})" for one in (asked, given[name]))
                return f"Look once more: the notebook asks for {ours}, and your answer has {yours}."
    return ""


def _functions(source):
    """The arguments of the functions that a cell defines; none if it is no Python."""
    try:
        return {node.name: node.args for node in ast.parse(source).body if isinstance(node, ast.FunctionDef)}
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        return {}


def _fits(asked, given):
    """True if a function with these arguments can be called as the notebook's own; more may be optional."""
    theirs, yours = ([arg.arg for arg in (*one.posonlyargs, *one.args)] for one in (asked, given))
    named = {arg.arg for arg in (*given.args, *given.kwonlyargs)}
    return bool(
        (yours[: len(theirs)] == theirs or given.vararg)
        and len(yours) - len(given.defaults) <= len(theirs) - len(asked.defaults)
        and (given.kwarg or {arg.arg for arg in asked.kwonlyargs} <= named)
    )
