"""Who grades: the workers of a Dask cluster, on any machines. Dask finds them, watches them and carries the work.

Each worker is asked first whether it can grade, and has one submission at a time: so it is known what it was at, should
it die. Submissions travel with the work, results come back, and only this process writes.
"""

import contextlib
import hashlib
import itertools
import logging
import re
import sys
import threading
import time
from collections import deque
from concurrent.futures import FIRST_COMPLETED, CancelledError, Future, wait
from dataclasses import dataclass
from pathlib import Path

from tqdm import tqdm

from grader.classroom.marking import slot
from grader.classroom.marking.edition import edition
from grader.classroom.marking.parcel import pack
from grader.classroom.records import AGAIN
from grader.errors import CourseError, UnknownName
from grader.words import shown

#: Seconds: between two looks at who is there; for the scheduler to answer; for workers to come and to say whether they
#: can grade; and without any that can.
LOOK, ANSWER, GRACE, PATIENCE = 1, 15, 10, 120
#: After as many workers that ended over a submission, it is not given to another one.
MOST_DEATHS = 3
START = "start them there with: .venv/bin/dask worker {} --nthreads 1 --nworkers N"


@dataclass(eq=False)
class _Parcel:
    """A submission that is waiting for a worker, or at one."""

    name: str
    entries: list
    done: Future
    tries: int = 0
    deaths: int = 0


class ClusterWorkers:
    """The workers of a Dask scheduler, in the clothes of `grader.classroom.marking.workers.LocalWorkers`.

    Parameters
    ----------
    address : str
        The scheduler's, such as tcp://10.0.0.1:8786.
    sandboxed : bool
    tls : tuple of two paths, optional
        The certificate of the authority that all of the cluster trust, and this command's own with its key, as PEM.
        Without it, what Dask's own configuration says is taken.

    Raises
    ------
    UnknownName
        If that is no address.
    CourseError
        If there is no Dask, or no scheduler that answers.
    """

    def __init__(self, address, sandboxed=True, tls=None):
        if not re.fullmatch(r"(\w+://)?[^/]+:\d+", address):
            raise UnknownName(f"--scheduler takes an address such as tcp://10.0.0.1:8786, and not {shown(address)}")
        if tls and "://" not in address:
            address = f"tls://{address}"
        self.address, self._sandboxed, self._limits = address, sandboxed, None
        self._client = _connected(address, tls)
        self._bell, self._looked, self._numbers = threading.Event(), 0.0, itertools.count()
        # By address: who has been asked, who can grade and what they are at, who cannot, who knows which plans.
        self._asked, self._at, self._unfit, self._know = {}, {}, {}, {}
        self._waiting, self._plan, self._seen = deque(), (None, None), time.monotonic()

    @property
    def room(self):
        """How many submissions may be on their way at a time."""
        return max(1, len(self._at))

    def wait(self, limits):
        """Return when there are workers that can grade.

        Raises
        ------
        CourseError
            If there is none, or none that can.
        """
        self._limits, began, told = limits, time.monotonic(), False
        while True:
            self._look()
            late = time.monotonic() - began > GRACE
            if self._at and (late or not self._asked):
                break
            if late and self._unfit and not self._asked:
                raise CourseError(f"none of the workers at {self.address} can grade; above is why")
            if late and not told:
                print(f"Waiting for a worker at {self.address}", file=sys.stderr)
                told = True
            self._rest()
        print(f"Grading with {len(self._at)} at a time, by {self.address}", file=sys.stderr)

    def submit(self, grade_here, plan, student, folder, names):
        """Send a submission to a worker as soon as one is free; returns a future of its `Piece`.

        Parameters
        ----------
        grade_here : callable
            Takes the other arguments: for what is no folder of files.
        plan : bytes
            A pickled `grader.classroom.marking.submission.Plan`.
        student, folder : str
        names : list of str
        """
        from grader.classroom.marking.submission import submission_digest
        from grader.classroom.marking.workers import unpickled

        future, place = Future(), Path(folder)
        future.set_running_or_notify_cancel()
        try:
            if place.is_symlink() or place.parent.is_symlink() or not place.is_dir():
                future.set_result(grade_here(plan, student, folder, names))  # there is nothing that could be run
                return future
            # As it was before it was read: whatever changes now is graded again by the next run.
            digest = submission_digest(unpickled(plan), place)
            parcel = _Parcel(digest, pack(place), future)
        except Exception as problem:
            future.set_exception(problem)
            return future
        if self._plan[1] is not plan:
            self._plan = hashlib.sha256(plan).hexdigest(), plan
        self._waiting.append(parcel)
        self._assign()
        return future

    def landed(self, flying):
        """Those of some futures that are done, as soon as there are any."""
        while not (done := wait(flying, 0, FIRST_COMPLETED)[0]):
            self._look()
            for address, (parcel, theirs) in [one for one in self._at.items() if one[1]]:
                if theirs.done():
                    self._take(address, parcel, theirs)
            self._assign()
            if not any(future.done() for future in flying):
                self._rest()
        return done

    def finish(self):
        """Leave the cluster as it is."""

    def __enter__(self):
        return self

    def __exit__(self, *problem):
        self.close()

    def close(self):
        """Take back what has not been graded, and leave the cluster."""
        with contextlib.suppress(Exception):
            self._client.cancel([one[1] for one in self._at.values() if one], force=True)
        with contextlib.suppress(Exception):
            self._client.close(timeout=2)

    # ---- workers

    def _rest(self):
        self._bell.wait(LOOK)
        self._bell.clear()

    def _look(self):
        """See who has come and who has gone, once in a while, and hear what those have said who were asked."""
        if time.monotonic() - self._looked >= LOOK:
            there = self._threads()
            self._looked = time.monotonic()
            for address in [one for one in self._at if one not in there]:
                self._lose(address, "")
            for address in [one for one in self._asked if one not in there]:
                del self._asked[address]
            for address, threads in there.items():
                if not any(address in some for some in (self._asked, self._at, self._unfit)):
                    self._ask(address, threads)
            if self._at or self._asked:
                self._seen = time.monotonic()
            elif time.monotonic() - self._seen > PATIENCE:
                raise CourseError(
                    f"{self.address} has no worker that can grade; {START.format(self.address)}, and {AGAIN}"
                )
        for address, answer in [one for one in self._asked.items() if one[1].done()]:
            del self._asked[address]
            said = self._said(answer)
            if isinstance(said, slot.Unfit):
                self._refuse(address, said)
            elif said is None:
                self._at[address], self._know[address] = None, set()

    def _threads(self):
        """By address of each worker, its threads."""
        try:
            return self._client.nthreads()
        except Exception as problem:
            raise self._lost() from problem

    def _lost(self):
        return CourseError(
            f"the connection to the scheduler at {self.address} is lost; when it is there again, {AGAIN}"
        )

    def _ask(self, address, threads):
        if threads != 1:
            cure = f"start it with --nthreads 1 --nworkers {threads}"
            self._refuse(address, slot.Unfit(f"it has {threads} threads, and grading takes one to a process; {cure}"))
            return
        self._asked[address] = self._sent(address, "can-grade", slot.fitness, edition(), self._sandboxed, self._limits)

    def _sent(self, address, key, *task):
        """Send something to one worker, under a key of its own; returns Dask's future."""
        key = f"{key}-{next(self._numbers)}-{self._client.id}"
        try:
            sent = self._client.submit(*task, key=key, workers=[address], allow_other_workers=False)
        except Exception as problem:
            raise self._lost() from problem
        sent.add_done_callback(lambda _: self._bell.set())
        return sent

    def _said(self, theirs):
        """What a task has returned, or an `Unfit` with what has happened to it instead."""
        try:
            return theirs.result(timeout=ANSWER)
        except CancelledError as problem:
            raise self._lost() from problem
        except Exception as problem:
            if type(problem).__name__ == "KilledWorker":  # again and again under one address
                return WorkersDied()
            words = str(problem).strip().split("\n")[0]
            if "deserialization of the task graph" in str(problem):
                raise CourseError(
                    f"the scheduler at {self.address} cannot read what this command sends; start it from an "
                    "environment with the same copy of the course"
                ) from problem
            return slot.Unfit(f"{type(problem).__name__}: {words}; is the course there, with all that it needs?")

    def _refuse(self, address, unfit):
        self._unfit[address] = unfit.why
        tqdm.write(f"The worker {address} is not used: {unfit.why}", file=sys.stderr)
        self._lose(address, unfit.why)

    def _lose(self, address, why):
        """Strike a worker off; what it was at goes to another one, first of all."""
        work, _ = self._at.pop(address, None), self._know.pop(address, None)
        if not work:
            return
        parcel, theirs = work
        with contextlib.suppress(Exception):
            self._client.cancel([theirs], force=True)
        parcel.deaths += 1
        if parcel.deaths < MOST_DEATHS:
            self._waiting.appendleft(parcel)
        else:
            words = why or "the workers that it was given to ended; was memory short?"
            parcel.done.set_exception(WorkersDied(words))

    # ---- submissions

    def _assign(self):
        """Give work to those who have none."""
        for address in [one for one, work in self._at.items() if not work]:
            if not self._waiting:
                return
            self._send(address, self._waiting.popleft())

    def _send(self, address, parcel):
        name, plan = self._plan
        known = self._know[address]
        # Named by what is in it and not by whose it is: names show on Dask's dashboard.
        theirs = self._sent(
            address,
            parcel.name,
            slot.grade_parcel,
            edition(),
            name,
            None if name in known else plan,
            parcel.entries,
        )
        known.add(name)
        self._at[address] = parcel, theirs

    def _take(self, address, parcel, theirs):
        """Hear what a worker has made of a submission."""
        said = self._said(theirs)
        if isinstance(said, slot.Unfit):
            self._refuse(address, said)
        elif isinstance(said, WorkersDied):
            self._lose(address, "")
        elif isinstance(said, slot.NoPlan):
            self._know[address].clear()
            self._send(address, parcel)
        else:
            self._at[address] = None
            said.digest = said.digest and parcel.name
            parcel.done.set_result(said)


class WorkersDied(Exception):
    """Workers ended in the middle of a submission."""


def _connected(address, tls):
    """A client of a scheduler."""
    try:
        import dask
        from distributed import Client, Security
    except ImportError as problem:
        raise CourseError(f"--scheduler needs Dask ({problem}): pip install '.[cluster]'") from problem
    for name in ("distributed", "distributed.client", "tornado.application"):
        logging.getLogger(name).setLevel(logging.CRITICAL + 1)  # what a person has to know, the command says
    dask.config.set({"distributed.admin.large-graph-warning-threshold": "1 TB"})
    try:
        security = None
        if tls:
            authority, own = map(str, tls)
            security = Security(tls_ca_file=authority, tls_client_cert=own, require_encryption=True)
        return Client(address, security=security, timeout=ANSWER, set_as_default=False, direct_to_workers=False)
    except Exception as problem:
        words = str(problem).strip().split("\n")[0] or type(problem).__name__
        raise CourseError(
            f"no scheduler answers at {address} ({words}); start one with: .venv/bin/dask scheduler"
        ) from problem
