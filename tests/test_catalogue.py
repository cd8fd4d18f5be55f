"""The failure catalogue, graded as a class is: everybody gets what they deserve, whatever the others handed in."""

import contextlib
import json
import os
import re
import socket
import subprocess
import threading
import warnings
from pathlib import Path

import catalogue
import nbformat
import pytest
from catalogue import ENTRIES, HONEST, PARTS
from submissions.attacks import CANARY, ORPHAN
from submissions.thefts import ADDRESS, OFFERED, PORT

from grader.notebook import marks

pytestmark = pytest.mark.grading
#: What one submission may cost beyond its notebook's time limit: a last cell, and the way there and back.
SLACK = 10.0
#: Megabytes that a process of ours may use, whatever a submission asks it for.
MOST_MEMORY = 1_000
#: What grading itself writes.
OURS = ("autograded", "records", "reports", "gradebook.db", "seeds.json", "feedback")


class Graded:
    """What came of the class."""

    def __init__(self, folder):
        self.folder = folder
        self.before = self.after = None
        self.records, self.peaks = {}, []
        self.said = ""

    def notebooks(self, student):
        """The student's graded notebooks, as nbgrader has them."""
        part = ENTRIES[student].part if student in ENTRIES else catalogue.ONE
        return sorted((self.folder / "autograded" / student / part).glob("*.ipynb"))


@contextlib.contextmanager
def offering(text):
    """Offer a right answer to whoever gets out of the sandbox, at two addresses of this machine."""
    lines = []
    for kind, address in ((socket.AF_INET, ("127.0.0.1", PORT)), (socket.AF_UNIX, ADDRESS)):
        line = socket.socket(kind, socket.SOCK_STREAM)
        with contextlib.suppress(OSError):  # another run of these tests offers it
            line.bind(address)
            line.listen()
        lines.append(line)

    def serve(line):
        with contextlib.suppress(OSError):
            while True:
                with line.accept()[0] as guest:
                    guest.sendall(text.encode())

    for line in lines:
        threading.Thread(target=serve, args=(line,), daemon=True).start()
    try:
        yield
    finally:
        for line in lines:
            line.close()


@pytest.fixture(scope="module")
def graded(tmp_path_factory, require):
    """Grade the whole catalogue, once."""
    require("bwrap")
    result = Graded(tmp_path_factory.mktemp("catalogue") / "course")
    catalogue.make_course(result.folder)
    for entry in ENTRIES.values():
        catalogue.hand_in(result.folder, entry.part, entry.id, entry.make)
    result.before = catalogue.listing(result.folder)
    log = result.folder.parent / "said"
    with warnings.catch_warnings(), offering(OFFERED), log.open("w") as file:
        warnings.simplefilter("ignore")  # nbgrader's own, about its database
        with contextlib.redirect_stdout(file), contextlib.redirect_stderr(file):
            for part in PARTS:
                result.records[part] = catalogue.grade(result.folder, part, result.peaks)
    result.said = log.read_text(encoding="utf-8")
    result.after = catalogue.listing(result.folder)
    yield result
    # What is nested too deeply, pytest cannot remove.
    subprocess.run(["rm", "-rf", str(result.folder)], check=False)


# ---------------------------------------------------------------- the catalogue itself


def test_there_are_enough_entries_of_every_kind():
    assert len(ENTRIES) >= 60
    assert sum(not entry.expect.points for entry in ENTRIES.values()) >= 20  # full marks in spite of everything
    assert sum(bool(entry.expect.points) for entry in ENTRIES.values()) >= 40
    assert len({entry.title for entry in ENTRIES.values()}) == len(ENTRIES)


@pytest.mark.parametrize("entry", ENTRIES.values(), ids=lambda entry: entry.id)
def test_an_entry_names_exercises_that_are_there(entry):
    assert set(entry.expect.points) <= set(catalogue.full(entry.part))
    assert not entry.after or entry.after in ENTRIES


def test_an_expectation_can_be_disappointed():
    full = {"softmax": 4.0, "entropy": 3.0}
    hostile = catalogue.Expected({"softmax": 0.0}, ("memory",))
    assert not hostile.complaints({"softmax": 0.0, "entropy": 3.0}, full, "used too much memory")
    assert len(hostile.complaints({"softmax": 4.0, "entropy": 2.5}, full, "nothing")) == 3
    assert len(hostile.complaints({}, full)) == 2


# ---------------------------------------------------------------- everybody gets what they deserve


@pytest.mark.parametrize("entry", ENTRIES.values(), ids=lambda entry: entry.id)
def test_a_submission_gets_what_it_deserves(graded, entry):
    record = graded.records[entry.part][entry.id]
    complaints = entry.expect.complaints(catalogue.points(record), catalogue.full(entry.part), catalogue.told(record))
    assert not complaints, f"{entry.title}: {'; '.join(complaints)}\n{catalogue.told(record)}"
    assert all(notebook.status != "failed" for notebook in record.notebooks.values()), catalogue.told(record)


@pytest.mark.parametrize("part", PARTS)
def test_honest_students_have_full_marks_and_nothing_to_be_told(graded, part):
    for student in HONEST:
        record = graded.records[part][student]
        assert catalogue.points(record) == catalogue.full(part)
        assert not record.notes
        assert record.notebooks.keys() == set(PARTS[part])
        for notebook in record.notebooks.values():
            assert notebook.status == "graded"
            assert not notebook.repairs
            assert not notebook.failures


@pytest.mark.parametrize("student", HONEST)
def test_an_honest_notebook_finds_all_that_it_needs(graded, student):
    for part, names in PARTS.items():
        for name in names:
            path = graded.folder / "autograded" / student / part / f"{name}.ipynb"
            outputs = [o for cell in nbformat.read(path, as_version=4).cells for o in cell.get("outputs", ())]
            assert not [o for o in outputs if o.output_type == "error" and o.ename != "ValueError"]
            assert catalogue.SHELL_WORKS in outputs[-1].text


@pytest.mark.parametrize("part", PARTS)
def test_the_gradebook_says_what_the_records_say(graded, part):
    scores = catalogue.scores(graded.folder, part)
    assert set(scores) == set(graded.records[part])
    for student, record in graded.records[part].items():
        assert scores[student] == catalogue.points(record), student


def test_everybody_is_graded(graded):
    parts = {entry.id: entry.part for entry in ENTRIES.values()}
    for part in PARTS:
        # A student whose folder is a link to Ada's has handed in whatever she has.
        here = {student for student, theirs in parts.items() if theirs == part} | {"student-symlink"}
        assert set(graded.records[part]) == {*HONEST, *here}


def test_every_graded_notebook_is_one_and_shows_the_points(graded):
    for part, records in graded.records.items():
        for student, record in records.items():
            for name in PARTS[part]:
                path = graded.folder / "autograded" / student / part / f"{name}.ipynb"
                assert path.stat().st_size < 25_000_000, path
                notebook = nbformat.read(path, as_version=4)
                nbformat.validate(notebook)
                shown = {
                    cell.id: [float(o.data["text/plain"]) for o in cell.outputs if o.output_type == "execute_result"]
                    for cell in notebook.cells
                    if marks(cell).get("grade")
                }
                earned = catalogue.points(record)
                assert shown, (student, name)
                assert shown == {exercise: [earned[exercise]] for exercise in shown}, (student, name)


# ---------------------------------------------------------------- and nothing else happens


def test_what_was_handed_in_and_the_course_are_as_they_were(graded):
    def kept(listing):
        return {path: about for path, about in listing.items() if Path(path).parts[0] not in OURS}

    before, after = kept(graded.before), kept(graded.after)
    assert before
    assert {path for path in before.keys() | after.keys() if before.get(path) != after.get(path)} == set()


def test_nothing_was_written_where_it_does_not_belong(graded):
    names = [Path(path).name for path in graded.after]
    assert not [name for name in names if CANARY in name or name in ("left-behind", "rubbish", "notes.json")]
    homes = (Path.home(), Path("/tmp"), Path("/dev/shm"), Path("/var/tmp"), catalogue.ROOT)
    assert not [folder for folder in homes if (folder / CANARY).exists()]
    here = {student for records in graded.records.values() for student in records}
    assert {path.name for path in (graded.folder / "autograded").iterdir()} == here


@pytest.mark.skipif(not Path("/proc/self/cmdline").exists(), reason="this system lists its processes elsewhere")
def test_no_process_is_left_over(graded):
    running = []
    for path in Path("/proc").glob("[0-9]*/cmdline"):
        with contextlib.suppress(OSError):
            running.append(path.read_bytes().replace(b"\0", b" ").decode("utf-8", "replace"))
    assert any("pytest" in command or "python" in command for command in running)
    assert not [command for command in running if ORPHAN in command]


def test_nobody_takes_longer_than_a_notebook_may(graded):
    for records in graded.records.values():
        for student, record in records.items():
            spent = sum(seconds for stage, seconds in record.seconds.items() if stage != "total")
            assert spent < catalogue.STRICT.notebook * len(record.notebooks) + SLACK, student


def test_the_processes_that_judge_stay_small(graded):
    assert graded.peaks
    assert max(graded.peaks) < MOST_MEMORY


# ---------------------------------------------------------------- whoever looks at it is safe

#: What a browser would run or fetch; the text of it, escaped, may be there.
LIVE = re.compile(r"<script>alert|<img[^>]{0,200}onerror|href=.javascript:", re.IGNORECASE)


def test_the_terminal_shows_no_codes_of_a_submission(graded):
    assert "submissions graded" in graded.said
    assert "\x1b" not in graded.said
    for path in (graded.folder / "reports").iterdir():
        assert "\x1b" not in path.read_text(encoding="utf-8"), path


def test_the_report_shows_scripts_as_text(graded):
    for part in PARTS:
        page = (graded.folder / "reports" / f"{part}.html").read_text(encoding="utf-8")
        assert not LIVE.search(page)
    assert "&lt;img src=x" in (graded.folder / "reports" / f"{catalogue.ONE}.html").read_text(encoding="utf-8")


@pytest.mark.parametrize("student", ["ada", *(name for name in ENTRIES if name.startswith("script-"))])
def test_formgrader_runs_nothing_of_a_submission(graded, student):
    notebooks = list(graded.notebooks(student))
    assert notebooks
    for path in notebooks:
        page = catalogue.formgrader_page(graded.folder, path)
        assert "softmax" in page
        assert not LIVE.search(page)


def test_the_log_has_a_line_for_everybody(graded):
    for part, records in graded.records.items():
        lines = (graded.folder / "reports" / f"{part}.log.jsonl").read_text(encoding="utf-8").splitlines()
        assert sorted(json.loads(line)["student"] for line in lines) == sorted(records)
        assert not [json.loads(line)["student"] for line in lines if "trouble" in json.loads(line)]


def test_the_environment_is_as_it_was(graded):
    assert "LEFT_BEHIND" not in os.environ
