"""A real JupyterLab in a real browser, driven as a learner or an instructor would, for the tests and the screenshots.

    with running("learner", work) as server, browser() as chromium, Lab(server, chromium) as lab:
        notebook = lab.open("1-context-vectors/3-softmax.ipynb")
        notebook.run_all()
        print(notebook.text("softmax"))

What is looked at is what the page shows. What is only a means, such as changing a cell's source or waiting for a
kernel, goes through JupyterLab's own commands: they say when they are done.
"""

import contextlib
import re
from pathlib import Path
from urllib.parse import urlsplit

from playwright.sync_api import expect, sync_playwright

from grader.desk import lab

# Headless, without a graphics card, and without calling home.
ARGUMENTS = [
    "--no-sandbox",
    "--disable-gpu",
    "--disable-dev-shm-usage",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
    "--disable-quic",
    "--no-first-run",
]
PATIENCE = 60_000  # milliseconds: the first kernel on a busy machine starts slowly

expect.set_options(timeout=PATIENCE)

# The notebook in front; others stay in the page, hidden.
PANEL = ".jp-NotebookPanel:not(.lm-mod-hidden)"

# What of an explorer is taken hold of: points, sliders, cells.
HELD = '.attnlib-explorer :is(.handle, input[type="range"], .cell[tabindex="0"])'

# Small functions in the page, around the application object that the server is asked to expose.
SCRIPT = """
window.course = {
  panel: () => window.jupyterapp.shell.currentWidget,
  cell: (id) => {
    const panel = window.course.panel();
    const index = panel.content.widgets.findIndex((cell) => cell.model.id === id);
    if (index < 0) {
      const ids = panel.content.widgets.map((cell) => cell.model.id).join(", ");
      throw new Error(`no cell ${id} in ${panel.context.path}; it has ${ids}`);
    }
    return { panel, index, widget: panel.content.widgets[index] };
  },
  ready: () => {
    const panel = window.course.panel();
    const kernel = panel?.sessionContext?.session?.kernel;
    return Boolean(panel?.context?.isReady && kernel?.status === "idle" && window.jupyterapp.restored);
  },
  show: async (id) => {
    const { panel, index, widget } = window.course.cell(id);
    panel.content.activeCellIndex = index;
    await panel.content.scrollToItem(index, "start");
    await widget.ready;
    widget.node.scrollIntoView({ block: "start" });
    return index;
  },
  write: (id, source) => window.course.cell(id).widget.model.sharedModel.setSource(source),
  read: (id) => window.course.cell(id).widget.model.sharedModel.getSource(),
  run: async (id) => {
    await window.course.show(id);
    await window.jupyterapp.commands.execute("notebook:run-cell");
  },
  runAll: () => window.jupyterapp.commands.execute("notebook:run-all-cells"),
  save: () => window.course.panel().context.save(),
  failures: () => window.course.panel().content.widgets
    .filter((cell) => cell.model.type === "code" && cell.model.outputs.toJSON().some((o) => o.output_type === "error"))
    .map((cell) => cell.model.id),
  outputs: (id) => window.course.cell(id).widget.model.outputs.toJSON(),
};
"""


@contextlib.contextmanager
def running(audience, root_dir, state, course=lab.ROOT):
    """Start JupyterLab the way `make lab` ("learner") and `make teach` ("instructor") do; give the server."""
    options = ["--LabApp.expose_app_in_browser=True"]
    with lab.Server(audience, root_dir, state, course=course, options=options) as server:
        yield server


@contextlib.contextmanager
def browser(executable):
    """Start a headless Chromium; give Playwright's browser."""
    with sync_playwright() as playwright:
        chromium = playwright.chromium.launch(executable_path=executable, args=ARGUMENTS)
        try:
            yield chromium
        finally:
            chromium.close()


class Lab:
    """A JupyterLab in one window of a browser.

    Parameters
    ----------
    server : grader.desk.lab.Server
    chromium : playwright Browser
    size : tuple of int
        Width and height of the window.
    dark : bool
        Ask for JupyterLab's dark theme.
    scale : int
        Pixels of a screenshot for each of the window's.
    """

    def __init__(self, server, chromium, size=(1280, 900), dark=False, scale=1):
        self.server = server
        window = {"width": size[0], "height": size[1]}
        self._context = chromium.new_context(viewport=window, device_scale_factor=scale)
        self._context.set_default_timeout(PATIENCE)
        self._context.add_init_script(SCRIPT)
        self.page = self._context.new_page()
        self._dark = dark
        self._opened = False
        # Hosts other than this machine that the page asked for: the course has to work without a network.
        self.foreign = set()
        self.errors = []
        self.page.on("request", self._note_request)
        self.page.on("pageerror", lambda error: self.errors.append(str(error)))
        # "Leave without saving?": yes.
        self.page.on("dialog", lambda dialog: dialog.accept())

    def __enter__(self):
        return self

    def __exit__(self, *exception):
        self._context.close()

    def _note_request(self, request):
        host = urlsplit(request.url).hostname
        if host not in (None, "localhost", "127.0.0.1"):
            self.foreign.add(host)

    def open(self, path=""):
        """Open JupyterLab at its start, or at a notebook, and give that `Notebook` once its new kernel waits."""
        if self._opened:
            self.page.evaluate("() => window.jupyterapp.serviceManager.sessions.shutdownAll()")
        self.foreign.clear()
        self.errors.clear()
        # Without the windows of the time before.
        self.page.goto(self.server.address(path) + "&reset")
        self._opened = True
        self.page.wait_for_function("() => window.jupyterapp?.restored")
        self.page.evaluate("async () => { await window.jupyterapp.restored; }")
        if self._dark:
            self.page.evaluate(
                "() => window.jupyterapp.commands.execute('apputils:change-theme', {theme: 'JupyterLab Dark'})"
            )
        if not path:
            return None
        self.page.wait_for_function("() => window.course.ready()")
        return Notebook(self)

    def menus(self):
        """Return the names in the menu bar."""
        return [name.strip() for name in self.page.locator(".lm-MenuBar-itemLabel").all_inner_texts()]

    def formgrader(self):
        """Choose Formgrader in the menu Nbgrader, and give the frame that it opens."""
        self.page.locator(".lm-MenuBar-itemLabel", has_text=re.compile("nbgrader", re.IGNORECASE)).click()
        self.page.locator(".lm-Menu-itemLabel", has_text=re.compile(r"^formgrader$", re.IGNORECASE)).click()
        return self.page.frame_locator("#formgrader iframe")

    def screenshot(self, path):
        """Write a picture of the window."""
        self.page.screenshot(path=Path(path))


class Notebook:
    """The open notebook of a `Lab`; cells are named by their ids."""

    def __init__(self, lab):
        self.page = lab.page

    def _do(self, name, *arguments):
        return self.page.evaluate(f"(given) => window.course.{name}(...given)", list(arguments))

    def run_all(self):
        """Run every cell and wait for the last one."""
        self._do("runAll")

    def run(self, cell):
        """Run one cell and wait for it."""
        self._do("run", cell)

    def source(self, cell):
        """Return what is written in a cell."""
        return self._do("read", cell)

    def write(self, cell, source):
        """Replace what is written in a cell."""
        self._do("write", cell, source)

    def save(self):
        """Write the notebook to its file."""
        self._do("save")

    def failures(self):
        """Return the ids of the cells that ended in an exception."""
        return self._do("failures")

    def outputs(self, cell):
        """Return a cell's outputs as the notebook file would hold them."""
        return self._do("outputs", cell)

    def show(self, cell):
        """Scroll a cell to the top of the window and give its place in the page."""
        index = self._do("show", cell)
        return self.page.locator(f'{PANEL} .jp-Cell[data-windowed-list-index="{index}"]')

    def output(self, cell):
        """Scroll to a cell and give the place of its output."""
        return self.show(cell).locator(".jp-Cell-outputArea")

    def text(self, cell):
        """Return the text that a cell's output shows."""
        return self.output(cell).inner_text()

    def html(self, cell):
        """Return the HTML that a cell's output shows."""
        return self.output(cell).inner_html()

    def picture(self, cell):
        """Return the place of the picture that a cell's output shows."""
        picture = self.output(cell).locator("img, svg, canvas").first
        picture.scroll_into_view_if_needed()
        return picture

    def said(self, cell):
        """Return the sentence below a cell's explorer."""
        return self.output(cell).locator(".attnlib-explorer .sentence").inner_text()

    def move_something(self, cell):
        """Take hold of what a cell's explorer offers, by the keyboard; say whether its sentence changed."""
        held = self.output(cell).locator(HELD)
        before = self.said(cell)
        # What comes first may be at its end, or chosen already.
        for which in range(min(held.count(), 3)):
            for key in ("ArrowRight", "ArrowLeft", "Enter"):
                held.nth(which).press(key)
                for _ in range(10):
                    if self.said(cell) != before:
                        return True
                    self.page.wait_for_timeout(50)
        return False

    def validate(self):
        """Press nbgrader's Validate and return what its dialog says, after closing it."""
        self.page.locator(f"{PANEL} .jp-Toolbar").get_by_text("Validate").click()
        dialog = self.page.locator(".jp-Dialog")
        expect(dialog).to_be_visible()
        said = dialog.inner_text()
        dialog.locator("button").last.click()
        expect(dialog).to_be_hidden()
        return said

    def screenshot(self, path, cell=None):
        """Write a picture of the window, or of one cell."""
        (self.show(cell) if cell else self.page).screenshot(path=Path(path))
