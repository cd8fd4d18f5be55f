"""Several attempts of a student: where grading/course.toml says that the best counts, all are graded."""

import contextlib
import hashlib
import itertools
from dataclasses import replace

from grader.classroom.dates import read_dates
from grader.classroom.marking.flight import Flight
from grader.classroom.marking.submission import submission_digest
from grader.words import points_of

#: So many students' attempts are on their way at a time: what is graded of them has to fit into memory.
AT_A_TIME = 16


class Attempts:
    """What counts of each student in a part.

    Parameters
    ----------
    course : Course
    plan : Plan
    """

    def __init__(self, course, plan):
        self.course, self.plan, self._times = course, plan, {}
        self._dates = read_dates(course)
        self._rule = self._dates.rule(plan.part)

    def folders(self, student):
        """The folders that are graded: what was handed in last comes first."""
        last, earlier = self.course.submitted(self.plan.part, student), self.course.attempts(self.plan.part, student)
        if self._rule.attempts != "best" or not earlier.is_dir():
            return [last]
        # What is still being written has a name with a dot.
        found = [path for path in earlier.iterdir() if path.is_dir() and not path.name.startswith(".")]
        return [last, *sorted(found, key=lambda path: path.name, reverse=True)]

    def digest(self, student):
        """The digest of all that a student's grades depend on; raises `OSError`."""
        folders = self.folders(student)
        digests = [submission_digest(self.plan, folder) for folder in folders]
        if len(folders) == 1:
            return digests[0]
        # Which is the best depends on what being late costs.
        about = self._rule.due_of(student), replace(self._rule, extensions={}, handed_in={}), self._dates.late_days
        return hashlib.sha256(repr([digests, about]).encode()).hexdigest()

    def begin(self, crew, students):
        """Set the workers to work; returns what `results` takes."""
        folders = {student: self.folders(student) for student in students}
        single = {student: found[0] for student, found in folders.items() if len(found) == 1}
        several = {student: found for student, found in folders.items() if len(found) > 1}
        return crew, Flight(crew, self.plan, single), several

    def results(self, crew, flight, folders, times):
        """Yield a `Graded` for each student: of the attempt that counts.

        Parameters
        ----------
        crew, flight, folders
            From `begin`.
        times : callable
            Gives when each student handed in each part, as the gradebook has it.
        """
        yield from flight.results()
        self._times = times() if folders else {}
        several = iter(folders)
        while some := list(itertools.islice(several, AT_A_TIME)):
            graded = {student: [] for student in some}
            # One after the other: attempts have the same author, like a student's notebooks.
            for number in range(max(len(folders[student]) for student in some)):
                there = {student: folders[student][number] for student in some if number < len(folders[student])}
                for one in Flight(crew, self.plan, there).results():
                    self._keep_better(graded[one.record.student], one, there[one.record.student], number)
            for student in some:
                yield self._counting(student, graded[student])

    def _keep_better(self, graded, one, folder, number):
        """Note what an attempt is worth; the marks themselves are kept of the best only."""
        worth, words = self._worth(one)
        better = all(worth > other["worth"] for other in graded)
        for other in graded:
            other["graded"] = None if better else other["graded"]
        name = folder.name if number else ""
        about = {"worth": worth, "words": words, "name": name, "whole": bool(one.record.digest)}
        graded.append(about | {"graded": one if better else None})

    def _worth(self, graded):
        """What an attempt comes to, and that in words."""
        record = graded.record
        times = {**self._times.get(record.student, {}), self.plan.part: graded.timestamp}
        lateness = self._dates.lateness(self.plan.part, record.student, times)
        off = round(record.points * lateness.percent / 100, 4) if lateness else 0.0
        when = f"handed in {self._dates.said(graded.timestamp)}" if graded.timestamp else "at an unknown time"
        words = f"{when}: {points_of(round(record.points, 2))}"
        return record.points - off, words + (f", less {off:g} for being late" if off else "")

    def _counting(self, student, graded):
        best = next(one for one in graded if one["graded"])
        words = tuple(one["words"] + (" (counts)" if one is best else "") for one in graded)
        digest = ""
        if all(one["whole"] for one in graded):
            with contextlib.suppress(OSError):  # something is gone meanwhile: the next run looks again
                digest = self.digest(student)
        record = replace(best["graded"].record, attempt=best["name"], attempts=words, digest=digest)
        return replace(best["graded"], record=record)
