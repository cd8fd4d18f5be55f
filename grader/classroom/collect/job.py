"""What learning platforms give -> grading/submitted/<student>/<part>/: the way in.

A folder or a zip is read (`unpack`, `reading`), each notebook's student is read off its path (`lms_names`), its part
off its path or its cells. Everything is first copied beside the submissions, and then put into place, a student's
files all at once (`placing`).
"""

import contextlib
from pathlib import Path

from grader.classroom.collect.collected import Collected
from grader.classroom.collect.placing import Placer
from grader.classroom.collect.reading import Reader
from grader.classroom.collect.unpack import Allowance, opened
from grader.classroom.staging import STAGING, one_at_a_time, staging, sweep
from grader.errors import CourseError
from grader.files import cannot_write


def collect(course, source, part=None, replace=False, allowance=None):
    """Bring submissions in from a folder or a zip, as a learning platform gives it.

    Nothing is followed, unpacked or overwritten on trust: a file that is not in order costs itself only, and is told.
    Collecting the same once more changes nothing.

    Parameters
    ----------
    course : Course
    source : Path
        A folder or a zip.
    part : str, optional
        The part that was handed in; by default each notebook's own, by its folder, its cells or its name.
    replace : bool
        Let a notebook that differs from the one that is there take its place; the old one is put aside.
    allowance : Allowance, optional

    Returns
    -------
    Collected

    Raises
    ------
    UnknownName
        If there is no such part.
    CourseError
        If the source cannot be read at all, or if nothing can be written.
    """
    part = None if part is None else course.find_part(part)
    source, top = Path(source), course.submitted("PART", "STUDENT").parents[1]
    _must_lie_apart(source, top)
    allowance, result = allowance or Allowance(), Collected()
    try:
        words = "another command is collecting; wait until it is done, then collect once more"
        with one_at_a_time(course.grading, words), staging(top) as folder:
            sweep(course)
            there = {path.name for path in top.iterdir() if not path.name.startswith(STAGING)}
            reader = Reader(course, part, allowance, there, result, folder)
            with opened(source, allowance) as found:
                reader.read(found)
            reader.tell_of_those_without()
            reader.tell_of_late_ones()
            Placer(reader).place(replace)
    except OSError as problem:
        raise cannot_write(problem, "collect once more; what was there is as it was", top) from None
    return result


def _must_lie_apart(source, top):
    with contextlib.suppress(OSError):
        here, there = source.resolve(), top.resolve()
        if here == there or there in here.parents or here in there.parents:
            raise CourseError(
                f"{source} and the folder of submissions {top} lie one in the other; "
                "put what your learning platform gave into a folder of its own"
            )
