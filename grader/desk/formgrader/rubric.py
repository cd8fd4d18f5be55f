"""What the solution says of a written question, below the answer that somebody marks: shown, and never stored."""

from nbformat.v4 import new_markdown_cell

from grader.classroom.course import Course
from grader.errors import CourseError
from grader.notebook import grade_id, is_written, read_notebook

HEAD = "**Rubric"


class Rubrics:
    """Takes a graded notebook as formgrader is about to show it, and gives it with a cell below each written answer.

    Only what is shown has these cells: the file, and with it the feedback, stays as it is.

    Parameters
    ----------
    folder : callable
        Gives the course's folder.
    """

    def __init__(self, folder):
        self.folder = folder

    def __call__(self, notebook, resources):
        """What nbconvert asks of a preprocessor."""
        known = self._known(resources.get("assignment_id"), resources.get("notebook_id"))
        cells = []
        for cell in notebook.cells:
            cells.append(cell)
            if is_written(cell) and grade_id(cell) in known:
                cells.append(new_markdown_cell(known[grade_id(cell)]))
        notebook.cells = cells
        return notebook, resources

    def _known(self, part, name):
        """The words for each written question of a notebook; none where its solution cannot be read."""
        try:
            source = read_notebook(Course.at(self.folder()).source(part) / f"{name}.ipynb")
        except (CourseError, OSError, TypeError, ValueError):  # marking goes on without
            return {}
        found = {}
        for cell in source.cells:
            answer, head, rubric = cell.source.partition(HEAD)
            if head and is_written(cell):
                found[grade_id(cell)] = f"*Shown to you alone, from the solution:*\n\n{head}{rubric}\n\n{answer}"
        return found
