"""Make the pictures of README in docs/, from the running course: `make pictures`.

Needs Chromium. The pictures show the released notebooks as a learner has them, and the report and formgrader with the
made class of `make demo`. Each holds, as a text beside its pixels, the words and numbers that the page showed when it
was made; tests compare these with what the course shows now.
"""

import argparse
import io
import math
import os
import shutil
import sys
import tempfile
from pathlib import Path

from grader.places import ROOT

sys.path.insert(0, str(ROOT / "tests"))

import browser as harness
from explorers import context
from nbgrader.api import Gradebook
from PIL import Image
from PIL.PngImagePlugin import PngInfo

from attnlib import plots
from grader.classroom.course import Course
from grader.desk import demo, lab

SOFTMAX = "1-context-vectors/3-softmax.ipynb"
DOWN_THE_COLUMNS = '''def softmax(x):
    """Weights from scores: the softmax of each row."""
    powers = np.exp(x - x.max(axis=0))
    return powers / powers.sum(axis=0)
'''


# Twice as many pixels as a plain screen has, so that no screen blurs them.
SCALE = 2
FRAMES = 26
MARGIN = 8
LARGEST = 1_000_000
#: The name of the text in a picture that says what is seen in it.
SEEN = "Seen"
# What an element says; a folded part shows its head alone.
TEXT = """(element) => {
  const copy = document.createElement("div");
  copy.append(...[...(element.shadowRoot ?? element).childNodes].map((one) => one.cloneNode(true)));
  copy.querySelectorAll("style, script, details > :not(summary)").forEach((one) => one.remove());
  const words = [];
  const walk = document.createTreeWalker(copy, NodeFilter.SHOW_TEXT);
  while (walk.nextNode()) words.push(walk.currentNode.data);
  return words.join(" ").split(/\\s+/).filter(Boolean).join(" ");
}"""


def keep(path, frames, words, step=90):
    """Write a picture, or several that follow each other every `step` milliseconds, with what is seen in it."""
    about = PngInfo()
    about.add_itxt(SEEN, words)
    images = [Image.open(io.BytesIO(frame)).convert("RGB") for frame in frames]
    if len(images) > 1:
        # Few colours, the same in each frame: what does not move costs nothing.
        first = images[0].quantize(96, dither=Image.Dither.NONE)
        images = [image.quantize(palette=first, dither=Image.Dither.NONE) for image in images]
    images[0].save(
        path, pnginfo=about, optimize=True, save_all=len(images) > 1, append_images=images[1:], duration=step, loop=0
    )
    if path.stat().st_size > LARGEST:
        raise SystemExit(f"{path} has {path.stat().st_size:,} bytes: too much for a page that people wait for")


def seen(path):
    """What is seen in a picture, as it was written down when it was made."""
    with Image.open(path) as image:
        return image.text[SEEN]


def cut(page, places):
    """A screenshot of the smallest part of a page that holds some elements, each whole."""
    boxes = [place.bounding_box() for place in places]
    left, top = (min(box[side] for box in boxes) for side in ("x", "y"))
    right, bottom = (max(box[a] + box[b] for box in boxes) for a, b in (("x", "width"), ("y", "height")))
    left, top = max(left - MARGIN, 0), max(top - MARGIN, 0)
    return page.screenshot(
        clip={"x": left, "y": top, "width": right + MARGIN - left, "height": bottom + MARGIN - top}, full_page=True
    )


def check_picture(chromium, folder, docs):
    """A failing check with the answer above it, in the softmax notebook."""
    lab.copy_notebooks(work=folder / "work")
    with (
        harness.running("learner", folder / "work", folder / "state") as server,
        harness.Lab(server, chromium, size=(1180, 1400), scale=SCALE) as window,
    ):
        notebook = window.open(SOFTMAX)
        window.page.evaluate("window.jupyterapp.shell.collapseLeft()")
        notebook.run("setup")
        notebook.write("softmax-answer", DOWN_THE_COLUMNS)
        notebook.run("softmax-answer")
        notebook.run("softmax")
        answer = notebook.show("softmax-answer")
        window.page.wait_for_timeout(1000)
        checked = window.page.locator(f"{harness.PANEL} .jp-Cell", has=window.page.locator(".verdict"))
        said = [place.evaluate(TEXT) for place in checked.locator(".verdict > div").all()]
        # Behind the colon stand numbers that are drawn anew for each check.
        found = [place.evaluate(TEXT).partition(":")[0] for place in checked.locator(".verdict > ul > li").all()]
        words = " ".join([notebook.source("softmax-answer"), *said, *found])
        keep(docs / "check.png", [cut(window.page, [answer, checked.locator(".verdict")])], " ".join(words.split()))


def explorer_picture(chromium, folder, docs):
    """The explorer of context vectors, its query dragged, as a picture that moves."""
    path = folder / "explorer.html"
    path.write_text(f"<!doctype html><meta charset=utf-8>{context.build().html()}", encoding="utf-8")
    page = chromium.new_page(viewport={"width": 900, "height": 800}, device_scale_factor=SCALE)
    page.goto(path.as_uri())
    query = page.get_by_role("slider", name="query", exact=True)
    box = query.bounding_box()
    x, y = box["x"] + box["width"] / 2, box["y"] + box["height"] / 2
    explorer, frames = page.locator(".attnlib-explorer"), []
    page.mouse.move(x, y)
    page.mouse.down()
    for i in range(FRAMES):
        turn = 2 * math.pi * i / FRAMES
        page.mouse.move(x - 90 * math.sin(turn), y + 45 * (1 - math.cos(turn)))
        page.wait_for_timeout(60)
        frames.append(explorer.screenshot())
    page.mouse.move(x, y)
    page.wait_for_timeout(500)  # until it stands still: these words are compared
    keep(docs / "explorer.png", frames, explorer.evaluate(TEXT))
    page.close()


def report_picture(chromium, report, docs):
    """The top of a report, down to what to bring to class."""
    page = chromium.new_page(viewport={"width": 1180, "height": 900}, device_scale_factor=SCALE)
    page.goto(report.as_uri())
    places = page.locator("body > header, main > ul.tiles, #tomorrow").all()
    keep(docs / "report.png", [cut(page, places)], " ".join(place.evaluate(TEXT) for place in places))
    page.close()


def formgrader_picture(chromium, course, folder, docs):
    """Formgrader with the marks of a class, and the button that gave them."""
    with Gradebook(f"sqlite:///{course / 'gradebook.db'}") as book:
        for student in book.students:  # as an LMS would have told who they are
            about = {"first_name": student.id.capitalize(), "email": f"{student.id}@example.org"}
            book.update_or_create_student(student.id, last_name="Example", **about)
    with (
        harness.running("instructor", course, folder / "state", course=course) as server,
        harness.Lab(server, chromium, size=(1500, 760), scale=SCALE) as window,
    ):
        window.open()
        window.page.evaluate("window.jupyterapp.shell.collapseLeft()")
        formgrader = window.formgrader()
        formgrader.get_by_role("row").filter(has_text=demo.PART).locator(".num-submissions a").click()
        rows = formgrader.get_by_role("row")
        rows.filter(has_text="Example").last.wait_for()
        window.page.wait_for_timeout(1000)
        places = [formgrader.locator("#grade-class"), *rows.all()]
        words = " ".join(place.evaluate(TEXT) for place in places)
        keep(docs / "formgrader.png", [window.page.locator("#formgrader").screenshot()], words)


def main():
    """Make all pictures."""
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("--chromium", default=shutil.which("chromium") or shutil.which("google-chrome"))
    executable = parser.parse_args().chromium
    if not executable:
        parser.error("Chromium was not found; install it (apt install chromium) or name it with --chromium")
    docs = ROOT / "docs"
    docs.mkdir(exist_ok=True)
    plots.road_map().save(docs / "road.svg")
    with tempfile.TemporaryDirectory() as name, harness.browser(executable) as chromium:
        folder = Path(name)
        # The theme and the layout that everybody begins with, not those of whoever runs this.
        os.environ["JUPYTERLAB_SETTINGS_DIR"] = os.environ["JUPYTER_CONFIG_DIR"] = str(folder / "settings")
        explorer_picture(chromium, folder, docs)
        check_picture(chromium, folder, docs)
        demo.demo(folder / "course")
        report_picture(chromium, Course.apart(folder / "course").report(demo.PART), docs)
        formgrader_picture(chromium, folder / "course", folder, docs)
    print(f"Made {', '.join(sorted(path.name for path in docs.iterdir() if path.is_file()))} in {docs}")


if __name__ == "__main__":
    main()
