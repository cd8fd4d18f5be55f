"""README, CONTRIBUTING and the road map agree with what is there."""

import re
from pathlib import Path

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
