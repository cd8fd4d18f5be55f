"""Submissions on their way through the workers, and what to do when one of these dies."""

import contextlib
import pickle
from collections import deque
from concurrent.futures import FIRST_COMPLETED, BrokenExecutor, wait

from grader.classroom.marking.submission import assemble, fail
from grader.classroom.marking.workers import draw, grade_some
from grader.errors import CourseError


class Flight:
    """Submissions on their way through the workers; a few at a time, so that memory does not grow with the class.

    The last ones go notebook by notebook, so that no worker has to wait long for another at the end.
    """

    def __init__(self, workers, plan, folders):
        self._workers, self._plan, self._folders = workers, plan, folders
        self._blob = pickle.dumps(plan)
        whole = len(folders) - workers.jobs
        self._waiting = deque(
            (student, names)
            for place, student in enumerate(folders)
            for names in ([[*plan.released]] if place < whole else [[name] for name in plan.released])
        )
        self._flying, self._landed, self._lost, self._settled = {}, {}, [], set()
        with contextlib.suppress(BrokenExecutor):
            # Each worker draws other pictures than the others: the first submissions would all wait for the same.
            for name in plan.released if folders else ():
                workers.submit(draw, self._blob, name)
        self._fill()

    def _submit(self, student, names):
        return self._workers.submit(grade_some, self._blob, student, str(self._folders[student]), names)

    def _fill(self):
        while self._waiting and len(self._flying) < 2 * self._workers.jobs and not self._lost:
            student, names = self._waiting.popleft()
            try:
                self._flying[self._submit(student, names)] = student
            except BrokenExecutor:
                self._lose(student)

    def results(self):
        """Yield a `Graded` for each submission, in the order in which they are ready."""
        while self._flying or self._waiting or self._lost:
            if self._lost:
                yield from self._one_by_one()
            self._fill()
            if self._flying:
                landed, _ = wait(self._flying, return_when=FIRST_COMPLETED)
                for future in [one for one in self._flying if one in landed]:
                    yield from self._take(future)

    def _take(self, future):
        student = self._flying.pop(future)
        try:
            piece = future.result()
        except BrokenExecutor:
            # A worker died, and with it all that was on its way: who it was shows when each flies alone.
            self._lose(student)
        except CourseError:
            raise
        except Exception as problem:
            if student not in self._settled:
                self._settle(student)
                yield fail(self._plan, student, problem)
        else:
            if student in self._settled:
                return
            pieces = self._landed.setdefault(student, [])
            pieces.append(piece)
            if sum(len(one.notebooks) for one in pieces) == len(self._plan.released):
                self._settle(student)
                yield assemble(self._plan, student, pieces)

    def _settle(self, student):
        """Do nothing more for a student."""
        self._settled.add(student)
        self._landed.pop(student, None)
        self._waiting = deque(one for one in self._waiting if one[0] != student)

    def _lose(self, student):
        if student not in self._settled:
            self._settle(student)
            self._lost.append(student)

    def _one_by_one(self):
        for future in list(self._flying):
            yield from self._take(future)
        broken = True
        while self._lost:
            student = self._lost.pop(0)
            if broken:
                self._workers.restart()
            broken = False
            try:
                yield assemble(self._plan, student, [self._submit(student, [*self._plan.released]).result()])
            except BrokenExecutor:
                broken = True
                yield fail(self._plan, student, WorkerDied("its process ended twice; was memory short?"))
            except CourseError:
                raise
            except Exception as problem:
                yield fail(self._plan, student, problem)
        if broken:
            self._workers.restart()


class WorkerDied(Exception):
    """A worker's process ended in the middle of a submission."""
