"""Feedback back to learners: their pages in a zip each, and everybody's in one, a folder a student."""

import multiprocessing
import multiprocessing.connection
import os
import threading
from concurrent.futures import ProcessPoolExecutor, as_completed
from concurrent.futures.process import BrokenProcessPool
from dataclasses import dataclass
from pathlib import Path

from grader.classroom.course import Course
from grader.classroom.feedback.packed import zip_of_all, zip_of_student
from grader.classroom.feedback.student import graded_notebooks, make_pages
from grader.classroom.gradebook.cells import marks_of, must_have_gradebook
from grader.classroom.gradebook.late import settle
from grader.classroom.staging import sweep
from grader.errors import CourseError, UnknownName
from grader.files import cannot_write, is_full, write_whole
from grader.pace import pace
from grader.words import plural

AGAIN = "run the command again"


@dataclass(frozen=True)
class _Done:
    """What came of a student: the zip, or why there is none."""

    student: str
    zip: Path | None = None
    made: bool = False
    unread: bool = False
    problem: str = ""


def hand_back(course, part, students=None):
    """Make the feedback pages of a part and pack them: a zip a student, and one of all for a learning platform.

    Pages are made only where there are none, or where a mark, a comment, the graded notebook or what grading found has
    changed since. The same pages make the same zips, byte for byte.

    Parameters
    ----------
    course : Course
    part : str
    students : iterable of str, optional
        Only these; by default everybody who handed in something.

    Returns
    -------
    list of Path
        The zip of each student, in the order of their names, and at last the one of all.

    Raises
    ------
    UnknownName
        If there is no such part or student.
    DiskFull
        If the disk is full.
    CourseError
        If there is no gradebook, or if somebody cannot be given feedback; in the last case the others' zips have been
        written.
    """
    part = course.find_part(part)
    everybody = sorted({*course.students(part), *_graded(course, part)})
    if not everybody:
        raise CourseError(
            f"nobody has handed in {part} (looked in {course.submitted(part, 'STUDENT')}); "
            "bring submissions in with: python -m grader collect FOLDER-OR-ZIP"
        )
    chosen = everybody if students is None else sorted({students} if isinstance(students, str) else set(students))
    strangers = [student for student in chosen if student not in everybody]
    if strangers:
        raise UnknownName(f"no student {', '.join(map(repr, strangers))} in {part}; there are: {', '.join(everybody)}")
    must_have_gradebook(course, part)
    sweep(course)
    settle(course, part)  # an extension that was given since
    done = sorted(_each([(course.config, part, student) for student in chosen]), key=lambda one: one.student)
    for one in done:
        if not one.zip:
            # What an earlier run packed is no feedback on what is there now.
            course.returned(part, one.student).unlink(missing_ok=True)
    of_all = course.grading / "returned" / f"{part}.zip"
    zips = {student: path for student in everybody if (path := course.returned(part, student)).is_file()}
    try:
        _keep(of_all, zip_of_all(zips))
    except OSError as problem:
        raise cannot_write(problem, AGAIN) from None
    _tell(done, part, of_all)
    problems = [f"{one.student}: {one.problem}" for one in done if one.problem]
    if problems:
        raise CourseError(
            f"{len(problems)} of {plural(len(done), 'student')} get no feedback:\n  " + "\n  ".join(problems)
        )
    return [*(one.zip for one in done), of_all]


def _graded(course, part):
    """Names of those who have graded notebooks."""
    top = course.autograded(part, "STUDENT").parents[1]
    names = (path.name for path in top.iterdir()) if top.is_dir() else ()
    return [name for name in names if _may_be_there(course.autograded(part, name))]


def _may_be_there(folder):
    """True for a folder, and where nobody may look: that is told of its student, and stops nobody else."""
    try:
        return folder.is_dir()
    except PermissionError:
        return True


def _keep(path, data):
    """Write a file whole; one that is the same already stays as it is."""
    if not path.is_file() or path.read_bytes() != data:
        write_whole(path, data)


def _each(tasks):
    """Give each student's `_Done`, as they come."""
    workers = min(len(tasks), os.cpu_count() or 1)
    if workers == 1:
        yield from (_hand_back_to(*task) for task in tasks)
        return
    try:
        with ProcessPoolExecutor(workers, initializer=_end_with_the_command) as pool:
            waiting = [pool.submit(_hand_back_to, *task) for task in tasks]
            try:
                with pace(len(waiting), "student") as bar:
                    for one in as_completed(waiting):
                        bar.update()
                        yield one.result()
            finally:
                pool.shutdown(cancel_futures=True)
    except BrokenProcessPool:
        raise CourseError(
            f"a process that made pages was ended from outside (is there enough memory?); {AGAIN}"
        ) from None


def _end_with_the_command():
    """Begin a process that makes pages: it ends with the one that has started it, however that ends."""

    def watch():
        multiprocessing.connection.wait([multiprocessing.parent_process().sentinel])
        os._exit(1)

    threading.Thread(target=watch, daemon=True).start()


def _hand_back_to(config, part, student):
    """Make a student's pages and pack them; what concerns the student alone is told, not raised."""
    try:
        return _packed(Course(config), part, student)
    except OSError as problem:
        if is_full(problem):
            raise cannot_write(problem, AGAIN) from None
        return _Done(student, problem=f"{problem.filename}: {problem.strerror}")
    except CourseError as problem:
        return _Done(student, problem=str(problem))


def _packed(course, part, student):
    notebooks = [path.stem for path in sorted(course.source(part).glob("*.ipynb"))]
    graded = graded_notebooks(course, part, student)
    if not graded:
        raise CourseError(f"is not graded yet; run: python -m grader grade {part}")
    marks = marks_of(course, part, student)
    made = make_pages(course, part, student, graded, marks)
    pages = {name: (course.feedback(part, student) / f"{name}.html").read_bytes() for name in graded}
    target = course.returned(part, student)
    _keep(target, zip_of_student(part, student, notebooks, pages, marks))
    return _Done(student, target, made, marks.unread)


def _tell(done, part, of_all):
    packed = [one for one in done if one.zip]
    if not packed:
        return
    made, unread = (sum(getattr(one, name) for one in packed) for name in ("made", "unread"))
    print(
        f"Feedback on {part} for {plural(len(packed), 'student')}: "
        f"pages made for {made}, up to date for {len(packed) - made}."
    )
    if unread:
        waiting = plural(unread, "student has", "students have")
        print(f"{waiting} written answers that nobody has marked yet (make teach, formgrader).")
    print(f"A zip a student: {packed[0].zip.parent}\nAll in one:      {of_all}", flush=True)
