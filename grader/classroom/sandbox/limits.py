"""What a notebook may use while it is graded."""

from dataclasses import dataclass

MEGABYTE = 1 << 20


@dataclass(frozen=True)
class Limits:
    """What a notebook may use while it is graded.

    Attributes
    ----------
    cell, call, notebook : float
        Seconds of wall time: for one cell, for one call of an answer, for everything in a notebook.
    memory : int
        Megabytes of memory of all its processes together.
    processes : int
        Processes and threads.
    disk : int
        Megabytes in its scratch folders, and of one file.
    output : int
        Megabytes of outputs, pictures included.
    """

    cell: float = 30.0
    call: float = 5.0
    notebook: float = 180.0
    memory: int = 2048
    processes: int = 64
    disk: int = 64
    output: int = 16
