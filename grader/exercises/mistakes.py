"""The mistakes that people make: their shape, and the blocks in which their words are written.

A block names one mistake after the other, in the order in which a diagnosis tries them:

    plus: you added the products instead of taking them off -> A row must sum to 0, because the weights always
        sum to 1. -> Subtract.
    clipped=: chances are cut off below -> A model that is sure and wrong then learns nothing. -> Form no chance at all.
    columns

First the id, and what the learner did; behind an arrow the cause, and behind another the cure. Further lines are
indented. Behind `=` the mistake can be made with any number: its model asks `stages.number` for it, and a diagnosis
tries those that stand in the learner's lines; behind `=""` with any marks, for which it asks `stages.marks`. An id
alone takes the words that stand once for several exercises: in the `__init__.py` of their notebook, or for several
notebooks in `slips.py`.
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
    numbered : bool
        True where the mistake is made with a number, which may be any.
    marked : bool
        True where it is made with punctuation marks, which may be any.
    """

    id: str
    looks_like: str
    cause: str
    cure: str
    numbered: bool = False
    marked: bool = False


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
    ...     plus: you added -> Rows must sum to 0. -> Subtract.
    ... ''', "softmax_jacobian")  # doctest: +ELLIPSIS
    (Misconception(id='plus', looks_like='you added', cause='Rows must sum to 0.', cure='Subtract.', ...),)
    """
    found = {}
    for number, entry, words in _entries(block, where):
        name, _, made_with = entry.partition("=")
        at = f"{where}: line {number} of the mistakes"
        if name in found:
            raise ValueError(f"{at}: there is a {name!r} already")
        if words:
            parts = [part.strip() for part in f" {words} ".split(" -> ")]
            if len(parts) != 3 or not all(parts):
                raise ValueError(f"{at}: {name!r} needs what it looks like, a cause and a cure, divided by arrows")
            found[name] = Misconception(name, *parts, numbered=entry.endswith("="), marked=made_with == '""')
        elif name in (shared or {}):
            found[name] = shared[name]
        else:
            raise ValueError(f"{at}: {name!r} has no words, here or where they are shared")
    return tuple(found.values())


def read_letters(block, where):
    """What a block of lettered options says to each, as a dict: `a: ...`, with further lines indented."""
    said = {letter: words for _, letter, words in _entries(block, where)}
    if not all(said.values()):
        raise ValueError(f"{where}: an option has no words")
    return said


def _entries(block, where):
    """(line, name, what is said of it, on one line) of each entry."""
    entries = []
    for number, line in enumerate(textwrap.dedent(block).splitlines()):
        if not line.strip():
            continue
        if start := re.fullmatch(r'([\w-]+(?:=(?:"")?)?)(?:: +(.+))?', line.rstrip()):
            entries.append((number, start[1], [start[2] or ""]))
        elif line.startswith("    ") and line[4] != " " and entries and entries[-1][2][0]:
            entries[-1][2].append(line.strip())
        else:
            raise ValueError(f"{where}: line {number} of its block is no entry and continues none: {line.strip()!r}")
    return [(number, name, " ".join(words)) for number, name, words in entries]
