"""Whose file is it? What learning platforms make of the names of students and files."""

import logging
import re
import unicodedata
from collections import defaultdict
from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from datetime import UTC, datetime, tzinfo
from itertools import chain
from pathlib import PurePosixPath

from nbgrader.plugins import FileNameCollectorPlugin
from nbgrader.utils import parse_utc

from grader.classroom.collect.unpack import NOTEBOOK
from grader.classroom.repair.handed_in import DATE, without_date
from grader.errors import CourseError

ENDING = r"\.(?:ipynb|zip)$"
BLACKBOARD_TIME = "%Y-%m-%d-%H-%M-%S"
#: What older editions of Sakai write into timestamp.txt: in UTC, with thousandths of a second.
SAKAI_TIME = re.compile(r"20\d{15}")
#: What Brightspace writes behind a name, as its country writes a day and an hour: all that holds a year.
BRIGHTSPACE_TIME = r"(?:(?! - )[^/])*\b\d{4}\b(?:(?! - )[^/])*"
#: How a date begins of which nobody can say what is the day and what the month.
DAY_OR_MONTH = re.compile(r"\s*\d{1,2}\D\d{1,2}\D\d{4}\b")
#: Regular expressions for nbgrader's collector, for the path below the folders around everything.
MOODLE = rf"(?P<student_id>[^/]+?_\d+)_assignsubmission_(?:file|onlinetext)_?(?:[^/]*/)?(?P<file_id>.+){ENDING}"
BLACKBOARD = rf"(?P<student_id>[^/]+?)_attempt_(?P<timestamp>\d{{4}}(?:-\d\d){{5}})_(?P<file_id>.+){ENDING}"
BRIGHTSPACE = rf"(?P<student_id>\d+-\d+ - [^/]+?) - (?P<timestamp>{BRIGHTSPACE_TIME})(?: - |/)(?P<file_id>.+){ENDING}"
CANVAS = (
    rf"(?P<student_id>[^/]+?)(?:_(?P<late>(?i:late)))?_(?P<number>\d+)_(?P<attachment>\d+)_(?P<file_id>[^/]+){ENDING}"
)
#: Where marking is anonymous.
CANVAS_ANONYMOUS = (
    rf"(?P<late>LATE_)?(?P<student_id>anon)_(?P<number>[A-Za-z0-9]{{5}})_(?P<attachment>\d+)_(?P<file_id>[^/]+){ENDING}"
)
#: What a student typed in, in place of a file.
CANVAS_TEXT = re.compile(r"(?P<head>[^/]+_\d+|(?:LATE_)?anon_[A-Za-z0-9]{5})_text\.html", re.IGNORECASE)
#: A folder as nbgrader's exchange keeps what comes in.
EXCHANGE = rf"(?P<student_id>[^/+]+)\+[^/+]+\+(?P<timestamp>\d{{4}}-[^/+]+ UTC)(?:\+[^/]*)?/(?P<file_id>.+){ENDING}"
PLATFORMS = (EXCHANGE, MOODLE, BLACKBOARD, BRIGHTSPACE, CANVAS_ANONYMOUS, CANVAS)
#: What Blackboard writes beside the files of an attempt, and where it names the student.
BLACKBOARD_NOTE = re.compile(r"(?P<head>[^/]+?)_attempt_\d{4}(?:-\d\d){5}\.txt")
LOGIN = re.compile(r"\s*Name:[^\n]*\((?P<login>[^()\s]+)\)\s*(?:\n|$)")
#: Sakai's folder within a student's, for what was handed in.
ATTACHED = "submission attachment(s)"
#: Teams' folders for what was handed in, and for what was not or not yet; and the one in which it keeps an attempt.
HANDED_IN, DRAFTS = "submitted files", "working files"
VERSION = re.compile(r"Version (\d{1,4})", re.IGNORECASE)
COPY = re.compile(r"(?:[ _-]?\(\d{1,3}\)|-\d{1,3}|[ _-]+copy(?:[ _-]?\d{1,3})?)$", re.IGNORECASE)
#: The folder of a part as people call it.
OF_A_PART = re.compile(r"part[ _-]?(\d{1,3})", re.IGNORECASE)
COPY_OF = re.compile(r"^copy (?:\(?\d{1,3}\)? )?of ", re.IGNORECASE)
#: A group's name: what several have in common, and a number or a letter.
NUMBERED = re.compile(r"(?P<kind>.*[^\W\d_]{2}[ _-]*)(?:\d{1,3}|(?:\b|(?<=[a-z]))[A-Z]|\b[a-z])")

_log = logging.getLogger(__name__)
_log.addHandler(logging.NullHandler())
_log.propagate = False
_log.setLevel(logging.ERROR)  # that a pattern does not fit is no news here: the next one is asked


@dataclass(frozen=True)
class Owner:
    """Whose a file is, by its path.

    Attributes
    ----------
    student : str
        The student's id: safe as the name of a folder.
    identity : str
        The student as the source writes the name; two identities with one id are two students.
    file : str
        The path of the file below what names the student, without what a platform added.
    when : datetime or None
        When it was handed in, where the name says so.
    attempt : tuple of int
        Grows from attempt to attempt.
    series : str
        Where it holds folders of attempts, the path of the folder around them: those of another are other attempts.
    path : str
        As the platform named it, with all folders.
    late : bool
        True where the platform calls it late, and does not say when it came.
    flat : bool
        True where only the file's own name says whose it is, as somebody wrote it: it may be two people's.
    packed : bool
        True where all that lies in the folder is the student's, and nothing the platform's.
    """

    student: str
    identity: str
    file: str
    when: datetime | None = None
    attempt: tuple = ()
    series: str = ""
    path: str = ""
    late: bool = False
    flat: bool = False
    packed: bool = False


def one_name(identity):
    """A name as all its spellings in Unicode have it in common.

    Examples
    --------
    >>> one_name("Jo\u0308rg") == one_name("J\u00f6rg"), one_name("Jörg") == one_name("Jorg")
    (True, False)
    """
    return unicodedata.normalize("NFC", identity)


def safe_name(name, lower=False):
    """A name that is a folder's name on every system: letters, digits and any of ``.``, ``_``, ``@`` and ``-``.

    Parameters
    ----------
    name : str
    lower : bool
        Write it small: for names of people, which are written in many ways.

    Returns
    -------
    str
        "" if nothing is left of the name.

    Examples
    --------
    >>> safe_name("Ada Lovelace_123456", lower=True)
    'ada-lovelace-123456'
    >>> safe_name("José Núñez")
    'Jose-Nunez'
    >>> safe_name("../../etc")
    'etc'
    """
    plain = "".join(c for c in unicodedata.normalize("NFKD", name) if not unicodedata.combining(c))
    plain = unicodedata.normalize("NFC", plain)
    kept = "".join(c if c.isalnum() or c in "._@-" else "-" for c in plain)
    kept = re.sub(r"-{2,}", "-", kept.replace("_", "-").lower() if lower else kept)
    return _cut(kept.strip("-._")).rstrip("-._")


def file_name(name):
    """A notebook's own name as it is kept: without folders, invisible characters and what some system does not allow.

    Examples
    --------
    >>> file_name("work/3-softmax (1).IPYNB.txt")
    '3-softmax (1).ipynb'
    """
    stem = NOTEBOOK.sub("", PurePosixPath(name).name)
    kept = "".join(c if c.isalnum() or c in " ._@-()+," else "_" for c in unicodedata.normalize("NFC", stem))
    return f"{_cut(kept).strip(' .') or 'notebook'}.ipynb"


def _cut(name):
    """A name that leaves room in the 255 bytes that file systems allow."""
    return name.encode("utf-8", "ignore")[:128].decode("utf-8", "ignore")


def stem_of(name, known):
    """The notebook that a file's name stands for, "3-softmax" for "3-softmax (1).ipynb"; else the name in lower case.

    Parameters
    ----------
    name : str
    known : collection of str
        The names of the notebooks.
    """
    stem = NOTEBOOK.sub("", PurePosixPath(name).name)
    names = {one.casefold(): one for one in known}
    plain = without_date(stem)
    for candidate in (stem, COPY.sub("", stem), COPY_OF.sub("", stem), plain, COPY.sub("", plain)):
        if candidate.casefold() in names:
            return names[candidate.casefold()]
    return stem.casefold()


@dataclass
class Names:
    """Reads students' ids off paths.

    Parameters
    ----------
    config : traitlets.config.Config
        The course's; its own regular expression for nbgrader's collector, if there is one, is asked first.
    notebooks, parts, students : collection of str
        The names that are known: of the notebooks, of the parts, and of those who have handed in before.
    logins : mapping of str to str
        What Blackboard's notes say: how the names of files begin, and whose they are.
    zone : tzinfo, optional
        In which platforms write times; by default UTC.
    submissions : mapping of str to str
        What Gradescope says: whose its folders are.
    """

    config: object
    notebooks: frozenset
    parts: frozenset
    students: frozenset = frozenset()
    logins: Mapping = field(default_factory=dict)
    zone: tzinfo = UTC
    submissions: Mapping = field(default_factory=dict)

    def __post_init__(self):
        known = "|".join(re.escape(name) for name in sorted({*self.notebooks, *self.parts}, key=lambda n: (-len(n), n)))
        copied = r"(?:(?i:copy of)[ _-]+)*"
        # Who hands in by ILIAS has the time before the name of a file: that is nobody.
        student, number = r"(?!20\d{12}_)(?P<student_id>[^/]+?)", r"(?:[ _-]?\(?\d{1,3}\)?)?"
        flat = rf"{student}[ _-]+{copied}(?P<file_id>(?i:{known}){number}){ENDING}"
        self._flat = self._collector(flat) if known else None
        self._platforms = [(self._collector(pattern), pattern) for pattern in PLATFORMS]
        own = FileNameCollectorPlugin(config=self.config, log=_log)
        self._own = own if own.named_regexp else None
        try:
            re.compile(own.named_regexp)
        except re.error as problem:
            raise CourseError(
                f"FileNameCollectorPlugin.named_regexp in nbgrader_config.py is no regular expression: {problem}"
            ) from None

    @staticmethod
    def _collector(pattern):
        return FileNameCollectorPlugin(named_regexp=f"(?s){pattern}", valid_ext=[".ipynb", ".zip"], log=_log)

    def without_part(self, path):
        """A path without its first folder that is named as a part, or "Part 1", and that part or None."""
        for i, name in enumerate(path[:-1]):
            number = OF_A_PART.fullmatch(name)
            for part in self.parts:
                if name.casefold() == part.casefold() or (number and part.startswith(f"{int(number[1])}-")):
                    return (*path[:i], *path[i + 1 :]), part
        return path, None

    def around(self, paths):
        """How many folders lie around everybody's, and so name nobody: one around all, or those of groups.

        Parameters
        ----------
        paths : list of tuple of str
            The paths of all notebooks and zips, without the names of parts.
        """
        level = 0
        while paths:
            if level and paths[0][level - 1].casefold() in (HANDED_IN, DRAFTS):
                break  # Teams: the students are in there
            first = {path[level] if len(path) > level + 1 else None for path in paths}
            rest = [path[level + 1 :] for path in paths]
            if None in first or self.by_platform(paths[0][level:]):
                break
            # Somebody who has handed in before is a student, and no folder around students.
            if not self.students.isdisjoint(map(safe_name, first)):
                break
            if any(path[level + 1].casefold() == ATTACHED for path in paths):
                break
            # Attempts lie in a student's folder, or in that of the one assignment in it.
            within = [path[level + 1 : level + 3] for path in paths]
            depth = 2 if len({names[:1] for names in within}) == 1 else 1
            in_teams = paths[0][level].casefold() in (HANDED_IN, DRAFTS)
            if not in_teams and any(VERSION.fullmatch(name) for names in within for name in names[:depth]):
                break
            if any(len(path) == level + 3 and DATE.fullmatch(path[-2]) for path in paths):
                break
            alone = len(paths) == 1
            all_named = all(len(path) > 1 or self._names_somebody(path, alone) for path in rest)
            if not all_named and not self._are_several(rest):
                break
            if len(first) > 1 and not self._are_groups([path[level:] for path in paths]):
                break
            level += 1
        return level

    def _are_groups(self, paths):
        """Whether the first folders of paths are of groups, so that the students are within.

        It is a guess, and told: of a few students, all with folders of their own in which lie others, what one of them
        hands in may make it wrong.
        """
        if {path[0].casefold() for path in paths} <= {HANDED_IN, DRAFTS}:
            return True
        if all(self.by_platform(path[1:]) for path in paths):
            return True
        within = defaultdict(lambda: defaultdict(list))
        for path in paths:
            if len(path) < 3:
                return False
            within[path[0]][path[1]].append(_ending(path[-1]) == ".zip" or stem_of(path[-1], self.notebooks))
        members = [member for group in within.values() for member in group]
        if any(VERSION.fullmatch(name) or DATE.fullmatch(name) for name in members) or len({*members}) < len(members):
            return False
        # Somebody has a notebook once, several in a group have it several times.
        several = [
            len({*chain.from_iterable(group.values())}) < sum(len({*stems}) for stems in group.values())
            for group in within.values()
        ]
        kinds = {found["kind"] if (found := NUMBERED.fullmatch(name)) else name for name in within}
        return all(several) or (any(several) and len(kinds) == 1)

    def _are_several(self, paths):
        """Whether files side by side name several students: then one that names nobody is nobody's."""
        found = (self.by_platform(path) or self._ask(self._flat, path) for path in paths if len(path) == 1)
        named = [one.identity if isinstance(one, Owner) else one["student_id"] for one in found if one]
        return len({*named}) > 1 and 2 * len(named) > len(paths)

    def _names_somebody(self, path, alone):
        if self.by_own(path) or self.by_platform(path) or self._ask(self._flat, path):
            return True
        return path[-1].lower().endswith(".zip") and not alone

    @staticmethod
    def _ask(collector, path):
        """What a collector reads off a path, or None."""
        if collector is None:
            return None
        name = re.sub(r"\.zip$", ".zip", NOTEBOOK.sub(".ipynb", COPY_OF.sub("", path[-1])), flags=re.IGNORECASE)
        found = collector.collect("/".join([*path[:-1], name]))
        return found if found and found.get("student_id") else None

    def by_own(self, path):
        """Whose a file is by the course's own regular expression, or None."""
        found = self._ask(self._own, path) or self._ask(self._own, path[-1:])
        if not found:
            return None
        student = found["student_id"]
        return Owner(
            safe_name(student),
            student,
            (found.get("file_id") or path[-1]).removesuffix(".ipynb") + ".ipynb",
            any_time(found.get("timestamp")),
        )

    def by_platform(self, path):
        """Whose a file is by the way in which a learning platform names files, or None."""
        if len(path) > 1 and path[0] in self.submissions:
            student = self.submissions[path[0]]
            return Owner(safe_name(student, lower=True), student, "/".join(path[1:]), packed=True)
        for collector, pattern in self._platforms:
            found = self._ask(collector, path)
            if not found:
                continue
            ending = _ending(path[-1])
            student, file = found["student_id"], found["file_id"] + ending
            if pattern is EXCHANGE:
                return Owner(safe_name(student), student, file, any_time(found["timestamp"]))
            if pattern is MOODLE:
                return Owner(safe_name(student, lower=True), student, file)
            if pattern is BLACKBOARD:
                login = self.logins.get(student) or student.rpartition("_")[2]
                # The whole beginning: two whose logins end alike are not one.
                return Owner(safe_name(login), student, file, self._time(found["timestamp"]))
            if pattern is BRIGHTSPACE:
                return Owner(safe_name(student, lower=True), student, file, self._time(found["timestamp"]))
            number, attempt = found["number"], (int(found["attachment"]),)
            stem = found["file_id"]
            again = re.fullmatch(r"(.+)-(\d{1,3})", stem)
            if again and again[1] in self.notebooks and stem not in self.notebooks:
                file, attempt = again[1] + ending, (int(again[2]), *attempt)
            else:
                attempt = (0, *attempt)
            safe, late = f"{safe_name(student)}-{number}".strip("-"), bool(found.get("late"))
            return Owner(safe, f"{student}_{number}", file, attempt=attempt, late=late)
        return None

    def _time(self, text):
        if DAY_OR_MONTH.match(text):
            return None
        try:
            time = datetime.strptime(text, BLACKBOARD_TIME)
        except ValueError:
            # Brightspace writes 10:11 as 1011.
            time = any_time(re.sub(r"(?<=\d{4} )(\d{1,2}):?(\d\d)\b", r"\1:\2", text))
        return time and time.replace(tzinfo=self.zone).astimezone(UTC).replace(tzinfo=None)

    def owner(self, path, whole):
        """Whose a notebook or zip is, or None if its path names nobody.

        Parameters
        ----------
        path : tuple of str
            Its path without the folders around everything and the name of its part.
        whole : tuple of str
            Its path with these.
        """
        found = self._owner(path, whole)
        return found and replace(found, path="/".join(whole))

    def _owner(self, path, whole):
        found = self.by_own(whole) or self.by_platform(path)
        if found:
            return found
        if len(path) > 1:
            student, file = safe_name(path[0]), "/".join(path[1:])
            for place, name in enumerate(path[1:-1], 1):
                if version := VERSION.fullmatch(name):
                    series = "/".join(path[:place])
                    return Owner(student, path[0], file, attempt=(int(version[1]),), series=series)
            return Owner(student, path[0], file)
        flat = self._ask(self._flat, path)
        if flat:
            name, file = flat["student_id"], flat["file_id"] + _ending(path[-1])
            return Owner(safe_name(name), name, file, flat=True)
        if path[-1].lower().endswith(".zip"):
            name = path[-1][: -len(".zip")]
            return Owner(safe_name(name), name, path[-1])
        return None


def _ending(name):
    return ".ipynb" if NOTEBOOK.search(name) else ".zip"


def any_time(text):
    """A time as nbgrader reads it, in UTC; None for what it cannot read, or no submission can have.

    Examples
    --------
    >>> any_time("2026-11-20 10:11:12 UTC")
    datetime.datetime(2026, 11, 20, 10, 11, 12)
    >>> any_time("20261120101112000")
    datetime.datetime(2026, 11, 20, 10, 11, 12)
    >>> any_time("yesterday, honestly")
    """
    try:
        if text and SAKAI_TIME.fullmatch(str(text).strip()):
            text = str(datetime.strptime(str(text).strip()[:14], "%Y%m%d%H%M%S"))
        time = parse_utc(str(text).strip()) if text else None
    # Whatever its reader of dates stumbles over.
    except Exception:
        return None
    return time if time and 2000 <= time.year < 2100 else None
