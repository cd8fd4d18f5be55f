"""Build the course as a book, a static site that anyone can read: `make book`.

The released notebooks are run with their functions solved and everything else left as released. Their pages show the
released sources and what the course's own cells draw and print; no solution and no check is in them. The site is
written to build/book, beside what a second build need not make again.
"""

import argparse
import base64
import hashlib
import importlib.util
import inspect
import json
import os
import re
import shutil
import subprocess
import sys
import tempfile
import time
from collections import ChainMap
from concurrent.futures import ThreadPoolExecutor
from itertools import groupby, islice
from pathlib import Path

from tqdm import tqdm

from grader.places import ROOT

sys.path.insert(0, str(ROOT / "tests"))
sys.path.insert(0, str(ROOT / "docs" / "book"))

import figures
import nbformat
from courseware import RELEASED, execute, full_marks, name_of, promised, read, written_marks

from attnlib import plots, widgets
from attnlib.plots import roadmap
from attnlib.widgets.explorer import MIME
from grader.classroom.feedback.course_cells import course_cells
from grader.classroom.feedback.formula import mathml
from grader.classroom.sandbox import ONE_THREAD
from grader.exercises import BANK
from grader.exercises.kinds import ChoiceExercise, FunctionExercise
from grader.judging.judge import judge
from grader.notebook import is_answer, is_check, is_written

PAGES = ROOT / "docs" / "book"
NEEDED = ("sphinx", "myst_nb", "furo")
#: What decides what a notebook shows, besides the notebook itself.
LIBRARY = (ROOT / "attnlib", ROOT / "requirements.lock")
FORMULA = re.compile(r"\$([^$\n]+)\$")
LETTER = re.compile(
    r'[^\n.]*[Tt]ype the letter in quotation marks[^\n]*?`\w+ = "[a-z]"`\.(?: Run the cell[^.\n]*\.)? ?'
)
WORDS = ["No", "One", "Two", "Three", "Four", "Five", "Six", "Seven", "Eight", "Nine", "Ten"]
LATER = "*Your own numbers come here in JupyterLab, once this exercise is done.*"


class BookError(Exception):
    """Why there is no book, in words."""


# ---------------------------------------------------------------- running


def exercise_of(cell):
    """The exercise that an answer cell answers; None for a question that a person reads."""
    return BANK.get(cell.id.removesuffix("-answer"))


def solved(released, solution):
    """A released notebook whose functions are written; what a learner has to find is still to be found.

    Parameters
    ----------
    released, solution : NotebookNode

    Returns
    -------
    NotebookNode
        Without its checks.
    """
    answers = {cell.id: cell.source for cell in solution.cells}
    cells = []
    for cell in released.cells:
        if is_answer(cell) and isinstance(exercise_of(cell), FunctionExercise):
            cell = nbformat.v4.new_code_cell(answers[cell.id], id=cell.id)
        if not is_check(cell):
            # Of the road, what is done is the learner's; the book has the map.
            cell.source = cell.source.replace("progress_road(", "plots.road_map(")
            cells.append(cell)
    return nbformat.v4.new_notebook(cells=cells, metadata=released.metadata)


def outputs_of(paths, cache):
    """What each of the course's own cells of some notebooks shows, by the notebook's path and the cell's id.

    Cells that need what a learner has to find, or that read a learner's files, are not among them. The notebooks run
    one after the other in one kernel, since each takes seconds to start, and none finds anything of the one before.

    Parameters
    ----------
    paths : list of Path
        Of the released notebooks.
    cache : Path
        A folder; what was run once is not run again while notebook and library are the same.

    Raises
    ------
    BookError
        If a cell fails, or warns.
    """
    wholes = {path: solved(read(path), read(ROOT / "solutions" / path.parent.name / path.name)) for path in paths}
    made_of, kept = library(), {}
    for path, whole in wholes.items():
        digest = hashlib.sha256((nbformat.writes(whole) + made_of).encode()).hexdigest()[:20]
        kept[path] = cache / f"{path.stem}-{digest}.json"
    missing = [path for path in paths if not kept[path].exists()]
    if missing:
        with tempfile.TemporaryDirectory(prefix="book-") as folder:  # nobody's own library lies there
            together = nbformat.v4.new_notebook()
            for path in missing:
                Path(folder, path.stem).mkdir()
                anew = nbformat.v4.new_code_cell(f"%reset -f\n%cd -q {Path(folder, path.stem)}")
                together.cells += [anew, *wholes[path].cells]
            ran = iter(execute(together, folder).cells)
        cache.mkdir(parents=True, exist_ok=True)
        for path in missing:
            next(ran)
            found = _shown(path, list(islice(ran, len(wholes[path].cells))))
            kept[path].with_suffix(".new").write_text(json.dumps(found), encoding="utf-8")
            kept[path].with_suffix(".new").replace(kept[path])
    found = {path: json.loads(file.read_text("utf-8")) for path, file in kept.items()}
    return {path: {name: nbformat.from_dict(one) for name, one in shows.items()} for path, shows in found.items()}


def _shown(path, cells):
    """What the course's own of these cells of a notebook show, by id; `BookError` if one of them fails, or warns."""
    own = {cell.id for cell in course_cells(nbformat.v4.new_notebook(cells=cells)) if not asks_the_desk(cell.source)}
    found = {cell.id: cell for cell in cells if cell.cell_type == "code" and cell.id in own}
    for name, cell in found.items():
        for output in cell.outputs:
            said = output.get("text") if output.get("name") == "stderr" else output.get("evalue")
            if said is not None:
                what = output.get("ename", "a warning")
                raise BookError(f"{name_of(path)}: the cell {name} is not content ({what}: {said})")
    return {name: shown(cell) for name, cell in found.items()}


def asks_the_desk(source):
    """True of a cell that shows a learner's own progress."""
    return "progress_picture()" in source


def library():
    """A digest of what the notebooks run on."""
    digest = hashlib.sha256(inspect.getsource(shown).encode())
    for place in LIBRARY:
        for path in sorted(place.rglob("*")) if place.is_dir() else [place]:
            if path.is_file() and "__pycache__" not in path.parts:
                digest.update(path.name.encode() + path.read_bytes())
    return digest.hexdigest()


def shown(cell):
    """The outputs of a cell as a page has them: the same for the same cell, and nothing that only JupyterLab reads."""
    outputs = []
    for i, output in enumerate(cell.outputs):
        if output.output_type == "stream":
            outputs.append({"output_type": "stream", "name": "stdout", "text": output.text})
            continue
        data = {kind: output.data[kind] for kind in ("text/html", "text/plain") if kind in output.data}
        if MIME in output.data:
            # The place of an explorer in its page is drawn by chance.
            data["text/html"] = re.sub(r"attnlib-[0-9a-f]{12}", f"attnlib-{cell.id}-{i}", data["text/html"])
        if "text/html" in data:
            data = {"text/html": re.sub(r'(<a href="[^":]+)\.ipynb"', r'\1.html"', data["text/html"])}
        outputs.append({"output_type": "display_data", "data": data, "metadata": {}})
    return outputs


# ---------------------------------------------------------------- pages


def page_of(path, outputs):
    """A notebook as a page: tasks for answer cells, no checks, and of other cells what they show.

    Parameters
    ----------
    path : Path
        Of the released notebook.
    outputs : dict of str to list
        From `outputs_of`.

    Returns
    -------
    NotebookNode
    """
    notebook = read(path)
    choices = {cell.id for cell in notebook.cells if is_answer(cell) and isinstance(exercise_of(cell), ChoiceExercise)}
    cells = []
    for cell in notebook.cells:
        if is_answer(cell):
            made = prediction(exercise_of(cell)) if cell.id in choices else task(cell)
            cells.append(nbformat.v4.new_markdown_cell(made, id=cell.id))
        elif cell.cell_type == "markdown":
            cells.append(nbformat.v4.new_markdown_cell(prose(cell.source), id=cell.id))
        elif cell.id in outputs:
            cells.append(nbformat.v4.new_code_cell(cell.source, id=cell.id, outputs=outputs[cell.id]))
        elif not is_check(cell):
            cells.append(nbformat.v4.new_markdown_cell(LATER, id=cell.id))
    return nbformat.v4.new_notebook(cells=cells, metadata={"kernelspec": dict(notebook.metadata.kernelspec)})


def prose(source):
    """Markdown as the book reads it: formulas in folded parts are set, and letters are chosen, not typed.

    A page knows its headings, but no cells: what a link names has to be the same for both.
    """
    source = source.replace(".ipynb#cell-id=", ".ipynb#")
    source = re.sub(r"(?s)<details>.*?</details>", lambda folded: FORMULA.sub(_formula, folded[0]), source)
    return LETTER.sub("", source)


def _formula(match):
    return mathml(match[1])


def task(cell):
    """An answer cell as a task."""
    written = is_written(cell)
    what = "Write your answer" if written else "Do this"
    stub = "" if written else f"```python\n{cell.source}\n```\n\n"
    return f":::{{admonition}} {what} in JupyterLab\n:class: task\n\n{stub}[How?](/index.md#run-it)\n:::"


def prediction(exercise):
    """A place where a prediction is chosen; what the notebook's check says to each letter is in it, not to be read."""
    said = {letter: judge(exercise, letter)._repr_html_() for letter in exercise.because}
    packed = base64.b64encode(json.dumps(said).encode()).decode()
    return (
        f'<div class="prediction" data-name="{exercise.id}" data-said="{packed}">'
        "<p>Decide before you read on. (In JupyterLab, a check tells what speaks for or against a letter.)</p></div>"
    )


# ---------------------------------------------------------------- pages that are made


def title_of(path):
    """The title of a notebook."""
    return read(path).cells[0].source.split("\n")[0].removeprefix("# ")


def parts():
    """The notebooks of each part with the part's title, in the order of the course."""
    titles = {part: title for part, title, _ in roadmap.PARTS}
    found = {}
    for path in RELEASED:
        found.setdefault(path.parent.name, []).append(path)
    return [(titles.get(part, "Before Part 1"), paths) for part, paths in found.items()]


def tables_of_contents():
    """A hidden table of contents for each part: the site's navigation, and the way from page to page."""
    blocks = []
    for title, paths in parts():
        names = "\n".join(name_of(path) for path in paths)
        blocks.append(f"```{{toctree}}\n:hidden:\n:caption: {title}\n\n{names}\n```")
    return "\n\n".join(blocks)


def contents():
    """The notebooks of each part as a list of links."""
    blocks = []
    for title, paths in parts():
        links = "\n".join(f"- [{title_of(path)}]({name_of(path)}.ipynb)" for path in paths)
        blocks.append(f"**{title}**\n\n{links}")
    return "\n\n".join(blocks)


def road(outputs):
    """The course on one page: each notebook with its promise and its first picture.

    Parameters
    ----------
    outputs : dict of str to (dict of str to list)
        What each notebook shows, by its name.
    """
    blocks = []
    for title, paths in parts():
        blocks.append(f"## {title}")
        for path in paths:
            opening = read(path).cells[0].source
            promise = re.search(r"\*\*You will be able to\*\* (.*)", opening)[1]
            link = f"{name_of(path)}.ipynb"
            blocks.append(
                f"### [{title_of(path)}]({link})\n\n{hours(promised(path)[0])}. You will be able to {promise}"
            )
            blocks.append(first_picture(outputs[name_of(path)]))
    return "\n\n".join(blocks)


def first_picture(outputs):
    """The first picture among a notebook's outputs."""
    for cell in outputs.values():
        for output in cell:
            picture = output.get("data", {}).get("text/html", "")
            if picture.startswith("<div") and "attnlib-picture" in picture and "attnlib-explorer" not in picture:
                return picture
    return ""


def picture(made):
    """A picture as markdown."""
    return made._repr_mimebundle_()["text/html"]


def hours(minutes):
    """Minutes in words, to the quarter of an hour.

    Examples
    --------
    >>> hours(65), hours(70), hours(115), hours(30)
    ('1 hour', '1 ¼ hours', '2 hours', '½ hour')
    """
    whole, quarters = divmod(round(minutes / 15), 4)
    text = f"{whole or ''} {['', '¼', '½', '¾'][quarters]}".strip() or "0"
    return f"{text} {'hour' if text in ('1', '¼', '½', '¾') else 'hours'}"


def weeks():
    """The notebooks of each week: a part is a week; a part for which that would be too much is two, split evenly."""
    found = []
    for i, (_, paths) in enumerate(parts()):
        if i == 1:  # the first notebook belongs to the first week
            found[0] += paths
            continue
        minutes = [promised(path)[1] for path in paths]
        if sum(minutes) <= 8 * 60:
            found.append(list(paths))
            continue
        cut = min(range(1, len(paths)), key=lambda k: abs(sum(minutes[:k]) - sum(minutes[k:])))
        found += [paths[:cut], paths[cut:]]
    return found


def syllabus():
    """A table: weeks, notebooks, hours, points."""
    lines = [
        "| week | notebook | first reading | with all that is optional | challenge | points of checks | read by you |",
        "|---|---|---|---|---|---|---|",
    ]
    for number, paths in enumerate(weeks(), 1):
        sums = [0, 0, 0, 0, 0]
        for path in paths:
            notebook = read(path)
            first, everything, challenge = promised(path)
            row = [first, everything, challenge or 0, full_marks(notebook), written_marks(notebook)]
            sums = [a + b for a, b in zip(sums, row, strict=True)]
            lines.append(f"| {number} | [{title_of(path)}]({name_of(path)}.ipynb) | {_row(row)} |")
        lines.append(f"| **{number}** | **together** | {_row(sums)} |")
    return "\n".join(lines)


def _row(row):
    minutes = [f"{each} min" if each else "" for each in row[:3]]
    return " | ".join([*minutes, *(f"{each:g}" if each else "" for each in row[3:])])


def whole():
    """The hours of the whole course: on a first reading, and with everything."""
    each = [promised(path) for path in RELEASED]
    first = sum(one[0] for one in each)
    return (
        f"{first / 60:.0f} hours on a first reading, {sum(a + (c or 0) for _, a, c in each) / 60:.0f} with everything"
    )


def names_elsewhere():
    """README's table of what is called otherwise elsewhere."""
    section = (ROOT / "README.md").read_text(encoding="utf-8").partition("\n## Names elsewhere\n")[2]
    table = [line for line in section.partition("\n## ")[0].splitlines() if line.startswith("|")]
    if not table:
        raise BookError("README has no table under 'Names elsewhere' for the glossary")
    return "\n".join(table)


def front():
    """The explorer on the first page."""
    names = ["dog", "cat", "bird", "fish"]
    keys, values = [[2, 0], [0, 2], [-1.5, -1], [1.5, -1.5]], [[0, 0], [4, 0], [4, 3], [1, 4]]
    live = widgets.explore_context([0.5, 0.5], keys, values, names)
    return re.sub(r"attnlib-[0-9a-f]{12}", "attnlib-front", live.html())


# ---------------------------------------------------------------- the site


def prepare(folder, cache):
    """Write the pages of the book, ready for Sphinx.

    Parameters
    ----------
    folder, cache : Path

    Raises
    ------
    BookError
        If a notebook fails, or a page asks for something that is not made.
    """
    os.environ.update(ONE_THREAD)  # notebooks run side by side; what they time is no fight for processors
    with ThreadPoolExecutor(max_workers=min(4, os.cpu_count() or 1)) as pool:
        parts = [[*paths] for _, paths in groupby(RELEASED, key=lambda path: path.parent)]
        runs = pool.map(lambda paths: outputs_of(paths, cache), parts)
        ran = ChainMap(*tqdm(runs, "Running the notebooks of each part", len(parts)))
        outputs = {name_of(path): ran[path] for path in RELEASED}
    shutil.copytree(PAGES, folder, ignore=shutil.ignore_patterns("__pycache__"))
    for path in RELEASED:
        page = folder / path.parent.name / path.name
        page.parent.mkdir(exist_ok=True)
        page.write_text(nbformat.writes(page_of(path, outputs[name_of(path)])), encoding="utf-8")
    made = {
        "contents": contents,
        "front": front,
        "hours": whole,
        "weeks": lambda: WORDS[len(weeks())],
        "names-elsewhere": names_elsewhere,
        "road": lambda: road(outputs),
        "road-map": lambda: picture(plots.road_map()),
        "syllabus": syllabus,
        "toctrees": tables_of_contents,
    } | {name: lambda text=text: text for name, text in figures.figures().items()}
    for page in folder.glob("*.md"):
        page.write_text(filled(page.read_text(encoding="utf-8"), made, page.name), encoding="utf-8")


def filled(text, made, name):
    """A page with what is made by code in its places, which are written `@name@`."""

    def put(match):
        if match[1] not in made:
            raise BookError(f"docs/book/{name} asks for @{match[1]}@, which nobody makes")
        return made[match[1]]()

    return re.sub(r"@([a-z][a-z0-9-]*)@", put, text)


def lay_out(folder, target):
    """Make the site of prepared pages; a warning is an error, and leaves the last site as it was."""
    with tempfile.TemporaryDirectory(dir=target.parent, prefix="book-") as fresh:
        command = [sys.executable, "-m", "sphinx", "-b", "html", "-W", "--keep-going", "-q", "-d", f"{fresh}/doctrees"]
        ran = subprocess.run([*command, str(folder), f"{fresh}/html"], capture_output=True, text=True, check=False)
        if ran.returncode:
            raise BookError(f"Sphinx is not content with the pages:\n{ran.stderr or ran.stdout}")
        for spare in (".buildinfo", "objects.inv", "_sources"):
            path = Path(fresh, "html", spare)
            shutil.rmtree(path) if path.is_dir() else path.unlink(missing_ok=True)
        if target.exists():
            shutil.rmtree(target)
        Path(fresh, "html").replace(target)


def main(arguments=None):
    """Build the book."""
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("--output", type=Path, default=ROOT / "build" / "book", help="the folder of the site")
    target = parser.parse_args(arguments).output.resolve()
    missing = [name for name in NEEDED if not importlib.util.find_spec(name)]
    if missing:
        parser.error(f"{', '.join(missing)} not found; the environment lacks what the book needs: run `make set-up`")
    began = time.perf_counter()
    target.parent.mkdir(parents=True, exist_ok=True)
    try:
        with tempfile.TemporaryDirectory(prefix="book-") as folder:
            prepare(Path(folder) / "pages", ROOT / "build" / "book-outputs")
            print("Laying out pages ...", flush=True)
            lay_out(Path(folder) / "pages", target)
    except BookError as problem:
        sys.exit(f"There is no new book: {problem}")
    size = sum(path.stat().st_size for path in target.rglob("*") if path.is_file())
    print(f"The book is ready, {size / 1e6:.1f} MB, in {time.perf_counter() - began:.0f} s: {target / 'index.html'}")


if __name__ == "__main__":
    main()
