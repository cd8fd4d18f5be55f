"""README, CONTRIBUTING and the road map agree with what is there."""

import re
from pathlib import Path

import pytest
from courseware import ROOT, SOLUTIONS, check_cells, name_of, read

from attnlib.plots import roadmap
from grader.exercises import BANK
from grader.exercises.kinds import FunctionExercise

README = (ROOT / "README.md").read_text(encoding="utf-8")
CONTRIBUTING = (ROOT / "CONTRIBUTING.md").read_text(encoding="utf-8")
MAKEFILE = (ROOT / "Makefile").read_text(encoding="utf-8")


def test_the_road_map_lists_every_notebook_with_what_is_written_in_it():
    rows = {match[1]: match[0] for match in re.finditer(r"^\|[^|]*\| `([\w-]+)` \|.*$", README, re.M)}
    assert list(rows) == [path.stem for path in SOLUTIONS]
    for path in SOLUTIONS[1:]:
        functions = [c.id for c in check_cells(read(path)) if isinstance(BANK[c.id], FunctionExercise)]
        for function in functions:
            assert f"`{function}`" in rows[path.stem], f"{function} is missing in the row of {path.stem}"


def minutes(path):
    """What a notebook's first lines say, what its exercises add up to, and its challenges."""
    headings = [re.findall(r"^#+ (.*?) (\d+) minutes?\b", cell.source, re.M) for cell in read(path).cells]
    each = [("hallenge" in title, int(number)) for found in headings for title, number in found]
    promised = int(re.search(r"\b(\d+) minutes", read(path).cells[0].source)[1])
    return promised, sum(number for extra, number in each if not extra), [number for extra, number in each if extra]


@pytest.mark.parametrize("path", SOLUTIONS, ids=name_of)
def test_the_minutes_of_a_notebook_leave_time_to_read(path):
    promised, exercises, _ = minutes(path)
    assert exercises + 15 <= promised <= 2 * exercises + 25, f"{exercises} of {promised} minutes are exercises"


def test_the_hours_of_each_part_are_the_sum_of_its_notebooks():
    parts = {}
    for path in SOLUTIONS:
        parts.setdefault(path.parent.name[0], []).append(minutes(path)[0])
    hours = {part: round(sum(some) / 30) / 2 for part, some in parts.items()}
    said = ", ".join(f"Part {part} {hours[part]:g}" for part in sorted(hours) if part != "0")
    assert f"in hours: {said}" in README
    assert f"Start here takes {parts['0'][0]} minutes" in README


def test_the_picture_of_the_road_names_the_notebooks_that_exist():
    drawn = Path(roadmap.__file__).read_text(encoding="utf-8")
    for path in SOLUTIONS:
        assert name_of(path) in drawn or path.stem in drawn, f"{name_of(path)} is not on the road map"


def test_links_and_pictures_exist_and_pictures_have_text():
    text = README + CONTRIBUTING
    pictures = re.findall(r"!\[([^\]]*)\]\(([^)]+)\)", text)
    links = re.findall(r"(?<!!)\[[^\]]+\]\(([^)#]+)\)", text)
    assert pictures
    assert links
    for alt, target in pictures:
        assert (ROOT / target).is_file(), target
        assert len(alt) > 20, f"{target} needs a text alternative"
    for target in links:
        assert target.startswith("https://") or (ROOT / target).exists(), target


def test_every_make_command_that_is_named_exists():
    targets = set(re.findall(r"^([a-z-]+):", MAKEFILE, re.M))
    for text in (README, CONTRIBUTING):
        named = set(re.findall(r"`make ([a-z-]+)`", text)) | set(re.findall(r"^make ([a-z-]+)", text, re.M))
        assert named
        assert named <= targets, named - targets


def test_every_folder_that_is_named_exists():
    folders = re.findall(r"^\| `(\w+)/`", README, re.M)
    assert folders
    for folder in folders:
        assert folder in ("work", "grading") or (ROOT / folder).is_dir(), folder
