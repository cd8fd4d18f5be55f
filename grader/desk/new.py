"""`python -m grader new`: all that a contributor fills in, laid out; nothing that is there is lost."""

import ast
import re
import subprocess
import sys
import textwrap
from pathlib import Path
from string import Template

from grader.errors import CourseError, UnknownName
from grader.notebook import as_json, normal_form
from grader.places import find_notebook

TEMPLATES = Path(__file__).parent / "templates"
ID = {"function": r"[a-z][a-z0-9]*(_[a-z0-9]+)*", "others": r"[a-z][a-z0-9]*(-[a-z0-9]+)*"}
LINE = 120


class _Plan:
    """What will be written, by path; nothing is until all of it is known to fit."""

    def __init__(self, root):
        self.root, self.texts, self.left = Path(root), {}, []

    def read(self, path):
        """A file as it will be."""
        return self.texts[path] if path in self.texts else (self.root / path).read_text(encoding="utf-8")

    def add(self, path, text, left=""):
        """A file that must not be there yet."""
        if (self.root / path).exists():
            raise CourseError(f"{path} exists already; nothing was written")
        self.change(path, text, left)

    def change(self, path, text, left=""):
        """A file with something put in."""
        self.texts[path] = text
        if left:
            self.left.append((path, left))

    def carry_out(self, then):
        """Write the files; returns what was written and what is left to do, in words."""
        for path, text in self.texts.items():
            target = self.root / path
            target.parent.mkdir(parents=True, exist_ok=True)
            target.write_text(text, encoding="utf-8", newline="\n")
        code = [path for path in self.texts if path.endswith(".py")]
        for command in (("check", "--fix-only", "--select", "I"), ("format",)):
            subprocess.run([sys.executable, "-m", "ruff", *command, "--quiet", *code], cwd=self.root, check=True)
        width = max(len(path) for path, _ in self.left)
        lines = [f"  {i}. {path:{width}}  {words}" for i, (path, words) in enumerate(self.left, 1)]
        return "\n".join(["Written: " + ", ".join(self.texts), "", "Fill in, wherever it says TODO:", *lines, "", then])


def new_exercise(root, exercise_id, notebook, after=None, kind="function", signature=None, points=3):
    """Lay out an exercise: the bank's file, answers to try it on, its cells, and for a function the library's part.

    Parameters
    ----------
    root : Path
        The repository.
    exercise_id, notebook : str
    after : str, optional
        The exercise before it; by default the notebook's last.
    kind : {"function", "value", "choice", "search"}
    signature : str, optional
        Of a function, such as "relu_attention(Q, K, V)".
    points : int

    Returns
    -------
    str
        What was written, and what is left to do.

    Raises
    ------
    CourseError
        If the id is taken or malformed, or there is no such notebook; nothing is written then.
    """
    plan = _Plan(root)
    form = "function" if kind == "function" else "others"
    if not re.fullmatch(ID[form], exercise_id):
        letters = "lower-case letters, digits and " + ("_" if form == "function" else "-")
        raise UnknownName(f"{exercise_id!r} is no id of a {kind}: {letters}, a letter first")
    if points < 1:
        raise UnknownName("an exercise is worth at least 1 point")
    source = find_notebook(notebook, plan.root / "solutions")
    known = _known(plan.root)
    order = known[_folder(source)]
    if any(exercise_id.replace("-", "_") == other.replace("-", "_") for some in known.values() for other in some):
        raise UnknownName(f"there is an exercise {exercise_id} already; nothing was written")
    # What comes behind a prediction is the idea; an exercise comes behind all of that.
    last = "goes-wrong" if not after and order[-1].startswith("predict-") else None
    after = after or order[-1]
    if after not in order:
        raise UnknownName(f"{source.stem} has no exercise {after}; it has {', '.join(order)}")
    arguments = _arguments(exercise_id, signature) if kind == "function" else []
    words = _words(exercise_id, kind, points, arguments)
    folder = _folder(source)
    _bank(plan, folder, words, kind, [*order[: order.index(after) + 1], exercise_id, *order[order.index(after) + 1 :]])
    _cells(plan, f"solutions/{source.as_posix()}", after, words, kind, points, last)
    if kind == "function":
        _library(plan, source, words, after)
    return plan.carry_out(f"Then: python -m grader try {exercise_id}")


def _arguments(name, signature):
    """The names of a function's arguments; refuses a signature that is none, or another function's."""
    if not signature:
        raise UnknownName(f'a function needs its signature: --signature "{name}(Q, K, V)"')
    try:
        (function,) = ast.parse(f"def {signature}: pass").body
        names = [argument.arg for argument in (*function.args.args, *function.args.kwonlyargs)]
    except (SyntaxError, ValueError, AttributeError):
        raise UnknownName(f'{signature!r} is no signature, such as "{name}(Q, K, V)"') from None
    if function.name != name or not names:
        raise UnknownName(f'{signature!r} is no signature of {name}, such as "{name}(Q, K, V)"')
    return names


def _words(exercise_id, kind, points, arguments):
    name = exercise_id.replace("-", "_")
    return {
        "id": exercise_id,
        "name": name,
        "points": points,
        "worth": f"{points} point" + ("s" if points > 1 else ""),
        "signature": f"{name}({', '.join(arguments)})",
        "arguments": ", ".join(arguments),
        "first": arguments[0] if arguments else "",
        "drawn": ", ".join(f'"{one}": matrix(rng, *shape)' for one in arguments),
        "parameters": "\n".join(f"    {one} : ndarray of shape (TODO)" for one in arguments),
    }


def _filled(template, words):
    return Template((TEMPLATES / f"{template}.txt").read_text(encoding="utf-8")).substitute(words)


def _python_name(name):
    """6-beyond as a folder of Python's can be called."""
    return name.replace("-", "_")


def _folder(source):
    """Where the bank has a notebook: 1-context-vectors/3-softmax.ipynb, p1_context_vectors/n3_softmax."""
    part, notebook = source.parent.name, source.stem
    return f"p{_python_name(part)}/{'n' if notebook[0].isdigit() else ''}{_python_name(notebook)}"


def _concept(source):
    return _python_name(re.sub(r"^\d+-", "", source.stem))


def _known(root):
    """The ids of all exercises, by the notebook's folder, in teaching order."""
    known = {}
    for path in sorted((root / "grader/exercises").glob("p*/*/__init__.py")):
        for statement in ast.parse(path.read_text(encoding="utf-8")).body:
            if isinstance(statement, ast.Assign) and statement.targets[0].id == "EXERCISES":
                folder = path.parent.relative_to(root / "grader/exercises").as_posix()
                known[folder] = ast.literal_eval(statement.value).split()
    return known


def _bank(plan, folder, words, kind, order):
    path = f"grader/exercises/{folder}/__init__.py"
    text = plan.read(path)
    ids = textwrap.fill(f'EXERCISES = """{" ".join(order)}"""', 120, break_on_hyphens=False)
    start, end = re.search(r'^EXERCISES = """.*?"""$', text, re.DOTALL | re.MULTILINE).span()
    plan.change(path, f"{text[:start]}{ids}{text[end:]}")
    plan.add(
        f"grader/exercises/{folder}/{words['name']}.py",
        _filled(kind, words),
        "why each letter is right or wrong" if kind == "choice" else "cases, model, mistakes",
    )
    if kind != "choice":
        answers = _filled("variants" if kind == "function" else "values", words)
        plan.add(f"tests/variants/{folder}/{words['name']}.py", answers, "right and wrong answers as people write them")


def _cells(plan, path, after, words, kind, points, last=None):
    """Put the three cells behind those of another exercise, or before a cell; sections behind get the next number."""
    import nbformat

    notebook = nbformat.reads(plan.read(path), as_version=4)
    cells = notebook.cells
    ids = [cell.id for cell in cells]
    place = ids.index(last) if last in ids else ids.index(after) + 1
    before = "\n".join(cell.source for cell in cells[:place])
    number = max(map(int, re.findall(r"^## (\d+)\.", before, re.MULTILINE)), default=0) + 1
    for cell in cells[place:]:
        cell.source = re.sub(r"^## (\d+)\.", lambda match: f"## {int(match[1]) + 1}.", cell.source, flags=re.MULTILINE)
    answer = _filled("answer_function" if kind == "function" else "answer_value", words)
    new = nbformat.v4
    own = [
        new.new_markdown_cell(_filled("task", words | {"heading": f"## {number}. Exercise:"})),
        new.new_code_cell(answer),
        new.new_code_cell(f'check("{words["id"]}", {words["name"]})'),
    ]
    for cell, name in zip(own, (f"ex-{words['id']}", f"{words['id']}-answer", words["id"]), strict=True):
        cell.id = name
    shape = {"schema_version": 3, "task": False}
    own[1].metadata["nbgrader"] = {"grade": False, "grade_id": own[1].id, "locked": False, "solution": True, **shape}
    own[2].metadata["nbgrader"] = {"grade": True, "grade_id": own[2].id, "locked": True, "points": points, **shape}
    own[2].metadata["nbgrader"]["solution"] = False
    cells[place:place] = own
    left = f"the cells of section {number}, and the minutes in the first cell"
    if any(re.search(r"\bsection \d", cell.source) for cell in cells):
        left += "; the numbers after it have moved: look for 'section' in the prose"
    plan.change(path, as_json(normal_form(notebook)), left)


def _library(plan, source, words, after):
    """The function in attnlib, a test of it, and its name in README's road map."""
    name, concept = words["name"], _concept(source)
    path, tests = f"attnlib/{concept}.py", f"tests/test_{concept}.py"
    if (plan.root / path).is_file():
        if re.search(rf"^def {name}\(", plan.read(path), re.MULTILINE):
            raise CourseError(f"{path} has a function {name} already; nothing was written")
        plan.change(path, plan.read(path).rstrip() + "\n" + _filled("library", words), "the function and its docstring")
        _contents(plan, concept, name)
        text = plan.read(tests) if (plan.root / tests).is_file() else ""
        text = re.sub(r"\A((\"\"\".*?\"\"\"\s*)?)", rf"\1from attnlib import {name}\n", text, count=1, flags=re.DOTALL)
        plan.change(tests, text.rstrip() + "\n" + _filled("test", words), "tests of the function")
    readme = plan.read("README.md")
    row = re.search(rf"^\|[^|]*\| `{re.escape(source.stem)}` \|.*$", readme, re.MULTILINE)
    if row and "TODO" in row[0]:
        plan.change("README.md", readme.replace(row[0], row[0].replace("TODO", f"`{name}`")))
    elif row:
        last = f"`{after}`" if f"`{after}`" in row[0] else re.findall(r"`[\w-]+`", row[0])[-1]
        start, end = row.span()
        named = f"{last}, `{name}`".join(row[0].rsplit(last, 1))
        plan.change("README.md", readme[:start] + named + readme[end:], "the row in the road map: is it in its place?")


def _contents(plan, concept, name):
    """Import a function where the library's table of contents has those of its file."""
    lines = plan.read("attnlib/__init__.py").split("\n")
    own = [i for i, line in enumerate(lines) if line.startswith(f"from attnlib.{concept} import")]
    place = own[-1] if own else max(i for i, line in enumerate(lines) if line.startswith("from attnlib."))
    if own and len(longer := f"{lines[place]}, {name}") <= LINE:
        lines[place] = longer
    else:
        lines.insert(place + 1, f"from attnlib.{concept} import {name}")
    plan.change("attnlib/__init__.py", "\n".join(lines))


def new_notebook(root, name, title):
    """Lay out a notebook with the anatomy that all have, its first prediction, and the files that belong to it.

    Parameters
    ----------
    root : Path
        The repository.
    name : str
        Part and notebook, such as 6-beyond/1-images.
    title : str

    Returns
    -------
    str
        What was written, and what is left to do.

    Raises
    ------
    CourseError
        If there is such a notebook, or the name is malformed; nothing is written then.
    """
    import nbformat

    plan = _Plan(root)
    if not re.fullmatch(r"\d+(-[a-z0-9]+)+/\d+(-[a-z0-9]+)+", name):
        raise UnknownName(f"{name!r} is no name of a notebook, such as 6-beyond/1-images")
    source = Path(f"{name}.ipynb")
    concept, folder = _concept(source), _folder(source)
    taken = [path for path in plan.root.glob("solutions/*/*.ipynb") if _concept(path) == concept]
    if taken:
        raise CourseError(f"there is a notebook of {concept.replace('_', ' ')} already; nothing was written")
    words = _words(f"predict-{concept.replace('_', '-')}", "choice", 1, [])
    texts = _filled("notebook", words | {"title": title}).split("\n==== ")
    cells = []
    for i, text in enumerate(texts):
        cell_id, _, text = ("promise", "", text) if i == 0 else text.partition("\n")
        code = cell_id == "setup" or cell_id.startswith("explore-")
        cells.append((nbformat.v4.new_code_cell if code else nbformat.v4.new_markdown_cell)(text.rstrip(), id=cell_id))
    notebook = nbformat.v4.new_notebook(cells=cells)
    path = f"solutions/{source.as_posix()}"
    plan.add(path, as_json(notebook), "promise, idea, explorer, when it goes wrong, recap, ways on and back")
    for place in ("grader/exercises", "tests/variants"):
        part = f"{place}/{folder.partition('/')[0]}/__init__.py"
        if not (plan.root / part).exists():
            plan.add(part, "")
    plan.add(
        f"tests/variants/{folder}/__init__.py",
        '"""Answers to the exercises of this notebook, and the numbers in its prose."""\n',
    )
    plan.add(f"tests/variants/{folder}/prose.py", '"""The numbers in the prose of this notebook."""\n\nNUMBERS = []\n')
    plan.add(
        f"grader/exercises/{folder}/__init__.py",
        f'"""{title}."""\n\nEXERCISES = """"""\n',
    )
    _bank(plan, folder, words, "choice", [words["id"]])
    _cells(plan, path, "predict", words, "choice", 1)
    _prediction(plan, path, words)
    plan.left = [one for i, one in enumerate(plan.left) if one[0] not in [path for path, _ in plan.left[:i]]]
    plan.add(
        f"attnlib/{concept}.py",
        f'"""{title}: TODO."""\n',
        "what the notebook teaches; import it in attnlib/__init__.py",
    )
    plan.add(f"tests/test_{concept}.py", f'"""TODO: {title}."""\n', "tests of what it teaches")
    readme = plan.read("README.md")
    rows = list(re.finditer(r"^\|[^|]*\| `[\w-]+` \|.*\n", readme, re.MULTILINE))
    number, _, part = source.parent.name.partition("-")
    fresh = not (plan.root / "solutions" / source.parent).is_dir()
    lead = f"{number} {part.replace('-', ' ').capitalize()} " if fresh else ""
    end = rows[-1].end()
    plan.change(
        "README.md", f"{readme[:end]}| {lead}| `{source.stem}` | TODO |\n{readme[end:]}", "its row in the road map"
    )
    plan.left += [
        ("the notebook before it", "in its last cell, the way to the new one"),
        ("attnlib/plots/roadmap.py", "the notebook's place on the road"),
        (f"attnlib/plots/{concept}.py", "its pictures, if it has some of its own; re-export them, and add an example"),
        (f"attnlib/widgets/{concept}.py", "its explorer; re-export it, and add a case in tests/explorers/"),
        ("attnlib/widgets/labextensions/attention-course/static/", "what moves it, as in context.js"),
    ]
    return plan.carry_out(
        f"Then, for each exercise: python -m grader new exercise ID --notebook {source.stem}; at last: "
        "python -m grader release, make test"
    )


def _prediction(plan, path, words):
    """The question of a new notebook's prediction stands in its own cell: the task laid out for it goes."""
    import nbformat

    notebook = nbformat.reads(plan.read(path), as_version=4)
    notebook.cells = [cell for cell in notebook.cells if cell.id != f"ex-{words['id']}"]
    for number, cell in enumerate((cell for cell in notebook.cells if cell.source.startswith("## ")), 1):
        cell.source = re.sub(r"^## \d+\.", f"## {number}.", cell.source)
    plan.change(path, as_json(normal_form(notebook)))
