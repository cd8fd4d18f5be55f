"""Grading a class: work for the workers, and everything that is written, in one process and in a safe order.

For each submission: the graded notebooks in place of the old ones, then the gradebook in one transaction, then the
record, each at once and whole; the log last. Whatever ends this process, what is there can be trusted, and the same
command gives the same result again.
"""

import contextlib
import datetime
import functools
import hashlib
import json
import os
import pickle
import shutil
import sys
import time
from collections import deque
from concurrent.futures import FIRST_COMPLETED, BrokenExecutor, wait
from pathlib import Path

from tqdm import tqdm

import attnlib
import grader
from grader.grading.seeds import stored_seeds
from grader.grading.submission import FULL, Plan, assembled, disk_full, failed, submission_digest
from grader.grading.workers import GivenWorkers, draw, grade_some, local_workers, processors
from grader.notebook_format import NotebookError, as_json
from grader.sandbox.warm import refuse_elsewhere

AGAIN = "run the same command again with --resume"
LONGEST_NAME = 128  # of a student: letters in nbgrader's gradebook
LONGEST_FILE_NAME = 200  # bytes, so that there is room for what the files about a student are called


def grade(course, part, students=None, jobs=None, resume=False, sandboxed=True, executor=None, limits=None):
    """Grade the submissions of a part into the gradebook.

    Parameters
    ----------
    course : grader.course.Course
    part : str
    students : iterable of str, optional
        Whose submissions; by default everybody's.
    jobs : int, optional
        How many are graded at a time; by default one on each processor.
    resume : bool
        Leave out those that have been graded as they are, with the same seeds, release and course.
    sandboxed : bool
        False runs the learners' code with the rights of this process: for a class that is trusted.
    executor : concurrent.futures.Executor, optional
        A seam for tests: does the work in place of processes of this machine, and is not shut down.
    limits : grader.sandbox.limits.Limits, optional
        What a notebook may use.

    Returns
    -------
    int
        0, or 1 if there is a submission that could not be graded (it earns nothing, and is told).

    Raises
    ------
    NotebookError
        If grading cannot go on; the message says why and what to do. What had been graded is saved.
    """
    refuse_elsewhere()
    released = course.released(part)
    names, refused = _chosen(course, part, students)
    jobs = max(1, min(jobs or processors(), len(names) * len(released)))
    run = _Run(course, part, released, sandboxed, limits)
    try:
        with local_workers(jobs, sandboxed) if executor is None else GivenWorkers(executor, jobs, sandboxed) as workers:
            run.grade(workers, names, resume)
            workers.finish()
            page, marks = report(course, part)
    except KeyboardInterrupt:
        print(f"\nStopped. {_count(len(run.done))} graded and saved; to go on, {AGAIN}.", file=sys.stderr)
        return 130
    except NotebookError as problem:
        saved = f" ({_count(len(run.done))} graded and saved before)" if run.done else ""
        raise type(problem)(f"{problem}{saved}") from problem
    except (BrokenExecutor, ImportError) as problem:
        raise NotebookError(f"the workers cannot be started ({problem}); if memory is short, try --jobs 1") from problem
    except OSError as problem:
        raise _cannot_write(problem) from problem
    print(run.summary())
    print(f"\nReport:   {page}\nMarks:    {marks}\nLog:      {_log_path(course, part)}")
    trouble = {graded.student: why for graded in run.done if (why := _trouble(graded.record))}
    trouble |= dict.fromkeys(refused, "nbgrader cannot keep such a name; rename the folder")
    for name, why in trouble.items():
        print(f"{_shown(name)} could not be graded: {why}", file=sys.stderr)
    return 1 if trouble else 0


def report(course, part):
    """Write the instructor's page and the marks of a part anew; returns where they are."""
    from grader.gradebook import points_by_hand
    from grader.report import read_records, write_report

    records = read_records(course, part)
    if not records:
        raise NotebookError(f"{part} has not been graded yet; do that with: python -m grader grade {part}")
    return write_report(course, part, records, points_by_hand(course, part))


# ---- what to grade


def _chosen(course, part, students):
    """The names of those to grade, and those of folders that nbgrader can have no student for."""
    there = course.students(part)
    if not there:
        raise NotebookError(
            f"nobody has handed in {part}: there is nothing in {course.submitted(part, '<student>')}. "
            "Put the notebooks there, or see `python -m grader collect --help`."
        )
    if students is not None:
        students = list(dict.fromkeys(students))
        for name in students:
            if name not in there:
                raise NotebookError(
                    f"{_shown(name)} has not handed in {part}: there is no {course.submitted(part, name)}"
                )
        there = students
    return [name for name in there if _can_be_kept(name)], [name for name in there if not _can_be_kept(name)]


def _can_be_kept(name):
    """True for a student's name that nbgrader's gradebook and all of our files can have."""
    short = len(name) <= LONGEST_NAME and len(os.fsencode(name)) <= LONGEST_FILE_NAME
    return short and name.isprintable() and not name.startswith(".")


def make_plan(course, part, released, sandboxed, limits=None):
    """The `Plan` of a part: what all submissions share, with the digest of all that their grades depend on."""
    import numpy as np

    ids = [
        cell.metadata.nbgrader.grade_id
        for notebook in released.values()
        for cell in notebook.cells
        if cell.metadata.get("nbgrader", {}).get("grade")
    ]
    seeds = stored_seeds(course, ids)
    seeds = {name: seeds[name] for name in ids}
    about = [seeds, sandboxed, repr(limits), sys.version, np.__version__]
    digest = hashlib.sha256(json.dumps(about, sort_keys=True).encode())
    for name, notebook in released.items():
        digest.update(f"\n{name}\n{as_json(notebook)}".encode())
    for package in (Path(grader.__file__).parent, Path(attnlib.__file__).parent):
        for path in sorted(package.rglob("*.py")):
            digest.update(f"\n{path.relative_to(package.parent).as_posix()}\n".encode() + path.read_bytes())
    return Plan(part, released, seeds, sandboxed, digest.hexdigest(), limits)


class _Run:
    """One run of the command: what it does, and what came of it."""

    def __init__(self, course, part, released, sandboxed, limits):
        self.course, self.part, self.released = course, part, released
        self.sandboxed, self.limits = sandboxed, limits
        self.done, self.kept, self.left, self._began = [], 0, [], time.monotonic()

    def grade(self, workers, names, resume):
        """Grade these students' submissions, and write what came out."""
        course, part = self.course, self.part
        # Nothing is touched before it is known that there is a sandbox.
        workers.wait(self.limits)
        with _alone(course, part), _log(course, part) as log, _bar(len(names)) as bar, contextlib.ExitStack() as stack:
            _sweep(course, part)
            plan = make_plan(course, part, self.released, self.sandboxed, self.limits)

            def open_book():
                from grader.grading.part_book import PartBook  # takes a while to import

                say = functools.partial(bar.write, file=sys.stderr)
                return stack.enter_context(PartBook(course, part, self.released, say))

            book = open_book() if resume else None
            todo = self._unfinished(plan, names, book) if resume else names
            self.kept = len(names) - len(todo)
            bar.update(self.kept)
            flight = _Flight(workers, plan, {name: course.submitted(part, name) for name in todo})
            book = book or open_book()  # the workers are busy already
            for graded in flight.results():
                _save(course, book, graded, log)
                self.done.append(graded)
                graded.files, graded.marks = {}, {}  # a large class must fit into memory
                bar.set_description(_shown(graded.student)[:20].ljust(20), refresh=False)
                bar.update()
            self.left = sorted(book.graded() - set(course.students(part)))

    def _unfinished(self, plan, names, book):
        """The names of those who have not been graded as they are."""
        in_book, todo = book.graded(), []
        for name in names:
            digest = read_record(self.course, self.part, name).get("digest")
            whole = name in in_book and self.course.autograded(self.part, name).is_dir()
            if not digest or not whole or digest != submission_digest(plan, self.course.submitted(self.part, name)):
                todo.append(name)
        return todo

    def summary(self):
        """What a person wants to know at the end."""
        lines = [f"{self.part}: {_count(len(self.done))} graded in {time.monotonic() - self._began:.0f} seconds"]
        if self.kept:
            lines[0] += f" ({self.kept} had been graded already)"
        records = [graded.record for graded in self.done]
        if records:
            mean = sum(record["points"] for record in records) / len(records)
            lines[0] += f"; {mean:.4g} of {records[0]['max_points']:g} points on average"
            if records[0]["written_points"]:
                lines.append(f"A person marks {records[0]['written_points']:g} more points, in formgrader.")
        late = [graded.student for graded in self.done if graded.late]
        for words, names in (
            ("Repaired before they were graded", [one["student"] for one in records if _mended(one)]),
            ("With a notebook missing or not readable", [one["student"] for one in records if _unread(one)]),
            ("Stopped at a time limit", late),
            ("Not in the folder of submissions any more, marks left as they were", self.left),
        ):
            if names:
                lines.append(f"{words}: {_some(names)}")
        if not self.sandboxed:
            lines.append("The learners' code ran WITHOUT the sandbox: these marks can be trusted as far as the class.")
        return "\n".join(lines)


class _Flight:
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
        except NotebookError:
            raise
        except Exception as problem:
            if student not in self._settled:
                self._settle(student)
                yield failed(self._plan, student, problem)
        else:
            if student in self._settled:
                return
            pieces = self._landed.setdefault(student, [])
            pieces.append(piece)
            if sum(len(one.notebooks) for one in pieces) == len(self._plan.released):
                self._settle(student)
                yield assembled(self._plan, student, pieces)

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
                yield assembled(self._plan, student, [self._submit(student, [*self._plan.released]).result()])
            except BrokenExecutor:
                broken = True
                yield failed(self._plan, student, WorkerDied("its process ended twice; was memory short?"))
            except NotebookError:
                raise
            except Exception as problem:
                yield failed(self._plan, student, problem)
        if broken:
            self._workers.restart()


class WorkerDied(Exception):
    """A worker's process ended in the middle of a submission."""


# ---- writing


def _save(course, book, graded, log):
    """Store a graded submission, in the order that a killed run can be trusted and done again."""
    began = time.perf_counter()
    part, student, record = book.part, graded.student, graded.record
    try:
        replace_folder(course.autograded(part, student), graded.files)
        book.save(student, graded.marks, graded.timestamp)
        record["seconds"]["save"] = round(time.perf_counter() - began, 4)
        write_record(course, record)
        log.write(json.dumps(_log_line(graded)) + "\n")
        log.flush()
    except OSError as problem:
        raise _cannot_write(problem) from problem


def replace_folder(folder, files):
    """Put a folder with these files in place of the one that is there, at once."""
    fresh, old = (folder.with_name(f".{folder.name}.{end}") for end in ("new", "old"))
    try:
        for leftover in (fresh, old):
            _remove(leftover)
        fresh.mkdir(parents=True)
        for name, content in files.items():
            (fresh / name).write_bytes(content)
            (fresh / name).chmod(0o444)  # as nbgrader does: what is shown is what was graded
        if os.path.lexists(folder):
            folder.rename(old)
        try:
            fresh.rename(folder)
        except OSError:
            if os.path.lexists(old):
                old.rename(folder)
            raise
    finally:
        for leftover in (fresh, old):
            _remove(leftover)


def _sweep(course, part):
    """Remove what a run that was killed left half-written."""
    for student in course.students(part):
        folder = course.autograded(part, student)
        for end in ("new", "old"):
            _remove(folder.with_name(f".{folder.name}.{end}"))
    for path in course.record(part, "any").parent.glob(".*.new"):
        _remove(path)


def _remove(path):
    if path.is_dir() and not path.is_symlink():
        shutil.rmtree(path)
    else:
        path.unlink(missing_ok=True)


def write_record(course, record):
    """Write a student's record in place of the old one, at once."""
    path = course.record(record["part"], record["student"])
    path.parent.mkdir(parents=True, exist_ok=True)
    fresh = path.with_name(f".{path.name}.new")
    try:
        fresh.write_text(json.dumps(record, indent=1) + "\n", encoding="utf-8", newline="\n")
        fresh.replace(path)
    finally:
        fresh.unlink(missing_ok=True)


def read_record(course, part, student):
    """A student's record; empty if there is no good one."""
    with contextlib.suppress(OSError, ValueError):
        record = json.loads(course.record(part, student).read_text(encoding="utf-8"))
        return record if isinstance(record, dict) else {}
    return {}


def _log_path(course, part):
    return course.report(part).with_name(f"{part}.log.jsonl")


@contextlib.contextmanager
def _log(course, part):
    """The part's log, open to be written on; a line that a killed run left unfinished stays a line of its own."""
    path = _log_path(course, part)
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        log = path.open("a+b")
    except OSError as problem:
        raise _cannot_write(problem) from problem
    with log:
        if log.tell():
            log.seek(-1, os.SEEK_END)
            if log.read(1) != b"\n":
                log.write(b"\n")
        yield _Lines(log)


class _Lines:
    """Text into a binary file."""

    def __init__(self, file):
        self._file = file

    def write(self, text):
        self._file.write(text.encode())

    def flush(self):
        self._file.flush()


def _log_line(graded):
    record = graded.record
    notebooks = record["notebooks"].items()
    line = {
        "time": datetime.datetime.now(datetime.UTC).isoformat(timespec="seconds"),
        "student": graded.student,
        "points": record["points"],
        "max_points": record["max_points"],
        "sandboxed": record["sandboxed"],
        "seconds": record["seconds"],
        "time_limit": graded.late,
        "notes": record["notes"],
        "status": {name: notebook["status"] for name, notebook in notebooks},
        "repairs": {name: notebook["repairs"] for name, notebook in notebooks if notebook["repairs"]},
        "failures": {name: notebook["failures"] for name, notebook in notebooks if notebook["failures"]},
    }
    return line | ({"trouble": graded.trouble} if graded.trouble else {})


@contextlib.contextmanager
def _alone(course, part):
    """Keep a second run of the same part away; the lock goes with the process, however it ends."""
    path = course.record(part, "any").with_name(".lock")
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        lock = path.open("ab")
    except OSError as problem:
        raise _cannot_write(problem) from problem
    with lock:
        import fcntl  # only where a class is graded

        try:
            fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            raise NotebookError(f"{part} is being graded by another command; wait until it is done") from None
        yield


def _cannot_write(problem):
    if problem.errno in FULL:
        return disk_full(problem)
    return NotebookError(
        f"{problem.filename or 'a file'} cannot be read or written: {problem.strerror or problem}; "
        f"see to it that you may, then {AGAIN}"
    )


# ---- telling


def _bar(total):
    terminal = sys.stderr.isatty()
    return tqdm(total=total, unit="submission", mininterval=0.1 if terminal else 30, file=sys.stderr)


def _count(number):
    return f"{number} submission" + ("" if number == 1 else "s")


def _trouble(record):
    """Why the machinery could not grade something in a submission; "" if it could."""
    return next((one["failures"][0] for one in record["notebooks"].values() if one["status"] == "failed"), "")


def _mended(record):
    return any(notebook["repairs"] for notebook in record["notebooks"].values()) or record["notes"]


def _unread(record):
    return any(notebook["status"] in ("missing", "unreadable") for notebook in record["notebooks"].values())


def _some(names):
    shown = ", ".join(map(_shown, sorted(names)[:8]))
    return f"{shown} and {len(names) - 8} more" if len(names) > 8 else shown


def _shown(name):
    """A name that any terminal can show."""
    return name if name.isprintable() else ascii(name)
