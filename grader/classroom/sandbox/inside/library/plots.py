"""What a notebook finds under the names `attnlib.plots` and `attnlib.widgets` while a class is graded: nothing draws.

A picture earns nothing, and what it would take to draw one, nobody waits for. Whatever is asked for here can be called
and handed on; shown, it says where the picture is. What the pictures are made of is here as it is at home.
"""

from attnlib.pixels import flip_pixels, pixel_letters  # noqa: F401 - data, not pictures


class Undrawn:
    """What stands for everything that draws: it takes what comes, and gives itself."""

    def __call__(self, *args, **kwargs):
        return self

    def __getattr__(self, name):
        if name.startswith("_"):  # nothing that Python or a notebook would ask a thing for
            raise AttributeError(f"a picture that is not drawn has no {name!r}")
        return self

    def __getitem__(self, place):
        raise IndexError("a picture that is not drawn has no parts")

    def __repr__(self):
        return "(A picture: your own copy of the notebook shows it.)"


def __getattr__(name):
    if name.startswith("__"):
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    return Undrawn()
