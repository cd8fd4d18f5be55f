"""What lies in a folder or a zip -> the notebooks in it, copied, each with its student and, if it is clear, a part."""

import contextlib
import hashlib
import itertools
import re
from collections import defaultdict
from dataclasses import dataclass, replace
from datetime import UTC, datetime
from pathlib import Path

from grader.classroom.collect.gradescope import SUBMISSION, metadata_of, read_metadata
from grader.classroom.collect.lms_names import (
    BLACKBOARD_NOTE,
    CANVAS_TEXT,
    DRAFTS,
    HANDED_IN,
    LOGIN,
    Names,
    any_time,
    file_name,
    safe_name,
    stem_of,
)
from grader.classroom.collect.unpack import (
    DEVICES,
    NOTEBOOK,
    UNREADABLE,
    Budget,
    Refused,
    copy,
    is_junk,
    megabytes,
    unzipped,
)
from grader.classroom.course import can_be_kept
from grader.classroom.dates import read_dates
from grader.classroom.repair.handed_in import date_of
from grader.notebook import grade_id, read_notebook
from grader.pace import pace
from grader.words import listed, shown, some

IDS = re.compile(rb'"(?:grade_id|id)"\s*:\s*"([A-Za-z0-9_.-]{1,100})"')
START = 4096  # bytes: so much is read of a note or a time
MANY = 20  # files, from which on a bar shows how far it is


@dataclass
class Item:
    """A notebook that has been read in.

    Attributes
    ----------
    student, identity : str
        The student's id, and the name that it was made of.
    part : str or None
        None if that is unclear.
    file : str
        The name that it gets.
    where : str
        Where it was found, for messages.
    when : datetime or None
        When it was handed in, where its name says so.
    stamped : bool
        True if its name says when, or which attempt it is.
    attempt : tuple
        The greatest is the newest attempt of its series.
    series : str
    depth : int
        How deep it lies.
    copy : Path
        A copy beside the submissions.
    digest : bytes
    origin : str
        The file's path as the platform gave it; of what lay in a student's own zip, the zip's.
    date : int
        The date in its name or a folder's, which may be the student's own; 0 if there is none.
    flat : bool
        True if its own name alone says whose it is.
    """

    student: str
    identity: str
    part: str | None
    file: str
    where: str
    when: datetime | None
    stamped: bool
    attempt: tuple
    series: str
    depth: int
    copy: Path
    digest: bytes
    origin: str
    date: int
    flat: bool


class Reader:
    """Reads everything in.

    Parameters
    ----------
    course : Course
    part : str or None
        The part that was handed in, if somebody has said so.
    allowance : Allowance
    there : set of str
        Those who have handed in before.
    result : Collected
    staging : Path
        Where copies go.

    Attributes
    ----------
    items : list of Item
    others_of : dict of str to list of str
        What else students handed in, by student.
    refused_of : set of str
        Students of whom a file was refused.
    late : set of str
        Students whose files a platform calls late, without a time.
    times : dict
        When something was handed in, by student and part or None, where a file of its own says so.
    notebooks : dict of str to frozenset
        The names of each part's notebooks.
    """

    def __init__(self, course, part, allowance, there, result, staging):
        self.course, self.part, self.allowance, self.there = course, part, allowance, there
        self.dates = read_dates(course)
        self.result, self.staging = result, staging
        self.items, self.times, self.others_of = [], {}, defaultdict(list)
        self.late, self.refused_of = set(), set()
        self.total = Budget(allowance.total, f"all files together are larger than {megabytes(allowance.total)}")
        self.budgets, self.numbers = {}, itertools.count()
        self.notebooks = {
            name: frozenset(path.stem for path in course.source(name).glob("*.ipynb")) for name in course.parts
        }
        self.ids = {name: _grade_ids(course, name) for name in course.parts}
        self.names = self._names()

    def read(self, source, outer=""):
        """Read in all notebooks of a folder or a zip; `outer` is where that lies, for messages."""
        for name, why in source.refused:
            self.result.refuse(outer + name, why)
        wanted, others = [], []
        for entry in source.entries:
            (wanted if _is_wanted(entry) else others).append(entry)
        notes = [entry for entry in others if BLACKBOARD_NOTE.fullmatch(entry.name)]
        self.result.others += len(others)
        work = [entry for entry in wanted if not _is_time(entry)]
        # All or none: a student's own zip among others may hold names as a platform writes them, and be another's.
        alone = len(work) == 1
        if work and all(map(_is_zip, work)) and all(self._holds_a_class(entry, alone) for entry in work):
            for entry in work:
                self._read_class(entry, outer, alone)
            return
        names = self._names(frozenset(self.there), _logins(notes), self._submissions(others, outer))
        around = names.around([names.without_part(entry.path)[0] for entry in work])
        if around:
            wanted = self._without_drafts(wanted, names, around)
            handed_in = [entry for entry in wanted if not _is_time(entry)]
            self._tell_of_folders_around({names.without_part(entry.path)[0][:around] for entry in handed_in})
        self._tell_of_nobodys(names, {names.without_part(entry.path)[0][around:][:1] for entry in work})
        for entry in others:
            if not BLACKBOARD_NOTE.fullmatch(entry.name):
                self._note_other(names, names.without_part(entry.path)[0][around:])
        for path in source.left:
            path = names.without_part(path)[0][around:]
            if not is_junk(path[:1]):
                self._note_other(names, path, 2)
        with pace(len(wanted), "file", quiet=len(wanted) <= MANY) as bar:
            for entry in wanted:
                self._read_entry(entry, names, around, outer)
                bar.update()

    def _submissions(self, others, outer):
        """Who handed in which folder, and when, by what Gradescope says beside them."""
        entry = metadata_of(others)
        if entry is None:
            return {}
        try:
            found = read_metadata(entry)
        except Refused as problem:
            self.result.tell(f"{outer}{entry.shown} was not read, so that folders have no names: {problem}.")
            return {}
        for one in found.values():
            student = safe_name(one.identity, lower=True)
            if one.when:
                self.times[student, None] = max(one.when, self.times.get((student, None), one.when))
        if groups := [name for name, one in found.items() if one.people > 1]:
            self.result.tell(f"Of groups, which count as one student each: {some(groups)}.")
        return {name: one.identity for name, one in found.items()}

    def _tell_of_nobodys(self, names, folders):
        """Tell of Gradescope's folders that have only numbers."""
        unknown = [name for (name,) in folders if SUBMISSION.fullmatch(name) and name not in names.submissions]
        if unknown:
            words = "No submission_metadata.yml beside these folders says who handed them in, so they are the names"
            self.result.tell(f"{words}: {some(unknown)}.")

    def _without_drafts(self, wanted, names, around):
        """The entries without those that Teams keeps of students who go on working, if it has what they handed in."""
        folders = [{name.casefold() for name in names.without_part(entry.path)[0][:around]} for entry in wanted]
        if not any(HANDED_IN in some for some in folders):
            return wanted
        kept = [entry for entry, some in zip(wanted, folders, strict=True) if DRAFTS not in some]
        if left := len(wanted) - len(kept):
            self.result.others += left
            self.result.tell(f"What lies in {DRAFTS.capitalize()} was not handed in, and was left out.")
        return kept

    def _tell_of_folders_around(self, folders):
        said = [shown("/".join(folder)) for folder in sorted(folders)]
        if len(said) == 1:
            self.result.tell(f"The folder around everything, {said[0]}, was taken for nobody's name.")
        elif said:
            self.result.tell(f"These folders were taken for groups, and for nobody's names: {listed(said)}.")

    def _note_other(self, names, path, said=1):
        """Note whose a file is that no submission needs, by so many names of its path: there may be nothing else."""
        # What was typed in, Canvas gives without the number that files have.
        named = path and CANVAS_TEXT.sub(r"\g<head>_0_text.html", path[-1])
        owner = path and names.owner((*path[:-1], f"{named}.zip"), path)
        if owner and (len(path) > 1 or names.by_platform((f"{named}.zip",))):
            self.others_of[owner.student].append("/".join(path[-said:]))

    def tell_of_late_ones(self):
        """Tell whose files came late by the platform, which does not say when."""
        if self.late:
            said = listed(sorted(self.late))
            self.result.tell(f"Late, says Canvas, and not when: {said}. `handed_in` in grading/course.toml can say it.")

    def tell_of_those_without(self):
        """Tell of students of whom there is no notebook: those who handed in others, and those whose were refused."""
        known = {item.student for item in self.items}
        if without := self.refused_of - known:
            self.result.tell(f"Nothing was taken in of {some(without, most=20)}: why is said of each file below.")
        known |= without
        for student, files in sorted(self.others_of.items()):
            if student and student not in known:
                self.result.tell(f"{student} handed in no notebook, only {listed(map(shown, files))}.")

    def _read_entry(self, entry, names, around, outer):
        path, part = names.without_part(entry.path)
        owner = names.owner(path[around:], entry.path)
        where = outer + entry.shown
        if owner is None and _is_time(entry):
            self.result.others += 1
        elif owner is None:
            words = "no student's name stands before the notebook's, as in `ada_3-softmax.ipynb`"
            self.result.refuse(where, f"{words}; put it into a folder named by the student")
        elif not owner.student or DEVICES.fullmatch(owner.student) or not can_be_kept(owner.student):
            self.result.refuse(where, f"{shown(owner.identity)!r} cannot be the name of a folder; rename it")
        else:
            self.late |= {owner.student} if owner.late else set()
            self._take(entry, owner, part, where, 0)

    def _names(self, students=frozenset(), logins=None, submissions=None):
        known = frozenset().union(*self.notebooks.values())
        zone = self.dates.zone or UTC
        return Names(
            self.course.config, known, frozenset(self.notebooks), students, logins or {}, zone, submissions or {}
        )

    def _holds_a_class(self, entry, alone):
        """Whether a zip holds a class, and not one student's work. Beside others, names that platforms write say so."""
        if self.names.by_platform(entry.path):
            return False
        with contextlib.ExitStack() as stack:
            try:
                inner = self._unzipped_class(stack, entry)
            except Refused:
                return False
            names = self.names
            paths = [names.without_part(one.path)[0] for one in inner.entries if _is_wanted(one) and not _is_time(one)]
            around = names.around(paths)
            by_platform = [names.by_platform(path[around:]) is not None for path in paths]
            owners = {owner.identity for path in paths if (owner := names.owner(path[around:], path))}
            return any(by_platform) or len(owners) > 1 if alone else all(by_platform) and bool(paths)

    def _read_class(self, entry, outer, alone):
        """Read in a zip that holds a class."""
        with contextlib.ExitStack() as stack:
            inner = self._unzipped_class(stack, entry)
            words = "is all there is, and was" if alone else "lies beside others of its kind, and was"
            self.result.tell(f"{outer}{entry.shown} {words} taken for the zip of the class.")
            self.read(inner, f"{outer}{entry.shown}/")

    def _unzipped_class(self, stack, entry):
        """What lies in a zip of a class. What the instructor packed once more may be as large as the whole."""
        allowance = replace(self.allowance, file=self.allowance.total)
        return self._unzipped(stack, entry, allowance, Budget(allowance.total, ""), allowance.entries)

    def _unzipped(self, stack, entry, allowance, budget, most, counted=False):
        """What lies in a zip of the source; `stack` closes it. Raises `Refused`."""
        copied = self.staging / f"{next(self.numbers)}.zip"
        stack.callback(copied.unlink)
        with copied.open("wb") as target:
            copy(entry, target, allowance, budget)
        inner = unzipped(stack.enter_context(copied.open("rb")), most, counted)
        stack.enter_context(inner.archive)
        return inner

    def _budget(self, student):
        """The bytes and the files that a student may still hand in."""
        if student not in self.budgets:
            size, files = self.allowance.submission, self.allowance.submission_entries
            self.budgets[student] = (
                Budget(size, f"there are more than {megabytes(size)} of one student", self.total),
                Budget(files, f"there are more than {files:,} files in the zips of one student"),
            )
        return self.budgets[student]

    def _take(self, entry, owner, part, where, depth):
        """Read in a notebook, a time, or what lies in a student's own zip."""
        if self.part and part not in (None, self.part):
            self.result.others += 1
        elif _is_time(entry) and (depth or owner.packed or "/" in owner.file):
            self.result.tell(f"{where} lies in what the student has packed, so that its time was not believed.")
        elif _is_time(entry):
            self._take_time(entry, owner, part, where)
        elif _is_zip(entry):
            self._take_zip(entry, owner, part, where, depth)
        else:
            self._take_notebook(entry, owner, part or self.part, where, depth)

    def _refuse(self, owner, where, why):
        """Note what is not taken in of a student."""
        self.refused_of.add(owner.student)
        self.result.refuse(where, why)

    def _take_zip(self, entry, owner, part, where, depth):
        if depth >= self.allowance.depth:
            self._refuse(owner, where, "zips lie too deep in one another")
            return
        size, files = self._budget(owner.student)
        with contextlib.ExitStack() as stack:
            try:
                inner = self._unzipped(
                    stack, entry, self.allowance, size, self.allowance.submission_entries, counted=True
                )
                files.take(len(inner.entries))
            except Refused as problem:
                self._refuse(owner, where, problem)
                return
            for name, why in inner.refused:
                self._refuse(owner, f"{where}/{name}", why)
            self.others_of[owner.student] += ["/".join(path[-2:]) for path in inner.left]
            if not inner.entries and not inner.left:
                self.others_of[owner.student].append(f"{entry.name}, in which there is nothing")
            for one in inner.entries:
                if _is_wanted(one):
                    own = self.names.without_part(one.path)[1]
                    self._take(one, owner, part or own, f"{where}/{one.shown}", depth + 1)
                else:
                    self.result.others += 1
                    self.others_of[owner.student].append(one.name)

    def _take_notebook(self, entry, owner, part, where, depth):
        # In a student's own zip, the name is the student's alone; else what a platform added has been taken off.
        file = "/".join(entry.path) if depth else owner.file
        copied = self.staging / f"{next(self.numbers)}.ipynb"
        try:
            if DEVICES.fullmatch(file_name(file)):
                raise Refused("its name is the name of a device on Windows")
            with copied.open("wb") as target:
                copy(entry, target, self.allowance, self._budget(owner.student)[0])
        except Refused as problem:
            copied.unlink(missing_ok=True)
            self._refuse(owner, where, problem)
            return
        data = copied.read_bytes()
        own = self._part_of(data, file, where)
        if part and own and own != part and not _ids_in(data) & self.ids[part]:
            self.result.tell(f"{where} looks like a notebook of {own}; it was collected for {part}.")
        self.items.append(
            Item(
                owner.student,
                owner.identity,
                part or own,
                file_name(file),
                where,
                owner.when,
                bool(owner.when or owner.attempt),
                (owner.when or datetime.min, *owner.attempt),
                owner.series,
                depth * 100 + file.count("/"),
                copied,
                hashlib.sha256(data).digest(),
                owner.path,
                date_of(f"{owner.file}/{file}"),
                owner.flat,
            )
        )

    def _take_time(self, entry, owner, part, where):
        when = None
        with contextlib.suppress(*UNREADABLE), entry.open() as file:
            when = any_time(file.read(START).decode("utf-8", "replace"))
        if when is None:
            self.result.tell(f"{where}: no time that can be read, so it was left out.")
        else:
            self.times[owner.student, part] = when

    def _part_of(self, data, file, where):
        """The part that a notebook belongs to: by its cells, its name, the names around it; None if that is unclear."""
        ids = _ids_in(data)
        stem = stem_of(file, frozenset().union(*self.notebooks.values()))
        for likeness in (
            {part: len(ids & own) for part, own in self.ids.items()},
            {part: int(stem in names) for part, names in self.notebooks.items()},
            {part: int(part.casefold() in where.casefold()) for part in self.notebooks},
        ):
            best = max(likeness.values(), default=0)
            if best and list(likeness.values()).count(best) == 1:
                return max(likeness, key=likeness.get)
        return None


def _is_zip(entry):
    return entry.name.lower().endswith(".zip")


def _is_time(entry):
    return entry.name.lower() == "timestamp.txt"


def _is_wanted(entry):
    return bool(NOTEBOOK.search(entry.name)) or _is_zip(entry) or _is_time(entry)


def _logins(notes):
    """What Blackboard's own notes say about who is who: the login, by how the names of an attempt's files begin."""
    logins = {}
    for note in notes:
        with contextlib.suppress(*UNREADABLE), note.open() as file:
            login = LOGIN.match(file.read(START).decode("utf-8", "replace"))
            head = BLACKBOARD_NOTE.fullmatch(note.name)["head"]
            # The file's name, which no learner chooses, has to bear it out.
            if login and head.endswith(login["login"]):
                logins[head] = login["login"]
    return logins


def _ids_in(data):
    """The ids of cells that a notebook's text names; so a damaged one says what it is as well."""
    return {found.decode() for found in IDS.findall(data)}


def _grade_ids(course, part):
    """The ids of a part's graded cells."""
    cells = (cell for path in course.source(part).glob("*.ipynb") for cell in read_notebook(path).cells)
    return {name for cell in cells if (name := grade_id(cell))}
