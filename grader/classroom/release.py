"""solutions/ -> notebooks/: what learners get, through nbgrader's own preprocessors."""

import shutil
import tempfile
from pathlib import Path

from nbgrader.preprocessors import (
    CheckCellMetadata,
    ClearHiddenTests,
    ClearMarkScheme,
    ClearOutput,
    ClearSolutions,
    ComputeChecksums,
    LockCells,
    NbGraderPreprocessor,
)
from traitlets.config.loader import PyFileConfigLoader

from grader.errors import CourseError, NotebookError
from grader.notebook import as_json, normal_form, read_notebook, with_model_answers

STAGES = (
    LockCells,
    ClearSolutions,
    ClearOutput,
    ClearHiddenTests,
    ClearMarkScheme,
    ComputeChecksums,
    CheckCellMetadata,
)


class NormalForm(NbGraderPreprocessor):
    """Put a notebook into the normal form; the last stage of nbgrader's own generate_assignment as well."""

    def preprocess(self, nb, resources):
        """Return the notebook in normal form."""
        return normal_form(nb), resources


def course_config(root):
    """The configuration of nbgrader_config.py in `root`."""
    return PyFileConfigLoader("nbgrader_config.py", path=str(root)).load_config()


def released(notebook, config):
    """The learner's version of a notebook of solutions/."""
    resources = {"unique_key": "", "metadata": {}}
    for stage in STAGES:
        notebook, resources = stage(config=config).preprocess(notebook, resources)
    return normal_form(notebook)


def release(root, target=None, model_answers=False):
    """Make notebooks/ anew from solutions/.

    Parameters
    ----------
    root : Path
        The repository.
    target : Path, optional
        Where to write instead of `root`/notebooks.
    model_answers : bool
        Put a cell below each written question that shows a model answer to whoever has written one.

    Returns
    -------
    list of Path
        The notebooks written, relative to `target`.

    Raises
    ------
    CourseError
        If there is no notebook, or one cannot be released; then nothing has been changed.
    """
    root = Path(root)
    target = root / "notebooks" if target is None else Path(target)
    config = course_config(root)
    sources = sorted((root / "solutions").glob("*/*.ipynb"))
    if not sources:
        raise CourseError(f"there are no notebooks in {root / 'solutions'}; run this in the course's repository")
    texts = {}
    for source in sources:
        try:
            notebook = released(read_notebook(source), config)
            if model_answers:
                with_model_answers(notebook)
            texts[source.relative_to(root / "solutions")] = as_json(notebook)
        except (NotebookError, RuntimeError, ValueError, KeyError) as problem:
            raise NotebookError(f"{source.relative_to(root)}: {problem}") from problem
    target.parent.mkdir(parents=True, exist_ok=True)
    with tempfile.TemporaryDirectory(dir=target.parent) as fresh:
        for name, text in texts.items():
            path = Path(fresh) / "notebooks" / name
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_text(text, encoding="utf-8", newline="\n")
        if target.exists():
            shutil.rmtree(target)
        (Path(fresh) / "notebooks").replace(target)
    return list(texts)
