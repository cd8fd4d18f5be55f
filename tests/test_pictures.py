"""The pictures of README show what the course shows now: their words and numbers are those of a fresh run."""

import re
import shutil

import pytest
from courseware import ROOT
from PIL import Image

from attnlib import plots

DOCS = ROOT / "docs"
PNGS = sorted(DOCS.glob("*.png"))


def test_readme_and_the_page_for_instructors_show_each_picture_once():
    pages = (ROOT / "README.md").read_text("utf-8"), (DOCS / "teaching.md").read_text("utf-8")
    shown = re.findall(r"!\[[^\]]*\]\(docs/([\w.-]+)\)", pages[0]) + re.findall(r"!\[[^\]]*\]\(([\w.-]+)\)", pages[1])
    assert sorted(shown) == sorted(path.name for path in DOCS.iterdir() if path.is_file() and path.suffix != ".md")


@pytest.mark.parametrize("path", PNGS, ids=lambda path: path.stem)
def test_a_picture_is_sharp_and_small_and_says_what_is_seen_in_it(path, pictures):
    with Image.open(path) as image:
        assert image.width >= 1600, "two pixels for each of a plain screen"
        assert path.stat().st_size < pictures.LARGEST
        assert len(pictures.seen(path)) > 200
        # At most a dragging hand's length: whoever reads beside it is not to be distracted for long.
        assert getattr(image, "n_frames", 1) == (pictures.FRAMES if path.stem == "explorer" else 1)


def test_the_road_is_the_one_of_the_course():
    drawn, fresh = (
        (re.findall(r">([^<>]+)</text>", svg))
        for svg in ((DOCS / "road.svg").read_text("utf-8"), plots.road_map().svg())
    )
    assert len(drawn) > 20
    assert drawn == fresh


@pytest.mark.browser
@pytest.mark.thorough
@pytest.mark.parametrize("name", ["explorer", "check"])
def test_what_a_learner_sees_is_what_the_picture_shows(name, pictures, chromium, tmp_path):
    getattr(pictures, f"{name}_picture")(chromium, tmp_path, tmp_path)
    assert pictures.seen(tmp_path / f"{name}.png") == pictures.seen(DOCS / f"{name}.png"), "run: make pictures"


def test_a_picture_that_shows_something_else_is_noticed(pictures, tmp_path):
    shutil.copyfile(DOCS / "check.png", tmp_path / "check.png")
    assert "0 of 4 points" in pictures.seen(tmp_path / "check.png")
    pictures.keep(tmp_path / "check.png", [(DOCS / "check.png").read_bytes()], "0 of 5 points")
    assert pictures.seen(tmp_path / "check.png") == "0 of 5 points"
