"""Notebooks that have been read in -> the folders of submissions, file by file; what is replaced is put aside."""

import contextlib
import hashlib
import time
from collections import defaultdict

from grader.classroom.collect.lms_names import any_time, stem_of
from grader.classroom.collect.origins import keep_origin
from grader.classroom.collect.reading import START
from grader.files import open_regular, read_regular, write_whole
from grader.words import shown


class Placer:
    """Puts what was read in where it belongs.

    Parameters
    ----------
    read : Reader
        What has read it in.
    """

    def __init__(self, read):
        self.course, self.result = read.course, read.result
        self.items, self.times, self.notebooks, self.there = read.items, read.times, read.notebooks, read.there
        self.renamed = {}

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
                    self.result.refuse(item.where, f"there is a student {twin} already; rename {student}, or {twin}")
                continue
            if any(path.is_symlink() or (path.exists() and not path.is_dir()) for path in (folder.parent, folder)):
                for item in items:
                    self.result.refuse(item.where, f"{folder} is no folder, or a link; remove it first")
                continue
            self.there.add(student)
            if items[0].identity != student:
                self.renamed[items[0].identity] = student
            chosen = self._newest(items, part)
            self._place(part, student, folder, chosen, replace, aside / student / part)
            if chosen:
                keep_origin(self.course, part, student, chosen[0].identity, {one.file: one.origin for one in chosen})
        for identity, student in sorted(self.renamed.items()):
            self.result.tell(f"{shown(identity)} is the student {student}.")

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
                self.result.refuse(item.where, "it is a notebook of no part, or of several; name the part with --part")
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
            self.result.refuse(item.where, f"{others} would both be the student {items[0].student}; rename one of them")
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
                    self.result.refuse(
                        item.where, f"there are several different files for {item.student}'s {item.file}"
                    )
                continue
            if len(best) < len(several):
                left = ", ".join(item.where for item in several if item not in best)
                self.result.tell(f"{best[0].where}: {words} was taken; not {left}.")
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
                self.result.refuse(
                    item.where, f"{twins[0]} is another version, and was kept; --replace takes the new one"
                )
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
        with contextlib.suppress(OSError):
            there = any_time(read_regular(path)[:START].decode("utf-8", "replace"))
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
                self.result.tell(f"{path} had no time that can be read, so it was put aside.")
            self._put_aside(path, aside)
        if when is not None:
            write_whole(path, f"{when.replace(microsecond=0).isoformat(' ')} UTC\n")


def _digest(path):
    try:
        with open_regular(path) as file:
            return hashlib.file_digest(file, "sha256").digest()
    except OSError:
        return b""
