"""What a notebook finds under the name `attnlib.widgets` while a class is graded; see `attnlib.plots` there."""

from attnlib.plots import __getattr__  # noqa: F401 - the module's own
