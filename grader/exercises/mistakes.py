"""The mistakes that people make: their shape, and the blocks in which their words are written.

A block names one mistake after the other, in the order in which a diagnosis tries them:

    plus: you added the products instead of taking them off
        A row must sum to 0, because the weights always sum to 1. -> Subtract.
    columns

First the id and what the learner did; a second line of that is indented twice. Then, indented once, the cause, an
arrow, and the cure, over as many lines as they need. An id alone takes its words from `slips.py`.
"""

import re
import textwrap
from dataclasses import dataclass


@dataclass(frozen=True)
class Misconception:
    """A mistake that people make, and what to tell someone who made it.

    Attributes
    ----------
    id : str
        Name of the switch in the exercise's model.
    looks_like : str
        What the learner did, completing "Looks like: ...".
    cause : str
        Why that gives the wrong result.
    cure : str
        What to do about it, without giving the answer away.
    """

    id: str
    looks_like: str
    cause: str
    cure: str


def read_mistakes(block, where, shared=None):
    """The misconceptions of a block.

    Parameters
    ----------
    block : str
    where : str
        Whose block it is, for the message of an error.
    shared : dict of str to Misconception, optional
        What an id alone stands for.

    Returns
    -------
    tuple of Misconception

    Raises
    ------
    ValueError
        If the block is malformed; the message names the line.

    Examples
    --------
    >>> read_mistakes('''
    ...     plus: you added
    ...         Rows must sum to 0. -> Subtract.
    ... ''', "softmax_jacobian")
    (Misconception(id='plus', looks_like='you added', cause='Rows must sum to 0.', cure='Subtract.'),)
    """
    found = {}
    for number, name, head, body in _entries(block, where):
        at = f"{where}: line {number} of the mistakes"
        if name in found:
            raise ValueError(f"{at}: there is a {name!r} already")
        if not head and not body:
            if name not in (shared or {}):
                raise ValueError(f"{at}: {name!r} has no words, here or in slips.py")
            found[name] = shared[name]
            continue
        cause, arrow, cure = body.partition(" -> ")
        if not (head and cause and arrow and cure):
            raise ValueError(f"{at}: {name!r} needs what it looks like, a cause, an arrow (->) and a cure")
        found[name] = Misconception(name, head, cause, cure)
    return tuple(found.values())


def read_letters(block, where):
    """What a block of lettered options says to each, as a dict: `a: ...`, with further lines indented."""
    said = {letter: " ".join(f"{head} {body}".split()) for _, letter, head, body in _entries(block, where)}
    if not all(said.values()):
        raise ValueError(f"{where}: an option has no words")
    return said


def _entries(block, where):
    """(line, name, what follows it on that line and on those indented twice, the lines indented once) of each entry."""
    entries = []
    for number, line in enumerate(textwrap.dedent(block).splitlines()):
        if not line.strip():
            continue
        depth = len(line) - len(line.lstrip())
        if depth == 0 and (start := re.fullmatch(r"([\w-]+)(?:: +(.+))?", line.rstrip())):
            entries.append([number, start[1], [start[2] or ""], []])
        elif depth == 4 and entries:
            entries[-1][3].append(line.strip())
        elif depth == 8 and entries and entries[-1][2][0] and not entries[-1][3]:
            entries[-1][2].append(line.strip())
        else:
            raise ValueError(f"{where}: line {number} of its block is no entry and continues none: {line.strip()!r}")
    return [(number, name, " ".join(head), " ".join(body)) for number, name, head, body in entries]
