"""Grade the failure catalogue with stock nbgrader and with this course: `make scoreboard`.

Stock nbgrader runs hostile code as whoever calls it. So each of its runs has a sandbox of its own here, with a
throw-away copy of the course, an unprivileged user and limits on memory and processes: what becomes of the copy is what
would have happened.
"""

import argparse
import contextlib
import io
import json
import os
import re
import shutil
import signal
import subprocess
import sys
import tempfile
import threading
import time
from concurrent.futures import ThreadPoolExecutor, as_completed
from dataclasses import dataclass
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
#: Seconds for one run of nbgrader, for one cell in it, and for what it leaves behind.
RUN, CELL, AFTERWARDS = 60, 10, 4
MEGABYTE = 1 << 20
KILLED = "everything was killed: too much memory, or by the notebook itself"
#: Whom hostile code runs as where this is run by root: for root, the kernel counts no processes.
USER = 61_300
PROCESSES, MEMORY = 100, 4_000
#: What a run of nbgrader and Jupyter leaves in a course in any case; what is run at the next start is not among it.
USUAL = ("gradebook.db", "home/.", ".nbgrader.log", ".venv", "__pycache__")
STARTUP = "home/.ipython/profile_default/startup/"


@dataclass
class Result:
    """What became of one entry.

    Attributes
    ----------
    points : dict of str to float
        By exercise; empty where there is no grade.
    right : bool
    words : str
        What happened, in a few words.
    """

    points: dict
    right: bool
    words: str


# ---------------------------------------------------------------- inside the sandbox


def inside(part, students):
    """Run `nbgrader autograde` for some students, give what they started some time, and print what happened as JSON."""
    about = {"user": USER, "group": USER, "extra_groups": []} if os.geteuid() == 0 else {}
    said = {}
    for student in students:
        command = [sys.executable, "-m", "nbgrader", "autograde", part, "--student", student]
        process = subprocess.Popen(
            command,
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            preexec_fn=_limit,
            start_new_session=True,
            **about,
        )
        log = bytearray()
        reader = threading.Thread(target=_read, args=(process.stdout, log), daemon=True)
        reader.start()
        try:
            status = process.wait(RUN)
            reader.join(2)
            said[student] = {"status": status, "log": bytes(log[-20_000:]).decode("utf-8", "replace")}
        except subprocess.TimeoutExpired:
            said[student] = {"status": None, "log": f"stopped after {RUN} seconds"}
            os.killpg(process.pid, signal.SIGKILL)
    end = time.monotonic() + AFTERWARDS
    while time.monotonic() < end and len([name for name in os.listdir("/proc") if name.isdigit()]) > 2:
        time.sleep(0.2)
    print(json.dumps(said))


def _read(stream, log):
    for piece in iter(lambda: stream.read1(65_536), b""):
        log += piece
        del log[:-100_000]


def _limit():
    import resource

    for name, value in (
        ("AS", MEMORY * MEGABYTE),
        ("NPROC", PROCESSES),
        ("FSIZE", 500 * MEGABYTE),
        ("CORE", 0),
        ("CPU", 4 * RUN),
    ):
        resource.setrlimit(getattr(resource, f"RLIMIT_{name}"), (value, value))


# ---------------------------------------------------------------- outside it


class Stock:
    """Stock nbgrader on throw-away copies of a course in which the honest students are graded already.

    Parameters
    ----------
    folder : Path
    """

    def __init__(self, folder):
        self.folder, self._base = folder, folder / "base"
        self._number, self._lock = 0, threading.Lock()
        self._prepare()

    def _prepare(self):
        import catalogue
        from nbgrader.apps import NbGraderAPI

        from grader.places import alembic_on_path

        alembic_on_path()
        base = self._base
        catalogue.make_course(base)
        with _quiet():
            for part in catalogue.PARTS:
                done = NbGraderAPI(config=catalogue.configuration(base)).generate_assignment(part)
                if not done["success"]:
                    raise RuntimeError(done.get("error") or done.get("log"))
        # As it will be found inside, and without what this course adds to nbgrader.
        config = catalogue.configuration(ROOT)
        for name in ("Autograde", "GenerateFeedback", "HTMLExporter"):
            config.pop(name, None)
        config.Execute.timeout = CELL
        (base / "nbgrader_config.json").write_text(json.dumps(config))
        for name in ("attnlib", "grader"):
            shutil.copytree(ROOT / name, base / name, ignore=shutil.ignore_patterns("__pycache__"))
        (base / "home").mkdir()
        for part in catalogue.PARTS:
            said = self._run(base, part, catalogue.HONEST)
            for student in catalogue.HONEST:
                if said.get(student, {}).get("status") != 0:
                    raise RuntimeError(f"stock nbgrader cannot grade the honest {student}: {said}")
        subprocess.run(["chmod", "-R", "u+rwX", str(base)], check=True)  # nbgrader closes what it has graded
        self._honest = {part: self._marks(base, part, catalogue.HONEST) for part in catalogue.PARTS}
        for part, right in self._honest.items():
            for student, points in right.items():
                if points != catalogue.full(part):
                    raise RuntimeError(f"stock nbgrader gives the honest {student} {points}")

    def grade(self, entry):
        """Grade one entry, on a copy of its own."""
        import catalogue

        with self._lock:
            self._number += 1
            copy = self.folder / f"copy-{self._number}"
        try:
            subprocess.run(["cp", "-a", str(self._base), str(copy)], check=True)
            students = [entry.id]
            if entry.after:
                students.insert(0, entry.after)
            for student in students:
                catalogue.hand_in(copy, entry.part, student, catalogue.ENTRIES[student].make)
            before = catalogue.listing(copy, USUAL)
            said = self._run(copy, entry.part, students).get(entry.id, {"status": None, "log": KILLED})
            subprocess.run(["chmod", "-R", "u+rwX", str(copy)], check=False, stderr=subprocess.DEVNULL)
            return self._judge(copy, entry, said, before)
        finally:
            subprocess.run(["rm", "-rf", str(copy)], check=False, stderr=subprocess.DEVNULL)

    def _run(self, copy, part, students):
        if os.geteuid() == 0:
            subprocess.run(["chown", "-R", "-h", f"{USER}:{USER}", str(copy)], check=True)
        command = [*_bubblewrap(copy), sys.executable, "/scoreboard.py", "--inside", part, *students]
        process = subprocess.Popen(
            command, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, start_new_session=True
        )
        watch = threading.Thread(target=_watch, args=(process,), daemon=True)
        watch.start()
        try:
            out, _ = process.communicate(timeout=(RUN + 10) * len(students) + AFTERWARDS + 20)
        except subprocess.TimeoutExpired:
            os.killpg(process.pid, signal.SIGKILL)
            out, _ = process.communicate()
        try:
            return json.loads(out.decode("utf-8", "replace").strip().split("\n")[-1])
        except ValueError:
            return {}

    def _marks(self, copy, part, students):
        """Automatic scores by student and exercise; {} where there is no grade."""
        import sqlite3

        book = copy / "gradebook.db"
        if book.is_symlink() or not book.is_file():
            return {}
        marks = {student: {} for student in students}
        query = """
            select submitted_assignment.student_id, base_cell.name, grade.auto_score
            from grade join base_cell on grade.cell_id = base_cell.id
            join submitted_notebook on grade.notebook_id = submitted_notebook.id
            join submitted_assignment on submitted_notebook.assignment_id = submitted_assignment.id
            join assignment on submitted_assignment.assignment_id = assignment.id
            where assignment.name = ?
        """
        try:
            with contextlib.closing(sqlite3.connect(f"file:{book}?mode=ro", uri=True, timeout=5)) as lines:
                for student, name, points in lines.execute(query, [part]):
                    if student in marks:
                        marks[student][name] = points
        except sqlite3.Error:
            return {}
        return marks

    def _judge(self, copy, entry, said, before):
        import catalogue

        full = catalogue.full(entry.part)
        marks = self._marks(copy, entry.part, [entry.id, *catalogue.HONEST])
        points = {name: value for name, value in marks.get(entry.id, {}).items() if name in full and value is not None}
        harm = []
        for part, right in self._honest.items():
            if self._marks(copy, part, catalogue.HONEST) != right:
                harm.append("others' marks changed")
                break
        own = tuple(f"autograded/{name}" for name in (entry.id, entry.after) if name)
        changed = _changes(before, catalogue.listing(copy, USUAL), own)
        startup = copy / STARTUP
        changed += [f"{STARTUP}{path.name}" for path in startup.glob("*.py")] if startup.is_dir() else []
        if changed:
            harm.append(f"changed {changed[0]}" + (f" and {len(changed) - 1} more" if len(changed) > 1 else ""))
        if said["status"] != 0:
            points = {}
        wrong = entry.expect.complaints(points, full)
        nothing_due = set(entry.expect.points) == set(full) and set(entry.expect.points.values()) == {0.0}
        if not points and nothing_due and said["status"] is not None:
            wrong = []  # nothing is deserved, nothing is given, and the run came to an end
        words = [] if points else [f"no grade: {_reason(said)}"]
        return Result(points, not harm and not wrong, "; ".join([*words, *harm, *(wrong if points else [])]))


def _reason(said):
    """Why a run gave no grade, in a few words."""
    if said["status"] is None:
        return said["log"]
    if said["status"] == 0:
        return "nbgrader found no cell to grade"
    for words, short in (
        ("DeadKernelError", "the kernel died"),
        ("Kernel died", "the kernel died"),
        ("Kernel didn't respond", "the kernel did not start"),
        ("No notebooks were matched", "no notebook was found"),
        ("No notebooks found", "no notebook was found"),
    ):
        if words in said["log"]:
            return short
    errors = re.findall(
        r"^(?:[\w.]+\.)?(\w+(?:Error|Exception|Exists|Entry|Invalid\w*)\b.*)", said["log"], re.MULTILINE
    )
    return (errors or said["log"].strip().split("\n"))[-1][:90]


def _bubblewrap(copy):
    """The command that a run of stock nbgrader is shut in with."""
    command = [shutil.which("bwrap") or "bwrap", "--unshare-pid", "--unshare-net", "--unshare-ipc", "--unshare-uts"]
    command += ["--die-with-parent", "--new-session"]
    if os.geteuid() == 0:
        # Root's rights end here, but for becoming somebody else and ending what that user started.
        command += ["--cap-drop", "ALL"]
        for right in ("CAP_SETUID", "CAP_SETGID", "CAP_KILL"):
            command += ["--cap-add", right]
    else:
        command += ["--unshare-user"]
    command += ["--ro-bind", "/usr", "/usr", "--ro-bind", "/etc", "/etc"]
    for name in ("/bin", "/sbin", "/lib", "/lib32", "/lib64", "/libx32"):
        if os.path.islink(name):
            command += ["--symlink", os.readlink(name), name]
        elif os.path.isdir(name):
            command += ["--ro-bind", name, name]
    command += ["--proc", "/proc", "--dev", "/dev"]
    for folder in ("/tmp", "/dev/shm"):
        command += ["--size", str(200 * MEGABYTE), "--perms", "1777", "--tmpfs", folder]
    python = [Path(folder) for folder in dict.fromkeys((sys.base_prefix, sys.prefix))]
    for folder in (ROOT, *python):
        for parent in reversed(folder.parents[:-1]):  # bubblewrap would close them to everybody but root
            if (
                not parent.is_relative_to("/usr")
                and parent not in (Path("/tmp"), *ROOT.parents[-1:])
                and parent != ROOT
            ):
                command += ["--perms", "0755", "--dir", str(parent)]
    command += ["--bind", str(copy), str(ROOT)]
    for folder in python:
        if not folder.is_relative_to("/usr"):
            command += ["--ro-bind", str(folder), str(folder)]
    command += ["--ro-bind", str(Path(__file__).resolve()), "/scoreboard.py", "--chdir", str(ROOT), "--clearenv"]
    for name, value in {
        "PATH": f"{Path(sys.executable).parent}:/usr/bin:/bin",
        "HOME": str(ROOT / "home"),
        "LANG": "C.UTF-8",
        "JUPYTER_PLATFORM_DIRS": "0",
        "PYTHONWARNINGS": "ignore",
        **dict.fromkeys(("OPENBLAS_NUM_THREADS", "OMP_NUM_THREADS"), "1"),
    }.items():
        command += ["--setenv", name, value]
    return command


def _watch(process):
    """End a sandbox whose processes together take too much memory."""
    page = os.sysconf("SC_PAGESIZE")
    while process.poll() is None:
        used, waiting = 0, [process.pid]
        while waiting:
            number = waiting.pop()
            try:
                used += int(Path(f"/proc/{number}/statm").read_text().split()[1]) * page
                for children in Path(f"/proc/{number}/task").glob("*/children"):
                    waiting += map(int, children.read_text().split())
            except (OSError, ValueError):
                continue
        if used > MEMORY * MEGABYTE:
            with contextlib.suppress(ProcessLookupError):
                os.killpg(process.pid, signal.SIGKILL)
            return
        time.sleep(0.2)


def _changes(before, after, allowed):
    """Paths that are new, gone or different."""
    paths = sorted(before.keys() | after.keys())
    return [path for path in paths if before.get(path) != after.get(path) and not path.startswith(allowed or ("/",))]


@contextlib.contextmanager
def _quiet():
    import logging
    import warnings

    logging.disable(logging.WARNING)
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            yield
    finally:
        logging.disable(logging.NOTSET)


# ---------------------------------------------------------------- this course


def ours(folder, entries):
    """Grade all entries as one class, with `grader grade`."""
    import catalogue

    catalogue.make_course(folder)
    for entry in entries:
        catalogue.hand_in(folder, entry.part, entry.id, entry.make)
    results = {}
    with _quiet(), contextlib.redirect_stdout(io.StringIO()):
        records = {part: catalogue.grade(folder, part) for part in {entry.part: None for entry in entries}}
    for part, by_student in records.items():
        for student in catalogue.HONEST:
            if catalogue.points(by_student[student]) != catalogue.full(part):
                raise RuntimeError(f"the honest {student} does not get full marks in {part}: {by_student[student]}")
    for entry in entries:
        record = records[entry.part][entry.id]
        points = catalogue.points(record)
        wrong = entry.expect.complaints(points, catalogue.full(entry.part), catalogue.told(record))
        said = [*record.notes]
        for notebook in record.notebooks.values():
            said += [*notebook.failures, *notebook.repairs]
        results[entry.id] = Result(points, not wrong, "; ".join(wrong or said[:1]))
    return results


# ---------------------------------------------------------------- the table


def rows(entries, sides):
    """The table: a row for each entry."""
    import catalogue

    table = [["entry", "what is special", "deserves"]]
    for side in sides:
        table[0] += [side, "", "what happened"]
    for entry in entries:
        full = catalogue.full(entry.part)
        due = {name: entry.expect.points.get(name, most) for name, most in full.items()}
        odd = [f"{name}: {value}" for name, value in due.items() if isinstance(value, str)]
        deserved = f"{sum(value for value in due.values() if not isinstance(value, str)):g}"
        row = [entry.id, entry.title, deserved + (f" ({odd[0]})" if len(odd) == 1 else " (or so)" if odd else "")]
        for results in sides.values():
            result = results[entry.id]
            earned = f"{sum(result.points.values()):g}" if result.points else "-"
            words = " ".join(result.words.split())
            row += ["right" if result.right else "WRONG", earned, words if len(words) < 100 else words[:97] + "..."]
        table.append(row)
    return table


def as_text(table):
    """A table for a terminal."""
    widths = [min(max(len(row[i]) for row in table), 44) for i in range(len(table[0]))]
    return "\n".join(
        "  ".join(cell[:width].ljust(width) for cell, width in zip(row, widths, strict=True)).rstrip() for row in table
    )


def as_markdown(table):
    """A table for a page."""

    def line(cells):
        plain = (cell.replace("|", "\\|").replace("<", "&lt;") for cell in cells)
        return "| " + " | ".join("".join(c for c in cell if c.isprintable()) for cell in plain) + " |"

    return "\n".join([line(table[0]), line(["---"] * len(table[0])), *map(line, table[1:])])


def main():
    """Grade the catalogue both ways and print the table."""
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("--only", nargs="+", metavar="ENTRY", help="these entries only")
    parser.add_argument("--side", choices=["stock", "ours"], help="one side only")
    parser.add_argument("--jobs", type=int, default=os.cpu_count() or 1, help="how many of stock's at a time")
    parser.add_argument("--to", type=Path, metavar="FILE", help="write the table there as Markdown, too")
    arguments = parser.parse_args()
    if shutil.which("bwrap") is None:
        parser.exit(1, "the scoreboard needs bubblewrap (Debian, Ubuntu: apt install bubblewrap)\n")
    sys.path.insert(0, str(ROOT / "tests"))
    import catalogue
    from tqdm import tqdm

    unknown = set(arguments.only or ()) - set(catalogue.ENTRIES)
    if unknown:
        parser.exit(1, f"there is no entry {', '.join(sorted(unknown))}\n")
    entries = [catalogue.ENTRIES[name] for name in arguments.only or catalogue.ENTRIES]
    sides = {}
    folder = Path(tempfile.mkdtemp(prefix="scoreboard-"))
    try:
        folder.chmod(0o755)  # an unprivileged user has to reach its copy
        if arguments.side != "stock":
            print("This course grades all of them as one class:", file=sys.stderr)
            class_of_all = {entry.id: entry for entry in entries}
            class_of_all |= {entry.after: catalogue.ENTRIES[entry.after] for entry in entries if entry.after}
            sides["this course"] = ours(folder / "ours", list(class_of_all.values()))
        if arguments.side != "ours":
            print("Stock nbgrader, after two honest students, each by itself:", file=sys.stderr)
            stock = Stock(folder / "stock")
            with ThreadPoolExecutor(arguments.jobs) as pool:
                waiting = {pool.submit(stock.grade, entry): entry for entry in entries}
                results = {}
                for done in tqdm(as_completed(waiting), total=len(waiting), desc="stock nbgrader", unit="entry"):
                    results[waiting[done].id] = done.result()
            sides = {"stock nbgrader": results, **sides}
    finally:
        subprocess.run(["rm", "-rf", str(folder)], check=False)  # some of it is nested too deeply for Python
    table = rows(entries, sides)
    totals = [
        f"{side}: {sum(results[entry.id].right for entry in entries)} of {len(entries)} right"
        for side, results in sides.items()
    ]
    print(as_text(table), "", *totals, sep="\n")
    if arguments.to:
        text = "\n\n".join(["# The failure catalogue", *totals, as_markdown(table)])
        arguments.to.write_text(text + "\n", encoding="utf-8")


if __name__ == "__main__":
    if sys.argv[1:2] == ["--inside"]:
        inside(sys.argv[2], sys.argv[3:])
    else:
        main()
