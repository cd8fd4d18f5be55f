"""The failure catalogue: faulty and hostile submissions, each with what it deserves, and a course to hand them in to.

`tests/test_catalogue.py` grades all of them with `grader grade`, `scripts/scoreboard.py` with stock nbgrader as well.
The entries are in `submissions/`; to add one, write it there and run both.
"""

import copy
import hashlib
import json
import multiprocessing
import os
import platform
import re
import time
import warnings
from concurrent.futures import ProcessPoolExecutor
from functools import cache
from pathlib import Path

import nbformat
from classroom import grade_by
from nbgrader.api import Gradebook
from submissions import attacks, cheats, damaged, mishaps, misread, thefts  # noqa: F401 - each adds its entries
from submissions.handed import ENTRIES, MASKS, ONE, SCORES, SOFTMAX, THREE, Expected

from grader.classroom.course import Course
from grader.classroom.records import read_record
from grader.classroom.release import course_config, released
from grader.classroom.sandbox.limits import Limits
from grader.desk.sample_class import Student, submission
from grader.notebook import as_json, is_check, marks, read_notebook
from grader.places import ROOT

__all__ = ["ENTRIES", "HONEST", "ONE", "PARTS", "THREE", "Expected"]

SOURCES = {
    SCORES: "1-context-vectors/2-scores",
    SOFTMAX: "1-context-vectors/3-softmax",
    MASKS: "3-multi-head/3-masks",
}
#: Honest students who come first and last in the class; whatever the others do, they have full marks.
HONEST = ("ada", "zoe")
PARTS = {ONE: (SOFTMAX,), THREE: (SCORES, SOFTMAX, MASKS)}

#: For a class in which many never end, seconds and megabytes that an honest notebook does not need.
STRICT = Limits(cell=3.0, call=2.0, notebook=30.0, memory=400)

#: What the last cell of an honest notebook shows, if nobody has damaged what it needs.
SHELL_WORKS = "the shell works"

#: Answers that do not need each other, so that one bad exercise does not take others down.
INDEPENDENT = {
    "softmax_with_temperature": """\
def softmax_with_temperature(x, temperature):
    if temperature <= 0:
        raise ValueError("the temperature must be positive")
    x = (x - x.max(axis=-1, keepdims=True)) / temperature
    return np.exp(x) / np.exp(x).sum(axis=-1, keepdims=True)
""",
}


def configuration(folder):
    """The course's own configuration, with all its folders in another place."""
    config = course_config(ROOT)
    course = config.CourseDirectory
    course.root, course.source_directory, course.release_directory = str(folder), "source", "release"
    for step in ("submitted", "autograded", "feedback"):
        course[f"{step}_directory"] = step
    course.db_url = f"sqlite:///{(Path(folder) / 'gradebook.db').as_posix()}?timeout=60"
    config.Exchange.root = str(Path(folder) / "exchange")
    return config


@cache
def _source(part, name):
    """A source notebook without most of its pictures: two hundred students need not draw them."""
    notebook = read_notebook(ROOT / "solutions" / f"{SOURCES[name]}.ipynb")
    drawn = ("plots.", "widgets.")
    kept = ("picture-steps",) if part == THREE else ()
    notebook.cells = [cell for cell in notebook.cells if cell.id in kept or not cell.source.startswith(drawn)]
    return notebook


@cache
def _handed_out(part):
    """Every notebook of a part as it is handed out, and as an honest student hands it in."""
    config = course_config(ROOT)
    blank = {name: released(copy.deepcopy(_source(part, name)), config) for name in PARTS[part]}
    honest = Student("honest", "everything right", cells=INDEPENDENT)
    solved = {name: submission(honest, copy.deepcopy(blank[name]), _source(part, name)) for name in blank}
    return blank, solved


def full(part):
    """Full marks of each exercise of a part."""
    found = {}
    for notebook in _handed_out(part)[0].values():
        for cell in notebook.cells:
            if is_check(cell):
                found[cell.id] = float(marks(cell)["points"])
    return found


def make_course(folder):
    """Write a course folder: the sources of both parts, its configuration, and the two honest students."""
    folder = Path(folder)
    for part, names in PARTS.items():
        for name in names:
            path = folder / "source" / part / f"{name}.ipynb"
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_text(as_json(_source(part, name)), encoding="utf-8")
        for student in HONEST:
            hand_in(folder, part, student)
    config = json.dumps(configuration(folder), indent=1, sort_keys=True)
    (folder / "nbgrader_config.json").write_text(config, encoding="utf-8")


def hand_in(folder, part, student, make=None):
    """Let a student hand in: an entry's files, or the honest ones."""
    target = Path(folder) / "submitted" / student / part
    target.mkdir(parents=True)
    blank, solved = _handed_out(part)
    if make is not None:
        make(target, blank, solved)
        return
    for name, notebook in solved.items():
        honest = copy.deepcopy(notebook)
        honest.cells.append(nbformat.v4.new_code_cell(f"!echo {SHELL_WORKS}", id="own-shell"))
        (target / f"{name}.ipynb").write_text(as_json(honest), encoding="utf-8")


def grade(folder, part, peaks=None):
    """Grade a part of a made course as `grader grade` does, but with limits that are soon reached.

    Parameters
    ----------
    folder : Path
    part : str
    peaks : list, optional
        Takes the most memory that the workers used, in megabytes.

    Returns
    -------
    dict of str to Record
        By student.
    """
    jobs = os.cpu_count() or 1
    course = Course(configuration(folder))
    context = multiprocessing.get_context("spawn")
    with ProcessPoolExecutor(jobs, mp_context=context, initializer=_as_on_a_desktop) as executor:
        grade_by(executor, course, part=part, jobs=jobs, limits=STRICT)
        if peaks is not None:
            peaks += executor.map(_peak, range(4 * jobs))
    records = {}
    for student in course.students(part):
        records[student] = read_record(course, part, student)
    return records


def _as_on_a_desktop():
    """Give a worker what a desktop's session has and a server's may lack: a keyring that all its processes share."""
    import ctypes

    join_session_keyring, keyctl = 1, {"x86_64": 250, "aarch64": 219}.get(platform.machine())
    if keyctl:
        ctypes.CDLL(None).syscall(keyctl, join_session_keyring, b"attention-course-catalogue")


def _peak(_):
    time.sleep(0.05)  # so that each worker gets a turn
    # Its own peak, in kB: `getrusage` would count what the process had that started it.
    said = Path("/proc/self/status").read_text(encoding="utf-8")
    return int(re.search(r"^VmHWM:\s+(\d+)", said, re.M)[1]) / 1024


def scores(folder, part):
    """The automatic scores in the gradebook, by student and exercise."""
    config = configuration(folder).CourseDirectory
    found = {}
    with warnings.catch_warnings(), Gradebook(config.db_url, config.course_id) as book:
        warnings.simplefilter("ignore")
        for submitted in book.assignment_submissions(part):
            grades = (grade for notebook in submitted.notebooks for grade in notebook.grades)
            found[submitted.student.id] = {grade.name: grade.auto_score for grade in grades}
    return found


def formgrader_page(folder, path):
    """A graded notebook as formgrader shows it."""
    from nbconvert.exporters import HTMLExporter
    from nbgrader.server_extensions.formgrader import handlers

    config = configuration(folder)
    config.HTMLExporter.template_name = "formgrade"
    config.HTMLExporter.extra_template_basedirs = [handlers.template_path]
    names = ("submission_id", "notebook_id", "assignment_id", "next", "prev", "base_url", "student", "last_name")
    names += ("first_name", "notebook_path", "keyword", "my_mathjax_url", "mathjax_url")
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        resources = dict.fromkeys(names, "") | {"index": 0, "total": 1}
        return HTMLExporter(config=config).from_filename(str(path), resources=resources)[0]


def listing(top, leave_out=()):
    """What lies in a folder: by path, the kind of file, its size and a digest of its content."""
    found, waiting = {}, [Path(top)]
    while waiting:  # os.walk gives up where folders are nested too deeply
        for path in waiting.pop().iterdir():
            relative = path.relative_to(top).as_posix()
            if path.name == "__pycache__" or relative.startswith(tuple(leave_out)):
                continue
            about = path.lstat()
            size, digest = 0, ""
            if path.is_symlink():
                digest = os.readlink(path)
            elif path.is_dir():
                waiting.append(path)
            elif path.is_file():
                size = about.st_size
                digest = hashlib.sha256(path.read_bytes()).hexdigest() if size < 50_000_000 else ""
            found[relative] = (about.st_mode, size, digest)
    return found


def points(record):
    """What a record says about each exercise."""
    return {one.id: one.points for notebook in record.notebooks.values() for one in notebook.exercises}


def told(record):
    """All that a record says in words."""
    said = list(record.notes)
    for notebook in record.notebooks.values():
        said += [notebook.status, notebook.file, *notebook.repairs, *notebook.failures]
        for one in notebook.exercises:
            said += [one.state, one.reason, *one.mistakes.values()]
    return "\n".join(said)
