"""The house: every file has its place, arrows point down, and one concept has one name."""

import ast
import functools
import re
import sys
from graphlib import TopologicalSorter
from pathlib import Path

import pytest
from courseware import ROOT, SOLUTIONS, check_cells, name_of, read

import attnlib
from grader.exercises import BANK


def concept(notebook):
    """The name under which the concept of a notebook goes: 2-three-views/1-nearest-neighbours, nearest_neighbours."""
    return re.sub(r"^\d+-", "", notebook.stem).replace("-", "_")


TAUGHT = [concept(path) for path in SOLUTIONS]
#: From here on a concept may use whole models.
DEEP = TAUGHT.index("multi_head") + 1

# From the ground up: the rooms of each package, and what is in them, files and folders (a file belongs to the longest
# of the names that its own begins with). A room may use itself and the rooms before it.
LIBRARY = {
    "checks on arguments": "_check",
    "small pictures as numbers": "pixels",
    **{f"the concept of {name}": name for name in TAUGHT[:DEEP]},
    "whole models": "encoder gpt induction sentences",
    **{f"the concept of {name}": name for name in TAUGHT[DEEP:]},
    "table of contents": "__init__",
    "a learner's own library": "mine",
    "kinds of pictures": "plots.bars plots.labels plots.legend plots.matrices plots.picture plots.progress"
    " plots.roadmap plots.style plots.vectors",
    "heads as maps": "plots.head_maps",
    **{f"pictures of {name}": f"plots.{name}" for name in TAUGHT},
    "pictures of three views": "plots.views",
    "pictures": "plots.__init__",
    "explorer": "widgets.explorer",
    **{f"explorer of {name}": f"widgets.{name}" for name in TAUGHT},
    "explorer of three views": "widgets.views",
    "explorer of training": "widgets.training",
    "explorer of the split": "widgets.split",
    "explorers": "widgets.__init__",
}
GRADER = {
    "ground floor": "errors files notebook pace places quick words",
    "exercises": "exercises",
    "judging": "judging __init__",
    "progress": "progress",
    "what the classroom shares": "classroom.__init__ "
    "classroom.course classroom.dates classroom.release classroom.records classroom.staging",
    "gradebook": "classroom.gradebook",
    "way in": "classroom.collect classroom.repair",
    "sandbox": "classroom.sandbox",
    "running": "classroom.running",
    "way out": "classroom.report classroom.feedback classroom.export",
    "marking": "classroom.marking",
    "nbgrader's door": "classroom.autograde",
    "desk": "desk",
    "commands": "__main__",
}
ROOM = {f"attnlib.{name}": room for room, names in LIBRARY.items() for name in names.split()}
ROOM |= {f"grader.{name}": room for room, names in GRADER.items() for name in names.split()}
FROM_THE_GROUND_UP = [*LIBRARY, *GRADER]
FILES = {
    ".".join(path.relative_to(ROOT).with_suffix("").parts): path
    for package in ("attnlib", "grader")
    for path in (ROOT / package).rglob("*.py")
}


def place(module):
    """The name under which a file has its room, or None."""
    return max((name for name in ROOM if f"{module}.".startswith(f"{name}.")), key=len, default=None)


def floor(module):
    return FROM_THE_GROUND_UP.index(ROOM[place(module)])


def imported(module):
    """The modules that a file imports, also inside its functions: files of the house, and what comes from elsewhere."""
    for node in ast.walk(ast.parse(FILES[module].read_text(encoding="utf-8"))):
        names = []
        if isinstance(node, ast.Import):
            names = [alias.name for alias in node.names]
        elif isinstance(node, ast.ImportFrom):
            assert not node.level, f"{module}: a relative import hides where it leads"
            inside = [f"{node.module}.{alias.name}" for alias in node.names]
            names = [name if {name, f"{name}.__init__"} & set(FILES) else node.module for name in inside]
        for name in names:
            yield f"{name}.__init__" if f"{name}.__init__" in FILES else name


@functools.cache
def arrows(module):
    """What a file imports, but itself."""
    return {*imported(module)} - {module}


def test_every_file_has_its_place_and_every_place_its_file():
    assert [module for module in FILES if not place(module)] == []
    of_notebooks = {f"{folder}.{name}" for folder in ("attnlib", "attnlib.plots", "attnlib.widgets") for name in TAUGHT}
    assert set(ROOM) - set(map(place, FILES)) <= of_notebooks, "only a notebook may lack its file"


@pytest.mark.parametrize("module", FILES)
def test_no_import_goes_up(module):
    up = [name for name in arrows(module) & set(FILES) if floor(name) > floor(module)]
    assert not up, f"{module} ({ROOM[place(module)]}) imports {up[0]} ({ROOM[place(up[0])]})"


def test_no_import_goes_in_a_circle():
    TopologicalSorter({module: arrows(module) for module in FILES}).prepare()  # raises CycleError


def test_the_library_needs_numpy_and_its_pictures_matplotlib():
    needed = {"attnlib": set(), "attnlib.plots": set(), "attnlib.widgets": set()}
    for module in FILES:
        if module.startswith("attnlib."):
            packages = {name.split(".")[0] for name in arrows(module)} - set(sys.stdlib_module_names) - {"attnlib"}
            needed[module.rsplit(".", 1)[0]] |= packages
    assert needed == {
        "attnlib": {"numpy"},
        "attnlib.plots": {"numpy", "matplotlib"},
        "attnlib.widgets": {"numpy"},
    }


@pytest.mark.parametrize("notebook", SOLUTIONS, ids=name_of)
def test_what_a_notebook_asks_for_lies_in_the_file_of_its_name(notebook):
    asked = [cell.id for cell in check_cells(read(notebook)) if hasattr(attnlib, cell.id)]
    elsewhere = {name for name in asked if getattr(attnlib, name).__module__ != f"attnlib.{concept(notebook)}"}
    assert elsewhere == ({"masked_softmax"} if concept(notebook) == "masks" else set())


def test_each_file_of_the_library_has_its_tests():
    taught = {name for name in TAUGHT if f"attnlib.{name}" in FILES}
    assert len(taught) >= 12
    assert {name for name in taught if not Path(__file__).with_name(f"test_{name}.py").exists()} == set()


@pytest.mark.parametrize("notebook", SOLUTIONS, ids=name_of)
def test_a_notebooks_folders_in_the_bank_and_in_the_variants_bear_its_name(notebook):
    def folder(name, letter):
        return (letter if name[0].isdigit() else "") + name.replace("-", "_")

    place = Path(folder(notebook.parent.name, "p"), folder(notebook.stem, "n"))
    exercises = {path.stem for path in (ROOT / "grader" / "exercises" / place).glob("*.py")} - {"__init__", "shared"}
    assert exercises == {cell.id.replace("-", "_") for cell in check_cells(read(notebook)) if cell.id in BANK}
    answers = {path.stem for path in (ROOT / "tests" / "variants" / place).glob("*.py")}
    assert answers <= exercises | {"__init__", "prose", "shared"}
