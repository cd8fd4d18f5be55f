"""A quick start for the commands: imports that take long, without what is not needed of them."""

import contextlib
import gc
import sys
from types import ModuleType

#: What nbgrader gives to a Jupyter server, each with the function that a server calls.
_OF_SERVER = [
    f"nbgrader.server_extensions.{name}"
    for name in ("assignment_list", "course_list", "formgrader", "validate_assignment")
]


@contextlib.contextmanager
def _in_place_of(modules):
    """Have these modules (None: none) in place of the real ones; those that had been imported stay."""
    mine = {name: module for name, module in modules.items() if name not in sys.modules}
    sys.modules.update(mine)
    try:
        yield
    finally:
        for name in mine:
            del sys.modules[name]


def import_nbgrader():
    """Import nbgrader without its parts for a Jupyter server, which it imports whatever is wanted of it."""
    parts = {name: ModuleType(name) for name in _OF_SERVER}
    for part in parts.values():
        part.load_jupyter_server_extension = None
    with _in_place_of(parts):
        import nbgrader  # noqa: F401


@contextlib.contextmanager
def importing():
    """Import much without looking for garbage, then or later: what is imported stays.

    To look through it takes a tenth of the time of the imports, a quarter of a second later on, and as much at the end.
    """
    gc.disable()
    try:
        yield
    finally:
        gc.freeze()
        gc.enable()
