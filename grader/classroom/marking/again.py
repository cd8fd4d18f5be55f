"""An exercise that was mended is judged anew for everybody: who changes is shown before anything is written."""

import difflib
import sys
from concurrent.futures import BrokenExecutor
from dataclasses import dataclass, replace

import nbformat
from tqdm import tqdm

from grader.classroom.marking import workers
from grader.classroom.marking.changes import changes, changes_path, keep_changes, table
from grader.classroom.marking.flight import Flight
from grader.classroom.marking.grade import make_plan, report
from grader.classroom.marking.storing import alone, cannot_write, replace_folder, sweep
from grader.classroom.records import read_records, write_record
from grader.classroom.sandbox.warm import refuse_elsewhere
from grader.errors import CourseError, UnknownName
from grader.notebook import as_bytes, grade_id, is_answer, is_check
from grader.words import listed, plural, shown, some


@dataclass
class _New:
    """What judging again gave for a student: the new record, and the cells of the graded notebooks that differ."""

    record: object
    old: object
    cells: dict


def judge_again(course, part, exercises=None, students=None, jobs=None, sandboxed=True, yes=False, limits=None):
    """Judge exercises anew, as they are now, and write the marks that differ if a person says yes.

    All else that was graded stays as it is: other exercises, points by hand, repairs. The old marks are kept in a log.

    Parameters
    ----------
    course : grader.classroom.course.Course
    part : str
    exercises : iterable of str, optional
        Their ids; by default all of the part.
    students : iterable of str, optional
        Whose; by default of all who have been graded.
    jobs, sandboxed, limits
        As for `grader.classroom.marking.grade`.
    yes : bool
        Write without asking. Otherwise a person at a terminal is asked, and where there is none, nothing is written.

    Returns
    -------
    int
        0, or 1 if somebody's answer could not be judged again.

    Raises
    ------
    UnknownName
        If there is no such exercise or student.
    CourseError
        If nothing has been graded, or judging cannot go on; then nothing has been written.
    """
    refuse_elsewhere()
    released = course.released(part)
    where = _places(released, exercises)
    old = {record.student: record for record in read_records(course, part)}
    if not old:
        raise CourseError(f"{part} has not been graded yet; do that with: python -m grader grade {part}")
    chosen = [*old] if students is None else [*dict.fromkeys(students)]
    for name in chosen:
        if name not in old:
            raise UnknownName(f"{shown(name)} has not been graded in {part}")
    jobs = max(1, min(jobs or workers.processors(), len(chosen)))
    try:
        with workers.local_workers(jobs, sandboxed) as crew:
            crew.wait(limits)
            with alone(course, part):
                sweep(course, part)
                plan = make_plan(course, part, released, sandboxed, limits)
                again = _Again(course, plan, where, {name: old[name] for name in chosen})
                again.judge(crew)
                crew.finish()
                print(again.summary())
                if again.new and (yes or _asked()):
                    again.write()
                    page, marks = report(course, part)
                    print(f"Written. The old marks are kept: {changes_path(course)}")
                    print(f"Report:   {page}\nMarks:    {marks}")
                elif again.new:
                    print("Nothing was written." + ("" if sys.stdin.isatty() else " --yes writes these marks."))
    except (BrokenExecutor, ImportError) as problem:
        raise CourseError(f"the workers cannot be started ({problem}); if memory is short, try --jobs 1") from problem
    except OSError as problem:
        raise cannot_write(problem) from problem
    for name, why in again.left.items():
        print(f"{shown(name)} keeps the old marks: {why}", file=sys.stderr)
    return 1 if again.left else 0


def _places(released, exercises):
    """The chosen exercises by the notebook in which they are."""
    there = {grade_id(cell): name for name, notebook in released.items() for cell in notebook.cells if is_check(cell)}
    for one in exercises or ():
        if one not in there:
            near = difflib.get_close_matches(one, there, 1)
            hint = f"did you mean {near[0]}?" if near else f"there are: {', '.join(there)}"
            raise UnknownName(f"there is no exercise {one}; {hint}")
    places = {}
    for one, name in there.items():
        if exercises is None or one in exercises:
            places.setdefault(name, []).append(one)
    return places


def _asked():
    """Whether a person says yes; nobody does where there is no terminal."""
    if not sys.stdin.isatty():
        return False
    try:
        return input("Write these marks? [y/N] ").strip().casefold() in ("y", "yes")
    except EOFError:
        return False


class _Again:
    """Judging some exercises again: what came out, and who is left as they were."""

    def __init__(self, course, plan, where, old):
        self.course, self.plan, self.where, self.old = course, plan, where, old
        self.new, self.left, self.same = {}, {}, 0

    def judge(self, crew):
        """Judge; nothing is written."""
        part = self.plan.part
        folders = {name: self.course.submitted(part, name) for name in self.old}
        for name, one in self.old.items():
            if one.attempt:  # the best was an earlier one
                folders[name] = self.course.attempts(part, name) / one.attempt
        quiet = not sys.stderr.isatty() or None
        with tqdm(total=len(folders), unit="submission", file=sys.stderr, disable=quiet) as bar:
            for graded in Flight(crew, self.plan, folders, self.where).results():
                self._compare(graded)
                bar.update()

    def _compare(self, graded):
        name = graded.record.student
        old, notebooks, cells = self.old[name], dict(self.old[name].notebooks), {}
        for notebook, exercises in self.where.items():
            now, was = graded.record.notebooks[notebook], notebooks.get(notebook)
            if now.status == "failed":
                self.left[name] = now.failures[0]
                return
            fresh = nbformat.reads(graded.files[f"{notebook}.ipynb"].decode(), as_version=4)
            there = self._graded(name, notebook)
            if was is None or there is None or was.status != now.status or _answers(there) != _answers(fresh):
                words = "what lies in the folder of submissions is not what was graded"
                self.left[name] = f"{words}; python -m grader grade {self.plan.part} --only {shown(name)} grades it"
                return
            results = {one.id: one for one in was.exercises}
            results |= {one.id: one for one in now.exercises if one.id in exercises or one.id not in results}
            order = [one.id for one in now.exercises]
            notebooks[notebook] = replace(was, exercises=tuple(results[one] for one in order))
            checks = {grade_id(cell): cell for cell in fresh.cells if is_check(cell) and grade_id(cell) in exercises}
            for cell in there.cells:
                check = checks.get(grade_id(cell))
                if check is not None:
                    check["id"] = cell.get("id", check.get("id"))
                    check.execution_count = cell.get("execution_count")
                    if check != cell:
                        cells.setdefault(notebook, {})[grade_id(cell)] = check
        record = replace(old, notebooks=notebooks)
        if record == old and not cells:
            self.same += 1
        else:
            self.new[name] = _New(record, old, cells)

    def _graded(self, student, notebook):
        """A graded notebook, or None."""
        path = self.course.autograded(self.plan.part, student) / f"{notebook}.ipynb"
        try:
            return nbformat.read(path, as_version=4)
        except Exception:  # nothing there, or nothing that can be read: it has to be graded
            return None

    @property
    def changes(self):
        """Every mark that differs."""
        return [change for one in self.new.values() for change in changes(one.old, one.record)]

    def summary(self):
        """Whose marks change by how much."""
        found = self.changes
        judged = len(self.new) + self.same
        exercises = [one for some in self.where.values() for one in some]
        what = listed(exercises) if len(exercises) < 5 else plural(len(exercises), "exercise")
        changed = {one.student for one in found}
        lines = [f"{what}: judged again for {plural(judged, 'student')}; the marks of {len(changed)} change."]
        lines += table(found)
        if found:
            was, now = (sum(getattr(one, when) or 0.0 for one in found) for when in ("before", "after"))
            lines.append(f"On average that is {(now - was) / judged:+.3g} points a student.")
        if several := [name for name in self.old if self.old[name].attempts]:
            lines.append(
                f"Only the attempt that counts was judged of {some(several)}: whether another one is the best now says "
                f"python -m grader grade {self.plan.part} --resume"
            )
        words = set(self.new) - changed
        if words:
            lines.append(f"Only what the check says differs, and no points: {some(words)}")
        return "\n".join(lines)

    def write(self):
        """Write what differs: for each student the log, the graded notebooks, the gradebook, the record."""
        from grader.classroom.gradebook.part_book import PartBook  # takes a while to import

        with PartBook(self.course, self.plan.part, self.plan.released) as book:
            there = book.graded()
            for name, new in self.new.items():
                if name not in there:
                    words = "the gradebook has no submission of theirs"
                    self.left[name] = f"{words}; grade it first: python -m grader grade {self.plan.part}"
                    continue
                differing = changes(new.old, new.record)
                keep_changes(self.course, self.plan.part, differing, self.plan.version)
                folder = self.course.autograded(self.plan.part, name)
                files = {path.name: path.read_bytes() for path in folder.iterdir() if path.is_file()}
                files |= {
                    f"{notebook}.ipynb": self._with(name, notebook, cells) for notebook, cells in new.cells.items()
                }
                replace_folder(folder, files)
                points = {}
                for one in differing:
                    points.setdefault(one.notebook, {})[one.exercise] = one.after
                book.rescore(name, points)
                write_record(self.course, new.record)

    def _with(self, student, notebook, cells):
        """The text of a graded notebook with some cells in place of those of the same name."""
        there = self._graded(student, notebook)
        there.cells = [cells.get(grade_id(cell), cell) for cell in there.cells]
        return as_bytes(there)


def _answers(notebook):
    """What a student wrote where answers belong."""
    return {grade_id(cell): cell.source for cell in notebook.cells if is_answer(cell)}
