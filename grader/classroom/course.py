"""Where a course keeps its files: nbgrader's folders, and what grading adds beside them."""

import os
from functools import cached_property
from pathlib import Path

from nbgrader.coursedir import CourseDirectory

from grader.classroom.dates import read_dates
from grader.classroom.release import course_config, released
from grader.notebook import grade_id, marks, read_notebook
from grader.places import ROOT, find_part

LONGEST_NAME = 128  # of a student: letters in nbgrader's gradebook
LONGEST_FILE_NAME = 200  # bytes, so that there is room for what the files about a student are called


def can_be_kept(name):
    """True for a student's name that nbgrader's gradebook and all of our files can have.

    Examples
    --------
    >>> can_be_kept("ada [lovelace] *"), can_be_kept(" ada"), can_be_kept("ada\\u202e"), can_be_kept("..%2fada")
    (True, False, False, False)
    """
    short = len(name) <= LONGEST_NAME and len(os.fsencode(name)) <= LONGEST_FILE_NAME
    return short and name.isprintable() and not name.startswith(".") and name == name.strip()


def _is_there(path):
    """True where something is, or where nobody may look: that is told for that student."""
    try:
        return path.exists() or path.is_symlink()
    except PermissionError:
        return True


class Course:
    """A course folder as its configuration describes it.

    Parameters
    ----------
    config : traitlets.config.Config
        The configuration of nbgrader_config.py, or one with other folders.

    Attributes
    ----------
    config : traitlets.config.Config
    name : str
        The course's id in the gradebook.
    db_url : str
        The gradebook's address.
    grading : Path
        The folder of everything that grading makes: the parent of the folder of submissions.
    """

    def __init__(self, config):
        self.config = config
        self._folders = CourseDirectory(config=config)
        self.root = Path(self._folders.root)
        self.name, self.db_url = self._folders.course_id, self._folders.db_url
        self.grading = (self.root / self._folders.submitted_directory).parent

    @classmethod
    def at(cls, root):
        """The course whose nbgrader_config.py lies in `root`."""
        return cls(course_config(Path(root)))

    @classmethod
    def apart(cls, folder, root=ROOT):
        """A course with the settings of the one in `root` and files of its own below `folder`."""
        config = course_config(root)
        course = config.CourseDirectory
        course.root, course.source_directory, course.release_directory = str(folder), "source", "release"
        for step in ("submitted", "autograded", "feedback"):
            course[f"{step}_directory"] = step
        course.db_url = f"sqlite:///{(Path(folder) / 'gradebook.db').as_posix()}"
        config.Exchange.root = str(Path(folder) / "exchange")
        return cls(config)

    def _path(self, step, student, part):
        return Path(self._folders.format_path(step, student, part))

    def source(self, part):
        """The folder of a part's source notebooks."""
        return self._path(self._folders.source_directory, ".", part)

    def submitted(self, part, student):
        """Where a student's files are handed in; grading only ever reads there."""
        return self._path(self._folders.submitted_directory, student, part)

    def autograded(self, part, student):
        """Where a student's graded notebooks go."""
        return self._path(self._folders.autograded_directory, student, part)

    def feedback(self, part, student):
        """Where a student's feedback pages go."""
        return self._path(self._folders.feedback_directory, student, part)

    def record(self, part, student):
        """The file with what grading found in a student's submission."""
        return self.grading / "records" / part / f"{student}.json"

    def attempts(self, part, student):
        """Where a student's earlier attempts are kept, each in a folder of its own."""
        return self.grading / "attempts" / part / student

    def origin(self, part, student):
        """The file with the names under which a platform gave a student's files."""
        return self.grading / "origins" / part / f"{student}.json"

    def returned(self, part, student):
        """The zip with a student's feedback pages."""
        return self.grading / "returned" / part / f"{student}.zip"

    def report(self, part):
        """The instructor's page of a part; the marks as CSV and the log lie beside it."""
        return self.grading / "reports" / f"{part}.html"

    @cached_property
    def parts(self):
        """Names of the parts that have source notebooks."""
        return sorted({path.parent.name for path in self.source(".").glob("*/*.ipynb")})

    def find_part(self, name):
        """The part that is meant; see `grader.places.find_part`."""
        return find_part(name, self.parts)

    def students(self, part):
        """Names of those who handed something in for a part (a file in place of a folder counts: it is told)."""
        top = self.root / self._folders.submitted_directory
        names = (path.name for path in top.iterdir()) if top.is_dir() else ()
        return sorted(name for name in names if _is_there(self.submitted(part, name)))

    def released(self, part):
        """What learners get of a part: the released notebooks by name, in order.

        Raises
        ------
        UnknownName
            If there is no such part.
        NotebookError
            If one of its notebooks cannot be released.
        CourseError
            If course.toml has a mistake in it.
        """
        part = self.find_part(part)
        return {name: released(notebook, self.config) for name, notebook in self.notebooks(part).items()}

    def notebooks(self, part):
        """The source notebooks of a part by name, in order; what course.toml has dropped is worth no points in them."""
        notebooks, dropped = self._notebooks(part), read_dates(self).rule(part).dropped
        for notebook in notebooks.values():
            for cell in notebook.cells:
                if grade_id(cell) in dropped:
                    marks(cell)["points"] = 0
        return notebooks

    def graded_ids(self, part):
        """The ids of a part's exercises and written questions, in order."""
        cells = (cell for notebook in self._notebooks(part).values() for cell in notebook.cells)
        return [grade_id(cell) for cell in cells if marks(cell).get("grade")]

    def _notebooks(self, part):
        return {path.stem: read_notebook(path) for path in sorted(self.source(part).glob("*.ipynb"))}
