"""Everything that grading a class writes beside the gradebook: at once and whole, in an order that can be trusted."""

import contextlib
import datetime
import json
import os
import time
from dataclasses import replace
from pathlib import Path

from grader.classroom import staging
from grader.classroom.records import AGAIN, write_record
from grader.errors import CourseError
from grader.files import disk_full, is_full, read_regular, remove, replace_folder
from grader.notebook import grade_id, is_written


def save(course, book, graded, log):
    """Store a graded submission, in the order that a killed run can be trusted and done again."""
    began = time.perf_counter()
    record = graded.record
    try:
        folder = course.autograded(record.part, record.student)
        same = frozenset(_same_answers(folder, graded.files))
        replace_folder(folder, graded.files)
        book.save(record.student, graded.marks, graded.timestamp, same)
        record = replace(record, seconds=record.seconds | {"save": round(time.perf_counter() - began, 4)})
        write_record(course, record)
        log.write(_log_line(record, graded.trouble).encode())
        log.flush()
    except OSError as problem:
        raise cannot_write(problem) from problem


def _same_answers(folder, files):
    """The notebooks and cells of written answers that say what they said when they were graded before."""
    for file, data in files.items():
        with contextlib.suppress(OSError, ValueError, KeyError, TypeError, AttributeError):
            before, now = (_written(text) for text in (read_regular(folder / file), data))
            yield from ((Path(file).stem, cell) for cell, said in now.items() if before.get(cell) == said)


def _written(data):
    cells = json.loads(data)["cells"]
    return {grade_id(cell): "".join(cell["source"]) for cell in cells if is_written(cell)}


def sweep(course, part):
    """Remove what runs that were killed have left half-written; this one is `alone`."""
    staging.sweep(course)
    for student in course.students(part):
        folder = course.autograded(part, student)
        fresh, old = (folder.with_name(f".{folder.name}.{end}") for end in ("new", "old"))
        if old.is_dir() and not folder.exists():
            old.rename(folder)
        for leftover in (fresh, old):
            remove(leftover)
    for path in course.record(part, "any").parent.glob(".*.part"):
        remove(path)


def log_path(course, part):
    """The part's log: a line for each submission that was graded, with all that a person may want to look up."""
    return course.report(part).with_name(f"{part}.log.jsonl")


def log_of(course, part):
    """The part's log, open to be written on."""
    return appending(log_path(course, part))


@contextlib.contextmanager
def appending(path):
    """A file of lines, open to be written on; a line that a killed run left unfinished stays a line of its own."""
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        log = path.open("a+b")
    except OSError as problem:
        raise cannot_write(problem) from problem
    with log:
        if log.tell():
            log.seek(-1, os.SEEK_END)
            if log.read(1) != b"\n":
                log.write(b"\n")
        yield log


def _log_line(record, trouble):
    notebooks = record.notebooks.items()
    line = {
        "time": datetime.datetime.now(datetime.UTC).isoformat(timespec="seconds"),
        "student": record.student,
        "points": record.points,
        "max_points": record.max_points,
        "sandboxed": record.sandboxed,
        "seconds": record.seconds,
        "time_limit": record.stopped,
        "notes": record.notes,
        "status": {name: notebook.status for name, notebook in notebooks},
        "repairs": {name: notebook.repairs for name, notebook in notebooks if notebook.repairs},
        "failures": {name: notebook.failures for name, notebook in notebooks if notebook.failures},
    }
    return json.dumps(line | ({"trouble": trouble} if trouble else {})) + "\n"


@contextlib.contextmanager
def alone(course, part):
    """Keep a second run of the same part away; the lock goes with the process, however it ends."""
    try:
        import fcntl  # only where a class is graded
    except ImportError:  # Windows
        yield
        return
    path = course.record(part, "any").with_name(".lock")
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        lock = path.open("ab")
    except OSError as problem:
        raise cannot_write(problem) from problem
    with lock:
        try:
            fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            raise CourseError(f"{part} is being graded by another command; wait until it is done") from None
        yield


def cannot_write(problem):
    """What to raise where a file cannot be read or written."""
    if is_full(problem):
        return disk_full(problem, AGAIN)
    return CourseError(
        f"{problem.filename or 'a file'} cannot be read or written: {problem.strerror or problem}; "
        f"see to it that you may, then {AGAIN}"
    )
