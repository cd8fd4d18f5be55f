"""Submissions on their way through the workers, and what to do when one of these dies."""

import pickle
from collections import deque
from concurrent.futures import BrokenExecutor

from grader.classroom.marking.submission import assemble, fail
from grader.classroom.marking.workers import grade_some
from grader.errors import CourseError


class Flight:
    """Submissions on their way through the workers; a few at a time, so that memory does not grow with the class.

    A student's notebooks run one after the other, never side by side: they would have the same author, and what one may
    look up the other is asked for.
    """

    def __init__(self, workers, plan, folders, names=None):
        self._workers, self._plan, self._folders = workers, plan, folders
        self._names = [*(names or plan.released)]
        self._blob = pickle.dumps(plan)
        self._waiting, self._flying, self._lost = deque(folders), {}, []
        self._fill()

    def _submit(self, student):
        folder = str(self._folders[student])
        return self._workers.submit(grade_some, self._blob, student, folder, self._names)

    def _fill(self):
        while self._waiting and len(self._flying) < self._workers.room and not self._lost:
            student = self._waiting.popleft()
            try:
                self._flying[self._submit(student)] = student
            except BrokenExecutor:
                self._lost.append(student)

    def results(self):
        """Yield a `Graded` for each submission, in the order in which they are ready."""
        while self._flying or self._waiting or self._lost:
            if self._lost:
                yield from self._one_by_one()
            self._fill()
            if self._flying:
                yield from self._take_those_that_landed()

    def _take_those_that_landed(self):
        landed = self._workers.landed(self._flying)
        for future in [one for one in self._flying if one in landed]:
            yield from self._take(future)

    def _take(self, future):
        student = self._flying.pop(future)
        try:
            yield assemble(self._plan, student, [future.result()])
        except BrokenExecutor:
            # A worker died, and with it all that was on its way: who it was shows when each flies alone.
            self._lost.append(student)
        except CourseError:
            raise
        except Exception as problem:
            yield fail(self._plan, student, problem)

    def _one_by_one(self):
        while self._flying:
            yield from self._take_those_that_landed()
        broken = True
        while self._lost:
            student = self._lost.pop(0)
            if broken:
                self._workers.restart()
            broken = False
            try:
                yield assemble(self._plan, student, [self._submit(student).result()])
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
