"""README, the page for instructors, CONTRIBUTING and the road map agree with what is there."""

import math
import re
from pathlib import Path

import pytest
from courseware import ROOT, SOLUTIONS, check_cells, name_of, promised, read

from attnlib.plots import roadmap
from grader.classroom.sandbox.limits import Limits
from grader.exercises import BANK
from grader.exercises.kinds import FunctionExercise

README = (ROOT / "README.md").read_text(encoding="utf-8")
TEACHING = (ROOT / "docs" / "teaching.md").read_text(encoding="utf-8")
CONTRIBUTING = (ROOT / "CONTRIBUTING.md").read_text(encoding="utf-8")
MAKEFILE = (ROOT / "Makefile").read_text(encoding="utf-8")


def test_the_road_map_lists_every_notebook_with_what_is_written_in_it():
    rows = {match[1]: match[0] for match in re.finditer(r"^\|[^|]*\| `([\w-]+)` \|.*$", README, re.M)}
    assert list(rows) == [path.stem for path in SOLUTIONS]
    for path in SOLUTIONS[1:]:
        functions = [c.id for c in check_cells(read(path)) if isinstance(BANK[c.id], FunctionExercise)]
        for function in functions:
            assert f"`{function}`" in rows[path.stem], f"{function} is missing in the row of {path.stem}"


def test_the_limits_of_a_graded_notebook_are_those_that_learners_are_told():
    limits = Limits()
    assert f"a cell may take {limits.cell:.0f} seconds and a notebook {limits.notebook:.0f}" in README


OPTIONAL = "optional on a first reading"


def exercises(path):
    """Minutes of a notebook's exercises: on a first reading, all but challenges, and of each challenge."""
    headings = [
        line for cell in read(path).cells for line in re.findall(r"^#+ .* \d+ minutes?\b.*$", cell.source, re.M)
    ]
    each = [(line, int(re.search(r"(\d+) minutes?", line)[1])) for line in headings]
    usual = [(line, number) for line, number in each if "hallenge" not in line]
    first = sum(number for line, number in usual if OPTIONAL not in line)
    return first, sum(number for _, number in usual), [number for line, number in each if "hallenge" in line]


@pytest.mark.parametrize("path", SOLUTIONS, ids=name_of)
def test_the_minutes_of_a_notebook_leave_time_to_read(path):
    for whole, part in zip(promised(path)[:2], exercises(path)[:2], strict=True):
        assert part + 15 <= whole <= 2 * part + 25, f"{part} of {whole} minutes are exercises"


@pytest.mark.parametrize("path", SOLUTIONS, ids=name_of)
def test_a_notebook_with_something_optional_names_the_time_with_it_and_that_of_its_challenge(path):
    first, everything, challenge = promised(path)
    sections = re.findall(r"^## .*$", "\n".join(c.source for c in read(path).cells if c.cell_type == "markdown"), re.M)
    optional = [line for line in sections if OPTIONAL in line and "hallenge" not in line]
    assert (first < everything) == bool(optional)
    assert [challenge] == (exercises(path)[2] or [None])


@pytest.mark.parametrize("path", SOLUTIONS, ids=name_of)
def test_what_stands_in_an_optional_section_is_optional(path):
    inside = ""
    for line in re.findall(
        r"^##+ .*$", "\n".join(c.source for c in read(path).cells if c.cell_type == "markdown"), re.M
    ):
        if line.startswith("## "):
            inside = line if OPTIONAL in line else ""
        elif inside and " minutes" in line:
            assert line.endswith(OPTIONAL), f"{line} stands in {inside}"


def test_the_hours_of_each_part_are_the_sum_of_its_notebooks():
    parts = {}
    for path in SOLUTIONS:
        parts.setdefault(path.parent.name[0], []).append(promised(path)[:2])
    hours = {part: [sum(some) / 60 for some in zip(*each, strict=True)] for part, each in parts.items()}
    rounded = {part: tuple(f"{some:.0f}" for some in both) for part, both in hours.items()}
    said = ", ".join(
        f"Part {part} {first}"
        + f" on a first reading, and {everything} with all that is marked as optional" * (first != everything)
        for part, (first, everything) in sorted(rounded.items())
        if part != "0"
    )
    words = " ".join(README.split())
    assert f"in hours: {said}" in words.replace(" (two weeks of a course)", "")
    assert f"Start here takes {60 * hours['0'][0]:.0f} minutes" in words
    start = " ".join(cell.source for cell in read(SOLUTIONS[0]).cells)
    both = [(part, *hours) for part, hours in sorted(rounded.items()) if part != "0"]
    *firsts, last = (f"{first} for Part {part}" for part, first, _ in both)
    told = f"about {', '.join(firsts)} and {last}".replace(" for", " hours for", 1)
    more = " and ".join(f"{everything} for Part {part}" for part, first, everything in both if everything != first)
    assert f"{told}, or {more} with all that is marked as optional" in start


def test_the_picture_of_the_road_names_the_notebooks_that_exist():
    drawn = Path(roadmap.__file__).read_text(encoding="utf-8")
    for path in SOLUTIONS:
        assert name_of(path) in drawn or path.stem in drawn, f"{name_of(path)} is not on the road map"


def test_the_cores_for_a_class_follow_from_what_a_submission_takes():
    seconds, here = map(
        float, re.search(r"takes ([\d.]+) s of a core at a worker and ([\d.]+) s on this side", TEACHING).groups()
    )
    rows = re.findall(r"^\| ([\d,]+) \| (\d+) \|$", TEACHING, re.M)
    assert len(rows) == 3
    for an_hour, cores in rows:
        each = int(an_hour.replace(",", ""))
        assert int(cores) == math.ceil(each * seconds / 3600)
        assert each * here < 3600, "one process writes"


@pytest.mark.parametrize("page", ["README.md", "docs/teaching.md", "CONTRIBUTING.md"])
def test_links_and_pictures_exist_and_pictures_have_text(page):
    text, folder = (ROOT / page).read_text(encoding="utf-8"), (ROOT / page).parent
    pictures = re.findall(r"!\[([^\]]*)\]\(([^)]+)\)", text)
    links = re.findall(r"(?<!!)\[[^\]]+\]\(([^)#]+)\)", text)
    assert pictures or page == "CONTRIBUTING.md"
    assert links or page == "CONTRIBUTING.md"
    for alt, target in pictures:
        assert (folder / target).is_file(), target
        assert len(alt) > 20, f"{target} needs a text alternative"
    for target in links:
        assert target.startswith("https://") or (folder / target).exists(), target


def test_readme_leads_instructors_to_their_page():
    assert README.count("](docs/teaching.md)") >= 2


def test_every_make_command_that_is_named_exists():
    targets = set(re.findall(r"^([a-z-]+):", MAKEFILE, re.M))
    for text in (README, TEACHING, CONTRIBUTING):
        named = set(re.findall(r"`make ([a-z-]+)`", text)) | set(re.findall(r"^make ([a-z-]+)", text, re.M))
        assert named
        assert named <= targets, named - targets


def test_every_folder_that_is_named_exists():
    folders = re.findall(r"^\| `(\w+)/`", README, re.M)
    assert folders
    for folder in folders:
        assert folder in ("work", "grading") or (ROOT / folder).is_dir(), folder
