"""Remove a student from everything that collecting and grading have made in a course."""

import contextlib
import html
import json
import re
import shutil
import zipfile
from collections import defaultdict
from pathlib import Path
from urllib.parse import quote

from nbgrader.api import Gradebook, MissingEntry
from sqlalchemy import make_url

from grader.classroom.collect.lms_names import safe_name
from grader.classroom.collect.origins import read_origin
from grader.classroom.export.platforms import PLATFORMS, part_of_origin
from grader.classroom.export.roster import NAME, read_roster
from grader.classroom.feedback.packed import zip_of_all
from grader.classroom.gradebook.faults import FAULTS, unusable
from grader.classroom.marking import report, storing
from grader.classroom.records import read_records
from grader.classroom.report.anonymous import made_names
from grader.classroom.staging import STAGING, one_at_a_time
from grader.errors import CourseError, UnknownName
from grader.files import cannot_write, write_whole
from grader.words import plural, shown

AGAIN = "run the command again: it goes on where it was"
#: A folder in grading/ that holds a whole made course (see `grader.desk.demo`).
MARK = ".made-by-the-demo"
LARGEST = 200 * 2**20


def forget(course, student, sure=False):
    """Remove a student: files, marks, feedback, records, lines of logs, and what reports and exports say.

    Whatever is the student's alone is removed, the reports and the zip of everybody's feedback are made anew without
    the student, and exports and collections of wrong answers, which are made by a command, go. The gradebook is written
    anew, so that nothing is left in its free pages. Where this is killed, the same command goes on.

    Parameters
    ----------
    course : Course
    student : str
    sure : bool
        False only lists what would go.

    Returns
    -------
    int
        0, or 1 if the student is still named in a file that nobody but a person can put right.

    Raises
    ------
    UnknownName
        If nothing is there of such a student.
    CourseError
        If something cannot be removed, or while another command collects or grades.
    """
    if student in course.parts or not student or "/" in student or student.startswith("."):
        raise UnknownName(f"{shown(student)!r} is no student's name")
    if not course.grading.is_dir():
        raise UnknownName(f"nothing is there of a student {shown(student)!r}")
    with _nobody_else_writing(course) if sure else contextlib.nullcontext():
        return _forget(course, student, sure)


def _forget(course, student, sure):
    own, words = _own(course, student), _words(course, student)
    in_book = _in_gradebook(course, student)
    alone = {path for path in _files(course) if path in own or any(one in path.parents for one in own)}
    on_roster = {course.grading / NAME} if _on_roster(course, student) else set()
    named = [
        path for path in _files(course) if path not in alone and (path in on_roster or _names(path, student, words))
    ]
    if not (own or in_book or named):
        raise UnknownName(f"nothing is there of a student {shown(student)!r} in {course.grading}")
    parts, others = [part for part in course.parts if _had(course, part, own, named)], _namesakes(course, student)
    if others:
        print(f"Of the same name, and maybe the same person, whom the platform has numbered anew: {', '.join(others)}.")
    if not sure:
        print(f"Of {shown(student)} this would go, for good:")
        book = [f"marks and comments in the gradebook ({course.db_url})"] if in_book else []
        said = [f"what {path} says" for path in named if not _is_yours(course, path)]
        print("\n".join(f"  {what}" for what in (*own, *book, *said) or ["nothing"]))
        if yours := [path for path in named if _is_yours(course, path)]:
            print("These files are yours, and would stay as they are:")
            print("\n".join(f"  {path}" for path in yours))
        print("Do it with --yes.")
        return 0
    try:
        _remove_marks(course, student)
        # What collecting left when it was killed may be anybody's.
        for path in course.submitted("PART", "STUDENT").parents[1].glob(f"{STAGING}*"):
            _remove(path)
        origins = [path for path in own if path.is_relative_to(course.grading / "origins")]
        for path in own:
            if path not in origins:
                _remove(path)
        _make_anew(course, student, parts, named)
        yours = [path for path in _files(course) if _is_yours(course, path)]
        left = [path for path in yours if path in on_roster or _names(path, student, words)]
        # They say under which other names the student may still be found, so they go last.
        for path in origins:
            _remove(path)
    except OSError as problem:
        raise cannot_write(problem, AGAIN) from None
    gone = plural(len(own), "folder or file", "folders and files") + " of their own"
    print(f"{shown(student)} is removed: {gone}{', and the marks' * in_book}.")
    if parts:
        print(f"Made anew without the student, where it was there: report and everybody's zip of {', '.join(parts)}.")
        print("Exports and files of unnamed mistakes of these are gone: make them again where you need them.")
    print("What your learning platform, your downloads, your backups and git have of the student stays there.")
    if left:
        print("These files are yours, and still name the student; put them right yourself:")
        print("\n".join(f"  {path}" for path in left))
    return 1 if left else 0


@contextlib.contextmanager
def _nobody_else_writing(course):
    """Keep away, or be kept away by, commands that collect or grade: they would write the student in again."""
    words = "another command is collecting; wait until it is done, then run the command again"
    with contextlib.ExitStack() as held:
        held.enter_context(one_at_a_time(course.grading, words))
        for part in course.parts:
            if course.record(part, "any").parent.is_dir():
                held.enter_context(storing.alone(course, part))
        yield


def _own(course, student):
    """The folders and files that are the student's alone."""
    grading, found = course.grading, []
    for part in course.parts or ["PART"]:
        for place in (course.submitted, course.autograded, course.feedback):
            folder = place(part, student)
            top = folder.parent if folder.name == part else folder
            found += [top, *(top.with_name(f".{top.name}.{end}") for end in ("new", "old"))]
    for top in sorted(grading.iterdir()):
        if not top.is_dir() or top.is_symlink() or _is_made(top):
            continue
        if top.name in ("submitted", "autograded", "feedback"):
            continue
        for path in (*top.glob("*"), *top.glob("*/*"), *top.glob("*/inbound/*")):
            name = path.name
            half = name.startswith((f".{student}.json.", f".{student}.zip.")) and name.endswith(".part")
            whole = name in (student, f"{student}.json", f"{student}.zip") or name.startswith(f"{student}+")
            if half or whole:
                found.append(path)
    there = dict.fromkeys(path for path in found if path.exists() or path.is_symlink())
    return [path for path in there if not any(other in path.parents for other in there)]


def _words(course, student):
    """A pattern for the names by which files may know the student, as text, in JSON, in HTML and in addresses."""
    names = {student}
    for part in course.parts:
        origin = read_origin(course, part, student)
        names |= {origin.identity, *origin.files.values()}
    forms = set()
    for name in filter(None, names):
        safe = name.encode("utf-8", "surrogateescape").decode("utf-8", "replace")
        forms |= {safe, json.dumps(name)[1:-1], html.escape(safe), quote(name, errors="surrogateescape")}
    pattern = "|".join(re.escape(form) for form in sorted(forms, key=len, reverse=True))
    return re.compile(rf"(?<![\w@.-])(?:{pattern})(?![\w@-]|\.\w)".encode())


def _namesakes(course, student):
    """Who has the same name under another number: Moodle and Brightspace number students anew in each assignment."""
    names = defaultdict(set)
    for path in (course.grading / "origins").glob("*/*.json"):
        for file in read_origin(course, path.parent.name, path.stem).files.values():
            found = filter(None, (part_of_origin(platform, file) for platform in PLATFORMS.values()))
            names[path.stem] |= {safe_name(one[0]["name"], lower=True) for one in found}
    return sorted(shown(other) for other in names if other != student and names[other] & names.get(student, set()))


def _on_roster(course, student):
    """Whether a platform's own table, which writes names in its own way, has a row that is the student's."""
    with contextlib.suppress(CourseError):
        return any(read_roster(course, part, [student]) for part in course.parts)
    return False


def _is_made(folder):
    return (folder / MARK).exists()


def _files(course):
    """The files below grading/ that are nobody's own, but for a made course in a folder of its own."""
    alone = {course.submitted("PART", "STUDENT"), course.autograded("PART", "STUDENT"), course.feedback("PART", "x")}
    alone = {path.relative_to(course.grading).parts[0] for path in alone if path.is_relative_to(course.grading)}
    alone |= {"records", "origins", "attempts", "replaced"}
    waiting = [course.grading]
    while waiting:
        for path in sorted(waiting.pop().iterdir()):
            if path.is_symlink() or (path.parent == course.grading and path.name in alone):
                continue
            if path.is_dir():
                if not _is_made(path):
                    waiting.append(path)
            elif path.is_file() and not _is_gradebook(course, path):
                yield path


def _is_gradebook(course, path):
    url = make_url(course.db_url)
    return url.get_backend_name() == "sqlite" and path == Path(url.database or "")


def _is_yours(course, path):
    """Whether a file that names several is a person's own: nothing makes it anew."""
    made = [course.report("x").parent, *(course.grading / name for name in ("returned", "exports", "unnamed"))]
    of_ours = path.name.endswith((".jsonl", ".part")) or path == course.grading / "names.csv"
    return not (of_ours or any(folder in path.parents for folder in made))


def _names(path, student, words):
    """Whether a file for everybody has something about the student."""
    with contextlib.suppress(OSError, zipfile.BadZipFile, ValueError):
        if path.suffix == ".jsonl":
            return any(_is_about(line, student) for line in path.read_bytes().splitlines())
        if path.suffix == ".zip":
            with zipfile.ZipFile(path) as packed:
                return any(words.search(name.encode("utf-8", "surrogateescape")) for name in packed.namelist())
        # A report's page is written with its table, in which names stand apart from all else.
        if path.suffix == ".html" or path.stat().st_size > LARGEST:
            return False
        data = path.read_bytes()
        if data.startswith((b"\xff\xfe", b"\xfe\xff")):
            data = data.decode("utf-16", "replace").encode("utf-8", "replace")
        return bool(words.search(data))
    return False


def _is_about(line, student):
    """Whether a line of a log is about the student; one that a killed run left unfinished only has the name."""
    try:
        about = json.loads(line)
        return isinstance(about, dict) and about.get("student") == student
    except ValueError:
        return json.dumps(student)[1:-1].encode() in line


def _had(course, part, own, named):
    """Whether the student had something in a part, or a file for everybody in it names the student."""
    return any((path / part).exists() or path.parent.name == part for path in own) or any(
        path.name.startswith(f"{part}.") or path.name.startswith(f"{part}-") or path.parent.name == part
        for path in named
    )


def _remove(path):
    if path.is_dir() and not path.is_symlink():
        for inner in path.rglob("*"):  # graded notebooks and their folders may be read-only
            if inner.is_dir() and not inner.is_symlink():
                inner.chmod(0o700)
        path.chmod(0o700)
        shutil.rmtree(path)
    else:
        path.unlink(missing_ok=True)


# ---- the gradebook


def _no_gradebook(course):
    url = make_url(course.db_url)
    return url.get_backend_name() == "sqlite" and not Path(url.database or "").is_file()


def _in_gradebook(course, student):
    if _no_gradebook(course):
        return False
    try:
        with Gradebook(course.db_url, course.name) as book:
            book.find_student(student)
            return True
    except MissingEntry:
        return False
    except FAULTS as problem:
        raise unusable(course.db_url, problem, AGAIN) from problem


def _remove_marks(course, student):
    """Take the student out of the gradebook, and what was the student's out of its free pages."""
    if _no_gradebook(course):
        return
    try:
        with Gradebook(course.db_url, course.name) as book:
            with contextlib.suppress(MissingEntry):
                book.remove_student(student)
            if book.engine.dialect.name == "sqlite":
                book.db.close()
                with book.engine.connect().execution_options(isolation_level="AUTOCOMMIT") as db:
                    db.exec_driver_sql("VACUUM")
    except FAULTS as problem:
        raise unusable(course.db_url, problem, AGAIN) from problem


# ---- what is made of everybody's


def _make_anew(course, student, parts, named):
    for path in named:
        if path.suffix == ".jsonl":
            _without_lines(path, student)
        elif path.is_relative_to(course.grading / "exports") or path.name.endswith(".part"):
            path.unlink(missing_ok=True)
    for part in parts:
        _remove(course.grading / "unnamed" / part)
        for path in (course.grading / "exports").glob(f"{part}-*"):
            path.unlink(missing_ok=True)
        page = course.report(part)
        anonymous = [page.with_name(f"{part}-anonymous{ending}") for ending in (".html", ".csv")]
        had = [any(path.exists() for path in some) for some in ([page, page.with_suffix(".csv")], anonymous)]
        if read_records(course, part):
            for wanted, made in zip(had, (False, True), strict=True):
                if wanted:
                    report(course, part, anonymous=made)
        else:
            for path in (page, page.with_suffix(".csv"), *anonymous):
                path.unlink(missing_ok=True)
        of_all = course.grading / "returned" / f"{part}.zip"
        zips = {path.stem: path for path in sorted((course.grading / "returned" / part).glob("*.zip"))}
        if zips:
            write_whole(of_all, zip_of_all(zips))
        else:
            of_all.unlink(missing_ok=True)
    if (course.grading / "names.csv").exists():
        made_names(course)


def _without_lines(path, student):
    """A log without the lines about the student."""
    lines = path.read_bytes().splitlines(keepends=True)
    write_whole(path, b"".join(line for line in lines if not _is_about(line, student)))
