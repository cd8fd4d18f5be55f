"""The files of a submission -> which of them is which notebook of the part. Only ever reads, and follows no link."""

import contextlib
import hashlib
import os
import re
import stat
import unicodedata
from collections import Counter
from dataclasses import dataclass, field
from datetime import datetime
from pathlib import Path

from grader.classroom.repair.align import align, defined, is_answered, slots_of
from grader.classroom.repair.salvage import Unreadable, readings
from grader.files import LARGEST_NOTEBOOK, read_regular
from grader.words import listed, shown

#: Share of a released notebook that a file must hold to be known by it.
KNOWN_BY = 0.3
SHORTEST_TEXT = 40
MOST_FILES = 500
MOST_NAMED = 4
LARGEST_SUBMISSION = 4 * LARGEST_NOTEBOOK
IGNORED = {"timestamp.txt", "submission_secret.txt", "__pycache__", "__macosx", "desktop.ini", "thumbs.db"}
MODULES = (".py", ".pyc", ".pyd", ".pth", ".so", ".dll")
MAYBE_NOTEBOOKS = ("", ".json", ".txt")
BEFORE = re.compile(r"^(?:copy-of|kopie-von|copie-de|copia-de)-")
AFTER = re.compile(r"(?:-?\(\d+\)|-copy-?\d*|-kopie-?\d*|-copia-?\d*|-\d+|-v\d+|-final|-solved|-new)$")
#: A date as it can be sorted, with or without an hour, as ILIAS writes it before a name, and people into names.
DATE = re.compile(r"(?<!\d)(20\d\d)([-_.]?)(\d\d)\2(\d\d)(?:[-_. tT]*(\d\d)[-_.:h]?(\d\d)(?:[-_.:]?(\d\d))?)?(?!\d)")
CHECKPOINTS = ".ipynb_checkpoints"
SEVERAL = re.compile(r" (?:was|were) set aside: |, so .* was taken for ")
ANSWERED, UNTOUCHED, UNREADABLE = range(3)


@dataclass(frozen=True)
class Found:
    """What lies in a student's folder of a part.

    Attributes
    ----------
    files : dict of str to Path
        For a notebook of the release, the file to grade: a regular file, never a link. Those that are missing are not
        in it.
    notes : tuple of str
        What was renamed, set aside or refused, each in a plain sentence.
    beside : dict of str to dict
        For a notebook of the release, the answers to it that other files hold: by the id of the answer's cell, the
        name of the file and the `salvage.Cell`.
    read : dict of str to (bytes, list of Contents)
        For a notebook of the release, the SHA-256 of its file, and the ways to read it.
    """

    files: dict
    notes: tuple
    beside: dict = field(default_factory=dict)
    read: dict = field(default_factory=dict)


@dataclass(eq=False)
class _File:
    """A file that may be a notebook.

    Attributes
    ----------
    path : Path
    name : str
        Relative to the student's folder, with slashes.
    key : str or None
        The notebook that it is named for.
    level : int
        0: named exactly so; 1: so, but in a folder; 2: nearly so; 3: not at all.
    readings : list of Contents
        Empty if it cannot be read.
    digest : bytes
        The SHA-256 of what is in it.
    """

    path: Path
    name: str
    key: str | None
    level: int
    readings: list
    digest: bytes

    @property
    def quoted(self):
        return _quoted(self.name)


def find_files(folder, released):
    """Find the notebooks that a student handed in for a part.

    Parameters
    ----------
    folder : Path
        The student's folder of the part.
    released : dict of str to NotebookNode
        The part's notebooks as handed out, by name.

    Returns
    -------
    Found
    """
    folder = Path(folder)
    for place in (folder.parent, folder):
        if place.is_symlink():
            return Found({}, (f"The folder {_quoted(place.name)} is a symbolic link; nothing was read through it.",))
    try:
        if not stat.S_ISDIR(folder.lstat().st_mode):
            return Found({}, (f"{_quoted(folder.name)} is a file where a folder of notebooks was expected.",))
        listed = _Listed(folder)
    except (FileNotFoundError, NotADirectoryError):
        return Found({}, ())
    except OSError as problem:
        return Found({}, (f"The folder {_quoted(folder.name)} cannot be read: {problem.strerror}.",))
    return _Search(listed, released).found()


def date_of(name):
    """The first date in a path, as a number that grows with time; 0 if there is none.

    Examples
    --------
    >>> date_of("20261119174302_3-softmax.ipynb"), date_of("2026-11-19/3-softmax.ipynb"), date_of("3-softmax (1).ipynb")
    (20261119174302, 20261119000000, 0)
    """
    for found in DATE.finditer(name):
        year, _, *rest = found.groups(default="0")
        with contextlib.suppress(ValueError):
            return int(f"{datetime(int(year), *map(int, rest)):%Y%m%d%H%M%S}")
    return 0


def without_date(name):
    """A name without the dates in it, and what held them there.

    Examples
    --------
    >>> without_date("20261119174302_3-softmax"), without_date("3-softmax 2026-11-19")
    ('3-softmax', '3-softmax')
    """
    return DATE.sub("", name).strip(" _-.") if date_of(name) else name


def choices(notes):
    """Of the notes on a submission, those that say which of several files for one notebook counts."""
    return [note for note in notes if SEVERAL.search(note)]


def _quoted(name):
    """A file's name as a sentence can hold it."""
    return f"`{shown(name.replace('`', '?'), longest=80)}`"


def _names(names):
    return listed(map(_quoted, names))


class _Listed:
    """What lies in a folder, and one folder deeper."""

    def __init__(self, folder):
        self.files, self.large, self.links, self.special = [], [], [], []
        self.folders, self.hidden = [], []
        self._list(folder, "")

    def _list(self, folder, before):
        with os.scandir(folder) as entries:
            for entry in sorted(entries, key=lambda entry: entry.name):
                if entry.name.startswith(".") or entry.name.casefold() in IGNORED:
                    self.hidden += self._notebooks_of(entry, before)
                    continue
                name, about = before + entry.name, entry.stat(follow_symlinks=False)
                if stat.S_ISLNK(about.st_mode):
                    self.links.append(name)
                elif stat.S_ISDIR(about.st_mode):
                    self.folders.append(name + "/")
                    if not before:
                        self._list_folder(entry.path, name + "/")
                elif not stat.S_ISREG(about.st_mode):
                    self.special.append(name)
                elif about.st_size > LARGEST_NOTEBOOK:
                    self.large.append(name)
                else:
                    self.files.append((name, Path(entry.path)))

    @staticmethod
    def _notebooks_of(entry, before):
        """The notebooks that an entry is or, as JupyterLab's folder of checkpoints, holds; none of a Mac's shadows."""
        names = [entry.name]
        if entry.name == CHECKPOINTS and entry.is_dir(follow_symlinks=False):
            with contextlib.suppress(OSError):
                names = [f"{CHECKPOINTS}/{name}" for name in sorted(os.listdir(entry.path))]
        return [before + name for name in names if name.endswith(".ipynb") and not name.startswith("._")]

    def _list_folder(self, path, name):
        try:
            self._list(path, name)
        except OSError:
            self.special.append(name)


class _Search:
    """The choice among the files of a submission."""

    def __init__(self, listed, released):
        self.listed, self.released = listed, released
        self.slots = {name: slots_of(notebook) for name, notebook in released.items()}
        self.signs = _signs(self.slots)
        self.known = _names_known(released)
        self.unused, self.modules, self.closed, self.notes = [], [], [], []
        self.room = LARGEST_SUBMISSION

    def found(self):
        """Choose a file for each notebook, and say what else there was."""
        wanted = {name: [] for name in self.released}
        # Those with their own names first, should there be more than is looked at.
        files = sorted(self.listed.files, key=lambda file: self._named_for(file[0])[1] > 0)
        for name, path in files[:MOST_FILES]:
            if file := self._opened(name, path):
                whose = self._whose(file)
                if whose is not None:
                    wanted[whose].append(file)
        chosen = {name: self._chosen(name, some) for name, some in wanted.items() if some}
        chosen |= self._within_others(chosen)
        files = {name: chosen[name].path for name in self.released if name in chosen}
        looked_at = {file.name.partition("/")[0] + "/" for some in wanted.values() for file in some if "/" in file.name}
        read = [file for some in wanted.values() for file in some if file.readings]
        beside = {name: self._beside(name, [file for file in read if file is not chosen[name]]) for name in chosen}
        ways = {name: (chosen[name].digest, chosen[name].readings) for name in files if chosen[name].readings}
        notes = self.notes + self._about_the_rest(looked_at) + self._about_the_hidden(files)
        return Found(files, tuple(notes), beside, ways)

    def _beside(self, name, others):
        """The answers to a notebook in files that were not taken for it."""
        slots = {slot.id: slot for slot in self.slots[name] if slot.role == "answer"}
        found = {}
        for file in others:
            for cell in file.readings[0].cells:
                slot = slots.get(cell.grade_id) or slots.get(cell.id)
                if slot and is_answered(cell, slot):
                    found.setdefault(slot.id, (file.quoted, cell))
        return found

    def _within_others(self, chosen):
        """By notebook that was not handed in, or not worked in, the file of another one in which its answers stand."""
        found = {}
        for name in self.released:
            own = chosen.get(name)
            if own and (not own.readings or self._state(own, name)[0] == ANSWERED):
                continue
            others = {file.name: file for file in chosen.values() if file is not own and file.readings}
            states = {
                file: self._state(file, name)
                for file in others.values()
                if _scores(file.readings[0].cells, self.signs)[name] >= KNOWN_BY
            }
            if states and (best := min(states, key=states.get)) and states[best][0] == ANSWERED:
                found[name] = best
                self.notes.append(
                    f"{best.quoted} holds answers to the notebook {name} too, and was taken for it as well."
                )
        return found

    def _opened(self, name, path):
        """The file, if it may be a notebook."""
        key, level = self._named_for(name)
        suffix = Path(name).suffix.casefold()
        if suffix in MODULES and (key is None or suffix != ".py"):
            self.modules.append(name)
            return None
        if key is None and ".ipynb" not in name.casefold() and suffix not in MAYBE_NOTEBOOKS:
            self.unused.append(name)
            return None
        try:
            data = read_regular(path)
            self.room -= len(data)
            if self.room < 0:
                self.listed.large.append(name)
                return None
            found = readings(data)
        except (Unreadable, RecursionError, MemoryError):
            found = []
        except OSError:
            self.closed.append(name)
            return None
        return _File(path, name, key, level, found, hashlib.sha256(data).digest())

    def _named_for(self, name):
        """The notebook that a file is named for, and how exactly."""
        base = unicodedata.normalize("NFC", name.rpartition("/")[2])
        if base.removesuffix(".ipynb") in self.released and base.endswith(".ipynb"):
            return base.removesuffix(".ipynb"), 1 if "/" in name else 0
        key = next((self.known[form] for form in _forms(base) if form in self.known), None)
        return key, 3 if key is None else 2

    def _whose(self, file):
        """The notebook that a file holds, by what is in it and then by its name; None if it is none of the part."""
        if not file.readings:
            if file.key is None:
                self._leave(file, "could not be read, and its name is none of this part's notebooks")
            return file.key
        scores = _scores(file.readings[0].cells, self.signs)
        best = max(scores, key=scores.get)
        own = scores.get(file.key, 0)
        if scores[best] >= KNOWN_BY and scores[best] > own:
            if file.key is not None:
                self.notes.append(
                    f"{file.quoted} holds the notebook {best}, whatever its name; it was treated as that."
                )
            return best
        if file.key is None:
            self._leave(file, "is none of this part's notebooks")
            return None
        cells = file.readings[0].cells
        marked = {cell.grade_id for cell in cells if cell.grade_id}
        foreign = len(marked) > 2 and not marked & self.signs[file.key][0]
        if foreign or (not own and any(cell.text for cell in cells)):
            self.notes.append(f"{file.quoted} holds nothing of the notebook {file.key}; it was not used.")
            return None
        return file.key

    def _leave(self, file, why):
        if ".ipynb" in file.name.casefold():
            self.notes.append(f"{file.quoted} {why}; it was not used.")
        else:
            self.unused.append(file.name)

    def _chosen(self, key, files):
        """The file to take for a notebook.

        What holds answers goes before what holds none. Then the last counts, where each has a date; else the one that
        has the notebook's own name: the number of a copy says when it was saved, and not which was worked in last.
        """
        states = {file.name: self._state(file, key) if len(files) > 1 else (ANSWERED, 0) for file in files}
        dates = {file.name: date_of(file.name) for file in files}
        last = {name: -date if all(dates.values()) else 0 for name, date in dates.items()}

        def rank(file):
            state, most = states[file.name]
            return state, last[file.name], file.level, most, file.name

        ranked = sorted(files, key=rank)
        chosen, others = ranked[0], ranked[1:]
        renamed = chosen.level > 0 and (chosen.key in (key, None))
        passed_over = [file for file in others if file.level == 0 and file.key == key]
        if passed_over:
            why = "could not be read" if states[passed_over[0].name][0] == UNREADABLE else "holds no answers"
            self.notes.append(f"{passed_over[0].quoted} {why}, so {chosen.quoted} was taken for {key}.")
        elif renamed:
            self.notes.append(f"{chosen.quoted} was taken for {key}.")
        if aside := [file.name for file in others if file not in passed_over]:
            verb = "was" if len(aside) == 1 else "were"
            self.notes.append(f"{_names(aside)} {verb} set aside: {chosen.quoted} was taken for {key}.")
        return chosen

    def _state(self, file, key):
        """Whether there are answers in a file, and (to sort by) how many."""
        if not file.readings:
            return UNREADABLE, 0
        slots, most = self.slots[key], 0
        for contents in file.readings:
            taken = align(contents.cells, slots).taken.items()
            answers = [(contents.cells[i], slots[s]) for s, i in taken if slots[s].role == "answer"]
            most = max(most, sum(is_answered(cell, slot) for cell, slot in answers))
        return (ANSWERED if most else UNTOUCHED), -most

    def _about_the_rest(self, looked_at):
        """What was refused or left alone, in words; of a folder without notebooks only its name."""
        listed, words = self.listed, []
        modules = [name for name in self.modules if "/" not in name]
        packages = {name.partition("/")[0] + "/" for name in self.modules if "/" in name}
        beside = [name for name in self.unused if "/" not in name or name.partition("/")[0] + "/" in looked_at]
        folders = [name for name in listed.folders if name.partition("/")[0] + "/" not in packages | looked_at]
        if listed.links:
            words.append(f"Symbolic links are not followed: {_names(listed.links)}.")
        if listed.special:
            words.append(f"Not opened, because it is no regular file: {_names(listed.special)}.")
        if listed.large:
            words.append(f"Too large to be read: {_names(listed.large)}.")
        if self.closed:
            words.append(f"Could not be opened: {_names(self.closed)}.")
        if modules or packages:
            words.append(f"Modules beside the notebooks are not used: {_names(modules + sorted(packages))}.")
        if beside or folders:
            words.append(f"Not used: {_names(beside + folders)}.")
        if len(listed.files) > MOST_FILES:
            words.append(f"There are {len(listed.files):,} files; only the first {MOST_FILES} were looked at.")
        return words

    def _about_the_hidden(self, files):
        """Of notebooks that are missing, what lies where only programs keep theirs."""
        found = []
        for name in self.listed.hidden:
            base = name.rpartition("/")[2].removeprefix(".").removesuffix(".ipynb").removesuffix("-checkpoint")
            if self._named_for(f"{base}.ipynb")[0] not in {None, *files}:
                found.append(name)
        if not found:
            return []
        return [f"Hidden, and so not used: {_names(found[:MOST_NAMED])}."]


def _names_known(released):
    """The notebooks by their names in small letters, with and without the number before it."""
    full = {name.casefold(): name for name in released}
    short = {form: re.sub(r"^\d+-", "", form) for form in full}
    return {short[form]: name for form, name in full.items() if [*short.values()].count(short[form]) == 1} | full


def _forms(base):
    """The name of a file without what browsers and file managers add to it, step by step."""
    name = base.casefold()
    stem = name.partition(".ipynb")[0] if ".ipynb" in name else name.rpartition(".")[0] or name
    form = re.sub(r"[\s_]+", "-", without_date(stem).strip())
    while form:
        yield form
        shorter = AFTER.sub("", BEFORE.sub("", form)).strip("-")
        if shorter == form:
            return
        form = shorter


def _signs(slots_by_name):
    """What each notebook of a part is known by: ids, names that its answers define, and texts that no other has."""
    texts = Counter(slot.text for slots in slots_by_name.values() for slot in slots)
    return {
        name: (
            {slot.marks["grade_id"] for slot in slots if slot.marks},
            {word for slot in slots for word in slot.names},
            {slot.text for slot in slots if len(slot.text) >= SHORTEST_TEXT and texts[slot.text] == 1},
        )
        for name, slots in slots_by_name.items()
    }


def _scores(cells, signs):
    """For each notebook of a part, the share of its signs that some cells show."""
    there = (
        {cell.grade_id for cell in cells} | {cell.id for cell in cells},
        {name for cell in cells for name in defined(cell.source)},
        {cell.text for cell in cells},
    )
    return {
        name: max(
            len(expected & found) / max(len(expected), 1) for expected, found in zip(signs[name], there, strict=True)
        )
        for name in signs
    }
