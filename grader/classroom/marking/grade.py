"""Grading a class: work for the workers, and everything that is written, in one process and in a safe order.

For each submission: the graded notebooks in place of the old ones, then the gradebook in one transaction, then the
record, each at once and whole; the log last. Whatever ends this process, what is there can be trusted, and the same
command gives the same result again.
"""

import contextlib
import hashlib
import json
import sys
import time
from concurrent.futures import BrokenExecutor

from grader.classroom import staging
from grader.classroom.course import can_be_kept
from grader.classroom.dates import NAME
from grader.classroom.marking import workers
from grader.classroom.marking.attempts import Attempts
from grader.classroom.marking.changes import changes, changes_path, keep_changes
from grader.classroom.marking.edition import edition
from grader.classroom.marking.seeds import stored_seeds
from grader.classroom.marking.storing import alone, cannot_write, log_of, log_path, save, sweep
from grader.classroom.marking.submission import Plan
from grader.classroom.records import AGAIN, came_since, others_dropped, read_record, read_records
from grader.classroom.repair.handed_in import choices
from grader.classroom.sandbox.warm import refuse_elsewhere
from grader.errors import CourseError, UnknownName
from grader.notebook import as_json, grade_id, marks
from grader.pace import pace, say
from grader.words import first_of, plural, shown, some


def grade(course, part, students=None, jobs=None, resume=False, sandboxed=True, scheduler=None, tls=None, limits=None):
    """Grade the submissions of a part into the gradebook.

    Parameters
    ----------
    course : grader.classroom.course.Course
    part : str
    students : iterable of str, optional
        Whose submissions; by default everybody's.
    jobs : int, optional
        How many are graded at a time; by default one on each processor.
    resume : bool
        Leave out those that have been graded as they are, with the same seeds, release and course.
    sandboxed : bool
        False runs the learners' code with the rights of this process: for a class that is trusted.
    scheduler : str, optional
        The address of a Dask scheduler, whose workers do the work in place of processes of this machine.
    tls : tuple of two paths, optional
        See `grader.classroom.marking.cluster.ClusterWorkers`.
    limits : grader.classroom.sandbox.limits.Limits, optional
        What a notebook may use.

    Returns
    -------
    int
        0, or 1 if there is a submission that could not be graded (it earns nothing, and is told).

    Raises
    ------
    CourseError
        If grading cannot go on; the message says why and what to do. What had been graded is saved.
    """
    refuse_elsewhere()
    released = course.released(part)
    names, refused = _chosen(course, part, students)
    run = _Run(course, part, released, sandboxed, limits)
    try:
        with _crew(jobs, len(names), sandboxed, scheduler, tls) as crew:
            run.grade(crew, names, resume)
            crew.finish()
            page, table = report(course, part)
    except KeyboardInterrupt:
        print(f"\nStopped. {_submissions(run.done)} graded and saved; to go on, {AGAIN}.", file=sys.stderr)
        return 130
    except CourseError as problem:
        saved = f" ({_submissions(run.done)} graded and saved before)" if run.done else ""
        raise type(problem)(f"{problem}{saved}") from problem
    except (BrokenExecutor, ImportError) as problem:
        raise CourseError(f"the workers cannot be started ({problem}); if memory is short, try --jobs 1") from problem
    except OSError as problem:
        raise cannot_write(problem) from problem
    print(run.summary())
    print(f"\nReport:   {page}\nMarks:    {table}\nLog:      {log_path(course, part)}")
    trouble = {record.student: why for record in run.done if (why := _trouble(record))}
    trouble |= dict.fromkeys(refused, "nbgrader cannot keep such a name; rename the folder")
    for name, why in trouble.items():
        print(f"{shown(name)} could not be graded: {why}", file=sys.stderr)
    return 1 if trouble else 0


def _crew(jobs, most, sandboxed, scheduler, tls):
    """Who does the work."""
    if scheduler is None:
        return workers.local_workers(max(1, min(jobs or workers.processors(), most)), sandboxed)
    from grader.classroom.marking.cluster import ClusterWorkers  # takes a while to import, and is seldom there

    return ClusterWorkers(scheduler, sandboxed, tls)


def report(course, part, anonymous=False):
    """Write the instructor's page and the marks of a part anew (or those with made names); returns where they are."""
    from grader.classroom.export.roster import name_in_gradebook, read_roster
    from grader.classroom.gradebook.cells import points_by_hand
    from grader.classroom.gradebook.late import settle
    from grader.classroom.report import write_report
    from grader.classroom.report.anonymous import made_names

    records = read_records(course, part)
    if not records:
        raise CourseError(f"{part} has not been graded yet; do that with: python -m grader grade {part}")
    staging.sweep(course)
    people = {} if anonymous else read_roster(course, part, [record.student for record in records])
    if people:
        name_in_gradebook(course, people)
    if others_dropped(records, course.notebooks(part)):
        say(
            f"Since {part} was graded, {course.grading / NAME} has dropped exercises or brought some back. "
            f"These marks are still the old ones; python -m grader grade {part} --resume brings them up to date."
        )
    if newer := came_since(course, records):
        say(
            f"Since {part} was graded, files came of {some(newer)}. These marks are of what was there before; "
            f"python -m grader grade {part} --resume brings them up to date."
        )
    late = settle(course, part)
    by_hand = points_by_hand(course, part)  # less what was taken off for being late
    by_hand = {name: given + (late[name].points if name in late else 0.0) for name, given in by_hand.items()}
    return write_report(course, part, records, by_hand, late, made_names(course) if anonymous else None, people)


# ---- what to grade


def _chosen(course, part, students):
    """The names of those to grade, and those of folders that nbgrader can have no student for."""
    there = course.students(part)
    if not there:
        raise CourseError(
            f"nobody has handed in {part}: there is nothing in {course.submitted(part, '<student>')}. "
            "Put the notebooks there, or see `python -m grader collect --help`."
        )
    if students is not None:
        students = list(dict.fromkeys(students))
        for name in students:
            if name not in there:
                raise UnknownName(f"{shown(name)} has not handed in {part}: there is no {course.submitted(part, name)}")
        there = students
    return [name for name in there if can_be_kept(name)], [name for name in there if not can_be_kept(name)]


def make_plan(course, part, released, sandboxed, limits=None):
    """The `Plan` of a part: what all submissions share, with the digest of all that their grades depend on."""
    ids = [grade_id(cell) for notebook in released.values() for cell in notebook.cells if marks(cell).get("grade")]
    seeds = stored_seeds(course, ids)
    seeds = {name: seeds[name] for name in ids}
    about = [seeds, sandboxed, repr(limits), sys.version, edition()]
    digest = hashlib.sha256(json.dumps(about, sort_keys=True).encode())
    for name, notebook in released.items():
        digest.update(f"\n{name}\n{as_json(notebook)}".encode())
    return Plan(part, released, seeds, sandboxed, digest.hexdigest(), limits)


class _Run:
    """One run of the command: what it does, and what came of it."""

    def __init__(self, course, part, released, sandboxed, limits):
        self.course, self.part, self.released = course, part, released
        self.sandboxed, self.limits = sandboxed, limits
        self.done, self.kept, self.left, self._began = [], 0, [], time.monotonic()
        self.changed = []  # students whose marks are others than before

    def grade(self, crew, names, resume):
        """Grade these students' submissions, and write what came out."""
        course, part = self.course, self.part
        # Nothing is touched before it is known that there is a sandbox.
        crew.wait(self.limits)
        with alone(course, part), log_of(course, part) as log, contextlib.ExitStack() as stack:
            sweep(course, part)
            plan = make_plan(course, part, self.released, self.sandboxed, self.limits)

            def open_book():
                from grader.classroom.gradebook.part_book import PartBook  # takes a while to import

                return stack.enter_context(PartBook(course, part, self.released, say))

            book = open_book() if resume else None
            attempts = Attempts(course, plan)
            todo = self._unfinished(attempts, names, book) if resume else names
            self.kept = len(names) - len(todo)
            bar = stack.enter_context(pace(len(names), "submission", self.kept))
            begun = attempts.begin(crew, todo)
            book = book or open_book()  # the workers are busy already
            for graded in attempts.results(*begun, book.times):
                other = changes(read_record(course, part, graded.record.student), graded.record)
                keep_changes(course, part, other, plan.version)
                save(course, book, graded, log)
                self.changed += [graded.record.student] if other else []
                self.done.append(graded.record)  # and nothing more: a large class must fit into memory
                bar.update()
            self.left = sorted(book.graded() - set(course.students(part)))

    def _unfinished(self, attempts, names, book):
        """The names of those who have not been graded as they are."""
        in_book, todo = book.graded(), []
        for name in names:
            record = read_record(self.course, self.part, name)
            digest = record.digest if record else ""
            whole = name in in_book and self.course.autograded(self.part, name).is_dir()
            try:
                now = attempts.digest(name)
            except OSError:  # told when it is graded
                now = ""
            if not digest or not whole or digest != now:
                todo.append(name)
        return todo

    def summary(self):
        """What a person wants to know at the end."""
        done = self.done
        lines = [f"{self.part}: {_submissions(done)} graded in {time.monotonic() - self._began:.0f} seconds"]
        if self.kept:
            lines[0] += f" ({self.kept} had been graded already)"
        if done:
            mean = sum(record.points for record in done) / len(done)
            lines[0] += f"; {mean:.4g} of {done[0].max_points:g} points" + " on average" * (len(done) > 1)
            if done[0].written_points:
                lines.append(f"A person marks {done[0].written_points:g} more points, in formgrader.")
        for words, names in (
            ("Repaired before they were graded", [one.student for one in done if one.repaired]),
            (f"With other marks than before (see {changes_path(self.course).name})", self.changed),
            ("With a notebook missing or not readable", [one.student for one in done if _unread(one)]),
            ("Stopped at a time limit", [one.student for one in done if one.stopped]),
            ("Not in the folder of submissions any more, marks left as they were", self.left),
        ):
            if names:
                lines.append(f"{words}: {some(names)}")
        several = [f"  {shown(one.student)}: {note}" for one in done for note in choices(one.notes)]
        if several:
            lines += ["Of several files for one notebook, one counts:", *first_of(several)]
        if not self.sandboxed:
            lines.append("The learners' code ran WITHOUT the sandbox: these marks can be trusted as far as the class.")
        return "\n".join(lines)


# ---- telling


def _submissions(records):
    return plural(len(records), "submission")


def _trouble(record):
    """Why the machinery could not grade something in a submission; "" if it could."""
    return next((one.failures[0] for one in record.notebooks.values() if one.status == "failed"), "")


def _unread(record):
    return any(notebook.status in ("missing", "unreadable") for notebook in record.notebooks.values())
