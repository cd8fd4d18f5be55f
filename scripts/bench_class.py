"""Measure what grading a class costs, here and with stock nbgrader: `make bench` (part of it), or this script alone.

The class is made: everybody hands in all notebooks of Part 1, each exercise right, wrong in a known way, right in an
unusual way, or untouched, and everything ends by itself. "Added" is what grading costs beyond the learners' own cells:
all time of all processes' work but that in cells that are no checks. The judge's work is added on both sides.
"""

import argparse
import contextlib
import json
import os
import resource
import shutil
import statistics
import subprocess
import sys
import tempfile
import threading
import time
from pathlib import Path

import nbformat
import numpy as np
from tqdm import tqdm

from grader.classroom.course import Course
from grader.classroom.gradebook.cells import register
from grader.desk.sample_class import Misunderstood, Student, TwoMistakes, Unusual, submission
from grader.notebook import as_json, read_notebook
from grader.places import ROOT

PART = "1-context-vectors"
SOURCES = ROOT / "solutions" / PART
#: How many of the class stock nbgrader grades; it treats one after the other, so the rest would take as long each.
STOCK = 60
#: Shares of the exercises that ten students solve.
SOLVES = (1.0, 0.5, 1.0, 0.8, 1.0, 0.0, 1.0, 0.5, 1.0, 0.8)
#: A small class is over in seconds, and machines have slow minutes: it is graded this often between the larger ones.
REPEATED, SMALL = 2, 30


def made_class(size):
    """A class of mixed quality; the first n of a larger class are the class of n, and all tens are alike."""
    pools = [Student("", "", functions=kind).answers() for kind in (Misunderstood, TwoMistakes, Unusual)]
    chosen = []
    for number in range(size):
        rng = np.random.default_rng(number)
        cells = {}
        for pool, share in zip(pools, (0.2, 0.1, 0.4), strict=True):
            cells |= {name: source for name, source in pool.items() if rng.random() < share}
        if number % 10 == 3:
            cells["softmax"] = "def softmax(x:\n    return x"
        # How much they do says how long their notebooks run: classes of different size are to be compared.
        chosen.append(Student(f"student-{number:03}", "made", solves=SOLVES[number % 10], cells=cells))
    return chosen


def hand_in(course, students):
    """Write the part and these students' submissions into a course's folder."""
    shutil.copytree(SOURCES, course.source(PART), ignore=shutil.ignore_patterns(".*"))
    released = {name: as_json(notebook) for name, notebook in course.released(PART).items()}
    sources = {name: read_notebook(SOURCES / f"{name}.ipynb") for name in released}
    for student in tqdm(students, desc="making the class", leave=False):
        target = course.submitted(PART, student.name)
        target.mkdir(parents=True)
        for name, text in released.items():
            answered = submission(student, nbformat.reads(text, as_version=4), sources[name])
            (target / f"{name}.ipynb").write_text(as_json(answered), encoding="utf-8")


# ---- this course


#: `python -m grader grade PART`, on another folder.
COMMAND = "import sys, grader.__main__ as c; c.ROOT = c.Path(sys.argv[1]); sys.exit(c.main(sys.argv[2:]))"


def graded_here(size):
    """Grade a class of this size with `python -m grader grade`; returns its figures.

    The gradebook is there and knows the part, as it does where stock nbgrader grades.
    """
    with tempfile.TemporaryDirectory() as folder:
        shutil.copy(ROOT / "nbgrader_config.py", folder)
        course = Course.at(folder)
        hand_in(course, made_class(size))
        register(course, PART, course.released(PART))
        began = time.monotonic()
        watch = _PeakMemory()
        program = subprocess.Popen(
            [sys.executable, "-c", COMMAND, folder, "grade", PART],
            stdout=subprocess.DEVNULL,
            stderr=subprocess.PIPE,
            text=True,
        )
        with watch.of(program.pid):
            _, errors = program.communicate()
        wall = time.monotonic() - began
        if program.returncode:
            raise SystemExit(f"grading failed:\n{errors}")
        stages = {}
        for path in (course.grading / "records" / PART).glob("*.json"):
            for stage, spent in json.loads(path.read_text(encoding="utf-8"))["seconds"].items():
                stages[stage] = stages.get(stage, 0.0) + spent
    return {"size": size, "wall": wall, "stages": stages, "peak": watch.peak}


def graded_over_a_cluster(size):
    """Grade a class of this size over a cluster of this machine's processors, twice; returns the second time's figures.

    The first time, workers import and warm their sandboxes; on a cluster they have been there for long.
    """
    with tempfile.TemporaryDirectory() as folder, contextlib.ExitStack() as machines:
        shutil.copy(ROOT / "nbgrader_config.py", folder)
        course = Course.at(folder)
        hand_in(course, made_class(size))
        register(course, PART, course.released(PART))

        def start(*words):
            where = ["--scheduler-file", f"{folder}/scheduler.json", "--host", "127.0.0.1", "--no-dashboard"]
            command = [sys.executable, "-m", "dask", *words, *where]
            one = subprocess.Popen(command, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, cwd=folder)
            machines.callback(one.wait)
            machines.callback(one.terminate)

        start("scheduler", "--port", "0")
        start("worker", "--nthreads", "1", "--nworkers", str(os.cpu_count()))
        while not (Path(folder) / "scheduler.json").exists():
            time.sleep(0.1)
        address = json.loads((Path(folder) / "scheduler.json").read_text(encoding="utf-8"))["address"]
        command = [sys.executable, "-c", COMMAND, folder, "grade", PART, "--scheduler", address]
        taken = []
        for only in (["--only", "student-000"], [], ["--only", "student-000"]):
            began, before = time.monotonic(), resource.getrusage(resource.RUSAGE_CHILDREN)
            subprocess.run([*command, *only], check=True, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
            used = resource.getrusage(resource.RUSAGE_CHILDREN)
            own = used.ru_utime + used.ru_stime - before.ru_utime - before.ru_stime
            taken.append((time.monotonic() - began, own))
    # Starting, and one submission, is what the last one has taken too.
    (wall, own), (one_wall, one_own) = taken[1:]
    return {"wall": (wall - one_wall) / (size - 1), "own": (own - one_own) / (size - 1)}


class _PeakMemory:
    """The most memory that a process and all its descendants used together; looked at seldom: that takes time."""

    def __init__(self):
        self.peak = 0

    @contextlib.contextmanager
    def of(self, number):
        """Watch while the block runs."""
        over = threading.Event()

        def watch():
            while not over.wait(1):
                self.peak = max(self.peak, _proportional(number))

        thread = threading.Thread(target=watch, daemon=True)
        thread.start()
        yield
        over.set()
        thread.join()


def _proportional(number):
    """Bytes of a process and its descendants; pages that several share count in parts."""
    total = 0
    with contextlib.suppress(OSError, ValueError):
        for line in Path(f"/proc/{number}/smaps_rollup").read_text().splitlines():
            if line.startswith("Pss:"):
                total += int(line.split()[1]) * 1024
        for task in Path(f"/proc/{number}/task").iterdir():
            for child in (task / "children").read_text().split():
                total += _proportional(int(child))
    return total


# ---- stock nbgrader


def graded_by_stock(size):
    """Grade a class of this size with `nbgrader autograde` as it comes; returns its figures."""
    with tempfile.TemporaryDirectory() as folder:
        folder = Path(folder)
        configuration = (ROOT / "nbgrader_config.py").read_text(encoding="utf-8") + STOCK_CONFIGURATION
        (folder / "nbgrader_config.py").write_text(configuration, encoding="utf-8")
        hand_in(Course.at(folder), made_class(size))
        (folder / "timed_execute.py").write_text(TIMED_EXECUTE)
        environment = {**os.environ, "PYTHONPATH": str(folder), "CELL_TIMES": str(folder / "cells.txt")}
        environment["PATH"] = os.pathsep.join([str(Path(sys.executable).parent), environment["PATH"]])

        def nbgrader(*arguments):
            done = subprocess.run(
                [sys.executable, "-m", "nbgrader", *arguments],
                cwd=folder,
                env=environment,
                capture_output=True,
                text=True,
                check=False,
            )
            if done.returncode:
                raise SystemExit(f"nbgrader {arguments[0]} failed:\n{done.stderr[-2000:]}")

        nbgrader("generate_assignment", PART, "--force")
        began = time.monotonic()
        nbgrader("autograde", PART)
        wall = time.monotonic() - began
        times = folder / "cells.txt"
        if not times.exists():
            raise SystemExit("nbgrader did not run the cells in the way that is measured here")
        cells = sum(map(float, times.read_text().split()))
    return {"size": size, "wall": wall, "cells": cells}


STOCK_CONFIGURATION = """
for name in ("sanitize_preprocessors", "pre_convert_hook", "exporter_class"):
    c.Autograde.pop(name, None)
c.Autograde.autograde_preprocessors = [
    "timed_execute.TimedExecute",
    "nbgrader.preprocessors.IgnorePattern",
    "nbconvert.preprocessors.ClearMetadataPreprocessor",
    "nbgrader.preprocessors.LimitOutput",
    "nbgrader.preprocessors.SaveAutoGrades",
    "nbgrader.preprocessors.AssignLatePenalties",
    "nbgrader.preprocessors.CheckCellMetadata",
]
"""

TIMED_EXECUTE = '''
"""nbgrader's own execution, which notes how long the cells took that are no checks."""
import os, time
from nbgrader.preprocessors import Execute
from grader.notebook import marks

class TimedExecute(Execute):
    def preprocess_cell(self, cell, resources, index):
        began = time.monotonic()
        try:
            return super().preprocess_cell(cell, resources, index)
        finally:
            if cell.cell_type == "code" and not marks(cell).get("grade"):
                with open(os.environ["CELL_TIMES"], "a") as file:
                    print(time.monotonic() - began, file=file)
'''


# ---- the figures


def _share(run):
    return run["wall"] / run["stages"]["learner"]


def _growth(measure, runs):
    """By how much a class of one size needs more than one of another, in the medians of a measure."""
    each = [statistics.median(map(measure, some)) for some in runs.values()]
    return max(each) / min(each)


def main(arguments=None):
    """Print all figures."""
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("--sizes", default="10,60,240", help="classes for the growth, separated by commas")
    parser.add_argument("--stock", type=int, default=STOCK, help="the class that stock nbgrader grades too; 0: none")
    parser.add_argument("--cluster", type=int, metavar="SIZE", help="grade only a class of this size, over a cluster")
    args = parser.parse_args(arguments)
    jobs = os.cpu_count()
    if args.cluster:
        figures = graded_over_a_cluster(args.cluster)
        print(
            f"a submission of Part 1 over a cluster: {figures['wall'] * jobs:.2f} s of one of {jobs} workers, "
            f"{figures['own']:.3f} s of the command's processor; "
            f"{3600 / figures['wall']:.0f} an hour here, {3600 / figures['own']:.0f} with workers enough"
        )
        return
    print(f"Part 1 has {len(list(SOURCES.glob('*.ipynb')))} notebooks; {jobs} processors\n")
    sizes = sorted({*map(int, args.sizes.split(",")), *([args.stock] if args.stock else [])})
    small = [size for size in sizes if size <= SMALL]
    # There and back again, so that a machine that becomes slower does not favour the small classes, or the large ones.
    large = [size for size in sizes if size not in small]
    order = small * REPEATED
    for size in [*large, *large[-2::-1]]:
        order += [size, *small * REPEATED]
    runs = {size: [] for size in sizes}
    for size in tqdm(order, desc="grading classes", unit="class"):
        runs[size].append(graded_here(size))
    here = {size: sorted(some, key=lambda run: run["wall"])[len(some) // 2] for size, some in runs.items()}
    for size, figures in here.items():
        times = [run["wall"] for run in runs[size]]
        print(
            f"grader grade, {size:3} students: {', '.join(f'{wall:.1f}' for wall in times)} s; the median "
            f"{statistics.median(times) / size:.3f} s a student, peak memory {figures['peak'] / 2**20:.0f} MB"
        )
        print(
            "   a student: "
            + ", ".join(f"{name} {spent / size * 1000:.0f} ms" for name, spent in figures["stages"].items())
        )
    print("\ngrowth: at most this many times as long a student in one class as in another (1.15)")
    print(f"   seconds: {_growth(lambda run: run['wall'] / run['size'], runs):.3f}")
    # A slow minute of the machine makes both longer.
    print(f"   seconds a second of the learners' own cells: {_growth(_share, runs):.3f}", flush=True)
    if not args.stock:
        return
    stock, ours = graded_by_stock(args.stock), here[args.stock]
    busy = sum(ours["stages"].values())
    added = {
        "stock": (stock["wall"] - stock["cells"]) / args.stock,
        "here": (busy - ours["stages"]["learner"]) / args.stock,
    }
    # The strictest reading: every second of every processor that was not in a learner's cell.
    strict = (ours["wall"] * jobs - ours["stages"]["learner"]) / args.stock
    each = stock["wall"] / args.stock
    print(f"\nnbgrader autograde, {args.stock} students: {stock['wall']:7.1f} s, {each:.3f} s a student")
    print(f"wall time: {ours['wall'] / stock['wall']:.3f} of stock's (at most 0.25)")
    print(
        f"added to the learners' cells, a student: {added['here']:.3f} s here, {added['stock']:.3f} s with stock: "
        f"{added['here'] / added['stock']:.3f} of it (at most 0.1); "
        f"{strict / added['stock']:.3f} if idle processors and starting up count too"
    )


if __name__ == "__main__":
    main()
