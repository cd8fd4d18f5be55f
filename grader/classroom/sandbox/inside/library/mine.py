"""What a notebook finds under the name `attnlib.mine` while a class is graded: the course's own functions.

No mark depends on another notebook, so nobody's functions of another one are here.
"""

import contextlib

import attnlib


class Ran:
    """What ran: nothing that anybody wrote elsewhere."""

    def __init__(self):
        self.mine, self.calls = [], []

    def __repr__(self):
        return "Your own copy of the notebook lists your functions here."


@contextlib.contextmanager
def watched():
    """Run the block, and note nothing."""
    yield Ran()


def folder():
    """Return None: nothing is kept."""


def kept(where=None):
    """Return an empty dict: nothing is kept."""
    return {}


def __getattr__(name):
    if name.startswith("__"):
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    return getattr(attnlib, name)
