"""What a notebook finds under the names `attnlib.plots` and `attnlib.widgets` while a class is graded: nothing draws.

A picture earns nothing, and what it would take to draw one, nobody waits for. Whatever is asked for here can be called
and handed on; shown, it says where the picture is. What the pictures are made of is here as it is at home.
"""

from attnlib.pixels import flip_pixels, pixel_letters  # noqa: F401 - data, not pictures
from grader.classroom.sandbox.inside.undrawn import Undrawn


def __getattr__(name):
    if name.startswith("__"):
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    return Undrawn()
