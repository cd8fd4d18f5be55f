"""Make the pictures of README in docs/, from the running course: `make pictures`.

Needs Chromium. The pictures show the released notebooks as a learner has them, and the report and formgrader with the
made class of `make demo`.
"""

import argparse
import os
import shutil
import sys
import tempfile
from pathlib import Path

from grader.places import ROOT

sys.path.insert(0, str(ROOT / "tests"))

import browser as harness
from explorers import context

from attnlib import plots
from grader.classroom.course import Course
from grader.desk import demo, lab

SOFTMAX = "1-context-vectors/3-softmax.ipynb"
DOWN_THE_COLUMNS = '''def softmax(x):
    """Weights from scores: the softmax of each row."""
    powers = np.exp(x - x.max(axis=0))
    return powers / powers.sum(axis=0)
'''


CONFIG = """c = get_config()
c.CourseDirectory.course_id = "attention-course"
c.CourseDirectory.root = r"{root}"
c.CourseDirectory.db_url = "sqlite:///gradebook.db"
"""


def learner_pictures(chromium, folder, docs):
    """A failing check, in the softmax notebook."""
    lab.copy_notebooks(work=folder / "work")
    with (
        harness.running("learner", folder / "work", folder / "state") as server,
        harness.Lab(server, chromium, size=(1180, 780)) as window,
    ):
        notebook = window.open(SOFTMAX)
        notebook.run_all()
        notebook.write("softmax-answer", DOWN_THE_COLUMNS)
        notebook.run("softmax-answer")
        notebook.run("softmax")
        notebook.show("softmax-answer")
        window.page.wait_for_timeout(1000)
        notebook.page.locator(f"{harness.PANEL} .jp-WindowedPanel-outer").first.screenshot(path=docs / "check.png")


def explorer_picture(chromium, folder, docs):
    """The explorer of context vectors, its query dragged."""
    path = folder / "explorer.html"
    path.write_text(f"<!doctype html><meta charset=utf-8>{context.build().html()}", encoding="utf-8")
    page = chromium.new_page(viewport={"width": 1000, "height": 800}, device_scale_factor=2)
    page.goto(path.as_uri())
    query = page.get_by_role("slider", name="query", exact=True)
    box = query.bounding_box()
    x, y = box["x"] + box["width"] / 2, box["y"] + box["height"] / 2
    page.mouse.move(x, y)
    page.mouse.down()
    page.mouse.move(x - 60, y - 10, steps=4)
    page.wait_for_timeout(500)  # still held: the shadow shows where it was
    page.locator(".attnlib-explorer").screenshot(path=docs / "explorer.png")
    page.close()


def instructor_pictures(chromium, folder, docs):
    """The report of the made class, and formgrader with its marks."""
    course = folder / "course"
    demo.demo(course)
    page = chromium.new_page(viewport={"width": 1180, "height": 900})
    page.goto(Course.apart(course).report(demo.PART).as_uri())
    page.screenshot(path=docs / "report.png")
    page.close()
    (course / "nbgrader_config.py").write_text(CONFIG.format(root=course), encoding="utf-8")
    with (
        harness.running("instructor", course, folder / "state", course=course) as server,
        harness.Lab(server, chromium, size=(1500, 760)) as window,
    ):
        window.open()
        window.formgrader().get_by_role("link", name="Manage Students").click()
        window.page.wait_for_timeout(3000)
        window.page.locator("#formgrader").screenshot(path=docs / "formgrader.png")


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
    with tempfile.TemporaryDirectory() as folder, harness.browser(executable) as chromium:
        # The theme and the layout that everybody begins with, not those of whoever runs this.
        os.environ["JUPYTERLAB_SETTINGS_DIR"] = os.environ["JUPYTER_CONFIG_DIR"] = str(Path(folder) / "settings")
        learner_pictures(chromium, Path(folder), docs)
        explorer_picture(chromium, Path(folder), docs)
        instructor_pictures(chromium, Path(folder), docs)
    print(f"Made {', '.join(sorted(path.name for path in docs.iterdir()))} in {docs}")


if __name__ == "__main__":
    main()
