"""Which cells of the course only draw: their pictures are the same in everybody's notebook.

A cell of the release ends in a picture if its last statement calls `plots` or `widgets`. The picture is the course's
if nothing that it is made of, in this cell or in those above, is for the learner to write. This is read from the
sources alone: nothing is run here.
"""

import ast
import functools
import symtable
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

from grader.classroom.repair.align import defined
from grader.notebook import is_answer, is_check

#: The parts of attnlib that draw, as the notebooks import them; the second makes what needs a running notebook.
PLOTS, WIDGETS = "plots", "widgets"


@dataclass(frozen=True)
class CourseCell:
    """A code cell of the course that needs nothing of the learner's.

    Attributes
    ----------
    id : str
    source : str
    begins : str
        What comes before its picture, and has to be run wherever later cells are; "" if there is nothing.
    picture : str
        The statement that draws; "" if there is none.
    live : bool
        True if that makes an explorer, which shows nothing without a running notebook.
    needs : frozenset of str
        The names of the cells above that it stands on, and that those stand on.
    """

    id: str
    source: str
    begins: str
    picture: str
    live: bool
    needs: frozenset[str]


def course_cells(released: Any) -> tuple[CourseCell, ...]:
    """The cells of a notebook that need nothing of the learner's, in their order.

    Parameters
    ----------
    released : NotebookNode
        The notebook as handed out.
    """
    cells = [cell for cell in released.cells if cell.cell_type == "code" and not is_check(cell)]
    return _course_cells(tuple((cell.id, cell.source, is_answer(cell)) for cell in cells))


@functools.lru_cache(maxsize=32)
def _course_cells(cells: tuple[tuple[str, str, bool], ...]) -> tuple[CourseCell, ...]:
    theirs = {name for _, source, answer in cells if answer for name in defined(source)}
    stands_on: dict[str, frozenset[str]] = {}
    found = []
    for name, source, answer in cells:
        if answer:
            continue
        try:
            body = ast.parse(source).body
        except SyntaxError:  # commands of IPython: what they do, nobody knows
            continue
        given, needs = _names(source, body)
        needs |= {deeper for one in needs for deeper in stands_on.get(one, ())}
        # From here on, whoever uses one of these names needs all that it was made of.
        stands_on |= dict.fromkeys(given, frozenset(needs))
        if not needs & theirs:
            found.append(CourseCell(name, source, *_split(source, body), frozenset(needs)))
    return tuple(found)


def _split(source: str, body: list[ast.stmt]) -> tuple[str, str, bool]:
    """What comes before a cell's picture, the picture, and whether that is live."""
    module = _draws(body[-1]) if body else ""
    lines = source.split("\n")
    first = body[-1].lineno if body else 1
    if not module or (len(body) > 1 and body[-2].end_lineno == first):
        return source, "", False
    begins = "\n".join(lines[: first - 1])
    return begins if len(body) > 1 else "", "\n".join(lines[first - 1 :]), module == WIDGETS


def _draws(statement: ast.stmt) -> str:
    """The module whose function a statement calls to show something; "" if it is none that draws."""
    call = statement.value if isinstance(statement, ast.Expr) else None
    function = call.func if isinstance(call, ast.Call) else None
    module = function.value if isinstance(function, ast.Attribute) else None
    return module.id if isinstance(module, ast.Name) and module.id in (PLOTS, WIDGETS) else ""


def _names(source: str, body: list[ast.stmt]) -> tuple[set[str], set[str]]:
    """The names that a cell gives a value, and those that it takes from the cells above."""
    given: set[str] = set()
    needed: set[str] = set()
    for statement in body:
        table = symtable.symtable(ast.unparse(statement), "cell", "exec")
        for scope in _scopes(table):
            outermost = scope is table
            needed |= {
                symbol.get_name()
                for symbol in scope.get_symbols()
                if symbol.is_referenced() and (outermost or symbol.is_global()) and symbol.get_name() not in given
            }
        given |= {one.get_name() for one in table.get_symbols() if one.is_assigned() or one.is_imported()}
    return given, needed


def _scopes(table: symtable.SymbolTable) -> Iterator[symtable.SymbolTable]:
    yield table
    for child in table.get_children():
        yield from _scopes(child)
