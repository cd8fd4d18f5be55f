"""What can go wrong for a person who uses the course; every message says what happened and what to do next."""


class CourseError(Exception):
    """A command cannot go on."""


class NotebookError(CourseError, ValueError):
    """A notebook that cannot be read or put into normal form."""


class UnknownName(CourseError):
    """A name that nothing in the course has: the command was called wrongly."""


class DiskFull(CourseError):
    """Nothing can be written any more; what had been written is whole."""
