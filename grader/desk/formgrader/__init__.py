"""nbgrader's formgrader as `make teach` opens it: the class is graded by one button, in the way of `grader grade`.

This is a server's extension in place of nbgrader's own, which it starts and adds to: one address, where grading begins
and tells how far it is, and templates in front of nbgrader's. What is not mentioned here is nbgrader's.
"""

import asyncio
import json
import sys
from pathlib import Path
from urllib.parse import quote

from jinja2 import ChoiceLoader, FileSystemLoader, PrefixLoader
from nbgrader.server_extensions.formgrader import formgrader, handlers
from nbgrader.server_extensions.formgrader.base import BaseApiHandler, check_notebook_dir, check_xsrf
from tornado import web

from grader import pace
from grader.classroom.course import Course
from grader.desk.formgrader.rubric import Rubrics

PROGRAM = "import sys; from grader.desk.formgrader.grading import main; sys.exit(main(*sys.argv[1:]))"
PART = r"/formgrader/api/assignment/([^/]+)/grade"
STUDENT = r"/formgrader/api/submission/([^/]+)/([^/]+)/autograde"


class Run:
    """A run of grading in a process of its own, so that nothing of it can harm the server.

    Parameters
    ----------
    folder : str
        The course's, where its nbgrader_config.py is.
    part : str
    students : sequence of str
        Nobody for everybody.

    Attributes
    ----------
    status : int or None
        The exit status; None as long as it goes on.
    pace : str
        How far it is.
    """

    def __init__(self, folder, part, students=()):
        self.status, self.pace, self._said, self._problems = None, "", "", []
        self.task = asyncio.ensure_future(self._run(folder, part, students))

    async def _run(self, folder, part, students):
        try:
            self.status = await self._outcome(folder, part, students)
        except Exception as problem:  # told on the page, which would wait for ever
            self._problems.append(f"grading cannot be started here ({problem!r}); try python -m grader grade {part}")
            self.status = 1

    async def _outcome(self, folder, part, students):
        process = await asyncio.create_subprocess_exec(
            sys.executable,
            *("-c", PROGRAM, folder, part, *students),
            cwd=folder,
            stdin=asyncio.subprocess.DEVNULL,
            stdout=asyncio.subprocess.PIPE,
            stderr=asyncio.subprocess.PIPE,
            limit=2**20,
        )
        said, _ = await asyncio.gather(process.stdout.read(), self._listen(process.stderr))
        self._said = said.decode("utf-8", "replace").strip()
        return await process.wait()

    async def _listen(self, stream):
        async for line in stream:
            words = line.decode("utf-8", "replace").rstrip()
            if words.startswith(pace.SIGN):
                self.pace = words.removeprefix(pace.SIGN)
            elif words:
                self._problems.append(words)

    def about(self):
        """What a page needs to know, as JSON can hold it."""
        return {
            "running": self.status is None,
            "success": self.status == 0,
            "pace": self.pace,
            "summary": self._said.partition("\n\nReport:")[0],  # a page has an address for the rest
            "problems": "\n".join(self._problems),
        }


class _Handler(BaseApiHandler):
    def run_of(self, part, start=False, students=()):
        """The last run of a part since the server was started, or None; with `start` a new one, unless one goes on."""
        runs = self.settings.setdefault("course_runs", {})
        key = self.coursedir.root, part
        if start and (key not in runs or runs[key].status is not None):
            runs[key] = Run(*key, students)
        return runs.get(key)

    def forget_the_gradebook(self):
        """Have marks read anew that another process has written."""
        if self.settings["nbgrader_gradebook"] is not None:
            self.settings["nbgrader_gradebook"].close()
            self.settings["nbgrader_gradebook"] = None

    def report(self, part):
        """The address of the part's report; "" where there is none to be seen."""
        path = Course.at(self.coursedir.root).report(part).resolve()
        top = Path(self.settings["nbgrader_formgrader"].root_dir).resolve()
        there = path.is_file() and path.is_relative_to(top)
        return f"{self.base_url}/files/{quote(path.relative_to(top).as_posix())}" if there else ""


class PartHandler(_Handler):
    """Grade a part's class: POST begins, GET says how far it is."""

    @web.authenticated
    @check_xsrf
    @check_notebook_dir
    def post(self, part):
        """Begin."""
        self.write(json.dumps(self.run_of(part, start=True).about()))

    @web.authenticated
    @check_xsrf
    @check_notebook_dir
    def get(self, part):
        """Say how far it is, and where the report lies."""
        run = self.run_of(part)
        if run is not None and run.status is not None:
            self.forget_the_gradebook()
        self.write(json.dumps((run.about() if run else {"running": False}) | {"report": self.report(part)}))


class StudentHandler(_Handler):
    """nbgrader's address for a student's Autograde button, with an answer in its form."""

    @web.authenticated
    @check_xsrf
    @check_notebook_dir
    async def post(self, part, student):
        """Grade the student."""
        there = self.run_of(part)
        if there is not None and there.status is None:
            self.write(json.dumps({"success": False, "log": f"{part} is being graded; wait until that is done."}))
            return
        run = self.run_of(part, start=True, students=[student])
        await run.task
        self.forget_the_gradebook()
        about = run.about()
        log = "\n".join(filter(None, (about["summary"], about["problems"])))
        self.write(json.dumps({"success": about["success"], "log": log}))


def _jupyter_server_extension_points():
    return [{"module": "grader.desk.formgrader"}]


def _load_jupyter_server_extension(app):
    """Start nbgrader's formgrader with what is ours in front."""
    base = app.web_app.settings["base_url"].rstrip("/")
    # What is added first is asked first.
    app.web_app.add_handlers(".*$", [(base + PART, PartHandler), (base + STUDENT, StudentHandler)])
    formgrader.load_jupyter_server_extension(app)
    settings = app.web_app.settings
    folder = settings["nbgrader_formgrader"].coursedir
    settings["nbgrader_exporter"].register_preprocessor(Rubrics(lambda: folder.root), enabled=True)
    theirs = FileSystemLoader(handlers.template_path)
    ours = FileSystemLoader(Path(__file__).parent)
    app.web_app.settings["nbgrader_jinja2_env"].loader = ChoiceLoader(
        [ours, theirs, PrefixLoader({"nbgrader": theirs})]
    )
