"""The course's commands: `python -m grader COMMAND`, from any folder."""

import argparse
import contextlib
import os
import sys
import tempfile
from pathlib import Path

from grader import quick
from grader.errors import CourseError, UnknownName
from grader.files import disk_full, is_full
from grader.places import RELEASED, ROOT, SOLUTIONS, WORK, find_notebook

# Each command imports what it needs by itself: `show` should not wait for nbgrader.


def lab(args):
    """Open JupyterLab on your own copies of the notebooks, in work/."""
    from grader.desk.lab import lab

    return lab(port=args.port, browser=args.browser)


def teach(args):
    """Open JupyterLab on the repository, with nbgrader's formgrader; with --demo, on the made class of `demo`."""
    from grader.desk.lab import teach

    if args.demo:
        from grader.desk.demo import FOLDER, prepare

        return teach(port=args.port, browser=args.browser, prepare=prepare, course=FOLDER)
    from grader.classroom.gradebook.cells import register_all

    return teach(port=args.port, browser=args.browser, prepare=lambda: register_all(ROOT))


def release(args):
    """Make notebooks/ anew from solutions/; with --check, only compare them."""
    from grader.classroom.release import release

    if not args.check:
        for name in release(ROOT, model_answers=args.model_answers):
            print(f"wrote notebooks/{name.as_posix()}")
        return 0
    with tempfile.TemporaryDirectory() as folder:
        fresh = Path(folder) / "notebooks"
        release(ROOT, fresh, args.model_answers)
        differing = _differing(fresh, RELEASED)
    for name in differing:
        print(f"notebooks/{name} differs from a fresh release")
    print("mend it with: python -m grader release" if differing else "notebooks/ is a fresh release of solutions/")
    return 1 if differing else 0


def _differing(fresh, present):
    """Names of the files that two folders do not have alike."""
    here, there = (
        {path.relative_to(top): path for path in top.rglob("*") if path.is_file()} for top in (fresh, present)
    )
    return sorted(
        name.as_posix()
        for name in here.keys() | there.keys()
        if ".ipynb_checkpoints" not in name.parts
        and (name not in here or name not in there or here[name].read_bytes() != there[name].read_bytes())
    )


def normalize(args):
    """Rewrite notebooks in the normal form in which they are committed."""
    from grader.notebook import normalize

    notebooks = []
    for path in args.paths or [SOLUTIONS]:
        if not path.exists():
            raise UnknownName(f"{path} does not exist")
        found = sorted(path.rglob("*.ipynb")) if path.is_dir() else [path]
        notebooks += [one for one in found if ".ipynb_checkpoints" not in one.parts]
    changed = normalize(notebooks)
    for path in changed:
        print(f"rewrote {path}")
    print(f"{len(changed)} of {len(notebooks)} notebooks changed")
    return 0


def show(args):
    """Print a notebook as readable text (a path, or a name such as 3-softmax in solutions/)."""
    from grader.notebook import read_notebook, show

    path = Path(args.notebook)
    if not path.is_file():
        path = SOLUTIONS / find_notebook(args.notebook, SOLUTIONS)
    sys.stdout.write(show(read_notebook(path)))
    return 0


def reset(args):
    """Get a notebook in work/ afresh, in its newest edition, with your answers; your old one is kept beside it."""
    from grader.desk.reset import reset

    done = reset(args.notebook, empty=args.empty)
    if done.kept is None:
        print(f"{done.notebook} is as fresh as a reset makes it")
    else:
        print(f"{done.notebook} is fresh again.", *done.told, sep="\n")
        print(f"Your old one is kept: {done.kept}")
        print("If the notebook is open in JupyterLab: File -> Reload Notebook from Disk, without saving.")
    return 0


def progress(args):
    """Print what is done and how many points it has earned, by what each check in work/ said last."""
    from grader.progress import read_progress, table

    if args.folder is not None and not args.folder.is_dir():
        raise UnknownName(f"there is no folder {args.folder}")
    rows = read_progress(args.folder)
    if args.folder is None and not WORK.is_dir():
        print("You have not begun yet: make lab (or python -m grader lab) opens the course.\n")
    print(table(rows))
    return 0


def unnamed(args):
    """Write your answers that failed without a name to small files that you can send (or those of a graded PART)."""
    from grader.desk.unnamed import unnamed

    print(unnamed(args.part, args.folder))
    return 0


def mine(args):
    """List your own functions that later notebooks use, and what calls what; or switch one off or on."""
    from grader.desk.mine import mine_command

    print(mine_command(args.off, args.on, args.folder))
    return 0


def ready(args):
    """Grade your own folder of a part as the class will be graded, and say what would be lost."""
    from grader.desk.ready import ready

    return ready(args.part, args.folder)


def grade(args):
    """Grade the submissions of a part in the sandbox, into nbgrader's gradebook; write the report and the marks."""
    tls = args.tls_ca, args.tls_cert
    if args.scheduler and args.jobs:
        raise UnknownName("--jobs is for this machine; the scheduler's workers say how many are graded at a time")
    if any(tls) and not (all(tls) and args.scheduler):
        raise UnknownName("--tls-ca, --tls-cert and --scheduler go together")
    if (args.exercise or args.yes) and not args.again:
        raise UnknownName("--exercise and --yes go with --again")
    if args.again and args.scheduler:
        raise UnknownName("--again judges on this machine: leave out --scheduler")
    with _local_workers(args) if args.scheduler is None else contextlib.nullcontext():
        with quick.importing():
            quick.import_nbgrader()
            from grader.classroom.marking import grade, judge_again

            course, part = _course_and_part(args.part)
        if args.again:
            return judge_again(course, part, args.exercise, args.only, args.jobs, args.sandbox, args.yes)
        cluster = (args.scheduler, tls if all(tls) else None)
        return grade(course, part, args.only, args.jobs, args.resume, args.sandbox, *cluster)


def _local_workers(args):
    from grader.classroom.sandbox.warm import begun

    warm = begun(args.sandbox)  # it imports what it needs while this process does
    from grader.classroom.marking.workers import getting_ready

    return getting_ready(args.sandbox, args.jobs, warm)


def report(args):
    """Write the report and the marks of a part anew, with the points that were given by hand since."""
    from grader.classroom.marking import report

    page, marks = report(*_course_and_part(args.part), anonymous=args.anonymous)
    print(f"Report:   {page}\nMarks:    {marks}")
    return 0


def collect(args):
    """Take in what an LMS gives: a folder or a zip of files that are named by student."""
    from grader.classroom.collect import collect
    from grader.classroom.course import Course

    course = Course.at(ROOT)
    part = None if args.part is None else course.find_part(args.part)
    collected = collect(course, args.path, part, args.replace)
    print(collected.summary)
    if collected.problems:
        print(collected.problems, file=sys.stderr)
    return collected.status


def hand_back(args):
    """Make the feedback pages of a part, and pack each student's into a zip."""
    from grader.classroom.feedback.handback import hand_back

    hand_back(*_course_and_part(args.part), args.only)
    return 0


def export(args):
    """Write a part's marks and feedback in the form that an LMS takes: its own table filled in, and a zip."""
    from grader.classroom.export import export

    print(export(*_course_and_part(args.part), args.to, args.roster, args.column, args.scale).summary)
    return 0


def forget(args):
    """Remove a student from everything that collecting and grading have made here; without --yes, list what goes."""
    from grader.classroom.course import Course
    from grader.desk.forget import forget

    return forget(Course.at(ROOT), args.student, args.yes)


def _course_and_part(name):
    from grader.classroom.course import Course

    course = Course.at(ROOT)
    return course, course.find_part(name)


def _jobs(text):
    number = int(text)
    if number < 1:
        raise argparse.ArgumentTypeError("at least 1")
    return number


def demo(args):
    """Grade a small made class in a folder of its own: show the marks, and say where the feedback pages are."""
    from grader.desk.demo import demo

    return demo(args.folder)


def new(args):
    """Lay out all that a contributor fills in: `new exercise ID`, or `new notebook PART/NOTEBOOK TITLE`."""
    from grader.desk.new import new_exercise, new_notebook

    if args.what == "exercise":
        print(new_exercise(ROOT, args.id, args.notebook, args.after, args.kind, args.signature, args.points))
    else:
        print(new_notebook(ROOT, args.notebook, args.title))
    return 0


def try_(args):
    """Examine an exercise over many draws: its mistakes, its variants and what is missing; or an answer in a file."""
    from grader.desk.trying import examine

    return examine(args.id, args.seeds, args.answer, args.sandbox)


def parser():
    """The parser of the command line."""
    top = argparse.ArgumentParser(
        prog="python -m grader", description="The attention course's commands; they work from any folder."
    )
    top.set_defaults(run=None)
    commands = top.add_subparsers(title="commands", metavar="COMMAND")

    def add(run, name=None):
        one = commands.add_parser(name or run.__name__, help=run.__doc__, description=run.__doc__)
        one.set_defaults(run=run)
        return one

    for run in (lab, teach):
        one = add(run)
        if run is teach:
            one.add_argument("--demo", action="store_true", help="on a made class, graded in a folder of its own")
        one.add_argument("--port", type=int, help="the port to listen on; by default 8888, or a free one near it")
        one.add_argument(
            "--browser",
            action=argparse.BooleanOptionalAction,
            help="open a browser, or do not; by default where there is a screen",
        )
    one = add(release)
    one.add_argument("--check", action="store_true", help="write nothing; exit with 1 if notebooks/ is stale")
    one.add_argument(
        "--model-answers",
        action="store_true",
        help="below each written question, a cell that shows a model answer to whoever has written 40 words",
    )
    add(normalize).add_argument(
        "paths", nargs="*", type=Path, metavar="PATH", help="notebooks or folders; by default all of solutions/"
    )
    add(show).add_argument("notebook", metavar="NOTEBOOK", help="a path, or a name such as 3-softmax")
    one = add(reset)
    one.add_argument("notebook", metavar="NOTEBOOK", help="a path, or a name such as 3-softmax")
    one.add_argument("--empty", action="store_true", help="leave your answers behind, in the old one")
    add(progress).add_argument(
        "--folder", type=Path, help="where the notebooks are, one folder a part; by default work/"
    )
    one = add(unnamed)
    one.add_argument("part", nargs="?", metavar="PART", help="for instructors: a graded part, whose groups are written")
    one.add_argument("--folder", type=Path, help="where the notebooks are, one folder a part; by default work/")
    one = add(mine)
    which = one.add_mutually_exclusive_group()
    which.add_argument("--off", metavar="NAME", help="from now on the course's function stands in for yours")
    which.add_argument("--on", metavar="NAME", help="yours serves again")
    one.add_argument("--folder", type=Path, help="where the notebooks are, one folder a part; by default work/")
    one = add(ready)
    one.add_argument("part", metavar="PART", help="the part's name, or as much of it as no other part has")
    one.add_argument("--folder", type=Path, help="what you will hand in; by default the part's folder in work/")
    one = add(grade)
    one.add_argument("part", metavar="PART", help="the part's name, or as much of it as no other part has")
    how = one.add_mutually_exclusive_group()
    how.add_argument("--resume", action="store_true", help="leave out what has been graded as it is")
    how.add_argument(
        "--again",
        action="store_true",
        help="judge a mended exercise anew for all who were graded; says whose marks change, and asks before it writes",
    )
    one.add_argument("--exercise", action="append", metavar="ID", help="with --again: this exercise (may be repeated)")
    one.add_argument("--yes", action="store_true", help="with --again: write without asking")
    one.add_argument("--jobs", type=_jobs, metavar="N", help="how many at a time; by default one on each processor")
    one.add_argument("--only", action="append", metavar="STUDENT", help="only this student (may be given repeatedly)")
    one.add_argument(
        "--no-sandbox",
        dest="sandbox",
        action="store_false",
        help="run the learners' code with your rights: only for a class that you trust",
    )
    one.add_argument(
        "--scheduler",
        metavar="ADDRESS",
        help="grade by the workers of this Dask scheduler, such as tls://10.0.0.1:8786",
    )
    one.add_argument(
        "--tls-ca", type=Path, metavar="FILE", help="the certificate of the authority of the cluster (PEM)"
    )
    one.add_argument("--tls-cert", type=Path, metavar="FILE", help="this command's certificate with its key (PEM)")
    one = add(report)
    one.add_argument("part", metavar="PART", help="the part's name, or as much of it as no other part has")
    one.add_argument("--anonymous", action="store_true", help="beside them, a page and marks with made names")
    one = add(collect)
    one.add_argument("path", type=Path, metavar="FOLDER-OR-ZIP", help="what you downloaded from the LMS")
    one.add_argument("--part", metavar="PART", help="the part; by default each file's name says it")
    one.add_argument("--replace", action="store_true", help="replace what was collected before")
    one = add(hand_back, "return")
    one.add_argument("part", metavar="PART", help="the part's name, or as much of it as no other part has")
    one.add_argument("--only", action="append", metavar="STUDENT", help="only this student (may be given repeatedly)")
    one = add(export)
    one.add_argument("part", metavar="PART", help="the part's name, or as much of it as no other part has")
    one.add_argument("--to", required=True, choices=("canvas", "moodle", "blackboard", "brightspace"))
    one.add_argument(
        "--roster",
        type=Path,
        metavar="FILE",
        help="the LMS's own table of the class, as you download it; by default grading/roster.csv, if it is that",
    )
    one.add_argument("--column", metavar="HEAD", help="the column for the marks, or as much of its head as is clear")
    one.add_argument("--scale", action="store_true", help="turn marks into shares of what the column is out of there")
    one = add(forget)
    one.add_argument("student", metavar="STUDENT", help="the name that the student has here")
    one.add_argument("--yes", action="store_true", help="do it; nothing of it can be brought back")
    add(demo).add_argument("--folder", type=Path, help="where the class is made and graded; by default grading/demo/")
    what = add(new).add_subparsers(title="what", dest="what", metavar="exercise|notebook", required=True)
    one = what.add_parser("exercise", help="an exercise in a notebook that is there")
    one.add_argument("id", metavar="ID", help="the function's name; for the other kinds a name with hyphens")
    one.add_argument("--notebook", required=True, metavar="NOTEBOOK", help="such as 4-context-vectors")
    one.add_argument("--after", metavar="ID", help="the exercise before it; by default the notebook's last")
    one.add_argument("--kind", choices=("function", "value", "choice", "search"), default="function")
    one.add_argument("--signature", help='of a function, such as "relu_attention(Q, K, V)"')
    one.add_argument("--points", type=int, default=3)
    one = what.add_parser("notebook", help="a notebook, with the anatomy that all have")
    one.add_argument("notebook", metavar="PART/NOTEBOOK", help="such as 6-beyond/1-images")
    one.add_argument("title", metavar="TITLE")
    one = add(try_, "try")
    one.add_argument("id", metavar="ID", help="the exercise's id")
    one.add_argument("--seeds", type=_jobs, metavar="N", help="how many draws; by default 200, and 20 of a file")
    one.add_argument("--answer", type=Path, metavar="FILE", help="what the judge says of the answer in this file")
    one.add_argument(
        "--no-sandbox",
        dest="sandbox",
        action="store_false",
        help="run the answer in the file with your rights: only if you have read it",
    )
    return top


def main(arguments=None):
    """Run a command; returns the exit status: 1 if it could not be done, 2 if it was called wrongly."""
    args = parser().parse_args(arguments)
    if args.run is None:
        parser().print_help()
        return 0
    try:
        return args.run(args)
    except CourseError as problem:
        print(problem, file=sys.stderr)
        return 2 if isinstance(problem, UnknownName) else 1
    except BrokenPipeError:
        # Whoever read the output (`... | head`) has seen enough; Python must not complain about it on its way out.
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        return 0
    except OSError as problem:
        if not is_full(problem):
            raise
        print(disk_full(problem, "run the command again"), file=sys.stderr)
        return 1
    except KeyboardInterrupt:
        print("\nStopped.", file=sys.stderr)
        return 130


if __name__ == "__main__":
    sys.exit(main())
