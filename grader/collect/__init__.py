"""What learning platforms give -> grading/submitted/<student>/<part>/: the way in.

A folder or a zip is read (`unpack`), each notebook's student is read off its path (`lms_names`), its part off its
path or its cells. Everything is first copied beside the submissions, and then moved into place, file by file.
"""

import contextlib
import errno
import hashlib
import itertools
import re
import shutil
import tempfile
import time
from collections import defaultdict
from dataclasses import dataclass, field, replace
from datetime import datetime
from pathlib import Path

from tqdm import tqdm

from grader.collect.lms_names import BLACKBOARD_NOTE, LOGIN, NOTEBOOK, Names, any_time, file_name, stem_of
from grader.collect.unpack import DAMAGE, DEVICES, Budget, Limits, Refused, copy, megabytes, opened, shown, unzipped
from grader.notebook_format import NotebookError, read_notebook

IDS = re.compile(rb'"(?:grade_id|id)"\s*:\s*"([A-Za-z0-9_.-]{1,100})"')
START = 4096  # bytes: so much is read of a note or a time
UNREADABLE = (Refused, OSError, *DAMAGE)
MANY = 20  # files, from which on a bar shows how far it is
STAGING = ".collecting-"


@dataclass
class Collected:
    """What came of collecting.

    Attributes
    ----------
    new, replaced, unchanged : list of (str, str, str)
        Notebooks by part, student and file: those that were not there, those that took the place of another, and those
        that were there already, the same.
    told : list of str
        What was decided and may surprise.
    refused : list of (str, str)
        What was not taken in, and why.
    others : int
        Files that are no notebooks, and were left out.
    aside : Path or None
        Where what was replaced is kept.
    """

    new: list = field(default_factory=list)
    replaced: list = field(default_factory=list)
    unchanged: list = field(default_factory=list)
    told: list = field(default_factory=list)
    refused: list = field(default_factory=list)
    others: int = 0
    aside: Path | None = None

    @property
    def status(self):
        """The exit status of a command: 1 if something was not taken in."""
        return 1 if self.refused else 0

    @property
    def summary(self):
        """What was collected, in words."""
        everything = [*self.new, *self.replaced, *self.unchanged]
        lines = []
        for part in sorted({one[0] for one in everything}):
            students = {student for where, student, _ in everything if where == part}
            counts = [
                f"{number} {words}"
                for kind, words in ((self.new, "new"), (self.replaced, "replaced"), (self.unchanged, "there already"))
                if (number := sum(one[0] == part for one in kind))
            ]
            lines.append(f"{part}: {_number(len(students), 'student')}; notebooks: {', '.join(counts)}")
        if not lines:
            lines.append("No notebooks were collected.")
        if self.others:
            lines.append(f"Left out: {_number(self.others, 'file')} that no submission needs.")
        if self.aside:
            lines.append(f"What was replaced is kept: {self.aside}")
        return "\n".join([*lines, *self.told])

    @property
    def problems(self):
        """What was not taken in, and why, in words; "" if everything was."""
        if not self.refused:
            return ""
        lines = [f"  {what}: {why}" for what, why in self.refused]
        return "\n".join([f"Not taken in ({len(lines)}):", *lines])


def _number(number, what):
    return f"{number} {what}{'' if number == 1 else 's'}"


def collect(course, source, part=None, replace=False, limits=None):
    """Bring submissions in from a folder or a zip, as a learning platform gives it.

    Nothing is followed, unpacked or overwritten on trust: a file that is not in order costs itself only, and is told.
    Collecting the same once more changes nothing.

    Parameters
    ----------
    course : Course
    source : Path
        A folder or a zip.
    part : str, optional
        The part that was handed in; by default each notebook's own, by its folder, its cells or its name.
    replace : bool
        Let a notebook that differs from the one that is there take its place; the old one is put aside.
    limits : Limits, optional

    Returns
    -------
    Collected

    Raises
    ------
    NotebookError
        If there is no such part, if the source cannot be read at all, or if nothing can be written.
    """
    if part is not None and part not in course.parts:
        raise NotebookError(f"there is no part {part!r}; there are: {', '.join(course.parts) or 'none'}")
    source, top = Path(source), course.submitted("PART", "STUDENT").parents[1]
    _must_lie_apart(source, top)
    job = _Job(course, top, part, limits or Limits())
    try:
        top.mkdir(parents=True, exist_ok=True)
        _sweep(top)
        with tempfile.TemporaryDirectory(dir=top, prefix=STAGING) as staging:
            job.staging = Path(staging)
            with opened(source, job.limits) as found:
                job.read(found)
            job.place(replace)
    except OSError as problem:
        where = getattr(problem, "filename", None) or top
        if problem.errno in (errno.ENOSPC, errno.EDQUOT):
            raise NotebookError(
                f"the disk is full at {where}; what was there is as it was. Make room, and collect once more"
            ) from None
        raise NotebookError(f"{where} cannot be written: {problem.strerror or problem}") from None
    return job.result


def _must_lie_apart(source, top):
    with contextlib.suppress(OSError):
        here, there = source.resolve(), top.resolve()
        if here == there or there in here.parents or here in there.parents:
            raise NotebookError(
                f"{source} and the folder of submissions {top} lie one in the other; "
                "put what your learning platform gave into a folder of its own"
            )


def _sweep(top):
    """Remove what a run that was killed left; a day old, so that no run that is under way loses its files."""
    for path in top.glob(f"{STAGING}*"):
        with contextlib.suppress(OSError):
            if time.time() - path.stat().st_mtime > 24 * 3600:
                shutil.rmtree(path)


@dataclass
class _Item:
    """A notebook that has been read in."""

    student: str
    identity: str
    part: str | None
    file: str
    where: str
    when: datetime | None
    stamped: bool
    attempt: tuple
    depth: int
    copy: Path
    digest: bytes


class _Job:
    """One run: reads everything in, then puts it into place."""

    def __init__(self, course, top, part, limits):
        self.course, self.top, self.part, self.limits = course, top, part, limits
        self.result = Collected()
        self.items, self.times, self.staging = [], {}, None
        self.total = Budget(limits.total, f"all files together are larger than {megabytes(limits.total)}")
        self.budgets, self.numbers = {}, itertools.count()
        self.notebooks = {
            name: frozenset(path.stem for path in course.source(name).glob("*.ipynb")) for name in course.parts
        }
        self.ids = {name: _grade_ids(course, name) for name in course.parts}
        self.names = self._names()
        self.there = {path.name for path in top.iterdir()} if top.is_dir() else set()
        self.renamed = {}

    # ---- reading

    def refuse(self, where, why):
        self.result.refused.append((where, str(why)))

    def tell(self, words):
        self.result.told.append(words)

    def read(self, source, outer=""):
        """Read in all notebooks of a folder or a zip; `outer` is where that lies, for messages."""
        for name, why in source.refused:
            self.refuse(outer + name, why)
        wanted = [entry for entry in source.entries if _is_wanted(entry)]
        notes = [entry for entry in source.entries if BLACKBOARD_NOTE.fullmatch(entry.name)]
        self.result.others += len(source.entries) - len(wanted)
        work = [entry for entry in wanted if not _is_time(entry)]
        if len(work) == 1 and _is_zip(work[0]) and self._read_zip_around(work[0], outer):
            return
        names = self._names(frozenset(self.there), _logins(notes))
        around = names.around([names.without_part(entry.path)[0] for entry in work])
        if around:
            folders = "/".join(names.without_part(work[0].path)[0][:around])
            self.tell(f"The folder around everything, {shown(folders)}, was taken for nobody's name.")
        for entry in tqdm(wanted, unit="file", disable=None if len(wanted) > MANY else True, leave=False):
            path, part = names.without_part(entry.path)
            owner = names.owner(path[around:], entry.path)
            where = outer + entry.shown
            if owner is None and _is_time(entry):
                self.result.others += 1
            elif owner is None:
                self.refuse(where, "no student's name is in its path; put it into a folder named by the student")
            elif not owner.student or DEVICES.fullmatch(owner.student):
                self.refuse(where, f"{shown(owner.identity)!r} cannot be the name of a folder; rename it")
            else:
                self._take(entry, owner, part, where, 0)

    def _names(self, students=frozenset(), logins=None):
        known = frozenset().union(*self.notebooks.values())
        return Names(self.course.config, known, frozenset(self.notebooks), students, logins or {})

    def _read_zip_around(self, entry, outer):
        """Read in a zip that is all there is, if it holds a class, and not one student's work; say whether it did."""
        # What the instructor packed once more may be as large as the whole.
        limits = replace(self.limits, file=self.limits.total)
        with contextlib.ExitStack() as stack:
            try:
                inner = self._unzipped(stack, entry, limits, Budget(limits.total, ""), limits.entries)
            except Refused:
                return False
            names = self.names
            paths = [names.without_part(one.path)[0] for one in inner.entries if _is_wanted(one) and not _is_time(one)]
            around = names.around(paths)
            owners = {owner.identity for path in paths if (owner := names.owner(path[around:], path))}
            if len(owners) < 2 and not any(names.by_platform(path[around:]) for path in paths):
                return False
            self.tell(f"{outer}{entry.shown} is all there is, and was taken for the zip of the class.")
            self.read(inner, f"{outer}{entry.shown}/")
            return True

    def _unzipped(self, stack, entry, limits, budget, most, counted=False):
        """What lies in a zip of the source; `stack` closes it. Raises `Refused`."""
        copied = self.staging / f"{next(self.numbers)}.zip"
        stack.callback(copied.unlink)
        with copied.open("wb") as target:
            copy(entry, target, limits, budget)
        inner = unzipped(stack.enter_context(copied.open("rb")), most, counted)
        stack.enter_context(inner.archive)
        return inner

    def _budget(self, student):
        """The bytes and the files that a student may still hand in."""
        if student not in self.budgets:
            size, files = self.limits.submission, self.limits.submission_entries
            self.budgets[student] = (
                Budget(size, f"there are more than {megabytes(size)} of one student", self.total),
                Budget(files, f"there are more than {files:,} files in the zips of one student"),
            )
        return self.budgets[student]

    def _take(self, entry, owner, part, where, depth):
        """Read in a notebook, a time, or what lies in a student's own zip."""
        if self.part and part not in (None, self.part):
            self.result.others += 1
        elif _is_time(entry):
            self._take_time(entry, owner, part, where)
        elif _is_zip(entry):
            self._take_zip(entry, owner, part, where, depth)
        else:
            self._take_notebook(entry, owner, part or self.part, where, depth)

    def _take_zip(self, entry, owner, part, where, depth):
        if depth >= self.limits.depth:
            self.refuse(where, "zips lie too deep in one another")
            return
        size, files = self._budget(owner.student)
        with contextlib.ExitStack() as stack:
            try:
                inner = self._unzipped(stack, entry, self.limits, size, self.limits.submission_entries, counted=True)
                files.take(len(inner.entries))
            except Refused as problem:
                self.refuse(where, problem)
                return
            for name, why in inner.refused:
                self.refuse(f"{where}/{name}", why)
            for one in inner.entries:
                if _is_wanted(one):
                    own = self.names.without_part(one.path)[1]
                    self._take(one, owner, part or own, f"{where}/{one.shown}", depth + 1)
                else:
                    self.result.others += 1

    def _take_notebook(self, entry, owner, part, where, depth):
        # In a student's own zip, the name is the student's alone; else what a platform added has been taken off.
        file = "/".join(entry.path) if depth else owner.file
        copied = self.staging / f"{next(self.numbers)}.ipynb"
        try:
            if DEVICES.fullmatch(file_name(file)):
                raise Refused("its name is the name of a device on Windows")
            with copied.open("wb") as target:
                copy(entry, target, self.limits, self._budget(owner.student)[0])
        except Refused as problem:
            copied.unlink(missing_ok=True)
            self.refuse(where, problem)
            return
        data = copied.read_bytes()
        own = self._part_of(data, file, where)
        if part and own and own != part and not _ids_in(data) & self.ids[part]:
            self.tell(f"{where} looks like a notebook of {own}; it was collected for {part}.")
        self.items.append(
            _Item(
                owner.student,
                owner.identity,
                part or own,
                file_name(file),
                where,
                owner.when or entry.modified,
                bool(owner.when or owner.attempt),
                (owner.when or datetime.min, *owner.attempt),
                depth * 100 + file.count("/"),
                copied,
                hashlib.sha256(data).digest(),
            )
        )

    def _take_time(self, entry, owner, part, where):
        when = None
        with contextlib.suppress(*UNREADABLE), entry.open() as file:
            when = any_time(file.read(START).decode("utf-8", "replace"))
        if when is None:
            self.tell(f"{where}: no time that can be read, so it was left out.")
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

    # ---- deciding

    def place(self, replace):
        """Put what was read in where it belongs."""
        self._find_parts()
        groups = defaultdict(list)
        for item in self.items:
            groups[item.part, item.student].append(item)
        aside = self._aside()
        for (part, student), items in sorted(groups.items()):
            items = self._of_one_student(items)
            if not items:
                continue
            folder = self.course.submitted(part, student)
            twin = next(
                (name for name in self.there if name != student and name.casefold() == student.casefold()), None
            )
            if twin:
                for item in items:
                    self.refuse(item.where, f"there is a student {twin} already; rename {student}, or {twin}")
                continue
            if any(path.is_symlink() or (path.exists() and not path.is_dir()) for path in (folder.parent, folder)):
                for item in items:
                    self.refuse(item.where, f"{folder} is no folder, or a link; remove it first")
                continue
            self.there.add(student)
            if items[0].identity != student:
                self.renamed[items[0].identity] = student
            chosen = self._newest(items, part)
            self._place(part, student, folder, chosen, replace, aside / student / part)
        for identity, student in sorted(self.renamed.items()):
            self.tell(f"{shown(identity)} is the student {student}.")

    def _find_parts(self):
        """Give a notebook that does not say its part the one of the student's others; or refuse it."""
        known = defaultdict(set)
        for item in self.items:
            if item.part:
                known[item.student].add(item.part)
        kept = []
        for item in self.items:
            if item.part is None and len(known[item.student]) == 1:
                (item.part,) = known[item.student]
            if item.part is None:
                self.refuse(item.where, "it is a notebook of no part, or of several; name the part with --part")
            else:
                kept.append(item)
        self.items = kept

    def _of_one_student(self, items):
        """The items, unless they are several students' whose names make one id."""
        identities = sorted({item.identity for item in items})
        if len(identities) == 1:
            return items
        others = " and ".join(map(shown, identities))
        for item in items:
            self.refuse(item.where, f"{others} would both be the student {items[0].student}; rename one of them")
        return []

    def _newest(self, items, part):
        """Of several files for one notebook, the one of the newest attempt, or the one that lies least deep."""
        groups = defaultdict(list)
        for item in items:
            groups[stem_of(item.file, self.notebooks[part]) if item.stamped else item.file.casefold()].append(item)
        chosen = []
        for several in groups.values():
            several = list({item.digest + item.file.encode(): item for item in reversed(several)}.values())
            if several[0].stamped:
                newest = max(item.attempt for item in several)
                best = [item for item in several if item.attempt == newest]
                words = "the newest attempt"
            else:
                least = min(item.depth for item in several)
                best = [item for item in several if item.depth == least]
                words = "the one that lies least deep"
            if len({item.file.casefold() for item in best}) < len(best):
                for item in several:
                    self.refuse(item.where, f"there are several different files for {item.student}'s {item.file}")
                continue
            if len(best) < len(several):
                left = ", ".join(item.where for item in several if item not in best)
                self.tell(f"{best[0].where}: {words} was taken; not {left}.")
            chosen += best
        return sorted(chosen, key=lambda item: item.file)

    # ---- writing

    def _aside(self):
        """A folder of this run's own for what is replaced; made when something is."""
        stamp = time.strftime("%Y-%m-%dT%H-%M-%S")
        folder = self.course.grading / "replaced" / stamp
        for number in range(2, 1000):
            if not folder.exists():
                break
            folder = folder.with_name(f"{stamp}-{number}")
        return folder

    def _place(self, part, student, folder, items, replace, aside):
        written = []
        for item in items:
            target, about = folder / item.file, (part, student, item.file)
            twins = self._others_of(folder, item, items)
            if any(_digest(path) == item.digest for path in twins):
                self.result.unchanged.append(about)
                continue
            if twins and not replace:
                self.refuse(item.where, f"{twins[0]} is another version, and was kept; --replace takes the new one")
                continue
            for path in twins:
                self._put_aside(path, aside)
            folder.mkdir(parents=True, exist_ok=True)
            item.copy.replace(target)
            written.append(item)
            (self.result.replaced if twins else self.result.new).append(about)
        if items:
            self._write_time(part, student, folder, items, bool(written), aside)

    def _others_of(self, folder, item, items):
        """Files that are there for the same notebook: of the same name, or of one that a copy of it would have."""
        if not folder.is_dir():
            return []
        known = self.notebooks[item.part]
        stem = stem_of(item.file, known)
        found = [path for path in sorted(folder.iterdir()) if path.name.lower().endswith(".ipynb")]
        same = [path for path in found if path.name.casefold() == item.file.casefold()]
        # Where a student hands in two, both are kept; which one counts is decided when they are graded.
        coming = {one.file.casefold() for one in items}
        copies = [
            path
            for path in found
            if stem in known and stem_of(path.name, known) == stem and path.name.casefold() not in coming
        ]
        return same + copies

    def _put_aside(self, path, aside):
        aside.mkdir(parents=True, exist_ok=True)
        path.replace(aside / path.name)
        self.result.aside = aside.parents[1]

    def _write_time(self, part, student, folder, items, changed, aside):
        """Write nbgrader's timestamp.txt: when the submission was handed in, as far as the source says so."""
        if not folder.is_dir():
            return
        path = folder / "timestamp.txt"
        there = None
        if path.is_file() and not path.is_symlink():
            there = any_time(path.read_text(encoding="utf-8", errors="replace")[:START])
            if there and not changed:
                return
        stamps = [item.when for item in items if item.stamped and item.when]
        own = self.times.get((student, part)) or self.times.get((student, None))
        when = max(stamps) if stamps else own or max((item.when for item in items if item.when), default=None)
        if there:
            when = max(there, when or there)
        if when == there and there:
            return
        if path.exists() or path.is_symlink():
            if there is None:
                self.tell(f"{path} had no time that can be read, so it was put aside.")
            self._put_aside(path, aside)
        if when is None:
            return
        fresh = self.staging / "timestamp.txt"
        fresh.write_text(f"{when.replace(microsecond=0).isoformat(' ')} UTC\n", encoding="utf-8")
        fresh.replace(path)


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
    ids = set()
    for path in course.source(part).glob("*.ipynb"):
        for cell in read_notebook(path).cells:
            name = cell.metadata.get("nbgrader", {}).get("grade_id")
            if name:
                ids.add(name)
    return ids


def _digest(path):
    if path.is_symlink() or not path.is_file():
        return b""
    with path.open("rb") as file:
        return hashlib.file_digest(file, "sha256").digest()
