"""Notebooks that have been read in -> the folders of submissions, each whole; what is replaced is put aside."""

import contextlib
import itertools
import json
import os
import shutil
import time
from collections import defaultdict

from grader.classroom.collect.earlier import Earlier, attempts_before, digest_of, notebooks_in, stamp
from grader.classroom.collect.lms_names import any_time, one_name, stem_of
from grader.classroom.collect.origins import keep_origin, read_origin
from grader.classroom.collect.reading import START
from grader.classroom.repair.handed_in import choices, find_files
from grader.files import put_folder, read_regular
from grader.words import first_of, plural, shown, some

#: Of times without a zone, where nobody has said which zone it is.
IN_UTC = (
    "The times in the names of these files were read as UTC, because grading/course.toml names no time zone. If it is "
    'another one, write timezone = "Europe/Berlin", say, at its top, and collect the same once more.'
)

#: Of files that bear a name, and are numbered.
OF_TWO = "Numbered files of one name were taken for one person's, and may be two people's:"
TWO_FOLDERS = (
    "If they are, put the files of each into a folder with another name, remove the one in grading/submitted, and "
    "collect once more."
)


class Placer:
    """Puts what was read in where it belongs.

    Parameters
    ----------
    read : Reader
        What has read it in.
    """

    def __init__(self, read):
        self.course, self.result, self.staging = read.course, read.result, read.staging
        self.items, self.times, self.notebooks, self.there = read.items, read.times, read.notebooks, read.there
        self.renamed, self.dates, self.released = {}, read.dates, {}
        self.earlier = Earlier(read.course, read.staging)
        self.choices, self.namesakes = [], set()

    def place(self, replace):
        """Put what was read in where it belongs."""
        self._find_parts()
        groups = defaultdict(list)
        for item in self.items:
            groups[item.part, item.student].append(item)
        self._leave_out_untouched(groups)
        aside = self._aside()
        for (part, student), items in sorted(groups.items()):
            if not items:
                continue
            try:
                self._place_one(part, student, items, replace, aside / student / part)
            except (PermissionError, RecursionError, shutil.Error) as problem:
                why = getattr(problem, "strerror", None) or "what is there already cannot be copied"
                where = getattr(problem, "filename", None) or student
                for item in items:
                    self.result.refuse(item.where, f"{where}: {why}; mend that, then collect once more")
        for line in first_of(self.choices):
            self.result.tell(line)
        if self.namesakes:
            self.result.tell(f"{OF_TWO} {some(self.namesakes)}. {TWO_FOLDERS}")
        if self.dates.zone is None and any(item.when and "UTC" not in item.origin for item in self.items):
            self.result.tell(IN_UTC)
        for identity, student in sorted(self.renamed.items()):
            self.result.tell(f"{shown(identity)} is the student {student}.")
        if self.earlier.kept:
            kept = plural(self.earlier.kept, "earlier attempt")
            self.result.tell(f"{kept} kept: {self.course.attempts('PART', 'STUDENT').parents[1]}")

    def _place_one(self, part, student, items, replace, aside):
        items = self._of_one_student(items)
        if not items:
            return
        folder, why = self.course.submitted(part, student), ""
        twin = next((name for name in self.there if name != student and name.casefold() == student.casefold()), None)
        if twin:
            why = f"there is a student {twin} already; rename {student}, or {twin}"
        elif any(path.is_symlink() or (path.exists() and not path.is_dir()) for path in (folder.parent, folder)):
            why = f"{folder} is no folder, or a link; remove it first"
        if why:
            for item in items:
                self.result.refuse(item.where, why)
            return
        self.there.add(student)
        if items[0].identity != student:
            self.renamed[items[0].identity] = student
        self._order_by_date(items, part)
        chosen = self._newest(items, part)
        if any(item.stamped for item in items) and chosen:
            for state in attempts_before(items, self.notebooks[part]):
                when = max((item.when for item in state if item.when), default=None)
                self.earlier.keep(part, student, {item.file: item.copy for item in state}, when)
        self._place(part, student, folder, chosen, replace, aside)
        if chosen:
            here = {digest_of(path) for path in notebooks_in(folder)}
            # What was refused, or is an earlier attempt, has other names than what is there.
            if files := {one.file: one.origin for one in chosen if one.digest in here}:
                keep_origin(self.course, part, student, chosen[0].identity, files)
            self._tell_which_counts(part, student, folder, chosen)

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

    def _leave_out_untouched(self, groups):
        """Leave out what is as it was handed out, of students who hand in the folder of the whole course: copies of
        notebooks that they have worked in, and parts that they have not begun. Of several attempts each is looked at
        by itself: the newest counts, whatever is in it."""
        at_once = defaultdict(lambda: defaultdict(list))
        for (part, student), items in groups.items():
            for item in items:
                at_once[student, item.series, item.attempt][part].append(item)
        left = defaultdict(int)
        for (student, *_), of_part in at_once.items():
            for part, items in self._untouched_beside_worked(of_part):
                if not items:
                    continue
                groups[part, student] = [item for item in groups[part, student] if item not in items]
                left[student] += len(items)
        if left:
            number = sum(left.values())
            self.result.others += number
            words = "left out: as handed out, beside others that were worked in"
            self.result.tell(f"{plural(number, 'notebook')} {words} (of {some(left)}).")

    def _untouched_beside_worked(self, of_part):
        """By part, what is as it was handed out of the notebooks that came at once, if others were worked in."""
        worked = {}
        for part, items in of_part.items():
            files = [item.file.casefold() for item in items]
            several = len({*files}) < len(files) or len(of_part) > 1
            worked[part] = [item for item in items if not (several and self._is_untouched(item))]
        if not any(worked.values()):
            return
        for part, items in of_part.items():
            kept, files = worked[part], {item.file.casefold() for item in worked[part]}
            yield part, [item for item in items if item not in kept and (not kept or item.file.casefold() in files)]

    def _is_untouched(self, item):
        """Whether a notebook's cells are those of the release."""
        released = self._released(item.part).get(stem_of(item.file, self.notebooks[item.part]))
        try:
            there = json.loads(item.copy.read_bytes())["cells"]
            return released is not None and [cell.source for cell in released.cells] == [
                "".join(cell["source"]) for cell in there
            ]
        except (OSError, ValueError, KeyError, TypeError, RecursionError):
            return False

    def _released(self, part):
        """A part's notebooks as they are handed out."""
        if part not in self.released:
            self.released[part] = self.course.released(part)
        return self.released[part]

    def _of_one_student(self, items):
        """The items, unless they are several students' whose names make one id."""
        identities = {one_name(item.identity): item.identity for item in items}
        student = items[0].student
        before = (read_origin(self.course, part, student).identity for part in self.course.parts)
        # A folder that an instructor has given the student's own id is the student's, whoever that was.
        identities |= {one_name(name): name for name in before if name and student not in (name, items[0].identity)}
        if len(identities) == 1:
            return items
        others = " and ".join(map(shown, sorted(identities.values())))
        for item in items:
            self.result.refuse(item.where, f"{others} would both be the student {items[0].student}; rename one of them")
        return []

    def _order_by_date(self, items, part):
        """Let dates in names say what is newer, where all of a student's files for a notebook have one.

        A student may have written them, so they say nothing of when something was handed in.
        """
        groups = self._by_notebook(items, part)
        dated = [several for several in groups if all(item.date and not item.stamped for item in several)]
        if any(len({item.date for item in several}) > 1 for several in dated):
            for item in itertools.chain(*dated):
                item.stamped, item.attempt = True, (*item.attempt[:1], item.date)

    def _by_notebook(self, items, part):
        """Files for the same notebook, whatever they are called."""
        groups = defaultdict(list)
        for item in items:
            groups[stem_of(item.file, self.notebooks[part])].append(item)
        return [*groups.values()]

    def _newest(self, items, part):
        """Of several files for one notebook, the one of the newest attempt, or the one that lies least deep."""
        groups = []
        for several in self._by_notebook(items, part):
            if _are_in_order(several):
                groups.append(several)
            else:
                by_file = defaultdict(list)
                for item in several:
                    by_file[item.file.casefold()].append(item)
                groups += by_file.values()
        chosen = []
        for several in groups:
            stamped = _are_in_order(several)
            several = list({item.digest + item.file.encode(): item for item in reversed(several)}.values())
            if stamped:
                # What lies in no folder of an attempt is older than all that does.
                several.sort(key=lambda item: (bool(item.series), item.attempt), reverse=True)
                newest = {
                    item.series: item.attempt for item in reversed(several) if item.series or not several[0].series
                }
                best = [item for item in several if item.attempt == newest.get(item.series)]
                words = "the newest attempt"
            else:
                least = min(item.depth for item in several)
                best = [item for item in several if item.depth == least]
                words = "the one that lies least deep"
            if len({item.file.casefold() for item in best}) < len(best):
                for item in several:
                    self.result.refuse(
                        item.where,
                        f"there are several different files for {item.student}'s {item.file}; leave one "
                        f"(if {shown(item.identity)} is a folder of several students, collect that folder by itself)",
                    )
                continue
            if len(best) < len(several):
                left = ", ".join(item.where for item in several if item not in best)
                self.choices.append(f"{best[0].where}: {words} was taken; not {left}.")
            chosen += best
        return sorted(chosen, key=lambda item: item.file)

    def _tell_which_counts(self, part, student, folder, chosen):
        """Tell which of several files counts that are all kept: copies, as browsers and Drive number them."""
        known = self.notebooks[part]
        stems = [stem_of(path.name, known) for path in notebooks_in(folder)]
        if len(stems) == len({*stems} & known):
            return
        notes = choices(find_files(folder, self._released(part)).notes)
        self.choices += [f"{student}: {note}" for note in notes]
        if notes and any(len(some) > 1 and some[0].flat for some in self._by_notebook(chosen, part)):
            self.namesakes.add(chosen[0].identity)

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
        """Put a student's notebooks where they belong: made beside the folder, which they replace all at once."""
        handed_in, there = max((item.when for item in items if item.when), default=None), self._time_there(folder)
        if self._read_otherwise(part, student, items, there):
            there = handed_in
        # Where the course says which attempt counts, another version is another attempt.
        attempts = not replace and self.dates.rule(part).attempts is not None
        if attempts and there and handed_in and handed_in < there:
            if not self.earlier.keep(part, student, {item.file: item.copy for item in items}, handed_in):
                self.result.unchanged += [(part, student, item.file) for item in items]
            return
        if (replace or attempts) and any(self._replaces(folder, item, items) for item in items):
            self.earlier.keep(part, student, {path.name: path for path in notebooks_in(folder)}, there)
        coming, leaving, replaced = [], {}, []
        for item in items:
            twins = self._others_of(folder, item, items)
            same = [path for path in twins if digest_of(path) == item.digest]
            others = [path for path in twins if path not in same]
            if same:
                self.result.unchanged.append((part, student, item.file))
            elif others and not (replace or attempts):
                self.result.refuse(
                    item.where, f"{others[0]} is another version, and was kept; --replace takes the new one"
                )
            else:
                coming.append(item)
                leaving |= dict.fromkeys(others)
                replaced.append(bool(others))
        time_there, when = self._time(part, student, folder, items, bool(coming))
        if time_there == when and not coming:
            return
        text = folder / "timestamp.txt"
        if os.path.lexists(text) and (time_there is None or time_there != when):
            leaving[text] = None
            if time_there is None:
                self.result.tell(f"{text} had no time that can be read, so it was put aside.")
        fresh = self.staging / f"{student} {part}"
        if folder.is_dir():
            shutil.copytree(folder, fresh, symlinks=True, copy_function=_link)
        else:
            fresh.mkdir()
        for path in leaving:
            self._put_aside(path, aside)
            (fresh / path.name).unlink()
        for item in coming:
            item.copy.replace(fresh / item.file)
        if when != time_there and when is not None:
            (fresh / text.name).write_text(stamp(when), encoding="utf-8")
        folder.parent.mkdir(parents=True, exist_ok=True)
        put_folder(fresh, folder)
        for item, instead in zip(coming, replaced, strict=True):
            (self.result.replaced if instead else self.result.new).append((part, student, item.file))

    def _others_of(self, folder, item, items):
        """Files that are there for the same notebook: of the same name, or of one that a copy of it would have."""
        if not folder.is_dir():
            return []
        known = self.notebooks[item.part]
        stem = stem_of(item.file, known)
        found = notebooks_in(folder)
        same = [path for path in found if path.name.casefold() == item.file.casefold()]
        # Where a student hands in two, both are kept; which one counts is decided when they are graded.
        coming = {one.file.casefold() for one in items}
        copies = [
            path
            for path in found
            if stem in known and stem_of(path.name, known) == stem and path.name.casefold() not in coming
        ]
        return same + copies

    def _replaces(self, folder, item, items):
        twins = self._others_of(folder, item, items)
        return bool(twins) and all(digest_of(path) != item.digest for path in twins)

    def _put_aside(self, path, aside):
        """Keep a file that is going to be replaced, as well."""
        aside.mkdir(parents=True, exist_ok=True)
        _link(path, aside / path.name)
        self.result.aside = aside.parents[1]

    def _time(self, part, student, folder, items, changed):
        """When a submission was handed in: as timestamp.txt has it, and as it is to have it (None: not known)."""
        there = self._time_there(folder)
        if self._read_otherwise(part, student, items, there):
            return there, max(item.when for item in items if item.stamped and item.when)
        if not (changed or (folder.is_dir() and there is None)):
            return there, there
        stamps = [item.when for item in items if item.stamped and item.when]
        own = self.times.get((student, part)) or self.times.get((student, None))
        when = max(stamps) if stamps else own
        return there, max(there, when or there) if there else when

    def _read_otherwise(self, part, student, items, there):
        """Whether the very files that are there were read with another time zone when they were collected."""
        known = read_origin(self.course, part, student).files
        times = [item.when.replace(microsecond=0) for item in items if item.stamped and item.when]
        same = all(known.get(item.file) == item.origin for item in items)
        return bool(times) and there is not None and same and max(times) != there and self.dates.zone is not None

    @staticmethod
    def _time_there(folder):
        """When what lies in a folder was handed in, as nbgrader's timestamp.txt has it."""
        with contextlib.suppress(OSError):
            return any_time(read_regular(folder / "timestamp.txt")[:START].decode("utf-8", "replace"))
        return None


def _are_in_order(items):
    """Whether names say which of some files is the newest: a time that cannot be read is no early one."""
    return any(item.stamped for item in items) and len({item.when is None for item in items if not item.series}) < 2


def _link(path, target):
    """Give a file a second name, or where the file system has none, make a copy of it."""
    try:
        os.link(path, target, follow_symlinks=False)
    except OSError:
        shutil.copy2(path, target, follow_symlinks=False)
