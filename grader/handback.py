"""Feedback back to learners: their pages in a zip each, and everybody's in one, a folder a student."""

import contextlib
import errno
import hashlib
import io
import json
import logging
import os
import sys
import warnings
import zipfile
from concurrent.futures import ProcessPoolExecutor, as_completed
from concurrent.futures.process import BrokenProcessPool
from copy import deepcopy
from dataclasses import dataclass
from html import escape
from importlib.metadata import version
from pathlib import Path

import sqlalchemy
from nbgrader.api import Gradebook, MissingEntry
from nbgrader.converters import GenerateFeedback
from nbgrader.coursedir import CourseDirectory
from tqdm import tqdm

from grader import feedback
from grader.course import Course
from grader.feedback.safe_html import POLICY
from grader.gradebook import alembic_on_path
from grader.notebook_format import NotebookError

#: What pages are made by: a page is made anew when one of these has changed.
MAKERS = Path(feedback.__file__).parent
#: Beside the pages: what they were made from.
MADE_FROM = ".made-from.json"
DAY = (1980, 1, 1, 0, 0, 0)  # zips hold a time for each file; the same pages are to make the same zip
STYLE = (
    "body{font:16px/1.5 sans-serif;max-width:46em;margin:2em auto;padding:0 1em}"
    "h1{font-size:1.5em}table{border-collapse:collapse}"
    "th,td{padding:.3em 1.2em .3em 0;text-align:left;border-bottom:1px solid #ddd}"
    "td.points,th.points{text-align:right;white-space:nowrap;padding-right:0}"
)


@dataclass(frozen=True)
class _Marks:
    """What the gradebook has of a submission: points and full marks by notebook, and all that pages show of it."""

    notebooks: dict
    late_penalty: float
    unread: bool
    details: tuple


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
    NotebookError
        If there is no such part, student or gradebook, if the disk is full, or if somebody cannot be given feedback; in
        the last case the others' zips have been written.
    """
    notebooks = [path.stem for path in sorted(course.source(part).glob("*.ipynb"))]
    if not notebooks:
        raise NotebookError(f"there is no part {part!r}; there are: {', '.join(course.parts) or 'none'}")
    everybody = sorted({*course.students(part), *_graded(course, part)})
    if not everybody:
        raise NotebookError(
            f"nobody has handed in {part} (looked in {course.submitted(part, 'STUDENT')}); "
            "bring submissions in with: python -m grader collect FOLDER-OR-ZIP"
        )
    chosen = everybody if students is None else sorted({students} if isinstance(students, str) else set(students))
    strangers = [student for student in chosen if student not in everybody]
    if strangers:
        raise NotebookError(
            f"no student {', '.join(map(repr, strangers))} in {part}; there are: {', '.join(everybody)}"
        )
    _must_have_gradebook(course, part)
    alembic_on_path()
    done = sorted(_make_all(course, part, chosen, notebooks), key=lambda one: one.student)
    zips = [one.zip for one in done if one.zip]
    for one in done:
        if not one.zip:
            # What an earlier run packed is no feedback on what is there now.
            _zip_of(course, part, one.student).unlink(missing_ok=True)
    of_all = _pack_all(course, part, everybody)
    _tell(done, part, of_all)
    problems = [f"{one.student}: {one.problem}" for one in done if one.problem]
    if problems:
        raise NotebookError(f"{len(problems)} of {len(done)} students get no feedback:\n  " + "\n  ".join(problems))
    return [*zips, of_all]


def _graded(course, part):
    """Names of those who have graded notebooks."""
    top = course.autograded(part, "STUDENT").parents[1]
    names = (path.name for path in top.iterdir()) if top.is_dir() else ()
    return [name for name in names if course.autograded(part, name).is_dir()]


def _must_have_gradebook(course, part):
    """nbgrader would make an empty gradebook where there is none."""
    url = sqlalchemy.engine.make_url(course.db_url)
    if url.get_backend_name() == "sqlite" and not Path(url.database or "").is_file():
        raise NotebookError(f"there is no gradebook {url.database}; grade first: python -m grader grade {part}")


def _zip_of(course, part, student):
    return course.grading / "returned" / part / f"{student}.zip"


def _make_all(course, part, students, notebooks):
    """Give each student's `_Done`, as they come."""
    tasks = [(course.config, part, student, notebooks) for student in students]
    workers = min(len(tasks), os.cpu_count() or 1)
    if workers == 1:
        return [_checked(_make(*task)) for task in tasks]
    done = []
    try:
        with ProcessPoolExecutor(workers) as pool:
            waiting = [pool.submit(_make, *task) for task in tasks]
            for one in tqdm(as_completed(waiting), total=len(waiting), unit="student", disable=None):
                try:
                    done.append(_checked(one.result()))
                except NotebookError:
                    pool.shutdown(cancel_futures=True)
                    raise
    except BrokenProcessPool:
        raise NotebookError(
            "a process that made pages was ended from outside (is there enough memory?); run the command again"
        ) from None
    return done


def _checked(done):
    if done.problem == FULL:
        raise NotebookError(f"the disk is full, so feedback is not complete; {FULL}, then run the command again")
    return done


FULL = "make room on the disk"


def _make(config, part, student, notebooks):
    """Make a student's pages where they are stale, and pack them."""
    alembic_on_path()
    course = Course(config)
    folder = course.autograded(part, student)
    graded = [name for name in notebooks if (folder / f"{name}.ipynb").is_file()]
    if not graded:
        return _Done(student, problem=f"is not graded yet; run: python -m grader grade {part}")
    try:
        with _quiet():
            marks = _marks(course, part, student)
            made_from = _digest(course, part, student, graded, marks)
            stale = not _are_fresh(course.feedback(part, student), made_from, graded)
            if stale:
                problem = _generate(course, part, student, graded)
                if problem:
                    return _Done(student, problem=problem)
                _write(course.feedback(part, student) / MADE_FROM, json.dumps(made_from).encode())
        pages = {name: (course.feedback(part, student) / f"{name}.html").read_bytes() for name in graded}
        entries = [("index.html", _index(part, student, notebooks, pages, marks).encode())]
        entries += [(f"{name}.html", page) for name, page in pages.items()]
        target = _zip_of(course, part, student)
        _write(target, _zipped(entries))
    except MissingEntry:
        return _Done(student, problem=f"has no marks in the gradebook; run: python -m grader grade {part}")
    except sqlalchemy.exc.SQLAlchemyError as problem:
        return _Done(
            student, problem=f"the gradebook cannot be read ({_first_line(str(problem.args[0]))}); is it in use?"
        )
    except OSError as problem:
        full = problem.errno in (errno.ENOSPC, errno.EDQUOT)
        return _Done(student, problem=FULL if full else f"{problem.filename}: {problem.strerror}")
    return _Done(student, target, stale, marks.unread)


@contextlib.contextmanager
def _quiet():
    """Keep nbgrader's log off the terminal; what fails is told."""
    before = logging.root.manager.disable
    logging.disable(logging.ERROR)
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            yield
    finally:
        logging.disable(before)


def _marks(course, part, student):
    with Gradebook(course.db_url, course.name) as book:
        submission = book.find_submission(part, student)
        notebooks = {one.name: (one.score, one.max_score) for one in submission.notebooks}
        details = []
        for one in sorted(submission.notebooks, key=lambda one: one.name):
            for grade in sorted(one.grades, key=lambda grade: grade.name):
                details.append((one.name, grade.name, grade.score, grade.max_score, grade.needs_manual_grade))
            for comment in sorted(one.comments, key=lambda comment: comment.name):
                details.append((one.name, comment.name, comment.comment))
        penalty = float(submission.late_submission_penalty or 0)
        return _Marks(notebooks, penalty, submission.needs_manual_grade, (*details, penalty))


def _digest(course, part, student, graded, marks):
    """What pages are made from, as a short text that differs when any of it does."""
    parts = [path.read_bytes() for path in sorted(MAKERS.glob("*.py"))]
    parts += [version(name).encode() for name in ("nbgrader", "nbconvert")]
    parts += [(course.autograded(part, student) / f"{name}.ipynb").read_bytes() for name in graded]
    with contextlib.suppress(OSError):
        parts.append(course.record(part, student).read_bytes())
    parts.append(repr(marks.details).encode())
    return hashlib.sha256(b"".join(hashlib.sha256(one).digest() for one in parts)).hexdigest()


def _are_fresh(folder, made_from, graded):
    try:
        return (folder / MADE_FROM).read_text(encoding="utf-8") == json.dumps(made_from) and all(
            (folder / f"{name}.html").is_file() for name in graded
        )
    except (OSError, UnicodeDecodeError):
        return False


class _Pages(GenerateFeedback):
    """nbgrader's own feedback pages, of the part's notebooks only, and nothing beside them."""

    def __init__(self, names, **kwargs):
        super().__init__(**kwargs)
        self._names, self.problem = names, None

    def init_notebooks(self):
        super().init_notebooks()
        for folder, paths in self.assignments.items():
            self.assignments[folder] = [path for path in paths if Path(path).stem in self._names]

    def convert_single_notebook(self, notebook_filename):
        """Remember which notebook has no page, and why."""
        try:
            super().convert_single_notebook(notebook_filename)
        except Exception as problem:
            self.problem = Path(notebook_filename).stem, problem
            raise

    def init_assignment(self, assignment_id, student_id):
        """Copy no other files: what lies beside a submission is not feedback."""


def _generate(course, part, student, graded):
    """Make a student's pages; returns "" if that went well, else the reason."""
    config = deepcopy(course.config)
    config.GenerateFeedback.exporter_class = "grader.feedback.pages.FeedbackPage"
    config.HTMLExporter.template_name = "feedback"
    folders = CourseDirectory(config=config)
    folders.assignment_id, folders.student_id, folders.notebook_id = part, student, "*"
    pages = _Pages(graded, coursedir=folders, config=config)
    pages.force = True
    try:
        pages.start()
    # nbgrader logs what happened and raises something general.
    except Exception as problem:
        name, problem = pages.problem or ("", problem)
        if isinstance(problem, OSError):
            raise problem from None
        said = _first_line(str(problem)) or type(problem).__name__
        return f"no pages could be made{f' of {name}' if name else ''}: {said}"
    return ""


def _first_line(text):
    return text.strip().split("\n")[0][:300]


def _index(part, student, notebooks, pages, marks):
    """The page that lists the pages, with the marks."""
    rows = []
    for name in notebooks:
        points, full = marks.notebooks.get(name, (0.0, 0.0))
        shown = f'<a href="{escape(name)}.html">{escape(name)}</a>' if name in pages else f"{escape(name)} (not graded)"
        rows.append((shown, f"{points:g} of {full:g}"))
    if marks.late_penalty:
        rows.append(("handed in late", f"−{marks.late_penalty:g}"))
    points = sum(one[0] for one in marks.notebooks.values()) - marks.late_penalty
    rows.append(("<b>all</b>", f"<b>{round(points, 2):g} of {sum(one[1] for one in marks.notebooks.values()):g}</b>"))
    table = "".join(f'<tr><td>{shown}</td><td class="points">{worth}</td></tr>' for shown, worth in rows)
    unread = "<p>Your written answers are still to be marked by a person.</p>" if marks.unread else ""
    title = f"{escape(part)}: feedback for {escape(student)}"
    return (
        f'<!DOCTYPE html>\n<html lang="en"><head>{POLICY}<meta charset="utf-8">'
        '<meta name="viewport" content="width=device-width, initial-scale=1">'
        f"<title>{title}</title><style>{STYLE}</style></head>\n<body><h1>{title}</h1>{unread}"
        f'<table><tr><th>notebook</th><th class="points">points</th></tr>{table}</table></body></html>\n'
    )


def _entry(name):
    """The description of a file in a zip, without anything that differs from day to day or machine to machine."""
    entry = zipfile.ZipInfo(name, DAY)
    entry.compress_type, entry.create_system, entry.external_attr = zipfile.ZIP_DEFLATED, 3, 0o644 << 16
    return entry


def _zipped(entries):
    data = io.BytesIO()
    with zipfile.ZipFile(data, "w") as packed:
        for name, content in entries:
            packed.writestr(_entry(name), content)
    return data.getvalue()


def _write(path, data):
    """Write a file in one step; one that is the same already stays."""
    if path.is_file() and path.read_bytes() == data:
        return
    path.parent.mkdir(parents=True, exist_ok=True)
    fresh = path.with_name(f".{path.name}.part")
    try:
        fresh.write_bytes(data)
        fresh.replace(path)
    finally:
        fresh.unlink(missing_ok=True)


def _pack_all(course, part, students):
    """One zip with a folder for each student who has a zip; returns its path."""
    target = course.grading / "returned" / f"{part}.zip"
    zips = {student: path for student in students if (path := _zip_of(course, part, student)).is_file()}
    try:
        # In the zip's comment: what it was made from, so that a class that did not change costs no time.
        made_from = hashlib.sha256(
            b"".join(hashlib.sha256(name.encode()).digest() + _hash(path) for name, path in zips.items())
        ).hexdigest()
        if _comment(target) == made_from:
            return target
        target.parent.mkdir(parents=True, exist_ok=True)
        fresh = target.with_name(f".{target.name}.part")
        try:
            with zipfile.ZipFile(fresh, "w") as packed:
                packed.comment = made_from.encode()
                for student, path in zips.items():
                    with zipfile.ZipFile(path) as own:
                        for name in own.namelist():
                            packed.writestr(_entry(f"{student}/{name}"), own.read(name))
            fresh.replace(target)
        finally:
            fresh.unlink(missing_ok=True)
    except OSError as problem:
        if problem.errno in (errno.ENOSPC, errno.EDQUOT):
            _checked(_Done("", problem=FULL))
        raise NotebookError(f"{target} cannot be written: {problem.strerror}") from None
    return target


def _hash(path):
    with path.open("rb") as file:
        return hashlib.file_digest(file, "sha256").digest()


def _comment(path):
    try:
        with zipfile.ZipFile(path) as packed:
            return packed.comment.decode("utf-8", "replace")
    except (OSError, zipfile.BadZipFile):
        return ""


def _tell(done, part, of_all):
    packed = [one for one in done if one.zip]
    if not packed:
        return
    made = sum(one.made for one in packed)
    print(
        f"Feedback on {part} for {_students(len(packed))}: pages made for {made}, up to date for {len(packed) - made}."
    )
    unread = sum(one.unread for one in packed)
    if unread:
        has = "has" if unread == 1 else "have"
        print(f"{_students(unread)} {has} written answers that nobody has marked yet (make teach, formgrader).")
    print(f"A zip a student: {packed[0].zip.parent}\nAll in one:      {of_all}")
    sys.stdout.flush()


def _students(number):
    return f"{number} student" + ("" if number == 1 else "s")
