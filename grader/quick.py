"""A quick start for the commands, which import this before everything else.

While it is imported, jsonschema builds a grammar of internationalised addresses, if there is the package for it; that
takes longer than all other imports together. nbformat imports jsonschema, and no notebook has such an address to check:
here they do without. The package itself stays to be had.
"""

import contextlib
import gc
import sys

_GRAMMAR = "rfc3987_syntax"

_there = sys.modules.get(_GRAMMAR)
if _there is None:
    sys.modules[_GRAMMAR] = None
try:
    import nbformat  # noqa: F401
finally:
    if _there is None:
        del sys.modules[_GRAMMAR]


@contextlib.contextmanager
def importing():
    """Import much without looking for garbage meanwhile, which takes a tenth of the time: what is imported stays."""
    gc.disable()
    try:
        yield
    finally:
        gc.enable()
